export const id = 200;
export const ids = [200];
export const modules = {

/***/ 4093:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ maskLive)
/* harmony export */ });
/* harmony import */ var _plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3211);

function maskLive({ mask }, live) {
    if (live !== null)
        mask(secretsWithin(live.body).filter(_plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .isReturned */ .c0));
}
function secretsWithin(value, key = "") {
    if (typeof value === "string")
        return key === "value" ? [value] : userInfo(value);
    if (typeof value !== "object" || value === null)
        return [];
    if (Array.isArray(value))
        return value.flatMap((item) => secretsWithin(item));
    return Object.entries(value).flatMap(([name, item]) => secretsWithin(item, name));
}
function userInfo(text) {
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/iu.exec(text)?.[1];
    return password === undefined || password === "" ? [] : [password];
}


/***/ }),

/***/ 6176:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ readSpec)
/* harmony export */ });
/* harmony import */ var _spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6627);
/* harmony import */ var _spec_spec_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6650);
/* harmony import */ var _session_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6183);
/* harmony import */ var _spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(176);




const MAX_SPEC_BYTES = _spec_yaml_js__WEBPACK_IMPORTED_MODULE_0__/* .MAX_SPEC_CHARS */ .n * 3;
async function readSpec(session, mode) {
    const { options, workspace, host, env, trust } = session;
    const paths = await workspace.expand(options.spec);
    if (paths.length === 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`spec: no file matches ${options.spec.join(", ")}`);
    const files = await Promise.all(paths.map(async (path) => ({ path, text: await workspace.readText(path, MAX_SPEC_BYTES) })));
    const parsed = (0,_spec_spec_js__WEBPACK_IMPORTED_MODULE_1__/* .parseSpec */ .F)({ files, env, mode, interpolate: trust.state !== "untrusted", adopted: options.deploymentId !== undefined });
    session.mask(parsed.sensitiveValues);
    for (const problem of parsed.problems)
        host.annotate(problem);
    const errors = parsed.problems.filter((problem) => problem.level === "error");
    if (errors.length > 0)
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(errors.map(_spec_spec_js__WEBPACK_IMPORTED_MODULE_1__/* .renderProblem */ .y).join("\n"), errors);
    return select(session, parsed.documents);
}
function select(session, documents) {
    const { only, deploymentId } = session.options;
    const names = documents.map((document) => document.name);
    for (const name of only) {
        if (names.includes(name))
            continue;
        const near = (0,_spec_suggestion_js__WEBPACK_IMPORTED_MODULE_3__/* .nearestWord */ .z)(name, names);
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`only: no document is named ${name}${near === undefined ? "" : ` (did you mean ${near}?)`}; the spec has ${names.join(", ")}`);
    }
    const chosen = only.length === 0 ? documents : documents.filter((document) => only.includes(document.name));
    if (deploymentId !== undefined && chosen.length > 1) {
        throw new _session_js__WEBPACK_IMPORTED_MODULE_2__/* .UsageError */ .e(`deployment-id names one deployment, and the spec has ${chosen.length} documents: ${chosen.map((one) => one.name).join(", ")}. Use deploy.id in each document, or only`);
    }
    return chosen;
}


/***/ }),

