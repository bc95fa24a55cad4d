import { describe, expect, test } from "@jest/globals";
import { checkCommit } from "../../src/deploy/wanted-commit.ts";
import type { CommitCheck } from "../../src/plan/commit.ts";
import type { CheckedOut } from "../../src/plan/history.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { container, createFlow, desiredOf, repohost, REPO, type FlowOptions } from "./flow.ts";

const [CI, HERE] = ["c", "d"].map((one) => one.repeat(40)) as [string, string];

/** A checkout of HERE, on no branch and pushed nowhere unless said. */
function checkout(about: Partial<CheckedOut> = {}): CheckedOut {
  return {
    commit: HERE,
    ref: null,
    originUrl: REPO,
    defaultBranch: async () => null,
    isEdited: async () => false,
    isPushed: async () => false,
    ...about,
  };
}

/** Which commit of `main` a run wants where nothing is live yet. */
function wantedBy(
  run: FlowOptions["run"],
  checkedOut: CheckedOut | null = null,
): Promise<CommitCheck> {
  const { context } = createFlow({
    ...(run === undefined ? {} : { run }),
    repository: {
      compare: async () => ({ relation: "unknown", files: null }),
      checkedOut: async () => checkedOut,
    },
  });
  return checkCommit(context, desiredOf(repohost()), { state: "absent" });
}

const wants = (commit: string) => ({ state: "wanted", commit });
const skips = (why: string) => ({ state: "skipped", why: expect.stringContaining(why) });

describe("the commit that should be live", () => {
  const onMain = { repositoryUrl: REPO, sha: CI, ref: "refs/heads/main" };

  test("is the CI's if it gives repository, commit and branch, whatever is checked out", async () => {
    expect(await wantedBy(onMain, checkout({ ref: "refs/heads/main" }))).toMatchObject(wants(CI));
  });

  test("is read from the checkout if the CI lacks the commit, the repository or the branch", async () => {
    const main = checkout({ ref: "refs/heads/main", isPushed: async () => true });
    expect(await wantedBy({}, main)).toMatchObject(wants(HERE));
    expect(await wantedBy({ ...onMain, sha: "" }, main)).toMatchObject(wants(HERE));
    const same = { ...main, commit: CI };
    expect(await wantedBy({ ...onMain, repositoryUrl: "" }, same)).toMatchObject(wants(CI));
    expect(await wantedBy({ ...onMain, ref: "" }, same)).toMatchObject(wants(CI));
  });

  test("is on the branch that contains it if no branch is checked out", async () => {
    const held = checkout({ isPushed: async (ref) => ref === "refs/heads/main" });
    expect(await wantedBy({}, held)).toMatchObject(wants(HERE));
    expect(await wantedBy({}, checkout())).toMatchObject(skips("does not say that it is on main"));
  });

  test("is not wanted before it is pushed", async () => {
    const main = checkout({ ref: "refs/heads/main" });
    expect(await wantedBy({}, main)).toMatchObject(skips("is not pushed to main"));
  });

  test("is not that of another branch, another repository or another checkout", async () => {
    expect(await wantedBy({ ...onMain, ref: "refs/heads/topic" })).toMatchObject(
      skips("repo_ref is main, this run is on refs/heads/topic"),
    );
    expect(await wantedBy({ ...onMain, repositoryUrl: `${REPO}-other` })).toMatchObject(
      skips("repo_url is another repository"),
    );
    const elsewhere = checkout({ ref: "refs/heads/main", isPushed: async () => true });
    expect(await wantedBy({ ...onMain, ref: "" }, elsewhere)).toMatchObject(
      skips("does not say that it is on main"),
    );
  });

  test("of a pull request is that of the later merge", async () => {
    const pull = { repositoryUrl: REPO, sha: CI, ref: "", baseRef: "main" };
    expect(await wantedBy(pull, checkout({ commit: CI, ref: "refs/heads/main" }))).toMatchObject({
      ...skips("does not say that it is on main"),
      onMerge: true,
    });
  });

  test("of a pull request for another branch, or of another repository, is not that of a merge", async () => {
    const pull = { repositoryUrl: REPO, sha: CI, ref: "", baseRef: "main" };
    for (const [run, onMerge] of [
      [pull, true],
      [{ ...pull, sha: "" }, true],
      [{ ...pull, baseRef: "refs/heads/main" }, true],
      [{ ...pull, baseRef: "next" }, false],
      [{ ...pull, repositoryUrl: `${REPO}-fork` }, false],
      [{ ...onMain, ref: "refs/heads/topic" }, false],
    ] as const) {
      const main = checkout({ ref: "refs/heads/main", isPushed: async () => true });
      expect(await wantedBy(run, main)).toMatchObject({ state: "skipped", onMerge });
    }
  });

  test("is on the CI's branch if only the commit is read from the checkout", async () => {
    const main = checkout({ ref: "refs/heads/main", isPushed: async () => true });
    expect(await wantedBy({ repositoryUrl: REPO, ref: "refs/heads/topic" }, main)).toMatchObject(
      skips("repo_ref is main, this run is on refs/heads/topic"),
    );
  });

  test("is unknown without a repository, or if the checkout has none", async () => {
    for (const here of [null, checkout({ originUrl: null, ref: "refs/heads/main" })])
      expect(await wantedBy({}, here)).toEqual({
        state: "skipped",
        why: "pass --commit SHA, or the input commit",
        onMerge: false,
      });
  });

  test.each([
    [`${REPO}.git`, true],
    [`${REPO}/`, true],
    [` ${REPO} `, true],
    ["https://user:token@git.example.com/acme/agents", true],
    ["ssh://git@git.example.com:2222/acme/agents.git", true],
    ["git@git.example.com:acme/agents.git", true],
    ["HTTPS://Git.Example.com/Acme/Agents", true],
    ["git.example.com/acme/agents", true],
    ["https://git.example.org/acme/agents", false],
    ["https://git.example.com/acme/agent", false],
    ["https://git.example.com/other/agents", false],
    ["agents", false],
  ])("of %j is that of the spec's repository: %s", async (repositoryUrl, isOurs) => {
    expect((await wantedBy({ ...onMain, repositoryUrl })).state).toBe(
      isOurs ? "wanted" : "skipped",
    );
  });
});

