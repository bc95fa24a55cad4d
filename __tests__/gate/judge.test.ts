import { describe, expect, test } from "@jest/globals";
import { judgeGates, judgeGroups } from "../../src/gate/judge.ts";
import { worstVerdict } from "../../src/report/merge.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { pickRows } from "../../src/gate/table.ts";
import {
  bits,
  clusteredScores,
  exampleAt,
  gatesOf,
  judge,
  rowOf,
  scores,
  tableOf,
} from "./tables.ts";

const only = (gates: string, head: GateTable, base: GateTable | null = null) =>
  judge(gates, head, base).gates[0]!;
const HEAD = "100100111001";
const BASE = "110110111011";

describe("floors", () => {
  const proven = (line: string, head: GateTable) => only(`gates: ${line}\nfloors: proven`, head);

  test("the score of this run decides, and its interval is shown", () => {
    expect(only("correctness >= 0.51", bits(HEAD))).toMatchObject({
      verdict: "fail",
      n: 12,
      head: 0.5,
      base: null,
      delta: null,
      p: null,
      p_own: null,
      limit: 0.51,
      mde: null,
      direction: "higher",
      anchor: null,
      reason:
        "correctness is 0.5 on 12 examples, below the floor of 0.51; the true value may be 0.25 to 0.75. Fix the rows that score badly.",
    });
    expect(only("correctness >= 0.5", bits(HEAD))).toMatchObject({
      verdict: "pass",
      reason:
        "correctness is 0.5 on 12 examples and meets the floor of 0.5; the true value may be 0.25 to 0.75.",
    });
    expect(only("correctness >= 0.7", bits("1".repeat(100))).reason).toBe(
      "correctness is 1 on 100 examples and meets the floor of 0.7 (95% CI 0.96 to 1).",
    );
  });

  test.each([
    [98765.4321, 3],
    [123456.7, 49],
    [1500.3, 1000],
    [0.3, 20_000],
  ])("%d in each of %i examples is at its limit, however their sum is rounded", (value, n) => {
    const head = scores(Array.from({ length: n }, () => value));
    for (const operator of [">=", "<="])
      expect(only(`score ${operator} ${value}`, head).verdict).toBe("pass");
    for (const operator of [">", "<"])
      expect(only(`score ${operator} ${value}`, head).verdict).toBe("fail");
  });

  test("39 of 50 fail a floor of 0.8, and the reason says what the true rate may be", () => {
    expect(only("correctness >= 0.8", bits("1".repeat(39) + "0".repeat(11)))).toMatchObject({
      verdict: "fail",
      reason: expect.stringContaining("may be 0.64 to 0.88"),
    });
  });

  test("floors: proven fails, passes or is inconclusive", () => {
    expect(proven("correctness >= 0.9", bits(HEAD))).toMatchObject({
      verdict: "fail",
      alpha: 0.05,
    });
    expect(proven("correctness >= 0.6", bits(HEAD))).toMatchObject({ verdict: "inconclusive" });
    expect(proven("correctness >= 0.5", bits(HEAD))).toMatchObject({ verdict: "pass" });
  });

  test("clusters that miss a floor by far still fail, and a scale of unknown range needs ten", () => {
    const below = (clusters: number, unit: number): GateTable =>
      clusteredScores(clusters, (c) => unit * (0.3 + 0.05 * (c % 3)));
    expect(proven("score >= 0.8\ncluster_by: inputs.c", below(6, 1)).verdict).toBe("fail");
    expect(proven("score >= 80\ncluster_by: inputs.c", below(12, 100)).verdict).toBe("fail");
    expect(proven("score >= 80\ncluster_by: inputs.c", below(6, 100)).reason).toBe(
      "score is 35 on 30 examples, below the floor of 80; fewer than 10 clusters cannot prove it. Look at the rows, or add clusters.",
    );
  });

  test("rates have Wilson's interval, and other scores Student's", () => {
    const rate = only("correctness >= 0.5", bits("110110111010"));
    expect(rate.method).toBe("Wilson");
    expect(rate.ci![0]).toBeCloseTo(0.390622, 6);
    expect(rate.ci![1]).toBeCloseTo(0.86188, 6);
    const mean = only("score >= 0.5", scores([0.2, 0.4, 0.9, 0.8]));
    expect(mean.method).toBe("Student, df 3");
    expect(mean.ci![0]).toBeCloseTo(0.0492538, 6);
  });

  test("repeats count as the single runs that would scatter as much", () => {
    // Of 20 examples with five runs each, ten pass all and ten pass two.
    const rows = Array.from({ length: 100 }, (_, i) =>
      rowOf(exampleAt(Math.floor(i / 5)), {
        scores: { correctness: Number(i < 50 || i % 5 < 2) },
      }),
    );
    const squaredError = (20 * 0.3 ** 2) / 19 / 20;
    expect(only("correctness >= 0.5", tableOf(rows))).toMatchObject({
      head: 0.7,
      method: `Wilson, ${((0.7 * 0.3) / squaredError).toFixed(1)} effective trials`,
    });
  });

  test("a mean that equals the floor up to its last bit meets it", () => {
    expect(only("score >= 0.3", scores([0.1, 0.2, 0.3, 0.4, 0.5])).verdict).toBe("pass");
    expect(only("score > 0.3", scores([0.1, 0.2, 0.3, 0.4, 0.5])).verdict).toBe("fail");
  });

  test("a mean that equals the limit of a strict gate is not reported as beyond it", () => {
    const said = (rule: string) => only(rule, scores([0.1, 0.2, 0.3, 0.4, 0.5])).reason;
    expect(said("score > 0.3")).toContain("is 0.3 on 5 examples, not above the floor of 0.3");
    expect(said("score < 0.3")).toContain("is 0.3 on 5 examples, not below the limit of 0.3");
    expect(said("score > 0.4")).toContain("is 0.3 on 5 examples, below the floor of 0.4");
  });

  test("one value has no interval", () => {
    expect(only("score >= 0.5", scores([0.2]))).toMatchObject({ verdict: "fail", ci: null, n: 1 });
  });

  test("latencies are type 7 quantiles in seconds, without errored rows", () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      rowOf(exampleAt(i), { latency: i + 1, error: i === 19, scores: { correctness: 1 } }),
    );
    const gate = only("latency_p50 <= 30s", tableOf(rows));
    expect(gate).toMatchObject({ verdict: "pass", head: 10, n: 19, n_dropped: 1 });
    expect(only("latency_p95 <= 2s", tableOf(rows)).verdict).toBe("fail");
  });

  test("an end of the interval that is only the most extreme row is not reported as a bound", () => {
    const rows = tableOf(
      Array.from({ length: 40 }, (_, i) =>
        rowOf(exampleAt(i), { latency: 1 + i / 100, scores: { s: 1 } }),
      ),
    );
    const near = only("latency_p95 <= 1.38s", rows);
    expect(near).toMatchObject({
      verdict: "pass",
      ci: null,
      reason:
        "latency_p95 is 1.37 s on 40 examples and meets the limit of 1.38 s; the true value may be 1.34 s or more.",
    });
    expect(only("latency_p95 <= 1.3s", rows)).toMatchObject({ verdict: "fail" });
  });

  test("clusters widen the interval of a latency", () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      rowOf(exampleAt(i), {
        latency: i + 1,
        scores: { s: 1 },
        tags: { "inputs.doc": String(i % 12) },
      }),
    );
    const width = (gates: string): number => {
      const { ci } = only(gates, tableOf(rows));
      return ci![1] - ci![0];
    };
    expect(width("gates: latency_p50 <= 40s\ncluster_by: inputs.doc")).toBeGreaterThan(
      width("latency_p50 <= 40s"),
    );
  });

  test("a file without durations fails a latency gate and says why", () => {
    expect(only("latency_p95 <= 4s", bits(HEAD))).toMatchObject({
      verdict: "fail",
      head: null,
      reason: expect.stringMatching(/has a duration/),
    });
  });

  test("the error rate counts errored rows, and rows are counted", () => {
    const head = bits("11111111xx");
    expect(only("error_rate <= 0.02", head)).toMatchObject({
      head: 0.2,
      n: 10,
      n_dropped: 0,
      verdict: "fail",
    });
    expect(only("rows >= 10", head)).toMatchObject({ verdict: "pass", head: 10 });
    expect(only("rows >= 11", head)).toMatchObject({ verdict: "fail" });
  });

  test("pass^k requires that k repeats of an example all pass", () => {
    const rows = ["111", "110", "100"].flatMap((marks, i) =>
      [...marks].map((mark) => rowOf(exampleAt(i), { scores: { correctness: Number(mark) } })),
    );
    expect(only("pass^2(correctness) >= 0.1", tableOf(rows)).head).toBeCloseTo(
      (1 + 1 / 3 + 0) / 3,
      12,
    );
    expect(only("pass^3(correctness) >= 0.1", tableOf(rows)).head).toBeCloseTo(1 / 3, 12);
    expect(only("pass^4(correctness) >= 0.1", tableOf(rows))).toMatchObject({
      verdict: "fail",
      reason: expect.stringMatching(/repeats/),
    });
  });
});

