import { isObject } from "./json.ts";
import { deploymentShape } from "./shape.ts";
import type { Field, Shape } from "./field-shape.ts";
import type { Dialect } from "./dialect.ts";

/** Placeholder for a value that is unknown offline or was already refused; every rule skips it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** What a rule sees of a document: its body in canonical dialect, with only the values that have the right type. */
export interface RuleInput {
  readonly source: string | undefined;
  readonly dialect: Dialect;
  readonly body: Readonly<Record<string, unknown>>;
  /** The document names an existing deployment (`deploy.id`), so it need not be complete enough for a create. */
  readonly adopted: boolean;
  /** By path: what a message quotes instead of the value, if that comes from a secret's variable. */
  readonly shown?: ReadonlyMap<string, string> | undefined;
}

/** A problem that a rule found. `at` says whether it points to the key or to the value of `path`. */
export interface Finding {
  readonly level: "error" | "warning";
  /** In canonical dialect, with list positions as numbers. */
  readonly path: readonly (string | number)[];
  readonly at: "key" | "value";
  /** What is wrong and what to write instead. */
  readonly message: string;
  /** A required field is missing. */
  readonly missing?: true;
}

/** A rule across several fields. It is pure, accepts any input, and ignores unknown values. */
export interface DocumentRule {
  readonly name: string;
  readonly judge: (document: RuleInput) => readonly Finding[];
}

/** Keys and indexes from the top of the document. */
export type Path = readonly (string | number)[];

/** A mapping with unchecked values. */
export type Struct = Readonly<Record<string, unknown>>;

/** The mapping under a key; undefined if it holds anything else. */
export const structAt = (parent: Struct, key: string): Struct | undefined =>
  isObject(parent[key]) ? parent[key] : undefined;

/** The list under a key; empty if it holds anything else. */
export const listAt = (parent: Struct | undefined, key: string): readonly unknown[] =>
  Array.isArray(parent?.[key]) ? parent[key] : [];

/** What is wrong with the value of a path. */
export const errorAtValue = (path: Path, message: string): Finding => ({
  level: "error",
  at: "value",
  path,
  message,
});

/** A spec writes null to leave a field out. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** A field written in a document, with its row and its parent object. */
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

/** Path of the resource settings of a deployment. */
export const RESOURCE_SPEC = ["source_config", "resource_spec"] as const;

/** The resource settings; undefined if the document has none. */
export const resourceSpec = (body: Struct): Struct | undefined =>
  structAt(structAt(body, "source_config") ?? {}, "resource_spec");

/** Init containers and sidecars with their paths; a pod requires unique names across both. */
export function containers(body: Struct): { readonly path: Path; readonly container: Struct }[] {
  return ["init_containers", "sidecars"].flatMap((key) =>
    listAt(resourceSpec(body), key).flatMap((item, index) =>
      isObject(item) ? [{ path: [...RESOURCE_SPEC, key, index], container: item }] : [],
    ),
  );
}
