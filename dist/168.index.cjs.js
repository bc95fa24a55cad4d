"use strict";
exports.id = 168;
exports.ids = [168,749];
exports.modules = {

/***/ 8206:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runUpload: () => (/* binding */ runUpload)
/* harmony export */ });
/* harmony import */ var _report_report_js__WEBPACK_IMPORTED_MODULE_10__ = __webpack_require__(7177);
/* harmony import */ var _run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7447);
/* harmony import */ var _evaluation_result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6749);
/* harmony import */ var _evaluation_gate_judgement_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9834);
/* harmony import */ var _evaluation_result_files_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5736);
/* harmony import */ var _evaluation_later_rollback_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(542);
/* harmony import */ var _run_access_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6767);
/* harmony import */ var _run_service_connection_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4007);
/* harmony import */ var _run_session_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(5834);
/* harmony import */ var _run_skip_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(4243);
/* harmony import */ var _run_trust_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(2048);











async function runUpload(session) {
    const { options } = session;
    if (options.experiment.length === 0)
        throw new _run_session_js__WEBPACK_IMPORTED_MODULE_7__/* .UsageError */ .e("upload needs experiment: the result files");
    const gates = await (0,_evaluation_result_files_js__WEBPACK_IMPORTED_MODULE_3__/* .readGateSet */ .cE)(session);
    const skipped = !(0,_run_access_js__WEBPACK_IMPORTED_MODULE_5__/* .hasCredentials */ .L)(session) && (0,_run_skip_js__WEBPACK_IMPORTED_MODULE_8__/* .mustSkip */ .tV)(session);
    const offline = options.dryRun || skipped;
    if (!offline)
        (0,_run_trust_js__WEBPACK_IMPORTED_MODULE_9__/* .refuseUntrusted */ .z)(session);
    const connection = offline ? null : (0,_run_service_connection_js__WEBPACK_IMPORTED_MODULE_6__.connect)(session);
    try {
        const judged = await (0,_evaluation_gate_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .judgeResults */ .M8)(session, await (0,_evaluation_result_files_js__WEBPACK_IMPORTED_MODULE_3__/* .readResults */ .x8)(session, options.experiment), gates);
        const uploads = skipped
            ? []
            : await (0,_evaluation_result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__.uploadAll)(session, connection, judged.experiments, {
                deploymentId: options.deploymentId ?? "",
                revisionId: options.revisionId ?? "",
            });
        const red = (0,_evaluation_gate_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .isGateRed */ .NY)(session, judged);
        const deployments = red && connection !== null ? await (0,_evaluation_later_rollback_js__WEBPACK_IMPORTED_MODULE_4__/* .rollBackLater */ .z$)(session, connection) : [];
        const refused = await (0,_evaluation_gate_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .writeBaseline */ .B9)(session, judged);
        const failed = uploads.some(_evaluation_result_evaluation_js__WEBPACK_IMPORTED_MODULE_1__.isUploadRed);
        const report = (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, {
            ...(0,_evaluation_gate_judgement_js__WEBPACK_IMPORTED_MODULE_2__/* .toParts */ .Qm)(session, [judged], uploads),
            deployments,
            outcome: session.signal.aborted || (0,_evaluation_later_rollback_js__WEBPACK_IMPORTED_MODULE_4__/* .isRollbackCancelled */ ._m)(deployments)
                ? "cancelled"
                : failed
                    ? "failed"
                    : skipped
                        ? "skipped"
                        : (0,_report_report_js__WEBPACK_IMPORTED_MODULE_10__/* .worstOutcome */ .Om)(deployments.map((one) => one.outcome)),
            ...(session.trust.state === "no-secrets" && skipped
                ? { warnings: [`not uploaded: ${session.trust.why}`] }
                : {}),
        });
        return (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toEnd */ .F)(session, report, { gate: red, other: refused !== null });
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

/***/ 6749:
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
// EXTERNAL MODULE: ./build/experiment/upload.js + 6 modules
var upload = __webpack_require__(8675);
// EXTERNAL MODULE: ./build/report/report.js
var report = __webpack_require__(7177);
// EXTERNAL MODULE: ./build/host/workflow-command.js
var workflow_command = __webpack_require__(9970);
;// CONCATENATED MODULE: ./build/evaluation/printed-body.js

const HELD_CHARS = 128 * 1024;
const MAX_TRIES = 200;
function createBodyPrinter({ print, redact, }) {
    const decoder = new TextDecoder();
    let held = "";
    return (chunk) => {
        held += decoder.decode(chunk, { stream: true });
        const end = held.endsWith("\n")
            ? held.length
            : held.length <= 2 * HELD_CHARS
                ? 0
                : endOfPiece(held, redact);
        if (end === 0)
            return;
        print((0,workflow_command/* toLogJson */.q)(held.slice(0, end)));
        held = held.slice(end);
    };
}
function endOfPiece(text, redact) {
    let at = text.lastIndexOf('"', text.length - HELD_CHARS);
    for (let tries = 0; at > 0 && tries < MAX_TRIES; tries += 1, at = text.lastIndexOf('"', at - 1)) {
        const [before, after] = [
            text.slice(Math.max(0, at - HELD_CHARS), at),
            text.slice(at, at + HELD_CHARS),
        ];
        if (redact(before) + redact(after) === redact(before + after))
            return at;
    }
    return 0;
}

// EXTERNAL MODULE: ./build/evaluation/gate-judgement.js
var gate_judgement = __webpack_require__(9834);
// EXTERNAL MODULE: ./build/evaluation/later-rollback.js
var later_rollback = __webpack_require__(542);
// EXTERNAL MODULE: ./build/evaluation/result-files.js
var result_files = __webpack_require__(5736);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/evaluation/result-evaluation.js









async function stampOf(session, path) {
    const { stream, bytes, modifiedMs } = await session.workspace.openStream(path, Number.MAX_SAFE_INTEGER);
    stream.destroy();
    return `${bytes}:${modifiedMs}`;
}
async function createResultEvaluation(session, connection) {
    const gates = await (0,result_files/* readGateSet */.cE)(session);
    const { experiment: patterns, gateWhen } = session.options;
    if (gates !== null && patterns.length === 0)
        throw new run_session/* UsageError */.e("gate needs experiment: the result files to judge");
    const early = gateWhen === "after" ? [] : await (0,result_files/* findPresent */.jr)(session, session.options.experiment);
    if (gateWhen === "before" && early.length === 0)
        throw new run_session/* UsageError */.e(`experiment: no file matches ${patterns.join(", ")}, and gate-when: before judges what is there at the start`);
    const stamps = new Map(await Promise.all(early.map(async (path) => [path, await stampOf(session, path)])));
    const first = early.length === 0
        ? null
        : await (0,gate_judgement/* judgeResults */.M8)(session, await (0,result_files/* readResults */.x8)(session, early), gates);
    return {
        before: async () => (first !== null && (0,gate_judgement/* isGateRed */.NY)(session, first) ? (0,gate_judgement/* gateSentence */.zo)(first) : null),
        partsSoFar: () => (0,gate_judgement/* toParts */.Qm)(session, first === null ? [] : [first], []),
        after: (deployments, context, documents) => evaluateAfter({ session, connection, context, gates, first, stamps, documents }, deployments),
    };
}
async function evaluateAfter(stage, deployments) {
    const { session, context, first } = stage;
    const soFar = () => (0,gate_judgement/* toParts */.Qm)(session, first === null ? [] : [first], []);
    const cancelled = () => ({
        deployments,
        parts: { ...soFar(), outcome: "cancelled" },
        gateFailed: false,
        otherRed: false,
    });
    if (context.signal.aborted)
        return cancelled();
    try {
        return await evaluateResults(stage, deployments);
    }
    catch (error) {
        if (context.signal.aborted)
            return cancelled();
        if (!(error instanceof run_session/* UsageError */.e))
            session.host.say("error", error.message);
        return {
            deployments,
            parts: { ...soFar(), problems: error.message.split("\n") },
            gateFailed: false,
            otherRed: true,
        };
    }
}
async function evaluateResults(stage, deployments) {
    const { session, gates, first, stamps } = stage;
    const present = await (0,result_files/* findPresent */.jr)(session, session.options.experiment);
    if (present.length === 0) {
        const none = `experiment: no file matches ${session.options.experiment.join(", ")}: nothing was uploaded or gated`;
        if (!session.options.dryRun)
            throw new Error(none);
        return {
            deployments,
            parts: { warnings: [`${none}, as verify, which may write them, does not run in a dry run`] },
            gateFailed: false,
            otherRed: false,
        };
    }
    const late = [];
    for (const path of present)
        if (stamps.get(path) !== (await stampOf(session, path)))
            late.push(path);
    const second = late.length === 0
        ? null
        : await (0,gate_judgement/* judgeResults */.M8)(session, await (0,result_files/* readResults */.x8)(session, late), session.options.gateWhen === "before" ? null : gates);
    const judged = [first, second].filter((one) => one !== null);
    const newest = [
        ...(first?.experiments ?? []).filter((one) => !late.includes(one.file)),
        ...(second?.experiments ?? []),
    ];
    const uploads = await result_evaluation_upload(stage, newest, deployments);
    const red = second !== null && (0,gate_judgement/* isGateRed */.NY)(session, second);
    const rolledBack = red && !session.options.dryRun ? await rollBackDeployed(stage, deployments) : deployments;
    const refused = await (0,gate_judgement/* writeBaseline */.B9)(session, judged.at(-1));
    const unsent = uploads.some(isUploadRed);
    const cancelled = session.signal.aborted || (0,later_rollback/* isRollbackCancelled */._m)(rolledBack);
    return {
        deployments: rolledBack,
        parts: { ...(0,gate_judgement/* toParts */.Qm)(session, judged, uploads), ...(cancelled ? { outcome: "cancelled" } : {}) },
        gateFailed: red,
        otherRed: refused !== null || unsent,
    };
}
function isUploadRed(report) {
    return report.outcome === "failed" || report.outcome === "unknown";
}
async function result_evaluation_upload({ session, connection }, experiments, deployments) {
    const only = deployments.length === 1 ? deployments[0] : undefined;
    return uploadAll(session, connection, experiments, {
        deploymentId: only?.id ?? "",
        revisionId: only?.revision_id ?? "",
    });
}
async function uploadAll(session, connection, experiments, deployed) {
    const { reports, problems } = await (0,upload/* uploadExperiments */.st)({
        experiments,
        overrides: (0,result_files/* toOverrides */.H5)(session),
        context: (0,result_files/* toUploadContext */.M9)(session, deployed),
        drop: session.options.drop,
        tracing: session.options.dryRun ? null : (connection?.tracing ?? null),
        print: createBodyPrinter(session),
        ui: connection?.ui ?? "",
        clock: session.clock,
        random: session.random,
        progress: (line) => {
            session.host.progress(line);
        },
        signal: session.signal,
    });
    (0,result_files/* refuse */.TR)(session, problems);
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
            name: one.name,
            deploymentId: one.id,
            failedRevisionId: one.revision_id,
            previousRevisionId: one.previous_revision_id,
            timeoutMs: (0,deploy_context/* timeoutOf */.R)(context, deploy ?? {}),
        });
        return {
            ...one,
            rollback: done.rollback,
            message: `${one.message}. ${done.message}`,
            next: [...one.next, ...done.next],
        };
    }));
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