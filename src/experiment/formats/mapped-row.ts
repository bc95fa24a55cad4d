import { isObject } from "../../model/json.ts";
import { isMissing } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import {
  FEEDBACK_FIELDS,
  type FileHeader,
  type ReadRow,
  type RowPlace,
  WRAP_KEYS,
} from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import { type MappedField, OBJECT_FIELDS, type Source } from "./mapping.ts";
import type { NestedRow } from "./nested-rows.ts";
import { inOrder } from "../input/ordered-object.ts";

const FEEDBACK_PARTS: readonly string[] = [
  ...FEEDBACK_FIELDS.filter((field) => field !== "key"),
  "feedback_source.type",
  "feedback_config.type",
  "feedback_config.min",
  "feedback_config.max",
  "feedback_config.categories",
];

/** A field with the reader of its value. */
interface ReadField extends MappedField {
  readonly read: (record: NestedRow) => unknown;
}

/** Where a value goes: to the whole field, to a named entry of it, or to a part of a score. */
type Slot = ReadField & { readonly root: string } & (
    | { readonly kind: "whole" }
    | { readonly kind: "entry"; readonly name: string }
    | { readonly kind: "score"; readonly key: string; readonly part: string }
  );

type Assemble = (record: NestedRow) => unknown;

const NUMBERS: readonly string[] = ["duration_s", "duration_ms", "repeat"];
const SCORES: readonly string[] = ["evaluation_scores", "summary_experiment_scores"];
const OBJECTS: readonly string[] = [...OBJECT_FIELDS, "experiment_metadata"];

function toSlot(read: ReadField): Slot {
  const { field } = read;
  const dot = field.indexOf(".");
  const root = dot < 0 ? field : field.slice(0, dot);
  const [slot, name] = [{ ...read, root }, field.slice(dot + 1)];
  if (dot < 0) return { ...slot, kind: "whole" };
  if (SCORES.includes(root)) return { ...slot, kind: "score", ...scorePart(name) };
  return { ...slot, kind: "entry", name };
}

/**
 * Creates a function that assembles a field from all columns mapped to it or its parts; undefined
 * if the record has none.
 */
function createRoot(root: string, slots: readonly Slot[], exact: boolean): Assemble {
  const toWhole = exact ? (value: unknown): unknown => value : parseWhenJson;
  const toNumber = exact ? numberOnly : numberIn;
  if (SCORES.includes(root)) return createScores(slots, toWhole, exact);
  const toOne = (value: unknown): unknown => {
    if (root === "error")
      return isFailure(value) && (exact || !isNoError(value)) ? value : undefined;
    if (OBJECTS.includes(root)) return toWhole(value);
    return NUMBERS.includes(root) ? toNumber(value) : value;
  };
  const [plain] = slots.filter(({ kind }) => kind === "whole");
  const toPart = root === "usage" ? toNumber : (value: unknown): unknown => value;
  const parts = slots.filter((slot) => slot.kind === "entry");
  return (record) => {
    const value = plain?.read(record);
    const whole = value === undefined ? undefined : toOne(value);
    const entries = parts
      .map(({ name, read }) => [name, toPart(read(record))] as const)
      .filter(([, part]) => part !== undefined);
    if (root === "usage") return usageOf(Object.fromEntries(entries), whole);
    if (entries.length === 0) return whole;
    return inOrder([...entriesOfWhole(root, whole, entries), ...entries]);
  };
}

