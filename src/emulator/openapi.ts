import {
  deploymentFields,
  ID,
  listOf,
  structOf,
  TEXT,
  wordsOf,
  type BodyShape,
} from "./validation.ts";
import { LISTENER, LISTENER_PATCH } from "./listener.ts";
import { UPLOAD } from "./upload-check.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Settings } from "./options.ts";
import { ROUTES, type Route } from "./route.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
const arrayOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const STRING: JsonObject = { type: "string" };
const UUID: JsonObject = { type: "string", format: "uuid" };
const TIME: JsonObject = { type: "string", format: "date-time" };
const OBJECT: JsonObject = { type: "object" };
const object = (required: JsonObject, optional: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: STRING,
  uuid: UUID,
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  enum: STRING,
};

/** What a request may hold as a schema; what is not required may be null. */
function toSchema(shape: BodyShape): JsonObject {
  switch (shape.kind) {
    case "special":
      return shape.schema;
    case "scalar":
      return shape.values === undefined || shape.type !== "enum"
        ? SCALARS[shape.type]!
        : { type: "string", enum: shape.values };
    case "list":
      return arrayOf(toSchema(shape.item));
    case "map":
      return { type: "object", additionalProperties: STRING };
    case "free":
      return OBJECT;
    case "struct": {
      const fields = [...shape.fields.values()];
      const required = fields.filter((field) => field.required).map((field) => field.name);
      return {
        type: "object",
        ...(required.length === 0 ? {} : { required }),
        properties: Object.fromEntries(
          fields.map((field) => {
            const schema = toSchema(field.shape);
            return [field.name, field.required ? schema : nullable(schema)];
          }),
        ),
      };
    }
  }
}

const SOURCES = [
  "repohost",
  "external_container",
  "github",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
];

/** A deployment as a create or a PATCH sends it: both dialects, and what is not read-only. */
function deploymentBody(kind: "create" | "patch"): JsonObject {
  const fields = [...deploymentFields(kind)].filter(
    ([name, { mutability }]) =>
      mutability !== "read-only" &&
      (kind === "create" ? mutability !== "patch-only" : name !== "name" && name !== "source"),
  );
  const schema = toSchema({ kind: "struct", fields: new Map(fields) });
  const properties = schema["properties"] as JsonObject;
  return kind === "create"
    ? { ...schema, properties: { ...properties, source: { enum: SOURCES } } }
    : schema;
}

const LINES = { order: wordsOf("asc", "desc"), offset: TEXT, level: TEXT, query: TEXT };
const COUNT: BodyShape = { kind: "scalar", type: "integer" };

/** What each endpoint with a body takes, by the name that its row of the routes gives. */
const requestSchemas = (): JsonObject => ({
  DeploymentCreate: deploymentBody("create"),
  DeploymentPatch: deploymentBody("patch"),
  ListenerCreate: toSchema(LISTENER),
  ListenerPatch: toSchema(LISTENER_PATCH),
  ExperimentUpload: toSchema(UPLOAD),
  LogsRequest: toSchema(structOf({ limit: COUNT, ...LINES })),
  RunsRequest: toSchema(structOf({ "session_ids!": listOf(ID), limit: COUNT, offset: COUNT })),
  ExperimentRunsRequest: toSchema(structOf({ "experiment_ids!": listOf(ID), cursor: TEXT })),
  RunsQuery: toSchema(
    structOf({
      project_ids: listOf(ID),
      reference_dataset_id: ID,
      selects: listOf(TEXT),
      page_size: COUNT,
      cursor: TEXT,
    }),
  ),
});

function replySchemas(): JsonObject {
  return { ...deploymentReplies(), ...experimentReplies(), Any: {} };
}

function deploymentReplies(): JsonObject {
  const error = object({
    loc: arrayOf({ type: ["string", "integer"] }),
    msg: STRING,
    type: STRING,
  });
  const page = (name: string): JsonObject =>
    object({ resources: arrayOf(ref(name)), offset: { type: "integer" } });
  const line = object({ id: STRING, timestamp: TIME, level: STRING, message: STRING });
  return {
    Error: object({ detail: STRING }),
    HTTPValidationError: object({ detail: arrayOf(error) }),
    Deployment: deploymentReply(),
    Revision: object({
      id: UUID,
      created_at: TIME,
      updated_at: TIME,
      status: STRING,
      source: { enum: SOURCES },
      source_revision_config: OBJECT,
    }),
    DeploymentsList: page("Deployment"),
    RevisionsList: page("Revision"),
    Integration: object({ id: UUID, installation_id: { type: "integer" }, name: STRING }),
    Listener: object({
      id: UUID,
      compute_type: STRING,
      compute_id: STRING,
      compute_config: OBJECT,
      created_at: TIME,
      updated_at: TIME,
    }),
    ListenersList: page("Listener"),
    Logs: object({ logs: arrayOf(line), next_offset: nullable(STRING) }),
    LogItems: object({ items: arrayOf(line), next_cursor: nullable(STRING) }),
  };
}

