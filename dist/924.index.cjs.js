"use strict";
exports.id = 924;
exports.ids = [924];
exports.modules = {

/***/ 7094:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ systemClock)
/* harmony export */ });
const systemClock = {
    now: () => Date.now(),
    monotonic: () => Number(process.hrtime.bigint()) / 1e6,
    sleep: (ms, signal) => new Promise((resolve, reject) => {
        if (signal?.aborted) {
            reject(signal.reason);
            return;
        }
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, ms);
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        signal?.addEventListener("abort", stop, { once: true });
    }),
};


/***/ }),

/***/ 9967:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ runGit),
/* harmony export */   Q: () => (/* binding */ createCommitHistory)
/* harmony export */ });
const MOST_COMPARED_FILES = 300;
const COMPARE_TIMEOUT_MS = 20_000;
const COMMIT = /^[0-9a-f]{7,64}$/i;
const UNKNOWN = { relation: "unknown", files: null };
function createCommitHistory(options) {
    return {
        compare: async (base, head, { gitOnly = false } = {}) => {
            if (!COMMIT.test(base) || !COMMIT.test(head))
                return UNKNOWN;
            const local = await compareByGit(options, base, head).catch(() => UNKNOWN);
            if (local.relation !== "unknown" || gitOnly)
                return local;
            return compareByGithub(options, base, head).catch(() => UNKNOWN);
        },
    };
}
const GIT_GUARDS = {
    args: ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"],
    env: { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
};
async function runGit({ cwd, env }, args) {
    const { getExecOutput } = await __webpack_require__.e(/* import() */ 260).then(__webpack_require__.bind(__webpack_require__, 1260));
    return getExecOutput("git", [...GIT_GUARDS.args, ...args], {
        cwd,
        env: { ...env, ...GIT_GUARDS.env },
        silent: true,
        ignoreReturnCode: true,
    });
}
async function compareByGit(place, base, head) {
    const git = (...args) => runGit(place, args);
    const has = async (commit) => (await git("cat-file", "-e", `${commit}^{commit}`)).exitCode === 0;
    if (!(await has(base)) || !(await has(head)))
        return UNKNOWN;
    const isAncestor = async (older, newer) => (await git("merge-base", "--is-ancestor", older, newer)).exitCode === 0;
    const [ahead, behind] = [await isAncestor(base, head), await isAncestor(head, base)];
    const shallow = (await git("rev-parse", "--is-shallow-repository")).stdout.trim() === "true";
    const relation = ahead && behind
        ? "identical"
        : ahead
            ? "ahead"
            : behind
                ? "behind"
                : shallow
                    ? "unknown"
                    : "diverged";
    const names = await git("diff", "--name-only", "-z", base, head);
    return {
        relation,
        files: names.exitCode === 0 ? names.stdout.split("\0").filter((name) => name !== "") : null,
    };
}
async function compareByGithub({ run, token, clock }, base, head) {
    if (run.host !== "github" || run.repository === null || token === "")
        return UNKNOWN;
    const { createGithubApi } = await __webpack_require__.e(/* import() */ 493).then(__webpack_require__.bind(__webpack_require__, 9493));
    const api = await createGithubApi({
        token,
        baseUrl: run.apiUrl,
        clock,
        timeoutMs: () => COMPARE_TIMEOUT_MS,
    });
    const { data } = await api.request("GET /repos/{owner}/{repo}/compare/{basehead}", {
        owner: run.repository.owner,
        repo: run.repository.name,
        basehead: `${base}...${head}`,
    });
    const { status, files } = data;
    const relation = ["ahead", "behind", "identical", "diverged"].find((word) => word === status) ??
        "unknown";
    const names = Array.isArray(files) && files.length < MOST_COMPARED_FILES
        ? files.flatMap((file) => [file.filename, file.previous_filename].filter((name) => typeof name === "string"))
        : null;
    return { relation, files: names };
}


/***/ }),

/***/ 7064:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ readRunContext)
/* harmony export */ });
function readRunContext(env, event) {
    if (env["GITHUB_ACTIONS"] !== "true")
        return elsewhere(env);
    const get = (name) => env[name] ?? "";
    const name = get("GITHUB_EVENT_NAME");
    const [owner = "", repo = ""] = get("GITHUB_REPOSITORY").split("/");
    const serverUrl = get("GITHUB_SERVER_URL") || "https://github.com";
    const fork = isFork(name, event, get("GITHUB_REPOSITORY"));
    const dependabot = get("GITHUB_ACTOR") === "dependabot[bot]" ||
        at(event, "pull_request", "user", "login") === "dependabot[bot]";
    const fromPullRequest = name === "pull_request" || name.startsWith("pull_request_review");
    const runId = /^\d+$/.test(get("GITHUB_RUN_ID")) ? get("GITHUB_RUN_ID") : "";
    const runAttempt = Number.parseInt(get("GITHUB_RUN_ATTEMPT"), 10) || 1;
    return {
        host: "github",
        repository: owner === "" || repo === "" ? null : { owner, name: repo },
        serverUrl,
        apiUrl: get("GITHUB_API_URL") || "https://api.github.com",
        graphqlUrl: get("GITHUB_GRAPHQL_URL") || "https://api.github.com/graphql",
        event: name,
        ref: get("GITHUB_REF"),
        sha: get("GITHUB_SHA"),
        headSha: text(at(event, "pull_request", "head", "sha")) ||
            text(at(event, "merge_group", "head_sha")) ||
            text(at(event, "workflow_run", "head_sha")) ||
            get("GITHUB_SHA"),
        baseRef: get("GITHUB_BASE_REF") ||
            text(at(event, "pull_request", "base", "ref")) ||
            text(at(event, "merge_group", "base_ref")).replace(/^refs\/heads\//, ""),
        pullRequest: pullRequestOf(name, event, get("GITHUB_REF")),
        pullRequestByCommit: name === "push" && get("GITHUB_REF").startsWith("refs/heads/"),
        fork,
        dependabot,
        readOnlyToken: (fork && fromPullRequest) ||
            (get("GITHUB_ACTOR") === "dependabot[bot]" && name !== "pull_request_target"),
        untrustedHead: name === "pull_request_target" || name === "workflow_run"
            ? fork || headRepository(name, event) === undefined
            : name === "issue_comment" && at(event, "issue", "pull_request") !== undefined,
        runId,
        runAttempt,
        workflow: get("GITHUB_WORKFLOW"),
        job: get("GITHUB_JOB"),
        actor: get("GITHUB_ACTOR"),
        runUrl: owner === "" || runId === ""
            ? ""
            : `${serverUrl}/${owner}/${repo}/actions/runs/${runId}/attempts/${runAttempt}`,
    };
}
function elsewhere(env) {
    const host = env["GITLAB_CI"] === "true"
        ? "gitlab"
        : (env["CI"] ?? "") !== "" && env["CI"] !== "false"
            ? "other-ci"
            : "terminal";
    const sha = env["CI_COMMIT_SHA"] ?? env["GIT_COMMIT"] ?? "";
    const branch = env["CI_COMMIT_BRANCH"] ?? "";
    return {
        host,
        repository: null,
        serverUrl: env["CI_SERVER_URL"] ?? "",
        apiUrl: "",
        graphqlUrl: "",
        event: "",
        ref: branch === "" ? "" : `refs/heads/${branch}`,
        sha,
        headSha: sha,
        baseRef: env["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] ?? "",
        pullRequest: null,
        pullRequestByCommit: false,
        fork: false,
        dependabot: false,
        readOnlyToken: false,
        untrustedHead: false,
        runId: env["CI_PIPELINE_ID"] ?? "",
        runAttempt: 1,
        workflow: "",
        job: env["CI_JOB_NAME"] ?? "",
        actor: "",
        runUrl: env["CI_JOB_URL"] ?? env["BUILD_URL"] ?? "",
    };
}
function at(value, ...path) {
    let found = value;
    for (const key of path) {
        if (typeof found !== "object" || found === null || !Object.hasOwn(found, key))
            return undefined;
        found = found[key];
    }
    return found;
}
const text = (value) => (typeof value === "string" ? value : "");
const number = (value) => Number.isSafeInteger(value) && value > 0 ? value : null;
function headRepository(name, event) {
    if (name === "workflow_run")
        return at(event, "workflow_run", "head_repository") === undefined
            ? undefined
            : (at(event, "workflow_run", "head_repository", "full_name") ?? null);
    return at(event, "pull_request", "head") === undefined
        ? undefined
        : (at(event, "pull_request", "head", "repo", "full_name") ?? null);
}
function isFork(name, event, repository) {
    const head = headRepository(name, event);
    return (head !== undefined &&
        (typeof head !== "string" || head.toLowerCase() !== repository.toLowerCase()));
}
function pullRequestOf(name, event, ref) {
    if (name === "merge_group") {
        const from = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/.exec(text(at(event, "merge_group", "head_ref")) || ref);
        return from === null ? null : number(Number(from[1]));
    }
    if (name === "issue_comment")
        return at(event, "issue", "pull_request") === undefined
            ? null
            : number(at(event, "issue", "number"));
    if (name === "workflow_run") {
        const pulls = at(event, "workflow_run", "pull_requests");
        return Array.isArray(pulls) ? number(at(pulls[0], "number")) : null;
    }
    return name.startsWith("pull_request")
        ? (number(at(event, "pull_request", "number")) ?? number(at(event, "number")))
        : null;
}


/***/ }),

/***/ 8567:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ readEvent)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);

async function readEvent(path) {
    if (path === undefined || path === "")
        return null;
    try {
        return JSON.parse(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readFile)(path, "utf8"));
    }
    catch {
        return null;
    }
}


/***/ }),

/***/ 8415:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ messageOf),
/* harmony export */   c: () => (/* binding */ statusOf)
/* harmony export */ });
function statusOf(error) {
    const { status, response } = (error ?? {});
    return typeof status === "number" && response !== undefined ? status : null;
}
function messageOf(error) {
    const message = error?.message;
    return (typeof message === "string" ? message : String(error))
        .split(/ - https?:\/\//)[0]
        .replace(/\s+/g, " ")
        .slice(0, 300);
}


/***/ }),

/***/ 4885:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ locateMarkdown),
/* harmony export */   p: () => (/* binding */ writeMarkdown)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8415);



async function writeMarkdown(path, report, warn) {
    try {
        const { renderComment } = await __webpack_require__.e(/* import() */ 902).then(__webpack_require__.bind(__webpack_require__, 4902));
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path), { recursive: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, renderComment(report, { header: "" }));
    }
    catch (error) {
        warn(`The Markdown file was not written: ${(0,_github_error_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .b)(error)}. Set \`markdown-file\` to a path that this job can write.`);
    }
}
async function locateMarkdown(workspace, given) {
    if (given === undefined)
        return {};
    try {
        return { path: await workspace.locateFile(given) };
    }
    catch (error) {
        return { error: (0,_github_error_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .b)(error) };
    }
}


/***/ }),

/***/ 8334:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   l: () => (/* binding */ createRedactor)
/* harmony export */ });
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);

const SHORTEST = 4;
const MASK = "***";
const THEIRS = new Set(["before", "after", "scores", "changed"]);
const OURS = new Set([
    "version",
    "outcome",
    "action",
    "effect",
    "verdict",
    "gate_verdict",
    "command",
    "state",
    "dialect",
    "source",
    "fingerprint",
    "tool",
    "changed",
    "revision",
    "started_at",
    "finished_at",
]);
function createRedactor({ onForm = () => { }, } = {}) {
    const forms = new Set();
    const short = new Set();
    let pattern = null;
    const redact = (text) => {
        if (short.has(text))
            return MASK;
        if (forms.size === 0)
            return text;
        const clean = text.replace((pattern ??= toPattern(forms)), MASK);
        if (!clean.includes("\u001b"))
            return clean;
        const bare = (0,_report_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .withoutTerminalCodes */ .zQ)(clean);
        const again = bare.replace(pattern, MASK);
        return again === bare ? clean : again;
    };
    const redactAll = (value) => redactWithin(value, redact);
    const add = (secret) => {
        if (secret.trim() === "")
            return;
        if (secret.trim().length < SHORTEST) {
            short.add(secret);
            short.add(secret.trim());
        }
        for (const form of toForms(secret)) {
            if (forms.has(form))
                continue;
            forms.add(form);
            pattern = null;
            onForm(form);
        }
    };
    return { add, redact, redactAll };
}
function toPattern(forms) {
    const sources = [...forms]
        .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
        .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    return new RegExp(sources.join("|"), "g");
}
function redactWithin(value, redact, theirs = false) {
    if (typeof value === "string")
        return redact(value);
    if (Array.isArray(value))
        return value.map((item) => redactWithin(item, redact, theirs));
    if (typeof value !== "object" || value === null)
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => {
        if (theirs)
            return [redact(key), redactWithin(item, redact, true)];
        return [
            key,
            OURS.has(key) && typeof item === "string"
                ? item
                : redactWithin(item, redact, THEIRS.has(key)),
        ];
    }));
}
function toForms(secret) {
    const whole = [
        secret,
        secret.trim(),
        secret.replace(/\r\n/g, "\n"),
        secret.replace(/\r?\n/g, "\r\n"),
        ...secret.split(/\r?\n/).map((line) => line.trim()),
    ];
    const encoded = [...new Set([secret, secret.trim()])].flatMap((value) => [
        ...toEscaped(value),
        ...toBase64(value),
    ]);
    return [...new Set([...whole, ...encoded])].filter((form) => form.length >= SHORTEST && /[^\s{}[\](),:;"'-]/.test(form));
}
function toEscaped(value) {
    const wellFormed = Buffer.from(value, "utf8").toString("utf8");
    const json = JSON.stringify(value).slice(1, -1);
    const ascii = json.replace(/[\u007f-\uffff<>&']/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const url = encodeURIComponent(wellFormed);
    return [
        json,
        ascii,
        JSON.stringify(json).slice(1, -1),
        url,
        url.replace(/%20/g, "+"),
        url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
        url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
        encodeURI(wellFormed),
        value
            .replace(/&/g, "&amp;")
            .replace(/</g, "&lt;")
            .replace(/>/g, "&gt;")
            .replace(/"/g, "&quot;"),
    ];
}
function toBase64(value) {
    const bytes = Buffer.from(value, "utf8");
    const shifted = [0, 1, 2].map((offset) => {
        const text = Buffer.concat([Buffer.alloc(offset), bytes])
            .toString("base64")
            .replace(/=+$/, "");
        const ends = (bytes.length + offset) % 3;
        return text.slice(offset === 0 ? 0 : offset + 1, ends === 0 ? undefined : -1);
    });
    return [bytes.toString("base64"), ...shifted.filter((form) => form.length >= 6)].flatMap((form) => [form, form.replace(/\+/g, "-").replace(/\//g, "_")]);
}


/***/ }),

/***/ 1893:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   f: () => (/* binding */ createShell),
/* harmony export */   k: () => (/* binding */ toScriptEnvironment)
/* harmony export */ });
const TAIL_LINES = 40;
const MAX_LINE_CHARS = 4_000;
const MAX_SCRUBBED_CHARS = 256 * 1024;
const GRACE_MS = 2_000;
const KEYS = new Set([
    "AGENT_DEPLOY_API_KEY",
    "AGENT_DEPLOY_BEARER_TOKEN",
    "LANGSMITH_API_KEY",
    "LANGCHAIN_API_KEY",
    "LANGGRAPH_HOST_API_KEY",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "ACTIONS_RESULTS_TOKEN",
    "CI_JOB_TOKEN",
]);
function toScriptEnvironment(env, secrets) {
    const out = {};
    for (const [name, value] of Object.entries(env)) {
        if (value === undefined || name.startsWith("INPUT_") || KEYS.has(name))
            continue;
        if (secrets.some((secret) => secret !== "" && value.includes(secret)))
            continue;
        out[name] = value;
    }
    return out;
}
function createShell({ env, cwd, redact = (text) => text, }) {
    return {
        run: async (script, options) => {
            const { spawn } = await Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 1421, 19));
            return follow(spawn("bash", ["-c", script], {
                cwd,
                env: { ...env, ...options.env },
                detached: true,
                stdio: ["ignore", "pipe", "pipe"],
            }), options, redact);
        },
    };
}
function follow(child, options, redact) {
    return new Promise((resolve, reject) => {
        const tail = [];
        let stopped = null;
        const kill = (signal) => {
            try {
                process.kill(-child.pid, signal);
            }
            catch {
            }
        };
        const stop = (why) => {
            stopped ??= why;
            kill("SIGTERM");
            setTimeout(() => {
                kill("SIGKILL");
            }, GRACE_MS).unref();
        };
        const timer = setTimeout(() => {
            stop("timeout");
        }, options.timeoutMs);
        const onAbort = () => {
            stop("abort");
        };
        options.signal.addEventListener("abort", onAbort, { once: true });
        const keep = (whole) => {
            const line = redact(whole).slice(0, MAX_LINE_CHARS);
            tail.push(line);
            if (tail.length > TAIL_LINES)
                tail.shift();
            options.onLine(line);
        };
        for (const stream of [child.stdout, child.stderr])
            readLines(stream, keep);
        const done = () => {
            clearTimeout(timer);
            options.signal.removeEventListener("abort", onAbort);
        };
        child.on("error", (error) => {
            done();
            reject(new Error(`verify: bash could not be started: ${error.message}`));
        });
        child.on("close", (code) => {
            done();
            if (stopped === "abort")
                reject(options.signal.reason);
            else
                resolve({ exitCode: stopped === "timeout" ? null : (code ?? 1), tail });
        });
        if (options.signal.aborted)
            onAbort();
    });
}
function readLines(stream, onLine) {
    let rest = "";
    let cut = false;
    const end = (line) => {
        if (!cut)
            onLine(line.slice(0, MAX_SCRUBBED_CHARS));
        cut = false;
    };
    stream.setEncoding("utf8");
    stream.on("data", (chunk) => {
        const lines = (rest + chunk).split(/\r?\n/);
        rest = lines.pop() ?? "";
        for (const line of lines)
            end(line);
        if (!cut && rest.length > MAX_SCRUBBED_CHARS) {
            onLine(rest.slice(0, MAX_SCRUBBED_CHARS));
            cut = true;
        }
        if (cut)
            rest = "";
    });
    stream.on("end", () => {
        if (rest !== "")
            end(rest);
    });
}


/***/ }),

/***/ 9970:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ toLogText),
/* harmony export */   q: () => (/* binding */ toLogJson)
/* harmony export */ });
function toLogText(text) {
    return text
        .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
        .map((line) => {
        const ended = line.includes("::")
            ? line.replace(/^([^\p{L}\p{N}]*?):(?=:)/u, "$1:\u200b")
            : line;
        return ended.includes("##[") ? ended.replace(/##(?=\[)/g, "#\u200b#") : ended;
    })
        .join("\n");
}
function toLogJson(json) {
    return json.replaceAll("##[", "#\\u0023[");
}


/***/ }),

/***/ 1822:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ createWorkspace)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _spec_glob_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3118);




