import { tookMsOf, UUID, type LiveDeployment, type LiveRevision } from "../model/live.ts";
import { endOf, isDeployed, statusRow } from "../model/revision-status.ts";
import { ONCE_GONE, durationWords } from "../report/wording.ts";
import { readShownRevisions, type RevisionLookup } from "../service/revision-lookup.ts";
import { boundedBy } from "./context.ts";
import type { DeploymentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { createLogStream, type LogStream } from "./log-stream.ts";
import type { OwnReads, OwnRevision } from "./own-revision.ts";
import { createProgressLog, type ProgressLog } from "./progress-log.ts";
import { createReader, type Reader } from "./revision-reader.ts";
import { beforeLimitMs, ENDING_MS, isOver } from "./look.ts";
import { failed, timedOut, type DeploymentEnd, type WaitEnd } from "./tracker.ts";

const INTERRUPTED_FOR_MS = 30_000;
/**
 * How long a given revision may be unknown, or one may be gone with its deployment, before that
 * counts, since a service may lag; and the longest delay between these looks.
 */
const UNKNOWN = { forMs: 20_000, delayMs: 5_000 };
/** After this long, look up how long the newest revisions took: the median of a few. */
const USUAL = { afterMs: 30_000, revisions: 6 };
/** Time limit for reads that only inform the reader. */
const ASIDE_MS = 2_000;

/** State of a watch; times in milliseconds of the monotonic clock. */
interface Watched {
  readonly run: DeploymentRun;
  readonly own: OwnRevision;
  readonly reader: Reader;
  readonly reads: OwnReads;
  readonly progressLog: ProgressLog;
  readonly logStream: LogStream | null;
  readonly startedAt: number;
  /** How many statuses in the timeline are from before this wait. */
  readonly seenBefore: number;
  status: string | null;
  statusSince: number;
  leftQueueAt: number | null;
  revisionId: string | null;
  revision: LiveRevision | null;
  /** The redeployed revision still shows its old state. */
  isUnmoved: boolean;
  unknownSince: number | null;
  /** Since when neither the deployment nor the revision exists. */
  goneSince: number | null;
  /** Whether the deployment was read after the revision was seen DEPLOYED. */
  isActiveRead: boolean;
  isUsualKnown: boolean;
  /** Clock time until which the current look may read. */
  lookUntilMs: number;
  /** Clock time until which logs are read; set at the end, for the last lines. */
  logUntilMs: number;
}

/** The looks at a revision until it ends, which neither sleep nor loop. `overdue`: the end once the time is up. */
export function createWatch(run: DeploymentRun, own: OwnRevision) {
  const { context, tracker, timeoutMs } = run;
  const { clock, live } = context;
  const deploymentId = tracker.id!;
  const startedAt = clock.monotonic();
  const progressLog = createProgressLog(run);
  if (own.id !== null) progressLog.revision(own.id);
  const reader = createReader(deploymentId, context, progressLog.log, () => untilMs(watched));
  const passed: OwnReads["passed"] = () => {
    const ms = clock.monotonic() - startedAt;
    return { ms, share: ms / timeoutMs };
  };
  const watched: Watched = {
    run,
    own,
    reader,
    reads: { ...reader, log: progressLog.log, passed },
    progressLog,
    logStream:
      live === undefined
        ? null
        : createLogStream(
            deploymentId,
            () => boundedBy(context, Math.min(readerUntilMs(watched), watched.logUntilMs)),
            (phase, lines) => live.log(tracker.name, phase, lines),
          ),
    startedAt,
    seenBefore: tracker.timeline.length,
    status: null,
    statusSince: startedAt,
    leftQueueAt: null,
    revisionId: own.id,
    revision: null,
    isUnmoved: own.model !== null && (own.id ?? own.model.id) === own.model.id,
    unknownSince: null,
    goneSince: null,
    isActiveRead: false,
    // Without a previous revision, or one that the run knows, there is nothing to compare with.
    isUsualKnown: own.previousActiveId === null,
    lookUntilMs: 0,
    logUntilMs: Infinity,
  };
  const close = async (ended: WaitEnd): Promise<WaitEnd> => {
    watched.logUntilMs = readerUntilMs(watched);
    await watched.logStream?.settled();
    return ended;
  };
  return {
    look: async (_: unknown, lookUntilMs: number): Promise<WaitEnd | null> => {
      watched.lookUntilMs = lookUntilMs;
      const ended = await look(watched);
      if (ended !== null) return close(ended);
      if (isOver(deadlineMs(watched) - nowMs(watched))) return null;
      progressLog.still(statusWords(watched));
      await logUsual(watched);
      return null;
    },
    isEnd: (ended: WaitEnd | null) => ended !== null,
    schedule: () => nextDelayMs(watched),
    deadlineMs: () => deadlineMs(watched),
    overdue: () => close(overdue(watched)),
  };
}

const deadlineMs = ({ leftQueueAt, startedAt, run }: Watched): number =>
  (leftQueueAt ?? startedAt) + run.timeoutMs;

const nowMs = ({ run }: Watched): number => run.context.clock.monotonic();

/** Until when a look may read: the limit moves when the revision leaves the queue. */
const untilMs = (watched: Watched): number => Math.max(deadlineMs(watched), watched.lookUntilMs);

/** The same for reads besides the revision, so that one more look at it fits in. */
function asideUntilMs(watched: Watched): number {
  const now = nowMs(watched);
  return now + beforeLimitMs(Infinity, untilMs(watched) - now);
}

/** Until when something that decides nothing may be read. */
const readerUntilMs = (watched: Watched): number =>
  Math.min(nowMs(watched) + ASIDE_MS, asideUntilMs(watched));

const isDeploymentDue = (watched: Watched): boolean =>
  watched.reader.isDue(watched.startedAt, deadlineMs(watched) - ENDING_MS);

async function look(watched: Watched): Promise<WaitEnd | null> {
  const { reader, reads, own } = watched;
  if (watched.revisionId === null) await findRevision(watched);
  if (watched.revisionId === null)
    return judgeGone(watched, reader.isMissing() ? null : reader.deployment());
  const read = await reader.readRevision(watched.revisionId);
  if (read?.state !== "found") return lookBeyond(watched, read);
  const next = read.revision;
  const shown = await own.judge(next, reads);
  watched.isUnmoved = shown === "before";
  if (shown === "before") await findRevision(watched);
  if (shown === "other") forget(watched);
  if (shown !== "own") return null;
  watched.goneSince = null;
  watched.revision = next;
  noteStatus(watched, next.status);
  watched.logStream?.follow(next, reader.deployment()?.dialect);
  return judge(watched, next);
}

/** Follows the revision that the deployment names now; after a redeploy it may differ from the one in the response. */
async function findRevision(watched: Watched): Promise<void> {
  const { reader, reads, own, progressLog, run } = watched;
  const deployment = await reader.readDeployment();
  const id = deployment === null ? null : await own.find(deployment, reads);
  if (id === null || id === watched.revisionId) return;
  watched.isUnmoved &&= id === own.model?.id;
  watched.revisionId = id;
  progressLog.revision(id);
  run.tracker.revision_id = id;
  // This run caused the push's revision, although it wrote nothing.
  run.tracker.changed ||= own.kind === "pushed";
}

/** Goes back to waiting for a revision to be named. */
function forget(watched: Watched): void {
  watched.revisionId = null;
  watched.revision = null;
  watched.status = null;
  watched.run.tracker.timeline.length = watched.seenBefore;
}

function end(watched: Watched, how: DeploymentEnd & Pick<WaitEnd, "outcome">): WaitEnd {
  const { own, revisionId, status, revision, reader } = watched;
  return {
    ...how,
    status,
    revisionId,
    revision,
    deployment: reader.deployment(),
    activeBefore: reader.activeBefore(revisionId, own.previousActiveId),
    untilMs: untilMs(watched),
  };
}

const superseded = (watched: Watched, reason: string, message: string, by?: string): WaitEnd =>
  end(watched, {
    outcome: "superseded",
    reason,
    message,
    supersededBy: by,
    next: ["Run again: it compares the spec with what is live now"],
  });

function noteStatus(watched: Watched, next: string): void {
  const { tracker, context } = watched.run;
  const { timeline } = tracker;
  const [atMs, monotonicMs] = [context.clock.now(), context.clock.monotonic()];
  if (next === watched.status) {
    const last = timeline.pop();
    if (last !== undefined) timeline.push({ ...last, seenMs: atMs });
    return;
  }
  timeline.push({ status: next, atMs, seenMs: atMs });
  tracker.revision_status = next;
  const row = statusRow(next);
  if (row?.waitsForTurn !== true) watched.leftQueueAt ??= monotonicMs;
  const remark = row === undefined ? " (a status never seen before: still waiting)" : "";
  watched.progressLog.change(next, remark);
  watched.isActiveRead = false;
  watched.status = next;
  watched.statusSince = monotonicMs;
}

/** A service skips a revision because of newer ones; if it names no other, the report claims none. */
async function endSkipped(watched: Watched, { id, status }: LiveRevision): Promise<WaitEnd> {
  const latest = (await watched.reader.readDeployment())?.latest_revision_id ?? null;
  const skipped = `revision ${id} was skipped by the service`;
  return latest === null || latest === id
    ? superseded(watched, status, `${skipped}, which names no newer one`)
    : superseded(watched, status, `${skipped}: a newer one overtook it`, latest);
}

async function judge(watched: Watched, next: LiveRevision): Promise<WaitEnd | null> {
  const { reader, own, statusSince } = watched;
  const ended = endOf(next.status);
  if (ended === "failed") return end(watched, failed(next.status, failureSentence(next)));
  if (ended === "skipped") return endSkipped(watched, next);
  if (ended === "interrupted" && nowMs(watched) - statusSince >= INTERRUPTED_FOR_MS) {
    const words = `revision ${next.id} was interrupted and did not recover within ${INTERRUPTED_FOR_MS / 1000} s`;
    return end(watched, failed(next.status, words));
  }
  const isDeployed = ended === "deployed";
  if (!isDeployed && !isDeploymentDue(watched)) return null;
  const deployment = await reader.readDeployment(isDeployed ? undefined : asideUntilMs(watched));
  if (deployment !== null && isDeleting(deployment)) return endDeleting(watched);
  if (isDeployed) watched.isActiveRead ||= deployment !== null;
  if (isDeployed && deployment?.active_revision_id === next.id)
    return end(watched, { outcome: "deployed", message: `revision ${next.id} is active` });
  // Whether another revision became active after ours.
  const other = await reader.newerActive(next, own.previousActiveId);
  if (other === null) return null;
  const words = isDeployed
    ? `revision ${next.id} was built, but revision ${other} is active: somebody deployed on top of it`
    : `revision ${other}, newer than revision ${next.id}, is active`;
  return superseded(watched, "superseded", words, other);
}

/** Whether something has been so at every look for a while. */
function hasLasted(watched: Watched, since: "unknownSince" | "goneSince", isSo: boolean): boolean {
  const now = nowMs(watched);
  watched[since] = isSo ? (watched[since] ?? now) : null;
  return isSo && now - watched[since]! >= UNKNOWN.forMs;
}

/** Ends the wait if the service has answered for a while that the given revision does not exist. */
function judgeUnknown(watched: Watched, read: RevisionLookup | null): WaitEnd | null {
  const { own, run, revision } = watched;
  const isUnknown = own.kind === "given" && revision === null && read !== null;
  // A malformed id does not become one.
  const isNoId = isUnknown && read.state === "no-id" && !UUID.test(watched.revisionId ?? "");
  if (!hasLasted(watched, "unknownSince", isUnknown) && !isNoId) return null;
  const why = isNoId ? "that is not an id" : `asked for ${UNKNOWN.forMs / 1000} s`;
  const message = `deployment ${run.tracker.id} has no revision ${watched.revisionId} (${why})`;
  const next = "Check revision-id: it has to be a revision of this deployment";
  return end(watched, failed("not-found", message, next));
}

/** The revision cannot be seen: the deployment shows whether to keep waiting. */
async function lookBeyond(watched: Watched, read: RevisionLookup | null): Promise<WaitEnd | null> {
  const { reader, revision } = watched;
  const unknown = judgeUnknown(watched, read);
  if (unknown !== null) return unknown;
  // A revision that was seen before and is gone was deleted with its deployment.
  const hasVanished = (revision !== null || watched.goneSince !== null) && read !== null;
  if (!hasVanished && !isDeploymentDue(watched)) return null;
  return judgeGone(watched, await reader.readDeployment(asideUntilMs(watched)));
}

/**
 * A deployment was deleted if it and its revision have returned 404 for a while and the service's
 * list does not show it either. Without a list, a 404 may be a temporary error.
 */
async function judgeGone(
  watched: Watched,
  deployment: LiveDeployment | null,
): Promise<WaitEnd | null> {
  const { reader, run, revisionId } = watched;
  if (deployment !== null && isDeleting(deployment)) return endDeleting(watched);
  const isGone = deployment === null && reader.answered();
  if (!hasLasted(watched, "goneSince", isGone)) return null;
  if (await reader.mayBeListed(asideUntilMs(watched))) {
    watched.goneSince = null;
    return null;
  }
  const message = `deployment ${run.tracker.id} was deleted: it and revision ${revisionId ?? "(not named yet)"} answer 404, and the list does not show it`;
  return end(watched, failed("gone", message, "Run again: it creates a new deployment"));
}

function endDeleting(watched: Watched): WaitEnd {
  const { run, revisionId } = watched;
  const message = `deployment ${run.tracker.id} is being deleted, and revision ${revisionId ?? "(not named yet)"} with it`;
  return end(watched, failed("deleting", message, ONCE_GONE));
}

function overdue(watched: Watched): WaitEnd {
  const { run, own, leftQueueAt } = watched;
  const since = leftQueueAt === null ? "in the queue" : "since it left the queue";
  const limit = `after ${durationWords(run.timeoutMs)} ${since}`;
  const late = end(watched, timedOut(overdueSentence(watched, limit)));
  const { model } = own;
  return watched.isUnmoved && model !== null ? { ...late, unmoved: model } : late;
}

/** Logs once how long such a wait usually takes; leaves out what cannot be read. */
async function logUsual(watched: Watched): Promise<void> {
  const { run, progressLog, startedAt } = watched;
  if (watched.isUsualKnown || nowMs(watched) - startedAt < USUAL.afterMs) return;
  watched.isUsualKnown = true;
  const service = boundedBy(run.context, readerUntilMs(watched));
  const newest = (await readShownRevisions(service, run.tracker.id!, USUAL.revisions)) ?? [];
  const tookMs = newest
    .filter(({ id, status }) => id !== watched.revisionId && isDeployed(status))
    .map(tookMsOf)
    // A revision that the service changed again later did not take that long.
    .filter((ms) => ms !== null && ms < run.timeoutMs)
    .sort((one, other) => one! - other!);
  const median = tookMs[Math.floor(tookMs.length / 2)];
  if (median != null) progressLog.log(`usually takes ${durationWords(median)}`);
}

function nextDelayMs(watched: Watched): number {
  const { run, status, statusSince, startedAt, unknownSince, goneSince } = watched;
  const now = nowMs(watched);
  const limit = unknownSince === null && goneSince === null ? Infinity : UNKNOWN.delayMs;
  const wanted = run.context.pollDelayMs(status, now - statusSince, now - startedAt);
  return Math.max(10, Math.min(wanted, limit));
}

function statusWords({ revisionId, isUnmoved, own, status }: Watched): string {
  if (revisionId === null) return "waiting for the service to name the revision";
  if (isUnmoved) return `${own.model?.status}, as before the redeploy`;
  return status ?? "waiting for the revision to appear";
}

function overdueSentence(watched: Watched, limit: string): string {
  const { run, own, reader, revisionId, status } = watched;
  const unreadable = reader.failure();
  const why = unreadable === null ? "" : `. The status could not be read at last: ${unreadable}`;
  if (revisionId === null) {
    const unnamed =
      own.neverNamed ?? `the service named no new revision of deployment ${run.tracker.id}`;
    return `${unnamed} (${limit.replace(/ in the queue$/, "")})${why}`;
  }
  if (watched.isUnmoved)
    return `revision ${revisionId} is still ${own.model?.status}, as before its redeploy, ${limit}${why}`;
  if (isDeployed(status) && !watched.isActiveRead)
    return `revision ${revisionId} is DEPLOYED, but whether it is active could not be read in time, ${limit}${why}`;
  if (isDeployed(status)) {
    const active = reader.deployment()?.active_revision_id ?? null;
    const served = active === null ? "no revision" : `revision ${active}`;
    return `revision ${revisionId} is DEPLOYED, but ${served} is active ${limit}${why}`;
  }
  if (reader.deployment()?.active_revision_id === revisionId)
    return `revision ${revisionId} is active, but its status ${status === null ? "could not be read" : `was still ${status}`} ${limit.replace(/ in the queue$/, "")}${why}`;
  const prospect = reader.isMissing() ? "" : "; it may still become DEPLOYED";
  return `revision ${revisionId} is ${status ?? "not visible"} ${limit}${prospect}${why}`;
}

const FAILED_IN = {
  queued: " while it was created",
  build: " in its build",
  deploy: " while it was rolled out",
} as const;

function failureSentence({ id, status, status_message }: LiveRevision): string {
  const phase = statusRow(status)?.endsPhase;
  const where = phase === undefined ? "" : FAILED_IN[phase];
  const why = status_message === "" ? "" : `: ${status_message}`;
  return `revision ${id} failed${where} (${status})${why}`;
}
