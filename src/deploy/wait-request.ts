import type { Clock } from "../clock.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { LiveDisplay } from "../report/live-display.ts";
import type { StatusTransition } from "../report/report.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { Push } from "./push.ts";

/** What to wait for. Times in milliseconds. */
export interface WaitRequest {
  readonly name: string;
  readonly deploymentId: string;
  /**
   * Null: the service has not named it yet; the deployment is read until its latest revision is
   * none of `notRevisionIds`.
   */
  readonly revisionId: string | null;
  readonly notRevisionIds: readonly string[];
  /**
   * The revision that was active before; another one that turns active is somebody else's. Null:
   * any other may be, and is compared by age.
   */
  readonly previousActiveId: string | null;
  /** Counted from leaving the queue; the queue itself has the same limit. */
  readonly timeoutMs: number;
  /** Null: adaptive, see `pollDelayMs`. */
  readonly pollIntervalMs: number | null;
  /** Set after a redeploy. */
  readonly stale: Stale | null;
  /**
   * The user gave the id: one that the service does not know is an error. One that a write returned
   * may only be late.
   */
  readonly given?: boolean;
  /** Set where the revision is one that a push makes by itself. */
  readonly push?: Push;
  /** What to say when the service never names a revision; null: in general words. */
  readonly neverNamed?: string;
}

/**
 * A revision as it was before its redeploy. Where the service keeps its id, that status counts
 * again only once it, or `updatedAt`, has moved; where the deployment gets another latest revision
 * than `latestBefore`, that one is waited for.
 */
export interface Stale {
  readonly revisionId: string;
  readonly latestBefore: string | null;
  readonly status: string;
  readonly updatedAt: string;
}

/** How a wait ended; a value, since every end is expected. */
export interface WaitEnd {
  readonly state: "deployed" | "failed" | "superseded" | "timed-out";
  /** Whether the service has named the revision. */
  readonly named: boolean;
  /** The last status seen, or a word for why (`INTERRUPTED`, `BUILD_FAILED`). */
  readonly status: string | null;
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  /** Another revision than the one active at the start that was seen active before ours was; null where none was. */
  readonly activeBefore: string | null;
  readonly message: string;
  /** Set where it failed for what its status does not say: the service does not know it, or its deployment goes. */
  readonly cause?: "not-found" | "deleting" | "gone";
  /** Time of the clock at which its time is up: what is read of how it ended may take no longer. */
  readonly untilMs: number;
  /** Set where the revision still shows what it showed before its redeploy. */
  readonly unmoved?: Stale;
}

/** What the wait needs from outside. `onRevision` is told the id as soon as it is known, `onStatus` each change. */
export interface WaitPorts {
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  readonly live?: LiveDisplay;
  /** Every status that was seen is added here, for the report. */
  readonly timeline: StatusTransition[];
  readonly onRevision: (id: string) => void;
  readonly onStatus: (status: string) => void;
}
