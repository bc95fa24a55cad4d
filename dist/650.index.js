export const id = 650;
export const ids = [650];
export const modules = {

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
/* unused harmony exports requiredBySourceKind, fieldsOfOtherKind, readOnlyFields, customUrlOnRepohost, resourceSpecOnRepohost, internalSourceFields, nameIsDnsLabel, buildOnPushWithTag, dnsLabels, duplicateNames, valueWithValueFrom, variableNames, fieldsToAvoid, hostedOnly, mutableImageTag */
/* harmony import */ var _shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1208);
/* harmony import */ var _spelling_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2934);


const UNKNOWN = Symbol("unknown");
const isStruct = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const structAt = (parent, key) => (isStruct(parent[key]) ? parent[key] : undefined);
const listAt = (parent, key) => (Array.isArray(parent?.[key]) ? parent[key] : []);
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
    return ["init_containers", "sidecars"].flatMap((key) => listAt(resourceSpec(body), key)
        .flatMap((item, index) => (isStruct(item) ? [{ path: [...RESOURCE_SPEC, key, index], container: item }] : [])));
}
function requiredBySourceKind({ source, spelling, body, adopted }) {
    const required = [
        ["repohost", "source_config", "repo_url", "the URL of the git repository"],
        ["repohost", "source_revision_config", "graph_config_path", "the path of the graph configuration file"],
        ["external_container", "source_revision_config", "image_uri", "the URI of the container image"],
    ];
    return adopted ? [] : required.flatMap(([kind, config, key, example]) => {
        const written = structAt(body, config);
        if (kind !== source || written === undefined || (isSet(written[key]) && written[key] !== ""))
            return [];
        const message = `is required for source ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(kind, spelling)}; write ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellKey */ .Qj)(key, spelling)}: ${example}`;
        return [found("error", "key", [config, key], message)];
    });
}
function fieldsOfOtherKind({ source, spelling, body }) {
    if (source !== "repohost" && source !== "external_container")
        return [];
    const findings = [];
    for (const { path, row, value } of written(body)) {
        const special = source === "repohost" && ["source_config.custom_url", "source_config.resource_spec"].includes(row.path);
        const nested = findings.some((other) => other.path.every((key, index) => key === path[index]));
        if (row.meta.only === undefined || row.meta.only === source || row.mutability === "read-only" || special || nested || value === null)
            continue;
        findings.push(found("error", "key", path, `belongs to source ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(row.meta.only, spelling)} alone; remove it, or change source`));
    }
    return findings;
}
function readOnlyFields({ body }) {
    return [...written(body)].flatMap(({ path, row }) => (row.mutability === "read-only"
        ? [found("error", "key", path, row.path === "id"
                ? "is read-only; remove it, or write it as id in the deploy block to adopt that deployment"
                : "is read-only, set by the service; remove it")] : []));
}
function customUrlOnRepohost({ source, spelling, body }) {
    return source === "repohost" && isSet(structAt(body, "source_config")?.["custom_url"])
        ? [found("error", "key", ["source_config", "custom_url"], `is set by the service for source ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(source, spelling)}; remove it`)] : [];
}
function resourceSpecOnRepohost({ source, spelling, body }) {
    return source === "repohost" && isSet(structAt(body, "source_config")?.["resource_spec"])
        ? [found("error", "key", RESOURCE_SPEC, `applies only to source ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)("external_container", spelling)}; remove it (deployment_type chooses the size of a repository deployment)`)] : [];
}
function internalSourceFields({ source, body }) {
    if (source !== "internal_docker" && source !== "internal_source")
        return [];
    const isEmpty = (value) => value === null || (isStruct(value) && Object.keys(value).length === 0);
    return Object.entries(body).flatMap(([key, value]) => {
        const own = ["name", "source", "secrets"].includes(key) || (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldAt */ .UK)([key])?.mutability === "read-only" || isEmpty(value);
        const message = `cannot be managed for source ${source}, which the vendor's command line builds: a plan that would change it is blocked; `
            + "keep only name, source, secrets and deploy, or migrate: write a new deployment under another name with source repohost or external_container";
        return own ? [] : [found("warning", "key", [key], message)];
    });
}
const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;
const LABEL_ADVICE = "write 1 to 63 of a-z, 0-9 and -, beginning and ending with a letter or digit";
function nameIsDnsLabel({ body }) {
    const name = body["name"];
    if (name === "")
        return [found("error", "value", ["name"], `is empty; ${LABEL_ADVICE}`)];
    return typeof name === "string" && !DNS_LABEL.test(name) ? [found("warning", "value", ["name"], `is no DNS label, which the service may refuse or fail to build; ${LABEL_ADVICE}`)] : [];
}
function buildOnPushWithTag({ body }) {
    const ref = structAt(body, "source_revision_config")?.["repo_ref"];
    return structAt(body, "source_config")?.["build_on_push"] === true && typeof ref === "string" && ref.startsWith("refs/tags/")
        ? [found("error", "value", ["source_config", "build_on_push"], "cannot be true while repo_ref is a tag; write false, or a branch name as repo_ref")] : [];
}
function dnsLabels({ body }) {
    const volumes = listAt(resourceSpec(body), "volumes").map((item, index) => ({ path: [...RESOURCE_SPEC, "volumes", index], container: isStruct(item) ? item : {} }));
    return [...volumes, ...containers(body)].flatMap(({ path, container: { name } }) => (typeof name === "string" && !DNS_LABEL.test(name)
        ? [found("error", "value", [...path, "name"], `is no DNS label; ${LABEL_ADVICE}`)] : []));
}
function repeated(items, what) {
    const first = new Map();
    return items.flatMap(({ path, key }) => {
        if (typeof key !== "string")
            return [];
        const before = first.get(key);
        if (before === undefined)
            first.set(key, path);
        return before === undefined ? [] : [found("error", "value", path, `repeats the ${what} of ${before.slice(0, -1).join(".")}; give each its own, or remove one`)];
    });
}
function duplicateNames({ body }) {
    const keyed = [...written(body)].flatMap(({ path, row, value }) => {
        const key = row.shape.kind === "list" && row.name !== "sidecars" ? row.shape.match : undefined;
        if (key === undefined || !Array.isArray(value))
            return [];
        return repeated(value.map((item, index) => ({ path: [...path, index, key], key: isStruct(item) ? item[key] : undefined })), key);
    });
    return [...keyed, ...repeated(containers(body).map(({ path, container }) => ({ path: [...path, "name"], key: container["name"] })), "name")];
}
function mountsMatchVolumes({ body }) {
    const spec = resourceSpec(body);
    if (spec === undefined || spec["volumes"] === UNKNOWN)
        return [];
    const volumes = new Set(listAt(spec, "volumes").map((volume) => (isStruct(volume) ? volume["name"] : UNKNOWN)));
    if (volumes.has(UNKNOWN))
        return [];
    const lists = [{ path: [...RESOURCE_SPEC, "volume_mounts"], mounts: listAt(spec, "volume_mounts") },
        ...containers(body).map(({ path, container }) => ({ path: [...path, "volumeMounts"], mounts: listAt(container, "volumeMounts") }))];
    const known = volumes.size === 0 ? "write it under volumes" : `write one of ${[...volumes].slice(0, 10).join(", ")}, or add it under volumes`;
    return lists.flatMap(({ path, mounts }) => mounts.flatMap((mount, index) => {
        const name = isStruct(mount) ? mount["name"] : UNKNOWN;
        return typeof name !== "string" || volumes.has(name) ? [] : [found("error", "value", [...path, index, "name"], `matches no volume of resource_spec; ${known}`)];
    }));
}
const envVars = (body) => containers(body).flatMap(({ path, container }) => listAt(container, "env").flatMap((item, index) => (isStruct(item) ? [{ path: [...path, "env", index], variable: item }] : [])));
function valueWithValueFrom({ body }) {
    return envVars(body).flatMap(({ path, variable: { value, valueFrom } }) => (typeof value === "string" && value !== "" && isSet(valueFrom)
        ? [found("error", "key", [...path, "valueFrom"], "cannot stand beside a non-empty value; keep one of the two")] : []));
}
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/u;
const IDENTIFIER_ADVICE = "write letters, digits and _, not beginning with a digit";
function variableNames({ body }) {
    const secrets = ["secrets", "secret_references"].flatMap((key) => listAt(body, key).map((item, index) => ({ path: [key, index], name: isStruct(item) ? item["name"] : UNKNOWN })));
    const bad = (name) => typeof name === "string" && !C_IDENTIFIER.test(name);
    return [
        ...envVars(body).flatMap(({ path, variable }) => (bad(variable["name"]) ? [found("error", "value", [...path, "name"], `is no C identifier; ${IDENTIFIER_ADVICE}`)] : [])),
        ...secrets.flatMap(({ path, name }) => (bad(name) ? [found("warning", "value", [...path, "name"], `is no C identifier, so that no program may see it as an environment variable; ${IDENTIFIER_ADVICE}`)] : [])),
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
const RESOURCE_NAMES = (0,_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .allFields */ .Tz)(_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentShape */ .zK).filter((row) => /^source_config\.resource_spec\.[a-z_]+$/u.test(row.path)).map((row) => row.name);
const LIMITS = RESOURCE_NAMES.filter((name) => /_limit(_mb)?$/u.test(name)).map((name) => ({ limit: name, request: name.replace("_limit", "") }));
const RANGES = RESOURCE_NAMES.filter((name) => name.endsWith("min_scale")).map((name) => ({ min: name, max: name.replace("min_", "max_") }));
const orderly = (spec, low, high) => {
    const values = { low: effective(spec, low), high: effective(spec, high) };
    const one = isSet(spec[low]) || isSet(spec[high]);
    return one && values.low !== undefined && values.high !== undefined && values.high < values.low ? values : undefined;
};
function limitBelowRequest({ body }) {
    const spec = resourceSpec(body) ?? {};
    const own = LIMITS.flatMap(({ limit, request }) => {
        const broken = orderly(spec, request, limit);
        return broken === undefined ? [] : [found("error", "value", [...RESOURCE_SPEC, isSet(spec[limit]) ? limit : request], `the limit ${limit} (${broken.high}) is below the request ${request} (${broken.low}); raise the limit, or lower the request`)];
    });
    return [...own, ...containers(body).flatMap(({ path, container }) => {
            const resources = structAt(container, "resources") ?? {};
            const limits = structAt(resources, "limits") ?? {};
            const requests = structAt(resources, "requests") ?? {};
            return Object.keys(limits).flatMap((name) => {
                const limit = quantity(limits[name]);
                const request = quantity(requests[name]);
                return limit !== undefined && request !== undefined && limit < request
                    ? [found("error", "value", [...path, "resources", "limits", name], "the limit is below the request of the same name; raise the limit, or lower the request")] : [];
            });
        })];
}
const SUFFIXES = {
    "": 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40,
};
function quantity(value) {
    const match = typeof value === "string" ? /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/u.exec(value) : null;
    return match === null ? undefined : Number(match[1]) * SUFFIXES[match[2] ?? ""];
}
function minAboveMax({ body }) {
    const spec = resourceSpec(body) ?? {};
    return RANGES.flatMap(({ min, max }) => {
        const broken = orderly(spec, min, max);
        return broken === undefined ? [] : [found("error", "value", [...RESOURCE_SPEC, isSet(spec[min]) ? min : max], `the minimum ${min} (${broken.low}) is above the maximum ${max} (${broken.high}); lower the minimum, or raise the maximum`)];
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
        const reserved = typeof name === "string" && (RESERVED.has(name) || (RESERVED_ON_CLOUD.has(name) && source !== "external_container"));
        return reserved ? [found("warning", "value", [key, index, "name"], `${name} is a name the service keeps for itself and may refuse; use another name, or remove it`)] : [];
    }));
}
function fieldsToAvoid({ body }) {
    return [...written(body)].flatMap(({ path, row }) => (row.meta.avoid === true
        ? [found("warning", "key", path, "is marked as not to be used by the service's documentation; remove it")] : []));
}
function hostedOnly({ source, spelling, body }) {
    if (spelling !== "document")
        return [];
    const hosted = source === undefined ? "" : ` (source: ${(0,_spelling_js__WEBPACK_IMPORTED_MODULE_1__/* .spellSource */ .cp)(source, "hosted")})`;
    return [...written(body)].flatMap(({ path, row, value }) => {
        if (row.mutability === "read-only")
            return [];
        if (row.meta.hosted === "only")
            return [found("warning", "key", path, `is known to the hosted service alone; remove it, or use the hosted spelling${hosted}`)];
        return row.meta.hosted === "fraction" && typeof value === "number" && !Number.isInteger(value)
            ? [found("warning", "value", path, `is a fraction, which only the hosted service takes; write a whole number, or use the hosted spelling${hosted}`)] : [];
    });
}
function mutableImageTag({ body }) {
    const image = structAt(body, "source_revision_config")?.["image_uri"];
    return typeof image === "string" && image !== "" && !/@sha256:[0-9a-f]{64}$/iu.test(image)
        ? [found("warning", "value", ["source_revision_config", "image_uri"], "names an image by a tag that can move, and an unchanged tag is not redeployed; write the digest, as in image@sha256:…")] : [];
}
const RULES = [
    requiredBySourceKind, fieldsOfOtherKind, readOnlyFields, nameIsDnsLabel, buildOnPushWithTag, customUrlOnRepohost, resourceSpecOnRepohost, internalSourceFields,
    dnsLabels, duplicateNames, mountsMatchVolumes, valueWithValueFrom, variableNames, limitBelowRequest, minAboveMax, reservedSecretNames, fieldsToAvoid,
    hostedOnly, mutableImageTag,
];


/***/ }),

