import { spellInput } from "../model/entry-point.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import { type DeployContext, unwaitedWords } from "./context.ts";
import { startRun, type DeploymentRun } from "./document-run.ts";
import { awaitGone } from "./gone.ts";
import { isDeleting } from "./identity.ts";
import { cancelled, createTracker, failed, track, type DeploymentEnd } from "./tracker.ts";
import { reportOf } from "./wait.ts";
import { endOfWrite, repeatWhileBusy, sendAndReconcile, type Written } from "./write.ts";

/** What a removal deletes besides the deployment, and its time limit. */
export interface RemovalOptions {
  readonly deleteTraces: boolean;
  readonly timeoutMs: number;
}

/**
 * Deletes one deployment, with its traces if asked, and waits until it is gone; every end is a
 * report, a cancel included.
 */
export async function removeDeployment(
  context: DeployContext,
  live: LiveDeployment,
  { deleteTraces, timeoutMs }: RemovalOptions,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.previous_revision_id = live.active_revision_id;
  const run = startRun(context, tracker, timeoutMs);
  return reportOf(run, () => remove(run, live, deleteTraces), {
    cancelled: ({ tracker }) => cancelledRemoval(live, tracker.changed),
  });
}

function cancelledRemoval(live: LiveDeployment, changed: boolean): DeploymentEnd {
  if (!changed && !isDeleting(live))
    return cancelled(`cancelled: nothing was sent, deployment ${live.id} is as it was`);
  return cancelled(`cancelled: deployment ${live.id} is still being deleted`, WAITS_AGAIN);
}

const WAITS_AGAIN = "Run destroy again: it waits until the deployment is gone";

/** If somebody is deleting it already, nothing is sent. */
async function remove(
  run: DeploymentRun,
  live: LiveDeployment,
  deleteTraces: boolean,
): Promise<DeploymentEnd> {
  const { context, tracker } = run;
  const { id } = live;
  const isForeign = isDeleting(live);
  const sent = isForeign ? "taken" : await sendDelete(run, live, deleteTraces);
  if (typeof sent === "object") return sent;
  const already = `deployment ${id} is being deleted${isForeign ? " already" : ""}`;
  if (!context.policy.wait && sent === "taken")
    return {
      outcome: isForeign ? "unchanged" : "started",
      message: `${already}, and ${unwaitedWords(context)}`,
    };
  if (isForeign) context.progress(`${already}: waiting until it is gone`);
  const stays = (now: LiveDeployment): DeploymentEnd | null =>
    sent === "not-found" && !isDeleting(now)
      ? toNoDelete(`it answers 404, and deployment ${id} is there`, live)
      : null;
  const late = await awaitGone(run, id, stays);
  if (late !== null) return late.outcome === "timed-out" ? { ...late, next: [WAITS_AGAIN] } : late;
  // Nothing serves at the address of a deployment that is gone.
  tracker.url = "";
  if (isForeign)
    return {
      outcome: "unchanged",
      message: `deployment ${id} was being deleted already, and is gone now`,
    };
  return {
    outcome: "updated",
    message: deleteTraces
      ? `deployment ${id} and its tracing project were deleted`
      : `deployment ${id} was deleted; its traces stay`,
  };
}

const toNoDelete = (why: string, { id }: LiveDeployment): DeploymentEnd =>
  failed(
    "no-delete",
    `this service cannot delete deployments (${why}): delete ${id} in its own page`,
  );

/** Sends the delete. `not-found`: the service answers 404, as one without deletes does too; only a read shows which it is. */
async function sendDelete(
  run: DeploymentRun,
  live: LiveDeployment,
  deleteTraces: boolean,
): Promise<"taken" | "not-found" | DeploymentEnd> {
  const { context } = run;
  const input = spellInput(context.policy.entryPoint, "delete-traces", true);
  context.progress(
    deleteTraces
      ? `${live.name}: deleting deployment ${live.id} and its tracing project with all traces (${input})`
      : `${live.name}: deleting deployment ${live.id}; its traces stay (${input} deletes them too)`,
  );
  const sent = await repeatWhileBusy(run, () => writeDelete(run, live, deleteTraces));
  if (sent.state === "taken") return "taken";
  const end = endOfWrite(sent);
  const status = end.error instanceof ServiceError ? end.error.status : null;
  if (status === 404) return "not-found";
  return status === 405 || status === 501 ? toNoDelete(`it answers ${status}`, live) : end;
}

/** Deletes a deployment; after a lost response, reads whether it is gone or being deleted. */
function writeDelete(
  run: DeploymentRun,
  live: LiveDeployment,
  deleteTracingProject: boolean,
): Promise<Written> {
  return sendAndReconcile(run, {
    what: `delete of ${live.name}`,
    send: async (controlPlane) => {
      const result = await controlPlane.deleteDeployment(live.id, { deleteTracingProject });
      return result.state === "taken" ? { state: "taken", reply: live } : result;
    },
    look: async (controlPlane) => {
      const now = await controlPlane.getDeployment(live.id);
      return now === null || isDeleting(now)
        ? { state: "yes", live: now ?? live }
        : { state: "no" };
    },
    howToFindOut: ["Run destroy again: it reads what is there and deletes only that"],
  });
}
