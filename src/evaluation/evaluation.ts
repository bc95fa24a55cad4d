import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import {
  isRollbackCancelled,
  redeployPrevious,
  toRestore,
  toRolledBack,
} from "../deploy/rollback.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { Desired } from "../spec/desired.ts";
import { isGreen } from "../report/outcome.ts";
import type { DeploymentReport, ReportProblem } from "../report/report.ts";
import { problemsOf, type Parts } from "../ci/report-assembly.ts";
import { refuseBaselineFile } from "./baseline.ts";
import { createLooks, joinLooks, type Looks, shareAlpha } from "./looks.ts";
import { UsageError, type Session } from "../ci/session.ts";
import { gateSentence, isGateRed, toParts, type Judged } from "./gate-judgement.ts";
import { findMissing, findPresent, readGateSet, refuseOptions } from "./result-files.ts";
import { refuseStoredHead } from "./stored-head.ts";
import { uploadAll } from "./uploads.ts";
import { writeBaseline } from "./write-baseline.ts";
import type { Connection } from "../ci/service-connection.ts";

/** Why a run stops before its first write. */
export interface Stop {
  readonly reason: string;
  readonly message: string;
}

/** Uploads and gates around a deploy. */
export interface Evaluation {
  /**
   * Why nothing must be written: a gate failed on files from before the first write, or files are
   * missing; else null.
   */
  readonly before: () => Promise<Stop | null>;
  /** What was judged so far, for a run that stops before it writes. */
  readonly partsSoFar: () => Parts;
  /**
   * Judges what the `verify` of a wave made before the next wave begins, and rolls the wave back
   * if asked. `why` is the reason why the wave failed, even if its deployments did not; empty if
   * it did not fail.
   */
  readonly afterWave: (
    deployments: readonly DeploymentReport[],
  ) => Promise<{ readonly deployments: readonly DeploymentReport[]; readonly why: string }>;
  /** Uploads all result files, gates those of the last wave, and rolls it back if asked. */
  readonly after: (deployments: readonly DeploymentReport[]) => Promise<Evaluated>;
}

interface Evaluated {
  readonly deployments: readonly DeploymentReport[];
  readonly parts: Parts;
}

/** Creates the evaluation of a run with result files or gates, which are checked before anything is sent. */
export async function createEvaluation(
  session: Session,
  connection: Connection,
  context: DeployContext,
  documents: readonly Desired[],
): Promise<Evaluation> {
  const { experiment: patterns, gateWhen } = session.options;
  const gates = await readGateSet(session);
  if (gates !== null && patterns.length === 0)
    throw new UsageError("gate needs experiment: the result files to judge");
  refuseStoredHead(session);
  // Otherwise files made by `verify` would be refused for these inputs only after the deploy.
  await refuseOptions(session);
  const missing = await findMissing(session, patterns);
  const early = gateWhen === "after" ? [] : await findPresent(session, patterns);
  if (gates !== null && early.length === 0) await refuseBaselineFile(session);
  const verifying = wavesWithVerify(session, documents);
  const shares = shareAlpha({
    hasEarly: early.length > 0,
    isMissing: missing.length > 0,
    waves: verifying,
  });
  const looks = createLooks(session, gates, connection.tracing, early);
  const first = early.length === 0 ? null : await looks.look(shares.first);
  const stage: Stage = {
    session,
    connection,
    context,
    documents,
    looks,
    gates,
    look: () => looks.look(shares.late),
    closed: new Set(),
    problems: [],
  };
  const isLate = gates !== null && gateWhen === "before" && early.length === 0;
  const lacking = missing.length > 0 && (isLate || (verifying === 0 && !session.options.dryRun));
  return {
    before: async () => {
      if (lacking) return toMissingStop(gates, missing, isLate && verifying > 0);
      if (first === null || !isGateRed(session, first)) return null;
      return { reason: "gate", message: gateSentence(first) };
    },
    partsSoFar: () => ({
      ...toParts(session, first === null ? [] : [first], []),
      ...(lacking && gates !== null ? { gate_verdict: "fail" } : {}),
    }),
    afterWave: (deployments) => evaluateWave(stage, deployments),
    after: (deployments) => evaluateAfter(stage, deployments),
  };
}

