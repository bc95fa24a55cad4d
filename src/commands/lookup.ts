import { toLogJson, toLogText } from "../host/workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { withConnection } from "../run/service-connection.ts";
import type { Session } from "../run/session.ts";

/** `lookup integrations` and `lookup listeners`: one line each, ids first, so that they can be cut out. Gives the exit code. */
export async function runLookup(
  session: Session,
  what: "integrations" | "listeners",
): Promise<number> {
  return withConnection(session, async (connection) => {
    const rows =
      what === "integrations"
        ? (await connection.controlPlane.listIntegrations("document")).map(({ id, name }) => ({
            id,
            name,
            namespaces: [] as readonly string[],
          }))
        : (await connection.controlPlane.listListeners()).map(({ id, compute_id, namespaces }) => ({
            id,
            name: compute_id,
            namespaces,
          }));
    if (session.options.json) session.print(`${toLogJson(JSON.stringify(rows, null, 2))}\n`);
    else
      for (const row of rows)
        session.print(
          `${toLogText(toVisible(`${row.id}  ${row.name}${row.namespaces.length > 0 ? `  ${row.namespaces.join(",")}` : ""}`))}\n`,
        );
    if (rows.length === 0) session.host.progress(`the service has no ${what}`);
    return 0;
  });
}
