import { isObject, ownAt } from "../../model/json.ts";

/** An object in a result file. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** A list of objects somewhere in a document. */
export interface RowList {
  /** As a value of `rows:` in a mapping: `results`, `suites[].cases[]`, `by_id.*`, `eval.*[]`. */
  readonly path: string;
  readonly rows: readonly JsonRow[];
  /** For each row, the scalars of its parents by column name, outermost first; keys of objects are `$key`s. */
  readonly around: readonly JsonRow[];
}

const MAX_DEPTH = 6;
const MAX_ROWS = 2000;
const MAX_LISTS = 100;

const SCORE_KEYS = ["score", "value", "passed", "pass", "result", "mean"];
const NAME_KEYS = [
  ...["name", "key", "metric", "metric_name", "metricName", "evaluator", "evaluator_name"],
  ...["evaluatorName", "scorer", "scorer_name", "grader", "grader_name", "type", "criterion"],
];

/** Whether items are scores by name, some perhaps missing, which belong to a row and are not rows. */
export function isScoreList(items: readonly unknown[]): boolean {
  return (
    items.some(hasScore) &&
    items.every(
      (item) =>
        isObject(item) &&
        Object.keys(item).length <= 8 &&
        scoreNameOf(item) !== undefined &&
        (hasScore(item) || SCORE_KEYS.some((key) => item[key] === null)),
    )
  );
}

const hasScore = (item: unknown): boolean =>
  isObject(item) && SCORE_KEYS.some((key) => ["number", "boolean"].includes(typeof item[key]));

/** The key or path of the name of an item in a list of scores. */
export function scoreNameOf(item: JsonRow): string | undefined {
  const plain = NAME_KEYS.find((name) => typeof item[name] === "string");
  if (plain !== undefined) return plain;
  return isObject(item["name"]) && typeof item["name"]["name"] === "string"
    ? "name.name"
    : undefined;
}

/** The key of the number of an item in a list of scores. */
export function scoreKeyOf(item: JsonRow): string {
  return SCORE_KEYS.find((name) => ["number", "boolean"].includes(typeof item[name])) ?? "score";
}

const isMessages = (items: readonly unknown[]): boolean =>
  items.every((item) => isObject(item) && typeof item["role"] === "string");

/**
 * What scores by name are where a document has no other rows: verdicts are tests, and numbers are
 * cases, or averages.
 */
const NAMED = ["boolean", "number"] as const;
type Named = (typeof NAMED)[number] | null;

const areNamed = (items: readonly unknown[], kind: Named): boolean =>
  items.every(
    (item) =>
      isObject(item) && typeof item["name"] === "string" && typeof item[scoreKeyOf(item)] === kind,
  );

const areRows = (items: readonly unknown[], named: Named): boolean =>
  items.some(isObject) &&
  2 * items.filter(isObject).length > items.length &&
  (!isScoreList(items) || areNamed(items, named)) &&
  !isMessages(items);

/** Whether objects are alike: each has most of the keys of the first. */
function areAlike(rows: readonly JsonRow[]): boolean {
  const keys = Object.keys(rows[0] ?? {});
  return rows.every((row) => {
    const shared = keys.filter((key) => Object.hasOwn(row, key)).length;
    return shared > 0 && shared >= 0.6 * Math.max(keys.length, Object.keys(row).length);
  });
}

interface Spot {
  readonly value: unknown;
  /** Outermost first; joined only for rows, since each of many keys would copy all of its neighbours. */
  readonly around: readonly JsonRow[];
}

const below = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** Scalars of an object under the names that a mapping within it uses. */
function scalarsOf(value: JsonRow, prefix: string): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (isObject(inner))
      return scalarsOf(inner, `${prefix}.${key}`).filter(([name]) => name.length < 120);
    return Array.isArray(inner) ? [] : [[`${prefix}.${key}`, inner]];
  });
}

/**
 * Every list of objects in a document that may be rows: scores by name only where there is no
 * other, and no messages.
 */
export function rowListsIn(document: unknown): RowList[] {
  for (const named of [null, ...NAMED]) {
    const found: RowList[] = [];
    search([{ value: document, around: [] }], { path: "", depth: 0, found, named });
    if (found.length > 0) return found;
  }
  return [];
}

interface At {
  readonly path: string;
  readonly depth: number;
  readonly found: RowList[];
  readonly named: Named;
}

const isRows = ({ value }: Spot, { named }: At): boolean =>
  Array.isArray(value) && areRows(value, named);

