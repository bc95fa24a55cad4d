import { isObject, type Json } from "./json.ts";
import { allFields, deploymentShape } from "./shape.ts";
import type { Shape } from "./field-shape.ts";

/** Names of the fields that the table marks as sensitive. A key outside the table is judged by its name. */
export function sensitiveNames(kind: "value" | "user-info"): ReadonlySet<string> {
  const fields = allFields().filter(({ meta }) => meta.sensitive === kind);
  return new Set(fields.map(({ name }) => name));
}

const VALUES = sensitiveNames("value");

/** Whether the value of this key must never be shown. `shape` is the shape of the object that holds it, if known. */
export function isSensitive(shape: Shape | undefined, key: string): boolean {
  const field = shape?.kind === "struct" ? shape.fields.get(key) : undefined;
  return field === undefined ? VALUES.has(key) : field.meta.sensitive === "value";
}

/** Every sensitive string of a body, at any depth. */
export function sensitiveTexts(body: Json, shape: Shape | undefined = deploymentShape): string[] {
  if (Array.isArray(body)) {
    const item = shape?.kind === "list" ? shape.item : undefined;
    return body.flatMap((one: Json) => sensitiveTexts(one, item ?? { kind: "free" }));
  }
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    const field = shape?.kind === "struct" ? shape.fields.get(key) : undefined;
    if (isSensitive(shape, key)) return textsWithin(value);
    return sensitiveTexts(value, field?.shape ?? { kind: "free" });
  });
}

function textsWithin(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((inner) => textsWithin(inner as Json))
    : [];
}
