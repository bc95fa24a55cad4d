/** With the u flag a surrogate that is half of a pair is no match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * RFC 8785: keys by UTF-16 code units, numbers as ECMAScript writes them. What it forbids (numbers
 * that are not finite, lone surrogates, what is not JSON at all) throws a RangeError, or, where that
 * must not end a run, is written as JSON.stringify writes it in a list.
 */
export function canonicalJson(
  value: unknown,
  forbidden: "refused" | "written" = "refused",
): string {
  switch (typeof value) {
    case "string":
      if (forbidden === "refused" && LONE_SURROGATE.test(value))
        throw new RangeError("a string holds a lone surrogate");
      return JSON.stringify(value);
    case "number":
      if (Number.isFinite(value)) return String(value);
      if (forbidden === "refused") throw new RangeError("a number is not finite");
      return "null";
    case "boolean":
      return value ? "true" : "false";
    case "object": {
      if (value === null) return "null";
      return Array.isArray(value)
        ? listText(value, forbidden)
        : objectText(value as Readonly<Record<string, unknown>>, forbidden);
    }
    default:
      if (forbidden === "refused") throw new RangeError(`${typeof value} is not JSON`);
      return "null";
  }
}

function listText(list: readonly unknown[], forbidden: "refused" | "written"): string {
  let text = "[";
  for (let at = 0; at < list.length; at += 1)
    text += (at === 0 ? "" : ",") + canonicalJson(list[at], forbidden);
  return `${text}]`;
}

function objectText(
  value: Readonly<Record<string, unknown>>,
  forbidden: "refused" | "written",
): string {
  const keys = inOrder(Object.keys(value));
  let text = "{";
  for (let at = 0; at < keys.length; at += 1)
    text += `${at === 0 ? "" : ","}${keyText(keys[at]!, forbidden)}:${canonicalJson(value[keys[at]!], forbidden)}`;
  return `${text}}`;
}

/** Sorts in place; of the few keys that most objects have, insertion is twice as fast as Array.sort. */
function inOrder(keys: string[]): string[] {
  if (keys.length > MOST_INSERTED) return keys.sort();
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at]!;
    let to = at;
    for (; to > 0 && keys[to - 1]! > key; to -= 1) keys[to] = keys[to - 1]!;
    keys[to] = key;
  }
  return keys;
}
const MOST_INSERTED = 12;

/** Keys as they are written: the same few come back in every row and every document. */
const KEY_TEXTS = new Map<string, string>();
const MOST_KEPT_KEYS = 1000;
const MOST_KEPT_CHARS = 64;

function keyText(key: string, forbidden: "refused" | "written"): string {
  const known = KEY_TEXTS.get(key);
  if (known !== undefined) return known;
  const text = canonicalJson(key, forbidden);
  if (KEY_TEXTS.size < MOST_KEPT_KEYS && key.length <= MOST_KEPT_CHARS && !LONE_SURROGATE.test(key))
    KEY_TEXTS.set(key, text);
  return text;
}
