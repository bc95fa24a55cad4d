import type { Session } from "./session.ts";

/** What the CI says; in a terminal, or a CI that says nothing, what is checked out. */
export async function readCommitPlace({ run, repository }: Pick<Session, "run" | "repository">) {
  const { headSha } = run;
  const branch = run.ref.replace(/^refs\/(?:heads\/)?/, "") || null;
  const isSaid = headSha !== "" && (branch !== null || run.baseRef !== "");
  const here = isSaid ? null : await repository.checkedOut();
  const commit = headSha || (here === null || (await here.isEdited()) ? null : here.commit);
  const own = branch ?? here?.ref?.replace(/^refs\/heads\//, "") ?? null;
  const isPullRequest = run.baseRef !== "";
  const main = run.defaultBranch || ((await here?.defaultBranch()) ?? null);
  return {
    commit,
    /** Without `refs/heads/`; `pull/7/merge` on a pull request. */
    branch: own,
    /** The branch whose runs this one is compared with. */
    baseBranch: run.baseRef || (main ?? own),
    /** The checkout has no origin/HEAD to name the default branch, so a branch is its own base. */
    lacksOriginHead: here !== null && main === null && run.baseRef === "",
    isPullRequest,
  };
}

/** The commit that a run measures, and its branch. */
export type CommitPlace = Awaited<ReturnType<typeof readCommitPlace>>;
