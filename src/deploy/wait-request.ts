import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { OwnRevision } from "./own-revision.ts";
import type { DeploymentEnd } from "./tracker.ts";

/** The revision that a run waits for. */
export interface Wait {
  readonly own: OwnRevision;
  /**
   * The revision that was active before; another one that becomes active is somebody else's. Null:
   * any other may, and is compared by age.
   */
  readonly previousActiveId: string | null;
}

/** How a wait ended, with what was seen last. A value, since every end is expected. */
export interface WaitEnd extends DeploymentEnd {
  readonly outcome: "deployed" | "failed" | "superseded" | "timed-out";
  /** The last status seen; null before any was. */
  readonly status: string | null;
  /** Null: the service has not named it. */
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  /** The last revision seen active that is neither ours nor `previousActiveId`; null if there was none. */
  readonly activeBefore: string | null;
  /** Clock time when the wait's limit ends: later reads about its end may take no longer. */
  readonly untilMs: number;
  /** Set if the revision still shows its state from before the redeploy. */
  readonly unmoved?: LiveRevision;
}

/** What to wait for after a write, from the deployment in its reply. */
export function waitFor({ active_revision_id }: LiveDeployment, own: OwnRevision): Wait {
  return { own, previousActiveId: active_revision_id };
}
