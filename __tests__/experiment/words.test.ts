import { describe, expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

const lines = (...rows: unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const times = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
const said = (q: string, score: object): object => ({
  inputs: { q },
  evaluation_scores: [{ key: "tone", ...score }],
});

describe("a file whose scores are words", () => {
  test.each([
    ["rows", lines(said("a", { value: "good" }), said("b", { value: "bad" })), "rows"],
    ["rows as they are sent", lines({ ...said("a", { value: "good" }), ...times }), "rows"],
    ["a table", "inputs.q,feedback.tone,points\na,good,3\nb,bad,4\n", "csv"],
  ])("has no score if it holds nothing else: %s", async (_, text, format) => {
    const { experiment } = await readOne(text, { name: format === "csv" ? "r.csv" : "r.jsonl" });
    const why = experiment.whyUnscored;
    expect(why).toContain(`no row has a number as its score, only words (read as ${format}); `);
    if (format === "csv") expect(why).toContain("numeric columns not read: points");
  });

  test("is scored if it also holds a number", async () => {
    const text = lines(said("a", { value: "good" }), said("b", { score: 1 }));
    const { experiment } = await readOne(text, { name: "r.jsonl" });
    expect(experiment.whyUnscored).toBeNull();
  });

  test.each([
    [
      "r.csv",
      "inputs.q,feedback.tone\na,good\nb,bad\n",
      "evaluation_scores.tone: { column: feedback.tone, words: { good: 1, bad: 0 } }",
    ],
    [
      "r.jsonl",
      lines(said("a", { value: "good" }), said("b", { value: "bad" })),
      "evaluation_scores: { list: evaluation_scores, key: key, score: value, words: { good: 1, bad: 0 } }",
    ],
  ])("is read by a mapping that turns the words into numbers: %s", async (name, text, mapping) => {
    const { experiment } = await readOne(text, { name, mapping: `inputs.q: inputs.q\n${mapping}` });
    expect(experiment.scores).toEqual({ tone: { mean: 0.5, n: 2 } });
    expect(experiment.whyUnscored).toBeNull();
  });
});
