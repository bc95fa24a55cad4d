import type { DeploymentReport } from "../report/report.ts";
import { listSome } from "../model/count-words.ts";
import { judgeLatest } from "../plan/decision.ts";
import { liveOf } from "../plan/found.ts";
import { nothingToDo, type DeploymentPlan } from "../plan/plan.ts";
import { boundedBy, timeoutOf, type DeployContext, unwaitedWords } from "./context.ts";
import {
  planFresh,
  planUntil,
  startRun,
  type DeploymentRun,
  type DocumentRun,
} from "./document-run.ts";
import { awaitUniqueness } from "./duplicates.ts";
import { freshenPlan, holdToShown } from "./fresh-plan.ts";
import { planOnceGone } from "./gone.ts";
import type { Directory } from "./directory.ts";
import { judgeBuiltCommit, judgeForeign } from "./live-check.ts";
import { LOOK_AGAIN_MS, lookUntil } from "./look.ts";
import type { Prepared } from "./prepare.ts";
import { rollBack } from "./rollback.ts";
import { findActiveBefore, versionOf } from "./serving.ts";
import { carryOutSteps } from "./step.ts";
import {
  blockedEnd,
  createTracker,
  failed,
  trackLatest,
  trackPlan,
  type Tracker,
  type DeploymentEnd,
  type WaitEnd,
} from "./tracker.ts";
import { judgeVerified, runVerify } from "./verify.ts";
import { endOfWait, reattachLine, reportOf, waitForRevision } from "./wait.ts";
import { pauseWhileBusy, stillBusy, type Conflict, type Taken } from "./write.ts";

/** How often one run may plan a document again because the name was taken. */
const MAX_ADOPTIONS = 3;

/** Carries out one plan to its end: write, wait, verify, roll back. Every end except an abort is a report. */
export async function applyDeployment(
  context: DeployContext,
  directory: Directory,
  shown: Prepared,
): Promise<DeploymentReport> {
  const { desired } = shown;
  const tracker = createTracker(desired.name);
  const timeoutMs = timeoutOf(context.policy.timeoutMs, desired.deploy);
  const run = { ...startRun(context, tracker, timeoutMs), directory, desired };
  notePlan(tracker, shown);
  announce(run, shown.planned.plan);
  const work = async (): Promise<DeploymentEnd> => {
    const { seen } = await lookUntil<Round>(context, {
      look: async (last) => {
        const planned = await (last === undefined ? freshenPlan(run, shown) : planAgain(run, last));
        const settled = "outcome" in planned ? planned : await settleUnwritten(run, planned);
        if ("outcome" in settled) return { end: settled };
        const written = await carryOutSteps(run, settled);
        if (written.state === "conflict") return toBetween(run, settled, written, last);
        if (written.state === "ended") return written;
        return { end: await awaitWritten(run, settled, written) };
      },
      isEnd: (round) => "end" in round,
      schedule: (_, round) => pauseBefore(run, round),
      deadlineMs: run.deadlineMs,
    });
    return verifyUnwaited(run, "end" in seen ? seen.end : toConflict(run, seen));
  };
  return reportOf(run, work, { next: nextAfterError });
}

/** The most field names in one line: the plan above shows them all. */
const MAX_NAMES = 3;

/** If nothing is done, the plan has already said so. */
function announce({ context }: DocumentRun, { name, action, changes }: DeploymentPlan): void {
  if (action === "none" || action === "blocked") return;
  const names =
    changes.length === 0 ? "" : ` (${listSome(changes, ({ path }) => path, MAX_NAMES)})`;
  context.progress(`${name}: ${action}${names}`);
}

/** A round of planning and writing: its end, or what somebody else did in between. */
type Round = { readonly end: DeploymentEnd } | Between;

interface Between extends Conflict {
  readonly prepared: Prepared;
  /** How many rounds there were. */
  readonly rounds: number;
  /** Clock time of the first conflict. */
  readonly sinceMs: number;
}

function toBetween(
  { context }: DocumentRun,
  prepared: Prepared,
  conflict: Conflict,
  last: Round | undefined,
): Between {
  const none = { rounds: 0, sinceMs: context.clock.monotonic() };
  const { rounds, sinceMs } = last === undefined || "end" in last ? none : last;
  return { ...conflict, prepared, rounds: rounds + 1, sinceMs };
}

/** The pause before the next round, in milliseconds; null: no further round. */
function pauseBefore({ context, deadlineMs }: DocumentRun, round: Round): number | null {
  if ("end" in round) return null;
  const { over, rounds, sinceMs } = round;
  if (over === "name") return rounds >= MAX_ADOPTIONS ? null : 0;
  const nowMs = context.clock.monotonic();
  return pauseWhileBusy({ tries: rounds, forMs: nowMs - sinceMs, leftMs: deadlineMs - nowMs });
}

/** The current plan, compared with the one that was shown; an end if it cannot be carried out. */
async function planAgain(run: DocumentRun, round: Round): Promise<Prepared | DeploymentEnd> {
  if ("end" in round) return round.end;
  if (round.over === "update" && round.rounds === 1)
    run.context.progress(
      `${run.desired.name}: another update is under way: reading and planning again`,
    );
  const plan = round.over === "name" ? planTaken : planFresh;
  const again = await plan(run, round.prepared);
  return again.planned.plan.action === "create"
    ? toTaken(again, round.error.message)
    : holdToShown(run, round.prepared.planned.plan, again);
}

