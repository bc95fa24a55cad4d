import { describe, expect, test } from "@jest/globals";
import {
  endOfWrite,
  lookAt,
  pauseWhileBusy,
  sendAndReconcile,
  stillBusy,
  taken,
} from "../../src/deploy/write.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import type { ServiceError, WriteResult } from "../../src/service/control-plane.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";

type Result = WriteResult<LiveDeployment>;
type Seen = Awaited<ReturnType<Parameters<typeof sendAndReconcile>[1]["look"]>>;

const live = toDeployment({ id: "d", name: "agent" });
const TAKEN: Result = { state: "taken", reply: live };
const LOST: Result = { state: "unknown", error: new Error("502") };
const refused = (status: number): Result => ({
  state: "refused",
  status,
  error: new Error(`refused ${status}`),
});
const NO: Seen = { state: "no" };
const YES: Seen = { state: "yes", live };
const lagging: Seen = { state: "unreadable", why: "the list lags", isLagging: true };

interface Sending {
  readonly clock?: ManualClock;
  /** What each try ends with, and each look shows; the last one for ever. */
  readonly results: readonly Result[];
  readonly looks?: readonly (Seen | Error)[];
  readonly creates?: true;
  readonly timeoutMs?: number;
  /** How long each look takes. */
  readonly takesMs?: readonly number[];
  /** The look, from 1, at which the run is cancelled. */
  readonly cancelAt?: number;
}

/** Sends a write to a service that shows this. */
async function send({
  clock = createManualClock({ auto: true }),
  results,
  looks = [NO],
  creates,
  timeoutMs = 600_000,
  takesMs = [],
  cancelAt,
}: Sending) {
  const { run, tracker, lines, limits, abort } = createBareRun({ clock, timeoutMs });
  const at: string[] = [];
  const count = (what: string) => at.filter((one) => one.startsWith(what)).length;
  const written = await sendAndReconcile(run, {
    what: "update of agent",
    send: async () => {
      at.push(`send ${clock.monotonic()}`);
      return results[Math.min(count("send"), results.length) - 1]!;
    },
    look: async () => {
      at.push(`look ${clock.monotonic()}`);
      await clock.sleep(takesMs[count("look") - 1] ?? 0);
      if (count("look") === cancelAt) abort.abort(new Error("SIGINT"));
      const seen = looks[Math.min(count("look"), looks.length) - 1]!;
      if (seen instanceof Error) throw seen;
      return seen;
    },
    howToFindOut: ["Look there"],
    ...(creates === undefined ? {} : { creates }),
  });
  const end = written.state === "ended" ? written.end : null;
  return { written, end, at, lines, limits, changed: tracker.changed, id: tracker.id };
}

const UNKNOWN = "update of agent: it is unknown whether the service took it";
const UNTAKEN = "a read showed that the service had not taken it";

describe("a write with a clear response", () => {
  test("that is accepted is recorded", async () => {
    const { written, at, changed, id } = await send({ results: [TAKEN] });
    expect([written, at, changed, id]).toEqual([
      { state: "taken", live, lost: false, wait: null, sent: null, unproved: null },
      ["send 0"],
      true,
      "d",
    ]);
  });

  test.each([400, 0, 422])("that is refused with %d has written nothing", async (status) => {
    const { end, at, changed } = await send({ results: [refused(status)] });
    expect([end?.reason, end?.message, at, changed]).toEqual([
      "refused",
      `refused ${status}`,
      ["send 0"],
      false,
    ]);
  });

  test.each([
    [undefined, "update"],
    [true, "name"],
  ] as const)(
    "that is refused with 409 is a conflict (a create: %s) over its %s",
    async (creates, over) => {
      const { written, changed } = await send({
        results: [refused(409)],
        ...(creates === undefined ? {} : { creates }),
      });
      expect([written, changed]).toEqual([
        { state: "conflict", over, error: new Error("refused 409") },
        false,
      ]);
      if (written.state !== "conflict") throw new Error("no conflict");
      expect(endOfWrite(written)).toMatchObject({ reason: "refused", message: "refused 409" });
    },
  );
});

