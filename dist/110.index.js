export const id = 110;
export const ids = [110];
export const modules = {

/***/ 4110:
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
// EXTERNAL MODULE: ./build/commands/command.js
var command = __webpack_require__(2950);
// EXTERNAL MODULE: ./build/commands/session.js
var commands_session = __webpack_require__(6183);
// EXTERNAL MODULE: ./build/host/context.js
var host_context = __webpack_require__(7064);
// EXTERNAL MODULE: ./build/host/event.js
var host_event = __webpack_require__(8567);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/report/deployment-section.js
var deployment_section = __webpack_require__(470);
// EXTERNAL MODULE: ./build/report/escape.js
var report_escape = __webpack_require__(9924);
;// CONCATENATED MODULE: ./build/report/fit.js

const FULL = {
    greenDetails: true, notes: true, logLines: 60, worseRows: 20, unchangedRows: true, valueChars: 200, sentenceChars: 2000, rows: Infinity,
};
const LEVELS = [
    FULL,
    { ...FULL, greenDetails: false, logLines: 20, worseRows: 10 },
    { ...FULL, greenDetails: false, logLines: 0, worseRows: 0, notes: false },
    ...[
        { valueChars: 200, rows: Infinity }, { valueChars: 48, rows: Infinity }, { valueChars: 48, rows: 200 }, { valueChars: 48, rows: 100 },
        { valueChars: 48, rows: 50 }, { valueChars: 48, rows: 20 }, { valueChars: 48, rows: 5 }, { valueChars: 24, rows: 1 }, { valueChars: 24, rows: 0 },
    ].map((less) => ({ ...FULL, greenDetails: false, logLines: 0, worseRows: 0, notes: false, unchangedRows: false, sentenceChars: less.rows < 50 ? 300 : 1000, ...less })),
];
const COMMENT_LIMIT = { maxChars: 60_000, maxBytes: 245_000 };
const fit_SUMMARY_LIMIT = { maxChars: 1_000_000, maxBytes: 1_000_000 };
function fit_fit(render, weight, { maxChars, maxBytes }) {
    const attempt = (level) => {
        const body = render(LEVELS[level], level);
        return body.length <= maxChars && (0,report_escape/* utf8Bytes */.dy)(body) <= maxBytes ? body : null;
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

// EXTERNAL MODULE: ./build/report/gate-section.js + 1 modules
var gate_section = __webpack_require__(240);
// EXTERNAL MODULE: ./build/report/table.js
var table = __webpack_require__(1799);
// EXTERNAL MODULE: ./build/report/verdict.js
var verdict = __webpack_require__(7342);
// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
;// CONCATENATED MODULE: ./build/report/markdown.js







function renderSummary(report) {
    return `${fit_fit((detail, level) => renderBody(report, "end", detail, level), weigh(report), fit_SUMMARY_LIMIT)}\n`;
}
function renderComment(report, { header, stage = "end", maxChars, maxBytes }) {
    const limit = { maxChars: maxChars ?? COMMENT_LIMIT.maxChars, maxBytes: maxBytes ?? COMMENT_LIMIT.maxBytes };
    return fit_fit((detail, level) => `${header}\n${renderBody(report, stage, detail, level)}\n`, weigh(report), limit);
}
function renderMarkdown(report, limit = SUMMARY_LIMIT) {
    return `${fit((detail, level) => renderBody(report, "end", detail, level), weigh(report), limit)}\n`;
}
function weigh(report) {
    const rows = report.deployments.reduce((sum, one) => sum + 1 + one.changes.length + one.warnings.length + one.log_tail.length, 0);
    return 100 * (rows + report.warnings.length + report.problems.length);
}
function renderBody(report, stage, detail, level) {
    const { icon, headline } = (0,verdict/* toVerdict */.d)(report, stage, { name: (name) => (0,report_escape/* code */.aY)(name, 100), plain: (words) => (0,report_escape/* text */.Qq)(words, 200) });
    return (0,table/* joinBlocks */.x9)([
        `### ${icon} ${headline}`,
        (0,table/* renderList */.pI)(report.problems, (problem) => `❌ ${(0,report_escape/* text */.Qq)(problem, detail.sentenceChars)}`, Math.max(detail.rows, 3)),
        renderDeployments(report, stage, detail),
        (0,gate_section/* renderGates */.no)(report, detail, report.deployments.length === 0),
        (0,gate_section/* renderExperiments */.je)(report.experiments, detail),
        (0,table/* renderList */.pI)(report.warnings, (warning) => `⚠️ ${(0,report_escape/* text */.Qq)(warning, detail.sentenceChars)}`, detail.rows),
        level === 0 ? "" : "_Shortened to fit. The whole report is in the report file of the run._",
        renderFooter(report, stage),
    ]);
}
function renderDeployments(report, stage, detail) {
    const [only] = report.deployments;
    if (only === undefined || (stage === "begin" && report.deployments.every((one) => one.plan === null)))
        return "";
    if (report.deployments.length === 1)
        return (0,deployment_section/* renderDeployment */._D)(only, detail);
    const next = report.deployments.flatMap((one) => one.next.map((line) => (line.includes(one.name) ? line : `${one.name}: ${line}`)));
    return (0,table/* joinBlocks */.x9)([(0,deployment_section/* renderOverview */.mp)(report.deployments, detail), detail.rows < report.deployments.length ? (0,deployment_section/* renderNext */.qy)(next) : "", (0,deployment_section/* renderEach */.Gy)(report.deployments, detail)]);
}
function renderFooter(report, stage) {
    const tookMs = Date.parse(report.finished_at) - Date.parse(report.started_at);
    const facts = [
        ...report.links.slice(0, 10).map(({ label, url }) => (0,report_escape/* link */.nf)(label, url)),
        stage === "end" && Number.isFinite(tookMs) ? `took ${(0,wording/* durationWords */.Sh)(tookMs)}` : "",
        report.fingerprint === "" ? "" : `plan ${(0,report_escape/* code */.aY)(report.fingerprint.slice(0, 12))}`,
        (0,report_escape/* text */.Qq)(report.tool, 60),
    ];
    return `<sub>${facts.filter((fact) => fact !== "").join(" · ")}</sub>`;
}

// EXTERNAL MODULE: ./build/report/outputs.js
var outputs = __webpack_require__(4121);
// EXTERNAL MODULE: ./build/report/terminal.js
var terminal = __webpack_require__(3299);
// EXTERNAL MODULE: ./build/host/github-api.js
var github_api = __webpack_require__(9493);
// EXTERNAL MODULE: ./build/report/report.js
var report_report = __webpack_require__(7177);
;// CONCATENATED MODULE: ./build/host/github-deployment.js




const MAX_DESCRIPTION = 140;
const TASK = "deploy";
const TOOL = "agent-deploy";
function createGithubDeployment(options) {
    const calls = createCalls(options);
    let begun = null;
    let warned = false;
    const move = async (stage, report) => {
        if (begun === null) {
            if (!hasWork(report, stage))
                return;
            begun = await calls.begin(report);
            if (stage === "begin" || !begun.shared)
                await calls.setState(begun.id, "in_progress", report, "begin");
        }
        if (stage === "begin")
            return;
        const state = toState(report);
        if (state === "in_progress" || (isQuiet(state) && begun.shared && await calls.wasRed(begun.id)))
            return;
        await calls.setState(begun.id, state, report, "end");
        if (state === "success")
            await calls.retireBefore(begun.id);
    };
    const follow = async (stage, report) => {
        try {
            await move(stage, report);
        }
        catch (error) {
            if (!warned)
                options.say("warning", toWarning(error));
            warned = true;
        }
        return begun?.id ?? null;
    };
    return { follow };
}
const STATUSES = "/repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
function createCalls({ api, context, environment }) {
    const repository = (0,github_api/* toRouteRepository */.Hx)(context.repository ?? { owner: "", name: "" });
    const list = async () => {
        const { data } = await api.request("GET /repos/{owner}/{repo}/deployments", { ...repository, environment, task: TASK, per_page: 100 });
        return (Array.isArray(data) ? data : []).flatMap((one) => toListed(one));
    };
    const states = async (id, most) => {
        const { data } = await api.request(`GET ${STATUSES}`, { ...repository, deployment_id: id, per_page: most });
        return Array.isArray(data) ? data.map((one) => one.state) : [];
    };
    const begin = async (report) => {
        const ours = (await list()).find((one) => one.run === context.runId && one.attempt === context.runAttempt);
        if (ours !== undefined)
            return { id: ours.id, shared: true };
        const { data } = await api.request("POST /repos/{owner}/{repo}/deployments", {
            ...repository, ref: context.headSha, task: TASK, environment, auto_merge: false, required_contexts: [],
            description: describe(report, "begin"), payload: { tool: TOOL, run_id: context.runId, run_attempt: context.runAttempt },
        });
        const { id } = data;
        if (typeof id !== "number")
            throw new Error("GitHub answered without a deployment");
        return { id, shared: false };
    };
    const setState = async (id, state, report, stage) => {
        const [only] = report.deployments;
        const href = report.deployments.length === 1 && only !== undefined ? (0,report_escape/* toHref */.jd)(only.url) : null;
        await api.request(`POST ${STATUSES}`, {
            ...repository, deployment_id: id, state, description: describe(report, stage), auto_inactive: false,
            ...(context.runUrl === "" ? {} : { log_url: context.runUrl }), ...(href === null || state !== "success" ? {} : { environment_url: href }),
        });
    };
    const wasRed = async (id) => (await states(id, 100)).some((state) => state === "failure" || state === "error");
    const retireBefore = async (id) => {
        for (const one of (await list()).filter((earlier) => earlier.id < id).slice(0, 20)) {
            const [state] = await states(one.id, 1);
            if (state === "inactive")
                return;
            if (state !== "success" && state !== "in_progress")
                continue;
            await api.request(`POST ${STATUSES}`, { ...repository, deployment_id: one.id, state: "inactive", auto_inactive: false, description: "Replaced by a later deployment." });
        }
    };
    return { begin, setState, wasRed, retireBefore };
}
const isQuiet = (state) => state === "success" || state === "inactive";
function toListed(one) {
    const { id, payload } = one;
    let read = payload;
    if (typeof read === "string") {
        try {
            read = JSON.parse(read);
        }
        catch {
            return [];
        }
    }
    const { tool, run_id, run_attempt } = (read ?? {});
    return tool === TOOL && typeof id === "number" ? [{ id, run: String(run_id), attempt: Number(run_attempt) }] : [];
}
const DEPLOYING = ["apply", "redeploy", "wait", "destroy"];
function hasWork(report, stage) {
    if (!DEPLOYING.includes(report.command))
        return false;
    const works = (one) => one.action !== "none" && one.action !== "blocked" && (stage === "begin" ? one.plan !== null || report.command !== "apply"
        : !["blocked", "unchanged", "skipped", "planned", "not-run"].includes(one.outcome));
    return report.deployments.some(works);
}
const STATES = { cancelled: "error", superseded: "inactive", started: "in_progress" };
function toState(report) {
    if (report.gate_verdict === "fail" && (0,report_report/* isGreen */.gf)(report.outcome))
        return "failure";
    if (report.command === "destroy" && (0,report_report/* isGreen */.gf)(report.outcome))
        return "inactive";
    return STATES[report.outcome] ?? ((0,report_report/* isGreen */.gf)(report.outcome) ? "success" : "failure");
}
function describe(report, stage) {
    return (0,report_escape/* cutEnd */.ym)((0,report_escape/* toSentence */.Re)((0,verdict/* toVerdict */.d)(report, stage, { name: (name) => name, plain: (words) => words }).headline), MAX_DESCRIPTION);
}
function toWarning(error) {
    const status = (0,github_api/* statusOf */.c2)(error);
    const said = (0,github_api/* messageOf */.bD)(error);
    if (status === 401 || status === 403 || status === 404) {
        return `The GitHub Deployment was not written: the token may not (${status}: ${said}). Give the job \`permissions: deployments: write\`, or leave \`environment\` out.`;
    }
    return `The GitHub Deployment was not written (${status ?? "no answer"}: ${said}).`;
}

// EXTERNAL MODULE: ./build/host/post-state.js
var post_state = __webpack_require__(9105);
// EXTERNAL MODULE: ./build/host/runner.js + 3 modules
var runner = __webpack_require__(4712);
// EXTERNAL MODULE: ./build/host/comment-header.js
var comment_header = __webpack_require__(4670);
;// CONCATENATED MODULE: ./build/host/sticky-comment.js



const NOWHERE = { url: "", id: null };
function createStickyComment(options) {
    const { key, run, say } = options;
    const stamp = { run: run.id === "" ? "0" : run.id, attempt: run.attempt };
    const thread = createThread(options, stamp);
    let warned = false;
    const write = async (render, open) => {
        const header = (0,comment_header/* renderHeader */.wZ)({ v: 1, key, ...stamp, sha: run.sha, open });
        const updated = await update(thread, { stamp, render, header });
        if (updated !== null) {
            if (updated.newer)
                say("notice", "The pull request comment was left as it is: a newer run of this job has written it.");
            return updated.place;
        }
        const made = await thread.create(render, header);
        return (await update(thread, { stamp, render, header, olderThan: made.id }))?.place ?? made;
    };
    const put = async (render, open) => {
        try {
            return await write(render, open);
        }
        catch (error) {
            if (!warned)
                say("warning", sticky_comment_toWarning(error));
            warned = true;
            return NOWHERE;
        }
    };
    return { put };
}
async function update(thread, { stamp, render, header, olderThan = null }) {
    const found = (await thread.find()).filter((one) => olderThan === null || one.id < olderThan);
    const newer = found.find((one) => one.header !== null && (0,comment_header/* isNewer */.U4)(one.header, stamp));
    if (newer !== undefined) {
        await thread.withdraw(newer.id);
        return { place: { url: newer.url, id: null }, newer: true };
    }
    for (const { id } of found) {
        const place = await thread.edit(id, render, header);
        if (place === null)
            continue;
        await thread.withdraw(id);
        return { place, newer: false };
    }
    return null;
}
function createThread({ api, clock, repository, pullRequest, key }, stamp) {
    const place = { ...(0,github_api/* toRouteRepository */.Hx)(repository), issue_number: pullRequest };
    const one = (id) => ({ ...(0,github_api/* toRouteRepository */.Hx)(repository), comment_id: id });
    let own = null;
    const refused = new Set();
    const find = async () => {
        const found = [];
        for await (const page of api.pages("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", place)) {
            for (const listed of page) {
                const comment = toComment(listed, { key, ownId: own?.id ?? null });
                if (comment !== null && !refused.has(comment.id))
                    found.push(comment);
            }
        }
        return found.sort((a, b) => a.id - b.id);
    };
    const edit = async (id, render, header) => {
        try {
            const edited = await sendFitting(render, header, (body) => api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { ...one(id), body }));
            own ??= { id, made: false };
            return edited;
        }
        catch (error) {
            if (![403, 404, 410].includes((0,github_api/* statusOf */.c2)(error) ?? 0))
                throw error;
            refused.add(id);
            return null;
        }
    };
    const create = async (render, header) => {
        for (let tries = 1;; tries += 1) {
            let made = null;
            try {
                made = await sendFitting(render, header, (body) => api.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...place, body }));
            }
            catch (error) {
                const status = (0,github_api/* statusOf */.c2)(error);
                if (tries >= 3 || (status !== null && status < 500))
                    throw error;
                await clock.sleep(1000 * tries);
                const taken = (await find()).find(({ header: read }) => read?.run === stamp.run && read.attempt === stamp.attempt);
                if (taken !== undefined)
                    made = { url: taken.url, id: taken.id };
            }
            if (made === null)
                continue;
            own = made.id === null ? null : { id: made.id, made: true };
            return made;
        }
    };
    const withdraw = async (kept) => {
        if (own === null || !own.made || own.id === kept)
            return;
        const { id } = own;
        own = { id: kept, made: false };
        refused.add(id);
        await api.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", one(id));
    };
    return { find, edit, create, withdraw };
}
function toComment(one, { key, ownId }) {
    const { id, body, user, html_url, performed_via_github_app } = one;
    if (typeof id !== "number")
        return null;
    const header = (0,comment_header/* parseHeader */.RW)(typeof body === "string" ? body : "");
    const byApp = user?.type === "Bot" || (performed_via_github_app !== null && performed_via_github_app !== undefined);
    if (id !== ownId && !(byApp && header?.key === key))
        return null;
    return { id, url: typeof html_url === "string" ? html_url : "", header };
}
async function sendFitting(render, header, send) {
    for (let share = 1;; share /= 4) {
        try {
            const { data } = await send(render({ header, maxChars: Math.floor(COMMENT_LIMIT.maxChars * share), maxBytes: Math.floor(COMMENT_LIMIT.maxBytes * share) }));
            const { id, html_url } = data;
            return { id: typeof id === "number" ? id : null, url: typeof html_url === "string" ? html_url : "" };
        }
        catch (error) {
            if ((0,github_api/* statusOf */.c2)(error) !== 422 || share < 1 / 16)
                throw error;
        }
    }
}
function sticky_comment_toWarning(error) {
    const status = (0,github_api/* statusOf */.c2)(error);
    const said = (0,github_api/* messageOf */.bD)(error);
    if (/lock/i.test(said))
        return `The pull request comment was not written: the conversation is locked (${status ?? "no status"}). The report is in the job summary.`;
    if (status === 401 || status === 403 || status === 404) {
        return `The pull request comment was not written: the token may not (${status}: ${said}). Give the job \`permissions: pull-requests: write\`, or set \`comment: never\`. The report is in the job summary.`;
    }
    return `The pull request comment was not written (${status ?? "no answer"}: ${said}). The report is in the job summary.`;
}