/** What ends a round before any write, else the plan to carry out, once no deployment of that name is being deleted. */
async function settleUnwritten(
  run: DocumentRun,
  prepared: Prepared,
): Promise<Prepared | DeploymentEnd> {
  const { tracker } = run;
  const { found, planned } = prepared;
  notePlan(tracker, prepared);
  if (planned.plan.action === "blocked") return blockedEnd(planned.plan);
  if (planned.steps.length === 0) {
    trackLatest(tracker, found);
    return toUnwaited(tracker, planned.plan);
  }
  if (found.state !== "deleting") return prepared;
  const again = await planOnceGone(run, prepared, found);
  if ("outcome" in again || again.planned.plan.action === "create") return again;
  // It exists again.
  const held = holdToShown(run, planned.plan, again);
  return "outcome" in held ? held : settleUnwritten(run, held);
}

function nextAfterError({ context, tracker }: DeploymentRun): string[] {
  return tracker.id !== null && tracker.changed
    ? [reattachLine(context, tracker.id, tracker.revision_id)]
    : ["Run again: it reads what is live and continues from there"];
}

function notePlan(tracker: Tracker, prepared: Prepared): void {
  trackPlan(tracker, prepared);
  tracker.before = liveOf(prepared.found);
}

function toUnwaited(tracker: Tracker, plan: DeploymentPlan): DeploymentEnd {
  return tracker.changed
    ? { outcome: "updated", message: "updated in place, no new revision" }
    : { outcome: "unchanged", message: nothingToDo(plan) };
}

/** Waits for the result of the writes, if there is anything to wait for. */
async function awaitWritten(
  run: DocumentRun,
  prepared: Prepared,
  written: Taken,
): Promise<DeploymentEnd> {
  const { context, tracker } = run;
  const { wait, live, unproved } = written;
  if (wait === null) {
    trackLatest(tracker, prepared.found, live);
    return toUnwaited(tracker, prepared.planned.plan);
  }
  if (context.policy.wait)
    return finishWait(run, prepared, written, await waitForRevision(run, wait));
  const duplicates = await awaitUniqueness(run, unproved);
  if (duplicates !== null) return duplicates;
  const { kind, id } = wait;
  const begun =
    kind === "pushed"
      ? "the service builds the push by itself"
      : `revision ${id ?? "(not named yet)"} was started`;
  return {
    outcome: "started",
    message: `${begun}, and ${unwaitedWords(context)}`,
    next: tracker.id === null ? [] : [reattachLine(context, tracker.id, id)],
  };
}

/** Plans again after somebody else took the name; their deployment may take a moment to be listed. */
const planTaken = (run: DocumentRun, shown: Prepared): Promise<Prepared> =>
  planUntil(run, shown, LOOK_AGAIN_MS, ({ planned }) => planned.plan.action !== "create");

function toTaken({ desired, found }: Prepared, message: string): DeploymentEnd {
  const next =
    found.state === "lookup-unavailable"
      ? `Give the id of ${desired.name} with deploy.id or deployment-id: this service has no list to find it by`
      : `No live deployment of that name is found: a tracing project of that name, left by a deleted deployment, keeps it taken. Delete the project, or choose another name`;
  return failed("conflict", message, next);
}

function toConflict(run: DocumentRun, { prepared, over, error, rounds }: Between): DeploymentEnd {
  return over === "name"
    ? toTaken(prepared, error.message)
    : stillBusy(run.desired.name, rounds, error);
}

async function finishWait(
  run: DocumentRun,
  prepared: Prepared,
  written: Taken,
  end: WaitEnd,
): Promise<DeploymentEnd> {
  const { context, tracker } = run;
  const { outcome } = end;
  // Red in any case, and out of time: the next run will see whether there are two.
  const duplicates = outcome === "timed-out" ? null : await awaitUniqueness(run, written.unproved);
  if (duplicates !== null) return duplicates;
  if (outcome === "failed") return rollBack(run, await endOfWait(run, end));
  if (outcome !== "deployed") return endOfWait(run, end);
  await noteActiveBefore(run, prepared, end);
  // A field that was not compared may differ: the revision itself shows what it was built from.
  if (versionOf(written.sent?.["source_revision_config"]) === null)
    tracker.version = versionOf(end.revision?.source_revision_config) ?? tracker.version;
  const foreign = await judgeForeign(run, written.sent, end);
  if (foreign !== null) return foreign;
  const red = (await judgeBuiltCommit(run, prepared, end)) ?? (await runVerify(run, "deployed"));
  // A script killed by the cancel has not failed.
  context.signal.throwIfAborted();
  if (red !== null) return rollBack(run, red);
  return (
    (await judgeVerified(run)) ?? {
      outcome: "deployed",
      message: `revision ${tracker.revision_id} is DEPLOYED and active`,
    }
  );
}

/** Another revision may have been active between the run's write and its own revision. */
async function noteActiveBefore(
  { context, tracker }: DocumentRun,
  { found, planned }: Prepared,
  end: WaitEnd,
): Promise<void> {
  const { id, previous_revision_id: remembered } = tracker;
  if (end.revisionId === null || id === null) return;
  const isQueued = found.state === "live" && judgeLatest(found) === "unfinished";
  if (end.activeBefore !== null) tracker.previous_revision_id = end.activeBefore;
  else if (isQueued && planned.plan.action === "update" && remembered !== null)
    tracker.previous_revision_id = await findActiveBefore(
      boundedBy(context, end.untilMs),
      id,
      end.revisionId,
      remembered,
    );
}

/**
 * Verifies what is live when there was nothing to wait for, so that repeating a job with a failed
 * verify is red again. Rolls nothing back.
 */
async function verifyUnwaited(run: DocumentRun, end: DeploymentEnd): Promise<DeploymentEnd> {
  if (!run.context.policy.wait) return end;
  if (end.outcome !== "unchanged" && end.outcome !== "updated") return end;
  run.tracker.standing = end.outcome;
  const red = await runVerify(run, end.outcome);
  run.context.signal.throwIfAborted();
  return red ?? (await judgeVerified(run)) ?? end;
}
