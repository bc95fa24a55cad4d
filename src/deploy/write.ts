import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { ServiceError, type ControlPlane, type WriteResult } from "../service/control-plane.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { isDeleting } from "./identity.ts";
import { ENDING_MS, lookUntil, pausesOf } from "./look.ts";
import type { DeploymentEnd } from "./tracker.ts";

/** How a write ended, after a read has shown what the response did not. */
export type WriteEnd =
  | {
      readonly state: "taken";
      readonly deployment: LiveDeployment;
      /** Whether an answer was lost on the way to this one. */
      readonly lost: boolean;
    }
  /** Somebody else holds the name of a create, or another update is under way: read and plan again. */
  | { readonly state: "conflict"; readonly over: "name" | "update"; readonly error: Error }
  | { readonly state: "refused"; readonly error: Error }
  /** It is unknown whether it was taken; the message says what is unknown, `next` how to find out. */
  | { readonly state: "outcome-unknown"; readonly message: string; readonly next: string };

const MOST_TRIES = 5;
/** A write that timed out may still be under way: look this often, with these pauses, before it counts as not taken. */
export const LOOK_AFTER_MS = [500, 1_500, 4_000];
/** The same for a create: a list may lag, and a second create may become a duplicate. */
export const LOOK_FOR_CREATE_MS = [500, 1_500, 3_000, 5_000, 8_000, 12_000];
/**
 * Time kept of the limit, of a short one a share: a write without an answer is given up while a look
 * can still show whether it was taken.
 */
const KEPT_FOR_LOOKS = { mostMs: ENDING_MS, share: 0.25 };

/** The end of a run whose write was not taken, or may have been. */
export function endOfWrite(
  { signal }: Pick<DeployContext, "signal">,
  sent: Exclude<WriteEnd, { state: "taken" }>,
): DeploymentEnd {
  if (sent.state !== "outcome-unknown")
    return {
      outcome: "failed",
      reason: "refused",
      message: sent.error.message,
      error: sent.error,
    };
  const ended = signal.aborted
    ? ({ outcome: "cancelled", reason: "signal" } as const)
    : ({ outcome: "failed", reason: "unknown" } as const);
  return { ...ended, message: sent.message, next: [sent.next] };
}

type Seen =
  | { readonly state: "yes"; readonly value: LiveDeployment }
  | { readonly state: "no" }
  /** What is there is somebody else's. */
  | { readonly state: "other"; readonly id: string }
  | {
      readonly state: "unreadable";
      readonly error: Error;
      /** Whether a later look may show it. */
      readonly isLagging?: true;
    };

interface Writing {
  readonly what: string;
  readonly send: (controlPlane: ControlPlane) => Promise<WriteResult<LiveDeployment>>;
  readonly look: (controlPlane: ControlPlane) => Promise<Seen>;
  readonly howToFindOut: string;
  /** What a 409 is about; absent: another update. */
  readonly conflictsOver?: "name";
  /** Pauses before the looks after a lost answer. */
  readonly lookAfterMs: readonly number[];
  /** Time of the clock after which nothing is sent any more. */
  readonly deadlineMs: number;
}

/**
 * Sends a write, and reads after every answer that proves nothing; repeats it only once a read has
 * shown that it was not taken.
 */
export async function sendAndReconcile(
  context: DeployContext,
  writing: Writing,
): Promise<WriteEnd> {
  const { what, send, deadlineMs } = writing;
  let last: Error | null = null;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    context.signal.throwIfAborted();
    const left = Math.max(0, deadlineMs - context.clock.monotonic());
    const keptMs = Math.min(KEPT_FOR_LOOKS.mostMs, left * KEPT_FOR_LOOKS.share);
    const result = await send(boundedBy(context, deadlineMs - keptMs));
    if (result.state === "taken")
      return { state: "taken", deployment: result.reply, lost: last !== null };
    if (result.state === "refused") {
      // The time limit passed before another try: what the service said last is the reason.
      if (result.status === 0 && last !== null) return toUntaken(what, attempt - 1, last);
      if (result.status !== 409) return { state: "refused", error: result.error };
      if (last === null)
        return { state: "conflict", over: writing.conflictsOver ?? "update", error: result.error };
      // A try that was lost before may be what it is in conflict with.
      return (
        (await reconcile(context, writing, result.error)) ??
        toUnknown(writing, result.error, "the service says that it exists, but does not show it")
      );
    }
    last = result.error;
    if (!context.signal.aborted)
      context.progress(
        `${what}: no clear answer to try ${attempt} of ${MOST_TRIES} (${last.message}): reading what is there`,
      );
    const end = await reconcile(context, writing, last);
    if (end !== null) return end;
    if (context.clock.monotonic() >= deadlineMs) return toUntaken(what, attempt, last);
  }
  return toUntaken(what, MOST_TRIES, last ?? new Error(what));
}

/** What is known of a write without a response. */
const NOT_TAKEN = "a read showed that the service had not taken it";

