import { isObject, own } from "../../model/json.ts";
import { isScoreList, type JsonRow } from "./row-lists.ts";
import { isNumeral, toScored } from "../input/scored.ts";
import { isThere } from "./pick.ts";
import { parseWhenJson } from "./mapped-row.ts";
import { areVerdicts, meantBy, unknownAmong } from "./verdict-words.ts";

/** A column of a draft: its place and its values in the rows. */
export interface Column {
  readonly path: string;
  readonly name: string;
  /** One per row; undefined if the row has none. */
  readonly cells: readonly unknown[];
  /** The cells that are not empty. */
  readonly values: readonly unknown[];
  /** Some row lacks it. */
  readonly optional: boolean;
  /** It belongs to a parent of the rows. */
  readonly outer: boolean;
}

const MAX_COLUMNS = 200;
const MAX_DEPTH = 4;

/** What a column is for, by its name. */
const ROLES = {
  INPUT:
    /^(?:(?:model|user|raw|original|attack|test|task|sample|eval)?_?(?:inputs?|prompts?|quer(?:y|ies)|questions?|instructions?|utterances?|messages?)(?:_text)?|user_(?:message|turns?|request|text)|human_?input|input_prompt|problem(?:_statement)?|scenario|text|request|goal|vars|claim(?:_text)?|transcript|document|q|in)$/i,
  LOOSE_INPUT: /^(?:tasks?|case|example|source|context|test|eval|sample|item|doc)$/i,
  EXPECTED:
    /^(?:expected.*|.*_expected|reference(?!.*_id$).*|ground_?truths?|true_.*|targets?(?:_.*)?|gold(?:en)?.*|ideal.*|truth|correct_answer|answer_key|labels?|solution|relevant_.*|possible_answer|test_cases|exp)$/i,
  OUTPUT:
    /^(?:(?:outputs?|responses?|answers?|completions?)_(?:\d+|[ab])|outputs?|responses?|(?:(?:final|short|long|full|raw|extracted|parsed)_)?answers?|predictions?|predicted.*|.*_predicted|completions?|generated.*|actual.*|got|guess(?:es)?|preds?|(?:model|agent|bot|assistant|llm|system)_?(?:outputs?|answers?|responses?|reply|result_raw|preds?)|reply|out|translation|result_text|conversation|trajectory|retrieved.*|hypothesis|judge?ment_text|filtered_resps|resps)$/i,
  ERROR: /^(?:errors?|error_?message|exception|err|traceback|failure_message)$/i,
  /** Variants that one file may contain several of. */
  VARIANT:
    /^(?:model|llm|provider|strategy|variant|system|agent|prompt|generator|engine|retriever|condition|config(?:uration)?|arm|setting|method|approach|pipeline|version|judge)(?:_?(?:name|id|version))?$/i,
  REPEAT:
    /^(?:[nk]|run|trial|repeat|repetition|attempt|epoch|iteration|rep|seed|sample|completion_id)(?:_?(?:id|no|num|number|idx|index))?$/i,
  REASON:
    /(?:^|[_.])(?:reason(?:ing)?|comments?|explanation|rationale|feedback|notes?|judge?ment|message|details?|description|difficulty|category|tags?|tstamp|timestamp|date|created(?:_at)?|type)$/i,
} as const;
/** Names of objects of named values: always a whole field, never an entry of one. */
const WHOLE = /^(?:inputs|(?:actual_|model_)?outputs|(?:expected|reference)_outputs)$/;
const ID =
  /^(?:(?:\w+_)?u?id|key|qid|uid|uuid|name|title|file(?:_?name|_?path)?|path|url|slug|test(?:_?(?:name|case|id))?|case(?:_?(?:name|id))?|eval(?:_?(?:name|id))?|example|sample|item|claim(?:_text)?|scenario(?:_name)?|topic)$/i;
/** Ids that a run makes up, or that identify something other than the example. */
const NO_ID =
  /^(?:run|trace|session|completion|span|db|app|record|response|model|worker|user|thread|process|p|batch)_?u?id$/i;

