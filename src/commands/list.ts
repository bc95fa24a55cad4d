import { spellSource } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import { renderColumns, shortId } from "../report/columns.ts";
import { toDeployments } from "./named-deployment.ts";
import { printJson, printLines } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";

/** What of a deployment is shown in a list; holds no secret. */
function toRow(live: LiveDeployment) {
  return {
    name: live.name,
    id: live.id,
    source: spellSource(live.source, live.dialect),
    status: live.status,
    active_revision_id: live.active_revision_id,
    latest_revision_id: live.latest_revision_id,
    updated_at: live.updated_at,
    url: live.url,
  };
}

/** `list`: every deployment of the workspace, by name. */
export function runList(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const lookup = await controlPlane.listDeployments({});
    const rows = toDeployments(lookup, "agent-deploy status takes an id")
      .map(toRow)
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
    if (session.options.json) printJson(session, rows);
    else printLines(session, renderRows(rows));
    if (rows.length === 0 && !session.options.json)
      session.host.progress("this workspace has no deployments");
    return 0;
  });
}

function renderRows(rows: readonly ReturnType<typeof toRow>[]): string {
  const toCells = (row: ReturnType<typeof toRow>): readonly string[] => [
    row.name,
    row.status,
    shortId(row.active_revision_id),
    row.latest_revision_id === row.active_revision_id ? "" : shortId(row.latest_revision_id),
    row.id,
  ];
  return renderColumns(["NAME", "STATUS", "ACTIVE", "NEWER", "ID"], rows.map(toCells));
}
