export const id = 246;
export const ids = [246];
export const modules = {

/***/ 3462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o_: () => (/* binding */ toMissingReport),
/* harmony export */   oy: () => (/* binding */ onlyTarget),
/* harmony export */   q8: () => (/* binding */ findTargets)
/* harmony export */ });
/* harmony import */ var _deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1462);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9166);
/* harmony import */ var _live_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4093);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6183);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6176);





async function findTargets(session, controlPlane) {
    const id = session.options.deploymentId;
    if (id !== undefined) {
        const live = await controlPlane.getDeployment(id);
        (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, live);
        return [{ name: live?.name ?? id, desired: null, live, missing: live === null ? "not-found" : "", why: `there is no deployment ${id}: check deployment-id, the region and the tenant-id` }];
    }
    const documents = await (0,_spec_source_js__WEBPACK_IMPORTED_MODULE_2__/* .readSpec */ .O)(session, "plan");
    const directory = (0,_deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .createDirectory */ .c1)(controlPlane, documents.length);
    return Promise.all(documents.map(async (desired) => {
        const found = await (0,_deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .findLive */ .KI)(controlPlane, desired, desired.deploy.id ?? null, directory.find);
        if (found.state === "live")
            (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, found.deployment);
        if (found.state === "live")
            return { name: desired.name, desired, live: found.deployment, missing: "", why: "" };
        return { name: desired.name, desired, live: null, ...absence(desired.name, found) };
    }));
}
function absence(name, found) {
    switch (found.state) {
        case "twins": return { missing: "twins", why: `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}. Say which with deployment-id` };
        case "unproven": return { missing: "no-lookup", why: `this service has no list of deployments (it answers ${found.status}), so ${name} cannot be looked up: give deployment-id` };
        case "dying": return { missing: "dying", why: `deployment ${found.id} named ${name} is being deleted` };
        case "id-not-found": return { missing: "not-found", why: `there is no deployment ${found.id}: check deploy.id, the region and the tenant-id` };
        case "absent": return { missing: "not-found", why: `there is no deployment named ${name}` };
    }
}
function toMissingReport({ name, missing, why }) {
    const blocked = missing === "twins" || missing === "no-lookup";
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .createTracker */ .P)(name), { outcome: blocked ? "blocked" : "failed", reason: missing, message: why });
}
function onlyTarget(targets, command) {
    const [first, ...others] = targets;
    if (first === undefined || others.length > 0) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`${command} works on one deployment, and the spec has ${targets.length}: give deployment-id, or a spec of one document`);
    }
    return first;
}


/***/ }),

/***/ 7246:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runWait: () => (/* binding */ runWait)
/* harmony export */ });
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(4269);
/* harmony import */ var _deploy_wait_only_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7852);
/* harmony import */ var _assembly_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3743);
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2618);
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3437);
/* harmony import */ var _skip_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3608);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6183);
/* harmony import */ var _target_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3462);








async function runWait(session) {
    const skipped = await (0,_skip_js__WEBPACK_IMPORTED_MODULE_3__/* .skipWithoutKey */ .JS)(session);
    if (skipped !== null)
        return skipped;
    const connection = (0,_service_connection_js__WEBPACK_IMPORTED_MODULE_2__/* .connect */ .N)(session);
    try {
        const context = (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_6__/* .toDeployContext */ .I)(session, connection.controlPlane);
        const targets = await (0,_target_js__WEBPACK_IMPORTED_MODULE_5__/* .findTargets */ .q8)(session, connection.controlPlane);
        if (session.options.revisionId !== undefined && targets.length > 1)
            throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e("revision-id names one revision: give deployment-id too, or a spec of one document");
        const deployments = await Promise.all(targets.map(async (target) => {
            const { desired, live } = target;
            if (live === null)
                return (0,_target_js__WEBPACK_IMPORTED_MODULE_5__/* .toMissingReport */ .o_)(target);
            return (0,_deploy_wait_only_js__WEBPACK_IMPORTED_MODULE_0__/* .awaitRevision */ .q)(context, live, session.options.revisionId ?? null, (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_7__/* .timeoutOf */ .R)(context, desired?.deploy ?? {}));
        }));
        return (0,_assembly_js__WEBPACK_IMPORTED_MODULE_1__/* .toEnd */ .F)(session, (0,_assembly_js__WEBPACK_IMPORTED_MODULE_1__/* .toReport */ .c)(session, { deployments, changed: false }));
    }
    finally {
        await connection.close();
    }
}


/***/ }),

