"use strict";
exports.id = 536;
exports.ids = [536];
exports.modules = {

/***/ 7989:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runLookup: () => (/* binding */ runLookup)
/* harmony export */ });
/* harmony import */ var _host_workflow_command_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9970);
/* harmony import */ var _report_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9924);
/* harmony import */ var _run_service_connection_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4007);



async function runLookup(session, what) {
    return (0,_run_service_connection_js__WEBPACK_IMPORTED_MODULE_1__.withConnection)(session, async (connection) => {
        const rows = what === "integrations"
            ? (await connection.controlPlane.listIntegrations("document")).map(({ id, name }) => ({
                id,
                name,
                namespaces: [],
            }))
            : (await connection.controlPlane.listListeners()).map(({ id, compute_id, namespaces }) => ({
                id,
                name: compute_id,
                namespaces,
            }));
        if (session.options.json)
            session.print(`${(0,_host_workflow_command_js__WEBPACK_IMPORTED_MODULE_2__/* .toLogJson */ .q)(JSON.stringify(rows, null, 2))}\n`);
        else
            for (const row of rows)
                session.print(`${(0,_host_workflow_command_js__WEBPACK_IMPORTED_MODULE_2__/* .toLogText */ .Z)((0,_report_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toVisible */ .ws)(`${row.id}  ${row.name}${row.namespaces.length > 0 ? `  ${row.namespaces.join(",")}` : ""}`))}\n`);
        if (rows.length === 0)
            session.host.progress(`the service has no ${what}`);
        return 0;
    });
}


/***/ }),

/***/ 6156:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E3: () => (/* binding */ dialectOf),
/* harmony export */   PY: () => (/* binding */ dialectOfKey),
/* harmony export */   Qj: () => (/* binding */ spellKey),
/* harmony export */   _R: () => (/* binding */ spellPath),
/* harmony export */   cp: () => (/* binding */ spellSource),
/* harmony export */   lO: () => (/* binding */ spell),
/* harmony export */   tm: () => (/* binding */ integrationsPath)
/* harmony export */ });
const SOURCES = [
    ["repohost", "github"],
    ["external_container", "external_docker"],
];
const KEYS = [
    ["graph_config_path", "langgraph_config_path"],
];
const INTEGRATIONS = {
    document: "/v1/integrations/repohost/install",
    hosted: "/v1/integrations/github/install",
};
const HOSTED_SOURCES = ["internal_docker", "internal_source"];
function dialectOf(source) {
    if (SOURCES.some(([document]) => document === source))
        return "document";
    if (SOURCES.some(([, hosted]) => hosted === source) || HOSTED_SOURCES.includes(source))
        return "hosted";
    return undefined;
}
function dialectOfKey(key) {
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
    return path
        .split(".")
        .map((key) => spellKey(key, to))
        .join(".");
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
function integrationsPath(dialect) {
    return INTEGRATIONS[dialect];
}


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