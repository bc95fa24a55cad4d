import { liveCommit, sameCommit, type CommitCheck } from "../plan/commit.ts";
import { liveOf, type Found } from "../plan/found.ts";
import { valueAt } from "../plan/value.ts";
import { pathMatcher } from "../files/glob.ts";
import type { Desired } from "../spec/desired.ts";
import type { RunContext } from "../run-context.ts";
import type { DeployContext } from "./context.ts";

/**
 * `host/owner/name` of a git URL (https, ssh or scp-like, with or without `.git`, in any case);
 * undefined for anything else.
 */
function toRepositoryKey(url: string): string | undefined {
  const match =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[:/]+(.+?)(?:\.git)?\/*$/i.exec(
      url.trim(),
    );
  return match === null ? undefined : `${match[1]}/${match[2]}`.toLowerCase();
}

const fullRef = (ref: string): string => (ref.startsWith("refs/") ? ref : `refs/heads/${ref}`);

/** The commit of a run, from the CI's variables or else the checkout. */
interface OwnCommit {
  readonly commit: string | null;
  /** Empty if unknown. */
  readonly repositoryUrl: string;
  readonly ref: string;
}

async function readOwnCommit(
  run: RunContext,
  wantedRef: string | null,
  repository: DeployContext["repository"],
): Promise<OwnCommit> {
  const { repositoryUrl, sha, ref, baseRef } = run;
  const own = { commit: sha === "" ? null : sha, repositoryUrl, ref };
  const isSaid = repositoryUrl !== "" && sha !== "" && (ref !== "" || baseRef !== "");
  if (isSaid || wantedRef === null) return own;
  const here = await repository.checkedOut();
  if (here === null || here.originUrl === null) return own;
  const isAsked = own.commit === null || here.ref === null;
  const isPushed = isAsked && (await here.isPushed(wantedRef));
  const isHere = sha === "" || sameCommit(sha, here.commit);
  // A CI checks out a commit; the branch is then the one that contains it.
  const checkedOut = here.ref ?? (isPushed ? wantedRef : "");
  return {
    commit: own.commit ?? (isPushed ? here.commit : null),
    repositoryUrl: repositoryUrl || here.originUrl,
    ref: ref === "" && baseRef === "" && isHere ? checkedOut : ref,
  };
}

/** Why the run's own commit is not the wanted one; null if it is. */
function notWanted(
  { commit, repositoryUrl, ref }: OwnCommit,
  ours: boolean,
  wantedRef: string | null,
): string | null {
  if (repositoryUrl === "") return "pass --commit SHA, or the input commit";
  if (!ours) return "repo_url is another repository; pass its commit as the input commit";
  if (wantedRef === null) return "the spec names no repo_ref";
  const bare = wantedRef.replace(/^refs\/heads\//, "");
  if (ref !== wantedRef)
    return ref === ""
      ? `this run does not say that it is on ${bare}; pass --commit SHA, or the input commit`
      : `repo_ref is ${bare}, this run is on ${ref}`;
  if (commit === null)
    return `the commit that is checked out is not pushed to ${bare}, as far as origin was fetched`;
  return null;
}

/** The commit that should be live, and its relation to the live one. */
export async function checkCommit(
  { policy: { commit: given }, run, repository }: DeployContext,
  desired: Desired,
  found: Found,
): Promise<CommitCheck> {
  if (desired.source !== "repohost") return { state: "skipped", why: "", onMerge: false };
  const live = liveOf(found);
  const repoUrl =
    valueAt(desired.body, "source_config.repo_url") ??
    (live === null ? undefined : valueAt(live.body, "source_config.repo_url"));
  const named = valueAt(desired.body, "source_revision_config.repo_ref");
  const wantedRef = typeof named === "string" ? fullRef(named) : null;
  const own =
    given === null
      ? await readOwnCommit(run, wantedRef, repository)
      : { commit: given, repositoryUrl: run.repositoryUrl, ref: run.ref };
  const ours =
    typeof repoUrl === "string" &&
    own.repositoryUrl !== "" &&
    toRepositoryKey(repoUrl) === toRepositoryKey(own.repositoryUrl);
  const why = given === null ? notWanted(own, ours, wantedRef) : null;
  if (why !== null || own.commit === null) {
    const onMerge = wantedRef !== null && run.baseRef !== "" && wantedRef === fullRef(run.baseRef);
    return { state: "skipped", why: why ?? "", onMerge: onMerge && ours };
  }
  const { commit } = own;
  // There is nothing live to compare with; the result of a create is checked at the end.
  if (live === null)
    return { state: "wanted", commit, relation: "unknown", pathsChanged: "unknown" };
  const before = liveCommit(live);
  if (before === null || sameCommit(before, commit))
    return { state: "wanted", commit, relation: "identical", pathsChanged: "unknown" };
  // If the checkout has both commits, git can compare them, whatever repository the CI names.
  const { relation, files } = await repository.compare(before, commit, { gitOnly: !ours });
  const { paths } = desired.deploy;
  if (paths.length === 0 || files === null)
    return { state: "wanted", commit, relation, pathsChanged: "unknown" };
  const pathsChanged = files.some(pathMatcher(paths)) ? "yes" : "no";
  return { state: "wanted", commit, relation, pathsChanged };
}
