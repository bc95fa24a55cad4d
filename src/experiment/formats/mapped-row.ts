import { isObject } from "../../model/json.ts";
import { isMissing } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import { FEEDBACK_FIELDS, type FileHeader, type ReadRow, type RowPlace } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import { type MappedField, OBJECT_FIELDS, type Source } from "./mapping.ts";
import type { NestedRow } from "./nested-rows.ts";

const FEEDBACK_PARTS: readonly string[] = [
  ...FEEDBACK_FIELDS.filter((field) => field !== "key"),
  "feedback_source.type",
  "feedback_config.type",
  "feedback_config.min",
  "feedback_config.max",
  "feedback_config.categories",
];

/** A field with what reads its value in a record. */
interface ReadField extends MappedField {
  readonly read: (record: NestedRow) => unknown;
}

/** A field of the experiment and its value. */
interface FoundField extends MappedField {
  readonly value: unknown;
}

/** Where a field's value goes. */
type Slot = ReadField & { readonly root: string } & (
    | { readonly kind: "scores" | "object" | "number" | "plain" }
    | { readonly kind: "score"; readonly key: string; readonly part: string }
    | { readonly kind: "entry"; readonly name: string }
  );

const NUMBERS: readonly string[] = ["duration_s", "duration_ms", "repeat"];

function toSlot(read: ReadField): Slot {
  const { field } = read;
  const dot = field.indexOf(".");
  const root = dot < 0 ? field : field.slice(0, dot);
  const slot = { ...read, root };
  if (field === "evaluation_scores") return { ...slot, kind: "scores" };
  if (root === "evaluation_scores")
    return { ...slot, kind: "score", ...scorePart(field.slice(dot + 1)) };
  if (dot > 0) return { ...slot, kind: "entry", name: field.slice(dot + 1) };
  if ((OBJECT_FIELDS as readonly string[]).includes(root)) return { ...slot, kind: "object" };
  return { ...slot, kind: NUMBERS.includes(root) ? "number" : "plain" };
}

/** Makes rows of the values that their fields are mapped to; with `exact` they are as the file has them. */
export function createAssembler(
  fields: readonly ReadField[],
  exact: boolean,
): (place: RowPlace, record: NestedRow) => ReadRow {
  const slots = fields.map(toSlot);
  const toWhole = exact ? (value: unknown): unknown => value : parseWhenJson;
  const toNumber = exact ? numberOnly : numberIn;
  const isNamedFirst =
    exact && slots.find(({ kind }) => kind.startsWith("score"))?.kind === "score";
  const hasUsage = slots.some(({ root }) => root === "usage");
  return (place, record) => {
    const row: Record<string, unknown> = { place };
    const lists: unknown[] = [];
    const objects = new Map<string, [string, unknown][]>();
    const scores: Scores = new Map();
    for (const slot of slots) {
      const value = slot.read(record);
      if (value === undefined || (slot.root === "error" && !exact && isNoError(value))) continue;
      if (slot.kind === "scores") lists.push(...toWholeScores(scores, toWhole(value), slot.source));
      else if (slot.kind === "score") setPart(scores, slot, value);
      else if (slot.kind === "object") row[slot.root] = toWhole(value);
      else if (slot.kind !== "entry")
        row[slot.root] = slot.kind === "number" ? toNumber(value) : value;
      else {
        const entries = objects.get(slot.root) ?? [];
        entries.push([slot.name, slot.root === "usage" ? toNumber(value) : value]);
        objects.set(slot.root, entries);
      }
    }
    if (hasUsage) {
      const usage = usageOf(Object.fromEntries(objects.get("usage") ?? []), row["usage"]);
      objects.delete("usage");
      if (usage !== undefined) row["usage"] = usage;
    }
    for (const [root, entries] of objects)
      row[root] = {
        ...(isObject(row[root]) ? row[root] : {}),
        ...Object.fromEntries(entries),
      };
    const named = [...scores.values()];
    if (named.length + lists.length > 0)
      row["evaluation_scores"] = isNamedFirst ? [...named, ...lists] : [...lists, ...named];
    const ms = row["duration_ms"];
    if (typeof ms === "number") row["duration_s"] ??= ms / 1000;
    delete row["duration_ms"];
    return row as unknown as ReadRow;
  };
}

