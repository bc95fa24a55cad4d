import { describe, expect, test } from "@jest/globals";
import { startFakeGithub } from "../../host/fake-github.ts";
import { runAction, startAction } from "../../support/action-run.ts";
import { expectWithin } from "../../support/busy.ts";
import { runCli, startCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";
import { repohost } from "../../survive/flow.ts";
import { startStoppingFront } from "../../survive/process/front.ts";

const LIMIT_MS = 5_000;
const stuck = { revisions: [{ outcome: "stuck" as const, at: "BUILDING" }] };
const tree = (text = repohost()): ReturnType<typeof createTree> =>
  createTree({ "agent-deploy.yml": text });

describe.each(["SIGINT", "SIGTERM"] as const)("%s", (signal) => {
  test("during a write whose answer never comes: cancelled within 5 s, and the run says what is unknown", async () => {
    const emulator = await startTestEmulator();
    const { front, stopped } = await startStoppingFront(emulator.url, ({ method }) =>
      method === "POST" ? "stop-after" : "pass",
    );
    const run = startAction(
      { ...emulator.inputs, "control-plane-url": front, "tracing-url": front, command: "apply" },
      { workspace: tree() },
    );
    await stopped;
    const at = performance.now();
    run.process.kill(signal);
    const ended = await run.done;
    expectWithin(performance.now() - at, LIMIT_MS);
    expect([ended.code, ended.outputs["outcome"]]).toEqual([1, "cancelled"]);
    expect(ended.summary).toMatch(/unknown whether the service took it/);
  });
  test("before the first answer: cancelled, nothing was sent", async () => {
    const emulator = await startTestEmulator();
    const { front, stopped } = await startStoppingFront(emulator.url, () => "stop-before");
    const child = startCli(["apply"], {
      workspace: tree(),
      env: {
        ...emulator.env,
        AGENT_DEPLOY_CONTROL_PLANE_URL: front,
        AGENT_DEPLOY_TRACING_URL: front,
      },
    });
    await stopped;
    const at = performance.now();
    child.process.kill(signal);
    const ended = await child.done;
    expectWithin(performance.now() - at, LIMIT_MS);
    expect([ended.code, emulator.writes()]).toEqual([130, []]);
  });
  test("during verify: cancelled, the script is stopped, nothing is rolled back", async () => {
    const emulator = await startTestEmulator();
    const run = startAction(
      {
        ...emulator.inputs,
        command: "apply",
        verify: "echo verify has begun; sleep 60",
        "on-failure": "rollback",
      },
      { workspace: tree() },
    );
    await run.until(/\| verify has begun/);
    const at = performance.now();
    run.process.kill(signal);
    const ended = await run.done;
    expectWithin(performance.now() - at, LIMIT_MS);
    expect([
      ended.outputs["outcome"],
      ended.outputs["revision-status"],
      emulator.writes().length,
    ]).toEqual(["cancelled", "DEPLOYED", 1]);
  });
  test("during the wait: the printed command attaches again", async () => {
    const emulator = await startTestEmulator({ clock: { manual: true } });
    const child = startCli(["apply", "--poll-interval", "20ms"], {
      workspace: tree(),
      env: emulator.env,
    });
    await child.until(/CREATING/);
    child.process.kill(signal);
    const ended = await child.done;
    emulator.emulator.advance(60_000);
    const line = /agent-deploy (wait --deployment-id \S+ --revision-id [0-9a-f-]+)/.exec(
      ended.stdout + ended.stderr,
    );
    expect([ended.code, line]).toEqual([130, expect.anything()]);
    const again = await runCli([...line![1]!.split(" "), "--poll-interval", "20ms", "--json"], {
      workspace: createTree(),
      env: emulator.env,
    });
    expect([again.code, JSON.parse(again.stdout).outcome, emulator.writes().length]).toEqual([
      0,
      "deployed",
      1,
    ]);
  });
});

test("post.js closes what a killed step left open at GitHub", async () => {
  const emulator = await startTestEmulator(stuck);
  const github = await startFakeGithub();
  const inputs = {
    ...emulator.inputs,
    command: "apply",
    environment: "production",
    "github-token": github.token,
  };
  const env = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octocat/agents" };
  const run = startAction(inputs, { workspace: tree(), env });
  await run.until(/BUILDING/);
  run.process.kill("SIGKILL");
  const ended = await run.done;
  expect(github.deployments.map(({ statuses }) => statuses.at(-1)?.["state"])).toEqual([
    "in_progress",
  ]);
  const post = await runAction(inputs, {
    entry: "post",
    state: ended.state,
    workspace: ended.workspace,
    env,
  });
  const states = github.deployments.map(({ statuses }) => statuses.at(-1)?.["state"]);
  await github.close();
  expect([post.code, states, post.stdout]).toEqual([
    0,
    ["failure"],
    expect.stringContaining("deployment"),
  ]);
});