/***/ 1462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KI: () => (/* binding */ findLive),
/* harmony export */   c1: () => (/* binding */ createDirectory),
/* harmony export */   oD: () => (/* binding */ readWhole),
/* harmony export */   y9: () => (/* binding */ isDying)
/* harmony export */ });
const DYING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];
function isDying(deployment) {
    return DYING.includes(deployment.status);
}
const LIST_ALL_FROM = 4;
function createDirectory(controlPlane, documentCount) {
    let everything;
    const exactly = (name, lookup) => (lookup.state === "found" ? { state: "found", items: lookup.items.filter((item) => item.name === name) } : lookup);
    const findAgain = async (name, bounded = controlPlane) => exactly(name, await bounded.listDeployments({ nameContains: name }));
    return {
        findAgain,
        find: async (name, bounded) => {
            if (documentCount < LIST_ALL_FROM)
                return findAgain(name, bounded);
            everything ??= controlPlane.listDeployments({});
            return exactly(name, await everything);
        },
    };
}
async function findLive(controlPlane, desired, id, find) {
    if (id !== null) {
        const deployment = await controlPlane.getDeployment(id);
        if (deployment === null)
            return { state: "id-not-found", id };
        return isDying(deployment) ? { state: "dying", id } : toLive(controlPlane, deployment);
    }
    const lookup = await find(desired.name, controlPlane);
    if (lookup.state === "absent-lookup")
        return { state: "unproven", status: lookup.status };
    const living = lookup.items.filter((item) => !isDying(item));
    if (living.length > 1)
        return { state: "twins", ids: living.map((item) => item.id) };
    const [listed] = living;
    if (listed !== undefined) {
        const deployment = await readWhole(controlPlane, listed);
        return deployment === null || isDying(deployment) ? { state: "dying", id: listed.id } : toLive(controlPlane, deployment);
    }
    const dying = lookup.items[0];
    return dying === undefined ? { state: "absent" } : { state: "dying", id: dying.id };
}
async function readWhole(controlPlane, listed) {
    const whole = ["source_config", "source_revision_config", "secrets", "latest_revision_id", "active_revision_id"].every((key) => listed.body[key] !== undefined);
    return whole ? listed : controlPlane.getDeployment(listed.id);
}
async function toLive(controlPlane, deployment) {
    const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
    if (latestId === null || latestId === activeId)
        return { state: "live", deployment, latest: null, active: null };
    const latest = await controlPlane.getRevision(id, latestId);
    const active = latest?.status === "DEPLOYED" && activeId !== null ? await controlPlane.getRevision(id, activeId) : null;
    return { state: "live", deployment, latest, active };
}


/***/ }),

/***/ 9166:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ createTracker),
/* harmony export */   Pr: () => (/* binding */ toDeploymentReport),
/* harmony export */   Wx: () => (/* binding */ sight),
/* harmony export */   u4: () => (/* binding */ track)
/* harmony export */ });
function createTracker(name) {
    return {
        name, plan: null, id: null, url: "", revisionId: null, revisionStatus: null, previousRevisionId: null, changed: false,
        timeline: [], warnings: [], notes: [], logTail: [], verify: undefined, rollback: undefined,
    };
}
function track(tracker, deployment) {
    tracker.id = deployment.id;
    if (deployment.url !== "")
        tracker.url = deployment.url;
}
function sight(tracker, status, clock) {
    tracker.revisionStatus = status;
    tracker.timeline.push({ status, atMs: clock.now() });
}
function toDeploymentReport(tracker, end) {
    const plan = tracker.plan;
    return {
        name: tracker.name, id: tracker.id, action: plan?.action ?? "none", outcome: end.outcome, reason: end.reason ?? "", message: end.message,
        next: end.next ?? [], revision_id: tracker.revisionId, previous_revision_id: tracker.previousRevisionId,
        revision_status: tracker.revisionStatus, url: tracker.url, changes: plan?.changes ?? [], plan, changed: tracker.changed,
        timeline: tracker.timeline, warnings: [...(plan?.warnings ?? []), ...tracker.warnings], notes: [...(plan?.notes ?? []), ...tracker.notes],
        log_tail: tracker.logTail,
        ...(tracker.verify === undefined ? {} : { verify: tracker.verify }),
        ...(tracker.rollback === undefined ? {} : { rollback: tracker.rollback }),
    };
}


/***/ }),

/***/ 9555:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  LI: () => (/* binding */ compareDeployment),
  gN: () => (/* binding */ patchUnits),
  ES: () => (/* binding */ readableRef)
});

