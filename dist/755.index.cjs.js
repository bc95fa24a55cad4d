"use strict";
exports.id = 755;
exports.ids = [755];
exports.modules = {

/***/ 7755:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  T: () => (/* binding */ idOf),
  J: () => (/* binding */ prepareDeployment)
});

// EXTERNAL MODULE: ./build/plan/decision.js
var decision = __webpack_require__(142);
// EXTERNAL MODULE: ./build/plan/value.js
var value = __webpack_require__(5499);
// EXTERNAL MODULE: ./build/service/control-plane.js
var control_plane = __webpack_require__(2502);
// EXTERNAL MODULE: ./build/deploy/identity.js
var identity = __webpack_require__(1462);
// EXTERNAL MODULE: ./build/plan/commit.js
var plan_commit = __webpack_require__(8873);
// EXTERNAL MODULE: ./build/spec/glob.js
var glob = __webpack_require__(3118);
;// CONCATENATED MODULE: ./build/deploy/wanted-commit.js



function toRepositoryKey(url) {
    const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[:/]+(.+?)(?:\.git)?\/*$/i.exec(url.trim());
    return match === null ? undefined : `${match[1]}/${match[2]}`.toLowerCase();
}
const fullRef = (ref) => (ref.startsWith("refs/") ? ref : `refs/heads/${ref}`);
function isThisRepository(repoUrl, run) {
    if (run.repository === null || typeof repoUrl !== "string")
        return false;
    return toRepositoryKey(repoUrl) === toRepositoryKey(`${run.serverUrl}/${run.repository}`);
}
async function checkCommit(desired, found, given, run, repository) {
    const skipped = (why, onMerge = false) => ({
        state: "skipped",
        why,
        onMerge,
    });
    if (desired.source !== "repohost")
        return skipped("");
    const live = found.state === "live" ? found.deployment : null;
    const ours = isThisRepository((0,value/* valueAt */.fK)(desired.body, "source_config.repo_url") ??
        (live === null ? null : (0,value/* valueAt */.fK)(live.body, "source_config.repo_url")), run);
    const commit = given ?? (run.sha === "" ? null : run.sha);
    if (given === null) {
        const ref = (0,value/* valueAt */.fK)(desired.body, "source_revision_config.repo_ref");
        if (run.repository === null)
            return skipped("this run does not say which commit it is for (input commit)");
        if (!ours)
            return skipped("repo_url is another repository than this run's (input commit)");
        if (typeof ref !== "string")
            return skipped("the spec names no repo_ref");
        if (fullRef(ref) !== run.ref)
            return skipped(`repo_ref is ${ref}, this run is on ${run.ref}`, run.baseRef !== null && fullRef(ref) === fullRef(run.baseRef));
    }
    if (commit === null)
        return skipped("this run does not say which commit it is for (input commit)");
    if (live === null)
        return { state: "wanted", commit, relation: "unknown", pathsChanged: "unknown" };
    const before = (0,plan_commit/* liveCommit */.MQ)(live);
    if (before === null || (0,plan_commit/* sameCommit */.Kd)(before, commit))
        return { state: "wanted", commit, relation: "identical", pathsChanged: "unknown" };
    const { relation, files } = await repository.compare(before, commit, { gitOnly: !ours });
    const { paths } = desired.deploy;
    const changed = paths.length === 0 || files === null
        ? "unknown"
        : files.some((file) => (0,glob/* matchesGlob */.kt)(paths, file))
            ? "yes"
            : "no";
    return { state: "wanted", commit, relation, pathsChanged: changed };
}

;// CONCATENATED MODULE: ./build/deploy/prepare.js





