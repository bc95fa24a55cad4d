import type { LiveDeployment } from "../model/live.ts";
import { ServiceError, type ControlPlane, type WriteResult } from "../service/control-plane.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { ENDING_MS, lookUntil, pausesOf } from "./look.ts";
import { track, type DeploymentEnd, type Tracker } from "./tracker.ts";

/** How a write ended, after reading what the response did not show. */
export type WriteEnd =
  | {
      readonly state: "taken";
      readonly deployment: LiveDeployment;
      /** Whether an earlier response was lost. */
      readonly lost: boolean;
    }
  | NotTaken;

/** A write that was not accepted, or may have been. */
export type NotTaken =
  /** The name of a create is taken, or another update is in progress: read and plan again. */
  | { readonly state: "conflict"; readonly over: "name" | "update"; readonly error: Error }
  | { readonly state: "ended"; readonly end: DeploymentEnd };

const MAX_TRIES = 5;
/** A write that timed out may still be in progress: pauses between looks before it counts as not accepted. */
export const LOOK_AFTER_MS = [500, 1_500, 4_000];
/** The same for a create: a list may lag, and repeating it may make a duplicate. */
export const LOOK_FOR_CREATE_MS = [500, 1_500, 3_000, 5_000, 8_000, 12_000];
/**
 * Time kept from the limit (a share of a short one), so that looks can still show whether a write
 * without a response was accepted.
 */
const KEPT_FOR_LOOKS = { mostMs: ENDING_MS, share: 0.25 };

const refused = (error: Error): DeploymentEnd => ({
  outcome: "failed",
  reason: "refused",
  message: error.message,
  error,
});

/** The end of a run that does not plan again after a conflict. */
export function endOfWrite(sent: NotTaken): DeploymentEnd {
  return sent.state === "ended" ? sent.end : refused(sent.error);
}

type Seen =
  | { readonly state: "yes"; readonly value: LiveDeployment }
  | { readonly state: "no" }
  /** What exists is somebody else's. */
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
  /** What to do if it stays unknown whether the write was accepted. */
  readonly howToFindOut: readonly string[];
  /** What a 409 is about; absent: another update. */
  readonly conflictsOver?: "name";
  /** Pauses before the looks after a lost response. */
  readonly lookAfterMs: readonly number[];
  /** Clock time after which nothing is sent. */
  readonly deadlineMs: number;
}

/**
 * Sends a write and records whether it was, or may have been, accepted: the report then never says
 * that nothing was written.
 */
export async function sendAndReconcile(
  context: DeployContext,
  tracker: Tracker,
  writing: Writing,
): Promise<WriteEnd> {
  const sent = await reconciled(context, writing);
  const isUnknown = sent.state === "ended" && sent.end.reason !== "refused";
  if (sent.state === "taken") track(tracker, sent.deployment);
  tracker.changed ||= sent.state === "taken" || isUnknown;
  return sent;
}

/**
 * Reads after every response that proves nothing, and repeats the write only after a read has
 * shown that it was not accepted.
 */
async function reconciled(context: DeployContext, writing: Writing): Promise<WriteEnd> {
  const { what, send, deadlineMs } = writing;
  let last: Error | null = null;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    context.signal.throwIfAborted();
    const left = Math.max(0, deadlineMs - context.clock.monotonic());
    const keptMs = Math.min(KEPT_FOR_LOOKS.mostMs, left * KEPT_FOR_LOOKS.share);
    const result = await send(boundedBy(context, deadlineMs - keptMs));
    if (result.state === "taken")
      return { state: "taken", deployment: result.reply, lost: last !== null };
    if (result.state === "refused") {
      // The time limit passed before another try: the service's last response is the reason.
      if (result.status === 0 && last !== null) return toNotAccepted(what, attempt - 1, last);
      if (result.status !== 409) return { state: "ended", end: refused(result.error) };
      if (last === null)
        return { state: "conflict", over: writing.conflictsOver ?? "update", error: result.error };
      // The conflict may be with an earlier try whose response was lost.
      return (
        (await reconcile(context, writing, result.error)) ??
        toUnknown(
          context,
          writing,
          result.error,
          "the service says that it exists, but does not show it",
        )
      );
    }
    last = result.error;
    if (!context.signal.aborted)
      context.progress(
        `${what}: no clear answer to try ${attempt} of ${MAX_TRIES} (${last.message}): reading what is there`,
      );
    const end = await reconcile(context, writing, last);
    if (end !== null) return end;
    if (context.clock.monotonic() >= deadlineMs) return toNotAccepted(what, attempt, last);
  }
  return toNotAccepted(what, MAX_TRIES, last ?? new Error(what));
}

/** What is known about a write without a response. */
const NOT_TAKEN = "a read showed that the service had not taken it";

function toNotAccepted(what: string, tries: number, last: Error): WriteEnd {
  const message =
    tries === 1
      ? `${what}: tried once, and ${NOT_TAKEN}. Its answer: ${last.message}`
      : `${what}: tried ${tries} times, and each time ${NOT_TAKEN}. Last answer: ${last.message}`;
  const error = new ServiceError(message, { untakenTries: tries, cause: last });
  return { state: "ended", end: refused(error) };
}

function toUnknown(
  { signal }: DeployContext,
  { what, howToFindOut }: Writing,
  last: Error,
  why: string,
): WriteEnd {
  const message = `${what}: it is unknown whether the service took it (${last.message}), and ${why}`;
  const end = { message, next: howToFindOut };
  return {
    state: "ended",
    end: signal.aborted
      ? { outcome: "cancelled", reason: "signal", ...end }
      : { outcome: "failed", reason: "unknown", ...end },
  };
}

/** What reads show about a write without a clear response; null if it was not accepted. */
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
      return toUnknown(context, writing, last, `it cannot be read: ${seen.error.message}`);
    case "unknown":
      return toUnknown(context, writing, last, seen.why);
  }
}

/** What the last look showed; `unknown`: nothing so far, when the looks were cut off. */
async function lookRepeatedly(
  context: DeployContext,
  writing: Writing,
): Promise<Seen | { readonly state: "unknown"; readonly why: string }> {
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
    if (!isLate || isEnd(seen)) return seen;
    return { state: "unknown", why: "the time limit passed before it could be determined" };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { state: "unknown", why: "the run was cancelled before it could be read" };
  }
}

/** Looks at the deployment for signs that the write was accepted. */
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
