import type { LiveDeployment } from "../model/live.ts";
import { DEPLOYED } from "../model/revision-status.ts";
import type { DeploymentReport } from "../report/report.ts";
import { judgeLatest } from "../plan/decision.ts";
import { nothingToDo, type DeploymentPlan } from "../plan/plan.ts";
import type { Found } from "../plan/plan-draft.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { planFresh, startDocumentRun, type DocumentRun } from "./document-run.ts";
import { awaitUniqueness } from "./duplicates.ts";
import { freshenPlan, holdToShown } from "./fresh-plan.ts";
import { planOnceGone } from "./gone.ts";
import type { Directory } from "./directory.ts";
import { judgeBuiltCommit, judgeForeign } from "./live-check.ts";
import { lookUntil, pausesOf } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { rollBack } from "./rollback.ts";
import { findActiveBefore, servedBy, versionOf, wantedVersion } from "./serving.ts";
import { carryOutSteps, type Written } from "./step.ts";
import {
  createTracker,
  toDeploymentReport,
  track,
  type Tracker,
  type DeploymentEnd,
} from "./tracker.ts";
import { judgeVerified, runVerify } from "./verify.ts";
import { cancelledEnd, endOfWait, reattachLine, waitForRevision } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { endOfWrite } from "./write.ts";

/** Most times one run plans a document anew because somebody else took the name, or the deployment does not come to rest. */
const MAX_ADOPTIONS = 3;
/** Pauses between looks for a deployment whose name is taken, but which the list does not show yet. */
const LOOK_AGAIN_MS = [500, 1_500, 4_000];
/** An update that the service calls a conflict is tried again for this long, as a failed read is. */
const CONFLICT = { forMs: 60_000, minTries: 6, shortestMs: 500, longestMs: 10_000 };

/** Carries out one plan to its end: write, wait, verify, roll back. Every end but an abort is a report. */
export async function applyDeployment(
  context: DeployContext,
  directory: Directory,
  shown: Prepared,
  tracker = createTracker(shown.desired.name),
): Promise<DeploymentReport> {
  const run = startDocumentRun(context, directory, shown.desired, tracker);
  try {
    notePlan(tracker, shown);
    const fresh = await freshenPlan(run, shown);
    const end = "outcome" in fresh ? fresh : await carryOut(run, fresh);
    return toDeploymentReport(tracker, await verifyStanding(run, end));
  } catch (error) {
    if (context.signal.aborted) return toDeploymentReport(tracker, cancelledEnd(tracker));
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "service",
      message: (error as Error).message,
      error,
      next: nextAfterError(tracker),
    });
  }
}

function nextAfterError(tracker: Tracker): string[] {
  return tracker.id !== null && tracker.changed
    ? [reattachLine(tracker.id, tracker.revisionId)]
    : ["Run again: it reads what is live and goes on from there"];
}

function notePlan(tracker: Tracker, { desired, planned: { plan }, found }: Prepared): void {
  tracker.plan = plan;
  tracker.id = plan.id;
  const live = found.state === "live" ? found.deployment : null;
  if (live !== null) track(tracker, live);
  tracker.servedBefore = live === null ? null : servedBy(live);
  tracker.previousRevisionId = live?.active_revision_id ?? null;
  tracker.latestBefore = live?.latest_revision_id ?? null;
  tracker.wentBehind =
    found.state === "live" && plan.action === "update" && judgeLatest(found) === "unfinished";
  tracker.version = wantedVersion(desired, live);
}

/** Writes and waits; where somebody else got in between, the plan is made again, held to what was shown, and carried out. */
async function carryOut(run: DocumentRun, fresh: Prepared): Promise<DeploymentEnd> {
  let prepared = fresh;
  for (let adoptions = 1; ; adoptions += 1) {
    const { plan } = prepared.planned;
    const settled = await settle(run, prepared);
    if ("outcome" in settled) return settled;
    if (adoptions >= MAX_ADOPTIONS) return toConflict(settled.again, settled.why);
    const held = holdToShown(run, plan, settled.again);
    if ("outcome" in held) return held;
    prepared = held;
  }
}

/** The plan that was made again, and why. */
interface Again {
  readonly again: Prepared;
  readonly why: string;
}

