"use strict";
exports.id = 809;
exports.ids = [809];
exports.modules = {

/***/ 5809:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runDestroy: () => (/* binding */ runDestroy)
});

// EXTERNAL MODULE: ./build/deploy/context.js
var deploy_context = __webpack_require__(4269);
// EXTERNAL MODULE: ./build/service/control-plane.js
var control_plane = __webpack_require__(2502);
// EXTERNAL MODULE: ./build/deploy/identity.js
var identity = __webpack_require__(1462);
// EXTERNAL MODULE: ./build/deploy/tracker.js
var deploy_tracker = __webpack_require__(9166);
// EXTERNAL MODULE: ./build/deploy/write.js
var write = __webpack_require__(5873);
;// CONCATENATED MODULE: ./build/deploy/removal.js




const POLL_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;
async function removeDeployment(context, live, timeoutMs) {
    const tracker = (0,deploy_tracker/* createTracker */.P)(live.name);
    (0,deploy_tracker/* track */.u4)(tracker, live);
    tracker.previousRevisionId = live.active_revision_id;
    const deadlineMs = context.clock.monotonic() + timeoutMs;
    const report = (end) => (0,deploy_tracker/* toDeploymentReport */.Pr)(tracker, end);
    let sent;
    try {
        sent = await (0,write/* writeDelete */.Fj)(context, live, deadlineMs);
    }
    catch (error) {
        if (context.signal.aborted)
            return report({
                outcome: "cancelled",
                reason: "signal",
                message: `cancelled: nothing was sent, deployment ${live.id} is as it was`,
            });
        return report({ outcome: "failed", reason: "service", message: error.message });
    }
    const notFound = sent.state === "refused" && statusOf(sent.error) === 404 ? sent.error : null;
    if (sent.state === "undecided") {
        return report({
            ...(context.signal.aborted
                ? { outcome: "cancelled", reason: "signal" }
                : { outcome: "failed", reason: "unknown" }),
            message: sent.message,
            next: [sent.next],
        });
    }
    if (sent.state !== "taken" && notFound === null)
        return report(toRefused(sent.error, live));
    tracker.changed = notFound === null;
    if (!context.policy.wait && notFound === null)
        return report({
            outcome: "started",
            message: `deployment ${live.id} is being deleted, and wait: false does not wait for it`,
        });
    return report(await awaitGone(context, live, deadlineMs, notFound));
}
const statusOf = (error) => error instanceof control_plane/* ServiceError */._ ? error.status : null;
function toRefused(error, live) {
    const status = statusOf(error);
    return status === 405 || status === 501
        ? {
            outcome: "failed",
            reason: "no-delete",
            message: `this service cannot delete deployments (it answers ${status}): delete ${live.id} in its own page`,
        }
        : { outcome: "failed", reason: "refused", message: error.message };
}
async function awaitGone(context, live, deadlineMs, notFound) {
    const controlPlane = context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
    for (;;) {
        let pauseMs = POLL_MS;
        try {
            const now = await controlPlane.getDeployment(live.id);
            if (now === null)
                return {
                    outcome: "updated",
                    message: `deployment ${live.id} and its tracing project were deleted`,
                };
            if (notFound !== null && !(0,identity/* isDeleting */.p8)(now))
                return {
                    outcome: "failed",
                    reason: "no-delete",
                    message: `this service cannot delete deployments (it answers 404, and deployment ${live.id} is there): delete it in its own page`,
                };
        }
        catch (error) {
            pauseMs = POLL_AFTER_ERROR_MS;
            if (!context.signal.aborted)
                context.progress(`${live.name}: ${error.message}`);
        }
        if (!context.signal.aborted)
            await context.clock.sleep(pauseMs, context.signal).catch(() => undefined);
        if (context.signal.aborted)
            return {
                outcome: "cancelled",
                reason: "signal",
                message: `cancelled: deployment ${live.id} is still being deleted`,
                next: ["Run destroy again: it waits until the deployment is gone"],
            };
        if (context.clock.monotonic() >= deadlineMs)
            return {
                outcome: "timed-out",
                reason: "timeout",
                message: `deployment ${live.id} is still there after the timeout`,
                next: ["Run destroy again"],
            };
    }
}

