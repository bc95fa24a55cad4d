import {
  SOURCE_KINDS,
  type Default,
  type Field,
  type FieldMeta,
  type ScalarType,
  type Shape,
} from "./field-shape.ts";

/** What a field inherits from its parent. */
type Place = Pick<Field, "path" | "effect" | "mutability">;
type Struct = Extract<Shape, { kind: "struct" }>;
/** Builds a shape once its place is known. */
type ShapeAt<S extends Shape = Shape> = (place: Place, match?: string) => S;
type Row = (name: string, parent: Place) => Field;

/** The place of a document's top-level keys. */
export const ROOT: Place = { path: "", effect: undefined, mutability: "mutable" };

/** An optional field, which may also be null. */
export function field(shapeAt: ShapeAt, meta: FieldMeta, required = false): Row {
  return (name, parent) => {
    const place = {
      path: parent.path === "" ? name : `${parent.path}.${name}`,
      effect: meta.effect ?? parent.effect,
      mutability: meta.mutability ?? parent.mutability,
    };
    return { name, meta, required, shape: shapeAt(place, meta.match), ...place };
  };
}

const required = (shapeAt: ShapeAt, meta: FieldMeta): Row => field(shapeAt, meta, true);

/** A field that the service sets. */
const shown = (shapeAt: ShapeAt, meta: FieldMeta): Row =>
  field(shapeAt, { ...meta, mutability: "read-only" });

/** An object with its fields in reading order. */
export const struct =
  (rows: Readonly<Record<string, Row>>): ShapeAt<Struct> =>
  (place) => ({
    kind: "struct",
    fields: new Map(Object.entries(rows).map(([name, row]) => [name, row(name, place)])),
  });

/** A list of items of one shape, matched as its field says. */
export const list =
  (item: ShapeAt): ShapeAt =>
  (place, match) => ({ kind: "list", item: item(place), match });

const scalar =
  (type: ScalarType): (() => ShapeAt) =>
  () =>
  () => ({ kind: "scalar", type });

/** A value written as text in YAML. */
export const text = scalar("string");
/** An id of the service. */
export const uuid = scalar("uuid");
/** A whole number. */
export const integer = scalar("integer");
/** True or false, not a word for it. */
export const boolean = scalar("boolean");
const cores = scalar("number");

/** One of the given words. */
export const choice =
  (...values: readonly string[]): ShapeAt =>
  () => ({ kind: "scalar", type: "enum", values });

/** JSON without a declared structure. */
export const freeForm = (): ShapeAt => () => ({ kind: "free" });
/** A mapping of free keys to text. */
export const textMap = (): ShapeAt => () => ({ kind: "map" });
const times = (n: number, of: string): Default => ({ of, times: n });
/** A number of cores, which the hosted service takes with one decimal. */
const fraction = (meta: FieldMeta): Row =>
  field(cores(), { ...meta, compareWith: "one-decimal", hosted: "fraction" });
const AVOIDED = { doc: "Deprecated; do not use.", avoid: true } as const;

/** `valueFrom` and `value` exclude each other: see rules.ts. */
const EnvVar = struct({
  name: required(text(), {
    doc: "Name of the environment variable, a C identifier.",
    format: "variable",
  }),
  value: field(text(), {
    doc: "Its value.",
    default: { value: "" },
    sensitive: "value",
    lines: "many",
  }),
  valueFrom: field(freeForm(), {
    doc: "Where the value comes from; not together with a non-empty `value`.",
  }),
});

const VolumeMount = struct({
  name: required(text(), { doc: "Name of one of the `volumes`." }),
  mountPath: required(text(), { doc: "Path in the container." }),
  subPath: field(text(), { doc: "Path inside the volume." }),
  mountPropagation: field(text(), {
    doc: "How mounts are propagated between host and container.",
    kubernetes: { value: "None" },
  }),
  readOnly: field(boolean(), { doc: "Read-only when true.", kubernetes: { value: false } }),
  subPathExpr: field(text(), {
    doc: "Path inside the volume, with environment variables expanded.",
  }),
});