;// CONCATENATED MODULE: ./build/host/workflow-command.js
function toLogText(text) {
    return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => line.replace(/^([^\p{L}\p{N}]*?):(?=:)/u, "$1:\u200b").replace(/##(?=\[)/g, "#\u200b#")).join("\n");
}

;// CONCATENATED MODULE: ./build/host/github.js













const MAX_ANNOTATIONS = 10;
function maskForm(form) {
    runner/* setSecret */.Pq(form);
}
function createGithubHost(setup) {
    const log = createLog(setup.scrubber);
    const remote = createRemote(setup, log.say);
    let planShown = false;
    const showPlan = (report) => {
        if (planShown || report.deployments.every((one) => one.plan === null))
            return;
        planShown = true;
        log.group("Plan", (0,terminal/* renderPlan */.EG)(report, setup));
    };
    const tell = async (stage, told) => {
        const report = setup.scrubber.scrubAll(told);
        if (stage === "begin") {
            showPlan(report);
            return { commentUrl: await remote.follow("begin", report) };
        }
        const reportPath = await writeReport(setup.options.reportFile, report, log.say);
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
    return { progress: log.print, annotate: log.annotate, say: log.say, tell };
}
function createLog({ scrub }) {
    const shown = { notice: 0, warning: 0, error: 0 };
    const print = (text) => { process.stdout.write(`${toLogText(scrub(text))}\n`); };
    const annotation = (level, message, properties) => {
        shown[level] += 1;
        const safe = toLogText(scrub(message));
        if (shown[level] <= MAX_ANNOTATIONS)
            runner/* annotate */.fz(level, safe, properties);
        else
            print(`${level}: ${safe}`);
    };
    return {
        print,
        group: (title, body) => {
            runner/* startGroup */.Oh(toLogText(scrub(title)));
            print(body.trimEnd());
            runner/* endGroup */.N4();
        },
        annotate: ({ level, file, line, column, path, message }) => annotation(level, `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`, { file, startLine: line, startColumn: column }),
        say: (level, message) => annotation(level, message, {}),
    };
}
function showEnd(report, { showPlan, log, color }) {
    if (report.command === "plan")
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
    const why = report.deployments.length === 1 && only !== undefined && only.message !== "" ? `. ${only.message}` : "";
    log.say("error", (0,terminal/* renderVerdict */.gM)(report) + why);
}
async function writeReport(path, report, say) {
    try {
        await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
        await (0,promises_.writeFile)(path, (0,outputs/* toReportJson */.s)(report));
        return path;
    }
    catch (error) {
        say("warning", `The report file was not written: ${(0,github_api/* messageOf */.bD)(error)}. Set \`report-file\` to a path that this job can write.`);
        return "";
    }
}
async function writeSummary(path, report, say) {
    if (path === undefined || path === "")
        return;
    try {
        await (0,promises_.appendFile)(path, renderSummary(report));
    }
    catch (error) {
        say("warning", `The job summary was not written: ${(0,github_api/* messageOf */.bD)(error)}.`);
    }
}
function setOutputs(outputs, say) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner/* setOutput */.uH(name, value);
    }
    catch (error) {
        say("warning", `The outputs were not set: ${(0,github_api/* messageOf */.bD)(error)}.`);
    }
}
const PATIENCE_MS = { begin: 10_000, end: 90_000, cancelled: 2_000 };
function createRemote(setup, say) {
    const { context, options } = setup;
    let opened = null;
    let deadlineMs = 0;
    let giveUp = new AbortController();
    let told = Promise.resolve();
    let url = "";
    let sinks = { open: false, commentId: null, deploymentId: null };
    const open = async () => {
        const wanted = { comment: wantsComment(setup, say), deployment: wantsDeployment(setup, say) };
        if (!wanted.comment && !wanted.deployment)
            return { sticky: null, deployment: null };
        const api = await (0,github_api/* createGithubApi */.ME)({ token: options.githubToken, baseUrl: context.apiUrl, clock: setup.clock, patienceMs: () => deadlineMs - setup.clock.monotonic(), signal: () => giveUp.signal });
        return {
            sticky: wanted.comment ? await openComment(setup, api, say) : null,
            deployment: wanted.deployment ? createGithubDeployment({ api, context, environment: options.environment, say }) : null,
        };
    };
    const tellAll = async (stage, report) => {
        const { sticky, deployment } = await (opened ??= open());
        const [place, deploymentId] = await Promise.all([
            sticky === null ? null : sticky.put(({ header, maxChars, maxBytes }) => renderComment(report, { header, stage, maxChars, maxBytes }), stage === "begin"),
            deployment === null ? null : deployment.follow(stage, report),
        ]);
        url = place === null || place.url === "" ? url : place.url;
        const now = { open: stage === "begin", commentId: place?.id ?? sinks.commentId, deploymentId };
        if ((now.commentId !== null || now.deploymentId !== null) && JSON.stringify(now) !== JSON.stringify(sinks))
            (0,post_state/* saveSinks */.G)(now);
        sinks = now;
    };
    const follow = async (stage, report) => {
        const cancelled = stage === "end" && report.outcome === "cancelled";
        if (cancelled)
            giveUp.abort(new Error("the run was cancelled"));
        const turn = told.then(async () => {
            deadlineMs = setup.clock.monotonic() + (cancelled ? PATIENCE_MS.cancelled : PATIENCE_MS[stage]);
            giveUp = new AbortController();
            await tellAll(stage, report);
        });
        told = turn.catch(() => { });
        try {
            await turn;
        }
        catch (error) {
            say("warning", `GitHub was not told of this run: ${(0,github_api/* messageOf */.bD)(error)}. The report is in the job summary and the report file.`);
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
async function openComment({ context, options, clock }, api, say) {
    if (context.repository === null)
        return null;
    let pullRequest;
    try {
        pullRequest = await (0,github_api/* findPullRequest */._f)(api, context);
    }
    catch (error) {
        const needs = [401, 403].includes((0,github_api/* statusOf */.c2)(error) ?? 0) ? " Give the job `permissions: pull-requests: write`." : "";
        say("warning", `No pull request comment: the pull request of this commit was not found out (${(0,github_api/* statusOf */.c2)(error) ?? "no answer"}: ${(0,github_api/* messageOf */.bD)(error)}).${needs} The report is in the job summary.`);
        return null;
    }
    if (pullRequest === null)
        return null;
    const key = (0,host_context/* toCommentKey */.I)({ workflow: context.workflow, job: context.job, matrix: options.matrix, environment: options.environment, commentKey: options.commentKey, spec: options.spec });
    return createStickyComment({
        api, clock, repository: context.repository, pullRequest, key, say, run: { id: context.runId, attempt: context.runAttempt, sha: context.headSha },
    });
}

// EXTERNAL MODULE: ./build/host/scrub.js
var scrub = __webpack_require__(4328);
// EXTERNAL MODULE: ./build/host/workspace.js
var host_workspace = __webpack_require__(1822);
// EXTERNAL MODULE: ./build/inputs.js + 1 modules
var inputs = __webpack_require__(8741);
// EXTERNAL MODULE: ./build/wiring.js + 2 modules
var wiring = __webpack_require__(4848);
;// CONCATENATED MODULE: ./build/action.js











async function run() {
    const signal = (0,wiring/* abortOnSignals */.P)();
    const env = { ...process.env, GITHUB_ACTIONS: "true" };
    const { options, problems } = (0,inputs/* parseInputs */.TL)((0,inputs/* readActionInputs */.Ui)(env), "action");
    const scrubber = (0,scrub/* createScrubber */.H)({ onForm: maskForm });
    for (const secret of [options.apiKey, options.bearerToken, options.githubToken])
        if (secret !== undefined)
            scrubber.add(secret);
    const context = (0,host_context/* readRunContext */.$)(env, await (0,host_event/* readEvent */.j)(env["GITHUB_EVENT_PATH"]));
    const root = env["GITHUB_WORKSPACE"] ?? process.cwd();
    const temp = env["RUNNER_TEMP"];
    const workspace = (0,host_workspace/* createWorkspace */.sK)({ root, ...(temp === undefined || temp === "" ? {} : { temp }) });
    const located = await workspace.locateFile(options.reportFile ?? (0,external_node_path_.join)(temp ?? root, `agent-deploy-report-${(env["GITHUB_ACTION"] ?? "run").replace(/[^\w-]/g, "-")}.json`))
        .then((path) => ({ path, error: undefined }), (error) => ({ path: (0,external_node_path_.join)(temp ?? root, "agent-deploy-report.json"), error }));
    const host = createGithubHost({
        context, scrubber, clock: clock/* systemClock */.m, env, color: env["NO_COLOR"] === undefined || env["NO_COLOR"] === "",
        options: {
            comment: options.comment, commentKey: options.commentKey ?? "", githubToken: options.githubToken ?? "", environment: options.environment ?? "",
            summary: options.summary, reportFile: located.path, matrix: options.matrix ?? "", spec: options.spec.join("\n"),
        },
    });
    const session = (0,wiring/* createSession */.j)({
        door: "action", command: (0,command/* resolveAuto */.o$)(options.command, context.event), options, env, host, scrubber, workspace, run: context, cwd: root, signal,
        print: (text) => { for (const line of text.trimEnd().split("\n"))
            host.progress(line); },
    });
    for (const { level, message } of problems)
        if (level === "warning")
            host.say("warning", message);
    const wrong = problems.filter((problem) => problem.level === "error").map((problem) => problem.message);
    const refused = located.error === undefined ? wrong : [...wrong, located.error.message];
    const end = await (0,command/* runCommand */.d1)(session, refused.length === 0 ? undefined : () => Promise.resolve(() => Promise.reject(new commands_session/* UsageError */.e(refused.join("\n")))));
    process.exitCode = end.exitCode === 0 ? 0 : 1;
}


/***/ }),

/***/ 4670:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RW: () => (/* binding */ parseHeader),
/* harmony export */   U4: () => (/* binding */ isNewer),
/* harmony export */   wZ: () => (/* binding */ renderHeader)
/* harmony export */ });
const MARKER = "<!-- agent-deploy: ";
const END = " -->";
function renderHeader(header) {
    const { v, key, run, attempt, sha, open } = header;
    const inert = (word) => word.replace(/[^A-Za-z0-9]/g, "");
    return `${MARKER}${JSON.stringify({ v, key: inert(key), run: inert(run), attempt, sha: inert(sha), open })}${END}`;
}
function parseHeader(body) {
    const line = (body ?? "").slice(0, 1000).split(/\r?\n/, 1)[0].trimEnd();
    if (!line.startsWith(MARKER) || !line.endsWith(END))
        return null;
    let read;
    try {
        read = JSON.parse(line.slice(MARKER.length, -END.length));
    }
    catch {
        return null;
    }
    if (typeof read !== "object" || read === null || Array.isArray(read))
        return null;
    const { v, key, run, attempt, sha, open } = read;
    if (v !== 1 || typeof key !== "string" || key === "")
        return null;
    return {
        v, key,
        run: typeof run === "string" && /^\d{1,30}$/.test(run) ? run : "0",
        attempt: Number.isSafeInteger(attempt) && attempt >= 0 ? attempt : 0,
        sha: typeof sha === "string" ? sha : "",
        open: open === true,
    };
}
function isNewer(header, than) {
    const [a, b] = [BigInt(/^\d+$/.test(header.run) ? header.run : "0"), BigInt(/^\d+$/.test(than.run) ? than.run : "0")];
    return a > b || (a === b && header.attempt > than.attempt);
}