/***/ 1208:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  Tz: () => (/* binding */ allFields),
  zK: () => (/* binding */ deploymentShape),
  UK: () => (/* binding */ fieldAt)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/core/registries.js
var registries = __webpack_require__(9396);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(2857);
;// CONCATENATED MODULE: ./build/model/fields.js

const fieldTable = registries/* registry */.u5();
function field(schema, meta) {
    const row = schema.nullable().optional();
    fieldTable.add(row, meta);
    return row;
}
function required(schema, meta) {
    fieldTable.add(schema, meta);
    return schema;
}
const fields_text = () => schemas/* string */.YjP();
const uuid = () => schemas/* guid */.OsD();
const integer = () => schemas/* int */.Whr();
const cores = () => schemas/* number */.aig();
const freeForm = () => schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J());
const textMap = () => schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP());
const times = (n, of) => ({ of, times: n });
const EnvVar = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of the environment variable, a C identifier." }),
    value: field(fields_text(), { doc: "Its value.", default: { value: "" }, sensitive: "value" }),
    valueFrom: field(freeForm(), { doc: "Where the value comes from; not together with a non-empty `value`." }),
});
const VolumeMount = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of one of the `volumes`." }),
    mountPath: required(fields_text(), { doc: "Path in the container." }),
    subPath: field(fields_text(), { doc: "Path inside the volume." }),
    mountPropagation: field(fields_text(), { doc: "How mounts are propagated between host and container." }),
    readOnly: field(schemas/* boolean */.zMY(), { doc: "Read-only when true." }),
    subPathExpr: field(fields_text(), { doc: "Path inside the volume, with environment variables expanded." }),
});
const Volume = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "DNS label, unique within the pod." }),
    configMap: field(freeForm(), { doc: "Kubernetes configMap volume source." }),
    secret: field(freeForm(), { doc: "Kubernetes secret volume source." }),
    emptyDir: field(freeForm(), { doc: "Kubernetes emptyDir volume source." }),
    persistentVolumeClaim: field(freeForm(), { doc: "Kubernetes persistentVolumeClaim volume source." }),
    nfs: field(freeForm(), { doc: "Kubernetes nfs volume source." }),
    projected: field(freeForm(), { doc: "Kubernetes projected volume source." }),
    downwardAPI: field(freeForm(), { doc: "Kubernetes downwardAPI volume source." }),
    csi: field(freeForm(), { doc: "Kubernetes csi volume source." }),
});
const ResourceRequirements = schemas/* strictObject */.rej({
    limits: field(textMap(), { doc: "Most the container may use, such as `{cpu: \"1\", memory: 512Mi}`." }),
    requests: field(textMap(), { doc: "What the container asks for." }),
});
const Container = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "DNS label." }),
    image: required(fields_text(), { doc: "Container image." }),
    imagePullPolicy: field(schemas/* enum */.k5n(["Always", "Never", "IfNotPresent"]), { doc: "When the image is pulled." }),
    command: field(schemas/* array */.YOg(fields_text()), { doc: "Entrypoint; not run in a shell." }),
    args: field(schemas/* array */.YOg(fields_text()), { doc: "Arguments of the entrypoint." }),
    workingDir: field(fields_text(), { doc: "Working directory." }),
    env: field(schemas/* array */.YOg(EnvVar), { doc: "Environment variables, in order." }),
    envFrom: field(schemas/* array */.YOg(freeForm()), { doc: "Sources of environment variables, in order." }),
    resources: field(ResourceRequirements, { doc: "Compute resources." }),
    volumeMounts: field(schemas/* array */.YOg(VolumeMount), { doc: "Volumes mounted into the container.", match: "mountPath" }),
    securityContext: field(freeForm(), { doc: "Kubernetes security context." }),
    restartPolicy: field(schemas/* enum */.k5n(["Always", "OnFailure"]), { doc: "For sidecars." }),
});
const LocalObjectReference = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of a secret in the same namespace." }),
});
const ResourceSpec = schemas/* strictObject */.rej({
    min_scale: field(integer(), { doc: "Fewest replicas." }),
    max_scale: field(integer(), { doc: "Most replicas." }),
    cpu: field(cores(), { doc: "CPU request per replica.", hosted: "fraction" }),
    cpu_limit: field(cores(), { doc: "CPU limit per replica.", default: times(2, "cpu"), hosted: "fraction" }),
    memory_mb: field(integer(), { doc: "Memory request per replica, MB." }),
    memory_limit_mb: field(integer(), { doc: "Memory limit per replica, MB.", default: times(2, "memory_mb") }),
    queue_min_scale: field(integer(), { doc: "Fewest replicas of the queue deployment.", default: times(1, "min_scale") }),
    queue_max_scale: field(integer(), { doc: "Most replicas of the queue deployment.", default: times(1, "max_scale") }),
    queue_cpu: field(cores(), { doc: "CPU request per queue replica.", default: times(1, "cpu"), hosted: "fraction" }),
    queue_cpu_limit: field(cores(), { doc: "CPU limit per queue replica.", default: times(2, "queue_cpu"), hosted: "fraction" }),
    queue_memory_mb: field(integer(), { doc: "Memory request per queue replica, MB.", default: times(1, "memory_mb") }),
    queue_memory_limit_mb: field(integer(), { doc: "Memory limit per queue replica, MB.", default: times(2, "queue_memory_mb") }),
    orchestrator_cpu: field(cores(), { doc: "Marked as not to be used.", avoid: true, hosted: "fraction" }),
    orchestrator_cpu_limit: field(cores(), { doc: "Marked as not to be used.", avoid: true, hosted: "fraction" }),
    orchestrator_memory_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    orchestrator_memory_limit_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    orchestrator_min_scale: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    orchestrator_max_scale: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    executor_cpu: field(cores(), { doc: "Marked as not to be used.", avoid: true, hosted: "fraction" }),
    executor_cpu_limit: field(cores(), { doc: "Marked as not to be used.", avoid: true, hosted: "fraction" }),
    executor_memory_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    executor_memory_limit_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
    redis_cpu: field(cores(), { doc: "CPU request of the key-value store deployment.", hosted: "only" }),
    redis_cpu_limit: field(cores(), { doc: "CPU limit of the key-value store deployment.", default: times(2, "redis_cpu"), hosted: "only" }),
    redis_memory_mb: field(integer(), { doc: "Memory of the key-value store deployment, MB." }),
    redis_memory_limit_mb: field(integer(), {
        doc: "Memory limit of the key-value store deployment, MB.", default: times(1, "redis_memory_mb"), hosted: "only",
    }),
    labels: field(textMap(), { doc: "Extra labels for created resources." }),
    annotations: field(textMap(), { doc: "Extra annotations for created resources." }),
    service_account_name: field(fields_text(), { doc: "Must already exist in the target namespace." }),
    image_pull_secrets: field(schemas/* array */.YOg(LocalObjectReference), { doc: "Secrets of the same namespace, used to pull images.", match: "name" }),
    volumes: field(schemas/* array */.YOg(Volume), { doc: "Volumes that containers can mount.", match: "name" }),
    volume_mounts: field(schemas/* array */.YOg(VolumeMount), { doc: "Volumes mounted into the main container.", match: "mountPath" }),
    init_containers: field(schemas/* array */.YOg(Container), { doc: "Run to completion, in order, before the main container starts." }),
    sidecars: field(schemas/* array */.YOg(Container), { doc: "Run alongside the main container.", match: "name" }),
    db_cpu: field(cores(), { doc: "CPU request of the relational database." }),
    db_cpu_limit: field(cores(), { doc: "CPU limit of the relational database.", default: times(2, "db_cpu") }),
    db_memory_mb: field(integer(), { doc: "Memory request of the database, MB." }),
    db_memory_limit_mb: field(integer(), { doc: "Memory limit of the database, MB.", default: times(2, "db_memory_mb") }),
    db_storage_gi: field(integer(), { doc: "Storage of the database, GiB." }),
    db_max_connections: field(integer(), { doc: "Most database connections." }),
});
const ListenerConfig = schemas/* strictObject */.rej({
    k8s_namespace: field(fields_text(), {
        doc: "Namespace the deployment runs in; for listeners with compute type `k8s`.",
        only: "external_container", mutability: "create-only", readback: "never",
    }),
});
const SourceConfig = schemas/* strictObject */.rej({
    integration_id: field(uuid(), {
        doc: "Integration used; absent on create: the only one there is.", only: "repohost", mutability: "create-only", readback: "sometimes",
    }),
    repo_url: field(fields_text(), {
        doc: "Git repository URL.", only: "repohost", mutability: "create-only", sensitive: "user-info", readback: "sometimes",
    }),
    deployment_type: field(schemas/* enum */.k5n(["dev_free", "dev", "prod"]), {
        doc: "Kind of deployment.", only: "repohost", mutability: "create-only", readback: "sometimes",
    }),
    build_on_push: field(schemas/* boolean */.zMY(), {
        doc: "Build a new revision when the branch in `repo_ref` is pushed; never true for a tag.", only: "repohost", effect: "in-place",
    }),
    custom_url: field(fields_text(), { doc: "URL of the deployment.", only: "external_container", effect: "in-place", sensitive: "user-info" }),
    resource_spec: field(ResourceSpec, {
        doc: "Replicas, CPU, memory, containers; replaced whole by the service.", only: "external_container", effect: "new-revision",
    }),
    listener_id: field(uuid(), {
        doc: "Listener used; absent on create: the only one there is.", only: "external_container", mutability: "create-only", readback: "sometimes",
    }),
    listener_config: field(ListenerConfig, {
        doc: "Configuration by the listener's compute type.", only: "external_container", mutability: "create-only", readback: "never",
    }),
    install_command: field(fields_text(), {
        doc: "JavaScript deployments: install command, run from the repository root.", effect: "next-build", readback: "sometimes",
    }),
    build_command: field(fields_text(), {
        doc: "JavaScript deployments: build command, run from the directory of the graph configuration file.",
        effect: "next-build", readback: "sometimes",
    }),
});
const SourceRevisionConfig = schemas/* strictObject */.rej({
    repo_ref: field(fields_text(), {
        doc: "Branch (just its name), or a tag as a full path starting with `refs/tags/`.", only: "repohost", effect: "new-revision", readback: "sometimes",
    }),
    graph_config_path: field(fields_text(), {
        doc: "Path of the graph configuration file in the repository.", only: "repohost", effect: "new-revision", readback: "sometimes",
    }),
    image_uri: field(fields_text(), {
        doc: "Container image; give a digest, since an unchanged tag is not redeployed.", only: "external_container", effect: "new-revision",
        sensitive: "user-info", readback: "sometimes",
    }),
    source_tarball_path: field(fields_text(), {
        doc: "Uploaded source tarball, written by the vendor's command line.", only: "internal_source", mutability: "read-only", hosted: "only",
    }),
    repo_commit_sha: field(fields_text(), { doc: "Commit that was built.", only: "repohost", mutability: "read-only" }),
});
const Secret = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of the environment variable." }),
    value: required(fields_text(), { doc: "Its value.", sensitive: "value" }),
});
const SecretReference = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of the environment variable." }),
    secret_name: required(fields_text(), { doc: "Kubernetes Secret in the namespace of the deployment." }),
    secret_key: required(fields_text(), { doc: "Key within that Secret." }),
});
const SOURCE_KINDS = ["repohost", "external_container", "internal_docker", "internal_source"];
const Deployment = schemas/* strictObject */.rej({
    name: required(fields_text(), { doc: "Name of the deployment and of its tracing project.", mutability: "create-only" }),
    source: required(schemas/* enum */.k5n(SOURCE_KINDS), { doc: "What the deployment is built from.", mutability: "create-only" }),
    source_config: field(SourceConfig, { doc: "Settings by source kind." }),
    source_revision_config: field(SourceRevisionConfig, { doc: "What a revision is built from; values of the latest revision." }),
    secrets: field(schemas/* array */.YOg(Secret), {
        doc: "Environment variables of the container; replaced whole by the service.", effect: "new-revision", match: "name",
    }),
    secret_references: field(schemas/* array */.YOg(SecretReference), {
        doc: "References to Kubernetes Secrets.", only: "external_container", effect: "in-place", match: "name", hosted: "only",
        readback: "sometimes",
    }),
    id: field(uuid(), { doc: "Id of the deployment.", mutability: "read-only" }),
    tenant_id: field(uuid(), { doc: "Tenant that owns it.", mutability: "read-only", hosted: "only" }),
    created_at: field(fields_text(), { doc: "When it was created.", mutability: "read-only" }),
    updated_at: field(fields_text(), { doc: "When it was last updated.", mutability: "read-only" }),
    status: field(fields_text(), { doc: "AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.", mutability: "read-only" }),
    latest_revision_id: field(uuid(), { doc: "The newest revision.", mutability: "read-only" }),
    active_revision_id: field(uuid(), { doc: "The revision that is deployed now.", mutability: "read-only" }),
    image_version: field(fields_text(), { doc: "Image version of the deployment.", mutability: "read-only" }),
    url: field(fields_text(), { doc: "Address of the deployment.", mutability: "read-only", hosted: "only" }),
});