class WorkspaceError extends Error {
    name = "WorkspaceError";
    absent;
    constructor(message, absent = false) {
        super(message);
        this.absent = absent;
    }
}
const MAX_PATTERNS = 500;
const MAX_PATTERN_CHARS = 1000;
const MAX_ENTRIES = 200_000;
const MAX_MATCHES = 20_000;
const MAX_DEPTH = 40;
const SKIPPED_DIRECTORIES = new Set(["node_modules", ".git"]);
const codeOf = (error) => typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
const REASONS = {
    ENOENT: "does not exist",
    EACCES: "may not be opened by this user",
    EPERM: "may not be opened by this user",
    ELOOP: "is a symbolic link that leads in a circle",
    ENOTDIR: "lies below what is no directory",
    EISDIR: "is a directory",
    ENAMETOOLONG: "has a name that is too long",
    EROFS: "lies on a read-only file system",
    ENOSPC: "does not fit on the disk",
    ENXIO: "is no regular file (a device, pipe or socket)",
};
function refusal(path, error, advice) {
    if (error instanceof WorkspaceError)
        return error;
    return new WorkspaceError(`${path} ${REASONS[codeOf(error)] ?? `cannot be used (${codeOf(error) || "unknown error"})`}; ${advice}`, codeOf(error) === "ENOENT");
}
function createWorkspace({ root, temp, allowOutside = false }) {
    const roots = Promise.all([root, ...(temp === undefined || temp === "" ? [] : [temp])].map((path) => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path).catch(() => (0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(path))));
    const confine = async (path, real) => {
        if (allowOutside || (await roots).some((base) => isWithin(base, real)))
            return real;
        throw new WorkspaceError(`${path} lies outside the workspace and the runner's temporary directory; move it inside${temp === undefined ? " (command line: or pass --allow-outside)" : ""}`);
    };
    const locate = async (path) => {
        if (path === "" || path.includes("\0"))
            throw new WorkspaceError("a file path is empty or holds a null character; write the path of a file");
        if (!allowOutside && path.split(/[\\/]/u).includes(".."))
            throw new WorkspaceError(`${path} holds "..", which is refused; write the path from the workspace downwards`);
        return confine(path, await realTarget((0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(root, path), path));
    };
    const openFile = async (path, maxBytes) => openRegular(await locate(path), path, maxBytes);
    return {
        locate,
        locateFile: async (path) => {
            const real = await locate(path);
            const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(real).catch(() => undefined);
            if (found !== undefined)
                assertRegular(path, found);
            return real;
        },
        expand: (patterns) => expandPatterns(patterns, { root, locate }),
        readText: async (path, maxBytes) => {
            const { file } = await openFile(path, maxBytes);
            try {
                return decodeText(await readBounded(file, path, maxBytes), path);
            }
            catch (error) {
                throw refusal(path, error, "name a regular file that can be read");
            }
            finally {
                await file.close();
            }
        },
        openStream: async (path, maxBytes) => {
            const { file, bytes, modifiedMs } = await openFile(path, maxBytes);
            return {
                stream: (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.createReadStream)("", {
                    fd: file,
                    autoClose: true,
                    ...(bytes === 0 ? {} : { end: bytes - 1 }),
                }),
                bytes,
                modifiedMs,
            };
        },
        writeText: async (path, text) => {
            const real = await locate(path);
            try {
                await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(real), { recursive: true });
                await confine(path, (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(real)), (0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(real)));
                await writeRegular(real, path, text);
            }
            catch (error) {
                throw refusal(path, error, "name a file that can be written");
            }
        },
    };
}
async function writeRegular(real, path, text) {
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_WRONLY | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_CREAT | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK, 0o644);
    try {
        assertRegular(path, await file.stat());
        await file.truncate(0);
        await file.writeFile(text);
    }
    finally {
        await file.close();
    }
}
async function openRegular(real, path, maxBytes) {
    try {
        assertRegular(path, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(real));
        const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW);
        try {
            const { size, mtimeMs } = assertRegular(path, await file.stat());
            if (size > maxBytes)
                throw new WorkspaceError(`${path} is ${size} bytes long, more than the ${maxBytes} that are read; split it or write less`);
            return { file, bytes: size, modifiedMs: mtimeMs };
        }
        catch (error) {
            await file.close();
            throw error;
        }
    }
    catch (error) {
        throw refusal(path, error, "name a regular file that can be read");
    }
}
function isWithin(base, path) {
    const from = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(base, path);
    return from === "" || (from !== ".." && !from.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(from));
}
async function realTarget(absolute, path) {
    const missing = [];
    for (let at = absolute;; at = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(at)) {
        try {
            return (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(at), ...missing);
        }
        catch (error) {
            const dangling = codeOf(error) === "ENOENT" &&
                (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(at).then((found) => found.isSymbolicLink(), () => false));
            if (dangling)
                throw new WorkspaceError(`${path} is a symbolic link to nothing; name a file that exists`);
            if (codeOf(error) !== "ENOENT" || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(at) === at)
                throw refusal(path, error, "name a file inside the workspace");
            missing.unshift((0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(at));
        }
    }
}
function assertRegular(path, found) {
    if (found.isFile())
        return found;
    throw new WorkspaceError(`${path} is ${found.isDirectory() ? "a directory" : "no regular file (a device, pipe or socket)"}; name a regular file`);
}
async function readBounded(file, path, maxBytes) {
    const chunks = [];
    for (let total = 0;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, maxBytes - total + 1)));
        if (bytesRead === 0)
            return Buffer.concat(chunks);
        total += bytesRead;
        if (total > maxBytes)
            throw new WorkspaceError(`${path} is longer than the ${maxBytes} bytes that are read; split it or write less`);
        chunks.push(buffer.subarray(0, bytesRead));
    }
}
function decodeText(bytes, path) {
    const [a, b] = bytes;
    if ((a === 0xff && b === 0xfe) ||
        (a === 0xfe && b === 0xff) ||
        (bytes.length > 1 && (a === 0) !== (b === 0))) {
        throw new WorkspaceError(`${path} is UTF-16; save it as UTF-8`);
    }
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    }
    catch {
        throw new WorkspaceError(`${path} is not valid UTF-8; save it as UTF-8`);
    }
}
async function expandPatterns(patterns, expansion) {
    const trimmed = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
    if (trimmed.length > MAX_PATTERNS)
        throw new WorkspaceError(`there are more than ${MAX_PATTERNS} file patterns; write fewer, with * in them`);
    const matches = new Set();
    const budget = { entries: MAX_ENTRIES };
    for (const pattern of trimmed) {
        if (pattern.length > MAX_PATTERN_CHARS)
            throw new WorkspaceError(`a file pattern is longer than ${MAX_PATTERN_CHARS} characters; write a shorter one`);
        if (pattern.startsWith("!")) {
            const refused = normalize(pattern.slice(1));
            choicesOf(refused);
            for (const path of matches)
                if ((0,_spec_glob_js__WEBPACK_IMPORTED_MODULE_3__/* .matchesGlob */ .kt)([refused], path.replace(/^\//u, "")))
                    matches.delete(path);
        }
        else if (!(0,_spec_glob_js__WEBPACK_IMPORTED_MODULE_3__/* .hasMagic */ .qt)(pattern))
            matches.add(await plainFile(normalize(pattern), expansion));
        else
            for (const choice of choicesOf(normalize(pattern)))
                for (const path of await walkPattern(choice, expansion, budget))
                    matches.add(path);
        if (matches.size > MAX_MATCHES)
            throw new WorkspaceError(`the file patterns match more than ${MAX_MATCHES} files; write narrower ones`);
    }
    return [...matches].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
const normalize = (pattern) => pattern.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");
async function plainFile(path, { locate }) {
    const real = await locate(path);
    try {
        assertRegular(path, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(real));
        return path;
    }
    catch (error) {
        throw refusal(path, error, "name a file that exists, or a pattern with * in it");
    }
}
function choicesOf(pattern) {
    const choices = (0,_spec_glob_js__WEBPACK_IMPORTED_MODULE_3__/* .spreadBraces */ .mH)(pattern);
    if (choices === "too many")
        throw new WorkspaceError(`the file pattern ${pattern} has too many choices in { }; write * instead of some`);
    if (choices === "unpaired")
        throw new WorkspaceError(`the file pattern ${pattern} has a brace without its partner; write {a,b}`);
    return choices;
}
async function walkPattern(pattern, { root, locate }, budget) {
    const segments = pattern
        .split("/")
        .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
    const first = segments.findIndex(_spec_glob_js__WEBPACK_IMPORTED_MODULE_3__/* .hasMagic */ .qt);
    const base = first < 0 ? pattern : segments.slice(0, first).join("/");
    const start = base === "" && pattern.startsWith("/") ? "/" : base;
    const real = start === ""
        ? await locate(".")
        : await locate(start).catch((error) => {
            if (error instanceof WorkspaceError && / does not exist;/u.test(error.message))
                return undefined;
            throw error;
        });
    if (real === undefined)
        return [];
    if (first < 0)
        return (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(real).then((found) => found.isFile(), () => false))
            ? [pattern]
            : [];
    const matches = new Set();
    await walk({ directory: start, segments: segments.slice(first), depth: 0 });
    return [...matches];
    async function walk(at) {
        const [segment, ...rest] = at.segments;
        if (segment === undefined || at.depth > MAX_DEPTH)
            return;
        if (segment === "**" && rest.length > 0)
            await walk({ ...at, segments: rest });
        for (const entry of await entriesOf(at.directory)) {
            if (!(segment === "**" || (0,_spec_glob_js__WEBPACK_IMPORTED_MODULE_3__/* .matchesSegment */ .vO)(segment, entry.name)) ||
                (entry.name.startsWith(".") && !segment.startsWith(".")))
                continue;
            const path = at.directory === ""
                ? entry.name
                : at.directory === "/"
                    ? `/${entry.name}`
                    : `${at.directory}/${entry.name}`;
            const isLink = entry.isSymbolicLink();
            const isFile = entry.isFile() || (isLink && (await linksToFileInside(path)));
            if (isFile && rest.length === 0)
                matches.add(path);
            if (matches.size > MAX_MATCHES)
                throw new WorkspaceError(`the file pattern ${pattern} matches more than ${MAX_MATCHES} files; write a narrower one`);
            const named = segment === entry.name;
            if (!entry.isDirectory() || (SKIPPED_DIRECTORIES.has(entry.name) && !named))
                continue;
            await walk({
                directory: path,
                segments: segment === "**" ? at.segments : rest,
                depth: at.depth + 1,
            });
        }
    }
    async function linksToFileInside(path) {
        const target = await locate(path).catch(() => undefined);
        return (target !== undefined &&
            (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(target).then((found) => found.isFile(), () => false)));
    }
    async function entriesOf(directory) {
        const entries = [];
        try {
            for await (const entry of await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.opendir)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.resolve)(root, directory === "" ? "." : directory))) {
                budget.entries -= 1;
                if (budget.entries < 0)
                    throw new WorkspaceError(`the file pattern ${pattern} would read more than ${MAX_ENTRIES} directory entries; write a narrower one`);
                entries.push(entry);
            }
        }
        catch (error) {
            if (error instanceof WorkspaceError)
                throw error;
            if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error)))
                throw refusal(directory, error, "write a narrower pattern");
        }
        return entries;
    }
}


/***/ }),

/***/ 8741:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Lo: () => (/* binding */ COMMANDS),
  mc: () => (/* binding */ INPUTS),
  au: () => (/* binding */ didYouMean),
  vj: () => (/* binding */ inputNames),
  TL: () => (/* binding */ parseInputs),
  oO: () => (/* binding */ positionalOf),
  Ui: () => (/* binding */ readActionInputs),
  Vf: () => (/* binding */ readBoolean),
  Qo: () => (/* binding */ readEnvironment),
  OB: () => (/* binding */ rowOf)
});

// UNUSED EXPORTS: propertyOf

;// CONCATENATED MODULE: ./build/duration.js
const UNITS = [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
];
function renderDuration(ms) {
    if (ms < 1_000)
        return `${Math.max(0, Math.round(ms))}ms`;
    let rest = Math.round(ms / 1_000) * 1_000;
    let out = "";
    for (const [unit, size] of UNITS) {
        const count = Math.floor(rest / size);
        if (count > 0)
            out += `${count}${unit}`;
        rest -= count * size;
    }
    return out;
}

// EXTERNAL MODULE: ./build/spec/duration.js
var duration = __webpack_require__(8020);
// EXTERNAL MODULE: ./build/spec/suggestion.js
var suggestion = __webpack_require__(176);
;// CONCATENATED MODULE: ./build/inputs.js



const COMMANDS = {
    auto: {
        doc: "plan on pull_request and merge_group, apply elsewhere",
        example: "auto --region eu",
        positional: "spec",
    },
    plan: {
        doc: "compare the spec with what is live; change nothing",
        example: "plan --only support-agent --fail-on-changes",
        positional: "spec",
    },
    apply: {
        doc: "create or update, wait until it runs, verify, upload, gate",
        example: "apply --on-failure rollback --verify 'npm run smoke'",
        positional: "spec",
    },
    wait: {
        doc: "wait for a deployment's revision until it ends",
        example: "wait --deployment-id 0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11",
        positional: "spec",
    },
    redeploy: {
        doc: "redeploy a revision (default: the latest), then wait",
        example: "redeploy agent-deploy.yml",
        positional: "spec",
    },
    destroy: {
        doc: "delete a deployment (needs confirm: <name>)",
        example: "destroy preview.yml --confirm support-agent-pr-7",
        positional: "spec",
    },
    upload: {
        doc: "upload experiment results, gate them, report",
        example: "upload results.json --gate 'correctness >= 0.85'",
        positional: "experiment",
    },
    gate: {
        doc: "score and gate result files; no network",
        example: "gate results.json --gate 'correctness >= 0.85'",
        positional: "experiment",
    },
    report: {
        doc: "merge the report files of a job matrix into one outcome",
        example: "report 'reports/*.json'",
        positional: "reports",
    },
    validate: {
        doc: "check the spec; no network, no key",
        example: "validate agent-deploy.yml",
        positional: "spec",
    },
    export: {
        doc: "write a spec from a live deployment",
        example: "export --all --output agent-deploy.yml",
        positional: "spec",
    },
    lookup: {
        doc: "list ids: lookup integrations, lookup listeners",
        example: "lookup integrations",
        cli: true,
    },
    emulator: {
        doc: "run the service locally; the first line is its URL",
        example: "emulator --port 4010 --state emulator.json",
        cli: true,
    },
    demo: { doc: "emulator, sample spec, apply, upload, gate: no network", cli: true },
    init: {
        doc: "write a first spec, from this checkout or what is live",
        example: "init --deployment-id 0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11",
        cli: true,
    },
};
function positionalOf(command) {
    return COMMANDS[command].positional;
}
const ALL = Object.keys(COMMANDS);
const DEPLOY = ["auto", "plan", "apply"];
const APPLY = ["auto", "apply"];
const WAITS = ["auto", "apply", "wait", "redeploy", "destroy", "upload", "gate"];
const REMOTE = [
    "auto",
    "plan",
    "apply",
    "wait",
    "redeploy",
    "destroy",
    "upload",
    "gate",
    "export",
    "lookup",
    "init",
];
const SCORED = ["auto", "apply", "upload", "gate"];
const UPLOADS = ["auto", "apply", "upload"];
const REPORTING = [
    "auto",
    "plan",
    "apply",
    "wait",
    "redeploy",
    "destroy",
    "upload",
    "gate",
    "report",
    "validate",
];
const TRUSTS = [
    "auto",
    "plan",
    "apply",
    "wait",
    "redeploy",
    "destroy",
    "upload",
    "gate",
    "validate",
];
const SPEC = [
    "auto",
    "plan",
    "apply",
    "wait",
    "redeploy",
    "destroy",
    "validate",
    "export",
];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const INPUTS = {
    command: {
        type: "enum",
        values: [
            "auto",
            "plan",
            "apply",
            "wait",
            "redeploy",
            "destroy",
            "upload",
            "gate",
            "report",
            "validate",
            "export",
        ],
        default: "auto",
        on: ALL,
        doc: "What to do. On the command line, the first word.",
    },
    spec: {
        type: "list",
        default: ["agent-deploy.yml"],
        on: SPEC,
        common: true,
        doc: "Spec files or globs, by line or comma. For `export` in the Action, the file to write.",
    },
    only: {
        type: "list",
        on: DEPLOY,
        doc: "Exact names of the deployments to work on; the others are left alone.",
    },
    "api-key": {
        type: "string",
        secret: true,
        env: ["AGENT_DEPLOY_API_KEY", "LANGSMITH_API_KEY"],
        on: REMOTE,
        common: true,
        doc: "API key of the service.",
    },
    "tenant-id": {
        type: "string",
        env: ["AGENT_DEPLOY_TENANT_ID"],
        on: REMOTE,
        doc: "Tenant (workspace) id. Needed with a bearer token or an organisation's key.",
    },
    "bearer-token": {
        type: "string",
        secret: true,
        env: ["AGENT_DEPLOY_BEARER_TOKEN"],
        on: REMOTE,
        doc: "Bearer token, in place of an API key.",
    },
    region: {
        type: "enum",
        values: ["us", "eu", "apac", "aws"],
        default: "us",
        on: REMOTE,
        common: ["auto", "plan", "apply", "wait", "redeploy", "destroy", "upload", "export", "lookup"],
        doc: "Region of the hosted service.",
    },
    "control-plane-url": {
        type: "string",
        env: ["AGENT_DEPLOY_CONTROL_PLANE_URL"],
        on: REMOTE,
        common: ["plan", "wait", "redeploy", "destroy", "upload", "export", "lookup"],
        doc: "Address of a self-hosted service or an emulator. Overrides `region`; the tracing API is found beside it.",
    },
    "tracing-url": {
        type: "string",
        env: ["AGENT_DEPLOY_TRACING_URL"],
        on: REMOTE,
        doc: "Tracing API of a self-hosted service or an emulator. Overrides `region`.",
    },
    "deployment-id": {
        type: "string",
        specKey: "deploy.id",
        on: [
            "auto",
            "plan",
            "apply",
            "wait",
            "redeploy",
            "destroy",
            "upload",
            "gate",
            "export",
            "init",
        ],
        common: ["plan", "apply", "wait", "redeploy", "destroy", "upload", "export", "init"],
        doc: "Id of the deployment. Not with several documents.",
    },
    "revision-id": {
        type: "string",
        on: ["wait", "redeploy", "upload", "gate"],
        common: ["wait", "redeploy"],
        doc: "Revision to work on. Default: the latest.",
    },
    "previous-revision-id": {
        type: "string",
        on: ["upload", "gate"],
        doc: "Revision to go back to when a later step's gate fails.",
    },
    commit: {
        type: "string",
        on: DEPLOY,
        doc: "Commit that must be running. Default: the commit of this run, where it is the spec's repository and ref.",
    },
    create: {
        type: "enum",
        values: ["auto", "never", "always"],
        default: "auto",
        on: DEPLOY,
        doc: "What to do where there is none. `auto` creates when a lookup proved absence, `always` also where the service has no lookup.",
    },
    force: {
        type: "boolean",
        default: false,
        on: DEPLOY,
        common: true,
        doc: "Redeploy when nothing changed. Also allows an older commit.",
    },
    "secrets-unknown": {
        type: "enum",
        values: ["keep", "send"],
        default: "keep",
        on: DEPLOY,
        doc: "What to do with secrets whose live value the service does not show.",
    },
    "expect-plan": {
        type: "string",
        on: APPLY,
        doc: "Fingerprint of the approved plan. Refuses when the plan is another by now.",
    },
    "fail-on-changes": {
        type: "boolean",
        default: false,
        on: DEPLOY,
        common: ["plan"],
        doc: "Red when the plan holds changes: a drift check. The command line ends with 3.",
    },
    confirm: {
        type: "string",
        on: ["destroy"],
        common: true,
        doc: "Name of the deployment to delete, once more.",
    },
    wait: {
        type: "boolean",
        default: true,
        on: ["auto", "apply", "redeploy", "destroy"],
        common: true,
        doc: "Wait until the revision ends.",
    },
    timeout: {
        type: "duration",
        default: "30m",
        specKey: "deploy.timeout",
        min: 1,
        max: DAY,
        on: ["plan", ...WAITS],
        common: ["auto", "apply", "wait", "redeploy", "destroy"],
        doc: "Longest wait, from leaving the queue. The queue itself has the same limit, and so has a read that fails.",
    },
    "poll-interval": {
        type: "duration",
        min: 1,
        max: 10 * MINUTE,
        on: WAITS,
        doc: "Time between two looks. Default: adaptive, from half a second to 40 s.",
    },
    concurrency: {
        type: "integer",
        default: 8,
        min: 1,
        max: 100,
        on: [...DEPLOY, "export"],
        doc: "How many deployments are worked on at once.",
    },
    "fail-fast": {
        type: "boolean",
        default: false,
        on: APPLY,
        doc: "Begin no further deployment after one failed.",
    },
    "on-failure": {
        type: "enum",
        values: ["none", "rollback"],
        default: "none",
        specKey: "deploy.on_failure",
        on: SCORED,
        common: ["auto", "apply", "upload"],
        doc: "Go back to the revision that was active before? `rollback` redeploys it, and the step stays red.",
    },
    "on-superseded": {
        type: "enum",
        values: ["fail", "warn"],
        default: "fail",
        on: WAITS,
        doc: "Red or only a warning when a newer revision took over.",
    },
    verify: {
        type: "text",
        specKey: "deploy.verify",
        on: APPLY,
        common: true,
        doc: "Shell command, run once after DEPLOYED. By `bash -c`; non-zero means failed.",
    },
    experiment: {
        type: "list",
        on: SCORED,
        common: ["auto", "apply", "upload", "gate"],
        doc: "Result files or globs, by line or comma.",
    },
    format: {
        type: "string",
        default: "auto",
        on: SCORED,
        doc: "Format of the result files; `auto` detects it by content.",
    },
    mapping: {
        type: "string",
        on: SCORED,
        doc: "YAML file that says which column is what. Lines of `field: column`.",
    },
    split: {
        type: "enum",
        values: ["auto", "none"],
        default: "auto",
        on: SCORED,
        doc: "One experiment a file, or more? `auto`: promptfoo gives one per provider and prompt; `none`: one a file, always.",
    },
    drop: {
        type: "list",
        on: UPLOADS,
        doc: "Row fields to leave out of the upload, such as `run_metadata`. `actual_outputs:2000` cuts its texts after 2000 characters, with a mark.",
    },
    "dry-run": {
        type: "boolean",
        default: false,
        on: UPLOADS,
        common: ["upload"],
        doc: "Print the bodies of the uploads and send none. `apply` only plans.",
    },
    "experiment-name": {
        type: "string",
        on: UPLOADS,
        common: ["upload"],
        doc: "Name of the experiment. Default: unique per upload.",
    },
    "experiment-description": { type: "string", on: UPLOADS, doc: "Description of the experiment." },
    "experiment-metadata": {
        type: "object",
        on: UPLOADS,
        doc: "JSON object, added to the experiment's metadata.",
    },
    "dataset-name": {
        type: "string",
        on: UPLOADS,
        common: ["upload"],
        doc: "Dataset that groups experiments. Default: stable per repository and suite.",
    },
    "dataset-id": { type: "string", on: UPLOADS, doc: "Id of the dataset, in place of its name." },
    "dataset-description": { type: "string", on: UPLOADS, doc: "Description of the dataset." },
    gate: {
        type: "text",
        on: SCORED,
        common: true,
        doc: "Lines such as `correctness >= 0.85`, or a file. The file is a YAML mapping with `gates:`.",
    },
    "gate-when": {
        type: "enum",
        values: ["auto", "before", "after"],
        default: "auto",
        on: APPLY,
        doc: "When result files are gated. `auto`: what is there at the start before the first write, what `verify` makes after it.",
    },
    baseline: {
        type: "string",
        on: SCORED,
        common: true,
        doc: "Baseline file, or older results, to compare with.",
    },
    "on-inconclusive": {
        type: "enum",
        values: ["pass", "warn", "fail"],
        default: "warn",
        on: SCORED,
        doc: "What an inconclusive gate does to the step.",
    },
    "write-baseline": {
        type: "string",
        on: SCORED,
        common: ["upload", "gate"],
        doc: "File to write a later run's baseline to.",
    },
    comment: {
        type: "enum",
        values: ["auto", "changes", "never"],
        default: "auto",
        on: REPORTING,
        doc: "Keep one pull request comment up to date; `changes`: post none while nothing changes. Needs `pull-requests: write`.",
    },
    "comment-key": {
        type: "string",
        on: REPORTING,
        doc: "Tells apart the comments of steps that are otherwise alike.",
    },
    "github-token": {
        type: "string",
        secret: true,
        env: ["GITHUB_TOKEN"],
        expression: "${{ github.token }}",
        on: REPORTING,
        doc: "Token for the comment, the commit comparison and GitHub Deployments.",
    },
    environment: {
        type: "string",
        on: ["auto", "plan", "apply", "wait", "redeploy", "destroy"],
        doc: "GitHub Deployment environment to report to. Needs `deployments: write`.",
    },
    summary: { type: "boolean", default: true, on: REPORTING, doc: "Write the job summary." },
    "report-file": {
        type: "string",
        on: REPORTING,
        common: ["plan", "upload", "gate", "report"],
        doc: "Path of the full JSON report. Default: a file under RUNNER_TEMP.",
    },
    "markdown-file": {
        type: "string",
        on: REPORTING,
        doc: "Also write the comment's Markdown to this file, for any CI to post.",
    },
    reports: { type: "list", on: ["report"], common: true, doc: "Report files or globs to merge." },
    matrix: {
        type: "string",
        expression: "${{ toJSON(matrix) }}",
        on: REPORTING,
        doc: "The job's matrix, only to tell its legs apart. Leave it alone.",
    },
    "allow-untrusted": {
        type: "boolean",
        default: false,
        on: TRUSTS,
        doc: "Trust code that may be a stranger's: a fork's head under `pull_request_target` or `workflow_run`, or a comment on a pull request. Off, such a run takes nothing from the environment, runs no verify and writes nothing to the service.",
    },
    "api-key-file": {
        type: "string",
        only: "cli",
        on: REMOTE,
        doc: "File that holds the API key. It may lie outside the current directory, as mounted secrets do.",
    },
    json: {
        type: "boolean",
        default: false,
        only: "cli",
        on: [...REPORTING, "export", "lookup"],
        common: true,
        doc: "Print the report as JSON to stdout.",
    },
    "allow-outside": {
        type: "boolean",
        default: false,
        only: "cli",
        on: ALL,
        doc: "Allow files outside the current directory.",
    },
    all: {
        type: "boolean",
        default: false,
        only: "cli",
        on: ["export"],
        common: true,
        doc: "Every deployment there is.",
    },
    output: {
        type: "string",
        only: "cli",
        on: ["export", "init"],
        common: true,
        doc: "File to write. Default: stdout for `export`, agent-deploy.yml for `init`.",
    },
    calibrate: {
        type: "boolean",
        default: false,
        only: "cli",
        on: ["gate"],
        common: true,
        doc: "Show how often these gates fail an equal agent. From the repeats in the files.",
    },
    host: {
        type: "string",
        default: "127.0.0.1",
        only: "cli",
        on: ["emulator"],
        common: true,
        doc: "Address to listen on.",
    },
    port: {
        type: "integer",
        default: 4010,
        min: 0,
        max: 65_535,
        only: "cli",
        on: ["emulator"],
        common: true,
        doc: "Port to listen on, or 0 for any free one.",
    },
    state: {
        type: "string",
        only: "cli",
        on: ["emulator"],
        common: true,
        doc: "File that keeps the state over restarts.",
    },
    scenario: {
        type: "string",
        only: "cli",
        on: ["emulator"],
        common: true,
        doc: "YAML file of timelines, faults and seed.",
    },
    strict: {
        type: "boolean",
        default: false,
        only: "cli",
        on: ["emulator"],
        common: true,
        doc: "Serve only what the interface document shows.",
    },
};
function rowOf(name) {
    return Object.hasOwn(INPUTS, name) ? INPUTS[name] : undefined;
}
function inputNames(entryPoint) {
    return Object.keys(INPUTS).filter((name) => (rowOf(name)?.only ?? entryPoint) === entryPoint);
}
function propertyOf(name) {
    const camel = name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
    return (INPUTS[name].type === "duration" ? `${camel}Ms` : camel);
}
function readActionInputs(env) {
    const names = Object.keys(env).filter((name) => name.startsWith("INPUT_"));
    return Object.fromEntries(names.map((name) => [name.slice("INPUT_".length).toLowerCase(), env[name]?.trim()]));
}
function readEnvironment(env) {
    const out = {};
    for (const name of inputNames("cli")) {
        const value = rowOf(name)
            ?.env?.map((variable) => env[variable]?.trim())
            .find((candidate) => candidate !== undefined && candidate !== "");
        if (value !== undefined)
            out[name] = value;
    }
    return out;
}
function parseInputs(raw, entryPoint = "action") {
    const problems = unknownInputs(raw, entryPoint);
    const options = {};
    for (const name of Object.keys(INPUTS)) {
        const row = INPUTS[name];
        const text = raw[name];
        let value = row.specKey === undefined ? defaultOf(row) : undefined;
        if (text !== undefined && text.trim() !== "" && text.trim() !== row.expression) {
            const parsed = parseValue(row, text);
            if ("value" in parsed)
                value = parsed.value;
            else {
                const shown = row.secret
                    ? "the value"
                    : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
                problems.push({
                    level: "error",
                    input: name,
                    message: `${spelled(name, entryPoint)}: ${shown} ${parsed.wrong}`,
                });
            }
        }
        options[propertyOf(name)] = value;
    }
    return { options: options, problems };
}
function spelled(name, entryPoint) {
    return entryPoint === "cli" ? `--${name}` : `input ${name}`;
}
function didYouMean(word, known) {
    const found = (0,suggestion/* nearestWord */.z)(word, known);
    return found === undefined ? "" : ` (did you mean ${found}?)`;
}
function unknownInputs(raw, entryPoint) {
    const known = inputNames(entryPoint);
    return Object.keys(raw)
        .filter((name) => !known.includes(name) && raw[name] !== "")
        .map((name) => ({
        level: "error",
        input: name,
        message: `${spelled(name, entryPoint)}: there is no such input${didYouMean(name, known)}`,
    }));
}
function defaultOf(row) {
    if (row.default === undefined)
        return row.type === "list" ? [] : undefined;
    return row.type === "duration" ? (0,duration/* parseDuration */.E)(String(row.default)) : row.default;
}
function parseValue(row, text) {
    const word = text.trim();
    switch (row.type) {
        case "boolean":
            return parseBoolean(word);
        case "enum": {
            if (row.values.includes(word))
                return { value: word };
            return { wrong: `is not one of ${row.values.join(", ")}${didYouMean(word, row.values)}` };
        }
        case "duration":
            return parseBounded(row, (0,duration/* parseDuration */.E)(word), "is no duration above zero; write a number and a unit, such as 500ms, 90s, 30m or 1h");
        case "integer":
            return parseBounded(row, /^-?\d{1,15}$/.test(word) ? Number(word) : undefined, "is no whole number");
        case "list":
            return { value: splitList(text) };
        case "object":
            return parseObject(word);
        case "text":
            return { value: text };
        case "string":
            return { value: word };
    }
}
function readBoolean(word) {
    if (["true", "True", "TRUE"].includes(word))
        return true;
    return ["false", "False", "FALSE"].includes(word) ? false : undefined;
}
function parseBoolean(word) {
    const value = readBoolean(word);
    return value === undefined ? { wrong: "is no boolean; write true or false" } : { value };
}
function parseBounded(row, value, wrong) {
    if (value === undefined)
        return { wrong };
    const shown = (bound) => row.type === "duration" ? renderDuration(bound) : String(bound);
    const { min = -Infinity, max = Infinity } = row;
    if (value >= min && value <= max)
        return { value };
    return { wrong: `is out of bounds; write something from ${shown(min)} to ${shown(max)}` };
}
function splitList(text) {
    const items = [""];
    let depth = 0;
    for (const char of text) {
        if (char === "{")
            depth++;
        else if (char === "}")
            depth = Math.max(0, depth - 1);
        if (char === "\n")
            depth = 0;
        if (char === "\n" || (char === "," && depth === 0))
            items.push("");
        else
            items[items.length - 1] += char;
    }
    return items.map((item) => item.trim()).filter((item) => item !== "");
}
function parseObject(word) {
    try {
        const value = JSON.parse(word);
        if (typeof value === "object" && value !== null && !Array.isArray(value))
            return { value };
    }
    catch {
    }
    return { wrong: 'is no JSON object, such as {"suite": "nightly"}' };
}


