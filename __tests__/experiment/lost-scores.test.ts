import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { FORMAT_EXAMPLES } from "../../scripts/format-examples.mjs";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { problemsOf, readOne, readTexts, rowsOf } from "./read-text.ts";

/** A score of somebody's own, put where no tool has one. */
const KEY = "zz_quality";
const SCORE = 0.424242;

/** Where a producer's records stand, and what is in them that holds no score of the row by the producer's own documentation. */
const RECORDS: readonly (readonly [path: string, exempt: RegExp])[] = [
  [
    "results.results[]",
    /\.(?:testCase|prompt|provider|response|tokenUsage|vars)\b|assertion\b|componentResults\[\]\.|tokensUsed|namedScoreWeights/,
  ],
  ["evals[].results[]", /\.traces\b/],
  ["results[].experiment_result.item_results[]", /^$/],
  ["item_results[]", /^$/],
  [
    "testResults[].assertionResults[].meta",
    /\.session\b|\.traces\b|\.artifacts\b|\.timings\b|\.usage\b/,
  ],
  ["testCases[]", /\.trace\b/],
  ["conversationalTestCases[]", /\.turns\b/],
  [
    "eval_case_results[]",
    /\.session_details\b|_per_invocation\b|\.criterion\b|details\.(?:token|duration)/,
  ],
  ["simulations[]", /\.messages\b/],
  ["data[]", /\.sample\b/],
  ["results.tests[]", /\.(?:steps|attachments)\b/],
  ["samples[]", /\.(?:error|attachments|model_usage|messages|events|output|store|input)\b/],
  ["rows[]", /^$/],
  [
    "results[]",
    /\.(?:span_attributes|summary|testCase|prompt|provider|response|tokenUsage|vars)\b|assertion\b/,
  ],
  [
    "[]",
    /\.(?:testCase|prompt|provider|response|tokenUsage|vars|arguments|info|doc|spec|traj)\b|assertion\b|componentResults\[\]\.|tokensUsed|namedScoreWeights/,
  ],
];

type Place = { readonly path: string; readonly at: (root: unknown) => Record<string, unknown> };

/** Every kind of object in a value: the first of each path, list positions left out. */
function placesOf(root: unknown): Place[] {
  const found = new Map<string, Place>();
  const walk = (value: unknown, path: string, at: Place["at"]): void => {
    if (Array.isArray(value)) {
      for (const [n, item] of value.slice(0, 3).entries())
        walk(
          item,
          `${path}[]`,
          (top) => (at(top) as unknown as unknown[])[n] as Record<string, unknown>,
        );
      return;
    }
    if (typeof value !== "object" || value === null || path.length > 160) return;
    // Two lines of OpenAI evals are about the run; the numbers of its report are sent as scores of the experiment.
    if (Object.hasOwn(value, "spec") || Object.hasOwn(value, "final_report")) return;
    if (!found.has(path)) found.set(path, { path, at });
    for (const [key, inner] of Object.entries(value))
      walk(
        inner,
        path === "" ? key : `${path}.${key}`,
        (top) => at(top)[key] as Record<string, unknown>,
      );
  };
  walk(root, "", (top) => top as Record<string, unknown>);
  return [...found.values()];
}

interface Sample {
  readonly name: string;
  readonly content: string;
}

const FOLDER = join(repositoryRoot, "__tests__/experiment/producers/files");
const genuine: Sample[] = readdirSync(FOLDER).flatMap((tool) =>
  readdirSync(join(FOLDER, tool, "a"))
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => ({
      name: `${tool}/${name}`,
      content: readFileSync(join(FOLDER, tool, "a", name), "utf8"),
    })),
);
/** Own formats refuse what they do not know; side files of LangSmith are read with their report. */
const OWN = ["body", "rows", "mapping", "langsmith"];
const examples: Sample[] = Object.entries(FORMAT_EXAMPLES)
  .filter(([name]) => !OWN.includes(name))
  .flatMap(([, examples]) =>
    examples
      .filter(({ name }) => /\.jsonl?$/.test(name))
      .map(({ name, text }) => ({ name, content: text })),
  );

