import { expect, test } from "@jest/globals";
import { readOne } from "./read-text.ts";

/** Cells as promptfoo 0.120.8 wrote them: its template keeps its indentation where a line of the output or the reason has none. */
const CELLS = [
  "[PASS] (1.00, correctness: 1.00)\n\n  Line one ok\nLine two\n\n- bullet\ncode\n\n  Pass Reason: All assertions passed",
  '[FAIL] (0.00, correctness: 0.00)\n\n  Line one bad\nLine two\n\n- bullet\ncode\n\n  Fail Reason: Expected output to contain "Paris"',
  "[FAIL] (0.00, correctness: 0.00)\n\n  Paris bad assert\n\n  Fail Reason: Custom function threw error: Unexpected token 'throw'\nStack Trace: SyntaxError: Unexpected token 'throw'\nat new Function (<anonymous>)",
  '[FAIL] (0.70, correctness: 1.00, sub: 0.40)\n\nParis fine\n\nFail Reason: Expected output to contain "ZZ"',
  "[ERROR] (0.00)\n\n  Error: thrown boom\n\nError: thrown boom\nat module.exports.callApi (/r/prov.js:3:28)",
];
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test("a packed cell of several lines is split into its output and the grader's reason, without the template's indentation", async () => {
  const { experiment, rows } = await readOne(
    `question,[custom-js] Q: {{question}}\n${CELLS.map((cell, n) => `q${n},${quote(cell)}\n`).join("")}`,
    { name: "out.csv" },
  );
  expect([experiment.format, experiment.errorCount]).toEqual(["promptfoo", 1]);
  expect(
    rows.map(({ actual_outputs, evaluation_scores, error }) => [
      actual_outputs?.["output"] ?? error,
      evaluation_scores?.find(({ key }) => key === "score")?.comment,
    ]),
  ).toEqual([
    ["Line one ok\nLine two\n\n- bullet\ncode", "All assertions passed"],
    ["Line one bad\nLine two\n\n- bullet\ncode", 'Expected output to contain "Paris"'],
    [
      "Paris bad assert",
      "Custom function threw error: Unexpected token 'throw'\nStack Trace: SyntaxError: Unexpected token 'throw'\nat new Function (<anonymous>)",
    ],
    ["Paris fine", 'Expected output to contain "ZZ"'],
    ["Error: thrown boom", undefined],
  ]);
});