/***/ }),

/***/ 5015:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  PX: () => (/* binding */ deploymentFacts),
  _D: () => (/* binding */ renderDeployment),
  Gy: () => (/* binding */ renderEach),
  qy: () => (/* binding */ renderNext),
  mp: () => (/* binding */ renderOverview)
});

// EXTERNAL MODULE: ./build/report/escape.js
var report_escape = __webpack_require__(9924);
;// CONCATENATED MODULE: ./build/report/cause.js

const TELLING = [
    /No matching distribution found|ModuleNotFoundError|Cannot find module|manifest unknown|ImagePullBackOff|ErrImagePull|OOMKilled|ERESOLVE|SyntaxError|ImportError|KeyError|ENOENT|pull access denied/i,
    /\b(?:error|fatal|exception|panic)\b[^:]*:|\berror TS\d+|\bnpm (?:ERR!|error)/i,
    /\b(?:failed|denied|refused|not found|cannot|timed out)\b/i,
];
const ECHO = /returned a non-zero code|exit(?:ed with)? (?:code|status)|failed to (?:build|solve)|did not complete successfully|A complete log of this run|ELIFECYCLE|errno/i;
const PREFIX = /^(?:\s*(?:\[[^\]]{1,40}\]|#\d+(?:\s+[\d.]+)?|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|(?:ERROR|Error|FATAL|fatal|error|npm ERR!|npm error)(?::|\s(?=\S)))\s*)+/;
function causeLine(lines) {
    const shown = lines.map((line) => (0,report_escape/* toLogLine */.gD)(line).trim()).filter((line) => line !== "");
    for (const pattern of TELLING) {
        const found = shown.find((line) => pattern.test(line) && !ECHO.test(line));
        if (found === undefined)
            continue;
        const bare = found.replace(PREFIX, "").trim();
        return (0,report_escape/* cutEnd */.ym)(bare === "" ? found : bare, 200);
    }
    return null;
}
function isErrorLine(line) {
    return (TELLING[0].test(line) || TELLING[1].test(line)) && !ECHO.test(line);
}
function causeOf(one) {
    if (one.reason === "verify")
        return causeLine(one.verify?.tail ?? []);
    const fromLog = causeLine(one.log_tail);
    if (fromLog !== null)
        return fromLog;
    return (0,report_escape/* toSentence */.Re)(one.cause ?? "") === "" ? null : one.cause;
}

// EXTERNAL MODULE: ./build/report/phases.js
var phases = __webpack_require__(7023);
// EXTERNAL MODULE: ./build/report/table.js
var table = __webpack_require__(1799);
// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
;// CONCATENATED MODULE: ./build/report/plan-diff.js



const LINE_CHARS = 44;
const MOST_PATH = 20;
const OPEN_LINES = 15;
const GROUPS = [
    ["impossible", "cannot be changed"],
    ["new-revision", "makes a new revision"],
    ["next-build", "waits for the next build"],
    ["in-place", "in place, no revision"],
];
function renderPlanDiff(one, maxRows) {
    const rows = (0,wording/* toChangeRows */.x_)(one.changes);
    if (rows.length === 0)
        return "";
    const names = shortPaths(rows.map((row) => row.path));
    const width = Math.min(MOST_PATH, Math.max(...[...names.values()].map((name) => name.length)));
    const groups = toGroups(one, rows).map(({ title, members }) => ({
        title,
        entries: members.slice(0, maxRows).map((row) => entry(row, names.get(row.path), width)),
    }));
    const total = groups.reduce((sum, group) => sum + linesOf(group.entries), 0);
    const { open, folded } = split(groups, total <= OPEN_LINES + 3 ? Infinity : OPEN_LINES);
    const hidden = folded.reduce((sum, { entries }) => sum + entries.length, 0);
    const shownRows = groups.reduce((sum, { entries }) => sum + entries.length, 0);
    const cutOff = rows.length - shownRows;
    return [
        open.length === 0 ? "" : (0,report_escape/* inFence */.l3)("diff", toLines(open)),
        hidden === 0
            ? ""
            : (0,table/* renderDetails */.PL)(`${(0,wording/* plural */.LS)(hidden, "more change")}`, (0,report_escape/* inFence */.l3)("diff", toLines(folded))),
        cutOff === 0 ? "" : `… and ${(0,wording/* plural */.LS)(cutOff, shownRows === 0 ? "change" : "more change")}`,
    ]
        .filter((block) => block !== "")
        .join("\n\n");
}
const linesOf = (entries) => entries.reduce((sum, lines) => sum + lines.length, 0);
function toGroups({ action }, rows) {
    if (action === "create" && rows.every((row) => row.effect !== "impossible"))
        return [{ title: "set on creation", members: rows }];
    return GROUPS.map(([effect, title]) => ({
        title,
        members: rows.filter((row) => row.effect === effect),
    })).filter(({ members }) => members.length > 0);
}
function split(groups, most) {
    const [open, folded] = [[], []];
    let left = most;
    for (const { title, entries } of groups) {
        let kept = 0;
        while (kept < entries.length && entries[kept].length <= left) {
            left -= entries[kept].length;
            kept += 1;
        }
        if (kept < entries.length)
            left = 0;
        if (kept > 0)
            open.push({ title, entries: entries.slice(0, kept) });
        if (kept < entries.length)
            folded.push({ title, entries: entries.slice(kept) });
    }
    return { open, folded };
}
function toLines(groups) {
    return groups.flatMap(({ title, entries }) => [`@@ ${title} @@`, ...entries.flat()]);
}
function shortPaths(paths) {
    const short = (path) => path
        .replace(/^source_(?:revision_)?config\./, "")
        .replace(/^(?:resource_spec|secrets)\.(?=.)/, "");
    const counts = new Map();
    for (const path of new Set(paths))
        counts.set(short(path), (counts.get(short(path)) ?? 0) + 1);
    return new Map(paths.map((path) => [path, counts.get(short(path)) === 1 ? short(path) : path]));
}
function entry(row, name, width) {
    const path = (0,report_escape/* cut */.Jj)((0,report_escape/* toVisible */.ws)(name), MOST_PATH + (row.word ? 4 : 0)).padEnd(width);
    const room = Math.max(16, LINE_CHARS - 3 - path.length);
    if (row.word)
        return [`${WORD_SIGNS[row.kind]} ${path} ${secretWords(row)}`];
    const [before, after] = sides(row, room);
    const [minus, plus] = row.kind === "impossible" ? ["!", "!"] : ["-", "+"];
    return [
        ...(before === null ? [] : [`${minus} ${path} ${before}`]),
        ...(after === null ? [] : [`${plus} ${path} ${after}`]),
    ].map((line) => line.trimEnd());
}
const WORD_SIGNS = {
    add: "+",
    remove: "-",
    change: "!",
    impossible: "!",
};
function secretWords({ path, kind, after }) {
    const noun = path.startsWith("secrets.") ? "secret" : "hidden value";
    const later = after?.includes("known after apply") === true ? " (known after apply)" : "";
    if (kind === "add" || kind === "remove")
        return `${noun}${later}`;
    const how = after === null || later !== "" || after === "changed" ? `new value${later}` : after;
    return `${noun}, ${how}`;
}
function sides(row, room) {
    const shown = (value) => value === null ? null : (0,report_escape/* toVisible */.ws)(value) || '""';
    const [before, after] = [shown(row.before), shown(row.after)];
    if (before !== null && after !== null)
        return cutToDifference(before, after, room);
    return [before === null ? null : (0,report_escape/* cut */.Jj)(before, room), after === null ? null : (0,report_escape/* cut */.Jj)(after, room)];
}
function cutToDifference(before, after, room) {
    if (Math.max(before.length, after.length) <= room)
        return [before, after];
    let same = 0;
    while (same < before.length && before[same] === after[same])
        same += 1;
    if (same <= room / 2)
        return (0,report_escape/* cutPair */.j)(before, after, room);
    const near = before.slice(Math.max(0, same - Math.floor(room / 2)), same);
    const separator = near.search(/[/@:.,;&?= -]/);
    const from = separator < 0 ? same - Math.floor(room / 3) : same - near.length + separator + 1;
    const tail = (value) => (0,report_escape/* cutEnd */.ym)(`…${value.slice(from).replace(/^[\udc00-\udfff]/, "")}`, room);
    return [tail(before), tail(after)];
}

// EXTERNAL MODULE: ./build/report/report.js
var report = __webpack_require__(7177);
;// CONCATENATED MODULE: ./build/report/deployment-section.js







function renderDeployment(one, options) {
    const { detail } = options;
    const planned = one.outcome === "planned" || one.outcome === "blocked";
    const diff = detail.rows === 0 ? "" : renderPlanDiff(one, detail.rows);
    return (0,table/* joinBlocks */.x9)([
        renderCause(one),
        renderState(one, detail),
        renderBlockers(one, detail),
        renderWarnings(one, options),
        planned ? diff : "",
        renderPhases(one),
        renderLogs(one, detail),
        planned || diff === "" ? "" : (0,table/* renderDetails */.PL)(changedWords(one), diff),
        renderFullValues(one, detail),
        detail.notes ? renderNotes(one, detail) : "",
        options.nested === true ? deploymentFacts(one).join(" · ") : "",
    ]);
}
function renderCause(one) {
    const cause = (0,report/* isGreen */.gf)(one.outcome) && one.rollback === undefined ? null : causeOf(one);
    return cause === null ? "" : `> **${(0,report_escape/* text */.Qq)(cause, 300)}**`;
}
function isTold(one) {
    if (one.rollback !== undefined)
        return true;
    if (/_FAILED$/.test(one.reason))
        return one.outcome === "failed";
    if (one.outcome === "cancelled")
        return one.revision_id !== null;
    return ["planned", "unchanged", "updated", "deployed", "started"].includes(one.outcome);
}
function renderState(one, detail) {
    const blockers = one.plan?.blockers ?? [];
    const listed = blockers.length > 1 && one.message === blockers.map(({ message }) => message).join(" · ");
    const message = isTold(one) || listed || one.message === ""
        ? ""
        : sentence((0,report_escape/* text */.Qq)(one.message, Math.max(600, detail.sentenceChars)));
    const state = [servingSentence(one), rollbackSentence(one)].filter((part) => part !== "");
    const next = nextSentence(one);
    return (0,table/* joinBlocks */.x9)([
        message,
        [...state, next.inline].filter((part) => part !== "").join(" "),
        next.list,
    ]);
}
function servingSentence(one) {
    const { serving } = one;
    if (serving === undefined || one.outcome === "deployed" || one.outcome === "unchanged")
        return "";
    if (serving === null)
        return one.action === "create" || one.outcome === "planned" ? "" : "Nothing is serving.";
    const revision = `revision ${(0,report_escape/* code */.aY)(serving.revision_id.slice(0, 8))}`;
    const version = serving.version === null ? "" : ` (${(0,report_escape/* code */.aY)((0,wording/* shortVersion */.Li)(serving.version), 80)})`;
    return one.rollback === undefined ? `Live now: ${revision}${version}.` : "";
}
function rollbackSentence({ rollback, ...one }) {
    if (rollback === undefined)
        return "";
    const short = (id) => (id === null ? "" : ` ${(0,report_escape/* code */.aY)(id.slice(0, 8))}`);
    const failed = `The failed revision is${short(one.revision_id) || " not known"}.`;
    const before = short(one.previous_revision_id);
    if (rollback.outcome !== "deployed") {
        const served = one.serving === undefined || one.serving === null
            ? ""
            : ` Revision${short(one.serving.revision_id)} is serving.`;
        return `${failed} The rollback to revision${before || " (none)"} ended as ${rollback.outcome}.${served}`;
    }
    const again = rollback.revision_id === one.previous_revision_id
        ? `Revision${before} was redeployed and is serving again.`
        : `Revision${before} was redeployed as${short(rollback.revision_id)}, which is serving now.`;
    return `${failed} ${again}`;
}
const MOST_NEXT = 8;
function nextSentence({ next, outcome }) {
    if (next.length === 0 || outcome === "unchanged")
        return { inline: "", list: "" };
    const shown = next.slice(0, MOST_NEXT).map(nextLine);
    if (next.length === 1)
        return { inline: `**Next:** ${shown[0]}`, list: "" };
    const more = next.length > MOST_NEXT ? [`… and ${next.length - MOST_NEXT} more`] : [];
    return { inline: "", list: `**Next:**\n\n${(0,table/* renderList */.pI)([...shown, ...more], (item) => item, 9)}` };
}
function nextLine(line) {
    const [, command] = /^(?:npx )?agent-deploy ([\w-]+)/.exec(line) ?? [];
    if (command === undefined)
        return sentence((0,report_escape/* text */.Qq)(line, 400));
    return `${command === "wait" ? "to wait for it again, run" : "run"} ${(0,report_escape/* code */.aY)(line, 400)}`;
}
function renderNext(next) {
    if (next.length === 0)
        return "";
    const more = next.length > MOST_NEXT ? [`… and ${next.length - MOST_NEXT} more`] : [];
    const lines = [...next.slice(0, MOST_NEXT).map(nextLine), ...more];
    return `**Next:**\n\n${(0,table/* renderList */.pI)(lines, (item) => item, MOST_NEXT + 1)}`;
}
function sentence(message) {
    const begun = message.replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase());
    return /[.!?:…`>)]$/.test(begun) ? begun : `${begun}.`;
}
function renderBlockers(one, detail) {
    return (0,table/* renderList */.pI)((one.plan?.blockers ?? []).filter((blocker) => blocker.message !== one.message), ({ path, message }) => `⛔ ${path === undefined ? "" : `${(0,report_escape/* code */.aY)(path)}: `}${(0,report_escape/* text */.Qq)(message, detail.sentenceChars)}`, detail.rows);
}
function renderWarnings(one, { detail, nested = false }) {
    const lines = [
        ...((0,report/* isGreen */.gf)(one.outcome) || one.outcome === "blocked" ? lossesOf(one, detail) : []),
        ...warningsOf(one).map((warning) => (0,report_escape/* text */.Qq)(warning, detail.sentenceChars)),
    ];
    if (lines.length === 0)
        return "";
    if (nested)
        return (0,table/* renderList */.pI)(lines, (line) => `⚠️ ${line}`, Math.max(3, detail.rows));
    const shown = lines.slice(0, Math.max(3, detail.rows));
    const more = lines.length > shown.length ? [`… and ${lines.length - shown.length} more`] : [];
    const all = [...shown, ...more];
    return `> [!WARNING]\n${all.map((line) => `> ${all.length > 1 ? "- " : ""}${line}`).join("\n")}`;
}
function warningsOf(one) {
    return [...new Set([...(one.plan?.warnings ?? []), ...one.warnings])];
}
const CAPACITY = /(?:^|\.)(?:min_scale|max_scale|cpu|memory_mb|replicas)$/;
function lossesOf(one, { rows: maxRows, valueChars }) {
    const rows = (0,wording/* toChangeRows */.x_)(one.changes);
    const names = (paths) => {
        const shown = paths.slice(0, Math.max(3, Math.min(10, maxRows)));
        const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "";
        return `${shown.map((path) => (0,report_escape/* code */.aY)(path, Math.max(40, valueChars))).join(", ")}${more}`;
    };
    const removed = rows.filter((row) => row.kind === "remove").map((row) => row.path);
    const secrets = removed.flatMap((path) => (path.startsWith("secrets.") ? [path.slice(8)] : []));
    const others = removed.filter((path) => !path.startsWith("secrets."));
    const done = one.outcome === "planned" || one.outcome === "blocked" ? "is" : "was";
    const many = done === "is" ? "are" : "were";
    const are = (count) => (count === 1 ? done : many);
    const empty = rows.filter((row) => CAPACITY.test(row.path) && row.after === "0");
    const dropped = one.plan?.dropped ?? [];
    return [
        secrets.length === 0
            ? ""
            : `The secret${secrets.length === 1 ? "" : "s"} ${names(secrets)} ${are(secrets.length)} removed from the agent.`,
        others.length === 0 ? "" : `${names(others)} ${are(others.length)} removed.`,
        ...empty.map((row) => `${(0,report_escape/* code */.aY)(row.path)} goes to 0.`),
        dropped.length === 0
            ? ""
            : `Replacing the whole value drops ${names(dropped)}, which the spec does not name.`,
    ].filter((line) => line !== "");
}
function renderPhases(one) {
    if ((0,report/* isGreen */.gf)(one.outcome))
        return "";
    const bars = (0,phases/* phaseBars */.K$)(one);
    return bars.length === 0 ? "" : (0,report_escape/* inFence */.l3)("text", bars);
}
function renderLogs(one, detail) {
    if (detail.logLines === 0)
        return "";
    const { log_tail: tail, verify, rollback } = one;
    const isOpen = !(0,report/* isGreen */.gf)(one.outcome) || rollback !== undefined;
    return (0,table/* joinBlocks */.x9)([
        tail.length === 0
            ? ""
            : (0,table/* renderDetails */.PL)(logTitle(one, detail), markedLog(tail, detail.logLines), isOpen),
        verify === undefined || verify.tail.length === 0
            ? ""
            : (0,table/* renderDetails */.PL)(`Verify command, ${verify.exit_code === null ? "stopped by the timeout" : `exit code ${verify.exit_code}`}`, (0,report_escape/* fence */.EU)(verify.tail, detail.logLines), verify.exit_code !== 0),
    ]);
}
const BEFORE_ERROR = 6;
function logTitle({ reason, log_tail: tail }, { logLines }) {
    const which = reason === "DEPLOY_FAILED" ? "Deploy" : "Build";
    const { lines, from } = aroundError(tail, logLines);
    if (from > 0)
        return `${which} log from the error on`;
    return `${which} log, last ${(0,wording/* plural */.LS)(lines.length, "line")}`;
}
function aroundError(tail, maxLines) {
    const lines = tail.flatMap((line) => line.split("\n")).slice(-maxLines);
    const first = causeLine(lines) === null ? -1 : lines.findIndex(isErrorLine);
    return { lines, from: Math.max(0, first - BEFORE_ERROR) };
}
function markedLog(tail, maxLines) {
    const { lines, from } = aroundError(tail, maxLines);
    if (!lines.some(isErrorLine))
        return (0,report_escape/* fence */.EU)(lines, maxLines);
    const shown = lines
        .slice(from)
        .map((line) => `${isErrorLine(line) ? "-" : " "} ${(0,report_escape/* toLogLine */.gD)(line)}`);
    return (0,report_escape/* inFence */.l3)("diff", shown);
}
function changedWords(one) {
    const count = (0,wording/* toChangeRows */.x_)(one.changes).length;
    const first = (0,wording/* toChangeRows */.x_)(one.changes)[0];
    const named = count === 1 && first !== undefined && !first.word
        ? `: <code>${(0,report_escape/* text */.Qq)(first.path.split(".").at(-1), 60)}</code>`
        : "";
    const words = (0,report/* isGreen */.gf)(one.outcome) ? "What changed" : "What was to change";
    return count === 1 ? `${words}${named}` : `${words}: ${(0,wording/* plural */.LS)(count, "field")}`;
}
const WHOLE_CHARS = 24;
function renderFullValues(one, detail) {
    const long = (0,wording/* toChangeRows */.x_)(one.changes).filter((row) => !row.word &&
        Math.max(row.before?.length ?? 0, row.after?.length ?? 0, row.path.length - 40) > WHOLE_CHARS);
    if (long.length === 0 || !detail.greenDetails)
        return "";
    const cell = (value) => value === null ? "–" : (0,report_escape/* cellCode */.GA)(value, detail.valueChars);
    return (0,table/* renderDetails */.PL)("Long values in full", (0,table/* renderTable */.bo)(["Field", "Before", "After"], long, (row) => [
        (0,report_escape/* cellCode */.GA)(row.path, Math.max(80, detail.valueChars)),
        cell(row.before),
        cell(row.after),
    ], detail.rows));
}
function deploymentFacts(one) {
    const timeline = (0,phases/* timelineWords */.NJ)(one.timeline);
    const told = one.outcome === "deployed" && one.rollback === undefined;
    const known = one.outcome === "planned" || one.outcome === "blocked";
    const drawn = !(0,report/* isGreen */.gf)(one.outcome) && (0,phases/* phaseBars */.K$)(one).length > 0;
    return [
        one.url === "" ? "" : (0,report_escape/* link */.nf)("Agent", one.url),
        one.page === undefined || one.page === "" ? "" : (0,report_escape/* link */.nf)("Deployment in the service", one.page),
        one.revision_id === null || known ? "" : `revision ${(0,report_escape/* code */.aY)(one.revision_id)}${statusNote(one)}`,
        told && one.previous_revision_id !== null && one.previous_revision_id !== one.revision_id
            ? `before it ${(0,report_escape/* code */.aY)(one.previous_revision_id.slice(0, 8))}`
            : "",
        timeline === "" || drawn ? "" : (0,report_escape/* text */.Qq)(timeline),
    ].filter((fact) => fact !== "");
}
function statusNote({ revision_status: status, outcome }) {
    if (status === null || outcome === "deployed" || status === "DEPLOYED")
        return "";
    if (/_FAILED$/.test(status))
        return " (failed)";
    return status === "SKIPPED" ? " (skipped)" : ` (${(0,report_escape/* text */.Qq)((0,wording/* statusWords */.o7)(status))})`;
}
function renderNotes(one, detail) {
    const unreadable = one.plan?.unreadable ?? [];
    const shown = unreadable.slice(0, 20).map((path) => (0,report_escape/* code */.aY)(path));
    const more = unreadable.length > 20 ? ` and ${unreadable.length - 20} more` : "";
    const notes = [
        ...new Set([...(one.plan?.notes ?? []), ...one.notes].map((note) => (0,report_escape/* text */.Qq)(note, detail.sentenceChars))),
        ...(unreadable.length === 0
            ? []
            : [`The service does not show ${shown.join(", ")}${more}, so these were not compared.`]),
    ];
    if (notes.length === 0)
        return "";
    return (0,table/* renderDetails */.PL)((0,wording/* plural */.LS)(notes.length, "note"), (0,table/* renderList */.pI)(notes, (note) => note, detail.rows));
}
const isQuiet = (one) => one.outcome === "unchanged" && one.changes.length === 0;
function renderOverview(reports, detail) {
    const listed = detail.unchangedRows ? reports : reports.filter((one) => !isQuiet(one));
    const red = listed.filter((one) => !(0,report/* isGreen */.gf)(one.outcome));
    const kept = new Set([...red, ...listed.filter((one) => (0,report/* isGreen */.gf)(one.outcome))].slice(0, Math.max(detail.rows, 1)));
    const shown = listed.filter((one) => kept.has(one));
    const hidden = reports.length - listed.length;
    const cutOff = listed.length - shown.length;
    const loud = [
        ...shown.filter((one) => !(0,report/* isGreen */.gf)(one.outcome)),
        ...shown.filter((one) => (0,report/* isGreen */.gf)(one.outcome) && !isQuiet(one)),
    ];
    const silent = shown.filter(isQuiet);
    const folded = loud.length > 0 && silent.length > 3 ? silent : [];
    const rows = folded.length > 0 ? loud : [...loud, ...silent];
    return (0,table/* joinBlocks */.x9)([
        (0,table/* renderTable */.bo)(["", "Deployment", "What happened", "Took"], rows, (one) => overviewCells(one, detail), Infinity),
        folded.length === 0
            ? ""
            : (0,table/* renderDetails */.PL)(`${(0,wording/* plural */.LS)(folded.length, "deployment")} unchanged`, folded.map((one) => (0,report_escape/* code */.aY)(one.name, Math.max(80, detail.valueChars))).join(", ")),
        [
            hidden === 0 ? "" : `${(0,wording/* plural */.LS)(hidden, "unchanged deployment")} not listed.`,
            cutOff === 0 ? "" : `… and ${(0,wording/* plural */.LS)(cutOff, "more row")}.`,
        ]
            .filter((line) => line !== "")
            .join(" "),
    ]);
}
function overviewCells(one, detail) {
    const name = (0,report_escape/* cellCode */.GA)(one.name, Math.max(80, detail.valueChars));
    const linked = one.url === "" ? name : `${name} ${(0,report_escape/* link */.nf)("open", one.url)}`;
    const what = whatWords(one);
    return [
        wording/* ICONS */.Ze[one.outcome],
        linked,
        what === "" ? one.outcome : `${one.outcome}: ${what}`,
        took(one),
    ];
}
function whatWords(one) {
    if ((0,report/* isGreen */.gf)(one.outcome) || one.reason === "")
        return (0,wording/* planNotes */.vy)(one);
    const cause = causeOf(one);
    return (0,report_escape/* text */.Qq)(`${(0,wording/* reasonWords */.IK)(one.reason)}${cause === null ? "" : ` (${(0,report_escape/* cut */.Jj)(cause, 60)})`}`, 160);
}
function took(one) {
    const [first, last] = [one.timeline[0], one.timeline.at(-1)];
    return first === undefined || last === undefined || first === last
        ? ""
        : (0,wording/* durationWords */.Sh)(last.atMs - first.atMs).replaceAll(" ", "&nbsp;");
}
function renderEach(reports, detail) {
    const hasWords = (one) => one.changes.length > 0 || warningsOf(one).length > 0 || one.timeline.length > 0;
    const spoken = reports.filter((one) => (0,report/* isGreen */.gf)(one.outcome) ? detail.greenDetails && hasWords(one) : true);
    const ordered = [
        ...spoken.filter((one) => !(0,report/* isGreen */.gf)(one.outcome)),
        ...spoken.filter((one) => (0,report/* isGreen */.gf)(one.outcome)),
    ];
    const blocks = ordered
        .slice(0, detail.rows)
        .map((one) => (0,table/* renderDetails */.PL)(`${wording/* ICONS */.Ze[one.outcome]} <b>${(0,report_escape/* text */.Qq)(one.name, 100)}</b> · ${one.outcome}`, renderDeployment(one, { detail, nested: true }), !(0,report/* isGreen */.gf)(one.outcome)));
    const rest = spoken.length - blocks.length;
    return (0,table/* joinBlocks */.x9)([
        ...blocks,
        rest === 0 ? "" : `… and the details of ${(0,wording/* plural */.LS)(rest, "more deployment")}`,
    ]);
}


/***/ }),

/***/ 9924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EU: () => (/* binding */ fence),
/* harmony export */   GA: () => (/* binding */ cellCode),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   Qq: () => (/* binding */ text),
/* harmony export */   Re: () => (/* binding */ toSentence),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   dy: () => (/* binding */ utf8Bytes),
/* harmony export */   gD: () => (/* binding */ toLogLine),
/* harmony export */   j: () => (/* binding */ cutPair),
/* harmony export */   jd: () => (/* binding */ toHref),
/* harmony export */   l3: () => (/* binding */ inFence),
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   ws: () => (/* binding */ toVisible),
/* harmony export */   ym: () => (/* binding */ cutEnd),
/* harmony export */   zQ: () => (/* binding */ withoutTerminalCodes)
/* harmony export */ });
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/gu;
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const SHORT_NAMES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
function toVisible(text) {
    return text.replace(HIDDEN, (hidden) => SHORT_NAMES[hidden] ??
        `⟨U+${hidden.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
function withoutTerminalCodes(text) {
    return text.replace(ANSI, "");
}
function toSentence(text) {
    return toVisible(withoutTerminalCodes(text)
        .split(/[\r\n\u0085\u2028\u2029]+/)
        .map((line) => line.trim())
        .join(" ")
        .trim());
}
function cut(text, maxChars) {
    if (text.length <= maxChars)
        return text;
    const tail = Math.floor((maxChars - 1) / 3);
    const head = maxChars - 1 - tail;
    return `${trimHalf(text.slice(0, head))}…${tail === 0 ? "" : text.slice(-tail).replace(/^[\udc00-\udfff]/, "")}`;
}
function cutEnd(text, maxChars) {
    return text.length <= maxChars ? text : `${trimHalf(text.slice(0, Math.max(0, maxChars - 1)))}…`;
}
function trimHalf(text) {
    return text.replace(/[\ud800-\udbff]$/, "");
}
function cutPair(before, after, maxChars) {
    const [a, b] = [toShortDigests(before), toShortDigests(after)];
    const [was, is] = a === b ? [before, after] : [a, b];
    if (cut(was, maxChars) !== cut(is, maxChars))
        return [cut(was, maxChars), cut(is, maxChars)];
    let at = 0;
    while (at < was.length && was[at] === is[at])
        at += 1;
    const from = Math.max(0, at - Math.floor(maxChars / 3));
    const around = (value) => cutEnd(`…${value.slice(from).replace(/^[\udc00-\udfff]/, "")}`, maxChars);
    return [around(was), around(is)];
}
function toShortDigests(value) {
    return value.replace(/\b(sha256:[0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…");
}
const entity = (char) => `&#${char.codePointAt(0)};`;
function code(value, maxChars = 200) {
    const shown = cut(toVisible(value), maxChars);
    if (shown.trim() === "")
        return shown === "" ? '`""`' : `\`"${shown}"\``;
    const quoted = shown === shown.trim() ? shown : `"${shown}"`;
    if (!/[`|\\]|<(?=[!/?a-z])|@(?!sha256:)/i.test(quoted))
        return `\`${quoted}\``;
    return `<code>${inertCode(quoted)}</code>`;
}
function inertCode(shown) {
    const inert = shown.replace(/[!-/:-@[-`{-~]/g, (char) => /[,;/=+-]/.test(char) || char === "." ? char : entity(char));
    return inert.replace(/www\./gi, (word) => `${word.slice(0, 3)}&#46;`);
}
const UNBROKEN = 24;
function cellCode(value, maxChars = 200) {
    const shown = cut(toVisible(value), maxChars);
    if (shown.trim() === "" || !shown.split(" ").some((word) => word.length > UNBROKEN))
        return code(value, maxChars);
    const quoted = shown === shown.trim() ? shown : `"${shown}"`;
    return `<code>${toPieces(quoted).map(inertCode).join("<wbr>")}</code>`;
}
function toPieces(shown) {
    const separator = /[/@:,;&?=]/.test(shown) ? /[/@:,;&?=]$/ : /\.$/;
    const pieces = [""];
    for (const char of shown) {
        const piece = pieces.at(-1);
        if ((piece.length >= 6 && separator.test(piece)) || piece.length >= UNBROKEN)
            pieces.push(char);
        else
            pieces[pieces.length - 1] = piece + char;
    }
    return pieces;
}
const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s`<>"'\\|]+/i;
const TOKENS = new RegExp(`(\`[^\`]+\`|${URL_IN_TEXT.source})`, "gi");
function text(sentence, maxChars = 2000) {
    const shown = cutEnd(toSentence(sentence), maxChars);
    const parts = shown.split(TOKENS).map((part, at) => {
        if (at % 2 === 0)
            return prose(part);
        if (part.startsWith("`"))
            return code(part.slice(1, -1), maxChars);
        const stop = /[.,;:!?)\]]*$/.exec(part)[0];
        return code(part.slice(0, part.length - stop.length), maxChars) + prose(stop);
    });
    return atStart(parts.join(""));
}
function prose(part) {
    return part
        .replace(/[&<>|\\`*~[\]$#]/g, (char) => char === "&" ? "&amp;" : char === "<" ? "&lt;" : char === ">" ? "&gt;" : entity(char))
        .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "&#95;")
        .replace(/@(?!sha256:)/g, "&#64;&#8203;")
        .replace(/(?<![A-Za-z0-9_])@/g, "&#64;&#8203;")
        .replace(/&#35;(?=\d)/g, "&#35;&#8203;")
        .replace(/\b(GH-)(?=\d)/gi, "$1&#8203;")
        .replace(/:\/\//g, ":&#47;/")
        .replace(/www\./gi, (word) => `${word.slice(0, 3)}&#46;`);
}
function atStart(line) {
    return line.replace(/^([-+=]|\d{1,9}(?=[.)](?:\s|$)))/, (start) => [...start].map(entity).join(""));
}
function link(label, address) {
    const href = toHref(address);
    if (href === null)
        return address === "" ? text(label) : `${text(label)} ${code(address)}`;
    return `[${text(label, 200)}](${href})`;
}
function toHref(address) {
    let url;
    try {
        url = new URL(address);
    }
    catch {
        return null;
    }
    if (url.protocol !== "https:" && url.protocol !== "http:")
        return null;
    url.username = "";
    url.password = "";
    return url.href.replace(/[()<>|\\`*[\]"'@\s]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
function toLogLine(line, maxChars = 500) {
    let end = line.length;
    while (end > 0 && (line[end - 1] === "\r" || line[end - 1] === "\n"))
        end -= 1;
    const last = line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    return cutEnd(toVisible(withoutTerminalCodes(last).replace(/\t/g, "    ")), maxChars);
}
const OWN_TAGS = /<(?=!--|\/?(?:details|summary|pre|code)\b)/gi;
function fence(lines, maxLines) {
    return inFence("text", lines
        .flatMap((line) => line.split("\n"))
        .slice(-maxLines)
        .map((line) => toLogLine(line)));
}
function inFence(language, lines) {
    const shown = lines.map((line) => line.replace(OWN_TAGS, "<\u200b"));
    const longest = Math.max(2, ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)));
    const ticks = "`".repeat(longest + 1);
    return `${ticks}${language}\n${shown.join("\n")}\n${ticks}`;
}
function utf8Bytes(body) {
    return new TextEncoder().encode(body).length;
}


/***/ }),

/***/ 1142:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   YG: () => (/* binding */ deltaWords),
/* harmony export */   ai: () => (/* binding */ number),
/* harmony export */   gh: () => (/* binding */ pWords),
/* harmony export */   je: () => (/* binding */ renderExperiments),
/* harmony export */   no: () => (/* binding */ renderGates)
/* harmony export */ });
/* harmony import */ var _deployment_section_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5015);
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9924);
/* harmony import */ var _interval_bar_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(702);
/* harmony import */ var _table_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1799);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2867);





const VERDICTS = {
    pass: "✅ pass",
    fail: "❌ fail",
    inconclusive: "❓ inconclusive",
};
function number(value) {
    if (value === null || !Number.isFinite(value))
        return "–";
    const rounded = Math.abs(value) >= 1000
        ? Math.round(value)
        : Number(value.toPrecision(Math.abs(value) >= 1 ? 4 : 3));
    return String(Object.is(rounded, -0) ? 0 : rounded).replace("-", "−");
}
function deltaWords(gate) {
    const interval = gate.ci === null ? "" : ` [${number(gate.ci[0])}, ${number(gate.ci[1])}]`;
    return signed(gate.delta) + interval;
}
function pWords(p) {
    return p === null ? "–" : p < 0.001 ? "< 0.001" : number(p);
}
function renderGates(report, detail, alone = false) {
    if (report.gates.length === 0)
        return "";
    const reasons = [...report.gates]
        .sort((a, b) => rank(a) - rank(b))
        .filter((gate) => gate.reason !== "");
    const hasIntervals = report.gates.some((gate) => gate.ci !== null);
    const passed = reasons.filter((gate) => gate.verdict === "pass");
    const toReason = (gate) => `${VERDICTS[gate.verdict].split(" ")[0]} ${reasonOf(gate, detail)}`;
    const hasRows = Object.keys(report.row_counts.changed).length > 0;
    const toCells = (gate) => [
        VERDICTS[gate.verdict].replace(" ", "&nbsp;"),
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(gate.rule === "" ? gate.metric : gate.rule, detail.valueChars),
        number(gate.base),
        number(gate.head),
        signed(gate.delta),
        ...(hasIntervals ? [intervalCell(gate, report.gates)] : []),
        pWords(gate.p).replace("< ", "&lt;&nbsp;"),
        ...(hasRows ? [changedRows(gate, report)] : []),
    ];
    const head = [
        "Verdict",
        "Gate",
        "Baseline",
        "This run",
        "Change",
        ...(hasIntervals ? ["95 % interval"] : []),
        "p",
        ...(hasRows ? ["Rows worse / better"] : []),
    ];
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .joinBlocks */ .x9)([
        alone ? "" : "#### Gates",
        (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderList */ .pI)(reasons.filter((gate) => gate.verdict !== "pass"), toReason, detail.rows),
        (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .renderNext */ .qy)(nextOf(report)),
        (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderTable */ .bo)(head, report.gates, toCells, detail.rows),
        hasIntervals && detail.rows > 0 ? `<sub>${_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .BAR_LEGEND */ .Cf}</sub>` : "",
        renderFacts(report, detail),
        passed.length === 0 || detail.worseRows === 0
            ? ""
            : (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderDetails */ .PL)(`${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(passed.length, "gate")} passed: why`, (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderList */ .pI)(passed, toReason, detail.rows)),
        renderRows("that got worse, the worst first", report.rows_worse, countOf(report, "worse"), detail),
        renderRows("that got better, the best first", report.rows_better, countOf(report, "better"), detail),
        renderUnshared(report, detail),
    ]);
}
const rank = (gate) => ["fail", "inconclusive", "pass"].indexOf(gate.verdict);
function reasonOf(gate, detail) {
    const named = gate.reason.startsWith(`${gate.metric} `);
    const rest = (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(named ? gate.reason.slice(gate.metric.length + 1) : gate.reason, detail.sentenceChars);
    const name = (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(gate.metric, 80);
    return `${gate.verdict === "fail" ? `**${name}**` : name}${named ? " " : ": "}${rest}`;
}
const signed = (value) => value !== null && value > 0 ? `+${number(value)}` : number(value);
function intervalCell(gate, gates) {
    if (gate.ci === null)
        return "–";
    const [low, high] = (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule) ? gate.ci.map(signed) : gate.ci.map(number);
    const bar = barOf(gate, gates);
    return `${bar === "" ? "" : `\`${bar}\` `}${(0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule) ? "change " : ""}${low} to ${high}`;
}
function barOf(gate, gates) {
    if (gate.head === null || gate.ci === null)
        return "";
    const drop = (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule);
    const base = gate.base ?? gates.find((one) => one.metric === gate.metric && one.base !== null)?.base ?? null;
    if (drop && base === null)
        return "";
    const shift = drop ? base : 0;
    return (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .renderBar */ .oe)({
        value: gate.head,
        low: gate.ci[0] + shift,
        high: gate.ci[1] + shift,
        base,
        limit: (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .limitOf */ .LF)(gate.rule),
    });
}
function changedRows(gate, { row_counts: { changed } }) {
    const found = (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule) && Object.hasOwn(changed, gate.metric) ? changed[gate.metric] : undefined;
    return found === undefined ? "–" : `${found.worse} / ${found.better}`;
}
function nextOf({ gates, rows_worse: worse }) {
    const failed = gates.filter((gate) => gate.verdict === "fail");
    const rows = worse.length > 0 ? "Open the rows that got worse below" : "Look at the rows of the results";
    return [
        ...(failed.some((gate) => (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule))
            ? [
                `${rows}: if they matter, mend the agent. If the fall is the price of something wanted, allow it in the gate, or make a new baseline with \`write-baseline\``,
            ]
            : []),
        ...(failed.some((gate) => !(0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule))
            ? [
                "A limit that is missed even with luck counted in is not a matter of running it again: mend the agent, or change the limit",
            ]
            : []),
        ...(gates.some((gate) => gate.verdict === "inconclusive")
            ? [
                "Inconclusive is neither good nor bad: these examples cannot tell. Several runs of each example, or more examples, can; until then judge by the rows",
            ]
            : []),
    ];
}
function renderFacts(report, detail) {
    const { gates, baseline, experiments, started_at: startedAt } = report;
    const span = (values) => Math.min(...values) === Math.max(...values)
        ? String(values[0])
        : `${Math.min(...values)} to ${Math.max(...values)}`;
    const repeats = Math.max(...gates.map((gate) => gate.repeats));
    const dropped = Math.max(...gates.map((gate) => gate.n_dropped));
    const rows = experiments.reduce((sum, one) => sum + one.rows, 0);
    const errors = experiments.reduce((sum, one) => sum + one.errors, 0);
    const smallest = gates
        .filter((gate) => (0,_interval_bar_js__WEBPACK_IMPORTED_MODULE_2__/* .isDrop */ .Y7)(gate.rule) && gate.mde !== null)
        .map((gate) => `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(gate.metric, 60)} ${number(gate.mde)}`);
    const facts = [
        ...(rows === 0
            ? []
            : [`Results: ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(rows, "row")}, ${errors === 0 ? "none" : errors} with an error`]),
        `Judged: ${span(gates.map((gate) => gate.n))} examples${repeats > 1 ? `, up to ${repeats} runs of each` : ""}${dropped > 0 ? `; ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(dropped, "row")} without a value left out` : ""}`,
        ...(smallest.length === 0
            ? []
            : [
                `Smallest change for the worse that these examples can show: ${smallest.slice(0, 12).join(", ")}${smallest.length > 12 ? ` and ${smallest.length - 12} more` : ""}`,
            ]),
        ...(baseline === null ? [] : [baselineWords(baseline, startedAt, detail)]),
    ];
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderList */ .pI)(facts, (fact) => fact, Infinity);
}
function baselineWords(baseline, startedAt, detail) {
    if (baseline.state !== "used")
        return `Baseline: ${baseline.state}${baseline.message === "" ? "" : ` (${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(baseline.message, detail.sentenceChars)})`}`;
    const ageMs = Date.parse(startedAt) - Date.parse(baseline.created_at ?? "");
    const parts = [
        baseline.commit === null ? "" : `commit ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(baseline.commit.slice(0, 12))}`,
        ageMs >= 0
            ? ageWords(ageMs)
            : baseline.created_at === null
                ? ""
                : `made ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(baseline.created_at, 40)}`,
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(baseline.message.replace(/, (?:commit|made) [^,]*/g, ""), detail.sentenceChars),
    ];
    return `Baseline: ${[(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(baseline.file, 120), ...parts.filter((part) => part !== "")].join(", ")}`;
}
function ageWords(ms) {
    const hours = Math.floor(ms / 3_600_000);
    return hours < 1
        ? "made within the last hour"
        : hours < 48
            ? `${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(hours, "hour")} old`
            : `${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(Math.floor(hours / 24), "day")} old`;
}
function countOf({ row_counts: { changed } }, side) {
    return Object.values(changed).reduce((sum, one) => sum + one[side], 0);
}
function renderRows(which, rows, total, detail) {
    if (rows.length === 0 || detail.worseRows === 0)
        return "";
    const toCells = (row) => [
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(row.metric, 60),
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(row.input, 80),
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(row.expected, 80),
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(row.head_output, 80),
        `${number(row.base)} → ${number(row.head)}`,
    ];
    const count = Math.max(total, rows.length);
    const shown = Math.min(detail.worseRows, detail.rows, rows.length);
    const table = (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderTable */ .bo)(["Metric", "Input", "Expected", "Output", "Baseline → this run"], rows.slice(0, shown), toCells, Infinity);
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderDetails */ .PL)(`${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(count, "row")} ${which}`, (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .joinBlocks */ .x9)([
        table,
        count > shown
            ? `… and ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(count - shown, "more row")}; the report file of the run lists up to 500`
            : "",
    ]));
}
function renderUnshared({ rows_new: added, rows_missing: missing, row_counts: counts }, detail) {
    const lists = [
        { words: "new, not in the baseline", rows: added, count: Math.max(counts.new, added.length) },
        {
            words: "missing, only in the baseline",
            rows: missing,
            count: Math.max(counts.missing, missing.length),
        },
    ].filter(({ count }) => count > 0);
    if (lists.length === 0 || detail.worseRows === 0)
        return "";
    const blocks = lists.map(({ words, rows, count }) => {
        const shown = rows.slice(0, Math.min(detail.worseRows, detail.rows));
        return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .joinBlocks */ .x9)([
            `${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(count, "example")} ${words}:`,
            (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderList */ .pI)([
                ...shown.map((row) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(row, 120)),
                ...(count > shown.length ? [`… and ${count - shown.length} more`] : []),
            ], (item) => item, Infinity),
        ]);
    });
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderDetails */ .PL)(`${lists.map(({ words, count }) => `${count} ${words.split(",")[0]}`).join(" and ")} ${lists.length === 1 && lists[0].count === 1 ? "example" : "examples"}, not compared`, (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .joinBlocks */ .x9)(blocks));
}
const OUTCOMES = {
    uploaded: "✅ uploaded",
    "dry-run": "📝 dry run",
    failed: "❌ failed",
    unknown: "❓ unknown",
    "gated-only": "⚪ not uploaded, gated only",
};
function renderExperiments(experiments, detail) {
    if (experiments.length === 0)
        return "";
    const toCells = (one) => [
        one.experiment_url === ""
            ? (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cellCode */ .GA)(one.name === "" ? one.file : one.name, 80)
            : (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)(one.name === "" ? one.file : one.name, one.experiment_url),
        OUTCOMES[one.outcome],
        String(one.rows),
        String(one.errors),
        scores(one),
        one.compare_url === "" ? "" : (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)("compare", one.compare_url),
    ];
    const remarks = experiments.flatMap(({ file, message, warnings }) => [
        ...(message === "" ? [] : [{ file, sign: "", words: message }]),
        ...warnings.map((words) => ({ file, sign: "⚠️ ", words })),
    ]);
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .joinBlocks */ .x9)([
        "#### Experiments",
        (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderTable */ .bo)(["Experiment", "State", "Rows", "Errors", "Scores", ""], experiments, toCells, detail.rows),
        (0,_table_js__WEBPACK_IMPORTED_MODULE_3__/* .renderList */ .pI)(remarks, ({ file, sign, words }) => `${sign}${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(file, 80)}: ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(words, detail.sentenceChars)}`, detail.rows),
    ]);
}
function scores(one) {
    const all = Object.entries(one.scores);
    const shown = all.slice(0, 6).map(([metric, { mean }]) => `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(metric, 40)} ${number(mean)}`);
    return (shown.join(", ") + (all.length > shown.length ? ` and ${all.length - shown.length} more` : ""));
}


