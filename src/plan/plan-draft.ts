import { groupBy } from "../model/group-by.ts";
import { toMessage, type EntryPoint } from "../model/entry-point.ts";
import { listSome } from "../model/count-words.ts";
import { spellKey, spellPath } from "../model/dialect.ts";
import type { Desired } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import type { ChangedUnit, DocumentComparison } from "./gathered-changes.ts";
import type { CommitCheck } from "./commit.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Found } from "./found.ts";
import {
  type Action,
  type Obstacle,
  type DeploymentPlan,
  gather,
  isWrite,
  type NewerRun,
  type Planned,
  type SecretMark,
  type Step,
  type PlanPart,
} from "./plan.ts";
import { isSentUnread } from "./patch.ts";
import { toEntries } from "./secrets.ts";
import { withReferences } from "./references.ts";
import { ENVIRONMENT, isMerged, patchUnits } from "./units.ts";
import { toShown, valueAt } from "./value.ts";

/** The integrations or listeners that a create can choose from if the spec names none. */
export interface Choices {
  /** Null if none is needed, or the service has no such lookup. */
  readonly items: readonly { readonly id: string; readonly name: string }[] | null;
  /** Why they could not be read: the create may need one of them. */
  readonly unread?: string;
}

/** Everything that a plan depends on: both states, what was read about commits and lookups, and the user's choices. */
export interface PlanRequest {
  readonly desired: Desired;
  readonly found: Found;
  readonly commit: CommitCheck;
  /** Only read if the image changes. */
  readonly newerRun?: NewerRun;
  /** Only read for a create. */
  readonly choices: Choices;
  readonly policy: {
    /** How messages spell an input; absent: as the Action does. */
    readonly entryPoint?: EntryPoint;
    readonly create: "auto" | "never" | "always";
    readonly force: boolean;
    readonly secretsUnknown: "keep" | "send";
    /** The service and tenant that the plan is for; part of the fingerprint. */
    readonly service: string;
    readonly tenant: string;
    /** `false`: nothing is verified. */
    readonly wait: boolean;
    /** The flags or inputs, which override `deploy:`; null and empty: not given. */
    readonly verify: string | null;
    readonly onFailure: "none" | "rollback" | null;
  };
}

interface Draft extends Required<PlanPart> {
  readonly id: string | null;
  readonly steps: readonly Step[];
  /** Absent: nothing is live to compare with. */
  readonly comparison?: DocumentComparison;
  readonly secrets?: readonly SecretMark[];
  readonly commitUnchecked?: boolean;
  /**
   * The same without the commit and without knowing which run is newer, since the fingerprint
   * ignores both; absent: no difference.
   */
  readonly aside?: Pick<Draft, "steps" | "changes" | "blockers">;
}

/** Turns a draft into the plan that people see, with its fingerprint. */
export function finish(request: PlanRequest, draft: Draft): Planned {
  const { desired } = request;
  const spelled = (path: string): string => spellPath(path, desired.dialect);
  const {
    dropped = [],
    unreadable = [],
    unmanaged = [],
    atApply = [],
    extra,
  } = draft.comparison ?? {};
  const steps = draft.blockers.length > 0 ? [] : draft.steps;
  const plan: DeploymentPlan = {
    name: desired.name,
    source: desired.source,
    dialect: desired.dialect,
    id: draft.id,
    action: toAction(draft),
    changes: draft.changes.map((change) => ({ ...change, path: spelled(change.path) })),
    blockers: byWeight(draft.blockers).map((blocker) => ({
      ...blocker,
      message: spellWords(toMessage(blocker.message, request.policy.entryPoint), desired),
      ...(blocker.path === undefined ? {} : { path: spelled(blocker.path) }),
    })),
    revision: forecast(steps),
    dropped: dropped.map(spelled),
    unreadable: [...unreadable.map(({ field }) => spelled(field.path)), ...(extra?.unread ?? [])],
    unmanaged: unmanaged.map(spelled),
    secrets: draft.secrets ?? [],
    ...(atApply.length === 0 ? {} : { at_apply: atApply }),
    notes: [...draft.notes, ...toUnmanagedNote(unmanaged, spelled)],
    warnings: [...draft.warnings, ...toUnreadableWarning(unreadable, desired, spelled)],
    ...(draft.commitUnchecked === true ? { commit_unchecked: true } : {}),
    fingerprint: toFingerprint(request, draft),
  };
  return { plan, steps };
}

/**
 * The blockers that make others irrelevant, heaviest first: another deployment is meant, this run
 * is outdated, or only a new deployment would do. Those that one line of the spec can fix come
 * after them.
 */
const HEAVIEST: readonly string[] = [
  "exists",
  "older-commit",
  "older-run",
  "immutable",
  "source-change",
];

/** The first blocker provides the headline and the code of the outcome. */
const byWeight = (blockers: readonly Obstacle[]): Obstacle[] => [
  ...HEAVIEST.flatMap((code) => blockers.filter((blocker) => blocker.code === code)),
  ...blockers.filter(({ code }) => !HEAVIEST.includes(code)),
];

/** One warning names everything that was not compared, with what happens to it. */
function toUnreadableWarning(
  unreadable: readonly ChangedUnit[],
  { deploy }: Desired,
  spelled: (path: string) => string,
): string[] {
  if (unreadable.length === 0) return [];
  const groups = groupBy(unreadable, (unit) => fateOf(unit, isMerged(unit.field, deploy)));
  const parts = [...groups].map(
    ([fate, units]) =>
      `${units.map(({ field }) => spelled(field.path)).join(", ")}: not compared, and ${fate}`,
  );
  return [`the service does not show ${parts.join("; ")}`];
}

