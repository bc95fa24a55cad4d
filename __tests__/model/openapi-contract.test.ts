import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { deploymentShape } from "../../src/model/shape.ts";
import type { Field, Shape } from "../../src/model/field-shape.ts";
import { spellKey } from "../../src/model/dialect.ts";

// The hosted service's own OpenAPI document is no part of the repository; if it is next to the
// checkout, the table is held to it.
const document = new URL("../fixtures/control-plane-openapi.json", import.meta.url);

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}
/** The document does not require these; contributing/interface.md does ("string, required"). */
const STRICTER_BY_INTERFACE = [
  "volumes.name",
  "volume_mounts.name",
  "volume_mounts.mountPath",
  "volumeMounts.name",
  "volumeMounts.mountPath",
];
/** Known from newer clients only (contributing/service.md 2.2, 2.5). */
const NEWER = ["url", "display_name", "source_config.template_id"];

function compare(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  shape: Shape,
  path: string,
  faults: string[],
): void {
  const open = schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!]!;
  if (shape.kind === "list") {
    compare(schemas, open.items!, shape.item, path, faults);
    return;
  }
  if (shape.kind !== "struct") {
    compareLeaf(open, shape, path, faults);
    return;
  }
  const names = new Set(Object.keys(open.properties ?? {}));
  for (const row of shape.fields.values()) {
    const name = spellKey(row.name, "hosted");
    const at = path === "" ? name : `${path}.${name}`;
    const found = open.properties?.[name];
    names.delete(name);
    if (found === undefined)
      faults.push(...(NEWER.includes(at) ? [] : [`${at} is not in the document`]));
    else compareField(schemas, found, row, at, open.required ?? [], faults);
  }
  faults.push(...[...names].map((name) => `${path}.${name} has no row`));
}

function compareField(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  row: Field,
  at: string,
  required: readonly string[],
  faults: string[],
): void {
  const nullable = schema.anyOf?.some((option) => option.type === "null") ?? false;
  const inner = schema.anyOf?.find((option) => option.type !== "null") ?? schema;
  if (
    row.required &&
    (nullable || !required.includes(spellKey(row.name, "hosted"))) &&
    !STRICTER_BY_INTERFACE.some((path) => at.endsWith(path))
  )
    faults.push(`${at} is required here and optional there`);
  // At the top level the spec leaves out what it does not manage, though the resource always has it.
  if (!row.required && !nullable && at.includes("."))
    faults.push(`${at} may be null here and not there`);
  compare(schemas, inner, row.shape, at, faults);
}

function compareLeaf(schema: Schema, shape: Shape, path: string, faults: string[]): void {
  const isPlain = shape.kind === "scalar" && ["integer", "number", "boolean"].includes(shape.type);
  const scalar = isPlain ? (shape as { readonly type: string }).type : "string";
  const wanted = shape.kind === "map" || shape.kind === "free" ? "object" : scalar;
  if (schema.type !== wanted)
    faults.push(`${path} is ${wanted} here and ${String(schema.type)} there`);
  if (shape.kind === "scalar" && shape.type === "uuid" && schema.format !== "uuid")
    faults.push(`${path} is a uuid here and not there`);
}

test("the table has the fields, types and nulls of the hosted service's document", () => {
  const { components } = JSON.parse(readFileSync(document, "utf8")) as {
    components: { schemas: Record<string, Schema> };
  };
  const faults: string[] = [];
  compare(components.schemas, components.schemas["Deployment"]!, deploymentShape, "", faults);
  expect(faults).toEqual([]);
});
