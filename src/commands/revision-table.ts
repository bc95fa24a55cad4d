import { renderColumns, shortId } from "../report/columns.ts";
import { renderTime, renderTook, type RevisionSummary } from "./revision-summary.ts";

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

const MAX_WHO = 10;
const TOOK: Column = { head: "TOOK", cell: ({ took_ms }) => renderTook(took_ms) };
const PHASES: readonly Column[] = [
  { head: "BUILD", cell: ({ build_ms }) => renderTook(build_ms) },
  { head: "DEPLOY", cell: ({ deploy_ms }) => renderTook(deploy_ms) },
];
/** Columns that are left out if all their cells are empty, so that the table fits a terminal. */
const OPTIONAL: readonly Column[] = [
  { head: "COMMIT", cell: ({ commit }) => commit.slice(0, 7) },
  { head: "WHO", cell: ({ who }) => shorten(who, MAX_WHO) },
];

/** For a terminal of 80 columns; empty if there are no revisions. */
export function renderRevisions(rows: readonly RevisionRow[]): string {
  const isPhased = rows.some(({ build_ms }) => build_ms !== null);
  const columns: readonly Column[] = [
    { head: "REVISION", cell: ({ id }) => shortId(id) },
    { head: "STATUS", cell: ({ status }) => status },
    { head: "CREATED UTC", cell: ({ created_at }) => shortTime(created_at) },
    ...(isPhased ? PHASES : [TOOK]),
    ...OPTIONAL.filter(({ cell }) => rows.some((row) => cell(row) !== "")),
    { head: "REF", cell: ({ ref, message }) => `${shortRef(ref)}  ${message}`.trim() },
  ];
  return renderColumns(
    ["", ...columns.map(({ head }) => head)],
    rows.map((row) => [row.active ? "*" : "", ...columns.map(({ cell }) => cell(row) || "–")]),
  );
}

/** Without the year: rows are in order of time, and the JSON has it. */
const shortTime = (iso: string): string => renderTime(iso).replace(/^\d{4}-/, "");

const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** An image by its name and the start of its digest; anything else unchanged. */
function shortRef(ref: string): string {
  const [, name, digest] = /([^/]+)@sha256:([0-9a-f]{12})[0-9a-f]*$/.exec(ref) ?? [];
  return name === undefined || digest === undefined ? ref : `${name}@${digest}`;
}
