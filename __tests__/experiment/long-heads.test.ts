import { describe, expect, test } from "@jest/globals";
import { readHead } from "../../src/experiment/formats/head.ts";
import { memoryFile } from "./memory-file.ts";
import { draftMapping } from "../../src/experiment/formats/mapping-draft.ts";
import { problemsOf, readOne } from "./read-text.ts";

/** Rows whose long text comes before what is scored. */
const rowsOf = (text: string) =>
  Array.from({ length: 12 }, (_, n) => ({
    frage: `${n} ${text}`,
    antwort: `a\n"${text}"`,
    punkte: n / 20,
  }));

const cell = (value: unknown): string => `"${String(value).replaceAll('"', '""')}"`;

const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  "r.json": (text) => JSON.stringify({ zeilen: rowsOf(text) }),
  "rows.json": (text) => JSON.stringify(rowsOf(text), null, 2),
  "r.jsonl": (text) =>
    rowsOf(text)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  "rows-without-a-name": (text) =>
    rowsOf(text)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  "r.csv": (text) =>
    [
      "frage,antwort,punkte",
      ...rowsOf(text).map((row) => Object.values(row).map(cell).join(",")),
    ].join("\n"),
};

const draftOf = async (name: string, content: string): Promise<string> =>
  draftMapping(await readHead(memoryFile(name, content)));

describe("a file longer than the part that its format is detected by", () => {
  // The beginning is measured in bytes, and a letter may have three.
  const TEXTS = [
    ["Latin", "word ".repeat(6_000)],
    ["Chinese", "質問".repeat(6_000)],
    ["a row longer than the beginning, in Latin", "word ".repeat(60_000)],
    ["a row longer than the beginning, in Chinese", "質問".repeat(60_000)],
  ] as const;

  test.each(
    TEXTS.flatMap(([kind, text]) => Object.keys(WRITERS).map((name) => [name, kind, text])),
  )("%s is not called broken: %s", async (name, _kind, text) => {
    const problems = await problemsOf(WRITERS[name!]!(text!), { name: name! });
    expect(problems).toEqual([expect.stringContaining("the format is not known")]);
  });

  test.each(
    TEXTS.flatMap(([kind, text], at) =>
      Object.keys(WRITERS)
        .filter((name) => at < 2 || !name.endsWith(".csv"))
        .map((name) => [name, kind, text]),
    ),
  )("%s gets the draft that its short texts would get: %s", async (name, _kind, text) => {
    const short = await draftOf(name!, WRITERS[name!]!("text"));
    expect(short).toContain("punkte");
    expect(await draftOf(name!, WRITERS[name!]!(text!))).toBe(short);
  });
  /** Phoenix JSON whose first row holds a long text before the fields that show the format. */
  const phoenix = (text: string): string =>
    JSON.stringify(
      ["a", "b"].map((name) => ({
        input: { question: `${name} ${text}` },
        example_id: name,
        repetition_number: 1,
        reference_output: { answer: "x" },
        output: `"${text}\\`,
        error: null,
        latency_ms: 5,
        start_time: "2026-08-01T10:00:00Z",
        end_time: "2026-08-01T10:00:01Z",
        annotations: [{ name: "correctness", score: 1 }],
      })),
    );

  test.each(TEXTS)("a format is detected by fields after a long text: %s", async (_kind, text) => {
    const { rows } = await readOne(phoenix(text), { name: "r.json" });
    expect(rows.map((row) => row.evaluation_scores)).toEqual([
      [expect.objectContaining({ key: "correctness", score: 1 })],
      [expect.objectContaining({ key: "correctness", score: 1 })],
    ]);
  });
});
