import { describe, expect, test } from "@jest/globals";
import { sameCommit, type CommitCheck } from "../../src/plan/commit.ts";
import { movesImage } from "../../src/plan/image.ts";
import type { NewerRun } from "../../src/plan/plan.ts";
import { DIGEST, planOn, toDesired, toFound, toLive } from "./sample.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const REPO = { source: "repohost" } as const;

test.each([
  ["abcdef1", "abcdef1234", true],
  ["abcdef", "abcdef1234", false],
  ["ABCDEF1", "abcdef1234", true],
  ["abcdef1234", "abcdef1", true],
  ["abcdef2", "abcdef1234", false],
  ["abc", "abc", true],
  ["", "abcdef1", false],
])("%j and %j are the same commit: %j", (one, other, same) => {
  expect(sameCommit(one, other)).toBe(same);
});

describe("the commit in a plan", () => {
  const on = (
    check: CommitCheck,
    paths: readonly string[] = [],
    live: object = { repo_commit_sha: A },
  ) => {
    const { plan } = planOn(
      toDesired({ revision: { repo_ref: "main" } }, { ...REPO, deploy: { paths } }),
      toLive({ revision: { repo_ref: "main", ...live } }, REPO),
      { commit: check },
    );
    return [plan.action, plan.notes, plan.commit_unchecked === true];
  };
  const wanted = (more: Partial<Extract<CommitCheck, { state: "wanted" }>> = {}): CommitCheck => ({
    ...{ state: "wanted", commit: B, relation: "ahead", pathsChanged: "unknown" },
    ...more,
  });
  const skipped = (onMerge: boolean): CommitCheck => ({
    state: "skipped",
    why: "no input",
    onMerge,
  });

  test.each([
    ["no commit is known", skipped(false), [], ["none", ["commit not checked: no input"], true]],
    [
      "on a pull request",
      skipped(true),
      [],
      ["none", ["on merge: builds the merged commit"], false],
    ],
    [
      "on a pull request with paths",
      skipped(true),
      ["src"],
      [
        "none",
        ["on merge: builds the merged commit, if it changes files under deploy.paths"],
        false,
      ],
    ],
    ["the commit is live", wanted({ commit: A }), [], ["none", [], false]],
    [
      "the commit is live by its first digits",
      wanted({ commit: A.slice(0, 7) }),
      [],
      ["none", [], false],
    ],
    ["the commit has the same content", wanted({ relation: "identical" }), [], ["none", [], false]],
    ["the commit changed", wanted(), [], ["update", [], false]],
    [
      "the changed files are not known",
      wanted(),
      ["src"],
      ["update", ["which files changed could not be read: deploy.paths counts as changed"], false],
    ],
    [
      "files under the paths changed",
      wanted({ pathsChanged: "yes" }),
      ["src"],
      ["update", [], false],
    ],
    [
      "nothing under the paths changed",
      wanted({ pathsChanged: "no" }),
      ["src"],
      [
        "none",
        [
          "the branch moved (aaaaaaaaaaaa → bbbbbbbbbbbb), but nothing under deploy.paths changed: not counted",
        ],
        false,
      ],
    ],
  ] as const)("%s", (_, check, paths, expected) => {
    expect(on(check, paths)).toEqual(expected);
  });

  test.each([{}, { repo_commit_sha: "" }, { repo_commit_sha: null }])(
    "the live commit is not known: %j",
    (live) => {
      expect(on(wanted(), [], live)).toEqual([
        "none",
        ["commit not checked: the service does not return repo_commit_sha"],
        true,
      ]);
    },
  );

  test("an older commit is blocked with how to build it", () => {
    const made = planOn(
      toDesired({ revision: { repo_ref: "main" } }, REPO),
      toLive({ revision: { repo_ref: "main", repo_commit_sha: A } }, REPO),
      { commit: wanted({ relation: "behind" }), policy: { entryPoint: "cli" } },
    ).plan;
    expect(made.blockers.map(({ message }) => message)).toEqual([
      "commit bbbbbbbbbbbb is an ancestor of aaaaaaaaaaaa, which is live: " +
        "an older run must not roll back a newer one. Run again on the newest commit, or set --force to build the branch again",
    ]);
  });

  test("an image has no commit", () => {
    const { plan } = planOn(toDesired({}), toLive({}), { commit: wanted() });
    expect([plan.action, plan.notes]).toEqual(["none", []]);
  });
});

