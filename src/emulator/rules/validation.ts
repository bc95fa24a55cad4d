import { deploymentShape, fieldAt } from "../../model/shape.ts";
import type { Field, Shape } from "../../model/field-shape.ts";
import { spellKey, spellSource, type Dialect } from "../../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ValidationError } from "../http/reply.ts";
import { UUID } from "../../model/live.ts";
import { C_IDENTIFIER, DNS_LABEL } from "../../model/name-rules.ts";

type Loc = readonly (string | number)[];

/** A value that the field table has no word for: its own test, and how the OpenAPI describes it. */
interface Special {
  readonly kind: "special";
  readonly schema: JsonObject;
  readonly test: (value: Json) => readonly [type: string, msg: string] | null;
}
/** What a value of a request may be: a part of the field table, or one of the shapes below. */
export type BodyShape =
  | Shape
  | Special
  | { readonly kind: "struct"; readonly fields: BodyFields }
  | { readonly kind: "list"; readonly item: BodyShape };
/** A key of a request. */
interface BodyField {
  readonly name: string;
  readonly required: boolean;
  readonly shape: BodyShape;
  readonly mutability?: Field["mutability"];
  readonly path?: string;
  readonly meta?: Field["meta"];
}
type BodyFields = ReadonlyMap<string, BodyField>;

const scalar = (type: Extract<Shape, { kind: "scalar" }>["type"]): BodyShape => ({
  kind: "scalar",
  type,
});
/** Shapes of values. */
export const TEXT = scalar("string");
/** A uuid, in any case. */
export const ID = scalar("uuid");
/** A JSON number, whole or not. */
export const NUMBER = scalar("number");
/** JSON of any shape, but a mapping. */
export const FREE: BodyShape = { kind: "free" };
/** A JSON array whose items all have this shape. */
export const listOf = (item: BodyShape): BodyShape => ({ kind: "list", item });
/** A string that must be one of these. */
export const wordsOf = (...values: string[]): BodyShape => ({
  kind: "scalar",
  type: "enum",
  values,
});
/** A shape with a test of its own. */
export const special = (schema: JsonObject, test: Special["test"]): BodyShape => ({
  kind: "special",
  schema,
  test,
});
/** A whole number that may come as text: read, and refused, by who uses it. */
export const LAX = special({ type: "integer" }, () => null);
/** A mapping; a key that ends with `!` must be there. */
export const structOf = (fields: Readonly<Record<string, BodyShape>>): BodyShape => ({
  kind: "struct",
  fields: new Map(
    Object.entries(fields).map(([key, shape]) => {
      const name = key.replace(/!$/, "");
      return [name, { name, required: name !== key, shape }];
    }),
  ),
});

interface Rules {
  readonly dialect: Dialect;
  /** The document by itself: CPU counts are whole, and types of deployments those it names. */
  readonly strict: boolean;
  readonly refuseUnknown?: true;
  readonly createRules?: "hosted" | "document";
}
const PLAIN: Rules = { dialect: "document", strict: false };

/** Deployment types that the vendor's own clients send beyond the document (contributing/service.md 2.2, 2.9). */
const HOSTED_TYPES = ["dev_zero", "dev_free_zero", "serverless", "dedicated"];
/** Keys of a body that newer clients of the hosted service send next to its fields. */
const HOSTED_KEYS = ["revision_source", "tracked_packages", "route_through_gateway"];

