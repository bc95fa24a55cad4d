"use strict";
exports.id = 107;
exports.ids = [107];
exports.modules = {

/***/ 3925:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ canonicalJson)
/* harmony export */ });
const LONE_SURROGATE = /[\ud800-\udfff]/u;
function canonicalJson(value, forbidden = "refused") {
    switch (typeof value) {
        case "string":
            if (forbidden === "refused" && LONE_SURROGATE.test(value))
                throw new RangeError("a string holds a lone surrogate");
            return JSON.stringify(value);
        case "number":
            if (Number.isFinite(value))
                return String(value);
            if (forbidden === "refused")
                throw new RangeError("a number is not finite");
            return "null";
        case "boolean":
            return value ? "true" : "false";
        case "object": {
            if (value === null)
                return "null";
            return Array.isArray(value)
                ? listText(value, forbidden)
                : objectText(value, forbidden);
        }
        default:
            if (forbidden === "refused")
                throw new RangeError(`${typeof value} is no JSON`);
            return "null";
    }
}
function listText(list, forbidden) {
    let text = "[";
    for (let at = 0; at < list.length; at += 1)
        text += (at === 0 ? "" : ",") + canonicalJson(list[at], forbidden);
    return `${text}]`;
}
function objectText(value, forbidden) {
    const keys = inOrder(Object.keys(value));
    let text = "{";
    for (let at = 0; at < keys.length; at += 1)
        text += `${at === 0 ? "" : ","}${keyText(keys[at], forbidden)}:${canonicalJson(value[keys[at]], forbidden)}`;
    return `${text}}`;
}
function inOrder(keys) {
    if (keys.length > MOST_INSERTED)
        return keys.sort();
    for (let at = 1; at < keys.length; at += 1) {
        const key = keys[at];
        let to = at;
        for (; to > 0 && keys[to - 1] > key; to -= 1)
            keys[to] = keys[to - 1];
        keys[to] = key;
    }
    return keys;
}
const MOST_INSERTED = 12;
const KEY_TEXTS = new Map();
const MOST_KEPT_KEYS = 1000;
const MOST_KEPT_CHARS = 64;
function keyText(key, forbidden) {
    const known = KEY_TEXTS.get(key);
    if (known !== undefined)
        return known;
    const text = canonicalJson(key, forbidden);
    if (KEY_TEXTS.size < MOST_KEPT_KEYS && key.length <= MOST_KEPT_CHARS && !LONE_SURROGATE.test(key))
        KEY_TEXTS.set(key, text);
    return text;
}


/***/ }),

/***/ 4269:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ timeoutOf)
/* harmony export */ });
function timeoutOf(context, deploy) {
    return context.policy.timeoutMs ?? deploy.timeoutMs ?? 30 * 60_000;
}


/***/ }),

/***/ 2028:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ rollBack),
/* harmony export */   s: () => (/* binding */ redeployPrevious)
/* harmony export */ });
/* harmony import */ var _context_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4269);
/* harmony import */ var _wait_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1986);
/* harmony import */ var _write_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5873);



