import { plural } from "../model/count-words.ts";
import { STATUS_REASONS, statusRow } from "../model/revision-status.ts";
import { isMovedCommit, type Change } from "../plan/plan.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import { isRed } from "./judgement.ts";
import { isGreen, type Outcome } from "./outcome.ts";
import type { DeploymentReport, FailedRequest, Report } from "./report.ts";

/** `begin`: the run continues, and the report has what is known so far. */
export type Stage = "begin" | "end";

// A Map rather than an object, since the service may send `constructor`.
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...STATUS_REASONS,
    "plan-changed": "the plan is not the one that was expected",
    immutable: "a field cannot be changed",
    impossible: "a field cannot be changed",
    clear: "the service cannot clear a value",
    duplicates: "two deployments have this name",
    nameless: "a deployment shows no name",
    exists: "a deployment of this name exists already",
    "create-never": "it does not exist, and creating it is switched off",
    "no-lookup": "the service cannot look names up",
    "not-found": "it was not found",
    "older-commit": "an older commit would replace a newer one",
    "older-run": "an older run would replace a newer one's image",
    "secrets-unreadable": "live secrets cannot be read, so not merged",
    "fail-fast": "another deployment failed first",
    integration: "it needs an integration",
    listener: "it needs a listener",
    service: "the service answered with an error",
    refused: "the service refused it",
    upload: "the source was not uploaded",
    "source-unknown": "the live source is not known",
    "source-change": "another source needs source_change",
    "not-taken": "the service did not take the update",
    unknown: "its final state is unknown",
    commit: "what is live is not the wanted commit",
    "no-revision": "no revision was made",
    untrusted: "the code of this run is not trusted",
    "no-key": "there is no API key",
    timeout: "timed out",
    gate: "its gate did not pass",
    verify: "the verify command failed",
    "no-report": "no report arrived",
    "no-results": "there are no result files",
    conflict: "the name is taken",
    busy: "another update is under way",
    deleting: "it is being deleted",
    gone: "it was deleted meanwhile",
    absent: "it does not exist",
    "no-delete": "the service cannot delete deployments",
    "internal-source": "the vendor's own tools build it",
    "no-ref": "its branch or tag is not known",
    merge: "the spec does not go with the live values",
    "image-unknown": "the registry does not have its image",
    superseded: "a newer revision took over",
    "max-failures": "too many others failed first",
    wave: "an earlier wave failed",
    signal: "the run was cancelled",
  }),
);

/** Words for the machine-readable reason of a red end; the reason itself if there are none. */
export function reasonWords(reason: string, request?: FailedRequest): string {
  const words = REASONS.get(reason) ?? reason;
  if (request === undefined) return words;
  if (reason === "service") return requestWords(request) ?? words;
  const tries = request.untaken_tries;
  // A write without a clear response was not explicitly refused.
  return reason === "refused" && tries !== undefined
    ? `the service gave no clear answer${tries === 1 ? "" : ` ${tries} times`}, and did not take it`
    : words;
}

function requestWords({ headline, status, sent }: FailedRequest): string | undefined {
  if (headline !== "") return headline;
  if (status !== null) return undefined;
  return sent ? "the service did not answer" : "the service could not be reached";
}

/** What to do while a deployment is being deleted. */
export const ONCE_GONE = "Run again once it is gone";

