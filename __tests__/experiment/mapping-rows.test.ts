import { describe, expect, test } from "@jest/globals";
import { fileOf, memberOf, Q, readMapped, S, type GivenFile } from "./mapped-rows.ts";
import { problemsOf } from "./read-text.ts";
import { bodiesOf } from "./sent-rows.ts";

/** One member of the rows that a mapping sends. */
const sent = async (
  member: string,
  file: GivenFile,
  ...mapping: readonly string[]
): Promise<unknown[]> => memberOf(await readMapped(file, ...mapping), member);

/** Scores as key, number or word, and comment. */
const scoresOf = async (file: GivenFile, ...mapping: readonly string[]): Promise<unknown[]> => {
  const rows = await sent("evaluation_scores", file, Q, ...mapping);
  return rows.map((scores) => (scores as object[] | undefined)?.map(Object.values));
};

describe("fields of a row, read by a mapping", () => {
  test("milliseconds become seconds, also in text, and a column of seconds comes first", async () => {
    const rows = [{ ms: 1500 }, { ms: "250" }, { ms: "x" }, { ms: 1500, d: 2 }, {}];
    const lines = ["duration_ms: ms?", "duration_s: d?"];
    const file = rows.map((row) => ({ q: 1, s: 1, ...row }));
    expect(await sent("duration_s", file, Q, S, ...lines)).toEqual([
      1.5,
      0.25,
      undefined,
      2,
      undefined,
    ]);
  });

  test("what programs write for no error is not an error", async () => {
    const cells = ["false", "0", "[]", "{}", "nan", "", " None ", "boom", "no"];
    const table = `q,s,e\n${cells.map((cell) => `a,1,${cell}\n`).join("")}`;
    expect(await sent("error", table, Q, S, "error: e")).toEqual([
      ...Array.from({ length: 7 }, () => undefined),
      "boom",
      "no",
    ]);
    const values = [{}, [], false, 0, null, { a: 1 }, true];
    const file = values.map((e) => ({ q: 1, s: 1, e }));
    expect(await sent("error", file, Q, S, "error: e")).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      '{"a":1}',
      "true",
    ]);
  });

  test("a whole field and its parts are merged, and a text in it gets a name that is free", async () => {
    const file = [{ a: { x: 1 } }, { a: "text" }, { a: "" }, {}].map((row) => ({
      ...{ b: 2, s: 1, ...row },
    }));
    expect(await sent("inputs", file, "inputs: a?", "inputs.b: b", S)).toEqual([
      { x: 1, b: 2 },
      { input: "text", b: 2 },
      { b: 2 },
      { b: 2 },
    ]);
    expect(
      await sent("inputs", [{ a: "text", b: 2, s: 1 }], "inputs: a", "inputs.input: b", S),
    ).toEqual([{ inputs: "text", input: 2 }]);
  });

  test("the first of several columns that is not empty counts, or else the first", async () => {
    const file = [
      { q: "", r: "b" },
      { q: "a", r: "b" },
      { q: "", r: null },
    ].map((row) => ({ ...row, s: 1 }));
    expect(await sent("inputs", file, "inputs.q: q | r", S)).toEqual([
      { q: "b" },
      { q: "a" },
      { q: "" },
    ]);
  });

  test("the keys of nested objects are $key, and those around them follow their path", async () => {
    const file = { by: { gpt: { a: { s: 1 }, b: { s: 0 } }, llama: { a: { s: 1 } } } };
    const lines = ["rows: by.*.*", "inputs.test: $key", "inputs.model: by.*.$key"];
    expect(await sent("inputs", file, ...lines, S)).toEqual([
      { test: "a", model: "gpt" },
      { test: "b", model: "gpt" },
      { test: "a", model: "llama" },
    ]);
  });

  test("a header that contains a bar is found as it is", async () => {
    const file = "q | p,s\na,1\n";
    expect(await sent("inputs", file, 'inputs.q: "q | p"', S)).toEqual([{ q: "a" }]);
    expect(await sent("inputs", file, 'inputs.q: "q | p?"', S)).toEqual([{ q: "a" }]);
    expect(await sent("inputs", "p,s\nc,1\n", 'inputs.q: "q | p"', S)).toEqual([{ q: "c" }]);
  });

  test("a header that ends in a question mark is found with one", async () => {
    expect(await sent("inputs", "q?,s\na,1\n", "inputs.q: q?", S)).toEqual([{ q: "a" }]);
  });

  test("usage holds only numbers, and a price with a currency sign is reported as not read", async () => {
    const file = [
      { q: 1, s: 1, p: "4", c: "$0.02", t: 5 },
      { q: 2, s: 1, p: 1, c: 0.5, t: 2 },
    ];
    const lines = ["usage.prompt_tokens: p", "usage.cost: c", "usage.total_tokens: t"];
    expect(await sent("run_metadata", file, Q, S, ...lines)).toEqual([
      { usage: { prompt_tokens: 4, total_tokens: 5 } },
      { usage: { prompt_tokens: 1, cost: 0.5, total_tokens: 2 } },
    ]);
    expect((await readMapped(file, Q, S, ...lines)).warnings).toEqual([
      "numbers not read: c (a mapping can name them as scores)",
    ]);
  });

  test("an identity is what examples are compared by, or their input if there is none", async () => {
    const file = [
      { q: 1, id: "i", s: 1 },
      { q: 2, id: "i", s: 1 },
      { q: 2, id: "j", s: 1 },
      { q: 2, s: 1 },
    ];
    const examplesIn = async (...mapping: readonly string[]): Promise<number> => {
      const { shown } = await readMapped(file, ...mapping, S);
      return new Set(shown.map(({ example }) => example.toString("hex"))).size;
    };
    expect(await examplesIn(Q, "identity: id?")).toBe(3);
    expect(await examplesIn(Q, "identity: [id?, q]")).toBe(4);
    expect(await sent("inputs", file, "identity: id?", S)).toEqual([
      { id: "i" },
      { id: "i" },
      { id: "j" },
      { id: null },
    ]);
  });
});

