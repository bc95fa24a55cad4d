import { deploymentShape, type Shape } from "../model/shape.ts";
import { spell } from "../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** One request as it is shown: no credential, no secret value. */
export interface LoggedRequest {
  readonly seq: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Null where the connection was broken instead of an answer. */
  readonly status: number | null;
  /** Kind of the fault that met it. */
  readonly fault: string | null;
}

const MASK = "***";
const CREDENTIALS = /^(x-api-key|authorization|proxy-authorization|cookie|set-cookie)$/i;

/** Headers with the credentials masked. */
export function toLoggedHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, CREDENTIALS.test(name) ? MASK : value]),
  );
}

const withoutUser = (value: Json): Json =>
  typeof value === "string" ? value.replace(/\/\/[^/@\s]*@/g, `//${MASK}@`) : value;

function maskShape(shape: Shape, value: Json): Json {
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item: Json) => maskShape(shape.item, item));
  if (shape.kind !== "struct" || !isObject(value))
    return Array.isArray(value) || isObject(value) ? maskUnknown(value) : withoutUser(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const field = shape.fields.get(key);
      if (field === undefined) return [key, maskUnknown(item)];
      return [
        key,
        field.meta.sensitive === "value"
          ? item === null || item === ""
            ? item
            : MASK
          : maskShape(field.shape, item),
      ];
    }),
  );
}

function maskUnknown(value: Json): Json {
  if (Array.isArray(value)) return value.map(maskUnknown);
  if (!isObject(value)) return withoutUser(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "value" && typeof item === "string" ? MASK : maskUnknown(item),
    ]),
  );
}

/** A body or a state dump of a deployment with everything the field table calls sensitive masked; the keys keep their dialect. */
export function maskBody(body: Json): Json {
  if (!isObject(body)) return maskUnknown(body);
  const masked = maskShape(deploymentShape, spell(body, "document"));
  const hosted =
    isObject(body["source_revision_config"]) &&
    "langgraph_config_path" in body["source_revision_config"];
  const shown = hosted ? spell(masked as JsonObject, "hosted") : (masked as JsonObject);
  return typeof body["source"] === "string" ? { ...shown, source: body["source"] } : shown;
}

const MOST_KEPT = 20_000;

/** The requests so far, oldest first; those to /_emulator are not among them. */
export interface RequestLog {
  readonly add: (entry: Omit<LoggedRequest, "seq">) => void;
  readonly list: () => readonly LoggedRequest[];
  readonly clear: () => void;
}

/** Keeps the latest 20,000 requests in memory. */
export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  let seq = 0;
  return {
    add: (entry) => {
      seq += 1;
      entries.push({ seq, ...entry });
      if (entries.length > MOST_KEPT * 1.5) entries = entries.slice(-MOST_KEPT);
    },
    list: () => entries.slice(-MOST_KEPT),
    clear: () => {
      entries = [];
      seq = 0;
    },
  };
}
