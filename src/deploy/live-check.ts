import { isDeepStrictEqual } from "node:util";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { compareDeployment, findNotShown } from "../plan/comparison.ts";
import type { JsonObject } from "../model/json.ts";
import { valueAt } from "../plan/value.ts";
import type { Desired } from "../spec/desired.ts";

/** Fields that a revision's own reply shows. */
const OF_A_REVISION = "source_revision_config.";

/**
 * Names of the fields that decide what runs and that live does not hold as the spec says: either the revision is
 * another run's that was taken for ours (a field that was sent), or another run's update came in just before ours and
 * ours was built on top of it (a field that was not). Values that the service does not show are not counted.
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
  const live = isLatest ? deployment : withRevision(deployment, revision);
  // Leaves that were not sent may be the service's own defaults: only those that were tell whose revision it is.
  const named: Desired = { ...desired, deploy: { ...desired.deploy, resource_spec: "merge" } };
  const hidden = findNotShown(sent, live);
  return compareDeployment(named, live, "keep")
    .units.map(({ field }) => field)
    .filter(({ path, meta }) => meta.effect === "new-revision" && !hidden.includes(path))
    .map(({ path }) => path)
    .filter((path) => isLatest || path.startsWith(OF_A_REVISION));
}

/** The deployment's values are those of its latest revision; those of an earlier one stand in that revision alone. */
function withRevision(deployment: LiveDeployment, revision: LiveRevision): LiveDeployment {
  return {
    ...deployment,
    body: { ...deployment.body, source_revision_config: revision.source_revision_config },
  };
}

/** Names of the fields of an update in place that live still shows as they were before it, other than what was sent. */
export function findUntaken(
  desired: Desired,
  sent: JsonObject,
  before: LiveDeployment,
  now: LiveDeployment,
): readonly string[] {
  const hidden = findNotShown(sent, now);
  return compareDeployment(desired, now, "keep")
    .units.map(({ field }) => field.path)
    .filter((path) => valueAt(sent, path) !== undefined && !hidden.includes(path))
    .filter((path) => isDeepStrictEqual(valueAt(now.body, path), valueAt(before.body, path)));
}
