import { isObject } from "../model/json.ts";
import { parseLenientJson } from "./lenient-json.ts";
import type { Head } from "./formats/format.ts";
import { firstRecords } from "./formats/head.ts";
import { failuresBeside } from "./formats/failed-rows.ts";
import { parseWhenJson } from "./formats/mapped-row.ts";
import { tableRows } from "./formats/nested-rows.ts";

/** What a file's first rows hold, and a mapping that fits them as far as names can tell. */
export interface MappingDraft {
  /** Lines of the mapping file. */
  readonly lines: readonly string[];
  /** Columns or paths that hold numbers (or true and false). */
  readonly numeric: readonly string[];
}

const MAX_COLUMNS = 40;
const SAMPLE_ROWS = 20;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORD_MARK = /^(?:true|false|pass|passed|fail|failed|yes|no|correct|incorrect)$/i;

type Leaf = { readonly path: string; readonly name: string; readonly value: unknown };

/** Looks at the beginning of a file; null where it holds no rows that a mapping can reach. */
export function draftMapping(head: Head): MappingDraft | null {
  if (head.container === "csv") return draftOf("", csvRows(head));
  if (head.container !== "json" && head.container !== "jsonl") return null;
  if (head.container === "jsonl") {
    const rows = head.text
      .split("\n")
      .slice(0, SAMPLE_ROWS + 1)
      .map((line) => parseLenientJson(line).value);
    return draftOf("", sampleOf(head, rows.filter(isObject)));
  }
  const { document } = head;
  const table = tableRows(document, "split");
  if (table !== null) {
    const drafted = draftOf("", sampleOf(head, table.map(({ value }) => value).filter(isObject)));
    return drafted === null ? null : { ...drafted, lines: ["orient: split", ...drafted.lines] };
  }
  const found = findRows(document, "");
  return found === null
    ? null
    : draftOf(found.path, sampleOf(head, found.rows), failuresIn(document, found));
}

/** The first rows; the last of all may be cut off where the beginning ends, and lack what stands behind. */
const sampleOf = <Row>({ isWhole }: Head, rows: readonly Row[]): readonly Row[] =>
  rows.slice(0, isWhole || rows.length < 2 ? SAMPLE_ROWS : Math.min(SAMPLE_ROWS, rows.length - 1));

type Failures = ReturnType<typeof failuresBeside>;

/** Lists of crashed cases beside the rows; one that repeats rows is none. */
function failuresIn(
  document: unknown,
  { path, rows }: { readonly path: string; readonly rows: readonly unknown[] },
): Failures {
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  return failuresBeside(document, path).filter(
    ({ items }) => !items.some((item) => known.has(JSON.stringify(item))),
  );
}

function csvRows(head: Head): readonly Record<string, unknown>[] {
  try {
    const [, ...rows] = firstRecords(head.text, SAMPLE_ROWS + 2);
    return sampleOf(head, rows).map((cells) =>
      Object.fromEntries(head.columns.map((column, n) => [column, cells[n] ?? ""])),
    );
  } catch {
    return [];
  }
}

const SCORE_KEYS = ["score", "value", "passed", "pass", "result"];
const NAME_KEYS = ["name", "key", "metric", "metric_name", "metricName", "type", "criterion"];

function isScoreList(items: readonly unknown[]): boolean {
  return items.every(
    (item) =>
      isObject(item) &&
      Object.keys(item).length <= 8 &&
      NAME_KEYS.some((key) => typeof item[key] === "string") &&
      SCORE_KEYS.some((key) => ["number", "boolean"].includes(typeof item[key])),
  );
}

const isMessages = (items: readonly unknown[]): boolean =>
  items.every((item) => isObject(item) && typeof item["role"] === "string");

