import { expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);
const TOLD = /appear more than once in a row count there as their mean/;

async function toldOf(text: string, how: Parameters<typeof readOne>[1] = {}): Promise<string[]> {
  const { experiment } = await readOne(text, how);
  return experiment.warnings.filter((line) => TOLD.test(line));
}

const deepeval = (...metrics: readonly (readonly [name: string, score: number])[]): object => ({
  name: "n",
  input: json(metrics),
  success: true,
  metricsData: metrics.map(([name, score]) => ({ name, score, success: score > 0.5 })),
});

test("two metrics of the same name in a DeepEval test case are reported with key, file and row", async () => {
  const text = json({
    testCases: [
      deepeval(["Correctness", 1], ["Other", 0]),
      deepeval(["Correctness", 1], ["Correctness", 0]),
      deepeval(["Correctness", 1], ["Correctness", 1]),
    ],
  });
  expect(await toldOf(text, { name: "run.json" })).toEqual([
    "scores that appear more than once in a row count there as their mean: Correctness (2 rows, the first is row 2 of run.json), Correctness.pass (2 rows, the first is row 2 of run.json); give two evaluators two names",
  ]);
});

const row = (scores: readonly object[]): object => ({
  inputs: { q: 1 },
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T00:00:01Z",
  evaluation_scores: scores,
});

test("a score that appears twice is reported for a row in the service's format, which is only looked at as bytes", async () => {
  const twice = [
    { key: "m", score: 1 },
    { key: "m", score: 0 },
  ];
  const { experiment } = await readOne(`${json(row([twice[0]!]))}\n${json(row(twice))}\n`, {
    name: "rows.jsonl",
  });
  expect(experiment.warnings.join("\n")).toContain("m (row 2 of rows.jsonl)");
  expect(experiment.scores["m"]).toEqual({ mean: 0.75, n: 2 });
});

test("a score that appears twice is reported for JUnit properties, a mapped list and Phoenix annotations", async () => {
  const xml =
    '<testsuite name="s"><testcase name="a"><properties><property name="score.m" value="1"/><property name="score.m" value="0"/></properties></testcase></testsuite>';
  expect(await toldOf(xml, { name: "r.xml" })).toHaveLength(1);
  const listed = json([{ q: "a", scores: [1, 0].map((value) => ({ name: "m", value })) }]);
  const mapping = "inputs.q: q\nevaluation_scores: { list: scores, key: name, score: value }\n";
  expect(await toldOf(listed, { mapping })).toHaveLength(1);
  const annotated = json([
    {
      example_id: "1",
      repetition_number: 1,
      input: { q: 1 },
      output: "a",
      annotations: [0, 1].map((score) => ({ name: "m", score })),
    },
  ]);
  expect(await toldOf(annotated, { format: "phoenix" })).toHaveLength(1);
});

test("a number next to words, or next to nothing, is a single score", async () => {
  const beside = [{ key: "m", score: 1 }, { key: "m", value: "good" }, { key: "m" }];
  expect(await toldOf(json([row(beside)]))).toEqual([]);
});

test("twenty names are reported, and the rest are counted", async () => {
  const many = Array.from({ length: 30 }, (_, n) =>
    [0, 1].map((score) => ({ key: `m${n}`, score })),
  );
  const [told] = await toldOf(json([row(many.flat())]));
  expect(told).toContain("m19 (row 1 of results), 10 more; give");
});
