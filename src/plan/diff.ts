import { resolveDefault } from "../model/default.ts";
import { userInfoOf, withoutUserInfo } from "../model/user-info.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Change } from "./plan.ts";
import {
  holdsSensitive,
  isDefault,
  isEmpty,
  isNull,
  isReturned,
  labelOf,
  sameFreeForm,
  sameRounded,
  toComparedRepository,
  toShown,
  withDefaults,
} from "./value.ts";

/** One leaf that differs, without what sending it does; `before` and `after` are safe to show. */
export interface Difference extends Omit<Change, "effect"> {
  /** A live leaf that the spec does not name and that writing the whole value drops. */
  readonly dropped?: true;
}

interface Place {
  readonly path: string;
  /** The same place with list indexes, as in `Desired.unknown`. */
  readonly index: string;
}

/** What a comparison needs besides the values, and what it reports besides differences. */
export interface DiffContext {
  readonly unknown: ReadonlySet<string>;
  /**
   * The reply shows nulls for what is not set: the service filled the value in, and some members
   * may be its own choice.
   */
  readonly filledIn: boolean;
  /** Live leaves that the field table does not know, dotted. */
  readonly foreign: string[];
  /** Live leaves that the spec does not name and that stay unchanged. */
  readonly unmanaged: KeptLeaf[];
}

/** A live leaf that stays unchanged; `value` is safe to show. */
export interface KeptLeaf {
  /** Dotted, canonical. */
  readonly path: string;
  readonly value: Json;
}

const below = (place: Place, key: string, index: string | number = key): Place => ({
  path: `${place.path}.${key}`,
  index: `${place.index}.${index}`,
});

/**
 * Compares the spec with the live value as the service does: documented defaults filled in on both
 * sides, null as absent, keyed lists by key. `whole`: a key on the live side only is a difference
 * too, unless it means the same as its absence; list items are always compared this way. The walk
 * follows the shape and knows no field by name.
 */
export function diffValue(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  context: DiffContext,
  whole = false,
): Difference[] {
  const place = { path: field.path, index: field.path };
  return diffShape({ shape: field.shape, field, context, whole }, wanted, live, place);
}

/** What stays the same from a value to its parts, except shape and field. */
interface Walk {
  readonly shape: Shape;
  readonly field: Field | undefined;
  readonly context: DiffContext;
  readonly whole: boolean;
}