describe("a write without a clear response", () => {
  const LOOKS = ["look 500", "look 2000", "look 6000"];
  const CREATE_LOOKS = [500, 2_000, 5_000, 10_000, 18_000, 30_000].map((ms) => `look ${ms}`);

  test.each([
    [undefined, LOOKS, 6_000],
    [true, CREATE_LOOKS, 30_000],
  ] as const)(
    "is looked for after each pause, then sent again (a create: %s)",
    async (creates, looks, againMs) => {
      const { written, at, lines } = await send({
        results: [LOST, TAKEN],
        ...(creates === undefined ? {} : { creates }),
      });
      expect(written).toMatchObject({ state: "taken", lost: true });
      expect(at).toEqual(["send 0", ...looks, `send ${againMs}`]);
      expect(lines).toEqual([
        "update of agent: no clear answer to try 1 of 5 (502): reading what is there",
      ]);
    },
  );

  test("counts as accepted if a look shows it", async () => {
    const { written, at, changed } = await send({ results: [LOST], looks: [NO, YES] });
    expect([written, changed]).toMatchObject([{ state: "taken", lost: true }, true]);
    expect(at).toEqual(["send 0", "look 500", "look 2000"]);
  });

  test("is sent at most five times", async () => {
    const { end, at, changed } = await send({ results: [LOST] });
    expect(at.filter((one) => one.startsWith("send"))).toHaveLength(5);
    expect([end?.reason, end?.message, changed]).toEqual([
      "refused",
      `update of agent: tried 5 times, and each time ${UNTAKEN}. Last answer: 502`,
      false,
    ]);
    expect((end!.error as ServiceError).untakenTries).toBe(5);
  });

  test.each([
    [[LOST, refused(0)], `tried once, and ${UNTAKEN}. Its answer: 502`, 1],
    [[LOST, LOST, refused(0)], `tried 2 times, and each time ${UNTAKEN}. Last answer: 502`, 2],
    [[LOST, refused(422)], "refused 422", null],
  ] as const)("is refused if its repeat is refused: %#", async (results, words, tries) => {
    const { end, changed } = await send({ results });
    expect([end?.reason, end?.message, changed]).toEqual([
      "refused",
      tries === null ? words : `update of agent: ${words}`,
      false,
    ]);
    const { untakenTries = null } = end!.error as ServiceError;
    expect(untakenTries).toBe(tries);
  });

  test("is looked for again after a conflict, and unknown if nothing shows it", async () => {
    const found = await send({ results: [LOST, refused(409)], looks: [NO, NO, NO, YES] });
    expect(found.written).toMatchObject({ state: "taken", lost: true });
    const { end, changed } = await send({ results: [LOST, refused(409)] });
    expect([end, changed]).toEqual([
      {
        outcome: "failed",
        reason: "unknown",
        message: `${UNKNOWN} (refused 409), and the service says that it exists, but does not show it`,
        next: ["Look there"],
      },
      true,
    ]);
  });

  test("conflicts over the name if somebody else has it", async () => {
    const { written } = await send({ results: [LOST], looks: [{ state: "other", id: "e" }] });
    expect(written).toEqual({
      state: "conflict",
      over: "name",
      error: new Error("update of agent: deployment e, which is somebody else's, has the name now"),
    });
  });

  test.each<[string, Seen | Error, number, string]>([
    ["fails", new Error("503"), 1, "503"],
    ["proves nothing", { state: "unreadable", why: "no list" }, 1, "no list"],
    ["lags", lagging, 3, "the list lags"],
  ])("is unknown if the look %s", async (_, shown, looks, why) => {
    const { end, at, changed } = await send({ results: [LOST], looks: [shown] });
    expect(at.filter((one) => one.startsWith("look"))).toHaveLength(looks);
    expect([end?.reason, end?.message, changed]).toEqual([
      "unknown",
      `${UNKNOWN} (502), and it cannot be read: ${why}`,
      true,
    ]);
  });

  test("is unknown if the time is up before the last look, unless that shows it", async () => {
    const late = { results: [LOST], timeoutMs: 5_000 };
    const { end } = await send(late);
    expect([end?.reason, end?.message]).toEqual([
      "unknown",
      `${UNKNOWN} (502), and the time limit passed before it could be determined`,
    ]);
    expect((await send({ ...late, looks: [NO, NO, YES] })).written.state).toBe("taken");
  });

  test.each([
    [1_999, "send 7999"],
    [2_000, undefined],
  ])(
    "is only sent again before the time is up, with a last look of %d ms",
    async (lastMs, again) => {
      const takesMs = [0, 0, lastMs];
      const { at } = await send({ results: [LOST, TAKEN], timeoutMs: 8_000, takesMs });
      expect([at.slice(0, 4), at[4]]).toEqual([
        ["send 0", "look 500", "look 2000", "look 6000"],
        again,
      ]);
    },
  );

  test("is unknown and cancelled if the run is cancelled before a look", async () => {
    const { end, lines } = await send({ results: [LOST], cancelAt: 1 });
    expect([end, lines.length]).toEqual([
      {
        outcome: "cancelled",
        reason: "signal",
        message: `${UNKNOWN} (502), and the run was cancelled before it could be read`,
        next: ["Look there"],
      },
      1,
    ]);
  });

  test.each([
    [600_000, 603_000],
    [8_000, 11_000],
    [4_000, 8_000],
  ])(
    "that begins at 5 s and has %d ms may take until %d, to keep time for looks",
    async (timeoutMs, limitMs) => {
      const clock = createManualClock({ auto: true });
      await clock.sleep(5_000);
      expect((await send({ clock, results: [TAKEN], timeoutMs })).limits).toEqual([limitMs]);
    },
  );
});

