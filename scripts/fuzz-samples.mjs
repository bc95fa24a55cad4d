// What the mutations begin with: one valid thing of every kind that is read from outside.
import { zipOf } from "./fuzz-inputs.mjs";

export const EVAL_SAMPLE = JSON.stringify({
  id: "s",
  epoch: 1,
  input: "q",
  target: "a",
  scores: { match: { value: "C", answer: "a" } },
  output: { completion: "a" },
});
const evalLogOf = () =>
  zipOf({
    "header.json": JSON.stringify({
      version: 2,
      status: "success",
      eval: { task: "t", created: "2026-01-01T00:00:00Z", model: "m", run_id: "r" },
      results: { total_samples: 1, completed_samples: 1 },
    }),
    "samples/s_epoch_1.json": EVAL_SAMPLE,
  });

const SPECS = [
  `name: support-agent\nsource: repohost\nsource_config:\n  repo_url: https://user:pass@git.example.com/acme/agents\n  deployment_type: prod\n  build_on_push: false\n  install_command: npm ci\nsource_revision_config:\n  repo_ref: main\n  graph_config_path: graphs/support.json\nsecrets:\n  - A\n  - { name: DB_URL, value: "\${B:?set it}" }\ndeploy:\n  timeout: 30m\n  paths: ["agents/**", "!x/{a,b}"]\n  verify: |\n    npm run smoke\n`,
  `name: search\nsource: external_container\nsource_config:\n  custom_url: https://search.example.com\n  listener_config: { k8s_namespace: default }\n  resource_spec:\n    min_scale: "\${MIN}"\n    max_scale: 3\n    sidecars: [{ name: s, image: "i:1", env: [{ name: A, value: x }], volumeMounts: [{ name: v, mountPath: /v }] }]\n    volumes: [{ name: v, emptyDir: {} }]\nsource_revision_config: { image_uri: "r.example.com/a@sha256:${"a".repeat(64)}" }\nsecrets: []\n---\nname: b\nsource: github\nsource_config: &c { repo_url: https://github.com/a/b }\nsource_revision_config: { langgraph_config_path: l.json, repo_ref: "\${C:-main}" }\n---\nname: c\nsource: github\nsource_config: &d { repo_url: https://github.com/a/b }\nsource_revision_config: { <<: { repo_ref: main }, langgraph_config_path: l.json }\n`,
];
const GATES = [
  "correctness >= 0.85\nhallucination <= 0.05 # lower\ncorrectness drop <= 2%\nerror_rate <= 0.02\nlatency_p95 <= 4s\n",
  "\"a b\" >= 1, 'c' drop < .5\n",
  'gates: |\n  correctness >= 0.85\n  correctness drop <= 0.02\ndirection: { correctness: higher }\nalpha: 0.05\ncluster_by: inputs.user\nmust_pass: [{ inputs.id: [a, b], require: "correctness >= 1", at_least: 2 }]\nmin_rows: 10\nmin_overlap: 0.5\n',
  "gates:\n  - correctness >= 0.85\n  - latency_p50 <= 90ms\n",
];
const HASH = `sha256:${"a".repeat(64)}`;
const BASELINE = `{\n"schema": "agent-deploy-baseline/2",\n"digest": "sha256:cfef7f69787980d91151df2973871d3771871b80be22d861244f7c48510c70fd",\n"commit": null,\n"created_at": "2026-01-01T00:00:00Z",\n"dataset": "sha256:9f447b1b473d359884f2b8541a1ad0b7d194ed59b79e8eee48047ec4830564fd",\n"examples": 1,\n"rows": 1,\n"errors": 0,\n"repeats": 1,\n"judge": null,\n"groups": [""],\n"metrics": ["m"],\n"must_pass": [{}],\n"history": [{"commit":null,"created_at":"2026-01-01T00:00:00Z","means":{"m":0.5}}],\n"anchor": null,\n"scores": [\n["${HASH}",1,0.5]\n],\n"complete": true\n}\n`;
export const ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const DEPLOYMENT = {
  id: ID,
  name: "search",
  source: "external_docker",
  status: "READY",
  latest_revision_id: ID,
  active_revision_id: ID,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  tenant_id: ID,
  url: null,
  source_config: {
    custom_url: "https://a.example.com",
    resource_spec: { cpu: 1, memory_mb: 1024 },
  },
  source_revision_config: { image_uri: "i:1", langgraph_config_path: "l.json" },
  secrets: [{ name: "A", value: "b" }],
};
export const REVISION = {
  id: ID,
  status: "BUILD_FAILED",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "",
  status_message: "no",
  source_revision_config: { repo_ref: "main", repo_commit_sha: "a" },
};
export const LOGS = {
  logs: [
    { timestamp: 1, message: "a\nb", level: "error" },
    { timestamp: "2026-01-01T00:00:00Z", text: "b" },
    "c",
  ],
};
const PLAN = {
  name: "search",
  source: "repohost",
  dialect: "document",
  id: ID,
  action: "update",
  changes: [{ path: "a.b", before: 1, after: { c: [null] }, effect: "in-place", sensitive: false }],
  blockers: [{ code: "x", message: "y", path: "z" }],
  revision: "none",
  dropped: ["d"],
  unreadable: ["u"],
  notes: ["n"],
  warnings: ["w"],
  fingerprint: "f",
};
export const REPORT = {
  version: 1,
  outcome: "failed",
  changed: true,
  tool: "agent-deploy 0",
  command: "apply",
  fingerprint: "f",
  gate_verdict: "pass",
  problems: ["p"],
  warnings: ["w"],
  started_at: "2026-01-01T00:00:00Z",
  finished_at: "2026-01-01T00:01:00Z",
  deployments: [
    {
      name: "search",
      id: ID,
      action: "update",
      outcome: "failed",
      reason: "BUILD_FAILED",
      message: "m",
      next: ["agent-deploy wait"],
      revision_id: ID,
      previous_revision_id: null,
      revision_status: "BUILD_FAILED",
      url: "https://a.example.com",
      changes: PLAN.changes,
      plan: PLAN,
      changed: true,
      timeline: [{ status: "QUEUED", atMs: 1 }],
      warnings: [],
      notes: [],
      log_tail: ["l"],
      verify: { exit_code: 1, tail: ["t"] },
      rollback: { revision_id: null, outcome: "failed" },
    },
  ],
  experiments: [
    {
      file: "r.json",
      format: "rows",
      name: "n",
      outcome: "uploaded",
      message: "",
      rows: 1,
      errors: 0,
      experiment_id: ID,
      experiment_url: "https://e",
      compare_url: "",
      dataset_id: ID,
      dataset_name: "d",
      test_run_number: 1,
      scores: { m: { mean: 1, n: 1 } },
      warnings: [],
    },
  ],
  gates: [
    {
      metric: "m",
      rule: "m >= 1",
      verdict: "pass",
      n: 1,
      n_dropped: 0,
      repeats: 1,
      head: 1,
      base: null,
      delta: null,
      ci: [0, 1],
      p: null,
      method: "wilson",
      alpha: 0.05,
      mde: null,
      reason: "r",
    },
  ],
  links: [{ label: "l", url: "https://l" }],
  rows_worse: [{ metric: "m", input: "i", expected: "e", head_output: "o", head: 0, base: 1 }],
  rows_better: [],
  baseline: { file: "b", commit: null, created_at: null, rows: 1, state: "used", message: "" },
};
/**
 * What the mutations begin with: all of it is accepted as it is, or the fuzzing would only ever
 * meet the first check.
 */
export const SAMPLES = {
  specs: SPECS,
  gates: GATES,
  baseline: BASELINE,
  report: JSON.stringify(REPORT),
  evalLog: () => evalLogOf(),
};
export const ENV = { A: "alpha-value", B: "beta-value", C: "feature/x", MIN: "2", EMPTY: "" };
