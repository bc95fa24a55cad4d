import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { DeployContext } from "./context.ts";

/** How long the look at the very end of the time may take, all of its reads together. */
const LAST_LOOK_MS = 2_000;
/**
 * While the revision is under way the deployment is read too, since another revision may turn
 * active: at this share of the time waited.
 */
const DEPLOYMENT_READ = { share: 0.7, shortestMs: 5_000, longestMs: 120_000 };

function readEveryMs(waitedMs: number): number {
  const { share, shortestMs, longestMs } = DEPLOYMENT_READ;
  return Math.min(longestMs, Math.max(shortestMs, waitedMs * share));
}

/** What a wait reads; nothing here throws but the signal's reason. */
export interface Reader {
  /** Null where it cannot be read now, or is not there (yet). */
  readonly readRevision: (id: string) => Promise<LiveRevision | null>;
  readonly readDeployment: () => Promise<LiveDeployment | null>;
  /** The last one that was read. */
  readonly deployment: () => LiveDeployment | null;
  /** Whether the deployment should be read again while the revision is under way. */
  readonly isDue: (startedAt: number) => boolean;
  /** Another revision that has turned active after ours; null while ours, none or the previous one is. */
  readonly newerActive: (
    ours: LiveRevision,
    previousActiveId: string | null,
  ) => Promise<string | null>;
  /** Whether the last read got an answer, be it that there is nothing. */
  readonly answered: () => boolean;
  /** Why the last read failed; null where it did not. */
  readonly failure: () => string | null;
}

/**
 * The service as a look may use it. The look that finds the time up is still made, also after a
 * suspend; once it is made, the time stays up.
 */
function boundLooks(
  { controlPlane, clock, signal }: Pick<DeployContext, "controlPlane" | "clock" | "signal">,
  deadlineMs: () => number,
): () => ControlPlane {
  let lastLookEndMs = -Infinity;
  return () => {
    const [now, limitMs] = [clock.monotonic(), deadlineMs()];
    if (now < limitMs || lastLookEndMs < limitMs) lastLookEndMs = now + LAST_LOOK_MS;
    const until = { deadlineMs: Math.max(limitMs, lastLookEndMs), signal };
    return controlPlane.within?.(until) ?? controlPlane;
  };
}

/**
 * Reads that never end the wait: a failure is said once, then now and then. `deadlineMs` bounds
 * each of them, and may move.
 */
export function createReader(
  deploymentId: string,
  { controlPlane, clock, signal }: Pick<DeployContext, "controlPlane" | "clock" | "signal">,
  say: (line: string) => void,
  deadlineMs: () => number,
): Reader {
  let deployment: LiveDeployment | null = null;
  let deploymentReadAt = clock.monotonic();
  let [failures, failure, missing]: [number, string | null, number] = [0, null, 0];
  const gone = `deployment ${deploymentId} is not found (404): was it deleted?`;
  const service = boundLooks({ controlPlane, clock, signal }, deadlineMs);
  const older = new Set<string>();

  async function read<T>(call: () => Promise<T | null>): Promise<T | null> {
    try {
      const result = await call();
      [failures, failure] = [0, null];
      return result;
    } catch (error) {
      signal.throwIfAborted();
      failure = (error as Error).message;
      failures += 1;
      if (failures === 1 || failures % 10 === 0)
        say(`the status cannot be read: still waiting (${failure})`);
      return null;
    }
  }

  return {
    deployment: () => deployment,
    answered: () => failure === null,
    failure: () => failure ?? (missing > 0 ? gone : null),
    isDue: (startedAt) =>
      clock.monotonic() - deploymentReadAt >= readEveryMs(clock.monotonic() - startedAt),
    readRevision: (id) => read(() => service().getRevision(deploymentId, id)),
    readDeployment: async () => {
      deploymentReadAt = clock.monotonic();
      const next = await read(() => service().getDeployment(deploymentId));
      if (next !== null) [deployment, missing] = [next, 0];
      else if (failure === null) {
        missing += 1;
        if (missing === 1 || missing % 10 === 0)
          say(`deployment ${deploymentId} is not found (404): still waiting`);
      }
      return next;
    },
    newerActive: async (ours, previousActiveId) => {
      const activeId = deployment?.active_revision_id ?? null;
      if (
        activeId === null ||
        activeId === ours.id ||
        activeId === previousActiveId ||
        older.has(activeId)
      )
        return null;
      const active = await read(() => service().getRevision(deploymentId, activeId));
      // Not served, but the deployment calls it its latest: nothing is newer than that.
      if (active === null)
        return failure === null && deployment?.latest_revision_id === activeId ? activeId : null;
      const ages = [Date.parse(active.created_at), Date.parse(ours.created_at)] as const;
      const told = ages.every((age) => !Number.isNaN(age)) && ages[0] !== ages[1];
      // Where no age is told, the latest revision is the newer one.
      const newer = told ? ages[0] > ages[1] : deployment?.latest_revision_id === activeId;
      if (told && !newer) older.add(activeId);
      return newer ? activeId : null;
    },
  };
}
