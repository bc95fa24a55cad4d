import { type Usage, usageMetric } from "../input/usage.ts";
import {
  type Column,
  FIELDS,
  hasRole,
  holdsMarks,
  isId,
  isNumberedAnew,
  isMark,
  numbersOf,
  scoresIn,
  UNIT,
  unknownWords,
  wordsOf,
} from "./mapping-draft-columns.ts";
import { isAsked, isMessage, isOfFailures, isTranscript, rowEnds } from "./mapping-draft-ends.ts";
import { isThere } from "./pick.ts";
import { areVerdicts } from "./verdict-words.ts";

const SECONDS =
  /^(?:latency|duration|elapsed|time_taken|execution_time|runtime|response_time)(?:_?time)?$/i;

const MAX_FIELDS = 8;

/** The columns of a draft by purpose; rows from `crashedFrom` on are of lists of failures. */
export function rolesOf(columns: readonly Column[], rows: number, crashedFrom = rows) {
  const judging = columns.filter((column) => isJudging(column, rows));
  const ends = rowEnds(judging, rows).map((end, n) => (n < crashedFrom ? end : "bad"));
  const ofFailures = columns.filter((column) => isOfFailures(column, ends));
  const asked = columns.filter(
    (column) =>
      isField(column, "INPUT") && !hasRole(column, "ERROR") && !ofFailures.includes(column),
  );
  const taken = new Set<Column>();
  const take = (is: (column: Column) => boolean, most = MAX_FIELDS): Column[] => {
    const found = columns.filter((column) => !taken.has(column) && is(column)).slice(0, most);
    for (const column of found) taken.add(column);
    return found;
  };
  const usage = take(isUsage, 4);
  const [seconds] = take(isSeconds, 1);
  // Next to a score, true and false say whether the row crashed.
  const isError = (column: Column): boolean =>
    !holdsMarks(column) ||
    (isFlag(column) && columns.some((one) => one !== column && holdsMarks(one)));
  const [error] = take((column) => hasRole(column, "ERROR") && isError(column), 1);
  const expected = take((column) => isField(column, "EXPECTED"));
  const isSaid = (column: Column): boolean =>
    isTranscript(column) && (ofFailures.includes(column) || !isAsked(column, asked, ends));
  const outputs = take(
    (column) => isField(column, "OUTPUT") || isSaid(column) || isAnswer(column, expected),
  );
  const lists = take((column) => scoresIn(column) !== undefined);
  const inputs = take((column) => asked.includes(column) && isAsked(column, asked, ends));
  const [message] =
    error === undefined ? take((column) => isMessage(column) && isError(column), 1) : [];
  const named = columns.filter(
    (column) =>
      !taken.has(column) &&
      isId(column) &&
      column.values.length > 0 &&
      !ofFailures.includes(column),
  );
  const numbered = columns.filter(
    (column) =>
      !taken.has(column) &&
      !hasRole(column, "REPEAT") &&
      !isMetricName(column.name) &&
      isNumberedAnew(column),
  );
  const ids = named.some(({ outer }) => !outer) ? named : [...named, ...numbered];
  const open = columns.filter((column) => !taken.has(column) && !isDistinct(column, ids));
  const { metrics, left } = metricsAmong(withoutOutputs(open, rows, lists), rows);
  const verdict = columns.find(isVerdictKey);
  const isScored = metrics.length + lists.length > 0;
  return {
    ...{ inputs, expected, outputs, seconds, usage, lists, metrics, left, ids, ofFailures },
    /** A text on what went wrong, or what a test said of its end. */
    error: error ?? message,
    /** The keys of lists that group rows by verdict, if the rows themselves have no score. */
    verdict: isScored ? undefined : verdict,
  };
}

/** Columns by what a mapping makes of them. */
export type Roles = ReturnType<typeof rolesOf>;

/**
 * Whether a number whose name says nothing is now and then the one expected, other than 0 or 1: an
 * answer, not a score.
 */
function isAnswer(column: Column, expected: readonly Column[]): boolean {
  const name = plainName(column.name).split("_").at(-1)!;
  if (column.outer || !isNumeric(column)) return false;
  if (isScoreWord(name) || hasRole(column, "INPUT")) return false;
  const isSame = (cell: unknown, n: number): boolean =>
    isThere(cell) &&
    Number(cell) !== 0 &&
    Number(cell) !== 1 &&
    expected.some(({ cells }) => isThere(cells[n]) && Number(cells[n]) === Number(cell));
  return column.cells.some(isSame);
}