// EXTERNAL MODULE: ./build/run/report-assembly.js
var report_assembly = __webpack_require__(7447);
// EXTERNAL MODULE: ./build/run/deploy-context.js
var run_deploy_context = __webpack_require__(9053);
// EXTERNAL MODULE: ./build/run/service-connection.js + 11 modules
var service_connection = __webpack_require__(4007);
// EXTERNAL MODULE: ./build/run/skip.js
var skip = __webpack_require__(4243);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
// EXTERNAL MODULE: ./build/run/looked-up-deployment.js
var looked_up_deployment = __webpack_require__(916);
// EXTERNAL MODULE: ./build/run/trust.js
var trust = __webpack_require__(2048);
;// CONCATENATED MODULE: ./build/commands/destroy.js










async function runDestroy(session) {
    const { confirm } = session.options;
    if (confirm === undefined)
        throw new run_session/* UsageError */.e("destroy needs confirm: <name of the deployment>, so that no wrong one is deleted");
    (0,trust/* refuseUntrusted */.z)(session);
    const skipped = await (0,skip/* skipWithoutKey */.JS)(session);
    if (skipped !== null)
        return skipped;
    return (0,service_connection.withConnection)(session, async (connection) => {
        const context = (0,run_deploy_context/* toDeployContext */.I)(session, connection.controlPlane);
        const target = (0,looked_up_deployment/* onlyTarget */.oy)(await (0,looked_up_deployment/* findTargets */.q8)(session, connection.controlPlane), "destroy");
        if (target.live !== null && target.live.name !== confirm) {
            throw new run_session/* UsageError */.e(`confirm is ${confirm}, and the deployment is named ${target.live.name}: nothing was deleted`);
        }
        const unproved = target.missing === "duplicates" || target.missing === "no-lookup";
        const report = unproved
            ? (0,looked_up_deployment/* toMissingReport */.o_)(target)
            : target.live === null
                ? (0,deploy_tracker/* toDeploymentReport */.Pr)((0,deploy_tracker/* createTracker */.P)(target.name), {
                    outcome: "unchanged",
                    reason: "absent",
                    message: `nothing to delete: ${target.why}`,
                })
                : await removeDeployment(context, target.live, (0,deploy_context/* timeoutOf */.R)(context, target.desired?.deploy ?? {}));
        return (0,report_assembly/* toEnd */.F)(session, (0,report_assembly/* toReport */.c)(session, { deployments: [report] }));
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

/***/ 1462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KI: () => (/* binding */ findLive),
/* harmony export */   c1: () => (/* binding */ createDirectory),
/* harmony export */   oD: () => (/* binding */ readWhole),
/* harmony export */   p8: () => (/* binding */ isDeleting)
/* harmony export */ });
const DELETING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];
function isDeleting(deployment) {
    return DELETING.includes(deployment.status);
}
const LIST_ALL_FROM = 4;
function createDirectory(controlPlane, documentCount) {
    let everything;
    const exactly = (name, lookup) => lookup.state === "found"
        ? { state: "found", items: lookup.items.filter((item) => item.name === name) }
        : lookup;
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
        return isDeleting(deployment) ? { state: "deleting", id } : toLive(controlPlane, deployment);
    }
    const lookup = await find(desired.name, controlPlane);
    if (lookup.state === "absent-lookup")
        return { state: "lookup-unavailable", status: lookup.status };
    const living = lookup.items.filter((item) => !isDeleting(item));
    if (living.length > 1)
        return { state: "duplicates", ids: living.map((item) => item.id) };
    const [listed] = living;
    if (listed !== undefined) {
        const deployment = await readWhole(controlPlane, listed);
        return deployment === null || isDeleting(deployment)
            ? { state: "deleting", id: listed.id }
            : toLive(controlPlane, deployment);
    }
    const deleting = lookup.items[0];
    return deleting === undefined ? { state: "absent" } : { state: "deleting", id: deleting.id };
}
async function readWhole(controlPlane, listed) {
    const whole = [
        "source_config",
        "source_revision_config",
        "secrets",
        "latest_revision_id",
        "active_revision_id",
    ].every((key) => listed.body[key] !== undefined);
    return whole ? listed : controlPlane.getDeployment(listed.id);
}
async function toLive(controlPlane, deployment) {
    const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
    if (latestId === null || latestId === activeId)
        return { state: "live", deployment, latest: null, active: null };
    const latest = await controlPlane.getRevision(id, latestId);
    const active = latest?.status === "DEPLOYED" && activeId !== null
        ? await controlPlane.getRevision(id, activeId)
        : null;
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
        name,
        plan: null,
        id: null,
        dialect: null,
        url: "",
        revisionId: null,
        revisionStatus: null,
        previousRevisionId: null,
        changed: false,
        timeline: [],
        warnings: [],
        notes: [],
        logTail: [],
        verify: undefined,
        rollback: undefined,
    };
}
function track(tracker, deployment) {
    tracker.id = deployment.id;
    tracker.dialect = deployment.dialect;
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
        name: tracker.name,
        id: tracker.id,
        action: plan?.action ?? "none",
        outcome: end.outcome,
        reason: end.reason ?? "",
        message: end.message,
        next: end.next ?? [],
        revision_id: tracker.revisionId,
        previous_revision_id: tracker.previousRevisionId,
        revision_status: tracker.revisionStatus,
        url: tracker.url,
        changes: plan?.changes ?? [],
        plan,
        changed: tracker.changed,
        timeline: tracker.timeline,
        warnings: [...(plan?.warnings ?? []), ...tracker.warnings],
        notes: [...(plan?.notes ?? []), ...tracker.notes],
        log_tail: tracker.logTail,
        ...(tracker.verify === undefined ? {} : { verify: tracker.verify }),
        ...(tracker.rollback === undefined ? {} : { rollback: tracker.rollback }),
    };
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
const change = (name, before, after) => ({
    path: `secrets.${name}`,
    before,
    after,
    effect: "new-revision",
    sensitive: true,
});
function diffSecrets(desired, live, mode, unknownPolicy) {
    const wanted = toEntries(desired.body["secrets"]);
    const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
    const changes = [];
    const unknownValues = [];
    const knownAtApply = [];
    wanted.forEach(({ name, value }, index) => {
        const before = current.get(name);
        const atApply = desired.unknown.has(`secrets.${index}.value`);
        if (before === undefined)
            changes.push(change(name, null, atApply ? _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__/* .KNOWN_AT_APPLY */ .X : "(new value)"));
        else if (atApply)
            knownAtApply.push(name);
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
        return { changes, unknownValues, knownAtApply, unreadable: [], body: wanted.map(toBody) };
    }
    const unreadable = others.filter(([, value]) => !isReturned(value)).map(([name]) => name);
    const overlaid = new Map([
        ...current,
        ...wanted.map(({ name, value }) => [name, value]),
    ]);
    return {
        changes,
        unknownValues,
        knownAtApply,
        unreadable,
        body: [...overlaid].map(([name, value]) => toBody({ name, value })),
    };
}
const toBody = ({ name, value }) => ({ name, value });


/***/ }),

