"use strict";
exports.id = 749;
exports.ids = [749];
exports.modules = {

/***/ 6749:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createResultEvaluation: () => (/* binding */ createResultEvaluation),
  isUploadRed: () => (/* binding */ isUploadRed),
  uploadAll: () => (/* binding */ uploadAll)
});

// EXTERNAL MODULE: ./build/deploy/context.js
var deploy_context = __webpack_require__(4269);
// EXTERNAL MODULE: ./build/deploy/rollback.js
var rollback = __webpack_require__(2028);
// EXTERNAL MODULE: ./build/experiment/upload.js + 6 modules
var upload = __webpack_require__(8675);
// EXTERNAL MODULE: ./build/report/report.js
var report = __webpack_require__(7177);
// EXTERNAL MODULE: ./build/host/workflow-command.js
var workflow_command = __webpack_require__(9970);
;// CONCATENATED MODULE: ./build/evaluation/printed-body.js

const HELD_CHARS = 128 * 1024;
const MAX_TRIES = 200;
function createBodyPrinter({ print, redact, }) {
    const decoder = new TextDecoder();
    let held = "";
    return (chunk) => {
        held += decoder.decode(chunk, { stream: true });
        const end = held.endsWith("\n")
            ? held.length
            : held.length <= 2 * HELD_CHARS
                ? 0
                : endOfPiece(held, redact);
        if (end === 0)
            return;
        print((0,workflow_command/* toLogJson */.q)(held.slice(0, end)));
        held = held.slice(end);
    };
}
function endOfPiece(text, redact) {
    let at = text.lastIndexOf('"', text.length - HELD_CHARS);
    for (let tries = 0; at > 0 && tries < MAX_TRIES; tries += 1, at = text.lastIndexOf('"', at - 1)) {
        const [before, after] = [
            text.slice(Math.max(0, at - HELD_CHARS), at),
            text.slice(at, at + HELD_CHARS),
        ];
        if (redact(before) + redact(after) === redact(before + after))
            return at;
    }
    return 0;
}

// EXTERNAL MODULE: ./build/evaluation/gate-judgement.js
var gate_judgement = __webpack_require__(9834);
// EXTERNAL MODULE: ./build/evaluation/later-rollback.js
var later_rollback = __webpack_require__(542);
// EXTERNAL MODULE: ./build/evaluation/result-files.js
var result_files = __webpack_require__(5736);
// EXTERNAL MODULE: ./build/run/session.js
var run_session = __webpack_require__(5834);
;// CONCATENATED MODULE: ./build/evaluation/result-evaluation.js









