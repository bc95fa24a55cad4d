export const id = 602;
export const ids = [602];
export const modules = {

/***/ 7325:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runGate: () => (/* binding */ runGate)
});

// EXTERNAL MODULE: ./build/gate/judge.js + 4 modules
var judge = __webpack_require__(6374);
// EXTERNAL MODULE: ./build/gate/metric.js
var metric = __webpack_require__(5264);
// EXTERNAL MODULE: ./build/gate/side.js
var side = __webpack_require__(2395);
// EXTERNAL MODULE: ./build/gate/wording.js
var wording = __webpack_require__(1638);
;// CONCATENATED MODULE: ./build/gate/calibration.js




const SEED = 20240711;
const RUNS = 400;
const MOST_ROWS = 4_000_000;
function createSeededRandom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}
function calibrateGates({ table, gates, runs = RUNS, seed = SEED }) {
    const { examples, order, start } = (0,metric/* createIndex */.zi)(table);
    const groups = examples.map((_, e) => Array.from(order.subarray(start[e], start[e + 1]), (at) => table.rows[at])).filter((rows) => rows.length >= 2);
    if (groups.length === 0)
        return { state: "impossible", reason: `${table.file} has no repeats: run every example at least twice (four times is better), then calibrate` };
    const half = Math.min(...groups.map((rows) => Math.floor(rows.length / 2)));
    const times = Math.max(1, Math.min(runs, Math.floor(MOST_ROWS / (2 * half * groups.length))));
    const random = createSeededRandom(seed);
    const { lowerIsBetter } = (0,side/* createJudging */.Rt)(table, gates);
    const tally = new Map();
    let failed = 0;
    let fell = 0;
    let drops = 0;
    for (let run = 0; run < times; run++) {
        const { head, base } = split(groups, half, random);
        const judged = (0,judge/* judgeGates */.y)({ head: { ...table, rows: head, state: "complete" }, base: { ...table, rows: base, state: "complete" }, gates });
        if (judged.problems.length > 0)
            return { state: "impossible", reason: judged.problems[0].message };
        if (judged.verdict === "fail")
            failed++;
        judged.gates.forEach(({ rule, verdict }, at) => {
            const entry = tally.get(at) ?? { rule, failed: 0, inconclusive: 0 };
            if (verdict === "fail")
                entry.failed++;
            if (verdict === "inconclusive")
                entry.inconclusive++;
            tally.set(at, entry);
        });
        const falls = judged.gates.filter((gate) => gate.delta !== null);
        drops += falls.length;
        if (falls.some((gate) => (lowerIsBetter(gate.metric) ? -gate.delta : gate.delta) < -1e-12))
            fell++;
    }
    const result = { runs: times, seed, repeats: half, examples: groups.length, failed, gates: [...tally.values()], naive: drops === 0 ? null : fell };
    return { state: "calibrated", ...result, reason: say(result, table.file) };
}
function split(groups, half, random) {
    const head = [];
    const base = [];
    for (const rows of groups) {
        const pool = [...rows];
        for (let at = 0; at < 2 * half; at++) {
            const other = at + Math.floor(random() * (pool.length - at));
            [pool[at], pool[other]] = [pool[other], pool[at]];
            (at < half ? head : base).push(pool[at]);
        }
    }
    return { head, base };
}
function say({ runs, repeats, examples, failed, naive, seed }, file) {
    const percent = (part) => `${(0,wording/* figures */.u5)((100 * part) / runs)[0]} %`;
    const rough = failed === 0 ? `, so surely under ${percent((0,wording/* atLeast */.jZ)(3))}` : "";
    const other = naive === null ? "" : `; a gate that fails on any drop would have failed ${percent(naive)}`;
    return `${file} was split ${(0,wording/* count */.U9)(runs, "time")} into two runs of the same agent (${(0,wording/* count */.U9)(examples, "example")}, ${(0,wording/* count */.U9)(repeats, "repeat")} a side, seed ${seed}): `
        + `the gates failed ${failed} of them, ${percent(failed)}${rough}${other}`;
}

// EXTERNAL MODULE: ./build/commands/assembly.js
var assembly = __webpack_require__(3743);
// EXTERNAL MODULE: ./build/commands/judgement.js
var judgement = __webpack_require__(2116);
// EXTERNAL MODULE: ./build/commands/later-rollback.js
var later_rollback = __webpack_require__(210);
// EXTERNAL MODULE: ./build/commands/results.js + 24 modules
var results = __webpack_require__(464);
// EXTERNAL MODULE: ./build/commands/service-connection.js + 12 modules
var service_connection = __webpack_require__(3437);
// EXTERNAL MODULE: ./build/commands/session.js
var commands_session = __webpack_require__(6183);
;// CONCATENATED MODULE: ./build/commands/gate.js







async function runGate(session) {
    const { options } = session;
    if (options.experiment.length === 0)
        throw new commands_session/* UsageError */.e("gate needs experiment: the result files to judge");
    const gates = await (0,results/* readGateSet */.cE)(session);
    if (gates === null && options.writeBaseline === undefined)
        throw new commands_session/* UsageError */.e("gate needs gate: lines such as correctness >= 0.85, or a gate file (or write-baseline)");
    const judged = await (0,judgement/* judgeResults */.M8)(session, await (0,results/* readResults */.x8)(session, options.experiment), gates);
    if (options.calibrate)
        showCalibration(session, judged);
    const red = (0,judgement/* isGateRed */.NY)(session, judged);
    const deployments = red && (0,later_rollback/* wantsLaterRollback */.e)(session) ? await goBack(session) : [];
    const refused = await (0,judgement/* writeBaseline */.B9)(session, judged);
    return (0,assembly/* toEnd */.F)(session, (0,assembly/* toReport */.c)(session, { ...(0,judgement/* toParts */.Qm)(session, [judged], []), deployments, outcome: "unchanged", changed: false }), { gate: red, other: refused !== null });
}
async function goBack(session) {
    const connection = (0,service_connection/* connect */.N)(session);
    try {
        return await (0,later_rollback/* rollBackLater */.z)(session, connection);
    }
    finally {
        await connection.close();
    }
}
function showCalibration(session, { head, gates }) {
    if (gates === null || head === null)
        throw new commands_session/* UsageError */.e("calibrate needs gate: the gates to calibrate");
    const found = calibrateGates({ table: head, gates });
    session.host.progress(`calibration: ${found.reason}`);
    if (found.state === "impossible")
        return;
    for (const gate of found.gates)
        session.host.progress(`calibration: ${gate.rule}: failed ${gate.failed} of ${found.runs}, inconclusive ${gate.inconclusive}`);
}


/***/ }),

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
