"use strict";
exports.id = 144;
exports.ids = [144];
exports.modules = {

/***/ 1761:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bv: () => (/* binding */ reservedSecretNames),
/* harmony export */   HV: () => (/* binding */ UNKNOWN),
/* harmony export */   bo: () => (/* binding */ mountsMatchVolumes),
/* harmony export */   cQ: () => (/* binding */ minAboveMax),
/* harmony export */   kC: () => (/* binding */ limitBelowRequest),
/* harmony export */   y0: () => (/* binding */ RULES)
/* harmony export */ });
/* harmony import */ var _shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2939);
/* harmony import */ var _dialect_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6156);


const UNKNOWN = Symbol("unknown");
const isStruct = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const structAt = (parent, key) => isStruct(parent[key]) ? parent[key] : undefined;
const listAt = (parent, key) => Array.isArray(parent?.[key]) ? parent[key] : [];
const found = (level, at, path, message) => ({ level, at, path, message });
const isSet = (value) => value !== undefined && value !== null;
function* written(value, shape = _shape_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentShape */ .zK, path = []) {
    if (shape.kind === "struct" && isStruct(value)) {
        for (const [key, child] of Object.entries(value)) {
            const row = shape.fields.get(key);
            if (row === undefined)
                continue;
            yield { path: [...path, key], row, value: child };
            yield* written(child, row.shape, [...path, key]);
        }
    }
    else if (shape.kind === "list" && Array.isArray(value)) {
        for (const [index, item] of value.entries())
            yield* written(item, shape.item, [...path, index]);
    }
}
const RESOURCE_SPEC = ["source_config", "resource_spec"];
const resourceSpec = (body) => structAt(structAt(body, "source_config") ?? {}, "resource_spec");
function containers(body) {
    return ["init_containers", "sidecars"].flatMap((key) => listAt(resourceSpec(body), key).flatMap((item, index) => isStruct(item) ? [{ path: [...RESOURCE_SPEC, key, index], container: item }] : []));
}
function requiredBySourceKind({ source, dialect, body, adopted }) {
    const required = [
        ["repohost", "source_config", "repo_url", "the URL of the git repository"],
        [
            "repohost",
            "source_revision_config",
            "graph_config_path",
            "the path of the graph configuration file",
        ],
        ["external_container", "source_revision_config", "image_uri", "the URI of the container image"],
    ];
    return adopted
        ? []
        : required.flatMap(([kind, config, key, example]) => {
            const written = body[config] === null ? {} : structAt(body, config);
            if (kind !== source ||
                written === undefined ||
                (isSet(written[key]) && written[key] !== ""))
                return [];
            const message = `is required for source ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(kind, dialect)}; write ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellKey */ .Qj)(key, dialect)}: ${example}`;
            return [found(written[key] === null ? "warning" : "error", "key", [config, key], message)];
        });
}
function fieldsOfOtherKind({ source, dialect, body }) {
    if (source !== "repohost" && source !== "external_container")
        return [];
    const findings = [];
    for (const { path, row, value } of written(body)) {
        const special = source === "repohost" &&
            ["source_config.custom_url", "source_config.resource_spec"].includes(row.path);
        const nested = findings.some((other) => other.path.every((key, index) => key === path[index]));
        if (row.meta.only === undefined ||
            row.meta.only === source ||
            row.mutability === "read-only" ||
            special ||
            nested ||
            value === null)
            continue;
        findings.push(found("error", "key", path, `belongs to source ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(row.meta.only, dialect)} alone; remove it, or change source`));
    }
    return findings;
}
function readOnlyFields({ body }) {
    return [...written(body)].flatMap(({ path, row }) => row.mutability === "read-only"
        ? [
            found("error", "key", path, row.path === "id"
                ? "is read-only; remove it, or write it as id in the deploy block to adopt that deployment"
                : "is read-only, set by the service; remove it"),
        ]
        : []);
}
function customUrlOnRepohost({ source, dialect, body }) {
    return source === "repohost" && isSet(structAt(body, "source_config")?.["custom_url"])
        ? [
            found("error", "key", ["source_config", "custom_url"], `is set by the service for source ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(source, dialect)}; remove it`),
        ]
        : [];
}
function resourceSpecOnRepohost({ source, dialect, body }) {
    return source === "repohost" && isSet(structAt(body, "source_config")?.["resource_spec"])
        ? [
            found("error", "key", RESOURCE_SPEC, `applies only to source ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)("external_container", dialect)}; remove it (deployment_type chooses the size of a repository deployment)`),
        ]
        : [];
}
function internalSourceFields({ source, body }) {
    if (source !== "internal_docker" && source !== "internal_source")
        return [];
    const isEmpty = (value) => value === null || (isStruct(value) && Object.keys(value).length === 0);
    return Object.entries(body).flatMap(([key, value]) => {
        const own = ["name", "source", "secrets"].includes(key) ||
            (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldAt */ .UK)([key])?.mutability === "read-only" ||
            isEmpty(value);
        const message = `cannot be managed for source ${source}, which the vendor's command line builds: a plan that would change it is blocked; ` +
            "keep only name, source, secrets and deploy, or migrate: write a new deployment under another name with source repohost or external_container";
        return own ? [] : [found("warning", "key", [key], message)];
    });
}
const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;
const LABEL_ADVICE = "write 1 to 63 of a-z, 0-9 and -, beginning and ending with a letter or digit";
function nameIsDnsLabel({ body }) {
    const name = body["name"];
    if (name === "")
        return [found("error", "value", ["name"], `is empty; ${LABEL_ADVICE}`)];
    return typeof name === "string" && !DNS_LABEL.test(name)
        ? [
            found("warning", "value", ["name"], `is no DNS label, which the service may refuse or fail to build; ${LABEL_ADVICE}`),
        ]
        : [];
}
function buildOnPushWithTag({ body }) {
    const ref = structAt(body, "source_revision_config")?.["repo_ref"];
    return structAt(body, "source_config")?.["build_on_push"] === true &&
        typeof ref === "string" &&
        ref.startsWith("refs/tags/")
        ? [
            found("error", "value", ["source_config", "build_on_push"], "cannot be true while repo_ref is a tag; write false, or a branch name as repo_ref"),
        ]
        : [];
}
function dnsLabels({ body }) {
    const volumes = listAt(resourceSpec(body), "volumes").map((item, index) => ({
        path: [...RESOURCE_SPEC, "volumes", index],
        container: isStruct(item) ? item : {},
    }));
    return [...volumes, ...containers(body)].flatMap(({ path, container: { name } }) => typeof name === "string" && !DNS_LABEL.test(name)
        ? [found("error", "value", [...path, "name"], `is no DNS label; ${LABEL_ADVICE}`)]
        : []);
}
function repeated(items, what) {
    const first = new Map();
    return items.flatMap(({ path, key }) => {
        if (typeof key !== "string")
            return [];
        const before = first.get(key);
        if (before === undefined)
            first.set(key, path);
        return before === undefined
            ? []
            : [
                found("error", "value", path, `repeats the ${what} of ${before.slice(0, -1).join(".")}; give each its own, or remove one`),
            ];
    });
}
function duplicateNames({ body }) {
    const keyed = [...written(body)].flatMap(({ path, row, value }) => {
        const key = row.shape.kind === "list" && row.name !== "sidecars" ? row.shape.match : undefined;
        if (key === undefined || !Array.isArray(value))
            return [];
        return repeated(value.map((item, index) => ({
            path: [...path, index, key],
            key: isStruct(item) ? item[key] : undefined,
        })), key);
    });
    return [
        ...keyed,
        ...repeated(containers(body).map(({ path, container }) => ({
            path: [...path, "name"],
            key: container["name"],
        })), "name"),
    ];
}
function mountsMatchVolumes({ body }) {
    const spec = resourceSpec(body);
    if (spec === undefined || spec["volumes"] === UNKNOWN)
        return [];
    const volumes = new Set(listAt(spec, "volumes").map((volume) => (isStruct(volume) ? volume["name"] : UNKNOWN)));
    if (volumes.has(UNKNOWN))
        return [];
    const lists = [
        { path: [...RESOURCE_SPEC, "volume_mounts"], mounts: listAt(spec, "volume_mounts") },
        ...containers(body).map(({ path, container }) => ({
            path: [...path, "volumeMounts"],
            mounts: listAt(container, "volumeMounts"),
        })),
    ];
    const known = volumes.size === 0
        ? "write it under volumes"
        : `write one of ${[...volumes].slice(0, 10).join(", ")}, or add it under volumes`;
    return lists.flatMap(({ path, mounts }) => mounts.flatMap((mount, index) => {
        const name = isStruct(mount) ? mount["name"] : UNKNOWN;
        return typeof name !== "string" || volumes.has(name)
            ? []
            : [
                found("error", "value", [...path, index, "name"], `matches no volume of resource_spec; ${known}`),
            ];
    }));
}
const envVars = (body) => containers(body).flatMap(({ path, container }) => listAt(container, "env").flatMap((item, index) => isStruct(item) ? [{ path: [...path, "env", index], variable: item }] : []));
function valueWithValueFrom({ body }) {
    return envVars(body).flatMap(({ path, variable: { value, valueFrom } }) => typeof value === "string" && value !== "" && isSet(valueFrom)
        ? [
            found("error", "key", [...path, "valueFrom"], "cannot stand beside a non-empty value; keep one of the two"),
        ]
        : []);
}
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/u;
const IDENTIFIER_ADVICE = "write letters, digits and _, not beginning with a digit";
function variableNames({ body }) {
    const secrets = ["secrets", "secret_references"].flatMap((key) => listAt(body, key).map((item, index) => ({
        path: [key, index],
        name: isStruct(item) ? item["name"] : UNKNOWN,
    })));
    const bad = (name) => typeof name === "string" && !C_IDENTIFIER.test(name);
    return [
        ...envVars(body).flatMap(({ path, variable }) => bad(variable["name"])
            ? [found("error", "value", [...path, "name"], `is no C identifier; ${IDENTIFIER_ADVICE}`)]
            : []),
        ...secrets.flatMap(({ path, name }) => bad(name)
            ? [
                found("warning", "value", [...path, "name"], `is no C identifier, so that no program may see it as an environment variable; ${IDENTIFIER_ADVICE}`),
            ]
            : []),
    ];
}
function effective(spec, name) {
    const value = spec[name];
    if (typeof value === "number")
        return value;
    if (value === UNKNOWN)
        return undefined;
    const preset = (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldAt */ .UK)([...RESOURCE_SPEC, name])?.meta.default;
    if (preset === undefined || !("of" in preset))
        return undefined;
    const base = effective(spec, preset.of);
    return base === undefined ? undefined : base * preset.times;
}
const RESOURCE_NAMES = (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .allFields */ .Tz)(_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentShape */ .zK)
    .filter((row) => /^source_config\.resource_spec\.[a-z_]+$/u.test(row.path))
    .map((row) => row.name);
