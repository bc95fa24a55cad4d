import { isDeleting } from "../deploy/identity.ts";
import type { LiveDeployment } from "../model/live.ts";
import { endOf, statusRow, UNKNOWN_STATUS } from "../model/revision-status.ts";
import { renderRows } from "../report/columns.ts";
import type { Style } from "../report/terminal-frame.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { listedItems } from "./listed-items.ts";
import { renderAge, summarizeDeployment } from "./summaries.ts";
import { show } from "../ci/printed-text.ts";
import { withConnection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";
import { runPool } from "./waves.ts";

/** How many revisions are read at once, for deployments whose latest revision is not active. */
const READS_AT_ONCE = 4;

/** The state of a deployment, coloured if it needs attention. */
interface State {
  readonly words: string;
  readonly style?: Style;
}

/** READY is not enough: a deployment whose only build failed is READY too. */
async function readState(controlPlane: ControlPlane, live: LiveDeployment): Promise<State> {
  const { active_revision_id: active, latest_revision_id: latest } = live;
  if (isDeleting(live)) return { words: "deleting", style: "dim" };
  if (latest === null || latest === active) {
    // A list may show less than the deployment itself.
    const unbuilt = live.body["latest_revision_id"] === undefined ? "unknown" : "not built yet";
    return { words: active === null ? unbuilt : "serving" };
  }
  const status = (await controlPlane.getRevision(live.id, latest))?.status ?? UNKNOWN_STATUS;
  const words = `${active === null ? "not serving:" : "serving; newer one"} ${toWords(status)}`;
  return endOf(status) === "failed" ? { words, style: "red" } : { words };
}

function toWords(status: string): string {
  const end = endOf(status);
  if (end === "failed") return "failed";
  return statusRow(status)?.words ?? status.toLowerCase();
}

/** `list`: every deployment of the workspace, sorted by name. */
export function runList(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const lookup = await controlPlane.listDeployments({});
    const listed = listedItems(lookup, "deployments", "agent-deploy status takes an id").toSorted(
      (a, b) => a.name.localeCompare(b.name, "en"),
    );
    const states = await runPool(listed, READS_AT_ONCE, (live) => readState(controlPlane, live));
    const rows = listed.map((live, at) => ({
      ...summarizeDeployment(live),
      state: states[at]!.words,
      active_revision_id: live.active_revision_id,
      latest_revision_id: live.latest_revision_id,
    }));
    const lines = renderRows(
      ["NAME", "STATE", "UPDATED", "ID"],
      rows.map(({ name, state, updated_at: updated, id, url }, at) => ({
        cells: [name, state, renderAge(updated, session.clock.now()), id],
        style: states[at]!.style,
        below: [url],
      })),
    );
    return show(session, rows, lines, "this workspace has no deployments");
  });
}
