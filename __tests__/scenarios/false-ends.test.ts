import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import { runAction, type ActionRun } from "../support/action-run.ts";
import { startProxy } from "../support/service-proxy.ts";
import { CONTAINER, createDeployed, createStage, deploymentOf, edit, expectEnd } from "./stage.ts";

const OTHER = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

test("the required job fails and shows both ends if one of two deployments with the same name failed", async () => {
  const good = await createStage(CONTAINER);
  const bad = await createStage(CONTAINER, { revisions: [{ outcome: "build-failed" }] });
  expectEnd(await good.run({ "report-file": "reports/leg-2.json" }), { outcome: "deployed" });
  expectEnd(await bad.run({ "report-file": "reports/leg-1.json" }), { outcome: "failed" }, 1);
  good.workspace.write("reports/leg-1.json", bad.workspace.read("reports/leg-1.json"));
  // Of two services: the stage's own would not know the revisions of the other.
  const required = await runAction(
    { command: "report", reports: "reports/*.json" },
    { workspace: good.workspace },
  );
  expectEnd(required, { outcome: "failed" }, 1);
  const ends = JSON.parse(required.outputs["deployments"]!);
  expect(ends.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
    "deployed",
    "failed",
  ]);
});

describe("the required job of a fan-out, on a push", () => {
  const planOf = async (): Promise<Awaited<ReturnType<typeof createStage>>> => {
    const stage = await createStage(CONTAINER);
    expectEnd(await stage.run({ command: "plan", "report-file": "reports/plan.json" }), {
      outcome: "planned",
    });
    return stage;
  };
  const push = { env: { GITHUB_EVENT_NAME: "push" } };

  test("fails if the plan had work and no leg reported", async () => {
    const stage = await planOf();
    const required = await stage.run({ command: "report", reports: "reports/*.json" }, push);
    expectEnd(required, { outcome: "failed" }, 1);
    expect(required.stdout).toContain("search-agent");
    expect(stage.writes()).toEqual([]);
  });

  test("passes if each leg of the plan reported", async () => {
    const stage = await planOf();
    await stage.run({ "report-file": "reports/leg.json" }, push);
    const required = await stage.run({ command: "report", reports: "reports/*.json" }, push);
    expectEnd(required, { outcome: "deployed" });
    // One run, so one link to it.
    expect(required.stdout.match(/^Run: /gm)).toHaveLength(1);
  });
});

test("a truncated report fails the required job, and does not hide other legs", async () => {
  const stage = await createStage(CONTAINER);
  await stage.run({ "report-file": "reports/leg-1.json" });
  const whole = stage.workspace.read("reports/leg-1.json");
  stage.workspace.write("reports/leg-2.json", whole.slice(0, whole.length / 2));
  const required = await stage.run({ command: "report", reports: "reports/*.json" });
  expectEnd(required, { outcome: "failed" }, 1);
  expect(JSON.parse(required.outputs["deployments"]!)).toEqual([
    expect.objectContaining({ name: "search-agent", outcome: "deployed" }),
  ]);
  expect(required.stdout).toContain("leg-2.json: is not JSON");
  expect(required.stdout).not.toContain("Nothing was done");
  stage.workspace.write("reports/leg-1.json", "");
  const alone = await stage.run({ command: "report", reports: "reports/*.json" });
  expect(alone.code).toBe(1);
  expect(alone.outputs["deployments"]).toBe("[]");
});

describe("a name with an unset variable", () => {
  test.each(["destroy", "plan", "apply", "wait"])(
    "fails %s, which sends nothing",
    async (command) => {
      const stage = await createDeployed(CONTAINER);
      stage.spec(edit(CONTAINER, "search-agent", "search-${PR_NUMBER}"));
      const before = stage.emulator.emulator.requests().length;
      const run = await stage.run({ command, confirm: "search-" });
      expectEnd(run, { outcome: "failed", changed: "false" }, 1);
      expect(run.stdout).toContain("PR_NUMBER");
      expect(stage.emulator.emulator.requests()).toHaveLength(before);
      expect((await stage.live()).name).toBe("search-agent");
    },
  );
});

