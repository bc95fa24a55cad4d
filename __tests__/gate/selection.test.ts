import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { extentOf, sortFew } from "../../src/gate/selection.ts";

const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), {
  minLength: 1,
  maxLength: 50,
});

test("few values are sorted as many are, and only those asked for", () => {
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(), (all, one, other) => {
      const [from, to] = [one % all.length, other % (all.length + 1)].sort((a, b) => a - b);
      const mine = Float64Array.from(all);
      sortFew(mine, from!, to!);
      const expected = Float64Array.from(all);
      expected.subarray(from!, to!).sort();
      // 0 and -0 are one value.
      expect([...mine].map((value) => value + 0)).toEqual([...expected].map((value) => value + 0));
    }),
  );
});

test("the extent is the lowest and the highest number of all columns", () => {
  expect(extentOf(Float64Array.of(3, NaN, 5), Float64Array.of(NaN, -2))).toEqual([-2, 5]);
  expect(extentOf(Float64Array.of(NaN))).toEqual([Infinity, -Infinity]);
});