const NOT_RESTORED = "The rollback did not restore secrets or resource_spec: a redeploy leaves both as they are";
async function rollBack(context, desired, tracker, end) {
    const wanted = context.policy.onFailure ?? desired.deploy.on_failure ?? "none";
    if (wanted !== "rollback" || tracker.id === null)
        return end;
    const done = await redeployPrevious(context, {
        name: desired.name,
        deploymentId: tracker.id,
        failedRevisionId: tracker.revisionId,
        previousRevisionId: tracker.previousRevisionId,
        timeoutMs: (0,_context_js__WEBPACK_IMPORTED_MODULE_1__/* .timeoutOf */ .R)(context, desired.deploy),
    });
    tracker.rollback = done.rollback;
    const told = { message: `${end.message}. ${done.message}`, next: done.next };
    return done.rollback.outcome === "cancelled"
        ? { outcome: "cancelled", reason: "signal", ...told }
        : { ...end, ...told };
}
async function redeployPrevious(context, request) {
    const progress = { revisionId: null };
    try {
        return await goBack(context, request, progress);
    }
    catch (error) {
        const { revisionId } = progress;
        if (!context.signal.aborted)
            return ended("failed", revisionId, error.message);
        const message = revisionId === null
            ? "cancelled before it was sent"
            : `cancelled: revision ${revisionId} still building`;
        return {
            ...ended("cancelled", revisionId, message),
            next: revisionId === null ? [] : [(0,_wait_js__WEBPACK_IMPORTED_MODULE_0__/* .reattachLine */ .vq)(request.deploymentId, revisionId)],
        };
    }
}
function ended(outcome, revisionId, message) {
    return {
        rollback: { revision_id: revisionId, outcome },
        message: `Rollback: ${message}`,
        next: outcome === "deployed"
            ? ["Fix the cause, then deploy again", NOT_RESTORED]
            : ["Check which revision is serving before you deploy again"],
    };
}
async function goBack(context, request, progress) {
    const { name, deploymentId, failedRevisionId, previousRevisionId } = request;
    const deadlineMs = context.clock.monotonic() + request.timeoutMs;
    const controlPlane = context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
    if (previousRevisionId === null)
        return ended("blocked", null, "nothing was active before this run, so there is nothing to go back to");
    if (previousRevisionId === failedRevisionId)
        return ended("blocked", null, `revision ${failedRevisionId}, which failed, is the one that was active before`);
    const live = await controlPlane.getDeployment(deploymentId);
    if (live === null)
        return ended("failed", null, `deployment ${deploymentId} is not found any more`);
    const latest = live.latest_revision_id;
    if (latest !== null &&
        latest !== failedRevisionId &&
        latest !== previousRevisionId &&
        failedRevisionId !== null) {
        return ended("superseded", null, `not done: revision ${latest}, which is not of this run, is newer`);
    }
    context.progress(`${name}: going back to revision ${previousRevisionId}`);
    const before = await controlPlane.getRevision(deploymentId, previousRevisionId);
    const sent = await (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .writeRedeploy */ .Qe)(context, name, live, before, previousRevisionId, deadlineMs);
    if (sent.state === "undecided")
        return {
            ...ended(context.signal.aborted ? "cancelled" : "failed", null, sent.message),
            next: [sent.next],
        };
    if (sent.state !== "taken")
        return ended("failed", null, sent.error.message);
    const redeployed = (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .toRedeployed */ .dh)(live, sent.deployment, before, previousRevisionId);
    progress.revisionId = redeployed.revisionId;
    const end = await (0,_wait_js__WEBPACK_IMPORTED_MODULE_0__/* .waitForRevision */ .gM)({
        name: `${name} (rollback)`,
        deploymentId,
        ...redeployed,
        previousActiveId: live.active_revision_id,
        timeoutMs: request.timeoutMs,
        pollIntervalMs: context.policy.pollIntervalMs,
    }, {
        controlPlane: context.controlPlane,
        clock: context.clock,
        signal: context.signal,
        progress: context.progress,
        onStatus: () => { },
        onRevision: (id) => {
            progress.revisionId = id;
        },
    });
    if (end.state === "deployed")
        return ended("deployed", end.revisionId, end.revisionId === previousRevisionId
            ? `revision ${previousRevisionId}, which was active before, is active again`
            : `revision ${previousRevisionId}, which was active before, was redeployed as revision ${end.revisionId}`);
    const told = ended(end.state, end.revisionId, end.message);
    return end.state === "timed-out"
        ? { ...told, next: [(0,_wait_js__WEBPACK_IMPORTED_MODULE_0__/* .reattachLine */ .vq)(deploymentId, end.revisionId)] }
        : told;
}


/***/ }),

/***/ 270:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E4: () => (/* binding */ versionOf),
/* harmony export */   KZ: () => (/* binding */ wantedVersion),
/* harmony export */   bm: () => (/* binding */ withServing),
/* harmony export */   nV: () => (/* binding */ servedBy)
/* harmony export */ });
/* harmony import */ var _report_report_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7177);

