/** A repository as GitHub names it. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** What the environment says about this run, without any request. */
export interface RunContext {
  readonly host: "github" | "gitlab" | "other-ci" | "terminal";
  readonly repository: Repository | null;
  /** Git or web address of the repository; empty if the CI does not say. */
  readonly repositoryUrl: string;
  readonly apiUrl: string;
  /** `pull_request`, `push`, …; empty outside GitHub. */
  readonly event: string;
  /** Full ref (`refs/heads/main`); empty if there is none. */
  readonly ref: string;
  /** On a pull request the merge commit, like GITHUB_SHA. */
  readonly sha: string;
  /** The commit to show: the head of the pull request, else `sha`. */
  readonly headSha: string;
  /** Target branch of a pull request, without `refs/heads/`; empty otherwise. */
  readonly baseRef: string;
  /** The repository's main branch; empty if the event does not say. */
  readonly defaultBranch: string;
  /** The pull request, if the event names it. */
  readonly pullRequest: number | null;
  /** True: the event (a push) names no pull request, but its commit may belong to one. */
  readonly pullRequestByCommit: boolean;
  readonly fork: boolean;
  readonly dependabot: boolean;
  /** The token is read-only: a fork's or Dependabot's pull request. */
  readonly readOnlyToken: boolean;
  /**
   * The run has the repository's secrets, but the files may be foreign: the event shows a fork's
   * code, or does not show whose code was checked out.
   */
  readonly untrustedHead: boolean;
  /** Digits; empty outside GitHub. Re-runs share it and differ in `runAttempt`. */
  readonly runId: string;
  readonly runAttempt: number;
  readonly workflow: string;
  readonly job: string;
  readonly actor: string;
  /** URL of this attempt; empty if there is none. */
  readonly runUrl: string;
  /** URL of `headSha`; empty if there is none. */
  readonly commitUrl: string;
}

/** The path of a web address, or of one that git takes (`git@host:group/name.git`). */
const PATH_OF_URL = /^(?:[a-z+]+:\/\/[^/]+\/|[^/]+:)(.*?)(?:\.git)?\/*$/i;

/** `owner/name` of the run's repository, with any groups above it; empty if the CI does not say. */
export function slugOf({
  repository,
  repositoryUrl,
}: Pick<RunContext, "repository" | "repositoryUrl">): string {
  if (repository !== null) return `${repository.owner}/${repository.name}`;
  return PATH_OF_URL.exec(repositoryUrl)?.[1] ?? "";
}
