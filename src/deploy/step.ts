import { ONCE_GONE } from "../report/wording.ts";
import type { LiveDeployment } from "../model/live.ts";
import { spellPath } from "../model/dialect.ts";
import { findNotShown } from "../plan/comparison.ts";
import { extraPaths } from "../plan/extra.ts";
import type { FoundLive } from "../plan/found.ts";
import type { Step } from "../plan/plan.ts";
import { serviceOf, type DocumentRun } from "./document-run.ts";
import { findUnapplied, isApplied } from "./live-check.ts";
import { createStep } from "./create-step.ts";
import { awaitNamed, isDeleting, readUntil } from "./identity.ts";
import { isOver, LOOK_AGAIN_MS, pausesOf } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { byId, newerThan, pushedOf, type OwnRevision } from "./own-revision.ts";
import { sendRedeploy } from "./redeployment.ts";
import { servedAtEnd } from "./serving.ts";
import { failed, timedOut, type DeploymentEnd } from "./tracker.ts";
import { uploadSource } from "./upload-source.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import {
  endedBy,
  lookAt,
  repeatWhileBusy,
  sendAndReconcile,
  taken,
  type Conflict,
  type Taken,
  type Written,
} from "./write.ts";

/** Carries out the steps of a plan in order, up to the wait; there is at least one. */
export async function carryOutSteps(run: DocumentRun, prepared: Prepared): Promise<Written> {
  const { found, planned, desired } = prepared;
  const [unknown] = desired.unknown;
  if (unknown !== undefined)
    throw new Error(`${desired.name}: ${unknown} has no value in this run, so nothing is sent`);
  const carryOut = async (step: Step, live?: LiveDeployment, busy?: Conflict): Promise<Written> => {
    if (step.kind === "create") return createStep(run, prepared, step);
    if (step.kind === "await-push" && found.state === "live")
      return awaitPush(run, found, step.commit);
    if (live === undefined || step.kind === "await-push")
      throw new Error(`a ${step.kind} was planned for ${run.desired.name}, which is not live`);
    switch (step.kind) {
      case "attach":
        run.tracker.revision_id = step.revisionId;
        return taken(live, { wait: byId(step.revisionId, live) });
      case "patch":
        return patchStep(run, prepared, step, live);
      case "redeploy":
        return sendRedeploy(run, live, step.revisionId, busy);
    }
  };
  let result = found.state === "live" ? taken(found.deployment) : null;
  let hasWritten = false;
  for (const step of planned.steps) {
    if (result?.wait != null && step.kind === "patch" && step.makesRevision) {
      const pushed = await waitForPush(run, result.wait, result.live);
      if ("outcome" in pushed) return endedBy(pushed);
      result = { ...result, live: pushed };
    }
    const live = result?.live;
    const done = hasWritten
      ? await repeatWhileBusy(run, (busy) => carryOut(step, live, busy))
      : await carryOut(step, live);
    if (done.state !== "taken") return done;
    hasWritten ||= step.kind === "create" || step.kind === "patch";
    const { wait, sent, unproved } = done;
    result = {
      ...done,
      wait: wait ?? result?.wait ?? null,
      sent: sent ?? result?.sent ?? null,
      unproved: unproved ?? result?.unproved ?? null,
    };
  }
  if (result === null) throw new Error(`no step was planned for ${run.desired.name}`);
  return result;
}

function awaitPush({ context, desired }: DocumentRun, found: FoundLive, commit: string): Taken {
  context.progress(
    `${desired.name}: build_on_push is true: waiting for the revision that the push of ${commit.slice(0, 12)} makes`,
  );
  return taken(found.deployment, { wait: pushedOf(context, commit, found) });
}

/**
 * Waits for the revision of a push first: while it is in progress, the revision of our PATCH could
 * not be distinguished from it.
 */
async function waitForPush(
  run: DocumentRun,
  wait: OwnRevision,
  live: LiveDeployment,
): Promise<LiveDeployment | DeploymentEnd> {
  const { tracker } = run;
  const end = await waitForRevision(run, wait);
  if (end.outcome === "timed-out" || isLate(run)) return toLate(run, end.message, end.deployment);
  tracker.notes.push(
    `the push's own revision ${end.revisionId ?? "(none appeared)"} ended ${end.status ?? end.outcome} before the update was sent`,
  );
  const now = (await serviceOf(run).getDeployment(live.id)) ?? live;
  tracker.previous_revision_id = now.active_revision_id;
  tracker.before = now;
  return now;
}

const isLate = ({ context, deadlineMs }: DocumentRun): boolean =>
  isOver(deadlineMs - context.clock.monotonic());

