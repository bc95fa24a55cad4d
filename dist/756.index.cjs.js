"use strict";
exports.id = 756;
exports.ids = [756,493];
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

/***/ 4670:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RW: () => (/* binding */ parseHeader),
/* harmony export */   U4: () => (/* binding */ isNewer),
/* harmony export */   wZ: () => (/* binding */ renderHeader)
/* harmony export */ });
const MARKER = "<!-- agent-deploy: ";
const END = " -->";
function renderHeader(header) {
    const { v, key, run, attempt, sha, open } = header;
    const inert = (word) => word.replace(/[^A-Za-z0-9]/g, "");
    return `${MARKER}${JSON.stringify({ v, key: inert(key), run: inert(run), attempt, sha: inert(sha), open })}${END}`;
}
function parseHeader(body) {
    const line = (body ?? "").slice(0, 1000).split(/\r?\n/, 1)[0].trimEnd();
    if (!line.startsWith(MARKER) || !line.endsWith(END))
        return null;
    let read;
    try {
        read = JSON.parse(line.slice(MARKER.length, -END.length));
    }
    catch {
        return null;
    }
    if (typeof read !== "object" || read === null || Array.isArray(read))
        return null;
    const { v, key, run, attempt, sha, open } = read;
    if (v !== 1 || typeof key !== "string" || key === "")
        return null;
    return {
        v,
        key,
        run: typeof run === "string" && /^\d{1,30}$/.test(run) ? run : "0",
        attempt: Number.isSafeInteger(attempt) && attempt >= 0 ? attempt : 0,
        sha: typeof sha === "string" ? sha : "",
        open: open === true,
    };
}
function isNewer(header, than) {
    const [a, b] = [
        BigInt(/^\d+$/.test(header.run) ? header.run : "0"),
        BigInt(/^\d+$/.test(than.run) ? than.run : "0"),
    ];
    return a > b || (a === b && header.attempt > than.attempt);
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

/***/ 9493:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ toRouteRepository),
/* harmony export */   _: () => (/* binding */ findPullRequest),
/* harmony export */   createGithubApi: () => (/* binding */ createGithubApi)
/* harmony export */ });
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8415);

const REQUEST_TIMEOUT_MS = 15_000;
const SILENT = { debug: () => { }, info: () => { }, warn: () => { }, error: () => { } };
async function createGithubApi({ token, baseUrl, clock, timeoutMs, signal, }) {
    const { getOctokit } = await Promise.all(/* import() */[__webpack_require__.e(38), __webpack_require__.e(218)]).then(__webpack_require__.bind(__webpack_require__, 2218));
    const octokit = getOctokit(token, { baseUrl, log: SILENT });
    const request = async (route, parameters) => {
        const until = signal?.();
        const deadlineMs = clock.monotonic() + timeoutMs();
        const leftMs = () => deadlineMs - clock.monotonic();
        for (let failures = 0;; failures += 1) {
            try {
                const timeout = AbortSignal.timeout(Math.ceil(Math.max(500, Math.min(REQUEST_TIMEOUT_MS, leftMs()))));
                const reply = await octokit.request(route, {
                    ...parameters,
                    request: { signal: until === undefined ? timeout : AbortSignal.any([timeout, until]) },
                });
                return { status: reply.status, data: reply.data, headers: reply.headers };
            }
            catch (error) {
                const waitMs = toWaitMs(error, { route, failures, nowMs: clock.now() });
                if (waitMs === null || waitMs > leftMs() || until?.aborted === true)
                    throw error;
                await clock.sleep(waitMs, until);
            }
        }
    };
    async function* pages(route, parameters, maxPages = 100) {
        for (let page = 1; page <= maxPages; page += 1) {
            const { data, headers } = await request(route, { ...parameters, per_page: 100, page });
            if (!Array.isArray(data))
                return;
            yield data;
            if (!/rel="next"/.test(String(headers["link"] ?? "")))
                return;
        }
    }
    return { request, pages };
}
const MAX_TRIES = 4;
function toWaitMs(error, { route, failures, nowMs }) {
    if (failures + 1 >= MAX_TRIES)
        return null;
    const status = (0,_github_error_js__WEBPACK_IMPORTED_MODULE_0__/* .statusOf */ .c)(error);
    const headers = error.response?.headers ?? {};
    if (status === 429 ||
        (status === 403 &&
            (headers["retry-after"] !== undefined ||
                headers["x-ratelimit-remaining"] === "0" ||
                /rate limit/i.test((0,_github_error_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .b)(error))))) {
        const after = Number(headers["retry-after"]);
        if (Number.isFinite(after) && headers["retry-after"] !== undefined)
            return Math.max(0, after) * 1000;
        const reset = Number(headers["x-ratelimit-reset"]) * 1000 - nowMs;
        return headers["x-ratelimit-remaining"] === "0" && Number.isFinite(reset)
            ? Math.max(1000, reset)
            : 60_000;
    }
    const lost = status === null || status >= 500;
    return lost && !route.startsWith("POST ") ? 1000 * 2 ** failures : null;
}
function toRouteRepository({ owner, name }) {
    return { owner, repo: name };
}
async function findPullRequest(api, context) {
    if (context.pullRequest !== null)
        return context.pullRequest;
    if (!context.pullRequestByCommit || context.repository === null || context.sha === "")
        return null;
    let found;
    try {
        const { data } = await api.request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", {
            ...toRouteRepository(context.repository),
            commit_sha: context.sha,
            per_page: 100,
        });
        found = Array.isArray(data) ? data : [];
    }
    catch (error) {
        if ([404, 409, 422].includes((0,_github_error_js__WEBPACK_IMPORTED_MODULE_0__/* .statusOf */ .c)(error) ?? 0))
            return null;
        throw error;
    }
    const best = found.find((pull) => pull.merge_commit_sha === context.sha) ??
        found.find((pull) => pull.state === "open") ??
        found[0];
    return typeof best?.number === "number" ? best.number : null;
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

