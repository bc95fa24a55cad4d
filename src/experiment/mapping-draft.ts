import { isObject } from "../model/json.ts";
import { parsePartialJson } from "./partial-json.ts";
import type { Head } from "./formats/format.ts";
import { firstRecords } from "./formats/head.ts";
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
      .slice(0, SAMPLE_ROWS)
      .map((line) => parsePartialJson(line));
    return draftOf("", rows.filter(isObject));
  }
  const document = parsePartialJson(head.text);
  const table = tableRows(document, "split");
  if (table !== null) {
    const drafted = draftOf("", table.map(({ value }) => value).filter(isObject));
    return drafted === null ? null : { ...drafted, lines: ["orient: split", ...drafted.lines] };
  }
  const found = findRows(document, "");
  return found === null ? null : draftOf(found.path, found.rows);
}

function csvRows(head: Head): Record<string, unknown>[] {
  try {
    const records = firstRecords(head.text, SAMPLE_ROWS + 1);
    return records
      .slice(1)
      .map((cells) =>
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
const SECONDS =
  /^(?:duration|elapsed|latency|time_taken|execution_time|runtime)(?:_?(?:s|sec|secs|seconds))?$/i;
const ERROR = /^(?:error|error_message|exception|err)$/i;
const IDENTITY =
  /^(?:id|case_?id|test_?id|example_?id|task_?id|question_?id|sample_?id|qid|uid|name)$/i;
const NO_SCORE =
  /(?:^|[_.])(?:id|idx|index|no|num|number|row|line|seed|epoch|trial|repeat|run|tokens?|cost|price|latency|duration|time|elapsed|timestamp|ms|seconds|secs|count|length|len|size|temperature|threshold|weight|version|port|year|level|attempts?|retries)(?:$|[_.])/i;

function hasInput(row: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(row).some((key) => INPUT.test(key) || /^inputs?[._]/i.test(key));
}

/** Scalars of a row by dotted path; a list of scores or of messages is a leaf of its own. */
function leavesOf(row: unknown, path = "", depth = 0): Leaf[] {
  if (!isObject(row)) return [];
  return Object.keys(row).flatMap((key): Leaf[] => {
    const value = row[key];
    const at = path === "" ? key : `${path}.${key}`;
    if (isObject(value) && depth < 3 && !INPUT.test(key) && !OUTPUT.test(key))
      return leavesOf(value, at, depth + 1);
    return [{ path: at, name: key, value }];
  });
}

function isMark(value: unknown): boolean {
  if (typeof value === "string") return NUMBER.test(value.trim()) || WORD_MARK.test(value.trim());
  return typeof value === "number" || typeof value === "boolean";
}

function draftOf(path: string, rows: readonly Record<string, unknown>[]): MappingDraft | null {
  if (rows.length === 0) return null;
  const leaves = new Map<string, Leaf[]>();
  for (const row of rows.slice(0, SAMPLE_ROWS))
    for (const leaf of leavesOf(row))
      if (leaves.has(leaf.path) || leaves.size < MAX_COLUMNS)
        leaves.set(leaf.path, [...(leaves.get(leaf.path) ?? []), leaf]);
  const columns = [...leaves].map(([at, found]) => ({
    path: at,
    name: found[0]!.name,
    values: found.map(({ value }) => value).filter((value) => value !== "" && value != null),
  }));
  const numeric = columns.filter(({ values }) => values.length > 0 && values.every(isMark));
  const lines: string[] = path === "" ? [] : [`rows: ${quoted(path)}`];
  const taken = new Set<string>();
  const take = (pattern: RegExp, field: (name: string) => string, most = 8): number => {
    const matching = columns.filter(
      (column) => pattern.test(column.name) && !taken.has(column.path) && isRead(column, numeric),
    );
    for (const column of matching.slice(0, most)) {
      taken.add(column.path);
      lines.push(`${field(column.name)}: ${quoted(column.path)}`);
    }
    return matching.length;
  };
  if (take(INPUT, (name) => `inputs.${plainName(name)}`) === 0)
    lines.push("inputs.input: THE_COLUMN_WITH_THE_INPUT");
  take(EXPECTED, (name) => `expected_outputs.${plainName(name)}`);
  take(OUTPUT, (name) => `actual_outputs.${plainName(name)}`);
  take(ERROR, () => "error", 1);
  const seconds = columns.find(({ name }) => SECONDS.test(name));
  if (seconds !== undefined) lines.push(`duration_s: ${quoted(seconds.path)}`);
  for (const { path: at, name, values } of numeric)
    if (!taken.has(at) && at !== seconds?.path && !NO_SCORE.test(name))
      lines.push(scoreLine(at, name, values));
  const lists = columns.flatMap(({ path: at, values: [first] }) =>
    Array.isArray(first) && first.length > 0 && isScoreList(first)
      ? [{ at, item: first[0] as Record<string, unknown> }]
      : [],
  );
  for (const { at, item } of lists) lines.push(listLine(at, item));
  const id = columns.find(({ name }) => IDENTITY.test(name) && !taken.has(name));
  if (id !== undefined && lines.some((line) => line.includes("THE_COLUMN")))
    lines.push(`identity: ${quoted(id.path)}`);
  const listed = lists.map(({ at, item }) => `${at}[].${scoreKeyOf(item)}`);
  return { lines, numeric: [...numeric.map(({ path: at }) => at), ...listed] };
}

/** A column of numbers is a score rather than the answer or the label that its name may mean. */
function isRead(
  column: { readonly path: string; readonly name: string },
  numeric: readonly { readonly path: string }[],
): boolean {
  return !/^labels?$/i.test(column.name) || !numeric.some(({ path }) => path === column.path);
}

function scoreLine(path: string, name: string, values: readonly unknown[]): string {
  const words = new Set(
    values.filter((value): value is string => typeof value === "string" && !NUMBER.test(value)),
  );
  const unread = [...words].filter((word) => !/^(?:true|false)$/i.test(word));
  if (unread.length === 0) return `evaluation_scores.${plainName(name)}: ${quoted(path)}`;
  const meant = unread
    .slice(0, 8)
    .map((word) => `${quoted(word)}: ${/^(?:pass|passed|yes|correct)$/i.test(word) ? 1 : 0}`);
  return `evaluation_scores.${plainName(name)}: { column: ${quoted(path)}, words: { ${meant.join(", ")} } }`;
}

const scoreKeyOf = (item: Readonly<Record<string, unknown>>): string =>
  SCORE_KEYS.find((name) => ["number", "boolean"].includes(typeof item[name])) ?? "score";

function listLine(path: string, item: Readonly<Record<string, unknown>>): string {
  const key = NAME_KEYS.find((name) => typeof item[name] === "string") ?? "name";
  const comment = ["reason", "comment", "explanation", "rationale", "feedback"].find(
    (name) => typeof item[name] === "string",
  );
  return `evaluation_scores: { list: ${quoted(path)}, key: ${key}, score: ${scoreKeyOf(item)}${comment === undefined ? "" : `, comment: ${comment}`} }`;
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
