import { describe, expect, test } from "@jest/globals";
import type { RowBody } from "../../src/experiment/input/row.ts";
import { renderSizePlan } from "../../src/experiment/size-plan.ts";
import { createTrim, parseDrop, type DropRule } from "../../src/experiment/exclusion.ts";
import { readTexts } from "./read-text.ts";

const rulesOf = (...entries: string[]): readonly DropRule[] => {
  const { rules, problems } = parseDrop(entries);
  expect(problems).toEqual([]);
  return rules;
};
const problemOf = (entry: string): string =>
  parseDrop([entry])
    .problems.map(({ message }) => message)
    .join("\n");
const row = (more: Partial<RowBody>): RowBody => ({
  row_id: "0b6f0f6e-0000-4000-8000-000000000001",
  inputs: { q: 1 },
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T00:00:00Z",
  ...more,
});
const trimmed = (
  body: RowBody,
  ...entries: string[]
): { body: RowBody; said: readonly string[] } => {
  const trim = createTrim(rulesOf(...entries));
  return { body: trim.apply(body), said: trim.said() };
};

describe("the rules of drop", () => {
  test("leave out a field or a path below it, or cut its texts to a length", () => {
    expect(
      rulesOf(
        "run_metadata",
        "actual_outputs.trace",
        "inputs:2000",
        "inputs.context.page:4096",
      ).map(({ path, maxChars }) => [path, maxChars]),
    ).toEqual([
      ["run_metadata", null],
      ["actual_outputs.trace", null],
      ["inputs", 2000],
      ["inputs.context.page", 4096],
    ]);
  });
  test.each([
    ...["inputs", "inputs.context", "row_id", "row_id:10", "actual_outputs>2000"],
    ...["actual_outputs:0", "actual_outputs:many", "actual_outputs:", "actual_outputs."],
    ...["evaluation_scores.comment:5", "evaluation_scores.comment", "error.stack:5", "run_name:5"],
  ])("%s is a problem that says what to write", (entry) => {
    expect(problemOf(entry)).toContain(`"${entry}" can be neither left out nor cut`);
    expect(problemOf(entry)).toMatch(
      /leave out \(expected_outputs, actual_outputs, evaluation_scores, run_name, run_metadata\).*actual_outputs:2000.*inputs\.context:4096/,
    );
  });
});

