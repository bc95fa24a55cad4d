import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/model/json.ts";
import type { CommitCheck } from "../../src/plan/commit.ts";
import { judgeLatest } from "../../src/plan/decision.ts";
import type { Found } from "../../src/plan/found.ts";
import {
  ACTIVE,
  DIGEST,
  ID,
  INTEGRATION,
  LATEST,
  patchOf,
  plan,
  planOn,
  revision,
  toDesired,
  toLive,
  createOf,
} from "./sample.ts";

const IMAGE = { revision: { image_uri: DIGEST("a") } };
const desired = toDesired(IMAGE);
const live = (
  latest: Parameters<typeof revision>[1] | null,
  more: { readonly body?: string; readonly latestAt?: string; readonly activeAt?: string } = {},
): Found => ({
  state: "live",
  deployment: toLive(
    { revision: { image_uri: DIGEST(more.body ?? "a") } },
    {},
    { latest_revision_id: LATEST },
  ),
  latest: latest === null ? null : revision(LATEST, latest, more.latestAt),
  active: more.activeAt === undefined ? null : revision(ACTIVE, "DEPLOYED", more.activeAt),
});

describe("the latest revision, even if it is not active,", () => {
  test.each([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "UNKNOWN",
    "PULLING_IMAGE",
  ])("in %s is waited for, without a write", (status) => {
    expect(plan(desired, live(status))).toMatchObject({
      plan: { action: "attach", changes: [], revision: "waits" },
      steps: [{ kind: "attach", revisionId: LATEST }],
    });
  });

  test.each(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED", "SKIPPED"])(
    "in %s is redeployed, and `revision` is the change",
    (status) => {
      expect(plan(desired, live(status))).toMatchObject({
        plan: {
          action: "redeploy",
          changes: [{ path: "revision", before: status, effect: "new-revision" }],
          revision: "makes",
        },
        steps: [{ kind: "redeploy", revisionId: LATEST }],
      });
    },
  );

  test("in DEPLOYED but not active is waited for, and redeployed if an older one was restored", () => {
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    expect(plan(desired, live("DEPLOYED", { latestAt: late, activeAt: early })).plan.action).toBe(
      "attach",
    );
    expect(plan(desired, live("DEPLOYED", { latestAt: early, activeAt: late })).plan.action).toBe(
      "redeploy",
    );
  });

  test("does not matter if a trigger field changed, which makes its own revision", () => {
    for (const status of ["BUILDING", "BUILD_FAILED"])
      expect(plan(desired, live(status, { body: "b" })).steps).toEqual([
        {
          kind: "patch",
          body: IMAGE.revision && { source_revision_config: IMAGE.revision },
          makesRevision: true,
        },
      ]);
  });

  test("if failed, gets a PATCH for an in-place change and a redeploy", () => {
    const found = {
      ...live("BUILD_FAILED"),
      deployment: toLive(
        { config: { custom_url: "https://a.example.com" }, ...IMAGE },
        {},
        { latest_revision_id: LATEST },
      ),
    } as Found;
    const wanted = toDesired({ config: { custom_url: "https://b.example.com" }, ...IMAGE });
    expect(plan(wanted, found).steps.map((step) => step.kind)).toEqual(["patch", "redeploy"]);
  });

  test("is waited for if the service has not named it yet", () => {
    const deployment = toLive(IMAGE, {}, { latest_revision_id: null, active_revision_id: null });
    expect(plan(desired, { state: "live", deployment, latest: null, active: null }).steps).toEqual([
      { kind: "attach", revisionId: null },
    ]);
  });
});

