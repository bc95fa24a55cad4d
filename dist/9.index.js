export const id = 9;
export const ids = [9];
export const modules = {

/***/ 2618:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ toDeployContext)
/* harmony export */ });
function toDeployContext(session, controlPlane) {
    const { options, clock, random, repository, shell, run, signal, host, trust } = session;
    return {
        controlPlane, clock, random, repository, shell, run, signal,
        progress: (line) => { host.progress(line); },
        policy: {
            create: options.create, force: options.force, secretsUnknown: options.secretsUnknown, wait: options.wait,
            timeoutMs: options.timeoutMs ?? null, pollIntervalMs: options.pollIntervalMs ?? null, onFailure: options.onFailure ?? null,
            verify: trust.state === "untrusted" ? "" : options.verify ?? null, deploymentId: options.deploymentId ?? null, commit: options.commit ?? null,
        },
    };
}


/***/ }),

/***/ 1009:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runDestroy: () => (/* binding */ runDestroy)
/* harmony export */ });
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(9166);
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(4269);
/* harmony import */ var _assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3743);
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2618);
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3437);
/* harmony import */ var _skip_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3608);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6183);
/* harmony import */ var _target_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3462);
/* harmony import */ var _trust_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9745);









async function runDestroy(session) {
    const { confirm } = session.options;
    if (confirm === undefined)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e("destroy needs confirm: <name of the deployment>, so that no wrong one is deleted");
    (0,_trust_js__WEBPACK_IMPORTED_MODULE_5__/* .refuseUntrusted */ .z)(session);
    const skipped = await (0,_skip_js__WEBPACK_IMPORTED_MODULE_2__/* .skipWithoutKey */ .JS)(session);
    if (skipped !== null)
        return skipped;
    const connection = (0,_service_connection_js__WEBPACK_IMPORTED_MODULE_1__/* .connect */ .N)(session);
    try {
        const context = (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_6__/* .toDeployContext */ .I)(session, connection.controlPlane);
        const target = (0,_target_js__WEBPACK_IMPORTED_MODULE_4__/* .onlyTarget */ .oy)(await (0,_target_js__WEBPACK_IMPORTED_MODULE_4__/* .findTargets */ .q8)(session, connection.controlPlane), "destroy");
        if (target.live !== null && target.live.name !== confirm) {
            throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`confirm is ${confirm}, and the deployment is named ${target.live.name}: nothing was deleted`);
        }
        const unproved = target.missing === "twins" || target.missing === "no-lookup";
        const report = unproved ? (0,_target_js__WEBPACK_IMPORTED_MODULE_4__/* .toMissingReport */ .o_)(target) : target.live === null
            ? (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .createTracker */ .P)(target.name), { outcome: "unchanged", reason: "absent", message: `nothing to delete: ${target.why}` })
            : await destroy(context, target.live, (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_8__/* .timeoutOf */ .R)(context, target.desired?.deploy ?? {}));
        return (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toEnd */ .F)(session, (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { deployments: [report] }));
    }
    finally {
        await connection.close();
    }
}
async function destroy(context, live, timeoutMs) {
    const tracker = (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .createTracker */ .P)(live.name);
    (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .track */ .u4)(tracker, live);
    tracker.previousRevisionId = live.active_revision_id;
    const sent = await context.controlPlane.deleteDeployment(live.id, { deleteTracingProject: true });
    if (sent.state === "refused" && sent.status !== 404) {
        const noDelete = sent.status === 405 || sent.status === 501;
        return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, {
            outcome: "failed", reason: noDelete ? "no-delete" : "refused",
            message: noDelete ? `this service cannot delete deployments (it answers ${sent.status}): delete ${live.id} in its own page` : sent.error.message,
        });
    }
    tracker.changed = true;
    if (!context.policy.wait)
        return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "started", message: `deployment ${live.id} is being deleted, and wait: false does not wait for it` });
    const startedAt = context.clock.monotonic();
    while ((await context.controlPlane.getDeployment(live.id)) !== null) {
        if (context.signal.aborted)
            return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "cancelled", reason: "signal", message: `cancelled: deployment ${live.id} is still being deleted` });
        if (context.clock.monotonic() - startedAt >= timeoutMs) {
            const asked = sent.state === "unknown" ? `it is unknown whether the service took the delete (${sent.error.message}); ` : "";
            return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "timed-out", reason: "timeout", message: `${asked}deployment ${live.id} is still there after the timeout`, next: ["Run destroy again"] });
        }
        await context.clock.sleep(1_000, context.signal).catch(() => undefined);
    }
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_7__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "updated", message: `deployment ${live.id} and its tracing project were deleted` });
}