function deploymentReply(): JsonObject {
  return object(
    {
      name: STRING,
      source: { enum: SOURCES },
      source_config: OBJECT,
      source_revision_config: OBJECT,
      secrets: arrayOf(object({ name: STRING, value: nullable(STRING) })),
      id: UUID,
      status: STRING,
      created_at: TIME,
      updated_at: TIME,
      latest_revision_id: nullable(UUID),
      active_revision_id: nullable(UUID),
    },
    { tenant_id: UUID, image_version: nullable(STRING), url: nullable(STRING) },
  );
}

function experimentReplies(): JsonObject {
  return {
    Dataset: object({
      id: UUID,
      name: STRING,
      tenant_id: UUID,
      created_at: TIME,
      data_type: STRING,
      externally_managed: { type: "boolean" },
      example_count: { type: "integer" },
      session_count: { type: "integer" },
    }),
    Session: object({
      id: UUID,
      name: STRING,
      tenant_id: UUID,
      start_time: TIME,
      reference_dataset_id: nullable(UUID),
    }),
    Example: object({ id: UUID, dataset_id: UUID, inputs: OBJECT, outputs: nullable(OBJECT) }),
    Feedback: object({ id: UUID, run_id: nullable(UUID), key: STRING }),
    Uploaded: object({ dataset: ref("Dataset"), experiment: ref("Session") }),
    CursorPage: object({ items: arrayOf(OBJECT), next_cursor: nullable(STRING) }),
  };
}

/** What an endpoint takes and gives: schema names, `[]` behind the name of a list's items; null: no body. */
interface RouteDoc {
  readonly body?: string;
  readonly reply: string | null;
  readonly status?: number;
}
const doc = (reply: string | null, body?: string, status?: number): RouteDoc => ({
  reply,
  ...(body === undefined ? {} : { body }),
  ...(status === undefined ? {} : { status }),
});

/** By the last words of the path; the first that fits. */
const DOCS: readonly (readonly [route: RegExp, doc: RouteDoc])[] = [
  [/^POST \/v2\/deployments$/, doc("Deployment", "DeploymentCreate", 201)],
  [/^GET \/v2\/deployments$/, doc("DeploymentsList")],
  [/^GET \/v2\/(sessions|datasets)$/, doc("CursorPage")],
  [/^PUT |\/openai_ft$/, doc(null)],
  [/^PATCH \/v2\/deployments\/\{deployment_id\}$/, doc("Deployment", "DeploymentPatch")],
  [/^GET \/v2\/deployments\/\{deployment_id\}$/, doc("Deployment")],
  [/^POST .*\/redeploy$/, doc("Deployment")],
  [/^POST .*\/revisions$/, doc("Revision", "DeploymentPatch", 201)],
  [/^GET .*\/revisions$/, doc("RevisionsList")],
  [/^(GET|POST) .*\/(\{revision_id\}|interrupt|interruption)$/, doc("Revision")],
  [/^GET .*\/install$/, doc("Integration[]")],
  [/^GET \/v2\/listeners$/, doc("ListenersList")],
  [/^POST \/v2\/listeners$/, doc("Listener", "ListenerCreate", 201)],
  [/^PATCH .*\/\{listener_id\}$/, doc("Listener", "ListenerPatch")],
  [/^GET .*\/\{listener_id\}$/, doc("Listener")],
  [/^GET \/v2\/deployment-logs$/, doc("LogItems")],
  [/^GET .*\/logs$/, doc("Logs")],
  [/^POST .*\/(build|deploy)_logs$/, doc("Logs", "LogsRequest")],
  [/^POST .*\/upload-experiment$/, doc("Uploaded", "ExperimentUpload")],
  [/^GET .*\/sessions$/, doc("Session[]")],
  [/^GET .*\/\{session_id\}$/, doc("Session")],
  [/^GET .*\/datasets$/, doc("Dataset[]")],
  [/^GET .*\/\{dataset_id\}$/, doc("Dataset")],
  [/^GET .*\/examples$/, doc("Example[]")],
  [/^GET .*\/\{example_id\}$/, doc("Example")],
  [/^GET .*\/feedback$/, doc("Feedback[]")],
  [/^POST .*\/datasets\/\{dataset_id\}\/runs$/, doc("Example[]", "RunsRequest")],
  [/^POST .*\/experiment-runs$/, doc("CursorPage", "ExperimentRunsRequest")],
  [/^POST \/v2\/runs\/query$/, doc("CursorPage", "RunsQuery")],
  [/^DELETE .*\/sessions\/\{session_id\}$/, doc("Any", undefined, 202)],
  [/^DELETE /, doc(null, undefined, 204)],
  [/./, doc("Any")],
];