/** The array of rows in a document: the one whose items hold an input, looked for from the outside. */
function findRows(
  value: unknown,
  path: string,
): { readonly path: string; readonly rows: readonly Record<string, unknown>[] } | null {
  if (path.split(".").length > 6) return null;
  if (Array.isArray(value)) {
    const rows = value.filter(isObject) as Record<string, unknown>[];
    if (rows.length === 0 || isScoreList(rows) || isMessages(rows)) return null;
    if (rows.slice(0, 3).some(hasInput)) return { path, rows };
    const inner = findRows(rows[0], path === "" ? "" : `${path}[]`);
    return inner ?? { path, rows };
  }
  if (!isObject(value)) return null;
  const found = Object.keys(value).flatMap((key) => {
    const at = findRows(value[key], path === "" ? key : `${path}.${key}`);
    return at === null ? [] : [at];
  });
  const tables = Object.values(value).filter(isObject) as Record<string, unknown>[];
  const keyed =
    tables.length > 1 && tables.every(hasInput) && tables.length === Object.keys(value).length;
  if (keyed) return { path: path === "" ? "*" : `${path}.*`, rows: tables };
  return found.sort((a, b) => rank(b.rows) - rank(a.rows))[0] ?? null;
}

const rank = (rows: readonly Record<string, unknown>[]): number =>
  (rows.some(hasInput) ? 1000 : 0) + Math.min(rows.length, 500);

const INPUT =
  /^(?:(?:model_)?inputs?|questions?|quer(?:y|ies)|prompts?|user_?(?:input|query|message|prompt)|instructions?|tasks?|problem|scenario|messages|utterance|text|request|case|example|vars)$/i;
const EXPECTED =
  /^(?:expected.*|reference.*|ground_?truths?|targets?(?:_.*)?|gold(?:en)?.*|ideal|truth|correct_answer|answer_key|labels?)$/i;
const OUTPUT =
  /^(?:outputs?|responses?|answers?|predictions?|predicted.*|completions?|generated.*|actual.*|model_(?:output|answer|response)|agent_(?:output|answer|response)|reply|result_text)$/i;
/** What holds an object of named values wherever it stands: all of a field, and no entry of it. */
const WHOLE = /^(?:inputs|(?:actual_|model_)?outputs|(?:expected|reference)_outputs)$/;
const SECONDS =
  /^(?:duration|elapsed|latency|time_taken|execution_time|runtime)(?:_?(?:s|sec|secs|seconds))?$/i;
const PLACES = [INPUT, EXPECTED, OUTPUT];
const ERROR = /^(?:error|error_message|exception|err)$/i;
const IDENTITY =
  /^(?:id|case_?id|test_?id|example_?id|task_?id|question_?id|sample_?id|qid|uid|name)$/i;
/** What rows may be of several of, in one file. */
const VARIANT =
  /^(?:model|llm|provider|strategy|variant|system|agent|prompt)(?:_?(?:name|id|version))?$/i;
const NO_SCORE =
  /^(?:k|n|ts)$|(?:^|[_.])(?:id|idx|index|no|num|number|row|line|seed|epoch|trial|repeat|run|tokens?|cost|price|latency|duration|time|elapsed|timestamp|ms|seconds|secs|count|length|len|size|temperature|threshold|weight|version|port|year|level|attempts?|retries)(?:$|[_.])/i;

function hasInput(row: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(row).some((key) => INPUT.test(key) || /^inputs?[._]/i.test(key));
}

/** Scores by name: each an object that holds its number. */
const isScoreTable = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(value).length > 0 && Object.values(value).every((item) => isScored(item));

const isScored = (item: unknown): boolean =>
  isObject(item) &&
  ["score", "value"].some((key) => ["number", "boolean"].includes(typeof item[key]));

/** Scalars of a row by dotted path; a list or a table of scores, or a list of messages, is a leaf of its own. */
function leavesOf(row: unknown, path = "", depth = 0): Leaf[] {
  if (!isObject(row)) return [];
  return Object.keys(row).flatMap((key): Leaf[] => {
    const value = row[key];
    const at = path === "" ? key : `${path}.${key}`;
    const isBranch =
      isObject(value) && !isScoreTable(value) && !PLACES.some((place) => place.test(key));
    if (isBranch && depth < 3) return leavesOf(value, at, depth + 1);
    return at.trim() === "" ? [] : [{ path: at, name: key, value }];
  });
}

function isMark(value: unknown): boolean {
  if (typeof value === "string") return NUMBER.test(value.trim()) || WORD_MARK.test(value.trim());
  return typeof value === "number" || typeof value === "boolean";
}

/** A column of a draft: where it stands, and what the first rows hold there. */
interface Column {
  readonly path: string;
  readonly name: string;
  readonly values: readonly unknown[];
  /** Some row lacks it. */
  readonly optional: boolean;
}

