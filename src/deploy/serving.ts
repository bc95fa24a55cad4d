import type { LiveDeployment } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { parseSourceValue, sourceEntryOf, toSourceVersion } from "../model/source-mark.ts";
import { withoutUserInfo } from "../model/user-info.ts";
import { isGreen } from "../report/outcome.ts";
import type { DeploymentReport, ServedRevision } from "../report/report.ts";
import { withReferences } from "../plan/references.ts";
import type { Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { PAGE_LIMIT } from "../service/pages.ts";
import { readShownRevision, readShownRevisions } from "../service/revision-lookup.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { madeOf } from "./unbuilt.ts";

/** The longest that a report waits to read what is active. */
const READ_LIMIT_MS = 10_000;
/** The same if the service did not respond. */
const SHORT_READ_LIMIT_MS = 2_000;
/** Reasons of ends after which the service may not be readable, or may refuse reads for a while (429). */
const UNREAD: readonly string[] = ["service", "unknown", "refused"];

/**
 * What a revision is built from, as people call it: its image, branch, tag or commit, or the
 * uploaded source; null if unknown. `secrets` are the deployment's environment values, one of
 * which records the hash of one archive with its path.
 */
export function versionOf(config: Json | undefined, secrets?: Json): string | null {
  if (!isObject(config)) return null;
  const { image_uri: image, repo_ref: ref, source_tarball_path: path } = madeOf(config);
  if (typeof path === "string" && path !== "") {
    const mark = parseSourceValue(sourceEntryOf(secrets)?.["value"]);
    return mark?.path === path ? toSourceVersion(mark.hash) : null;
  }
  const version = [image, ref].find((one) => typeof one === "string" && one !== "");
  return typeof version === "string" ? withoutUserInfo(version) : null;
}

const liveVersion = ({ body }: LiveDeployment): string | null =>
  versionOf(body["source_revision_config"], body["secrets"]);

/** What the spec wants to run; if it does not say, what the latest revision was built from. */
export function wantedVersion(
  { archive, body }: Desired,
  live: LiveDeployment | null,
): string | null {
  if (archive !== undefined) return toSourceVersion(archive.hash);
  return versionOf(body["source_revision_config"]) ?? (live === null ? null : liveVersion(live));
}

/**
 * The report with versions as they are shown. If a variable with a secret's name fills in the
 * wanted one, it is shown by that name, and any other may be the secret's previous value.
 */
export function withShownVersions(
  { body, shown }: Desired,
  report: DeploymentReport,
): DeploymentReport {
  const path = "source_revision_config";
  const config = body[path] ?? null;
  const wanted = versionOf(config);
  const asShown = versionOf(withReferences(config, { path, shown }));
  if (wanted === asShown) return report;
  const show = (version: string | null | undefined): string | null =>
    version === wanted ? asShown : null;
  const { version, previous_version: previous, ...rest } = report;
  const [own, before] = [show(version), show(previous)];
  return {
    ...rest,
    ...(own === null ? {} : { version: own }),
    ...(before === null ? {} : { previous_version: before }),
    ...(rest.serving ? { serving: { ...rest.serving, version: show(rest.serving.version) } } : {}),
  };
}

/** The active revision as far as the deployment shows it: the deployment's values are those of the latest revision. */
export function servedBy(live: LiveDeployment): ServedRevision | null {
  const { active_revision_id: active, latest_revision_id: latest } = live;
  if (active === null) return null;
  return { revision_id: active, version: active === latest ? liveVersion(live) : null };
}

/**
 * Adds what is active at the end of a run. After a green end that is known. After a red one or a
 * rollback the service is asked, since what was active before proves nothing; if it does not
 * respond, nothing is added. If the time is up, it is not asked, since nothing exceeds `timeout`:
 * the report shows the last reading.
 */
export async function withServing(
  context: DeployContext,
  one: DeploymentReport,
): Promise<DeploymentReport> {
  const { outcome, rollback, id } = one;
  if (outcome === "deployed" && rollback === undefined && one.revision_id !== null)
    return { ...one, serving: { revision_id: one.revision_id, version: one.version ?? null } };
  if (isGreen(outcome) && rollback === undefined) return one;
  if (outcome === "timed-out" || rollback?.outcome === "timed-out") return one;
  if (id === null || context.signal.aborted) return one;
  const readLimitMs = UNREAD.includes(one.reason) ? SHORT_READ_LIMIT_MS : READ_LIMIT_MS;
  const limitMs = Math.min(context.policy.timeoutMs ?? readLimitMs, readLimitMs);
  const controlPlane = boundedBy(context, context.clock.monotonic() + limitMs);
  try {
    const live = await controlPlane.getDeployment(id);
    const served = live === null ? null : servedBy(live);
    if (live === null || served === null) return { ...one, serving: null };
    const revision = await readShownRevision(controlPlane, id, served.revision_id);
    const read = versionOf(revision?.source_revision_config, live.body["secrets"]);
    // The deployment records the hash of its last upload only; the run knows that of the revision before.
    const before = [one.previous_revision_id, rollback?.revision_id].includes(served.revision_id)
      ? one.previous_version
      : undefined;
    const version = read ?? served.version ?? before ?? null;
    return { ...one, serving: { ...served, version } };
  } catch {
    return one;
  }
}

/** What was active before a run, as far as that was read. */
export function servedBefore(
  before: LiveDeployment | null | undefined,
): ServedRevision | null | undefined {
  return before ? servedBy(before) : before;
}

/**
 * What is active according to a wait's last reading; undefined if it could not be read. If it was
 * active `before`, its version is known from then.
 */
export function servedAtEnd(
  last: LiveDeployment | null,
  before: LiveDeployment | null | undefined,
): ServedRevision | null | undefined {
  if (last === null) return undefined;
  const [served, former] = [servedBy(last), servedBefore(before)];
  return served !== null && served.revision_id === former?.revision_id ? former : served;
}

/**
 * The revision that was active right before `ownId` became active. Revisions run one at a time, so
 * it is the newest one in between that was deployed after the remembered one. Returns the
 * remembered one if the service has no list, or it cannot be read.
 */
export async function findActiveBefore(
  controlPlane: ControlPlane,
  deploymentId: string,
  ownId: string,
  rememberedId: string,
): Promise<string> {
  const items = (await readShownRevisions(controlPlane, deploymentId, PAGE_LIMIT)) ?? [];
  const [own, remembered] = [ownId, rememberedId].map((id) =>
    items.findIndex((one) => one.id === id),
  );
  if (own === -1 || remembered === -1) return rememberedId;
  const since = Date.parse(items[remembered!]!.updated_at);
  // If an older revision was redeployed under its own id, the replaced one stays DEPLOYED, but changed last before
  // that.
  const between = items
    .slice(own! + 1, remembered)
    .find(
      ({ status, updated_at }) =>
        endOf(status) === "deployed" && !(Date.parse(updated_at) <= since),
    );
  return between?.id ?? rememberedId;
}
