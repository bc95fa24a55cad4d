"use strict";
exports.id = 91;
exports.ids = [91];
exports.modules = {

/***/ 5353:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ parseRevisionRules),
/* harmony export */   g: () => (/* binding */ answerAdmin)
/* harmony export */ });
/* harmony import */ var _choices_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2038);
/* harmony import */ var _fault_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5866);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1214);
/* harmony import */ var _readback_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1507);
/* harmony import */ var _reply_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6538);
/* harmony import */ var _revision_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6985);






function parseRevisionRules(value) {
    if (!Array.isArray(value))
        return { problem: "revisions must be a list" };
    for (const [i, rule] of value.entries()) {
        if (!(0,_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .G)(rule))
            return { problem: `revisions[${i}] must be a mapping` };
        if (rule["outcome"] !== undefined && !_revision_js__WEBPACK_IMPORTED_MODULE_2__/* .OUTCOMES */ .im.includes(rule["outcome"]))
            return { problem: `revisions[${i}].outcome must be one of ${_revision_js__WEBPACK_IMPORTED_MODULE_2__/* .OUTCOMES */ .im.join(", ")}` };
        if (rule["timeline"] !== undefined && !Array.isArray(rule["timeline"]))
            return { problem: `revisions[${i}].timeline must be a list of {status, ms}` };
    }
    return { rules: value };
}
const listOf = (body, name) => body[name] ?? [body];
const ACTS = {
    "GET requests": (emulator) => (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.requests()),
    "DELETE requests": (emulator) => {
        emulator.clearRequests();
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({});
    },
    "GET state": (emulator) => (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.state()),
    "GET choices": (emulator) => (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(Object.fromEntries(Object.entries(_choices_js__WEBPACK_IMPORTED_MODULE_0__/* .CHOICES */ .v).map(([name, row]) => [
        name,
        {
            value: emulator.settings()[name] ?? null,
            usual: row.usual,
            strict: row.strict,
            source: row.source,
            doc: row.doc,
        },
    ]))),
    "POST reset": (emulator) => {
        emulator.reset();
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({});
    },
    "GET clock": (emulator) => (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({ now: new Date(emulator.now()).toISOString() }),
    "POST clock": (emulator, body) => {
        if (typeof body["advance_ms"] !== "number")
            return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, "advance_ms must be a number of milliseconds");
        try {
            emulator.advance(body["advance_ms"]);
        }
        catch (error) {
            return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, error.message);
        }
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({ now: new Date(emulator.now()).toISOString() });
    },
    "POST push": (emulator, body) => {
        const { repo_url, ref, commit } = body;
        if (typeof repo_url !== "string" || typeof ref !== "string" || typeof commit !== "string")
            return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, "repo_url, ref and commit must be text");
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({ deployments: emulator.push({ repo_url, ref, commit }) });
    },
    "GET faults": (emulator) => (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.faults()),
    "DELETE faults": (emulator) => {
        emulator.clearFaults();
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)([]);
    },
    "POST faults": (emulator, body) => {
        const parsed = (0,_fault_js__WEBPACK_IMPORTED_MODULE_5__/* .parseFaults */ .bZ)(listOf(body, "faults"));
        if ("problem" in parsed)
            return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, parsed.problem);
        emulator.addFaults(parsed.rules);
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.faults());
    },
    "POST revisions": (emulator, body) => {
        const parsed = parseRevisionRules(listOf(body, "revisions"));
        if ("problem" in parsed)
            return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, parsed.problem);
        emulator.addRevisionRules(parsed.rules);
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({});
    },
    "POST seed": (emulator, body) => {
        emulator.seed(body);
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.state());
    },
    "POST options": (emulator, body) => {
        emulator.configure(body);
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)(emulator.settings());
    },
};
async function answerAdmin(emulator, request, url) {
    if (!url.pathname.startsWith("/_emulator"))
        return null;
    const name = url.pathname.slice("/_emulator".length).replace(/^\/|\/$/g, "");
    if (name.startsWith("agents/"))
        return answerAgent(emulator, name.slice("agents/".length));
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== url.origin)
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(403, "requests from other origins are refused");
    const act = ACTS[`${request.method} ${name}`];
    if (act === undefined)
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(404, `no such admin endpoint; there are: ${Object.keys(ACTS)
            .map((key) => key.replace(" ", " /_emulator/"))
            .join(", ")}`);
    let body = {};
    const text = request.body === null ? "" : await request.text();
    try {
        if (text.trim() !== "")
            body = JSON.parse(text);
    }
    catch {
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, "the body is not JSON");
    }
    if (Array.isArray(body))
        body = { [name]: body };
    return (0,_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .G)(body)
        ? act(emulator, body)
        : (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(400, "the body must be a JSON object or list");
}
function answerAgent(emulator, rest) {
    const [id = "", what = "ok"] = rest.split("/");
    const deployment = emulator.world.store.get("deployments", id);
    if (deployment === undefined)
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(404, "Not Found");
    const { active } = (0,_readback_js__WEBPACK_IMPORTED_MODULE_1__/* .momentOf */ .Et)(deployment, emulator.settings(), emulator.now());
    if (active === null)
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(503, "no revision is active");
    if (what === "info")
        return (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({
            name: deployment.name,
            revision_id: active.id,
            source_revision_config: active.config,
        });
    return what === "ok" || what === "" ? (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__.ok)({ ok: true }) : (0,_reply_js__WEBPACK_IMPORTED_MODULE_4__/* .refused */ .J5)(404, "Not Found");
}


/***/ }),

/***/ 2038:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ toChoices),
/* harmony export */   v: () => (/* binding */ CHOICES)
/* harmony export */ });
const choice = (usual, strict, source, doc) => ({
    usual,
    strict,
    source,
    doc,
});
const LOG_FAMILIES = ["revision-logs", "deployment-logs", "project-logs"];
const CHOICES = {
    createStatus: choice(201, 200, "docs/service.md 2 [D]", "Status of a successful create."),
    list: choice("served", 404, "docs/service.md 2.1 [D]", "GET /v2/deployments: served, or the status it is refused with."),
    revisionList: choice(true, false, "docs/service.md 2.1 [D]", "GET …/revisions is served."),
    remove: choice(true, false, "docs/service.md 2 [D]", "DELETE of deployments is served; it is asynchronous (2.8 [C])."),
    deleteKeepsProject: choice(true, true, "docs/service.md 2.8 [D]", "A delete without delete_tracing_project leaves the tracing project, so that its name stays taken."),
    interrupt: choice("both", "none", "docs/service.md 2 [D]/[C], sources conflict", "The path that interrupts a revision."),
    createRevision: choice(true, false, "docs/service.md 2.3 [D new]", "POST …/revisions makes a revision and returns it."),
    logs: choice(LOG_FAMILIES, [], "docs/service.md 2.7 [D new]/[C]", "Log endpoints that are served."),
    sessions: choice(true, false, "docs/service.md 7 [D]", "GET /api/v1/sessions and /api/v1/datasets are served."),
    names: choice("unique", "duplicates", "docs/service.md 2.8 [C]", "A name in use is refused with 409, or makes a twin."),
    redeploy: choice("new-revision", "same-revision", "docs/service.md 3 [C] / docs/interface.md Endpoints", "What a redeploy makes."),
    emptySecretsPatch: choice("unchanged", "replace", "docs/service.md 2.4 [C]", "What `secrets: []` does to live secrets in a PATCH; it makes a revision either way."),
    unknownFields: choice("ignore", "ignore", "own choice, as FastAPI services do", "Keys of a request that no resource has."),
    otherKind: choice("refuse", "refuse", "docs/service.md 2.2 [C]", "A field of the other source kind, not null: 400, or dropped."),
    immutable: choice("refuse", "refuse", "docs/interface.md Endpoints (PATCH)", "A PATCH that changes an unchangeable field: 400, or dropped."),
    createRules: choice("document", "document", "docs/service.md 2.2, 2.4, 2.6, 2.8 [C]", "`hosted` refuses what the hosted service is known to refuse beyond the document."),
    validationEcho: choice(true, false, "docs/service.md 2.4 [C]", "422 entries carry `input`, which echoes the rejected value."),
    tenantField: choice(true, false, "docs/service.md 2.5 [D]", "Deployments carry `tenant_id`."),
    urlField: choice(true, false, "docs/service.md 2.5 [C]", "Deployments carry `url` (null for containers)."),
    statusMessage: choice(true, false, "docs/service.md 1 [C]", "A failed revision carries `status_message`."),
    fractionalCpu: choice(true, false, "docs/service.md 2.6 [D]", "CPU counts may be fractions."),
    overtaken: choice("skip", "skip", "docs/service.md 1 [C] (TF)", "A queued revision that a newer one overtakes is SKIPPED, or still runs."),
    containerBuilds: choice(false, false, "own choice: a prebuilt image has nothing to build", "Revisions of containers go through AWAITING_BUILD and BUILDING."),
    retryAfter: choice("seconds", "none", "docs/service.md 6 [C]", "The Retry-After header of a 429."),
    experimentNames: choice("unique", "duplicates", "docs/service.md 7 [C]", 'An experiment name in use is refused with 409 "Session already exists.".'),
    uploadRuleStatus: choice(422, 422, "docs/service.md 7 [D]: only 422 is documented", "Status of an upload that breaks a rule of docs/interface.md."),
    hostedBaseDefaults: choice(true, false, "docs/service.md 2.6 [C]: returns filled with defaults", "Hosted read-back fills the resource_spec leaves that have no documented default."),
};
function toChoices(strict, explicit) {
    const out = {};
    for (const [name, row] of Object.entries(CHOICES)) {
        const given = explicit[name];
        out[name] = given !== undefined ? given : strict ? row.strict : row.usual;
    }
    return out;
}


/***/ }),

/***/ 5866:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MK: () => (/* binding */ takesEffect),
/* harmony export */   bZ: () => (/* binding */ parseFaults),
/* harmony export */   is: () => (/* binding */ createFaults)
/* harmony export */ });
/* unused harmony export FAULT_KINDS */
const FAULT_KINDS = [
    "status",
    "delay",
    "refuse",
    "refuse-after",
    "reset-before",
    "reset-after",
    "truncate",
    "malformed",
    "wrong-type",
    "redirect",
    "huge",
    "drip",
];
const AFTER_ANSWER = [
    "reset-after",
    "refuse-after",
    "delay",
    "truncate",
    "malformed",
    "wrong-type",
    "drip",
];
function takesEffect(rule) {
    return rule.when === undefined ? AFTER_ANSWER.includes(rule.kind) : rule.when === "after";
}
function toRouteTest(route) {
    const [method = "*", pattern = "*"] = route.includes(" ")
        ? route.trim().split(/\s+/, 2)
        : ["*", route];
    const source = pattern
        .split("/")
        .map((segment, i, all) => segment === "*" && i === all.length - 1
        ? ".*"
        : segment.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}|\*/g, "[^/]+"))
        .join("/");
    const test = new RegExp(`^${source}$`);
    return (calledMethod, path) => (method === "*" || method.toUpperCase() === calledMethod) && test.test(path);
}
function parseFaults(value) {
    if (!Array.isArray(value))
        return { problem: "faults must be a list" };
    for (const [i, rule] of value.entries()) {
        if (typeof rule !== "object" || rule === null)
            return { problem: `faults[${i}] must be a mapping` };
        const { route, kind } = rule;
        if (typeof route !== "string")
            return { problem: `faults[${i}].route must be text such as "POST /v2/deployments"` };
        if (!FAULT_KINDS.includes(kind))
            return { problem: `faults[${i}].kind must be one of ${FAULT_KINDS.join(", ")}` };
    }
    return { rules: value };
}
function createFaults(initial) {
    const arm = (rule) => ({
        rule,
        fits: toRouteTest(rule.route),
        calls: 0,
        met: 0,
    });
    let armed = initial.map(arm);
    const meets = (one) => {
        const nth = one.rule.nth ?? 1;
        const times = one.rule.times ?? 1;
        return one.calls >= nth && (times === 0 || one.calls < nth + times);
    };
    return {
        meet: (method, path) => {
            let found = null;
            for (const one of armed) {
                if (!one.fits(method, path))
                    continue;
                one.calls += 1;
                if (found === null && meets(one))
                    found = one;
            }
            if (found !== null)
                found.met += 1;
            return found?.rule ?? null;
        },
        add: (rules) => {
            armed = [...armed, ...rules.map(arm)];
        },
        clear: () => {
            armed = [];
        },
        list: () => armed.map(({ rule, calls, met }) => ({ ...rule, calls, met })),
    };
}


/***/ }),

/***/ 1214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ isObject),
/* harmony export */   V: () => (/* binding */ sameJson)
/* harmony export */ });
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function sameJson(a, b) {
    if (a === b)
        return true;
    if (Array.isArray(a) && Array.isArray(b))
        return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
    if (!isObject(a) || !isObject(b))
        return false;
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => sameJson(a[key], b[key]));
}


/***/ }),

/***/ 1507:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Et: () => (/* binding */ momentOf),
/* harmony export */   HG: () => (/* binding */ toDeployment),
/* harmony export */   Hx: () => (/* binding */ toRevision),
/* harmony export */   KH: () => (/* binding */ iso)
/* harmony export */ });
/* harmony import */ var _model_shape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2939);
/* harmony import */ var _model_dialect_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6156);
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1214);
/* harmony import */ var _revision_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6985);




const iso = (ms) => new Date(ms).toISOString();
function momentOf(deployment, settings, now) {
    const timelines = (0,_revision_js__WEBPACK_IMPORTED_MODULE_2__/* .toTimelines */ .mK)(deployment.revisions, settings.overtaken);
    const newest = deployment.revisions.at(-1) ?? null;
    let active = null;
    for (const revision of deployment.revisions) {
        for (const sight of timelines.get(revision.id)) {
            if (sight.status === "DEPLOYED" &&
                sight.at + settings.lags.active <= now &&
                (active === null || sight.at >= active.at))
                active = { at: sight.at, revision };
        }
    }
    const hidden = newest === null || newest.created_ms + settings.lags.latest > now;
    const status = deployment.deleted_ms !== null
        ? "AWAITING_DELETE"
        : now < deployment.created_ms + settings.lags.database
            ? "AWAITING_DATABASE"
            : "READY";
    return { timelines, latest: hidden ? null : newest, active: active?.revision ?? null, status };
}
function defaultOf(field, values) {
    const row = field.meta.default;
    if (row === undefined)
        return null;
    if ("value" in row)
        return row.value;
    const base = values[row.of];
    return typeof base === "number" ? base * row.times : null;
}
const BASE = {
    min_scale: 1,
    max_scale: 1,
    cpu: 1,
    memory_mb: 1024,
};
function fill(shape, value, base) {
    if (shape.kind === "list" && Array.isArray(value))
        return value.map((item) => fill(shape.item, item, {}));
    if (shape.kind !== "struct" || !(0,_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .G)(value))
        return value;
    const out = {};
    for (const field of shape.fields.values()) {
        const given = value[field.name] ?? null;
        out[field.name] = given !== null ? fill(field.shape, given, {}) : (base[field.name] ?? null);
    }
    if (typeof out["min_scale"] === "number" &&
        typeof out["max_scale"] === "number" &&
        value["max_scale"] == null)
        out["max_scale"] = Math.max(out["min_scale"], out["max_scale"]);
    for (const field of shape.fields.values())
        out[field.name] ??= defaultOf(field, out);
    return out;
}
const sourceConfigShape = _model_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentShape */ .zK.fields.get("source_config").shape;
const revisionConfigShape = _model_shape_js__WEBPACK_IMPORTED_MODULE_0__/* .deploymentShape */ .zK.fields.get("source_revision_config").shape;
function toSourceConfig(deployment, moment, settings, url) {
    const repohost = deployment.source === "repohost";
    const stored = repohost
        ? { ...deployment.source_config, custom_url: moment.active === null ? null : url }
        : deployment.source_config;
    if (settings.readback === "document")
        return stored;
    const out = {};
    for (const field of sourceConfigShape.fields.values()) {
        if (["listener_config", "install_command", "build_command"].includes(field.name))
            continue;
        const given = stored[field.name] ?? null;
        if (field.name === "resource_spec") {
            out[field.name] = fill(field.shape, given ?? {}, settings.hostedBaseDefaults && !repohost ? BASE : {});
        }
        else
            out[field.name] = given;
    }
    out["deployment_type"] ??= "prod";
    out["build_on_push"] ??= false;
    if (repohost)
        out["repo_branch"] = deployment.revisions.at(-1)?.config["repo_ref"] ?? null;
    return out;
}
function toRevisionConfig(deployment, revision, moment, settings, now) {
    if (settings.readback === "document")
        return revision.config;
    const out = {};
    for (const field of revisionConfigShape.fields.values())
        out[field.name] = revision.config[field.name] ?? null;
    if (deployment.source === "repohost") {
        out["repo_ref"] = revision.config["repo_commit_sha"] ?? revision.config["repo_ref"] ?? null;
        const built = moment.timelines
            .get(revision.id)
            .some((sight) => sight.at <= now && ["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"].includes(sight.status));
        out["image_uri"] = built ? `registry.emulator.invalid/${deployment.name}:${revision.id}` : null;
    }
    return out;
}
const MASKS = { stars: "***", bullets: "••••••", empty: "", null: null };
function toSecrets(deployment, settings) {
    const mask = settings.secretValues;
    if (mask === "plain")
        return deployment.secrets.map(({ name, value }) => ({ name, value }));
    return deployment.secrets.map(({ name, value }) => ({
        name,
        value: settings.maskedSecrets === null || settings.maskedSecrets.includes(name)
            ? MASKS[mask]
            : value,
    }));
}
function toDeployment(deployment, settings, now, origin, tenant) {
    const moment = momentOf(deployment, settings, now);
    const newest = deployment.revisions.at(-1);
    const url = `${origin}/_emulator/agents/${deployment.id}`;
    const hosted = settings.readback === "hosted";
    const body = {
        name: deployment.name,
        source: deployment.source,
        source_config: toSourceConfig(deployment, moment, settings, url),
        source_revision_config: newest === undefined ? {} : toRevisionConfig(deployment, newest, moment, settings, now),
        secrets: toSecrets(deployment, settings),
        ...(hosted || deployment.secret_references !== null
            ? { secret_references: deployment.secret_references }
            : {}),
        id: deployment.id,
        ...(settings.tenantField ? { tenant_id: deployment.tenant_id ?? tenant } : {}),
        created_at: iso(deployment.created_ms),
        updated_at: iso(deployment.updated_ms),
        status: moment.status,
        latest_revision_id: moment.latest?.id ?? null,
        active_revision_id: moment.active?.id ?? null,
        image_version: null,
        ...(settings.urlField
            ? { url: deployment.source === "external_container" || moment.active === null ? null : url }
            : {}),
    };
    return (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spell */ .lO)(body, settings.dialect === "as-created" ? deployment.dialect : settings.dialect);
}
function toRevision(deployment, revision, settings, now) {
    const moment = momentOf(deployment, settings, now);
    const sight = (0,_revision_js__WEBPACK_IMPORTED_MODULE_2__/* .statusAt */ .Or)(moment.timelines.get(revision.id), now);
    const body = {
        id: revision.id,
        created_at: iso(revision.created_ms),
        updated_at: iso(Math.max(revision.created_ms, sight.at)),
        status: sight.status,
        source: deployment.source,
        source_revision_config: toRevisionConfig(deployment, revision, moment, settings, now),
        ...(settings.statusMessage &&
            revision.status_message !== null &&
            /FAILED|INTERRUPTED/.test(sight.status)
            ? { status_message: revision.status_message }
            : {}),
    };
    return (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_1__/* .spell */ .lO)(body, settings.dialect === "as-created" ? deployment.dialect : settings.dialect);
}