function columnsOf(rows: readonly Record<string, unknown>[], mayLack: boolean): Column[] {
  const leaves = new Map<string, Leaf[]>();
  for (const row of rows)
    for (const leaf of leavesOf(row))
      if (leaves.has(leaf.path) || leaves.size < MAX_COLUMNS)
        leaves.set(leaf.path, [...(leaves.get(leaf.path) ?? []), leaf]);
  return [...leaves].map(([at, found]) => ({
    path: at,
    name: found[0]!.name,
    values: found.map(({ value }) => value).filter((value) => value !== "" && value != null),
    optional: mayLack || found.length < rows.length,
  }));
}

/** A column is found by its name, or by what stands before the dot in it: `inputs.question`, `reference.answer`. */
function nameBy(pattern: RegExp, { name, values }: Column): string | undefined {
  if (pattern.test(name)) return name;
  const dot = name.indexOf(".");
  const [before, rest] = [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)];
  // Azure has the answer and what was expected among the inputs.
  const isOther = INPUT.test(before) && (OUTPUT.test(rest) || EXPECTED.test(rest));
  return pattern.test(isOther ? rest : before) && !values.every(isMark) ? rest : undefined;
}

const isWhole = ({ name, values }: Column): boolean =>
  WHOLE.test(name) && values.length > 0 && values.every((value) => isObject(parseWhenJson(value)));

/** The lines of a mapping, each field once: a second column of a name is called by its path. */
function createLines(): {
  readonly lines: string[];
  readonly add: (root: string, name: string, column: Column, value?: string) => void;
} {
  const lines: string[] = [];
  const taken = new Set<string>();
  const add = (root: string, name: string, column: Column, value?: string): void => {
    const names = [name, column.path, `${column.path}_${taken.size}`].map(plainName);
    const whole = isWhole(column) && root !== "evaluation_scores" ? [root] : [];
    const fields = [...whole, ...names.map((one) => `${root}.${one}`)];
    const field = fields.find((one) => !taken.has(one))!;
    taken.add(field);
    lines.push(`${quoted(field)}: ${value ?? pathOf(column)}`);
  };
  return { lines, add };
}

const pathOf = ({ path, optional }: Column): string => quoted(optional ? `${path}?` : path);

function draftOf(
  path: string,
  all: readonly Record<string, unknown>[],
  failures: Failures = [],
): MappingDraft | null {
  const failed = failures.flatMap(({ items }) => items.slice(0, SAMPLE_ROWS));
  const rows = [...all, ...failed];
  if (rows.length === 0) return null;
  // A crashed case, of which there is none yet, will lack some of them.
  const columns = columnsOf(rows, failures.length > 0 && failed.length === 0);
  const numeric = columns.filter(({ values }) => values.length > 0 && values.every(isMark));
  const { lines, add } = createLines();
  const paths = [path, ...failures.map((one) => one.path)].map(quoted);
  if (path !== "") lines.push(`rows: ${paths.length === 1 ? paths[0]! : `[${paths.join(", ")}]`}`);
  const taken = new Set<string>();
  const take = (pattern: RegExp, root: string): number => {
    const matching = columns.filter(
      (column) =>
        nameBy(pattern, column) !== undefined && !taken.has(column.path) && isRead(column, numeric),
    );
    for (const column of matching.slice(0, 8)) {
      taken.add(column.path);
      add(root, nameBy(pattern, column)!, column);
    }
    return matching.length;
  };
  const isUnknown = take(INPUT, "inputs") === 0;
  if (isUnknown) lines.push("inputs.input: THE_COLUMN_WITH_THE_INPUT");
  const variant = columns.find((column) => !taken.has(column.path) && isVariant(column));
  if (variant !== undefined) {
    taken.add(variant.path);
    add("inputs", variant.name, variant);
  }
  take(EXPECTED, "expected_outputs");
  take(OUTPUT, "actual_outputs");
  const error = columns.find(({ name }) => ERROR.test(name));
  if (error !== undefined) lines.push(`error: ${pathOf(error)}`);
  // A list of failures without an entry does not show under which name they will say what failed.
  else if (failures.length > 0) lines.push('error: "error_message?"');
  const seconds = columns.find(({ name }) => SECONDS.test(name));
  if (seconds !== undefined) lines.push(`duration_s: ${pathOf(seconds)}`);
  for (const column of numeric)
    if (!taken.has(column.path) && column !== seconds && !isNoScore(column))
      add("evaluation_scores", column.name.replace(/^feedback\./, ""), column, scoreOf(column));
  const lists = columns.flatMap(listOf);
  if (lists.length > 0) lines.push(`evaluation_scores: ${joined(lists.map(({ line }) => line))}`);
  const id = columns.find(({ name, path: at }) => IDENTITY.test(name) && !taken.has(at));
  if (id !== undefined && isUnknown)
    lines.push(
      `identity: ${variant === undefined ? pathOf(id) : `[${pathOf(id)}, ${pathOf(variant)}]`}`,
    );
  const listed = lists.map(({ path: at }) => at);
  return { lines, numeric: [...numeric.map(({ path: at }) => at), ...listed] };
}

