import type { Experiment } from "../experiment/experiment.ts";
import { toGateTables } from "../experiment/scores.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { joinNames } from "../gate/example-names.ts";
import {
  findGroup,
  listGone,
  type Baseline,
  type GateGroup,
  type LabelledTable,
} from "../gate/baseline.ts";
import { joinJudgements, judgeGroups, type GateJudgement } from "../gate/judge.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { countScored, scoreOf } from "../gate/metric.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { asGroup, worstVerdict } from "../report/merge.ts";
import { gateFault } from "../report/judgement.ts";
import { ageWords } from "../report/gate-section.ts";
import type { BaselineReport, ExperimentReport } from "../report/report.ts";
import { judgementPolicyOf, type Parts } from "../ci/report-assembly.ts";
import type { Connection } from "../ci/service-connection.ts";
import { refuse, type Session, isAccepting } from "../ci/session.ts";
import type { Tracing } from "../service/tracing.ts";
import { unscoredProblems, type JudgedAs } from "../experiment/naming.ts";
import {
  adviceOf,
  type BaselineRequest,
  findBaseline,
  type FoundBaseline,
  NO_BASELINE,
  toAccepted,
} from "./baseline.ts";
import { describeChangedRules } from "./changed-rules.ts";
import { keyOf, storedSubject, toSubject } from "./subject.ts";
import { agentOf, clausesOf, readStoredRows, type StoredExperiment } from "./stored-experiment.ts";
import { toStoredReport } from "./stored-head.ts";
import { asksForRows } from "./result-files.ts";

/** Result files with their judgement. */
export interface Judged {
  readonly experiments: readonly Experiment[];
  /** Null if nothing asks for the rows: holding them all would cost the memory that streaming saves. */
  readonly head: readonly LabelledTable[] | null;
  readonly gates: GateSet | null;
  readonly found: FoundBaseline;
  /** Reports of the head, if it is a stored experiment or has averages. */
  readonly reports?: readonly ExperimentReport[];
  /** Null if there are no gates. */
  readonly judgement: GateJudgement | null;
  /** Sentences about the baseline and gate file that a pull request changes. */
  readonly alerts?: readonly string[];
  /** When the files were judged, if a run judges more than once. */
  readonly look?: string;
}

interface JudgedRun extends Omit<BaselineRequest, "session" | "readHead"> {
  /** The baseline is given if it was read first. */
  readonly readHead: (baseline: Baseline | null) => Promise<readonly LabelledTable[]>;
}

/** Judges result files by the run's gates; an unknown metric is a usage error. */
export async function judgeResults(
  session: Session,
  experiments: readonly Experiment[],
  gates: GateSet | null,
  tracing: Tracing | null,
): Promise<Judged> {
  if (!asksForRows(session, gates))
    return { experiments, head: null, gates, found: NO_BASELINE, judgement: null };
  const unscored = gates === null ? [] : findUnscored(experiments);
  // Some gates need only durations and crashes. For others, a file without scores would go unnoticed among other files.
  const asksForScores = gates?.rules.some(({ metric }) => scoreOf(metric) !== null) === true;
  if (asksForScores && experiments.some(({ scores }) => Object.keys(scores).length > 0))
    refuse(session, unscored);
  if (gates !== null) reportRepeats(session, experiments, gates.pool);
  const run = {
    subjects: experiments.map((one) => toSubject(session, one)),
    gates,
    tracing,
    readHead: async () => {
      // Judging takes seconds, and nothing can end it.
      session.signal.throwIfAborted();
      return toGateTables(experiments, gates);
    },
  };
  const words = unscored.map(({ file, message }) => `${file}: ${message}`);
  return { experiments, ...(await judgeRun(session, run, words)) };
}

/** The same for a stored experiment, which is not uploaded again. */
export async function judgeStored(
  session: Session,
  source: StoredExperiment,
  gates: GateSet | null,
  { tracing, ui }: Pick<Connection, "tracing" | "ui">,
): Promise<Judged> {
  const readHead = async (baseline: Baseline | null): Promise<readonly LabelledTable[]> => {
    const known = joinNames((baseline?.groups ?? []).map(({ table }) => table.example));
    const how = { known, input: "results" } as const;
    const table = await readStoredRows({ session, tracing, gates }, source, how);
    return [{ label: "", group: agentOf(source), table, wholeExperiments: [] }];
  };
  const run = { subjects: [storedSubject(source)], gates, tracing, readHead };
  const judged = await judgeRun(session, run, []);
  const reports = [toStoredReport(source, judged.head[0]!.table, ui)];
  return { experiments: [], reports, ...judged };
}