/***/ }),

/***/ 6538:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gq: () => (/* binding */ invalid),
/* harmony export */   J5: () => (/* binding */ refused),
/* harmony export */   nK: () => (/* binding */ isReply),
/* harmony export */   ok: () => (/* binding */ ok)
/* harmony export */ });
const ok = (body, status = 200) => ({ status, body });
const refused = (status, detail) => ({ status, body: { detail } });
function invalid(errors, echo) {
    return {
        status: 422,
        body: {
            detail: errors.map(({ loc, msg, type, input }) => ({
                type,
                loc,
                msg,
                ...(echo && input !== undefined ? { input } : {}),
            })),
        },
    };
}
function isReply(value) {
    return (typeof value === "object" &&
        value !== null &&
        typeof value.status === "number" &&
        ("body" in value || "text" in value));
}


/***/ }),

/***/ 6985:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   BV: () => (/* binding */ DEFAULT_PHASES),
/* harmony export */   Or: () => (/* binding */ statusAt),
/* harmony export */   P3: () => (/* binding */ toRun),
/* harmony export */   im: () => (/* binding */ OUTCOMES),
/* harmony export */   mK: () => (/* binding */ toTimelines)
/* harmony export */ });
const PHASES = [
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
];
const DEFAULT_PHASES = {
    CREATING: 20,
    QUEUED: 20,
    AWAITING_BUILD: 20,
    BUILDING: 40,
    AWAITING_DEPLOY: 20,
    DEPLOYING: 40,
};
const OUTCOMES = [
    "deployed",
    "create-failed",
    "build-failed",
    "deploy-failed",
    "skipped",
    "interrupted",
    "interrupted-resumes",
    "unknown-resumes",
    "new-status",
    "stuck",
];
function toRun(how) {
    const { rule, phases } = how;
    const times = { at: how.at, seenFrom: how.seenFrom, cut: null };
    if (rule.timeline !== undefined && rule.timeline.length > 0) {
        return { ...times, steps: rule.timeline.slice(0, -1), end: rule.timeline.at(-1).status };
    }
    const outcome = rule.outcome ?? "deployed";
    const builds = how.builds ||
        outcome === "build-failed" ||
        (outcome === "stuck" && /BUILD/.test(rule.at ?? "BUILDING"));
    const steps = PHASES.filter((phase) => !(how.again && phase === "CREATING") &&
        (builds || (phase !== "AWAITING_BUILD" && phase !== "BUILDING"))).map((status) => ({ status, ms: phases[status] }));
    const until = (status) => steps.slice(0, Math.max(1, steps.findIndex((step) => step.status === status) + 1));
    const before = (status) => steps.slice(0, Math.max(1, steps.findIndex((step) => step.status === status)));
    switch (outcome) {
        case "deployed":
            return { ...times, steps, end: "DEPLOYED" };
        case "create-failed":
            return { ...times, steps: until("CREATING"), end: "CREATE_FAILED" };
        case "build-failed":
            return { ...times, steps: until("BUILDING"), end: "BUILD_FAILED" };
        case "deploy-failed":
            return { ...times, steps: until("DEPLOYING"), end: "DEPLOY_FAILED" };
        case "skipped":
            return { ...times, steps: until("QUEUED"), end: "SKIPPED" };
        case "interrupted":
            return { ...times, steps: before("AWAITING_DEPLOY"), end: "INTERRUPTED" };
        case "stuck":
            return { ...times, steps: until(rule.at ?? "BUILDING"), end: null };
        case "interrupted-resumes":
            return { ...times, ...resumes(steps, "INTERRUPTED", phases) };
        case "unknown-resumes":
            return { ...times, ...resumes(steps, "UNKNOWN", phases) };
        case "new-status":
            return { ...times, ...resumes(steps, "PULLING_IMAGE", phases) };
    }
}
function resumes(steps, status, phases) {
    const at = steps.findIndex((step) => step.status === "DEPLOYING");
    return {
        steps: [...steps.slice(0, at), { status, ms: 2 * phases.AWAITING_DEPLOY }, ...steps.slice(at)],
        end: "DEPLOYED",
    };
}
function toTimelines(revisions, overtaken) {
    const sights = new Map(revisions.map((revision) => [revision.id, []]));
    const see = (id, at, status) => {
        if (at !== Infinity)
            sights.get(id).push({ at, status });
    };
    const waiting = revisions
        .flatMap((revision) => revision.runs.map((run) => enter(revision, run, see)))
        .sort((a, b) => a.run.at - b.run.at);
    let free = -Infinity;
    for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
        const turn = Math.max(free, head.ready);
        if (head.rest.length === 0) {
            waiting.shift();
            if (head.cut < head.ready)
                see(head.id, head.cut, "INTERRUPTED");
            else
                see(head.id, head.ready, head.run.end ?? "UNKNOWN");
            continue;
        }
        if (head.cut <= turn) {
            waiting.shift();
            if (head.ready < head.cut)
                see(head.id, head.ready, "QUEUED");
            see(head.id, head.cut, "INTERRUPTED");
            continue;
        }
        const candidates = waiting.filter((one) => one.ready <= turn && one.cut > turn && one.rest.length > 0);
        const chosen = overtaken === "skip" && turn !== Infinity ? candidates.at(-1) : head;
        for (const one of candidates.slice(0, candidates.indexOf(chosen))) {
            see(one.id, one.ready, "QUEUED");
            see(one.id, turn, "SKIPPED");
            waiting.splice(waiting.indexOf(one), 1);
        }
        waiting.splice(waiting.indexOf(chosen), 1);
        if (chosen.ready < turn)
            see(chosen.id, chosen.ready, "QUEUED");
        free = run(chosen, turn, see);
    }
    for (const list of sights.values())
        list.sort((a, b) => a.at - b.at);
    return sights;
}
function enter(revision, run, see) {
    const first = run.steps[0];
    const creating = first?.status === "CREATING" ? first.ms : 0;
    if (first?.status === "CREATING")
        see(revision.id, run.seenFrom, "CREATING");
    const rest = first?.status === "CREATING" ? run.steps.slice(1) : run.steps;
    const stuckCreating = rest.length === 0 && run.end === null;
    return {
        id: revision.id,
        run,
        ready: stuckCreating ? Infinity : run.seenFrom + creating,
        rest,
        cut: run.cut ?? Infinity,
    };
}
function run(one, from, see) {
    let at = from;
    let unfinished = false;
    for (const [i, step] of one.rest.entries()) {
        unfinished = at >= one.cut;
        if (unfinished)
            break;
        see(one.id, at, step.status);
        at += i === one.rest.length - 1 && one.run.end === null ? Infinity : step.ms;
    }
    if (unfinished || one.cut < at) {
        see(one.id, one.cut, "INTERRUPTED");
        return one.cut;
    }
    if (one.run.end !== null)
        see(one.id, at, one.run.end);
    return at;
}
function statusAt(sights, now) {
    return (sights.findLast((sight) => sight.at <= now) ?? {
        at: sights[0]?.at ?? now,
        status: sights[0]?.status ?? "CREATING",
    });
}


/***/ }),

/***/ 8091:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  s: () => (/* binding */ startEmulator)
});

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(9448);
// EXTERNAL MODULE: ./build/clock.js
var build_clock = __webpack_require__(7094);
// EXTERNAL MODULE: ./build/emulator/admin.js
var emulator_admin = __webpack_require__(5353);
// EXTERNAL MODULE: ./build/emulator/reply.js
var emulator_reply = __webpack_require__(6538);
// EXTERNAL MODULE: ./build/model/shape.js + 1 modules
var shape = __webpack_require__(2939);
// EXTERNAL MODULE: ./build/model/dialect.js
var model_dialect = __webpack_require__(6156);
// EXTERNAL MODULE: ./build/emulator/json.js
var json = __webpack_require__(1214);
;// CONCATENATED MODULE: ./build/emulator/validation.js



