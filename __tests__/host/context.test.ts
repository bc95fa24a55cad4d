import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { isNewer, parseHeader, renderHeader } from "../../src/github/comment-header.ts";
import { toCommentKey } from "../../src/github/comment-key.ts";
import { readRunContext } from "../../src/ci/context.ts";
import { slugOf } from "../../src/run-context.ts";

const ENV = {
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "acme/agents",
  GITHUB_EVENT_NAME: "push",
  GITHUB_REF: "refs/heads/main",
  GITHUB_SHA: "a".repeat(40),
  GITHUB_RUN_ID: "123",
  GITHUB_RUN_ATTEMPT: "2",
  GITHUB_WORKFLOW: "deploy",
  GITHUB_JOB: "ship",
  GITHUB_ACTOR: "octocat",
};
const on = (
  event: string,
  payload: unknown,
  over: Record<string, string> = {},
): ReturnType<typeof readRunContext> =>
  readRunContext({ ...ENV, GITHUB_EVENT_NAME: event, ...over }, payload);
const pull = (fullName: string | null): object => ({
  number: 7,
  pull_request: {
    number: 7,
    head: { sha: "b".repeat(40), repo: fullName === null ? null : { full_name: fullName } },
    base: { ref: "main" },
    user: { login: "x" },
  },
});

