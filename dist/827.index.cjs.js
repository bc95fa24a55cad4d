"use strict";
exports.id = 827;
exports.ids = [827];
exports.modules = {

/***/ 4037:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   SCHEMA_PATH: () => (/* binding */ SCHEMA_PATH),
/* harmony export */   renderExport: () => (/* binding */ renderExport),
/* harmony export */   renderSpecFile: () => (/* binding */ renderSpecFile),
/* harmony export */   runExport: () => (/* binding */ runExport)
/* harmony export */ });
/* harmony import */ var node_path_posix__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3916);
/* harmony import */ var js_yaml__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3243);
/* harmony import */ var _plan_export_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5262);
/* harmony import */ var _run_report_assembly_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7447);
/* harmony import */ var _run_service_connection_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4007);
/* harmony import */ var _run_session_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5834);
/* harmony import */ var _run_looked_up_deployment_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(916);







const SCHEMA_PATH = "schema/agent-deploy.schema.json";
function renderSpecFile(documents, file = "") {
    const folder = (0,node_path_posix__WEBPACK_IMPORTED_MODULE_0__.relative)(".", (0,node_path_posix__WEBPACK_IMPORTED_MODULE_0__.dirname)(file));
    const schema = (0,node_path_posix__WEBPACK_IMPORTED_MODULE_0__.isAbsolute)(file) || folder.startsWith("..")
        ? `./${SCHEMA_PATH}`
        : (0,node_path_posix__WEBPACK_IMPORTED_MODULE_0__.relative)(folder, SCHEMA_PATH).replace(/^(?!\.)/, "./");
    return `${documents.map((text) => `# yaml-language-server: $schema=${schema}\n${text}`).join("\n---\n")}\n`;
}
function renderExport({ body, fixed, comments }) {
    const text = (0,js_yaml__WEBPACK_IMPORTED_MODULE_1__/* .dump */ .Bh)(body, { lineWidth: 120, noRefs: true });
    const stack = [];
    const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => {
        const match = /^( *)([A-Za-z_][\w-]*):/.exec(line);
        if (match === null)
            return line;
        const depth = match[1].length / 2;
        stack.length = depth;
        stack[depth] = match[2];
        return fixed.includes(stack.join("."))
            ? `${line}${" ".repeat(line.endsWith(":") ? 1 : 2)}# cannot change after creation`
            : line;
    });
    return [...comments.map((comment) => `# ${comment}`), ...lines].join("\n");
}
async function findExported(session, controlPlane) {
    const { all, deploymentId } = session.options;
    if (deploymentId !== undefined) {
        const live = await controlPlane.getDeployment(deploymentId);
        if (live === null)
            throw new _run_session_js__WEBPACK_IMPORTED_MODULE_5__/* .UsageError */ .e(`there is no deployment ${deploymentId}: check deployment-id, the region and the tenant-id`);
        return [live];
    }
    if (!all) {
        if (session.entryPoint === "action")
            throw new _run_session_js__WEBPACK_IMPORTED_MODULE_5__/* .UsageError */ .e("export needs deployment-id");
        const targets = await (0,_run_looked_up_deployment_js__WEBPACK_IMPORTED_MODULE_6__/* .findTargets */ .q8)(session, controlPlane);
        const missing = targets.find((target) => target.live === null);
        if (missing !== undefined)
            throw new _run_session_js__WEBPACK_IMPORTED_MODULE_5__/* .UsageError */ .e(`export: ${missing.why}`);
        return targets.flatMap((target) => (target.live === null ? [] : [target.live]));
    }
    const lookup = await controlPlane.listDeployments({});
    if (lookup.state === "absent-lookup")
        throw new _run_session_js__WEBPACK_IMPORTED_MODULE_5__/* .UsageError */ .e(`this service has no list of deployments (it answers ${lookup.status}): give deployment-id`);
    return lookup.items;
}
async function runExport(session) {
    return (0,_run_service_connection_js__WEBPACK_IMPORTED_MODULE_4__.withConnection)(session, async (connection) => {
        const deployments = await findExported(session, connection.controlPlane);
        const file = session.entryPoint === "action" ? session.options.spec[0] : session.options.output;
        const text = renderSpecFile(deployments.map((live) => renderExport((0,_plan_export_js__WEBPACK_IMPORTED_MODULE_2__/* .toExport */ .W)(live))), file);
        if (file === undefined)
            session.print(text);
        else {
            if (session.entryPoint === "cli")
                await refuseExisting(session, file);
            await session.workspace.writeText(file, text);
            session.host.progress(`wrote ${file}: ${deployments.map((live) => live.name).join(", ")}`);
        }
        return (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_3__/* .toEnd */ .F)(session, (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_3__/* .toReport */ .c)(session, { outcome: "unchanged", changed: false }));
    });
}
async function refuseExisting(session, file) {
    const there = await session.workspace.expand([file]).then((found) => found.length > 0, () => false);
    if (there)
        throw new _run_session_js__WEBPACK_IMPORTED_MODULE_5__/* .UsageError */ .e(`${file} is there already and is left untouched: name another file`);
}


