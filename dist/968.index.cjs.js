"use strict";
exports.id = 968;
exports.ids = [968];
exports.modules = {

/***/ 5659:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runApply: () => (/* binding */ runApply)
});

// EXTERNAL MODULE: ./build/deploy/apply.js + 1 modules
var apply = __webpack_require__(465);
// EXTERNAL MODULE: ./build/deploy/pool.js
var pool = __webpack_require__(1122);
// EXTERNAL MODULE: ./build/deploy/tracker.js
var tracker = __webpack_require__(9166);
// EXTERNAL MODULE: ./build/plan/fingerprint.js
var fingerprint = __webpack_require__(802);
// EXTERNAL MODULE: ./build/report/report.js
var report_report = __webpack_require__(7177);
// EXTERNAL MODULE: ./build/run/report-assembly.js
var report_assembly = __webpack_require__(7447);
// EXTERNAL MODULE: ./build/run/start-report.js
var start_report = __webpack_require__(9965);
// EXTERNAL MODULE: ./build/run/deploy-context.js
var deploy_context = __webpack_require__(9053);
;// CONCATENATED MODULE: ./build/evaluation/evaluation.js
const NOTHING = {
    before: () => Promise.resolve(null),
    partsSoFar: () => ({}),
    after: (deployments) => Promise.resolve({ deployments, parts: {}, gateFailed: false, otherRed: false }),
};
async function createEvaluation(session, connection) {
    if (session.options.experiment.length === 0 && session.options.gate === undefined)
        return NOTHING;
    return (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(857), __webpack_require__.e(932), __webpack_require__.e(351), __webpack_require__.e(749)]).then(__webpack_require__.bind(__webpack_require__, 6749))).createResultEvaluation(session, connection);
}

// EXTERNAL MODULE: ./build/commands/plan.js
var plan = __webpack_require__(3996);
;// CONCATENATED MODULE: ./build/commands/apply.js










async function runApply(given, documents, connection) {
    const { dryRun, concurrency, failFast } = given.options;
    const session = dryRun ? { ...given, command: "plan" } : given;
    const context = (0,deploy_context/* toDeployContext */.I)(session, connection.controlPlane);
    const evaluation = await createEvaluation(session, connection);
    const begun = (0,start_report/* publishStart */.s)(session, documents);
    const { directory, preparations } = await (0,plan.prepareAll)(context, documents, concurrency);
    (0,plan.maskPrepared)(session, preparations);
    await begun;
    await session.host.publish("begin", (0,plan.toPlannedReport)(session, { deployments: preparations.map(plan.toPlanReport) }));
    const stop = await stopBeforeWriting(session, preparations, evaluation);
    const deployments = stop !== null
        ? preparations.map((preparation) => toStopped(preparation, stop))
        : dryRun
            ? preparations.map(plan.toPlanReport)
            : await (0,pool/* runPool */.k)(preparations, concurrency, (preparation) => applyOne(session, context, directory, preparation), {
                isStop: (report) => failFast && !(0,report_report/* isGreen */.gf)(report.outcome),
                skip: (preparation) => toNotRun(preparation),
            });
    const evaluated = stop === null
        ? await evaluation.after(deployments, context, documents)
        : {
            deployments,
            parts: evaluation.partsSoFar(),
            gateFailed: stop.reason === "gate",
            otherRed: false,
        };
    return (0,report_assembly/* toEnd */.F)(session, (0,plan.toPlannedReport)(session, { ...evaluated.parts, deployments: evaluated.deployments }), { gate: evaluated.gateFailed, other: evaluated.otherRed });
}
function applyOne(session, context, directory, preparation) {
    if (preparation.state === "failed")
        return Promise.resolve(preparation.report);
    const { planned: { plan }, } = preparation.prepared;
    session.host.progress(`${plan.name}: ${plan.action === "none" ? "nothing to do" : plan.action}${namesOf(plan.changes.map((change) => change.path))}`);
    return (0,apply/* applyDeployment */.A)(context, directory, preparation.prepared);
}
function namesOf(paths) {
    if (paths.length === 0)
        return "";
    return paths.length <= MOST_NAMES
        ? ` (${paths.join(", ")})`
        : ` (${paths.slice(0, MOST_NAMES).join(", ")} and ${paths.length - MOST_NAMES} more)`;
}
const MOST_NAMES = 3;
async function stopBeforeWriting(session, preparations, evaluation) {
    if (session.trust.state === "untrusted")
        return { reason: "untrusted", message: session.trust.why };
    const expected = session.options.expectPlan;
    if (expected !== undefined) {
        const plans = preparations.flatMap((one) => one.state === "prepared" ? [one.prepared.planned.plan] : []);
        const actual = (0,fingerprint/* runFingerprint */.q)(plans);
        const alone = plans.length === 1 ? plans[0]?.fingerprint : undefined;
        if (expected !== actual && expected !== alone) {
            return {
                reason: "plan-changed",
                message: `the plan is not the one that was expected: expect-plan is ${expected}, the plan now is ${actual}. Review the new plan, then approve its fingerprint`,
            };
        }
    }
    const gate = await evaluation.before();
    return gate === null ? null : { reason: "gate", message: gate };
}
function toStopped(preparation, stop) {
    const report = (0,plan.toPlanReport)(preparation);
    if (report.outcome !== "planned" &&
        !(report.outcome === "unchanged" && stop.reason !== "untrusted"))
        return report;
    return {
        ...report,
        outcome: "blocked",
        reason: stop.reason,
        message: stop.message,
        changed: false,
    };
}
function toNotRun(preparation) {
    const report = preparation.state === "failed" ? preparation.report : (0,plan.toPlanReport)(preparation);
    return (0,tracker/* toDeploymentReport */.Pr)({ ...(0,tracker/* createTracker */.P)(report.name), plan: report.plan, id: report.id, url: report.url }, {
        outcome: "not-run",
        reason: "fail-fast",
        message: "not run: an earlier deployment failed, and fail-fast is set",
    });
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