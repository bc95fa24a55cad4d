import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf, isDeployed, NAMES_NO_NEWER, statusRow } from "../model/revision-status.ts";
import { durationWords } from "../report/wording.ts";
import { isDeleting } from "./identity.ts";
import { createLogStream } from "./log-stream.ts";
import { createReader, type Reader } from "./revision-reader.ts";
import { beforeLimitMs, ENDING_MS, isOver, pollDelayMs } from "./poll-schedule.ts";
import type { WaitEnd, WaitPorts, WaitRequest } from "./wait-request.ts";

const INTERRUPTED_FOR_MS = 30_000;
/** A given revision that the service does not know: a lagging service may show it a little later. */
const UNKNOWN = { forMs: 20_000, delayMs: 5_000 };
/** A machine that slept so much longer than it was told to was suspended: the look after that may take as long. */
const LATE_LOOK_MS = 2_000;
/** Longest the log stays silent: at first, and in the end. */
const SILENCE = { shortestMs: 30_000, longestMs: 300_000 };

/** One look at a time at a revision; it knows statuses, and neither sleeps nor loops. */
export interface Watch {
  /** Null while there is no end in sight. */
  readonly look: () => Promise<WaitEnd | null>;
  readonly overdue: () => WaitEnd | null;
  readonly delayMs: () => number;
}

/** What a watch is made of, and what it has seen so far; times in milliseconds of the monotonic clock. */
interface Watched {
  readonly request: WaitRequest;
  readonly ports: WaitPorts;
  readonly reader: Reader;
  readonly progressLog: ProgressLog;
  readonly showLog: ReturnType<typeof createLogStream> | null;
  readonly startedAt: number;
  /** Statuses in the timeline that are not of this wait. */
  readonly seenBefore: number;
  status: string | null;
  statusSince: number;
  leftQueueAt: number | null;
  revisionId: string | null;
  revision: LiveRevision | null;
  /** The redeployed revision still shows what it showed before. */
  isStale: boolean;
  unknownSince: number | null;
  /** Since when neither the deployment nor the revision is there. */
  goneSince: number | null;
  /** Whether the deployment could be read after the revision was seen to be DEPLOYED. */
  isActiveRead: boolean;
  /** Time of the clock for which the next look was planned. */
  lookAt: number;
  lateUntil: number;
  /** Revisions that showed a commit from before the push. */
  readonly earlier: Set<string>;
}

/** Nothing is read before the first look. */
export function createWatch(request: WaitRequest, ports: WaitPorts): Watch {
  const { clock, live, controlPlane, signal } = ports;
  const startedAt = clock.monotonic();
  const progressLog = createProgressLog(request, ports);
  if (request.revisionId !== null) progressLog.revision(request.revisionId);
  const showLog =
    live === undefined
      ? null
      : createLogStream(request.deploymentId, {
          controlPlane: () =>
            controlPlane.within?.({ deadlineMs: asideUntilMs(watched), signal }) ?? controlPlane,
          log: (line) => live.log(request.name, line),
        });
  const watched: Watched = {
    request,
    ports,
    reader: createReader(request.deploymentId, ports, progressLog.say, () => untilMs(watched)),
    progressLog,
    showLog,
    startedAt,
    seenBefore: ports.timeline.length,
    status: null,
    statusSince: startedAt,
    leftQueueAt: null,
    revisionId: request.revisionId,
    revision: null,
    isStale: request.stale !== null,
    unknownSince: null,
    goneSince: null,
    isActiveRead: false,
    lookAt: startedAt,
    lateUntil: -Infinity,
    earlier: new Set(),
  };
  return {
    look: () => {
      noteSuspended(watched);
      return look(watched);
    },
    overdue: () => judgeTime(watched),
    delayMs: () => nextDelayMs(watched),
  };
}

const deadlineMs = ({ leftQueueAt, startedAt, request }: Watched): number =>
  (leftQueueAt ?? startedAt) + request.timeoutMs;

