import { isObject, parseLenientJson } from "../lenient-json.ts";
import type { ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import { checkColumns, streamCsv, type CsvRow } from "./csv-table.ts";
import type { Head, Reading } from "./format.ts";

/** One prompt's columns: its output, then named ones up to the next output. */
interface PromptColumns {
  readonly header: string;
  readonly output: number;
  readonly named: ReadonlyMap<string, number>;
  readonly metrics: readonly (readonly [metric: string, column: number])[];
}

/** Whether a header is promptfoo's: outputs followed by `Status`, names repeated for every prompt. */
export function isPromptfooCsv(columns: readonly string[]): boolean {
  return (
    columns.includes("Status") &&
    columns.includes("Score") &&
    (columns.includes("Grader Reason") || columns.includes("Named Scores"))
  );
}

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
  const match = /^\[([^\]]*)\] ?([^]*)$/.exec(header);
  return match === null
    ? { provider: "provider", prompt: header }
    : { provider: match[1]!, prompt: match[2]! };
}

/** The named scores' own column is exact; the metric columns are rounded to two decimals. */
function scoresOf(cells: readonly string[], prompt: PromptColumns): unknown[] {
  const cell = (name: string): string => cells[prompt.named.get(name) ?? -1] ?? "";
  const named = parseLenientJson(cell("Named Scores")).value;
  const scores = isObject(named)
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
export function openPromptfooCsv(file: InputFile, head: Head, split: boolean): Reading {
  checkColumns(file.name, head.columns, "expected");
  const { vars, prompts, description } = readColumns(head.columns);
  const toRow = ({ cells, line, index }: CsvRow, prompt: PromptColumns, n: number): ReadRow => {
    const { provider, prompt: label } = splitHeader(prompt.header);
    const failed = cells[prompt.named.get("Status") ?? -1] === "ERROR";
    const output = cells[prompt.output] ?? "";
    return {
      place: { file: file.name, line, index: index * prompts.length + n },
      ...(split
        ? { group: { key: JSON.stringify([provider, n]), label: `${provider} · ${label}` } }
        : {}),
      inputs: Object.fromEntries(vars.map(([name, column]) => [name, cells[column] ?? ""])),
      ...(failed
        ? {
            error:
              cells[prompt.named.get("Grader Reason") ?? -1] ||
              output ||
              "the run failed and the file does not say why",
          }
        : { actual_outputs: output, evaluation_scores: scoresOf(cells, prompt) }),
      run_name: provider,
      run_metadata: {
        prompt: label,
        ...(description >= 0 && cells[description] ? { description: cells[description] } : {}),
      },
    };
  };
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamCsv(file, head.columns.length))
      yield batch.flatMap((row) => prompts.map((prompt, n) => toRow(row, prompt, n)));
  }
  return { batches, header: () => ({ given: {} }) };
}
