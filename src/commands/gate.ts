import { calibrateGates } from "../gate/calibration.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { endWith } from "../ci/report-assembly.ts";
import {
  isGateRed,
  judgeResults,
  judgeStored,
  toParts,
  writeBaseline,
  type Judged,
} from "../evaluation/gate-judgement.ts";
import {
  checkLaterRollback,
  judgeOrRollBack,
  outcomeAfter,
  rollBackLater,
  wantsLaterRollback,
} from "./later-rollback.ts";
import { judgeWithAverages, sortFiles } from "../evaluation/averages-files.ts";
import { plural } from "../model/count-words.ts";
import { findStoredHead, storedHeadOf } from "../evaluation/stored-head.ts";
import { readGateSet, readResults } from "../evaluation/result-files.ts";
import { storedName, wantedRows } from "../evaluation/wanted-rows.ts";
import { mustSkip } from "../ci/skip.ts";
import type { Connection } from "../ci/service-connection.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";

/** `gate`: scores and gates result files; uses no network except for a requested rollback. */
export async function runGate(session: Session): Promise<CommandEnd> {
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
  const keyless = mustSkip(session);
  if (name !== null && keyless) return endUnjudged(session, name);
  const judge = (): Promise<Judged> =>
    name === null
      ? judgeFiles(session, gates, keyless)
      : online(session, async (connection) =>
          judgeStored(session, await findStoredHead(name, connection), gates, connection),
        );
  const rollBack = () => online(session, (connection) => rollBackLater(session, connection));
  const looked = await judgeOrRollBack(session, gates, judge, rollBack);
  if ("exitCode" in looked) return looked;
  const { judged } = looked;
  if (options.calibrate) showCalibration(session, judged);
  const red = isGateRed(session, judged);
  const deployments = red && wantsLaterRollback(session) ? await rollBack() : [];
  const refused = await writeBaseline(session, judged);
  return endWith(session, {
    ...toParts(session, [judged], []),
    problems: refused,
    deployments,
    outcome: outcomeAfter(deployments),
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

async function judgeFiles(
  session: Session,
  gates: GateSet | null,
  keyless: boolean,
): Promise<Judged> {
  const { averages, rest, exact } = await sortFiles(session);
  for (const { file, values } of averages)
    session.host.progress(`${file}: read as averages: ${plural(values.size, "number")}, no rows`);
  const results =
    rest.length === 0
      ? []
      : await readResults(session, rest, {
          exact,
          unscored: "kept",
          sent: false,
          wanted: wantedRows(gates),
        });
  const judgeRows = (by: GateSet | null): Promise<Judged> =>
    keyless || storedName(session.options.baseline ?? "") === null
      ? judgeResults(session, results, by, null)
      : online(session, ({ tracing }) => judgeResults(session, results, by, tracing));
  if (averages.length === 0) return judgeRows(gates);
  if (gates === null) throw new UsageError("write-baseline needs rows, and a file holds averages");
  return judgeWithAverages(session, averages, { experiments: results, gates }, judgeRows);
}

/** A run of a fork or Dependabot has no key, so it cannot read stored experiments. */
function endUnjudged(session: Session, name: string): CommandEnd {
  const { trust } = session;
  const why = trust.state === "trusted" ? "" : trust.why;
  const warnings = [`not judged: experiment:${name} needs a key, and ${why}`];
  return endWith(session, { outcome: "skipped", changed: false, warnings });
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
