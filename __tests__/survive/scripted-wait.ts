import type { DeployContext } from "../../src/deploy/context.ts";
import { startRun } from "../../src/deploy/document-run.ts";
import { byId, type OwnRevision } from "../../src/deploy/own-revision.ts";
import { createTracker } from "../../src/deploy/tracker.ts";
import { waitForRevision } from "../../src/deploy/wait.ts";
import { type ControlPlane, ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

export const [OURS, THEIRS, BEFORE] = [
  "aaaaaaaa-0000-4000-8000-000000000001",
  "bbbbbbbb-0000-4000-8000-000000000002",
  "cccccccc-0000-4000-8000-000000000003",
] as const;

/** What the service shows from a time on; null: 404, an Error: the read fails. */
interface Shown {
  readonly status: string | null | Error;
  readonly updated_at: string;
  readonly status_message: string;
  /** The status of the deployment, and the revisions that it names. */
  readonly deployment: string | null | Error;
  readonly active: string | null;
  readonly latest: string | null;
  /** The age of the other revision. */
  readonly otherSince: string;
  /** Whether the list shows the deployment. */
  readonly listed: boolean | Error;
  /** How long a read takes, in milliseconds. */
  readonly slow: Partial<Record<Read, number>>;
}

type Read = "revision" | "other" | "deployment" | "list" | "revisions";

export const CREATED_AT = "2026-01-01T00:00:00Z";

const AT_FIRST: Shown = {
  status: "QUEUED",
  updated_at: CREATED_AT,
  status_message: "",
  deployment: "READY",
  active: BEFORE,
  latest: OURS,
  otherSince: "2025-12-01T00:00:00Z",
  listed: true,
  slow: {},
};

/** What a service shows, from which millisecond of the wait on. */
export type Script = readonly (readonly [fromMs: number, shown: Partial<Shown>])[];

/** A revision of the list: its id, its status, and the seconds that it took. */
type Newest = readonly [id: string, status: string, tookS: number];

export interface Waiting {
  readonly own?: OwnRevision;
  readonly timeoutMs?: number;
  /** The pause between two looks, or what is asked for one. */
  readonly pollMs?: number | DeployContext["pollDelayMs"];
  /** The time of the clock at which the wait begins. */
  readonly startMs?: number;
  readonly newest?: readonly Newest[] | Error;
  readonly live?: DeployContext["live"];
}

const orThrow = <T>(value: T | Error): T => {
  if (value instanceof Error) throw value;
  return value;
};

/** A service that follows a script from now on; `reads` are those asked for, each with its time. */
function createScripted(script: Script, clock: ManualClock, newest: readonly Newest[] | Error) {
  const startedAt = clock.monotonic();
  const reads: string[] = [];
  const within = ({ deadlineMs = Infinity }: { readonly deadlineMs?: number }): ControlPlane => {
    const read = async (what: Read): Promise<Shown> => {
      const atMs = clock.monotonic() - startedAt;
      reads.push(`${what} ${atMs}`);
      const past = script.filter(([fromMs]) => fromMs <= atMs).map(([, shown]) => shown);
      const shown: Shown = Object.assign({}, AT_FIRST, ...past);
      const tookMs = shown.slow[what] ?? 0;
      const leftMs = deadlineMs - clock.monotonic();
      if (Math.min(tookMs, leftMs) > 0) await clock.sleep(Math.min(tookMs, leftMs));
      if (tookMs >= leftMs) throw new ServiceError("no answer in time");
      return shown;
    };
    return {
      within,
      getRevision: async (_: string, id: string) => {
        if (id === THEIRS) {
          const { otherSince: created_at } = await read("other");
          return toRevision({ id, status: "DEPLOYED", created_at });
        }
        const { status, ...about } = await read("revision");
        const known = orThrow(status);
        if (known === null) return null;
        return toRevision({ ...about, id, status: known, created_at: CREATED_AT });
      },
      getDeployment: async () => {
        const { deployment, active, latest } = await read("deployment");
        const status = orThrow(deployment);
        const named = { active_revision_id: active, latest_revision_id: latest };
        return status === null ? null : toDeployment({ id: "d", name: "agent", status, ...named });
      },
      logTail: async () => null,
      listDeployments: async () => {
        const { listed } = await read("list");
        const items = orThrow(listed) ? [toDeployment({ id: "d", name: "agent" })] : [];
        return { state: "found", items };
      },
      listRevisions: async (_: string, most: number) => {
        await read("revisions");
        return { state: "found", items: orThrow(newest).slice(0, most).map(toListed) };
      },
    } as Partial<ControlPlane> as ControlPlane;
  };
  return { controlPlane: within({}), reads };
}

function toListed([id, status, tookS]: Newest) {
  const updated_at = new Date(Date.parse(CREATED_AT) + tookS * 1000).toISOString();
  return toRevision({ id, status, created_at: CREATED_AT, updated_at });
}

/** Waits for a revision of a service that follows a script; gives back how that ended, and when. */
export async function waitThrough(script: Script, waiting: Waiting = {}) {
  const clock = createManualClock({ auto: true });
  const { startMs = 0, pollMs = 1_000, live, timeoutMs = 600_000, newest = [] } = waiting;
  if (startMs > 0) await clock.sleep(startMs);
  const { controlPlane, reads } = createScripted(script, clock, newest);
  const lines: string[] = [];
  const context = {
    controlPlane,
    clock,
    signal: new AbortController().signal,
    pollDelayMs: typeof pollMs === "number" ? () => pollMs : pollMs,
    progress: (line: string) => lines.push(line),
    policy: {},
    ...(live === undefined ? {} : { live }),
  } as unknown as DeployContext;
  const tracker = { ...createTracker("agent"), id: "d" };
  const own = waiting.own ?? byId(OURS, { active_revision_id: BEFORE });
  const end = await waitForRevision(startRun(context, tracker, timeoutMs), own);
  return { end, tracker, lines, reads, tookMs: clock.monotonic() - startMs };
}

/** The times of the reads of one kind. */
export const timesOf = (reads: readonly string[], what: string): number[] =>
  reads.filter((one) => one.startsWith(`${what} `)).map((one) => Number(one.split(" ")[1]));

/** How a wait ended: outcome, reason and message. */
export async function endOf(script: Script, waiting: Waiting = {}): Promise<readonly unknown[]> {
  const { end } = await waitThrough(script, waiting);
  return [end.outcome, end.reason, end.message];
}
