import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { readAverages } from "../../src/gate/averages.ts";
import { createTree } from "../support/tree.ts";
import { judgeIn } from "./judged.ts";

const ragas = JSON.stringify({
  faithfulness: 0.91,
  answer_relevancy: 0.87,
  cost: 1.2,
  judge: { tone: 4.2, length: 3 },
  model: "m-1",
  run: { at: "2026-11-25T00:00:00Z", ok: true, seed: null },
});
const rows = JSON.stringify(
  Array.from({ length: 20 }, (_, i) => ({
    inputs: { question: `question number ${i} of the suite` },
    evaluation_scores: [{ key: "correctness", score: i < 18 ? 1 : 0 }],
  })),
);

async function gate(files: Record<string, string>, ...args: string[]) {
  const workspace = createTree(files);
  const { code, report, stdout, stderr } = await judgeIn(workspace, ...args);
  return { code, report, said: stderr + stdout, workspace };
}

describe("a file of averages", () => {
  test("answers floors and ceilings, with nested names joined by dots and without an interval", async () => {
    const { code, report } = await gate(
      { "ragas.json": ragas },
      "ragas.json",
      "--gate",
      "faithfulness >= 0.9\njudge.tone >= 4\ncost <= 1.5",
    );
    expect(code).toBe(0);
    expect(report.gates).toMatchObject([
      { metric: "faithfulness", verdict: "pass", head: 0.91, ci: null, p: null, method: "average" },
      { metric: "judge.tone", verdict: "pass", head: 4.2, direction: "higher" },
      { metric: "cost", verdict: "pass", head: 1.2, direction: "lower" },
    ]);
    expect(report.gate_verdict).toBe("pass");
  });

  test("is read next to an average that Python wrote as NaN, which no gate finds", async () => {
    const files = { "ragas.json": '{"faithfulness": 0.91, "answer_relevancy": NaN}\n' };
    const { code, report } = await gate(files, "ragas.json", "--gate", "faithfulness >= 0.9");
    expect([code, report.gate_verdict]).toEqual([0, "pass"]);
    const missing = await gate(files, "ragas.json", "--gate", "answer_relevancy >= 0.9");
    expect(missing.code).toBe(2);
    expect(missing.said).toContain("averages seen: faithfulness");
  });

  test.each([
    ['{"a.b": 0.9, "a": {"b": 0.5}, "f1": 0.7}', "a.b >= 0.4"],
    ['{"a": {"b": 0.5}, "a.b": 0.9}', "* >= 0.4"],
  ])("is refused if a name has two values: %s", async (text, rule) => {
    const { code, said } = await gate({ "a.json": text }, "a.json", "--gate", rule);
    expect(code).toBe(2);
    expect(said).toContain("a.b has two values in a.json");
  });

  test("is judged if a name has the same value twice, or two values that no gate asks for", async () => {
    const files = { "a.json": '{"a.b": 0.5, "a": {"b": 0.5}, "x.y": 1, "x": {"y": 2}}' };
    const { code } = await gate(files, "a.json", "--gate", "a.b >= 0.5");
    expect(code).toBe(0);
  });

  test("is refused with the command that drafts a mapping of rows by name, and with some of many averages", async () => {
    const byId = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`case-${at}`, { question: `q${at}`, score: 1 }]),
    );
    const files = { "a.json": JSON.stringify(byId) };
    for (const rule of ["score >= 0.9", "case-1.score drop <= 3%"]) {
      const { code, said } = await gate(files, "a.json", "--gate", rule);
      expect([code, said]).toEqual([
        2,
        expect.stringContaining("agent-deploy upload --explain a.json drafts one"),
      ]);
    }
    const { said } = await gate(files, "a.json", "--gate", "score >= 0.9");
    expect(said).toMatch(/averages seen: case-0\.score, .* and 10 more; every other metric/);
  });

  test("is named in the reason if there are several", async () => {
    const files = { "a.json": ragas, "b.json": '{"faithfulness": 0.8, "other": 1}' };
    const FLOOR = ["--gate", "faithfulness >= 0.9"];
    const end = "(an average: without rows there is no interval).";
    const one = await gate(files, "a.json", ...FLOOR);
    expect(one.report.gates.map(({ reason }: { reason: string }) => reason)).toEqual([
      `faithfulness is 0.91, at or above its floor of 0.9 ${end}`,
    ]);
    const both = await gate(files, "a.json", "b.json", ...FLOOR);
    expect(both.report.gates.map(({ reason }: { reason: string }) => reason)).toEqual([
      `a.json: faithfulness is 0.91, at or above its floor of 0.9 ${end}`,
      `b.json: faithfulness is 0.8, below its floor of 0.9 ${end}`,
    ]);
  });

  test("misses a ceiling that it is above, and meets one that it is at", async () => {
    const files = { "a.json": ragas };
    const end = "(an average: without rows there is no interval).";
    const ceiling = await gate(files, "a.json", "--gate", "cost <= 1.1");
    expect(ceiling.report.gates[0].reason).toBe(`cost is 1.2, above its limit of 1.1 ${end}`);
    const met = await gate(files, "a.json", "--gate", "cost <= 1.2");
    expect(met.report.gates[0].reason).toBe(`cost is 1.2, at or below its limit of 1.2 ${end}`);
  });

  test("that passes on the side that is worse is a warning", async () => {
    const files = { "a.json": '{"hallucination": 0.4, "cost": 1.2, "latency": 3}' };
    const gates = "hallucination >= 0.1, cost <= 2, latency <= 4s";
    const { code, report } = await gate(files, "a.json", "--gate", gates);
    expect([code, report.warnings]).toEqual([
      0,
      [
        '`hallucination >= 0.1` passes worse runs if lower hallucination is better. Write `hallucination <= …`, or say in the gate file which is better: `direction: {"hallucination": lower}`, or `higher`',
      ],
    ]);
  });

  test("fails below a floor, however narrowly", async () => {
    const { code, report } = await gate(
      { "a.json": ragas },
      "a.json",
      "--gate",
      "faithfulness >= 0.9101",
    );
    expect(code).toBe(4);
    expect(report.gates[0].reason).toContain("below its floor of 0.9101");
  });

  test("that equals the floor of a strict gate is not reported as below it", async () => {
    const { code, report } = await gate(
      { "a.json": ragas },
      "a.json",
      "--gate",
      "faithfulness > 0.91",
    );
    expect(code).toBe(4);
    expect(report.gates[0].reason).toContain("is 0.91, not above its floor of 0.91");
  });

  test("is judged by * >= x for each average except usage", async () => {
    const { code, report } = await gate({ "a.json": ragas }, "a.json", "--gate", "* >= 0.9");
    expect(code).toBe(4);
    expect(report.gates.map(({ metric, verdict }: any) => `${metric} ${verdict}`)).toEqual([
      "faithfulness pass",
      "answer_relevancy fail",
      "judge.tone pass",
      "judge.length pass",
    ]);
  });

  test.each([
    ["a drop", ["--gate", "faithfulness drop <= 3%"], "`faithfulness drop <= 3%` needs rows"],
    ["a drop of every metric", ["--gate", "* drop <= 5%"], "`* drop <= 5%` needs rows"],
    ["a metric that it lacks", ["--gate", "faithfullness >= 0.5"], "did you mean faithfulness?"],
    ["what is counted from rows", ["--gate", "error_rate <= 2%"], "every other metric needs rows"],
    ["a limit that cannot be met", ["--gate", "faithfulness >= 85"], "faithfulness >= 0.85"],
    [
      "a limit that only rows could make sense of",
      ["--gate", "faithfulness >= 85"],
      " in a.json; did you mean",
    ],
    [
      "proven floors",
      ["--gate", "faithfulness >= 0.5", "--floors", "proven"],
      "floors: proven needs rows",
    ],
    ["must_pass", ["--gate", "gates.yml"], "must_pass needs rows"],
    [
      "a baseline to write",
      ["--gate", "faithfulness >= 0.5", "--write-baseline", "b.json"],
      "write-baseline needs rows",
    ],
    [
      "a baseline to write without gates",
      ["--write-baseline", "b.json"],
      "write-baseline needs rows",
    ],
  ])("is refused for %s, and nothing is judged", async (_, args, said) => {
    const files = {
      "a.json": ragas,
      "gates.yml": "gates: [faithfulness >= 0.5]\nmust_pass:\n  - run_metadata.critical\n",
    };
    const run = await gate(files, "a.json", ...args);
    expect(run.code).toBe(2);
    expect(run.said).toContain(said);
    expect(run.workspace.has("b.json")).toBe(false);
  });

  test("is not compared with a baseline, and the report warns of it", async () => {
    const { code, report } = await gate(
      { "a.json": ragas, "base.json": rows },
      "a.json",
      ...["--gate", "faithfulness >= 0.5", "--baseline", "base.json"],
    );
    expect(code).toBe(0);
    expect(report.warnings).toEqual(["baseline: not compared, since a.json holds averages"]);
  });

  test("is judged next to rows, each gate where its metric is", async () => {
    const files = {
      "ragas.json": ragas,
      "rows.json": rows,
      "base.json": rows.replace('"score":0', '"score":1'),
    };
    const args = ["rows.json", "ragas.json", "--baseline", "base.json"];
    const good = await gate(
      files,
      ...args,
      ...[
        "--gate",
        "correctness >= 0.8\nfaithfulness >= 0.9\ncorrectness drop <= 0.2\nerror_rate <= 2%",
      ],
    );
    expect(good.code).toBe(0);
    expect(good.report.gates.map(({ metric, n }: any) => [metric, n])).toEqual([
      ["faithfulness", 0],
      ["correctness", 20],
      ["correctness", 20],
      ["error_rate", 20],
      ["errors", 20],
    ]);
    const bad = await gate(files, ...args, "--gate", "correctness >= 0.8\nfaithfulness >= 0.95");
    expect(bad.code).toBe(4);
    const unknown = await gate(files, ...args, "--gate", "correctness >= 0.8\nfaithful >= 0.95");
    expect(unknown.code).toBe(2);
    const drop = await gate(files, ...args, "--gate", "faithfulness drop <= 3%");
    expect(drop.code).toBe(2);
    expect(drop.said).toContain("needs rows");
  });

  test.each([
    ["in an upload", ["upload", "a.json", "--dry-run"], ragas],
    ["without a number", ["gate", "a.json", "--gate", "x >= 0.5"], '{"model": "m"}'],
    ["as an empty object", ["gate", "a.json", "--gate", "x >= 0.5"], "{}"],
    ["as a list of numbers", ["gate", "a.json", "--gate", "x >= 0.5"], '{"x": [0.5, 0.6]}'],
    ["as broken JSON", ["gate", "a.json", "--gate", "x >= 0.5"], '{"x": 0.5'],
    ["with only NaN", ["gate", "a.json", "--gate", "x >= 0.5"], '{"x": NaN}'],
  ])("is still refused: %s", async (_, args, text) => {
    const run = await runCli(args, { workspace: createTree({ "a.json": text }) });
    expect(run.code).toBe(2);
    expect(run.stderr + run.stdout).toContain("a.json");
  });
});

test.each([
  [{ accuracy: 0.5 }, [["accuracy", 0.5]]],
  [{ judge: { tone: 4 }, model: "m" }, [["judge.tone", 4]]],
  [{}, null],
  [{ model: "m" }, null],
  [{ scores: [1, 0] }, null],
  [0.5, null],
])("the averages of %j are %j", (json, expected) => {
  const read = readAverages(json);
  expect(read === null ? null : [...read.values]).toEqual(expected);
});
