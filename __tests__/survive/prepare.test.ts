import { describe, expect, test } from "@jest/globals";
import { createDirectory, type Directory } from "../../src/deploy/directory.ts";
import { prepareDeployment, type Prepared, type PrepareOptions } from "../../src/deploy/prepare.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import type { PlanRequest } from "../../src/plan/plan-draft.ts";
import { type ControlPlane, ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";
import { container, desiredOf, INTEGRATION, repohost } from "./flow.ts";

const LISTENER = { id: "l1", compute_id: "cluster-a", compute_type: "k8s", namespaces: [] };
const own = (status: number) => new ServiceError(`answers ${status}`, { status, ownWords: true });

interface Given {
  /** What is listed of the name; absent: nothing. */
  readonly listed?: LiveDeployment;
  /** Whether a list showed it, rather than a read of its own. */
  readonly isListed?: boolean;
  readonly service?: Partial<ControlPlane>;
  readonly policy?: Partial<PlanRequest["policy"]> & { readonly deploymentId?: string };
  readonly integrations?: Error;
  readonly listeners?: Error;
}

/** Prepares a document over what is listed; returns the result, each list that was asked, and each limit. */
async function prepare(spec: string, given: Given = {}, options: PrepareOptions = {}) {
  const clock = createManualClock();
  await clock.advance(1_000);
  const { context, limits } = createBareRun({
    clock,
    ...(given.service === undefined ? {} : { service: given.service }),
    ...(given.policy === undefined ? {} : { policy: given.policy }),
  });
  const asked: string[] = [];
  const ask = async <T>(what: string, answer: T, error?: Error): Promise<T> => {
    asked.push(what);
    if (error !== undefined) throw error;
    return answer;
  };
  const listed =
    given.listed === undefined || given.isListed === false
      ? given.listed
      : { ...given.listed, isListed: true as const };
  const items = listed === undefined ? [] : [listed];
  const directory: Directory = {
    ...createDirectory(context, { names: 1, ids: 0 }),
    find: async () => ({ state: "found", items }),
    get: async () => listed ?? null,
    whole: async (found: LiveDeployment) => found,
    readAtMs: () => 500,
    integrations: () => ask("integrations", [INTEGRATION], given.integrations),
    listeners: () => ask("listeners", [LISTENER], given.listeners),
  };
  const prepared = await prepareDeployment(context, directory, desiredOf(spec), options);
  return { prepared, asked, limits };
}

const UNNAMED = repohost({ integration: false });

/** Prepares the same document again at 2 s, over a service that lists nothing. */
async function prepareAgain(earlier: Prepared) {
  const clock = createManualClock();
  await clock.advance(2_000);
  const { run, context } = createBareRun({
    clock,
    service: { listDeployments: async () => ({ state: "found", items: [] }) },
  });
  return prepareDeployment(context, run.directory, desiredOf(UNNAMED), { earlier });
}

const NAMED_LISTENER = container().replace(
  "source_config:",
  "source_config:\n  listener_id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
);
const UNWRITTEN = container().replace(/^source_config:\n {2}.*\n/m, "");
const NONE = { items: null };

describe("a create can choose from", () => {
  test.each<[string, string, Given, unknown, readonly string[]]>([
    ["integrations", UNNAMED, {}, { items: [INTEGRATION] }, ["integrations"]],
    ["no integrations if one is given", repohost(), {}, NONE, []],
    [
      "no integrations if nothing may be created",
      UNNAMED,
      { policy: { create: "never" } },
      NONE,
      [],
    ],
    [
      "no integrations if the service has none",
      UNNAMED,
      { integrations: own(404) },
      NONE,
      ["integrations"],
    ],
    [
      "unread integrations if they are forbidden",
      UNNAMED,
      { integrations: own(403) },
      { items: null, unread: "answers 403" },
      ["integrations"],
    ],
    ["listeners", container(), {}, { items: [{ id: "l1", name: "cluster-a" }] }, ["listeners"]],
    ["no listeners if one is given", NAMED_LISTENER, {}, NONE, []],
    ["no listeners if no configuration is written", UNWRITTEN, {}, NONE, []],
    [
      "no listeners if the service has none",
      container(),
      { listeners: own(405) },
      NONE,
      ["listeners"],
    ],
    [
      "no listeners if they are forbidden",
      container(),
      { listeners: own(403) },
      NONE,
      ["listeners"],
    ],
    [
      "unread listeners if they fail",
      container(),
      { listeners: own(422) },
      { items: null, unread: "answers 422" },
      ["listeners"],
    ],
  ])("%s", async (_, spec, given, choices, lists) => {
    const { prepared, asked } = await prepare(spec, given);
    expect([prepared.choices, asked]).toEqual([choices, lists]);
  });

  test("failing if integrations cannot be read or a lookup is broken", async () => {
    await expect(prepare(UNNAMED, { integrations: own(500) })).rejects.toThrow("answers 500");
    await expect(prepare(container(), { listeners: new Error("a bug") })).rejects.toThrow("a bug");
  });

  test("listeners read within 15 s", async () => {
    expect((await prepare(container())).limits).toEqual([16_000]);
  });

  test("what was read before if the plan is made again", async () => {
    const { prepared } = await prepare(UNNAMED);
    expect((await prepareAgain(prepared)).choices).toBe(prepared.choices);
  });
});

describe("what stays live if nothing is built", () => {
  const { body } = desiredOf(repohost());
  const config = body["source_revision_config"] as JsonObject;
  const live = (latest = "r1", active = "r1", status = "READY") =>
    toDeployment({
      ...body,
      id: "d",
      status,
      latest_revision_id: latest,
      active_revision_id: active,
    });
  const revision = (id: string, status = "DEPLOYED", graph = "graph.json") =>
    toRevision({ id, status, source_revision_config: { ...config, graph_config_path: graph } });

  interface Standing extends Given {
    readonly now?: LiveDeployment | null;
    readonly shown?: ReturnType<typeof revision>;
    readonly spec?: string;
    readonly options?: PrepareOptions;
  }

  async function stand({
    now = live(),
    shown = revision("r1"),
    spec = repohost(),
    options,
    ...given
  }: Standing) {
    const reads: string[] = [];
    const service = {
      getDeployment: async (id: string) => {
        reads.push(id);
        return now;
      },
      getRevision: async (_: string, id: string) => {
        reads.push(id);
        return { ...shown, id };
      },
    };
    const { prepared } = await prepare(spec, { listed: live(), ...given, service }, options);
    return { prepared, reads, action: prepared.planned.plan.action };
  }

  test.each<[string, Standing, readonly string[]]>([
    ["both, if a list showed it", {}, ["d", "r1"]],
    ["its revision, if it was read directly", { isListed: false }, ["r1"]],
    ["neither, if the list is trusted", { options: { trustsList: true } }, []],
    ["neither, if something is built", { spec: repohost({ graph: "other.json" }) }, []],
    ["its revision, if it is updated in place", { spec: repohost({ push: true }) }, ["r1"]],
    [
      "the latest one, if it is not active yet",
      { listed: live("r2", "r1"), isListed: false, shown: revision("r2", "BUILDING") },
      ["r2"],
    ],
  ])("is read: %s", async (_, given, expected) => {
    expect((await stand(given)).reads).toEqual(expected);
  });

  test("is nothing if it is gone or being deleted by then", async () => {
    const found = async (given: Standing) => (await stand(given)).prepared.found;
    expect(await found({ now: null })).toEqual({ state: "deleting", id: "d", isListed: true });
    const policy = { deploymentId: "d" };
    expect(await found({ now: null, policy })).toEqual({
      state: "deleting",
      id: "d",
      isListed: true,
      isGiven: true,
    });
    const going = live("r1", "r1", "AWAITING_DELETE");
    expect(await found({ now: going })).toEqual({ state: "deleting", id: "d" });
    expect(await found({ now: going, policy })).toEqual({
      state: "deleting",
      id: "d",
      isGiven: true,
    });
  });

  test("is what the latest revision was built from", async () => {
    const stored = await stand({ shown: revision("r1", "DEPLOYED", "old.json") });
    expect(stored.action).toBe("update");
    expect((await stand({})).action).toBe("none");
  });

  test("may be building or have failed again", async () => {
    const { prepared } = await stand({ shown: revision("r1", "BUILD_FAILED") });
    expect(prepared.found).toMatchObject({
      state: "live",
      latest: { id: "r1", status: "BUILD_FAILED" },
    });
    expect((await stand({})).prepared.found).toMatchObject({ latest: null });
  });

  test("may be a newer revision than the list showed", async () => {
    const building = await stand({ now: live("r2", "r1"), shown: revision("r2", "BUILDING") });
    expect(building.prepared.found).toMatchObject({
      deployment: { latest_revision_id: "r2" },
      latest: { id: "r2" },
    });
    const active = await stand({ now: live("r2", "r2") });
    expect([active.prepared.found, active.reads]).toMatchObject([
      { deployment: { latest_revision_id: "r2" }, latest: null },
      ["d", "r1", "r2"],
    ]);
    const back = await stand({ now: live("r1", "r0") });
    expect(back.prepared.found).toMatchObject({ deployment: { active_revision_id: "r0" } });
  });

  test("has the time of the directory, and the current time if the plan is made again", async () => {
    expect((await stand({})).prepared.readAtMs).toBe(500);
    const { prepared } = await prepare(UNNAMED);
    expect([prepared.readAtMs, (await prepareAgain(prepared)).readAtMs]).toEqual([500, 2_000]);
  });
});
