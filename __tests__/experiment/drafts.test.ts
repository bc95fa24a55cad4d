import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { readHead } from "../../src/experiment/formats/head.ts";
import { memoryFile } from "./memory-file.ts";
import { draftMapping } from "../../src/experiment/formats/mapping-draft.ts";
import { repositoryRoot } from "../support/tree.ts";
import { problemsOf, readOne, readTexts, rowsOf } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** The draft that is proposed for a file, as a person would copy it. */
async function draftOf(name: string, content: string | Buffer): Promise<string | null> {
  const text = draftMapping(await readHead(memoryFile(name, content)));
  return text.split("a mapping to start from: ")[1] ?? null;
}

const FOLDERS = ["producers/files", "fixtures"].map((folder) =>
  join(repositoryRoot, "__tests__/experiment", folder),
);
const samples: readonly (readonly [name: string, content: string | Buffer])[] = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && /\.(?:json|jsonl|csv)$/.test(path))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)] as const),
  ),
  ...Object.values(FORMAT_EXAMPLES)
    .flat()
    .map(({ name, text }) => [name, text] as const),
];

/** What a person still has to say: the draft has a gap for it, or some rows have no such column, or the file itself is refused. */
const LEFT_OPEN = /THE_COLUMN_WITH_THE_INPUT|inputs is required|is there twice; rename one/;

describe("a draft of a mapping", () => {
  test("is valid YAML for every file, and reads the file as far as its names allow", async () => {
    const drafted: string[] = [];
    for (const [name, content] of samples) {
      const mapping =
        (await draftOf(name, content))?.replaceAll("THE_NUMBER_IT_COUNTS", "0.5") ?? null;
      if (mapping === null || !mapping.includes(":")) continue;
      drafted.push(name);
      const { problems } = await readTexts({ [name]: content }, { mapping });
      expect([name, problems.filter(({ message }) => !LEFT_OPEN.test(message))]).toEqual([
        name,
        [],
      ]);
    }
    expect(drafted.length).toBeGreaterThan(100);
  });

  test("distinguishes two models that got the same input, and takes neither a setting nor a time for a score", async () => {
    const rows = (models: readonly string[], more: object = { question: "q" }): string =>
      models
        .map((model) => `${json({ ...more, model_name: model, k: 3, ts: 1.5, ok: true })}\n`)
        .join("");
    const examplesOf = async (text: string): Promise<number> => {
      const mapping = (await draftOf("r.jsonl", text))!.replace("THE_COLUMN_WITH_THE_INPUT", "k");
      const { experiments, problems } = await readTexts({ "r.jsonl": text }, { mapping });
      expect(problems).toEqual([]);
      expect(Object.keys(experiments[0]!.scores)).toEqual(["ok"]);
      return new Set((await rowsOf(experiments[0]!)).map(({ example }) => example)).size;
    };
    expect(await examplesOf(rows(["a", "b"]))).toBe(2);
    expect(await examplesOf(rows(["a", "a"]))).toBe(1);
    expect(await examplesOf(rows(["a", "b"], { case_id: "c1" }))).toBe(2);
  });

  test.each([
    ["one name at several paths", [{ a: { input: "q" }, input: "r", b: { input: "s" }, m: 1 }]],
    ["names with YAML punctuation", [{ input: "q", "a: b": 1, "x, y": 2, "{z}": 3, "- #n": 4 }]],
    ["names that are YAML keywords", [{ input: "q", yes: 1, null: 2, "1": 3, "~": 4 }]],
    ["names without a letter", [{ input: "q", "": 1, " ": 2, "…": 3, ":": 4, "%": 5, m: 1 }]],
    ["names that end in a question mark", [{ "input?": "q", input: "q", "ok?": 1 }]],
    [
      "two lists of scores",
      [{ input: "q", s: [{ name: "a", score: 1 }], t: [{ name: "b", value: 0 }] }],
    ],
  ])("reads its own file without a problem: %s", async (_, rows) => {
    const mapping = (await draftOf("r.json", json(rows)))!;
    expect(await problemsOf(json(rows), { mapping })).toEqual([]);
  });

  test("a percentage is a metric, with or without a space before its sign", async () => {
    for (const percentage of ["85%", "85 %"]) {
      const text = `frage,ergebnis\n${["a", "b", "c"].map((q) => `${q},${percentage}\n`).join("")}`;
      const mapping = (await draftOf("r.csv", text))!;
      const { rows } = await readOne(text, { name: "r.csv", mapping });
      expect(rows[0]!.evaluation_scores).toEqual([{ key: "ergebnis", score: 0.85 }]);
    }
  });

  test("a column whose name contains a bar is read", async () => {
    const text = "question | prompt,score\nWhat?,1\nWhy?,0\n";
    const mapping = (await draftOf("r.csv", text))!;
    const { rows } = await readOne(text, { name: "r.csv", mapping });
    expect(rows.map(({ inputs }) => Object.values(inputs))).toEqual([["What?"], ["Why?"]]);
  });

  test.each(["nr", "q", "problem"])(
    "row numbers that start again in each arm identify examples: %s",
    async (name) => {
      const arm = (scores: readonly number[]): object[] =>
        scores.map((score, n) => ({ [name]: n + 1, score }));
      const text = json({ A: arm([1, 0, 1]), B: arm([0, 1, 1]) });
      const mapping = (await draftOf("r.json", text))!;
      const { rows } = await readOne(text, { name: "r.json", mapping });
      expect(rows.map((row) => row.evaluation_scores)).toEqual(
        [1, 0, 1, 0, 1, 1].map((score) => [{ key: "score", score }]),
      );
      expect(new Set(rows.map(({ row_id }) => row_id)).size).toBe(6);
      expect(rows.map(({ inputs }) => inputs[name])).toEqual([1, 2, 3, 1, 2, 3]);
    },
  );

  test("columns with dots are mapped by their first part", async () => {
    const row = {
      "inputs.question": "a",
      "inputs.response": "b",
      "outputs.answer": "c",
      "reference.answer": "d",
      "feedback.exact": 1,
    };
    const mapping = (await draftOf("r.jsonl", `${json(row)}\n`))!;
    const { rows } = await readOne(`${json(row)}\n`, { name: "r.jsonl", mapping });
    expect(rows[0]).toMatchObject({
      inputs: { question: "a" },
      actual_outputs: { response: "b", answer: "c" },
      expected_outputs: { reference_answer: "d" },
      evaluation_scores: [{ key: "exact", score: 1 }],
    });
  });
});

