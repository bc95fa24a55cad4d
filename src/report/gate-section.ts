import { renderNext } from "./deployment-section.ts";
import { cellCode, code, link, text } from "./escape.ts";
import type { Detail } from "./truncation.ts";
import { BAR_LEGEND, isDrop, limitOf, renderBar } from "./interval-bar.ts";
import type {
  BaselineReport,
  ExperimentReport,
  GateReport,
  Report,
  RowDelta,
  Verdict,
} from "./report.ts";
import { joinBlocks, renderDetails, renderList, renderTable } from "./table.ts";
import { plural } from "./wording.ts";

const VERDICTS: Readonly<Record<Verdict, string>> = {
  pass: "✅ pass",
  fail: "❌ fail",
  inconclusive: "❓ inconclusive",
};

/** A number of a report: at most three significant digits below one, a real minus; a dash for none. */
export function number(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const rounded =
    Math.abs(value) >= 1000
      ? Math.round(value)
      : Number(value.toPrecision(Math.abs(value) >= 1 ? 4 : 3));
  return String(Object.is(rounded, -0) ? 0 : rounded).replace("-", "−");
}

/** `−0.05 [−0.12, 0.02]`: a difference with its 95 % interval. */
export function deltaWords(gate: GateReport): string {
  const interval = gate.ci === null ? "" : ` [${number(gate.ci[0])}, ${number(gate.ci[1])}]`;
  return signed(gate.delta) + interval;
}

/** A p-value; below 0.001 not to the digit. */
export function pWords(p: number | null): string {
  return p === null ? "–" : p < 0.001 ? "< 0.001" : number(p);
}

/** The gates: first what got worse, how sure that is and what to do, then the numbers; `alone`: there is nothing else in the report to head it off from. */
export function renderGates(report: Report, detail: Detail, alone = false): string {
  if (report.gates.length === 0) return "";
  const reasons = [...report.gates]
    .sort((a, b) => rank(a) - rank(b))
    .filter((gate) => gate.reason !== "");
  const hasIntervals = report.gates.some((gate) => gate.ci !== null);
  const passed = reasons.filter((gate) => gate.verdict === "pass");
  const toReason = (gate: GateReport): string =>
    `${VERDICTS[gate.verdict].split(" ")[0]!} ${reasonOf(gate, detail)}`;
  const hasRows = Object.keys(report.row_counts.changed).length > 0;
  const toCells = (gate: GateReport): readonly string[] => [
    VERDICTS[gate.verdict].replace(" ", "&nbsp;"),
    cellCode(gate.rule === "" ? gate.metric : gate.rule, detail.valueChars),
    number(gate.base),
    number(gate.head),
    signed(gate.delta),
    ...(hasIntervals ? [intervalCell(gate, report.gates)] : []),
    pWords(gate.p).replace("< ", "&lt;&nbsp;"),
    ...(hasRows ? [changedRows(gate, report)] : []),
  ];
  const head = [
    "Verdict",
    "Gate",
    "Baseline",
    "This run",
    "Change",
    ...(hasIntervals ? ["95 % interval"] : []),
    "p",
    ...(hasRows ? ["Rows worse / better"] : []),
  ];
  return joinBlocks([
    alone ? "" : "#### Gates",
    renderList(
      reasons.filter((gate) => gate.verdict !== "pass"),
      toReason,
      detail.rows,
    ),
    renderNext(nextOf(report)),
    renderTable(head, report.gates, toCells, detail.rows),
    hasIntervals && detail.rows > 0 ? `<sub>${BAR_LEGEND}</sub>` : "",
    renderFacts(report, detail),
    passed.length === 0 || detail.worseRows === 0
      ? ""
      : renderDetails(
          `${plural(passed.length, "gate")} passed: why`,
          renderList(passed, toReason, detail.rows),
        ),
    renderRows(
      "that got worse, the worst first",
      report.rows_worse,
      countOf(report, "worse"),
      detail,
    ),
    renderRows(
      "that got better, the best first",
      report.rows_better,
      countOf(report, "better"),
      detail,
    ),
    renderUnshared(report, detail),
  ]);
}

const rank = (gate: GateReport): number => ["fail", "inconclusive", "pass"].indexOf(gate.verdict);

/** The sentence of a gate, its metric in front where it does not begin with it; the verdict's own weight for the eye. */
function reasonOf(gate: GateReport, detail: Detail): string {
  const named = gate.reason.startsWith(`${gate.metric} `);
  const rest = text(
    named ? gate.reason.slice(gate.metric.length + 1) : gate.reason,
    detail.sentenceChars,
  );
  const name = code(gate.metric, 80);
  return `${gate.verdict === "fail" ? `**${name}**` : name}${named ? " " : ": "}${rest}`;
}

