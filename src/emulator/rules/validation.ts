import * as z from "zod/v4";
import {
  ANY,
  checkRule,
  ID,
  list,
  must,
  object,
  open,
  quoted,
  special,
  textThat,
  type Check,
  type Flaw,
  type SchemaPath,
} from "../control/schema.ts";
import { deploymentShape, fieldAt } from "../../model/shape.ts";
import { SOURCE_KINDS, type Field, type Shape } from "../../model/field-shape.ts";
import { isHostedSource, spell, spellKey, spellSource, type Dialect } from "../../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ValidationError } from "../http/reply.ts";
import { UUID } from "../../model/live.ts";
import { C_IDENTIFIER, DNS_LABEL } from "../../model/name-rules.ts";

/** What a deployment is checked by, in addition to the field table. */
interface How {
  readonly dialect: Dialect;
  /** Only the document: CPU counts are whole, and deployment types are those it names. */
  readonly strict: boolean;
  readonly refuseUnknown?: true;
  readonly hostedRules?: boolean;
}

/** Deployment types that the vendor's own clients send beyond the document (contributing/service.md 2.2, 2.9). */
const HOSTED_TYPES = ["dev_zero", "dev_free_zero", "serverless", "dedicated"];
/** Groups that a create requires, though no value in them is required. */
const GROUPS = ["source_config", "source_revision_config", "secrets"];

/** Whether a text is a uuid in any case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** A whole number that may be a text; whoever uses it parses and refuses it. */
export const LAX = special({ type: "integer" }, () => null);
/** Text of at least one character. */
export const LABEL = z
  .string()
  .min(1)
  .meta({ misfit: ["string_too_short", "String should have at least 1 character"] });
/** A mapping with any JSON as its values. */
export const FREE = z.record(z.string(), ANY);

const WHOLE = special({ type: "integer" }, (value) => {
  if (typeof value !== "number") return ["float_type", "Input should be a valid number"];
  const why = "Input should be a valid integer, got a number with a fractional part";
  return Number.isInteger(value) ? null : ["int_from_float", why];
});
const named = (pattern: RegExp, what: string): z.ZodString =>
  textThat(z.string(), (name) => (pattern.test(name) ? null : `name must be ${what}`));
/** Names in a pod, by their format. */
const NAMES: Readonly<Record<string, z.ZodType>> = {
  "dns-label": named(DNS_LABEL, "a DNS label"),
  variable: named(C_IDENTIFIER, "a C identifier"),
};
const SCALARS = {
  string: z.string(),
  uuid: ID,
  boolean: z.boolean(),
  integer: z.int(),
  number: z.number(),
};

/** Every source, as spelled by either dialect. */
export const SOURCE_WORDS: readonly string[] = [
  ...new Set(
    (["document", "hosted"] as const).flatMap((to) =>
      SOURCE_KINDS.map((word) => spellSource(word, to)),
    ),
  ),
];

function toWords(values: readonly string[], { path, meta }: Field, how: How): z.ZodType {
  if (path === "source") {
    // The interface document has no source of the hosted service only.
    const words = how.strict ? values.filter((word) => !isHostedSource(word)) : values;
    const wanted = quoted(words.map((word) => spellSource(word, how.dialect)));
    return special({ enum: SOURCE_WORDS }, (value) =>
      words.includes(value as string) ? null : ["literal_error", `Input should be ${wanted}`],
    );
  }
  const open = meta.open === true && !how.strict;
  // The hosted service accepts words that no document names (contributing/service.md 2.2).
  return open && how.hostedRules === true
    ? z.string()
    : z.literal([...values, ...(open ? HOSTED_TYPES : [])]);
}

/** A part of the field table as a rule. */
function toRule(shape: Shape, field: Field, how: How): z.ZodType {
  const { meta, path } = field;
  const inPod = path.startsWith("source_config.resource_spec.");
  switch (shape.kind) {
    case "list":
      return list(toRule(shape.item, field, how));
    case "map":
      return z.record(z.string(), z.string());
    case "free":
      return FREE;
    case "struct": {
      const fields = [...shape.fields.values()].map((one) => [one.name, toRow(one, how)] as const);
      const check = field.name === "resource_spec" ? checkPod : undefined;
      return (how.refuseUnknown === true ? object : open)(Object.fromEntries(fields), check);
    }
    case "scalar": {
      if (shape.type === "enum") return toWords(shape.values, field, how);
      if (how.strict && meta.hosted === "fraction") return WHOLE;
      if (path === "display_name") return LABEL;
      return (inPod ? NAMES[meta.format ?? ""] : undefined) ?? SCALARS[shape.type];
    }
  }
}

