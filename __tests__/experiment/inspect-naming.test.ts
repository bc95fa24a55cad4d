import { expect, test } from "@jest/globals";
import { namingOf } from "../../src/experiment/formats/inspect-sample.ts";

const LOG = { eval: { task: "capitals", dataset: { samples: 3 } } };
const NAMED = { task: "capitals" };

test.each([
  ["1 to n", ["1", "2", "3"], null],
  ["some of 1 to n, of a log that was cut off", ["2", "3"], null],
  ["a number beyond n", ["1", "2", "99"], NAMED],
  ["0", ["0", "1", "2"], NAMED],
  ["words", ["france", "spain", "peru"], NAMED],
  ["a word among numbers", ["1", "2", "three"], NAMED],
])("Inspect's ids count as given by a person unless they are just 1 to n: %s", (_, ids, naming) => {
  expect(namingOf(LOG, ids)).toEqual(naming);
});
