import { describe, expect, test } from "@jest/globals";
import {
  awaitNamed,
  findLive,
  isDeleting,
  judgeListed,
  readUntil,
  servesAnything,
  toLive,
} from "../../src/deploy/identity.ts";
import type { Reads } from "../../src/deploy/directory.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import { type ControlPlane, type Lookup, ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";

const item = (id: string, status = "READY") => toDeployment({ id, name: "agent", status });
const GOING = "AWAITING_DELETE";
const found = (deployment: LiveDeployment) => ({
  state: "live",
  deployment,
  latest: null,
  active: null,
});

test.each([
  ["AWAITING_DELETE", true],
  ["AWAITING_FINAL_DELETE", true],
  ["READY", false],
  ["UNKNOWN", false],
])("a deployment with the status %s is being deleted: %s", (status, expected) => {
  expect(isDeleting(item("d", status))).toBe(expected);
});

describe("a list shows for a name", () => {
  const [one, two, going] = [item("1"), item("2"), item("3", GOING)] as const;
  test.each<[string, readonly LiveDeployment[], readonly LiveDeployment[], unknown]>([
    ["nothing", [], [], { state: "absent" }],
    ["one", [one], [], found(one)],
    ["one, and others without a name", [one], [two], found(one)],
    ["two", [one, two], [], { state: "duplicates", ids: ["1", "2"] }],
    ["one that is live and one that is being deleted", [going, one], [], found(one)],
    ["only one that is being deleted", [going], [], { state: "deleting", id: "3" }],
    ["only some without a name", [], [one, two], { state: "nameless", ids: ["1", "2"] }],
    ["only one without a name, which is being deleted", [], [going], { state: "absent" }],
    [
      "one that is being deleted, and one without a name",
      [going],
      [one],
      { state: "nameless", ids: ["1"] },
    ],
  ])("%s", (_, items, nameless, expected) => {
    expect(judgeListed({ state: "found", items, nameless })).toEqual(expected);
  });
});

const gone = new ServiceError("404", { status: 404, ownWords: true });
const refuses = () => Promise.reject(gone);

describe("a deployment that is looked up", () => {
  interface Shown {
    readonly lookup?: Lookup<LiveDeployment>;
    readonly get?: LiveDeployment | null;
    readonly whole?: LiveDeployment | null;
    readonly listeners?: () => Promise<never[]>;
  }
  const listed = (...items: LiveDeployment[]) => ({ lookup: { state: "found", items } as const });

  /** Looks up by an id, or by the name. */
  async function findOver(
    id: string | null,
    { lookup, get = null, whole = null, listeners = refuses }: Shown,
  ) {
    const reads = {
      find: async () => lookup,
      get: async () => get,
      whole: async () => whole,
    } as unknown as Reads;
    const service = {
      probe: refuses,
      listListeners: listeners,
      listIntegrations: refuses,
    } as unknown as ControlPlane;
    return findLive(service, "agent", id, reads);
  }

  const live = item("d");
  test.each<[string, string | null, Shown, unknown]>([
    ["by an id that does not exist", "d", {}, { state: "id-not-found", id: "d" }],
    ["by its id", "d", { get: live }, found(live)],
    [
      "by its id, while it is being deleted",
      "d",
      { get: item("d", GOING) },
      { state: "deleting", id: "d", isGiven: true },
    ],
    ["by its name", null, { ...listed(live), whole: live }, found(live)],
    [
      "by its name, and is gone by then",
      null,
      listed(live),
      { state: "deleting", id: "d", isListed: true },
    ],
    [
      "by its name, and is deleted by then",
      null,
      { ...listed(live), whole: item("d", GOING) },
      { state: "deleting", id: "d" },
    ],
    [
      "by a name that two have",
      null,
      listed(live, item("e")),
      { state: "duplicates", ids: ["d", "e"] },
    ],
    [
      "if nothing answers",
      null,
      { lookup: { state: "absent-lookup", status: 404 } },
      { state: "lookup-unavailable", status: 404, served: false },
    ],
    [
      "if another route answers",
      null,
      { lookup: { state: "absent-lookup", status: 404 }, listeners: async () => [] },
      { state: "lookup-unavailable", status: 404, served: true },
    ],
    [
      "if lists are not served",
      null,
      { lookup: { state: "absent-lookup", status: 405 } },
      { state: "lookup-unavailable", status: 405, served: true },
    ],
  ])("%s", async (_, id, shown, expected) => {
    expect(await findOver(id, shown)).toEqual(expected);
  });
});

