import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { DeployContext } from "./context.ts";
import type { BeforeRedeploy, OwnRevision } from "./own-revision.ts";

/** What to wait for. Times in milliseconds. */
export interface WaitRequest {
  readonly name: string;
  readonly deploymentId: string;
  readonly own: OwnRevision;
  /**
   * The revision that was active before; another one that turns active is somebody else's. Null:
   * any other may be, and is compared by age.
   */
  readonly previousActiveId: string | null;
  /** Counted from leaving the queue; the queue itself has the same limit. */
  readonly timeoutMs: number;
}

/** How a wait ended; a value, since every end is expected. */
export interface WaitEnd {
  readonly state: "deployed" | "failed" | "superseded" | "timed-out";
  /** The last status seen, or a word for why (`INTERRUPTED`, `BUILD_FAILED`). */
  readonly status: string | null;
  /** Null: the service has not named it. */
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  /** Another revision than the one active at the start that was seen active before ours was; null where none was. */
  readonly activeBefore: string | null;
  readonly message: string;
  /** The revision that took over, where the service names it. */
  readonly supersededBy?: string;
  /**
   * Set where it is red for what its status does not say: the service does not know it, its
   * deployment goes, or it was built from something else than what was redeployed.
   */
  readonly cause?: "not-found" | "deleting" | "gone" | "built-otherwise";
  /** Time of the clock at which its time is up: what is read of how it ended may take no longer. */
  readonly untilMs: number;
  /** Set where the revision still shows what it showed before its redeploy. */
  readonly unmoved?: BeforeRedeploy;
}

/** What a wait needs of the run. */
export type WaitContext = Pick<
  DeployContext,
  "controlPlane" | "clock" | "pollDelayMs" | "signal" | "progress" | "live"
>;
