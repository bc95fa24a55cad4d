import { describe, expect, test } from "@jest/globals";
import { type Baseline, findGroup, listGone } from "../../src/gate/baseline.ts";
import { worstBaseline } from "../../src/gate/comparable.ts";
import type { BaselineReport } from "../../src/report/report.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { bits, exampleAt, gatesOf, judge, rowOf, scores, tableOf } from "./tables.ts";

describe("a drop that cannot be compared", () => {
  test("has no examples, and no limit if the limit is a share", () => {
    const [own, share] = judge(
      "correctness drop <= 0.02\ncorrectness drop <= 2%",
      bits("11-x"),
    ).gates;
    expect(own).toMatchObject({
      verdict: "inconclusive",
      n: 0,
      n_dropped: 2,
      repeats: 1,
      head: 1,
      base: null,
      delta: null,
      p: null,
      method: "none",
      limit: 0.02,
    });
    expect(share).toMatchObject({ n: 0, limit: null });
  });

  test("says if no example has a value in both runs, and fails if none has one now", () => {
    const [gate] = judge("correctness drop <= 0.02", bits("1-"), bits("-1")).gates;
    expect(gate!.reason).toBe(
      "correctness cannot be compared: none of the 2 shared examples has a value in both runs. Write a new baseline.",
    );
    expect(judge("correctness drop <= 0.02", bits("--"), bits("11")).gates[0]).toMatchObject({
      verdict: "fail",
      n: 0,
      head: null,
    });
  });
});

describe("a drop for which most shared examples have no score now", () => {
  const reason = (marks: string) =>
    judge("correctness drop <= 0.5", bits(marks), bits("1".repeat(30))).gates[0]!.reason;

  test("says whether rows crashed", () => {
    expect(reason("1".repeat(10) + "-".repeat(20))).toContain(
      "but most of the 30 shared examples have no score now. Look at the rows without a score.",
    );
    expect(reason(`${"1".repeat(10)}x${"-".repeat(19)}`)).toContain(
      "but most of the 30 shared examples have no score now: 1 of 30 rows crashed. Fix the crashes.",
    );
    expect(reason(`${"1".repeat(20)}x${"-".repeat(9)}`)).not.toContain("crashed");
  });
});

describe("a drop is tested from ten examples or six clusters on", () => {
  test.each([
    [9, "inconclusive", null, "on 9 shared examples: fewer than 10 examples cannot be tested."],
    [10, "pass", 1, "on 10 shared examples: no sign of a drop;"],
  ])("%i examples", (many, verdict, p, said) => {
    const table = bits("1".repeat(many));
    const [gate] = judge("correctness drop <= 0.9", table, table).gates;
    expect(gate).toMatchObject({ verdict, p, reason: expect.stringContaining(said) });
  });

  test.each([
    [5, "inconclusive", null, "fewer than six clusters cannot be tested."],
    [6, "pass", 1, "no sign of a drop."],
  ])("%i clusters", (many, verdict, p, said) => {
    const table = tableOf(
      Array.from({ length: 4 * many }, (_, i) =>
        rowOf(exampleAt(i), {
          scores: { score: (i % 7) / 7 },
          tags: { "inputs.c": String(i % many) },
        }),
      ),
    );
    const gates = "gates: score drop <= 0.9\ncluster_by: inputs.c";
    expect(judge(gates, table, table).gates[0]).toMatchObject({
      verdict,
      p,
      reason: expect.stringContaining(`on ${4 * many} shared examples: ${said}`),
    });
  });
});

