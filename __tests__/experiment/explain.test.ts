import { expect, test } from "@jest/globals";
import { explainExperiments } from "../../src/experiment/explain.ts";
import { readOne, rowsOf } from "./read-text.ts";

const TIMES = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:02Z" };
const ID = "0b6f0f6e-0000-4000-8000-00000000000";

test("--explain shows what was read of each row, line by line, cut to a hundred characters", async () => {
  const rows = [
    {
      ...{ row_id: `${ID}1`, inputs: { q: "a\n\tb", n: 1 }, expected_outputs: { e: true } },
      ...{ actual_outputs: { o: "x".repeat(101) }, run_metadata: { m: [1] }, error: "boom" },
      evaluation_scores: [
        { key: "s", score: 0.5, comment: "why" },
        { key: "w", value: "good" },
        { key: "both", score: 1, value: "yes", comment: "c" },
      ],
      ...TIMES,
    },
    { row_id: `${ID}2`, inputs: { q: "a\n\tb", n: 1 }, start_time: "2026-01-01T00:00:00Z" },
  ];
  const { experiment } = await readOne(JSON.stringify(rows), { name: "r.json" });
  const [{ example }] = rowsOf(experiment) as [ReturnType<typeof rowsOf>[number]];
  expect(explainExperiments([experiment])).toEqual([
    "r.json: format rows, 2 rows, 1 errored",
    "  scores: s 0.5 (1 rows), both 1 (1 rows)",
    "  note: 1 row crashed: “boom”",
    "  note: 1 row without a duration: the end is the start, so the latency shown is 0",
    "  row 1:",
    `    row_id = ${ID}1`,
    `    example = ${example}`,
    "    inputs.q = a b",
    "    inputs.n = 1",
    "    expected_outputs.e = true",
    `    actual_outputs.o = ${"x".repeat(99)}…`,
    "    score s = 0.5 (why)",
    "    score w = good",
    "    score both = 1 (c)",
    "    error = boom",
    "    duration = 2 s",
    "    run_metadata.m = [1]",
    "  row 2:",
    `    row_id = ${ID}2`,
    `    example = ${example}, repeat 1`,
    "    inputs.q = a b",
    "    inputs.n = 1",
    "    scores = none",
  ]);
});

test("--explain shows a row's line, the experiment's label and why nothing can be judged", async () => {
  const text = '{"inputs":{"q":1}}\n';
  const { experiment } = await readOne(text, { name: "r.jsonl" });
  const [{ example }] = rowsOf(experiment) as [ReturnType<typeof rowsOf>[number]];
  const whyUnscored = "no row has a score";
  expect(explainExperiments([{ ...experiment, label: "gpt", whyUnscored }])).toEqual([
    "r.jsonl (gpt): format rows, 1 rows, 0 errored",
    "  scores: none",
    "  note: 1 row without a time: the file's own time is the start",
    "  note: 1 row without a duration: the end is the start, so the latency shown is 0",
    "  no row has a score",
    "  row 1, line 1:",
    `    row_id = ${example}`,
    `    example = ${example}`,
    "    inputs.q = 1",
    "    scores = none",
  ]);
});