const plain = (name: string): string => name.trim().replace(/[\s/]+/g, "_");

/** Whether a column's name matches a role, in any spelling. */
export const hasRole = ({ name }: Pick<Column, "name">, role: keyof typeof ROLES): boolean =>
  ROLES[role].test(plain(name));

/** Whether a column identifies examples, by its name. */
export const isId = (column: Pick<Column, "name">): boolean =>
  ID.test(plain(column.name)) && !isRunId(column);

/** Whether a column identifies something else, or is made up by each run. */
export const isRunId = ({ name }: Pick<Column, "name">): boolean =>
  NO_ID.test(plain(name).split(".").at(-1)!);

/** Whether a column numbers the rows of each list or arm anew: 1, 2, 3, 1, 2, 3. */
export function isNumberedAnew({ cells, outer }: Column): boolean {
  const numbers = cells.map((cell) => (typeof cell === "string" ? Number(cell || NaN) : cell));
  const [first] = numbers;
  const isNext = (number: unknown, n: number): boolean =>
    number === first ? numbers[n + 1] === Number(first) + 1 : number === Number(numbers[n - 1]) + 1;
  return (
    !outer &&
    (first === 0 || first === 1) &&
    numbers.filter((number) => number === first).length > 1 &&
    // 0, 1, 0, 1 are marks.
    numbers.includes(2) &&
    numbers.every(isNext)
  );
}

/**
 * Whether a value is a number, a boolean, or a text with a number, a word of a verdict or a word
 * for a missing value.
 */
export function isMark(value: unknown): boolean {
  if (typeof value === "string") return isNumeral(value) || meantBy(value) !== undefined;
  return typeof value === "number" || typeof value === "boolean";
}

/** Numbers of a column; booleans are 1 and 0, percentages and fractions are shares. */
export function numbersOf({ values }: Column): number[] {
  return values.flatMap((value) => {
    const scored = typeof value === "number" ? { score: value } : toScored(String(value));
    return "score" in scored ? [scored.score] : [];
  });
}

/** Words of a column that are not numbers. */
export function wordsOf({ values }: Column): ReadonlySet<string> {
  return new Set(
    values.filter((value): value is string => typeof value === "string" && !isNumeral(value)),
  );
}

/** Whether a column contains only numbers and words of verdicts, and at least one of them passes, fails or counts. */
export function holdsMarks(column: Column): boolean {
  const { values } = column;
  if (values.length === 0 || !values.every(isMark)) return false;
  const words = wordsOf(column);
  return words.size === 0 || areVerdicts(words) || numbersOf(column).length > 0;
}

/** Words of a verdict that mean nothing known, which a person has to count; none where a column is not a verdict. */
export function unknownWords(column: Column): string[] {
  const { values } = column;
  const isOther = (Object.keys(ROLES) as (keyof typeof ROLES)[]).some((role) =>
    hasRole(column, role),
  );
  const isWord = (value: unknown): boolean => isMark(value) || typeof value === "string";
  if (isOther || !values.every(isWord)) return [];
  const words = wordsOf(column);
  return isGrade(column, words) ? [...words].sort() : unknownAmong(words);
}

/** Whether a column judges by letters or names that mean nothing known: grades, or the winner of two. */
function isGrade({ name, values }: Column, words: ReadonlySet<string>): boolean {
  const isShort = [...words].every((word) => word.trim().length <= 12);
  const isKind = words.size > 1 && words.size <= 6 && values.length > words.size;
  return GRADE.test(plain(name)) && isKind && isShort && ![...words].some((word) => meantBy(word));
}

const GRADE = /(?:^|_)(?:grade|winner|preferred|verdict)$/i;

/** Whether a column contains an object that is a whole field of the request. */
export const isWholeField = ({ name, values }: Column): boolean =>
  WHOLE.test(name) && values.length > 0 && values.every((value) => isObject(parseWhenJson(value)));

/** Scores by name: each an object that contains its number. */
const isScoreTable = (value: JsonRow): boolean =>
  Object.keys(value).length > 0 &&
  Object.values(value).every(
    (item) =>
      isObject(item) &&
      ["score", "value"].some((key) => ["number", "boolean"].includes(typeof item[key])),
  );