/***/ }),

/***/ 4093:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ maskLive)
/* harmony export */ });
/* harmony import */ var _plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3211);

function maskLive({ mask }, live) {
    if (live !== null)
        mask(secretsWithin(live.body).filter(_plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .isReturned */ .c0));
}
function secretsWithin(value, key = "") {
    if (typeof value === "string")
        return key === "value" ? [value] : userInfo(value);
    if (typeof value !== "object" || value === null)
        return [];
    if (Array.isArray(value))
        return value.flatMap((item) => secretsWithin(item));
    return Object.entries(value).flatMap(([name, item]) => secretsWithin(item, name));
}
function userInfo(text) {
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/iu.exec(text)?.[1];
    return password === undefined || password === "" ? [] : [password];
}


/***/ }),

/***/ 3608:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JS: () => (/* binding */ skipWithoutKey),
/* harmony export */   tV: () => (/* binding */ mustSkip),
/* harmony export */   uB: () => (/* binding */ endSkipped)
/* harmony export */ });
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9166);
/* harmony import */ var _assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3743);
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3437);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6176);




function mustSkip({ trust }) {
    return trust.state === "no-secrets";
}
function endSkipped(session, documents) {
    const why = session.trust.state === "trusted" ? "" : session.trust.why;
    const message = `the spec is valid; not compared with what is live: ${why}`;
    session.host.say("notice", `skipped: ${message}`);
    const deployments = documents.map((desired) => (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .createTracker */ .P)(desired.name), { outcome: "skipped", reason: "no-key", message }));
    return (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toEnd */ .F)(session, (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { deployments, outcome: "skipped", changed: false }));
}
async function skipWithoutKey(session) {
    if ((0,_service_connection_js__WEBPACK_IMPORTED_MODULE_1__/* .hasCredentials */ .L)(session) || !mustSkip(session))
        return null;
    return endSkipped(session, session.options.deploymentId === undefined ? await (0,_spec_source_js__WEBPACK_IMPORTED_MODULE_2__/* .readSpec */ .O)(session, "validate") : []);
}


/***/ }),

/***/ 6176:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ readSpec)
/* harmony export */ });
/* harmony import */ var _spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6627);
/* harmony import */ var _spec_spec_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6650);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6183);
/* harmony import */ var _spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(176);




