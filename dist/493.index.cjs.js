"use strict";
exports.id = 493;
exports.ids = [493];
exports.modules = {

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


/***/ })

};
;