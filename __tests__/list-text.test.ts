import { expect, test } from "@jest/globals";
import fc from "./support/property.ts";
import { joinList, splitList } from "../src/cli/list-text.ts";

test("a list that is joined and split again has the same items, whatever is in their names", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", ",", "|", '"', " ", "{", "}", "\n"), minLength: 1 })
    .filter((text) => text !== "");
  fc.assert(
    fc.property(fc.array(name), (names) => {
      expect(splitList(joinList(names))).toEqual(names);
    }),
  );
});

test("lists are split at commas and line breaks, outside quotes and braces", () => {
  expect(splitList("a, b\n c ,\n\n{x,y}.yml, d")).toEqual(["a", "b", "c", "{x,y}.yml", "d"]);
  expect(splitList('"a, b", c')).toEqual(["a, b", "c"]);
  expect(splitList(" \n ")).toEqual([]);
  expect(splitList('say "hi", b')).toEqual(['say "hi"', "b"]);
});
