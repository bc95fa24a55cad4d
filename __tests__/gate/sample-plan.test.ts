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
