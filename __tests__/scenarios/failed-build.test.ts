import { expect, test } from "@jest/globals";
import {
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
  REPOSITORY,
} from "./stage.ts";

test("a failed build fails the run, with the status in the outputs and the end of the log in the report", async () => {
  const stage = await createStage(REPOSITORY, {
    revisions: [{ outcome: "build-failed", log: ["npm ERR! missing script: build"] }],
  });
  const run = await stage.run();
  const live = await stage.live();
  expectEnd(
    run,
    {
      outcome: "failed",
      changed: "true",
      "revision-id": live.latest_revision_id,
      "revision-status": "BUILD_FAILED",
      "deployment-id": live.id,
    },
    1,
  );
  expect(deploymentOf(run)).toMatchObject({
    outcome: "failed",
    reason: "BUILD_FAILED",
    revision_status: "BUILD_FAILED",
  });
  expect(run.summary).toContain("missing script: build");
});

test("the same spec after a failed build causes one redeploy, and is never unchanged", async () => {
  const stage = await createStage(REPOSITORY, { revisions: [{ outcome: "build-failed" }] });
  expectEnd(await stage.run(), { outcome: "failed" }, 1);
  stage.forget();
  const failed = (await stage.live()).latest_revision_id;
  const plan = await stage.run({ command: "plan" });
  expectEnd(plan, { outcome: "planned", changed: "true" });
  expect(JSON.parse(plan.outputs["plan"]!).deployments).toMatchObject([
    { action: "redeploy", changes: [{ path: "revision", effect: "new-revision" }] },
  ]);
  const again = await stage.run();
  const live = await stage.live();
  expectEnd(again, {
    outcome: "deployed",
    changed: "true",
    "revision-id": live.active_revision_id,
  });
  expect(stage.writes()).toEqual([`POST /v2/deployments/${live.id}/revisions/${failed}/redeploy`]);
  expectEnd(await stage.run(), { outcome: "unchanged" });
});

test("a redeploy that keeps the revision's id is waited for until its status changes", async () => {
  const stage = await createStage(REPOSITORY, {
    redeploy: "same-revision",
    clock: movedByRequests(20),
    lags: { stale: 150 },
    revisions: [{ outcome: "build-failed" }],
  });
  expectEnd(await stage.run(), { outcome: "failed" }, 1);
  const failed = (await stage.live()).latest_revision_id;
  expectEnd(await stage.run(), { outcome: "deployed", "revision-id": failed });
});

test.each([
  ["interrupted", "INTERRUPTED"],
  ["skipped", "SKIPPED"],
  ["deploy-failed", "DEPLOY_FAILED"],
] as const)("a latest revision that was %s is redeployed", async (outcome, status) => {
  const stage = await createDeployed(REPOSITORY, { revisions: [{ revision: 2, outcome }] });
  const before = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${before.id}`, {
    source_revision_config: { graph_config_path: "graphs/other.json" },
  });
  stage.spec(edit(REPOSITORY, "graphs/support.json", "graphs/other.json"));
  for (;;) {
    const [latest] = await stage.revisions();
    if (latest.status === status) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  stage.forget();
  expectEnd(await stage.run(), { outcome: "deployed", changed: "true" });
  expect(stage.writes()).toEqual([expect.stringMatching(/\/redeploy$/)]);
});

test("a missing script is not reported as a missing dependency", async () => {
  const stage = await createStage(REPOSITORY, {
    revisions: [{ outcome: "build-failed", log: ["npm ERR! missing script: build"] }],
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("names a script that package.json does not have");
  expect(run.stdout).not.toContain("A dependency is missing");
});
