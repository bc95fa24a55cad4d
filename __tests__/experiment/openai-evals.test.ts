import { expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

type Event = readonly [type: string, data?: unknown];

/** The log of one sample with these events. */
const logOf = (events: readonly Event[]): string =>
  [
    { spec: { eval_name: "e", run_id: "r" } },
    ...events.map(([type, data], event_id) => ({ event_id, sample_id: "e.0", type, data })),
    { final_report: {} },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

const rowOf = async (...events: Event[]): Promise<unknown> =>
  (await readOne(logOf(events))).rows[0];

test("the first sampling with a prompt is the one of the model", async () => {
  expect(
    await rowOf(
      ["sampling", { sampled: "none", model: "warm-up" }],
      ["sampling", { prompt: "Capital?", sampled: ["Rome"], model: "m", usage: { calls: 1 } }],
      ["sampling", { prompt: "Is it right?", sampled: "Y", model: "judge" }],
      ["match", { correct: true }],
    ),
  ).toMatchObject({
    inputs: { input: "Capital?" },
    actual_outputs: { output: "Rome" },
    run_metadata: { sample_id: "e.0", model: "m", usage: { calls: 1 } },
  });
});

test("a sample without prompts is identified by its id, and its output is the last one", async () => {
  expect(await rowOf(["sampling", { sampled: "A" }], ["sampling", { sampled: "B" }])).toMatchObject(
    { inputs: { sample_id: "e.0" }, actual_outputs: { output: "B" } },
  );
});

test("the expected output is the first one that a match has, and every match is a score", async () => {
  expect(
    await rowOf(
      ["match", { correct: false }],
      ["match", { correct: false, expected: null }],
      ["match", { correct: true, expected: "Rome" }],
      ["match", { correct: true, expected: "Oslo" }],
    ),
  ).toMatchObject({
    expected_outputs: { output: "Rome" },
    evaluation_scores: [{ score: 0 }, { score: 0 }, { score: 1 }, { score: 1 }],
  });
});

test.each<[unknown, string]>([
  [{ type: "RateLimit", message: "429" }, "429"],
  [{ type: "RateLimit", message: { code: 429 } }, "RateLimit"],
  [{ code: 429 }, "the sample failed and the file does not say why"],
  [undefined, "the sample failed and the file does not say why"],
])("an error event of %j says %s", async (data, error) => {
  expect(await rowOf(["error", { message: "an earlier one" }], ["error", data])).toMatchObject({
    error,
  });
});

test("numbers of events that are not read are named after the event's type", async () => {
  const { experiment } = await readOne(
    logOf([
      ["sampling", { prompt: "Capital?", sampled: "Rome", seconds: 3 }],
      ["metrics", { f1: 0.5, deep: { f2: 0.5 }, f1b: true }],
      ["grade", { points: 4 }],
      ["raw_sample", { weight: 2 }],
      ["match", { correct: true, "sampled.n": 1 }],
    ]),
  );
  expect(Object.keys(experiment.scores)).toEqual(["f1", "f1b", "match"]);
  for (const name of ["sampling.seconds", "metrics.deep.f2", "grade.points", "match.sampled.n"])
    expect(experiment.warnings.join("\n")).toMatch(new RegExp(`(^| )${name}\\b`, "m"));
  expect(experiment.warnings.join("\n")).not.toMatch(/weight|f1\b|data\./);
});