async function settle(run: DocumentRun, given: Prepared): Promise<DeploymentEnd | Again> {
  const { tracker } = run;
  const { found, planned } = given;
  notePlan(tracker, given);
  if (planned.plan.action === "blocked") return toBlocked(planned.plan);
  if (planned.steps.length === 0) {
    noteLatest(tracker, given.found.state === "live" ? given.found.deployment : null, found);
    return toStanding(tracker, planned.plan);
  }
  if (found.state === "deleting") {
    const once = await planOnceGone(run, given, found);
    if ("outcome" in once) return once;
    if (once.planned.plan.action !== "create")
      return { again: once, why: "the deployment of that name does not come to rest" };
  }
  const { prepared, written } = await writePatiently(run, given);
  switch (written.state) {
    case "waiting":
      return awaitWritten(run, prepared, written);
    case "ended":
      return written.end;
    case "conflict": {
      const again = await planTaken(run, prepared);
      const why = written.error.message;
      return again.planned.plan.action === "create" ? toConflict(again, why) : { again, why };
    }
    default:
      return toUntaken(run, written);
  }
}

const toBlocked = ({ blockers }: DeploymentPlan): DeploymentEnd => ({
  outcome: "blocked",
  reason: blockers[0]?.code ?? "blocked",
  message: blockers.map(({ message }) => message).join(" · "),
});

function toUntaken(
  { context, tracker }: DocumentRun,
  written: Extract<Written, { state: "refused" | "outcome-unknown" }>,
): DeploymentEnd {
  const end = endOfWrite(context, written);
  if (written.state === "refused") return end;
  // It may have been taken, so the report never says that nothing was written.
  tracker.changed = true;
  return tracker.id === null
    ? end
    : { ...end, next: [...(end.next ?? []), reattachLine(tracker.id, null)] };
}

/** The end of a run that has nothing to wait for. */
function toStanding(tracker: Tracker, plan: DeploymentPlan): DeploymentEnd {
  return tracker.changed
    ? { outcome: "updated", message: "updated in place, no new revision" }
    : { outcome: "unchanged", message: nothingToDo(plan) };
}

type Waiting = Extract<Written, { state: "waiting" }>;

/** A plan, and what carrying it out came to. */
interface Carried {
  readonly prepared: Prepared;
  readonly written: Written;
}

/** Carries out the steps; where another update is under way, reads, plans and tries again. */
async function writePatiently(run: DocumentRun, first: Prepared): Promise<Carried> {
  const { clock, progress } = run.context;
  const startedAt = clock.monotonic();
  let tries = 0;
  const { seen } = await lookUntil<Carried>(run.context, {
    look: async (last) => {
      tries += 1;
      if (last === undefined) return { prepared: first, written: await carryOutSteps(run, first) };
      if (tries === 2)
        progress(`${run.desired.name}: another update is under way: reading and planning again`);
      return writeAnew(run, last);
    },
    isEnd: ({ written }) => written.state !== "conflict" || written.over === "name",
    schedule: (pauses) =>
      tries >= CONFLICT.minTries && clock.monotonic() - startedAt >= CONFLICT.forMs
        ? null
        : Math.min(CONFLICT.longestMs, CONFLICT.shortestMs * 2 ** pauses),
    deadlineMs: run.deadlineMs,
  });
  const { prepared, written } = seen;
  if (written.state !== "conflict" || written.over === "name") return seen;
  const end: DeploymentEnd = {
    outcome: "failed",
    reason: "conflict",
    message: `${run.desired.name}: another update is under way, and it did not end in ${tries} tries: ${written.error.message}`,
    next: ["Run again once the other update has ended"],
  };
  return { prepared, written: { state: "ended", end } };
}

/** The steps of the plan as it is by now; a plan that would create after all is one for another round. */
async function writeAnew(run: DocumentRun, { prepared, written }: Carried): Promise<Carried> {
  const held = holdToShown(run, prepared.planned.plan, await planFresh(run, prepared));
  if ("outcome" in held) return { prepared, written: { state: "ended", end: held } };
  notePlan(run.tracker, held);
  const { plan, steps } = held.planned;
  if ((plan.action === "blocked" || plan.action === "create") && written.state === "conflict")
    return { prepared: held, written: { ...written, over: "name" } };
  const live = held.found.state === "live" ? held.found.deployment : null;
  return steps.length === 0
    ? {
        prepared: held,
        written: { state: "waiting", wait: null, live, sent: null, unproved: null },
      }
    : { prepared: held, written: await carryOutSteps(run, held) };
}