/***/ }),

/***/ 5262:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ toExport)
/* harmony export */ });
/* harmony import */ var _model_dialect_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6156);
/* harmony import */ var _comparison_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6796);
/* harmony import */ var _secrets_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3211);
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5499);




function toExport(live) {
    const source = String(live.source);
    let body = { name: live.name, source: (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_0__/* .spellSource */ .cp)(source, live.dialect) };
    const fixed = [];
    const comments = [];
    for (const field of (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .patchUnits */ .gN)()) {
        if (field.path === "name" || field.path === "source")
            continue;
        if (field.meta.only !== undefined && field.meta.only !== source)
            continue;
        const value = exportValue(field, live, comments);
        if ((0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isNull */ .kZ)(value))
            continue;
        if (source.startsWith("internal_") && field.path !== "secrets")
            continue;
        const path = field.path
            .split(".")
            .map((key) => (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_0__/* .spellKey */ .Qj)(key, live.dialect))
            .join(".");
        body = (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .withValue */ .cO)(body, path, value);
        if (field.mutability === "create-only")
            fixed.push(path);
    }
    return { name: live.name, body, fixed, comments };
}
function exportValue(field, live, comments) {
    const value = (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .valueAt */ .fK)(live.body, field.path);
    if ((0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isNull */ .kZ)(value))
        return undefined;
    if (field.path === "secrets") {
        const names = (0,_secrets_js__WEBPACK_IMPORTED_MODULE_2__/* .toEntries */ .Wo)(value).map((entry) => entry.name);
        return names.length === 0 ? undefined : names;
    }
    if (field.path === "source_revision_config.repo_ref") {
        const ref = (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .readableRef */ .ES)(live);
        if (ref !== undefined)
            return ref;
        comments.push("repo_ref: the service returns the commit it built, not the branch; write the branch or tag here");
        return undefined;
    }
    const cleaned = toWritten(field, field.shape, (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .withoutNulls */ .Le)(value), []);
    return (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(cleaned) &&
        Object.keys(cleaned).length === 0 &&
        field.path !== "source_config.resource_spec"
        ? undefined
        : cleaned;
}
function toWritten(field, shape, value, trail) {
    if (field?.meta.sensitive === "value")
        return value === "" ? "" : `\${${toVariable(trail)}}`;
    if (typeof value === "string")
        return (field?.meta.sensitive === "user-info" ? (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .withoutUserInfo */ .sl)(value) : value).replaceAll("${", () => "$${");
    if (shape.kind === "list" && Array.isArray(value)) {
        return value.map((item, index) => toWritten(undefined, shape.item, item, [
            ...trail,
            (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(item) ? String(item["name"] ?? index) : String(index),
        ]));
    }
    if (shape.kind === "struct" && (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(value)) {
        return Object.fromEntries(Object.entries((0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .withoutDefaults */ .nd)(shape, value)).flatMap(([key, item]) => {
            const child = shape.fields.get(key);
            return child === undefined ? [] : [[key, toWritten(child, child.shape, item, trail)]];
        }));
    }
    if (Array.isArray(value))
        return value.map((item) => toWritten(undefined, shape, item, trail));
    if ((0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(value))
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toWritten(undefined, shape, item, trail)]));
    return value;
}
const toVariable = (trail) => trail
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .replace(/^(?=\d)/, "_");


/***/ }),

/***/ 6767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  x: () => (/* binding */ checkAccess),
  L: () => (/* binding */ hasCredentials)
});

