import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { isRollbackCancelled, redeployPrevious, toRolledBack } from "../deploy/rollback.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Desired } from "../spec/desired.ts";
import { isGreen } from "../report/outcome.ts";
import type { DeploymentReport, ExperimentReport, ReportProblem } from "../report/report.ts";
import { problemsOf, type Parts } from "../ci/report-assembly.ts";
import {
  createLooks,
  joinLooks,
  lookAgain,
  newestExperiments,
  shareAlpha,
  withAlpha,
  type Looks,
} from "./looks.ts";
import { refuse, UsageError, type Session } from "../ci/session.ts";
import { gateSentence, isGateRed, toParts, writeBaseline, type Judged } from "./gate-judgement.ts";
import { findMissing, findPresent, problemsOfOptions, readGateSet } from "./result-files.ts";
import { refuseStoredHead } from "./stored-head.ts";
import { uploadAll } from "./uploads.ts";
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
    context: DeployContext,
    documents: readonly Desired[],
  ) => Promise<{ readonly deployments: readonly DeploymentReport[]; readonly why: string }>;
  /** Uploads all result files, gates those of the last wave, and rolls it back if asked. */
  readonly after: (
    deployments: readonly DeploymentReport[],
    context: DeployContext,
    documents: readonly Desired[],
  ) => Promise<Evaluated>;
}

/** The results of the evaluation. */
interface Evaluated {
  readonly deployments: readonly DeploymentReport[];
  readonly parts: Parts;
}

/** Creates the evaluation of a run with result files or gates, which are checked before anything is sent. */
export async function createEvaluation(
  session: Session,
  connection: Connection,
  documents: readonly Desired[],
): Promise<Evaluation> {
  const { experiment: patterns, gateWhen } = session.options;
  const gates = await readGateSet(session);
  if (gates !== null && patterns.length === 0)
    throw new UsageError("gate needs experiment: the result files to judge");
  refuseStoredHead(session);
  // Otherwise files made by `verify` would be refused for these options only after the deploy.
  refuse(session, problemsOfOptions(session.options));
  const missing = await findMissing(session, patterns);
  const early = gateWhen === "after" ? [] : await findPresent(session, patterns);
  const verifying = wavesWithVerify(session, documents);
  const shares = shareAlpha({
    hasEarly: early.length > 0,
    isMissing: missing.length > 0,
    waves: verifying,
  });
  const looks = createLooks(early);
  const lookWith = (share: number, listed?: readonly string[]): Promise<Judged | null> =>
    lookAgain(session, looks, withAlpha(gates, share), connection.tracing, listed);
  const first = early.length === 0 ? null : await lookWith(shares.first, early);
  const stageOf = (context: DeployContext, documents: readonly Desired[]): Stage => ({
    session,
    connection,
    context,
    documents,
    looks,
    gates,
    look: () => lookWith(shares.late),
  });
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
    afterWave: (deployments, context, documents) =>
      evaluateWave(stageOf(context, documents), deployments),
    after: (deployments, context, documents) =>
      evaluateAfter(stageOf(context, documents), deployments),
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
  const files = `no file matches ${missing.join(", ")}`;
  if (gates === null)
    return {
      reason: "no-results",
      message: `experiment: ${files}, and no verify command of this run makes it. Nothing was written. ${MAKE_IT}`,
    };
  const why = isLate
    ? "gate-when: before judges what is there at the start"
    : "no verify command of this run makes it";
  const other = isLate ? ", or let the gate wait for verify with gate-when: after" : "";
  return {
    reason: "gate",
    message: `the gate has nothing to judge: ${files}, and ${why}. Nothing was written. ${MAKE_IT}${other}`,
  };
}

const MAKE_IT = "Run the evals in a step before this one";

interface Stage {
  readonly session: Session;
  readonly connection: Connection;
  readonly context: DeployContext;
  readonly documents: readonly Desired[];
  readonly looks: Looks;
  readonly gates: GateSet | null;
  /** Judges what is new since the last look, with the alpha of one look after a deploy. */
  readonly look: () => Promise<Judged | null>;
}

/** Returns the value, or records an error, so that a bad result file does not lose the deployment's report. */
async function noteError<T>(
  { session, context, looks }: Stage,
  work: () => Promise<T>,
): Promise<T | "aborted" | "failed"> {
  if (context.signal.aborted) return "aborted";
  try {
    return await work();
  } catch (error) {
    if (context.signal.aborted) return "aborted";
    if (!(error instanceof UsageError)) session.host.notify("error", (error as Error).message);
    looks.problems.push(...problemsOf(error));
    return "failed";
  }
}

