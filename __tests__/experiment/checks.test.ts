import { describe, expect, test } from "@jest/globals";
import { readOne, readTexts } from "./read-text.ts";

const WINDOW = {
  experiment_start_time: "2026-01-01T00:00:00Z",
  experiment_end_time: "2026-01-01T00:10:00Z",
};
const ID = "0b6f0f6e-0000-4000-8000-000000000001";

async function violations(body: unknown): Promise<{ path: string; message: string }[]> {
  const { problems } = await readTexts({ "run.json": JSON.stringify(body) });
  for (const { file, level } of problems) expect([file, level]).toEqual(["run.json", "error"]);
  return problems.map(({ path, message }) => ({ path, message }));
}

describe("the checks of an upload, before a byte is sent", () => {
  test.each<[string, object, string, RegExp]>([
    ["inputs are required", {}, "results[0].inputs", /row 1: inputs is required/],
    ["row_id is a UUID", { row_id: "row-1" }, "results[0].row_id", /must be a UUID/],
    ["row_id is a text", { row_id: 7 }, "results[0].row_id", /must be a UUID/],
    [
      "start_time is a date-time",
      { start_time: "yesterday" },
      "results[0].start_time",
      /is not a date-time/,
    ],
    [
      "a date must exist",
      { start_time: "2026-02-30T00:00:00Z" },
      "results[0].start_time",
      /is not a date-time/,
    ],
    [
      "the end is not before the start",
      { start_time: "2026-01-01T00:00:02Z", end_time: "2026-01-01T00:00:01Z" },
      "results[0].end_time",
      /before start_time/,
    ],
    [
      "rows start in the window",
      { start_time: "2025-12-31T23:59:59Z", end_time: "2026-01-01T00:00:01Z" },
      "results[0].start_time",
      /row 1: start_time is before experiment_start_time/,
    ],
    [
      "rows end in the window",
      { start_time: "2026-01-01T00:00:01Z", end_time: "2026-01-01T00:10:00.001Z" },
      "results[0].end_time",
      /row 1: end_time is after experiment_end_time/,
    ],
    [
      "other zones are compared as times",
      { start_time: "2026-01-01T00:00:00+01:00", end_time: "2026-01-01T01:00:00+01:00" },
      "results[0].start_time",
      /before experiment_start_time/,
    ],
    ["run_name is a text", { run_name: 5 }, "results[0].run_name", /must be a text/],
    ["error is a text", { error: { message: "x" } }, "results[0].error", /must be a text/],
    [
      "scores are a list",
      { evaluation_scores: { a: 1 } },
      "results[0].evaluation_scores",
      /must be a list/,
    ],
    [
      "a feedback is an object",
      { evaluation_scores: [5] },
      "results[0].evaluation_scores[0]",
      /must be an object/,
    ],
    [
      "a key is required",
      { evaluation_scores: [{ score: 1 }] },
      "results[0].evaluation_scores[0].key",
      /is required/,
    ],
    [
      "a key is not empty",
      { evaluation_scores: [{ key: "" }] },
      "results[0].evaluation_scores[0].key",
      /not empty/,
    ],
    [
      "a score is a number",
      { evaluation_scores: [{ key: "a", score: "high" }] },
      "results[0].evaluation_scores[0].score",
      /must be a number; put words in value/,
    ],
    [
      "a value is a text",
      { evaluation_scores: [{ key: "a", value: ["x"] }] },
      "results[0].evaluation_scores[0].value",
      /must be a text/,
    ],
    [
      "a comment is a text",
      { evaluation_scores: [{ key: "a", score: 1, comment: 5 }] },
      "results[0].evaluation_scores[0].comment",
      /must be a text/,
    ],
    [
      "a source has a type",
      { evaluation_scores: [{ key: "a", score: 1, feedback_source: {} }] },
      "results[0].evaluation_scores[0].feedback_source.type",
      /is required/,
    ],
    [
      "a config's type is one of three",
      { evaluation_scores: [{ key: "a", score: 1, feedback_config: { type: "ordinal" } }] },
      "results[0].evaluation_scores[0].feedback_config.type",
      /continuous, categorical or freeform/,
    ],
    [
      "a config's bounds are numbers",
      {
        evaluation_scores: [
          { key: "a", score: 1, feedback_config: { type: "continuous", min: "0" } },
        ],
      },
      "results[0].evaluation_scores[0].feedback_config.min",
      /must be a number/,
    ],
    [
      "a category has a value",
      {
        evaluation_scores: [
          {
            key: "a",
            score: 1,
            feedback_config: { type: "categorical", categories: [{ label: "x" }] },
          },
        ],
      },
      "results[0].evaluation_scores[0].feedback_config.categories[0].value",
      /is required/,
    ],
    [
      "a category's label is a text",
      {
        evaluation_scores: [
          {
            key: "a",
            score: 1,
            feedback_config: { type: "categorical", categories: [{ value: 1, label: 2 }] },
          },
        ],
      },
      "results[0].evaluation_scores[0].feedback_config.categories[0].label",
      /must be a text/,
    ],
    [
      "created_at is a date-time",
      { evaluation_scores: [{ key: "a", score: 1, created_at: "now" }] },
      "results[0].evaluation_scores[0].created_at",
      /is not a date-time/,
    ],
    [
      "a correction is an object or a text",
      { evaluation_scores: [{ key: "a", score: 1, correction: 5 }] },
      "results[0].evaluation_scores[0].correction",
      /object or a text/,
    ],
  ])("%s", async (_, row, path, message) => {
    const body = {
      dataset_name: "d",
      ...WINDOW,
      results: [
        {
          ...(_ === "inputs are required" ? {} : { inputs: { q: 1 } }),
          start_time: "2026-01-01T00:00:01Z",
          end_time: "2026-01-01T00:00:02Z",
          ...row,
        },
      ],
    };
    expect(await violations(body)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test.each<[object, string]>([
    [{ experiment_name: 5 }, "experiment_name"],
    [{ experiment_name: "" }, "experiment_name"],
    [{ experiment_description: [] }, "experiment_description"],
    [{ experiment_start_time: "x" }, "experiment_start_time"],
    [{ dataset_id: "capitals" }, "dataset_id"],
    [{ dataset_name: 1 }, "dataset_name"],
    [{ dataset_description: {} }, "dataset_description"],
    [{ experiment_metadata: "x" }, "experiment_metadata"],
    [{ summary_experiment_scores: [{ score: 1 }] }, "summary_experiment_scores[0].key"],
    [
      {
        experiment_start_time: "2026-01-02T00:00:00Z",
        experiment_end_time: "2026-01-01T00:00:00Z",
      },
      "experiment_end_time",
    ],
  ])("reports an invalid field of the request: %j", async (field, path) => {
    const found = await violations({ dataset_name: "d", ...field, results: [] });
    expect(found.map((violation) => violation.path)).toEqual([path]);
  });

  test("a row id that appears twice is reported with both rows", async () => {
    const { problems } = await readTexts({
      "rows.jsonl": `{"row_id":"${ID}","inputs":{"q":1}}\n{"inputs":{"q":2}}\n{"row_id":"${ID.toUpperCase()}","inputs":{"q":3}}\n`,
    });
    expect(problems.map(({ line, path, message }) => [line, path, message])).toEqual([
      [
        3,
        "results[2].row_id",
        `row 3: row_id ${ID} is also that of row 1; an id may appear once in an upload`,
      ],
    ]);
  });

  test("all violations in all rows and files are reported at once, each with file, line and row", async () => {
    const { problems, experiments } = await readTexts({
      "a.jsonl":
        '{"inputs":{"q":1}}\n{"evaluation_scores":[{"score":1}]}\n\n{"row_id":"x","inputs":{}}\n',
      "b.json": '{"dataset_id":"x","results":[{}]}',
      "c.csv": "hello",
    });
    expect(problems.map(({ file, line, path }) => `${file}:${line} ${path}`)).toEqual([
      "a.jsonl:2 results[1].inputs",
      "a.jsonl:2 results[1].evaluation_scores[0].key",
      "a.jsonl:4 results[2].row_id",
      "b.json:1 dataset_id",
      "b.json:1 results[0].inputs",
      "c.csv:1 ",
    ]);
    expect(experiments).toHaveLength(2);
  });

  test("all violations of one score are reported at once, including that of its key", async () => {
    const wrong = {
      score: "high",
      comment: 5,
      feedback_source: {},
      feedback_config: { type: "ordinal", min: "0" },
      created_at: "now",
      correction: 5,
    };
    const found = await violations({
      ...WINDOW,
      results: [{ inputs: { q: 1 }, evaluation_scores: [wrong] }],
      summary_experiment_scores: [{ key: 5, score: "low" }],
    });
    const at = "results[0].evaluation_scores[0]";
    expect(found.map(({ path }) => path).sort()).toEqual(
      [
        ...["key", "score", "comment", "feedback_source.type", "feedback_config.type"],
        ...["feedback_config.min", "created_at", "correction"],
      ]
        .map((field) => `${at}.${field}`)
        .concat("summary_experiment_scores[0].key", "summary_experiment_scores[0].score")
        .sort(),
    );
  });

  test("limits that only the hosted service has are warnings: long keys, a config without a type, unknown fields", async () => {
    const { problems, experiments } = await readTexts({
      "r.jsonl": `{"inputs":{},"note":1,"evaluation_scores":[{"key":"${"k".repeat(181)}","score":1,"feedback_config":{"min":0}}]}\n{"inputs":{"a":1}}\n`,
    });
    expect(problems).toEqual([]);
    expect(experiments[0]!.warnings.join("\n")).toMatch(
      /no type[\s\S]*longer than 180[\s\S]*no field "note" in a row/,
    );
  });

  test("a row that fills its whole window is accepted", async () => {
    expect(
      await violations({
        dataset_name: "d",
        ...WINDOW,
        results: [
          {
            inputs: {},
            start_time: WINDOW.experiment_start_time,
            end_time: WINDOW.experiment_end_time,
          },
        ],
      }),
    ).toEqual([]);
  });
});

describe("the request's own fields in a file", () => {
  const givenBy = async (fields: object): Promise<unknown> => {
    const text = JSON.stringify({ ...fields, results: [{ inputs: { q: 1 } }] });
    const { experiments, problems } = await readTexts({ "run.json": text });
    expect(problems).toEqual([]);
    return experiments[0]!.given;
  };

  test.each<[string, object, object]>([
    ["null counts as absent", { experiment_name: null }, {}],
    ["an empty text is kept", { experiment_description: "" }, { experiment_description: "" }],
    ["an empty summary counts as absent", { summary_experiment_scores: [] }, {}],
    [
      "a dataset id is written in its usual spelling",
      { dataset_id: ID.toUpperCase().replaceAll("-", "") },
      { dataset_id: ID },
    ],
    ["a time stays as it is", { ...WINDOW }, WINDOW],
    [
      "metadata stays as it is, with its nulls",
      { experiment_metadata: { a: null, b: [1] } },
      { experiment_metadata: { a: null, b: [1] } },
    ],
  ])("%s", async (_, fields, given) => {
    expect(await givenBy(fields)).toEqual(given);
  });

  test.each([
    [
      "a word is reported",
      "unscored",
      "good",
      "scores that are words, not numbers: 1 of unscored; ",
    ],
    ["null is not reported", "rate", null, ""],
  ])("a score for the whole run: %s", async (_, name, score, warning) => {
    const { experiment } = await readOne(
      JSON.stringify({ rows: [{ q: 1, s: 1 }], summary: { [name]: { score } } }),
      {
        mapping:
          "rows: rows\ninputs.q: q\nevaluation_scores.s: s\n" +
          "summary_experiment_scores: { list: summary, score: score }",
      },
    );
    expect(experiment.warnings.join("; ")).toMatch(new RegExp(`^${warning}`));
    expect(experiment.warnings).toHaveLength(warning === "" ? 0 : 1);
  });
});
