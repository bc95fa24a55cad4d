import { judgeApproval } from "../plan/approval.ts";
import { isWrite, type Change, type DeploymentPlan } from "../plan/plan.ts";
import { listSome } from "../model/count-words.ts";
import { planUntil, type DocumentRun } from "./document-run.ts";
import type { Prepared } from "./prepare.ts";
import { blocked, type DeploymentEnd } from "./tracker.ts";

const MAX_NAMES = 5;
/** Older readings do not show what is live now. */
const STALE_MS = 30_000;
/** Pauses before further rounds, for readings that were stale when they ended. */
const AT_ONCE = [0, 0];

/**
 * The plan right before the first write, so that changes made since it was shown are not
 * overwritten unseen. A plan that writes nothing is read again only if it is stale: after other
 * documents, an earlier wave, or network trouble.
 */
export async function freshenPlan(
  run: DocumentRun,
  shown: Prepared,
): Promise<Prepared | DeploymentEnd> {
  // A deployment being deleted is read again once it is gone.
  const writes = shown.planned.steps.some(isWrite);
  if (shown.found.state === "deleting" || (!writes && !isStale(run, shown))) return shown;
  const fresh = await planUntil(run, shown, AT_ONCE, (plan) => !isStale(run, plan));
  return holdToShown(run, shown.planned.plan, fresh);
}

/** Compares a repeated plan with the one that people saw: differences are reported, or refused if they approved it. */
export function holdToShown(
  run: DocumentRun,
  shown: DeploymentPlan,
  fresh: Prepared,
): Prepared | DeploymentEnd {
  const now = fresh.planned.plan;
  if (shown.fingerprint === now.fingerprint && shown.action === now.action) return fresh;
  const what = `${run.desired.name} was changed after its plan was made: ${describe(shown, now)}`;
  if (run.context.policy.pinned === true && !isApproved(shown, fresh)) {
    run.tracker.plan = now;
    const message = `${what}. The plan that was expected is ${shown.fingerprint}, the plan now is ${now.fingerprint}. Review the new plan, then approve its fingerprint`;
    return blocked("plan-changed", message);
  }
  run.context.progress(`${run.desired.name}: applying the updated plan`);
  run.tracker.warnings.push(`${what}. The plan was made again right before the first write`);
  return fresh;
}

const isStale = ({ context }: DocumentRun, { readAtMs }: Prepared): boolean =>
  context.clock.monotonic() - readAtMs > STALE_MS;

/** Whether the current plan is the shown one, or that one already carried out. */
function isApproved({ name, fingerprint }: DeploymentPlan, fresh: Prepared): boolean {
  const approval = { fingerprint, plans: [{ name, fingerprint }] };
  return judgeApproval(approval, [fresh]).state === "approved";
}

/** Describes what differs between two plans: the action, then the fields. */
function describe(before: DeploymentPlan, now: DeploymentPlan): string {
  const text = (change: Change): string => JSON.stringify([change.before, change.after]);
  const was = new Map(before.changes.map((change) => [change.path, text(change)]));
  const is = new Map(now.changes.map((change) => [change.path, text(change)]));
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  );
  const names = listSome(paths, String, MAX_NAMES);
  const action = before.action === now.action ? "" : `${before.action} is now ${now.action}`;
  return [action, names].filter((part) => part !== "").join("; ") || "live values changed";
}
