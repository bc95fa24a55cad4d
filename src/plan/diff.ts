import type { Field, Shape } from "../model/shape.ts";
import { KNOWN_AT_APPLY, type Json } from "../spec/desired.ts";
import type { JsonObject } from "./plan.ts";
import {
  coveredBy,
  holdsSensitive,
  isNull,
  isObject,
  keyOf,
  toShown,
  withDefaults,
  withoutUserInfo,
} from "./value.ts";

/** One leaf that differs; `before` and `after` are already fit to be shown. */
export interface Difference {
  /** Dotted, canonical; items of keyed lists by their key. */
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly sensitive: boolean;
}

interface Place {
  readonly path: string;
  /** The same place by list index, as `Desired.unknown` names it. */
  readonly index: string;
}

/** What a comparison needs to know besides the values. */
export interface DiffContext {
  readonly unknown: ReadonlySet<string>;
}

const below = (place: Place, key: string, index: string | number = key): Place => ({
  path: `${place.path}.${key}`,
  index: `${place.index}.${index}`,
});

/**
 * Where the spec and the live value differ, as the service sees it: documented defaults filled on both sides, null is
 * absent, keyed lists by key. What only the live side has is unmanaged and not compared, except whole items of a list.
 * The walk follows the shape and knows no field by name.
 */
export function diffValue(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  return diffShape(field.shape, field, wanted, live, place, context);
}

function diffShape(
  shape: Shape,
  field: Field | undefined,
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  if (context.unknown.has(place.index)) return diffUnknown(shape, field, live, place);
  if (isNull(wanted)) return [];
  switch (shape.kind) {
    case "struct":
      return diffStruct(shape, wanted, live, place, context);
    case "list":
      return shape.match === undefined
        ? diffOrdered(shape, field, wanted, live, place, context)
        : diffKeyed(shape, shape.match, wanted, live, place, context);
    case "map":
      return diffMap(wanted, live, place, context);
    case "free":
      return coveredBy(wanted, live) ? [] : [difference(shape, field, live, wanted, place)];
    case "scalar":
      return sameScalar(field, shape.type, wanted, live)
        ? []
        : [difference(shape, field, live, wanted, place)];
  }
}

function sameScalar(
  field: Field | undefined,
  type: string,
  wanted: Json,
  live: Json | undefined,
): boolean {
  // A spec rarely holds the user-info of a URL, and never has to.
  if (
    field?.meta.sensitive === "user-info" &&
    typeof wanted === "string" &&
    typeof live === "string" &&
    withoutUserInfo(live) === wanted
  )
    return true;
  if (type === "uuid" && typeof wanted === "string" && typeof live === "string")
    return wanted.toLowerCase() === live.toLowerCase();
  return wanted === live;
}

function difference(
  shape: Shape,
  field: Field | undefined,
  before: Json | undefined,
  after: Json,
  place: Place,
): Difference {
  const sensitive = holdsSensitive(field, shape, before) || holdsSensitive(field, shape, after);
  const shown = {
    before: toShown(field, shape, before ?? null),
    after: toShown(field, shape, after),
  };
  if (field?.meta.sensitive === "value" && !isNull(before))
    return {
      path: place.path,
      before: "(old value)",
      after: isNull(after) ? null : "(new value)",
      sensitive,
    };
  return { path: place.path, ...shown, sensitive };
}

/** A value only `apply` will know: a sensitive one that is set is left to apply, any other counts as a change. */
function diffUnknown(
  shape: Shape,
  field: Field | undefined,
  live: Json | undefined,
  place: Place,
): Difference[] {
  if (field?.meta.sensitive === "value" && !isNull(live)) return [];
  return [
    {
      path: place.path,
      before: toShown(field, shape, live ?? null),
      after: KNOWN_AT_APPLY,
      sensitive: field?.meta.sensitive === "value",
    },
  ];
}

function diffStruct(
  shape: Extract<Shape, { kind: "struct" }>,
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  if (!isObject(wanted)) return [];
  const given = isObject(live) ? live : {};
  let filled: JsonObject | null = null;
  const found: Difference[] = [];
  for (const key of Object.keys(wanted)) {
    const child = shape.fields.get(key);
    if (child === undefined) continue;
    // Only a key that is not there can have been filled in.
    const answered = isNull(given[key]) ? (filled ??= withDefaults(shape, given))[key] : given[key];
    for (const difference of diffShape(
      child.shape,
      child,
      wanted[key] as Json,
      answered,
      below(place, key),
      context,
    ))
      found.push(difference);
  }
  return found;
}

function diffMap(
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  if (!isObject(wanted)) return [];
  const found: Difference[] = [];
  for (const [key, after] of Object.entries(wanted)) {
    const before = isObject(live) ? (live[key] ?? null) : null;
    const at = below(place, key);
    if (context.unknown.has(at.index))
      found.push({ path: at.path, before, after: KNOWN_AT_APPLY, sensitive: false });
    else if (!isNull(after) && after !== before)
      found.push({ path: at.path, before, after, sensitive: false });
  }
  return found;
}

type ListShape = Extract<Shape, { kind: "list" }>;

function diffKeyed(
  shape: ListShape,
  match: string,
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  const wantedItems = Array.isArray(wanted) ? (wanted as readonly Json[]) : [];
  const liveItems = Array.isArray(live) ? (live as readonly Json[]) : [];
  const byKey = new Map(liveItems.map((item) => [keyOf(item, match), item]));
  const found: Difference[] = [];
  wantedItems.forEach((item, index) => {
    const key = keyOf(item, match);
    const at = below(place, key, index);
    const before = byKey.get(key);
    found.push(
      ...(before === undefined
        ? [difference(shape.item, undefined, null, item, at)]
        : diffShape(shape.item, undefined, item, before, at, context)),
    );
  });
  const kept = new Set(wantedItems.map((item) => keyOf(item, match)));
  for (const [key, item] of byKey)
    if (!kept.has(key))
      found.push(difference(shape.item, undefined, item, null, below(place, key)));
  return found;
}

/** What names an item of a list that is compared in order: its own name, else its place. */
export function labelOf(item: Json | undefined, index: number): string {
  return isObject(item) && typeof item["name"] === "string" ? item["name"] : String(index);
}

function diffOrdered(
  shape: ListShape,
  field: Field | undefined,
  wanted: Json,
  live: Json | undefined,
  place: Place,
  context: DiffContext,
): Difference[] {
  const wantedItems = Array.isArray(wanted) ? (wanted as readonly Json[]) : [];
  const liveItems = Array.isArray(live) ? (live as readonly Json[]) : [];
  const sameOrder =
    wantedItems.length === liveItems.length &&
    wantedItems.every((item, index) => labelOf(item, index) === labelOf(liveItems[index], index));
  const at = (index: number): Place => below(place, labelOf(wantedItems[index], index), index);
  const items = sameOrder
    ? wantedItems.flatMap((item, index) =>
        diffShape(shape.item, undefined, item, liveItems[index], at(index), context),
      )
    : [];
  if (sameOrder && (items.length === 0 || shape.item.kind === "struct")) return items;
  return [difference(shape, field, live ?? null, wanted, place)];
}