/***/ }),

/***/ 702:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cf: () => (/* binding */ BAR_LEGEND),
/* harmony export */   LF: () => (/* binding */ limitOf),
/* harmony export */   Y7: () => (/* binding */ isDrop),
/* harmony export */   oe: () => (/* binding */ renderBar)
/* harmony export */ });
const CELLS = 23;
const BAR_LEGEND = "● this run · ━ where its true value lies, 95 % sure · ○ baseline · │ limit of the gate";
function renderBar({ value, low, high, limit, base }) {
    const all = [
        value,
        low,
        high,
        ...(limit === null ? [] : [limit]),
        ...(base === null ? [] : [base]),
    ];
    if (!all.every(Number.isFinite))
        return "";
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const cellOf = (one) => most === least
        ? Math.floor(CELLS / 2)
        : 1 + Math.round(((one - least) / (most - least)) * (CELLS - 3));
    const at = cellOf(value);
    const beside = (one) => cellOf(one) !== at || one === value ? cellOf(one) : at + Math.sign(one - value);
    const cells = Array.from({ length: CELLS }, (_, cell) => cell >= cellOf(low) && cell <= cellOf(high) ? "━" : "·");
    if (base !== null)
        cells[beside(base)] = "○";
    if (limit !== null)
        cells[beside(limit)] = "│";
    cells[at] = "●";
    return cells.join("");
}
const UNITS = {
    "": 1,
    "%": 0.01,
    ms: 0.001,
    s: 1,
    m: 60,
    min: 60,
    h: 3600,
};
function limitOf(rule) {
    const found = /(?:>=|<=|=>|=<|≥|≤|>|<)\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(%|ms|s|m|min|h|)\s*$/iu.exec(rule);
    if (found === null || isDrop(rule))
        return null;
    const limit = Number(found[1]) * (UNITS[found[2].toLowerCase()] ?? 1);
    return Number.isFinite(limit) ? limit : null;
}
function isDrop(rule) {
    return /\sdrop\s*(?:<=|=<|≤|<)/u.test(rule);
}