const signed = (value: number | null): string =>
  value !== null && value > 0 ? `+${number(value)}` : number(value);

/** Drawn, then in numbers: of the value for a floor, of the change for a drop (docs/gates.md). */
function intervalCell(gate: GateReport, gates: readonly GateReport[]): string {
  if (gate.ci === null) return "–";
  const [low, high] = isDrop(gate.rule) ? gate.ci.map(signed) : gate.ci.map(number);
  const bar = barOf(gate, gates);
  return `${bar === "" ? "" : `\`${bar}\` `}${isDrop(gate.rule) ? "change " : ""}${low} to ${high}`;
}

function barOf(gate: GateReport, gates: readonly GateReport[]): string {
  if (gate.head === null || gate.ci === null) return "";
  const drop = isDrop(gate.rule);
  const base =
    gate.base ?? gates.find((one) => one.metric === gate.metric && one.base !== null)?.base ?? null;
  if (drop && base === null) return "";
  const shift = drop ? base! : 0;
  return renderBar({
    value: gate.head,
    low: gate.ci[0] + shift,
    high: gate.ci[1] + shift,
    base,
    limit: limitOf(gate.rule),
  });
}

function changedRows(gate: GateReport, { row_counts: { changed } }: Report): string {
  const found =
    isDrop(gate.rule) && Object.hasOwn(changed, gate.metric) ? changed[gate.metric] : undefined;
  return found === undefined ? "–" : `${found.worse} / ${found.better}`;
}

/** What a person does about gates that failed, or that cannot tell. */
function nextOf({ gates, rows_worse: worse }: Report): readonly string[] {
  const failed = gates.filter((gate) => gate.verdict === "fail");
  const rows =
    worse.length > 0 ? "Open the rows that got worse below" : "Look at the rows of the results";
  return [
    ...(failed.some((gate) => isDrop(gate.rule))
      ? [
          `${rows}: if they matter, mend the agent. If the fall is the price of something wanted, allow it in the gate, or make a new baseline with \`write-baseline\``,
        ]
      : []),
    ...(failed.some((gate) => !isDrop(gate.rule))
      ? [
          "A limit that is missed even with luck counted in is not a matter of running it again: mend the agent, or change the limit",
        ]
      : []),
    ...(gates.some((gate) => gate.verdict === "inconclusive")
      ? [
          "Inconclusive is neither good nor bad: these examples cannot tell. Several runs of each example, or more examples, can; until then judge by the rows",
        ]
      : []),
  ];
}

/** What the numbers rest on: examples, repeats, what was left out, the baseline and its age, how small a change could have been seen. */
function renderFacts(report: Report, detail: Detail): string {
  const { gates, baseline, experiments, started_at: startedAt } = report;
  const span = (values: readonly number[]): string =>
    Math.min(...values) === Math.max(...values)
      ? String(values[0])
      : `${Math.min(...values)} to ${Math.max(...values)}`;
  const repeats = Math.max(...gates.map((gate) => gate.repeats));
  const dropped = Math.max(...gates.map((gate) => gate.n_dropped));
  const rows = experiments.reduce((sum, one) => sum + one.rows, 0);
  const errors = experiments.reduce((sum, one) => sum + one.errors, 0);
  const smallest = gates
    .filter((gate) => isDrop(gate.rule) && gate.mde !== null)
    .map((gate) => `${code(gate.metric, 60)} ${number(gate.mde)}`);
  const facts = [
    ...(rows === 0
      ? []
      : [`Results: ${plural(rows, "row")}, ${errors === 0 ? "none" : errors} with an error`]),
    `Judged: ${span(gates.map((gate) => gate.n))} examples${repeats > 1 ? `, up to ${repeats} runs of each` : ""}${dropped > 0 ? `; ${plural(dropped, "row")} without a value left out` : ""}`,
    ...(smallest.length === 0
      ? []
      : [
          `Smallest change for the worse that these examples can show: ${smallest.slice(0, 12).join(", ")}${smallest.length > 12 ? ` and ${smallest.length - 12} more` : ""}`,
        ]),
    ...(baseline === null ? [] : [baselineWords(baseline, startedAt, detail)]),
  ];
  return renderList(facts, (fact) => fact, Infinity);
}

function baselineWords(baseline: BaselineReport, startedAt: string, detail: Detail): string {
  if (baseline.state !== "used")
    return `Baseline: ${baseline.state}${baseline.message === "" ? "" : ` (${text(baseline.message, detail.sentenceChars)})`}`;
  const ageMs = Date.parse(startedAt) - Date.parse(baseline.created_at ?? "");
  const parts = [
    baseline.commit === null ? "" : `commit ${code(baseline.commit.slice(0, 12))}`,
    ageMs >= 0
      ? ageWords(ageMs)
      : baseline.created_at === null
        ? ""
        : `made ${text(baseline.created_at, 40)}`,
    // The message repeats commit and time for those who read only it.
    text(baseline.message.replace(/, (?:commit|made) [^,]*/g, ""), detail.sentenceChars),
  ];
  return `Baseline: ${[code(baseline.file, 120), ...parts.filter((part) => part !== "")].join(", ")}`;
}

