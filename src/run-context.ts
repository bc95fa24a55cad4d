/** A repository as GitHub names it. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** What the environment says about this run. Nothing of it was asked over the network. */
export interface RunContext {
  readonly host: "github" | "gitlab" | "other-ci" | "terminal";
  readonly repository: Repository | null;
  /** Git or web address of the repository; empty where the CI does not say. */
  readonly repositoryUrl: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** `pull_request`, `push`, …; empty outside GitHub. */
  readonly event: string;
  /** Full ref (`refs/heads/main`); empty where there is none. */
  readonly ref: string;
  /** On a pull request the merge commit, as GITHUB_SHA is. */
  readonly sha: string;
  /** The commit people know: the head of the pull request, else `sha`. */
  readonly headSha: string;
  /** Branch a pull request goes into, its bare name; empty elsewhere. */
  readonly baseRef: string;
  /** The repository's main branch; empty where the event does not say. */
  readonly defaultBranch: string;
  /** The pull request of the event, where the event names it. */
  readonly pullRequest: number | null;
  /** True: the event (a push) names none, but its commit may belong to one. */
  readonly pullRequestByCommit: boolean;
  readonly fork: boolean;
  readonly dependabot: boolean;
  /** The token can only read: a fork's or Dependabot's pull request. */
  readonly readOnlyToken: boolean;
  /**
   * Runs with the repository's secrets over files that may be a stranger's: the event does not show
   * whose code was checked out, or shows a fork's.
   */
  readonly untrustedHead: boolean;
  /** Digits; empty outside GitHub. Re-runs share it and differ in `runAttempt`. */
  readonly runId: string;
  readonly runAttempt: number;
  readonly workflow: string;
  readonly job: string;
  readonly actor: string;
  /** Page of this attempt; empty where there is none. */
  readonly runUrl: string;
  /** Page of `headSha`; empty where there is none. */
  readonly commitUrl: string;
}

/** `owner/name` of the run's repository; empty outside GitHub. */
export const slugOf = ({ repository }: Pick<RunContext, "repository">): string =>
  repository === null ? "" : `${repository.owner}/${repository.name}`;
