import { refuse, UsageError, type Session } from "../ci/session.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { parseLenientJson } from "../experiment/input/lenient-json.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { type Averages, judgeAverages, readAverages } from "../gate/averages.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { withReasons } from "../gate/gate-report.ts";
import { joinJudgements, NOTHING } from "../gate/judge.ts";
import { scoreOf } from "../gate/metric.ts";
import type { ExperimentReport } from "../report/report.ts";
import { ofFile } from "./baselines.ts";
import type { Judged } from "./gate-judgement.ts";
import { ONLY_JUDGED } from "./stored-head.ts";
import { findMissing, findPresent } from "./result-files.ts";

/** Averages are a few numbers: a larger file contains something else. */
const MAX_BYTES = 256 * 1024;

/** The result files of a run: those of averages, and the rest with rows. */
export interface SortedFiles {
  readonly averages: readonly Averages[];
  /** Patterns as given, or the names of the files if some contain averages. */
  readonly rest: readonly string[];
  /** Whether `rest` contains file names. */
  readonly exact: boolean;
}

/** Separates files of averages: JSON objects of numbers without lists. A given format or mapping decides instead. */
export async function sortFiles(session: Session): Promise<SortedFiles> {
  const { experiment: given, format, mapping } = session.options;
  const asGiven = { averages: [], rest: given, exact: false };
  if (format !== "auto" || (mapping ?? "") !== "") return asGiven;
  if ((await findMissing(session, given)).length > 0) return asGiven;
  const averages: Averages[] = [];
  const rest: string[] = [];
  for (const file of await findPresent(session, given)) {
    const values = /\.json$/i.test(file) ? await readFile(session, file) : null;
    if (values === null) rest.push(file);
    else averages.push({ file, values });
  }
  return averages.length === 0 ? asGiven : { averages, rest, exact: true };
}

async function readFile({ workspace }: Session, file: string): Promise<Averages["values"] | null> {
  try {
    return readAverages(parseLenientJson(await workspace.readText(file, MAX_BYTES)).value);
  } catch {
    // Too large or not JSON: the readers of rows report the problem.
    return null;
  }
}

/** Judges floors by averages, and the rest by the rows of the other files; without those, a drop is a usage error. */
export async function judgeWithAverages(
  session: Session,
  averages: readonly Averages[],
  { experiments, gates }: { readonly experiments: readonly Experiment[]; readonly gates: GateSet },
  judgeRows: (gates: GateSet) => Promise<Judged>,
): Promise<Judged> {
  const isBare = experiments.length === 0;
  const { reports, rest, problems } = judgeAverages(
    averages,
    gates,
    isBare ? null : (metric) => isOfRows(metric, experiments),
  );
  refuse(session, problems);
  const judged = isBare ? judgeNothing(session, averages, rest) : await judgeRows(rest);
  const { judgement } = judged;
  if (judgement === null) return judged;
  return {
    ...judged,
    gates,
    reports: [...averages.map(toAveragesReport), ...experiments.map(toGatedReport)],
    judgement: joinJudgements([{ ...NOTHING, ...withReasons(reports) }, judgement]),
  };
}

/** Whether rows have a metric; those computed from rows, such as `error_rate`, always exist. */
function isOfRows(metric: string, experiments: readonly Experiment[]): boolean {
  const score = scoreOf(metric);
  return score === null || experiments.some(({ scores }) => Object.hasOwn(scores, score));
}

/** The judgement of a run without rows, before the averages are added. */
function judgeNothing({ options }: Session, averages: readonly Averages[], gates: GateSet): Judged {
  const files = averages.map(({ file }) => file).join(", ");
  if (options.writeBaseline !== undefined)
    throw new UsageError(`write-baseline needs rows, and ${files} holds averages`);
  const isCompared = (options.baseline ?? "").trim() !== "";
  const warnings = isCompared ? [`baseline: not compared, since ${files} holds averages`] : [];
  return {
    experiments: [],
    head: null,
    gates,
    found: ofFile(null),
    judgement: { ...NOTHING, warnings },
  };
}

const toAveragesReport = ({ file }: Averages): ExperimentReport => ({
  file,
  format: "averages",
  name: file,
  ...ONLY_JUDGED,
});
