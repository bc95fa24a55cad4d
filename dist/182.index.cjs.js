"use strict";
exports.id = 182;
exports.ids = [182];
exports.modules = {

/***/ 3182:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runEmulatorCommand: () => (/* binding */ runEmulatorCommand)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./build/emulator/journal.js


const HEADER = '{"agent-deploy-emulator-state":1}';
function parseJournal(text, path) {
    if (text === "")
        return [];
    const lines = text.split("\n");
    const cut = lines.pop() ?? "";
    if (lines[0] !== HEADER) {
        if (lines.length === 0 && HEADER.startsWith(cut))
            return [];
        throw new Error(`${path}:1: not a state file of the emulator; give another path`);
    }
    return lines.slice(1).flatMap((line, i) => {
        const read = readLine(line);
        if (read === null)
            throw new Error(`${path}:${i + 2}: not JSON, or no line of a state; the file was changed by something else: repair that line or remove the file`);
        return read;
    });
}
function readLine(line) {
    try {
        const read = JSON.parse(line);
        const isEntry = (one) => Array.isArray(one) &&
            one.length === 3 &&
            typeof one[0] === "string" &&
            typeof one[1] === "string";
        return Array.isArray(read) && read.every(isEntry) ? read : null;
    }
    catch {
        return null;
    }
}
function writeAll(fd, text) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;)
        at += (0,external_node_fs_.writeSync)(fd, bytes, at);
}
function replaceFile(path, entries) {
    const fresh = `${path}.new`;
    const fd = (0,external_node_fs_.openSync)(fresh, "w", 0o600);
    writeAll(fd, `${HEADER}\n${entries.length === 0 ? "" : `${JSON.stringify(entries)}\n`}`);
    (0,external_node_fs_.fsyncSync)(fd);
    (0,external_node_fs_.closeSync)(fd);
    (0,external_node_fs_.renameSync)(fresh, path);
    const folder = (0,external_node_fs_.openSync)((0,external_node_path_.dirname)(path), "r");
    (0,external_node_fs_.fsyncSync)(folder);
    (0,external_node_fs_.closeSync)(folder);
}
function compact(entries) {
    const last = new Map();
    for (const entry of entries) {
        const key = `${entry[0]} ${entry[1]}`;
        if (entry[2] === null)
            last.delete(key);
        else
            last.set(key, entry);
    }
    return [...last.values()];
}
function openJournal(path) {
    const entries = compact(parseJournal((0,external_node_fs_.existsSync)(path) ? (0,external_node_fs_.readFileSync)(path, "utf8") : "", path));
    replaceFile(path, entries);
    let fd = (0,external_node_fs_.openSync)(path, "a", 0o600);
    const journal = {
        append: (more) => {
            writeAll(fd, `${JSON.stringify(more)}\n`);
            (0,external_node_fs_.fdatasyncSync)(fd);
        },
        rewrite: (whole) => {
            (0,external_node_fs_.closeSync)(fd);
            replaceFile(path, whole);
            fd = (0,external_node_fs_.openSync)(path, "a", 0o600);
        },
        close: () => {
            if (fd >= 0)
                (0,external_node_fs_.closeSync)(fd);
            fd = -1;
        },
    };
    return { entries, journal };
}

// EXTERNAL MODULE: ./build/emulator/admin.js
var admin = __webpack_require__(5353);
// EXTERNAL MODULE: ./build/emulator/choices.js
var choices = __webpack_require__(2038);
// EXTERNAL MODULE: ./build/emulator/fault.js
var fault = __webpack_require__(5866);
// EXTERNAL MODULE: ./build/emulator/json.js
var json = __webpack_require__(1214);
;// CONCATENATED MODULE: ./build/emulator/scenario.js




