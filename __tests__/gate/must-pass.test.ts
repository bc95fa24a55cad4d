import { describe, expect, test } from "@jest/globals";
import type { GateRow, GateTable } from "../../src/gate/row.ts";
import { mustPassKey } from "../../src/gate/must-pass.ts";
import { gatesOf, judge, rowOf, tableOf } from "./tables.ts";

const TIER = "run_metadata.tier";
const GATES = `gates: ok >= 0.5\nmust_pass: { ${TIER}: top }`;

/** What the group of rows says, and how it ended. */
function saidOf(gates: string, head: GateTable, base: GateTable | null = null) {
  const { gates: all } = judge(gates, head, base);
  const { reason, verdict, n, head: share } = all.find(({ metric }) => metric === "must_pass")!;
  return { reason, verdict, n, share };
}

/** One row an example, called by its letter; an upper-case letter fails, `x` and what follows crashed. */
const top = (letters: string, more: Partial<Omit<GateRow, "example">> = {}): GateTable =>
  tableOf(
    [...letters].map((letter) =>
      rowOf(letter, {
        scores: letter >= "x" ? {} : { ok: Number(letter >= "a") },
        error: letter >= "x",
        tags: { [TIER]: "top" },
        preview: { input: `case ${letter}`, expected: "", output: "" },
        ...more,
      }),
    ),
  );

describe("rows that must pass", () => {
  const WHERE = `with ${TIER}: top`;

  test.each([
    ["a", "pass", 1, `the one example ${WHERE} meets ok >= 0.5.`],
    ["ab", "pass", 1, `every one of the 2 examples ${WHERE} meets ok >= 0.5.`],
    ["A", "fail", 0, `1 of 1 example ${WHERE} does not meet ok >= 0.5. Fix case A (0 of 1 run).`],
    [
      "Abcd",
      "fail",
      0.75,
      `1 of 4 examples ${WHERE} does not meet ok >= 0.5. Fix case A (0 of 1 run).`,
    ],
    [
      "ABcd",
      "fail",
      0.5,
      `2 of 4 examples ${WHERE} do not meet ok >= 0.5. Fix case A (0 of 1 run); case B (0 of 1 run).`,
    ],
    [
      "ABCd",
      "fail",
      0.25,
      `3 of 4 examples ${WHERE} do not meet ok >= 0.5. Fix case A (0 of 1 run); case B (0 of 1 run); and 1 more.`,
    ],
    [
      "ABCDE",
      "fail",
      0,
      `5 of 5 examples ${WHERE} do not meet ok >= 0.5. Fix case A (0 of 1 run); case B (0 of 1 run); and 3 more.`,
    ],
    [
      "ax",
      "fail",
      0.5,
      `1 of 2 examples ${WHERE} does not meet ok >= 0.5; 1 row errored. Fix case x (0 of 1 run).`,
    ],
    [
      "axy",
      "fail",
      0.333333333333,
      `2 of 3 examples ${WHERE} do not meet ok >= 0.5; 2 rows errored. Fix case x (0 of 1 run); case y (0 of 1 run).`,
    ],
  ])("are judged: %s", (letters, verdict, share, reason) => {
    expect(saidOf(GATES, top(letters))).toEqual({ reason, verdict, n: letters.length, share });
  });

  test("fail if they were not run", () => {
    expect(saidOf(GATES, top("ab", { tags: { [TIER]: "low" } }))).toEqual({
      reason: `no row has ${TIER}: top: the rows that must pass were not run. Check the spelling or the results.`,
      verdict: "fail",
      n: 0,
      share: null,
    });
  });

  test.each([
    ["a", "a", "pass", `the one example ${WHERE} meets ok >= 0.5.`],
    [
      "a",
      "ab",
      "fail",
      `1 example of the baseline was not run ${WHERE}. Run case b with it, or accept a new baseline.`,
    ],
    [
      "a",
      "abcd",
      "fail",
      `3 examples of the baseline were not run ${WHERE}. ` +
        "Run case b; case c; and 1 more with it, or accept a new baseline.",
    ],
    [
      "aB",
      "aBcd",
      "fail",
      `1 of 2 examples ${WHERE} does not meet ok >= 0.5; 2 gone. Fix case B (0 of 1 run).`,
    ],
    [
      "aB",
      "aBc",
      "fail",
      `1 of 2 examples ${WHERE} does not meet ok >= 0.5; 1 gone. Fix case B (0 of 1 run).`,
    ],
  ])("are compared with the baseline: %s after %s", (now, before, verdict, reason) => {
    expect(saidOf(GATES, top(now), top(before))).toMatchObject({ verdict, reason });
  });

  test("are stored by the fields that select them, in their order", () => {
    const [item] = gatesOf(
      `gates: ok >= 0.5\nmust_pass: { ${TIER}: top, inputs.q: [x, y] }`,
    ).must_pass;
    expect(mustPassKey(item!)).toBe(`[["inputs.q",["x","y"]],["${TIER}",["top"]]]`);
  });

  test("are reported as a count without a limit", () => {
    expect(judge(GATES, top("a")).gates.at(-1)).toMatchObject({
      metric: "must_pass",
      direction: "higher",
      limit: null,
      method: "count",
    });
  });

  test("that are gone are named by their id if no run has their text", () => {
    const base = top("ab", { preview: { input: " ", expected: "", output: "" } });
    expect(saidOf(GATES, top("a"), base).reason).toContain("Run b with it");
  });
});