/** `40 s`, `6 m 12 s`, `1 h 3 m`; `0 s` under a second. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** `2026-03-04 09:40`: a time in UTC, to the minute; empty for an invalid one. */
export function utcMinutes(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/** A status as the end of a sentence: `is building`; an unknown one as the service spells it. */
export function statusWords(status: string): string {
  return statusRow(status)?.words ?? `in status ${status}`;
}

/**
 * A branch, tag or short commit; an image by its name with its tag or the first digits of its
 * digest, without the registry.
 */
export function shortVersion(version: string): string {
  if (/^[0-9a-f]{40}$/.test(version)) return version.slice(0, 7);
  const digest = /^(?:.*\/)?([^/@]+)@sha256:([0-9a-f]{8})[0-9a-f]*$/.exec(version);
  if (digest !== null) return `${digest[1]!.replace(/:.*$/, "")}@${digest[2]!}`;
  const tagged = /^[^\s/]+[.:][^\s/]*\/(?:.*\/)?([^/:]+:[^/:]+)$/.exec(version);
  return tagged === null ? version : tagged[1]!;
}

/** One line of a plan: a leaf, its two values as shown, and the kind of change. */
export interface ChangeRow {
  readonly path: string;
  readonly kind: "add" | "change" | "remove" | "impossible";
  /** Null: there was none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly effect: Change["effect"];
  /** Words in place of a value (`secret, new value`), not formatted as code. */
  readonly word: boolean;
}

/** Expands changes to leaves: an object or keyed list becomes one row per differing leaf. */
export function toChangeRows(changes: readonly Change[]): ChangeRow[] {
  return changes.flatMap((change) => {
    if (!change.sensitive) return leaves(change.path, change.before, change.after, change.effect);
    if (!isContainer(change.before) && !isContainer(change.after)) return [sensitiveRow(change)];
    // A container with a secret in it: the plan shows words in its place, which may be equal on both sides.
    const rows = leaves(change.path, change.before, change.after, change.effect);
    return rows.length === 0 ? [sensitiveRow(change)] : rows;
  });
}

const isContainer = (value: Json): boolean => typeof value === "object" && value !== null;

function sensitiveRow({ path, before, after, effect }: Change): ChangeRow {
  const noun = path.startsWith("secrets.") ? "secret" : "hidden value";
  const later = after === KNOWN_AT_APPLY ? ` ${KNOWN_AT_APPLY}` : "";
  const kind = kindOf(before, after, effect);
  const row = { path, kind, before: null, effect, word: true } as const;
  if (kind === "add" || kind === "remove") return { ...row, after: `${noun}${later}` };
  if (after === null) return { ...row, after: `${noun}, removed` };
  if (before !== "value unknown" || later !== "")
    return { ...row, after: `${noun}, new value${later}` };
  const sent = after === "value unknown" ? "" : ", sent anyway";
  return { ...row, after: `${noun}, value unknown${sent}` };
}

function kindOf(before: Json, after: Json, effect: Change["effect"]): ChangeRow["kind"] {
  if (effect === "impossible") return "impossible";
  if (before === null) return "add";
  return after === null ? "remove" : "change";
}

function leaves(path: string, before: Json, after: Json, effect: Change["effect"]): ChangeRow[] {
  const sides = [toEntries(before), toEntries(after)];
  const containers = sides.filter((side) => side !== null);
  const comparable =
    containers.length === 2 || (containers.length === 1 && (before === null || after === null));
  if (comparable && containers.some((side) => side!.size > 0)) {
    const keys = new Set(containers.flatMap((side) => [...side!.keys()]));
    const moved = toOrders(before, after);
    return [
      ...(moved === null ? [] : leaves(path, ...moved, effect)),
      ...[...keys].flatMap((key) => {
        const [was, is] = [sides[0]?.get(key) ?? null, sides[1]?.get(key) ?? null];
        return JSON.stringify(was) === JSON.stringify(is)
          ? []
          : leaves(`${path}.${key}`, was, is, effect);
      }),
    ];
  }
  const kind = kindOf(before, after, effect);
  const shown = HASHED.includes(path) ? toHash : toShown;
  return [{ path, kind, before: shown(before), after: shown(after), effect, word: false }];
}

/** The names of items that are on both sides, in the order of each, if the orders differ; mounts have none. */
function toOrders(before: Json, after: Json): readonly [Json, Json] | null {
  const [was, is] = [toNames(before), toNames(after)];
  const orders = [was.filter((name) => is.includes(name)), is.filter((name) => was.includes(name))];
  const isMoved = orders[0]!.some((name, at) => name !== orders[1]![at]);
  return isMoved ? [orders[0]!, orders[1]!] : null;
}

const toNames = (value: Json): readonly Json[] =>
  Array.isArray(value)
    ? (value as readonly Json[]).flatMap((item) =>
        isObject(item) && item["mountPath"] === undefined ? (item["name"] ?? []) : [],
      )
    : [];

function toEntries(value: Json): Map<string, Json> | null {
  if (isObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return null;
  const items = value as readonly Json[];
  const keys = items.map((item) =>
    isObject(item) ? (item["mountPath"] ?? item["name"]) : undefined,
  );
  if (
    items.length === 0 ||
    !keys.every((key) => typeof key === "string") ||
    new Set(keys).size !== keys.length
  )
    return null;
  return new Map(items.map((item, at) => [String(keys[at]), item]));
}

/** Paths whose texts are hashes. Some hashes read as numbers: `07e05976`. */
const HASHED: readonly string[] = ["source", "source_revision_config.repo_commit_sha"];
const toHash = (value: Json): string | null => (typeof value === "string" ? value : toShown(value));

/** Plain text of a value: strings unquoted, unless they would look like something else. */
function toShown(value: Json): string | null {
  if (value === null) return null;
  if (typeof value !== "string") return JSON.stringify(value);
  return /^(?:-?\d[\d.e+-]*|true|false|null|)$/i.test(value) ? JSON.stringify(value) : value;
}

/** `would get a new revision: 5 changes, 1 secret removed`; `isSeveral`: for several that read the same. */
export function planWords(one: DeploymentReport, isSeveral = false): string {
  const rows = toChangeRows(one.changes.filter((change) => change.path !== "revision"));
  const removed = rows.filter((row) => row.kind === "remove" && row.path.startsWith("secrets."));
  // The redeploy is one of the changes but not from the spec.
  const redeploys = rows.length > 0 && one.changes.some(({ path }) => path === "revision");
  const changes = [
    `${plural(rows.length, "change")}${redeploys ? " and a redeploy" : ""}`,
    ...(removed.length === 0 ? [] : [`${plural(removed.length, "secret")} removed`]),
  ].join(", ");
  switch (one.action) {
    case "none":
      return isSeveral ? "need no change" : "needs no change";
    case "blocked":
      return "cannot be deployed";
    case "create":
      return `would be created with ${plural(rows.length, "field")}`;
    case "attach":
      return `${isSeveral ? "have" : "has"} a revision under way and would wait for it`;
    case "redeploy":
      return `would be redeployed${rows.length === 0 ? "" : `: ${changes}`}`;
    default:
      return `would ${updateWords(one)}: ${changes}`;
  }
}

function updateWords({ plan, changes }: DeploymentReport): string {
  const revision =
    plan?.revision ??
    (changes.some((change) => change.effect === "new-revision") ? "makes" : "none");
  if (revision === "makes") return "get a new revision";
  if (revision === "none" && changes.some(({ effect }) => effect === "may make a revision"))
    return "be updated, which may make a revision";
  if (revision !== "waits") return "be updated in place, without a new revision";
  return changes.some(isMovedCommit)
    ? "get the revision that the push makes"
    : "be updated in place, and waits for the revision under way";
}

/** The same as a column next to the outcome: `5 changes, new revision`. */
export function planNotes(one: DeploymentReport): string {
  const count = toChangeRows(one.changes.filter(({ path }) => path !== "revision")).length;
  if (one.action === "none") return "";
  const done = one.outcome === "planned" ? "" : "d";
  if (one.action === "create") return `create${done} with ${plural(count, "field")}`;
  if (one.action === "attach") {
    if (one.outcome === "planned") return "waits for the revision under way";
    // A single look: it had already ended.
    const wasLive = one.outcome === "deployed" && one.timeline.length < 2;
    return wasLive ? "was live already" : "waited for the revision under way";
  }
  if (one.action === "redeploy")
    return `redeploy${done && "ed"}${count === 0 ? "" : `, ${plural(count, "change")}`}`;
  if (one.action === "blocked") return "blocked";
  const revision = one.plan?.revision === "none" ? "no new revision" : "new revision";
  return `${plural(count, "change")}, ${revision}`;
}

const ROLLBACKS: Readonly<Partial<Record<Outcome, string>>> = {
  failed: "failed",
  blocked: "was not possible",
  cancelled: "was cancelled",
  superseded: "gave way to a newer revision",
  "timed-out": "did not finish",
};

/** How a rollback ended: `rolled back`, or `the rollback failed`. */
export const rollbackEnd = (outcome: Outcome): string =>
  outcome === "deployed" ? "rolled back" : `the rollback ${ROLLBACKS[outcome] ?? outcome}`;

/** Words about one of several deployments, and how its rollback ended, if there was one. */
export function withRollback(words: string, { rollback }: DeploymentReport): string {
  if (rollback === undefined) return words;
  return `${words === "" ? "" : `${words}; `}${rollbackEnd(rollback.outcome)}`;
}

/** Whether a deployment ended well and stays: a failed gate leaves the outcome of what it rolls back. */
export const endsWell = ({ outcome, rollback }: DeploymentReport): boolean =>
  isGreen(outcome) && rollback === undefined;

/** Whether a reader interested only in changes must see this run. Before the plans are known, no. */
export function hasNews(report: Report): boolean {
  if (report.problems.length > 0 || isRed(report) || report.gate_verdict === "inconclusive")
    return (
      report.deployments.length === 0 ||
      report.deployments.some((one) => one.plan !== null || one.outcome !== "not-run")
    );
  return report.deployments.some(
    (one) => !["unchanged", "skipped", "not-run"].includes(one.outcome),
  );
}
