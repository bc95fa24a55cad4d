type Phase = "queued" | "build" | "deploy";

/** What a revision status means: the phase it belongs to, how the revision ended, and its wording. */
interface StatusRow {
  readonly status: string;
  /** The phase that time in this status counts toward; absent for final and unknown statuses. */
  readonly phase?: Phase;
  /** For a final status: the phase that the revision ended in. */
  readonly endsPhase?: Phase;
  /** The log that the service writes during this status. */
  readonly log?: "build" | "deploy";
  /** The revision waits for its turn: its timeout does not run yet. */
  readonly waitsForTurn?: true;
  /** How the revision ended; `interrupted` may still move. Absent: it has not ended. */
  readonly end?: "deployed" | "failed" | "skipped" | "interrupted";
  /** The state in words, to follow `is`. */
  readonly words?: string;
  /** The reason that a failed run reports. */
  readonly reason?: string;
}

/** Every known status, in the order that a revision passes them (contributing/service.md 1). */
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

/** The reason that a failed run reports, by the status that ended it. */
export const STATUS_REASONS: Readonly<Record<string, string>> = Object.fromEntries(
  REVISION_STATUSES.flatMap(({ status, reason }) =>
    reason === undefined ? [] : [[status, reason] as const],
  ),
);

/** The row of a status; undefined for an unknown one. */
export function statusRow(status: string): StatusRow | undefined {
  return ROWS.get(status);
}

/**
 * How a status ends a revision; undefined if it has not ended or is unknown. An unknown status
 * named like a failure is one.
 */
export function endOf(status: string): StatusRow["end"] {
  const row = statusRow(status);
  return row === undefined && status.endsWith("_FAILED") ? "failed" : row?.end;
}

/** Whether a revision with this status was deployed, as far as the status shows. */
export function isDeployed(status: string | null | undefined): boolean {
  return endOf(status ?? "") === "deployed";
}

/** The status of an active revision whose own status is not known. */
export const DEPLOYED = "DEPLOYED";

/** The status of a revision that the service shows without one. */
export const UNKNOWN_STATUS = "UNKNOWN";
