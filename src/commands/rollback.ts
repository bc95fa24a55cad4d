import { NOT_RESTORED } from "../deploy/rollback.ts";
import { timeoutOf } from "../deploy/context.ts";
import { isSameBuild } from "../deploy/unbuilt.ts";
import { versionOf, withServing } from "../deploy/serving.ts";
import { redeployRevision } from "../deploy/wait-only.ts";
import { type LiveDeployment, type LiveRevision, UUID } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { shortId } from "../report/columns.ts";
import { shortVersion } from "../report/wording.ts";
import { confirmOnTerminal } from "../ci/confirm.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { renderTime } from "./revision-summary.ts";
import { listedItems } from "./listed-items.ts";
import { findOnly, liveOf, overTargets, toMissingReport } from "./looked-up-deployment.ts";
import { endWith, publishStart } from "../ci/report-assembly.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";
import type { ControlPlane, Lookup } from "../service/control-plane.ts";

const MOST_REVISIONS = 100;

/**
 * `rollback NAME [--to REVISION]`: redeploys the revision that was active before, or the given one,
 * and waits. In the Action, `deployment-id` or the spec names the deployment.
 */
export const runRollback = overTargets("writes", async (session, documents, controlPlane) => {
  const target = await findOnly(session, controlPlane, documents);
  const live = liveOf(target);
  if (live === null) return endWith(session, { deployments: [toMissingReport(target)] });
  await publishStart(session, [{ name: live.name, live }]);
  return rollBack(session, controlPlane, live);
});

/** Rolls a deployment back on an open connection. */
export async function rollBack(
  session: Session,
  controlPlane: ControlPlane,
  live: LiveDeployment,
): Promise<CommandEnd> {
  const target = await chooseRevision(session, controlPlane, live);
  const { active_revision_id: active, latest_revision_id: latest } = live;
  const from = target.id === active ? latest : active;
  const plan = `roll back ${live.name} from revision ${shortId(from)} to ${describe(target)}; ${NOT_RESTORED}`;
  if (session.options.dryRun) {
    session.host.progress(`would ${plan}`);
    return endWith(session, { outcome: "planned", changed: false });
  }
  session.host.progress(plan);
  await confirmOnTerminal(session, "Continue?");
  const context = toDeployContext(session, controlPlane);
  const ended = await redeployRevision(context, live, target.id, timeoutOf(context, {}));
  const report = await withServing(context, ended);
  const notes = [...report.notes, UNDONE_BY_APPLY];
  return endWith(session, { deployments: [{ ...report, notes }] });
}

/** The spec still names what was rolled back from. */
const UNDONE_BY_APPLY =
  "The next apply of the same spec undoes this rollback: revert the spec first to keep it";

const describe = (revision: LiveRevision): string => `${revision.id} (${versionWords(revision)})`;

function versionWords({ source_revision_config: config, created_at }: LiveRevision): string {
  const [version, made] = [versionOf(config), renderTime(created_at)];
  return version === null ? made : `${shortVersion(version)}, ${made}`;
}

async function chooseRevision(
  session: Session,
  controlPlane: ControlPlane,
  live: LiveDeployment,
): Promise<LiveRevision> {
  const lookup = await controlPlane.listRevisions(live.id, MOST_REVISIONS);
  const revisions = lookup.state === "found" ? lookup.items : [];
  const to = session.options.to ?? session.options.revisionId;
  if (to !== undefined) {
    const given = findGiven(revisions, live, to) ?? (await readGiven(controlPlane, live, to));
    return refuseServing(given ?? tellMissing(lookup, live, to), live, to);
  }
  const active = revisions.findIndex(({ id }) => id === live.active_revision_id);
  if (active === -1)
    throw new UsageError(
      `which revision of ${live.name} is active cannot be read: say where to go with --to REVISION`,
    );
  if (active > 0 && endOf(revisions[0]!.status) !== "deployed")
    throw new UsageError(
      `the latest revision of ${live.name} is ${revisions[0]!.status} and ${shortId(live.active_revision_id)} is still serving, so there is nothing to undo; to build that one again, add --to ${shortId(live.active_revision_id)}, and to go further back, --to another (agent-deploy history ${live.name})`,
    );
  const before = findEarlier(revisions, active);
  if (before === undefined)
    throw new UsageError(
      `${live.name} has no earlier revision that was deployed; to go elsewhere, say where with --to REVISION (agent-deploy history ${live.name})`,
    );
  const left = listReturn(revisions, active, before);
  if (left.length > 0)
    throw new UsageError(
      `${live.name} serves an earlier build again, so ${shortId(before.id)} may be what was rolled back from; ${left.length === 1 ? "there is no other to go to, so to build it again, add" : "choose one:"} ${left.map((one) => `--to ${shortId(one.id)} (${versionWords(one)})`).join(", ")}`,
    );
  return before;
}

/**
 * The revision that was active right before the active one. A service that redeploys a revision under
 * its own id leaves it at its place in the list: those above it were rolled back from, and among
 * those below the time of the last change decides.
 */
function findEarlier(revisions: readonly LiveRevision[], active: number): LiveRevision | undefined {
  const at = ({ updated_at }: LiveRevision): number => Date.parse(updated_at) || 0;
  return listDeployed(revisions.slice(active + 1)).reduce<LiveRevision | undefined>(
    (last, one) => (last === undefined || at(one) > at(last) ? one : last),
    undefined,
  );
}

const listDeployed = (revisions: readonly LiveRevision[]): readonly LiveRevision[] =>
  revisions.filter(({ status }) => endOf(status) === "deployed");

const MOST_LISTED = 5;

/**
 * Where to go, if the active revision has the build of one below the one before: a redeploy under a
 * new id looks like that, and so does a deploy of the older build. Empty where it has a build of its own.
 */
function listReturn(
  revisions: readonly LiveRevision[],
  active: number,
  before: LiveRevision,
): readonly LiveRevision[] {
  const isServed = (one: LiveRevision): boolean => isSameBuild(one, revisions[active]!);
  const older = listDeployed(revisions.slice(revisions.indexOf(before) + 1));
  if (isServed(before) || !older.some(isServed)) return [];
  return [before, ...older].filter((one) => !isServed(one)).slice(0, MOST_LISTED);
}

/** By id, or by the beginning of one that only one of the newest revisions has. */
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

/** One that is older than those listed, or of a service without a list. */
async function readGiven(
  controlPlane: ControlPlane,
  live: LiveDeployment,
  to: string,
): Promise<LiveRevision | null> {
  return UUID.test(to) ? controlPlane.getRevision(live.id, to.toLowerCase()) : null;
}

function tellMissing(lookup: Lookup<LiveRevision>, { name }: LiveDeployment, to: string): never {
  const isWhole = UUID.test(to);
  if (lookup.state !== "found" && isWhole) throw new UsageError(`${name} has no revision ${to}`);
  const listed = listedItems(lookup, "revisions", "give the whole id of the revision");
  const isCut = listed.length >= MOST_REVISIONS && !isWhole;
  throw new UsageError(
    isCut
      ? `none of the newest ${MOST_REVISIONS} revisions of ${name} begins with ${to}: give the whole id of an older one`
      : `${name} has no revision ${to}; agent-deploy history ${name} lists them`,
  );
}

/** Below a latest one that failed, the active one is a place to go: the latest is then what serves. */
function refuseServing(one: LiveRevision, live: LiveDeployment, to: string): LiveRevision {
  if (one.id === live.active_revision_id && one.id === live.latest_revision_id)
    throw new UsageError(`revision ${to} of ${live.name} is the active one already`);
  return one;
}