/** Whether a request may set a field: the table calls the path of an archive read-only, since no spec has it. */
export const isWritable = ({ mutability, name }: Field): boolean =>
  mutability !== "read-only" || name === "source_tarball_path";

function toRow(field: Field, how: How, required = field.required): z.ZodType {
  const rule = isWritable(field) ? toRule(field.shape, field, how) : ANY;
  return must(required ? rule : rule.nullish(), field.meta.doc);
}

const known = new Map<string, z.ZodType>();

/** The body of a create (with required fields) or of a PATCH (all optional), in canonical dialect. */
export function deploymentRule(kind: "create" | "patch", how: How): z.ZodType {
  const { dialect, strict, refuseUnknown = false, hostedRules = false } = how;
  const key = [kind, dialect, strict, refuseUnknown, hostedRules].join();
  const found = known.get(key) ?? toDeploymentRule(kind, how);
  known.set(key, found);
  return found;
}

function toDeploymentRule(kind: "create" | "patch", how: How): z.ZodType {
  const isStrict = how.hostedRules === true || how.refuseUnknown === true;
  const noUpdate = special({}, () => ["extra_forbidden", "Extra inputs are not permitted"]);
  const fields = [...deploymentShape.fields.values()]
    .filter(({ mutability }) => how.refuseUnknown === true || mutability !== "read-only")
    .filter(({ mutability }) =>
      kind === "patch" ? mutability !== "create-only" : isStrict || mutability !== "patch-only",
    )
    .map((field): readonly [string, z.ZodType] => {
      if (kind === "create" && field.mutability === "patch-only")
        return [field.name, must(noUpdate.nullish(), field.meta.doc)];
      const required = kind === "create" && (field.required || GROUPS.includes(field.name));
      const isReadOnly = field.mutability === "read-only";
      return [field.name, toRow(field, how, required && !isReadOnly)];
    });
  return (how.refuseUnknown === true ? object : open)(Object.fromEntries(fields));
}

const items = (value: Json | undefined) => (value ?? []) as readonly JsonObject[];

const EITHER = "valueFrom is not allowed when value is not empty";
/** Rules that the interface document states for volumes, mounts and containers. */
const checkPod: Check = (spec) => {
  const volumes = items(spec["volumes"]).map(({ name }) => name);
  const mounts = (value: Json | undefined, at: SchemaPath): readonly Flaw[] =>
    items(value).flatMap(({ name }, i) =>
      volumes.includes(name)
        ? []
        : [{ path: [...at, i, "name"], message: "name must match the name of a volume" }],
    );
  const containers = ["init_containers", "sidecars"].flatMap((key) =>
    items(spec[key]).flatMap((container, i) => [
      ...mounts(container["volumeMounts"], [key, i, "volumeMounts"]),
      ...items(container["env"]).flatMap((env, k) =>
        env["valueFrom"] != null && (env["value"] ?? "") !== ""
          ? [{ path: [key, i, "env", k], message: EITHER }]
          : [],
      ),
    ]),
  );
  return [
    ...volumes.flatMap((name, i) =>
      volumes.indexOf(name) === i
        ? []
        : [{ path: ["volumes", i, "name"], message: "name must be unique within the pod" }],
    ),
    ...mounts(spec["volume_mounts"], ["volume_mounts"]),
    ...containers,
  ];
};

/** Flaws in the service's own words, with places and values in the client's dialect. */
const toErrors = (flaws: readonly Flaw[], dialect: Dialect): ValidationError[] =>
  flaws.map(({ path, missing, message, refused, input }) => {
    const [type, msg] = refused ?? ["value_error", `Value error, ${message}`];
    const sent = dialect === "hosted" && isObject(input) ? spell(input, dialect) : input;
    return {
      loc: [...path, ...(missing === undefined ? [] : [missing])].map((step) =>
        typeof step === "string" ? spellKey(step, dialect) : step,
      ),
      type,
      msg,
      ...(sent === undefined ? {} : { input: sent as Json }),
    };
  });

/** Mistakes in the body of a request. */
export const checkBody = (
  rule: z.ZodType,
  body: Json | undefined,
  { dialect = "document", at = ["body"] }: { dialect?: Dialect; at?: SchemaPath } = {},
): ValidationError[] => toErrors(checkRule(rule, body ?? null, at), dialect);

/** The rule of one field, as for the filter of a list. */
export function fieldRule(path: readonly string[], how: Omit<How, "dialect">): z.ZodType {
  const field = fieldAt(path)!;
  return toRule(field.shape, field, { ...how, dialect: "document" });
}
