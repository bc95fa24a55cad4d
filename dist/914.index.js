export const id = 914;
export const ids = [914];
export const modules = {

/***/ 7989:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runLookup: () => (/* binding */ runLookup)
/* harmony export */ });
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3437);

async function runLookup(session, what) {
    const connection = (0,_service_connection_js__WEBPACK_IMPORTED_MODULE_0__/* .connect */ .N)(session);
    try {
        const rows = what === "integrations"
            ? (await connection.controlPlane.listIntegrations("document")).map(({ id, name }) => ({ id, name, namespaces: [] }))
            : (await connection.controlPlane.listListeners()).map(({ id, compute_id, namespaces }) => ({ id, name: compute_id, namespaces }));
        if (session.options.json)
            session.print(`${JSON.stringify(rows, null, 2)}\n`);
        else
            for (const row of rows)
                session.print(`${row.id}  ${row.name}${row.namespaces.length > 0 ? `  ${row.namespaces.join(",")}` : ""}\n`);
        if (rows.length === 0)
            session.host.progress(`the service has no ${what}`);
        return 0;
    }
    finally {
        await connection.close();
    }
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


/***/ })

};