/***/ }),

/***/ 9105:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ saveSinks),
/* harmony export */   p: () => (/* binding */ closeOpenSinks)
/* harmony export */ });
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);
/* harmony import */ var _comment_header_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4670);
/* harmony import */ var _context_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7064);
/* harmony import */ var _github_api_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9493);
/* harmony import */ var _runner_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4712);





const STATE = "agent_deploy_sinks";
function saveSinks(sinks) {
    _runner_js__WEBPACK_IMPORTED_MODULE_3__/* .saveState */ .LZ(STATE, JSON.stringify(sinks));
}
function readSinks(saved) {
    try {
        const { open, commentId, deploymentId } = JSON.parse(saved ?? "");
        const id = (value) => (typeof value === "number" && Number.isSafeInteger(value) ? value : null);
        return { open: open === true, commentId: id(commentId), deploymentId: id(deploymentId) };
    }
    catch {
        return null;
    }
}
async function closeOpenSinks(env, clock) {
    const sinks = readSinks(env[`STATE_${STATE}`]);
    const token = env["INPUT_GITHUB-TOKEN"] ?? "";
    const context = (0,_context_js__WEBPACK_IMPORTED_MODULE_1__/* .readRunContext */ .$)(env, null);
    if (sinks === null || !sinks.open || token === "" || context.repository === null)
        return [];
    const closed = [];
    const deadlineMs = clock.monotonic() + 20_000;
    const api = await (0,_github_api_js__WEBPACK_IMPORTED_MODULE_2__/* .createGithubApi */ .ME)({ token, baseUrl: context.apiUrl, clock, patienceMs: () => deadlineMs - clock.monotonic() });
    const attempt = async (name, close) => {
        try {
            if (await close())
                closed.push(name);
        }
        catch (error) {
            _runner_js__WEBPACK_IMPORTED_MODULE_3__/* .annotate */ .fz("warning", `The ${name} that the killed run left open was not closed: ${(0,_github_api_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error)}.`);
        }
    };
    if (sinks.commentId !== null)
        await attempt("comment", () => closeComment(api, context, sinks.commentId));
    if (sinks.deploymentId !== null)
        await attempt("deployment", () => closeDeployment(api, context, sinks.deploymentId));
    return closed;
}
async function closeComment(api, context, id) {
    const repository = (0,_github_api_js__WEBPACK_IMPORTED_MODULE_2__/* .toRouteRepository */ .Hx)(context.repository);
    const { data } = await api.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", { ...repository, comment_id: id });
    const body = String(data.body ?? "");
    const header = (0,_comment_header_js__WEBPACK_IMPORTED_MODULE_4__/* .parseHeader */ .RW)(body);
    if (header === null || !header.open || header.run !== context.runId || header.attempt !== context.runAttempt)
        return false;
    const rest = body.split(/\r?\n/).slice(2).join("\n").trim();
    const run = context.runUrl === "" ? "" : ` See ${(0,_report_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)("the run", context.runUrl)}.`;
    await api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...repository, comment_id: id,
        body: `${(0,_comment_header_js__WEBPACK_IMPORTED_MODULE_4__/* .renderHeader */ .wZ)({ ...header, open: false })}\n### ⏹️ Cancelled: the run was killed before it could report\n\nWhat it had begun goes on at the service, and may still go live.${run}\n\n${rest}\n`,
    });
    return true;
}
async function closeDeployment(api, context, id) {
    await api.request("POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses", {
        ...(0,_github_api_js__WEBPACK_IMPORTED_MODULE_2__/* .toRouteRepository */ .Hx)(context.repository), deployment_id: id, state: "error", auto_inactive: false,
        description: "The run was killed before it could report.", ...(context.runUrl === "" ? {} : { log_url: context.runUrl }),
    });
    return true;
}


