import { isObject } from "../../model/json.ts";
import { type JsonRow, scoreKeyOf, scoreNameOf } from "./row-lists.ts";
import { meantBy, oppositeOf } from "./verdict-words.ts";
import {
  type Column,
  isWholeField,
  scoresIn,
  unknownWords,
  wordsOf,
} from "./mapping-draft-columns.ts";

/** A mapping as it is written: its fields in order, with their sources. */
export type WrittenMapping = Record<string, unknown>;

/**
 * A mapping that begins with the fields by which it reaches its rows. `add` returns the field of a
 * column: a second one with the same name is named by its path. `leaveOut` is for the rows with
 * a word, or with one of several, in a column.
 */
export function createMapping(reach: WrittenMapping) {
  const mapping = { ...reach };
  let columns = 0;
  const add = (root: string, name: string, column: Column, source?: unknown): string => {
    const isScore = root === "evaluation_scores";
    const names = [column.path, `${column.path}_${columns}`].map(plainName);
    const fields = [isScore ? name : plainName(name), ...names].map((one) => `${root}.${one}`);
    if (!isScore && isWholeField(column)) fields.unshift(root);
    const field = fields.find((one) => !Object.hasOwn(mapping, one))!;
    columns += 1;
    mapping[field] = source ?? pathOf(column);
    return field;
  };
  const leaveOut = (path: string, words: string | readonly string[]): void => {
    const where = (mapping["where"] ?? {}) as Readonly<Record<string, { readonly not?: unknown }>>;
    const before = where[path]?.not;
    const not = before === undefined ? words : [before, words].flat();
    mapping["where"] = { ...where, [path]: { not } };
  };
  return { mapping, add, leaveOut };
}

/** A column as a mapping names it. */
export const pathOf = ({ path, optional }: Column): string => (optional ? `${path}?` : path);

/** What a draft has for the number of a word without a known meaning: a mapping with it is refused. */
const TO_FILL_IN = "THE_NUMBER_IT_COUNTS";

/** A column as the source of a score, with the numbers for its words. */
export function scoreOf(column: Column): unknown {
  const words = [...wordsOf(column)];
  const unknown = unknownWords(column);
  const meant = words.filter(
    (word) =>
      unknown.includes(word) ||
      (typeof meantBy(word) === "number" && !/^(?:true|false)$/i.test(word)),
  );
  const others = words.some((word) => ["crash", "skipped"].includes(meantBy(word) as string));
  if (meant.length === 0 && !others) return pathOf(column);
  return {
    column: column.path,
    words: Object.fromEntries(
      withOpposites(meant).map((word) => [word.trim(), meantBy(word) ?? TO_FILL_IN]),
    ),
    ...(column.optional ? { optional: true } : {}),
  };
}

/** Where all rows ended alike, the word for the other end too: the next file may have it. */
function withOpposites(words: readonly string[]): readonly string[] {
  const isOneSided = new Set(words.map(meantBy)).size === 1;
  const others = isOneSided ? words.flatMap((word) => oppositeOf(word) ?? []) : [];
  return [...words, ...new Set(others)];
}

function itemOf(column: Column): { readonly isList: boolean; readonly item: JsonRow } {
  const held = scoresIn(column) as object;
  return { isList: Array.isArray(held), item: Object.values(held)[0] as JsonRow };
}

/** Where the numbers of a column of scores are. */
export function listPathOf(column: Column): string {
  const { isList, item } = itemOf(column);
  return `${column.path}${isList ? "[]" : ".*"}.${scoreKeyOf(item)}`;
}

/** A column of scores, in a list or by name, as a mapping writes it. */
export function listOf(column: Column): unknown {
  const { isList, item } = itemOf(column);
  const comment = [
    "reason",
    "comment",
    "explanation",
    "rationale",
    "feedback",
    "message",
    "details",
  ].find((name) => typeof item[name] === "string");
  return {
    list: column.path,
    ...(isList ? { key: scoreNameOf(item)! } : {}),
    score: scoreKeyOf(item),
    ...(comment === undefined ? {} : { comment }),
    ...(column.optional ? { optional: true } : {}),
  };
}

const plainName = (name: string): string =>
  name.trim().replace(/[\s.:#'"{}[\],&*?|<>=!%@`]+/g, "_");
/** Words that YAML does not read as text. */
const NO_TEXT = /^(?:yes|no|true|false|null|on|off|y|n|~)$/i;
const quoted = (text: string): string =>
  /^[A-Za-z_$][\w$.-]*$/.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);

/** YAML on one line, texts in quotes, so that a draft can be read back as it is. */
export function toYaml(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(toYaml).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${toYaml(inner)}`);
  return `{ ${entries.join(", ")} }`;
}