describe("scores, read by a mapping", () => {
  test("a list of numbers is read as their mean, and true as 1", async () => {
    const file = [[true, false, 0.5], [1], ["x", 1], true].map((s) => ({ q: 1, s }));
    expect(await scoresOf(file, S)).toEqual([
      [["s", 0.5]],
      [["s", 1]],
      [["s", '["x",1]']],
      [["s", 1]],
    ]);
  });

  test("an object names its scores, a list is taken as it is, and a number is named after its column", async () => {
    const file = [{ f1: 0.5, ok: true }, '[{"key":"k","score":1}]', 0.25].map((s) => ({ q: 1, s }));
    expect(await scoresOf(file, "evaluation_scores: s")).toEqual([
      [
        ["f1", 0.5],
        ["ok", 1],
      ],
      [["k", 1]],
      [["s", 0.25]],
    ]);
  });

  test("the parts of a score become one score", async () => {
    const file = [{ q: 1, s: 0.5, c: "why", v: "good", t: "continuous", m: "0", x: "2" }];
    const config = "evaluation_scores.s.feedback_config";
    expect(
      await scoresOf(
        file,
        ...[S, "evaluation_scores.s.comment: c", "evaluation_scores.s.value: v"],
        ...[`${config}.type: t`, `${config}.min: m`, `${config}.max: x`],
      ),
    ).toEqual([[["s", 0.5, "good", "why", { type: "continuous", min: 0, max: 2 }]]]);
  });

  test("items of a list are named by their name or number, with a prefix", async () => {
    const file = [
      { q: 1, l: [{ name: "a", score: 1, why: "c" }, { score: 0 }, { name: {}, score: 0.5 }] },
      { q: 2, l: { b: { score: 0.25 } } },
      { q: 3, l: '[{"name":"z","score":1}]' },
      { q: 4, l: "none" },
    ];
    expect(
      await scoresOf(
        file,
        "evaluation_scores: { list: l, key: name, score: score, comment: why, prefix: p. }",
      ),
    ).toEqual([
      [
        ["p.a", 1, "c"],
        ["p.score#2", 0],
        ["p.score#3", 0.5],
      ],
      [["p.b", 0.25]],
      [["p.z", 1]],
      undefined,
    ]);
  });

  test("a verdict is a score of its own, with its threshold, and shows the better side", async () => {
    const l = [
      { name: "a", score: 1, ok: "pass", th: 0.5 },
      { name: "b", score: 1, ok: false, th: 0.5 },
      { name: "c", score: 0, ok: "skipped" },
      { name: "d", score: 0, ok: "odd", th: 1 },
      { name: "e", score: 1, err: "bad" },
      { name: "f", score: 1, err: {}, ok: 1, th: "x" },
    ];
    const line =
      "evaluation_scores: { list: l, key: name, score: score, pass: ok, threshold: th, error: err }";
    expect(await scoresOf([{ q: 1, l }], line)).toEqual([
      [
        ["a", 1],
        ["a.pass", 1, "threshold 0.5"],
        ["b", 1],
        ["b.pass", 0, "threshold 0.5"],
        ["c", 0],
        ["d", 0],
        ["e", "not scored: bad"],
        ["f", 1],
        ["f.pass", 1],
      ],
    ]);
    expect([...(await readMapped([{ q: 1, l }], Q, line)).directions]).toEqual([
      ["a", "higher"],
      ["b", "lower"],
    ]);
  });

  test("words become numbers in upper and lower case, and other words stay words", async () => {
    const file = ["Good", "bad ", "other", null].map((score) => ({
      ...{ q: 1, l: [{ name: "a", score }], s: score ?? "" },
    }));
    const words = "words: { good: 1, bad: 0 }";
    const counted = [[["a", 1]], [["a", 0]], [["a", "other"]], undefined];
    const list = `evaluation_scores: { list: l, key: name, score: score, ${words} }`;
    expect(await scoresOf(file, list)).toEqual(counted);
    const column = `evaluation_scores.a: { column: s, ${words} }`;
    expect(await scoresOf(file, column)).toEqual(counted);
  });

  test("a text in a column for both score and label is the label", async () => {
    const file = [
      {
        q: 1,
        l: [
          { name: "a", v: "0.5" },
          { name: "b", v: 0.5 },
        ],
      },
    ];
    const { rowCount, scores, words } = await readMapped(
      file,
      Q,
      "evaluation_scores: { list: l, key: name, score: v, value: v }",
    );
    expect([rowCount, scores, words]).toEqual([
      1,
      { b: { mean: 0.5, n: 1 } },
      { a: { rows: 1, mappable: false } },
    ]);
  });

  test("columns are found by a pattern, without the empty ones", async () => {
    const file = [{ in_a: 1, in_b: "", "m.f1": 0.5, "m.em": "yes" }];
    const lines = [
      "inputs: { columns: in_* }",
      "evaluation_scores: { columns: m.*, words: { yes: 1 } }",
    ];
    expect(bodiesOf(await readMapped(file, ...lines))).toEqual([
      {
        inputs: { in_a: 1 },
        evaluation_scores: [
          { key: "f1", score: 0.5 },
          { key: "em", score: 1 },
        ],
      },
    ]);
  });
});

