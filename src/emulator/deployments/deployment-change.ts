import { deploymentShape } from "../../model/shape.ts";
import type { Field } from "../../model/field-shape.ts";
import { spellSource } from "../../model/dialect.ts";
import { isObject, sameJson, type Json, type JsonObject } from "../../model/json.ts";
import { checkHosted } from "../rules/hosted-rule.ts";
import { refuse, refuseAll, refuseValue } from "../http/reply.ts";
import type { RevisionRule } from "./revision.ts";
import type { StoredDeployment } from "../state/store.ts";
import { checkDeployment } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";
import {
  structOf,
  othersOf,
  type WantedDeployment,
  writable,
  checkKind,
  checkTag,
  asSent,
  canonical,
} from "./deployment-body.ts";

/** Unchangeable fields of a PATCH that differ from what is stored; null and equal values change nothing. */
function changedFixed(deployment: StoredDeployment, body: JsonObject): string[] {
  const { name, source, others } = deployment;
  const stored: JsonObject = { ...others, name, source };
  const top = [...deploymentShape.fields.values()]
    .filter(({ mutability }) => mutability === "create-only")
    .map((field) => field.name)
    .filter((key) => body[key] != null && !sameJson(body[key], stored[key]));
  const config = isObject(body["source_config"]) ? body["source_config"] : {};
  const fixed = [...structOf("source_config").fields.values()].filter(
    (field) => field.mutability === "create-only" && field.name !== "listener_config",
  );
  const below = fixed
    .filter(
      (field) =>
        config[field.name] != null &&
        !sameJson(config[field.name], deployment.source_config[field.name]),
    )
    .map((field) => field.path);
  const asked = isObject(config["listener_config"])
    ? config["listener_config"]["k8s_namespace"]
    : null;
  const listener = isObject(deployment.source_config["listener_config"])
    ? deployment.source_config["listener_config"]["k8s_namespace"]
    : null;
  return [
    ...top,
    ...below,
    ...(asked != null && asked !== listener ? ["source_config.listener_config.k8s_namespace"] : []),
  ];
}

/** What a change asks for, once it was found right. */
interface Change {
  readonly changed: StoredDeployment;
  readonly revisionConfig: JsonObject;
  readonly builds: boolean;
  readonly source: string;
  /** How the revision goes whatever the scenario says. */
  readonly rule?: RevisionRule;
}

/** What forbids a change before its values are looked at. */
function refuseChange(
  { settings }: World,
  deployment: StoredDeployment,
  given: Json | undefined,
  { body, dialect }: ReturnType<typeof canonical>,
): void {
  const errors = checkDeployment(body, "patch", { ...settings, dialect });
  if (errors.length > 0) refuseAll(asSent(errors, given));
  if (deployment.deleted_ms !== null)
    refuse(400, `Deployment ID ${deployment.id} is being deleted.`);
  const asked = body as JsonObject;
  const fixed = changedFixed(deployment, asked);
  if (fixed.length > 0)
    refuse(400, `${fixed.join(", ")} cannot be changed once the deployment is created.`);
  const display = asked["display_name"] ?? null;
  if (display !== null && (typeof display !== "string" || display === ""))
    refuseValue(
      "body",
      "display_name",
      "String should have at least 1 character",
      "string_too_short",
    );
}

/** Checks the body of a PATCH or of a new revision, and gives what it makes of the deployment. */
export function toChange(world: World, deployment: StoredDeployment, given: Call["body"]): Change {
  const { settings } = world;
  const spelled = canonical(given, deployment.dialect);
  refuseChange(world, deployment, given, spelled);
  const asked = spelled.body as JsonObject;
  const source = revisionSource(deployment, asked);
  const own = {
    source,
    dialect: deployment.dialect,
    source_config: writable("source_config", asked["source_config"]),
    source_revision_config: writable("source_revision_config", asked["source_revision_config"]),
  };
  checkKind(own);
  const config = { ...deployment.source_config, ...changeable(own.source_config) };
  // What another source was built from says nothing of this one.
  const isSame = source === sourceNow(deployment);
  const latest = isSame ? (deployment.revisions.at(-1)?.config ?? {}) : {};
  const revisionConfig = { ...latest, ...own.source_revision_config };
  const secrets = asked["secrets"] as StoredDeployment["secrets"] | null | undefined;
  checkTag(config, revisionConfig);
  if (settings.createRules === "hosted") {
    const deployment_type = deployment.source_config["deployment_type"] ?? null;
    checkHosted(world, {
      ...own,
      kind: "patch",
      body: asked,
      secrets: secrets ?? [],
      source_config: { ...own.source_config, deployment_type },
    });
  }
  return {
    source,
    revisionConfig,
    changed: {
      ...deployment,
      source_config: config,
      updated_ms: world.now(),
      secrets: secretsAfter(world, deployment, secrets),
      others: { ...deployment.others, ...othersOf(asked, "patch") },
    },
    builds: makesRevision(asked, own),
    ...(settings.createRules === "hosted" && losesDatabase(deployment, secrets)
      ? { rule: WITHOUT_DATABASE }
      : {}),
  };
}

const DATABASE = "POSTGRES_URI_CUSTOM";
const WITHOUT_DATABASE: RevisionRule = {
  outcome: "deploy-failed",
  status_message: `${DATABASE} is missing: a deployment that used a database of its own keeps it.`,
};

/** A revision without the database that earlier ones used is not deployed (contributing/service.md 2.4). */
function losesDatabase(
  deployment: StoredDeployment,
  asked: StoredDeployment["secrets"] | null | undefined,
): boolean {
  const has = (secrets: StoredDeployment["secrets"]): boolean =>
    secrets.some(({ name }) => name === DATABASE);
  return asked != null && asked.length > 0 && has(deployment.secrets) && !has(asked);
}

/** Whether a change holds a unit that, by the field table, makes a revision. */
function makesRevision(asked: JsonObject, own: WantedDeployment): boolean {
  const given = (fields: ReadonlyMap<string, Field>, body: JsonObject): boolean =>
    [...fields.values()].some(
      ({ name, effect }) => effect === "new-revision" && body[name] != null,
    );
  return (
    Object.keys(own.source_revision_config).length > 0 ||
    given(structOf("source_config").fields, own.source_config) ||
    given(deploymentShape.fields, asked)
  );
}

function changeable(config: JsonObject): JsonObject {
  const { fields } = structOf("source_config");
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => fields.get(key)!.mutability === "mutable"),
  );
}

function secretsAfter(
  { settings }: World,
  deployment: StoredDeployment,
  asked: StoredDeployment["secrets"] | null | undefined,
): StoredDeployment["secrets"] {
  const kept = asked?.length === 0 && !settings.strict;
  if (asked == null || kept) return deployment.secrets;
  return asked.map(({ name, value }) => ({ name, value }));
}

/** What the latest revision was built from; the deployment keeps the source that it was created with. */
function sourceNow({ revisions, source }: StoredDeployment): string {
  const config = revisions.at(-1)?.config;
  if (typeof config?.["source_tarball_path"] === "string") return "internal_source";
  return typeof config?.["repo_ref"] === "string" ? "repohost" : source;
}

/** `revision_source` of a change: one deployment is built from here or there (contributing/service.md 2.9). */
function revisionSource(deployment: StoredDeployment, asked: JsonObject): string {
  const wanted = asked["revision_source"];
  if (wanted === undefined || wanted === null) return sourceNow(deployment);
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