test("a service exists if one of its lists answers, or refuses with another status than 404", async () => {
  const forbids = () => Promise.reject(new ServiceError("403", { status: 403, ownWords: true }));
  const answers = async () => [];
  for (const [probe, listListeners, listIntegrations, expected] of [
    [refuses, refuses, refuses, false],
    [answers, refuses, refuses, true],
    [refuses, answers, refuses, true],
    [refuses, refuses, answers, true],
    [refuses, refuses, forbids, true],
  ]) {
    const service = { probe, listListeners, listIntegrations } as unknown as ControlPlane;
    expect(await servesAnything(service)).toBe(expected);
  }
});

describe("the revisions that explain what is live", () => {
  const naming = (latest: string | null, active: string | null) =>
    toDeployment({ id: "d", latest_revision_id: latest, active_revision_id: active });

  test.each([
    [null, "r1", "DEPLOYED", []],
    ["r1", "r1", "DEPLOYED", []],
    ["r2", "r1", "BUILDING", ["r2"]],
    ["r2", "r1", "DEPLOYED", ["r2", "r1"]],
    ["r2", null, "DEPLOYED", ["r2"]],
  ])(
    "are read with %s the latest and %s active, which is %s",
    async (latest, active, status, expected) => {
      const read: string[] = [];
      const service = {
        getRevision: async (_: string, id: string) => {
          read.push(id);
          return toRevision({ id, status });
        },
      } as unknown as ControlPlane;
      const live = await toLive(service, naming(latest, active));
      expect(read).toEqual(expected);
      expect([live.latest?.id, live.active?.id]).toEqual([expected[0], expected[1]]);
    },
  );
});

describe("a deployment whose revision is not named yet", () => {
  const named = (id: string | null) => toDeployment({ id: "d", latest_revision_id: id });

  async function nameAfter(ms: number, { deadlineMs = 600_000, takesMs = 0 } = {}) {
    const clock = createManualClock({ auto: true });
    const looks: number[] = [];
    const { context } = createBareRun({
      clock,
      service: {
        getDeployment: async () => {
          looks.push(clock.monotonic());
          if (takesMs > 0) await clock.sleep(takesMs);
          return named(clock.monotonic() < ms ? null : "r1");
        },
      },
    });
    const live = await awaitNamed(context, named(null), deadlineMs);
    return { id: live.latest_revision_id, looks };
  }

  test("is read each second, for 30 s or until the run's limit", async () => {
    expect(await nameAfter(3_000)).toEqual({ id: "r1", looks: [1_000, 2_000, 3_000] });
    const never = await nameAfter(Infinity);
    expect([never.id, Math.floor(never.looks.at(-1)! / 1_000)]).toEqual([null, 29]);
    expect((await nameAfter(29_900)).id).toBe("r1");
    expect((await nameAfter(30_001)).id).toBeNull();
    expect((await nameAfter(Infinity, { deadlineMs: 5_000 })).looks).toEqual([
      1_000, 2_000, 3_000, 4_000, 4_500, 4_750, 4_875, 4_937.5, 4_968.75, 4_984.375,
    ]);
  });

  test("is not read again once it is named", async () => {
    const { context, limits } = createBareRun({ service: {} });
    const live = named("r1");
    expect(await awaitNamed(context, live, 10_000)).toBe(live);
    expect(limits).toEqual([10_000]);
  });

  test("stays as last read if a read finds nothing or is cut off, and another failure is thrown", async () => {
    const known = named(null);
    const readOver = async (getDeployment: () => Promise<null>, deadlineMs: number) => {
      const { context, controlPlane } = createBareRun({ service: { getDeployment } });
      return readUntil(context, known, controlPlane, {
        isEnd: () => false,
        schedule: (pauses) => (pauses < 2 ? 1_000 : null),
        deadlineMs,
      });
    };
    expect(await readOver(async () => null, 60_000)).toBe(known);
    const fails = () => Promise.reject(new Error("503"));
    await expect(readOver(fails, 60_000)).rejects.toThrow("503");
    const clock = createManualClock({ auto: true });
    const getDeployment = async () => {
      await clock.sleep(10_000 - clock.monotonic());
      throw new Error("cut off");
    };
    const { context, controlPlane } = createBareRun({ clock, service: { getDeployment } });
    const until = { isEnd: () => false, schedule: () => 1_000, deadlineMs: 10_000 };
    expect(await readUntil(context, known, controlPlane, until)).toBe(known);
  });
});