function ageWords(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 1
    ? "made within the last hour"
    : hours < 48
      ? `${plural(hours, "hour")} old`
      : `${plural(Math.floor(hours / 24), "day")} old`;
}

function countOf({ row_counts: { changed } }: Report, side: "worse" | "better"): number {
  return Object.values(changed).reduce((sum, one) => sum + one[side], 0);
}

function renderRows(
  which: string,
  rows: readonly RowDelta[],
  total: number,
  detail: Detail,
): string {
  if (rows.length === 0 || detail.worseRows === 0) return "";
  const toCells = (row: RowDelta): readonly string[] => [
    cellCode(row.metric, 60),
    cellCode(row.input, 80),
    cellCode(row.expected, 80),
    cellCode(row.head_output, 80),
    `${number(row.base)} → ${number(row.head)}`,
  ];
  const count = Math.max(total, rows.length);
  const shown = Math.min(detail.worseRows, detail.rows, rows.length);
  const table = renderTable(
    ["Metric", "Input", "Expected", "Output", "Baseline → this run"],
    rows.slice(0, shown),
    toCells,
    Infinity,
  );
  return renderDetails(
    `${plural(count, "row")} ${which}`,
    joinBlocks([
      table,
      count > shown
        ? `… and ${plural(count - shown, "more row")}; the report file of the run lists up to 500`
        : "",
    ]),
  );
}

function renderUnshared(
  { rows_new: added, rows_missing: missing, row_counts: counts }: Report,
  detail: Detail,
): string {
  const lists = [
    { words: "new, not in the baseline", rows: added, count: Math.max(counts.new, added.length) },
    {
      words: "missing, only in the baseline",
      rows: missing,
      count: Math.max(counts.missing, missing.length),
    },
  ].filter(({ count }) => count > 0);
  if (lists.length === 0 || detail.worseRows === 0) return "";
  const blocks = lists.map(({ words, rows, count }) => {
    const shown = rows.slice(0, Math.min(detail.worseRows, detail.rows));
    return joinBlocks([
      `${plural(count, "example")} ${words}:`,
      renderList(
        [
          ...shown.map((row) => code(row, 120)),
          ...(count > shown.length ? [`… and ${count - shown.length} more`] : []),
        ],
        (item) => item,
        Infinity,
      ),
    ]);
  });
  return renderDetails(
    `${lists.map(({ words, count }) => `${count} ${words.split(",")[0]!}`).join(" and ")} ${lists.length === 1 && lists[0]!.count === 1 ? "example" : "examples"}, not compared`,
    joinBlocks(blocks),
  );
}

const OUTCOMES: Readonly<Record<ExperimentReport["outcome"], string>> = {
  uploaded: "✅ uploaded",
  "dry-run": "📝 dry run",
  failed: "❌ failed",
  unknown: "❓ unknown",
  "gated-only": "⚪ not uploaded, gated only",
};

/** The experiments with their mean scores, then what went wrong with them. */
export function renderExperiments(
  experiments: readonly ExperimentReport[],
  detail: Detail,
): string {
  if (experiments.length === 0) return "";
  const toCells = (one: ExperimentReport): readonly string[] => [
    one.experiment_url === ""
      ? cellCode(one.name === "" ? one.file : one.name, 80)
      : link(one.name === "" ? one.file : one.name, one.experiment_url),
    OUTCOMES[one.outcome],
    String(one.rows),
    String(one.errors),
    scores(one),
    one.compare_url === "" ? "" : link("compare", one.compare_url),
  ];
  const remarks = experiments.flatMap(({ file, message, warnings }) => [
    ...(message === "" ? [] : [{ file, sign: "", words: message }]),
    ...warnings.map((words) => ({ file, sign: "⚠️ ", words })),
  ]);
  return joinBlocks([
    "#### Experiments",
    renderTable(
      ["Experiment", "State", "Rows", "Errors", "Scores", ""],
      experiments,
      toCells,
      detail.rows,
    ),
    renderList(
      remarks,
      ({ file, sign, words }) => `${sign}${code(file, 80)}: ${text(words, detail.sentenceChars)}`,
      detail.rows,
    ),
  ]);
}

function scores(one: ExperimentReport): string {
  const all = Object.entries(one.scores);
  const shown = all.slice(0, 6).map(([metric, { mean }]) => `${code(metric, 40)} ${number(mean)}`);
  return (
    shown.join(", ") + (all.length > shown.length ? ` and ${all.length - shown.length} more` : "")
  );
}
