"use strict";
exports.id = 808;
exports.ids = [808];
exports.modules = {

/***/ 3808:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  run: () => (/* binding */ run)
});

// EXTERNAL MODULE: ./build/inputs.js + 1 modules
var inputs = __webpack_require__(8741);
;// CONCATENATED MODULE: ./build/arguments.js

function parseArguments(argv) {
    const words = { raw: {}, bare: [], problems: [], help: false, version: false };
    for (let at = 0; at < argv.length; at++) {
        const word = argv[at];
        if (word === "--") {
            words.bare.push(...argv.slice(at + 1));
            break;
        }
        if (word === "-h" || word === "--help")
            words.help = true;
        else if (word === "--version" || word === "-v" || word === "-V")
            words.version = true;
        else if (word.startsWith("-") && word !== "-")
            at += readFlag(words, word, argv[at + 1]);
        else
            words.bare.push(word);
    }
    return toArguments(words, argv.length === 0);
}
function toArguments(words, empty) {
    const { raw, bare, problems, version } = words;
    const asked = bare[0] === "help" ? bare.slice(1) : bare;
    const named = raw["command"] ?? asked.shift();
    delete raw["command"];
    const command = named !== undefined && Object.hasOwn(inputs/* COMMANDS */.Lo, named) ? named : undefined;
    if (words.help || empty || bare[0] === "help") {
        return {
            command,
            raw,
            lookup: undefined,
            problems: [],
            help: named === "inputs" ? "inputs" : (command ?? true),
            version,
        };
    }
    if (version || named === "version")
        return { command, raw, lookup: undefined, problems: [], help: undefined, version: true };
    if (command === undefined) {
        const message = named === undefined
            ? `which command? one of ${Object.keys(inputs/* COMMANDS */.Lo).join(", ")}`
            : /\.ya?ml$/.test(named)
                ? `${named} is a file, and the command comes first: agent-deploy plan ${named}`
                : `there is no command ${JSON.stringify(named)}${(0,inputs/* didYouMean */.au)(named, Object.keys(inputs/* COMMANDS */.Lo))}; agent-deploy --help lists them`;
        problems.push({ level: "error", input: "command", message });
        return { command, raw, lookup: undefined, problems, help: undefined, version };
    }
    const lookup = readBareWords(command, asked, raw, problems);
    for (const name of Object.keys(raw)) {
        if ((0,inputs/* rowOf */.OB)(name)?.on.includes(command) === false)
            problems.push({
                level: "warning",
                input: name,
                message: `--${name} has no effect on ${command}`,
            });
    }
    return { command, raw, lookup, problems, help: undefined, version };
}
function readBareWords(command, bare, raw, problems) {
    if (command === "lookup") {
        const [what, ...rest] = bare;
        if ((what === "integrations" || what === "listeners") && rest.length === 0)
            return what;
        const shown = what === undefined
            ? ""
            : `, not ${JSON.stringify(bare.join(" "))}${(0,inputs/* didYouMean */.au)(what, ["integrations", "listeners"])}`;
        problems.push({
            level: "error",
            input: "command",
            message: `lookup takes one word, integrations or listeners${shown}`,
        });
        return undefined;
    }
    if (bare.length === 0)
        return undefined;
    const input = (0,inputs/* positionalOf */.oO)(command);
    if (input === undefined) {
        problems.push({
            level: "error",
            input: "command",
            message: `${command} takes no bare words, so ${JSON.stringify(bare[0])} is one too many; agent-deploy ${command} --help`,
        });
        return undefined;
    }
    raw[input] = [raw[input], ...bare].filter((value) => value !== undefined).join("\n");
    return undefined;
}
function readFlag(words, word, next) {
    const [flag, ...assigned] = word.split("=");
    const name = flag.replace(/^--?/, "");
    const value = assigned.length === 0 ? undefined : assigned.join("=");
    const fail = (message) => {
        words.problems.push({ level: "error", input: name, message });
    };
    const known = (0,inputs/* inputNames */.vj)("cli").filter((input) => (0,inputs/* rowOf */.OB)(input)?.secret !== true);
    const negated = name.startsWith("no-") && (0,inputs/* rowOf */.OB)(name.slice(3))?.type === "boolean";
    if ((0,inputs/* rowOf */.OB)(name)?.secret) {
        fail(secretFlag(name));
        return value === undefined && next !== undefined && !next.startsWith("-") ? 1 : 0;
    }
    if (negated && word.startsWith("--")) {
        if (value === undefined)
            words.raw[name.slice(3)] = "false";
        else
            fail(`--${name} takes no value; write --${name} or --${name.slice(3)}=${value}`);
        return 0;
    }
    if (!word.startsWith("--") || !known.includes(name)) {
        fail(`there is no flag ${flag}${(0,inputs/* didYouMean */.au)(name, known).replace("mean ", "mean --")}`);
        return 0;
    }
    const { type } = (0,inputs/* rowOf */.OB)(name);
    if (type === "boolean") {
        const separate = value === undefined && next !== undefined && (0,inputs/* readBoolean */.Vf)(next) !== undefined;
        words.raw[name] = value ?? (separate ? next : "true");
        return separate ? 1 : 0;
    }
    const taken = value ?? (next?.startsWith("--") ? undefined : next);
    if (taken === undefined) {
        fail(`--${name} needs a value: --${name} <${type === "string" || type === "text" ? "text" : type}>`);
        return 0;
    }
    const several = type === "list" || type === "text";
    words.raw[name] =
        several && words.raw[name] !== undefined ? `${words.raw[name]}\n${taken}` : taken;
    return value === undefined ? 1 : 0;
}
function secretFlag(name) {
    const variables = ((0,inputs/* rowOf */.OB)(name)?.env ?? []).join(" or ");
    const file = name === "api-key" ? ", or name a file with --api-key-file" : "";
    return `--${name} would show the secret in the process list and in logs: set the environment variable ${variables}${file}`;
}

