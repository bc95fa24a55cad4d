import type { Change } from "../plan/plan.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json } from "../spec/desired.ts";
import {
  isGreen,
  type DeploymentReport,
  type Outcome,
  type Report,
  type StatusTransition,
} from "./report.ts";

/** `begin`: the run goes on, and the report holds what is known so far. */
export type Stage = "begin" | "end";

/** The sign in front of a verdict; one per outcome, so that a column of them can be scanned. */
export const ICONS: Readonly<Record<Outcome, string>> = {
  cancelled: "⏹️",
  failed: "❌",
  blocked: "⛔",
  "timed-out": "⏱️",
  superseded: "⏭️",
  "not-run": "⏸️",
  deployed: "✅",
  started: "🚀",
  updated: "✅",
  planned: "📝",
  unchanged: "✅",
  skipped: "⚪",
};

// Maps, not objects: the service may well say `constructor`.
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CREATE_FAILED: "the revision could not be created",
    BUILD_FAILED: "the build failed",
    DEPLOY_FAILED: "the build is fine, but it did not come up",
    INTERRUPTED: "the revision was interrupted",
    SKIPPED: "the service skipped the revision",
    "plan-changed": "the plan is not the one that was expected",
    immutable: "a field cannot be changed",
    impossible: "a field cannot be changed",
    clear: "the service cannot clear a value",
    duplicates: "two deployments have this name",
    exists: "a deployment of this name exists already",
    "create-never": "it does not exist, and creating it is switched off",
    "no-lookup": "the service cannot look names up",
    "not-found": "it was not found",
    "older-commit": "an older commit would replace a newer one",
    "secrets-unreadable": "live secrets cannot be read, so not merged",
    "fail-fast": "another deployment failed first",
    service: "the service answered with an error",
    refused: "the service refused it",
    unknown: "it is not known what became of it",
    commit: "what is live is not the wanted commit",
    "no-revision": "no revision was made",
    untrusted: "the pull request is not trusted",
    "no-key": "there is no API key",
    timeout: "the time was up",
    gate: "a gate failed",
    verify: "the verify command failed",
    "no-report": "no report arrived",
  }),
);

/** Words for the machine reason of a red end; the reason itself where it has none. */
export function reasonWords(reason: string): string {
  return REASONS.get(reason) ?? reason;
}

/** A count with its noun: `1 change`, `3 changes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `40 s`, `6 m 12 s`, `1 h 3 m`; under a second `0 s`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

const PHASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CREATING: "queued",
    QUEUED: "queued",
    AWAITING_BUILD: "queued",
    BUILDING: "built",
    AWAITING_DEPLOY: "deployed",
    DEPLOYING: "deployed",
  }),
);
const ENDS = [
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
];

/** `queued 2 s · built 6 m 12 s · deployed 40 s`; a revision that did not end well, or not yet, says its last status. Empty where nothing was seen. */
export function timelineWords(transitions: readonly StatusTransition[]): string {
  const phases: { word: string; fromMs: number; toMs: number }[] = [];
  for (const [at, { status, atMs }] of transitions.entries()) {
    const until = transitions[at + 1]?.atMs;
    if (until === undefined || ENDS.includes(status)) continue;
    const word = PHASES.get(status) ?? status;
    const last = phases.at(-1);
    if (last?.word === word) last.toMs = until;
    else phases.push({ word, fromMs: atMs, toMs: until });
  }
  const words = phases.map(({ word, fromMs, toMs }) => `${word} ${durationWords(toMs - fromMs)}`);
  const last = transitions.at(-1)?.status;
  if (last === undefined || (last === "DEPLOYED" && words.length > 0)) return words.join(" · ");
  if (ENDS.includes(last)) return [...words, last].join(" · ");
  const open = phases.at(-1);
  if (open === undefined || open.word !== (PHASES.get(last) ?? last))
    return [...words, `still ${last}`].join(" · ");
  return [
    ...words.slice(0, -1),
    `still ${last} after ${durationWords(open.toMs - open.fromMs)}`,
  ].join(" · ");
}

const EFFECTS: Readonly<Record<Change["effect"], string>> = {
  "in-place": "in place",
  "next-build": "at the next build",
  "new-revision": "new revision",
  impossible: "cannot be changed",
};

/** What a change does, in a column; empty on a create, where every field is simply set. */
export function effectWords(effect: Change["effect"], action: DeploymentReport["action"]): string {
  return action === "create" && effect !== "impossible" ? "" : EFFECTS[effect];
}

/** One line of a plan: a leaf, its two sides as shown, and what kind of line it is. */
export interface ChangeRow {
  readonly path: string;
  readonly kind: "add" | "change" | "remove" | "impossible";
  /** Null: there was none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly effect: Change["effect"];
  /** A word instead of a value (`added`, `value unknown`): not to be set as code. */
  readonly word: boolean;
}