function toUntaken(what: string, tries: number, last: Error): WriteEnd {
  const message =
    tries === 1
      ? `${what}: tried once, and ${NOT_TAKEN}. Its answer: ${last.message}`
      : `${what}: tried ${tries} times, and each time ${NOT_TAKEN}. Last answer: ${last.message}`;
  return {
    state: "refused",
    error: new ServiceError(message, { untakenTries: tries, cause: last }),
  };
}

function toUnknown({ what, howToFindOut }: Writing, last: Error, why: string): WriteEnd {
  return {
    state: "outcome-unknown",
    message: `${what}: it is unknown whether the service took it (${last.message}), and ${why}`,
    next: howToFindOut,
  };
}

/** What reading says of a write that got no clear answer; null where it shows that the write was not taken. */
async function reconcile(
  context: DeployContext,
  writing: Writing,
  last: Error,
): Promise<WriteEnd | null> {
  const seen = await lookRepeatedly(context, writing);
  switch (seen.state) {
    case "no":
      return null;
    case "yes":
      return { state: "taken", deployment: seen.value, lost: true };
    case "other":
      return {
        state: "conflict",
        over: "name",
        error: new Error(
          `${writing.what}: deployment ${seen.id}, which is somebody else's, has the name now`,
        ),
      };
    case "unreadable":
      return toUnknown(writing, last, `it cannot be read: ${seen.error.message}`);
    case "cancelled":
      return toUnknown(writing, last, "the run was cancelled before it could be read");
    case "too-early":
      return toUnknown(writing, last, "the time limit passed before it could be determined");
  }
}

type Reconciled =
  | Seen
  | { readonly state: "cancelled" }
  /** None was seen so far, and the time limit ended the looking. */
  | { readonly state: "too-early" };

async function lookRepeatedly(context: DeployContext, writing: Writing): Promise<Reconciled> {
  const { signal } = context;
  const { lookAfterMs, deadlineMs } = writing;
  const isEnd = (seen: Seen): boolean => seen.state !== "no" && !("isLagging" in seen);
  try {
    const { seen, isLate } = await lookUntil<Seen>(context, {
      known: { state: "no" },
      look: async () =>
        writing.look(boundedBy(context, deadlineMs)).catch((error: Error) => {
          signal.throwIfAborted();
          return { state: "unreadable", error };
        }),
      isEnd,
      schedule: pausesOf(lookAfterMs),
      deadlineMs,
    });
    return isLate && !isEnd(seen) ? { state: "too-early" } : seen;
  } catch (error) {
    if (!signal.aborted) throw error;
    return { state: "cancelled" };
  }
}

/** A look at the deployment itself: whether it shows that the write was taken. */
export function lookAt(
  { id }: LiveDeployment,
  isTaken: (live: LiveDeployment, service: ControlPlane) => Promise<boolean>,
): Writing["look"] {
  return async (service) => {
    const live = await service.getDeployment(id);
    if (live === null)
      return {
        state: "unreadable",
        error: new Error(`deployment ${id} is not found any more`),
      };
    return (await isTaken(live, service)) ? { state: "yes", value: live } : { state: "no" };
  };
}

/**
 * Redeploys a revision; a lost answer is reconciled by reading whether a new revision appeared, or
 * this one or its deployment moved.
 */
export function writeRedeploy(
  context: DeployContext,
  name: string,
  before: LiveDeployment,
  revision: LiveRevision | null,
  revisionId: string,
  deadlineMs: number,
): Promise<WriteEnd> {
  let touchedAt: string | null = null;
  return sendAndReconcile(context, {
    what: `redeploy of ${name}`,
    lookAfterMs: LOOK_AFTER_MS,
    deadlineMs,
    send: (controlPlane) => controlPlane.redeploy(before.id, revisionId),
    look: lookAt(before, async (live, service) => {
      // The revision may keep showing its old status for a while; a deployment that was touched
      // once, and not at every read, was redeployed.
      const isTouched = live.updated_at !== before.updated_at && live.updated_at === touchedAt;
      if (live.latest_revision_id !== before.latest_revision_id || isTouched) return true;
      touchedAt = live.updated_at;
      const now = await service.getRevision(before.id, revisionId);
      return (
        now !== null &&
        revision !== null &&
        (now.status !== revision.status || now.updated_at !== revision.updated_at)
      );
    }),
    howToFindOut: `Run agent-deploy wait --deployment-id ${before.id} to see its latest revision`,
  });
}

/** Deletes a deployment; a lost answer is reconciled by reading whether it is gone or going. */
export function writeDelete(
  context: DeployContext,
  live: LiveDeployment,
  deleteTracingProject: boolean,
  deadlineMs: number,
): Promise<WriteEnd> {
  return sendAndReconcile(context, {
    what: `delete of ${live.name}`,
    lookAfterMs: LOOK_AFTER_MS,
    deadlineMs,
    send: async (controlPlane) => {
      const result = await controlPlane.deleteDeployment(live.id, { deleteTracingProject });
      return result.state === "taken" ? { state: "taken", reply: live } : result;
    },
    look: async (controlPlane) => {
      const now = await controlPlane.getDeployment(live.id);
      return now === null || isDeleting(now)
        ? { state: "yes", value: now ?? live }
        : { state: "no" };
    },
    howToFindOut: "Run destroy again: it reads what is there and deletes only that",
  });
}
