import { endOf } from "../../src/model/revision-status.ts";
import type { Sent, ServiceState } from "./revision-roles.ts";

/** A deployment as a report has it. */
interface ToldPhases {
  readonly name: string;
  readonly revision_id: string | null;
  readonly timeline: readonly {
    readonly status: string;
    readonly atMs: number;
    readonly seenMs?: number;
  }[];
}

/** A request, by the service's clock. */
interface DatedRequest extends Sent {
  readonly at: string;
  readonly status: number | null;
}

/** Of so many reads that found a status, not all are the wait's own: what follows a write reads too. */
const SEEN = 3;
const SEEN_AGAIN = 4;

/**
 * What a report lacks of the phases of a revision that the run made: a status that the service answered several times
 * after the last write is in the timeline, and not for one look only. Nothing here depends on how fast the machine is.
 */
export function findPhaseFaults(
  deployments: readonly ToldPhases[],
  { before, after }: { readonly before: ServiceState; readonly after: ServiceState },
  requests: readonly DatedRequest[],
): readonly string[] {
  const old = new Set(before.deployments.flatMap((one) => one.revisions.map(({ id }) => id)));
  const made = after.deployments.flatMap((one) => one.revisions).filter(({ id }) => !old.has(id));
  const lastWrite = requests.findLastIndex(({ method }) => method !== "GET");
  return deployments.flatMap(({ name, revision_id: own, timeline }) => {
    const revision = made.find(({ id }) => id === own);
    if (revision === undefined || timeline.length === 0) return [];
    const reads = requests
      .slice(lastWrite + 1)
      .filter(({ method, status }) => method === "GET" && status === 200)
      .filter(({ path }) => path.endsWith(`/revisions/${revision.id}`))
      .map(({ at }) => Date.parse(at));
    return revision.timeline.flatMap(({ at = "", status }, place) => {
      const to = Date.parse(revision.timeline[place + 1]?.at ?? "") || Infinity;
      const found = reads.filter((read) => read >= Date.parse(at) && read < to).length;
      if (found < SEEN || endOf(status) !== undefined) return [];
      const told = timeline.filter((one) => one.status === status);
      if (told.length === 0) return [`${name}: ${found} reads found ${status}, in no phase`];
      const isBrief = found >= SEEN_AGAIN && told.every(({ seenMs }) => seenMs === undefined);
      return isBrief ? [`${name}: ${found} reads found ${status}, reported for one look`] : [];
    });
  });
}
