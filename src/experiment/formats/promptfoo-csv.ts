import { toScored } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { ReadRow } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import {
  checkColumns,
  createShortLines,
  sayShortLines,
  streamCsv,
  type CsvRow,
} from "./csv-table.ts";
import type { Head, RowSource } from "./format.ts";
import { shortLabel } from "./promptfoo-groups.ts";

/** One prompt's columns: its output, then named ones up to the next output. */
interface PromptColumns {
  readonly header: string;
  readonly output: number;
  readonly named: ReadonlyMap<string, number>;
  readonly metrics: readonly (readonly [metric: string, column: number])[];
  /** Columns that are not promptfoo's. */
  readonly others: readonly (readonly [name: string, column: number])[];
}

const OWN_COLUMN = /^(?:Status|Score|Named Scores|Grader Reason|Comment|Metric: .*)$/;

/** Whether a header is promptfoo's: outputs followed by `Status`, names repeated for every prompt. */
function hasStatusColumns(columns: readonly string[]): boolean {
  return (
    columns.includes("Status") &&
    columns.includes("Score") &&
    (columns.includes("Grader Reason") || columns.includes("Named Scores"))
  );
}

/** Up to 0.120 a cell held it all: `[PASS] (1.00, tone: 0.50)`, the output, `Pass Reason: …`. */
const PACKED_CELL =
  /^\[(PASS|FAIL|ERROR)\] \((-?[\d.]+)([^\n]*)\)\n\n([\s\S]*?)(?:\n\n( {0,8})(?:Pass|Fail) Reason: ([\s\S]*))?$/;

/** A cell's parts; null where it is not packed. */
function unpack(cell: string): {
  readonly status: string;
  readonly score: string;
  readonly names: string;
  readonly output: string;
  readonly reason: string;
} | null {
  const match = PACKED_CELL.exec(cell);
  if (match === null) return null;
  const [, status = "", score = "", names = "", text = "", indent = "", reason = ""] = match;
  // promptfoo's template is indented, and stays so where a line of the output or the reason is not.
  const output = text.startsWith(indent) ? text.slice(indent.length) : text;
  return { status, score, names, output, reason };
}
const isOutputColumn = (column: string): boolean => /^\[[^\]]*\] /.test(column);

/** Whether a CSV is promptfoo's, in either spelling. */
export function isPromptfooCsv({ columns, text }: Pick<Head, "columns" | "text">): boolean {
  return (
    hasStatusColumns(columns) ||
    (columns.some(isOutputColumn) && /"\[(?:PASS|FAIL|ERROR)\] \(-?\d/.test(text))
  );
}

/** The spelling of 0.120 and before; its named scores are sums of an unknown number of asserts. */
function openPackedCsv(file: InputFile, head: Head, split: boolean): RowSource {
  checkColumns(file.name, head.columns, "expected");
  const outputs = head.columns.flatMap((column, n) => (isOutputColumn(column) ? [n] : []));
  const toPackedRow = ({ cells, line, index }: CsvRow, column: number, n: number): ReadRow => {
    const { provider, prompt } = splitHeader(head.columns[column]!);
    const cell = cells[column] ?? "";
    const packed = unpack(cell);
    const output = packed?.output ?? cell;
    const inputs = head.columns.flatMap((name, at) =>
      outputs.includes(at) ? [] : [[name, cells[at] ?? ""] as const],
    );
    return {
      place: { file: file.name, line, index: index * outputs.length + n },
      [split ? "group" : "part"]: {
        key: JSON.stringify([provider, n]),
        label: `${provider} · ${shortLabel(prompt)}`,
      },
      inputs: Object.fromEntries(inputs),
      ...(packed === null || packed.status === "ERROR"
        ? { error: output.trim().split("\n")[0] || "the run failed and the file does not say why" }
        : {
            actual_outputs: output,
            evaluation_scores: [
              { key: "score", score: packed.score, comment: packed.reason },
              { key: "pass", score: packed.status === "PASS" },
            ],
          }),
      run_name: provider,
      run_metadata: { prompt },
      unread: namesIn(packed?.names ?? ""),
    };
  };
  const short = createShortLines(head.columns);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamCsv(file, head.columns.length, short))
      yield batch.flatMap((row) => outputs.map((column, n) => toPackedRow(row, column, n)));
  }
  return { batches, header: () => ({ given: {}, warnings: [SUMS, ...sayShortLines(short)] }) };
}

/** `, accuracy: 2.00, tone: 1.00` */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/, ([^:,]+): -?[\d.]+/g)].map(([, name]) => name!);

const SUMS =
  "named scores are not read: before promptfoo 0.121.5 a CSV holds their sums, and not of how many asserts; write JSON";

