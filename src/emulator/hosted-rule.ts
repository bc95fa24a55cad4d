import { spellPath, spellSource, type Dialect } from "../model/dialect.ts";
import { isObject, type JsonObject } from "./json.ts";
import { refused, type Reply } from "./reply.ts";
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

/** What the hosted service refuses on create although the interface document does not say so (`createRules: "hosted"`). */
export function checkHosted(world: World, wanted: Wanted): Reply | null {
  const { source_config: config, source_revision_config: revision, dialect } = wanted;
  const repohost = wanted.source === "repohost";
  const missing = repohost
    ? ([
        ["source_config.deployment_type", config["deployment_type"]],
        ["source_config.build_on_push", config["build_on_push"]],
        ["source_revision_config.graph_config_path", revision["graph_config_path"]],
      ] as const)
    : wanted.source === "external_container"
      ? ([["source_config.resource_spec", config["resource_spec"]]] as const)
      : [];
  for (const [path, value] of missing) {
    if (value === undefined)
      return refused(
        400,
        `${spellPath(path, dialect)} is required for ${spellSource(wanted.source, dialect)} source.`,
      );
  }
  const reserved = wanted.secrets.find(
    ({ name }) => RESERVED.has(name) || (repohost && RESERVED_IN_CLOUD.has(name)),
  );
  if (reserved !== undefined) return refused(400, `Secret name ${reserved.name} is reserved.`);
  const spec = config["resource_spec"];
  if (
    isObject(spec) &&
    typeof spec["redis_memory_mb"] === "number" &&
    spec["redis_memory_mb"] < 512
  )
    return refused(400, "resource_spec.redis_memory_mb must be at least 512.");
  return repohost
    ? checkIntegration(world, config)
    : wanted.source === "external_container"
      ? checkListener(world, config)
      : null;
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
          `source_config.listener_id is required; available listener IDs: ${listeners.map((one) => one.id).join(", ")}.`,
        );
  }
  const listener = world.store.get("listeners", String(id).toLowerCase());
  if (listener === undefined) return refused(404, `Listener ID ${String(id)} not found.`);
  const namespace = isObject(config["listener_config"])
    ? config["listener_config"]["k8s_namespace"]
    : null;
  return typeof namespace === "string" &&
    listener.k8s_namespaces !== null &&
    !listener.k8s_namespaces.includes(namespace)
    ? refused(
        400,
        `source_config.listener_config.k8s_namespace must be one of ${listener.k8s_namespaces.join(", ")}.`,
      )
    : null;
}
