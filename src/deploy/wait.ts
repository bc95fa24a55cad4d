import { ONCE_GONE } from "../report/wording.ts";
import { createWatch } from "./watch.ts";
import type { WaitRequest, WaitEnd, WaitPorts } from "./wait-request.ts";

/** Watches one revision until it ends. Rejects only when `signal` aborts. */
export async function waitForRevision(request: WaitRequest, ports: WaitPorts): Promise<WaitEnd> {
  const watch = createWatch(request, ports);
  ports.live?.status(request.name, "");
  try {
    for (;;) {
      ports.signal.throwIfAborted();
      const end = await watch.look();
      if (end !== null) return end;
      const late = watch.overdue();
      if (late !== null) return late;
      await ports.clock.sleep(watch.delayMs(), ports.signal);
    }
  } finally {
    ports.live?.status(request.name, null);
  }
}

/** What to do where another revision came to serve instead. */
export const NEXT_AFTER_SUPERSEDED = "Run again: it compares the spec with what is live now";

const NEXT_AFTER: Readonly<Record<NonNullable<WaitEnd["cause"]>, string>> = {
  deleting: ONCE_GONE,
  gone: "Run again: it creates a new deployment",
  "not-found": "Check revision-id: it has to be a revision of this deployment",
};

/** What to do after a failure that the revision's status does not say; null where it does. */
export function nextAfterCause({ cause }: WaitEnd): readonly string[] | null {
  return cause === undefined ? null : [NEXT_AFTER[cause]];
}

/** What to do once the time is up. A redeploy under the revision's own id is known by its former time alone, which a later run does not have. */
export function nextAfterTimeout(
  deploymentId: string,
  { revisionId, unmoved }: WaitEnd,
): readonly string[] {
  const line = reattachLine(deploymentId, revisionId);
  if (unmoved === undefined) return [line];
  const when = unmoved.updatedAt === "" ? "" : ` later than ${unmoved.updatedAt}`;
  return [
    line,
    `That wait may end at once: the revision still shows ${unmoved.status} from before the redeploy. The redeploy has begun only if the service shows another status or an updated_at${when}. If it does not, redeploy again`,
  ];
}

/** The line that waits for the same revision again. */
export function reattachLine(deploymentId: string, revisionId: string | null): string {
  return `agent-deploy wait --deployment-id ${deploymentId}${revisionId === null ? "" : ` --revision-id ${revisionId}`}`;
}
