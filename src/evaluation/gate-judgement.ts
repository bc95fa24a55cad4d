import type { Experiment } from "../experiment/experiment.ts";
import { toGateTables, type LabelledTable } from "../experiment/scores.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { findGroup, refuseBaseline, toBaseline, type Baseline } from "../gate/baseline.ts";
import { judgeGroups, worstVerdict, type GateGroup, type GateJudgement } from "../gate/judge.ts";
import type { GateSet } from "../gate/language.ts";
import { gateFault } from "../report/judgement.ts";
import { sumRowCounts } from "../report/merge.ts";
import type { BaselineReport, ExperimentReport } from "../report/report.ts";
import { judgementPolicyOf, type Parts } from "../run/report-assembly.ts";
import type { Session } from "../run/session.ts";
import { readBaseline } from "./baseline-source.ts";
import { refuse, unlessAborted } from "./result-files.ts";

/** Longest list of new, and of missing, rows in a report; the counts are whole. */
const MOST_UNSHARED = 100;

/** Result files after the gates looked at them. */
export interface Judged {
  readonly experiments: readonly Experiment[];
  /** Null where nothing asks for the rows: holding them all would cost the memory that streaming saves. */
  readonly head: readonly LabelledTable[] | null;
  readonly gates: GateSet | null;
  readonly baseline: Baseline | null;
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
  const head = asked ? await unlessAborted(session.signal, toGateTables(experiments, gates)) : null;
  const baseline = head === null ? null : await readBaseline(session, experiments, gates);
  if (gates === null || head === null)
    return { experiments, head, gates, baseline, judgement: null };
  const groups = head.map(({ label, table }): GateGroup => {
    const group = findGroup(baseline, label, head.length === 1);
    return {
      label,
      head: table,
      base: group?.table ?? null,
      anchor: group?.anchor ?? null,
      ...(group?.members === undefined ? {} : { members: group.members }),
    };
  });
  const judgement = judgeGroups(groups, gates);
  refuse(session, judgement.problems);
  return { experiments, head, gates, baseline, judgement };
}

/** Whether a person accepts this run as it is: it becomes the baseline, and its gates make nothing red. */
function isAccepting({ options }: Session): boolean {
  return options.acceptBaseline && options.writeBaseline !== undefined;
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
  if (!isAccepting(session) && session.options.onInconclusive === "warn") {
    for (const one of judged)
      if (one.judgement?.decisive === "inconclusive")
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
      judgements.map(({ newRows, missingRows, changed, examples }) => ({
        ...(examples === undefined ? {} : { examples }),
        new: newRows.length,
        missing: missingRows.length,
        changed,
      })),
    ),
    baseline: withHistory(judged),
    sensitivity: judgements.find((one) => one.sensitivity !== "")?.sensitivity ?? "",
    warnings: judgements.flatMap((one) => one.warnings),
    experiments:
      experiments.length > 0
        ? experiments
        : judged.flatMap((one) => one.experiments.map(toGatedReport)),
  };
}

/** The baseline as the report shows it, with the trend that a baseline file keeps. */
function withHistory(judged: readonly Judged[]): BaselineReport | null {
  const one = judged.find(({ judgement }) => judgement !== null && judgement.baseline !== null);
  if (one?.judgement?.baseline === undefined || one.judgement.baseline === null) return null;
  const history = one.baseline?.history ?? [];
  return history.length === 0 ? one.judgement.baseline : { ...one.judgement.baseline, history };
}

/** Writes the baseline of a later run where `write-baseline` asks for it; the reason where it is refused, which makes the step red. */
export async function writeBaseline(
  session: Session,
  { head, gates, baseline, judgement }: Judged,
): Promise<string | null> {
  const path = session.options.writeBaseline;
  if (path === undefined || head === null) return null;
  const refuseWith = (reason: string): string => {
    const refused = `no baseline was written: ${reason}`;
    session.host.say("error", refused);
    return refused;
  };
  if (session.trust.state === "untrusted")
    return refuseWith(`this run is not trusted (${session.trust.why})`);
  const { reasons, final } = refuseBaseline({
    tables: head.map(({ table }) => table),
    gates,
    judgement,
  });
  const accepted = isAccepting(session);
  if (final || (reasons.length > 0 && !accepted))
    return refuseWith(
      `${reasons.join("; ")}${final ? "" : ". Fix the run, or accept it with accept-baseline: true"}`,
    );
  const commit = session.identity.sha === "" ? null : session.identity.sha;
  const created_at = new Date(session.clock.now()).toISOString();
  await session.workspace.writeText(
    path,
    toBaseline({ groups: head, gates, commit, created_at, previous: baseline, accepted }),
  );
  if (accepted)
    session.host.say(
      "warning",
      `accepted as the baseline ${path}${reasons.length === 0 ? "" : `, although ${reasons.join("; ")}`}: later runs are held against this one`,
    );
  session.host.progress(`wrote the baseline ${path}`);
  return null;
}