/** An error as an object, `{ type, message }`, rather than a table of numbers. */
const isDescription = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some((part) => typeof part === "string");

type Leaf = { readonly path: string; readonly name: string; readonly value: unknown };

const oneNumber = (value: unknown): value is readonly [unknown] =>
  Array.isArray(value) && value.length === 1 && ["number", "boolean"].includes(typeof value[0]);

/** The roles that are request fields. */
export const FIELDS = ["INPUT", "EXPECTED", "OUTPUT"] as const;

/** Scalars of a row by dotted path; lists, tables of scores and whole inputs and outputs are leaves. */
function leavesOf(row: JsonRow, path = "", depth = 0): Leaf[] {
  return Object.keys(row).flatMap((key): Leaf[] => {
    const value = row[key];
    const at = path === "" ? key : `${path}.${key}`;
    const place = FIELDS.some((role) => hasRole({ name: key }, role));
    const isFailure = hasRole({ name: key }, "ERROR") && isDescription(value);
    if (isObject(value) && !isScoreTable(value) && !place && !isFailure && depth < MAX_DEPTH)
      return leavesOf(value, at, depth + 1);
    // A step that runs and judges has the scores next to the answer, in its output.
    const judged = own(value, "scores");
    if (isObject(judged))
      return [{ path: at, name: key, value }, ...leavesOf(judged, `${at}.scores`, depth + 2)];
    if (at.trim() === "") return [];
    if (oneNumber(value) && depth > 0) return [{ path: `${at}[0]`, name: key, value: value[0] }];
    // An average is that of the metric around it.
    const isAverage = /^(?:avg|average|mean)$/i.test(key) && path !== "";
    return [{ path: at, name: lastName(isAverage ? path.split(".").at(-1)! : key), value }];
  });
}

/** A single key `metrics.f1` is named `f1`, and OpenInference's `attributes.input.value` `input`; other dots stay. */
function lastName(key: string): string {
  const ofTrace = /^(?:attributes\.)?(input|output)\.value$/.exec(key);
  return (
    (ofTrace ?? /^(?:metrics?|scores?|evaluations?|input|output)\.(.+)$/i.exec(key))?.[1] ?? key
  );
}

/** The columns of rows in order of appearance, followed by those of their parents. */
export function columnsOf(
  rows: readonly JsonRow[],
  around: readonly JsonRow[],
  mayLack: boolean,
): Column[] {
  const found = new Map<string, { name: string; outer: boolean; cells: unknown[] }>();
  const put = (n: number, { path, name, value }: Leaf, outer: boolean): void => {
    let column = found.get(path);
    if (column === undefined) {
      if (found.size >= MAX_COLUMNS) return;
      column = { name, outer, cells: new Array<unknown>(rows.length).fill(undefined) };
      found.set(path, column);
    }
    column.cells[n] = value;
  };
  for (const [n, row] of rows.entries()) for (const leaf of leavesOf(row)) put(n, leaf, false);
  for (const [n, outer] of around.slice(0, rows.length).entries())
    for (const [path, value] of Object.entries(outer))
      put(n, { path, name: path.split(".").at(-1)!.replace("$key", "key"), value }, true);
  return [...found].map(([path, { name, outer, cells }]) => ({
    path,
    name,
    cells,
    values: cells.filter(isThere),
    optional: mayLack || cells.includes(undefined),
    outer,
  }));
}

/** The first value of a column that is a list of scores, or an object of them by name; undefined if there is none. */
export function scoresIn({ values }: Column): unknown {
  return values.find(
    (value) =>
      (Array.isArray(value) && isScoreList(value)) || (isObject(value) && isScoreTable(value)),
  );
}

/** The unit at the end of a name: `latency_ms`, `Took (s)`. */
export const UNIT = /[_\s(]+(s|secs?|seconds|ms|msecs?|millis(?:econds)?)\)?$/i;

/** Whether a column's name ends in a unit of time. */
export const hasUnit = ({ name }: Column): boolean => UNIT.test(name.trim());
