"use strict";
exports.id = 902;
exports.ids = [902];
exports.modules = {

/***/ 4902:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ renderSummary),
/* harmony export */   renderComment: () => (/* binding */ renderComment)
/* harmony export */ });
/* harmony import */ var _deployment_section_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5015);
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9924);
/* harmony import */ var _truncation_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1672);
/* harmony import */ var _gate_section_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1142);
/* harmony import */ var _table_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1799);
/* harmony import */ var _verdict_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7254);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2867);







function renderSummary(report) {
    return `${(0,_truncation_js__WEBPACK_IMPORTED_MODULE_2__/* .fit */ .Uj)((detail, level) => renderBody(report, "end", detail, level), weigh(report), _truncation_js__WEBPACK_IMPORTED_MODULE_2__/* .SUMMARY_LIMIT */ .Jt)}\n`;
}
function renderComment(report, { header, stage = "end", maxChars, maxBytes }) {
    const limit = {
        maxChars: maxChars ?? _truncation_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMENT_LIMIT */ .W$.maxChars,
        maxBytes: maxBytes ?? _truncation_js__WEBPACK_IMPORTED_MODULE_2__/* .COMMENT_LIMIT */ .W$.maxBytes,
    };
    return (0,_truncation_js__WEBPACK_IMPORTED_MODULE_2__/* .fit */ .Uj)((detail, level) => `${header === "" ? "" : `${header}\n`}${renderBody(report, stage, detail, level)}\n`, weigh(report), limit);
}
function weigh(report) {
    const rows = report.deployments.reduce((sum, one) => sum + 1 + one.changes.length + one.warnings.length + one.log_tail.length, 0);
    return 100 * (rows + report.warnings.length + report.problems.length);
}
function renderBody(report, stage, detail, level) {
    const { icon, headline } = (0,_verdict_js__WEBPACK_IMPORTED_MODULE_5__/* .toVerdict */ .d)(report, stage, {
        name: (name) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(name, 100),
        plain: (words) => (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(words, 200),
    });
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_4__/* .joinBlocks */ .x9)([
        `### ${icon} ${headline}`,
        (0,_table_js__WEBPACK_IMPORTED_MODULE_4__/* .renderList */ .pI)(report.problems, (problem) => `❌ ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(problem, detail.sentenceChars)}`, Math.max(detail.rows, 3)),
        renderDeployments(report, stage, detail),
        (0,_gate_section_js__WEBPACK_IMPORTED_MODULE_3__/* .renderGates */ .no)(report, detail, report.deployments.length === 0),
        (0,_gate_section_js__WEBPACK_IMPORTED_MODULE_3__/* .renderExperiments */ .je)(report.experiments, detail),
        (0,_table_js__WEBPACK_IMPORTED_MODULE_4__/* .renderList */ .pI)(report.warnings, (warning) => `⚠️ ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(warning, detail.sentenceChars)}`, detail.rows),
        level === 0 ? "" : "_Shortened to fit. The whole report is in the report file of the run._",
        renderFooter(report, stage),
    ]);
}
function renderDeployments(report, stage, detail) {
    const [only] = report.deployments;
    if (only === undefined ||
        (stage === "begin" && report.deployments.every((one) => one.plan === null)))
        return "";
    if (report.deployments.length === 1)
        return (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .renderDeployment */ ._D)(only, { detail });
    const next = report.deployments.flatMap((one) => one.next.map((line) => (line.includes(one.name) ? line : `${one.name}: ${line}`)));
    return (0,_table_js__WEBPACK_IMPORTED_MODULE_4__/* .joinBlocks */ .x9)([
        (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .renderOverview */ .mp)(report.deployments, detail),
        detail.rows < report.deployments.length ? (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .renderNext */ .qy)(next) : "",
        (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .renderEach */ .Gy)(report.deployments, detail),
    ]);
}
function renderFooter(report, stage) {
    const { commit, fingerprint, started_at: startedAt, deployments } = report;
    const tookMs = Date.parse(report.finished_at) - Date.parse(startedAt);
    const [only] = deployments;
    const facts = [
        ...(deployments.length === 1 && only !== undefined && stage === "end"
            ? (0,_deployment_section_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentFacts */ .PX)(only)
            : []),
        ...linksOf(report),
        commit === undefined ? "" : commitWords(commit),
        utcMinutes(startedAt),
        stage === "end" && tookMs >= 1000 ? `took ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_6__/* .durationWords */ .Sh)(tookMs)}` : "",
        fingerprint === "" ? "" : `plan ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(fingerprint.slice(0, 12))}`,
        (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(report.tool, 60),
    ];
    return `<sub>${facts.filter((fact) => fact !== "").join(" · ")}</sub>`;
}
const MOST_LINKS = 10;
function linksOf({ links }) {
    const shown = links.slice(0, MOST_LINKS);
    const count = (label) => shown.filter((one) => one.label === label).length;
    const seen = new Map();
    return shown.map(({ label, url }) => {
        const nth = (seen.get(label) ?? 0) + 1;
        seen.set(label, nth);
        return (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)(count(label) > 1 ? `${label} ${nth}` : label, url);
    });
}
function commitWords({ sha, url, actor }) {
    const short = sha.slice(0, 7);
    const linked = url === "" ? `commit ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .code */ .aY)(short)}` : `commit ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)(short, url)}`;
    return actor === "" ? linked : `${linked} by ${(0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .text */ .Qq)(actor, 40)}`;
}
function utcMinutes(time) {
    const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(time);
    return found === null ? "" : `${found[1]} ${found[2]} UTC`;
}


/***/ }),

