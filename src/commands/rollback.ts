import { NOT_RESTORED } from "../deploy/rollback.ts";
import { versionOf } from "../deploy/serving.ts";
import { redeployRevision } from "../deploy/wait-only.ts";
import { type LiveDeployment, type LiveRevision, UUID } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { shortId } from "../report/columns.ts";
import { shortVersion, utcMinutes } from "../report/wording.ts";
import { confirmOnTerminal } from "../ci/confirm.ts";
import { listedItems } from "./listed-items.ts";
import {
  findOnly,
  liveOf,
  overTargets,
  toMissingReport,
  workOn,
  type TargetCommand,
} from "./looked-up-deployment.ts";
import { endWith } from "../ci/report-assembly.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { ControlPlane, Lookup } from "../service/control-plane.ts";

const MAX_REVISIONS = 100;

/**
 * `rollback NAME [--to REVISION]`: redeploys the previously active revision, or the given one, and
 * waits. In the Action, `deployment-id` or the spec names the deployment.
 */
export const rollBackTarget: TargetCommand = async (session, documents, controlPlane) => {
  const target = await findOnly(session, controlPlane, documents);
  const live = liveOf(target);
  if (live === null) return endWith(session, { deployments: [toMissingReport(target)] });
  const to = await chooseRevision(session, controlPlane, live);
  const { active_revision_id: active, latest_revision_id: latest } = live;
  const from = to.id === active ? latest : active;
  const plan = `roll back ${live.name} from revision ${shortId(from)} to ${describe(to)}; ${NOT_RESTORED}`;
  if (session.options.dryRun) {
    session.host.progress(`would ${plan}`);
    return endWith(session, { outcome: "planned", changed: false });
  }
  session.host.progress(plan);
  await confirmOnTerminal(session, "Continue?");
  const reports = await workOn(session, controlPlane, [target], (context, _, timeoutMs) =>
    redeployRevision(context, live, to.id, timeoutMs),
  );
  const deployments = reports.map((one) => ({ ...one, notes: [...one.notes, UNDONE_BY_APPLY] }));
  return endWith(session, { deployments });
};

/** `rollback` of the deployment that the spec, an id or a name identifies. */
export const runRollback = overTargets("writes", rollBackTarget);

/** The spec still wants the version that was rolled back. */
const UNDONE_BY_APPLY =
  "The next apply of the same spec may undo this rollback: revert the spec first to keep it";

/** Its id, with what it was made from and when. */
function describe({ id, source_revision_config: config, created_at }: LiveRevision): string {
  const names = new Set([versionOf(config), config["repo_commit_sha"]]);
  const shown = [...names].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  return `${id} (${[...shown.map(shortVersion), utcMinutes(created_at) || "–"].join(", ")})`;
}

/** How this entry point takes the revision to go to. */
const toOf = ({ entryPoint }: Session, revision = "REVISION"): string =>
  entryPoint === "action" ? `revision-id: ${revision}` : `--to ${revision}`;

async function chooseRevision(
  session: Session,
  controlPlane: ControlPlane,
  live: LiveDeployment,
): Promise<LiveRevision> {
  const lookup = await controlPlane.listRevisions(live.id, MAX_REVISIONS);
  const to = session.options.to ?? session.options.revisionId;
  if (to !== undefined) return findGiven(controlPlane, live, lookup, to);
  const { name, active_revision_id: activeId } = live;
  const revisions = listedItems(lookup, "revisions", `say where to go with ${toOf(session)}`);
  const active = revisions.findIndex(({ id }) => id === activeId);
  if (active === -1)
    throw new UsageError(
      `which revision of ${name} is active cannot be read: say where to go with ${toOf(session)}`,
    );
  if (active > 0 && endOf(revisions[0]!.status) !== "deployed")
    throw new UsageError(
      `the latest revision of ${name} is ${revisions[0]!.status} and ${shortId(activeId)} is still serving, so there is nothing to undo; to build that one again, add ${toOf(session, shortId(activeId))}, and to go further back, another (agent-deploy history ${name})`,
    );
  // A revision redeployed under its own id keeps its place in the list, so the time of the last change decides.
  const at = ({ updated_at }: LiveRevision): number => Date.parse(updated_at) || 0;
  const [before] = revisions
    .filter(({ id, status }) => id !== activeId && endOf(status) === "deployed")
    .toSorted((a, b) => at(b) - at(a));
  if (before === undefined)
    throw new UsageError(
      `${name} has no earlier revision that was deployed; to go elsewhere, say where with ${toOf(session)} (agent-deploy history ${name})`,
    );
  return before;
}

/** By id, or by a prefix that only one of the newest revisions has. */
async function findGiven(
  controlPlane: ControlPlane,
  live: LiveDeployment,
  lookup: Lookup<LiveRevision>,
  to: string,
): Promise<LiveRevision> {
  const { id, name, active_revision_id: active, latest_revision_id: latest } = live;
  const newest = lookup.state === "found" ? lookup.items : [];
  const [listed, ...others] = newest.filter((one) => one.id.startsWith(to.toLowerCase()));
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} revisions of ${name} begin with ${to}: use a longer ID prefix`,
    );
  const isWhole = UUID.test(to);
  // It may be older than those listed, and a service without a list knows it by its id.
  const read = async (): Promise<LiveRevision | null> =>
    isWhole ? controlPlane.getRevision(id, to.toLowerCase()) : null;
  const found = listed ?? (await read());
  if (found === null) {
    if (!isWhole) listedItems(lookup, "revisions", "give the whole id of the revision");
    throw new UsageError(
      newest.length >= MAX_REVISIONS && !isWhole
        ? `none of the newest ${MAX_REVISIONS} revisions of ${name} begins with ${to}: give the whole id of an older one`
        : `${name} has no revision ${to}${lookup.state === "found" ? `; agent-deploy history ${name} lists them` : ""}`,
    );
  }
  // If the latest revision failed, the active one is a valid target.
  if (found.id === active && found.id === latest)
    throw new UsageError(`revision ${to} of ${name} is the active one already`);
  return found;
}
