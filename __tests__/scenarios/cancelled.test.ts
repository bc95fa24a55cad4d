import { expect, test } from "@jest/globals";
import { expectWithin } from "../support/busy.ts";
import { CONTAINER, createStage } from "./stage.ts";

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s during the wait ends the run within 5 s, with the outputs set",
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

test("the command line ends with 130", async () => {
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