describe("an image that a newer run may have deployed", () => {
  const on = (newerRun: NewerRun, force = false, live = "a") => {
    const { plan } = planOn(
      toDesired({ revision: { image_uri: DIGEST("b") } }),
      toLive({ revision: { image_uri: DIGEST(live) } }),
      { newerRun, policy: { force, entryPoint: "action" } },
    );
    return [plan.blockers.map(({ message }) => message), plan.notes];
  };
  const refused = (run: string) => [
    [
      `run ${run} is newer than this one and has deployed its image: an older run must not roll back a newer one. ` +
        "Run the newest one again, or set force: true to deploy this image anyway",
    ],
    [],
  ];
  const newer = (attempt: number) => ({ state: "newer", run: "4711", attempt }) as const;

  test.each([
    ["no newer run", { state: "none" }, false, "a", [[], []]],
    ["a newer run", newer(1), false, "a", refused("4711")],
    ["another attempt of it", newer(2), false, "a", refused("4711 (attempt 2)")],
    ["a newer run, with force", newer(1), true, "a", [[], []]],
    ["a newer run with the same image", newer(1), false, "b", [[], []]],
    [
      "it is not known",
      { state: "unreadable", why: "403" },
      false,
      "a",
      [
        [],
        [
          "whether a newer run has deployed another image could not be read (403): this run counts as the newest",
        ],
      ],
    ],
  ] as const)("%s", (_, run, force, live, expected) => {
    expect(on(run, force, live)).toEqual(expected);
  });

  test("is checked only if the image of a live deployment changes", () => {
    const desired = toDesired({ revision: { image_uri: DIGEST("b") } });
    const found = (image_uri: string | null) => toFound(toLive({ revision: { image_uri } }));
    expect(movesImage(desired, found(DIGEST("a")))).toBe(true);
    expect(movesImage(desired, found(DIGEST("b")))).toBe(false);
    expect(movesImage(desired, found(null))).toBe(false);
    expect(movesImage(toDesired({}), found(DIGEST("a")))).toBe(false);
    expect(movesImage(desired, { state: "absent" })).toBe(false);
    expect(movesImage({ ...desired, source: "repohost" }, found(DIGEST("a")))).toBe(false);
  });
});

describe("the tag of an image", () => {
  const repository = "r.example.com/app";
  type Lookup = NonNullable<ReturnType<typeof toDesired>["image"]>["lookup"];
  const on = (lookup: Lookup, live: string) => {
    const uri = `${repository}:v2`;
    const desired = {
      ...toDesired({ revision: { image_uri: uri } }),
      image: { uri, repository, lookup },
    };
    const { plan, steps } = planOn(desired, toLive({ revision: { image_uri: live } }));
    return { ...plan, sent: steps.length };
  };

  test("that the registry does not have is blocked", () => {
    const made = on({ state: "unknown" }, DIGEST("a"));
    expect(made.blockers).toEqual([
      {
        code: "image-unknown",
        path: "source_revision_config.image_uri",
        message:
          "the registry does not have r.example.com/app:v2; push it, or write a tag that is there",
      },
    ]);
    expect([made.action, made.sent]).toEqual(["blocked", 0]);
  });

  test("that could not be resolved keeps a live digest of the same repository", () => {
    const lookup: Lookup = { state: "unreachable", why: "401" };
    const unread = "the digest of r.example.com/app:v2 was not readable (401)";
    const made = on(lookup, DIGEST("a"));
    expect([made.sent, made.unreadable, made.warnings]).toEqual([
      0,
      ["source_revision_config.image_uri"],
      [`${unread}, so the image was not compared; live stays at ${DIGEST("a")}`],
    ]);
    for (const live of ["r.example.com/app:v1", DIGEST("a").replace("app", "application")]) {
      const other = on(lookup, live);
      expect([other.sent, other.unreadable, other.warnings]).toEqual([
        1,
        [],
        [`${unread}, so the tag is sent; an unchanged tag is not redeployed`],
      ]);
    }
  });
});
