import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import type { JsonObject, Step } from "../plan/plan.ts";
import type { ControlPlane, WriteResult } from "../service/control-plane.ts";
import type { DeployContext } from "./context.ts";
import { isDeleting, readWhole, type Directory } from "./identity.ts";
import type { WaitRequest } from "./wait.ts";

/** How a write ended, after a read has settled what the wire did not tell. */
export type WriteEnd =
  | { readonly state: "taken"; readonly deployment: LiveDeployment }
  /** Somebody else holds the name, or what the answer calls a conflict: look again. */
  | { readonly state: "conflict"; readonly error: Error }
  | { readonly state: "refused"; readonly error: Error }
  /** Nobody can tell whether it was taken; the message says what is unknown, `next` how to find out. */
  | { readonly state: "undecided"; readonly message: string; readonly next: string };

const MOST_TRIES = 5;
/** A write that timed out may still be under way: look this often, with these pauses, before it counts as not taken. */
const LOOK_AFTER_MS = [500, 1_500, 4_000];
/** Settling a lost answer may take this long even where the time limit has passed: a write is never left unknown for the sake of seconds. */
const SETTLE_MS = 15_000;

type Seen =
  | { readonly state: "yes"; readonly value: LiveDeployment }
  | { readonly state: "no" }
  /** What is there is somebody else's. */
  | { readonly state: "other"; readonly id: string }
  | { readonly state: "unreadable"; readonly error: Error };

interface Writing {
  readonly what: string;
  readonly send: (controlPlane: ControlPlane) => Promise<WriteResult<LiveDeployment>>;
  readonly look: (controlPlane: ControlPlane) => Promise<Seen>;
  readonly howToFindOut: string;
  /** Time of the clock after which nothing is sent any more. */
  readonly deadlineMs: number;
}

/** Sends a write, and reads after every answer that does not tell; repeats it only once a read has shown that it was not taken. */
async function sendAndReconcile(context: DeployContext, writing: Writing): Promise<WriteEnd> {
  const { what, send, howToFindOut } = writing;
  let last: Error = new Error(what);
  const undecided = (why: string): WriteEnd => ({
    state: "undecided",
    message: `${what}: it is unknown whether the service took it (${last.message}), and ${why}`,
    next: howToFindOut,
  });
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    context.signal.throwIfAborted();
    const result = await send(bounded(context, writing.deadlineMs));
    if (result.state === "taken") return { state: "taken", deployment: result.reply };
    if (result.state === "refused") {
      if (result.status !== 409) return { state: "refused", error: result.error };
      // A try that was lost before may be what it is in conflict with.
      const seen = attempt === 1 ? null : await lookOnce(context, writing);
      return seen?.state === "yes"
        ? { state: "taken", deployment: seen.value }
        : { state: "conflict", error: result.error };
    }
    last = result.error;
    if (!context.signal.aborted)
      context.progress(`${what}: no clear answer (${last.message}): reading what is there`);
    const seen = await lookRepeatedly(context, writing);
    if (seen === null) return undecided("the run was cancelled before it could be read");
    if (seen.state === "yes") return { state: "taken", deployment: seen.value };
    if (seen.state === "other")
      return {
        state: "conflict",
        error: new Error(
          `${what}: deployment ${seen.id}, which is somebody else's, has the name now`,
        ),
      };
    if (seen.state === "unreadable") return undecided(`it cannot be read: ${seen.error.message}`);
  }
  return {
    state: "refused",
    error: new Error(
      `${what}: tried ${MOST_TRIES} times, and each time a read showed that the service had not taken it. Last answer: ${last.message}`,
      { cause: last },
    ),
  };
}

function bounded(context: DeployContext, deadlineMs: number): ControlPlane {
  return (
    context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane
  );
}

/** Null when the run is cancelled before a look has told. */
async function lookRepeatedly(context: DeployContext, writing: Writing): Promise<Seen | null> {
  let seen: Seen | null = { state: "no" };
  for (const pauseMs of LOOK_AFTER_MS) {
    const stopped = await context.clock.sleep(pauseMs, context.signal).then(
      () => false,
      () => true,
    );
    seen = stopped ? null : await lookOnce(context, writing);
    if (seen?.state !== "no") return seen;
  }
  return seen;
}

async function lookOnce(
  context: DeployContext,
  { look, deadlineMs }: Writing,
): Promise<Seen | null> {
  try {
    return await look(
      bounded(context, Math.max(deadlineMs, context.clock.monotonic() + SETTLE_MS)),
    );
  } catch (error) {
    return context.signal.aborted ? null : { state: "unreadable", error: error as Error };
  }
}

