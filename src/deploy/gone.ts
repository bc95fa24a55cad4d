import { idKeyOf, tellListed } from "../plan/decision.ts";
import type { Found } from "../plan/plan-draft.ts";
import { ONCE_GONE, durationWords } from "../report/wording.ts";
import type { DeployContext } from "./context.ts";
import { boundedBy, planFresh, type DeploymentEnd, type DocumentRun } from "./document-run.ts";
import type { Prepared } from "./prepare.ts";
import { LOOK_FOR_CREATE_MS } from "./write.ts";

const POLL = { shortestMs: 250, longestMs: 10_000, share: 0.1 };

type OnceGone =
  | { readonly state: "planned"; readonly again: Prepared }
  | { readonly state: "ended"; readonly end: DeploymentEnd };

/**
 * The plan once a deployment that goes is gone, since others may have taken its name meanwhile; the
 * end of the run where it stays.
 */
export async function planOnceGone(
  run: DocumentRun,
  prepared: Prepared,
  { id, isListed, isGiven }: Extract<Found, { state: "deleting" }>,
): Promise<OnceGone> {
  const { context } = run;
  const goneId = isListed === true ? null : id;
  if (goneId !== null) {
    const end = await awaitGone(context, goneId, run.deadlineMs - context.clock.monotonic());
    if (end !== null) return { state: "ended", end };
  }
  const again = await planUnlisted(run, prepared, goneId);
  const unsureId = findUnsure(again, goneId);
  if (unsureId !== null) return { state: "ended", end: toUnsure(run, unsureId) };
  if (isGiven !== true) return { state: "planned", again };
  const taken = findTaken(run, again, id);
  return taken === null ? { state: "planned", again: prepared } : { state: "ended", end: taken };
}

/** The id that was given named one that is gone: another one of the name is for a person to choose. */
function findTaken(
  { desired }: DocumentRun,
  { found }: Prepared,
  goneId: string,
): DeploymentEnd | null {
  if (found.state !== "live" && found.state !== "duplicates" && found.state !== "nameless")
    return null;
  const ids = found.state === "live" ? [found.deployment.id] : found.ids;
  const key = idKeyOf(desired, goneId);
  return {
    outcome: "blocked",
    reason: "not-found",
    message: `deployment ${goneId}, which ${key} names, is gone, and deployment ${ids.join(", ")} may have the name ${desired.name} now, so nothing was created`,
    next: [`Put the id of the one that is meant into ${key}`],
  };
}

/** The plan once the list shows nothing that cannot be read: while it does, nothing is created. */
async function planUnlisted(
  run: DocumentRun,
  shown: Prepared,
  goneId: string | null,
): Promise<Prepared> {
  const { clock, signal } = run.context;
  let again = await planFresh(run, shown, { byName: true });
  for (const pauseMs of LOOK_FOR_CREATE_MS) {
    if (findUnsure(again, goneId) === null || clock.monotonic() + pauseMs >= run.deadlineMs) break;
    await clock.sleep(pauseMs, signal);
    again = await planFresh(run, shown, { byName: true });
  }
  return again;
}

/**
 * A deployment that the list shows and that cannot be read; null where there is none. The one that
 * was seen to go, and then to be gone, may stay in a list that is behind.
 */
function findUnsure({ found }: Prepared, goneId: string | null): string | null {
  const isUnsure = found.state === "deleting" && found.isListed === true && found.id !== goneId;
  return isUnsure ? found.id : null;
}

function toUnsure({ desired: { name } }: DocumentRun, id: string): DeploymentEnd {
  return {
    outcome: "failed",
    reason: "unknown",
    message: `${tellListed(id, name)}: whether it exists is not known, so nothing was created`,
    next: [
      "Look for it in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again once the list shows it no more",
    ],
  };
}

/** Null once a deployment that is being deleted answers 404; the end of the run where it does not in time. */
export async function awaitGone(
  context: DeployContext,
  id: string,
  timeoutMs: number,
): Promise<DeploymentEnd | null> {
  const { clock, signal } = context;
  const startedAt = clock.monotonic();
  const deadlineMs = startedAt + timeoutMs;
  const controlPlane = boundedBy(context, deadlineMs);
  context.progress(`deployment ${id} is being deleted: waiting until it is gone`);
  for (;;) {
    const there = await controlPlane.getDeployment(id).then(
      (found) => found !== null,
      (error: unknown) => {
        signal.throwIfAborted();
        const why = (error as Error).message;
        if (clock.monotonic() < deadlineMs)
          context.progress(`deployment ${id} cannot be read: still waiting (${why})`);
        return true;
      },
    );
    if (!there) return null;
    const now = clock.monotonic();
    if (now >= deadlineMs) {
      return {
        outcome: "timed-out",
        reason: "timeout",
        message: `deployment ${id} is still being deleted after ${durationWords(timeoutMs)}`,
        next: [ONCE_GONE],
      };
    }
    const pauseMs = Math.max(POLL.shortestMs, (now - startedAt) * POLL.share);
    await clock.sleep(Math.max(10, Math.min(deadlineMs - now, POLL.longestMs, pauseMs)), signal);
  }
}
