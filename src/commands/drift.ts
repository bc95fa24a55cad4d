import { wantedHalf } from "../plan/fingerprint.ts";
import { isMovedCommit } from "../plan/plan.ts";
import type { DeploymentReport } from "../report/report.ts";
import type { Session } from "../ci/session.ts";

const WORDS = {
  live: "drift: live was changed since this spec was last deployed",
  // Only a digest of the wanted state is kept, which says nothing about live.
  spec: "pending: the spec was changed since it was last deployed, so these changes may hold some that were made to live by hand",
} as const;

/**
 * Distinguishes drift (live changed) from pending changes (the spec changed), by the digest of the
 * wanted state that was last deployed.
 */
export async function noteDriftCauses(
  { host }: Session,
  deployments: readonly DeploymentReport[],
): Promise<readonly DeploymentReport[]> {
  if (!deployments.some(isChanged)) return deployments;
  const deployed = (await host.deployedStates?.()) ?? null;
  if (deployed === null) return deployments;
  return deployments.map((one) => {
    const last = deployed(one.name);
    if (!isChanged(one) || last === undefined) return one;
    const moved = last === wantedHalf(one.plan!.fingerprint) ? "live" : "spec";
    return { ...one, moved, notes: [...one.notes, WORDS[moved]] };
  });
}

function isChanged({ action, plan, changes }: DeploymentReport): boolean {
  return plan !== null && action === "update" && changes.some((change) => !isMovedCommit(change));
}