/** Judges the rows of a run, read in the order that the baseline's source needs. */
async function judgeRun(
  session: Session,
  { readHead, ...run }: JudgedRun,
  warnings: readonly string[],
): Promise<Omit<Judged, "experiments"> & { readonly head: readonly LabelledTable[] }> {
  const { gates } = run;
  const evaluator = session.options.evaluator ?? gates?.evaluator ?? null;
  const read = async (baseline: Baseline | null): Promise<readonly LabelledTable[]> => {
    const tables = await readHead(baseline);
    // The input for the evaluator overrides the file.
    return evaluator === null
      ? tables
      : tables.map((one) => ({ ...one, table: { ...one.table, judge: evaluator } }));
  };
  let first: Promise<readonly LabelledTable[]> | null = null;
  const found = await findBaseline({ ...run, session, readHead: () => (first ??= read(null)) });
  const head = await (first ?? read(found.baseline));
  if (gates === null) return { head, gates, found, judgement: null };
  const next = adviceOf(session, found, hasScores(head) && isAccepting(session));
  const gone = listGone(found.baseline, head);
  const groups = head.map((one) => ({
    ...toGroup(one, found, { isOnly: head.length === 1, next }),
    gone,
  }));
  const judgement = judgeGroups(groups, gates);
  refuse(session, judgement.problems);
  if (found.sources.size > 0) reportBaseline(session, judgement.baseline);
  const alerts = await describeChangedRules(session);
  const withWarnings = { ...judgement, warnings: [...judgement.warnings, ...warnings] };
  return { head, gates, found, judgement: withWarnings, alerts };
}

/** A head with what it is compared with, or why that is nothing and `next`: how to get it. */
function toGroup(
  one: LabelledTable,
  { baseline, absences }: FoundBaseline,
  { isOnly, next }: { readonly isOnly: boolean; readonly next: string },
): GateGroup {
  const { label, group, table: head } = one;
  const found = findGroup(baseline, one, isOnly);
  if (found !== null) {
    const { table: base, ...more } = found;
    return { ...more, label, head, base };
  }
  const results = label || group || "such a run: it is by provider and prompt";
  const absent = {
    why: baseline === null ? clausesOf(absences) : [`the baseline has no results of ${results}`],
    next,
  };
  return { label, head, base: null, absent };
}

/** Files without any score, with advice, except those in which every row crashed. */
export function findUnscored(experiments: readonly Experiment[]): readonly Diagnostic[] {
  return unscoredProblems(experiments.filter(({ rowCount, errorCount }) => errorCount < rowCount));
}

/**
 * Files with the same examples may be repeats of one run, or runs of two agents that hide each
 * other. Agents that files name are judged each by itself, unless they are pooled.
 */
function reportRepeats(
  { host }: Session,
  experiments: readonly Experiment[],
  isPooled: boolean,
): void {
  const alike = new Map<string, Set<string>>();
  for (const { file, group, fingerprint } of experiments) {
    const key = JSON.stringify(isPooled ? [fingerprint] : [group, fingerprint]);
    alike.set(key, (alike.get(key) ?? new Set()).add(file));
  }
  for (const files of alike.values())
    if (files.size > 1)
      host.progress(
        `${[...files].join(", ")} hold the same examples: judged as repeats of one run`,
      );
}

/** Reports which stored experiment this run was compared with: name, commit, age, overlap. */
function reportBaseline(session: Session, baseline: BaselineReport | null): void {
  if (baseline === null || baseline.state === "no-baseline") return;
  const ageMs = session.clock.now() - Date.parse(baseline.created_at ?? "");
  const parts = [
    baseline.file.replace("experiment:", "experiment "),
    baseline.commit === null ? "" : `commit ${baseline.commit.slice(0, 12)}`,
    Number.isNaN(ageMs) ? "" : ageWords(ageMs),
    baseline.message,
  ];
  session.host.progress(`baseline: ${parts.filter((part) => part !== "").join(", ")}`);
}

