"use strict";
exports.id = 71;
exports.ids = [71];
exports.modules = {

/***/ 1462:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   KI: () => (/* binding */ findLive),
/* harmony export */   c1: () => (/* binding */ createDirectory),
/* harmony export */   oD: () => (/* binding */ readWhole),
/* harmony export */   p8: () => (/* binding */ isDeleting)
/* harmony export */ });
const DELETING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];
function isDeleting(deployment) {
    return DELETING.includes(deployment.status);
}
const LIST_ALL_FROM = 4;
function createDirectory(controlPlane, documentCount) {
    let everything;
    const exactly = (name, lookup) => lookup.state === "found"
        ? { state: "found", items: lookup.items.filter((item) => item.name === name) }
        : lookup;
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
        return isDeleting(deployment) ? { state: "deleting", id } : toLive(controlPlane, deployment);
    }
    const lookup = await find(desired.name, controlPlane);
    if (lookup.state === "absent-lookup")
        return { state: "lookup-unavailable", status: lookup.status };
    const living = lookup.items.filter((item) => !isDeleting(item));
    if (living.length > 1)
        return { state: "duplicates", ids: living.map((item) => item.id) };
    const [listed] = living;
    if (listed !== undefined) {
        const deployment = await readWhole(controlPlane, listed);
        return deployment === null || isDeleting(deployment)
            ? { state: "deleting", id: listed.id }
            : toLive(controlPlane, deployment);
    }
    const deleting = lookup.items[0];
    return deleting === undefined ? { state: "absent" } : { state: "deleting", id: deleting.id };
}
async function readWhole(controlPlane, listed) {
    const whole = [
        "source_config",
        "source_revision_config",
        "secrets",
        "latest_revision_id",
        "active_revision_id",
    ].every((key) => listed.body[key] !== undefined);
    return whole ? listed : controlPlane.getDeployment(listed.id);
}
async function toLive(controlPlane, deployment) {
    const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
    if (latestId === null || latestId === activeId)
        return { state: "live", deployment, latest: null, active: null };
    const latest = await controlPlane.getRevision(id, latestId);
    const active = latest?.status === "DEPLOYED" && activeId !== null
        ? await controlPlane.getRevision(id, activeId)
        : null;
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
        name,
        plan: null,
        id: null,
        dialect: null,
        url: "",
        revisionId: null,
        revisionStatus: null,
        previousRevisionId: null,
        changed: false,
        timeline: [],
        warnings: [],
        notes: [],
        logTail: [],
        verify: undefined,
        rollback: undefined,
    };
}
function track(tracker, deployment) {
    tracker.id = deployment.id;
    tracker.dialect = deployment.dialect;
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
        name: tracker.name,
        id: tracker.id,
        action: plan?.action ?? "none",
        outcome: end.outcome,
        reason: end.reason ?? "",
        message: end.message,
        next: end.next ?? [],
        revision_id: tracker.revisionId,
        previous_revision_id: tracker.previousRevisionId,
        revision_status: tracker.revisionStatus,
        url: tracker.url,
        changes: plan?.changes ?? [],
        plan,
        changed: tracker.changed,
        timeline: tracker.timeline,
        warnings: [...(plan?.warnings ?? []), ...tracker.warnings],
        notes: [...(plan?.notes ?? []), ...tracker.notes],
        log_tail: tracker.logTail,
        ...(tracker.verify === undefined ? {} : { verify: tracker.verify }),
        ...(tracker.rollback === undefined ? {} : { rollback: tracker.rollback }),
    };
}


/***/ }),

/***/ 6796:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  LI: () => (/* binding */ compareDeployment),
  gN: () => (/* binding */ patchUnits),
  ES: () => (/* binding */ readableRef)
});

// EXTERNAL MODULE: ./build/model/shape.js + 1 modules
var shape = __webpack_require__(2939);
// EXTERNAL MODULE: ./build/model/dialect.js
var dialect = __webpack_require__(6156);
// EXTERNAL MODULE: ./build/spec/desired.js
var desired = __webpack_require__(7508);
// EXTERNAL MODULE: ./build/plan/value.js
var plan_value = __webpack_require__(5499);
;// CONCATENATED MODULE: ./build/plan/diff.js