// EXTERNAL MODULE: ./build/model/shape.js + 1 modules
var shape = __webpack_require__(1208);
// EXTERNAL MODULE: ./build/model/spelling.js
var spelling = __webpack_require__(2934);
// EXTERNAL MODULE: ./build/spec/desired.js
var desired = __webpack_require__(7508);
// EXTERNAL MODULE: ./build/plan/value.js
var plan_value = __webpack_require__(5499);
;// CONCATENATED MODULE: ./build/plan/diff.js


const below = (place, key, index = key) => ({ path: `${place.path}.${key}`, index: `${place.index}.${index}` });
function diffValue(field, wanted, live, place, context) {
    return diffShape(field.shape, field, wanted, live, place, context);
}
function diffShape(shape, field, wanted, live, place, context) {
    if (context.unknown.has(place.index))
        return diffUnknown(shape, field, live, place);
    if ((0,plan_value/* isNull */.kZ)(wanted))
        return [];
    switch (shape.kind) {
        case "struct": return diffStruct(shape, wanted, live, place, context);
        case "list": return shape.match === undefined ? diffOrdered(shape, field, wanted, live, place, context) : diffKeyed(shape, shape.match, wanted, live, place, context);
        case "map": return diffMap(wanted, live, place, context);
        case "free": return (0,plan_value/* coveredBy */.UJ)(wanted, live) ? [] : [difference(shape, field, live, wanted, place)];
        case "scalar": return sameScalar(field, shape.type, wanted, live) ? [] : [difference(shape, field, live, wanted, place)];
    }
}
function sameScalar(field, type, wanted, live) {
    if (field?.meta.sensitive === "user-info" && typeof wanted === "string" && typeof live === "string" && (0,plan_value/* withoutUserInfo */.sl)(live) === wanted)
        return true;
    if (type === "uuid" && typeof wanted === "string" && typeof live === "string")
        return wanted.toLowerCase() === live.toLowerCase();
    return wanted === live;
}
function difference(shape, field, before, after, place) {
    const sensitive = (0,plan_value/* holdsSensitive */.h3)(field, shape, before) || (0,plan_value/* holdsSensitive */.h3)(field, shape, after);
    const shown = { before: (0,plan_value/* toShown */.bh)(field, shape, before ?? null), after: (0,plan_value/* toShown */.bh)(field, shape, after) };
    if (field?.meta.sensitive === "value" && !(0,plan_value/* isNull */.kZ)(before))
        return { path: place.path, before: "(old value)", after: (0,plan_value/* isNull */.kZ)(after) ? null : "(new value)", sensitive };
    return { path: place.path, ...shown, sensitive };
}
function diffUnknown(shape, field, live, place) {
    if (field?.meta.sensitive === "value" && !(0,plan_value/* isNull */.kZ)(live))
        return [];
    return [{ path: place.path, before: (0,plan_value/* toShown */.bh)(field, shape, live ?? null), after: desired/* KNOWN_AT_APPLY */.X, sensitive: field?.meta.sensitive === "value" }];
}
function diffStruct(shape, wanted, live, place, context) {
    if (!(0,plan_value/* isObject */.Gv)(wanted))
        return [];
    const filled = (0,plan_value/* withDefaults */.rO)(shape, (0,plan_value/* isObject */.Gv)(live) ? live : {});
    const found = [];
    for (const [key, value] of Object.entries(wanted)) {
        const child = shape.fields.get(key);
        if (child === undefined)
            continue;
        found.push(...diffShape(child.shape, child, value, filled[key], below(place, key), context));
    }
    return found;
}
function diffMap(wanted, live, place, context) {
    if (!(0,plan_value/* isObject */.Gv)(wanted))
        return [];
    const found = [];
    for (const [key, after] of Object.entries(wanted)) {
        const before = (0,plan_value/* isObject */.Gv)(live) ? (live[key] ?? null) : null;
        const at = below(place, key);
        if (context.unknown.has(at.index))
            found.push({ path: at.path, before, after: desired/* KNOWN_AT_APPLY */.X, sensitive: false });
        else if (!(0,plan_value/* isNull */.kZ)(after) && after !== before)
            found.push({ path: at.path, before, after, sensitive: false });
    }
    return found;
}
function diffKeyed(shape, match, wanted, live, place, context) {
    const wantedItems = Array.isArray(wanted) ? wanted : [];
    const liveItems = Array.isArray(live) ? live : [];
    const byKey = new Map(liveItems.map((item) => [(0,plan_value/* keyOf */.TN)(item, match), item]));
    const found = [];
    wantedItems.forEach((item, index) => {
        const key = (0,plan_value/* keyOf */.TN)(item, match);
        const at = below(place, key, index);
        const before = byKey.get(key);
        found.push(...(before === undefined ? [difference(shape.item, undefined, null, item, at)] : diffShape(shape.item, undefined, item, before, at, context)));
    });
    const kept = new Set(wantedItems.map((item) => (0,plan_value/* keyOf */.TN)(item, match)));
    for (const [key, item] of byKey)
        if (!kept.has(key))
            found.push(difference(shape.item, undefined, item, null, below(place, key)));
    return found;
}
function labelOf(item, index) {
    return (0,plan_value/* isObject */.Gv)(item) && typeof item["name"] === "string" ? item["name"] : String(index);
}
function diffOrdered(shape, field, wanted, live, place, context) {
    const wantedItems = Array.isArray(wanted) ? wanted : [];
    const liveItems = Array.isArray(live) ? live : [];
    const sameOrder = wantedItems.length === liveItems.length && wantedItems.every((item, index) => labelOf(item, index) === labelOf(liveItems[index], index));
    const at = (index) => below(place, labelOf(wantedItems[index], index), index);
    const items = sameOrder ? wantedItems.flatMap((item, index) => diffShape(shape.item, undefined, item, liveItems[index], at(index), context)) : [];
    if (sameOrder && (items.length === 0 || shape.item.kind === "struct"))
        return items;
    return [difference(shape, field, live ?? null, wanted, place)];
}