/***/ 5499:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   J5: () => (/* binding */ withItems),
/* harmony export */   Le: () => (/* binding */ withoutNulls),
/* harmony export */   Lw: () => (/* binding */ overlay),
/* harmony export */   Pz: () => (/* binding */ withNumbers),
/* harmony export */   TN: () => (/* binding */ keyOf),
/* harmony export */   UJ: () => (/* binding */ coveredBy),
/* harmony export */   bh: () => (/* binding */ toShown),
/* harmony export */   cO: () => (/* binding */ withValue),
/* harmony export */   fK: () => (/* binding */ valueAt),
/* harmony export */   gn: () => (/* binding */ withMembers),
/* harmony export */   h3: () => (/* binding */ holdsSensitive),
/* harmony export */   kZ: () => (/* binding */ isNull),
/* harmony export */   nd: () => (/* binding */ withoutDefaults),
/* harmony export */   rO: () => (/* binding */ withDefaults),
/* harmony export */   sl: () => (/* binding */ withoutUserInfo)
/* harmony export */ });
function isNull(value) {
    return value === null || value === undefined;
}
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
const KEYS = new Map();
function keysOf(path) {
    const known = KEYS.get(path);
    if (known !== undefined)
        return known;
    const keys = path.split(".");
    if (KEYS.size < MOST_KEPT_PATHS)
        KEYS.set(path, keys);
    return keys;
}
const MOST_KEPT_PATHS = 1000;
function valueAt(body, path) {
    let value = body;
    for (const key of keysOf(path)) {
        if (!isObject(value) || !Object.hasOwn(value, key))
            return undefined;
        value = value[key];
    }
    return value;
}
function withValue(body, path, value) {
    const [key, ...rest] = path.split(".");
    if (rest.length === 0)
        return { ...body, [key]: value };
    const child = body[key];
    return { ...body, [key]: withValue(isObject(child) ? child : {}, rest.join("."), value) };
}
function withMembers(value, change) {
    const keys = Object.keys(value);
    let out = null;
    for (let at = 0; at < keys.length; at += 1) {
        const key = keys[at];
        const item = value[key];
        const next = change(item, key);
        if (out === null && next === item && next !== undefined)
            continue;
        if (out === null) {
            out = {};
            for (let before = 0; before < at; before += 1)
                put(out, keys[before], value[keys[before]]);
        }
        if (next !== undefined)
            put(out, key, next);
    }
    return out ?? value;
}
function put(out, key, value) {
    if (key === "__proto__")
        Object.defineProperty(out, key, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
        });
    else
        out[key] = value;
}
function withItems(list, change) {
    let out = null;
    for (let at = 0; at < list.length; at += 1) {
        const next = change(list[at]);
        if (next !== list[at])
            (out ??= [...list])[at] = next;
    }
    return out ?? list;
}
function withoutNulls(value) {
    if (Array.isArray(value))
        return withItems(value, withoutNulls);
    return isObject(value) ? withMembers(value, withoutNullMember) : value;
}
const withoutNullMember = (item) => isNull(item) ? undefined : withoutNulls(item);
const NUMERIC = /^-?\d+(?:\.\d+)?$/;
function withNumbers(shape, value) {
    if (shape.kind === "scalar")
        return typeof value === "string" &&
            (shape.type === "number" || shape.type === "integer") &&
            NUMERIC.test(value)
            ? Number(value)
            : value;
    if (shape.kind !== "struct" || !isObject(value))
        return value;
    let out = null;
    for (const [key, item] of Object.entries(value)) {
        const child = shape.fields.get(key)?.shape;
        const read = child === undefined ? item : withNumbers(child, item);
        if (read !== item)
            (out ??= { ...value })[key] = read;
    }
    return out ?? value;
}
function documentedDefault(field, siblings) {
    const rule = field.meta.default;
    if (rule === undefined)
        return undefined;
    if ("value" in rule)
        return rule.value;
    const base = siblings[rule.of];
    return typeof base === "number" ? base * rule.times : undefined;
}
const DEFAULT_ROWS = new WeakMap();
function defaultRows(shape) {
    const known = DEFAULT_ROWS.get(shape);
    if (known !== undefined)
        return known;
    const rows = [...shape.fields].filter(([, field]) => field.meta.default !== undefined);
    DEFAULT_ROWS.set(shape, rows);
    return rows;
}
function withDefaults(shape, value) {
    const rows = defaultRows(shape);
    if (rows.length === 0)
        return value;
    let filled = null;
    for (const [name, field] of rows) {
        if (!isNull((filled ?? value)[name]))
            continue;
        const fallback = documentedDefault(field, filled ?? value);
        if (fallback !== undefined)
            (filled ??= { ...value })[name] = fallback;
    }
    return filled ?? value;
}
function withoutDefaults(shape, value) {
    if (defaultRows(shape).length === 0)
        return value;
    const filled = withDefaults(shape, value);
    return withMembers(value, (item, name) => {
        const field = shape.fields.get(name);
        return field === undefined || item !== documentedDefault(field, filled) ? item : undefined;
    });
}
function keyOf(item, match) {
    const key = isObject(item) ? item[match] : undefined;
    return typeof key === "string" ? key : JSON.stringify(key ?? item);
}
function overlay(shape, wanted, live) {
    if ((shape.kind !== "struct" && shape.kind !== "map") || !isObject(wanted) || !isObject(live))
        return isNull(wanted) ? (live ?? null) : wanted;
    const out = { ...live };
    for (const [key, value] of Object.entries(wanted)) {
        const child = shape.kind === "struct" ? shape.fields.get(key)?.shape : undefined;
        if (!isNull(value))
            out[key] = child === undefined ? value : overlay(child, value, live[key]);
    }
    return out;
}
function coveredBy(wanted, live) {
    if (isNull(wanted))
        return true;
    if (Array.isArray(wanted)) {
        return (Array.isArray(live) &&
            live.length === wanted.length &&
            wanted.every((item, index) => coveredBy(item, live[index])));
    }
    if (isObject(wanted)) {
        return (isObject(live) && Object.entries(wanted).every(([key, item]) => coveredBy(item, live[key])));
    }
    return wanted === live;
}
function withoutUserInfo(url) {
    return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}
