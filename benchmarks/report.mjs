// 1,000 deployments, and the report of an experiment of 100,000 rows, to a comment within both of GitHub's limits.
import { renderComment } from "#built/report/markdown.js";
import { print } from "./figure.mjs";

const change = (path) => ({ path, before: 1, after: 2, effect: "new-revision", sensitive: false });
const deployments = Array.from({ length: 1000 }, (_, index) => ({
  name: `agent-${index}`,
  id: String(index),
  action: "update",
  outcome: index % 50 === 0 ? "failed" : "deployed",
  reason: "",
  message: "revision r is DEPLOYED and active",
  next: [],
  revision_id: "r",
  previous_revision_id: "p",
  revision_status: "DEPLOYED",
  url: "https://example.com",
  changes: Array.from({ length: 20 }, (_, at) => change(`source_config.resource_spec.field_${at}`)),
  plan: null,
  changed: true,
  timeline: [
    { status: "QUEUED", atMs: 0 },
    { status: "DEPLOYED", atMs: 60_000 },
  ],
  warnings: [],
  notes: [],
  log_tail: [],
}));
const row = (index) => ({
  metric: "correctness",
  input: `question ${index} ${"x".repeat(60)}`,
  expected: "a",
  head_output: "b",
  head: 0,
  base: 1,
});
/** @type {any} A report as far as its comment reads it. */
const report = {
  version: 1,
  tool: "agent-deploy",
  command: "apply",
  outcome: "failed",
  changed: true,
  fingerprint: "f".repeat(64),
  deployments,
  experiments: [
    {
      file: "results.jsonl",
      format: "rows",
      name: "nightly",
      outcome: "uploaded",
      message: "",
      rows: 100_000,
      errors: 0,
      experiment_id: "e",
      experiment_url: "https://example.com",
      compare_url: "",
      dataset_id: "d",
      dataset_name: "set",
      test_run_number: 1,
      scores: { correctness: { mean: 0.8, n: 100_000 } },
      warnings: [],
    },
  ],
  gates: [],
  gate_verdict: "none",
  row_counts: { new: 0, missing: 0, changed: {} },
  rows_worse: Array.from({ length: 500 }, (_, index) => row(index)),
  rows_better: [],
  rows_new: [],
  rows_missing: [],
  baseline: null,
  problems: [],
  warnings: [],
  links: [],
  started_at: new Date(0).toISOString(),
  finished_at: new Date(60_000).toISOString(),
};
const header = "<!-- agent-deploy: the state that a comment carries -->";
renderComment(report, { header, stage: "end" });
const begin = process.hrtime.bigint();
const text = renderComment(report, { header, stage: "end" });
print(
  "1,000 deployments and an experiment to a comment",
  Number(process.hrtime.bigint() - begin) / 1e9,
  "s",
  "< 1",
);
print("characters of it", text.length, "", "≤ 65,536");