describe("rows that must pass, with repeats", () => {
  /** Runs of one example: `1` and `0` are its score, `x` is a crash that lost its fields. */
  const runs = (marks: string): GateTable =>
    tableOf(
      [...marks].map((mark) =>
        rowOf("a", {
          scores: mark === "x" ? {} : { ok: Number(mark) },
          error: mark === "x",
          tags: mark === "x" ? {} : { [TIER]: "top" },
          preview: { input: "case a", expected: "", output: "" },
        }),
      ),
    );
  const atLeast = (many: number) =>
    `gates: ok >= 0.5\nmust_pass: { ${TIER}: top, at_least: ${many} }`;

  test.each<[string, string, string]>([
    [GATES, "111", "pass"],
    [GATES, "110", "fail"],
    [GATES, "11x", "fail"],
    [atLeast(2), "111", "pass"],
    [atLeast(2), "110", "pass"],
    [atLeast(2), "100", "fail"],
    [atLeast(2), "11x", "pass"],
    [atLeast(1), "1xx", "pass"],
    [atLeast(3), "111", "pass"],
    [atLeast(3), "110", "fail"],
  ])("are judged by %j: %s is a %s", (gates, marks, verdict) => {
    expect(saidOf(gates, runs(marks)).verdict).toBe(verdict);
  });

  test("are reported with how many passed, and how many must", () => {
    expect(saidOf(atLeast(2), runs("100")).reason).toContain(
      "does not meet ok >= 0.5 in at least 2 repeats. Fix case a (1 of 3 runs).",
    );
    expect(saidOf(atLeast(1), runs("000")).reason).toContain("in at least 1 repeat. Fix");
    expect(saidOf(GATES, runs("1x")).reason).toContain(
      "; 1 row errored. Fix case a (1 of 2 runs).",
    );
  });
});

describe("a row is marked", () => {
  const marked = (value: string) =>
    saidOf(`gates: ok >= 0.5\nmust_pass: ${TIER}`, top("a", { tags: { [TIER]: value } }));

  test.each([
    ["yes", 1],
    ["1", 1],
    ["", 0],
    ["0", 0],
    ["false", 0],
    ["False", 0],
  ])("by the value %j: %i", (value, n) => {
    expect(marked(value).n).toBe(n);
  });

  test("by the field's name, by one of several values, or by all of several fields", () => {
    expect(marked("yes").reason).toBe(`the one example with ${TIER} meets ok >= 0.5.`);
    const several = `gates: ok >= 0.5\nmust_pass: { ${TIER}: [top, high] }`;
    expect(saidOf(several, top("a")).reason).toContain(`with ${TIER}: [top, high] meets`);
    const both = `gates: ok >= 0.5\nmust_pass: { ${TIER}: top, inputs.q: x }`;
    expect(saidOf(both, top("a")).n).toBe(0);
    expect(saidOf(both, top("a", { tags: { [TIER]: "top", "inputs.q": "x" } }))).toMatchObject({
      n: 1,
      reason: expect.stringContaining(`with ${TIER}: top, inputs.q: x meets`),
    });
  });
});

describe("a row meets", () => {
  const requires = (rules: string) => `must_pass: { ${TIER}: top, require: [${rules}] }`;

  test("every rule by its score and its time, unless it lacks one or crashed", () => {
    const timed = { latency: 2 };
    const verdict = (rules: string, table: GateTable) => saidOf(requires(rules), table).verdict;
    expect(saidOf(requires("ok >= 1, latency <= 2s"), top("a", timed))).toMatchObject({
      verdict: "pass",
      reason: `the one example with ${TIER}: top meets ok >= 1 and latency <= 2s.`,
    });
    expect(verdict("ok >= 1, latency <= 1.9s", top("a", timed))).toBe("fail");
    expect(verdict("ok > 1, latency <= 2s", top("a", timed))).toBe("fail");
    expect(verdict("latency <= 2s", top("a"))).toBe("fail");
    expect(verdict("latency <= 2s", top("x", timed))).toBe("fail");
    expect(verdict("ok >= 1", top("a", { error: true }))).toBe("pass");
  });
});
