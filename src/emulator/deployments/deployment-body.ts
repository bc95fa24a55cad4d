import { deploymentShape } from "../../model/shape.ts";
import type { Field, Shape } from "../../model/field-shape.ts";
import {
  spell,
  spellPath,
  spellSource,
  dialectOf,
  isHostedSource,
  type Dialect,
} from "../../model/dialect.ts";
import { isObject, sameJson, type Json, type JsonObject } from "../../model/json.ts";
import { checkHosted, checkNamespace, type Wanted } from "../rules/hosted-rule.ts";
import { refuse, refuseAll, refuseValue } from "../http/reply.ts";
import type { RevisionRule } from "./revision.ts";
import type { StoredDeployment } from "../state/store.ts";
import { checkBody, deploymentRule } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** The fields of a group of the Deployment. */
export const groupOf = (name: string): Extract<Shape, { kind: "struct" }> =>
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

/** Known, writable, non-null keys of a group; nothing else is kept. */
function writable(group: (typeof GROUPS)[number], value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  const fields = groupOf(group).fields;
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

/** Refuses the fields of another source kind. */
function checkKind(wanted: Wanted): void {
  for (const group of GROUPS)
    for (const key of Object.keys(wanted[group])) {
      const { only } = groupOf(group).fields.get(key)!.meta;
      const own = isHostedSource(wanted.source) && INTERNAL_FIELDS.includes(key);
      if (only !== undefined && only !== wanted.source && !own)
        refuse(
          400,
          `${spellPath(`${group}.${key}`, wanted.dialect)} is only applicable for ${spellSource(only, wanted.dialect)} source.`,
        );
    }
}

/** A tag is built once: pushes to it build nothing. */
function checkTag(config: JsonObject, revision: JsonObject): void {
  const ref = revision["repo_ref"];
  if (typeof ref === "string" && ref.startsWith("refs/tags/") && config["build_on_push"] === true)
    refuse(
      400,
      "source_config.build_on_push must be false when source_revision_config.repo_ref is a tag.",
    );
}

/** The same body in canonical dialect, and the dialect it came in. */
function canonical(
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

/** Fields of a PATCH that cannot be changed and differ from what is stored; null and equal values change nothing. */
function changedFixed(shape: Shape, asked: Json | undefined, stored: Json | undefined): string[] {
  if (shape.kind !== "struct" || !isObject(asked)) return [];
  return [...shape.fields.values()].flatMap(({ name, path, shape: inner, mutability }) => {
    const value = asked[name] ?? null;
    const was = isObject(stored) ? stored[name] : undefined;
    if (inner.kind === "struct") return changedFixed(inner, value, was);
    return mutability === "create-only" && value !== null && !sameJson(value, was) ? [path] : [];
  });
}

/** What forbids a change before its values are looked at. */
function refuseChange(deployment: StoredDeployment, asked: JsonObject): void {
  const { id, name, source, source_config, others, deleted_ms } = deployment;
  if (deleted_ms !== null) refuse(400, `Deployment ID ${id} is being deleted.`);
  const fixed = changedFixed(deploymentShape, asked, { ...others, name, source, source_config });
  if (fixed.length > 0)
    refuse(400, `${fixed.join(", ")} cannot be changed once the deployment is created.`);
  if (asked["display_name"] === "")
    refuseValue(
      "body",
      "display_name",
      "String should have at least 1 character",
      "string_too_short",
    );
}

/** What a create or a change asks for, once it was found right. */
export interface Asked extends Wanted {
  /** What is built: of a change, with what the latest revision was built from. */
  readonly revisionConfig: JsonObject;
  /** The configuration of the deployment afterwards. */
  readonly config: JsonObject;
}

/** Checks the body of a create, or of a change of a deployment. */
export function readAsked(
  world: World,
  given: Json | undefined,
  of: StoredDeployment | null,
): Asked {
  const { settings } = world;
  const hosted = settings.createRules === "hosted";
  const kind = of === null ? "create" : "patch";
  const spelled = canonical(given, of?.dialect ?? (hosted ? "hosted" : "document"));
  const { dialect } = spelled;
  const rule = deploymentRule(kind, { ...settings, dialect });
  const errors = checkBody(rule, spelled.body, { dialect });
  if (errors.length > 0) refuseAll(errors);
  const body = spelled.body as JsonObject;
  if (of !== null) refuseChange(of, body);
  const own: Wanted = {
    kind,
    body,
    source: of === null ? String(body["source"]) : revisionSource(world, of, body),
    dialect: of?.dialect ?? spelled.dialect,
    secrets: (body["secrets"] ?? []) as unknown as StoredDeployment["secrets"],
    source_config: writable("source_config", body["source_config"]),
    source_revision_config: writable("source_revision_config", body["source_revision_config"]),
  };
  checkKind(own);
  const config =
    of === null ? own.source_config : { ...of.source_config, ...changeable(own.source_config) };
  // What another source was built from says nothing of this one.
  const latest = of !== null && own.source === sourceNow(world, of) ? newestConfig(world, of) : {};
  const revisionConfig = { ...latest, ...own.source_revision_config };
  checkTag(config, revisionConfig);
  if (hosted) {
    const deployment_type = config["deployment_type"] ?? null;
    checkHosted(
      world,
      of === null ? own : { ...own, source_config: { ...own.source_config, deployment_type } },
    );
  }
  if (of === null) checkNamespace(world, config);
  return { ...own, config, revisionConfig };
}

/** A change of a deployment. */
interface Change {
  readonly changed: StoredDeployment;
  readonly revisionConfig: JsonObject;
  readonly builds: boolean;
  /** How the revision goes whatever the scenario says. */
  readonly rule?: RevisionRule;
}

/** Checks the body of a PATCH or of a new revision, and gives what it makes of the deployment. */
export function toChange(world: World, deployment: StoredDeployment, given: Call["body"]): Change {
  const asked = readAsked(world, given, deployment);
  const { body, config, secrets, revisionConfig } = asked;
  // An empty list changes nothing, beyond the interface document.
  const kept = body["secrets"] == null || (secrets.length === 0 && !world.settings.strict);
  return {
    revisionConfig,
    changed: {
      ...deployment,
      source_config: config,
      updated_ms: world.now(),
      secrets: kept ? deployment.secrets : toSecrets(secrets),
      others: { ...deployment.others, ...othersOf(body, "patch") },
    },
    builds: makesRevision(asked),
    ...(world.settings.createRules === "hosted" && losesDatabase(deployment.secrets, asked)
      ? { rule: WITHOUT_DATABASE }
      : {}),
  };
}

/** Secrets without what a client sent besides name and value. */
export const toSecrets = (secrets: StoredDeployment["secrets"]): StoredDeployment["secrets"] =>
  secrets.map(({ name, value }) => ({ name, value }));

const DATABASE = "POSTGRES_URI_CUSTOM";
const WITHOUT_DATABASE: RevisionRule = {
  outcome: "deploy-failed",
  status_message: `${DATABASE} is missing: a deployment that used a database of its own keeps it.`,
};

/** A revision without the database that earlier ones used is not deployed (contributing/service.md 2.4). */
function losesDatabase(before: StoredDeployment["secrets"], { secrets }: Asked): boolean {
  const has = (all: StoredDeployment["secrets"]): boolean =>
    all.some(({ name }) => name === DATABASE);
  return secrets.length > 0 && has(before) && !has(secrets);
}

/** Whether a change holds a unit that, by the field table, makes a revision. */
function makesRevision({ body: asked, ...own }: Asked): boolean {
  const given = (fields: ReadonlyMap<string, Field>, body: JsonObject): boolean =>
    [...fields.values()].some(
      ({ name, effect }) => effect === "new-revision" && body[name] != null,
    );
  return (
    Object.keys(own.source_revision_config).length > 0 ||
    given(groupOf("source_config").fields, own.source_config) ||
    given(deploymentShape.fields, asked)
  );
}

function changeable(config: JsonObject): JsonObject {
  const { fields } = groupOf("source_config");
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => fields.get(key)!.mutability === "mutable"),
  );
}

