import { resolveDefault } from "../model/default.ts";
import { userInfoOf, withoutUserInfo } from "../model/user-info.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { KNOWN_AT_APPLY, type Desired } from "../spec/desired.ts";
import { TEXT } from "../spec/scalar.ts";
import { isObject, itemsOf, type Json, type JsonObject } from "../model/json.ts";
import type { Change } from "./plan.ts";
import { withoutOldSecrets, withReferences } from "./references.ts";
import {
  holdsSensitive,
  isDefault,
  isEmpty,
  isNull,
  isReturned,
  itemOf,
  labelOf,
  sameFreeForm,
  sameRounded,
  toComparedRepository,
  toShown,
  withDefaults,
  type Node,
} from "./value.ts";

/**
 * One leaf in which the spec and the live value differ, or that only the live value has; `before`
 * and `after` are safe to show.
 */
export interface Leaf extends Omit<Change, "effect"> {
  /**
   * `dropped`: the spec does not name it, and writing the whole value drops it. `unmanaged`: the
   * spec does not name it, and it stays. `cleared`: the spec sets it to null, which a merge cannot
   * send. `foreign`: the field table does not know it. `at-apply`: a sensitive value that only
   * `apply` knows, so it was not compared.
   */
  readonly kind: "changed" | "dropped" | "unmanaged" | "cleared" | "foreign" | "at-apply";
}

/** Whether sending the spec's value changes this leaf. */
export const isDifference = ({ kind }: Leaf): boolean => kind === "changed" || kind === "dropped";

interface Place {
  readonly path: string;
  /** The same place with list indexes, as in `Desired.unknown`. */
  readonly index: string;
}

/** How to compare. */
export interface DiffOptions extends Pick<Desired, "unknown" | "shown"> {
  /**
   * The reply shows nulls for what is not set: the service filled the value in, and some members
   * may be its own choice.
   */
  readonly filledIn: boolean;
  /** A key on the live side only is a difference too, unless it means the same as its absence. */
  readonly whole: boolean;
}

const below = (place: Place, key: string, index: string | number = key): Place => ({
  path: `${place.path}.${key}`,
  index: `${place.index}.${index}`,
});

/**
 * Compares the spec with the live value as the service does: documented defaults filled in on both
 * sides, null as absent, keyed lists by key; list items always as a whole. The walk follows the
 * shape and knows no field by name.
 */
export function diffValue(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  options: DiffOptions,
): Leaf[] {
  return diffNode({ node: field, options }, wanted, live, { path: field.path, index: field.path });
}

interface Walk {
  readonly node: Node;
  readonly options: DiffOptions;
}

function diffNode(walk: Walk, wanted: Json, live: Json | undefined, place: Place): Leaf[] {
  const { node, options } = walk;
  const { shape } = node;
  if (options.unknown.has(place.index)) return diffUnknown(walk, live, place);
  if (isNull(wanted)) return [];
  switch (shape.kind) {
    case "struct":
      return diffStruct(walk, shape, wanted, live, place);
    case "list":
      return diffList(walk, shape, wanted, live, place);
    case "map":
      return diffMap(walk, wanted, live, place);
    case "free":
      return sameFreeForm(wanted, live) ? [] : [difference(walk, live, wanted, place)];
    case "scalar":
      return sameScalar(node.meta, shape.type, wanted, live)
        ? []
        : [difference(walk, live, wanted, place)];
  }
}

function sameScalar(
  { compareWith, sensitive }: Node["meta"],
  type: string,
  wanted: Json,
  live: Json | undefined,
): boolean {
  if (typeof wanted === "number" && typeof live === "number")
    return compareWith === "one-decimal" ? sameRounded(wanted, live) : wanted === live;
  if (typeof wanted !== "string" || typeof live !== "string") return wanted === live;
  if (compareWith === "repository")
    return toComparedRepository(wanted) === toComparedRepository(live);
  if (sensitive === "user-info") return sameAddress(wanted, live);
  return type === "uuid" ? wanted.toLowerCase() === live.toLowerCase() : wanted === live;
}

/** User-info that the service masks is not compared. */
function sameAddress(wanted: string, live: string): boolean {
  const info = userInfoOf(live);
  const hidden = info !== undefined && !isReturned(info);
  return hidden ? withoutUserInfo(wanted) === withoutUserInfo(live) : wanted === live;
}

function difference(
  { node, options }: Walk,
  before: Json | undefined,
  after: Json,
  { path, index }: Place,
): Leaf {
  const { sensitive: kind } = node.meta;
  const isSensitive = holdsSensitive(node, before) || holdsSensitive(node, after);
  const [was, is] = [toShown(node, before ?? null), toShown(node, after)];
  const at = { path: index, shown: options.shown };
  const shown = {
    before: withoutOldSecrets(was, is, at),
    after: toShown(node, withReferences(after, at)),
  };
  // Two URLs that differ only in their user-info would look the same.
  const isHidden = kind === "user-info" && was === is;
  if (!isHidden && (kind !== "value" || isNull(before)))
    return { kind: "changed", path, ...shown, sensitive: isSensitive };
  const words = { before: "(old value)", after: isNull(after) ? null : "(new value)" };
  return { kind: "changed", path, ...words, sensitive: isHidden || isSensitive };
}

