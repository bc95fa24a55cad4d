export const id = 219;
export const ids = [219,457];
export const modules = {

/***/ 210:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ wantsLaterRollback),
/* harmony export */   z: () => (/* binding */ rollBackLater)
/* harmony export */ });
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4269);
/* harmony import */ var _deploy_rollback_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2028);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9166);
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2618);
/* harmony import */ var _live_secrets_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4093);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6183);
/* harmony import */ var _trust_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9745);







function wantsLaterRollback({ options }) {
    return options.onFailure === "rollback" && options.deploymentId !== undefined;
}
async function rollBackLater(session, connection) {
    const { deploymentId, revisionId, previousRevisionId } = session.options;
    if (!wantsLaterRollback(session) || deploymentId === undefined)
        return [];
    (0,_trust_js__WEBPACK_IMPORTED_MODULE_3__/* .refuseUntrusted */ .z)(session);
    if (previousRevisionId === undefined)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e("on-failure: rollback in a later step needs previous-revision-id: the output of the step that deployed");
    const context = (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeployContext */ .I)(session, connection.controlPlane);
    const live = await connection.controlPlane.getDeployment(deploymentId);
    (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_1__/* .maskLive */ .t)(session, live);
    const tracker = (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .createTracker */ .P)(live?.name ?? deploymentId);
    if (live === null)
        return [(0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "failed", reason: "not-found", message: `there is no deployment ${deploymentId}` })];
    (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .track */ .u4)(tracker, live);
    tracker.revisionId = revisionId ?? live.latest_revision_id;
    tracker.previousRevisionId = previousRevisionId;
    const done = await (0,_deploy_rollback_js__WEBPACK_IMPORTED_MODULE_0__/* .redeployPrevious */ .s)(context, {
        name: live.name, deploymentId, failedRevisionId: tracker.revisionId, previousRevisionId, timeoutMs: (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_6__/* .timeoutOf */ .R)(context, {}),
    });
    tracker.rollback = done.rollback;
    tracker.changed = true;
    return [(0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .toDeploymentReport */ .Pr)(tracker, { outcome: "deployed", reason: "gate", message: done.message, next: done.next })];
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

/***/ 5457:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createResultEvaluation: () => (/* binding */ createResultEvaluation),
  isUploadRed: () => (/* binding */ isUploadRed),
  uploadAll: () => (/* binding */ uploadAll)
});

// EXTERNAL MODULE: ./build/deploy/context.js
var deploy_context = __webpack_require__(4269);
// EXTERNAL MODULE: ./build/deploy/rollback.js
var rollback = __webpack_require__(2028);
// EXTERNAL MODULE: ./build/experiment/upload.js + 3 modules
var upload = __webpack_require__(9477);
// EXTERNAL MODULE: ./build/report/report.js
var report = __webpack_require__(7177);
;// CONCATENATED MODULE: ./build/commands/printed-body.js
const HELD_CHARS = 128 * 1024;
const MAX_TRIES = 200;
function createBodyPrinter({ print, scrub }) {
    const decoder = new TextDecoder();
    let held = "";
    return (chunk) => {
        held += decoder.decode(chunk, { stream: true });
        const end = held.endsWith("\n") ? held.length : held.length <= 2 * HELD_CHARS ? 0 : endOfPiece(held, scrub);
        if (end === 0)
            return;
        print(held.slice(0, end));
        held = held.slice(end);
    };
}
function endOfPiece(text, scrub) {
    let at = text.lastIndexOf('"', text.length - HELD_CHARS);
    for (let tries = 0; at > 0 && tries < MAX_TRIES; tries += 1, at = text.lastIndexOf('"', at - 1)) {
        const [before, after] = [text.slice(Math.max(0, at - HELD_CHARS), at), text.slice(at, at + HELD_CHARS)];
        if (scrub(before) + scrub(after) === scrub(before + after))
            return at;
    }
    return 0;
}

