/** How a revision's status stands to its end; a status that no row names is one that goes on. */
interface StatusRow {
  readonly status: string;
  /** How it ended: `interrupted` may still move. Absent: it goes on. */
  readonly end?: "deployed" | "failed" | "skipped" | "interrupted";
}

/** Every status a revision was seen in, in the order in which it passes them (docs/service.md 1). */
const REVISION_STATUSES: readonly StatusRow[] = [
  { status: "CREATING" },
  { status: "QUEUED" },
  { status: "AWAITING_BUILD" },
  { status: "BUILDING" },
  { status: "AWAITING_DEPLOY" },
  { status: "DEPLOYING" },
  { status: "CREATE_FAILED", end: "failed" },
  { status: "BUILD_FAILED", end: "failed" },
  { status: "DEPLOY_FAILED", end: "failed" },
  { status: "DEPLOYED", end: "deployed" },
  { status: "SKIPPED", end: "skipped" },
  { status: "INTERRUPTED", end: "interrupted" },
  { status: "UNKNOWN" },
];

/** How a status ends a revision; undefined where it goes on, or was never seen. A new kind of failure is one by its name. */
export function endOf(status: string): StatusRow["end"] {
  const row = REVISION_STATUSES.find((one) => one.status === status);
  return row === undefined && status.endsWith("_FAILED") ? "failed" : row?.end;
}