function readColumns(columns: readonly string[]): {
  vars: [string, number][];
  prompts: PromptColumns[];
  description: number;
} {
  const outputs = columns.flatMap((column, index) =>
    column === "Status" && index > 0 ? [index - 1] : [],
  );
  const prompts = outputs.map((output, n): PromptColumns => {
    const end = outputs[n + 1] ?? columns.length;
    const own = Array.from({ length: end - output - 1 }, (_, offset) => output + 1 + offset);
    return {
      header: columns[output]!,
      output,
      named: new Map(own.map((index) => [columns[index]!, index])),
      metrics: own.flatMap((index): [string, number][] =>
        columns[index]!.startsWith("Metric: ") ? [[columns[index]!.slice(8), index]] : [],
      ),
      others: own.flatMap((index): [string, number][] =>
        OWN_COLUMN.test(columns[index]!) ? [] : [[columns[index]!, index]],
      ),
    };
  });
  const before = columns.slice(0, outputs[0]);
  return {
    prompts,
    description: before.indexOf("Description"),
    vars: before.flatMap((column, index): [string, number][] =>
      column === "Description" && index === 0 ? [] : [[column, index]],
    ),
  };
}

/** `[provider] prompt`, as promptfoo heads an output column. */
function splitHeader(header: string): { provider: string; prompt: string } {
  const match = /^\[([^\]]*)\] ?([\s\S]*)$/.exec(header);
  return match === null
    ? { provider: "provider", prompt: header }
    : { provider: match[1]!, prompt: match[2]! };
}

/** The named scores' own column is exact; the metric columns are rounded to two decimals. */
function scoresOf(cells: readonly string[], prompt: PromptColumns, hasMeans: boolean): unknown[] {
  const cell = (name: string): string => cells[prompt.named.get(name) ?? -1] ?? "";
  const named = parseLenientJson(cell("Named Scores")).value;
  const scores =
    isObject(named) && hasMeans
      ? Object.entries(named).map(([key, score]) => ({ key, score }))
      : prompt.metrics.flatMap(([key, column]) =>
          cells[column] === "" ? [] : [{ key, score: cells[column] }],
        );
  const reason = cell("Grader Reason");
  return [
    ...scores,
    ...(cell("Score") === "" ? [] : [{ key: "score", score: cell("Score"), comment: reason }]),
    { key: "pass", score: cell("Status") === "PASS" },
  ];
}

/** promptfoo's CSV export: one record holds the runs of every prompt. */
export function openPromptfooCsv(file: InputFile, head: Head, split: boolean): RowSource {
  if (!hasStatusColumns(head.columns)) return openPackedCsv(file, head, split);
  checkColumns(file.name, head.columns, "expected");
  const { vars, prompts, description } = readColumns(head.columns);
  // The columns of single metrics came with the means.
  const hasMeans = prompts.some(({ metrics }) => metrics.length > 0);
  let sums = false;
  const toRow = ({ cells, line, index }: CsvRow, prompt: PromptColumns, n: number): ReadRow => {
    const { provider, prompt: label } = splitHeader(prompt.header);
    const failed = cells[prompt.named.get("Status") ?? -1] === "ERROR";
    const output = cells[prompt.output] ?? "";
    return {
      place: { file: file.name, line, index: index * prompts.length + n },
      [split ? "group" : "part"]: {
        key: JSON.stringify([provider, n]),
        label: `${provider} · ${shortLabel(label)}`,
      },
      inputs: Object.fromEntries(vars.map(([name, column]) => [name, cells[column] ?? ""])),
      ...(failed
        ? {
            error:
              cells[prompt.named.get("Grader Reason") ?? -1] ||
              output ||
              "the run failed and the file does not say why",
          }
        : { actual_outputs: output, evaluation_scores: scoresOf(cells, prompt, hasMeans) }),
      run_name: provider,
      run_metadata: {
        prompt: label,
        ...(description >= 0 && cells[description] ? { description: cells[description] } : {}),
      },
      unread: prompt.others.flatMap(([name, column]) =>
        "score" in toScored(cells[column]) ? [name] : [],
      ),
    };
  };
  const short = createShortLines(head.columns);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamCsv(file, head.columns.length, short))
      yield batch.flatMap((row) =>
        prompts.map((prompt, n) => {
          const named = row.cells[prompt.named.get("Named Scores") ?? -1] ?? "";
          sums ||= !hasMeans && named !== "" && named !== "{}";
          return toRow(row, prompt, n);
        }),
      );
  }
  return {
    batches,
    header: () => ({ given: {}, warnings: [...(sums ? [SUMS] : []), ...sayShortLines(short)] }),
  };
}
