import { readResults } from "../evaluation/result-files.ts";
import { explainExperiments, SHOWN_ROWS } from "../experiment/explain.ts";
import { unscoredProblems } from "../experiment/naming.ts";
import { toLogText } from "../ci/workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { UsageError, type Session } from "../ci/session.ts";

/** `upload --explain FILE`: what was read as what, for the first rows; sends nothing. Gives the exit code. */
export async function runExplain(session: Session): Promise<number> {
  const { experiment } = session.options;
  if (experiment.length === 0) throw new UsageError("upload needs experiment: the result files");
  const experiments = await readResults(session, experiment, {
    unscored: "kept",
    shown: SHOWN_ROWS,
  });
  const lines = explainExperiments(experiments);
  for (const line of lines) session.print(`${toLogText(toVisible(line))}\n`);
  const problems = unscoredProblems(experiments);
  return problems.length > 0 ? 2 : 0;
}