/** What pandas and Python write where there is none: nan, None. */
const isNoError = (value: unknown): boolean => typeof value === "string" && isMissing(value);

/** What a file says of the whole experiment, of the values of the mapped fields. */
export function assembleHeader(values: readonly FoundField[], exact: boolean): FileHeader {
  const given: Record<string, unknown> = {};
  const found: { suite?: string; started_at?: unknown } = {};
  const lists: unknown[] = [];
  const scores: Scores = new Map();
  const metadata = new Map<string, unknown>();
  for (const { field, value, source } of values) {
    if (value === undefined) continue;
    if (field === "started_at") found.started_at = value;
    else if (field === "suite") {
      if (typeof value === "string") found.suite = value;
    } else if (field === "summary_experiment_scores")
      lists.push(...toWholeScores(scores, parseWhenJson(value), source));
    else if (field.startsWith("summary_experiment_scores.")) {
      setPart(scores, scorePart(field.slice(field.indexOf(".") + 1)), value);
    } else if (field.startsWith("experiment_metadata."))
      metadata.set(field.slice(field.indexOf(".") + 1), value);
    else given[field] = field === "experiment_metadata" ? parseWhenJson(value) : value;
  }
  if (exact && metadata.size > 0)
    return {
      ...found,
      given: withScores(given, lists, scores),
      metadata: Object.fromEntries(metadata) as FileHeader["metadata"],
    };
  if (metadata.size > 0)
    given["experiment_metadata"] = {
      ...(isObject(given["experiment_metadata"]) ? given["experiment_metadata"] : {}),
      ...Object.fromEntries(metadata),
    };
  return { ...found, given: withScores(given, lists, scores) };
}

const withScores = (
  given: FileHeader["given"],
  lists: readonly unknown[],
  scores: Scores,
): FileHeader["given"] =>
  scores.size + lists.length === 0
    ? given
    : { ...given, summary_experiment_scores: [...lists, ...scores.values()] };

/**
 * Scores whose names are in the data: a list of feedbacks, given back as it is; an object of
 * scores by metric; a lone score, whose metric is called like its column.
 */
function toWholeScores(scores: Scores, whole: unknown, source: Source): readonly unknown[] {
  if (Array.isArray(whole)) return whole;
  const alone = "names" in source ? source.names[0] : "score";
  for (const [key, score] of isObject(whole) ? Object.entries(whole) : [[alone, whole] as const])
    setPart(scores, { key, part: "score" }, score);
  return [];
}

/** `correctness`, `correctness.comment`, `correctness.feedback_config.min`: the longest known ending is the part. */
function scorePart(name: string): { readonly key: string; readonly part: string } {
  const part = FEEDBACK_PARTS.filter((known) => name.endsWith(`.${known}`)).sort(
    (a, b) => b.length - a.length,
  )[0];
  return part === undefined
    ? { key: name, part: "score" }
    : { key: name.slice(0, -part.length - 1), part };
}

/** A mark as its number; several for one metric of a row, as a detector has for several answers, are their mean. */
function meanOf(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  if (!Array.isArray(value) || value.length === 0) return value;
  const numbers = value.map((one) => (typeof one === "boolean" ? Number(one) : (one as unknown)));
  if (!numbers.every((one): one is number => typeof one === "number")) return value;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Scores by metric, as far as their parts are known. */
type Scores = Map<string, Record<string, unknown>>;

/** What is known of a score once more is: a part of it, or one of a part of it. */
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

const numberOnly = (value: unknown): unknown => (typeof value === "number" ? value : undefined);

/** A number in text; anything else stays as it is, for the checks to name. */
function numberIn(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** Cells of whole objects and lists are JSON; text that only looks like it stays text. */
export function parseWhenJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseLenientJson(value);
  return parsed.problem === undefined ? parsed.value : value;
}
