import { toLogJson, toLogText } from "../ci/workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { COMMANDS } from "../cli/command-table.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { ControlPlane } from "../service/control-plane.ts";

interface Found {
  readonly id: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/**
 * `lookup integrations`, `lookup listeners`, `lookup deployments`: one line each, ids first, so
 * that they can be cut out. Gives the exit code.
 */
export async function runLookup(session: Session, what: string): Promise<number> {
  return withConnection(session, async (connection) => {
    const rows = await LISTS[what as Lookable](connection.controlPlane);
    if (session.options.json) session.print(`${toLogJson(JSON.stringify(rows, null, 2))}\n`);
    else for (const row of rows) session.print(`${toLogText(toVisible(toLine(row)))}\n`);
    if (rows.length === 0) session.host.progress(`the service has no ${what}`);
    return 0;
  });
}

function toLine({ id, name, namespaces }: Found): string {
  return [id, name, ...(namespaces.length > 0 ? [namespaces.join(",")] : [])].join("  ");
}

type Lookable = (typeof COMMANDS.lookup.words)[number];

const LISTS: Readonly<Record<Lookable, (service: ControlPlane) => Promise<readonly Found[]>>> = {
  integrations: async (service) =>
    (await service.listIntegrations("document")).map(({ id, name }) => ({
      id,
      name,
      namespaces: [],
    })),
  listeners: async (service) =>
    (await service.listListeners()).map(({ id, compute_id, namespaces }) => ({
      id,
      name: compute_id,
      namespaces,
    })),
  deployments: async (service) => {
    const found = await service.listDeployments({});
    if (found.state === "absent-lookup")
      throw new UsageError(`this service has no list of deployments (it answers ${found.status})`);
    return found.items.map(({ id, name }) => ({ id, name, namespaces: [] }));
  },
};
