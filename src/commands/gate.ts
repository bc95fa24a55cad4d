import { calibrateGates } from "../gate/calibration.ts";
import { endWith } from "../ci/report-assembly.ts";
import { judgeStored, type Judged } from "../evaluation/gate-judgement.ts";
import { checkLaterRollback, runJudging } from "./later-rollback.ts";
import { judgeFiles } from "../evaluation/averages-files.ts";
import { findStoredHead, storedHeadOf } from "../evaluation/stored-head.ts";
import { readGateSet } from "../evaluation/result-files.ts";
import { storedName } from "../evaluation/stored-experiment.ts";
import { whyNoKey } from "../ci/skip.ts";
import type { Connection } from "../ci/service-connection.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { JudgedReport } from "../report/report.ts";

/** `gate`: scores and gates result files; uses no network except for a requested rollback. */
export async function runGate(session: Session): Promise<JudgedReport> {
  const { options } = session;
  if (options.experiment.length === 0)
    throw new UsageError(
      "gate needs results: name result files, such as results.jsonl, or experiment:NAME",
    );
  checkLaterRollback(session);
  const gates = await readGateSet(session);
  if (gates === null && options.writeBaseline === undefined)
    throw new UsageError(
      "gate needs gates: write lines such as correctness >= 0.85, or name a gate file (or set write-baseline)",
    );
  const name = storedHeadOf(session);
  const noKeyReason = whyNoKey(session);
  if (name !== null && noKeyReason !== null) {
    const warnings = [`not judged: experiment:${name} needs a key, and ${noKeyReason}`];
    return endWith(session, { outcome: "skipped", changed: false, warnings });
  }
  const needsTracing = noKeyReason === null && storedName(options.baseline ?? "") !== null;
  return runJudging(session, {
    gates,
    judge: () =>
      name === null
        ? judgeFiles(session, gates, (work) =>
            needsTracing ? online(session, ({ tracing }) => work(tracing)) : work(null),
          )
        : online(session, async (connection) =>
            judgeStored(session, await findStoredHead(name, connection), gates, connection),
          ),
    show: (judged) => {
      if (options.calibrate) showCalibration(session, judged);
    },
    online: (work) => online(session, work),
  });
}

/** Most gates need no network, so the code for it is loaded only here. */
async function online<T>(
  session: Session,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { withConnection } = await import("../ci/service-connection.ts");
  return withConnection(session, work);
}

function showCalibration(session: Session, { head, gates }: Judged): void {
  if (gates === null || head === null)
    throw new UsageError("calibrate needs gate: the gates to calibrate");
  for (const { label, table } of head) {
    const found = calibrateGates({ table, gates });
    const about = label === "" ? "calibration" : `calibration of ${label}`;
    session.host.notify(
      found.state === "impossible" ? "warning" : "notice",
      `${about}: ${found.reason}`,
    );
    if (found.state === "impossible") continue;
    for (const gate of found.gates)
      session.host.notify(
        "notice",
        `${about}: ${gate.rule}: failed ${gate.failed} of ${found.runs}, inconclusive ${gate.inconclusive}`,
      );
  }
}
