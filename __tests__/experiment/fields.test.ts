import { describe, expect, test } from "@jest/globals";
import { streamBody } from "../../src/experiment/body.ts";
import { prepareUploads } from "../../src/experiment/naming.ts";
import type { Experiment } from "../../src/experiment/experiment.ts";
import { readOne } from "./read-text.ts";

// Typed by hand from contributing/interface.md, "Experiment upload request": the three tables, in their order.
const REQUEST = [
  "experiment_name",
  "experiment_description",
  "experiment_start_time",
  "experiment_end_time",
  "dataset_id",
  "dataset_name",
  "dataset_description",
  "experiment_metadata",
  "summary_experiment_scores",
  "results",
];
const ROW = [
  "row_id",
  "inputs",
  "expected_outputs",
  "actual_outputs",
  "evaluation_scores",
  "start_time",
  "end_time",
  "run_name",
  "error",
  "run_metadata",
];
const FEEDBACK = [
  "key",
  "score",
  "value",
  "comment",
  "feedback_source",
  "feedback_config",
  "created_at",
  "modified_at",
  "correction",
];

const FULL_FEEDBACK = {
  key: "tone",
  score: 0.5,
  value: "fair",
  comment: "mixed",
  feedback_source: { type: "model" },
  feedback_config: {
    type: "categorical",
    min: 0,
    max: 1,
    categories: [{ value: 1, label: "good" }, { value: 0 }],
  },
  created_at: "2026-01-01T00:00:05Z",
  modified_at: "2026-01-01T00:00:06Z",
  correction: { answer: "better" },
};
const FULL = {
  experiment_name: "night run",
  experiment_description: "all of it",
  experiment_start_time: "2026-01-01T00:00:00Z",
  experiment_end_time: "2026-01-01T01:00:00Z",
  dataset_id: "0b6f0f6e-0000-4000-8000-000000000001",
  dataset_name: "capitals",
  dataset_description: "of countries",
  experiment_metadata: { model: "m" },
  summary_experiment_scores: [{ key: "accuracy", score: 0.9 }],
  results: [
    {
      row_id: "0b6f0f6e-0000-4000-8000-000000000002",
      inputs: { q: "France?" },
      expected_outputs: { a: "Paris" },
      actual_outputs: { a: "Lyon" },
      evaluation_scores: [FULL_FEEDBACK],
      start_time: "2026-01-01T00:00:01Z",
      end_time: "2026-01-01T00:00:02Z",
      run_name: "r",
      error: "late",
      run_metadata: { tokens: 5 },
    },
  ],
};
const CONTEXT = {
  repository: "acme/agents",
  commit: "",
  runId: "",
  runAttempt: "",
  job: "",
  matrix: "",
  runUrl: "",
  deploymentId: "",
  revisionId: "",
  tool: "",
};

async function bodyOf(experiment: Experiment): Promise<Record<string, unknown>> {
  const { uploads, problems } = prepareUploads([experiment], {
    overrides: {},
    context: CONTEXT,
    createId: () => "id",
  });
  expect(problems).toEqual([]);
  let text = "";
  for await (const chunk of streamBody(experiment, uploads[0]!.header))
    text += Buffer.from(chunk).toString("utf8");
  return JSON.parse(text) as Record<string, unknown>;
}

