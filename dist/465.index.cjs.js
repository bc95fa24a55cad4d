"use strict";
exports.id = 465;
exports.ids = [465];
exports.modules = {

/***/ 465:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  A: () => (/* binding */ applyDeployment),
  r: () => (/* binding */ toCancelled)
});

// EXTERNAL MODULE: ./build/plan/commit.js
var plan_commit = __webpack_require__(8873);
// EXTERNAL MODULE: ./build/report/wording.js
var wording = __webpack_require__(2867);
// EXTERNAL MODULE: ./build/deploy/context.js
var deploy_context = __webpack_require__(4269);
// EXTERNAL MODULE: ./build/deploy/diagnosis.js
var diagnosis = __webpack_require__(2227);
// EXTERNAL MODULE: ./build/deploy/prepare.js + 1 modules
var prepare = __webpack_require__(7755);
// EXTERNAL MODULE: ./build/deploy/rollback.js
var rollback = __webpack_require__(2028);
// EXTERNAL MODULE: ./build/deploy/step.js
var step = __webpack_require__(8074);
// EXTERNAL MODULE: ./build/deploy/tracker.js
var deploy_tracker = __webpack_require__(9166);
;// CONCATENATED MODULE: ./build/deploy/verify.js

async function runVerify(context, desired, tracker) {
    const script = context.policy.verify ?? desired.deploy.verify;
    if (script === undefined || script.trim() === "")
        return null;
    const timeoutMs = (0,deploy_context/* timeoutOf */.R)(context, desired.deploy);
    context.progress(`${desired.name}: verify: ${script.split("\n")[0]}`);
    const { exitCode, tail } = await context.shell.run(script, {
        env: {
            AGENT_DEPLOY_DEPLOYMENT_ID: tracker.id ?? "",
            AGENT_DEPLOY_REVISION_ID: tracker.revisionId ?? "",
            AGENT_DEPLOY_URL: tracker.url,
            AGENT_DEPLOY_NAME: desired.name,
        },
        timeoutMs,
        signal: context.signal,
        onLine: (line) => {
            context.progress(`${desired.name} | ${line}`);
        },
    });
    tracker.verify = { exit_code: exitCode, tail };
    if (exitCode === 0)
        return null;
    const how = exitCode === null ? "did not end within the timeout" : `ended with exit code ${exitCode}`;
    return {
        outcome: "failed",
        reason: "verify",
        message: `revision ${tracker.revisionId} is DEPLOYED, but verify ${how}`,
        next: [
            "The revision is live: mend it and deploy again, or use on-failure: rollback to go back by itself",
        ],
    };
}

// EXTERNAL MODULE: ./build/deploy/wait.js + 1 modules
var wait = __webpack_require__(1986);
;// CONCATENATED MODULE: ./build/deploy/apply.js










