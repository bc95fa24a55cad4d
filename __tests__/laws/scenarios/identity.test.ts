import { describe, expect, test } from "@jest/globals";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  expectEnd,
  movedByRequests,
  type Stage,
} from "../../scenarios/stage.ts";

const seeded = {
  name: "search-agent",
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: `r.example.com/a@sha256:${"c".repeat(64)}` },
  secrets: [],
};

test.each([404, 405, 501] as const)(
  "a list that answers %d proves nothing: refused without an id, created with create: always, updated with the id",
  async (list) => {
    const stage = await createStage(CONTAINER, { list });
    const refused = await stage.run();
    expectEnd(refused, { outcome: "blocked", changed: "false" }, 1);
    expect(refused.stdout).toMatch(/deployment-id.*create: always/);
    expect(stage.writes()).toEqual([]);
    const created = await stage.run({ create: "always" });
    expectEnd(created, { outcome: "deployed" });
    expectEnd(await stage.run({ "deployment-id": created.outputs["deployment-id"] }), {
      outcome: "unchanged",
    });
    expect(stage.writes()).toEqual(["POST /v2/deployments"]);
  },
);

describe("an id of a deployment that is being deleted", () => {
  const going = async (deleteMs = 700): Promise<{ stage: Stage; id: string }> => {
    const stage = await createDeployed(CONTAINER, {
      clock: movedByRequests(100),
      lags: { delete: deleteMs },
      deleteKeepsProject: false,
    });
    const { id } = await stage.live();
    stage.spec(`${CONTAINER}deploy: { id: ${id} }\n`);
    await stage.send("DELETE", `/v2/deployments/${id}?delete_tracing_project=true`);
    stage.forget();
    return { stage, id };
  };

  test("is waited for, and the run asks to put the new id into deploy.id, without which the next run is blocked", async () => {
    const { stage, id } = await going(4000);
    const plan = await stage.run({ command: "plan" });
    expect(plan.stdout).toContain(`deploy.id names deployment ${id}, which is being deleted`);
    const run = await stage.run();
    expectEnd(run, { outcome: "deployed", changed: "true" });
    const now = run.outputs["deployment-id"]!;
    expect(now).not.toBe(id);
    const warning = `put the new id ${now} into deploy.id: while it names ${id}, runs are blocked`;
    expect(run.stdout).toMatch(new RegExp(`warning:.* ${warning}`));
    expect(run.summary.replaceAll("`", "")).toMatch(new RegExp(warning, "i"));
    expectEnd(await stage.run(), { outcome: "blocked" }, 1);
    stage.spec(`${CONTAINER}deploy: { id: ${now} }\n`);
    expectEnd(await stage.run(), { outcome: "unchanged" });
  });

  test("makes no second deployment if another one has taken the name by then", async () => {
    const { stage, id } = await going();
    let other = "";
    const run = await behind(stage, async ({ method, path, forward }) => {
      const reply = await forward();
      if (method === "GET" && path === `/v2/deployments/${id}` && reply.status === 404 && !other)
        other = (await stage.send("POST", "/v2/deployments", { ...seeded })).id;
      return reply;
    });
    const end = await run();
    expectEnd(end, { outcome: "blocked", changed: "false" }, 1);
    expect(end.stdout).toContain(`deployment ${id}, which deploy.id names, is gone`);
    expect(end.stdout).toContain(other);
    expect(stage.writes()).toEqual(["POST /v2/deployments"]);
  });
});
