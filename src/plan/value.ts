import { isFreeFormDefault, resolveDefault } from "../model/default.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { withoutUserInfo } from "../model/user-info.ts";
import { isObject, ownAt, withMembers, type Json, type JsonObject } from "../model/json.ts";

type Struct = Extract<Shape, { kind: "struct" }>;
type List = Extract<Shape, { kind: "list" }>;

/** A place in the field table: a field, or an item of a list. */
export type Node = Pick<Field, "shape" | "meta">;

/** An item of a list: the table has no columns for it. */
export const itemOf = ({ item }: List): Node => ({ shape: item, meta: { doc: "" } });

/** The service treats null and absent alike. */
export function isNull(value: Json | undefined): value is null | undefined {
  return value === null || value === undefined;
}

/** A dotted path, or its keys where one of them may hold a dot itself. */
export type BodyPath = string | readonly string[];

const keysOf = (path: BodyPath): readonly string[] =>
  typeof path === "string" ? path.split(".") : path;

/** A path as it is shown. */
export const toDotted = (path: BodyPath): string => keysOf(path).join(".");

/** The value at a path, or undefined; own properties only. */
export function valueAt(body: JsonObject, path: BodyPath): Json | undefined {
  return ownAt(body, ...keysOf(path)) as Json | undefined;
}

/** The same of a reply: null within a group that is null; undefined if the reply does not show it. */
export function answeredAt(body: JsonObject, path: BodyPath): Json | undefined {
  const [group] = keysOf(path) as [string];
  return body[group] === null ? null : valueAt(body, path);
}

/** A copy of the body with the value set at a path. */
export function withValue(body: JsonObject, path: BodyPath, value: Json): JsonObject {
  const [key, ...rest] = keysOf(path) as [string, ...string[]];
  if (rest.length === 0) return { ...body, [key]: value };
  const child = body[key];
  return { ...body, [key]: withValue(isObject(child) ? child : {}, rest, value) };
}

/** Removes nulls at every depth: the service reads null as absent. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutNulls(item));
  return isObject(value)
    ? withMembers(value, (item) => (isNull(item) ? undefined : withoutNulls(item)))
    : value;
}

const NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** Converts numbers that a reply writes as text: the service compares them numerically. */
export function withNumbers(shape: Shape, value: Json): Json {
  if (shape.kind === "scalar")
    return typeof value === "string" &&
      (shape.type === "number" || shape.type === "integer") &&
      NUMERIC.test(value)
      ? Number(value)
      : value;
  if (shape.kind !== "struct" || !isObject(value)) return value;
  return withMembers(value, (item, key) => {
    const child = shape.fields.get(key)?.shape;
    return child === undefined ? item : withNumbers(child, item);
  });
}

/**
 * Fills in documented defaults; table order makes chained ones work (`queue_cpu_limit` from
 * `queue_cpu` from `cpu`).
 */
export function withDefaults(shape: Struct, value: JsonObject): JsonObject {
  const filled: Record<string, Json> = { ...value };
  for (const [name, field] of shape.fields) {
    const fallback = isNull(filled[name]) ? resolveDefault(field.meta.default, filled) : undefined;
    if (fallback !== undefined) filled[name] = fallback;
  }
  return filled;
}

/** Removes leaves equal to their documented default, which the service would fill in. */
export function withoutDefaults(shape: Struct, value: JsonObject): JsonObject {
  const filled = withDefaults(shape, value);
  return withMembers(value, (item, name) => {
    const field = shape.fields.get(name);
    return field === undefined || !isDefault(field, item, filled) ? item : undefined;
  });
}

/** Whether the service would fill in this value, given its siblings. */
export function isDefault(field: Field, value: Json, siblings: JsonObject): boolean {
  if (!isNull(value) && value === resolveDefault(field.meta.kubernetes, siblings)) return true;
  const fallback = resolveDefault(field.meta.default, siblings);
  if (fallback === undefined) return false;
  if (value === fallback) return true;
  // Some services double the rounded number, others round the double.
  return (
    field.meta.compareWith === "one-decimal" &&
    typeof value === "number" &&
    typeof fallback === "number" &&
    !Number.isInteger(fallback) &&
    Math.abs(value - fallback) < 0.1001
  );
}

/** Whether a value means the same as its absence: an empty text, list or map, or a struct of defaults. */
export function isEmpty(shape: Shape, value: Json): boolean {
  if (isNull(value)) return true;
  switch (shape.kind) {
    case "scalar":
      return value === "";
    case "free":
      return isObject(value) ? Object.values(value).every(isNull) : value === "";
    case "list":
      return Array.isArray(value) && value.length === 0;
    case "map":
      return isObject(value) && Object.values(value).every(isNull);
    case "struct":
      return isObject(value) && isEmptyStruct(shape, withoutNulls(value) as JsonObject);
  }
}

function isEmptyStruct(shape: Struct, value: JsonObject): boolean {
  return Object.entries(withoutDefaults(shape, value)).every(([key, item]) => {
    const child = shape.fields.get(key);
    return child !== undefined && isEmpty(child.shape, item);
  });
}

function keyOf(item: Json, match: string): string {
  const key = isObject(item) ? item[match] : undefined;
  return typeof key === "string" ? key : JSON.stringify(key ?? item);
}