const below = (place, key, index = key) => ({
    path: `${place.path}.${key}`,
    index: `${place.index}.${index}`,
});
function diffValue(field, wanted, live, place, context) {
    return diffShape(field.shape, field, wanted, live, place, context);
}
function diffShape(shape, field, wanted, live, place, context) {
    if (context.unknown.has(place.index))
        return diffUnknown(shape, field, live, place);
    if ((0,plan_value/* isNull */.kZ)(wanted))
        return [];
    switch (shape.kind) {
        case "struct":
            return diffStruct(shape, wanted, live, place, context);
        case "list":
            return shape.match === undefined
                ? diffOrdered(shape, field, wanted, live, place, context)
                : diffKeyed(shape, shape.match, wanted, live, place, context);
        case "map":
            return diffMap(wanted, live, place, context);
        case "free":
            return (0,plan_value/* coveredBy */.UJ)(wanted, live) ? [] : [difference(shape, field, live, wanted, place)];
        case "scalar":
            return sameScalar(field, shape.type, wanted, live)
                ? []
                : [difference(shape, field, live, wanted, place)];
    }
}
function sameScalar(field, type, wanted, live) {
    if (field?.meta.sensitive === "user-info" &&
        typeof wanted === "string" &&
        typeof live === "string" &&
        (0,plan_value/* withoutUserInfo */.sl)(live) === wanted)
        return true;
    if (type === "uuid" && typeof wanted === "string" && typeof live === "string")
        return wanted.toLowerCase() === live.toLowerCase();
    return wanted === live;
}
function difference(shape, field, before, after, place) {
    const sensitive = (0,plan_value/* holdsSensitive */.h3)(field, shape, before) || (0,plan_value/* holdsSensitive */.h3)(field, shape, after);
    const shown = {
        before: (0,plan_value/* toShown */.bh)(field, shape, before ?? null),
        after: (0,plan_value/* toShown */.bh)(field, shape, after),
    };
    if (field?.meta.sensitive === "value" && !(0,plan_value/* isNull */.kZ)(before))
        return {
            path: place.path,
            before: "(old value)",
            after: (0,plan_value/* isNull */.kZ)(after) ? null : "(new value)",
            sensitive,
        };
    return { path: place.path, ...shown, sensitive };
}
function diffUnknown(shape, field, live, place) {
    if (field?.meta.sensitive === "value" && !(0,plan_value/* isNull */.kZ)(live))
        return [];
    return [
        {
            path: place.path,
            before: (0,plan_value/* toShown */.bh)(field, shape, live ?? null),
            after: desired/* KNOWN_AT_APPLY */.X,
            sensitive: field?.meta.sensitive === "value",
        },
    ];
}
function diffStruct(shape, wanted, live, place, context) {
    if (!(0,plan_value/* isObject */.Gv)(wanted))
        return [];
    const given = (0,plan_value/* isObject */.Gv)(live) ? live : {};
    let filled = null;
    const found = [];
    for (const key of Object.keys(wanted)) {
        const child = shape.fields.get(key);
        if (child === undefined)
            continue;
        const answered = (0,plan_value/* isNull */.kZ)(given[key]) ? (filled ??= (0,plan_value/* withDefaults */.rO)(shape, given))[key] : given[key];
        for (const difference of diffShape(child.shape, child, wanted[key], answered, below(place, key), context))
            found.push(difference);
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
        found.push(...(before === undefined
            ? [difference(shape.item, undefined, null, item, at)]
            : diffShape(shape.item, undefined, item, before, at, context)));
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
    const sameOrder = wantedItems.length === liveItems.length &&
        wantedItems.every((item, index) => labelOf(item, index) === labelOf(liveItems[index], index));
    const at = (index) => below(place, labelOf(wantedItems[index], index), index);
    const items = sameOrder
        ? wantedItems.flatMap((item, index) => diffShape(shape.item, undefined, item, liveItems[index], at(index), context))
        : [];
    if (sameOrder && (items.length === 0 || shape.item.kind === "struct"))
        return items;
    return [difference(shape, field, live ?? null, wanted, place)];
}

// EXTERNAL MODULE: ./build/plan/secrets.js
var secrets = __webpack_require__(3211);
// EXTERNAL MODULE: ./build/model/rules.js
var rules = __webpack_require__(1761);
;// CONCATENATED MODULE: ./build/plan/whole-value.js



function toWhole(field, shape, wanted, live, mode) {
    const current = (0,plan_value/* isObject */.Gv)(live) ? (0,plan_value/* withoutNulls */.Le)(live) : {};
    const kept = (0,plan_value/* withoutDefaults */.nd)(shape, current);
    const alone = (0,plan_value/* withoutNulls */.Le)(wanted);
    const sent = mode === "merge" ? (0,plan_value/* withoutNulls */.Le)((0,plan_value/* overlay */.Lw)(shape, wanted, kept)) : alone;
    const lost = findLost(shape, kept, sent, field.path);
    const dropped = lost.map((leaf) => leaf.path);
    const filledIn = (0,plan_value/* isObject */.Gv)(live) && Object.values(live).some(plan_value/* isNull */.kZ);
    const counted = lost
        .filter((leaf) => !filledIn || leaf.compound)
        .map(({ compound: _, ...difference }) => difference);
    if (mode === "merge")
        return { compared: wanted, sent, dropped, replaced: counted };
    return {
        compared: alone,
        sent,
        dropped,
        replaced: [...backToDefault(field, shape, kept, alone, current), ...counted],
    };
}
function backToDefault(field, shape, kept, alone, current) {
    const [filledWanted, filledLive] = [(0,plan_value/* withDefaults */.rO)(shape, alone), (0,plan_value/* withDefaults */.rO)(shape, current)];
    return Object.keys(kept).flatMap((name) => {
        const fallback = filledWanted[name];
        if (!(0,plan_value/* isNull */.kZ)(alone[name]) || fallback === undefined || fallback === filledLive[name])
            return [];
        return [
            {
                path: `${field.path}.${name}`,
                before: kept[name] ?? null,
                after: fallback,
                sensitive: false,
            },
        ];
    });
}
function findLost(shape, kept, sent, path) {
    if (shape.kind === "struct" && (0,plan_value/* isObject */.Gv)(kept) && (0,plan_value/* isObject */.Gv)(sent)) {
        let filled = null;
        const wouldBe = (name) => (filled ??= (0,plan_value/* withDefaults */.rO)(shape, sent))[name];
        return Object.entries((0,plan_value/* withoutDefaults */.nd)(shape, kept)).flatMap(([name, value]) => {
            const child = shape.fields.get(name);
            if (child === undefined || (0,plan_value/* isNull */.kZ)(value) || isBlank(child.shape, value))
                return [];
            if ((0,plan_value/* isNull */.kZ)(sent[name]))
                return (0,plan_value/* isNull */.kZ)(wouldBe(name)) ? [lose(child, value, `${path}.${name}`)] : [];
            return findLost(child.shape, value, sent[name], `${path}.${name}`);
        });
    }
    if (shape.kind === "map" && (0,plan_value/* isObject */.Gv)(kept) && (0,plan_value/* isObject */.Gv)(sent)) {
        return Object.entries(kept)
            .filter(([key]) => (0,plan_value/* isNull */.kZ)(sent[key]))
            .map(([key, value]) => ({
            path: `${path}.${key}`,
            before: value,
            after: null,
            sensitive: false,
            compound: true,
        }));
    }
    return shape.kind === "list" && Array.isArray(kept) && Array.isArray(sent)
        ? findLostOfItems(shape, kept, sent, path)
        : [];
}
function isBlank(shape, value) {
    if (shape.kind === "scalar" || shape.kind === "free")
        return false;
    return Array.isArray(value)
        ? value.length === 0
        : (0,plan_value/* isObject */.Gv)(value) &&
            Object.values(value).every((item) => (0,plan_value/* isNull */.kZ)(item) || ((0,plan_value/* isObject */.Gv)(item) && Object.keys(item).length === 0));
}
function findLostOfItems(shape, kept, sent, path) {
    const { match, item } = shape;
    if (match !== undefined) {
        const byKey = new Map(sent.map((one) => [(0,plan_value/* keyOf */.TN)(one, match), one]));
        return kept.flatMap((one) => findLost(item, one, byKey.get((0,plan_value/* keyOf */.TN)(one, match)), `${path}.${(0,plan_value/* keyOf */.TN)(one, match)}`));
    }
    const labels = sent.map(labelOf);
    if (kept.length !== sent.length ||
        kept.some((one, index) => labelOf(one, index) !== labels[index]))
        return [];
    return kept.flatMap((one, index) => findLost(item, one, sent[index], `${path}.${labels[index]}`));
}
function lose(field, value, path) {
    const before = field.meta.sensitive === "value" ? "(old value)" : (0,plan_value/* toShown */.bh)(field, field.shape, value);
    return {
        path,
        before,
        after: null,
        sensitive: (0,plan_value/* holdsSensitive */.h3)(field, field.shape, value),
        compound: field.shape.kind !== "scalar",
    };
}
function judgeMerged(source, dialect, path, sent) {
    const body = (0,plan_value/* withValue */.cO)({}, path, sent);
    return [rules/* mountsMatchVolumes */.bo, rules/* limitBelowRequest */.kC, rules/* minAboveMax */.cQ]
        .flatMap((rule) => rule({ source, dialect, body, adopted: true }))
        .filter((finding) => finding.level === "error")
        .map((finding) => `${finding.path.join(".")}: ${finding.message}`);
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
        return field.meta.effect !== undefined || field.mutability === "create-only"
            ? [field]
            : unitsOf(field.shape);
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
    if ((0,plan_value/* isNull */.kZ)(value) || (field.meta.readback !== undefined && comparison_isBlank(value)))
        return { value, readable: field.meta.readback === undefined };
    if (field.path === REPO_REF && value !== wanted) {
        const ref = readableRef(live);
        return { value: ref ?? value, readable: ref !== undefined };
    }
    return { value, readable: true };
}
const comparison_isBlank = (value) => (0,plan_value/* isObject */.Gv)(value) && Object.keys((0,plan_value/* withoutNulls */.Le)(value)).length === 0;
function compareDeployment(desired, live, secretsUnknown) {
    const out = {
        changes: [],
        units: [],
        unreadable: [],
        blockers: [],
        dropped: [],
        warnings: [],
        notes: [],
        desired: {},
        live: {},
    };
    for (const field of patchUnits()) {
        const wanted = wantedAt(desired.body, field.path);
        if (wanted === undefined)
            continue;
        const { value: answered, readable } = readLive(field, wanted, live);
        const value = answered === undefined ? undefined : (0,plan_value/* withNumbers */.Pz)(field.shape, answered);
        if (field.path === "secrets" &&
            (0,plan_value/* isNull */.kZ)(value) &&
            asksForSecrets(wanted) &&
            secretsUnknown === "keep")
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
    const dot = path.indexOf(".");
    return dot > 0 && body[path.slice(0, dot)] === null ? null : (0,plan_value/* valueAt */.fK)(body, path);
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
    return ((0,plan_value/* isObject */.Gv)(value) &&
        Object.keys(shape.kind === "struct" ? (0,plan_value/* withoutDefaults */.nd)(shape, value) : value).length === 0);
}
function addClear(field, path, before, out) {
    out.changes.push({
        path,
        before,
        after: null,
        effect: "impossible",
        sensitive: (0,plan_value/* holdsSensitive */.h3)(field, field.shape, before),
    });
    out.blockers.push({
        code: "clear",
        path,
        message: `${path} is set and the spec clears it, which the service cannot do: null means no change there. ` +
            "Remove the key to leave the field alone, or write a value",
    });
}
const asksForSecrets = (wanted) => Array.isArray(wanted) && wanted.length > 0;
function leaveSecrets(desired, field, wanted, out) {
    out.unreadable.push({ field, value: wanted });
    if (desired.deploy.secrets === "merge")
        out.blockers.push({
            code: "secrets-unreadable",
            path: "secrets",
            message: "deploy.secrets: merge has to send the live secrets along, and the service returns none. List all of them in the spec and use deploy.secrets: replace",
        });
}
function compareSecrets(desired, field, wanted, live, policy, out) {
    const names = (value) => (0,secrets/* toEntries */.Wo)(value)
        .map((entry) => entry.name)
        .sort();
    out.desired["secrets"] = names(wanted);
    out.live["secrets"] = names(live);
    const clears = (0,plan_value/* isNull */.kZ)(wanted) ||
        (Array.isArray(wanted) && wanted.length === 0 && desired.deploy.secrets === "replace");
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
            code: "secrets-unreadable",
            path: "secrets",
            message: `deploy.secrets: merge has to send the live secrets along, and the service does not return the value of ${diff.unreadable.join(", ")}. ` +
                "List these in the spec too, or use deploy.secrets: replace",
        });
    }
    if (diff.knownAtApply.length > 0) {
        out.notes.push(`${diff.knownAtApply.map((name) => `secrets.${name}`).join(", ")}: known at apply, compared by name only`);
    }
    const kept = diff.unknownValues.filter((name) => !diff.changes.some((change) => change.path === `secrets.${name}`));
    if (kept.length > 0) {
        out.warnings.push(`the service does not return the value of ${kept.map((name) => `secrets.${name}`).join(", ")}: value unknown, compared by name only; ` +
            (diff.changes.length > 0
                ? "sent along with the other secrets"
                : "set secrets-unknown: send to send them"));
    }
}
function compareUnit(desired, field, wanted, live, out) {
    const whole = field.shape.kind === "struct" && field.meta.effect !== undefined && (0,plan_value/* isObject */.Gv)(wanted)
        ? toWhole(field, field.shape, wanted, live, desired.deploy.resource_spec)
        : { compared: wanted, sent: (0,plan_value/* withoutNulls */.Le)(wanted), dropped: [], replaced: [] };
    const clean = live === undefined ? undefined : (0,plan_value/* withoutNulls */.Le)(live);
    const found = [
        ...diffValue(field, whole.compared, clean, { path: field.path, index: field.path }, desired),
        ...whole.replaced,
    ];
    const cleared = (0,plan_value/* isObject */.Gv)(whole.compared)
        ? findCleared(field.shape, whole.compared, live, field.path)
        : [];
    out.desired[field.path] = toCanonical(field, field.shape, whole.sent);
    out.live[field.path] = toCanonical(field, field.shape, clean ?? null);
    for (const path of cleared)
        addClear(field, path, "(set)", out);
    if (found.length === 0)
        return;
    if (field.mutability === "create-only")
        return addImpossible(desired, field, found, out);
    out.changes.push(...found.map((difference) => ({
        ...difference,
        effect: field.meta.effect ?? "in-place",
    })));
    out.units.push({ field, value: whole.sent });
    for (const broken of judgeMerged(desired.source, desired.dialect, field.path, whole.sent))
        out.blockers.push({
            code: "merge",
            path: field.path,
            message: `${broken}. That is so with the live values carried over: write them into the spec too, or use deploy.resource_spec: replace`,
        });
    out.dropped.push(...whole.dropped);
}
function addImpossible(desired, field, found, out) {
    for (const { path, before, after, sensitive } of found) {
        const [from, to] = field.path === "source"
            ? [
                (0,dialect/* spellSource */.cp)(String(before), desired.dialect),
                (0,dialect/* spellSource */.cp)(String(after), desired.dialect),
            ]
            : [before, after];
        out.changes.push({ path, before: from, after: to, effect: "impossible", sensitive });
        const hint = field.path === "source" && String(before).startsWith("internal_")
            ? "This deployment was made by the vendor's command line: what it is built from is changed there, or by a new deployment under another name"
            : "A new deployment under another name is needed; or write the live value into the spec";
        out.blockers.push({
            code: "immutable",
            path,
            message: `${path} cannot change after creation (live ${show(from)}, spec ${show(to)}). ${hint}`,
        });
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
        const items = (0,plan_value/* withItems */.J5)(value, (item) => canonical(shape.item, item));
        const match = shape.match;
        return (match === undefined || items.length < 2
            ? items
            : [...items].sort((a, b) => ((0,plan_value/* keyOf */.TN)(a, match) < (0,plan_value/* keyOf */.TN)(b, match) ? -1 : 1)));
    }
    if (shape.kind !== "struct" || !(0,plan_value/* isObject */.Gv)(value))
        return value;
    return (0,plan_value/* withMembers */.gn)((0,plan_value/* withDefaults */.rO)(shape, value), (item, key) => {
        const child = shape.fields.get(key);
        return child === undefined ? item : canonical(child.shape, item);
    });
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
const change = (name, before, after) => ({
    path: `secrets.${name}`,
    before,
    after,
    effect: "new-revision",
    sensitive: true,
});
function diffSecrets(desired, live, mode, unknownPolicy) {
    const wanted = toEntries(desired.body["secrets"]);
    const current = new Map(toEntries(live).map((entry) => [entry.name, entry.value]));
    const changes = [];
    const unknownValues = [];
    const knownAtApply = [];
    wanted.forEach(({ name, value }, index) => {
        const before = current.get(name);
        const atApply = desired.unknown.has(`secrets.${index}.value`);
        if (before === undefined)
            changes.push(change(name, null, atApply ? _spec_desired_js__WEBPACK_IMPORTED_MODULE_1__/* .KNOWN_AT_APPLY */ .X : "(new value)"));
        else if (atApply)
            knownAtApply.push(name);
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
        return { changes, unknownValues, knownAtApply, unreadable: [], body: wanted.map(toBody) };
    }
    const unreadable = others.filter(([, value]) => !isReturned(value)).map(([name]) => name);
    const overlaid = new Map([
        ...current,
        ...wanted.map(({ name, value }) => [name, value]),
    ]);
    return {
        changes,
        unknownValues,
        knownAtApply,
        unreadable,
        body: [...overlaid].map(([name, value]) => toBody({ name, value })),
    };
}
const toBody = ({ name, value }) => ({ name, value });


/***/ }),

