import { plural } from "../../model/count-words.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import { own } from "../input/lenient-json.ts";
import type { Mapping } from "./mapping.ts";
import { nestedRows, parseRowsPath, type NestedRow } from "./nested-rows.ts";

/** Names for a separate list of crashed cases. */
const FAILED = /^(?:failures?|failed(?:_\w+)?|errors?|errored|crash(?:es|ed)?|exceptions?)$/i;

/** Rows of one list of a document; rejects a path that finds no list, a mistake that would lose rows. */
export function rowsAt(file: string, document: unknown, path: string): NestedRow[] {
  const steps = parseRowsPath(path);
  const at = steps[0]?.keys.reduce<unknown>((inner, key) => own(inner, key), document);
  if (Array.isArray(at) || (isObject(at) && steps[0]?.each === "values"))
    return [...nestedRows(document, steps)];
  throw refusal({ file }, `the file has no rows at "${path}"`);
}

/** Lists of failed cases next to a list of rows, by path. */
export function failureLists(
  document: unknown,
  rows: string,
): { readonly path: string; readonly items: readonly Readonly<Record<string, unknown>>[] }[] {
  const keys = rows.replace(/\[\]$/, "").split(".");
  if (rows === "" || keys.some((key) => key === "*" || key.endsWith("[]"))) return [];
  const around = keys.slice(0, -1);
  const parent = around.reduce<unknown>((inner, key) => own(inner, key), document);
  return Object.entries(isObject(parent) ? parent : {}).flatMap(([key, items]) =>
    FAILED.test(key) && key !== keys.at(-1) && Array.isArray(items) && items.every(isObject)
      ? [{ path: [...around, key].join("."), items }]
      : [],
  );
}

/** Warns of crashed cases that a mapping leaves out: a crash would count as better than a wrong answer. */
export function warnOfFailures(
  document: unknown,
  { rows: [rows = ""], moreRows }: Mapping,
): string[] {
  return failureLists(document, rows)
    .filter(({ path, items }) => items.length > 0 && !moreRows.includes(path))
    .map(
      ({ path, items }) =>
        `the file has ${plural(items.length, "entry", "entries")} under ${path} that the mapping does not read: cases that crashed are rows too (rows: [${[rows, ...moreRows, path].join(", ")}], with an error)`,
    );
}
