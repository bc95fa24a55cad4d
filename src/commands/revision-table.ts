import { renderDuration } from "../duration.ts";
import { renderRows, shortId, type Line } from "../report/columns.ts";
import { cutEnd } from "../report/escape.ts";
import type { Style } from "../report/terminal-frame.ts";
import { shortVersion, utcMinutes } from "../report/wording.ts";
import type { RevisionSummary } from "./summaries.ts";

/** What `history` shows of a revision, in its columns. */
export interface RevisionRow extends RevisionSummary {
  readonly failed: boolean;
  /** Author of the commit if the checkout contains it, else empty. */
  readonly who: string;
  /** Milliseconds of its build and of what followed; null if no build log shows them. */
  readonly build_ms: number | null;
  readonly deploy_ms: number | null;
}

interface Column {
  readonly head: string;
  readonly cell: (row: RevisionRow) => string;
}

const took = (ms: number | null): string => (ms === null ? "" : renderDuration(ms));

const MAX_WHO = 10;
const TOOK: Column = { head: "TOOK", cell: ({ took_ms }) => took(took_ms) };
const PHASES: readonly Column[] = [
  { head: "BUILD", cell: ({ build_ms }) => took(build_ms) },
  { head: "DEPLOY", cell: ({ deploy_ms }) => took(deploy_ms) },
];
/** Columns that are left out if all their cells are empty, so that the table fits a terminal. */
const OPTIONAL: readonly Column[] = [
  { head: "COMMIT", cell: ({ commit }) => commit.slice(0, 7) },
  { head: "WHO", cell: ({ who }) => cutEnd(who, MAX_WHO) },
];

/** For a terminal of 80 columns, with the service's message below its revision; empty if there are no revisions. */
export function renderRevisions(rows: readonly RevisionRow[]): readonly Line[] {
  const isPhased = rows.some(({ build_ms }) => build_ms !== null);
  const columns: readonly Column[] = [
    { head: "REVISION", cell: ({ id }) => shortId(id) },
    { head: "STATUS", cell: ({ status }) => status },
    // Without the year: rows are in order of time, and the JSON has it.
    { head: "CREATED UTC", cell: ({ created_at }) => utcMinutes(created_at).slice(5) },
    ...(isPhased ? PHASES : [TOOK]),
    ...OPTIONAL.filter(({ cell }) => rows.some((row) => cell(row) !== "")),
    { head: "REF", cell: ({ ref }) => shortVersion(ref) },
  ];
  return renderRows(
    ["", ...columns.map(({ head }) => head)],
    rows.map((row) => ({
      cells: [row.active ? "*" : "", ...columns.map(({ cell }) => cell(row) || "–")],
      style: styleOf(row),
      below: [row.message],
    })),
  );
}

function styleOf({ active, failed }: RevisionRow): Style | undefined {
  if (failed) return "red";
  return active ? "green" : undefined;
}