/** Whether a column says which rows failed: a list of scores, the key of a list, or a certain metric. */
function isJudging(column: Column, rows: number): boolean {
  if (column.outer) return isVerdictKey(column);
  if (scoresIn(column) !== undefined) return true;
  const sureness = surenessOf(column, rows);
  return sureness === "sure" || (sureness !== "none" && wordsOf(column).size > 0);
}

const isVerdictKey = ({ path, values }: Column): boolean =>
  path === "$key" && areVerdicts(new Set(values.map(String)));

/** An id with more than two values is no metric; with fewer, its name is ambiguous (`test: true`). */
const isDistinct = (column: Column, ids: readonly Column[]): boolean =>
  ids.includes(column) && new Set(column.values.map(String)).size > 2;

/** Columns without the numbers of an answer, which are its scores only where nothing else judges the rows. */
function withoutOutputs(
  columns: readonly Column[],
  rows: number,
  lists: readonly Column[],
): readonly Column[] {
  const isInOutput = ({ path }: Column): boolean => {
    const [before, scores] = path.split(".scores.");
    return (
      scores !== undefined &&
      FIELDS.some((role) => hasRole({ name: before!.split(".").at(-1)! }, role))
    );
  };
  const others = columns.filter((column) => !isInOutput(column));
  return lists.length + metricsAmong(others, rows).metrics.length > 0 ? others : columns;
}

type Field = (typeof FIELDS)[number];

/** A column of words, or of numbers whose name says that they are the answer. */
function isField(column: Column, role: Field): boolean {
  const before = prefixOf(column);
  const own = hasRole(column, role);
  // Numbers under a name for inputs may be scores; names for answers and expectations are clear.
  if (own) return !(role === "INPUT" && column.values.length > 0 && column.values.every(isMark));
  if (before === null || column.values.every(isMark)) return false;
  if (before.role !== "INPUT") return before.role === role;
  // Azure has the answer and the expected output among the inputs.
  const hasRest = (one: typeof role): boolean => hasRole({ name: before.rest }, one);
  return role === "INPUT" ? !hasRest("OUTPUT") && !hasRest("EXPECTED") : hasRest(role);
}