const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
function isUuid(value) {
    return typeof value === "string" && UUID.test(value);
}
const error = (loc, type, msg, input) => ({
    loc,
    msg,
    type,
    ...(input === undefined ? {} : { input }),
});
const quoted = (words) => words
    .map((word) => `'${word}'`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
function checkScalar(shape, field, value, loc, rules) {
    const wrong = (type, msg) => [error(loc, type, msg, value)];
    switch (shape.type) {
        case "string":
            return typeof value === "string"
                ? []
                : wrong("string_type", "Input should be a valid string");
        case "boolean":
            return typeof value === "boolean"
                ? []
                : wrong("bool_type", "Input should be a valid boolean");
        case "uuid":
            if (typeof value !== "string")
                return wrong("uuid_type", "UUID input should be a string, bytes or UUID object");
            return isUuid(value) ? [] : wrong("uuid_parsing", "Input should be a valid UUID");
        case "integer":
            return Number.isInteger(value) ? [] : wrong("int_type", "Input should be a valid integer");
        case "number":
            if (typeof value !== "number")
                return wrong("float_type", "Input should be a valid number");
            return rules.fractionalCpu || field.meta.hosted !== "fraction" || Number.isInteger(value)
                ? []
                : wrong("int_from_float", "Input should be a valid integer, got a number with a fractional part");
        case "enum": {
            const words = shape.values ?? [];
            if (words.includes(value))
                return [];
            const shown = field.path === "source" ? words.map((word) => (0,model_dialect/* spellSource */.cp)(word, rules.dialect)) : words;
            return wrong("literal_error", `Input should be ${quoted(shown)}`);
        }
    }
}
function checkShape(shape, field, value, loc, rules) {
    switch (shape.kind) {
        case "scalar":
            return checkScalar(shape, field, value, loc, rules);
        case "free":
            return (0,json/* isObject */.G)(value)
                ? []
                : [error(loc, "dict_type", "Input should be a valid dictionary", value)];
        case "map":
            if (!(0,json/* isObject */.G)(value))
                return [error(loc, "dict_type", "Input should be a valid dictionary", value)];
            return Object.entries(value).flatMap(([key, item]) => typeof item === "string"
                ? []
                : [error([...loc, key], "string_type", "Input should be a valid string", item)]);
        case "list":
            if (!Array.isArray(value))
                return [error(loc, "list_type", "Input should be a valid list", value)];
            return value.flatMap((item, i) => checkShape(shape.item, field, item, [...loc, i], rules));
        case "struct":
            return (0,json/* isObject */.G)(value)
                ? checkFields(shape.fields, value, loc, rules)
                : [
                    error(loc, "model_attributes_type", "Input should be a valid dictionary or object to extract fields from", value),
                ];
    }
}
function checkFields(fields, value, loc, rules, required = true) {
    const errors = [];
    for (const field of fields.values()) {
        const at = [...loc, (0,model_dialect/* spellKey */.Qj)(field.name, rules.dialect)];
        const item = value[field.name];
        if (item === undefined || field.mutability === "read-only") {
            if (item === undefined && field.required && required)
                errors.push(error(at, "missing", "Field required", value));
        }
        else if (item === null) {
            if (field.required && required)
                errors.push(...checkShape(field.shape, field, null, at, rules));
        }
        else
            errors.push(...checkShape(field.shape, field, item, at, rules));
    }
    if (rules.unknownFields === "refuse") {
        for (const key of Object.keys(value))
            if (!fields.has(key))
                errors.push(error([...loc, key], "extra_forbidden", "Extra inputs are not permitted", value[key]));
    }
    return errors;
}
function checkDeployment(body, kind, rules) {
    if (!(0,json/* isObject */.G)(body))
        return [
            error(["body"], "model_attributes_type", "Input should be a valid dictionary or object to extract fields from", body),
        ];
    const errors = checkFields(shape/* deploymentShape */.zK.fields, body, ["body"], rules, kind === "create");
    if (kind === "create") {
        for (const name of ["source_config", "source_revision_config", "secrets"]) {
            if (body[name] === undefined)
                errors.push(error(["body", name], "missing", "Field required", body));
            else if (body[name] === null)
                errors.push(error(["body", name], name === "secrets" ? "list_type" : "model_attributes_type", name === "secrets"
                    ? "Input should be a valid list"
                    : "Input should be a valid dictionary or object to extract fields from", null));
        }
    }
    if (errors.length > 0)
        return errors;
    const spec = (0,json/* isObject */.G)(body["source_config"]) ? body["source_config"]["resource_spec"] : undefined;
    return (0,json/* isObject */.G)(spec) ? checkPod(spec, ["body", "source_config", "resource_spec"]) : [];
}
const items = (value) => Array.isArray(value) ? value : [];
function checkPod(spec, loc) {
    const errors = [];
    const fail = (at, msg) => {
        errors.push(error(at, "value_error", `Value error, ${msg}`));
    };
    const volumes = items(spec["volumes"]).map((volume) => volume["name"]);
    volumes.forEach((name, i) => {
        if (!DNS_LABEL.test(name))
            fail([...loc, "volumes", i, "name"], "name must be a DNS label");
        if (volumes.indexOf(name) !== i)
            fail([...loc, "volumes", i, "name"], "name must be unique within the pod");
    });
    const mounts = (value, at) => items(value).forEach((mount, i) => {
        if (!volumes.includes(mount["name"]))
            fail([...at, i, "name"], "name must match the name of a volume");
    });
    mounts(spec["volume_mounts"], [...loc, "volume_mounts"]);
    for (const list of ["init_containers", "sidecars"]) {
        items(spec[list]).forEach((container, i) => {
            const at = [...loc, list, i];
            if (!DNS_LABEL.test(container["name"]))
                fail([...at, "name"], "name must be a DNS label");
            mounts(container["volumeMounts"], [...at, "volumeMounts"]);
            items(container["env"]).forEach((env, k) => {
                if (!C_IDENTIFIER.test(env["name"]))
                    fail([...at, "env", k, "name"], "name must be a C identifier");
                if (env["valueFrom"] != null && (env["value"] ?? "") !== "")
                    fail([...at, "env", k], "valueFrom is not allowed when value is not empty");
            });
        });
    }
    return errors;
}

;// CONCATENATED MODULE: ./build/emulator/auth.js


const DEFAULT_TENANT = "5f1e6f4c-0000-4000-a000-000000000001";
function authenticate(headers, settings) {
    const tenant = headers.get("x-tenant-id")?.trim() ?? "";
    if (tenant !== "" && !isUuid(tenant)) {
        return (0,emulator_reply/* invalid */.Gq)([
            {
                loc: ["header", "x-tenant-id"],
                msg: "Input should be a valid UUID",
                type: "uuid_parsing",
            },
        ], false);
    }
    const key = headers.get("x-api-key")?.trim() ?? "";
    const bearer = /^bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim() ?? "";
    if (key !== "")
        return byKey(key, tenant, settings);
    if (bearer === "")
        return (0,emulator_reply/* refused */.J5)(401, "Invalid token");
    if (settings.bearerTokens !== null && !settings.bearerTokens.includes(bearer))
        return (0,emulator_reply/* refused */.J5)(401, "Invalid token");
    if (tenant === "" && (headers.get("x-organization-id") ?? "") === "") {
        return (0,emulator_reply/* refused */.J5)(403, "A bearer token needs the header X-Tenant-Id or X-Organization-Id beside it");
    }
    return { tenant_id: tenant === "" ? DEFAULT_TENANT : tenant.toLowerCase() };
}
function byKey(key, tenant, settings) {
    if (settings.apiKeys === null)
        return { tenant_id: tenant === "" ? DEFAULT_TENANT : tenant.toLowerCase() };
    const known = settings.apiKeys.find((one) => one.key === key);
    if (known === undefined)
        return (0,emulator_reply/* refused */.J5)(401, "Invalid token");
    if (known.region !== undefined && known.region !== settings.region)
        return (0,emulator_reply/* refused */.J5)(403, "Forbidden");
    if (known.scope === "organization") {
        if (tenant === "") {
            return {
                status: 403,
                body: {
                    error: "org_scoped_key_requires_workspace",
                    message: "This API key is org-scoped and requires workspace specification. Please provide the X-Tenant-ID header.",
                },
            };
        }
        return { tenant_id: tenant.toLowerCase() };
    }
    const own = (known.tenant_id ?? DEFAULT_TENANT).toLowerCase();
    return tenant === "" || tenant.toLowerCase() === own
        ? { tenant_id: own }
        : (0,emulator_reply/* refused */.J5)(403, "Forbidden");
}

;// CONCATENATED MODULE: ./build/emulator/hosted-rule.js



const RESERVED = new Set([
    "LANGCHAIN_TRACING_V2",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_ENDPOINT",
    "LANGCHAIN_PROJECT",
    "LANGSMITH_PROJECT",
    "LANGSMITH_LANGGRAPH_GIT_REPO",
    "LANGGRAPH_GIT_REPO_PATH",
    "LANGCHAIN_API_KEY",
    "LANGSMITH_CONTROL_PLANE_API_KEY",
    "POSTGRES_URI",
    "POSTGRES_PASSWORD",
    "DATABASE_URI",
    "LANGSMITH_LANGGRAPH_GIT_REF",
    "LANGSMITH_LANGGRAPH_GIT_REF_SHA",
    "LANGGRAPH_AUTH_TYPE",
    "LANGSMITH_AUTH_ENDPOINT",
    "LANGSMITH_TENANT_ID",
    "LANGSMITH_AUTH_VERIFY_TENANT_ID",
    "LANGSMITH_HOST_PROJECT_ID",
    "LANGSMITH_HOST_PROJECT_NAME",
    "LANGSMITH_HOST_REVISION_ID",
    "LOG_JSON",
    "LOG_DICT_TRACEBACKS",
    "REDIS_URI",
    "LANGCHAIN_CALLBACKS_BACKGROUND",
    "DD_TRACE_PSYCOPG_ENABLED",
    "DD_TRACE_REDIS_ENABLED",
    "LANGSMITH_DEPLOYMENT_NAME",
    "LANGGRAPH_CLOUD_LICENSE_KEY",
]);
const RESERVED_IN_CLOUD = new Set([
    "LANGSMITH_API_KEY",
    "LANGSMITH_ENDPOINT",
    "POSTGRES_URI_CUSTOM",
    "REDIS_URI_CUSTOM",
    "PATH",
    "PORT",
    "MOUNT_PREFIX",
    "LSD_ENV",
    "LSD_DD_API_KEY",
    "LSD_DD_ENDPOINT",
    "LSD_DEPLOYMENT_TYPE",
]);
function checkHosted(world, wanted) {
    const { source_config: config, source_revision_config: revision, dialect } = wanted;
    const repohost = wanted.source === "repohost";
    const missing = repohost
        ? [
            ["source_config.deployment_type", config["deployment_type"]],
            ["source_config.build_on_push", config["build_on_push"]],
            ["source_revision_config.graph_config_path", revision["graph_config_path"]],
        ]
        : wanted.source === "external_container"
            ? [["source_config.resource_spec", config["resource_spec"]]]
            : [];
    for (const [path, value] of missing) {
        if (value === undefined)
            return (0,emulator_reply/* refused */.J5)(400, `${(0,model_dialect/* spellPath */._R)(path, dialect)} is required for ${(0,model_dialect/* spellSource */.cp)(wanted.source, dialect)} source.`);
    }
    const reserved = wanted.secrets.find(({ name }) => RESERVED.has(name) || (repohost && RESERVED_IN_CLOUD.has(name)));
    if (reserved !== undefined)
        return (0,emulator_reply/* refused */.J5)(400, `Secret name ${reserved.name} is reserved.`);
    const spec = config["resource_spec"];
    if ((0,json/* isObject */.G)(spec) &&
        typeof spec["redis_memory_mb"] === "number" &&
        spec["redis_memory_mb"] < 512)
        return (0,emulator_reply/* refused */.J5)(400, "resource_spec.redis_memory_mb must be at least 512.");
    return repohost
        ? checkIntegration(world, config)
        : wanted.source === "external_container"
            ? checkListener(world, config)
            : null;
}
function checkIntegration(world, config) {
    const id = config["integration_id"];
    return id === undefined || world.store.get("integrations", String(id).toLowerCase()) === undefined
        ? (0,emulator_reply/* refused */.J5)(404, `Integration ID ${String(id ?? null)} not found.`)
        : null;
}
function checkListener(world, config) {
    const listeners = world.store.all("listeners");
    const id = config["listener_id"];
    if (id === undefined) {
        return listeners.length === 0
            ? null
            : (0,emulator_reply/* refused */.J5)(400, `source_config.listener_id is required; available listener IDs: ${listeners.map((one) => one.id).join(", ")}.`);
    }
    const listener = world.store.get("listeners", String(id).toLowerCase());
    if (listener === undefined)
        return (0,emulator_reply/* refused */.J5)(404, `Listener ID ${String(id)} not found.`);
    const namespace = (0,json/* isObject */.G)(config["listener_config"])
        ? config["listener_config"]["k8s_namespace"]
        : null;
    return typeof namespace === "string" &&
        listener.k8s_namespaces !== null &&
        !listener.k8s_namespaces.includes(namespace)
        ? (0,emulator_reply/* refused */.J5)(400, `source_config.listener_config.k8s_namespace must be one of ${listener.k8s_namespaces.join(", ")}.`)
        : null;
}

// EXTERNAL MODULE: ./build/emulator/readback.js
var readback = __webpack_require__(1507);
// EXTERNAL MODULE: ./build/emulator/revision.js
var emulator_revision = __webpack_require__(6985);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./build/emulator/world.js

function toUuid(random) {
    if (random === undefined)
        return (0,external_node_crypto_.randomUUID)();
    const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
    hex[12] = "4";
    hex[16] = "89ab"[Math.floor(random() * 4)];
    return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
function uuidOf(name) {
    const hex = (0,external_node_crypto_.createHash)("sha256").update(name).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
function normaliseRepo(url) {
    return url
        .trim()
        .replace(/^[a-z+]+:\/\//i, "")
        .replace(/^[^@/]*@/, "")
        .replace(":", "/")
        .replace(/\/+$/, "")
        .replace(/\.git$/i, "")
        .toLowerCase();
}
function headOf(world, repoUrl, ref) {
    const key = `${normaliseRepo(repoUrl)} ${ref}`;
    return world.store.get("heads", key) ?? (0,external_node_crypto_.createHash)("sha1").update(key).digest("hex");
}

;// CONCATENATED MODULE: ./build/emulator/deployment.js









const structOf = (name) => shape/* deploymentShape */.zK.fields.get(name).shape;
const GROUPS = ["source_config", "source_revision_config"];
function uuidParam(world, call, name) {
    const value = call.params[name];
    if (isUuid(value))
        return value.toLowerCase();
    return (0,emulator_reply/* invalid */.Gq)([
        {
            loc: ["path", name],
            msg: "Input should be a valid UUID",
            type: "uuid_parsing",
            input: value,
        },
    ], world.settings.validationEcho);
}
function findDeployment(world, call) {
    const id = uuidParam(world, call, "deployment_id");
    if ((0,emulator_reply/* isReply */.nK)(id))
        return id;
    const found = world.store.get("deployments", id);
    return found !== undefined && isVisible(world, call, found)
        ? found
        : (0,emulator_reply/* refused */.J5)(404, `Deployment ID ${id} not found.`);
}
function findRevision(world, call) {
    const deploymentId = uuidParam(world, call, "deployment_id");
    const id = uuidParam(world, call, "revision_id");
    const wrong = [deploymentId, id].filter(emulator_reply/* isReply */.nK);
    if (wrong.length === 2)
        return {
            status: 422,
            body: { detail: wrong.flatMap((reply) => reply.body.detail) },
        };
    if ((0,emulator_reply/* isReply */.nK)(id))
        return id;
    const deployment = findDeployment(world, call);
    if ((0,emulator_reply/* isReply */.nK)(deployment))
        return deployment;
    const revision = deployment.revisions.find((one) => one.id === id);
    if (revision === undefined || revision.created_ms + world.settings.lags.revision > world.now())
        return (0,emulator_reply/* refused */.J5)(404, `Revision ID ${id} not found.`);
    return { deployment, revision };
}
function isVisible(world, call, deployment) {
    const gone = deployment.deleted_ms !== null &&
        deployment.deleted_ms + world.settings.lags.delete <= world.now();
    return !gone && (deployment.tenant_id === null || deployment.tenant_id === call.caller.tenant_id);
}
const showDeployment = (world, call, deployment) => (0,readback/* toDeployment */.HG)(deployment, world.settings, world.now(), call.origin, call.caller.tenant_id);
function writable(group, value) {
    if (!(0,json/* isObject */.G)(value))
        return {};
    const fields = structOf(group).fields;
    return Object.fromEntries(Object.entries(value).filter(([key, item]) => item !== null && fields.has(key) && fields.get(key).mutability !== "read-only"));
}
function ownKind(world, wanted) {
    const strays = GROUPS.flatMap((group) => Object.keys(wanted[group]).map((key) => ({
        group,
        key,
        only: structOf(group).fields.get(key).meta.only,
    }))).filter(({ only, key }) => only !== undefined &&
        only !== wanted.source &&
        !(wanted.source === "internal_source" && key === "graph_config_path"));
    const [first] = strays;
    if (first !== undefined && world.settings.otherKind === "refuse") {
        return (0,emulator_reply/* refused */.J5)(400, `${(0,model_dialect/* spellPath */._R)(`${first.group}.${first.key}`, wanted.dialect)} is only applicable for ${(0,model_dialect/* spellSource */.cp)(first.only, wanted.dialect)} source.`);
    }
    const without = (group) => Object.fromEntries(Object.entries(wanted[group]).filter(([key]) => !strays.some((stray) => stray.group === group && stray.key === key)));
    return {
        ...wanted,
        source_config: without("source_config"),
        source_revision_config: without("source_revision_config"),
    };
}
function tagRule(config, revision) {
    const tag = typeof revision["repo_ref"] === "string" && revision["repo_ref"].startsWith("refs/tags/");
    return tag && config["build_on_push"] === true
        ? (0,emulator_reply/* refused */.J5)(400, "source_config.build_on_push must be false when source_revision_config.repo_ref is a tag.")
        : null;
}
function addRevision(world, deployment, config, cause, given) {
    const number = deployment.revisions.length + 1;
    const rule = given ?? world.ruleFor(deployment.name, number);
    const now = world.now();
    const { repo_commit_sha: pinned, ...writableConfig } = config;
    const commit = deployment.source !== "repohost"
        ? undefined
        : cause === "redeploy"
            ? pinned
            : headOf(world, String(deployment.source_config["repo_url"] ?? ""), String(writableConfig["repo_ref"] ?? ""));
    const revision = {
        id: world.newId(),
        number,
        created_ms: now,
        cause,
        config: commit === undefined ? writableConfig : { ...writableConfig, repo_commit_sha: commit },
        runs: [
            (0,emulator_revision/* toRun */.P3)({
                at: now,
                seenFrom: now,
                rule,
                builds: deployment.source !== "external_container" || world.settings.containerBuilds,
                again: false,
                phases: world.phases,
            }),
        ],
        status_message: rule.status_message ?? null,
        log: rule.log ?? [],
    };
    return { ...deployment, updated_ms: now, revisions: [...deployment.revisions, revision] };
}
function canonical(body, fallback) {
    if (!(0,json/* isObject */.G)(body))
        return { body, dialect: fallback };
    const keys = (0,json/* isObject */.G)(body["source_revision_config"])
        ? Object.keys(body["source_revision_config"])
        : [];
    const dialect = (0,model_dialect/* dialectOf */.E3)(body["source"]) ?? (keys.includes("langgraph_config_path") ? "hosted" : fallback);
    return { body: (0,model_dialect/* spell */.lO)(body, "document"), dialect };
}
const nameTaken = (name) => (0,emulator_reply/* refused */.J5)(409, `Project with name ${name} already exists.`);
function postDeployment(world, call) {
    const { settings, store } = world;
    const { body, dialect } = canonical(call.body, "document");
    const errors = checkDeployment(body, "create", { ...settings, dialect });
    if (errors.length > 0)
        return (0,emulator_reply/* invalid */.Gq)(errors, settings.validationEcho);
    const wanted = body;
    const own = ownKind(world, {
        source: wanted.source,
        dialect,
        source_config: writable("source_config", wanted["source_config"]),
        source_revision_config: writable("source_revision_config", wanted["source_revision_config"]),
    });
    if ((0,emulator_reply/* isReply */.nK)(own))
        return own;
    const broken = tagRule(own.source_config, own.source_revision_config) ??
        (settings.createRules === "hosted"
            ? checkHosted(world, { ...wanted, ...own, source: wanted.source })
            : null);
    if (broken !== null)
        return broken;
    const tenant_id = call.caller.tenant_id;
    const sessions = store
        .all("sessions")
        .filter((session) => session.name === wanted.name && (session.tenant_id ?? tenant_id) === tenant_id);
    const live = store
        .all("deployments")
        .some((one) => one.name === wanted.name && isVisible(world, call, one));
    if (settings.names === "unique" && (live || sessions.length > 0))
        return nameTaken(wanted.name);
    const made = makeDeployment(world, {
        name: wanted.name,
        secrets: wanted.secrets,
        secret_references: wanted["secret_references"] ?? null,
        ...own,
        tenant_id,
    });
    return (0,emulator_reply.ok)(showDeployment(world, call, made), settings.createStatus);
}
function makeDeployment(world, wanted) {
    const now = world.now();
    const { source, dialect, source_config, source_revision_config, name, secrets, secret_references, tenant_id, } = wanted;
    const empty = {
        id: wanted.id ?? world.newId(),
        tenant_id,
        name,
        source,
        dialect,
        source_config,
        secrets: secrets.map((one) => ({ name: one.name, value: one.value })),
        secret_references,
        created_ms: now,
        updated_ms: now,
        deleted_ms: null,
        revisions: [],
    };
    const made = addRevision(world, empty, source_revision_config, "create", wanted.rule);
    world.store.put("deployments", made.id, made);
    const session = world.newId();
    world.store.put("sessions", session, {
        id: session,
        tenant_id,
        name,
        description: null,
        dataset_id: null,
        test_run_number: null,
        created_ms: now,
        start_time: new Date(now).toISOString(),
        end_time: null,
        metadata: null,
        statistics: {},
    });
    return made;
}
function changedFixed(deployment, body) {
    const top = ["name", "source"].filter((key) => body[key] != null && body[key] !== deployment[key]);
    const config = (0,json/* isObject */.G)(body["source_config"]) ? body["source_config"] : {};
    const fixed = [...structOf("source_config").fields.values()].filter((field) => field.mutability === "create-only" && field.name !== "listener_config");
    const below = fixed
        .filter((field) => config[field.name] != null &&
        !(0,json/* sameJson */.V)(config[field.name], deployment.source_config[field.name]))
        .map((field) => field.path);
    const asked = (0,json/* isObject */.G)(config["listener_config"])
        ? config["listener_config"]["k8s_namespace"]
        : null;
    const stored = (0,json/* isObject */.G)(deployment.source_config["listener_config"])
        ? deployment.source_config["listener_config"]["k8s_namespace"]
        : null;
    return [
        ...top,
        ...below,
        ...(asked != null && asked !== stored ? ["source_config.listener_config.k8s_namespace"] : []),
    ];
}
function patchDeployment(world, call) {
    const { settings } = world;
    const deployment = findDeployment(world, call);
    if ((0,emulator_reply/* isReply */.nK)(deployment))
        return deployment;
    const { body, dialect } = canonical(call.body, deployment.dialect);
    const errors = checkDeployment(body, "patch", { ...settings, dialect });
    if (errors.length > 0)
        return (0,emulator_reply/* invalid */.Gq)(errors, settings.validationEcho);
    const asked = body;
    if (deployment.deleted_ms !== null)
        return (0,emulator_reply/* refused */.J5)(400, `Deployment ID ${deployment.id} is being deleted.`);
    const fixed = changedFixed(deployment, asked);
    if (fixed.length > 0 && settings.immutable === "refuse")
        return (0,emulator_reply/* refused */.J5)(400, `${fixed.join(", ")} cannot be changed once the deployment is created.`);
    const own = ownKind(world, {
        source: deployment.source,
        dialect: deployment.dialect,
        source_config: writable("source_config", asked["source_config"]),
        source_revision_config: writable("source_revision_config", asked["source_revision_config"]),
    });
    if ((0,emulator_reply/* isReply */.nK)(own))
        return own;
    const latest = deployment.revisions.at(-1)?.config ?? {};
    const changeable = Object.fromEntries(Object.entries(own.source_config).filter(([key]) => structOf("source_config").fields.get(key).mutability === "mutable"));
    const config = { ...deployment.source_config, ...changeable };
    const revisionConfig = { ...latest, ...own.source_revision_config };
    const broken = tagRule(config, revisionConfig);
    if (broken !== null)
        return broken;
    const secrets = asked["secrets"];
    const keepSecrets = secrets == null || (secrets.length === 0 && settings.emptySecretsPatch === "unchanged");
    const changed = {
        ...deployment,
        source_config: config,
        updated_ms: world.now(),
        secrets: keepSecrets ? deployment.secrets : secrets.map(({ name, value }) => ({ name, value })),
        secret_references: asked["secret_references"] ?? deployment.secret_references,
    };
    const builds = Object.keys(own.source_revision_config).length > 0 ||
        secrets != null ||
        own.source_config["resource_spec"] !== undefined;
    const after = builds ? addRevision(world, changed, revisionConfig, "patch") : changed;
    world.store.put("deployments", after.id, after);
    return (0,emulator_reply.ok)(showDeployment(world, call, after));
}
function getDeployment(world, call) {
    const deployment = findDeployment(world, call);
    return (0,emulator_reply/* isReply */.nK)(deployment) ? deployment : (0,emulator_reply.ok)(showDeployment(world, call, deployment));
}
function postRedeploy(world, call) {
    const found = findRevision(world, call);
    if ((0,emulator_reply/* isReply */.nK)(found))
        return found;
    const { deployment, revision } = found;
    if (deployment.deleted_ms !== null)
        return (0,emulator_reply/* refused */.J5)(400, `Deployment ID ${deployment.id} is being deleted.`);
    const after = world.settings.redeploy === "new-revision"
        ? addRevision(world, deployment, revision.config, "redeploy")
        : runAgain(world, deployment, revision);
    world.store.put("deployments", after.id, after);
    return (0,emulator_reply.ok)(showDeployment(world, call, after));
}
function runAgain(world, deployment, revision) {
    const now = world.now();
    const rule = world.ruleFor(deployment.name, revision.number);
    const run = (0,emulator_revision/* toRun */.P3)({
        at: now,
        seenFrom: now + world.settings.lags.stale,
        rule,
        builds: deployment.source !== "external_container" || world.settings.containerBuilds,
        again: true,
        phases: world.phases,
    });
    const again = {
        ...revision,
        runs: [...revision.runs, run],
        status_message: rule.status_message ?? null,
        log: rule.log ?? [],
    };
    return {
        ...deployment,
        updated_ms: now,
        revisions: deployment.revisions.map((one) => (one.id === revision.id ? again : one)),
    };
}
function push(world, repoUrl, ref, commit) {
    world.store.put("heads", `${normaliseRepo(repoUrl)} ${ref}`, commit);
    const tracking = world.store
        .all("deployments")
        .filter((one) => one.source === "repohost" &&
        one.deleted_ms === null &&
        one.source_config["build_on_push"] === true &&
        normaliseRepo(String(one.source_config["repo_url"] ?? "")) === normaliseRepo(repoUrl) &&
        one.revisions.at(-1)?.config["repo_ref"] === ref);
    for (const one of tracking)
        world.store.put("deployments", one.id, addRevision(world, one, one.revisions.at(-1).config, "push"));
    return tracking.map((one) => one.id);
}
function getRevision(world, call) {
    const found = findRevision(world, call);
    return (0,emulator_reply/* isReply */.nK)(found)
        ? found
        : (0,emulator_reply.ok)((0,readback/* toRevision */.Hx)(found.deployment, found.revision, world.settings, world.now()));
}

// EXTERNAL MODULE: ./build/emulator/fault.js
var emulator_fault = __webpack_require__(5866);
;// CONCATENATED MODULE: ./build/emulator/limit.js

const row = (match, identity, rate, category, fits, eu = rate) => ({
    match,
    identity,
    us: rate,
    eu,
    category,
    ...(fits === undefined ? {} : { fits }),
});
const toBare = (path) => path.replace(/^\/api(?=\/)/, "").replace(/^\/v\d+(?=\/)/, "");
const under = (start) => {
    const below = `${start}/`;
    return (_method, _path, bare) => bare === start || bare.startsWith(below);
};
const exactly = (method, whole) => (called, _path, bare) => called === method && bare === whole;
const containing = (method, part) => (called, path) => called === method && path.includes(part);
const limit_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const ONE_RUN = new RegExp(`^(/api/v1)?/runs/${limit_UUID}$`);
const openRow = (method, path, bare) => method === "OPTIONS" ||
    under("/info")(method, path, bare) ||
    /\/v1\/metadata\/submit$/.test(path);
const removal = (method, path, bare) => method === "DELETE" && (under("/sessions")(method, path, bare) || path.endsWith("/trigger"));
const otlp = (method, path) => method === "POST" && path.endsWith("/otel/v1/traces");
const LIMITS = [
    row("OPTIONS, `/info`, `*/v1/metadata/submit`", "ip", [2000, 10], "High throughput", openRow),
    row("`/auth`", "x-api-key", [2000, 10], "High throughput", under("/auth")),
    row("`/auth`", "x-user-id", [2000, 10], "High throughput", under("/auth")),
    row("`/v1/beacon`", "ip", [2000, 10], "High throughput", under("/beacon")),
    row("`/repos`", "x-api-key", [100, 60], "Repository", under("/repos")),
    row("`/repos`", "x-user-id", [100, 60], "Repository", under("/repos")),
    row("POST `/runs/batch`", "x-api-key", [2000, 10], "High throughput", exactly("POST", "/runs/batch")),
    row("POST `/otel/v1/traces`", "x-api-key", [2000, 10], "Run ingest", otlp),
    row("POST path containing `/charts`", "x-api-key", [750, 600], "Charts", containing("POST", "/charts")),
    row("POST path containing `/charts`", "x-user-id", [750, 600], "Charts", containing("POST", "/charts")),
    row("POST `/runs/multipart`", "x-api-key", [6000, 10], "Multipart ingest", exactly("POST", "/runs/multipart")),
    row("POST `/runs/query`", "x-api-key", [15, 10], "Run query (API)", exactly("POST", "/runs/query")),
    row("POST `/runs/query`", "x-user-id", [300, 10], "Run query (User)", exactly("POST", "/runs/query")),
    row("`/generate`", "x-api-key", [30, 3600], "Generation", under("/generate")),
    row("`/generate`", "x-user-id", [30, 3600], "Generation", under("/generate")),
    row("`/commits`", "x-api-key", [10_000, 60], "Commits", under("/commits"), [2000, 60]),
    row("`/commits`", "x-user-id", [10_000, 60], "Commits", under("/commits"), [2000, 60]),
    row("DELETE `/sessions` or `*/trigger`", "x-api-key", [10, 60], "Deletion", removal),
    row("DELETE `/sessions` or `*/trigger`", "x-user-id", [30, 60], "Deletion", removal),
    row("POST `/runs` (single run)", "x-api-key", [2000, 10], "Run ingest", exactly("POST", "/runs")),
    row("PATCH path containing `/runs`", "x-api-key", [2000, 10], "Run ingest", containing("PATCH", "/runs")),
    row("POST `/feedback`", "x-api-key", [2000, 10], "High throughput", exactly("POST", "/feedback")),
    row("GET `/runs/{uuid}` or `/api/v1/runs/{uuid}`", "x-api-key", [30, 60], "Run lookup", (method, path) => method === "GET" && ONE_RUN.test(path)),
    row("GET path containing `/examples`", "x-api-key", [5000, 60], "Examples", containing("GET", "/examples")),
    row("Any request with `x-api-key`", "x-api-key", [1000, 10], "Default (API key)"),
    row("Any request with `x-user-id`", "x-user-id", [1000, 10], "Default (User)"),
    row("`/public/download`", "ip", [5000, 60], "Public download", under("/public/download")),
    row("`/runs/stats`", "x-api-key", [1, 10], "Stats", under("/runs/stats"), [20, 10]),
    row("All other IPs (catch-all)", "ip", [100, 60], "Public (catch-all)"),
];
function identify(identity, asked) {
    if (identity === "ip")
        return asked.ip;
    const value = asked.headers.get(identity);
    if (value === null || value === "")
        return null;
    return identity === "x-api-key" ? value : `${value} ${asked.ip}`;
}
function rowsFor(asked) {
    const bare = toBare(asked.path);
    const known = {
        "x-api-key": identify("x-api-key", asked) !== null,
        "x-user-id": identify("x-user-id", asked) !== null,
        ip: true,
    };
    const named = LIMITS.filter((one) => known[one.identity]);
    const specific = named.filter((one) => one.fits?.(asked.method, asked.path, bare) === true);
    if (specific.length > 0)
        return specific;
    const fallback = named.find((one) => one.fits === undefined);
    return fallback === undefined ? [] : [fallback];
}
function createLimiter() {
    let windows = new Map();
    const windowOf = (key, since) => {
        const window = windows.get(key) ?? { times: [], start: 0 };
        windows.set(key, window);
        while (window.start < window.times.length && window.times[window.start] <= since)
            window.start += 1;
        if (window.start > 1000)
            Object.assign(window, { times: window.times.slice(window.start), start: 0 });
        return window;
    };
    return {
        count: (asked, settings) => {
            const counted = rowsFor(asked).map((one) => {
                const [count, seconds] = one[settings.region];
                return {
                    count,
                    seconds,
                    window: windowOf(`${LIMITS.indexOf(one)} ${identify(one.identity, asked)}`, asked.now - seconds * 1000),
                };
            });
            const full = counted.find(({ count, window }) => window.times.length - window.start >= count);
            if (full === undefined) {
                for (const { window } of counted)
                    window.times.push(asked.now);
                return null;
            }
            const waitMs = full.window.times[full.window.start] + full.seconds * 1000 - asked.now;
            return tooMany(waitMs, asked.now, settings);
        },
        clear: () => {
            windows = new Map();
        },
    };
}
function tooMany(waitMs, now, settings) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const header = settings.retryAfter === "none"
        ? {}
        : {
            "retry-after": settings.retryAfter === "date"
                ? new Date(now + seconds * 1000).toUTCString()
                : String(seconds),
        };
    return { ...(0,emulator_reply/* refused */.J5)(429, "Rate limit exceeded"), headers: header };
}

// EXTERNAL MODULE: ./build/emulator/choices.js
var choices = __webpack_require__(2038);
;// CONCATENATED MODULE: ./build/emulator/options.js


const DEFAULT_LAGS = {
    latest: 0,
    revision: 0,
    active: 0,
    stale: 0,
    database: 20,
    delete: 60,
    statistics: 60,
};
const scaled = (values, scale) => Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, ms * scale]));
function toSettings(options) {
    const strict = options.strict ?? false;
    const timeScale = options.timeScale ?? 1;
    return {
        ...(0,choices/* toChoices */.c)(strict, options),
        phases: scaled({ ...emulator_revision/* DEFAULT_PHASES */.BV, ...options.phases }, timeScale),
        lags: scaled({ ...DEFAULT_LAGS, ...options.lags }, timeScale),
        timeScale,
        readback: options.readback ?? "document",
        secretValues: options.secretValues ?? "plain",
        maskedSecrets: options.maskedSecrets ?? null,
        dialect: options.dialect ?? "as-created",
        apiKeys: options.apiKeys?.map((key) => (typeof key === "string" ? { key } : key)) ?? null,
        bearerTokens: options.bearerTokens ?? null,
        region: options.region ?? "us",
        limits: options.limits ?? "off",
        strict,
    };
}