/** A value that only `apply` will know: a sensitive one that is set is left to apply, any other counts as a change. */
function diffUnknown(
  { node, options: { shown } }: Walk,
  live: Json | undefined,
  { path, index }: Place,
): Leaf[] {
  const sensitive = node.meta.sensitive === "value";
  if (sensitive && !isNull(live))
    return [{ kind: "at-apply", path, before: null, after: null, sensitive }];
  const was = toShown(node, live ?? null);
  const before = withoutOldSecrets(was, KNOWN_AT_APPLY, { path: index, shown });
  return [{ kind: "changed", path, before, after: KNOWN_AT_APPLY, sensitive }];
}

type Struct = Extract<Shape, { kind: "struct" }>;

function diffStruct(
  walk: Walk,
  shape: Struct,
  wanted: Json,
  live: Json | undefined,
  place: Place,
): Leaf[] {
  if (!isObject(wanted)) return [];
  const given = isObject(live) ? live : {};
  const named = Object.entries(wanted).flatMap(([key, value]) => {
    const node = shape.fields.get(key);
    if (node === undefined) return [];
    // A live value that is missing or null counts as the default that is filled in for it.
    const answered = isNull(given[key]) ? fallbackOf(shape, node, given) : given[key];
    return diffNode({ ...walk, node }, value, answered, below(place, key));
  });
  return [...named, ...diffUnnamed(walk, shape, wanted, given, place)];
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
  { options }: Walk,
  shape: Struct,
  wanted: JsonObject,
  live: JsonObject,
  place: Place,
): Leaf[] {
  const names = Object.keys(live).filter((key) => isNull(wanted[key]) && !isNull(live[key]));
  if (names.length === 0) return [];
  const [wouldBe, is] = [withDefaults(shape, wanted), withDefaults(shape, live)];
  return names.flatMap((key): Leaf[] => {
    const value = live[key] as Json;
    const field = shape.fields.get(key);
    const at = below(place, key);
    if (field === undefined) return [toKept("foreign", at, null)];
    if (isEmpty(field.shape, value) || isDefault(field, value, is)) return [];
    if (!options.whole || (options.filledIn && isFilledIn(field, value, live))) {
      const kind = Object.hasOwn(wanted, key) ? "cleared" : "unmanaged";
      return [toKept(kind, at, toShown(field, value))];
    }
    const after = wouldBe[key] ?? null;
    return after === value
      ? []
      : [{ ...difference({ node: field, options }, value, after, at), kind: "dropped" }];
  });
}

const toKept = (kind: Leaf["kind"], { path }: Place, value: Json): Leaf => ({
  kind,
  path,
  before: value,
  after: value,
  sensitive: false,
});

function diffMap({ options }: Walk, wanted: Json, live: Json | undefined, place: Place): Leaf[] {
  if (!isObject(wanted)) return [];
  // The table has no columns for a text of a map.
  const walk: Walk = { node: { shape: TEXT, meta: { doc: "" } }, options };
  const given = isObject(live) ? live : {};
  const named = Object.entries(wanted).flatMap(([key, value]): Leaf[] => {
    const at = below(place, key);
    const before = given[key] ?? null;
    const after = options.unknown.has(at.index) ? KNOWN_AT_APPLY : value;
    return isNull(after) || after === before ? [] : [difference(walk, before, after, at)];
  });
  const unnamed = Object.entries(given).flatMap(([key, before]): Leaf[] => {
    if (isNull(before) || !isNull(wanted[key])) return [];
    const kept = toKept("unmanaged", below(place, key), before);
    return [options.whole ? { ...kept, kind: "dropped", after: null } : kept];
  });
  return [...named, ...unnamed];
}

/** Compares items by key; without a key by position, and as one value if the order differs. */
function diffList(
  list: Walk,
  shape: Extract<Shape, { kind: "list" }>,
  wanted: Json,
  live: Json | undefined,
  place: Place,
): Leaf[] {
  const [wantedItems, liveItems] = [itemsOf(wanted), itemsOf(live)];
  const isKeyed = shape.match !== undefined;
  const label = (item: Json | undefined, index: number): string => labelOf(shape, item, index);
  const isSameOrder =
    wantedItems.length === liveItems.length &&
    wantedItems.every((item, index) => label(item, index) === label(liveItems[index], index));
  if (!isKeyed && !isSameOrder) return [difference(list, live ?? null, wanted, place)];
  const walk = { node: itemOf(shape), options: { ...list.options, whole: true } };
  const byKey = new Map(liveItems.map((one, index) => [label(one, index), one]));
  const found = wantedItems.flatMap((one, index) => {
    const key = label(one, index);
    const at = below(place, key, index);
    const before = isKeyed ? byKey.get(key) : liveItems[index];
    byKey.delete(key);
    return before === undefined
      ? [difference(walk, null, one, at)]
      : diffNode(walk, one, before, at);
  });
  if (!isKeyed)
    return found.length === 0 || shape.item.kind === "struct"
      ? found
      : [difference(list, live ?? null, wanted, place)];
  const gone = [...byKey].map(([key, one]) => difference(walk, one, null, below(place, key)));
  return [...found, ...gone];
}
