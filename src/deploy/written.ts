import type { LiveDeployment } from "../model/live.ts";
import type { JsonObject } from "../model/json.ts";
import { findNotShown } from "../plan/comparison.ts";
import { planDeployment } from "../plan/decision.ts";
import { valueAt, withValue } from "../plan/value.ts";
import type { DocumentRun } from "./document-run.ts";
import { asFound } from "./identity.ts";
import type { UniquenessCheck } from "./duplicates.ts";
import type { OwnRevision } from "./own-revision.ts";
import type { Prepared } from "./prepare.ts";
import type { WaitRequest } from "./wait-request.ts";
import type { NotTaken } from "./write.ts";

/** The result of carrying out the steps. */
export type Written =
  | {
      readonly state: "waiting";
      readonly wait: WaitRequest | null;
      readonly live: LiveDeployment | null;
      /** The body that made the revision; null if there was none. */
      readonly sent: JsonObject | null;
      /** Null: nothing was created, or it is proved to be the only one. */
      readonly unproved: UniquenessCheck | null;
    }
  | NotTaken;

/** An accepted write, and what to wait for. */
export type Waiting = Extract<Written, { state: "waiting" }>;

/** An accepted write, without a revision unless `more` names one. */
export function waiting(live: LiveDeployment, more: Partial<Waiting> = {}): Waiting {
  return { state: "waiting", live, wait: null, sent: null, unproved: null, ...more };
}

/** What to wait for after a write. */
export function toWait(
  { desired, timeoutMs }: DocumentRun,
  live: LiveDeployment,
  own: OwnRevision,
): WaitRequest {
  return {
    name: desired.name,
    deploymentId: live.id,
    own,
    previousActiveId: live.active_revision_id,
    timeoutMs,
  };
}

/**
 * The deployment with the sent values that the service does not show: the new revision proves that
 * they were accepted.
 */
export function withHidden(live: LiveDeployment, sent: JsonObject): LiveDeployment {
  const fill = (body: JsonObject, path: string): JsonObject =>
    withValue(body, path, valueAt(sent, path) ?? null);
  return { ...live, body: findNotShown(sent, live).reduce(fill, live.body) };
}

/** Whether a plan against the live state has nothing left to send; hidden secret values count as sent. */
export function isApplied(prepared: Prepared, now: LiveDeployment): boolean {
  const { plan, steps } = planDeployment({
    desired: prepared.desired,
    found: asFound(now),
    commit: { state: "skipped", why: "", onMerge: false },
    choices: prepared.choices,
    policy: { create: "auto", force: false, secretsUnknown: "keep" },
  });
  return plan.blockers.length === 0 && !steps.some((step) => step.kind === "patch");
}
