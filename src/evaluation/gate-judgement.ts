import { spellInput } from "../model/entry-point.ts";
import { worstVerdict } from "../report/merge.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { toGateTables, type LabelledTable } from "../experiment/scores.ts";
import { toGatedReport } from "../experiment/upload.ts";
import { joinNames } from "../gate/example-names.ts";
import { findGroup, listGone, type Baseline, type GateGroup } from "../gate/baseline.ts";
import { refuseBaseline } from "../gate/baseline-refusal.ts";
import { toBaseline } from "../gate/baseline-writing.ts";
import { joinJudgements, judgeGroups, type GateJudgement } from "../gate/judge.ts";
import type { GateSet } from "../gate/gate-set.ts";
import { countScored, scoreOf } from "../gate/metric.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { gateFault } from "../report/judgement.ts";
import { ageWords } from "../report/gate-section.ts";
import type { BaselineReport, ExperimentReport, ReportProblem } from "../report/report.ts";
import { judgementPolicyOf, type Parts } from "../ci/report-assembly.ts";
import type { Connection } from "../ci/service-connection.ts";
import { asksToAccept, refuse, type Session, isAccepting } from "../ci/session.ts";
import type { Tracing } from "../service/tracing.ts";
import { unscoredProblems, type JudgedAs } from "../experiment/naming.ts";
import { readCommitPlace } from "../ci/commit-place.ts";
import { absenceOf, toAccepted } from "./absent-baseline.ts";
import { isLostToAuto, UNKNOWN_PLACE } from "./auto-baseline.ts";
import { findBaseline } from "./baseline-sources.ts";
import { readOverwritten } from "./file-baseline.ts";
import { describeChangedRules } from "./changed-rules.ts";
import {
  type FoundBaseline,
  keyOf,
  ofFile,
  storedSubject,
  type Subject,
  toSubject,
} from "./baselines.ts";
import { readStoredRows, type StoredExperiment } from "./stored-experiment.ts";
import { toStoredReport } from "./stored-head.ts";
import { asksForRows } from "./wanted-rows.ts";
import { unlessAborted } from "./result-files.ts";

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
}

/** A run to judge: its subjects, and how to read its rows. */
interface JudgedRun {
  readonly subjects: readonly Subject[];
  readonly gates: GateSet | null;
  /** Null if the service must not be asked. */
  readonly tracing: Tracing | null;
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
    return { experiments, head: null, gates, found: ofFile(null), judgement: null };
  const subjects = experiments.map((one) => toSubject(session, one));
  const readHead = (): Promise<readonly LabelledTable[]> =>
    unlessAborted(session.signal, toGateTables(experiments, gates));
  const compared = await findCompared(session, { subjects, gates, tracing, readHead });
  if (gates === null) return { experiments, ...compared, judgement: null };
  const unscored = findUnscored(experiments);
  // Some gates need only durations and crashes. For others, a file without scores would go unnoticed among other files.
  const asksForScores = gates.rules.some(({ metric }) => scoreOf(metric) !== null);
  if (asksForScores && experiments.some(({ scores }) => !isEmpty(scores)))
    refuse(session, unscored);
  reportRepeats(session, experiments);
  const words = unscored.map(({ file, message }) => `${file}: ${message}`);
  return { experiments, ...(await judgeHead(session, { ...compared, gates }, words)) };
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
    return [{ label: "", group: source.marker?.label ?? "", table }];
  };
  const run = { subjects: [storedSubject(source)], gates, tracing, readHead };
  const compared = await findCompared(session, run);
  const reports = [toStoredReport(source, compared.head[0]!.table, ui)];
  if (gates === null) return { experiments: [], reports, ...compared, judgement: null };
  return { experiments: [], reports, ...(await judgeHead(session, { ...compared, gates }, [])) };
}

interface Compared<G> extends Pick<Judged, "found"> {
  readonly head: readonly LabelledTable[];
  readonly gates: G;
}

/** The rows of this run and of its baseline, in the order that the baseline's source needs. */
async function findCompared(
  session: Session,
  { readHead, ...run }: JudgedRun,
): Promise<Compared<GateSet | null>> {
  const { gates } = run;
  const evaluator = session.options.evaluator ?? gates?.evaluator ?? null;
  const read = async (baseline: Baseline | null): Promise<readonly LabelledTable[]> => {
    const tables = await readHead(baseline);
    if (evaluator === null) return tables;
    // The input for the evaluator overrides the file.
    return tables.map((one) => ({ ...one, table: { ...one.table, judge: evaluator } }));
  };
  let head: Promise<readonly LabelledTable[]> | null = null;
  const readFirst = (): Promise<readonly LabelledTable[]> => (head ??= read(null));
  const found = await findBaseline({ ...run, session, readHead: readFirst });
  return { gates, found, head: await (head ?? read(found.baseline)) };
}