/***/ }),

/***/ 4712:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  fz: () => (/* binding */ annotate),
  N4: () => (/* binding */ endGroup),
  LZ: () => (/* binding */ saveState),
  uH: () => (/* binding */ setOutput),
  Pq: () => (/* binding */ setSecret),
  Oh: () => (/* binding */ startGroup)
});

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
// EXTERNAL MODULE: external "crypto"
var external_crypto_ = __webpack_require__(6982);
// EXTERNAL MODULE: external "fs"
var external_fs_ = __webpack_require__(9896);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/file-command.js
// For internal use, subject to change.
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */




function issueFileCommand(command, message) {
    const filePath = process.env[`GITHUB_${command}`];
    if (!filePath) {
        throw new Error(`Unable to find environment variable for file command ${command}`);
    }
    if (!external_fs_.existsSync(filePath)) {
        throw new Error(`Missing file at path: ${filePath}`);
    }
    external_fs_.appendFileSync(filePath, `${toCommandValue(message)}${external_os_.EOL}`, {
        encoding: 'utf8'
    });
}
function prepareKeyValueMessage(key, value) {
    const delimiter = `ghadelimiter_${external_crypto_.randomUUID()}`;
    const convertedValue = toCommandValue(value);
    // These should realistically never happen, but just in case someone finds a
    // way to exploit uuid generation let's not allow keys or values that contain
    // the delimiter.
    if (key.includes(delimiter)) {
        throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
    }
    if (convertedValue.includes(delimiter)) {
        throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
    }
    return `${key}<<${delimiter}${external_os_.EOL}${convertedValue}${external_os_.EOL}${delimiter}`;
}
//# sourceMappingURL=file-command.js.map
;// CONCATENATED MODULE: ./build/host/runner.js



function setSecret(secret) {
    issueCommand("add-mask", {}, secret);
}
function setOutput(name, value) {
    setValue("OUTPUT", "set-output", name, value);
}
function saveState(name, value) {
    setValue("STATE", "save-state", name, value);
}
function setValue(file, command, name, value) {
    if ((process.env[`GITHUB_${file}`] ?? "") !== "")
        issueFileCommand(file, prepareKeyValueMessage(name, value));
    else
        issueCommand(command, { name }, value);
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


/***/ })

};
