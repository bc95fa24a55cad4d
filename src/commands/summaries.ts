import { versionOf } from "../deploy/serving.ts";
import { spellSource } from "../model/dialect.ts";
import { tookMsOf, type LiveDeployment, type LiveRevision } from "../model/live.ts";

/** What `list` and `status` show of a deployment; contains no secret. */
export interface DeploymentSummary
  extends Pick<LiveDeployment, "name" | "id" | "status" | "updated_at" | "url"> {
  /** In the service's dialect. */
  readonly source: string;
}

/** The fields of a deployment that people ask for. */
export function summarizeDeployment(live: LiveDeployment): DeploymentSummary {
  const { name, id, status, updated_at, url } = live;
  return { name, id, source: spellSource(live.source, live.dialect), status, updated_at, url };
}

/** A revision in `status` and `history`; the message is the service's own and is redacted before printing. */
export interface RevisionSummary {
  readonly id: string;
  readonly status: string;
  readonly active: boolean;
  readonly ref: string;
  readonly commit: string;
  readonly created_at: string;
  /** Milliseconds from its creation to its last change; null if the service gives no dates. */
  readonly took_ms: number | null;
  readonly message: string;
}

/** What is known about one revision of a deployment. */
export function summarizeRevision(
  revision: LiveRevision,
  { active_revision_id: activeId, body }: LiveDeployment,
  redact: (text: string) => string,
): RevisionSummary {
  const config = revision.source_revision_config;
  const commit = config["repo_commit_sha"];
  return {
    id: revision.id,
    status: revision.status,
    active: revision.id === activeId,
    ref: redact(versionOf(config, body["secrets"]) ?? ""),
    commit: typeof commit === "string" ? commit : "",
    created_at: revision.created_at,
    took_ms: tookMsOf(revision),
    message: redact(revision.status_message),
  };
}

const AGES: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
];

/** How long ago a time was, in its largest unit (`3d`); a dash if unknown or in the future. */
export function renderAge(iso: string, nowMs: number): string {
  const age = nowMs - Date.parse(iso);
  const unit = AGES.find(([, ms]) => age >= ms);
  if (unit !== undefined) return `${Math.floor(age / unit[1])}${unit[0]} ago`;
  return age >= 0 ? "now" : "–";
}
