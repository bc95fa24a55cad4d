import { timeoutOf } from "../deploy/context.ts";
import { removeDeployment } from "../deploy/removal.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { toEnd, toReport } from "../run/report-assembly.ts";
import { toDeployContext } from "../run/deploy-context.ts";
import { readPlaced } from "../run/place.ts";
import { withConnection } from "../run/service-connection.ts";
import { skipWithoutKey } from "../run/skip.ts";
import { UsageError, type CommandEnd, type Session } from "../run/session.ts";
import { findTargets, onlyTarget, toMissingReport } from "../run/looked-up-deployment.ts";
import { refuseUntrusted } from "../run/trust.ts";

/** `destroy`: deletes one deployment and its tracing project (hosted service), and waits until it is gone. */
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
  return withConnection(session, async (connection) => {
    const context = toDeployContext(session, connection.controlPlane);
    const target = onlyTarget(
      await findTargets(session, connection.controlPlane, documents),
      "destroy",
    );
    if (target.live !== null && target.live.name !== confirm) {
      throw new UsageError(
        `confirm is ${confirm}, and the deployment is named ${target.live.name}: nothing was deleted`,
      );
    }
    const unproved = target.missing === "duplicates" || target.missing === "no-lookup";
    const report = unproved
      ? toMissingReport(target)
      : target.live === null
        ? toDeploymentReport(createTracker(target.name), {
            outcome: "unchanged",
            reason: "absent",
            message: `nothing to delete: ${target.why}`,
          })
        : await removeDeployment(
            context,
            target.live,
            timeoutOf(context, target.desired?.deploy ?? {}),
          );
    return toEnd(session, toReport(session, { deployments: [report] }));
  });
}