describe("conditions and conversions", () => {
  test("words of an error, words of a verdict, and repeats counted from 3 are read", async () => {
    const file = [
      { q: 1, s: 1, st: "Crashed ", v: "pass", n: 3 },
      { q: 1, s: 1, st: "ok", v: "skipped", n: "4" },
      { q: 1, s: 1, st: "ok", v: "fail", n: "x" },
    ];
    const experiment = await readMapped(
      file,
      ...[Q, S, "error: { column: st, when: [crashed] }"],
      ...["pass: v", "repeat: { column: n, from: 3 }"],
    );
    expect(memberOf(experiment, "error")).toEqual(["Crashed ", undefined, undefined]);
    expect(experiment.shown.map(({ k }) => k)).toEqual([0, 1, 2]);
    expect(experiment.scores["pass"]).toEqual({ mean: 0.5, n: 2 });
  });

  test.each([
    ["{ k: x }", [1], "`where` left out 2 rows"],
    ["{ k: { not: [x, y] } }", [3], "`where` left out 2 rows"],
    ["{ k: [x, y] }", [1, 2], "`where` left out 1 row"],
    ["{ s: 1 }", [1, 2, 3], undefined],
  ])("where: %s", async (where, kept, note) => {
    const file = [
      { q: 1, k: "x", s: 1 },
      { q: 2, k: "y", s: 1 },
      { q: 3, s: 1 },
    ];
    const experiment = await readMapped(file, Q, S, `where: ${where}`);
    expect(memberOf(experiment, "inputs")).toEqual(kept.map((q) => ({ q })));
    expect(experiment.notes).toEqual(note === undefined ? [] : [note]);
  });

  test("fields of the experiment are read from around the rows, or from the first row that has them", async () => {
    const document = { meta: { name: "exp", model: "m" }, rows: [{ q: 1, s: 1 }] };
    const around = await readMapped(
      document,
      ...["rows: rows", Q, S, "experiment_name: meta.name"],
      ...["experiment_metadata.model: meta.model", "suite: meta.model"],
    );
    expect([around.suite, around.given]).toEqual([
      "m",
      { experiment_name: "exp", experiment_metadata: { model: "m" } },
    ]);
    const rows = ["", "exp", "other"].map((e) => ({ q: 1, s: 1, e }));
    expect((await readMapped(rows, Q, S, "experiment_name: e")).given).toEqual({
      experiment_name: "exp",
    });
  });

  test("numbers that a mapping neither reads nor ignores are reported", async () => {
    const file = [{ q: 1, s: 1, x: 2, d: { y: 3, z: "t" } }];
    const said = ["numbers not read: x (a mapping can name them as scores)"];
    expect((await readMapped(file, Q, S, "ignore: [d.y]")).warnings).toEqual(said);
    const table = "q,s,x,y,w,\na,1,2,50%,word,9\n";
    expect((await readMapped(table, Q, S, "ignore: [y]")).warnings).toEqual(said);
    expect((await readMapped(table, Q, S)).warnings).toEqual([
      "numbers not read: x, y (a mapping can name them as scores)",
    ]);
  });
});

