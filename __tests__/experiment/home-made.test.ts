import { describe, expect, test } from "@jest/globals";
import { problemsOf, readOne, readTexts, rowsOf } from "./read-text.ts";

/** A result file as somebody's own script writes it, and the mapping that reads it. */
interface Shape {
  readonly is: string;
  readonly file: unknown;
  readonly name?: string;
  readonly mapping: string;
  readonly scores: Readonly<Record<string, number>>;
  readonly rows?: number;
}

const jsonl = (...rows: unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const SHAPES: readonly Shape[] = [
  {
    is: "results next to a summary",
    file: {
      model: "m",
      accuracy: 0.5,
      results: [
        { question: "a", answer: "b", correct: true },
        { question: "c", answer: "d", correct: false },
      ],
    },
    mapping:
      "rows: results\ninputs.question: question\nactual_outputs.answer: answer\nevaluation_scores.correct: correct",
    scores: { correct: 0.5 },
  },
  {
    is: "evals that hold results",
    file: {
      evals: [
        { name: "e", results: [{ input: "a", score: 1 }] },
        { name: "f", results: [{ input: "a", score: 0 }] },
      ],
    },
    mapping:
      'rows: evals[].results[]\ninputs.input: input\nidentity: ["evals[].name", input]\nrun_metadata.eval: evals[].name\nevaluation_scores.score: score',
    scores: { score: 0.5 },
  },
  {
    is: "a list of scores by name",
    file: {
      results: [
        {
          input: "a",
          scores: [
            { name: "tone", value: 1, reason: "r" },
            { name: "facts", value: 0 },
          ],
        },
      ],
    },
    mapping:
      "rows: results\ninputs.input: input\nevaluation_scores: { list: scores, key: name, score: value, comment: reason }",
    scores: { tone: 1, facts: 0 },
  },
  {
    is: "an object of scores",
    file: [{ query: "a", scores: { tone: 1, facts: 0.5 } }],
    mapping: "inputs.query: query\nevaluation_scores: scores",
    scores: { tone: 1, facts: 0.5 },
  },
  {
    is: "an object of metrics with reasons",
    file: [
      {
        query: "a",
        metrics: { tone: { score: 1, reason: "r" }, facts: { score: 0, reason: "s" } },
      },
    ],
    mapping:
      "inputs.query: query\nevaluation_scores: { list: metrics, score: score, comment: reason }",
    scores: { tone: 1, facts: 0 },
  },
  {
    is: "verdicts in words",
    file: jsonl({ q: "a", verdict: "PASS" }, { q: "b", verdict: "fail" }),
    name: "r.jsonl",
    mapping:
      "inputs.q: q\nevaluation_scores.verdict: { column: verdict, words: { pass: 1, fail: 0 } }",
    scores: { verdict: 0.5 },
  },
  {
    is: "rows by id",
    file: { by_id: { one: { prompt: "a", score: 1 }, two: { prompt: "b", score: 0 } } },
    mapping: "rows: by_id.*\ninputs.prompt: prompt\nidentity: $key\nevaluation_scores.score: score",
    scores: { score: 0.5 },
  },
  {
    is: "rows by id at the root",
    file: { one: { prompt: "a", score: 1 }, two: { prompt: "b", score: 0 } },
    mapping: 'rows: "*"\ninputs.prompt: prompt\nevaluation_scores.score: score',
    scores: { score: 0.5 },
  },
  {
    is: "a table in columns and data",
    file: {
      columns: ["q", "score"],
      index: [0, 1],
      data: [
        ["a", 1],
        ["b", 0],
      ],
    },
    mapping: "orient: split\ninputs.q: q\nevaluation_scores.score: score",
    scores: { score: 0.5 },
  },
  {
    is: "a table by column, as to_dict writes it",
    file: { q: { 0: "a", 1: "b" }, score: { 0: 1, 1: 0 } },
    mapping: "orient: columns\ninputs.q: q\nevaluation_scores.score: score",
    scores: { score: 0.5 },
  },
  {
    is: "a table of lists",
    file: { table: { q: ["a", "b"], score: [1, 0] } },
    mapping: "rows: table\norient: columns\ninputs.q: q\nevaluation_scores.score: score",
    scores: { score: 0.5 },
  },
  {
    is: "a table by row index",
    file: { r1: { q: "a", score: 1 }, r2: { q: "b", score: 0 } },
    mapping: "orient: index\ninputs.q: q\nevaluation_scores.score: score",
    scores: { score: 0.5 },
  },
  {
    is: "the answer inside of choices",
    file: [{ messages: [{ role: "user", content: "a" }], choices: [{ text: "b" }], score: 1 }],
    mapping:
      "inputs.messages: messages\nactual_outputs.text: choices[0].text\nevaluation_scores.score: score",
    scores: { score: 1 },
  },
  {
    is: "two turns, the question is the last",
    file: [{ turns: ["hello", "a"], eval: { ok: true } }],
    mapping: "inputs.question: turns[-1]\nevaluation_scores.ok: eval.ok",
    scores: { ok: 1 },
  },
  {
    is: "warm-up rows to be left out",
    file: jsonl({ q: "w", kind: "warmup", s: 0 }, { q: "a", kind: "real", s: 1 }),
    name: "r.jsonl",
    mapping: "where: { kind: { not: warmup } }\ninputs.q: q\nevaluation_scores.s: s",
    scores: { s: 1 },
    rows: 1,
  },
  {
    is: "only the finished rows",
    file: {
      runs: [
        { q: "a", status: "done", s: 1 },
        { q: "b", status: "running" },
        { q: "c", status: "ok", s: 0 },
      ],
    },
    mapping: "rows: runs\nwhere: { status: [done, ok] }\ninputs.q: q\nevaluation_scores.s: s",
    scores: { s: 0.5 },
    rows: 2,
  },
  {
    is: "a score that only some rows have",
    file: [
      { q: "a", s: 1, tone: 0.5 },
      { q: "b", s: 0 },
    ],
    mapping: "inputs.q: q\nevaluation_scores.s: s\nevaluation_scores.tone: tone?",
    scores: { s: 0.5, tone: 0.5 },
  },
  {
    is: "case ids as identity",
    file: { cases: [{ case_id: "c1", transcript: ["x"], passed: true }] },
    mapping: "rows: cases\nidentity: case_id\nevaluation_scores.passed: passed",
    scores: { passed: 1 },
  },
  {
    is: "a judge's JSON inside of a cell",
    file: 'question,judge\na,"{""relevance"": 4, ""tone"": 5}"\n',
    mapping: "inputs.question: question\nevaluation_scores: judge",
    scores: { relevance: 4, tone: 5 },
  },
  {
    is: "a spreadsheet with spaces and question marks",
    file: "Test Question,Agent Reply,Correct?\na,b,1\nc,d,0\n",
    mapping:
      'inputs.question: Test Question\nactual_outputs.reply: Agent Reply\nevaluation_scores.correct: "Correct?"',
    scores: { correct: 0.5 },
  },
  {
    is: "yes and no in a spreadsheet",
    file: "q,ok\na,Yes\nb,No\n",
    mapping: 'inputs.q: q\nevaluation_scores.ok: { column: ok, words: { "yes": 1, "no": 0 } }',
    scores: { ok: 0.5 },
  },
  {
    is: "suites of cases of runs",
    file: { suites: [{ id: "s", cases: [{ prompt: "a", runs: [{ score: 1 }, { score: 0 }] }] }] },
    mapping:
      "rows: suites[].cases[].runs[]\ninputs.prompt: suites[].cases[].prompt\nevaluation_scores.score: score",
    scores: { score: 0.5 },
    rows: 2,
  },
  {
    is: "a model's results by test name",
    file: { models: { gpt: { tests: { one: { input: "a", pass: true } } } } },
    mapping:
      "rows: models.*.tests.*\ninputs.test: $key\ninputs.input: input\nevaluation_scores.pass: pass",
    scores: { pass: 1 },
  },
  {
    is: "lines that hold batches",
    file: jsonl(
      {
        batch: [
          { q: "a", s: 1 },
          { q: "b", s: 0 },
        ],
      },
      { batch: [{ q: "c", s: 1 }] },
    ),
    name: "r.jsonl",
    mapping: "rows: batch[]\ninputs.q: q\nevaluation_scores.s: s",
    scores: { s: 2 / 3 },
    rows: 3,
  },
  {
    is: "letters as grades",
    file: [
      { q: "a", grade: "A" },
      { q: "b", grade: "C" },
    ],
    mapping:
      "inputs.q: q\nevaluation_scores.grade: { column: grade, words: { A: 1, B: 0.75, C: 0.5 } }",
    scores: { grade: 0.75 },
  },
  {
    is: "errors and seconds next to the scores",
    file: [
      { q: "a", s: 1, err: null, secs: 2 },
      { q: "b", s: null, err: "boom", secs: 1 },
    ],
    mapping: "inputs.q: q\nevaluation_scores.s: s\nerror: err\nduration_s: secs",
    scores: { s: 1 },
    rows: 2,
  },
  {
    is: "keys with dots in them",
    file: [{ "input.text": "a", "score.total": 1 }],
    mapping: "inputs.text: input.text\nevaluation_scores.total: score.total",
    scores: { total: 1 },
  },
  {
    is: "criteria that were met or not",
    file: [
      {
        task: "a",
        criteria: [
          { criterion: "polite", met: "yes" },
          { criterion: "short", met: "no" },
        ],
      },
    ],
    mapping:
      'inputs.task: task\nevaluation_scores: { list: criteria, key: criterion, score: met, words: { "yes": 1, "no": 0 } }',
    scores: { polite: 1, short: 0 },
  },
  {
    is: "trials that are counted",
    file: jsonl({ task: "a", trial: 0, reward: 1 }, { task: "a", trial: 1, reward: 0 }),
    name: "r.jsonl",
    mapping: "inputs.task: task\nrepeat: trial\nevaluation_scores.reward: reward",
    scores: { reward: 0.5 },
    rows: 2,
  },
  {
    is: "nested judge output with the model's name outside",
    file: {
      run: { model: "m" },
      items: [
        { sample: { input: "a", ideal: "b" }, result: { completion: "b", judge: { score: 1 } } },
      ],
    },
    mapping:
      "rows: items\nexperiment_metadata.model: run.model\ninputs.input: sample.input\nexpected_outputs.ideal: sample.ideal\nactual_outputs.text: result.completion\nevaluation_scores.judge: result.judge.score",
    scores: { judge: 1 },
  },
];

describe("home-made result files", () => {
  test("come in thirty shapes, each read by a mapping of at most twelve lines", () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(30);
    for (const { mapping } of SHAPES) expect(mapping.split("\n").length).toBeLessThanOrEqual(12);
  });

  test.each(SHAPES.map((shape) => [shape.is, shape] as const))(
    "are read with a mapping: %s",
    async (_, shape) => {
      const text = typeof shape.file === "string" ? shape.file : JSON.stringify(shape.file);
      const { experiment } = await readOne(text, {
        mapping: shape.mapping,
        name: shape.name ?? "r",
      });
      const means = Object.entries(experiment.scores).map(([key, { mean }]) => [key, mean]);
      expect(Object.fromEntries(means)).toEqual(shape.scores);
      if (shape.rows !== undefined) expect(experiment.rowCount).toBe(shape.rows);
    },
  );

  test.each([
    ["JSONL", (rows: object[]) => jsonl(...rows)],
    ["a list of rows", (rows: object[]) => JSON.stringify({ rows })],
  ])(
    "with objects called inputs and outputs are not taken for Azure's dotted columns: %s",
    async (_, toText) => {
      const rows = ["a", "b"].map((q) => ({
        inputs: { q },
        outputs: { answer: q },
        scores: { correct: 1 },
      }));
      const { experiments, problems } = await readTexts({ results: toText(rows) });
      expect(problems.map(({ message }) => message).join()).not.toMatch(/azure/i);
      expect(experiments.map(({ format }) => format)).not.toContain("azure");
      for (const experiment of experiments) {
        const [one, other] = rowsOf(experiment);
        expect(one!.example).not.toBe(other!.example);
      }
    },
  );

  test("are refused with the keys of their rows if no row has a path of the mapping", async () => {
    const [message] = await problemsOf(JSON.stringify([{ q: "a", s: 1 }]), {
      mapping: "inputs.q: q\nevaluation_scores.tone: scores.tone",
    });
    expect(message).toMatch(
      /evaluation_scores\.tone: no row has scores\.tone.*Rows have q, s.*scores\.tone\?/s,
    );
  });

  test("are refused if the items of a list lack the score, or if there are no rows", async () => {
    const [noScore] = await problemsOf(
      JSON.stringify([{ q: "a", l: [{ name: "x", points: 1 }] }]),
      {
        mapping: "inputs.q: q\nevaluation_scores: { list: l, key: name, score: value }",
      },
    );
    expect(noScore).toMatch(/no row has l\[\]\.value/);
    const [noRows] = await problemsOf(JSON.stringify({ evals: [{ name: "e" }] }), {
      mapping: "rows: evals[].results[]\ninputs.q: q\nevaluation_scores.s: s",
    });
    expect(noRows).toMatch(/no rows at "evals\[\]\.results\[\]"/);
  });

  test("note how many rows `where` leaves out", async () => {
    const { experiment } = await readOne(
      JSON.stringify([
        { q: "a", k: "x", s: 1 },
        { q: "b", k: "y", s: 1 },
      ]),
      {
        mapping: "where: { k: x }\ninputs.q: q\nevaluation_scores.s: s",
      },
    );
    expect([experiment.notes, experiment.warnings]).toEqual([["`where` left out 1 row"], []]);
  });
});

