import { expect, test } from "@jest/globals";
import { calibrateGates } from "../../src/gate/calibration.ts";
import { createSeededRandom } from "../../src/gate/random.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

const repeated = (repeats: number) => {
  const random = createSeededRandom(1);
  return tableOf(
    Array.from({ length: 40 }, (_, i) => i).flatMap((i) =>
      Array.from({ length: repeats }, () =>
        rowOf(exampleAt(i), { scores: { a: random() < 0.8 ? 1 : 0 } }),
      ),
    ),
  );
};

test("repeats show how often the gates fail an unchanged agent, and how often a bare comparison would", () => {
  const found = calibrateGates({ table: repeated(4), gates: gatesOf("a drop <= 0.02"), runs: 200 });
  if (found.state !== "calibrated") throw new Error(found.reason);
  expect(found).toMatchObject({ runs: 200, repeats: 2, examples: 40 });
  expect(found.failed / 200).toBeLessThan(0.1);
  expect(found.naive! / 200).toBeGreaterThan(0.25);
  expect(found.gates.map(({ rule }) => rule)).toEqual(["a drop <= 0.02", "errors"]);
  expect(found.reason).toMatch(
    /results\.json was split 200 times into two runs of the same agent/u,
  );
});

test("a floor in the middle of the noise is found out", () => {
  const found = calibrateGates({ table: repeated(2), gates: gatesOf("a >= 0.8"), runs: 100 });
  if (found.state !== "calibrated") throw new Error(found.reason);
  expect(found.naive).toBeNull();
  expect(found.gates[0]!.inconclusive).toBeGreaterThan(10);
});

test("the same file calibrates to the same bytes", () => {
  const once = (): string =>
    JSON.stringify(
      calibrateGates({ table: repeated(3), gates: gatesOf("a drop <= 0.02"), runs: 50 }),
    );
  expect(once()).toBe(once());
});

test("without repeats it says what to do", () => {
  expect(calibrateGates({ table: repeated(1), gates: gatesOf("a drop <= 0.02") })).toMatchObject({
    state: "impossible",
    reason: expect.stringMatching(/at least twice/u),
  });
});

test("gates that do not fit the file say so", () => {
  expect(calibrateGates({ table: repeated(2), gates: gatesOf("b drop <= 0.02") })).toMatchObject({
    state: "impossible",
    reason: expect.stringMatching(/b is not in results\.json/u),
  });
});
