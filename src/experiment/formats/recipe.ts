import type { Format, Head, ReadOptions } from "./format.ts";
import { type Hook, openByMapping } from "./mapped.ts";
import { parseMapping } from "./mapping-file.ts";

/** A format as a mapping, with as little code as its tool requires. */
interface Recipe extends Omit<Format, "open" | "mapping"> {
  /** A mapping file. */
  readonly mapping: string;
  readonly hook?: (head: Head, options: ReadOptions) => Hook;
  /** Converts the JSON, if it is not simply the file's content. */
  readonly document?: (head: Head) => unknown;
}

/**
 * Whether a JSON or JSONL file has keys: for each `a | b` one of the names, with one of the
 * prefixes before all of them.
 */
export function hasKeys(head: Head, keys: readonly string[], prefixes = [""]): boolean {
  return prefixes.some((prefix) =>
    keys.every((key) => key.split(" | ").some((name) => head.keys.has(prefix + name))),
  );
}

/** A format whose rows a mapping reads, extended by its hook. */
export function createRecipe({ hook, document, ...recipe }: Recipe): Format {
  return {
    ...recipe,
    open: (given, options) => {
      const head = document === undefined ? given : { ...given, document: document(given) };
      const mapping = parseMapping(recipe.mapping, `the recipe of ${recipe.name}`);
      return openByMapping(head, mapping, hook?.(head, options) ?? {});
    },
  };
}