const Volume = struct({
  name: required(text(), { doc: "DNS label, unique within the pod.", format: "dns-label" }),
  configMap: field(freeForm(), { doc: "Kubernetes configMap volume source." }),
  secret: field(freeForm(), { doc: "Kubernetes secret volume source." }),
  emptyDir: field(freeForm(), { doc: "Kubernetes emptyDir volume source." }),
  persistentVolumeClaim: field(freeForm(), {
    doc: "Kubernetes persistentVolumeClaim volume source.",
  }),
  nfs: field(freeForm(), { doc: "Kubernetes nfs volume source." }),
  projected: field(freeForm(), { doc: "Kubernetes projected volume source." }),
  downwardAPI: field(freeForm(), { doc: "Kubernetes downwardAPI volume source." }),
  csi: field(freeForm(), { doc: "Kubernetes csi volume source." }),
});

const ResourceRequirements = struct({
  limits: field(textMap(), {
    doc: 'Most the container may use, such as `{cpu: "1", memory: 512Mi}`.',
  }),
  requests: field(textMap(), { doc: "What the container asks for." }),
});

const Container = struct({
  name: required(text(), { doc: "DNS label.", format: "dns-label" }),
  image: required(text(), { doc: "Container image.", format: "image" }),
  imagePullPolicy: field(choice("Always", "Never", "IfNotPresent"), {
    doc: "When the image is pulled.",
    kubernetes: { pullPolicyOf: "image" },
  }),
  command: field(list(text()), { doc: "Entrypoint; not run in a shell." }),
  args: field(list(text()), { doc: "Arguments of the entrypoint." }),
  workingDir: field(text(), { doc: "Working directory." }),
  env: field(list(EnvVar), { doc: "Environment variables, in order." }),
  envFrom: field(list(freeForm()), { doc: "Sources of environment variables, in order." }),
  resources: field(ResourceRequirements, { doc: "Compute resources." }),
  volumeMounts: field(list(VolumeMount), {
    doc: "Volumes mounted into the container.",
    match: "mountPath",
  }),
  securityContext: field(freeForm(), { doc: "Kubernetes security context." }),
  restartPolicy: field(choice("Always", "OnFailure"), { doc: "For sidecars." }),
});

const LocalObjectReference = struct({
  name: required(text(), { doc: "Name of a secret in the same namespace." }),
});

