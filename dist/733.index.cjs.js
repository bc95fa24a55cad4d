"use strict";
exports.id = 733;
exports.ids = [733];
exports.modules = {

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

/***/ 8733:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openGithubSinks: () => (/* binding */ openGithubSinks)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./build/host/comment-key.js

function toCommentKey({ workflow, job, matrix, environment, commentKey, spec, }) {
    return (0,external_node_crypto_.createHash)("sha256")
        .update(JSON.stringify([workflow, job, toLeg(matrix), environment, commentKey, spec]))
        .digest("hex")
        .slice(0, 32);
}
function toLeg(matrix) {
    const text = matrix.trim();
    try {
        const leg = JSON.parse(text);
        return leg === null
            ? ""
            : JSON.stringify(leg, (_key, value) => typeof value !== "object" || value === null || Array.isArray(value)
                ? value
                : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
    }
    catch {
        return text;
    }
}

// EXTERNAL MODULE: ./build/host/github-api.js
var github_api = __webpack_require__(9493);
// EXTERNAL MODULE: ./build/report/escape.js
var report_escape = __webpack_require__(9924);
// EXTERNAL MODULE: ./build/report/report.js
var report_report = __webpack_require__(7177);
// EXTERNAL MODULE: ./build/report/verdict.js
var verdict = __webpack_require__(7342);
// EXTERNAL MODULE: ./build/host/github-error.js
var github_error = __webpack_require__(8415);
;// CONCATENATED MODULE: ./build/host/github-deployment.js





const MAX_DESCRIPTION = 140;
const TASK = "deploy";
const TOOL = "agent-deploy";
function createGithubDeployment(options) {
    const calls = createCalls(options);
    let begun = null;
    let warned = false;
    const move = async (stage, report) => {
        if (begun === null) {
            if (!hasWork(report, stage))
                return;
            begun = await calls.begin(report);
            if (stage === "begin" || !begun.shared)
                await calls.setState(begun.id, "in_progress", report, "begin");
        }
        if (stage === "begin")
            return;
        const state = toState(report);
        if (state === "in_progress" ||
            (isQuiet(state) && begun.shared && (await calls.wasRed(begun.id))))
            return;
        await calls.setState(begun.id, state, report, "end");
        if (state === "success")
            await calls.retireBefore(begun.id);
    };
    const follow = async (stage, report) => {
        try {
            await move(stage, report);
        }
        catch (error) {
            if (!warned)
                options.say("warning", toWarning(error));
            warned = true;
        }
        return begun?.id ?? null;
    };
    return { follow };
}
const STATUSES = "/repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
function createCalls({ api, context, environment }) {
    const repository = (0,github_api/* toRouteRepository */.H)(context.repository ?? { owner: "", name: "" });
    const list = async () => {
        const { data } = await api.request("GET /repos/{owner}/{repo}/deployments", {
            ...repository,
            environment,
            task: TASK,
            per_page: 100,
        });
        return (Array.isArray(data) ? data : []).flatMap((one) => toListed(one));
    };
    const states = async (id, most) => {
        const { data } = await api.request(`GET ${STATUSES}`, {
            ...repository,
            deployment_id: id,
            per_page: most,
        });
        return Array.isArray(data) ? data.map((one) => one.state) : [];
    };
    const begin = async (report) => {
        const ours = (await list()).find((one) => one.run === context.runId && one.attempt === context.runAttempt);
        if (ours !== undefined)
            return { id: ours.id, shared: true };
        const { data } = await api.request("POST /repos/{owner}/{repo}/deployments", {
            ...repository,
            ref: context.headSha,
            task: TASK,
            environment,
            auto_merge: false,
            required_contexts: [],
            description: describe(report, "begin"),
            payload: { tool: TOOL, run_id: context.runId, run_attempt: context.runAttempt },
        });
        const { id } = data;
        if (typeof id !== "number")
            throw new Error("GitHub answered without a deployment");
        return { id, shared: false };
    };
    const setState = async (id, state, report, stage) => {
        const [only] = report.deployments;
        const href = report.deployments.length === 1 && only !== undefined ? (0,report_escape/* toHref */.jd)(only.url) : null;
        await api.request(`POST ${STATUSES}`, {
            ...repository,
            deployment_id: id,
            state,
            description: describe(report, stage),
            auto_inactive: false,
            ...(context.runUrl === "" ? {} : { log_url: context.runUrl }),
            ...(href === null || state !== "success" ? {} : { environment_url: href }),
        });
    };
    const wasRed = async (id) => (await states(id, 100)).some((state) => state === "failure" || state === "error");
    const retireBefore = async (id) => {
        for (const one of (await list()).filter((earlier) => earlier.id < id).slice(0, 20)) {
            const [state] = await states(one.id, 1);
            if (state === "inactive")
                return;
            if (state !== "success" && state !== "in_progress")
                continue;
            await api.request(`POST ${STATUSES}`, {
                ...repository,
                deployment_id: one.id,
                state: "inactive",
                auto_inactive: false,
                description: "Replaced by a later deployment.",
            });
        }
    };
    return { begin, setState, wasRed, retireBefore };
}
const isQuiet = (state) => state === "success" || state === "inactive";
function toListed(one) {
    const { id, payload } = one;
    let read = payload;
    if (typeof read === "string") {
        try {
            read = JSON.parse(read);
        }
        catch {
            return [];
        }
    }
    const { tool, run_id, run_attempt } = (read ?? {});
    return tool === TOOL && typeof id === "number"
        ? [{ id, run: String(run_id), attempt: Number(run_attempt) }]
        : [];
}
const DEPLOYING = ["apply", "redeploy", "wait", "destroy"];
function hasWork(report, stage) {
    if (!DEPLOYING.includes(report.command))
        return false;
    const works = (one) => one.action !== "none" &&
        one.action !== "blocked" &&
        (stage === "begin"
            ? one.plan !== null || report.command !== "apply"
            : !["blocked", "unchanged", "skipped", "planned", "not-run"].includes(one.outcome));
    return report.deployments.some(works);
}
const STATES = {
    superseded: "inactive",
    started: "in_progress",
};
function toState(report) {
    if (report.gate_verdict === "fail" && (0,report_report/* isGreen */.gf)(report.outcome))
        return "failure";
    if (report.command === "destroy" && (0,report_report/* isGreen */.gf)(report.outcome))
        return "inactive";
    return STATES[report.outcome] ?? ((0,report_report/* isGreen */.gf)(report.outcome) ? "success" : "failure");
}
function describe(report, stage) {
    return (0,report_escape/* cutEnd */.ym)((0,report_escape/* toSentence */.Re)((0,verdict/* toVerdict */.d)(report, stage, { name: (name) => name, plain: (words) => words }).headline), MAX_DESCRIPTION);
}
function toWarning(error) {
    const status = (0,github_error/* statusOf */.c)(error);
    const said = (0,github_error/* messageOf */.b)(error);
    if (status === 401 || status === 403 || status === 404) {
        return `The GitHub Deployment was not written: the token may not (${status}: ${said}). Give the job \`permissions: deployments: write\`, or leave \`environment\` out.`;
    }
    return `The GitHub Deployment was not written (${status ?? "no answer"}: ${said}).`;
}

// EXTERNAL MODULE: ./build/host/post-state.js
var post_state = __webpack_require__(9105);
// EXTERNAL MODULE: ./build/report/truncation.js
var truncation = __webpack_require__(1672);
// EXTERNAL MODULE: ./build/host/comment-header.js
var comment_header = __webpack_require__(4670);
;// CONCATENATED MODULE: ./build/host/sticky-comment.js




const NOWHERE = { url: "", id: null };
function createStickyComment(options) {
    const { key, run, say } = options;
    const stamp = { run: run.id === "" ? "0" : run.id, attempt: run.attempt };
    const thread = createThread(options, stamp);
    let warned = false;
    const write = async (render, open) => {
        const header = (0,comment_header/* renderHeader */.wZ)({ v: 1, key, ...stamp, sha: run.sha, open });
        const updated = await update(thread, { stamp, render, header });
        if (updated !== null) {
            if (updated.newer)
                say("notice", "The pull request comment was left as it is: a newer run of this job has written it.");
            return updated.place;
        }
        const made = await thread.create(render, header);
        return (await update(thread, { stamp, render, header, olderThan: made.id }))?.place ?? made;
    };
    const put = async (render, open) => {
        try {
            return await write(render, open);
        }
        catch (error) {
            if (!warned)
                say("warning", sticky_comment_toWarning(error));
            warned = true;
            return NOWHERE;
        }
    };
    return { put };
}
async function update(thread, { stamp, render, header, olderThan = null, }) {
    const found = (await thread.find()).filter((one) => olderThan === null || one.id < olderThan);
    const newer = found.find((one) => one.header !== null && (0,comment_header/* isNewer */.U4)(one.header, stamp));
    if (newer !== undefined) {
        await thread.withdraw(newer.id);
        return { place: { url: newer.url, id: null }, newer: true };
    }
    for (const { id } of found) {
        const place = await thread.edit(id, render, header);
        if (place === null)
            continue;
        await thread.withdraw(id);
        return { place, newer: false };
    }
    return null;
}
function createThread({ api, clock, repository, pullRequest, key }, stamp) {
    const place = { ...(0,github_api/* toRouteRepository */.H)(repository), issue_number: pullRequest };
    const one = (id) => ({
        ...(0,github_api/* toRouteRepository */.H)(repository),
        comment_id: id,
    });
    let own = null;
    const refused = new Set();
    const find = async () => {
        const found = [];
        for await (const page of api.pages("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", place)) {
            for (const listed of page) {
                const comment = toComment(listed, { key, ownId: own?.id ?? null });
                if (comment !== null && !refused.has(comment.id))
                    found.push(comment);
            }
        }
        return found.sort((a, b) => a.id - b.id);
    };
    const edit = async (id, render, header) => {
        try {
            const edited = await sendFitting(render, header, (body) => api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
                ...one(id),
                body,
            }));
            own ??= { id, made: false };
            return edited;
        }
        catch (error) {
            if (![403, 404, 410].includes((0,github_error/* statusOf */.c)(error) ?? 0))
                throw error;
            refused.add(id);
            return null;
        }
    };
    const create = async (render, header) => {
        for (let tries = 1;; tries += 1) {
            let made = null;
            try {
                made = await sendFitting(render, header, (body) => api.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
                    ...place,
                    body,
                }));
            }
            catch (error) {
                const status = (0,github_error/* statusOf */.c)(error);
                if (tries >= 3 || (status !== null && status < 500))
                    throw error;
                await clock.sleep(1000 * tries);
                const taken = (await find()).find(({ header: read }) => read?.run === stamp.run && read.attempt === stamp.attempt);
                if (taken !== undefined)
                    made = { url: taken.url, id: taken.id };
            }
            if (made === null)
                continue;
            own = made.id === null ? null : { id: made.id, made: true };
            return made;
        }
    };
    const withdraw = async (kept) => {
        if (own === null || !own.made || own.id === kept)
            return;
        const { id } = own;
        own = { id: kept, made: false };
        refused.add(id);
        await api.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", one(id));
    };
    return { find, edit, create, withdraw };
}
function toComment(one, { key, ownId }) {
    const { id, body, user, html_url, performed_via_github_app } = one;
    if (typeof id !== "number")
        return null;
    const header = (0,comment_header/* parseHeader */.RW)(typeof body === "string" ? body : "");
    const byApp = user?.type === "Bot" ||
        (performed_via_github_app !== null && performed_via_github_app !== undefined);
    if (id !== ownId && !(byApp && header?.key === key))
        return null;
    return { id, url: typeof html_url === "string" ? html_url : "", header };
}
async function sendFitting(render, header, send) {
    for (let share = 1;; share /= 4) {
        try {
            const { data } = await send(render({
                header,
                maxChars: Math.floor(truncation/* COMMENT_LIMIT */.W$.maxChars * share),
                maxBytes: Math.floor(truncation/* COMMENT_LIMIT */.W$.maxBytes * share),
            }));
            const { id, html_url } = data;
            return {
                id: typeof id === "number" ? id : null,
                url: typeof html_url === "string" ? html_url : "",
            };
        }
        catch (error) {
            if ((0,github_error/* statusOf */.c)(error) !== 422 || share < 1 / 16)
                throw error;
        }
    }
}
function sticky_comment_toWarning(error) {
    const status = (0,github_error/* statusOf */.c)(error);
    const said = (0,github_error/* messageOf */.b)(error);
    if (/lock/i.test(said))
        return `The pull request comment was not written: the conversation is locked (${status ?? "no status"}). The report is in the job summary.`;
    if (status === 401 || status === 403 || status === 404) {
        return `The pull request comment was not written: the token may not (${status}: ${said}). Give the job \`permissions: pull-requests: write\`, or set \`comment: never\`. The report is in the job summary.`;
    }
    return `The pull request comment was not written (${status ?? "no answer"}: ${said}). The report is in the job summary.`;
}

