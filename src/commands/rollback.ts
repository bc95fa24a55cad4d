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
  "The next apply of the same spec undoes this rollback: revert the spec first to keep it";

const describe = (revision: LiveRevision): string => `${revision.id} (${versionWords(revision)})`;

function versionWords({ source_revision_config: config, created_at }: LiveRevision): string {
  const [version, commit] = [versionOf(config), config["repo_commit_sha"]];
  const names = [version, commit === version ? null : commit].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  return [...names.map(shortVersion), utcMinutes(created_at) || "–"].join(", ");
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
  const revisions = lookup.state === "found" ? lookup.items : [];
  const to = session.options.to ?? session.options.revisionId;
  if (to !== undefined) {
    const given = findGiven(revisions, live, to) ?? (await readGiven(controlPlane, live, to));
    return refuseServing(given ?? rejectMissing(lookup, live, to), live, to);
  }
  const active = revisions.findIndex(({ id }) => id === live.active_revision_id);
  if (active === -1)
    throw new UsageError(
      `which revision of ${live.name} is active cannot be read: say where to go with ${toOf(session)}`,
    );
  if (active > 0 && endOf(revisions[0]!.status) !== "deployed")
    throw new UsageError(
      `the latest revision of ${live.name} is ${revisions[0]!.status} and ${shortId(live.active_revision_id)} is still serving, so there is nothing to undo; to build that one again, add ${toOf(session, shortId(live.active_revision_id))}, and to go further back, another (agent-deploy history ${live.name})`,
    );
  const before = findEarlier(revisions, live.active_revision_id);
  if (before === undefined)
    throw new UsageError(
      `${live.name} has no earlier revision that was deployed; to go elsewhere, say where with ${toOf(session)} (agent-deploy history ${live.name})`,
    );
  return before;
}

/**
 * The revision that was active right before the active one. A revision redeployed under its own id
 * keeps its place in the list, so the time of the last change decides.
 */
function findEarlier(
  revisions: readonly LiveRevision[],
  activeId: string | null,
): LiveRevision | undefined {
  const at = ({ updated_at }: LiveRevision): number => Date.parse(updated_at) || 0;
  return revisions
    .filter(({ id, status }) => id !== activeId && endOf(status) === "deployed")
    .reduce<LiveRevision | undefined>(
      (last, one) => (last === undefined || at(one) > at(last) ? one : last),
      undefined,
    );
}

/** By id, or by a prefix that only one of the newest revisions has. */
function findGiven(
  revisions: readonly LiveRevision[],
  live: LiveDeployment,
  to: string,
): LiveRevision | undefined {
  const found = revisions.filter(({ id }) => id.startsWith(to.toLowerCase()));
  if (found.length > 1)
    throw new UsageError(
      `${found.length} revisions of ${live.name} begin with ${to}: use a longer ID prefix`,
    );
  return found[0];
}

/** Reads a revision older than those listed, or of a service without a list. */
async function readGiven(
  controlPlane: ControlPlane,
  live: LiveDeployment,
  to: string,
): Promise<LiveRevision | null> {
  return UUID.test(to) ? controlPlane.getRevision(live.id, to.toLowerCase()) : null;
}

function rejectMissing(lookup: Lookup<LiveRevision>, { name }: LiveDeployment, to: string): never {
  const isWhole = UUID.test(to);
  if (lookup.state !== "found" && isWhole) throw new UsageError(`${name} has no revision ${to}`);
  const listed = listedItems(lookup, "revisions", "give the whole id of the revision");
  const isCut = listed.length >= MAX_REVISIONS && !isWhole;
  throw new UsageError(
    isCut
      ? `none of the newest ${MAX_REVISIONS} revisions of ${name} begins with ${to}: give the whole id of an older one`
      : `${name} has no revision ${to}; agent-deploy history ${name} lists them`,
  );
}

/** If the latest revision failed, the active one is a valid target. */
function refuseServing(one: LiveRevision, live: LiveDeployment, to: string): LiveRevision {
  if (one.id === live.active_revision_id && one.id === live.latest_revision_id)
    throw new UsageError(`revision ${to} of ${live.name} is the active one already`);
  return one;
}
