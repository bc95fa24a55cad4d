import { plural } from "../model/count-words.ts";
import type { JsonObject } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import { ServiceError, type ControlPlane, type WriteResult } from "../service/control-plane.ts";
import { boundedBy } from "./context.ts";
import { serviceOf, type DeploymentRun } from "./document-run.ts";
import type { UniquenessCheck } from "./duplicates.ts";
import { beforeLimitMs, ENDING_MS, LOOK_AGAIN_MS, lookUntil, pausesOf } from "./look.ts";
import type { OwnRevision } from "./own-revision.ts";
import { failed, track, type DeploymentEnd } from "./tracker.ts";

/** How a write ended, after reading what the response did not show; goes up unchanged to the end of the run. */
export type Written = Taken | NotTaken;

/** An accepted write, and what follows from it. */
export interface Taken {
  readonly state: "taken";
  readonly live: LiveDeployment;
  /** Whether an earlier response was lost. */
  readonly lost: boolean;
  /** The revision to wait for; null: none. */
  readonly wait: OwnRevision | null;
  /** The body that made the revision; null if there was none. */
  readonly sent: JsonObject | null;
  /** Null: nothing was created, or it is proved to be the only one. */
  readonly unproved: UniquenessCheck | null;
}

/** The name of a create is taken, or another update is in progress: read and plan again. */
export interface Conflict {
  readonly state: "conflict";
  readonly over: "name" | "update";
  readonly error: Error;
  /** The revision that the other update has made: sent again, a redeploy would replace it. */
  readonly newer?: string;
}

/** A write that was not accepted, or may have been. */
type NotTaken = Conflict | { readonly state: "ended"; readonly end: DeploymentEnd };

/** The state after an accepted write, or before any; `more` names what follows. */
export function taken(live: LiveDeployment, more: Partial<Taken> = {}): Taken {
  return { state: "taken", live, lost: false, wait: null, sent: null, unproved: null, ...more };
}

/** An end in place of a write. */
export const endedBy = (end: DeploymentEnd): NotTaken => ({ state: "ended", end });

/** How long an update that the service calls a conflict is repeated; the same as for a failed read. */
const CONFLICT = { forMs: 60_000, minTries: 6, shortestMs: 500, longestMs: 10_000 };

/** The conflicts of a write so far, and the time left for more tries. */
interface Conflicts {
  readonly tries: number;
  readonly forMs: number;
  readonly leftMs: number;
}

/**
 * The pause in milliseconds before the next try after so many conflicts; null: there is none. Near
 * the limit, pauses get shorter and shorter: the tries end before they follow one another too fast,
 * but however short the limit is, there is a second one.
 */
export function pauseWhileBusy({ tries, forMs, leftMs }: Conflicts): number | null {
  if (tries >= CONFLICT.minTries && forMs >= CONFLICT.forMs) return null;
  const pauseMs = Math.min(CONFLICT.longestMs, CONFLICT.shortestMs * 2 ** (tries - 1));
  const isTooFast = beforeLimitMs(pauseMs, leftMs) < CONFLICT.shortestMs;
  return tries > 1 && isTooFast ? null : pauseMs;
}

/** The end after as many tries, all conflicts with another update. */
export const stillBusy = (name: string, tries: number, { message }: Error): DeploymentEnd =>
  failed(
    "busy",
    `${name}: another update is under way, and it did not end in ${plural(tries, "try", "tries")}: ${message}`,
    "Run again once the other update has ended",
  );

/** A try of a write, and how many there were. */
interface Try {
  readonly done: Written;
  readonly tries: number;
}

/**
 * Repeats a write while another update is under way. For writes that need no new plan: a redeploy,
 * a delete, and what follows this run's own write, which a new plan would take for somebody else's
 * change. `write` gets the last conflict, and gives it back as the end by naming the newer revision.
 */
export async function repeatWhileBusy(
  { context, deadlineMs, tracker }: DeploymentRun,
  write: (last?: Conflict) => Promise<Written>,
): Promise<Written> {
  const sinceMs = context.clock.monotonic();
  const isBusy = (done: Written): done is Conflict =>
    done.state === "conflict" && done.newer === undefined;
  const { seen } = await lookUntil<Try>(context, {
    look: async (last) => {
      if (last === undefined || !isBusy(last.done)) return { done: await write(), tries: 1 };
      if (last.tries === 1)
        context.progress(`${tracker.name}: another update is under way: trying again`);
      return { done: await write(last.done), tries: last.tries + 1 };
    },
    isEnd: ({ done }) => !isBusy(done),
    schedule: (_, { tries }) => {
      const nowMs = context.clock.monotonic();
      return pauseWhileBusy({ tries, forMs: nowMs - sinceMs, leftMs: deadlineMs - nowMs });
    },
    deadlineMs,
  });
  return isBusy(seen.done)
    ? endedBy(stillBusy(tracker.name, seen.tries, seen.done.error))
    : seen.done;
}

const MAX_TRIES = 5;
/** Pauses between looks for a create: a list may lag, and repeating it may make a duplicate. */
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
  | { readonly state: "yes"; readonly live: LiveDeployment }
  | { readonly state: "no" }
  /** What exists is somebody else's. */
  | { readonly state: "other"; readonly id: string }
  | {
      readonly state: "unreadable";
      readonly why: string;
      /** Whether a later look may show it. */
      readonly isLagging?: boolean;
    };