// EXTERNAL MODULE: ./build/service/addresses.js
var service_addresses = __webpack_require__(876);
;// CONCATENATED MODULE: ./build/service/credentials.js
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
function toAuthHeaders(given) {
    const values = {
        "api-key": given.apiKey?.trim() ?? "",
        "tenant-id": given.tenantId?.trim() ?? "",
        "bearer-token": given.bearerToken?.trim() ?? "",
    };
    for (const input of ["api-key", "tenant-id", "bearer-token"]) {
        if (values[input] !== "" && !VISIBLE_ASCII.test(values[input])) {
            return {
                kind: "problem",
                input,
                message: `${input}: holds a character that cannot travel in a header (a line break, a space or a quote of a word processor?); paste it again`,
            };
        }
    }
    if (values["bearer-token"] !== "" && values["tenant-id"] === "") {
        return {
            kind: "problem",
            input: "tenant-id",
            message: "tenant-id: is needed with bearer-token, since a bearer token names no workspace; give the workspace's id",
        };
    }
    if (values["bearer-token"] === "" && values["api-key"] === "") {
        return {
            kind: "problem",
            input: "api-key",
            message: "api-key: is empty: the secret does not exist or is not passed to this step",
        };
    }
    return {
        kind: "headers",
        headers: {
            ...(values["api-key"] === "" ? {} : { "X-Api-Key": values["api-key"] }),
            ...(values["tenant-id"] === "" ? {} : { "X-Tenant-Id": values["tenant-id"] }),
            ...(values["bearer-token"] === ""
                ? {}
                : { Authorization: `Bearer ${values["bearer-token"]}` }),
        },
    };
}

// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/run/access.js



function hasCredentials({ options }) {
    return options.apiKey !== undefined || options.bearerToken !== undefined;
}
function checkAccess(session) {
    const { options } = session;
    const auth = toAuthHeaders({
        apiKey: options.apiKey,
        tenantId: options.tenantId,
        bearerToken: options.bearerToken,
    });
    if (auth.kind === "problem") {
        const where = session.entryPoint === "cli" && auth.input === "api-key" && !hasCredentials(session)
            ? "; here it comes from AGENT_DEPLOY_API_KEY (or LANGSMITH_API_KEY), or from --api-key-file"
            : "";
        throw new run_session/* UsageError */.e(auth.message + where);
    }
    const addresses = (0,service_addresses/* resolveAddresses */.B6)({
        region: options.region,
        controlPlaneUrl: options.controlPlaneUrl,
        tracingUrl: options.tracingUrl,
    });
    if (addresses.kind === "problem")
        throw new run_session/* UsageError */.e(addresses.message);
    return { headers: auth.headers, addresses };
}


/***/ }),

/***/ 916:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o_: () => (/* binding */ toMissingReport),
/* harmony export */   oy: () => (/* binding */ onlyTarget),
/* harmony export */   q8: () => (/* binding */ findTargets)
/* harmony export */ });
/* harmony import */ var _deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1462);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9166);
/* harmony import */ var _live_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4950);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5834);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4949);





async function findTargets(session, controlPlane) {
    const id = session.options.deploymentId;
    if (id !== undefined) {
        const live = await controlPlane.getDeployment(id);
        (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, live);
        return [
            {
                name: live?.name ?? id,
                desired: null,
                live,
                missing: live === null ? "not-found" : "",
                why: `there is no deployment ${id}: check deployment-id, the region and the tenant-id`,
            },
        ];
    }
    const documents = await (0,_spec_source_js__WEBPACK_IMPORTED_MODULE_2__/* .readSpec */ .O)(session, "plan");
    const directory = (0,_deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .createDirectory */ .c1)(controlPlane, documents.length);
    return Promise.all(documents.map(async (desired) => {
        const found = await (0,_deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__/* .findLive */ .KI)(controlPlane, desired, desired.deploy.id ?? null, directory.find);
        if (found.state === "live")
            (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, found.deployment);
        if (found.state === "live")
            return { name: desired.name, desired, live: found.deployment, missing: "", why: "" };
        return { name: desired.name, desired, live: null, ...absence(desired.name, found) };
    }));
}
function absence(name, found) {
    switch (found.state) {
        case "duplicates":
            return {
                missing: "duplicates",
                why: `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}. Say which with deployment-id`,
            };
        case "lookup-unavailable":
            return {
                missing: "no-lookup",
                why: `this service has no list of deployments (it answers ${found.status}), so ${name} cannot be looked up: give deployment-id`,
            };
        case "deleting":
            return { missing: "deleting", why: `deployment ${found.id} named ${name} is being deleted` };
        case "id-not-found":
            return {
                missing: "not-found",
                why: `there is no deployment ${found.id}: check deploy.id, the region and the tenant-id`,
            };
        case "absent":
            return { missing: "not-found", why: `there is no deployment named ${name}` };
    }
}
function toMissingReport({ name, missing, why }) {
    const blocked = missing === "duplicates" || missing === "no-lookup";
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .createTracker */ .P)(name), {
        outcome: blocked ? "blocked" : "failed",
        reason: missing,
        message: why,
    });
}
function onlyTarget(targets, command) {
    const [first, ...others] = targets;
    if (first === undefined || others.length > 0) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`${command} works on one deployment, and the spec has ${targets.length}: give deployment-id, or a spec of one document`);
    }
    return first;
}


