import { expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

test("values that all change by the same amount are not pass marks, and one that falls further does not help the run", () => {
  const gates = gatesOf("gates:\n  - s drop <= 0.02\n");
  const run = (low: (i: number) => number) =>
    tableOf(Array.from({ length: 40 }, (_, i) => rowOf(exampleAt(i), { scores: { s: low(i) } })));
  const base = run(() => 0.9);
  const alike = judgeGates({ head: run((i) => (i < 4 ? 0.4 : 0.9)), base, gates });
  const lower = judgeGates({ head: run((i) => (i < 4 ? 0.4 - i / 1e4 : 0.9)), base, gates });
  expect(alike.gates[0]!.p).toBeCloseTo(1 / 32, 9);
  expect(lower.gates[0]).toMatchObject({ p: alike.gates[0]!.p, verdict: alike.verdict });
  expect(alike.gates[0]!.method).toContain("label exchange");
});