class ScenarioError extends Error {
    name = "ScenarioError";
}
const KEYS = [
    "clock",
    "timeScale",
    "phases",
    "lags",
    "revisions",
    "faults",
    "seed",
    "readback",
    "secretValues",
    "maskedSecrets",
    "dialect",
    "apiKeys",
    "bearerTokens",
    "region",
    "limits",
    "strict",
    ...Object.keys(choices/* CHOICES */.v),
];
async function parseScenario(text, file) {
    const { load } = await __webpack_require__.e(/* import() */ 243).then(__webpack_require__.bind(__webpack_require__, 3243));
    let value;
    try {
        value = load(text, { filename: file });
    }
    catch (error) {
        throw new ScenarioError(`${file}: ${error.message}`);
    }
    if (value === null || value === undefined)
        return {};
    if (!(0,json/* isObject */.G)(value))
        throw new ScenarioError(`${file}: a scenario is a mapping of options, such as "timeScale: 50"`);
    const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
    if (unknown.length > 0)
        throw new ScenarioError(`${file}: unknown key ${unknown.join(", ")}; there are: ${KEYS.join(", ")}`);
    const faults = (0,fault/* parseFaults */.bZ)(value["faults"] ?? []);
    if ("problem" in faults)
        throw new ScenarioError(`${file}: ${faults.problem}`);
    const rules = (0,admin/* parseRevisionRules */.W)(value["revisions"] ?? []);
    if ("problem" in rules)
        throw new ScenarioError(`${file}: ${rules.problem}`);
    return value;
}

// EXTERNAL MODULE: ./build/emulator/server.js + 21 modules
var emulator_server = __webpack_require__(8091);
;// CONCATENATED MODULE: ./build/emulator/run.js




const TIME_SCALE = 25;
async function runEmulator(options, io) {
    try {
        const scenario = options.scenario === undefined
            ? {}
            : await parseScenario((0,external_node_fs_.readFileSync)(options.scenario, "utf8"), options.scenario);
        const kept = options.state === undefined ? undefined : openJournal(options.state);
        const server = await (0,emulator_server/* startEmulator */.s)({
            timeScale: TIME_SCALE,
            limits: "on",
            ...scenario,
            port: options.port ?? 0,
            ...(options.host === undefined ? {} : { host: options.host }),
            ...(options.strict === undefined ? {} : { strict: options.strict }),
        }, kept);
        io.out(server.url);
        const keys = server.emulator.settings().apiKeys;
        io.err(`${keys === null ? "any X-Api-Key is taken; " : ""}requests are logged at /_emulator/requests; the URL is a page to look inside`);
        io.err(`in another terminal: export AGENT_DEPLOY_API_KEY=${keys === null ? "any" : "…"} AGENT_DEPLOY_CONTROL_PLANE_URL=${server.url}`);
        await new Promise((resolve) => {
            if (io.signal.aborted)
                resolve();
            else
                io.signal.addEventListener("abort", () => resolve(), { once: true });
        });
        await server.close();
        return 0;
    }
    catch (error) {
        io.err(`emulator: ${toReason(error, options)}`);
        return 2;
    }
}
function toReason(error, { host = "127.0.0.1", port = 0 }) {
    const { code, message } = error;
    if (code === "EADDRINUSE")
        return `port ${port} of ${host} is taken: give another with --port, or 0 for any free one`;
    if (code === "EACCES" && port > 0 && port < 1024)
        return `port ${port} is not for every user: give one from 1024 on with --port, or 0 for any free one`;
    return message;
}

;// CONCATENATED MODULE: ./build/commands/emulator.js

function runEmulatorCommand(options, signal) {
    const { port, host, state, scenario, strict } = options;
    return runEmulator({
        port,
        host,
        strict,
        ...(state === undefined ? {} : { state }),
        ...(scenario === undefined ? {} : { scenario }),
    }, {
        out: (line) => {
            process.stdout.write(`${line}\n`);
        },
        err: (line) => {
            process.stderr.write(`${line}\n`);
        },
        signal,
    });
}


/***/ })

};
;