;// CONCATENATED MODULE: ./build/emulator/request-log.js



const MASK = "***";
const CREDENTIALS = /^(x-api-key|authorization|proxy-authorization|cookie|set-cookie)$/i;
function toLoggedHeaders(headers) {
    return Object.fromEntries([...headers].map(([name, value]) => [name, CREDENTIALS.test(name) ? MASK : value]));
}
const withoutUser = (value) => typeof value === "string" ? value.replace(/\/\/[^/@\s]*@/g, `//${MASK}@`) : value;
function maskShape(shape, value) {
    if (shape.kind === "list" && Array.isArray(value))
        return value.map((item) => maskShape(shape.item, item));
    if (shape.kind !== "struct" || !(0,json/* isObject */.G)(value))
        return Array.isArray(value) || (0,json/* isObject */.G)(value) ? maskUnknown(value) : withoutUser(value);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => {
        const field = shape.fields.get(key);
        if (field === undefined)
            return [key, maskUnknown(item)];
        return [
            key,
            field.meta.sensitive === "value"
                ? item === null || item === ""
                    ? item
                    : MASK
                : maskShape(field.shape, item),
        ];
    }));
}
function maskUnknown(value) {
    if (Array.isArray(value))
        return value.map(maskUnknown);
    if (!(0,json/* isObject */.G)(value))
        return withoutUser(value);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [
        key,
        key === "value" && typeof item === "string" ? MASK : maskUnknown(item),
    ]));
}
function maskBody(body) {
    if (!(0,json/* isObject */.G)(body))
        return maskUnknown(body);
    const masked = maskShape(shape/* deploymentShape */.zK, (0,model_dialect/* spell */.lO)(body, "document"));
    const hosted = (0,json/* isObject */.G)(body["source_revision_config"]) &&
        "langgraph_config_path" in body["source_revision_config"];
    const shown = hosted ? (0,model_dialect/* spell */.lO)(masked, "hosted") : masked;
    return typeof body["source"] === "string" ? { ...shown, source: body["source"] } : shown;
}
const MOST_KEPT = 20_000;
function createRequestLog() {
    let entries = [];
    let seq = 0;
    return {
        add: (entry) => {
            seq += 1;
            entries.push({ seq, ...entry });
            if (entries.length > MOST_KEPT * 1.5)
                entries = entries.slice(-MOST_KEPT);
        },
        list: () => entries.slice(-MOST_KEPT),
        clear: () => {
            entries = [];
            seq = 0;
        },
    };
}

