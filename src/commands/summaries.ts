import { versionOf } from "../deploy/serving.ts";
import { spellSource } from "../model/dialect.ts";
import { tookMsOf, type LiveDeployment, type LiveRevision } from "../model/live.ts";

/** The fields of a deployment that people ask for; contains no secret. The source is in the service's dialect. */
export function summarizeDeployment(live: LiveDeployment) {
  const { name, id, status, updated_at, url } = live;
  return { name, id, source: spellSource(live.source, live.dialect), status, updated_at, url };
}

/** What is known about one revision of a deployment; the message is the service's own. */
export function summarizeRevision(
  revision: LiveRevision,
  { active_revision_id: activeId, body }: LiveDeployment,
  redact: (text: string) => string,
) {
  const config = revision.source_revision_config;
  const commit = config["repo_commit_sha"];
  return {
    id: revision.id,
    status: revision.status,
    active: revision.id === activeId,
    ref: redact(versionOf(config, body["secrets"]) ?? ""),
    commit: typeof commit === "string" ? commit : "",
    created_at: revision.created_at,
    /** From its creation to its last change; null if the service gives no dates. */
    took_ms: tookMsOf(revision),
    message: redact(revision.status_message),
  };
}

/** A revision in `status` and `history`. */
export type RevisionSummary = ReturnType<typeof summarizeRevision>;

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
