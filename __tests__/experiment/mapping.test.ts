import { describe, expect, test } from "@jest/globals";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { FORMATS } from "../../src/experiment/formats/registry.ts";
import { problemsOf, readOne, readTexts } from "./read-text.ts";

const CSV = "question,lang,answer,correct,tone,secs\nFrance?,en,Paris,1,0.5,2.5\n";

async function rowOf(mapping: string, text = CSV): Promise<Record<string, unknown>> {
  const { rows } = await readOne(text, { mapping });
  const { row_id: _, ...row } = rows[0]!;
  return row as unknown as Record<string, unknown>;
}

describe("a mapping", () => {
  test("takes scores by the name of their column: one, a list, an object, or the service's own list", async () => {
    expect(
      (await rowOf("inputs.q: question\nevaluation_scores: correct\n"))["evaluation_scores"],
    ).toEqual([{ key: "correct", score: 1 }]);
    expect(
      (await rowOf("inputs.q: question\nevaluation_scores: [correct, tone]\n"))[
        "evaluation_scores"
      ],
    ).toEqual([
      { key: "correct", score: 1 },
      { key: "tone", score: 0.5 },
    ]);
    expect(
      (
        await rowOf(
          "inputs.q: q\nevaluation_scores: s\n",
          JSON.stringify([{ q: "a", s: { correct: 1, tone: 0.5 } }]),
        )
      )["evaluation_scores"],
    ).toEqual([
      { key: "correct", score: 1 },
      { key: "tone", score: 0.5 },
    ]);
    expect(
      (
        await rowOf(
          "inputs.q: q\nevaluation_scores: s\n",
          JSON.stringify([{ q: "a", s: [{ key: "correct", score: 1, comment: "yes" }] }]),
        )
      )["evaluation_scores"],
    ).toEqual([{ key: "correct", score: 1, comment: "yes" }]);
  });

  test("takes several columns as one object", async () => {
    expect(await rowOf("inputs: [question, lang]\nactual_outputs: [answer]\n")).toMatchObject({
      inputs: { question: "France?", lang: "en" },
      actual_outputs: { answer: "Paris" },
    });
  });

  test("knows the words of the plain CSV convention", async () => {
    const row = await rowOf(
      "inputs.q: question\noutputs.a: answer\nreference.a: answer\nfeedback.correct: correct\nexecution_time: secs\n",
    );
    expect(row).toMatchObject({
      inputs: { q: "France?" },
      actual_outputs: { a: "Paris" },
      expected_outputs: { a: "Paris" },
      evaluation_scores: [{ key: "correct", score: 1 }],
    });
    expect(Date.parse(String(row["end_time"])) - Date.parse(String(row["start_time"]))).toBe(2500);
  });

  test("names the field that was meant", async () => {
    await expect(readOne(CSV, { mapping: "inptus.q: question\n" })).rejects.toThrow(
      /there is no such field \(did you mean inputs\?\)/,
    );
  });
});

describe("a format that does not exist", () => {
  test("is refused with the name of the nearest one", async () => {
    await expect(readOne("[]", { format: "promptfo" })).rejects.toThrow(
      /there is no format "promptfo" \(did you mean promptfoo\?\)/,
    );
  });
});