function idOf(context, desired) {
    return context.policy.deploymentId ?? desired.deploy.id ?? null;
}
async function prepareDeployment(context, directory, desired, fresh = false) {
    const found = await (0,identity/* findLive */.KI)(context.controlPlane, desired, idOf(context, desired), fresh ? directory.findAgain : directory.find);
    const commit = await checkCommit(desired, found, context.policy.commit, context.run, context.repository);
    const creates = found.state === "absent" || found.state === "deleting" || found.state === "lookup-unavailable";
    const lookups = creates && context.policy.create !== "never"
        ? await readLookups(context, desired)
        : { integrations: null, listeners: null };
    return {
        desired,
        found,
        commit,
        lookups,
        planned: (0,decision/* planDeployment */.H)({ desired, found, commit, lookups, policy: context.policy }),
    };
}
const LISTENERS_WITHIN_MS = 15_000;
function briefly({ controlPlane, clock, signal }) {
    return (controlPlane.within?.({ deadlineMs: clock.monotonic() + LISTENERS_WITHIN_MS, signal }) ??
        controlPlane);
}
async function readLookups(context, desired) {
    const read = async (wanted, call) => {
        if (!wanted)
            return null;
        try {
            return await call();
        }
        catch (error) {
            const status = error instanceof control_plane/* ServiceError */._ ? error.status : null;
            if (status === 403 || status === 404 || status === 405 || status === 501)
                return null;
            throw error;
        }
    };
    const absent = (path) => (0,value/* isNull */.kZ)((0,value/* valueAt */.fK)(desired.body, path));
    const integrations = await read(desired.source === "repohost" && absent("source_config.integration_id"), () => context.controlPlane.listIntegrations(desired.dialect));
    const written = !(0,value/* isNull */.kZ)(desired.body["source_config"]);
    const wantsListener = desired.source === "external_container" && written && absent("source_config.listener_id");
    try {
        const listeners = await read(wantsListener, () => briefly(context).listListeners());
        return {
            integrations,
            listeners: listeners?.map((listener) => ({ id: listener.id, name: listener.compute_id })) ?? null,
        };
    }
    catch (error) {
        if (!(error instanceof control_plane/* ServiceError */._))
            throw error;
        context.signal.throwIfAborted();
        return { integrations, listeners: null, listenersUnread: error.message };
    }
}


/***/ }),

/***/ 8873:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kd: () => (/* binding */ sameCommit),
/* harmony export */   MQ: () => (/* binding */ liveCommit),
/* harmony export */   xQ: () => (/* binding */ judgeCommit)
/* harmony export */ });
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5499);

const REPO_COMMIT = "source_revision_config.repo_commit_sha";
const short = (commit) => commit.slice(0, 12);
function sameCommit(a, b) {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()];
    return x === y || (Math.min(x.length, y.length) >= 7 && (x.startsWith(y) || y.startsWith(x)));
}
function liveCommit(live) {
    const commit = (0,_value_js__WEBPACK_IMPORTED_MODULE_0__/* .valueAt */ .fK)(live.body, REPO_COMMIT);
    return typeof commit === "string" && commit !== "" ? commit : null;
}
function judgeCommit(desired, live, check, force) {
    const nothing = (...notes) => ({ change: null, blocker: null, notes });
    if (desired.source !== "repohost")
        return nothing();
    if (check.state === "skipped") {
        if (check.onMerge)
            return nothing("on merge: builds the merged commit");
        return nothing(...(check.why === "" ? [] : [`the commit is not compared: ${check.why}`]));
    }
    const before = liveCommit(live);
    if (before === null)
        return nothing("the commit is not compared: the service does not return repo_commit_sha");
    if (sameCommit(before, check.commit) || check.relation === "identical")
        return nothing();
    if (check.relation === "behind" && !force) {
        return {
            change: null,
            notes: [],
            blocker: {
                code: "older-commit",
                path: REPO_COMMIT,
                message: `commit ${short(check.commit)} is an ancestor of ${short(before)}, which is live: an older run must not roll back a newer one. ` +
                    "Run again on the newest commit, or set force: true to build the branch again",
            },
        };
    }
    if (check.pathsChanged === "no") {
        return nothing(`the branch moved (${short(before)} → ${short(check.commit)}), but nothing under deploy.paths changed: not counted`);
    }
    const notes = [];
    if (check.relation === "unknown")
        notes.push(`whether ${short(check.commit)} is newer than ${short(before)} could not be read: it counts as newer`);
    if (check.pathsChanged === "unknown" && desired.deploy.paths.length > 0)
        notes.push("which files changed could not be read: deploy.paths counts as changed");
    return {
        change: {
            path: REPO_COMMIT,
            before,
            after: check.commit,
            effect: "new-revision",
            sensitive: false,
        },
        blocker: null,
        notes,
    };
}


/***/ }),

/***/ 142:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ planDeployment)
/* harmony export */ });
/* harmony import */ var _model_dialect_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6156);
/* harmony import */ var _spec_desired_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(7508);
/* harmony import */ var _comparison_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6796);
/* harmony import */ var _commit_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8873);
/* harmony import */ var _fingerprint_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(802);
/* harmony import */ var _secrets_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3211);
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5499);