const leftMs = (watched: Watched): number => deadlineMs(watched) - watched.ports.clock.monotonic();

/** Until when a look may read: to the limit, but for the one look after that was slept through. */
const untilMs = (watched: Watched): number => Math.max(deadlineMs(watched), watched.lateUntil);

/** The same for what is read beside the revision: one more look at that has to fit in. */
function asideUntilMs(watched: Watched): number {
  const now = watched.ports.clock.monotonic();
  return now + beforeLimitMs(Infinity, untilMs(watched) - now);
}

function noteSuspended(watched: Watched): void {
  const now = watched.ports.clock.monotonic();
  if (now - watched.lookAt >= LATE_LOOK_MS) watched.lateUntil = now + LATE_LOOK_MS;
}

const isDeploymentDue = (watched: Watched): boolean =>
  watched.reader.isDue(watched.startedAt, deadlineMs(watched) - ENDING_MS);

async function look(watched: Watched): Promise<WaitEnd | null> {
  const { reader, request } = watched;
  if (watched.revisionId === null) await nameRevision(watched);
  if (watched.revisionId === null) {
    const deployment = reader.deployment();
    return deployment !== null && isDeleting(deployment)
      ? endDeleting(watched)
      : judgeGone(watched, reader.isMissing() ? null : deployment);
  }
  const next = await reader.readRevision(watched.revisionId);
  if (next === null) return lookBeyond(watched);
  if (watched.isStale && isUnmoved(request.stale, next)) {
    await followRedeployed(watched);
    return null;
  }
  if (await isOfEarlierPush(watched, next)) {
    forget(watched);
    return null;
  }
  watched.isStale = false;
  watched.goneSince = null;
  watched.revision = next;
  noteStatus(watched, next.status);
  await watched.showLog?.(next, reader.deployment()?.dialect);
  return judge(watched, next);
}

function end(watched: Watched, state: WaitEnd["state"], message: string): WaitEnd {
  const { request, revisionId, status, revision, reader } = watched;
  return {
    state,
    named: revisionId !== null,
    status,
    revisionId,
    revision,
    deployment: reader.deployment(),
    activeBefore: reader.activeBefore(revisionId, request.previousActiveId),
    message,
    untilMs: untilMs(watched),
  };
}

function isUnmoved(stale: WaitRequest["stale"], next: LiveRevision): boolean {
  return (
    stale !== null &&
    next.id === stale.revisionId &&
    stale.status === next.status &&
    stale.updatedAt === next.updated_at
  );
}

function noteStatus(watched: Watched, next: string): void {
  const { clock, onStatus, timeline } = watched.ports;
  if (next === watched.status) {
    const last = timeline.pop();
    if (last !== undefined) timeline.push({ ...last, seenMs: clock.now() });
    return;
  }
  timeline.push({ status: next, atMs: clock.now(), seenMs: clock.now() });
  onStatus(next);
  const row = statusRow(next);
  if (row?.waitsForTurn !== true) watched.leftQueueAt ??= clock.monotonic();
  const remark = row === undefined ? " (a status never seen before: still waiting)" : "";
  watched.progressLog.change(next, remark);
  watched.isActiveRead = false;
  watched.status = next;
  watched.statusSince = clock.monotonic();
}

function follow(watched: Watched, id: string): void {
  if (id !== watched.revisionId) watched.progressLog.revision(id);
  watched.revisionId = id;
  watched.ports.onRevision(id);
}

async function latestRevisionId({ reader }: Watched): Promise<string | null> {
  return (await reader.readDeployment())?.latest_revision_id ?? null;
}

async function nameRevision(watched: Watched): Promise<void> {
  const { stale } = watched.request;
  const deployment = await watched.reader.readDeployment();
  const latest = deployment?.latest_revision_id ?? null;
  if (deployment === null || latest === null) return;
  if (stale !== null && latest === stale.latestBefore) follow(watched, stale.revisionId);
  else if (await isOurs(watched, deployment, latest)) follow(watched, latest);
}

