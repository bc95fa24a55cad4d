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

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "boolean";

/**
 * Paths of unknown numbers and booleans in a record: they may be scores, which must not be lost
 * silently. Empty if there are none. In a table, whose cells are text, `counts` knows numbers.
 */
export function unreadOf(
  record: unknown,
  fields: KnownFields,
  counts: (value: unknown) => boolean = isNumber,
): readonly string[] {
  const names = new Set<string>();
  walk(record, fields, { path: "", depth: 0, names, counts });
  return names.size === 0 ? NONE : [...names];
}

interface At {
  readonly path: string;
  readonly depth: number;
  readonly names: Set<string>;
  readonly counts: (value: unknown) => boolean;
}

function walk(value: unknown, fields: KnownFields, at: At): void {
  if (at.names.size >= MAX_NAMES || at.depth > MAX_DEPTH) return;
  const below = { ...at, depth: at.depth + 1 };
  if (Array.isArray(value))
    for (const item of value.slice(0, MAX_ITEMS))
      walk(item, fields, { ...below, path: `${at.path}[]` });
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const inner = Object.hasOwn(fields, key) ? fields[key]! : (fields["*"] ?? {});
      if (inner !== true)
        walk(value[key], inner, { ...below, path: at.path === "" ? key : `${at.path}.${key}` });
    }
  else if (at.counts(value)) at.names.add(at.path);
}
