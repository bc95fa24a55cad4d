import type * as z from "zod/v4";
import { Deployment, fieldTable } from "./fields.ts";
import type { Field, Shape } from "./field-shape.ts";

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

function toShape(
  schema: z.ZodType,
  match: string | undefined,
  at: Pick<Field, "path" | "effect" | "mutability">,
): Shape {
  const def = defOf(schema);
  switch (def.type) {
    case "object":
      return { kind: "struct", fields: toFields(def.shape ?? {}, at) };
    case "array":
      return { kind: "list", item: toShape(unwrap(def.element!).inner, undefined, at), match };
    case "record":
      return { kind: defOf(def.valueType!).type === "string" ? "map" : "free" };
    case "enum":
      return { kind: "scalar", type: "enum", values: Object.values(def.entries ?? {}) };
    case "number":
      return { kind: "scalar", type: def.format === undefined ? "number" : "integer" };
    case "boolean":
      return { kind: "scalar", type: "boolean" };
    case "string":
      return { kind: "scalar", type: def.format === "guid" ? "uuid" : "string" };
    default:
      throw new Error(
        `the field table holds a schema of type ${def.type} at ${at.path}, which shape.ts does not know`,
      );
  }
}

function toFields(
  shape: Readonly<Record<string, z.ZodType>>,
  parent: Pick<Field, "path" | "effect" | "mutability">,
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const [name, schema] of Object.entries(shape)) {
    const meta = fieldTable.get(schema);
    const path = parent.path === "" ? name : `${parent.path}.${name}`;
    if (meta === undefined) throw new Error(`${path} has no row in the field table`);
    const { inner, required } = unwrap(schema);
    const at = {
      path,
      effect: meta.effect ?? parent.effect,
      mutability: meta.mutability ?? parent.mutability,
    };
    fields.set(name, { name, meta, required, shape: toShape(inner, meta.match, at), ...at });
  }
  return fields;
}

/**
 * Reads the tree of the Deployment resource off the field table; `npm run generate` writes it into
 * deployment-shape.ts, so that a run loads no zod for it.
 */
export function readDeploymentShape(): Shape {
  return toShape(Deployment, undefined, { path: "", effect: undefined, mutability: "mutable" });
}