/** Whether a text is a uuid in any case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

const error = (loc: Loc, type: string, msg: string, input?: Json): ValidationError => ({
  loc,
  msg,
  type,
  ...(input === undefined ? {} : { input }),
});
const extra = (loc: Loc, input?: Json): ValidationError =>
  error(loc, "extra_forbidden", "Extra inputs are not permitted", input);
const quoted = (words: readonly string[]): string =>
  words
    .map((word) => `'${word}'`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");

const NO_STRUCT = [
  "model_attributes_type",
  "Input should be a valid dictionary or object to extract fields from",
] as const;

/** Why a scalar is wrong: pydantic's type and message; null where it is right. */
function whyBadScalar(
  shape: Extract<Shape, { kind: "scalar" }>,
  field: BodyField,
  value: Json,
  rules: Rules,
): readonly [type: string, msg: string] | null {
  switch (shape.type) {
    case "string":
      return typeof value === "string" ? null : ["string_type", "Input should be a valid string"];
    case "boolean":
      return typeof value === "boolean" ? null : ["bool_type", "Input should be a valid boolean"];
    case "uuid":
      if (typeof value !== "string")
        return ["uuid_type", "UUID input should be a string, bytes or UUID object"];
      return isUuid(value) ? null : ["uuid_parsing", "Input should be a valid UUID"];
    case "integer":
      return Number.isInteger(value) ? null : ["int_type", "Input should be a valid integer"];
    case "number":
      if (typeof value !== "number") return ["float_type", "Input should be a valid number"];
      return !rules.strict || field.meta?.hosted !== "fraction" || Number.isInteger(value)
        ? null
        : [
            "int_from_float",
            "Input should be a valid integer, got a number with a fractional part",
          ];
    case "enum": {
      const open = field.meta?.open === true && !rules.strict;
      // The hosted service takes words that no document names (contributing/service.md 2.2).
      if (open && rules.createRules === "hosted" && typeof value === "string") return null;
      const words = [...(shape.values ?? []), ...(open ? HOSTED_TYPES : [])];
      if (words.includes(value as string)) return null;
      const shown =
        field.path === "source" ? words.map((word) => spellSource(word, rules.dialect)) : words;
      return ["literal_error", `Input should be ${quoted(shown)}`];
    }
  }
}

function checkShape(
  shape: BodyShape,
  field: BodyField,
  value: Json,
  loc: Loc,
  rules: Rules,
): ValidationError[] {
  const wrong = (why: readonly [type: string, msg: string] | null): ValidationError[] =>
    why === null ? [] : [error(loc, ...why, value)];
  switch (shape.kind) {
    case "special":
      return wrong(shape.test(value));
    case "scalar":
      return wrong(whyBadScalar(shape, field, value, rules));
    case "free":
      return isObject(value) ? [] : wrong(["dict_type", "Input should be a valid dictionary"]);
    case "map":
      if (!isObject(value)) return wrong(["dict_type", "Input should be a valid dictionary"]);
      return Object.entries(value).flatMap(([key, item]) =>
        checkShape(TEXT, field, item, [...loc, key], rules),
      );
    case "list":
      if (!Array.isArray(value)) return wrong(["list_type", "Input should be a valid list"]);
      return (value as readonly Json[]).flatMap((item, i) =>
        checkShape(shape.item, field, item, [...loc, i], rules),
      );
    case "struct":
      return isObject(value) ? checkFields(shape.fields, value, loc, rules) : wrong(NO_STRUCT);
  }
}

function checkFields(
  fields: BodyFields,
  value: JsonObject,
  loc: Loc,
  rules: Rules,
  required = true,
): ValidationError[] {
  const errors = [...fields.values()].flatMap((field) => {
    const at = [...loc, spellKey(field.name, rules.dialect)];
    const item = value[field.name];
    const must = field.required && required;
    if (item === undefined) return must ? [error(at, "missing", "Field required", value)] : [];
    return field.mutability === "read-only" || (item === null && !must)
      ? []
      : checkShape(field.shape, field, item, at, rules);
  });
  if (rules.refuseUnknown !== true) return errors;
  const stray = Object.keys(value).filter(
    (key) => !fields.has(key) && !(loc.length === 1 && HOSTED_KEYS.includes(key)),
  );
  return [...errors, ...stray.map((key) => extra([...loc, key], value[key]))];
}

/** What is wrong with a value of a request that is no deployment. */
export const checkBody = (
  shape: BodyShape,
  value: Json | undefined,
  loc: Loc = ["body"],
): ValidationError[] =>
  checkShape(shape, { name: "", required: true, shape }, value ?? null, loc, PLAIN);

/** Groups that a create must have, though no value in them is required. */
const GROUPS = ["source_config", "source_revision_config", "secrets"];

/** The fields of a create, or of a PATCH, where nothing is required. */
function deploymentFields(kind: "create" | "patch"): BodyFields {
  return new Map(
    [...deploymentShape.fields].map(([name, field]) => [
      name,
      { ...field, required: kind === "create" && (field.required || GROUPS.includes(name)) },
    ]),
  );
}
const CREATE = deploymentFields("create");
const PATCH = deploymentFields("patch");

