import { describe, expect, test } from "@jest/globals";
import { readHead } from "../../src/experiment/formats/head.ts";
import { parseMapping } from "../../src/experiment/formats/mapping-file.ts";
import { memoryFile } from "./memory-file.ts";
import { draftMapping } from "../../src/experiment/formats/mapping-draft.ts";
import { expectLinear } from "../support/busy.ts";
import { readOne, readTexts } from "./read-text.ts";

const messagesOf = async (
  text: string,
  { name = "r.csv", ...how }: { name?: string; mapping?: string } = {},
): Promise<string[]> => {
  const { problems } = await readTexts({ [name]: text }, how);
  return problems.map(({ message }) => message);
};

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

describe("no value is lost to another one for the same field", () => {
  test.each([
    ["inputs.q", "input.q", "inputs.q"],
    ["feedback.ok", "evaluation_scores.ok", "evaluation_scores.ok"],
    ["output", "outputs", "actual_outputs"],
    ["cost", "total_cost", "usage.cost"],
    ["metadata.id", "id", "run_metadata.id"],
  ])("a CSV with the columns %s and %s is refused", async (one, other, field) => {
    expect(await messagesOf(`inputs.x,${one},${other},feedback.s\na,b,c,1\n`)).toEqual([
      `the columns "${one}" and "${other}" both mean ${field}; rename one`,
    ]);
  });

  test("a CSV with two columns whose names differ only by a space is refused", async () => {
    expect(await messagesOf("inputs.x,inputs.q,inputs.q ,feedback.s\na,b,c,1\n")).toEqual([
      'the column "inputs.q" is there twice; rename one',
    ]);
  });

  test.each([
    ["inputs.q: a\ninput: x\ninputs:\n  q: b", null],
    ["inputs.q: a\noutputs.x: b\nactual_outputs.x: c", "actual_outputs.x"],
    ["inputs.q: a\nfeedback.ok: b\nevaluation_scores.ok: c", "evaluation_scores.ok"],
    ["inputs.q: a\npass: b\nevaluation_scores.pass: c", "evaluation_scores.pass"],
    ["inputs: [a, a]", "inputs.a"],
  ])("a mapping that names a field twice is refused: %j", (mapping, field) => {
    expect(() => parseMapping(mapping, "m.yml")).toThrow(
      field === null
        ? "inputs.q is there already"
        : `${field} is there already; keep one of the two`,
    );
  });

  test("two lists of scores under one field are joined", async () => {
    const { experiment } = await readOne(line({ q: "a", b: { x: 1 }, c: { y: 0 } }), {
      name: "r.jsonl",
      mapping: "inputs.q: q\nfeedback: { list: b }\nevaluation_scores: { list: c }",
    });
    expect(Object.keys(experiment.scores)).toEqual(["x", "y"]);
  });

  test("a whole field is kept next to its parts, under the name that it has without them", async () => {
    const text = "input,input.lang,output,outputs.more,feedback.s\nWhat?,en,A,B,1\nWho?,en,C,D,0\n";
    const { rows, experiment } = await readOne(text, { name: "r.csv" });
    expect(rows.map(({ inputs, actual_outputs }) => ({ inputs, actual_outputs }))).toEqual([
      {
        inputs: { input: "What?", lang: "en" },
        actual_outputs: { output: "A", more: "B" },
      },
      { inputs: { input: "Who?", lang: "en" }, actual_outputs: { output: "C", more: "D" } },
    ]);
    expect(experiment.warnings.filter((one) => one.includes("repeats"))).toEqual([]);
    const named = await readOne("input,inputs.input,feedback.s\nWhat?,x,1\n", { name: "r.csv" });
    expect(named.rows[0]!.inputs).toEqual({ inputs: "What?", input: "x" });
  });

  test("columns to which patterns give the same name are refused if a row has both", async () => {
    const mapping = 'inputs.q: q\nevaluation_scores: { columns: ["scores.*", "metrics.*"] }';
    expect(await messagesOf("q,scores.f1,metrics.f1\na,1,0\n", { mapping })).toEqual([
      "by a pattern of the mapping, scores.f1 and metrics.f1 are both f1, and a row has room for one; name one of them in a line of its own",
    ]);
    expect(await messagesOf("q,scores.f1,metrics.f1\na,1,\nb,,0\n", { mapping })).toEqual([]);
  });
});

