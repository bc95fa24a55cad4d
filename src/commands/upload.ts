import type { DeploymentReport } from "../report/report.ts";
import { endWith } from "../ci/report-assembly.ts";
import { isUploadRed, uploadAll } from "../evaluation/uploads.ts";
import {
  findUnscored,
  isGateRed,
  judgeResults,
  toParts,
  writeBaseline,
  type Judged,
} from "../evaluation/gate-judgement.ts";
import { readGateSet, readResults } from "../evaluation/result-files.ts";
import {
  checkLaterRollback,
  judgeOrRollBack,
  outcomeAfter,
  rollBackLater,
} from "./later-rollback.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { refuseStoredHead } from "../evaluation/stored-head.ts";
import { asksForRows, wantedRows } from "../evaluation/wanted-rows.ts";
import { explainExperiments, SHOWN_ROWS } from "../experiment/explain.ts";
import { unscoredProblems } from "../experiment/naming.ts";
import { printLines } from "../ci/printed-text.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import {
  refuse,
  refuseUntrusted,
  UsageError,
  type CommandEnd,
  type Session,
} from "../ci/session.ts";
import { mustSkip } from "../ci/skip.ts";

/** `upload`: turns result files into experiments, then gates them; a failed gate may roll back. */
export async function runUpload(session: Session): Promise<CommandEnd> {
  const { options } = session;
  if (options.experiment.length === 0)
    throw new UsageError("upload needs experiment: the result files");
  refuseStoredHead(session);
  checkLaterRollback(session);
  const gates = await readGateSet(session);
  const isOffline = options.dryRun || mustSkip(session);
  if (isOffline) return uploadWith(session, gates, null);
  refuseUntrusted(session);
  return withConnection(session, (connection) => uploadWith(session, gates, connection));
}

/** `connection` null: nothing is sent, in a dry run and in a run without a key. */
async function uploadWith(
  session: Session,
  gates: GateSet | null,
  connection: Connection | null,
): Promise<CommandEnd> {
  const { options, trust } = session;
  const skipped = mustSkip(session);
  const rollBack = async (): Promise<readonly DeploymentReport[]> =>
    connection === null ? [] : rollBackLater(session, connection);
  const judge = async (): Promise<Judged> => {
    const wanted = asksForRows(session, gates) ? wantedRows(gates) : undefined;
    const unscored = gates === null ? "refused" : "kept";
    const results = await readResults(session, options.experiment, { wanted, unscored });
    // A run that crashed as a whole fails its gates; a file without scores was read wrongly.
    refuse(session, findUnscored(results));
    return judgeResults(session, results, gates, connection?.tracing ?? null);
  };
  const looked = await judgeOrRollBack(session, gates, judge, rollBack);
  if ("exitCode" in looked) return looked;
  const { judged } = looked;
  const { deploymentId = "", revisionId = "" } = options;
  const deployed = { deploymentId, revisionId };
  const uploads = skipped
    ? []
    : await uploadAll(session, connection, judged.experiments, deployed, [judged]);
  const deployments = isGateRed(session, judged) ? await rollBack() : [];
  const refused = await writeBaseline(session, judged);
  const rolledBack = outcomeAfter(deployments);
  const unfailed = skipped ? "skipped" : rolledBack;
  const otherwise = uploads.some(isUploadRed) ? "failed" : unfailed;
  return endWith(session, {
    ...toParts(session, [judged], uploads),
    problems: refused,
    deployments,
    outcome: session.signal.aborted || rolledBack === "cancelled" ? "cancelled" : otherwise,
    ...(trust.state === "no-secrets" && skipped
      ? { warnings: [`not uploaded: ${trust.why}`] }
      : {}),
  });
}

/** `upload --explain FILE`: shows what was read as what in the first rows; sends nothing. Returns the exit code. */
export async function runExplain(session: Session): Promise<number> {
  const { experiment } = session.options;
  if (experiment.length === 0) throw new UsageError("upload needs experiment: the result files");
  const experiments = await readResults(session, experiment, {
    unscored: "kept",
    sent: false,
    shown: SHOWN_ROWS,
  });
  const lines = explainExperiments(experiments);
  printLines(session, lines.join("\n"));
  const problems = unscoredProblems(experiments);
  return problems.length > 0 ? 2 : 0;
}
