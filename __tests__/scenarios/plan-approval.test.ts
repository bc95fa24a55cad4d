import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import {
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

test("what a resource_spec carries over is part of the plan: expect-plan refuses it once it is something else", async () => {
  const stage = await createDeployed(CONTAINER);
  stage.spec(edit(CONTAINER, "cpu: 1, memory_mb: 1024", "cpu: 2"));
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const { id } = await stage.live();
  const keep = { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 };
  const to = async (more: object): Promise<void> => {
    await stage.send("PATCH", `/v2/deployments/${id}`, {
      source_config: { resource_spec: { ...keep, ...more } },
    });
    await stage.run({ command: "wait", "deployment-id": id });
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

test("the fingerprint covers how a secret stands, but no commits, secret values or unreadable fields", async () => {
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

describe("the fingerprint covers verify and on-failure as they will be, wherever they are given", () => {
  const deploy = "deploy: { verify: exit 0, on_failure: none }\n";
  const createChanged = async (more = ""): Promise<Stage> => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "cpu: 1,", "cpu: 2,") + more);
    return stage;
  };
  const planOf = async (stage: Stage, inputs = {}): Promise<string> =>
    (await stage.run({ command: "plan", ...inputs })).outputs["fingerprint"]!;

  test("an input says what deploy: would, and goes before it", async () => {
    const stage = await createChanged();
    const [plain, none] = [await planOf(stage), await planOf(stage, { "on-failure": "none" })];
    expect(none).toBe(plain);
    const verified = await planOf(stage, { verify: "exit 0" });
    const rolled = await planOf(stage, { "on-failure": "rollback" });
    expect(new Set([plain, verified, rolled]).size).toBe(3);
    stage.spec(`${edit(CONTAINER, "cpu: 1,", "cpu: 2,")}deploy: { verify: exit 0 }\n`);
    expect(await planOf(stage)).toBe(verified);
    expect(await planOf(stage, { verify: "exit 1" })).not.toBe(verified);
    // Nothing is verified by a run that does not wait.
    expect(await planOf(stage, { wait: "false" })).toBe(plain);
  });

  test.each([[{ verify: "exit 1" }], [{ "on-failure": "rollback" }], [{ wait: "false" }]])(
    "an approved plan is not carried out with %j",
    async (inputs) => {
      const stage = await createChanged(deploy);
      const approved = await planOf(stage);
      stage.forget();
      const run = await stage.run({ "expect-plan": approved, ...inputs });
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      expect(deploymentOf(run)).toMatchObject({ reason: "plan-changed" });
      expect(stage.writes()).toEqual([]);
      // The plan with the same inputs is the one that is carried out.
      const again = await planOf(stage, inputs);
      expect(run.outputs["fingerprint"]).toBe(again);
    },
  );

  test("the command line takes them for plan as for apply", async () => {
    const stage = await createChanged();
    const flags = ["--verify", "exit 0", "--on-failure", "rollback"];
    const plan = await stage.cli(["plan", "--json", ...flags]);
    expect([plan.code, plan.stderr]).toEqual([0, expect.not.stringContaining("no effect")]);
    const { fingerprint } = JSON.parse(plan.stdout);
    const run = await stage.cli(["apply", "--expect-plan", fingerprint, ...flags]);
    expect(run.code).toBe(0);
  });
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

const WITH_VARIABLES = CONTAINER.replace("value: first-value", 'value: "${API_TOKEN_VALUE}"');

test("what comments show of a fingerprint is enough, and less than 12 digits are not", async () => {
  const stage = await createStage(CONTAINER);
  const { fingerprint } = (await stage.run({ command: "plan" })).outputs;
  const short = await stage.run({ "expect-plan": fingerprint!.slice(0, 11) });
  expectEnd(short, { outcome: "failed", changed: "false" }, 1);
  expect(short.stdout).toContain("at least the first 12");
  expectEnd(await stage.run({ "expect-plan": `${fingerprint!.slice(0, 11)}x` }), {}, 1);
  expect(stage.writes()).toEqual([]);
  expectEnd(await stage.run({ "expect-plan": fingerprint!.slice(0, 12) }), { outcome: "deployed" });
});

test("a plan that was carried out already is not refused, by its fingerprint, the digits that comments show, or its report file", async () => {
  const stage = await createStage(CONTAINER);
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  const { fingerprint } = plan.outputs;
  expectEnd(await stage.run({ "expect-plan": fingerprint }), { outcome: "deployed" });
  stage.forget();
  const again = await stage.run({ "expect-plan": fingerprint });
  expectEnd(again, { outcome: "unchanged" });
  expectEnd(await stage.run({ "expect-plan": "plan.json" }), { outcome: "unchanged" });
  const shown = fingerprint!.slice(0, 12);
  expectEnd(await stage.run({ "expect-plan": shown }), { outcome: "unchanged" });
  // Another wanted state is another plan, though nothing is left to do for it either.
  stage.spec(CONTAINER.replace("secrets:", "deploy: { verify: 'true' }\nsecrets:"));
  expectEnd(await stage.run({ "expect-plan": fingerprint }), { outcome: "blocked" }, 1);
  expectEnd(await stage.run({ "expect-plan": shown }), { outcome: "blocked" }, 1);
  expectEnd(await stage.run({ "expect-plan": "plan.json" }), { outcome: "blocked" }, 1);
  expect(stage.writes()).toEqual([]);
});

test("an approved plan without changes lets no other secrets, verify or force through", async () => {
  const stage = await createDeployed(CONTAINER);
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const refused = async (spec: string, inputs = {}): Promise<void> => {
    stage.spec(spec);
    for (const expected of [approved, approved.slice(0, 12)]) {
      const run = await stage.run({ "expect-plan": expected, ...inputs });
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      expect(deploymentOf(run)).toMatchObject({ reason: "plan-changed" });
    }
  };
  await refused(edit(CONTAINER, "first-value", "second-value"));
  await refused(`${CONTAINER}deploy: { verify: "true" }\n`);
  await refused(`${CONTAINER}deploy: { on_failure: rollback }\n`);
  await refused(`${CONTAINER}deploy: { secrets: merge }\n`);
  await refused(CONTAINER, { force: "true" });
  await refused(CONTAINER, { "tenant-id": "7c9e6679-7425-40de-944b-e07fc1f90ae7" });
  expect(stage.writes()).toEqual([]);
  // Somebody rotates the secret: the spec's older value would be put back.
  stage.spec(CONTAINER);
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    secrets: [
      { name: "API_TOKEN", value: "rotated" },
      { name: "DB_URL", value: "postgres://db/search" },
    ],
  });
  await stage.run({ command: "wait" });
  stage.forget();
  await refused(CONTAINER);
  expect(stage.writes()).toEqual([]);
});

test("a secret known only after apply accepts any value at its place, and that is said", async () => {
  const stage = await createStage(WITH_VARIABLES);
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  expectEnd(plan, { outcome: "planned" });
  const { fingerprint } = plan.outputs;
  const env = { API_TOKEN_VALUE: "from-the-environment" };
  const run = await stage.run({ "expect-plan": fingerprint }, { env });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).toContain("approved with API_TOKEN_VALUE (known after apply)");
  stage.forget();
  expectEnd(await stage.run({ "expect-plan": fingerprint }, { env }), { outcome: "unchanged" });
  expectEnd(await stage.run({ "expect-plan": "plan.json" }, { env }), { outcome: "unchanged" });
  // What was known is bound as before.
  stage.spec(edit(WITH_VARIABLES, "postgres://db/search", "postgres://db/other"));
  expectEnd(await stage.run({ "expect-plan": fingerprint }, { env }), { outcome: "blocked" }, 1);
  expect(stage.writes()).toEqual([]);
});

describe("what somebody else changes while a write is refused as a conflict", () => {
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

  test("is told where no plan was approved", async () => {
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

test.each([
  ["two of eleven", [9, 10]],
  ["half of eleven", [4, 5, 6, 7, 8, 9]],
])(
  "an approval with %s variables not known is found by its fingerprint, its beginning and its report",
  async (_, unset) => {
    const names = Array.from({ length: 11 }, (_, at) => `SECRET_${at}`);
    const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const secrets = names.map((name) => `  - ${name}\n`).join("");
    const spec = `${CONTAINER.slice(0, CONTAINER.indexOf("secrets:"))}secrets:\n${secrets}`;
    const stage = await createStage(spec);
    const known = Object.fromEntries(
      Object.entries(values).filter(([name]) => !unset.some((at) => name === names[at])),
    );
    const plan = await stage.run({ command: "plan", "report-file": "plan.json" }, { env: known });
    const fingerprint = plan.outputs["fingerprint"]!;
    for (const approved of [fingerprint, fingerprint.slice(0, 12), "plan.json"]) {
      const run = await stage.run({ "expect-plan": approved }, { env: values });
      expectEnd(run, { outcome: approved === fingerprint ? "deployed" : "unchanged" });
    }
  },
);

test("an approved plan without changes approves no redeploy", async () => {
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
