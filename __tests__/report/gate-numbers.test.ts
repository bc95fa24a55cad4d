import { expect, test } from "@jest/globals";
import { renderSummary } from "../../src/report/markdown.ts";
import { judgeCase, SENTENCES } from "../gate/sentences.ts";
import { SAMPLES } from "./sample-reports.ts";

test("no interval is drawn together with its limit, nor rounded inward", () => {
  const floor = judgeCase(SENTENCES.find(({ kind }) => kind === "missed")!).gate;
  const sample = SAMPLES["experiments-and-gates"]!;
  const cellOf = (ci: readonly [number, number]): string =>
    / \| (\S+ … \S+) \| ≥/.exec(
      renderSummary({ ...sample, gates: [{ ...floor, ci }], gate_verdict: "fail" }),
    )![1]!;
  expect(cellOf([0.6, 0.8499])).toBe("0.6 … 0.8499");
  expect(cellOf([0.8501, 0.9])).toBe("0.8501 … 0.9");
  expect(cellOf([0.61239, 0.71231])).toBe("0.61 … 0.72");
  expect(cellOf([0.91239, 0.93451])).toBe("0.91 … 0.94");
});