/***/ }),

/***/ 4121:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ toOutputs),
/* harmony export */   s: () => (/* binding */ toReportJson)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);

const MAX_BYTES = 900_000;
function toOutputs(report, { reportPath, commentUrl }) {
    const kept = report.deployments.map(() => true);
    const largest = report.deployments
        .map((one, at) => ({ at, size: sizeOf(JSON.stringify(one.changes)) }))
        .sort((a, b) => b.size - a.size);
    let outputs = render(report, kept, { reportPath, commentUrl });
    let excess = total(outputs) - MAX_BYTES;
    for (const { at, size } of largest) {
        if (excess <= 0)
            break;
        kept[at] = false;
        excess -= 2 * (size - sizeOf(JSON.stringify(pointer(reportPath))));
    }
    if (kept.includes(false))
        outputs = render(report, kept, { reportPath, commentUrl });
    for (const name of ["experiments", "deployments", "plan", "matrix"]) {
        if (total(outputs) <= MAX_BYTES)
            break;
        if (name === "matrix")
            delete outputs[name];
        else
            outputs[name] = JSON.stringify(name === "plan"
                ? { fingerprint: report.fingerprint, deployments: [], ...pointer(reportPath) }
                : []);
    }
    return outputs;
}
function pointer(reportPath) {
    return { changes_in: reportPath === "" ? "the report file" : reportPath };
}
function render(report, kept, { reportPath, commentUrl }) {
    const changes = (at) => kept[at] === true
        ? { changes: report.deployments[at].changes }
        : { changes: [], ...pointer(reportPath) };
    const [only] = report.deployments;
    const [experiment] = report.experiments;
    return {
        outcome: report.outcome,
        changed: String(report.changed),
        plan: JSON.stringify({
            fingerprint: report.fingerprint,
            deployments: report.deployments.map((one, at) => ({
                name: one.name,
                id: one.id,
                action: one.plan?.action ?? one.action,
                fingerprint: one.plan?.fingerprint ?? "",
                ...changes(at),
            })),
        }),
        fingerprint: report.fingerprint,
        matrix: JSON.stringify({
            include: report.deployments.filter(hasWork).map((one) => ({
                name: one.name,
                action: one.action,
                fingerprint: one.plan?.fingerprint ?? "",
            })),
        }),
        deployments: JSON.stringify(report.deployments.map((one, at) => ({
            name: one.name,
            id: one.id,
            action: one.action,
            outcome: one.outcome,
            reason: one.reason,
            revision_id: one.revision_id,
            previous_revision_id: one.previous_revision_id,
            revision_status: one.revision_status,
            url: one.url,
            ...changes(at),
            ...(one.rollback === undefined ? {} : { rollback: one.rollback }),
        }))),
        ...(only !== undefined && report.deployments.length === 1 ? single(only) : {}),
        experiments: JSON.stringify(report.experiments),
        ...(experiment !== undefined && report.experiments.length === 1
            ? {
                "experiment-id": experiment.experiment_id ?? "",
                "experiment-url": experiment.experiment_url,
                "dataset-id": experiment.dataset_id ?? "",
            }
            : {}),
        "gate-verdict": report.gate_verdict,
        report: reportPath,
        "comment-url": commentUrl,
    };
}
function single(one) {
    return {
        "deployment-id": one.id ?? "",
        "revision-id": one.revision_id ?? "",
        "previous-revision-id": one.previous_revision_id ?? "",
        "revision-status": one.revision_status ?? "",
        url: one.url,
    };
}
function hasWork(one) {
    return one.action !== "none" && one.action !== "blocked" && one.outcome !== "blocked";
}
function sizeOf(value) {
    return Math.max(2 * value.length, (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .utf8Bytes */ .dy)(value));
}
function total(outputs) {
    return Object.entries(outputs).reduce((sum, [name, value]) => sum + sizeOf(name) + sizeOf(value), 0);
}
function toReportJson(report) {
    const { version, outcome, changed, deployments, experiments, gates, links, ...rest } = report;
    return `${JSON.stringify({ version, outcome, changed, deployments, experiments, gates, links, ...rest }, null, 2)}\n`;
}


/***/ }),

/***/ 7023:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K$: () => (/* binding */ phaseBars),
/* harmony export */   NJ: () => (/* binding */ timelineWords)
/* harmony export */ });
/* unused harmony exports toPhases, renderGantt, label */
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2867);

