import { isObject } from "../../model/json.ts";
import { isMissing } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import { type FileHeader, type ReadRow, type RowPlace, WRAP_KEYS } from "../input/row.ts";
import { type Usage, usageOf } from "../input/usage.ts";
import { type MappedField, OBJECT_FIELDS } from "./mapping.ts";
import type { NestedRow } from "./nested-rows.ts";
import { isThere } from "./pick.ts";
import { inOrder } from "../input/ordered-object.ts";

interface ReadField extends MappedField {
  readonly read: (record: NestedRow) => unknown;
}

/** A value of a field: the whole of it, or the part with a name. */
interface Slot extends Pick<ReadField, "read" | "source"> {
  readonly name: string | undefined;
}

type Assemble = (record: NestedRow) => unknown;
type Convert = (value: unknown) => unknown;

const NUMBERS: readonly string[] = ["duration_s", "duration_ms", "repeat"];
const SCORES: readonly string[] = ["evaluation_scores", "summary_experiment_scores"];
const OBJECTS: readonly string[] = [...OBJECT_FIELDS, "experiment_metadata"];

const unchanged: Convert = (value) => value;
const numberOnly: Convert = (value) => (typeof value === "number" ? value : undefined);

/** What a field makes of a value that is the whole of it. */
function converterOf(root: string, exact: boolean): Convert {
  if (root === "error")
    return (value) => (isFailure(value) && (exact || !isNoError(value)) ? value : undefined);
  if (NUMBERS.includes(root)) return exact ? numberOnly : numberIn;
  return OBJECTS.includes(root) && !exact ? parseWhenJson : unchanged;
}

/** Creates a function that assembles a field from all columns mapped to it or its parts; undefined if the record has none. */
function createField(root: string, slots: readonly Slot[], exact: boolean): Assemble {
  const convert = converterOf(root, exact);
  const plain = slots.find(({ name }) => name === undefined);
  const parts = slots.filter(({ name }) => name !== undefined);
  const isUsage = root === "usage";
  const convertPart = isUsage ? converterOf("repeat", exact) : unchanged;
  return (record) => {
    const value = plain?.read(record);
    const whole = value === undefined ? undefined : convert(value);
    const entries: [string, unknown][] = [];
    for (const { name, read } of parts) {
      const part = convertPart(read(record));
      if (part !== undefined) entries.push([name!, part]);
    }
    if (isUsage) return usageOf(Object.fromEntries(entries), whole);
    if (entries.length === 0) return whole;
    return inOrder(
      whole === undefined ? entries : [...entriesOfWhole(root, whole, entries), ...entries],
    );
  };
}

/**
 * The entries of a field that is given whole, next to its parts. One that is no object gets the
 * name that it has without them.
 */
function entriesOfWhole(
  root: string,
  whole: unknown,
  parts: readonly (readonly [string, unknown])[],
): [string, unknown][] {
  if (isObject(whole)) return Object.entries(whole);
  if (!isThere(whole)) return [];
  const name = WRAP_KEYS[root as keyof typeof WRAP_KEYS];
  return [[parts.some(([part]) => part === name) ? root : name, whole]];
}

/** The parts of a score as a mapping names them, and what each makes of its value. */
const FEEDBACK: Readonly<Record<string, Convert>> = {
  score: meanOf,
  value: unchanged,
  comment: unchanged,
  created_at: unchanged,
  modified_at: unchanged,
  correction: parseWhenJson,
  feedback_source: parseWhenJson,
  "feedback_source.type": unchanged,
  feedback_config: parseWhenJson,
  "feedback_config.type": unchanged,
  "feedback_config.min": numberIn,
  "feedback_config.max": numberIn,
  "feedback_config.categories": parseWhenJson,
};

/**
 * Splits `correctness`, `correctness.comment`, `correctness.feedback_config.min`: the longest
 * known ending is the part.
 */
function scorePart(name: string): { readonly key: string; readonly part: string } {
  const [part] = Object.keys(FEEDBACK)
    .filter((known) => name.endsWith(`.${known}`))
    .sort((a, b) => b.length - a.length);
  return part === undefined
    ? { key: name, part: "score" }
    : { key: name.slice(0, -part.length - 1), part };
}

/** Scores by metric, as far as their parts are known. */
type Scores = Map<string, Record<string, unknown>>;

/** Adds a part, or a part of a part, to a score. */
function setPart(scores: Scores, key: string, part: string, value: unknown): void {
  const feedback = scores.get(key) ?? { key };
  scores.set(key, feedback);
  const [outer = "", inner] = part.split(".");
  const made = FEEDBACK[part]!(value);
  feedback[outer] =
    inner === undefined ? made : { ...(feedback[outer] as object | undefined), [inner]: made };
}

/**
 * Creates a function that assembles scores. Where their names are in the data, a value is a list
 * of feedbacks, returned unchanged; an object of scores by metric; or a single score, named like
 * its column.
 */
