import { expect, test } from "@jest/globals";
import { planSamples } from "../../src/gate/sample-plan.ts";
import { scores } from "./tables.ts";

test.each([
  ["shares", [0.5, 0.7, 0.9, 0.6], 1],
  ["ratings from 1 to 5", [1, 5, 4, 3], 4],
  ["ratings that are all one", [3, 3, 3, 3], 1],
])("drops of %s are planned as shares of what they span", (_, values, span) => {
  const { plan } = planSamples(scores([...values, ...values, ...values]), null);
  expect(plan.metrics.map(({ falls }) => falls.map(({ fall }) => fall))).toEqual([
    [0.02 * span, 0.05 * span, 0.1 * span],
  ]);
});