const WORDS = new Map(Object.entries({
    CREATING: "queued",
    QUEUED: "queued",
    AWAITING_BUILD: "queued",
    BUILDING: "build",
    AWAITING_DEPLOY: "deploy",
    DEPLOYING: "deploy",
}));
const ENDS = new Set([
    "DEPLOYED",
    "CREATE_FAILED",
    "BUILD_FAILED",
    "DEPLOY_FAILED",
    "SKIPPED",
    "INTERRUPTED",
]);
function toPhases(transitions) {
    const phases = [];
    for (const [at, { status, atMs }] of transitions.entries()) {
        if (ENDS.has(status))
            continue;
        const until = transitions[at + 1]?.atMs ?? atMs;
        const word = WORDS.get(status) ?? status;
        const last = phases.at(-1);
        if (last?.word === word)
            last.toMs = until;
        else
            phases.push({ word, fromMs: atMs, toMs: until });
    }
    const last = transitions.at(-1)?.status ?? "";
    return phases.map((phase, at) => {
        if (at < phases.length - 1 || last === "DEPLOYED")
            return { ...phase, end: "done" };
        return { ...phase, end: ENDS.has(last) ? "failed" : "open" };
    });
}
const SIGNS = { done: "", failed: " ✗", open: " so far" };
function timelineWords(transitions) {
    return toPhases(transitions)
        .filter(({ end, fromMs, toMs }) => end !== "open" || toMs > fromMs)
        .map(({ word, fromMs, toMs, end }) => `${word} ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_0__/* .durationWords */ .Sh)(toMs - fromMs)}${SIGNS[end]}`)
        .join(" · ");
}
const ORDER = ["queued", "build", "deploy"];
const BAR_CELLS = 10;
function phaseBars(one) {
    const phases = toPhases(one.timeline);
    const total = Math.max(0, ...phases.map(({ fromMs, toMs }) => toMs - fromMs));
    if (phases.length === 0 || total < 1000)
        return [];
    const words = [...new Set([...phases.map(({ word }) => word), ...ORDER])];
    const built = phases.some(({ word }) => word === "build");
    const width = Math.max(...words.map((word) => word.length));
    return words.flatMap((word) => {
        const phase = phases.find((candidate) => candidate.word === word);
        if (phase === undefined) {
            if (word === "queued" || (word === "build" && !built && phases.length > 1))
                return [];
            return [`${word.padEnd(width)}  ${" ".repeat(BAR_CELLS + 2)}not reached`];
        }
        const lastedMs = phase.toMs - phase.fromMs;
        const bar = "█".repeat(Math.max(1, Math.round((BAR_CELLS * lastedMs) / total)));
        const sign = { done: "", failed: "✗", open: "…" }[phase.end];
        return [
            `${word.padEnd(width)}  ${`${bar}${sign}`.padEnd(BAR_CELLS + 2)}${(0,_wording_js__WEBPACK_IMPORTED_MODULE_0__/* .durationWords */ .Sh)(lastedMs)}`,
        ];
    });
}
function spanOf(deployments) {
    const times = deployments.flatMap((one) => one.timeline.map(({ atMs }) => atMs));
    if (times.length < 2)
        return null;
    const fromMs = times.reduce((a, b) => Math.min(a, b));
    const toMs = times.reduce((a, b) => Math.max(a, b));
    return toMs - fromMs < 1000 ? null : { fromMs, toMs };
}
const MOST_SECTIONS = 20;
const TAGS = { done: "done", failed: "crit", open: "active" };
function renderGantt(deployments) {
    const drawn = deployments.filter((one) => one.timeline.length > 1);
    const span = spanOf(drawn);
    if (span === null)
        return "";
    const shown = drawn.slice(0, MOST_SECTIONS);
    const lines = shown.flatMap((one) => [
        `    section ${label(one.name)}`,
        ...toPhases(one.timeline)
            .filter(({ fromMs, toMs }) => toMs > fromMs)
            .map(({ word, fromMs, toMs, end }) => {
            const failed = end === "failed" ? " FAILED" : "";
            const name = ORDER.includes(word) ? word : `status ${label(word)}`;
            return `    ${name} ${durationWords(toMs - fromMs)}${failed} :${TAGS[end]}, ${fromMs - span.fromMs}, ${toMs - span.fromMs}`;
        }),
    ]);
    const many = shown.length === 1 ? "" : `${shown.length} deployments, `;
    return [
        "```mermaid",
        "gantt",
        `    title ${many}${durationWords(span.toMs - span.fromMs)}`,
        "    dateFormat x",
        "    axisFormat %M:%S",
        ...lines,
        "```",
    ].join("\n");
}
function label(name) {
    const plain = name
        .normalize("NFC")
        .replace(/[^\p{L}\p{N} ._/+-]/gu, " ")
        .replace(/-{2,}/g, "-")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 40);
    return plain === "" ? "unnamed" : plain;
}


/***/ }),

/***/ 7177:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Om: () => (/* binding */ worstOutcome),
/* harmony export */   gf: () => (/* binding */ isGreen),
/* harmony export */   im: () => (/* binding */ OUTCOMES)
/* harmony export */ });
const OUTCOMES = [
    "cancelled",
    "failed",
    "blocked",
    "timed-out",
    "superseded",
    "not-run",
    "deployed",
    "started",
    "updated",
    "planned",
    "unchanged",
    "skipped",
];
function worstOutcome(outcomes) {
    return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? "unchanged";
}
const GREEN = [
    "deployed",
    "started",
    "updated",
    "planned",
    "unchanged",
    "skipped",
];
function isGreen(outcome) {
    return GREEN.includes(outcome);
}


/***/ }),

/***/ 1799:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PL: () => (/* binding */ renderDetails),
/* harmony export */   bo: () => (/* binding */ renderTable),
/* harmony export */   pI: () => (/* binding */ renderList),
/* harmony export */   x9: () => (/* binding */ joinBlocks)
/* harmony export */ });
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2867);

function renderTable(head, items, toCells, maxRows) {
    if (items.length === 0)
        return "";
    const shown = items.slice(0, maxRows).map(toCells);
    const rest = items.length - shown.length;
    const count = rest === 0 ? [] : [`… and ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_0__/* .plural */ .LS)(rest, `${shown.length === 0 ? "" : "more "}row`)}`];
    if (shown.length === 0)
        return count.join("");
    const line = (cells) => `| ${cells.join(" | ")} |`;
    return [
        line(head),
        line(head.map(() => "---")),
        ...shown.map(line),
        ...(rest === 0 ? [] : ["", ...count]),
    ].join("\n");
}
function renderList(items, toItem, maxItems) {
    const shown = items.slice(0, maxItems).map(toItem);
    const rest = items.length - shown.length;
    return [...shown, ...(rest === 0 ? [] : [`… and ${rest}${shown.length === 0 ? "" : " more"}`])]
        .map((item) => `- ${item}`)
        .join("\n");
}
function renderDetails(summary, body, open = false) {
    return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
function joinBlocks(blocks) {
    return blocks.filter((block) => block !== "").join("\n\n");
}


/***/ }),

/***/ 3299:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EG: () => (/* binding */ renderPlan),
/* harmony export */   gM: () => (/* binding */ renderVerdict),
/* harmony export */   os: () => (/* binding */ tailLines),
/* harmony export */   zu: () => (/* binding */ renderOutcome)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);
/* harmony import */ var _gate_section_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1142);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7177);
/* harmony import */ var _phases_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7023);
/* harmony import */ var _verdict_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7254);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2867);






const CODES = {
    red: [31, 39],
    green: [32, 39],
    yellow: [33, 39],
    bold: [1, 22],
    dim: [2, 22],
};
function painter(color) {
    return (style, words) => color && words !== "" ? `\u001b[${CODES[style][0]}m${words}\u001b[${CODES[style][1]}m` : words;
}
const GLYPHS = {
    add: ["+", "green"],
    change: ["~", "yellow"],
    remove: ["-", "red"],
    impossible: ["!", "red"],
};
const ACTION_GLYPHS = {
    create: ["+", "green"],
    update: ["~", "yellow"],
    attach: ["~", "yellow"],
    redeploy: ["~", "yellow"],
    none: ["=", "dim"],
    blocked: ["!", "red"],
};
const MAX_PATH = 56;
const MAX_VALUE = 60;
const WIDE = 44;
function renderPlan(report, { color }) {
    const paint = painter(color);
    const compared = report.deployments.filter((one) => one.plan !== null || isUnplanned(one));
    if (compared.length === 0)
        return "";
    const blocks = compared.map((one) => planBlock(one, paint).join("\n"));
    return `${[...blocks, planSum(compared)].join("\n\n")}\n`;
}
const isUnplanned = (one) => one.plan === null && !(0,_report_js__WEBPACK_IMPORTED_MODULE_5__/* .isGreen */ .gf)(one.outcome);
function planBlock(one, paint) {
    if (isUnplanned(one))
        return [
            `${paint("red", "!")} ${paint("bold", (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.name))}${paint("dim", ":")} not planned, see below`,
        ];
    const [glyph, style] = ACTION_GLYPHS[one.action];
    const id = one.id === null ? "" : paint("dim", `  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.id)}`);
    return [
        `${paint(style, glyph)} ${paint("bold", (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.name))} ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .planWords */ .DO)(one)}${id}`,
        ...changeLines(one, paint),
        ...(one.plan?.blockers ?? [])
            .filter((blocker) => blocker.message !== one.message)
            .map((blocker) => `  ${paint("red", "!")} ${blocker.path === undefined ? "" : `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(blocker.path)}: `}${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(blocker.message)}`),
        ...remarkLines(one, paint),
    ];
}
function changeLines(one, paint) {
    const rows = (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .toChangeRows */ .x_)(one.changes);
    const shown = rows.map((row) => ({
        row,
        path: (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)((0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(row.path), MAX_PATH),
        sides: sides(row),
    }));
    const pathWidth = Math.max(0, ...shown.map(({ path }) => path.length));
    const sideWidth = Math.min(WIDE, Math.max(0, ...shown.map((line) => line.sides.length)));
    return shown.map(({ row, path, sides: words }) => {
        const [glyph, style] = GLYPHS[row.kind];
        const effect = (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .effectWords */ .zT)(row.effect, one.action);
        return `    ${paint(style, glyph)} ${path.padEnd(pathWidth)}  ${words.padEnd(sideWidth)}  ${effect === "" ? "" : paint(row.kind === "impossible" ? "red" : "dim", `(${effect})`)}`.trimEnd();
    });
}
function sides(row) {
    if (row.word)
        return row.after ?? "removed";
    if (row.before !== null && row.after !== null)
        return (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cutPair */ .j)((0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(row.before), (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(row.after), MAX_VALUE).join(" → ");
    return row.before === null
        ? (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)((0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(row.after ?? ""), MAX_VALUE)
        : `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)((0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(row.before), MAX_VALUE)} → removed`;
}
function remarkLines(one, paint) {
    const dropped = one.plan?.dropped ?? [];
    const unreadable = one.plan?.unreadable ?? [];
    const warnings = [...new Set([...(one.plan?.warnings ?? []), ...one.warnings])];
    const notes = [...new Set([...(one.plan?.notes ?? []), ...one.notes])];
    return [
        ...(dropped.length === 0
            ? []
            : [
                `    ${paint("yellow", "warning:")} dropped, since the service replaces the whole value and the spec does not name: ${dropped.map(_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws).join(", ")}`,
            ]),
        ...warnings.map((warning) => `    ${paint("yellow", "warning:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(warning)}`),
        ...notes.map((note) => `    ${paint("dim", "note:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(note)}`),
        ...(unreadable.length === 0
            ? []
            : [
                `    ${paint("dim", "note:")} not readable from the service, so not compared: ${unreadable.map(_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws).join(", ")}`,
            ]),
    ];
}
function planSum(all) {
    const deployments = all.filter((one) => !isUnplanned(one));
    const unplanned = all.length - deployments.length;
    const count = (...actions) => deployments.filter((one) => actions.includes(one.action)).length;
    const revisions = deployments.filter((one) => one.plan?.revision === "makes").length;
    const parts = [
        [count("create"), "to create"],
        [count("update", "redeploy"), "to update"],
        [count("attach"), "to wait for"],
        [count("none"), "unchanged"],
        [count("blocked"), "blocked"],
        [unplanned, "not planned"],
    ]
        .filter(([many]) => many !== 0)
        .map(([many, words]) => `${many} ${words}`);
    if (deployments.length === 0 && unplanned > 0)
        return `Plan: ${parts.join(", ")}.`;
    return `Plan: ${parts.length === 0 ? "nothing to do" : parts.join(", ")}. ${revisions === 0 ? "No new revision." : `Makes ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(revisions, "new revision")}.`}`;
}
const OUTCOME_STYLES = (outcome) => !(0,_report_js__WEBPACK_IMPORTED_MODULE_5__/* .isGreen */ .gf)(outcome)
    ? "red"
    : outcome === "planned" || outcome === "started" || outcome === "skipped"
        ? "yellow"
        : "green";
function renderVerdict(report) {
    return (0,_verdict_js__WEBPACK_IMPORTED_MODULE_3__/* .toVerdict */ .d)(report, "end", { name: _escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws, plain: _escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws }).headline;
}
const LOCATED = /^\S[^:\n]*:\d+:\d+: /;
function renderOutcome(report, { color, logTails = true, told }) {
    const paint = painter(color);
    const blocks = [
        paint("bold", paint((0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .isRed */ .iI)(report) ? "red" : OUTCOME_STYLES(report.outcome), renderVerdict(report))),
        report.problems
            .filter((problem) => told?.has(problem) !== true)
            .map((problem) => LOCATED.test(problem)
            ? (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(problem)
            : `${paint("red", "error:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(problem)}`)
            .join("\n"),
        ...(report.deployments.length > 1 ? [overview(report.deployments, paint)] : []),
        ...report.deployments.map((one) => deploymentBlock(one, paint, { many: report.deployments.length > 1, logTails })),
        experimentLines(report, paint).join("\n"),
        gateLines(report, paint).join("\n"),
        report.warnings
            .map((warning) => `${paint("yellow", "warning:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(warning)}`)
            .join("\n"),
        report.links.map(({ label, url }) => `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(label)}: ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(url)}`).join("\n"),
    ];
    return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
function overview(deployments, paint) {
    const names = deployments.map((one) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)((0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.name), MAX_PATH));
    const nameWidth = Math.max(...names.map((name) => name.length));
    const outcomeWidth = Math.max(..._report_js__WEBPACK_IMPORTED_MODULE_5__/* .OUTCOMES */ .im.filter((outcome) => deployments.some((one) => one.outcome === outcome)).map((outcome) => outcome.length));
    const whats = deployments.map((one) => (0,_report_js__WEBPACK_IMPORTED_MODULE_5__/* .isGreen */ .gf)(one.outcome) || one.reason === "" ? (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .planNotes */ .vy)(one) : (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)((0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .reasonWords */ .IK)(one.reason)));
    const whatWidth = Math.min(WIDE, Math.max(...whats.map((what) => what.length)));
    return deployments
        .map((one, at) => `  ${names[at].padEnd(nameWidth)}  ${paint(OUTCOME_STYLES(one.outcome), one.outcome.padEnd(outcomeWidth))}  ${whats[at].padEnd(whatWidth)}  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.url)}`.trimEnd())
        .join("\n");
}
function deploymentBlock(one, paint, { many, logTails }) {
    const timeline = (0,_phases_js__WEBPACK_IMPORTED_MODULE_2__/* .timelineWords */ .NJ)(one.timeline);
    const facts = [
        ...(one.message === "" ? [] : [(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(one.message)]),
        ...(timeline === "" ? [] : [(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(timeline)]),
        ...(one.revision_id === null
            ? []
            : [
                `revision ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.revision_id)}${one.revision_status === null ? "" : ` ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.revision_status)}`}`,
            ]),
        ...(one.rollback === undefined
            ? []
            : [
                `rollback to ${one.rollback.revision_id === null ? "the revision before" : (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.rollback.revision_id)}: ${one.rollback.outcome}`,
            ]),
        ...(one.url === "" ? [] : [(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.url)]),
    ];
    if (many && (0,_report_js__WEBPACK_IMPORTED_MODULE_5__/* .isGreen */ .gf)(one.outcome) && one.warnings.length === 0)
        return "";
    const lines = [
        ...(many ? [paint("bold", `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.name)}:`)] : []),
        ...facts.map((fact) => `  ${fact}`),
        ...one.warnings.map((warning) => `  ${paint("yellow", "warning:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(warning)}`),
        ...(logTails
            ? [
                ...tailLines("log", one.log_tail, paint),
                ...tailLines("verify", one.verify?.tail ?? [], paint),
            ]
            : []),
        ...(one.next.length === 0
            ? []
            : ["", "  What to do next:", ...one.next.map((line) => `    ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(line)}`)]),
    ];
    return lines.join("\n");
}
function tailLines(label, lines, paint = painter(false)) {
    return lines.map((line) => `  ${paint("dim", `${label} |`)} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toLogLine */ .gD)(line)}`);
}
function experimentLines(report, paint) {
    return report.experiments.flatMap((one) => [
        `${paint("bold", (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.name === "" ? one.file : one.name))}: ${one.outcome}, ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(one.rows, "row")}, ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .plural */ .LS)(one.errors, "error")}`,
        ...Object.entries(one.scores).map(([metric, { mean, n }]) => `  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(metric)} ${(0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(mean)} (n ${n})`),
        ...(one.message === "" ? [] : [`  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(one.message)}`]),
        ...one.warnings.map((warning) => `  ${paint("yellow", "warning:")} ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(warning)}`),
        ...(one.experiment_url === "" ? [] : [`  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(one.experiment_url)}`]),
    ]);
}
function gateLines(report, paint) {
    const styles = { pass: "green", fail: "red", inconclusive: "yellow" };
    const ruleWidth = Math.max(0, ...report.gates.map((gate) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(gate.rule).length));
    const counts = rowWords(report);
    return [
        ...report.gates.flatMap((gate) => {
            const numbers = gate.base === null
                ? (0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(gate.head)
                : `${(0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(gate.base)} → ${(0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .number */ .ai)(gate.head)}  ${(0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .deltaWords */ .YG)(gate)}  p ${(0,_gate_section_js__WEBPACK_IMPORTED_MODULE_1__/* .pWords */ .gh)(gate.p)}`;
            return [
                `${paint(styles[gate.verdict], gate.verdict.padEnd(12))}  ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(gate.rule).padEnd(ruleWidth)}  ${numbers}`,
                ...(gate.reason === "" ? [] : [`              ${paint("dim", (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSentence */ .Re)(gate.reason))}`]),
            ];
        }),
        ...(counts === "" ? [] : [counts]),
    ];
}
function rowWords({ row_counts: { changed, new: added, missing } }) {
    const metrics = Object.entries(changed).map(([metric, { worse, better }]) => `${(0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(metric)} ${worse} worse, ${better} better`);
    const unshared = [
        ...(added > 0 ? [`${added} new`] : []),
        ...(missing > 0 ? [`${missing} missing`] : []),
    ].join(", ");
    const parts = [...metrics, ...(unshared === "" ? [] : [unshared])];
    return parts.length === 0 ? "" : `rows: ${parts.join("; ")}`;
}


/***/ }),

/***/ 7254:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  d: () => (/* binding */ toVerdict)
});

// EXTERNAL MODULE: ./build/report/interval-bar.js
var interval_bar = __webpack_require__(702);
// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
;// CONCATENATED MODULE: ./build/report/gate-words.js


const MOST_METRICS = 3;
function listMetrics(gates, plain) {
    const metrics = [...new Set(gates.map((gate) => gate.metric))];
    const shown = metrics.slice(0, MOST_METRICS).map(plain);
    const more = metrics.length - shown.length;
    if (more > 0)
        return `${shown.join(", ")} and ${more} more`;
    return shown.length < 2
        ? shown.join("")
        : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
function gateFall(report, plain) {
    const failed = report.gates.filter((gate) => gate.verdict === "fail");
    const drops = failed.filter((gate) => (0,interval_bar/* isDrop */.Y7)(gate.rule) && gate.head !== null);
    const isRise = ({ delta }) => delta !== null && delta > 0;
    const dropped = new Set(drops.map((gate) => gate.metric));
    const rest = failed.filter((gate) => !dropped.has(gate.metric));
    const parts = [
        [drops.filter((gate) => !isRise(gate)), "fell", "fell"],
        [drops.filter(isRise), "rose", "rose"],
        [rest, "missed its limit", "missed their limits"],
    ];
    return parts
        .filter(([gates]) => gates.length > 0)
        .map(([gates, one, many]) => `${listMetrics(gates, plain)} ${new Set(gates.map((gate) => gate.metric)).size === 1 ? one : many}`)
        .join("; ");
}
function gateWords(report, plain) {
    const { gates, gate_verdict: verdict } = report;
    if (verdict === "none" || gates.length === 0)
        return verdict === "none" ? "" : `gates: ${verdict}`;
    if (verdict === "pass")
        return gates.length === 1 ? "the gate passed" : `all ${gates.length} gates passed`;
    const deciding = gates.filter((gate) => gate.verdict === verdict);
    const count = gates.length === 1 ? "The gate" : `${deciding.length} of ${(0,wording/* plural */.LS)(gates.length, "gate")}`;
    return verdict === "fail"
        ? `${count} failed: ${gateFall(report, plain)}`
        : `${count} cannot tell: ${listMetrics(deciding, plain)}`;
}

// EXTERNAL MODULE: ./build/report/report.js
var report_report = __webpack_require__(7177);
;// CONCATENATED MODULE: ./build/report/verdict.js



const BEGUN = {
    plan: "Planning",
    apply: "Deploying",
    wait: "Waiting for",
    redeploy: "Redeploying",
    destroy: "Deleting",
    upload: "Uploading experiments",
    gate: "Judging gates",
    report: "Collecting reports",
};
function toVerdict(report, stage, marking) {
    if (stage === "begin")
        return { icon: "⏳", headline: beginWords(report, marking) };
    const icon = iconOf(report);
    const end = endWords(report, marking);
    const gates = report.deployments.length === 1 && saysGates(report) ? "" : gateWords(report, marking.plain);
    const words = [end, gates].filter((part) => part !== "");
    const decides = ["❌", "❓"].includes(icon) && (0,report_report/* isGreen */.gf)(report.outcome);
    return { icon, headline: (decides ? words.toReversed() : words).join(" · ") };
}
function iconOf(report) {
    if (!(0,report_report/* isGreen */.gf)(report.outcome))
        return wording/* ICONS */.Ze[report.outcome];
    if ((0,wording/* isRed */.iI)(report))
        return "❌";
    return report.gate_verdict === "inconclusive" ? "❓" : wording/* ICONS */.Ze[report.outcome];
}
function beginWords(report, marking) {
    const planned = report.command === "apply" && report.deployments.every((one) => one.plan === null);
    const verb = Object.hasOwn(BEGUN, report.command) ? BEGUN[report.command] : "Running";
    const names = listNames(report.deployments, marking);
    return `${planned ? "Planning" : verb}${names === "" ? "" : ` ${names}`}…`;
}
function listNames(deployments, { name }) {
    const names = deployments.slice(0, 3).map((one) => name(one.name));
    const more = deployments.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
function saysGates(report) {
    const [one] = report.deployments;
    return (one !== undefined &&
        report.gates.length > 0 &&
        report.gate_verdict === "fail" &&
        (one.reason === "gate" || one.rollback !== undefined || one.outcome === "deployed"));
}
function endWords(report, marking) {
    const [only] = report.deployments;
    if (only === undefined)
        return bareWords(report, marking);
    return report.deployments.length === 1
        ? oneWords(report, only, marking)
        : manyWords(report, marking);
}
function bareWords(report, { plain }) {
    const { problems, experiments, command, outcome } = report;
    if (outcome === "cancelled")
        return "The run was cancelled";
    if (problems.length > 0)
        return command === "validate" || problems.some((problem) => LOCATED.test(problem))
            ? `The spec has ${(0,wording/* plural */.LS)(problems.length, "problem")}; nothing was sent`
            : "Nothing was done: see the error";
    if (experiments.length > 0)
        return experimentWords(report);
    if (command === "validate")
        return (0,report_report/* isGreen */.gf)(outcome) ? "The spec is valid" : "The spec is not valid";
    return (0,report_report/* isGreen */.gf)(outcome) ? "" : `${plain(command)} failed`;
}
const LOCATED = /^\S[^:\n]*:\d+:\d+: /;
function experimentWords({ command, experiments }) {
    const failed = experiments.filter(({ outcome }) => outcome === "failed" || outcome === "unknown").length;
    const count = (0,wording/* plural */.LS)(experiments.length, "experiment");
    if (failed > 0)
        return `${failed} of ${count} not uploaded`;
    if (command === "gate" || experiments.every((one) => one.outcome === "gated-only"))
        return "";
    return experiments.every((one) => one.outcome === "dry-run")
        ? `Dry run of ${count}`
        : `Uploaded ${count}`;
}
function oneWords(report, one, marking) {
    const { name, plain } = marking;
    const named = name(one.name);
    const version = versionWords(one, marking);
    if (one.rollback !== undefined)
        return `${named}: ${rollbackWords(report, one, marking)}`;
    switch (one.outcome) {
        case "planned":
            return `${named} ${(0,wording/* planWords */.DO)(one)}`;
        case "unchanged":
            return unchangedWords(one, named);
        case "blocked":
            return report.command === "plan"
                ? `${named} cannot be deployed: ${blockedWords(report, one, marking)}`
                : `${named} was not deployed: ${blockedWords(report, one, marking)}`;
        case "deployed":
            return deployedWords(report, one, marking);
        case "started":
            return `Started ${named} (not waiting)`;
        case "updated":
            return report.command === "destroy"
                ? `${named} was deleted`
                : `${named} was updated in place, without a new revision`;
        case "skipped":
            return `${named} was only validated: there is no API key in this run`;
        case "failed":
            return `${named}: ${failureWords(one, marking)}${servingWords(one, marking)}`;
        case "timed-out":
            return `${named}: ${version === "" ? "the new revision" : version} is ${one.revision_status === null ? "not live" : `still ${plain((0,wording/* statusWords */.o7)(one.revision_status))}`} after the timeout${servingWords(one, marking)}`;
        case "superseded":
            return one.reason === "SKIPPED"
                ? `${named}: the service skipped ${version === "" ? "this revision" : version} for a newer one`
                : `${named}: another revision replaced ${version === "" ? "this one" : version}`;
        case "cancelled":
            return `${named}: ${cancelledWords(one, version)}`;
        case "not-run":
            return `${named} was not deployed: another deployment failed first`;
    }
}
function unchangedWords(one, named) {
    const { plan } = one;
    if (plan === null)
        return `${named}: nothing to change`;
    return `${named}: nothing to change, live matches the spec${plan.unreadable.length > 0 ? " as far as the service shows it" : ""}`;
}
const DEPLOYED_WORDS = {
    create: "was created",
    redeploy: "was redeployed",
    wait: "is live",
};
function deployedWords(report, one, marking) {
    const done = DEPLOYED_WORDS[report.command === "wait" ? "wait" : one.action] ?? "was deployed";
    const version = versionWords(one, marking);
    const live = version === "" || done === "is live" ? "" : `: ${version} is live`;
    const fell = report.gate_verdict === "fail" ? `, but ${gateFall(report, marking.plain)}` : "";
    return `${marking.name(one.name)} ${done}${live}${fell}`;
}
function versionWords(one, { name }) {
    return one.version === undefined ? "" : name((0,wording/* shortVersion */.Li)(one.version));
}
function blockedWords(report, one, { name, plain }) {
    if (one.reason === "gate")
        return gateFall(report, plain) || (0,wording/* reasonWords */.IK)(one.reason);
    const blockers = one.plan?.blockers ?? [];
    const path = blockers.length === 1 ? blockers[0].path : undefined;
    if (path === undefined)
        return plain((0,wording/* reasonWords */.IK)(one.reason));
    const why = FIELD_WORDS[one.reason];
    return why === undefined ? plain((0,wording/* reasonWords */.IK)(one.reason)) : `${name(lastKey(path))} ${why}`;
}
const FIELD_WORDS = {
    immutable: "cannot be changed",
    impossible: "cannot be changed",
    clear: "cannot be cleared",
};
const lastKey = (path) => path.replace(/^source_(?:revision_)?config\./, "");
function failureWords(one, marking) {
    const version = versionWords(one, marking);
    const of = version === "" ? "" : ` of ${version}`;
    switch (one.reason) {
        case "BUILD_FAILED":
            return `the build${of} failed`;
        case "DEPLOY_FAILED":
            return `${version === "" ? "the new revision" : version} was built, but did not start`;
        case "CREATE_FAILED":
            return `the revision${of} could not be created`;
        case "service":
            return serviceWords(one.message);
        default:
            return one.reason === "" ? "failed" : marking.plain((0,wording/* reasonWords */.IK)(one.reason));
    }
}
function serviceWords(message) {
    if (/: 401:/.test(message))
        return "the API key was rejected (401)";
    return /: 403:/.test(message) ? "access was denied (403)" : (0,wording/* reasonWords */.IK)("service");
}
function servingWords(one, { name }) {
    const { serving } = one;
    if (serving === undefined)
        return "";
    if (serving === null)
        return "; nothing is serving";
    if (serving.revision_id === one.revision_id)
        return "; it is live";
    const version = serving.version === null ? null : (0,wording/* shortVersion */.Li)(serving.version);
    const same = version === null || version === (0,wording/* shortVersion */.Li)(one.version ?? "");
    return `; ${same ? `revision ${name(serving.revision_id.slice(0, 8))}` : name(version)} is still serving`;
}
function rollbackWords(report, one, marking) {
    const { rollback, serving } = one;
    const why = one.outcome === "deployed" && report.gate_verdict === "fail"
        ? gateFall(report, marking.plain) || "a gate failed"
        : failureWords(one, marking);
    if (rollback?.outcome === "deployed") {
        const to = serving?.version ?? null;
        return `${why}; rolled back${to === null || to === one.version ? " to the revision before" : ` to ${marking.name((0,wording/* shortVersion */.Li)(to))}`}`;
    }
    const end = rollback === undefined ? "failed" : (ROLLBACKS[rollback.outcome] ?? rollback.outcome);
    return `${why}, and the rollback ${end}${servingWords(one, marking).replace("still serving", "serving")}`;
}
const ROLLBACKS = {
    failed: "failed",
    blocked: "was not possible",
    cancelled: "was cancelled",
    superseded: "was not done, since a newer revision exists",
    "timed-out": "is not finished",
};
function cancelledWords(one, version) {
    if (one.revision_id === null)
        return "cancelled";
    const what = version === "" ? "the new revision" : version;
    return one.revision_status === "DEPLOYED"
        ? `cancelled after ${what} went live`
        : `cancelled; ${what} is still ${(0,wording/* statusWords */.o7)(one.revision_status ?? "BUILDING")}`;
}
function manyWords(report, marking) {
    const counts = report_report/* OUTCOMES */.im.map((outcome) => [
        outcome,
        report.deployments.filter((one) => one.outcome === outcome).length,
    ])
        .filter(([, count]) => count > 0)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(", ");
    const red = report.deployments.filter((one) => !(0,report_report/* isGreen */.gf)(one.outcome) && one.outcome !== "not-run");
    const names = red.length === 0 ? "" : ` (${listNames(red, marking)})`;
    return `${(0,wording/* plural */.LS)(report.deployments.length, "deployment")}: ${counts}${names}`;
}


/***/ }),

/***/ 2867:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DO: () => (/* binding */ planWords),
/* harmony export */   IK: () => (/* binding */ reasonWords),
/* harmony export */   LS: () => (/* binding */ plural),
/* harmony export */   Li: () => (/* binding */ shortVersion),
/* harmony export */   OS: () => (/* binding */ hasNews),
/* harmony export */   Sh: () => (/* binding */ durationWords),
/* harmony export */   Ze: () => (/* binding */ ICONS),
/* harmony export */   iI: () => (/* binding */ isRed),
/* harmony export */   o7: () => (/* binding */ statusWords),
/* harmony export */   vy: () => (/* binding */ planNotes),
/* harmony export */   x_: () => (/* binding */ toChangeRows),
/* harmony export */   zT: () => (/* binding */ effectWords)
/* harmony export */ });
/* unused harmony export isWord */
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7177);

