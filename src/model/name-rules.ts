/** The regions of the hosted service (contributing/service.md 5). */
export const REGIONS = ["us", "eu", "apac", "aws"] as const;

/** Names that Kubernetes and image registries accept. */
export const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;

/** Names that an environment variable may have. */
export const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** How to write such a name. */
export const IDENTIFIER_ADVICE = "write letters, digits and _, not beginning with a digit";

/** Refused on every service (contributing/service.md 2.4). */
const RESERVED: ReadonlySet<string> = new Set(
  `LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT
  LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI
  LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY`.split(
    /\s+/u,
  ),
);

/** Refused by the hosted service, allowed on self-hosted (container) deployments (contributing/service.md 2.4). */
const RESERVED_ON_CLOUD: ReadonlySet<string> = new Set(
  `LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX
  LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/u),
);

/** Whether the service reserves a name; some are reserved only where it runs the agent. */
export const isReservedName = (name: string, source: unknown): boolean =>
  RESERVED.has(name) || (RESERVED_ON_CLOUD.has(name) && source !== "external_container");
