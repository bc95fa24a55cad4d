import { timeoutOf } from "../deploy/context.ts";
import { removeDeployment } from "../deploy/removal.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { toEnd, toReport } from "./assembly.ts";
import { toDeployContext } from "./deploy-context.ts";
import { withConnection } from "./service-connection.ts";
import { skipWithoutKey } from "./skip.ts";
import { UsageError, type CommandEnd, type Session } from "./session.ts";
import { findTargets, onlyTarget, toMissingReport } from "./target.ts";
import { refuseUntrusted } from "./trust.ts";

/** `destroy`: deletes one deployment and its tracing project (hosted service), and waits until it is gone. */
export async function runDestroy(session: Session): Promise<CommandEnd> {
  const { confirm } = session.options;
  if (confirm === undefined)
    throw new UsageError(
      "destroy needs confirm: <name of the deployment>, so that no wrong one is deleted",
    );
  refuseUntrusted(session);
  const skipped = await skipWithoutKey(session);
  if (skipped !== null) return skipped;
  return withConnection(session, async (connection) => {
    const context = toDeployContext(session, connection.controlPlane);
    const target = onlyTarget(await findTargets(session, connection.controlPlane), "destroy");
    if (target.live !== null && target.live.name !== confirm) {
      throw new UsageError(
        `confirm is ${confirm}, and the deployment is named ${target.live.name}: nothing was deleted`,
      );
    }
    const unproved = target.missing === "twins" || target.missing === "no-lookup";
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
