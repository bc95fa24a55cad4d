"use strict";
exports.id = 501;
exports.ids = [501,902];
exports.modules = {

/***/ 7501:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  run: () => (/* binding */ run)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/clock.js
var clock = __webpack_require__(7094);
// EXTERNAL MODULE: ./build/run/command.js
var command = __webpack_require__(7067);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
// EXTERNAL MODULE: ./build/host/context.js
var host_context = __webpack_require__(7064);
// EXTERNAL MODULE: ./build/host/event.js
var host_event = __webpack_require__(8567);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/report/markdown.js
var markdown = __webpack_require__(4902);
// EXTERNAL MODULE: ./build/host/markdown-file.js
var markdown_file = __webpack_require__(4885);
// EXTERNAL MODULE: ./build/report/outputs.js
var outputs = __webpack_require__(4121);
// EXTERNAL MODULE: ./build/report/terminal.js
var terminal = __webpack_require__(3299);
// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
// EXTERNAL MODULE: ./build/host/github-error.js
var github_error = __webpack_require__(8415);
// EXTERNAL MODULE: ./build/host/runner.js + 2 modules
var runner = __webpack_require__(6471);
// EXTERNAL MODULE: ./build/host/workflow-command.js
var workflow_command = __webpack_require__(9970);
;// CONCATENATED MODULE: ./build/host/github.js










const MAX_ANNOTATIONS = 10;
function maskForm(form) {
    runner/* setSecret */.Pq(form);
}
function createGithubHost(setup) {
    const log = createLog(setup.redactor);
    const remote = createRemote(setup, log.say);
    let planShown = false;
    const showPlan = (report) => {
        if (planShown || report.deployments.every((one) => one.plan === null))
            return;
        planShown = true;
        log.group("Plan", (0,terminal/* renderPlan */.EG)(report, setup));
    };
    const publish = async (stage, told) => {
        const report = setup.redactor.redactAll(told);
        if (stage === "begin") {
            showPlan(report);
            return { commentUrl: await remote.follow("begin", report) };
        }
        const reportPath = await writeReport(setup.options.reportFile, report, log.say);
        const { markdownFile } = setup.options;
        if (markdownFile !== undefined)
            await (0,markdown_file/* writeMarkdown */.p)(markdownFile, report, (message) => log.say("warning", message));
        setOutputs((0,outputs/* toOutputs */.I)(report, { reportPath, commentUrl: remote.commentUrl() }), log.say);
        showEnd(report, { showPlan, log, color: setup.color });
        if (setup.options.summary)
            await writeSummary(setup.env["GITHUB_STEP_SUMMARY"], report, log.say);
        const before = remote.commentUrl();
        const commentUrl = await remote.follow("end", report);
        if (commentUrl !== before)
            setOutputs({ "comment-url": commentUrl }, log.say);
        return { commentUrl };
    };
    return { progress: log.print, annotate: log.annotate, say: log.say, publish };
}
function createLog({ redact }) {
    const shown = { notice: 0, warning: 0, error: 0 };
    const print = (text) => {
        process.stdout.write(`${(0,workflow_command/* toLogText */.Z)(redact(text))}\n`);
    };
    const annotation = (level, message, properties) => {
        shown[level] += 1;
        const safe = (0,workflow_command/* toLogText */.Z)(redact(message));
        if (shown[level] <= MAX_ANNOTATIONS)
            runner/* annotate */.fz(level, safe, properties);
        else
            print(`${level}: ${safe}`);
    };
    return {
        print,
        group: (title, body) => {
            runner/* startGroup */.Oh((0,workflow_command/* toLogText */.Z)(redact(title)));
            print(body.trimEnd());
            runner/* endGroup */.N4();
        },
        annotate: ({ level, file, line, column, path, message }) => annotation(level, `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`, {
            file,
            startLine: line,
            startColumn: column,
        }),
        say: (level, message) => annotation(level, message, {}),
    };
}
function showEnd(report, { showPlan, log, color }) {
    if (report.command === "plan" && report.deployments.some((one) => one.plan !== null))
        log.print((0,terminal/* renderPlan */.EG)(report, { color }).trimEnd());
    else
        showPlan(report);
    log.print("");
    log.print((0,terminal/* renderOutcome */.zu)(report, { color, logTails: false }).trimEnd());
    for (const one of report.deployments) {
        if (one.log_tail.length > 0)
            log.group(`Log of ${one.name}, last ${one.log_tail.length} lines`, (0,terminal/* tailLines */.os)("log", one.log_tail).join("\n"));
        if (one.verify !== undefined && one.verify.tail.length > 0)
            log.group(`Verify command of ${one.name}`, (0,terminal/* tailLines */.os)("verify", one.verify.tail).join("\n"));
    }
    if (!(0,wording/* isRed */.iI)(report))
        return;
    const [only] = report.deployments;
    const why = report.deployments.length === 1 && only !== undefined && only.message !== ""
        ? `. ${only.message}`
        : "";
    log.say("error", (0,terminal/* renderVerdict */.gM)(report) + why);
}
async function writeReport(path, report, say) {
    try {
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
        await (0,promises_.writeFile)(path, (0,outputs/* toReportJson */.s)(report));
        return path;
    }
    catch (error) {
        say("warning", `The report file was not written: ${(0,github_error/* messageOf */.b)(error)}. Set \`report-file\` to a path that this job can write.`);
        return "";
    }
}
async function writeSummary(path, report, say) {
    if (path === undefined || path === "")
        return;
    try {
        await (0,promises_.appendFile)(path, (0,markdown/* renderSummary */.B)(report));
    }
    catch (error) {
        say("warning", `The job summary was not written: ${(0,github_error/* messageOf */.b)(error)}.`);
    }
}
function setOutputs(outputs, say) {
    try {
        runner/* setOutputs */.n0(outputs);
    }
    catch (error) {
        say("warning", `The outputs were not set: ${(0,github_error/* messageOf */.b)(error)}.`);
    }
}
const PATIENCE_MS = { begin: 10_000, end: 90_000, cancelled: 2_000 };
function createRemote(setup, say) {
    let opened = null;
    let deadlineMs = 0;
    let giveUp = new AbortController();
    let told = Promise.resolve();
    let url = "";
    let sinks = { open: false, commentId: null, deploymentId: null };
    const open = async () => {
        const wanted = { comment: wantsComment(setup, say), deployment: wantsDeployment(setup, say) };
        if (!wanted.comment && !wanted.deployment)
            return null;
        const { openGithubSinks } = await __webpack_require__.e(/* import() */ 733).then(__webpack_require__.bind(__webpack_require__, 8733));
        return openGithubSinks({
            setup,
            wanted,
            say,
            timeoutMs: () => deadlineMs - setup.clock.monotonic(),
            signal: () => giveUp.signal,
        });
    };
    const publishAll = async (stage, report) => {
        const remote = await (opened ??= open());
        if (remote === null)
            return;
        const { sticky, deployment, save } = remote;
        const [place, deploymentId] = await Promise.all([
            sticky === null
                ? null
                : sticky.put(({ header, maxChars, maxBytes }) => (0,markdown.renderComment)(report, { header, stage, maxChars, maxBytes }), stage === "begin", setup.options.comment !== "changes" || (0,wording/* hasNews */.OS)(report)),
            deployment === null ? null : deployment.follow(stage, report),
        ]);
        url = place === null || place.url === "" ? url : place.url;
        const now = {
            open: stage === "begin",
            commentId: place?.id ?? sinks.commentId,
            deploymentId,
        };
        if ((now.commentId !== null || now.deploymentId !== null) &&
            JSON.stringify(now) !== JSON.stringify(sinks))
            save(now);
        sinks = now;
    };
    const follow = async (stage, report) => {
        const cancelled = stage === "end" && report.outcome === "cancelled";
        if (cancelled)
            giveUp.abort(new Error("the run was cancelled"));
        const turn = told.then(async () => {
            deadlineMs =
                setup.clock.monotonic() + (cancelled ? PATIENCE_MS.cancelled : PATIENCE_MS[stage]);
            giveUp = new AbortController();
            await publishAll(stage, report);
        });
        told = turn.catch(() => { });
        try {
            await turn;
        }
        catch (error) {
            say("warning", `GitHub was not told of this run: ${(0,github_error/* messageOf */.b)(error)}. The report is in the job summary and the report file.`);
        }
        return url;
    };
    return { follow, commentUrl: () => url };
}
function wantsComment({ context, options }, say) {
    if (options.comment === "never" || context.repository === null)
        return false;
    if (context.pullRequest === null && !context.pullRequestByCommit)
        return false;
    if (context.readOnlyToken) {
        say("warning", `No pull request comment: the token of ${context.dependabot ? "a Dependabot" : "a fork's"} pull request may only read, and \`pull-requests: write\` is needed. The report is in the job summary.`);
        return false;
    }
    if (options.githubToken === "") {
        say("warning", "No pull request comment: `github-token` is empty. Leave it at its default, and give the job `permissions: pull-requests: write`. The report is in the job summary.");
        return false;
    }
    return true;
}
function wantsDeployment({ context, options }, say) {
    if (options.environment === "" || context.repository === null)
        return false;
    if (!context.readOnlyToken && options.githubToken !== "")
        return true;
    say("warning", "No GitHub Deployment: `environment` is set, but the token may not write one. Give the job `permissions: deployments: write`, or leave `environment` out.");
    return false;
}

// EXTERNAL MODULE: ./build/host/redaction.js
var redaction = __webpack_require__(8334);
// EXTERNAL MODULE: ./build/host/workspace.js
var host_workspace = __webpack_require__(1822);
// EXTERNAL MODULE: ./build/inputs.js + 1 modules
var inputs = __webpack_require__(8741);
// EXTERNAL MODULE: ./build/wiring.js
var wiring = __webpack_require__(432);
;// CONCATENATED MODULE: ./build/action.js












async function run() {
    const signal = (0,wiring/* abortOnSignals */.PB)();
    const env = {
        ...process.env,
        GITHUB_ACTIONS: "true",
    };
    const { options, problems } = (0,inputs/* parseInputs */.TL)((0,inputs/* readActionInputs */.Ui)(env), "action");
    const redactor = (0,redaction/* createRedactor */.l)({ onForm: maskForm });
    for (const secret of [options.apiKey, options.bearerToken, options.githubToken])
        if (secret !== undefined)
            redactor.add(secret);
    const context = (0,host_context/* readRunContext */.$)(env, await (0,host_event/* readEvent */.j)(env["GITHUB_EVENT_PATH"]));
    const root = env["GITHUB_WORKSPACE"] ?? process.cwd();
    const temp = env["RUNNER_TEMP"];
    const workspace = (0,host_workspace/* createWorkspace */.s)({
        root,
        ...(temp === undefined || temp === "" ? {} : { temp }),
    });
    const located = await workspace
        .locateFile(options.reportFile ??
        (0,external_node_path_.join)(temp ?? root, `agent-deploy-report-${(env["GITHUB_ACTION"] ?? "run").replace(/[^\w-]/g, "-")}.json`))
        .then((path) => ({ path, error: undefined }), (error) => ({ path: (0,external_node_path_.join)(temp ?? root, "agent-deploy-report.json"), error }));
    const markdown = await (0,markdown_file/* locateMarkdown */.g)(workspace, options.markdownFile);
    const host = createGithubHost({
        context,
        redactor,
        clock: clock/* systemClock */.m,
        env,
        color: env["NO_COLOR"] === undefined || env["NO_COLOR"] === "",
        options: {
            comment: options.comment,
            commentKey: options.commentKey ?? "",
            githubToken: options.githubToken ?? "",
            environment: options.environment ?? "",
            summary: options.summary,
            reportFile: located.path,
            ...(markdown.path === undefined ? {} : { markdownFile: markdown.path }),
            matrix: options.matrix ?? "",
            spec: options.spec.join("\n"),
        },
    });
    const session = (0,wiring/* createSession */.jw)({
        entryPoint: "action",
        command: (0,command/* resolveAuto */.o$)(options.command, context.event),
        options,
        env,
        host,
        redactor,
        workspace,
        run: context,
        cwd: root,
        signal,
        print: (text) => {
            for (const line of text.trimEnd().split("\n"))
                host.progress(line);
        },
    });
    for (const { level, message } of problems)
        if (level === "warning")
            host.say("warning", message);
    const wrong = problems
        .filter((problem) => problem.level === "error")
        .map((problem) => problem.message);
    const refused = [
        ...wrong,
        ...(located.error === undefined ? [] : [located.error.message]),
        ...(markdown.error === undefined ? [] : [markdown.error]),
    ];
    const end = await (0,command/* runCommand */.d1)(session, refused.length === 0
        ? undefined
        : () => Promise.resolve(() => Promise.reject(new run_session/* UsageError */.e(refused.join("\n")))));
    process.exitCode = end.exitCode === 0 ? 0 : 1;
    (0,wiring/* endIfCancelled */.WI)(signal);
}


/***/ }),