;// CONCATENATED MODULE: ./build/model/shape.js

const defOf = (schema) => schema.def;
function unwrap(schema) {
    let inner = schema;
    let required = true;
    for (let def = defOf(inner); def.innerType !== undefined; def = defOf(inner)) {
        required = false;
        inner = def.innerType;
    }
    return { inner, required };
}
function toShape(schema, match, at) {
    const def = defOf(schema);
    switch (def.type) {
        case "object": return { kind: "struct", fields: toFields(def.shape ?? {}, at) };
        case "array": return { kind: "list", item: toShape(unwrap(def.element).inner, undefined, at), match };
        case "record": return { kind: defOf(def.valueType).type === "string" ? "map" : "free" };
        case "enum": return { kind: "scalar", type: "enum", values: Object.values(def.entries ?? {}) };
        case "number": return { kind: "scalar", type: def.format === undefined ? "number" : "integer" };
        case "boolean": return { kind: "scalar", type: "boolean" };
        case "string": return { kind: "scalar", type: def.format === "guid" ? "uuid" : "string" };
        default: throw new Error(`the field table holds a schema of type ${def.type} at ${at.path}, which shape.ts does not know`);
    }
}
function toFields(shape, parent) {
    const fields = new Map();
    for (const [name, schema] of Object.entries(shape)) {
        const meta = fieldTable.get(schema);
        const path = parent.path === "" ? name : `${parent.path}.${name}`;
        if (meta === undefined)
            throw new Error(`${path} has no row in the field table`);
        const { inner, required } = unwrap(schema);
        const at = { path, effect: meta.effect ?? parent.effect, mutability: meta.mutability ?? parent.mutability };
        fields.set(name, { name, meta, required, shape: toShape(inner, meta.match, at), ...at });
    }
    return fields;
}
const deploymentShape = toShape(Deployment, undefined, { path: "", effect: undefined, mutability: "mutable" });
function allFields(shape = deploymentShape) {
    if (shape.kind === "list")
        return allFields(shape.item);
    if (shape.kind !== "struct")
        return [];
    return [...shape.fields.values()].flatMap((row) => [row, ...allFields(row.shape)]);
}
function fieldAt(path) {
    let shape = deploymentShape;
    let found;
    for (const key of path) {
        if (shape.kind === "list" && typeof key === "number")
            shape = shape.item;
        else if (shape.kind === "struct") {
            found = shape.fields.get(String(key));
            if (found === undefined)
                return undefined;
            shape = found.shape;
        }
        else
            return undefined;
    }
    return found;
}