function diffShape(walk: Walk, wanted: Json, live: Json | undefined, place: Place): Difference[] {
  const { shape, field, context } = walk;
  if (context.unknown.has(place.index)) return diffUnknown(walk, live, place);
  if (isNull(wanted)) return [];
  switch (shape.kind) {
    case "struct":
      return diffStruct({ ...walk, shape }, wanted, live, place);
    case "list":
      return diffList({ ...walk, shape }, wanted, live, place);
    case "map":
      return diffMap(walk, wanted, live, place);
    case "free":
      return sameFreeForm(wanted, live) ? [] : [difference(shape, field, live, wanted, place)];
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
  if (typeof wanted === "number" && typeof live === "number")
    return field?.meta.compareWith === "one-decimal" ? sameRounded(wanted, live) : wanted === live;
  if (typeof wanted !== "string" || typeof live !== "string") return wanted === live;
  if (field?.meta.compareWith === "repository")
    return toComparedRepository(wanted) === toComparedRepository(live);
  if (field?.meta.sensitive === "user-info") return sameAddress(wanted, live);
  return type === "uuid" ? wanted.toLowerCase() === live.toLowerCase() : wanted === live;
}

/** User-info that the service masks is not compared. */
function sameAddress(wanted: string, live: string): boolean {
  const info = userInfoOf(live);
  const hidden = info !== undefined && !isReturned(info);
  return hidden ? withoutUserInfo(wanted) === withoutUserInfo(live) : wanted === live;
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
  const change = {
    path: place.path,
    before: "(old value)",
    after: isNull(after) ? null : "(new value)",
  };
  if (field?.meta.sensitive === "value" && !isNull(before)) return { ...change, sensitive };
  // Two URLs that differ only in their user-info would look the same.
  if (field?.meta.sensitive === "user-info" && shown.before === shown.after)
    return { ...change, sensitive: true };
  return { path: place.path, ...shown, sensitive };
}

/** A value that only `apply` will know: a sensitive one that is set is left to apply, any other counts as a change. */
function diffUnknown({ shape, field }: Walk, live: Json | undefined, place: Place): Difference[] {
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

type Struct = Extract<Shape, { kind: "struct" }>;

function diffStruct(
  walk: Walk & { readonly shape: Struct },
  wanted: Json,
  live: Json | undefined,
  place: Place,
): Difference[] {
  if (!isObject(wanted)) return [];
  const { shape } = walk;
  const given = isObject(live) ? live : {};
  const found: Difference[] = [];
  for (const key of Object.keys(wanted)) {
    const field = shape.fields.get(key);
    if (field === undefined) continue;
    // A live value that is missing or null counts as the default that is filled in for it.
    const answered = isNull(given[key]) ? fallbackOf(shape, field, given) : given[key];
    const child = { ...walk, shape: field.shape, field };
    found.push(...diffShape(child, wanted[key] as Json, answered, below(place, key)));
  }
  found.push(...diffUnnamed(walk, wanted, given, place));
  return found;
}

/** What the service or Kubernetes fills in for a missing live value. */
function fallbackOf(shape: Struct, field: Field, live: JsonObject): Json | undefined {
  if (field.meta.default !== undefined) return withDefaults(shape, live)[field.name];
  return resolveDefault(field.meta.kubernetes, live);
}

/** Whether the hosted service fills in this value. */
function isFilledIn({ meta }: Field, value: Json, siblings: JsonObject): boolean {
  if (meta.filledIn === undefined) return false;
  const least = meta.filledAbove === undefined ? undefined : siblings[meta.filledAbove];
  return value === Math.max(meta.filledIn, typeof least === "number" ? least : meta.filledIn);
}

/** Live members that the spec does not name: dropped if the value is sent whole, otherwise unchanged. */
function diffUnnamed(
  { shape, context, whole }: Walk & { readonly shape: Struct },
  wanted: JsonObject,
  live: JsonObject,
  place: Place,
): Difference[] {
  const names = Object.keys(live).filter((key) => isNull(wanted[key]) && !isNull(live[key]));
  if (names.length === 0) return [];
  const [wouldBe, is] = [withDefaults(shape, wanted), withDefaults(shape, live)];
  return names.flatMap((key): Difference[] => {
    const value = live[key] as Json;
    const path = `${place.path}.${key}`;
    const field = shape.fields.get(key);
    if (field === undefined) {
      context.foreign.push(path);
      return [];
    }
    if (isEmpty(field.shape, value) || isDefault(field, value, is)) return [];
    if (!whole || (context.filledIn && isFilledIn(field, value, live))) {
      // A member that the spec sets to null is not kept: it is cleared, or blocked.
      if (!Object.hasOwn(wanted, key))
        context.unmanaged.push({ path, value: toShown(field, field.shape, value) });
      return [];
    }
    const after = wouldBe[key] ?? null;
    if (after === value) return [];
    return [{ ...difference(field.shape, field, value, after, below(place, key)), dropped: true }];
  });
}

function diffMap(
  { context, whole }: Walk,
  wanted: Json,
  live: Json | undefined,
  place: Place,
): Difference[] {
  if (!isObject(wanted)) return [];
  const given = isObject(live) ? live : {};
  const found: Difference[] = [];
  for (const [key, after] of Object.entries(wanted)) {
    const before = given[key] ?? null;
    const at = below(place, key);
    if (context.unknown.has(at.index))
      found.push({ path: at.path, before, after: KNOWN_AT_APPLY, sensitive: false });
    else if (!isNull(after) && after !== before)
      found.push({ path: at.path, before, after, sensitive: false });
  }
  for (const [key, before] of Object.entries(given)) {
    if (isNull(before) || !isNull(wanted[key])) continue;
    const { path } = below(place, key);
    if (whole) found.push({ path, before, after: null, sensitive: false, dropped: true });
    else context.unmanaged.push({ path, value: before });
  }
  return found;
}

type ListShape = Extract<Shape, { kind: "list" }>;

const itemsOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

/** Compares items by key; without a key by position, and as one value if the order differs. */
function diffList(
  { shape, field, context }: Walk & { readonly shape: ListShape },
  wanted: Json,
  live: Json | undefined,
  place: Place,
): Difference[] {
  const [wantedItems, liveItems] = [itemsOf(wanted), itemsOf(live)];
  const { match } = shape;
  const label = (item: Json | undefined, index: number): string => labelOf(shape, item, index);
  const whole = () => [difference(shape, field, live ?? null, wanted, place)];
  const isSameOrder =
    wantedItems.length === liveItems.length &&
    wantedItems.every((item, index) => label(item, index) === label(liveItems[index], index));
  if (match === undefined && !isSameOrder) return whole();
  const byKey = new Map(liveItems.map((item, index) => [label(item, index), item]));
  const child: Walk = { shape: shape.item, field: undefined, context, whole: true };
  const found = wantedItems.flatMap((item, index) => {
    const key = label(item, index);
    const at = below(place, key, index);
    const before = match === undefined ? liveItems[index] : byKey.get(key);
    byKey.delete(key);
    return before === undefined
      ? [difference(shape.item, undefined, null, item, at)]
      : diffShape(child, item, before, at);
  });
  if (match === undefined)
    return found.length === 0 || shape.item.kind === "struct" ? found : whole();
  const gone = [...byKey].map(([key, item]) =>
    difference(shape.item, undefined, item, null, below(place, key)),
  );
  return [...found, ...gone];
}
