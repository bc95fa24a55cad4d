import { expect, test } from "@jest/globals";
import { expectWithin } from "../support/busy.ts";
import { startProxy } from "../support/service-proxy.ts";
import { CONTAINER, createDeployed, createStage, edit } from "./stage.ts";

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s during the wait ends the run within 5 s, with its outputs set",
  async (signal) => {
    const stage = await createStage(CONTAINER, {
      revisions: [{ outcome: "stuck", at: "DEPLOYING" }],
    });
    const started = stage.start();
    await started.until(/DEPLOYING/);
    const before = performance.now();
    started.process.kill(signal);
    const run = await started.done;
    expectWithin(performance.now() - before, 5000);
    const live = await stage.live();
    expect(run.code).not.toBe(0);
    expect(run.outputs).toMatchObject({
      outcome: "cancelled",
      changed: "true",
      "deployment-id": live.id,
      "revision-id": live.latest_revision_id,
    });
    expect(run.summary).toContain(`revision ${live.latest_revision_id} still building`);
    expect(JSON.parse(run.outputs["deployments"]!)).toMatchObject([{ outcome: "cancelled" }]);
  },
);

test("the command line exits with 130", async () => {
  const stage = await createStage(CONTAINER, {
    revisions: [{ outcome: "stuck", at: "DEPLOYING" }],
  });
  const { startCli } = await import("../support/cli-run.ts");
  const started = startCli(["apply", "--poll-interval", "20ms"], {
    workspace: stage.workspace,
    env: stage.emulator.env,
  });
  await started.until(/DEPLOYING/);
  started.process.kill("SIGTERM");
  expect((await started.done).code).toBe(130);
});

test("a run that is cancelled after its deployment went live reports both", async () => {
  const stage = await createStage(CONTAINER);
  const row = { inputs: { q: 1 }, actual_outputs: { a: 1 } };
  const scored = { ...row, evaluation_scores: [{ key: "m", score: 1 }] };
  stage.workspace.write("rows.json", JSON.stringify([scored]));
  let begin = (): void => undefined;
  const uploading = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const url = await startProxy(stage.emulator.url, async ({ path, forward }) => {
    if (!path.includes("upload-experiment")) return forward();
    begin();
    return new Promise(() => undefined);
  });
  const through = { "control-plane-url": url, "tracing-url": url };
  const started = stage.start({ ...through, experiment: "rows.json", gate: "m >= 0.5" });
  await uploading;
  started.process.kill("SIGTERM");
  const run = await started.done;
  const { id } = await stage.live();
  expect(run.outputs).toMatchObject({ outcome: "cancelled", "deployment-id": id });
  const headline =
    "search-agent was created: search@aaaaaaaa is live · The gate passed · the run was cancelled";
  expect(run.stdout).toContain(`::error title=agent-deploy apply::${headline}`);
  expect(run.summary).toContain("the run was cancelled");
});

test.each([
  ["nothing to do", CONTAINER, { changed: "false" }, "nothing was changed"],
  [
    "an update in place",
    edit(CONTAINER, "https://search.", "https://find."),
    { changed: "true" },
    "the update in place was made before",
  ],
])(
  "a cancel while verify runs after %s reports no new revision, and none to wait for",
  async (_, spec, outputs, words) => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(`${spec}deploy: { verify: "echo begun; sleep 30" }\n`);
    const started = stage.start();
    await started.until(/\| begun/);
    started.process.kill("SIGTERM");
    const run = await started.done;
    expect(run.outputs).toMatchObject({ outcome: "cancelled", ...outputs });
    expect(run.summary).toContain(`ancelled before verify had ended: ${words}`);
    expect(run.stdout).not.toMatch(/went live|was DEPLOYED|agent-deploy wait/);
    expect(run.stdout).toContain("Run again: it verifies what is live");
  },
);

test("a cancel during a build reports what is still serving", async () => {
  const stage = await createDeployed(CONTAINER, {
    revisions: [{ revision: 2, outcome: "stuck", at: "DEPLOYING" }],
  });
  stage.spec(edit(CONTAINER, "a".repeat(64), "b".repeat(64)));
  const started = stage.start();
  await started.until(/DEPLOYING/);
  started.process.kill("SIGTERM");
  const run = await started.done;
  expect(run.stdout).toContain("search@aaaaaaaa is still serving");
});

test("expect-plan: null is an error that mentions the planning step, and whoami accepts a timeout", async () => {
  const stage = await createStage(CONTAINER);
  const run = await stage.cli(["apply", "--expect-plan", "null"]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("the step that plans")]);
  const asked = await stage.cli(["whoami", "--timeout", "5s"]);
  expect([asked.code, asked.stderr]).toEqual([0, expect.not.stringContaining("no effect")]);
});

test("a later step that is cancelled before it sends its rollback is reported as cancelled, not failed", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id, active_revision_id: active } = await stage.live();
  const row = { inputs: { q: 1 }, actual_outputs: { a: 1 } };
  const scored = { ...row, evaluation_scores: [{ key: "m", score: 0 }] };
  stage.workspace.write("rows.json", JSON.stringify([scored]));
  let begin = (): void => undefined;
  const reading = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const url = await startProxy(stage.emulator.url, async () => {
    begin();
    return new Promise(() => undefined);
  });
  const started = stage.start({
    command: "gate",
    experiment: "rows.json",
    gate: "m >= 0.5",
    "control-plane-url": url,
    "tracing-url": url,
    "deployment-id": id,
    "revision-id": active,
    "previous-revision-id": "00000000-0000-4000-8000-000000000001",
    "on-failure": "rollback",
  });
  await reading;
  started.process.kill("SIGTERM");
  const { outputs } = await started.done;
  expect(outputs).toMatchObject({ outcome: "cancelled", changed: "false", "gate-verdict": "fail" });
  expect(JSON.parse(outputs["deployments"]!)).toMatchObject([
    { outcome: "cancelled", reason: "signal" },
  ]);
});
