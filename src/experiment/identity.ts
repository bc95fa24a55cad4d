import { isObject } from "../model/json.ts";

/** Keys of a chat message that are new in every run, and say nothing about what was asked. */
const MADE_UP: ReadonlySet<string> = new Set([
  "id",
  "uuid",
  "message_id",
  "messageId",
  "created_at",
  "createdAt",
  "updated_at",
  "updatedAt",
  "timestamp",
  "response_metadata",
  "usage_metadata",
]);
const LANGCHAIN_TYPES: ReadonlySet<unknown> = new Set(["human", "ai", "system", "tool"]);

/** Roles of a chat that are the tested agent's side: what it said and what its tools gave back. */
const AGENT_ROLES: ReadonlySet<string> = new Set([
  "assistant",
  "ai",
  "AI",
  "model",
  "tool",
  "function",
  "agent",
  "bot",
]);

/** A chat message as OpenAI, Anthropic, LangChain and their relatives write it. */
function isMessage(value: Readonly<Record<string, unknown>>): boolean {
  if (typeof value["role"] === "string")
    return "content" in value || "parts" in value || "tool_calls" in value;
  return "content" in value && LANGCHAIN_TYPES.has(value["type"]);
}

/**
 * What is left of a conversation without the agent's turns; the same list where it is none, or
 * nothing else is in it.
 */
function askedIn(list: readonly unknown[]): readonly unknown[] {
  if (!list.every((item) => isObject(item) && isMessage(item))) return list;
  const asked = withoutAgentTurns(list);
  return asked.length === 0 || asked.length === list.length ? list : asked;
}

/**
 * The inputs without what a run makes up: ids and times of chat messages, and the agent's own turns. The same object
 * where nothing goes.
 */
export function stableInputs(value: unknown): unknown {
  if (Array.isArray(value)) {
    const asked = askedIn(value);
    const copy = asked.map(stableInputs);
    return asked !== value || copy.some((item, index) => item !== value[index]) ? copy : value;
  }
  if (!isObject(value)) return value;
  const message = isMessage(value);
  let changed = false;
  const kept = Object.keys(value).flatMap((key): [string, unknown][] => {
    if (message && MADE_UP.has(key)) {
      changed = true;
      return [];
    }
    const inner = stableInputs(value[key]);
    if (inner !== value[key]) changed = true;
    return [[key, inner]];
  });
  return changed ? Object.fromEntries(kept) : value;
}

const MESSAGE_MARKS = ['"role"', '"type"'].map((mark) => Buffer.from(mark));
const MADE_UP_MARKS = [...MADE_UP, ...AGENT_ROLES].map((word) => Buffer.from(`"${word}"`));

/**
 * Whether a JSON text may hold chat messages with something made up in them: then it has to be
 * parsed to know its identity.
 */
export function mayHoldMessages(octets: Uint8Array, from: number, to: number): boolean {
  if (to - from < 40) return false;
  const text = Buffer.from(octets.buffer as ArrayBuffer, octets.byteOffset + from, to - from);
  return (
    MESSAGE_MARKS.some((mark) => text.includes(mark)) &&
    MADE_UP_MARKS.some((mark) => text.includes(mark))
  );
}

/** A list whose order a run may shuffle, in an order of its own. */
export function sortedForIdentity(list: readonly unknown[]): unknown[] {
  return list
    .map((item) => ({ item, text: JSON.stringify(item) ?? "" }))
    .sort((a, b) => {
      if (a.text === b.text) return 0;
      return a.text < b.text ? -1 : 1;
    })
    .map(({ item }) => item);
}

/** A conversation separated into what was put in and the whole of it: the agent's own turns are outputs. */
export function withoutAgentTurns(turns: readonly unknown[]): unknown[] {
  return turns.filter((turn) => {
    if (!isObject(turn)) return true;
    const speaker = turn["role"] ?? turn["type"];
    return typeof speaker !== "string" || !AGENT_ROLES.has(speaker);
  });
}