describe("the sensitivity of a run's drops", () => {
  const table = (metrics: readonly string[], of: (i: number) => number) =>
    tableOf(
      Array.from({ length: 40 }, (_, i) =>
        rowOf(exampleAt(i), {
          scores: Object.fromEntries(metrics.map((metric) => [metric, of(i)])),
        }),
      ),
    );
  const compared = (metrics: readonly string[], allowed = "0.9") => {
    const gates = metrics.map((metric) => `${metric} drop <= ${allowed}`).join("\n");
    const [head, base] = [0, 3].map((by) => table(metrics, (i) => ((i + by) % 8) / 8));
    return judge(gates, head!, base!);
  };
  const NUMBER = "0\\.\\d+";

  test.each([
    [["a"], `a true fall of ${NUMBER} in a`],
    [["a", "b"], `a true fall of ${NUMBER} in a, ${NUMBER} in b`],
    [["a", "b", "c"], `a true fall of ${NUMBER} in a, ${NUMBER} in b, ${NUMBER} in c`],
    [
      ["a", "b", "c", "d"],
      `a true fall of ${NUMBER} in a, ${NUMBER} in b, ${NUMBER} in c, and so on for 1 more`,
    ],
    [["a", "toxicity"], `a true fall of ${NUMBER} in a, a true rise of ${NUMBER} in toxicity`],
    [
      ["toxicity", "bias", "a"],
      `a true rise of ${NUMBER} in toxicity, ${NUMBER} in bias, a true fall of ${NUMBER} in a`,
    ],
  ])("is one sentence for %j", (metrics, named) => {
    expect(compared(metrics).sensitivity).toMatch(
      new RegExp(
        `^Sensitivity: 40 examples with 1 run each find ${named} in 8 of 10 runs\\.$`,
        "u",
      ),
    );
  });

  test("is empty if no drop was tested", () => {
    expect(judge("score >= 0.5", scores([1, 1])).sensitivity).toBe("");
    expect(judge("score drop <= 0.5", scores([1, 1]), scores([1, 1])).sensitivity).toBe("");
  });

  test.each([
    [["a"], "drop", ""],
    [["toxicity"], "rise", ""],
    [["a", "b"], "drop", " \\(the same for 1 other gate\\)"],
    [["a", "b", "c"], "drop", " \\(the same for 2 other gates\\)"],
  ])("has one warning if a suite of %j is too small", (metrics, change, others) => {
    const missed = `a ${change} of up to ${NUMBER} in ${metrics[0]}, you allow 0\\.01${others}`;
    const takes = "it takes about [\\d,]+ examples instead of 40, or more runs of each";
    expect(compared(metrics, "0.01").warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `^this suite could miss ${missed}: to find a ${change} of 0\\.02, ${takes}$`,
          "u",
        ),
      ),
    ]);
    expect(compared(metrics, "0").warnings).toEqual([]);
  });
});

describe("the groups of a baseline", () => {
  const groupOf = (label: string) => ({ label, table: bits("1"), anchor: null });
  const of = (...labels: string[]): Baseline => ({ groups: labels.map(groupOf), history: [] });
  const found = (...args: Parameters<typeof findGroup>) => findGroup(...args)?.label ?? null;
  const head = (label: string, group = label) => ({ label, group });

  test("are found by provider and prompt, then by the name shown, or as the only one", () => {
    expect(found(of("a", "b"), head("", "b"))).toBe("b");
    expect(found(of("a", "b"), head("b", "c"))).toBe("b");
    expect(found(of("b", "a"), head("b", "a"))).toBe("a");
    expect(found(of("a", "b"), head("c"))).toBeNull();
    expect(found(of("a"), head("c"))).toBe("a");
    expect(found(of("a"), head("c"), false)).toBeNull();
    expect(found(of("a"), head("a"), false)).toBe("a");
    expect(found(null, head("a"))).toBeNull();
  });

  test("are gone if the run lacks them, unless another one replaces them", () => {
    const gone = (...args: Parameters<typeof listGone>) =>
      listGone(...args).map(({ label }) => label);
    expect(gone(of("a", "b"), [head("a")])).toEqual(["b"]);
    expect(gone(of("a"), [head("c")])).toEqual([]);
    expect(gone(of("a"), [head("c"), head("d")])).toEqual(["a"]);
    expect(gone(of("a", "b"), [head("a"), head("b")])).toEqual([]);
    expect(gone(null, [head("a")])).toEqual([]);
  });

  test("are reported as one: an unusable one, or else a used one with what is missing", () => {
    const about = { file: "b.json", commit: null, created_at: null, rows: 1 };
    const report = (state: BaselineReport["state"], message: string) => ({
      ...about,
      state,
      message,
    });
    const [used, none, empty] = [
      report("used", "3 of 3 examples shared"),
      report("no-baseline", "none"),
      report("empty", "no row"),
    ];
    expect(worstBaseline([used, none, empty])).toEqual(empty);
    expect(worstBaseline([none, empty])).toEqual(empty);
    expect(worstBaseline([none, none])).toEqual(none);
    expect(worstBaseline([used, used])).toEqual(used);
    expect(worstBaseline([none, used])).toEqual({
      ...used,
      message: "3 of 3 examples shared; none",
    });
  });
});

test("a drop that the anchor decides names the test of that comparison", () => {
  const failing = (failures: number): GateTable =>
    bits("0".repeat(failures) + "1".repeat(100 - failures));
  const { gates } = judgeGates({
    head: failing(16),
    base: failing(16),
    anchor: failing(8),
    gates: gatesOf("correctness drop <= 0.02"),
  });
  // Eight of eight changed examples got worse: half of 0.5 ** 8, since ties count half.
  expect(gates[0]).toMatchObject({
    verdict: "fail",
    delta: 0,
    p_own: 0.5 ** 9,
    method: "McNemar, 8 changed",
  });
});
