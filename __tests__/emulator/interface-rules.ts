/**
 * The rules of contributing/interface.md, typed by hand: one line a field, `name kind notes`. Notes: `!` required,
 * `repohost` or `container` the only source that has it, `fixed` not changeable by PATCH, `builds` makes a
 * revision, `read-only`, `=2*cpu` the documented default.
 */
export const SOURCE_CONFIG = `
integration_id uuid repohost fixed
repo_url text repohost fixed
deployment_type dev_free|dev|prod repohost fixed
build_on_push flag repohost
custom_url text container
resource_spec object container builds
listener_id uuid container fixed
listener_config object container fixed
install_command text
build_command text`;

export const SOURCE_REVISION_CONFIG = `
repo_ref text repohost builds
graph_config_path text repohost builds
image_uri text container builds
repo_commit_sha text repohost read-only`;

export const RESOURCE_SPEC = `
min_scale integer
max_scale integer
cpu integer
cpu_limit integer =2*cpu
memory_mb integer
memory_limit_mb integer =2*memory_mb
queue_min_scale integer =1*min_scale
queue_max_scale integer =1*max_scale
queue_cpu integer =1*cpu
queue_cpu_limit integer =2*queue_cpu
queue_memory_mb integer =1*memory_mb
queue_memory_limit_mb integer =2*queue_memory_mb
orchestrator_cpu integer
orchestrator_cpu_limit integer
orchestrator_memory_mb integer
orchestrator_memory_limit_mb integer
orchestrator_min_scale integer
orchestrator_max_scale integer
executor_cpu integer
executor_cpu_limit integer
executor_memory_mb integer
executor_memory_limit_mb integer
redis_memory_mb integer
labels map
annotations map
service_account_name text
image_pull_secrets list
volumes list
volume_mounts list
init_containers list
sidecars list
db_cpu number
db_cpu_limit number =2*db_cpu
db_memory_mb integer
db_memory_limit_mb integer =2*db_memory_mb
db_storage_gi integer
db_max_connections integer`;

/** Items of the lists above, each with a valid neighbour; the path is where they are in a spec. */
export const NESTED: Readonly<Record<string, { readonly good: object; readonly fields: string }>> =
  {
    image_pull_secrets: { good: { name: "pull" }, fields: "name text !" },
    volumes: {
      good: { name: "data" },
      fields: `
name label !
configMap object
secret object
emptyDir object
persistentVolumeClaim object
nfs object
projected object
downwardAPI object
csi object`,
    },
    volume_mounts: {
      good: { name: "data", mountPath: "/data" },
      fields: `
name mount !
mountPath text !
subPath text
mountPropagation text
readOnly flag
subPathExpr text`,
    },
    ...Object.fromEntries(
      ["init_containers", "sidecars"].map((list) => [
        list,
        {
          good: { name: "side", image: "busybox:1" },
          fields: `
name label !
image text !
imagePullPolicy Always|Never|IfNotPresent
command texts
args texts
workingDir text
env list
envFrom list
resources object
volumeMounts list
securityContext object
restartPolicy Always|OnFailure`,
        },
      ]),
    ),
  };

export const ENV = `
name identifier !
value text
valueFrom object`;

export const UPLOAD = `
experiment_name text !
experiment_description text
experiment_start_time start !
experiment_end_time end !
dataset_id uuid
dataset_description text
experiment_metadata object
summary_experiment_scores list
results list !`;

export const UPLOAD_ROW = `
row_id uuid !
inputs object !
expected_outputs object
actual_outputs object
evaluation_scores list
start_time time !
end_time late !
run_name text
error text
run_metadata object`;

export const FEEDBACK = `
key text !
score number
value text
comment text
feedback_source source
feedback_config config
created_at time
modified_at time
correction correction`;

/** Keys of the upload's answer and what each is right after it: `null`, a kind, or what was sent. */
export const DATASET_REPLY = `
name text
description nullable
created_at time
data_type text
inputs_schema_definition null
outputs_schema_definition null
externally_managed true
id uuid
tenant_id uuid
example_count integer
session_count integer
modified_at time
last_session_start_time time`;

