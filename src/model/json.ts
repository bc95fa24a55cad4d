/** Anything that JSON.parse can return. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; never modified in place. */
export type JsonObject = { readonly [key: string]: Json };

/** Narrows to an object: neither an array nor null. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The items of a list; none of anything else. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The value under an own key, never one inherited from Object.prototype. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The same for a path of keys. */
export function ownAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => own(at, key), value);
}

/** The own value under a key if it is a string. */
export function ownString(value: unknown, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === "string" ? found : undefined;
}

/** Maps the members of an object; one that maps to undefined is left out. */
export function withMembers<K extends string, T, U>(
  value: Readonly<Record<K, T>>,
  change: (item: T, key: K) => U | undefined,
): Readonly<Record<K, U>> {
  const changed: [string, U][] = [];
  for (const [key, item] of Object.entries<T>(value)) {
    const next = change(item, key as K);
    if (next !== undefined) changed.push([key, next]);
  }
  return Object.fromEntries(changed) as Record<K, U>;
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deep equality of two JSON values, whatever the order of their keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameJson(a[key], b[key]));
}

/** No real document nests deeper; one that does is an attack on whatever walks it. */
export const MAX_JSON_DEPTH = 200;

/** Whether a parsed JSON value nests deeper than `levels`. It stops there, so it cannot overflow the stack. */
export function nestsDeeper(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    // By index: `for … in` makes a text of each, which costs more than all the rest.
    for (let at = 0; at < value.length; at++) if (nestsDeeper(value[at], levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const below = (value as Record<string, unknown>)[key];
    if (typeof below === "object" && nestsDeeper(below, levels - 1)) return true;
  }
  return false;
}