const source = deploymentShape.fields.get("source")!.shape;
/** Every source, as either dialect writes it. */
export const SOURCE_WORDS: readonly string[] = [
  ...new Set(
    (["document", "hosted"] as const).flatMap((dialect) =>
      (source.kind === "scalar" ? (source.values ?? []) : []).map((word) =>
        spellSource(word, dialect),
      ),
    ),
  ),
];

/** A deployment as a create or a PATCH sends it: what is not read-only, in either dialect. */
export function deploymentBody(kind: "create" | "patch"): BodyShape {
  const fields = [...(kind === "create" ? CREATE : PATCH)].filter(
    ([name, { mutability }]) =>
      mutability !== "read-only" &&
      (kind === "create" ? mutability !== "patch-only" : name !== "name" && name !== "source"),
  );
  const anySource = special({ enum: SOURCE_WORDS }, () => null);
  return {
    kind: "struct",
    fields: new Map(
      fields.map(([name, field]) => [
        name,
        name === "source" ? { ...field, shape: anySource } : field,
      ]),
    ),
  };
}

/**
 * What is wrong with the body of a create (required fields there) or a PATCH (everything optional);
 * the body is in canonical dialect.
 */
export function checkDeployment(
  body: Json | undefined,
  kind: "create" | "patch",
  rules: Rules,
): ValidationError[] {
  if (!isObject(body)) return [error(["body"], ...NO_STRUCT, body)];
  const create = kind === "create";
  const found = checkFields(create ? CREATE : PATCH, body, ["body"], rules, create);
  // What is there and wrong comes before what does not exist.
  const isGroup = ({ loc }: ValidationError): boolean =>
    loc.length === 2 && GROUPS.includes(String(loc[1]));
  const errors = [...found.filter((one) => !isGroup(one)), ...found.filter(isGroup)];
  if (create && (rules.createRules === "hosted" || rules.refuseUnknown === true)) {
    for (const { name, mutability } of deploymentShape.fields.values())
      if (mutability === "patch-only" && body[name] != null) errors.push(extra(["body", name]));
  }
  if (errors.length > 0) return errors;
  const spec = isObject(body["source_config"]) ? body["source_config"]["resource_spec"] : undefined;
  return isObject(spec) ? checkPod(spec, ["body", "source_config", "resource_spec"]) : [];
}

const items = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** The rules that the interface document states next to the types of volumes, mounts, containers and their env. */
function checkPod(spec: JsonObject, loc: Loc): ValidationError[] {
  const errors: ValidationError[] = [];
  const fail = (at: Loc, msg: string): void => {
    errors.push(error(at, "value_error", `Value error, ${msg}`));
  };
  const volumes = items(spec["volumes"]).map((volume) => volume["name"] as string);
  volumes.forEach((name, i) => {
    if (!DNS_LABEL.test(name)) fail([...loc, "volumes", i, "name"], "name must be a DNS label");
    if (volumes.indexOf(name) !== i)
      fail([...loc, "volumes", i, "name"], "name must be unique within the pod");
  });
  const mounts = (value: Json | undefined, at: Loc): void =>
    items(value).forEach((mount, i) => {
      if (!volumes.includes(mount["name"] as string))
        fail([...at, i, "name"], "name must match the name of a volume");
    });
  mounts(spec["volume_mounts"], [...loc, "volume_mounts"]);
  for (const list of ["init_containers", "sidecars"]) {
    items(spec[list]).forEach((container, i) => {
      const at = [...loc, list, i];
      if (!DNS_LABEL.test(container["name"] as string))
        fail([...at, "name"], "name must be a DNS label");
      mounts(container["volumeMounts"], [...at, "volumeMounts"]);
      items(container["env"]).forEach((env, k) => {
        if (!C_IDENTIFIER.test(env["name"] as string))
          fail([...at, "env", k, "name"], "name must be a C identifier");
        if (env["valueFrom"] != null && (env["value"] ?? "") !== "")
          fail([...at, "env", k], "valueFrom is not allowed when value is not empty");
      });
    });
  }
  return errors;
}

/** The flaws of a field's value that a list is asked for. */
export function checkFilter(
  path: readonly string[],
  value: string,
  rules: Omit<Rules, "dialect">,
): ValidationError[] {
  const field = fieldAt(path)!;
  return checkShape(field.shape, field, value, ["query", field.name], {
    ...rules,
    dialect: "document",
  });
}
