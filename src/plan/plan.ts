import type { Effect, SourceKind } from "../model/field-shape.ts";
import type { Dialect } from "../model/dialect.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { Json, JsonObject } from "../model/json.ts";

/** One difference between the spec and the live deployment. */
export interface Change {
  /** Dotted, in the user's dialect; items of keyed lists by their key (`secrets.DB_URL`, `…sidecars.proxy.image`). */
  readonly path: string;
  /** Null where there was none. For a sensitive change a word (`set`, `value unknown`), never the value. */
  readonly before: Json;
  readonly after: Json;
  /** `may make a revision`: of a field that no table knows. */
  readonly effect: Effect | "impossible" | "may make a revision";
  readonly sensitive: boolean;
}

/**
 * What closes the gap: `attach` waits for a revision that is under way and writes nothing,
 * `redeploy` is for a latest revision that ended badly.
 */
export type Action = "create" | "update" | "attach" | "redeploy" | "none" | "blocked";

/** What one look adds to a plan; what is absent adds nothing. */
export interface PlanPart {
  readonly changes?: readonly Change[];
  readonly blockers?: readonly Blocker[];
  readonly notes?: readonly string[];
  readonly warnings?: readonly string[];
}

/** All that several looks add, in their order. */
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
  /** Dotted path in the user's dialect, where one field is the reason. */
  readonly path?: string;
}

/**
 * The mark of one secret in a plan, without its value; `value unknown`: compared by name, since the
 * service hides it.
 */
export interface SecretMark {
  readonly name: string;
  readonly mark: "added" | "changed" | "removed" | "same" | "value unknown" | typeof KNOWN_AT_APPLY;
}

/** What a run would do to one deployment. Safe to print: it holds no sensitive value. */
export interface DeploymentPlan {
  readonly name: string;
  readonly source: SourceKind;
  readonly dialect: Dialect;
  readonly id: string | null;
  readonly action: Action;
  readonly changes: readonly Change[];
  readonly blockers: readonly Blocker[];
  /** Whether applying makes, or waits for, a revision. */
  readonly revision: "makes" | "waits" | "none";
  /** Live leaves, dotted, that a whole-value write drops because the spec does not name them. */
  readonly dropped: readonly string[];
  /** Fields that the reply does not carry, and that were therefore not compared. */
  readonly unreadable: readonly string[];
  /** Live values that the spec does not name and that stay as they are, dotted. */
  readonly unmanaged: readonly string[];
  /** Every secret of the spec and of the live set, by name. */
  readonly secrets: readonly SecretMark[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** The commit is part of what is wanted, and nobody could hold it against the live one. */
  readonly commit_unchecked?: true;
  /** 64 hex digits: half of them bind what the plan shows, half the wanted state (fingerprint.ts). */
  readonly fingerprint: string;
}

/**
 * One thing apply does, in order; canonical dialect. Holds secret values: never printed.
 * The revision of the last step that has one is the revision that the run waits for.
 */
export type Step =
  /** `builds` false: nothing is built by it, and a PATCH follows. */
  | { readonly kind: "create"; readonly body: JsonObject; readonly builds?: false }
  /** Wait for the revision that a push of `commit` makes by itself (build_on_push). */
  | { readonly kind: "await-push"; readonly commit: string }
  | {
      readonly kind: "patch";
      readonly body: JsonObject;
      readonly makesRevision: boolean;
      /** It holds fields that no table knows: a revision that follows is waited for. */
      readonly mayMakeRevision?: true;
      /** The archive of the checkout is uploaded first, and the PATCH carries its path. */
      readonly upload?: SourceUpload;
    }
  | { readonly kind: "redeploy"; readonly revisionId: string }
  /** Wait for a revision that is under way; null where the service has not named it yet. */
  | { readonly kind: "attach"; readonly revisionId: string | null };

/**
 * The plan as people see it, and the steps that carry it out; `steps` is empty exactly when there
 * is nothing to do or the plan is blocked.
 */
export interface Planned {
  readonly plan: DeploymentPlan;
  readonly steps: readonly Step[];
}

/** What goes with an archive. */
export interface SourceUpload {
  /** SHA-256 by which the next run knows it again. */
  readonly hash: string;
  /** The configuration file, relative to the archive. */
  readonly configPath: string;
  /** The whole list of environment values, without the one that remembers the hash. */
  readonly secrets: readonly Json[];
}

/** What limits the word that live is what the spec says; empty where nothing does. */
export function limitOfWord({ unreadable, secrets }: Omit<Compared, "commit_unchecked">): string {
  if (unreadable.length > 0 || secrets.some(({ mark }) => mark === "value unknown"))
    return ", as far as the service shows it";
  return hasUnknown({ secrets }) ? ", as far as it is known before apply" : "";
}

/** The sentence of a plan without work; what the service does not show was not compared. */
export function nothingToDo(plan: Compared): string {
  if (plan.commit_unchecked === true)
    return `nothing to do for the settings of the spec${limitOfWord(plan)}; the commit was not checked`;
  return `nothing to do: live is what the spec says${limitOfWord(plan)}`;
}

type Compared = Pick<DeploymentPlan, "unreadable" | "secrets" | "commit_unchecked">;

/**
 * Whether the run that carries the plan out may find work where the plan found none: a secret whose
 * value only that run knows.
 */
export function hasUnknown({ secrets }: Pick<DeploymentPlan, "secrets">): boolean {
  return secrets.some(({ mark }) => mark === KNOWN_AT_APPLY);
}

/** Whether a run newer than this one has deployed the same deployment: its image is not to be set back. */
export type NewerRun =
  | { readonly state: "none" }
  | { readonly state: "newer"; readonly run: string; readonly attempt: number }
  | { readonly state: "unreadable"; readonly why: string };

/** Whether a change is that the commit moved: nobody made it by hand. */
export const isMovedCommit = ({ path }: Change): boolean => /(^|\.)repo_commit_sha$/u.test(path);
