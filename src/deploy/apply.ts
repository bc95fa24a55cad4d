import type { LiveDeployment } from "../model/live.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import type { DeploymentReport } from "../report/report.ts";
import { nothingToDo } from "../plan/plan.ts";
import { durationWords } from "../report/wording.ts";
import type { Desired } from "../spec/desired.ts";
import { timeoutOf, type DeployContext } from "./context.ts";
import { diagnose } from "./diagnosis.ts";
import type { Directory } from "./identity.ts";
import { idOf, prepareDeployment, type Prepared } from "./prepare.ts";
import { rollBack } from "./rollback.ts";
import { wantedVersion } from "./serving.ts";
import { carryOutSteps, portsFor } from "./step.ts";
import { createTracker, toDeploymentReport, track, type Tracker } from "./tracker.ts";
import { runVerify } from "./verify.ts";
import { reattachLine, waitForRevision, type WaitEnd } from "./wait.ts";

/** Most times one run plans a document anew because somebody else took the name. */
const MOST_ADOPTIONS = 3;
/** Pauses between looks for a deployment whose name is taken, but which the list does not show yet. */
const LOOK_AGAIN_MS = [500, 1_500, 4_000];
const GONE_POLL = { shortestMs: 250, longestMs: 10_000 };

type End = Parameters<typeof toDeploymentReport>[1];

/** Carries out one plan to its end: write, wait, verify, roll back. Every end but an abort is a report. */
export async function applyDeployment(
  context: DeployContext,
  directory: Directory,
  prepared: Prepared,
  tracker = createTracker(prepared.desired.name),
): Promise<DeploymentReport> {
  try {
    return toDeploymentReport(tracker, await carryOut(context, directory, prepared, tracker, 1));
  } catch (error) {
    if (context.signal.aborted) return toDeploymentReport(tracker, toCancelled(tracker));
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "service",
      message: (error as Error).message,
      next: nextAfterError(tracker),
    });
  }
}

function nextAfterError(tracker: Tracker): string[] {
  return tracker.id !== null && tracker.changed
    ? [reattachLine(tracker.id, tracker.revisionId)]
    : ["Run again: it reads what is live and goes on from there"];
}

/** The end of a run that was told to stop. */
export function toCancelled(tracker: Tracker): End {
  const { id, revisionId } = tracker;
  const underWay = id !== null && (revisionId !== null || tracker.changed);
  if (!underWay)
    return {
      outcome: "cancelled",
      reason: "signal",
      message: "cancelled before anything was left under way",
    };
  if (tracker.revisionStatus === "DEPLOYED") {
    return {
      outcome: "cancelled",
      reason: "signal",
      message: `cancelled after revision ${revisionId} was DEPLOYED, before the run had ended`,
      next: [reattachLine(id, revisionId)],
    };
  }
  const what =
    revisionId === null
      ? `the new revision of deployment ${id}, not named yet,`
      : `revision ${revisionId}`;
  return {
    outcome: "cancelled",
    reason: "signal",
    message: `cancelled: ${what} still building`,
    next: [reattachLine(id, revisionId)],
  };
}

async function carryOut(
  context: DeployContext,
  directory: Directory,
  prepared: Prepared,
  tracker: Tracker,
  attempt: number,
): Promise<End> {
  const { plan, steps } = prepared.planned;
  tracker.plan = plan;
  tracker.id = plan.id;
  const live = prepared.found.state === "live" ? prepared.found.deployment : null;
  if (live !== null) track(tracker, live);
  tracker.previousRevisionId = live?.active_revision_id ?? null;
  tracker.version = wantedVersion(prepared.desired, live);
  if (plan.action === "blocked") {
    return {
      outcome: "blocked",
      reason: plan.blockers[0]?.code ?? "blocked",
      message: plan.blockers.map((blocker) => blocker.message).join(" · "),
    };
  }
  if (steps.length === 0) {
    noteLatest(tracker, live);
    return { outcome: "unchanged", message: nothingToDo(plan.unreadable) };
  }
  if (prepared.found.state === "deleting") {
    const gone = await awaitGone(
      context,
      prepared.found.id,
      timeoutOf(context, prepared.desired.deploy),
    );
    if (gone !== null) return gone;
    // Others may have taken the name meanwhile.
    const again =
      idOf(context, prepared.desired) === null
        ? await prepareDeployment(context, directory, prepared.desired, true)
        : prepared;
    if (again.planned.plan.action !== "create")
      return attempt >= MOST_ADOPTIONS
        ? toConflict(again, "the deployment of that name does not come to rest")
        : carryOut(context, directory, again, tracker, attempt + 1);
  }
  const written = await carryOutSteps(context, directory, prepared, tracker);
  if (written.state === "again") {
    const again = await planAgain(context, directory, prepared.desired);
    if (attempt >= MOST_ADOPTIONS || again.planned.plan.action === "create")
      return toConflict(again, written.message);
    return carryOut(context, directory, again, tracker, attempt + 1);
  }
  if (written.state === "ended") return written.end;
  if (written.wait === null) {
    noteLatest(tracker, written.live);
    return { outcome: "updated", message: "updated in place, no new revision" };
  }
  if (!context.policy.wait) {
    return {
      outcome: "started",
      message: `revision ${written.wait.revisionId ?? "(not named yet)"} was started, and wait: false does not wait for it`,
      next: tracker.id === null ? [] : [reattachLine(tracker.id, written.wait.revisionId)],
    };
  }
  const end = await waitForRevision(written.wait, portsFor(context, tracker));
  return finishWait(context, prepared, tracker, end);
}

