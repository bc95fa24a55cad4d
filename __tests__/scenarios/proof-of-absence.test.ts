import { describe, expect, test } from "@jest/globals";
import { startProxy, type Passed, type Passing } from "../support/service-proxy.ts";
import {
  behind,
  CONTAINER,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  type Stage,
} from "./stage.ts";

type Answer = (passing: Passing) => Promise<Passed>;

const LIST = "/v2/deployments";

const isList = ({ method, path }: Passing): boolean => method === "GET" && path === LIST;

/** A gateway that takes the names out of lists, and out of what is read by an id too where `byId` is set. */
const withoutNames =
  (name: unknown, byId = false): Answer =>
  async (passing) => {
    const reply = await passing.forward();
    if (reply.status !== 200 || passing.method !== "GET") return reply;
    const body = JSON.parse(String(reply.body));
    if (isList(passing)) for (const one of body.resources) one.name = name;
    if (byId && /^\/v2\/deployments\/[^/]+$/.test(passing.path)) body.name = name;
    return { ...reply, body: JSON.stringify(body) };
  };

/** The variables by which the command line goes through such a gateway. */
async function addressesOf(stage: Stage, answer: Answer): Promise<Record<string, string>> {
  const url = await startProxy(stage.emulator.url, answer);
  return { AGENT_DEPLOY_CONTROL_PLANE_URL: url, AGENT_DEPLOY_TRACING_URL: url };
}

const OTHER = edit(CONTAINER, "search-agent", "other-agent");

describe("a list of deployments without names", () => {
  test.each([null, undefined, "", 5])(
    "(%p) is completed by reading each deployment by id",
    async (name) => {
      const stage = await createDeployed(CONTAINER, { names: "duplicates" });
      const run = await behind(stage, withoutNames(name));
      const { id } = await stage.live();
      expectEnd(await run(), { outcome: "unchanged", "deployment-id": id });
      expect(stage.writes()).toEqual([]);
    },
  );

  test("blocks a create if a deployment has no name by its id either, and prints the id", async () => {
    const stage = await createDeployed(CONTAINER, { names: "duplicates" });
    const run = await behind(stage, withoutNames(null, true));
    const { id } = await stage.live();
    for (const create of ["auto", "always"]) {
      const end = await run({ create });
      expectEnd(end, { outcome: "blocked", changed: "false" }, 1);
      expect(end.stdout).toContain(id);
    }
    expect(stage.writes()).toEqual([]);
  });

  test("is not reported as nothing to delete or to wait for", async () => {
    const stage = await createDeployed(CONTAINER);
    const run = await behind(stage, withoutNames(null, true));
    const { id } = await stage.live();
    for (const command of ["destroy", "wait"]) {
      const end = await run({ command, confirm: "search-agent" });
      expectEnd(end, { outcome: "blocked", changed: "false" }, 1);
      expect(end.stdout).toContain(id);
    }
    expect(stage.writes()).toEqual([]);
  });

  test("does not block if each deployment has another name by its id", async () => {
    const stage = await createDeployed(OTHER, { names: "duplicates" });
    stage.spec(CONTAINER);
    // Such a service knows no filter by name, or none of these would be listed.
    const all: Answer = async (passing) => {
      const reply = await withoutNames(null)(passing);
      if (!isList(passing) || passing.query.get("offset") !== "0") return reply;
      const { resources } = await stage.get(`${LIST}?limit=100`);
      const hidden = resources.map((one: object) => ({ ...one, name: null }));
      return { ...reply, body: JSON.stringify({ resources: hidden, offset: hidden.length }) };
    };
    const run = await behind(stage, all);
    expectEnd(await run(), { outcome: "deployed", changed: "true" });
  });

  test("may include one that no longer exists when it is read", async () => {
    const stage = await createStage(CONTAINER);
    const ghost = { id: "0b6f0000-0000-4000-8000-00000000dead", name: null, status: "READY" };
    const run = await behind(stage, async (passing) => {
      const reply = await passing.forward();
      const isFirst = isList(passing) && passing.query.get("offset") === "0";
      if (!isFirst || stage.writes().length > 0) return reply;
      return { ...reply, body: JSON.stringify({ resources: [ghost], offset: 1 }) };
    });
    expectEnd(await run(), { outcome: "deployed", changed: "true" });
  });

  test("is searched by `status NAME`, which does not claim that the name does not exist", async () => {
    const stage = await createDeployed(CONTAINER);
    const { id } = await stage.live();
    const shown = await addressesOf(stage, withoutNames(null));
    const found = await stage.cli(["status", "search-agent", "--json"], shown);
    expect(JSON.parse(found.stdout)).toMatchObject({ id, name: "search-agent" });
    const hidden = await addressesOf(stage, withoutNames(null, true));
    const missing = await stage.cli(["status", "search-agent"], hidden);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(id);
  });
});
