import { renderNext } from "./deployment-section.ts";
import { cellCode, code, inFence, link, nameCell, text } from "./escape.ts";
import type { Detail } from "./truncation.ts";
import {
  countsWords,
  intervalWords,
  isCrashGate,
  isDrop,
  isLowerBetter,
  meanWords,
  movedWords,
  readRule,
  scoreName,
} from "./gate-numbers.ts";
import { findingsOf, nextOfGates, sensitivityOf, VERDICT_ICONS } from "./gate-words.ts";
import { renderAcceptedTrend } from "./accepted-trend.ts";
import { renderChangePlot } from "./change-plot.ts";
import { renderDifferences } from "./difference-histogram.ts";
import { type ChangedExample, renderExample, scoresCell, toExamples } from "./examples.ts";
import { rankOf } from "./merge.ts";
import { pWords } from "./numbers.ts";
import type {
  BaselineReport,
  ExperimentReport,
  GateMessage,
  GateReport,
  ListedRow,
  Report,
} from "./report.ts";
import { joinBlocks, renderDetails, renderList, renderTable } from "./table.ts";
import { listSome, plural } from "../model/count-words.ts";

/** The gates: failures with plots and numbers, their examples, what to do; how certain they are is folded. */
export function renderGates(report: Report, detail: Detail, openPictures: boolean): string {
  if (report.gates.length === 0) return "";
  const ordered = [...report.gates].sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
  const drawn = detail.worseRows > 0;
  const plot = drawn ? renderChangePlot(ordered) : [];
  return joinBlocks([
    // The heading is not needed if the report has nothing else.
    report.deployments.length === 0 ? "" : "#### Gates",
    examplesSentence(report),
    renderGateTable(ordered, report, detail),
    plot.length === 0 ? "" : inFence("text", plot),
    // A page may contain many examples, so what to do comes before them.
    renderNext(nextOfGates(report)),
    renderWorst(report, detail),
    drawn ? renderDifferences(report, openPictures) : "",
    drawn ? renderAcceptedTrend(report, openPictures) : "",
    renderCertainty(ordered, report, detail),
    renderUnshared(report, detail),
  ]);
}

/**
 * `30 of 118 examples got worse, none got better.` Counts examples rather than scores: three worse
 * metrics count once.
 */
function examplesSentence({ row_counts: { examples }, gates }: Report): string {
  if (examples === undefined) return "";
  const { worse, better } = examples;
  const sizes = new Map<string, number>();
  for (const gate of gates) {
    const { group = "", n } = gate;
    if (isDrop(gate)) sizes.set(group, Math.max(n, sizes.get(group) ?? 0));
  }
  if (sizes.size === 0) return "";
  const shared = [...sizes.values()].reduce((sum, n) => sum + n, 0);
  const all = plural(Math.max(shared, worse + better), "example");
  if (worse + better === 0) return `None of ${all} changed its score.`;
  const count = (many: number): string => (many === 0 ? "none" : String(many));
  return `${worse === 0 ? "None" : worse} of ${all} got worse, ${count(better)} got better.`;
}

/** More passed gates become one row if others did not pass. */
const MAX_PASSED = 2;

/** Four columns with breakable cells: more or wider ones would not fit a phone. */
function renderGateTable(ordered: readonly GateReport[], report: Report, detail: Detail): string {
  const open = ordered.filter((gate) => gate.verdict !== "pass");
  const passed = ordered.filter((gate) => gate.verdict === "pass");
  const isFolded = open.length > 0 && passed.length > MAX_PASSED;
  const shown = isFolded ? open : ordered;
  const compares = ordered.some((gate) => gate.base !== null);
  const table = renderTable(
    ["Score", compares ? "Baseline → now" : "Now", "95% CI", "Limit"],
    shown.map((gate) => [
      scoreCell(gate),
      valueCell(gate, report),
      intervalWords(gate),
      limitCell(gate),
    ]),
    detail.rows,
  );
  return joinBlocks([table, isFolded ? passedWords(passed) : ""]);
}

/** The gate on crashes is named, not counted: nobody wrote it. */
function passedWords(passed: readonly GateReport[]): string {
  const own = passed.filter((gate) => !isCrashGate(gate));
  return `✅ ${own.length} more passed${own.length < passed.length ? ", and the errors gate" : ""}`;
}

function scoreCell(gate: GateReport): string {
  const { metric, rule, verdict, direction } = gate;
  const arrow = { higher: "&nbsp;↑", lower: "&nbsp;↓", unknown: "" }[direction ?? "unknown"];
  return `${VERDICT_ICONS[verdict]}${arrow} ${nameCell(metric === "" ? rule : scoreName(gate))}`;
}

function valueCell(gate: GateReport, report: Report): string {
  const bold = (value: string): string => (gate.verdict === "pass" ? value : `**${value}**`);
  const counts = countsWords(gate, report);
  return `${movedWords(gate, report.gates, bold)}${counts === "" ? "" : `<br>${counts}`}`;
}

