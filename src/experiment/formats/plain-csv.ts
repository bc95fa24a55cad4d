import { refusal } from "../input/diagnostic.ts";
import type { FileHeader } from "../input/row.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { openByMapping } from "./mapped.ts";
import { type MappedField, NO_FIELDS } from "./mapping.ts";

/** Column prefixes of the convention and their fields; the hosted service's own export uses the first four. */
const PREFIXES: readonly (readonly [prefix: string, field: string])[] = [
  ["inputs.", "inputs."],
  ["outputs.", "actual_outputs."],
  ["reference.", "expected_outputs."],
  ["feedback.", "evaluation_scores."],
  ["input.", "inputs."],
  ["actual_outputs.", "actual_outputs."],
  ["expected_outputs.", "expected_outputs."],
  ["evaluation_scores.", "evaluation_scores."],
  ["run_metadata.", "run_metadata."],
  ["metadata.", "run_metadata."],
];
const NAMES: Readonly<Record<string, string>> = {
  error: "error",
  execution_time: "duration_s",
  duration_s: "duration_s",
  example_id: "example_id",
  id: "run_metadata.id",
  row_id: "row_id",
  start_time: "start_time",
  end_time: "end_time",
  run_name: "run_name",
  repeat: "repeat",
  inputs: "inputs",
  input: "inputs",
  outputs: "actual_outputs",
  output: "actual_outputs",
  actual_outputs: "actual_outputs",
  reference: "expected_outputs",
  expected: "expected_outputs",
  expected_outputs: "expected_outputs",
  cost: "usage.cost",
  total_cost: "usage.cost",
  total_tokens: "usage.total_tokens",
  prompt_tokens: "usage.prompt_tokens",
  completion_tokens: "usage.completion_tokens",
};

function fieldOf(column: string): string | null {
  if (Object.hasOwn(NAMES, column)) return NAMES[column]!;
  const prefix = PREFIXES.find(
    ([start]) => column.startsWith(start) && column.length > start.length,
  );
  return prefix === undefined ? null : prefix[1] + column.slice(prefix[0].length);
}

/** How many columns outside the convention are named. */
const MAX_NAMED = 20;

function open(head: Head): RowSource {
  const fields: MappedField[] = [];
  const strange: string[] = [];
  const taken = new Map<string, string>();
  for (const column of head.columns) {
    const field = fieldOf(column);
    const before = field === null ? undefined : taken.get(field);
    // A row has room for one column of a field. One name twice is refused in every table.
    if (before !== undefined && before !== column)
      throw refusal(
        { file: head.name },
        `the columns "${before}" and "${column}" both mean ${field}; rename one`,
      );
    if (field !== null) {
      taken.set(field, column);
      fields.push({ field, source: { column: { names: [column], optional: false } } });
    } else if (column !== "") strange.push(column.slice(0, 60));
  }
  const warnings = strange
    .slice(0, MAX_NAMED)
    .map(
      (column) =>
        `column "${column}" is not in the convention; it is not sent (a mapping can name it)`,
    );
  if (strange.length > MAX_NAMED)
    warnings.push(`nor are ${strange.length - MAX_NAMED} more columns`);
  if (!fields.some(({ field }) => field === "inputs" || field.startsWith("inputs.")))
    throw refusal(
      { file: head.name },
      "the CSV has no column inputs.<name>; rename columns by the convention, or write a mapping",
    );
  // Foreign columns are named above.
  const mapping = { ...NO_FIELDS, fields, ignore: head.columns };
  const reading = openByMapping(head, mapping);
  const header = (): FileHeader => {
    const own = reading.header();
    return { ...own, warnings: [...warnings, ...(own.warnings ?? [])] };
  };
  return { ...reading, header };
}

/** CSV in the column convention of the hosted service's own export. */
export const csvFormat: Format = {
  name: "csv",
  title: "Plain CSV by column convention",
  detect: (head) =>
    head.container === "csv" &&
    head.columns.some((column) => fieldOf(column)?.startsWith("inputs") === true),
  open,
};
