import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { BeforeRedeploy, OwnRevision } from "./own-revision.ts";

/** What to wait for. Times in milliseconds. */
export interface WaitRequest {
  readonly name: string;
  readonly deploymentId: string;
  readonly own: OwnRevision;
  /**
   * The revision that was active before; another one that becomes active is somebody else's. Null:
   * any other may, and is compared by age.
   */
  readonly previousActiveId: string | null;
  /** Counted from leaving the queue; the queue has the same limit. */
  readonly timeoutMs: number;
}

/** How a wait ended. A value, since every end is expected. */
export interface WaitEnd {
  readonly state: "deployed" | "failed" | "superseded" | "timed-out";
  /** The last status seen; null before any was. */
  readonly status: string | null;
  /** Null: the service has not named it. */
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  /** The last revision seen active that is neither ours nor `previousActiveId`; null if there was none. */
  readonly activeBefore: string | null;
  readonly message: string;
  /** The revision that took over, if the service names it. */
  readonly supersededBy?: string;
  /**
   * Set if the reason for a red end is not its status: the service does not know the revision, its
   * deployment is being deleted or gone, or it was built from something other than the redeployed
   * one.
   */
  readonly cause?: "not-found" | "deleting" | "gone" | "built-otherwise";
  /** Clock time when the wait's limit ends: later reads about its end may take no longer. */
  readonly untilMs: number;
  /** Set if the revision still shows its state from before the redeploy. */
  readonly unmoved?: BeforeRedeploy;
}