/***/ 6471:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fz: () => (/* binding */ annotate),
  N4: () => (/* binding */ endGroup),
  LZ: () => (/* binding */ saveState),
  n0: () => (/* binding */ setOutputs),
  Pq: () => (/* binding */ setSecret),
  Oh: () => (/* binding */ startGroup)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "os"
var external_os_ = __webpack_require__(857);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
//# sourceMappingURL=utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_.EOL);
}
function issue(name, message = '') {
    issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
//# sourceMappingURL=command.js.map
;// CONCATENATED MODULE: ./build/host/runner.js




function setSecret(secret) {
    issueCommand("add-mask", {}, secret);
}
function setOutputs(outputs) {
    setValues("OUTPUT", "set-output", outputs);
}
function saveState(name, value) {
    setValues("STATE", "save-state", { [name]: value });
}
function setValues(file, command, values) {
    const path = process.env[`GITHUB_${file}`] ?? "";
    if (path === "") {
        for (const [name, value] of Object.entries(values))
            issueCommand(command, { name }, value);
        return;
    }
    if (!(0,external_node_fs_.existsSync)(path))
        throw new Error(`GITHUB_${file} names a file that is not there: ${path}`);
    (0,external_node_fs_.appendFileSync)(path, Object.entries(values)
        .map(([name, value]) => toKeyValue(name, value))
        .join(""));
}
function toKeyValue(name, value) {
    let delimiter = "ghadelimiter_0";
    for (let tries = 1; value.includes(delimiter); tries += 1)
        delimiter = `ghadelimiter_${tries}`;
    return `${name}<<${delimiter}${external_node_os_.EOL}${value}${external_node_os_.EOL}${delimiter}${external_node_os_.EOL}`;
}
function annotate(level, message, place = {}) {
    issueCommand(level, toCommandProperties(place), message);
}
function startGroup(title) {
    issue("group", title);
}
function endGroup() {
    issue("endgroup");
}


/***/ }),

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