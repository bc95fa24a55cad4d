import { expect, test } from "@jest/globals";
import { renderDuration } from "../src/duration.ts";

test.each([
  [0, "0ms"],
  [350, "350ms"],
  [999.6, "1000ms"],
  [1_000, "1s"],
  [1_600, "2s"],
  [59_600, "1m"],
  [372_000, "6m12s"],
  [3_600_000, "1h"],
  [3_900_000, "1h5m"],
  [86_400_000, "24h"],
  [-5, "0ms"],
])("%d milliseconds are printed as %s", (ms, text) => {
  expect(renderDuration(ms)).toBe(text);
});