/***/ 1672:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jt: () => (/* binding */ SUMMARY_LIMIT),
/* harmony export */   Uj: () => (/* binding */ fit),
/* harmony export */   W$: () => (/* binding */ COMMENT_LIMIT)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);

const FULL = {
    greenDetails: true,
    notes: true,
    logLines: 60,
    worseRows: 20,
    unchangedRows: true,
    valueChars: 200,
    sentenceChars: 2000,
    rows: Infinity,
};
const LEVELS = [
    FULL,
    { ...FULL, greenDetails: false, logLines: 20, worseRows: 10 },
    { ...FULL, greenDetails: false, logLines: 0, worseRows: 0, notes: false },
    ...[
        { valueChars: 200, rows: Infinity },
        { valueChars: 48, rows: Infinity },
        { valueChars: 48, rows: 200 },
        { valueChars: 48, rows: 100 },
        { valueChars: 48, rows: 50 },
        { valueChars: 48, rows: 20 },
        { valueChars: 48, rows: 5 },
        { valueChars: 24, rows: 1 },
        { valueChars: 24, rows: 0 },
    ].map((less) => ({
        ...FULL,
        greenDetails: false,
        logLines: 0,
        worseRows: 0,
        notes: false,
        unchangedRows: false,
        sentenceChars: less.rows < 50 ? 300 : 1000,
        ...less,
    })),
];
const COMMENT_LIMIT = { maxChars: 60_000, maxBytes: 245_000 };
const SUMMARY_LIMIT = { maxChars: 1_000_000, maxBytes: 1_000_000 };
function fit(render, weight, { maxChars, maxBytes }) {
    const attempt = (level) => {
        const body = render(LEVELS[level], level);
        return body.length <= maxChars && (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .utf8Bytes */ .dy)(body) <= maxBytes ? body : null;
    };
    if (weight <= 4 * maxChars) {
        for (let level = 0; level < LEVELS.length; level += 1) {
            const body = attempt(level);
            if (body !== null)
                return body;
        }
        return render(LEVELS.at(-1), LEVELS.length - 1);
    }
    let best = render(LEVELS.at(-1), LEVELS.length - 1);
    for (let level = LEVELS.length - 2; level >= 1; level -= 1) {
        const body = attempt(level);
        if (body === null)
            break;
        best = body;
    }
    return best;
}


/***/ })

};
;