;// CONCATENATED MODULE: ./build/emulator/row-scanner.js
const QUOTE = 0x22, BACKSLASH = 0x5c, OPEN = 0x5b, CLOSE = 0x5d, OPEN_BRACE = 0x7b, CLOSE_BRACE = 0x7d, COLON = 0x3a, COMMA = 0x2c;
const isSpace = (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
function createRowReader(decode, onRow) {
    let pieces = [];
    let started = false;
    let count = 0;
    return {
        take: (piece) => {
            pieces.push(piece);
        },
        mark: () => {
            started = true;
        },
        end: (closing) => {
            if (!started && closing && count === 0) {
                pieces = [];
                return;
            }
            if (!started)
                throw new SyntaxError("an element is missing");
            onRow(JSON.parse(decode(pieces)), count);
            count += 1;
            pieces = [];
            started = false;
        },
    };
}
function createRowScanner(key, onRow) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const decode = (parts) => decoder.decode(Buffer.concat(parts));
    const rows = createRowReader(decode, onRow);
    const rest = [];
    let depth = 0;
    let inText = false;
    let escaped = false;
    let inRows = false;
    let lastText = [];
    let atKey = "";
    let chunk = new Uint8Array(0);
    let from = 0;
    let at = 0;
    const cut = (including, dropping) => {
        const piece = chunk.slice(from, including ? at + 1 : at);
        from = including || dropping ? at + 1 : at;
        return piece;
    };
    const stepText = (byte) => {
        if (escaped)
            escaped = false;
        else if (byte === BACKSLASH)
            escaped = true;
        else if (byte === QUOTE)
            inText = false;
        if (inText && depth === 1 && lastText.length < 64)
            lastText.push(byte);
    };
    const step = (byte) => {
        if (inRows && !isSpace(byte) && (depth > 2 || (byte !== COMMA && byte !== CLOSE)))
            rows.mark();
        if (byte === QUOTE) {
            inText = true;
            lastText = [];
        }
        else if (inRows && depth === 2 && (byte === COMMA || byte === CLOSE)) {
            rows.take(cut(false, byte === COMMA));
            rows.end(byte === CLOSE);
            if (byte === CLOSE) {
                inRows = false;
                depth = 1;
            }
        }
        else if (byte === OPEN && depth === 1 && atKey === key) {
            rest.push(cut(true, false));
            inRows = true;
            depth = 2;
        }
        else if (byte === OPEN || byte === OPEN_BRACE)
            depth += 1;
        else if (byte === CLOSE || byte === CLOSE_BRACE)
            depth -= 1;
        else if (depth === 1 && byte === COLON)
            atKey = String.fromCharCode(...lastText);
        else if (depth === 1 && byte === COMMA)
            atKey = "";
    };
    return {
        write: (next) => {
            chunk = next;
            from = 0;
            for (at = 0; at < chunk.length; at++) {
                if (inText)
                    stepText(chunk[at]);
                else
                    step(chunk[at]);
            }
            const left = chunk.slice(from);
            if (inRows)
                rows.take(left);
            else
                rest.push(left);
        },
        end: () => {
            if (inRows)
                throw new SyntaxError("the text ends within the list");
            return JSON.parse(decode(rest));
        },
    };
}

;// CONCATENATED MODULE: ./build/emulator/upload-check.js


const fail = (loc, type, msg) => [{ loc, type, msg }];
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;
function parseTime(value) {
    const found = typeof value === "string" ? TIME.exec(value) : null;
    if (found === null)
        return NaN;
    const [, day, minutes = "00:00", seconds = "00", fraction = "0", zone = "Z"] = found;
    const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(...):?(..)$/, "$1:$2");
    return Date.parse(`${day}T${minutes}:${seconds}${offset}`) + Number(fraction) * 1000;
}
const upload_check_text = (value, loc) => typeof value === "string" ? [] : fail(loc, "string_type", "Input should be a valid string");
const uuid = (value, loc) => isUuid(value) ? [] : fail(loc, "uuid_parsing", "Input should be a valid UUID");
const time = (value, loc) => Number.isNaN(parseTime(value))
    ? fail(loc, "datetime_parsing", "Input should be a valid datetime")
    : [];
const anyObject = (value, loc) => (0,json/* isObject */.G)(value) ? [] : fail(loc, "dict_type", "Input should be a valid dictionary");
const number = (value, loc) => typeof value === "number" ? [] : fail(loc, "float_type", "Input should be a valid number");
const score = (value, loc, strict) => typeof value === "boolean" && !strict ? [] : number(value, loc, strict);
const scoreValue = (value, loc, strict) => typeof value === "string" || (!strict && !Array.isArray(value))
    ? []
    : fail(loc, "string_type", "Input should be a valid string");
const objectOrText = (value, loc) => (0,json/* isObject */.G)(value) || typeof value === "string"
    ? []
    : fail(loc, "dict_type", "Input should be a valid dictionary or string");
const oneOf = (...words) => (value, loc) => words.includes(value)
    ? []
    : fail(loc, "literal_error", `Input should be ${words.map((word) => `'${word}'`).join(", ")}`);
const key = (value, loc, strict) => {
    const errors = upload_check_text(value, loc, strict);
    return errors.length === 0 && !strict && value.length > 180
        ? fail(loc, "string_too_long", "String should have at most 180 characters")
        : errors;
};
const object = (rows) => (value, loc, strict) => {
    if (!(0,json/* isObject */.G)(value))
        return fail(loc, "model_attributes_type", "Input should be a valid dictionary or object to extract fields from");
    return rows.flatMap(([name, check, required]) => {
        const item = value[name];
        if (item === undefined || (item === null && required !== true))
            return required === true ? fail([...loc, name], "missing", "Field required") : [];
        return check(item, [...loc, name], strict);
    });
};
const list = (check) => (value, loc, strict) => Array.isArray(value)
    ? value.flatMap((item, i) => check(item, [...loc, i], strict))
    : fail(loc, "list_type", "Input should be a valid list");
const FEEDBACK = object([
    ["key", key, true],
    ["score", score],
    ["value", scoreValue],
    ["comment", upload_check_text],
    ["feedback_source", object([["type", upload_check_text, true]])],
    [
        "feedback_config",
        object([
            ["type", oneOf("continuous", "categorical", "freeform")],
            ["min", number],
            ["max", number],
            [
                "categories",
                list(object([
                    ["value", number, true],
                    ["label", upload_check_text],
                ])),
            ],
        ]),
    ],
    ["created_at", time],
    ["modified_at", time],
    ["correction", objectOrText],
]);
const checkRowShape = object([
    ["inputs", anyObject, true],
    ["expected_outputs", anyObject],
    ["actual_outputs", anyObject],
    ["evaluation_scores", list(FEEDBACK)],
    ["start_time", time, true],
    ["end_time", time, true],
    ["run_name", upload_check_text],
    ["error", upload_check_text],
    ["run_metadata", anyObject],
]);
const checkRowId = { strict: object([["row_id", uuid, true]]), usual: object([["row_id", uuid]]) };
function checkRow(row, index, strict) {
    const loc = ["body", "results", index];
    const errors = checkRowShape(row, loc, strict);
    return (0,json/* isObject */.G)(row)
        ? [...checkRowId[strict ? "strict" : "usual"](row, loc, strict), ...errors]
        : errors;
}
const checkHeadShape = object([
    ["experiment_name", upload_check_text, true],
    ["experiment_description", upload_check_text],
    ["experiment_start_time", time, true],
    ["experiment_end_time", time, true],
    ["dataset_id", uuid],
    ["dataset_name", upload_check_text],
    ["dataset_description", upload_check_text],
    ["experiment_metadata", anyObject],
    ["summary_experiment_scores", list(FEEDBACK)],
    [
        "results",
        (value, loc) => Array.isArray(value) ? [] : fail(loc, "list_type", "Input should be a valid list"),
        true,
    ],
]);
function checkHead(head, strict) {
    const errors = checkHeadShape(head, ["body"], strict);
    if ((0,json/* isObject */.G)(head) &&
        (head["dataset_id"] ?? null) === null &&
        (head["dataset_name"] ?? null) === null) {
        errors.push({
            loc: ["body"],
            type: "value_error",
            msg: "Value error, either dataset_id or dataset_name must be given",
        });
    }
    return errors;
}
function scoreOf(feedback) {
    const value = feedback["score"];
    return typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : null;
}

;// CONCATENATED MODULE: ./build/emulator/statistics.js


function createTally() {
    const keys = new Map();
    return {
        add: (feedback) => {
            for (const one of Array.isArray(feedback) ? feedback : []) {
                const name = String(one["key"]);
                const tally = keys.get(name) ?? { n: 0, scored: 0, sum: 0, squares: 0, values: new Map() };
                keys.set(name, tally);
                const score = scoreOf(one);
                tally.n += 1;
                if (score !== null) {
                    tally.scored += 1;
                    tally.sum += score;
                    tally.squares += score * score;
                }
                if (typeof one["value"] === "string" && tally.values.size < 1000)
                    tally.values.set(one["value"], (tally.values.get(one["value"]) ?? 0) + 1);
            }
        },
        result: () => keys.size === 0
            ? null
            : Object.fromEntries([...keys].map(([name, { n, scored, sum, squares, values }]) => {
                const avg = scored === 0 ? null : sum / scored;
                const variance = avg === null ? null : Math.max(0, squares / scored - avg * avg);
                return [
                    name,
                    {
                        n,
                        avg,
                        stdev: variance === null ? null : Math.sqrt(variance),
                        values: Object.fromEntries(values),
                    },
                ];
            })),
    };
}
function quantile(sorted, q) {
    if (sorted.length === 0)
        return null;
    const at = (sorted.length - 1) * q;
    const low = sorted[Math.floor(at)];
    return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}
function createAccumulator(newId) {
    const windows = [];
    const ids = [];
    const tally = createTally();
    let errors = 0;
    let lastStart = "";
    return {
        add: (row) => {
            windows.push([parseTime(row["start_time"]), parseTime(row["end_time"])]);
            ids.push(typeof row["row_id"] === "string" ? row["row_id"].toLowerCase() : newId());
            tally.add(row["evaluation_scores"]);
            if (typeof row["error"] === "string" && row["error"] !== "")
                errors += 1;
            const start = new Date(windows.at(-1)[0]);
            if (!Number.isNaN(start.getTime()) && start.toISOString() > lastStart)
                lastStart = start.toISOString();
        },
        windows: () => windows,
        rowIds: () => ids,
        result: (summary) => {
            const latencies = Float64Array.from(windows, ([start, end]) => (end - start) / 1000).sort();
            const session = createTally();
            if (Array.isArray(summary) || (0,json/* isObject */.G)(summary))
                session.add(summary);
            return {
                run_count: windows.length,
                latency_p50: quantile(latencies, 0.5),
                latency_p99: quantile(latencies, 0.99),
                last_run_start_time: lastStart === "" ? null : lastStart,
                last_run_start_time_live: lastStart === "" ? null : lastStart,
                feedback_stats: tally.result(),
                session_feedback_stats: session.result(),
                run_facets: [],
                error_rate: windows.length === 0 ? null : errors / windows.length,
                streaming_rate: windows.length === 0 ? null : 0,
            };
        },
    };
}

;// CONCATENATED MODULE: ./build/emulator/experiment.js







const MOST_BYTES = 400 * 1024 * 1024;
const MOST_ERRORS = 100;
const NO_STATISTICS = {
    run_count: null,
    latency_p50: null,
    latency_p99: null,
    first_token_p50: null,
    first_token_p99: null,
    total_tokens: null,
    prompt_tokens: null,
    completion_tokens: null,
    total_cost: null,
    prompt_cost: null,
    completion_cost: null,
    last_run_start_time: null,
    last_run_start_time_live: null,
    feedback_stats: null,
    session_feedback_stats: null,
    run_facets: null,
    error_rate: null,
    streaming_rate: null,
};
async function readUpload(world, call) {
    const rows = createAccumulator(world.newId);
    const errors = [];
    const strict = world.settings.strict;
    const scanner = createRowScanner("results", (row, index) => {
        const wrong = errors.length < MOST_ERRORS ? checkRow(row, index, strict) : [];
        errors.push(...wrong);
        if ((0,json/* isObject */.G)(row))
            rows.add(row);
    });
    let bytes = 0;
    try {
        for await (const chunk of call.stream ??
            new ReadableStream({ start: (controller) => controller.close() })) {
            bytes += chunk.length;
            if (bytes > MOST_BYTES)
                return (0,emulator_reply/* refused */.J5)(413, "Request Entity Too Large");
            scanner.write(chunk);
        }
        const head = scanner.end();
        const wrong = [...checkHead(head, strict), ...errors];
        if (wrong.length > 0)
            return (0,emulator_reply/* invalid */.Gq)(wrong.slice(0, MOST_ERRORS), false);
        return { head: head, rows, bytes };
    }
    catch (error) {
        if (error.name !== "SyntaxError" &&
            error.code !== "ERR_ENCODING_INVALID_ENCODED_DATA")
            throw error;
        return (0,emulator_reply/* invalid */.Gq)([{ loc: ["body", bytes], type: "json_invalid", msg: "JSON decode error" }], false);
    }
}
function checkWindow({ head, rows }) {
    const start = parseTime(head["experiment_start_time"]);
    const end = parseTime(head["experiment_end_time"]);
    const errors = [];
    rows.windows().forEach((window, i) => {
        for (const [k, name] of ["start_time", "end_time"].entries()) {
            if (!(window[k] >= start && window[k] <= end) && errors.length < MOST_ERRORS) {
                errors.push({
                    loc: ["body", "results", i, name],
                    type: "value_error",
                    msg: `Value error, ${name} must be between experiment_start_time and experiment_end_time`,
                });
            }
        }
    });
    return errors;
}
function ruleBroken(world, errors) {
    return world.settings.uploadRuleStatus === 422
        ? (0,emulator_reply/* invalid */.Gq)(errors, false)
        : (0,emulator_reply/* refused */.J5)(400, errors[0].msg.replace(/^Value error, /, ""));
}
function datasetFor(world, call, head) {
    const tenant_id = call.caller.tenant_id;
    const id = typeof head["dataset_id"] === "string" ? head["dataset_id"].toLowerCase() : null;
    const name = typeof head["dataset_name"] === "string" ? head["dataset_name"] : null;
    const mine = world.store.all("datasets").filter((one) => one.tenant_id === tenant_id);
    const found = (id === null ? undefined : mine.find((one) => one.id === id)) ??
        (name === null ? undefined : mine.find((one) => one.name === name));
    const broken = (field, msg) => ruleBroken(world, [{ loc: ["body", field], type: "value_error", msg: `Value error, ${msg}` }]);
    if (found !== undefined) {
        if (!found.externally_managed)
            return broken(id === null ? "dataset_name" : "dataset_id", "experiments can only be uploaded to externally managed datasets");
        if ((id !== null && found.id !== id) || (name !== null && found.name !== name))
            return broken("dataset_name", "dataset_id and dataset_name belong to different datasets");
        return found;
    }
    const made = id ?? world.newId();
    const now = world.now();
    return {
        id: made,
        tenant_id,
        name: name ?? `external-dataset-${made}`,
        description: typeof head["dataset_description"] === "string" ? head["dataset_description"] : null,
        created_ms: now,
        modified_ms: now,
        externally_managed: true,
        examples: [],
    };
}
async function postExperiment(world, call) {
    const upload = await readUpload(world, call);
    if ((0,emulator_reply/* isReply */.nK)(upload))
        return upload;
    const { head, rows, bytes } = upload;
    const name = String(head["experiment_name"]);
    call.note({
        experiment_name: name,
        dataset_name: head["dataset_name"] ?? null,
        dataset_id: head["dataset_id"] ?? null,
        experiment_metadata: head["experiment_metadata"] ?? null,
        rows: rows.rowIds().length,
        bytes,
    });
    const outside = checkWindow(upload);
    if (outside.length > 0)
        return ruleBroken(world, outside);
    const dataset = datasetFor(world, call, head);
    if ((0,emulator_reply/* isReply */.nK)(dataset))
        return dataset;
    const tenant_id = call.caller.tenant_id;
    const taken = world.store
        .all("sessions")
        .some((one) => one.name === name && (one.tenant_id ?? tenant_id) === tenant_id);
    if (taken && world.settings.experimentNames === "unique")
        return (0,emulator_reply/* refused */.J5)(409, "Session already exists.");
    const now = world.now();
    const session = {
        id: world.newId(),
        tenant_id,
        name,
        description: typeof head["experiment_description"] === "string" ? head["experiment_description"] : null,
        dataset_id: dataset.id,
        test_run_number: sessionsOf(world, dataset.id).length + 1,
        created_ms: now,
        start_time: (0,readback/* iso */.KH)(parseTime(head["experiment_start_time"])),
        end_time: (0,readback/* iso */.KH)(parseTime(head["experiment_end_time"])),
        metadata: head["experiment_metadata"] ?? null,
        statistics: rows.result(head["summary_experiment_scores"]),
    };
    const grown = {
        ...dataset,
        modified_ms: now,
        examples: [...new Set([...dataset.examples, ...rows.rowIds()])],
    };
    world.store.put("datasets", grown.id, grown);
    world.store.put("sessions", session.id, session);
    return (0,emulator_reply.ok)({
        dataset: toDataset(world, grown),
        experiment: toSession(world, session, tenant_id, false),
    });
}
const sessionsOf = (world, datasetId) => world.store.all("sessions").filter((one) => one.dataset_id === datasetId);
function toDataset(world, one) {
    const sessions = sessionsOf(world, one.id);
    return {
        name: one.name,
        description: one.description,
        created_at: (0,readback/* iso */.KH)(one.created_ms),
        data_type: "kv",
        inputs_schema_definition: null,
        outputs_schema_definition: null,
        externally_managed: one.externally_managed,
        id: one.id,
        tenant_id: one.tenant_id,
        example_count: one.examples.length,
        session_count: sessions.length,
        modified_at: (0,readback/* iso */.KH)(one.modified_ms),
        last_session_start_time: sessions
            .map((session) => session.start_time)
            .sort()
            .at(-1) ?? null,
    };
}
function toSession(world, one, tenant, statistics) {
    const persisted = statistics && world.now() >= one.created_ms + world.settings.lags.statistics;
    return {
        start_time: one.start_time,
        end_time: one.end_time,
        extra: one.metadata === null ? null : { metadata: one.metadata },
        name: one.name,
        description: one.description,
        default_dataset_id: null,
        reference_dataset_id: one.dataset_id,
        trace_tier: "longlived",
        id: one.id,
        ...NO_STATISTICS,
        ...(persisted ? one.statistics : {}),
        tenant_id: one.tenant_id ?? tenant,
        test_run_number: one.test_run_number,
    };
}
const pageOf = (call) => {
    const from = Math.max(0, Number(call.query.get("offset") ?? 0) || 0);
    return [from, from + Math.min(100, Math.max(1, Number(call.query.get("limit") ?? 100) || 100))];
};
function listSessions(world, call) {
    const { query, caller } = call;
    const name = query.get("name");
    const contains = query.get("name_contains");
    const ids = query.getAll("id");
    const dataset = query.get("reference_dataset");
    const found = world.store
        .all("sessions")
        .filter((one) => (one.tenant_id ?? caller.tenant_id) === caller.tenant_id)
        .filter((one) => (name === null || one.name === name) &&
        (contains === null || one.name.includes(contains)) &&
        (ids.length === 0 || ids.includes(one.id)))
        .filter((one) => dataset === null || one.dataset_id === dataset)
        .toReversed();
    return (0,emulator_reply.ok)(found
        .slice(...pageOf(call))
        .map((one) => toSession(world, one, caller.tenant_id, query.get("include_stats") === "true")));
}
function findSession(world, call) {
    const id = call.params["session_id"].toLowerCase();
    if (!isUuid(id))
        return (0,emulator_reply/* invalid */.Gq)([{ loc: ["path", "session_id"], msg: "Input should be a valid UUID", type: "uuid_parsing" }], false);
    const found = world.store.get("sessions", id);
    return found !== undefined && (found.tenant_id ?? call.caller.tenant_id) === call.caller.tenant_id
        ? found
        : (0,emulator_reply/* refused */.J5)(404, "Session not found");
}
function getSession(world, call) {
    const found = findSession(world, call);
    return (0,emulator_reply/* isReply */.nK)(found)
        ? found
        : (0,emulator_reply.ok)(toSession(world, found, call.caller.tenant_id, call.query.get("include_stats") === "true"));
}
function deleteSession(world, call) {
    const found = findSession(world, call);
    if ((0,emulator_reply/* isReply */.nK)(found))
        return found;
    world.store.remove("sessions", found.id);
    return (0,emulator_reply.ok)({}, 202);
}
function listDatasets(world, call) {
    const name = call.query.get("name");
    const ids = call.query.getAll("id");
    const found = world.store
        .all("datasets")
        .filter((one) => one.tenant_id === call.caller.tenant_id)
        .filter((one) => (name === null || one.name === name) && (ids.length === 0 || ids.includes(one.id)));
    return (0,emulator_reply.ok)(found.slice(...pageOf(call)).map((one) => toDataset(world, one)));
}
function getDataset(world, call) {
    const found = world.store.get("datasets", call.params["dataset_id"].toLowerCase());
    return found !== undefined && found.tenant_id === call.caller.tenant_id
        ? (0,emulator_reply.ok)(toDataset(world, found))
        : (0,emulator_reply/* refused */.J5)(404, "Dataset not found");
}

