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
  const found: Found = { names: undefined };
  walk(record, fields, { path: "", depth: 0, found, counts });
  return found.names === undefined ? NONE : [...found.names];
}

/** Made at the first name: most records have none. */
interface Found {
  names: Set<string> | undefined;
}

interface At {
  readonly path: string;
  readonly depth: number;
  readonly found: Found;
  readonly counts: (value: unknown) => boolean;
}

function walk(value: unknown, fields: KnownFields, at: At): void {
  const { path, found } = at;
  if ((found.names?.size ?? 0) >= MAX_NAMES || at.depth > MAX_DEPTH) return;
  const depth = at.depth + 1;
  if (Array.isArray(value))
    for (const item of value.slice(0, MAX_ITEMS))
      walk(item, fields, { ...at, path: `${path}[]`, depth });
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const below = Object.hasOwn(fields, key) ? fields[key]! : (fields["*"] ?? {});
      if (below === true) continue;
      walk(value[key], below, { ...at, path: path === "" ? key : `${path}.${key}`, depth });
    }
  else if (at.counts(value)) {
    found.names ??= new Set();
    found.names.add(path);
  }
}
