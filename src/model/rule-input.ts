import { isObject } from "./json.ts";
import { deploymentShape } from "./shape.ts";
import type { Field, Shape } from "./field-shape.ts";
import type { Dialect } from "./dialect.ts";
import type { SourceKind } from "./field-shape.ts";

/** Placeholder for a value that is not known offline, or was refused already: every rule skips it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** What a rule sees of a document: its body in canonical dialect, holding only what has the right type. */
export interface RuleInput {
  readonly source: SourceKind | undefined;
  readonly dialect: Dialect;
  readonly body: Readonly<Record<string, unknown>>;
  /** The document names a deployment that exists (`deploy.id`), so nothing has to be complete enough for a create. */
  readonly adopted: boolean;
}

/** One thing a rule found; `at` says whether its place is the key or the value of `path`. */
export interface Finding {
  readonly level: "error" | "warning";
  /** Canonical dialect, list positions as numbers. */
  readonly path: readonly (string | number)[];
  readonly at: "key" | "value";
  /** What is wrong; what to write instead. */
  readonly message: string;
  /** A field is wanted that is not written. */
  readonly missing?: true;
}

/** A rule across fields: pure, total, silent about what it does not know. */
export interface DocumentRule {
  readonly name: string;
  readonly judge: (document: RuleInput) => readonly Finding[];
}

/** Keys and indexes from the top of the document. */
export type Path = readonly (string | number)[];

/** A mapping whose values nobody has checked yet. */
export type Struct = Readonly<Record<string, unknown>>;

/** The mapping under a key; undefined for anything else. */
export const structAt = (parent: Struct, key: string): Struct | undefined =>
  isObject(parent[key]) ? parent[key] : undefined;

/** The list under a key; empty for anything else. */
export const listAt = (parent: Struct | undefined, key: string): readonly unknown[] =>
  Array.isArray(parent?.[key]) ? parent[key] : [];

/** What a rule has to say of a place. */
export const found = (
  level: Finding["level"],
  at: Finding["at"],
  path: Path,
  message: string,
): Finding => ({ level, at, path, message });

/** Null is how a spec says that it leaves a field out. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** A field that a document writes, with its row and the object that it is in. */
export interface WrittenField {
  readonly path: Path;
  readonly row: Field;
  readonly value: unknown;
  readonly around: Struct;
}

/** Every written field of the table with its row, parents first; list items under their index. */
export function written(body: Struct): readonly WrittenField[] {
  const all: WrittenField[] = [];
  walk(body, deploymentShape, [], all);
  return all;
}

function walk(value: unknown, shape: Shape, path: Path, into: WrittenField[]): void {
  if (shape.kind === "struct" && isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const row = shape.fields.get(key);
      if (row === undefined) continue;
      const at = [...path, key];
      into.push({ path: at, row, value: child, around: value });
      walk(child, row.shape, at, into);
    }
  } else if (shape.kind === "list" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, shape.item, [...path, index], into);
  }
}

/** Where the sizes of a deployment are. */
export const RESOURCE_SPEC = ["source_config", "resource_spec"] as const;

/** Undefined where the document has none. */
export const resourceSpec = (body: Struct): Struct | undefined =>
  structAt(structAt(body, "source_config") ?? {}, "resource_spec");

/** Init containers and sidecars with their paths; names are shared by both lists within a pod. */
export function containers(body: Struct): { readonly path: Path; readonly container: Struct }[] {
  return ["init_containers", "sidecars"].flatMap((key) =>
    listAt(resourceSpec(body), key).flatMap((item, index) =>
      isObject(item) ? [{ path: [...RESOURCE_SPEC, key, index], container: item }] : [],
    ),
  );
}