describe("the commit of a live deployment", () => {
  const LIVE = "a".repeat(40);
  const onMain = { repositoryUrl: REPO, sha: CI, ref: "refs/heads/main" };

  /** What is wanted over a live commit, and what the history was asked. */
  async function wantedOver(
    live: string | null,
    {
      files = null,
      deploy,
      commit = null,
      spec,
      run = onMain,
    }: {
      readonly files?: readonly string[] | null;
      readonly deploy?: string;
      readonly commit?: string | null;
      readonly spec?: string;
      readonly run?: FlowOptions["run"];
    } = {},
  ) {
    const asked: unknown[] = [];
    const { context } = createFlow({
      policy: { commit },
      run: run!,
      repository: {
        checkedOut: async () => null,
        compare: async (...about) => {
          asked.push(about);
          return { relation: "ahead", files };
        },
      },
    });
    const deployment = toDeployment({
      id: "d",
      source_config: { repo_url: REPO },
      source_revision_config: live === null ? {} : { repo_commit_sha: live },
    });
    const found = { state: "live", deployment, latest: null, active: null } as const;
    const desired = desiredOf(spec ?? repohost(deploy === undefined ? {} : { deploy }));
    return { check: await checkCommit(context, desired, found), asked };
  }

  test("is identical if it is not shown, or is the wanted one", async () => {
    for (const live of [null, CI, CI.slice(0, 12)])
      expect(await wantedOver(live)).toEqual({
        check: { state: "wanted", commit: CI, relation: "identical", pathsChanged: "unknown" },
        asked: [],
      });
  });

  test.each<[string | undefined, readonly string[] | null, string]>([
    [undefined, ["src/a.py"], "unknown"],
    ["{ paths: [src/**] }", null, "unknown"],
    ["{ paths: [src/**] }", ["docs/a.md"], "no"],
    ["{ paths: [src/**] }", ["docs/a.md", "src/a.py"], "yes"],
    ["{ paths: [src/**] }", [], "no"],
  ])(
    "is compared, with deploy %j and the changed files %j: %s",
    async (deploy, files, pathsChanged) => {
      const { check, asked } = await wantedOver(LIVE, {
        files,
        ...(deploy === undefined ? {} : { deploy }),
      });
      expect(check).toEqual({ state: "wanted", commit: CI, relation: "ahead", pathsChanged });
      expect(asked).toEqual([[LIVE, CI, { gitOnly: false }]]);
    },
  );

  test("is compared by git only if the commit is given and the repository differs", async () => {
    const run = { repositoryUrl: `${REPO}-other`, ref: "refs/heads/topic", sha: HERE };
    const { check, asked } = await wantedOver(LIVE, { run, commit: CI });
    expect([check, asked]).toMatchObject([
      { state: "wanted", commit: CI },
      [[LIVE, CI, { gitOnly: true }]],
    ]);
  });

  test("is that of the live repository if the spec has none", async () => {
    const silent = repohost().replace(/^source_config:\n(?: {2}.*\n)+/m, "");
    expect((await wantedOver(LIVE, { spec: silent })).check).toMatchObject({ state: "wanted" });
  });

  test("is not compared without a branch, or for another source", async () => {
    const silent = repohost().replace(/ {2}repo_ref:.*\n/, "");
    expect((await wantedOver(LIVE, { spec: silent })).check).toEqual({
      state: "skipped",
      why: "the spec names no repo_ref",
      onMerge: false,
    });
    expect((await wantedOver(LIVE, { spec: container() })).check).toEqual({
      state: "skipped",
      why: "",
      onMerge: false,
    });
  });

  test("is that of a tag if the spec has one", async () => {
    const tag = repohost().replace("repo_ref: main", "repo_ref: refs/tags/v1");
    const run = { ...onMain, ref: "refs/tags/v1" };
    expect((await wantedOver(LIVE, { spec: tag, run })).check.state).toBe("wanted");
    expect((await wantedOver(LIVE, { spec: tag })).check).toMatchObject(
      skips("repo_ref is refs/tags/v1, this run is on refs/heads/main"),
    );
  });
});