const PATIENCE_MS = 10_000;
function versionOf(config) {
    if (typeof config !== "object" || config === null || Array.isArray(config))
        return null;
    const { image_uri: image, repo_ref: ref } = config;
    const version = [image, ref].find((one) => typeof one === "string" && one !== "");
    return typeof version === "string" ? version : null;
}
function wantedVersion(desired, live) {
    return (versionOf(desired.body["source_revision_config"]) ??
        versionOf(live?.body["source_revision_config"]));
}
function servedBy(live) {
    const { active_revision_id: active, latest_revision_id: latest } = live;
    if (active === null)
        return null;
    return {
        revision_id: active,
        version: active === latest ? versionOf(live.body["source_revision_config"]) : null,
    };
}
async function withServing(context, one) {
    if (one.outcome === "deployed" && one.rollback === undefined && one.revision_id !== null)
        return { ...one, serving: { revision_id: one.revision_id, version: one.version ?? null } };
    if ((0,_report_report_js__WEBPACK_IMPORTED_MODULE_0__/* .isGreen */ .gf)(one.outcome) && one.rollback === undefined)
        return one;
    if (one.id === null || context.signal.aborted)
        return one;
    try {
        return { ...one, serving: await readServing(context, one.id) };
    }
    catch {
        return one;
    }
}
async function readServing(context, id) {
    const limits = {
        deadlineMs: context.clock.monotonic() + PATIENCE_MS,
        signal: context.signal,
    };
    const controlPlane = context.controlPlane.within?.(limits) ?? context.controlPlane;
    const live = await controlPlane.getDeployment(id);
    const active = live?.active_revision_id ?? null;
    if (active === null)
        return null;
    const revision = await controlPlane.getRevision(id, active);
    return { revision_id: active, version: versionOf(revision?.source_revision_config) };
}


/***/ }),

/***/ 1986:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  vq: () => (/* binding */ reattachLine),
  gM: () => (/* binding */ waitForRevision)
});

// UNUSED EXPORTS: pollDelayMs

// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
// EXTERNAL MODULE: ./build/deploy/identity.js
var identity = __webpack_require__(1462);
;// CONCATENATED MODULE: ./build/deploy/revision-reader.js
const LAST_LOOK_MS = 2_000;
const DEPLOYMENT_READ = { shortestMs: 5_000, share: 0.15 };
function createReader(deploymentId, { controlPlane, clock, signal }, say, deadlineMs) {
    let deployment = null;
    let deploymentReadAt = clock.monotonic();
    let [failures, failure, missing] = [0, null, 0];
    const gone = `deployment ${deploymentId} is not found (404): was it deleted?`;
    const service = () => controlPlane.within?.({
        deadlineMs: Math.max(deadlineMs(), clock.monotonic() + LAST_LOOK_MS),
        signal,
    }) ?? controlPlane;
    const older = new Set();
    async function read(call) {
        try {
            const result = await call();
            [failures, failure] = [0, null];
            return result;
        }
        catch (error) {
            signal.throwIfAborted();
            failure = error.message;
            failures += 1;
            if (failures === 1 || failures % 10 === 0)
                say(`the status cannot be read: still waiting (${failure})`);
            return null;
        }
    }
    return {
        deployment: () => deployment,
        failure: () => failure ?? (missing > 0 ? gone : null),
        isDue: (startedAt) => clock.monotonic() - deploymentReadAt >=
            Math.max(DEPLOYMENT_READ.shortestMs, (clock.monotonic() - startedAt) * DEPLOYMENT_READ.share),
        readRevision: (id) => read(() => service().getRevision(deploymentId, id)),
        readDeployment: async () => {
            deploymentReadAt = clock.monotonic();
            const next = await read(() => service().getDeployment(deploymentId));
            if (next !== null)
                [deployment, missing] = [next, 0];
            else if (failure === null) {
                missing += 1;
                if (missing === 1 || missing % 10 === 0)
                    say(`deployment ${deploymentId} is not found (404): still waiting`);
            }
            return next;
        },
        newerActive: async (ours, previousActiveId) => {
            const activeId = deployment?.active_revision_id ?? null;
            if (activeId === null ||
                activeId === ours.id ||
                activeId === previousActiveId ||
                older.has(activeId))
                return null;
            const active = await read(() => service().getRevision(deploymentId, activeId));
            if (active === null)
                return failure === null && deployment?.latest_revision_id === activeId ? activeId : null;
            const ages = [Date.parse(active.created_at), Date.parse(ours.created_at)];
            const told = ages.every((age) => !Number.isNaN(age)) && ages[0] !== ages[1];
            const newer = told ? ages[0] > ages[1] : deployment?.latest_revision_id === activeId;
            if (told && !newer)
                older.add(activeId);
            return newer ? activeId : null;
        },
    };
}

