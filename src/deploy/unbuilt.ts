import { spellPath, type Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { COMMIT_LIKE } from "../plan/commit.ts";
import { patchUnits } from "../plan/units.ts";
import { isObject, type JsonObject, type Json } from "../model/json.ts";

/** Fields that a revision's own reply contains. */
export const OF_A_REVISION = "source_revision_config.";

/** Fields that only a revision built from a repository has. */
const OF_A_REPOSITORY = ["repo_ref", "repo_commit_sha"];

/** Whether a revision is built from a repository, as far as its configuration shows. */
const isOfRepository = (config: JsonObject): boolean =>
  OF_A_REPOSITORY.some((name) => typeof config[name] === "string" && config[name] !== "");

/**
 * What a revision was made from. For one built from a repository the image is the result,
 * different for each build (contributing/service.md 2.6), and does not show what was asked for.
 */
export function madeOf(config: JsonObject): JsonObject {
  if (!isOfRepository(config)) return config;
  const { image_uri: _built, ...asked } = config;
  return asked;
}

/** The build fields that differ between two configurations: name, here, there. */
function differing(one: JsonObject, other: JsonObject): [string, Json, Json][] {
  const [ours, theirs] = [madeOf(one), madeOf(other)];
  // A ref cannot be compared with the commit that it named.
  const comparable = (value: Json | undefined): value is string =>
    typeof value === "string" && value !== "" && !COMMIT_LIKE.test(value);
  return patchUnits()
    .filter(({ path, meta }) => path.startsWith(OF_A_REVISION) && meta.effect === "new-revision")
    .flatMap(({ name }): [string, Json, Json][] => {
      const [here, there] = [ours[name], theirs[name]];
      return comparable(here) && comparable(there) && here !== there ? [[name, here, there]] : [];
    });
}

/** Names, in a dialect, of the build fields in which two revisions differ. */
export function findBuiltOtherwise(
  revision: LiveRevision,
  model: LiveRevision,
  dialect: Dialect,
): string[] {
  return differing(revision.source_revision_config, model.source_revision_config).map(([name]) =>
    spellPath(OF_A_REVISION + name, dialect),
  );
}

/**
 * The deployment with its latest revision's values, if it shows an update that was stored but
 * never built. Null if both agree.
 */
export function withBuilt(
  deployment: LiveDeployment,
  revision: LiveRevision,
): LiveDeployment | null {
  const stored = deployment.body["source_revision_config"];
  if (!isObject(stored)) return null;
  const unbuilt = differing(stored, revision.source_revision_config).map(
    ([name, , built]): [string, Json] => [name, built],
  );
  if (unbuilt.length === 0) return null;
  const source_revision_config = { ...stored, ...Object.fromEntries(unbuilt) };
  return { ...deployment, body: { ...deployment.body, source_revision_config } };
}
