import { documentShape, PLACE_KEYS, TARGET_KEYS, TARGETS_DOC } from "./deploy-block.ts";
import { defaultInWords } from "./default.ts";
import type { Field, Shape } from "./field-shape.ts";
import { spellKey, spellSource } from "./dialect.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Any scalar may be written as a single environment reference. */
const REFERENCE: Schema = {
  type: "string",
  pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]*(:[-?][^}]*)?\\}$",
};
const UUID_PATTERN =
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/** Examples for the editor, by path. They are not a column of the table, since nothing else uses them. */
const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  name: ["support-agent"],
  "source_config.repo_url": ["https://git.example.com/acme/agents"],
  "source_revision_config.repo_ref": ["main", "refs/tags/v1.2.0"],
  "source_revision_config.graph_config_path": ["graphs/support.json"],
  "source_revision_config.image_uri": ["registry.example.com/acme/agent@sha256:…"],
  secrets: [
    [
      "OPENAI_API_KEY",
      { name: "DB_URL", value: "${PROD_DB_URL:?set it in the job's env}" },
      { name: "SENTRY_DSN", from: "SENTRY_DSN_PROD", optional: true },
    ],
  ],
  "deploy.timeout": ["500ms", "90s", "30m", "1h"],
  "deploy.paths": [["agents/support/**"]],
  "deploy.verify": ["npm run smoke"],
};

/**
 * Builds the editor's JSON Schema (draft-07) of a spec document from the field table. Rules across
 * fields are not in it.
 */
export function toJsonSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "agent-deploy spec",
    description:
      "One deployment of an agent server. Rules across fields, and what the environment gives, are checked by `agent-deploy validate`.",
    ...withTargets(structSchema(documentShape)),
    patternProperties: ANCHORS,
  };
}

/** Keys that begin with `x-` may hold YAML anchors. */
const ANCHORS: Schema = { "^x-": {} };

/** Keys that say where a target is; the rest of a target overlays the document. */
const PLACE: Schema = Object.fromEntries(
  PLACE_KEYS.map((key) => [key, { type: "string", description: TARGET_KEYS[key] }]),
);

/** Adds `deploy.targets` to the schema: a target may hold any field of a document, and requires none. */
function withTargets(document: Schema): Schema {
  const properties = document["properties"] as Readonly<Record<string, Schema>>;
  const deploy = properties["deploy"]!;
  const overlay = structSchema(documentShape, true);
  const targets: Schema = {
    type: "object",
    description: TARGETS_DOC,
    additionalProperties: {
      ...overlay,
      type: ["object", "null"],
      properties: { ...(overlay["properties"] as Schema), ...PLACE },
      patternProperties: ANCHORS,
    },
  };
  const block = { ...(deploy["properties"] as Schema), targets };
  return {
    ...document,
    properties: { ...properties, deploy: { ...deploy, properties: block } },
  };
}

/** `replace: [names]` next to the lists of a target. */
function replaceSchema(rows: readonly Field[]): Schema {
  const lists = rows.filter((row) => row.shape.kind === "list").map((row) => row.name);
  if (lists.length === 0) return {};
  const items = { type: "string", enum: lists };
  return { replace: { type: "array", items, description: TARGET_KEYS.replace } };
}

const writable = (row: Field): boolean => row.mutability !== "read-only";

