import { describe, expect, test } from "@jest/globals";
import { createBudget } from "../../src/service/budget.ts";
import { createManualClock } from "../support/manual-clock.ts";

/** Most calls in any window of `intervalMs`. */
function busiest(times: readonly number[], intervalMs: number): number {
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= intervalMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

describe("the rate budget", () => {
  test.each([
    [1000, 10_000, 5000],
    [20, 1000, 1000],
    [1, 10_000, 20],
    [2, 1000, 50],
    [15, 10_000, 60],
  ])(
    "never exceeds %i calls per %i ms in any window, and nearly uses them",
    async (count, intervalMs, calls) => {
      const clock = createManualClock({ auto: true });
      const budget = createBudget({ clock, count, intervalMs });
      const times: number[] = [];
      await Promise.all(
        Array.from({ length: calls }, () =>
          budget.take().then(() => times.push(clock.monotonic())),
        ),
      );
      expect(busiest(times, intervalMs)).toBeLessThanOrEqual(count);
      expect(clock.monotonic()).toBeLessThanOrEqual(((calls * intervalMs) / count) * 1.25);
    },
  );
  test("allows bursts of at most a second's calls", async () => {
    const clock = createManualClock();
    const budget = createBudget({ clock });
    let through = 0;
    for (let n = 0; n < 1000; n++)
      void budget.take().then(() => {
        through += 1;
      });
    await clock.advance(0);
    expect(through).toBe(100);
    await clock.advance(1000);
    expect(through).toBeLessThanOrEqual(200);
  });
  test("serves callers in order", async () => {
    const clock = createManualClock({ auto: true });
    const budget = createBudget({ clock, count: 10, intervalMs: 1000 });
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => budget.take().then(() => order.push(n))),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
  test("makes everybody wait during a pause, allows no burst after it, and speeds up again slowly", async () => {
    const clock = createManualClock();
    const budget = createBudget({ clock, count: 100, intervalMs: 1000 });
    const times: number[] = [];
    budget.pause(5000);
    budget.pause(2000);
    for (let n = 0; n < 500; n++) void budget.take().then(() => times.push(clock.monotonic()));
    await clock.advance(4999);
    expect(times).toEqual([]);
    await clock.advance(2001);
    expect(times.length).toBeGreaterThan(50);
    expect(times.length).toBeLessThan(120);
    await clock.advance(10_000);
    expect(times.length).toBe(500);
  });
  test("keeps 50 callers from any 429 of a service with the same limit", async () => {
    const clock = createManualClock({ auto: true });
    const budget = createBudget({ clock, count: 20, intervalMs: 1000 });
    const served: number[] = [];
    let refused = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let n = 0; n < 40; n++) {
          await budget.take();
          const now = clock.monotonic();
          if (served.filter((at) => at > now - 1000).length >= 20) refused += 1;
          else served.push(now);
        }
      }),
    );
    expect([served.length, refused]).toEqual([2000, 0]);
  });
  test("slows down after a 429 that others with the same key caused", async () => {
    const clock = createManualClock({ auto: true });
    const budget = createBudget({ clock, count: 100, intervalMs: 1000 });
    let refused = 0;
    let served = 0;
    // The service leaves this run 30 of the 100 calls a second.
    const window: number[] = [];
    await Promise.all(
      Array.from({ length: 1000 }, async () => {
        for (;;) {
          await budget.take();
          const now = clock.monotonic();
          while (window.length > 0 && window[0]! <= now - 1000) window.shift();
          if (window.length < 30) {
            window.push(now);
            served += 1;
            return;
          }
          refused += 1;
          budget.pause(1000);
        }
      }),
    );
    expect(served).toBe(1000);
    expect(refused).toBeLessThan(60);
  });
  test("drops a caller that gives up, or whose deadline passes, from the queue", async () => {
    const clock = createManualClock();
    const budget = createBudget({ clock, count: 10, intervalMs: 10_000 });
    await budget.take();
    const stop = new AbortController();
    const ends: string[] = [];
    budget.take({ signal: stop.signal }).catch((reason: unknown) => {
      ends.push(String(reason));
    });
    void budget.take({ deadlineMs: 500 }).then((turn) => {
      ends.push(`late ${turn} at ${clock.monotonic()}`);
    });
    void budget.take().then((turn) => {
      ends.push(`turn ${turn}`);
    });
    stop.abort("gone");
    await clock.advance(600);
    expect(ends).toEqual(["gone", "late false at 500"]);
    await clock.advance(1000);
    expect(ends).toEqual(["gone", "late false at 500", "turn true"]);
    expect(clock.sleepers()).toBe(0);
    expect(await budget.take({ deadlineMs: clock.monotonic() })).toBe(false);
    await expect(budget.take({ signal: stop.signal })).rejects.toBe("gone");
  });
  test("leaves no timer after the last waiting caller was aborted", async () => {
    const clock = createManualClock();
    const budget = createBudget({ clock });
    budget.pause(60_000);
    const stop = new AbortController();
    const waiting = budget.take({ signal: stop.signal });
    await clock.advance(0);
    expect(clock.sleepers()).toBe(1);
    stop.abort("gone");
    await expect(waiting).rejects.toBe("gone");
    await clock.advance(0);
    expect(clock.sleepers()).toBe(0);
  });
});