/** What the latest revision was built from; the deployment keeps the source that it was created with. */
function sourceNow(world: World, deployment: StoredDeployment): string {
  const config = newestConfig(world, deployment);
  if (typeof config?.["source_tarball_path"] === "string") return "internal_source";
  return typeof config?.["repo_ref"] === "string" ? "repohost" : deployment.source;
}

const newestConfig = ({ store }: World, { id }: StoredDeployment): JsonObject | undefined =>
  store.of("revisions", id).at(-1)?.config;

/** `revision_source` of a change: one deployment is built from here or there (contributing/service.md 2.9). */
function revisionSource(world: World, deployment: StoredDeployment, asked: JsonObject): string {
  const wanted = asked["revision_source"];
  if (wanted === undefined || wanted === null) return sourceNow(world, deployment);
  const known = ["github", "internal_docker", "internal_source"];
  if (!known.includes(String(wanted)))
    refuseValue(
      "body",
      "revision_source",
      `Input should be ${known.map((word) => `'${word}'`).join(", ")}`,
      "enum",
    );
  return known.includes(spellSource(deployment.source, "hosted"))
    ? spellSource(String(wanted), "document")
    : refuse(
        400,
        `revision_source ${String(wanted)} is not possible for a deployment of source ${spellSource(deployment.source, deployment.dialect)}.`,
      );
}
