import { describe, expect, test } from "@jest/globals";
import { SOURCE_KINDS } from "../../src/model/field-shape.ts";
import { allFields } from "../../src/model/shape.ts";
import type { Field } from "../../src/model/field-shape.ts";

// Typed by hand from contributing/interface.md, "Resources and their fields" and "Rules that create
// revisions", and from nothing in src/: one table derived from another would agree with its
// mistakes. Paths are in the document's own dialect.

const TYPES: Record<string, Record<string, string>> = {
  "": {
    name: "string!",
    source: "enum!",
    source_config: "object",
    source_revision_config: "object",
    secrets: "list",
    id: "uuid",
    created_at: "string",
    updated_at: "string",
    status: "string",
    latest_revision_id: "uuid",
    active_revision_id: "uuid",
    image_version: "string",
  },
  source_config: {
    integration_id: "uuid",
    repo_url: "string",
    deployment_type: "enum dev_free dev prod",
    build_on_push: "boolean",
    custom_url: "string",
    resource_spec: "object",
    listener_id: "uuid",
    listener_config: "object",
    install_command: "string",
    build_command: "string",
  },
  source_revision_config: {
    repo_ref: "string",
    graph_config_path: "string",
    image_uri: "string",
    repo_commit_sha: "string",
  },
  secrets: { name: "string!", value: "string!" },
  "source_config.listener_config": { k8s_namespace: "string" },
  "source_config.resource_spec": {
    min_scale: "integer",
    max_scale: "integer",
    cpu: "integer",
    cpu_limit: "integer",
    memory_mb: "integer",
    memory_limit_mb: "integer",
    queue_min_scale: "integer",
    queue_max_scale: "integer",
    queue_cpu: "integer",
    queue_cpu_limit: "integer",
    queue_memory_mb: "integer",
    queue_memory_limit_mb: "integer",
    orchestrator_cpu: "integer",
    orchestrator_cpu_limit: "integer",
    orchestrator_memory_mb: "integer",
    orchestrator_memory_limit_mb: "integer",
    orchestrator_min_scale: "integer",
    orchestrator_max_scale: "integer",
    executor_cpu: "integer",
    executor_cpu_limit: "integer",
    executor_memory_mb: "integer",
    executor_memory_limit_mb: "integer",
    redis_memory_mb: "integer",
    labels: "map",
    annotations: "map",
    service_account_name: "string",
    image_pull_secrets: "list",
    volumes: "list",
    volume_mounts: "list",
    init_containers: "list",
    sidecars: "list",
    db_cpu: "number",
    db_cpu_limit: "number",
    db_memory_mb: "integer",
    db_memory_limit_mb: "integer",
    db_storage_gi: "integer",
    db_max_connections: "integer",
  },
  "source_config.resource_spec.image_pull_secrets": { name: "string!" },
  "source_config.resource_spec.volumes": {
    name: "string!",
    configMap: "free",
    secret: "free",
    emptyDir: "free",
    persistentVolumeClaim: "free",
    nfs: "free",
    projected: "free",
    downwardAPI: "free",
    csi: "free",
  },
};
const MOUNT = {
  name: "string!",
  mountPath: "string!",
  subPath: "string",
  mountPropagation: "string",
  readOnly: "boolean",
  subPathExpr: "string",
};
TYPES["source_config.resource_spec.volume_mounts"] = MOUNT;
for (const list of ["init_containers", "sidecars"]) {
  const at = `source_config.resource_spec.${list}`;
  TYPES[at] = {
    name: "string!",
    image: "string!",
    imagePullPolicy: "enum Always Never IfNotPresent",
    command: "list",
    args: "list",
    workingDir: "string",
    env: "list",
    envFrom: "list",
    resources: "object",
    volumeMounts: "list",
    securityContext: "free",
    restartPolicy: "enum Always OnFailure",
  };
  TYPES[`${at}.env`] = { name: "string!", value: "string", valueFrom: "free" };
  TYPES[`${at}.resources`] = { limits: "map", requests: "map" };
  TYPES[`${at}.volumeMounts`] = MOUNT;
}

const CREATE_ONLY = [
  "name",
  "source",
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.deployment_type",
  "source_config.listener_id",
  "source_config.listener_config.k8s_namespace",
];
const READ_ONLY = [
  "id",
  "created_at",
  "updated_at",
  "status",
  "latest_revision_id",
  "active_revision_id",
  "source_revision_config.repo_commit_sha",
];
const MAKES_A_REVISION = [
  "source_revision_config.repo_ref",
  "source_revision_config.graph_config_path",
  "source_revision_config.image_uri",
  "secrets",
  "source_config.resource_spec",
];
const ONLY_REPOHOST = [
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.deployment_type",
  "source_config.build_on_push",
  "source_revision_config.repo_ref",
  "source_revision_config.graph_config_path",
  "source_revision_config.repo_commit_sha",
];
const ONLY_CONTAINER = [
  "source_config.custom_url",
  "source_config.resource_spec",
  "source_config.listener_id",
  "source_config.listener_config",
  "source_config.listener_config.k8s_namespace",
  "source_revision_config.image_uri",
];
const DEFAULTS: Record<string, string> = {
  cpu_limit: "2 x cpu",
  memory_limit_mb: "2 x memory_mb",
  queue_min_scale: "1 x min_scale",
  queue_max_scale: "1 x max_scale",
  queue_cpu: "1 x cpu",
  queue_cpu_limit: "2 x queue_cpu",
  queue_memory_mb: "1 x memory_mb",
  queue_memory_limit_mb: "2 x queue_memory_mb",
  db_cpu_limit: "2 x db_cpu",
  db_memory_limit_mb: "2 x db_memory_mb",
};
const NOT_TO_BE_USED = [
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
];
/** The document has no such field; the hosted service's own document or its newer clients have. */
const HOSTED = [
  "source_config.template_id",
  "display_name",
  "secret_references",
  "tenant_id",
  "url",
  "source_revision_config.source_tarball_path",
  "source_config.resource_spec.redis_cpu",
  "source_config.resource_spec.redis_cpu_limit",
  "source_config.resource_spec.redis_memory_limit_mb",
];