;// CONCATENATED MODULE: ./build/emulator/log-tail.js





const SAYS = {
    AWAITING_BUILD: ["build", "INFO", "waiting for a builder"],
    BUILDING: ["build", "INFO", "building the image"],
    BUILD_FAILED: ["build", "ERROR", "the build failed"],
    AWAITING_DEPLOY: ["build", "INFO", "the image is built"],
    DEPLOYING: ["deploy", "INFO", "starting the new revision"],
    DEPLOYED: ["deploy", "INFO", "the new revision is ready"],
    DEPLOY_FAILED: ["deploy", "ERROR", "the new revision did not become ready"],
};
function linesOf(revision, sights, phase, now) {
    const seen = sights.filter((sight) => sight.at <= now && SAYS[sight.status]?.[0] === phase);
    const own = sights.some((sight) => sight.status === "BUILD_FAILED") ? "build" : "deploy";
    const last = seen.at(-1);
    return seen.flatMap((sight) => {
        const [, level, message] = SAYS[sight.status];
        const extra = sight === last && own === phase
            ? revision.log.map((text) => ({
                at: sight.at,
                level: /FAILED/.test(sight.status) ? "ERROR" : "INFO",
                message: text,
            }))
            : [];
        return [...extra, { at: sight.at, level, message }];
    });
}
function page(world, deployment, revisions, wanted) {
    const now = world.now();
    const { timelines } = (0,readback/* momentOf */.Et)(deployment, world.settings, now);
    const all = revisions
        .flatMap((one) => linesOf(one, timelines.get(one.id), wanted.phase, now).map((line, i) => ({
        id: `${one.id}-${wanted.phase}-${i}`,
        ...line,
    })))
        .filter((line) => (wanted.level === null || line.level === wanted.level.toUpperCase()) &&
        (wanted.query === null || line.message.includes(wanted.query)))
        .sort((a, b) => a.at - b.at);
    const ordered = wanted.desc ? all.toReversed() : all;
    const end = wanted.offset + wanted.limit;
    return {
        lines: ordered
            .slice(wanted.offset, end)
            .map(({ id, at, level, message }) => ({ id, timestamp: (0,readback/* iso */.KH)(at), level, message })),
        next: end < ordered.length ? String(end) : null,
    };
}
function toWanted(get, names) {
    return {
        phase: names.phase.toLowerCase() === "build" ? "build" : "deploy",
        desc: (get(names.order) ?? "asc").toLowerCase() === "desc",
        limit: Math.min(names.most, Math.max(1, Number(get(names.limit) ?? names.usual) || names.usual)),
        offset: Math.max(0, Number(get(names.offset) ?? 0) || 0),
        query: get("query"),
        level: get("level"),
    };
}
function getLogs(world, call) {
    const type = call.query.get("type");
    if (type === null || !/^(build|deploy)$/.test(type)) {
        return (0,emulator_reply/* invalid */.Gq)([
            {
                loc: ["query", "type"],
                msg: type === null ? "Field required" : "Input should be 'build' or 'deploy'",
                type: type === null ? "missing" : "enum",
            },
        ], false);
    }
    const found = call.params["revision_id"] === undefined
        ? findDeployment(world, call)
        : findRevision(world, call);
    if ((0,emulator_reply/* isReply */.nK)(found))
        return found;
    const [deployment, revisions] = "revision" in found ? [found.deployment, [found.revision]] : [found, found.revisions];
    const { lines, next } = page(world, deployment, revisions, toWanted((name) => call.query.get(name), {
        phase: type,
        order: "order",
        limit: "limit",
        offset: "offset",
        most: 1000,
        usual: 50,
    }));
    return (0,emulator_reply.ok)({ logs: lines, next_offset: next });
}
function getDeploymentLogs(world, call) {
    const id = call.query.get("deployment_id") ?? "";
    if (!isUuid(id))
        return (0,emulator_reply/* invalid */.Gq)([
            {
                loc: ["query", "deployment_id"],
                msg: "Input should be a valid UUID",
                type: "uuid_parsing",
            },
        ], false);
    const found = findDeployment(world, { ...call, params: { deployment_id: id } });
    if ((0,emulator_reply/* isReply */.nK)(found))
        return found;
    const revision = call.query.get("revision_id");
    const revisions = revision === null
        ? found.revisions
        : found.revisions.filter((one) => one.id === revision.toLowerCase());
    const names = {
        phase: call.query.get("log_type") ?? "DEPLOY",
        order: "sort_order",
        limit: "page_size",
        offset: "cursor",
        most: 100,
        usual: 20,
    };
    const { lines, next } = page(world, found, revisions, toWanted((name) => call.query.get(name), names));
    return (0,emulator_reply.ok)({ items: lines, next_cursor: next });
}
function postLogs(phase) {
    return (world, call) => {
        const found = findDeployment(world, call);
        if ((0,emulator_reply/* isReply */.nK)(found))
            return found;
        const body = (0,json/* isObject */.G)(call.body) ? call.body : {};
        const get = (name) => {
            const value = body[name];
            return value === undefined || value === null ? null : String(value);
        };
        const revision = call.params["revision_id"]?.toLowerCase();
        const revisions = revision === undefined
            ? found.revisions
            : found.revisions.filter((one) => one.id === revision);
        if (revisions.length === 0)
            return (0,emulator_reply/* refused */.J5)(404, `Revision ID ${revision ?? ""} not found.`);
        const { lines, next } = page(world, found, revisions, toWanted(get, {
            phase,
            order: "order",
            limit: "limit",
            offset: "offset",
            most: 1000,
            usual: 50,
        }));
        return (0,emulator_reply.ok)({ logs: lines, next_offset: next });
    };
}

;// CONCATENATED MODULE: ./build/emulator/lookup.js






function lookup_pageOf(world, call) {
    const errors = [];
    const read = (name, fallback, least, most) => {
        const text = call.query.get(name);
        if (text === null)
            return fallback;
        const fail = (type, msg) => {
            errors.push({ loc: ["query", name], msg, type, input: text });
        };
        const value = Number(text);
        if (!/^-?\d+$/.test(text))
            fail("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
        else if (value < least)
            fail("greater_than_equal", `Input should be greater than or equal to ${least}`);
        else if (value > most)
            fail("less_than_equal", `Input should be less than or equal to ${most}`);
        return value;
    };
    const page = {
        limit: read("limit", 20, 1, 100),
        offset: read("offset", 0, 0, Number.MAX_SAFE_INTEGER),
    };
    return errors.length > 0 ? (0,emulator_reply/* invalid */.Gq)(errors, world.settings.validationEcho) : page;
}
function paged(items, page) {
    const resources = items.slice(page.offset, page.offset + page.limit);
    return { resources, offset: page.offset + resources.length };
}
const words = (text) => text
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "") ?? null;
function listDeployments(world, call) {
    const { list } = world.settings;
    if (list !== "served")
        return (0,emulator_reply/* refused */.J5)(list, list === 404 ? "Not Found" : list === 405 ? "Method Not Allowed" : "Not Implemented");
    const page = lookup_pageOf(world, call);
    if ((0,emulator_reply/* isReply */.nK)(page))
        return page;
    const contains = call.query.get("name_contains");
    const name = call.query.get("name");
    const status = call.query.get("status");
    const ids = words(call.query.get("deployment_ids"));
    const type = call.query.get("deployment_type");
    const shown = world.store
        .all("deployments")
        .filter((one) => isVisible(world, call, one))
        .filter((one) => (contains === null || one.name.toLowerCase().includes(contains.toLowerCase())) &&
        (name === null || one.name === name))
        .filter((one) => (ids === null || ids.includes(one.id)) &&
        (type === null || one.source_config["deployment_type"] === type))
        .toReversed()
        .map((one) => showDeployment(world, call, one))
        .filter((one) => status === null || one["status"] === status);
    return (0,emulator_reply.ok)(paged(shown, page));
}
function listRevisions(world, call) {
    const page = lookup_pageOf(world, call);
    if ((0,emulator_reply/* isReply */.nK)(page))
        return page;
    const deployment = findDeployment(world, call);
    if ((0,emulator_reply/* isReply */.nK)(deployment))
        return deployment;
    const statuses = words(call.query.get("status"));
    const shown = deployment.revisions
        .filter((one) => one.created_ms + world.settings.lags.revision <= world.now())
        .toReversed()
        .map((one) => (0,readback/* toRevision */.Hx)(deployment, one, world.settings, world.now()))
        .filter((one) => statuses === null || statuses.includes(one["status"]));
    return (0,emulator_reply.ok)(paged(shown, page));
}
function postRevision(world, call) {
    const deployment = findDeployment(world, call);
    if ((0,emulator_reply/* isReply */.nK)(deployment))
        return deployment;
    const body = (0,json/* isObject */.G)(call.body) ? (0,model_dialect/* spell */.lO)(call.body, "document") : {};
    const given = (0,json/* isObject */.G)(body["source_revision_config"]) ? body["source_revision_config"] : {};
    const kept = Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== null && ["repo_ref", "graph_config_path", "image_uri"].includes(key)));
    const after = addRevision(world, deployment, { ...deployment.revisions.at(-1)?.config, ...kept }, "revision");
    world.store.put("deployments", after.id, after);
    return (0,emulator_reply.ok)((0,readback/* toRevision */.Hx)(after, after.revisions.at(-1), world.settings, world.now()), 201);
}
function postInterrupt(world, call) {
    const found = findRevision(world, call);
    if ((0,emulator_reply/* isReply */.nK)(found))
        return found;
    const { deployment, revision } = found;
    const now = world.now();
    const sight = (0,emulator_revision/* statusAt */.Or)((0,readback/* momentOf */.Et)(deployment, world.settings, now).timelines.get(revision.id), now);
    if (/^(DEPLOYED|SKIPPED|INTERRUPTED|.*_FAILED)$/.test(sight.status))
        return (0,emulator_reply/* refused */.J5)(400, `Revision ID ${revision.id} is ${sight.status} and cannot be interrupted.`);
    const runs = revision.runs.map((run, i) => i === revision.runs.length - 1 ? { ...run, cut: now } : run);
    const after = {
        ...deployment,
        revisions: deployment.revisions.map((one) => (one.id === revision.id ? { ...one, runs } : one)),
    };
    world.store.put("deployments", after.id, after);
    return (0,emulator_reply.ok)((0,readback/* toRevision */.Hx)(after, after.revisions.find((one) => one.id === revision.id), world.settings, now));
}
function deleteDeployment(world, call) {
    const deployment = findDeployment(world, call);
    if ((0,emulator_reply/* isReply */.nK)(deployment))
        return deployment;
    const { store, settings } = world;
    if (deployment.deleted_ms === null)
        store.put("deployments", deployment.id, { ...deployment, deleted_ms: world.now() });
    if (call.query.get("delete_tracing_project") === "true" || !settings.deleteKeepsProject) {
        const projects = store
            .all("sessions")
            .filter((one) => one.dataset_id === null &&
            one.name === deployment.name &&
            one.tenant_id === deployment.tenant_id);
        for (const project of projects)
            store.remove("sessions", project.id);
    }
    return { status: 204, text: "" };
}
function listIntegrations(world) {
    return (0,emulator_reply.ok)(world.store
        .all("integrations")
        .map(({ id, installation_id, name }) => ({ id, installation_id, name })));
}
function listRepos(world, call) {
    const integration = world.store.get("integrations", call.params["integration_id"].toLowerCase());
    return integration === undefined
        ? (0,emulator_reply/* refused */.J5)(404, `Integration ID ${call.params["integration_id"]} not found.`)
        : (0,emulator_reply.ok)(integration.repos);
}
const toListener = (one) => ({
    version: null,
    compute_type: "k8s",
    compute_id: one.compute_id,
    compute_config: { k8s_namespaces: one.k8s_namespaces },
    id: one.id,
    created_at: (0,readback/* iso */.KH)(one.created_ms),
    updated_at: (0,readback/* iso */.KH)(one.created_ms),
});
function listListeners(world, call) {
    const page = lookup_pageOf(world, call);
    return (0,emulator_reply/* isReply */.nK)(page) ? page : (0,emulator_reply.ok)(paged(world.store.all("listeners").map(toListener), page));
}
function getListener(world, call) {
    const found = world.store.get("listeners", call.params["listener_id"].toLowerCase());
    return found === undefined
        ? (0,emulator_reply/* refused */.J5)(404, `Listener ID ${call.params["listener_id"]} not found.`)
        : (0,emulator_reply.ok)(toListener(found));
}

;// CONCATENATED MODULE: ./build/emulator/route.js





