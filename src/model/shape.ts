import type * as z from "zod/v4";
import { Deployment, fieldTable, type Effect, type FieldMeta } from "./fields.ts";

/** The field table as a plain tree: what the diff, the spec reader and the emulator walk, without knowing a field by name. */
export type Shape =
  | { readonly kind: "struct"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "list"; readonly item: Shape; readonly match: string | undefined }
  | { readonly kind: "map" }
  | { readonly kind: "free" }
  | { readonly kind: "scalar"; readonly type: ScalarType; readonly values?: readonly string[] };

export type ScalarType = "string" | "uuid" | "integer" | "number" | "boolean" | "enum";

/** One row of the table where it stands: `path` is dotted and canonical (`source_config.resource_spec.cpu`). */
export interface Field {
  readonly name: string;
  readonly path: string;
  readonly meta: FieldMeta;
  readonly required: boolean;
  readonly shape: Shape;
  /** What a PATCH with this field does: its own, or that of the unit it travels in; undefined where it cannot be patched. */
  readonly effect: Effect | undefined;
  readonly mutability: "mutable" | "create-only" | "read-only";
}

interface Def {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}
const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

function unwrap(schema: z.ZodType): { inner: z.ZodType; required: boolean } {
  let inner = schema;
  let required = true;
  for (let def = defOf(inner); def.innerType !== undefined; def = defOf(inner)) {
    required = false;
    inner = def.innerType;
  }
  return { inner, required };
}

function toShape(schema: z.ZodType, match: string | undefined, at: Pick<Field, "path" | "effect" | "mutability">): Shape {
  const def = defOf(schema);
  switch (def.type) {
    case "object": return { kind: "struct", fields: toFields(def.shape ?? {}, at) };
    case "array": return { kind: "list", item: toShape(unwrap(def.element!).inner, undefined, at), match };
    case "record": return { kind: defOf(def.valueType!).type === "string" ? "map" : "free" };
    case "enum": return { kind: "scalar", type: "enum", values: Object.values(def.entries ?? {}) };
    case "number": return { kind: "scalar", type: def.format === undefined ? "number" : "integer" };
    case "boolean": return { kind: "scalar", type: "boolean" };
    case "string": return { kind: "scalar", type: def.format === "guid" ? "uuid" : "string" };
    default: throw new Error(`the field table holds a schema of type ${def.type} at ${at.path}, which shape.ts does not know`);
  }
}

function toFields(shape: Readonly<Record<string, z.ZodType>>, parent: Pick<Field, "path" | "effect" | "mutability">): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const [name, schema] of Object.entries(shape)) {
    const meta = fieldTable.get(schema);
    const path = parent.path === "" ? name : `${parent.path}.${name}`;
    if (meta === undefined) throw new Error(`${path} has no row in the field table`);
    const { inner, required } = unwrap(schema);
    const at = { path, effect: meta.effect ?? parent.effect, mutability: meta.mutability ?? parent.mutability };
    fields.set(name, { name, meta, required, shape: toShape(inner, meta.match, at), ...at });
  }
  return fields;
}

/** The tree of the Deployment resource. */
export const deploymentShape = toShape(Deployment, undefined, { path: "", effect: undefined, mutability: "mutable" }) as Extract<Shape, { kind: "struct" }>;

/** Every row in document order, each once however many lists it stands in; list items are under `path[]`-less dotted paths. */
export function allFields(shape: Shape = deploymentShape): Field[] {
  if (shape.kind === "list") return allFields(shape.item);
  if (shape.kind !== "struct") return [];
  return [...shape.fields.values()].flatMap((row) => [row, ...allFields(row.shape)]);
}

/** The row at a path of keys and list indexes, or undefined where the table has none (an unknown key, or inside free-form JSON). */
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
