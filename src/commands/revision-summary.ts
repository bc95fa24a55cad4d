import { tookMsOf, type LiveRevision } from "../model/live.ts";
import { renderDuration } from "../duration.ts";
import type { Json } from "../model/json.ts";
import { userInfoOf } from "../model/user-info.ts";

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

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** An image's address has no scheme by which a redactor would recognise its user and password. */
function imageOf(address: string): string {
  const info = userInfoOf(address);
  return info === undefined ? address : address.replace(info, () => "***");
}

/** What is known about one revision. */
export function summarizeRevision(
  revision: LiveRevision,
  activeId: string | null,
  redact: (text: string) => string,
): RevisionSummary {
  const config = revision.source_revision_config;
  return {
    id: revision.id,
    status: revision.status,
    active: revision.id === activeId,
    ref: redact(textOf(config["repo_ref"]) || imageOf(textOf(config["image_uri"]))),
    commit: textOf(config["repo_commit_sha"]),
    created_at: revision.created_at,
    took_ms: tookMsOf(revision),
    message: redact(revision.status_message),
  };
}

/** A time of the service for people: in UTC, to the minute. */
export function renderTime(iso: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? "–" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/** How long a revision took, or a dash. */
export const renderTook = (ms: number | null): string => (ms === null ? "–" : renderDuration(ms));

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