function noteLatest(tracker: Tracker, live: LiveDeployment | null): void {
  tracker.revisionId = live?.latest_revision_id ?? null;
  if (
    live !== null &&
    live.active_revision_id !== null &&
    live.active_revision_id === live.latest_revision_id
  )
    tracker.revisionStatus = "DEPLOYED";
}

/** Plans anew after somebody else took the name; their deployment may take a moment to be listed. */
async function planAgain(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
): Promise<Prepared> {
  for (const pauseMs of LOOK_AGAIN_MS) {
    const again = await prepareDeployment(context, directory, desired, true);
    if (again.planned.plan.action !== "create") return again;
    await context.clock.sleep(pauseMs, context.signal);
  }
  return prepareDeployment(context, directory, desired, true);
}

function toConflict({ desired, found }: Prepared, message: string): End {
  const next =
    found.state === "lookup-unavailable"
      ? `Give the id of ${desired.name} with deploy.id or deployment-id: this service has no list to find it by`
      : `No live deployment of that name is found: a tracing project of that name, left by a deleted deployment, keeps it taken. Delete the project, or choose another name`;
  return { outcome: "failed", reason: "conflict", message, next: [next] };
}

/** Null once a deployment that is being deleted answers 404; the end of the run where it does not in time. */
async function awaitGone(
  context: DeployContext,
  id: string,
  timeoutMs: number,
): Promise<End | null> {
  const startedAt = context.clock.monotonic();
  const deadlineMs = startedAt + timeoutMs;
  const controlPlane =
    context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
  context.progress(`deployment ${id} is being deleted: waiting until it is gone`);
  for (;;) {
    const waited = context.clock.monotonic() - startedAt;
    const there = await controlPlane.getDeployment(id).then(
      (found) => found !== null,
      (error: unknown) => {
        context.signal.throwIfAborted();
        if (context.clock.monotonic() < deadlineMs)
          context.progress(
            `deployment ${id} cannot be read: still waiting (${(error as Error).message})`,
          );
        return true;
      },
    );
    if (!there) return null;
    if (context.clock.monotonic() >= deadlineMs) {
      return {
        outcome: "timed-out",
        reason: "timeout",
        message: `deployment ${id} is still being deleted after ${durationWords(timeoutMs)}; nothing was created`,
        next: ["Run again once it is gone"],
      };
    }
    await context.clock.sleep(
      Math.max(
        10,
        Math.min(
          deadlineMs - context.clock.monotonic(),
          GONE_POLL.longestMs,
          Math.max(GONE_POLL.shortestMs, waited * 0.1),
        ),
      ),
      context.signal,
    );
  }
}

async function finishWait(
  context: DeployContext,
  prepared: Prepared,
  tracker: Tracker,
  end: WaitEnd,
): Promise<End> {
  tracker.revisionId = end.revisionId ?? tracker.revisionId;
  tracker.revisionStatus = end.status ?? tracker.revisionStatus;
  if (end.deployment !== null) track(tracker, end.deployment);
  if (end.state === "failed") tracker.cause = end.revision?.status_message ?? "";
  if (end.state === "timed-out") {
    const next =
      end.named && tracker.id !== null
        ? [reattachLine(tracker.id, end.revisionId)]
        : tracker.id === null
          ? []
          : ["Run again with force: true to build it all the same", reattachLine(tracker.id, null)];
    return { outcome: "timed-out", reason: "timeout", message: end.message, next };
  }
  if (end.state === "superseded")
    return {
      outcome: "superseded",
      reason: end.status === "SKIPPED" ? "SKIPPED" : "superseded",
      message: end.message,
    };
  const red = await judgeLive(context, prepared, tracker, end);
  return red === null
    ? { outcome: "deployed", message: `revision ${tracker.revisionId} is DEPLOYED and active` }
    : rollBack(context, prepared.desired, tracker, red);
}

/** Null where the revision is what was wanted and works. */
async function judgeLive(
  context: DeployContext,
  prepared: Prepared,
  tracker: Tracker,
  end: WaitEnd,
): Promise<End | null> {
  if (end.state === "failed")
    return {
      outcome: "failed",
      reason: end.status ?? "failed",
      message: end.message,
      next: await diagnose(context, tracker),
    };
  const red =
    (await judgeBuiltCommit(context, prepared, end, tracker)) ??
    (await runVerify(context, prepared.desired, tracker));
  // A script that the cancel killed has not failed.
  context.signal.throwIfAborted();
  return red;
}

/** DEPLOYED must mean: built from the wanted commit, or a descendant of it. */
async function judgeBuiltCommit(
  context: DeployContext,
  { commit, desired }: Prepared,
  end: WaitEnd,
  tracker: Tracker,
): Promise<End | null> {
  if (commit.state !== "wanted" || commit.relation === "behind") return null;
  const own = end.revision?.source_revision_config["repo_commit_sha"];
  // Some services tell the commit on the deployment alone; its values are those of the latest revision.
  const built =
    own ??
    (end.deployment?.latest_revision_id === end.revisionId && end.deployment !== null
      ? liveCommit(end.deployment)
      : null);
  if (typeof built !== "string" || built === "" || sameCommit(built, commit.commit)) return null;
  if (commit.pathsChanged === "no") return null;
  const { relation } = await context.repository.compare(commit.commit, built);
  if (relation === "ahead" || relation === "identical") return null;
  if (relation === "unknown") {
    tracker.warnings.push(
      `revision ${end.revisionId} was built from ${built}; whether that holds the wanted commit ${commit.commit} could not be read`,
    );
    return null;
  }
  return {
    outcome: "failed",
    reason: "commit",
    message: `revision ${end.revisionId} is DEPLOYED, but it was built from ${built}, which does not hold the wanted commit ${commit.commit}`,
    next: [`Run again: the plan for ${desired.name} repeats repo_ref and builds the branch anew`],
  };
}
