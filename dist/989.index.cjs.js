"use strict";
exports.id = 989;
exports.ids = [989];
exports.modules = {

/***/ 8989:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderCommandHelp: () => (/* binding */ renderCommandHelp),
/* harmony export */   renderHelp: () => (/* binding */ renderHelp),
/* harmony export */   renderInputsHelp: () => (/* binding */ renderInputsHelp)
/* harmony export */ });
/* harmony import */ var _inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8741);

const WIDTH = 80;
function renderHelp(version) {
    const commands = Object.entries(_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .COMMANDS */ .Lo).map(([name, { doc }]) => `  ${name.padEnd(10)}${doc}`);
    return [
        `agent-deploy ${version}: declarative deployments of agent servers, from CI`,
        "",
        "agent-deploy <command> [files] [--flag value ...]",
        ...commands,
        "",
        "The key comes from AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, never from a flag.",
        "Exit: 0 fine, 1 red, 2 usage, 3 changes, 4 gate, 5 timed out, 130 cancelled",
        "agent-deploy <command> --help, agent-deploy help inputs; first try: demo",
        "",
    ].join("\n");
}
function renderCommandHelp(command) {
    const names = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .inputNames */ .vj)("cli").filter((name) => name !== "command" && (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.on.includes(command));
    const common = names.filter((name) => isCommon(name, command) && name !== (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .positionalOf */ .oO)(command));
    const others = names.filter((name) => !common.includes(name) && (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.secret !== true);
    const { doc, example = command } = _inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .COMMANDS */ .Lo[command];
    const keys = names.includes("api-key")
        ? ["Key: AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or --api-key-file"]
        : [];
    return [
        `agent-deploy ${command}${usage(command)} [--flag value ...]`,
        `${doc[0].toUpperCase()}${doc.slice(1)}.`,
        `Example: agent-deploy ${example}`,
        "",
        ...common.map((name) => renderFlag(name, "brief")),
        ...(others.length === 0 ? [] : wrap(`Also: ${others.map((name) => `--${name}`).join(" ")}`, 6)),
        ...keys,
        "",
    ].join("\n");
}
function renderInputsHelp() {
    const names = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .inputNames */ .vj)("cli").filter((name) => name !== "command" && (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.secret !== true);
    const secrets = Object.keys(_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .INPUTS */ .mc).filter((name) => (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.secret);
    return [
        ...names.map((name) => renderFlag(name, "whole")),
        "",
        "Secrets, by environment variable only:",
        ...secrets.map((name) => `  ${name.padEnd(14)}${(0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name).env.join(" or ")}`),
        "",
    ].join("\n");
}
function isCommon(name, command) {
    const common = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.secret === true ? undefined : (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name)?.common;
    return common === true || common?.includes(command) === true;
}
function usage(command) {
    if (command === "lookup")
        return " integrations|listeners";
    const input = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .positionalOf */ .oO)(command);
    return input === undefined
        ? ""
        : ` [${{ spec: "spec", experiment: "result", reports: "report" }[input]} files]`;
}
function renderFlag(name, length) {
    const row = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name);
    const flag = `--${row.default === true ? `[no-]${name}` : name}${argument(name)}`;
    const left = `  ${flag.padEnd(28)} `;
    const doc = row.doc.replace(/`/g, "");
    if (length === "brief")
        return left + /^.*?[.?](?= |$)/.exec(doc)[0].replace(/\.$/, "");
    const [first = "", ...rest] = wrap(doc + defaultNote(name), 0, WIDTH - 31);
    return [left + first, ...rest.map((line) => " ".repeat(31) + line)].join("\n");
}
function argument(name) {
    const row = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name);
    if (row.type === "boolean")
        return "";
    if (row.type === "enum")
        return ` ${row.values.join("|")}`;
    if (row.type === "duration")
        return ` ${typeof row.default === "string" ? row.default : "5s"}`;
    if (row.type === "integer")
        return " n";
    if (row.type === "object")
        return " json";
    return ` ${WORDS.find(([ending]) => ending.test(name))?.[1] ?? (row.type === "list" ? "a,b" : "text")}`;
}
const WORDS = [
    [/url$/, "url"],
    [/-id$/, "id"],
    [/^(spec|experiment|reports)$/, "files"],
    [/(file|baseline|mapping|output|state|scenario)$/, "file"],
    [/(^only|-name)$/, "name"],
    [/^confirm$/, "name"],
    [/^commit$/, "sha"],
    [/^expect-plan$/, "fingerprint"],
    [/^verify$/, "command"],
    [/^gate$/, "lines"],
    [/^host$/, "address"],
];
function defaultNote(name) {
    const { default: value, type } = (0,_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .rowOf */ .OB)(name);
    if (value === undefined ||
        type === "boolean" ||
        (type === "duration" && name !== "poll-interval"))
        return "";
    return ` Default: ${Array.isArray(value) ? value.join(",") : String(value)}.`;
}
function wrap(text, indent, width = WIDTH) {
    const lines = [];
    let line = "";
    for (const word of text.split(" ")) {
        if (line !== "" && line.length + 1 + word.length > width) {
            lines.push(line);
            line = " ".repeat(indent) + word;
        }
        else
            line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line];
}


/***/ })

};
;