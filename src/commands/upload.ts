import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { toEnd, toReport } from "../ci/report-assembly.ts";
import { isUploadRed, uploadAll } from "../evaluation/uploads.ts";
import { isGateRed, judgeResults, toParts, writeBaseline } from "../evaluation/gate-judgement.ts";
import { readGateSet, readResults } from "../evaluation/result-files.ts";
import {
  checkLaterRollback,
  judgeOrRollBack,
  outcomeAfter,
  rollBackLater,
} from "./later-rollback.ts";
import { refuseStoredHead } from "../evaluation/stored-head.ts";
import { asksForRows, wantedRows } from "../evaluation/wanted-rows.ts";
import { explainExperiments, SHOWN_ROWS } from "../experiment/explain.ts";
import { unscoredProblems } from "../experiment/naming.ts";
import { printLines } from "../ci/printed-text.ts";
import { connect } from "../ci/service-connection.ts";
import { refuseUntrusted, UsageError, type CommandEnd, type Session } from "../ci/session.ts";
import { mustSkip } from "../ci/skip.ts";

/** `upload`: turns result files into experiments, then gates them; a failed gate may roll back. */
export async function runUpload(session: Session): Promise<CommandEnd> {
  const { options } = session;
  if (options.experiment.length === 0)
    throw new UsageError("upload needs experiment: the result files");
  refuseStoredHead(session);
  checkLaterRollback(session);
  const gates = await readGateSet(session);
  const skipped = mustSkip(session);
  const offline = options.dryRun || skipped;
  if (!offline) refuseUntrusted(session);
  const connection = offline ? null : connect(session);
  try {
    const rollBack = async (): Promise<readonly DeploymentReport[]> =>
      connection === null ? [] : rollBackLater(session, connection);
    const judge = async () =>
      judgeResults(
        session,
        await readResults(session, options.experiment, {
          wanted: asksForRows(session, gates) ? wantedRows(gates) : undefined,
        }),
        gates,
        connection?.tracing ?? null,
      );
    const looked = await judgeOrRollBack(session, gates, judge, rollBack);
    if ("exitCode" in looked) return looked;
    const { judged } = looked;
    const uploads = skipped
      ? []
      : await uploadAll(
          session,
          connection,
          judged.experiments,
          {
            deploymentId: options.deploymentId ?? "",
            revisionId: options.revisionId ?? "",
          },
          [judged],
        );
    const deployments = isGateRed(session, judged) ? await rollBack() : [];
    const refused = await writeBaseline(session, judged);
    const failed = uploads.some(isUploadRed);
    const endOfUpload = (): Outcome => {
      const outcome = outcomeAfter(deployments);
      if (session.signal.aborted || outcome === "cancelled") return "cancelled";
      if (failed) return "failed";
      return skipped ? "skipped" : outcome;
    };
    const report = toReport(session, {
      ...toParts(session, [judged], uploads),
      problems: refused,
      deployments,
      outcome: endOfUpload(),
      ...(session.trust.state === "no-secrets" && skipped
        ? { warnings: [`not uploaded: ${session.trust.why}`] }
        : {}),
    });
    return toEnd(session, report);
  } finally {
    await connection?.close();
  }
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
