import { ONCE_GONE } from "../report/wording.ts";
import type { LiveDeployment } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { spellPath } from "../model/dialect.ts";
import { findNotShown } from "../plan/comparison.ts";
import { judgeLatest } from "../plan/decision.ts";
import type { Step } from "../plan/plan.ts";
import type { JsonObject } from "../model/json.ts";
import { serviceOf, type DocumentRun } from "./document-run.ts";
import { findUnapplied } from "./live-check.ts";
import { createStep } from "./create-step.ts";
import { awaitNamed, isDeleting, readUntil } from "./identity.ts";
import { isOver, pausesOf } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { byId, newerThan, pushedOf, type LatestAtStart } from "./own-revision.ts";
import { sendRedeploy } from "./redeployment.ts";
import { servedAtEnd } from "./serving.ts";
import type { DeploymentEnd } from "./tracker.ts";
import { uploadSource } from "./upload-source.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import type { WaitRequest } from "./wait-request.ts";
import { LOOK_AFTER_MS, lookAt, sendAndReconcile } from "./write.ts";
import { isApplied, toWait, waiting, withHidden, type Waiting, type Written } from "./written.ts";

/** Pauses before looks for an update in place that the reply does not show yet. */
const CONFIRM_AFTER_MS = [500, 1_500, 4_000];

/** Carries out the steps of a plan in order, up to the wait. */
export async function carryOutSteps(run: DocumentRun, prepared: Prepared): Promise<Written> {
  const carryOut = async (step: Step, live: LiveDeployment | null): Promise<Written> => {
    if (step.kind === "create") return createStep(run, prepared, step);
    if (live === null)
      throw new Error(`a ${step.kind} was planned for ${run.desired.name}, which is not live`);
    switch (step.kind) {
      case "attach":
        return attachStep(run, step.revisionId, live);
      case "await-push":
        return pushStep(run, prepared, step.commit, live);
      case "patch":
        return patchStep(run, prepared, step, live);
      case "redeploy":
        return redeployStep(run, step.revisionId, live);
    }
  };
  const live = prepared.found.state === "live" ? prepared.found.deployment : null;
  let result: Waiting = { state: "waiting", wait: null, live, sent: null, unproved: null };
  for (const step of prepared.planned.steps) {
    if (
      result.wait !== null &&
      result.live !== null &&
      step.kind === "patch" &&
      step.makesRevision
    ) {
      const pushed = await waitForPush(run, result.wait, result.live);
      if ("outcome" in pushed) return { state: "ended", end: pushed };
      result = { ...result, live: pushed };
    }
    const done = await carryOut(step, result.live);
    if (done.state !== "waiting") return done;
    result = {
      state: "waiting",
      live: done.live ?? result.live,
      wait: done.wait ?? result.wait,
      sent: done.sent ?? result.sent,
      unproved: done.unproved ?? result.unproved,
    };
  }
  return result;
}

function attachStep(run: DocumentRun, revisionId: string | null, live: LiveDeployment): Waiting {
  run.tracker.revision_id = revisionId;
  return waiting(live, { wait: toWait(run, live, byId(revisionId, "written")) });
}

function pushStep(
  run: DocumentRun,
  { found }: Prepared,
  commit: string,
  live: LiveDeployment,
): Waiting {
  const { context, desired } = run;
  context.progress(
    `${desired.name}: build_on_push is true: waiting for the revision that the push of ${commit.slice(0, 12)} makes`,
  );
  const own = pushedOf(context, commit, live, latestAtStart(found));
  return waiting(live, { wait: toWait(run, live, own) });
}

/**
 * Waits for the revision of a push first: while it is in progress, the revision of our PATCH could
 * not be distinguished from it.
 */
async function waitForPush(
  run: DocumentRun,
  wait: WaitRequest,
  live: LiveDeployment,
): Promise<LiveDeployment | DeploymentEnd> {
  const { context, tracker } = run;
  const end = await waitForRevision(context, wait, tracker);
  if (end.state === "timed-out" || isLate(run)) return toLate(run, end.message, end.deployment);
  tracker.notes.push(
    `the push's own revision ${end.revisionId ?? "(none appeared)"} ended ${end.status ?? end.state} before the update was sent`,
  );
  const now = (await serviceOf(run).getDeployment(live.id)) ?? live;
  tracker.previous_revision_id = now.active_revision_id;
  tracker.latestBefore = now.latest_revision_id;
  return now;
}

const isLate = ({ context, deadlineMs }: DocumentRun): boolean =>
  isOver(deadlineMs - context.clock.monotonic());

/** The time limit passed before the update could be sent. */
function toLate(
  { desired, tracker }: DocumentRun,
  why: string,
  last: LiveDeployment | null,
): DeploymentEnd {
  tracker.serving = servedAtEnd(last, tracker.servedBefore);
  return {
    outcome: "timed-out",
    reason: "timeout",
    message: `${why}. The update of ${desired.name} was not sent: timed out`,
    next: [
      "Run again: it reads what is live and continues from there",
      ...(tracker.id === null ? [] : [reattachLine(tracker.id, tracker.revision_id)]),
    ],
  };
}

