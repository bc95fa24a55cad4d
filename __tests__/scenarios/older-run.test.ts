import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import type { ActionRun } from "../support/action-run.ts";
import { CONTAINER, createStage, edit, expectEnd, type Stage } from "./stage.ts";

let github: FakeGithub;
beforeAll(async () => {
  github = await startFakeGithub();
});
afterAll(() => github.close());

const withImage = (letter: string): string =>
  edit(CONTAINER, `sha256:${"a".repeat(64)}`, `sha256:${letter.repeat(64)}`);

/** One run of the workflow in its environment, with its own spec. */
async function runOf(
  stage: Stage,
  {
    id,
    image,
    environment,
    attempt = "1",
    force = "false",
    event = "push",
    verify = "",
    name = "search-agent",
    env = {},
  }: {
    readonly id: string;
    readonly image: string;
    readonly environment: string;
    readonly attempt?: string;
    readonly force?: string;
    readonly event?: string;
    readonly verify?: string;
    readonly name?: string;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<ActionRun> {
  stage.spec(edit(withImage(image), "search-agent", name));
  stage.forget();
  const payload = {
    pull_request: {
      number: 1,
      head: { sha: "1".repeat(40), repo: { full_name: "octocat/agents" } },
      base: { ref: "main", repo: { full_name: "octocat/agents" } },
    },
    repository: { full_name: "octocat/agents" },
  };
  return stage.run(
    {
      command: event === "push" ? "apply" : "plan",
      environment,
      force,
      verify,
      "github-token": github.token,
      comment: "never",
    },
    {
      event: { name: event, payload: event === "push" ? {} : payload },
      env: {
        GITHUB_API_URL: github.url,
        GITHUB_REPOSITORY: "octocat/agents",
        GITHUB_RUN_ID: id,
        GITHUB_RUN_ATTEMPT: attempt,
        ...env,
        ...(event === "push" ? {} : { GITHUB_BASE_REF: "main", GITHUB_REF: "refs/pull/1/merge" }),
      },
    },
  );
}

const imageOf = async (stage: Stage): Promise<string> =>
  (await stage.live()).source_revision_config.image_uri.slice(-1);

test("an older run does not roll back a newer run's image, but a newer run and force may change it", async () => {
  const stage = await createStage(withImage("a"));
  const environment = "prod";
  expectEnd(await runOf(stage, { id: "99", image: "a", environment }), { outcome: "deployed" });
  expectEnd(await runOf(stage, { id: "101", image: "b", environment }), { outcome: "deployed" });

  const older = await runOf(stage, { id: "99", attempt: "2", image: "a", environment });
  expectEnd(older, { outcome: "blocked", changed: "false" }, 1);
  expect(older.stdout).toContain("run 101 is newer than this one");
  expect([stage.writes(), await imageOf(stage)]).toEqual([[], "b"]);

  const shown = await runOf(stage, { id: "100", image: "a", environment, event: "pull_request" });
  expectEnd(shown, { outcome: "planned" });

  const again = await runOf(stage, { id: "101", attempt: "2", image: "c", environment });
  expectEnd(again, { outcome: "deployed" });
  expect((await runOf(stage, { id: "101", image: "b", environment })).stdout).toContain(
    "run 101 (attempt 2) is newer",
  );
  const forced = await runOf(stage, { id: "99", image: "a", environment, force: "true" });
  expectEnd(forced, { outcome: "deployed" });
  expect(await imageOf(stage)).toBe("a");
});

test("failed newer runs, and those of another environment or deployment, do not block a run", async () => {
  const stage = await createStage(withImage("a"));
  expectEnd(await runOf(stage, { id: "50", image: "a", environment: "staging" }), {
    outcome: "deployed",
  });
  const failing = { id: "60", image: "b", environment: "staging", verify: "exit 1" };
  expectEnd(await runOf(stage, failing), { outcome: "failed" }, 1);
  expectEnd(await runOf(stage, { id: "55", image: "c", environment: "staging" }), {
    outcome: "deployed",
  });
  expectEnd(await runOf(stage, { id: "70", image: "d", environment: "other" }), {
    outcome: "deployed",
  });
  const last = await runOf(stage, { id: "58", image: "e", environment: "staging" });
  expectEnd(last, { outcome: "deployed" });
});

test("a record is found after many of other deployments, for an older run and for drift", async () => {
  const environment = "shared";
  const stage = await createStage(withImage("a"));
  expectEnd(await runOf(stage, { id: "50", image: "a", environment }), { outcome: "deployed" });
  const { id, request, statuses } = github.deployments.at(-1)!;
  for (let nth = 1; nth <= 40; nth += 1)
    github.deployments.push({
      id: id + nth,
      statuses,
      request: {
        ...request,
        payload: {
          ...(request["payload"] as object),
          run_id: String(50 + nth),
          wanted: { "other-agent": "0".repeat(32) },
        },
      },
    });
  const older = await runOf(stage, { id: "40", image: "b", environment });
  expectEnd(older, { outcome: "blocked" }, 1);
  expect(older.stdout).toContain("run 50 is newer");
  await stage.send("PATCH", `/v2/deployments/${(await stage.live()).id}`, {
    source_config: { resource_spec: { min_scale: 2, max_scale: 3, cpu: 1, memory_mb: 1024 } },
  });
  const drifted = await runOf(stage, { id: "99", image: "a", environment, event: "schedule" });
  expect(drifted.stdout).toContain("drift: live was changed since this spec was last deployed");
});

test("if GitHub Deployments cannot be read, the run continues and the report says so", async () => {
  const stage = await createStage(withImage("a"));
  expectEnd(await stage.run(), { outcome: "deployed" });
  github.fault = () => ({ status: 403, body: { message: "Resource not accessible" } });
  const run = await runOf(stage, { id: "10", image: "b", environment: "prod-2" });
  github.fault = null;
  expectEnd(run, { outcome: "deployed" });
  expect(run.summary).toContain("whether a newer run has deployed another image could not be read");
});

test("legs of one run share a GitHub Deployment, and an older run is blocked for each of them", async () => {
  const both = (letter: string): string =>
    `${withImage(letter)}---\n${edit(withImage(letter), "search-agent", "other-agent")}`;
  const stage = await createStage(both("a"));
  const leg = (id: string, image: string, only: string): Promise<ActionRun> => {
    stage.spec(both(image));
    return stage.run(
      { only, environment: "legs", "github-token": github.token, comment: "never" },
      {
        env: {
          GITHUB_API_URL: github.url,
          GITHUB_REPOSITORY: "octocat/agents",
          GITHUB_RUN_ID: id,
        },
      },
    );
  };
  const before = github.deployments.length;
  for (const only of ["search-agent", "other-agent"])
    expectEnd(await leg("301", "b", only), { outcome: "deployed" });
  expect(github.deployments.length - before).toBe(1);
  for (const only of ["search-agent", "other-agent"]) {
    stage.forget();
    const older = await leg("300", "c", only);
    expectEnd(older, { outcome: "blocked", changed: "false" }, 1);
    expect(older.stdout).toContain("run 301 is newer");
    expect(stage.writes()).toEqual([]);
    expectEnd(await leg("302", "d", only), { outcome: "deployed" });
    expectEnd(await leg("301", "b", only), { outcome: "blocked" }, 1);
  }
});

test.each([
  ["a secret is part of it", "search-${STAGE}", { STAGE: "first-value" }],
  ["a variable with a secret's name fills it", "search-${AUTHOR}", { AUTHOR: "bobsmith" }],
])(
  "an older run recognizes a newer one by the deployment's name, although %s",
  async (_, name, env) => {
    const stage = await createStage(CONTAINER);
    const common = { environment: `named-${name.slice(9, -1)}`, name, env };
    expectEnd(await runOf(stage, { id: "201", image: "b", ...common }), { outcome: "deployed" });
    const older = await runOf(stage, { id: "200", image: "a", ...common });
    expectEnd(older, { outcome: "blocked" }, 1);
    expect(stage.writes()).toEqual([]);
  },
);
