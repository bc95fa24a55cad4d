import { spellPath } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { compareDeployment, findNotShown } from "../plan/comparison.ts";
import type { Change } from "../plan/plan.ts";
import { sameJson, type JsonObject } from "../model/json.ts";
import { holdsOtherSource } from "../plan/source.ts";
import { planDeployment } from "../plan/decision.ts";
import { valueAt, withValue } from "../plan/value.ts";
import type { Desired } from "../spec/desired.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import { liveOf } from "../plan/found.ts";
import { PAGE_LIMIT } from "../service/pages.ts";
import { readShownRevisions } from "../service/revision-lookup.ts";
import { boundedBy } from "./context.ts";
import type { DocumentRun } from "./document-run.ts";
import { asFound } from "./identity.ts";
import type { Prepared } from "./prepare.ts";
import { failed, superseded, type DeploymentEnd, type WaitEnd } from "./tracker.ts";
import { OF_A_REVISION } from "./unbuilt.ts";

/**
 * Names, as the spec spells them, of fields that decide what runs and that live does not have as
 * specified. Either another run's revision was taken for ours (the field was sent), or another
 * run's update came just before ours, which was built on top of it (the field was not sent).
 * Values that the service does not show do not count.
 */
export function findForeignFields(
  desired: Desired,
  sent: JsonObject,
  deployment: LiveDeployment,
  revision: LiveRevision | null,
): readonly string[] {
  const isLatest =
    revision === null ||
    deployment.latest_revision_id === null ||
    deployment.latest_revision_id === revision.id;
  // A deployment shows the values of its latest revision; those of an earlier one are only in that revision.
  const { source_revision_config } = revision ?? { source_revision_config: {} };
  const live = isLatest
    ? deployment
    : { ...deployment, body: { ...deployment.body, source_revision_config } };
  // Leaves that were not sent may be the service's defaults: only those that were sent show whose revision it is.
  const named: Desired = { ...desired, deploy: { ...desired.deploy, resource_spec: "merge" } };
  const { differing, changes } = differingFields(named, sent, live);
  const source = isLatest && holdsOtherSource(desired, live) ? ["source"] : [];
  const fields = differing
    .filter(({ meta }) => meta.effect === "new-revision")
    .map(({ path }) => path)
    .filter((path) => isLatest || path.startsWith(OF_A_REVISION))
    .map((path) => spellPath(path, desired.dialect))
    .flatMap((path) => itemsOf(path, changes));
  return [...source, ...fields];
}

/** Where live differs from the spec; ignores what was sent and the service does not show. */
function differingFields(desired: Desired, sent: JsonObject, live: LiveDeployment) {
  const hidden = findNotShown(sent, live);
  const { units, changes } = compareDeployment(desired, live, "keep");
  const differing = units.map(({ field }) => field).filter(({ path }) => !hidden.includes(path));
  return { differing, changes };
}

/** The items that differ in a list compared by item, such as `secrets.API_TOKEN`. */
function itemsOf(path: string, changes: readonly Change[]): readonly string[] {
  const items = changes.map((change) => change.path).filter((one) => one.startsWith(`${path}.`));
  return items.length === 0 ? [path] : items;
}

/**
 * Whether a plan against the live state has nothing left to send. `sent`: values that the service
 * does not show count as taken.
 */
export function isApplied(
  { desired, choices, policy }: Prepared,
  live: LiveDeployment,
  sent: JsonObject = {},
): boolean {
  const fill = (body: JsonObject, path: string): JsonObject =>
    withValue(body, path, valueAt(sent, path) ?? null);
  const { plan, steps } = planDeployment({
    desired,
    found: asFound({ ...live, body: findNotShown(sent, live).reduce(fill, live.body) }),
    commit: { state: "skipped", why: "", onMerge: false },
    choices,
    policy: { ...policy, create: "auto", force: false, secretsUnknown: "keep" },
  });
  return plan.blockers.length === 0 && !steps.some((step) => step.kind === "patch");
}

/** What to do after another run's update. */
export const SEND_MISSING = "Run again: it reads what is live and sends what is missing";

/**
 * Sent fields that live does not show as sent after an update in place: `unmoved` are as before,
 * `other` are another run's, or rewritten by the service. Fields that it does not show do not count.
 */
export function findUnapplied(
  desired: Desired,
  sent: JsonObject,
  before: LiveDeployment,
  now: LiveDeployment,
): { readonly unmoved: readonly string[]; readonly other: readonly string[] } {
  const paths = differingFields(desired, sent, now)
    .differing.map(({ path }) => path)
    .filter((path) => valueAt(sent, path) !== undefined);
  const isUnmoved = (path: string): boolean =>
    sameJson(valueAt(now.body, path), valueAt(before.body, path));
  return { unmoved: paths.filter(isUnmoved), other: paths.filter((path) => !isUnmoved(path)) };
}

/**
 * Warns if a field that builds nothing is not live as specified: somebody has changed it in the
 * meantime, or the service rewrites it.
 */