/***/ }),

/***/ 2934:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ph: () => (/* binding */ spellingOfKey),
/* harmony export */   Qj: () => (/* binding */ spellKey),
/* harmony export */   _R: () => (/* binding */ spellPath),
/* harmony export */   cp: () => (/* binding */ spellSource),
/* harmony export */   k2: () => (/* binding */ spellingOf),
/* harmony export */   lO: () => (/* binding */ spell),
/* harmony export */   tm: () => (/* binding */ integrationsPath)
/* harmony export */ });
const SOURCES = [
    ["repohost", "github"],
    ["external_container", "external_docker"],
];
const KEYS = [["graph_config_path", "langgraph_config_path"]];
const INTEGRATIONS = { document: "/v1/integrations/repohost/install", hosted: "/v1/integrations/github/install" };
const HOSTED_SOURCES = ["internal_docker", "internal_source"];
function spellingOf(source) {
    if (SOURCES.some(([document]) => document === source))
        return "document";
    if (SOURCES.some(([, hosted]) => hosted === source) || HOSTED_SOURCES.includes(source))
        return "hosted";
    return undefined;
}
function spellingOfKey(key) {
    if (KEYS.some(([document]) => document === key))
        return "document";
    return KEYS.some(([, hosted]) => hosted === key) ? "hosted" : undefined;
}
function swap(table, word, to) {
    for (const [document, hosted] of table)
        if (word === document || word === hosted)
            return to === "hosted" ? hosted : document;
    return word;
}
function spellKey(key, to) {
    return swap(KEYS, key, to);
}
function spellSource(source, to) {
    return swap(SOURCES, source, to);
}
function spellPath(path, to) {
    return path.split(".").map((key) => spellKey(key, to)).join(".");
}
function spell(body, to) {
    const out = { ...body };
    if (typeof out["source"] === "string")
        out["source"] = spellSource(out["source"], to);
    const revision = out["source_revision_config"];
    if (typeof revision === "object" && revision !== null) {
        out["source_revision_config"] = Object.fromEntries(Object.entries(revision).map(([key, value]) => [spellKey(key, to), value]));
    }
    return out;
}
function integrationsPath(spelling) {
    return INTEGRATIONS[spelling];
}