test("a kind of row is left out if its keys differ from the others', however few rows it has", async () => {
  const row = (type: string, more: object) => json({ type, ...more });
  const asked = { question: "q", answer: "a", correct: true };
  const text = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const rows = [row("hard", asked), row("hard", { ...asked, question: "r" })];
  for (const others of [rows, rows.slice(1)]) {
    const same = (await draftOf("r.jsonl", text(row("easy", asked), ...others)))!;
    expect(same).not.toContain("where:");
  }
  const other = (await draftOf("r.jsonl", text(row("run", { total: 2 }), ...rows)))!;
  expect(other).toContain("where: { type: hard }");
});

test("a column is optional only if some row lacks it", async () => {
  const rows = [
    { question: "q", answer: "a", correct: true, score: 1 },
    { question: "r", answer: "b", correct: false },
  ];
  expect(await draftOf("r.json", json(rows))).toBe(
    '{ inputs.question: question, actual_outputs.answer: answer, evaluation_scores.correct: correct, evaluation_scores.score: "score?" }',
  );
});

test("a one-letter prefix says what its columns are", async () => {
  const row = { "q.text": "a", answer: "b", correct: true };
  const mapping = (await draftOf("r.jsonl", `${json(row)}\n`))!;
  const { rows } = await readOne(`${json(row)}\n`, { name: "r.jsonl", mapping });
  expect(rows[0]).toMatchObject({ inputs: { text: "a" }, actual_outputs: { answer: "b" } });
});

test("a draft takes the service's own fields whole, and does not take the expected output for an answer", async () => {
  const fields = {
    inputs: { q: "a" },
    outputs: { answer: "b" },
    reference_outputs: { answer: "c" },
  };
  const cells = Object.values(fields).map((value) => `"${json(value).replaceAll('"', '""')}"`);
  const texts = {
    "r.jsonl": `${json({ ...fields, feedback: [{ key: "ok", score: 1 }] })}\n`,
    "r.csv": `${Object.keys(fields)},ok\n${cells},1\n`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const mapping = (await draftOf(name, text))!;
    const { rows } = await readOne(text, { name, mapping });
    expect(rows[0]).toMatchObject({
      inputs: { q: "a" },
      actual_outputs: { answer: "b" },
      expected_outputs: { answer: "c" },
      evaluation_scores: [{ key: "ok", score: 1 }],
    });
  }
});

