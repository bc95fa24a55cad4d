import { expect, test } from "@jest/globals";
import { calibrateGates } from "../../src/gate/calibration.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
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

test("repeats show how often the gates, and a bare comparison, would fail an unchanged agent", () => {
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

test("a floor in the middle of the noise is shown to fail often", () => {
  const found = calibrateGates({ table: repeated(2), gates: gatesOf("a >= 0.8"), runs: 100 });
  if (found.state !== "calibrated") throw new Error(found.reason);
  expect(found.naive).toBeNull();
  expect(found.gates[0]!.failed).toBeGreaterThan(10);
});

test("the same file calibrates to the same bytes", () => {
  const once = (): string =>
    JSON.stringify(
      calibrateGates({ table: repeated(3), gates: gatesOf("a drop <= 0.02"), runs: 50 }),
    );
  expect(once()).toBe(once());
});

test("calibration without repeats says what to do", () => {
  expect(calibrateGates({ table: repeated(1), gates: gatesOf("a drop <= 0.02") })).toMatchObject({
    state: "impossible",
    reason: expect.stringMatching(/at least twice/u),
  });
});

test("calibration says if the gates do not fit the file", () => {
  expect(calibrateGates({ table: repeated(2), gates: gatesOf("b drop <= 0.02") })).toMatchObject({
    state: "impossible",
    reason: expect.stringMatching(/b is not in results\.json/u),
  });
});

test("gate --calibrate prints what it found with --quiet too, and warns of a file that it cannot split", async () => {
  const rows = (times: number): string =>
    Array.from({ length: 30 * times }, (_, k) =>
      JSON.stringify({
        inputs: { q: k % 30 },
        evaluation_scores: [{ key: "a", score: Number(k % 7 > 0) }],
      }),
    ).join("\n");
  const workspace = createTree({ "once.jsonl": rows(1), "often.jsonl": rows(4) });
  const calibrate = async (file: string) =>
    runCli(["gate", file, "--gate", "a >= 0.2", "--calibrate", "--quiet"], { workspace });
  const often = await calibrate("often.jsonl");
  expect(often.code).toBe(0);
  expect(often.stderr).toMatch(/^notice: calibration: often\.jsonl was split 400 times/mu);
  expect(often.stderr).toMatch(/^notice: calibration: a >= 0\.2: failed \d+ of 400/mu);
  const once = await calibrate("once.jsonl");
  expect(once.stderr).toMatch(/^warning: calibration: once\.jsonl has no repeats/mu);
});

test("gate --calibrate splits every provider of a file", async () => {
  const results = ["a", "b"].flatMap((id) =>
    Array.from({ length: 40 }, (_, k) => ({
      vars: { q: k % 20 },
      provider: { id },
      promptIdx: 0,
      testIdx: k % 20,
      success: k % 3 > 0,
      score: Number(k % 3 > 0),
      response: { output: "x" },
      namedScores: {},
    })),
  );
  const workspace = createTree({
    "results.json": JSON.stringify({ evalId: "e", results: { version: 3, results } }),
  });
  const run = await runCli(
    ["gate", "results.json", "--gate", "score >= 0.2", "--calibrate", "--quiet"],
    { workspace },
  );
  expect(run.stderr).toMatch(/^notice: calibration of a: results\.json was split/mu);
  expect(run.stderr).toMatch(/^notice: calibration of b: results\.json was split/mu);
});
