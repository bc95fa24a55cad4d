import { isObject } from "../../model/json.ts";
import { changeItems, withEntries } from "./scored.ts";

/** Keys of a chat message that change with every run and are not part of the question. */
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
const LANGCHAIN_TYPES: ReadonlySet<unknown> = new Set([
  "human",
  "ai",
  "AIMessageChunk",
  "system",
  "tool",
]);

/** Chat roles of the tested agent's side: what it said and what its tools returned. */
const AGENT_ROLES: ReadonlySet<string> = new Set([
  "assistant",
  "ai",
  "AI",
  "AIMessageChunk",
  "model",
  "tool",
  "function",
  "agent",
  "bot",
]);
const ASKING_ROLES: ReadonlySet<string> = new Set(["user", "human", "system", "developer"]);

/** Fields of a message part that make its id irrelevant; an image with only an id keeps it. */
const PART_CONTENT = [
  "text",
  "content",
  "image_url",
  "url",
  "data",
  "base64",
  "source",
  "file",
  "inlineData",
  "inline_data",
  "input_audio",
];
const MADE_UP_IN_PARTS: ReadonlySet<string> = new Set([...MADE_UP, "tool_use_id", "tool_call_id"]);

type Fields = Readonly<Record<string, unknown>>;

/** A chat message as written by OpenAI, Anthropic, LangChain and similar libraries. */
function isMessage(value: Fields): boolean {
  if (typeof value["role"] === "string")
    return "content" in value || "parts" in value || "tool_calls" in value;
  return "content" in value && LANGCHAIN_TYPES.has(value["type"]);
}

/** `["user", "hi"]`, which LangChain accepts as a message too. */
function isPair(value: unknown): value is readonly [role: string, content: unknown] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const role: unknown = value[0];
  return typeof role === "string" && (AGENT_ROLES.has(role) || ASKING_ROLES.has(role));
}

/** The class of a message that LangChain serialised with its constructor (`HumanMessage`), else undefined. */
function classOf(value: Fields): string | undefined {
  if (value["lc"] === undefined || !isObject(value["kwargs"]) || !Array.isArray(value["id"]))
    return undefined;
  const name: unknown = value["id"].at(-1);
  return typeof name === "string" && /^[A-Za-z]{1,20}Message(?:Chunk)?$/.test(name)
    ? name
    : undefined;
}

/**
 * The field with the message in LangChain's serialised form: `{lc, id, kwargs: {…}}` or `{type:
 * "human", data: {…}}`.
 */
function holderOf(value: Fields): "kwargs" | "data" | null {
  if (classOf(value) !== undefined) return "kwargs";
  const { type, data } = value;
  return LANGCHAIN_TYPES.has(type) && isObject(data) && "content" in data ? "data" : null;
}

const isTurn = (item: unknown): boolean =>
  isPair(item) || (isObject(item) && (isMessage(item) || holderOf(item) !== null));

function isAgents(turn: unknown): boolean {
  if (isPair(turn)) return AGENT_ROLES.has(turn[0]);
  if (!isObject(turn)) return false;
  const name = classOf(turn);
  if (name !== undefined) return /^(?:AI|Tool|Function)Message/.test(name);
  const speaker = turn["role"] ?? turn["type"];
  return typeof speaker === "string" && AGENT_ROLES.has(speaker);
}

/** A conversation without the agent's turns; the same list if it is no conversation, or nothing else is in it. */
function askedIn(list: readonly unknown[]): readonly unknown[] {
  if (!list.every(isTurn)) return list;
  const asked = withoutAgentTurns(list);
  return asked.length === 0 || asked.length === list.length ? list : asked;
}

const isPart = (value: unknown): value is Fields =>
  isObject(value) && PART_CONTENT.some((name) => name in value);

/** The content of a message: its parts without their own ids. */
function stableContent(value: unknown): unknown {
  if (!Array.isArray(value) || value.every(isTurn)) return stableInputs(value);
  return changeItems(value, (part) =>
    isPart(part) ? stableFields(part, MADE_UP_IN_PARTS) : stableInputs(part),
  );
}

/**
 * An object without some of its fields, and without made-up values in the others; the same object
 * if nothing changes.
 */
function stableFields(value: Fields, without: ReadonlySet<string> | null): Fields {
  const isWhole = without === MADE_UP;
  const changed = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    if (without?.has(key) === true) {
      changed.set(key, undefined);
      continue;
    }
    const inner =
      isWhole && (key === "content" || key === "parts")
        ? stableContent(value[key])
        : stableInputs(value[key]);
    if (inner !== value[key]) changed.set(key, inner);
  }
  return changed.size === 0 ? value : withEntries(value, changed);
}

/**
 * The inputs without what a run makes up: ids and times of chat messages and their parts, and the
 * agent's own turns. The same object if nothing changes.
 */
export function stableInputs(value: unknown): unknown {
  if (Array.isArray(value))
    return changeItems(askedIn(value), (item) => {
      if (!isPair(item)) return stableInputs(item);
      const content = stableContent(item[1]);
      return content === item[1] ? item : [item[0], content];
    });
  if (!isObject(value)) return value;
  const holder = holderOf(value);
  if (holder !== null) {
    const inner = stableFields(value[holder] as Fields, MADE_UP);
    return inner === value[holder] ? value : { ...value, [holder]: inner };
  }
  return stableFields(value, isMessage(value) ? MADE_UP : null);
}

/** A list that a run may shuffle, in a fixed order. */
export function sortedForIdentity(list: readonly unknown[]): unknown[] {
  return list
    .map((item) => ({ item, text: JSON.stringify(item) ?? "" }))
    .sort((a, b) => Number(a.text > b.text) - Number(a.text < b.text))
    .map(({ item }) => item);
}

/** A conversation without the agent's turns, which are outputs. */
export function withoutAgentTurns(turns: readonly unknown[]): unknown[] {
  return turns.filter((turn) => !isAgents(turn));
}

const DATE = String.raw`\d{4}-?\d\d-?\d\d`;
/** To the second, possibly with fraction and zone, or to the minute. */
const CLOCK = String.raw`(?:[T_ -]?\d\d[-_: ]?\d\d[-_: ]?\d\d(?:[.,]\d{1,9})?(?:[-+]\d\d[-:]?\d\d|Z(?![a-z]))?|[T_ -]\d\d[-_: ]?\d\d(?!\d))`;
const DAY = String.raw`(?<!\d)20\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)`;
const SINCE_1970 = String.raw`\d{13}|\d{10}(?:\.\d{1,9}(?!\d))?`;
const UUID = "(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])";
/** Stamps that a run adds to a name. A number after a stamp at the end counts files of the same second. */
const STAMP = new RegExp(
  String.raw`[-_. ]?(?:${UUID}|${DATE}${CLOCK}|${DAY}|${SINCE_1970})(?:[-_. ]\d{1,3}$)?[-_. ]?`,
  "gi",
);

/** A name without the stamps of a run; empty if it is only a stamp. */
export function withoutStamps(name: string): string {
  return name.replace(STAMP, "");
}
