import { isObject } from "../../model/json.ts";
import { isMissing } from "../input/scored.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import { FEEDBACK_FIELDS, type FileHeader, type ReadRow, type RowPlace } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import { type MappedField, OBJECT_FIELDS, type Source } from "./mapping.ts";

const FEEDBACK_PARTS: readonly string[] = [
  ...FEEDBACK_FIELDS.filter((field) => field !== "key"),
  "feedback_source.type",
  "feedback_config.type",
  "feedback_config.min",
  "feedback_config.max",
  "feedback_config.categories",
];

/** A field, its value, and where that came from. */
export type FoundField = readonly [string, unknown, Source];

/** Where a field's value goes: worked out once, and not for every row. */
type Slot = {
  readonly mapped: MappedField;
  readonly root: string;
} & (
  | { readonly kind: "scores" | "object" | "number" | "plain" }
  | { readonly kind: "score"; readonly key: string; readonly part: string }
  | { readonly kind: "entry"; readonly name: string }
);

const NUMBERS: readonly string[] = ["duration_s", "duration_ms", "repeat"];

/** Works out where the value of a mapped field goes. */
export function toSlot(mapped: MappedField): Slot {
  const { field } = mapped;
  const dot = field.indexOf(".");
  const root = dot < 0 ? field : field.slice(0, dot);
  if (field === "evaluation_scores") return { mapped, root, kind: "scores" };
  if (root === "evaluation_scores")
    return { mapped, root, kind: "score", ...scorePart(field.slice(dot + 1)) };
  if (dot > 0) return { mapped, root, kind: "entry", name: field.slice(dot + 1) };
  if ((OBJECT_FIELDS as readonly string[]).includes(root)) return { mapped, root, kind: "object" };
  return { mapped, root, kind: NUMBERS.includes(root) ? "number" : "plain" };
}

/** A row of the values that its fields were mapped to; with `exact` they are as the file has them. */
export function assemble(
  place: RowPlace,
  slots: readonly Slot[],
  exact: boolean,
  toValue: (mapped: MappedField) => unknown,
): ReadRow {
  const toWhole = exact ? (value: unknown): unknown => value : parseWhenJson;
  const toNumber = exact ? numberOnly : numberIn;
  const row: Record<string, unknown> = {};
  const lists: unknown[] = [];
  const objects = new Map<string, Map<string, unknown>>();
  const scores = new Map<string, Map<string, unknown>>();
  for (const slot of slots) {
    const value = toValue(slot.mapped);
    if (value === undefined || (slot.root === "error" && !exact && isNoError(value))) continue;
    if (slot.kind === "scores")
      lists.push(...toWholeScores(scores, toWhole(value), slot.mapped.source));
    else if (slot.kind === "score") entryOf(scores, slot.key).set(slot.part, value);
    else if (slot.kind === "entry") entryOf(objects, slot.root).set(slot.name, value);
    else if (slot.kind === "object") row[slot.root] = toWhole(value);
    else row[slot.root] = slot.kind === "number" ? toNumber(value) : value;
  }
  const stated = [...(objects.get("usage") ?? [])].map(([name, value]) => [name, toNumber(value)]);
  objects.delete("usage");
  const usage = usageOf(Object.fromEntries(stated), row["usage"]);
  if (usage !== undefined) row["usage"] = usage;
  for (const [root, entries] of objects)
    row[root] =
      row[root] === undefined
        ? Object.fromEntries(entries)
        : { ...(isObject(row[root]) ? row[root] : {}), ...Object.fromEntries(entries) };
  const named = toScores(scores);
  const isNamedFirst =
    exact && slots.find(({ kind }) => kind.startsWith("score"))?.kind === "score";
  if (named.length + lists.length > 0)
    row["evaluation_scores"] = isNamedFirst ? [...named, ...lists] : [...lists, ...named];
  const ms = row["duration_ms"];
  if (typeof ms === "number") row["duration_s"] ??= ms / 1000;
  delete row["duration_ms"];
  row["place"] = place;
  return row as unknown as ReadRow;
}

/** What pandas and Python write where there is none: nan, None. */
const isNoError = (value: unknown): boolean => typeof value === "string" && isMissing(value);

/** What a file says of the whole experiment, of the values of the mapped fields. */
export function assembleHeader(values: readonly FoundField[], exact: boolean): FileHeader {
  const given: Record<string, unknown> = {};
  const found: { suite?: string; started_at?: unknown } = {};
  const lists: unknown[] = [];
  const scores = new Map<string, Map<string, unknown>>();
  const metadata = new Map<string, unknown>();
  for (const [field, value, source] of values) {
    if (value === undefined) continue;
    if (field === "started_at") found.started_at = value;
    else if (field === "suite") {
      if (typeof value === "string") found.suite = value;
    } else if (field === "summary_experiment_scores")
      lists.push(...toWholeScores(scores, parseWhenJson(value), source));
    else if (field.startsWith("summary_experiment_scores.")) {
      const { key, part } = scorePart(field.slice(field.indexOf(".") + 1));
      entryOf(scores, key).set(part, value);
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
  scores: Map<string, Map<string, unknown>>,
): FileHeader["given"] =>
  scores.size + lists.length === 0
    ? given
    : { ...given, summary_experiment_scores: [...lists, ...toScores(scores)] };

/**
 * Scores whose names are in the data: a list of feedbacks, given back as it is; an object of
 * scores by metric; a lone score, whose metric is called like its column.
 */
function toWholeScores(
  scores: Map<string, Map<string, unknown>>,
  whole: unknown,
  source: Source,
): readonly unknown[] {
  if (Array.isArray(whole)) return whole;
  if (isObject(whole))
    for (const [key, score] of Object.entries(whole)) entryOf(scores, key).set("score", score);
  else entryOf(scores, "names" in source ? source.names[0] : "score").set("score", whole);
  return [];
}

function entryOf(map: Map<string, Map<string, unknown>>, key: string): Map<string, unknown> {
  const found = map.get(key) ?? new Map<string, unknown>();
  map.set(key, found);
  return found;
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

/** Several numbers for one metric of a row, as a detector has for several answers, are their mean. */
function meanOf(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return value;
  const numbers = value.map((one) => (typeof one === "boolean" ? Number(one) : (one as unknown)));
  if (!numbers.every((one): one is number => typeof one === "number")) return value;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function toScores(scores: Map<string, Map<string, unknown>>): unknown[] {
  return [...scores].map(([key, parts]) => {
    const feedback: Record<string, unknown> = { key };
    for (const [part, found] of parts) {
      const value = part === "score" ? meanOf(found) : found;
      const [outer, inner] = part.split(".");
      if (outer === "feedback_config" && inner !== undefined)
        feedback[outer] = {
          ...(feedback[outer] as object | undefined),
          [inner]: configValue(inner, value),
        };
      else if (inner !== undefined)
        feedback[outer!] = { ...(feedback[outer!] as object | undefined), [inner]: value };
      else
        feedback[part] =
          part === "correction" || part === "feedback_source" || part === "feedback_config"
            ? parseWhenJson(value)
            : value;
    }
    return feedback;
  });
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
