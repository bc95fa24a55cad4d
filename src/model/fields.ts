import * as z from "zod/v4";

/** The source kinds, in the interface document's dialect; the hosted dialect is in dialect.ts. */
export type SourceKind =
  | "repohost"
  | "external_container"
  | "internal_docker"
  | "internal_source"
  | "internal_template";

/** What a PATCH that carries the field does (contributing/interface.md, "Rules that create revisions"). */
export type Effect = "in-place" | "next-build" | "new-revision";

/**
 * A documented default: a literal, a multiple of a sibling (`cpu_limit` is 2 x `cpu`), or
 * Kubernetes' rule for an image.
 */
export type Default =
  | { readonly value: string | number | boolean }
  | { readonly of: string; readonly times: number }
  | { readonly pullPolicyOf: string };

/**
 * One row of the field table. The columns are a closed list: what does not fit in one is a named rule in rules.ts.
 * `effect` is on the fields that travel in a PATCH as one unit; leaves below a unit take the unit's.
 */
export interface FieldMeta {
  readonly doc: string;
  /** Belongs only to this source kind; absent: to every kind. */
  readonly only?: SourceKind;
  /** `patch-only`: a create refuses it, so it is sent right after one. */
  readonly mutability?: "create-only" | "read-only" | "patch-only";
  readonly effect?: Effect;
  /** How list items are matched; absent on a list: in order. */
  readonly match?: "name" | "mountPath";
  readonly default?: Default;
  /** What Kubernetes fills in by itself: a leaf that equals it says no more than its absence. */
  readonly kubernetes?: Default;
  /** `value`: never shown. `user-info`: the `user:password@` of a URL is never shown. */
  readonly sensitive?: "value" | "user-info";
  /**
   * Which services leave the key out of a reply (contributing/service.md 2.6); null always says "not set".
   * Absent: none is known to.
   */
  readonly readback?: "never" | "sometimes";
  /** A text that may have several lines; absent: a line break in it is a mistake. */
  readonly lines?: "many";
  /**
   * How a value is compared where the service rewrites or hides it: rounded to one decimal, as a
   * repository's URL, or as environment values (by name, and by value where one is returned).
   */
  readonly compareWith?: "one-decimal" | "repository" | "environment";
  /**
   * One value of many parts: a PATCH replaces all of it. `deploy:` says, under the same name,
   * whether live parts stay.
   */
  readonly sentWhole?: true;
  /** Where a reply may hold the value too, when at its own place it shows the commit that was built. */
  readonly alias?: string;
  /** What the hosted service was seen to fill in, besides the documented defaults. */
  readonly filledIn?: number;
  /** The sibling that is a lower bound for what is filled in. */
  readonly filledAbove?: string;
  /** The service adds words: one that is not known is sent, with a warning. */
  readonly open?: true;
  /** Marked "not to be used" by the interface document. */
  readonly avoid?: true;
  /** Known only to the hosted service's own OpenAPI: the whole field, or its fractional values. */
  readonly hosted?: "only" | "fraction";
}

/** Metadata of every field, keyed by the schema in its parent's shape. */
export const fieldTable = z.registry<FieldMeta>();

/** An optional, nullable field: the document's default for everything that is configuration. */
function field<S extends z.ZodType>(schema: S, meta: FieldMeta): z.ZodOptional<z.ZodNullable<S>> {
  const row = schema.nullable().optional();
  fieldTable.add(row, meta);
  return row;
}

/** A field that must be present and not null. */
function required<S extends z.ZodType>(schema: S, meta: FieldMeta): S {
  fieldTable.add(schema, meta);
  return schema;
}

const text = (): z.ZodString => z.string();
const uuid = (): z.ZodGUID => z.guid();
const integer = (): z.ZodInt => z.int();
const cores = (): z.ZodNumber => z.number();
const freeForm = (): z.ZodRecord<z.ZodString, z.ZodUnknown> => z.record(z.string(), z.unknown());
const textMap = (): z.ZodRecord<z.ZodString, z.ZodString> => z.record(z.string(), z.string());
const times = (n: number, of: string): Default => ({ of, times: n });

