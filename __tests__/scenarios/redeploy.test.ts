import { describe, expect, test } from "@jest/globals";
import { behind, CONTAINER, createDeployed, createStage, expectEnd } from "./stage.ts";

test("redeploy takes the latest or the given revision, and waits", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id, latest_revision_id: first } = await stage.live();
  expectEnd(await stage.run({ command: "redeploy" }), {
    outcome: "deployed",
    changed: "true",
    "previous-revision-id": first,
  });
  expectEnd(
    await stage.run({
      command: "redeploy",
      "deployment-id": id,
      "revision-id": first,
      spec: "there-is-none.yml",
    }),
    { outcome: "deployed", changed: "true" },
  );
  expect(stage.writes()).toEqual([
    `POST /v2/deployments/${id}/revisions/${first}/redeploy`,
    `POST /v2/deployments/${id}/revisions/${first}/redeploy`,
  ]);
});

test("redeploy with wait: false starts the revision and prints how to wait for it", async () => {
  const stage = await createDeployed(CONTAINER);
  const run = await stage.run({ command: "redeploy", wait: "false" });
  expectEnd(run, { outcome: "started", changed: "true" });
  const { id, latest_revision_id: latest } = await stage.live();
  expect(run.stdout).toContain(`agent-deploy wait --deployment-id ${id} --revision-id ${latest}`);
});

test("400, 404 of the deployment, 404 of the revision and 422 each have their own message", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  const other = "55555555-5555-4555-8555-555555555555";
  const notify = async (inputs: Record<string, string>): Promise<string> => {
    const run = await stage.run({ command: "redeploy", ...inputs });
    expectEnd(run, { outcome: "failed", changed: "false" }, 1);
    return run.stdout;
  };
  const noRevision = await notify({ "deployment-id": id, "revision-id": other });
  expect(noRevision).toContain(`Revision ID ${other} not found`);
  const noDeployment = await notify({ "deployment-id": other });
  expect(noDeployment).toContain(`there is no deployment ${other}`);
  const bad = await notify({ "deployment-id": id, "revision-id": "not-a-uuid" });
  expect(bad).toMatch(/422: path\.revision_id: Input should be a valid UUID/);
  const refusing = await createDeployed(CONTAINER, {
    faults: [
      {
        route: "POST /v2/deployments/{id}/revisions/{id}/redeploy",
        kind: "status",
        status: 400,
        body: { detail: "This revision cannot be redeployed." },
        times: 0,
      },
    ] as never,
  });
  const refused = await refusing.run({ command: "redeploy" });
  expectEnd(refused, { outcome: "failed", changed: "false" }, 1);
  expect(refused.stdout).toContain("This revision cannot be redeployed.");
});

test("a latest revision that the service has not named yet is waited for", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id } = await stage.live();
  let unnamed = 2;
  const run = await behind(stage, async ({ method, path, forward }) => {
    const reply = await forward();
    if (method !== "GET" || path !== `/v2/deployments/${id}` || unnamed === 0) return reply;
    unnamed -= 1;
    const shown = { ...JSON.parse(String(reply.body)), latest_revision_id: null };
    return { ...reply, body: JSON.stringify(shown) };
  });
  expectEnd(await run({ command: "redeploy" }), { outcome: "deployed", changed: "true" });
});

test("a deployment that is being deleted is not redeployed, however it is named", async () => {
  const stage = await createDeployed(CONTAINER);
  const { id, latest_revision_id: latest } = await stage.live();
  const run = await behind(stage, async ({ method, path, forward }) => {
    const reply = await forward();
    if (method !== "GET" || path !== `/v2/deployments/${id}`) return reply;
    const shown = { ...JSON.parse(String(reply.body)), status: "AWAITING_DELETE" };
    return { ...reply, body: JSON.stringify(shown) };
  });
  const byId = { command: "redeploy", "deployment-id": id };
  for (const inputs of [{ command: "redeploy" }, byId, { ...byId, "revision-id": latest }]) {
    const end = await run(inputs);
    expectEnd(end, { outcome: "failed", changed: "false" }, 1);
    expect(end.stdout).toContain("is being deleted");
  }
  expect(stage.writes()).toEqual([]);
});

describe("a redeploy under the same revision id that does not show in time", () => {
  const never = { redeploy: "same-revision", lags: { stale: 86_400_000 } } as const;

  test.concurrent("warns that a later wait may end at once, with how to see that the redeploy began", async () => {
    const stage = await createDeployed(CONTAINER, never);
    const [before] = await stage.revisions();
    const ends = [
      await stage.run({ command: "redeploy", timeout: "2s", "poll-interval": "200ms" }),
      await stage.run({ force: "true", timeout: "2s", "poll-interval": "200ms" }),
    ];
    for (const end of ends) {
      expectEnd(end, { outcome: "timed-out" }, 1);
      expect(end.stdout).toContain("still shows DEPLOYED from before the redeploy");
      expect(end.stdout).toContain(before.updated_at);
    }
  });

  test("makes the later wait report that the revision was already DEPLOYED, and since when", async () => {
    const stage = await createDeployed(CONTAINER, never);
    const [before] = await stage.revisions();
    const run = await stage.run({ command: "redeploy", timeout: "2s", "poll-interval": "200ms" });
    const wait = await stage.run({
      command: "wait",
      "deployment-id": run.outputs["deployment-id"],
      "revision-id": before.id,
    });
    expectEnd(wait, { outcome: "deployed", changed: "false" });
    expect(wait.stdout).toContain(
      `it was already DEPLOYED when first read, last updated ${before.updated_at}`,
    );
  });

  test("is not mentioned by a wait that saw the revision change", async () => {
    const stage = await createStage(CONTAINER, {
      clock: { manual: true, stepMs: 20 },
      phases: { DEPLOYING: 400 },
    });
    expectEnd(await stage.run({ wait: "false" }), { outcome: "started" });
    const wait = await stage.run({ command: "wait" });
    expectEnd(wait, { outcome: "deployed" });
    expect(wait.stdout).not.toContain("when first read");
  });
});

test("a plan distinguishes a redeploy with force from one of a revision that is not running", async () => {
  const stage = await createDeployed(CONTAINER, {
    revisions: [{ revision: 2, outcome: "deploy-failed" }],
  });
  const message = async (): Promise<string> =>
    JSON.parse((await stage.cli(["plan", "--json", "--force"])).stdout).deployments[0].message;
  expect(await message()).toBe("would redeploy the latest revision, as force asks");
  expectEnd(await stage.run({ force: "true" }), { outcome: "failed" }, 1);
  expect(await message()).toBe("would redeploy the latest revision, which is not running");
});

test("a plan also reports an active revision that failed in a redeploy as not running", async () => {
  const stage = await createDeployed(CONTAINER, { redeploy: "same-revision" });
  stage.emulator.emulator.addRevisionRules([{ outcome: "deploy-failed" }]);
  expectEnd(await stage.run({ command: "redeploy" }), { outcome: "failed" }, 1);
  const plan = JSON.parse((await stage.cli(["plan", "--json"])).stdout).deployments[0];
  expect(plan.revision_id).toBe(plan.previous_revision_id);
  expect(plan.message).toBe("would redeploy the latest revision, which is not running");
});
