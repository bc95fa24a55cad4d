import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { type ControlPlane, ServiceError } from "../service/control-plane.ts";
import { lookUpRevision, type RevisionLookup } from "../service/revision-lookup.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { isOver } from "./look.ts";

/** A read that was cut off sooner than this proves nothing about a service that has responded before. */
const CUT_SHORT_MS = 2_000;
/**
 * While the revision is in progress the deployment is read too, since another revision may become
 * active: after this share of the time waited.
 */
const DEPLOYMENT_READ = { share: 0.7, shortestMs: 5_000, longestMs: 120_000 };

function readEveryMs(waitedMs: number): number {
  const { share, shortestMs, longestMs } = DEPLOYMENT_READ;
  return Math.min(longestMs, Math.max(shortestMs, waitedMs * share));
}

/** The reads of a wait; they throw nothing but the signal's reason. */
export type Reader = ReturnType<typeof createReader>;

/** Null if the ages do not show it. */
function isNewer(one: LiveRevision, other: LiveRevision): boolean | null {
  const ageMs = Date.parse(one.created_at) - Date.parse(other.created_at);
  return Number.isNaN(ageMs) || ageMs === 0 ? null : ageMs > 0;
}

type ReaderPorts = Pick<DeployContext, "controlPlane" | "clock" | "signal">;

/** Reads that throw nothing but the signal's reason; also shows whether the last one was answered, or why it failed. */
function createReads(ports: ReaderPorts, log: (line: string) => void, untilMs: () => number) {
  const { clock, signal } = ports;
  let [failures, failure]: [number, string | null] = [0, null];
  /** The failure that was logged last, and how often it has occurred. */
  let [said, repeats] = ["", 0];
  let [isAnswered, hasAnswered] = [true, false];
  async function read<T>(
    call: (service: ControlPlane) => Promise<T | null>,
    limitMs = untilMs(),
  ): Promise<T | null> {
    const beganMs = clock.monotonic();
    try {
      const result = await call(boundedBy(ports, limitMs));
      [failures, failure, isAnswered, hasAnswered] = [0, null, true, true];
      return result;
    } catch (error) {
      signal.throwIfAborted();
      isAnswered = false;
      // A read that the limit cut short, or kept from being sent, shows less than the one before it.
      const isUnsent = error instanceof ServiceError && !error.sent;
      const isByLimit = isOver(limitMs - clock.monotonic());
      if (isByLimit && limitMs - beganMs < CUT_SHORT_MS && hasAnswered) return null;
      if (isByLimit && isUnsent && failure !== null) return null;
      failure = (error as Error).message;
      failures += 1;
      if (failure === said) {
        repeats += 1;
        if (repeats % 10 === 0) log(`the status cannot be read, as before (${repeats} times)`);
      } else if (failures === 1 || failures % 10 === 0) {
        log(`the status cannot be read: still waiting (${failure})`);
        [said, repeats] = [failure, 1];
      }
      return null;
    }
  }
  return { read, answered: () => isAnswered, failure: () => failure };
}

/**
 * Creates reads that never end the wait: a failure is logged once, then now and then. `untilMs`
 * limits each of them, and may move.
 */
export function createReader(
  deploymentId: string,
  ports: ReaderPorts,
  log: (line: string) => void,
  untilMs: () => number,
) {
  const { clock } = ports;
  const reads = createReads(ports, log, untilMs);
  const { read, answered, failure } = reads;
  let deployment: LiveDeployment | null = null;
  let deploymentReadAt = clock.monotonic();
  let missing = 0;
  const gone = `deployment ${deploymentId} is not found (404): was it deleted?`;
  const active = new Set<string>();

  return {
    /** The last deployment read. */
    deployment: () => deployment,
    /** Whether the last read of the deployment returned 404. */
    isMissing: () => missing > 0,
    /** Whether a list shows the deployment; also true if no complete list can be read. */
    mayBeListed: async (limitMs: number): Promise<boolean> => {
      const query = deployment === null ? {} : { nameContains: deployment.name };
      const lookup = await read((service) => service.listDeployments(query), limitMs);
      if (lookup?.state !== "found" || lookup.partial === true) return true;
      return lookup.items.some(({ id }) => id === deploymentId);
    },
    /** Whether the last read got a response, including one that nothing exists. */
    answered,
    /** Why the last read failed; null if it succeeded. */
    failure: () => failure() ?? (missing > 0 ? gone : null),
    /**
     * Whether to read the deployment again while the revision is in progress: now and then, and once
     * more in the ending, since a timeout's report says what serves.
     */
    isDue: (startedAt: number, endingAt: number): boolean => {
      const now = clock.monotonic();
      if (now - deploymentReadAt >= readEveryMs(now - startedAt)) return true;
      return now >= endingAt && (deployment === null || deploymentReadAt < endingAt);
    },
    /** Null if it cannot be read now. */
    readRevision: (id: string): Promise<RevisionLookup | null> =>
      read(async (service) => {
        const now = await lookUpRevision(service, deploymentId, id);
        if (now.state === "hidden") throw now.error;
        return now;
      }),
    /** `limitMs`: a clock time, if the read must end before the look does. */
    readDeployment: async (limitMs?: number): Promise<LiveDeployment | null> => {
      deploymentReadAt = clock.monotonic();
      const next = await read((service) => service.getDeployment(deploymentId), limitMs);
      if (next !== null) {
        [deployment, missing] = [next, 0];
        if (next.active_revision_id !== null) active.add(next.active_revision_id);
      } else if (answered()) {
        missing += 1;
        if (missing === 1 || missing % 10 === 0)
          log(`deployment ${deploymentId} is not found (404): still waiting`);
      }
      return next;
    },
    /** The last revision seen active that is neither of these two; null if there was none. */
    activeBefore: (ownId: string | null, startId: string | null): string | null =>
      [...active].findLast((id) => id !== ownId && id !== startId) ?? null,
    newerActive: createNewerActive(deploymentId, reads, () => deployment),
  };
}

/** Finds another revision that became active after ours; null while ours, the previous one or none is active. */
function createNewerActive(
  deploymentId: string,
  { read, answered }: ReturnType<typeof createReads>,
  deployment: () => LiveDeployment | null,
) {
  const older = new Set<string>();
  return async (ours: LiveRevision, previousActiveId: string | null): Promise<string | null> => {
    const { active_revision_id: id = null, latest_revision_id: latest } = deployment() ?? {};
    if (id === null || id === ours.id || id === previousActiveId || older.has(id)) return null;
    const other = await read((service) => service.getRevision(deploymentId, id));
    // It cannot be read, but the deployment calls it the latest: nothing is newer.
    if (other === null) return answered() && latest === id ? id : null;
    const newer = isNewer(other, ours);
    if (newer === false) older.add(id);
    // Without ages, the latest revision is the newer one.
    return (newer ?? latest === id) ? id : null;
  };
}
