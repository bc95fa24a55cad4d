import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isDrop, limitOf, renderBar } from "../../src/report/interval-bar.ts";

describe("the picture of an interval", () => {
  test("shows value, interval, baseline and limit in their order", () => {
    expect(renderBar({ value: 0.8, low: 0.7, high: 0.87, limit: 0.75, base: 0.83 })).toBe(
      "·━━━━━━│━━━━━●━━○━━━━━·",
    );
    expect(renderBar({ value: 0.03, low: 0.028, high: 0.035, limit: 0.05, base: null })).toMatch(
      /^·━+●━+·+│·$/,
    );
    expect(renderBar({ value: 0.8, low: 0.75, high: 0.85, limit: null, base: 0.9 })).toMatch(
      /^·━+●━+·+○·$/,
    );
  });

  test("a limit a hair beside the value stands on its own side", () => {
    expect(renderBar({ value: 0.5, low: 0, high: 1, limit: 0.5001, base: null })).toContain("●│");
    expect(renderBar({ value: 0.5, low: 0, high: 1, limit: 0.4999, base: null })).toContain("│●");
  });

  test("one number alone, and no number, are no picture that misleads", () => {
    expect(renderBar({ value: 1, low: 1, high: 1, limit: null, base: null })).toBe(
      `${"·".repeat(11)}●${"·".repeat(11)}`,
    );
    expect(renderBar({ value: NaN, low: 0, high: 1, limit: null, base: null })).toBe("");
  });

  test("is always as wide, with the value in it, whatever the numbers", () => {
    const real = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(
        real,
        real,
        real,
        fc.option(real),
        fc.option(real),
        (value, low, high, limit, base) => {
          const bar = renderBar({
            value,
            low: Math.min(low, high),
            high: Math.max(low, high),
            limit,
            base,
          });
          expect([...bar]).toHaveLength(23);
          expect(bar.match(/●/g)).toHaveLength(1);
        },
      ),
    );
  });
});

test.each([
  ["correctness >= 0.85", 0.85],
  ["error_rate <= 2%", 0.02],
  ["latency_p95 <= 500ms", 0.5],
  ["latency_p95 <= 2m", 120],
  ['"a, b" ≥ .7', 0.7],
  ["tone drop <= 0.02", null],
  ["must_pass tier: critical", null],
  ["min_rows 50", null],
])("the limit of `%s` is %j", (rule, limit) => expect(limitOf(rule)).toBe(limit));

test.each([
  ["tone drop <= 0.02", true],
  ['"name with drop" <= 2', false],
  ["drop <= 2", false],
  ["x drop < 1", true],
])("`%s` compares with the baseline: %j", (rule, drop) => expect(isDrop(rule)).toBe(drop));
