import type { GateReport } from "../report/report.ts";
import { isRowFloor, type MustPass } from "./language.ts";
import { parseMetric, valueOf } from "./metric.ts";
import { meetsRule } from "./floor.ts";
import type { GateRow } from "./row.ts";
import type { GateRule } from "./rule.ts";
import type { Judging } from "./side.ts";
import { count, tidy } from "./wording.ts";

/** Failing rows that a sentence names. */
const MOST_NAMED = 3;

/** What a marking field says where its row is not marked. */
const NO_MARK = new Set(["", "false", "0"]);

/** Judges chosen rows one by one: every example must pass in enough of its repeats; no statistics. */
export function judgeMustPass(judging: Judging, item: MustPass): GateReport {
  const { index } = judging.head;
  const rules = item.require.length > 0 ? item.require : judging.gates.rules.filter(isRowFloor);
  const failing: string[] = [];
  let chosen = 0;
  let errors = 0;
  for (let e = 0; e < index.examples.length; e++) {
    const rows: GateRow[] = [];
    for (let at = index.start[e]!; at < index.start[e + 1]!; at++)
      rows.push(index.table.rows[index.order[at]!]!);
    const picked = rows.filter((row) => isChosen(row, item));
    if (picked.length === 0) continue;
    chosen++;
    errors += picked.filter((row) => row.error).length;
    const passed = picked.filter((row) => rules.every((rule) => meetsRow(row, rule))).length;
    if (passed < (item.at_least ?? picked.length)) {
      failing.push(
        `${picked[0]!.preview.input.trim() || index.examples[e]!} (${passed} of ${picked.length})`,
      );
    }
  }
  const where = Object.entries(item.select)
    .map(([tag, values]) =>
      values.length === 0
        ? tag
        : `${tag}: ${values.length === 1 ? values[0]! : `[${values.join(", ")}]`}`,
    )
    .join(", ");
  const verdict = chosen > 0 && failing.length === 0 ? "pass" : "fail";
  return {
    metric: "must_pass",
    rule: `must_pass ${where}`,
    verdict,
    n: chosen,
    n_dropped: 0,
    repeats: index.repeats,
    head: chosen === 0 ? null : tidy((chosen - failing.length) / chosen),
    base: null,
    delta: null,
    ci: null,
    p: null,
    method: "count",
    alpha: judging.gates.alpha,
    mde: null,
    reason: say({ where, rules, chosen, failing, errors, atLeast: item.at_least }),
  };
}

function isChosen(row: GateRow, item: MustPass): boolean {
  return Object.entries(item.select).every(([tag, values]) => {
    const found = row.tags[tag];
    return (
      found !== undefined && (values.length === 0 ? !NO_MARK.has(found) : values.includes(found))
    );
  });
}

function meetsRow(row: GateRow, rule: GateRule): boolean {
  const value = valueOf(row, parseMetric(rule.metric));
  return !Number.isNaN(value) && meetsRule(rule, value);
}

function say({
  where,
  rules,
  chosen,
  failing,
  errors,
  atLeast,
}: {
  readonly where: string;
  readonly rules: readonly GateRule[];
  readonly chosen: number;
  readonly failing: readonly string[];
  readonly errors: number;
  readonly atLeast: number | null;
}): string {
  const bar = `${rules.map((rule) => rule.text).join(" and ")}${atLeast === null ? "" : ` in at least ${count(atLeast, "repeat")}`}`;
  if (chosen === 0)
    return `no row has ${where}, so the rows that must pass were not run; check the spelling or the results`;
  if (failing.length === 0)
    return `every one of the ${count(chosen, "example")} with ${where} meets ${bar}`;
  const named = failing.slice(0, MOST_NAMED).join("; ");
  const more = failing.length > MOST_NAMED ? `; and ${failing.length - MOST_NAMED} more` : "";
  const broken = errors > 0 ? `; ${count(errors, "row")} errored` : "";
  return `${failing.length} of ${count(chosen, "example")} with ${where} ${failing.length === 1 ? "does" : "do"} not meet ${bar}: ${named}${more}${broken}`;
}