const REVISION = "/v2/deployments/{deployment_id}/revisions/{revision_id}";
const hostedLookup = (settings) => !settings.strict;
const serves = (family) => ({ logs }) => logs.includes(family);
const info = () => (0,emulator_reply.ok)({ version: "0.0.0-emulator", instance_flags: {} });
const ROUTES = [
    { method: "POST", path: "/v2/deployments", answer: postDeployment },
    { method: "GET", path: "/v2/deployments", answer: listDeployments },
    { method: "GET", path: "/v2/deployments/{deployment_id}", answer: getDeployment },
    { method: "PATCH", path: "/v2/deployments/{deployment_id}", answer: patchDeployment },
    {
        method: "DELETE",
        path: "/v2/deployments/{deployment_id}",
        answer: deleteDeployment,
        served: (settings) => settings.remove,
    },
    {
        method: "GET",
        path: "/v2/deployments/{deployment_id}/revisions",
        answer: listRevisions,
        served: (settings) => settings.revisionList,
    },
    {
        method: "POST",
        path: "/v2/deployments/{deployment_id}/revisions",
        answer: postRevision,
        served: (settings) => settings.createRevision,
    },
    { method: "GET", path: REVISION, answer: getRevision },
    { method: "POST", path: `${REVISION}/redeploy`, answer: postRedeploy },
    {
        method: "POST",
        path: `${REVISION}/interrupt`,
        answer: postInterrupt,
        served: ({ interrupt }) => interrupt === "interrupt" || interrupt === "both",
    },
    {
        method: "POST",
        path: `${REVISION}/interruption`,
        answer: postInterrupt,
        served: ({ interrupt }) => interrupt === "interruption" || interrupt === "both",
    },
    { method: "GET", path: "/v1/integrations/repohost/install", answer: listIntegrations },
    { method: "GET", path: "/v1/integrations/github/install", answer: listIntegrations },
    {
        method: "GET",
        path: "/v1/integrations/github/{integration_id}/repos",
        answer: listRepos,
        served: hostedLookup,
    },
    {
        method: "GET",
        path: "/v1/integrations/repohost/{integration_id}/repos",
        answer: listRepos,
        served: hostedLookup,
    },
    { method: "GET", path: "/v2/listeners", answer: listListeners },
    {
        method: "GET",
        path: "/v2/listeners/{listener_id}",
        answer: getListener,
        served: hostedLookup,
    },
    { method: "GET", path: `${REVISION}/logs`, answer: getLogs, served: serves("revision-logs") },
    {
        method: "GET",
        path: "/v2/deployments/{deployment_id}/logs",
        answer: getLogs,
        served: serves("revision-logs"),
    },
    {
        method: "GET",
        path: "/v2/deployment-logs",
        answer: getDeploymentLogs,
        served: serves("deployment-logs"),
    },
    {
        method: "POST",
        path: "/v1/projects/{deployment_id}/revisions/{revision_id}/build_logs",
        answer: postLogs("build"),
        served: serves("project-logs"),
    },
    {
        method: "POST",
        path: "/v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs",
        answer: postLogs("deploy"),
        served: serves("project-logs"),
    },
    {
        method: "POST",
        path: "/v1/projects/{deployment_id}/deploy_logs",
        answer: postLogs("deploy"),
        served: serves("project-logs"),
    },
    {
        method: "POST",
        path: "/api/v1/datasets/upload-experiment",
        answer: postExperiment,
        streams: true,
    },
    {
        method: "GET",
        path: "/api/v1/sessions",
        answer: listSessions,
        served: ({ sessions }) => sessions,
    },
    {
        method: "GET",
        path: "/api/v1/sessions/{session_id}",
        answer: getSession,
        served: ({ sessions }) => sessions,
    },
    {
        method: "DELETE",
        path: "/api/v1/sessions/{session_id}",
        answer: deleteSession,
        served: ({ sessions }) => sessions,
    },
    {
        method: "GET",
        path: "/api/v1/datasets",
        answer: listDatasets,
        served: ({ sessions }) => sessions,
    },
    {
        method: "GET",
        path: "/api/v1/datasets/{dataset_id}",
        answer: getDataset,
        served: ({ sessions }) => sessions,
    },
    { method: "GET", path: "/info", answer: info, open: true },
    { method: "GET", path: "/api/v1/info", answer: info, open: true },
];
function findRoute(method, path, settings) {
    const segments = path.split("/");
    let others = false;
    for (const route of ROUTES) {
        if (route.served !== undefined && !route.served(settings))
            continue;
        const params = matchPath(route.path.split("/"), segments);
        if (params === null)
            continue;
        if (route.method === method)
            return { route, params };
        others = true;
    }
    return others ? 405 : 404;
}
function matchPath(pattern, segments) {
    if (pattern.length !== segments.length)
        return null;
    const params = {};
    for (const [i, part] of pattern.entries()) {
        const segment = segments[i];
        if (!part.startsWith("{")) {
            if (part !== segment)
                return null;
        }
        else {
            try {
                params[part.slice(1, -1)] = decodeURIComponent(segment);
            }
            catch {
                params[part.slice(1, -1)] = segment;
            }
        }
    }
    return params;
}

;// CONCATENATED MODULE: ./build/emulator/seed.js






const DEFAULT_SEED = {
    integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
    listeners: [
        {
            id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            compute_id: "emulator-cluster",
            k8s_namespaces: ["default"],
        },
    ],
};
function seedWorld(world, seed) {
    const { store } = world;
    for (const [i, one] of (seed.integrations ?? []).entries()) {
        const id = (one.id ?? uuidOf(`integration ${i} ${one.name}`)).toLowerCase();
        const repos = (one.repos ?? []).map((repo, k) => ({
            host_integration_id: id,
            id: k + 1,
            name: "",
            owner: one.name,
            url: "",
            default_branch: "main",
            ...repo,
        }));
        store.put("integrations", id, { id, installation_id: 1000 + i, name: one.name, repos });
    }
    for (const [i, one] of (seed.listeners ?? []).entries()) {
        const id = (one.id ?? uuidOf(`listener ${i}`)).toLowerCase();
        store.put("listeners", id, {
            id,
            compute_id: one.compute_id ?? `cluster-${i}`,
            k8s_namespaces: one.k8s_namespaces ?? null,
            created_ms: world.now(),
        });
    }
    for (const [repo, refs] of Object.entries(seed.heads ?? {})) {
        for (const [ref, commit] of Object.entries(refs))
            store.put("heads", `${normaliseRepo(repo)} ${ref}`, commit);
    }
    for (const one of seed.datasets ?? []) {
        const id = (one.id ?? uuidOf(`dataset ${one.name}`)).toLowerCase();
        store.put("datasets", id, {
            id,
            tenant_id: DEFAULT_TENANT,
            name: one.name,
            description: null,
            created_ms: world.now(),
            modified_ms: world.now(),
            externally_managed: one.externally_managed ?? false,
            examples: [],
        });
    }
    for (const one of seed.deployments ?? [])
        seedDeployment({ ...world, now: () => world.now() - 86_400_000 }, one);
    store.commit();
}
const withoutNulls = (value) => Object.fromEntries(Object.entries((0,json/* isObject */.G)(value) ? value : {}).filter(([, item]) => item !== null));
function seedDeployment(world, given) {
    const body = (0,model_dialect/* spell */.lO)(given, "document");
    const outcome = body["outcome"];
    makeDeployment(world, {
        name: String(body["name"]),
        source: String(body["source"]),
        dialect: (0,model_dialect/* dialectOf */.E3)(given["source"]) ?? "document",
        source_config: withoutNulls(body["source_config"]),
        source_revision_config: withoutNulls(body["source_revision_config"]),
        secrets: (body["secrets"] ?? []),
        secret_references: body["secret_references"] ?? null,
        tenant_id: typeof body["tenant_id"] === "string" ? body["tenant_id"].toLowerCase() : null,
        rule: emulator_revision/* OUTCOMES */.im.includes(outcome)
            ? { outcome: outcome }
            : {},
        ...(typeof body["id"] === "string" ? { id: body["id"].toLowerCase() } : {}),
    });
}

;// CONCATENATED MODULE: ./build/emulator/page.js



