import { own, ownAt } from "../../model/json.ts";
import { inOrder } from "../input/ordered-object.ts";

/** The list at a path of keys, or an empty one. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = ownAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** The number under a key. */
export function numberAt(value: unknown, key: string): number | undefined {
  const found = own(value, key);
  return typeof found === "number" ? found : undefined;
}

/** The same of milliseconds. */
export function secondsAt(value: unknown, key: string): number | undefined {
  const ms = numberAt(value, key);
  return ms === undefined ? undefined : ms / 1000;
}

/** False for an empty text, null and undefined. */
export const isThere = (value: unknown): boolean =>
  value !== "" && value !== null && value !== undefined;

/** The first existing spelling of a key. */
export function anyOf(value: unknown, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const found = own(value, key);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The existing entries as an object; undefined if there are none. */
export function present(
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> | undefined {
  const kept = entries.filter(([, value]) => value !== undefined && value !== null);
  return kept.length === 0 ? undefined : inOrder(kept);
}
