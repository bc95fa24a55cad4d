import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { readTexts } from "./read-text.ts";

async function warningsOf(
  name: string,
  text: string,
  mapping?: string,
): Promise<{ readonly code: number | null; readonly warnings: readonly string[] }> {
  const files = mapping === undefined ? {} : { "mapping.yml": mapping };
  const workspace = createTree({ [name]: text, ...files });
  const by = mapping === undefined ? [] : ["--mapping", "mapping.yml"];
  const args = ["gate", name, "--gate", "rows >= 1", ...by, "--json"];
  const { code, stdout } = await runCli(args, { workspace });
  const { experiments } = JSON.parse(stdout) as { experiments: { warnings: string[] }[] };
  const warnings = experiments.flatMap((one) => one.warnings);
  return { code, warnings: warnings.filter((line) => line.includes("fewer cells")) };
}

const rows = (many: number, row: (n: number) => string): string =>
  Array.from({ length: many }, (_, n) => `${row(n)}\n`).join("");

describe("a line of a CSV with fewer cells than the header", () => {
  test("is reported with its number, and the file is read", async () => {
    expect(
      await warningsOf("r.csv", "inputs.q,feedback.a,feedback.b\nq1,1,1\nq2,1\nq3,1,0\n"),
    ).toEqual({
      code: 0,
      warnings: [
        "1 line of the table has fewer cells than its header (line 3): what is missing counts as empty; end each with its empty cells if that is meant",
      ],
    });
  });

  test("is counted if there are many, and the first ones are named by where they begin", async () => {
    const text = `inputs.q,feedback.a,error\n"q\n1",1,\n${rows(20, (n) => `r${n},1`)}`;
    expect((await warningsOf("r.csv", text)).warnings).toEqual([
      expect.stringContaining(
        "20 lines of the table have fewer cells than its header (lines 4, 5, 6, 7, 8 and 15 more)",
      ),
    ]);
  });

  test.each([
    [5, "5 lines of the table have fewer cells than its header (lines 2, 3, 4, 5, 6): "],
    [6, "6 lines of the table have fewer cells than its header (lines 2, 3, 4, 5, 6 and 1 more): "],
  ])("is named for the first five of %d, and the others are counted", async (many, words) => {
    const text = `inputs.q,feedback.a,error\n${rows(many, (n) => `r${n},1`)}`;
    const { experiments } = await readTexts({ "r.csv": text });
    expect(experiments[0]!.warnings).toContainEqual(expect.stringContaining(words));
  });

  test.each<[string, string, string, string?]>([
    [
      "of a mapping",
      "r.csv",
      "question,points,max\nq1,1,2\nq2\n",
      "inputs.q: question\nevaluation_scores.points: points\n",
    ],
    ["of ragas", "r.csv", "user_input,response,faithfulness,context_recall\na,b,1,1\nc,d,1\n"],
    ["of mlflow", "r.csv", "inputs,outputs,toxicity/v1/score,exact/value\na,b,1,1\nc,d,1\n"],
    [
      "of promptfoo",
      "r.csv",
      "q,[openai:gpt] p,Status,Score,Named Scores,Grader Reason\na,b,PASS,1,{},ok\nc,d,PASS,1\n",
    ],
  ])("is reported in the format %s", async (...given) => {
    const [, name, text, mapping] = given;
    const read = await warningsOf(name, text, mapping);
    expect([read.code, read.warnings]).toEqual([0, [expect.stringContaining("(line 3)")]]);
  });

  test("is not reported if what is missing is not read: columns without a name, or outside of the mapping", async () => {
    const named = "inputs.q,feedback.a,,\nq1,1\nq2,0,\n";
    expect(await warningsOf("r.csv", named)).toEqual({ code: 0, warnings: [] });
    const mapping = "inputs.q: question\nevaluation_scores.points: points\n";
    const unread = "question,points,remark\nq1,1,fine\nq2,0\n";
    expect(await warningsOf("r.csv", unread, mapping)).toEqual({ code: 0, warnings: [] });
  });
});

test("an error cell that says nan, None, null, False, 0 or {} is not a crash, and every other text is", async () => {
  const cells = [
    "",
    "nan",
    "NaN",
    "None",
    "null",
    "<NA>",
    "N/A",
    " nan ",
    "False",
    "0",
    "{}",
    "nanosecond timer broke",
    "0 rows",
  ];
  const text = `inputs.q,error,feedback.a\n${cells.map((cell, n) => `q${n},${cell},1\n`).join("")}`;
  const mapping = "inputs.q: inputs.q\nerror: error\nevaluation_scores.a: feedback.a\n";
  const workspace = createTree({ "r.csv": text, "mapping.yml": mapping });
  for (const more of [[], ["--mapping", "mapping.yml"]]) {
    const args = ["gate", "r.csv", "--gate", "a >= 0.5", ...more, "--json"];
    const { stdout } = await runCli(args, { workspace });
    expect(JSON.parse(stdout).experiments[0]).toMatchObject({ rows: 13, errors: 2 });
  }
});
