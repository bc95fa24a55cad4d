import { expect, test } from "@jest/globals";
import { renderSummary } from "../../src/report/markdown.ts";
import type { GateReport } from "../../src/report/report.ts";
import { judgeCase, SENTENCES } from "../gate/sentences.ts";
import { SAMPLES } from "./sample-reports.ts";

test("a rounded interval never touches its limit, and is never rounded inward", () => {
  const floor = judgeCase(SENTENCES.find(({ kind }) => kind === "missed")!).gate;
  const sample = SAMPLES["experiments-and-gates"]!;
  const cellOf = (ci: readonly [number, number]): string =>
    / \| (\S+ … \S+) \| ≥/.exec(
      renderSummary({ ...sample, gates: [{ ...floor, ci }], gate_verdict: "fail" }),
    )![1]!;
  expect(cellOf([0.6, 0.8499])).toBe("0.6 … 0.8499");
  expect(cellOf([0.8501, 0.9])).toBe("0.8501 … 0.9");
  expect(cellOf([0.61239, 0.71231])).toBe("0.61 … 0.72");
  expect(cellOf([0.91239, 0.93451])).toBe("0.91 … 0.94");
});

test("the axis of changes has the same numbers as the table", () => {
  const sample = SAMPLES["experiments-and-gates"]!;
  const drop = sample.gates.find(({ rule, ci }) => rule.includes("drop") && ci !== null)!;
  const lineOf = (over: Partial<GateReport>): string => {
    const gates = [{ ...drop, verdict: "fail" as const, ...over }];
    const summary = renderSummary({ ...sample, gates, gate_verdict: "fail" });
    return summary.slice(summary.indexOf("worse ◀")).split("\n")[1]!.trim();
  };
  const end = { rule: "tone drop <= 0.025", limit: 0.025, direction: "higher" } as const;
  expect(lineOf({ ...end, delta: -0.1, ci: [-0.2311, 0.1212] })).toMatch(/^−0\.24 .*0 +\+0\.13$/);
  expect(lineOf({ ...end, delta: -0.001, ci: [-0.0021, 0.0212] })).toMatch(/^−0\.025 .*\+0\.03$/);
  const rise = { ...end, rule: "tone rise <= 3%", direction: "lower" } as const;
  expect(lineOf({ ...rise, delta: 0.1, ci: [-0.1212, 0.2311] })).toMatch(/^−0\.24 .*0 +\+0\.13$/);
  expect(lineOf({ ...rise, delta: 0, limit: 0.0261, ci: [0, 0.01] })).toMatch(/^−0\.03 +0$/);
});

test("the axis has at most eight rows, with failed gates first", () => {
  const sample = SAMPLES["experiments-and-gates"]!;
  const drop = sample.gates.find(({ rule, ci }) => rule.includes("drop") && ci !== null)!;
  const gates = Array.from({ length: 9 }, (_, at) => ({
    ...drop,
    metric: `m${at}`,
    verdict: at === 8 ? ("fail" as const) : ("pass" as const),
  }));
  const summary = renderSummary({ ...sample, gates, gate_verdict: "fail" });
  const [, plot] = /worse ◀.*\n.*\n([^`]*)```/u.exec(summary)!;
  expect([...plot!.matchAll(/^m\d/gmu)].map(([name]) => name)).toEqual([
    "m8",
    "m0",
    "m1",
    "m2",
    "m3",
    "m4",
    "m5",
    "m6",
  ]);
});

test("among many passed gates the one on errors is named instead of counted", () => {
  const sample = SAMPLES["experiments-and-gates"]!;
  const [one] = sample.gates;
  const passed = ["a", "b", "errors"].map((metric) => ({
    ...one!,
    metric,
    rule: metric === "errors" ? metric : `${metric} drop <= 0.02`,
    verdict: "pass" as const,
  }));
  const summaryOf = (gates: readonly GateReport[]): string =>
    renderSummary({ ...sample, gates: [{ ...one!, verdict: "fail" }, ...gates] });
  expect(summaryOf(passed)).toContain("\n✅ 2 more passed, and the errors gate\n");
  expect(summaryOf([...passed.slice(0, 2), passed[0]!])).toContain("\n✅ 3 more passed\n");
});