/**
 * The whole value that a PATCH sends: a merge keeps live leaves that the spec does not name,
 * except in lists; a replace sends only the spec.
 */
export function toWhole(
  field: Field,
  wanted: Json,
  live: Json | undefined,
  isMerged: boolean,
): Json {
  const { shape } = field;
  if (shape.kind !== "struct" || !isObject(wanted) || !isMerged) return withoutNulls(wanted);
  const current = isObject(live) ? (withoutNulls(live) as JsonObject) : {};
  return withoutNulls(overlay(shape, wanted, withoutDefaults(shape, current)));
}

/**
 * Merges the spec over the live value: what the spec names wins, the rest is kept. A list is only
 * the spec's, and so are its items, but for members that the table does not know: a newer service
 * may have them, and nobody asked to drop them.
 */
function overlay(shape: Shape, wanted: Json, live: Json | undefined, isItem = false): Json {
  if (isNull(wanted) && !isItem) return live ?? null;
  if (shape.kind === "list" && Array.isArray(wanted) && Array.isArray(live)) {
    const label = (one: Json, index: number): string => labelOf(shape, one, index);
    const before = new Map(live.map((one: Json, index) => [label(one, index), one]));
    return wanted.map((one: Json, index) =>
      overlay(shape.item, one, before.get(label(one, index)), true),
    );
  }
  if (!isObject(wanted) || !isObject(live)) return wanted;
  if (shape.kind === "map") return isItem ? wanted : { ...live, ...wanted };
  if (shape.kind !== "struct") return wanted;
  const merged = withMembers(wanted, (value, key) => {
    const child = shape.fields.get(key);
    return child === undefined ? value : overlay(child.shape, value, live[key], isItem);
  });
  const kept = Object.entries(live).filter(([key]) => !(isItem && shape.fields.has(key)));
  return { ...Object.fromEntries(kept), ...merged };
}

/** How an item of a list is named: by its key; in a list without one by its `name`, else its index. */
export function labelOf({ match }: List, item: Json | undefined, index: number): string {
  if (match !== undefined) return keyOf(item as Json, match);
  return isObject(item) && typeof item["name"] === "string" ? item["name"] : String(index);
}

/** Equality of free-form JSON, which the service replaces whole: null and Kubernetes defaults count as absent. */
export function sameFreeForm(wanted: Json | undefined, live: Json | undefined): boolean {
  if (isNull(wanted) || isNull(live)) return isNull(wanted) && isNull(live);
  if (Array.isArray(wanted) || Array.isArray(live)) {
    return (
      Array.isArray(wanted) &&
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => sameFreeForm(item as Json, live[index] as Json))
    );
  }
  if (!isObject(wanted) || !isObject(live)) return wanted === live;
  return (
    Object.entries(wanted).every(([key, item]) => sameFreeForm(item, live[key])) &&
    Object.entries(live).every(
      ([key, item]) => !isNull(wanted[key]) || isFreeFormDefault(key, item),
    )
  );
}

/** Equality of two numbers; the service may have rounded the live one to one decimal. */
export function sameRounded(wanted: number, live: number): boolean {
  const rounded = Math.abs(live * 10 - Math.round(live * 10)) < 1e-6;
  return wanted === live || (rounded && Math.abs(wanted - live) < 0.05 + 1e-6);
}

/** A repository URL as services compare it: no user-info, lower-case host, no `.git`, no trailing slash. */
export function toComparedRepository(url: string): string {
  const plain = withoutUserInfo(url.trim());
  const parts = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/i.exec(plain);
  const [host, path] = parts === null ? ["", plain] : [parts[1]!.toLowerCase(), parts[2]!];
  return host + path.replace(/\/+$/, "").replace(/\.git$/i, "");
}

/** Whether the service returned the value: an empty one, or one masked in whole or in part, was not returned. */
export function isReturned(value: string): boolean {
  return !/^[*•]*$|[*•]{3}|•/u.test(value);
}

/** A value as it may be shown: words for sensitive leaves, URLs without user-info. */
export function toShown(node: Node, value: Json): Json {
  const { shape, meta } = node;
  if (isNull(value)) return null;
  if (meta.sensitive === "value") return value === "" ? "" : "(sensitive)";
  if (typeof value === "string")
    return meta.sensitive === "user-info" ? withoutUserInfo(value) : value;
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item: Json) => toShown(itemOf(shape), item));
  if (shape.kind !== "struct" || !isObject(value)) return value;
  return withMembers(value, (item, key) => {
    const child = shape.fields.get(key);
    if (isNull(item)) return undefined;
    return child === undefined ? item : toShown(child, item);
  });
}

/** Whether the value contains anything that is never shown (a URL is shown without its user-info). */
export function holdsSensitive({ shape, meta }: Node, value: Json | undefined): boolean {
  if (isNull(value)) return false;
  if (meta.sensitive === "value") return true;
  if (shape.kind === "list" && Array.isArray(value))
    return value.some((item) => holdsSensitive(itemOf(shape), item as Json));
  if (shape.kind !== "struct" || !isObject(value)) return false;
  return [...shape.fields].some(([key, child]) => holdsSensitive(child, value[key]));
}
