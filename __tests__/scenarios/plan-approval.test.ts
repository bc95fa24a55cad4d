import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import {
  awaitSettled,
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  REPO_URL,
  type Stage,
} from "./stage.ts";

test("expect-plan accepts the approved plan", async () => {
  const stage = await createStage(CONTAINER);
  const plan = await stage.run({ command: "plan" });
  expectEnd(plan, { outcome: "planned" });
  expect(plan.outputs["fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
  expectEnd(await stage.run({ "expect-plan": plan.outputs["fingerprint"] }), {
    outcome: "deployed",
  });
});

test("expect-plan blocks a plan that has changed, and prints both fingerprints", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "cpu: 1,", "cpu: 2,"));
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_config: { resource_spec: { min_scale: 2, cpu: 1 } },
  });
  await awaitSettled(stage);
  stage.forget();
  const run = await stage.run({ "expect-plan": approved });
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(deploymentOf(run)).toMatchObject({ outcome: "blocked", reason: "plan-changed" });
  expect(run.stdout).toContain(approved);
  expect(run.stdout).toContain(run.outputs["fingerprint"]!);
  expect(stage.writes()).toEqual([]);
});

describe("a GitHub Deployment", () => {
  let github: FakeGithub;
  beforeAll(async () => {
    github = await startFakeGithub();
  });
  afterAll(() => github.close());

  test.each([
    ["expect-plan", { "expect-plan": "f".repeat(64) }, "push"],
    ["a gate", { gate: "correctness >= 0.9", experiment: "results.csv" }, "push"],
    ["an untrusted event", {}, "check_run"],
  ])("is not created by a run that %s stops before its first write", async (_, inputs, name) => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write("results.csv", "input,correctness\na,0\nb,0\n");
    const run = await stage.run(
      { environment: "prod", "github-token": github.token, ...inputs },
      {
        event: { name },
        env: { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octocat/agents" },
      },
    );
    expectEnd(run, { outcome: "blocked" }, 1);
    expect(run.stdout).toContain("would be created");
    expect(github.deployments).toEqual([]);
  });
});

test("expect-plan blocks a plan whose kept resource_spec values have changed", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "cpu: 1, memory_mb: 1024", "cpu: 2"));
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const { id } = await stage.live();
  const keep = { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 };
  const to = async (more: object): Promise<void> => {
    await stage.send("PATCH", `/v2/deployments/${id}`, {
      source_config: { resource_spec: { ...keep, ...more } },
    });
    await awaitSettled(stage);
    stage.forget();
  };
  for (const more of [{ service_account_name: "root" }, { memory_mb: 4096 }]) {
    await to(more);
    const run = await stage.run({ "expect-plan": approved });
    expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
    expect(deploymentOf(run)).toMatchObject({ reason: "plan-changed" });
    expect(stage.writes()).toEqual([]);
  }
  await to({});
  expectEnd(await stage.run({ "expect-plan": approved }), { outcome: "deployed" });
  expectEnd(await stage.run({ "expect-plan": approved }), { outcome: "unchanged" });
});

test("the fingerprint covers whether a secret changes, but no commits or secret values", async () => {
  const stage = await createDeployed(REPOSITORY);
  const fingerprint = async (inputs = {}): Promise<string> =>
    (await stage.run({ command: "plan", ...inputs })).outputs["fingerprint"]!;
  const first = await fingerprint();
  expect(await fingerprint({ commit: "f".repeat(40) })).toBe(first);
  stage.spec(edit(REPOSITORY, "first-value", "second-value"));
  const rotated = await fingerprint();
  expect(rotated).not.toBe(first);
  stage.spec(edit(REPOSITORY, "first-value", "third-value"));
  expect(await fingerprint()).toBe(rotated);
  stage.spec(edit(REPOSITORY, "API_TOKEN", "API_KEY"));
  expect(await fingerprint()).not.toBe(first);
  stage.spec(edit(REPOSITORY, "npm ci", "npm install"));
  expect(await fingerprint()).not.toBe(first);
  stage.spec(REPOSITORY);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: "e".repeat(40) });
  expectEnd(await stage.run({ force: "true" }), { outcome: "deployed" });
  expect(await fingerprint()).toBe(first);
});

test("fail-on-changes fails the step without changing the outcome, with exit code 3 on the command line", async () => {
  const stage = await createStage(CONTAINER);
  expectEnd(
    await stage.run({ command: "plan", "fail-on-changes": "true" }),
    { outcome: "planned" },
    1,
  );
  expect((await stage.cli(["plan", "--fail-on-changes"])).code).toBe(3);
  expect((await stage.cli(["plan"])).code).toBe(0);
  expect((await stage.cli(["apply", "--poll-interval", "20ms"])).code).toBe(0);
  expect((await stage.cli(["plan", "--fail-on-changes"])).code).toBe(0);
});