async function patchStep(
  run: DocumentRun,
  prepared: Prepared,
  planned: Extract<Step, { kind: "patch" }>,
  given: LiveDeployment,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  let step = planned;
  if (planned.upload !== undefined) {
    const uploaded = await uploadSource(run, given, planned.upload, planned.body);
    if ("outcome" in uploaded) return { state: "ended", end: uploaded };
    step = { ...planned, body: uploaded.body };
  }
  // The latest revision must be known before a new one is made, to distinguish the two.
  const isNamed = step.makesRevision && step.upload === undefined;
  const live = isNamed ? await awaitNamed(context, given, deadlineMs) : given;
  if (isNamed && live.latest_revision_id === null && isLate(run)) {
    const why = `the service names no revision of deployment ${live.id}`;
    return { state: "ended", end: toLate(run, why, live) };
  }
  const isThere = (now: LiveDeployment): boolean =>
    step.makesRevision
      ? now.latest_revision_id !== live.latest_revision_id &&
        isApplied(prepared, withHidden(now, step.body))
      : isApplied(prepared, now);
  const sent = await sendAndReconcile(context, tracker, {
    what: `update of ${desired.name}`,
    lookAfterMs: LOOK_AFTER_MS,
    deadlineMs,
    send: (service) => service.patchDeployment(live.id, step.body, desired.dialect),
    look: lookAt(live, (now) => Promise.resolve(isThere(now))),
    howToFindOut: [
      "Run again: it reads what is live and sends only what is missing",
      reattachLine(live.id, null),
    ],
  });
  if (sent.state !== "taken") return sent;
  for (const path of findNotShown(step.body, sent.deployment))
    tracker.notes.push(`${spellPath(path, desired.dialect)}: sent; the service does not show it`);
  if (!step.makesRevision) {
    const confirmed = await confirmInPlace(run, step.body, live, sent.deployment);
    return step.mayMakeRevision === true ? waitIfBuilt(run, step.body, live, confirmed) : confirmed;
  }
  const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
  const own = newerThan(live, sent.deployment, neverNamed);
  tracker.revision_id = own.id ?? tracker.revision_id;
  return waiting(sent.deployment, { sent: step.body, wait: toWait(run, sent.deployment, own) });
}

/**
 * Only the service knows whether fields outside the table make a revision: either it soon shows
 * one, or it made none.
 */
async function waitIfBuilt(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  written: Written,
): Promise<Written> {
  if (written.state !== "waiting" || written.live === null) return written;
  const isSame = (now: LiveDeployment): boolean =>
    now.latest_revision_id === before.latest_revision_id;
  const now = await readUntil(run.context, written.live, serviceOf(run), {
    isEnd: (live) => !isSame(live),
    schedule: pausesOf(CONFIRM_AFTER_MS),
    deadlineMs: run.deadlineMs,
  });
  if (isSame(now)) return { ...written, live: now };
  return waiting(now, { sent: body, wait: toWait(run, now, newerThan(before, now)) });
}

/** Confirms an update in place that the service accepted: after a few looks at most, it must show it. */
async function confirmInPlace(
  run: DocumentRun,
  body: JsonObject,
  before: LiveDeployment,
  replied: LiveDeployment,
): Promise<Written> {
  const { desired, tracker } = run;
  const unappliedIn = (live: LiveDeployment) => findUnapplied(desired, body, before, live);
  const now = await readUntil(run.context, replied, serviceOf(run), {
    isEnd: (live) => {
      const { unmoved, other } = unappliedIn(live);
      return unmoved.length + other.length === 0;
    },
    schedule: pausesOf(CONFIRM_AFTER_MS),
    deadlineMs: run.deadlineMs,
  });
  const untaken = unappliedIn(now);
  const spelled = (paths: readonly string[]): string =>
    paths.map((path) => spellPath(path, desired.dialect)).join(", ");
  if (untaken.other.length > 0)
    tracker.warnings.push(
      `${spelled(untaken.other)}: sent, and the service shows another value: somebody changed it at the same moment, or the service writes it its own way`,
    );
  // Nothing is waited for afterwards, so nothing else would notice.
  if (isDeleting(now)) return { state: "ended", end: toDeleting(now) };
  if (untaken.unmoved.length === 0) return waiting(now);
  const paths = spelled(untaken.unmoved);
  return {
    state: "ended",
    end: {
      outcome: "failed",
      reason: "not-taken",
      message: `the service answered that it took the update, and still shows ${paths} as before`,
    },
  };
}

function toDeleting({ id }: LiveDeployment): DeploymentEnd {
  return {
    outcome: "failed",
    reason: "deleting",
    message: `the update was taken, but deployment ${id} is being deleted: it will not last`,
    next: [ONCE_GONE],
  };
}

async function redeployStep(
  run: DocumentRun,
  revisionId: string,
  planned: LiveDeployment,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  // Read again: what has changed since shows whether a lost write was accepted.
  const live = (await serviceOf(run).getDeployment(planned.id)) ?? planned;
  const redeploying = { name: desired.name, live, revisionId, deadlineMs };
  const sent = await sendRedeploy(context, tracker, redeploying);
  if (sent.state !== "sent") return sent;
  return waiting(sent.deployment, { wait: toWait(run, sent.deployment, sent.own) });
}

/** The latest revision when the run began: an earlier push may have made it, and it may have failed already. */
function latestAtStart(found: Prepared["found"]): LatestAtStart {
  if (found.state !== "live") return { id: null, state: "settled" };
  const { latest, deployment } = found;
  const isFailed = latest !== null && endOf(latest.status) === "failed";
  const settled = isFailed ? "failed" : "settled";
  return {
    id: deployment.latest_revision_id,
    state: judgeLatest(found) === "unfinished" ? "underWay" : settled,
  };
}
