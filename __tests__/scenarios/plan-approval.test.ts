import { expect, test } from "@jest/globals";
import {
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  REPO_URL,
} from "./stage.ts";

test("expect-plan lets the approved plan through", async () => {
  const stage = await createStage(CONTAINER);
  const plan = await stage.run({ command: "plan" });
  expectEnd(plan, { outcome: "planned" });
  expect(plan.outputs["fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
  expectEnd(await stage.run({ "expect-plan": plan.outputs["fingerprint"] }), {
    outcome: "deployed",
  });
});

test("expect-plan refuses a plan that is another by now, and shows both", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "cpu: 1,", "cpu: 2,"));
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    source_config: { resource_spec: { min_scale: 2, cpu: 1 } },
  });
  await stage.run({ command: "wait" });
  stage.forget();
  const run = await stage.run({ "expect-plan": approved });
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(deploymentOf(run)).toMatchObject({ outcome: "blocked", reason: "plan-changed" });
  expect(run.stdout).toContain(approved);
  expect(run.stdout).toContain(run.outputs["fingerprint"]!);
  expect(stage.writes()).toEqual([]);
});

test("the fingerprint does not change with commits, secret values or unreadable fields", async () => {
  const stage = await createDeployed(REPOSITORY);
  const fingerprint = async (inputs = {}): Promise<string> =>
    (await stage.run({ command: "plan", ...inputs })).outputs["fingerprint"]!;
  const first = await fingerprint();
  expect(await fingerprint({ commit: "f".repeat(40) })).toBe(first);
  stage.spec(edit(REPOSITORY, "first-value", "second-value"));
  expect(await fingerprint()).toBe(first);
  stage.spec(edit(REPOSITORY, "API_TOKEN", "API_KEY"));
  expect(await fingerprint()).not.toBe(first);
  stage.spec(edit(REPOSITORY, "npm ci", "npm install"));
  expect(await fingerprint()).not.toBe(first);
  stage.spec(REPOSITORY);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: "e".repeat(40) });
  expectEnd(await stage.run({ force: "true" }), { outcome: "deployed" });
  expect(await fingerprint()).toBe(first);
});

test("fail-on-changes makes the step red and leaves the outcome: 3 on the command line, 0 without changes", async () => {
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

test("a moved commit is not drift", async () => {
  const stage = await createDeployed(REPOSITORY);
  const run = await stage.run({
    command: "plan",
    "fail-on-changes": "true",
    commit: "f".repeat(40),
  });
  expectEnd(run, { outcome: "planned", changed: "true" });
});