/** Whether the latest revision may be the one that is waited for. */
async function isOurs(
  watched: Watched,
  deployment: LiveDeployment,
  latest: string,
): Promise<boolean> {
  const { push, notRevisionIds, timeoutMs } = watched.request;
  const passed = {
    ms: watched.ports.clock.monotonic() - watched.startedAt,
    limitMs: timeoutMs,
  };
  // What was there before, or showed another commit, may show only now that the push made it.
  if (notRevisionIds.includes(latest) || watched.earlier.has(latest))
    return (await push?.isBehind(deployment, passed)) === true;
  return !(await isEarlierById(watched, latest));
}

async function isEarlierById(watched: Watched, id: string): Promise<boolean> {
  if (watched.request.push === undefined) return false;
  const revision = await watched.reader.readRevision(id);
  return revision !== null && isOfEarlierPush(watched, revision);
}

async function isOfEarlierPush(watched: Watched, revision: LiveRevision): Promise<boolean> {
  const { request, reader, earlier, progressLog } = watched;
  const reads = { known: reader.deployment, again: reader.readDeployment };
  const shown = (await request.push?.isEarlier(revision, reads)) ?? null;
  if (shown === null) return false;
  if (!earlier.has(revision.id))
    progressLog.say(
      `revision ${revision.id} shows the earlier commit ${shown.slice(0, 12)}: still waiting for ours`,
    );
  earlier.add(revision.id);
  return true;
}

/** Back to waiting for a revision to be named. */
function forget(watched: Watched): void {
  watched.revisionId = null;
  watched.revision = null;
  watched.status = null;
  watched.ports.timeline.length = watched.seenBefore;
}

/** The redeploy may still get a revision of its own, although the answer named the old one. */
async function followRedeployed(watched: Watched): Promise<void> {
  const { stale } = watched.request;
  const latest = await latestRevisionId(watched);
  if (stale === null || latest === null) return;
  if (latest === stale.latestBefore || latest === watched.revisionId) return;
  watched.isStale = false;
  follow(watched, latest);
}

/** Newer revisions are why the service skips one; where it names none, none is claimed. */
async function skippedSentence(watched: Watched, { id }: LiveRevision): Promise<string> {
  const latest = await latestRevisionId(watched);
  const skipped = `revision ${id} was skipped by the service`;
  return latest === null || latest === id
    ? `${skipped}, ${NAMES_NO_NEWER}`
    : `${skipped}: a newer one overtook it`;
}

async function judge(watched: Watched, next: LiveRevision): Promise<WaitEnd | null> {
  const { reader, ports, statusSince } = watched;
  const ended = endOf(next.status);
  if (ended === "failed") return end(watched, "failed", failureSentence(next));
  if (ended === "skipped") return end(watched, "superseded", await skippedSentence(watched, next));
  if (ended === "interrupted" && ports.clock.monotonic() - statusSince >= INTERRUPTED_FOR_MS) {
    const words = `revision ${next.id} was interrupted and did not recover within ${INTERRUPTED_FOR_MS / 1000} s`;
    return end(watched, "failed", words);
  }
  const isDeployed = ended === "deployed";
  if (!isDeployed && !isDeploymentDue(watched)) return null;
  const deployment = await reader.readDeployment(isDeployed ? undefined : asideUntilMs(watched));
  if (isDeployed) watched.isActiveRead ||= deployment !== null;
  if (deployment !== null && isDeleting(deployment)) return endDeleting(watched);
  if (isDeployed && deployment?.active_revision_id === next.id)
    return end(watched, "deployed", `revision ${next.id} is active`);
  return judgeOther(watched, next, isDeployed);
}

