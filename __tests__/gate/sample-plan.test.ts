import { describe, expect, test } from "@jest/globals";
import { planSamples } from "../../src/gate/sample-plan.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { bits, clusteredScores, exampleAt, gatesOf, rowOf, scores, tableOf } from "./tables.ts";

test.each([
  ["shares", [0.5, 0.7, 0.9, 0.6], 1],
  ["shares from 0", [0, 0.6, 0.3, 0.2], 1],
  ["shares up to 1", [0.4, 1, 0.6, 0.5], 1],
  ["ratings from 1 to 5", [1, 5, 4, 3], 4],
  ["ratings that are all equal", [3, 3, 3, 3], 1],
])("drops of %s are planned as shares of their range", (_, values, span) => {
  // What the limit allows needs no examples to be counted.
  const gates = gatesOf(`score drop <= ${0.1 * span}`);
  const { plan } = planSamples(scores([...values, ...values, ...values]), gates);
  expect(plan.metrics.map(({ falls }) => falls.map(({ fall }) => fall))).toEqual([
    [0.02 * span, 0.05 * span, 0.1 * span],
  ]);
});

test("marks of one run can be planned for: more repeats need fewer examples, but never none", () => {
  const table = bits("1111111110".repeat(20));
  const { plan } = planSamples(table, gatesOf("correctness drop <= 0.05"));
  const [{ falls }] = plan.metrics as [(typeof plan.metrics)[number]];
  const examples = falls.at(-1)!.needs.map((one) => one.examples ?? 0);
  expect(examples.length).toBe(4);
  expect(examples).toEqual(examples.toSorted((a, b) => b - a));
  expect(examples.at(-1)).toBeGreaterThan(0);
});

/** By a normal approximation: 2 (1.6449 + 0.8416)² times the variance of one run, by the square of the fall. */
const neededFor = (variance: number, fall: number): number => (2 * 6.1826 * variance) / fall ** 2;

/** What one score's plan says, without gates or with them. */
function planOf(table: GateTable, gates: string | null = null, base: GateTable | null = null) {
  const set = gates === null ? null : gatesOf(gates);
  const { plan, problems } = planSamples(table, set, { base });
  expect(problems).toEqual([]);
  return { ...plan, one: plan.metrics[0]! };
}

/** How many examples of one run each, and of so many runs, find a fall of so much. */
const needs = ({ one }: ReturnType<typeof planOf>, fall: number, repeats = 1): number =>
  one.falls
    .find((found) => Math.abs(found.fall - fall) < 1e-9)!
    .needs.find((found) => found.repeats === repeats)!.examples!;

const expectNear = (found: number, expected: number): void => {
  expect(found / expected).toBeGreaterThan(0.85);
  expect(found / expected).toBeLessThan(1.15);
};