describe("the run context", () => {
  test("of a push names no pull request, but lets its commit be looked up", () => {
    expect(on("push", {})).toMatchObject({
      host: "github",
      pullRequest: null,
      pullRequestByCommit: true,
      runId: "123",
      runAttempt: 2,
      runUrl: "https://github.com/acme/agents/actions/runs/123/attempts/2",
    });
    expect(on("push", {}, { GITHUB_REF: "refs/tags/v1" }).pullRequestByCommit).toBe(false);
  });

  test("of a pull request has its number, the head commit and the base", () => {
    expect(on("pull_request", pull("acme/agents"))).toMatchObject({
      pullRequest: 7,
      headSha: "b".repeat(40),
      baseRef: "main",
      fork: false,
      readOnlyToken: false,
    });
  });

  test("of a fork's pull request has a read-only token, even if the fork was deleted, and ignores the case of names", () => {
    expect(on("pull_request", pull("mallory/agents"))).toMatchObject({
      fork: true,
      readOnlyToken: true,
      untrustedHead: false,
    });
    expect(on("pull_request", pull(null))).toMatchObject({ fork: true });
    expect(on("pull_request", pull("Acme/Agents"))).toMatchObject({ fork: false });
  });

  test("of pull_request_target and workflow_run over a fork's head is untrusted, with a token that can write", () => {
    expect(on("pull_request_target", pull("mallory/agents"))).toMatchObject({
      untrustedHead: true,
      readOnlyToken: false,
    });
    expect(on("workflow_run", { workflow_run: {} })).toMatchObject({ untrustedHead: true });
    expect(on("pull_request_target", null)).toMatchObject({ untrustedHead: true });
    expect(
      on("workflow_run", {
        workflow_run: {
          head_repository: { full_name: "mallory/agents" },
          head_sha: "c",
          pull_requests: [],
        },
      }),
    ).toMatchObject({ untrustedHead: true, headSha: "c", pullRequest: null });
  });

  test("reads whose head it is only from the payload of that event", () => {
    expect(on("workflow_run", pull("acme/agents"))).toMatchObject({ untrustedHead: true });
    expect(
      on("pull_request_target", {
        workflow_run: { head_repository: { full_name: "acme/agents" } },
      }),
    ).toMatchObject({ untrustedHead: true });
    expect(
      on("workflow_run", { workflow_run: { head_repository: { full_name: "Acme/Agents" } } }),
    ).toMatchObject({ untrustedHead: false, fork: false });
  });

  test("of a comment on a pull request, which anybody may write, is untrusted", () => {
    expect(on("issue_comment", { issue: { number: 9, pull_request: {} } })).toMatchObject({
      untrustedHead: true,
      fork: false,
    });
    expect(on("issue_comment", { issue: { number: 9 } })).toMatchObject({ untrustedHead: false });
  });

  test("of Dependabot's pull request has a read-only token", () =>
    expect(
      on("pull_request", pull("acme/agents"), { GITHUB_ACTOR: "dependabot[bot]" }),
    ).toMatchObject({ dependabot: true, readOnlyToken: true }));

  test.each(["push", "schedule", "workflow_dispatch"])(
    "of a %s by Dependabot is not Dependabot's pull request",
    (event) =>
      expect(on(event, {}, { GITHUB_ACTOR: "dependabot[bot]" })).toMatchObject({
        dependabot: false,
      }),
  );

  test("of a merge group gets the pull request from the ref", () => {
    const ref =
      "refs/heads/gh-readonly-queue/release/v1/pr-123-0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";
    expect(
      on("merge_group", {
        merge_group: { head_ref: ref, head_sha: "d", base_ref: "refs/heads/release/v1" },
      }),
    ).toMatchObject({ pullRequest: 123, headSha: "d", baseRef: "release/v1" });
    expect(on("merge_group", {}, { GITHUB_REF: ref }).pullRequest).toBe(123);
  });

  test("has a pull request for a comment on one, but not for a comment on an issue, a dispatch or a schedule", () => {
    expect(on("issue_comment", { issue: { number: 9, pull_request: {} } }).pullRequest).toBe(9);
    expect(on("issue_comment", { issue: { number: 9 } }).pullRequest).toBeNull();
    for (const event of ["workflow_dispatch", "schedule"])
      expect(on(event, {})).toMatchObject({ pullRequest: null, pullRequestByCommit: false });
  });

  test("uses GitHub Enterprise Server's addresses", () => {
    const urls = {
      GITHUB_SERVER_URL: "https://ghe.example.com",
      GITHUB_API_URL: "https://ghe.example.com/api/v3",
    };
    expect(on("push", {}, urls)).toMatchObject({
      repositoryUrl: `${urls.GITHUB_SERVER_URL}/acme/agents`,
      apiUrl: urls.GITHUB_API_URL,
    });
  });

  test("distinguishes GitLab, another CI and a terminal", () => {
    expect(
      readRunContext({ GITLAB_CI: "true", CI: "true", CI_COMMIT_SHA: "e" }, null),
    ).toMatchObject({ host: "gitlab", sha: "e", repository: null });
    expect(readRunContext({ CI: "1" }, null).host).toBe("other-ci");
    expect(readRunContext({}, null).host).toBe("terminal");
  });

  test.each([
    ["https://gitlab.example.com/group/sub/agents", "group/sub/agents"],
    ["https://user:key@gitlab.example.com/acme/agents.git", "acme/agents"],
    ["git@bitbucket.org:acme/agents.git", "acme/agents"],
    ["ssh://git@git.example.com:2222/acme/agents/", "acme/agents"],
    ["", ""],
  ])("outside GitHub has for %s the repository %s", (url, slug) =>
    expect(slugOf(readRunContext({ CI: "1", GIT_COMMIT: "e", GIT_URL: url }, null))).toBe(slug),
  );

  test("accepts any payload", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(
          "push",
          "pull_request",
          "merge_group",
          "issue_comment",
          "workflow_run",
          "pull_request_target",
        ),
        (payload, event) => {
          expect(on(event, payload).host).toBe("github");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the comment key", () => {
  const base = {
    workflow: "w",
    job: "j",
    matrix: "null",
    environment: "",
    commentKey: "",
    spec: ["agent-deploy.yml"],
  };
  test("differs by workflow, job, matrix, environment, comment-key and spec", () => {
    const keys = [
      base,
      { ...base, workflow: "x" },
      { ...base, job: "x" },
      { ...base, matrix: '{"a":1}' },
      { ...base, environment: "x" },
      { ...base, commentKey: "x" },
      { ...base, spec: ["x"] },
    ].map(toCommentKey);
    expect(new Set(keys).size).toBe(7);
    expect(toCommentKey({ ...base, matrix: "" })).toBe(toCommentKey(base));
    expect(toCommentKey({ ...base, matrix: '{"b":{"d":1,"c":[2,1]},"a":2}' })).toBe(
      toCommentKey({ ...base, matrix: '{\n  "a": 2,\n  "b": { "c": [2, 1], "d": 1 }\n}' }),
    );
    expect(toCommentKey({ ...base, matrix: '{"a":[1,2]}' })).not.toBe(
      toCommentKey({ ...base, matrix: '{"a":[2,1]}' }),
    );
  });
});

describe("the comment header", () => {
  const header = {
    v: 1,
    key: "abc",
    run: "12345678901",
    attempt: 3,
    sha: "def",
    open: true,
  } as const;
  test("is parsed back, also with text below it", () => {
    expect(parseHeader(renderHeader(header))).toEqual(header);
    expect(parseHeader(`${renderHeader(header)}\r\n### words`)).toEqual(header);
  });

  test.each([
    "",
    "words",
    `words\n${renderHeader(header)}`,
    "<!-- agent-deploy: {} -->",
    "<!-- agent-deploy: [] -->",
    "<!-- agent-deploy: null -->",
    '<!-- agent-deploy: {"v":2,"key":"a"} -->',
    '<!-- agent-deploy: {"v":1,"key":null} -->',
  ])("is not parsed from %j", (body) => expect(parseHeader(body)).toBeNull());

  test("counts as the oldest possible run if it has nulls or other types", () => {
    expect(
      parseHeader(
        '<!-- agent-deploy: {"v":1,"key":"a","run":null,"attempt":null,"sha":null,"open":null} -->',
      ),
    ).toEqual({ v: 1, key: "a", run: "0", attempt: 0, sha: "", open: false });
  });

  test("is parsed from any body without throwing, and no field can close it", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseHeader(text);
        parseHeader(`<!-- agent-deploy: ${text} -->`);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, sha) => {
        expect(renderHeader({ ...header, key, sha }).split("-->")).toHaveLength(2);
      }),
      { numRuns: 500 },
    );
  });

  test("compares runs as numbers, then attempts", () => {
    const run = (id: string, attempt: number): { run: string; attempt: number } => ({
      run: id,
      attempt,
    });
    expect(isNewer(run("1000", 1), run("999", 9))).toBe(true);
    expect(isNewer(run("99999999999999999999", 1), run("99999999999999999998", 1))).toBe(true);
    expect(isNewer(run("5", 10), run("5", 9))).toBe(true);
    expect(isNewer(run("5", 9), run("5", 9))).toBe(false);
  });
});