function toShown(field, shape, value) {
    if (isNull(value))
        return null;
    if (field?.meta.sensitive === "value")
        return value === "" ? "" : "(sensitive)";
    if (typeof value === "string")
        return field?.meta.sensitive === "user-info" ? withoutUserInfo(value) : value;
    if (shape.kind === "list" && Array.isArray(value))
        return withItems(value, (item) => toShown(undefined, shape.item, item));
    if (shape.kind === "struct" && isObject(value)) {
        return withMembers(value, (item, key) => {
            if (isNull(item))
                return undefined;
            const child = shape.fields.get(key);
            return child === undefined ? item : toShown(child, child.shape, item);
        });
    }
    return value;
}
function holdsSensitive(field, shape, value) {
    if (isNull(value))
        return false;
    if (field?.meta.sensitive === "value")
        return true;
    if (shape.kind === "list")
        return (Array.isArray(value) &&
            value.some((item) => holdsSensitive(undefined, shape.item, item)));
    return (shape.kind === "struct" &&
        isObject(value) &&
        [...shape.fields].some(([key, child]) => holdsSensitive(child, child.shape, value[key])));
}


/***/ }),

/***/ 6767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  x: () => (/* binding */ checkAccess),
  L: () => (/* binding */ hasCredentials)
});

// EXTERNAL MODULE: ./build/service/addresses.js
var service_addresses = __webpack_require__(876);
;// CONCATENATED MODULE: ./build/service/credentials.js
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
function toAuthHeaders(given) {
    const values = {
        "api-key": given.apiKey?.trim() ?? "",
        "tenant-id": given.tenantId?.trim() ?? "",
        "bearer-token": given.bearerToken?.trim() ?? "",
    };
    for (const input of ["api-key", "tenant-id", "bearer-token"]) {
        if (values[input] !== "" && !VISIBLE_ASCII.test(values[input])) {
            return {
                kind: "problem",
                input,
                message: `${input}: holds a character that cannot travel in a header (a line break, a space or a quote of a word processor?); paste it again`,
            };
        }
    }
    if (values["bearer-token"] !== "" && values["tenant-id"] === "") {
        return {
            kind: "problem",
            input: "tenant-id",
            message: "tenant-id: is needed with bearer-token, since a bearer token names no workspace; give the workspace's id",
        };
    }
    if (values["bearer-token"] === "" && values["api-key"] === "") {
        return {
            kind: "problem",
            input: "api-key",
            message: "api-key: is empty: the secret does not exist or is not passed to this step",
        };
    }
    return {
        kind: "headers",
        headers: {
            ...(values["api-key"] === "" ? {} : { "X-Api-Key": values["api-key"] }),
            ...(values["tenant-id"] === "" ? {} : { "X-Tenant-Id": values["tenant-id"] }),
            ...(values["bearer-token"] === ""
                ? {}
                : { Authorization: `Bearer ${values["bearer-token"]}` }),
        },
    };
}

// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/run/access.js



function hasCredentials({ options }) {
    return options.apiKey !== undefined || options.bearerToken !== undefined;
}
function checkAccess(session) {
    const { options } = session;
    const auth = toAuthHeaders({
        apiKey: options.apiKey,
        tenantId: options.tenantId,
        bearerToken: options.bearerToken,
    });
    if (auth.kind === "problem") {
        const where = session.entryPoint === "cli" && auth.input === "api-key" && !hasCredentials(session)
            ? "; here it comes from AGENT_DEPLOY_API_KEY (or LANGSMITH_API_KEY), or from --api-key-file"
            : "";
        throw new run_session/* UsageError */.e(auth.message + where);
    }
    const addresses = (0,service_addresses/* resolveAddresses */.B6)({
        region: options.region,
        controlPlaneUrl: options.controlPlaneUrl,
        tracingUrl: options.tracingUrl,
    });
    if (addresses.kind === "problem")
        throw new run_session/* UsageError */.e(addresses.message);
    return { headers: auth.headers, addresses };
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

/***/ 4950:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ maskLive)
/* harmony export */ });
/* harmony import */ var _plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3211);
/* harmony import */ var _spec_document_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6885);


function maskLive({ mask }, live) {
    if (live !== null)
        mask(secretsWithin(live.body).filter(_plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .isReturned */ .c0));
}
function secretsWithin(value, key = "") {
    if (typeof value === "string")
        return key === "value" ? [value] : (0,_spec_document_js__WEBPACK_IMPORTED_MODULE_1__/* .userInfo */ .e)(value);
    if (typeof value !== "object" || value === null)
        return [];
    if (Array.isArray(value))
        return value.flatMap((item) => secretsWithin(item));
    return Object.entries(value).flatMap(([name, item]) => secretsWithin(item, name));
}