describe("the number of examples needed follows from the noise of one run", () => {
  const alternating = (many: number, [one, other]: readonly [number, number]) =>
    scores(Array.from({ length: many }, (_, i) => (i % 2 === 0 ? one : other)));

  test("which is the whole scatter if there are no repeats, shared by the runs of each example", () => {
    const plan = planOf(alternating(100, [0.4, 0.6]));
    expect(plan).toMatchObject({ every_score: true, gates: 1, alpha: 0.05, unplanned: [] });
    expect(plan.one).toMatchObject({
      metric: "score",
      direction: "higher",
      mean: 0.5,
      limit: 0,
      examples: 100,
      repeats: 1,
      measured: false,
      clusters: null,
      scatters: true,
    });
    for (const repeats of [1, 3, 5, 10])
      expectNear(needs(plan, 0.02, repeats), neededFor(1 / 99, 0.02) / repeats);
    expectNear(needs(plan, 0.05), neededFor(1 / 99, 0.05));
    expectNear(plan.one.notices!, Math.sqrt(neededFor(1 / 99, 1) / 100));
  });

  test("which is the same on a wider scale, as a share of the range of the values", () => {
    const plan = planOf(alternating(100, [2, 4]), "score drop <= 0.1");
    expectNear(needs(plan, 0.2), neededFor(100 / 99, 0.2));
  });

  /** Examples of two runs each, a tenth below and above a mean of their own. */
  const repeated = (many: number): GateTable =>
    tableOf(
      Array.from({ length: 2 * many }, (_, i) => {
        const mean = i % 4 < 2 ? 0.3 : 0.7;
        return rowOf(exampleAt(i >> 1), { scores: { score: mean + (i % 2 === 0 ? 0.1 : -0.1) } });
      }),
    );

  test("which is only that of repeats if there are ten or more", () => {
    const measured = planOf(repeated(10), "score drop <= 0.04");
    expect(measured.one).toMatchObject({ measured: true, repeats: 2, examples: 10 });
    expectNear(needs(measured, 0.1), neededFor(0.02, 0.1));
    const few = planOf(repeated(9), "score drop <= 0.1");
    expect(few.one).toMatchObject({ measured: false, notices: null });
  });

  test("which the runs of a baseline show like repeats", () => {
    const [now, before] = [alternating(40, [0.4, 0.7]), alternating(40, [0.6, 0.9])];
    const plan = planOf(now, "score drop <= 0.05", before);
    expect(plan.one).toMatchObject({ measured: true, repeats: 1 });
    expectNear(needs(plan, 0.1), neededFor(0.02, 0.1));
    expectNear(plan.one.notices!, Math.sqrt(neededFor(0.02, 1) / 40));
    expect(plan.compared).toEqual([
      { rule: "score drop <= 0.05", metric: "score", mde: plan.one.notices },
    ]);
  });

  test("which clusters add to by how they scatter", () => {
    const clustered = clusteredScores(20, (c) => (c % 2 === 0 ? 0.4 : 0.6));
    const plan = planOf(clustered, "gates: score drop <= 0.05\ncluster_by: inputs.c");
    expect(plan.one).toMatchObject({
      clusters: 20,
      measured: false,
      scatters: true,
      examples: 100,
    });
    // Their contributions of 0.1, and one more each way.
    const variance = (100 * (22 * 0.01)) / 21 / 20;
    expectNear(needs(plan, 0.1), neededFor(variance, 0.1));
    const single = planOf(
      clusteredScores(1, () => 0.4),
      "gates: score drop <= 0\ncluster_by: inputs.c",
    );
    expect(single.one).toMatchObject({ clusters: 1, scatters: false });
    expect(single.one.falls[0]!.needs.map(({ examples }) => examples)).toEqual(
      Array.from({ length: 4 }, () => null),
    );
  });

  test("which lets marks in clusters fall by at most what is good of them", () => {
    const marks = clusteredScores(20, (c) => Number(c % 2 === 0));
    const plan = planOf(marks, "gates: score drop <= 0.1\ncluster_by: inputs.c");
    expect(plan.one.notices).toBeGreaterThan(0.1);
    expect(plan.one.notices).toBeLessThanOrEqual(0.5);
  });

  test("which equal values do not show, while equal marks may still break", () => {
    const alike = planOf(scores(Array.from({ length: 20 }, () => 0.5)));
    expect(alike.one.scatters).toBe(false);
    expect(alike.one.falls[0]!.needs[0]!.examples).toBeNull();
    const marks = planOf(bits("1".repeat(20)), "correctness drop <= 0.05");
    expect(marks.one.scatters).toBe(true);
    expect(marks.one.falls[2]!.needs[0]!.examples).toBeGreaterThan(20);
  });
});

describe("what cannot be planned", () => {
  const table = tableOf(
    Array.from({ length: 12 }, (_, i) =>
      rowOf(exampleAt(i), { latency: i, scores: { retry_rate: i / 12, score: i / 12, cost: i } }),
    ),
  );

  test("is listed: quantiles, times, and a side that is unclear", () => {
    const gates = gatesOf(
      "latency_p95 rise <= 1s\nlatency rise <= 1s\nerror_rate rise <= 0.1\nretry_rate drop <= 0.1\nscore drop <= 0.1",
    );
    const { plan } = planSamples(table, gates);
    expect(plan.unplanned).toEqual([
      { metric: "latency_p95", why: "quantile" },
      { metric: "latency", why: "quantile" },
      { metric: "retry_rate", why: "direction" },
    ]);
    expect(plan.metrics.map(({ metric, direction }) => [metric, direction])).toEqual([
      ["error_rate", "lower"],
      ["score", "higher"],
    ]);
    expect(plan).toMatchObject({ every_score: false, gates: 5, compared: [] });
  });

  test("has no number of examples: a fall that the limit allows", () => {
    const { one } = planOf(table, "score drop <= 0.05");
    expect(one.falls.map(({ needs: found }) => found[0]!.examples === null)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