/***/ }),

/***/ 7508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ KNOWN_AT_APPLY)
/* harmony export */ });
const KNOWN_AT_APPLY = "known at apply";


/***/ }),

/***/ 6650:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  F: () => (/* binding */ parseSpec),
  y: () => (/* binding */ renderProblem)
});

// EXTERNAL MODULE: ./build/model/rules.js
var rules = __webpack_require__(1761);
// EXTERNAL MODULE: ./build/model/spelling.js
var model_spelling = __webpack_require__(2934);
// EXTERNAL MODULE: ./build/spec/desired.js
var desired = __webpack_require__(7508);
;// CONCATENATED MODULE: ./build/model/deploy-block.js
function row(name, shape, doc, more = {}) {
    return [name, { name, path: `deploy.${name}`, meta: { doc, ...more }, required: false, shape, effect: undefined, mutability: "mutable" }];
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
        row("timeout", deploy_block_text, "How long a revision may take: `500ms`, `90s`, `30m` or `1h`.", { default: { value: "30m" } }),
        row("on_failure", choice("none", "rollback"), "What follows a failed revision.", { default: { value: "none" } }),
        row("verify", deploy_block_text, "Run by `bash -c`, once, after DEPLOYED; a non-zero exit fails the deployment."),
    ]),
};
const deployField = {
    name: "deploy", path: "deploy", meta: { doc: "What is ours and never sent." }, required: false, shape: deployShape, effect: undefined, mutability: "mutable",
};

// EXTERNAL MODULE: ./build/model/shape.js + 1 modules
var shape = __webpack_require__(1208);
;// CONCATENATED MODULE: ./build/spec/interpolation.js
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
            parts.push({ name: match[1], operator: (match[2] ?? ""), operand: match[3] ?? "", written: match[0] });
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
    const problem = nested ? "a default or message holds another ${; write a plain text there"
        : close < 0 ? "a ${ is not closed"
            : close === 2 ? "${} names no variable"
                : /^\$\{[A-Za-z_][A-Za-z0-9_]*[^A-Za-z0-9_}]/u.test(rest) ? "a ${…} uses an operator other than :- and :?"
                    : "a ${…} holds what is no name of an environment variable";
    return {
        state: "malformed", written: "${",
        problem: `${problem}; write \${NAME}, \${NAME:-default} or \${NAME:?message}, or $\${ for a literal \${`,
    };
}
function interpolate(text, env, trusted) {
    const template = parseTemplate(text);
    if (template.state === "malformed") {
        return { text: undefined, whole: false, references: [], mayBeEmpty: false, taken: [], faults: [{ kind: "malformed", message: template.problem, written: template.written }] };
    }
    const references = template.parts.filter((part) => typeof part !== "string");
    const filled = template.parts.map((part) => (typeof part === "string" ? { text: part } : fill(part, env, trusted)));
    const faults = new Map(filled.flatMap((part) => ("fault" in part ? [[part.fault.written, part.fault]] : [])));
    return {
        text: faults.size > 0 ? undefined : filled.map((part) => ("text" in part ? part.text : "")).join(""),
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
        return { fault: { kind: "refused", written,
                message: `\${${name}} is refused, since this run reads the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event` } };
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && (value !== "" || operator === ""))
        return { text: value, taken: value };
    if (operator === ":-")
        return { text: operand };
    if (operator === ":?") {
        return { fault: { kind: "unset", written,
                message: `the environment variable ${name} is ${value === undefined ? "not set" : "empty"}: ${operand === "" ? "it is required" : operand}; set it in the environment of this step` } };
    }
    return { fault: { kind: "unset", written,
            message: `the environment variable ${name} is not set; set it in the environment of this step, write \${${name}:-default}, or $\${${name}} where the text itself is meant` } };
}

// EXTERNAL MODULE: ./build/spec/suggestion.js
var suggestion = __webpack_require__(176);
;// CONCATENATED MODULE: ./build/spec/document.js