/** The changes down to their leaves: an object or a keyed list that differs becomes one row per leaf that differs. */
export function toChangeRows(changes: readonly Change[]): ChangeRow[] {
  return changes.flatMap((change) => {
    if (!change.sensitive) return leaves(change.path, change.before, change.after, change.effect);
    if (!isContainer(change.before) && !isContainer(change.after)) return [sensitiveRow(change)];
    // A container with a secret somewhere in it: the plan shows words in its place, which may be equal on both sides.
    const rows = leaves(change.path, change.before, change.after, change.effect);
    return rows.length === 0 ? [sensitiveRow(change)] : rows;
  });
}

const isContainer = (value: Json): boolean => typeof value === "object" && value !== null;

/** The plan's own words for values it does not show; never set as code. */
const WORDS = new Set([
  "set",
  "(set)",
  "(sensitive)",
  "(old value)",
  "(new value)",
  "value unknown",
  KNOWN_AT_APPLY,
]);

/** Whether a shown side is a word of the plan instead of a value. */
export function isWord(shown: string): boolean {
  return WORDS.has(shown);
}

function sensitiveRow({ path, before, after, effect }: Change): ChangeRow {
  const kind =
    effect === "impossible"
      ? "impossible"
      : before === null
        ? "add"
        : after === null
          ? "remove"
          : "change";
  const done = before === null ? "added" : after === null ? "removed" : "changed";
  const how =
    after === KNOWN_AT_APPLY
      ? `${done} ${KNOWN_AT_APPLY}`
      : before !== "value unknown"
        ? done
        : after === "value unknown"
          ? "value unknown"
          : "value unknown, sent anyway";
  return { path, kind, before: before === null ? null : "set", after: how, effect, word: true };
}

function leaves(path: string, before: Json, after: Json, effect: Change["effect"]): ChangeRow[] {
  const sides = [toEntries(before), toEntries(after)];
  const containers = sides.filter((side) => side !== null);
  const comparable =
    containers.length === 2 || (containers.length === 1 && (before === null || after === null));
  if (comparable && containers.some((side) => side!.size > 0)) {
    const keys = new Set(containers.flatMap((side) => [...side!.keys()]));
    return [...keys].flatMap((key) => {
      const [was, is] = [sides[0]?.get(key) ?? null, sides[1]?.get(key) ?? null];
      return JSON.stringify(was) === JSON.stringify(is)
        ? []
        : leaves(`${path}.${key}`, was, is, effect);
    });
  }
  const kind =
    effect === "impossible"
      ? "impossible"
      : before === null
        ? "add"
        : after === null
          ? "remove"
          : "change";
  return [{ path, kind, before: toShown(before), after: toShown(after), effect, word: false }];
}

function toEntries(value: Json): Map<string, Json> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value as { [key: string]: Json }));
  const items = value as readonly Json[];
  const keys = items.map((item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? ((item as { [key: string]: Json })["mountPath"] ??
        (item as { [key: string]: Json })["name"])
      : undefined,
  );
  if (
    items.length === 0 ||
    !keys.every((key) => typeof key === "string") ||
    new Set(keys).size !== keys.length
  )
    return null;
  return new Map(items.map((item, at) => [String(keys[at]), item]));
}

/** Plain text of a value: strings bare, unless they would read as something else. */
function toShown(value: Json): string | null {
  if (value === null) return null;
  if (typeof value !== "string") return JSON.stringify(value);
  return /^(?:-?\d[\d.e+-]*|true|false|null|)$/i.test(value) ? JSON.stringify(value) : value;
}

/** What a deployment's plan comes to: `3 changes, makes a new revision`. */
export function planWords(report: DeploymentReport): string {
  const count = toChangeRows(report.changes.filter((change) => change.path !== "revision")).length;
  const revision =
    report.plan?.revision ??
    (report.changes.some((change) => change.effect === "new-revision") ? "makes" : "none");
  if (report.action === "none") return "no changes";
  if (report.action === "blocked") return "blocked";
  if (report.action === "create") return `create, ${plural(count, "field")}`;
  if (report.action === "attach") return "wait for the revision that is under way";
  if (report.action === "redeploy")
    return count === 0 ? "redeploy" : `redeploy, ${plural(count, "change")}`;
  return `${plural(count, "change")}, ${revision === "makes" ? "makes a new revision" : revision === "waits" ? "waits for a revision" : "no new revision"}`;
}

/** Whether the step shows red: a red outcome, or a failed gate over a green one. */
export function isRed(report: Report): boolean {
  return !isGreen(report.outcome) || report.gate_verdict === "fail";
}
