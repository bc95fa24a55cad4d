import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, expectEnd } from "./stage.ts";

const TENANT = "0b5b1c5e-5a0f-4b6e-8f6a-2a6f0c1d2e3f";
const sent = (stage: Awaited<ReturnType<typeof createStage>>, name: string): unknown[] => [
  ...new Set(
    stage.emulator.emulator
      .requests()
      .map(({ headers }) => (headers as Record<string, unknown>)[name]),
  ),
];

test("tenant-id is sent as X-Tenant-Id with every request", async () => {
  const stage = await createStage(CONTAINER, {
    apiKeys: [{ key: "test-key", scope: "organization" }],
  });
  expectEnd(await stage.run({ "tenant-id": TENANT }), { outcome: "deployed" });
  expect(sent(stage, "x-tenant-id")).toEqual([TENANT]);
});

test("without tenant-id the header is not sent, and an organization key fails with a hint to set it", async () => {
  const stage = await createStage(CONTAINER, {
    apiKeys: [{ key: "test-key", scope: "organization" }],
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "failed", changed: "false" }, 1);
  expect(sent(stage, "x-tenant-id")).toEqual([undefined]);
  expect(run.stdout).toContain("tenant-id");
});

test("bearer-token is sent as Authorization, without a key", async () => {
  const stage = await createStage(CONTAINER, { bearerTokens: ["bearer-of-mine"] });
  const run = await stage.run({
    "api-key": "",
    "bearer-token": "bearer-of-mine",
    "tenant-id": TENANT,
  });
  expectEnd(run, { outcome: "deployed" });
  expect(sent(stage, "x-api-key")).toEqual([undefined]);
  expect(run.stdout.replace(/::add-mask::.*/g, "")).not.toContain("bearer-of-mine");
});

const pull = (full_name: string): { name: string; payload: unknown } => ({
  name: "pull_request",
  payload: {
    number: 7,
    pull_request: {
      number: 7,
      head: { ref: "topic", sha: "2".repeat(40), repo: { full_name, fork: true } },
      base: { ref: "main", repo: { full_name: "acme/agents" } },
    },
    repository: { full_name: "acme/agents" },
  },
});

test.each(["auto", "plan", "apply", "destroy"])(
  "%s on a fork's pull request without a key is skipped after validation, and sends nothing",
  async (command) => {
    const stage = await createStage(CONTAINER);
    const run = await stage.run(
      { command, "api-key": "", confirm: "search-agent" },
      { event: pull("stranger/agents"), env: { GITHUB_REF: "refs/pull/7/merge" } },
    );
    expectEnd(run, { outcome: "skipped", changed: "false" });
    expect(stage.emulator.emulator.requests()).toEqual([]);
  },
);

test("an invalid spec fails on a fork's pull request too", async () => {
  const stage = await createStage(CONTAINER.replace("cpu: 1", "cpu: many"));
  expectEnd(
    await stage.run({ command: "auto", "api-key": "" }, { event: pull("stranger/agents") }),
    { outcome: "failed" },
    1,
  );
});

test("Dependabot without a key is skipped", async () => {
  const stage = await createStage(CONTAINER);
  expectEnd(
    await stage.run(
      { command: "auto", "api-key": "" },
      { event: pull("acme/agents"), env: { GITHUB_ACTOR: "dependabot[bot]" } },
    ),
    { outcome: "skipped" },
  );
});

test("an empty key elsewhere fails, and the message says that the secret does not exist or is not passed", async () => {
  const stage = await createStage(CONTAINER);
  for (const event of [{ name: "push" }, pull("acme/agents")]) {
    const run = await stage.run({ command: "auto", "api-key": "" }, { event });
    expectEnd(run, { outcome: "failed", changed: "false" }, 1);
    expect(run.stdout).toMatch(/api-key.*(secret)/);
  }
  const cli = await stage.cli(["plan"], { AGENT_DEPLOY_API_KEY: "" });
  expect(cli.code).toBe(2);
  expect(cli.stdout + cli.stderr).toMatch(/does not exist|not passed/);
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test("the command line without a key suggests the demo, but not in CI", async () => {
  const stage = await createStage(CONTAINER);
  for (const [CI, names] of [
    ["true", false],
    ["false", true],
  ] as const) {
    const run = await stage.cli(["plan"], { CI, AGENT_DEPLOY_API_KEY: "" });
    expect([CI, run.code, run.stderr.includes("Try agent-deploy demo")]).toEqual([CI, 2, names]);
  }
});
