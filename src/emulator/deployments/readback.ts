import { resolveDefault } from "../../model/default.ts";
import type { Shape } from "../../model/field-shape.ts";
import { spell } from "../../model/dialect.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import type { Settings } from "../options.ts";
import { groupOf } from "./deployment-body.ts";
import { statusAt, toTimelines, type Sight } from "./revision.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";

/** What time has made of a deployment. */
export interface Moment {
  readonly timelines: ReadonlyMap<string, readonly Sight[]>;
  readonly latest: StoredRevision | null;
  readonly active: StoredRevision | null;
  readonly status: string;
}

/** A time as the service writes it. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** What follows from a deployment's revisions, whatever the time is. */
interface Course {
  readonly timelines: ReadonlyMap<string, readonly Sight[]>;
  /** Every time a revision became DEPLOYED, oldest first. */
  readonly deployed: readonly { readonly at: number; readonly revision: StoredRevision }[];
}

const courses = new WeakMap<readonly StoredRevision[], Map<Settings["overtaken"], Course>>();

/** The course of a list of revisions, worked out once: such a list never changes, a change is a new list. */
function courseOf(revisions: readonly StoredRevision[], overtaken: Settings["overtaken"]): Course {
  const known = courses.get(revisions) ?? new Map<Settings["overtaken"], Course>();
  courses.set(revisions, known);
  const found = known.get(overtaken);
  if (found !== undefined) return found;
  const timelines = toTimelines(revisions, overtaken);
  const deployed = revisions
    .flatMap((revision) =>
      timelines
        .get(revision.id)!
        .filter(({ status }) => status === "DEPLOYED")
        .map(({ at }) => ({ at, revision })),
    )
    .sort((a, b) => a.at - b.at);
  known.set(overtaken, { timelines, deployed });
  return { timelines, deployed };
}

/** Latest and active revision and status of a deployment at a time; statuses are computed, never stored. */
export function momentOf(deployment: StoredDeployment, settings: Settings, now: number): Moment {
  const { timelines, deployed } = courseOf(deployment.revisions, settings.overtaken);
  const newest = deployment.revisions.at(-1) ?? null;
  const active = deployed.findLast(({ at }) => at + settings.lags.active <= now) ?? null;
  const hidden = newest === null || newest.created_ms + settings.lags.latest > now;
  return {
    timelines,
    latest: hidden ? null : newest,
    active: active?.revision ?? null,
    status: statusOf(deployment, settings, now),
  };
}

function statusOf(deployment: StoredDeployment, settings: Settings, now: number): string {
  if (deployment.deleted_ms !== null) return "AWAITING_DELETE";
  if (now < deployment.created_ms + settings.lags.database) return "AWAITING_DATABASE";
  return settings.deploymentStatus[deployment.name] ?? "READY";
}

/**
 * Every leaf of a struct present: the stored value, else its documented default, else null
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
  const out: Record<string, Json> = {};
  for (const field of groupOf("source_config").fields.values()) {
    if (["listener_config", "install_command", "build_command"].includes(field.name)) continue;
    const given = stored[field.name] ?? null;
    if (field.name === "resource_spec") {
      out[field.name] = fill(field.shape, given ?? {}, !settings.strict && !repohost);
    } else out[field.name] = given;
  }
  out["deployment_type"] ??= "prod";
  out["build_on_push"] ??= false;
  if (repohost) out["repo_branch"] = deployment.revisions.at(-1)?.config["repo_ref"] ?? null;
  return out;
}

/** The source_revision_config of one revision as a GET shows it; a built image shows only once it is built. */
function toRevisionConfig(
  deployment: StoredDeployment,
  revision: StoredRevision,
  moment: Moment,
  settings: Settings,
  now: number,
): JsonObject {
  const { source_tarball_path: _hidden, ...rest } = revision.config;
  const config: JsonObject = settings.tarballField ? revision.config : rest;
  if (settings.readback === "document") return config;
  const out: Record<string, Json> = {};
  for (const field of groupOf("source_revision_config").fields.values())
    out[field.name] = config[field.name] ?? null;
  if (!settings.tarballField) delete out["source_tarball_path"];
  if (deployment.source === "repohost") {
    out["repo_ref"] = revision.config["repo_commit_sha"] ?? revision.config["repo_ref"] ?? null;
    const built = moment.timelines
      .get(revision.id)!
      .some(
        (sight) =>
          sight.at <= now && ["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"].includes(sight.status),
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

/** The Deployment as the service answers it at a time, in the dialect it is to be read in. */
export function toDeployment(
  deployment: StoredDeployment,
  settings: Settings,
  now: number,
  origin: string,
  tenant: string,
): JsonObject {
  const moment = momentOf(deployment, settings, now);
  const newest = deployment.revisions.at(-1);
  const url = `${origin}/_emulator/agents/${deployment.id}`;
  const hosted = settings.readback === "hosted";
  const body: JsonObject = {
    name: deployment.name,
    source: deployment.source,
    source_config: toSourceConfig(deployment, moment, settings, url),
    source_revision_config:
      newest === undefined ? {} : toRevisionConfig(deployment, newest, moment, settings, now),
    secrets: toSecrets(deployment, settings),
    ...(hosted ? { secret_references: null } : {}),
    ...deployment.others,
    id: deployment.id,
    ...(!settings.strict ? { tenant_id: deployment.tenant_id ?? tenant } : {}),
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
}

/** The Revision as the service answers it at a time. */
export function toRevision(
  deployment: StoredDeployment,
  revision: StoredRevision,
  settings: Settings,
  now: number,
): JsonObject {
  const moment = momentOf(deployment, settings, now);
  const sight = statusAt(moment.timelines.get(revision.id)!, now);
  const body: JsonObject = {
    id: revision.id,
    created_at: iso(revision.created_ms),
    updated_at: iso(Math.max(revision.created_ms, sight.at)),
    status: sight.status,
    source: deployment.source,
    source_revision_config: toRevisionConfig(deployment, revision, moment, settings, now),
    ...(!settings.strict &&
    revision.status_message !== null &&
    /FAILED|INTERRUPTED/.test(sight.status)
      ? { status_message: revision.status_message }
      : {}),
  };
  return inDialect(body, deployment, settings);
}
