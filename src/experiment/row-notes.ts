import { cutEnd, toSentence } from "../report/escape.ts";
import { plural } from "../model/count-words.ts";
import type { Feedback, RowPlace } from "./input/row.ts";
import { createMadeUpInputs } from "./made-up-inputs.ts";
import { isMissing } from "./input/scored.ts";
import { inOrder } from "./input/ordered-object.ts";

/** A metric's mean, and how many rows (or scores that are sent) it covers. */
export interface Mean {
  readonly mean: number;
  readonly n: number;
}

/** A number that a row has for a metric. */
export interface RowScore {
  readonly key: string;
  readonly score: number;
}

/** Rows that crashed with one error, ignoring numbers and ids in it. */
interface CrashTally {
  /** The error of the first of them. */
  readonly words: string;
  rows: number;
}

/** Statistics of one metric over the rows so far. */
const createTally = (key: string) => ({
  key,
  /** Every number that is sent, as the service counts. */
  sent: { sum: 0, n: 0 },
  /** Rows with a number, as gates count: several in a row count as their mean. A crashed row counts for both. */
  scored: { sum: 0, n: 0 },
  /** Rows that did not crash and give it in words only. */
  worded: 0,
  /** Scores that are words. */
  words: 0,
  /** Scores that are neither number nor word. */
  missing: 0,
  /** Rows with more than one number of it. */
  repeats: 0,
  firstRepeat: undefined as RowPlace | undefined,
  /** The last row with a number of it, counted from 1: how many it has, and their mean. */
  last: { row: 0, n: 0, mean: 0 },
});
type MetricTally = ReturnType<typeof createTally>;

/** Counts of what was found in rows and changed, each reported once as a warning after the file was read. */
export const createRowNotes = () => ({
  metrics: new Map<string, MetricTally>(),
  /** The same for one row's metrics beyond the limit; they are never reported. */
  beyond: new Map<string, MetricTally>(),
  /** Numbers of such metrics. */
  unreported: 0,
  rows: 0,
  wrapped: 0,
  withoutTime: 0,
  withoutDuration: 0,
  notFinite: 0,
  unsafeIntegers: 0,
  untypedConfigs: 0,
  longKeys: createBoundedSet(),
  unknownFields: createBoundedSet(),
  unreadNumbers: createBoundedSet(),
  crashes: new Map<string, CrashTally>(),
  madeUp: createMadeUpInputs(),
});
/** What was counted so far. */
export type RowNotes = ReturnType<typeof createRowNotes>;

const MAX_METRICS = 10_000;
const MAX_LISTED = 20;

/** A file can contain a million different names; twenty are enough. */
function createBoundedSet(): Set<string> {
  const names = new Set<string>();
  const add = names.add.bind(names);
  names.add = (name) => (names.size < MAX_LISTED ? add(name) : names);
  return names;
}

/**
 * The tally of a metric, created if missing. Names without a number get half of the room, so that
 * they crowd out no metric.
 */
export function tallyOf(
  { metrics, beyond }: RowNotes,
  key: string,
  hasNumber = false,
): MetricTally {
  const known = metrics.get(key) ?? beyond.get(key);
  if (known !== undefined) return known;
  const tally = createTally(key);
  (metrics.size < (hasNumber ? 2 : 1) * MAX_METRICS ? metrics : beyond).set(key, tally);
  return tally;
}

function add(to: MetricTally["sent"], score: number): void {
  to.sum += score;
  to.n += 1;
}

/** Counts the scores of one row; returns its numbers, or their mean if a metric has several. */
export function countScores(
  notes: RowNotes,
  scores: readonly Feedback[],
  { failed, place }: { readonly failed: boolean; readonly place: RowPlace },
): readonly RowScore[] {
  notes.rows += 1;
  // Clearing even an empty map takes new memory, of the old generation.
  if (notes.beyond.size > 0) notes.beyond.clear();
  const found = addUp(notes, scores);
  for (const tally of found) {
    add(tally.scored, tally.last.mean);
    if (tally.last.n === 1) continue;
    tally.repeats += 1;
    tally.firstRepeat ??= place;
  }
  if (found.length === scores.length) return scores as readonly RowScore[];
  if (!failed)
    for (const key of new Set(scores.filter(isWorded).map((one) => one.key))) {
      const tally = tallyOf(notes, key);
      if (tally.last.row !== notes.rows) tally.worded += 1;
    }
  return found.map(({ key, last }) => ({ key, score: last.mean }));
}

/** Counts every number that is sent; returns the metrics that have one in this row. */
function addUp(notes: RowNotes, scores: readonly Feedback[]): readonly MetricTally[] {
  const found: MetricTally[] = [];
  for (const { key, score } of scores) {
    if (score === undefined) continue;
    const tally = tallyOf(notes, key, true);
    const { sent, last } = tally;
    add(sent, score);
    if (notes.beyond.has(key)) notes.unreported += 1;
    if (last.row !== notes.rows) {
      found.push(tally);
      [last.row, last.n] = [notes.rows, 0];
    }
    last.n += 1;
    last.mean = last.n === 1 ? score : last.mean + (score - last.mean) / last.n;
  }
  return found;
}

/** Further kinds of errors are counted as one. */
const MAX_CRASH_KINDS = 1000;
const CRASH_CHARS = 160;
const MAX_CRASHES = 3;

/** The line that says what went wrong: of a Python traceback the last one, else the first. */
function tellingLine(error: string): string {
  const text = error.trim();
  const isTraceback = text.startsWith("Traceback (");
  const near = isTraceback ? text.slice(-10 * CRASH_CHARS) : text.slice(0, 10 * CRASH_CHARS);
  return near.split("\n").at(isTraceback ? -1 : 0)!;
}