/** Of the parameters below that are no text. */
const QUERY_TYPES: Readonly<Record<string, JsonObject>> = {
  limit: { type: "integer" },
  offset: { type: "integer" },
  remote_reconciled: { type: "boolean" },
};
/** Parameters of the query, by method and path. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "GET /v2/deployments": [
    "limit",
    "offset",
    "name",
    "name_contains",
    "status",
    "deployment_ids",
    "deployment_type",
    "image_version",
    "remote_reconciled",
    "tag_value_ids",
  ],
  "GET /v2/deployments/{deployment_id}/revisions": [
    "limit",
    "offset",
    "status",
    "remote_reconciled",
  ],
  "GET /v2/listeners": ["limit", "offset"],
  "GET /v2/deployment-logs": ["deployment_id", "revision_id", "log_type"],
  "GET /api/v1/sessions": [
    "limit",
    "offset",
    "name",
    "name_contains",
    "id",
    "reference_dataset",
    "reference_free",
    "metadata",
    "sort_by",
    "sort_by_desc",
    "include_stats",
  ],
  "GET /api/v1/sessions/{session_id}": ["include_stats"],
  "GET /v2/sessions": [
    "cursor",
    "page_size",
    "name",
    "name_contains",
    "id",
    "type",
    "reference_dataset_id",
    "metadata",
    "sort_by",
    "sort_order",
    "include_stats",
  ],
  "GET /v2/sessions/{session_id}": ["include_stats"],
  "GET /v2/runs/{run_id}": ["project_id", "selects", "start_time"],
  "GET /api/v1/datasets": [
    "limit",
    "offset",
    "name",
    "name_contains",
    "id",
    "data_type",
    "metadata",
  ],
  "GET /v2/datasets": [
    "cursor",
    "page_size",
    "name",
    "name_contains",
    "id",
    "data_type",
    "metadata",
  ],
  "GET /api/v1/examples": [
    "limit",
    "offset",
    "dataset",
    "id",
    "metadata",
    "splits",
    "as_of",
    "filter",
  ],
  "GET /api/v1/feedback": [
    "limit",
    "offset",
    "run",
    "session",
    "key",
    "source",
    "has_comment",
    "has_score",
  ],
};

const schemaOf = (name: string): JsonObject =>
  name.endsWith("[]") ? arrayOf(ref(name.slice(0, -2))) : ref(name);

function toOperation(route: Route): JsonObject {
  const key = `${route.method} ${route.path}`;
  const [, found] = DOCS.find(([pattern]) => pattern.test(key))!;
  const params = [...route.path.matchAll(/\{([^}]+)\}/g)].map(
    ([, name]): JsonObject => ({
      name: name!,
      in: "path",
      required: true,
      schema: name!.endsWith("_id") ? UUID : STRING,
    }),
  );
  const query = (QUERIES[key] ?? []).map(
    (name): JsonObject => ({
      name,
      in: "query",
      schema: QUERY_TYPES[name] ?? STRING,
    }),
  );
  const refusal = (name: string): JsonObject => ({ description: name, content: json(ref(name)) });
  const fine: JsonObject = {
    description: "Success",
    ...(found.reply === null ? {} : { content: json(schemaOf(found.reply)) }),
  };
  const refusals = [400, 401, 403, 404, 405, 409, 413, 429, 501];
  return {
    parameters: [...params, ...query] as readonly Json[],
    ...(found.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(ref(found.body)) } }),
    responses: {
      [String(found.status ?? 200)]: fine,
      ...Object.fromEntries(refusals.map((status) => [String(status), refusal("Error")])),
      "422": refusal("HTTPValidationError"),
    },
    ...(route.open === true ? { security: [] } : {}),
  };
}

/** The three that docs/interface.md, "Authentication", names; the last two from docs/service.md 4. */
const SCHEMES: readonly (readonly [name: string, scheme: JsonObject])[] = [
  ["API Key", { type: "apiKey", in: "header", name: "X-Api-Key" }],
  ["Tenant ID", { type: "apiKey", in: "header", name: "X-Tenant-Id" }],
  ["Bearer Auth", { type: "http", scheme: "bearer" }],
];

/** The service as OpenAPI 3.1, as far as the options in force serve it. */
export function toOpenApi(settings: Settings): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ROUTES) {
    if (!route.served(settings) || route.refuses?.(settings) === true) continue;
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = toOperation(route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "agent-deploy emulator", version: "0.1.0" },
    security: SCHEMES.map(([name]) => ({ [name]: [] })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(SCHEMES),
      schemas: { ...requestSchemas(), ...replySchemas() },
    },
  };
}
