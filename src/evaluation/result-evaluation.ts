import { secretsOf } from "../cli/options.ts";
import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { isRollbackCancelled, redeployPrevious } from "../deploy/rollback.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { uploadExperiments } from "../experiment/upload.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { Desired } from "../spec/desired.ts";
import { isGreen } from "../report/outcome.ts";
import type { DeploymentReport, ExperimentReport } from "../report/report.ts";
import { problemsOf, type Parts } from "../ci/report-assembly.ts";
import type { Evaluated, Evaluation, Stop, WaveEvaluated } from "./evaluation-port.ts";
import {
  createLooks,
  joinLooks,
  judgeLate,
  newestExperiments,
  statesOf,
  shareAlpha,
  withAlpha,
  type Looks,
} from "./looks.ts";
import { createBodyPrinter } from "../ci/printed-text.ts";
import { refuse, isAccepting, UsageError, type Session } from "../ci/session.ts";
import { readCommitPlace } from "../ci/commit-place.ts";
import {
  gateSentence,
  isGateRed,
  judgeResults,
  toJudgedAs,
  toParts,
  writeBaseline,
  type Judged,
} from "./gate-judgement.ts";
import {
  findMissing,
  findPresent,
  problemsOfOptions,
  readGateSet,
  readResults,
  toOverrides,
  toUploadContext,
} from "./result-files.ts";
import { refuseStoredHead } from "./stored-head.ts";
import type { Connection } from "../ci/service-connection.ts";
import { asksForRows, wantedRows } from "./wanted-rows.ts";