/***/ 5499:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   J5: () => (/* binding */ withItems),
/* harmony export */   Le: () => (/* binding */ withoutNulls),
/* harmony export */   Lw: () => (/* binding */ overlay),
/* harmony export */   Pz: () => (/* binding */ withNumbers),
/* harmony export */   TN: () => (/* binding */ keyOf),
/* harmony export */   UJ: () => (/* binding */ coveredBy),
/* harmony export */   bh: () => (/* binding */ toShown),
/* harmony export */   cO: () => (/* binding */ withValue),
/* harmony export */   fK: () => (/* binding */ valueAt),
/* harmony export */   gn: () => (/* binding */ withMembers),
/* harmony export */   h3: () => (/* binding */ holdsSensitive),
/* harmony export */   kZ: () => (/* binding */ isNull),
/* harmony export */   nd: () => (/* binding */ withoutDefaults),
/* harmony export */   rO: () => (/* binding */ withDefaults),
/* harmony export */   sl: () => (/* binding */ withoutUserInfo)
/* harmony export */ });
function isNull(value) {
    return value === null || value === undefined;
}
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
const KEYS = new Map();
function keysOf(path) {
    const known = KEYS.get(path);
    if (known !== undefined)
        return known;
    const keys = path.split(".");
    if (KEYS.size < MOST_KEPT_PATHS)
        KEYS.set(path, keys);
    return keys;
}
const MOST_KEPT_PATHS = 1000;
function valueAt(body, path) {
    let value = body;
    for (const key of keysOf(path)) {
        if (!isObject(value) || !Object.hasOwn(value, key))
            return undefined;
        value = value[key];
    }
    return value;
}
function withValue(body, path, value) {
    const [key, ...rest] = path.split(".");
    if (rest.length === 0)
        return { ...body, [key]: value };
    const child = body[key];
    return { ...body, [key]: withValue(isObject(child) ? child : {}, rest.join("."), value) };
}
function withMembers(value, change) {
    const keys = Object.keys(value);
    let out = null;
    for (let at = 0; at < keys.length; at += 1) {
        const key = keys[at];
        const item = value[key];
        const next = change(item, key);
        if (out === null && next === item && next !== undefined)
            continue;
        if (out === null) {
            out = {};
            for (let before = 0; before < at; before += 1)
                put(out, keys[before], value[keys[before]]);
        }
        if (next !== undefined)
            put(out, key, next);
    }
    return out ?? value;
}
function put(out, key, value) {
    if (key === "__proto__")
        Object.defineProperty(out, key, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
        });
    else
        out[key] = value;
}
function withItems(list, change) {
    let out = null;
    for (let at = 0; at < list.length; at += 1) {
        const next = change(list[at]);
        if (next !== list[at])
            (out ??= [...list])[at] = next;
    }
    return out ?? list;
}
function withoutNulls(value) {
    if (Array.isArray(value))
        return withItems(value, withoutNulls);
    return isObject(value) ? withMembers(value, withoutNullMember) : value;
}
const withoutNullMember = (item) => isNull(item) ? undefined : withoutNulls(item);
const NUMERIC = /^-?\d+(?:\.\d+)?$/;
function withNumbers(shape, value) {
    if (shape.kind === "scalar")
        return typeof value === "string" &&
            (shape.type === "number" || shape.type === "integer") &&
            NUMERIC.test(value)
            ? Number(value)
            : value;
    if (shape.kind !== "struct" || !isObject(value))
        return value;
    let out = null;
    for (const [key, item] of Object.entries(value)) {
        const child = shape.fields.get(key)?.shape;
        const read = child === undefined ? item : withNumbers(child, item);
        if (read !== item)
            (out ??= { ...value })[key] = read;
    }
    return out ?? value;
}
function documentedDefault(field, siblings) {
    const rule = field.meta.default;
    if (rule === undefined)
        return undefined;
    if ("value" in rule)
        return rule.value;
    const base = siblings[rule.of];
    return typeof base === "number" ? base * rule.times : undefined;
}
const DEFAULT_ROWS = new WeakMap();
function defaultRows(shape) {
    const known = DEFAULT_ROWS.get(shape);
    if (known !== undefined)
        return known;
    const rows = [...shape.fields].filter(([, field]) => field.meta.default !== undefined);
    DEFAULT_ROWS.set(shape, rows);
    return rows;
}
function withDefaults(shape, value) {
    const rows = defaultRows(shape);
    if (rows.length === 0)
        return value;
    let filled = null;
    for (const [name, field] of rows) {
        if (!isNull((filled ?? value)[name]))
            continue;
        const fallback = documentedDefault(field, filled ?? value);
        if (fallback !== undefined)
            (filled ??= { ...value })[name] = fallback;
    }
    return filled ?? value;
}
function withoutDefaults(shape, value) {
    if (defaultRows(shape).length === 0)
        return value;
    const filled = withDefaults(shape, value);
    return withMembers(value, (item, name) => {
        const field = shape.fields.get(name);
        return field === undefined || item !== documentedDefault(field, filled) ? item : undefined;
    });
}
function keyOf(item, match) {
    const key = isObject(item) ? item[match] : undefined;
    return typeof key === "string" ? key : JSON.stringify(key ?? item);
}
function overlay(shape, wanted, live) {
    if ((shape.kind !== "struct" && shape.kind !== "map") || !isObject(wanted) || !isObject(live))
        return isNull(wanted) ? (live ?? null) : wanted;
    const out = { ...live };
    for (const [key, value] of Object.entries(wanted)) {
        const child = shape.kind === "struct" ? shape.fields.get(key)?.shape : undefined;
        if (!isNull(value))
            out[key] = child === undefined ? value : overlay(child, value, live[key]);
    }
    return out;
}
function coveredBy(wanted, live) {
    if (isNull(wanted))
        return true;
    if (Array.isArray(wanted)) {
        return (Array.isArray(live) &&
            live.length === wanted.length &&
            wanted.every((item, index) => coveredBy(item, live[index])));
    }
    if (isObject(wanted)) {
        return (isObject(live) && Object.entries(wanted).every(([key, item]) => coveredBy(item, live[key])));
    }
    return wanted === live;
}
function withoutUserInfo(url) {
    return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}