/** A report as Pydantic Evals 2.62 writes it: what crashed is separate. */
const pydantic = (crashed: readonly string[], passed = ["q0", "q1"]): string =>
  json({
    name: "task",
    cases: passed.map((inputs) => ({
      name: inputs,
      inputs,
      metadata: { tier: 1 },
      expected_output: "a",
      output: "a",
      metrics: {},
      scores: { Acc: { name: "Acc", value: 1, reason: "same", source: { name: "Acc" } } },
      labels: {},
      assertions: { IsText: { name: "IsText", value: true, reason: null } },
      task_duration: 0.1,
      evaluator_failures: [],
    })),
    failures: crashed.map((inputs) => ({
      name: inputs,
      inputs,
      metadata: null,
      expected_output: "a",
      error_message: "RuntimeError: 429",
      error_stacktrace: "Traceback",
    })),
    analyses: [],
    report_evaluator_failures: [],
    experiment_metadata: null,
  });

describe("cases that crashed, in a list of their own", () => {
  test("become rows in the draft, even if there are none yet", async () => {
    for (const drafted of [pydantic(["q2"]), pydantic([]), pydantic(["q2"], ["q0"])]) {
      const mapping = (await draftOf("report.json", drafted))!;
      expect(mapping).toContain("rows: [cases, failures]");
      const { experiment, rows } = await readOne(pydantic(["q2", "q3"]), { mapping });
      expect([experiment.rowCount, experiment.errorCount]).toEqual([4, 2]);
      expect(experiment.scores).toEqual({ Acc: { mean: 1, n: 2 }, IsText: { mean: 1, n: 2 } });
      expect(rows[3]).toMatchObject({ inputs: { inputs: "q3" }, error: "RuntimeError: 429" });
      expect(await problemsOf(pydantic(["q2"], []), { mapping })).toEqual([]);
      expect(await problemsOf(pydantic([]), { mapping })).toEqual([]);
    }
  });

  test("cause a warning if the mapping leaves them out", async () => {
    const mapping =
      "rows: cases\ninputs.q: inputs\nevaluation_scores: { list: scores, score: value }\n";
    const toldOf = async (text: string): Promise<string[]> =>
      (await readOne(text, { mapping })).experiment.warnings.filter((line) =>
        line.includes("cases that crashed are rows too"),
      );
    expect(await toldOf(pydantic(["q2", "q3"]))).toEqual([
      "the file has 2 entries under failures that the mapping does not read: cases that crashed are rows too (rows: [cases, failures], with an error)",
    ]);
    expect(await toldOf(pydantic([]))).toEqual([]);
    const nested = json({ run: JSON.parse(pydantic(["q2"])) as unknown });
    const { experiment } = await readOne(nested, {
      mapping: mapping.replace("cases", "run.cases"),
    });
    expect(experiment.warnings.join()).toContain("rows: [run.cases, run.failures]");
  });

  test("a missing list is an error, and so is an invalid path", async () => {
    const mapping = "rows: [cases, failure]\ninputs.q: inputs\n";
    expect(await problemsOf(pydantic(["q2"]), { mapping })).toEqual([
      'the file has no rows at "failure"',
    ]);
    expect(
      await problemsOf(json([{ q: "a" }]), { mapping: 'rows: ["[]", ""]\ninputs.q: q\n' }),
    ).toEqual(['the file has no rows at ""']);
    for (const rows of ["[]", "[cases, 1]", "{ a: b }"])
      await expect(
        problemsOf(pydantic([]), { mapping: `rows: ${rows}\ninputs.q: inputs\n` }),
      ).rejects.toThrow();
  });

  test("are not rows of their own if the list only repeats other rows", async () => {
    const failed = { input: "a", passed: false };
    const mapping = await draftOf(
      "r.json",
      json({ tests: [{ input: "b", passed: true }, failed], failures: [failed] }),
    );
    expect(mapping).toContain("{ rows: tests, ");
  });
});
