import { describe, expect, test } from "@jest/globals";
import { startAction, type ActionRun } from "../../support/action-run.ts";
import { createTree } from "../../support/tree.ts";
import {
  CONTAINER,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  REPO_URL,
  type Stage,
} from "../../scenarios/stage.ts";

/** Every phase takes a second of a clock that the test moves: nothing happens between two of its steps. */
const SECOND = 1000;
const phases = {
  CREATING: SECOND,
  QUEUED: SECOND,
  AWAITING_BUILD: SECOND,
  BUILDING: SECOND,
  AWAITING_DEPLOY: SECOND,
  DEPLOYING: SECOND,
};
const SPEC = edit(REPOSITORY, "build_on_push: false", "build_on_push: true");
const OURS = edit(SPEC, "graphs/support.json", "graphs/ours.json");
const THEIRS = edit(SPEC, "graphs/support.json", "graphs/theirs.json");
const changed = (path: string): object => ({ source_revision_config: { graph_config_path: path } });

/** A deployment whose first revision is active; ours will be the next. */
async function createActive(): Promise<Stage> {
  const stage = await createStage(SPEC, { clock: { manual: true }, phases, lags: { database: 0 } });
  const started = stage.start();
  await started.until(/CREATING|QUEUED/);
  stage.emulator.emulator.advance(60 * SECOND);
  expectEnd(await started.done, { outcome: "deployed" });
  stage.spec(OURS);
  stage.forget();
  return stage;
}

async function untilRevisions(stage: Stage, count: number): Promise<any[]> {
  for (;;) {
    const all = await stage.revisions();
    if (all.length >= count) return all;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

type Other = (stage: Stage, deploymentId: string) => Promise<(() => Promise<ActionRun>) | null>;
/** Who else changes the deployment while we wait. */
const OTHERS: readonly (readonly [string, Other])[] = [
  [
    "another run",
    async (stage) => {
      const { done } = startAction(
        { ...stage.emulator.inputs, command: "apply" },
        { workspace: createTree({ "agent-deploy.yml": THEIRS }) },
      );
      return () => done;
    },
  ],
  [
    "a push",
    async (stage) => {
      stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: "2".repeat(40) });
      return null;
    },
  ],
  [
    "a PATCH by hand",
    async (stage, id) => {
      await stage.send("PATCH", `/v2/deployments/${id}`, changed("graphs/by-hand.json"));
      return null;
    },
  ],
  [
    "a POST of a revision by hand",
    async (stage, id) => {
      await stage.send("POST", `/v2/deployments/${id}/revisions`, changed("graphs/by-hand.json"));
      return null;
    },
  ],
];

/** Starts ours, and the other one while ours is being built; both revisions are there then. */
async function race(stage: Stage, other: Other) {
  const { id } = await stage.live();
  const started = stage.start();
  const [ours] = await untilRevisions(stage, 2);
  stage.emulator.emulator.advance(3.5 * SECOND);
  await started.until(/BUILDING/);
  const theirRun = await other(stage, id);
  const [theirs] = await untilRevisions(stage, 3);
  return { run: started.done, theirRun, ours: ours.id as string, theirs: theirs.id as string };
}

describe.each(OTHERS)("%s on top of ours", (_, other) => {
  test("ours is seen active before theirs is: deployed", async () => {
    const stage = await createActive();
    const { run, theirRun, ours } = await race(stage, other);
    stage.emulator.emulator.advance(3 * SECOND);
    expectEnd(await run, {
      outcome: "deployed",
      "revision-id": ours,
      "revision-status": "DEPLOYED",
    });
    stage.emulator.emulator.advance(60 * SECOND);
    if (theirRun !== null) expectEnd(await theirRun(), { outcome: "deployed" });
  });

  test("theirs has turned active when ours is seen built: superseded, and theirs is named", async () => {
    const stage = await createActive();
    const { run, theirRun, ours, theirs } = await race(stage, other);
    stage.emulator.emulator.advance(60 * SECOND);
    const end = await run;
    expectEnd(
      end,
      { outcome: "superseded", "revision-id": ours, "revision-status": "DEPLOYED" },
      1,
    );
    expect(deploymentOf(end)).toMatchObject({ reason: "superseded" });
    expect(end.summary).toContain(theirs);
    expect(end.stdout).toContain(theirs);
    if (theirRun !== null)
      expectEnd(await theirRun(), { outcome: "deployed", "revision-id": theirs });
    expect((await stage.live()).active_revision_id).toBe(theirs);
  });

  test("theirs failed: ours stays active, and is deployed", async () => {
    const stage = await createActive();
    stage.emulator.emulator.addRevisionRules([{ revision: 3, outcome: "deploy-failed" }]);
    const { run, theirRun, ours, theirs } = await race(stage, other);
    stage.emulator.emulator.advance(60 * SECOND);
    expectEnd(await run, { outcome: "deployed", "revision-id": ours });
    if (theirRun !== null)
      expectEnd(await theirRun(), { outcome: "failed", "revision-id": theirs }, 1);
    expect((await stage.live()).active_revision_id).toBe(ours);
  });

  test("ours failed and theirs is active: ours is reported as failed, not as overtaken", async () => {
    const stage = await createActive();
    stage.emulator.emulator.addRevisionRules([{ revision: 2, outcome: "deploy-failed" }]);
    const { run, theirRun, ours } = await race(stage, other);
    stage.emulator.emulator.advance(60 * SECOND);
    expectEnd(
      await run,
      { outcome: "failed", "revision-id": ours, "revision-status": "DEPLOY_FAILED" },
      1,
    );
    if (theirRun !== null) expectEnd(await theirRun(), { outcome: "deployed" });
  });
});

test.each(OTHERS)(
  "%s overtakes ours while it is queued: the service skips ours, which is superseded",
  async (_, other) => {
    const stage = await createActive();
    const { id, active_revision_id: before } = await stage.live();
    // The service is busy, and takes the newest that waits when it is done.
    await stage.send("POST", `/v2/deployments/${id}/revisions/${before}/redeploy`);
    stage.emulator.emulator.advance(1.5 * SECOND);
    const started = stage.start();
    const [ours] = await untilRevisions(stage, 3);
    stage.emulator.emulator.advance(1.5 * SECOND);
    await started.until(/QUEUED/);
    const theirRun = await other(stage, id);
    const [theirs] = await untilRevisions(stage, 4);
    stage.emulator.emulator.advance(60 * SECOND);
    expectEnd(
      await started.done,
      { outcome: "superseded", "revision-id": ours.id, "revision-status": "SKIPPED" },
      1,
    );
    if (theirRun !== null)
      expectEnd(await theirRun(), { outcome: "deployed", "revision-id": theirs.id });
  },
);

test("two runs that create the same deployment at once make one, and both report it correctly", async () => {
  const stage = await createStage(CONTAINER);
  const runs = await Promise.all([stage.run(), stage.run()]);
  const { id, active_revision_id: active } = await stage.live();
  expect(await stage.revisions()).toHaveLength(1);
  for (const run of runs) {
    expect(["deployed", "unchanged"]).toContain(run.outputs["outcome"]);
    expect(run.code).toBe(0);
    expect(run.outputs).toMatchObject({ "deployment-id": id, "revision-id": active });
  }
});