describe("cutting", () => {
  const long = "x".repeat(5000);

  test("a text keeps its first N characters and a mark that says how many are gone", () => {
    const { body, said } = trimmed(
      row({
        actual_outputs: { answer: long, short: "as it is", n: 5000, list: [long, { deep: long }] },
      }),
      "actual_outputs:2000",
    );
    const cut = `${"x".repeat(2000)}… [cut by agent-deploy: 3000 of 5000 characters]`;
    expect(body).toEqual(
      row({
        actual_outputs: { answer: cut, short: "as it is", n: 5000, list: [cut, { deep: cut }] },
      }),
    );
    expect(said).toEqual([
      "drop actual_outputs:2000 cut 3 texts in 1 row, 9000 characters in all; each ends with a mark",
    ]);
  });
  test("a path cuts only what is below it, and a name with a dot in it is found", () => {
    const { body } = trimmed(
      row({ inputs: { q: long, "a.b": long, a: { b: { c: long } } } }),
      "inputs.a.b:100",
    );
    expect([
      (body.inputs["q"] as string).length,
      (body.inputs["a.b"] as string).length < 200,
      body.inputs["a"],
    ]).toEqual([5000, true, { b: { c: long } }]);
    const below = trimmed(row({ inputs: { a: { b: { c: long } } } }), "inputs.a.b:100").body
      .inputs as { a: { b: { c: string } } };
    expect(below.a.b.c).toMatch(/^x{100}… \[cut/);
  });
  test("no character is split, and characters are counted as people count them", () => {
    const text = "😀".repeat(300);
    const { body } = trimmed(row({ error: text }), "error:100");
    expect(body.error).toBe(`${"😀".repeat(100)}… [cut by agent-deploy: 200 of 300 characters]`);
  });
  test("a text that the mark would lengthen stays whole, and a text that is cut is not cut again", () => {
    const almost = row({ actual_outputs: { answer: "x".repeat(110) } });
    expect(trimmed(almost, "actual_outputs:100").body).toBe(almost);
    const once = trimmed(row({ actual_outputs: { answer: long } }), "actual_outputs:100").body;
    expect(trimmed(once, "actual_outputs:100").body).toEqual(once);
    expect(
      trimmed(
        row({ actual_outputs: { answer: long } }),
        "actual_outputs:1000",
        "actual_outputs.answer:100",
      ).body,
    ).toEqual(once);
    const forged = `${long}… [cut by agent-deploy: 1 of 2 characters]`;
    expect(trimmed(row({ error: forged }), "error:10").body.error).toBe(
      "xxxxxxxxxx… [cut by agent-deploy: 5032 of 5042 characters]",
    );
  });
  test("a text that an earlier run cut is cut shorter, and the mark counts what both took", () => {
    const once = trimmed(row({ actual_outputs: { answer: long } }), "actual_outputs:1000").body;
    const { body, said } = trimmed(once, "actual_outputs:100");
    expect(body.actual_outputs).toEqual({
      answer: `${"x".repeat(100)}… [cut by agent-deploy: 4900 of 5000 characters]`,
    });
    expect(said).toEqual([expect.stringContaining("cut 1 text in 1 row, 900 characters in all")]);
  });
  test("rules apply in the order they are written, and each reports what it took", () => {
    const body = row({ actual_outputs: { answer: long } });
    expect(trimmed(body, "actual_outputs:1000", "actual_outputs.answer:100").said).toEqual([
      expect.stringContaining("outputs:1000 cut 1 text in 1 row, 4000 characters in all"),
      expect.stringContaining("answer:100 cut 1 text in 1 row, 900 characters in all"),
    ]);
    expect(trimmed(body, "actual_outputs.answer:100", "actual_outputs:1000").said).toEqual([
      expect.stringContaining("answer:100 cut 1 text in 1 row, 4900 characters in all"),
      "drop actual_outputs:1000 cut nothing: no text is longer",
    ]);
  });
  test("only the comments of scores are cut, and nothing that is compared", () => {
    const { body } = trimmed(
      row({
        evaluation_scores: [
          { key: "k".repeat(150), value: "v".repeat(150), score: 1, comment: "c".repeat(900) },
          { key: "b" },
        ],
      }),
      "evaluation_scores:10",
    );
    expect(body.evaluation_scores).toEqual([
      {
        key: "k".repeat(150),
        value: "v".repeat(150),
        score: 1,
        comment: `${"c".repeat(10)}… [cut by agent-deploy: 890 of 900 characters]`,
      },
      { key: "b" },
    ]);
  });
  test("a key named __proto__ is cut like any other", () => {
    const body = row({ inputs: JSON.parse(`{"__proto__":"${long}","q":1}`) as RowBody["inputs"] });
    const cut = trimmed(body, "inputs.__proto__:100").body;
    expect(Object.getPrototypeOf(cut.inputs)).toBe(Object.prototype);
    expect(JSON.stringify(cut.inputs)).toMatch(/^\{"__proto__":"x{100}… \[cut/);
  });
  test("a path below a field is left out, and the rest stays", () => {
    const { body } = trimmed(
      row({ run_metadata: { trace: { spans: [1, 2] }, model: "m" }, run_name: "n" }),
      "run_metadata.trace",
      "run_name",
    );
    expect(body).toEqual(row({ run_metadata: { model: "m" } }));
  });
  test("a rule that finds nothing says so, which reveals a misspelled path", () => {
    expect(trimmed(row({}), "run_metadata.trase", "inputs:2000").said).toEqual([
      "drop run_metadata.trase left nothing out: no row has it",
      "drop inputs:2000 cut nothing: no text is longer",
    ]);
  });
  test("a cut of inputs notes that the ids are those of the whole inputs", () => {
    expect(trimmed(row({ inputs: { q: long } }), "inputs:100").said.join()).toMatch(
      /row ids are made from the whole inputs/,
    );
  });
});

describe("the texts that are cut", () => {
  // A mark has 40 characters and two numbers; the first takes what is gone, the second the whole text's length.
  test.each([
    ["not a text as long as the limit", "x".repeat(40), 40, null],
    ["not a text that would stay as long with its mark", "x".repeat(54), 10, null],
    ["a text that gets shorter by a character", "x".repeat(55), 10, [45, 55]],
    ["a text of the last character with one code unit", "\uffff".repeat(200), 100, [100, 200]],
    ["a text of the first character with two code units", "\u{10000}".repeat(201), 99, [102, 201]],
  ])("%s", (_, text, limit, mark) => {
    const kept = [...text].slice(0, limit).join("");
    expect(trimmed(row({ error: text }), `error:${limit}`).body.error).toBe(
      mark === null ? text : `${kept}… [cut by agent-deploy: ${mark[0]} of ${mark[1]} characters]`,
    );
  });

  test("a text that was cut before is cut again only if that shortens it, and its mark counts both cuts", () => {
    const marked = (kept: number, gone: number): string =>
      `${"x".repeat(kept)}… [cut by agent-deploy: ${gone} of ${kept + gone} characters]`;
    expect(trimmed(row({ error: marked(100, 900) }), "error:100").body.error).toBe(
      marked(100, 900),
    );
    expect(trimmed(row({ error: marked(100, 900) }), "error:99").body.error).toBe(marked(99, 901));
    // As long as before, since the number of what is gone got a digit.
    expect(trimmed(row({ error: marked(100, 99) }), "error:99").body.error).toBe(marked(100, 99));
    expect(trimmed(row({ error: marked(100, 99) }), "error:98").body.error).toBe(marked(98, 101));
  });

  test("rows count once, however many of their texts are cut, and untouched rows do not count", () => {
    const trim = createTrim(rulesOf("actual_outputs:100"));
    const long = "x".repeat(500);
    for (const outputs of [{ a: long, b: long }, { a: "short" }, { a: long }])
      trim.apply(row({ actual_outputs: outputs }));
    expect(trim.said()).toEqual([
      "drop actual_outputs:100 cut 3 texts in 2 rows, 1200 characters in all; each ends with a mark",
    ]);
  });

  test.each([
    ["a field that no row has", "run_metadata", {}, []],
    ["a path that a row has", "run_metadata.a", { run_metadata: { a: 1 } }, []],
    [
      "a path below a value that is not an object",
      "run_metadata.a.b",
      { run_metadata: { a: null } },
      ["drop run_metadata.a.b left nothing out: no row has it"],
    ],
    [
      "an empty text",
      "error:100",
      { error: "" },
      ["drop error:100 cut nothing: no text is longer"],
    ],
  ])(
    "a rule for %s is noted only if it has a path or a length and no effect",
    (_, entry, more, said) => {
      expect(trimmed(row(more as Partial<RowBody>), entry).said).toEqual(said);
    },
  );

  test("a space around the length is ignored", () => {
    expect(rulesOf("error : 5")).toEqual([{ entry: "error : 5", path: "error", maxChars: 5 }]);
  });
});

describe("the plan after 413", () => {
  const line = (n: number, answer: number, metadata: number): string =>
    JSON.stringify({
      inputs: { question: `q${n}` },
      actual_outputs: { answer: "a".repeat(answer), short: "b" },
      evaluation_scores: [{ key: "k", score: 1 }],
      run_metadata: { trace: "t".repeat(metadata) },
    });
  const planOf = async (lines: string[], ...entries: string[]): Promise<string> => {
    const { experiments } = await readTexts({ "rows.jsonl": `${lines.join("\n")}\n` });
    return renderSizePlan(experiments[0]!, rulesOf(...entries));
  };

  test("names what weighs most, and the line to write for each way out", async () => {
    const plan = await planOf(Array.from({ length: 200 }, (_, n) => line(n, 100_000, 10_000)));
    expect(plan).toMatch(
      /^the rows weigh 22\.\d MB: actual_outputs 20\.\d MB \(91 %\), run_metadata 2\.\d MB \(9 %\), /,
    );
    expect(plan).toContain("write `drop: run_metadata` (leaves 20.");
    expect(plan).toMatch(
      /`drop: actual_outputs:64000` \(cuts 200 texts, each with a visible mark, and leaves about 14\.\d MB\)/,
    );
    expect(plan).toMatch(/clients of the service keep to 20 to 25 MB/);
  });
  test("aims at half of what was sent to a service with a lower limit, and keeps what is already dropped", async () => {
    const plan = await planOf(
      Array.from({ length: 20 }, (_, n) => line(n, 100_000, 10_000)),
      "run_metadata",
    );
    expect(plan).toMatch(/`drop: run_metadata, actual_outputs:32000` \(cuts 20 texts/);
    expect(plan).not.toMatch(/run_metadata \d/);
  });
  test("cuts several fields if one is not enough, and not the inputs", async () => {
    const lines = Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({
        inputs: { question: `${n}${"q".repeat(n * 15_000)}` },
        expected_outputs: { answer: "e".repeat(n * 15_000) },
        actual_outputs: { answer: "a".repeat(n * 15_000) },
        evaluation_scores: [],
      }),
    );
    expect(await planOf(lines)).toMatch(
      /`drop: (expected|actual)_outputs:64000, (expected|actual)_outputs:64000` \(cuts 70 texts/,
    );
  });
  test("weighs only the comments of scores, since nothing else of them is cut", async () => {
    const scored = (comment: string): string[] =>
      Array.from({ length: 20 }, (_, n) => {
        const score = { key: "k", value: "v".repeat(100_000), comment };
        return JSON.stringify({ inputs: { n }, evaluation_scores: [score] });
      });
    expect(await planOf(scored("short"))).toMatch(/no text is long enough to be cut/);
    expect(await planOf(scored("c".repeat(100_000)))).toMatch(
      /`drop: evaluation_scores:500` \(cuts 20 texts, each with a visible mark, and leaves about 2\.0 MB\)/,
    );
  });
  test("advises to split the file if no text is long enough to be cut", async () => {
    const plan = await planOf(
      Array.from({ length: 50 }, (_, n) => JSON.stringify({ inputs: { n } })),
    );
    expect(plan).toMatch(/no text is long enough to be cut: split the file/);
  });
});
