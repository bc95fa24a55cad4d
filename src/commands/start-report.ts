import { createTracker, toDeploymentReport, track } from "../deploy/tracker.ts";
import type { Desired } from "../spec/desired.ts";
import { toReport } from "../ci/report-assembly.ts";
import type { Session } from "../ci/session.ts";
import type { Target } from "./looked-up-deployment.ts";

/** Reports the start of a run with only the names; plans are reported as soon as they are known. */
export async function publishStart(session: Session, documents: readonly Desired[]): Promise<void> {
  const deployments = documents.map((desired) =>
    toDeploymentReport(createTracker(desired.name), { outcome: "not-run", message: "" }),
  );
  await session.host.publish("begin", toReport(session, { deployments }));
}

/** The same for a command that looks its deployments up and has no plan. */
export async function publishTargets(session: Session, targets: readonly Target[]): Promise<void> {
  const deployments = targets.map(({ name, live }) => {
    const tracker = createTracker(name);
    if (live !== null) track(tracker, live);
    return toDeploymentReport(tracker, { outcome: "not-run", message: "" });
  });
  await session.host.publish("begin", toReport(session, { deployments }));
}