/***/ }),

/***/ 4949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ readSpec)
/* harmony export */ });
/* harmony import */ var _inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8741);
/* harmony import */ var _spec_yaml_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6627);
/* harmony import */ var _spec_spec_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9932);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5834);
/* harmony import */ var _spec_suggestion_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(176);





const MAX_SPEC_BYTES = _spec_yaml_js__WEBPACK_IMPORTED_MODULE_1__/* .MAX_SPEC_CHARS */ .n * 3;
async function readSpec(session, mode) {
    const { options, workspace, host, env, trust } = session;
    const paths = await workspace.expand(options.spec).catch((error) => {
        throw sayHowToBegin(session, error);
    });
    if (paths.length === 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`spec: no file matches ${options.spec.join(", ")}`);
    const files = await Promise.all(paths.map(async (path) => ({ path, text: await workspace.readText(path, MAX_SPEC_BYTES) })));
    const parsed = (0,_spec_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .parseSpec */ .F)({
        files,
        env,
        mode,
        interpolate: trust.state !== "untrusted",
        adopted: options.deploymentId !== undefined,
    });
    session.mask(parsed.sensitiveValues);
    for (const problem of parsed.problems)
        host.annotate(problem);
    const errors = parsed.problems.filter((problem) => problem.level === "error");
    if (errors.length > 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(errors.map(_spec_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .renderProblem */ .y).join("\n"), errors);
    return select(session, parsed.documents);
}
function sayHowToBegin({ options, entryPoint, command }, error) {
    const [path, ...others] = options.spec;
    if (path !== _inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .INPUTS */ .mc.spec.default[0] ||
        others.length > 0 ||
        error.absent !== true)
        return error;
    return new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(entryPoint === "cli"
        ? `${path} does not exist: write a first one with agent-deploy init, or name yours: agent-deploy ${command} path/to/spec.yml`
        : `${path} does not exist: check out the repository in a step before this one (actions/checkout), or give the path of yours as the input spec`);
}
function select(session, documents) {
    const { only, deploymentId } = session.options;
    const names = documents.map((document) => document.name);
    for (const name of only) {
        if (names.includes(name))
            continue;
        const near = (0,_spec_suggestion_js__WEBPACK_IMPORTED_MODULE_4__/* .nearestWord */ .z)(name, names);
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`only: no document is named ${name}${near === undefined ? "" : ` (did you mean ${near}?)`}; the spec has ${names.join(", ")}`);
    }
    const chosen = only.length === 0 ? documents : documents.filter((document) => only.includes(document.name));
    if (deploymentId !== undefined && chosen.length > 1) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_3__/* .UsageError */ .e(`deployment-id names one deployment, and the spec has ${chosen.length} documents: ${chosen.map((one) => one.name).join(", ")}. Use deploy.id in each document, or only`);
    }
    return chosen;
}


/***/ }),

