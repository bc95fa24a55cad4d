import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readOne } from "../experiment/read-text.ts";
import { repositoryRoot } from "../support/tree.ts";

const FOLDER = join(repositoryRoot, "examples/mappings");
const json = (value: unknown): string => JSON.stringify(value);
const lines = (...rows: unknown[]): string => rows.map((row) => `${json(row)}\n`).join("");

const sample = (task: string, plus: string): object => ({
  task_id: task,
  solution: "def f(): pass",
  base_status: "pass",
  plus_status: plus,
});
const doc = (n: number, acc: number): object => ({
  doc_id: n,
  doc: { question: `q${n}` },
  target: "a",
  filtered_resps: ["a"],
  acc,
});
const attempt = (n: number, status: number, hits: number[]): object => ({
  entry_type: "attempt",
  status,
  probe_classname: "dan.Dan",
  prompt: `p${n}`,
  outputs: ["no", "yes"],
  detector_results: { "mitigation.Bypass": hits },
});
const run = (task: number, trial: number, reward: number, error?: string): object => ({
  task_id: task,
  trial,
  reward,
  traj: [],
  info: { ...(error === undefined ? {} : { error }), task: { instruction: `do ${task}` } },
});

/** A file as each tool writes it, and what its mapping reads there: rows, examples, errors, means. */
const READ: Readonly<Record<string, readonly [name: string, text: string, read: unknown]>> = {
  "evalplus.yml": [
    "humaneval_eval_results.json",
    json({
      date: "d",
      eval: { "HumanEval/0": [sample("HumanEval/0", "pass"), sample("HumanEval/0", "fail")] },
    }),
    [2, 1, 0, { base: 1, plus: 0.5 }],
  ],
  "humaneval.yml": [
    "samples.jsonl_results.jsonl",
    lines(
      { task_id: "HumanEval/0", completion: "c", result: "passed", passed: true },
      { task_id: "HumanEval/1", completion: "c", result: "failed: x", passed: false },
    ),
    [2, 2, 0, { passed: 0.5 }],
  ],
  "swe-bench.yml": [
    "report.json",
    json({
      "a__a-1": { resolved: true, patch_successfully_applied: true },
      "b__b-2": { resolved: false },
    }),
    [2, 2, 0, { resolved: 0.5, patch_applied: 1 }],
  ],
  "garak.yml": [
    "garak.report.jsonl",
    lines({ entry_type: "init" }, attempt(0, 1, []), attempt(0, 2, [0, 1]), attempt(1, 2, [1, 1]), {
      entry_type: "eval",
    }),
    [2, 2, 0, { "mitigation.Bypass": 0.75 }],
  ],
  "trulens.yml": [
    "records.csv",
    "app_id,record_id,input,output,Answer Relevance,Groundedness,latency,total_tokens,total_cost\na,r1,q,o,1,0.5,2,10,0.01\n",
    [1, 1, 0, { "Answer Relevance": 1, Groundedness: 0.5 }],
  ],
  "lm-eval-result.yml": [
    "result.json",
    json({
      results: {},
      versions: {},
      configs: {},
      samples: { arc: [doc(0, 1), doc(1, 0)], mmlu: [doc(0, 1), doc(1, 1)] },
    }),
    [4, 4, 0, { acc: 0.75 }],
  ],
  "promptflow.yml": [
    "output.jsonl",
    lines(
      { line_number: 0, question: "q", answer: "a", gpt_coherence: 5 },
      { line_number: 1, question: "r", answer: "a", gpt_coherence: 4 },
    ),
    [2, 2, 0, { gpt_coherence: 4.5 }],
  ],
  "tau-bench.yml": [
    "runs.json",
    json([run(0, 0, 1), run(0, 1, 0), run(1, 0, 0, "timeout")]),
    [3, 2, 1, { reward: 0.5 }],
  ],
};

test("every example of a mapping reads a file of its tool", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(READ).sort());
});

test.each(Object.entries(READ))(
  "%s reads a file of its tool as expected",
  async (mapping, [name, text, read]) => {
    const how = readFileSync(join(FOLDER, mapping), "utf8");
    const { experiment, rows } = await readOne(text, { name, mapping: how });
    const means = Object.fromEntries(
      Object.entries(experiment.scores).map(([key, { mean }]) => [key, mean]),
    );
    const examples = new Set(rows.map(({ inputs }) => json(inputs))).size;
    expect([experiment.rowCount, examples, experiment.errorCount, means]).toEqual(read);
    expect(experiment.warnings.join()).not.toContain("numbers not read");
  },
);
