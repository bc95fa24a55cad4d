import { deploymentShape } from "../../model/shape.ts";
import type { Field } from "../../model/field-shape.ts";
import { dialectOfBody, spell, spellSource } from "../../model/dialect.ts";
import { isObject, withMembers, type Json, type JsonObject } from "../../model/json.ts";
import { checkRules, groupOf, type Asked, type GROUPS } from "../rules/hosted-rule.ts";
import { refuseAny } from "../http/reply.ts";
import type { RevisionRule } from "./revision.ts";
import type { StoredDeployment } from "../state/store.ts";
import { checkBody, deploymentRule, isWritable } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** Writable top-level fields that are stored together, as `others`. */
const OTHERS = [...deploymentShape.fields.values()].filter(
  ({ name, mutability }) =>
    mutability !== "read-only" &&
    !["name", "source", "source_config", "source_revision_config", "secrets"].includes(name),
);

/** These fields in a body; nulls are ignored. A create takes no field that only an update sets. */
export function othersOf(body: JsonObject, kind: "create" | "patch"): JsonObject {
  return Object.fromEntries(
    OTHERS.filter(({ mutability }) => kind === "patch" || mutability !== "patch-only").flatMap(
      ({ name }) => (body[name] == null ? [] : [[name, body[name]!]]),
    ),
  );
}

/** Known, writable, non-null keys of a group; others are dropped. */
export function writable(group: (typeof GROUPS)[number], value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  const fields = groupOf(group).fields;
  return withMembers(value, (item, key) => {
    const own = fields.get(key);
    return own === undefined || item === null || !isWritable(own) ? undefined : item;
  });
}

/** Checks the body of a create, or of a change to a deployment. */
export function readAsked(
  world: World,
  given: Json | undefined,
  of: StoredDeployment | null,
): Asked {
  const { settings } = world;
  const usual = settings.hostedRules ? "hosted" : "document";
  const spoken = isObject(given) ? dialectOfBody(given) : undefined;
  const dialect = spoken ?? of?.dialect ?? usual;
  const kind = of === null ? "create" : "patch";
  const rule = deploymentRule(kind, { ...settings, dialect });
  const spelled = isObject(given) ? spell(given, "document") : given;
  refuseAny(checkBody(rule, spelled, { dialect }));
  const body = spelled as JsonObject;
  const source = of === null ? String(body["source"]) : sourceAfter(world, of, body);
  const source_config = writable("source_config", body["source_config"]);
  const source_revision_config = writable("source_revision_config", body["source_revision_config"]);
  // The configuration of a revision from another source does not apply.
  const latest = of !== null && source === sourceNow(world, of) ? newestConfig(world, of) : {};
  const asked: Asked = {
    of,
    body,
    source,
    dialect: of?.dialect ?? dialect,
    secrets: (body["secrets"] ?? []) as unknown as StoredDeployment["secrets"],
    source_config,
    source_revision_config,
    config: of === null ? source_config : { ...of.source_config, ...changeable(source_config) },
    revisionConfig: { ...latest, ...source_revision_config },
  };
  checkRules(world, asked);
  return asked;
}

/** Checks the body of a PATCH or a new revision, and returns the changed deployment. */
export function toChange(world: World, deployment: StoredDeployment, given: Call["body"]) {
  const asked = readAsked(world, given, deployment);
  const { body, config, secrets, revisionConfig } = asked;
  // An empty list changes nothing, beyond the interface document.
  const kept = body["secrets"] == null || (secrets.length === 0 && !world.settings.strict);
  return {
    config: revisionConfig,
    changed: {
      ...deployment,
      source_config: config,
      updated_ms: world.now(),
      secrets: kept ? deployment.secrets : toSecrets(secrets),
      others: { ...deployment.others, ...othersOf(body, "patch") },
    } satisfies StoredDeployment,
    builds: makesRevision(asked),
    /** How the revision proceeds, overriding the scenario. */
    rule:
      world.settings.hostedRules && losesDatabase(deployment.secrets, asked)
        ? WITHOUT_DATABASE
        : undefined,
  };
}

/** Secrets with only name and value. */
export const toSecrets = (secrets: StoredDeployment["secrets"]): StoredDeployment["secrets"] =>
  secrets.map(({ name, value }) => ({ name, value }));

const DATABASE = "POSTGRES_URI_CUSTOM";
const WITHOUT_DATABASE: RevisionRule = {
  outcome: "deploy-failed",
  status_message: `${DATABASE} is missing: a deployment that used a database of its own keeps it.`,
};

/** A revision without the database that earlier ones used fails to deploy (contributing/service.md 2.4). */
function losesDatabase(before: StoredDeployment["secrets"], { secrets }: Asked): boolean {
  const has = (all: StoredDeployment["secrets"]): boolean =>
    all.some(({ name }) => name === DATABASE);
  return secrets.length > 0 && has(before) && !has(secrets);
}

/** Whether a change contains a unit that makes a revision, according to the field table. */
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
  return withMembers(config, (item, key) =>
    fields.get(key)!.mutability === "mutable" ? item : undefined,
  );
}

/** The source that the latest revision was built from; the deployment keeps the source it was created with. */
function sourceNow(world: World, deployment: StoredDeployment): string {
  const config = newestConfig(world, deployment);
  if (typeof config?.["source_tarball_path"] === "string") return "internal_source";
  return typeof config?.["repo_ref"] === "string" ? "repohost" : deployment.source;
}

/** The configuration of the newest revision. */
export const newestConfig = ({ store }: World, { id }: StoredDeployment): JsonObject | undefined =>
  store.of("revisions", id).at(-1)?.config;

/** The source that a change builds from: `revision_source`, which the rules check, or the one it has. */
function sourceAfter(world: World, deployment: StoredDeployment, asked: JsonObject): string {
  const wanted = asked["revision_source"] ?? null;
  return wanted === null ? sourceNow(world, deployment) : spellSource(String(wanted), "document");
}
