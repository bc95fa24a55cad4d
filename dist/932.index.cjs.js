"use strict";
exports.id = 932;
exports.ids = [932];
exports.modules = {

/***/ 9932:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  F: () => (/* binding */ parseSpec),
  y: () => (/* binding */ renderProblem)
});

// EXTERNAL MODULE: ./build/model/rules.js
var rules = __webpack_require__(1761);
// EXTERNAL MODULE: ./build/model/dialect.js
var model_dialect = __webpack_require__(6156);
// EXTERNAL MODULE: ./build/spec/desired.js
var desired = __webpack_require__(7508);
// EXTERNAL MODULE: ./build/spec/document.js + 1 modules
var spec_document = __webpack_require__(6885);
// EXTERNAL MODULE: ./build/spec/duration.js
var duration = __webpack_require__(8020);
// EXTERNAL MODULE: ./build/spec/interpolation.js
var interpolation = __webpack_require__(232);
;// CONCATENATED MODULE: ./build/spec/validation.js






const isStruct = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function validateDocument(root, options) {
    const nothing = { desired: undefined, name: undefined, nameAt: root.at, sensitiveValues: [] };
    if (root.kind === "broken")
        return { ...nothing, problems: [] };
    if (root.kind !== "map") {
        return {
            ...nothing,
            problems: [
                {
                    ...root.at,
                    level: "error",
                    path: "",
                    message: "the document is no mapping; write name: and source: of a deployment, each on a line of its own",
                },
            ],
        };
    }
    const words = dialectWords(root, options.env, options.interpolate);
    const dialect = words[0]?.dialect ?? (words.length === 0 && isInternal(root) ? "hosted" : "document");
    const reading = {
        env: options.env,
        mode: options.mode,
        trusted: options.interpolate,
        dialect,
        problems: [...mixedDialects(words)],
        marks: new Map(),
        unknown: new Set(),
        sensitiveValues: [],
    };
    const { deploy: block, ...body } = (0,spec_document/* readDocument */.u)(reading, root);
    if (reading.unknown.has("source") &&
        !reading.problems.some((problem) => problem.path === "source" && problem.level === "error")) {
        reading.problems.push({
            ...reading.marks.get("source").value,
            level: "error",
            path: "source",
            message: "decides what every other field means, so it must be known in every run; write the word itself",
        });
    }
    const deploy = readDeploy(reading, block);
    const source = body["source"] === rules/* UNKNOWN */.HV ? undefined : body["source"];
    const adopted = options.adopted || (isStruct(block) && block["id"] !== undefined && block["id"] !== null);
    judge(reading, root, { source, dialect, body, adopted });
    const nameAt = reading.marks.get("name")?.value ?? root.at;
    const name = typeof body["name"] === "string" ? body["name"] : undefined;
    const failed = reading.problems.some((problem) => problem.level === "error");
    const desired = failed ? undefined : toDesired({ reading, root, dialect, body, deploy });
    return {
        desired,
        name,
        nameAt,
        problems: reading.problems,
        sensitiveValues: reading.sensitiveValues,
    };
}
function readDeploy(reading, block) {
    const values = isStruct(block)
        ? Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null && value !== rules/* UNKNOWN */.HV))
        : {};
    const { timeout, paths, ...rest } = values;
    const timeoutMs = typeof timeout === "string" ? (0,duration/* parseDuration */.E)(timeout) : undefined;
    if (typeof timeout === "string" && timeoutMs === undefined) {
        const mark = reading.marks.get("deploy.timeout");
        reading.problems.push({
            ...mark.value,
            level: "error",
            path: mark.written,
            message: "is no duration; write 500ms, 90s, 30m or 1h (at most 24 days)",
        });
    }
    return {
        secrets: "replace",
        resource_spec: "merge",
        ...rest,
        paths: Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [],
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
}
function judge(reading, root, document) {
    for (const finding of rules/* RULES */.y0.flatMap((rule) => rule(document))) {
        reading.problems.push({
            ...placeOf(reading.marks, root, finding),
            level: finding.level,
            path: writtenPath(reading, finding),
            message: finding.message,
        });
    }
}
function placeOf(marks, root, { path, at }) {
    const mark = marks.get(path.join("."));
    return mark?.[at] ?? nearestMark(marks, path.join("."))?.key ?? root.at;
}
function nearestMark(marks, path) {
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
        const mark = marks.get(at);
        if (mark !== undefined)
            return mark;
    }
    return undefined;
}
const writtenPath = ({ marks, dialect }, { path }) => marks.get(path.join("."))?.written ?? (0,model_dialect/* spellPath */._R)(path.join("."), dialect);
function dialectWords(root, env, trusted) {
    const words = root.entries.flatMap(({ key, value }) => {
        if (key === "source" && value.kind === "scalar" && typeof value.value === "string") {
            const source = (0,interpolation/* interpolate */.G)(value.value, env, trusted).text ?? "";
            const dialect = isInternalWord(source) ? undefined : (0,model_dialect/* dialectOf */.E3)(source);
            return dialect === undefined
                ? []
                : [
                    {
                        dialect,
                        at: value.at,
                        path: "source",
                        word: `source: ${source}`,
                        other: `source: ${(0,model_dialect/* spellSource */.cp)(source, opposite(dialect))}`,
                    },
                ];
        }
        if (key !== "source_revision_config" || value.kind !== "map")
            return [];
        return value.entries.flatMap((entry) => {
            const dialect = (0,model_dialect/* dialectOfKey */.PY)(entry.key);
            return dialect === undefined
                ? []
                : [
                    {
                        dialect,
                        at: entry.keyAt,
                        path: `source_revision_config.${entry.key}`,
                        word: entry.key,
                        other: (0,model_dialect/* spellKey */.Qj)(entry.key, opposite(dialect)),
                    },
                ];
        });
    });
    return words.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}