/** `valueFrom` and `value` exclude each other: see rules.ts. */
const EnvVar = z.strictObject({
  name: required(text(), { doc: "Name of the environment variable, a C identifier." }),
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

const VolumeMount = z.strictObject({
  name: required(text(), { doc: "Name of one of the `volumes`." }),
  mountPath: required(text(), { doc: "Path in the container." }),
  subPath: field(text(), { doc: "Path inside the volume." }),
  mountPropagation: field(text(), {
    doc: "How mounts are propagated between host and container.",
    kubernetes: { value: "None" },
  }),
  readOnly: field(z.boolean(), { doc: "Read-only when true.", kubernetes: { value: false } }),
  subPathExpr: field(text(), {
    doc: "Path inside the volume, with environment variables expanded.",
  }),
});

const Volume = z.strictObject({
  name: required(text(), { doc: "DNS label, unique within the pod." }),
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

const ResourceRequirements = z.strictObject({
  limits: field(textMap(), {
    doc: 'Most the container may use, such as `{cpu: "1", memory: 512Mi}`.',
  }),
  requests: field(textMap(), { doc: "What the container asks for." }),
});

const Container = z.strictObject({
  name: required(text(), { doc: "DNS label." }),
  image: required(text(), { doc: "Container image." }),
  imagePullPolicy: field(z.enum(["Always", "Never", "IfNotPresent"]), {
    doc: "When the image is pulled.",
    kubernetes: { pullPolicyOf: "image" },
  }),
  command: field(z.array(text()), { doc: "Entrypoint; not run in a shell." }),
  args: field(z.array(text()), { doc: "Arguments of the entrypoint." }),
  workingDir: field(text(), { doc: "Working directory." }),
  env: field(z.array(EnvVar), { doc: "Environment variables, in order." }),
  envFrom: field(z.array(freeForm()), { doc: "Sources of environment variables, in order." }),
  resources: field(ResourceRequirements, { doc: "Compute resources." }),
  volumeMounts: field(z.array(VolumeMount), {
    doc: "Volumes mounted into the container.",
    match: "mountPath",
  }),
  securityContext: field(freeForm(), { doc: "Kubernetes security context." }),
  restartPolicy: field(z.enum(["Always", "OnFailure"]), { doc: "For sidecars." }),
});

const LocalObjectReference = z.strictObject({
  name: required(text(), { doc: "Name of a secret in the same namespace." }),
});

const ResourceSpec = z.strictObject({
  min_scale: field(integer(), { doc: "Fewest replicas.", filledIn: 1 }),
  max_scale: field(integer(), { doc: "Most replicas.", filledIn: 1, filledAbove: "min_scale" }),
  cpu: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU request per replica.",
    hosted: "fraction",
    filledIn: 1,
  }),
  cpu_limit: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU limit per replica.",
    default: times(2, "cpu"),
    hosted: "fraction",
  }),
  memory_mb: field(integer(), { doc: "Memory request per replica, MB.", filledIn: 1024 }),
  memory_limit_mb: field(integer(), {
    doc: "Memory limit per replica, MB.",
    default: times(2, "memory_mb"),
  }),
  queue_min_scale: field(integer(), {
    doc: "Fewest replicas of the queue deployment.",
    default: times(1, "min_scale"),
  }),
  queue_max_scale: field(integer(), {
    doc: "Most replicas of the queue deployment.",
    default: times(1, "max_scale"),
  }),
  queue_cpu: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU request per queue replica.",
    default: times(1, "cpu"),
    hosted: "fraction",
  }),
  queue_cpu_limit: field(cores(), {
    compareWith: "one-decimal",
    doc: "CPU limit per queue replica.",
    default: times(2, "queue_cpu"),
    hosted: "fraction",
  }),
  queue_memory_mb: field(integer(), {
    doc: "Memory request per queue replica, MB.",
    default: times(1, "memory_mb"),
  }),
  queue_memory_limit_mb: field(integer(), {
    doc: "Memory limit per queue replica, MB.",
    default: times(2, "queue_memory_mb"),
  }),
  orchestrator_cpu: field(cores(), {
    compareWith: "one-decimal",
    doc: "Marked as not to be used.",
    avoid: true,
    hosted: "fraction",
  }),
  orchestrator_cpu_limit: field(cores(), {
    compareWith: "one-decimal",
    doc: "Marked as not to be used.",
    avoid: true,
    hosted: "fraction",
  }),
  orchestrator_memory_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
  orchestrator_memory_limit_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
  orchestrator_min_scale: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
  orchestrator_max_scale: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
  executor_cpu: field(cores(), {
    compareWith: "one-decimal",
    doc: "Marked as not to be used.",
    avoid: true,
    hosted: "fraction",
  }),
  executor_cpu_limit: field(cores(), {
    compareWith: "one-decimal",
    doc: "Marked as not to be used.",
    avoid: true,
    hosted: "fraction",
  }),
  executor_memory_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
  executor_memory_limit_mb: field(integer(), { doc: "Marked as not to be used.", avoid: true }),
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
  image_pull_secrets: field(z.array(LocalObjectReference), {
    doc: "Secrets of the same namespace, used to pull images.",
    match: "name",
  }),
  volumes: field(z.array(Volume), { doc: "Volumes that containers can mount.", match: "name" }),
  volume_mounts: field(z.array(VolumeMount), {
    doc: "Volumes mounted into the main container.",
    match: "mountPath",
  }),
  init_containers: field(z.array(Container), {
    doc: "Run to completion, in order, before the main container starts.",
  }),
  sidecars: field(z.array(Container), { doc: "Run alongside the main container.", match: "name" }),
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

