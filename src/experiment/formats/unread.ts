import { isObject } from "../../model/json.ts";

/** Whether a field is read, sent or known to be no score, with everything below it; by its joined keys. */
export type Known = (keys: string) => boolean;

/** Joins the keys of a field, which may contain dots themselves. */
const JOINT = "\u0000";

/** Whether a field is within another. */
export const isNested = (keys: string): boolean => keys.includes(JOINT);

/**
 * Fields by their paths, through lists without saying so; a list is a path, which may be one key
 * with dots, and the keys below it. `*` is any key.
 */
export function createKnown(paths: readonly (string | readonly string[])[]): Known {
  const ways = paths.flatMap((path) => {
    const [name = "", ...below] = [path].flat();
    const steps = name.replace(/(?:\[\d*\])+(?=\.|$)/g, "").split(".");
    return [
      [name, ...below],
      [...steps, ...below],
    ];
  });
  const known = new Set(ways.map((keys) => keys.join(JOINT)));
  const hasStars = ways.some((keys) => keys.includes("*"));
  return (keys) =>
    known.has(keys) ||
    (hasStars && keys.split(JOINT).some((_, n, each) => known.has(each.with(n, "*").join(JOINT))));
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
  isKnown: Known = () => false,
  counts: (value: unknown) => boolean = isNumber,
): readonly string[] {
  /** Made at the first name: most records have none. */
  let names: Set<string> | undefined;
  const walk = (value: unknown, path: string, keys: string, depth: number): void => {
    if ((names?.size ?? 0) >= MAX_NAMES || depth > MAX_DEPTH) return;
    if (Array.isArray(value))
      for (const item of value.slice(0, MAX_ITEMS)) walk(item, `${path}[]`, keys, depth + 1);
    else if (isObject(value))
      for (const key of Object.keys(value)) {
        // Most fields are texts, whose paths matter only where one may count.
        if (counts === isNumber && typeof value[key] === "string") continue;
        const inner = depth === 0 || keys === "" ? key : keys + JOINT + key;
        if (!isKnown(inner))
          walk(value[key], path === "" ? key : `${path}.${key}`, inner, depth + 1);
      }
    else if (counts(value)) names = (names ?? new Set()).add(path);
  };
  walk(record, "", "", 0);
  return names === undefined ? NONE : [...names];
}