async function evaluateAfter(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, connection, looks } = stage;
  const cancelled = (): Evaluated => ({
    deployments,
    parts: { ...partsOf(stage, []), outcome: "cancelled" },
  });
  const last = await noteError(stage, async () => {
    const missing = await findMissing(session, session.options.experiment);
    return { missing, judged: missing.length > 0 ? null : await stage.look() };
  });
  if (last === "aborted") return cancelled();
  if (last === "failed") {
    const parts = partsOf(stage, []);
    return isGatedLate(stage) ? failUnjudged(stage, deployments, parts) : { deployments, parts };
  }
  if (last.missing.length > 0) return judgeMissing(stage, deployments, last.missing);
  const only = deployments.length === 1 ? deployments[0] : undefined;
  const deployed = { deploymentId: only?.id ?? "", revisionId: only?.revision_id ?? "" };
  const uploads = await noteError(stage, () =>
    uploadAll(session, connection, newestExperiments(looks), deployed, looks.judged),
  );
  if (uploads === "aborted") return cancelled();
  const { dryRun } = session.options;
  const red = last.judged !== null && isGateRed(session, last.judged) && !dryRun;
  const rolledBack = red ? await rollBackOpen(stage, deployments) : deployments;
  if (uploads === "failed") return endOf(session, rolledBack, partsOf(stage, []));
  const refused = await noteError(stage, async () =>
    writeBaseline(session, await joinLooks(session, looks, stage.gates)),
  );
  const parts = partsOf(stage, uploads, typeof refused === "string" ? [] : refused);
  return endOf(session, rolledBack, parts);
}

/** Whether gates judge what is there after the deploy. */
function isGatedLate({ gates, session }: Stage): boolean {
  return gates !== null && session.options.gateWhen !== "before" && !session.options.dryRun;
}

/** Results that a gate could not judge after the deploy are a failed gate. */
async function failUnjudged(
  stage: Stage,
  deployments: readonly DeploymentReport[],
  parts: Parts,
): Promise<Evaluated> {
  const rolledBack = await rollBackOpen(stage, deployments);
  return endOf(stage.session, rolledBack, { ...parts, gate_verdict: "fail" });
}

/** What was judged and uploaded, and any problems. */
function partsOf(
  { session, looks: { judged, problems } }: Stage,
  uploads: readonly ExperimentReport[],
  refused: readonly ReportProblem[] = [],
): Parts {
  const all = [...problems, ...refused];
  return { ...toParts(session, judged, uploads), ...(all.length === 0 ? {} : { problems: all }) };
}

/** Judges the files made by a wave's `verify` before the next wave begins; uploads happen at the end of the run. */
async function evaluateWave(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): ReturnType<Evaluation["afterWave"]> {
  const { session, looks } = stage;
  const judged = await noteError(stage, stage.look);
  const isJudged = judged !== "failed" && judged !== "aborted" && judged !== null;
  let why = judged === "failed" ? "its results could not be judged" : "";
  if (isJudged && isGateRed(session, judged)) {
    session.host.progress(`a gate failed: ${gateSentence(judged)}`);
    why = "a gate failed";
  }
  // With `gate-when: before`, a file that `verify` changed is judged again and may have failed.
  const isGateFailed = why !== "" && (isJudged || isGatedLate(stage));
  const rolledBack = isGateFailed ? await rollBackDeployed(stage, deployments) : deployments;
  for (const { name } of deployments) looks.closed.add(name);
  return { deployments: rolledBack, why };
}

function endOf(
  { signal }: Session,
  deployments: readonly DeploymentReport[],
  parts: Parts,
): Evaluated {
  const isCancelled = signal.aborted || isRollbackCancelled(deployments);
  return { deployments, parts: isCancelled ? { ...parts, outcome: "cancelled" } : parts };
}

/** Result files that are missing after `verify`: a failed gate or upload. A dry run does not run `verify`. */
async function judgeMissing(
  stage: Stage,
  deployments: readonly DeploymentReport[],
  missing: readonly string[],
): Promise<Evaluated> {
  const { session, gates } = stage;
  const none = `experiment: no file matches ${missing.join(", ")}: nothing was uploaded or gated`;
  if (session.options.dryRun) {
    const parts = partsOf(stage, []);
    const why = `${none}, as verify, which may write them, does not run in a dry run`;
    return { deployments, parts: { ...parts, warnings: [...(parts.warnings ?? []), why] } };
  }
  session.host.notify("error", none);
  const parts = partsOf(stage, [], [{ message: none }]);
  // Whenever gates judge: nobody has seen what is missing.
  return gates === null ? { deployments, parts } : failUnjudged(stage, deployments, parts);
}

/** Rolls back deployments of waves that were not judged yet: an earlier wave has its own gates. */
async function rollBackOpen(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<readonly DeploymentReport[]> {
  const open = deployments.filter(({ name }) => !stage.looks.closed.has(name));
  const rolledBack = new Map(
    (await rollBackDeployed(stage, open)).map((one) => [one.name, one] as const),
  );
  return deployments.map((one) => rolledBack.get(one.name) ?? one);
}

/** Rolls back if a gate failed after the deploy and `on-failure: rollback` is set; the outcomes stay unchanged. */
async function rollBackDeployed(
  { context, documents }: Stage,
  deployments: readonly DeploymentReport[],
): Promise<readonly DeploymentReport[]> {
  return Promise.all(
    deployments.map(async (one) => {
      const deploy = documents.find((desired) => desired.name === one.name)?.deploy;
      if ((context.policy.onFailure ?? deploy?.on_failure) !== "rollback") return one;
      if (!isGreen(one.outcome) || !one.changed || one.id === null) return one;
      const timeoutMs = timeoutOf(context.policy.timeoutMs, deploy);
      const how = { timeoutMs, failedWasActive: true };
      const done = await redeployPrevious(context, { ...one, id: one.id }, how);
      return {
        ...one,
        ...toRolledBack(done),
        message: `${done.changed ? `revision ${one.revision_id} was deployed, then a gate failed` : one.message}. ${done.message}`,
        next: [...one.next, ...done.next],
      };
    }),
  );
}
