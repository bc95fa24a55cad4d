"use strict";
exports.id = 871;
exports.ids = [871];
exports.modules = {

/***/ 3871:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runReport: () => (/* binding */ runReport)
});

// EXTERNAL MODULE: ./build/report/merge.js
var merge = __webpack_require__(9327);
// EXTERNAL MODULE: ./build/report/report.js
var report_report = __webpack_require__(7177);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(2857);
;// CONCATENATED MODULE: ./build/report/report-schema.js


const report_schema_text = schemas/* string */.YjP();
const texts = schemas/* array */.YOg(schemas/* string */.YjP());
const json = schemas/* json */.Pq9();
const verdict = schemas/* enum */.k5n(["pass", "fail", "inconclusive"]);
const action = schemas/* enum */.k5n(["create", "update", "attach", "redeploy", "none", "blocked"]);
const outcome = schemas/* enum */.k5n(report_report/* OUTCOMES */.im);
const Change = schemas/* object */.Ikc({
    path: report_schema_text.describe("Dotted, in the user's spelling."),
    before: json,
    after: json,
    effect: schemas/* enum */.k5n(["in-place", "next-build", "new-revision", "impossible"]),
    sensitive: schemas/* boolean */.zMY().describe("True: before and after are words, never values."),
});
const Plan = schemas/* object */.Ikc({
    name: report_schema_text,
    source: schemas/* enum */.k5n(["repohost", "external_container", "internal_docker", "internal_source"]),
    dialect: schemas/* enum */.k5n(["document", "hosted"]),
    id: report_schema_text.nullable(),
    action,
    changes: schemas/* array */.YOg(Change),
    blockers: schemas/* array */.YOg(schemas/* object */.Ikc({ code: report_schema_text, message: report_schema_text, path: report_schema_text.optional() })),
    revision: schemas/* enum */.k5n(["makes", "waits", "none"]),
    dropped: texts,
    unreadable: texts,
    notes: texts,
    warnings: texts,
    fingerprint: report_schema_text,
});
const Deployment = schemas/* object */.Ikc({
    name: report_schema_text,
    id: report_schema_text.nullable(),
    action,
    outcome,
    reason: report_schema_text,
    message: report_schema_text,
    next: texts,
    revision_id: report_schema_text.nullable(),
    previous_revision_id: report_schema_text.nullable(),
    revision_status: report_schema_text.nullable(),
    url: report_schema_text,
    changes: schemas/* array */.YOg(Change),
    plan: Plan.nullable(),
    changed: schemas/* boolean */.zMY(),
    timeline: schemas/* array */.YOg(schemas/* object */.Ikc({ status: report_schema_text, atMs: schemas/* number */.aig().describe("Milliseconds since the epoch.") })),
    warnings: texts,
    notes: texts,
    log_tail: texts,
    verify: schemas/* object */.Ikc({ exit_code: schemas/* number */.aig().nullable(), tail: texts }).optional(),
    rollback: schemas/* object */.Ikc({ revision_id: report_schema_text.nullable(), outcome }).optional(),
});
const Experiment = schemas/* object */.Ikc({
    file: report_schema_text,
    format: report_schema_text,
    name: report_schema_text,
    outcome: schemas/* enum */.k5n(["uploaded", "dry-run", "failed", "unknown", "gated-only"]),
    message: report_schema_text,
    rows: schemas/* number */.aig(),
    errors: schemas/* number */.aig(),
    experiment_id: report_schema_text.nullable(),
    experiment_url: report_schema_text,
    compare_url: report_schema_text,
    dataset_id: report_schema_text.nullable(),
    dataset_name: report_schema_text,
    test_run_number: schemas/* number */.aig().nullable(),
    scores: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* object */.Ikc({ mean: schemas/* number */.aig(), n: schemas/* number */.aig() })),
    warnings: texts,
});
const Gate = schemas/* object */.Ikc({
    metric: report_schema_text,
    rule: report_schema_text,
    verdict,
    n: schemas/* number */.aig(),
    n_dropped: schemas/* number */.aig(),
    repeats: schemas/* number */.aig(),
    head: schemas/* number */.aig().nullable(),
    base: schemas/* number */.aig().nullable(),
    delta: schemas/* number */.aig().nullable().describe("head - base, unflipped."),
    ci: schemas/* tuple */.PVZ([schemas/* number */.aig(), schemas/* number */.aig()]).nullable().describe("Two-sided 95 % interval."),
    p: schemas/* number */.aig().nullable().describe("One-sided, after Holm."),
    method: report_schema_text,
    alpha: schemas/* number */.aig(),
    mde: schemas/* number */.aig().nullable().describe("Smallest drop that this many rows could have shown."),
    reason: report_schema_text,
});
const RowDelta = schemas/* object */.Ikc({
    metric: report_schema_text,
    input: report_schema_text,
    expected: report_schema_text,
    head_output: report_schema_text,
    head: schemas/* number */.aig(),
    base: schemas/* number */.aig(),
});
const RowCounts = schemas/* object */.Ikc({
    new: schemas/* number */.aig().describe("Examples that only this run has."),
    missing: schemas/* number */.aig().describe("Examples that only the baseline has."),
    changed: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* object */.Ikc({ worse: schemas/* number */.aig(), better: schemas/* number */.aig() }))
        .describe("Examples whose score changed, by metric."),
});
const Baseline = schemas/* object */.Ikc({
    file: report_schema_text,
    commit: report_schema_text.nullable(),
    created_at: report_schema_text.nullable(),
    rows: schemas/* number */.aig(),
    state: schemas/* enum */.k5n(["used", "no-baseline", "incomparable", "empty"]),
    message: report_schema_text,
});
const ReportSchema = schemas/* object */.Ikc({
    version: schemas/* literal */.euz(1),
    outcome,
    changed: schemas/* boolean */.zMY(),
    deployments: schemas/* array */.YOg(Deployment),
    experiments: schemas/* array */.YOg(Experiment),
    gates: schemas/* array */.YOg(Gate),
    links: schemas/* array */.YOg(schemas/* object */.Ikc({ label: report_schema_text, url: report_schema_text })),
    tool: report_schema_text,
    command: report_schema_text,
    fingerprint: report_schema_text,
    gate_verdict: schemas/* enum */.k5n(["pass", "fail", "inconclusive", "none"]),
    rows_worse: schemas/* array */.YOg(RowDelta),
    rows_better: schemas/* array */.YOg(RowDelta),
    rows_new: texts
        .default([])
        .describe("Inputs of examples that only this run has; the first hundred."),
    rows_missing: texts
        .default([])
        .describe("Inputs, or ids, of examples that only the baseline has; the first hundred."),
    row_counts: RowCounts.default({ new: 0, missing: 0, changed: {} }),
    baseline: Baseline.nullable(),
    problems: texts,
    warnings: texts,
    started_at: report_schema_text,
    finished_at: report_schema_text,
});
function reportSchema() {
    return {
        title: "agent-deploy report",
        description: "What a run of agent-deploy did, as in its report file. Holds no secret value. Keys may be added; none is renamed within a version.",
        ...z.toJSONSchema(ReportSchema, { io: "input", target: "draft-7" }),
    };
}
function parseReport(source, file) {
    if (depthOf(source) > MAX_DEPTH)
        return {
            problem: `${file}: is nested deeper than ${MAX_DEPTH} levels, which no report is; pass report files written by agent-deploy`,
        };
    let read;
    try {
        read = JSON.parse(source.replace(/^\ufeff/, ""));
    }
    catch (error) {
        return {
            problem: `${file}: is not JSON (${String(error.message).slice(0, 120)}); pass report files written by agent-deploy`,
        };
    }
    const result = ReportSchema.safeParse(read);
    if (result.success)
        return { report: result.data };
    const [issue] = result.error.issues;
    return {
        problem: `${file}: is not a report of agent-deploy: ${issue === undefined ? "unknown shape" : `${issue.path.join(".") || "the top level"}: ${issue.message}`}; pass report files written by this version`,
    };
}
const MAX_DEPTH = 200;
function depthOf(source) {
    let [depth, deepest, quoted] = [0, 0, false];
    for (let at = 0; at < source.length; at += 1) {
        const char = source[at];
        if (quoted) {
            if (char === "\\")
                at += 1;
            else if (char === '"')
                quoted = false;
        }
        else if (char === '"')
            quoted = true;
        else if (char === "{" || char === "[")
            deepest = Math.max(deepest, (depth += 1));
        else if (char === "}" || char === "]")
            depth -= 1;
    }
    return deepest;
}