// EXTERNAL MODULE: ./build/run/command.js
var command = __webpack_require__(7067);
// EXTERNAL MODULE: ./build/host/context.js
var host_context = __webpack_require__(7064);
// EXTERNAL MODULE: ./build/host/event.js
var host_event = __webpack_require__(8567);
// EXTERNAL MODULE: ./build/host/redaction.js
var redaction = __webpack_require__(8334);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/report/escape.js
var report_escape = __webpack_require__(9924);
// EXTERNAL MODULE: ./build/report/outputs.js
var outputs = __webpack_require__(4121);
// EXTERNAL MODULE: ./build/report/terminal.js
var terminal = __webpack_require__(3299);
// EXTERNAL MODULE: ./build/host/workflow-command.js
var workflow_command = __webpack_require__(9970);
;// CONCATENATED MODULE: ./build/host/terminal.js






const ERASE = "\r\u001b[2K";
function createTerminalHost({ stdout, stderr, isTTY, color, reportColor = color, redactor, output = "text", reportFile, }) {
    let live = null;
    let planShown = false;
    const told = new Set();
    const settle = () => {
        if (live !== null)
            stderr.write("\n");
        live = null;
    };
    const note = (text) => {
        settle();
        stderr.write(`${text}\n`);
    };
    const label = (level) => color
        ? `\u001b[${{ notice: 36, warning: 33, error: 31 }[level]}m${level}:\u001b[39m`
        : `${level}:`;
    const clean = (text) => (0,workflow_command/* toLogText */.Z)(redactor.redact(text).split("\n").map(report_escape/* toVisible */.ws).join("\n"));
    const progress = (line) => {
        const shown = clean(line);
        const subject = /^([^\s:]+): /.exec(shown)?.[1] ?? null;
        if (!isTTY || subject === null || shown.includes("\n")) {
            note(shown);
            return;
        }
        if (live !== null && live !== subject)
            settle();
        stderr.write(`${live === null ? "" : ERASE}${shown}`);
        live = subject;
    };
    const publish = async (stage, given) => {
        const report = redactor.redactAll(given);
        if (stage === "begin") {
            if (!planShown && report.deployments.some((one) => one.plan !== null)) {
                note((0,workflow_command/* toLogText */.Z)((0,terminal/* renderPlan */.EG)(report, { color }).trimEnd()));
                planShown = true;
            }
            return { commentUrl: "" };
        }
        settle();
        if (output === "text")
            for (const problem of report.problems)
                if (!told.has(problem)) {
                    note(`${label("error")} ${clean(problem)}`);
                    told.add(problem);
                }
        if (reportFile !== undefined) {
            try {
                await (0,promises_.mkdir)((0,external_node_path_.dirname)(reportFile), { recursive: true });
                await (0,promises_.writeFile)(reportFile, (0,outputs/* toReportJson */.s)(report));
            }
            catch (error) {
                note(`${label("warning")} the report file was not written: ${String(error.message)}`);
            }
        }
        if (output === "json")
            stdout.write((0,workflow_command/* toLogJson */.q)((0,outputs/* toReportJson */.s)(report)));
        if (output === "line")
            stdout.write((0,workflow_command/* toLogJson */.q)(`${JSON.stringify(report)}\n`));
        if (output !== "text")
            note((0,workflow_command/* toLogText */.Z)((0,terminal/* renderOutcome */.zu)(report, { color, told }).trimEnd()));
        const plan = report.command === "plan" && report.deployments.length > 0
            ? `${(0,terminal/* renderPlan */.EG)(report, { color: reportColor })}\n`
            : "";
        if (output === "text")
            stdout.write((0,workflow_command/* toLogText */.Z)(plan + (0,terminal/* renderOutcome */.zu)(report, { color: reportColor, told })));
        return { commentUrl: "" };
    };
    return {
        progress,
        annotate: ({ level, file, line, column, path, message }) => {
            const problem = `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
            told.add(redactor.redact(problem));
            note(level === "error"
                ? clean((0,report_escape/* toVisible */.ws)(problem))
                : `${label(level)} ${clean((0,report_escape/* toVisible */.ws)(problem))}`);
        },
        say: (level, message) => note(`${label(level)} ${clean(message)}`),
        publish,
    };
}

// EXTERNAL MODULE: ./build/host/workspace.js
var host_workspace = __webpack_require__(1822);
// EXTERNAL MODULE: ./build/version.js
var version = __webpack_require__(8508);
// EXTERNAL MODULE: ./build/wiring.js
var wiring = __webpack_require__(432);
;// CONCATENATED MODULE: ./build/cli.js










async function run() {
    const args = parseArguments(process.argv.slice(2));
    if (args.version) {
        process.stdout.write(`${version/* VERSION */.x}\n`);
        return;
    }
    if (args.help !== undefined) {
        process.stdout.write(await renderHelpOf(args.help));
        return;
    }
    const { raw, problems } = await readRaw(args, process.env);
    const { options, problems: wrong } = (0,inputs/* parseInputs */.TL)(raw, "cli");
    const all = [...problems, ...wrong];
    for (const { level, message } of all)
        process.stderr.write(`${level}: ${message}\n`);
    if (all.some((problem) => problem.level === "error") || args.command === undefined) {
        process.exitCode = 2;
        return;
    }
    const redactor = (0,redaction/* createRedactor */.l)();
    for (const secret of [options.apiKey, options.bearerToken, options.githubToken])
        if (secret !== undefined)
            redactor.add(secret);
    const context = (0,host_context/* readRunContext */.$)(process.env, await (0,host_event/* readEvent */.j)(process.env["GITHUB_EVENT_PATH"]));
    const cwd = process.cwd();
    const temp = process.env["RUNNER_TEMP"];
    const workspace = (0,host_workspace/* createWorkspace */.s)({
        root: cwd,
        allowOutside: options.allowOutside,
        ...(temp === undefined || temp === "" ? {} : { temp }),
    });
    const print = (text) => {
        process.stdout.write(redactor.redact(text));
    };
    const reportFile = await (options.reportFile === undefined
        ? workspace.locate(".")
        : workspace.locateFile(options.reportFile)).then((path) => path, (error) => {
        process.stderr.write(`error: ${error.message}\n`);
        return null;
    });
    if (reportFile === null) {
        process.exitCode = 2;
        return;
    }
    const host = createTerminalHost({
        stdout: process.stdout,
        stderr: process.stderr,
        isTTY: process.stderr.isTTY === true,
        color: wantsColor(process.env, process.stderr.isTTY === true),
        reportColor: wantsColor(process.env, process.stdout.isTTY === true),
        redactor,
        output: toOutput(args.command, options),
        ...(options.reportFile === undefined ? {} : { reportFile }),
    });
    const session = (0,wiring/* createSession */.jw)({
        entryPoint: "cli",
        command: (0,command/* resolveAuto */.o$)(args.command, context.event),
        options,
        env: process.env,
        host,
        redactor,
        workspace,
        run: context,
        cwd,
        signal: (0,wiring/* abortOnSignals */.PB)(),
        print,
    });
    const alone = TERMINAL_COMMANDS[args.command];
    process.exitCode =
        alone === undefined
            ? (await (0,command/* runCommand */.d1)(session)).exitCode
            : await runAlone(session, () => alone(session, args));
    (0,wiring/* endIfCancelled */.WI)(session.signal);
}
function toOutput(command, { json, dryRun, experiment }) {
    const prints = dryRun && experiment.length > 0 && ["upload", "apply", "auto"].includes(command);
    if (command === "export" || (prints && !json))
        return "none";
    return json ? (prints ? "line" : "json") : "text";
}
const TERMINAL_COMMANDS = {
    lookup: async (session, args) => (await Promise.all(/* import() */[__webpack_require__.e(7), __webpack_require__.e(536)]).then(__webpack_require__.bind(__webpack_require__, 7989))).runLookup(session, args.lookup ?? "integrations"),
    emulator: async ({ options, signal }) => (await Promise.all(/* import() */[__webpack_require__.e(2), __webpack_require__.e(91), __webpack_require__.e(182)]).then(__webpack_require__.bind(__webpack_require__, 3182))).runEmulatorCommand(options, signal),
    demo: async ({ env, signal }) => (await Promise.all(/* import() */[__webpack_require__.e(2), __webpack_require__.e(91), __webpack_require__.e(200)]).then(__webpack_require__.bind(__webpack_require__, 4200))).runDemo(env, signal),
    init: async (session) => (await Promise.all(/* import() */[__webpack_require__.e(243), __webpack_require__.e(2), __webpack_require__.e(144), __webpack_require__.e(932), __webpack_require__.e(7), __webpack_require__.e(71), __webpack_require__.e(127)]).then(__webpack_require__.bind(__webpack_require__, 713))).runInit(session),
};
async function runAlone(session, run) {
    try {
        return await run();
    }
    catch (error) {
        const { report, exitCode } = (0,command/* toFailedEnd */.qx)(session, error);
        for (const problem of report.problems)
            session.host.say("error", problem);
        return exitCode;
    }
}
function wantsColor(env, isTTY) {
    return isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
async function renderHelpOf(help) {
    const { renderHelp, renderCommandHelp, renderInputsHelp } = await __webpack_require__.e(/* import() */ 989).then(__webpack_require__.bind(__webpack_require__, 8989));
    return help === true
        ? renderHelp(version/* VERSION */.x)
        : help === "inputs"
            ? renderInputsHelp()
            : renderCommandHelp(help);
}
const MAX_KEY_BYTES = 64 * 1024;
async function readRaw(args, env) {
    const raw = { ...(0,inputs/* readEnvironment */.Qo)(env), ...args.raw };
    const file = raw["api-key-file"];
    if (file === undefined || file === "")
        return { raw, problems: args.problems };
    try {
        const text = await (0,host_workspace/* createWorkspace */.s)({ root: process.cwd(), allowOutside: true }).readText(file, MAX_KEY_BYTES);
        return { raw: { ...raw, "api-key": text.trim() }, problems: args.problems };
    }
    catch (error) {
        const message = `--api-key-file: ${error.message}`;
        return {
            raw,
            problems: [...args.problems, { level: "error", input: "api-key-file", message }],
        };
    }
}


/***/ })

};
;