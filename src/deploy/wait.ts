import type { Clock } from "../clock.ts";
import type { LiveDisplay } from "../report/live-display.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf, statusRow } from "../model/revision-status.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { StatusTransition } from "../report/report.ts";
import { durationWords } from "../report/wording.ts";
import { isDeleting } from "./identity.ts";
import { createLogStream } from "./log-stream.ts";
import { createReader } from "./revision-reader.ts";

/** What to wait for. Times in milliseconds. */
export interface WaitRequest {
  readonly name: string;
  readonly deploymentId: string;
  /** Null: the service has not named it yet; the deployment is read until its latest revision is none of `notRevisionIds`. */
  readonly revisionId: string | null;
  readonly notRevisionIds: readonly string[];
  /** The revision that was active before; another one that turns active is somebody else's. Null: any other may be, and is compared by age. */
  readonly previousActiveId: string | null;
  /** Counted from leaving the queue; the queue itself has the same limit. */
  readonly timeoutMs: number;
  /** Null: adaptive, see `pollDelayMs`. */
  readonly pollIntervalMs: number | null;
  /** Set after a redeploy. */
  readonly stale: Stale | null;
  /** The user gave the id: one that the service does not know is an error. One that a write returned may only be late. */
  readonly given?: boolean;
  /** What to say when the service never names a revision; null: in general words. */
  readonly neverNamed?: string;
}

/**
 * A revision as it was before its redeploy. Where the service keeps its id, that status counts again only once it, or `updatedAt`,
 * has moved; where the deployment gets another latest revision than `latestBefore`, that one is waited for.
 */
export interface Stale {
  readonly revisionId: string;
  readonly latestBefore: string | null;
  readonly status: string;
  readonly updatedAt: string;
}

/** How a wait ended; a value, since every end is expected. */
export interface WaitEnd {
  readonly state: "deployed" | "failed" | "superseded" | "timed-out";
  /** Whether the service has named the revision. */
  readonly named: boolean;
  /** The last status seen, or a word for why (`INTERRUPTED`, `BUILD_FAILED`). */
  readonly status: string | null;
  readonly revisionId: string | null;
  readonly revision: LiveRevision | null;
  readonly deployment: LiveDeployment | null;
  readonly timeline: readonly StatusTransition[];
  readonly message: string;
  /** Set where the service does not know the revision. */
  readonly unknown?: boolean;
}

/** What the wait needs from outside. `onRevision` is told the id as soon as it is known, `onStatus` each change. */
export interface WaitPorts {
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  readonly live?: LiveDisplay;
  readonly onRevision: (id: string) => void;
  readonly onStatus: (transition: StatusTransition) => void;
}

const INTERRUPTED_FOR_MS = 30_000;
/** A given revision that the service does not know: a lagging service may show it a little later. */
const UNKNOWN = { forMs: 20_000, delayMs: 5_000 };
/** Longest the log stays silent: at first, and in the end. */
const SILENCE = { shortestMs: 30_000, longestMs: 300_000 };

/** Statuses after which DEPLOYED may come any moment. */
function isLastPhase(status: string): boolean {
  return statusRow(status)?.phase === "deploy" || endOf(status) === "deployed";
}

/** Delays between two looks in milliseconds; `share` is of the whole wait. `npm run bench -- wait` holds them against fixed and growing ones. */
const DELAYS = {
  beginning: { untilMs: 1_000, ms: 1_000 },
  /** Nothing ends right after it began to roll out. */
  last: { untilMs: 6_000, firstMs: 6_000, ms: 2_600 },
  earlier: { share: 0.09, shortestMs: 5_500, longestMs: 16_000 },
};

/**
 * Time to the next look. The end can only come out of the last phases, so only there is it watched closely; before, the looks are
 * there to see the last phases begin.
 */
export function pollDelayMs(status: string | null, inStatusMs: number, elapsedMs: number): number {
  const { beginning, last, earlier } = DELAYS;
  if (elapsedMs < beginning.untilMs) return beginning.ms;
  if (status !== null && isLastPhase(status))
    return inStatusMs < last.untilMs ? last.firstMs : last.ms;
  return Math.min(earlier.longestMs, Math.max(earlier.shortestMs, elapsedMs * earlier.share));
}