/** The same question asked of two models is two examples, and no repeat of one. */
const isVariant = ({ name, values }: Column): boolean =>
  VARIANT.test(name) && new Set(values.map(String)).size > 1;

const joined = (sources: readonly string[]): string =>
  sources.length === 1 ? sources[0]! : `[${sources.join(", ")}]`;

const isNoScore = ({ name, path }: Column): boolean =>
  /^metadata\./.test(path) || NO_SCORE.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));

/** A column of numbers is a score rather than the answer or the label that its name may mean. */
function isRead(
  column: { readonly path: string; readonly name: string },
  numeric: readonly { readonly path: string }[],
): boolean {
  return !/^labels?$/i.test(column.name) || !numeric.some(({ path }) => path === column.path);
}

function scoreOf(column: Column): string {
  const words = new Set(
    column.values.filter(
      (value): value is string => typeof value === "string" && !NUMBER.test(value),
    ),
  );
  const unread = [...words].filter((word) => !/^(?:true|false)$/i.test(word));
  if (unread.length === 0) return pathOf(column);
  const meant = unread
    .slice(0, 8)
    .map((word) => `${quoted(word)}: ${/^(?:pass|passed|yes|correct)$/i.test(word) ? 1 : 0}`);
  return `{ column: ${quoted(column.path)}, words: { ${meant.join(", ")} }${column.optional ? ", optional: true" : ""} }`;
}

const scoreKeyOf = (item: Readonly<Record<string, unknown>>): string =>
  SCORE_KEYS.find((name) => ["number", "boolean"].includes(typeof item[name])) ?? "score";

/** A column that holds scores in a list, or by name. */
function listOf({ path, values, optional }: Column): { path: string; line: string }[] {
  const isList = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length > 0 && isScoreList(value);
  const held = values.find((value) => isList(value) || (isObject(value) && isScoreTable(value)));
  if (held === undefined) return [];
  const item = Object.values(held as object)[0] as Record<string, unknown>;
  const score = scoreKeyOf(item);
  const key = NAME_KEYS.find((name) => typeof item[name] === "string") ?? "name";
  const comment = ["reason", "comment", "explanation", "rationale", "feedback"].find(
    (name) => typeof item[name] === "string",
  );
  const parts = [
    `list: ${quoted(path)}`,
    ...(Array.isArray(held) ? [`key: ${key}`] : []),
    `score: ${score}`,
    ...(comment === undefined ? [] : [`comment: ${comment}`]),
    ...(optional ? ["optional: true"] : []),
  ];
  return [
    {
      path: `${path}${Array.isArray(held) ? "[]" : ".*"}.${score}`,
      line: `{ ${parts.join(", ")} }`,
    },
  ];
}

const plainName = (name: string): string =>
  name.trim().replace(/[\s.:#'"{}[\],&*?|<>=!%@`]+/g, "_");
/** Words that YAML takes for something else than text. */
const NO_TEXT = /^(?:yes|no|true|false|null|on|off|y|n|~)$/i;
const quoted = (text: string): string =>
  /^[A-Za-z_$][\w$.-]*$/.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);

/** The sentences of a refusal: what numbers stand there unread, and a mapping to start from, as one line of YAML. */
export function renderDraft(draft: MappingDraft | null): string {
  if (draft === null) return "";
  const numbers =
    draft.numeric.length === 0
      ? "it has no column of numbers"
      : `numeric columns not read: ${draft.numeric.slice(0, 20).join(", ")}`;
  return `${numbers}; a mapping to start from: { ${draft.lines.join(", ")} }`;
}