// EXTERNAL MODULE: ./build/run/report-assembly.js
var report_assembly = __webpack_require__(7447);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/commands/report.js





const MAX_REPORT_BYTES = 256 * 1024 * 1024;
async function runReport(session) {
    const { workspace, options } = session;
    if (options.reports.length === 0)
        throw new run_session/* UsageError */.e("report needs reports: the report files of the jobs");
    const reports = [];
    const problems = [];
    const paths = await workspace.expand(options.reports);
    if (paths.length === 0)
        throw new run_session/* UsageError */.e(`reports: no file matches ${options.reports.join(", ")}`);
    for (const path of paths) {
        const parsed = parseReport(await workspace.readText(path, MAX_REPORT_BYTES), path);
        if ("report" in parsed)
            reports.push(parsed.report);
        else
            problems.push(parsed.problem);
    }
    if (problems.length > 0)
        throw new run_session/* UsageError */.e(problems.join("\n"));
    const done = (0,merge/* mergeReports */.C)(reports);
    const own = (0,report_assembly/* toReport */.c)(session, {});
    const report = {
        ...done,
        command: session.command,
        links: [...done.links, ...own.links],
        finished_at: own.finished_at,
    };
    return (0,report_assembly/* toEnd */.F)(session, report, {
        gate: report.gate_verdict === "fail" ||
            (reports.some((one) => one.gate_verdict === "inconclusive" && options.onInconclusive === "fail") &&
                (0,report_report/* isGreen */.gf)(report.outcome)),
    });
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