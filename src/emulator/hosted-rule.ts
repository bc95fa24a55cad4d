import { spellPath, spellSource, type Dialect } from "../model/dialect.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { deploymentShape } from "../model/shape.ts";
import { invalid, refused, type Reply } from "./reply.ts";
import type { StoredDeployment } from "./store.ts";
import type { World } from "./world.ts";

/** Names the hosted service keeps for itself whatever the offering (docs/service.md 2.4). */
const RESERVED = new Set([
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_ENDPOINT",
  "LANGCHAIN_PROJECT",
  "LANGSMITH_PROJECT",
  "LANGSMITH_LANGGRAPH_GIT_REPO",
  "LANGGRAPH_GIT_REPO_PATH",
  "LANGCHAIN_API_KEY",
  "LANGSMITH_CONTROL_PLANE_API_KEY",
  "POSTGRES_URI",
  "POSTGRES_PASSWORD",
  "DATABASE_URI",
  "LANGSMITH_LANGGRAPH_GIT_REF",
  "LANGSMITH_LANGGRAPH_GIT_REF_SHA",
  "LANGGRAPH_AUTH_TYPE",
  "LANGSMITH_AUTH_ENDPOINT",
  "LANGSMITH_TENANT_ID",
  "LANGSMITH_AUTH_VERIFY_TENANT_ID",
  "LANGSMITH_HOST_PROJECT_ID",
  "LANGSMITH_HOST_PROJECT_NAME",
  "LANGSMITH_HOST_REVISION_ID",
  "LOG_JSON",
  "LOG_DICT_TRACEBACKS",
  "REDIS_URI",
  "LANGCHAIN_CALLBACKS_BACKGROUND",
  "DD_TRACE_PSYCOPG_ENABLED",
  "DD_TRACE_REDIS_ENABLED",
  "LANGSMITH_DEPLOYMENT_NAME",
  "LANGGRAPH_CLOUD_LICENSE_KEY",
]);
/** Kept except on self-hosted installations. */
const RESERVED_IN_CLOUD = new Set([
  "LANGSMITH_API_KEY",
  "LANGSMITH_ENDPOINT",
  "POSTGRES_URI_CUSTOM",
  "REDIS_URI_CUSTOM",
  "PATH",
  "PORT",
  "MOUNT_PREFIX",
  "LSD_ENV",
  "LSD_DD_API_KEY",
  "LSD_DD_ENDPOINT",
  "LSD_DEPLOYMENT_TYPE",
]);

interface Wanted {
  readonly name: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly secrets: StoredDeployment["secrets"];
  readonly source_config: JsonObject;
  readonly source_revision_config: JsonObject;
}

/** Names that the image registry and the host name of a deployment can take (docs/service.md 2.8). */
function checkName(name: string): Reply | null {
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)
    ? null
    : refused(
        400,
        "name must consist of lower case letters, digits and hyphens, and begin with a letter.",
      );
}

/** CPU counts of a spec and their range (docs/service.md 2.6). */
const CPU_RANGES: readonly (readonly [field: RegExp, least: number, most: number])[] = [
  [/^(queue_|redis_)?cpu$/, 0.1, 8],
  [/^(queue_|redis_)?cpu_limit$/, 0.1, 16],
];

function checkSpec(spec: JsonObject): Reply | null {
  for (const [name, value] of Object.entries(spec)) {
    if (typeof value !== "number") continue;
    const range = CPU_RANGES.find(([field]) => field.test(name));
    if (range !== undefined && (value < range[1] || value > range[2]))
      return refused(400, `resource_spec.${name} must be between ${range[1]} and ${range[2]}.`);
    if (value < 0) return refused(400, `resource_spec.${name} must not be negative.`);
  }
  const { min_scale: min, max_scale: max, redis_memory_mb: redis } = spec;
  if (typeof redis === "number" && redis < 512)
    return refused(400, "resource_spec.redis_memory_mb must be at least 512.");
  return typeof min === "number" && typeof max === "number" && min > max
    ? refused(400, "resource_spec.min_scale must not be greater than max_scale.")
    : null;
}

/** The only deployment type without a replica while nobody asks (docs/service.md 2.2). */
const SCALES_TO_ZERO = "dev_zero";

