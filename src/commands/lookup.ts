import { show } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { COMMANDS } from "../cli/command-table.ts";
import type { Session } from "../ci/session.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { listedItems } from "./listed-items.ts";

interface Found {
  readonly id: string;
  readonly name: string;
  readonly namespaces?: readonly string[];
}

/** `lookup`: one line each, ids first, so that they can be cut out. Returns the exit code. */
export async function runLookup(session: Session): Promise<number> {
  const what = session.options.name as Lookable;
  return withConnection(session, async ({ controlPlane }) => {
    const found = await LISTS[what](controlPlane);
    const rows = found.map(({ id, name, namespaces = [] }) => ({ id, name, namespaces }));
    const lines = rows.map(({ id, name, namespaces }) =>
      [id, name, ...(namespaces.length > 0 ? [namespaces.join(",")] : [])].join("  "),
    );
    return show(session, rows, lines.join("\n"), `the service has no ${what}`);
  });
}

type Lookable = (typeof COMMANDS.lookup.words)[number];

const LISTS: Readonly<Record<Lookable, (service: ControlPlane) => Promise<readonly Found[]>>> = {
  integrations: (service) => service.listIntegrations("document"),
  listeners: async (service) =>
    (await service.listListeners()).map((one) => ({ ...one, name: one.compute_id })),
  deployments: async (service) => listedItems(await service.listDeployments({}), "deployments"),
};