/** How many waves have a `verify`, which may still make result files. */
function wavesWithVerify({ options, trust }: Session, documents: readonly Desired[]): number {
  if (!options.wait || trust.state === "untrusted") return 0;
  const verified = documents.filter(
    ({ deploy }) => (options.verify ?? deploy.verify ?? "").trim() !== "",
  );
  return new Set(verified.map(({ deploy }) => deploy.wave ?? 0)).size;
}

/** Deploying first and failing afterwards would help nobody. */
function toMissingStop(gates: GateSet | null, missing: readonly string[], isLate: boolean): Stop {
  const what = gates === null ? "experiment" : "the gate has nothing to judge";
  const why = isLate
    ? "gate-when: before judges what is there at the start"
    : "no verify command of this run makes it";
  const other = isLate ? ", or let the gate wait for verify with gate-when: after" : "";
  return {
    reason: gates === null ? "no-results" : "gate",
    message: `${what}: no file matches ${missing.join(", ")}, and ${why}. Nothing was written. Run the evals in a step before this one${other}`,
  };
}

interface Stage {
  readonly session: Session;
  readonly connection: Connection;
  readonly context: DeployContext;
  readonly documents: readonly Desired[];
  readonly looks: Looks;
  readonly gates: GateSet | null;
  /** Judges what is new since the last look, with the alpha of one look after a deploy. */
  readonly look: () => Promise<Judged | null>;
  /** Deployments whose wave was judged and has ended. */
  readonly closed: Set<string>;
  readonly problems: ReportProblem[];
}

/**
 * Returns the value; undefined if the run was aborted or the work failed. An error is recorded, so
 * that a bad result file does not lose the deployment's report.
 */
async function attempt<T>(
  { session, context: { signal }, problems }: Stage,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    // What a wave met may be met at the end again.
    const found = problemsOf(error).filter(
      ({ message }) => !problems.some((one) => one.message === message),
    );
    // The terminal's report lists it itself.
    if (found.length > 0 && !(error instanceof UsageError) && session.entryPoint !== "cli")
      session.host.notify("error", (error as Error).message);
    problems.push(...found);
    return undefined;
  }
}

async function evaluateAfter(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, connection, context, looks, gates } = stage;
  const { dryRun, experiment } = session.options;
  const missing = await attempt(stage, () => findMissing(session, experiment));
  const isMissing = missing !== undefined && missing.length > 0;
  const none = `experiment: no file matches ${missing?.join(", ")}: nothing was uploaded or gated`;
  if (isMissing && dryRun) {
    const parts = toParts(session, looks.judged, []);
    const why = `${none}, as verify, which may write them, does not run in a dry run`;
    return { deployments, parts: { ...parts, warnings: [...(parts.warnings ?? []), why] } };
  }
  const judged =
    missing === undefined
      ? undefined
      : await attempt(stage, async () => {
          if (isMissing) throw new Error(none);
          return stage.look();
        });
  const only = deployments.length === 1 ? deployments[0] : undefined;
  const deployed = { deploymentId: only?.id ?? "", revisionId: only?.revision_id ?? "" };
  const uploads =
    judged === undefined
      ? undefined
      : await attempt(stage, () =>
          uploadAll(session, connection, looks.newest(), deployed, looks.judged),
        );
  // Missing files count whenever gates judge: nobody has seen them.
  const isUnjudged = judged === undefined && (isGatedLate(stage) || (gates !== null && isMissing));
  const isRed = isUnjudged || (judged != null && isGateRed(session, judged) && !dryRun);
  const isRolledBack = isRed && !context.signal.aborted;
  const ended = isRolledBack ? await rollBackDeployed(stage, deployments) : deployments;
  const refused =
    uploads === undefined
      ? undefined
      : await attempt(stage, async () => writeBaseline(session, joinLooks(looks, gates)));
  const problems = [...stage.problems, ...(refused ?? [])];
  const isCancelled = context.signal.aborted || isRollbackCancelled(ended);
  return {
    deployments: ended,
    parts: {
      ...toParts(session, looks.judged, uploads ?? []),
      ...(problems.length === 0 ? {} : { problems }),
      ...(isUnjudged && !context.signal.aborted ? { gate_verdict: "fail" } : {}),
      ...(isCancelled ? { outcome: "cancelled" } : {}),
    },
  };
}

