import { expect, test } from "@jest/globals";
import { planSamples } from "../../src/gate/sample-plan.ts";
import { bits, gatesOf, scores } from "./tables.ts";

test.each([
  ["shares", [0.5, 0.7, 0.9, 0.6], 1],
  ["ratings from 1 to 5", [1, 5, 4, 3], 4],
  ["ratings that are all one", [3, 3, 3, 3], 1],
])("drops of %s are planned as shares of what they span", (_, values, span) => {
  // What the limit allows needs no examples to be counted.
  const gates = gatesOf(`score drop <= ${0.1 * span}`);
  const { plan } = planSamples(scores([...values, ...values, ...values]), gates);
  expect(plan.metrics.map(({ falls }) => falls.map(({ fall }) => fall))).toEqual([
    [0.02 * span, 0.05 * span, 0.1 * span],
  ]);
});

test("marks of one run are planned for: more repeats take fewer examples, and never none", () => {
  const table = bits("1111111110".repeat(20));
  const { plan } = planSamples(table, gatesOf("correctness drop <= 0.05"));
  const [{ falls }] = plan.metrics as [(typeof plan.metrics)[number]];
  const examples = falls.at(-1)!.needs.map((one) => one.examples ?? 0);
  expect(examples.length).toBe(4);
  expect(examples).toEqual(examples.toSorted((a, b) => b - a));
  expect(examples.at(-1)).toBeGreaterThan(0);
});

test("with a baseline, no more examples are asked for than what runs like this one find takes", () => {
  const values = Array.from({ length: 80 }, (_, i) => (i % 20) / 20 + 0.02);
  const base = values.map((value, i) => value + (i % 2 === 0 ? 0.02 : -0.02));
  const gates = gatesOf("score drop <= 0");
  const needed = (compared?: { base: ReturnType<typeof scores> }) => {
    const [plan] = planSamples(scores(values), gates, compared).plan.metrics;
    const { fall, needs } = plan!.falls[1]!;
    return {
      notices: plan!.notices!,
      fall,
      measured: plan!.measured,
      examples: needs[0]!.examples!,
    };
  };
  // One run each does not show that the spread is between the examples.
  expect(needed()).toMatchObject({ measured: false });
  expect(needed().examples).toBeGreaterThan(80);
  const compared = needed({ base: scores(base) });
  expect(compared.measured).toBe(true);
  expect(compared.notices).toBeLessThan(compared.fall);
  expect(compared.examples).toBeLessThan(80);
});