const ResourceSpec = struct({
  min_scale: field(integer(), { doc: "Minimum replicas.", filledIn: 1 }),
  max_scale: field(integer(), { doc: "Maximum replicas.", filledIn: 1, filledAbove: "min_scale" }),
  cpu: fraction({ doc: "CPU request per replica.", filledIn: 1 }),
  cpu_limit: fraction({ doc: "CPU limit per replica.", default: times(2, "cpu") }),
  memory_mb: field(integer(), { doc: "Memory request per replica, MB.", filledIn: 1024 }),
  memory_limit_mb: field(integer(), {
    doc: "Memory limit per replica, MB.",
    default: times(2, "memory_mb"),
  }),
  queue_min_scale: field(integer(), {
    doc: "Minimum replicas of the queue deployment.",
    default: times(1, "min_scale"),
  }),
  queue_max_scale: field(integer(), {
    doc: "Maximum replicas of the queue deployment.",
    default: times(1, "max_scale"),
  }),
  queue_cpu: fraction({ doc: "CPU request per queue replica.", default: times(1, "cpu") }),
  queue_cpu_limit: fraction({
    doc: "CPU limit per queue replica.",
    default: times(2, "queue_cpu"),
  }),
  queue_memory_mb: field(integer(), {
    doc: "Memory request per queue replica, MB.",
    default: times(1, "memory_mb"),
  }),
  queue_memory_limit_mb: field(integer(), {
    doc: "Memory limit per queue replica, MB.",
    default: times(2, "queue_memory_mb"),
  }),
  orchestrator_cpu: fraction(AVOIDED),
  orchestrator_cpu_limit: fraction(AVOIDED),
  orchestrator_memory_mb: field(integer(), AVOIDED),
  orchestrator_memory_limit_mb: field(integer(), AVOIDED),
  orchestrator_min_scale: field(integer(), AVOIDED),
  orchestrator_max_scale: field(integer(), AVOIDED),
  executor_cpu: fraction(AVOIDED),
  executor_cpu_limit: fraction(AVOIDED),
  executor_memory_mb: field(integer(), AVOIDED),
  executor_memory_limit_mb: field(integer(), AVOIDED),
  redis_cpu: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU request of the key-value store deployment.",
    hosted: "only",
  }),
  redis_cpu_limit: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU limit of the key-value store deployment.",
    default: times(2, "redis_cpu"),
    hosted: "only",
  }),
  redis_memory_mb: field(integer(), { doc: "Memory of the key-value store deployment, MB." }),
  redis_memory_limit_mb: field(integer(), {
    doc: "Memory limit of the key-value store deployment, MB.",
    default: times(1, "redis_memory_mb"),
    hosted: "only",
  }),
  labels: field(textMap(), { doc: "Extra labels for created resources." }),
  annotations: field(textMap(), { doc: "Extra annotations for created resources." }),
  service_account_name: field(text(), { doc: "Must already exist in the target namespace." }),
  image_pull_secrets: field(list(LocalObjectReference), {
    doc: "Secrets of the same namespace, used to pull images.",
    match: "name",
  }),
  volumes: field(list(Volume), { doc: "Volumes that containers can mount.", match: "name" }),
  volume_mounts: field(list(VolumeMount), {
    doc: "Volumes mounted into the main container.",
    match: "mountPath",
  }),
  init_containers: field(list(Container), {
    doc: "Run to completion, in order, before the main container starts.",
  }),
  sidecars: field(list(Container), { doc: "Run alongside the main container.", match: "name" }),
  db_cpu: field(cores(), { doc: "CPU request of the relational database." }),
  db_cpu_limit: field(cores(), {
    doc: "CPU limit of the relational database.",
    default: times(2, "db_cpu"),
  }),
  db_memory_mb: field(integer(), { doc: "Memory request of the database, MB." }),
  db_memory_limit_mb: field(integer(), {
    doc: "Memory limit of the database, MB.",
    default: times(2, "db_memory_mb"),
  }),
  db_storage_gi: field(integer(), { doc: "Storage of the database, GiB." }),
  db_max_connections: field(integer(), { doc: "Most database connections." }),
});

const ListenerConfig = struct({
  k8s_namespace: field(text(), {
    doc: "Namespace the deployment runs in; for listeners with compute type `k8s`.",
    only: "external_container",
    mutability: "create-only",
    readback: "never",
  }),
});

const SourceConfig = struct({
  integration_id: field(uuid(), {
    doc: "Integration used; absent on create: the only one there is.",
    only: "repohost",
    mutability: "create-only",
    readback: "sometimes",
  }),
  repo_url: field(text(), {
    doc: "Git repository URL.",
    compareWith: "repository",
    only: "repohost",
    mutability: "create-only",
    sensitive: "user-info",
    readback: "sometimes",
  }),
  deployment_type: field(choice("dev_free", "dev", "prod"), {
    doc: "Kind of deployment; another word is sent with a warning.",
    open: true,
    only: "repohost",
    checkout: true,
    mutability: "create-only",
    readback: "sometimes",
  }),
  build_on_push: field(boolean(), {
    doc: "Build a new revision when the branch in `repo_ref` is pushed; never true for a tag.",
    only: "repohost",
    effect: "in-place",
  }),
  custom_url: field(text(), {
    doc: "URL of the deployment.",
    only: "external_container",
    effect: "in-place",
    sensitive: "user-info",
  }),
  resource_spec: field(ResourceSpec, {
    doc: "Replicas, CPU, memory, containers; replaced whole by the service.",
    only: "external_container",
    effect: "new-revision",
    sentWhole: true,
  }),
  listener_id: field(uuid(), {
    doc: "Listener used; absent on create: the only one there is.",
    only: "external_container",
    mutability: "create-only",
    readback: "sometimes",
  }),
  listener_config: field(ListenerConfig, {
    doc: "Configuration by the listener's compute type.",
    only: "external_container",
    mutability: "create-only",
    readback: "never",
  }),
  template_id: field(text(), {
    doc: "Template of the service.",
    only: "internal_template",
    mutability: "create-only",
    hosted: "only",
  }),
  install_command: field(text(), {
    doc: "JavaScript deployments: install command, run from the repository root.",
    lines: "many",
    effect: "next-build",
    readback: "sometimes",
  }),
  build_command: field(text(), {
    doc: "JavaScript deployments: build command, run from the directory of the graph configuration file.",
    lines: "many",
    effect: "next-build",
    readback: "sometimes",
  }),
});

