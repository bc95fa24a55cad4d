import type { Field, Shape, FieldMeta } from "../model/field-shape.ts";
import { deploymentShape } from "../model/shape.ts";
import type { DeployBlock } from "../spec/desired.ts";

const UNITS = unitsOf(deploymentShape);

/** The fields that a PATCH sends as one, or that cannot be patched at all; in table order. */
export function patchUnits(): readonly Field[] {
  return UNITS;
}

function unitsOf(shape: Shape): Field[] {
  if (shape.kind !== "struct") return [];
  return [...shape.fields.values()].flatMap((field) => {
    if (field.mutability === "read-only") return [];
    return field.meta.effect !== undefined || field.mutability === "create-only"
      ? [field]
      : unitsOf(field.shape);
  });
}

function unitWith(test: (meta: FieldMeta) => boolean): Field {
  const found = UNITS.find(({ meta }) => test(meta));
  if (found === undefined) throw new Error("the field table marks no such field");
  return found;
}

/** The list of environment values, compared by name, whose values may be hidden. */
export const ENVIRONMENT = unitWith(({ compareWith }) => compareWith === "environment");

/** The branch or tag, in whose place a reply may show the commit that was built. */
export const REF = unitWith(({ alias }) => alias !== undefined);

/** The path by which a plan shows one value of the list: by name rather than position. */
export const environmentPath = (name: string): string => `${ENVIRONMENT.path}.${name}`;

/** Whether live parts that the spec does not name are kept; only units that are sent whole have a choice. */
export function isMerged({ name, meta }: Field, deploy: DeployBlock): boolean {
  return meta.sentWhole === true && deploy[name as keyof DeployBlock] === "merge";
}
