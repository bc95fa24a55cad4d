"use strict";
exports.id = 541;
exports.ids = [541];
exports.modules = {

/***/ 7541:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runValidate: () => (/* binding */ runValidate)
/* harmony export */ });
/* harmony import */ var _run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7447);
/* harmony import */ var _run_spec_source_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4949);


async function runValidate(session) {
    const documents = await (0,_run_spec_source_js__WEBPACK_IMPORTED_MODULE_1__/* .readSpec */ .O)(session, "validate");
    const count = documents.length;
    session.host.progress(`${count} ${count === 1 ? "document is" : "documents are"} valid: ${documents.map((one) => one.name).join(", ")}`);
    return (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toEnd */ .F)(session, (0,_run_report_assembly_js__WEBPACK_IMPORTED_MODULE_0__/* .toReport */ .c)(session, { outcome: "unchanged", changed: false }));
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


/***/ })

};
;