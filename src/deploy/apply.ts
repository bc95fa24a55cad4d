import type { LiveDeployment } from "../model/live.ts";
import { DEPLOYED, endOf, isDeployed } from "../model/revision-status.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import type { DeploymentReport } from "../report/report.ts";
import { PAGE_LIMIT } from "../service/pages.ts";
import { judgeLatest } from "../plan/decision.ts";
import { nothingToDo, type DeploymentPlan } from "../plan/plan.ts";
import type { Found } from "../plan/plan-draft.ts";
import type { DeployContext } from "./context.ts";
import { diagnose } from "./diagnosis.ts";
import {
  boundedBy,
  planFresh,
  startDocumentRun,
  type DeploymentEnd,
  type DocumentRun,
} from "./document-run.ts";
import { awaitUniqueness } from "./duplicates.ts";
import { freshenPlan, holdToShown } from "./fresh-plan.ts";
import { planOnceGone } from "./gone.ts";
import type { Directory } from "./directory.ts";
import { findForeignFields, warnOfMoved } from "./live-check.ts";
import type { Prepared } from "./prepare.ts";
import { rollBack } from "./rollback.ts";
import { findActiveBefore, servedAtEnd, servedBy, versionOf, wantedVersion } from "./serving.ts";
import { carryOutSteps, portsFor, type Written } from "./step.ts";
import { createTracker, toDeploymentReport, track, type Tracker } from "./tracker.ts";
import { judgeVerified, runVerify } from "./verify.ts";
import {
  NEXT_AFTER_SUPERSEDED,
  nextAfterCause,
  nextAfterTimeout,
  reattachLine,
  waitForRevision,
} from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";

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
  prepared: Prepared,
  tracker = createTracker(prepared.desired.name),
): Promise<DeploymentReport> {
  const run = startDocumentRun(context, directory, prepared.desired, tracker);
  try {
    const end = await carryOutShown(run, prepared);
    return toDeploymentReport(tracker, await verifyStanding(run, end));
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

const STOOD = {
  unchanged: "nothing was changed",
  updated: "the update in place was made before",
} as const;

/** The end of a run that was told to stop. */
export function toCancelled(tracker: Tracker): DeploymentEnd {
  const { id, revisionId } = tracker;
  const cancelled = { outcome: "cancelled", reason: "signal" } as const;
  if (tracker.standing !== null)
    return {
      ...cancelled,
      message: `cancelled before verify had ended: ${STOOD[tracker.standing]}`,
      next: ["Run again: it verifies what is live"],
    };
  const underWay = id !== null && (revisionId !== null || tracker.changed);
  if (!underWay) return { ...cancelled, message: "cancelled before anything was left under way" };
  const next = [reattachLine(id, revisionId)];
  if (!isDeployed(tracker.revisionStatus)) tracker.serving = tracker.servedBefore;
  if (isDeployed(tracker.revisionStatus)) {
    return {
      ...cancelled,
      message: `cancelled after revision ${revisionId} was DEPLOYED, before the run had ended`,
      next,
    };
  }
  const what =
    revisionId === null
      ? `the new revision of deployment ${id}, not named yet,`
      : `revision ${revisionId}`;
  return { ...cancelled, message: `cancelled: ${what} still building`, next };
}

/** The plan that was shown, read and planned again right before its first write. */
async function carryOutShown(run: DocumentRun, shown: Prepared): Promise<DeploymentEnd> {
  notePlan(run.tracker, shown);
  const fresh = await freshenPlan(run, shown);
  return "outcome" in fresh ? fresh : carryOut(run, fresh, 1);
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

async function carryOut(
  run: DocumentRun,
  prepared: Prepared,
  attempt: number,
): Promise<DeploymentEnd> {
  const { tracker } = run;
  const { plan, steps } = prepared.planned;
  notePlan(tracker, prepared);
  const live = prepared.found.state === "live" ? prepared.found.deployment : null;
  if (plan.action === "blocked") {
    return {
      outcome: "blocked",
      reason: plan.blockers[0]?.code ?? "blocked",
      message: plan.blockers.map((blocker) => blocker.message).join(" · "),
    };
  }
  if (steps.length === 0) {
    noteLatest(tracker, live, prepared.found);
    return toStanding(tracker, plan);
  }
  if (prepared.found.state === "deleting") {
    const once = await planOnceGone(run, prepared, prepared.found);
    if (once.state === "ended") return once.end;
    const { again } = once;
    if (again.planned.plan.action !== "create")
      return attempt >= MAX_ADOPTIONS
        ? toConflict(again, "the deployment of that name does not come to rest")
        : carryOutAgain(run, plan, again, attempt);
  }
  const written = await carryOutRepeatedly(run, prepared);
  if (written.state === "again") {
    const again = await planTaken(run, prepared);
    if (attempt >= MAX_ADOPTIONS || again.planned.plan.action === "create")
      return toConflict(again, written.message);
    return carryOutAgain(run, plan, again, attempt);
  }
  if (written.state === "ended") return written.end;
  return awaitWritten(run, prepared, written);
}

/** A plan that was made again since somebody else got in between, held to the one that was shown. */
function carryOutAgain(
  run: DocumentRun,
  shown: DeploymentPlan,
  again: Prepared,
  attempt: number,
): Promise<DeploymentEnd> | DeploymentEnd {
  const held = holdToShown(run, shown, again);
  return "outcome" in held ? held : carryOut(run, held, attempt + 1);
}

/** The end of a run that has nothing to wait for. */
function toStanding(tracker: Tracker, plan: DeploymentPlan): DeploymentEnd {
  return tracker.changed
    ? { outcome: "updated", message: "updated in place, no new revision" }
    : { outcome: "unchanged", message: nothingToDo(plan) };
}

type Waiting = Extract<Written, { state: "waiting" }>;

/** Carries out the steps; where another update is under way, reads, plans and tries again. */
async function carryOutRepeatedly(run: DocumentRun, first: Prepared): Promise<Written> {
  const { clock, signal, progress } = run.context;
  const startedAt = clock.monotonic();
  let prepared = first;
  for (let tries = 1; ; tries += 1) {
    const written = await carryOutSteps(run, prepared);
    if (written.state !== "again" || written.taken) return written;
    const failed: Written = {
      state: "ended",
      end: {
        outcome: "failed",
        reason: "conflict",
        message: `${run.desired.name}: another update is under way, and it did not end in ${tries} tries: ${written.message}`,
        next: ["Run again once the other update has ended"],
      },
    };
    const now = clock.monotonic();
    const enough = tries >= CONFLICT.minTries && now - startedAt >= CONFLICT.forMs;
    const pauseMs = Math.min(CONFLICT.longestMs, CONFLICT.shortestMs * 2 ** (tries - 1));
    if (enough || now + pauseMs >= run.deadlineMs) return failed;
    if (tries === 1)
      progress(`${run.desired.name}: another update is under way: reading and planning again`);
    await clock.sleep(pauseMs, signal);
    const held = holdToShown(run, prepared.planned.plan, await planFresh(run, prepared));
    if ("outcome" in held) return { state: "ended", end: held };
    prepared = held;
    notePlan(run.tracker, prepared);
    const { plan, steps } = prepared.planned;
    if (plan.action === "blocked" || plan.action === "create")
      return { state: "again", taken: true, message: written.message };
    if (steps.length === 0) {
      const live = prepared.found.state === "live" ? prepared.found.deployment : null;
      return { state: "waiting", wait: null, live, sent: null, unproved: null };
    }
  }
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
    const { revisionId, push } = written.wait;
    return {
      outcome: "started",
      message:
        push === undefined
          ? `revision ${revisionId ?? "(not named yet)"} was started, and wait: false does not wait for it`
          : "the service builds the push by itself, and wait: false does not wait for the revision",
      next: tracker.id === null ? [] : [reattachLine(tracker.id, written.wait.revisionId)],
    };
  }
  const end = await waitForRevision(written.wait, portsFor(context, tracker));
  return finishWait(run, prepared, written, end);
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
  const { clock, signal } = run.context;
  let again = await planFresh(run, shown);
  for (const pauseMs of LOOK_AGAIN_MS) {
    const isUp = clock.monotonic() + pauseMs >= run.deadlineMs;
    if (again.planned.plan.action !== "create" || isUp) return again;
    await clock.sleep(pauseMs, signal);
    again = await planFresh(run, shown);
  }
  return again;
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
  const { tracker } = run;
  tracker.revisionId = end.revisionId ?? tracker.revisionId;
  tracker.revisionStatus = end.status ?? tracker.revisionStatus;
  if (end.deployment !== null) track(tracker, end.deployment);
  tracker.untilMs = end.untilMs;
  if (end.state === "failed") tracker.cause = end.revision?.status_message ?? "";
  // Red as it is, and out of time: the next run sees whether there are two.
  if (end.state === "timed-out") return toTimedOut(tracker, end);
  const duplicates =
    written.unproved === null ? null : await awaitUniqueness(run, written.unproved);
  if (duplicates !== null) return duplicates;
  if (end.state === "superseded")
    return {
      outcome: "superseded",
      reason: end.status !== null && endOf(end.status) === "skipped" ? end.status : "superseded",
      message: end.message,
      next: [NEXT_AFTER_SUPERSEDED],
    };
  await noteActiveBefore(run, end);
  // A field that was not compared may differ: the revision itself shows what it was built from.
  if (end.state === "deployed" && versionOf(written.sent?.["source_revision_config"]) === null)
    tracker.version = versionOf(end.revision?.source_revision_config) ?? tracker.version;
  const foreign = end.state === "deployed" ? await judgeForeign(run, written, end) : null;
  if (foreign !== null) return foreign;
  const red = await judgeLive(run, prepared, end);
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
  if (end.state !== "deployed" || end.revisionId === null || id === null) return;
  if (end.activeBefore !== null) tracker.previousRevisionId = end.activeBefore;
  else if (tracker.wentBehind && remembered !== null)
    tracker.previousRevisionId = await findActiveBefore(
      boundedBy(context, end.untilMs),
      id,
      end.revisionId,
      remembered,
    );
}

function toTimedOut(tracker: Tracker, end: WaitEnd): DeploymentEnd {
  tracker.serving = servedAtEnd(end.deployment, tracker.servedBefore);
  const timedOut = { outcome: "timed-out", reason: "timeout", message: end.message } as const;
  if (tracker.id === null) return { ...timedOut, next: [] };
  return {
    ...timedOut,
    next: end.named
      ? nextAfterTimeout(tracker.id, end)
      : ["Run again with force: true to build it all the same", reattachLine(tracker.id, null)],
  };
}

/**
 * A revision that is live without what was wanted. Where the ids show another revision of somebody
 * else's, theirs was taken for ours, or ours was built on top of it; else values that
 * differ are somebody's too, but secrets: a service that trims or drops one changes nothing else.
 */
async function judgeForeign(
  run: DocumentRun,
  written: Waiting,
  end: WaitEnd,
): Promise<DeploymentEnd | null> {
  const { deployment, revisionId } = end;
  if (deployment === null || revisionId === null) return null;
  const fields = findForeignFields(run.desired, written.sent ?? {}, deployment, end.revision);
  if (fields.length === 0) {
    warnOfMoved(run, deployment);
    return null;
  }
  const what = `revision ${revisionId} is DEPLOYED and active, but it does not hold what the spec says (${fields.join(", ")})`;
  const other = await findOther(run, deployment, revisionId, end.untilMs);
  const isForeign = other !== null || fields.some((field) => !field.startsWith("secrets"));
  if (isForeign)
    return {
      outcome: "superseded",
      reason: "superseded",
      message:
        other === null
          ? `${what}; no other revision shows who changed it`
          : `${what}. Revision ${other} was made at the same time: another run's update came in between`,
      next: ["Run again: it reads what is live and sends what is missing"],
    };
  return {
    outcome: "failed",
    reason: "not-taken",
    message: `${what}: the service dropped or changed what it was sent`,
    next: ["Check whether the service accepts this value: a run that sends it again ends the same"],
  };
}

/** A revision that is neither this run's nor was there before it; null where no id shows one. */
async function findOther(
  { context, tracker }: DocumentRun,
  { id, latest_revision_id: latest }: LiveDeployment,
  ownId: string,
  untilMs: number,
): Promise<string | null> {
  const known = [ownId, tracker.latestBefore];
  if (latest !== null && !known.includes(latest)) return latest;
  const lookup = await boundedBy(context, untilMs)
    .listRevisions(id, PAGE_LIMIT)
    .catch(() => null);
  if (lookup?.state !== "found") return null;
  const before = lookup.items.findIndex((one) => one.id === tracker.latestBefore);
  const since = before === -1 ? lookup.items : lookup.items.slice(0, before);
  return since.find((one) => !known.includes(one.id))?.id ?? null;
}

/** Null where the revision is what was wanted and works. */
async function judgeLive(
  run: DocumentRun,
  prepared: Prepared,
  end: WaitEnd,
): Promise<DeploymentEnd | null> {
  const { context, tracker } = run;
  if (end.state === "failed")
    return {
      outcome: "failed",
      reason: end.cause ?? end.status ?? "failed",
      message: end.message,
      next: nextAfterCause(end) ?? (await diagnose(context, tracker)),
    };
  const red = (await judgeBuiltCommit(run, prepared, end)) ?? (await runVerify(run, "deployed"));
  // A script that the cancel killed has not failed.
  context.signal.throwIfAborted();
  return red;
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

/** DEPLOYED must mean: built from the wanted commit, or a descendant of it. */
async function judgeBuiltCommit(
  { context, desired, tracker }: DocumentRun,
  { commit, found }: Prepared,
  end: WaitEnd,
): Promise<DeploymentEnd | null> {
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
  const before = found.state === "live" ? liveCommit(found.deployment) : null;
  // The wanted commit counts as newer than what was live: that one built again does not hold it.
  const stayed = before !== null && sameCommit(built, before);
  if (relation === "unknown" && !stayed) {
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
