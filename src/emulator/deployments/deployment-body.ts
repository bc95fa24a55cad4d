import { deploymentShape } from "../../model/shape.ts";
import type { Shape } from "../../model/field-shape.ts";
import {
  spell,
  spellKey,
  spellPath,
  spellSource,
  dialectOf,
  type Dialect,
} from "../../model/dialect.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { type ValidationError, refuse } from "../http/reply.ts";

/** The fields of a group of the Deployment. */
export const structOf = (name: string): Extract<Shape, { kind: "struct" }> =>
  deploymentShape.fields.get(name)!.shape as Extract<Shape, { kind: "struct" }>;

const GROUPS = ["source_config", "source_revision_config"] as const;

/** Top-level fields that have no place of their own in what is stored. */
const OTHERS = [...deploymentShape.fields.values()].filter(
  ({ name, mutability }) =>
    mutability !== "read-only" &&
    !["name", "source", "source_config", "source_revision_config", "secrets"].includes(name),
);

/** What a body says of those; null says nothing. A create takes no field that only an update sets. */
export function othersOf(body: JsonObject, kind: "create" | "patch"): JsonObject {
  return Object.fromEntries(
    OTHERS.filter(({ mutability }) => kind === "patch" || mutability !== "patch-only").flatMap(
      ({ name }) => (body[name] == null ? [] : [[name, body[name]!]]),
    ),
  );
}

/** What a create or a change asks for, in canonical dialect. */
export interface WantedDeployment {
  readonly source: string;
  readonly dialect: Dialect;
  readonly source_config: JsonObject;
  readonly source_revision_config: JsonObject;
}

/** Known, writable, non-null keys of a group; nothing else is kept. */
export function writable(group: (typeof GROUPS)[number], value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  const fields = structOf(group).fields;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, item]) =>
        item !== null &&
        fields.has(key) &&
        (fields.get(key)!.mutability !== "read-only" || key === "source_tarball_path"),
    ),
  );
}

/** Fields of another kind that sources made by the vendor's command line have too. */
const INTERNAL_FIELDS = [
  "deployment_type",
  "image_uri",
  "graph_config_path",
  "source_tarball_path",
  "resource_spec",
];

/** Made by the vendor's own command line. */
export const isInternal = (source: string): boolean => source.startsWith("internal_");

/** Refuses the fields of another source kind. */
export function checkKind(wanted: WantedDeployment): void {
  for (const group of GROUPS)
    for (const key of Object.keys(wanted[group])) {
      const { only } = structOf(group).fields.get(key)!.meta;
      const own = isInternal(wanted.source) && INTERNAL_FIELDS.includes(key);
      if (only !== undefined && only !== wanted.source && !own)
        refuse(
          400,
          `${spellPath(`${group}.${key}`, wanted.dialect)} is only applicable for ${spellSource(only, wanted.dialect)} source.`,
        );
    }
}

/** A tag is built once: pushes to it build nothing. */
export function checkTag(config: JsonObject, revision: JsonObject): void {
  const ref = revision["repo_ref"];
  if (typeof ref === "string" && ref.startsWith("refs/tags/") && config["build_on_push"] === true)
    refuse(
      400,
      "source_config.build_on_push must be false when source_revision_config.repo_ref is a tag.",
    );
}

/** The same body in canonical dialect, and the dialect it came in. */
export function canonical(
  body: Json | undefined,
  fallback: Dialect,
): { readonly body: Json | undefined; readonly dialect: Dialect } {
  if (!isObject(body)) return { body, dialect: fallback };
  const keys = isObject(body["source_revision_config"])
    ? Object.keys(body["source_revision_config"])
    : [];
  const dialect =
    dialectOf(body["source"]) ?? (keys.includes("langgraph_config_path") ? "hosted" : fallback);
  return { body: spell(body, "document"), dialect };
}

/** The value at a place of a body, whichever dialect its keys are in. */
function valueAt(body: Json | undefined, path: ValidationError["loc"]): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
    if (!isObject(value)) return undefined;
    const keys = [step, ...(["document", "hosted"] as const).map((to) => spellKey(`${step}`, to))];
    const key = keys.find((one) => Object.hasOwn(value, one));
    return key === undefined ? undefined : value[key];
  }, body);
}

/** Errors of a body in canonical dialect, each with its input as the client sent it. */
export function asSent(
  errors: readonly ValidationError[],
  sent: Json | undefined,
): readonly ValidationError[] {
  return errors.map((error) => {
    if (error.input === undefined) return error;
    const path = error.loc.slice(1);
    // What is missing is reported with the object that lacks it.
    const input = valueAt(sent, error.type === "missing" ? path.slice(0, -1) : path);
    return { ...error, input: input ?? error.input };
  });
}
