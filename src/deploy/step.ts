import type { LiveDeployment } from "../model/live.ts";
import { planDeployment } from "../plan/decision.ts";
import type { Step } from "../plan/plan.ts";
import type { Desired } from "../spec/desired.ts";
import { timeoutOf, type DeployContext } from "./context.ts";
import { isDeleting, type Directory } from "./identity.ts";
import type { Prepared } from "./prepare.ts";
import { sight, track, type toDeploymentReport, type Tracker } from "./tracker.ts";
import { reattachLine, waitForRevision, type WaitRequest } from "./wait.ts";
import { toRedeployed, writeCreate, writePatch, writeRedeploy, type WriteEnd } from "./write.ts";

const NAMED_WITHIN_MS = 30_000;

type End = Parameters<typeof toDeploymentReport>[1];

/** What carrying out the steps came to. */
export type Written =
  | {
      readonly state: "waiting";
      readonly wait: WaitRequest | null;
      readonly live: LiveDeployment | null;
    }
  | { readonly state: "ended"; readonly end: End }
  | { readonly state: "again"; readonly message: string };

/** Carries out the steps of a plan, in order, up to the wait. */
export async function carryOutSteps(
  context: DeployContext,
  directory: Directory,
  prepared: Prepared,
  tracker: Tracker,
): Promise<Written> {
  let live = prepared.found.state === "live" ? prepared.found.deployment : null;
  let wait: WaitRequest | null = null;
  for (const step of prepared.planned.steps) {
    if (wait !== null && live !== null && step.kind === "patch" && step.makesRevision)
      live = await letPushEnd(context, tracker, wait, live);
    const done = await carryOutStep(context, directory, prepared, tracker, step, live);
    if (done.state === "ended" || done.state === "again") return done;
    live = done.live ?? live;
    wait = done.wait ?? wait;
  }
  return { state: "waiting", wait, live };
}

/** The revision that a push made comes first: with it under way, a PATCH of ours could not be told from it. */
async function letPushEnd(
  context: DeployContext,
  tracker: Tracker,
  wait: WaitRequest,
  live: LiveDeployment,
): Promise<LiveDeployment> {
  const end = await waitForRevision(wait, portsFor(context, tracker));
  tracker.notes.push(
    `the push's own revision ${end.revisionId ?? "(none appeared)"} ended ${end.status ?? end.state} before the update was sent`,
  );
  return (await context.controlPlane.getDeployment(live.id)) ?? live;
}

type Done =
  | Exclude<Written, { state: "waiting" }>
  | {
      readonly state: "done";
      readonly live: LiveDeployment | null;
      readonly wait: WaitRequest | null;
    };

async function carryOutStep(
  context: DeployContext,
  directory: Directory,
  prepared: Prepared,
  tracker: Tracker,
  step: Step,
  live: LiveDeployment | null,
): Promise<Done> {
  const { desired } = prepared;
  if (step.kind === "create") return createStep(context, directory, prepared, tracker, step.body);
  if (live === null)
    throw new Error(`a ${step.kind} was planned for ${desired.name}, which is not live`);
  switch (step.kind) {
    case "attach": {
      tracker.revisionId = step.revisionId;
      return {
        state: "done",
        live,
        wait: toWait(context, desired, live, { revisionId: step.revisionId, notRevisionIds: [] }),
      };
    }
    case "await-push": {
      tracker.changed = true;
      const commit = step.commit.slice(0, 12);
      context.progress(
        `${desired.name}: build_on_push is true: waiting for the revision that the push of ${commit} makes`,
      );
      const neverNamed = `the push of ${commit} made no revision: build_on_push is true, but the service began no build of it`;
      return {
        state: "done",
        live,
        wait: {
          ...toWait(context, desired, live, { revisionId: null, notRevisionIds: known(live) }),
          neverNamed,
        },
      };
    }
    case "patch":
      return patchStep(context, prepared, tracker, step, live);
    case "redeploy":
      return redeployStep(context, desired, tracker, live, step.revisionId);
  }
}

