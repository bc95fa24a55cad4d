import { uploadAll } from "../evaluation/uploads.ts";
import { findUnscored, judgeResults } from "../evaluation/gate-judgement.ts";
import { readGateSet, readResults, readShown } from "../evaluation/result-files.ts";
import { checkLaterRollback, runJudging } from "./later-rollback.ts";
import { refuseStoredHead } from "../evaluation/stored-head.ts";
import { explainExperiments, SHOWN_ROWS } from "../experiment/explain.ts";
import { unscoredProblems } from "../experiment/naming.ts";
import { printLines } from "../ci/printed-text.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import { refuse, refuseUntrusted, UsageError, type Session } from "../ci/session.ts";
import { whyNoKey } from "../ci/skip.ts";
import type { JudgedReport } from "../report/report.ts";

/** `upload`: turns result files into experiments, then gates them; a failed gate may roll back. */
export async function runUpload(session: Session): Promise<JudgedReport> {
  const { options } = session;
  if (options.experiment.length === 0)
    throw new UsageError("upload needs experiment: the result files");
  refuseStoredHead(session);
  checkLaterRollback(session);
  const gates = await readGateSet(session);
  const noKeyReason = whyNoKey(session);
  // Null: nothing is sent, in a dry run and in a run without a key.
  const uploadWith = (connection: Connection | null): Promise<JudgedReport> =>
    runJudging(session, {
      gates,
      judge: async () => {
        const results = await readResults(session, options.experiment, { gates, sent: true });
        // A run that crashed as a whole fails its gates; a file without scores was read wrongly.
        refuse(session, findUnscored(results));
        return judgeResults(session, results, gates, connection?.tracing ?? null);
      },
      upload: async (judged) => {
        const { deploymentId = "", revisionId = "" } = options;
        const deployed = { deploymentId, revisionId };
        return noKeyReason === null
          ? uploadAll(session, connection, judged.experiments, deployed, [judged])
          : [];
      },
      // Without a connection, nothing is rolled back.
      online: (work) => work(connection!),
      ...(noKeyReason === null ? {} : { skipped: `not uploaded: ${noKeyReason}` }),
    });
  if (noKeyReason !== null || options.dryRun) return uploadWith(null);
  refuseUntrusted(session);
  return withConnection(session, uploadWith);
}

/** `upload --explain FILE`: shows what was read as what in the first rows; sends nothing. Returns the exit code. */
export async function runExplain(session: Session): Promise<number> {
  const { experiment } = session.options;
  if (experiment.length === 0) throw new UsageError("upload needs experiment: the result files");
  const experiments = await readShown(session, SHOWN_ROWS);
  printLines(session, explainExperiments(experiments).join("\n"));
  return unscoredProblems(experiments).length > 0 ? 2 : 0;
}
