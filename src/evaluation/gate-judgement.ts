import type { Experiment } from "../experiment/experiment.ts";
import { toGateTable } from "../experiment/scores.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { refuseBaseline, toBaseline } from "../gate/baseline.ts";
import { judgeGates, worstVerdict, type GateJudgement } from "../gate/judge.ts";
import type { GateSet } from "../gate/language.ts";
import type { GateTable } from "../gate/row.ts";
import { gateFault } from "../report/judgement.ts";
import { sumRowCounts } from "../report/merge.ts";
import type { ExperimentReport } from "../report/report.ts";
import { judgementPolicyOf, type Parts } from "../run/report-assembly.ts";
import { readBaseline, refuse, unlessAborted } from "./result-files.ts";
import type { Session } from "../run/session.ts";

/** Longest list of new, and of missing, rows in a report; the counts are whole. */
const MOST_UNSHARED = 100;

/** Result files after the gates looked at them. */
export interface Judged {
  readonly experiments: readonly Experiment[];
  /** Null where nothing asks for the rows: holding them all would cost the memory that streaming saves. */
  readonly head: GateTable | null;
  readonly gates: GateSet | null;
  /** Null where there are no gates. */
  readonly judgement: GateJudgement | null;
}

/** Judges result files by the run's gates; an unknown metric is a usage error. */
export async function judgeResults(
  session: Session,
  experiments: readonly Experiment[],
  gates: GateSet | null,
): Promise<Judged> {
  const asked = gates !== null || session.options.writeBaseline !== undefined;
  const head = asked ? await unlessAborted(session.signal, toGateTable(experiments)) : null;
  if (gates === null || head === null) return { experiments, head, gates, judgement: null };
  const judgement = judgeGates({ head, base: await readBaseline(session), gates });
  refuse(session, judgement.problems);
  return { experiments, head, gates, judgement };
}

/** Whether a verdict makes the step red: a fail, or an inconclusive one where the user says so. */
export function isGateRed(session: Session, { judgement }: Judged): boolean {
  if (judgement === null) return false;
  const { gates, verdict } = judgement;
  return gateFault({ gates, gate_verdict: verdict }, judgementPolicyOf(session)) !== "";
}

/** The sentence of the gates that decided. */
export function gateSentence({ judgement }: Judged): string {
  const deciding = (judgement?.gates ?? []).filter((gate) => gate.verdict === judgement?.verdict);
  return deciding.map((gate) => `${gate.rule}: ${gate.reason}`).join(" · ");
}

/** Gates, rows and baseline of one or two judgements (before and after a deploy) as the report holds them. */
export function toParts(
  session: Session,
  judged: readonly Judged[],
  experiments: readonly ExperimentReport[],
): Parts {
  const judgements = judged.flatMap((one) => (one.judgement === null ? [] : [one.judgement]));
  const verdict = worstVerdict(judgements.map((one) => one.verdict));
  if (verdict === "inconclusive" && session.options.onInconclusive === "warn") {
    for (const one of judged)
      if (one.judgement?.verdict === "inconclusive")
        session.host.say("warning", `gate inconclusive: ${gateSentence(one)}`);
  }
  return {
    gates: judgements.flatMap((one) => one.gates),
    gateVerdict: verdict,
    rowsWorse: judgements.flatMap((one) => one.worse),
    rowsBetter: judgements.flatMap((one) => one.better),
    rowsNew: judgements.flatMap((one) => one.newRows).slice(0, MOST_UNSHARED),
    rowsMissing: judgements.flatMap((one) => one.missingRows).slice(0, MOST_UNSHARED),
    rowCounts: sumRowCounts(
      judgements.map(({ newRows, missingRows, changed }) => ({
        new: newRows.length,
        missing: missingRows.length,
        changed,
      })),
    ),
    baseline: judgements.find((one) => one.baseline !== null)?.baseline ?? null,
    warnings: judgements.flatMap((one) => one.warnings),
    experiments:
      experiments.length > 0
        ? experiments
        : judged.flatMap((one) => one.experiments.map(toGatedReport)),
  };
}

/** Writes the baseline of a later run where `write-baseline` asks for it; the reason where it is refused, which makes the step red. */
export async function writeBaseline(
  session: Session,
  { head, gates, judgement }: Judged,
): Promise<string | null> {
  const path = session.options.writeBaseline;
  if (path === undefined || head === null) return null;
  const refused =
    session.trust.state === "untrusted"
      ? `write-baseline: ${session.trust.why}`
      : refuseBaseline({ table: head, gates, verdict: judgement?.verdict ?? "none" });
  if (refused !== null) {
    session.host.say("error", refused);
    return refused;
  }
  const commit = session.identity.sha === "" ? null : session.identity.sha;
  await session.workspace.writeText(
    path,
    toBaseline(head, { commit, created_at: new Date(session.clock.now()).toISOString() }),
  );
  session.host.progress(`wrote the baseline ${path}`);
  return null;
}
