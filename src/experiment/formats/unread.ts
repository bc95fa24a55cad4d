import { isObject } from "../../model/json.ts";

/**
 * What a reader knows about a record: a key with `true` is read, sent or known to be no score,
 * including everything below it; other keys are known as far as their values say. Lists are
 * iterated; `*` means every other key.
 */
export interface KnownFields {
  readonly [key: string]: true | KnownFields;
}

/** Names of tools' own fields, all known. */
export function known(...keys: readonly string[]): Record<string, true> {
  return Object.fromEntries(keys.map((key) => [key, true as const]));
}

/** How many names are reported per record. */
const MAX_NAMES = 20;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;
const NONE: readonly string[] = [];

/**
 * Paths of unknown numbers and booleans in a record: they may be scores, which must not be lost
 * silently. Empty if there are none.
 */
export function unreadOf(record: unknown, fields: KnownFields): readonly string[] {
  const names = new Set<string>();
  walk(record, fields, { path: "", depth: 0, names });
  return names.size === 0 ? NONE : [...names];
}

function walk(
  value: unknown,
  fields: KnownFields,
  at: { readonly path: string; readonly depth: number; readonly names: Set<string> },
): void {
  if (at.names.size >= MAX_NAMES || at.depth > MAX_DEPTH) return;
  if (typeof value === "number" || typeof value === "boolean") at.names.add(at.path);
  else if (Array.isArray(value))
    for (const item of value.slice(0, MAX_ITEMS))
      walk(item, fields, { ...at, path: `${at.path}[]`, depth: at.depth + 1 });
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const below = Object.hasOwn(fields, key) ? fields[key]! : (fields["*"] ?? {});
      if (below === true) continue;
      const path = at.path === "" ? key : `${at.path}.${key}`;
      walk(value[key], below, { path, depth: at.depth + 1, names: at.names });
    }
}