describe("every field of the interface document", () => {
  test("this test's full example has every field of the three tables", () => {
    expect(Object.keys(FULL)).toEqual(REQUEST);
    expect(Object.keys(FULL.results[0]!)).toEqual(ROW);
    expect(Object.keys(FULL_FEEDBACK)).toEqual(FEEDBACK);
  });

  test("is sent just as a body in the service's own format has it", async () => {
    const { experiment } = await readOne(JSON.stringify(FULL));
    const body = await bodyOf(experiment);
    expect(Object.keys(body)).toEqual(REQUEST);
    expect({
      ...body,
      experiment_metadata: { model: (body["experiment_metadata"] as { model: string }).model },
    }).toEqual(FULL);
  });

  test("can be mapped from CSV", async () => {
    const columns: Record<string, string> = {
      name: "night run",
      about: "all of it",
      t0: "2026-01-01T00:00:00",
      t1: "2026-01-01 01:00:00",
      did: FULL.dataset_id,
      dname: "capitals",
      dabout: "of countries",
      model: "m",
      acc: "0.9",
      rid: FULL.results[0]!.row_id,
      q: "France?",
      gold: "Paris",
      got: "Lyon",
      s: "0.5",
      v: "fair",
      c: "mixed",
      src: "model",
      ct: "categorical",
      cmin: "0",
      cmax: "1",
      cats: JSON.stringify(FULL_FEEDBACK.feedback_config.categories),
      made: "2026-01-01T00:00:05Z",
      mod: "2026-01-01T00:00:06Z",
      corr: JSON.stringify({ answer: "better" }),
      a: "2026-01-01T00:00:01Z",
      b: "2026-01-01T00:00:02Z",
      run: "r",
      err: "late",
      tok: "5",
    };
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const csv = `${Object.keys(columns).join(",")}\n${Object.values(columns).map(cell).join(",")}\n`;
    const mapping = [
      "experiment_name: name",
      "experiment_description: about",
      "experiment_start_time: t0",
      "experiment_end_time: t1",
      "dataset_id: did",
      "dataset_name: dname",
      "dataset_description: dabout",
      "experiment_metadata: {model: model}",
      "summary_experiment_scores.accuracy: acc",
      "row_id: rid",
      "inputs.q: q",
      "expected_outputs: {a: gold}",
      "actual_outputs.a: got",
      "evaluation_scores.tone: s",
      "evaluation_scores.tone.value: v",
      "evaluation_scores.tone.comment: c",
      "evaluation_scores.tone.feedback_source.type: src",
      "evaluation_scores.tone.feedback_config: {type: ct, min: cmin, max: cmax, categories: cats}",
      "evaluation_scores.tone.created_at: made",
      "evaluation_scores.tone.modified_at: mod",
      "evaluation_scores.tone.correction: corr",
      "start_time: a",
      "end_time: b",
      "run_name: run",
      "error: err",
      "run_metadata.tokens: tok",
    ].join("\n");
    const { experiment } = await readOne(csv, { mapping });
    const body = await bodyOf(experiment);
    expect(Object.keys(body)).toEqual(REQUEST);
    expect({
      ...body,
      experiment_metadata: { model: (body["experiment_metadata"] as { model: string }).model },
    }).toEqual({
      ...FULL,
      experiment_start_time: "2026-01-01T00:00:00.000Z",
      experiment_end_time: "2026-01-01T01:00:00.000Z",
      results: [{ ...FULL.results[0], run_metadata: { tokens: "5" } }],
    });
  });

  test("can be mapped from JSON, by dotted paths and literals, with the experiment's own fields around the rows", async () => {
    const { results, ...header } = FULL;
    const mapping = [
      "rows: data.items",
      ...Object.keys(header)
        .filter((field) => !["summary_experiment_scores", "experiment_metadata"].includes(field))
        .map((field) => `${field}: meta.${field}`),
      "experiment_metadata: meta.experiment_metadata",
      "summary_experiment_scores.accuracy: meta.accuracy",
      ...[
        "row_id",
        "inputs",
        "expected_outputs",
        "actual_outputs",
        "start_time",
        "end_time",
        "run_name",
        "error",
        "run_metadata",
      ].map((field) => `${field}: r.${field}`),
      "evaluation_scores: {tone: {score: r.f.score, value: r.f.value, comment: r.f.comment, feedback_source: r.f.feedback_source, feedback_config: r.f.feedback_config, created_at: r.f.created_at, modified_at: r.f.modified_at, correction: {literal: {answer: better}}}}",
    ].join("\n");
    const { experiment } = await readOne(
      JSON.stringify({
        meta: { ...header, accuracy: 0.9 },
        data: { items: [{ r: { ...results[0], f: FULL_FEEDBACK } }] },
      }),
      { mapping },
    );
    const body = await bodyOf(experiment);
    expect({
      ...body,
      experiment_metadata: { model: (body["experiment_metadata"] as { model: string }).model },
    }).toEqual(FULL);
  });
});