async function patchStep(
  context: DeployContext,
  prepared: Prepared,
  tracker: Tracker,
  step: Extract<Step, { kind: "patch" }>,
  given: LiveDeployment,
): Promise<Done> {
  const { desired } = prepared;
  const live =
    step.makesRevision && given.latest_revision_id === null
      ? await awaitNamed(context, given)
      : given;
  const sent = await writePatch(
    context,
    desired,
    live,
    step,
    (now) => isApplied(prepared, now),
    deadlineOf(context, desired),
  );
  if (sent.state !== "taken") return toEnded(context, tracker, sent);
  noteWrite(tracker, sent.deployment, step.makesRevision ? live : null);
  if (!step.makesRevision) return { state: "done", live: sent.deployment, wait: null };
  const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
  return {
    state: "done",
    live: sent.deployment,
    wait: {
      ...toWait(context, desired, sent.deployment, newRevision(live, sent.deployment)),
      neverNamed,
    },
  };
}

async function redeployStep(
  context: DeployContext,
  desired: Desired,
  tracker: Tracker,
  planned: LiveDeployment,
  revisionId: string,
): Promise<Done> {
  // Read again: whether a lost answer was taken is told by what moved since.
  const live = (await context.controlPlane.getDeployment(planned.id)) ?? planned;
  const revision = await context.controlPlane.getRevision(live.id, revisionId);
  const sent = await writeRedeploy(
    context,
    desired.name,
    live,
    revision,
    revisionId,
    deadlineOf(context, desired),
  );
  if (sent.state !== "taken") return toEnded(context, tracker, sent);
  noteWrite(tracker, sent.deployment, null);
  const redeployed = toRedeployed(live, sent.deployment, revision, revisionId);
  tracker.revisionId = redeployed.revisionId;
  return {
    state: "done",
    live: sent.deployment,
    wait: { ...toWait(context, desired, sent.deployment, redeployed), stale: redeployed.stale },
  };
}

/** The latest revision has to be known before one is made, or the new one could not be told from it. A deployment that never had one is given up on soon. */
async function awaitNamed(context: DeployContext, given: LiveDeployment): Promise<LiveDeployment> {
  const untilMs = context.clock.monotonic() + NAMED_WITHIN_MS;
  let live = given;
  while (live.latest_revision_id === null && context.clock.monotonic() < untilMs) {
    await context.clock.sleep(1_000, context.signal);
    live = (await context.controlPlane.getDeployment(live.id)) ?? live;
  }
  return live;
}

function deadlineOf(context: DeployContext, desired: Desired): number {
  return context.clock.monotonic() + timeoutOf(context, desired.deploy);
}

function toEnded(
  { signal }: DeployContext,
  tracker: Tracker,
  sent: Exclude<WriteEnd, { state: "taken" }>,
): Done {
  if (sent.state !== "undecided")
    return {
      state: "ended",
      end: { outcome: "failed", reason: "refused", message: sent.error.message },
    };
  const next = [sent.next, ...(tracker.id === null ? [] : [reattachLine(tracker.id, null)])];
  const ended = signal.aborted
    ? ({ outcome: "cancelled", reason: "signal" } as const)
    : ({ outcome: "failed", reason: "unknown" } as const);
  return { state: "ended", end: { ...ended, message: sent.message, next } };
}

/** `before`: the deployment ahead of a write that makes a revision, which the reply may name. Null for the other writes. */
function noteWrite(
  tracker: Tracker,
  deployment: LiveDeployment,
  before: Pick<LiveDeployment, "latest_revision_id"> | null,
): void {
  tracker.changed = true;
  track(tracker, deployment);
  const latest = deployment.latest_revision_id;
  if (before !== null && latest !== null && latest !== before.latest_revision_id)
    tracker.revisionId = latest;
}

const known = (live: LiveDeployment): string[] =>
  live.latest_revision_id === null ? [] : [live.latest_revision_id];