function fateOf(unit: ChangedUnit, merges: boolean): string {
  const { mutability, meta } = unit.field;
  if (mutability === "create-only") return "cannot change after creation";
  if (!isSentUnread(unit)) return "not sent: the spec clears it, which the service cannot do";
  const update =
    meta.effect === "new-revision" ? "an update that makes a revision" : "another update";
  const lost = merges ? ", as written: live values that the spec does not name are lost" : "";
  return `sent only along with ${update}${lost}`;
}

/** Fields that are fixed after creation need no note. */
const FIXED: ReadonlySet<string> = new Set(
  patchUnits()
    .filter((field) => field.mutability === "create-only")
    .map((field) => field.path),
);

/** The most names in one note. */
const MAX_UNMANAGED = 12;

function toUnmanagedNote(
  unmanaged: readonly string[],
  spelled: (path: string) => string,
): string[] {
  const names = unmanaged.filter((path) => !FIXED.has(path)).map(spelled);
  if (names.length === 0) return [];
  return [`live but not in the spec, so left as it is: ${listSome(names, String, MAX_UNMANAGED)}`];
}

/**
 * What a fingerprint covers: all that the plan shows except commits and unreadable fields, and the
 * settings it is carried out with.
 */
function toFingerprint({ desired, policy }: PlanRequest, draft: Draft): string {
  const shownDraft = draft.aside ?? draft;
  const { changes, blockers } = shownDraft;
  const block = toShownBlock(desired);
  const { id = null, secrets, resource_spec, paths, verify_env, extra } = block;
  const { name = null, values = {} } = desired.target ?? {};
  const where = {
    service: policy.service,
    tenant: policy.tenant,
    target: { ...values, name },
    name: desired.name,
  };
  const deploy = {
    id,
    ...toAftermath(block, policy),
    secrets,
    resource_spec,
    paths,
    ...(verify_env === undefined ? {} : { verify_env }),
    ...(extra === undefined ? {} : { extra }),
    ...(desired.archive === undefined ? {} : { source: desired.archive.hash }),
  };
  const shown: Json = {
    ...where,
    dialect: desired.dialect,
    id: draft.id,
    action: toAction(shownDraft),
    changes: byPath(changes).map(({ path, before, after, effect }) => {
      return { path, before, after, effect };
    }),
    blockers: blockers.map(({ code, path = null, message }) => {
      return { code, path, message: toMessage(message) };
    }),
    secrets: [...(draft.secrets ?? [])].sort(byName).map(({ name, mark }) => ({ name, mark })),
    dropped: [...(draft.comparison?.dropped ?? [])].sort(),
    unmanaged: [...(draft.comparison?.unmanaged ?? [])].sort(),
    // These are sent along, so another value makes another body.
    kept: byPath(draft.comparison?.kept ?? []).map(({ path, before: value }) => ({ path, value })),
    force: policy.force,
    deploy,
  };
  return fingerprintOf(shown, {
    ...where,
    source: desired.source,
    wanted: toDesiredCanonical(desired),
    deploy,
  });
}

const toShownBlock = ({ deploy, shown }: Desired): Desired["deploy"] =>
  withReferences(deploy as unknown as Json, {
    path: "deploy",
    shown,
  }) as unknown as Desired["deploy"];

/**
 * What happens after the writes: a flag or input overrides `deploy:`, and a run that does not wait
 * verifies nothing.
 */
function toAftermath(
  deploy: Desired["deploy"],
  { wait, verify, onFailure }: PlanRequest["policy"],
) {
  const given = onFailure ?? deploy.on_failure ?? null;
  return {
    verify: wait ? verify || (deploy.verify ?? null) : null,
    // A default written out is still the default.
    on_failure: given === "none" && deploy.on_failure === undefined ? null : given,
  };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

const byPath = <T extends { readonly path: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (a.path < b.path ? -1 : 1));

/** Spells field names in a sentence as the user does. */
function spellWords(message: string, desired: Desired): string {
  return message.replace(/\b(?:langgraph_config_path|graph_config_path)\b/g, (word) =>
    spellKey(word, desired.dialect),
  );
}

function forecast(steps: readonly Step[]): DeploymentPlan["revision"] {
  const makes = (step: Step): boolean =>
    isWrite(step) && (step.kind !== "patch" || step.makesRevision);
  if (steps.some(makes)) return "makes";
  return steps.every(isWrite) ? "none" : "waits";
}

/** A plan that must not be carried out, with the reason. */
export function blocked(request: PlanRequest, id: string | null, blocker: Obstacle): Planned {
  return finish(request, {
    ...gather([{ blockers: [blocker] }]),
    id,
    steps: [],
  });
}

/** Only the spec, for the fingerprint: secrets by name, nothing sensitive. */
function toDesiredCanonical(desired: Desired): Json {
  const out: Record<string, Json> = {};
  for (const field of patchUnits()) {
    const value = valueAt(desired.body, field.path);
    if (value === undefined) continue;
    out[field.path] =
      field === ENVIRONMENT
        ? toEntries(value)
            .map((entry) => entry.name)
            .sort()
        : toShown(field, withReferences(value, { path: field.path, shown: desired.shown }));
  }
  return out;
}

function toAction({ steps, blockers }: Pick<Draft, "steps" | "blockers">): Action {
  if (blockers.length > 0) return "blocked";
  const [first] = steps;
  if (first === undefined) return "none";
  if (first.kind === "create") return "create";
  const isOne = steps.every(({ kind }) => kind === first.kind);
  return isOne && (first.kind === "attach" || first.kind === "redeploy") ? first.kind : "update";
}
