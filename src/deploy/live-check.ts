import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { compareDeployment, patchUnits } from "../plan/comparison.ts";
import type { JsonObject } from "../plan/plan.ts";
import { valueAt } from "../plan/value.ts";
import type { Desired } from "../spec/desired.ts";

/** Fields that a revision's own reply shows. */
const OF_A_REVISION = "source_revision_config.";

/**
 * Names of the fields that made a revision and that live does not hold: then the revision is another run's that was
 * taken for ours. `sent` is the body of the write. Values that the service does not show are not counted.
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
  const made = patchUnits().filter(
    ({ path, meta }) =>
      meta.effect === "new-revision" &&
      valueAt(sent, path) !== undefined &&
      (isLatest || path.startsWith(OF_A_REVISION)),
  );
  // Leaves that were not sent may be the service's own defaults: only those that were tell whose revision it is.
  const named: Desired = { ...desired, deploy: { ...desired.deploy, resource_spec: "merge" } };
  const differing = compareDeployment(named, live, "keep").units.map(({ field }) => field.path);
  return made.map(({ path }) => path).filter((path) => differing.includes(path));
}

/** The deployment's values are those of its latest revision; those of an earlier one stand in that revision alone. */
function withRevision(deployment: LiveDeployment, revision: LiveRevision): LiveDeployment {
  return {
    ...deployment,
    body: { ...deployment.body, source_revision_config: revision.source_revision_config },
  };
}
