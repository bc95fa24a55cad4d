import { idKeyOf } from "../plan/decision.ts";
import type { LiveDeployment } from "../model/live.ts";
import { describeNotFound, idsOf, type Found, type NotFound } from "../plan/found.ts";
import { ONCE_GONE, durationWords } from "../report/wording.ts";
import { boundedBy } from "./context.ts";
import { planUntil, type DocumentRun, type DeploymentRun } from "./document-run.ts";
import { lookUntil } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { LOOK_FOR_CREATE_MS } from "./write.ts";
import { blocked, failed, timedOut, type DeploymentEnd } from "./tracker.ts";

const POLL = { shortestMs: 250, longestMs: 10_000, share: 0.1 };

/**
 * Plans again once the deployment being deleted is gone, since others may have taken its name; the
 * end of the run if it stays.
 */
export async function planOnceGone(
  run: DocumentRun,
  prepared: Prepared,
  { id, isListed, isGiven }: Extract<Found, { state: "deleting" }>,
): Promise<Prepared | DeploymentEnd> {
  const { context } = run;
  const goneId = isListed === true ? null : id;
  if (goneId !== null) {
    context.progress(`deployment ${goneId} is being deleted: waiting until it is gone`);
    const end = await awaitGone(run, goneId);
    if (end !== null) return end;
  }
  // Nothing is created while the list shows something unreadable.
  const isSure = (plan: Prepared): boolean => findUnsure(plan, goneId) === null;
  const again = await planUntil(run, prepared, LOOK_FOR_CREATE_MS, isSure, { byName: true });
  const unsure = findUnsure(again, goneId);
  if (unsure !== null) return toUnsure(run, unsure);
  return isGiven === true ? (findTaken(run, again, id) ?? prepared) : again;
}

/** The given id was that of the deleted deployment: if another one has the name, a person must decide. */
function findTaken(
  { desired }: DocumentRun,
  { found }: Prepared,
  goneId: string,
): DeploymentEnd | null {
  const ids = idsOf(found);
  if (ids.length === 0) return null;
  const key = idKeyOf(desired, goneId);
  const message = `deployment ${goneId}, which ${key} names, is gone, and deployment ${ids.join(", ")} may have the name ${desired.name} now, so nothing was created`;
  return blocked("not-found", message, `Put the id of the one that is meant into ${key}`);
}

/**
 * A listed deployment that cannot be read; null if there is none. One that was seen being deleted
 * and then gone may stay in a lagging list.
 */
function findUnsure({ found }: Prepared, goneId: string | null): NotFound | null {
  const isUnsure = found.state === "deleting" && found.isListed === true && found.id !== goneId;
  return isUnsure ? found : null;
}

function toUnsure({ desired: { name } }: DocumentRun, found: NotFound): DeploymentEnd {
  return failed(
    "unknown",
    `${describeNotFound(name, found)}: whether it exists is not known, so nothing was created`,
    "Look for it in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again once the list no longer shows it",
  );
}

/**
 * Waits until a deployment being deleted returns 404: then null, else the end of the run. `judge`:
 * the end that what is still there means, if any.
 */
export async function awaitGone(
  { context, timeoutMs, deadlineMs }: DeploymentRun,
  id: string,
  judge: (live: LiveDeployment) => DeploymentEnd | null = () => null,
): Promise<DeploymentEnd | null> {
  const { clock, signal } = context;
  const startedAt = clock.monotonic();
  const look = async (): Promise<DeploymentEnd | "gone" | "there"> => {
    try {
      const live = await boundedBy(context, deadlineMs).getDeployment(id);
      return live === null ? "gone" : (judge(live) ?? "there");
    } catch (error) {
      signal.throwIfAborted();
      if (clock.monotonic() < deadlineMs)
        context.progress(
          `deployment ${id} cannot be read: still waiting (${(error as Error).message})`,
        );
      return "there";
    }
  };
  const { seen } = await lookUntil(context, {
    look,
    isEnd: (state) => state !== "there",
    schedule: () =>
      Math.min(
        POLL.longestMs,
        Math.max(POLL.shortestMs, (clock.monotonic() - startedAt) * POLL.share),
      ),
    deadlineMs,
  });
  if (seen === "gone") return null;
  if (seen !== "there") return seen;
  const message = `deployment ${id} is still being deleted after ${durationWords(timeoutMs)}`;
  return timedOut(message, ONCE_GONE);
}