;// CONCATENATED MODULE: ./build/deploy/wait.js



const QUEUE = ["CREATING", "QUEUED"];
const KNOWN = [
    ...QUEUE,
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "CREATE_FAILED",
    "BUILD_FAILED",
    "DEPLOY_FAILED",
    "DEPLOYED",
    "SKIPPED",
    "INTERRUPTED",
    "UNKNOWN",
];
const INTERRUPTED_FOR_MS = 30_000;
const SILENCE = { shortestMs: 30_000, longestMs: 300_000 };
const LAST_PHASES = ["DEPLOYING", "AWAITING_DEPLOY", "DEPLOYED"];
const BEGINNING = { untilMs: 3_000, delayMs: 500 };
function pollDelayMs(status, inStatusMs, elapsedMs) {
    const last = status !== null && LAST_PHASES.includes(status);
    const { shortest, longest, share } = last
        ? { shortest: 1_200, longest: 12_000, share: 0.08 }
        : { shortest: 2_000, longest: 40_000, share: 0.22 };
    return Math.min(longest, Math.max(elapsedMs < BEGINNING.untilMs ? BEGINNING.delayMs : shortest, inStatusMs * share));
}
async function waitForRevision(request, ports) {
    const watch = createWatch(request, ports);
    for (;;) {
        ports.signal.throwIfAborted();
        const end = await watch.look();
        if (end !== null)
            return end;
        const late = watch.overdue();
        if (late !== null)
            return late;
        await ports.clock.sleep(watch.delayMs(), ports.signal);
    }
}
function createWatch(request, ports) {
    const { clock, onRevision, onStatus } = ports;
    const startedAt = clock.monotonic();
    const { stale } = request;
    const timeline = [];
    let [status, statusSince, leftQueueAt] = [
        null,
        startedAt,
        null,
    ];
    let [revisionId, revision, isStale] = [
        request.revisionId,
        null,
        stale !== null,
    ];
    const progressLog = createProgressLog(request.name, ports);
    const deadlineMs = () => (leftQueueAt ?? startedAt) + request.timeoutMs;
    const reader = createReader(request.deploymentId, ports, progressLog.say, deadlineMs);
    const end = (state, message) => ({
        state,
        named: revisionId !== null,
        status,
        revisionId,
        revision,
        deployment: reader.deployment(),
        timeline,
        message,
    });
    function see(next) {
        if (next === status)
            return;
        const transition = { status: next, atMs: clock.now() };
        timeline.push(transition);
        onStatus(transition);
        if (!QUEUE.includes(next))
            leftQueueAt ??= clock.monotonic();
        progressLog.change(`${next}${KNOWN.includes(next) ? "" : " (a status never seen before: still waiting)"}`);
        [status, statusSince] = [next, clock.monotonic()];
    }
    function follow(id) {
        revisionId = id;
        onRevision(id);
    }
    async function nameRevision() {
        const latest = (await reader.readDeployment())?.latest_revision_id ?? null;
        if (latest === null)
            return;
        if (stale !== null && latest === stale.latestBefore)
            follow(stale.revisionId);
        else if (!request.notRevisionIds.includes(latest))
            follow(latest);
    }
    async function followRedeployed() {
        const latest = (await reader.readDeployment())?.latest_revision_id ?? null;
        if (stale === null || latest === null || latest === stale.latestBefore || latest === revisionId)
            return;
        isStale = false;
        follow(latest);
    }
    async function overtaken(words) {
        const other = revision === null ? null : await reader.newerActive(revision, request.previousActiveId);
        return other === null ? null : end("superseded", words(other));
    }
    async function judge(next) {
        if (/_FAILED$/.test(next.status))
            return end("failed", failureSentence(next));
        if (next.status === "SKIPPED")
            return end("superseded", `revision ${next.id} was skipped by the service: a newer one overtook it`);
        if (next.status === "INTERRUPTED" && clock.monotonic() - statusSince >= INTERRUPTED_FOR_MS) {
            return end("failed", `revision ${next.id} was interrupted and stayed so for ${INTERRUPTED_FOR_MS / 1000} s`);
        }
        const isDeployed = next.status === "DEPLOYED";
        if (!isDeployed && !reader.isDue(startedAt))
            return null;
        const deployment = await reader.readDeployment();
        if (deployment !== null && (0,identity/* isDeleting */.p8)(deployment))
            return endDeleting();
        if (isDeployed && deployment?.active_revision_id === next.id)
            return end("deployed", `revision ${next.id} is active`);
        return overtaken((other) => isDeployed
            ? `revision ${next.id} was built, but revision ${other} is active: somebody deployed on top of it`
            : `revision ${other}, newer than revision ${next.id}, is active`);
    }
    async function lookBeyond() {
        const deployment = reader.isDue(startedAt) ? await reader.readDeployment() : null;
        return deployment !== null && (0,identity/* isDeleting */.p8)(deployment) ? endDeleting() : null;
    }
    function endDeleting() {
        return end("failed", `deployment ${request.deploymentId} is being deleted: revision ${revisionId ?? "(not named yet)"} will not go live`);
    }
    return {
        look: async () => {
            if (revisionId === null)
                await nameRevision();
            if (revisionId === null)
                return reader.deployment() !== null && (0,identity/* isDeleting */.p8)(reader.deployment())
                    ? endDeleting()
                    : null;
            const next = await reader.readRevision(revisionId);
            if (next === null)
                return lookBeyond();
            if (isStale &&
                stale !== null &&
                next.id === stale.revisionId &&
                stale.status === next.status &&
                stale.updatedAt === next.updated_at) {
                await followRedeployed();
                return null;
            }
            isStale = false;
            revision = next;
            see(next.status);
            return judge(next);
        },
        overdue: () => {
            if (clock.monotonic() < deadlineMs()) {
                progressLog.still(revisionId === null
                    ? "waiting for the service to name the revision"
                    : isStale
                        ? `${stale?.status}, as before the redeploy`
                        : (status ?? "waiting for the revision to appear"));
                return null;
            }
            const limit = `after ${(0,wording/* durationWords */.Sh)(request.timeoutMs)} ${leftQueueAt === null ? "in the queue" : "since it left the queue"}`;
            return end("timed-out", overdueSentence(limit));
        },
        delayMs: () => {
            const left = deadlineMs() - clock.monotonic();
            return Math.max(10, Math.min(request.pollIntervalMs ??
                pollDelayMs(status, clock.monotonic() - statusSince, clock.monotonic() - startedAt), left));
        },
    };
    function overdueSentence(limit) {
        const unreadable = reader.failure();
        const why = unreadable === null ? "" : `. The status could not be read at last: ${unreadable}`;
        if (revisionId === null)
            return `${request.neverNamed ?? `the service named no new revision of deployment ${request.deploymentId}`} (${limit.replace(/ in the queue$/, "")})${why}`;
        if (isStale)
            return `revision ${revisionId} is still ${stale?.status}, as before its redeploy, ${limit}${why}`;
        if (status === "DEPLOYED") {
            const active = reader.deployment()?.active_revision_id ?? null;
            return `revision ${revisionId} is DEPLOYED, but ${active === null ? "no revision" : `revision ${active}`} is active ${limit}${why}`;
        }
        return `revision ${revisionId} is ${status ?? "not visible"} ${limit}; it may still become DEPLOYED${why}`;
    }
}
function createProgressLog(name, { clock, progress }) {
    const startedAt = clock.monotonic();
    let [spokeAt, silenceMs] = [startedAt, SILENCE.shortestMs];
    const elapsed = () => (0,wording/* durationWords */.Sh)(clock.monotonic() - startedAt);
    const say = (line) => {
        progress(`${name}: ${line}`);
        spokeAt = clock.monotonic();
    };
    return {
        say,
        change: (words) => {
            say(`${words} after ${elapsed()}`);
            silenceMs = SILENCE.shortestMs;
        },
        still: (words) => {
            if (clock.monotonic() - spokeAt < silenceMs)
                return;
            say(`still ${words} after ${elapsed()}`);
            silenceMs = Math.min(SILENCE.longestMs, silenceMs * 2);
        },
    };
}
const PHASES = {
    CREATE_FAILED: "while it was created",
    BUILD_FAILED: "in its build",
    DEPLOY_FAILED: "while it was rolled out",
};
function failureSentence(revision) {
    const why = revision.status_message === "" ? "" : `: ${revision.status_message}`;
    return `revision ${revision.id} failed ${PHASES[revision.status] ?? ""} (${revision.status})${why}`.replace("  ", " ");
}
function reattachLine(deploymentId, revisionId) {
    return `agent-deploy wait --deployment-id ${deploymentId}${revisionId === null ? "" : ` --revision-id ${revisionId}`}`;
}


