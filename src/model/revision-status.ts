type Phase = "queued" | "build" | "deploy";

/** What a revision's status says: where in its course it is, how it ended, and how it is worded. */
interface StatusRow {
  readonly status: string;
  /** The part of the course that its time counts to; absent for an end, and for what says nothing. */
  readonly phase?: Phase;
  /** Of an end: the part of the course that it ended in. */
  readonly endsPhase?: Phase;
  /** The log that the service writes at that time. */
  readonly log?: "build" | "deploy";
  /** Nothing of the revision has begun: the timeout does not run yet. */
  readonly waitsForTurn?: true;
  /** How it ended: `interrupted` may still move. Absent: it continues. */
  readonly end?: "deployed" | "failed" | "skipped" | "interrupted";
  /** After `is`: its state in words. */
  readonly words?: string;
  /** Why a run ended red. */
  readonly reason?: string;
}

/** Every status a revision was seen in, in the order in which it passes them (contributing/service.md 1). */
const REVISION_STATUSES: readonly StatusRow[] = [
  { status: "CREATING", phase: "queued", waitsForTurn: true, words: "in the queue" },
  { status: "QUEUED", phase: "queued", waitsForTurn: true, words: "in the queue" },
  { status: "AWAITING_BUILD", phase: "queued", words: "waiting for its build" },
  { status: "BUILDING", phase: "build", log: "build", words: "building" },
  { status: "AWAITING_DEPLOY", phase: "deploy", log: "build", words: "waiting to start" },
  { status: "DEPLOYING", phase: "deploy", log: "deploy", words: "starting" },
  {
    status: "CREATE_FAILED",
    endsPhase: "queued",
    end: "failed",
    reason: "the revision could not be created",
  },
  {
    status: "BUILD_FAILED",
    endsPhase: "build",
    log: "build",
    end: "failed",
    reason: "the build failed",
  },
  {
    status: "DEPLOY_FAILED",
    endsPhase: "deploy",
    log: "deploy",
    end: "failed",
    reason: "the build is fine, but it did not come up",
  },
  {
    status: "DEPLOYED",
    endsPhase: "deploy",
    log: "deploy",
    end: "deployed",
    words: "deployed but not active",
  },
  {
    status: "SKIPPED",
    end: "skipped",
    words: "skipped",
    reason: "the service skipped the revision",
  },
  {
    status: "INTERRUPTED",
    end: "interrupted",
    words: "interrupted",
    reason: "the revision was interrupted",
  },
  { status: "UNKNOWN" },
];

const ROWS: ReadonlyMap<string, StatusRow> = new Map(
  REVISION_STATUSES.map((row) => [row.status, row]),
);

/** Why a run ended red, by the status that ended it. */
export const STATUS_REASONS: Readonly<Record<string, string>> = Object.fromEntries(
  REVISION_STATUSES.flatMap(({ status, reason }) =>
    reason === undefined ? [] : [[status, reason] as const],
  ),
);

/** The row of a status; undefined for one never seen before. */
export function statusRow(status: string): StatusRow | undefined {
  return ROWS.get(status);
}

/**
 * How a status ends a revision; undefined where it continues, or was never seen. A new kind of
 * failure is one by its name.
 */
export function endOf(status: string): StatusRow["end"] {
  const row = statusRow(status);
  return row === undefined && status.endsWith("_FAILED") ? "failed" : row?.end;
}

/** Whether a revision with this status came to serve, as far as the status says. */
export function isDeployed(status: string | null | undefined): boolean {
  return endOf(status ?? "") === "deployed";
}

/** The status of a revision that is active, where only that is known. */
export const DEPLOYED = "DEPLOYED";

/** The status of what the service shows without one. */
export const UNKNOWN_STATUS = "UNKNOWN";