/***/ 7852:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ awaitRevision),
/* harmony export */   s: () => (/* binding */ redeployRevision)
/* harmony export */ });
/* harmony import */ var _apply_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(465);
/* harmony import */ var _diagnosis_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2227);
/* harmony import */ var _step_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8074);
/* harmony import */ var _tracker_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9166);
/* harmony import */ var _wait_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1986);
/* harmony import */ var _write_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5873);






function awaitRevision(context, live, revisionId, timeoutMs) {
    const tracker = (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .createTracker */ .P)(live.name);
    (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .track */ .u4)(tracker, live);
    tracker.revisionId = revisionId ?? live.latest_revision_id;
    tracker.previousRevisionId = live.active_revision_id;
    return waitAndReport(context, tracker, {
        name: live.name, deploymentId: live.id, revisionId: tracker.revisionId, notRevisionIds: [], previousActiveId: null,
        timeoutMs, pollIntervalMs: context.policy.pollIntervalMs, stale: null,
    });
}
async function waitAndReport(context, tracker, request) {
    const end = await (0,_wait_js__WEBPACK_IMPORTED_MODULE_2__/* .waitForRevision */ .gM)(request, (0,_step_js__WEBPACK_IMPORTED_MODULE_1__/* .portsFor */ .U)(context, tracker)).catch((error) => {
        if (context.signal.aborted)
            return null;
        throw error;
    });
    if (end === null)
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, (0,_apply_js__WEBPACK_IMPORTED_MODULE_0__/* .toCancelled */ .r)(tracker));
    tracker.revisionId = end.revisionId;
    if (end.deployment !== null)
        (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .track */ .u4)(tracker, end.deployment);
    if (end.state === "deployed")
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "deployed", message: end.message });
    const next = end.state === "failed" ? await (0,_diagnosis_js__WEBPACK_IMPORTED_MODULE_4__/* .diagnose */ .h)(context, tracker) : end.state === "timed-out" ? [(0,_wait_js__WEBPACK_IMPORTED_MODULE_2__/* .reattachLine */ .vq)(request.deploymentId, end.revisionId)] : [];
    const reason = end.state === "timed-out" ? "timeout" : end.state === "superseded" && end.status !== "SKIPPED" ? "superseded" : end.status ?? end.state;
    return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, { outcome: end.state, reason, message: end.message, next });
}
async function redeployRevision(context, live, revisionId, timeoutMs) {
    const tracker = (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .createTracker */ .P)(live.name);
    (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .track */ .u4)(tracker, live);
    tracker.previousRevisionId = live.active_revision_id;
    try {
        return await redeployAndWait(context, live, revisionId, timeoutMs, tracker);
    }
    catch (error) {
        if (context.signal.aborted)
            return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, (0,_apply_js__WEBPACK_IMPORTED_MODULE_0__/* .toCancelled */ .r)(tracker));
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "failed", reason: "service", message: error.message });
    }
}
async function redeployAndWait(context, live, revisionId, timeoutMs, tracker) {
    const deadlineMs = context.clock.monotonic() + timeoutMs;
    const controlPlane = context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
    const before = await controlPlane.getRevision(live.id, revisionId);
    const sent = await (0,_write_js__WEBPACK_IMPORTED_MODULE_5__/* .writeRedeploy */ .Qe)(context, live.name, live, before, revisionId, deadlineMs);
    if (sent.state === "undecided") {
        const ended = context.signal.aborted ? { outcome: "cancelled", reason: "signal" } : { outcome: "failed", reason: "unknown" };
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, { ...ended, message: sent.message, next: [sent.next] });
    }
    if (sent.state !== "taken")
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "failed", reason: "refused", message: sent.error.message });
    tracker.changed = true;
    const redeployed = (0,_write_js__WEBPACK_IMPORTED_MODULE_5__/* .toRedeployed */ .dh)(live, sent.deployment, before, revisionId);
    tracker.revisionId = redeployed.revisionId;
    if (!context.policy.wait) {
        return (0,_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)(tracker, {
            outcome: "started", message: `redeploy of revision ${revisionId} was started, and wait: false does not wait for it`, next: [(0,_wait_js__WEBPACK_IMPORTED_MODULE_2__/* .reattachLine */ .vq)(live.id, redeployed.revisionId)],
        });
    }
    return waitAndReport(context, tracker, {
        name: live.name, deploymentId: live.id, ...redeployed, previousActiveId: live.active_revision_id, timeoutMs, pollIntervalMs: context.policy.pollIntervalMs,
    });
}


/***/ })

};