describe("drops", () => {
  test("the reference vector is judged by McNemar's test, not by the less cautious t", () => {
    const gate = only("correctness drop <= 0.02", bits(HEAD), bits(BASE));
    expect(gate).toMatchObject({
      n: 12,
      head: 0.5,
      base: 0.75,
      delta: -0.25,
      method: "McNemar, 3 changed",
      repeats: 1,
    });
    expect(gate.p).toBe(0.0625);
    expect(gate.verdict).toBe("inconclusive");
    expect(gate.ci![1]).toBeGreaterThanOrEqual(0);
    expect(gate.reason).toMatch(
      /fell from 0\.75 to 0\.5 on 12 shared examples \(0\.02 allowed, p = .*possibly real, not proven/u,
    );
  });

  test("the reference vector in four clusters is not tested, and a warning says so", () => {
    const tagged = (text: string) =>
      tableOf(
        [...text].map((bit, i) =>
          rowOf(exampleAt(i), {
            scores: { correctness: Number(bit) },
            tags: { "inputs.doc": `d${Math.floor(i / 3)}` },
          }),
        ),
      );
    const judged = judge(
      "gates: correctness drop <= 0.02\ncluster_by: inputs.doc",
      tagged(HEAD),
      bits(BASE),
    );
    const [gate] = judged.gates;
    expect(gate).toMatchObject({ verdict: "inconclusive", p: null, ci: null });
    expect(gate!.reason).toContain("fewer than six clusters cannot be tested");
    expect(judged.warnings.join()).toMatch(/4 clusters by inputs\.doc/u);
  });

  test("the drop that few clusters of pass marks could miss is at most what there is to lose", () => {
    const tagged = (mark: (i: number) => number) =>
      tableOf(
        Array.from({ length: 12 }, (_, i) =>
          rowOf(exampleAt(i), {
            scores: { correctness: mark(i) },
            tags: { "inputs.doc": `d${Math.floor(i / 2)}` },
          }),
        ),
      );
    const judged = judge(
      "gates: correctness drop <= 0.02\ncluster_by: inputs.doc",
      tagged((i) => Number(i % 4 >= 2)),
      tagged((i) => Number(i % 4 < 2)),
    );
    expect(judged.gates[0]).toMatchObject({
      mde: null,
      reason: expect.stringContaining("this suite could miss one of up to 0.5, you allow 0.02"),
    });
  });

  test("an unchanged run in clusters reports the drop that it finds, not the whole range", () => {
    const table = tableOf(
      Array.from({ length: 200 }, (_, i) =>
        rowOf(exampleAt(i), {
          scores: { score: Number(i % 10 > 0) },
          tags: { "inputs.doc": `d${i % 20}` },
        }),
      ),
    );
    const judged = judge("gates: score drop <= 0.02\ncluster_by: inputs.doc", table, table);
    const { mde, reason } = judged.gates[0]!;
    expect(mde).toBeGreaterThan(0.02);
    expect(mde).toBeLessThan(0.5);
    expect(reason).toContain(`this suite could miss one of up to ${mde}, you allow 0.02`);
  });

  test("a proven fall within the allowed amount does not fail", () => {
    const base = bits("1".repeat(200));
    const head = bits("0".repeat(6) + "1".repeat(194));
    expect(only("correctness drop <= 0.02", head, base)).toMatchObject({ verdict: "fail" });
    expect(only("correctness drop <= 0.03", head, base)).toMatchObject({
      verdict: "pass",
      reason: expect.stringMatching(/within the 0\.03 allowed/),
    });
  });

  test("no sign of a drop and a drop that is ruled out are distinguished", () => {
    const all = bits("1".repeat(400));
    const reasonOf = (gates: string) => only(gates, all, all).reason;
    const gates = "gates: correctness drop <= 0.02";
    expect(reasonOf(`${gates}\nproof: detect`)).toMatch(/no sign of a drop/);
    expect(reasonOf(`${gates}\nproof: rule-out`)).toMatch(
      /a fall beyond 0\.02 is ruled out \(95% sure\)/,
    );
  });

  test("a score that rose and an unchanged score are distinguished", () => {
    expect(only("correctness drop <= 0.02", bits(BASE), bits(HEAD))).toMatchObject({
      verdict: "pass",
      delta: 0.25,
      reason: expect.stringMatching(/^correctness rose/),
    });
    expect(only("correctness drop <= 0.02", bits(BASE), bits(BASE))).toMatchObject({
      verdict: "pass",
      delta: 0,
      reason: expect.stringMatching(/unchanged/),
    });
  });

  test("rule-out is inconclusive about one collapsed cluster if too few were run to meet one", () => {
    const gates = "gates: score drop <= 0.04\nproof: rule-out\ncluster_by: inputs.c";
    const base = (clusters: number) => clusteredScores(clusters, () => 0.9);
    const moved = (clusters: number) => clusteredScores(clusters, (c) => 0.9 + 0.01 * (-1) ** c);
    expect(only(gates, moved(10), base(10)).verdict).toBe("inconclusive");
    expect(only(gates, moved(100), base(100)).verdict).toBe("pass");
  });

  test("rule-out is inconclusive about what a metric's scale leaves possible", () => {
    const gates = "gates: score drop <= 0.1\nproof: rule-out";
    const scored = (score: (i: number) => number): GateTable =>
      tableOf(
        Array.from({ length: 40 }, (_, i) => rowOf(exampleAt(i), { scores: { score: score(i) } })),
      );
    const [shares, stars] = [scored((i) => (i % 5) / 4), scored((i) => 1 + (i % 5))];
    expect(only(gates, shares, shares).verdict).toBe("pass");
    expect(only(gates, stars, stars).verdict).toBe("inconclusive");
  });

  test("tokens that did not change, or changed by the allowed amount, show no rounding in the last digit of their averages", () => {
    const tokens = (value: number, repeats: number): GateTable =>
      tableOf(
        Array.from({ length: 40 * repeats }, (_, i) =>
          rowOf(exampleAt(Math.floor(i / repeats)), { scores: { tokens: value } }),
        ),
      );
    const same = judge("tokens rise <= 0", tokens(98765.4321, 3), tokens(98765.4321, 1));
    expect(same.row_counts.examples).toEqual({ worse: 0, better: 0 });
    expect(same.gates[0]).toMatchObject({ verdict: "pass", delta: 0, method: "no change" });
    const more = judge("tokens rise <= 100.1", tokens(123456.7, 1), tokens(123356.6, 1));
    expect(more.gates[0]).toMatchObject({ verdict: "pass" });
  });

  test("a rise is the drop if lower is better, and delta is still head minus base", () => {
    const low = tableOf(
      Array.from({ length: 40 }, (_, i) =>
        rowOf(exampleAt(i), { scores: { hallucination: i % 10 === 0 ? 1 : 0 } }),
      ),
    );
    const high = tableOf(
      Array.from({ length: 40 }, (_, i) =>
        rowOf(exampleAt(i), { scores: { hallucination: i % 2 === 0 ? 1 : 0 } }),
      ),
    );
    expect(only("hallucination drop <= 0.02", high, low)).toMatchObject({
      verdict: "fail",
      delta: 0.4,
      reason: expect.stringMatching(/rose from 0\.1 to 0\.5/),
    });
    expect(only("hallucination drop <= 0.02", low, high)).toMatchObject({
      verdict: "pass",
      delta: -0.4,
    });
    expect(
      only("gates: hallucination drop <= 0.02\ndirection: {hallucination: higher}", low, high)
        .verdict,
    ).toBe("fail");
  });

  test("nothing is tested below ten pairs, and the rows are shown", () => {
    const judged = judge("correctness drop <= 0.02", bits("000000000"), bits("111111111"));
    expect(judged.gates[0]).toMatchObject({
      verdict: "inconclusive",
      n: 9,
      p: null,
      ci: null,
      mde: null,
      method: "none",
    });
    expect(judged.rows_worse).toHaveLength(9);
  });

  test("errored rows are left out of the pairs and counted", () => {
    const gate = only("correctness drop <= 0.02", bits("xx1111111111"), bits("111111111111"));
    expect(gate).toMatchObject({ n: 10, n_dropped: 2, delta: 0 });
  });

  test("several drops share one alpha, and a metric that is gated twice or did not move costs nothing", () => {
    const make = (a: string, b: string) =>
      tableOf(
        [...a].map((bit, i) =>
          rowOf(exampleAt(i), { scores: { a: Number(bit), b: Number(b[i]) } }),
        ),
      );
    const base = make("1".repeat(40), `${"1".repeat(30)}${"0".repeat(10)}`);
    const head = make(
      `0000${"1".repeat(36)}`,
      `${"1".repeat(25)}${"0".repeat(10)}${"1".repeat(5)}`,
    );
    const alone = only("a drop <= 0.02", head, base);
    expect(alone).toMatchObject({ verdict: "fail" });
    const twice = judge("a drop <= 0.02\na drop <= 0.05", head, base).gates;
    expect(twice.map(({ p }) => p).slice(0, 2)).toEqual([alone.p, alone.p]);
    const both = judge("a drop <= 0.02\nb drop <= 0.02", head, base).gates;
    expect(both[0]!.p).toBeGreaterThan(alone.p!);
    expect(both[0]!.p).toBeLessThanOrEqual(2 * alone.p! + 1e-12);
    expect(both[0]!.method).toBe("McNemar, 4 changed; step-down max-T over 2");
    const still = make("1".repeat(40), `${"1".repeat(30)}${"0".repeat(10)}`);
    const quiet = make(`0000${"1".repeat(36)}`, `${"1".repeat(30)}${"0".repeat(10)}`);
    expect(judge("a drop <= 0.02\nb drop <= 0.02", quiet, still).gates[0]!.p).toBe(alone.p);
  });

  test("the example is the unit of repeats, and labels are exchanged within it", () => {
    const repeat = (text: string) =>
      tableOf(
        [...text].flatMap((bit, i) =>
          [0, 1, 2].map(() => rowOf(exampleAt(i), { scores: { correctness: Number(bit) } })),
        ),
      );
    const gate = only("correctness drop <= 0.02", repeat(HEAD), repeat(BASE));
    expect(gate).toMatchObject({ n: 12, repeats: 3, delta: -0.25 });
    // Three examples whose six labels all fell on one side: each by one of twenty exchanges.
    expect(gate.p).toBeLessThan(1 / 4000);
    expect(gate.method).toBe("label exchange");
  });

  test("latencies are compared by the values around the quantile", () => {
    const times = (by: number) =>
      tableOf(
        Array.from({ length: 100 }, (_, i) =>
          rowOf(exampleAt(i), { latency: 1 + (i % 10) / 10 + by, scores: { s: 1 } }),
        ),
      );
    const slower = only("latency_p50 drop <= 100ms", times(0.5), times(0));
    expect(slower).toMatchObject({ verdict: "fail" });
    expect(slower.delta).toBeCloseTo(0.5, 9);
    expect(slower.ci![0]).toBeLessThan(0.5);
    expect(slower.reason).toMatch(/rose from 1\.45 s to 1\.95 s/);
    expect(only("latency_p50 drop <= 100ms", times(0), times(0.5)).verdict).toBe("pass");
  });
});

test.each([
  ["a proven fall within the limit", `${"0".repeat(16)}${"1".repeat(64)}`, "1".repeat(100)],
  ["a rise", "1".repeat(80), "1000000000".repeat(10)],
  ["most scores missing", `${"1".repeat(30)}${"-".repeat(70)}`, "0".repeat(100)],
])("no interval excludes 0 next to an inconclusive drop: %s", (_, head, base) => {
  const { gates } = judgeGates({
    head: bits(head),
    base: bits(base),
    gates: gatesOf("correctness drop <= 0.3"),
  });
  expect(gates[0]).toMatchObject({ verdict: "inconclusive" });
  const [low, high] = gates[0]!.ci!;
  expect(low).toBeLessThanOrEqual(0);
  expect(high).toBeGreaterThanOrEqual(0);
});

test("a relative limit is shown as it is written, in the sentence and in the warning", () => {
  const { gates, warnings } = judge("correctness drop <= 5%", bits(HEAD), bits(BASE));
  expect(gates[0]!.limit).toBe(0.0375);
  expect(gates[0]!.reason).toContain("(5% allowed");
  expect(warnings.join()).toMatch(
    /could miss a drop of up to [\d.]+ in correctness, you allow 5%: to find a drop of [\d.]+, it takes about \d+ examples/u,
  );
});

describe("validity comes first", () => {
  test("a run without a scored row fails, whatever the gates", () => {
    for (const head of [tableOf([]), bits("xxx"), tableOf([rowOf("a")])]) {
      const judged = judge("correctness >= 0.1\ncorrectness drop <= 0.9", head, bits(BASE));
      expect(judged.problems).toEqual([]);
      expect(judged.verdict).toBe("fail");
      expect(judged.gates.slice(0, 2).map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
    }
    // Gates that need no score would let such a run through: a row minimum of one speaks for them.
    expect(
      judge("error_rate <= 0.99", bits("xxx")).gates.map(({ rule, verdict }) => [rule, verdict]),
    ).toEqual([["error_rate <= 0.99", "fail"]]);
  });

  test("a run without a scored row fails a rule on every score, which then matches none", () => {
    for (const rules of ["* >= 0.5", "* drop <= 5%", "error_rate <= 0.99\n* >= 0.5"]) {
      for (const base of [undefined, bits(BASE)]) {
        const judged = judge(rules, tableOf([rowOf("a"), rowOf("b")]), base);
        expect([rules, judged.verdict]).toEqual([rules, "fail"]);
        expect(judged.gates[0]).toMatchObject({ metric: "rows", verdict: "fail", n: 0 });
      }
    }
    expect(judge("error_rate <= 0.99", tableOf([rowOf("a")])).verdict).toBe("pass");
  });

  test("a rule on every score judges one that the head names without a number, and warns of one that is gone", () => {
    const of = (scores: Record<string, number>, unscored: string[] = []) =>
      tableOf(
        Array.from({ length: 12 }, (_, i) => rowOf(exampleAt(i), { scores })),
        { unscored: new Set(unscored) },
      );
    const base = of({ a: 1, b: 1 });
    for (const [rules, against] of [
      ["* >= 0.5", null],
      ["* drop <= 5%", base],
    ] as const) {
      const judged = judge(rules, of({ a: 1 }, ["b"]), against);
      const own = judged.gates.filter(({ metric }) => metric !== "errors");
      expect(own.map(({ metric, verdict }) => [metric, verdict])).toEqual([
        ["a", "pass"],
        ["b", "fail"],
      ]);
    }
    const gone = judge("* drop <= 5%", of({ a: 1 }), base);
    expect(gone.verdict).toBe("pass");
    expect(gone.warnings).toContain(
      "b: in the baseline, but not in results.json, so the drop on every score does not judge it",
    );
  });

  test("fewer rows than min_rows fail", () => {
    const judged = judge("gates: correctness >= 0.1\nmin_rows: 13", bits(BASE));
    expect(judged.verdict).toBe("fail");
    expect(judged.gates[0]).toMatchObject({ metric: "rows", rule: "min_rows 13", head: 12 });
    expect(judge("gates: correctness >= 0.1\nmin_rows: 12", bits(BASE)).verdict).toBe("pass");
  });

  test("drops without a baseline are inconclusive, and floors are judged", () => {
    const judged = judge("correctness >= 0.1\ncorrectness drop <= 0.02", bits(BASE));
    expect(judged.gates.map(({ verdict }) => verdict)).toEqual(["pass", "inconclusive"]);
    expect(judged.gates[1]).toMatchObject({
      head: 0.75,
      base: null,
      reason: expect.stringMatching(/^no-baseline: nothing to compare correctness with/),
    });
    expect(judged.baseline).toMatchObject({ state: "no-baseline" });
    expect(judge("correctness >= 0.1", bits(BASE)).baseline).toBeNull();
  });

  test.each([
    ["empty", tableOf([]), "empty"],
    ["all errored", bits("xxxxxxxxxxxx"), "empty"],
    ["disjoint", tableOf([rowOf("elsewhere", { scores: { correctness: 1 } })]), "incomparable"],
    ["of another judge", bits(BASE, { judge: "gpt-4" }), "incomparable"],
    ["cancelled", bits(BASE, { state: "cancelled" }), "incomparable"],
    ["incomplete", bits(BASE, { state: "incomplete" }), "incomparable"],
  ])("a baseline that is %s is inconclusive, with the reason", (_, base, state) => {
    const judged = judge("correctness drop <= 0.02", bits(BASE, { judge: "gpt-5" }), base);
    expect(judged.verdict).toBe("inconclusive");
    expect(judged.baseline!.state).toBe(state);
    expect(judged.warnings).toContain(judged.baseline!.message);
    if (judged.gates[0]!.reason.startsWith("none of the baseline's")) return;
    expect(judged.gates[0]!.reason).toContain(judged.baseline!.message);
  });

  test("min_overlap sets how much of the baseline must be run again", () => {
    const head = bits(HEAD);
    const base = bits(`${BASE}1111`);
    const verdict = (share: string) =>
      only(`gates: correctness drop <= 0.5\nmin_overlap: ${share}`, head, base);
    expect(verdict("0.8")).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringMatching(/only 12 of the baseline's 16 examples were run/),
    });
    expect(verdict("70%").verdict).toBe("pass");
    expect(only("correctness drop <= 0.5", head, base).verdict).toBe("inconclusive");
  });

  test("rows without the gated score are left out, counted and reported", () => {
    const judged = judge("correctness >= 0.5", bits("111111--1111"));
    expect(judged.gates[0]).toMatchObject({ verdict: "pass", n: 10, n_dropped: 2 });
    expect(judged.warnings.join()).toMatch(
      /2 rows of results\.json ran without error but have no correctness/,
    );
  });

  test.each([
    ["-11111111111", ["1 row of results.json ran without error but has no correctness"]],
    ["1111111111--", ["2 rows of results.json ran without error but have no correctness"]],
    ["x-1111111111", ["1 row of results.json ran without error but has no correctness"]],
    ["x11111111111", []],
    ["111111111111", []],
  ])("a warning for %s counts only rows that ran and lack the score", (marks, expected) => {
    const judged = judge("gates: correctness >= 0.5\nerrors: count", bits(marks));
    expect(judged.warnings.filter((one) => one.includes("correctness"))).toEqual(expected);
  });

  test("a direction of a metric that no gate uses causes a warning, and no other direction does", () => {
    const judged = judge(
      "gates: correctness >= 0.5\ndirection: { correctness: higher, tone: lower }",
      bits(BASE),
    );
    expect(judged.warnings).toEqual(["direction names tone, which no gate uses"]);
  });

  test("a group whose rows all lack the score does not pass, and causes no extra warning", () => {
    const whole = bits(`${"1".repeat(12)}${"-".repeat(12)}`);
    const head = pickRows(
      whole,
      Array.from({ length: 12 }, (_, i) => 12 + i),
    );
    const judged = judge("correctness >= 0.5", head);
    expect(judged.warnings).toEqual([]);
    expect(judged.verdict).not.toBe("pass");
  });

  test("a drop does not pass if most shared examples have no score", () => {
    expect(
      only("correctness drop <= 0.5", bits("1".repeat(10) + "-".repeat(20)), bits("1".repeat(30))),
    ).toMatchObject({ verdict: "inconclusive", n: 10, n_dropped: 20 });
    expect(
      only("correctness drop <= 0.5", bits("1".repeat(10) + "-".repeat(10)), bits("1".repeat(20))),
    ).toMatchObject({ verdict: "pass", n: 10, n_dropped: 10 });
  });

  test("an unknown metric is a usage problem at its line that lists the metrics seen", () => {
    const judged = judge("gates:\n  - correctnes >= 0.5\n", bits(BASE));
    expect(judged.gates).toEqual([]);
    expect(judged.problems).toHaveLength(1);
    expect(judged.problems[0]).toMatchObject({ file: "gates.yml", line: 2, column: 5 });
    expect(judged.problems[0]!.message).toMatch(
      /did you mean correctness\?.*metrics seen: correctness; always there: error_rate, latency, latency_p50/u,
    );
  });

  test("a metric that only the baseline has fails, since nothing scored it now", () => {
    expect(judge("correctness drop <= 0.02", scores([1, 1]), bits("11")).gates[0]).toMatchObject({
      verdict: "fail",
    });
  });

  test("a cluster_by that no row has is a usage problem", () => {
    expect(
      judge("gates: correctness >= 0.1\ncluster_by: inputs.doc", bits(BASE)).problems[0]!.message,
    ).toMatch(/no row of results\.json has inputs\.doc/);
  });

  test("a cancelled head is judged with a warning", () => {
    const judged = judge("correctness >= 0.5", bits(BASE, { state: "cancelled" }));
    expect(judged.verdict).toBe("pass");
    expect(judged.warnings.join()).toMatch(/cancelled run/);
  });
});

describe("rows", () => {
  test("are listed worst first by the metric's own range, with new and missing rows apart", () => {
    const make = (rows: readonly (readonly [string, number, number])[]) =>
      tableOf(rows.map(([id, a, tokens]) => rowOf(id, { scores: { a, tokens } })));
    const base = make([
      ["p", 1, 100],
      ["q", 0.5, 500],
      ["r", 0.2, 100],
      ["gone", 1, 1],
    ]);
    const head = make([
      ["p", 0, 150],
      ["q", 0.6, 100],
      ["r", 0.2, 100],
      ["new", 1, 1],
    ]);
    const judged = judge("a drop <= 0.1\ntokens drop <= 10", head, base);
    expect(
      judged.rows_worse.map(({ metric, input, head: now, base: before }) => [
        metric,
        input,
        before,
        now,
      ]),
    ).toEqual([
      ["a", "question p", 1, 0],
      ["tokens", "question p", 100, 150],
    ]);
    expect(judged.rows_better.map(({ metric, input }) => [metric, input])).toEqual([
      ["tokens", "question q"],
      ["a", "question q"],
    ]);
    expect(judged.rows_new).toEqual(["question new"]);
    expect(judged.rows_missing).toEqual(["question gone"]);
    expect(judged.row_counts.changed).toMatchObject({
      a: { worse: 1, better: 1 },
      tokens: { worse: 1, better: 1 },
    });
  });

  test("show the worst output of several repeats", () => {
    const row = (score: number, output: string) =>
      rowOf("p", { scores: { s: score }, preview: { input: "i", expected: "e", output } });
    const judged = judge(
      "s drop <= 0",
      tableOf([row(1, "good"), row(0, "bad")]),
      tableOf([row(1, "x"), row(1, "y")]),
    );
    expect(judged.rows_worse).toEqual([
      {
        metric: "s",
        example: "p",
        input: "i",
        expected: "e",
        head_output: "bad",
        base_output: "x",
        head: 0.5,
        base: 1,
      },
    ]);
  });
});

describe("must_pass", () => {
  const critical = (marks: string) =>
    tableOf(
      [...marks].map((mark, i) =>
        rowOf(exampleAt(i), {
          error: mark === "x",
          scores: mark === "x" ? {} : { correctness: Number(mark) },
          tags: { "run_metadata.tier": i < 3 ? "critical" : "usual" },
        }),
      ),
    );
  const GATES = "gates: correctness >= 0.5\nmust_pass: { run_metadata.tier: critical }";

  test("one failing critical row fails the run, however good the mean", () => {
    expect(judge(GATES, critical("11111111")).verdict).toBe("pass");
    const judged = judge(GATES, critical("10111111"));
    expect(judged.verdict).toBe("fail");
    expect(judged.gates[1]).toMatchObject({
      metric: "must_pass",
      n: 3,
      verdict: "fail",
      reason: expect.stringMatching(/1 of 3 examples.*\. Fix question e000001 \(0 of 1 run\)\.$/),
    });
    expect(judge(GATES, critical("1x111111")).verdict).toBe("fail");
  });

  test("an example that lost its mark fails like a missing one, and is named by its text", () => {
    const unmarked = tableOf(
      [0, 1, 2, 3].map((i) =>
        rowOf(exampleAt(i), {
          scores: { correctness: 1 },
          tags: { "run_metadata.tier": i < 2 ? "critical" : "usual" },
        }),
      ),
    );
    expect(judge(GATES, unmarked, critical("1111")).gates[1]!.reason).toBe(
      "1 example of the baseline was not run with run_metadata.tier: critical. Run question e000002 with it, or accept a new baseline.",
    );
  });
});

test("the fields of a gate are those of the contract, in order", () => {
  for (const gate of judge(
    "correctness >= 0.5\ncorrectness drop <= 0.02\nrows >= 1",
    bits(HEAD),
    bits(BASE),
  ).gates) {
    expect(Object.keys(gate).join(" ")).toBe(
      "metric rule verdict n n_dropped repeats head base delta ci p method alpha mde reason direction anchor p_own limit",
    );
  }
});

test("a verdict names its head if the run has several", () => {
  const heads = ["gpt", "claude"].map((label) => ({ label, head: bits("1101"), base: null }));
  const reasons = (groups: typeof heads) =>
    judgeGroups(groups, gatesOf("correctness >= 0.9")).gates.map(({ reason }) => reason);
  const [alone] = reasons(heads.slice(0, 1));
  expect(alone).not.toContain("gpt");
  expect(reasons(heads)).toEqual(["gpt", "claude"].map((label) => `${label}: ${alone}`));
});

test("fail outweighs inconclusive, inconclusive outweighs pass, and no gates give none", () => {
  expect(worstVerdict([])).toBe("none");
  expect(
    judge("correctness >= 0.5\ncorrectness drop <= 0.02", bits(HEAD), bits(BASE)).verdict,
  ).toBe("inconclusive");
  expect(
    judge("correctness >= 0.9\ncorrectness drop <= 0.02", bits(HEAD), bits(BASE)).verdict,
  ).toBe("fail");
});

describe("differences that are all equal", () => {
  const even = (score: number): GateTable => scores(Array.from({ length: 40 }, () => score));

  test("leave no rounding in what is reported", () => {
    const third = (order: readonly number[]): GateTable =>
      tableOf(
        order.flatMap((score) =>
          Array.from({ length: 12 }, (_, i) => rowOf(exampleAt(i), { scores: { score } })),
        ),
      );
    expect(
      only("score drop <= 0.02", third([0.1, 0.2, 0.3]), third([0.3, 0.1, 0.2])),
    ).toMatchObject({ verdict: "pass", delta: 0 });
  });

  test("are not held against a run if they are allowed: a drop of exactly the limit passes, and `<` asks for less", () => {
    expect(only("score drop <= 0.1", even(0.5), even(0.6))).toMatchObject({
      verdict: "pass",
      delta: -0.1,
    });
    expect(only("score drop < 0.1", even(0.5), even(0.6))).toMatchObject({ verdict: "fail" });
    expect(only("score drop <= 0.09", even(0.5), even(0.6))).toMatchObject({ verdict: "fail" });
  });
});

test("new crashes are judged by the mid-p of McNemar's test, on their own and within the family", () => {
  const head = bits("x".repeat(10) + "1".repeat(30));
  const judged = judge("correctness drop <= 0.5", head, bits("1".repeat(40)));
  // Ten changed, all for the worse: half of the chance of 10 of 10 under a fair coin.
  expect(judged.gates.at(-1)).toMatchObject({
    metric: "errors",
    verdict: "fail",
    p: 2 ** -11,
    p_own: 2 ** -11,
  });
});