/***/ }),

/***/ 5873:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CZ: () => (/* binding */ writePatch),
/* harmony export */   Fj: () => (/* binding */ writeDelete),
/* harmony export */   Qe: () => (/* binding */ writeRedeploy),
/* harmony export */   dh: () => (/* binding */ toRedeployed),
/* harmony export */   yi: () => (/* binding */ writeCreate)
/* harmony export */ });
/* harmony import */ var _identity_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1462);

const MOST_TRIES = 5;
const LOOK_AFTER_MS = [500, 1_500, 4_000];
const SETTLE_MS = 15_000;
async function sendAndReconcile(context, writing) {
    const { what, send, howToFindOut } = writing;
    let last = new Error(what);
    const undecided = (why) => ({
        state: "undecided",
        message: `${what}: it is unknown whether the service took it (${last.message}), and ${why}`,
        next: howToFindOut,
    });
    for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
        context.signal.throwIfAborted();
        const result = await send(bounded(context, writing.deadlineMs));
        if (result.state === "taken")
            return { state: "taken", deployment: result.reply };
        if (result.state === "refused") {
            if (result.status !== 409)
                return { state: "refused", error: result.error };
            const seen = attempt === 1 ? null : await lookOnce(context, writing);
            return seen?.state === "yes"
                ? { state: "taken", deployment: seen.value }
                : { state: "conflict", error: result.error };
        }
        last = result.error;
        if (!context.signal.aborted)
            context.progress(`${what}: no clear answer (${last.message}): reading what is there`);
        const seen = await lookRepeatedly(context, writing);
        if (seen === null)
            return undecided("the run was cancelled before it could be read");
        if (seen.state === "yes")
            return { state: "taken", deployment: seen.value };
        if (seen.state === "other")
            return {
                state: "conflict",
                error: new Error(`${what}: deployment ${seen.id}, which is somebody else's, has the name now`),
            };
        if (seen.state === "unreadable")
            return undecided(`it cannot be read: ${seen.error.message}`);
    }
    return {
        state: "refused",
        error: new Error(`${what}: tried ${MOST_TRIES} times, and each time a read showed that the service had not taken it. Last answer: ${last.message}`, { cause: last }),
    };
}
function bounded(context, deadlineMs) {
    return (context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane);
}
async function lookRepeatedly(context, writing) {
    let seen = { state: "no" };
    for (const pauseMs of LOOK_AFTER_MS) {
        const stopped = await context.clock.sleep(pauseMs, context.signal).then(() => false, () => true);
        seen = stopped ? null : await lookOnce(context, writing);
        if (seen?.state !== "no")
            return seen;
    }
    return seen;
}
async function lookOnce(context, { look, deadlineMs }) {
    try {
        return await look(bounded(context, Math.max(deadlineMs, context.clock.monotonic() + SETTLE_MS)));
    }
    catch (error) {
        return context.signal.aborted ? null : { state: "unreadable", error: error };
    }
}
function writeCreate(context, directory, desired, body, isThere, deadlineMs) {
    return sendAndReconcile(context, {
        what: `create of ${desired.name}`,
        deadlineMs,
        send: (controlPlane) => controlPlane.createDeployment(body, desired.dialect),
        look: async (controlPlane) => {
            const lookup = await directory.findAgain(desired.name, controlPlane);
            if (lookup.state === "absent-lookup")
                return {
                    state: "unreadable",
                    error: new Error(`the service has no list of deployments (it answers ${lookup.status})`),
                };
            const living = lookup.items.filter((item) => !(0,_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .isDeleting */ .p8)(item));
            const [listed] = living;
            if (listed === undefined)
                return { state: "no" };
            const whole = await (0,_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .readWhole */ .oD)(controlPlane, listed);
            if (whole === null)
                return { state: "no" };
            return living.length > 1 || isThere(whole)
                ? { state: "yes", value: whole }
                : { state: "other", id: whole.id };
        },
        howToFindOut: `Look for a deployment named ${desired.name} in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again`,
    });
}
function writePatch(context, desired, before, step, isThere, deadlineMs) {
    return sendAndReconcile(context, {
        what: `update of ${desired.name}`,
        deadlineMs,
        send: (controlPlane) => controlPlane.patchDeployment(before.id, step.body, desired.dialect),
        look: async (controlPlane) => {
            const live = await controlPlane.getDeployment(before.id);
            if (live === null)
                return {
                    state: "unreadable",
                    error: new Error(`deployment ${before.id} is not found any more`),
                };
            const moved = live.latest_revision_id !== before.latest_revision_id;
            return (step.makesRevision ? moved && isThere(live) : isThere(live))
                ? { state: "yes", value: live }
                : { state: "no" };
        },
        howToFindOut: "Run again: it reads what is live and sends only what is missing",
    });
}
function writeRedeploy(context, name, before, revision, revisionId, deadlineMs) {
    let touchedAt = null;
    return sendAndReconcile(context, {
        what: `redeploy of ${name}`,
        deadlineMs,
        send: (controlPlane) => controlPlane.redeploy(before.id, revisionId),
        look: async (controlPlane) => {
            const live = await controlPlane.getDeployment(before.id);
            if (live === null)
                return {
                    state: "unreadable",
                    error: new Error(`deployment ${before.id} is not found any more`),
                };
            if (live.latest_revision_id !== before.latest_revision_id)
                return { state: "yes", value: live };
            if (live.updated_at !== before.updated_at && live.updated_at === touchedAt)
                return { state: "yes", value: live };
            touchedAt = live.updated_at;
            const now = await controlPlane.getRevision(before.id, revisionId);
            const moved = now !== null &&
                revision !== null &&
                (now.status !== revision.status || now.updated_at !== revision.updated_at);
            return moved ? { state: "yes", value: live } : { state: "no" };
        },
        howToFindOut: `Run agent-deploy wait --deployment-id ${before.id} to see its latest revision`,
    });
}
function writeDelete(context, live, deadlineMs) {
    return sendAndReconcile(context, {
        what: `delete of ${live.name}`,
        deadlineMs,
        send: async (controlPlane) => {
            const result = await controlPlane.deleteDeployment(live.id, { deleteTracingProject: true });
            return result.state === "taken" ? { state: "taken", reply: live } : result;
        },
        look: async (controlPlane) => {
            const now = await controlPlane.getDeployment(live.id);
            return now === null || (0,_identity_js__WEBPACK_IMPORTED_MODULE_0__/* .isDeleting */ .p8)(now)
                ? { state: "yes", value: now ?? live }
                : { state: "no" };
        },
        howToFindOut: "Run destroy again: it reads what is there and deletes only that",
    });
}
function toRedeployed(before, after, revision, revisionId) {
    const latest = after.latest_revision_id;
    const stale = revision === null
        ? null
        : {
            revisionId,
            latestBefore: before.latest_revision_id,
            status: revision.status,
            updatedAt: revision.updated_at,
        };
    if (latest === null)
        return { revisionId: null, notRevisionIds: [], stale };
    return latest === before.latest_revision_id
        ? { revisionId, notRevisionIds: [], stale }
        : { revisionId: latest, notRevisionIds: [], stale: null };
}


/***/ }),

/***/ 9053:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ toDeployContext)
/* harmony export */ });
function toDeployContext(session, controlPlane) {
    const { options, clock, random, repository, shell, run, signal, host, trust } = session;
    return {
        controlPlane,
        clock,
        random,
        repository,
        shell,
        run,
        signal,
        progress: (line) => {
            host.progress(line);
        },
        policy: {
            create: options.create,
            force: options.force,
            secretsUnknown: options.secretsUnknown,
            wait: options.wait,
            timeoutMs: options.timeoutMs ?? null,
            pollIntervalMs: options.pollIntervalMs ?? null,
            onFailure: options.onFailure ?? null,
            verify: trust.state === "untrusted" ? "" : (options.verify ?? null),
            deploymentId: options.deploymentId ?? null,
            commit: options.commit ?? null,
        },
    };
}


/***/ })

};
;