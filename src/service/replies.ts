import { UNKNOWN_STATUS } from "../model/revision-status.ts";
import { dialectOfBody, spell } from "../model/dialect.ts";
import { type JsonObject, isObject } from "../model/json.ts";
import type {
  Integration,
  Listener,
  LiveDeployment,
  LiveRevision,
  LogTail,
} from "./control-plane.ts";
import { UnreadableReply } from "./repeat.ts";

/** A reply that must be an object; `what` names it with its article. */
export function toObject(json: unknown, what: string): JsonObject {
  if (!isObject(json)) throw new UnreadableReply(`the answer is not ${what}`);
  return json as JsonObject;
}

/** A required id: everything that follows is addressed by it. */
export function idOf(object: JsonObject, what: string): string {
  const id = object["id"];
  if (typeof id !== "string" || id === "")
    throw new UnreadableReply(`the answer is ${what} without an id`);
  return id;
}

/** A string field; empty if missing. */
export function textOf(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

/** A time as the service writes it; without an offset it is UTC rather than local time. */
export function timeOf(object: JsonObject, key: string): string {
  const text = textOf(object, key);
  return /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? `${text}Z` : text;
}

function revisionIdOf(object: JsonObject, key: string): string | null {
  const id = object[key] ?? null;
  if (id !== null && typeof id !== "string")
    throw new UnreadableReply(`the answer's ${key} is not an id`);
  return id === "" ? null : id;
}

/** An object field; empty if missing. */
export function nested(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** Reads a deployment in either dialect; keeps unknown fields and statuses. */
export function toDeployment(json: unknown): LiveDeployment {
  const reply = toObject(json, "a deployment");
  const id = idOf(reply, "a deployment");
  const body = spell(reply, "document");
  return {
    id,
    body,
    dialect: dialectOfBody(reply) ?? "document",
    name: textOf(body, "name"),
    source: textOf(body, "source"),
    status: textOf(body, "status") || UNKNOWN_STATUS,
    latest_revision_id: revisionIdOf(body, "latest_revision_id"),
    active_revision_id: revisionIdOf(body, "active_revision_id"),
    updated_at: timeOf(body, "updated_at"),
    tenant_id: textOf(body, "tenant_id") || null,
    url: textOf(body, "url") || textOf(nested(body, "source_config"), "custom_url"),
  };
}

/** Reads a revision in either dialect; `status` is whatever word the service uses. */
export function toRevision(json: unknown): LiveRevision {
  const reply = spell(toObject(json, "a revision"), "document");
  return {
    id: idOf(reply, "a revision"),
    status: textOf(reply, "status") || UNKNOWN_STATUS,
    created_at: timeOf(reply, "created_at"),
    updated_at: timeOf(reply, "updated_at"),
    status_message: textOf(reply, "status_message"),
    source_revision_config: nested(reply, "source_revision_config"),
  };
}

/** Reads an integration; `name` is the account it was installed for. */
function toIntegration(json: unknown): Integration {
  const reply = toObject(json, "an integration");
  return { id: idOf(reply, "an integration"), name: textOf(reply, "name") };
}

/**
 * Reads an install reply: a list of integrations or a single one, since contributing/interface.md
 * does not show its form.
 */
export function toIntegrations(json: unknown): readonly Integration[] {
  const single = isObject(json) && "id" in json && !("resources" in json);
  return single ? [toIntegration(json)] : toPage(json, toIntegration).items;
}

/** Reads a listener; `namespaces` is empty if it serves any. */
export function toListener(json: unknown): Listener {
  const reply = toObject(json, "a listener");
  const namespaces = nested(reply, "compute_config")["k8s_namespaces"];
  return {
    id: idOf(reply, "a listener"),
    compute_id: textOf(reply, "compute_id"),
    compute_type: textOf(reply, "compute_type"),
    namespaces: Array.isArray(namespaces)
      ? namespaces.filter((name) => typeof name === "string")
      : [],
  };
}

/**
 * One page of a list: `{resources, offset}`, or a bare array. `next` is the service's own value
 * for the next page, if any.
 */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: number | null;
}

/** Reads a page. Every item must be readable: one left out would seem not to exist. */
export function toPage<T>(json: unknown, toItem: (json: unknown) => T): Page<T> {
  const items = Array.isArray(json) ? json : toObject(json, "a list")["resources"];
  if (!Array.isArray(items)) throw new UnreadableReply("the answer is not a list");
  const offset = Array.isArray(json) ? null : (json as JsonObject)["offset"];
  return {
    items: items.map(toItem),
    next: typeof offset === "number" && Number.isSafeInteger(offset) ? offset : null,
  };
}

function toLine(entry: unknown): { readonly atMs: number; readonly text: string } {
  if (typeof entry === "string") return { atMs: NaN, text: entry };
  if (typeof entry !== "object" || entry === null) return { atMs: NaN, text: "" };
  const { timestamp, message, text, content } = entry as { readonly [key: string]: unknown };
  const said = [message, text, content].find((part) => typeof part === "string");
  const written = typeof timestamp === "string" ? Date.parse(timestamp) : NaN;
  const atMs = typeof timestamp === "number" ? timestamp : written;
  return { atMs, text: typeof said === "string" ? said : "" };
}

/** The lines of a log reply, in its order; null if it is not one. */
function toLines(json: unknown): ReturnType<typeof toLine>[] | null {
  const reply =
    typeof json === "object" && json !== null ? (json as { readonly [key: string]: unknown }) : {};
  const entries = [json, reply["logs"], reply["items"], reply["resources"]].find((list) =>
    Array.isArray(list),
  );
  return Array.isArray(entries) ? entries.map(toLine) : null;
}

const MAX_LINE_CHARS = 2000;
/** The rest of a longer line is ignored: a secret cut there is far beyond what is shown. */
const MAX_REDACTED_CHARS = 256 * 1024;

/** Fields of a log reply that say what comes next, or that nothing does. */
const NEXT_OF_LOGS = ["next_offset", "next_cursor"];

/** Whether a log has lines before those of a reply. If it does not say, it has if the reply is as long as requested. */
function hasEarlier(json: unknown, count: number, asked: number): boolean {
  const reply = isObject(json) ? json : {};
  const said = NEXT_OF_LOGS.map((key) => reply[key]).find((next) => next !== undefined);
  return said === undefined ? count >= asked : said !== null && said !== "";
}

/**
 * The last lines of a log reply, oldest first, redacted before they are cut; null if it is not
 * one. They are requested newest first, but some services ignore that.
 */
export function toLogTail(
  json: unknown,
  lines: number,
  redact: (text: string) => string = (text) => text,
): LogTail | null {
  const read = toLines(json);
  if (read === null) return null;
  const isTail = hasEarlier(json, read.length, lines);
  const times = read.map(({ atMs }) => atMs).filter((ms) => !Number.isNaN(ms));
  const dated = times.length === read.length;
  // Reversed before sorting: entries of the same time keep the order they were written in.
  const oldestFirst =
    dated && (read[0]?.atMs ?? 0) < (read.at(-1)?.atMs ?? 0) ? read : read.reverse();
  if (dated) oldestFirst.sort((a, b) => a.atMs - b.atMs);
  const all = oldestFirst
    .flatMap(({ text }) => text.split(/\r?\n/))
    .filter((line) => line.trim() !== "");
  return {
    lines: all
      .slice(-lines)
      .map((line) => redact(line.trimEnd().slice(0, MAX_REDACTED_CHARS)).slice(0, MAX_LINE_CHARS)),
    isTail: isTail || all.length > lines,
    newestMs: times.length === 0 ? null : Math.max(...times),
  };
}