describe("the language of mappings", () => {
  const rowsBy = async (mapping: string, value: unknown): Promise<unknown[]> =>
    (await readOne(JSON.stringify(value), { mapping })).rows;

  test("takes the first of several places that holds rows", async () => {
    const mapping = "rows: results | data.items\ninputs.q: q\nevaluation_scores.m: m\n";
    const rows = [{ q: "a", m: 1 }];
    for (const document of [{ results: rows }, { results: [], data: { items: rows } }])
      expect(await rowsBy(mapping, document)).toMatchObject([
        { inputs: { q: "a" }, evaluation_scores: [{ key: "m", score: 1 }] },
      ]);
  });

  test("reads a number as a score and a text as a label if both are in the same place", async () => {
    const mapping =
      "inputs.q: q\nevaluation_scores: { list: scores, key: name, score: value, value: value }\n";
    const scores = [
      { name: "tone", value: 0.5 },
      { name: "kind", value: "0.5" },
    ];
    expect(await rowsBy(mapping, [{ q: "a", scores }])).toMatchObject([
      {
        evaluation_scores: [
          { key: "tone", score: 0.5 },
          { key: "kind", value: "0.5" },
        ],
      },
    ]);
    const [row] = (await rowsBy(mapping, [{ q: "a", scores }])) as [
      { evaluation_scores: object[] },
    ];
    expect(row.evaluation_scores.map((one) => Object.keys(one))).toEqual([
      ["key", "score"],
      ["key", "value"],
    ]);
  });

  test("takes all columns that match a pattern, named by the part that differs", async () => {
    const row = await rowOf(
      'inputs: { columns: "in.*" }\nevaluation_scores: { columns: ["score.*", "*/value", rating_*], words: { "yes": 1 } }\n',
      "in.q,in.lang,score.tone,exact/value,rating_a,other\nhi,en,0.5,yes,3,9\n",
    );
    expect(row).toMatchObject({
      inputs: { q: "hi", lang: "en" },
      evaluation_scores: [
        { key: "tone", score: 0.5 },
        { key: "exact", score: 1 },
        { key: "rating_a", score: 3 },
      ],
    });
  });

  test("reads a metric's own verdict, its threshold, its failure and a prefix for its name", async () => {
    const mapping =
      "inputs.q: q\nevaluation_scores: { list: ms, key: n, score: s, pass: ok, threshold: t, error: e, prefix: judge. }\n";
    const ms = [
      { n: "tox", s: 0.2, ok: true, t: 0.5 },
      { n: "lost", e: "timeout" },
    ];
    const { experiment, rows } = await readOne(JSON.stringify([{ q: "a", ms }]), { mapping });
    expect(rows[0]!.evaluation_scores).toEqual([
      { key: "judge.tox", score: 0.2 },
      { key: "judge.tox.pass", score: 1, comment: "threshold 0.5" },
      { key: "judge.lost", comment: "not scored: timeout" },
    ]);
    expect(experiment.directions.get("judge.tox")).toBe("lower");
  });

  test("does not report a column of a CSV as not read if it ignores it", async () => {
    const warningsOf = async (lines: string): Promise<string> => {
      const mapping = `inputs.q: question\nfeedback.m: correct\n${lines}`;
      return (await readOne(CSV, { mapping })).experiment.warnings.join();
    };
    expect(await warningsOf("")).toContain("numbers not read: tone, secs");
    expect(await warningsOf("ignore: [secs]\n")).toContain("numbers not read: tone (");
  });

  test("counts repeats from 1, ignores numbers that are not scores, and names the suite", async () => {
    const mapping =
      "inputs.q: q\nevaluation_scores.m: m\nrepeat: { column: trial, from: 1 }\nignore: [seed]\nsuite: s\nrows: rows\n";
    const rows = [1, 2].map((trial) => ({ q: "a", m: 1, trial, seed: 7 }));
    const { experiment } = await readOne(JSON.stringify({ s: "nightly", rows }), { mapping });
    expect([experiment.suite, experiment.shown.map(({ k }) => k)]).toEqual(["nightly", [0, 1]]);
    expect(experiment.warnings.join()).not.toContain("seed");
  });

  test("keeps a tool's values as they are with exact, and finds both spellings of a name", async () => {
    const mapping =
      "exact: true\ninputs.q: user_input\nactual_outputs: answer\nevaluation_scores.m: m\nerror: error?\n";
    expect(await rowsBy(mapping, [{ userInput: "a", answer: "[1]", m: 1 }])).toMatchObject([
      { inputs: { q: "a" }, actual_outputs: { output: "[1]" } },
    ]);
  });

  test("with exact, uses an optional part of the identity if a row has it", async () => {
    const idsBy = async (identity: string, ...rows: readonly object[]): Promise<unknown[]> => {
      const mapping = `exact: true\nidentity: ${identity}\ninputs.q: q\nevaluation_scores.m: m\n`;
      const read = await readOne(JSON.stringify(rows), { mapping });
      return read.rows.map(({ row_id }) => row_id);
    };
    const row = { id: 1, q: "a", m: 1 };
    const [none, german] = await idsBy("{ id: id, lang: lang? }", row, { ...row, lang: "de" });
    const [byId] = await idsBy("{ id: id }", row);
    expect(byId).toEqual(expect.any(String));
    expect(none).toBe(byId);
    expect(german).not.toBe(byId);
  });

  describe("with exact, for a home-made file", () => {
    const mapping = "exact: true\ninputs.q: q\nevaluation_scores.m: m\n";
    test("still names the columns that it does not have, and the numbers that it does not read", async () => {
      const { experiment } = await readOne("q,m,other\na,1,5\n", { name: "r.csv", mapping });
      expect(experiment.warnings.join("\n")).toContain("numbers not read: other (");
      expect(await problemsOf("q,n\na,1\n", { name: "r.csv", mapping })).toEqual([
        expect.stringContaining("the mapping names columns that the file does not have: m "),
      ]);
    });

    test("still reports failed rows in another list, and reads rows that are lists", async () => {
      const document = { rows: [{ q: "a", m: 1 }], failures: [{ q: "b", error: "boom" }] };
      const { experiment } = await readOne(JSON.stringify(document), {
        mapping: `${mapping}rows: rows\n`,
      });
      expect(experiment.warnings.join("\n")).toContain("failures");
      const rows = await rowsBy("exact: true\ninputs.q: '0'\nevaluation_scores.m: '1'\n", [
        ["a", 1],
      ]);
      expect(rows).toMatchObject([
        { inputs: { q: "a" }, evaluation_scores: [{ key: "m", score: 1 }] },
      ]);
    });

    test("still says how to name the rows of a document", async () => {
      expect(await problemsOf('{"rows":[]}', { mapping })).toEqual([
        expect.stringContaining("the document is an object, not a list of rows; say where"),
      ]);
    });
  });

  test.each<[string, string]>([
    ["evaluation_scores: { list: s, scor: v }", "2:31: evaluation_scores: there is no key"],
    ["row_idd: b", "2:1: row_idd: there is no such field (did you mean row_id?)"],
    ["orient: rows", "2:9: orient: must be one of split, columns, index"],
    ["score_errored: no way", "2:16: score_errored: must be true or false"],
    ["where: { s: { is: x } }", "2:13: where.s: must be a value, a list of values"],
    [
      "feedback.m: { column: v, words: { a: b } }",
      "2:38: evaluation_scores.m.words.a: must be words with",
    ],
    ["identity: 5", "2:11: identity: must be a column"],
  ])("reports a mistake with its place: %s", async (line, wanted) => {
    const read = readTexts({ "r.csv": "a\n1\n" }, { mapping: `inputs.q: a\n${line}\n` });
    const problems = await read.then(
      () => [],
      (error: { problems: { line: number; column: number; path: string; message: string }[] }) =>
        error.problems,
    );
    expect(
      problems.map((one) => `${one.line}:${one.column}: ${one.path}: ${one.message}`).join("\n"),
    ).toContain(wanted);
  });
});

describe("a built-in format that is only a mapping", () => {
  const plain = FORMATS.filter(
    ({ name, mapping }) =>
      mapping !== undefined && ["phoenix", "braintrust", "langfuse"].includes(name),
  );
  test.each(plain.map(({ name, mapping }) => [name, mapping!] as const))(
    "%s: that mapping, saved as a file, reads its example the same way",
    async (name, mapping) => {
      const [{ name: file, text }] = FORMAT_EXAMPLES[name] as [{ name: string; text: string }];
      const [own, saved] = [
        await readOne(text, { name: file, format: name }),
        await readOne(text, { name: file, mapping }),
      ];
      expect(own.rows.length).toBeGreaterThan(0);
      expect(saved.rows).toEqual(own.rows);
    },
  );
});
