import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";

const SCORED = '{"inputs":{"q":1},"evaluation_scores":[{"key":"a","score":1}]}\n';

describe("what a run says about a result file", () => {
  test("the first line says which format was read", async () => {
    const workspace = createTree({ "rows.jsonl": SCORED });
    const emulator = await startTestEmulator();
    for (const args of [
      ["upload", "rows.jsonl"],
      ["upload", "rows.jsonl", "--dry-run"],
    ]) {
      const run = await runCli(args, { workspace, env: emulator.env });
      expect([run.code, run.stderr.split("\n")[0]]).toEqual([
        0,
        expect.stringMatching(/^rows\.jsonl: read as rows: /),
      ]);
    }
    const gate = await runCli(["gate", "rows.jsonl", "--gate", "a >= 0"], { workspace });
    expect(gate.stderr.split("\n")[0]).toMatch(/^rows\.jsonl: read as rows: /);
  });

  test("a file without a score is refused before anything is sent, with a mapping that reads it", async () => {
    const workspace = createTree({ "golden.csv": "question,answer,points\na,b,3\n" });
    const emulator = await startTestEmulator();
    for (const more of [[], ["--dry-run"]]) {
      const run = await runCli(["upload", "golden.csv", ...more], { workspace, env: emulator.env });
      expect(run.code).toBe(2);
      expect(run.stdout + run.stderr).toMatch(/points.*evaluation_scores\.points: points/s);
    }
    expect(emulator.emulator.requests()).toEqual([]);
    const mapping =
      "inputs.question: question\nactual_outputs.answer: answer\nevaluation_scores.points: points\n";
    workspace.write("mapping.yml", mapping);
    const mapped = await runCli(["upload", "golden.csv", "--mapping", "mapping.yml", "--json"], {
      workspace,
      env: emulator.env,
    });
    expect(mapped.code).toBe(0);
    expect(JSON.parse(mapped.stdout).experiments[0].scores).toEqual({ points: { mean: 3, n: 1 } });
  });

  test("a gate over rows without a score fails, and says so", async () => {
    const workspace = createTree({ "rows.jsonl": '{"inputs":{"q":1}}\n' });
    const run = await runCli(["gate", "rows.jsonl", "--gate", "a >= 0.5"], { workspace });
    expect([run.code, run.stdout]).toEqual([
      4,
      expect.stringContaining("a cannot be judged: none of the 1 row has a score for it."),
    ]);
    expect(run.stdout).toContain("rows.jsonl: no row has a score (read as rows)");
  });

  test.each([
    ["ragas.csv", "user_input,response,faithfulness,context_recall\na,b,0.9,\nc,d,0.8,NaN\n"],
    [
      "mlflow.json",
      '{"columns":["inputs","outputs","faithfulness/v1/score","context_recall/v1/score","context_recall/v1/justification"],"data":[["a","b",0.9,null,"Failed to score"],["c","d",0.8,null,"Failed to score"]]}',
    ],
    [
      "azure.jsonl",
      ["a", "c"]
        .map(
          (query) =>
            `{"inputs.query":"${query}","outputs.response":"b","outputs.faithfulness.score_":0.9,"outputs.context_recall":null,"outputs.judge.context_recall":null}\n`,
        )
        .join(""),
    ],
  ])("a metric that a file names and never scores fails its gate: %s", async (name, text) => {
    const workspace = createTree({ [name]: text });
    const metric = `${name === "azure.jsonl" ? "judge." : ""}context_recall`;
    const run = await runCli(["gate", name, "--gate", `${metric} >= 0.5`], { workspace });
    expect([run.code, run.stdout]).toEqual([
      4,
      expect.stringContaining(`${metric} cannot be judged: none of the 2 rows has a score for it.`),
    ]);
    expect(run.stdout).toContain(
      `2 scores are missing, NaN or infinite (2 of ${metric}): unscored, not sent, in no mean`,
    );
    const typo = await runCli(["gate", name, "--gate", "context_recal >= 0.5"], { workspace });
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining("context_recal is not")]);
  });

  test.each([
    ["ragas.csv", "user_input,response,faithfulness\na,b,\nc,d,\n", "faithfulness"],
    [
      "rows.jsonl",
      '{"inputs":{"q":1},"evaluation_scores":[{"key":"right","score":NaN}]}\n',
      "right",
    ],
  ])(
    "scores that are all missing do not lead to advice about a mapping: %s",
    async (name, text, metric) => {
      const workspace = createTree({ [name]: text });
      const run = await runCli(["upload", name, "--dry-run"], {
        workspace,
        env: { AGENT_DEPLOY_API_KEY: "no-key-of-anybody" },
      });
      expect([run.code, run.stderr]).toEqual([
        2,
        expect.stringContaining(`all values of ${metric} are missing, NaN or infinite`),
      ]);
      expect(run.stderr).not.toContain("mapping");
    },
  );

  test.each([
    ["table.csv", "q,s,k\na,1,x\nb,1,x\n"],
    ["list.json", '[{"q":"a","s":1,"k":"x"},{"q":"b","s":1,"k":"x"}]'],
    ["lines.jsonl", '{"q":"a","s":1,"k":"x"}\n{"q":"b","s":1,"k":"x"}\n'],
  ])("a mapping that leaves out everything in %s is named as the reason", async (name, text) => {
    const workspace = createTree({
      [name]: text,
      "mapping.yml": "where: { k: y }\ninputs.q: q\nevaluation_scores.s: s\n",
    });
    const run = await runCli(["upload", name, "--mapping", "mapping.yml", "--dry-run"], {
      workspace,
      env: { AGENT_DEPLOY_API_KEY: "no-key-of-anybody" },
    });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("`where` left out 2 rows")]);
    expect(run.stderr).not.toContain("check that the run wrote them");
  });

  test("a mapping and a format that does not use it are refused together, so that neither is ignored", async () => {
    const workspace = createTree({
      "table.csv": "inputs.q,feedback.a,b\nx,1,0\n",
      "mapping.yml": "inputs.q: inputs.q\nevaluation_scores.b: b\n",
    });
    const read = async (format: string) =>
      runCli(
        ["gate", "table.csv", "--format", format, "--mapping", "mapping.yml", "--gate", "b <= 0.5"],
        { workspace },
      );
    const refused = await read("promptfoo");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("leave out format or mapping"),
    ]);
    for (const format of ["auto", "mapping", "csv"]) expect((await read(format)).code).toBe(0);
  });

  test.each([
    [
      "azure.json",
      JSON.stringify({
        rows: [{ "inputs.query": "a", "outputs.rel.relevance": 4, "outputs.own_score": 0.3 }],
      }),
      "own_score",
    ],
    [
      "junit.xml",
      '<testsuite><testcase name="a"><properties><property name="accuracy" value="0.4"/></properties></testcase></testsuite>',
      "accuracy",
    ],
    [
      "vitest.json",
      JSON.stringify({
        numTotalTests: 1,
        testResults: [
          { assertionResults: [{ title: "t", status: "passed", meta: { score: 0.4 } }] },
        ],
      }),
      "meta.score",
    ],
  ])(
    "a number that is not a score of the tool is reported as not read: %s",
    async (name, text, number) => {
      const workspace = createTree({ [name]: text });
      const run = await runCli(["upload", name, "--dry-run"], { workspace });
      expect([run.code, run.stderr]).toEqual([
        0,
        expect.stringContaining(
          `numbers not read: ${number} (${
            name.endsWith(".xml")
              ? "a property score.NAME of a test is read as a score"
              : "a mapping can name them as scores"
          })`,
        ),
      ]);
    },
  );

  test("--explain shows how the first rows were read, and sends nothing", async () => {
    const workspace = createTree({ "rows.jsonl": SCORED.repeat(5) });
    const emulator = await startTestEmulator();
    const run = await runCli(["upload", "--explain", "rows.jsonl"], {
      workspace,
      env: emulator.env,
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/format rows, 5 rows.*row 1, line 1:.*inputs\.q = 1.*score a = 1/s);
    expect(run.stdout.match(/^ {2}row \d+, line/gm)).toHaveLength(3);
    expect(emulator.emulator.requests()).toEqual([]);
  });
});
