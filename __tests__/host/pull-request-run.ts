import type { FakeGithub } from "./fake-github.ts";

/** Event and variables of a run on a pull request of the repository itself, whose comment is kept up to date. */
export function pullRequestRun(github: Pick<FakeGithub, "pullRequest" | "url">) {
  return {
    event: {
      name: "pull_request",
      payload: {
        number: github.pullRequest,
        pull_request: {
          number: github.pullRequest,
          head: { sha: "a".repeat(40), repo: { full_name: "octocat/agents" } },
        },
      },
    },
    env: {
      GITHUB_REPOSITORY: "octocat/agents",
      GITHUB_API_URL: github.url,
      GITHUB_REF: `refs/pull/${github.pullRequest}/merge`,
    },
  };
}
