import { renderColumns, shortId } from "../report/columns.ts";
import { findNamed } from "../run/named-deployment.ts";
import { printJson, printLines } from "../run/printed-text.ts";
import {
  renderTime,
  renderTook,
  summarizeRevision,
  type RevisionSummary,
} from "../run/revision-summary.ts";
import { withConnection } from "../run/service-connection.ts";
import { UsageError, type Session } from "../run/session.ts";

/** `history NAME`: the newest revisions of a deployment, newest first. */
export function runHistory(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const live = await findNamed(session, controlPlane);
    const lookup = await controlPlane.listRevisions(live.id, session.options.last);
    if (lookup.state === "absent-lookup")
      throw new UsageError(
        `this service has no list of revisions (it answers ${lookup.status}); agent-deploy status ${live.name} shows the active one`,
      );
    const rows = lookup.items.map((revision) =>
      summarizeRevision(revision, live.active_revision_id, session.redact),
    );
    if (session.options.json) printJson(session, rows);
    else printLines(session, renderRows(rows));
    return 0;
  });
}

function renderRows(rows: readonly RevisionSummary[]): string {
  const head = ["", "REVISION", "STATUS", "CREATED (UTC)", "TOOK", "COMMIT", "REF"];
  const toCells = (row: RevisionSummary): readonly string[] => [
    row.active ? "*" : "",
    shortId(row.id),
    row.status,
    renderTime(row.created_at),
    renderTook(row.took_ms),
    row.commit === "" ? "–" : row.commit.slice(0, 7),
    row.message === "" ? row.ref : `${row.ref}  ${row.message}`,
  ];
  return renderColumns(head, rows.map(toCells));
}