export const EXPERIMENT_REPLY = `
start_time time
end_time time
extra nullable
name text
description nullable
default_dataset_id nullable
reference_dataset_id uuid
trace_tier text
id uuid
run_count null later
latency_p50 null later
latency_p99 null later
first_token_p50 null
first_token_p99 null
total_tokens null
prompt_tokens null
completion_tokens null
total_cost null
prompt_cost null
completion_cost null
tenant_id uuid
last_run_start_time null later
last_run_start_time_live null later
feedback_stats null later
session_feedback_stats null
run_facets null later
error_rate null later
streaming_rate null later
test_run_number integer`;

export interface FieldLine {
  readonly name: string;
  readonly kind: string;
  readonly notes: readonly string[];
}

export const linesOf = (text: string): readonly FieldLine[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", kind = "", ...notes] = line.split(" ");
      return { name, kind, notes };
    });

const UUID = "11111111-1111-4111-8111-111111111111";
const TEXTS = [7, true, [], {}];
const TIMES = [7, "yesterday", [], "2026-13-01T00:00:00"];

/** Of each kind a value that is right, another one, and values that are wrong. */
export const KINDS: Readonly<
  Record<string, { readonly good: unknown; readonly other: unknown; readonly bad: unknown[] }>
> = {
  text: { good: "some text", other: "other text", bad: TEXTS },
  label: { good: "side", other: "other", bad: [...TEXTS, "Not_A_Label", "-a", "a".repeat(64)] },
  identifier: { good: "SOME_NAME", other: "_x1", bad: [...TEXTS, "1A", "A-B", ""] },
  mount: { good: "data", other: "data", bad: [...TEXTS, "unknown-volume"] },
  uuid: { good: UUID, other: UUID.replace("1", "2"), bad: ["no-uuid", 7, true, [], {}] },
  flag: { good: true, other: false, bad: ["perhaps", 7, [], {}] },
  integer: { good: 3, other: 4, bad: ["three", 1.5, true, [], {}] },
  number: { good: 1.5, other: 2, bad: ["half", true, [], {}] },
  object: { good: {}, other: {}, bad: ["text", 7, true, []] },
  map: { good: { a: "b" }, other: { a: "c" }, bad: ["text", 7, [], { a: 1 }] },
  list: { good: [], other: [], bad: ["text", 7, {}, [7]] },
  texts: { good: ["sh"], other: ["-c"], bad: ["sh", 7, {}, [7]] },
  time: { good: "2026-01-01T00:00:10", other: "2026-01-01T00:00:20Z", bad: TIMES },
  late: { good: "2026-01-01T00:00:30", other: "2026-01-01T00:00:20+00:00", bad: TIMES },
  start: { good: "2026-01-01T00:00:00", other: "2026-01-01T00:00:00Z", bad: TIMES },
  end: { good: "2026-01-01T01:00:00", other: "2026-01-01T01:00:00Z", bad: TIMES },
  source: { good: { type: "api" }, other: { type: "app" }, bad: [{}, { type: 7 }, "api", []] },
  config: {
    good: { type: "categorical", min: 0, max: 1, categories: [{ value: 1, label: "yes" }] },
    other: { type: "freeform" },
    bad: [
      { type: "stars" },
      { min: "x" },
      { max: "x" },
      { categories: [{}] },
      { categories: [{ value: 1, label: 7 }] },
      7,
    ],
  },
  correction: { good: "this instead", other: { a: 1 }, bad: [7, [], true] },
};

/** A kind, or the words of an enum. */
export const kindOf = (kind: string): (typeof KINDS)[string] =>
  kind.includes("|")
    ? { good: kind.split("|")[0], other: kind.split("|").at(-1), bad: ["no-such-word", 7, [], {}] }
    : KINDS[kind]!;
