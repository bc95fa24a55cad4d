/** Typed by hand from contributing/interface.md: for every field, a value that is right and one of a wrong type. */
export interface Sample {
  readonly good: unknown;
  readonly bad: unknown;
  readonly other?: unknown;
}

const text = { good: "some-text", bad: 7, other: "other-text" };
const uuid = {
  good: "11111111-1111-4111-8111-111111111111",
  bad: "no-uuid",
  other: "22222222-2222-4222-8222-222222222222",
};
const integer = { good: 3, bad: "three", other: 4 };
const flag = { good: true, bad: "yes", other: false };
const stringMap = { good: { a: "b" }, bad: { a: 1 } };
const free = { good: { any: [1, { b: null }] }, bad: "text" };

export const SOURCE_CONFIG: Readonly<Record<string, Sample>> = {
  integration_id: uuid,
  repo_url: { good: "https://git.example.com/a/b", bad: 1, other: "https://git.example.com/a/c" },
  deployment_type: { good: "prod", bad: "huge", other: "dev" },
  build_on_push: flag,
  custom_url: { good: "https://agent.example.com", bad: [], other: "https://b.example.com" },
  resource_spec: { good: { cpu: 1 }, bad: [], other: { cpu: 2 } },
  listener_id: uuid,
  listener_config: {
    good: { k8s_namespace: "agents" },
    bad: 3,
    other: { k8s_namespace: "others" },
  },
  install_command: text,
  build_command: text,
};

export const SOURCE_REVISION_CONFIG: Readonly<Record<string, Sample>> = {
  repo_ref: text,
  graph_config_path: text,
  image_uri: text,
  repo_commit_sha: { good: "0".repeat(40), bad: 1 },
};

const INTEGERS = [
  "min_scale",
  "max_scale",
  "cpu",
  "cpu_limit",
  "memory_mb",
  "memory_limit_mb",
  "queue_min_scale",
  "queue_max_scale",
  "queue_cpu",
  "queue_cpu_limit",
  "queue_memory_mb",
  "queue_memory_limit_mb",
  "orchestrator_cpu",
  "orchestrator_cpu_limit",
  "orchestrator_memory_mb",
  "orchestrator_memory_limit_mb",
  "orchestrator_min_scale",
  "orchestrator_max_scale",
  "executor_cpu",
  "executor_cpu_limit",
  "executor_memory_mb",
  "executor_memory_limit_mb",
  "redis_memory_mb",
  "db_memory_mb",
  "db_memory_limit_mb",
  "db_storage_gi",
  "db_max_connections",
];
export const RESOURCE_SPEC: Readonly<Record<string, Sample>> = {
  ...Object.fromEntries(INTEGERS.map((name) => [name, integer])),
  db_cpu: { good: 1.5, bad: "one" },
  db_cpu_limit: { good: 2.5, bad: "two" },
  labels: stringMap,
  annotations: stringMap,
  service_account_name: text,
  image_pull_secrets: { good: [{ name: "pull" }], bad: [{}] },
  volumes: { good: [{ name: "data", emptyDir: {} }], bad: [{ emptyDir: {} }] },
  volume_mounts: { good: [], bad: [{ name: "data" }] },
  init_containers: { good: [{ name: "init", image: "busybox" }], bad: [{ name: "init" }] },
  sidecars: { good: [{ name: "proxy", image: "envoy" }], bad: [{ image: "envoy" }] },
};

/** `field`: documented default from the field named, times the number. */
export const RESOURCE_DEFAULTS: Readonly<Record<string, readonly [of: string, times: number]>> = {
  cpu_limit: ["cpu", 2],
  memory_limit_mb: ["memory_mb", 2],
  queue_min_scale: ["min_scale", 1],
  queue_max_scale: ["max_scale", 1],
  queue_cpu: ["cpu", 1],
  queue_cpu_limit: ["queue_cpu", 2],
  queue_memory_mb: ["memory_mb", 1],
  queue_memory_limit_mb: ["queue_memory_mb", 2],
  db_cpu_limit: ["db_cpu", 2],
  db_memory_limit_mb: ["db_memory_mb", 2],
};

export const CONTAINER: Readonly<Record<string, Sample>> = {
  name: { good: "side", bad: 1 },
  image: { good: "busybox:1", bad: 1 },
  imagePullPolicy: { good: "Always", bad: "Sometimes" },
  command: { good: ["sh"], bad: "sh" },
  args: { good: ["-c"], bad: [1] },
  workingDir: { good: "/app", bad: 1 },
  env: { good: [{ name: "A", value: "b" }], bad: [{ value: "b" }] },
  envFrom: { good: [{ configMapRef: { name: "c" } }], bad: ["c"] },
  resources: {
    good: { limits: { cpu: "1" }, requests: { cpu: "1" } },
    bad: { limits: { cpu: 1 } },
  },
  volumeMounts: { good: [], bad: [{ name: "v" }] },
  securityContext: free,
  restartPolicy: { good: "OnFailure", bad: "Never" },
};

const time = { good: "2026-01-01T00:00:30", bad: "yesterday" };
export const UPLOAD: Readonly<Record<string, Sample>> = {
  experiment_name: text,
  experiment_description: text,
  experiment_start_time: { good: "2026-01-01T00:00:00", bad: "x" },
  experiment_end_time: { good: "2026-01-01T01:00:00Z", bad: "x" },
  dataset_id: uuid,
  dataset_name: text,
  dataset_description: text,
  experiment_metadata: free,
  summary_experiment_scores: { good: [{ key: "k", score: 1 }], bad: [{ score: 1 }] },
  results: { good: [], bad: {} },
};
export const UPLOAD_ROW: Readonly<Record<string, Sample>> = {
  row_id: uuid,
  inputs: free,
  expected_outputs: free,
  actual_outputs: free,
  evaluation_scores: { good: [{ key: "k" }], bad: [{}] },
  start_time: time,
  end_time: time,
  run_name: text,
  error: text,
  run_metadata: free,
};
export const FEEDBACK: Readonly<Record<string, Sample>> = {
  key: text,
  score: { good: 0.5, bad: "half" },
  value: { good: "good", bad: [1] },
  comment: text,
  feedback_source: { good: { type: "api" }, bad: {} },
  feedback_config: {
    good: { type: "categorical", min: 0, max: 1, categories: [{ value: 1, label: "yes" }] },
    bad: { type: "stars" },
  },
  created_at: time,
  modified_at: time,
  correction: { good: "this instead", bad: 7 },
};
