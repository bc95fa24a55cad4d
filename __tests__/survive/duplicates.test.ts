import { describe, expect, test } from "@jest/globals";
import { awaitUniqueness, checkUniqueness } from "../../src/deploy/duplicates.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import type { Lookup } from "../../src/service/control-plane.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";

type Shown = Lookup<LiveDeployment> | Error;

const item = (id: string) => toDeployment({ id, name: "agent" });
const lists = (...ids: readonly string[]): Shown => ({ state: "found", items: ids.map(item) });
const nameless = (...ids: readonly string[]): Shown => ({
  state: "found",
  items: [],
  nameless: ids.map(item),
});
const NO_LIST: Shown = { state: "absent-lookup", status: 404 };

interface Proof {
  readonly lost?: boolean;
  readonly createdAt?: number;
  /** The limit of the run, and of the wait before. */
  readonly timeoutMs?: number;
  readonly untilMs?: number;
  /** How long a read takes, which the limit cuts short. */
  readonly takesMs?: number;
}

/** Proves that the deployment `own` is the only one, over a list that shows these from a time on. */
async function proveOver(
  script: readonly (readonly [fromMs: number, shown: Shown])[],
  proof: Proof = {},
) {
  const { lost = false, createdAt = 0, takesMs = 0, untilMs } = proof;
  const clock = createManualClock({ auto: true });
  const bare = createBareRun({
    clock,
    timeoutMs: proof.timeoutMs ?? 600_000,
    ...(untilMs === undefined ? {} : { tracker: { untilMs } }),
    find: async () => {
      const limitMs = bare.limits.at(-1)!;
      const shown = script.findLast(([fromMs]) => fromMs <= clock.monotonic())![1];
      await clock.sleep(Math.min(takesMs, limitMs - clock.monotonic()));
      if (clock.monotonic() >= limitMs) throw new Error("cut short");
      if (shown instanceof Error) throw shown;
      return shown;
    },
  });
  const check = { id: "own", createdAt, lost };
  const end = await awaitUniqueness(bare.run, check);
  return { end, warnings: bare.tracker.warnings, tookMs: clock.monotonic(), limits: bare.limits };
}

const UNREAD =
  "whether somebody else created a deployment named agent at the same moment could not be read: ";
const SOMEBODY = "Somebody else created one at the same moment";
const LOST = "Another one is of a create of this run that got no answer, or somebody else's";

describe("a created deployment", () => {
  test("needs no check if no check is requested", async () => {
    expect(await awaitUniqueness(createBareRun().run, null)).toBeNull();
  });

  test.each<[string, Shown, number]>([
    ["once the list shows it", lists("own"), 3_000],
    ["once the list shows it among those without a name", nameless("own", "x"), 3_000],
    ["if the service has no list", NO_LIST, 3_000],
  ])("is unique %s", async (_, shown, atMs) => {
    const { end, warnings, tookMs } = await proveOver([
      [0, lists()],
      [atMs, shown],
    ]);
    expect([end, warnings, tookMs]).toEqual([null, [], atMs]);
    expect((await proveOver([[0, shown]])).tookMs).toBe(0);
  });

  test.each([
    [false, SOMEBODY],
    [true, LOST],
  ])(
    "is blocked with both ids if another has its name (a response was lost: %s)",
    async (lost, whose) => {
      const { end, tookMs } = await proveOver(
        [
          [0, lists()],
          [4_000, lists("other")],
        ],
        { lost },
      );
      expect([end, tookMs]).toEqual([
        {
          outcome: "blocked",
          reason: "duplicates",
          message: `two deployments are named agent: own, other; one of them is this run's (own answered it). ${whose}`,
          next: [
            "Delete one of them, then run again; give the other's id with deploy.id or deployment-id",
          ],
        },
        4_000,
      ]);
    },
  );

  test.each<[string, Shown, string]>([
    ["shows it too late", lists(), "the list does not show this one yet"],
    ["shows others without a name", nameless("x"), "the list does not show this one yet"],
    ["cannot be read", new Error("503"), "503"],
  ])("causes a warning after 30 s if the list %s", async (_, shown, why) => {
    const { end, warnings, limits } = await proveOver([[0, shown]]);
    expect([end, warnings]).toEqual([null, [UNREAD + why]]);
    expect(new Set(limits)).toEqual(new Set([30_000]));
  });

  test("is searched for within the rest of the wait, or of the run", async () => {
    for (const [proof, limitMs] of [
      [{ untilMs: 5_000 }, 5_000],
      [{ untilMs: 50_000 }, 30_000],
      [{ timeoutMs: 7_000 }, 7_000],
      [{ untilMs: 5_000, timeoutMs: 1_000 }, 5_000],
    ] as const)
      expect((await proveOver([[0, lists()]], proof)).limits.at(-1)).toBe(limitMs);
  });

  test("causes a warning about what the last complete look showed, or its failure", async () => {
    const script = [
      [0, new Error("503")],
      [2_000, lists()],
    ] as const;
    const read = await proveOver(script, { takesMs: 900 });
    expect(read.warnings).toEqual([`${UNREAD}the list does not show this one yet`]);
    const slow = await proveOver([[0, lists()]], { takesMs: 40_000 });
    expect(slow.warnings).toEqual([`${UNREAD}cut short`]);
  });
});

describe("a deployment that was created after a lost response", () => {
  test.each([0, 3_000])("is unique 10 s after its own response, at %d ms", async (createdAt) => {
    const { end, tookMs } = await proveOver([[0, lists("own")]], { lost: true, createdAt });
    expect([end, tookMs]).toEqual([null, createdAt + 10_000]);
  });

  test.each<[string, Shown, string]>([
    ["shows it", lists("own"), "the time limit passed before it could be determined"],
    ["does not show it", lists(), "the list does not show this one yet"],
    ["cannot be read", new Error("503"), "503"],
  ])(
    "fails as possibly not unique if the time limit passes and the list %s",
    async (_, shown, why) => {
      const { end, warnings } = await proveOver([[0, shown]], { lost: true, timeoutMs: 5_000 });
      expect([end, warnings]).toEqual([
        {
          outcome: "failed",
          reason: "unknown",
          message:
            "deployment own was created, but an earlier create of agent got no answer, " +
            `and it is unknown whether the service took that one too: ${why}`,
          next: [
            "Look for a second deployment named agent in the service's own page: " +
              "delete the one that is not own, if there is one, then run again",
          ],
        },
        [],
      ]);
    },
  );
});

describe("the first look after a create", () => {
  test.each<[string, Shown, boolean, unknown]>([
    ["shows it", lists("own"), false, "unique"],
    ["shows it, but an answer was lost", lists("own"), true, null],
    ["does not show it", lists(), false, null],
    ["cannot be read", new Error("503"), false, null],
    ["does not exist", NO_LIST, false, "unique"],
    ["shows two", lists("own", "other"), false, "duplicates"],
    ["shows another one", lists("other"), true, "duplicates"],
  ])("decides by a list that %s (lost: %s)", async (_, shown, lost, expected) => {
    const { run } = createBareRun({
      find: async () => {
        if (shown instanceof Error) throw shown;
        return shown;
      },
    });
    const end = await checkUniqueness(run, { id: "own", createdAt: 0, lost });
    expect(end !== null && typeof end === "object" ? end.reason : end).toBe(expected);
  });
});