/** The time limit passed before the update could be sent. */
function toLate(
  { context, desired, tracker }: DocumentRun,
  why: string,
  last: LiveDeployment | null,
): DeploymentEnd {
  tracker.serving = servedAtEnd(last, tracker.before);
  return timedOut(
    `${why}. The update of ${desired.name} was not sent: timed out`,
    "Run again: it reads what is live and continues from there",
    ...(tracker.id === null ? [] : [reattachLine(context, tracker.id, tracker.revision_id)]),
  );
}

type PatchStep = Extract<Step, { kind: "patch" }>;

async function patchStep(
  run: DocumentRun,
  prepared: Prepared,
  planned: PatchStep,
  given: LiveDeployment,
): Promise<Written> {
  const { context, desired, tracker, deadlineMs } = run;
  let { body } = planned;
  if (planned.upload !== undefined) {
    const uploaded = await uploadSource(run, given, planned.upload, body);
    if ("outcome" in uploaded) return endedBy(uploaded);
    body = uploaded.body;
  }
  // The latest revision must be known before a new one is made, to distinguish the two.
  const isNamed = planned.makesRevision && planned.upload === undefined;
  const live = isNamed ? await awaitNamed(context, given, deadlineMs) : given;
  if (isNamed && live.latest_revision_id === null && isLate(run))
    return endedBy(toLate(run, `the service names no revision of deployment ${live.id}`, live));
  const isThere = (now: LiveDeployment): boolean =>
    planned.makesRevision
      ? now.latest_revision_id !== live.latest_revision_id && isApplied(prepared, now, body)
      : isApplied(prepared, now);
  const sent = await sendAndReconcile(run, {
    what: `update of ${desired.name}`,
    send: (service) => service.patchDeployment(live.id, body, desired.dialect),
    look: lookAt(live, isThere),
    howToFindOut: [
      "Run again: it reads what is live and sends only what is missing",
      reattachLine(context, live.id, null),
    ],
  });
  if (sent.state !== "taken") return sent;
  const notShown = [
    ...findNotShown(body, sent.live),
    ...findNotShown(body, sent.live, extraPaths(desired)),
  ];
  for (const path of notShown)
    tracker.notes.push(`${spellPath(path, desired.dialect)}: sent; the service does not show it`);
  if (!planned.makesRevision) return confirmInPlace(run, { ...planned, body }, live, sent);
  const neverNamed = `the service took the update of ${desired.name}, but made no revision of it`;
  const own = newerThan(live, sent.live, neverNamed);
  tracker.revision_id = own.id ?? tracker.revision_id;
  return { ...sent, sent: body, wait: own };
}

/** The deployment once it shows what is expected, or as it is after a few looks. */
function readConfirmed(
  run: DocumentRun,
  live: LiveDeployment,
  isEnd: (now: LiveDeployment) => boolean,
): Promise<LiveDeployment> {
  const { context, deadlineMs } = run;
  const schedule = pausesOf(LOOK_AGAIN_MS);
  return readUntil(context, live, serviceOf(run), { isEnd, schedule, deadlineMs });
}

/** Confirms an update in place that the service accepted: after a few looks at most, it must show it. */
async function confirmInPlace(
  run: DocumentRun,
  { body, mayMakeRevision }: PatchStep,
  before: LiveDeployment,
  sent: Taken,
): Promise<Written> {
  const { desired, tracker } = run;
  const unappliedIn = (live: LiveDeployment) => findUnapplied(desired, body, before, live);
  const now = await readConfirmed(run, sent.live, (live) => {
    const { unmoved, other } = unappliedIn(live);
    return unmoved.length + other.length === 0;
  });
  const untaken = unappliedIn(now);
  const spelled = (paths: readonly string[]): string =>
    paths.map((path) => spellPath(path, desired.dialect)).join(", ");
  if (untaken.other.length > 0)
    tracker.warnings.push(
      `${spelled(untaken.other)}: sent, and the service shows another value: somebody changed it at the same moment, or the service writes it its own way`,
    );
  // Nothing is waited for afterwards, so nothing else would notice.
  if (isDeleting(now)) {
    const message = `the update was taken, but deployment ${now.id} is being deleted: it will not last`;
    return endedBy(failed("deleting", message, ONCE_GONE));
  }
  if (untaken.unmoved.length > 0) {
    const message = `the service answered that it took the update, and still shows ${spelled(untaken.unmoved)} as before`;
    return endedBy(failed("not-taken", message));
  }
  if (mayMakeRevision !== true) return { ...sent, live: now };
  // Only the service knows whether fields outside the table make a revision: either it soon shows one, or it made none.
  const isNew = ({ latest_revision_id: latest }: LiveDeployment): boolean =>
    latest !== before.latest_revision_id;
  const live = await readConfirmed(run, now, isNew);
  return isNew(live)
    ? { ...sent, live, sent: body, wait: newerThan(before, live) }
    : { ...sent, live };
}