// EXTERNAL MODULE: ./build/plan/secrets.js
var secrets = __webpack_require__(3211);
// EXTERNAL MODULE: ./build/model/rules.js
var rules = __webpack_require__(1761);
;// CONCATENATED MODULE: ./build/plan/whole.js



function toWhole(field, shape, wanted, live, mode) {
    const current = (0,plan_value/* isObject */.Gv)(live) ? (0,plan_value/* withoutNulls */.Le)(live) : {};
    const kept = (0,plan_value/* withoutDefaults */.nd)(shape, current);
    const alone = (0,plan_value/* withoutNulls */.Le)(wanted);
    const sent = mode === "merge" ? (0,plan_value/* withoutNulls */.Le)((0,plan_value/* overlay */.Lw)(shape, wanted, kept)) : alone;
    const lost = findLost(shape, kept, sent, field.path);
    const dropped = lost.map((leaf) => leaf.path);
    const filledIn = (0,plan_value/* isObject */.Gv)(live) && Object.values(live).some(plan_value/* isNull */.kZ);
    const counted = lost.filter((leaf) => !filledIn || leaf.compound).map(({ compound: _, ...difference }) => difference);
    if (mode === "merge")
        return { compared: wanted, sent, dropped, replaced: counted };
    return { compared: alone, sent, dropped, replaced: [...backToDefault(field, shape, kept, alone, current), ...counted] };
}
function backToDefault(field, shape, kept, alone, current) {
    const [filledWanted, filledLive] = [(0,plan_value/* withDefaults */.rO)(shape, alone), (0,plan_value/* withDefaults */.rO)(shape, current)];
    return Object.keys(kept).flatMap((name) => {
        const fallback = filledWanted[name];
        if (!(0,plan_value/* isNull */.kZ)(alone[name]) || fallback === undefined || fallback === filledLive[name])
            return [];
        return [{ path: `${field.path}.${name}`, before: kept[name] ?? null, after: fallback, sensitive: false }];
    });
}
function findLost(shape, kept, sent, path) {
    if (shape.kind === "struct" && (0,plan_value/* isObject */.Gv)(kept) && (0,plan_value/* isObject */.Gv)(sent)) {
        const filled = (0,plan_value/* withDefaults */.rO)(shape, sent);
        return Object.entries((0,plan_value/* withoutDefaults */.nd)(shape, kept)).flatMap(([name, value]) => {
            const child = shape.fields.get(name);
            if (child === undefined || (0,plan_value/* isNull */.kZ)(value) || isHollow(child.shape, value))
                return [];
            if ((0,plan_value/* isNull */.kZ)(sent[name]))
                return (0,plan_value/* isNull */.kZ)(filled[name]) ? [lose(child, value, `${path}.${name}`)] : [];
            return findLost(child.shape, value, sent[name], `${path}.${name}`);
        });
    }
    if (shape.kind === "map" && (0,plan_value/* isObject */.Gv)(kept) && (0,plan_value/* isObject */.Gv)(sent)) {
        return Object.entries(kept).filter(([key]) => (0,plan_value/* isNull */.kZ)(sent[key])).map(([key, value]) => ({ path: `${path}.${key}`, before: value, after: null, sensitive: false, compound: true }));
    }
    return shape.kind === "list" && Array.isArray(kept) && Array.isArray(sent) ? findLostOfItems(shape, kept, sent, path) : [];
}
function isHollow(shape, value) {
    if (shape.kind === "scalar" || shape.kind === "free")
        return false;
    return Array.isArray(value) ? value.length === 0 : (0,plan_value/* isObject */.Gv)(value) && Object.values(value).every((item) => (0,plan_value/* isNull */.kZ)(item) || ((0,plan_value/* isObject */.Gv)(item) && Object.keys(item).length === 0));
}
function findLostOfItems(shape, kept, sent, path) {
    const { match, item } = shape;
    if (match !== undefined) {
        const byKey = new Map(sent.map((one) => [(0,plan_value/* keyOf */.TN)(one, match), one]));
        return kept.flatMap((one) => findLost(item, one, byKey.get((0,plan_value/* keyOf */.TN)(one, match)), `${path}.${(0,plan_value/* keyOf */.TN)(one, match)}`));
    }
    const labels = sent.map(labelOf);
    if (kept.length !== sent.length || kept.some((one, index) => labelOf(one, index) !== labels[index]))
        return [];
    return kept.flatMap((one, index) => findLost(item, one, sent[index], `${path}.${labels[index]}`));
}
function lose(field, value, path) {
    const before = field.meta.sensitive === "value" ? "(old value)" : (0,plan_value/* toShown */.bh)(field, field.shape, value);
    return { path, before, after: null, sensitive: (0,plan_value/* holdsSensitive */.h3)(field, field.shape, value), compound: field.shape.kind !== "scalar" };
}
function judgeMerged(source, spelling, path, sent) {
    const body = (0,plan_value/* withValue */.cO)({}, path, sent);
    return [rules/* mountsMatchVolumes */.bo, rules/* limitBelowRequest */.kC, rules/* minAboveMax */.cQ].flatMap((rule) => rule({ source, spelling, body, adopted: true }))
        .filter((finding) => finding.level === "error").map((finding) => `${finding.path.join(".")}: ${finding.message}`);
}

