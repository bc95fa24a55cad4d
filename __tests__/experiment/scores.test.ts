import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { FORMATS } from "../../src/experiment/formats/registry.ts";
import { listNames } from "../../src/gate/example-names.ts";
import { toGateTables } from "../../src/experiment/scores.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { repositoryRoot } from "../support/tree.ts";
import { readTexts } from "./read-text.ts";

async function tableOf(
  files: Record<string, string>,
  split: "auto" | "none" = "auto",
): Promise<GateTable> {
  const tables = toGateTables((await readTexts(files, { split })).experiments, null);
  expect(tables).toHaveLength(1);
  return tables[0]!.table;
}

describe("rows for the gate", () => {
  test("repeats share an example, a score on an errored row is kept, latency is in seconds, tags are flat", async () => {
    const table = await tableOf({
      "r.jsonl": [
        {
          inputs: { q: "a", n: { deep: true } },
          evaluation_scores: [
            { key: "m", score: 1 },
            { key: "m", score: 0 },
            { key: "words", value: "x" },
          ],
          start_time: "2026-01-01T00:00:00Z",
          end_time: "2026-01-01T00:00:01.5Z",
          run_metadata: { group: 7 },
        },
        {
          inputs: { n: { deep: true }, q: "a" },
          error: "x",
          evaluation_scores: [{ key: "m", score: 0 }],
        },
      ]
        .map((row) => JSON.stringify(row))
        .join("\n"),
    });
    expect(table.example.at(0)).toBe(table.example.at(1));
    expect([...table.scores.get("m")!]).toEqual([0, 0.5]);
    expect([...table.error]).toEqual([1, 0]);
    expect([...table.latency]).toEqual([NaN, 1.5]);
    expect(table.tagNames).toEqual(["inputs.n.deep", "inputs.q", "run_metadata.group"]);
    expect(table.tag(1, "run_metadata.group")).toBe("7");
    expect(table.preview(1)).toEqual({
      input: '{"q":"a","n":{"deep":true}}',
      expected: "",
      output: "",
    });
    expect(table.state).toBe("complete");
  });

  test("a sample's own metadata is also a tag under its own name, unless the tool has that name", async () => {
    const table = await tableOf({
      "r.jsonl": `${JSON.stringify({ inputs: { q: 1 }, run_metadata: { model: "m", metadata: { topic: "t", model: "of the sample" } } })}\n`,
    });
    expect(Object.fromEntries(table.tagNames.map((name) => [name, table.tag(0, name)]))).toEqual({
      "inputs.q": "1",
      "run_metadata.model": "m",
      "run_metadata.metadata.topic": "t",
      "run_metadata.metadata.model": "of the sample",
      "run_metadata.topic": "t",
    });
  });

  test("long texts are cut in previews, and tags still distinguish them", async () => {
    const text = `${"x".repeat(300)}1`;
    const table = await tableOf({
      "r.jsonl": `${JSON.stringify({ inputs: { q: text } })}\n${JSON.stringify({ inputs: { q: `${text}2` } })}\n${JSON.stringify({ inputs: { q: text } })}\n`,
    });
    expect([0, 1, 2].map((row) => table.preview(row).input.length)).toEqual([200, 200, 200]);
    const tags = [0, 1, 2].map((row) => table.tag(row, "inputs.q"));
    expect([new Set(tags).size, tags.includes(undefined)]).toEqual([2, false]);
  });

  test("an example is only its content: one question in two files is a repeat, and two prompts are two tables", async () => {
    const row = (promptIdx: number): string =>
      JSON.stringify({
        vars: { q: 1 },
        promptIdx,
        prompt: { label: `p${promptIdx}` },
        success: true,
        score: 1,
        failureReason: 0,
        gradingResult: {},
      });
    const { experiments } = await readTexts({ "p.jsonl": `${row(0)}\n${row(1)}\n${row(0)}\n` });
    const tables = toGateTables(experiments, null);
    expect(tables.map(({ table: { size } }) => size)).toEqual([2, 1]);
    expect(new Set(tables.flatMap(({ table: { example } }) => listNames(example))).size).toBe(1);
    const given = (id: number): string =>
      JSON.stringify([{ row_id: `${id}1111111-1111-4111-8111-111111111111`, inputs: { q: 1 } }]);
    const files = await tableOf({ "a.json": given(1), "b.json": given(2) });
    expect([files.size, new Set(listNames(files.example)).size]).toEqual([2, 1]);
  });

  test("a cancelled log stays cancelled, and no file at all is incomplete", async () => {
    const log = (status: string): string =>
      JSON.stringify({
        version: 2,
        status,
        eval: { task: "t" },
        samples: [{ id: 1, epoch: 1, input: "a" }],
      });
    expect((await tableOf({ "a.json": log("success"), "b.json": log("cancelled") })).state).toBe(
      "cancelled",
    );
    expect((await tableOf({ "a.json": log("error") })).state).toBe("incomplete");
    expect(toGateTables([], null)[0]!.table.state).toBe("incomplete");
  });

  test("20,000 rows of five metrics fit in a table", async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, n) =>
        `{"inputs":{"q":${n}},"evaluation_scores":[{"key":"a","score":1},{"key":"b","score":0.5},{"key":"c","score":0},{"key":"d","score":1},{"key":"e","score":1}]}`,
    );
    const table = await tableOf({ "r.jsonl": lines.join("\n") });
    expect(table.size).toBe(20_000);
    expect(new Set(listNames(table.example)).size).toBe(20_000);
  });
});

describe("the documentation of the formats", () => {
  test("has a line for each format, and every example is detected as its own format", async () => {
    const page = readFileSync(join(repositoryRoot, "docs/evals/formats.md"), "utf8").split("\n");
    for (const { name, title } of FORMATS) {
      expect(page.find((line) => line.startsWith(`| \`${name}\` | `))).toContain(title);
    }
    expect(Object.keys(FORMAT_EXAMPLES).sort()).toEqual(
      FORMATS.map(({ name }) => name)
        .filter((name) => name !== "mapping")
        .sort(),
    );
    for (const [name, examples] of Object.entries(FORMAT_EXAMPLES)) {
      const { experiments, problems } = await readTexts(
        Object.fromEntries(examples.map((example) => [example.name, example.text])),
      );
      expect([name, problems]).toEqual([name, []]);
      expect(experiments.map((experiment) => experiment.format)).toEqual([name]);
    }
  });
});