/** The result of judging each experiment, for what is stored with it. */
export function toJudgedAs(
  judged: readonly Judged[],
): (experiment: Experiment) => JudgedAs | undefined {
  return (experiment) => {
    const one = judged.findLast(({ experiments }) =>
      experiments.some((known) => keyOf(known) === keyOf(experiment)),
    );
    if (one === undefined) return undefined;
    const source = one.found.sources.get(keyOf(experiment)) ?? null;
    return {
      verdict: one.judgement?.verdict ?? null,
      anchor: source === null ? null : (source.marker?.anchor ?? source.name),
      comparedWith: source,
    };
  };
}

/** Whether a verdict fails the step: a fail, or an inconclusive one if the user asks for that. */
export function isGateRed(session: Session, { judgement, head }: Judged): boolean {
  if (judgement === null) return false;
  const { gates, verdict } = judgement;
  const policy = judgementPolicyOf(session);
  // A run without a score becomes nobody's baseline, so accepting it excuses no gate.
  const acceptBaseline = policy.acceptBaseline && hasScores(head);
  return gateFault({ gates, gate_verdict: verdict }, { ...policy, acceptBaseline }) !== null;
}

const hasScores = (head: Judged["head"]): boolean =>
  head?.some(({ table }) => countScored(table) > 0) === true;

/** The message of the gates that decided. */
export function gateSentence({ judgement }: Judged): string {
  const deciding = (judgement?.gates ?? []).filter((gate) => gate.verdict === judgement?.verdict);
  return deciding.map((gate) => `${gate.rule}: ${gate.reason}`).join(" · ");
}

/** Gates, rows and baseline of one or two judgements (before and after a deploy), as parts of the report. */
export function toParts(
  session: Session,
  judged: readonly Judged[],
  experiments: readonly ExperimentReport[],
): Parts {
  const several = judged.filter(({ judgement }) => judgement !== null).length > 1;
  const all = joinJudgements(
    judged.flatMap(({ judgement, look = "" }) =>
      judgement === null ? [] : asGroup(judgement, several ? look : ""),
    ),
  );
  const { problems, lowOverlap, verdict, sensitivity, ...parts } = all;
  if (session.entryPoint !== "cli" && !isAccepting(session)) reportInconclusive(session, judged);
  const alerts = [...new Set(judged.flatMap((one) => one.alerts ?? []))];
  return {
    ...parts,
    gate_verdict: verdict,
    baseline: withHistory(judged),
    ...(sensitivity === "" ? {} : { sensitivity }),
    ...(alerts.length === 0 ? {} : { alerts }),
    experiments:
      experiments.length > 0
        ? experiments
        : judged.flatMap((one) => one.reports ?? one.experiments.map(toGatedReport)),
  };
}

/** Warns as `on-inconclusive` and `on-no-baseline` say; on a command line the report itself does. */
function reportInconclusive(session: Session, judged: readonly Judged[]): void {
  const { onInconclusive, onNoBaseline, baseline } = session.options;
  for (const one of judged)
    if (onInconclusive === "warn" && isOpen(one.judgement))
      session.host.notify("warning", `gate inconclusive: ${gateSentence(one)}`);
  const isGiven = (baseline ?? "").trim() !== "";
  const lacks = judged.some(({ judgement }) => judgement?.gates.some((gate) => gate.no_baseline));
  // A baseline that was given but not found was already reported.
  if (onNoBaseline === "warn" && !isGiven && lacks)
    session.host.notify(
      "warning",
      `baseline: none was given, so drops are inconclusive; name one with the input baseline, or make a first one with ${toAccepted(session)}`,
    );
}

/** Whether `on-inconclusive` decides: for gates without a baseline, `on-no-baseline` does. */
function isOpen(judgement: GateJudgement | null): boolean {
  const gates = (judgement?.gates ?? []).filter((gate) => gate.no_baseline !== true);
  return worstVerdict(gates.map(({ verdict }) => verdict)) === "inconclusive";
}

/** The baseline as the report shows it, with the trend stored in a baseline file. */
function withHistory(judged: readonly Judged[]): BaselineReport | null {
  const one = judged.find(({ judgement }) => judgement !== null && judgement.baseline !== null);
  if (one?.judgement?.baseline === undefined || one.judgement.baseline === null) return null;
  const history = one.found.baseline?.history ?? [];
  return history.length === 0 ? one.judgement.baseline : { ...one.judgement.baseline, history };
}