function toShown(field, shape, value) {
    if (isNull(value))
        return null;
    if (field?.meta.sensitive === "value")
        return value === "" ? "" : "(sensitive)";
    if (typeof value === "string")
        return field?.meta.sensitive === "user-info" ? withoutUserInfo(value) : value;
    if (shape.kind === "list" && Array.isArray(value))
        return withItems(value, (item) => toShown(undefined, shape.item, item));
    if (shape.kind === "struct" && isObject(value)) {
        return withMembers(value, (item, key) => {
            if (isNull(item))
                return undefined;
            const child = shape.fields.get(key);
            return child === undefined ? item : toShown(child, child.shape, item);
        });
    }
    return value;
}
function holdsSensitive(field, shape, value) {
    if (isNull(value))
        return false;
    if (field?.meta.sensitive === "value")
        return true;
    if (shape.kind === "list")
        return (Array.isArray(value) &&
            value.some((item) => holdsSensitive(undefined, shape.item, item)));
    return (shape.kind === "struct" &&
        isObject(value) &&
        [...shape.fields].some(([key, child]) => holdsSensitive(child, child.shape, value[key])));
}


/***/ }),

/***/ 4950:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ maskLive)
/* harmony export */ });
/* harmony import */ var _plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3211);
/* harmony import */ var _spec_document_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6885);


function maskLive({ mask }, live) {
    if (live !== null)
        mask(secretsWithin(live.body).filter(_plan_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .isReturned */ .c0));
}
function secretsWithin(value, key = "") {
    if (typeof value === "string")
        return key === "value" ? [value] : (0,_spec_document_js__WEBPACK_IMPORTED_MODULE_1__/* .userInfo */ .e)(value);
    if (typeof value !== "object" || value === null)
        return [];
    if (Array.isArray(value))
        return value.flatMap((item) => secretsWithin(item));
    return Object.entries(value).flatMap(([name, item]) => secretsWithin(item, name));
}


/***/ })

};
;