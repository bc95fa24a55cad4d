"use strict";
exports.id = 351;
exports.ids = [351];
exports.modules = {

/***/ 9834:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B9: () => (/* binding */ writeBaseline),
/* harmony export */   M8: () => (/* binding */ judgeResults),
/* harmony export */   NY: () => (/* binding */ isGateRed),
/* harmony export */   Qm: () => (/* binding */ toParts),
/* harmony export */   zo: () => (/* binding */ gateSentence)
/* harmony export */ });
/* harmony import */ var _experiment_scores_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1591);
/* harmony import */ var _experiment_upload_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8675);
/* harmony import */ var _gate_baseline_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9903);
/* harmony import */ var _gate_judge_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6374);
/* harmony import */ var _report_merge_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9327);
/* harmony import */ var _result_files_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5736);






const MOST_UNSHARED = 100;
async function judgeResults(session, experiments, gates) {
    const asked = gates !== null || session.options.writeBaseline !== undefined;
    const head = asked ? await (0,_result_files_js__WEBPACK_IMPORTED_MODULE_4__/* .unlessAborted */ .Wh)(session.signal, (0,_experiment_scores_js__WEBPACK_IMPORTED_MODULE_0__/* .toGateTable */ .z)(experiments)) : null;
    if (gates === null || head === null)
        return { experiments, head, gates, judgement: null };
    const judgement = (0,_gate_judge_js__WEBPACK_IMPORTED_MODULE_3__/* .judgeGates */ .y)({ head, base: await (0,_result_files_js__WEBPACK_IMPORTED_MODULE_4__/* .readBaseline */ .mF)(session), gates });
    (0,_result_files_js__WEBPACK_IMPORTED_MODULE_4__/* .refuse */ .TR)(session, judgement.problems);
    return { experiments, head, gates, judgement };
}
function isGateRed(session, { judgement }) {
    return (judgement?.verdict === "fail" ||
        (judgement?.verdict === "inconclusive" && session.options.onInconclusive === "fail"));
}
function gateSentence({ judgement }) {
    const deciding = (judgement?.gates ?? []).filter((gate) => gate.verdict === judgement?.verdict);
    return deciding.map((gate) => `${gate.rule}: ${gate.reason}`).join(" · ");
}
function toParts(session, judged, experiments) {
    const judgements = judged.flatMap((one) => (one.judgement === null ? [] : [one.judgement]));
    const verdict = (0,_gate_judge_js__WEBPACK_IMPORTED_MODULE_3__/* .worstVerdict */ .z)(judgements.map((one) => one.verdict));
    if (verdict === "inconclusive" && session.options.onInconclusive === "warn") {
        for (const one of judged)
            if (one.judgement?.verdict === "inconclusive")
                session.host.say("warning", `gate inconclusive: ${gateSentence(one)}`);
    }
    return {
        gates: judgements.flatMap((one) => one.gates),
        gateVerdict: verdict,
        rowsWorse: judgements.flatMap((one) => one.worse),
        rowsBetter: judgements.flatMap((one) => one.better),
        rowsNew: judgements.flatMap((one) => one.newRows).slice(0, MOST_UNSHARED),
        rowsMissing: judgements.flatMap((one) => one.missingRows).slice(0, MOST_UNSHARED),
        rowCounts: (0,_report_merge_js__WEBPACK_IMPORTED_MODULE_5__/* .sumRowCounts */ .M)(judgements.map(({ newRows, missingRows, changed }) => ({
            new: newRows.length,
            missing: missingRows.length,
            changed,
        }))),
        baseline: judgements.find((one) => one.baseline !== null)?.baseline ?? null,
        warnings: judgements.flatMap((one) => one.warnings),
        experiments: experiments.length > 0
            ? experiments
            : judged.flatMap((one) => one.experiments.map(_experiment_upload_js__WEBPACK_IMPORTED_MODULE_1__/* .toGatedReport */ .Jn)),
    };
}
async function writeBaseline(session, { head, gates, judgement }) {
    const path = session.options.writeBaseline;
    if (path === undefined || head === null)
        return null;
    const refused = (0,_gate_baseline_js__WEBPACK_IMPORTED_MODULE_2__/* .refuseBaseline */ .Mq)({ table: head, gates, verdict: judgement?.verdict ?? "none" });
    if (refused !== null) {
        session.host.say("error", refused);
        return refused;
    }
    const commit = session.identity.sha === "" ? null : session.identity.sha;
    await session.workspace.writeText(path, (0,_gate_baseline_js__WEBPACK_IMPORTED_MODULE_2__/* .toBaseline */ .Fd)(head, { commit, created_at: new Date(session.clock.now()).toISOString() }));
    session.host.progress(`wrote the baseline ${path}`);
    return null;
}


/***/ }),

/***/ 542:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _m: () => (/* binding */ isRollbackCancelled),
/* harmony export */   ez: () => (/* binding */ wantsLaterRollback),
/* harmony export */   z$: () => (/* binding */ rollBackLater)
/* harmony export */ });
/* harmony import */ var _deploy_context_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(4269);
/* harmony import */ var _deploy_rollback_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2028);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9166);
/* harmony import */ var _run_deploy_context_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9053);
/* harmony import */ var _run_live_secrets_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4950);
/* harmony import */ var _run_session_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5834);
/* harmony import */ var _run_trust_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2048);







function wantsLaterRollback({ options }) {
    return options.onFailure === "rollback" && options.deploymentId !== undefined && !options.dryRun;
}
function isRollbackCancelled(deployments) {
    return deployments.some((one) => one.rollback?.outcome === "cancelled");
}
async function rollBackLater(session, connection) {
    const { deploymentId, revisionId, previousRevisionId } = session.options;
    if (!wantsLaterRollback(session) || deploymentId === undefined)
        return [];
    (0,_run_trust_js__WEBPACK_IMPORTED_MODULE_3__/* .refuseUntrusted */ .z)(session);
    if (previousRevisionId === undefined)
        throw new _run_session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e("on-failure: rollback in a later step needs previous-revision-id: the output of the step that deployed");
    const context = (0,_run_deploy_context_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeployContext */ .I)(session, connection.controlPlane);
    const live = await connection.controlPlane.getDeployment(deploymentId);
    (0,_run_live_secrets_js__WEBPACK_IMPORTED_MODULE_1__/* .maskLive */ .t)(session, live);
    const tracker = (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .createTracker */ .P)(live?.name ?? deploymentId);
    if (live === null)
        return [
            (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .toDeploymentReport */ .Pr)(tracker, {
                outcome: "failed",
                reason: "not-found",
                message: `there is no deployment ${deploymentId}`,
            }),
        ];
    (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .track */ .u4)(tracker, live);
    tracker.revisionId = revisionId ?? live.latest_revision_id;
    tracker.previousRevisionId = previousRevisionId;
    const done = await (0,_deploy_rollback_js__WEBPACK_IMPORTED_MODULE_0__/* .redeployPrevious */ .s)(context, {
        name: live.name,
        deploymentId,
        failedRevisionId: tracker.revisionId,
        previousRevisionId,
        timeoutMs: (0,_deploy_context_js__WEBPACK_IMPORTED_MODULE_6__/* .timeoutOf */ .R)(context, {}),
    });
    tracker.rollback = done.rollback;
    tracker.changed = true;
    return [
        (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_5__/* .toDeploymentReport */ .Pr)(tracker, {
            outcome: "deployed",
            reason: "gate",
            message: done.message,
            next: done.next,
        }),
    ];
}


/***/ }),

/***/ 5736:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H5: () => (/* binding */ toOverrides),
/* harmony export */   M9: () => (/* binding */ toUploadContext),
/* harmony export */   TR: () => (/* binding */ refuse),
/* harmony export */   Wh: () => (/* binding */ unlessAborted),
/* harmony export */   cE: () => (/* binding */ readGateSet),
/* harmony export */   jr: () => (/* binding */ findPresent),
/* harmony export */   mF: () => (/* binding */ readBaseline),
/* harmony export */   x8: () => (/* binding */ readResults)
/* harmony export */ });
/* harmony import */ var _gate_baseline_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9903);
/* harmony import */ var _gate_language_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7866);
/* harmony import */ var _gate_rule_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3954);
/* harmony import */ var _experiment_experiment_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7189);
/* harmony import */ var _experiment_scores_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1591);
/* harmony import */ var _spec_spec_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9932);
/* harmony import */ var _run_session_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5834);







const MAX_GATE_BYTES = 1024 * 1024;
const MAX_BASELINE_BYTES = 256 * 1024 * 1024;
async function findPresent(session, patterns) {
    const found = await Promise.all(patterns.map((pattern) => session.workspace.expand([pattern]).catch((error) => {
        if (error.absent === true)
            return [];
        throw error;
    })));
    return [...new Set(found.flat())];
}
function refuse(session, problems) {
    for (const problem of problems)
        session.host.annotate(problem);
    const errors = problems.filter((problem) => problem.level === "error");
    if (errors.length > 0)
        throw new _run_session_js__WEBPACK_IMPORTED_MODULE_6__/* .UsageError */ .e(errors.map(_spec_spec_js__WEBPACK_IMPORTED_MODULE_5__/* .renderProblem */ .y).join("\n"), errors);
}
async function readGateSet(session) {
    const input = session.options.gate;
    if (input === undefined || input.trim() === "")
        return null;
    const inline = (0,_gate_rule_js__WEBPACK_IMPORTED_MODULE_2__/* .isInlineGate */ .R)(input);
    const path = input.trim();
    const text = inline ? input : await session.workspace.readText(path, MAX_GATE_BYTES);
    const parsed = (0,_gate_language_js__WEBPACK_IMPORTED_MODULE_1__/* .parseGates */ .MJ)({ text, file: inline ? "gate" : path });
    if (parsed.state === "parsed")
        return parsed.gates;
    refuse(session, parsed.problems);
    throw new _run_session_js__WEBPACK_IMPORTED_MODULE_6__/* .UsageError */ .e("the gates are not valid");
}
function unlessAborted(signal, work) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            reject(signal.reason);
        };
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted)
            stop();
        work.then(resolve, reject).finally(() => {
            signal.removeEventListener("abort", stop);
        });
    });
}
async function readResults(session, paths) {
    const { format, mapping, split } = session.options;
    const { experiments, problems } = await unlessAborted(session.signal, (0,_experiment_experiment_js__WEBPACK_IMPORTED_MODULE_3__/* .readExperiments */ .BT)({ paths, format, mapping, split, workspace: session.files }));
    refuse(session, problems);
    return experiments;
}
async function readBaseline(session) {
    const path = session.options.baseline;
    if (path === undefined)
        return null;
    const there = await findPresent(session, [path]);
    if (there.length === 0) {
        session.host.say("notice", `baseline: there is no ${path} yet: drops are inconclusive, floors are judged`);
        return null;
    }
    const [first] = there;
    const head = await readHead(session, first);
    if (head.trim() === "" && there.length === 1)
        return {
            file: first,
            rows: [],
            state: "complete",
            commit: null,
            created_at: null,
            judge: null,
        };
    if (!(0,_gate_baseline_js__WEBPACK_IMPORTED_MODULE_0__/* .isBaseline */ .Ue)(head))
        return (0,_experiment_scores_js__WEBPACK_IMPORTED_MODULE_4__/* .toGateTable */ .z)(await readResults(session, there));
    const parsed = (0,_gate_baseline_js__WEBPACK_IMPORTED_MODULE_0__/* .parseBaseline */ .nk)(await session.workspace.readText(first, MAX_BASELINE_BYTES), first);
    if (parsed.state === "parsed")
        return parsed.table;
    refuse(session, [parsed.problem]);
    return null;
}
async function readHead(session, path) {
    const { stream } = await session.workspace.openStream(path, Number.MAX_SAFE_INTEGER);
    for await (const chunk of stream) {
        stream.destroy();
        return Buffer.from(chunk)
            .subarray(0, 200)
            .toString("latin1");
    }
    return "";
}
function toUploadContext(session, deployed) {
    const { identity, options, version } = session;
    return {
        repository: identity.repository,
        commit: identity.sha,
        runId: identity.runId,
        runAttempt: identity.attempt,
        job: identity.job,
        matrix: options.matrix ?? "",
        runUrl: identity.runUrl,
        ...deployed,
        tool: `agent-deploy ${version}`,
    };
}
function toOverrides({ options }) {
    return {
        experimentName: options.experimentName,
        experimentDescription: options.experimentDescription,
        experimentMetadata: options.experimentMetadata,
        datasetName: options.datasetName,
        datasetId: options.datasetId,
        datasetDescription: options.datasetDescription,
    };
}


/***/ }),

/***/ 3025:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ checkHeader)
/* harmony export */ });
/* harmony import */ var _feedback_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6691);
/* harmony import */ var _lenient_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(824);
/* harmony import */ var _diagnostic_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2123);
/* harmony import */ var _row_id_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3798);
/* harmony import */ var _row_notes_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9030);
/* harmony import */ var _timestamp_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9366);






const TEXTS = [
    "experiment_name",
    "experiment_description",
    "dataset_name",
    "dataset_description",
];
const TIMES = ["experiment_start_time", "experiment_end_time"];
function checkHeader(file, given, strict) {
    const problems = [];
    const notes = (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_4__/* .createRowNotes */ .EB)();
    const addDiagnostic = (path, message) => void problems.push((0,_diagnostic_js__WEBPACK_IMPORTED_MODULE_2__/* .diagnosticAt */ .R5)({ file, path }, `${path} ${message}`));
    const header = {};
    const present = (field) => given[field] !== undefined && given[field] !== null && (strict || given[field] !== "");
    for (const field of TEXTS) {
        if (!present(field))
            continue;
        const value = given[field];
        if (typeof value !== "string")
            addDiagnostic(field, "must be a text");
        else if (value === "" && field.endsWith("_name"))
            addDiagnostic(field, "must not be empty; leave it out and one is made");
        else
            header[field] = value;
    }
    for (const field of TIMES) {
        if (!present(field))
            continue;
        const instant = (0,_timestamp_js__WEBPACK_IMPORTED_MODULE_5__/* .parseInstant */ .nV)(given[field]);
        if (instant === null)
            addDiagnostic(field, "is no date-time; write ISO 8601, as 2026-01-31T12:00:00Z");
        else
            header[field] = instant.text;
    }
    if (present("dataset_id")) {
        const id = (0,_row_id_js__WEBPACK_IMPORTED_MODULE_3__/* .parseUuid */ .Xw)(given.dataset_id);
        if (id === null)
            addDiagnostic("dataset_id", "must be a UUID; a name belongs into dataset_name");
        else
            header["dataset_id"] = (0,_row_id_js__WEBPACK_IMPORTED_MODULE_3__/* .formatUuid */ .h)(id);
    }
    if (present("experiment_metadata")) {
        if ((0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(given.experiment_metadata))
            header["experiment_metadata"] = (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_4__/* .cleanJson */ .We)(given.experiment_metadata, notes);
        else
            addDiagnostic("experiment_metadata", "must be an object");
    }
    const summary = (0,_feedback_js__WEBPACK_IMPORTED_MODULE_0__/* .toFeedbackList */ .nI)(given.summary_experiment_scores, "summary_experiment_scores", {
        strict,
        addDiagnostic,
        notes,
    });
    if (summary.length > 0)
        header["summary_experiment_scores"] = summary;
    return {
        header: header,
        problems,
        warnings: (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_4__/* .renderRowNotes */ .I9)(notes).filter((line) => !line.includes("unscored")),
    };
}


/***/ }),

/***/ 2123:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   R5: () => (/* binding */ diagnosticAt),
/* harmony export */   uo: () => (/* binding */ DiagnosticError),
/* harmony export */   x5: () => (/* binding */ refusal)
/* harmony export */ });
class DiagnosticError extends Error {
    name = "ProblemError";
    problems;
    constructor(problems) {
        super(problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`).join("\n"));
        this.problems = problems;
    }
}
function diagnosticAt(place, message, level = "error") {
    return {
        file: place.file,
        line: place.line ?? 1,
        column: 1,
        level,
        path: place.path ?? "",
        message,
    };
}
function refusal(place, message) {
    return new DiagnosticError([diagnosticAt(place, message)]);
}


/***/ }),

/***/ 7189:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  U5: () => (/* binding */ joinRows),
  BT: () => (/* binding */ readExperiments)
});

// UNUSED EXPORTS: readFiles

// EXTERNAL MODULE: ./build/experiment/checks.js
var checks = __webpack_require__(3025);
// EXTERNAL MODULE: ./build/experiment/lenient-json.js
var lenient_json = __webpack_require__(824);
// EXTERNAL MODULE: ./build/experiment/diagnostic.js
var diagnostic = __webpack_require__(2123);
;// CONCATENATED MODULE: ./build/experiment/formats/head.js


const HEAD_BYTES = 256 * 1024;
async function readHead(file) {
    const bytes = await file.head(HEAD_BYTES);
    const base = {
        name: file.name,
        keys: new Set(),
        rootIsArray: false,
        columns: [],
    };
    if (bytes.length === 0)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the file is empty; the run that should have written it wrote nothing");
    if (bytes.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004")))
        return { ...base, container: "zip", text: "" };
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the file is UTF-16; write it as UTF-8");
    if (bytes.includes(0))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the file is binary or UTF-16; result files are text in UTF-8, or an Inspect .eval log");
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    const start = text.trimStart();
    if (start === "")
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the file is blank; the run that should have written it wrote nothing");
    if (start.startsWith("<"))
        return { ...base, container: "xml", text };
    if (/^(?:\{|\[\s*(?:[[{"\]\d-]|true\b|false\b|null\b|NaN\b|$))/.test(start))
        return jsonHead(file, base, text);
    return { ...base, container: "csv", text, columns: await headerRecord(file, text) };
}
function jsonHead(file, base, text) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const complete = text.length < HEAD_BYTES / 2 ? lines : lines.slice(0, -1);
    const first = complete[0] === undefined ? undefined : (0,lenient_json/* parseLenientJson */.Ri)(complete[0]).value;
    const named = /\.(jsonl|ndjson)$/i.test(file.name);
    const begun = complete.length === 0 && named && text.trimStart().startsWith("{");
    const isLines = begun || ((0,lenient_json/* isObject */.Gv)(first) && (lines.length > 1 || named));
    if (!isLines)
        return {
            ...base,
            container: "json",
            text,
            rootIsArray: text.trimStart().startsWith("["),
            keys: outlineKeys(text),
        };
    const keys = new Set();
    for (const line of begun ? lines : complete.slice(0, 20))
        for (const key of outlineKeys(line))
            keys.add(key);
    return { ...base, container: "jsonl", text, keys };
}
async function headerRecord(file, text) {
    const { parse: parseCsv } = await Promise.all(/* import() */[__webpack_require__.e(84), __webpack_require__.e(16)]).then(__webpack_require__.bind(__webpack_require__, 2016));
    try {
        const records = parseCsv(text, {
            to: 1,
            relax_column_count: true,
            relax_quotes: true,
            max_record_size: HEAD_BYTES / 2,
        });
        return records[0] ?? [];
    }
    catch {
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the first line is no CSV header and the file is neither JSON, XML nor a zip");
    }
}
function outlineKeys(text) {
    const keys = new Set();
    const open = [];
    let names = [];
    const token = /"((?:[^"\\]|\\[^]){0,512})"(\s*:)?|[[\]{}]|"/g;
    const root = text.trimStart().startsWith("[") ? 1 : 0;
    let objects = 0;
    for (let match = token.exec(text); match !== null; match = token.exec(text)) {
        const [piece, key, colon] = match;
        if (piece === '"') {
            token.lastIndex = endOfString(text, token.lastIndex);
            continue;
        }
        if (piece === "{" || piece === "[") {
            if (piece === "{" && open.length === root)
                objects += 1;
            if (objects > 1)
                return keys;
            open.push(piece);
        }
        else if (piece === "}" || piece === "]")
            open.pop();
        else if (colon !== undefined && key !== undefined) {
            const level = open.length - root;
            if (level === 1)
                names = [key];
            if (level === 1)
                keys.add(key);
            else if (level === 2 && open.at(-1) === "{" && names[0] !== undefined)
                keys.add(`${names[0]}.${key}`);
            else if (level === 3 && open.at(-2) === "[" && names[0] !== undefined)
                keys.add(`${names[0]}[].${key}`);
        }
    }
    return keys;
}
function endOfString(text, from) {
    for (let at = from; at < text.length; at += 1) {
        if (text[at] === "\\")
            at += 1;
        else if (text[at] === '"')
            return at + 1;
    }
    return text.length;
}

// EXTERNAL MODULE: ./node_modules/js-yaml/dist/js-yaml.mjs
var js_yaml = __webpack_require__(3243);
// EXTERNAL MODULE: ./build/spec/suggestion.js
var suggestion = __webpack_require__(176);
// EXTERNAL MODULE: ./build/experiment/row.js + 1 modules
var row = __webpack_require__(1375);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/spec/glob.js
var spec_glob = __webpack_require__(3118);
;// CONCATENATED MODULE: ./build/experiment/input-file.js




const MAX_MATCHES = 1000;
const MAX_VISITED = 200_000;
const MAX_SEGMENT_STARS = 8;
const MAX_STARS_WITH_SETS = 3;
const CHUNK_BYTES = 256 * 1024;
async function findInputFiles(patterns, workspace) {
    const problems = [];
    const found = new Map();
    const roots = await Promise.all([workspace.root, ...(workspace.alsoAllowed ?? [])].map((root) => (0,promises_.realpath)(root).catch(() => external_node_path_.resolve(root))));
    for (const pattern of patterns) {
        const names = await expand(pattern, workspace.root);
        if (names === null) {
            problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: pattern }, "the pattern matches too much or has too many wildcards; name the files more closely"));
            continue;
        }
        if (names.length === 0)
            problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: pattern }, `no file matches; paths are relative to the workspace`));
        for (const name of names) {
            const opened = await openFile(name, workspace.root, workspace.allowOutside === true ? null : roots);
            if (typeof opened === "string")
                problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: name }, opened));
            else
                found.set(opened.name, opened);
        }
    }
    return { files: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
async function openFile(name, root, roots) {
    const absolute = external_node_path_.resolve(root, name);
    let real;
    let info;
    try {
        real = await (0,promises_.realpath)(absolute);
        info = await (0,promises_.stat)(real);
    }
    catch (error) {
        const code = error.code ?? "";
        return code === "ENOENT"
            ? "there is no such file; check the path and that the step before wrote it"
            : `cannot be read (${code})`;
    }
    if (roots !== null &&
        !roots.some((allowed) => real === allowed || real.startsWith(allowed + external_node_path_.sep))) {
        return "lies outside the workspace; copy it in (command line: --allow-outside)";
    }
    if (info.isDirectory())
        return "is a folder; name files or use a glob";
    if (!info.isFile())
        return "is no regular file (a device, pipe or socket)";
    const shown = external_node_path_.relative(external_node_path_.resolve(root), absolute).split(external_node_path_.sep).join("/") || name;
    return fileAt(real, shown, { sizeBytes: info.size, mtimeMs: info.mtimeMs });
}
function fileAt(real, name, at) {
    async function openUnchanged() {
        const handle = await (0,promises_.open)(real, "r").catch((error) => {
            throw (0,diagnostic/* refusal */.x5)({ file: name }, `cannot be read (${error.code ?? "error"})`);
        });
        const now = await handle.stat();
        if (now.size === at.sizeBytes && now.mtimeMs === at.mtimeMs)
            return handle;
        await handle.close();
        throw (0,diagnostic/* refusal */.x5)({ file: name }, "changed while it was read; let the step that writes it end first");
    }
    async function* chunks(how) {
        const handle = await openUnchanged();
        const pair = [
            Buffer.allocUnsafeSlow(CHUNK_BYTES),
            Buffer.allocUnsafeSlow(CHUNK_BYTES),
        ];
        const readNext = (turn) => handle.read(how?.reuse === true || turn < 2
            ? pair[(turn % 2)]
            : Buffer.allocUnsafeSlow(CHUNK_BYTES), 0, CHUNK_BYTES, null);
        let ahead = readNext(0);
        try {
            for (let turn = 1;; turn += 1) {
                const { bytesRead, buffer } = await ahead;
                if (bytesRead === 0)
                    return;
                ahead = readNext(turn);
                yield buffer.subarray(0, bytesRead);
            }
        }
        finally {
            await ahead.catch(() => undefined);
            await handle.close();
        }
    }
    return { name, ...at, chunks, head: (bytes) => collect(chunks(), bytes), open: openUnchanged };
}
function memoryFile(name, content, mtimeMs = 0) {
    const bytes = Buffer.from(content);
    async function* chunks() {
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
            yield bytes.subarray(at, at + CHUNK_BYTES);
    }
    return {
        name,
        sizeBytes: bytes.length,
        mtimeMs,
        chunks,
        head: async (count) => bytes.subarray(0, count),
    };
}
async function collect(chunks, maxBytes) {
    const parts = [];
    let length = 0;
    for await (const chunk of chunks) {
        parts.push(chunk);
        length += chunk.length;
        if (length >= maxBytes)
            break;
    }
    return Buffer.concat(parts).subarray(0, maxBytes);
}
async function readWhole(file, maxBytes) {
    if (file.sizeBytes > maxBytes)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the file is larger than ${maxBytes / 1024 / 1024} MiB, which this format cannot be read at; split it, or write JSONL`);
    return collect(file.chunks(), maxBytes + 1);
}
async function expand(pattern, root) {
    if (!/[*?{[]/.test(pattern))
        return [pattern];
    const exact = await (0,promises_.stat)(external_node_path_.resolve(root, pattern)).catch(() => null);
    if (exact !== null)
        return [pattern];
    const alternatives = expandBraces(pattern);
    if (alternatives === null)
        return null;
    const matches = new Set();
    const budget = { left: MAX_VISITED };
    for (const alternative of alternatives) {
        const segments = alternative
            .replaceAll("\\", "/")
            .split("/")
            .filter((segment) => segment !== "" && segment !== ".");
        if (segments.some((segment) => segment !== "**" &&
            segment.split("*").length - 1 >
                (segment.includes("[") ? MAX_STARS_WITH_SETS : MAX_SEGMENT_STARS)) ||
            segments.filter((segment) => segment === "**").length > 4)
            return null;
        await walk({ base: external_node_path_.isAbsolute(alternative) ? "/" : "", root, segments, matches, budget });
        if (budget.left < 0 || matches.size > MAX_MATCHES)
            return null;
    }
    return [...matches].sort();
}
async function walk(at) {
    const [segment, ...rest] = at.segments;
    if (segment === undefined || at.budget.left < 0 || at.matches.size > MAX_MATCHES)
        return;
    const join = (name) => at.base === "" ? name : at.base.endsWith("/") ? at.base + name : `${at.base}/${name}`;
    if (segment !== "**" && !/[*?[]/.test(segment)) {
        const next = join(segment);
        if (rest.length > 0)
            return walk({ ...at, base: next, segments: rest });
        const found = await (0,promises_.stat)(external_node_path_.resolve(at.root, next)).catch(() => null);
        if (found !== null && !found.isDirectory())
            at.matches.add(next);
        return;
    }
    if (segment === "**")
        await walk({ ...at, segments: rest.length > 0 ? rest : ["*"] });
    const matcher = segment === "**" ? null : segmentMatcher(segment);
    const entries = await (0,promises_.readdir)(external_node_path_.resolve(at.root, at.base === "" ? "." : at.base), {
        withFileTypes: true,
    }).catch(() => []);
    for (const entry of entries) {
        at.budget.left -= 1;
        const hidden = entry.name.startsWith(".") && !segment.startsWith(".");
        if (hidden || (matcher === null && entry.name === "node_modules"))
            continue;
        const next = join(entry.name);
        if (matcher === null) {
            if (entry.isDirectory())
                await walk({ ...at, base: next });
            continue;
        }
        if (!matcher(entry.name))
            continue;
        if (rest.length > 0) {
            if (!entry.isFile())
                await walk({ ...at, base: next, segments: rest });
        }
        else if (!entry.isDirectory())
            at.matches.add(next);
    }
}
function segmentMatcher(glob) {
    if (!glob.includes("["))
        return (name) => (0,spec_glob/* matchesSegment */.vO)(glob, name);
    const source = glob
        .replace(/[.+^$()|\\{}]/g, "\\$&")
        .replace(/\*+/g, ".*?")
        .replace(/\?/g, ".")
        .replace(/\[!/g, "[^");
    try {
        const pattern = new RegExp(`^${source}$`, "su");
        return (name) => pattern.test(name);
    }
    catch {
        return (name) => name === glob;
    }
}
function expandBraces(pattern) {
    let open = [pattern];
    for (let round = 0; round < 8; round += 1) {
        const next = open.flatMap((text) => {
            const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
            return match === null
                ? [text]
                : match[1]
                    .split(",")
                    .map((part) => text.slice(0, match.index) + part + text.slice(match.index + match[0].length));
        });
        if (next.length > 256)
            return null;
        if (next.length === open.length)
            return next;
        open = next;
    }
    return null;
}

;// CONCATENATED MODULE: ./build/experiment/formats/mapping.js






const OBJECT_FIELDS = ["inputs", "expected_outputs", "actual_outputs", "run_metadata"];
const ROW_EXTRAS = ["duration_s", "repeat", "example_id"];
const ALIASES = {
    feedback: "evaluation_scores",
    outputs: "actual_outputs",
    reference: "expected_outputs",
    execution_time: "duration_s",
    duration: "duration_s",
};
const FEEDBACK_PARTS = [
    ...row/* FEEDBACK_FIELDS */.ez.filter((field) => field !== "key"),
    "feedback_source.type",
    "feedback_config.type",
    "feedback_config.min",
    "feedback_config.max",
    "feedback_config.categories",
];
const MAX_MAPPING_BYTES = 1024 * 1024;
async function readMapping(file) {
    const text = (await readWhole(file, MAX_MAPPING_BYTES)).toString("utf8");
    let loaded;
    try {
        loaded = (0,js_yaml.load)(text, { maxAliases: 10, maxDepth: 20 });
    }
    catch (error) {
        const line = (error.mark?.line ?? 0) + 1;
        throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, "the mapping is not valid YAML; write one `field: column` a line");
    }
    if (!(0,lenient_json/* isObject */.Gv)(loaded))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the mapping must be YAML lines `field: column`");
    const problems = [];
    const { rows, ...rest } = loaded;
    const fields = flatten(rest, "").flatMap(([field, source]) => {
        const wrong = fieldProblem(field) ?? (source === null ? "needs a column name, or {literal: value}" : null);
        if (wrong === null && source !== null)
            return [{ field, source }];
        problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: file.name, line: lineOf(text, field), path: field }, `${field}: ${wrong}`));
        return [];
    });
    if (rows !== undefined && typeof rows !== "string")
        problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: file.name, line: lineOf(text, "rows"), path: "rows" }, "rows: must be the dotted path of the array that holds the rows"));
    if (!fields.some(({ field }) => field === "inputs" || field.startsWith("inputs.")))
        problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: file.name, path: "inputs" }, "the mapping names no inputs; write `inputs.question: your_column`"));
    if (problems.length > 0)
        throw new diagnostic/* DiagnosticError */.uo(problems);
    return { rows: typeof rows === "string" && rows !== "" ? rows.split(".") : [], fields };
}
function flatten(value, prefix) {
    return Object.entries(value).flatMap(([key, inner]) => {
        const field = prefix === "" ? plainField(key) : `${prefix}.${key}`;
        if (typeof inner === "string")
            return [[field, { column: inner }]];
        if (Array.isArray(inner) && inner.length > 0 && inner.every((one) => typeof one === "string"))
            return inner.map((one) => [`${field}.${one}`, { column: one }]);
        if (!(0,lenient_json/* isObject */.Gv)(inner))
            return [[field, null]];
        const keys = Object.keys(inner);
        if (keys.length === 1 && keys[0] === "column" && typeof inner["column"] === "string")
            return [[field, { column: inner["column"] }]];
        if (keys.length === 1 && keys[0] === "literal")
            return [[field, { literal: inner["literal"] }]];
        return flatten(inner, field);
    });
}
function plainField(field) {
    const [root = "", ...rest] = field.split(".");
    return [Object.hasOwn(ALIASES, root) ? ALIASES[root] : root, ...rest].join(".");
}
function lineOf(text, field) {
    const last = field.split(".").at(-1);
    const at = text
        .split("\n")
        .findIndex((line) => line.includes(`${field}:`) || line.trimStart().startsWith(`${last}:`));
    return at < 0 ? 1 : at + 1;
}
function fieldProblem(field) {
    const [root = "", ...rest] = field.split(".");
    const whole = rest.length === 0;
    if (OBJECT_FIELDS.includes(root) || root === "experiment_metadata")
        return null;
    if (root === "evaluation_scores" || root === "summary_experiment_scores")
        return null;
    const known = [...row/* HEADER_FIELDS */.WY, ...row/* ROW_FIELDS */.dC, ...ROW_EXTRAS];
    if (known.includes(root))
        return whole ? null : `has no parts; write ${root}`;
    const all = [...known, "rows"];
    const near = (0,suggestion/* nearestWord */.z)(root, all);
    return `there is no such field${near === undefined ? "" : ` (did you mean ${near}?)`}; fields are ${all.join(", ")}`;
}
function jsonCells(value) {
    return (column) => (0,lenient_json/* ownAt */.KF)(value, column) ?? (column.includes(".") ? (0,lenient_json/* ownAt */.KF)(value, ...column.split(".")) : undefined);
}
function createMapper(mapping) {
    const headerFields = mapping.fields.filter(({ field }) => isHeaderField(field));
    const rowFields = mapping.fields.filter(({ field }) => !isHeaderField(field));
    const seen = new Map();
    const valueOf = ({ source }, cells) => "literal" in source ? source.literal : emptyAsAbsent(cells(source.column));
    const toRow = (place, cells) => {
        for (const mapped of headerFields) {
            if (seen.has(mapped.field))
                continue;
            const value = valueOf(mapped, cells);
            if (value !== undefined)
                seen.set(mapped.field, value);
        }
        return assemble(place, rowFields.map((mapped) => [
            mapped.field,
            isInput(mapped) && "column" in mapped.source
                ? cells(mapped.source.column)
                : valueOf(mapped, cells),
            mapped.source,
        ]));
    };
    const header = (rest) => {
        const found = headerFields.map((mapped) => [
            mapped.field,
            valueOf(mapped, jsonCells(rest)) ?? seen.get(mapped.field),
            mapped.source,
        ]);
        return { given: assembleHeader(found) };
    };
    return { toRow, header };
}
const isInput = ({ field }) => field.startsWith("inputs.");
const emptyAsAbsent = (value) => value === "" || value === null ? undefined : value;
function isHeaderField(field) {
    return row/* HEADER_FIELDS */.WY.includes(field.split(".", 1)[0]);
}
function assemble(place, values) {
    const row = {};
    const lists = [];
    const objects = new Map();
    const scores = new Map();
    for (const [field, value, source] of values) {
        if (value === undefined)
            continue;
        const dot = field.indexOf(".");
        const root = dot < 0 ? field : field.slice(0, dot);
        if (field === "evaluation_scores")
            lists.push(...toWholeScores(scores, value, source));
        else if (root === "evaluation_scores")
            putScore(scores, field.slice(dot + 1), value);
        else if (dot > 0)
            entryOf(objects, root).set(field.slice(dot + 1), value);
        else if (OBJECT_FIELDS.includes(root))
            row[root] = parseWhenJson(value);
        else if (root === "duration_s" || root === "repeat")
            row[root] = toNumber(value);
        else
            row[root] = value;
    }
    for (const [root, entries] of objects)
        row[root] = { ...((0,lenient_json/* isObject */.Gv)(row[root]) ? row[root] : {}), ...Object.fromEntries(entries) };
    if (scores.size + lists.length > 0)
        row["evaluation_scores"] = [...lists, ...toScores(scores)];
    return { ...row, place };
}
function assembleHeader(values) {
    const given = {};
    const lists = [];
    const scores = new Map();
    const metadata = new Map();
    for (const [field, value, source] of values) {
        if (value === undefined)
            continue;
        if (field === "summary_experiment_scores")
            lists.push(...toWholeScores(scores, value, source));
        else if (field.startsWith("summary_experiment_scores."))
            putScore(scores, field.slice(field.indexOf(".") + 1), value);
        else if (field.startsWith("experiment_metadata."))
            metadata.set(field.slice(field.indexOf(".") + 1), value);
        else
            given[field] = field === "experiment_metadata" ? parseWhenJson(value) : value;
    }
    if (metadata.size > 0)
        given["experiment_metadata"] = {
            ...((0,lenient_json/* isObject */.Gv)(given["experiment_metadata"]) ? given["experiment_metadata"] : {}),
            ...Object.fromEntries(metadata),
        };
    if (scores.size + lists.length > 0)
        given["summary_experiment_scores"] = [...lists, ...toScores(scores)];
    return given;
}
function toWholeScores(scores, value, source) {
    const whole = parseWhenJson(value);
    if (Array.isArray(whole))
        return whole;
    if ((0,lenient_json/* isObject */.Gv)(whole))
        for (const [key, score] of Object.entries(whole))
            entryOf(scores, key).set("score", score);
    else
        entryOf(scores, "column" in source ? source.column : "score").set("score", whole);
    return [];
}
function entryOf(map, key) {
    const found = map.get(key) ?? new Map();
    map.set(key, found);
    return found;
}
function putScore(scores, name, value) {
    const part = FEEDBACK_PARTS.filter((known) => name.endsWith(`.${known}`)).sort((a, b) => b.length - a.length)[0];
    entryOf(scores, part === undefined ? name : name.slice(0, -part.length - 1)).set(part ?? "score", value);
}
function toScores(scores) {
    return [...scores].map(([key, parts]) => {
        const feedback = { key };
        for (const [part, value] of parts) {
            const [outer, inner] = part.split(".");
            if (outer === "feedback_config" && inner !== undefined)
                feedback[outer] = {
                    ...feedback[outer],
                    [inner]: inner === "type"
                        ? value
                        : inner === "categories"
                            ? parseWhenJson(value)
                            : toNumber(value),
                };
            else if (inner !== undefined)
                feedback[outer] = { ...feedback[outer], [inner]: value };
            else
                feedback[part] =
                    part === "correction" || part === "feedback_source" || part === "feedback_config"
                        ? parseWhenJson(value)
                        : value;
        }
        return feedback;
    });
}
function toNumber(value) {
    return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
        ? Number(value)
        : value;
}
function parseWhenJson(value) {
    if (typeof value !== "string" || !/^\s*[[{]/.test(value))
        return value;
    const parsed = (0,lenient_json/* parseLenientJson */.Ri)(value);
    return parsed.problem === undefined ? parsed.value : value;
}

;// CONCATENATED MODULE: ./build/experiment/json-array.js


const QUOTE = 34, BACKSLASH = 92, COMMA = 44, OPEN_BRACE = 123, CLOSE_BRACE = 125, OPEN_BRACKET = 91, CLOSE_BRACKET = 93, NEWLINE = 10;
function streamJsonArray(file, chunks, path) {
    let rest;
    let found = false;
    async function* batches() {
        const splitter = createSplitter(file, path);
        for await (const chunk of chunks) {
            const items = splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
            if (items.length > 0)
                yield items;
        }
        const parsed = (0,lenient_json/* parseLenientBytes */.gM)(splitter.rest());
        if (parsed.problem !== undefined)
            throw (0,diagnostic/* refusal */.x5)({ file, line: splitter.line() }, `the file ${parsed.problem}; write it whole again`);
        rest = parsed.value;
        found = splitter.found();
    }
    return { batches: batches(), rest: () => rest, found: () => found };
}
function createSplitter(file, path) {
    let depth = 0;
    let inString = false;
    let escaped = false;
    let line = 1;
    let arrayDepth = -1;
    let seen = false;
    let matched = 0;
    let keyNext = false;
    let keyMatches = false;
    let key = null;
    let itemLine = 1;
    let itemSeen = false;
    let held = [];
    let heldBytes = 0;
    const skeleton = [];
    let skeletonBytes = 0;
    const tooLong = () => (0,diagnostic/* refusal */.x5)({ file, line: itemLine }, `one value is longer than ${lenient_json/* MAX_TEXT_BYTES */.$D / 1024 / 1024} MiB; that is no row`);
    const keep = (bytes) => {
        skeletonBytes += bytes.length;
        if (skeletonBytes > lenient_json/* MAX_TEXT_BYTES */.$D)
            throw tooLong();
        skeleton.push(Buffer.from(bytes));
    };
    const hold = (bytes) => {
        heldBytes += bytes.length;
        if (heldBytes > lenient_json/* MAX_TEXT_BYTES */.$D)
            throw tooLong();
        held.push(bytes);
    };
    const take = (bytes) => {
        if (held.length === 0)
            return bytes;
        const whole = Buffer.concat([...held, bytes]);
        held = [];
        heldBytes = 0;
        return whole;
    };
    const open = () => {
        depth += 1;
        if (depth > lenient_json/* MAX_DEPTH */.lr)
            throw (0,diagnostic/* refusal */.x5)({ file, line }, `the file nests deeper than ${lenient_json/* MAX_DEPTH */.lr} levels`);
    };
    const passString = (chunk, from) => {
        const end = findQuote(chunk, from);
        inString = end >= chunk.length;
        escaped = end > chunk.length;
        if (key !== null) {
            key.push(Buffer.from(chunk.subarray(from, end)));
            if (key.length > 64)
                key = null;
            else if (!inString) {
                keyMatches =
                    (0,lenient_json/* parseLenientBytes */.gM)(Buffer.concat([QUOTES, ...key, QUOTES])).value === path[matched];
                key = null;
            }
        }
        return inString ? chunk.length : end + 1;
    };
    const push = (chunk) => {
        const items = [];
        let start = 0;
        let at = inString ? passString(chunk, escaped ? 1 : 0) : 0;
        const cut = (end, last) => {
            const bytes = take(chunk.subarray(start, end));
            if (!(last && !itemSeen && isBlank(bytes)))
                items.push({ bytes, line: itemLine });
            itemSeen = true;
            start = end + 1;
            itemLine = line;
        };
        while (at < chunk.length) {
            at = findMeaning(chunk, at);
            switch (chunk[at]) {
                case QUOTE:
                    key =
                        arrayDepth < 0 && keyNext && depth === matched + 1 && matched < path.length ? [] : null;
                    keyNext = false;
                    at = passString(chunk, at + 1);
                    continue;
                case OPEN_BRACE:
                    open();
                    if (arrayDepth < 0) {
                        if (depth === 1 && path.length > 0)
                            keyNext = true;
                        else if (keyMatches && depth === matched + 2 && matched + 1 < path.length) {
                            matched += 1;
                            keyNext = true;
                        }
                        keyMatches = false;
                    }
                    break;
                case OPEN_BRACKET:
                    open();
                    if (arrayDepth < 0 &&
                        (path.length === 0
                            ? depth === 1
                            : keyMatches && depth === matched + 2 && matched + 1 === path.length)) {
                        if (seen)
                            throw (0,diagnostic/* refusal */.x5)({ file, line }, path.length === 0
                                ? "a second list follows the first; keep one in a file"
                                : `"${path.join(".")}" stands twice in the file; keep one`);
                        seen = true;
                        arrayDepth = depth;
                        keep(chunk.subarray(start, at + 1));
                        start = at + 1;
                        itemLine = line;
                        itemSeen = false;
                    }
                    keyMatches = false;
                    break;
                case CLOSE_BRACE:
                    depth -= 1;
                    if (arrayDepth < 0 && depth <= matched && matched > 0)
                        matched -= 1;
                    break;
                case CLOSE_BRACKET:
                    if (depth === arrayDepth) {
                        cut(at, true);
                        start = at;
                        arrayDepth = -1;
                    }
                    depth -= 1;
                    break;
                case COMMA:
                    if (depth === arrayDepth)
                        cut(at, false);
                    else if (arrayDepth < 0) {
                        keyMatches = false;
                        if (depth === matched + 1)
                            keyNext = true;
                    }
                    break;
                case NEWLINE:
                    line += 1;
                    break;
            }
            at += 1;
        }
        if (arrayDepth >= 0)
            hold(Buffer.from(chunk.subarray(start)));
        else
            keep(chunk.subarray(start));
        return items;
    };
    return {
        push,
        rest: () => Buffer.concat(arrayDepth >= 0 ? [...skeleton, ...held] : skeleton),
        line: () => line,
        found: () => seen,
    };
}
const QUOTES = Buffer.from('"');
const SHORT_STRING = 24;
function findQuote(chunk, from) {
    let at = from;
    for (const end = Math.min(chunk.length, from + SHORT_STRING); at < end;) {
        const byte = chunk[at];
        if (byte === QUOTE)
            return at;
        at += byte === BACKSLASH ? 2 : 1;
    }
    for (;;) {
        if (at >= chunk.length)
            return at;
        const quote = chunk.indexOf(QUOTE, at);
        const end = quote < 0 ? chunk.length : quote;
        let backslashes = 0;
        while (end - backslashes > at && chunk[end - backslashes - 1] === BACKSLASH)
            backslashes += 1;
        const escapes = backslashes % 2 === 1;
        if (quote < 0)
            return escapes ? end + 1 : end;
        if (!escapes)
            return quote;
        at = quote + 1;
    }
}
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => [QUOTE, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, NEWLINE].includes(byte)
    ? 0
    : 1);
function findMeaning(chunk, from) {
    let at = from;
    while (at < chunk.length && PLAIN[chunk[at]] === 1)
        at += 1;
    return at;
}
function isBlank(bytes) {
    for (const byte of bytes)
        if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13)
            return false;
    return true;
}

;// CONCATENATED MODULE: ./build/experiment/text-lines.js


async function* streamLines(file, chunks) {
    let held = [];
    let heldBytes = 0;
    let line = 0;
    const take = (last) => {
        line += 1;
        const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
        held = [];
        heldBytes = 0;
        return bytes.length === 0 || bytes.every((byte) => byte === 32 || byte === 9 || byte === 13)
            ? null
            : { bytes, line };
    };
    for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        const lines = [];
        let start = 0;
        for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
            const found = take(bytes.subarray(start, end));
            if (found !== null)
                lines.push(found);
            start = end + 1;
        }
        const tail = bytes.subarray(start);
        heldBytes += tail.length;
        if (heldBytes > lenient_json/* MAX_TEXT_BYTES */.$D)
            throw (0,diagnostic/* refusal */.x5)({ file, line: line + 1 }, `the line is longer than ${lenient_json/* MAX_TEXT_BYTES */.$D / 1024 / 1024} MiB; that is no row`);
        if (tail.length > 0)
            held.push(Buffer.from(tail));
        if (lines.length > 0)
            yield lines;
    }
    const last = held.length > 0 ? take(Buffer.alloc(0)) : null;
    if (last !== null)
        yield [last];
}

;// CONCATENATED MODULE: ./build/experiment/formats/objects.js




async function* utf8Chunks(file, how) {
    let first = true;
    for await (const chunk of file.chunks(how)) {
        const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
        first = false;
        yield marked ? chunk.subarray(3) : chunk;
    }
}
function streamValues(file, head, path, orRoot = false) {
    let rest;
    const parse = (bytes, line, index) => {
        const parsed = (0,lenient_json/* parseLenientBytes */.gM)(bytes);
        if (parsed.problem !== undefined)
            throw (0,diagnostic/* refusal */.x5)({ file: file.name, line, path: `[${index}]` }, `row ${index + 1} ${parsed.problem}`);
        return { value: parsed.value, line, index, ...(parsed.bareTokens ? { bareTokens: true } : {}) };
    };
    async function* texts() {
        let count = 0;
        const toBatch = (pieces) => {
            const first = count;
            count += pieces.length;
            return { texts: pieces, parse: (n) => parse(pieces[n].bytes, pieces[n].line, first + n) };
        };
        if (head.container === "jsonl") {
            for await (const lines of streamLines(file.name, utf8Chunks(file, { reuse: true })))
                yield toBatch(lines);
            return;
        }
        const stream = streamJsonArray(file.name, utf8Chunks(file, { reuse: true }), head.rootIsArray ? [] : path);
        for await (const items of stream.batches)
            yield toBatch(items);
        rest = stream.rest();
        if (stream.found())
            return;
        if (!orRoot)
            throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the file has no array "${path.join(".")}"`);
        const root = rest;
        yield {
            texts: [{ bytes: Buffer.alloc(0), line: 1 }],
            parse: () => ({ value: root, line: 1, index: 0 }),
        };
    }
    async function* batches() {
        for await (const batch of texts())
            yield batch.texts.map((_, n) => batch.parse(n));
    }
    return { batches, texts, rest: () => rest };
}

;// CONCATENATED MODULE: ./build/experiment/formats/deepeval.js



const present = (entries) => {
    const kept = entries.filter(([, value]) => value !== undefined && value !== null);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
};
function scoresOf(test) {
    const metrics = (0,lenient_json/* own */.ZV)(test, "metricsData");
    const scores = (Array.isArray(metrics) ? metrics : []).flatMap((metric) => {
        const key = (0,lenient_json/* ownString */.Ao)(metric, "name");
        if (key === undefined)
            return [];
        const error = (0,lenient_json/* ownString */.Ao)(metric, "error");
        if (error !== undefined && error !== "")
            return [{ key, comment: `not scored: ${error}` }];
        const success = (0,lenient_json/* own */.ZV)(metric, "success");
        return [
            { key, score: (0,lenient_json/* own */.ZV)(metric, "score"), comment: (0,lenient_json/* own */.ZV)(metric, "reason") },
            ...(typeof success === "boolean"
                ? [{ key: `${key}.pass`, score: success, ...thresholdOf(metric) }]
                : []),
        ];
    });
    const success = (0,lenient_json/* own */.ZV)(test, "success");
    return typeof success === "boolean" ? [...scores, { key: "pass", score: success }] : scores;
}
function thresholdOf(metric) {
    const threshold = (0,lenient_json/* own */.ZV)(metric, "threshold");
    return typeof threshold === "number"
        ? { comment: `threshold ${threshold}${(0,lenient_json/* own */.ZV)(metric, "flaky") === true ? ", flaky" : ""}` }
        : {};
}
function toRow(file, { value: test, line, index }) {
    if (!(0,lenient_json/* isObject */.Gv)(test))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `test case ${index + 1} is no object`);
    const conversational = Object.hasOwn(test, "turns");
    const seconds = (0,lenient_json/* own */.ZV)(test, "runDuration") ?? (0,lenient_json/* own */.ZV)(test, "completionTime");
    return {
        place: { file: file.name, line, index },
        inputs: conversational
            ? present([
                ["scenario", (0,lenient_json/* own */.ZV)(test, "scenario")],
                ["turns", (0,lenient_json/* own */.ZV)(test, "turns")],
            ])
            : present([
                ["input", (0,lenient_json/* own */.ZV)(test, "input")],
                ["context", (0,lenient_json/* own */.ZV)(test, "context")],
            ]),
        expected_outputs: present([
            ["output", (0,lenient_json/* own */.ZV)(test, "expectedOutput")],
            ["tools", (0,lenient_json/* own */.ZV)(test, "expectedTools")],
            ["outcome", (0,lenient_json/* own */.ZV)(test, "expectedOutcome")],
        ]),
        actual_outputs: present([["output", (0,lenient_json/* own */.ZV)(test, "actualOutput")]]),
        evaluation_scores: scoresOf(test),
        start_time: (0,lenient_json/* ownAt */.KF)(test, "trace", "startTime"),
        end_time: (0,lenient_json/* ownAt */.KF)(test, "trace", "endTime"),
        duration_s: typeof seconds === "number" ? seconds : undefined,
        run_name: (0,lenient_json/* own */.ZV)(test, "name"),
        run_metadata: present([
            ["retrieval_context", (0,lenient_json/* own */.ZV)(test, "retrievalContext")],
            ["tools_called", (0,lenient_json/* own */.ZV)(test, "toolsCalled")],
            ["metadata", (0,lenient_json/* own */.ZV)(test, "metadata") ?? (0,lenient_json/* own */.ZV)(test, "additionalMetadata")],
            ["tags", (0,lenient_json/* own */.ZV)(test, "tags")],
            ["token_cost", (0,lenient_json/* own */.ZV)(test, "tokenCost")],
            ["order", (0,lenient_json/* own */.ZV)(test, "order")],
        ]),
    };
}
function toHeader(rest) {
    const run = (0,lenient_json/* own */.ZV)(rest, "testRunData") ?? rest;
    const metrics = (0,lenient_json/* own */.ZV)(run, "metricsScores");
    const summary = (Array.isArray(metrics) ? metrics : []).flatMap((entry) => {
        const key = (0,lenient_json/* ownString */.Ao)(entry, "metric");
        const scores = (0,lenient_json/* own */.ZV)(entry, "scores");
        const numbers = Array.isArray(scores)
            ? scores.filter((score) => typeof score === "number" && Number.isFinite(score))
            : [];
        return key === undefined || numbers.length === 0
            ? []
            : [
                {
                    key,
                    score: numbers.reduce((sum, score) => sum + score, 0) / numbers.length,
                    comment: `mean of ${numbers.length}; passes ${Number((0,lenient_json/* own */.ZV)(entry, "passes") ?? 0)}, fails ${Number((0,lenient_json/* own */.ZV)(entry, "fails") ?? 0)}, errors ${Number((0,lenient_json/* own */.ZV)(entry, "errors") ?? 0)}`,
                },
            ];
    });
    const suite = (0,lenient_json/* ownString */.Ao)(run, "identifier") ?? (0,lenient_json/* ownString */.Ao)(run, "testFile") ?? (0,lenient_json/* ownString */.Ao)(run, "datasetAlias");
    return { given: summary.length === 0 ? {} : { summary_experiment_scores: summary }, suite };
}
function deepeval_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    const wrapped = head.keys.has("testRunData");
    const single = streamValues(file, head, wrapped ? ["testRunData", "testCases"] : ["testCases"], true);
    let evaluator;
    const convert = (placed) => {
        const model = firstJudge(placed.value);
        if (model !== undefined)
            evaluator ??= model;
        return toRow(file, placed);
    };
    async function* batches() {
        let count = 0;
        for await (const batch of single.batches()) {
            const rows = batch.filter(({ value }) => !isRun(value)).map(convert);
            count += rows.length;
            yield rows;
        }
        const run = (0,lenient_json/* own */.ZV)(single.rest(), "testRunData") ?? single.rest();
        const conversations = (0,lenient_json/* own */.ZV)(run, "conversationalTestCases");
        if (Array.isArray(conversations))
            yield conversations.map((value, index) => convert({ value, line: 1, index: count + index }));
    }
    return { batches, header: () => ({ ...toHeader(single.rest()), judge: evaluator }) };
}
function isRun(value) {
    return ((0,lenient_json/* isObject */.Gv)(value) &&
        (Object.hasOwn(value, "conversationalTestCases") || Object.hasOwn(value, "testRunData")));
}
function firstJudge(test) {
    const metrics = (0,lenient_json/* own */.ZV)(test, "metricsData");
    return Array.isArray(metrics)
        ? metrics
            .map((metric) => (0,lenient_json/* ownString */.Ao)(metric, "evaluationModel"))
            .find((model) => model !== undefined)
        : undefined;
}
const deepevalFormat = {
    name: "deepeval",
    title: "DeepEval (test_run_*.json, .latest_run_full.json, .latest_test_run.json)",
    detect: (head) => head.container === "json" &&
        ["testCases", "conversationalTestCases", "testRunData"].some((key) => head.keys.has(key)),
    open: deepeval_open,
    examples: [
        {
            name: "test_run.json",
            text: JSON.stringify({
                testCases: [
                    {
                        name: "n",
                        input: "a",
                        actualOutput: "b",
                        expectedOutput: "c",
                        context: ["d"],
                        retrievalContext: ["e"],
                        success: true,
                        runDuration: 1,
                        order: 0,
                        metricsData: [
                            {
                                name: "m",
                                threshold: 0.5,
                                success: true,
                                score: 1,
                                reason: "r",
                                evaluationModel: "j",
                            },
                        ],
                        trace: { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:01Z" },
                    },
                ],
                metricsScores: [{ metric: "m", scores: [1], passes: 1, fails: 0, errors: 0 }],
                runDuration: 1,
            }),
        },
    ],
    notes: [
        "A metric with an `error` has no score.",
        "Threshold and success of a metric become `<name>.pass`.",
        "Rows that were not traced have no time of their own.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/inspect-sample.js


const GRADES = new Map([
    ["C", 1],
    ["P", 0.5],
    ["I", 0],
    ["N", 0],
    ["yes", 1],
    ["true", 1],
    ["no", 0],
    ["false", 0],
]);
function inspect_sample_scoresOf(scores) {
    if (!(0,lenient_json/* isObject */.Gv)(scores))
        return [];
    return Object.entries(scores).flatMap(([key, score]) => {
        const value = (0,lenient_json/* own */.ZV)(score, "value");
        const comment = (0,lenient_json/* ownString */.Ao)(score, "explanation");
        const words = comment === undefined || comment === "" ? {} : { comment };
        if ((0,lenient_json/* isObject */.Gv)(value))
            return Object.entries(value).map(([part, inner]) => ({
                key: `${key}.${part}`,
                ...gradeOf(inner),
                ...words,
            }));
        if (Array.isArray(value))
            return value.map((inner, index) => ({ key: `${key}.${index}`, ...gradeOf(inner), ...words }));
        const grade = gradeOf(value);
        return [{ key, ...grade, ...words }];
    });
}
function gradeOf(value) {
    if (typeof value !== "string")
        return { score: value };
    const grade = GRADES.get(value) ?? GRADES.get(value.toLowerCase());
    return { score: grade ?? value };
}
function resolve(value, attachments) {
    if (typeof value === "string")
        return value.startsWith("attachment://")
            ? ((0,lenient_json/* own */.ZV)(attachments, value.slice("attachment://".length)) ?? value)
            : value;
    if (Array.isArray(value))
        return value.map((item) => resolve(item, attachments));
    return (0,lenient_json/* isObject */.Gv)(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, attachments)]))
        : value;
}
function outputOf(sample) {
    const choices = (0,lenient_json/* ownAt */.KF)(sample, "output", "choices");
    const content = Array.isArray(choices) ? (0,lenient_json/* ownAt */.KF)(choices[0], "message", "content") : undefined;
    return content ?? (0,lenient_json/* ownAt */.KF)(sample, "output", "completion");
}
function answersOf(scores) {
    const answers = (0,lenient_json/* isObject */.Gv)(scores)
        ? Object.entries(scores).flatMap(([key, score]) => (0,lenient_json/* ownString */.Ao)(score, "answer") === undefined ? [] : [[key, (0,lenient_json/* own */.ZV)(score, "answer")]])
        : [];
    return answers.length === 0
        ? {}
        : answers.length === 1
            ? { answer: answers[0][1] }
            : { answers: Object.fromEntries(answers) };
}
function toInspectRow(file, sample, at) {
    if (!(0,lenient_json/* isObject */.Gv)(sample))
        throw (0,diagnostic/* refusal */.x5)({ file, line: at.line }, `sample ${at.index + 1} is no object`);
    const attachments = (0,lenient_json/* own */.ZV)(sample, "attachments");
    const choices = (0,lenient_json/* own */.ZV)(sample, "choices");
    const output = resolve(outputOf(sample), attachments);
    const answers = answersOf((0,lenient_json/* own */.ZV)(sample, "scores"));
    const limit = (0,lenient_json/* own */.ZV)(sample, "limit");
    const error = (0,lenient_json/* ownString */.Ao)((0,lenient_json/* own */.ZV)(sample, "error"), "message") ??
        ((0,lenient_json/* isObject */.Gv)(limit) ? `limit reached: ${String((0,lenient_json/* own */.ZV)(limit, "type") ?? "unknown")}` : undefined);
    const epoch = (0,lenient_json/* own */.ZV)(sample, "epoch");
    const seconds = (0,lenient_json/* own */.ZV)(sample, "total_time");
    return {
        place: { file, ...at },
        inputs: {
            input: resolve((0,lenient_json/* own */.ZV)(sample, "input") ?? null, attachments),
            ...(choices === undefined || choices === null ? {} : { choices }),
        },
        expected_outputs: (0,lenient_json/* own */.ZV)(sample, "target") === undefined ? undefined : { target: (0,lenient_json/* own */.ZV)(sample, "target") },
        actual_outputs: output === undefined && Object.keys(answers).length === 0
            ? undefined
            : { ...(output === undefined ? {} : { output }), ...answers },
        evaluation_scores: inspect_sample_scoresOf((0,lenient_json/* own */.ZV)(sample, "scores")),
        ...(error === undefined ? {} : { error }),
        start_time: (0,lenient_json/* own */.ZV)(sample, "started_at"),
        end_time: (0,lenient_json/* own */.ZV)(sample, "completed_at"),
        duration_s: typeof seconds === "number" ? seconds : undefined,
        run_metadata: {
            sample_id: (0,lenient_json/* own */.ZV)(sample, "id") ?? null,
            ...((0,lenient_json/* isObject */.Gv)((0,lenient_json/* own */.ZV)(sample, "metadata")) ? { metadata: (0,lenient_json/* own */.ZV)(sample, "metadata") } : {}),
            ...((0,lenient_json/* isObject */.Gv)((0,lenient_json/* own */.ZV)(sample, "model_usage")) ? { model_usage: (0,lenient_json/* own */.ZV)(sample, "model_usage") } : {}),
        },
        repeat: typeof epoch === "number" ? epoch - 1 : undefined,
    };
}
function toInspectHeader(log, samples) {
    const status = (0,lenient_json/* ownString */.Ao)(log, "status") ?? "started";
    const results = (0,lenient_json/* ownAt */.KF)(log, "results", "scores");
    const summary = (Array.isArray(results) ? results : []).flatMap((entry) => {
        const metrics = (0,lenient_json/* own */.ZV)(entry, "metrics");
        const name = (0,lenient_json/* ownString */.Ao)(entry, "name") ?? "score";
        return (0,lenient_json/* isObject */.Gv)(metrics)
            ? Object.entries(metrics).map(([metric, found]) => ({
                key: `${name}.${metric}`,
                score: (0,lenient_json/* own */.ZV)(found, "value"),
            }))
            : [];
    });
    const expected = (0,lenient_json/* ownAt */.KF)(log, "results", "total_samples");
    const missing = typeof expected === "number" && samples < expected;
    const state = status === "cancelled"
        ? "cancelled"
        : status !== "success" || missing
            ? "incomplete"
            : "complete";
    const warnings = [
        ...(status === "success" ? [] : [`the log's status is "${status}": uploaded, but no baseline`]),
        ...(missing ? [`the log holds ${samples} of ${String(expected)} samples`] : []),
    ];
    const task = (0,lenient_json/* ownAt */.KF)(log, "eval", "task");
    const commit = (0,lenient_json/* ownAt */.KF)(log, "eval", "revision", "commit");
    return {
        given: summary.length === 0 ? {} : { summary_experiment_scores: summary },
        suite: typeof task === "string" ? task.split("/").at(-1) : undefined,
        started_at: (0,lenient_json/* ownAt */.KF)(log, "stats", "started_at") ?? (0,lenient_json/* ownAt */.KF)(log, "eval", "created"),
        ended_at: (0,lenient_json/* ownAt */.KF)(log, "stats", "completed_at"),
        state,
        warnings,
        commit: typeof commit === "string" ? commit : undefined,
        metadata: Object.fromEntries([
            ["task", task],
            ["model", (0,lenient_json/* ownAt */.KF)(log, "eval", "model")],
            ["run_id", (0,lenient_json/* ownAt */.KF)(log, "eval", "run_id")],
            ["status", status],
        ].filter(([, value]) => typeof value === "string")),
    };
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./build/experiment/formats/inspect-zip.js





const MAX_ZIP_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
const MAX_RATIO = 500;
const ZSTD = 93;
const zstdDecompress = external_node_zlib_.zstdDecompressSync;
function openInspectZip(file) {
    let log;
    let count = 0;
    async function* batches() {
        const { entries, zip, close } = await openZip(file);
        try {
            const header = entries.get("header.json") ?? entries.get("_journal/start.json");
            if (header === undefined)
                throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the zip has neither header.json nor _journal/start.json; it is no Inspect .eval log");
            log = await readEntry(file, zip, header);
            count = 0;
            const samples = [...entries.values()]
                .filter(({ fileName }) => /^samples\/[^/]+\.json$/.test(fileName))
                .sort((a, b) => naturally.compare(a.fileName, b.fileName));
            for (const entry of samples) {
                yield [
                    toInspectRow(file.name, await readEntry(file, zip, entry), { line: 1, index: count }),
                ];
                count += 1;
            }
        }
        catch (error) {
            throw error instanceof diagnostic/* DiagnosticError */.uo
                ? error
                : (0,diagnostic/* refusal */.x5)({ file: file.name }, "the zip is damaged; fetch the log again");
        }
        finally {
            await close();
        }
    }
    const header = () => {
        const started = (0,lenient_json/* own */.ZV)(log, "status") === undefined && (0,lenient_json/* own */.ZV)(log, "results") === undefined;
        return toInspectHeader(started ? { ...log, status: "started" } : log, count);
    };
    return { batches, header };
}
const naturally = new Intl.Collator("en", { numeric: true });
async function openZip(file) {
    const { fromBufferPromise, fromFdPromise } = await __webpack_require__.e(/* import() */ 663).then(__webpack_require__.t.bind(__webpack_require__, 663, 19));
    const handle = await file.open?.();
    let zip;
    const close = async () => {
        if (handle === undefined)
            zip?.close();
        else
            await handle.close();
    };
    try {
        zip =
            handle === undefined
                ? await fromBufferPromise(await readWhole(file, MAX_ZIP_BYTES), { lazyEntries: true })
                : await fromFdPromise(handle.fd, { lazyEntries: true, autoClose: false });
        return { zip, entries: await readEntries(file, zip), close };
    }
    catch (error) {
        await close();
        throw error instanceof diagnostic/* DiagnosticError */.uo
            ? error
            : (0,diagnostic/* refusal */.x5)({ file: file.name }, "the zip is damaged; fetch the log again");
    }
}
async function readEntries(file, zip) {
    if (zip.entryCount > MAX_ENTRIES)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the zip has ${zip.entryCount} entries; at most ${MAX_ENTRIES} are read`);
    const entries = new Map();
    let total = 0;
    for await (const entry of zip.eachEntry()) {
        total += entry.uncompressedSize;
        const bursts = entry.uncompressedSize > 1024 * 1024 &&
            entry.uncompressedSize > MAX_RATIO * entry.compressedSize;
        if (bursts || total > MAX_TOTAL_BYTES)
            throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the zip unpacks to far more than it holds (${entry.fileName.slice(0, 80)}); it is not read`);
        entries.set(entry.fileName, entry);
    }
    return entries;
}
async function readEntry(file, zip, entry) {
    const name = entry.fileName.slice(0, 120);
    if (entry.uncompressedSize > lenient_json/* MAX_TEXT_BYTES */.$D)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `${name} is larger than ${lenient_json/* MAX_TEXT_BYTES */.$D / 1024 / 1024} MiB; that is no sample`);
    if (entry.isEncrypted())
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `${name} is encrypted`);
    const parsed = (0,lenient_json/* parseLenientBytes */.gM)(await readBytes(file, zip, entry, name));
    if (parsed.problem !== undefined)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `${name} ${parsed.problem}`);
    return parsed.value;
}
async function readBytes(file, zip, entry, name) {
    const bytes = await unpack(file, zip, entry, name);
    if (bytes.length !== entry.uncompressedSize || external_node_zlib_.crc32(bytes) !== entry.crc32)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the zip is damaged (${name}); fetch the log again`);
    return bytes;
}
async function unpack(file, zip, entry, name) {
    if (entry.compressionMethod !== ZSTD) {
        if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
            throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `${name} is packed by method ${entry.compressionMethod}, which is not read; convert the log with \`inspect log convert --to json\``);
        return inspect_zip_collect(await zip.openReadStreamPromise(entry));
    }
    if (zstdDecompress === undefined)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `${name} is packed with zstd, which Node ${process.versions.node} cannot read; use Node 22.15 or later (the action has it), or \`inspect log convert --to json\``);
    return unpackZstd(zstdDecompress, await inspect_zip_collect(await zip.openReadStreamPromise(entry, { decodeFileData: false })), entry.uncompressedSize);
}
function unpackZstd(decompress, packed, size) {
    const frames = [];
    let left = size;
    for (let at = 0; at < packed.length;) {
        const { buffer, engine } = decompress(packed.subarray(at), {
            maxOutputLength: Math.max(1, left),
            info: true,
        });
        if (engine.bytesWritten <= 0)
            throw new RangeError("a frame that takes nothing");
        frames.push(buffer);
        left -= buffer.length;
        at += engine.bytesWritten;
    }
    return frames.length === 1 ? frames[0] : Buffer.concat(frames);
}
async function inspect_zip_collect(stream) {
    const parts = [];
    let length = 0;
    for await (const part of stream) {
        length += part.length;
        if (length > lenient_json/* MAX_TEXT_BYTES */.$D)
            throw new RangeError("the entry is longer than it says");
        parts.push(part);
    }
    return Buffer.concat(parts);
}

;// CONCATENATED MODULE: ./build/experiment/formats/inspect.js




function inspect_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    if (head.container === "zip")
        return openInspectZip(file);
    const values = streamValues(file, head, ["samples"], true);
    let count = 0;
    async function* batches() {
        count = 0;
        for await (const batch of values.batches()) {
            const samples = batch.filter(({ value }) => (0,lenient_json/* own */.ZV)(value, "eval") === undefined);
            count += samples.length;
            yield samples.map(({ value, line, index }) => toInspectRow(file.name, value, { line, index }));
        }
    }
    return { batches, header: () => toInspectHeader(values.rest(), count) };
}
const inspectFormat = {
    name: "inspect",
    title: "Inspect (JSON log, .eval)",
    detect: (head) => head.container === "zip" ||
        (head.container === "json" &&
            head.keys.has("eval") &&
            (head.keys.has("status") || head.keys.has("plan") || head.keys.has("samples"))),
    open: inspect_open,
    examples: [
        {
            name: "log.json",
            text: JSON.stringify({
                version: 2,
                status: "success",
                eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z", revision: { commit: "c" } },
                results: { total_samples: 2, scores: [{ name: "s", metrics: { accuracy: { value: 1 } } }] },
                stats: { started_at: "2026-01-01T00:00:00Z" },
                samples: [
                    {
                        id: 1,
                        epoch: 1,
                        input: "a",
                        target: "b",
                        output: { choices: [{ message: { content: "c" } }] },
                        scores: { s: { value: "C", answer: "c", explanation: "e" } },
                        started_at: "2026-01-01T00:00:00Z",
                        completed_at: "2026-01-01T00:00:01Z",
                        metadata: { k: 1 },
                    },
                    { id: 2, epoch: 1, input: "x", target: "y", error: { message: "boom" } },
                ],
            }),
        },
    ],
    notes: [
        "Grades C, P, I, N count 1, 0.5, 0, 0; a score that is a mapping becomes one feedback per key; NaN is unscored.",
        "`epoch` − 1 is the repeat index. A cancelled, failed or unfinished log is uploaded with a warning and refused as a baseline.",
        "Of any size: samples are read one at a time, out of the zip as well.",
        ".eval entries packed with zstd need Node 22.15 or later (the action has it).",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/junit.js



const MAX_XML_BYTES = 32 * 1024 * 1024;
const MAX_NESTING = 64;
const LISTS = [
    "testsuite",
    "testcase",
    "property",
    "failure",
    "error",
    "skipped",
];
const ENTITIES = {
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
};
function decode(text) {
    return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined)
            return ENTITIES[name.toLowerCase()] ?? whole;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
    });
}
const attribute = (node, name) => {
    const text = (0,lenient_json/* ownString */.Ao)(node, `@${name}`);
    return text === undefined ? undefined : decode(text);
};
const children = (node, name) => {
    const found = (0,lenient_json/* own */.ZV)(node, name);
    return Array.isArray(found) ? found : found === undefined || found === "" ? [] : [found];
};
function suitesOf(node, timestamp) {
    return children(node, "testsuite").flatMap((suite) => {
        const own = attribute(suite, "timestamp") ?? timestamp;
        return [{ node: suite, timestamp: own }, ...suitesOf(suite, own)];
    });
}
function wordsOf(node) {
    const message = attribute(node, "message");
    const body = typeof node === "string" ? decode(node) : decode((0,lenient_json/* ownString */.Ao)(node, "#text") ?? "");
    return (message ?? "") !== ""
        ? message
        : body.trim().split("\n").slice(0, 20).join("\n") || "no message";
}
function propertiesOf(testcase) {
    const groups = new Map();
    const scores = [];
    const put = (group, key, value) => void groups.set(group, (groups.get(group) ?? new Map()).set(key, value));
    for (const property of children(testcase, "properties").flatMap((holder) => children(holder, "property"))) {
        const name = attribute(property, "name") ?? "";
        const value = attribute(property, "value") ??
            decode(typeof property === "string" ? property : ((0,lenient_json/* ownString */.Ao)(property, "#text") ?? ""));
        const [, root, key] = /^(score|scores|inputs?|expected|reference|outputs?)(?:\.(.+))?$/s.exec(name) ?? [];
        if (root?.startsWith("score") === true && key !== undefined)
            scores.push({ key, score: value });
        else if (root?.startsWith("input") === true)
            put("inputs", key ?? "input", value);
        else if (root === "expected" || root === "reference")
            put("expected_outputs", key ?? "output", value);
        else if (root?.startsWith("output") === true)
            put("actual_outputs", key ?? "output", value);
        else if (name !== "")
            put("run_metadata", name, value);
    }
    return {
        ...Object.fromEntries([...groups].map(([group, entries]) => [group, Object.fromEntries(entries)])),
        scores,
    };
}
function junit_toRow(file, testcase, suite, at) {
    const { scores, ...properties } = propertiesOf(testcase);
    const [classname, name] = [attribute(testcase, "classname"), attribute(testcase, "name") ?? ""];
    const failure = children(testcase, "failure")[0];
    const error = children(testcase, "error")[0];
    const seconds = Number((attribute(testcase, "time") ?? "").replaceAll(",", "") || Number.NaN);
    const pass = failure === undefined
        ? { key: "pass", score: 1 }
        : { key: "pass", score: 0, comment: wordsOf(failure) };
    return {
        place: { file: file.name, ...at },
        inputs: properties.inputs ?? { test: name, ...(classname ? { classname } : {}) },
        ...(properties.expected_outputs === undefined
            ? {}
            : { expected_outputs: properties.expected_outputs }),
        ...(properties.actual_outputs === undefined
            ? {}
            : { actual_outputs: properties.actual_outputs }),
        ...(properties.run_metadata === undefined ? {} : { run_metadata: properties.run_metadata }),
        ...(error === undefined
            ? { evaluation_scores: [...scores, pass] }
            : { error: wordsOf(error), evaluation_scores: scores }),
        run_name: classname ? `${classname}.${name}` : name,
        start_time: suite.timestamp,
        duration_s: Number.isFinite(seconds) ? seconds : undefined,
    };
}
function junit_open(files) {
    const file = files[0];
    let header = { given: {} };
    async function* batches() {
        const text = (await readWhole(file, MAX_XML_BYTES)).toString("utf8").replace(/^\uFEFF/, "");
        const lines = scanTags(file, text);
        const root = await parse(file, text);
        const suites = suitesOf((0,lenient_json/* own */.ZV)(root, "testsuites") ?? root, attribute((0,lenient_json/* own */.ZV)(root, "testsuites"), "timestamp"));
        const times = suites.flatMap(({ timestamp }) => timestamp ?? []).sort();
        const name = attribute((0,lenient_json/* own */.ZV)(root, "testsuites"), "name");
        header = {
            given: {},
            started_at: times[0],
            suite: name !== undefined && name !== "" && name !== "pytest tests" ? name : undefined,
        };
        let seen = 0;
        let index = 0;
        for (const suite of suites) {
            const rows = [];
            for (const testcase of children(suite.node, "testcase")) {
                const line = lines[seen++] ?? 1;
                if (children(testcase, "skipped").length === 0)
                    rows.push(junit_toRow(file, testcase, suite, { line, index: index++ }));
            }
            yield rows;
        }
    }
    return { batches, header: () => header };
}
async function parse(file, text) {
    const { XMLParser } = await __webpack_require__.e(/* import() */ 131).then(__webpack_require__.bind(__webpack_require__, 9131));
    const parser = new XMLParser({
        ignoreAttributes: false,
        attributeNamePrefix: "@",
        textNodeName: "#text",
        processEntities: false,
        parseTagValue: false,
        parseAttributeValue: false,
        ignoreDeclaration: true,
        maxNestedTags: MAX_NESTING,
        isArray: (name) => LISTS.includes(name),
    });
    let document;
    try {
        document = parser.parse(text);
    }
    catch {
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the XML cannot be read; the run that wrote it may have been killed");
    }
    if (!(0,lenient_json/* isObject */.Gv)(document) ||
        ((0,lenient_json/* own */.ZV)(document, "testsuites") === undefined && (0,lenient_json/* own */.ZV)(document, "testsuite") === undefined))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the XML has neither testsuites nor testsuite; only JUnit reports are read");
    return document;
}
const MAX_TAG_CHARS = 256 * 1024;
const PASSED_OVER = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
];
function scanTags(file, text) {
    const lines = [];
    const open = [];
    let line = 1;
    let feed = text.indexOf("\n");
    const refuse = (words) => (0,diagnostic/* refusal */.x5)({ file: file.name, line }, words);
    const notWellFormed = "the XML is not well-formed; the run that wrote it may have been killed";
    for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
        for (; feed >= 0 && feed < at; feed = text.indexOf("\n", feed + 1))
            line += 1;
        const passed = PASSED_OVER.find(([start]) => text.startsWith(start, at));
        const end = passed === undefined ? endOfTag(text, at) : text.indexOf(passed[1], at);
        if (passed !== undefined && end >= 0) {
            at = end + passed[1].length;
            continue;
        }
        if (end < 0)
            throw refuse(notWellFormed);
        if (end - at > MAX_TAG_CHARS)
            throw refuse(`a tag is longer than ${MAX_TAG_CHARS / 1024} KiB; that is no test`);
        if (text[at + 1] === "!")
            throw refuse("the XML has a document type; JUnit reports have none, and entities are never expanded");
        const name = /^\/?([^\s/>]*)/.exec(text.slice(at + 1, Math.min(end, at + 200)))[1];
        if (text[at + 1] === "/") {
            if (open.pop() !== name)
                throw refuse(notWellFormed);
        }
        else if (text[end - 1] !== "/" && open.push(name) > MAX_NESTING)
            throw refuse(`the XML nests deeper than ${MAX_NESTING} levels`);
        if (name === "testcase" && text[at + 1] !== "/")
            lines.push(line);
        at = end + 1;
    }
    if (open.length > 0)
        throw refuse(notWellFormed);
    return lines;
}
function endOfTag(text, from) {
    for (let at = from + 1; at < text.length && at - from <= MAX_TAG_CHARS + 1;) {
        const char = text[at];
        if (char === ">")
            return at;
        if (char !== '"' && char !== "'") {
            at += 1;
            continue;
        }
        const close = text.indexOf(char, at + 1);
        if (close < 0)
            return -1;
        at = close + 1;
    }
    return from + MAX_TAG_CHARS + 2 < text.length ? from + MAX_TAG_CHARS + 2 : -1;
}
const junitFormat = {
    name: "junit",
    title: "JUnit XML",
    detect: (head) => head.container === "xml",
    open: junit_open,
    examples: [
        {
            name: "junit.xml",
            text: `<testsuites><testsuite name="s" timestamp="2026-01-01T00:00:00Z"><testcase classname="c" name="t" time="0.5"><properties><property name="inputs.q" value="a"/><property name="expected" value="b"/><property name="output" value="c"/><property name="score.m" value="1"/><property name="other" value="d"/></properties></testcase><testcase name="u"><error message="e"/></testcase></testsuite></testsuites>`,
        },
    ],
    notes: [
        "Held whole in memory, some ten times its size: at most 32 MiB, or 60,000 tests.",
        "Good enough for a gate, thin in the comparison view: a test's inputs are its name and class unless it records properties.",
        "Properties `inputs.<name>`, `expected`, `output`, `score.<key>` become fields; others go to run_metadata. `<failure>` is `pass` 0, `<error>` an error, `<skipped>` no row.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/langsmith.js



const MAX_RUNNER_BYTES = 128 * 1024 * 1024;
const MAX_SIDE_BYTES = 64 * 1024 * 1024;
async function readJson(file, maxBytes) {
    const bytes = await readWhole(file, maxBytes);
    const parsed = (0,lenient_json/* parseLenientBytes */.gM)(bytes.subarray(bytes[0] === 0xef ? 3 : 0));
    if (parsed.problem !== undefined)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the file ${parsed.problem}; the run that wrote it may have been killed`);
    return parsed.value;
}
function testsOf(file, report) {
    const suites = (0,lenient_json/* own */.ZV)(report, "testResults");
    return (Array.isArray(suites) ? suites : []).flatMap((suite) => {
        const tests = (0,lenient_json/* own */.ZV)(suite, "assertionResults");
        const started = (0,lenient_json/* own */.ZV)(suite, "startTime") ?? (0,lenient_json/* own */.ZV)(report, "startTime");
        return (Array.isArray(tests) ? tests : []).flatMap((test) => {
            const status = (0,lenient_json/* own */.ZV)(test, "status");
            if (status !== "passed" && status !== "failed")
                return [];
            const title = (0,lenient_json/* ownString */.Ao)(test, "title") ?? (0,lenient_json/* ownString */.Ao)(test, "fullName") ?? "";
            const [, plain = title, run, id] = /^(.*?)(?:, run (\d+))?(?:, test_id=([0-9a-z-]+))?$/is.exec(title) ?? [];
            const failures = (0,lenient_json/* own */.ZV)(test, "failureMessages");
            const duration = (0,lenient_json/* own */.ZV)(test, "duration");
            return [
                {
                    title: plain,
                    id,
                    repeat: run === undefined ? undefined : Number(run),
                    passed: status === "passed",
                    file: file.name,
                    failure: Array.isArray(failures) && typeof failures[0] === "string"
                        ? failures[0].split("\n", 1)[0]
                        : undefined,
                    durationMs: typeof duration === "number" ? duration : undefined,
                    startedMs: typeof started === "number" ? started : undefined,
                },
            ];
        });
    });
}
function isError(test, side) {
    if (test.passed || test.failure === undefined)
        return false;
    return (((0,lenient_json/* own */.ZV)(side, "outputs") ?? null) === null ||
        !/^(?:\w*Assertion\w*|JestAssertionError|Error: expect\()/.test(test.failure));
}
function langsmith_toRow(test, side, place) {
    const feedback = (0,lenient_json/* own */.ZV)(side, "feedback");
    const scores = Array.isArray(feedback) ? [...feedback] : [];
    const failed = test !== undefined && isError(test, side);
    if (test !== undefined && !failed && !scores.some((score) => (0,lenient_json/* own */.ZV)(score, "key") === "pass"))
        scores.push({
            key: "pass",
            score: test.passed,
            ...(test.failure === undefined ? {} : { comment: test.failure }),
        });
    return {
        place: { ...place, line: 1 },
        inputs: (0,lenient_json/* own */.ZV)(side, "inputs") ?? { test: test?.title ?? place.file },
        expected_outputs: (0,lenient_json/* own */.ZV)(side, "referenceOutputs"),
        actual_outputs: (0,lenient_json/* own */.ZV)(side, "outputs"),
        evaluation_scores: scores,
        ...(failed ? { error: test.failure } : {}),
        ...(test === undefined ? {} : { run_name: test.title }),
        ...(test?.startedMs === undefined ? {} : { start_time: test.startedMs }),
        duration_s: test?.durationMs === undefined ? undefined : test.durationMs / 1000,
        repeat: test?.repeat,
    };
}
const idOfSide = (file) => file.name
    .split("/")
    .at(-1)
    .replace(/\.json$/i, "");
const isRunner = (head) => head.keys.has("testResults");
function langsmith_open(files, heads) {
    const runners = files.filter((_, n) => isRunner(heads[n]));
    const sides = new Map(files.filter((_, n) => !isRunner(heads[n])).map((file) => [idOfSide(file), file]));
    let header = { given: {} };
    async function* batches() {
        const tests = [];
        let started;
        for (const file of runners) {
            const report = await readJson(file, MAX_RUNNER_BYTES);
            started ??= (0,lenient_json/* own */.ZV)(report, "startTime");
            tests.push(...testsOf(file, report));
        }
        const used = new Set();
        const state = { index: 0, without: 0, uploaded: false };
        const read = async (file, test) => {
            const side = file === undefined ? undefined : await readJson(file, MAX_SIDE_BYTES);
            if (file !== undefined && !(0,lenient_json/* isObject */.Gv)(side))
                throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the side file is no object");
            if ((0,lenient_json/* ownString */.Ao)(side, "experimentUrl") !== undefined)
                state.uploaded = true;
            return langsmith_toRow(test, side, { file: file?.name ?? test?.file ?? "", index: state.index++ });
        };
        for (const test of tests) {
            const side = test.id === undefined ? undefined : sides.get(test.id);
            if (side === undefined && sides.size > 0 && test.id === undefined)
                continue;
            if (side === undefined)
                state.without += 1;
            else
                used.add(test.id);
            yield [await read(side, test)];
        }
        for (const [id, file] of sides)
            if (!used.has(id))
                yield [await read(file, undefined)];
        header = {
            given: {},
            started_at: started,
            warnings: warningsOf({
                ...state,
                orphans: runners.length === 0 ? 0 : sides.size - used.size,
            }),
        };
    }
    return { batches, header: () => header };
}
function warningsOf({ without, uploaded, orphans, }) {
    return [
        ...(without > 0
            ? [
                `${without} tests have no side file: their inputs are their names; name langsmith_test_results/*.json too, and use the stock JSON reporter (LangSmith's own deletes them)`,
            ]
            : []),
        ...(orphans > 0 ? [`${orphans} side files belong to no test of the report`] : []),
        ...(uploaded
            ? [
                "the tests ran with tracking on: this experiment is in the service already, and the upload makes a second",
            ]
            : []),
    ];
}
const langsmithFormat = {
    name: "langsmith",
    title: "LangSmith vitest / jest (runner JSON and side files)",
    detect: (head) => head.container === "json" &&
        !head.rootIsArray &&
        ((head.keys.has("testResults") && head.keys.has("numTotalTests")) ||
            (head.keys.has("inputs") && head.keys.has("feedback") && !head.keys.has("results"))),
    open: langsmith_open,
    joins: true,
    examples: [
        {
            name: "vitest.json",
            text: JSON.stringify({
                numTotalTests: 1,
                startTime: 1767225600000,
                testResults: [
                    {
                        startTime: 1767225600000,
                        assertionResults: [
                            {
                                title: "t, test_id=0123456789abc",
                                status: "failed",
                                duration: 5,
                                failureMessages: ["TypeError: x"],
                            },
                        ],
                    },
                ],
            }),
        },
        {
            name: "0123456789abc.json",
            text: JSON.stringify({
                inputs: { q: "a" },
                referenceOutputs: { a: "b" },
                outputs: { a: "c" },
                feedback: [{ key: "k", score: true, comment: "d" }],
            }),
        },
    ],
    notes: [
        "The report and its side files, named in one `experiment`, are one experiment; `, run N` in a title is the repeat index.",
        "A failed assert is `pass` 0; another exception is an error.",
    ],
};

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
;// CONCATENATED MODULE: ./build/experiment/formats/csv-table.js



const MAX_RECORD_CHARS = 16 * 1024 * 1024;
const MAX_COLUMNS = 4096;
const BATCH = 256;
function checkColumns(file, columns, repeats = "refused") {
    if (columns.length > MAX_COLUMNS)
        throw (0,diagnostic/* refusal */.x5)({ file }, `the CSV has ${columns.length} columns; at most ${MAX_COLUMNS} are read`);
    if (repeats === "expected")
        return;
    const twice = columns.find((column, index) => column !== "" && columns.indexOf(column) !== index);
    if (twice !== undefined)
        throw (0,diagnostic/* refusal */.x5)({ file }, `the column "${twice.slice(0, 80)}" stands twice; rename one`);
}
async function* streamCsv(file, columns) {
    const { parse: createCsvParser } = await Promise.all(/* import() */[__webpack_require__.e(84), __webpack_require__.e(75)]).then(__webpack_require__.bind(__webpack_require__, 8075));
    const parser = createCsvParser({
        relax_column_count: true,
        relax_quotes: false,
        skip_empty_lines: true,
        info: true,
        max_record_size: MAX_RECORD_CHARS,
    });
    const source = external_node_stream_.Readable.from(checkedChunks(file), { objectMode: false });
    source.on("error", (error) => parser.destroy(error));
    source.pipe(parser);
    let batch = [];
    let index = -1;
    try {
        for await (const { record, info } of parser) {
            index += 1;
            if (index === 0)
                continue;
            if (record.length > columns)
                throw (0,diagnostic/* refusal */.x5)({ file: file.name, line: info.lines }, `row ${index} has ${record.length} cells, the header ${columns}; a comma or a quote is not escaped`);
            while (record.length < columns)
                record.push("");
            batch.push({ cells: record, line: info.lines, index: index - 1 });
            if (batch.length === BATCH) {
                yield batch;
                batch = [];
            }
        }
    }
    catch (error) {
        if (error instanceof diagnostic/* DiagnosticError */.uo)
            throw error;
        const { code, lines } = error;
        throw (0,diagnostic/* refusal */.x5)({ file: file.name, line: lines ?? 1 }, `the file is not valid CSV (${code ?? "cannot be read"}) near line ${lines ?? 1}; quote cells that hold commas, quotes or line breaks`);
    }
    finally {
        source.destroy();
        parser.destroy();
    }
    if (batch.length > 0)
        yield batch;
}
async function* checkedChunks(file) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const check = (chunk) => {
        try {
            decoder.decode(chunk, { stream: chunk !== undefined });
        }
        catch {
            throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the file is not valid UTF-8; write it as UTF-8");
        }
    };
    for await (const chunk of utf8Chunks(file)) {
        check(chunk);
        yield chunk;
    }
    check();
}

;// CONCATENATED MODULE: ./build/experiment/formats/mapped.js




function openCsvByMapping(file, columns, mapping) {
    checkColumns(file.name, columns);
    const positions = new Map(columns.map((column, index) => [column, index]));
    const missing = mapping.fields.flatMap(({ source }) => "column" in source && !positions.has(source.column) ? [source.column] : []);
    if (missing.length > 0)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the mapping names columns that the file does not have: ${missing.join(", ")}; it has ${columns.slice(0, 50).join(", ")}`);
    const mapper = createMapper(mapping);
    async function* batches() {
        for await (const batch of streamCsv(file, columns.length)) {
            yield batch.map(({ cells, line, index }) => mapper.toRow({ file: file.name, index, line }, (column) => cells[positions.get(column) ?? -1]));
        }
    }
    return { batches, header: () => mapper.header(undefined) };
}
function mapped_open(files, heads, { mapping }) {
    const [file, head] = [files[0], heads[0]];
    if (mapping === undefined)
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "format mapping needs the input mapping, a YAML file of `field: column` lines");
    if (head.container === "csv")
        return openCsvByMapping(file, head.columns, mapping);
    if (head.container !== "json" && head.container !== "jsonl")
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `a mapping reads CSV, JSON and JSONL, and this is ${head.container}`);
    const values = streamValues(file, head, mapping.rows);
    const mapper = createMapper(mapping);
    async function* batches() {
        for await (const batch of values.batches())
            yield batch.map(({ value, line, index }) => mapper.toRow({ file: file.name, index, line }, jsonCells(value)));
    }
    return { batches, header: () => mapper.header(values.rest()) };
}
const mappingFormat = {
    name: "mapping",
    title: "Any CSV, JSON or JSONL, by a `mapping` file",
    detect: () => false,
    open: mapped_open,
    examples: [],
    notes: [
        "`field: column`, one a line; a column is a CSV header, a key or a dotted path in a JSON row; `{literal: x}` is a constant; `rows: a.b` says where a JSON document holds its rows.",
        "Scores: `evaluation_scores.<key>: column`, and `.value`, `.comment`, `.correction`, `.created_at`, `.modified_at`, `.feedback_source.type`, `.feedback_config.type|min|max|categories` behind the key; the same under `summary_experiment_scores`. `evaluation_scores: column` takes a lone score, an object of scores or the service's own list; `[a, b]` takes several columns under their own names, as for `inputs` and the outputs.",
        "Fields of the experiment come from the document around the rows, else from the first row that has them. `duration_s` gives seconds where there is no end_time, `repeat` counts repeats from 0.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/openai-evals.js



const MAX_OPEN_BYTES = 256 * 1024 * 1024;
const MAX_SAMPLES = 1_000_000;
function addEvent(sample, event) {
    const at = (0,lenient_json/* own */.ZV)(event, "created_at");
    sample.first ??= at;
    sample.last = at ?? sample.last;
    const data = (0,lenient_json/* own */.ZV)(event, "data");
    switch ((0,lenient_json/* own */.ZV)(event, "type")) {
        case "sampling":
            if (sample.input !== undefined)
                break;
            sample.input = (0,lenient_json/* own */.ZV)(data, "prompt");
            sample.output = (0,lenient_json/* own */.ZV)(data, "sampled");
            sample.model = (0,lenient_json/* own */.ZV)(data, "model");
            sample.usage = (0,lenient_json/* own */.ZV)(data, "usage");
            break;
        case "match":
            sample.scores.push({ key: "match", score: (0,lenient_json/* own */.ZV)(data, "correct") });
            sample.expected ??= (0,lenient_json/* own */.ZV)(data, "expected");
            break;
        case "metrics":
            if ((0,lenient_json/* isObject */.Gv)(data))
                for (const [key, score] of Object.entries(data))
                    if (key !== "" && typeof score !== "object")
                        sample.scores.push({ key, score });
            break;
        case "error":
            sample.error =
                (0,lenient_json/* ownString */.Ao)(data, "message") ??
                    (0,lenient_json/* ownString */.Ao)(data, "type") ??
                    "the sample failed and the file does not say why";
            break;
    }
}
function openai_evals_toRow(file, id, sample) {
    const output = Array.isArray(sample.output) && sample.output.length === 1 ? sample.output[0] : sample.output;
    const metadata = Object.entries({
        sample_id: id,
        model: sample.model,
        usage: sample.usage,
    }).filter(([, value]) => value !== undefined && value !== null);
    return {
        place: { file: file.name, line: sample.line, index: sample.index },
        inputs: sample.input === undefined || sample.input === null
            ? { sample_id: id }
            : { input: sample.input },
        ...(sample.expected === undefined || sample.expected === null
            ? {}
            : { expected_outputs: { output: sample.expected } }),
        ...(output === undefined || output === null ? {} : { actual_outputs: { output } }),
        evaluation_scores: sample.scores,
        ...(sample.error === undefined ? {} : { error: sample.error }),
        start_time: sample.first,
        end_time: sample.last,
        run_metadata: Object.fromEntries(metadata),
    };
}
function openai_evals_toHeader(spec, report) {
    const summary = (0,lenient_json/* isObject */.Gv)(report)
        ? Object.entries(report)
            .filter(([key, score]) => key !== "" && typeof score === "number")
            .map(([key, score]) => ({ key, score }))
        : [];
    const words = typeof report === "string" && report !== "" ? [{ key: "final_report", value: report }] : [];
    return {
        given: summary.length + words.length === 0
            ? {}
            : { summary_experiment_scores: [...summary, ...words] },
        suite: (0,lenient_json/* ownString */.Ao)(spec, "eval_name") ?? (0,lenient_json/* ownString */.Ao)(spec, "base_eval"),
        started_at: (0,lenient_json/* own */.ZV)(spec, "created_at"),
        state: report === undefined ? "incomplete" : "complete",
        warnings: report === undefined
            ? [
                "the file has no final_report: the run was killed or is not over; uploaded, but no baseline",
            ]
            : [],
        metadata: Object.fromEntries([
            ["run_id", (0,lenient_json/* ownString */.Ao)(spec, "run_id")],
            ["completion_fns", JSON.stringify((0,lenient_json/* own */.ZV)(spec, "completion_fns") ?? null)],
        ].filter(([, value]) => value !== undefined)),
    };
}
async function readOutline(file, values) {
    const ends = new Map();
    let spec;
    let report;
    for await (const batch of values.batches()) {
        for (const { value, index, line } of batch) {
            spec ??= (0,lenient_json/* own */.ZV)(value, "spec");
            report ??= (0,lenient_json/* own */.ZV)(value, "final_report");
            const id = (0,lenient_json/* own */.ZV)(value, "sample_id");
            if (typeof id !== "string")
                continue;
            if (ends.size === MAX_SAMPLES && !ends.has(id))
                throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `the file has more than ${MAX_SAMPLES} samples; split it by run`);
            ends.set(id, index);
        }
    }
    return { header: openai_evals_toHeader(spec, report), ends };
}
async function* streamSamples(file, values, { ends }) {
    const open = new Map();
    let count = 0;
    let bytes = 0;
    for await (const batch of values.texts()) {
        for (const [n, text] of batch.texts.entries()) {
            const { value, line, index } = batch.parse(n);
            const id = (0,lenient_json/* own */.ZV)(value, "sample_id");
            if (typeof id !== "string")
                continue;
            const sample = open.get(id) ?? {
                line,
                index: count++,
                bytes: 0,
                ended: false,
                scores: [],
            };
            open.set(id, sample);
            addEvent(sample, value);
            sample.bytes += text.bytes.length;
            sample.ended = index >= (ends.get(id) ?? 0);
            bytes += text.bytes.length;
            if (bytes > MAX_OPEN_BYTES)
                throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `the events of a sample lie more than ${MAX_OPEN_BYTES / 1024 / 1024} MiB apart; split the file by run`);
        }
        const rows = [];
        for (const [id, sample] of open) {
            if (!sample.ended)
                break;
            rows.push(openai_evals_toRow(file, id, sample));
            bytes -= sample.bytes;
            open.delete(id);
        }
        if (rows.length > 0)
            yield rows;
    }
}
function openai_evals_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    const values = streamValues(file, { ...head, container: "jsonl" }, []);
    let outline;
    async function* batches() {
        outline ??= await readOutline(file, values);
        yield* streamSamples(file, values, outline);
    }
    return { batches, header: () => outline?.header ?? { given: {} } };
}
const openaiEvalsFormat = {
    name: "openai-evals",
    title: "OpenAI evals (JSONL of events)",
    detect: (head) => (head.container === "jsonl" || head.container === "json") &&
        !head.rootIsArray &&
        ((head.keys.has("spec") && (head.keys.has("spec.eval_name") || head.keys.has("spec.run_id"))) ||
            (head.keys.has("sample_id") && head.keys.has("event_id"))),
    open: openai_evals_open,
    examples: [
        {
            name: "evals.jsonl",
            text: [
                { spec: { eval_name: "e", run_id: "r", created_at: "2026-01-01 00:00:00.000000" } },
                {
                    run_id: "r",
                    event_id: 0,
                    sample_id: "s",
                    type: "sampling",
                    data: { prompt: "p", sampled: ["o"], model: "m" },
                    created_at: "2026-01-01 00:00:00.000000+00:00",
                },
                {
                    run_id: "r",
                    event_id: 1,
                    sample_id: "s",
                    type: "match",
                    data: { correct: true, expected: "o" },
                    created_at: "2026-01-01 00:00:01.000000+00:00",
                },
                {
                    run_id: "r",
                    event_id: 2,
                    sample_id: "t",
                    type: "error",
                    data: { message: "x" },
                    created_at: "2026-01-01 00:00:01.000000+00:00",
                },
                { final_report: { accuracy: 1 }, run_id: "r" },
            ]
                .map((line) => JSON.stringify(line))
                .join("\n"),
        },
    ],
    notes: [
        "Of any size: a first look finds where each sample ends, so that only those that are open are held.",
        "A file without its final_report belongs to a run that was killed: uploaded with a warning, refused as a baseline.",
        "A sample that failed before it was asked has only its id as input.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/own.js




const ROW_NAMES = new Set(row/* ROW_FIELDS */.dC);
const HEADER_NAMES = new Set([...row/* HEADER_FIELDS */.WY, "results"]);
function toReadRow(file, { value, line, index, bareTokens }) {
    const place = { file, line, index };
    if (!(0,lenient_json/* isObject */.Gv)(value))
        return { place };
    let unknown;
    for (const key in value)
        if (!ROW_NAMES.has(key))
            (unknown ??= []).push(key);
    return {
        place,
        row_id: value["row_id"],
        inputs: value["inputs"],
        expected_outputs: value["expected_outputs"],
        actual_outputs: value["actual_outputs"],
        evaluation_scores: value["evaluation_scores"],
        start_time: value["start_time"],
        end_time: value["end_time"],
        run_name: value["run_name"],
        error: value["error"],
        run_metadata: value["run_metadata"],
        ...(unknown === undefined ? {} : { unknown }),
        ...(bareTokens ? { bareTokens } : {}),
    };
}
function own_toHeader(rest) {
    if (!(0,lenient_json/* isObject */.Gv)(rest))
        return { given: {} };
    const warnings = Object.keys(rest)
        .filter((key) => !HEADER_NAMES.has(key))
        .map((key) => `the request has no field "${key}"; it is not sent`);
    const given = Object.fromEntries(row/* HEADER_FIELDS */.WY.filter((field) => Object.hasOwn(rest, field)).map((field) => [
        field,
        rest[field],
    ]));
    const metadata = rest["experiment_metadata"];
    return {
        given,
        warnings,
        commit: (0,lenient_json/* ownString */.Ao)(metadata, "commit"),
        judge: (0,lenient_json/* ownString */.Ao)(metadata, "judge"),
        started_at: (0,lenient_json/* ownAt */.KF)(rest, "experiment_start_time"),
    };
}
function own_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    const loneRow = head.container === "json" && !head.rootIsArray && !isBody(head);
    const values = streamValues(file, head, ["results"], loneRow);
    async function* batches() {
        for await (const batch of values.batches())
            yield batch.map((value) => toReadRow(file.name, value));
    }
    async function* texts() {
        for await (const batch of values.texts())
            yield { texts: batch.texts, read: (n) => toReadRow(file.name, batch.parse(n)) };
    }
    return {
        batches,
        texts,
        header: () => (loneRow || head.rootIsArray ? { given: {} } : own_toHeader(values.rest())),
    };
}
function isBody(head) {
    return (!head.rootIsArray &&
        (head.keys.has("results") || row/* HEADER_FIELDS */.WY.some((field) => head.keys.has(field))));
}
const NO_RESULTS = /^\s*\{\s*"results"\s*:\s*\[\s*\]\s*\}\s*$/;
const NO_ROWS = /^\s*\[\s*\]\s*$/;
const bodyFormat = {
    name: "body",
    title: "Request body of the interface document (JSON)",
    detect: (head) => head.container === "json" &&
        !head.rootIsArray &&
        !head.keys.has("results.results") &&
        !head.keys.has("evalId") &&
        (row/* HEADER_FIELDS */.WY.some((field) => head.keys.has(field)) ||
            head.keys.has("results[].inputs") ||
            head.keys.has("results[].row_id") ||
            NO_RESULTS.test(head.text)),
    open: own_open,
    strict: true,
    examples: [
        {
            name: "experiment.json",
            text: JSON.stringify({
                experiment_name: "a",
                experiment_description: "b",
                experiment_start_time: "2026-01-01T00:00:00Z",
                experiment_end_time: "2026-01-01T00:01:00Z",
                dataset_id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
                dataset_name: "c",
                dataset_description: "d",
                experiment_metadata: { commit: "e" },
                summary_experiment_scores: [{ key: "f", score: 1 }],
                results: [
                    {
                        row_id: "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
                        inputs: { q: "g" },
                        expected_outputs: { a: "h" },
                        actual_outputs: { a: "i" },
                        evaluation_scores: [
                            {
                                key: "j",
                                score: 1,
                                value: "k",
                                comment: "l",
                                feedback_source: { type: "api" },
                                feedback_config: {
                                    type: "categorical",
                                    min: 0,
                                    max: 1,
                                    categories: [{ value: 1, label: "yes" }],
                                },
                                created_at: "2026-01-01T00:00:00Z",
                                modified_at: "2026-01-01T00:00:00Z",
                                correction: "m",
                            },
                        ],
                        start_time: "2026-01-01T00:00:00Z",
                        end_time: "2026-01-01T00:00:01Z",
                        run_name: "n",
                        error: "o",
                        run_metadata: { p: 1 },
                    },
                ],
            }),
        },
    ],
    notes: [
        "Every field of the interface document; a value of the wrong type is an error with file and row.",
    ],
};
const rowsFormat = {
    name: "rows",
    title: "Rows of the interface document (JSON array or JSONL)",
    detect: (head) => (head.container === "json" || head.container === "jsonl") &&
        (((head.keys.has("inputs") || head.keys.has("row_id")) && !head.keys.has("feedback")) ||
            (head.rootIsArray && NO_ROWS.test(head.text))),
    open: own_open,
    strict: true,
    examples: [
        {
            name: "rows.jsonl",
            text: `${JSON.stringify({
                row_id: "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
                inputs: { q: "g" },
                expected_outputs: { a: "h" },
                actual_outputs: { a: "i" },
                evaluation_scores: [
                    {
                        key: "j",
                        score: 1,
                        value: "k",
                        comment: "l",
                        feedback_source: { type: "api" },
                        feedback_config: { type: "continuous", min: 0, max: 1 },
                        created_at: "2026-01-01T00:00:00Z",
                        modified_at: "2026-01-01T00:00:00Z",
                        correction: "m",
                    },
                ],
                start_time: "2026-01-01T00:00:00Z",
                end_time: "2026-01-01T00:00:01Z",
                run_name: "n",
                error: "o",
                run_metadata: { p: 1 },
            })}\n`,
        },
    ],
    notes: ["What rows lack (row_id, times) is made as described under row ids and times."],
};

;// CONCATENATED MODULE: ./build/experiment/formats/phoenix.js



function scoreOf(annotation) {
    const key = (0,lenient_json/* ownString */.Ao)(annotation, "name");
    if (key === undefined)
        return [];
    const error = (0,lenient_json/* ownString */.Ao)(annotation, "error");
    if (error !== undefined && error !== "")
        return [{ key, comment: `not scored: ${error}` }];
    return [
        {
            key,
            score: (0,lenient_json/* own */.ZV)(annotation, "score"),
            value: (0,lenient_json/* own */.ZV)(annotation, "label"),
            comment: (0,lenient_json/* own */.ZV)(annotation, "explanation"),
        },
    ];
}
function phoenix_toRow(file, { value, line, index }) {
    if (!(0,lenient_json/* isObject */.Gv)(value))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `run ${index + 1} is no object`);
    const annotations = (0,lenient_json/* own */.ZV)(value, "annotations");
    const [latencyMs, repetition] = [(0,lenient_json/* own */.ZV)(value, "latency_ms"), (0,lenient_json/* own */.ZV)(value, "repetition_number")];
    const metadata = [
        "example_id",
        "trace_id",
        "prompt_token_count",
        "completion_token_count",
    ].flatMap((key) => (((0,lenient_json/* own */.ZV)(value, key) ?? null) === null ? [] : [[key, (0,lenient_json/* own */.ZV)(value, key)]]));
    return {
        place: { file: file.name, line, index },
        example_id: (0,lenient_json/* own */.ZV)(value, "example_id"),
        inputs: (0,lenient_json/* own */.ZV)(value, "input"),
        expected_outputs: (0,lenient_json/* own */.ZV)(value, "reference_output"),
        actual_outputs: (0,lenient_json/* own */.ZV)(value, "output"),
        evaluation_scores: Array.isArray(annotations) ? annotations.flatMap(scoreOf) : [],
        error: (0,lenient_json/* own */.ZV)(value, "error"),
        start_time: (0,lenient_json/* own */.ZV)(value, "start_time"),
        end_time: (0,lenient_json/* own */.ZV)(value, "end_time"),
        duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
        repeat: typeof repetition === "number" ? repetition - 1 : undefined,
        ...(metadata.length === 0 ? {} : { run_metadata: Object.fromEntries(metadata) }),
    };
}
function phoenix_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    async function* batches() {
        for await (const batch of streamValues(file, head, [], true).batches())
            yield batch.map((value) => phoenix_toRow(file, value));
    }
    return { batches, header: () => ({ given: {} }) };
}
const phoenixFormat = {
    name: "phoenix",
    title: "Phoenix experiment (JSON)",
    detect: (head) => (head.container === "json" || head.container === "jsonl") &&
        head.keys.has("example_id") &&
        (head.keys.has("repetition_number") ||
            head.keys.has("annotations") ||
            head.keys.has("reference_output")),
    open: phoenix_open,
    examples: [
        {
            name: "phoenix.json",
            text: JSON.stringify([
                {
                    example_id: "x",
                    repetition_number: 1,
                    input: { q: "a" },
                    reference_output: { a: "b" },
                    output: "c",
                    error: "e",
                    latency_ms: 5,
                    start_time: "2026-01-01T00:00:00Z",
                    end_time: "2026-01-01T00:00:01Z",
                    annotations: [{ name: "n", label: "good", score: 1, explanation: "w" }],
                },
            ]),
        },
    ],
    notes: [
        "`repetition_number` − 1 is the repeat index; an annotation's label becomes `value`, its explanation `comment`.",
        "An `example_id` that is a UUID becomes the row id of that example's first row.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/plain-csv.js


const PREFIXES = [
    ["inputs.", "inputs."],
    ["outputs.", "actual_outputs."],
    ["reference.", "expected_outputs."],
    ["feedback.", "evaluation_scores."],
    ["input.", "inputs."],
    ["actual_outputs.", "actual_outputs."],
    ["expected_outputs.", "expected_outputs."],
    ["evaluation_scores.", "evaluation_scores."],
    ["run_metadata.", "run_metadata."],
    ["metadata.", "run_metadata."],
];
const NAMES = {
    error: "error",
    execution_time: "duration_s",
    duration_s: "duration_s",
    example_id: "example_id",
    id: "run_metadata.id",
    row_id: "row_id",
    start_time: "start_time",
    end_time: "end_time",
    run_name: "run_name",
    repeat: "repeat",
    inputs: "inputs",
    input: "inputs",
    outputs: "actual_outputs",
    output: "actual_outputs",
    actual_outputs: "actual_outputs",
    reference: "expected_outputs",
    expected: "expected_outputs",
    expected_outputs: "expected_outputs",
};
function fieldOf(column) {
    if (Object.hasOwn(NAMES, column))
        return NAMES[column];
    const prefix = PREFIXES.find(([start]) => column.startsWith(start) && column.length > start.length);
    return prefix === undefined ? null : prefix[1] + column.slice(prefix[0].length);
}
function plain_csv_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    const fields = [];
    const warnings = [];
    for (const column of head.columns) {
        const field = fieldOf(column.trim());
        if (field !== null)
            fields.push({ field, source: { column } });
        else if (column.trim() !== "" && warnings.length < 20)
            warnings.push(`column "${column.slice(0, 60)}" is not in the convention; it is not sent (a mapping can name it)`);
    }
    if (!fields.some(({ field }) => field === "inputs" || field.startsWith("inputs.")))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name }, "the CSV has no column inputs.<name>; rename columns by the convention, or write a mapping");
    const reading = openCsvByMapping(file, head.columns, { rows: [], fields });
    return { batches: reading.batches, header: () => ({ ...reading.header(), warnings }) };
}
const csvFormat = {
    name: "csv",
    title: "Plain CSV by column convention",
    detect: (head) => head.container === "csv" &&
        head.columns.some((column) => fieldOf(column.trim())?.startsWith("inputs") === true),
    open: plain_csv_open,
    examples: [
        {
            name: "results.csv",
            text: "inputs.q,outputs.a,reference.a,error,feedback.correct,feedback.correct.comment,execution_time,example_id,id,run_name,start_time,run_metadata.m\nx,y,z,e,1,c,0.5,,r1,n,2026-01-01T00:00:00Z,v\n",
        },
    ],
    notes: [
        "Columns: `inputs.<name>`, `outputs.<name>`, `reference.<name>`, `feedback.<key>` (and `.comment`, `.value`), `error`, `execution_time` in seconds, `example_id`, `id`; also `row_id`, `start_time`, `end_time`, `run_name`, `run_metadata.<name>`, `repeat`.",
        "Cells are text. An `example_id` that is a UUID becomes the row id of that example's first row; `id` (the run's) goes to run_metadata.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/promptfoo-csv.js


function isPromptfooCsv(columns) {
    return (columns.includes("Status") &&
        columns.includes("Score") &&
        (columns.includes("Grader Reason") || columns.includes("Named Scores")));
}
function readColumns(columns) {
    const outputs = columns.flatMap((column, index) => column === "Status" && index > 0 ? [index - 1] : []);
    const prompts = outputs.map((output, n) => {
        const end = outputs[n + 1] ?? columns.length;
        const own = Array.from({ length: end - output - 1 }, (_, offset) => output + 1 + offset);
        return {
            header: columns[output],
            output,
            named: new Map(own.map((index) => [columns[index], index])),
            metrics: own.flatMap((index) => columns[index].startsWith("Metric: ") ? [[columns[index].slice(8), index]] : []),
        };
    });
    const before = columns.slice(0, outputs[0]);
    return {
        prompts,
        description: before.indexOf("Description"),
        vars: before.flatMap((column, index) => column === "Description" && index === 0 ? [] : [[column, index]]),
    };
}
function splitHeader(header) {
    const match = /^\[([^\]]*)\] ?([^]*)$/.exec(header);
    return match === null
        ? { provider: "provider", prompt: header }
        : { provider: match[1], prompt: match[2] };
}
function promptfoo_csv_scoresOf(cells, prompt) {
    const cell = (name) => cells[prompt.named.get(name) ?? -1] ?? "";
    const named = (0,lenient_json/* parseLenientJson */.Ri)(cell("Named Scores")).value;
    const scores = (0,lenient_json/* isObject */.Gv)(named)
        ? Object.entries(named).map(([key, score]) => ({ key, score }))
        : prompt.metrics.flatMap(([key, column]) => cells[column] === "" ? [] : [{ key, score: cells[column] }]);
    const reason = cell("Grader Reason");
    return [
        ...scores,
        ...(cell("Score") === "" ? [] : [{ key: "score", score: cell("Score"), comment: reason }]),
        { key: "pass", score: cell("Status") === "PASS" },
    ];
}
function openPromptfooCsv(file, head, split) {
    checkColumns(file.name, head.columns, "expected");
    const { vars, prompts, description } = readColumns(head.columns);
    const toRow = ({ cells, line, index }, prompt, n) => {
        const { provider, prompt: label } = splitHeader(prompt.header);
        const failed = cells[prompt.named.get("Status") ?? -1] === "ERROR";
        const output = cells[prompt.output] ?? "";
        return {
            place: { file: file.name, line, index: index * prompts.length + n },
            ...(split
                ? { group: { key: JSON.stringify([provider, n]), label: `${provider} · ${label}` } }
                : {}),
            inputs: Object.fromEntries(vars.map(([name, column]) => [name, cells[column] ?? ""])),
            ...(failed
                ? {
                    error: cells[prompt.named.get("Grader Reason") ?? -1] ||
                        output ||
                        "the run failed and the file does not say why",
                }
                : { actual_outputs: output, evaluation_scores: promptfoo_csv_scoresOf(cells, prompt) }),
            run_name: provider,
            run_metadata: {
                prompt: label,
                ...(description >= 0 && cells[description] ? { description: cells[description] } : {}),
            },
        };
    };
    async function* batches() {
        for await (const batch of streamCsv(file, head.columns.length))
            yield batch.flatMap((row) => prompts.map((prompt, n) => toRow(row, prompt, n)));
    }
    return { batches, header: () => ({ given: {} }) };
}

;// CONCATENATED MODULE: ./build/experiment/formats/promptfoo.js




const RUN_FAILED = 2;
function errorOf(row) {
    const failed = (0,lenient_json/* own */.ZV)(row, "failureReason") === RUN_FAILED ||
        (((0,lenient_json/* own */.ZV)(row, "gradingResult") ?? null) === null && (0,lenient_json/* own */.ZV)(row, "success") === false);
    if (!failed)
        return undefined;
    return ((0,lenient_json/* ownString */.Ao)(row, "error") ??
        (0,lenient_json/* ownString */.Ao)((0,lenient_json/* own */.ZV)(row, "response"), "error") ??
        "the run failed and the file does not say why");
}
function promptfoo_scoresOf(row) {
    const scores = new Map();
    const named = (0,lenient_json/* own */.ZV)(row, "namedScores");
    if ((0,lenient_json/* isObject */.Gv)(named))
        for (const [key, score] of Object.entries(named))
            if (key !== "")
                scores.set(key, { key, score });
    const taken = new Map();
    const components = (0,lenient_json/* ownAt */.KF)(row, "gradingResult", "componentResults");
    for (const component of Array.isArray(components) ? components : []) {
        const metric = (0,lenient_json/* ownAt */.KF)(component, "assertion", "metric");
        const comment = (0,lenient_json/* ownString */.Ao)(component, "reason");
        const known = typeof metric === "string" ? scores.get(metric) : undefined;
        if (known !== undefined && (0,lenient_json/* isObject */.Gv)(named) && Object.hasOwn(named, known.key)) {
            if (comment !== undefined && known.comment !== comment)
                known.comment = known.comment === undefined ? comment : `${known.comment}\n${comment}`;
            continue;
        }
        const type = (0,lenient_json/* ownAt */.KF)(component, "assertion", "type");
        const name = typeof metric === "string" && metric !== ""
            ? metric
            : typeof type === "string"
                ? type
                : "assert";
        const key = freeKey(scores, taken, name);
        scores.set(key, {
            key,
            score: (0,lenient_json/* own */.ZV)(component, "score"),
            ...(comment === undefined ? {} : { comment }),
        });
    }
    for (const [key, score] of [
        ["score", (0,lenient_json/* own */.ZV)(row, "score")],
        ["pass", (0,lenient_json/* own */.ZV)(row, "success")],
    ]) {
        if (score !== undefined && score !== null && !scores.has(key))
            scores.set(key, { key, score });
    }
    return [...scores.values()];
}
function freeKey(scores, taken, name) {
    let n = (taken.get(name) ?? 0) + 1;
    while (scores.has(n === 1 ? name : `${name}#${n}`))
        n += 1;
    taken.set(name, n);
    return n === 1 ? name : `${name}#${n}`;
}
function providerOf(row) {
    const provider = (0,lenient_json/* own */.ZV)(row, "provider");
    return ((0,lenient_json/* ownString */.Ao)(provider, "label") ||
        (0,lenient_json/* ownString */.Ao)(provider, "id") ||
        (typeof provider === "string" ? provider : "provider"));
}
function groupOf(row) {
    const prompt = (0,lenient_json/* own */.ZV)(row, "prompt");
    const label = (0,lenient_json/* ownString */.Ao)(prompt, "label") ?? (0,lenient_json/* ownString */.Ao)(prompt, "raw") ?? (0,lenient_json/* ownString */.Ao)(row, "promptId") ?? "";
    const provider = providerOf(row);
    return {
        key: JSON.stringify([provider, (0,lenient_json/* own */.ZV)(row, "promptIdx") ?? (0,lenient_json/* own */.ZV)(row, "promptId") ?? label]),
        label: label === "" ? provider : `${provider} · ${label}`,
    };
}
function promptfoo_toRow(file, { value, line, index }, split) {
    if (!(0,lenient_json/* isObject */.Gv)(value) || !Object.hasOwn(value, "vars"))
        throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `row ${index + 1} has no vars; this is no promptfoo result`);
    const latencyMs = (0,lenient_json/* own */.ZV)(value, "latencyMs");
    const error = errorOf(value);
    const metadata = Object.fromEntries([
        ["metadata", (0,lenient_json/* ownAt */.KF)(value, "testCase", "metadata")],
        ["description", (0,lenient_json/* ownAt */.KF)(value, "testCase", "description")],
        ["tokenUsage", (0,lenient_json/* own */.ZV)(value, "tokenUsage")],
        ["cost", (0,lenient_json/* own */.ZV)(value, "cost")],
        ["promptId", (0,lenient_json/* own */.ZV)(value, "promptId")],
        ["prompt", (0,lenient_json/* ownAt */.KF)(value, "prompt", "label")],
        ["provider", (0,lenient_json/* ownAt */.KF)(value, "provider", "id")],
    ].filter(([, kept]) => kept !== undefined && kept !== null));
    return {
        place: { file: file.name, line, index },
        ...(split ? { group: groupOf(value) } : {}),
        inputs: value["vars"],
        actual_outputs: (0,lenient_json/* ownAt */.KF)(value, "response", "output"),
        ...(error === undefined ? { evaluation_scores: promptfoo_scoresOf(value) } : { error }),
        duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
        run_name: providerOf(value),
        run_metadata: metadata,
    };
}
function summaryOf(passed, failed, errors) {
    if (typeof passed !== "number" || typeof failed !== "number")
        return [];
    const broken = typeof errors === "number" ? errors : 0;
    const all = passed + failed + broken;
    return all === 0
        ? []
        : [
            { key: "pass_rate", score: passed / all },
            { key: "errors", score: broken },
        ];
}
function summariesOf(rest) {
    const prompts = (0,lenient_json/* ownAt */.KF)(rest, "results", "prompts");
    return new Map((Array.isArray(prompts) ? prompts : []).map((prompt, index) => {
        const metrics = (0,lenient_json/* own */.ZV)(prompt, "metrics");
        return [
            JSON.stringify([(0,lenient_json/* own */.ZV)(prompt, "provider"), index]),
            summaryOf((0,lenient_json/* own */.ZV)(metrics, "testPassCount"), (0,lenient_json/* own */.ZV)(metrics, "testFailCount"), (0,lenient_json/* own */.ZV)(metrics, "testErrorCount")),
        ];
    }));
}
function promptfoo_toHeader(rest, split) {
    const started = (0,lenient_json/* ownAt */.KF)(rest, "results", "timestamp") ??
        (0,lenient_json/* ownAt */.KF)(rest, "metadata", "evaluationCreatedAt") ??
        (0,lenient_json/* ownAt */.KF)(rest, "createdAt");
    const stats = (0,lenient_json/* ownAt */.KF)(rest, "results", "stats");
    const summary = summaryOf((0,lenient_json/* own */.ZV)(stats, "successes"), (0,lenient_json/* own */.ZV)(stats, "failures"), (0,lenient_json/* own */.ZV)(stats, "errors"));
    const description = (0,lenient_json/* ownAt */.KF)(rest, "config", "description");
    const evalId = (0,lenient_json/* ownString */.Ao)(rest, "evalId");
    return {
        given: {
            ...(summary.length === 0 || split ? {} : { summary_experiment_scores: summary }),
            ...(typeof description === "string" && description !== ""
                ? { experiment_description: description }
                : {}),
        },
        suite: typeof description === "string" && description !== "" ? description : undefined,
        started_at: started,
        ...(split ? { summaries: summariesOf(rest) } : {}),
        metadata: { eval_id: evalId },
    };
}
function promptfoo_open(files, heads, { split }) {
    const [file, head] = [files[0], heads[0]];
    if (head.container === "csv")
        return openPromptfooCsv(file, head, split !== "none");
    const values = streamValues(file, head, head.keys.has("results.version") || head.keys.has("evalId") || !head.keys.has("results[].vars")
        ? ["results", "results"]
        : ["results"], isRow(head));
    async function* batches() {
        for await (const batch of values.batches())
            yield batch.map((value) => promptfoo_toRow(file, value, split !== "none"));
    }
    return {
        batches,
        header: () => head.container === "jsonl" || isRow(head)
            ? { given: {} }
            : promptfoo_toHeader(values.rest(), split !== "none"),
    };
}
const isRow = (head) => head.keys.has("vars") &&
    ["promptIdx", "gradingResult", "testCase", "promptId"].some((key) => head.keys.has(key));
const promptfooFormat = {
    name: "promptfoo",
    title: "promptfoo (JSON, JSONL, CSV)",
    detect: (head) => head.container === "csv"
        ? isPromptfooCsv(head.columns)
        : head.container === "jsonl"
            ? isRow(head)
            : head.container === "json" &&
                (head.keys.has("results.results") ||
                    head.keys.has("evalId") ||
                    (head.keys.has("results.version") && head.keys.has("results.prompts")) ||
                    isRow(head)),
    open: promptfoo_open,
    examples: [
        {
            name: "promptfoo.json",
            text: JSON.stringify({
                evalId: "eval-1",
                results: {
                    version: 3,
                    timestamp: "2026-01-01T00:00:00Z",
                    prompts: [
                        { provider: "p", metrics: { testPassCount: 1, testFailCount: 0, testErrorCount: 1 } },
                    ],
                    stats: { successes: 1, failures: 0, errors: 1 },
                    results: [
                        {
                            vars: { q: "a" },
                            response: { output: "b" },
                            namedScores: { c: 1 },
                            score: 1,
                            success: true,
                            gradingResult: {
                                componentResults: [
                                    { score: 1, reason: "r", assertion: { type: "equals", metric: "c" } },
                                ],
                            },
                            latencyMs: 5,
                            provider: { id: "p" },
                            promptIdx: 0,
                            prompt: { label: "l" },
                            failureReason: 0,
                            testCase: { metadata: { m: 1 } },
                        },
                        {
                            vars: { q: "b" },
                            error: "e",
                            success: false,
                            score: 0,
                            failureReason: 2,
                            latencyMs: 5,
                            provider: { id: "p" },
                            promptIdx: 0,
                            prompt: { label: "l" },
                        },
                    ],
                },
                config: { description: "d" },
            }),
        },
    ],
    notes: [
        "One experiment per provider and prompt; `split: none` makes one of all.",
        "A failed assert is a score of 0, not an error, although promptfoo writes its reason into `error`; a failed run is an error and has no scores.",
        "The file has no expected outputs and no time per row: rows start at the file's own time and last `latencyMs`.",
    ],
};

// EXTERNAL MODULE: ./build/experiment/feedback.js
var feedback = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/experiment/formats/python-literal.js
const NOT_A_LITERAL = Symbol("no Python literal");
const MAX_DEPTH = 50;
const ESCAPES = {
    n: "\n",
    t: "\t",
    r: "\r",
    a: "\u0007",
    b: "\b",
    f: "\f",
    v: "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "0": "\0",
    "\n": "",
};
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan)/y;
const WORDS = [
    ["None", null],
    ["True", true],
    ["False", false],
];
function parsePythonLiteral(text) {
    let at = 0;
    const skip = () => {
        while (at < text.length && " \n\r\t".includes(text[at]))
            at += 1;
    };
    const value = (depth) => {
        skip();
        const char = text[at];
        if (char === undefined || depth > MAX_DEPTH)
            return NOT_A_LITERAL;
        if (char === "[" || char === "(")
            return list(char === "[" ? "]" : ")", depth);
        if (char === "{")
            return dict(depth);
        if (char === "'" || char === '"')
            return string(char);
        for (const [word, meant] of WORDS)
            if (text.startsWith(word, at)) {
                at += word.length;
                return meant;
            }
        NUMBER.lastIndex = at;
        const number = NUMBER.exec(text)?.[0];
        if (number === undefined)
            return NOT_A_LITERAL;
        at += number.length;
        return number.endsWith("inf") || number.endsWith("nan")
            ? Number.POSITIVE_INFINITY
            : Number(number.replaceAll("_", ""));
    };
    const list = (close, depth) => {
        at += 1;
        const items = [];
        for (;;) {
            skip();
            if (text[at] === close) {
                at += 1;
                return items;
            }
            const item = value(depth + 1);
            if (item === NOT_A_LITERAL)
                return item;
            items.push(item);
            skip();
            if (text[at] === ",")
                at += 1;
            else if (text[at] !== close)
                return NOT_A_LITERAL;
        }
    };
    const dict = (depth) => {
        at += 1;
        const entries = [];
        for (;;) {
            skip();
            if (text[at] === "}") {
                at += 1;
                return Object.fromEntries(entries);
            }
            const key = value(depth + 1);
            skip();
            if (key === NOT_A_LITERAL || text[at] !== ":")
                return NOT_A_LITERAL;
            at += 1;
            const item = value(depth + 1);
            if (item === NOT_A_LITERAL)
                return item;
            entries.push([typeof key === "string" ? key : JSON.stringify(key), item]);
            skip();
            if (text[at] === ",")
                at += 1;
            else if (text[at] !== "}")
                return NOT_A_LITERAL;
        }
    };
    const string = (quote) => {
        let out = "";
        for (at += 1; at < text.length; at += 1) {
            const char = text[at];
            if (char === quote) {
                at += 1;
                return out;
            }
            if (char !== "\\") {
                out += char;
                continue;
            }
            at += 1;
            const escape = text[at] ?? "";
            const length = escape === "x" ? 2 : escape === "u" ? 4 : escape === "U" ? 8 : 0;
            const code = Number.parseInt(text.slice(at + 1, at + 1 + length), 16);
            if (length > 0 && (Number.isNaN(code) || code > 0x10ffff))
                return NOT_A_LITERAL;
            out += length > 0 ? String.fromCodePoint(code) : (ESCAPES[escape] ?? `\\${escape}`);
            at += length;
        }
        return NOT_A_LITERAL;
    };
    const result = value(0);
    skip();
    return at === text.length ? result : NOT_A_LITERAL;
}

;// CONCATENATED MODULE: ./build/experiment/formats/ragas.js






const SAMPLE_COLUMNS = new Map([
    ["user_input", "inputs"],
    ["question", "inputs"],
    ["rubrics", "inputs"],
    ["reference", "expected_outputs"],
    ["reference_contexts", "expected_outputs"],
    ["reference_context_ids", "expected_outputs"],
    ["reference_tool_calls", "expected_outputs"],
    ["reference_topics", "expected_outputs"],
    ["ground_truth", "expected_outputs"],
    ["ground_truths", "expected_outputs"],
    ["response", "actual_outputs"],
    ["answer", "actual_outputs"],
    ["multi_responses", "actual_outputs"],
    ["retrieved_contexts", "actual_outputs"],
    ["retrieved_context_ids", "actual_outputs"],
    ["contexts", "actual_outputs"],
    ["persona_name", "run_metadata"],
    ["query_style", "run_metadata"],
    ["query_length", "run_metadata"],
    ["synthesizer_name", "run_metadata"],
]);
function readCell(cell) {
    if (!/^\s*[[{(]/.test(cell))
        return cell;
    const literal = parsePythonLiteral(cell.trim());
    return literal === NOT_A_LITERAL ? cell : literal;
}
function ragas_toRow(place, entries) {
    const fields = new Map();
    const scores = [];
    const put = (field, entry) => void fields.set(field, [...(fields.get(field) ?? []), entry]);
    for (const [column, cell] of entries) {
        if (column === "" || /^Unnamed: ?\d+$/.test(column))
            continue;
        const field = SAMPLE_COLUMNS.get(column);
        if (field !== undefined) {
            if (cell !== "" && cell !== null)
                put(field, [column, typeof cell === "string" ? readCell(cell) : cell]);
            continue;
        }
        const scored = typeof cell === "object" && cell !== null ? { value: "" } : (0,feedback/* toScored */.S9)(cell);
        if ("value" in scored)
            put("run_metadata", [column, cell]);
        else
            scores.push({ key: column, score: "score" in scored ? scored.score : null });
    }
    return {
        ...Object.fromEntries([...fields].map(([field, values]) => [field, Object.fromEntries(values)])),
        place,
        evaluation_scores: scores,
    };
}
function ragas_open(files, heads) {
    const [file, head] = [files[0], heads[0]];
    async function* csvBatches() {
        checkColumns(file.name, head.columns);
        for await (const batch of streamCsv(file, head.columns.length)) {
            yield batch.map(({ cells, line, index }) => ragas_toRow({ file: file.name, line, index }, head.columns.map((column, n) => [column, cells[n]])));
        }
    }
    async function* jsonBatches() {
        for await (const batch of streamValues(file, head, [], true).batches()) {
            yield batch.map(({ value, line, index }) => {
                if (!(0,lenient_json/* isObject */.Gv)(value))
                    throw (0,diagnostic/* refusal */.x5)({ file: file.name, line }, `row ${index + 1} is no object`);
                return ragas_toRow({ file: file.name, line, index }, Object.entries(value));
            });
        }
    }
    return {
        batches: head.container === "csv" ? csvBatches : jsonBatches,
        header: () => ({ given: {} }),
    };
}
function hasSample(names) {
    const input = names.has("user_input") || names.has("question");
    return (input &&
        [
            "response",
            "answer",
            "retrieved_contexts",
            "contexts",
            "reference",
            "ground_truth",
            "ground_truths",
        ].some((name) => names.has(name)));
}
const ragasFormat = {
    name: "ragas",
    title: "ragas (CSV, JSONL)",
    detect: (head) => head.container === "csv"
        ? hasSample(new Set(head.columns)) && !head.columns.includes("Status")
        : (head.container === "jsonl" || head.container === "json") && hasSample(head.keys),
    open: ragas_open,
    examples: [
        {
            name: "ragas.csv",
            text: `,user_input,retrieved_contexts,response,reference,faithfulness,note\n0,q,"['it\\'s ""x""']",a,r,0.5,word\n`,
        },
    ],
    notes: [
        "Every column that is no sample column and holds numbers is a metric; an empty cell is unscored.",
        "Lists in CSV cells are read as Python writes them.",
        "The file has no times and no ids.",
    ],
};

;// CONCATENATED MODULE: ./build/experiment/formats/registry.js













const FORMATS = [
    promptfooFormat,
    inspectFormat,
    deepevalFormat,
    langsmithFormat,
    openaiEvalsFormat,
    phoenixFormat,
    bodyFormat,
    rowsFormat,
    junitFormat,
    ragasFormat,
    csvFormat,
    mappingFormat,
];
const FORMAT_NAMES = ["auto", ...FORMATS.map(({ name }) => name)];
function formatOf(head, wanted) {
    const found = FORMATS.find((format) => wanted === "auto" ? format.detect(head) : format.name === wanted);
    if (found !== undefined)
        return found;
    if (wanted !== "auto") {
        const near = (0,suggestion/* nearestWord */.z)(wanted, FORMAT_NAMES);
        throw (0,diagnostic/* refusal */.x5)({ file: head.name }, `format: there is no format "${wanted}"${near === undefined ? "" : ` (did you mean ${near}?)`}; formats are ${FORMAT_NAMES.join(", ")}`);
    }
    const seen = head.container === "csv"
        ? `columns ${head.columns.slice(0, 12).join(", ").slice(0, 300)}`
        : `keys ${[...head.keys].slice(0, 12).join(", ").slice(0, 300) || "none"}`;
    throw (0,diagnostic/* refusal */.x5)({ file: head.name }, `the format is not known (${head.container}, ${seen}); name it with format, or write a mapping`);
}

// EXTERNAL MODULE: ./build/experiment/index-pass.js + 3 modules
var index_pass = __webpack_require__(4961);
// EXTERNAL MODULE: ./build/experiment/timestamp.js
var timestamp = __webpack_require__(9366);
;// CONCATENATED MODULE: ./build/experiment/experiment.js








const MAX_GROUPS = 500;
async function readExperiments(request) {
    const { files, problems } = await findInputFiles(request.paths, request.workspace);
    const mapping = await readMappingInput(request).catch((error) => {
        problems.push(...problemsOf(error, request.mapping ?? "mapping"));
        return undefined;
    });
    if (request.mapping !== undefined && mapping === undefined)
        return { experiments: [], problems };
    const read = await readFiles(files, { ...request, mapping });
    return { experiments: read.experiments, problems: [...problems, ...read.problems] };
}
async function readFiles(files, how) {
    const problems = [];
    const experiments = [];
    const sources = [];
    const wanted = how.mapping !== undefined && (how.format ?? "auto") === "auto"
        ? "mapping"
        : (how.format ?? "auto");
    for (const file of files) {
        try {
            const head = await readHead(file);
            const format = formatOf(head, wanted);
            const joined = format.joins ? sources.find((source) => source.format === format) : undefined;
            if (joined === undefined)
                sources.push({ format, files: [file], heads: [head] });
            else {
                joined.files.push(file);
                joined.heads.push(head);
            }
        }
        catch (error) {
            problems.push(...problemsOf(error, file.name));
        }
    }
    for (const source of sources) {
        try {
            const indexed = await indexSource(source, {
                mapping: how.mapping,
                split: how.split ?? "auto",
            });
            experiments.push(...indexed.experiments);
            problems.push(...indexed.problems);
        }
        catch (error) {
            problems.push(...problemsOf(error, mainFile(source).name));
        }
    }
    return { experiments, problems };
}
async function readMappingInput({ mapping, workspace }) {
    if (mapping === undefined || mapping === "")
        return undefined;
    const { files, problems } = await findInputFiles([mapping], workspace);
    if (problems.length > 0 || files[0] === undefined)
        throw new diagnostic/* DiagnosticError */.uo(problems);
    return readMapping(files[0]);
}
function problemsOf(error, file) {
    if (error instanceof diagnostic/* DiagnosticError */.uo)
        return error.problems;
    const code = error?.code;
    return [
        (0,diagnostic/* diagnosticAt */.R5)({ file }, `the file cannot be read (${typeof code === "string" ? code : "it is damaged, or not what its first lines say"})`),
    ];
}
async function indexSource(source, options) {
    const reading = source.format.open(source.files, source.heads, options);
    const file = mainFile(source);
    const strict = source.format.strict === true;
    const groups = await indexGroups(reading, file, strict);
    const header = reading.header();
    const checked = (0,checks/* checkHeader */.e)(file.name, header.given, strict);
    const fileTime = (0,timestamp/* parseInstant */.nV)(header.started_at) ??
        (0,timestamp/* parseInstant */.nV)(new Date(Math.floor(file.mtimeMs)).toISOString()) ?? {
        us: 0,
        text: (0,timestamp/* formatInstant */.r4)(0),
    };
    const given = {
        start: (0,timestamp/* parseInstant */.nV)(checked.header.experiment_start_time),
        end: (0,timestamp/* parseInstant */.nV)(checked.header.experiment_end_time),
        fileTime,
    };
    const problems = [...checked.problems];
    const experiments = [];
    for (const [key, { label, indexer }] of groups) {
        const indexPass = indexer.finish(given);
        problems.push(...indexPass.problems.map((problem) => problem.file === "" ? { ...problem, file: file.name } : problem));
        problems.push(...(await rowsOutside(reading, key, indexPass)));
        experiments.push(toExperiment({
            source,
            reading,
            header,
            given: withSummary(checked.header, header.summaries?.get(key), strict),
            key,
            label: groups.size > 1 ? label : "",
            indexPass,
            warnings: [...(header.warnings ?? []), ...checked.warnings, ...indexPass.warnings],
        }));
    }
    return { experiments, problems };
}
async function indexGroups(reading, file, strict) {
    const groups = new Map();
    const open = (key, label) => {
        if (groups.size === MAX_GROUPS)
            throw (0,diagnostic/* refusal */.x5)({ file: file.name }, `the file holds more than ${MAX_GROUPS} experiments; split: none makes one of them`);
        const group = { label, indexer: (0,index_pass/* createIndexer */.i8)(strict) };
        groups.set(key, group);
        return group;
    };
    if (reading.texts !== undefined) {
        const { indexer } = open("", "");
        for await (const batch of reading.texts())
            for (let n = 0; n < batch.texts.length; n += 1)
                indexer.addText(batch, n);
        return groups;
    }
    for await (const batch of reading.batches()) {
        for (const read of batch) {
            const key = read.group?.key ?? "";
            (groups.get(key) ?? open(key, read.group?.label ?? "")).indexer.add(read);
        }
    }
    if (groups.size === 0)
        open("", "");
    return groups;
}
function withSummary(given, summary, strict) {
    return summary === undefined
        ? given
        : { ...given, ...(0,checks/* checkHeader */.e)("", { summary_experiment_scores: summary }, strict).header };
}
async function rowsOutside(reading, key, indexPass) {
    if (indexPass.outside === null)
        return [];
    const found = [];
    let n = 0;
    for await (const batch of reading.batches()) {
        for (const read of batch)
            if ((read.group?.key ?? "") === key && found.length < 10_000)
                found.push(...indexPass.outside(read, n++));
    }
    return found;
}
function toExperiment({ source, reading, header, given, key, label, indexPass, warnings, }) {
    const file = mainFile(source);
    async function* batches() {
        let n = 0;
        for await (const batch of reading.batches()) {
            const rows = [];
            for (const read of batch)
                if ((read.group?.key ?? "") === key)
                    rows.push(experiment_toRow(indexPass, read, n++, file.name));
            if (rows.length > 0)
                yield rows;
        }
        if (n !== indexPass.rows)
            throw changed(file.name);
    }
    async function* rows() {
        for await (const batch of batches())
            yield* batch;
    }
    const texts = () => reading.texts === undefined
        ? joinRows(batches(), (body) => body)
        : ownTexts(reading.texts(), indexPass, file.name);
    const created = (0,timestamp/* parseInstant */.nV)(header.started_at);
    return {
        file: file.name,
        format: source.format.name,
        label,
        given,
        batches,
        rows,
        texts,
        suite: header.suite ?? suiteOf(source),
        window: indexPass.window,
        rowCount: indexPass.rows,
        errorCount: indexPass.errors,
        state: header.state ?? "complete",
        commit: header.commit ?? null,
        created_at: created?.text ?? null,
        judge: header.judge ?? null,
        metadata: Object.fromEntries(Object.entries(header.metadata ?? {}).filter(([, value]) => value !== undefined)),
        fingerprint: indexPass.fingerprint,
        scores: indexPass.scores,
        sent: indexPass.sent,
        warnings,
    };
}
const experiment_OPEN_BRACE = 123, experiment_CLOSE_BRACE = 125, experiment_COMMA = 44;
const ID_FIELD = Buffer.from('{"row_id":"00000000-0000-0000-0000-000000000000",');
const ID_AT = ID_FIELD.indexOf("0");
async function* ownTexts(batches, indexPass, file) {
    let count = 0;
    let room = Buffer.alloc(0);
    let used = 0;
    const makeRoom = (bytes) => {
        if (used + bytes <= room.length)
            return;
        const wider = Buffer.allocUnsafeSlow(Math.max(used + bytes, Math.ceil(1.5 * room.length)));
        room.copy(wider, 0, 0, used);
        room = wider;
    };
    const put = (bytes, from, to) => {
        used += bytes.copy(room, used, from, to);
    };
    for await (const { texts, read } of batches) {
        used = 0;
        let left = texts.reduce((sum, { bytes }) => sum + bytes.length + 1 + ID_FIELD.length, 0);
        makeRoom(left);
        for (let n = 0; n < texts.length; n += 1) {
            const { bytes } = texts[n];
            const start = bytes[0] === experiment_OPEN_BRACE ? 0 : bytes.indexOf(experiment_OPEN_BRACE);
            const end = bytes.at(-1) === experiment_CLOSE_BRACE ? bytes.length : bytes.lastIndexOf(experiment_CLOSE_BRACE) + 1;
            const row = count++;
            const writing = start < 0 ? index_pass/* REWRITTEN */.vK : indexPass.writing(row);
            left -= bytes.length + 1 + ID_FIELD.length;
            if (n > 0)
                room[used++] = experiment_COMMA;
            if (writing === index_pass/* VERBATIM */.BP)
                put(bytes, start, end);
            else if (writing === index_pass/* WITHOUT_ID */.TD) {
                put(ID_FIELD, 0, ID_FIELD.length);
                indexPass.writeId(row, room, used - ID_FIELD.length + ID_AT);
                put(bytes, start + 1, end);
            }
            else {
                const written = Buffer.from(JSON.stringify(experiment_toRow(indexPass, read(n), row, file).body));
                makeRoom(written.length + left);
                put(written, 0, written.length);
            }
        }
        yield { bytes: room.subarray(0, used), rows: texts.length };
    }
    if (count !== indexPass.rows)
        throw changed(file);
}
async function* joinRows(batches, change) {
    for await (const batch of batches)
        yield {
            bytes: Buffer.from(batch.map(({ body }) => JSON.stringify(change(body))).join(",")),
            rows: batch.length,
        };
}
function changed(file) {
    return (0,diagnostic/* refusal */.x5)({ file }, "changed while it was read; let the step that writes it end first");
}
function experiment_toRow(indexPass, read, n, file) {
    if (n >= indexPass.rows)
        throw changed(file);
    return indexPass.toRow(read, n);
}
const STAMP = /[-_.]?(?:\d{4}-?\d\d-?\d\d[T_-]?\d\d[-:]?\d\d[-:]?\d\d(?:[-+]\d\d-?\d\d)?|\d{13}|\d{10})[-_.]?/g;
const ENDING = /\.(?:jsonl?|ndjson|csv|eval|xml|junit\.xml)$/i;
function mainFile({ files, heads }) {
    return files[Math.max(0, heads.findIndex((head) => head.keys.has("testResults")))];
}
function suiteOf(source) {
    const name = mainFile(source).name.split("/").at(-1);
    const plain = name
        .replace(/\.junit\.xml$/i, "")
        .replace(ENDING, "")
        .replace(STAMP, "");
    return plain.replace(/^\.+/, "") === "" ? "results" : plain.replace(/^\.+/, "");
}


/***/ }),

/***/ 6691:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S9: () => (/* binding */ toScored),
/* harmony export */   dF: () => (/* binding */ MAX_KEY_CHARS),
/* harmony export */   nI: () => (/* binding */ toFeedbackList)
/* harmony export */ });
/* harmony import */ var _lenient_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(824);
/* harmony import */ var _row_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1375);
/* harmony import */ var _row_notes_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9030);
/* harmony import */ var _timestamp_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9366);




const HOSTED_FIELDS = [
    "id",
    "feedback_group_id",
    "comparative_experiment_id",
    "extra",
];
const KNOWN = new Set([..._row_js__WEBPACK_IMPORTED_MODULE_1__/* .FEEDBACK_FIELDS */ .ez, ...HOSTED_FIELDS]);
const CONFIG_TYPES = ["continuous", "categorical", "freeform"];
const CONFIG_FIELDS = ["type", "min", "max", "categories"];
const MAX_KEY_CHARS = 180;
const NOT_A_NUMBER = /^(?:|nan|[+-]?inf(?:inity)?|none|null|n\/a|<na>)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
function toScored(score) {
    if (typeof score === "number")
        return Number.isFinite(score) ? { score } : { unscored: true };
    if (typeof score === "boolean")
        return { score: score ? 1 : 0 };
    if (score === null || score === undefined)
        return { unscored: true };
    if (typeof score !== "string")
        return { value: JSON.stringify((0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(score)) };
    const text = score.trim();
    if (NOT_A_NUMBER.test(text))
        return { unscored: true };
    if (NUMBER.test(text))
        return toScored(Number(text));
    if (/^(?:true|false)$/i.test(text))
        return { score: text.toLowerCase() === "true" ? 1 : 0 };
    return { value: score };
}
function toFeedbackList(list, at, how) {
    if (list === undefined || list === null)
        return [];
    if (!Array.isArray(list)) {
        how.addDiagnostic(at, "must be a list of feedback objects");
        return [];
    }
    if (list.length > 0 && list.every(isPlain))
        return list;
    const kept = [];
    for (let index = 0; index < list.length; index += 1) {
        const feedback = toFeedback(list[index], `${at}[${index}]`, how);
        if (feedback !== null)
            kept.push(feedback);
    }
    return kept;
}
function isPlain(read) {
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(read))
        return false;
    let scored = false;
    for (const name in read) {
        const value = read[name];
        if (name === "key") {
            if (typeof value !== "string" || value === "" || value.length > MAX_KEY_CHARS)
                return false;
        }
        else if (name === "score") {
            if (typeof value !== "number" || !Number.isFinite(value))
                return false;
            scored = true;
        }
        else if (name === "value") {
            if (typeof value !== "string")
                return false;
            scored = true;
        }
        else if (name !== "comment" || typeof value !== "string" || value === "")
            return false;
    }
    return scored && Object.hasOwn(read, "key");
}
function toFeedback(read, at, how) {
    const { addDiagnostic, notes } = how;
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(read)) {
        addDiagnostic(at, "must be an object with a key");
        return null;
    }
    const key = read["key"];
    if (typeof key !== "string" || key === "") {
        addDiagnostic(`${at}.key`, key === undefined ? "is required" : "must be a text that is not empty");
        return null;
    }
    if (key.length > MAX_KEY_CHARS)
        notes.longKeys.add(key.slice(0, 40));
    for (const name in read)
        if (!KNOWN.has(name))
            notes.unknownFields.add(`feedback "${name.slice(0, 60)}"`);
    const scored = readScore(read["score"], at, how);
    const feedback = { key };
    if ("score" in scored)
        feedback["score"] = scored.score;
    const value = readValue(read["value"], at, how) ?? ("value" in scored ? scored.value : undefined);
    if (value !== undefined)
        feedback["value"] = value;
    if (!("score" in scored) && value === undefined)
        notes.unscored += 1;
    putText(feedback, read, "comment", at, how);
    putSource(feedback, read["feedback_source"], `${at}.feedback_source`, how);
    putConfig(feedback, read["feedback_config"], `${at}.feedback_config`, how);
    for (const field of ["created_at", "modified_at"]) {
        const given = read[field];
        if (given === undefined || given === null)
            continue;
        const instant = (0,_timestamp_js__WEBPACK_IMPORTED_MODULE_3__/* .parseInstant */ .nV)(given);
        if (instant === null)
            addDiagnostic(`${at}.${field}`, "is no date-time; write ISO 8601");
        else
            feedback[field] = instant.text;
    }
    const correction = read["correction"];
    if (correction !== undefined && correction !== null) {
        if (typeof correction === "string")
            feedback["correction"] = correction;
        else if ((0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(correction))
            feedback["correction"] = (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(correction, notes);
        else
            addDiagnostic(`${at}.correction`, "must be an object or a text");
    }
    for (const field of HOSTED_FIELDS)
        if (read[field] !== undefined && read[field] !== null)
            feedback[field] = (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(read[field], notes);
    return Object.keys(feedback).length === 1 ? null : feedback;
}
function readScore(score, at, { strict, addDiagnostic }) {
    if (typeof score === "number" && Number.isFinite(score))
        return { score };
    if (strict && score !== null && (typeof score === "string" || typeof score === "object")) {
        addDiagnostic(`${at}.score`, "must be a number; words belong into value");
        return { unscored: true };
    }
    return toScored(score);
}
function readValue(value, at, { strict, addDiagnostic }) {
    if (value === undefined || value === null || typeof value === "string")
        return value ?? undefined;
    if (strict && typeof value === "object") {
        addDiagnostic(`${at}.value`, "must be a text");
        return undefined;
    }
    return typeof value === "object" ? JSON.stringify((0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(value)) : String(value);
}
function putText(target, read, field, at, { strict, addDiagnostic }) {
    const text = read[field];
    if (text === undefined || text === null)
        return;
    if (typeof text === "string") {
        if (text !== "")
            target[field] = text;
    }
    else if (strict)
        addDiagnostic(`${at}.${field}`, "must be a text");
    else
        target[field] = JSON.stringify((0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(text));
}
function putSource(target, source, at, { addDiagnostic, notes }) {
    if (source === undefined || source === null)
        return;
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(source))
        addDiagnostic(at, "must be an object with a type");
    else if (typeof source["type"] !== "string")
        addDiagnostic(`${at}.type`, source["type"] === undefined ? "is required" : "must be a text");
    else
        target["feedback_source"] = (0,_row_notes_js__WEBPACK_IMPORTED_MODULE_2__/* .cleanJson */ .We)(source, notes);
}
function putConfig(target, config, at, { addDiagnostic, notes }) {
    if (config === undefined || config === null)
        return;
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(config)) {
        addDiagnostic(at, "must be an object");
        return;
    }
    const kept = {};
    for (const name of Object.keys(config))
        if (!CONFIG_FIELDS.includes(name))
            notes.unknownFields.add(`feedback_config "${name.slice(0, 60)}"`);
    const type = config["type"];
    if (type === undefined || type === null)
        notes.untypedConfigs += 1;
    else if (!CONFIG_TYPES.includes(type))
        addDiagnostic(`${at}.type`, "must be continuous, categorical or freeform");
    else
        kept["type"] = type;
    for (const bound of ["min", "max"]) {
        const given = config[bound];
        if (given === undefined || given === null)
            continue;
        if (typeof given !== "number" || !Number.isFinite(given))
            addDiagnostic(`${at}.${bound}`, "must be a number");
        else
            kept[bound] = given;
    }
    const categories = config["categories"];
    if (categories !== undefined && categories !== null) {
        if (!Array.isArray(categories))
            addDiagnostic(`${at}.categories`, "must be a list of objects with a value");
        else
            kept["categories"] = categories.map((category, index) => readCategory(category, `${at}.categories[${index}]`, addDiagnostic));
    }
    target["feedback_config"] = kept;
}
function readCategory(category, at, addDiagnostic) {
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(category)) {
        addDiagnostic(at, "must be an object with a value");
        return {};
    }
    const { value, label } = category;
    if (typeof value !== "number" || !Number.isFinite(value))
        addDiagnostic(`${at}.value`, value === undefined ? "is required" : "must be a number");
    if (label === undefined || label === null)
        return { value };
    if (typeof label !== "string" || label === "")
        addDiagnostic(`${at}.label`, "must be a text that is not empty");
    return { value, label };
}


/***/ }),

/***/ 4961:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  vK: () => (/* binding */ REWRITTEN),
  BP: () => (/* binding */ VERBATIM),
  TD: () => (/* binding */ WITHOUT_ID),
  i8: () => (/* binding */ createIndexer),
  M1: () => (/* binding */ rowScores)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/experiment/feedback.js
var feedback = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/experiment/lenient-json.js
var lenient_json = __webpack_require__(824);
// EXTERNAL MODULE: ./build/experiment/row-id.js
var row_id = __webpack_require__(3798);
// EXTERNAL MODULE: ./build/experiment/row-notes.js
var row_notes = __webpack_require__(9030);
// EXTERNAL MODULE: ./build/experiment/timestamp.js
var timestamp = __webpack_require__(9366);
;// CONCATENATED MODULE: ./build/experiment/normal-row.js





function toNormalRow(read, how) {
    const { addDiagnostic, notes } = how;
    for (const name of read.unknown ?? [])
        notes.unknownFields.add(`"${name.slice(0, 60)}" in a row`);
    const object = (value, wrapKey) => toObject(value, wrapKey, how);
    const inputs = object(read.inputs, "input");
    if (inputs === undefined)
        addDiagnostic("inputs", "is required");
    const expected = object(read.expected_outputs, "output");
    const actual = object(read.actual_outputs, "output");
    const metadata = object(read.run_metadata, "value");
    const scores = (0,feedback/* toFeedbackList */.nI)(read.evaluation_scores, "evaluation_scores", how);
    const runName = toText(read.run_name, "run_name", how);
    const error = toText(read.error, "error", how);
    const times = toTimes(read, addDiagnostic);
    const givenId = read.row_id === undefined || read.row_id === null ? null : (0,row_id/* parseUuid */.Xw)(read.row_id);
    if (givenId === null && read.row_id !== undefined && read.row_id !== null)
        addDiagnostic("row_id", "must be a UUID; leave it out and it is made from the inputs");
    return {
        content: {
            inputs: inputs ?? {},
            ...(expected === undefined ? {} : { expected_outputs: expected }),
            ...(actual === undefined ? {} : { actual_outputs: actual }),
            ...(scores.length === 0 ? {} : { evaluation_scores: scores }),
            ...(runName === undefined ? {} : { run_name: runName }),
            ...(error === undefined ? {} : { error }),
            ...(metadata === undefined ? {} : { run_metadata: metadata }),
        },
        givenId,
        exampleId: (0,row_id/* parseUuid */.Xw)(read.example_id),
        repeat: read.repeat !== undefined && Number.isSafeInteger(read.repeat) && read.repeat >= 0
            ? read.repeat
            : undefined,
        ...times,
        verbatim: read.unknown === undefined &&
            read.bareTokens === undefined &&
            inputs === read.inputs &&
            expected === read.expected_outputs &&
            actual === read.actual_outputs &&
            metadata === read.run_metadata &&
            runName === read.run_name &&
            error === read.error &&
            (scores === read.evaluation_scores || read.evaluation_scores === undefined) &&
            times.start !== null &&
            times.end !== null &&
            times.start.text === read.start_time &&
            times.end.text === read.end_time &&
            (read.row_id === undefined || givenId !== null),
    };
}
function toObject(value, wrapKey, { strict, notes }) {
    if (value === undefined || value === null)
        return undefined;
    if ((0,lenient_json/* isObject */.Gv)(value))
        return (0,row_notes/* cleanJson */.We)(value, notes);
    if (strict)
        notes.wrapped += 1;
    return { [wrapKey]: (0,row_notes/* cleanJson */.We)(value, notes) };
}
function toText(value, field, how) {
    if (value === undefined || value === null || value === "")
        return undefined;
    if (typeof value === "string")
        return value;
    if (how.strict) {
        how.addDiagnostic(field, "must be a text");
        return undefined;
    }
    if ((0,lenient_json/* isObject */.Gv)(value) && typeof value["message"] === "string" && value["message"] !== "")
        return value["message"];
    return typeof value === "object" ? JSON.stringify((0,row_notes/* cleanJson */.We)(value)) : String(value);
}
function toTimes(read, addDiagnostic) {
    const instant = (value, field) => {
        if (value === undefined || value === null || value === "")
            return null;
        const parsed = (0,timestamp/* parseInstant */.nV)(value);
        if (parsed === null)
            addDiagnostic(field, "is no date-time; write ISO 8601, as 2026-01-31T12:00:00Z");
        return parsed;
    };
    const start = instant(read.start_time, "start_time");
    const end = instant(read.end_time, "end_time");
    if (start !== null && end !== null) {
        if (end.us < start.us)
            addDiagnostic("end_time", "is before start_time");
        return { start, end, durationUs: end.us - start.us };
    }
    const seconds = read.duration_s;
    const durationUs = seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 && seconds < 1e9
        ? Math.round(seconds * 1e6)
        : null;
    if (start !== null && durationUs !== null)
        return { start, end: later(start, durationUs), durationUs };
    if (end !== null && durationUs !== null)
        return { start: later(end, -durationUs), end, durationUs };
    return { start, end, durationUs };
}
function later(instant, us) {
    return us === 0 ? instant : { us: instant.us + us, text: (0,timestamp/* formatInstant */.r4)(instant.us + us) };
}

// EXTERNAL MODULE: ./build/experiment/diagnostic.js
var diagnostic = __webpack_require__(2123);
// EXTERNAL MODULE: ./build/canonical-json.js
var canonical_json = __webpack_require__(3925);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./build/experiment/json-walk.js
const FAILED = -1;
const QUOTE = 34, BACKSLASH = 92, COMMA = 44, COLON = 58, OPEN_BRACE = 123, CLOSE_BRACE = 125, OPEN_BRACKET = 91, CLOSE_BRACKET = 93;
const MINUS = 45, DOT = 46, ZERO = 48, SMALL_U = 117;
const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) => Buffer.from(word));
const MAX_DIGITS = 15;
const MAX_FRACTION_DIGITS = 30;
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) => byte < 32 || byte === QUOTE || byte === BACKSLASH ? 1 : 0);
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => '"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : byte === 47 ? 2 : 0);
function createWalk(bytes) {
    return {
        octets: new Uint8Array(bytes.buffer),
        words: new Int32Array(bytes.buffer, 0, bytes.buffer.byteLength >> 2),
        seen: 0,
        escapes: 0,
        spaces: 0,
        canonical: true,
        sorted: true,
    };
}
function passSpace(walk, from) {
    const { octets } = walk;
    if (octets[from] > 32)
        return from;
    let at = from;
    for (let byte = octets[at]; byte === 32 || byte === 10 || byte === 13 || byte === 9; byte = octets[at])
        at += 1;
    walk.spaces += at - from;
    return at;
}
function stopsIn(four) {
    const quotes = four ^ 0x22222222;
    const backslashes = four ^ 0x5c5c5c5c;
    return ((((four - 0x20202020) & ~four) |
        ((quotes - 0x01010101) & ~quotes) |
        ((backslashes - 0x01010101) & ~backslashes)) &
        0x80808080);
}
function passPlain(walk, from) {
    const { octets, words } = walk;
    let seen = 0;
    let at = from;
    for (; (at & 3) !== 0; at += 1) {
        if (STOPS[octets[at]] !== 0) {
            walk.seen |= seen;
            return at;
        }
        seen |= octets[at];
    }
    let word = at >> 2;
    for (const end = words.length - 1; word < end; word += 2) {
        const one = words[word];
        const other = words[word + 1];
        if ((stopsIn(one) | stopsIn(other)) !== 0)
            break;
        const both = one | other;
        seen |= both | (both >>> 16);
    }
    seen |= seen >>> 8;
    for (at = word << 2; STOPS[octets[at]] === 0; at += 1)
        seen |= octets[at];
    walk.seen |= seen;
    return at;
}
function passString(walk, from) {
    const { octets } = walk;
    for (let at = from + 1;;) {
        at = passPlain(walk, at);
        const byte = octets[at];
        if (byte === QUOTE)
            return at + 1;
        if (byte !== BACKSLASH)
            return FAILED;
        const letter = octets[at + 1];
        walk.escapes += 1;
        if (letter === SMALL_U) {
            if (!isHex(octets[at + 2]) ||
                !isHex(octets[at + 3]) ||
                !isHex(octets[at + 4]) ||
                !isHex(octets[at + 5]))
                return FAILED;
            walk.canonical = false;
            at += 6;
            continue;
        }
        if (ESCAPES[letter] === 2)
            walk.canonical = false;
        else if (ESCAPES[letter] !== 1)
            return FAILED;
        at += 2;
    }
}
function passNumber(walk, from) {
    const { octets } = walk;
    const whole = octets[from] === MINUS ? from + 1 : from;
    let at = passDigits(octets, whole);
    const digits = at - whole;
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && octets[whole] === ZERO))
        return FAILED;
    if (octets[at] !== DOT) {
        if (whole > from && octets[whole] === ZERO)
            walk.canonical = false;
        return at;
    }
    walk.canonical = false;
    const fraction = at + 1;
    at = passDigits(octets, fraction);
    return at === fraction || at - fraction > MAX_FRACTION_DIGITS ? FAILED : at;
}
function passDigits(octets, from) {
    let at = from;
    while (isDigit(octets[at]))
        at += 1;
    return at;
}
const isDigit = (byte) => byte !== undefined && byte >= 48 && byte <= 57;
const isHex = (byte) => byte !== undefined &&
    ((byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102) || (byte >= 65 && byte <= 70));
function passValue(walk, from, levels) {
    switch (walk.octets[from]) {
        case QUOTE:
            return passString(walk, from);
        case OPEN_BRACE:
            return passObject(walk, from, levels);
        case OPEN_BRACKET:
            return passArray(walk, from, levels);
        case 116:
            return passWord(walk, from, TRUE);
        case 102:
            return passWord(walk, from, FALSE);
        case 110:
            return passWord(walk, from, NULL);
        default:
            return passNumber(walk, from);
    }
}
function passWord({ octets }, from, word) {
    return isAt(octets, from, word) ? from + word.length : FAILED;
}
function isAt(octets, from, bytes) {
    for (let index = 0; index < bytes.length; index += 1)
        if (octets[from + index] !== bytes[index])
            return false;
    return true;
}
function passObject(walk, from, levels, members) {
    const { octets } = walk;
    if (levels === 0 || octets[from] !== OPEN_BRACE)
        return FAILED;
    if (members !== undefined)
        members.count = 0;
    let at = passSpace(walk, from + 1);
    if (octets[at] === CLOSE_BRACE)
        return at + 1;
    for (let keyBefore = FAILED;;) {
        if (octets[at] !== QUOTE)
            return FAILED;
        if (members === undefined &&
            walk.sorted &&
            keyBefore !== FAILED &&
            compareKeys(octets, keyBefore, at) >= 0)
            walk.sorted = false;
        keyBefore = at;
        const { escapes } = walk;
        at = passString(walk, at);
        if (at === FAILED)
            return FAILED;
        if (walk.escapes !== escapes)
            walk.canonical = false;
        const keyEnd = at;
        at = passSpace(walk, at);
        if (octets[at] !== COLON)
            return FAILED;
        const value = passSpace(walk, at + 1);
        at = passValue(walk, value, levels - 1);
        if (at === FAILED)
            return FAILED;
        if (members !== undefined)
            noteMember(members, { key: keyBefore, keyEnd, from: value, to: at });
        at = passSpace(walk, at);
        if (octets[at] === CLOSE_BRACE)
            return at + 1;
        if (octets[at] !== COMMA)
            return FAILED;
        at = passSpace(walk, at + 1);
    }
}
function passArray(walk, from, levels) {
    const { octets } = walk;
    if (levels === 0)
        return FAILED;
    let at = passSpace(walk, from + 1);
    if (octets[at] === CLOSE_BRACKET)
        return at + 1;
    for (;;) {
        at = passValue(walk, at, levels - 1);
        if (at === FAILED)
            return FAILED;
        at = passSpace(walk, at);
        if (octets[at] === CLOSE_BRACKET)
            return at + 1;
        if (octets[at] !== COMMA)
            return FAILED;
        at = passSpace(walk, at + 1);
    }
}
function compareKeys(octets, a, b) {
    for (let index = 1;; index += 1) {
        const [one, other] = [octets[a + index], octets[b + index]];
        if (one > 127 || other > 127)
            return 0;
        if (one !== other)
            return one === QUOTE ? -1 : other === QUOTE ? 1 : one - other;
        if (one === QUOTE)
            return 0;
    }
}
const MAX_MEMBERS = 64;
function createMembers() {
    const numbers = () => new Int32Array(MAX_MEMBERS);
    return {
        count: 0,
        keys: numbers(),
        keyEnds: numbers(),
        froms: numbers(),
        tos: numbers(),
        order: numbers(),
    };
}
function noteMember(members, { key, keyEnd, from, to }) {
    const { count } = members;
    if (count < MAX_MEMBERS) {
        members.keys[count] = key;
        members.keyEnds[count] = keyEnd;
        members.froms[count] = from;
        members.tos[count] = to;
    }
    members.count += 1;
}
function sortMembers(octets, { count, keys, order }) {
    if (count > MAX_MEMBERS)
        return false;
    for (let n = 0; n < count; n += 1) {
        let place = n;
        for (; place > 0; place -= 1) {
            const compared = compareKeys(octets, keys[order[place - 1]], keys[n]);
            if (compared === 0)
                return false;
            if (compared < 0)
                break;
            order[place] = order[place - 1];
        }
        order[place] = n;
    }
    return true;
}
function writeCanonical(walk, members, into, offset) {
    const { octets, sorted, spaces } = walk;
    if (!sortMembers(octets, members))
        return FAILED;
    let out = offset;
    into[out++] = OPEN_BRACE;
    for (let n = 0; n < members.count; n += 1) {
        const member = members.order[n];
        if (n > 0)
            into[out++] = COMMA;
        out = copy(octets, { from: members.keys[member], to: members.keyEnds[member] }, into, out);
        into[out++] = COLON;
        const span = { from: members.froms[member], to: members.tos[member] };
        out = !sorted
            ? writeValue(walk, span, into, out)
            : spaces === 0
                ? copy(octets, span, into, out)
                : writeCompact(octets, span, into, out);
        if (out === FAILED)
            return FAILED;
    }
    into[out++] = CLOSE_BRACE;
    return out;
}
const MAX_LEVELS = 200;
function writeValue(walk, { from, to }, into, offset) {
    const { octets } = walk;
    const open = octets[from];
    if (open !== OPEN_BRACE && open !== OPEN_BRACKET) {
        return copy(octets, { from, to }, into, offset);
    }
    const members = open === OPEN_BRACE ? membersOf(walk, from) : itemsOf(walk, from);
    if (members === null)
        return FAILED;
    let out = offset;
    into[out++] = open;
    for (const member of members) {
        if (out > offset + 1)
            into[out++] = COMMA;
        out = copy(octets, { from: member.key, to: member.keyEnd }, into, out);
        if (member.keyEnd > member.key)
            into[out++] = COLON;
        out = writeValue(walk, member, into, out);
        if (out === FAILED)
            return FAILED;
    }
    into[out++] = open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    return out;
}
const SHORT_COPY = 48;
function copy(octets, { from, to }, into, offset) {
    if (to - from > SHORT_COPY)
        into.set(octets.subarray(from, to), offset);
    else
        for (let at = from; at < to; at += 1)
            into[offset + at - from] = octets[at];
    return offset + to - from;
}
function membersOf(walk, from) {
    const members = [];
    for (let at = passSpace(walk, from + 1); walk.octets[at] !== CLOSE_BRACE;) {
        const key = at;
        const keyEnd = passString(walk, key);
        const value = passSpace(walk, passSpace(walk, keyEnd) + 1);
        const to = passValue(walk, value, MAX_LEVELS);
        members.push({ key, keyEnd, from: value, to });
        at = passSpace(walk, to);
        if (walk.octets[at] === COMMA)
            at = passSpace(walk, at + 1);
    }
    members.sort((a, b) => compareKeys(walk.octets, a.key, b.key));
    for (let index = 1; index < members.length; index += 1)
        if (compareKeys(walk.octets, members[index - 1].key, members[index].key) >= 0)
            return null;
    return members;
}
function itemsOf(walk, from) {
    const items = [];
    for (let at = passSpace(walk, from + 1); walk.octets[at] !== CLOSE_BRACKET;) {
        const to = passValue(walk, at, MAX_LEVELS);
        items.push({ key: 0, keyEnd: 0, from: at, to });
        at = passSpace(walk, to);
        if (walk.octets[at] === COMMA)
            at = passSpace(walk, at + 1);
    }
    return items;
}
function writeCompact(octets, { from, to }, into, offset) {
    let out = offset;
    let inString = false;
    for (let at = from; at < to; at += 1) {
        const byte = octets[at];
        if (inString) {
            if (byte === BACKSLASH)
                into[out++] = octets[at++];
            else if (byte === QUOTE)
                inString = false;
        }
        else if (byte === 32 || byte === 10 || byte === 13 || byte === 9)
            continue;
        else if (byte === QUOTE)
            inString = true;
        into[out++] = octets[at];
    }
    return out;
}

// EXTERNAL MODULE: ./build/experiment/row.js + 1 modules
var row = __webpack_require__(1375);
;// CONCATENATED MODULE: ./build/experiment/row-scan.js







const row_scan_QUOTE = 34, row_scan_COMMA = 44, row_scan_COLON = 58, row_scan_OPEN_BRACE = 123, row_scan_CLOSE_BRACE = 125, row_scan_OPEN_BRACKET = 91, row_scan_CLOSE_BRACKET = 93;
const row_scan_MAX_LEVELS = 50;
const passFree = (at, of) => passObject(of, at, row_scan_MAX_LEVELS);
const passWords = (at, of) => {
    const end = passString(of, at);
    return end - at > 2 ? end : FAILED;
};
const passTime = (put) => (at, of) => {
    const end = of.octets[at] === row_scan_QUOTE ? passString(of, at) : FAILED;
    const us = end === FAILED ? Number.NaN : (0,timestamp/* readInstant */.Wr)(of.octets, at + 1, end - 1);
    put(of.row, us);
    return Number.isNaN(us) ? FAILED : end;
};
const FIELDS = {
    row_id: (at, of) => {
        if (of.octets[at] !== row_scan_QUOTE ||
            of.octets[at + 37] !== row_scan_QUOTE ||
            !(0,row_id/* readUuid */.Cp)(of.octets, at + 1, of.given))
            return FAILED;
        of.row.givenId = of.given;
        return at + 38;
    },
    inputs: passInputs,
    expected_outputs: passFree,
    actual_outputs: passFree,
    evaluation_scores: passScores,
    start_time: passTime((row, us) => {
        row.startUs = us;
    }),
    end_time: passTime((row, us) => {
        row.endUs = us;
    }),
    run_name: (at, of) => (of.octets[at] === row_scan_QUOTE ? passWords(at, of) : FAILED),
    error: (at, of) => {
        of.row.failed = true;
        return of.octets[at] === row_scan_QUOTE ? passWords(at, of) : FAILED;
    },
    run_metadata: passFree,
};
const NAMES = row/* ROW_FIELDS */.dC.map((name, index) => ({
    name: Buffer.from(`${name}"`),
    pass: FIELDS[name],
    bit: 1 << index,
}));
const REQUIRED = ["inputs", "start_time", "end_time"].reduce((bits, name) => bits | (1 << row/* ROW_FIELDS */.dC.indexOf(name)), 0);
function createRowScan() {
    const row = {
        example: new Uint8Array(16),
        givenId: null,
        startUs: 0,
        endUs: 0,
        failed: false,
        scores: [],
    };
    const given = new Uint8Array(16);
    const inputs = (0,row_id/* createNameHash */.wq)();
    const members = createMembers();
    const metrics = createMetrics();
    let of;
    const scan = (bytes) => {
        if (of === undefined || of.octets.buffer !== bytes.buffer)
            of = { ...createWalk(bytes), row, given, inputs, members, metrics };
        row.givenId = null;
        row.failed = false;
        row.scores.length = 0;
        of.seen = 0;
        if (!passFields(of, bytes.byteOffset, bytes.byteOffset + bytes.length) ||
            row.endUs < row.startUs)
            return false;
        if ((of.seen & 128) !== 0 && !(0,external_node_buffer_.isUtf8)(bytes))
            return false;
        inputs.digest(0, row.example);
        return true;
    };
    const repeated = new Uint8Array(16);
    return { scan, row, repeatId: (k) => inputs.digest(k, repeated) };
}
function passFields(of, from, to) {
    const { octets } = of;
    let found = 0;
    let at = passSpace(of, from);
    if (octets[at] !== row_scan_OPEN_BRACE)
        return false;
    for (let next = 0;; next += 1) {
        at = passSpace(of, at + 1);
        if (octets[at] !== row_scan_QUOTE)
            return false;
        let tried = 0;
        if (next >= NAMES.length)
            next = 0;
        for (; tried < NAMES.length && !isAt(octets, at + 1, NAMES[next].name); tried += 1)
            next = next + 1 < NAMES.length ? next + 1 : 0;
        const field = NAMES[next];
        if (tried === NAMES.length || (found & field.bit) !== 0)
            return false;
        found |= field.bit;
        at = passSpace(of, at + 1 + field.name.length);
        if (octets[at] !== row_scan_COLON)
            return false;
        at = field.pass(passSpace(of, at + 1), of);
        if (at === FAILED)
            return false;
        at = passSpace(of, at);
        if (octets[at] === row_scan_CLOSE_BRACE)
            return passSpace(of, at + 1) >= to && at < to && (found & REQUIRED) === REQUIRED;
        if (octets[at] !== row_scan_COMMA)
            return false;
    }
}
function passInputs(from, of) {
    of.canonical = true;
    of.sorted = true;
    of.spaces = 0;
    const to = passObject(of, from, row_scan_MAX_LEVELS, of.members);
    if (to === FAILED)
        return FAILED;
    const { inputs, octets } = of;
    const written = of.canonical
        ? writeCanonical(of, of.members, inputs.room(to - from), inputs.offset)
        : FAILED;
    if (written !== FAILED) {
        inputs.end(written);
        return to;
    }
    try {
        inputs.write((0,canonical_json/* canonicalJson */.d)(JSON.parse(Buffer.from(octets.buffer, from, to - from).toString("utf8"))));
        return to;
    }
    catch {
        return FAILED;
    }
}
function passScores(from, of) {
    const { octets, row, metrics } = of;
    if (octets[from] !== row_scan_OPEN_BRACKET)
        return FAILED;
    for (let at = from;;) {
        at = passSpace(of, at + 1);
        at = passScore(at, of);
        if (at === FAILED || metrics.key === null || !(metrics.scored || metrics.worded))
            return FAILED;
        if (metrics.scored) {
            for (const { key } of row.scores)
                if (key === metrics.key)
                    return FAILED;
            row.scores.push({ key: metrics.key, score: metrics.score });
        }
        at = passSpace(of, at);
        if (octets[at] === row_scan_CLOSE_BRACKET)
            return at + 1;
        if (octets[at] !== row_scan_COMMA)
            return FAILED;
    }
}
const [KEY, SCORE, VALUE, COMMENT] = ["key", "score", "value", "comment"].map((name) => Buffer.from(`${name}"`));
function passScore(from, of) {
    const { octets, metrics } = of;
    metrics.key = null;
    metrics.scored = false;
    metrics.worded = false;
    let commented = false;
    let at = from;
    if (octets[at] !== row_scan_OPEN_BRACE)
        return FAILED;
    for (;;) {
        at = passSpace(of, at + 1);
        if (octets[at] !== row_scan_QUOTE)
            return FAILED;
        at += 1;
        const name = isAt(octets, at, KEY)
            ? KEY
            : isAt(octets, at, SCORE)
                ? SCORE
                : isAt(octets, at, VALUE)
                    ? VALUE
                    : isAt(octets, at, COMMENT)
                        ? COMMENT
                        : null;
        if (name === null)
            return FAILED;
        at = passSpace(of, at + name.length);
        if (octets[at] !== row_scan_COLON)
            return FAILED;
        const begin = passSpace(of, at + 1);
        if (name !== SCORE && octets[begin] !== row_scan_QUOTE)
            return FAILED;
        if (name === SCORE) {
            at = passNumber(of, begin);
            if (at === FAILED || metrics.scored)
                return FAILED;
            metrics.scored = true;
            metrics.score = metrics.numberOf(octets, begin, at);
        }
        else if (name === KEY) {
            const { escapes } = of;
            at = passString(of, begin);
            if (at === FAILED ||
                metrics.key !== null ||
                of.escapes !== escapes ||
                at - begin < 3 ||
                at - begin > feedback/* MAX_KEY_CHARS */.dF)
                return FAILED;
            metrics.key = metrics.nameOf(octets, begin + 1, at - 1);
        }
        else if (name === VALUE) {
            at = passString(of, begin);
            if (at === FAILED || metrics.worded)
                return FAILED;
            metrics.worded = true;
        }
        else {
            at = passWords(begin, of);
            if (at === FAILED || commented)
                return FAILED;
            commented = true;
        }
        at = passSpace(of, at);
        if (octets[at] === row_scan_CLOSE_BRACE)
            return at + 1;
        if (octets[at] !== row_scan_COMMA)
            return FAILED;
    }
}
const MAX_NAMES = 64;
function createMetrics() {
    const known = [];
    const textOf = (octets, from, to) => Buffer.from(octets.buffer, from, to - from).toString("utf8");
    const nameOf = (octets, from, to) => {
        for (const { bytes, name } of known)
            if (bytes.length === to - from && isAt(octets, from, bytes))
                return name;
        const name = textOf(octets, from, to);
        if (known.length < MAX_NAMES)
            known.push({ bytes: octets.slice(from, to), name });
        return name;
    };
    const numberOf = (octets, from, to) => {
        if (to - from > 9)
            return Number(textOf(octets, from, to));
        let [digits, scale] = [0, 0];
        for (let at = from; at < to; at += 1) {
            const byte = octets[at];
            if (byte === 46)
                scale = 1;
            else if (byte !== 45) {
                digits = digits * 10 + byte - 48;
                scale *= 10;
            }
        }
        const size = scale === 0 ? digits : digits / scale;
        return octets[from] === 45 ? -size : size;
    };
    return { key: null, score: 0, scored: false, worded: false, nameOf, numberOf };
}

;// CONCATENATED MODULE: ./build/experiment/index-pass.js








const MAX_PROBLEMS = 10_000;
function createIndexer(strict) {
    const notes = (0,row_notes/* createRowNotes */.EB)();
    const problems = createProblemList();
    const identity = createIdentities(problems.add);
    const means = createMeans();
    const extent = { minUs: Infinity, maxUs: -Infinity, untimed: 0, maxUntimedUs: 0 };
    const { scan, row, repeatId } = createRowScan();
    let rows = 0;
    let errors = 0;
    const addText = (batch, n) => {
        if (!scan(batch.texts[n].bytes)) {
            add(batch.read(n));
            return;
        }
        const owner = identity.addPlain(row, repeatId);
        if (owner > 0)
            problems.add(repeatedId(batch.read(n), row.givenId, owner));
        means.addPlain(row);
        rows += 1;
        if (row.failed)
            errors += 1;
        if (row.startUs < extent.minUs)
            extent.minUs = row.startUs;
        if (row.endUs > extent.maxUs)
            extent.maxUs = row.endUs;
    };
    const add = (read) => {
        const normal = toNormalRow(read, {
            strict,
            addDiagnostic: (path, message) => problems.add(rowProblem(read, path, message)),
            notes,
        });
        identity.add(read, normal);
        means.add(normal.content.evaluation_scores ?? [], normal.content.error !== undefined);
        rows += 1;
        if (normal.content.error !== undefined)
            errors += 1;
        if (normal.durationUs === null)
            notes.withoutDuration += 1;
        const known = normal.start ?? normal.end;
        if (known === null) {
            notes.withoutTime += 1;
            extent.untimed += 1;
            extent.maxUntimedUs = Math.max(extent.maxUntimedUs, normal.durationUs ?? 0);
            return;
        }
        extent.minUs = Math.min(extent.minUs, known.us);
        extent.maxUs = Math.max(extent.maxUs, (normal.end ?? known).us);
    };
    const finish = (given) => {
        const base = clampBase(given);
        if (extent.untimed > 0 || rows === 0) {
            extent.minUs = Math.min(extent.minUs, base.us);
            extent.maxUs = Math.max(extent.maxUs, base.us, given.end === null ? base.us + extent.maxUntimedUs : -Infinity);
        }
        const window = {
            start: given.start ?? instantAt(extent.minUs),
            end: given.end ?? instantAt(extent.maxUs),
        };
        if (window.end.us < window.start.us && given.start !== null && given.end !== null)
            problems.add((0,diagnostic/* diagnosticAt */.R5)({ file: "", path: "experiment_end_time" }, "experiment_end_time is before experiment_start_time"));
        const toRow = (read, n) => identity.finish(read, toNormalRow(read, { strict, addDiagnostic: () => undefined, notes: (0,row_notes/* createRowNotes */.EB)() }), n, { base, windowStart: window.start, givenEnd: given.end });
        const mayBeOutside = (given.start !== null && extent.minUs < given.start.us) ||
            (given.end !== null &&
                (extent.maxUs > given.end.us || extent.maxUntimedUs > given.end.us - window.start.us));
        const outside = (read, n) => windowProblems(read, toRow(read, n), window);
        return {
            rows,
            errors,
            window,
            toRow,
            warnings: (0,row_notes/* renderRowNotes */.I9)(notes),
            problems: problems.list(),
            ...means.finish(),
            fingerprint: identity.fingerprint(),
            writing: identity.writing,
            writeId: identity.writeId,
            bytes: identity.bytes(),
            outside: mayBeOutside ? outside : null,
        };
    };
    return { add, addText, finish };
}
function instantAt(us) {
    return { us, text: (0,timestamp/* formatInstant */.r4)(us) };
}
function clampBase({ start, end, fileTime }) {
    if (end !== null && fileTime.us > end.us)
        return start ?? end;
    return start !== null && fileTime.us < start.us ? start : fileTime;
}
function rowProblem(read, path, message) {
    const { file, index, line } = read.place;
    return (0,diagnostic/* diagnosticAt */.R5)({ file, line, path: `results[${index}].${path}` }, `row ${index + 1}: ${path} ${message}`);
}
function repeatedId(read, id, owner) {
    return rowProblem(read, "row_id", `${(0,row_id/* formatUuid */.h)(id)} is also that of row ${owner}; an id may stand once in an upload`);
}
function windowProblems(read, row, window) {
    const found = [];
    for (const field of ["start_time", "end_time"]) {
        const us = (0,timestamp/* parseInstant */.nV)(row.body[field]).us;
        if (us < window.start.us)
            found.push(rowProblem(read, field, `is before experiment_start_time (${row.body[field]} < ${window.start.text})`));
        else if (us > window.end.us)
            found.push(rowProblem(read, field, `is after experiment_end_time (${row.body[field]} > ${window.end.text})`));
    }
    return found;
}
function createProblemList() {
    const kept = [];
    let more = 0;
    return {
        add: (problem) => {
            if (kept.length < MAX_PROBLEMS)
                kept.push(problem);
            else
                more += 1;
        },
        list: () => more === 0 ? kept : [...kept, (0,diagnostic/* diagnosticAt */.R5)({ file: kept[0].file }, `and ${more} more`)],
    };
}
const REWRITTEN = 0, VERBATIM = 1, WITHOUT_ID = 2;
const PIECE_BITS = 12, PIECE = 1 << PIECE_BITS;
function createNumbers() {
    const pieces = [];
    return {
        get: (at) => pieces[at >> PIECE_BITS]?.[at & (PIECE - 1)] ?? 0,
        set: (at, value) => {
            while (pieces.length * PIECE <= at)
                pieces.push(new Int32Array(PIECE));
            pieces[at >> PIECE_BITS][at & (PIECE - 1)] = value;
        },
        bytes: () => pieces.length * PIECE * 4,
    };
}
function createIdentities(addDiagnostic) {
    const ids = (0,row_id/* createIdTable */.YJ)();
    const [counts, owners] = [createNumbers(), createNumbers()];
    const [idOf, exampleOf, repeats, marks] = [
        createNumbers(),
        createNumbers(),
        createNumbers(),
        createNumbers(),
    ];
    const inputs = (0,row_id/* createNameHash */.wq)();
    const scratch = {
        example: new Uint8Array(16),
        repeat: new Uint8Array(16),
        id: new Uint8Array(16),
    };
    let rows = 0;
    const isTaken = (id) => {
        const position = ids.find(id);
        return position !== -1 && owners.get(position) > 0;
    };
    const claim = ({ example, givenId, exampleId, repeat, repeatId, writing, index, }) => {
        const examplePosition = ids.add(example);
        const count = counts.get(examplePosition);
        let k = givenId === null ? (repeat ?? count) : count;
        let id = givenId ??
            (exampleId !== null && !isTaken(exampleId) ? exampleId : k === 0 ? example : repeatId(k));
        for (let next = count; givenId === null && isTaken(id); next += 1) {
            k = next;
            id = k === 0 ? example : repeatId(k);
        }
        const idPosition = ids.add(id);
        const owner = givenId === null ? 0 : owners.get(idPosition);
        owners.set(idPosition, index + 1);
        counts.set(examplePosition, count + 1);
        idOf.set(rows, idPosition);
        exampleOf.set(rows, examplePosition);
        if (k > 0)
            repeats.set(rows, k);
        marks.set(rows, writing);
        rows += 1;
        return owner;
    };
    const add = (read, normal) => {
        let canonical;
        try {
            canonical = (0,canonical_json/* canonicalJson */.d)(normal.content.inputs);
        }
        catch (error) {
            addDiagnostic(rowProblem(read, "inputs", `cannot be written as canonical JSON: ${error.message}`));
            canonical = `(row ${rows})`;
        }
        inputs.write(canonical);
        const { givenId, exampleId, repeat, verbatim } = normal;
        const owner = claim({
            example: inputs.digest(0, scratch.example),
            givenId,
            exampleId,
            repeat,
            repeatId: (k) => inputs.digest(k, scratch.repeat),
            index: read.place.index,
            writing: !verbatim
                ? REWRITTEN
                : givenId === null
                    ? WITHOUT_ID
                    : read.row_id === (0,row_id/* formatUuid */.h)(givenId)
                        ? VERBATIM
                        : REWRITTEN,
        });
        if (owner > 0)
            addDiagnostic(repeatedId(read, givenId, owner));
    };
    const addPlain = ({ example, givenId }, repeatId) => claim({
        example,
        givenId,
        exampleId: null,
        repeat: undefined,
        repeatId,
        writing: givenId === null ? WITHOUT_ID : VERBATIM,
        index: rows,
    });
    const textAt = (position) => (0,row_id/* formatUuid */.h)(ids.read(position, scratch.id));
    const finish = (read, normal, n, layout) => {
        const { start, end } = placeRow(normal, layout);
        return {
            place: read.place,
            k: repeats.get(n),
            example: textAt(exampleOf.get(n)),
            duration_s: normal.durationUs === null ? null : normal.durationUs / 1e6,
            body: toBody(normal, textAt(idOf.get(n)), start, end),
        };
    };
    const fingerprint = () => {
        const prefixes = ids.sortedPrefixes((position) => counts.get(position) > 0);
        return (0,external_node_crypto_.createHash)("sha256")
            .update(new Uint8Array(prefixes.buffer, 0, prefixes.byteLength))
            .digest("hex");
    };
    return {
        add,
        addPlain,
        finish,
        fingerprint,
        writing: (n) => marks.get(n),
        writeId: (n, into, offset) => {
            (0,row_id/* writeUuid */.R3)(ids.read(idOf.get(n), scratch.id), into, offset);
        },
        bytes: () => [ids, counts, owners, idOf, exampleOf, repeats, marks].reduce((sum, part) => sum + part.bytes(), 0),
    };
}
function toBody({ content }, rowIdText, start, end) {
    const body = { row_id: rowIdText, inputs: content.inputs };
    if (content.expected_outputs !== undefined)
        body["expected_outputs"] = content.expected_outputs;
    if (content.actual_outputs !== undefined)
        body["actual_outputs"] = content.actual_outputs;
    if (content.evaluation_scores !== undefined)
        body["evaluation_scores"] = content.evaluation_scores;
    body["start_time"] = start.text;
    body["end_time"] = end.text;
    if (content.run_name !== undefined)
        body["run_name"] = content.run_name;
    if (content.error !== undefined)
        body["error"] = content.error;
    if (content.run_metadata !== undefined)
        body["run_metadata"] = content.run_metadata;
    return body;
}
function placeRow({ start, end, durationUs }, { base, windowStart, givenEnd }) {
    if (start !== null)
        return { start, end: end ?? start };
    if (end !== null)
        return { start: end, end };
    const length = durationUs ?? 0;
    if (givenEnd === null || base.us + length <= givenEnd.us)
        return { start: base, end: later(base, length) };
    const moved = instantAt(Math.max(windowStart.us, givenEnd.us - length));
    return { start: moved, end: later(moved, length) };
}
const MAX_METRICS = 10_000;
function createMeans() {
    const sent = new Map();
    const scored = new Map();
    const count = (into, key, score) => {
        const at = into.get(key);
        if (at !== undefined) {
            at.sum += score;
            at.n += 1;
        }
        else if (into.size < MAX_METRICS)
            into.set(key, { sum: score, n: 1 });
    };
    const means = (of) => Object.fromEntries([...of].map(([key, { sum, n }]) => [key, { mean: sum / n, n }]));
    return {
        add: (scores, failed) => {
            for (const { key, score } of scores)
                if (score !== undefined)
                    count(sent, key, score);
            if (!failed)
                for (const [key, score] of rowScores(scores))
                    count(scored, key, score);
        },
        addPlain: ({ scores, failed }) => {
            for (const { key, score } of scores) {
                count(sent, key, score);
                if (!failed)
                    count(scored, key, score);
            }
        },
        finish: () => ({ sent: means(sent), scores: means(scored) }),
    };
}
function rowScores(scores) {
    const found = new Map();
    let counts;
    for (const { key, score } of scores) {
        if (score === undefined)
            continue;
        const before = found.get(key);
        if (before === undefined) {
            found.set(key, score);
            continue;
        }
        const n = ((counts ??= new Map()).get(key) ?? 1) + 1;
        counts.set(key, n);
        found.set(key, before + (score - before) / n);
    }
    return found;
}


/***/ }),

/***/ 824:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $D: () => (/* binding */ MAX_TEXT_BYTES),
/* harmony export */   Ao: () => (/* binding */ ownString),
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   KF: () => (/* binding */ ownAt),
/* harmony export */   Ri: () => (/* binding */ parseLenientJson),
/* harmony export */   ZV: () => (/* binding */ own),
/* harmony export */   gM: () => (/* binding */ parseLenientBytes),
/* harmony export */   lr: () => (/* binding */ MAX_DEPTH)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);

const MAX_DEPTH = 200;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const STRING_OR_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;
function parseLenientJson(text) {
    let value;
    let bareTokens = false;
    try {
        value = JSON.parse(text);
    }
    catch {
        bareTokens = true;
        try {
            value = JSON.parse(text.replace(STRING_OR_TOKEN, (token) => token.startsWith('"') ? token : token.startsWith("-") ? "-1e999" : "1e999"));
        }
        catch {
            return {
                problem: text.trim() === "" ? "is empty where a JSON value must stand" : "is not valid JSON",
            };
        }
    }
    return isTooDeep(value, MAX_DEPTH)
        ? { problem: `nests deeper than ${MAX_DEPTH} levels` }
        : bareTokens
            ? { value, bareTokens }
            : { value };
}
function parseLenientBytes(bytes) {
    return (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isUtf8)(bytes)
        ? parseLenientJson(bytes.toString("utf8"))
        : { problem: "is not valid UTF-8" };
}
function isTooDeep(value, levels) {
    if (typeof value !== "object" || value === null)
        return false;
    if (levels === 0)
        return true;
    if (Array.isArray(value)) {
        for (const item of value)
            if (isTooDeep(item, levels - 1))
                return true;
        return false;
    }
    for (const key in value)
        if (isTooDeep(value[key], levels - 1))
            return true;
    return false;
}
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function own(value, key) {
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
function ownAt(value, ...keys) {
    return keys.reduce((at, key) => own(at, key), value);
}
function ownString(value, key) {
    const found = own(value, key);
    return typeof found === "string" ? found : undefined;
}


/***/ }),

/***/ 3798:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cp: () => (/* binding */ readUuid),
/* harmony export */   R3: () => (/* binding */ writeUuid),
/* harmony export */   Xw: () => (/* binding */ parseUuid),
/* harmony export */   YJ: () => (/* binding */ createIdTable),
/* harmony export */   h: () => (/* binding */ formatUuid),
/* harmony export */   wq: () => (/* binding */ createNameHash)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
const NAME_OFFSET = 16, NAME_TAIL = 24;
const MAX_SPARE = 1024 * 1024;
function createNameHash(namespace = NAMESPACE) {
    let buffer = Buffer.allocUnsafeSlow(4096);
    let ended = NAME_OFFSET;
    buffer.set(namespace, 0);
    const room = (bytes) => {
        const needed = NAME_OFFSET + bytes + NAME_TAIL;
        if (needed > buffer.length) {
            buffer = Buffer.allocUnsafeSlow(needed < MAX_SPARE ? 2 * needed : needed);
            buffer.set(namespace, 0);
        }
        return buffer;
    };
    const write = (name) => {
        room(Buffer.byteLength(name));
        ended = NAME_OFFSET + buffer.write(name, NAME_OFFSET, "utf8");
    };
    const digest = (k, into) => {
        const tail = k === 0 ? 0 : buffer.write(`\n${k}`, ended, "latin1");
        const sha1 = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)("sha1", buffer.subarray(0, ended + tail), "binary");
        for (let index = 0; index < 16; index += 1)
            into[index] = sha1.charCodeAt(index);
        into[6] = (into[6] & 0x0f) | 0x50;
        into[8] = (into[8] & 0x3f) | 0x80;
        return into;
    };
    return {
        room,
        offset: NAME_OFFSET,
        end: (at) => {
            ended = at;
        },
        write,
        digest,
    };
}
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
function parseUuid(text) {
    return typeof text === "string" && UUID.test(text)
        ? Buffer.from(text.replaceAll("-", ""), "hex")
        : null;
}
function readUuid(octets, from, into) {
    let half = 0;
    for (let index = 0; index < 36; index += 1) {
        const byte = octets[from + index];
        if (index === 8 || index === 13 || index === 18 || index === 23) {
            if (byte !== HYPHEN)
                return false;
            continue;
        }
        const digit = byte >= 48 && byte <= 57 ? byte - 48 : byte >= 97 && byte <= 102 ? byte - 87 : -1;
        if (digit < 0)
            return false;
        into[half >> 1] = (half & 1) === 0 ? digit << 4 : into[half >> 1] | digit;
        half += 1;
    }
    return true;
}
const HYPHEN = 45;
const HEX = Buffer.from("0123456789abcdef");
function writeUuid(id, into, offset) {
    let at = offset;
    for (let index = 0; index < 16; index += 1) {
        if (index === 4 || index === 6 || index === 8 || index === 10)
            into[at++] = HYPHEN;
        into[at++] = HEX[id[index] >> 4];
        into[at++] = HEX[id[index] & 15];
    }
}
function formatUuid(bytes) {
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
function mix(words) {
    let h = 0;
    for (let word = 0; word < 4; word += 1) {
        h = Math.imul(h ^ words[word], 0x9e3779b1);
        h ^= h >>> 15;
    }
    h = Math.imul(h, 0x85ebca6b);
    return (h ^ (h >>> 13)) >>> 0;
}
const PIECE_BITS = 12, PIECE = 1 << PIECE_BITS;
function createIdTable() {
    let size = 0;
    let slots = new Int32Array(1024);
    const pieces = [];
    const words = new Uint32Array(4);
    const load = (id) => {
        for (let word = 0; word < 4; word += 1)
            words[word] =
                (id[word * 4] << 24) |
                    (id[word * 4 + 1] << 16) |
                    (id[word * 4 + 2] << 8) |
                    id[word * 4 + 3];
    };
    const findSlot = () => {
        const mask = slots.length - 1;
        let slot = mix(words) & mask;
        for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
            const position = slots[slot] - 1;
            const keys = pieces[position >> PIECE_BITS];
            const at = (position & (PIECE - 1)) * 4;
            if (keys[at] === words[0] &&
                keys[at + 1] === words[1] &&
                keys[at + 2] === words[2] &&
                keys[at + 3] === words[3])
                return slot;
        }
        return slot;
    };
    const grow = () => {
        slots = new Int32Array(slots.length * 2);
        const loaded = words.slice();
        for (let position = 0; position < size; position += 1) {
            const keys = pieces[position >> PIECE_BITS];
            for (let word = 0; word < 4; word += 1)
                words[word] = keys[(position & (PIECE - 1)) * 4 + word];
            slots[findSlot()] = position + 1;
        }
        words.set(loaded);
    };
    const add = (id) => {
        if (4 * size >= 3 * slots.length)
            grow();
        load(id);
        const slot = findSlot();
        if (slots[slot] !== 0)
            return slots[slot] - 1;
        if ((size & (PIECE - 1)) === 0)
            pieces.push(new Uint32Array(4 * PIECE));
        pieces.at(-1).set(words, (size & (PIECE - 1)) * 4);
        size += 1;
        slots[slot] = size;
        return size - 1;
    };
    const read = (position, into) => {
        const keys = pieces[position >> PIECE_BITS];
        for (let byte = 0; byte < 16; byte += 1)
            into[byte] = keys[(position & (PIECE - 1)) * 4 + (byte >> 2)] >>> (24 - 8 * (byte & 3));
        return into;
    };
    const sortedPrefixes = (wanted) => {
        const halves = new Uint32Array(2 * size);
        let count = 0;
        for (let position = 0; position < size; position += 1) {
            if (!wanted(position))
                continue;
            const keys = pieces[position >> PIECE_BITS];
            halves[2 * count] = keys[(position & (PIECE - 1)) * 4 + 1];
            halves[2 * count + 1] = keys[(position & (PIECE - 1)) * 4];
            count += 1;
        }
        return new BigUint64Array(halves.buffer, 0, count).sort();
    };
    return {
        find: (id) => {
            load(id);
            return slots[findSlot()] - 1;
        },
        add,
        read,
        size: () => size,
        sortedPrefixes,
        bytes: () => slots.byteLength + pieces.length * 16 * PIECE,
    };
}


/***/ }),

/***/ 9030:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EB: () => (/* binding */ createRowNotes),
/* harmony export */   I9: () => (/* binding */ renderRowNotes),
/* harmony export */   We: () => (/* binding */ cleanJson)
/* harmony export */ });
function createRowNotes() {
    return {
        unscored: 0,
        wrapped: 0,
        withoutTime: 0,
        withoutDuration: 0,
        notFinite: 0,
        unsafeIntegers: 0,
        untypedConfigs: 0,
        longKeys: createBoundedSet(),
        unknownFields: createBoundedSet(),
    };
}
function createBoundedSet() {
    const names = new Set();
    const add = names.add.bind(names);
    names.add = (name) => (names.size < 20 ? add(name) : names);
    return names;
}
const rows = (count) => (count === 1 ? "1 row" : `${count} rows`);
function renderRowNotes(notes) {
    const lines = [];
    if (notes.unscored > 0)
        lines.push(`${notes.unscored === 1 ? "1 score is" : `${notes.unscored} scores are`} missing, NaN or infinite: unscored, not sent, in no mean`);
    if (notes.withoutTime > 0)
        lines.push(`${rows(notes.withoutTime)} without a time: the file's own time is the start`);
    if (notes.withoutDuration > 0)
        lines.push(`${rows(notes.withoutDuration)} without a duration: the end is the start, so the latency shown is 0`);
    if (notes.wrapped > 0)
        lines.push(`${notes.wrapped === 1 ? "1 value is" : `${notes.wrapped} values are`} no object where the service wants one: wrapped as {"input": …}, {"output": …} or {"value": …}`);
    if (notes.notFinite > 0)
        lines.push(`${notes.notFinite === 1 ? "1 number" : `${notes.notFinite} numbers`} outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null`);
    if (notes.unsafeIntegers > 0)
        lines.push(`${notes.unsafeIntegers === 1 ? "1 integer is" : `${notes.unsafeIntegers} integers are`} beyond 2^53 and sent rounded; write them as text`);
    if (notes.untypedConfigs > 0)
        lines.push("a feedback_config has no type; the hosted service requires one");
    for (const key of notes.longKeys)
        lines.push(`feedback key "${key}…" is longer than 180 characters, which the hosted service refuses`);
    for (const name of notes.unknownFields)
        lines.push(`there is no field ${name}; it is not sent`);
    return lines;
}
function cleanJson(value, notes) {
    if (typeof value === "number") {
        if (!Number.isFinite(value)) {
            if (notes)
                notes.notFinite += 1;
            return null;
        }
        if (notes && Number.isInteger(value) && !Number.isSafeInteger(value))
            notes.unsafeIntegers += 1;
        return value;
    }
    if (typeof value !== "object" || value === null)
        return value;
    if (Array.isArray(value)) {
        let copy;
        for (let index = 0; index < value.length; index += 1) {
            const clean = value[index] === undefined ? null : cleanJson(value[index], notes);
            if (clean !== value[index])
                (copy ??= [...value])[index] = clean;
        }
        return copy ?? value;
    }
    let changed;
    for (const key of Object.keys(value)) {
        const before = value[key];
        const clean = cleanJson(before, notes);
        if (clean !== before || clean === undefined)
            (changed ??= []).push([key, clean]);
    }
    if (changed === undefined)
        return value;
    const replaced = new Map(changed);
    return Object.fromEntries(Object.entries(value)
        .map(([key, old]) => [key, replaced.has(key) ? replaced.get(key) : old])
        .filter(([, kept]) => kept !== undefined));
}


/***/ }),

/***/ 1375:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  ez: () => (/* binding */ FEEDBACK_FIELDS),
  WY: () => (/* binding */ HEADER_FIELDS),
  dC: () => (/* binding */ ROW_FIELDS)
});

// UNUSED EXPORTS: ExperimentBody, Feedback, HeaderBody, RowBody

// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(2857);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js
var api = __webpack_require__(3759);
;// CONCATENATED MODULE: ./node_modules/zod/v4/classic/iso.js



function datetime(params) {
    return api/* _isoDateTime */.G1(schemas/* ZodISODateTime */.You, params);
}
function date(params) {
    return core._isoDate(ZodISODate, params);
}
function time(params) {
    return core._isoTime(ZodISOTime, params);
}
function duration(params) {
    return core._isoDuration(ZodISODuration, params);
}

;// CONCATENATED MODULE: ./build/experiment/row.js

const FreeObject = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* json */.Pq9());
const DateTime = datetime({ offset: true });
const Feedback = schemas/* strictObject */.rej({
    key: schemas/* string */.YjP().min(1),
    score: schemas/* number */.aig().optional(),
    value: schemas/* string */.YjP().optional(),
    comment: schemas/* string */.YjP().optional(),
    feedback_source: schemas/* looseObject */._H3({ type: schemas/* string */.YjP() }).optional(),
    feedback_config: schemas/* strictObject */.rej({
        type: schemas/* enum */.k5n(["continuous", "categorical", "freeform"]).optional(),
        min: schemas/* number */.aig().optional(),
        max: schemas/* number */.aig().optional(),
        categories: schemas/* array */.YOg(schemas/* strictObject */.rej({ value: schemas/* number */.aig(), label: schemas/* string */.YjP().optional() }))
            .optional(),
    })
        .optional(),
    created_at: DateTime.optional(),
    modified_at: DateTime.optional(),
    correction: schemas/* union */.KCZ([schemas/* string */.YjP(), FreeObject]).optional(),
});
const RowBody = schemas/* strictObject */.rej({
    row_id: schemas/* guid */.OsD(),
    inputs: FreeObject,
    expected_outputs: FreeObject.optional(),
    actual_outputs: FreeObject.optional(),
    evaluation_scores: schemas/* array */.YOg(Feedback).optional(),
    start_time: DateTime,
    end_time: DateTime,
    run_name: schemas/* string */.YjP().optional(),
    error: schemas/* string */.YjP().optional(),
    run_metadata: FreeObject.optional(),
});
const HeaderBody = schemas/* strictObject */.rej({
    experiment_name: schemas/* string */.YjP().min(1),
    experiment_description: schemas/* string */.YjP().optional(),
    experiment_start_time: DateTime,
    experiment_end_time: DateTime,
    dataset_id: schemas/* guid */.OsD().optional(),
    dataset_name: schemas/* string */.YjP().min(1).optional(),
    dataset_description: schemas/* string */.YjP().optional(),
    experiment_metadata: FreeObject.optional(),
    summary_experiment_scores: schemas/* array */.YOg(Feedback).optional(),
});
const ExperimentBody = HeaderBody.extend({ results: schemas/* array */.YOg(RowBody) });
const HEADER_FIELDS = Object.keys(HeaderBody.shape);
const ROW_FIELDS = Object.keys(RowBody.shape);
const FEEDBACK_FIELDS = Object.keys(Feedback.shape);


/***/ }),

/***/ 1591:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   z: () => (/* binding */ toGateTable)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _lenient_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(824);
/* harmony import */ var _index_pass_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4961);



const PREVIEW_CHARS = 200;
const TAG_CHARS = 200;
const MAX_TAGS = 64;
async function toGateTable(experiments) {
    const rows = [];
    for (const experiment of experiments) {
        for await (const batch of experiment.batches())
            for (const row of batch)
                rows.push(toGateRow(row));
    }
    const first = experiments[0];
    const states = experiments.map(({ state }) => state);
    return {
        file: [...new Set(experiments.map(({ file }) => file))].join(", "),
        rows,
        state: states.includes("cancelled")
            ? "cancelled"
            : states.includes("incomplete") || first === undefined
                ? "incomplete"
                : "complete",
        commit: first?.commit ?? null,
        created_at: first?.created_at ?? null,
        judge: first?.judge ?? null,
    };
}
function toGateRow(row) {
    const { body } = row;
    const error = body.error !== undefined;
    return {
        example: row.example,
        scores: error ? {} : Object.fromEntries((0,_index_pass_js__WEBPACK_IMPORTED_MODULE_2__/* .rowScores */ .M1)(body.evaluation_scores ?? [])),
        error,
        latency: row.duration_s,
        tags: toTags(body),
        preview: {
            input: toPreview(body.inputs),
            expected: toPreview(body.expected_outputs),
            output: toPreview(body.actual_outputs),
        },
    };
}
function toTags(body) {
    const tags = [];
    const add = (name, value, depth) => {
        if (tags.length >= MAX_TAGS)
            return;
        if ((0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value)) {
            if (depth < 4)
                for (const key of Object.keys(value))
                    add(`${name}.${key}`, value[key], depth + 1);
        }
        else if (typeof value === "string")
            tags.push([
                name,
                value.length <= TAG_CHARS
                    ? value
                    : `${flat(value.slice(0, 80))}…${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(value).digest("hex").slice(0, 16)}`,
            ]);
        else if (typeof value === "number" || typeof value === "boolean")
            tags.push([name, String(value)]);
    };
    add("inputs", body.inputs, 0);
    add("run_metadata", body.run_metadata, 0);
    const own = (0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(body.run_metadata) ? body.run_metadata["metadata"] : undefined;
    if ((0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(own))
        for (const key of Object.keys(own))
            if (body.run_metadata?.[key] === undefined)
                add(`run_metadata.${key}`, own[key], 1);
    return Object.fromEntries(tags);
}
function toPreview(value) {
    if (!(0,_lenient_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value))
        return "";
    const values = Object.values(value);
    const alone = values.length === 1 ? values[0] : undefined;
    const text = typeof alone === "string" ? alone : JSON.stringify(alone ?? value);
    return text.length <= PREVIEW_CHARS ? text : `${flat(text.slice(0, PREVIEW_CHARS - 1))}…`;
}
function flat(text) {
    return Buffer.from(text.replace(/[\uD800-\uDBFF]$/, ""), "utf16le").toString("utf16le");
}


/***/ }),

/***/ 9366:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Wr: () => (/* binding */ readInstant),
/* harmony export */   nV: () => (/* binding */ parseInstant),
/* harmony export */   r4: () => (/* binding */ formatInstant)
/* harmony export */ });
const SHAPE = /^(\d{4})-(\d\d)-(\d\d)(?:([Tt ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;
function parseInstant(value) {
    if (typeof value === "number")
        return fromEpoch(value);
    if (typeof value !== "string" || value.length > 40)
        return null;
    return parseUsual(value) ?? parseAny(value);
}
function parseUsual(text) {
    if ((text.length !== 20 && text.length !== 24) ||
        text[10] !== "T" ||
        text[text.length - 1] !== "Z" ||
        text[19] !== (text.length === 20 ? "Z" : "."))
        return null;
    const ms = Date.parse(text);
    return Number.isNaN(ms) ||
        (text[8] !== "0" && text[8] !== "1" && new Date(ms).getUTCDate() !== Number(text.slice(8, 10)))
        ? null
        : { us: ms * 1000, text };
}
function parseAny(value) {
    const match = SHAPE.exec(value.trim());
    if (match === null)
        return null;
    const [, year, month, day, separator, hour = "00", minute = "00", second = "00", fraction = "", zone,] = match;
    const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
    const date = new Date(midnight);
    if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1)
        return null;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
        return null;
    const offset = offsetMinutes(zone);
    if (offset === null)
        return null;
    const us = (midnight + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000) *
        1000 +
        Number(fraction.padEnd(6, "0").slice(0, 6));
    const plain = separator === "T" &&
        zone !== undefined &&
        zone !== "z" &&
        match[7] !== undefined &&
        !value.includes(",") &&
        (zone === "Z" || zone.length === 6);
    return { us, text: plain ? value : formatInstant(us) };
}
function offsetMinutes(zone) {
    if (zone === undefined || zone === "Z" || zone === "z")
        return 0;
    const hours = Number(zone.slice(1, 3));
    const minutes = Number(zone.slice(3).replace(":", "") || "0");
    if (hours > 23 || minutes > 59)
        return null;
    return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
function fromEpoch(value) {
    if (!Number.isFinite(value) || value <= 0)
        return null;
    const us = Math.round(value > 1e14 ? value : value > 2e10 ? value * 1000 : value * 1e6);
    return us > 253402300799e6 ? null : { us, text: formatInstant(us) };
}
function formatInstant(us) {
    const ms = Math.floor(us / 1000);
    const rest = us - ms * 1000;
    const text = new Date(ms).toISOString();
    return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
}
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_US = 86_400e6;
function readTwo(octets, at) {
    const tens = octets[at] - 48;
    const ones = octets[at + 1] - 48;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
function daysTo(year, month, day) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    if (!(day >= 1 && day <= (month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0))))
        return Number.NaN;
    const from = month > 2 ? year : year - 1;
    const ordinal = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
    return (365 * from +
        Math.floor(from / 4) -
        Math.floor(from / 100) +
        Math.floor(from / 400) +
        ordinal -
        719_468);
}
function readInstant(octets, from, to) {
    if (to - from < 20 ||
        octets[from + 4] !== 45 ||
        octets[from + 7] !== 45 ||
        octets[from + 10] !== 84 ||
        octets[from + 13] !== 58 ||
        octets[from + 16] !== 58)
        return Number.NaN;
    const year = readTwo(octets, from) * 100 + readTwo(octets, from + 2);
    const hour = readTwo(octets, from + 11);
    const minute = readTwo(octets, from + 14);
    const second = readTwo(octets, from + 17);
    if (!(year >= 1000 && hour <= 23 && minute <= 59 && second <= 59))
        return Number.NaN;
    let at = from + 19;
    let us = ((hour * 60 + minute) * 60 + second) * 1e6;
    if (octets[at] === 46) {
        const fraction = at + 1;
        let unit = 100_000;
        for (at = fraction; octets[at] >= 48 && octets[at] <= 57; at += 1) {
            us += (octets[at] - 48) * unit;
            unit = Math.trunc(unit / 10);
        }
        if (at === fraction || at - fraction > 9)
            return Number.NaN;
    }
    if (octets[at] === 90)
        return at + 1 === to
            ? daysTo(year, readTwo(octets, from + 5), readTwo(octets, from + 8)) * DAY_US + us
            : Number.NaN;
    const hours = readTwo(octets, at + 1);
    const minutes = readTwo(octets, at + 4);
    if ((octets[at] !== 43 && octets[at] !== 45) ||
        octets[at + 3] !== 58 ||
        at + 6 !== to ||
        !(hours <= 23 && minutes <= 59))
        return Number.NaN;
    const offset = (hours * 60 + minutes) * 60e6;
    return (daysTo(year, readTwo(octets, from + 5), readTwo(octets, from + 8)) * DAY_US +
        us +
        (octets[at] === 43 ? -offset : offset));
}


/***/ }),

/***/ 8675:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Jn: () => (/* binding */ toGatedReport),
  st: () => (/* binding */ uploadExperiments)
});

// UNUSED EXPORTS: checkUploads

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./build/experiment/experiment.js + 23 modules
var experiment_experiment = __webpack_require__(7189);
;// CONCATENATED MODULE: ./build/experiment/body.js

const CHUNK_BYTES = 64 * 1024;
const TURNS = 8;
async function* streamBody(experiment, header, how = {}) {
    const writer = createChunks();
    const at = { rows: 0, bytes: 0 };
    yield* writer.add(Buffer.from(`${JSON.stringify(header).slice(0, -1)},"results":[`));
    for await (const { bytes, rows } of how.trim === undefined
        ? experiment.texts()
        : (0,experiment_experiment/* joinRows */.U5)(experiment.batches(), how.trim.apply)) {
        if (at.rows > 0)
            yield* writer.add(COMMA);
        yield* writer.add(bytes);
        at.bytes += bytes.length + 1;
        at.rows += rows;
        how.onProgress?.({ ...at });
    }
    yield* writer.add(Buffer.from("]}"));
    const last = writer.rest();
    if (last.length > 0)
        yield last;
}
const COMMA = Buffer.from(",");
function createChunks() {
    const turns = [];
    let turn = 0;
    const nextChunk = () => {
        turn = (turn + 1) % TURNS;
        return (turns[turn] ??= Buffer.allocUnsafeSlow(CHUNK_BYTES));
    };
    let chunk = nextChunk();
    let length = 0;
    function* add(piece) {
        for (let at = 0; at < piece.length;) {
            const part = piece.subarray(at, at + CHUNK_BYTES - length);
            chunk.set(part, length);
            length += part.length;
            at += part.length;
            if (length < CHUNK_BYTES)
                continue;
            yield chunk;
            chunk = nextChunk();
            length = 0;
        }
    }
    return { add, rest: () => chunk.subarray(0, length) };
}
function renderBytes(bytes) {
    return bytes < 1000
        ? `${bytes} B`
        : bytes < 1e6
            ? `${(bytes / 1000).toFixed(1)} kB`
            : `${(bytes / 1e6).toFixed(1)} MB`;
}

// EXTERNAL MODULE: ./build/experiment/diagnostic.js
var diagnostic = __webpack_require__(2123);
// EXTERNAL MODULE: ./build/experiment/checks.js
var checks = __webpack_require__(3025);
;// CONCATENATED MODULE: ./build/experiment/naming.js


const UPLOAD_ID_KEY = "upload_id";
const MAX_NAME_CHARS = 200;
function prepareUploads(experiments, how) {
    const problems = [];
    const uploads = experiments.map((experiment) => {
        const uploadId = how.createId();
        const { header, problems: found } = toHeader(experiment, { ...how, uploadId });
        problems.push(...found);
        if (experiment.rowCount === 0)
            problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: experiment.file, path: "results" }, "results is empty: there are no rows to upload; check that the run wrote them"));
        return { experiment, uploadId, header };
    });
    const names = new Map();
    for (const { experiment, header } of uploads) {
        const before = names.get(header.experiment_name);
        if (before !== undefined)
            problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: experiment.file, path: "experiment_name" }, `experiment_name "${header.experiment_name}" is also that of ${before}; names are unique in the service, so leave experiment-name out or upload one file`));
        names.set(header.experiment_name, experiment.label === "" ? experiment.file : `${experiment.file} (${experiment.label})`);
    }
    return { uploads, problems };
}
function toHeader(experiment, how) {
    const { overrides, context, uploadId } = how;
    const wanted = Object.fromEntries(Object.entries({
        experiment_name: overrides.experimentName,
        experiment_description: overrides.experimentDescription,
        experiment_metadata: overrides.experimentMetadata,
        dataset_name: overrides.datasetName,
        dataset_id: overrides.datasetId,
        dataset_description: overrides.datasetDescription,
    }).filter(([, value]) => value !== undefined && value !== ""));
    const { header: input, problems } = (0,checks/* checkHeader */.e)("inputs", wanted, false);
    const given = experiment.given;
    const dataset = input.dataset_id !== undefined || input.dataset_name !== undefined
        ? { dataset_id: input.dataset_id, dataset_name: input.dataset_name }
        : given.dataset_id !== undefined || given.dataset_name !== undefined
            ? { dataset_id: given.dataset_id, dataset_name: given.dataset_name }
            : { dataset_id: undefined, dataset_name: defaultDatasetName(experiment, context) };
    const header = {
        experiment_name: input.experiment_name ??
            given.experiment_name ??
            defaultExperimentName(experiment, context, uploadId),
        experiment_description: input.experiment_description ?? given.experiment_description,
        experiment_start_time: experiment.window.start.text,
        experiment_end_time: experiment.window.end.text,
        ...dataset,
        dataset_description: input.dataset_description ?? given.dataset_description,
        experiment_metadata: {
            ...ownMetadata(experiment, context),
            ...experiment.metadata,
            ...given.experiment_metadata,
            ...input.experiment_metadata,
            [UPLOAD_ID_KEY]: uploadId,
        },
        summary_experiment_scores: given.summary_experiment_scores,
    };
    return {
        header: Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined)),
        problems,
    };
}
function ownMetadata(experiment, context) {
    const entries = [
        ["commit", experiment.commit ?? context.commit],
        ["repository", context.repository],
        ["run_id", context.runId],
        ["run_attempt", context.runAttempt],
        ["run_url", context.runUrl],
        ["job", context.job],
        ["matrix", matrixWords(context.matrix)],
        ["deployment_id", context.deploymentId],
        ["revision_id", context.revisionId],
        ["tool", context.tool],
        ["format", experiment.format],
        ["dataset_fingerprint", experiment.fingerprint],
    ];
    return Object.fromEntries(entries.filter((entry) => entry[1] !== null && entry[1] !== ""));
}
function matrixWords(matrix) {
    if (matrix.trim() === "" || matrix.trim() === "null")
        return "";
    try {
        const parsed = JSON.parse(matrix);
        if (typeof parsed !== "object" || parsed === null)
            return String(parsed);
        return Object.values(parsed)
            .map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)))
            .join(" ");
    }
    catch {
        return matrix.trim();
    }
}
function defaultExperimentName(experiment, context, uploadId) {
    const run = context.runId === ""
        ? ""
        : context.runAttempt === ""
            ? context.runId
            : `${context.runId}.${context.runAttempt}`;
    const tail = [
        context.commit.slice(0, 7),
        run,
        context.job,
        matrixWords(context.matrix),
        uploadId.slice(0, 8),
    ]
        .filter((part) => part !== "")
        .map(plainWords)
        .join("-");
    const suite = [experiment.suite, experiment.label]
        .filter((part) => part !== "")
        .map(plainWords)
        .join("-");
    return `${cut(suite, Math.max(20, MAX_NAME_CHARS - tail.length - 1))}-${cut(tail, MAX_NAME_CHARS - 21)}`;
}
function defaultDatasetName(experiment, context) {
    return cut([context.repository, plainWords(experiment.suite)].filter((part) => part !== "").join("/"), MAX_NAME_CHARS);
}
function plainWords(text) {
    return text.replace(/[\s\p{C}]+/gu, " ").trim();
}
function cut(text, maxChars) {
    return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

// EXTERNAL MODULE: ./build/experiment/lenient-json.js
var lenient_json = __webpack_require__(824);
;// CONCATENATED MODULE: ./build/experiment/read-back.js

const DELAYS_MS = [100, 250, 500, 1000, 2000, 3000, 5000];
const LIMIT_MS = 15_000;
const LIMIT_PER_ROW_MS = 0.5;
const MOST_MS = 60_000;
const UNKNOWN_LIMIT_MS = 4_000;
const TOLERANCE = 1e-4;
async function readBack(experiment, id, how) {
    const { tracing, clock } = how;
    const begun = clock.monotonic();
    const limitMs = how.limitMs ?? Math.min(MOST_MS, LIMIT_MS + LIMIT_PER_ROW_MS * experiment.rowCount);
    let session = null;
    let failure = "";
    for (let turn = 0;; turn += 1) {
        try {
            session = (await tracing.getSession(id)) ?? session;
            if (session !== null && differences(experiment, session).length === 0)
                return { session, warnings: [] };
            failure = "";
        }
        catch (error) {
            failure = error.message;
        }
        const delay = DELAYS_MS[Math.min(turn, DELAYS_MS.length - 1)];
        if (clock.monotonic() + delay >
            begun + (session === null && failure === "" ? Math.min(limitMs, UNKNOWN_LIMIT_MS) : limitMs))
            break;
        try {
            await clock.sleep(delay, how.signal);
        }
        catch {
            return { session, warnings: ["the run was cancelled before the statistics were read back"] };
        }
    }
    if (failure !== "")
        return {
            session,
            warnings: [`the experiment is uploaded, but could not be read back: ${failure}`],
        };
    if (session === null)
        return {
            session,
            warnings: ["the experiment is uploaded, but the service does not find it yet"],
        };
    return { session, warnings: differences(experiment, session) };
}
function differences(experiment, session) {
    if (session.run_count === null)
        return [
            "the service has no statistics of the experiment yet; row count and means are not compared",
        ];
    const found = [];
    if (session.run_count !== experiment.rowCount)
        found.push(`the service counts ${session.run_count} rows, the file has ${experiment.rowCount}`);
    const stats = (0,lenient_json/* own */.ZV)(session.body, "feedback_stats");
    for (const [key, { mean, n }] of Object.entries(experiment.sent)) {
        const stat = (0,lenient_json/* own */.ZV)(stats, key);
        if (!(0,lenient_json/* isObject */.Gv)(stat)) {
            found.push(`the service has no statistics of ${key}, of which ${n} scores were sent`);
            continue;
        }
        const [count, average] = [(0,lenient_json/* own */.ZV)(stat, "n"), (0,lenient_json/* own */.ZV)(stat, "avg")];
        if (typeof count === "number" && count !== n)
            found.push(`the service counts ${count} scores of ${key}, ${n} were sent`);
        else if (typeof average === "number" &&
            Math.abs(average - mean) > TOLERANCE * Math.max(1, Math.abs(mean)))
            found.push(`the service's mean of ${key} is ${average}, ours ${mean}`);
    }
    return found;
}

// EXTERNAL MODULE: ./build/experiment/row-id.js
var row_id = __webpack_require__(3798);
;// CONCATENATED MODULE: ./build/experiment/sending.js


const MOST_SENDS = 5;
const LOOKUP_DELAYS_MS = [0, 1000, 2000, 4000, 8000];
const LATER_LOOKUP_DELAYS_MS = [0, 1000, 3000];
async function sendUpload(upload, sending) {
    const name = upload.header.experiment_name;
    for (let sends = 1;; sends += 1) {
        const { result, broken } = await sendOnce(sending);
        if (broken !== null)
            return {
                state: "refused",
                status: 0,
                error: new Error(`${broken.message}; the upload was broken off`),
            };
        if (result.state === "taken")
            return {
                state: "stored",
                session: result.reply.experiment,
                dataset: result.reply.dataset,
                sends,
                warnings: resendWarnings(sends),
            };
        const conflict = result.state === "refused" && result.status === 409;
        if (result.state === "refused" && !conflict && sends === 1)
            return result;
        sending.progress(`${name}: ${conflict ? "the name exists" : result.state === "unknown" ? "the answer was lost" : "refused, after an answer that was lost"}; looking whether the experiment is ours`);
        const seen = await lookRepeatedly(upload, sending, conflict, sends === 1 || conflict ? LOOKUP_DELAYS_MS : LATER_LOOKUP_DELAYS_MS);
        if (seen.state === "ours")
            return {
                state: "stored",
                session: seen.session,
                dataset: null,
                sends,
                warnings: resendWarnings(sends),
            };
        const unknown = (why, next = findOut(name)) => ({
            state: "unknown",
            message: `${result.error.message} ${why} ${next}`,
        });
        if (seen.state === "unreadable")
            return unknown(seen.why);
        if (seen.state === "others")
            return unknown(`The experiment of that name does not carry this upload's id (${upload.uploadId}): it is another's, and nothing of this upload is known to be stored.`, "Leave experiment-name out, or choose one that is new.");
        if (conflict)
            return unknown("The name is taken, but the service shows no experiment of that name.", `${findOut(name)} A deployment's tracing project takes its name too: then choose another experiment-name.`);
        if (result.state === "refused")
            return result;
        if (sends === MOST_SENDS)
            return unknown(`It was sent ${sends} times, and after each the service was read and did not have it.`);
        sending.progress(`${name}: the service does not have it: sending again (${sends + 1} of at most ${MOST_SENDS})`);
    }
}
const findOut = (name) => `Look for "${name}" in the service; where it is not there, run the step again.`;
function resendWarnings(sends) {
    return sends === 1
        ? []
        : [`sent ${sends} times: after each lost answer the service was read and did not have it`];
}
async function sendOnce({ tracing, toBody, signal, }) {
    let broken = null;
    async function* body() {
        try {
            yield* toBody();
        }
        catch (error) {
            if (error instanceof diagnostic/* DiagnosticError */.uo)
                broken = error;
            throw error;
        }
    }
    if (signal?.aborted)
        return {
            result: { state: "refused", status: 0, error: new Error("cancelled before it was sent") },
            broken,
        };
    const result = await tracing
        .uploadExperiment(body)
        .catch((error) => ({ state: "unknown", error: error }));
    return { result, broken };
}
async function lookRepeatedly(upload, { tracing, clock, signal }, conflict, delaysMs) {
    for (const delayMs of delaysMs) {
        try {
            if (delayMs > 0)
                await clock.sleep(delayMs, signal);
            signal?.throwIfAborted();
            const found = await tracing.findSessionsByName(upload.header.experiment_name);
            if (found.state === "absent-lookup")
                return {
                    state: "unreadable",
                    why: "Whether the experiment was stored is unknown: the service cannot be asked by name.",
                };
            const ours = found.items.find((session) => isOf(upload, session));
            if (ours !== undefined)
                return { state: "ours", session: ours };
            if (conflict && found.items.length > 0)
                return { state: "others" };
        }
        catch (error) {
            if (signal?.aborted)
                return {
                    state: "unreadable",
                    why: "Whether the experiment was stored is unknown: the run was cancelled while it looked.",
                };
            return {
                state: "unreadable",
                why: `Whether the experiment was stored is unknown, the lookup failed as well: ${error.message}`,
            };
        }
    }
    return { state: "none" };
}
function isOf({ uploadId }, session) {
    return session.metadata[UPLOAD_ID_KEY] === uploadId;
}
async function findDuplicates(upload, stored, { tracing, clock, signal }) {
    const name = upload.header.experiment_name;
    const unknown = (why) => ({
        state: "unknown",
        message: `It is stored as ${stored.session.id}, but it was sent ${stored.sends} times, and whether an earlier copy is stored as well is unknown: ${why} Look for "${name}" in the service, and delete all but one.`,
    });
    try {
        for (const delayMs of LOOKUP_DELAYS_MS) {
            if (delayMs > 0)
                await clock.sleep(delayMs, signal);
            const found = await tracing.findSessionsByName(name);
            if (found.state === "absent-lookup")
                return unknown("the service cannot be asked by name.");
            const ids = found.items.filter((session) => isOf(upload, session)).map(({ id }) => id);
            if (ids.length > 1)
                return {
                    state: "failed",
                    message: `The service holds this upload ${ids.length} times (${ids.join(", ")}): it was sent ${stored.sends} times, and an earlier copy was stored late. Their rows are the same: delete all but one.`,
                };
            if (ids[0] === stored.session.id)
                return null;
        }
        return unknown("the service's list does not show it yet.");
    }
    catch (error) {
        return unknown(signal?.aborted ? "the run was cancelled while it looked." : error.message);
    }
}

// EXTERNAL MODULE: ./build/experiment/row.js + 1 modules
var experiment_row = __webpack_require__(1375);
;// CONCATENATED MODULE: ./build/experiment/exclusion.js

const DROPPABLE = [
    "expected_outputs",
    "actual_outputs",
    "evaluation_scores",
    "run_name",
    "run_metadata",
];
const CUTTABLE = [
    "inputs",
    "expected_outputs",
    "actual_outputs",
    "evaluation_scores",
    "run_metadata",
    "error",
];
const NESTED = ["inputs", "expected_outputs", "actual_outputs", "run_metadata"];
function parseDrop(entries) {
    const rules = [];
    const problems = [];
    for (const entry of entries) {
        const at = entry.indexOf(":");
        const length = at < 0 ? null : entry.slice(at + 1).trim();
        const rule = {
            entry,
            path: (at < 0 ? entry : entry.slice(0, at)).trim(),
            maxChars: length === null ? null : Number(length),
        };
        const wrong = problemOf(rule, length);
        if (wrong === null)
            rules.push(rule);
        else
            problems.push((0,diagnostic/* diagnosticAt */.R5)({ file: "inputs", path: "drop" }, `drop: ${wrong}`));
    }
    return { rules, problems };
}
function problemOf({ entry, path, maxChars }, length) {
    const [field = "", ...below] = path.split(".");
    const meant = /^([^<>:]+)>\s*(\d+)$/.exec(entry);
    if (meant !== null)
        return `"${entry}" is no field; write ${meant[1].trim()}:${meant[2]} to cut its texts after ${meant[2]} characters`;
    if (below.some((name) => name === ""))
        return `"${entry}": a name is missing beside a dot`;
    if (maxChars === null) {
        const cut = CUTTABLE.includes(field)
            ? `; ${path}:2000 cuts its texts after 2000 characters`
            : "";
        if (!DROPPABLE.includes(field))
            return `"${path}" cannot be left out; it takes ${DROPPABLE.join(", ")}, and paths below them${cut}`;
        return below.length > 0 && !NESTED.includes(field)
            ? `"${path}": ${field} can only be left out whole`
            : null;
    }
    if (!CUTTABLE.includes(field))
        return `"${field}" has no texts to cut; those of ${CUTTABLE.join(", ")} can be`;
    if (length === null || !/^\d{1,9}$/.test(length) || maxChars < 1)
        return `"${entry}": after the colon stands a whole number of characters from 1`;
    if (below.length > 0 && field === "evaluation_scores")
        return `"${path}": evaluation_scores:N cuts the comments, and nothing else of a score`;
    return below.length > 0 && !NESTED.includes(field)
        ? `"${path}": ${field} is a text, with nothing below it`
        : null;
}
function createTrim(rules) {
    const counts = rules.map(() => ({ texts: 0, rows: 0, chars: 0 }));
    const apply = (body) => rules.reduce((row, rule, n) => {
        const count = counts[n];
        const texts = count.texts;
        const changed = changeBelow(row, rule.path, rule.maxChars === null
            ? () => {
                count.texts += 1;
                return undefined;
            }
            : toCut(rule, count));
        if (count.texts > texts)
            count.rows += 1;
        return changed;
    }, body);
    return { apply, said: () => rules.flatMap((rule, n) => sentenceOf(rule, counts[n])) };
}
function sentenceOf({ entry, path, maxChars }, { texts, rows, chars }) {
    if (maxChars === null)
        return texts === 0 && path.includes(".")
            ? [`drop ${entry} left nothing out: no row has it`]
            : [];
    if (texts === 0)
        return [`drop ${entry} cut nothing: no text is longer`];
    const ids = path.split(".")[0] === "inputs" ? "; row ids are made from the whole inputs" : "";
    return [
        `drop ${entry} cut ${texts === 1 ? "1 text" : `${texts} texts`} in ${rows === 1 ? "1 row" : `${rows} rows`}, ${chars} characters in all; each ends with a mark${ids}`,
    ];
}
function toCut({ path, maxChars }, count) {
    const cut = (text) => {
        const short = cutText(text, maxChars);
        if (short.gone === 0)
            return text;
        count.texts += 1;
        count.chars += short.gone;
        return short.text;
    };
    return path === "evaluation_scores"
        ? (value) => changeItems(value, (score) => changeBelow(score, "comment", (comment) => changeTexts(comment, cut)))
        : (value) => changeTexts(value, cut);
}
const MARK = /… \[cut by agent-deploy: (\d+) of (\d+) characters\]$/;
const countChars = (text, from = 0) => {
    let chars = 0;
    for (let at = from; at < text.length; chars += 1)
        at += text.codePointAt(at) > 0xffff ? 2 : 1;
    return chars;
};
function cutText(text, maxChars) {
    if (text.length <= maxChars)
        return { text, gone: 0 };
    const marked = MARK.exec(text.slice(-100));
    const before = marked === null ? 0 : Number(marked[1]);
    const own = marked === null ? text : text.slice(0, -marked[0].length);
    if (marked !== null && countChars(own) !== Number(marked[2]) - before)
        return cutAt(text, text, maxChars, 0);
    return cutAt(text, own, maxChars, before);
}
function cutAt(text, own, maxChars, before) {
    let end = 0;
    for (let kept = 0; kept < maxChars && end < own.length; kept += 1)
        end += own.codePointAt(end) > 0xffff ? 2 : 1;
    const gone = countChars(own, end);
    const short = `${own.slice(0, end)}… [cut by agent-deploy: ${before + gone} of ${maxChars + before + gone} characters]`;
    return gone === 0 || short.length >= text.length ? { text, gone: 0 } : { text: short, gone };
}
function changeBelow(value, path, change) {
    if (typeof value !== "object" || value === null)
        return value;
    if (Array.isArray(value))
        return changeItems(value, (item) => changeBelow(item, path, change));
    const dot = path.indexOf(".");
    const whole = Object.hasOwn(value, path);
    const name = whole || dot < 0 ? path : path.slice(0, dot);
    if (!Object.hasOwn(value, name))
        return value;
    const before = value[name];
    const after = whole ? change(before) : changeBelow(before, path.slice(dot + 1), change);
    return after === before ? value : withEntry(value, name, after);
}
function withEntry(object, name, value) {
    return Object.fromEntries(Object.entries(object).flatMap(([key, old]) => key !== name ? [[key, old]] : value === undefined ? [] : [[key, value]]));
}
function changeItems(value, change) {
    if (!Array.isArray(value))
        return value;
    const items = value.map(change);
    return items.some((item, n) => item !== value[n]) ? items : value;
}
function changeTexts(value, change) {
    if (typeof value === "string")
        return change(value);
    if (typeof value !== "object" || value === null)
        return value;
    if (Array.isArray(value))
        return changeItems(value, (item) => changeTexts(item, change));
    const entries = Object.entries(value).map(([name, before]) => [name, before, changeTexts(before, change)]);
    return entries.every(([, before, after]) => after === before)
        ? value
        : Object.fromEntries(entries.map(([name, , after]) => [name, after]));
}

;// CONCATENATED MODULE: ./build/experiment/size-plan.js



const AIM_BYTES = 20e6;
const LENGTHS = [64_000, 32_000, 16_000, 8_000, 4_000, 2_000, 1_000, 500];
const MARK_BYTES = 60;
const MAX_PLACES = 1_000;
async function weigh(experiment, rules) {
    const trim = createTrim(rules);
    const fields = new Map();
    const places = new Map();
    for await (const batch of experiment.batches()) {
        for (const row of batch) {
            const body = trim.apply(row.body);
            for (const field of experiment_row/* ROW_FIELDS */.dC) {
                const value = body[field];
                if (value === undefined)
                    continue;
                fields.set(field, (fields.get(field) ?? 0) + Buffer.byteLength(JSON.stringify(value)) + field.length + 4);
                if (field === "error")
                    addTexts(places, field, value);
                else if (typeof value === "object" && !Array.isArray(value))
                    for (const [name, below] of Object.entries(value))
                        addTexts(places, `${field}.${name}`, below);
            }
        }
    }
    const sorted = [...fields]
        .map(([field, bytes]) => ({ field, bytes }))
        .sort((a, b) => b.bytes - a.bytes);
    return {
        total: sorted.reduce((sum, { bytes }) => sum + bytes, 0),
        fields: sorted,
        places: [...places.values()],
    };
}
function addTexts(places, path, value) {
    if (typeof value === "string") {
        if (value.length <= LENGTHS.at(-1) + MARK_BYTES)
            return;
        let place = places.get(path);
        if (place === undefined) {
            if (places.size === MAX_PLACES || /[,:\n]/.test(path))
                return;
            places.set(path, (place = { path, saved: LENGTHS.map(() => 0), texts: LENGTHS.map(() => 0) }));
        }
        const bytes = Buffer.byteLength(value);
        LENGTHS.forEach((length, n) => {
            const saved = Math.floor(bytes * (1 - length / value.length)) - MARK_BYTES;
            if (saved <= 0)
                return;
            place.saved[n] += saved;
            place.texts[n] += 1;
        });
    }
    else if (typeof value === "object" && value !== null)
        for (const below of Object.values(value))
            addTexts(places, path, below);
}
function chooseCut({ total, places }, aim) {
    const isInput = ({ path }) => path.startsWith("inputs.");
    let cut = null;
    for (const [n, length] of LENGTHS.entries()) {
        const lines = [];
        let [left, texts] = [total, 0];
        const useful = places
            .filter(({ saved }) => saved[n] > total / 100)
            .sort((a, b) => Number(isInput(a)) - Number(isInput(b)) || b.saved[n] - a.saved[n]);
        for (const place of useful) {
            if (left <= aim)
                break;
            lines.push(`${place.path}:${length}`);
            left -= place.saved[n];
            texts += place.texts[n];
        }
        if (lines.length > 0)
            cut = { lines, texts, left };
        if (cut !== null && left <= aim)
            break;
    }
    return cut;
}
async function renderSizePlan(experiment, rules) {
    const weights = await weigh(experiment, rules);
    const { total, fields } = weights;
    const heaviest = fields
        .slice(0, 4)
        .map(({ field, bytes }) => `${field} ${renderBytes(bytes)} (${Math.round((100 * bytes) / Math.max(1, total))} %)`)
        .join(", ");
    const line = (...more) => `\`drop: ${[...rules.map(({ entry }) => entry), ...more].join(", ")}\``;
    const metadata = fields.find(({ field }) => field === "run_metadata");
    const cut = chooseCut(weights, total > AIM_BYTES ? AIM_BYTES : total / 2);
    const ways = [
        ...(metadata === undefined
            ? []
            : [`${line("run_metadata")} (leaves ${renderBytes(total - metadata.bytes)})`]),
        ...(cut === null
            ? []
            : [
                `${line(...cut.lines)} (cuts ${cut.texts === 1 ? "1 text" : `${cut.texts} texts`}, each with a visible mark, and leaves about ${renderBytes(cut.left)})`,
            ]),
    ];
    const advice = ways.length === 0
        ? "no text is long enough to be cut: split the file"
        : `write ${ways.join(" or ")}`;
    return `the rows weigh ${renderBytes(total)}: ${heaviest}; ${advice}; clients of the service keep to 20 to 25 MB`;
}

;// CONCATENATED MODULE: ./build/experiment/upload.js








const PROGRESS_MS = 5000;
async function uploadExperiments(request) {
    const { uploads, problems } = checkUploads(request);
    if (problems.length > 0)
        return { reports: [], problems };
    const reports = [];
    for (const upload of uploads)
        reports.push(request.tracing === null
            ? await printBody(upload, request)
            : await uploadOne(upload, request.tracing, request));
    return { reports, problems: [] };
}
function checkUploads(request) {
    const prepared = prepareUploads(request.experiments, {
        ...request,
        createId: () => createUuid(request.random),
    });
    return {
        uploads: prepared.uploads,
        problems: [...parseDrop(request.drop).problems, ...prepared.problems],
    };
}
function createUuid(random) {
    const bytes = external_node_buffer_.Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    return (0,row_id/* formatUuid */.h)(bytes);
}
function toGatedReport(experiment) {
    return toReport({ experiment, uploadId: "", header: null }, { outcome: "gated-only", message: "" });
}
function createTrimOf(rules) {
    return rules.length === 0 ? undefined : createTrim(rules);
}
async function printBody(upload, request) {
    const trim = createTrimOf(parseDrop(request.drop).rules);
    try {
        for await (const chunk of streamBody(upload.experiment, upload.header, { trim }))
            await request.print(chunk);
        await request.print(external_node_buffer_.Buffer.from("\n"));
    }
    catch (error) {
        return toReport(upload, { outcome: "failed", message: messageOf(error) });
    }
    return toReport(upload, {
        outcome: "dry-run",
        message: "the body was printed, nothing was sent",
        warnings: trim?.said() ?? [],
    });
}
async function uploadOne(upload, tracing, request) {
    const { rules } = parseDrop(request.drop);
    let trim;
    const toBody = () => {
        trim = createTrimOf(rules);
        return streamBody(upload.experiment, upload.header, {
            trim,
            onProgress: createProgress(upload, request),
        });
    };
    const end = await sendUpload(upload, { ...request, tracing, toBody });
    switch (end.state) {
        case "stored":
            return finish(upload, tracing, request, {
                ...end,
                warnings: [...end.warnings, ...(trim?.said() ?? [])],
            });
        case "refused":
            return toReport(upload, {
                outcome: "failed",
                message: await refusalMessage(upload, end, rules),
            });
        case "unknown":
            return toReport(upload, { outcome: "unknown", message: end.message });
    }
}
async function refusalMessage({ experiment }, { status, error }, rules) {
    if (status === 413)
        return `${error.message} The request is too large: ${await renderSizePlan(experiment, rules)}.`;
    if (status === 422)
        return `${error.message} The rows were checked before; the service asks for more than its document says, so read its words above.`;
    return error.message;
}
async function finish(upload, tracing, request, stored) {
    const { session, warnings } = await readBack(upload.experiment, stored.session.id, {
        tracing,
        clock: request.clock,
        signal: request.signal,
    });
    const duplicates = stored.sends === 1 ? null : await findDuplicates(upload, stored, { ...request, tracing });
    const shown = session ?? stored.session;
    const datasetId = stored.dataset?.id ?? shown.dataset_id ?? stored.session.dataset_id;
    const tenantId = textOf(stored.dataset?.body["tenant_id"]) ?? shown.tenant_id ?? stored.session.tenant_id;
    const link = (ids) => datasetId === null || tenantId === null || request.ui === ""
        ? ""
        : `${request.ui.replace(/\/+$/, "")}/o/${encodeURIComponent(tenantId)}/datasets/${encodeURIComponent(datasetId)}/compare?selectedSessions=${ids.map(encodeURIComponent).join("%2C")}`;
    const baseline = request.baselineExperimentId ?? null;
    return toReport(upload, {
        outcome: duplicates?.state ?? "uploaded",
        message: duplicates?.message ??
            (warnings.length === 0
                ? "uploaded, and the service's row count and means are ours"
                : "uploaded"),
        experiment_id: shown.id,
        experiment_url: link([shown.id]),
        compare_url: baseline === null || baseline === shown.id ? "" : link([shown.id, baseline]),
        dataset_id: datasetId,
        dataset_name: stored.dataset?.name || upload.header.dataset_name || "",
        test_run_number: shown.test_run_number ?? stored.session.test_run_number,
        warnings: [...stored.warnings, ...warnings],
    });
}
const textOf = (value) => typeof value === "string" && value !== "" ? value : null;
function toReport({ experiment, header, }, end) {
    return {
        file: experiment.file,
        format: experiment.format,
        name: header?.experiment_name ??
            [experiment.suite, experiment.label].filter((part) => part !== "").join(" · "),
        rows: experiment.rowCount,
        errors: experiment.errorCount,
        experiment_id: null,
        experiment_url: "",
        compare_url: "",
        dataset_id: header?.dataset_id ?? null,
        dataset_name: header?.dataset_name ?? "",
        test_run_number: null,
        scores: experiment.scores,
        ...end,
        warnings: [...experiment.warnings, ...(end.warnings ?? [])],
    };
}
function messageOf(error) {
    return error.message ?? "unknown error";
}
function createProgress({ experiment, header }, { clock, progress }) {
    const start = clock.monotonic();
    let last = start;
    return ({ rows, bytes }) => {
        const now = clock.monotonic();
        if (now - last < PROGRESS_MS)
            return;
        last = now;
        const seconds = (now - start) / 1000;
        const left = Math.round((seconds * (experiment.rowCount - rows)) / Math.max(1, rows));
        progress(`${header.experiment_name}: ${rows} of ${experiment.rowCount} rows, ${renderBytes(bytes)}, ${renderBytes(bytes / seconds)}/s, ${left} s to go`);
    };
}


/***/ }),

/***/ 9903:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fd: () => (/* binding */ toBaseline),
/* harmony export */   Mq: () => (/* binding */ refuseBaseline),
/* harmony export */   Ue: () => (/* binding */ isBaseline),
/* harmony export */   nk: () => (/* binding */ parseBaseline)
/* harmony export */ });
/* unused harmony export fingerprintDataset */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _floor_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4768);
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5264);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1638);




const BASELINE_SCHEMA = "agent-deploy-baseline/1";
function isBaseline(text) {
    return /^\uFEFF?\s*\{\s*"schema"\s*:\s*"agent-deploy-baseline\//u.test(text.slice(0, 100));
}
function fingerprintDataset(table) {
    const examples = (0,_metric_js__WEBPACK_IMPORTED_MODULE_2__/* .sorted */ .IP)([...new Set(table.rows.map((row) => row.example))]);
    return `sha256:${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)("sha256").update(examples.join("\n")).digest("hex")}`;
}
function toBaseline(table, { commit, created_at }) {
    const metrics = (0,_metric_js__WEBPACK_IMPORTED_MODULE_2__/* .metricsOf */ .Ps)(table);
    const perExample = new Map();
    for (const { example } of table.rows)
        perExample.set(example, (perExample.get(example) ?? 0) + 1);
    let repeats = 0;
    for (const times of perExample.values())
        repeats = Math.max(repeats, times);
    const header = {
        schema: BASELINE_SCHEMA,
        commit: commit ?? table.commit,
        created_at,
        dataset: fingerprintDataset(table),
        examples: perExample.size,
        rows: table.rows.length,
        errors: table.rows.filter((row) => row.error).length,
        repeats,
        judge: table.judge,
        metrics,
    };
    const lines = table.rows.map((row) => JSON.stringify(row.error
        ? [row.example, "error"]
        : [row.example, row.latency, ...metrics.map((metric) => row.scores[metric] ?? null)]));
    const fields = Object.entries(header)
        .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
        .join("");
    return `{\n${fields}"scores": [\n${lines.sort().join(",\n")}\n],\n"complete": ${String(table.state === "complete")}\n}\n`;
}
function parseBaseline(text, file) {
    const refuse = (message) => ({
        state: "problem",
        problem: {
            file,
            line: 1,
            column: 1,
            level: "error",
            path: "",
            message: `${message}; write it again with write-baseline`,
        },
    });
    let value;
    try {
        value = JSON.parse(text.replace(/^\uFEFF/u, ""));
    }
    catch {
        return refuse("the baseline is no valid JSON, perhaps cut off or with conflict marks");
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
        return refuse("the baseline is no JSON object");
    const found = value;
    if (found["schema"] !== BASELINE_SCHEMA) {
        return refuse(`the baseline's schema is ${JSON.stringify(found["schema"] ?? null)}, this version reads ${BASELINE_SCHEMA}`);
    }
    const { metrics, scores } = found;
    if (!Array.isArray(metrics) || !metrics.every((metric) => typeof metric === "string"))
        return refuse("the baseline names no metrics");
    if (!Array.isArray(scores))
        return refuse("the baseline holds no scores");
    const rows = [];
    for (const item of scores) {
        const row = parseRow(item, metrics);
        if (row === null)
            return refuse(`entry ${rows.length + 1} of the baseline's scores is no row`);
        rows.push(row);
    }
    if (rows.length !== found["rows"])
        return refuse(`the baseline holds ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_3__/* .count */ .U9)(rows.length, "row")} where its header says ${String(found["rows"])}`);
    const table = {
        file,
        rows,
        state: found["complete"] === true ? "complete" : "incomplete",
        commit: textOf(found["commit"]),
        created_at: textOf(found["created_at"]),
        judge: textOf(found["judge"]),
    };
    if (found["dataset"] !== fingerprintDataset(table))
        return refuse("the baseline's rows do not fit its dataset fingerprint, so it was edited by hand or merged");
    return { state: "parsed", table };
}
const NO_PREVIEW = { input: "", expected: "", output: "" };
const NO_TAGS = {};
function parseRow(item, metrics) {
    if (!Array.isArray(item) || typeof item[0] !== "string")
        return null;
    const example = item[0];
    if (item[1] === "error" && item.length === 2)
        return { example, scores: {}, error: true, latency: null, tags: NO_TAGS, preview: NO_PREVIEW };
    const latency = item[1];
    if (item.length !== metrics.length + 2 || (latency !== null && typeof latency !== "number"))
        return null;
    const scores = {};
    for (let at = 0; at < metrics.length; at++) {
        const score = item[at + 2];
        if (typeof score === "number")
            scores[metrics[at]] = score;
        else if (score !== null)
            return null;
    }
    return { example, scores, error: false, latency, tags: NO_TAGS, preview: NO_PREVIEW };
}
function textOf(value) {
    return typeof value === "string" ? value : null;
}
function refuseBaseline({ table, gates, verdict, }) {
    const refused = "no baseline was written: ";
    if (table.state !== "complete") {
        return `${refused}${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}; run it to its end first`;
    }
    if (!table.rows.some(_metric_js__WEBPACK_IMPORTED_MODULE_2__/* .isScored */ .Lo))
        return `${refused}no row of ${table.file} has a score`;
    if (verdict === "fail")
        return `${refused}a gate failed, and a later run would be measured by this one; mend the run or the gate first`;
    const errors = table.rows.filter((row) => row.error).length;
    if (errors === 0)
        return null;
    const share = errors / table.rows.length;
    const limits = (gates?.rules ?? []).filter((rule) => rule.kind === "floor" && rule.metric === "error_rate" && rule.operator.startsWith("<"));
    const said = `${(0,_wording_js__WEBPACK_IMPORTED_MODULE_3__/* .count */ .U9)(errors, "row")} of ${table.rows.length} errored`;
    if (limits.length === 0)
        return `${refused}${said}; mend them, or allow some with a gate such as \`error_rate <= 0.02\``;
    const broken = limits.find((rule) => !(0,_floor_js__WEBPACK_IMPORTED_MODULE_1__/* .meetsRule */ .Zy)(rule, share));
    return broken === undefined
        ? null
        : `${refused}${said} (${(0,_wording_js__WEBPACK_IMPORTED_MODULE_3__/* .figures */ .u5)(share)[0]}), more than \`${broken.text}\` allows`;
}


/***/ }),

/***/ 5778:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FI: () => (/* binding */ studentQuantile),
/* harmony export */   Rf: () => (/* binding */ studentCdf),
/* harmony export */   Yw: () => (/* binding */ binomialUpperTail),
/* harmony export */   Zl: () => (/* binding */ normalQuantile)
/* harmony export */ });
/* unused harmony export incompleteBeta */
const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
];
const HALF_LOG_TWO_PI = 0.9189385332046727;
function logGamma(x) {
    let sum = LANCZOS[0];
    for (let i = 1; i < LANCZOS.length; i++)
        sum += LANCZOS[i] / (x - 1 + i);
    const t = x + 6.5;
    return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}
function stirlingError(n) {
    if (n <= 15)
        return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
    const n2 = n * n;
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / n2) / n2) / n2) / n2) / n;
}
function deviance(x, m) {
    if (Math.abs(x - m) >= 0.1 * (x + m))
        return x * Math.log(x / m) + m - x;
    const v = (x - m) / (x + m);
    let sum = (x - m) * v;
    let term = 2 * x * v;
    for (let j = 1; j < 1000; j++) {
        term *= v * v;
        const next = sum + term / (2 * j + 1);
        if (next === sum)
            return next;
        sum = next;
    }
    return sum;
}
function betaWeight(a, b, x, y) {
    const n = a + b;
    const log = stirlingError(n) -
        stirlingError(a) -
        stirlingError(b) -
        deviance(a, n * x) -
        deviance(b, n * y);
    return Math.sqrt((a * b) / (2 * Math.PI * n)) * Math.exp(log);
}
function betaFraction(a, b, x) {
    const tiny = 1e-300;
    const guard = (value) => (Math.abs(value) < tiny ? tiny : value);
    let c = 1;
    let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
    let h = d;
    for (let m = 1; m < 10_000; m++) {
        const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / guard(1 + even * d);
        c = guard(1 + even / c);
        h *= d * c;
        const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / guard(1 + odd * d);
        c = guard(1 + odd / c);
        const step = d * c;
        h *= step;
        if (Math.abs(step - 1) < 4e-16)
            break;
    }
    return h;
}
function incompleteBeta(a, b, x, y = 1 - x) {
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    const weight = betaWeight(a, b, x, y);
    return x < (a + 1) / (a + b + 2)
        ? (weight * betaFraction(a, b, x)) / a
        : 1 - (weight * betaFraction(b, a, y)) / b;
}
function studentCdf(t, df) {
    if (!Number.isFinite(t))
        return t > 0 ? 1 : 0;
    const tail = incompleteBeta(df / 2, 0.5, df / (df + t * t), (t * t) / (df + t * t)) / 2;
    return t > 0 ? 1 - tail : tail;
}
function studentQuantile(p, df) {
    if (p < 0.5)
        return -studentQuantile(1 - p, df);
    let low = 0;
    let high = 2;
    while (studentCdf(high, df) < p)
        high *= 2;
    const logScale = logGamma((df + 1) / 2) - logGamma(df / 2) - Math.log(df * Math.PI) / 2;
    let t = Math.min(high, Math.max(low, normalQuantile(p)));
    for (let i = 0; i < 200; i++) {
        const excess = studentCdf(t, df) - p;
        if (excess > 0)
            high = t;
        else
            low = t;
        const slope = Math.exp(logScale - ((df + 1) / 2) * Math.log1p((t * t) / df));
        let next = t - excess / slope;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (Math.abs(next - t) <= 1e-14 * Math.max(1, t))
            return next;
        t = next;
    }
    return t;
}
function binomialUpperTail(k, n, q) {
    if (k <= 0)
        return 1;
    if (k > n)
        return 0;
    return incompleteBeta(k, n - k + 1, q, 1 - q);
}
const NEAR = [
    [
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
    ],
    [
        5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1,
    ],
];
const MIDDLE = [
    [
        7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
        1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959,
        1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
        0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187,
        1,
    ],
];
const FAR = [
    [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
        0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699,
        6.6579046435011037772,
    ],
    [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
        7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
        0.59983220655588793769, 1,
    ],
];
function ratio([top, bottom], r) {
    const value = (coefficients) => coefficients.reduce((sum, c) => sum * r + c, 0);
    return value(top) / value(bottom);
}
function normalQuantile(p) {
    const q = p - 0.5;
    if (Math.abs(q) <= 0.425)
        return q * ratio(NEAR, 0.180625 - q * q);
    const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
    const z = r <= 5 ? ratio(MIDDLE, r - 1.6) : ratio(FAR, r - 5);
    return q < 0 ? -z : z;
}


/***/ }),

/***/ 4768:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O1: () => (/* binding */ judgeFloor),
/* harmony export */   Zy: () => (/* binding */ meetsRule),
/* harmony export */   hK: () => (/* binding */ independent),
/* harmony export */   qU: () => (/* binding */ nothingScored)
/* harmony export */ });
/* harmony import */ var _interval_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(865);
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5264);
/* harmony import */ var _paired_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9465);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1638);




const FLOOR_ALPHA = 0.05;
function judgeFloor(judging, rule) {
    const { index } = judging.head;
    const blank = {
        metric: rule.metric,
        rule: rule.text,
        repeats: index.repeats,
        base: null,
        delta: null,
        p: null,
        alpha: FLOOR_ALPHA,
    };
    if (rule.metric === "rows")
        return judgeRows(blank, rule, index.table.rows.length);
    const column = judging.head.column(rule.metric);
    const measured = measure(judging, rule.metric, column);
    if (measured.n === 0) {
        return {
            ...blank,
            verdict: "fail",
            n: 0,
            n_dropped: measured.dropped,
            head: null,
            ci: null,
            mde: null,
            method: "none",
            reason: nothingScored(rule.metric, measured.dropped),
        };
    }
    const { ci } = measured;
    const mde = ci === null ? null : (0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .tidy */ .DZ)(((ci[1] - ci[0]) / 2 / _interval_js__WEBPACK_IMPORTED_MODULE_0__/* .Z_95 */ .U$) * (0,_paired_js__WEBPACK_IMPORTED_MODULE_1__/* .detectableFactor */ .pw)(FLOOR_ALPHA / 2));
    const { verdict, reason } = compare(rule, measured, mde);
    return {
        ...blank,
        verdict,
        n: measured.n,
        n_dropped: measured.dropped,
        head: (0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .tidy */ .DZ)(measured.value),
        ci: ci === null ? null : [(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .tidy */ .DZ)(ci[0]), (0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .tidy */ .DZ)(ci[1])],
        mde,
        method: measured.method,
        reason,
    };
}
function nothingScored(metric, dropped) {
    const { kind } = (0,_metric_js__WEBPACK_IMPORTED_MODULE_3__/* .parseMetric */ .uo)(metric);
    if (dropped === 0)
        return `${metric} cannot be judged: the results hold no row`;
    if (kind === "latency")
        return `${metric} cannot be judged: none of the ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(dropped, "row")} ran without error and has a duration`;
    if (kind === "pass")
        return `${metric} cannot be judged: no example has that many scored repeats; run the examples more often`;
    return `${metric} cannot be judged: none of the ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(dropped, "row")} has a score for it (an errored row has none)`;
}
function judgeRows(blank, rule, rows) {
    const holds = meetsRule(rule, rows);
    return {
        ...blank,
        verdict: holds ? "pass" : "fail",
        n: rows,
        n_dropped: 0,
        head: rows,
        ci: null,
        mde: null,
        method: "count",
        reason: `the results hold ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(rows, "row")}; the gate asks for ${rule.operator} ${rule.threshold}`,
    };
}
function measure(judging, metric, column) {
    const parsed = (0,_metric_js__WEBPACK_IMPORTED_MODULE_3__/* .parseMetric */ .uo)(metric);
    const present = [];
    let dropped = 0;
    let draws = 0;
    column.scored.forEach((scored, e) => {
        dropped += column.missing[e];
        draws += scored;
        if (scored > 0)
            present.push(e);
    });
    const n = present.length;
    if (n === 0)
        return {
            n,
            dropped,
            scored: 0,
            value: NaN,
            ci: null,
            unbounded: [false, false],
            method: "none",
        };
    if (parsed.kind === "latency") {
        const sorted = (0,_metric_js__WEBPACK_IMPORTED_MODULE_3__/* .valuesOf */ .sm)(judging.head.index, parsed);
        const { ci, lowBounded, highBounded } = (0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .quantileInterval */ .vx)(sorted, parsed.quantile, independent(judging, present));
        const ends = [lowBounded ? "" : "lower", highBounded ? "" : "upper"]
            .filter((end) => end !== "")
            .join(" and ");
        const method = `order statistics${ends === "" ? "" : `; ${ends} end: the most extreme row, too few rows to bound it`}`;
        return {
            n,
            dropped,
            scored: draws,
            value: (0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .quantile */ .YV)(sorted, parsed.quantile),
            ci,
            unbounded: [!lowBounded, !highBounded],
            method,
        };
    }
    const found = (0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .estimate */ .jA)({
        values: (0,_metric_js__WEBPACK_IMPORTED_MODULE_3__/* .gather */ .kg)(present, (e) => column.mean[e]),
        rate: column.binary || parsed.kind === "pass",
        draws: parsed.kind === "pass" ? n : draws,
        clusterOf: judging.clusterOf === null ? null : (0,_metric_js__WEBPACK_IMPORTED_MODULE_3__/* .gather */ .kg)(present, (e) => judging.clusterOf[e]),
    });
    return {
        n,
        dropped,
        scored: draws,
        value: found.mean,
        ci: found.ci,
        unbounded: [false, false],
        method: found.method,
    };
}
function independent({ clusterOf }, examples) {
    return clusterOf === null ? examples.length : new Set(examples.map((e) => clusterOf[e])).size;
}
const SLACK = 1e-12;
function meetsRule(rule, value) {
    const over = value - rule.threshold;
    switch (rule.operator) {
        case ">=":
            return over >= -SLACK;
        case ">":
            return over > SLACK;
        case "<=":
            return over <= SLACK;
        case "<":
            return over < -SLACK;
    }
}
function compare(rule, { n, dropped, scored, value, ci, unbounded }, mde) {
    const higher = rule.operator.startsWith(">");
    const word = higher ? "floor" : "limit";
    const [shown, bar, low, high] = (0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .amounts */ .q$)(rule.metric, value, rule.threshold, ci?.[0] ?? value, ci?.[1] ?? value);
    const is = `${rule.metric} is ${shown} on ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(n, "example")}${dropped > 0 ? ` (${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(dropped, "row")} without a value not counted)` : ""}`;
    const range = unbounded[1]
        ? `${low} or more`
        : unbounded[0]
            ? `${high} or less`
            : `${low} to ${high}`;
    const span = ci === null ? "one value says nothing about the spread" : saySpan({ n, low, high, unbounded });
    const best = ci === null
        ? null
        : unbounded[higher ? 1 : 0]
            ? higher
                ? Infinity
                : -Infinity
            : ci[higher ? 1 : 0];
    const worst = ci === null
        ? null
        : unbounded[higher ? 0 : 1]
            ? higher
                ? -Infinity
                : Infinity
            : ci[higher ? 0 : 1];
    if (best !== null && !meetsRule(rule, best)) {
        return {
            verdict: "fail",
            reason: `${is}, and even with luck counted in (${range}) it is on the wrong side of the ${word} of ${bar}`,
        };
    }
    if (!meetsRule(rule, value)) {
        const show = mde === null
            ? ""
            : `; this many examples show a gap of about ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .amounts */ .q$)(rule.metric, mde)[0]} or more, so add examples`;
        return {
            verdict: "inconclusive",
            reason: `${is}, on the wrong side of the ${word} of ${bar}, but that can be bad luck: ${span}${show}`,
        };
    }
    if (scored < dropped) {
        return {
            verdict: "inconclusive",
            reason: `${is}: the ${word} of ${bar} is met, but most rows have no value, so this says little; look at the errored and unscored rows`,
        };
    }
    const proven = worst !== null && meetsRule(rule, worst);
    return {
        verdict: "pass",
        reason: proven
            ? `${is}; with luck counted out it still meets the ${word} of ${bar} (${range})`
            : `${is} and meets the ${word} of ${bar}; not proven, since ${span}`,
    };
}
function saySpan({ n, low, high, unbounded: [below, above], }) {
    if (!below && !above)
        return `the true value most likely lies between ${low} and ${high}`;
    const few = `${(0,_wording_js__WEBPACK_IMPORTED_MODULE_2__/* .count */ .U9)(n, "example")} ${n === 1 ? "is" : "are"} too few to say`;
    return below && above
        ? `${few} how low or how high the true value may lie`
        : above
            ? `the true value is most likely ${low} or more, and ${few} how high it may lie`
            : `the true value is most likely ${high} or less, and ${few} how low it may lie`;
}


/***/ }),

/***/ 865:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U$: () => (/* binding */ Z_95),
/* harmony export */   YV: () => (/* binding */ quantile),
/* harmony export */   gU: () => (/* binding */ standardError),
/* harmony export */   gi: () => (/* binding */ clusteredError),
/* harmony export */   hm: () => (/* binding */ meanOf),
/* harmony export */   jA: () => (/* binding */ estimate),
/* harmony export */   vx: () => (/* binding */ quantileInterval)
/* harmony export */ });
/* unused harmony export wilson */
/* harmony import */ var _distribution_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5778);

const Z_95 = (0,_distribution_js__WEBPACK_IMPORTED_MODULE_0__/* .normalQuantile */ .Zl)(0.975);
function meanOf(values) {
    let sum = 0;
    for (let i = 0; i < values.length; i++)
        sum += values[i];
    return sum / values.length;
}
function standardError(values, mean) {
    const n = values.length;
    if (n < 2)
        return 0;
    let squares = 0;
    for (let i = 0; i < n; i++)
        squares += (values[i] - mean) ** 2;
    return Math.sqrt(squares / (n - 1) / n);
}
function clusteredError(values, mean, clusterOf) {
    const sums = new Map();
    for (let i = 0; i < values.length; i++)
        sums.set(clusterOf[i], (sums.get(clusterOf[i]) ?? 0) + values[i] - mean);
    const clusters = sums.size;
    if (clusters < 2)
        return { se: 0, clusters };
    let squares = 0;
    for (const sum of sums.values())
        squares += sum * sum;
    return { se: Math.sqrt((clusters / (clusters - 1)) * squares) / values.length, clusters };
}
function wilson(p, n, z = Z_95) {
    const centre = p + (z * z) / (2 * n);
    const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
    const scale = 1 + (z * z) / n;
    return [
        p <= 0 ? 0 : Math.max(0, (centre - spread) / scale),
        p >= 1 ? 1 : Math.min(1, (centre + spread) / scale),
    ];
}
function estimate({ values, rate, draws, clusterOf, }) {
    const n = values.length;
    const mean = meanOf(values);
    const plain = standardError(values, mean);
    const clustered = clusterOf === null ? null : clusteredError(values, mean, clusterOf);
    const se = clustered?.se ?? plain;
    const df = (clustered?.clusters ?? n) - 1;
    if (rate) {
        const variance = clustered === null ? (plain * plain * (n - 1)) / n : se * se;
        const most = clustered === null ? Math.max(n, draws) : n;
        const trials = variance > 0 ? Math.min(most, (mean * (1 - mean)) / variance) : (clustered?.clusters ?? n);
        const ci = df < 1 && clustered !== null
            ? null
            : wilson(mean, trials, clustered === null ? Z_95 : (0,_distribution_js__WEBPACK_IMPORTED_MODULE_0__/* .studentQuantile */ .FI)(0.975, df));
        return {
            mean,
            ci,
            se,
            method: clustered === null ? "Wilson interval" : `Wilson interval, ${clustered.clusters} clusters`,
        };
    }
    if (df < 1)
        return { mean, ci: null, se, method: "mean" };
    const half = (0,_distribution_js__WEBPACK_IMPORTED_MODULE_0__/* .studentQuantile */ .FI)(0.975, df) * se;
    return {
        mean,
        ci: [mean - half, mean + half],
        se,
        method: clustered === null
            ? `t interval, df ${df}`
            : `t interval, ${clustered.clusters} clusters, df ${df}`,
    };
}
function quantile(sorted, q) {
    const position = (sorted.length - 1) * q;
    const below = Math.floor(position);
    const low = sorted[below];
    const high = sorted[Math.min(below + 1, sorted.length - 1)];
    return low + (position - below) * (high - low);
}
function quantileInterval(sorted, q, independent, confidence = 0.95) {
    const tail = (1 - confidence) / 2;
    const n = independent;
    const below = (rank) => 1 - (0,_distribution_js__WEBPACK_IMPORTED_MODULE_0__/* .binomialUpperTail */ .Yw)(rank, n, q);
    const low = lastWhere(n, (rank) => below(rank) <= tail);
    const high = n + 1 - lastWhere(n, (steps) => (0,_distribution_js__WEBPACK_IMPORTED_MODULE_0__/* .binomialUpperTail */ .Yw)(n + 1 - steps, n, q) <= tail);
    const at = (rank) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((rank / n) * sorted.length) - 1))];
    return {
        ci: [low === 0 ? sorted[0] : at(low), high > n ? sorted[sorted.length - 1] : at(high)],
        lowBounded: low > 0,
        highBounded: high <= n,
    };
}
function lastWhere(n, holds) {
    let low = 0;
    let high = n;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (holds(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}


/***/ }),

/***/ 6374:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  y: () => (/* binding */ judgeGates),
  z: () => (/* binding */ worstVerdict)
});

// EXTERNAL MODULE: ./build/spec/suggestion.js
var suggestion = __webpack_require__(176);
// EXTERNAL MODULE: ./build/gate/floor.js
var floor = __webpack_require__(4768);
// EXTERNAL MODULE: ./build/gate/interval.js
var interval = __webpack_require__(865);
// EXTERNAL MODULE: ./build/gate/metric.js
var gate_metric = __webpack_require__(5264);
// EXTERNAL MODULE: ./build/gate/paired.js
var paired = __webpack_require__(9465);
// EXTERNAL MODULE: ./build/gate/wording.js
var wording = __webpack_require__(1638);
;// CONCATENATED MODULE: ./build/gate/drop-wording.js


const MOST_REPEATS = 50;
function sayTooFew(facts) {
    if (facts.clustered && facts.n >= paired/* FEWEST_PAIRS */.Ns)
        return `${movement(facts)}, but all of them belong to one cluster, so there is no spread to judge it by; add clusters or remove cluster_by`;
    return `${movement(facts)}; under ${paired/* FEWEST_PAIRS */.Ns} examples no test can tell a fall from chance, so look at the rows themselves or add examples${leftOut(facts)}`;
}
function sayDrop(facts, end) {
    return `${sayEnd(facts, end)}${leftOut(facts)}`;
}
function leftOut({ dropped }) {
    return dropped > 0
        ? `; ${(0,wording/* count */.U9)(dropped, "row")} had no value and ${dropped === 1 ? "is" : "are"} not counted`
        : "";
}
function sayEnd(facts, end) {
    const { rule, p, family } = facts;
    const size = facts.head < facts.base ? "a fall this large" : "a rise this large";
    const [allowed] = (0,wording/* amounts */.q$)(rule.metric, rule.threshold);
    const limit = rule.threshold === 0 ? "none is allowed" : `${allowed} is allowed`;
    const often = `${(0,wording/* chance */.Dz)(p ?? 1)}${family > 1 ? `, all ${family} drop gates taken together` : ""}`;
    switch (end) {
        case "proven":
            return `${movement(facts)} (${limit}); ${size} would happen by chance ${often}`;
        case "chance":
            return `${movement(facts)} (${limit}), but ${size} would happen by chance ${often}; ${needs(facts)}`;
        case "not-ruled-out":
            return `${movement(facts)}, inside the allowed ${allowed}, but that the true change is worse is not ruled out; ${needs(facts)}`;
        case "thin":
            return `${movement(facts)}, but most of the ${facts.shared} shared examples have no value on both sides, so this says little; look at the errored and unscored rows`;
        case "harmless":
            return `${movement(facts)}; a true change for the worse of more than ${(0,wording/* amounts */.q$)(rule.metric, Math.max(0, -facts.bound))[0]} is ruled out (${sure(facts.alpha)}), and ${allowed} is allowed`;
        case "unseen":
            return `${movement(facts)}, so no change for the worse was seen${facts.mde === null ? "" : ` (this many examples show one of about ${(0,wording/* amounts */.q$)(rule.metric, facts.mde)[0]} or more)`}`;
    }
}
function sure(alpha) {
    return `${Number((100 * (1 - alpha)).toFixed(2))} % sure`;
}
function movement({ rule, head, base, n }) {
    const on = `on the ${(0,wording/* count */.U9)(n, "shared example")}`;
    if (Math.abs(head - base) < 1e-12)
        return `${rule.metric} is unchanged at ${(0,wording/* amounts */.q$)(rule.metric, head)[0]} ${on}`;
    const [before, after] = (0,wording/* amounts */.q$)(rule.metric, base, head);
    return `${rule.metric} ${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}
function needs({ rule, n, repeats, mde, se, noise, rateOfChange, alpha, clustered, }) {
    const target = rule.threshold > 0 ? rule.threshold : Math.abs(rateOfChange);
    const show = mde === null
        ? ""
        : `${(0,wording/* count */.U9)(n, "example")} can only show a change of about ${(0,wording/* amounts */.q$)(rule.metric, mde)[0]} or more, and `;
    const wanted = (target / (0,paired/* detectableFactor */.pw)(alpha)) ** 2;
    const rows = (0,wording/* atLeast */.jZ)((n * se * se) / wanted);
    if (rows <= n || target === 0)
        return `${show}more examples or repeats would settle it`;
    const variance = n * se * se;
    const steady = noise === null ? 0 : Math.max(0, variance - noise);
    const fold = (variance - steady) / (n * wanted - steady);
    const times = Math.max(repeats + 1, (0,wording/* atLeast */.jZ)(repeats * fold));
    const again = !clustered && n * wanted > steady && times <= MOST_REPEATS
        ? `, or these ${n} run ${noise === null ? "at least " : "about "}${times} times each in both runs,`
        : "";
    return `${show}to judge one of ${(0,wording/* amounts */.q$)(rule.metric, target)[0]}, about ${rows} examples${again} are needed`;
}

;// CONCATENATED MODULE: ./build/gate/drop.js






const SLACK = 1e-12;
function settled(difference) {
    return Math.abs(difference) < SLACK ? 0 : difference;
}
function judgeDrops(judging, rules, comparison) {
    const pairsOf = new Map();
    if (comparison.state === "used") {
        for (const { metric } of rules)
            if (!pairsOf.has(metric))
                pairsOf.set(metric, pairUp(judging, metric, comparison));
    }
    const tested = [...pairsOf].flatMap(([metric, { result }]) => result === null ? [] : [{ metric, p: result.p }]);
    const adjusted = (0,paired/* holm */.fU)(tested.map(({ p }) => p));
    const pOf = new Map(tested.map(({ metric }, at) => [metric, adjusted[at]]));
    return rules.map((rule) => {
        const pairs = pairsOf.get(rule.metric);
        if (pairs === undefined || comparison.state === "refused")
            return reportUncompared(judging, rule, comparison.state === "refused" ? comparison.message : "");
        return report({
            judging,
            rule,
            pairs,
            p: pOf.get(rule.metric) ?? null,
            family: tested.length,
            shared: comparison.shared.head.length,
        });
    });
}
function pairUp(judging, metricName, { base, shared }) {
    const metric = (0,gate_metric/* parseMetric */.uo)(metricName);
    const left = judging.head.column(metricName);
    const right = base.column(metricName);
    const at = [];
    let dropped = 0;
    for (let i = 0; i < shared.head.length; i++) {
        const h = shared.head[i];
        const b = shared.base[i];
        dropped += Math.max(left.missing[h], right.missing[b]);
        if (left.scored[h] === 0 || right.scored[b] === 0)
            continue;
        at.push(i);
    }
    const sign = judging.lowerIsBetter(metricName) ? -1 : 1;
    const clusterOf = judging.clusterOf === null ? null : (0,gate_metric/* gather */.kg)(at, (i) => judging.clusterOf[shared.head[i]]);
    const frame = { judging, base, shared, metric, at, dropped, sign, clusterOf };
    if (at.length === 0)
        return {
            metric,
            at,
            dropped,
            head: NaN,
            base: NaN,
            result: null,
            ci: null,
            bound: null,
            se: 0,
            noise: null,
        };
    return metric.kind === "latency"
        ? pairQuantiles(frame, metric.quantile)
        : pairMeans(frame, metricName);
}
function pairMeans(frame, metricName) {
    const { judging, base, shared, at, sign, clusterOf } = frame;
    const left = judging.head.column(metricName);
    const right = base.column(metricName);
    const before = (0,gate_metric/* gather */.kg)(at, (i) => right.mean[shared.base[i]]);
    const after = (0,gate_metric/* gather */.kg)(at, (i) => left.mean[shared.head[i]]);
    const values = after.map((value, i) => sign * settled(value - before[i]));
    const tested = at.length < paired/* FEWEST_PAIRS */.Ns ? null : (0,paired/* testPaired */.yy)({ values, clusterOf });
    const two = tested === null ? null : (0,paired/* pairedInterval */.$D)(tested, 0.95);
    let noise = 0;
    let repeated = at.length > 0;
    for (const i of at) {
        const h = shared.head[i];
        const b = shared.base[i];
        const [kh, kb] = [left.scored[h], right.scored[b]];
        if (kh < 2 || kb < 2)
            repeated = false;
        else
            noise += left.within[h] / (kh - 1) / kh + right.within[b] / (kb - 1) / kb;
    }
    return {
        metric: frame.metric,
        at,
        dropped: frame.dropped,
        head: (0,interval/* meanOf */.hm)(after),
        base: (0,interval/* meanOf */.hm)(before),
        result: tested,
        ci: two === null ? null : sign === 1 ? two : [-two[1], -two[0]],
        bound: tested === null ? null : (0,paired/* lowerBound */.yz)(tested, judging.gates.alpha),
        se: tested?.se ?? 0,
        noise: repeated ? noise / at.length : null,
    };
}
function pairQuantiles(frame, q) {
    const { judging, base, shared, metric, at, sign, clusterOf } = frame;
    const after = (0,gate_metric/* valuesOf */.sm)(judging.head.index, metric, (0,gate_metric/* gather */.kg)(at, (i) => shared.head[i]));
    const before = (0,gate_metric/* valuesOf */.sm)(base.index, metric, (0,gate_metric/* gather */.kg)(at, (i) => shared.base[i]));
    const both = new Float64Array(after.length + before.length);
    both.set(after);
    both.set(before, after.length);
    const cut = (0,interval/* quantile */.YV)(both.sort(), q);
    const values = (0,gate_metric/* gather */.kg)(at, (i) => {
        const now = (0,gate_metric/* shareAbove */.DP)({ index: judging.head.index, metric, example: shared.head[i], cut });
        return sign * (now - (0,gate_metric/* shareAbove */.DP)({ index: base.index, metric, example: shared.base[i], cut }));
    });
    const tested = at.length < paired/* FEWEST_PAIRS */.Ns ? null : (0,paired/* testPaired */.yy)({ values, clusterOf });
    const head = (0,interval/* quantile */.YV)(after, q);
    const old = (0,interval/* quantile */.YV)(before, q);
    const delta = head - old;
    const trials = (0,floor/* independent */.hK)(judging, at.map((i) => shared.head[i]));
    const join = (confidence) => {
        const one = (0,interval/* quantileInterval */.vx)(after, q, trials, confidence);
        const two = (0,interval/* quantileInterval */.vx)(before, q, trials, confidence);
        return {
            ci: [
                delta - Math.hypot(head - one.ci[0], two.ci[1] - old),
                delta + Math.hypot(one.ci[1] - head, old - two.ci[0]),
            ],
            bounded: sign === 1 ? one.lowBounded && two.highBounded : one.highBounded && two.lowBounded,
        };
    };
    const wide = join(0.95).ci;
    const { ci: narrow, bounded } = join(1 - 2 * judging.gates.alpha);
    return {
        metric,
        at,
        dropped: frame.dropped,
        head,
        base: old,
        result: tested === null
            ? null
            : {
                ...tested,
                mean: sign * delta,
                method: `${tested.method} on rows above the common quantile`,
            },
        ci: tested === null ? null : wide,
        bound: tested === null || !bounded ? null : sign === 1 ? narrow[0] : -narrow[1],
        se: (wide[1] - wide[0]) / 2 / interval/* Z_95 */.U$,
        noise: null,
    };
}
function reportUncompared(judging, rule, message) {
    const column = judging.head.column(rule.metric);
    const present = [...column.mean].filter((value) => !Number.isNaN(value));
    const missing = column.missing.reduce((sum, rows) => sum + rows, 0);
    const metric = (0,gate_metric/* parseMetric */.uo)(rule.metric);
    const head = present.length === 0
        ? null
        : metric.kind === "latency"
            ? (0,interval/* quantile */.YV)((0,gate_metric/* valuesOf */.sm)(judging.head.index, metric), metric.quantile)
            : (0,interval/* meanOf */.hm)(present);
    return {
        metric: rule.metric,
        rule: rule.text,
        verdict: head === null ? "fail" : "inconclusive",
        n: 0,
        n_dropped: missing,
        repeats: judging.head.index.repeats,
        head: head === null ? null : (0,wording/* tidy */.DZ)(head),
        base: null,
        delta: null,
        ci: null,
        p: null,
        method: "none",
        alpha: judging.gates.alpha,
        mde: null,
        reason: head === null
            ? (0,floor/* nothingScored */.qU)(rule.metric, missing)
            : `whether ${rule.metric} fell cannot be told: ${message}`,
    };
}
function report({ judging, rule, pairs, p, family, shared, }) {
    const { alpha } = judging.gates;
    const { result, at } = pairs;
    if (at.length === 0) {
        const uncompared = reportUncompared(judging, rule, `the baseline has no value of ${rule.metric} on any of the ${shared} shared examples that has one now`);
        return { ...uncompared, n_dropped: Math.max(uncompared.n_dropped, pairs.dropped) };
    }
    const mde = result === null || pairs.se === 0 ? null : (0,wording/* tidy */.DZ)((0,paired/* detectableFactor */.pw)(alpha) * pairs.se);
    const common = {
        metric: rule.metric,
        rule: rule.text,
        n: at.length,
        n_dropped: pairs.dropped,
        repeats: judging.head.index.repeats,
        head: (0,wording/* tidy */.DZ)(pairs.head),
        base: (0,wording/* tidy */.DZ)(pairs.base),
        delta: (0,wording/* tidy */.DZ)(settled(pairs.head - pairs.base)),
        alpha,
        mde,
    };
    const facts = {
        rule,
        n: at.length,
        repeats: common.repeats,
        dropped: pairs.dropped,
        shared,
        head: pairs.head,
        base: pairs.base,
        mde,
        p,
        alpha,
        family,
        se: pairs.se,
        noise: pairs.noise,
        rateOfChange: result?.mean ?? 0,
        bound: pairs.bound,
        clustered: judging.clusterOf !== null,
    };
    if (result === null || p === null) {
        return {
            ...common,
            verdict: "inconclusive",
            ci: null,
            p: null,
            method: "none",
            reason: sayTooFew(facts),
        };
    }
    const { end, reason } = decide(facts);
    return {
        ...common,
        verdict: end,
        ci: pairs.ci === null ? null : [(0,wording/* tidy */.DZ)(pairs.ci[0]), (0,wording/* tidy */.DZ)(pairs.ci[1])],
        p: (0,wording/* tidy */.DZ)(p),
        method: `${result.method}${family > 1 ? `; Holm over ${family}` : ""}`,
        reason,
    };
}
function decide(facts) {
    const { rule, rateOfChange: change, p, alpha, bound, n, shared } = facts;
    const within = rule.operator === "<=" ? change >= -rule.threshold - SLACK : change > -rule.threshold + SLACK;
    if (!within && change < -SLACK && p !== null && p < alpha)
        return { end: "fail", reason: sayDrop(facts, "proven") };
    const unseen = change >= -SLACK;
    const harmless = bound !== null &&
        (rule.operator === "<=" ? bound >= -rule.threshold - SLACK : bound > -rule.threshold + SLACK);
    if (!unseen && !harmless)
        return { end: "inconclusive", reason: sayDrop(facts, within ? "not-ruled-out" : "chance") };
    if (n < shared - n)
        return { end: "inconclusive", reason: sayDrop(facts, "thin") };
    return { end: "pass", reason: sayDrop(facts, unseen ? "unseen" : "harmless") };
}

// EXTERNAL MODULE: ./build/gate/language.js
var language = __webpack_require__(7866);
;// CONCATENATED MODULE: ./build/gate/must-pass.js




const MOST_NAMED = 3;
const NO_MARK = new Set(["", "false", "0"]);
function judgeMustPass(judging, item) {
    const { index } = judging.head;
    const rules = item.require.length > 0 ? item.require : judging.gates.rules.filter(language/* isRowFloor */.DS);
    const failing = [];
    let chosen = 0;
    let errors = 0;
    for (let e = 0; e < index.examples.length; e++) {
        const rows = [];
        for (let at = index.start[e]; at < index.start[e + 1]; at++)
            rows.push(index.table.rows[index.order[at]]);
        const picked = rows.filter((row) => isChosen(row, item));
        if (picked.length === 0)
            continue;
        chosen++;
        errors += picked.filter((row) => row.error).length;
        const passed = picked.filter((row) => rules.every((rule) => meetsRow(row, rule))).length;
        if (passed < (item.at_least ?? picked.length)) {
            failing.push(`${picked[0].preview.input.trim() || index.examples[e]} (${passed} of ${picked.length})`);
        }
    }
    const where = Object.entries(item.select)
        .map(([tag, values]) => values.length === 0
        ? tag
        : `${tag}: ${values.length === 1 ? values[0] : `[${values.join(", ")}]`}`)
        .join(", ");
    const verdict = chosen > 0 && failing.length === 0 ? "pass" : "fail";
    return {
        metric: "must_pass",
        rule: `must_pass ${where}`,
        verdict,
        n: chosen,
        n_dropped: 0,
        repeats: index.repeats,
        head: chosen === 0 ? null : (0,wording/* tidy */.DZ)((chosen - failing.length) / chosen),
        base: null,
        delta: null,
        ci: null,
        p: null,
        method: "count",
        alpha: judging.gates.alpha,
        mde: null,
        reason: say({ where, rules, chosen, failing, errors, atLeast: item.at_least }),
    };
}
function isChosen(row, item) {
    return Object.entries(item.select).every(([tag, values]) => {
        const found = row.tags[tag];
        return (found !== undefined && (values.length === 0 ? !NO_MARK.has(found) : values.includes(found)));
    });
}
function meetsRow(row, rule) {
    const value = (0,gate_metric/* valueOf */.RP)(row, (0,gate_metric/* parseMetric */.uo)(rule.metric));
    return !Number.isNaN(value) && (0,floor/* meetsRule */.Zy)(rule, value);
}
function say({ where, rules, chosen, failing, errors, atLeast, }) {
    const bar = `${rules.map((rule) => rule.text).join(" and ")}${atLeast === null ? "" : ` in at least ${(0,wording/* count */.U9)(atLeast, "repeat")}`}`;
    if (chosen === 0)
        return `no row has ${where}, so the rows that must pass were not run; check the spelling or the results`;
    if (failing.length === 0)
        return `every one of the ${(0,wording/* count */.U9)(chosen, "example")} with ${where} meets ${bar}`;
    const named = failing.slice(0, MOST_NAMED).join("; ");
    const more = failing.length > MOST_NAMED ? `; and ${failing.length - MOST_NAMED} more` : "";
    const broken = errors > 0 ? `; ${(0,wording/* count */.U9)(errors, "row")} errored` : "";
    return `${failing.length} of ${(0,wording/* count */.U9)(chosen, "example")} with ${where} ${failing.length === 1 ? "does" : "do"} not meet ${bar}: ${named}${more}${broken}`;
}

;// CONCATENATED MODULE: ./build/gate/row-delta.js


const MOST_ROWS = 500;
function listChanges(judging, base, shared) {
    const metrics = new Set(judging.gates.rules.flatMap(({ metric }) => {
        const parsed = (0,gate_metric/* parseMetric */.uo)(metric);
        return parsed.kind === "score" || parsed.kind === "pass" ? [parsed.key] : [];
    }));
    const worse = [];
    const better = [];
    const counts = {};
    for (const metric of [...metrics].sort()) {
        const weights = weigh(judging, metric, base, shared);
        const toCandidate = (i) => ({
            metric,
            h: shared.head[i],
            b: shared.base[i],
            weight: weights[i],
        });
        const fallen = lowest(weights);
        const risen = lowest(weights.map((weight) => -weight));
        worse.push(...fallen.positions.map(toCandidate));
        better.push(...risen.positions.map(toCandidate));
        if (fallen.count + risen.count > 0)
            counts[metric] = { worse: fallen.count, better: risen.count };
    }
    worse.sort((a, b) => a.weight - b.weight);
    better.sort((a, b) => b.weight - a.weight);
    const toDelta = (candidate) => describe(judging, base, candidate);
    return {
        worse: worse.slice(0, MOST_ROWS).map(toDelta),
        better: better.slice(0, MOST_ROWS).map(toDelta),
        counts,
    };
}
function weigh(judging, metric, base, shared) {
    const left = judging.head.column(metric).mean;
    const right = base.column(metric).mean;
    const sign = judging.lowerIsBetter(metric) ? -1 : 1;
    let low = Infinity;
    let high = -Infinity;
    for (const column of [left, right]) {
        for (const value of column) {
            if (value < low)
                low = value;
            if (value > high)
                high = value;
        }
    }
    const scale = sign / (high - low || 1);
    const weights = new Float64Array(shared.head.length);
    for (let i = 0; i < weights.length; i++) {
        const weight = scale * (left[shared.head[i]] - right[shared.base[i]]);
        weights[i] = weight === weight ? Math.round(weight * 1e9) / 1e9 : 0;
    }
    return weights;
}
function lowest(weights) {
    const negative = weights.filter((weight) => weight < 0).sort();
    const limit = negative[Math.min(MOST_ROWS, negative.length) - 1] ?? -Infinity;
    const positions = [];
    let ties = Math.min(MOST_ROWS, negative.length);
    for (let at = 0; at < negative.length && negative[at] < limit; at++)
        ties--;
    weights.forEach((weight, i) => {
        if (weight < limit)
            positions.push(i);
        else if (weight === limit && weight < 0 && ties-- > 0)
            positions.push(i);
    });
    positions.sort((a, b) => weights[a] - weights[b] || a - b);
    return { positions, count: negative.length };
}
function describe(judging, base, { metric, h, b }) {
    const { index } = judging.head;
    const row = typicalRow(index, {
        example: h,
        metric,
        lowerIsBetter: judging.lowerIsBetter(metric),
    });
    return {
        metric,
        input: row.preview.input || index.examples[h],
        expected: row.preview.expected,
        head_output: row.preview.output,
        head: (0,wording/* tidy */.DZ)(judging.head.column(metric).mean[h]),
        base: (0,wording/* tidy */.DZ)(base.column(metric).mean[b]),
    };
}
function typicalRow(index, { example, metric, lowerIsBetter }) {
    const parsed = (0,gate_metric/* parseMetric */.uo)(metric);
    let worst = index.table.rows[index.order[index.start[example]]];
    const badness = (row) => {
        const value = (0,gate_metric/* valueOf */.RP)(row, parsed);
        return Number.isNaN(value) ? -Infinity : lowerIsBetter ? value : -value;
    };
    for (let at = index.start[example] + 1; at < index.start[example + 1]; at++) {
        const row = index.table.rows[index.order[at]];
        const more = badness(row) - badness(worst);
        if (more > 0 || (!(more < 0) && row.preview.output < worst.preview.output))
            worst = row;
    }
    return worst;
}
function listUnshared(index, shared) {
    const has = new Uint8Array(index.examples.length);
    for (const e of shared)
        has[e] = 1;
    return index.examples.flatMap((example, e) => {
        if (has[e] === 1)
            return [];
        return [index.table.rows[index.order[index.start[e]]].preview.input || example];
    });
}

// EXTERNAL MODULE: ./build/gate/side.js
var side = __webpack_require__(2395);
;// CONCATENATED MODULE: ./build/gate/judge.js








function judgeGates({ head, base, gates, }) {
    const judging = (0,side/* createJudging */.Rt)(head, gates);
    const { untagged } = judging;
    const problems = [...checkMetrics({ head, base, gates }), ...checkTags(head, gates)];
    const nothing = { worse: [], better: [], changed: {}, newRows: [], missingRows: [] };
    const used = base === null ? null : { table: base, side: (0,side/* createSide */.qB)(base) };
    const shared = used === null ? null : (0,side/* shareExamples */.Vf)(judging.head.index, used.side.index);
    const drops = gates.rules.filter((rule) => rule.kind === "drop");
    const { comparison, report } = compare({ judging, used, shared });
    const baseline = base === null && drops.length === 0 ? null : report;
    const overlap = used === null || shared === null
        ? null
        : { both: shared.base.length, all: used.side.index.examples.length };
    const warnings = warn({ judging, untagged, base, report: baseline, overlap });
    if (problems.length > 0)
        return { problems, gates: [], verdict: "none", ...nothing, baseline, warnings };
    const dropReports = judgeDrops(judging, drops, comparison);
    const asked = [
        ...gates.rules.map((rule) => rule.kind === "floor" ? (0,floor/* judgeFloor */.O1)(judging, rule) : dropReports[drops.indexOf(rule)]),
        ...gates.must_pass.map((item) => judgeMustPass(judging, item)),
    ];
    const reports = gates.min_rows === 1 && asked.some(({ verdict }) => verdict === "fail")
        ? asked
        : [...checkRows(judging), ...asked];
    const changes = comparison.state === "used" ? listChanges(judging, comparison.base, comparison.shared) : null;
    return {
        problems: [],
        gates: reports.map(inOrder),
        verdict: worstVerdict(reports.map((gate) => gate.verdict)),
        worse: changes?.worse ?? [],
        better: changes?.better ?? [],
        changed: changes?.counts ?? {},
        newRows: shared === null ? [] : listUnshared(judging.head.index, shared.head),
        missingRows: shared === null || used === null ? [] : listUnshared(used.side.index, shared.base),
        baseline,
        warnings,
    };
}
function inOrder(gate) {
    const { metric, rule, verdict, n, n_dropped, repeats, head, base, delta, ci, p, method, alpha, mde, reason, } = gate;
    return {
        metric,
        rule,
        verdict,
        n,
        n_dropped,
        repeats,
        head,
        base,
        delta,
        ci,
        p,
        method,
        alpha,
        mde,
        reason,
    };
}
function worstVerdict(verdicts) {
    return (["fail", "inconclusive", "pass"].find((verdict) => verdicts.includes(verdict)) ??
        "none");
}
const MAX_SHOWN = 50;
const MAX_SHOWN_CHARS = 80;
function checkMetrics({ head, base, gates, }) {
    const seen = (0,gate_metric/* metricsOf */.Ps)(head);
    if (seen.length === 0)
        return [];
    const known = new Set([...seen, ...(base === null ? [] : (0,gate_metric/* metricsOf */.Ps)(base))]);
    const all = [...known].sort();
    const shown = all
        .slice(0, MAX_SHOWN)
        .map((key) => (key.length > MAX_SHOWN_CHARS ? `${key.slice(0, MAX_SHOWN_CHARS)}…` : key))
        .concat(all.length > MAX_SHOWN ? [`${all.length - MAX_SHOWN} more`] : []);
    const rules = [...gates.rules, ...gates.must_pass.flatMap((item) => item.require)];
    return rules.flatMap((rule) => {
        const metric = (0,gate_metric/* parseMetric */.uo)(rule.metric);
        const key = metric.kind === "score" || metric.kind === "pass" ? metric.key : null;
        if (key === null || known.has(key))
            return [];
        const near = (0,suggestion/* nearestWord */.z)(key, [...all, ...gate_metric/* DERIVED_METRICS */.Os]);
        return [
            {
                ...rule.at,
                level: "error",
                path: rule.metric,
                message: `${key} is not in ${head.file}${near === undefined ? "" : ` (did you mean ${near}?)`}; metrics seen: ${shown.join(", ")}; always there: ${gate_metric/* DERIVED_METRICS */.Os.join(", ")}`,
            },
        ];
    });
}
function checkTags(head, gates) {
    const tag = gates.cluster_by;
    if (tag === null ||
        head.rows.length === 0 ||
        head.rows.some((row) => row.tags[tag] !== undefined))
        return [];
    const tags = [...new Set(head.rows.flatMap((row) => Object.keys(row.tags)))].sort();
    const seen = tags.length === 0
        ? "the rows have no such fields"
        : `fields seen: ${tags.slice(0, 20).join(", ")}`;
    return [
        {
            ...gates.at,
            level: "error",
            path: "cluster_by",
            message: `no row of ${head.file} has ${tag}; ${seen}`,
        },
    ];
}
function checkRows({ head: { index }, gates }) {
    if (gates.rules.length === 0 && gates.must_pass.length === 0 && gates.min_rows === 1)
        return [];
    const usable = index.table.rows.reduce((sum, row) => sum + ((0,gate_metric/* isScored */.Lo)(row) ? 1 : 0), 0);
    const rows = index.table.rows.length;
    if (usable >= gates.min_rows)
        return [];
    const scoreless = gates.rules.length > 0 &&
        gates.rules.every(({ metric }) => ["latency", "rows", "error_rate"].includes((0,gate_metric/* parseMetric */.uo)(metric).kind));
    const ran = index.table.rows.filter((row) => !row.error).length;
    if (scoreless && ran >= gates.min_rows)
        return [];
    return [
        {
            metric: "rows",
            rule: `min_rows ${gates.min_rows}`,
            verdict: "fail",
            n: usable,
            n_dropped: rows - usable,
            repeats: index.repeats,
            head: usable,
            base: null,
            delta: null,
            ci: null,
            p: null,
            method: "count",
            alpha: gates.alpha,
            mde: null,
            reason: `${usable === 0 ? "no row" : `only ${(0,wording/* count */.U9)(usable, "row")}`} of ${rows} in the results ran without error and ${usable < 2 ? "has" : "have"} a score; at least ${(0,wording/* count */.U9)(gates.min_rows, "row")} must`,
        },
    ];
}
function compare({ judging, used, shared, }) {
    if (used === null || shared === null) {
        const message = "there is no baseline to compare with; make one with write-baseline";
        return {
            comparison: { state: "refused", message: `no-baseline: ${message}` },
            report: { file: "", commit: null, created_at: null, rows: 0, state: "no-baseline", message },
        };
    }
    const { table, side } = used;
    const about = {
        file: table.file,
        commit: table.commit,
        created_at: table.created_at,
        rows: table.rows.length,
    };
    const refusal = refuse({ judging, table, side, shared });
    if (refusal !== null)
        return {
            comparison: { state: "refused", message: refusal.message },
            report: { ...about, ...refusal },
        };
    const made = [
        table.commit === null ? "" : `commit ${(0,wording/* shortCommit */.Ax)(table.commit)}`,
        table.created_at === null ? "" : `made ${table.created_at}`,
    ].filter((part) => part !== "");
    const message = `${shared.base.length} of ${(0,wording/* count */.U9)(side.index.examples.length, "example")} shared${made.length === 0 ? "" : `, ${made.join(", ")}`}`;
    return {
        comparison: { state: "used", base: side, shared },
        report: { ...about, state: "used", message },
    };
}
function refuse({ judging, table, side, shared, }) {
    const head = judging.head.index.table;
    if (table.rows.every((row) => row.error)) {
        return {
            state: "empty",
            message: `the baseline ${table.file} holds no row that ran without error; make a new one with write-baseline`,
        };
    }
    if (table.state !== "complete") {
        return {
            state: "incomparable",
            message: `the baseline ${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}; take one of a run that ended`,
        };
    }
    if (table.judge !== null && head.judge !== null && table.judge !== head.judge) {
        return {
            state: "incomparable",
            message: `incomparable: the baseline was scored by ${table.judge}, this run by ${head.judge}; score the baseline again`,
        };
    }
    const [all, both] = [side.index.examples.length, shared.base.length];
    if (both === 0)
        return {
            state: "incomparable",
            message: `incomparable: this run and the baseline ${table.file} share no example; the dataset is another`,
        };
    if (both / all < judging.gates.min_overlap) {
        const [share, wanted] = (0,wording/* figures */.u5)((100 * both) / all, 100 * judging.gates.min_overlap);
        return {
            state: "incomparable",
            message: `incomparable: this run has ${both} of the baseline's ${all} examples (${share} %), less than the ${wanted} % that min_overlap asks for`,
        };
    }
    return null;
}
function warn({ judging, untagged, base, report, overlap, }) {
    const { table } = judging.head.index;
    const warnings = [];
    if (table.state !== "complete")
        warnings.push(`${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}: the gates judge only the rows that are there`);
    if (base !== null && report !== null && report.state !== "used")
        warnings.push(report.message);
    if (report?.state === "used" && overlap !== null && 2 * overlap.both < overlap.all)
        warnings.push(`only ${overlap.both} of the baseline's ${(0,wording/* count */.U9)(overlap.all, "example")} were run again: drops are judged on those`);
    if (untagged > 0 && untagged < judging.head.index.examples.length) {
        warnings.push(`${(0,wording/* count */.U9)(untagged, "example")} of ${table.file} ${untagged === 1 ? "has" : "have"} no ${judging.gates.cluster_by}: each counts as a cluster of its own`);
    }
    const metrics = new Set(judging.gates.rules
        .map((rule) => (0,gate_metric/* parseMetric */.uo)(rule.metric))
        .flatMap((metric) => (metric.kind === "score" ? [metric.key] : [])));
    for (const metric of metrics) {
        const missing = table.rows.reduce((sum, row) => sum + (!row.error && row.scores[metric] === undefined ? 1 : 0), 0);
        if (missing > 0 && missing < table.rows.length)
            warnings.push(`${(0,wording/* count */.U9)(missing, "row")} of ${table.file} ran without error but ${missing === 1 ? "has" : "have"} no ${metric}`);
    }
    const gated = new Set(judging.gates.rules.map((rule) => rule.metric));
    for (const metric of Object.keys(judging.gates.direction)) {
        if (!gated.has(metric))
            warnings.push(`direction names ${metric}, which no gate uses`);
    }
    return warnings;
}


/***/ }),

/***/ 7866:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DS: () => (/* binding */ isRowFloor),
/* harmony export */   MJ: () => (/* binding */ parseGates)
/* harmony export */ });
/* unused harmony export gateSchema */
/* harmony import */ var _spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(176);
/* harmony import */ var _spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6627);
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5264);
/* harmony import */ var _rule_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3954);




const DEFAULTS = {
    direction: {},
    alpha: 0.05,
    cluster_by: null,
    must_pass: [],
    min_rows: 1,
    min_overlap: 0.2,
};
const KEYS = [
    "gates",
    "direction",
    "alpha",
    "cluster_by",
    "must_pass",
    "min_rows",
    "min_overlap",
];
const TAG_ALONE = /^(inputs|run_metadata)\.[^\s:=]+$/u;
const TAG = /^(inputs|run_metadata)\.\S/u;
function parseGates({ text, file, }) {
    return isGateFile(text) ? parseGateFile(text, file) : parseInline(text, file);
}
function isGateFile(text) {
    const first = text
        .split(/\r\n|\r|\n/u)
        .find((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
    return (first !== undefined &&
        (/^\uFEFF?((?:"[\w-]+"|'[\w-]+'|[\w-]+)\s*:(\s|$)|---|\{|%)/u.test(first) ||
            !(0,_rule_js__WEBPACK_IMPORTED_MODULE_1__/* .isInlineGate */ .R)(text)));
}
function parseInline(text, file) {
    const at = { file, line: 1, column: 1 };
    const { rules, problems } = (0,_rule_js__WEBPACK_IMPORTED_MODULE_1__/* .parseGateLines */ .G)({ text, at });
    if (problems.length > 0)
        return { state: "problems", problems };
    return { state: "parsed", gates: { ...DEFAULTS, rules, at } };
}
function isRowFloor({ kind, metric }) {
    const of = (0,_metric_js__WEBPACK_IMPORTED_MODULE_2__/* .parseMetric */ .uo)(metric).kind;
    return kind === "floor" && (of === "score" || of === "latency");
}
function parseGateFile(text, file) {
    const { documents, problems: broken } = (0,_spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__/* .parseYaml */ .h)(text, file);
    if (broken.length > 0)
        return { state: "problems", problems: broken };
    const problems = [];
    const reading = {
        problems,
        addDiagnostic: (at, path, message) => problems.push({ ...at, level: "error", path, message }),
    };
    const [root, second] = documents;
    const top = { file, line: 1, column: 1 };
    if (second !== undefined)
        reading.addDiagnostic(second.at, "", "a gate file is one YAML document; put all gates into one");
    if (root?.kind === "map") {
        const gates = readSet(reading, root);
        return problems.length > 0
            ? {
                state: "problems",
                problems: problems.sort((a, b) => a.line - b.line || a.column - b.column),
            }
            : { state: "parsed", gates };
    }
    reading.addDiagnostic(root?.at ?? top, "", "a gate file is a YAML mapping; write `gates:` and the gate lines below it");
    return { state: "problems", problems };
}
function didYouMean(word, known) {
    const near = (0,_spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__/* .nearestWord */ .z)(word, known);
    return near === undefined ? "" : ` (did you mean ${near}?)`;
}
function readSet(reading, root) {
    const found = new Map();
    for (const { key, keyAt, value } of root.entries) {
        if (!KEYS.some((known) => known === key))
            reading.addDiagnostic(keyAt, key, `unknown key${didYouMean(key, KEYS)}; a gate file takes ${KEYS.join(", ")}`);
        else if (value.kind !== "scalar" || value.value !== null)
            found.set(key, value);
    }
    const rules = readRules(reading, found.get("gates"), "gates");
    const must = found.get("must_pass");
    const set = {
        rules,
        at: root.at,
        direction: readDirection(reading, found.get("direction")),
        alpha: readNumber(reading, found.get("alpha"), {
            path: "alpha",
            fallback: DEFAULTS.alpha,
            fits: (n) => n > 0 && n <= 0.5,
            wants: "a number above 0 and at most 0.5, such as 0.05",
        }),
        cluster_by: readTag(reading, found.get("cluster_by")),
        must_pass: must === undefined
            ? []
            : (must.kind === "list" ? must.items : [must]).flatMap((node, at) => readMustPass(reading, node, must.kind === "list" ? `must_pass[${at}]` : "must_pass")),
        min_rows: readNumber(reading, found.get("min_rows"), {
            path: "min_rows",
            fallback: DEFAULTS.min_rows,
            fits: (n) => Number.isSafeInteger(n) && n >= 1,
            wants: "a whole number of rows, 1 or more",
        }),
        min_overlap: readNumber(reading, found.get("min_overlap"), {
            path: "min_overlap",
            fallback: DEFAULTS.min_overlap,
            fits: (n) => n >= 0 && n <= 1,
            wants: "a share between 0 and 1, such as 0.8 or 80%",
        }),
    };
    if (rules.length === 0 &&
        must === undefined &&
        !found.has("min_rows") &&
        reading.problems.length === 0)
        reading.addDiagnostic(root.at, "gates", "the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it");
    const floors = rules.some(isRowFloor);
    for (const item of set.must_pass) {
        if (item.require.length === 0 && !floors)
            reading.addDiagnostic(item.at, "must_pass", "there is no floor for its rows to meet; add `require: correctness >= 1`");
    }
    return set;
}
function readRules(reading, node, path) {
    if (node === undefined)
        return [];
    const items = node.kind === "list" ? node.items : [node];
    return items.flatMap((item, at) => {
        const here = node.kind === "list" ? `${path}[${at}]` : path;
        if (item.kind !== "scalar" || typeof item.value !== "string") {
            reading.addDiagnostic(item.at, here, "takes gate lines; write `- correctness >= 0.85`");
            return [];
        }
        const locate = item.locate;
        const { rules, problems } = (0,_rule_js__WEBPACK_IMPORTED_MODULE_1__/* .parseGateLines */ .G)({
            text: item.value,
            at: item.at,
            path: here,
            placeOf: (rule) => locate?.(rule),
        });
        reading.problems.push(...problems);
        return rules;
    });
}
function readDirection(reading, node) {
    const direction = {};
    if (node === undefined)
        return direction;
    if (node.kind !== "map") {
        reading.addDiagnostic(node.at, "direction", "takes a mapping; write `hallucination: lower`");
        return direction;
    }
    for (const { key, value } of node.entries) {
        const word = value.kind === "scalar" ? value.value : null;
        if (word === "lower" || word === "higher")
            direction[key] = word;
        else
            reading.addDiagnostic(value.at, `direction.${key}`, "takes lower or higher, the side that is better");
    }
    return direction;
}
function readNumber(reading, node, field) {
    if (node === undefined)
        return field.fallback;
    const raw = node.kind === "scalar" ? node.value : null;
    const share = typeof raw === "string" ? /^(\d+(?:\.\d+)?)\s*%$/u.exec(raw) : null;
    const value = share ? Number(share[1]) / 100 : raw;
    if (typeof value === "number" && field.fits(value))
        return value;
    reading.addDiagnostic(node.at, field.path, `takes ${field.wants}`);
    return field.fallback;
}
function readTag(reading, node) {
    if (node === undefined)
        return null;
    const value = node.kind === "scalar" ? node.value : null;
    if (typeof value === "string" && TAG.test(value))
        return value;
    reading.addDiagnostic(node.at, "cluster_by", "takes one field of the rows; write inputs.x or run_metadata.x");
    return null;
}
function readMustPass(reading, node, path) {
    if (node.kind === "scalar" && typeof node.value === "string" && TAG_ALONE.test(node.value))
        return [{ select: { [node.value]: [] }, require: [], at_least: null, at: node.at }];
    if (node.kind !== "map") {
        reading.addDiagnostic(node.at, path, "takes a mapping, or the field that marks the rows; write `run_metadata.tier: critical` or `run_metadata.critical`");
        return [];
    }
    const select = {};
    let require = [];
    let atLeast = null;
    for (const entry of node.entries) {
        const here = `${path}.${entry.key}`;
        if (entry.key === "require")
            require = readRequired(reading, entry.value, here);
        else if (entry.key === "at_least") {
            atLeast = readNumber(reading, entry.value, {
                path: here,
                fallback: 1,
                fits: (n) => Number.isSafeInteger(n) && n >= 1,
                wants: "a whole number of repeats, 1 or more",
            });
        }
        else if (TAG.test(entry.key))
            select[entry.key] = readValues(reading, entry, here);
        else
            reading.addDiagnostic(entry.keyAt, here, `unknown key${didYouMean(entry.key, ["require", "at_least"])}; choose rows by inputs.x or run_metadata.x, and add require or at_least`);
    }
    if (Object.keys(select).length === 0)
        reading.addDiagnostic(node.at, path, "chooses no rows; write `run_metadata.tier: critical` or `inputs.id: [a, b]`");
    return [{ select, require, at_least: atLeast, at: node.at }];
}
function readRequired(reading, node, path) {
    const rules = readRules(reading, node, path);
    for (const rule of rules) {
        if (!isRowFloor(rule)) {
            reading.addDiagnostic(rule.at, path, `\`${rule.text}\` is nothing that one row can meet; write \`correctness >= 1\``);
        }
    }
    return rules;
}
function readValues(reading, { value }, path) {
    const nodes = value.kind === "list" ? value.items : [value];
    const values = nodes.flatMap((node) => node.kind === "scalar" && node.value !== null ? [String(node.value)] : []);
    if (values.length === 0 || values.length < nodes.length)
        reading.addDiagnostic(value.at, path, "takes a value or a list of values; write `[a, b]`");
    return values;
}
function gateSchema() {
    const lines = {
        description: "Gate lines, such as `correctness >= 0.85`, `latency_p95 <= 4s` or `correctness drop <= 0.02`.",
        oneOf: [{ type: "string" }, { type: "array", items: { type: "string", pattern: "[<>≥≤]" } }],
    };
    const scalar = { type: ["string", "number", "boolean"] };
    const marked = {
        type: "string",
        pattern: "^(inputs|run_metadata)\\.[^\\s:=]+$",
        description: "Field that marks the rows: any value but false, 0 and the empty text.",
    };
    const mustPass = {
        type: "object",
        minProperties: 1,
        additionalProperties: false,
        properties: {
            require: {
                ...lines,
                description: "What each row must score; default: the floors in `gates`.",
            },
            at_least: {
                type: "integer",
                minimum: 1,
                description: "Repeats of an example that must pass; default: all.",
            },
        },
        patternProperties: {
            "^(inputs|run_metadata)\\..": {
                oneOf: [scalar, { type: "array", items: scalar, minItems: 1 }],
            },
        },
    };
    return {
        $schema: "http://json-schema.org/draft-07/schema#",
        title: "agent-deploy gate file",
        type: "object",
        additionalProperties: false,
        properties: {
            gates: lines,
            direction: {
                type: "object",
                additionalProperties: { enum: ["lower", "higher"] },
                description: "Which side is better, by metric.",
            },
            alpha: {
                type: "number",
                exclusiveMinimum: 0,
                maximum: 0.5,
                default: DEFAULTS.alpha,
                description: "Accepted chance of failing an unchanged agent, over all drops together.",
            },
            cluster_by: {
                type: "string",
                pattern: "^(inputs|run_metadata)\\..",
                description: "Rows with the same value share luck: one document, one conversation.",
            },
            must_pass: {
                description: "Rows that must pass whatever the averages say.",
                oneOf: [marked, mustPass, { type: "array", items: { oneOf: [marked, mustPass] } }],
            },
            min_rows: {
                type: "integer",
                minimum: 1,
                default: DEFAULTS.min_rows,
                description: "Fewest rows that did not error.",
            },
            min_overlap: {
                description: "Smallest share of the baseline's examples that the new results must have too.",
                default: DEFAULTS.min_overlap,
                oneOf: [
                    { type: "number", minimum: 0, maximum: 1 },
                    { type: "string", pattern: "^\\d+(\\.\\d+)?\\s*%$" },
                ],
            },
        },
    };
}


/***/ }),

/***/ 5264:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DP: () => (/* binding */ shareAbove),
/* harmony export */   IP: () => (/* binding */ sorted),
/* harmony export */   Lo: () => (/* binding */ isScored),
/* harmony export */   Os: () => (/* binding */ DERIVED_METRICS),
/* harmony export */   Ps: () => (/* binding */ metricsOf),
/* harmony export */   RP: () => (/* binding */ valueOf),
/* harmony export */   kg: () => (/* binding */ gather),
/* harmony export */   sm: () => (/* binding */ valuesOf),
/* harmony export */   uV: () => (/* binding */ columnOf),
/* harmony export */   ui: () => (/* binding */ isLowerBetter),
/* harmony export */   uo: () => (/* binding */ parseMetric),
/* harmony export */   zi: () => (/* binding */ createIndex)
/* harmony export */ });
const DERIVED_METRICS = [
    "error_rate",
    "latency_p50",
    "latency_p95",
    "latency_p99",
    "rows",
];
function parseMetric(name) {
    if (name === "error_rate" || name === "rows")
        return { kind: name };
    const latency = /^latency_p([1-9]\d?)$/.exec(name);
    if (latency)
        return { kind: "latency", quantile: Number(latency[1]) / 100 };
    const pass = /^pass\^([1-9]\d?)\((.+)\)$/.exec(name);
    if (pass)
        return { kind: "pass", k: Number(pass[1]), key: pass[2].trim() };
    return { kind: "score", key: name };
}
const LOWER_WORDS = [
    "error",
    "errors",
    "failure",
    "failures",
    "latency",
    "duration",
    "hallucination",
    "hallucinations",
    "toxicity",
    "toxic",
    "bias",
    "harm",
    "harmfulness",
    "cost",
    "token",
    "tokens",
    "perplexity",
    "loss",
    "wer",
    "cer",
];
function isLowerBetter({ metric, declared, operators, }) {
    if (declared !== undefined)
        return declared === "lower";
    const ceilings = operators.filter((operator) => operator.startsWith("<")).length;
    if (operators.length > 0 && (ceilings === 0 || ceilings === operators.length))
        return ceilings > 0;
    const parsed = parseMetric(metric);
    if (parsed.kind === "pass")
        return false;
    const words = metric
        .replace(/([a-z])([A-Z])/g, "$1_$2")
        .toLowerCase()
        .split(/[^a-z]+/);
    return LOWER_WORDS.some((word) => words.includes(word));
}
function isScored(row) {
    if (row.error)
        return false;
    for (const key in row.scores)
        if (Number.isFinite(row.scores[key]))
            return true;
    return false;
}
function metricsOf(table) {
    const seen = new Set();
    for (const row of table.rows)
        if (!row.error)
            for (const key in row.scores)
                seen.add(key);
    return [...seen].sort();
}
function createIndex(table) {
    const first = new Map();
    const group = new Int32Array(table.rows.length);
    table.rows.forEach((row, at) => {
        let id = first.get(row.example);
        if (id === undefined)
            first.set(row.example, (id = first.size));
        group[at] = id;
    });
    const examples = sorted([...first.keys()]);
    const rank = new Int32Array(examples.length);
    examples.forEach((example, at) => {
        rank[first.get(example)] = at;
    });
    const start = new Int32Array(examples.length + 1);
    for (const id of group)
        start[rank[id] + 1] += 1;
    for (let e = 0; e < examples.length; e++)
        start[e + 1] += start[e];
    const next = start.slice();
    const order = new Int32Array(table.rows.length);
    group.forEach((id, at) => {
        order[next[rank[id]]++] = at;
    });
    let repeats = 0;
    for (let e = 0; e < examples.length; e++)
        repeats = Math.max(repeats, start[e + 1] - start[e]);
    return { table, examples, order, start, repeats };
}
function sorted(texts) {
    for (let at = 1; at < texts.length; at++)
        if (texts[at - 1] > texts[at])
            return texts.sort();
    return texts;
}
function valueOf(row, metric) {
    if (metric.kind === "error_rate")
        return row.error ? 1 : 0;
    if (row.error)
        return NaN;
    if (metric.kind === "latency")
        return row.latency ?? NaN;
    if (metric.kind === "rows")
        return NaN;
    const score = row.scores[metric.key];
    return score === undefined || !Number.isFinite(score) ? NaN : score;
}
function columnOf(index, metric) {
    const n = index.examples.length;
    const column = {
        mean: new Float64Array(n),
        scored: new Int32Array(n),
        missing: new Int32Array(n),
        binary: true,
        within: new Float64Array(index.repeats > 1 ? n : 0),
    };
    const { order, start, table: { rows: all }, } = index;
    const values = [];
    for (let e = 0; e < n; e++) {
        if (start[e + 1] - start[e] === 1 && metric.kind !== "pass") {
            readSingle(column, e, valueOf(all[order[start[e]]], metric));
            continue;
        }
        values.length = 0;
        for (let at = start[e]; at < start[e + 1]; at++) {
            const value = valueOf(all[order[at]], metric);
            if (value !== value)
                continue;
            values.push(value);
            if (value !== 0 && value !== 1)
                column.binary = false;
        }
        const rows = start[e + 1] - start[e];
        const usable = metric.kind === "pass" && values.length < metric.k ? 0 : values.length;
        column.scored[e] = usable;
        column.missing[e] = rows - usable;
        if (usable === 0)
            column.mean[e] = NaN;
        else if (metric.kind === "pass")
            column.mean[e] = passAll(values, metric.k);
        else
            averageInto(column, e, values);
    }
    return column;
}
function readSingle(column, e, value) {
    column.mean[e] = value;
    if (value !== value)
        column.missing[e] = 1;
    else {
        column.scored[e] = 1;
        if (value !== 0 && value !== 1)
            column.binary = false;
    }
}
function averageInto(column, e, values) {
    if (values.length > 1)
        values.sort((a, b) => a - b);
    let sum = 0;
    for (const value of values)
        sum += value;
    const mean = sum / values.length;
    column.mean[e] = mean;
    if (values.length > 1)
        for (const value of values)
            column.within[e] += (value - mean) ** 2;
}
function passAll(values, k) {
    const passed = values.filter((value) => value >= 1).length;
    let chance = 1;
    for (let i = 0; i < k; i++)
        chance *= Math.max(0, passed - i) / (values.length - i);
    return chance;
}
function valuesOf({ order, start, table }, metric, examples) {
    const values = new Float64Array(table.rows.length);
    let counted = 0;
    const chosen = examples?.length ?? start.length - 1;
    for (let i = 0; i < chosen; i++) {
        const e = examples?.[i] ?? i;
        for (let at = start[e]; at < start[e + 1]; at++) {
            const value = valueOf(table.rows[order[at]], metric);
            if (value === value)
                values[counted++] = value;
        }
    }
    return values.subarray(0, counted).sort();
}
function gather(positions, value) {
    const values = new Float64Array(positions.length);
    for (let i = 0; i < values.length; i++)
        values[i] = value(positions[i]);
    return values;
}
function shareAbove({ index, metric, example, cut, }) {
    let above = 0;
    let counted = 0;
    for (let at = index.start[example]; at < index.start[example + 1]; at++) {
        const value = valueOf(index.table.rows[index.order[at]], metric);
        if (value !== value)
            continue;
        counted++;
        if (value > cut)
            above++;
    }
    return counted === 0 ? 0 : above / counted;
}


/***/ }),

/***/ 9465:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $D: () => (/* binding */ pairedInterval),
/* harmony export */   Ns: () => (/* binding */ FEWEST_PAIRS),
/* harmony export */   fU: () => (/* binding */ holm),
/* harmony export */   pw: () => (/* binding */ detectableFactor),
/* harmony export */   yy: () => (/* binding */ testPaired),
/* harmony export */   yz: () => (/* binding */ lowerBound)
/* harmony export */ });
/* unused harmony exports mcNemar, signFlip */
/* harmony import */ var _distribution_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5778);
/* harmony import */ var _interval_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(865);


const FEWEST_PAIRS = 10;
const MOST_EXACT = 30;
const FEWEST_CHANGED_FOR_T = 10;
const SLACK = 1e-12;
const POWER = 0.8;
function testPaired({ values, clusterOf }) {
    const mean = (0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .meanOf */ .hm)(values);
    const n = values.length;
    if (clusterOf !== null) {
        const { se: spread, clusters } = (0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .clusteredError */ .gi)(values, mean, clusterOf);
        if (clusters < 2)
            return null;
        const se = settled(spread, mean);
        const df = clusters - 1;
        return {
            mean,
            se,
            df,
            p: studentTail({ mean, se, df }),
            method: `paired t, ${clusters} clusters, df ${df}`,
        };
    }
    const se = settled((0,_interval_js__WEBPACK_IMPORTED_MODULE_0__/* .standardError */ .gU)(values, mean), mean);
    const df = n - 1;
    const changed = values.filter((value) => value !== 0);
    if (changed.every((value) => value === 1 || value === -1))
        return { mean, se, df, p: mcNemar(changed), method: "exact McNemar" };
    if (n <= MOST_EXACT || changed.length < FEWEST_CHANGED_FOR_T) {
        return {
            mean,
            se,
            df,
            p: signFlip(changed),
            method: `exact sign-flip, ${changed.length} changed`,
        };
    }
    return { mean, se, df, p: studentTail({ mean, se, df }), method: `paired t, df ${df}` };
}
function settled(se, mean) {
    return se < SLACK * Math.abs(mean) ? 0 : se;
}
function studentTail({ mean, se, df, }) {
    if (se === 0)
        return mean < 0 ? 0.5 ** (df + 1) : 1;
    return (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .studentCdf */ .Rf)(mean / se, df);
}
function mcNemar(changed) {
    let worse = 0;
    for (let i = 0; i < changed.length; i++)
        if (changed[i] < 0)
            worse++;
    return (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .binomialUpperTail */ .Yw)(worse, changed.length, 0.5);
}
function signFlip(changed) {
    const sizes = Float64Array.from(changed, Math.abs).sort();
    let seen = 0;
    let scale = 0;
    for (const value of Float64Array.from(changed).sort((a, b) => Math.abs(a) - Math.abs(b))) {
        seen += value;
        scale += Math.abs(value);
    }
    const low = patternSums(sizes.filter((_, at) => at % 2 === 0)).sort();
    const high = patternSums(sizes.filter((_, at) => at % 2 === 1)).sort();
    const limit = seen + scale * 1e-12;
    let count = 0;
    let fits = high.length;
    for (const sum of low) {
        while (fits > 0 && sum + high[fits - 1] > limit)
            fits--;
        count += fits;
    }
    return count / (low.length * high.length);
}
function patternSums(sizes) {
    const sums = new Float64Array(2 ** sizes.length);
    sizes.forEach((size, bit) => {
        const half = 1 << bit;
        for (let at = 0; at < half; at++) {
            sums[at + half] = sums[at] + size;
            sums[at] -= size;
        }
    });
    return sums;
}
function pairedInterval({ mean, se, df }, confidence) {
    const half = (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .studentQuantile */ .FI)((1 + confidence) / 2, df) * se;
    return [mean - half, mean + half];
}
function lowerBound({ mean, se, df }, alpha) {
    return mean - (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .studentQuantile */ .FI)(1 - alpha, df) * se;
}
function detectableFactor(alpha) {
    return (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .normalQuantile */ .Zl)(1 - alpha) + (0,_distribution_js__WEBPACK_IMPORTED_MODULE_1__/* .normalQuantile */ .Zl)(POWER);
}
function holm(ps) {
    const order = ps.map((_, at) => at).sort((a, b) => ps[a] - ps[b] || a - b);
    const adjusted = new Array(ps.length);
    let largest = 0;
    order.forEach((at, rank) => {
        largest = Math.max(largest, Math.min(1, (ps.length - rank) * ps[at]));
        adjusted[at] = largest;
    });
    return adjusted;
}


/***/ }),

/***/ 3954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ parseGateLines),
/* harmony export */   R: () => (/* binding */ isInlineGate)
/* harmony export */ });
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5264);

const UNITS = {
    "%": 0.01,
    ms: 0.001,
    s: 1,
    m: 60,
    min: 60,
    h: 3600,
};
const SHAPE = "write `metric >= 0.85`, `metric <= 4s` or `metric drop <= 0.02`";
const LINE = /^(?:"([^"]+)"|'([^']+)'|([^"'].*?))(\s+drop)?\s*(>=|<=|=>|=<|==|≥|≤|>|<|=)\s*(.*)$/u;
const MAX_RULE_CHARS = 1000;
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/iu;
function isInlineGate(text) {
    return /[<>≥≤=]|\n/u.test(text.trim());
}
function segmentsOf(line) {
    const segments = [];
    let start = 0;
    let quote = "";
    let at = 0;
    const close = () => {
        const raw = line.slice(start, at);
        if (raw.trim() !== "")
            segments.push({ text: raw.trim(), column: start + raw.length - raw.trimStart().length });
        start = at + 1;
    };
    for (; at < line.length; at++) {
        const char = line[at];
        if (quote !== "")
            quote = char === quote ? "" : quote;
        else if ((char === '"' || char === "'") &&
            line.slice(start, at).trim() === "" &&
            line.indexOf(char, at + 1) > 0)
            quote = char;
        else if (char === "#" && (at === 0 || /\s/u.test(line[at - 1])))
            break;
        else if (char === ",")
            close();
    }
    close();
    return segments;
}
function parseGateLines({ text, at, path = "gate", placeOf, }) {
    const rules = [];
    const problems = [];
    text.split(/\r\n|\r|\n/u).forEach((line, index) => {
        for (const segment of segmentsOf(line)) {
            const column = index === 0 ? at.column + segment.column : segment.column + 1;
            const place = placeOf?.(segment.text) ?? { file: at.file, line: at.line + index, column };
            const rule = parseRule(segment.text, place);
            if (typeof rule === "string")
                problems.push({ ...place, level: "error", path, message: rule });
            else
                rules.push(rule);
        }
    });
    return { rules, problems };
}
function parseRule(text, at) {
    if (text.length > MAX_RULE_CHARS)
        return `\`${text.slice(0, 60)}…\` is longer than the ${MAX_RULE_CHARS} characters of a gate; ${SHAPE}`;
    const match = LINE.exec(text);
    if (!match)
        return `\`${text}\` is no gate; ${SHAPE}${/^[\d.]+$/u.test(text) ? " (decimals take a point, a comma starts the next gate)" : ""}`;
    const metric = (match[1] ?? match[2] ?? match[3]).trim();
    const sign = match[5];
    const operator = sign === "≥" ? ">=" : sign === "≤" ? "<=" : sign;
    if (operator !== ">=" && operator !== "<=" && operator !== ">" && operator !== "<") {
        return `\`${text}\`: ${sign} is no comparison here; write >= or <=`;
    }
    const kind = match[4] === undefined ? "floor" : "drop";
    const threshold = parseThreshold({ raw: match[6].trim(), metric, kind, text });
    if (typeof threshold === "string")
        return threshold;
    if (kind === "drop") {
        if (operator !== "<=" && operator !== "<")
            return `\`${text}\`: a drop has an upper limit; write \`${metric} drop <= …\``;
        if (threshold < 0)
            return `\`${text}\`: an allowed drop is 0 or more, in either direction; write it without the minus`;
        if (metric === "rows")
            return `\`${text}\`: rows have no drop; write \`rows >= …\`, or min_overlap in a gate file`;
    }
    return { metric, kind, operator, threshold, text, at };
}
function parseThreshold({ raw, metric, kind, text, }) {
    const match = NUMBER.exec(raw);
    const unit = match?.[2] ?? "";
    if (!match || (unit !== "" && UNITS[unit] === undefined)) {
        return `\`${text}\`: \`${raw}\` is no number; write 0.85, 85%, 4s or 500ms`;
    }
    const { kind: of } = (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .parseMetric */ .uo)(metric);
    if (unit === "%" && (of === "latency" || of === "rows")) {
        return `\`${text}\`: a percentage of ${of === "rows" ? "rows" : "a latency"} has no fixed size; write ${of === "rows" ? "a number" : "seconds, such as 0.4s"}`;
    }
    if (unit !== "" && unit !== "%" && of !== "latency" && of !== "score")
        return `\`${text}\`: ${metric} is no time; write a number`;
    const value = Number(match[1]);
    const threshold = unit === "%" ? value / 100 : unit === "" ? value : value * UNITS[unit];
    if (!Number.isFinite(threshold))
        return `\`${text}\`: \`${raw}\` is too large`;
    if ((of === "error_rate" || of === "pass") && (threshold < 0 || threshold > 1)) {
        const hint = unit === "" && value > 1 && value <= 100
            ? `; did you mean ${raw}%?`
            : "; write a number such as 0.02";
        return `\`${text}\`: ${metric} lies between 0 and 1${kind === "drop" ? ", and so does its drop" : ""}${hint}`;
    }
    return threshold;
}


/***/ }),

/***/ 2395:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Rt: () => (/* binding */ createJudging),
/* harmony export */   Vf: () => (/* binding */ shareExamples),
/* harmony export */   qB: () => (/* binding */ createSide)
/* harmony export */ });
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5264);

function createSide(table) {
    const index = (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .createIndex */ .zi)(table);
    const columns = new Map();
    return {
        index,
        column: (metric) => {
            const known = columns.get(metric);
            if (known !== undefined)
                return known;
            const column = (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .columnOf */ .uV)(index, (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .parseMetric */ .uo)(metric));
            columns.set(metric, column);
            return column;
        },
    };
}
function shareExamples(head, base) {
    const inHead = [];
    const inBase = [];
    for (let h = 0, b = 0; h < head.examples.length && b < base.examples.length;) {
        const left = head.examples[h];
        const right = base.examples[b];
        if (left === right) {
            inHead.push(h++);
            inBase.push(b++);
        }
        else if (left < right)
            h++;
        else
            b++;
    }
    return { head: Int32Array.from(inHead), base: Int32Array.from(inBase) };
}
function clustersOf(index, tag) {
    const numbers = new Map();
    const of = new Int32Array(index.examples.length);
    let untagged = 0;
    for (let e = 0; e < of.length; e++) {
        let value;
        for (let at = index.start[e]; at < index.start[e + 1]; at++) {
            const found = index.table.rows[index.order[at]].tags[tag];
            if (found !== undefined && (value === undefined || found < value))
                value = found;
        }
        if (value === undefined) {
            untagged++;
            of[e] = -untagged;
        }
        else {
            if (!numbers.has(value))
                numbers.set(value, numbers.size);
            of[e] = numbers.get(value);
        }
    }
    return { of, untagged };
}
function createJudging(table, gates) {
    const head = createSide(table);
    const clusters = gates.cluster_by === null ? null : clustersOf(head.index, gates.cluster_by);
    const lowerIsBetter = (metric) => (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .isLowerBetter */ .ui)({
        metric,
        declared: Object.hasOwn(gates.direction, metric) ? gates.direction[metric] : undefined,
        operators: gates.rules
            .filter((rule) => rule.kind === "floor" && rule.metric === metric)
            .map((rule) => rule.operator),
    });
    return {
        gates,
        head,
        clusterOf: clusters?.of ?? null,
        lowerIsBetter,
        untagged: clusters?.untagged ?? 0,
    };
}


/***/ }),

/***/ 1638:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ax: () => (/* binding */ shortCommit),
/* harmony export */   DZ: () => (/* binding */ tidy),
/* harmony export */   Dz: () => (/* binding */ chance),
/* harmony export */   U9: () => (/* binding */ count),
/* harmony export */   jZ: () => (/* binding */ atLeast),
/* harmony export */   q$: () => (/* binding */ amounts),
/* harmony export */   u5: () => (/* binding */ figures)
/* harmony export */ });
/* harmony import */ var _metric_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5264);

function figures(...values) {
    const largest = Math.max(...values.map(Math.abs));
    const different = new Set(values.map((value) => tidy(value))).size;
    for (let decimals = largest >= 1000 ? 0 : largest >= 100 ? 1 : 2; decimals < 10; decimals++) {
        const shown = values.map((value) => String(Number(value.toFixed(decimals)) + 0));
        const hidden = shown.some((text, at) => text === "0" && Math.abs(values[at]) > 1e-9);
        if (!hidden && new Set(shown).size >= different)
            return shown;
    }
    return values.map((value) => String(tidy(value)));
}
function amounts(metric, ...values) {
    const unit = (0,_metric_js__WEBPACK_IMPORTED_MODULE_0__/* .parseMetric */ .uo)(metric).kind === "latency" ? " s" : "";
    return figures(...values).map((figure) => figure + unit);
}
function tidy(value) {
    return Number.isFinite(value) ? Number(value.toPrecision(12)) + 0 : value;
}
function count(n, singular, plural = `${singular}s`) {
    return `${n} ${n === 1 ? singular : plural}`;
}
function chance(p) {
    if (p >= 0.45)
        return "in about every second run of an unchanged agent, or more often";
    if (p < 1e-6)
        return "in fewer than 1 of a million runs of an unchanged agent";
    return `in about 1 of ${roughly(1 / p)} runs of an unchanged agent`;
}
function roughly(value) {
    return value < 10 ? Math.round(value) : Number(value.toPrecision(2));
}
function atLeast(value) {
    const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
    return Math.ceil(value / step - 1e-9) * step;
}
function shortCommit(commit) {
    return /^[0-9a-f]{12,64}$/u.test(commit) ? commit.slice(0, 7) : commit;
}


/***/ }),

/***/ 9327:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ mergeReports),
/* harmony export */   M: () => (/* binding */ sumRowCounts)
/* harmony export */ });
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7177);

function mergeReports(reports, planned = []) {
    const latest = withoutOlder(reports);
    const legs = latest.filter((report) => report.command !== "plan");
    const plans = latest.filter((report) => report.command === "plan");
    const told = new Map((legs.length === 0 ? plans : legs).flatMap((report) => report.deployments.map((one) => [one.name, one])));
    const deployments = new Map();
    for (const one of plans.flatMap((report) => report.deployments)) {
        const leg = told.get(one.name);
        deployments.set(one.name, leg ?? (hasWork(one) ? missing(one.name, one) : one));
    }
    for (const name of planned)
        if (!deployments.has(name))
            deployments.set(name, told.get(name) ?? missing(name, null));
    for (const [name, one] of told)
        if (!deployments.has(name))
            deployments.set(name, one);
    return {
        ...gather(latest, legs.length === 0 ? plans : legs, plans),
        ...outcomes([...deployments.values()], latest),
    };
}
function hasWork(one) {
    return one.action !== "none" && one.action !== "blocked";
}
function missing(name, plan) {
    return {
        name,
        id: plan?.id ?? null,
        action: plan?.action ?? "none",
        outcome: "failed",
        reason: "no-report",
        message: "The plan has this deployment, but no report of it arrived: its job did not start, was killed, or did not keep its report file.",
        next: [
            "Look at the job of this deployment, and re-run it",
            "Keep its report with actions/upload-artifact under `if: always()`, and pass it in `reports`",
        ],
        revision_id: null,
        previous_revision_id: null,
        revision_status: null,
        url: plan?.url ?? "",
        changes: plan?.changes ?? [],
        plan: plan?.plan ?? null,
        changed: false,
        timeline: [],
        warnings: [],
        notes: [],
        log_tail: [],
    };
}
function withoutOlder(reports) {
    const keys = reports.map((report) => new Set(report.deployments.length > 0
        ? report.deployments.map((one) => `d ${report.command} ${one.name}`)
        : report.experiments.map((one) => `e ${report.command} ${one.file}`)));
    const later = (a, b) => {
        const order = reports[a].started_at === reports[b].started_at
            ? b - a
            : reports[a].started_at < reports[b].started_at
                ? 1
                : -1;
        return order > 0;
    };
    return reports.filter((_, at) => {
        const own = keys[at];
        if (own.size === 0)
            return true;
        return !keys.some((other, against) => against !== at && later(at, against) && [...own].every((key) => other.has(key)));
    });
}
function outcomes(deployments, reports) {
    const bare = reports.filter((report) => report.deployments.length === 0 ||
        report.outcome !== (0,_report_js__WEBPACK_IMPORTED_MODULE_0__/* .worstOutcome */ .Om)(report.deployments.map((one) => one.outcome)));
    return {
        deployments,
        outcome: (0,_report_js__WEBPACK_IMPORTED_MODULE_0__/* .worstOutcome */ .Om)([
            ...deployments.map((one) => one.outcome),
            ...bare.map((report) => report.outcome),
        ]),
        changed: reports.some((report) => report.command !== "plan" && report.changed) ||
            (reports.every((report) => report.command === "plan") &&
                reports.some((report) => report.changed)),
    };
}
const unique = (lines) => [...new Set(lines)];
function gather(all, told, plans) {
    const verdicts = all.map((report) => report.gate_verdict);
    const times = (pick) => all
        .map(pick)
        .filter((time) => time !== "")
        .sort();
    return {
        version: 1,
        tool: all[0]?.tool ?? "agent-deploy",
        command: "report",
        fingerprint: (plans[0] ?? (told.length === 1 ? told[0] : undefined))?.fingerprint ?? "",
        experiments: told.flatMap((report) => report.experiments),
        gates: told.flatMap((report) => report.gates),
        gate_verdict: ["fail", "inconclusive", "pass"].find((verdict) => verdicts.includes(verdict)) ??
            "none",
        rows_worse: told.flatMap((report) => report.rows_worse),
        rows_better: told.flatMap((report) => report.rows_better),
        rows_new: told.flatMap((report) => report.rows_new),
        rows_missing: told.flatMap((report) => report.rows_missing),
        row_counts: sumRowCounts(told.map((report) => report.row_counts)),
        baseline: all.find((report) => report.baseline !== null)?.baseline ?? null,
        problems: unique(all.flatMap((report) => report.problems)),
        warnings: unique(all.flatMap((report) => report.warnings)),
        links: [
            ...new Map(all.flatMap((report) => report.links).map((one) => [one.url, one])).values(),
        ],
        started_at: times((report) => report.started_at)[0] ?? "",
        finished_at: times((report) => report.finished_at).at(-1) ?? "",
    };
}
function sumRowCounts(counts) {
    const changed = new Map();
    for (const [metric, { worse, better }] of counts.flatMap((one) => Object.entries(one.changed))) {
        const sum = changed.get(metric) ?? { worse: 0, better: 0 };
        changed.set(metric, { worse: sum.worse + worse, better: sum.better + better });
    }
    const total = (pick) => counts.reduce((sum, one) => sum + pick(one), 0);
    return {
        new: total((one) => one.new),
        missing: total((one) => one.missing),
        changed: Object.fromEntries(changed),
    };
}


/***/ })

};
;