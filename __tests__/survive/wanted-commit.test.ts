import { describe, expect, test } from "@jest/globals";
import { checkCommit } from "../../src/deploy/wanted-commit.ts";
import type { CommitCheck } from "../../src/plan/commit.ts";
import type { CheckedOut } from "../../src/plan/history.ts";
import { createFlow, desiredOf, repohost, REPO, type FlowOptions } from "./flow.ts";

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

  test("is that of a CI which says repository, commit and branch, whatever is checked out", async () => {
    expect(await wantedBy(onMain, checkout({ ref: "refs/heads/main" }))).toMatchObject(wants(CI));
  });

  test("is read from the checkout where the CI leaves the commit, the repository or the branch out", async () => {
    const main = checkout({ ref: "refs/heads/main", isPushed: async () => true });
    expect(await wantedBy({}, main)).toMatchObject(wants(HERE));
    expect(await wantedBy({ ...onMain, sha: "" }, main)).toMatchObject(wants(HERE));
    const same = { ...main, commit: CI };
    expect(await wantedBy({ ...onMain, repositoryUrl: "" }, same)).toMatchObject(wants(CI));
    expect(await wantedBy({ ...onMain, ref: "" }, same)).toMatchObject(wants(CI));
  });

  test("is on the branch that holds it where no branch is checked out", async () => {
    const held = checkout({ isPushed: async (ref) => ref === "refs/heads/main" });
    expect(await wantedBy({}, held)).toMatchObject(wants(HERE));
    expect(await wantedBy({}, checkout())).toMatchObject(skips("does not say that it is on main"));
  });

  test("is not wanted while it is not pushed", async () => {
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

  test("of a pull request is that of the merge, which comes later", async () => {
    const pull = { repositoryUrl: REPO, sha: CI, ref: "", baseRef: "main" };
    expect(await wantedBy(pull, checkout({ commit: CI, ref: "refs/heads/main" }))).toMatchObject({
      ...skips("does not say that it is on main"),
      onMerge: true,
    });
  });
});