interface Writing {
  readonly what: string;
  readonly send: (controlPlane: ControlPlane) => Promise<WriteResult<LiveDeployment>>;
  readonly look: (controlPlane: ControlPlane) => Promise<Seen>;
  /** What to do if it stays unknown whether the write was accepted. */
  readonly howToFindOut: readonly string[];
  /** A create: a 409 is about its name, not about another update, and it is looked for longer. */
  readonly creates?: true;
}

/**
 * Sends a write and records whether it was, or may have been, accepted: the report then never says
 * that nothing was written.
 */
export async function sendAndReconcile(run: DeploymentRun, writing: Writing): Promise<Written> {
  const { tracker } = run;
  const sent = await reconciled(run, writing);
  const isUnknown = sent.state === "ended" && sent.end.reason !== "refused";
  if (sent.state === "taken") track(tracker, sent.live);
  tracker.changed ||= sent.state === "taken" || isUnknown;
  return sent;
}

/**
 * Reads after every response that proves nothing, and repeats the write only after a read has
 * shown that it was not accepted.
 */
async function reconciled(run: DeploymentRun, writing: Writing): Promise<Written> {
  const { context, deadlineMs } = run;
  const { what, send } = writing;
  let last: Error | null = null;
  for (let attempt = 1; ; attempt += 1) {
    context.signal.throwIfAborted();
    const left = Math.max(0, deadlineMs - context.clock.monotonic());
    const keptMs = Math.min(KEPT_FOR_LOOKS.mostMs, left * KEPT_FOR_LOOKS.share);
    const result = await send(boundedBy(context, deadlineMs - keptMs));
    if (result.state === "taken") return taken(result.reply, { lost: last !== null });
    if (result.state === "refused") {
      // The time limit passed before another try: the service's last response is the reason.
      if (result.status === 0 && last !== null) return toNotAccepted(what, attempt - 1, last);
      if (result.status !== 409) return endedBy(refused(result.error));
      if (last === null)
        return {
          state: "conflict",
          over: writing.creates ? "name" : "update",
          error: result.error,
        };
      // The conflict may be with an earlier try whose response was lost.
      const why = "the service says that it exists, but does not show it";
      return (
        (await reconcile(run, writing, result.error)) ?? toUnknown(run, writing, result.error, why)
      );
    }
    last = result.error;
    if (!context.signal.aborted)
      context.progress(
        `${what}: no clear answer to try ${attempt} of ${MAX_TRIES} (${last.message}): reading what is there`,
      );
    const end = await reconcile(run, writing, last);
    if (end !== null) return end;
    if (attempt === MAX_TRIES || context.clock.monotonic() >= deadlineMs)
      return toNotAccepted(what, attempt, last);
  }
}

/** What is known about a write without a response. */
const NOT_TAKEN = "a read showed that the service had not taken it";

function toNotAccepted(what: string, tries: number, last: Error): Written {
  const message =
    tries === 1
      ? `${what}: tried once, and ${NOT_TAKEN}. Its answer: ${last.message}`
      : `${what}: tried ${tries} times, and each time ${NOT_TAKEN}. Last answer: ${last.message}`;
  return endedBy(refused(new ServiceError(message, { untakenTries: tries, cause: last })));
}

function toUnknown(
  { context: { signal } }: DeploymentRun,
  { what, howToFindOut: next }: Writing,
  last: Error,
  why: string,
): Written {
  const message = `${what}: it is unknown whether the service took it (${last.message}), and ${why}`;
  return endedBy(
    signal.aborted
      ? { outcome: "cancelled", reason: "signal", message, next }
      : { outcome: "failed", reason: "unknown", message, next },
  );
}

/** What reads show about a write without a clear response; null if it was not accepted. */
async function reconcile(
  run: DeploymentRun,
  writing: Writing,
  last: Error,
): Promise<Written | null> {
  const seen = await lookRepeatedly(run, writing);
  switch (seen.state) {
    case "no":
      return null;
    case "yes":
      return taken(seen.live, { lost: true });
    case "other": {
      const whose = `deployment ${seen.id}, which is somebody else's, has the name now`;
      return { state: "conflict", over: "name", error: new Error(`${writing.what}: ${whose}`) };
    }
    case "unreadable":
      return toUnknown(run, writing, last, `it cannot be read: ${seen.why}`);
    case "unknown":
      return toUnknown(run, writing, last, seen.why);
  }
}

/** What the last look showed; `unknown`: nothing so far, when the looks were cut off. */
async function lookRepeatedly(
  run: DeploymentRun,
  { look, creates }: Writing,
): Promise<Seen | { readonly state: "unknown"; readonly why: string }> {
  const { context, deadlineMs } = run;
  const { signal } = context;
  const isEnd = (seen: Seen): boolean =>
    seen.state !== "no" && !(seen.state === "unreadable" && seen.isLagging === true);
  try {
    const { seen, isLate } = await lookUntil<Seen>(context, {
      known: { state: "no" },
      look: async () =>
        look(serviceOf(run)).catch((error: Error) => {
          signal.throwIfAborted();
          return { state: "unreadable", why: error.message };
        }),
      isEnd,
      schedule: pausesOf(creates ? LOOK_FOR_CREATE_MS : LOOK_AGAIN_MS),
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
  isTaken: (live: LiveDeployment, service: ControlPlane) => Promise<boolean> | boolean,
): Writing["look"] {
  return async (service) => {
    const live = await service.getDeployment(id);
    if (live === null)
      return { state: "unreadable", why: `deployment ${id} is not found any more` };
    return (await isTaken(live, service)) ? { state: "yes", live } : { state: "no" };
  };
}
