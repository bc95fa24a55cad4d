"use strict";
exports.id = 272;
exports.ids = [272];
exports.modules = {

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
function calibrateGates({ table, gates, runs = RUNS, seed = SEED, }) {
    const { examples, order, start } = (0,metric/* createIndex */.zi)(table);
    const groups = examples
        .map((_, e) => Array.from(order.subarray(start[e], start[e + 1]), (at) => table.rows[at]))
        .filter((rows) => rows.length >= 2);
    if (groups.length === 0)
        return {
            state: "impossible",
            reason: `${table.file} has no repeats: run every example at least twice (four times is better), then calibrate`,
        };
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
        const judged = (0,judge/* judgeGates */.y)({
            head: { ...table, rows: head, state: "complete" },
            base: { ...table, rows: base, state: "complete" },
            gates,
        });
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
    const result = {
        runs: times,
        seed,
        repeats: half,
        examples: groups.length,
        failed,
        gates: [...tally.values()],
        naive: drops === 0 ? null : fell,
    };
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
    return (`${file} was split ${(0,wording/* count */.U9)(runs, "time")} into two runs of the same agent (${(0,wording/* count */.U9)(examples, "example")}, ${(0,wording/* count */.U9)(repeats, "repeat")} a side, seed ${seed}): ` +
        `the gates failed ${failed} of them, ${percent(failed)}${rough}${other}`);
}

// EXTERNAL MODULE: ./build/report/report.js
var report = __webpack_require__(7177);
// EXTERNAL MODULE: ./build/run/report-assembly.js
var report_assembly = __webpack_require__(7447);
// EXTERNAL MODULE: ./build/evaluation/gate-judgement.js
var gate_judgement = __webpack_require__(9834);
// EXTERNAL MODULE: ./build/evaluation/later-rollback.js
var later_rollback = __webpack_require__(542);
// EXTERNAL MODULE: ./build/evaluation/result-files.js
var result_files = __webpack_require__(5736);
// EXTERNAL MODULE: ./build/run/service-connection.js + 11 modules
var service_connection = __webpack_require__(4007);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/commands/gate.js








async function runGate(session) {
    const { options } = session;
    if (options.experiment.length === 0)
        throw new run_session/* UsageError */.e("gate needs experiment: the result files to judge");
    const gates = await (0,result_files/* readGateSet */.cE)(session);
    if (gates === null && options.writeBaseline === undefined)
        throw new run_session/* UsageError */.e("gate needs gate: lines such as correctness >= 0.85, or a gate file (or write-baseline)");
    const judged = await (0,gate_judgement/* judgeResults */.M8)(session, await (0,result_files/* readResults */.x8)(session, options.experiment), gates);
    if (options.calibrate)
        showCalibration(session, judged);
    const red = (0,gate_judgement/* isGateRed */.NY)(session, judged);
    const deployments = red && (0,later_rollback/* wantsLaterRollback */.ez)(session)
        ? await (0,service_connection.withConnection)(session, (connection) => (0,later_rollback/* rollBackLater */.z$)(session, connection))
        : [];
    const refused = await (0,gate_judgement/* writeBaseline */.B9)(session, judged);
    return (0,report_assembly/* toEnd */.F)(session, (0,report_assembly/* toReport */.c)(session, {
        ...(0,gate_judgement/* toParts */.Qm)(session, [judged], []),
        deployments,
        outcome: (0,later_rollback/* isRollbackCancelled */._m)(deployments)
            ? "cancelled"
            : (0,report/* worstOutcome */.Om)(deployments.map((one) => one.outcome)),
    }), { gate: red, other: refused !== null });
}
function showCalibration(session, { head, gates }) {
    if (gates === null || head === null)
        throw new run_session/* UsageError */.e("calibrate needs gate: the gates to calibrate");
    const found = calibrateGates({ table: head, gates });
    session.host.progress(`calibration: ${found.reason}`);
    if (found.state === "impossible")
        return;
    for (const gate of found.gates)
        session.host.progress(`calibration: ${gate.rule}: failed ${gate.failed} of ${found.runs}, inconclusive ${gate.inconclusive}`);
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