/** Whether another revision has turned active after ours. */
async function judgeOther(
  watched: Watched,
  ours: LiveRevision,
  isDeployed: boolean,
): Promise<WaitEnd | null> {
  const { reader, request } = watched;
  const other = await reader.newerActive(ours, request.previousActiveId);
  if (other === null) return null;
  const words = isDeployed
    ? `revision ${ours.id} was built, but revision ${other} is active: somebody deployed on top of it`
    : `revision ${other}, newer than revision ${ours.id}, is active`;
  return end(watched, "superseded", words);
}

/** The service says that there is no such revision, and has said so for a while. */
function judgeUnknown(watched: Watched): WaitEnd | null {
  const { request, revision, reader, ports } = watched;
  if (request.given !== true || revision !== null || !reader.answered()) {
    watched.unknownSince = null;
    return null;
  }
  watched.unknownSince ??= ports.clock.monotonic();
  if (ports.clock.monotonic() - watched.unknownSince < UNKNOWN.forMs) return null;
  const message = `deployment ${request.deploymentId} has no revision ${watched.revisionId} (404 for ${UNKNOWN.forMs / 1000} s)`;
  return { ...end(watched, "failed", message), cause: "not-found" };
}

/** The revision cannot be seen: the deployment tells whether it is still worth waiting. */
async function lookBeyond(watched: Watched): Promise<WaitEnd | null> {
  const { reader, revision } = watched;
  const unknown = judgeUnknown(watched);
  if (unknown !== null) return unknown;
  // One that was seen before and is gone goes with its deployment.
  const hasVanished = (revision !== null || watched.goneSince !== null) && reader.answered();
  if (!hasVanished && !isDeploymentDue(watched)) return null;
  const deployment = await reader.readDeployment(asideUntilMs(watched));
  return deployment !== null && isDeleting(deployment)
    ? endDeleting(watched)
    : judgeGone(watched, deployment);
}

/**
 * A deployment that answers 404 with its revision for a while, and that the service's list does not
 * show either, was deleted. Without a list a 404 may be a passing error.
 */
async function judgeGone(
  watched: Watched,
  deployment: LiveDeployment | null,
): Promise<WaitEnd | null> {
  const { reader, request, ports, revisionId } = watched;
  if (deployment !== null || !reader.answered()) {
    watched.goneSince = null;
    return null;
  }
  watched.goneSince ??= ports.clock.monotonic();
  if (ports.clock.monotonic() - watched.goneSince < UNKNOWN.forMs) return null;
  if (await reader.mayBeListed(asideUntilMs(watched))) {
    watched.goneSince = null;
    return null;
  }
  const message = `deployment ${request.deploymentId} was deleted: it and revision ${revisionId ?? "(not named yet)"} answer 404, and the list does not show it`;
  return { ...end(watched, "failed", message), cause: "gone" };
}

function endDeleting(watched: Watched): WaitEnd {
  const { request, revisionId } = watched;
  const message = `deployment ${request.deploymentId} is being deleted, and revision ${revisionId ?? "(not named yet)"} with it`;
  return { ...end(watched, "failed", message), cause: "deleting" };
}

/** The end where the time is up; a sign of life where it is not. */
function judgeTime(watched: Watched): WaitEnd | null {
  const { progressLog, request, leftQueueAt } = watched;
  if (!isOver(leftMs(watched))) {
    progressLog.still(standing(watched));
    return null;
  }
  const since = leftQueueAt === null ? "in the queue" : "since it left the queue";
  const limit = `after ${durationWords(request.timeoutMs)} ${since}`;
  const late = end(watched, "timed-out", overdueSentence(watched, limit));
  return watched.isStale && request.stale !== null ? { ...late, unmoved: request.stale } : late;
}

function nextDelayMs(watched: Watched): number {
  const { ports, request, status, statusSince, startedAt, unknownSince, goneSince } = watched;
  const now = ports.clock.monotonic();
  const limit = unknownSince === null && goneSince === null ? Infinity : UNKNOWN.delayMs;
  const wanted = request.pollIntervalMs ?? pollDelayMs(status, now - statusSince, now - startedAt);
  const delayMs = Math.max(10, beforeLimitMs(Math.min(wanted, limit), leftMs(watched)));
  watched.lookAt = now + delayMs;
  return delayMs;
}

