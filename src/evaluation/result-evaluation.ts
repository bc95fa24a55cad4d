import { secretsOf } from "../inputs.ts";
import { createHash } from "node:crypto";
import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { redeployPrevious } from "../deploy/rollback.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { uploadExperiments } from "../experiment/upload.ts";
import type { GateSet } from "../gate/language.ts";
import type { Desired } from "../spec/desired.ts";
import { isGreen, type DeploymentReport, type ExperimentReport } from "../report/report.ts";
import { problemsOf, type Parts } from "../run/report-assembly.ts";
import type { Evaluated, Evaluation, Stop } from "./evaluation.ts";
import { createBodyPrinter } from "./printed-body.ts";
import { isAccepting } from "../run/acceptance.ts";
import { readCommitPlace } from "../run/commit-place.ts";
import {
  gateSentence,
  isGateRed,
  judgeResults,
  toJudgedAs,
  toParts,
  writeBaseline,
  type Judged,
} from "./gate-judgement.ts";
import { isRollbackCancelled } from "./later-rollback.ts";
import {
  findMissing,
  findPresent,
  readGateSet,
  readResults,
  refuse,
  toOverrides,
  toUploadContext,
} from "./result-files.ts";
import type { Connection } from "../run/service-connection.ts";
import { UsageError, type Session } from "../run/session.ts";

/** What a file holds, to tell whether it is still what was judged: neither its size nor its time stamp would. */
async function contentOf(session: Session, path: string): Promise<string> {
  const { stream } = await session.workspace.openStream(path, Number.MAX_SAFE_INTEGER);
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest("base64");
}

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
  const missing = await findMissing(session, patterns);
  const early = gateWhen === "after" ? [] : await findPresent(session, patterns);
  if (gateWhen === "before" && early.length === 0)
    throw new UsageError(
      `experiment: no file matches ${patterns.join(", ")}, and gate-when: before judges what is there at the start`,
    );
  const contents = new Map(
    await Promise.all(early.map(async (path) => [path, await contentOf(session, path)] as const)),
  );
  const first =
    early.length === 0
      ? null
      : await judgeResults(
          session,
          await readResults(session, early, {
            exact: true,
            unscored: gates === null ? "refused" : "kept",
          }),
          gates,
          connection.tracing,
        );
  const hollow = missing.length > 0 && !session.options.dryRun && !mayRunVerify(session, documents);
  return {
    before: async () => {
      if (hollow) return toMissingStop(gates, missing);
      if (first === null || !isGateRed(session, first)) return null;
      return { reason: "gate", message: gateSentence(first) };
    },
    partsSoFar: () => ({
      ...toParts(session, first === null ? [] : [first], []),
      ...(hollow && gates !== null ? { gateVerdict: "fail" } : {}),
    }),
    after: (deployments, context, documents) =>
      evaluateAfter(
        { session, connection, context, gates, first, contents, documents },
        deployments,
      ),
  };
}

/** Whether a `verify` may still make result files. */
function mayRunVerify({ options, trust }: Session, documents: readonly Desired[]): boolean {
  if (!options.wait || trust.state === "untrusted") return false;
  return documents.some(({ deploy }) => (options.verify ?? deploy.verify ?? "").trim() !== "");
}

/** Deploying first and being red afterwards would help nobody. */
function toMissingStop(gates: GateSet | null, missing: readonly string[]): Stop {
  const files = `no file matches ${missing.join(", ")}`;
  return gates === null
    ? {
        reason: "no-results",
        message: `experiment: ${files}, and no verify command makes it. Nothing was written`,
      }
    : {
        reason: "gate",
        message: `the gate has nothing to judge: ${files}, and no verify command makes it. Nothing was written`,
      };
}

interface Stage {
  readonly session: Session;
  readonly connection: Connection;
  readonly context: DeployContext;
  readonly gates: GateSet | null;
  readonly first: Judged | null;
  readonly contents: ReadonlyMap<string, string>;
  readonly documents: readonly Desired[];
}

/** A result file that cannot be used by now is told in the report: what was deployed must not be lost over it. */
async function evaluateAfter(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, context, first } = stage;
  const soFar = (): Parts => toParts(session, first === null ? [] : [first], []);
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
    return {
      deployments,
      parts: { ...soFar(), problems: problemsOf(error) },
    };
  }
}