// EXTERNAL MODULE: ./build/commands/judgement.js
var judgement = __webpack_require__(2116);
// EXTERNAL MODULE: ./build/commands/results.js + 24 modules
var results = __webpack_require__(464);
// EXTERNAL MODULE: ./build/commands/session.js
var commands_session = __webpack_require__(6183);
;// CONCATENATED MODULE: ./build/commands/result-evaluation.js








async function stampOf(session, path) {
    const { stream, bytes, modifiedMs } = await session.workspace.openStream(path, Number.MAX_SAFE_INTEGER);
    stream.destroy();
    return `${bytes}:${modifiedMs}`;
}
async function createResultEvaluation(session, connection) {
    const gates = await (0,results/* readGateSet */.cE)(session);
    const { experiment: patterns, gateWhen } = session.options;
    if (gates !== null && patterns.length === 0)
        throw new commands_session/* UsageError */.e("gate needs experiment: the result files to judge");
    const early = gateWhen === "after" ? [] : await (0,results/* findPresent */.jr)(session, session.options.experiment);
    if (gateWhen === "before" && early.length === 0)
        throw new commands_session/* UsageError */.e(`experiment: no file matches ${patterns.join(", ")}, and gate-when: before judges what is there at the start`);
    const stamps = new Map(await Promise.all(early.map(async (path) => [path, await stampOf(session, path)])));
    const first = early.length === 0 ? null : await (0,judgement/* judgeResults */.M8)(session, await (0,results/* readResults */.x8)(session, early), gates);
    return {
        before: async () => (first !== null && (0,judgement/* isGateRed */.NY)(session, first) ? (0,judgement/* gateSentence */.zo)(first) : null),
        partsSoFar: () => (0,judgement/* toParts */.Qm)(session, first === null ? [] : [first], []),
        after: (deployments, context, documents) => evaluateAfter({ session, connection, context, gates, first, stamps, documents }, deployments),
    };
}
async function evaluateAfter(stage, deployments) {
    const { session, context, first } = stage;
    const soFar = () => (0,judgement/* toParts */.Qm)(session, first === null ? [] : [first], []);
    if (context.signal.aborted)
        return { deployments, parts: soFar(), gateFailed: false, otherRed: false };
    try {
        return await evaluateResults(stage, deployments);
    }
    catch (error) {
        if (!(error instanceof commands_session/* UsageError */.e))
            session.host.say("error", error.message);
        return { deployments, parts: { ...soFar(), problems: error.message.split("\n") }, gateFailed: false, otherRed: true };
    }
}
async function evaluateResults(stage, deployments) {
    const { session, gates, first, stamps } = stage;
    const present = await (0,results/* findPresent */.jr)(session, session.options.experiment);
    if (present.length === 0)
        throw new Error(`experiment: no file matches ${session.options.experiment.join(", ")}: nothing was uploaded or gated`);
    const late = [];
    for (const path of present)
        if (stamps.get(path) !== (await stampOf(session, path)))
            late.push(path);
    const second = late.length === 0 ? null : await (0,judgement/* judgeResults */.M8)(session, await (0,results/* readResults */.x8)(session, late), session.options.gateWhen === "before" ? null : gates);
    const judged = [first, second].filter((one) => one !== null);
    const newest = [...(first?.experiments ?? []).filter((one) => !late.includes(one.file)), ...(second?.experiments ?? [])];
    const uploads = await result_evaluation_upload(stage, newest, deployments);
    const red = second !== null && (0,judgement/* isGateRed */.NY)(session, second);
    const rolledBack = red ? await rollBackDeployed(stage, deployments) : deployments;
    const refused = await (0,judgement/* writeBaseline */.B9)(session, judged.at(-1));
    return { deployments: rolledBack, parts: (0,judgement/* toParts */.Qm)(session, judged, uploads), gateFailed: red, otherRed: refused !== null || uploads.some(isUploadRed) };
}
function isUploadRed(report) {
    return report.outcome === "failed" || report.outcome === "unknown";
}
async function result_evaluation_upload({ session, connection }, experiments, deployments) {
    const only = deployments.length === 1 ? deployments[0] : undefined;
    return uploadAll(session, connection, experiments, { deploymentId: only?.id ?? "", revisionId: only?.revision_id ?? "" });
}
async function uploadAll(session, connection, experiments, deployed) {
    const { reports, problems } = await (0,upload/* uploadExperiments */.st)({
        experiments, overrides: (0,results/* toOverrides */.H5)(session), context: (0,results/* toUploadContext */.M9)(session, deployed), drop: session.options.drop,
        tracing: session.options.dryRun ? null : connection?.tracing ?? null, print: createBodyPrinter(session),
        ui: connection?.ui ?? "", clock: session.clock, random: session.random, progress: (line) => { session.host.progress(line); }, signal: session.signal,
    });
    (0,results/* refuse */.TR)(session, problems);
    return reports;
}
async function rollBackDeployed({ context, documents }, deployments) {
    return Promise.all(deployments.map(async (one) => {
        const deploy = documents.find((desired) => desired.name === one.name)?.deploy;
        if ((context.policy.onFailure ?? deploy?.on_failure) !== "rollback")
            return one;
        if (!(0,report/* isGreen */.gf)(one.outcome) || !one.changed || one.id === null)
            return one;
        const done = await (0,rollback/* redeployPrevious */.s)(context, {
            name: one.name, deploymentId: one.id, failedRevisionId: one.revision_id, previousRevisionId: one.previous_revision_id, timeoutMs: (0,deploy_context/* timeoutOf */.R)(context, deploy ?? {}),
        });
        return { ...one, rollback: done.rollback, message: `${one.message}. ${done.message}`, next: [...one.next, ...done.next] };
    }));
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

/***/ 8206:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runUpload: () => (/* binding */ runUpload)
/* harmony export */ });
/* harmony import */ var _assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3743);
/* harmony import */ var _result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5457);
/* harmony import */ var _judgement_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2116);
/* harmony import */ var _results_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(464);
/* harmony import */ var _later_rollback_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(210);
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3437);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(6183);
/* harmony import */ var _skip_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3608);
/* harmony import */ var _trust_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(9745);









