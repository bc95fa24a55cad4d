import type { Effect } from "../model/field-shape.ts";
import type { Dialect } from "../model/dialect.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Spelled } from "../model/entry-point.ts";
import type { Json, JsonObject } from "../model/json.ts";

/** One difference between the spec and the live deployment. */
export interface Change {
  /** Dotted, in the user's dialect; items of keyed lists by their key (`secrets.DB_URL`, `…sidecars.proxy.image`). */
  readonly path: string;
  /** Null if there was none. For a sensitive change a word (`set`, `value unknown`), never the value. */
  readonly before: Json;
  readonly after: Json;
  /** `may make a revision`: for a field that the table does not know. */
  readonly effect: Effect | "impossible" | "may make a revision";
  readonly sensitive: boolean;
}

/** A change that may be shown as it is. */
export const toChange = (
  path: string,
  before: Json,
  after: Json,
  effect: Change["effect"],
): Change => ({ path, before, after, effect, sensitive: false });

/**
 * What the run does: `attach` waits for a revision in progress and writes nothing; `redeploy`
 * redeploys the latest revision, because it failed, is not active, or `force` is set.
 */
export type Action = "create" | "update" | "attach" | "redeploy" | "none" | "blocked";

/** What one check adds to a plan; absent fields add nothing. */
export interface PlanPart {
  readonly changes?: readonly Change[];
  readonly blockers?: readonly Obstacle[];
  readonly notes?: readonly string[];
  readonly warnings?: readonly string[];
}

/** Combines what several checks add, in order. */
export function gather(verdicts: readonly PlanPart[]): Required<PlanPart> {
  return {
    changes: verdicts.flatMap(({ changes = [] }) => changes),
    blockers: verdicts.flatMap(({ blockers = [] }) => blockers),
    notes: verdicts.flatMap(({ notes = [] }) => notes),
    warnings: verdicts.flatMap(({ warnings = [] }) => warnings),
  };
}

/** Why a plan or a run stopped before writing; `code` is for machines, the message says what to do next. */
export interface Blocker {
  readonly code: string;
  readonly message: string;
  /** Dotted path in the user's dialect, if the reason is a single field. */
  readonly path?: string;
}

/** A blocker whose message may name inputs; a fingerprint is the same however they are spelled. */
export interface Obstacle extends Omit<Blocker, "message"> {
  readonly message: string | Spelled;
}

/** How a plan shows one secret, without its value; `value unknown`: compared by name, since the service hides it. */
export interface SecretMark {
  readonly name: string;
  readonly mark: "added" | "changed" | "removed" | "same" | "value unknown" | typeof KNOWN_AT_APPLY;
}

/** What a run would do with one deployment. Safe to print: it contains no sensitive value. */
export interface DeploymentPlan {
  readonly name: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly id: string | null;
  readonly action: Action;
  readonly changes: readonly Change[];
  readonly blockers: readonly Blocker[];
  /** Whether applying makes a revision or waits for one. */
  readonly revision: "makes" | "waits" | "none";
  /** Live leaves, dotted, that writing a whole value drops because the spec does not name them. */
  readonly dropped: readonly string[];
  /** Fields that were not compared: the reply does not contain them, or the registry did not answer. */
  readonly unreadable: readonly string[];
  /** Live values, dotted, that the spec does not name and that stay unchanged. */
  readonly unmanaged: readonly string[];
  /** Every secret of the spec and of the live set, by name. */
  readonly secrets: readonly SecretMark[];
  /** Other sensitive values, dotted, that only apply knows. */
  readonly at_apply?: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** The commit is part of the wanted state, and could not be compared with the live one. */
  readonly commit_unchecked?: true;
  /** 64 hex digits; half of them cover what the plan shows, half the wanted state (fingerprint.ts). */
  readonly fingerprint: string;
}

/**
 * One step of an apply, in order and in canonical dialect. Holds secret values: never print it. The
 * run waits for the revision of the last step that has one.
 */
export type Step =
  /** `builds` false: it builds nothing, and a PATCH follows. */
  | { readonly kind: "create"; readonly body: JsonObject; readonly builds?: false }
  /** Wait for the revision that the service builds from a push of `commit` (build_on_push). */
  | { readonly kind: "await-push"; readonly commit: string }
  | {
      readonly kind: "patch";
      readonly body: JsonObject;
      readonly makesRevision: boolean;
      /** It contains fields that the table does not know: if a revision follows, wait for it. */
      readonly mayMakeRevision?: true;
      /** The checkout's archive is uploaded first, and the PATCH carries its path. */
      readonly upload?: SourceUpload;
    }
  | { readonly kind: "redeploy"; readonly revisionId: string }
  /** Wait for a revision in progress; null if the service has not named it yet. */
  | { readonly kind: "attach"; readonly revisionId: string | null };

/** Whether a step writes, rather than waits for what others have begun. */
export const isWrite = ({ kind }: Step): boolean => kind !== "attach" && kind !== "await-push";

/**
 * The plan that people see and the steps that carry it out; `steps` is empty if and only if there
 * is nothing to do or the plan is blocked.
 */
export interface Planned {
  readonly plan: DeploymentPlan;
  readonly steps: readonly Step[];
}

/** What is sent together with an archive. */
export interface SourceUpload {
  /** SHA-256 by which the next run recognises it. */
  readonly hash: string;
  /** Path of the configuration file within the archive. */
  readonly configPath: string;
  /** All environment values, except the one that records the hash. */
  readonly secrets: readonly Json[];
}

/** Words that limit the claim that live matches the spec; empty if nothing limits it. */
export function comparisonCaveat(plan: Omit<Compared, "commit_unchecked">): string {
  if (plan.unreadable.length > 0 || plan.secrets.some(({ mark }) => mark === "value unknown"))
    return ", as far as the service shows it";
  return hasUnknown(plan) ? ", as far as it is known before apply" : "";
}

/** The sentence for a plan without work; values that the service does not show were not compared. */
export function nothingToDo(plan: Compared): string {
  if (plan.commit_unchecked === true)
    return `nothing to do for the settings of the spec${comparisonCaveat(plan)}; the commit was not checked`;
  return `nothing to do: live is what the spec says${comparisonCaveat(plan)}`;
}

type Compared = Pick<DeploymentPlan, "unreadable" | "secrets" | "at_apply" | "commit_unchecked">;

/** Whether carrying out the plan may find work that the plan did not: a secret whose value only that run knows. */
export function hasUnknown({
  secrets,
  at_apply: others = [],
}: Pick<DeploymentPlan, "secrets" | "at_apply">): boolean {
  return others.length > 0 || secrets.some(({ mark }) => mark === KNOWN_AT_APPLY);
}

/** Whether a newer run has deployed the same deployment, whose image must not be replaced. */
export type NewerRun =
  | { readonly state: "none" }
  | { readonly state: "newer"; readonly run: string; readonly attempt: number }
  | { readonly state: "unreadable"; readonly why: string };

/** Whether a change is that the commit moved: nobody made it by hand. */
export const isMovedCommit = ({ path }: Change): boolean => /(^|\.)repo_commit_sha$/u.test(path);
