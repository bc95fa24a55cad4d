/** Plain JSON, as it travels. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A body as it came or goes: nobody changes it in place. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is a JSON object (no list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality of two JSON values; key order does not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameJson(a[key], b[key]));
}
