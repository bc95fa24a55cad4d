import { describe, expect, test } from "@jest/globals";
import { createLogStream, newLines } from "../../src/deploy/log-stream.ts";
import type { ControlPlane } from "../../src/service/control-plane.ts";
import { toRevision } from "../../src/service/replies.ts";

test.each([
  [[], [], []],
  [[], ["a"], ["a"]],
  [["a"], ["a"], []],
  [["a"], ["a", "b"], ["b"]],
  [["a", "b"], ["b", "c"], ["c"]],
  [["a", "b", "c"], ["c"], []],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [["a", "a"], ["a", "a", "a"], ["a"]],
  [
    ["a", "b"],
    ["a", "c"],
    ["a", "c"],
  ],
  [["a"], [], []],
])("after %j a window of %j has the new lines %j", (shown, now, expected) => {
  expect(newLines(shown, now)).toEqual(expected);
});

describe("the log of a followed revision", () => {
  /** A service whose log is as given at each read; null: there is none. */
  function follow(logs: readonly (readonly string[] | null)[]) {
    const asked: unknown[] = [];
    const shown: unknown[] = [];
    const service = {
      logTail: async (...about: unknown[]) => {
        const lines = logs[asked.length] ?? null;
        asked.push(about);
        return lines === null ? null : { lines, isTail: false, newestMs: null };
      },
    } as unknown as ControlPlane;
    const stream = createLogStream(
      "d",
      () => service,
      (phase, lines) => shown.push([phase, ...lines]),
    );
    const look = async (status: string) => {
      stream.follow(toRevision({ id: "r1", status }), "hosted");
      await stream.settled();
    };
    return { asked, shown, stream, look };
  }

  test("is read in windows of 500 lines, and each line is shown once", async () => {
    const { asked, shown, look } = follow([["a"], ["a"], ["a", "b"]]);
    for (const _ of [1, 2, 3]) await look("BUILDING");
    expect(shown).toEqual([
      ["build", "a"],
      ["build", "b"],
    ]);
    expect(asked[0]).toEqual(["d", "r1", "build", 500, "hosted"]);
  });

  test("is not read while there is none", async () => {
    const { asked, look } = follow([]);
    await look("QUEUED");
    await look("UNKNOWN");
    expect(asked).toEqual([]);
  });

  test("includes the last lines of the build at the start of the deploy", async () => {
    const { shown, look } = follow([["a"], ["a", "b"], ["c"], ["c", "d"]]);
    await look("BUILDING");
    await look("DEPLOYING");
    await look("DEPLOYED");
    expect(shown).toEqual([
      ["build", "a"],
      ["build", "b"],
      ["deploy", "c"],
      ["deploy", "d"],
    ]);
  });

  test("is not requested again after three reads in a row without a log", async () => {
    const none = follow([null, null, null]);
    for (const _ of [1, 2, 3, 4]) await none.look("BUILDING");
    expect(none.asked).toHaveLength(3);
    const late = follow([null, null, ["a"], null, null, null]);
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await late.look("BUILDING");
    expect([late.asked.length, late.shown]).toEqual([6, [["build", "a"]]]);
  });

  test("is read once at a time, and only the newest request waits", async () => {
    const { asked, stream } = follow([["a"], ["b"]]);
    for (const id of ["r1", "r2", "r3"])
      stream.follow(toRevision({ id, status: "BUILDING" }), undefined);
    await stream.settled();
    expect(asked).toEqual([
      ["d", "r1", "build", 500, undefined],
      ["d", "r3", "build", 500, undefined],
    ]);
    await stream.settled();
  });
});