test.each([
  [live, true, YES],
  [live, false, NO],
  [null, true, { state: "unreadable", why: "deployment d is not found any more" }],
])(
  "a look at the deployment decides whether a write was accepted: %#",
  async (shown, isTaken, expected) => {
    const { controlPlane } = createBareRun({ service: { getDeployment: async () => shown } });
    expect(await lookAt(live, () => isTaken)(controlPlane)).toEqual(expected);
  },
);

test("a state read before any write has no lost response, and needs no check", () => {
  expect(taken(live)).toEqual({
    state: "taken",
    live,
    lost: false,
    wait: null,
    sent: null,
    unproved: null,
  });
});

test.each([
  [1, 0, 90_000, 500],
  [2, 0, 90_000, 1_000],
  [5, 0, 90_000, 8_000],
  [6, 0, 90_000, 10_000],
  [5, 60_000, 90_000, 8_000],
  [6, 59_999, 90_000, 10_000],
  [6, 60_000, 90_000, null],
  [7, 60_001, 90_000, null],
  [6, 19_000, 1_000, 10_000],
  [7, 19_500, 500, null],
  [1, 0, 999, 500],
  [2, 500, 499, null],
])(
  "after %d conflicts in %d ms, %d ms before the limit, the next try is in %s ms at most",
  (tries, forMs, leftMs, pauseMs) => {
    expect(pauseWhileBusy({ tries, forMs, leftMs })).toBe(pauseMs);
  },
);

test.each([
  [1, "1 try"],
  [6, "6 tries"],
])("an update that stays in conflict after %d reports %s", (tries, words) => {
  expect(stillBusy("agent", tries, new Error("409"))).toEqual({
    outcome: "failed",
    reason: "busy",
    message: `agent: another update is under way, and it did not end in ${words}: 409`,
    next: ["Run again once the other update has ended"],
  });
});
