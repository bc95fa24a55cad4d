import { deploymentShape } from "./fields.ts";
import type { Shape, Field } from "./field-shape.ts";

export { deploymentShape };

/** Every row in document order, each once, even if several lists contain it. Paths of list items have no `[]`. */
export function allFields(): Field[] {
  const all: Field[] = [];
  const walk = (part: Shape): void => {
    if (part.kind === "list") walk(part.item);
    if (part.kind !== "struct") return;
    for (const row of part.fields.values()) {
      all.push(row);
      walk(row.shape);
    }
  };
  walk(deploymentShape);
  return all;
}

/** The row at a path of keys and list indexes; undefined for an unknown key and inside free-form JSON. */
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