const rows = allFields();
const ours = rows.filter(
  (row) => !HOSTED.some((path) => row.path === path || row.path.startsWith(`${path}.`)),
);
const paths = (wanted: (row: Field) => boolean): string[] =>
  ours
    .filter(wanted)
    .map((row) => row.path)
    .sort();
const written = Object.entries(TYPES).flatMap(([parent, fields]) =>
  Object.entries(fields).map(([name, type]) => ({
    path: parent === "" ? name : `${parent}.${name}`,
    type,
  })),
);

function typeOf(row: Field): string {
  const { shape } = row;
  return `${row.path === "source" ? "enum" : wordFor(shape)}${row.required ? "!" : ""}`;
}

function wordFor(shape: Field["shape"]): string {
  if (shape.kind === "struct") return "object";
  if (shape.kind !== "scalar") return shape.kind;
  return shape.type === "enum" ? `enum ${(shape.values ?? []).join(" ")}` : shape.type;
}

describe("the field table agrees with contributing/interface.md", () => {
  test("has every field of the document, and otherwise only those of the hosted service", () => {
    expect(paths(() => true)).toEqual(written.map(({ path }) => path).sort());
    expect(
      rows
        .filter((row) => row.meta.hosted === "only")
        .map((row) => row.path)
        .sort(),
    ).toEqual([...HOSTED].sort());
  });

  test.each(written)("$path is $type", ({ path, type }) => {
    const row = rows.find((candidate) => candidate.path === path)!;
    // The hosted service takes fractions where the document has integers: such a row says so.
    expect(
      row.meta.hosted === "fraction" ? typeOf(row).replace("number", "integer") : typeOf(row),
    ).toBe(type);
  });

  test("on the source kinds", () => {
    expect(SOURCE_KINDS.slice(0, 2)).toEqual(["repohost", "external_container"]);
  });

  test("on what cannot change after creation", () => {
    expect(
      paths((row) => row.meta.mutability === "create-only" && row.shape.kind !== "struct"),
    ).toEqual([...CREATE_ONLY].sort());
    expect(paths((row) => row.mutability === "create-only" && row.shape.kind !== "struct")).toEqual(
      [...CREATE_ONLY].sort(),
    );
  });

  test("on what is read-only, apart from image_version, which no request of the hosted service has", () => {
    expect(paths((row) => row.mutability === "read-only")).toEqual(
      [...READ_ONLY, "image_version"].sort(),
    );
  });

  test("on what creates a new revision", () => {
    expect(paths((row) => row.meta.effect === "new-revision")).toEqual(
      [...MAKES_A_REVISION].sort(),
    );
    for (const row of rows) {
      const unit = MAKES_A_REVISION.some(
        (path) => row.path === path || row.path.startsWith(`${path}.`),
      );
      expect([row.path, row.effect === "new-revision"]).toEqual([row.path, unit]);
    }
  });

  test("on what belongs to one source kind", () => {
    expect(paths((row) => row.meta.only === "repohost")).toEqual([...ONLY_REPOHOST].sort());
    expect(paths((row) => row.meta.only === "external_container")).toEqual(
      [...ONLY_CONTAINER].sort(),
    );
  });

  test("on the documented defaults", () => {
    const multiples = ours.flatMap((row) =>
      row.meta.default !== undefined && "of" in row.meta.default
        ? [[row.name, `${row.meta.default.times} x ${row.meta.default.of}`]]
        : [],
    );
    expect(Object.fromEntries(multiples)).toEqual(DEFAULTS);
    const literals = ours.flatMap((row) =>
      row.meta.default !== undefined && "value" in row.meta.default
        ? [[row.path, row.meta.default.value]]
        : [],
    );
    expect(literals).toEqual([
      ["source_config.resource_spec.init_containers.env.value", ""],
      ["source_config.resource_spec.sidecars.env.value", ""],
    ]);
  });

  test("on what should not be used", () => {
    expect(paths((row) => row.meta.avoid === true)).toEqual(
      NOT_TO_BE_USED.map((name) => `source_config.resource_spec.${name}`).sort(),
    );
  });

  test("on what is secret, and which lists are matched by a key", () => {
    expect(paths((row) => row.meta.sensitive === "value")).toEqual([
      "secrets.value",
      "source_config.resource_spec.init_containers.env.value",
      "source_config.resource_spec.sidecars.env.value",
    ]);
    const keyed = ours.flatMap((row) =>
      row.shape.kind === "list" && row.shape.match !== undefined
        ? [`${row.name} by ${row.shape.match}`]
        : [],
    );
    expect([...new Set(keyed)].sort()).toEqual([
      "image_pull_secrets by name",
      "secrets by name",
      "sidecars by name",
      "volumeMounts by mountPath",
      "volume_mounts by mountPath",
      "volumes by name",
    ]);
  });
});