const ListenerConfig = z.strictObject({
  k8s_namespace: field(text(), {
    doc: "Namespace the deployment runs in; for listeners with compute type `k8s`.",
    only: "external_container",
    mutability: "create-only",
    readback: "never",
  }),
});

const SourceConfig = z.strictObject({
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
  deployment_type: field(z.enum(["dev_free", "dev", "prod"]), {
    doc: "Kind of deployment; another word is sent with a warning.",
    open: true,
    only: "repohost",
    mutability: "create-only",
    readback: "sometimes",
  }),
  build_on_push: field(z.boolean(), {
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

const SourceRevisionConfig = z.strictObject({
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
    effect: "new-revision",
    readback: "sometimes",
  }),
  image_uri: field(text(), {
    doc: "Container image; give a digest, since an unchanged tag is not redeployed.",
    only: "external_container",
    effect: "new-revision",
    sensitive: "user-info",
    readback: "sometimes",
  }),
  source_tarball_path: field(text(), {
    doc: "Uploaded source tarball, written by the vendor's command line.",
    only: "internal_source",
    mutability: "read-only",
    hosted: "only",
  }),
  repo_commit_sha: field(text(), {
    doc: "Commit that was built.",
    only: "repohost",
    mutability: "read-only",
  }),
});

const Secret = z.strictObject({
  name: required(text(), { doc: "Name of the environment variable." }),
  value: required(text(), { doc: "Its value.", sensitive: "value", lines: "many" }),
});

const SecretReference = z.strictObject({
  name: required(text(), { doc: "Name of the environment variable." }),
  secret_name: required(text(), { doc: "Kubernetes Secret in the namespace of the deployment." }),
  secret_key: required(text(), { doc: "Key within that Secret." }),
});

/** The first two are the interface document's, the others only the hosted service's. */
export const SOURCE_KINDS = [
  "repohost",
  "external_container",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;

/** A deployment as it is written and answered: the root of the table. */
export const Deployment = z.strictObject({
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
  source: required(z.enum(SOURCE_KINDS), {
    doc: "What the deployment is built from.",
    mutability: "create-only",
  }),
  source_config: field(SourceConfig, { doc: "Settings by source kind." }),
  source_revision_config: field(SourceRevisionConfig, {
    doc: "What a revision is built from; values of the latest revision.",
  }),
  secrets: field(z.array(Secret), {
    doc: "Environment variables of the container; replaced whole by the service.",
    compareWith: "environment",
    effect: "new-revision",
    match: "name",
  }),
  secret_references: field(z.array(SecretReference), {
    doc: "References to Kubernetes Secrets.",
    only: "external_container",
    effect: "in-place",
    match: "name",
    hosted: "only",
    readback: "sometimes",
  }),
  id: field(uuid(), { doc: "Id of the deployment.", mutability: "read-only" }),
  tenant_id: field(uuid(), {
    doc: "Tenant that owns it.",
    mutability: "read-only",
    hosted: "only",
  }),
  created_at: field(text(), { doc: "When it was created.", mutability: "read-only" }),
  updated_at: field(text(), { doc: "When it was last updated.", mutability: "read-only" }),
  status: field(text(), {
    doc: "AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN.",
    mutability: "read-only",
  }),
  latest_revision_id: field(uuid(), { doc: "The newest revision.", mutability: "read-only" }),
  active_revision_id: field(uuid(), {
    doc: "The revision that is deployed now.",
    mutability: "read-only",
  }),
  image_version: field(text(), {
    doc: "Image version of the deployment.",
    mutability: "read-only",
  }),
  url: field(text(), {
    doc: "Address of the deployment.",
    mutability: "read-only",
    hosted: "only",
  }),
});

/** The writable part of a deployment, canonical dialect, as the service takes it. */
export type Deployment = z.infer<typeof Deployment>;