describe("mistakes in a mapping", () => {
  test.each<[string, GivenFile, readonly string[], string]>([
    [
      "paths that no row has",
      [{ q: 1, s: 1 }],
      [Q, "evaluation_scores.s: t", "error: e"],
      "evaluation_scores.s: no row has t; error: no row has e. Rows have q, s. " +
        "End a path that rows may lack with a question mark (t?)",
    ],
    [
      "rows without keys",
      [5],
      [Q, "evaluation_scores.s: s?"],
      "inputs.q: no row has q. Rows have no keys. End a path that rows may lack with a question mark (q?)",
    ],
    [
      "a misspelled column",
      "q,score\n1,1\n",
      [Q, "evaluation_scores.s: scor", "error: e?"],
      "the mapping names columns that the file does not have: scor (did you mean score?); it has q, score",
    ],
    [
      "a column like no other",
      "q,score\n1,1\n",
      [Q, "evaluation_scores.s: zzzzzzzz"],
      "the mapping names columns that the file does not have: zzzzzzzz; it has q, score",
    ],
    [
      "an object",
      { rows: [{ q: 1 }] },
      [Q],
      "the document is an object, not a list of rows; " +
        "say where its rows are with rows: results, rows: evals[].cases[] or rows: by_id.*",
    ],
    [
      "a place without rows",
      { rows: [] },
      ["rows: list | rows2", Q],
      'the file has no rows at "list | rows2"',
    ],
    [
      "two columns under one name",
      [{ "a.x": 1, "b.x": 2, s: 1 }],
      ["inputs: { columns: [a.*, b.*] }", S],
      "by a pattern of the mapping, a.x and b.x are both x, and a row has room for one; " +
        "name one of them in a line of its own",
    ],
  ])("are reported: %s", async (_, file, mapping, message) => {
    const [name, text] = fileOf(file);
    const found = await problemsOf(text, { name, mapping: mapping.join("\n") });
    expect(found).toEqual([message]);
  });

  test("columns of rows that `where` leaves out are not reported as missing, but those of `where` itself are", async () => {
    const file = [{ q: 1, k: "x", s: 1 }];
    const mapping = (where: string): string =>
      [Q, "evaluation_scores.s: t", `where: { ${where}: z }`].join("\n");
    const found = async (where: string): Promise<string[]> =>
      problemsOf(JSON.stringify(file), { name: "a.json", mapping: mapping(where) });
    expect(await found("k")).toEqual([]);
    expect(await found("g")).toEqual([
      "where: no row has g. Rows have q, k, s. End a path that rows may lack with a question mark (g?)",
    ]);
  });
});