const page_escape = (text) => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
const page_time = (ms) => `<time datetime="${(0,readback/* iso */.KH)(ms)}">${(0,readback/* iso */.KH)(ms).slice(0, 19).replace("T", " ")}</time>`;
function duration(ms) {
    if (ms < 9950)
        return `${(ms / 1000).toFixed(1)} s`;
    const seconds = Math.round(ms / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
const STYLE = `
:root{color-scheme:light dark;--fg:#1c2024;--dim:#5b6470;--bg:#fff;--line:#d5dae0;--soft:#f4f6f8;--ok:#116329;--bad:#a40e26;--run:#0550ae}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--dim:#9aa4af;--bg:#14171a;--line:#363c43;--soft:#1d2226;--ok:#5fd07f;--bad:#ff8f99;--run:#7ab8ff}}
body{margin:0 auto;max-width:64rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:0}p{margin:.3rem 0}
a{color:var(--run)}article{border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;margin:.8rem 0}
.dim{color:var(--dim);font-size:.875rem}.why{color:var(--bad);font-size:.875rem;margin:0}.nw{white-space:nowrap}code{font-size:.875rem;overflow-wrap:anywhere}
ol.runs{list-style:none;padding:0;margin:.6rem 0 0}ol.runs>li{border-top:1px solid var(--line);padding:.5rem 0}
ol.line{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;padding:0;margin:.3rem 0 0}
ol.line li{background:var(--soft);border-left:.25rem solid var(--run);padding:.1rem .5rem;font-size:.8rem}
ol.line li.ok{border-color:var(--ok)}ol.line li.bad{border-color:var(--bad)}
b.ok{color:var(--ok)}b.bad{color:var(--bad)}b.run{color:var(--run)}
form{margin-bottom:.6rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:end}label{display:grid;font-size:.875rem}select{max-width:80vw}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
button,select{font:inherit;padding:.25rem .6rem}:focus-visible{outline:2px solid var(--run);outline-offset:2px}
`;
const tone = (status) => status === "DEPLOYED" ? "ok" : /FAILED|INTERRUPTED|SKIPPED/.test(status) ? "bad" : "run";
function renderTimeline(sights, now) {
    const seen = sights.filter((sight) => sight.at <= now);
    const steps = seen.map((sight, i) => {
        const next = seen[i + 1];
        const lasted = next === undefined ? "" : ` ${duration(next.at - sight.at)}`;
        return `<li class="${tone(sight.status)}">${page_escape(sight.status)}<span class="dim">${lasted}</span></li>`;
    });
    return `<ol class="line" aria-label="Timeline">${steps.join("")}</ol>`;
}
function renderDeployment(world, one) {
    const now = world.now();
    const moment = (0,readback/* momentOf */.Et)(one, world.settings, now);
    const revisions = one.revisions
        .toReversed()
        .slice(0, 10)
        .map((revision) => {
        const sights = moment.timelines.get(revision.id);
        const { status } = (0,emulator_revision/* statusAt */.Or)(sights, now);
        const built = revision.config["image_uri"] ?? revision.config["repo_ref"] ?? "";
        const why = revision.status_message !== null && tone(status) === "bad"
            ? `<p class="why">${page_escape(revision.status_message)}</p>`
            : "";
        return `<li>Revision ${revision.number} <b class="${tone(status)}">${page_escape(status)}</b>${moment.active?.id === revision.id ? " · active" : ""}
<span class="dim">by ${page_escape(revision.cause)} at ${page_time(revision.created_ms)}</span>${why}<div class="dim"><code>${page_escape(String(built))}</code> · <code>${revision.id}</code></div>${renderTimeline(sights, now)}</li>`;
    });
    const more = one.revisions.length > 10
        ? `<p class="dim">and ${one.revisions.length - 10} older revisions</p>`
        : "";
    return `<article><h3>${page_escape(one.name)}</h3><div class="dim">${page_escape(one.source)} · ${moment.status} · <code>${one.id}</code></div><ol class="runs">${revisions.join("")}</ol>${more}</article>`;
}
function meansOf(world, one) {
    const stats = one.statistics["feedback_stats"] ?? null;
    if (!(0,json/* isObject */.G)(stats) || world.now() < one.created_ms + world.settings.lags.statistics)
        return new Map();
    return new Map(Object.entries(stats).flatMap(([key, { avg }]) => typeof avg === "number" ? [[key, avg]] : []));
}
function renderExperiments(world, experiments) {
    if (experiments.length === 0)
        return `<p>None yet. <code>POST /api/v1/datasets/upload-experiment</code> makes one.</p>`;
    const rows = experiments.slice(0, 100).map((one) => {
        const scores = [...meansOf(world, one)]
            .map(([key, mean]) => `<span class="nw">${page_escape(key)} ${mean.toFixed(3)}</span>`)
            .join(", ");
        const dataset = world.store.get("datasets", one.dataset_id)?.name ?? "";
        return `<tr><th scope="row">${page_escape(one.name)}</th><td>${page_escape(dataset)}</td><td class="n">${one.test_run_number}</td><td class="n">${String(one.statistics["run_count"] ?? "")}</td><td>${scores === "" ? '<span class="dim">not yet</span>' : scores}</td></tr>`;
    });
    return `<div class="wide" tabindex="0" role="region" aria-label="Experiments"><table><thead><tr><th scope="col">Experiment</th><th scope="col">Dataset</th><th scope="col" class="n">Run</th><th scope="col" class="n">Rows</th><th scope="col">Mean scores</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
function renderComparison(world, experiments, query) {
    if (experiments.length < 2)
        return "";
    const find = (name, fallback) => experiments.find((one) => one.id === query.get(name)) ?? experiments[fallback];
    const base = find("base", 1);
    const head = find("head", 0);
    const picker = (name, chosen) => `<label>${name === "base" ? "base (before)" : "head (after)"} <select name="${name}">${experiments.map((one) => `<option value="${one.id}"${one === chosen ? " selected" : ""}>${page_escape(one.name)}</option>`).join("")}</select></label>`;
    const [before, after] = [meansOf(world, base), meansOf(world, head)];
    const rows = [...new Set([...before.keys(), ...after.keys()])].sort().map((key) => {
        const [a, b] = [before.get(key), after.get(key)];
        const show = (value) => value?.toFixed(3) ?? "none";
        const delta = a === undefined || b === undefined
            ? ""
            : `${b >= a ? "+" : "−"}${Math.abs(b - a).toFixed(3)}`;
        return `<tr><th scope="row">${page_escape(key)}</th><td class="n">${show(a)}</td><td class="n">${show(b)}</td><td class="n">${delta}</td></tr>`;
    });
    if (rows.length === 0)
        rows.push(`<tr><td colspan="4" class="dim">no scores yet</td></tr>`);
    return `<h2>Comparison</h2><form method="get">${picker("base", base)} ${picker("head", head)} <button>Compare</button></form>
<div class="wide" tabindex="0" role="region" aria-label="Comparison"><table><thead><tr><th scope="col">Mean score</th><th scope="col" class="n">base</th><th scope="col" class="n">head</th><th scope="col" class="n">difference</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
function renderPage(world, query) {
    const lags = world.settings.lags;
    const deployments = world.store
        .all("deployments")
        .filter((one) => one.deleted_ms === null || one.deleted_ms + lags.delete > world.now())
        .toReversed();
    const experiments = world.store
        .all("sessions")
        .filter((one) => one.dataset_id !== null)
        .toReversed();
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Emulator: ${deployments.length} deployments</title><style>${STYLE}</style></head><body>
<header><h1>Emulator</h1><p>A stand-in for the deployment service, on this machine. Nothing here is deployed anywhere.</p><p class="dim">As of ${page_time(world.now())} UTC. <a href="/">Refresh</a> · <a href="/_emulator/requests">requests</a> · <a href="/_emulator/state">state</a> · <a href="/_emulator/choices">choices</a></p></header>
<main><h2>Deployments</h2>${deployments.length === 0
        ? "<p>None yet. <code>POST /v2/deployments</code> makes one.</p>"
        : deployments
            .slice(0, 100)
            .map((one) => renderDeployment(world, one))
            .join("")}
<h2>Experiments</h2>${renderExperiments(world, experiments)}${renderComparison(world, experiments, query)}</main></body></html>`;
}

;// CONCATENATED MODULE: ./build/emulator/state-dump.js



function dumpDeployment(world, one) {
    const now = world.now();
    const moment = (0,readback/* momentOf */.Et)(one, world.settings, now);
    const gone = one.deleted_ms !== null && one.deleted_ms + world.settings.lags.delete <= now;
    return {
        ...maskBody({
            id: one.id,
            name: one.name,
            source: one.source,
            source_config: one.source_config,
            source_revision_config: one.revisions.at(-1)?.config ?? {},
            secrets: one.secrets,
            secret_references: one.secret_references,
        }),
        tenant_id: one.tenant_id,
        status: moment.status,
        deleted: gone,
        created_at: (0,readback/* iso */.KH)(one.created_ms),
        updated_at: (0,readback/* iso */.KH)(one.updated_ms),
        latest_revision_id: one.revisions.at(-1)?.id ?? null,
        active_revision_id: moment.active?.id ?? null,
        revisions: one.revisions.map((revision) => {
            const sights = moment.timelines.get(revision.id);
            return {
                id: revision.id,
                number: revision.number,
                cause: revision.cause,
                status: (0,emulator_revision/* statusAt */.Or)(sights, now).status,
                created_at: (0,readback/* iso */.KH)(revision.created_ms),
                source_revision_config: maskBody(revision.config),
                timeline: sights
                    .filter((sight) => sight.at <= now)
                    .map((sight) => ({ at: (0,readback/* iso */.KH)(sight.at), status: sight.status })),
            };
        }),
    };
}
function dumpState(world) {
    const { store } = world;
    return {
        now: (0,readback/* iso */.KH)(world.now()),
        deployments: store.all("deployments").map((one) => dumpDeployment(world, one)),
        datasets: store.all("datasets").map(({ examples, ...one }) => ({
            ...one,
            example_count: examples.length,
        })),
        sessions: store.all("sessions"),
        integrations: store.all("integrations"),
        listeners: store.all("listeners"),
        heads: Object.fromEntries(store
            .entries()
            .filter(([table]) => table === "heads")
            .map(([, key, value]) => [key, value])),
    };
}

;// CONCATENATED MODULE: ./build/emulator/store.js
const TABLE_NAMES = [
    "deployments",
    "datasets",
    "sessions",
    "integrations",
    "listeners",
    "heads",
];
function createStore(entries, journal) {
    const tables = new Map(TABLE_NAMES.map((name) => [name, new Map()]));
    let pending = [];
    const apply = ([table, key, value]) => {
        if (value === null)
            tables.get(table)?.delete(key);
        else
            tables.get(table)?.set(key, value);
    };
    entries.forEach(apply);
    const write = (entry) => {
        apply(entry);
        pending.push(entry);
    };
    const list = () => TABLE_NAMES.flatMap((name) => [...tables.get(name)].map(([key, value]) => [name, key, value]));
    return {
        get: (table, key) => tables.get(table).get(key),
        all: (table) => [...tables.get(table).values()],
        put: (table, key, value) => write([table, key, value]),
        remove: (table, key) => write([table, key, null]),
        commit: () => {
            if (pending.length === 0)
                return;
            const entriesToKeep = pending;
            pending = [];
            journal?.append(entriesToKeep);
        },
        clear: () => {
            for (const table of tables.values())
                table.clear();
            pending = [];
            journal?.rewrite([]);
        },
        entries: list,
    };
}

;// CONCATENATED MODULE: ./build/emulator/wire-fault.js
const WHOLE = { kind: "whole" };
const TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    408: "Request Timeout",
    409: "Conflict",
    425: "Too Early",
    429: "Too Many Requests",
    500: "Internal Server Error",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
};
function toAnswer(reply) {
    const body = reply.text ?? (reply.body === undefined ? "" : JSON.stringify(reply.body));
    const type = reply.text === undefined && reply.body !== undefined
        ? { "content-type": "application/json" }
        : {};
    return { status: reply.status, headers: { ...type, ...reply.headers }, body, wire: WHOLE };
}
const wire_fault_page = (title, filler = "") => `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>${filler}</body></html>\n`;
function errorPage(rule, status, filler = "") {
    if (rule.body !== undefined && filler === "") {
        return {
            status,
            headers: { "content-type": "application/json", ...rule.headers },
            body: JSON.stringify(rule.body),
            wire: WHOLE,
        };
    }
    const title = `${status} ${TITLES[status] ?? "Error"}`;
    if (filler === "" && ![502, 503, 504].includes(status)) {
        return {
            status,
            headers: { "content-type": "application/json", ...rule.headers },
            body: JSON.stringify({ detail: TITLES[status] ?? "Error" }),
            wire: WHOLE,
        };
    }
    return {
        status,
        headers: { "content-type": "text/html", ...rule.headers },
        body: wire_fault_page(title, filler),
        wire: WHOLE,
    };
}
const HUGE_BYTES = 10 * 1024 * 1024;
function injectFault(rule, answer) {
    const ms = rule.ms ?? 200;
    switch (rule.kind) {
        case "delay":
            return answer;
        case "status":
            return errorPage(rule, rule.status ?? 503);
        case "huge":
            return errorPage(rule, rule.status ?? 502, "x".repeat(HUGE_BYTES));
        case "redirect":
            return {
                status: rule.status ?? 307,
                headers: { location: rule.location ?? "https://login.emulator.invalid/", ...rule.headers },
                body: "",
                wire: WHOLE,
            };
        case "reset-before":
        case "reset-after":
            return { ...answer, wire: { kind: "reset" } };
        case "refuse":
            return { ...answer, wire: { kind: "refuse", ms, answered: false } };
        case "refuse-after":
            return { ...answer, wire: { kind: "refuse", ms, answered: true } };
        case "truncate":
            return { ...answer, wire: { kind: "truncate" } };
        case "malformed":
            return {
                ...answer,
                headers: { ...answer.headers, "content-type": "application/json" },
                body: answer.body.slice(0, Math.max(1, Math.floor(answer.body.length / 2))),
            };
        case "wrong-type":
            return {
                ...answer,
                headers: { ...answer.headers, "content-type": "text/html" },
                body: wire_fault_page("Sign in"),
            };
        case "drip":
            return { ...answer, wire: { kind: "drip", ms: rule.ms ?? 5 } };
    }
}
function connectionError(code) {
    const cause = Object.assign(new Error(code === "ECONNRESET" ? "read ECONNRESET" : "connect ECONNREFUSED 127.0.0.1"), { code, syscall: code === "ECONNRESET" ? "read" : "connect" });
    return new TypeError("fetch failed", { cause });
}

;// CONCATENATED MODULE: ./build/emulator/emulator.js
















function toClock(given) {
    if (given === undefined || !("manual" in given)) {
        return {
            clock: given ?? build_clock/* systemClock */.m,
            step: () => undefined,
            advance: () => {
                throw new Error("the emulator's clock is not manual: start it with clock: { manual: true }");
            },
        };
    }
    const manual = given;
    let now = manual.startMs ?? Date.UTC(2026, 0, 1);
    const advance = (ms) => {
        now += ms;
    };
    const clock = {
        now: () => now,
        monotonic: () => now,
        sleep: async (ms) => {
            advance(ms);
        },
    };
    return { clock, advance, step: () => advance(manual.stepMs ?? 0) };
}
const PAGE_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
};
const MOST_BODY_CHARS = 400 * 1024 * 1024;
function createEmulator(given = {}, kept) {
    let options = given;
    let settings = toSettings(options);
    const rules = createRuleBook(options.revisions ?? []);
    const { clock, advance, step } = toClock(options.clock);
    const store = createStore(kept?.entries ?? [], kept?.journal ?? null);
    const faults = (0,emulator_fault/* createFaults */.is)(options.faults ?? []);
    const log = createRequestLog();
    const limiter = createLimiter();
    const world = {
        get settings() {
            return settings;
        },
        get phases() {
            return settings.phases;
        },
        store,
        now: clock.now,
        newId: () => toUuid(options.random),
        ruleFor: rules.take,
    };
    if (kept === undefined || kept.entries.length === 0)
        seedWorld(world, options.seed ?? DEFAULT_SEED);
    const reset = () => {
        store.clear();
        faults.clear();
        faults.add(options.faults ?? []);
        rules.restart();
        log.clear();
        limiter.clear();
        seedWorld(world, options.seed ?? DEFAULT_SEED);
    };
    const emulator = {
        fetch: async (request, ip = "127.0.0.1") => toResponse(await emulator.answer(request, ip), clock),
        answer: async (request, ip) => {
            const url = new URL(request.url);
            const admin = await (0,emulator_admin/* answerAdmin */.g)(emulator, request, url);
            if (admin !== null)
                return toAnswer(admin);
            if (url.pathname === "/" && request.method === "GET")
                return toAnswer({
                    status: 200,
                    text: renderPage(world, url.searchParams),
                    headers: PAGE_HEADERS,
                });
            step();
            return answerService({ world, log, faults, limiter, clock }, request, url, ip);
        },
        now: clock.now,
        advance,
        reset,
        requests: log.list,
        clearRequests: log.clear,
        state: () => dumpState(world),
        push: ({ repo_url, ref, commit }) => {
            const built = push(world, repo_url, ref, commit);
            store.commit();
            return built;
        },
        addFaults: faults.add,
        clearFaults: faults.clear,
        faults: () => faults.list(),
        addRevisionRules: rules.add,
        seed: (seed) => seedWorld(world, seed),
        configure: (more) => {
            options = { ...options, ...more };
            settings = toSettings(options);
        },
        settings: () => settings,
        world,
        close: () => kept?.journal.close(),
    };
    return emulator;
}
function createRuleBook(initial) {
    const arm = (rules) => rules.map((rule) => ({ rule, left: rule.times === 0 ? Infinity : (rule.times ?? 1) }));
    let armed = arm(initial);
    return {
        take: (deployment, revision) => {
            const found = armed.find((one) => one.left > 0 &&
                (one.rule.deployment ?? deployment) === deployment &&
                (one.rule.revision ?? revision) === revision);
            if (found === undefined)
                return {};
            found.left -= 1;
            return found.rule;
        },
        add: (rules) => {
            armed = [...armed, ...arm(rules)];
        },
        restart: () => {
            armed = arm(initial);
        },
    };
}
function servicePath(url) {
    const path = url.pathname.replace(/^\/api-host(?=\/)/, "").replace(/^\/api(?=\/v2\/)/, "");
    return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
async function answerService(parts, request, url, ip) {
    const { world, log, faults, limiter, clock } = parts;
    const path = servicePath(url);
    const fault = faults.meet(request.method, path);
    const shown = { body: null };
    let broke = null;
    const limited = world.settings.limits === "on"
        ? limiter.count({ method: request.method, path, headers: request.headers, ip, now: clock.now() }, world.settings)
        : null;
    let answer;
    if (limited !== null)
        answer = toAnswer(limited);
    else if (fault !== null && !(0,emulator_fault/* takesEffect */.MK)(fault))
        answer = injectFault(fault, toAnswer((0,emulator_reply/* refused */.J5)(503, "Service Unavailable")));
    else {
        answer = toAnswer(await run(world, request, url, path, shown).catch((error) => {
            broke = `emulator error: ${error.message}`;
            return (0,emulator_reply/* refused */.J5)(500, "Internal Server Error");
        }));
    }
    if (limited !== null || (fault !== null && !(0,emulator_fault/* takesEffect */.MK)(fault)))
        await readForLog(request, shown);
    if (fault?.kind === "delay" ||
        (fault?.ms !== undefined && !["drip", "refuse", "refuse-after"].includes(fault.kind)))
        await clock.sleep(fault.ms ?? 1000);
    if (fault !== null && limited === null && (0,emulator_fault/* takesEffect */.MK)(fault))
        answer = injectFault(fault, answer);
    const broken = answer.wire.kind === "reset" || (answer.wire.kind === "refuse" && !answer.wire.answered);
    log.add({
        at: new Date(clock.now()).toISOString(),
        method: request.method,
        path: url.pathname,
        query: url.search.slice(1),
        headers: toLoggedHeaders(request.headers),
        body: shown.body,
        status: broken ? null : answer.status,
        fault: broke ?? fault?.kind ?? null,
    });
    return answer;
}
async function readForLog(request, shown) {
    if (request.body === null || /upload-experiment$/.test(new URL(request.url).pathname)) {
        await request.body?.cancel();
        return;
    }
    try {
        shown.body = maskBody(JSON.parse(await request.text()));
    }
    catch {
        shown.body = null;
    }
}
async function run(world, request, url, path, shown) {
    const found = findRoute(request.method, path, world.settings);
    if (found === 404)
        return (0,emulator_reply/* refused */.J5)(404, "Not Found");
    if (found === 405)
        return (0,emulator_reply/* refused */.J5)(405, "Method Not Allowed");
    const caller = found.route.open === true ? { tenant_id: "" } : authenticate(request.headers, world.settings);
    if ((0,emulator_reply/* isReply */.nK)(caller)) {
        await request.body?.cancel();
        return caller;
    }
    let body;
    if (found.route.streams !== true && request.body !== null) {
        const text = await request.text();
        if (text.length > MOST_BODY_CHARS)
            return (0,emulator_reply/* refused */.J5)(413, "Request Entity Too Large");
        if (text.trim() !== "") {
            try {
                body = JSON.parse(text);
            }
            catch {
                return (0,emulator_reply/* invalid */.Gq)([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }], false);
            }
            shown.body = maskBody(body);
        }
    }
    const call = {
        params: found.params,
        query: url.searchParams,
        body,
        stream: found.route.streams === true ? request.body : null,
        caller,
        origin: url.origin,
        note: (summary) => {
            shown.body = summary;
        },
    };
    const reply = await found.route.answer(world, call);
    world.store.commit();
    return reply;
}
function toResponse(answer, clock) {
    const { wire, status, headers, body } = answer;
    if (wire.kind === "reset")
        throw connectionError("ECONNRESET");
    if (wire.kind === "refuse" && !wire.answered)
        throw connectionError("ECONNREFUSED");
    const bodiless = status === 204 || status === 304;
    if (wire.kind === "whole" || wire.kind === "refuse" || bodiless)
        return new Response(bodiless ? null : body, { status, headers });
    const bytes = new TextEncoder().encode(body);
    let at = 0;
    const stream = new ReadableStream({
        pull: async (controller) => {
            if (wire.kind === "truncate") {
                if (at === 0)
                    controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
                else
                    controller.error(connectionError("ECONNRESET"));
                at = bytes.length;
                return;
            }
            await clock.sleep(wire.ms);
            controller.enqueue(bytes.slice(at, at + 16));
            at += 16;
            if (at >= bytes.length)
                controller.close();
        },
    });
    return new Response(stream, { status, headers });
}

;// CONCATENATED MODULE: ./build/emulator/server.js


async function startEmulator(options = {}, kept) {
    const emulator = createEmulator(options, kept);
    const host = options.host ?? "127.0.0.1";
    const server = (0,external_node_http_.createServer)({ keepAliveTimeout: 30_000 });
    const listening = { closed: false, reopening: null };
    await listen(server, options.port ?? 0, host);
    const { port } = server.address();
    const url = `http://${host.includes(":") ? `[${host}]` : host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
    const refuse = (ms) => {
        server.close();
        server.closeAllConnections();
        if (listening.reopening !== null)
            clearTimeout(listening.reopening);
        listening.reopening = setTimeout(() => {
            if (!listening.closed)
                server.listen(port, host);
        }, ms);
    };
    server.on("request", (incoming, outgoing) => {
        void answerOver(emulator, url, incoming, outgoing, refuse).catch(() => outgoing.destroy());
    });
    server.on("error", () => undefined);
    return {
        url,
        emulator,
        close: async () => {
            listening.closed = true;
            if (listening.reopening !== null)
                clearTimeout(listening.reopening);
            await new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            });
            emulator.close();
        },
    };
}
function listen(server, port, host) {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
            server.off("error", reject);
            resolve();
        });
    });
}
function toStream(incoming) {
    const chunks = incoming[Symbol.asyncIterator]();
    const drain = async () => {
        while ((await chunks.next()).done !== true)
            ;
    };
    return new ReadableStream({
        pull: async (controller) => {
            const { done, value } = await chunks.next();
            if (done === true)
                controller.close();
            else
                controller.enqueue(new Uint8Array(value));
        },
        cancel: () => {
            void drain().catch(() => undefined);
        },
    });
}
function toRequest(base, incoming) {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) {
        for (const one of Array.isArray(value) ? value : [value ?? ""])
            headers.append(name, one);
    }
    const host = incoming.headers.host;
    const origin = host === undefined ? base : `http://${host}`;
    const method = incoming.method ?? "GET";
    const bodied = (method !== "GET" &&
        method !== "HEAD" &&
        (incoming.headers["content-length"] ?? "0") !== "0") ||
        incoming.headers["transfer-encoding"] !== undefined;
    const url = new URL(incoming.url ?? "/", origin);
    if (!bodied || method === "GET" || method === "HEAD")
        return new Request(url, { method, headers });
    return new Request(url, {
        method,
        headers,
        body: toStream(incoming),
        duplex: "half",
    });
}
async function answerOver(emulator, base, incoming, outgoing, refuse) {
    const ip = incoming.headers["x-forwarded-for"]?.toString().split(",")[0]?.trim() ??
        incoming.socket.remoteAddress ??
        "127.0.0.1";
    const answer = await emulator.answer(toRequest(base, incoming), ip);
    const { wire } = answer;
    if (wire.kind === "reset")
        incoming.socket.resetAndDestroy();
    else if (wire.kind === "refuse" && !wire.answered)
        refuse(wire.ms);
    else if (wire.kind === "truncate")
        sendHalf(answer, incoming, outgoing);
    else if (wire.kind === "drip")
        await drip(answer, wire.ms, outgoing);
    else {
        const last = wire.kind === "refuse" ? { connection: "close" } : {};
        outgoing.writeHead(answer.status, { ...lengthOf(answer), ...answer.headers, ...last });
        outgoing.end(answer.status === 204 ? undefined : answer.body, () => {
            if (wire.kind === "refuse")
                setImmediate(refuse, wire.ms);
        });
    }
}
const lengthOf = (answer) => answer.status === 204 ? {} : { "content-length": String(Buffer.byteLength(answer.body)) };
function sendHalf(answer, incoming, outgoing) {
    outgoing.writeHead(answer.status, { ...lengthOf(answer), ...answer.headers });
    outgoing.write(answer.body.slice(0, Math.ceil(answer.body.length / 2)), () => incoming.socket.destroy());
}
async function drip(answer, ms, outgoing) {
    outgoing.writeHead(answer.status, { ...lengthOf(answer), ...answer.headers });
    const bytes = Buffer.from(answer.body);
    for (let at = 0; at < bytes.length && !outgoing.destroyed; at += 16) {
        outgoing.write(bytes.subarray(at, at + 16));
        await new Promise((resolve) => setTimeout(resolve, ms));
    }
    outgoing.end();
}


/***/ })

};
;