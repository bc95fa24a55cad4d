import { describe, expect, test } from "@jest/globals";
import {
  compareNames,
  createNames,
  type ExampleNames,
  joinNames,
  listNames,
  orderRows,
  pickNames,
} from "../../src/gate/example-names.ts";

const namesOf = (...all: readonly (string | Uint8Array)[]): ExampleNames => {
  const names = createNames();
  for (const name of all) names.add(name);
  expect(names.size()).toBe(all.length);
  return names.finish();
};

/** Every digit at some place, both halves of each word, and a first bit that a signed number would lose. */
const SORTED = [
  "00000000-0000-0000-0000-000000000000",
  "01234567-89ab-cdef-0123-456789abcdef",
  "7fffffff-ffff-ffff-ffff-ffffffffffff",
  "80000000-0000-0000-0000-000000000000",
  "80000000-0000-0000-0000-000000000001",
  "80000000-0000-0000-8000-000000000000",
  "80000000-0001-0000-0000-000000000000",
  "fedcba98-7654-3210-fedc-ba9876543210",
  "fedcba98-7654-3210-fedc-ba9976543210",
  "fedcba98-7654-3211-0000-000000000000",
] as const;

/** The bytes of `01234567-89ab-cdef-0123-456789abcdef`, and of one with the first bit of every word. */
const BYTES = [
  Uint8Array.of(1, 35, 69, 103, 137, 171, 205, 239, 1, 35, 69, 103, 137, 171, 205, 239),
  Uint8Array.of(255, 1, 2, 3, 254, 4, 5, 6, 253, 7, 8, 9, 252, 10, 11, 12),
] as const;

describe("names that are UUIDs", () => {
  test("take four words each and read back unchanged", () => {
    const names = namesOf(...SORTED);
    expect(names.words).toHaveLength(4 * SORTED.length);
    expect([...names.words!.slice(4, 8)]).toEqual([0x01234567, 0x89abcdef, 0x01234567, 0x89abcdef]);
    expect(names).toHaveLength(SORTED.length);
    expect(listNames(names)).toEqual(SORTED);
  });

  test("are the same when they are made from bytes", () => {
    const names = namesOf(...BYTES);
    expect(listNames(names)).toEqual([SORTED[1], "ff010203-fe04-0506-fd07-0809fc0a0b0c"]);
    expect(compareNames(names, 0, namesOf(SORTED[1]), 0)).toBe(0);
    // Next to any other name they are texts like that.
    expect(namesOf("a", ...BYTES)).toEqual(["a", ...listNames(names)]);
    expect(namesOf(...BYTES, "a")).toEqual([...listNames(names), "a"]);
  });

  test("are kept, however many there are", () => {
    const toName = (n: number): string => `0000${String(n).padStart(4, "0")}-${SORTED[1].slice(9)}`;
    const all = Array.from({ length: 300 }, (_, n) => toName(n));
    const names = namesOf(...all);
    expect(names.words).toHaveLength(1200);
    expect(listNames(names)).toEqual(all);
  });

  test.each([
    ["an upper-case digit", "01234567-89aB-cdef-0123-456789abcdef"],
    ["a digit missing", "01234567-89ab-cdef-0123-456789abcde"],
    ["an extra digit", "01234567-89ab-cdef-0123-456789abcdef0"],
    ["no first hyphen", "01234567089ab-cdef-0123-456789abcdef"],
    ["no second hyphen", "01234567-89ab0cdef-0123-456789abcdef"],
    ["no third hyphen", "01234567-89ab-cdef00123-456789abcdef"],
    ["no last hyphen", "01234567-89ab-cdef-01230456789abcdef"],
    ["a hyphen for a digit", "0123456--89ab-cdef-0123-456789abcdef"],
    ["the character before 0", "01234567-89ab-cdef-0123-456789abcde/"],
    ["the character after 9", "01234567-89ab-cdef-0123-456789abcde:"],
    ["the character before a", "01234567-89ab-cdef-0123-456789abcde`"],
    ["the character after f", "01234567-89ab-cdef-0123-456789abcdeg"],
  ])("with %s are stored as texts", (_, name) => {
    const names = namesOf(SORTED[1], name, SORTED[2]);
    expect(names.words).toBeUndefined();
    expect(listNames(names)).toEqual([SORTED[1], name, SORTED[2]]);
  });

  test("are compared like their texts", () => {
    const [packed, plain] = [namesOf(...SORTED), [...SORTED]];
    for (const other of [packed, plain])
      for (let a = 0; a < SORTED.length; a++)
        for (let b = 0; b < SORTED.length; b++)
          expect(Math.sign(compareNames(packed, a, other, b))).toBe(Math.sign(a - b));
    expect(compareNames(["b"], 0, packed, 7)).toBe(-1);
    expect(compareNames(["g"], 0, packed, 7)).toBe(1);
  });
});

describe("rows are put in the order of their names", () => {
  test.each([
    ["sorted already", [0, 1, 2, 3], [0, 1, 2, 3]],
    ["the last one first", [3, 0, 1, 2], [1, 2, 3, 0]],
    ["the first two exchanged", [1, 0, 2, 3], [1, 0, 2, 3]],
    ["the last two exchanged", [0, 1, 3, 2], [0, 1, 3, 2]],
    ["equal names, which keep their order", [2, 1, 2, 1], [1, 3, 0, 2]],
    ["equal names in order", [1, 1, 2, 2], [0, 1, 2, 3]],
    ["a single row", [5], [0]],
    ["no rows", [], []],
  ])("%s", (_, at, order) => {
    expect([...orderRows(namesOf(...at.map((n) => SORTED[n]!)))]).toEqual(order);
    expect([...orderRows(at.map((n) => `name ${n}`))]).toEqual(order);
  });
});

test("names are picked by row and joined, as texts or packed", () => {
  const [packed, plain] = [namesOf(...SORTED), ["a", "b", "c"]];
  const picked = pickNames(packed, [7, 0, 1]);
  expect(picked.words).toHaveLength(12);
  expect(listNames(picked)).toEqual([SORTED[7], SORTED[0], SORTED[1]]);
  expect(pickNames(plain, [2, 0])).toEqual(["c", "a"]);
  const joined = joinNames([picked, namesOf(SORTED[4])]);
  expect(joined.words).toHaveLength(16);
  expect(listNames(joined)).toEqual([SORTED[7], SORTED[0], SORTED[1], SORTED[4]]);
  expect(joinNames([plain, picked])).toEqual(["a", "b", "c", SORTED[7], SORTED[0], SORTED[1]]);
});
