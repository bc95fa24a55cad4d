import * as z from "zod/v4";
import { ANY, must, object } from "../control/schema.ts";
import { isSensitive } from "../../model/sensitive.ts";
import { deploymentShape } from "../../model/shape.ts";
import type { Shape } from "../../model/field-shape.ts";
import { isObject, parseJson, withMembers, type Json } from "../../model/json.ts";

/** One request in the log, secrets masked. */
export const LOGGED_REQUEST = object({
  seq: must(z.int().min(0), "Its number, from 1 on."),
  at: must(z.string(), "When it came."),
  method: must(z.string(), "Method in capitals."),
  path: must(z.string(), "Path as it was asked for."),
  query: must(z.string(), "What came after the question mark."),
  headers: must(z.record(z.string(), z.string()), "Credentials are masked."),
  body: must(ANY, "Null where there was none."),
  status: must(
    z.int().min(0).nullable(),
    "Null where the connection was broken instead of an answer.",
  ),
  fault: must(z.string().nullable(), "Kind of the fault that met it."),
});
/** See `LOGGED_REQUEST`. */
export type LoggedRequest = z.infer<typeof LOGGED_REQUEST>;

const MASK = "***";
const CREDENTIALS = /^(x-api-key|authorization|proxy-authorization|cookie|set-cookie)$/i;

/** Headers with masked credentials. */
export const toLoggedHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  withMembers(Object.fromEntries(headers), (value, name) =>
    CREDENTIALS.test(name) ? MASK : value,
  );

const withoutUser = (value: Json): Json =>
  typeof value === "string" ? value.replace(/\/\/[^/@\s]*@/g, `//${MASK}@`) : value;

/** Whether something else is in place of a list or object of the table: it may contain their values. */
function isMisplaced(value: Json, shape?: Shape): boolean {
  if (value === null || value === "") return false;
  return shape?.kind === "list" || (shape?.kind === "struct" && !isObject(value));
}

/** Masks values that the field table calls sensitive or, for unknown fields, that have a sensitive name. */
function mask(value: Json, shape?: Shape): Json {
  if (Array.isArray(value))
    return value.map((item: Json) => mask(item, shape?.kind === "list" ? shape.item : undefined));
  if (isMisplaced(value, shape)) return MASK;
  if (!isObject(value)) return withoutUser(value);
  const fields = shape?.kind === "struct" ? shape.fields : undefined;
  return withMembers(value, (item, key) => {
    const field = fields?.get(key);
    if (!isSensitive(shape, key)) return mask(item, field?.shape);
    const isShown =
      item === null || item === "" || (field === undefined && typeof item !== "string");
    return isShown ? mask(item) : MASK;
  });
}

/** Masks everything sensitive in a body or a state dump of a deployment, in either dialect. */
export const maskBody = (body: Json): Json =>
  mask(body, isObject(body) ? deploymentShape : undefined);

const MAX_KEPT = 20_000;
const MAX_BODY_CHARS = 64 * 1024;

/** A body as logged: if it is too large, only its size in characters. */
function toKeptBody(body: Json): Json {
  const chars = JSON.stringify(body).length;
  return chars <= MAX_BODY_CHARS ? body : { "too large to be kept": chars };
}

const MAX_REPLIES = 1000;
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

/** Keeps the latest 20,000 requests in memory, fewer if their bodies are large, and the latest 1,000 responses. */
export function createRequestLog() {
  let entries: LoggedRequest[] = [];
  let chars = 0;
  let seq = 0;
  const replies = new Map<number, string>();
  const sizeOf = ({ body }: LoggedRequest): number => JSON.stringify(body).length;
  return {
    add: (entry: Omit<LoggedRequest, "seq">, reply: string): void => {
      seq += 1;
      const kept = { seq, ...entry, body: toKeptBody(entry.body) };
      entries.push(kept);
      chars += sizeOf(kept);
      while (entries.length > MAX_KEPT || (chars > MAX_KEPT_CHARS && entries.length > 1))
        chars -= sizeOf(entries.shift()!);
      if (reply.length <= MAX_BODY_CHARS) replies.set(seq, reply);
      replies.delete(seq - MAX_REPLIES);
    },
    /** The requests so far, oldest first; without those to /_emulator. */
    list: (): readonly LoggedRequest[] => [...entries],
    /** The response to a request, masked; null if it was not JSON, too large, or too long ago. */
    replyTo: (asked: number): Json =>
      maskBody((parseJson(replies.get(asked) ?? "") as Json | undefined) ?? null),
    clear: (): void => {
      entries = [];
      replies.clear();
      chars = 0;
      seq = 0;
    },
  };
}