/** The part before the dot in a name: `inputs.question`, `reference.answer`. */
export function prefixOf({ name, outer }: Column): { role: Field; rest: string } | null {
  const dot = name.indexOf(".");
  if (dot <= 0 || outer) return null;
  const [before, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  const role = FIELDS.find((one) => hasRole({ name: before }, one));
  return role === undefined ? null : { role, rest };
}

/** Whether a column has only numbers. */
export const isNumeric = (column: Column): boolean =>
  column.values.length > 0 && numbersOf(column).length === column.values.length;

/** What of usage a column states; undefined if nothing. Plain words count below a name for tokens. */
export function usageIn(column: Column): keyof Usage | undefined {
  const word = column.name.replace(/[^a-z]/gi, "");
  const isBelowTokens = /(?:token|usage)/i.test(column.path);
  const isPlain = /^(?:total|prompt|completion|tokens|input|output)$/i.test(word);
  if (!isNumeric(column) || (isPlain && !isBelowTokens)) return undefined;
  return usageMetric(/^(?:in|out)put$/i.test(word) ? `${word}tokens` : column.name);
}

const isUsage = (column: Column): boolean => usageIn(column) !== undefined;

function isSeconds(column: Column): boolean {
  return (
    isNumeric(column) &&
    !column.outer &&
    // What comes before and after a test is no part of it.
    !/(?:^|\.)(?:setup|teardown)\./i.test(column.path) &&
    SECONDS.test(column.name.trim().replace(UNIT, "").replace(/\s+/g, "_"))
  );
}

/** Nothing below these names is a score. */
const SETTINGS =
  /(?:^|\.)_?(?:config(?:uration)?|settings?|params|parameters|hyper\w*|metadata|meta|usage|timings?|env(?:ironment)?|args|arguments|options|extra|tests_status|doc|vars|setup|teardown)\./i;
/** Last words of names that count, time or number something. */
const BOOKKEEPING =
  /^(?:id|ids|idx|index|no|num|number|row|line|seed|epoch|trial|repeat|run|token|tokens|cost|costs|price|usd|latency|duration|time|elapsed|timestamp|tstamp|ts|ms|s|sec|secs|seconds|minutes|count|counts|total|length|len|size|chars|temperature|threshold|weight|version|port|year|level|difficulty|attempt|attempts|retry|retries|steps|step|turns|turn|pid|worker|code|rank|position|order|batch|page|k|n|p|top_k|top_p|offset|limit|cutoff|depth|date|age|key|direction|possible|of|max|calls|tasks|hops|cached|cache|stream|streaming|truncated|verbose|debug|enabled|disabled|flag|flags|deleted|hidden|active|rerank|skipped|start|end|std|stdev|stderr|sem|variance|summary|context|attempt_number)$/;
/** Beginnings of names that count, limit or set something. */
const SETTING_START = /^(?:num|n|max|min|top|is_cached|use|with|_config)(?:_|$)/i;
/** Names of metrics that end in a word of `BOOKKEEPING`. */
const STILL_SCORES = /(?:^|_)(?:reciprocal_rank|pass_at_k|pass_k|(?:in|on)_time)$/i;
/** Last words of names that are scores, whatever precedes them. */
const METRIC =
  /^(?:acc(?:uracy)?|f1|precision|recall|scores?|rating|reward|rate|ratio|bleu|rouge\w*|meteor|match|matched|correct(?:ness)?|pass(?:ed)?|success(?:ful)?|hallucinat\w+|similarity|faithful(?:ness)?|relevan\w+|grounded(?:ness)?|quality|em|exact|eq|equal|ndcg|mrr|map|auc|kappa|wer|cer|resolved|solved|valid|ok|hit|hits|completed|achieved|reached|satisfied|refused|jailbroken|verdict|result|grade|outcome|status|preference|toxicity|coherence|fluency|helpful(?:ness)?)$/i;
/** Endings of other names of scores. */
const QUALITY = /(?:ness|ity|ence|ance)$/i;
const isScoreWord = (word: string): boolean => METRIC.test(word) || QUALITY.test(word);

/** Whether a name is that of a metric, which a category such as science is not. */
export const isMetricName = (name: string): boolean =>
  METRIC.test(plainName(name).split("_").at(-1)!);

function plainName(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/@\d+|\([^)]*\)|\[\d+\]/g, "")
    .trim()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

/** How certain it is that a column of numbers or verdicts is a metric. */
export type Sureness = "sure" | "likely" | "weak" | "none";

/** How certain it is that a column is a metric, by its name and values. */
export function surenessOf(column: Column, rows: number): Sureness {
  const isUnclear = unknownWords(column).length > 0;
  if ((!holdsMarks(column) && !isUnclear) || column.outer) return "none";
  const name = plainName(column.name);
  const last = name.split("_").at(-1)!.toLowerCase();
  const words = wordsOf(column);
  if (SETTINGS.test(column.path) || SETTING_START.test(name)) return "none";
  // A reason, comment or judgment describes a metric.
  if (hasRole(column, "REASON")) return "none";
  if (words.size > 0 && areVerdicts(words) && !isFlag(column))
    return isRunStatus(last, words) ? "weak" : "sure";
  const isBelowScores = BELOW_SCORES.test(column.path);
  // Some words are unknown: the column may be a category. Grades by letters yield to any number.
  if (isUnclear && unknownWords(column).length === words.size) return "weak";
  if (isUnclear) return isScoreWord(last) || isBelowScores ? "sure" : "weak";
  if (isBelowScores && isFlag(column)) return "sure";
  if (BOOKKEEPING.test(last) && !STILL_SCORES.test(name)) return "none";
  if (STATE_WORD.test(last)) return isFlag(column) || isShare(column) ? "sure" : "none";
  return isScoreWord(last) || isBelowScores ? "sure" : byNumbers(column, rows);
}

/** Last words of names of states: their numbers are no scores but codes, unless they are flags or shares. */
const STATE_WORD = /^(?:status|state|outcome|result)$/i;
const BELOW_SCORES =
  /(?:^|\.)(?:scores?|metrics?|marks|ratings|checks|grades|evaluations?|detector_results|assertions|criteria)\.[^.]/i;