/***/ 9105:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ saveSinks),
/* harmony export */   p: () => (/* binding */ closeOpenSinks)
/* harmony export */ });
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);
/* harmony import */ var _comment_header_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4670);
/* harmony import */ var _context_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7064);
/* harmony import */ var _github_api_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9493);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8415);
/* harmony import */ var _runner_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6471);






const STATE = "agent_deploy_sinks";
function saveSinks(sinks) {
    _runner_js__WEBPACK_IMPORTED_MODULE_2__/* .saveState */ .LZ(STATE, JSON.stringify(sinks));
}
function readSinks(saved) {
    try {
        const { open, commentId, deploymentId } = JSON.parse(saved ?? "");
        const id = (value) => typeof value === "number" && Number.isSafeInteger(value) ? value : null;
        return { open: open === true, commentId: id(commentId), deploymentId: id(deploymentId) };
    }
    catch {
        return null;
    }
}
async function closeOpenSinks(env, clock) {
    const sinks = readSinks(env[`STATE_${STATE}`]);
    const token = env["INPUT_GITHUB-TOKEN"] ?? "";
    const context = (0,_context_js__WEBPACK_IMPORTED_MODULE_3__/* .readRunContext */ .$)(env, null);
    if (sinks === null || !sinks.open || token === "" || context.repository === null)
        return [];
    const closed = [];
    const deadlineMs = clock.monotonic() + 20_000;
    const api = await (0,_github_api_js__WEBPACK_IMPORTED_MODULE_1__.createGithubApi)({
        token,
        baseUrl: context.apiUrl,
        clock,
        timeoutMs: () => deadlineMs - clock.monotonic(),
    });
    const attempt = async (name, close) => {
        try {
            if (await close())
                closed.push(name);
        }
        catch (error) {
            _runner_js__WEBPACK_IMPORTED_MODULE_2__/* .annotate */ .fz("warning", `The ${name} that the killed run left open was not closed: ${(0,_github_error_js__WEBPACK_IMPORTED_MODULE_4__/* .messageOf */ .b)(error)}.`);
        }
    };
    if (sinks.commentId !== null)
        await attempt("comment", () => closeComment(api, context, sinks.commentId));
    if (sinks.deploymentId !== null)
        await attempt("deployment", () => closeDeployment(api, context, sinks.deploymentId));
    return closed;
}
async function closeComment(api, context, id) {
    const repository = (0,_github_api_js__WEBPACK_IMPORTED_MODULE_1__/* .toRouteRepository */ .H)(context.repository);
    const { data } = await api.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...repository,
        comment_id: id,
    });
    const body = String(data.body ?? "");
    const header = (0,_comment_header_js__WEBPACK_IMPORTED_MODULE_5__/* .parseHeader */ .RW)(body);
    if (header === null ||
        !header.open ||
        header.run !== context.runId ||
        header.attempt !== context.runAttempt)
        return false;
    const rest = body.split(/\r?\n/).slice(2).join("\n").trim();
    const run = context.runUrl === "" ? "" : ` See ${(0,_report_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)("the run", context.runUrl)}.`;
    await api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...repository,
        comment_id: id,
        body: `${(0,_comment_header_js__WEBPACK_IMPORTED_MODULE_5__/* .renderHeader */ .wZ)({ ...header, open: false })}\n### ⏹️ Cancelled: the run was killed before it could report\n\nWhat it had begun goes on at the service, and may still go live.${run}\n\n${rest}\n`,
    });
    return true;
}
async function closeDeployment(api, context, id) {
    await api.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", {
        ...(0,_github_api_js__WEBPACK_IMPORTED_MODULE_1__/* .toRouteRepository */ .H)(context.repository),
        deployment_id: id,
        state: "failure",
        auto_inactive: false,
        description: "The run was killed before it could report.",
        ...(context.runUrl === "" ? {} : { log_url: context.runUrl }),
    });
    return true;
}


