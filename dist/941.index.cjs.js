"use strict";
exports.id = 941;
exports.ids = [941];
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

/***/ 3996:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   maskPrepared: () => (/* binding */ maskPrepared),
/* harmony export */   prepareAll: () => (/* binding */ prepareAll),
/* harmony export */   runPlan: () => (/* binding */ runPlan),
/* harmony export */   toPlanReport: () => (/* binding */ toPlanReport),
/* harmony export */   toPlannedReport: () => (/* binding */ toPlannedReport)
/* harmony export */ });
/* harmony import */ var _deploy_identity_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1462);
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(4269);
/* harmony import */ var _deploy_pool_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1122);
/* harmony import */ var _deploy_prepare_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7755);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(9166);
/* harmony import */ var _plan_fingerprint_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(802);
/* harmony import */ var _run_report_assembly_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7447);
/* harmony import */ var _run_start_report_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9965);
/* harmony import */ var _run_live_secrets_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4950);
/* harmony import */ var _run_deploy_context_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(9053);










async function prepareAll(context, documents, concurrency) {
    const directory = (0,_deploy_identity_js__WEBPACK_IMPORTED_MODULE_5__/* .createDirectory */ .c1)(context.controlPlane, documents.length);
    const preparations = await (0,_deploy_pool_js__WEBPACK_IMPORTED_MODULE_6__/* .runPool */ .k)(documents, concurrency, async (desired) => {
        try {
            return {
                state: "prepared",
                prepared: await (0,_deploy_prepare_js__WEBPACK_IMPORTED_MODULE_0__/* .prepareDeployment */ .J)(withinTimeout(context, desired), directory, desired),
            };
        }
        catch (error) {
            const cancelled = context.signal.aborted;
            const report = (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .createTracker */ .P)(desired.name), {
                outcome: cancelled ? "cancelled" : "failed",
                reason: cancelled ? "signal" : "service",
                message: cancelled ? "cancelled before anything was sent" : error.message,
            });
            return { state: "failed", report };
        }
    });
    return { directory, preparations };
}
function withinTimeout(context, desired) {
    const deadlineMs = context.clock.monotonic() + (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_8__/* .timeoutOf */ .R)(context, desired.deploy);
    return {
        ...context,
        controlPlane: context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane,
    };
}
function maskPrepared(session, preparations) {
    for (const one of preparations)
        if (one.state === "prepared" && one.prepared.found.state === "live")
            (0,_run_live_secrets_js__WEBPACK_IMPORTED_MODULE_4__/* .maskLive */ .t)(session, one.prepared.found.deployment);
}
function toPlanReport(preparation) {
    if (preparation.state === "failed")
        return preparation.report;
    const { planned: { plan, steps }, found, } = preparation.prepared;
    const tracker = (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .createTracker */ .P)(plan.name);
    tracker.plan = plan;
    tracker.id = plan.id;
    if (found.state === "live") {
        (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .track */ .u4)(tracker, found.deployment);
        tracker.revisionId = found.deployment.latest_revision_id;
        tracker.previousRevisionId = found.deployment.active_revision_id;
        tracker.revisionStatus =
            found.latest?.status ??
                (found.deployment.latest_revision_id !== null &&
                    found.deployment.latest_revision_id === found.deployment.active_revision_id
                    ? "DEPLOYED"
                    : null);
    }
    if (plan.action === "blocked") {
        return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, {
            outcome: "blocked",
            reason: plan.blockers[0]?.code ?? "blocked",
            message: plan.blockers.map((blocker) => blocker.message).join(" · "),
        });
    }
    tracker.changed = steps.some((step) => step.kind !== "attach" && step.kind !== "await-push");
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, {
        outcome: steps.length === 0 ? "unchanged" : "planned",
        message: planSentence(plan.action),
    });
}
function planSentence(action) {
    switch (action) {
        case "create":
            return "would be created";
        case "update":
            return "would be updated";
        case "redeploy":
            return "would redeploy the latest revision, which is not running";
        case "attach":
            return "a revision is under way: would wait for it, and write nothing";
        default:
            return "nothing to do: live is what the spec says";
    }
}
const COMMIT = /(^|\.)repo_commit_sha$/;
function isDrift(report) {
    return report.changes.some((change) => !COMMIT.test(change.path));
}
function toPlannedReport(session, parts) {
    const plans = parts.deployments.flatMap((one) => (one.plan === null ? [] : [one.plan]));
    return (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_2__/* .toReport */ .c)(session, {
        ...parts,
        fingerprint: plans.length === 0 ? "" : (0,_plan_fingerprint_js__WEBPACK_IMPORTED_MODULE_1__/* .runFingerprint */ .q)(plans),
    });
}
async function runPlan(session, documents, connection) {
    const context = (0,_run_deploy_context_js__WEBPACK_IMPORTED_MODULE_9__/* .toDeployContext */ .I)(session, connection.controlPlane);
    const begun = (0,_run_start_report_js__WEBPACK_IMPORTED_MODULE_3__/* .publishStart */ .s)(session, documents);
    const { preparations } = await prepareAll(context, documents, session.options.concurrency);
    maskPrepared(session, preparations);
    await begun;
    const deployments = preparations.map(toPlanReport);
    return (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_2__/* .toEnd */ .F)(session, toPlannedReport(session, { deployments }), {
        drift: session.options.failOnChanges && deployments.some(isDrift),
    });
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

/***/ 1122:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   k: () => (/* binding */ runPool)
/* harmony export */ });
async function runPool(items, limit, work, rest) {
    const results = new Array(items.length);
    let next = 0;
    let stopped = false;
    const worker = async () => {
        for (let index = next++; index < items.length; index = next++) {
            const item = items[index];
            results[index] = stopped && rest !== undefined ? rest.skip(item) : await work(item);
            if (rest?.isStop(results[index]) === true)
                stopped = true;
        }
    };
    await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
    return results;
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


/***/ }),

/***/ 9965:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   s: () => (/* binding */ publishStart)
/* harmony export */ });
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9166);
/* harmony import */ var _report_assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7447);


async function publishStart(session, documents) {
    const deployments = documents.map((desired) => (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_1__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_1__/* .createTracker */ .P)(desired.name), { outcome: "not-run", message: "" }));
    await session.host.publish("begin", (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { deployments }));
}


/***/ }),

/***/ 2502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ ServiceError)
/* harmony export */ });
class ServiceError extends Error {
    name = "ServiceError";
    status;
    input;
    constructor(message, options = {}) {
        super(message, options.cause === undefined ? undefined : { cause: options.cause });
        this.status = options.status ?? null;
        this.input = options.input ?? null;
    }
}


/***/ })

};
;