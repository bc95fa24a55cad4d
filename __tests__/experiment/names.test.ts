import { describe, expect, test } from "@jest/globals";
import { readOne, readTexts } from "./read-text.ts";

const ROW = `${JSON.stringify({ inputs: { q: "a" }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`;
const suiteOf = async (name: string): Promise<string> =>
  (await readOne(ROW, { name })).experiment.suite;

describe("the suite that a default dataset name is made of", () => {
  test.each([
    ["test_run_20261123_055134.jsonl", "test_run"],
    ["test_run_20261123_055134_2.jsonl", "test_run"],
    ["samples_capitals_2026-11-23T05-51-34.123456.jsonl", "samples_capitals"],
    ["samples_capitals_2026-11-23T05-51-34.654321.jsonl", "samples_capitals"],
    ["results.2026-11-23.jsonl", "results"],
    ["results 2026-11-23 05 51.jsonl", "results"],
    ["results 2026-11-23 05:51:34.jsonl", "results"],
    ["results-20261123.jsonl", "results"],
    ["results-20261123-055134.jsonl", "results"],
    ["results_2026-11-23T05:51:34.5Z.jsonl", "results"],
    ["eval-IKO-2026-11-23T06_05_23.jsonl", "eval-IKO"],
    ["app_set_1764000000.123456.jsonl", "app_set"],
    ["results-3f2504e0-4f89-41d3-9a0c-0305e82c3301.jsonl", "results"],
    ["2026-11-23T05-51-34+00-00_caps.jsonl", "caps"],
    ["results_2026-11-23_06_05_23.trx", "results"],
  ])("is the name of %s without the parts that change with each run", async (name, suite) => {
    expect(await suiteOf(name)).toBe(suite);
  });

  test.each([
    "capitals_2.jsonl",
    "gpt-4.1.jsonl",
    "mmlu-5-shot.jsonl",
    "top_1000.jsonl",
    "v2.13.0.jsonl",
    "20-questions.jsonl",
    "zip-90210-12.jsonl",
  ])("is the name of %s as a person gave it", async (name) => {
    expect(await suiteOf(name)).toBe(name.replace(/\.jsonl$/, ""));
  });
});

describe("LangSmith's side files without the runner's report", () => {
  const side = JSON.stringify({
    inputs: { q: "France?" },
    referenceOutputs: { a: "Paris" },
    outputs: { a: "Paris" },
    feedback: [{ key: "correct", score: true }],
  });
  const suiteIn = async (...names: string[]): Promise<string> => {
    const { experiments } = await readTexts(Object.fromEntries(names.map((name) => [name, side])));
    expect(experiments.map(({ format }) => format)).toEqual(["langsmith"]);
    return experiments[0]!.suite;
  };

  test("are named after their folder in every run, and never after a file", async () => {
    const folder = "tmp/langsmith_test_results";
    expect(await suiteIn(`${folder}/74e42afce61b4.json`, `${folder}/96a7d65d30d54.json`)).toBe(
      "langsmith_test_results",
    );
    expect(await suiteIn(`${folder}/79b48a5abd5e4.json`, `${folder}/ff94d82454764.json`)).toBe(
      "langsmith_test_results",
    );
    expect(await suiteIn("nightly/20261123-055134/79b48a5abd5e4.json")).toBe("langsmith");
  });

  test("are named after the format if they are in no folder or in several", async () => {
    expect(await suiteIn("74e42afce61b4.json")).toBe("langsmith");
    expect(await suiteIn("a/74e42afce61b4.json", "b/96a7d65d30d54.json")).toBe("langsmith");
  });
});
