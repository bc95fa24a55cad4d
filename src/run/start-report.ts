import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import type { Desired } from "../spec/desired.ts";
import { toReport } from "./report-assembly.ts";
import type { Session } from "./session.ts";

/** Tells the sinks that a run has begun, with the names alone; the plans are told as soon as they are known. */
export async function publishStart(session: Session, documents: readonly Desired[]): Promise<void> {
  const deployments = documents.map((desired) =>
    toDeploymentReport(createTracker(desired.name), { outcome: "not-run", message: "" }),
  );
  await session.host.publish("begin", toReport(session, { deployments }));
}