const itemsOf = (lists: readonly Spot[]): Spot[] =>
  lists.flatMap(({ value, around }) =>
    (value as readonly unknown[]).slice(0, MAX_ROWS).map((item) => ({ value: item, around })),
  );

function search(spots: readonly Spot[], at: At): void {
  const { path, depth } = at;
  if (depth > MAX_DEPTH || spots.length === 0) return;
  addRows(itemsOf(spots.filter((spot) => isRows(spot, at))), { ...at, path: `${path}[]` });
  const objects = spots.filter(({ value }) => isObject(value));
  searchValues(objects, { ...at, path: below(path, "*") });
  const keys = new Set(objects.slice(0, 50).flatMap(({ value }) => Object.keys(value as object)));
  for (const key of [...keys].slice(0, 200)) {
    const inner = objects.flatMap(({ value, around }) =>
      Object.hasOwn(value as object, key) ? [{ value: (value as JsonRow)[key], around }] : [],
    );
    search(inner, { ...at, path: below(path, key), depth: depth + 1 });
  }
}

function addRows(items: readonly Spot[], { path, depth, found }: At): void {
  const rows = items
    .flatMap(({ value, around }) => (isObject(value) ? [{ value, around }] : []))
    .slice(0, MAX_ROWS);
  if (rows.length === 0) return;
  if (found.length < MAX_LISTS)
    found.push({
      // A plain path needs no mark that it is a list.
      path: /^[^[*]*\[\]$/.test(path) ? path.slice(0, -2) : path,
      rows: rows.map(({ value }) => value),
      around: rows.map(({ around }) => withOwnKey(Object.assign({}, ...around) as JsonRow)),
    });
  const inner = rows.map(({ value, around }) => ({
    value,
    around: [...around, Object.fromEntries(scalarsOf(value, path))],
  }));
  search(inner, { path, found, depth: depth + 1, named: null });
}

/** The innermost key is the row's own, `$key`; those around it keep their path. */
function withOwnKey(around: JsonRow): JsonRow {
  const own = Object.keys(around).findLast((path) => path.endsWith(".$key"));
  return Object.fromEntries(
    Object.entries(around).map(([path, value]) => [path === own ? "$key" : path, value]),
  );
}

/** Objects whose values are all alike: rows by id, lists by suite, results by arm. */
function searchValues(objects: readonly Spot[], at: At): void {
  const all = objects.flatMap(({ value, around }) =>
    Object.entries(value as JsonRow).map(([key, inner]) => ({
      value: inner,
      around: [...around, { [`${at.path}.$key`]: key }],
    })),
  );
  const rows = all.filter(({ value }) => isObject(value));
  const isOne = rows.length === all.length && areAlike(rows.map(({ value }) => value as JsonRow));
  if (isOne && rows.length > objects.length) addRows(rows, at);
  const lists = all.filter((spot) => isRows(spot, at));
  const firsts = lists.map(({ value }) => (value as readonly unknown[]).find(isObject) as JsonRow);
  const others = all.filter(({ value }) => Array.isArray(value) && value.some(isObject));
  const areArms = lists.length > objects.length && lists.length === others.length;
  if (areArms && areAlike(firsts) && !isRepeated(lists))
    addRows(itemsOf(lists), { ...at, path: `${at.path}[]` });
}

/** Whether one of a few lists repeats rows of a longer one, such as the worst of them. */
function isRepeated(lists: readonly Spot[]): boolean {
  if (lists.length > 4) return false;
  const texts = lists.map(
    ({ value }) => new Set((value as readonly unknown[]).map((item) => JSON.stringify(item))),
  );
  return texts.some((one) =>
    texts.some((other) => one.size < other.size && [...one].every((text) => other.has(text))),
  );
}

/** Names for a separate list of crashed cases. */
const FAILED = /^(?:failures?|failed(?:_\w+)?|errors?|errored|crash(?:es|ed)?|exceptions?)$/i;

/** Lists of failed cases next to a list of rows, by path. */
export function failureLists(
  document: unknown,
  rows: string,
): { readonly path: string; readonly items: readonly JsonRow[] }[] {
  const keys = rows.replace(/\[\]$/, "").split(".");
  if (rows === "" || keys.some((key) => key === "*" || key.endsWith("[]"))) return [];
  const around = keys.slice(0, -1);
  const parent = ownAt(document, ...around);
  return Object.entries(isObject(parent) ? parent : {}).flatMap(([key, items]) =>
    FAILED.test(key) && key !== keys.at(-1) && Array.isArray(items) && items.every(isObject)
      ? [{ path: [...around, key].join("."), items }]
      : [],
  );
}