/** Whether gates judge what is there after the deploy. */
function isGatedLate({ gates, session }: Stage): boolean {
  return gates !== null && session.options.gateWhen !== "before" && !session.options.dryRun;
}

/** Judges the files made by a wave's `verify` before the next wave begins; uploads happen at the end of the run. */
async function evaluateWave(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): ReturnType<Evaluation["afterWave"]> {
  const { session, context, closed } = stage;
  const judged = await attempt(stage, stage.look);
  const isMissing =
    judged !== undefined && (await attempt(stage, () => isNeverMade(stage, deployments))) === true;
  const isUnjudged = (judged === undefined || isMissing) && !context.signal.aborted;
  const isFailed = judged != null && isGateRed(session, judged);
  if (isFailed) session.host.progress(`a gate did not pass: ${gateSentence(judged)}`);
  // With `gate-when: before`, a file that `verify` changed is judged again and may have failed.
  const isRolledBack = isFailed || (isUnjudged && (isMissing || isGatedLate(stage)));
  const ended = isRolledBack ? await rollBackDeployed(stage, deployments) : deployments;
  for (const { name } of deployments) closed.add(name);
  const unjudged = isUnjudged ? "its results could not be judged" : "";
  return { deployments: ended, why: isFailed ? "a gate did not pass" : unjudged };
}

/** Whether files that gates judge are missing after the last `verify` that could make them. */
async function isNeverMade(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<boolean> {
  const { session, documents, gates, closed } = stage;
  const ended = new Set([...closed, ...deployments.map(({ name }) => name)]);
  const later = documents.filter(({ name }) => !ended.has(name));
  if (gates === null || session.options.dryRun || wavesWithVerify(session, later) > 0) return false;
  return (await findMissing(session, session.options.experiment)).length > 0;
}

/**
 * Rolls back if a gate failed after the deploy and `on-failure: rollback` is set; the outcomes stay
 * unchanged. Earlier waves have their own gates.
 */
async function rollBackDeployed(
  { context, documents, closed }: Stage,
  deployments: readonly DeploymentReport[],
): Promise<readonly DeploymentReport[]> {
  return Promise.all(
    deployments.map(async (one) => {
      const deploy = documents.find((desired) => desired.name === one.name)?.deploy;
      const wanted = context.policy.onFailure ?? deploy?.on_failure;
      if (wanted !== "rollback" || closed.has(one.name)) return one;
      if (!isGreen(one.outcome) || !one.changed || one.id === null) return one;
      // An update in place made no revision, so there is none to go back to.
      if (one.outcome === "updated") return { ...one, next: toRestore(one.changes) };
      const timeoutMs = timeoutOf(context.policy.timeoutMs, deploy);
      const wasActive = isDeployed(one.revision_status);
      const done = await redeployPrevious(context, { ...one, id: one.id, timeoutMs, wasActive });
      const begun = `revision ${one.revision_id} was ${one.outcome}, then a gate did not pass`;
      return {
        ...one,
        ...toRolledBack(done),
        message: `${done.changed ? begun : one.message}. ${done.message}`,
        next: done.next,
      };
    }),
  );
}
