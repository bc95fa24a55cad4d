import { readHead } from "./formats/head.ts";
import type { Format, Head } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { PAGES } from "./formats/pages.ts";
import { memoryFile } from "./input/input-file.ts";
import { toFeedbackList } from "./checks.ts";
import { createRowNotes } from "./row-notes.ts";
import { HEADER_FIELDS, ROW_FIELDS } from "./input/row.ts";

/** Fields of a request that a format's own example fills, found by reading it. */
async function fieldsOf(format: Format): Promise<ReadonlySet<string>> {
  const fields = new Set<string>();
  const { examples } = PAGES[format.name]!;
  if (examples.length === 0) return fields;
  const heads = examples.map(({ name, text }) => readHead(memoryFile(name, text)));
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

/** What each tool calls a failure, an error and so on, and what becomes of it. */
function vocabularyTable(): string[] {
  const columns = ["failure", "error", "skip", "limit", "id", "conversation", "source"] as const;
  const heads = ["failure", "error", "skip", "limit", "identity of an example", "conversation"];
  return [
    `| format | ${heads.join(" | ")} | its documentation |`,
    `|---|${columns.map(() => "---").join("|")}|`,
    ...FORMATS.flatMap(({ name }) => {
      const { words } = PAGES[name]!;
      return words === undefined
        ? []
        : [`| \`${name}\` | ${columns.map((column) => words[column] ?? "–").join(" | ")} |`];
    }),
  ];
}

const COLUMNS = [...ROW_FIELDS, "duration", "repeat", "summary_experiment_scores"] as const;

function cellOf(column: string, fields: ReadonlySet<string>): string {
  if (fields.has(column)) return "yes";
  if (column !== "row_id") return "–";
  return fields.has("example_id") ? "kept or made" : "made";
}

/**
 * The table of formats and fields for the docs, made by running every reader over its own example,
 * and each format's notes.
 */
export async function renderFormatDocs(): Promise<string> {
  const lines = [
    `| format | reads | ${COLUMNS.map((column) => `\`${column}\``).join(" | ")} |`,
    `|---|---|${COLUMNS.map(() => "---").join("|")}|`,
  ];
  for (const format of FORMATS) {
    const fields = await fieldsOf(format);
    const cells = COLUMNS.map((column) =>
      format.name === "mapping" ? "by name" : cellOf(column, fields),
    );
    lines.push(`| \`${format.name}\` | ${format.title} | ${cells.join(" | ")} |`);
  }
  lines.push("", "A dash: the files of this format have no such field.", "");
  lines.push(...vocabularyTable(), "", "A dash: the tool writes nothing of that kind.");
  for (const format of FORMATS)
    lines.push(
      "",
      `**\`${format.name}\`** — ${format.title}`,
      "",
      ...PAGES[format.name]!.notes.map((note) => `- ${note}`),
    );
  return `${lines.join("\n")}\n`;
}

/** The built-in formats that are mappings, each as the file it is. */
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