async function judgeHead(
  session: Session,
  compared: Compared<GateSet>,
  warnings: readonly string[],
): Promise<Omit<Judged, "experiments">> {
  const { head, gates, found } = compared;
  const { baseline, sources } = found;
  const gone = listGone(baseline, head);
  const groups = head.map((one): GateGroup => {
    const group = findGroup(baseline, one, head.length === 1);
    return {
      label: one.label,
      head: one.table,
      gone,
      base: group?.table ?? null,
      anchor: group?.anchor ?? null,
      ...(group?.members === undefined ? {} : { members: group.members }),
      ...(group !== null ? {} : absenceOf(session, { ...found, isScored: hasScores(head) }, one)),
    };
  });
  const judgement = judgeGroups(groups, gates);
  refuse(session, judgement.problems);
  if (sources.size > 0) reportBaseline(session, judgement.baseline);
  const alerts = await describeChangedRules(session);
  const withWarnings = { ...judgement, warnings: [...judgement.warnings, ...warnings] };
  return { ...compared, judgement: withWarnings, alerts };
}

/** Files without any score, with advice, except those in which every row crashed. */
export function findUnscored(experiments: readonly Experiment[]): readonly Diagnostic[] {
  return unscoredProblems(experiments.filter(({ rowCount, errorCount }) => errorCount < rowCount));
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

/** Files with the same examples may be repeats of one run, or runs of two agents that hide each other. */
function reportRepeats({ host }: Session, experiments: readonly Experiment[]): void {
  const alike = new Map<string, Set<string>>();
  for (const { file, label, fingerprint } of experiments) {
    const key = JSON.stringify([label, fingerprint]);
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
  const acceptBaseline = policy.acceptBaseline && head !== null && hasScores(head);
  return gateFault({ gates, gate_verdict: verdict }, { ...policy, acceptBaseline }) !== null;
}

const hasScores = (head: readonly LabelledTable[]): boolean =>
  head.some(({ table }) => countScored(table) > 0);

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
  const all = joinJudgements(judged.flatMap(({ judgement }) => judgement ?? []));
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

/**
 * Writes the baseline for later runs if `write-baseline` is set; returns the problem if it is
 * refused, which fails the step.
 */
export async function writeBaseline(
  session: Session,
  { head, gates, found, judgement }: Judged,
): Promise<readonly ReportProblem[]> {
  const path = session.options.writeBaseline;
  if (head === null || (path === undefined && !asksToAccept(session))) return [];
  const refuseWith = (reason: string): readonly ReportProblem[] => {
    const message = `no baseline was written: ${reason}`;
    // The terminal's report lists it itself; GitHub shows it as an annotation.
    if (session.entryPoint !== "cli") session.host.notify("error", message);
    return [{ message, about: "baseline" }];
  };
  if (session.trust.state === "untrusted")
    return refuseWith(`this run is not trusted (${session.trust.why})`);
  const { reasons, final } = refuseBaseline({
    tables: head.map(({ table }) => table),
    gates,
    judgement,
    replaced: found.replaced,
  });
  const accepted = isAccepting(session);
  if (final || (reasons.length > 0 && !accepted))
    return refuseWith(
      `${reasons.join("; ")}${final ? "" : `. Fix the run, or accept it with ${spellInput(session.entryPoint, "accept-baseline", true)}`}`,
    );
  if (path === undefined) {
    await reportAcceptedRun(session, reasons);
    return [];
  }
  const previous = found.baseline ?? (accepted ? null : await readOverwritten(session, path));
  const commit = session.run.headSha || null;
  const created_at = new Date(session.clock.now()).toISOString();
  await session.workspace.writeText(
    path,
    toBaseline({ groups: head, gates, commit, created_at, previous, accepted }),
  );
  if (accepted) reportAcceptance(session, `the baseline ${path}`, reasons);
  session.host.progress(`wrote the baseline ${path}`);
  return [];
}

/** Reports an accepted upload, which `experiment:auto` finds by its commit and branch. */
async function reportAcceptedRun(session: Session, reasons: readonly string[]): Promise<void> {
  if (!isLostToAuto(session, await readCommitPlace(session))) {
    reportAcceptance(session, "the baseline of later runs", reasons);
    return;
  }
  session.host.notify(
    "warning",
    `accepted, but baseline: experiment:auto of later runs does not find it: ${UNKNOWN_PLACE.join("; ")}${reasons.length === 0 ? "" : `. It was accepted${although(reasons)}`}`,
  );
}

const although = (reasons: readonly string[]): string =>
  reasons.length === 0 ? "" : `, although ${reasons.join("; ")}`;

function reportAcceptance({ host }: Session, as: string, reasons: readonly string[]): void {
  host.notify(
    "warning",
    `accepted as ${as}${although(reasons)}: later runs are held against this one`,
  );
}