/***/ 876:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B6: () => (/* binding */ resolveAddresses),
/* harmony export */   U9: () => (/* binding */ isLoopback),
/* harmony export */   ep: () => (/* binding */ tracingUrl)
/* harmony export */ });
/* unused harmony export REGIONS */
const REGION_PREFIXES = {
    us: "",
    eu: "eu.",
    apac: "apac.",
    aws: "aws.",
};
const REGIONS = Object.keys(REGION_PREFIXES);
function isLoopback(url) {
    const host = url.hostname;
    return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
function toBase(url) {
    return url.origin + url.pathname.replace(/\/+$/, "");
}
function parseBase(text, input) {
    const problem = (message) => ({
        kind: "problem",
        input,
        message: `${input}: ${message}`,
    });
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
        return problem("is not a URL; write it whole, such as https://host/api-host");
    if (url.username !== "" || url.password !== "")
        return problem("holds a user name or password before the host; remove it, the key travels in a header");
    if (url.search !== "" || url.hash !== "")
        return problem("holds a query or a fragment; give the address alone");
    if (url.protocol === "http:" && !isLoopback(url)) {
        return problem(`plain http to ${url.host} is refused, since the key travels in a header; use https (http is allowed for 127.0.0.1, ::1 and localhost)`);
    }
    return url;
}
function swapHost(url, from, to) {
    const found = new RegExp(`^((?:[a-z0-9-]+\\.)?)${from}\\.(.+)$`).exec(url.hostname);
    if (found === null || url.pathname.replace(/\/+$/, "") !== "")
        return undefined;
    return `${url.protocol}//${found[1]}${to}.${found[2]}${url.port === "" ? "" : `:${url.port}`}`;
}
function swapPath(base, from, to) {
    return from.test(base) ? base.replace(from, to) : undefined;
}
function toTracing(controlPlane) {
    return (swapHost(controlPlane, "api\\.host", "api.smith") ??
        swapPath(toBase(controlPlane), /(?<!\/)\/api-host$/, "/api") ??
        (isLoopback(controlPlane) ? toBase(controlPlane) : undefined));
}
function toControlPlane(tracing) {
    const base = toBase(tracing);
    return (swapHost(tracing, "api\\.smith", "api.host") ??
        swapPath(base, /(?<!\/)\/api(\/v1)?$/, "/api-host") ??
        (isLoopback(tracing) ? base : base === tracing.origin ? `${base}/api-host` : undefined));
}
function toUi(tracing) {
    const url = new URL(tracing);
    return swapHost(url, "api\\.smith", "smith") ?? toBase(url).replace(/(?<!\/)\/api(\/v1)?$/, "");
}
function resolveAddresses(given) {
    const controlPlaneText = given.controlPlaneUrl?.trim() ?? "";
    const tracingText = given.tracingUrl?.trim() ?? "";
    if (controlPlaneText === "" && tracingText === "")
        return regionalAddresses(given.region);
    const controlPlane = controlPlaneText === "" ? undefined : parseBase(controlPlaneText, "control-plane-url");
    if (controlPlane !== undefined && "kind" in controlPlane)
        return controlPlane;
    const tracing = tracingText === "" ? undefined : parseBase(tracingText, "tracing-url");
    if (tracing !== undefined && "kind" in tracing)
        return tracing;
    const controlPlaneBase = controlPlane === undefined ? toControlPlane(tracing) : toBase(controlPlane);
    const tracingBase = tracing === undefined ? toTracing(controlPlane) : toBase(tracing);
    if (tracingBase === undefined)
        return underivable("tracing-url", "control-plane-url", "…/api-host");
    if (controlPlaneBase === undefined)
        return underivable("control-plane-url", "tracing-url", "…/api");
    return {
        kind: "addresses",
        controlPlane: controlPlaneBase,
        tracing: tracingBase,
        ui: toUi(tracingBase),
        inputs: {
            controlPlane: controlPlane === undefined ? "tracing-url" : "control-plane-url",
            tracing: tracing === undefined ? "control-plane-url" : "tracing-url",
        },
    };
}
function regionalAddresses(region) {
    if (!Object.hasOwn(REGION_PREFIXES, region)) {
        return {
            kind: "problem",
            input: "region",
            message: `region: there is no region "${region}"; use one of ${REGIONS.join(", ")}`,
        };
    }
    const prefix = REGION_PREFIXES[region];
    return {
        kind: "addresses",
        controlPlane: `https://${prefix}api.host.langchain.com`,
        tracing: `https://${prefix}api.smith.langchain.com`,
        ui: `https://${prefix}smith.langchain.com`,
        inputs: { controlPlane: "region", tracing: "region" },
    };
}
function underivable(missing, given, form) {
    return {
        kind: "problem",
        input: missing,
        message: `${missing}: is needed as well, since it cannot be told from this ${given} (only from one that ends in ${form}); ` +
            "a given address is never paired with the hosted service's own",
    };
}
function tracingUrl(base, path) {
    return base.replace(/(?<!\/)\/api(\/v1)?$/, "") + path;
}


/***/ })

};
;