/** Values that the hosted service refuses in a create, a PATCH and a new revision alike. */
export function checkHostedValues(wanted: {
  readonly source: string;
  readonly dialect: Dialect;
  readonly secrets: StoredDeployment["secrets"];
  readonly source_config: JsonObject;
}): Reply | null {
  const cloud = wanted.source !== "external_container";
  const names = wanted.secrets.map(({ name }) => name);
  const reserved = names.find(
    (name) => RESERVED.has(name) || (cloud && RESERVED_IN_CLOUD.has(name)),
  );
  if (reserved !== undefined) return refused(400, `Secret name ${reserved} is reserved.`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return refused(400, `Secret name ${twice} is given more than once.`);
  const empty = wanted.secrets.find(({ name }) => name === "");
  if (empty !== undefined) return refused(400, "Secret names must not be empty.");
  const spec = wanted.source_config["resource_spec"];
  if (!isObject(spec)) return null;
  if (spec["min_scale"] === 0 && wanted.source_config["deployment_type"] !== SCALES_TO_ZERO)
    return refused(
      400,
      `resource_spec.min_scale must be at least 1 unless deployment_type is ${SCALES_TO_ZERO}.`,
    );
  return checkSpec(spec);
}

/** Fields beside the two groups that another source has alone, and what a create does not take at all. */
export function checkHostedKeys(
  body: JsonObject,
  { source, dialect }: Pick<Wanted, "source" | "dialect">,
  kind: "create" | "patch",
): Reply | null {
  if (kind === "create" && body["display_name"] != null)
    return invalid(
      [
        {
          loc: ["body", "display_name"],
          msg: "Extra inputs are not permitted",
          type: "extra_forbidden",
        },
      ],
      false,
    );
  const stray = [...deploymentShape.fields.values()].find(
    ({ name, meta: { only } }) => only !== undefined && only !== source && body[name] != null,
  );
  return stray === undefined
    ? null
    : refused(
        400,
        `${stray.name} is only applicable for ${spellSource(stray.meta.only!, dialect)} source.`,
      );
}

/** What the hosted service asks for on create beyond the interface document, by source. */
const REQUIRED_BY_SOURCE: Readonly<
  Record<string, readonly (readonly ["source_config" | "source_revision_config", string])[]>
> = {
  repohost: [
    ["source_config", "deployment_type"],
    ["source_config", "build_on_push"],
    ["source_revision_config", "graph_config_path"],
  ],
  external_container: [["source_config", "resource_spec"]],
};

/** What the hosted service refuses on create although the interface document does not say so (`createRules: "hosted"`). */
export function checkHosted(world: World, wanted: Wanted): Reply | null {
  const { source_config: config, dialect } = wanted;
  const required = REQUIRED_BY_SOURCE[wanted.source] ?? [];
  const missing = required.find(([group, key]) => wanted[group][key] === undefined);
  if (missing !== undefined)
    return refused(
      400,
      `${spellPath(missing.join("."), dialect)} is required for ${spellSource(wanted.source, dialect)} source.`,
    );
  const broken = checkName(wanted.name) ?? checkHostedValues(wanted);
  if (broken !== null) return broken;
  if (wanted.source === "repohost") return checkIntegration(world, config);
  return wanted.source === "external_container" ? checkListener(world, config) : null;
}

function checkIntegration(world: World, config: JsonObject): Reply | null {
  const id = config["integration_id"];
  return id === undefined || world.store.get("integrations", String(id).toLowerCase()) === undefined
    ? refused(404, `Integration ID ${String(id ?? null)} not found.`)
    : null;
}

function checkListener(world: World, config: JsonObject): Reply | null {
  const listeners = world.store.all("listeners");
  const id = config["listener_id"];
  if (id === undefined) {
    return listeners.length === 0
      ? null
      : refused(
          400,
          `'source_config.listener_id' is required; available listener IDs: ${listeners.map((one) => one.id).join(", ")}.`,
        );
  }
  return world.store.get("listeners", String(id).toLowerCase()) === undefined
    ? refused(404, `Listener ID ${String(id)} not found.`)
    : null;
}

/** The compute type of a listener checks its config: a namespace must be one that it has. */
export function checkNamespace(world: World, config: JsonObject): Reply | null {
  const listener = world.store.get("listeners", String(config["listener_id"]).toLowerCase());
  const namespace = isObject(config["listener_config"])
    ? config["listener_config"]["k8s_namespace"]
    : null;
  return typeof namespace === "string" &&
    listener !== undefined &&
    listener.k8s_namespaces !== null &&
    !listener.k8s_namespaces.includes(namespace)
    ? refused(
        400,
        `source_config.listener_config.k8s_namespace must be one of ${listener.k8s_namespaces.join(", ")}.`,
      )
    : null;
}