const opposite = (dialect) => (dialect === "document" ? "hosted" : "document");
const isInternalWord = (source) => (0,model_dialect/* spellSource */.cp)(source, "document") === (0,model_dialect/* spellSource */.cp)(source, "hosted");
const isInternal = (root) => root.entries.some(({ key, value }) => key === "source" && value.kind === "scalar" && (0,model_dialect/* dialectOf */.E3)(value.value) === "hosted");
function mixedDialects(words) {
    const [first, ...rest] = words;
    return rest
        .filter((word) => word.dialect !== first.dialect)
        .map((word) => ({
        ...word.at,
        level: "error",
        path: word.path,
        message: `${word.word} mixes two spellings of the service, since ${first.word} stands in line ${first.at.line}; write ${word.other}, or ${first.other} there`,
    }));
}
function toDesired({ reading, root, dialect, body, deploy, }) {
    const known = toKnown(body);
    return {
        name: known["name"],
        source: known["source"],
        dialect,
        body: known,
        deploy,
        unknown: new Set([...reading.unknown].filter((path) => !path.startsWith("deploy."))),
        positionOf: (path) => nearestMark(reading.marks, (0,model_dialect/* spellPath */._R)(path, "document"))?.key ?? root.at,
    };
}
function toKnown(value) {
    if (value === rules/* UNKNOWN */.HV)
        return desired/* KNOWN_AT_APPLY */.X;
    if (Array.isArray(value))
        return value.map(toKnown);
    if (isStruct(value))
        return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toKnown(child)]));
    return value;
}

// EXTERNAL MODULE: ./build/spec/yaml.js
var yaml = __webpack_require__(6627);
;// CONCATENATED MODULE: ./build/spec/spec.js


const MAX_DOCUMENTS = 1000;
const MAX_PROBLEMS = 1000;
function parseSpec({ files, env, mode, interpolate = true, adopted = false, }) {
    const validated = [];
    let problems = [];
    for (const { path, text } of files) {
        const file = (0,yaml/* parseYaml */.h)(text, path);
        const written = file.documents.filter((node) => node.kind !== "scalar" || node.value !== null);
        const results = written
            .slice(0, MAX_DOCUMENTS)
            .map((node) => validateDocument(node, { env, mode, interpolate, adopted }));
        const overflow = written.length <= MAX_DOCUMENTS
            ? []
            : [
                {
                    ...written[MAX_DOCUMENTS].at,
                    level: "error",
                    path: "",
                    message: `a file holds at most ${MAX_DOCUMENTS} documents; split it`,
                },
            ];
        problems = problems.concat(firstOf(byPlace([...overflow, ...file.problems, ...results.flatMap((result) => result.problems)])));
        validated.push(...(file.problems.length === 0
            ? results
            : results.map((result) => ({ ...result, desired: undefined }))));
    }
    if (validated.length === 0 && problems.length === 0) {
        problems.push({
            file: files[0]?.path ?? "agent-deploy.yml",
            line: 1,
            column: 1,
            level: "error",
            path: "",
            message: "the spec holds no document; write one with name: and source: of a deployment",
        });
    }
    const duplicates = repeatedNames(validated);
    const documents = validated.flatMap(({ desired }, index) => desired === undefined || duplicates.has(index) ? [] : [desired]);
    return {
        documents,
        problems: duplicates.size === 0 ? problems : inFileOrder(files, [...problems, ...duplicates.values()]),
        sensitiveValues: [...new Set(validated.flatMap((result) => result.sensitiveValues))],
    };
}
function firstOf(problems) {
    const rest = problems.slice(MAX_PROBLEMS);
    if (rest.length === 0)
        return problems;
    const level = rest.some((problem) => problem.level === "error") ? "error" : "warning";
    return [
        ...problems.slice(0, MAX_PROBLEMS),
        {
            ...rest[0],
            level,
            path: "",
            message: `and ${rest.length} more problems in this file; mend those above first`,
        },
    ];
}
function byPlace(problems) {
    return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}
