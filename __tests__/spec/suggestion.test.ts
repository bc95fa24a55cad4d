import { expect, test } from "@jest/globals";
import { nearestWord } from "../../src/spec/suggestion.ts";
import { parseDuration } from "../../src/duration.ts";

test("a misspelt word finds the intended one, and an unrelated one finds none", () => {
  const known = ["min_scale", "max_scale", "cpu", "labels"];
  expect(
    ["min_scal", "minScale", "min-scale", "mni_scale", "lables", "CPU", "replicas", "x"].map(
      (word) => nearestWord(word, known),
    ),
  ).toEqual([
    "min_scale",
    "min_scale",
    "min_scale",
    "min_scale",
    "labels",
    "cpu",
    undefined,
    undefined,
  ]);
  // As far from a short word, which it is not close to.
  expect(nearestWord("source_cfg", ["source", "source_config"])).toBe("source_config");
  expect(nearestWord("x".repeat(100_000), known)).toBeUndefined();
});

test("durations are a number and a unit, above zero", () => {
  expect(["500ms", "90s", "30m", "1h", "1.5h"].map(parseDuration)).toEqual([
    500, 90_000, 1_800_000, 3_600_000, 5_400_000,
  ]);
  expect(["", "5", "0s", "-1s", "1 m", "1d", "1e3s", "9999999h", "m"].map(parseDuration)).toEqual(
    Array(9).fill(undefined),
  );
});