const isFlag = ({ values }: Column): boolean =>
  values.every((value) => typeof value === "boolean" || /^(?:true|false)$/i.test(String(value)));

const isShare = (column: Column): boolean =>
  numbersOf(column).every((number) => number >= 0 && number <= 1);

/** `completed` and `crashed` say how a run ended, not how good it was. */
function isRunStatus(last: string, words: ReadonlySet<string>): boolean {
  const ended =
    /^(?:completed?|done|finished|success|ok|error(?:ed)?|crash(?:ed)?|time(?:d[_ ])?out)$/i;
  return /^(?:status|state)$/i.test(last) && [...words].every((word) => ended.test(word.trim()));
}

function byNumbers(column: Column, rows: number): Sureness {
  const numbers = numbersOf(column);
  if (isFlag(column)) return /^is_/i.test(plainName(column.name)) ? "likely" : "weak";
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const whole = numbers.every(Number.isInteger);
  // 0, 1, 2, … counts the rows.
  const counts = whole && rows > 2 && new Set(numbers).size === rows && most - least === rows - 1;
  if ((counts && most > 1) || isNumberedAnew(column)) return "none";
  // A whole number that is the same everywhere says nothing about a row.
  if (whole && least === most && rows > 2) return "weak";
  if (least >= -1 && most <= 1) return "likely";
  return least >= 0 && most <= 100 ? "likely" : "weak";
}

/**
 * Whether a column within an object is in less than half of the rows: two names of one score may
 * have half each.
 */
export const isRare = ({ path, cells, values }: Column): boolean =>
  path.includes(".") && 2 * values.length < cells.length;

/** The metrics among columns: the certain ones or, without any, the best of the others. */
export function metricsAmong(columns: readonly Column[], rows: number) {
  const sureness = new Map(columns.map((column) => [column, surenessOf(column, rows)]));
  const of = (...levels: Sureness[]): Column[] =>
    columns.filter((column) => levels.includes(sureness.get(column)!));
  const isCount = (column: Column): boolean => isPartOfTotal(column, columns);
  const isVerdict = (column: Column): boolean => isFlag(column) || wordsOf(column).size > 0;
  const isUnclear = (column: Column): boolean => unknownWords(column).length > 0;
  const found = of("sure", "likely").filter((column) => !isCount(column));
  const rare = found.filter(isRare);
  // Where something judges every row, and most names are in few rows, these name tests of single rows.
  const areTests = 2 * rare.length > found.length && found.some(({ optional }) => !optional);
  const certain = areTests ? found.filter((column) => !rare.includes(column)) : found;
  // A verdict in plain words says the same as one with unknown ones.
  const isSaid = certain.some((column) => isVerdict(column) && !isUnclear(column));
  const sure = certain.filter((column) => !isSaid || !isUnclear(column));
  const metrics = sure.length > 0 ? sure : of("weak");
  const open = columns.filter((column) => found.includes(column) || of("weak").includes(column));
  return { metrics, left: open.filter((column) => !metrics.includes(column)) };
}

/** `fields_correct` of `fields_total`, but not ratings that a column adds up. */
function isPartOfTotal(column: Column, columns: readonly Column[]): boolean {
  if (!isWholeAboveOne(column)) return false;
  const [start] = plainName(column.name).split("_");
  const total = columns.find(({ name }) =>
    new RegExp(`^(?:${start!}_)?(?:total|count)$`, "i").test(plainName(name)),
  );
  return total !== undefined && !isSummand(column, total, columns);
}

const isWholeAboveOne = (column: Column): boolean => {
  const numbers = numbersOf(column);
  return numbers.every(Number.isInteger) && Math.max(...numbers) > 1;
};

/** Whether a column and others, none of them usage, add up to the total in every row. */
function isSummand(column: Column, total: Column, columns: readonly Column[]): boolean {
  const parts = columns.filter(
    (one) =>
      one !== total &&
      isNumeric(one) &&
      isWholeAboveOne(one) &&
      usageMetric(one.name) === undefined,
  );
  const isSum = (cell: unknown, n: number): boolean =>
    parts.reduce((sum, { cells }) => sum + Number(cells[n]), 0) === Number(cell);
  return parts.length > 1 && parts.includes(column) && total.cells.every(isSum);
}