describe("creating", () => {
  test.each([
    [{ state: "absent" }, "auto", "create"],
    [{ state: "absent" }, "always", "create"],
    [{ state: "absent" }, "never", "create-never"],
    [{ state: "lookup-unavailable", status: 404, served: true }, "auto", "no-lookup"],
    [{ state: "lookup-unavailable", status: 405, served: true }, "never", "no-lookup"],
    [{ state: "lookup-unavailable", status: 501, served: true }, "always", "create"],
    [{ state: "deleting", id: ID }, "auto", "create"],
    [{ state: "deleting", id: ID }, "never", "create-never"],
    [{ state: "duplicates", ids: [ID, LATEST] }, "always", "duplicates"],
    [{ state: "id-not-found", id: ID }, "always", "not-found"],
  ] as const)("%j with create: %s is %s", (found, create, end) => {
    const {
      plan: { action, blockers },
      steps,
    } = plan(desired, found, { policy: { create } });
    expect(end === "create" ? action : blockers[0]!.code).toBe(end);
    expect(steps.map((step) => step.kind)).toEqual(end === "create" ? ["create"] : []);
  });

  test.each([
    [{}, "waiting for deletion, then creating a new one"],
    [{ isListed: true }, "a new one is created once the list no longer shows it"],
  ] as const)("after a deletion in progress (%j): %s", (about, what) => {
    const { notes } = plan(desired, { state: "deleting", id: ID, ...about }).plan;
    expect(notes).toEqual([expect.stringContaining(what)]);
  });

  test("warns that a deployment with a given id that is being deleted gets another id", () => {
    const { warnings } = plan(desired, { state: "deleting", id: ID, isGiven: true }).plan;
    expect(warnings).toEqual([expect.stringContaining("the new one has another id")]);
  });

  test.each([
    [
      true,
      "this service has no list of deployments (404), so whether app exists cannot be proved and nothing is created. Give its id with deploy.id or deployment-id, or set create: always for its first run",
    ],
    [
      false,
      "nothing of the service answers at this address (404): check control-plane-url and region. Whether app exists is not known, so nothing is created",
    ],
  ])("is blocked without a list (served: %j), with what to do", (served, message) => {
    const found = { state: "lookup-unavailable", status: 404, served } as const;
    expect(plan(desired, found).plan.blockers.map((one) => one.message)).toEqual([message]);
  });

  test("is blocked if create is always and the deployment is live", () => {
    expect(planOn(desired, toLive(IMAGE), { policy: { create: "always" } }).plan).toMatchObject({
      action: "blocked",
      blockers: [{ code: "exists" }],
    });
  });

  test("sends no nulls, and empty secrets and configs", () => {
    const { steps } = plan(toDesired({ config: { custom_url: null } }), { state: "absent" });
    expect(steps).toEqual([createOf()]);
  });

  test("null over a set field that the build needs is blocked, like any other clear", () => {
    const { plan: made, steps } = planOn(
      toDesired({ revision: { image_uri: null } }),
      toLive({ revision: { image_uri: DIGEST("a") } }),
    );
    expect(steps).toEqual([]);
    expect(made).toMatchObject({
      action: "blocked",
      blockers: [{ code: "clear", path: "source_revision_config.image_uri" }],
    });
  });

  test.each(["internal_docker", "moon_base"])(
    "is not possible for a source %s, and changing what it builds is blocked",
    (source) => {
      const internal = toDesired({ secrets: [{ name: "A", value: "1" }] }, { source });
      expect(plan(internal, { state: "absent" }).plan.blockers).toMatchObject([
        { code: "internal-source" },
      ]);
      const there = {
        ...toLive({ secrets: [{ name: "A", value: "0" }] }),
        source,
      };
      expect(patchOf(planOn(internal, there).steps)).toEqual({
        secrets: [{ name: "A", value: "1" }],
      });
      expect(planOn(desired, there).plan.blockers[0]!.message).toMatch(/vendor's own tools/);
    },
  );

  test("uses the only listener if a config is written, and with several leaves the choice to the service", () => {
    const [one, two] = [
      { id: INTEGRATION, name: "cluster-a" },
      { id: ID, name: "cluster-b" },
    ];
    const on = (listeners: readonly { id: string; name: string }[]) =>
      plan(
        toDesired({ config: { custom_url: "https://a.example.com" } }),
        { state: "absent" },
        { choices: { items: listeners } },
      );
    expect(on([one]).steps).toMatchObject([
      { body: { source_config: { listener_id: INTEGRATION } } },
    ]);
    const several = on([one, two]);
    expect(several.steps).toMatchObject([
      { kind: "create", body: { source_config: { custom_url: "https://a.example.com" } } },
    ]);
    expect(JSON.stringify(several.steps)).not.toContain("listener_id");
    expect(several.plan.warnings).toEqual([expect.stringContaining(`${ID} (cluster-b)`)]);
  });

  test("uses the only integration, and none of several", () => {
    const repo = toDesired({ revision: { repo_ref: "main" } }, { source: "repohost" });
    const one = { id: INTEGRATION, name: "acme" };
    const steps = plan(repo, { state: "absent" }, { choices: { items: [one] } }).steps;
    expect(steps).toMatchObject([
      { kind: "create", body: { source_config: { integration_id: INTEGRATION } } },
    ]);
    for (const integrations of [[], [one, { id: ID, name: "labs" }]]) {
      expect(
        plan(repo, { state: "absent" }, { choices: { items: integrations } }).plan.blockers,
      ).toMatchObject([{ path: "source_config.integration_id" }]);
    }
  });
});

describe("a branch with a new commit", () => {
  const [A, B] = ["a".repeat(40), "b".repeat(40)];
  const wanted = (more: Partial<Extract<CommitCheck, { state: "wanted" }>> = {}): CommitCheck => ({
    state: "wanted",
    commit: B,
    relation: "ahead",
    pathsChanged: "unknown",
    ...more,
  });
  const repo = (revision: object = { repo_ref: "main" }) =>
    toDesired({ revision: revision as { repo_ref: string } }, { source: "repohost" });
  const at = (config: object = {}, ref = "main") =>
    toLive(
      { config: config as never, revision: { repo_ref: ref, repo_commit_sha: A } },
      { source: "repohost" },
    );
  const CHANGE = {
    path: "source_revision_config.repo_commit_sha",
    before: A,
    after: B,
    effect: "new-revision",
  };

  test.each(["ahead", "diverged", "unknown"] as const)(
    "that is %s gets a PATCH that repeats repo_ref",
    (relation) => {
      const { plan: made, steps } = planOn(repo(), at(), { commit: wanted({ relation }) });
      expect(made).toMatchObject({ action: "update", changes: [CHANGE], revision: "makes" });
      expect(steps).toEqual([
        {
          kind: "patch",
          body: { source_revision_config: { repo_ref: "main" } },
          makesRevision: true,
        },
      ]);
      const [a, b] = [A.slice(0, 12), B.slice(0, 12)];
      expect(made.notes).toEqual(
        relation === "unknown"
          ? [`whether ${b} is newer than ${a} could not be read: it counts as newer`]
          : [],
      );
    },
  );

  test("that is older is blocked, unless forced", () => {
    expect(planOn(repo(), at(), { commit: wanted({ relation: "behind" }) })).toMatchObject({
      plan: { action: "blocked", blockers: [{ code: "older-commit" }] },
      steps: [],
    });
    expect(
      planOn(repo(), at(), { commit: wanted({ relation: "behind" }), policy: { force: true } })
        .steps,
    ).toMatchObject([{ kind: "patch" }]);
  });

  test("that changes none of the paths is not a change", () => {
    expect(planOn(repo(), at(), { commit: wanted({ pathsChanged: "no" }) })).toMatchObject({
      plan: { action: "none", changes: [] },
      steps: [],
    });
    expect(planOn(repo(), at(), { commit: wanted({ pathsChanged: "yes" }) }).plan.action).toBe(
      "update",
    );
  });

  test("with build_on_push waits for the push's revision without sending anything, and before a changed trigger field", () => {
    expect(planOn(repo(), at({ build_on_push: true }), { commit: wanted() })).toMatchObject({
      plan: { changes: [CHANGE], revision: "waits" },
      steps: [{ kind: "await-push", commit: B }],
    });
    const both = planOn(
      repo({ repo_ref: "main", graph_config_path: "new.json" }),
      toLive(
        {
          config: { build_on_push: true },
          revision: { repo_ref: "main", graph_config_path: "old.json", repo_commit_sha: A },
        },
        { source: "repohost" },
      ),
      { commit: wanted() },
    );
    expect(both.steps).toEqual([
      { kind: "await-push", commit: B },
      {
        kind: "patch",
        body: { source_revision_config: { graph_config_path: "new.json" } },
        makesRevision: true,
      },
    ]);
  });

  test("that the spec does not name is the live one, and is blocked if the service does not return it", () => {
    const adopted = toDesired({ secrets: [] }, { source: "repohost" });
    expect(patchOf(planOn(adopted, at({}, "release"), { commit: wanted() }).steps)).toEqual({
      source_revision_config: { repo_ref: "release" },
    });
    expect(
      patchOf(planOn(adopted, at({ repo_branch: "release" }, A), { commit: wanted() }).steps),
    ).toEqual({ source_revision_config: { repo_ref: "release" } });
    expect(planOn(adopted, at({}, A), { commit: wanted() })).toMatchObject({
      plan: { blockers: [{ code: "no-ref" }] },
      steps: [],
    });
  });

  test("does not change the fingerprint, unlike another ref", () => {
    const { fingerprint } = planOn(repo(), at()).plan;
    expect(planOn(repo(), at(), { commit: wanted() }).plan.fingerprint).toBe(fingerprint);
    expect(planOn(repo(), at({}, A), {}).plan.fingerprint).not.toBe(""); // unreadable, so left out
    expect(planOn(repo({ repo_ref: "next" }), at()).plan.fingerprint).not.toBe(fingerprint);
  });
});

test("force redeploys what has not changed, and builds a next-build change now", () => {
  expect(planOn(desired, toLive(IMAGE), { policy: { force: true } }).steps).toEqual([
    { kind: "redeploy", revisionId: ACTIVE },
  ]);
  const repo = { source: "repohost" } as const;
  const steps = planOn(
    toDesired({ config: { install_command: "b" } }, repo),
    toLive({ config: { install_command: "a" } }, repo),
    { policy: { force: true } },
  ).steps;
  expect(steps.map((step) => step.kind)).toEqual(["patch", "redeploy"]);
});

test("force warns that it builds nothing while a revision is in progress", () => {
  const said = (found: Found, force: boolean) =>
    plan(desired, found, { policy: { force, entryPoint: "action" } }).plan.warnings;
  expect(said(live("BUILDING"), true)).toEqual([
    "force: true builds nothing while a revision is under way: this run waits for that one. " +
      "If it is stuck, interrupt it on the service's own page, then run again",
  ]);
  expect(said(live("BUILDING"), false)).toEqual([]);
  expect(said(live("BUILD_FAILED"), true)).toEqual([]);
});

test("another ref is built even if its commit is older", () => {
  const on = (repo_ref: string) =>
    planOn(
      toDesired({ revision: { repo_ref } }, { source: "repohost" }),
      toLive(
        { revision: { repo_ref: "main", repo_commit_sha: "a".repeat(40) } },
        { source: "repohost" },
      ),
      {
        commit: {
          ...{ state: "wanted", commit: "b".repeat(40) },
          ...{ relation: "behind", pathsChanged: "unknown" },
        },
      },
    ).plan;
  expect(on("next").action).toBe("update");
  expect(on("main").blockers).toMatchObject([{ code: "older-commit" }]);
});

test("create: always does not block if the spec gives the id", () => {
  const on = (deploy: object) =>
    planOn(toDesired(IMAGE, { deploy: deploy as never }), toLive(IMAGE), {
      policy: { create: "always", entryPoint: "cli" },
    }).plan.blockers.map(({ message }) => message);
  expect(on({})).toEqual([
    `--create always, but there is a live deployment named app (${ID}). Use --create auto to update it`,
  ]);
  expect(on({ id: ID })).toEqual([]);
});

describe("the latest revision", () => {
  const judged = (status: string, isActive: boolean, activeAt?: string) =>
    judgeLatest({
      state: "live",
      deployment: toLive(
        {},
        {},
        { latest_revision_id: LATEST, active_revision_id: isActive ? LATEST : ACTIVE },
      ),
      latest: revision(LATEST, status, "2026-01-02T00:00:00Z"),
      active: activeAt === undefined ? null : revision(ACTIVE, "DEPLOYED", activeAt),
    });
  test.each([
    ["DEPLOYED", true, "settled"],
    ["BUILDING", true, "unfinished"],
    ["A_NEW_STATUS", true, "settled"],
    ["BUILD_FAILED", true, "ended"],
    ["DEPLOYED", false, "unfinished"],
    ["BUILDING", false, "unfinished"],
    ["A_NEW_STATUS", false, "unfinished"],
    ["BUILD_FAILED", false, "ended"],
  ] as const)("that is %s and active: %j is %s", (status, isActive, expected) => {
    expect(judged(status, isActive)).toBe(expected);
  });
  test("that is DEPLOYED has ended if the active one was updated after it by a rollback", () => {
    expect(judged("DEPLOYED", false, "2026-01-03T00:00:00Z")).toBe("ended");
    expect(judged("DEPLOYED", false, "2026-01-01T00:00:00Z")).toBe("unfinished");
    expect(judged("DEPLOYED", false, "2026-01-02T00:00:00Z")).toBe("unfinished");
  });
});

describe("blockers are listed with the most serious first", () => {
  const reasons = (...given: Parameters<typeof planOn>): string[] =>
    planOn(...given).plan.blockers.map(({ code }) => code);
  const moved = toLive(
    {
      config: { repo_url: "https://git.example.com/acme/other", install_command: "npm ci" },
      revision: { source_tarball_path: "uploads/x.tar.gz" },
    },
    { source: "github" },
  );
  const back = (config: Json, deploy = {}) =>
    toDesired({ config, revision: { repo_ref: "main" } }, { source: "repohost", deploy });

  test("what only a new deployment allows comes before what a line of the spec allows", () => {
    const config = { repo_url: "https://git.example.com/acme/app", install_command: null };
    expect(reasons(back(config), moved)).toEqual(["immutable", "source-change", "clear"]);
  });

  test("that another deployment was meant comes before both", () => {
    const config = { repo_url: "https://git.example.com/acme/app" };
    expect(reasons(back(config), moved, { policy: { create: "always" } })).toEqual([
      "exists",
      "immutable",
      "source-change",
    ]);
  });
});
