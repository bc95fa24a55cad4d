import { calibrateGates } from "../gate/calibration.ts";
import { worstOutcome } from "../report/report.ts";
import { toEnd, toReport } from "../ci/report-assembly.ts";
import {
  isGateRed,
  judgeResults,
  toParts,
  writeBaseline,
  type Judged,
} from "../evaluation/gate-judgement.ts";
import {
  checkLaterRollback,
  isRollbackCancelled,
  rollBackLater,
  wantsLaterRollback,
} from "../evaluation/later-rollback.ts";
import { storedBaselineOf } from "../evaluation/stored-word.ts";
import { readGateSet, readResults } from "../evaluation/result-files.ts";
import { wantedRows } from "../evaluation/wanted-rows.ts";
import { hasCredentials } from "../ci/access.ts";
import { withConnection } from "../ci/service-connection.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";

/** `gate`: scores and gates result files; no network, but for a roll back that is asked for. */
export async function runGate(session: Session): Promise<CommandEnd> {
  const { options } = session;
  if (options.experiment.length === 0)
    throw new UsageError("no results to judge: name result files, such as results.jsonl");
  checkLaterRollback(session);
  const gates = await readGateSet(session);
  if (gates === null && options.writeBaseline === undefined)
    throw new UsageError(
      "no gates: write lines such as correctness >= 0.85, or name a gate file (or set write-baseline)",
    );
  const results = await readResults(session, options.experiment, {
    unscored: "kept",
    wanted: wantedRows(session, gates),
  });
  const keyless = !hasCredentials(session) && session.trust.state === "no-secrets";
  const judged =
    storedBaselineOf(session) === null || keyless
      ? await judgeResults(session, results, gates, null)
      : await withConnection(session, ({ tracing }) =>
          judgeResults(session, results, gates, tracing),
        );
  if (options.calibrate) showCalibration(session, judged);
  const red = isGateRed(session, judged);
  const deployments =
    red && wantsLaterRollback(session)
      ? await withConnection(session, (connection) => rollBackLater(session, connection))
      : [];
  const refused = await writeBaseline(session, judged);
  return toEnd(
    session,
    toReport(session, {
      ...toParts(session, [judged], []),
      problems: refused === null ? [] : [{ message: refused }],
      deployments,
      outcome: isRollbackCancelled(deployments)
        ? "cancelled"
        : worstOutcome(deployments.map((one) => one.outcome)),
    }),
  );
}

function showCalibration(session: Session, { head, gates }: Judged): void {
  if (gates === null || head === null)
    throw new UsageError("calibrate needs gate: the gates to calibrate");
  for (const { label, table } of head) {
    const found = calibrateGates({ table, gates });
    const about = label === "" ? "calibration" : `calibration of ${label}`;
    session.host.say(
      found.state === "impossible" ? "warning" : "notice",
      `${about}: ${found.reason}`,
    );
    if (found.state === "impossible") continue;
    for (const gate of found.gates)
      session.host.say(
        "notice",
        `${about}: ${gate.rule}: failed ${gate.failed} of ${found.runs}, inconclusive ${gate.inconclusive}`,
      );
  }
}