describe("the mapping that a refusal gives to start from", () => {
  test.each([
    [
      "nested lists",
      { evals: [{ name: "e", results: [{ input: "a", output: "b", correct: true }] }] },
    ],
    ["rows by id", { by_id: { one: { prompt: "a", grade: 1 }, two: { prompt: "b", grade: 0 } } }],
    [
      "scores in a list",
      { items: [{ question: "a", checks: [{ name: "x", score: 1, reason: "r" }] }] },
    ],
    [
      "a split table",
      {
        columns: ["question", "grade"],
        data: [
          ["a", 1],
          ["b", 0],
        ],
      },
    ],
    [
      "words",
      [
        { question: "a", verdict: "pass" },
        { question: "b", verdict: "fail" },
      ],
    ],
    [
      "scores in a list, as SageMaker writes them",
      [
        {
          model_input: "a",
          model_output: "b",
          target_output: "c",
          scores: [{ name: "f1", value: 0.5 }],
        },
      ],
    ],
    [
      "scores in a list, as Bedrock writes them",
      [
        {
          automatedEvaluationResult: { scores: [{ metricName: "Accuracy", result: 0.5 }] },
          inputRecord: { prompt: "a", referenceResponse: "b" },
        },
      ],
    ],
    ["scores below a key", { data: [{ query: "a", eval: { tone: 0.5 }, tokens: 12 }] }],
  ])("reads the file it was made of: %s", async (_, file) => {
    const text = JSON.stringify(file);
    const [message] = await problemsOf(text);
    expect(message).toMatch(/the format is not known/);
    expect(message).not.toMatch(/no column of numbers/);
    const { experiment } = await readOne(text, { mapping: message!.slice(message!.indexOf("{")) });
    expect(Object.values(experiment.scores).length).toBeGreaterThan(0);
    expect(experiment.scores["tokens"]).toBeUndefined();
  });
});
