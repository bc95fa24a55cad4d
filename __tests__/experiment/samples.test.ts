import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readExperiments, type Experiment } from "../../src/experiment/experiment.ts";
import { ExperimentBody } from "../../src/experiment/input/row.ts";
import { rowsOf } from "./read-text.ts";

const FIXTURES = path.resolve("__tests__/experiment/fixtures");

async function readSample(root: string, ...paths: string[]): Promise<Experiment[]> {
  const { experiments, problems } = await readExperiments({
    paths,
    shown: Infinity,
    workspace: { root },
  });
  expect(problems).toEqual([]);
  return experiments;
}

const bodies = async (experiment: Experiment): Promise<unknown[]> =>
  rowsOf(experiment).map(({ body }) => body);

describe("real result files", () => {
  const root = FIXTURES;

  test("promptfoo JSON is one experiment per prompt, a failed assert is a score and not an error, and repeats are distinguished by order", async () => {
    const [answer, maybe, ...more] = await readSample(root, "promptfoo-v3.json");
    expect(more).toEqual([]);
    expect([answer!.label, maybe!.label]).toEqual([
      "echo-agent · Answer: {{answer}} (question was: {{question}})",
      "echo-agent · Maybe {{answer}}?",
    ]);
    expect([answer!.rowCount, answer!.errorCount, maybe!.rowCount, maybe!.errorCount]).toEqual([
      6, 0, 6, 0,
    ]);
    expect(answer!.given.summary_experiment_scores).toEqual([
      { key: "pass_rate", score: 4 / 6 },
      { key: "errors", score: 0 },
    ]);
    const rows = rowsOf(answer!);
    expect(rows.map(({ k, duration_s }) => [k, duration_s])).toEqual([
      [0, 0.004],
      [1, 0.002],
      [0, 0.005],
      [1, 0.004],
      [0, 0.001],
      [1, 0],
    ]);
    const { run_metadata, ...first } = rows[0]!.body;
    expect(run_metadata).toMatchObject({
      metadata: { suite: "smoke", testCaseId: "fr-1" },
      cost: 0,
      description: "France",
    });
    expect(first).toEqual({
      row_id: "f5c39ab7-4f4b-5742-9714-db5b0d996b9d",
      inputs: { question: "Capital of France?", answer: "Paris" },
      actual_outputs: { output: "Answer: Paris (question was: Capital of France?)" },
      evaluation_scores: [
        { key: "correctness", score: 1, comment: "Assertion passed" },
        { key: "brevity", score: 0.48, comment: "Assertion passed" },
        { key: "score", score: 0.6533333333333333 },
        { key: "pass", score: 1 },
      ],
      start_time: "2026-11-20T23:56:31.415Z",
      end_time: "2026-11-20T23:56:31.419Z",
      run_name: "echo-agent",
    });
    expect(rows[1]!.body.row_id).toBe("2cccb6cd-6498-54aa-88f4-a2a31ee22a4d");
    expect(rows[2]!.body.error).toBeUndefined();
    expect(rows[2]!.body.evaluation_scores).toEqual([
      { key: "correctness", score: 0, comment: 'Expected output to contain "Madrid"' },
      { key: "score", score: 0 },
      { key: "pass", score: 0 },
    ]);
  });

  test("promptfoo JSONL and CSV of the same run line up with the JSON, row by row", async () => {
    const ids = async (name: string): Promise<string[][]> =>
      Promise.all(
        (await readSample(root, name)).map(async (experiment) =>
          rowsOf(experiment).map(({ body }) => body.row_id),
        ),
      );
    const json = await ids("promptfoo-v3.json");
    expect(await ids("promptfoo-v3.jsonl")).toEqual(json);
    expect(await ids("promptfoo.csv")).toEqual(json);
    const [csv] = await readSample(root, "promptfoo.csv");
    expect(rowsOf(csv!)[4]!.body).toMatchObject({
      inputs: {
        question: "Capital of Peru? 'quoted', \"double\" | pipe",
        answer: "Lima\nsecond line",
      },
      actual_outputs: {
        output:
          "Answer: Lima\nsecond line (question was: Capital of Peru? 'quoted', \"double\" | pipe)",
      },
    });
    expect(csv!.scores["brevity"]).toEqual({ mean: 0.48, n: 2 });
  });

  test("split: none makes one promptfoo experiment of all prompts", async () => {
    const { experiments } = await readExperiments({
      paths: ["promptfoo-v3.json"],
      split: "none",
      shown: Infinity,
      workspace: { root },
    });
    expect(experiments.map(({ rowCount, label }) => [rowCount, label])).toEqual([[12, ""]]);
    expect(experiments[0]!.given.summary_experiment_scores).toEqual([
      { key: "pass_rate", score: 8 / 12 },
      { key: "errors", score: 0 },
    ]);
    expect(
      rowsOf(experiments[0]!)
        .slice(0, 4)
        .map(({ k }) => k),
    ).toEqual([0, 1, 2, 3]);
  });

  test("a DeepEval run has its trace's times, a pass per metric, summary means and its judge", async () => {
    const [run] = await readSample(root, "deepeval-test_run.json");
    expect(run!.judge).toBe("gpt-5.4");
    expect(run!.given.summary_experiment_scores!.map(({ key, score }) => [key, score])).toEqual([
      ["Answer Relevancy", 0.92],
      ["Faithfulness", (0.45 + 0.91 + 0.88) / 3],
    ]);
    const [row] = rowsOf(run!);
    expect(row!.body).toMatchObject({
      inputs: { input: "What is CECL forecasting and how does Abrigo handle allowance variance?" },
      actual_outputs: { output: "{...}" },
      start_time: "2026-05-12T03:01:00.000Z",
      end_time: "2026-05-12T03:01:11.420Z",
      run_name: "sample_test_case",
    });
    expect(row!.body.evaluation_scores!.map(({ key, score }) => [key, score])).toEqual([
      ["Answer Relevancy", 0.92],
      ["Answer Relevancy.pass", 1],
      ["Faithfulness", 0.45],
      ["Faithfulness.pass", 0],
      ["pass", 0],
    ]);
    expect(row!.duration_s).toBe(11.42);
  });

  test("a cancelled Inspect log is read with a warning and never complete, letters are grades, and total_time is the latency", async () => {
    const [log] = await readSample(root, "inspect-popularity.json");
    expect([log!.state, log!.suite, log!.commit]).toEqual(["cancelled", "popularity", "e9a9d7161"]);
    expect(log!.warnings).toContain(
      'the log\'s status is "cancelled": it makes no baseline unless you accept it',
    );
    const rows = rowsOf(log!);
    expect(
      rows.map(({ body, duration_s }) => [
        body.expected_outputs,
        body.actual_outputs,
        body.evaluation_scores,
        duration_s,
      ]),
    ).toEqual([
      [
        { target: " Yes" },
        { output: "Yes", answer: "Yes" },
        [{ key: "match", score: 1, comment: "Yes" }],
        0.664,
      ],
      [
        { target: " No" },
        { output: "No", answer: "No" },
        [{ key: "match", score: 1, comment: "No" }],
        1.775,
      ],
      [
        { target: " Yes" },
        { output: "No", answer: "No" },
        [{ key: "match", score: 0, comment: "No" }],
        0.657,
      ],
    ]);
    expect([rows[0]!.body.start_time, rows[0]!.body.end_time]).toEqual([
      "2025-05-12T20:28:13-04:00",
      "2025-05-13T00:28:13.664Z",
    ]);
  });

  test("an Inspect .eval log gives every epoch as a repeat, in the order of its samples", async () => {
    const [log] = await readSample(root, "inspect-2x2-epochs.eval");
    expect([log!.state, log!.commit, log!.rowCount]).toEqual(["complete", "33c76a75", 4]);
    const rows = rowsOf(log!);
    expect(
      rows.map(({ k, body }) => [
        k,
        body.run_metadata!["sample_id"],
        body.evaluation_scores![0]!.score,
        body.actual_outputs!["output"],
      ]),
    ).toEqual([
      [0, 1, 0, "No"],
      [1, 1, 1, "Yes."],
      [0, 2, 1, "No."],
      [1, 2, 1, "No"],
    ]);
    const [json] = await readSample(root, "inspect-popularity.json");
    expect(rowsOf(json!)[0]!.example).toBe(rows[0]!.example);
  });

  test("OpenAI evals events become rows by sample, with times to the microsecond; a failed sample is an error", async () => {
    const [run] = await readSample(root, "openai-evals.jsonl");
    expect([run!.suite, run!.state, run!.rowCount, run!.errorCount]).toEqual([
      "capitals.dev.v0",
      "complete",
      4,
      1,
    ]);
    expect(run!.given.summary_experiment_scores).toEqual([
      { key: "accuracy", score: 0.6666666666666666 },
      { key: "boostrap_std", score: 0.27 },
    ]);
    const rows = await bodies(run!);
    expect(rows[1]).toEqual({
      row_id: "1c5cc659-5e11-5cdf-accf-735f1452dd63",
      inputs: { input: [{ role: "user", content: "Capital of Spain?" }] },
      expected_outputs: { output: "Madrid" },
      actual_outputs: { output: "Barcelona" },
      evaluation_scores: [
        { key: "match", score: 0 },
        { key: "f1_score", score: 0 },
      ],
      start_time: "2026-11-21T00:12:22.213968Z",
      end_time: "2026-11-21T00:12:22.213978Z",
      run_metadata: {
        sample_id: "capitals.dev.1",
        model: "dummy",
        usage: { prompt_tokens: 8, completion_tokens: 1, total_tokens: 9 },
      },
    });
    expect(rows[3]).toMatchObject({
      inputs: { sample_id: "capitals.dev.3" },
      error: "429 rate limited",
    });
  });

  test("a LangSmith vitest report and its side files are one experiment; booleans are scores, run N is the repeat", async () => {
    const experiments = await readSample(
      root,
      "langsmith-vitest/vitest.json",
      "langsmith-vitest/langsmith_test_results/*.json",
    );
    expect(
      experiments.map(({ file, rowCount, errorCount }) => [file, rowCount, errorCount]),
    ).toEqual([["langsmith-vitest/vitest.json", 4, 0]]);
    const rows = rowsOf(experiments[0]!);
    expect(rows.map(({ k, body }) => [k, body.row_id, body.run_name])).toEqual([
      [0, "f55eb3d3-0e11-5ddd-b808-17ed7e1336d2", "France"],
      [0, "9eeb643d-050b-5595-af92-617c15bc2da1", "Spain"],
      [0, "9ce0d958-3f51-5883-812b-5f826875c9c9", "Peru"],
      [1, "160efb3e-6fef-5a70-a7ff-1c2399a9d138", "Peru"],
    ]);
    expect(rows[1]!.body).toEqual({
      row_id: "9eeb643d-050b-5595-af92-617c15bc2da1",
      inputs: { question: "Capital of Spain?" },
      expected_outputs: { answer: "Madrid" },
      actual_outputs: { answer: "Barcelona" },
      evaluation_scores: [
        { key: "correctness", score: 0 },
        { key: "pass", score: 0 },
      ],
      start_time: "2026-11-21T00:05:32.412Z",
      end_time: "2026-11-21T00:05:32.419123Z",
      run_name: "Spain",
    });
  });

  test("JUnit properties become fields, failures become scores, errors stay errors, and skipped tests are not rows", async () => {
    const [report] = await readSample(root, "pytest.junit.xml");
    expect([report!.rowCount, report!.errorCount, report!.suite]).toEqual([5, 1, "pytest"]);
    const rows = await bodies(report!);
    expect(rows[1]).toEqual({
      row_id: "9eeb643d-050b-5595-af92-617c15bc2da1",
      inputs: { question: "Capital of Spain?" },
      expected_outputs: { output: "Madrid" },
      actual_outputs: { output: "Barcelona" },
      evaluation_scores: [
        { key: "correctness", score: 0 },
        { key: "pass", score: 0, comment: "assert 0.0 >= 0.5" },
      ],
      start_time: "2026-11-21T00:11:52.412698+00:00",
      end_time: "2026-11-21T00:11:52.413698Z",
      run_name: "test_agent.test_capital[Spain]",
    });
    expect(rows[3]).toMatchObject({
      inputs: { test: "test_error", classname: "test_agent" },
      evaluation_scores: [{ key: "pass", score: 0, comment: "RuntimeError: tool crashed" }],
    });
    expect(rows[4]).toMatchObject({
      inputs: { test: "test_setup" },
      error: 'failed on setup with "ValueError: setup failed"',
    });
  });

  test("every row of every sample is a valid row of the document, inside its window, and the same when read again", async () => {
    const experiments = await readSample(
      root,
      "*.json",
      "*.jsonl",
      "*.csv",
      "*.eval",
      "*.xml",
      "langsmith-vitest/**/*.json",
    );
    expect(experiments).toHaveLength(12);
    for (const experiment of experiments) {
      const first = await bodies(experiment);
      expect(JSON.stringify(await bodies(experiment))).toBe(JSON.stringify(first));
      const { start, end } = experiment.window;
      expect(
        ExperimentBody.safeParse({
          experiment_name: "x",
          experiment_start_time: start.text,
          experiment_end_time: end.text,
          dataset_name: "x",
          results: first,
        }).error,
      ).toBeUndefined();
      for (const { start_time, end_time } of first as { start_time: string; end_time: string }[]) {
        expect(Date.parse(start_time)).toBeGreaterThanOrEqual(Math.floor(start.us / 1000));
        expect(Date.parse(end_time)).toBeLessThanOrEqual(Math.ceil(end.us / 1000));
      }
    }
  });
});
