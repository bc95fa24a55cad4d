import { readGateSet, readResults } from "../evaluation/result-files.ts";
import { findBaseline } from "../evaluation/baseline.ts";
import { storedHeadOf } from "../evaluation/stored-head.ts";
import { toSubject } from "../evaluation/subject.ts";
import { toGateTables } from "../experiment/scores.ts";
import { findGroup } from "../gate/baseline.ts";
import { planSamples } from "../gate/sample-plan.ts";
import { renderSamplePlan } from "./sample-plan-table.ts";
import { printJson, printLines } from "../ci/printed-text.ts";
import { refuse, UsageError, type Session } from "../ci/session.ts";

/** `gate plan`: how many examples and repeats the gates need to notice a drop, computed offline from a result file. */
export async function runGatePlan(session: Session): Promise<number> {
  const { experiment, json } = session.options;
  if (experiment.length === 0)
    throw new UsageError("gate plan needs a result file: agent-deploy gate plan results.jsonl");
  if (storedHeadOf(session) !== null)
    throw new UsageError(
      "gate plan reads result files; name one of the suite that wrote the experiment",
    );
  const gates = await readGateSet(session);
  const results = await readResults(session, experiment, { gates, sent: false });
  const tables = toGateTables(results, gates);
  const subjects = results.map((one) => toSubject(session, one));
  const readHead = (): Promise<typeof tables> => Promise.resolve(tables);
  // A stored experiment needs a key; a plan does not.
  const request = { session, subjects, gates, tracing: null, readHead };
  const { baseline } = await findBaseline(request);
  const plans = tables.map((one) => {
    const { label, table } = one;
    const group = findGroup(baseline, one, tables.length === 1);
    const compared = { base: group?.table ?? null, anchor: group?.anchor ?? null };
    const { problems, plan } = planSamples(table, gates, compared);
    refuse(session, problems);
    return { file: table.file, label, ...plan };
  });
  if (json) printJson(session, plans);
  else
    for (const { file, label, ...plan } of plans)
      printLines(session, renderSamplePlan(label === "" ? file : `${file}, ${label}`, plan));
  return 0;
}