;// CONCATENATED MODULE: ./build/plan/comparison.js






function patchUnits() {
    return UNITS;
}
const UNITS = unitsOf(shape/* deploymentShape */.zK);
function unitsOf(shape) {
    if (shape.kind !== "struct")
        return [];
    return [...shape.fields.values()].flatMap((field) => {
        if (field.mutability === "read-only")
            return [];
        return field.meta.effect !== undefined || field.mutability === "create-only" ? [field] : unitsOf(field.shape);
    });
}
const COMMIT_LIKE = /^[0-9a-f]{40}$/i;
const REPO_REF = "source_revision_config.repo_ref";
function readableRef(live) {
    const ref = (0,plan_value/* valueAt */.fK)(live.body, REPO_REF);
    if (typeof ref === "string" && !COMMIT_LIKE.test(ref))
        return ref;
    const branch = (0,plan_value/* valueAt */.fK)(live.body, "source_config.repo_branch");
    return typeof branch === "string" ? branch : undefined;
}
function readLive(field, wanted, live) {
    const value = field.path === "source" ? live.source : (0,plan_value/* valueAt */.fK)(live.body, field.path);
    if ((0,plan_value/* isNull */.kZ)(value))
        return { value, readable: field.meta.readback === undefined };
    if (field.path === REPO_REF && value !== wanted) {
        const ref = readableRef(live);
        return { value: ref ?? value, readable: ref !== undefined };
    }
    return { value, readable: field.meta.readback !== "never" };
}
function compareDeployment(desired, live, secretsUnknown) {
    const out = { changes: [], units: [], unreadable: [], blockers: [], dropped: [], warnings: [], desired: {}, live: {} };
    for (const field of patchUnits()) {
        const wanted = wantedAt(desired.body, field.path);
        if (wanted === undefined)
            continue;
        const { value, readable } = readLive(field, wanted, live);
        if (field.path === "secrets" && (0,plan_value/* isNull */.kZ)(value) && asksForSecrets(wanted) && secretsUnknown === "keep")
            leaveSecrets(desired, field, wanted, out);
        else if (field.path === "secrets")
            compareSecrets(desired, field, wanted, value, secretsUnknown, out);
        else if ((0,plan_value/* isNull */.kZ)(wanted))
            compareNull(desired, field, value, out);
        else if (!readable)
            out.unreadable.push({ field, value: wanted });
        else
            compareUnit(desired, field, wanted, value, out);
    }
    const { desired: canonicalDesired, live: canonicalLive, ...rest } = out;
    return { ...rest, canonical: { desired: canonicalDesired, live: canonicalLive } };
}
function wantedAt(body, path) {
    const [group, ...rest] = path.split(".");
    return rest.length > 0 && body[group] === null ? null : (0,plan_value/* valueAt */.fK)(body, path);
}
function compareNull(desired, field, live, out) {
    if (field.meta.only !== undefined && field.meta.only !== desired.source)
        return;
    out.desired[field.path] = null;
    out.live[field.path] = toCanonical(field, field.shape, live ?? null);
    if (!(0,plan_value/* isNull */.kZ)(live) && !isEmpty(field.shape, live))
        addClear(field, field.path, (0,plan_value/* toShown */.bh)(field, field.shape, live), out);
}
function isEmpty(shape, live) {
    const value = (0,plan_value/* withoutNulls */.Le)(live);
    if (Array.isArray(value))
        return value.length === 0;
    return (0,plan_value/* isObject */.Gv)(value) && Object.keys(shape.kind === "struct" ? (0,plan_value/* withoutDefaults */.nd)(shape, value) : value).length === 0;
}
function addClear(field, path, before, out) {
    out.changes.push({ path, before, after: null, effect: "impossible", sensitive: (0,plan_value/* holdsSensitive */.h3)(field, field.shape, before) });
    out.blockers.push({
        code: "clear", path,
        message: `${path} is set and the spec clears it, which the service cannot do: null means no change there. ` +
            "Remove the key to leave the field alone, or write a value",
    });
}
const asksForSecrets = (wanted) => Array.isArray(wanted) && wanted.length > 0;
function leaveSecrets(desired, field, wanted, out) {
    out.unreadable.push({ field, value: wanted });
    if (desired.deploy.secrets === "merge")
        out.blockers.push({
            code: "secrets-unreadable", path: "secrets",
            message: "deploy.secrets: merge has to send the live secrets along, and the service returns none. List all of them in the spec and use deploy.secrets: replace",
        });
}
function compareSecrets(desired, field, wanted, live, policy, out) {
    const names = (value) => (0,secrets/* toEntries */.Wo)(value).map((entry) => entry.name).sort();
    out.desired["secrets"] = names(wanted);
    out.live["secrets"] = names(live);
    const clears = (0,plan_value/* isNull */.kZ)(wanted) || (Array.isArray(wanted) && wanted.length === 0 && desired.deploy.secrets === "replace");
    if (clears) {
        if (names(live).length > 0)
            addClear(field, "secrets", names(live).join(", "), out);
        return;
    }
    const diff = (0,secrets/* diffSecrets */.LI)(desired, live, desired.deploy.secrets, policy);
    if (diff.changes.length > 0) {
        out.changes.push(...diff.changes);
        out.units.push({ field, value: diff.body });
    }
    warnOfSecrets(diff, out);
}
function warnOfSecrets(diff, out) {
    if (diff.changes.length > 0 && diff.unreadable.length > 0) {
        out.blockers.push({
            code: "secrets-unreadable", path: "secrets",
            message: `deploy.secrets: merge has to send the live secrets along, and the service does not return the value of ${diff.unreadable.join(", ")}. ` +
                "List these in the spec too, or use deploy.secrets: replace",
        });
    }
    const kept = diff.unknownValues.filter((name) => !diff.changes.some((change) => change.path === `secrets.${name}`));
    if (kept.length > 0) {
        out.warnings.push(`the service does not return the value of ${kept.map((name) => `secrets.${name}`).join(", ")}: value unknown, compared by name only; ` +
            (diff.changes.length > 0 ? "sent along with the other secrets" : "set secrets-unknown: send to send them"));
    }
}
function compareUnit(desired, field, wanted, live, out) {
    const whole = field.shape.kind === "struct" && field.meta.effect !== undefined && (0,plan_value/* isObject */.Gv)(wanted)
        ? toWhole(field, field.shape, wanted, live, desired.deploy.resource_spec)
        : { compared: wanted, sent: (0,plan_value/* withoutNulls */.Le)(wanted), dropped: [], replaced: [] };
    const found = [...diffValue(field, whole.compared, withoutNullsOrUndefined(live), { path: field.path, index: field.path }, desired), ...whole.replaced];
    const cleared = (0,plan_value/* isObject */.Gv)(whole.compared) ? findCleared(field.shape, whole.compared, live, field.path) : [];
    out.desired[field.path] = toCanonical(field, field.shape, whole.sent);
    out.live[field.path] = toCanonical(field, field.shape, live ?? null);
    for (const path of cleared)
        addClear(field, path, "(set)", out);
    if (found.length === 0)
        return;
    if (field.mutability === "create-only")
        return addImpossible(desired, field, found, out);
    out.changes.push(...found.map((difference) => ({ ...difference, effect: field.meta.effect ?? "in-place" })));
    out.units.push({ field, value: whole.sent });
    for (const broken of judgeMerged(desired.source, desired.spelling, field.path, whole.sent))
        out.blockers.push({
            code: "merge", path: field.path,
            message: `${broken}. That is so with the live values carried over: write them into the spec too, or use deploy.resource_spec: replace`,
        });
    out.dropped.push(...whole.dropped);
}
const withoutNullsOrUndefined = (value) => (value === undefined ? undefined : (0,plan_value/* withoutNulls */.Le)(value));
function addImpossible(desired, field, found, out) {
    for (const { path, before, after, sensitive } of found) {
        const [from, to] = field.path === "source" ? [(0,spelling/* spellSource */.cp)(String(before), desired.spelling), (0,spelling/* spellSource */.cp)(String(after), desired.spelling)] : [before, after];
        out.changes.push({ path, before: from, after: to, effect: "impossible", sensitive });
        const hint = field.path === "source" && String(before).startsWith("internal_")
            ? "This deployment was made by the vendor's command line: what it is built from is changed there, or by a new deployment under another name"
            : "A new deployment under another name is needed; or write the live value into the spec";
        out.blockers.push({ code: "immutable", path, message: `${path} cannot change after creation (live ${show(from)}, spec ${show(to)}). ${hint}` });
    }
}
const show = (value) => (typeof value === "string" ? value : JSON.stringify(value));
function findCleared(shape, wanted, live, path) {
    if (shape.kind !== "struct" || !(0,plan_value/* isObject */.Gv)(live))
        return [];
    const kept = (0,plan_value/* withoutDefaults */.nd)(shape, (0,plan_value/* withoutNulls */.Le)(live));
    return Object.entries(wanted).flatMap(([key, value]) => {
        const child = shape.fields.get(key);
        if (child === undefined)
            return [];
        if (value === null)
            return (0,plan_value/* isNull */.kZ)(kept[key]) ? [] : [`${path}.${key}`];
        return (0,plan_value/* isObject */.Gv)(value) ? findCleared(child.shape, value, live[key], `${path}.${key}`) : [];
    });
}
function toCanonical(field, shape, value) {
    return canonical(shape, (0,plan_value/* toShown */.bh)(field, shape, (0,plan_value/* withoutNulls */.Le)(value)));
}
function canonical(shape, value) {
    if (shape.kind === "list" && Array.isArray(value)) {
        const items = value.map((item) => canonical(shape.item, item));
        const match = shape.match;
        return match === undefined ? items : items.sort((a, b) => ((0,plan_value/* keyOf */.TN)(a, match) < (0,plan_value/* keyOf */.TN)(b, match) ? -1 : 1));
    }
    if (shape.kind === "struct" && (0,plan_value/* isObject */.Gv)(value)) {
        return Object.fromEntries(Object.entries((0,plan_value/* withDefaults */.rO)(shape, value)).map(([key, item]) => {
            const child = shape.fields.get(key);
            return [key, child === undefined ? item : canonical(child.shape, item)];
        }));
    }
    return value;
}