describe("the GitHub Deployment of an environment", () => {
  let github: FakeGithub;
  beforeAll(async () => {
    github = await startFakeGithub();
  });
  afterAll(() => github.close());

  test("follows redeploy, wait and destroy, and is not active after the last", async () => {
    const stage = await createStage(CONTAINER);
    const run = (id: string, inputs: Record<string, string>): ReturnType<typeof stage.run> =>
      stage.run(
        { ...inputs, environment: "preview", "github-token": github.token, comment: "never" },
        {
          env: {
            GITHUB_API_URL: github.url,
            GITHUB_REPOSITORY: "octocat/agents",
            GITHUB_RUN_ID: id,
          },
        },
      );
    const states = (): unknown[] =>
      github.deployments.map(({ statuses }) => statuses.at(-1)?.["state"]);
    expectEnd(await run("1", {}), { outcome: "deployed" });
    expect(states()).toEqual(["success"]);
    expectEnd(await run("2", { command: "redeploy" }), { outcome: "deployed" });
    expect(states()).toEqual(["inactive", "success"]);
    expectEnd(await run("3", { command: "wait" }), { outcome: "deployed" });
    expect(states()).toEqual(["inactive", "inactive", "success"]);
    expectEnd(await run("4", { command: "destroy", confirm: "search-agent" }), {
      outcome: "updated",
    });
    expect(states().filter((state) => state !== "inactive")).toEqual([]);
  });
});

test("values that the service rounds and masks are unchanged in the next run", async () => {
  const hosted = edit(
    edit(CONTAINER, "external_container", "external_docker"),
    "cpu: 1, memory_mb: 1024",
    "cpu: 0.25, memory_mb: 1024",
  );
  const stage = await createStage(hosted, {
    readback: "hosted",
    secretValues: "stars",
    maskedSecrets: ["DB_URL"],
  });
  expectEnd(await stage.run(), { outcome: "deployed" });
  stage.forget();
  const again = await stage.run();
  expectEnd(again, { outcome: "unchanged" });
  expect(again.stdout).toContain("as far as the service shows it");
  expect(stage.writes()).toEqual([]);
});

describe("an update that the service rejects", () => {
  test("ends with the service's last answer, without mentioning limits", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.emulator.emulator.addFaults([
      { route: "PATCH /v2/deployments/{id}", kind: "status", status: 500, times: 0 },
    ]);
    stage.spec(OTHER);
    const run = await stage.run({ timeout: "4s" });
    expectEnd(run, { outcome: "failed" }, 1);
    const { message } = deploymentOf(run);
    expect(run.stdout).toMatch(/500/);
    expect(`${message}${run.stdout}`).not.toMatch(/concurrency|nothing was sent/);
  });

  test("because another one is in progress is read, planned and tried again", async () => {
    const stage = await createDeployed(CONTAINER);
    stage.emulator.emulator.addFaults([
      {
        route: "PATCH /v2/deployments/{id}",
        kind: "status",
        status: 409,
        times: 2,
        body: { detail: "another update is in progress" },
      },
    ]);
    stage.spec(OTHER);
    expectEnd(await stage.run(), { outcome: "deployed" });
    expect((await stage.live()).source_revision_config.image_uri).toContain("b".repeat(64));
  });
});

test("an active revision in an unknown status is reported by that status, not as DEPLOYED", async () => {
  const stage = await createDeployed(CONTAINER);
  const url = await startProxy(stage.emulator.url, async ({ path, forward }) => {
    const reply = await forward();
    if (!/revisions/.test(path)) return reply;
    return { ...reply, body: String(reply.body).replaceAll('"DEPLOYED"', '"HIBERNATING"') };
  });
  // The service itself knows no such status, so the stage cannot hold the texts against it.
  const run = (inputs: Readonly<Record<string, string>>): Promise<ActionRun> =>
    runAction(
      { ...stage.emulator.inputs, "control-plane-url": url, "tracing-url": url, ...inputs },
      { workspace: stage.workspace },
    );
  for (const command of ["plan", "apply"]) {
    const end = await run({ command });
    expectEnd(end, { outcome: "unchanged", "revision-status": "HIBERNATING" });
    expect(end.stdout).toContain("HIBERNATING");
    expect(end.stdout).not.toContain("DEPLOYED");
  }
  expect(stage.writes()).toEqual([]);
  stage.spec(edit(CONTAINER, "https://search.example.com", "https://find.example.com"));
  expectEnd(await run({ command: "apply" }), {
    outcome: "updated",
    "revision-status": "HIBERNATING",
  });
});