/** The limit as in the rule, with the sign of the change it allows. */
function limitCell(gate: GateReport): string {
  if (isCrashGate(gate)) return "no rise";
  const { sign, limit } = readRule(gate);
  if (limit === "") return text(gate.rule, 60);
  if (!isDrop(gate)) return text(`${sign} ${limit}`, 60);
  if (gate.limit === 0) return isLowerBetter(gate) ? "no rise" : "no fall";
  return text(`${isLowerBetter(gate) ? "+" : "−"}${limit}`, 60);
}

const OPEN_EXAMPLES = 3;

/** The worst examples in full; the other changed ones folded. */
function renderWorst(report: Report, detail: Detail): string {
  if (detail.worseRows === 0) return "";
  const { rows_worse, rows_better, rows_missed = [], row_counts } = report;
  const better = toExamples(rows_better);
  const { worse: worseCount = 0, better: betterCount = 0 } = row_counts.examples ?? {};
  return joinBlocks([
    renderFirst(rows_worse, worseCount, "that got worse", detail),
    renderMore(
      better,
      Math.max(betterCount, better.length),
      "example",
      "that got better in some score",
      detail,
    ),
    renderFirst(rows_missed, row_counts.missed ?? 0, "beyond the limit", detail),
  ]);
}

/** The first examples of a list in full, the rest folded; `all`: how many there are, if not all are listed. */
function renderFirst(
  rows: readonly ListedRow[],
  all: number,
  words: string,
  detail: Detail,
): string {
  const examples = toExamples(rows);
  if (examples.length === 0) return "";
  const count = Math.max(all, examples.length);
  const listed = count === 1 ? "The example" : `The ${count} examples`;
  const title = count > OPEN_EXAMPLES ? `The ${OPEN_EXAMPLES} worst of ${count} examples` : listed;
  return joinBlocks([
    `**${title} ${words}**`,
    ...examples.slice(0, OPEN_EXAMPLES).map(renderExample),
    renderMore(
      examples.slice(OPEN_EXAMPLES),
      count - Math.min(count, OPEN_EXAMPLES),
      "more example",
      words,
      detail,
    ),
  ]);
}

function renderMore(
  examples: readonly ChangedExample[],
  count: number,
  noun: string,
  words: string,
  detail: Detail,
): string {
  const shown = examples.slice(0, Math.min(detail.worseRows, detail.rows));
  if (shown.length === 0) return "";
  const table = renderTable(
    ["Input", "Scores"],
    shown.map((one) => [cellCode(one.input, 80), scoresCell(one, ", ")]),
  );
  const left = count - shown.length;
  const cutOff =
    left > 0
      ? `… and ${plural(left, "more row")}; the report file of the run lists up to 500 scores`
      : "";
  return renderDetails(`${plural(count, noun)} ${words}`, joinBlocks([table, cutOff]));
}

/** Methods, p-values and the power of this sample, for those who want to know. */
function renderCertainty(ordered: readonly GateReport[], report: Report, detail: Detail): string {
  const toLine = ([gate, message]: readonly [GateReport, GateMessage]): string => {
    const { subject, finding, with_p: isSaid } = message;
    const p =
      gate.p === null || gate.verdict === "pass" || isSaid
        ? ""
        : ` (p ${pWords(gate.p).replace("< ", "&lt; ")})`;
    const name = `${code(scoreName(gate), 80)}${subject === "" ? ":" : ""}`;
    return `${VERDICT_ICONS[gate.verdict]} ${name} ${text(finding, detail.sentenceChars)}${p}`;
  };
  const findings = [...findingsOf(ordered, report)];
  return renderDetails(
    "How sure is this?",
    joinBlocks([renderList(findings.map(toLine), detail.rows), renderFacts(report, detail)]),
  );
}

/**
 * What the numbers are based on: examples, repeats, what was left out, the baseline and its age,
 * and the smallest change that could have been noticed.
 */
function renderFacts(report: Report, detail: Detail): string {
  const { gates, baseline, experiments, started_at: startedAt } = report;
  const most = (pick: (gate: GateReport) => number): number => Math.max(...gates.map(pick));
  const sum = (pick: (one: ExperimentReport) => number): number =>
    experiments.reduce((all, one) => all + pick(one), 0);
  const [fewest, all] = [-most(({ n }) => -n), most(({ n }) => n)];
  const [rows, errors] = [sum((one) => one.rows), sum((one) => one.errors)];
  const repeats = most((gate) => gate.repeats);
  const dropped = most((gate) => gate.n_dropped);
  const facts = [
    rows === 0
      ? ""
      : `Results: ${plural(rows, "row")}, ${errors === 0 ? "none" : errors} with an error`,
    `Judged: ${fewest === all ? all : `${fewest} to ${all}`} examples${repeats > 1 ? `, up to ${repeats} runs of each` : ""}${dropped > 0 ? `; ${plural(dropped, "row")} without a value left out` : ""}`,
    text(sensitivityOf(report), detail.sentenceChars),
    baseline === null ? "" : baselineWords(baseline, startedAt, detail),
  ];
  return renderList(facts.filter((fact) => fact !== ""));
}