;// CONCATENATED MODULE: ./build/host/github-sinks.js






async function openGithubSinks({ setup, wanted, timeoutMs, signal, say, }) {
    const { context, options, clock } = setup;
    const api = await (0,github_api.createGithubApi)({
        token: options.githubToken,
        baseUrl: context.apiUrl,
        clock,
        timeoutMs,
        signal,
    });
    return {
        sticky: wanted.comment ? await openComment(setup, api, say) : null,
        deployment: wanted.deployment
            ? createGithubDeployment({ api, context, environment: options.environment, say })
            : null,
        save: post_state/* saveSinks */.G,
    };
}
async function openComment({ context, options, clock }, api, say) {
    if (context.repository === null)
        return null;
    let pullRequest;
    try {
        pullRequest = await (0,github_api/* findPullRequest */._)(api, context);
    }
    catch (error) {
        const needs = [401, 403].includes((0,github_error/* statusOf */.c)(error) ?? 0)
            ? " Give the job `permissions: pull-requests: write`."
            : "";
        say("warning", `No pull request comment: the pull request of this commit was not found out (${(0,github_error/* statusOf */.c)(error) ?? "no answer"}: ${(0,github_error/* messageOf */.b)(error)}).${needs} The report is in the job summary.`);
        return null;
    }
    if (pullRequest === null)
        return null;
    const key = toCommentKey({
        workflow: context.workflow,
        job: context.job,
        matrix: options.matrix,
        environment: options.environment,
        commentKey: options.commentKey,
        spec: options.spec,
    });
    return createStickyComment({
        api,
        clock,
        repository: context.repository,
        pullRequest,
        key,
        say,
        run: { id: context.runId, attempt: context.runAttempt, sha: context.headSha },
    });
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


/***/ })

};
;