/***/ }),

/***/ 6471:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fz: () => (/* binding */ annotate),
  N4: () => (/* binding */ endGroup),
  LZ: () => (/* binding */ saveState),
  n0: () => (/* binding */ setOutputs),
  Pq: () => (/* binding */ setSecret),
  Oh: () => (/* binding */ startGroup)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "os"
var external_os_ = __webpack_require__(857);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
//# sourceMappingURL=utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_.EOL);
}
function issue(name, message = '') {
    issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
//# sourceMappingURL=command.js.map
;// CONCATENATED MODULE: ./build/host/runner.js




function setSecret(secret) {
    issueCommand("add-mask", {}, secret);
}
function setOutputs(outputs) {
    setValues("OUTPUT", "set-output", outputs);
}
function saveState(name, value) {
    setValues("STATE", "save-state", { [name]: value });
}
function setValues(file, command, values) {
    const path = process.env[`GITHUB_${file}`] ?? "";
    if (path === "") {
        for (const [name, value] of Object.entries(values))
            issueCommand(command, { name }, value);
        return;
    }
    if (!(0,external_node_fs_.existsSync)(path))
        throw new Error(`GITHUB_${file} names a file that is not there: ${path}`);
    (0,external_node_fs_.appendFileSync)(path, Object.entries(values)
        .map(([name, value]) => toKeyValue(name, value))
        .join(""));
}
function toKeyValue(name, value) {
    let delimiter = "ghadelimiter_0";
    for (let tries = 1; value.includes(delimiter); tries += 1)
        delimiter = `ghadelimiter_${tries}`;
    return `${name}<<${delimiter}${external_node_os_.EOL}${value}${external_node_os_.EOL}${delimiter}${external_node_os_.EOL}`;
}
function annotate(level, message, place = {}) {
    issueCommand(level, toCommandProperties(place), message);
}
function startGroup(title) {
    issue("group", title);
}
function endGroup() {
    issue("endgroup");
}


/***/ }),

/***/ 6756:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   run: () => (/* binding */ run)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7094);
/* harmony import */ var _host_post_state_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9105);


async function run() {
    const closed = await (0,_host_post_state_js__WEBPACK_IMPORTED_MODULE_1__/* .closeOpenSinks */ .p)({ ...process.env, GITHUB_ACTIONS: "true" }, _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .systemClock */ .m);
    if (closed.length > 0)
        process.stdout.write(`closed what the killed run left open: ${closed.join(", ")}\n`);
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
function fence(lines, maxLines) {
    const shown = lines
        .flatMap((line) => line.split("\n"))
        .slice(-maxLines)
        .map((line) => toLogLine(line).replace(/<(?=!--|\/?(?:details|summary|pre|code)\b)/gi, "<\u200b"));
    const longest = Math.max(2, ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)));
    const ticks = "`".repeat(longest + 1);
    return `${ticks}text\n${shown.join("\n")}\n${ticks}`;
}
function utf8Bytes(body) {
    return new TextEncoder().encode(body).length;
}


/***/ })

};
;