import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import {
  behind,
  CONTAINER,
  createDeployed,
  deploymentOf,
  edit,
  expectEnd,
  movedByRequests,
  REPO_URL,
  REPOSITORY,
} from "../../scenarios/stage.ts";

const NEXT = edit(CONTAINER, "a".repeat(64), "b".repeat(64));

const rollback = { "on-failure": "rollback" };

describe("a rollback returns to what was active before our revision became active", () => {
  const image = (digit: string): object => ({
    source_revision_config: { image_uri: `r.example.com/theirs@sha256:${digit.repeat(64)}` },
  });
  const secret = (value: string): object => ({ secrets: [{ name: "API_TOKEN", value }] });
  /** A colleague's revision is under way while ours waits for its turn. */
  async function behindTheirs(theirs: object, ours: string, outcome: "deploy-failed" | "deployed") {
    const stage = await createDeployed(CONTAINER, {
      // Only requests move it on: theirs is under way when the run plans, however slowly that starts.
      clock: movedByRequests(100),
      phases: { DEPLOYING: 3_000 },
      revisions: [{ revision: 3, outcome }],
    });
    const first = await stage.live();
    await stage.send("PATCH", `/v2/deployments/${first.id}`, theirs);
    const [second] = await stage.revisions();
    const at = `/v2/deployments/${first.id}/revisions/${second.id}`;
    while ((await stage.get(at)).status !== "DEPLOYING") await setTimeout(10);
    stage.forget();
    stage.spec(ours);
    return { stage, first: first.active_revision_id, second: second.id, id: first.id };
  }

  test.each([
    ["an image", image("d"), NEXT],
    ["a secret", secret("theirs"), edit(CONTAINER, "first-value", "ours")],
  ])(
    "a build that fails does not touch a colleague's newer revision: %s",
    async (_, theirs, ours) => {
      const { stage, second } = await behindTheirs(theirs, ours, "deploy-failed");
      const run = await stage.run(rollback);
      expectEnd(run, { outcome: "failed", "revision-status": "DEPLOY_FAILED" }, 1);
      expect(stage.writes()).toEqual([expect.stringMatching(/^PATCH/)]);
      expect((await stage.live()).active_revision_id).toBe(second);
      expect(deploymentOf(run).rollback).toEqual({ revision_id: null, outcome: "superseded" });
      expect(run.stdout).toContain(`revision ${second}, which is not of this run, became active`);
    },
  );

  test("a failed verify rolls back to the colleague's revision, and the output names it", async () => {
    const { stage, id, second } = await behindTheirs(image("d"), NEXT, "deployed");
    const run = await stage.run({ ...rollback, verify: "exit 1" });
    expectEnd(run, { outcome: "failed", "previous-revision-id": second }, 1);
    expect(stage.writes()).toEqual([
      expect.stringMatching(/^PATCH/),
      `POST /v2/deployments/${id}/revisions/${second}/redeploy`,
    ]);
    expect(deploymentOf(run).rollback).toMatchObject({ outcome: "deployed" });
  });

  test("a gate of a later step rolls back to the colleague's revision", async () => {
    const { stage, id, second } = await behindTheirs(image("d"), NEXT, "deployed");
    const deployed = await stage.run();
    expectEnd(deployed, { outcome: "deployed", "previous-revision-id": second });
    stage.forget();
    const rows = Array.from({ length: 20 }, (_, q) => ({
      inputs: { q },
      evaluation_scores: [{ key: "m", score: 0 }],
    }));
    stage.workspace.write("rows.json", JSON.stringify(rows));
    await stage.run({
      command: "gate",
      experiment: "rows.json",
      gate: "m >= 0.5",
      "deployment-id": id,
      "revision-id": deployed.outputs["revision-id"]!,
      "previous-revision-id": second,
      ...rollback,
    });
    expect(stage.writes()).toEqual([`POST /v2/deployments/${id}/revisions/${second}/redeploy`]);
  });

  test("an update between our read and our PATCH is what was active before", async () => {
    const stage = await createDeployed(CONTAINER);
    const { id } = await stage.live();
    stage.spec(NEXT);
    let theirs: string | null = null;
    const run = await behind(stage, async ({ method, forward }) => {
      if (method === "PATCH" && theirs === null) {
        await stage.send("PATCH", `/v2/deployments/${id}`, image("d"));
        theirs = (await stage.revisions())[0].id;
        const at = `/v2/deployments/${id}/revisions/${theirs}`;
        while ((await stage.get(at)).status !== "DEPLOYED") await setTimeout(10);
        stage.forget();
      }
      return forward();
    });
    const end = await run({ ...rollback, verify: "exit 1" });
    expectEnd(end, { outcome: "failed" }, 1);
    expect(stage.writes()).toEqual([
      expect.stringMatching(/^PATCH/),
      `POST /v2/deployments/${id}/revisions/${theirs}/redeploy`,
    ]);
  });

  test("a revision that was rolled back under its own id is not returned to", async () => {
    const stage = await createDeployed(CONTAINER, { redeploy: "same-revision" });
    const { id, active_revision_id: first } = await stage.live();
    stage.spec(NEXT);
    expectEnd(await stage.run({ ...rollback, verify: "exit 1" }), { outcome: "failed" }, 1);
    expect((await stage.live()).active_revision_id).toBe(first);
    stage.forget();
    stage.spec(edit(CONTAINER, "a".repeat(64), "c".repeat(64)));
    expectEnd(await stage.run({ ...rollback, verify: "exit 1" }), { outcome: "failed" }, 1);
    expect(stage.writes().at(-1)).toBe(`POST /v2/deployments/${id}/revisions/${first}/redeploy`);
  });

  test.each([
    ["fails", "deploy-failed", "exit 0"],
    ["does not verify", "deployed", "exit 1"],
  ] as const)("a push stays if a later update %s", async (_, outcome, verify) => {
    const pushed = edit(REPOSITORY, "build_on_push: false", "build_on_push: true");
    const stage = await createDeployed(pushed, {
      // Only requests move it on: the push is still building when the run plans, however slowly that starts.
      clock: movedByRequests(300),
      phases: { BUILDING: 3000 },
      revisions: [{ revision: 3, outcome }],
    });
    const commit = "2".repeat(40);
    stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit });
    stage.spec(edit(pushed, "first-value", "second-value"));
    const run = await stage.run({ ...rollback, commit, verify });
    expectEnd(run, { outcome: "failed" }, 1);
    const { id } = await stage.live();
    const second = (await stage.revisions()).at(-2).id;
    const redeploy = `POST /v2/deployments/${id}/revisions/${second}/redeploy`;
    expect(stage.writes().slice(1)).toEqual(outcome === "deployed" ? [redeploy] : []);
    if (outcome === "deployed") expect(run.outputs["previous-revision-id"]).toBe(second);
    else expect((await stage.live()).active_revision_id).toBe(second);
  });
});
