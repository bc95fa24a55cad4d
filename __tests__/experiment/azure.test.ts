import { describe, expect, test } from "@jest/globals";
import type { Experiment } from "../../src/experiment/experiment.ts";
import { problemsOf, readTexts } from "./read-text.ts";
import { bodiesOf, jsonLines, readOnly } from "./sent-rows.ts";

const json = JSON.stringify;

describe("Azure AI Evaluation", () => {
  const ofRow = async (row: object): Promise<Experiment> => readOnly(json({ rows: [row] }));
  const scoresOf = async (cells: object): Promise<unknown> => {
    const [row] = bodiesOf(
      await ofRow({
        "inputs.q": 1,
        ...Object.fromEntries(
          Object.entries(cells).map(([name, cell]) => [`outputs.e.${name}`, cell]),
        ),
      }),
    );
    return (row as { evaluation_scores?: object[] }).evaluation_scores?.map(Object.values);
  };

  test.each<[string, object, unknown]>([
    [
      "a number with verdict, threshold and reason",
      { f: 4, f_result: "pass", f_threshold: 3, f_reason: "why" },
      [
        ["e.f", 4, "why"],
        ["e.f.pass", 1],
      ],
    ],
    ["a metric in the older spelling next to the newer one", { gpt_f: 4, f: 5 }, [["e.f", 5]]],
    ["a metric in the older spelling only", { gpt_f: 4 }, [["e.gpt_f", 4]]],
    [
      "a word with its number in _score",
      { f: "High", f_score: 6, f_result: "fail" },
      [
        ["e.f_score", 6],
        ["e.f_score.pass", 0],
      ],
    ],
    [
      "a number only in _score, without its threshold",
      { f1_score: 0.5, f1_result: "fail", f1_threshold: 0.6 },
      [
        ["e.f1_score", 0.5],
        ["e.f1_score.pass", 0],
      ],
    ],
    ["a number and its copy in _score", { f: 4, f_score: 5 }, [["e.f", 4]]],
    ["an evaluator that failed", { f: null }, undefined],
    [
      "booleans and nested parts",
      { ok: true, "a.b": 0.5 },
      [
        ["e.ok", 1],
        ["e.a.b", 0.5],
      ],
    ],
    ["a threshold without a score of its own", { top_threshold: 0.5 }, [["e.top_threshold", 0.5]]],
  ])("reads the scores of %s", async (_, cells, scores) => {
    expect(await scoresOf(cells)).toEqual(scores);
  });

  test("sorts columns by name into inputs, expected outputs and outputs", async () => {
    const turns = [
      { role: "user", content: "hi" },
      { role: "assistant", content: "yo" },
    ];
    const experiment = await ofRow({
      "inputs.query": "q",
      "inputs.conversation": { messages: turns },
      "inputs.ground_truth": "t",
      "inputs.response": "r",
      "outputs.answer": "top",
      "outputs.own": 3,
      "outputs.f.f": 4,
      "outputs.f.word": "High",
      line_number: 0,
    });
    expect(bodiesOf(experiment)).toEqual([
      {
        inputs: { query: "q", conversation: [turns[0]] },
        expected_outputs: { ground_truth: "t" },
        actual_outputs: { conversation: turns, response: "r", answer: "top", own: 3 },
        evaluation_scores: [{ key: "f.f", score: 4 }],
        run_metadata: { line_number: 0, "f.word": "High" },
      },
    ]);
    expect(experiment.warnings).toEqual([
      "numbers not read: own (a mapping can name them as scores)",
    ]);
  });

  test("infers the better side from verdicts that agree, ignoring scores at the threshold", async () => {
    const row = (score: number, passed: boolean, other: number): object => ({
      "inputs.q": score,
      "outputs.e.f": score,
      "outputs.e.f_threshold": 3,
      "outputs.e.f_result": passed ? "pass" : "fail",
      "outputs.e.g": other,
      "outputs.e.g_threshold": 3,
      "outputs.e.g_result": "pass",
      "outputs.e.h": 3,
      "outputs.e.h_threshold": 3,
      "outputs.e.h_result": "pass",
    });
    const { directions } = await readOnly(
      json({ rows: [row(4, false, 4), row(2, true, 2), row(3, true, 5)] }),
    );
    expect([...directions]).toEqual([["e.f", "lower"]]);
  });

  test.each([
    ["JSON with inputs", "a.json", json({ rows: [{ "inputs.q": 1, x: 1 }] })],
    ["JSON with outputs", "a.json", json({ rows: [{ "outputs.e.s": 1, x: 1 }] })],
    ["lines with both", "a.jsonl", jsonLines({ "inputs.q": 1, "outputs.e.s": 1 })],
  ])("is recognised by %s", async (_, name, text) => {
    const { experiments } = await readTexts({ [name]: text });
    expect(experiments.map(({ format }) => format)).toEqual(["azure"]);
  });

  test.each([
    ["inputs only", { "inputs.q": 1, s: 1 }],
    ["outputs only", { q: 1, "outputs.e.s": 1 }],
    ["feedback, as LangSmith writes them", { "inputs.q": 1, "outputs.e": 1, "feedback.s": 1 }],
  ])("is not recognised by lines with %s", async (_, row) => {
    expect(await problemsOf(jsonLines(row), { name: "a.jsonl" })).toEqual([
      expect.stringMatching(/^the format is not known \(jsonl, keys /),
    ]);
  });
});