async function runUpload(session) {
    const { options } = session;
    if (options.experiment.length === 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_6__/* .UsageError */ .e("upload needs experiment: the result files");
    const gates = await (0,_results_js__WEBPACK_IMPORTED_MODULE_3__/* .readGateSet */ .cE)(session);
    const skipped = !(0,_service_connection_js__WEBPACK_IMPORTED_MODULE_5__/* .hasCredentials */ .L)(session) && (0,_skip_js__WEBPACK_IMPORTED_MODULE_7__/* .mustSkip */ .tV)(session);
    const offline = options.dryRun || skipped;
    if (!offline)
        (0,_trust_js__WEBPACK_IMPORTED_MODULE_8__/* .refuseUntrusted */ .z)(session);
    const connection = offline ? null : (0,_service_connection_js__WEBPACK_IMPORTED_MODULE_5__/* .connect */ .N)(session);
    try {
        const judged = await (0,_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .judgeResults */ .M8)(session, await (0,_results_js__WEBPACK_IMPORTED_MODULE_3__/* .readResults */ .x8)(session, options.experiment), gates);
        const uploads = skipped ? [] : await (0,_result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__.uploadAll)(session, connection, judged.experiments, { deploymentId: options.deploymentId ?? "", revisionId: options.revisionId ?? "" });
        const red = (0,_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .isGateRed */ .NY)(session, judged);
        const deployments = red && connection !== null ? await (0,_later_rollback_js__WEBPACK_IMPORTED_MODULE_4__/* .rollBackLater */ .z)(session, connection) : [];
        const refused = await (0,_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .writeBaseline */ .B9)(session, judged);
        const failed = uploads.some(_result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__.isUploadRed);
        const report = (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, {
            ...(0,_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .toParts */ .Qm)(session, [judged], uploads), deployments, changed: false,
            outcome: failed ? "failed" : skipped ? "skipped" : "unchanged",
            ...(session.trust.state === "no-secrets" && skipped ? { warnings: [`not uploaded: ${session.trust.why}`] } : {}),
        });
        return (0,_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toEnd */ .F)(session, report, { gate: red, other: refused !== null });
    }
    finally {
        await connection?.close();
    }
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
