import type { Field, Shape } from "../model/shape.ts";
import type { Json } from "../spec/desired.ts";
import type { JsonObject } from "./plan.ts";

type Struct = Extract<Shape, { kind: "struct" }>;

/** Null and absent are the same thing to the service. */
export function isNull(value: Json | undefined): value is null | undefined {
  return value === null || value === undefined;
}

/** Narrows to an object; arrays are none. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const KEYS = new Map<string, readonly string[]>();

/** The keys of a dotted path of the field table, of which there are a few dozen. */
function keysOf(path: string): readonly string[] {
  const known = KEYS.get(path);
  if (known !== undefined) return known;
  const keys = path.split(".");
  if (KEYS.size < MOST_KEPT_PATHS) KEYS.set(path, keys);
  return keys;
}
const MOST_KEPT_PATHS = 1000;

/** The value at a dotted path, or undefined; own properties only. */
export function valueAt(body: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const key of keysOf(path)) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The same body with the value set at a dotted path; the original is left alone. */
export function withValue(body: JsonObject, path: string, value: Json): JsonObject {
  const [key, ...rest] = path.split(".") as [string, ...string[]];
  if (rest.length === 0) return { ...body, [key]: value };
  const child = body[key];
  return { ...body, [key]: withValue(isObject(child) ? child : {}, rest.join("."), value) };
}

/** The object with each member changed, or left out where that gives undefined; the object itself where none is: thousands of documents cost no copies. */
export function withMembers(
  value: JsonObject,
  change: (item: Json, key: string) => Json | undefined,
): JsonObject {
  const keys = Object.keys(value);
  let out: Record<string, Json> | null = null;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at]!;
    const item = value[key] as Json;
    const next = change(item, key);
    if (out === null && next === item && next !== undefined) continue;
    if (out === null) {
      out = {};
      for (let before = 0; before < at; before += 1)
        put(out, keys[before]!, value[keys[before]!] as Json);
    }
    if (next !== undefined) put(out, key, next);
  }
  return out ?? value;
}

