import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readExperiments, readFiles } from "../../src/experiment/experiment.ts";
import type { RowsWanted } from "../../src/experiment/gate-rows.ts";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import type { InputFile } from "../../src/experiment/input/input-file.ts";
import { memoryFile } from "./memory-file.ts";
import { createNamelessCrashes } from "../../src/experiment/row-id.ts";
import { toRowPreview } from "../../src/experiment/row-texts.ts";
import { toGateTables } from "../../src/experiment/scores.ts";
import { createSpillFile } from "../../src/files/spill-file.ts";
import { listNames } from "../../src/gate/example-names.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { createRowPreviews } from "../../src/gate/row-previews.ts";
import { toStoredTable } from "../../src/experiment/stored-rows.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { gatesOf, rowOf, tableOf as headTable } from "../gate/tables.ts";
import { MTIME } from "./read-text.ts";

const GATES = gatesOf("gates: [m >= 0]\ncluster_by: inputs.group\n");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-deploy-tests-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spill = () => createSpillFile(folder);

/** All that a table holds, as plain values. */
function contentOf(table: GateTable): unknown {
  const { example, error, latency, scores, preview, tag, ...facts } = table;
  return {
    ...facts,
    rows: listNames(example).map((name, row) => ({
      name,
      error: error[row],
      latency: latency[row],
      scores: Object.fromEntries([...scores].map(([key, values]) => [key, values[row]])),
      tag: tag(row, "inputs.group"),
      preview: preview(row),
    })),
  };
}

const wantedOf = (...tags: string[]): RowsWanted => ({
  tags: new Set(tags),
  crashes: createNamelessCrashes(),
});

/** The tables of files, as plain values. */
async function tablesOf(files: readonly InputFile[]): Promise<unknown[]> {
  const { experiments } = await readFiles(files, { wanted: wantedOf("inputs.group") });
  return toGateTables(experiments, GATES).map(({ label, table }) => ({
    label,
    content: contentOf(table),
  }));
}

/** Rows that are sent as they stand, and rows that have to be made right. */
const ROWS = Array.from({ length: 400 }, (_, at) => ({
  inputs: { group: `g${at % 7}`, q: `${"é".repeat(at % 50)} ${at % 300}` },
  ...(at % 3 === 0 ? { expected_outputs: { text: "x".repeat(at * 9) } } : {}),
  actual_outputs: { answer: `a ${at}`, parts: [at] },
  evaluation_scores: [
    { key: "m", score: (at % 10) / 10, ...(at % 5 === 0 ? { comment: `because ${at}` } : {}) },
    { key: "n", ...(at % 4 === 0 ? { value: "words" } : { score: at }) },
  ],
  ...(at % 11 === 0 ? {} : { start_time: "2026-01-01T00:00:00Z" }),
  end_time: "2026-01-01T00:00:02.25Z",
  ...(at % 13 === 0 ? { error: "boom" } : {}),
  ...(at % 17 === 0 ? { run_metadata: { trace_url: `https://t.example.com/${at}` } } : {}),
}));
const TEXTS = {
  "rows.jsonl": `${ROWS.map((row) => JSON.stringify(row)).join("\n\n")}\n`,
  "marked.jsonl": `\uFEFF${ROWS.map((row) => JSON.stringify(row)).join("\r\n")}`,
  "rows.json": JSON.stringify(ROWS, null, 1),
  "body.json": JSON.stringify({ experiment_name: "x", results: ROWS }),
};

