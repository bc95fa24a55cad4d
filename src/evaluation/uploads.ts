import { slugOf } from "../run-context.ts";
import { secretsOf } from "../cli/options.ts";
import { createBodyPrinter } from "../ci/printed-text.ts";
import { readCommitPlace } from "../ci/commit-place.ts";
import type { Connection } from "../ci/service-connection.ts";
import { isAccepting, refuse, type Session } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { uploadExperiments } from "../experiment/upload.ts";
import type { ExperimentReport } from "../report/report.ts";
import { isLostToAuto, UNKNOWN_PLACE } from "./auto-baseline.ts";
import { toJudgedAs, type Judged } from "./gate-judgement.ts";
import { toOverrides } from "./result-files.ts";
import { clausesOf } from "./stored-experiment.ts";

/**
 * Warns once per file if a row to be sent contains a key or token of this run, as from an agent
 * that prints its environment.
 */
function watchForKeys({ options, host }: Session): (file: string, rows: Buffer) => void {
  const keys = secretsOf(options).filter((key) => key.length >= SHORTEST_KEY);
  const warned = new Set<string>();
  return (file, rows) => {
    if (warned.has(file) || !keys.some((key) => rows.includes(key))) return;
    warned.add(file);
    host.notify(
      "warning",
      `${file}: a row holds a key or token of this run, and is stored with it; replace that key, and keep it out of the agent's answers`,
    );
  };
}

/** A shorter key may occur in a row by chance. */
const SHORTEST_KEY = 8;

/**
 * Uploads experiments, or prints their bodies in a dry run. A body that breaks a rule is a usage
 * error, reported before anything is sent.
 */
export async function uploadAll(
  session: Session,
  connection: Connection | null,
  experiments: readonly Experiment[],
  deployed: { readonly deploymentId: string; readonly revisionId: string },
  judged: readonly Judged[],
): Promise<readonly ExperimentReport[]> {
  const place = await readCommitPlace(session);
  if (isLostToAuto(session, place) && !session.options.dryRun)
    session.host.notify(
      "warning",
      `baseline: experiment:auto of later runs does not find this one: ${clausesOf([UNKNOWN_PLACE]).join("; ")}`,
    );
  const { run, options, version } = session;
  const gates = judged.find((one) => one.gates !== null)?.gates;
  const context = {
    repository: slugOf(run),
    commit: place.commit ?? "",
    branch: place.branch ?? "",
    event: run.event,
    runId: run.runId,
    runAttempt: String(run.runAttempt),
    job: run.job,
    matrix: options.matrix ?? "",
    runUrl: run.runUrl,
    ...deployed,
    tool: `agent-deploy ${version}`,
    evaluator: options.evaluator ?? gates?.evaluator ?? undefined,
    accepted: isAccepting(session),
    judgedAs: toJudgedAs(judged),
  };
  const { reports, problems } = await uploadExperiments({
    experiments,
    onRows: watchForKeys(session),
    overrides: toOverrides(session),
    context,
    drop: options.drop,
    tracing: options.dryRun ? null : (connection?.tracing ?? null),
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
