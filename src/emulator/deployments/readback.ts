import { resolveDefault } from "../../model/default.ts";
import type { Shape } from "../../model/field-shape.ts";
import { spell } from "../../model/dialect.ts";
import { type Json, type JsonObject, isObject } from "../../model/json.ts";
import type { Settings } from "../options.ts";
import { groupOf } from "../rules/hosted-rule.ts";
import { statusAt, toTimelines, type StatusStep } from "./revision.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";
import type { Call, World } from "../world.ts";

/** The state of a deployment at a time. */
export type Moment = ReturnType<typeof momentOf>;

/** A time as the service writes it. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** What follows from a deployment's revisions at any time. */
function toCourse(revisions: readonly StoredRevision[], overtaken: Settings["overtaken"]) {
  const timelines = toTimelines(revisions, overtaken);
  /** Every time that a revision became DEPLOYED, oldest first. */
  const deployed = revisions
    .flatMap((revision) =>
      timelines
        .get(revision.id)!
        .filter(({ status }) => status === "DEPLOYED")
        .map(({ at }) => ({ at, revision })),
    )
    .sort((a, b) => a.at - b.at);
  return { overtaken, timelines, deployed };
}

const courses = new WeakMap<readonly StoredRevision[], ReturnType<typeof toCourse>>();

/** Computed once for a list of revisions, which never changes: a change makes a new list. */
function courseOf(revisions: readonly StoredRevision[], overtaken: Settings["overtaken"]) {
  const known = courses.get(revisions);
  if (known?.overtaken === overtaken) return known;
  const course = toCourse(revisions, overtaken);
  courses.set(revisions, course);
  return course;
}

/** Latest and active revision and status of a deployment at a time; statuses are computed, never stored. */
export function momentOf(
  { store, settings, now: clock }: Pick<World, "store" | "settings" | "now">,
  deployment: StoredDeployment,
) {
  const now = clock();
  const revisions = store.of("revisions", deployment.id);
  const { timelines, deployed } = courseOf(revisions, settings.overtaken);
  const newest = revisions.at(-1) ?? null;
  const active = deployed.findLast(({ at }) => at + settings.lags.active <= now) ?? null;
  const hidden = newest === null || newest.created_ms + settings.lags.latest > now;
  return {
    now,
    revisions,
    newest,
    timelines,
    /** The newest revision, once the service shows it. */
    latest: hidden ? null : newest,
    active: active?.revision ?? null,
    status: statusOf(deployment, settings, now),
  };
}

/** Past and future statuses of a revision. */
export const stepsOf = ({ timelines }: Moment, { id }: StoredRevision): readonly StatusStep[] =>
  timelines.get(id)!;

/** The status of a revision at that time. */
export const stepOf = (moment: Moment, revision: StoredRevision): StatusStep =>
  statusAt(stepsOf(moment, revision), moment.now);

function statusOf(deployment: StoredDeployment, settings: Settings, now: number): string {
  if (deployment.deleted_ms !== null) return "AWAITING_DELETE";
  if (now < deployment.created_ms + settings.lags.database) return "AWAITING_DATABASE";
  return settings.deploymentStatus[deployment.name] ?? "READY";
}

/**
 * Fills in every leaf of a struct: the stored value, else its documented default, else null
 * (contributing/service.md 2.6).
 */
function fill(shape: Shape, value: Json, base: boolean): Json {
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item: Json) => fill(shape.item, item, false));
  if (shape.kind !== "struct" || !isObject(value)) return value;
  const out: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    const given = value[field.name] ?? null;
    out[field.name] =
      given !== null
        ? fill(field.shape, given, false)
        : ((base ? field.meta.filledIn : undefined) ?? null);
  }
  for (const field of shape.fields.values()) {
    const { filledAbove } = field.meta;
    const [least, filled] = [filledAbove && out[filledAbove], out[field.name]];
    if (value[field.name] == null && typeof least === "number" && typeof filled === "number")
      out[field.name] = Math.max(least, filled);
    out[field.name] ??= resolveDefault(field.meta.default, out) ?? null;
    const read = out[field.name];
    if (field.meta.compareWith === "one-decimal" && typeof read === "number")
      out[field.name] = Math.round(read * 10) / 10;
  }
  return out;
}

/** A value without the fields that only the hosted service has. */
function ofDocument(shape: Shape, value: Json): Json {
  if (shape.kind !== "struct" || !isObject(value)) return value;
  const shown = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    const field = shape.fields.get(name);
    if (field?.meta.hosted === "only") return [];
    return [[name, field === undefined ? one : ofDocument(field.shape, one)]];
  });
  return Object.fromEntries(shown);
}

