import type { Effect, FieldMeta } from "./fields.ts";

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
