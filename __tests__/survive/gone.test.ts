import { expect, test } from "@jest/globals";
import { awaitGone } from "../../src/deploy/gone.ts";
import { failed } from "../../src/deploy/tracker.ts";
import type { LiveDeployment } from "../../src/model/live.ts";
import { toDeployment } from "../../src/service/replies.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBareRun } from "./bare-run.ts";

const live = toDeployment({ id: "d", name: "agent", status: "AWAITING_DELETE" });

interface Going {
  /** What a read shows at a time; null: 404. */
  readonly shownAt: (ms: number) => LiveDeployment | null | Error;
  readonly timeoutMs?: number;
  readonly startMs?: number;
  readonly takesMs?: number;
  readonly judge?: Parameters<typeof awaitGone>[2];
}

/** Waits until a deployment is gone: the end, the times of its looks and what it logs. */
async function awaitOver({ shownAt, timeoutMs = 600_000, startMs = 0, takesMs = 0, judge }: Going) {
  const clock = createManualClock({ auto: true });
  if (startMs > 0) await clock.sleep(startMs);
  const since = () => clock.monotonic() - startMs;
  const looks: number[] = [];
  const { run, lines } = createBareRun({
    clock,
    timeoutMs,
    service: {
      getDeployment: async () => {
        looks.push(since());
        if (takesMs > 0) await clock.sleep(takesMs);
        const shown = shownAt(since());
        if (shown instanceof Error) throw shown;
        return shown;
      },
    },
  });
  const end = await awaitGone(run, "d", judge);
  return { end, looks, lines };
}

// Every 250 ms at first, every 10 s in the end.
test("a deployment that is being deleted is read after each tenth of the time waited", async () => {
  const { end, looks } = await awaitOver({
    shownAt: (ms) => (ms < 150_000 ? live : null),
    startMs: 7_000,
  });
  expect([end, looks.slice(0, 3)]).toEqual([null, [0, 250, 500]]);
  expect(looks.filter((ms) => ms > 2_000 && ms < 4_000)).toEqual([
    2_250, 2_500, 2_750, 3_025, 3_327.5, 3_660.25,
  ]);
  const [last, before] = [looks.at(-1)!, looks.at(-2)!];
  expect(last - before).toBe(10_000);
});

test("a deployment that remains times out", async () => {
  const { end, looks } = await awaitOver({ shownAt: () => live, timeoutMs: 60_000 });
  expect(end).toMatchObject({
    outcome: "timed-out",
    message: "deployment d is still being deleted after 1 m",
  });
  expect(looks.slice(-3)).toEqual([59_937.5, 59_968.75, 59_984.375]);
});

test("a deployment that cannot be read is read again, and the log says why", async () => {
  const down = new Error("503");
  const looked: (Error | LiveDeployment)[] = [down, live];
  const { end, lines } = await awaitOver({ shownAt: () => looked.shift() ?? null });
  expect([end, lines]).toEqual([null, ["deployment d cannot be read: still waiting (503)"]]);
  for (const [takesMs, logged] of [
    [4_999, 1],
    [5_000, 0],
  ] as const) {
    const cut = await awaitOver({ shownAt: () => down, timeoutMs: 5_000, takesMs });
    expect([cut.end?.outcome, cut.lines.length]).toEqual(["timed-out", logged]);
  }
});

test("a deployment that remains after all ends the wait as its caller decides", async () => {
  const stays = failed("no-delete", "it is there");
  const { end, looks } = await awaitOver({
    shownAt: () => live,
    judge: ({ status }) => (status === "AWAITING_DELETE" ? stays : null),
  });
  expect([end, looks]).toEqual([stays, [0]]);
});