/***/ }),

/***/ 916:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o_: () => (/* binding */ toMissingReport),
/* harmony export */   oy: () => (/* binding */ onlyTarget),
/* harmony export */   q8: () => (/* binding */ findTargets)
/* harmony export */ });
/* harmony import */ var _deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1462);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9166);
/* harmony import */ var _live_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4950);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5834);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4949);





async function findTargets(session, controlPlane) {
    const id = session.options.deploymentId;
    if (id !== undefined) {
        const live = await controlPlane.getDeployment(id);
        (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, live);
        return [
            {
                name: live?.name ?? id,
                desired: null,
                live,
                missing: live === null ? "not-found" : "",
                why: `there is no deployment ${id}: check deployment-id, the region and the tenant-id`,
            },
        ];
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
        case "duplicates":
            return {
                missing: "duplicates",
                why: `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}. Say which with deployment-id`,
            };
        case "lookup-unavailable":
            return {
                missing: "no-lookup",
                why: `this service has no list of deployments (it answers ${found.status}), so ${name} cannot be looked up: give deployment-id`,
            };
        case "deleting":
            return { missing: "deleting", why: `deployment ${found.id} named ${name} is being deleted` };
        case "id-not-found":
            return {
                missing: "not-found",
                why: `there is no deployment ${found.id}: check deploy.id, the region and the tenant-id`,
            };
        case "absent":
            return { missing: "not-found", why: `there is no deployment named ${name}` };
    }
}
function toMissingReport({ name, missing, why }) {
    const blocked = missing === "duplicates" || missing === "no-lookup";
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .createTracker */ .P)(name), {
        outcome: blocked ? "blocked" : "failed",
        reason: missing,
        message: why,
    });
}
function onlyTarget(targets, command) {
    const [first, ...others] = targets;
    if (first === undefined || others.length > 0) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`${command} works on one deployment, and the spec has ${targets.length}: give deployment-id, or a spec of one document`);
    }
    return first;
}


/***/ }),