/** Watches one revision until it ends. Rejects only when `signal` aborts. */
export async function waitForRevision(request: WaitRequest, ports: WaitPorts): Promise<WaitEnd> {
  const watch = createWatch(request, ports);
  ports.live?.status(request.name, "");
  try {
    for (;;) {
      ports.signal.throwIfAborted();
      const end = await watch.look();
      if (end !== null) return end;
      const late = watch.overdue();
      if (late !== null) return late;
      await ports.clock.sleep(watch.delayMs(), ports.signal);
    }
  } finally {
    ports.live?.status(request.name, null);
  }
}

interface Watch {
  readonly look: () => Promise<WaitEnd | null>;
  readonly overdue: () => WaitEnd | null;
  readonly delayMs: () => number;
}

function createWatch(request: WaitRequest, ports: WaitPorts): Watch {
  const { clock, onRevision, onStatus } = ports;
  const startedAt = clock.monotonic();
  const { stale } = request;
  const timeline: StatusTransition[] = [];
  let [status, statusSince, leftQueueAt]: [string | null, number, number | null] = [
    null,
    startedAt,
    null,
  ];
  let [revisionId, revision, isStale]: [string | null, LiveRevision | null, boolean] = [
    request.revisionId,
    null,
    stale !== null,
  ];
  let unknownSince: number | null = null;
  const progressLog = createProgressLog(request.name, ports);
  const deadlineMs = (): number => (leftQueueAt ?? startedAt) + request.timeoutMs;
  const { live } = ports;
  const showLog =
    live === undefined
      ? null
      : createLogStream(request.deploymentId, {
          controlPlane: ports.controlPlane,
          log: (line) => live.log(request.name, line),
        });
  const reader = createReader(request.deploymentId, ports, progressLog.say, deadlineMs);
  const end = (state: WaitEnd["state"], message: string): WaitEnd => ({
    state,
    named: revisionId !== null,
    status,
    revisionId,
    revision,
    deployment: reader.deployment(),
    timeline,
    message,
  });

  function see(next: string): void {
    if (next === status) return;
    const transition = { status: next, atMs: clock.now() };
    timeline.push(transition);
    onStatus(transition);
    const row = statusRow(next);
    if (row?.waitsForTurn !== true) leftQueueAt ??= clock.monotonic();
    progressLog.change(
      next,
      row === undefined ? " (a status never seen before: still waiting)" : "",
    );
    [status, statusSince] = [next, clock.monotonic()];
  }

  function follow(id: string): void {
    revisionId = id;
    onRevision(id);
  }

  async function nameRevision(): Promise<void> {
    const latest = (await reader.readDeployment())?.latest_revision_id ?? null;
    if (latest === null) return;
    if (stale !== null && latest === stale.latestBefore) follow(stale.revisionId);
    else if (!request.notRevisionIds.includes(latest)) follow(latest);
  }

  /** The redeploy may still get a revision of its own, although the answer named the old one. */
  async function followRedeployed(): Promise<void> {
    const latest = (await reader.readDeployment())?.latest_revision_id ?? null;
    if (stale === null || latest === null || latest === stale.latestBefore || latest === revisionId)
      return;
    isStale = false;
    follow(latest);
  }

  async function overtaken(words: (other: string) => string): Promise<WaitEnd | null> {
    const other =
      revision === null ? null : await reader.newerActive(revision, request.previousActiveId);
    return other === null ? null : end("superseded", words(other));
  }

  async function judge(next: LiveRevision): Promise<WaitEnd | null> {
    const ended = endOf(next.status);
    if (ended === "failed") return end("failed", failureSentence(next));
    if (ended === "skipped")
      return end(
        "superseded",
        `revision ${next.id} was skipped by the service: a newer one overtook it`,
      );
    if (ended === "interrupted" && clock.monotonic() - statusSince >= INTERRUPTED_FOR_MS) {
      return end(
        "failed",
        `revision ${next.id} was interrupted and stayed so for ${INTERRUPTED_FOR_MS / 1000} s`,
      );
    }
    const isDeployed = ended === "deployed";
    if (!isDeployed && !reader.isDue(startedAt)) return null;
    const deployment = await reader.readDeployment();
    if (deployment !== null && isDeleting(deployment)) return endDeleting();
    if (isDeployed && deployment?.active_revision_id === next.id)
      return end("deployed", `revision ${next.id} is active`);
    return overtaken((other) =>
      isDeployed
        ? `revision ${next.id} was built, but revision ${other} is active: somebody deployed on top of it`
        : `revision ${other}, newer than revision ${next.id}, is active`,
    );
  }

  /** The service says that there is no such revision, and has said so for a while. */
  function judgeUnknown(): WaitEnd | null {
    if (request.given !== true || revision !== null || !reader.answered()) {
      unknownSince = null;
      return null;
    }
    unknownSince ??= clock.monotonic();
    if (clock.monotonic() - unknownSince < UNKNOWN.forMs) return null;
    const message = `deployment ${request.deploymentId} has no revision ${revisionId} (404 for ${UNKNOWN.forMs / 1000} s)`;
    return { ...end("failed", message), unknown: true };
  }

  /** The revision cannot be seen: the deployment tells whether it is still worth waiting. */
  async function lookBeyond(): Promise<WaitEnd | null> {
    const unknown = judgeUnknown();
    if (unknown !== null) return unknown;
    const deployment = reader.isDue(startedAt) ? await reader.readDeployment() : null;
    return deployment !== null && isDeleting(deployment) ? endDeleting() : null;
  }

  function endDeleting(): WaitEnd {
    return end(
      "failed",
      `deployment ${request.deploymentId} is being deleted: revision ${revisionId ?? "(not named yet)"} will not go live`,
    );
  }

  return {
    look: async () => {
      if (revisionId === null) await nameRevision();
      if (revisionId === null)
        return reader.deployment() !== null && isDeleting(reader.deployment()!)
          ? endDeleting()
          : null;
      const next = await reader.readRevision(revisionId);
      if (next === null) return lookBeyond();
      if (
        isStale &&
        stale !== null &&
        next.id === stale.revisionId &&
        stale.status === next.status &&
        stale.updatedAt === next.updated_at
      ) {
        await followRedeployed();
        return null;
      }
      isStale = false;
      revision = next;
      see(next.status);
      await showLog?.(next, reader.deployment()?.dialect);
      return judge(next);
    },
    overdue: () => {
      if (clock.monotonic() < deadlineMs()) {
        progressLog.still(standing());
        return null;
      }
      const limit = `after ${durationWords(request.timeoutMs)} ${leftQueueAt === null ? "in the queue" : "since it left the queue"}`;
      return end("timed-out", overdueSentence(limit));
    },
    delayMs: () => {
      const limit = unknownSince === null ? Infinity : UNKNOWN.delayMs;
      const left = Math.min(limit, deadlineMs() - clock.monotonic());
      return Math.max(
        10,
        Math.min(
          request.pollIntervalMs ??
            pollDelayMs(status, clock.monotonic() - statusSince, clock.monotonic() - startedAt),
          left,
        ),
      );
    },
  };

  function standing(): string {
    if (revisionId === null) return "waiting for the service to name the revision";
    if (isStale) return `${stale?.status}, as before the redeploy`;
    return status ?? "waiting for the revision to appear";
  }

  function overdueSentence(limit: string): string {
    const unreadable = reader.failure();
    const why = unreadable === null ? "" : `. The status could not be read at last: ${unreadable}`;
    if (revisionId === null)
      return `${request.neverNamed ?? `the service named no new revision of deployment ${request.deploymentId}`} (${limit.replace(/ in the queue$/, "")})${why}`;
    if (isStale)
      return `revision ${revisionId} is still ${stale?.status}, as before its redeploy, ${limit}${why}`;
    if (status === "DEPLOYED") {
      const active = reader.deployment()?.active_revision_id ?? null;
      return `revision ${revisionId} is DEPLOYED, but ${active === null ? "no revision" : `revision ${active}`} is active ${limit}${why}`;
    }
    return `revision ${revisionId} is ${status ?? "not visible"} ${limit}; it may still become DEPLOYED${why}`;
  }
}

interface ProgressLog {
  /** One line per status change. */
  readonly change: (status: string, remark: string) => void;
  /** A sign of life where nothing was said for a while, at growing distance. */
  readonly still: (words: string) => void;
  readonly say: (line: string) => void;
}

function createProgressLog(name: string, { clock, progress, live }: WaitPorts): ProgressLog {
  const startedAt = clock.monotonic();
  let [spokeAt, silenceMs] = [startedAt, SILENCE.shortestMs];
  const elapsed = (): string => durationWords(clock.monotonic() - startedAt);
  const say = (line: string): void => {
    progress(`${name}: ${line}`);
    spokeAt = clock.monotonic();
  };
  return {
    say,
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

/** The line that waits for the same revision again. */
export function reattachLine(deploymentId: string, revisionId: string | null): string {
  return `agent-deploy wait --deployment-id ${deploymentId}${revisionId === null ? "" : ` --revision-id ${revisionId}`}`;
}