const SourceRevisionConfig = struct({
  repo_ref: field(text(), {
    doc: "Branch (just its name), or a tag as a full path starting with `refs/tags/`.",
    only: "repohost",
    alias: "source_config.repo_branch",
    effect: "new-revision",
    readback: "sometimes",
  }),
  graph_config_path: field(text(), {
    doc: "Path of the graph configuration file in the repository.",
    only: "repohost",
    checkout: true,
    effect: "new-revision",
    readback: "sometimes",
  }),
  image_uri: field(text(), {
    doc: "Container image; give a digest, since an unchanged tag is not redeployed.",
    format: "image",
    only: "external_container",
    effect: "new-revision",
    sensitive: "user-info",
    readback: "sometimes",
  }),
  source_tarball_path: shown(text(), {
    doc: "Uploaded source tarball, written by the vendor's command line.",
    only: "internal_source",
    hosted: "only",
  }),
  repo_commit_sha: shown(text(), { doc: "Commit that was built.", only: "repohost" }),
});

/** The fields of one secret as it is sent. */
export const SECRET = {
  name: required(text(), { doc: "Name of the environment variable.", format: "variable" }),
  value: required(text(), { doc: "Its value.", sensitive: "value", lines: "many" }),
};

/** The list of environment values, with items of this shape. */
export const secretsOf = (item: ShapeAt): Row =>
  field(list(item), {
    doc: "Environment variables of the container; replaced whole by the service.",
    compareWith: "environment",
    effect: "new-revision",
    match: "name",
  });

const SecretReference = struct({
  name: required(text(), { doc: "Name of the environment variable.", format: "variable" }),
  secret_name: required(text(), { doc: "Kubernetes Secret in the namespace of the deployment." }),
  secret_key: required(text(), { doc: "Key within that Secret." }),
});

/** The rows of a deployment as it is sent and returned. */
export const DEPLOYMENT = {
  name: required(text(), {
    doc: "Name of the deployment and of its tracing project.",
    mutability: "create-only",
  }),
  display_name: field(text(), {
    doc: "Name that the service's own pages show.",
    mutability: "patch-only",
    effect: "in-place",
    hosted: "only",
    readback: "sometimes",
  }),
  source: required(choice(...SOURCE_KINDS), {
    doc: "What the deployment is built from.",
    mutability: "create-only",
  }),
  source_config: field(SourceConfig, { doc: "Settings by source kind." }),
  source_revision_config: field(SourceRevisionConfig, {
    doc: "What a revision is built from; values of the latest revision.",
  }),
  secrets: secretsOf(struct(SECRET)),
  secret_references: field(list(SecretReference), {
    doc: "References to Kubernetes Secrets.",
    only: "external_container",
    effect: "in-place",
    match: "name",
    hosted: "only",
    readback: "sometimes",
  }),
  id: shown(uuid(), { doc: "Id of the deployment." }),
  tenant_id: shown(uuid(), { doc: "Tenant that owns it.", hosted: "only" }),
  created_at: shown(text(), { doc: "When it was created." }),
  updated_at: shown(text(), { doc: "When it was last updated." }),
  status: shown(text(), { doc: "AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN." }),
  latest_revision_id: shown(uuid(), { doc: "The newest revision." }),
  active_revision_id: shown(uuid(), { doc: "The revision that is deployed now." }),
  image_version: shown(text(), { doc: "Image version of the deployment." }),
  url: shown(text(), { doc: "Address of the deployment.", hosted: "only" }),
};

/** The root of the table. */
export const deploymentShape = struct(DEPLOYMENT)(ROOT);
