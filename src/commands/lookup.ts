import type { Lookable } from "../arguments.ts";
import { toLogJson, toLogText } from "../host/workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { withConnection } from "../run/service-connection.ts";
import { UsageError, type Session } from "../run/session.ts";
import type { ControlPlane } from "../service/control-plane.ts";

interface Found {
  readonly id: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** `lookup integrations`, `lookup listeners`, `lookup deployments`: one line each, ids first, so that they can be cut out. Gives the exit code. */
export async function runLookup(session: Session, what: Lookable): Promise<number> {
  return withConnection(session, async (connection) => {
    const rows = await find(connection.controlPlane, what);
    if (session.options.json) session.print(`${toLogJson(JSON.stringify(rows, null, 2))}\n`);
    else for (const row of rows) session.print(`${toLogText(toVisible(toLine(row)))}\n`);
    if (rows.length === 0) session.host.progress(`the service has no ${what}`);
    return 0;
  });
}

function toLine({ id, name, namespaces }: Found): string {
  return [id, name, ...(namespaces.length > 0 ? [namespaces.join(",")] : [])].join("  ");
}

async function find(controlPlane: ControlPlane, what: Lookable): Promise<readonly Found[]> {
  switch (what) {
    case "integrations":
      return (await controlPlane.listIntegrations("document")).map(({ id, name }) => ({
        id,
        name,
        namespaces: [],
      }));
    case "listeners":
      return (await controlPlane.listListeners()).map(({ id, compute_id, namespaces }) => ({
        id,
        name: compute_id,
        namespaces,
      }));
    case "deployments": {
      const lookup = await controlPlane.listDeployments({});
      if (lookup.state === "absent-lookup")
        throw new UsageError(
          `this service has no list of deployments (it answers ${lookup.status})`,
        );
      return lookup.items.map(({ id, name }) => ({ id, name, namespaces: [] }));
    }
  }
}