/** Each text with a score more in it, by where that is. */
function* withOneMore({ name, content }: Sample): Generator<{ path: string; text: string }> {
  const lines = name.endsWith(".jsonl");
  const parse = (text: string): unknown => JSON.parse(text.replaceAll(/\bNaN\b/g, "null"));
  const read = (): unknown =>
    lines
      ? content
          .split("\n")
          .filter((line) => line !== "")
          .map(parse)
      : parse(content);
  for (const { path, at } of placesOf(read())) {
    const home = RECORDS.find(
      ([record]) =>
        path === record || path.startsWith(`${record}.`) || path.startsWith(`${record}[`),
    );
    if (home === undefined || home[1].test(path)) continue;
    const root = read();
    at(root)[KEY] = SCORE;
    const text = lines
      ? (root as unknown[]).map((row) => JSON.stringify(row)).join("\n")
      : JSON.stringify(root);
    yield { path, text };
  }
}

const tried = new Set<string>();

describe("a score that a reader does not know", () => {
  test.each([...genuine, ...examples].map((sample) => [sample.name, sample] as const))(
    "is sent or reported, wherever it is: %s",
    async (_, sample) => {
      const lost: string[] = [];
      for (const { path, text } of withOneMore(sample)) {
        const { experiments, problems } = await readTexts({
          [sample.name.split("/").at(-1)!]: text,
        });
        tried.add(`${sample.name} ${path}`);
        const rows = await Promise.all(experiments.map(rowsOf));
        const told = experiments.flatMap(({ warnings }) => warnings).join("\n");
        if (
          problems.length === 0 &&
          !JSON.stringify(rows).includes(String(SCORE)) &&
          !told.includes(KEY)
        )
          lost.push(path);
      }
      expect(lost).toEqual([]);
    },
  );

  test("was tried in more than fifty places", () => {
    expect(tried.size).toBeGreaterThan(50);
  });
});