function standing({ revisionId, isStale, request, status }: Watched): string {
  if (revisionId === null) return "waiting for the service to name the revision";
  if (isStale) return `${request.stale?.status}, as before the redeploy`;
  return status ?? "waiting for the revision to appear";
}

function overdueSentence(watched: Watched, limit: string): string {
  const { request, reader, revisionId, status } = watched;
  const unreadable = reader.failure();
  const why = unreadable === null ? "" : `. The status could not be read at last: ${unreadable}`;
  if (revisionId === null) {
    const unnamed =
      request.neverNamed ??
      `the service named no new revision of deployment ${request.deploymentId}`;
    return `${unnamed} (${limit.replace(/ in the queue$/, "")})${why}`;
  }
  if (watched.isStale)
    return `revision ${revisionId} is still ${request.stale?.status}, as before its redeploy, ${limit}${why}`;
  if (isDeployed(status) && !watched.isActiveRead)
    return `revision ${revisionId} is DEPLOYED, but whether it is active could not be read in time, ${limit}${why}`;
  if (isDeployed(status)) {
    const active = reader.deployment()?.active_revision_id ?? null;
    const served = active === null ? "no revision" : `revision ${active}`;
    return `revision ${revisionId} is DEPLOYED, but ${served} is active ${limit}${why}`;
  }
  const prospect = reader.isMissing() ? "" : "; it may still become DEPLOYED";
  return `revision ${revisionId} is ${status ?? "not visible"} ${limit}${prospect}${why}`;
}

interface ProgressLog {
  /** Which revision is waited for. */
  readonly revision: (id: string) => void;
  /** One line per status change. */
  readonly change: (status: string, remark: string) => void;
  /** A sign of life where nothing was said for a while, at growing distance. */
  readonly still: (words: string) => void;
  readonly say: (line: string) => void;
}

function createProgressLog(
  { name, deploymentId }: Pick<WaitRequest, "name" | "deploymentId">,
  { clock, progress, live }: WaitPorts,
): ProgressLog {
  const startedAt = clock.monotonic();
  let [spokeAt, silenceMs] = [startedAt, SILENCE.shortestMs];
  const elapsed = (): string => durationWords(clock.monotonic() - startedAt);
  const say = (line: string): void => {
    progress(`${name}: ${line}`);
    spokeAt = clock.monotonic();
  };
  return {
    say,
    revision: (id) => {
      // A runner may kill this process before it can report, so the ids are in the log from the start.
      if (live === undefined) say(`revision ${id} of deployment ${deploymentId}`);
    },
    change: (status, remark) => {
      live?.status(name, status);
      // A live line shows what goes on by itself; what ended stays as a line.
      if (live === undefined || remark !== "" || statusRow(status)?.phase === undefined)
        say(`${status}${remark} after ${elapsed()}`);
      silenceMs = SILENCE.shortestMs;
    },
    still: (words) => {
      if (live !== undefined || clock.monotonic() - spokeAt < silenceMs) return;
      say(`still ${words} after ${elapsed()}`);
      silenceMs = Math.min(SILENCE.longestMs, silenceMs * 2);
    },
  };
}

const PHASES: Readonly<Record<string, string>> = {
  CREATE_FAILED: "while it was created",
  BUILD_FAILED: "in its build",
  DEPLOY_FAILED: "while it was rolled out",
};

function failureSentence(revision: LiveRevision): string {
  const why = revision.status_message === "" ? "" : `: ${revision.status_message}`;
  return `revision ${revision.id} failed ${PHASES[revision.status] ?? ""} (${revision.status})${why}`.replace(
    "  ",
    " ",
  );
}