const LIMITS = RESOURCE_NAMES.filter((name) => /_limit(_mb)?$/u.test(name)).map((name) => ({
    limit: name,
    request: name.replace("_limit", ""),
}));
const RANGES = RESOURCE_NAMES.filter((name) => name.endsWith("min_scale")).map((name) => ({
    min: name,
    max: name.replace("min_", "max_"),
}));
const orderly = (spec, low, high) => {
    const values = { low: effective(spec, low), high: effective(spec, high) };
    const one = isSet(spec[low]) || isSet(spec[high]);
    return one && values.low !== undefined && values.high !== undefined && values.high < values.low
        ? values
        : undefined;
};
function limitBelowRequest({ body }) {
    const spec = resourceSpec(body) ?? {};
    const own = LIMITS.flatMap(({ limit, request }) => {
        const broken = orderly(spec, request, limit);
        return broken === undefined
            ? []
            : [
                found("error", "value", [...RESOURCE_SPEC, isSet(spec[limit]) ? limit : request], `the limit ${limit} (${broken.high}) is below the request ${request} (${broken.low}); raise the limit, or lower the request`),
            ];
    });
    return [
        ...own,
        ...containers(body).flatMap(({ path, container }) => {
            const resources = structAt(container, "resources") ?? {};
            const limits = structAt(resources, "limits") ?? {};
            const requests = structAt(resources, "requests") ?? {};
            return Object.keys(limits).flatMap((name) => {
                const limit = quantity(limits[name]);
                const request = quantity(requests[name]);
                return limit !== undefined && request !== undefined && limit < request
                    ? [
                        found("error", "value", [...path, "resources", "limits", name], "the limit is below the request of the same name; raise the limit, or lower the request"),
                    ]
                    : [];
            });
        }),
    ];
}
const SUFFIXES = {
    "": 1,
    m: 1e-3,
    k: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
    Ki: 2 ** 10,
    Mi: 2 ** 20,
    Gi: 2 ** 30,
    Ti: 2 ** 40,
};
function quantity(value) {
    const match = typeof value === "string" ? /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/u.exec(value) : null;
    return match === null ? undefined : Number(match[1]) * SUFFIXES[match[2] ?? ""];
}
function minAboveMax({ body }) {
    const spec = resourceSpec(body) ?? {};
    return RANGES.flatMap(({ min, max }) => {
        const broken = orderly(spec, min, max);
        return broken === undefined
            ? []
            : [
                found("error", "value", [...RESOURCE_SPEC, isSet(spec[min]) ? min : max], `the minimum ${min} (${broken.low}) is above the maximum ${max} (${broken.high}); lower the minimum, or raise the maximum`),
            ];
    });
}
const RESERVED = new Set(`LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT
  LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI
  LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY`.split(/\s+/u));