test("a new commit is not drift", async () => {
  const stage = await createDeployed(REPOSITORY);
  const run = await stage.run({
    command: "plan",
    "fail-on-changes": "true",
    commit: "f".repeat(40),
  });
  expectEnd(run, { outcome: "planned", changed: "true" });
});

test("the fingerprint shown in comments is accepted, but not one under 12 digits", async () => {
  const stage = await createStage(CONTAINER);
  const { fingerprint } = (await stage.run({ command: "plan" })).outputs;
  const short = await stage.run({ "expect-plan": fingerprint!.slice(0, 11) });
  expectEnd(short, { outcome: "failed", changed: "false" }, 1);
  expect(short.stdout).toContain("at least the first 12");
  expectEnd(await stage.run({ "expect-plan": `${fingerprint!.slice(0, 11)}x` }), {}, 1);
  expect(stage.writes()).toEqual([]);
  expectEnd(await stage.run({ "expect-plan": fingerprint!.slice(0, 12) }), { outcome: "deployed" });
});

test("a report file of another format is refused with the wrong field", async () => {
  const stage = await createStage(CONTAINER);
  await stage.run({ command: "plan", "report-file": "plan.json" });
  const report = JSON.parse(stage.workspace.read("plan.json"));
  stage.workspace.write("plan.json", JSON.stringify({ ...report, gates: 1 }));
  const run = await stage.run({ "expect-plan": "plan.json" });
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(run.stdout).toContain("expect-plan: plan.json: is not a report of agent-deploy: gates: ");
  expect(stage.writes()).toEqual([]);
});

describe("a change by somebody else during a refused write", () => {
  const theirs = {
    secrets: [
      { name: "API_TOKEN", value: "first-value" },
      { name: "DB_URL", value: "postgres://db/search" },
      { name: "BY_HAND", value: "made-by-hand" },
    ],
  };

  /** The first PATCH is answered 409, since somebody's own update is under way. */
  async function interrupted(): Promise<{
    stage: Stage;
    run: Awaited<ReturnType<typeof behind>>;
  }> {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
    const { id } = await stage.live();
    let refused = false;
    const run = await behind(stage, async ({ method, forward }) => {
      if (method !== "PATCH" || refused) return forward();
      refused = true;
      await stage.send("PATCH", `/v2/deployments/${id}`, theirs);
      return { status: 409, body: JSON.stringify({ detail: "Another update is under way." }) };
    });
    return { stage, run };
  }

  test("is not overwritten under expect-plan", async () => {
    const { stage, run } = await interrupted();
    const approved = (await run({ command: "plan" })).outputs["fingerprint"]!;
    const end = await run({ "expect-plan": approved });
    expectEnd(end, { outcome: "blocked" }, 1);
    expect(deploymentOf(end)).toMatchObject({ reason: "plan-changed" });
    expect(stage.patches()).toEqual([expect.objectContaining({ secrets: expect.anything() })]);
    expect((await stage.live()).secrets).toHaveLength(3);
  });

  test("is reported if no plan was approved", async () => {
    const { run } = await interrupted();
    const end = await run();
    expectEnd(end, { outcome: "deployed" });
    expect(end.stdout).toContain("was changed after its plan was made: secrets.BY_HAND");
  });
});

test("a deployment that somebody else creates at the same moment is not updated under an approved create", async () => {
  const stage = await createStage(CONTAINER);
  let taken = false;
  const run = await behind(stage, async ({ method, path, forward }) => {
    if (method === "POST" && path === "/v2/deployments" && !taken) {
      taken = true;
      await stage.send("POST", "/v2/deployments", {
        ...(load(CONTAINER) as object),
        source_revision_config: {
          image_uri: `registry.example.com/acme/search@sha256:${"c".repeat(64)}`,
        },
      });
    }
    return forward();
  });
  const approved = (await run({ command: "plan" })).outputs["fingerprint"]!;
  const end = await run({ "expect-plan": approved });
  expectEnd(end, { outcome: "blocked" }, 1);
  expect(deploymentOf(end)).toMatchObject({ reason: "plan-changed" });
  expect(stage.patches()).toEqual([]);
});

test("an approved plan without changes does not approve a redeploy", async () => {
  const stage = await createDeployed(CONTAINER, {
    revisions: [{ revision: 2, outcome: "deploy-failed" }],
  });
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  expectEnd(plan, { outcome: "unchanged" });
  const { id, latest_revision_id: latest } = await stage.live();
  await stage.send("POST", `/v2/deployments/${id}/revisions/${latest}/redeploy`);
  const [failed] = await stage.revisions();
  const at = `/v2/deployments/${id}/revisions/${failed.id}`;
  while ((await stage.get(at)).status !== "DEPLOY_FAILED") await setTimeout(20);
  stage.forget();
  for (const expected of [plan.outputs["fingerprint"]!, "plan.json"]) {
    const run = await stage.run({ "expect-plan": expected });
    expectEnd(run, { outcome: "blocked" }, 1);
    expect(deploymentOf(run).reason).toBe("plan-changed");
  }
  expect(stage.writes()).toEqual([]);
});
