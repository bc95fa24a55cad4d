import { toSchema } from "../control/schema.ts";
import { SOURCE_WORDS } from "../rules/validation.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Settings } from "../options.ts";
import { isServed, ROUTES, type Route } from "./route.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });
const STRING: JsonObject = { type: "string" };
const UUID: JsonObject = { type: "string", format: "uuid" };

/** Kinds of values in a reply, by their word in the rows below. */
const KINDS: Readonly<Record<string, JsonObject>> = {
  text: STRING,
  uuid: UUID,
  time: { type: "string", format: "date-time" },
  count: { type: "integer" },
  step: { type: ["string", "integer"] },
  flag: { type: "boolean" },
  object: { type: "object" },
  any: {},
};

/** The schema of a word: `[]` marks a list, `?` a nullable value; other words name schemas. */
function kindOf(word: string): JsonObject {
  if (word.endsWith("?")) return { anyOf: [kindOf(word.slice(0, -1)), { type: "null" }] };
  if (word.endsWith("[]")) return { type: "array", items: kindOf(word.slice(0, -2)) };
  return KINDS[word] ?? ref(word);
}

/** A schema from `name:kind` fields; those of `optional` may be absent. */
function record(required: string, optional = ""): JsonObject {
  const fieldsOf = (text: string): JsonObject =>
    Object.fromEntries(
      [...text.matchAll(/(\S+):(\S+)/g)].map(([, name, kind]) => [name, kindOf(kind!)]),
    );
  const own = fieldsOf(required);
  const properties = { ...own, ...fieldsOf(optional) };
  return { type: "object", properties, required: Object.keys(own) };
}

/** The schemas of replies, by the names that `Endpoint.reply` uses. */
const REPLIES: JsonObject = {
  Any: {},
  Error: record("detail:text"),
  HTTPValidationError: record("detail:ValidationError[]"),
  ValidationError: record("loc:step[] msg:text type:text"),
  Source: { enum: SOURCE_WORDS },
  Secret: record("name:text value:text?"),
  Deployment: record(
    "name:text source:Source source_config:object source_revision_config:object secrets:Secret[] id:uuid status:text created_at:time updated_at:time latest_revision_id:uuid? active_revision_id:uuid?",
    "tenant_id:uuid image_version:text? url:text?",
  ),
  Revision: record(
    "id:uuid created_at:time updated_at:time status:text source:Source source_revision_config:object",
  ),
  DeploymentsList: record("resources:Deployment[] offset:count"),
  RevisionsList: record("resources:Revision[] offset:count"),
  Integration: record("id:uuid installation_id:count name:text"),
  Listener: record(
    "id:uuid compute_type:text compute_id:text compute_config:object created_at:time updated_at:time",
  ),
  ListenersList: record("resources:Listener[] offset:count"),
  Line: record("id:text timestamp:time level:text message:text"),
  Logs: record("logs:Line[] next_offset:text?"),
  LogItems: record("items:Line[] next_cursor:text?"),
  Dataset: record(
    "id:uuid name:text tenant_id:uuid created_at:time data_type:text externally_managed:flag example_count:count session_count:count",
  ),
  Session: record("id:uuid name:text tenant_id:uuid start_time:time reference_dataset_id:uuid?"),
  Example: record("id:uuid dataset_id:uuid inputs:object outputs:object?"),
  Feedback: record("id:uuid run_id:uuid? key:text"),
  Uploaded: record("dataset:Dataset experiment:Session"),
  CursorPage: record("items:object[] next_cursor:text?"),
};

/** Types of the query parameters that are not text. */
const QUERY_TYPES: Readonly<Record<string, JsonObject>> = {
  limit: { type: "integer" },
  offset: { type: "integer" },
  remote_reconciled: { type: "boolean" },
};

function toOperation(route: Route, settings: Settings): JsonObject {
  const names = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  const params = names.map(
    (name): JsonObject => ({
      name,
      in: "path",
      required: true,
      schema: name.endsWith("_id") ? UUID : STRING,
    }),
  );
  const query = (route.query ?? []).map(
    (name): JsonObject => ({ name, in: "query", schema: QUERY_TYPES[name] ?? STRING }),
  );
  const refusal = (name: string): JsonObject => ({ description: name, content: json(ref(name)) });
  const fine: JsonObject = {
    description: "Success",
    ...(route.reply === null ? {} : { content: json(kindOf(route.reply)) }),
  };
  const refusals = [400, 401, 403, 404, 405, 409, 413, 429, 501];
  return {
    parameters: [...params, ...query] as readonly Json[],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.mayLackBody !== true,
            content: json(toSchema(route.body(settings))),
          },
        }),
    responses: {
      [String(route.status?.(settings) ?? 200)]: fine,
      ...Object.fromEntries(refusals.map((status) => [String(status), refusal("Error")])),
      "422": refusal("HTTPValidationError"),
    },
    ...(route.open === true ? { security: [] } : {}),
  };
}

/**
 * The three schemes in contributing/interface.md, "Authentication"; the last two are from
 * contributing/service.md 4.
 */
const SCHEMES: readonly (readonly [name: string, scheme: JsonObject])[] = [
  ["API Key", { type: "apiKey", in: "header", name: "X-Api-Key" }],
  ["Tenant ID", { type: "apiKey", in: "header", name: "X-Tenant-Id" }],
  ["Bearer Auth", { type: "http", scheme: "bearer" }],
];

/** The service as OpenAPI 3.1, as far as the current options serve it. */
export function toOpenApi(settings: Settings): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ROUTES) {
    if (isServed(route, settings) !== true) continue;
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = toOperation(route, settings);
  }
  return {
    openapi: "3.1.0",
    info: { title: "agent-deploy emulator", version: "0.1.0" },
    security: SCHEMES.map(([name]) => ({ [name]: [] })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(SCHEMES),
      schemas: REPLIES,
    },
  };
}