const RESERVED_ON_CLOUD = new Set(`LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX
  LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/u));
function reservedSecretNames({ source, body }) {
    return ["secrets", "secret_references"].flatMap((key) => listAt(body, key).flatMap((item, index) => {
        const name = isStruct(item) ? item["name"] : undefined;
        const reserved = typeof name === "string" &&
            (RESERVED.has(name) || (RESERVED_ON_CLOUD.has(name) && source !== "external_container"));
        return reserved
            ? [
                found("warning", "value", [key, index, "name"], `${name} is a name the service keeps for itself and may refuse; use another name, or remove it`),
            ]
            : [];
    }));
}
function fieldsToAvoid({ body }) {
    return [...written(body)].flatMap(({ path, row }) => row.meta.avoid === true
        ? [
            found("warning", "key", path, "is marked as not to be used by the service's documentation; remove it"),
        ]
        : []);
}
function hostedOnly({ source, dialect, body }) {
    if (dialect !== "document")
        return [];
    const hosted = source === undefined ? "" : ` (source: ${(0,_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(source, "hosted")})`;
    return [...written(body)].flatMap(({ path, row, value }) => {
        if (row.mutability === "read-only")
            return [];
        if (row.meta.hosted === "only")
            return [
                found("warning", "key", path, `is known to the hosted service alone; remove it, or use the hosted spelling${hosted}`),
            ];
        return row.meta.hosted === "fraction" && typeof value === "number" && !Number.isInteger(value)
            ? [
                found("warning", "value", path, `is a fraction, which only the hosted service takes; write a whole number, or use the hosted spelling${hosted}`),
            ]
            : [];
    });
}
function mutableImageTag({ body }) {
    const image = structAt(body, "source_revision_config")?.["image_uri"];
    return typeof image === "string" && image !== "" && !/@sha256:[0-9a-f]{64}$/iu.test(image)
        ? [
            found("warning", "value", ["source_revision_config", "image_uri"], "names an image by a tag that can move, and an unchanged tag is not redeployed; write the digest, as in image@sha256:…"),
        ]
        : [];
}
const RULES = [
    requiredBySourceKind,
    fieldsOfOtherKind,
    readOnlyFields,
    nameIsDnsLabel,
    buildOnPushWithTag,
    customUrlOnRepohost,
    resourceSpecOnRepohost,
    internalSourceFields,
    dnsLabels,
    duplicateNames,
    mountsMatchVolumes,
    valueWithValueFrom,
    variableNames,
    limitBelowRequest,
    minAboveMax,
    reservedSecretNames,
    fieldsToAvoid,
    hostedOnly,
    mutableImageTag,
];


/***/ }),

/***/ 7508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ KNOWN_AT_APPLY)
/* harmony export */ });
const KNOWN_AT_APPLY = "known at apply";


/***/ }),

/***/ 6885:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  u: () => (/* binding */ readDocument),
  e: () => (/* binding */ userInfo)
});

;// CONCATENATED MODULE: ./build/model/deploy-block.js
function row(name, shape, doc, more = {}) {
    return [
        name,
        {
            name,
            path: `deploy.${name}`,
            meta: { doc, ...more },
            required: false,
            shape,
            effect: undefined,
            mutability: "mutable",
        },
    ];
}
const choice = (...values) => ({ kind: "scalar", type: "enum", values });
const deploy_block_text = { kind: "scalar", type: "string" };
const deployShape = {
    kind: "struct",
    fields: new Map([
        row("id", { kind: "scalar", type: "uuid" }, "Id of the deployment to adopt; absent: it is found by its exact name."),
        row("secrets", choice("replace", "merge"), "Whether the secrets here are all there are, or lie over the live ones.", { default: { value: "replace" } }),
        row("resource_spec", choice("merge", "replace"), "Whether `resource_spec` lies over the live one, or is all there is.", { default: { value: "merge" } }),
        row("paths", { kind: "list", item: deploy_block_text, match: undefined }, "Globs; a moved commit counts only if one of these changed. Absent: every path counts."),
        row("timeout", deploy_block_text, "How long a revision may take: `500ms`, `90s`, `30m` or `1h`.", {
            default: { value: "30m" },
        }),
        row("on_failure", choice("none", "rollback"), "What follows a failed revision.", {
            default: { value: "none" },
        }),
        row("verify", deploy_block_text, "Run by `bash -c`, once, after DEPLOYED; a non-zero exit fails the deployment."),
    ]),
};
const deployField = {
    name: "deploy",
    path: "deploy",
    meta: { doc: "What is ours and never sent." },
    required: false,
    shape: deployShape,
    effect: undefined,
    mutability: "mutable",
};

// EXTERNAL MODULE: ./build/model/rules.js
var rules = __webpack_require__(1761);
// EXTERNAL MODULE: ./build/model/shape.js + 1 modules
var shape = __webpack_require__(2939);
// EXTERNAL MODULE: ./build/model/dialect.js
var model_dialect = __webpack_require__(6156);
// EXTERNAL MODULE: ./build/spec/interpolation.js
var interpolation = __webpack_require__(232);
// EXTERNAL MODULE: ./build/spec/suggestion.js
var suggestion = __webpack_require__(176);
;// CONCATENATED MODULE: ./build/spec/document.js






const topShape = {
    kind: "struct",
    fields: new Map([...shape/* deploymentShape */.zK.fields, ["deploy", deployField]]),
};
const MAX_SUGGESTIONS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;
function readDocument(reading, root) {
    return readStruct(reading, root, topShape, {
        path: "",
        written: "",
        key: root.at,
        row: undefined,
    });
}
function addDiagnostic(reading, at, spot, message, level = "error") {
    reading.problems.push({ ...at, level, path: spot.written, message });
    return rules/* UNKNOWN */.HV;
}
const under = (spot, key, written, at, row) => ({
    path: spot.path === "" ? key : `${spot.path}.${key}`,
    written: spot.written === "" ? written : `${spot.written}.${written}`,
    key: at,
    row,
});
function readNode(reading, node, shape, spot) {
    reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
    if (node.kind === "broken")
        return rules/* UNKNOWN */.HV;
    if (node.kind === "scalar" && node.value === null && spot.row !== undefined) {
        return spot.row.required
            ? addDiagnostic(reading, node.at, spot, `must not be null; write ${wants(shape, reading.dialect)}`)
            : null;
    }
    switch (shape.kind) {
        case "struct":
            return node.kind === "map"
                ? readStruct(reading, node, shape, spot)
                : refuseType(reading, node, shape, spot);
        case "list":
            return node.kind === "list"
                ? readList(reading, node.items, shape, spot)
                : refuseType(reading, node, shape, spot);
        case "map":
            return node.kind === "map"
                ? readMap(reading, node, spot)
                : refuseType(reading, node, shape, spot);
        case "free":
            return node.kind === "map"
                ? readFree(reading, node, spot)
                : refuseType(reading, node, shape, spot);
        case "scalar":
            return node.kind === "scalar"
                ? readScalar(reading, node, shape, spot)
                : refuseType(reading, node, shape, spot);
    }
}
function readStruct(reading, node, shape, spot) {
    const values = new Map();
    for (const entry of node.entries) {
        const key = shape.fields.has(entry.key) ? entry.key : (0,model_dialect/* spellKey */.Qj)(entry.key, "document");
        const row = shape.fields.get(key);
        const child = under(spot, key, entry.key, entry.keyAt, row);
        if (row === undefined)
            addDiagnostic(reading, entry.keyAt, child, unknownKey(entry.key, writableKeys(shape, reading.dialect), reading.dialect, reading.problems.length > MAX_SUGGESTIONS));
        else if (!values.has(key))
            values.set(key, readNode(reading, entry.value, row.shape, child));
    }
    for (const [key, row] of shape.fields) {
        if (!row.required || values.has(key))
            continue;
        addDiagnostic(reading, spot.key, under(spot, key, key, spot.key, row), `is required; ${row.path === "secrets.value"
            ? "add value, or write just the name as text to take the environment variable of that name"
            : `add ${key}: ${wants(row.shape, reading.dialect)}`}`);
    }
    return Object.fromEntries(values);
}
function writableKeys(shape, dialect) {
    return [...shape.fields.values()]
        .filter((row) => row.mutability !== "read-only")
        .map((row) => (0,model_dialect/* spellKey */.Qj)(row.name, dialect));
}
function unknownKey(key, known, dialect, busy) {
    if (busy)
        return "is not a known key; remove it";
    const near = (0,suggestion/* nearestWord */.z)(key, known);
    if (near !== undefined)
        return `is not a known key; did you mean ${near}?`;
    const elsewhere = (0,shape/* allFields */.Tz)().find((row) => (0,model_dialect/* spellKey */.Qj)(row.name, dialect) === key && row.path.includes("."));
    if (elsewhere !== undefined)
        return `is not a known key here; write it under ${elsewhere.path.slice(0, elsewhere.path.lastIndexOf("."))}`;
    return `is not a known key; remove it${known.length <= 12 ? `, or write one of ${known.join(", ")}` : ""}`;
}
function readList(reading, items, shape, spot) {
    return items.map((item, index) => {
        const child = under(spot, String(index), String(index), item.at, undefined);
        const value = spot.path === "secrets" && item.kind === "scalar" && typeof item.value === "string"
            ? readNamedSecret(reading, item, child)
            : item.kind === "scalar" && item.value === null
                ? refuseNull(reading, item, shape.item, child)
                : readNode(reading, item, shape.item, child);
        const name = shape.match === undefined || typeof value !== "object" || value === null
            ? undefined
            : value[shape.match];
        const alias = `${spot.path}.${String(name)}`;
        if (typeof name === "string" && !/^\d+$/u.test(name) && !reading.marks.has(alias))
            reading.marks.set(alias, reading.marks.get(child.path));
        return value;
    });
}
function refuseNull(reading, item, shape, spot) {
    return addDiagnostic(reading, item.at, spot, `must not be null; write ${wants(shape, reading.dialect)}, or remove the item`);
}
function readNamedSecret(reading, node, spot) {
    const mark = { written: spot.written, key: node.at, value: node.at };
    for (const path of [spot.path, `${spot.path}.name`, `${spot.path}.value`])
        reading.marks.set(path, mark);
    const name = readText(reading, node, spot);
    const valuePath = `${spot.path}.value`;
    if (typeof name !== "string" || !reading.trusted) {
        reading.unknown.add(valuePath);
        return { name, value: rules/* UNKNOWN */.HV };
    }
    const value = Object.hasOwn(reading.env, name) ? reading.env[name] : undefined;
    if (value !== undefined && value !== "") {
        reading.sensitiveValues.push(value);
        return { name, value };
    }
    const level = reading.mode === "apply" ? "error" : "warning";
    const other = `{ name: ${name}, value: "\${${name}:-}" }`;
    addDiagnostic(reading, node.at, spot, value === undefined
        ? `the environment variable ${name} is not set; set it in the environment of this step, or write { name: ${name}, value: "\${OTHER_NAME}" }`
        : `the environment variable ${name} is empty, which is what GitHub gives for a secret that does not exist; create the secret and pass it to this step, or write ${other} where empty is meant`, level);
    reading.unknown.add(valuePath);
    return { name, value: rules/* UNKNOWN */.HV };
}
function readMap(reading, node, spot) {
    return Object.fromEntries(node.entries.map((entry) => {
        const child = under(spot, entry.key, entry.key, entry.keyAt, undefined);
        if (entry.value.kind === "scalar" && entry.value.value === null)
            return [entry.key, refuseNull(reading, entry.value, TEXT, child)];
        return [entry.key, readNode(reading, entry.value, TEXT, child)];
    }));
}
const TEXT = { kind: "scalar", type: "string" };
function readFree(reading, node, spot) {
    reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
    if (node.kind === "broken")
        return rules/* UNKNOWN */.HV;
    if (node.kind === "map") {
        return Object.fromEntries(node.entries.map((entry) => [
            entry.key,
            readFree(reading, entry.value, under(spot, entry.key, entry.key, entry.keyAt, undefined)),
        ]));
    }
    if (node.kind === "list")
        return node.items.map((item, index) => readFree(reading, item, under(spot, String(index), String(index), item.at, undefined)));
    return typeof node.value === "string" ? readText(reading, node, spot) : node.value;
}
function readText(reading, node, spot, filled = (0,interpolation/* interpolate */.G)(String(node.value), reading.env, reading.trusted)) {
    for (const fault of filled.faults) {
        const level = fault.kind === "unset" && reading.mode !== "apply" ? "warning" : "error";
        const shell = spot.path === "deploy.verify" && fault.kind === "unset" ? " for bash to read" : "";
        addDiagnostic(reading, node.locate?.(fault.written) ?? node.at, spot, fault.message + shell, level);
    }
    if (filled.text === undefined) {
        reading.unknown.add(spot.path);
        return rules/* UNKNOWN */.HV;
    }
    return filled.text;
}
function readScalar(reading, node, shape, spot) {
    if (typeof node.value !== "string") {
        const fits = typeof node.value === "boolean"
            ? shape.type === "boolean"
            : shape.type === "number" || (shape.type === "integer" && Number.isSafeInteger(node.value));
        return fits ? node.value : refuseType(reading, node, shape, spot);
    }
    const filled = (0,interpolation/* interpolate */.G)(node.value, reading.env, reading.trusted);
    const text = readText(reading, node, spot, filled);
    if (text === rules/* UNKNOWN */.HV)
        return rules/* UNKNOWN */.HV;
    gatherSensitive(reading, text, filled, spot.row);
    if (spot.row?.path === "secrets.value" && text === "" && !filled.mayBeEmpty)
        return refuseEmptySecret(reading, node, filled, spot);
    switch (shape.type) {
        case "string":
            return text;
        case "uuid":
            return UUID.test(text) ? text : refuseType(reading, node, shape, spot, filled);
        case "enum":
            return readChoice(reading, node, shape, spot, text, filled);
        default: {
            const value = filled.whole ? typed(text, shape.type) : undefined;
            return value ?? refuseType(reading, node, shape, spot, filled);
        }
    }
}
function typed(text, type) {
    if (type === "boolean")
        return /^true$/iu.test(text) ? true : /^false$/iu.test(text) ? false : undefined;
    if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(text))
        return undefined;
    const value = Number(text) + 0;
    return Number.isFinite(value) && (type === "number" || Number.isSafeInteger(value))
        ? value
        : undefined;
}
function readChoice(reading, node, shape, spot, text, filled) {
    const values = shape.values ?? [];
    const isSource = spot.path === "source";
    const value = isSource ? (0,model_dialect/* spellSource */.cp)(text, "document") : text;
    if (values.includes(value))
        return value;
    const near = (0,suggestion/* nearestWord */.z)(text, isSource ? [...values, ...values.map((known) => (0,model_dialect/* spellSource */.cp)(known, "hosted"))] : values);
    if (near === undefined)
        return refuseType(reading, node, shape, spot, filled);
    return addDiagnostic(reading, node.at, spot, `takes ${wants(shape, reading.dialect)}, got ${describe(node, spot, filled)}; did you mean ${near}?`);
}
function refuseEmptySecret(reading, node, filled, spot) {
    const name = filled.references[0]?.name;
    addDiagnostic(reading, node.at, spot, "the secret is empty, which is what GitHub gives for a secret that does not exist; " +
        (name === undefined
            ? 'write ${NAME} with the variable that holds it, or "${NAME:-}" where empty is meant'
            : `create it and pass it to this step, or write \${${name}:-} where empty is meant`), reading.mode === "apply" ? "error" : "warning");
    if (reading.mode === "apply" || name === undefined)
        return "";
    reading.unknown.add(spot.path);
    return rules/* UNKNOWN */.HV;
}
function gatherSensitive(reading, text, filled, row) {
    if (row?.meta.sensitive === "value")
        reading.sensitiveValues.push(...[text, ...filled.taken].filter((value) => value !== ""));
    if (row?.meta.sensitive === "user-info")
        reading.sensitiveValues.push(...userInfo(text));
}
function userInfo(url) {
    const info = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/iu.exec(url)?.[1];
    if (info === undefined || (!info.includes(":") && info.length < 8))
        return [];
    const password = info.includes(":") ? info.slice(info.indexOf(":") + 1) : info;
    let plain = password;
    try {
        plain = decodeURIComponent(password);
    }
    catch {
    }
    return [...new Set([info, password, plain])].filter((value) => value !== "");
}
function wants(shape, dialect) {
    switch (shape.kind) {
        case "struct":
            return `a mapping of ${shape.fields.size <= 4 ? [...shape.fields.keys()].map((key) => (0,model_dialect/* spellKey */.Qj)(key, dialect)).join(", ") : "its fields"}`;
        case "list":
            return "a list";
        case "map":
            return "a mapping of text to text";
        case "free":
            return "a mapping";
        case "scalar":
            return shape.type === "enum"
                ? `one of ${(shape.values ?? []).map((value) => (0,model_dialect/* spellSource */.cp)(value, dialect)).join(", ")}`
                : SCALAR_WORDS[shape.type];
    }
}
const SCALAR_WORDS = {
    string: "text",
    uuid: "a UUID",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
};
function describe(node, spot, filled) {
    if (node.kind !== "scalar")
        return node.kind === "map" ? "a mapping" : "a list";
    const reference = filled?.references[0];
    if (reference !== undefined)
        return `another value from \${${reference.name}}`;
    if (spot.row?.meta.sensitive !== undefined)
        return node.value === ""
            ? "an empty text"
            : `a ${typeof node.value === "string" ? "text" : typeof node.value}`;
    return typeof node.value === "string"
        ? `the text ${JSON.stringify(node.value.slice(0, 40))}`
        : String(node.value);
}
function refuseType(reading, node, shape, spot, filled) {
    const wanted = wants(shape, reading.dialect);
    const bare = node.kind === "scalar" &&
        typeof node.value === "string" &&
        shape.kind === "scalar" &&
        ["integer", "number", "boolean"].includes(shape.type);
    const advice = spot.path === "deploy.timeout"
        ? "write 500ms, 90s, 30m or 1h"
        : shape.kind === "scalar" && shape.type === "string" && node.kind === "scalar"
            ? "put it in quotes"
            : bare &&
                typed(String(node.value), shape.type) !==
                    undefined
                ? "write it without quotes"
                : `write ${wanted}`;
    return addDiagnostic(reading, node.at, spot, `takes ${wanted}, got ${describe(node, spot, filled)}; ${advice}`);
}


/***/ }),

/***/ 232:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ interpolate)
/* harmony export */ });
/* unused harmony export parseTemplate */
const MAX_FAULTS = 20;
const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([^}]*))?\}/u;
function parseTemplate(text) {
    const parts = [];
    let literal = "";
    for (let index = 0; index < text.length;) {
        if (text.startsWith("$${", index)) {
            literal += "${";
            index += 3;
        }
        else if (text.startsWith("${", index)) {
            const match = REFERENCE.exec(text.slice(index));
            if (match === null || match[3]?.includes("${") === true)
                return malformed(text.slice(index), match !== null);
            if (literal !== "")
                parts.push(literal);
            literal = "";
            parts.push({
                name: match[1],
                operator: (match[2] ?? ""),
                operand: match[3] ?? "",
                written: match[0],
            });
            index += match[0].length;
        }
        else {
            literal += text[index];
            index += 1;
        }
    }
    if (literal !== "" || parts.length === 0)
        parts.push(literal);
    return { state: "parsed", parts };
}
function malformed(rest, nested) {
    const close = rest.indexOf("}");
    const problem = nested
        ? "a default or message holds another ${; write a plain text there"
        : close < 0
            ? "a ${ is not closed"
            : close === 2
                ? "${} names no variable"
                : /^\$\{[A-Za-z_][A-Za-z0-9_]*[^A-Za-z0-9_}]/u.test(rest)
                    ? "a ${…} uses an operator other than :- and :?"
                    : "a ${…} holds what is no name of an environment variable";
    return {
        state: "malformed",
        written: "${",
        problem: `${problem}; write \${NAME}, \${NAME:-default} or \${NAME:?message}, or $\${ for a literal \${`,
    };
}
function interpolate(text, env, trusted) {
    const template = parseTemplate(text);
    if (template.state === "malformed") {
        return {
            text: undefined,
            whole: false,
            references: [],
            mayBeEmpty: false,
            taken: [],
            faults: [{ kind: "malformed", message: template.problem, written: template.written }],
        };
    }
    const references = template.parts.filter((part) => typeof part !== "string");
    const filled = template.parts.map((part) => typeof part === "string" ? { text: part } : fill(part, env, trusted));
    const faults = new Map(filled.flatMap((part) => ("fault" in part ? [[part.fault.written, part.fault]] : [])));
    return {
        text: faults.size > 0
            ? undefined
            : filled.map((part) => ("text" in part ? part.text : "")).join(""),
        whole: template.parts.length === 1 && references.length === 1,
        references,
        mayBeEmpty: references.some((reference) => reference.operator === ":-"),
        taken: filled.flatMap((part) => ("taken" in part && part.taken !== "" ? [part.taken] : [])),
        faults: [...faults.values()].slice(0, MAX_FAULTS),
    };
}
function fill(reference, env, trusted) {
    const { name, operator, operand, written } = reference;
    if (!trusted) {
        return {
            fault: {
                kind: "refused",
                written,
                message: `\${${name}} is refused, since this run reads the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event`,
            },
        };
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && (value !== "" || operator === ""))
        return { text: value, taken: value };
    if (operator === ":-")
        return { text: operand };
    if (operator === ":?") {
        return {
            fault: {
                kind: "unset",
                written,
                message: `the environment variable ${name} is ${value === undefined ? "not set" : "empty"}: ${operand === "" ? "it is required" : operand}; set it in the environment of this step`,
            },
        };
    }
    return {
        fault: {
            kind: "unset",
            written,
            message: `the environment variable ${name} is not set; set it in the environment of this step, write \${${name}:-default}, or $\${${name}} where the text itself is meant`,
        },
    };
}


/***/ })

};
;