/** Creates a deployment; a lost answer is settled by looking the name up before anything else. `isThere`: what was found is what the body asked for. */
export function writeCreate(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
  body: JsonObject,
  isThere: (live: LiveDeployment) => boolean,
  deadlineMs: number,
): Promise<WriteEnd> {
  return sendAndReconcile(context, {
    what: `create of ${desired.name}`,
    deadlineMs,
    send: (controlPlane) => controlPlane.createDeployment(body, desired.dialect),
    look: async (controlPlane) => {
      const lookup = await directory.findAgain(desired.name, controlPlane);
      if (lookup.state === "absent-lookup")
        return {
          state: "unreadable",
          error: new Error(`the service has no list of deployments (it answers ${lookup.status})`),
        };
      const living = lookup.items.filter((item) => !isDeleting(item));
      const [listed] = living;
      if (listed === undefined) return { state: "no" };
      const whole = await readWhole(controlPlane, listed);
      if (whole === null) return { state: "no" };
      // Two of the name are told by the look that follows every create.
      return living.length > 1 || isThere(whole)
        ? { state: "yes", value: whole }
        : { state: "other", id: whole.id };
    },
    howToFindOut: `Look for a deployment named ${desired.name} in the service's own page: if it is there, run again with its id in deploy.id or deployment-id; if not, run again`,
  });
}

/** Patches a deployment; a lost answer is settled by reading whether the latest revision moved and the fields are there. */
export function writePatch(
  context: DeployContext,
  desired: Desired,
  before: LiveDeployment,
  step: Extract<Step, { kind: "patch" }>,
  isThere: (live: LiveDeployment) => boolean,
  deadlineMs: number,
): Promise<WriteEnd> {
  return sendAndReconcile(context, {
    what: `update of ${desired.name}`,
    deadlineMs,
    send: (controlPlane) => controlPlane.patchDeployment(before.id, step.body, desired.dialect),
    look: async (controlPlane) => {
      const live = await controlPlane.getDeployment(before.id);
      if (live === null)
        return {
          state: "unreadable",
          error: new Error(`deployment ${before.id} is not found any more`),
        };
      const moved = live.latest_revision_id !== before.latest_revision_id;
      return (step.makesRevision ? moved && isThere(live) : isThere(live))
        ? { state: "yes", value: live }
        : { state: "no" };
    },
    howToFindOut: "Run again: it reads what is live and sends only what is missing",
  });
}

/** Redeploys a revision; a lost answer is settled by reading whether a new revision appeared, or this one or its deployment moved. */
export function writeRedeploy(
  context: DeployContext,
  name: string,
  before: LiveDeployment,
  revision: LiveRevision | null,
  revisionId: string,
  deadlineMs: number,
): Promise<WriteEnd> {
  let touchedAt: string | null = null;
  return sendAndReconcile(context, {
    what: `redeploy of ${name}`,
    deadlineMs,
    send: (controlPlane) => controlPlane.redeploy(before.id, revisionId),
    look: async (controlPlane) => {
      const live = await controlPlane.getDeployment(before.id);
      if (live === null)
        return {
          state: "unreadable",
          error: new Error(`deployment ${before.id} is not found any more`),
        };
      if (live.latest_revision_id !== before.latest_revision_id)
        return { state: "yes", value: live };
      // The revision may go on showing its old status for a while; a deployment that was touched once, and not at every read, was redeployed.
      if (live.updated_at !== before.updated_at && live.updated_at === touchedAt)
        return { state: "yes", value: live };
      touchedAt = live.updated_at;
      const now = await controlPlane.getRevision(before.id, revisionId);
      const moved =
        now !== null &&
        revision !== null &&
        (now.status !== revision.status || now.updated_at !== revision.updated_at);
      return moved ? { state: "yes", value: live } : { state: "no" };
    },
    howToFindOut: `Run agent-deploy wait --deployment-id ${before.id} to see its latest revision`,
  });
}

/** Deletes a deployment; a lost answer is settled by reading whether it is gone or going. */
export function writeDelete(
  context: DeployContext,
  live: LiveDeployment,
  deadlineMs: number,
): Promise<WriteEnd> {
  return sendAndReconcile(context, {
    what: `delete of ${live.name}`,
    deadlineMs,
    send: async (controlPlane) => {
      const result = await controlPlane.deleteDeployment(live.id, { deleteTracingProject: true });
      return result.state === "taken" ? { state: "taken", reply: live } : result;
    },
    look: async (controlPlane) => {
      const now = await controlPlane.getDeployment(live.id);
      return now === null || isDeleting(now)
        ? { state: "yes", value: now ?? live }
        : { state: "no" };
    },
    howToFindOut: "Run destroy again: it reads what is there and deletes only that",
  });
}

/** Which revision a redeploy has to be waited for: the new latest one, or the same one once it has moved. */
export function toRedeployed(
  before: LiveDeployment,
  after: LiveDeployment,
  revision: LiveRevision | null,
  revisionId: string,
): Pick<WaitRequest, "revisionId" | "notRevisionIds" | "stale"> {
  const latest = after.latest_revision_id;
  const stale =
    revision === null
      ? null
      : {
          revisionId,
          latestBefore: before.latest_revision_id,
          status: revision.status,
          updatedAt: revision.updated_at,
        };
  if (latest === null) return { revisionId: null, notRevisionIds: [], stale };
  return latest === before.latest_revision_id
    ? { revisionId, notRevisionIds: [], stale }
    : { revisionId: latest, notRevisionIds: [], stale: null };
}