/***/ }),

/***/ 3211:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   LI: () => (/* binding */ diffSecrets),
/* harmony export */   Wo: () => (/* binding */ toEntries),
/* harmony export */   c0: () => (/* binding */ isReturned)
/* harmony export */ });
/* harmony import */ var _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7508);
/* harmony import */ var _value_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5499);


function toEntries(value) {
    if (!Array.isArray(value))
        return [];
    return value.flatMap((item) => {
        if (!(0,_value_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(item) || typeof item["name"] !== "string")
            return [];
        const text = item["value"];
        return [{ name: item["name"], value: typeof text === "string" ? text : "" }];
    });
}
function isReturned(value) {
    return !/^[*•]*$/u.test(value);
}
const change = (name, before, after) => ({ path: `secrets.${name}`, before, after, effect: "new-revision", sensitive: true });
function diffSecrets(desired, live, mode, unknownPolicy) {
    const wanted = toEntries(desired.body["secrets"]);
    const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
    const changes = [];
    const unknownValues = [];
    wanted.forEach(({ name, value }, index) => {
        const before = current.get(name);
        const atApply = desired.unknown.has(`secrets.${index}.value`);
        if (before === undefined)
            changes.push(change(name, null, atApply ? _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__/* .KNOWN_AT_APPLY */ .X : "(new value)"));
        else if (atApply)
            return;
        else if (!isReturned(before)) {
            if (value === "" && before === "")
                return;
            unknownValues.push(name);
            if (unknownPolicy === "send")
                changes.push(change(name, "value unknown", "(new value)"));
        }
        else if (before !== value)
            changes.push(change(name, "(old value)", "(new value)"));
    });
    const names = new Set(wanted.map((entry) => entry.name));
    const others = [...current].filter(([name]) => !names.has(name));
    if (mode === "replace") {
        for (const [name] of others)
            changes.push(change(name, "(set)", null));
        return { changes, unknownValues, unreadable: [], body: wanted.map(toBody) };
    }
    const unreadable = others.filter(([, value]) => !isReturned(value)).map(([name]) => name);
    const carried = others.map(([name, value]) => ({ name, value }));
    return { changes, unknownValues, unreadable, body: [...carried, ...wanted].map(toBody) };
}
const toBody = ({ name, value }) => ({ name, value });


/***/ })

};