function createScores(slots: readonly Slot[], exact: boolean): Assemble {
  const named = slots.map(({ name, source, read }) => ({
    read,
    alone: source.column?.names[0] ?? "score",
    named: name === undefined ? undefined : scorePart(name),
  }));
  return (record) => {
    const lists: unknown[] = [];
    const scores: Scores = new Map();
    for (const { read, named: place, alone } of named) {
      const value = read(record);
      if (value === undefined) continue;
      if (place !== undefined) {
        setPart(scores, place.key, place.part, value);
        continue;
      }
      const whole = exact ? value : parseWhenJson(value);
      if (Array.isArray(whole)) lists.push(...(whole as unknown[]));
      else
        for (const [key, score] of isObject(whole) ? Object.entries(whole) : [[alone, whole]])
          setPart(scores, key as string, "score", score);
    }
    return exact && named[0]?.named !== undefined
      ? [...scores.values(), ...lists]
      : [...lists, ...scores.values()];
  };
}

/**
 * Creates a function that assembles the fields of a record into one object; with `exact`, values
 * stay as in the file.
 */
function createAssembler(
  fields: readonly ReadField[],
  exact: boolean,
): (record: NestedRow) => Record<string, unknown> {
  const slots = new Map<string, Slot[]>();
  for (const { field, read, source } of fields) {
    const [root = "", ...rest] = field.split(".");
    const name = rest.length === 0 ? undefined : rest.join(".");
    slots.set(root, [...(slots.get(root) ?? []), { name, read, source }]);
  }
  const roots = Array.from(slots, ([root, ones]) => ({
    root,
    read: SCORES.includes(root) ? createScores(ones, exact) : createField(root, ones, exact),
  }));
  return (record) => {
    const made: Record<string, unknown> = {};
    for (const { root, read } of roots) {
      const value = read(record);
      if (value !== undefined) made[root] = value;
    }
    return made;
  };
}

/** The same for a row, whose milliseconds become seconds. */
export function createRowAssembler(
  fields: readonly ReadField[],
  exact: boolean,
): (place: RowPlace, record: NestedRow) => ReadRow {
  const assemble = createAssembler(fields, exact);
  const usage = exact ? [] : fields.filter(({ field }) => field.startsWith("usage."));
  return (place, record) => {
    const made = assemble(record);
    const ms = made["duration_ms"];
    // All fields are on every row, also those that code adds later: V8 makes a class of its own for a copy with more.
    const row: ReadRow = {
      place,
      group: undefined,
      part: undefined,
      row_id: made["row_id"],
      example_id: made["example_id"],
      inputs: made["inputs"],
      identity: undefined,
      expected_outputs: made["expected_outputs"],
      actual_outputs: made["actual_outputs"],
      evaluation_scores: made["evaluation_scores"],
      start_time: made["start_time"],
      end_time: made["end_time"],
      duration_s: (made["duration_s"] ?? (typeof ms === "number" ? ms / 1000 : undefined)) as
        | number
        | undefined,
      run_name: made["run_name"],
      error: made["error"],
      run_metadata: made["run_metadata"],
      usage: made["usage"] as Usage | undefined,
      repeat: made["repeat"] as number | undefined,
      record: undefined,
      unread: undefined,
    };
    const lost = usage.filter(({ read }) => isWords(read(record)));
    return lost.length === 0
      ? row
      : { ...row, unread: lost.map(({ field, source }) => source.column?.names[0] ?? field) };
  };
}

/**
 * What a file says about the whole experiment; with `exact`, a tool's own `experiment_metadata`
 * becomes metadata that the user's own overrides.
 */
export function assembleHeader(
  fields: readonly ReadField[],
  around: NestedRow,
  exact: boolean,
): FileHeader {
  const { suite, started_at, ...given } = createAssembler(fields, exact)(around);
  const { experiment_metadata: metadata, ...others } = given;
  return {
    suite: typeof suite === "string" ? suite : undefined,
    started_at,
    ...(exact && metadata !== undefined
      ? { given: others, metadata: metadata as FileHeader["metadata"] }
      : { given }),
  };
}

/** Programs write false, and empty lists and objects, for no error; pandas and Python write nan or None. */
const isNoError = (value: unknown): boolean =>
  typeof value === "string" && (isMissing(value) || /^(?:false|0|\[\]|\{\})$/i.test(value.trim()));

/** The same of a value that is no text. */
export const isFailure = (error: unknown): boolean =>
  typeof error === "object" ? Object.keys(error ?? {}).length > 0 : Boolean(error);

/** A mark as a number; several for one metric of a row, as a detector gives for several answers, become their mean. */
function meanOf(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  if (!Array.isArray(value) || value.length === 0) return value;
  const numbers = value.map((one) => (typeof one === "boolean" ? Number(one) : (one as unknown)));
  if (!numbers.every((one): one is number => typeof one === "number")) return value;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** A cost such as `$0.02`, which would be missing from the sum of a run. */
const isWords = (value: unknown): boolean =>
  typeof value === "string" && !isMissing(value) && typeof numberIn(value) !== "number";

/** Parses a number in text; leaves anything else unchanged, for the checks to report. */
export function numberIn(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** Parses cells with whole objects and lists as JSON; text that only looks like it stays text. */
export function parseWhenJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseLenientJson(value);
  return parsed.problem === undefined ? parsed.value : value;
}