describe("rows that gates judge are kept while they are read", () => {
  test("the same rows give the same table as JSONL, with a byte order mark, as a list and as a request body", async () => {
    const [first, ...others] = await Promise.all(
      Object.entries(TEXTS).map(([name, text]) => tablesOf([memoryFile(name, text, MTIME)])),
    );
    const plain = (tables: unknown): unknown =>
      JSON.parse(JSON.stringify(tables).replaceAll(/"file":"[^"]+"/g, '"file":""'));
    for (const other of others) expect(plain(other)).toEqual(plain(first));
    expect(JSON.stringify(first)).toContain("because 390");
  });

  test.each(Object.entries(FORMAT_EXAMPLES))(
    "%s: a table has every row, with the scores and texts that are sent",
    async (_, examples) => {
      for (const { name, text } of examples) {
        const { experiments } = await readFiles([memoryFile(name, text, MTIME)], {
          wanted: wantedOf(),
        });
        for (const one of experiments) {
          const { table } = toGateTables([one], gatesOf("gates: [m >= 0]\npool: true"))[0]!;
          expect(table.size).toBe(one.rowCount);
          expect(table.error.reduce((sum, mark) => sum + mark, 0)).toBe(one.errorCount);
          for (const [metric, { mean, n }] of Object.entries(one.scores)) {
            const values = table.scores.get(metric)!.filter((value) => !Number.isNaN(value));
            expect([metric, values.length]).toEqual([metric, n]);
            expect(values.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(mean, 9);
          }
          const inputs = Array.from({ length: table.size }, (_, row) => table.preview(row).input);
          const bodies = [...one.spool!.bodies()].flat();
          const sent = bodies.map((body) => toRowPreview(body).input);
          expect(inputs.sort()).toEqual(sent.sort());
        }
      }
    },
  );

  test("texts are those of the rows that were read, even if the file changes later", async () => {
    const path = join(folder, "rows.jsonl");
    writeFileSync(path, TEXTS["rows.jsonl"]);
    const { experiments } = await readExperiments({
      paths: ["rows.jsonl"],
      wanted: wantedOf(),
      workspace: { root: folder },
    });
    const { table } = toGateTables(experiments, gatesOf("gates: [m >= 0]"))[0]!;
    writeFileSync(path, TEXTS["rows.jsonl"].replaceAll("answer", "ANSWER"));
    const outputs = ROWS.map((_, row) => table.preview(row).output);
    expect(outputs).toContain('{"answer":"a 392","parts":[392]}');
    expect(outputs.join("")).not.toContain("ANSWER");
  });
});

describe("a table of rows", () => {
  test("is sorted by example and then by repeat, whatever the file's order", async () => {
    const { experiments } = await readFiles(
      [memoryFile("rows.jsonl", TEXTS["rows.jsonl"], MTIME)],
      {
        wanted: wantedOf("inputs.group"),
      },
    );
    const { table } = toGateTables(experiments, GATES)[0]!;
    const names = listNames(table.example);
    expect(names).toEqual([...names].sort());
    const seen = new Map<string, number>();
    for (const [row, name] of names.entries()) {
      const at = Number(/a (\d+)/.exec(table.preview(row).output)![1]);
      expect(at).toBeGreaterThanOrEqual(seen.get(name) ?? 0);
      seen.set(name, at);
      expect(table.scores.get("m")![row]).toBe((at % 10) / 10);
      expect(table.tag(row, "inputs.group")).toBe(`g${at % 7}`);
      expect(table.error[row]).toBe(at % 13 === 0 ? 1 : 0);
    }
  });
});

describe("rows that a service returns", () => {
  const run = (answer: string) => ({
    outputs: { answer },
    feedback_stats: { m: { n: 1, avg: 1 } },
  });
  const tableOf = async (names: readonly string[], examples: readonly JsonObject[]) =>
    toStoredTable(
      (async function* () {
        yield examples;
      })(),
      {
        sessionId: "s",
        headExamples: headTable(names.map((name) => rowOf(name))).example,
        tags: new Set(),
        facts: { file: "y", state: "complete", commit: null, created_at: null, judge: null },
        spill: spill(),
      },
    );

  test("are matched to the head's examples by id, and so are repeats of an example's input", async () => {
    const head = ["ffffffff-0000-4000-8000-000000000001", "0fffffff-0000-4000-8000-000000000002"];
    const table = await tableOf(head, [
      { id: head[0]!.toUpperCase(), inputs: { q: "a" }, runs: [run("first")] },
      { id: "aaaaaaaa-0000-4000-8000-000000000003", inputs: { q: "a" }, runs: [run("again")] },
      { id: head[1]!, inputs: { q: "b" }, runs: [run("other")] },
      { id: "aaaaaaaa-0000-4000-8000-000000000004", inputs: { q: "c" }, runs: [run("strange")] },
    ]);
    const outputs = new Map<string, string[]>();
    for (const [row, name] of listNames(table.example).entries())
      outputs.set(name, [...(outputs.get(name) ?? []), table.preview(row).output]);
    expect(outputs.get(head[0]!)).toEqual(["first", "again"]);
    expect(outputs.get(head[1]!)).toEqual(["other"]);
    expect([...outputs.values()].flat().sort()).toEqual(["again", "first", "other", "strange"]);
  });

  test("are identified by their input if the head's names are not ids", async () => {
    const table = await tableOf(["one", "two"], [{ id: "x", inputs: { q: 1 }, runs: [run("a")] }]);
    expect(table.example.at(0)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/u);
  });
});

describe("texts of rows", () => {
  const previewAt = (row: number) => ({
    input: `in ${row} ${"ü".repeat(row % 90)}`,
    expected: row % 2 === 0 ? "" : "yes",
    output: "o".repeat(row % 200),
    ...(row % 3 === 0 ? { comments: { m: `c ${row}` } } : {}),
  });
  const NONE = { input: "", expected: "", output: "" };
  // By Node's comparison: Jest's takes seconds for tens of thousands.
  const expectAll = (texts: ReturnType<typeof createRowPreviews>, rows: number): void => {
    const wrong = Array.from({ length: rows }, (_, row) => ({
      row,
      got: texts.get(row),
      wanted: row % 5 === 4 ? NONE : previewAt(row),
    })).filter(({ got, wanted }) => !isDeepStrictEqual(got, wanted));
    expect(wrong.slice(0, 3)).toEqual([]);
  };
  const fill = (texts: ReturnType<typeof createRowPreviews>, rows: number): void => {
    for (let row = 0; row < rows; row += 1) if (row % 5 !== 4) texts.add(row, previewAt(row));
  };

  test("go to an unnamed file when there are many", () => {
    let written = 0;
    const file = createSpillFile(folder);
    const texts = createRowPreviews({
      write: (bytes) => {
        written += bytes.length;
        return file.write(bytes);
      },
      read: file.read,
    });
    fill(texts, 20_000);
    expect(written).toBeGreaterThan(2_000_000);
    expect(readdirSync(folder).filter((name) => name.startsWith("agent-deploy-"))).toEqual([]);
    expectAll(texts, 20_000);
  });

  test("stay in memory if a file cannot be created, or stops taking bytes", () => {
    const none = createRowPreviews(createSpillFile(join(folder, "is", "not", "there")));
    fill(none, 20_000);
    expectAll(none, 20_000);
    const file = createSpillFile(folder);
    let calls = 0;
    const full = createRowPreviews({
      write: (bytes) => (calls++ < 1 ? file.write(bytes) : false),
      read: file.read,
    });
    fill(full, 40_000);
    expectAll(full, 40_000);
  });
});