async function stampOf(session, path) {
    const { stream, bytes, modifiedMs } = await session.workspace.openStream(path, Number.MAX_SAFE_INTEGER);
    stream.destroy();
    return `${bytes}:${modifiedMs}`;
}
async function createResultEvaluation(session, connection) {
    const gates = await (0,result_files/* readGateSet */.cE)(session);
    const { experiment: patterns, gateWhen } = session.options;
    if (gates !== null && patterns.length === 0)
        throw new run_session/* UsageError */.e("gate needs experiment: the result files to judge");
    const early = gateWhen === "after" ? [] : await (0,result_files/* findPresent */.jr)(session, session.options.experiment);
    if (gateWhen === "before" && early.length === 0)
        throw new run_session/* UsageError */.e(`experiment: no file matches ${patterns.join(", ")}, and gate-when: before judges what is there at the start`);
    const stamps = new Map(await Promise.all(early.map(async (path) => [path, await stampOf(session, path)])));
    const first = early.length === 0
        ? null
        : await (0,gate_judgement/* judgeResults */.M8)(session, await (0,result_files/* readResults */.x8)(session, early), gates);
    return {
        before: async () => (first !== null && (0,gate_judgement/* isGateRed */.NY)(session, first) ? (0,gate_judgement/* gateSentence */.zo)(first) : null),
        partsSoFar: () => (0,gate_judgement/* toParts */.Qm)(session, first === null ? [] : [first], []),
        after: (deployments, context, documents) => evaluateAfter({ session, connection, context, gates, first, stamps, documents }, deployments),
    };
}
async function evaluateAfter(stage, deployments) {
    const { session, context, first } = stage;
    const soFar = () => (0,gate_judgement/* toParts */.Qm)(session, first === null ? [] : [first], []);
    const cancelled = () => ({
        deployments,
        parts: { ...soFar(), outcome: "cancelled" },
        gateFailed: false,
        otherRed: false,
    });
    if (context.signal.aborted)
        return cancelled();
    try {
        return await evaluateResults(stage, deployments);
    }
    catch (error) {
        if (context.signal.aborted)
            return cancelled();
        if (!(error instanceof run_session/* UsageError */.e))
            session.host.say("error", error.message);
        return {
            deployments,
            parts: { ...soFar(), problems: error.message.split("\n") },
            gateFailed: false,
            otherRed: true,
        };
    }
}
async function evaluateResults(stage, deployments) {
    const { session, gates, first, stamps } = stage;
    const present = await (0,result_files/* findPresent */.jr)(session, session.options.experiment);
    if (present.length === 0) {
        const none = `experiment: no file matches ${session.options.experiment.join(", ")}: nothing was uploaded or gated`;
        if (!session.options.dryRun)
            throw new Error(none);
        return {
            deployments,
            parts: { warnings: [`${none}, as verify, which may write them, does not run in a dry run`] },
            gateFailed: false,
            otherRed: false,
        };
    }
    const late = [];
    for (const path of present)
        if (stamps.get(path) !== (await stampOf(session, path)))
            late.push(path);
    const second = late.length === 0
        ? null
        : await (0,gate_judgement/* judgeResults */.M8)(session, await (0,result_files/* readResults */.x8)(session, late), session.options.gateWhen === "before" ? null : gates);
    const judged = [first, second].filter((one) => one !== null);
    const newest = [
        ...(first?.experiments ?? []).filter((one) => !late.includes(one.file)),
        ...(second?.experiments ?? []),
    ];
    const uploads = await result_evaluation_upload(stage, newest, deployments);
    const red = second !== null && (0,gate_judgement/* isGateRed */.NY)(session, second);
    const rolledBack = red && !session.options.dryRun ? await rollBackDeployed(stage, deployments) : deployments;
    const refused = await (0,gate_judgement/* writeBaseline */.B9)(session, judged.at(-1));
    const unsent = uploads.some(isUploadRed);
    const cancelled = session.signal.aborted || (0,later_rollback/* isRollbackCancelled */._m)(rolledBack);
    return {
        deployments: rolledBack,
        parts: { ...(0,gate_judgement/* toParts */.Qm)(session, judged, uploads), ...(cancelled ? { outcome: "cancelled" } : {}) },
        gateFailed: red,
        otherRed: refused !== null || unsent,
    };
}
function isUploadRed(report) {
    return report.outcome === "failed" || report.outcome === "unknown";
}
async function result_evaluation_upload({ session, connection }, experiments, deployments) {
    const only = deployments.length === 1 ? deployments[0] : undefined;
    return uploadAll(session, connection, experiments, {
        deploymentId: only?.id ?? "",
        revisionId: only?.revision_id ?? "",
    });
}
async function uploadAll(session, connection, experiments, deployed) {
    const { reports, problems } = await (0,upload/* uploadExperiments */.st)({
        experiments,
        overrides: (0,result_files/* toOverrides */.H5)(session),
        context: (0,result_files/* toUploadContext */.M9)(session, deployed),
        drop: session.options.drop,
        tracing: session.options.dryRun ? null : (connection?.tracing ?? null),
        print: createBodyPrinter(session),
        ui: connection?.ui ?? "",
        clock: session.clock,
        random: session.random,
        progress: (line) => {
            session.host.progress(line);
        },
        signal: session.signal,
    });
    (0,result_files/* refuse */.TR)(session, problems);
    return reports;
}
async function rollBackDeployed({ context, documents }, deployments) {
    return Promise.all(deployments.map(async (one) => {
        const deploy = documents.find((desired) => desired.name === one.name)?.deploy;
        if ((context.policy.onFailure ?? deploy?.on_failure) !== "rollback")
            return one;
        if (!(0,report/* isGreen */.gf)(one.outcome) || !one.changed || one.id === null)
            return one;
        const done = await (0,rollback/* redeployPrevious */.s)(context, {
            name: one.name,
            deploymentId: one.id,
            failedRevisionId: one.revision_id,
            previousRevisionId: one.previous_revision_id,
            timeoutMs: (0,deploy_context/* timeoutOf */.R)(context, deploy ?? {}),
        });
        return {
            ...one,
            rollback: done.rollback,
            message: `${one.message}. ${done.message}`,
            next: [...one.next, ...done.next],
        };
    }));
}


/***/ })

};
;