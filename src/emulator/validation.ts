import { deploymentShape, fieldAt, type Field, type Shape } from "../model/shape.ts";
import { spellKey, spellSource, type Dialect } from "../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { ValidationError } from "./reply.ts";
import { UUID } from "../model/uuid.ts";

type Loc = readonly (string | number)[];
interface Rules {
  readonly dialect: Dialect;
  readonly fractionalCpu: boolean;
  readonly unknownFields: "ignore" | "refuse";
  readonly createRules?: "hosted" | "document";
}

/** Keys of a body that newer clients of the hosted service send beside its fields. */
const HOSTED_KEYS = ["revision_source", "tracked_packages", "route_through_gateway"];
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

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
const quoted = (words: readonly string[]): string =>
  words
    .map((word) => `'${word}'`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");

function checkScalar(
  shape: Extract<Shape, { kind: "scalar" }>,
  field: Field,
  value: Json,
  loc: Loc,
  rules: Rules,
): ValidationError[] {
  const wrong = (type: string, msg: string): ValidationError[] => [error(loc, type, msg, value)];
  switch (shape.type) {
    case "string":
      return typeof value === "string"
        ? []
        : wrong("string_type", "Input should be a valid string");
    case "boolean":
      return typeof value === "boolean"
        ? []
        : wrong("bool_type", "Input should be a valid boolean");
    case "uuid":
      if (typeof value !== "string")
        return wrong("uuid_type", "UUID input should be a string, bytes or UUID object");
      return isUuid(value) ? [] : wrong("uuid_parsing", "Input should be a valid UUID");
    case "integer":
      return Number.isInteger(value) ? [] : wrong("int_type", "Input should be a valid integer");
    case "number":
      if (typeof value !== "number") return wrong("float_type", "Input should be a valid number");
      return rules.fractionalCpu || field.meta.hosted !== "fraction" || Number.isInteger(value)
        ? []
        : wrong(
            "int_from_float",
            "Input should be a valid integer, got a number with a fractional part",
          );
    case "enum": {
      // The hosted service has words that no document names (docs/service.md 2.2).
      if (field.meta.open === true && rules.fractionalCpu && typeof value === "string") return [];
      const words = shape.values ?? [];
      if (words.includes(value as string)) return [];
      const shown =
        field.path === "source" ? words.map((word) => spellSource(word, rules.dialect)) : words;
      return wrong("literal_error", `Input should be ${quoted(shown)}`);
    }
  }
}

function checkShape(
  shape: Shape,
  field: Field,
  value: Json,
  loc: Loc,
  rules: Rules,
): ValidationError[] {
  switch (shape.kind) {
    case "scalar":
      return checkScalar(shape, field, value, loc, rules);
    case "free":
      return isObject(value)
        ? []
        : [error(loc, "dict_type", "Input should be a valid dictionary", value)];
    case "map":
      if (!isObject(value))
        return [error(loc, "dict_type", "Input should be a valid dictionary", value)];
      return Object.entries(value).flatMap(([key, item]) =>
        typeof item === "string"
          ? []
          : [error([...loc, key], "string_type", "Input should be a valid string", item)],
      );
    case "list":
      if (!Array.isArray(value))
        return [error(loc, "list_type", "Input should be a valid list", value)];
      return (value as readonly Json[]).flatMap((item, i) =>
        checkShape(shape.item, field, item, [...loc, i], rules),
      );
    case "struct":
      return isObject(value)
        ? checkFields(shape.fields, value, loc, rules)
        : [
            error(
              loc,
              "model_attributes_type",
              "Input should be a valid dictionary or object to extract fields from",
              value,
            ),
          ];
  }
}

function checkFields(
  fields: ReadonlyMap<string, Field>,
  value: JsonObject,
  loc: Loc,
  rules: Rules,
  required = true,
): ValidationError[] {
  const errors: ValidationError[] = [];
  for (const field of fields.values()) {
    const at = [...loc, spellKey(field.name, rules.dialect)];
    const item = value[field.name];
    if (item === undefined || field.mutability === "read-only") {
      if (item === undefined && field.required && required)
        errors.push(error(at, "missing", "Field required", value));
    } else if (item === null) {
      if (field.required && required)
        errors.push(...checkShape(field.shape, field, null, at, rules));
    } else errors.push(...checkShape(field.shape, field, item, at, rules));
  }
  if (rules.unknownFields === "refuse") {
    for (const key of Object.keys(value))
      if (!fields.has(key) && !(loc.length === 1 && HOSTED_KEYS.includes(key)))
        errors.push(
          error([...loc, key], "extra_forbidden", "Extra inputs are not permitted", value[key]),
        );
  }
  return errors;
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
  if (!isObject(body))
    return [
      error(
        ["body"],
        "model_attributes_type",
        "Input should be a valid dictionary or object to extract fields from",
        body,
      ),
    ];
  const errors = checkFields(deploymentShape.fields, body, ["body"], rules, kind === "create");
  if (kind === "create") {
    const refuses = rules.createRules === "hosted" || rules.unknownFields === "refuse";
    for (const { name, mutability } of deploymentShape.fields.values())
      if (refuses && mutability === "patch-only" && body[name] != null)
        errors.push(error(["body", name], "extra_forbidden", "Extra inputs are not permitted"));
    for (const name of ["source_config", "source_revision_config", "secrets"]) {
      if (body[name] === undefined)
        errors.push(error(["body", name], "missing", "Field required", body));
      else if (body[name] === null)
        errors.push(
          error(
            ["body", name],
            name === "secrets" ? "list_type" : "model_attributes_type",
            name === "secrets"
              ? "Input should be a valid list"
              : "Input should be a valid dictionary or object to extract fields from",
            null,
          ),
        );
    }
  }
  if (errors.length > 0) return errors;
  const spec = isObject(body["source_config"]) ? body["source_config"]["resource_spec"] : undefined;
  return isObject(spec) ? checkPod(spec, ["body", "source_config", "resource_spec"]) : [];
}

const items = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** The rules that the interface document states beside the types of volumes, mounts, containers and their env. */
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
