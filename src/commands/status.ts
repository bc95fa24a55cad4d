import { UNKNOWN_STATUS } from "../model/revision-status.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { shortVersion, utcMinutes } from "../report/wording.ts";
import { findNamed } from "./looked-up-deployment.ts";
import { show } from "../ci/printed-text.ts";
import {
  renderAge,
  summarizeDeployment,
  summarizeRevision,
  type RevisionSummary,
} from "./summaries.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";
import { toServicePage } from "../ci/report-assembly.ts";

/** `status NAME`: what serves now, and what is in progress or failed after it. */
export function runStatus(session: Session): Promise<number> {
  return withConnection(session, async (connection) => {
    const live = await findNamed(session, connection.controlPlane);
    const status = await readStatus(session, connection, live);
    return show(session, status, renderStatus(status, session.clock.now()));
  });
}

/** `open NAME`: prints the deployment's URLs, one per line; opens nothing. */
export function runOpen(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane, ui }) => {
    const live = await findNamed(session, controlPlane);
    const addresses = { agent: live.url, page: toServicePage(ui, live) };
    const known = Object.values(addresses).filter((address) => address !== "");
    return show(
      session,
      addresses,
      known.join("\n"),
      `the service gives no address for ${live.name}`,
    );
  });
}

/** Placeholder for a revision that the deployment names but the service does not show. */
function unreadable(id: string): LiveRevision {
  const status_message = "the service does not show this revision";
  return {
    id,
    status: UNKNOWN_STATUS,
    created_at: "",
    updated_at: "",
    status_message,
    source_revision_config: {},
  };
}

async function readStatus(
  session: Session,
  { controlPlane, ui }: Connection,
  live: LiveDeployment,
) {
  const read = async (id: string | null): Promise<RevisionSummary | null> => {
    if (id === null) return null;
    const revision = (await controlPlane.getRevision(live.id, id)) ?? unreadable(id);
    return summarizeRevision(revision, live, session.redact);
  };
  const isSame = live.latest_revision_id === live.active_revision_id;
  const [active, newer] = await Promise.all([
    read(live.active_revision_id),
    isSame ? null : read(live.latest_revision_id),
  ]);
  return {
    ...summarizeDeployment(live),
    page: toServicePage(ui, live),
    active,
    /** The latest revision if it is not the active one. */
    newer,
  };
}

type DeploymentStatus = Awaited<ReturnType<typeof readStatus>>;

function renderStatus(status: DeploymentStatus, nowMs: number): string {
  const { active, newer } = status;
  const lines: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ["name", [status.name]],
    ["id", [status.id]],
    ["source", [status.source]],
    ["status", [status.status]],
    ["active", active === null ? ["no revision is active"] : renderRevision(active, nowMs)],
    ["newer", newer === null ? [] : renderRevision(newer, nowMs)],
    ["url", [status.url]],
    ["page", [status.page]],
  ];
  return lines
    .flatMap(([label, values]) =>
      values
        .filter((value) => value !== "")
        .map((value, at) => `${(at === 0 ? label : "").padEnd(8)}${value}`),
    )
    .join("\n");
}

/** The id and status, what it was made from and when, and the service's message: a line each, for 80 columns. */
function renderRevision(revision: RevisionSummary, nowMs: number): readonly string[] {
  const { id, status, ref, commit, created_at: created, message } = revision;
  const made = created === "" ? "" : `${utcMinutes(created)} (${renderAge(created, nowMs)})`;
  const about = [shortVersion(ref), commit.slice(0, 7), made].filter((part) => part !== "");
  return [`${id}  ${status}`, about.join("  "), message];
}