/** Counts a crashed row by the line that says what went wrong. */
export function countCrash({ crashes }: RowNotes, error: string): void {
  const words = cutEnd(toSentence(tellingLine(error)), CRASH_CHARS);
  const kind = words.replaceAll(/\b(?:\d[\w.-]*|[0-9a-f-]{8,})\b/giu, "#");
  const key = crashes.has(kind) || crashes.size < MAX_CRASH_KINDS ? kind : "";
  const tally = crashes.get(key) ?? { words: key === "" ? "other errors" : words, rows: 0 };
  tally.rows += 1;
  crashes.set(key, tally);
}

function describeCrashes({ crashes }: RowNotes): string {
  const kinds = [...crashes.values()].sort((a, b) => b.rows - a.rows);
  const all = kinds.reduce((sum, { rows }) => sum + rows, 0);
  if (all === 0) return "";
  const shown = kinds
    .slice(0, MAX_CRASHES)
    .map(({ words, rows }) => (kinds.length === 1 ? `“${words}”` : `“${words}” (${rows})`));
  const more = kinds.length - shown.length;
  return `${plural(all, "row")} crashed: ${shown.join(", ")}${more > 0 ? `, and ${plural(more, "more error")}` : ""}`;
}

const isWorded = ({ value }: Feedback): boolean => value !== undefined && !isMissing(value);

/** The means of the metrics that have a number. */
export function meansOf({ metrics }: RowNotes, by: "sent" | "scored"): Record<string, Mean> {
  return inOrder(
    [...metrics.values()].flatMap((tally) => {
      const { sum, n } = tally[by];
      return n === 0 ? [] : [[tally.key, { mean: sum / n, n }]];
    }),
  );
}

/** At most twenty items, and how many more there are. */
export const listed = (items: readonly string[]): string =>
  [
    ...items.slice(0, MAX_LISTED),
    ...(items.length > MAX_LISTED ? [`${items.length - MAX_LISTED} more`] : []),
  ].join(", ");

/** Two numbers under one name may be two annotators, or two evaluators with the same name. */
function reportRepeats({ key, repeats, firstRepeat }: MetricTally): string[] {
  if (firstRepeat === undefined) return [];
  const where = `row ${firstRepeat.index + 1} of ${firstRepeat.file}`;
  return [`${key} (${repeats === 1 ? where : `${repeats} rows, the first is ${where}`})`];
}

/** The warnings, one sentence each; `advice` says how to get unread numbers as scores. */
export function renderRowNotes(
  notes: RowNotes,
  advice = "a mapping can name them as scores",
): string[] {
  const { wrapped, notFinite, unsafeIntegers, untypedConfigs, unreported } = notes;
  const metrics = [...notes.metrics.values()].map((one) => ({ ...one, key: one.key.slice(0, 60) }));
  const list = (of: "missing" | "words" | "worded", among = metrics): string =>
    listed(among.filter((one) => one[of] > 0).map((one) => `${one[of]} of ${one.key}`));
  const missing = metrics.reduce((sum, one) => sum + one.missing, 0);
  const words = list("words");
  const unscored = list(
    "worded",
    metrics.filter((one) => one.sent.n > 0 && one.words === 0),
  );
  const repeated = listed(metrics.flatMap(reportRepeats));
  const unread = [...notes.unreadNumbers].join(", ");
  const lines: readonly (string | 0)[] = [
    describeCrashes(notes),
    missing &&
      `${plural(missing, "score is", "scores are")} missing, NaN or infinite (${list("missing")}): unscored, not sent, in no mean`,
    wrapped &&
      `${plural(wrapped, "value is not an object", "values are not objects")}, which the service wants: wrapped as {"input": …}, {"output": …} or {"value": …}`,
    notFinite &&
      `${plural(notFinite, "number")} outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null`,
    unsafeIntegers &&
      `${plural(unsafeIntegers, "integer is", "integers are")} beyond 2^53 and sent rounded; write them as text`,
    untypedConfigs && "a feedback_config has no type; the hosted service requires one",
    ...Array.from(
      notes.longKeys,
      (key) =>
        `feedback key "${key}…" is longer than 180 characters, which the hosted service refuses`,
    ),
    ...Array.from(notes.unknownFields, (name) => `there is no field ${name}; it is not sent`),
    words &&
      `scores that are words, not numbers: ${words}; no gate can judge these (a mapping turns words into numbers)`,
    unscored &&
      `a value without a score, where other rows have one: ${unscored}; no gate can judge these`,
    repeated &&
      `scores that appear more than once in a row count there as their mean: ${repeated}; give two evaluators two names`,
    unreported &&
      "the file has more metrics than a report holds: " +
        `${plural(unreported, "score is", "scores are")} in no mean shown, but sent and judged`,
    unread && `numbers not read: ${unread} (${advice})`,
  ];
  return lines.filter((line): line is string => line !== 0 && line !== "");
}

/** Warnings about times, which are made up for uploads only: no gate judges a row by its start. */
export function renderTimeNotes({ withoutTime, withoutDuration }: RowNotes): string[] {
  const lines = [
    withoutTime && `${plural(withoutTime, "row")} without a time: the file's own time is the start`,
    withoutDuration &&
      `${plural(withoutDuration, "row")} without a duration: the end is the start, so the latency shown is 0`,
  ];
  return lines.filter((line) => line !== 0);
}