function toSourceConfig(
  deployment: StoredDeployment,
  moment: Moment,
  settings: Settings,
  url: string,
): JsonObject {
  const repohost = deployment.source === "repohost";
  const stored: JsonObject = repohost
    ? { ...deployment.source_config, custom_url: moment.active === null ? null : url }
    : deployment.source_config;
  if (settings.readback === "document") return stored;
  const group = groupOf("source_config");
  const out = fill(group, stored, false) as Record<string, Json>;
  for (const name of ["listener_config", "install_command", "build_command"]) delete out[name];
  const { shape } = group.fields.get("resource_spec")!;
  out["resource_spec"] = fill(shape, stored["resource_spec"] ?? {}, !settings.strict && !repohost);
  out["deployment_type"] ??= "prod";
  out["build_on_push"] ??= false;
  if (repohost) out["repo_branch"] = moment.newest?.config["repo_ref"] ?? null;
  return out;
}

/** The source_revision_config of one revision as a GET shows it; an image appears only once it is built. */
function toRevisionConfig(
  deployment: StoredDeployment,
  revision: StoredRevision,
  moment: Moment,
  settings: Settings,
): JsonObject {
  const { config } = revision;
  if (settings.readback === "document") return config;
  const out = fill(groupOf("source_revision_config"), config, false) as Record<string, Json>;
  if (deployment.source === "repohost") {
    out["repo_ref"] = config["repo_commit_sha"] ?? config["repo_ref"] ?? null;
    const built = stepsOf(moment, revision).some(
      ({ at, status }) =>
        at <= moment.now && ["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"].includes(status),
    );
    out["image_uri"] = built ? `registry.emulator.invalid/${deployment.name}:${revision.id}` : null;
  }
  return out;
}

const MASKS = { stars: "***", bullets: "••••••", empty: "", null: null } as const;

function toSecrets(deployment: StoredDeployment, settings: Settings): Json {
  const { secretValues: mask, maskedSecrets: names } = settings;
  return deployment.secrets.map(({ name, value }) => ({
    name,
    value: mask === "plain" || names?.includes(name) === false ? value : MASKS[mask],
  }));
}

const inDialect = (body: JsonObject, { dialect }: StoredDeployment, settings: Settings) =>
  spell(body, settings.dialect === "as-created" ? dialect : settings.dialect);

/** The deployment as the caller's GET shows it now, in the dialect to read it in. */
export const showDeployment = (world: World, call: Call) => (deployment: StoredDeployment) => {
  const { settings } = world;
  const moment = momentOf(world, deployment);
  const { newest } = moment;
  const url = `${call.origin}/_emulator/agents/${deployment.id}`;
  const hosted = settings.readback === "hosted";
  const config = toSourceConfig(deployment, moment, settings, url);
  const body: JsonObject = {
    name: deployment.name,
    source: deployment.source,
    source_config: settings.strict ? ofDocument(groupOf("source_config"), config) : config,
    source_revision_config:
      newest === null ? {} : toRevisionConfig(deployment, newest, moment, settings),
    secrets: toSecrets(deployment, settings),
    ...(hosted ? { secret_references: null } : {}),
    ...(settings.strict ? {} : deployment.others),
    id: deployment.id,
    ...(!settings.strict ? { tenant_id: deployment.tenant_id ?? call.tenant_id } : {}),
    created_at: iso(deployment.created_ms),
    updated_at: iso(deployment.updated_ms),
    status: moment.status,
    latest_revision_id: moment.latest?.id ?? null,
    active_revision_id: moment.active?.id ?? null,
    image_version: null,
    ...(!settings.strict
      ? { url: deployment.source === "external_container" || moment.active === null ? null : url }
      : {}),
  };
  return inDialect(body, deployment, settings);
};

/** The revision as a GET shows it now, in the dialect to read its deployment in. */
export const showRevision = (world: World) => (revision: StoredRevision) => {
  const { settings, store } = world;
  const deployment = store.get("deployments", revision.deployment_id)!;
  const moment = momentOf(world, deployment);
  const step = stepOf(moment, revision);
  const body: JsonObject = {
    id: revision.id,
    created_at: iso(revision.created_ms),
    updated_at: iso(Math.max(revision.created_ms, step.at)),
    status: step.status,
    source: deployment.source,
    source_revision_config: toRevisionConfig(deployment, revision, moment, settings),
    ...(!settings.strict &&
    revision.status_message !== null &&
    /FAILED|INTERRUPTED/.test(step.status)
      ? { status_message: revision.status_message }
      : {}),
  };
  return inDialect(body, deployment, settings);
};