const ICONS = {
    cancelled: "⏹️",
    failed: "❌",
    blocked: "⛔",
    "timed-out": "⏱️",
    superseded: "⏭️",
    "not-run": "⏸️",
    deployed: "✅",
    started: "🚀",
    updated: "✅",
    planned: "📝",
    unchanged: "✅",
    skipped: "⚪",
};
const REASONS = new Map(Object.entries({
    CREATE_FAILED: "the revision could not be created",
    BUILD_FAILED: "the build failed",
    DEPLOY_FAILED: "the build is fine, but it did not come up",
    INTERRUPTED: "the revision was interrupted",
    SKIPPED: "the service skipped the revision",
    "plan-changed": "the plan is not the one that was expected",
    immutable: "a field cannot be changed",
    impossible: "a field cannot be changed",
    clear: "the service cannot clear a value",
    duplicates: "two deployments have this name",
    exists: "a deployment of this name exists already",
    "create-never": "it does not exist, and creating it is switched off",
    "no-lookup": "the service cannot look names up",
    "not-found": "it was not found",
    "older-commit": "an older commit would replace a newer one",
    "secrets-unreadable": "live secrets cannot be read, so not merged",
    "fail-fast": "another deployment failed first",
    service: "the service answered with an error",
    refused: "the service refused it",
    unknown: "it is not known what became of it",
    commit: "what is live is not the wanted commit",
    "no-revision": "no revision was made",
    untrusted: "the pull request is not trusted",
    "no-key": "there is no API key",
    timeout: "the time was up",
    gate: "a gate failed",
    verify: "the verify command failed",
    "no-report": "no report arrived",
}));
function reasonWords(reason) {
    return REASONS.get(reason) ?? reason;
}
function plural(count, noun) {
    return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
function durationWords(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60)
        return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60)
        return seconds % 60 === 0 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
    return minutes % 60 === 0
        ? `${Math.floor(minutes / 60)} h`
        : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
const STATUS_WORDS = new Map(Object.entries({
    CREATING: "in the queue",
    QUEUED: "in the queue",
    AWAITING_BUILD: "waiting for its build",
    BUILDING: "building",
    AWAITING_DEPLOY: "waiting to start",
    DEPLOYING: "starting",
    DEPLOYED: "deployed but not active",
    INTERRUPTED: "interrupted",
}));
function statusWords(status) {
    return STATUS_WORDS.get(status) ?? `in status ${status}`;
}
function shortVersion(version) {
    if (/^[0-9a-f]{40}$/.test(version))
        return version.slice(0, 7);
    const digest = /^(?:.*\/)?([^/@]+)@sha256:([0-9a-f]{8})[0-9a-f]*$/.exec(version);
    if (digest !== null)
        return `${digest[1].replace(/:.*$/, "")}@${digest[2]}`;
    const tagged = /^[^\s/]+[.:][^\s/]*\/(?:.*\/)?([^/:]+:[^/:]+)$/.exec(version);
    return tagged === null ? version : tagged[1];
}
const EFFECTS = {
    "in-place": "in place",
    "next-build": "at the next build",
    "new-revision": "new revision",
    impossible: "cannot be changed",
};
function effectWords(effect, action) {
    return action === "create" && effect !== "impossible" ? "" : EFFECTS[effect];
}
function toChangeRows(changes) {
    return changes.flatMap((change) => {
        if (!change.sensitive)
            return leaves(change.path, change.before, change.after, change.effect);
        if (!isContainer(change.before) && !isContainer(change.after))
            return [sensitiveRow(change)];
        const rows = leaves(change.path, change.before, change.after, change.effect);
        return rows.length === 0 ? [sensitiveRow(change)] : rows;
    });
}
const isContainer = (value) => typeof value === "object" && value !== null;
const WORDS = new Set([
    "set",
    "(set)",
    "(sensitive)",
    "(old value)",
    "(new value)",
    "value unknown",
    "known at apply",
    "(known after apply)",
]);
function isWord(shown) {
    return WORDS.has(shown);
}
function sensitiveRow({ path, before, after, effect }) {
    const kind = effect === "impossible"
        ? "impossible"
        : before === null
            ? "add"
            : after === null
                ? "remove"
                : "change";
    const done = before === null ? "added" : after === null ? "removed" : "changed";
    const how = after === "known at apply" || after === "(known after apply)"
        ? `${done} (known after apply)`
        : before !== "value unknown"
            ? done
            : after === "value unknown"
                ? "value unknown"
                : "value unknown, sent anyway";
    return { path, kind, before: before === null ? null : "set", after: how, effect, word: true };
}
function leaves(path, before, after, effect) {
    const sides = [toEntries(before), toEntries(after)];
    const containers = sides.filter((side) => side !== null);
    const comparable = containers.length === 2 || (containers.length === 1 && (before === null || after === null));
    if (comparable && containers.some((side) => side.size > 0)) {
        const keys = new Set(containers.flatMap((side) => [...side.keys()]));
        return [...keys].flatMap((key) => {
            const [was, is] = [sides[0]?.get(key) ?? null, sides[1]?.get(key) ?? null];
            return JSON.stringify(was) === JSON.stringify(is)
                ? []
                : leaves(`${path}.${key}`, was, is, effect);
        });
    }
    const kind = effect === "impossible"
        ? "impossible"
        : before === null
            ? "add"
            : after === null
                ? "remove"
                : "change";
    return [{ path, kind, before: toShown(before), after: toShown(after), effect, word: false }];
}
function toEntries(value) {
    if (typeof value !== "object" || value === null)
        return null;
    if (!Array.isArray(value))
        return new Map(Object.entries(value));
    const items = value;
    const keys = items.map((item) => typeof item === "object" && item !== null && !Array.isArray(item)
        ? (item["mountPath"] ??
            item["name"])
        : undefined);
    if (items.length === 0 ||
        !keys.every((key) => typeof key === "string") ||
        new Set(keys).size !== keys.length)
        return null;
    return new Map(items.map((item, at) => [String(keys[at]), item]));
}
function toShown(value) {
    if (value === null)
        return null;
    if (typeof value !== "string")
        return JSON.stringify(value);
    return /^(?:-?\d[\d.e+-]*|true|false|null|)$/i.test(value) ? JSON.stringify(value) : value;
}
function planWords(one) {
    const rows = toChangeRows(one.changes.filter((change) => change.path !== "revision"));
    const removed = rows.filter((row) => row.kind === "remove" && row.path.startsWith("secrets."));
    const changes = [
        plural(rows.length, "change"),
        ...(removed.length === 0 ? [] : [`${plural(removed.length, "secret")} removed`]),
    ].join(", ");
    switch (one.action) {
        case "none":
            return "needs no change";
        case "blocked":
            return "cannot be deployed";
        case "create":
            return `would be created with ${plural(rows.length, "field")}`;
        case "attach":
            return "has a revision under way and would wait for it";
        case "redeploy":
            return `would be redeployed${rows.length === 0 ? "" : `: ${changes}`}`;
        default:
            return `would ${updateWords(one)}: ${changes}`;
    }
}
function updateWords({ plan, changes }) {
    const revision = plan?.revision ??
        (changes.some((change) => change.effect === "new-revision") ? "makes" : "none");
    if (revision === "makes")
        return "get a new revision";
    return revision === "waits"
        ? "get the revision that the push makes"
        : "be updated in place, without a new revision";
}
function planNotes(one) {
    const count = toChangeRows(one.changes.filter(({ path }) => path !== "revision")).length;
    if (one.action === "none")
        return "";
    if (one.action === "create")
        return `create, ${plural(count, "field")}`;
    if (one.action === "attach")
        return "waits for the revision under way";
    if (one.action === "redeploy")
        return count === 0 ? "redeploy" : `redeploy, ${plural(count, "change")}`;
    if (one.action === "blocked")
        return "blocked";
    const revision = one.plan?.revision === "none" ? "no new revision" : "new revision";
    return `${plural(count, "change")}, ${revision}`;
}
function isRed(report) {
    return !(0,_report_js__WEBPACK_IMPORTED_MODULE_0__/* .isGreen */ .gf)(report.outcome) || report.gate_verdict === "fail";
}
function hasNews(report) {
    if (report.problems.length > 0 || isRed(report) || report.gate_verdict === "inconclusive")
        return (report.deployments.length === 0 ||
            report.deployments.some((one) => one.plan !== null || one.outcome !== "not-run"));
    return report.deployments.some((one) => !["unchanged", "skipped", "not-run"].includes(one.outcome));
}


/***/ }),

/***/ 7067:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d1: () => (/* binding */ runCommand),
/* harmony export */   o$: () => (/* binding */ resolveAuto),
/* harmony export */   qx: () => (/* binding */ toFailedEnd)
/* harmony export */ });
/* harmony import */ var _report_assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7447);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5834);


