import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { servesAnything } from "../deploy/identity.ts";
import { removeDeployment } from "../deploy/removal.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { toEnd, toReport } from "../run/report-assembly.ts";
import { toDeployContext } from "../run/deploy-context.ts";
import { readPlaced } from "../run/place.ts";
import { withConnection } from "../run/service-connection.ts";
import { skipWithoutKey } from "../run/skip.ts";
import { UsageError, type CommandEnd, type Session } from "../run/session.ts";
import {
  findTargets,
  onlyTarget,
  toMissingReport,
  type Target,
} from "../run/looked-up-deployment.ts";
import { publishTargets } from "../run/start-report.ts";
import { refuseUntrusted } from "../run/trust.ts";

/** `destroy`: deletes one deployment (hosted service), with its traces where asked, and waits until it is gone. */
export async function runDestroy(given: Session): Promise<CommandEnd> {
  const { confirm } = given.options;
  if (confirm === undefined)
    throw new UsageError(
      "destroy needs confirm: <name of the deployment>, so that no wrong one is deleted",
    );
  refuseUntrusted(given);
  const skipped = await skipWithoutKey(given);
  if (skipped !== null) return skipped;
  const { session, documents } = await readPlaced(given);
  const [only, ...others] = documents ?? [];
  // The name of what an id names is known to the service alone.
  if (only !== undefined && others.length === 0 && only.deploy.id === undefined)
    assertConfirmed(confirm, only.name);
  return withConnection(session, async (connection) => {
    const context = toDeployContext(session, connection.controlPlane);
    const target = onlyTarget(
      await findTargets(session, connection.controlPlane, documents),
      "destroy",
    );
    const live = target.live ?? (await readDeleting(connection.controlPlane, target));
    if (live !== null) assertConfirmed(confirm, live.name);
    if (live !== null) await publishTargets(session, [{ ...target, live }]);
    const report =
      live === null
        ? await toAbsent(target, connection.controlPlane)
        : await remove(session, context, live, target);
    return toEnd(session, toReport(session, { deployments: [report] }));
  });
}

function assertConfirmed(confirm: string, name: string): void {
  if (confirm !== name)
    throw new UsageError(
      `confirm is ${confirm}, and the deployment is named ${name}: nothing was deleted`,
    );
}

/** What is being deleted already is waited for. */
async function readDeleting(
  controlPlane: ControlPlane,
  { deletingId }: Target,
): Promise<LiveDeployment | null> {
  return deletingId === undefined ? null : controlPlane.getDeployment(deletingId);
}

function remove(
  session: Session,
  context: DeployContext,
  live: LiveDeployment,
  { desired }: Target,
): Promise<DeploymentReport> {
  return removeDeployment(context, live, {
    deleteTraces: session.options.deleteTraces,
    timeoutMs: timeoutOf(context, desired?.deploy ?? {}),
  });
}

/** Nothing to delete; red where that is not proved. */
async function toAbsent(target: Target, controlPlane: ControlPlane): Promise<DeploymentReport> {
  const unproved = target.missing === "duplicates" || target.missing === "no-lookup";
  if (unproved) return toMissingReport(target);
  // A wrong address says of every id that it is not there.
  if (target.missing === "not-found" && !(await servesAnything(controlPlane)))
    return toMissingReport({
      ...target,
      missing: "no-lookup",
      why: `nothing of the service answers at this address, so whether ${target.name} exists is not known: check control-plane-url and region`,
    });
  return toDeploymentReport(createTracker(target.name), {
    outcome: "unchanged",
    reason: "absent",
    message: `nothing to delete: ${target.why}`,
  });
}