const MOST_ADOPTIONS = 3;
const LOOK_AGAIN_MS = [500, 1_500, 4_000];
const GONE_POLL = { shortestMs: 250, longestMs: 10_000 };
async function applyDeployment(context, directory, prepared, tracker = (0,deploy_tracker/* createTracker */.P)(prepared.desired.name)) {
    try {
        return (0,deploy_tracker/* toDeploymentReport */.Pr)(tracker, await carryOut(context, directory, prepared, tracker, 1));
    }
    catch (error) {
        if (context.signal.aborted)
            return (0,deploy_tracker/* toDeploymentReport */.Pr)(tracker, toCancelled(tracker));
        return (0,deploy_tracker/* toDeploymentReport */.Pr)(tracker, {
            outcome: "failed",
            reason: "service",
            message: error.message,
            next: nextAfterError(tracker),
        });
    }
}
function nextAfterError(tracker) {
    return tracker.id !== null && tracker.changed
        ? [(0,wait/* reattachLine */.vq)(tracker.id, tracker.revisionId)]
        : ["Run again: it reads what is live and goes on from there"];
}
function toCancelled(tracker) {
    const { id, revisionId } = tracker;
    const underWay = id !== null && (revisionId !== null || tracker.changed);
    if (!underWay)
        return {
            outcome: "cancelled",
            reason: "signal",
            message: "cancelled before anything was left under way",
        };
    if (tracker.revisionStatus === "DEPLOYED") {
        return {
            outcome: "cancelled",
            reason: "signal",
            message: `cancelled after revision ${revisionId} was DEPLOYED, before the run had ended`,
            next: [(0,wait/* reattachLine */.vq)(id, revisionId)],
        };
    }
    const what = revisionId === null
        ? `the new revision of deployment ${id}, not named yet,`
        : `revision ${revisionId}`;
    return {
        outcome: "cancelled",
        reason: "signal",
        message: `cancelled: ${what} still building`,
        next: [(0,wait/* reattachLine */.vq)(id, revisionId)],
    };
}
async function carryOut(context, directory, prepared, tracker, attempt) {
    const { plan, steps } = prepared.planned;
    tracker.plan = plan;
    tracker.id = plan.id;
    const live = prepared.found.state === "live" ? prepared.found.deployment : null;
    if (live !== null)
        (0,deploy_tracker/* track */.u4)(tracker, live);
    tracker.previousRevisionId = live?.active_revision_id ?? null;
    if (plan.action === "blocked") {
        return {
            outcome: "blocked",
            reason: plan.blockers[0]?.code ?? "blocked",
            message: plan.blockers.map((blocker) => blocker.message).join(" · "),
        };
    }
    if (steps.length === 0) {
        noteLatest(tracker, live);
        return { outcome: "unchanged", message: "nothing to do: live is what the spec says" };
    }
    if (prepared.found.state === "deleting") {
        const gone = await awaitGone(context, prepared.found.id, (0,deploy_context/* timeoutOf */.R)(context, prepared.desired.deploy));
        if (gone !== null)
            return gone;
        const again = (0,prepare/* idOf */.T)(context, prepared.desired) === null
            ? await (0,prepare/* prepareDeployment */.J)(context, directory, prepared.desired, true)
            : prepared;
        if (again.planned.plan.action !== "create")
            return attempt >= MOST_ADOPTIONS
                ? toConflict(again, "the deployment of that name does not come to rest")
                : carryOut(context, directory, again, tracker, attempt + 1);
    }
    const written = await (0,step/* carryOutSteps */.X)(context, directory, prepared, tracker);
    if (written.state === "again") {
        const again = await planAgain(context, directory, prepared.desired);
        if (attempt >= MOST_ADOPTIONS || again.planned.plan.action === "create")
            return toConflict(again, written.message);
        return carryOut(context, directory, again, tracker, attempt + 1);
    }
    if (written.state === "ended")
        return written.end;
    if (written.wait === null) {
        noteLatest(tracker, written.live);
        return { outcome: "updated", message: "updated in place, no new revision" };
    }
    if (!context.policy.wait) {
        return {
            outcome: "started",
            message: `revision ${written.wait.revisionId ?? "(not named yet)"} was started, and wait: false does not wait for it`,
            next: tracker.id === null ? [] : [(0,wait/* reattachLine */.vq)(tracker.id, written.wait.revisionId)],
        };
    }
    const end = await (0,wait/* waitForRevision */.gM)(written.wait, (0,step/* portsFor */.U)(context, tracker));
    return finishWait(context, prepared, tracker, end);
}
function noteLatest(tracker, live) {
    tracker.revisionId = live?.latest_revision_id ?? null;
    if (live !== null &&
        live.active_revision_id !== null &&
        live.active_revision_id === live.latest_revision_id)
        tracker.revisionStatus = "DEPLOYED";
}
async function planAgain(context, directory, desired) {
    for (const pauseMs of LOOK_AGAIN_MS) {
        const again = await (0,prepare/* prepareDeployment */.J)(context, directory, desired, true);
        if (again.planned.plan.action !== "create")
            return again;
        await context.clock.sleep(pauseMs, context.signal);
    }
    return (0,prepare/* prepareDeployment */.J)(context, directory, desired, true);
}
function toConflict({ desired, found }, message) {
    const next = found.state === "lookup-unavailable"
        ? `Give the id of ${desired.name} with deploy.id or deployment-id: this service has no list to find it by`
        : `No live deployment of that name is found: a tracing project of that name, left by a deleted deployment, keeps it taken. Delete the project, or choose another name`;
    return { outcome: "failed", reason: "conflict", message, next: [next] };
}
async function awaitGone(context, id, timeoutMs) {
    const startedAt = context.clock.monotonic();
    const deadlineMs = startedAt + timeoutMs;
    const controlPlane = context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
    context.progress(`deployment ${id} is being deleted: waiting until it is gone`);
    for (;;) {
        const waited = context.clock.monotonic() - startedAt;
        const there = await controlPlane.getDeployment(id).then((found) => found !== null, (error) => {
            context.signal.throwIfAborted();
            if (context.clock.monotonic() < deadlineMs)
                context.progress(`deployment ${id} cannot be read: still waiting (${error.message})`);
            return true;
        });
        if (!there)
            return null;
        if (context.clock.monotonic() >= deadlineMs) {
            return {
                outcome: "timed-out",
                reason: "timeout",
                message: `deployment ${id} is still being deleted after ${(0,wording/* durationWords */.Sh)(timeoutMs)}; nothing was created`,
                next: ["Run again once it is gone"],
            };
        }
        await context.clock.sleep(Math.max(10, Math.min(deadlineMs - context.clock.monotonic(), GONE_POLL.longestMs, Math.max(GONE_POLL.shortestMs, waited * 0.1))), context.signal);
    }
}
async function finishWait(context, prepared, tracker, end) {
    tracker.revisionId = end.revisionId ?? tracker.revisionId;
    tracker.revisionStatus = end.status ?? tracker.revisionStatus;
    if (end.deployment !== null)
        (0,deploy_tracker/* track */.u4)(tracker, end.deployment);
    if (end.state === "timed-out") {
        const next = end.named && tracker.id !== null
            ? [(0,wait/* reattachLine */.vq)(tracker.id, end.revisionId)]
            : tracker.id === null
                ? []
                : ["Run again with force: true to build it all the same", (0,wait/* reattachLine */.vq)(tracker.id, null)];
        return { outcome: "timed-out", reason: "timeout", message: end.message, next };
    }
    if (end.state === "superseded")
        return {
            outcome: "superseded",
            reason: end.status === "SKIPPED" ? "SKIPPED" : "superseded",
            message: end.message,
        };
    const red = await judgeLive(context, prepared, tracker, end);
    return red === null
        ? { outcome: "deployed", message: `revision ${tracker.revisionId} is DEPLOYED and active` }
        : (0,rollback/* rollBack */.F)(context, prepared.desired, tracker, red);
}
async function judgeLive(context, prepared, tracker, end) {
    if (end.state === "failed")
        return {
            outcome: "failed",
            reason: end.status ?? "failed",
            message: end.message,
            next: await (0,diagnosis/* diagnose */.h)(context, tracker),
        };
    const red = (await judgeBuiltCommit(context, prepared, end, tracker)) ??
        (await runVerify(context, prepared.desired, tracker));
    context.signal.throwIfAborted();
    return red;
}
async function judgeBuiltCommit(context, { commit, desired }, end, tracker) {
    if (commit.state !== "wanted" || commit.relation === "behind")
        return null;
    const own = end.revision?.source_revision_config["repo_commit_sha"];
    const built = own ??
        (end.deployment?.latest_revision_id === end.revisionId && end.deployment !== null
            ? (0,plan_commit/* liveCommit */.MQ)(end.deployment)
            : null);
    if (typeof built !== "string" || built === "" || (0,plan_commit/* sameCommit */.Kd)(built, commit.commit))
        return null;
    if (commit.pathsChanged === "no")
        return null;
    const { relation } = await context.repository.compare(commit.commit, built);
    if (relation === "ahead" || relation === "identical")
        return null;
    if (relation === "unknown") {
        tracker.warnings.push(`revision ${end.revisionId} was built from ${built}; whether that holds the wanted commit ${commit.commit} could not be read`);
        return null;
    }
    return {
        outcome: "failed",
        reason: "commit",
        message: `revision ${end.revisionId} is DEPLOYED, but it was built from ${built}, which does not hold the wanted commit ${commit.commit}`,
        next: [`Run again: the plan for ${desired.name} repeats repo_ref and builds the branch anew`],
    };
}


