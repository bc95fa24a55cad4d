import { expect, test } from "@jest/globals";
import { alonePairs, createPool } from "../../src/gate/pool.ts";

/** Examples of four runs, two on each side. */
const marksOf = (words: readonly string[]) =>
  createPool(alonePairs(Float64Array.from(words.join(""), Number), 4, 2), true);
const times = (many: number, word: string): string[] => Array.from({ length: many }, () => word);

test.each([
  // The variance within examples as a share of all: none, all, and 0.5333, which is 0.6 of the way from 1/3 to 2/3.
  ["none if examples break as a whole", [...times(5, "1111"), ...times(5, "0000")], 0.5, 0],
  ["all if the runs of each example differ", times(10, "1110"), 0.75, 1],
  ["a part in between", [...times(3, "1111"), ...times(3, "0000"), ...times(4, "1100")], 0.5, 0.6],
  ["all if nothing failed", times(10, "1111"), 1, 1],
])("of what a worse agent loses, single runs lose %s", (_, words, good, withinShare) => {
  const pool = marksOf(words);
  expect(pool.marks!.good).toBeCloseTo(good, 12);
  expect(pool.marks!.withinShare).toBeCloseTo(withinShare, 12);
  expect(pool.largest).toBeCloseTo(good, 12);
  expect(pool.most).toEqual({ pairs: 1, values: 4 });
});
