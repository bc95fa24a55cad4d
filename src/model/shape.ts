import { deploymentShape } from "./deployment-shape.ts";
import type { Effect, FieldMeta } from "./fields.ts";

export { deploymentShape };

/**
 * The field table as a plain tree: what the diff, the spec reader and the emulator walk, without
 * knowing a field by name.
 */
export type Shape =
  | { readonly kind: "struct"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "list"; readonly item: Shape; readonly match: string | undefined }
  | { readonly kind: "map" }
  | { readonly kind: "free" }
  | { readonly kind: "scalar"; readonly type: ScalarType; readonly values?: readonly string[] };

/** How a value is written in YAML; a uuid and an enum are strings on the wire. */
export type ScalarType = "string" | "uuid" | "integer" | "number" | "boolean" | "enum";

/** One row of the table at its place: `path` is dotted and canonical (`source_config.resource_spec.cpu`). */
export interface Field {
  readonly name: string;
  readonly path: string;
  readonly meta: FieldMeta;
  readonly required: boolean;
  readonly shape: Shape;
  /**
   * What a PATCH with this field does: its own, or that of the unit it travels in; undefined where
   * it cannot be patched.
   */
  readonly effect: Effect | undefined;
  readonly mutability: "mutable" | "create-only" | "read-only" | "patch-only";
}

/**
 * Every row in document order, each once, however many lists contain it; list items are under
 * `path[]`-less dotted paths.
 */
export function allFields(shape: Shape = deploymentShape): Field[] {
  const all: Field[] = [];
  const walk = (part: Shape): void => {
    if (part.kind === "list") walk(part.item);
    if (part.kind !== "struct") return;
    for (const row of part.fields.values()) {
      all.push(row);
      walk(row.shape);
    }
  };
  walk(shape);
  return all;
}

/**
 * The row at a path of keys and list indexes, or undefined where the table has none (an unknown
 * key, or inside free-form JSON).
 */
export function fieldAt(path: readonly (string | number)[]): Field | undefined {
  let shape: Shape = deploymentShape;
  let found: Field | undefined;
  for (const key of path) {
    if (shape.kind === "list" && typeof key === "number") shape = shape.item;
    else if (shape.kind === "struct") {
      found = shape.fields.get(String(key));
      if (found === undefined) return undefined;
      shape = found.shape;
    } else return undefined;
  }
  return found;
}