const MAX_SPEC_BYTES = _spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_SPEC_CHARS */ .n * 3;
async function readSpec(session, mode) {
    const { options, workspace, host, env, trust } = session;
    const paths = await workspace.expand(options.spec);
    if (paths.length === 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`spec: no file matches ${options.spec.join(", ")}`);
    const files = await Promise.all(paths.map(async (path) => ({ path, text: await workspace.readText(path, MAX_SPEC_BYTES) })));
    const parsed = (0,_spec_spec_js__WEBPACK_IMPORTED_MODULE_1__/* .parseSpec */ .F)({ files, env, mode, interpolate: trust.state !== "untrusted", adopted: options.deploymentId !== undefined });
    session.mask(parsed.sensitiveValues);
    for (const problem of parsed.problems)
        host.annotate(problem);
    const errors = parsed.problems.filter((problem) => problem.level === "error");
    if (errors.length > 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(errors.map(_spec_spec_js__WEBPACK_IMPORTED_MODULE_1__/* .renderProblem */ .y).join("\n"), errors);
    return select(session, parsed.documents);
}
function select(session, documents) {
    const { only, deploymentId } = session.options;
    const names = documents.map((document) => document.name);
    for (const name of only) {
        if (names.includes(name))
            continue;
        const near = (0,_spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__/* .nearestWord */ .z)(name, names);
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`only: no document is named ${name}${near === undefined ? "" : ` (did you mean ${near}?)`}; the spec has ${names.join(", ")}`);
    }
    const chosen = only.length === 0 ? documents : documents.filter((document) => only.includes(document.name));
    if (deploymentId !== undefined && chosen.length > 1) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`deployment-id names one deployment, and the spec has ${chosen.length} documents: ${chosen.map((one) => one.name).join(", ")}. Use deploy.id in each document, or only`);
    }
    return chosen;
}


/***/ }),

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

/***/ 4269:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ timeoutOf)
/* harmony export */ });
function timeoutOf(context, deploy) {
    return context.policy.timeoutMs ?? deploy.timeoutMs ?? 30 * 60_000;
}


/***/ }),

/***/ 1462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KI: () => (/* binding */ findLive),
/* harmony export */   c1: () => (/* binding */ createDirectory),
/* harmony export */   oD: () => (/* binding */ readWhole),
/* harmony export */   y9: () => (/* binding */ isDying)
/* harmony export */ });
const DYING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];
function isDying(deployment) {
    return DYING.includes(deployment.status);
}
const LIST_ALL_FROM = 4;
function createDirectory(controlPlane, documentCount) {
    let everything;
    const exactly = (name, lookup) => (lookup.state === "found" ? { state: "found", items: lookup.items.filter((item) => item.name === name) } : lookup);
    const findAgain = async (name, bounded = controlPlane) => exactly(name, await bounded.listDeployments({ nameContains: name }));
    return {
        findAgain,
        find: async (name, bounded) => {
            if (documentCount < LIST_ALL_FROM)
                return findAgain(name, bounded);
            everything ??= controlPlane.listDeployments({});
            return exactly(name, await everything);
        },
    };
}
async function findLive(controlPlane, desired, id, find) {
    if (id !== null) {
        const deployment = await controlPlane.getDeployment(id);
        if (deployment === null)
            return { state: "id-not-found", id };
        return isDying(deployment) ? { state: "dying", id } : toLive(controlPlane, deployment);
    }
    const lookup = await find(desired.name, controlPlane);
    if (lookup.state === "absent-lookup")
        return { state: "unproven", status: lookup.status };
    const living = lookup.items.filter((item) => !isDying(item));
    if (living.length > 1)
        return { state: "twins", ids: living.map((item) => item.id) };
    const [listed] = living;
    if (listed !== undefined) {
        const deployment = await readWhole(controlPlane, listed);
        return deployment === null || isDying(deployment) ? { state: "dying", id: listed.id } : toLive(controlPlane, deployment);
    }
    const dying = lookup.items[0];
    return dying === undefined ? { state: "absent" } : { state: "dying", id: dying.id };
}
async function readWhole(controlPlane, listed) {
    const whole = ["source_config", "source_revision_config", "secrets", "latest_revision_id", "active_revision_id"].every((key) => listed.body[key] !== undefined);
    return whole ? listed : controlPlane.getDeployment(listed.id);
}
async function toLive(controlPlane, deployment) {
    const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
    if (latestId === null || latestId === activeId)
        return { state: "live", deployment, latest: null, active: null };
    const latest = await controlPlane.getRevision(id, latestId);
    const active = latest?.status === "DEPLOYED" && activeId !== null ? await controlPlane.getRevision(id, activeId) : null;
    return { state: "live", deployment, latest, active };
}


/***/ }),