function inFileOrder(files, problems) {
    const order = new Map(files.map((file, index) => [file.path, index]));
    return byPlace(problems).sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0));
}
function repeatedNames(documents) {
    const first = new Map();
    const duplicates = new Map();
    for (const [index, { name, nameAt }] of documents.entries()) {
        if (name === undefined || name === "")
            continue;
        const before = first.get(name);
        if (before === undefined)
            first.set(name, nameAt);
        else {
            const message = `repeats the name of the document at ${before.file}:${before.line}:${before.column}; give each deployment its own name`;
            duplicates.set(index, { ...nameAt, level: "error", path: "name", message });
        }
    }
    return duplicates;
}
function renderProblem({ file, line, column, level, path, message }) {
    return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}${level === "warning" ? " (warning)" : ""}`;
}


/***/ }),

/***/ 6627:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ parseYaml),
/* harmony export */   n: () => (/* binding */ MAX_SPEC_CHARS)
/* harmony export */ });
/* harmony import */ var js_yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3243);

const MAX_SPEC_CHARS = 1024 * 1024;
const MAX_DEPTH = 100;
const MAX_EVENTS = 250_000;
const MAX_EXPANDED_NODES = 50_000;
const CORE_TAGS = [
    js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .nullCoreTag */ .DX,
    js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .boolCoreTag */ .G7,
    js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .intCoreTag */ .Z7,
    js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .floatCoreTag */ .ok,
];
const EXPLICIT_TAGS = new Map([
    ["null", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .nullCoreTag */ .DX],
    ["bool", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .boolCoreTag */ .G7],
    ["int", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .intCoreTag */ .Z7],
    ["float", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .floatCoreTag */ .ok],
    ["str", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .strTag */ .ym],
]);
function createPlaces(source, file) {
    const starts = [0];
    for (const match of source.matchAll(/\r\n|\r|\n/gu))
        starts.push(match.index + match[0].length);
    const bom = source.startsWith("\uFEFF") ? 1 : 0;
    return (offset) => {
        let low = 0;
        for (let high = starts.length; high - low > 1;) {
            const middle = (low + high) >> 1;
            if (starts[middle] <= offset)
                low = middle;
            else
                high = middle;
        }
        const start = low === 0 ? Math.min(bom, offset) : starts[low];
        return { file, line: low + 1, column: offset - start + 1 };
    };
}
function parseYaml(text, file) {
    const refuse = (at, message) => ({
        documents: [],
        problems: [{ ...at, level: "error", path: "", message }],
    });
    const top = { file, line: 1, column: 1 };
    if (text.length > MAX_SPEC_CHARS)
        return refuse(top, "the file is larger than 1 MiB; split the spec into several files");
    if (/^\uFFFE|^.?\u0000/su.test(text))
        return refuse(top, "the file looks like UTF-16; save it as UTF-8");
    const placeOf = createPlaces(text, file);
    let events;
    try {
        events = (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .parseEvents */ .PH)(text, { filename: file, maxDepth: MAX_DEPTH });
    }
    catch (error) {
        if (!(error instanceof js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .YAMLException */ .tB))
            return refuse(top, "the file is no YAML that can be read; check its syntax");
        const at = placeOf(error.mark?.position ?? 0);
        return refuse(at, `not valid YAML: ${error.reason}; ${adviceFor(error.reason, text.split(/\r\n|\r|\n/u)[at.line - 1] ?? "")}`);
    }
    if (events.length > MAX_EVENTS)
        return refuse(top, "the file holds too many values; split it");
    return composeFile({ source: text, events, placeOf, problems: [], index: 0, anchors: new Map() });
}
function adviceFor(reason, line) {
    if (/\$\{/u.test(line))
        return "put ${…} in quotes inside { } and [ ]";
    if (/tab/u.test(reason))
        return "indent with spaces";
    if (/maxDepth/u.test(reason))
        return "nest less deeply";
    return "check indentation, colons and quotes here";
}
function composeFile(composer) {
    const documents = [];
    while (composer.index < composer.events.length) {
        composer.index += 1;
        composer.anchors = new Map();
        const { node, size } = compose(composer, composer.placeOf(0), []);
        while (composer.events[composer.index]?.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.POP)
            composer.index += 1;
        const bomb = size > MAX_EXPANDED_NODES;
        documents.push(bomb
            ? addDiagnostic(composer, node.at, "the document holds too many values, counting what its aliases repeat; write less, or write the values out")
            : node);
    }
    return { documents, problems: composer.problems };
}
function addDiagnostic(composer, at, message) {
    composer.problems.push({ ...at, level: "error", path: "", message });
    return { kind: "broken", at };
}
const measure = (node, children) => ({
    node,
    size: children.reduce((sum, child) => sum + child.size, 1),
    depth: children.reduce((deepest, child) => Math.max(deepest, child.depth), 0) + 1,
});
function startOf(composer, event) {
    if (event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.ALIAS)
        return event.anchorStart - 1;
    const marks = [event.anchorStart - 1, event.tagStart].filter((offset) => offset >= 0);
    if (marks.length > 0)
        return Math.min(...marks);
    if (event.type !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR)
        return event.start;
    if (event.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.SINGLE_QUOTED || event.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.DOUBLE_QUOTED)
        return event.valueStart - 1;
    if (event.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.LITERAL_BLOCK || event.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.FOLDED_BLOCK) {
        const header = /[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?\s*$/u.exec(composer.source.slice(Math.max(0, event.valueStart - 300), event.valueStart));
        return header === null ? event.valueStart : event.valueStart - header[0].length;
    }
    return event.valueStart;
}
function compose(composer, empty, path) {
    const event = composer.events[composer.index++];
    if (event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.DOCUMENT || event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.POP)
        throw new Error("the YAML events are out of order");
    const offset = startOf(composer, event);
    const at = offset < 0 ? empty : composer.placeOf(offset);
    if (event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.ALIAS)
        return composeAlias(composer, composer.source.slice(event.anchorStart, event.anchorEnd), at, path.length);
    const anchor = event.anchorStart < 0 ? undefined : composer.source.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined)
        composer.anchors.set(anchor, undefined);
    const made = event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR
        ? measure(composeScalar(composer, event, at), [])
        : event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SEQUENCE
            ? composeList(composer, at, path)
            : composeMap(composer, at, path);
    const kept = event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR || fitsCollection(composer, event, at)
        ? made
        : measure({ kind: "broken", at }, []);
    if (anchor !== undefined)
        composer.anchors.set(anchor, kept);
    return kept;
}
function composeAlias(composer, name, at, depth) {
    const found = composer.anchors.get(name);
    if (found !== undefined && depth + found.depth <= MAX_DEPTH)
        return { ...found, node: { ...found.node, at } };
    const message = found !== undefined
        ? "nests too deeply; write the values out"
        : composer.anchors.has(name)
            ? "contains itself; write the values out"
            : `has no anchor; write &${name} before the value it repeats`;
    return measure(addDiagnostic(composer, at, `the alias *${name} ${message}`), []);
}
function composeList(composer, at, path) {
    const items = [];
    while (composer.events[composer.index].type !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.POP)
        items.push(compose(composer, at, [...path, String(items.length)]));
    composer.index += 1;
    return measure({ kind: "list", at, items: items.map((item) => item.node) }, items);
}
function composeMap(composer, at, path) {
    const own = new Map();
    const merged = [];
    const children = [];
    while (composer.events[composer.index].type !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.POP) {
        const keyEvent = composer.events[composer.index];
        const isMerge = keyEvent.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR &&
            keyEvent.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.PLAIN &&
            (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .getScalarValue */ .KE)(composer.source, keyEvent) === "<<";
        const key = compose(composer, at, path).node;
        const name = key.kind === "scalar" ? String(key.value) : "?";
        const value = compose(composer, key.at, [...path, name]);
        children.push(value);
        if (key.kind !== "scalar") {
            if (key.kind !== "broken")
                addDiagnostic(composer, key.at, "a key is a list or mapping; write plain text keys");
            continue;
        }
        if (isMerge)
            merged.push(value.node);
        else
            addEntry(composer, own, { key: name, keyAt: key.at, value: value.node }, path);
    }
    composer.index += 1;
    const entries = merged.length === 0 ? [...own.values()] : mergeEntries(composer, own, merged);
    return measure({ kind: "map", at, entries }, children);
}
function addEntry(composer, own, entry, path) {
    const first = own.get(entry.key);
    if (entry.key === "__proto__")
        addDiagnostic(composer, entry.keyAt, "the key __proto__ is refused; remove it");
    else if (first === undefined)
        own.set(entry.key, entry);
    else {
        composer.problems.push({
            ...entry.keyAt,
            level: "error",
            path: [...path, entry.key].join("."),
            message: `the key is written twice, first in line ${first.keyAt.line}; keep one of the two`,
        });
    }
}
function mergeEntries(composer, own, merged) {
    const all = new Map(own);
    let work = 0;
    for (const source of merged.flatMap((node) => (node.kind === "list" ? node.items : [node]))) {
        if (source.kind !== "map") {
            if (source.kind !== "broken")
                addDiagnostic(composer, source.at, "<< takes a mapping or a list of mappings; write an alias of one");
        }
        else if ((work += source.entries.length) > MAX_EXPANDED_NODES) {
            addDiagnostic(composer, source.at, "<< merges too many keys; write them out");
            break;
        }
        else
            for (const entry of source.entries)
                if (!all.has(entry.key))
                    all.set(entry.key, entry);
    }
    return [...all.values()];
}
function tagName(composer, event) {
    const raw = event.tagStart < 0 ? "" : composer.source.slice(event.tagStart, event.tagEnd);
    return raw.replace(/^!<tag:yaml\.org,2002:(.*)>$/u, "!!$1");
}
function fitsCollection(composer, event, at) {
    const tag = tagName(composer, event);
    const fitting = event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SEQUENCE ? "!!seq" : "!!map";
    const fits = tag === "" || tag === "!" || tag === fitting;
    if (!fits)
        addDiagnostic(composer, at, `the tag ${tag} is not known here; remove it`);
    return fits;
}
function composeScalar(composer, event, at) {
    const { source, placeOf } = composer;
    const text = (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .getScalarValue */ .KE)(source, event);
    const value = resolveScalar(composer, event, text, at);
    if (typeof value === "object" && value !== null)
        return value;
    if (typeof value !== "string" ||
        event.valueEnd < 0 ||
        !/[\r\n]/u.test(source.slice(event.valueStart, event.valueEnd)))
        return { kind: "scalar", at, value };
    const locate = (needle) => {
        const found = source.slice(event.valueStart, event.valueEnd).indexOf(needle);
        const place = found < 0 ? undefined : placeOf(event.valueStart + found);
        return place === undefined || place.line === at.line ? undefined : place;
    };
    return { kind: "scalar", at, value, locate };
}
function resolveScalar(composer, event, text, at) {
    const tag = tagName(composer, event);
    if (tag === "!" || (tag === "" && event.style !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.PLAIN))
        return text;
    const candidates = tag === ""
        ? CORE_TAGS
        : [EXPLICIT_TAGS.get(tag.slice(2))].filter((found) => found !== undefined && tag.startsWith("!!"));
    for (const candidate of candidates) {
        const value = candidate.resolve(text, tag !== "", candidate.tagName);
        if (value !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .NOT_RESOLVED */ .Hg)
            return typeof value === "number"
                ? checkNumber(composer, value, at)
                : value;
    }
    return tag === ""
        ? text
        : addDiagnostic(composer, at, `the tag ${tag} does not fit this value; remove it`);
}
function checkNumber(composer, value, at) {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        return addDiagnostic(composer, at, "the number is too large, or none that JSON can carry; write a smaller one, or put it in quotes where text is meant");
    }
    return value === 0 ? 0 : value;
}


/***/ })

};
;