/***/ 4243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   JS: () => (/* binding */ skipWithoutKey),
/* harmony export */   tV: () => (/* binding */ mustSkip),
/* harmony export */   uB: () => (/* binding */ endSkipped)
/* harmony export */ });
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9166);
/* harmony import */ var _access_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6767);
/* harmony import */ var _report_assembly_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7447);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4949);




function mustSkip({ trust }) {
    return trust.state === "no-secrets";
}
function endSkipped(session, documents) {
    const why = session.trust.state === "trusted" ? "" : session.trust.why;
    const message = `the spec is valid; not compared with what is live: ${why}`;
    session.host.say("notice", `skipped: ${message}`);
    const deployments = documents.map((desired) => (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_3__/* .createTracker */ .P)(desired.name), {
        outcome: "skipped",
        reason: "no-key",
        message,
    }));
    return (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_1__/* .toEnd */ .F)(session, (0,_report_assembly_js__WEBPACK_IMPORTED_MODULE_1__/* .toReport */ .c)(session, { deployments, outcome: "skipped", changed: false }));
}
async function skipWithoutKey(session) {
    if ((0,_access_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCredentials */ .L)(session) || !mustSkip(session))
        return null;
    return endSkipped(session, session.options.deploymentId === undefined ? await (0,_spec_source_js__WEBPACK_IMPORTED_MODULE_2__/* .readSpec */ .O)(session, "validate") : []);
}


/***/ }),

/***/ 4949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ readSpec)
/* harmony export */ });
/* harmony import */ var _inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8741);
/* harmony import */ var _spec_yaml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6627);
/* harmony import */ var _spec_spec_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9932);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5834);
/* harmony import */ var _spec_suggestion_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(176);





const MAX_SPEC_BYTES = _spec_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .MAX_SPEC_CHARS */ .n * 3;
async function readSpec(session, mode) {
    const { options, workspace, host, env, trust } = session;
    const paths = await workspace.expand(options.spec).catch((error) => {
        throw sayHowToBegin(session, error);
    });
    if (paths.length === 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`spec: no file matches ${options.spec.join(", ")}`);
    const files = await Promise.all(paths.map(async (path) => ({ path, text: await workspace.readText(path, MAX_SPEC_BYTES) })));
    const parsed = (0,_spec_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .parseSpec */ .F)({
        files,
        env,
        mode,
        interpolate: trust.state !== "untrusted",
        adopted: options.deploymentId !== undefined,
    });
    session.mask(parsed.sensitiveValues);
    for (const problem of parsed.problems)
        host.annotate(problem);
    const errors = parsed.problems.filter((problem) => problem.level === "error");
    if (errors.length > 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(errors.map(_spec_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .renderProblem */ .y).join("\n"), errors);
    return select(session, parsed.documents);
}
function sayHowToBegin({ options, entryPoint, command }, error) {
    const [path, ...others] = options.spec;
    if (path !== _inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .INPUTS */ .mc.spec.default[0] ||
        others.length > 0 ||
        error.absent !== true)
        return error;
    return new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(entryPoint === "cli"
        ? `${path} does not exist: write a first one with agent-deploy init, or name yours: agent-deploy ${command} path/to/spec.yml`
        : `${path} does not exist: check out the repository in a step before this one (actions/checkout), or give the path of yours as the input spec`);
}
function select(session, documents) {
    const { only, deploymentId } = session.options;
    const names = documents.map((document) => document.name);
    for (const name of only) {
        if (names.includes(name))
            continue;
        const near = (0,_spec_suggestion_js__WEBPACK_IMPORTED_MODULE_4__/* .nearestWord */ .z)(name, names);
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`only: no document is named ${name}${near === undefined ? "" : ` (did you mean ${near}?)`}; the spec has ${names.join(", ")}`);
    }
    const chosen = only.length === 0 ? documents : documents.filter((document) => only.includes(document.name));
    if (deploymentId !== undefined && chosen.length > 1) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`deployment-id names one deployment, and the spec has ${chosen.length} documents: ${chosen.map((one) => one.name).join(", ")}. Use deploy.id in each document, or only`);
    }
    return chosen;
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


/***/ })

};
;