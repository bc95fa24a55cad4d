import type { CommitCheck } from "../plan/commit.ts";
import { liveCommit, sameCommit } from "../plan/commit.ts";
import type { Found } from "../plan/plan-draft.ts";
import { valueAt } from "../plan/value.ts";
import { pathMatcher } from "../files/glob.ts";
import type { Desired } from "../spec/desired.ts";
import type { CommitHistory, RunFacts } from "./context.ts";

/** `host/owner/name` of a git URL (https, ssh, scp-like; with or without `.git`; any case), or undefined. */
function toRepositoryKey(url: string): string | undefined {
  const match =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[:/]+(.+?)(?:\.git)?\/*$/i.exec(
      url.trim(),
    );
  return match === null ? undefined : `${match[1]}/${match[2]}`.toLowerCase();
}

const fullRef = (ref: string): string => (ref.startsWith("refs/") ? ref : `refs/heads/${ref}`);

function isThisRepository(repoUrl: unknown, run: RunFacts): boolean {
  if (run.repository === null || typeof repoUrl !== "string") return false;
  return toRepositoryKey(repoUrl) === toRepositoryKey(`${run.serverUrl}/${run.repository}`);
}

/** The commit that should be live, and how it stands to the one that is. */
export async function checkCommit(
  desired: Desired,
  found: Found,
  given: string | null,
  run: RunFacts,
  repository: CommitHistory,
): Promise<CommitCheck> {
  const skipped = (why: string, onMerge = false): CommitCheck => ({
    state: "skipped",
    why,
    onMerge,
  });
  if (desired.source !== "repohost") return skipped("");
  const live = found.state === "live" ? found.deployment : null;
  const ours = isThisRepository(
    valueAt(desired.body, "source_config.repo_url") ??
      (live === null ? null : valueAt(live.body, "source_config.repo_url")),
    run,
  );
  const commit = given ?? (run.sha === "" ? null : run.sha);
  if (given === null) {
    const ref = valueAt(desired.body, "source_revision_config.repo_ref");
    if (run.repository === null) return skipped("pass --commit SHA, or the input commit");
    if (!ours)
      return skipped("repo_url is another repository; pass its commit as the input commit");
    if (typeof ref !== "string") return skipped("the spec names no repo_ref");
    if (fullRef(ref) !== run.ref)
      return skipped(
        `repo_ref is ${ref}, this run is on ${run.ref}`,
        run.baseRef !== null && fullRef(ref) === fullRef(run.baseRef),
      );
  }
  if (commit === null) return skipped("pass --commit SHA, or the input commit");
  // Nothing is live to compare with; what a create builds is held against it at the end.
  if (live === null)
    return { state: "wanted", commit, relation: "unknown", pathsChanged: "unknown" };
  const before = liveCommit(live);
  if (before === null || sameCommit(before, commit))
    return { state: "wanted", commit, relation: "identical", pathsChanged: "unknown" };
  // Both commits in the checkout are of one history, whatever repository the CI names.
  const { relation, files } = await repository.compare(before, commit, { gitOnly: !ours });
  const { paths } = desired.deploy;
  if (paths.length === 0 || files === null)
    return { state: "wanted", commit, relation, pathsChanged: "unknown" };
  const pathsChanged = files.some(pathMatcher(paths)) ? "yes" : "no";
  return { state: "wanted", commit, relation, pathsChanged };
}
