import type { Format, Head } from "./format.ts";
import { type Hook, openByMapping } from "./mapped.ts";
import { parseMapping } from "./mapping-file.ts";

/** A format as a mapping, and as little code as its tool makes necessary. */
interface Recipe extends Omit<Format, "open" | "mapping"> {
  /** A mapping file. */
  readonly mapping: string;
  readonly hook?: (head: Head) => Hook;
  /** Where the JSON is not simply what the file holds. */
  readonly document?: (head: Head) => unknown;
}

/** Whether a file has keys: each of `a | b` one of its names, with one of the prefixes before all of them. */
export function hasKeys(head: Head, keys: readonly string[], prefixes = [""]): boolean {
  return prefixes.some((prefix) =>
    keys.every((key) => key.split(" | ").some((name) => head.keys.has(prefix + name))),
  );
}

/** A format whose rows a mapping reads, with what its hook adds. */
export function createRecipe({ hook, document, ...recipe }: Recipe): Format {
  return {
    ...recipe,
    open: (given) => {
      const head = document === undefined ? given : { ...given, document: document(given) };
      const mapping = parseMapping(recipe.mapping, `the recipe of ${recipe.name}`);
      return openByMapping(head, mapping, hook?.(head) ?? {});
    },
  };
}
