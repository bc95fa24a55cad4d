import { refuse, UsageError, type Session } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { parseLenientJson } from "../experiment/input/lenient-json.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { type Averages, judgeAverages, readAverages } from "../gate/averages.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { withReasons } from "../gate/gate-report.ts";
import { joinJudgements, NOTHING } from "../gate/judge.ts";
import { scoreOf } from "../gate/metric.ts";
import { plural } from "../model/count-words.ts";
import type { ExperimentReport } from "../report/report.ts";
import type { Tracing } from "../service/tracing.ts";
import { NO_BASELINE } from "./baseline.ts";
import { judgeResults, type Judged } from "./gate-judgement.ts";
import { ONLY_JUDGED } from "./stored-head.ts";
import { findMissing, findPresent, readResults } from "./result-files.ts";

/** Does work with the service's tracing API, or null if this run does not need it or has no key. */
type AskTracing = <T>(work: (tracing: Tracing | null) => Promise<T>) => Promise<T>;

/** Averages are a few numbers: a larger file contains something else. */
const MAX_BYTES = 256 * 1024;

/**
 * Separates files of averages from those with rows: JSON objects of numbers without lists. A given
 * format or mapping decides instead.
 */
async function sortFiles(
  session: Session,
): Promise<{ readonly averages: readonly Averages[]; readonly rest: readonly string[] }> {
  const { experiment: given, format, mapping } = session.options;
  const asGiven = { averages: [], rest: given };
  if (format !== "auto" || (mapping ?? "") !== "") return asGiven;
  if ((await findMissing(session, given)).length > 0) return asGiven;
  const averages: Averages[] = [];
  const rest: string[] = [];
  for (const file of await findPresent(session, given)) {
    const found = /\.json$/i.test(file) ? await readFile(session, file) : null;
    if (found === null) rest.push(file);
    else averages.push({ file, ...found });
  }
  return averages.length === 0 ? asGiven : { averages, rest };
}

async function readFile(
  { workspace }: Session,
  file: string,
): Promise<ReturnType<typeof readAverages>> {
  try {
    return readAverages(parseLenientJson(await workspace.readText(file, MAX_BYTES)).value);
  } catch {
    // Too large or not JSON: the readers of rows report the problem.
    return null;
  }
}

/** Judges result files: floors by averages, and the rest by rows; without rows, a drop is a usage error. */
export async function judgeFiles(
  session: Session,
  gates: GateSet | null,
  ask: AskTracing,
): Promise<Judged> {
  const { baseline = "", writeBaseline } = session.options;
  const { averages, rest } = await sortFiles(session);
  for (const { file, values } of averages)
    session.host.progress(`${file}: read as averages: ${plural(values.size, "number")}, no rows`);
  const files = averages.map(({ file }) => file).join(", ");
  if (rest.length === 0 && writeBaseline !== undefined)
    throw new UsageError(`write-baseline needs rows, and ${files} holds averages`);
  const how = { gates, sent: false, exact: averages.length > 0 };
  const results = rest.length === 0 ? [] : await readResults(session, rest, how);
  if (averages.length === 0 || gates === null)
    return ask((tracing) => judgeResults(session, results, gates, tracing));
  const metrics = rest.length === 0 ? null : (metric: string) => isOfRows(metric, results);
  const by = judgeAverages(averages, gates, metrics);
  refuse(session, by.problems);
  const isCompared = rest.length === 0 && baseline.trim() !== "";
  const note = isCompared ? [`baseline: not compared, since ${files} holds averages`] : [];
  const warnings = [...note, ...by.warnings];
  const ofAverages = { ...NOTHING, ...withReasons(by.reports), warnings };
  const judged =
    rest.length === 0
      ? { experiments: [], head: null, found: NO_BASELINE, judgement: NOTHING }
      : await ask((tracing) => judgeResults(session, results, by.rest, tracing));
  return {
    ...judged,
    gates,
    reports: [...averages.map(toAveragesReport), ...results.map(toGatedReport)],
    judgement: joinJudgements([ofAverages, judged.judgement ?? NOTHING]),
  };
}

/** Whether rows have a metric; those computed from rows, such as `error_rate`, always exist. */
function isOfRows(metric: string, experiments: readonly Experiment[]): boolean {
  const score = scoreOf(metric);
  return score === null || experiments.some(({ scores }) => Object.hasOwn(scores, score));
}

const toAveragesReport = ({ file }: Averages): ExperimentReport => ({
  file,
  format: "averages",
  name: file,
  ...ONLY_JUDGED,
});
