import { expect, test } from "@jest/globals";
import { createLiveLines } from "../../src/ci/live-lines.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

/** What a terminal shows after `bytes`: the few control sequences that the live lines use. */
function screen(bytes: string): string[] {
  const rows = [""];
  let row = 0;
  for (const [piece] of bytes.matchAll(/\r|\n|\u001b\[\d*[AJ]|[^\r\n\u001b]+/g)) {
    const up = /^\u001b\[(\d+)A$/.exec(piece);
    if (piece === "\n") {
      row += 1;
      rows[row] ??= "";
    } else if (up !== null) row -= Number(up[1]);
    else if (piece === "\u001b[J") rows.splice(row, Infinity, "");
    else if (piece !== "\r") rows[row] = rows[row]! + piece;
  }
  return rows;
}

function open(columns = 60): {
  readonly lines: ReturnType<typeof createLiveLines>;
  readonly clock: ManualClock;
  readonly shown: () => string[];
} {
  let bytes = "";
  const clock = createManualClock();
  const write = (text: string): void => {
    bytes += text;
  };
  const lines = createLiveLines({ write, clock, columns: () => columns });
  return { lines, clock, shown: () => screen(bytes) };
}

test("each deployment has one line, whose clock runs between updates", async () => {
  const { lines, clock, shown } = open();
  lines.set("a", "QUEUED");
  lines.set("b", "BUILDING");
  expect(shown()).toEqual(["⠋ a  in the queue 0 s", "⠋ b  building 0 s"]);
  for (let second = 0; second < 3; second += 1) await clock.advance(1_000);
  expect(shown()).toEqual(["⠸ a  in the queue 3 s", "⠸ b  building 3 s"]);
  lines.set("a", "BUILDING");
  await clock.advance(1_000);
  expect(shown()).toEqual(["⠼ a  building 1 s (4 s in all)", "⠼ b  building 4 s"]);
});

test("printed text stays above the live lines, which are removed when they end", async () => {
  const { lines, clock, shown } = open();
  lines.print("before");
  lines.set("a", "BUILDING");
  lines.print("a | step 1");
  expect(shown()).toEqual(["before", "a | step 1", "⠋ a  building 0 s"]);
  lines.set("a", null);
  lines.print("after");
  expect(shown()).toEqual(["before", "a | step 1", "after", ""]);
  expect(clock.sleepers()).toBe(0);
});

test("a line never wraps, and a hundred deployments take eleven lines", () => {
  const { lines, shown } = open(30);
  for (let at = 0; at < 100; at += 1) lines.set(`deployment-with-a-long-name-${at}`, "BUILDING");
  expect(shown()).toHaveLength(11);
  for (const line of shown()) expect([...line].length).toBeLessThan(30);
  expect(shown().at(-1)).toBe("  and 90 more");
});

test("closing removes all lines and timers", () => {
  const { lines, clock, shown } = open();
  lines.set("a", "BUILDING");
  lines.close();
  expect(shown()).toEqual([""]);
  expect(clock.sleepers()).toBe(0);
});