function planDeployment(request) {
    const { found, policy } = request;
    switch (found.state) {
        case "live":
            return planLive(request, found);
        case "duplicates":
            return blocked(request, null, [
                {
                    code: "duplicates",
                    message: `there are ${found.ids.length} live deployments named ${request.desired.name}: ${found.ids.join(", ")}. ` +
                        "Say which one is meant with deploy.id or deployment-id, or delete the other",
                },
            ]);
        case "id-not-found":
            return blocked(request, found.id, [
                {
                    code: "not-found",
                    message: `there is no deployment ${found.id}. Check deploy.id or deployment-id, the region and the tenant-id`,
                },
            ]);
        case "lookup-unavailable":
            return policy.create === "always"
                ? planCreate(request, [])
                : blocked(request, null, [
                    {
                        code: "no-lookup",
                        message: `this service has no list of deployments (it answers ${found.status}), so whether ${request.desired.name} exists cannot be proved and nothing is created. ` +
                            "Give its id with deploy.id or deployment-id, or set create: always for its first run",
                    },
                ]);
        case "absent":
        case "deleting": {
            if (policy.create === "never") {
                return blocked(request, null, [
                    {
                        code: "create-never",
                        message: `there is no deployment named ${request.desired.name}, and create: never forbids to make one`,
                    },
                ]);
            }
            const notes = found.state === "deleting"
                ? [
                    `deployment ${found.id} of this name is being deleted: it is waited for, then a new one is created`,
                ]
                : [];
            return planCreate(request, notes);
        }
    }
}
function finish(desired, draft) {
    const spelled = (path) => (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_0__/* .spellPath */ ._R)(path, desired.dialect);
    const stopped = draft.blockers.length > 0;
    const steps = stopped ? [] : draft.steps;
    const plan = {
        name: desired.name,
        source: desired.source,
        dialect: desired.dialect,
        id: draft.id,
        action: stopped ? "blocked" : draft.action,
        changes: draft.changes.map((change) => ({ ...change, path: spelled(change.path) })),
        blockers: draft.blockers.map((blocker) => ({
            ...blocker,
            message: spellWords(blocker.message, desired),
            ...(blocker.path === undefined ? {} : { path: spelled(blocker.path) }),
        })),
        revision: forecast(steps),
        dropped: (draft.comparison?.dropped ?? []).map(spelled),
        unreadable: (draft.comparison?.unreadable ?? []).map((unit) => spelled(unit.field.path)),
        notes: draft.notes,
        warnings: draft.warnings,
        fingerprint: (0,_fingerprint_js__WEBPACK_IMPORTED_MODULE_3__/* .fingerprintOf */ .a)({ name: desired.name, source: desired.source, ...draft.canonical }),
    };
    return { plan, steps };
}
function spellWords(message, desired) {
    return message.replace(/\b(?:langgraph_config_path|graph_config_path)\b/g, (word) => (0,_model_dialect_js__WEBPACK_IMPORTED_MODULE_0__/* .spellKey */ .Qj)(word, desired.dialect));
}
function forecast(steps) {
    if (steps.some((step) => step.kind === "create" ||
        step.kind === "redeploy" ||
        (step.kind === "patch" && step.makesRevision)))
        return "makes";
    return steps.some((step) => step.kind === "attach" || step.kind === "await-push")
        ? "waits"
        : "none";
}
function blocked(request, id, blockers) {
    const canonical = { desired: toDesiredCanonical(request.desired), live: null };
    return finish(request.desired, {
        id,
        action: "blocked",
        changes: [],
        blockers,
        steps: [],
        notes: [],
        warnings: [],
        canonical,
    });
}
function toDesiredCanonical(desired) {
    const out = {};
    for (const field of (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .patchUnits */ .gN)()) {
        const value = (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .valueAt */ .fK)(desired.body, field.path);
        if (value === undefined)
            continue;
        out[field.path] =
            field.path === "secrets"
                ? (0,_secrets_js__WEBPACK_IMPORTED_MODULE_4__/* .toEntries */ .Wo)(value)
                    .map((entry) => entry.name)
                    .sort()
                : (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .toShown */ .bh)(field, field.shape, value);
    }
    return out;
}
function planCreate(request, notes) {
    const { desired } = request;
    if (desired.source === "internal_docker" || desired.source === "internal_source") {
        return blocked(request, null, [
            {
                code: "internal-source",
                message: `a deployment of source ${desired.source} is made by the vendor's command line; agent-deploy creates repohost (github) and external_container (external_docker) ones. ` +
                    "Create it there first, or write a spec with one of these sources",
            },
        ]);
    }
    const chosen = chooseLookups(request);
    const written = (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .withoutNulls */ .Le)(desired.body);
    let body = {
        name: desired.name,
        source: desired.source,
        source_config: written["source_config"] ?? {},
        source_revision_config: written["source_revision_config"] ?? {},
        secrets: written["secrets"] ?? [],
        ...((0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .isNull */ .kZ)(written["secret_references"])
            ? {}
            : { secret_references: written["secret_references"] }),
    };
    for (const { path, id } of chosen.values)
        body = (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .withValue */ .cO)(body, path, id);
    const changes = (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .patchUnits */ .gN)().flatMap((field) => {
        const value = (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .valueAt */ .fK)(body, field.path);
        if ((0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .isNull */ .kZ)(value) || field.path === "source")
            return [];
        if (field.path === "secrets") {
            return (0,_secrets_js__WEBPACK_IMPORTED_MODULE_4__/* .toEntries */ .Wo)(value).map((entry, index) => ({
                path: `secrets.${entry.name}`,
                before: null,
                after: desired.unknown.has(`secrets.${index}.value`) ? _spec_desired_js__WEBPACK_IMPORTED_MODULE_6__/* .KNOWN_AT_APPLY */ .X : "(new value)",
                effect: "new-revision",
                sensitive: true,
            }));
        }
        return [
            {
                path: field.path,
                before: null,
                after: (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .toShown */ .bh)(field, field.shape, value),
                effect: "new-revision",
                sensitive: (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .holdsSensitive */ .h3)(field, field.shape, value),
            },
        ];
    });
    return finish(desired, {
        id: null,
        action: "create",
        changes,
        blockers: chosen.blockers,
        steps: [{ kind: "create", body }],
        notes,
        warnings: chosen.warnings,
        canonical: { desired: toDesiredCanonical(desired), live: null },
    });
}
function chooseLookups({ desired, lookups }) {
    const [path, items, what] = desired.source === "repohost"
        ? ["source_config.integration_id", lookups.integrations, "integration"]
        : ["source_config.listener_id", lookups.listeners, "listener"];
    if (!(0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .isNull */ .kZ)((0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .valueAt */ .fK)(desired.body, path)))
        return { values: [], blockers: [], warnings: [] };
    if (items === null) {
        const warnings = what === "integration"
            ? ["the service has no lookup of integrations: created without an integration_id"]
            : lookups.listenersUnread === undefined
                ? []
                : [
                    `the listeners could not be read, so created without a listener_id: ${lookups.listenersUnread}`,
                ];
        return { values: [], blockers: [], warnings };
    }
    if (items.length === 1)
        return { values: [{ path, id: items[0].id }], blockers: [], warnings: [] };
    const list = items.map((item) => `${item.id} (${item.name})`).join(", ");
    if (what === "listener") {
        const warnings = items.length === 0
            ? []
            : [
                `${path} is not given and there are ${items.length}: ${list}. Created without; write one of them into the spec if the service refuses`,
            ];
        return { values: [], blockers: [], warnings };
    }
    const message = items.length === 0
        ? `${path} is not given and the service has no integration: install it for the account that owns the repository, then run again`
        : `${path} is not given and there are ${items.length}: ${list}. Write one of them into the spec`;
    return { values: [], blockers: [{ code: what, message, path }], warnings: [] };
}
function judgeLatest({ deployment, latest, active }) {
    const { latest_revision_id: latestId, active_revision_id: activeId } = deployment;
    if (latestId !== null && latestId === activeId)
        return "settled";
    if (latest === null)
        return "unfinished";
    if (/_FAILED$/.test(latest.status) ||
        latest.status === "INTERRUPTED" ||
        latest.status === "SKIPPED")
        return "ended";
    const displaced = latest.status === "DEPLOYED" &&
        active !== null &&
        Date.parse(active.updated_at) > Date.parse(latest.updated_at);
    return displaced ? "ended" : "unfinished";
}
function planLive(request, live) {
    const { desired, policy } = request;
    const { deployment } = live;
    const comparison = (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .compareDeployment */ .LI)(desired, deployment, policy.secretsUnknown);
    const commit = (0,_commit_js__WEBPACK_IMPORTED_MODULE_2__/* .judgeCommit */ .xQ)(desired, deployment, request.commit, policy.force);
    const blockers = [
        ...comparison.blockers,
        ...judgeInternalSource(desired, comparison),
        ...(commit.blocker === null ? [] : [commit.blocker]),
    ];
    if (policy.create === "always" && desired.deploy.id === undefined)
        blockers.push({
            code: "exists",
            message: `create: always, but there is a live deployment named ${deployment.name} (${deployment.id}). Use create: auto to update it`,
        });
    if (commit.change !== null && refOf(desired, deployment) === null)
        blockers.push({
            code: "no-ref",
            path: REPO_REF,
            message: `the commit moved, and building it means to send ${REPO_REF}, which the spec does not name and the service does not return. Write it into the spec`,
        });
    const { steps, revisionChange } = toSteps(request, live, comparison, commit);
    const changes = [
        ...comparison.changes,
        ...(commit.change === null ? [] : [commit.change]),
        ...(revisionChange === null ? [] : [revisionChange]),
    ];
    return finish(desired, {
        id: deployment.id,
        action: toAction(steps),
        changes,
        blockers,
        steps,
        comparison,
        notes: [...comparison.notes, ...commit.notes],
        warnings: comparison.warnings,
        canonical: comparison.canonical,
    });
}
function judgeInternalSource(desired, { units, unreadable }) {
    if (desired.source !== "internal_docker" && desired.source !== "internal_source")
        return [];
    return [...units, ...unreadable]
        .filter(({ field }) => field.path !== "secrets")
        .map(({ field: { path } }) => ({
        code: "internal-source",
        path,
        message: `${path} cannot be changed for source ${desired.source}, which the vendor's command line builds. Keep only name, source, secrets and deploy in the spec, ` +
            "or migrate: write a new deployment under another name with source repohost (github) or external_container (external_docker)",
    }));
}
function toAction(steps) {
    if (steps.length === 0)
        return "none";
    if (steps.every((step) => step.kind === "attach"))
        return "attach";
    return steps.every((step) => step.kind === "redeploy") ? "redeploy" : "update";
}
function toSteps(request, live, comparison, commit) {
    const { desired, policy } = request;
    const { deployment, latest } = live;
    const steps = [];
    const byPush = commit.change !== null && (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .valueAt */ .fK)(deployment.body, "source_config.build_on_push") === true;
    if (byPush)
        steps.push({ kind: "await-push", commit: String(commit.change?.after) });
    const patch = toPatch(comparison, commit.change !== null && !byPush ? refOf(desired, deployment) : null);
    if (patch !== null)
        steps.push(patch);
    if (byPush || patch?.makesRevision === true)
        return { steps, revisionChange: null };
    const state = judgeLatest(live);
    if (state === "unfinished") {
        steps.push({ kind: "attach", revisionId: deployment.latest_revision_id });
        return { steps, revisionChange: null };
    }
    if ((state === "ended" || policy.force) && deployment.latest_revision_id !== null) {
        steps.push({ kind: "redeploy", revisionId: deployment.latest_revision_id });
        const before = state === "ended" ? (latest?.status ?? "not active") : "DEPLOYED";
        return {
            steps,
            revisionChange: {
                path: "revision",
                before,
                after: "redeployed",
                effect: "new-revision",
                sensitive: false,
            },
        };
    }
    return { steps, revisionChange: null };
}
const REPO_REF = "source_revision_config.repo_ref";
function refOf(desired, live) {
    return (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .valueAt */ .fK)(desired.body, REPO_REF) ?? (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .readableRef */ .ES)(live) ?? null;
}
function toPatch(comparison, repeatedRef) {
    const units = [...comparison.units];
    const repoRef = (0,_comparison_js__WEBPACK_IMPORTED_MODULE_1__/* .patchUnits */ .gN)().find((field) => field.path === REPO_REF);
    const makesRevision = repeatedRef !== null || units.some((unit) => unit.field.meta.effect === "new-revision");
    if (repoRef !== undefined &&
        repeatedRef !== null &&
        !units.some((unit) => unit.field.path === REPO_REF))
        units.push({ field: repoRef, value: repeatedRef });
    if (units.length === 0)
        return null;
    for (const unit of comparison.unreadable) {
        if (unit.field.mutability === "create-only" ||
            units.some((other) => other.field.path === unit.field.path))
            continue;
        if (unit.field.meta.effect !== "new-revision" || makesRevision)
            units.push({ field: unit.field, value: (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .withoutNulls */ .Le)(unit.value) });
    }
    const body = units.reduce((partial, unit) => (0,_value_js__WEBPACK_IMPORTED_MODULE_5__/* .withValue */ .cO)(partial, unit.field.path, unit.value), {});
    return { kind: "patch", body, makesRevision };
}


/***/ }),

/***/ 802:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ fingerprintOf),
/* harmony export */   q: () => (/* binding */ runFingerprint)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _canonical_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3925);


function fingerprintOf(value) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)("sha256", (0,_canonical_json_js__WEBPACK_IMPORTED_MODULE_1__/* .canonicalJson */ .d)(value, "written"));
}
function runFingerprint(plans) {
    return fingerprintOf(plans.map(({ name, fingerprint }) => ({ name, fingerprint })));
}


/***/ })

};
;