/** A reply may hold a member of this name, and assigning it would change what the object inherits. */
function put(out: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(out, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else out[key] = value;
}

/** The list with each item changed; the list itself where none is. */
export function withItems(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let out: Json[] | null = null;
  for (let at = 0; at < list.length; at += 1) {
    const next = change(list[at]!);
    if (next !== list[at]) (out ??= [...list])[at] = next;
  }
  return out ?? list;
}

/** Without nulls, at every depth: the service reads null as absent. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return withItems(value as readonly Json[], withoutNulls) as Json;
  return isObject(value) ? withMembers(value, withoutNullMember) : value;
}

const withoutNullMember = (item: Json): Json | undefined =>
  isNull(item) ? undefined : withoutNulls(item);

const NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** Numbers that a reply writes as text, as numbers: the service compares these numerically. What holds none is returned as it is. */
export function withNumbers(shape: Shape, value: Json): Json {
  if (shape.kind === "scalar")
    return typeof value === "string" &&
      (shape.type === "number" || shape.type === "integer") &&
      NUMERIC.test(value)
      ? Number(value)
      : value;
  if (shape.kind !== "struct" || !isObject(value)) return value;
  let out: Record<string, Json> | null = null;
  for (const [key, item] of Object.entries(value)) {
    const child = shape.fields.get(key)?.shape;
    const read = child === undefined ? item : withNumbers(child, item);
    if (read !== item) (out ??= { ...value })[key] = read;
  }
  return out ?? value;
}

function documentedDefault(field: Field, siblings: JsonObject): Json | undefined {
  const rule = field.meta.default;
  if (rule === undefined) return undefined;
  if ("value" in rule) return rule.value;
  const base = siblings[rule.of];
  return typeof base === "number" ? base * rule.times : undefined;
}

const DEFAULT_ROWS = new WeakMap<Struct, readonly (readonly [string, Field])[]>();

/** The fields of a struct that have a documented default, in table order; found once per struct. */
function defaultRows(shape: Struct): readonly (readonly [string, Field])[] {
  const known = DEFAULT_ROWS.get(shape);
  if (known !== undefined) return known;
  const rows = [...shape.fields].filter(([, field]) => field.meta.default !== undefined);
  DEFAULT_ROWS.set(shape, rows);
  return rows;
}

/** A struct with its documented defaults filled in; table order makes a default of a default work (`queue_cpu_limit` of `queue_cpu` of `cpu`). */
export function withDefaults(shape: Struct, value: JsonObject): JsonObject {
  const rows = defaultRows(shape);
  if (rows.length === 0) return value;
  let filled: Record<string, Json> | null = null;
  for (const [name, field] of rows) {
    if (!isNull((filled ?? value)[name])) continue;
    const fallback = documentedDefault(field, filled ?? value);
    if (fallback !== undefined) (filled ??= { ...value })[name] = fallback;
  }
  return filled ?? value;
}

/** A struct without the leaves that equal their documented default: what the service would fill in by itself. */
export function withoutDefaults(shape: Struct, value: JsonObject): JsonObject {
  if (defaultRows(shape).length === 0) return value;
  const filled = withDefaults(shape, value);
  return withMembers(value, (item, name) => {
    const field = shape.fields.get(name);
    return field === undefined || item !== documentedDefault(field, filled) ? item : undefined;
  });
}

/** What identifies an item of a keyed list. */
export function keyOf(item: Json, match: string): string {
  const key = isObject(item) ? item[match] : undefined;
  return typeof key === "string" ? key : JSON.stringify(key ?? item);
}

/** Live overlaid by the spec: what the spec names wins, what it does not name is kept. A list is the spec's alone. */
export function overlay(shape: Shape, wanted: Json, live: Json | undefined): Json {
  if ((shape.kind !== "struct" && shape.kind !== "map") || !isObject(wanted) || !isObject(live))
    return isNull(wanted) ? (live ?? null) : wanted;
  const out: Record<string, Json> = { ...live };
  for (const [key, value] of Object.entries(wanted)) {
    const child = shape.kind === "struct" ? shape.fields.get(key)?.shape : undefined;
    if (!isNull(value)) out[key] = child === undefined ? value : overlay(child, value, live[key]);
  }
  return out;
}

/** Equality of free-form JSON as the service sees it: null is absent, and what only the live side has is not compared. */
export function coveredBy(wanted: Json, live: Json | undefined): boolean {
  if (isNull(wanted)) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => coveredBy(item as Json, live[index] as Json))
    );
  }
  if (isObject(wanted)) {
    return (
      isObject(live) && Object.entries(wanted).every(([key, item]) => coveredBy(item, live[key]))
    );
  }
  return wanted === live;
}

/** A URL without its `user:password@`. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}

/** A value as it may be shown: sensitive leaves become words, user-info is cut from URLs. */
export function toShown(field: Field | undefined, shape: Shape, value: Json): Json {
  if (isNull(value)) return null;
  if (field?.meta.sensitive === "value") return value === "" ? "" : "(sensitive)";
  if (typeof value === "string")
    return field?.meta.sensitive === "user-info" ? withoutUserInfo(value) : value;
  if (shape.kind === "list" && Array.isArray(value))
    return withItems(value as readonly Json[], (item) =>
      toShown(undefined, shape.item, item),
    ) as Json;
  if (shape.kind === "struct" && isObject(value)) {
    return withMembers(value, (item, key) => {
      if (isNull(item)) return undefined;
      const child = shape.fields.get(key);
      return child === undefined ? item : toShown(child, child.shape, item);
    });
  }
  return value;
}

/** Whether the value holds anything that is never shown (user-info of a URL is cut out, the rest of the URL is shown). */
export function holdsSensitive(
  field: Field | undefined,
  shape: Shape,
  value: Json | undefined,
): boolean {
  if (isNull(value)) return false;
  if (field?.meta.sensitive === "value") return true;
  if (shape.kind === "list")
    return (
      Array.isArray(value) &&
      value.some((item) => holdsSensitive(undefined, shape.item, item as Json))
    );
  return (
    shape.kind === "struct" &&
    isObject(value) &&
    [...shape.fields].some(([key, child]) => holdsSensitive(child, child.shape, value[key]))
  );
}