/** Checks gates and result files before anything is sent. */
export async function createResultEvaluation(
  session: Session,
  connection: Connection,
  documents: readonly Desired[],
): Promise<Evaluation> {
  const gates = await readGateSet(session);
  const { experiment: patterns, gateWhen } = session.options;
  if (gates !== null && patterns.length === 0)
    throw new UsageError("gate needs experiment: the result files to judge");
  refuseStoredHead(session);
  // What `verify` makes would be refused for these after the deploy.
  refuse(session, problemsOfOptions(session.options));
  const missing = await findMissing(session, patterns);
  const early = gateWhen === "after" ? [] : await findPresent(session, patterns);
  if (gateWhen === "before" && early.length === 0)
    throw new UsageError(
      `experiment: no file matches ${patterns.join(", ")}, and gate-when: before judges what is there at the start`,
    );
  const states = await statesOf(session, early);
  const verifying = wavesWithVerify(session, documents);
  const shares = shareAlpha({
    hasEarly: early.length > 0,
    isMissing: missing.length > 0,
    waves: verifying,
  });
  const first =
    early.length === 0
      ? null
      : await judgeResults(
          session,
          await readResults(session, early, {
            exact: true,
            unscored: gates === null ? "refused" : "kept",
            wanted: asksForRows(session, gates) ? wantedRows(gates) : undefined,
          }),
          withAlpha(gates, shares.first),
          connection.tracing,
        );
  const looks = createLooks(states, first);
  const stageOf = (context: DeployContext, documents: readonly Desired[]): Stage => ({
    session,
    connection,
    context,
    documents,
    looks,
    gates,
    lateGates: withAlpha(gates, shares.late),
  });
  const lacking = missing.length > 0 && !session.options.dryRun && verifying === 0;
  return {
    before: async () => {
      if (lacking) return toMissingStop(gates, missing);
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

/** Deploying first and being red afterwards would help nobody. */
function toMissingStop(gates: GateSet | null, missing: readonly string[]): Stop {
  const files = `no file matches ${missing.join(", ")}`;
  return gates === null
    ? {
        reason: "no-results",
        message: `experiment: ${files}, and no verify command of this run makes it. Nothing was written`,
      }
    : {
        reason: "gate",
        message: `the gate has nothing to judge: ${files}, and no verify command of this run makes it. Nothing was written`,
      };
}

interface Stage {
  readonly session: Session;
  readonly connection: Connection;
  readonly context: DeployContext;
  readonly documents: readonly Desired[];
  readonly looks: Looks;
  readonly gates: GateSet | null;
  /** The same with the alpha of one look after a deploy. */
  readonly lateGates: GateSet | null;
}

/** A result file that can no longer be used is named in the report: what was deployed must not be lost over it. */
async function evaluateAfter(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, context, looks } = stage;
  const soFar = (): Parts => ({
    ...toParts(session, looks.judged, []),
    ...(looks.problems.length === 0 ? {} : { problems: looks.problems }),
  });
  const cancelled = (): Evaluated => ({
    deployments,
    parts: { ...soFar(), outcome: "cancelled" },
  });
  if (context.signal.aborted) return cancelled();
  try {
    return await evaluateResults(stage, deployments);
  } catch (error) {
    if (context.signal.aborted) return cancelled();
    if (!(error instanceof UsageError)) session.host.say("error", (error as Error).message);
    looks.problems.push(...problemsOf(error));
    return { deployments, parts: soFar() };
  }
}

/** What a wave's `verify` made is judged before the next wave begins; uploads are made at the end of the run. */
async function evaluateWave(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<WaveEvaluated> {
  const { session, context, looks } = stage;
  if (context.signal.aborted) return { deployments, why: "" };
  try {
    const judged = await judgeLate(session, looks, stage.lateGates, stage.connection.tracing);
    if (judged === null || !isGateRed(session, judged)) return { deployments, why: "" };
    session.host.progress(`a gate failed: ${gateSentence(judged)}`);
    return { deployments: await rollBackDeployed(stage, deployments), why: "a gate failed" };
  } catch (error) {
    if (context.signal.aborted) return { deployments, why: "" };
    if (!(error instanceof UsageError)) session.host.say("error", (error as Error).message);
    looks.problems.push(...problemsOf(error));
    return { deployments, why: "its results could not be judged" };
  } finally {
    for (const { name } of deployments) looks.closed.add(name);
  }
}

async function evaluateResults(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, looks } = stage;
  const missing = await findMissing(session, session.options.experiment);
  if (missing.length > 0) return judgeMissing(stage, deployments, missing);
  const last = await judgeLate(session, looks, stage.lateGates, stage.connection.tracing);
  const uploads = await upload(stage, newestExperiments(looks), deployments, looks.judged);
  const red = last !== null && isGateRed(session, last);
  const rolledBack =
    red && !session.options.dryRun ? await rollBackOpen(stage, deployments) : deployments;
  const refused = await writeBaseline(session, await joinLooks(session, looks, stage.gates));
  const cancelled = session.signal.aborted || isRollbackCancelled(rolledBack);
  const problems = [...looks.problems, ...(refused === null ? [] : [{ message: refused }])];
  return {
    deployments: rolledBack,
    parts: {
      ...toParts(session, looks.judged, uploads),
      ...(problems.length === 0 ? {} : { problems }),
      ...(cancelled ? { outcome: "cancelled" } : {}),
    },
  };
}

/**
 * Result files that are not there after `verify`: a failed gate, or a failed upload. A dry run does
 * not run `verify`.
 */
async function judgeMissing(
  stage: Stage,
  deployments: readonly DeploymentReport[],
  missing: readonly string[],
): Promise<Evaluated> {
  const { session, gates, looks } = stage;
  const none = `experiment: no file matches ${missing.join(", ")}: nothing was uploaded or gated`;
  const soFar = toParts(session, looks.judged, []);
  if (session.options.dryRun) {
    const why = `${none}, as verify, which may write them, does not run in a dry run`;
    return { deployments, parts: { ...soFar, warnings: [...(soFar.warnings ?? []), why] } };
  }
  session.host.say("error", none);
  const problems = [...looks.problems, { message: none }];
  if (gates === null) return { deployments, parts: { ...soFar, problems } };
  const rolledBack = await rollBackOpen(stage, deployments);
  const cancelled = session.signal.aborted || isRollbackCancelled(rolledBack);
  return {
    deployments: rolledBack,
    parts: {
      ...soFar,
      gate_verdict: "fail",
      problems,
      ...(cancelled ? { outcome: "cancelled" } : {}),
    },
  };
}

/** Whether an upload failed, or it is unknown whether it arrived. */
export function isUploadRed(report: ExperimentReport): boolean {
  return report.outcome === "failed" || report.outcome === "unknown";
}

async function upload(
  { session, connection }: Pick<Stage, "session" | "connection">,
  experiments: readonly Experiment[],
  deployments: readonly DeploymentReport[],
  judged: readonly Judged[],
): Promise<readonly ExperimentReport[]> {
  const only = deployments.length === 1 ? deployments[0] : undefined;
  const deployed = { deploymentId: only?.id ?? "", revisionId: only?.revision_id ?? "" };
  return uploadAll(session, connection, experiments, deployed, judged);
}

/**
 * Warns once a file where a row that is sent holds a key or token of this run: an agent that prints
 * its environment does that.
 */
function watchForKeys({ options, host }: Session): (file: string, rows: Buffer) => void {
  const keys = secretsOf(options).filter((key) => key.length >= SHORTEST_KEY);
  const told = new Set<string>();
  return (file, rows) => {
    if (told.has(file) || !keys.some((key) => rows.includes(key))) return;
    told.add(file);
    host.say(
      "warning",
      `${file}: a row holds a key or token of this run, and is stored with it; replace that key, and keep it out of the agent's answers`,
    );
  };
}

/** A key that is shorter may stand in a row by chance. */
const SHORTEST_KEY = 8;

/**
 * Uploads experiments, or prints their bodies in a dry run; a body that breaks a rule is a usage
 * error, reported before a byte is sent.
 */
export async function uploadAll(
  session: Session,
  connection: Connection | null,
  experiments: readonly Experiment[],
  deployed: { readonly deploymentId: string; readonly revisionId: string },
  judged: readonly Judged[],
): Promise<readonly ExperimentReport[]> {
  const context = {
    ...toUploadContext(session, deployed, await readCommitPlace(session)),
    evaluator:
      session.options.evaluator ??
      judged.find(({ gates }) => gates !== null)?.gates?.evaluator ??
      undefined,
    accepted: isAccepting(session),
    judgedAs: toJudgedAs(judged),
  };
  const { reports, problems } = await uploadExperiments({
    experiments,
    onRows: watchForKeys(session),
    overrides: toOverrides(session),
    context,
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
  refuse(session, problems);
  return reports;
}

/** The same for what no earlier wave has closed: its own gates have judged that. */
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

/**
 * Goes back where a gate failed after the deploy and `on-failure: rollback` asks for it; the
 * outcomes stay as they are.
 */
async function rollBackDeployed(
  { context, documents }: Stage,
  deployments: readonly DeploymentReport[],
): Promise<readonly DeploymentReport[]> {
  return Promise.all(
    deployments.map(async (one) => {
      const deploy = documents.find((desired) => desired.name === one.name)?.deploy;
      if ((context.policy.onFailure ?? deploy?.on_failure) !== "rollback") return one;
      if (!isGreen(one.outcome) || !one.changed || one.id === null) return one;
      const done = await redeployPrevious(context, {
        name: one.name,
        deploymentId: one.id,
        failedRevisionId: one.revision_id,
        failedWasActive: true,
        previousRevisionId: one.previous_revision_id,
        timeoutMs: timeoutOf(context, deploy ?? {}),
        changes: one.changes,
      });
      return {
        ...one,
        rollback: done.rollback,
        previous_revision_id: done.previousRevisionId,
        ...(done.serving === undefined ? {} : { serving: done.serving }),
        message: `${done.sent ? `revision ${one.revision_id} was deployed, then a gate failed` : one.message}. ${done.message}`,
        next: [...one.next, ...done.next],
      };
    }),
  );
}