/***/ }),

/***/ 2227:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ diagnose)
/* harmony export */ });
const LOG_LINES = 30;
const ADVICE = [
    [
        /not ready after \d+ seconds|readiness|health ?check/i,
        "The container came up too late or not at all: look for a crash at start, a missing secret, or a slow import; the service's own advice is to redeploy once",
    ],
    [
        /POSTGRES_URI_CUSTOM/i,
        "POSTGRES_URI_CUSTOM has to stay once it was used: put it back under secrets",
    ],
    [
        /ImagePullBackOff|ErrImagePull|manifest unknown|pull access denied/i,
        "The image could not be pulled: check image_uri, its tag or digest, and image_pull_secrets",
    ],
    [/OOMKilled|out of memory/i, "The container ran out of memory: raise memory_mb in resource_spec"],
    [
        /ModuleNotFoundError|Cannot find module|No matching distribution|npm ERR!|error: could not find/i,
        "A dependency is missing or does not install: build it locally with the same lock file",
    ],
];
async function diagnose(context, tracker) {
    const { id, revisionId, revisionStatus } = tracker;
    if (id === null || revisionId === null)
        return [];
    const phase = revisionStatus === "BUILD_FAILED" ? "build" : "deploy";
    tracker.logTail =
        (await context.controlPlane.logTail(id, revisionId, phase, LOG_LINES, tracker.dialect ?? undefined)) ?? [];
    const text = tracker.logTail.join("\n");
    const known = ADVICE.filter(([pattern]) => pattern.test(text)).map(([, advice]) => advice);
    const general = tracker.logTail.length > 0
        ? `Read the ${phase} log, mend the cause, and run again: the same spec redeploys revision ${revisionId}`
        : `The service serves no ${phase} log here: open deployment ${id} in its own page, mend the cause, and run again`;
    return [...known, general];
}