async function evaluateResults(
  stage: Stage,
  deployments: readonly DeploymentReport[],
): Promise<Evaluated> {
  const { session, gates, first, contents } = stage;
  const missing = await findMissing(session, session.options.experiment);
  if (missing.length > 0) return judgeMissing(stage, deployments, missing);
  const present = await findPresent(session, session.options.experiment);
  const late: string[] = [];
  for (const path of present)
    if (contents.get(path) !== (await contentOf(session, path))) late.push(path);
  const second =
    late.length === 0
      ? null
      : await judgeResults(
          session,
          await readResults(session, late, {
            exact: true,
            unscored: gates === null ? "refused" : "kept",
          }),
          // What is new was not there to be judged; what was judged and is another now is judged again.
          session.options.gateWhen === "before" && !late.some((path) => contents.has(path))
            ? null
            : gates,
          stage.connection.tracing,
        );
  const judged = [first, second].filter((one): one is Judged => one !== null);
  const newest = [
    ...(first?.experiments ?? []).filter((one) => !late.includes(one.file)),
    ...(second?.experiments ?? []),
  ];
  const uploads = await upload(stage, newest, deployments, judged);
  const red = second !== null && isGateRed(session, second);
  const rolledBack =
    red && !session.options.dryRun ? await rollBackDeployed(stage, deployments) : deployments;
  const refused = await writeBaseline(session, judged.at(-1)!);
  const cancelled = session.signal.aborted || isRollbackCancelled(rolledBack);
  return {
    deployments: rolledBack,
    parts: {
      ...toParts(session, judged, uploads),
      ...(refused === null ? {} : { problems: [{ message: refused }] }),
      ...(cancelled ? { outcome: "cancelled" } : {}),
    },
  };
}

/** Result files that are not there after `verify`: a failed gate, or a failed upload. A dry run does not run `verify`. */
async function judgeMissing(
  stage: Stage,
  deployments: readonly DeploymentReport[],
  missing: readonly string[],
): Promise<Evaluated> {
  const { session, gates, first } = stage;
  const none = `experiment: no file matches ${missing.join(", ")}: nothing was uploaded or gated`;
  const soFar = toParts(session, first === null ? [] : [first], []);
  if (session.options.dryRun) {
    const why = `${none}, as verify, which may write them, does not run in a dry run`;
    return { deployments, parts: { ...soFar, warnings: [...(soFar.warnings ?? []), why] } };
  }
  session.host.say("error", none);
  if (gates === null) return { deployments, parts: { ...soFar, problems: [{ message: none }] } };
  const rolledBack = await rollBackDeployed(stage, deployments);
  const cancelled = session.signal.aborted || isRollbackCancelled(rolledBack);
  return {
    deployments: rolledBack,
    parts: {
      ...soFar,
      gateVerdict: "fail",
      problems: [{ message: none }],
      ...(cancelled ? { outcome: "cancelled" } : {}),
    },
  };
}

/** Whether an upload failed, or nobody can tell whether it arrived. */
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

/** The same experiment, with one warning where a row that is sent holds a key or token of this run: an agent that prints its environment does that. */
function watchForKeys({ options, host }: Session, experiment: Experiment): Experiment {
  const keys = secretsOf(options).filter((key) => key.length >= SHORTEST_KEY);
  let isTold = false;
  const watch = async function* <T>(
    chunks: AsyncIterable<T>,
    textOf: (chunk: T) => string | Buffer,
  ): AsyncGenerator<T> {
    for await (const chunk of chunks) {
      if (!isTold && keys.some((key) => textOf(chunk).includes(key))) {
        isTold = true;
        host.say(
          "warning",
          `${experiment.file}: a row holds a key or token of this run, and is stored with it; replace that key, and keep it out of the agent's answers`,
        );
      }
      yield chunk;
    }
  };
  return {
    ...experiment,
    texts: () => watch(experiment.texts(), ({ bytes }) => bytes),
    batches: () => watch(experiment.batches(), (rows) => JSON.stringify(rows)),
  };
}

/** A key that is shorter may stand in a row by chance. */
const SHORTEST_KEY = 8;

/** Uploads experiments, or prints their bodies in a dry run; a body that breaks a rule is a usage error, told before a byte is sent. */
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
    experiments: experiments.map((one) => watchForKeys(session, one)),
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

/** Goes back where a gate failed after the deploy and `on-failure: rollback` asks for it; the outcomes stay as they are. */
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
      });
      return {
        ...one,
        rollback: done.rollback,
        message: `${one.message}. ${done.message}`,
        next: [...one.next, ...done.next],
      };
    }),
  );
}