test.each([
  ["r.csv", "q,s.f1,s.f2,t\na,1,0,5\n", "t"],
  ["r.jsonl", line({ q: "a", "s.f1": 1, "s.f2": 0, t: { u: 5 } }), "t.u"],
])("columns that a pattern takes are not reported as unread: %s", async (name, text, unread) => {
  const { experiment } = await readOne(text, {
    name,
    mapping: "inputs.q: q\nevaluation_scores: { columns: s.* }",
  });
  expect(experiment.warnings.filter((one) => one.startsWith("numbers not read"))).toEqual([
    `numbers not read: ${unread} (a mapping can name them as scores)`,
  ]);
});

test("an identity beyond 2^53, which merges two examples, is reported like any other number", async () => {
  const text = line({ q: "a", s: 1 }).replace("{", '{"id":12345678901234567891,');
  const { experiment } = await readOne(text + text.replace("891", "892"), {
    name: "r.jsonl",
    mapping: "inputs.q: q\nidentity: id\nevaluation_scores.s: s",
  });
  expect(experiment.warnings).toContain(
    "2 integers are beyond 2^53 and sent rounded; write them as text",
  );
  const alone = await readOne(text, {
    name: "r.jsonl",
    mapping: "identity: id\nevaluation_scores.s: s",
  });
  expect(alone.experiment.warnings).toContain(
    "1 integer is beyond 2^53 and sent rounded; write them as text",
  );
});

describe("a row with very many names is read in linear time", () => {
  type Names = Readonly<Record<string, number>>;
  const names = (many: number, prefix: string): Names =>
    Object.fromEntries(Array.from({ length: many }, (_, n) => [`${prefix}${n}`, 1]));
  const read =
    (file: string, textOf: (many: number) => string) =>
    async (many: number): Promise<unknown> =>
      readTexts({ [file]: textOf(many) });

  test.each<[string, (many: number) => Promise<unknown>]>([
    ["azure", read("r.jsonl", (many) => line({ "inputs.q": "a", ...names(many, "outputs.e.") }))],
    [
      "ragas",
      read("r.jsonl", (many) => line({ user_input: "a", response: "b", ...names(many, "m") })),
    ],
    [
      "mlflow",
      read("r.json", (many) =>
        JSON.stringify({
          columns: ["inputs", ...Object.keys(names(many, "m")).map((name) => `${name}/score`)],
          data: [["a", ...Object.values(names(many, "m"))]],
        }),
      ),
    ],
    [
      "a draft",
      async (many) =>
        draftMapping(
          await readHead(memoryFile("r.json", JSON.stringify([{ q: "a", ...names(many, "x.") }]))),
        ),
    ],
  ])("%s", (_, work) => expectLinear(20_000, work));
});

test("repeats that a CSV counts from 1 keep their numbers, in any order of rows", async () => {
  const { experiment } = await readOne("q,trial,ok\na,2,1\na,1,0\n", {
    name: "r.csv",
    mapping: "inputs.q: q\nrepeat: { column: trial, from: 1 }\nevaluation_scores.ok: ok",
  });
  expect(experiment.shown.map(({ k }) => k)).toEqual([1, 0]);
});

test("an error of a mapped row that is false, 0 or empty is not a crash", async () => {
  const errors = [false, 0, {}, [], null, true, { message: "broken" }, "false alarm"];
  const text = errors.map((error, n) => line({ q: `q${n}`, error, s: 1 })).join("");
  const { experiment } = await readOne(text, {
    name: "r.jsonl",
    mapping: "inputs.q: q\nerror: error\nevaluation_scores.s: s",
  });
  expect(experiment).toMatchObject({ rowCount: 8, errorCount: 3 });
});

test("a cost with a currency sign is reported as not read, since it is in no sum", async () => {
  const { experiment } = await readOne("inputs.q,cost,feedback.s\na,$0.02,1\nb,0.03,0\nc,,0\n", {
    name: "r.csv",
  });
  expect(experiment.warnings).toContain(
    "numbers not read: cost (a mapping can name them as scores)",
  );
});