/***/ 9166:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ createTracker),
/* harmony export */   Pr: () => (/* binding */ toDeploymentReport),
/* harmony export */   Wx: () => (/* binding */ sight),
/* harmony export */   u4: () => (/* binding */ track)
/* harmony export */ });
function createTracker(name) {
    return {
        name, plan: null, id: null, url: "", revisionId: null, revisionStatus: null, previousRevisionId: null, changed: false,
        timeline: [], warnings: [], notes: [], logTail: [], verify: undefined, rollback: undefined,
    };
}
function track(tracker, deployment) {
    tracker.id = deployment.id;
    if (deployment.url !== "")
        tracker.url = deployment.url;
}
function sight(tracker, status, clock) {
    tracker.revisionStatus = status;
    tracker.timeline.push({ status, atMs: clock.now() });
}
function toDeploymentReport(tracker, end) {
    const plan = tracker.plan;
    return {
        name: tracker.name, id: tracker.id, action: plan?.action ?? "none", outcome: end.outcome, reason: end.reason ?? "", message: end.message,
        next: end.next ?? [], revision_id: tracker.revisionId, previous_revision_id: tracker.previousRevisionId,
        revision_status: tracker.revisionStatus, url: tracker.url, changes: plan?.changes ?? [], plan, changed: tracker.changed,
        timeline: tracker.timeline, warnings: [...(plan?.warnings ?? []), ...tracker.warnings], notes: [...(plan?.notes ?? []), ...tracker.notes],
        log_tail: tracker.logTail,
        ...(tracker.verify === undefined ? {} : { verify: tracker.verify }),
        ...(tracker.rollback === undefined ? {} : { rollback: tracker.rollback }),
    };
}


/***/ }),

/***/ 3211:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LI: () => (/* binding */ diffSecrets),
/* harmony export */   Wo: () => (/* binding */ toEntries),
/* harmony export */   c0: () => (/* binding */ isReturned)
/* harmony export */ });
/* harmony import */ var _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7508);
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5499);


function toEntries(value) {
    if (!Array.isArray(value))
        return [];
    return value.flatMap((item) => {
        if (!(0,_value_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(item) || typeof item["name"] !== "string")
            return [];
        const text = item["value"];
        return [{ name: item["name"], value: typeof text === "string" ? text : "" }];
    });
}
function isReturned(value) {
    return !/^[*•]*$/u.test(value);
}
const change = (name, before, after) => ({ path: `secrets.${name}`, before, after, effect: "new-revision", sensitive: true });
function diffSecrets(desired, live, mode, unknownPolicy) {
    const wanted = toEntries(desired.body["secrets"]);
    const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
    const changes = [];
    const unknownValues = [];
    wanted.forEach(({ name, value }, index) => {
        const before = current.get(name);
        const atApply = desired.unknown.has(`secrets.${index}.value`);
        if (before === undefined)
            changes.push(change(name, null, atApply ? _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__/* .KNOWN_AT_APPLY */ .X : "(new value)"));
        else if (atApply)
            return;
        else if (!isReturned(before)) {
            if (value === "" && before === "")
                return;
            unknownValues.push(name);
            if (unknownPolicy === "send")
                changes.push(change(name, "value unknown", "(new value)"));
        }
        else if (before !== value)
            changes.push(change(name, "(old value)", "(new value)"));
    });
    const names = new Set(wanted.map((entry) => entry.name));
    const others = [...current].filter(([name]) => !names.has(name));
    if (mode === "replace") {
        for (const [name] of others)
            changes.push(change(name, "(set)", null));
        return { changes, unknownValues, unreadable: [], body: wanted.map(toBody) };
    }
    const unreadable = others.filter(([, value]) => !isReturned(value)).map(([name]) => name);
    const carried = others.map(([name, value]) => ({ name, value }));
    return { changes, unknownValues, unreadable, body: [...carried, ...wanted].map(toBody) };
}
const toBody = ({ name, value }) => ({ name, value });


/***/ })

};
