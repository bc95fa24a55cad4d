import { spellInput } from "../model/entry-point.ts";
import { timeoutOf } from "../deploy/context.ts";
import { servesAnything } from "../deploy/identity.ts";
import { lookUntil, pausesOf } from "../deploy/look.ts";
import { removeDeployment } from "../deploy/removal.ts";
import { blankDeployment, type DeploymentReport, type JudgedReport } from "../report/report.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { endWith, publishStart } from "../ci/report-assembly.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import type { Desired } from "../spec/desired.ts";
import { UsageError, type Session } from "../ci/session.ts";
import {
  findOnly,
  isUnproved,
  overTargets,
  readLeaving,
  toMissingReport,
  whyMissing,
  type Target,
  type TargetCommand,
} from "./looked-up-deployment.ts";

/** `destroy`: deletes one deployment (hosted service), with its traces if asked, and waits until it is gone. */
export async function runDestroy(session: Session): Promise<JudgedReport> {
  if (session.options.confirm === undefined)
    throw new UsageError(
      `destroy needs ${spellInput(session.entryPoint, "confirm", "<name of the deployment>")}, so that only the one you mean is deleted`,
    );
  return destroy(session);
}

/** Deletes one deployment if its name is confirmed. */
export const destroyTarget: TargetCommand = async (session, documents, controlPlane) => {
  const [only, ...others] = documents ?? [];
  // Only the service knows the name of an id.
  if (only !== undefined && others.length === 0 && only.deploy.id === undefined)
    assertConfirmed(session, only.name);
  const context = toDeployContext(session, controlPlane);
  const target = await findSurely(session, controlPlane, documents);
  const live = await readLeaving(controlPlane, target);
  if (live === null)
    return endWith(session, { deployments: [await toAbsent(target, controlPlane)] });
  assertConfirmed(session, live.name);
  await publishStart(session, [{ name: target.name, live }]);
  const report = await removeDeployment(context, live, {
    deleteTraces: session.options.deleteTraces,
    timeoutMs: timeoutOf(session.options.timeoutMs, target.desired?.deploy),
  });
  return endWith(session, { deployments: [report] });
};

const destroy = overTargets("writes", destroyTarget);

/** Pauses before looking again: a list may be stale, and a deployment created a moment ago would survive. */
const LOOK_AGAIN_MS = [2_500, 2_500];

async function findSurely(
  session: Session,
  controlPlane: ControlPlane,
  documents: readonly Desired[] | null,
): Promise<Target> {
  const look = (): Promise<Target> => findOnly(session, controlPlane, documents);
  const isEnd = ({ desired, found }: Target): boolean =>
    desired === null || desired.deploy.id !== undefined || found.state !== "absent";
  const startedAt = session.clock.monotonic();
  const known = await look();
  if (isEnd(known)) return known;
  session.host.progress("not found yet: looking for 5 s more, since a list may be stale");
  const timeoutMs = timeoutOf(session.options.timeoutMs, known.desired?.deploy);
  const schedule = pausesOf(LOOK_AGAIN_MS);
  const deadlineMs = startedAt + timeoutMs;
  return (await lookUntil(session, { known, look, isEnd, schedule, deadlineMs })).seen;
}

function assertConfirmed({ options }: Session, name: string): void {
  if (options.confirm !== name)
    throw new UsageError(
      `confirm is ${options.confirm}, and the deployment is named ${name}: nothing was deleted`,
    );
}

/** There is nothing to delete; red if that is not proved. */
async function toAbsent(target: Target, controlPlane: ControlPlane): Promise<DeploymentReport> {
  if (isUnproved(target)) return toMissingReport(target);
  // A wrong address also says that no id exists.
  if (target.found.state !== "deleting" && !(await servesAnything(controlPlane)))
    return toMissingReport({
      ...target,
      found: { state: "lookup-unavailable", status: 404, served: false },
    });
  return {
    ...blankDeployment(target.name),
    outcome: "unchanged",
    reason: "absent",
    message: `nothing to delete: ${whyMissing(target)}`,
  };
}