/** Waits for what was written, where there is something to wait for. */
async function awaitWritten(
  run: DocumentRun,
  prepared: Prepared,
  written: Waiting,
): Promise<DeploymentEnd> {
  const { context, tracker } = run;
  if (written.wait === null) {
    noteLatest(tracker, written.live, prepared.found);
    return toStanding(tracker, prepared.planned.plan);
  }
  if (!context.policy.wait) {
    const duplicates =
      written.unproved === null ? null : await awaitUniqueness(run, written.unproved);
    if (duplicates !== null) return duplicates;
    const { kind, id } = written.wait.own;
    return {
      outcome: "started",
      message:
        kind === "pushed"
          ? "the service builds the push by itself, and wait: false does not wait for the revision"
          : `revision ${id ?? "(not named yet)"} was started, and wait: false does not wait for it`,
      next: tracker.id === null ? [] : [reattachLine(tracker.id, id)],
    };
  }
  return finishWait(run, prepared, written, await waitForRevision(context, written.wait, tracker));
}

/** A revision that is active counts as DEPLOYED, unless it was read and says another word. */
function noteLatest(tracker: Tracker, live: LiveDeployment | null, found: Found): void {
  tracker.revisionId = live?.latest_revision_id ?? null;
  if (tracker.revisionId === null || live?.active_revision_id !== tracker.revisionId) return;
  const read = found.state === "live" ? found.latest : null;
  tracker.revisionStatus = read?.id === tracker.revisionId ? read.status : DEPLOYED;
}

/** Plans anew after somebody else took the name; their deployment may take a moment to be listed. */
async function planTaken(run: DocumentRun, shown: Prepared): Promise<Prepared> {
  const { seen } = await lookUntil<Prepared>(run.context, {
    look: () => planFresh(run, shown),
    isEnd: ({ planned }) => planned.plan.action !== "create",
    schedule: pausesOf(LOOK_AGAIN_MS),
    deadlineMs: run.deadlineMs,
  });
  return seen;
}

function toConflict({ desired, found }: Prepared, message: string): DeploymentEnd {
  const next =
    found.state === "lookup-unavailable"
      ? `Give the id of ${desired.name} with deploy.id or deployment-id: this service has no list to find it by`
      : `No live deployment of that name is found: a tracing project of that name, left by a deleted deployment, keeps it taken. Delete the project, or choose another name`;
  return { outcome: "failed", reason: "conflict", message, next: [next] };
}

async function finishWait(
  run: DocumentRun,
  prepared: Prepared,
  written: Waiting,
  end: WaitEnd,
): Promise<DeploymentEnd> {
  const { context, tracker } = run;
  const { state } = end;
  // Red as it is, and out of time: the next run sees whether there are two.
  const duplicates =
    state === "timed-out" || written.unproved === null
      ? null
      : await awaitUniqueness(run, written.unproved);
  if (duplicates !== null) return duplicates;
  if (state === "failed")
    return rollBack(run, await endOfWait(context, tracker, { ...end, state }));
  if (state !== "deployed") return endOfWait(context, tracker, { ...end, state });
  await noteActiveBefore(run, end);
  // A field that was not compared may differ: the revision itself shows what it was built from.
  if (versionOf(written.sent?.["source_revision_config"]) === null)
    tracker.version = versionOf(end.revision?.source_revision_config) ?? tracker.version;
  const foreign = await judgeForeign(run, written.sent, end);
  if (foreign !== null) return foreign;
  const red = (await judgeBuiltCommit(run, prepared, end)) ?? (await runVerify(run, "deployed"));
  // A script that the cancel killed has not failed.
  context.signal.throwIfAborted();
  if (red !== null) return rollBack(run, red);
  return (
    (await judgeVerified(run)) ?? {
      outcome: "deployed",
      message: `revision ${tracker.revisionId} is DEPLOYED and active`,
    }
  );
}

/** Another revision may have been active between the run's write and its own revision. */
async function noteActiveBefore({ context, tracker }: DocumentRun, end: WaitEnd): Promise<void> {
  const { id, previousRevisionId: remembered } = tracker;
  if (end.revisionId === null || id === null) return;
  if (end.activeBefore !== null) tracker.previousRevisionId = end.activeBefore;
  else if (tracker.wentBehind && remembered !== null)
    tracker.previousRevisionId = await findActiveBefore(
      boundedBy(context, end.untilMs),
      id,
      end.revisionId,
      remembered,
    );
}

/** A run that found nothing to wait for verifies what stands, so that a second run of a job whose verify failed is red again. Nothing is rolled back. */
async function verifyStanding(run: DocumentRun, end: DeploymentEnd): Promise<DeploymentEnd> {
  if (!run.context.policy.wait) return end;
  if (end.outcome !== "unchanged" && end.outcome !== "updated") return end;
  run.tracker.standing = end.outcome;
  const red = await runVerify(run, end.outcome);
  run.context.signal.throwIfAborted();
  return red ?? (await judgeVerified(run)) ?? end;
}