function structSchema({ fields }: Extract<Shape, { kind: "struct" }>, overlay = false): Schema {
  const rows = [...fields.values()].filter(writable);
  const properties = rows.flatMap((row) =>
    [...new Set([row.name, spellKey(row.name, "hosted")])].map((key) => [
      key,
      fieldSchema(row, overlay),
    ]),
  );
  const required = overlay ? [] : rows.filter((row) => row.required).map((row) => row.name);
  return {
    type: "object",
    properties: { ...Object.fromEntries(properties), ...(overlay ? replaceSchema(rows) : {}) },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function schemaOf({ path, meta, shape }: Field, overlay: boolean): Schema {
  switch (path) {
    case "secrets":
      return secretsSchema(shape, overlay);
    case "source":
      return sourceSchema(shape);
    case "variables":
      return VARIABLES;
    default: {
      const schema = shapeSchema(shape, overlay);
      return meta.open === true ? orAnyWord(schema) : schema;
    }
  }
}

function fieldSchema(row: Field, overlay: boolean): Schema {
  const examples = EXAMPLES[row.path];
  const preset = row.meta.default;
  const shape = schemaOf(row, overlay);
  return {
    ...describeReference(row.required && !overlay ? shape : orNull(shape), describe(row)),
    description: describe(row),
    ...(examples === undefined ? {} : { examples }),
    ...(preset !== undefined && "value" in preset ? { default: preset.value } : {}),
  };
}

/** Suggests the known words and accepts any other. */
function orAnyWord(schema: Schema): Schema {
  return { anyOf: [...(schema["anyOf"] as readonly Schema[]), { type: "string" }] };
}

/** Keep the schema short: each extra alternative makes the editor's messages and hovers worse. */
function orNull(schema: Schema): Schema {
  if (schema["anyOf"] === undefined) return { ...schema, type: [schema["type"], "null"] };
  return {
    anyOf: (schema["anyOf"] as readonly Schema[]).map((one) =>
      one["enum"] === undefined ? { ...one, type: [one["type"], "null"] } : one,
    ),
  };
}

/**
 * An editor shows the text of the matching alternative in place of the field's, so a reference
 * repeats the field's text.
 */
function describeReference(schema: Schema, text: string): Schema {
  if (schema["anyOf"] === undefined) return schema;
  return {
    anyOf: (schema["anyOf"] as readonly Schema[]).map((one) =>
      one["pattern"] === REFERENCE["pattern"]
        ? { ...one, description: `${text} (Here from the environment.)` }
        : one,
    ),
  };
}

/** Numbers and booleans are sent as written. */
const VARIABLES: Schema = {
  type: "object",
  additionalProperties: { type: ["string", "number", "boolean", "null"] },
};

function shapeSchema(shape: Shape, overlay = false): Schema {
  switch (shape.kind) {
    case "struct":
      return structSchema(shape, overlay);
    case "list":
      return { type: "array", items: shapeSchema(shape.item, overlay) };
    case "map":
      return {
        type: "object",
        additionalProperties: { type: overlay ? ["string", "null"] : "string" },
      };
    case "free":
      return { type: "object" };
    case "scalar":
      switch (shape.type) {
        case "string":
          return { type: "string" };
        case "uuid":
          return { anyOf: [{ type: "string", pattern: UUID_PATTERN }, REFERENCE] };
        case "enum":
          return { anyOf: [{ type: "string", enum: shape.values }, REFERENCE] };
        default:
          return { anyOf: [{ type: shape.type }, REFERENCE] };
      }
  }
}

/** A secret is a name, or a name with its value. */
function secretsSchema(shape: Shape, overlay: boolean): Schema {
  const item = shape.kind === "list" ? shapeSchema(shape.item, overlay) : {};
  return {
    type: "array",
    items: {
      anyOf: [
        {
          type: "string",
          minLength: 1,
          description: "The value is the environment variable of the same name.",
        },
        item,
      ],
    },
  };
}

function sourceSchema(shape: Shape): Schema {
  const values = shape.kind === "scalar" && shape.type === "enum" ? shape.values : [];
  return {
    type: "string",
    enum: [...new Set(values.flatMap((value) => [value, spellSource(value, "hosted")]))],
  };
}

function describe(row: Field): string {
  const { meta } = row;
  return [
    meta.doc,
    meta.only === undefined
      ? ""
      : `Only for source ${[...new Set([meta.only, spellSource(meta.only, "hosted")])].join(" / ")}.`,
    meta.hosted === "only" ? "Hosted service only." : "",
    meta.hosted === "fraction" ? "Fractions: hosted service only." : "",
    row.mutability === "create-only" && row.path !== "source"
      ? "Cannot change after creation."
      : "",
    meta.effect === "new-revision" ? "A change makes a new revision." : "",
    meta.effect === "next-build" ? "A change counts from the next build." : "",
    meta.default === undefined ? "" : `Default: ${defaultInWords(meta.default)}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