/***/ }),

/***/ 8074:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ portsFor),
/* harmony export */   X: () => (/* binding */ carryOutSteps)
/* harmony export */ });
/* harmony import */ var _plan_decision_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(142);
/* harmony import */ var _context_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4269);
/* harmony import */ var _identity_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1462);
/* harmony import */ var _tracker_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9166);
/* harmony import */ var _wait_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1986);
/* harmony import */ var _write_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5873);






const NAMED_WITHIN_MS = 30_000;
async function carryOutSteps(context, directory, prepared, tracker) {
    let live = prepared.found.state === "live" ? prepared.found.deployment : null;
    let wait = null;
    for (const step of prepared.planned.steps) {
        if (wait !== null && live !== null && step.kind === "patch" && step.makesRevision)
            live = await letPushEnd(context, tracker, wait, live);
        const done = await carryOutStep(context, directory, prepared, tracker, step, live);
        if (done.state === "ended" || done.state === "again")
            return done;
        live = done.live ?? live;
        wait = done.wait ?? wait;
    }
    return { state: "waiting", wait, live };
}
async function letPushEnd(context, tracker, wait, live) {
    const end = await (0,_wait_js__WEBPACK_IMPORTED_MODULE_1__/* .waitForRevision */ .gM)(wait, portsFor(context, tracker));
    tracker.notes.push(`the push's own revision ${end.revisionId ?? "(none appeared)"} ended ${end.status ?? end.state} before the update was sent`);
    return (await context.controlPlane.getDeployment(live.id)) ?? live;
}
async function carryOutStep(context, directory, prepared, tracker, step, live) {
    const { desired } = prepared;
    if (step.kind === "create")
        return createStep(context, directory, prepared, tracker, step.body);
    if (live === null)
        throw new Error(`a ${step.kind} was planned for ${desired.name}, which is not live`);
    switch (step.kind) {
        case "attach": {
            tracker.revisionId = step.revisionId;
            return {
                state: "done",
                live,
                wait: toWait(context, desired, live, { revisionId: step.revisionId, notRevisionIds: [] }),
            };
        }
        case "await-push": {
            tracker.changed = true;
            const commit = step.commit.slice(0, 12);
            context.progress(`${desired.name}: build_on_push is true: waiting for the revision that the push of ${commit} makes`);
            const neverNamed = `the push of ${commit} made no revision: build_on_push is true, but the service began no build of it`;
            return {
                state: "done",
                live,
                wait: {
                    ...toWait(context, desired, live, { revisionId: null, notRevisionIds: known(live) }),
                    neverNamed,
                },
            };
        }
        case "patch":
            return patchStep(context, prepared, tracker, step, live);
        case "redeploy":
            return redeployStep(context, desired, tracker, live, step.revisionId);
    }
}
async function patchStep(context, prepared, tracker, step, given) {
    const { desired } = prepared;
    const live = step.makesRevision && given.latest_revision_id === null
        ? await awaitNamed(context, given)
        : given;
    const sent = await (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .writePatch */ .CZ)(context, desired, live, step, (now) => isApplied(prepared, now), deadlineOf(context, desired));
    if (sent.state !== "taken")
        return toEnded(context, tracker, sent);
    noteWrite(tracker, sent.deployment, step.makesRevision ? live : null);
    if (!step.makesRevision)
        return { state: "done", live: sent.deployment, wait: null };
    const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
    return {
        state: "done",
        live: sent.deployment,
        wait: {
            ...toWait(context, desired, sent.deployment, newRevision(live, sent.deployment)),
            neverNamed,
        },
    };
}
async function redeployStep(context, desired, tracker, planned, revisionId) {
    const live = (await context.controlPlane.getDeployment(planned.id)) ?? planned;
    const revision = await context.controlPlane.getRevision(live.id, revisionId);
    const sent = await (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .writeRedeploy */ .Qe)(context, desired.name, live, revision, revisionId, deadlineOf(context, desired));
    if (sent.state !== "taken")
        return toEnded(context, tracker, sent);
    noteWrite(tracker, sent.deployment, null);
    const redeployed = (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .toRedeployed */ .dh)(live, sent.deployment, revision, revisionId);
    tracker.revisionId = redeployed.revisionId;
    return {
        state: "done",
        live: sent.deployment,
        wait: { ...toWait(context, desired, sent.deployment, redeployed), stale: redeployed.stale },
    };
}
async function awaitNamed(context, given) {
    const untilMs = context.clock.monotonic() + NAMED_WITHIN_MS;
    let live = given;
    while (live.latest_revision_id === null && context.clock.monotonic() < untilMs) {
        await context.clock.sleep(1_000, context.signal);
        live = (await context.controlPlane.getDeployment(live.id)) ?? live;
    }
    return live;
}
function deadlineOf(context, desired) {
    return context.clock.monotonic() + (0,_context_js__WEBPACK_IMPORTED_MODULE_3__/* .timeoutOf */ .R)(context, desired.deploy);
}
function toEnded({ signal }, tracker, sent) {
    if (sent.state !== "undecided")
        return {
            state: "ended",
            end: { outcome: "failed", reason: "refused", message: sent.error.message },
        };
    const next = [sent.next, ...(tracker.id === null ? [] : [(0,_wait_js__WEBPACK_IMPORTED_MODULE_1__/* .reattachLine */ .vq)(tracker.id, null)])];
    const ended = signal.aborted
        ? { outcome: "cancelled", reason: "signal" }
        : { outcome: "failed", reason: "unknown" };
    return { state: "ended", end: { ...ended, message: sent.message, next } };
}
function noteWrite(tracker, deployment, before) {
    tracker.changed = true;
    (0,_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .track */ .u4)(tracker, deployment);
    const latest = deployment.latest_revision_id;
    if (before !== null && latest !== null && latest !== before.latest_revision_id)
        tracker.revisionId = latest;
}
const known = (live) => live.latest_revision_id === null ? [] : [live.latest_revision_id];
function newRevision(before, after) {
    const latest = after.latest_revision_id;
    return latest !== null && latest !== before.latest_revision_id
        ? { revisionId: latest, notRevisionIds: [] }
        : { revisionId: null, notRevisionIds: known(before) };
}
function isApplied(prepared, now) {
    const found = { state: "live", deployment: now, latest: null, active: null };
    const { plan, steps } = (0,_plan_decision_js__WEBPACK_IMPORTED_MODULE_0__/* .planDeployment */ .H)({
        desired: prepared.desired,
        found,
        commit: { state: "skipped", why: "", onMerge: false },
        lookups: prepared.lookups,
        policy: { create: "auto", force: false, secretsUnknown: "keep" },
    });
    return plan.blockers.length === 0 && !steps.some((step) => step.kind === "patch");
}
async function createStep(context, directory, prepared, tracker, body) {
    const { desired } = prepared;
    const sent = await (0,_write_js__WEBPACK_IMPORTED_MODULE_2__/* .writeCreate */ .yi)(context, directory, desired, body, (now) => isApplied(prepared, now), deadlineOf(context, desired));
    if (sent.state === "conflict") {
        context.progress(`${desired.name}: the name is taken: looking again`);
        return { state: "again", message: sent.error.message };
    }
    if (sent.state !== "taken")
        return toEnded(context, tracker, sent);
    noteWrite(tracker, sent.deployment, { latest_revision_id: null });
    const duplicates = await findDuplicates(directory, desired.name, sent.deployment.id, tracker);
    context.signal.throwIfAborted();
    if (duplicates !== null) {
        return {
            state: "ended",
            end: {
                outcome: "blocked",
                reason: "duplicates",
                message: `two deployments are named ${desired.name}: ${duplicates.join(", ")}; one of them is this run's (${sent.deployment.id} answered it). Somebody else created one at the same moment`,
                next: [
                    "Delete one of them, then run again; give the other's id with deploy.id or deployment-id",
                ],
            },
        };
    }
    const revisionId = sent.deployment.latest_revision_id;
    return {
        state: "done",
        live: sent.deployment,
        wait: toWait(context, desired, sent.deployment, { revisionId, notRevisionIds: [] }),
    };
}
async function findDuplicates(directory, name, createdId, tracker) {
    const lookup = await directory.findAgain(name).catch((error) => {
        tracker.warnings.push(`whether somebody else created a deployment named ${name} at the same moment could not be read: ${error.message}`);
        return null;
    });
    if (lookup === null || lookup.state !== "found")
        return null;
    const ids = new Set([
        createdId,
        ...lookup.items.filter((item) => !(0,_identity_js__WEBPACK_IMPORTED_MODULE_5__/* .isDeleting */ .p8)(item)).map((item) => item.id),
    ]);
    return ids.size > 1 ? [...ids] : null;
}
function toWait(context, desired, live, revision) {
    return {
        name: desired.name,
        deploymentId: live.id,
        ...revision,
        previousActiveId: live.active_revision_id,
        timeoutMs: (0,_context_js__WEBPACK_IMPORTED_MODULE_3__/* .timeoutOf */ .R)(context, desired.deploy),
        pollIntervalMs: context.policy.pollIntervalMs,
        stale: null,
    };
}
function portsFor(context, tracker) {
    return {
        controlPlane: context.controlPlane,
        clock: context.clock,
        signal: context.signal,
        progress: context.progress,
        onRevision: (id) => {
            tracker.revisionId = id;
        },
        onStatus: ({ status }) => {
            (0,_tracker_js__WEBPACK_IMPORTED_MODULE_4__/* .sight */ .Wx)(tracker, status, context.clock);
        },
    };
}


/***/ })

};
;