function newRevision(
  before: LiveDeployment,
  after: LiveDeployment,
): Pick<WaitRequest, "revisionId" | "notRevisionIds"> {
  const latest = after.latest_revision_id;
  return latest !== null && latest !== before.latest_revision_id
    ? { revisionId: latest, notRevisionIds: [] }
    : { revisionId: null, notRevisionIds: known(before) };
}

/** Whether nothing is left to send when planned against what is live now; hidden secret values count as sent. */
function isApplied(prepared: Prepared, now: LiveDeployment): boolean {
  const found = { state: "live", deployment: now, latest: null, active: null } as const;
  const { plan, steps } = planDeployment({
    desired: prepared.desired,
    found,
    commit: { state: "skipped", why: "", onMerge: false },
    lookups: prepared.lookups,
    policy: { create: "auto", force: false, secretsUnknown: "keep" },
  });
  return plan.blockers.length === 0 && !steps.some((step) => step.kind === "patch");
}

async function createStep(
  context: DeployContext,
  directory: Directory,
  prepared: Prepared,
  tracker: Tracker,
  body: Extract<Step, { kind: "create" }>["body"],
): Promise<Done> {
  const { desired } = prepared;
  const sent = await writeCreate(
    context,
    directory,
    desired,
    body,
    (now) => isApplied(prepared, now),
    deadlineOf(context, desired),
  );
  if (sent.state === "conflict") {
    context.progress(`${desired.name}: the name is taken: looking again`);
    return { state: "again", message: sent.error.message };
  }
  if (sent.state !== "taken") return toEnded(context, tracker, sent);
  noteWrite(tracker, sent.deployment, { latest_revision_id: null });
  const duplicates = await findDuplicates(directory, desired.name, sent.deployment.id, tracker);
  context.signal.throwIfAborted();
  if (duplicates !== null) {
    return {
      state: "ended",
      end: {
        outcome: "blocked",
        reason: "duplicates",
        message: `two deployments are named ${desired.name}: ${duplicates.join(", ")}; one of them is this run's (${sent.deployment.id} answered it). Somebody else created one at the same moment`,
        next: [
          "Delete one of them, then run again; give the other's id with deploy.id or deployment-id",
        ],
      },
    };
  }
  const revisionId = sent.deployment.latest_revision_id;
  return {
    state: "done",
    live: sent.deployment,
    wait: toWait(context, desired, sent.deployment, { revisionId, notRevisionIds: [] }),
  };
}

/** Ids of all live deployments of the name where there is more than one; a list that cannot be read proves nothing, which is said. */
async function findDuplicates(
  directory: Directory,
  name: string,
  createdId: string,
  tracker: Tracker,
): Promise<readonly string[] | null> {
  const lookup = await directory.findAgain(name).catch((error: unknown) => {
    tracker.warnings.push(
      `whether somebody else created a deployment named ${name} at the same moment could not be read: ${(error as Error).message}`,
    );
    return null;
  });
  if (lookup === null || lookup.state !== "found") return null;
  const ids = new Set([
    createdId,
    ...lookup.items.filter((item) => !isDeleting(item)).map((item) => item.id),
  ]);
  return ids.size > 1 ? [...ids] : null;
}

function toWait(
  context: DeployContext,
  desired: Desired,
  live: LiveDeployment,
  revision: Pick<WaitRequest, "revisionId" | "notRevisionIds">,
): WaitRequest {
  return {
    name: desired.name,
    deploymentId: live.id,
    ...revision,
    previousActiveId: live.active_revision_id,
    timeoutMs: timeoutOf(context, desired.deploy),
    pollIntervalMs: context.policy.pollIntervalMs,
    stale: null,
  };
}

/** Ports of a wait that keeps the tracker up to date. */
export function portsFor(
  context: DeployContext,
  tracker: Tracker,
): Parameters<typeof waitForRevision>[1] {
  return {
    controlPlane: context.controlPlane,
    clock: context.clock,
    signal: context.signal,
    progress: context.progress,
    onRevision: (id) => {
      tracker.revisionId = id;
    },
    onStatus: ({ status }) => {
      sight(tracker, status, context.clock);
    },
  };
}
