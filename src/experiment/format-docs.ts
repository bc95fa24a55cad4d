import { readHead } from "./formats/head.ts";
import type { Format, Head } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { memoryFile } from "./input/input-file.ts";
import { toFeedbackList } from "./checks.ts";
import { createRowNotes } from "./row-notes.ts";
import { HEADER_FIELDS, ROW_FIELDS } from "./input/row.ts";

/** The files of an example; some formats join several. */
type Example = readonly { readonly name: string; readonly text: string }[];

/** Request fields that a format's own example fills, found by reading it. */
async function fieldsOf(format: Format, example: Example): Promise<ReadonlySet<string>> {
  const fields = new Set<string>();
  const heads = example.map(({ name, text }) => readHead(memoryFile(name, text)));
  const [head, ...others] = (await Promise.all(heads)) as [Head, ...Head[]];
  const reading = format.open(head, { split: "auto" }, others);
  const has = (value: unknown): boolean => value !== undefined && value !== null && value !== "";
  for await (const batch of reading.batches()) {
    for (const row of batch) {
      for (const field of ROW_FIELDS)
        if (field !== "evaluation_scores" && has(row[field])) fields.add(field);
      if (
        toFeedbackList(row.evaluation_scores, "", {
          strict: false,
          addDiagnostic: () => undefined,
          notes: createRowNotes(),
        }).length > 0
      )
        fields.add("evaluation_scores");
      if (row.duration_s !== undefined) fields.add("duration");
      if (row.repeat !== undefined) fields.add("repeat");
      if (has(row.example_id)) fields.add("example_id");
    }
  }
  const header = reading.header();
  if ((header.summaries?.size ?? 0) > 0) fields.add("summary_experiment_scores");
  for (const field of HEADER_FIELDS) if (has(header.given[field])) fields.add(field);
  return fields;
}

const COLUMNS = [...ROW_FIELDS, "duration", "repeat", "summary_experiment_scores"] as const;

function cellOf(column: string, fields: ReadonlySet<string>): string {
  if (fields.has(column)) return "yes";
  if (column !== "row_id") return "–";
  return fields.has("example_id") ? "kept or made" : "made";
}

/** The table of formats and fields for the docs, made by running every reader over its own example. */
export async function renderFieldTable(
  examples: Readonly<Record<string, Example>>,
): Promise<string[]> {
  const lines = [
    `| format | reads | ${COLUMNS.map((column) => `\`${column}\``).join(" | ")} |`,
    `|---|---|${COLUMNS.map(() => "---").join("|")}|`,
  ];
  for (const format of FORMATS) {
    const example = examples[format.name];
    const fields = example === undefined ? null : await fieldsOf(format, example);
    const cells = COLUMNS.map((column) => (fields === null ? "by name" : cellOf(column, fields)));
    lines.push(`| \`${format.name}\` | ${format.title} | ${cells.join(" | ")} |`);
  }
  return lines;
}

/** The built-in formats that are mappings, each as its mapping file. */
export function renderRecipes(): string[] {
  return FORMATS.flatMap(({ name, title, mapping }) =>
    mapping === undefined
      ? []
      : [
          `**\`${name}\`** — ${title}`,
          "",
          "```yaml mapping",
          ...mapping.trim().split("\n"),
          "```",
          "",
        ],
  );
}