const COMMANDS = {
    plan: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(416)]).then(__webpack_require__.bind(__webpack_require__, 3416))).overDocuments("plan", async () => (await Promise.all(/* import() */[__webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(71), __webpack_require__.e(755), __webpack_require__.e(941)]).then(__webpack_require__.bind(__webpack_require__, 3996))).runPlan),
    apply: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(416)]).then(__webpack_require__.bind(__webpack_require__, 3416))).overDocuments("apply", async () => (await Promise.all(/* import() */[__webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(71), __webpack_require__.e(107), __webpack_require__.e(755), __webpack_require__.e(465), __webpack_require__.e(968)]).then(__webpack_require__.bind(__webpack_require__, 5659))).runApply),
    wait: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(71), __webpack_require__.e(107), __webpack_require__.e(755), __webpack_require__.e(465), __webpack_require__.e(246)]).then(__webpack_require__.bind(__webpack_require__, 7246))).runWait,
    redeploy: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(71), __webpack_require__.e(107), __webpack_require__.e(755), __webpack_require__.e(465), __webpack_require__.e(369)]).then(__webpack_require__.bind(__webpack_require__, 1369))).runRedeploy,
    destroy: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(809)]).then(__webpack_require__.bind(__webpack_require__, 5809))).runDestroy,
    validate: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(541)]).then(__webpack_require__.bind(__webpack_require__, 7541))).runValidate,
    upload: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(857), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(107), __webpack_require__.e(351), __webpack_require__.e(168)]).then(__webpack_require__.bind(__webpack_require__, 8206))).runUpload,
    gate: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(857), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(107), __webpack_require__.e(351), __webpack_require__.e(272)]).then(__webpack_require__.bind(__webpack_require__, 7325))).runGate,
    report: async () => (await Promise.all(/* import() */[__webpack_require__.e(857), __webpack_require__.e(871)]).then(__webpack_require__.bind(__webpack_require__, 3871))).runReport,
    export: async () => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(71), __webpack_require__.e(827)]).then(__webpack_require__.bind(__webpack_require__, 4037))).runExport,
};
function resolveAuto(command, event) {
    if (command !== "auto")
        return command;
    return event === "pull_request" || event === "merge_group" ? "plan" : "apply";
}
const LEAVE_NOTHING = ["plan", "gate", "validate", "report", "export"];
const OWN_END_MS = { nothingLeft: 500, other: 3_700 };
async function runCommand(session, run = loadCommand) {
    const ended = new AbortController();
    const running = run(session)
        .then((command) => command(session))
        .catch((error) => toFailedEnd(session, error))
        .finally(() => {
        ended.abort();
    });
    const end = await Promise.race([running, givenUp(session, ended.signal)]);
    try {
        await session.host.publish("end", end.report);
        return end;
    }
    catch (error) {
        session.host.say("error", `the end of the run could not be told: ${String(error.message ?? error)}`);
        return { ...end, exitCode: end.exitCode === 0 ? 1 : end.exitCode };
    }
}
async function givenUp(session, ended) {
    await new Promise((resolve) => {
        if (session.signal.aborted)
            resolve();
        else
            session.signal.addEventListener("abort", () => {
                resolve();
            }, { once: true });
    });
    const leavesNothing = LEAVE_NOTHING.includes(session.command) && session.options.onFailure !== "rollback";
    await session.clock
        .sleep(leavesNothing ? OWN_END_MS.nothingLeft : OWN_END_MS.other, ended)
        .catch(() => new Promise(() => undefined));
    return leavesNothing
        ? toFailedEnd(session, session.signal.reason)
        : toCancelledEnd(session, "cancelled: the run did not come to its own end in time; the log says how far it was");
}
function toCancelledEnd(session, problem) {
    return {
        report: (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { outcome: "cancelled", changed: false, problems: [problem] }),
        exitCode: 130,
    };
}
const NO_DRY_RUN = ["redeploy", "destroy"];
async function loadCommand(session) {
    if (session.options.dryRun && NO_DRY_RUN.includes(session.command)) {
        return () => Promise.reject(new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`dry-run: ${session.command} has no dry run, and nothing was sent; leave dry-run out to do it`));
    }
    const load = COMMANDS[session.command];
    if (load === undefined)
        return () => Promise.reject(new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`${session.command} is no command of the Action; use the command line for it`));
    return load();
}
const USAGE_ERRORS = ["UsageError", "WorkspaceError", "ProblemError"];
function toFailedEnd(session, error) {
    const { name = "Error", message = String(error) } = error;
    if (session.signal.aborted)
        return toCancelledEnd(session, "cancelled before anything was left under way");
    if (error instanceof _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e && error.problems.length > 0) {
        return {
            report: (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, {
                outcome: "failed",
                changed: false,
                problems: message.split("\n"),
            }),
            exitCode: 2,
        };
    }
    const problems = message.split("\n");
    if (session.entryPoint === "action")
        for (const problem of problems)
            session.host.say("error", problem);
    const usage = USAGE_ERRORS.includes(name);
    if (!usage && name !== "ServiceError" && session.env["RUNNER_DEBUG"] === "1")
        session.host.progress(String(error.stack));
    return {
        report: (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { outcome: "failed", changed: false, problems }),
        exitCode: usage ? 2 : 1,
    };
}


/***/ }),

/***/ 7447:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ toEnd),
/* harmony export */   c: () => (/* binding */ toReport)
/* harmony export */ });
/* harmony import */ var _report_report_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7177);
/* harmony import */ var _service_addresses_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(876);


function toReport(session, parts) {
    const deployments = (parts.deployments ?? []).map((one) => withPage(session, one));
    const runLink = session.identity.runUrl === "" ? [] : [{ label: "Run", url: session.identity.runUrl }];
    return {
        version: 1,
        tool: `agent-deploy ${session.version}`,
        command: session.command,
        outcome: parts.outcome ?? (0,_report_report_js__WEBPACK_IMPORTED_MODULE_1__/* .worstOutcome */ .Om)(deployments.map((one) => one.outcome)),
        changed: parts.changed ?? deployments.some((one) => one.changed),
        fingerprint: parts.fingerprint ?? "",
        deployments,
        experiments: parts.experiments ?? [],
        gates: parts.gates ?? [],
        gate_verdict: parts.gateVerdict ?? "none",
        rows_worse: parts.rowsWorse ?? [],
        rows_better: parts.rowsBetter ?? [],
        rows_new: parts.rowsNew ?? [],
        rows_missing: parts.rowsMissing ?? [],
        row_counts: parts.rowCounts ?? { new: 0, missing: 0, changed: {} },
        baseline: parts.baseline ?? null,
        problems: parts.problems ?? [],
        warnings: parts.warnings ?? [],
        links: [...(parts.links ?? []), ...runLink],
        ...(session.identity.sha === ""
            ? {}
            : {
                commit: {
                    sha: session.identity.sha,
                    url: session.identity.commitUrl,
                    actor: session.identity.actor,
                },
            }),
        started_at: new Date(session.startedAtMs).toISOString(),
        finished_at: new Date(session.clock.now()).toISOString(),
    };
}
function withPage({ options }, one) {
    const tenant = options.tenantId ?? one.tenant_id ?? "";
    if (one.id === null || tenant === "" || one.page !== undefined)
        return one;
    const addresses = (0,_service_addresses_js__WEBPACK_IMPORTED_MODULE_0__/* .resolveAddresses */ .B6)(options);
    if (addresses.kind !== "addresses" || addresses.ui === "")
        return one;
    const path = ["o", tenant, "host", "deployments", one.id].map(encodeURIComponent).join("/");
    return { ...one, page: `${addresses.ui}/${path}` };
}
const EXIT = { fine: 0, red: 1, changes: 3, gate: 4, timedOut: 5, cancelled: 130 };
function toEnd(session, report, red = {}) {
    return { report, exitCode: exitCodeOf(session, report, red) };
}
function exitCodeOf(session, report, red) {
    const tolerated = report.outcome === "superseded" && session.options.onSuperseded === "warn";
    if (report.outcome === "cancelled")
        return EXIT.cancelled;
    const gateAlone = report.outcome === "blocked" &&
        report.deployments.every((one) => one.outcome !== "blocked" || one.reason === "gate");
    if (red.gate === true && ((0,_report_report_js__WEBPACK_IMPORTED_MODULE_1__/* .isGreen */ .gf)(report.outcome) || tolerated || gateAlone))
        return EXIT.gate;
    if (report.outcome === "timed-out")
        return EXIT.timedOut;
    if (!(0,_report_report_js__WEBPACK_IMPORTED_MODULE_1__/* .isGreen */ .gf)(report.outcome) && !tolerated)
        return EXIT.red;
    if (red.other === true)
        return EXIT.red;
    return red.drift === true ? EXIT.changes : EXIT.fine;
}


/***/ }),

/***/ 5834:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ UsageError)
/* harmony export */ });
class UsageError extends Error {
    name = "UsageError";
    problems;
    inputs;
    constructor(message, problems = [], inputs = []) {
        super(message);
        this.problems = problems;
        this.inputs = inputs;
    }
}


/***/ }),

/***/ 2048:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   g: () => (/* binding */ judgeTrust),
/* harmony export */   z: () => (/* binding */ refuseUntrusted)
/* harmony export */ });
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5834);

function judgeTrust(run, allowed) {
    if (run.untrustedHead) {
        if (allowed)
            return { state: "trusted" };
        const what = run.fork ? "on the head of a fork" : "and does not say whose code was checked out";
        return {
            state: "untrusted",
            why: `${run.event} runs with secrets ${what}: nothing is interpolated, verified or written (allow-untrusted: true trusts it)`,
        };
    }
    if (run.fork)
        return { state: "no-secrets", why: "a pull request from a fork gets no secrets" };
    if (run.dependabot)
        return { state: "no-secrets", why: "a Dependabot run gets no secrets of the repository" };
    return { state: "trusted" };
}
function refuseUntrusted({ command, trust }) {
    if (trust.state === "untrusted")
        throw new _session_js__WEBPACK_IMPORTED_MODULE_0__/* .UsageError */ .e(`${command}: ${trust.why}`);
}


/***/ }),

/***/ 876:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B6: () => (/* binding */ resolveAddresses),
/* harmony export */   U9: () => (/* binding */ isLoopback),
/* harmony export */   ep: () => (/* binding */ tracingUrl)
/* harmony export */ });
/* unused harmony export REGIONS */
const REGION_PREFIXES = {
    us: "",
    eu: "eu.",
    apac: "apac.",
    aws: "aws.",
};
const REGIONS = Object.keys(REGION_PREFIXES);
function isLoopback(url) {
    const host = url.hostname;
    return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
function toBase(url) {
    return url.origin + url.pathname.replace(/\/+$/, "");
}
function parseBase(text, input) {
    const problem = (message) => ({
        kind: "problem",
        input,
        message: `${input}: ${message}`,
    });
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
        return problem("is not a URL; write it whole, such as https://host/api-host");
    if (url.username !== "" || url.password !== "")
        return problem("holds a user name or password before the host; remove it, the key travels in a header");
    if (url.search !== "" || url.hash !== "")
        return problem("holds a query or a fragment; give the address alone");
    if (url.protocol === "http:" && !isLoopback(url)) {
        return problem(`plain http to ${url.host} is refused, since the key travels in a header; use https (http is allowed for 127.0.0.1, ::1 and localhost)`);
    }
    return url;
}
function swapHost(url, from, to) {
    const found = new RegExp(`^((?:[a-z0-9-]+\\.)?)${from}\\.(.+)$`).exec(url.hostname);
    if (found === null || url.pathname.replace(/\/+$/, "") !== "")
        return undefined;
    return `${url.protocol}//${found[1]}${to}.${found[2]}${url.port === "" ? "" : `:${url.port}`}`;
}
function swapPath(base, from, to) {
    return from.test(base) ? base.replace(from, to) : undefined;
}
function toTracing(controlPlane) {
    return (swapHost(controlPlane, "api\\.host", "api.smith") ??
        swapPath(toBase(controlPlane), /(?<!\/)\/api-host$/, "/api") ??
        (isLoopback(controlPlane) ? toBase(controlPlane) : undefined));
}
function toControlPlane(tracing) {
    const base = toBase(tracing);
    return (swapHost(tracing, "api\\.smith", "api.host") ??
        swapPath(base, /(?<!\/)\/api(\/v1)?$/, "/api-host") ??
        (isLoopback(tracing) ? base : base === tracing.origin ? `${base}/api-host` : undefined));
}
function toUi(tracing) {
    const url = new URL(tracing);
    if (isLoopback(url))
        return "";
    return swapHost(url, "api\\.smith", "smith") ?? toBase(url).replace(/(?<!\/)\/api(\/v1)?$/, "");
}
function resolveAddresses(given) {
    const controlPlaneText = given.controlPlaneUrl?.trim() ?? "";
    const tracingText = given.tracingUrl?.trim() ?? "";
    if (controlPlaneText === "" && tracingText === "")
        return regionalAddresses(given.region);
    const controlPlane = controlPlaneText === "" ? undefined : parseBase(controlPlaneText, "control-plane-url");
    if (controlPlane !== undefined && "kind" in controlPlane)
        return controlPlane;
    const tracing = tracingText === "" ? undefined : parseBase(tracingText, "tracing-url");
    if (tracing !== undefined && "kind" in tracing)
        return tracing;
    const controlPlaneBase = controlPlane === undefined ? toControlPlane(tracing) : toBase(controlPlane);
    const tracingBase = tracing === undefined ? toTracing(controlPlane) : toBase(tracing);
    if (tracingBase === undefined)
        return underivable("tracing-url", "control-plane-url", "…/api-host");
    if (controlPlaneBase === undefined)
        return underivable("control-plane-url", "tracing-url", "…/api");
    return {
        kind: "addresses",
        controlPlane: controlPlaneBase,
        tracing: tracingBase,
        ui: toUi(tracingBase),
        inputs: {
            controlPlane: controlPlane === undefined ? "tracing-url" : "control-plane-url",
            tracing: tracing === undefined ? "control-plane-url" : "tracing-url",
        },
    };
}
function regionalAddresses(region) {
    if (!Object.hasOwn(REGION_PREFIXES, region)) {
        return {
            kind: "problem",
            input: "region",
            message: `region: there is no region "${region}"; use one of ${REGIONS.join(", ")}`,
        };
    }
    const prefix = REGION_PREFIXES[region];
    return {
        kind: "addresses",
        controlPlane: `https://${prefix}api.host.langchain.com`,
        tracing: `https://${prefix}api.smith.langchain.com`,
        ui: `https://${prefix}smith.langchain.com`,
        inputs: { controlPlane: "region", tracing: "region" },
    };
}
function underivable(missing, given, form) {
    return {
        kind: "problem",
        input: missing,
        message: `${missing}: is needed as well, since it cannot be told from this ${given} (only from one that ends in ${form}); ` +
            "a given address is never paired with the hosted service's own",
    };
}
function tracingUrl(base, path) {
    return base.replace(/(?<!\/)\/api(\/v1)?$/, "") + path;
}


/***/ }),

/***/ 8020:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ parseDuration)
/* harmony export */ });
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_MS = 2 ** 31 - 1;
function parseDuration(text) {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/u.exec(text);
    if (match === null)
        return undefined;
    const ms = Math.round(Number(match[1]) * UNITS[match[2]]);
    return ms > 0 && ms <= MAX_MS ? ms : undefined;
}


/***/ }),

/***/ 3118:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   kt: () => (/* binding */ matchesGlob),
/* harmony export */   mH: () => (/* binding */ spreadBraces),
/* harmony export */   qt: () => (/* binding */ hasMagic),
/* harmony export */   vO: () => (/* binding */ matchesSegment)
/* harmony export */ });
const MAX_BRACE_CHOICES = 200;
const MAX_PATTERN_CHARS = 4096;
function hasMagic(pattern) {
    return /[*?{]/u.test(pattern);
}
function spreadBraces(pattern) {
    const done = [];
    const open = [pattern];
    while (open.length > 0) {
        if (open.length + done.length > MAX_BRACE_CHOICES)
            return "too many";
        const next = open.pop();
        const inner = /\{([^{}]*)\}/u.exec(next);
        if (inner !== null) {
            for (const choice of inner[1].split(",").reverse())
                open.push(next.slice(0, inner.index) + choice + next.slice(inner.index + inner[0].length));
        }
        else if (/[{}]/u.test(next))
            return "unpaired";
        else
            done.push(next);
    }
    return done;
}
function matchesSegment(segment, name) {
    let star = -1;
    let resume = 0;
    let at = 0;
    let index = 0;
    while (index < name.length) {
        if (at < segment.length && segment[at] === "*") {
            star = at;
            at += 1;
            resume = index;
        }
        else if (at < segment.length && (segment[at] === "?" || segment[at] === name[index])) {
            at += 1;
            index += 1;
        }
        else if (star >= 0) {
            at = star + 1;
            resume += 1;
            index = resume;
        }
        else
            return false;
    }
    while (segment[at] === "*")
        at += 1;
    return at === segment.length;
}
function matchesPath(pattern, path) {
    let reach = new Set([0]);
    const skip = (at) => pattern[at] === "**" && at < pattern.length - 1 ? skip(at + 1) : at;
    for (const name of path) {
        const next = new Set();
        for (const start of reach) {
            for (let at = start; at < pattern.length; at += 1) {
                if (pattern[at] === "**") {
                    next.add(at);
                    if (at === pattern.length - 1)
                        next.add(pattern.length);
                    continue;
                }
                if (matchesSegment(pattern[at], name))
                    next.add(at + 1);
                break;
            }
        }
        reach = next;
    }
    return [...reach].some((at) => skip(at) === pattern.length);
}
function matchesGlob(patterns, path) {
    const names = path.split("/");
    let meant = false;
    for (const written of patterns) {
        if (written.length > MAX_PATTERN_CHARS)
            continue;
        const pattern = written.replace(/^!/u, "").replace(/^(?:\.?\/)+/u, "");
        const choices = spreadBraces(pattern);
        const fits = (typeof choices === "string" ? [pattern] : choices).some((choice) => {
            const segments = choice
                .replace(/\/+$/u, "")
                .split("/")
                .filter((segment, at, all) => segment !== "**" || all[at - 1] !== "**");
            return (matchesPath(segments, names) ||
                ((choice.endsWith("/") || !hasMagic(choice)) && matchesPath([...segments, "**"], names)));
        });
        if (fits)
            meant = !written.startsWith("!");
    }
    return meant;
}


/***/ }),

/***/ 176:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   z: () => (/* binding */ nearestWord)
/* harmony export */ });
function distance(a, b) {
    let before = [];
    let last = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i += 1) {
        const row = [i];
        for (let j = 1; j <= b.length; j += 1) {
            const same = a[i - 1] === b[j - 1] ? 0 : 1;
            let best = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                best = Math.min(best, before[j - 2] + 1);
            row.push(best);
        }
        before = last;
        last = row;
    }
    return last[b.length];
}
const MAX_WORD = 64;
function nearestWord(word, known) {
    if (word.length > MAX_WORD)
        return undefined;
    const plain = (text) => text.toLowerCase().replaceAll(/[-_ ]/gu, "");
    const ranked = known
        .filter((candidate) => candidate.length <= 2 * MAX_WORD)
        .map((candidate) => ({ candidate, far: distance(plain(word), plain(candidate)) }))
        .sort((a, b) => a.far - b.far);
    const best = ranked[0];
    return best !== undefined && best.far <= Math.max(1, Math.floor(best.candidate.length / 3))
        ? best.candidate
        : undefined;
}


/***/ }),

/***/ 8508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ VERSION)
/* harmony export */ });
const VERSION = "0.1.0";


/***/ }),

/***/ 432:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PB: () => (/* binding */ abortOnSignals),
/* harmony export */   WI: () => (/* binding */ endIfCancelled),
/* harmony export */   jw: () => (/* binding */ createSession)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7094);
/* harmony import */ var _run_trust_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2048);
/* harmony import */ var _host_commit_history_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9967);
/* harmony import */ var _host_shell_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1893);
/* harmony import */ var _version_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8508);





function createSession(parts) {
    const { options, run, redactor, env, cwd } = parts;
    const secrets = [options.apiKey, options.bearerToken, options.githubToken].filter((secret) => secret !== undefined && secret !== "");
    return {
        entryPoint: parts.entryPoint,
        command: parts.command,
        options,
        env,
        host: parts.host,
        workspace: parts.workspace,
        files: {
            root: cwd,
            alsoAllowed: env["RUNNER_TEMP"] === undefined || env["RUNNER_TEMP"] === "" ? [] : [env["RUNNER_TEMP"]],
            allowOutside: options.allowOutside,
        },
        signal: parts.signal,
        print: parts.print,
        clock: _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m,
        random: Math.random,
        startedAtMs: Date.now(),
        version: _version_js__WEBPACK_IMPORTED_MODULE_4__/* .VERSION */ .x,
        run: {
            repository: run.repository === null ? null : `${run.repository.owner}/${run.repository.name}`,
            serverUrl: run.serverUrl,
            ref: run.ref,
            sha: run.sha,
            baseRef: run.baseRef === "" ? null : run.baseRef,
        },
        identity: toIdentity(run),
        trust: (0,_run_trust_js__WEBPACK_IMPORTED_MODULE_1__/* .judgeTrust */ .g)(run, options.allowUntrusted),
        repository: (0,_host_commit_history_js__WEBPACK_IMPORTED_MODULE_2__/* .createCommitHistory */ .Q)({
            cwd,
            env: (0,_host_shell_js__WEBPACK_IMPORTED_MODULE_3__/* .toScriptEnvironment */ .k)(env, secrets),
            run,
            token: options.githubToken ?? "",
            clock: _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m,
        }),
        shell: (0,_host_shell_js__WEBPACK_IMPORTED_MODULE_3__/* .createShell */ .f)({ env: (0,_host_shell_js__WEBPACK_IMPORTED_MODULE_3__/* .toScriptEnvironment */ .k)(env, secrets), cwd, redact: redactor.redact }),
        mask: (values) => {
            for (const value of values)
                redactor.add(value);
        },
        redact: redactor.redact,
    };
}
function toIdentity(run) {
    return {
        workflow: run.workflow,
        job: run.job,
        runId: run.runId,
        attempt: String(run.runAttempt),
        sha: run.headSha,
        repository: run.repository === null ? "" : `${run.repository.owner}/${run.repository.name}`,
        runUrl: run.runUrl,
        commitUrl: run.repository === null || run.headSha === "" || run.host !== "github"
            ? ""
            : `${run.serverUrl}/${run.repository.owner}/${run.repository.name}/commit/${run.headSha}`,
        actor: run.actor,
        event: run.event,
    };
}
const CANCEL_LIMIT_MS = 4_500;
const FLUSH_MS = 500;
function endIfCancelled(signal) {
    if (signal.aborted)
        setTimeout(() => {
            process.exit();
        }, FLUSH_MS).unref();
}
function abortOnSignals() {
    const controller = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"]) {
        process.on(name, () => {
            if (controller.signal.aborted)
                return;
            controller.abort(new Error(`cancelled by ${name}`));
            setTimeout(() => {
                process.exit(130);
            }, CANCEL_LIMIT_MS).unref();
        });
    }
    return controller.signal;
}


/***/ })

};
;