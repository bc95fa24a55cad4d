import type { GateMessage } from "../report/report.ts";
import { type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { isRowFloor, type MustPass } from "./gate-set.ts";
import { parseMetric } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { type GateRule, meetsRule } from "./gate-rule.ts";
import { nameOf } from "./side.ts";
import { say, shortName } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { plural } from "../model/count-words.ts";

/** How many failing rows a message names. */
const MAX_NAMED = 2;

/** Values of a marking field that mean "not marked". */
const NO_MARK = new Set(["", "false", "0"]);

/** Key of a group in a baseline file, which stores its members. */
export function mustPassKey({ select }: MustPass): string {
  return JSON.stringify(Object.entries(select).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The examples that a group selects, with the selected rows of each. A repeat without the field
 * belongs to its example, since a crashed run may lack its fields.
 */
function chooseRows(table: GateTable, item: MustPass): Map<string, readonly number[]> {
  const chosen = new Map<string, readonly number[]>();
  for (let e = 0; e < table.examples; e++) {
    const rows: number[] = [];
    let isPicked = false;
    for (let row = table.start[e]!; row < table.start[e + 1]!; row++) {
      const isOwn = isChosen(table, row, item);
      isPicked ||= isOwn;
      if (isOwn || isMute(table, row, item)) rows.push(row);
    }
    if (isPicked) chosen.set(nameOf(table, e), rows);
  }
  return chosen;
}

/** An example's text, as this run or else the baseline has it; its name if neither does. */
function titleOf({ head, base }: Judging, name: string): string {
  for (const table of [head.table, ...(base === null ? [] : [base.table])])
    for (let row = 0; row < table.size; row++) {
      const title = table.example.at(row) === name ? table.preview(row).input.trim() : "";
      if (title !== "") return title;
    }
  return name;
}

/** The members of every group, for the baseline file. */
export function listMembers(
  table: GateTable,
  items: readonly MustPass[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    items.map((item) => [mustPassKey(item), [...chooseRows(table, item).keys()]]),
  );
}

interface Counted {
  readonly where: string;
  readonly rules: readonly GateRule[];
  readonly chosen: number;
  readonly failing: readonly string[];
  /** Members stored in the baseline that this run lacks, or that it no longer marks as such. */
  readonly lost: readonly string[];
  readonly errors: number;
  readonly atLeast: number | null;
}

/** Judges selected rows individually: every example must pass in enough of its repeats; no statistics. */
export function judgeMustPass(
  judging: Judging,
  item: MustPass,
  remembered: readonly string[],
): JudgedGate {
  const { table } = judging.head;
  const rules = item.require.length > 0 ? item.require : judging.gates.rules.filter(isRowFloor);
  const chosen = chooseRows(table, item);
  const failing: string[] = [];
  let errors = 0;
  for (const [example, rows] of chosen) {
    errors += rows.filter((row) => table.error[row] === 1).length;
    const passed = rows.filter((row) => rules.every((rule) => meetsRow(table, row, rule))).length;
    if (passed >= (item.at_least ?? rows.length)) continue;
    const name = table.preview(rows[0]!).input.trim() || example;
    failing.push(`${shortName(name)} (${passed} of ${plural(rows.length, "run")})`);
  }
  const gone = remembered.filter((example) => !chosen.has(example));
  const lost = gone.map((example) => shortName(titleOf(judging, example)));
  const where = Object.entries(item.select).map(describeTag).join(", ");
  const n = chosen.size;
  const message = describe({
    where: shortName(where),
    rules,
    chosen: n,
    failing,
    lost,
    errors,
    atLeast: item.at_least,
  });
  return toJudgedGate(judging, {
    metric: "must_pass",
    rule: `must_pass ${where}`,
    verdict: n > 0 && failing.length === 0 && lost.length === 0 ? "pass" : "fail",
    n,
    head: n === 0 ? null : (n - failing.length) / n,
    method: "count",
    limit: null,
    lower: false,
    describe: () => message,
  });
}

function describeTag([tag, values]: readonly [string, readonly string[]]): string {
  if (values.length === 0) return tag;
  return `${tag}: ${values.length === 1 ? values[0]! : `[${values.join(", ")}]`}`;
}

/** Whether a row lacks all selecting fields, so that nothing shows whether it is selected. */
function isMute(table: GateTable, row: number, { select }: MustPass): boolean {
  return Object.keys(select).every((tag) => table.tag(row, tag) === undefined);
}

function isChosen(table: GateTable, row: number, item: MustPass): boolean {
  return Object.entries(item.select).every(([tag, values]) => {
    const found = table.tag(row, tag);
    return (
      found !== undefined &&
      (values.length === 0 ? !NO_MARK.has(found.toLowerCase()) : values.includes(found))
    );
  });
}

function meetsRow(table: GateTable, row: number, rule: GateRule): boolean {
  const metric = parseMetric(rule.metric);
  if (table.error[row] === 1 && metric.kind === "latency") return false;
  const scores = metric.kind === "score" ? table.scores.get(metric.key) : undefined;
  const column = metric.kind === "latency" ? table.latency : scores;
  const value = column?.[row] ?? NaN;
  return !Number.isNaN(value) && meetsRule(rule, value);
}

function describe({ where, rules, chosen, failing, lost, errors, atLeast }: Counted): GateMessage {
  const limit = shortName(
    `${rules.map((rule) => rule.text).join(" and ")}${atLeast === null ? "" : ` in at least ${plural(atLeast, "repeat")}`}`,
    60,
  );
  const name = (items: readonly string[]): string =>
    `${items.slice(0, MAX_NAMED).join("; ")}${items.length > MAX_NAMED ? `; and ${items.length - MAX_NAMED} more` : ""}`;
  if (chosen === 0)
    return say(
      `no row has ${where}: the rows that must pass were not run.`,
      "Check the spelling or the results.",
    );
  const gone = `${plural(lost.length, "example")} of the baseline ${lost.length === 1 ? "was" : "were"} not run with ${where}`;
  if (failing.length === 0 && lost.length > 0)
    return say(`${gone}.`, `Run ${name(lost)} with it, or accept a new baseline.`);
  if (failing.length === 0)
    return say(
      `${chosen === 1 ? "the one example" : `every one of the ${chosen} examples`} with ${where} meets ${limit}.`,
    );
  const broken = errors > 0 ? `; ${plural(errors, "row")} errored` : "";
  const also = lost.length > 0 ? `; ${lost.length} gone` : "";
  return say(
    `${failing.length} of ${plural(chosen, "example")} with ${where} ${failing.length === 1 ? "does" : "do"} not meet ${limit}${broken}${also}.`,
    `Fix ${name(failing)}.`,
  );
}
