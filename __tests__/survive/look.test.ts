import { describe, expect, test } from "@jest/globals";
import {
  adaptiveDelayMs,
  beforeLimitMs,
  isOver,
  lookUntil,
  pausesOf,
} from "../../src/deploy/look.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

interface Looked {
  readonly clock?: ManualClock;
  readonly known?: number;
  readonly pausesMs?: readonly number[];
  readonly deadlineMs?: number | (() => number);
  /** The look, from 1, that shows the end. */
  readonly endAt?: number;
  /** How long each look takes. */
  readonly takesMs?: number;
  readonly signal?: AbortSignal;
}

/** Looks until an end: when each look began, and until when it may read. */
async function looksOf({
  clock = createManualClock({ auto: true }),
  known,
  pausesMs = [500, 1_500, 4_000],
  deadlineMs = 60_000,
  endAt = Infinity,
  takesMs = 0,
  signal = new AbortController().signal,
}: Looked) {
  const looks: number[][] = [];
  const { seen, isLate } = await lookUntil<number>(
    { clock, signal },
    {
      ...(known === undefined ? {} : { known }),
      look: async (_, untilMs) => {
        looks.push([clock.monotonic(), untilMs]);
        if (takesMs > 0) await clock.sleep(takesMs);
        return looks.length;
      },
      isEnd: (count) => count >= endAt,
      schedule: pausesOf(pausesMs),
      deadlineMs,
    },
  );
  return { looks, seen, isLate };
}

describe("repeated looks", () => {
  test("begin at once unless a value is known, and follow each pause in order", async () => {
    expect(await looksOf({})).toEqual({
      looks: [0, 500, 2_000, 6_000].map((atMs) => [atMs, 60_000]),
      seen: 4,
      isLate: false,
    });
    const { looks } = await looksOf({ known: 0 });
    expect(looks.map(([atMs]) => atMs)).toEqual([500, 2_000, 6_000]);
  });

  test("end with what is seen, even if that is known before", async () => {
    expect(await looksOf({ endAt: 2 })).toMatchObject({ seen: 2, isLate: false });
    expect(await looksOf({ known: 1, endAt: 1 })).toEqual({ looks: [], seen: 1, isLate: false });
  });

  test("are late if a pause is shortened to end in time", async () => {
    const fits = await looksOf({ deadlineMs: 8_000 });
    expect([fits.looks.length, fits.isLate]).toEqual([4, false]);
    const cut = await looksOf({ deadlineMs: 7_999 });
    expect([cut.looks.at(-1), cut.isLate]).toEqual([[5_999, 7_999], true]);
  });

  test("end 25 ms before the limit", async () => {
    const pausesMs = Array.from({ length: 20 }, () => 500);
    const { looks, isLate } = await looksOf({ pausesMs, deadlineMs: 800 });
    expect(looks.map(([atMs]) => atMs)).toEqual([0, 400, 600, 700, 750, 775]);
    expect(isLate).toBe(true);
  });

  test("follow a moving limit", async () => {
    let limitMs = 400;
    const moving = () => {
      limitMs += 400;
      return limitMs;
    };
    const { looks } = await looksOf({ pausesMs: [100], deadlineMs: moving });
    expect(looks).toEqual([
      [0, 800],
      [100, 1_600],
    ]);
  });

  test("happen at once after an empty pause", async () => {
    const clock = createManualClock({ auto: true });
    const { looks } = await looksOf({ clock, pausesMs: [0, 0] });
    expect([looks.length, clock.slept]).toEqual([3, []]);
  });

  test.each([
    [1_999, 61_500],
    [2_000, 63_500],
  ])("of a machine that woke up %d ms late may read until %d", async (lateMs, untilMs) => {
    const manual = createManualClock({ auto: true });
    const sleep: ManualClock["sleep"] = (ms, signal) => manual.sleep(ms + lateMs, signal);
    const { looks } = await looksOf({
      clock: { ...manual, sleep },
      pausesMs: [59_500],
      deadlineMs: 61_500,
    });
    expect(looks[1]).toEqual([59_500 + lateMs, untilMs]);
  });

  test("end with the run's signal", async () => {
    const signal = AbortSignal.abort(new Error("SIGINT"));
    await expect(looksOf({ signal })).rejects.toThrow("SIGINT");
    expect(await looksOf({ signal, endAt: 1 })).toMatchObject({ seen: 1 });
  });
});

test.each([
  [1_000, 60_000, 1_000],
  [10_000, 12_000, 10_000],
  [10_000, 11_999, 9_999],
  [10_000, 4_000, 2_000],
  [10_000, 3_000, 1_500],
  [10_000, 5_000, 3_000],
])("a pause of %d ms with %d ms left is %d ms", (wanted, left, expected) => {
  expect(beforeLimitMs(wanted, left)).toBe(expected);
});

test("there is no look in the last 25 ms", () => {
  expect([isOver(26), isOver(25), isOver(0), isOver(-1)]).toEqual([false, true, true, true]);
});

test.each([
  ["QUEUED", 0, 999, 1_000],
  ["DEPLOYING", 0, 999, 1_000],
  ["QUEUED", 0, 1_000, 5_500],
  [null, 0, 22_000, 5_500],
  ["BUILDING", 0, 24_000, 6_000],
  ["BUILDING", 0, 63_996, 15_999],
  ["BUILDING", 0, 64_004, 16_000],
  ["SOMETHING_NEW", 0, 100_000, 16_000],
  ["AWAITING_DEPLOY", 0, 100_000, 6_000],
  ["DEPLOYING", 5_999, 100_000, 6_000],
  ["DEPLOYING", 6_000, 100_000, 2_600],
  ["DEPLOYED", 6_000, 100_000, 2_600],
  ["BUILD_FAILED", 6_000, 100_000, 16_000],
])(
  "in %s for %d ms, %d ms after the start, the next look is in %d ms",
  (status, inMs, afterMs, delayMs) => {
    expect(adaptiveDelayMs(status, inMs, afterMs)).toBe(delayMs);
  },
);