function baselineWords(
  { state, message, commit, created_at: madeAt, file }: BaselineReport,
  startedAt: string,
  { sentenceChars }: Detail,
): string {
  const said = text(message, sentenceChars);
  if (state !== "used") return `Baseline: ${state}${said === "" ? "" : ` (${said})`}`;
  const ageMs = Date.parse(startedAt) - Date.parse(madeAt ?? "");
  const made = madeAt === null ? "" : `made ${text(madeAt, 40)}`;
  const parts = [
    code(file, 120),
    commit === null ? "" : `commit ${code(commit.slice(0, 12))}`,
    ageMs >= 0 ? ageWords(ageMs) : made,
    said,
  ];
  return `Baseline: ${parts.filter((part) => part !== "").join(", ")}`;
}

/** Approximate age of a run. */
export function ageWords(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 1) return "made within the last hour";
  return hours < 48
    ? `${plural(hours, "hour")} old`
    : `${plural(Math.floor(hours / 24), "day")} old`;
}

function renderUnshared(
  { rows_new: added, rows_missing: missing, row_counts: counts }: Report,
  detail: Detail,
): string {
  const lists = [
    { word: "new", where: "not in the baseline", rows: added, all: counts.new },
    { word: "missing", where: "only in the baseline", rows: missing, all: counts.missing },
  ]
    .map((one) => ({ ...one, count: Math.max(one.all, one.rows.length) }))
    .filter(({ count }) => count > 0);
  if (lists.length === 0 || detail.worseRows === 0) return "";
  const blocks = lists.map(({ word, where, rows, count }) => {
    const shown = rows.slice(0, Math.min(detail.worseRows, detail.rows));
    const more = count > shown.length ? [`… and ${count - shown.length} more`] : [];
    return joinBlocks([
      `${plural(count, "example")} ${word}, ${where}:`,
      renderList([...shown.map((row) => code(row, 120)), ...more]),
    ]);
  });
  const total = lists.reduce((sum, { count }) => sum + count, 0);
  return renderDetails(
    `${lists.map(({ word, count }) => `${count} ${word}`).join(" and ")} ${total === 1 ? "example" : "examples"}, not compared`,
    joinBlocks(blocks),
  );
}

/** How an experiment ended: sign and words. */
export const EXPERIMENT_ENDS: Readonly<
  Record<ExperimentReport["outcome"], readonly [string, string]>
> = {
  uploaded: ["✅", "uploaded"],
  "dry-run": ["📝", "dry run"],
  failed: ["❌", "not uploaded"],
  unknown: ["❓", "not known whether it was uploaded"],
  "gated-only": ["⚪", "judged, not uploaded"],
};

/** The experiments with their mean scores and problems. */
export function renderExperiments(
  { experiments, gates }: Pick<Report, "experiments" | "gates">,
  detail: Detail,
): string {
  const remarks = experiments.flatMap(({ file, message, warnings, notes = [] }) => {
    const remark = (words: string): string =>
      `${code(file, 80)}: ${text(words, detail.sentenceChars)}`;
    return [
      ...(message === "" ? [] : [remark(message)]),
      ...warnings.map((warning) => `⚠️ ${remark(warning)}`),
      ...notes.map(remark),
    ];
  });
  const isSent = experiments.some(({ outcome }) => outcome !== "gated-only");
  if (!isSent && remarks.length === 0) return "";
  return joinBlocks([
    "#### Experiments",
    renderList(
      experiments.map((one) => experimentLine(one, gates)),
      detail.rows,
    ),
    renderList(remarks, detail.rows),
  ]);
}

/** `✅ name: uploaded, 120 rows, 2 errors; correctness 0.75 · compare`. */
function experimentLine(one: ExperimentReport, gates: readonly GateReport[]): string {
  const { rows, errors, experiment_url: url, compare_url: compare } = one;
  const name = one.name === "" ? one.file : one.name;
  const [sign, words] = EXPERIMENT_ENDS[one.outcome];
  const means = listSome(
    Object.entries(one.scores),
    ([metric, { mean }]) => `${code(metric, 40)} ${meanWords(gates, metric, mean)}`,
    6,
  );
  const facts = [
    `${sign} ${url === "" ? code(name, 80) : link(name, url)}: ${words}`,
    plural(rows, "row"),
    ...(errors === 0 ? [] : [plural(errors, "error")]),
  ].join(", ");
  const scored = means === "" ? facts : `${facts}; ${means}`;
  return compare === "" ? scored : `${scored} · ${link("compare", compare)}`;
}
