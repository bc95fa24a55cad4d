import { isScore } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { CsvRecord } from "./csv-records.ts";
import { openTable } from "./csv-table.ts";
import type { Head } from "./format.ts";
import { NO_REASON, RUN_FAILED } from "./promptfoo-groups.ts";
import type { PlacedRow } from "./records.ts";
import { inOrder } from "../input/ordered-object.ts";

/** One prompt's columns: its output, then named ones up to the next output. */
interface PromptColumns {
  readonly provider: string;
  readonly prompt: string;
  readonly output: number;
  /** Empty in the spelling with everything in one cell. */
  readonly named: readonly (readonly [name: string, column: number])[];
}

interface Graded {
  /** Absent if it was graded. */
  readonly error?: string | undefined;
  readonly output: string;
  readonly scores: readonly unknown[];
  readonly unread: readonly string[];
  /** It has named scores that are sums. */
  readonly hasSums: boolean;
}

const METRIC = /^Metric: (.*)$/s;
const OWN_COLUMN = /^(?:Status|Score|Named Scores|Grader Reason|Comment|Metric: .*)$/;

/** Whether a header is promptfoo's: outputs followed by `Status`, with names repeated for every prompt. */
function hasStatusColumns(columns: readonly string[]): boolean {
  return (
    columns.includes("Status") &&
    columns.includes("Score") &&
    (columns.includes("Grader Reason") || columns.includes("Named Scores"))
  );
}

const isOutputColumn = (column: string): boolean => /^\[[^\]]*\] /.test(column);

/** Whether a CSV is promptfoo's, in either spelling. */
export function isPromptfooCsv({ columns, text }: Pick<Head, "columns" | "text">): boolean {
  return (
    hasStatusColumns(columns) ||
    (columns.some(isOutputColumn) && /"\[(?:PASS|FAIL|ERROR)\] \(-?\d/.test(text))
  );
}

/** Up to 0.120 a cell contained everything: `[PASS] (1.00, tone: 0.50)`, the output, `Pass Reason: …`. */
const PACKED_CELL =
  /^\[(PASS|FAIL|ERROR)\] \((-?[\d.]+)([^\n]*)\)\n\n([\s\S]*?)(?:\n\n( {0,8})(?:Pass|Fail) Reason: ([\s\S]*))?$/;

/** The named scores of such a cell (`, accuracy: 2.00, tone: 1.00`) are sums over an unknown number of asserts. */
function gradedInCell(cell: string): Graded {
  const match = PACKED_CELL.exec(cell);
  const [, status = "ERROR", score, names = "", text = cell, indent = "", comment = ""] =
    match ?? [];
  // promptfoo's template is indented, and stays so if a line of the output or reason is not.
  const output = text.startsWith(indent) ? text.slice(indent.length) : text;
  return {
    error: status === "ERROR" ? output.trim().split("\n")[0] || NO_REASON : undefined,
    output,
    scores: [
      { key: "score", score, comment },
      { key: "pass", score: Number(status === "PASS") },
    ],
    unread: [...names.matchAll(/, ([^:,]+): -?[\d.]+/g)].map(([, name]) => name!),
    hasSums: true,
  };
}

/**
 * The named scores' own column is exact; the metric columns are rounded to two decimals. Those came
 * after the means, and so distinguish them from sums.
 */
function gradedInColumns(
  cells: readonly string[],
  { output: at, named }: PromptColumns,
  hasMeans: boolean,
): Graded {
  const cell = (name: string): string =>
    cells[named.findLast(([column]) => column === name)?.[1] ?? -1] ?? "";
  const [output, reason] = [cells[at] ?? "", cell("Grader Reason")];
  const scores = parseLenientJson(cell("Named Scores")).value;
  const filled = named.filter(([, column]) => cells[column] !== "");
  return {
    error: cell("Status") === "ERROR" ? reason || output || NO_REASON : undefined,
    output,
    scores: [
      ...(isObject(scores) && hasMeans
        ? Object.entries(scores).map(([key, score]) => ({ key, score }))
        : filled.flatMap(([name, column]) => {
            const key = METRIC.exec(name)?.[1];
            return key === undefined ? [] : [{ key, score: cells[column] }];
          })),
      ...(cell("Score") === "" ? [] : [{ key: "score", score: cell("Score"), comment: reason }]),
      { key: "pass", score: Number(cell("Status") === "PASS") },
    ],
    unread: named.flatMap(([name, column]) =>
      !OWN_COLUMN.test(name) && isScore(cells[column]) ? [name] : [],
    ),
    hasSums: !hasMeans && !["", "{}"].includes(cell("Named Scores")),
  };
}

const SUMS =
  "named scores are not read: up to promptfoo 0.121.3 a CSV holds sums of them, and one without Metric columns does not distinguish sums from means; write JSON";

function readColumns(columns: readonly string[]) {
  const all = columns.map((name, column) => [name, column] as const);
  const isPacked = !hasStatusColumns(columns);
  const outputs = isPacked
    ? all.flatMap(([name, column]) => (isOutputColumn(name) ? [column] : []))
    : all.flatMap(([name, column]) => (name === "Status" && column > 0 ? [column - 1] : []));
  const prompts = outputs.map((output, n): PromptColumns => {
    // promptfoo heads an output column with `[provider] prompt`.
    const header = columns[output]!;
    const [, provider = "provider", prompt = header] =
      /^\[([^\]]*)\] ?([\s\S]*)$/.exec(header) ?? [];
    return {
      provider,
      prompt,
      output,
      named: isPacked ? [] : all.slice(output + 1, outputs[n + 1]),
    };
  });
  const vars = isPacked
    ? all.filter(([, column]) => !outputs.includes(column))
    : all.slice(0, outputs[0]);
  return { prompts, vars };
}

/** A CSV export as the records of promptfoo's JSON; one line contains the runs of every prompt. */
export function openPromptfooCsv(head: Head) {
  const { columns } = head;
  const table = openTable(head, () => true);
  const { vars, prompts } = readColumns(columns);
  const isPacked = !hasStatusColumns(columns);
  const isDescribed = !isPacked && columns[0] === "Description";
  const inputs = isDescribed ? vars.slice(1) : vars;
  const hasMeans = prompts.some(({ named }) => named.some(([name]) => METRIC.test(name)));
  let hasSums = isPacked;
  const toRecord = ({ cells, line }: CsvRecord, one: PromptColumns, n: number): PlacedRow => {
    const { provider, prompt, output: at } = one;
    const { error, output, scores, unread, ...graded } = isPacked
      ? gradedInCell(cells[at] ?? "")
      : gradedInColumns(cells, one, hasMeans);
    hasSums ||= graded.hasSums;
    const value = {
      ...{ provider, scores, unread, promptIdx: n, prompt: { label: prompt } },
      vars: inOrder(inputs.map(([name, column]) => [name, cells[column] ?? ""])),
      testCase: { description: isDescribed ? cells[0] || undefined : undefined },
      ...(error === undefined ? { response: { output } } : { failureReason: RUN_FAILED, error }),
    };
    return { value, outer: [], line };
  };
  async function* records(): AsyncGenerator<readonly PlacedRow[]> {
    for await (const batch of table.batches())
      yield batch.flatMap((row) => prompts.map((prompt, n) => toRecord(row, prompt, n)));
  }
  return { records, warnings: () => [...(hasSums ? [SUMS] : []), ...table.warnings()] };
}