const topShape = { kind: "struct", fields: new Map([...shape/* deploymentShape */.zK.fields, ["deploy", deployField]]) };
const MAX_SUGGESTIONS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;
function readDocument(reading, root) {
    return readStruct(reading, root, topShape, { path: "", written: "", key: root.at, row: undefined });
}
function complain(reading, at, spot, message, level = "error") {
    reading.problems.push({ ...at, level, path: spot.written, message });
    return rules/* UNKNOWN */.HV;
}
const under = (spot, key, written, at, row) => ({
    path: spot.path === "" ? key : `${spot.path}.${key}`, written: spot.written === "" ? written : `${spot.written}.${written}`, key: at, row,
});
function readNode(reading, node, shape, spot) {
    reading.marks.set(spot.path, { written: spot.written, key: spot.key, value: node.at });
    if (node.kind === "broken")
        return rules/* UNKNOWN */.HV;
    if (node.kind === "scalar" && node.value === null && spot.row !== undefined) {
        return spot.row.required ? complain(reading, node.at, spot, `must not be null; write ${wants(shape, reading.spelling)}`) : null;
    }
    switch (shape.kind) {
        case "struct": return node.kind === "map" ? readStruct(reading, node, shape, spot) : refuseType(reading, node, shape, spot);
        case "list": return node.kind === "list" ? readList(reading, node.items, shape, spot) : refuseType(reading, node, shape, spot);
        case "map": return node.kind === "map" ? readMap(reading, node, spot) : refuseType(reading, node, shape, spot);
        case "free": return node.kind === "map" ? readFree(reading, node, spot) : refuseType(reading, node, shape, spot);
        case "scalar": return node.kind === "scalar" ? readScalar(reading, node, shape, spot) : refuseType(reading, node, shape, spot);
    }
}
function readStruct(reading, node, shape, spot) {
    const values = new Map();
    for (const entry of node.entries) {
        const key = shape.fields.has(entry.key) ? entry.key : (0,model_spelling/* spellKey */.Qj)(entry.key, "document");
        const row = shape.fields.get(key);
        const child = under(spot, key, entry.key, entry.keyAt, row);
        if (row === undefined)
            complain(reading, entry.keyAt, child, unknownKey(entry.key, writableKeys(shape, reading.spelling), reading.spelling, reading.problems.length > MAX_SUGGESTIONS));
        else if (!values.has(key))
            values.set(key, readNode(reading, entry.value, row.shape, child));
    }
    for (const [key, row] of shape.fields) {
        if (!row.required || values.has(key))
            continue;
        complain(reading, spot.key, under(spot, key, key, spot.key, row), `is required; ${row.path === "secrets.value"
            ? "add value, or write just the name as text to take the environment variable of that name" : `add ${key}: ${wants(row.shape, reading.spelling)}`}`);
    }
    return Object.fromEntries(values);
}
function writableKeys(shape, spelling) {
    return [...shape.fields.values()].filter((row) => row.mutability !== "read-only").map((row) => (0,model_spelling/* spellKey */.Qj)(row.name, spelling));
}
function unknownKey(key, known, spelling, busy) {
    if (busy)
        return "is not a known key; remove it";
    const near = (0,suggestion/* nearestWord */.z)(key, known);
    if (near !== undefined)
        return `is not a known key; did you mean ${near}?`;
    const elsewhere = (0,shape/* allFields */.Tz)().find((row) => (0,model_spelling/* spellKey */.Qj)(row.name, spelling) === key && row.path.includes("."));
    if (elsewhere !== undefined)
        return `is not a known key here; write it under ${elsewhere.path.slice(0, elsewhere.path.lastIndexOf("."))}`;
    return `is not a known key; remove it${known.length <= 12 ? `, or write one of ${known.join(", ")}` : ""}`;
}
function readList(reading, items, shape, spot) {
    return items.map((item, index) => {
        const child = under(spot, String(index), String(index), item.at, undefined);
        const value = spot.path === "secrets" && item.kind === "scalar" && typeof item.value === "string"
            ? readNamedSecret(reading, item, child) : item.kind === "scalar" && item.value === null ? refuseNull(reading, item, shape.item, child) : readNode(reading, item, shape.item, child);
        const name = shape.match === undefined || typeof value !== "object" || value === null ? undefined : value[shape.match];
        const alias = `${spot.path}.${String(name)}`;
        if (typeof name === "string" && !/^\d+$/u.test(name) && !reading.marks.has(alias))
            reading.marks.set(alias, reading.marks.get(child.path));
        return value;
    });
}
function refuseNull(reading, item, shape, spot) {
    return complain(reading, item.at, spot, `must not be null; write ${wants(shape, reading.spelling)}, or remove the item`);
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
    complain(reading, node.at, spot, value === undefined
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
        return Object.fromEntries(node.entries.map((entry) => [entry.key, readFree(reading, entry.value, under(spot, entry.key, entry.key, entry.keyAt, undefined))]));
    }
    if (node.kind === "list")
        return node.items.map((item, index) => readFree(reading, item, under(spot, String(index), String(index), item.at, undefined)));
    return typeof node.value === "string" ? readText(reading, node, spot) : node.value;
}
function readText(reading, node, spot, filled = interpolate(String(node.value), reading.env, reading.trusted)) {
    for (const fault of filled.faults) {
        const level = fault.kind === "unset" && reading.mode !== "apply" ? "warning" : "error";
        const shell = spot.path === "deploy.verify" && fault.kind === "unset" ? " for bash to read" : "";
        complain(reading, node.locate?.(fault.written) ?? node.at, spot, fault.message + shell, level);
    }
    if (filled.text === undefined) {
        reading.unknown.add(spot.path);
        return rules/* UNKNOWN */.HV;
    }
    return filled.text;
}
function readScalar(reading, node, shape, spot) {
    if (typeof node.value !== "string") {
        const fits = typeof node.value === "boolean" ? shape.type === "boolean" : shape.type === "number" || (shape.type === "integer" && Number.isSafeInteger(node.value));
        return fits ? node.value : refuseType(reading, node, shape, spot);
    }
    const filled = interpolate(node.value, reading.env, reading.trusted);
    const text = readText(reading, node, spot, filled);
    if (text === rules/* UNKNOWN */.HV)
        return rules/* UNKNOWN */.HV;
    gatherSensitive(reading, text, filled, spot.row);
    if (spot.row?.path === "secrets.value" && text === "" && !filled.mayBeEmpty)
        return refuseEmptySecret(reading, node, filled, spot);
    switch (shape.type) {
        case "string": return text;
        case "uuid": return UUID.test(text) ? text : refuseType(reading, node, shape, spot, filled);
        case "enum": return readChoice(reading, node, shape, spot, text, filled);
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
    return Number.isFinite(value) && (type === "number" || Number.isSafeInteger(value)) ? value : undefined;
}
function readChoice(reading, node, shape, spot, text, filled) {
    const values = shape.values ?? [];
    const isSource = spot.path === "source";
    const value = isSource ? (0,model_spelling/* spellSource */.cp)(text, "document") : text;
    if (values.includes(value))
        return value;
    const near = (0,suggestion/* nearestWord */.z)(text, isSource ? [...values, ...values.map((known) => (0,model_spelling/* spellSource */.cp)(known, "hosted"))] : values);
    if (near === undefined)
        return refuseType(reading, node, shape, spot, filled);
    return complain(reading, node.at, spot, `takes ${wants(shape, reading.spelling)}, got ${describe(node, spot, filled)}; did you mean ${near}?`);
}
function refuseEmptySecret(reading, node, filled, spot) {
    const name = filled.references[0]?.name;
    complain(reading, node.at, spot, "the secret is empty, which is what GitHub gives for a secret that does not exist; "
        + (name === undefined ? 'write ${NAME} with the variable that holds it, or "${NAME:-}" where empty is meant' : `create it and pass it to this step, or write \${${name}:-} where empty is meant`), reading.mode === "apply" ? "error" : "warning");
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
    catch { }
    return [...new Set([info, password, plain])].filter((value) => value !== "");
}
function wants(shape, spelling) {
    switch (shape.kind) {
        case "struct": return `a mapping of ${shape.fields.size <= 4 ? [...shape.fields.keys()].map((key) => (0,model_spelling/* spellKey */.Qj)(key, spelling)).join(", ") : "its fields"}`;
        case "list": return "a list";
        case "map": return "a mapping of text to text";
        case "free": return "a mapping";
        case "scalar": return shape.type === "enum" ? `one of ${(shape.values ?? []).map((value) => (0,model_spelling/* spellSource */.cp)(value, spelling)).join(", ")}` : SCALAR_WORDS[shape.type];
    }
}
const SCALAR_WORDS = { string: "text", uuid: "a UUID", integer: "a whole number", number: "a number", boolean: "true or false" };
function describe(node, spot, filled) {
    if (node.kind !== "scalar")
        return node.kind === "map" ? "a mapping" : "a list";
    const reference = filled?.references[0];
    if (reference !== undefined)
        return `another value from \${${reference.name}}`;
    if (spot.row?.meta.sensitive !== undefined)
        return node.value === "" ? "an empty text" : `a ${typeof node.value === "string" ? "text" : typeof node.value}`;
    return typeof node.value === "string" ? `the text ${JSON.stringify(node.value.slice(0, 40))}` : String(node.value);
}
function refuseType(reading, node, shape, spot, filled) {
    const wanted = wants(shape, reading.spelling);
    const bare = node.kind === "scalar" && typeof node.value === "string" && shape.kind === "scalar" && ["integer", "number", "boolean"].includes(shape.type);
    const advice = spot.path === "deploy.timeout" ? "write 500ms, 90s, 30m or 1h" : shape.kind === "scalar" && shape.type === "string" && node.kind === "scalar" ? "put it in quotes"
        : bare && typed(String(node.value), shape.type) !== undefined ? "write it without quotes" : `write ${wanted}`;
    return complain(reading, node.at, spot, `takes ${wanted}, got ${describe(node, spot, filled)}; ${advice}`);
}

// EXTERNAL MODULE: ./build/spec/duration.js
var duration = __webpack_require__(8020);
;// CONCATENATED MODULE: ./build/spec/validation.js






const isStruct = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function validateDocument(root, options) {
    const nothing = { desired: undefined, name: undefined, nameAt: root.at, sensitiveValues: [] };
    if (root.kind === "broken")
        return { ...nothing, problems: [] };
    if (root.kind !== "map") {
        return { ...nothing, problems: [{ ...root.at, level: "error", path: "", message: "the document is no mapping; write name: and source: of a deployment, each on a line of its own" }] };
    }
    const words = spellingWords(root, options.env, options.interpolate);
    const spelling = words[0]?.spelling ?? (words.length === 0 && isInternal(root) ? "hosted" : "document");
    const reading = {
        env: options.env, mode: options.mode, trusted: options.interpolate, spelling,
        problems: [...mixedSpellings(words)], marks: new Map(), unknown: new Set(), sensitiveValues: [],
    };
    const { deploy: block, ...body } = readDocument(reading, root);
    if (reading.unknown.has("source") && !reading.problems.some((problem) => problem.path === "source" && problem.level === "error")) {
        reading.problems.push({ ...reading.marks.get("source").value, level: "error", path: "source", message: "decides what every other field means, so it must be known in every run; write the word itself" });
    }
    const deploy = readDeploy(reading, block);
    const source = body["source"] === rules/* UNKNOWN */.HV ? undefined : body["source"];
    const adopted = options.adopted || (isStruct(block) && block["id"] !== undefined && block["id"] !== null);
    judge(reading, root, { source, spelling, body, adopted });
    const nameAt = reading.marks.get("name")?.value ?? root.at;
    const name = typeof body["name"] === "string" ? body["name"] : undefined;
    const failed = reading.problems.some((problem) => problem.level === "error");
    const desired = failed ? undefined : toDesired({ reading, root, spelling, body, deploy });
    return { desired, name, nameAt, problems: reading.problems, sensitiveValues: reading.sensitiveValues };
}
function readDeploy(reading, block) {
    const values = isStruct(block) ? Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null && value !== rules/* UNKNOWN */.HV)) : {};
    const { timeout, paths, ...rest } = values;
    const timeoutMs = typeof timeout === "string" ? (0,duration/* parseDuration */.E)(timeout) : undefined;
    if (typeof timeout === "string" && timeoutMs === undefined) {
        const mark = reading.marks.get("deploy.timeout");
        reading.problems.push({ ...mark.value, level: "error", path: mark.written, message: "is no duration; write 500ms, 90s, 30m or 1h (at most 24 days)" });
    }
    return {
        secrets: "replace", resource_spec: "merge", ...rest,
        paths: Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [],
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
}
function judge(reading, root, document) {
    for (const finding of rules/* RULES */.y0.flatMap((rule) => rule(document))) {
        reading.problems.push({ ...placeOf(reading.marks, root, finding), level: finding.level, path: writtenPath(reading, finding), message: finding.message });
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
const writtenPath = ({ marks, spelling }, { path }) => marks.get(path.join("."))?.written ?? (0,model_spelling/* spellPath */._R)(path.join("."), spelling);
function spellingWords(root, env, trusted) {
    const words = root.entries.flatMap(({ key, value }) => {
        if (key === "source" && value.kind === "scalar" && typeof value.value === "string") {
            const source = interpolate(value.value, env, trusted).text ?? "";
            const spelling = isInternalWord(source) ? undefined : (0,model_spelling/* spellingOf */.k2)(source);
            return spelling === undefined ? [] : [{ spelling, at: value.at, path: "source", word: `source: ${source}`, other: `source: ${(0,model_spelling/* spellSource */.cp)(source, opposite(spelling))}` }];
        }
        if (key !== "source_revision_config" || value.kind !== "map")
            return [];
        return value.entries.flatMap((entry) => {
            const spelling = (0,model_spelling/* spellingOfKey */.Ph)(entry.key);
            return spelling === undefined ? [] : [{ spelling, at: entry.keyAt, path: `source_revision_config.${entry.key}`, word: entry.key, other: (0,model_spelling/* spellKey */.Qj)(entry.key, opposite(spelling)) }];
        });
    });
    return words.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}
const opposite = (spelling) => (spelling === "document" ? "hosted" : "document");
const isInternalWord = (source) => (0,model_spelling/* spellSource */.cp)(source, "document") === (0,model_spelling/* spellSource */.cp)(source, "hosted");
const isInternal = (root) => root.entries.some(({ key, value }) => key === "source" && value.kind === "scalar" && (0,model_spelling/* spellingOf */.k2)(value.value) === "hosted");
function mixedSpellings(words) {
    const [first, ...rest] = words;
    return rest.filter((word) => word.spelling !== first.spelling).map((word) => ({
        ...word.at, level: "error", path: word.path,
        message: `${word.word} mixes two spellings of the service, since ${first.word} stands in line ${first.at.line}; write ${word.other}, or ${first.other} there`,
    }));
}
function toDesired({ reading, root, spelling, body, deploy }) {
    const known = toKnown(body);
    return {
        name: known["name"], source: known["source"], spelling, body: known, deploy,
        unknown: new Set([...reading.unknown].filter((path) => !path.startsWith("deploy."))),
        positionOf: (path) => nearestMark(reading.marks, (0,model_spelling/* spellPath */._R)(path, "document"))?.key ?? root.at,
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
function parseSpec({ files, env, mode, interpolate = true, adopted = false }) {
    const validated = [];
    let problems = [];
    for (const { path, text } of files) {
        const file = (0,yaml/* parseYaml */.h)(text, path);
        const written = file.documents.filter((node) => node.kind !== "scalar" || node.value !== null);
        const results = written.slice(0, MAX_DOCUMENTS).map((node) => validateDocument(node, { env, mode, interpolate, adopted }));
        const overflow = written.length <= MAX_DOCUMENTS ? []
            : [{ ...written[MAX_DOCUMENTS].at, level: "error", path: "", message: `a file holds at most ${MAX_DOCUMENTS} documents; split it` }];
        problems = problems.concat(firstOf(byPlace([...overflow, ...file.problems, ...results.flatMap((result) => result.problems)])));
        validated.push(...(file.problems.length === 0 ? results : results.map((result) => ({ ...result, desired: undefined }))));
    }
    if (validated.length === 0 && problems.length === 0) {
        problems.push({ file: files[0]?.path ?? "agent-deploy.yml", line: 1, column: 1, level: "error", path: "", message: "the spec holds no document; write one with name: and source: of a deployment" });
    }
    const twins = repeatedNames(validated);
    const documents = validated.flatMap(({ desired }, index) => (desired === undefined || twins.has(index) ? [] : [desired]));
    return {
        documents, problems: twins.size === 0 ? problems : inFileOrder(files, [...problems, ...twins.values()]),
        sensitiveValues: [...new Set(validated.flatMap((result) => result.sensitiveValues))],
    };
}
function firstOf(problems) {
    const rest = problems.slice(MAX_PROBLEMS);
    if (rest.length === 0)
        return problems;
    const level = rest.some((problem) => problem.level === "error") ? "error" : "warning";
    return [...problems.slice(0, MAX_PROBLEMS), { ...rest[0], level, path: "", message: `and ${rest.length} more problems in this file; mend those above first` }];
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
    const twins = new Map();
    for (const [index, { name, nameAt }] of documents.entries()) {
        if (name === undefined || name === "")
            continue;
        const before = first.get(name);
        if (before === undefined)
            first.set(name, nameAt);
        else {
            const message = `repeats the name of the document at ${before.file}:${before.line}:${before.column}; give each deployment its own name`;
            twins.set(index, { ...nameAt, level: "error", path: "name", message });
        }
    }
    return twins;
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
const CORE_TAGS = [js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .nullCoreTag */ .DX, js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .boolCoreTag */ .G7, js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .intCoreTag */ .Z7, js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .floatCoreTag */ .ok];
const EXPLICIT_TAGS = new Map([
    ["null", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .nullCoreTag */ .DX], ["bool", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .boolCoreTag */ .G7], ["int", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .intCoreTag */ .Z7], ["float", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .floatCoreTag */ .ok], ["str", js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .strTag */ .ym],
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
    const refuse = (at, message) => ({ documents: [], problems: [{ ...at, level: "error", path: "", message }] });
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
        documents.push(bomb ? complain(composer, node.at, "the document holds too many values, counting what its aliases repeat; write less, or write the values out") : node);
    }
    return { documents, problems: composer.problems };
}
function complain(composer, at, message) {
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
    const made = event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR ? measure(composeScalar(composer, event, at), [])
        : event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SEQUENCE ? composeList(composer, at, path) : composeMap(composer, at, path);
    const kept = event.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR || fitsCollection(composer, event, at) ? made : measure({ kind: "broken", at }, []);
    if (anchor !== undefined)
        composer.anchors.set(anchor, kept);
    return kept;
}
function composeAlias(composer, name, at, depth) {
    const found = composer.anchors.get(name);
    if (found !== undefined && depth + found.depth <= MAX_DEPTH)
        return { ...found, node: { ...found.node, at } };
    const message = found !== undefined ? "nests too deeply; write the values out"
        : composer.anchors.has(name) ? "contains itself; write the values out" : `has no anchor; write &${name} before the value it repeats`;
    return measure(complain(composer, at, `the alias *${name} ${message}`), []);
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
        const isMerge = keyEvent.type === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .EVENT_ID */ .hy.SCALAR && keyEvent.style === js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .SCALAR_STYLE */ .jK.PLAIN && (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .getScalarValue */ .KE)(composer.source, keyEvent) === "<<";
        const key = compose(composer, at, path).node;
        const name = key.kind === "scalar" ? String(key.value) : "?";
        const value = compose(composer, key.at, [...path, name]);
        children.push(value);
        if (key.kind !== "scalar") {
            if (key.kind !== "broken")
                complain(composer, key.at, "a key is a list or mapping; write plain text keys");
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
        complain(composer, entry.keyAt, "the key __proto__ is refused; remove it");
    else if (first === undefined)
        own.set(entry.key, entry);
    else {
        composer.problems.push({
            ...entry.keyAt, level: "error", path: [...path, entry.key].join("."),
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
                complain(composer, source.at, "<< takes a mapping or a list of mappings; write an alias of one");
        }
        else if ((work += source.entries.length) > MAX_EXPANDED_NODES) {
            complain(composer, source.at, "<< merges too many keys; write them out");
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
        complain(composer, at, `the tag ${tag} is not known here; remove it`);
    return fits;
}
function composeScalar(composer, event, at) {
    const { source, placeOf } = composer;
    const text = (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .getScalarValue */ .KE)(source, event);
    const value = resolveScalar(composer, event, text, at);
    if (typeof value === "object" && value !== null)
        return value;
    if (typeof value !== "string" || event.valueEnd < 0 || !/[\r\n]/u.test(source.slice(event.valueStart, event.valueEnd)))
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
    const candidates = tag === "" ? CORE_TAGS : [EXPLICIT_TAGS.get(tag.slice(2))].filter((found) => found !== undefined && tag.startsWith("!!"));
    for (const candidate of candidates) {
        const value = candidate.resolve(text, tag !== "", candidate.tagName);
        if (value !== js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .NOT_RESOLVED */ .Hg)
            return typeof value === "number" ? checkNumber(composer, value, at) : value;
    }
    return tag === "" ? text : complain(composer, at, `the tag ${tag} does not fit this value; remove it`);
}
function checkNumber(composer, value, at) {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
        return complain(composer, at, "the number is too large, or none that JSON can carry; write a smaller one, or put it in quotes where text is meant");
    }
    return value === 0 ? 0 : value;
}


/***/ })

};
