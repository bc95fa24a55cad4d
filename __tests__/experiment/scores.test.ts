import { describe, expect, test } from "@jest/globals";
import { renderFormatDocs } from "../../src/experiment/format-docs.ts";
import { FORMATS } from "../../src/experiment/formats/registry.ts";
import { toGateTable } from "../../src/experiment/scores.ts";
import { readTexts } from "./read-text.ts";

async function tableOf(
  files: Record<string, string>,
  split: "auto" | "none" = "auto",
): Promise<Awaited<ReturnType<typeof toGateTable>>> {
  return toGateTable((await readTexts(files, { split })).experiments);
}

describe("rows for the gate", () => {
  test("repeats share an example, errors have no scores, latency is in seconds, tags are flat", async () => {
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
    expect(table.rows[0]).toEqual({
      example: table.rows[1]!.example,
      scores: { m: 0.5 },
      error: false,
      latency: 1.5,
      tags: { "inputs.q": "a", "inputs.n.deep": "true", "run_metadata.group": "7" },
      preview: { input: '{"q":"a","n":{"deep":true}}', expected: "", output: "" },
    });
    expect(table.rows[1]).toMatchObject({ scores: {}, error: true, latency: null });
    expect(table.state).toBe("complete");
  });

  test("a sample's own metadata is a tag under its own name too, unless the tool has that name", async () => {
    const table = await tableOf({
      "r.jsonl": `${JSON.stringify({ inputs: { q: 1 }, run_metadata: { model: "m", metadata: { topic: "t", model: "of the sample" } } })}\n`,
    });
    expect(table.rows[0]!.tags).toEqual({
      "inputs.q": "1",
      "run_metadata.model": "m",
      "run_metadata.metadata.topic": "t",
      "run_metadata.metadata.model": "of the sample",
      "run_metadata.topic": "t",
    });
  });

  test("long texts are cut in previews and stand for themselves in tags", async () => {
    const text = `${"x".repeat(300)}1`;
    const table = await tableOf({
      "r.jsonl": `${JSON.stringify({ inputs: { q: text } })}\n${JSON.stringify({ inputs: { q: `${text}2` } })}\n${JSON.stringify({ inputs: { q: text } })}\n`,
    });
    expect(table.rows.map(({ preview }) => preview.input.length)).toEqual([200, 200, 200]);
    expect(table.rows[0]!.tags["inputs.q"]).toBe(table.rows[2]!.tags["inputs.q"]);
    expect(table.rows[0]!.tags["inputs.q"]).not.toBe(table.rows[1]!.tags["inputs.q"]);
  });

  test("an example is its content alone: two prompts, two files of one question are repeats of it", async () => {
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
    const table = await tableOf({ "p.jsonl": `${row(0)}\n${row(1)}\n${row(0)}\n` });
    expect(new Set(table.rows.map(({ example }) => example)).size).toBe(1);
    const given = (id: number): string =>
      JSON.stringify([{ row_id: `${id}1111111-1111-4111-8111-111111111111`, inputs: { q: 1 } }]);
    const files = await tableOf({ "a.json": given(1), "b.json": given(2) });
    expect([files.rows.length, new Set(files.rows.map(({ example }) => example)).size]).toEqual([
      2, 1,
    ]);
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
    expect((await toGateTable([])).state).toBe("incomplete");
  });

  test("20,000 rows of five metrics are held in little memory", async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, n) =>
        `{"inputs":{"q":${n}},"evaluation_scores":[{"key":"a","score":1},{"key":"b","score":0.5},{"key":"c","score":0},{"key":"d","score":1},{"key":"e","score":1}]}`,
    );
    const table = await tableOf({ "r.jsonl": lines.join("\n") });
    expect(table.rows).toHaveLength(20_000);
    expect(new Set(table.rows.map(({ example }) => example)).size).toBe(20_000);
  });
});

describe("the documentation of formats", () => {
  test("is made from the readers: a line and notes for each, and every example is detected as its own format", async () => {
    const text = await renderFormatDocs();
    for (const { name } of FORMATS) expect(text).toContain(`| \`${name}\` |`);
    expect(text).toContain(
      "| `body` | Request body of the interface document (JSON) | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes |",
    );
    for (const format of FORMATS) {
      if (format.examples.length === 0) continue;
      const { experiments, problems } = await readTexts(
        Object.fromEntries(format.examples.map((example) => [example.name, example.text])),
      );
      expect([format.name, problems]).toEqual([format.name, []]);
      expect(experiments.map((experiment) => experiment.format)).toEqual([format.name]);
    }
  });
});