describe("the warning about what a file holds and is not read", () => {
  const warningsOf = async (name: string, text: string, mapping?: string): Promise<string> =>
    (await readTexts({ [name]: text }, mapping === undefined ? {} : { mapping })).experiments
      .flatMap(({ warnings }) => warnings)
      .join("\n");

  test("names numbers of a JSON row that a mapping does not name, also below what it names in part", async () => {
    const row = {
      q: "a",
      ok: true,
      graded: 0.7,
      scores: [{ name: "m", value: 1, threshold: 0.5 }],
      nested: { used: 1, lost: 0.2, words: "x" },
    };
    const told = await warningsOf(
      "r.jsonl",
      `${JSON.stringify(row)}\n`,
      "inputs.q: q\nevaluation_scores: { list: scores, key: name, score: value }\nevaluation_scores.used: nested.used\n",
    );
    expect(told).toContain("numbers not read: ok, graded, scores[].threshold, nested.lost (");
    const all = await warningsOf(
      "r.jsonl",
      '{"q":"a","s":{"x":1,"y":2},"a.b":3}\n',
      "inputs.q: q\nevaluation_scores: s\nevaluation_scores.ab: a.b\n",
    );
    expect(all).not.toContain("numbers not read");
  });

  test("names columns of a CSV whose names only look like a path that the mapping reads", async () => {
    const told = await warningsOf(
      "r.csv",
      "q,score[0],score,id,*\na,1,0.5,7,8\n",
      "inputs.q: q\nevaluation_scores.first: score[0]\nignore: ['*']\n",
    );
    expect(told).toContain("numbers not read: score, id (");
  });

  test("does not name the parts of a list of scores whose name has dots", async () => {
    const of = (name: string, scores: unknown): Promise<string> =>
      warningsOf(
        "r.jsonl",
        `${JSON.stringify({ q: "a", [name]: scores })}\n`,
        "inputs.q: q\nevaluation_scores: { list: a.b, key: name, score: value }\n",
      );
    const scores = [{ name: "m", value: 1 }];
    expect(await of("a.b", scores)).not.toContain("numbers not read");
    expect(await of("a.b", { m: { value: 1 } })).not.toContain("numbers not read");
    expect(await of("a", { b: scores })).not.toContain("numbers not read");
    const more = [{ name: "m", value: 1, other: 2 }];
    expect(await of("a.b", more)).toContain("numbers not read: a.b[].other (");
  });

  test("names metrics that only promptfoo's grading has, by their full names", async () => {
    const result = {
      ...{ vars: { q: 1 }, success: true, score: 1, promptIdx: 0, namedScores: { "acc[0]": 1 } },
      gradingResult: { namedScores: { "acc[0]": 1, acc: 0.5 } },
    };
    const told = await warningsOf("r.json", JSON.stringify({ results: { results: [result] } }));
    expect(told).toContain("numbers not read: gradingResult.namedScores.acc (");
  });

  test("does not name what a JVM writes about itself, a runner counts, or a web server answered", async () => {
    const properties = ["sun.arch.data.model", "org.osgi.framework.level", "quality"].map(
      (name) => `<property name="${name}" value="64"/>`,
    );
    const suite = await readOne(
      `<testsuite name="s" tests="1" skip="0" ignored="0" warnings="2"><properties>${properties.join("")}</properties><testcase name="a"/></testsuite>`,
    );
    expect(suite.experiment.warnings.join()).toContain("numbers not read: quality (");
    const result = { vars: { q: 1 }, success: true, score: 1, gradingResult: {}, promptIdx: 0 };
    const { experiment } = await readOne(
      JSON.stringify({
        results: { results: [{ ...result, metadata: { http: { status: 200 }, own: 0.4 } }] },
      }),
    );
    expect(experiment.warnings.join()).toContain("numbers not read: metadata.own (");
  });

  test("names columns of numbers that a mapping of a CSV does not name, wherever the first number is", async () => {
    const told = await warningsOf(
      "r.csv",
      "q,score,late,words,seconds\na,1,,x,2\nb,0,0.5,y,3\n",
      "inputs.q: q\nevaluation_scores.score: score\n",
    );
    expect(told).toContain("numbers not read: seconds, late (");
  });

  test("names columns of words in a ragas table", async () => {
    const told = await warningsOf(
      "ragas.csv",
      "user_input,response,faithfulness,verdict\nq,a,0.5,good\n",
    );
    expect(told).toContain("are not scores: verdict (");
  });

  test("names twenty columns outside of the CSV convention, and counts the others", async () => {
    const more = Array.from({ length: 25 }, (_, n) => `x${n}`).join(",");
    const told = await warningsOf("r.csv", `inputs.q,feedback.m,${more}\na,1${",1".repeat(25)}\n`);
    expect(told).toContain('column "x19" is not in the convention');
    expect(told).toContain("nor are 5 more columns");
    expect(told).not.toContain("numbers not read");
  });

  test.each([";", "\t", "|"])(
    "names columns the same whether cells are separated by commas or by %j",
    async (separator) => {
      const text = [
        ["inputs.q", "inputs.long", "feedback.m"],
        ["a", `"two\nlines${separator}"`, "0.5"],
        ["b, c", "d", "1"],
      ]
        .map((cells) => cells.join(separator))
        .join("\n");
      const { experiment, rows } = await readOne(text, { name: "r.csv" });
      expect(rows.map(({ inputs }) => inputs)).toEqual([
        { q: "a", long: `two\nlines${separator}` },
        { q: "b, c", long: "d" },
      ]);
      expect(experiment.scores["m"]).toMatchObject({ mean: 0.75 });
    },
  );

  test("a number with a decimal comma is a word, which no gate takes for a score", async () => {
    const text = "inputs.q;feedback.m\na;0,5\nb;1\n";
    const { experiment } = await readOne(text, { name: "r.csv" });
    expect(experiment.words).toEqual({ m: { rows: 1, mappable: true } });
    const workspace = createTree({ "r.csv": text });
    const run = await runCli(["gate", "r.csv", "--gate", "m >= 0.1"], { workspace });
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining("1 score of m in r.csv is a word, not a number"),
    ]);
  });
});

test("a draft is offered for a table with tabs and line breaks in its first row, and for another tool's rows with one of our field names", async () => {
  const [tabs] = await problemsOf('\tq\terror\tscore\n0\ta\t"boom\ntrace"\t1\n');
  expect(tabs).toMatch(/^the format is not known \(csv, columns , q, error, score\)/);
  const report = { name: "task", cases: [{ name: "a", inputs: 1, scores: { m: { value: 1 } } }] };
  const [pydantic] = await problemsOf(JSON.stringify({ ...report, experiment_metadata: null }));
  expect(pydantic).toMatch(/^the format is not known .* a mapping to start from: \{ rows: cases, /);
  const langsmith = { "inputs.q": "a", "outputs.a": "b", "feedback.exact": 1, error: null };
  const [lines] = await problemsOf(`${JSON.stringify(langsmith)}\n`, { name: "r.jsonl" });
  expect(lines).toMatch(/^the format is not known/);
});

test("a refusal names only inputs that exist: gate/action.yml has none for a format or a mapping", async () => {
  const text = "question,mark\na,x\n";
  const [plain] = await problemsOf(text);
  const [gate] = await problemsOf(text, { entryPoint: "gate" });
  expect(plain).toMatch(/\); name it with format/);
  expect(gate).toMatch(/\); use the main action with command: gate, and there name it with format/);
});