export function warnOfMoved(
  { desired, tracker }: Pick<DocumentRun, "desired" | "tracker">,
  live: LiveDeployment,
): void {
  const paths = differingFields(desired, desired.body, live)
    .differing.filter(({ meta }) => meta.effect !== "new-revision")
    .map(({ path }) => spellPath(path, desired.dialect));
  if (paths.length === 0) return;
  const warning = `${paths.join(", ")}: the live value differs from the spec: somebody changed it meanwhile, or the service stores it in another form. Run again to send it`;
  if (!tracker.warnings.includes(warning)) tracker.warnings.push(warning);
}

/**
 * Judges a live revision without the wanted values. If the ids show somebody else's revision,
 * theirs was taken for ours, or ours was built on top of it. Otherwise differing values are
 * somebody's too, except secrets where a list shows nobody else's revision: a service that trims
 * or drops one changes nothing else.
 */
export async function judgeForeign(
  run: DocumentRun,
  sent: JsonObject | null,
  end: WaitEnd,
): Promise<DeploymentEnd | null> {
  const { deployment, revisionId } = end;
  if (deployment === null || revisionId === null) return null;
  const fields = findForeignFields(run.desired, sent ?? {}, deployment, end.revision);
  if (fields.length === 0) {
    warnOfMoved(run, deployment);
    return null;
  }
  const what = `revision ${revisionId} is DEPLOYED and active, but it does not hold what the spec says (${fields.join(", ")})`;
  const other = await findOther(run, deployment, revisionId, end.untilMs);
  const isForeign =
    other.id !== null || !other.listed || fields.some((field) => !field.startsWith("secrets"));
  if (!isForeign)
    return failed(
      "not-taken",
      `${what}: the service dropped or changed what it was sent`,
      "Check whether the service accepts this value: a run that sends it again ends the same",
    );
  const message =
    other.id === null
      ? `${what}; no other revision shows who changed it`
      : `${what}. Revision ${other.id} was made at the same time: another run's update came in between`;
  return superseded(message, SEND_MISSING);
}

/** A revision that is neither this run's nor was there before, and whether the service lists any. */
async function findOther(
  { context, tracker }: DocumentRun,
  { id, latest_revision_id: latest }: LiveDeployment,
  ownId: string,
  untilMs: number,
): Promise<{ readonly id: string | null; readonly listed: boolean }> {
  const latestBefore = tracker.before?.latest_revision_id ?? null;
  const known = [ownId, latestBefore];
  if (latest !== null && !known.includes(latest)) return { id: latest, listed: true };
  const listed = await readShownRevisions(boundedBy(context, untilMs), id, PAGE_LIMIT);
  if (listed === null) return { id: null, listed: false };
  const before = listed.findIndex((one) => one.id === latestBefore);
  const since = before === -1 ? listed : listed.slice(0, before);
  return { id: since.find((one) => !known.includes(one.id))?.id ?? null, listed: true };
}

/**
 * DEPLOYED must mean: built from the wanted commit or a descendant of it, which is noted, as the
 * plan names the wanted one. A run that was forced to an older commit may get any.
 */
export async function judgeBuiltCommit(
  { context, desired, tracker }: DocumentRun,
  { commit, found }: Prepared,
  end: WaitEnd,
): Promise<DeploymentEnd | null> {
  if (commit.state !== "wanted") return null;
  const own = end.revision?.source_revision_config["repo_commit_sha"];
  // Some services show the commit only on the deployment, whose values are those of the latest revision.
  const built =
    own ??
    (end.deployment?.latest_revision_id === end.revisionId && end.deployment !== null
      ? liveCommit(end.deployment)
      : null);
  if (typeof built !== "string" || built === "" || sameCommit(built, commit.commit)) return null;
  if (commit.pathsChanged === "no") return null;
  const { relation } = await context.repository.compare(commit.commit, built);
  if (relation === "ahead")
    tracker.notes.push(
      `the branch was at a later commit: the service built ${built.slice(0, 12)}, not ${commit.commit.slice(0, 12)}`,
    );
  if (["ahead", "identical"].includes(relation) || commit.relation === "behind") return null;
  const live = liveOf(found);
  const before = live === null ? null : liveCommit(live);
  // The wanted commit counts as newer than the live one, so building the live one again does not contain it.
  const stayed = before !== null && sameCommit(built, before);
  if (relation === "unknown" && !stayed) {
    tracker.warnings.push(
      `revision ${end.revisionId} was built from ${built}; whether that holds the wanted commit ${commit.commit} could not be read`,
    );
    return null;
  }
  return failed(
    "commit",
    `revision ${end.revisionId} is DEPLOYED, but it was built from ${built}, which does not hold the wanted commit ${commit.commit}`,
    `Check that ${commit.commit.slice(0, 12)} is pushed to the branch; an emulator learns of it by POST /_emulator/push`,
    `Run again: the plan for ${desired.name} repeats repo_ref and builds the branch anew`,
  );
}
