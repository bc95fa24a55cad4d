export const id = 37;
export const ids = [37];
export const modules = {

/***/ 4037:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   renderExport: () => (/* binding */ renderExport),
/* harmony export */   runExport: () => (/* binding */ runExport)
/* harmony export */ });
/* harmony import */ var js_yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3243);
/* harmony import */ var _plan_export_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5262);
/* harmony import */ var _assembly_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3743);
/* harmony import */ var _service_connection_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3437);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6183);
/* harmony import */ var _target_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3462);






const SCHEMA_LINE = "# yaml-language-server: $schema=./schema/agent-deploy.schema.json";
function renderExport({ body, fixed, comments }) {
    const text = (0,js_yaml__WEBPACK_IMPORTED_MODULE_0__/* .dump */ .Bh)(body, { lineWidth: 120, noRefs: true });
    const stack = [];
    const lines = text.trimEnd().split("\n").map((line) => {
        const match = /^( *)([A-Za-z_][\w-]*):/.exec(line);
        if (match === null)
            return line;
        const depth = match[1].length / 2;
        stack.length = depth;
        stack[depth] = match[2];
        return fixed.includes(stack.join(".")) ? `${line}${" ".repeat(line.endsWith(":") ? 1 : 2)}# cannot change after creation` : line;
    });
    return [...comments.map((comment) => `# ${comment}`), ...lines].join("\n");
}
async function findExported(session, controlPlane) {
    const { all, deploymentId } = session.options;
    if (deploymentId !== undefined) {
        const live = await controlPlane.getDeployment(deploymentId);
        if (live === null)
            throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e(`there is no deployment ${deploymentId}: check deployment-id, the region and the tenant-id`);
        return [live];
    }
    if (!all) {
        if (session.door === "action")
            throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e("export needs deployment-id");
        const targets = await (0,_target_js__WEBPACK_IMPORTED_MODULE_5__/* .findTargets */ .q8)(session, controlPlane);
        const missing = targets.find((target) => target.live === null);
        if (missing !== undefined)
            throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e(`export: ${missing.why}`);
        return targets.flatMap((target) => (target.live === null ? [] : [target.live]));
    }
    const lookup = await controlPlane.listDeployments({});
    if (lookup.state === "absent-lookup")
        throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e(`this service has no list of deployments (it answers ${lookup.status}): give deployment-id`);
    return lookup.items;
}
async function runExport(session) {
    const connection = (0,_service_connection_js__WEBPACK_IMPORTED_MODULE_3__/* .connect */ .N)(session);
    try {
        const deployments = await findExported(session, connection.controlPlane);
        const text = `${SCHEMA_LINE}\n${deployments.map((live) => renderExport((0,_plan_export_js__WEBPACK_IMPORTED_MODULE_1__/* .toExport */ .W)(live))).join("\n---\n")}\n`;
        const file = session.door === "action" ? session.options.spec[0] : session.options.output;
        if (file === undefined)
            session.print(text);
        else {
            await refuseExisting(session, file);
            await session.workspace.writeText(file, text);
            session.host.progress(`wrote ${file}: ${deployments.map((live) => live.name).join(", ")}`);
        }
        return (0,_assembly_js__WEBPACK_IMPORTED_MODULE_2__/* .toEnd */ .F)(session, (0,_assembly_js__WEBPACK_IMPORTED_MODULE_2__/* .toReport */ .c)(session, { outcome: "unchanged", changed: false }));
    }
    finally {
        await connection.close();
    }
}
async function refuseExisting(session, file) {
    const there = await session.workspace.expand([file]).then((found) => found.length > 0, () => false);
    if (there)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_4__/* .UsageError */ .e(`${file} is there already and is left untouched: name another file`);
}


/***/ }),

/***/ 3462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o_: () => (/* binding */ toMissingReport),
/* harmony export */   oy: () => (/* binding */ onlyTarget),
/* harmony export */   q8: () => (/* binding */ findTargets)
/* harmony export */ });
/* harmony import */ var _deploy_identity_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1462);
/* harmony import */ var _deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9166);
/* harmony import */ var _live_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4093);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6183);
/* harmony import */ var _spec_source_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6176);





async function findTargets(session, controlPlane) {
    const id = session.options.deploymentId;
    if (id !== undefined) {
        const live = await controlPlane.getDeployment(id);
        (0,_live_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .maskLive */ .t)(session, live);
        return [{ name: live?.name ?? id, desired: null, live, missing: live === null ? "not-found" : "", why: `there is no deployment ${id}: check deployment-id, the region and the tenant-id` }];
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
        case "twins": return { missing: "twins", why: `there are ${found.ids.length} live deployments named ${name}: ${found.ids.join(", ")}. Say which with deployment-id` };
        case "unproven": return { missing: "no-lookup", why: `this service has no list of deployments (it answers ${found.status}), so ${name} cannot be looked up: give deployment-id` };
        case "dying": return { missing: "dying", why: `deployment ${found.id} named ${name} is being deleted` };
        case "id-not-found": return { missing: "not-found", why: `there is no deployment ${found.id}: check deploy.id, the region and the tenant-id` };
        case "absent": return { missing: "not-found", why: `there is no deployment named ${name}` };
    }
}
function toMissingReport({ name, missing, why }) {
    const blocked = missing === "twins" || missing === "no-lookup";
    return (0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .toDeploymentReport */ .Pr)((0,_deploy_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .createTracker */ .P)(name), { outcome: blocked ? "blocked" : "failed", reason: missing, message: why });
}
function onlyTarget(targets, command) {
    const [first, ...others] = targets;
    if (first === undefined || others.length > 0) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_1__/* .UsageError */ .e(`${command} works on one deployment, and the spec has ${targets.length}: give deployment-id, or a spec of one document`);
    }
    return first;
}


/***/ }),

/***/ 5262:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ toExport)
/* harmony export */ });
/* harmony import */ var _model_spelling_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2934);
/* harmony import */ var _comparison_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9555);
/* harmony import */ var _secrets_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3211);
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5499);




function toExport(live) {
    const source = String(live.source);
    let body = { name: live.name, source: (0,_model_spelling_js__WEBPACK_IMPORTED_MODULE_0__/* .spellSource */ .cp)(source, live.spelling) };
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
        const path = field.path.split(".").map((key) => (0,_model_spelling_js__WEBPACK_IMPORTED_MODULE_0__/* .spellKey */ .Qj)(key, live.spelling)).join(".");
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
    return (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(cleaned) && Object.keys(cleaned).length === 0 && field.path !== "source_config.resource_spec" ? undefined : cleaned;
}
function toWritten(field, shape, value, trail) {
    if (field?.meta.sensitive === "value")
        return value === "" ? "" : `\${${toVariable(trail)}}`;
    if (typeof value === "string")
        return (field?.meta.sensitive === "user-info" ? (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .withoutUserInfo */ .sl)(value) : value).replaceAll("${", () => "$${");
    if (shape.kind === "list" && Array.isArray(value)) {
        return value.map((item, index) => toWritten(undefined, shape.item, item, [...trail, (0,_value_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(item) ? String(item["name"] ?? index) : String(index)]));
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
const toVariable = (trail) => trail.join("_").toUpperCase().replace(/[^A-Z0-9_]/g, "_").replace(/^(?=\d)/, "_");


/***/ })

};
