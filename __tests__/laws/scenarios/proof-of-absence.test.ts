import { describe, expect, test } from "@jest/globals";
import { startProxy, type Passed, type Passing } from "../../support/service-proxy.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  deploymentOf,
  expectEnd,
  movedByRequests,
  type Stage,
} from "../../scenarios/stage.ts";

type Answer = (passing: Passing) => Promise<Passed>;

const LIST = "/v2/deployments";

const isList = ({ method, path }: Passing): boolean => method === "GET" && path === LIST;

/**
 * A gateway before a list in pages of one, oldest first: so many of names alike, then the spec's own
 * deployment. In each of the first readings one of the others is deleted right before the page of
 * the own one is read, which shifts it to a page that was read already.
 */
function shifting(stage: Stage, others: number, deletions: number): Answer {
  let left = others;
  return async (passing) => {
    if (!isList(passing)) return passing.forward();
    const offset = Number(passing.query.get("offset"));
    if (offset === left && others - left < deletions) left -= 1;
    const { resources } = await stage.get(`${LIST}?limit=100`);
    const own = resources.filter((one: { name: string }) => one.name === "search-agent");
    const alike = Array.from({ length: left }, (_, at) => ({
      id: `00000000-0000-4000-8000-${String(others - at).padStart(12, "0")}`,
      name: `search-agent-${others - at}`,
      status: "READY",
    }));
    const all = [...alike.toReversed(), ...own];
    const page = all.slice(offset, offset + 1);
    const body = { resources: page, offset: offset + page.length };
    return { status: 200, body: JSON.stringify(body) };
  };
}

describe("a deployment that others' deletions shift out of view while the pages are read", () => {
  test.each([1, 2, 3])("is found after %d of them, and not duplicated", async (many) => {
    const stage = await createDeployed(CONTAINER, { names: "duplicates" });
    const run = await behind(stage, shifting(stage, 6, many));
    const { id } = await stage.live();
    expectEnd(await run(), { outcome: "unchanged", "deployment-id": id });
    expect(stage.writes()).toEqual([]);
  });

  test("is not created if the list never settles, and the run is red", async () => {
    const stage = await createDeployed(CONTAINER, { names: "duplicates" });
    const run = await behind(stage, shifting(stage, 20, 20));
    expectEnd(await run(), { outcome: "failed", changed: "false" }, 1);
    expect(stage.writes()).toEqual([]);
  });

  test("a create next to similar names requests no extra page", async () => {
    const stage = await createStage(CONTAINER, { names: "duplicates" });
    let asked = 0;
    const answer = shifting(stage, 2, 0);
    const run = await behind(stage, (passing) => {
      if (isList(passing) && stage.writes().length === 0) asked += 1;
      return answer(passing);
    });
    expectEnd(await run(), { outcome: "deployed" });
    // The plan and the look right before the create, each two pages of one and the end.
    expect(asked).toBe(6);
  });
});

describe("while the list shows a deployment of the name that cannot be read by its id", () => {
  const lagging = async (reads: number) => {
    const stage = await createDeployed(CONTAINER, { names: "duplicates" });
    const { id } = await stage.live();
    let left = reads;
    const run = await behind(stage, async ({ method, path, forward }) => {
      if (method !== "GET" || path !== `/v2/deployments/${id}` || left === 0) return forward();
      left -= 1;
      return { status: 404, body: JSON.stringify({ detail: `Deployment ID ${id} not found.` }) };
    });
    return { stage, id, run };
  };

  test("none is created, and the run says which one it is", async () => {
    const { stage, id, run } = await lagging(Infinity);
    const end = await run({ timeout: "4s" });
    expectEnd(end, { outcome: "failed", changed: "false" }, 1);
    expect(deploymentOf(end).reason).toBe("unknown");
    expect(end.stdout).toContain(
      `the list shows deployment ${id} named search-agent, and a read of it answers 404`,
    );
    expect(stage.writes()).toEqual([]);
  });

  test("`status NAME` does not say that there is none", async () => {
    const { stage, id } = await lagging(0);
    const url = await startProxy(stage.emulator.url, async ({ method, path, forward }) =>
      method === "GET" && path === `/v2/deployments/${id}`
        ? { status: 404, body: '{"detail":"not found"}' }
        : forward(),
    );
    const end = await stage.cli(["status", "search-agent", "--control-plane-url", url]);
    expect([end.code, end.stderr]).toEqual([
      2,
      expect.stringContaining(`the list shows deployment ${id} named search-agent`),
    ]);
  });

  test("it is used once it can be read", async () => {
    const { stage, id, run } = await lagging(4);
    expectEnd(await run(), { outcome: "unchanged", "deployment-id": id });
    expect(stage.writes()).toEqual([]);
  });

  test("one that was read as being deleted, and then as gone, does not keep a run waiting for a list that lags", async () => {
    const stage = await createDeployed(CONTAINER, {
      names: "duplicates",
      clock: movedByRequests(100),
      lags: { delete: 1_500 },
    });
    const shown = await stage.live();
    await stage.send("DELETE", `/v2/deployments/${shown.id}`);
    const run = await behind(stage, async ({ method, path, forward }) => {
      const reply = await forward();
      const isCreated = stage.writes().some((one) => one.startsWith("POST"));
      if (method !== "GET" || path !== LIST || isCreated) return reply;
      const { resources } = JSON.parse(String(reply.body)) as { resources: { id: string }[] };
      const others = resources.filter(({ id }) => id !== shown.id);
      return { ...reply, body: JSON.stringify({ resources: [shown, ...others] }) };
    });
    const end = await run({ timeout: "60s" });
    expectEnd(end, { outcome: "deployed" });
    expect(end.outputs["deployment-id"]).not.toBe(shown.id);
    expect(stage.writes().filter((one) => one.startsWith("POST"))).toHaveLength(1);
  });

  test("a create whose answer was lost is not sent again", async () => {
    const stage = await createStage(CONTAINER, { names: "duplicates" });
    const run = await behind(stage, async ({ method, path, forward }) => {
      const reply = await forward();
      if (method === "POST" && path === "/v2/deployments")
        return { status: 502, body: "bad gateway", headers: { "content-type": "text/plain" } };
      // What the list shows is not whole, so that it is read by its id.
      if (method === "GET" && path === "/v2/deployments")
        return { ...reply, body: String(reply.body).replaceAll('"source_config"', '"config"') };
      const isRead = method === "GET" && /^\/v2\/deployments\/[^/]+$/.test(path);
      return isRead ? { status: 404, body: '{"detail":"not found"}' } : reply;
    });
    const end = await run();
    expectEnd(end, { outcome: "failed" }, 1);
    expect(stage.writes()).toEqual(["POST /v2/deployments"]);
    expect(end.stdout).toContain((await stage.live()).id);
  });
});