function createScores(
  slots: readonly Slot[],
  toWhole: (value: unknown) => unknown,
  exact: boolean,
): Assemble {
  const isNamedFirst = exact && slots[0]?.kind === "score";
  return (record) => {
    const lists: unknown[] = [];
    const scores: Scores = new Map();
    for (const slot of slots) {
      const value = slot.read(record);
      if (value === undefined) continue;
      if (slot.kind === "score") setPart(scores, slot, value);
      else lists.push(...toWholeScores(scores, toWhole(value), slot.source));
    }
    const named = [...scores.values()];
    if (named.length + lists.length === 0) return undefined;
    return isNamedFirst ? [...named, ...lists] : [...lists, ...named];
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
  const slots = fields.map(toSlot);
  const roots = Array.from(new Set(slots.map(({ root }) => root)), (root) => ({
    root,
    read: createRoot(
      root,
      slots.filter((slot) => slot.root === root),
      exact,
    ),
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
  if ((whole ?? "") === "") return [];
  const name = WRAP_KEYS[root as keyof typeof WRAP_KEYS];
  return [[parts.some(([part]) => part === name) ? root : name, whole]];
}

/** The same for a row, whose milliseconds become seconds. */
export function createRowAssembler(
  fields: readonly ReadField[],
  exact: boolean,
): (place: RowPlace, record: NestedRow) => ReadRow {
  const assemble = createAssembler(fields, exact);
  const usage = exact ? [] : fields.filter(({ field }) => field.startsWith("usage."));
  return (place, record) => {
    const row = assemble(record);
    row["place"] = place;
    const lost = usage.filter(({ read }) => isWords(read(record)));
    if (lost.length > 0) row["unread"] = lost.map(({ field, source }) => nameOf(source) ?? field);
    const ms = row["duration_ms"];
    if (typeof ms === "number") row["duration_s"] ??= ms / 1000;
    if (ms !== undefined) delete row["duration_ms"];
    return row as unknown as ReadRow;
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
    ...(typeof suite === "string" ? { suite } : {}),
    ...(started_at === undefined ? {} : { started_at }),
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

/**
 * Scores whose names are in the data: a list of feedbacks, returned unchanged; an object of scores
 * by metric; a single score, named like its column.
 */
function toWholeScores(scores: Scores, whole: unknown, source: Source): readonly unknown[] {
  if (Array.isArray(whole)) return whole;
  const alone = nameOf(source) ?? "score";
  for (const [key, score] of isObject(whole) ? Object.entries(whole) : [[alone, whole] as const])
    setPart(scores, { key, part: "score" }, score);
  return [];
}

/**
 * Splits `correctness`, `correctness.comment`, `correctness.feedback_config.min`: the longest
 * known ending is the part.
 */
function scorePart(name: string): { readonly key: string; readonly part: string } {
  const part = FEEDBACK_PARTS.filter((known) => name.endsWith(`.${known}`)).sort(
    (a, b) => b.length - a.length,
  )[0];
  return part === undefined
    ? { key: name, part: "score" }
    : { key: name.slice(0, -part.length - 1), part };
}

/** A mark as a number; several for one metric of a row, as a detector gives for several answers, become their mean. */
function meanOf(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  if (!Array.isArray(value) || value.length === 0) return value;
  const numbers = value.map((one) => (typeof one === "boolean" ? Number(one) : (one as unknown)));
  if (!numbers.every((one): one is number => typeof one === "number")) return value;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Scores by metric, as far as their parts are known. */
type Scores = Map<string, Record<string, unknown>>;

/** Adds a part, or a part of a part, to a score. */
function setPart(
  scores: Scores,
  { key, part }: { readonly key: string; readonly part: string },
  value: unknown,
): void {
  const feedback = scores.get(key) ?? { key };
  scores.set(key, feedback);
  const [outer = "", inner] = part.split(".");
  if (inner === undefined) feedback[part] = partValue(part, value);
  else
    feedback[outer] = {
      ...(feedback[outer] as object | undefined),
      [inner]: outer === "feedback_config" ? configValue(inner, value) : value,
    };
}

function partValue(part: string, value: unknown): unknown {
  if (part === "score") return meanOf(value);
  return ["correction", "feedback_source", "feedback_config"].includes(part)
    ? parseWhenJson(value)
    : value;
}

function configValue(part: string, value: unknown): unknown {
  if (part === "type") return value;
  return part === "categories" ? parseWhenJson(value) : numberIn(value);
}

/** A cost such as `$0.02`, which would be missing from the sum of a run. */
const isWords = (value: unknown): boolean =>
  typeof value === "string" && !isMissing(value) && typeof numberIn(value) !== "number";

const nameOf = (source: Source): string | undefined =>
  "names" in source ? source.names[0] : undefined;

const numberOnly = (value: unknown): unknown => (typeof value === "number" ? value : undefined);

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
