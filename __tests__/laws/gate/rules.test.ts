import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { GateReport } from "../../../src/report/report.ts";
import { runCli } from "../../support/cli-run.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";
import { judgeIn, type Judged } from "../../gate/judged.ts";

/** Rows of one metric each; `x` is a crash, a digit a mark, `-` a row without a score. */
function marks(text: string, metric = "correctness"): string {
  return JSON.stringify(
    [...text].map((mark, i) => ({
      inputs: { question: `question number ${i} of the suite` },
      ...(mark === "x" ? { error: "it broke" } : {}),
      ...(mark === "x" || mark === "-"
        ? {}
        : { evaluation_scores: [{ key: metric, score: Number(mark) }] }),
      ...(mark === "-" ? { evaluation_scores: [{ key: "other", score: 1 }] } : {}),
    })),
  );
}

function values(numbers: readonly number[], metric: string): string {
  return JSON.stringify(
    numbers.map((score, i) => ({
      inputs: { question: i },
      evaluation_scores: [{ key: metric, score }],
    })),
  );
}

const ones = (n: number): string => "1".repeat(n);
const zeros = (n: number): string => "0".repeat(n);

const gateIn = (workspace: Tree, ...args: string[]) => judgeIn(workspace, "head.json", ...args);
const gate = (files: Record<string, string>, ...args: string[]) =>
  gateIn(createTree(files), ...args);

describe("usage errors of gates are exit 2 and say what to write", () => {
  test.each([
    ["an unknown key", "gates: correctness >= 0.5\ncluster: inputs.x", /unknown key/u],
    [
      "a list",
      "- correctness >= 0.5\n- correctness drop <= 0.1",
      /mapping, not a list; write `gates:`.*`gates: \["correctness >= 0\.5"\]`/u,
    ],
    ["an unknown word for proof", "gates: correctness >= 0.5\nproof: sure", /detect or rule-out/u],
    ["an unknown word for errors", "gates: correctness >= 0.5\nerrors: no", /count or ignore/u],
    [
      "a pool that is neither true nor false",
      "gates: correctness >= 0.5\npool: 3",
      /true or false/u,
    ],
    [
      "an unknown metric",
      "gates: corectness >= 0.5",
      /did you mean correctness\?.*metrics seen: correctness/u,
    ],
    [
      "a drop of 5 on marks",
      "gates: correctness drop <= 5",
      /can never fail.*did you mean `correctness drop <= 0\.05`/u,
    ],
    ["a floor of 0", "gates: correctness >= 0", /can never fail/u],
    ["a ceiling of 1", "gates: correctness <= 1", /can never fail/u],
    ["a floor of 85", "gates: correctness >= 85", /did you mean `correctness >= 0\.85`/u],
    ["an error rate of 1", "gates: error_rate <= 1", /can never fail/u],
    ["a blank file", "", /holds no gate/u],
    ["a file of comments", "# gates:\n", /holds no gate/u],
  ])("%s", async (_, text, message) => {
    const run = await gate(
      { "head.json": marks(ones(20)), "base.json": marks(`${ones(19)}0`), "gates.yml": text },
      "--gate",
      "gates.yml",
      "--baseline",
      "base.json",
    );
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(2);
  });

  test("a list that is given inline", async () => {
    const run = await gate({ "head.json": marks(ones(20)) }, "--gate", "- correctness >= 0.5");
    expect([run.code, run.stderr.includes("gates:")]).toEqual([2, true]);
  });

  test("a baseline that is the head itself, the same file or the same bytes", async () => {
    const files = { "head.json": marks(ones(20)), "copy.json": marks(ones(20)) };
    for (const baseline of ["head.json", "copy.json"]) {
      const run = await gate(files, "--gate", "correctness drop <= 0.1", "--baseline", baseline);
      expect(run.code).toBe(2);
      expect(run.stderr).toMatch(/compared with itself/u);
    }
  });

  test("scores on another scale", async () => {
    const run = await gate(
      {
        "head.json": values(
          Array.from({ length: 20 }, () => 0.8),
          "quality",
        ),
        "base.json": values(
          Array.from({ length: 20 }, (_, i) => 3 + (i % 3)),
          "quality",
        ),
      },
      "--gate",
      "quality drop <= 0.1",
      "--baseline",
      "base.json",
    );
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/another scale: 0\.8 to 0\.8 in head\.json, 3 to 5/u);
  });

  test("a baseline file that was edited by hand", async () => {
    const workspace = createTree({ "head.json": marks(`${zeros(4)}${ones(16)}`) });
    const written = await gateIn(workspace, "--write-baseline", "b.json");
    expect(written.code).toBe(0);
    const text = workspace.read("b.json");
    workspace.write("b.json", text.replace(/null,0\]/u, "null,1]"));
    const run = await gateIn(
      workspace,
      "--gate",
      "correctness drop <= 0.1",
      "--baseline",
      "b.json",
    );
    expect([run.code, /edited by hand/u.test(run.stderr)]).toEqual([2, true]);
  });

  test("a metric whose name leaves its direction open, unless a person states it", async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => (i % 2) / 2);
    const files = {
      "head.json": values(numbers, "no_hallucination"),
      "base.json": values([...numbers].reverse(), "no_hallucination"),
    };
    const args = ["--baseline", "base.json", "--gate"];
    const open = await gate(files, ...args, "no_hallucination drop <= 0.1");
    expect(open.code).toBe(2);
    expect(open.stderr).toContain('direction: {"no_hallucination": higher}');
    const told = await gate(
      {
        ...files,
        "g.yml": 'gates: no_hallucination drop <= 0.1\ndirection: {"no_hallucination": higher}',
      },
      ...args,
      "g.yml",
    );
    expect([told.code, told.gates[0]!.direction]).toEqual([0, "higher"]);
  });

  test("a direction against the metric's own floor, which would pass its drop, is only a warning", async () => {
    const files = { "head.json": marks(zeros(20)), "base.json": marks(ones(20)) };
    const args = ["--baseline", "base.json", "--gate", "g.yml"];
    const judged = (direction: string) => {
      const file = `gates: [correctness >= 0.9, correctness drop <= 0.1]\ndirection: { correctness: ${direction} }`;
      return gate({ ...files, "g.yml": file }, ...args);
    };
    const warning =
      /direction says that less of correctness is better, its floor .correctness >= 0\.9. the opposite/;
    expect((await judged("lower")).stderr).toMatch(warning);
    expect((await judged("higher")).stderr).not.toMatch(/the opposite/);
  });
});

describe("directions", () => {
  test.each([
    ["violations", "lower"],
    ["noise_sensitivity", "lower"],
    ["pii_leakage", "lower"],
    ["perplexity", "lower"],
    ["cost", "lower"],
    ["Toxicity.pass", "higher"],
    ["faithfulness", "higher"],
  ])("%s: %s is better", async (metric, side) => {
    const low = Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? 0.9 : 0.1));
    const high = Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? 0.1 : 0.9));
    const [head, base] = side === "lower" ? [high, low] : [low, high];
    const run = await gate(
      { "head.json": values(head, metric), "base.json": values(base, metric) },
      "--gate",
      `${metric} drop <= 0.1`,
      "--baseline",
      "base.json",
    );
    expect(run.gates[0]).toMatchObject({ verdict: "fail", direction: side });
    expect(run.code).toBe(4);
  });

  /** DeepEval's file of one metric, by whether its version passes scores above the threshold or below it. */
  const deepeval = (scores: readonly number[], passes: (score: number) => boolean, name: string) =>
    JSON.stringify({
      testCases: scores.map((score, n) => ({
        input: `q${n}`,
        metricsData: [{ name, threshold: 0.5, success: passes(score), score }],
      })),
    });
  const mostly = (value: number): number[] =>
    Array.from({ length: 40 }, (_, n) => (n % 8 === 0 ? 1 - value : value));
  const above = (score: number): boolean => score >= 0.5;
  const below = (score: number): boolean => score <= 0.5;

  test.each([
    ["Toxicity", "higher", above],
    ["Toxicity", "lower", below],
    ["PII Leakage", "higher", above],
    ["Verbosity", "lower", below],
    ["Cost of trust", "higher", above],
  ])("DeepEval's %s: %s is better if its verdicts show it", async (name, side, passes) => {
    const [good, bad] = side === "higher" ? [0.9, 0.1] : [0.1, 0.9];
    const run = await gate(
      {
        "head.json": deepeval(mostly(bad), passes, name),
        "base.json": deepeval(mostly(good), passes, name),
      },
      "--gate",
      `${name} drop <= 0.1`,
      "--baseline",
      "base.json",
    );
    expect(run.gates[0]).toMatchObject({ verdict: "fail", direction: side });
  });

  test("less is better for Azure's severities, by the verdicts next to them or by their names", async () => {
    const azure = (value: number, threshold: string): string =>
      JSON.stringify({
        metrics: {},
        rows: mostly(value).map((share, n) => ({
          "inputs.query": `q${n}`,
          "outputs.violence.violence_score": 7 * share,
          "outputs.violence.violence_result": share > 0.5 ? "fail" : "pass",
          [`outputs.violence.${threshold}`]: 3,
        })),
      });
    const foundry = (value: number, threshold: string): string =>
      JSON.stringify({
        data: mostly(value).map((share, n) => ({
          object: "eval.run.output_item",
          datasource_item: { query: `q${n}` },
          results: [
            { name: "violence", score: 7 * share, passed: share <= 0.5, [threshold]: 3 },
            { name: "anger", score: 7 * share, passed: share <= 0.5, threshold: 3 },
          ],
        })),
      });
    for (const [write, metric, threshold] of [
      [azure, "violence.violence_score", "violence_threshold"],
      [azure, "violence.violence_score", "other"],
      [foundry, "violence", "threshold"],
      [foundry, "violence", "other"],
      [foundry, "anger", "other"],
    ] as const) {
      const run = await gate(
        { "head.json": write(0.9, threshold), "base.json": write(0.4, threshold) },
        "--gate",
        `${metric} drop <= 0.5`,
        "--baseline",
        "base.json",
      );
      expect(run.gates[0]).toMatchObject({ verdict: "fail", direction: "lower" });
    }
  });

  test("the side of DeepEval's Toxicity is not guessed without verdicts", async () => {
    const drop = ["--gate", "Toxicity drop <= 0.1", "--baseline", "base.json"];
    const silent = (value: number): string =>
      deepeval(mostly(value), above, "Toxicity").replaceAll('"threshold":0.5,', "");
    const unclear = await gate({ "head.json": silent(0.9), "base.json": silent(0.8) }, ...drop);
    expect([unclear.code, unclear.stderr]).toEqual([
      2,
      expect.stringContaining("which side of Toxicity is better is not clear"),
    ]);
  });

  test("a ceiling on what DeepEval passes from above causes a warning", async () => {
    const run = await gate(
      { "head.json": deepeval(mostly(0.1), above, "Toxicity") },
      "--gate",
      "Toxicity <= 0.5",
    );
    expect(run.stderr).toContain(
      "the verdicts in head.json show that more of Toxicity is better, but the gate says the opposite",
    );
  });

  test("promptfoo's cost and latency assertions are marks: higher is better", async () => {
    const file = (score: number): string =>
      Array.from({ length: 40 }, (_, i) =>
        JSON.stringify({
          vars: { q: i },
          promptIdx: 0,
          prompt: { label: "p" },
          success: true,
          score: 1,
          failureReason: 0,
          latencyMs: 5,
          gradingResult: {
            pass: true,
            score: 1,
            componentResults: [
              { pass: score === 1, score: i % 4 === 0 ? score : 1, assertion: { type: "cost" } },
            ],
          },
        }),
      ).join("\n");
    const workspace = createTree({ "head.jsonl": file(0), "base.jsonl": file(1) });
    const run = await runCli(
      ["gate", "head.jsonl", "--json", "--gate", "cost drop <= 0.02", "--baseline", "base.jsonl"],
      { workspace },
    );
    const { gates } = JSON.parse(run.stdout) as { gates: GateReport[] };
    expect(gates[0]).toMatchObject({ verdict: "fail", direction: "higher" });
  });
});

describe("crashes are results", () => {
  const base = marks(`${ones(70)}${zeros(30)}`);

  test("a head that crashes on the failing rows does not look better", async () => {
    const run = await gate(
      { "head.json": marks(`${ones(60)}${"x".repeat(40)}`), "base.json": base },
      "--gate",
      "correctness drop <= 0.02, correctness >= 0.6",
      "--baseline",
      "base.json",
    );
    expect(run.code).toBe(4);
    expect(run.gates.map(({ metric, verdict }) => [metric, verdict])).toEqual([
      ["correctness", "inconclusive"],
      ["correctness", "pass"],
      ["errors", "fail"],
    ]);
    expect(run.gates[0]!.reason).toContain("40 of 100 rows crashed");
    expect(run.gates[2]!.reason).toContain("40 of 100 rows crashed");
    expect(run.gates[2]!.rule).toBe("errors");
  });

  test("ten of a hundred are red", async () => {
    const run = await gate(
      { "head.json": marks(`${ones(70)}${zeros(20)}${"x".repeat(10)}`), "base.json": base },
      "--gate",
      "correctness drop <= 0.02",
      "--baseline",
      "base.json",
    );
    expect([run.code, run.gates.at(-1)!.verdict]).toEqual([4, "fail"]);
  });

  test("errors: ignore removes the gate, and the count is still reported", async () => {
    const run = await gate(
      {
        "head.json": marks(`${ones(60)}${"x".repeat(40)}`),
        "base.json": base,
        "g.yml": "gates: correctness drop <= 0.02\nerrors: ignore",
      },
      "--gate",
      "g.yml",
      "--baseline",
      "base.json",
    );
    expect([run.code, run.gates.map(({ metric }) => metric)]).toEqual([0, ["correctness"]]);
    expect(run.warnings.join()).toContain("40 of 100 rows crashed");
  });

  test("a score on an errored row counts", async () => {
    const rows = (score: number): string =>
      JSON.stringify(
        Array.from({ length: 20 }, (_, i) => ({
          inputs: { q: i },
          error: "late",
          evaluation_scores: [{ key: "m", score }],
        })),
      );
    const run = await gate({ "head.json": rows(0) }, "--gate", "m >= 0.9");
    expect([run.code, run.gates[0]!.n]).toEqual([4, 20]);
  });
});

describe("verdicts", () => {
  test("a run without a scored row is a failed gate", async () => {
    const run = await gate({ "head.json": marks("xxxx") }, "--gate", "correctness >= 0.5");
    expect([run.code, run.gates[0]!.verdict]).toEqual([4, "fail"]);
  });

  test("a fall that chance would cause in more than 1 of 5 runs passes, and sensitivity is stated once", async () => {
    const run = await gate(
      {
        "head.json": marks(`01${zeros(2)}${ones(46)}`),
        "base.json": marks(`10${zeros(1)}${ones(47)}`),
      },
      "--gate",
      "correctness drop <= 0",
      "--baseline",
      "base.json",
    );
    expect([run.code, run.gates[0]!.verdict]).toEqual([0, "pass"]);
    expect(run.report["sensitivity"]).toMatch(/^Sensitivity: 50 examples with 1 run each/u);
    expect(run.gates[0]!.reason).not.toMatch(/8 of 10/u);
  });

  test("the sensitivity is shown once to people, on the terminal and in the summary", async () => {
    const workspace = createTree({
      "head.json": marks(`01${zeros(2)}${ones(46)}`),
      "base.json": marks(`10${zeros(1)}${ones(47)}`),
    });
    const drops = "correctness drop <= 0, correctness drop <= 0.01";
    const run = await runCli(
      ["gate", "head.json", "--gate", drops, "--baseline", "base.json", "--markdown-file", "m.md"],
      { workspace },
    );
    const sentence =
      /Sensitivity: 50 examples with 1 run each find a true fall of 0\.\d+ in correctness in 8 of 10 runs\./gu;
    expect(`${run.stdout}${run.stderr}`.match(sentence)).toHaveLength(1);
    expect(workspace.read("m.md").match(sentence)).toHaveLength(1);
  });

  test("four of fifty breaking, and none recovering, is proven by McNemar's test", async () => {
    const run = await gate(
      { "head.json": marks(`${zeros(4)}${ones(46)}`), "base.json": marks(ones(50)) },
      "--gate",
      "correctness drop <= 0.02",
      "--baseline",
      "base.json",
    );
    expect(run.gates[0]).toMatchObject({ verdict: "fail" });
    expect(run.gates[0]!.method).toMatch(/^McNemar/u);
    expect(run.gates[0]!.p).toBeLessThan(0.05);
  });

  test("proof: rule-out passes only if a fall is ruled out", async () => {
    const args = (n: number): [Record<string, string>, ...string[]] => [
      {
        "head.json": marks(`${ones(n - 1)}1`),
        "base.json": marks(`${ones(n - 1)}1-`),
        "g.yml": "gates: correctness drop <= 0.02\nproof: rule-out",
      },
      "--gate",
      "g.yml",
      "--baseline",
      "base.json",
    ];
    const small = await gate(...args(60));
    expect([small.code, small.gates[0]!.verdict]).toEqual([0, "inconclusive"]);
    const large = await gate(...args(400));
    expect([large.code, large.gates[0]!.verdict]).toEqual([0, "pass"]);
    expect(large.gates[0]!.reason).toMatch(/ruled out/u);
  });

  test("three judge scores of 4 do not fail a floor of 4.2, and nothing is tested below ten pairs", async () => {
    const three = await gate(
      {
        "head.json": values([4, 4, 4], "quality"),
        "g.yml": "gates: quality >= 4.2\nfloors: proven",
      },
      "--gate",
      "g.yml",
    );
    expect([three.code, three.gates[0]!.verdict]).toEqual([0, "inconclusive"]);
    const nine = await gate(
      { "head.json": marks(zeros(9)), "base.json": marks(ones(9)) },
      "--gate",
      "correctness drop <= 0.1",
      "--baseline",
      "base.json",
    );
    expect(nine.gates[0]).toMatchObject({ verdict: "inconclusive", p: null, ci: null });
    const one = await gate({ "head.json": marks(zeros(5)) }, "--gate", "correctness >= 0.9");
    expect(one.gates[0]!.verdict).toBe("fail");
  });

  test("an interval never excludes 0 next to an inconclusive verdict", async () => {
    const run = await gate(
      { "head.json": marks(`${zeros(2)}${ones(48)}`), "base.json": marks(ones(50)) },
      "--gate",
      "correctness drop <= 0.02",
      "--baseline",
      "base.json",
    );
    const [only] = run.gates;
    expect(only!.verdict).toBe("inconclusive");
    expect(only!.ci![1]).toBeGreaterThanOrEqual(0);
  });

  test("metrics that are equal row by row count once", async () => {
    const twice = (text: string): string =>
      JSON.stringify(
        [...text].map((mark, i) => ({
          inputs: { q: i },
          evaluation_scores: ["a", "b", "c", "d"].map((key) => ({ key, score: Number(mark) })),
        })),
      );
    const files = { "head.json": twice(`${zeros(4)}${ones(46)}`), "base.json": twice(ones(50)) };
    const alone = await gate(files, "--gate", "a drop <= 0.02", "--baseline", "base.json");
    const all = await gate(
      files,
      "--gate",
      "a drop <= 0.02, b drop <= 0.02, c drop <= 0.02, d drop <= 0.02",
      "--baseline",
      "base.json",
    );
    expect(all.gates[0]!.p).toBe(alone.gates[0]!.p);
  });

  test("`rise` means the same as `drop`", async () => {
    const run = await gate(
      {
        "head.json": values(
          Array.from({ length: 20 }, () => 0.9),
          "toxicity",
        ),
        "base.json": values(
          Array.from({ length: 20 }, () => 0.1),
          "toxicity",
        ),
      },
      "--gate",
      "toxicity rise <= 0.05",
      "--baseline",
      "base.json",
    );
    expect([run.code, run.gates[0]!.rule]).toEqual([4, "toxicity rise <= 0.05"]);
  });

  test("the same files give the same bytes, and every sentence is short", async () => {
    const files = {
      "head.json": marks(`0101${ones(40)}x`),
      "base.json": marks(`1010${ones(41)}`),
    };
    const args = [
      "--gate",
      "correctness drop <= 0.02, correctness >= 0.9",
      "--baseline",
      "base.json",
    ];
    const [one, two] = [await gate(files, ...args), await gate(files, ...args)];
    expect(JSON.stringify(one.gates)).toBe(JSON.stringify(two.gates));
    for (const { reason } of one.gates) expect(reason.length).toBeLessThanOrEqual(240);
  });
});

describe("the baseline is not a loophole", () => {
  test("nothing passes below 95 % overlap, and a proven fall still fails", async () => {
    const base = marks(ones(100));
    const args = [
      "--gate",
      "correctness drop <= 0.02, correctness >= 0.5",
      "--baseline",
      "base.json",
    ];
    const good = await gate({ "head.json": marks(ones(70)), "base.json": base }, ...args);
    expect(good.gates.map(({ verdict }) => verdict)).toEqual([
      "inconclusive",
      "inconclusive",
      "inconclusive",
    ]);
    expect(good.gates[0]!.reason).toMatch(/70 of the baseline's 100 examples/u);
    const bad = await gate(
      { "head.json": marks(`${zeros(30)}${ones(40)}`), "base.json": base },
      ...args,
    );
    expect([bad.code, bad.gates[0]!.verdict]).toEqual([4, "fail"]);
    // Crashed or unscored examples were run.
    const ran = await gate(
      { "head.json": marks(`${ones(90)}${"-".repeat(10)}`), "base.json": base },
      ...args,
    );
    expect(ran.gates[0]!.verdict).toBe("pass");
  });

  test("edited inputs are reported as pairs that nearly match, also from a baseline file", async () => {
    const rows = (word: string): string =>
      JSON.stringify(
        Array.from({ length: 40 }, (_, i) => ({
          inputs: {
            question: `What is the ${i === 3 ? word : "capital"} of country number ${i}, please?`,
          },
          evaluation_scores: [{ key: "m", score: i % 5 === 0 ? 0 : 1 }],
        })),
      );
    const workspace = createTree({ "head.json": rows("capital"), "base.json": rows("capital") });
    await gateIn(workspace, "--write-baseline", "b.json");
    workspace.write("head.json", rows("capitals"));
    for (const baseline of ["base.json", "b.json"]) {
      const run = await gateIn(workspace, "--gate", "m drop <= 0.1", "--baseline", baseline);
      expect(run.warnings.join("\n")).toMatch(/1 example nearly matches one of the baseline/u);
    }
  });

  test("each edited input is reported next to its own earlier text, however similar the others are", async () => {
    const rows = (end: string): string =>
      JSON.stringify(
        Array.from({ length: 40 }, (_, i) => ({
          inputs: { question: `question ${i}${i < 10 ? end : ""}` },
          evaluation_scores: [{ key: "m", score: i % 5 === 0 ? 0 : 1 }],
        })),
      );
    const files = { "head.json": rows("!"), "base.json": rows("") };
    const run = await gate(files, "--gate", "m drop <= 0.1", "--baseline", "base.json");
    const told = run.warnings.join("\n");
    const pairs = [...told.matchAll(/"question (\d)" → "question (\d)!"/gu)];
    expect(pairs).toHaveLength(5);
    for (const [, before, now] of pairs) expect(now).toBe(before);
  });

  test("the place of the edit is shown in long edited inputs", async () => {
    const lead = "Please tell me, in detail and with sources, about the history of";
    const rows = (end: string): string =>
      JSON.stringify(
        Array.from({ length: 40 }, (_, i) => ({
          inputs: { question: `${lead} country number ${i}${i === 3 ? end : ""}` },
          evaluation_scores: [{ key: "m", score: i % 5 === 0 ? 0 : 1 }],
        })),
      );
    const files = { "head.json": rows(" now"), "base.json": rows("") };
    const run = await gate(files, "--gate", "m drop <= 0.1", "--baseline", "base.json");
    expect(run.warnings.join("\n")).toContain('number 3" → "…');
    expect(run.warnings.join("\n")).toContain('number 3 now"');
  });

  test("an evaluator that only one side names, or two different names, cause a warning", async () => {
    const files = { "head.json": marks(`${ones(28)}00`), "base.json": marks(`${ones(29)}0`) };
    const compare = ["--gate", "correctness drop <= 0.02", "--baseline"];
    const none = await gate(files, ...compare, "base.json");
    const ours = await gate(files, ...compare, "base.json", "--evaluator", "judge-2");
    const workspace = createTree(files);
    const write = ["--write-baseline", "old.json", "--accept-baseline", "--evaluator", "judge-1"];
    await gateIn(workspace, "--gate", "correctness >= 0.5", ...write);
    workspace.write("head.json", marks(`${ones(27)}000`));
    const theirs = await gateIn(workspace, ...compare, "old.json");
    const both = await gateIn(workspace, ...compare, "old.json", "--evaluator", "judge-2");
    const told = ({ warnings }: Judged): readonly string[] =>
      warnings.filter((warning) => /scored by/u.test(warning));
    expect([none, ours, theirs].map(told)).toEqual([
      [],
      [expect.stringMatching(/this run was scored by judge-2; the baseline does not say by what/u)],
      [expect.stringMatching(/the baseline was scored by judge-1; this run does not say by what/u)],
    ]);
    expect(told(both)).toEqual([
      expect.stringMatching(/the baseline was scored by judge-1, this run by judge-2/u),
    ]);
  });

  test("two providers that cancel each other out are judged separately, unless pooled", async () => {
    const row = (provider: string, i: number, score: number): string =>
      JSON.stringify({
        vars: { q: i },
        promptIdx: 0,
        prompt: { label: "p" },
        provider: { id: provider },
        success: score === 1,
        score,
        failureReason: score === 1 ? 0 : 1,
        gradingResult: { pass: score === 1, score, componentResults: [] },
      });
    const file = (a: number, b: number): string =>
      Array.from({ length: 30 }, (_, i) => [
        row("good", i, i < a ? 1 : 0),
        row("bad", i, i < b ? 1 : 0),
      ])
        .flat()
        .join("\n");
    const files = {
      "head.jsonl": file(10, 30),
      "base.jsonl": file(30, 10),
      "pool.yml": "gates: pass drop <= 0.02\npool: true",
    };
    const workspace = createTree(files);
    const judge = async (gates: string): Promise<readonly GateReport[]> => {
      const { stdout } = await runCli(
        ["gate", "head.jsonl", "--json", "--gate", gates, "--baseline", "base.jsonl"],
        { workspace },
      );
      return (JSON.parse(stdout) as { gates: GateReport[] }).gates;
    };
    const each = (await judge("pass drop <= 0.02")).filter(({ metric }) => metric === "pass");
    expect(each.map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
    expect(each[0]!.reason).toMatch(/^good/u);
    const pooled = (await judge("pool.yml")).filter(({ metric }) => metric === "pass");
    expect(pooled.map(({ verdict }) => verdict)).toEqual(["pass"]);
  });

  test("a missing must_pass example fails", async () => {
    const rows = (skip: number): string =>
      JSON.stringify(
        Array.from({ length: 40 }, (_, i) => i)
          .filter((i) => i !== skip)
          .map((i) => ({
            inputs: { question: `question ${i}` },
            run_metadata: { tier: i < 3 ? "critical" : "usual" },
            evaluation_scores: [{ key: "m", score: 1 }],
          })),
      );
    const workspace = createTree({
      "head.json": rows(-1),
      "g.yml": "gates: m >= 0.5\nmust_pass: { run_metadata.tier: critical }",
    });
    expect((await gateIn(workspace, "--gate", "g.yml", "--write-baseline", "b.json")).code).toBe(0);
    workspace.write("old.json", rows(-1));
    workspace.write("head.json", rows(1));
    for (const baseline of ["b.json", "old.json"]) {
      const run = await gateIn(workspace, "--gate", "g.yml", "--baseline", baseline);
      expect(run.code).toBe(4);
      expect(run.gates.find(({ metric }) => metric === "must_pass")!.reason).toMatch(
        /1 example of the baseline was not run with/u,
      );
    }
  });

  test("floors are judged without a baseline, and only on-no-baseline decides about drops", async () => {
    const files = { "head.json": marks(ones(20)) };
    const args = [
      "--gate",
      "correctness drop <= 0.02, correctness >= 0.5",
      "--baseline",
      "none.json",
    ];
    const warned = await gate(files, ...args, "--on-inconclusive", "fail");
    expect(warned.code).toBe(0);
    expect(warned.gates.map(({ verdict }) => verdict)).toEqual(["inconclusive", "pass"]);
    expect(warned.gates[0]!.reason).toMatch(/^no-baseline/u);
    expect((await gate(files, ...args, "--on-no-baseline", "fail")).code).toBe(4);
    expect((await gate(files, ...args, "--on-no-baseline", "pass")).code).toBe(0);
  });
});

test("a baseline that copies one of several files of the run is refused, whatever the copy is called", async () => {
  const made = join(repositoryRoot, "__tests__/experiment/producers/files/langsmith-vitest-0.12/b");
  const workspace = createTree({});
  for (const [folder, report] of [
    ["now", "report.json"],
    ["copy", "zreport.json"],
  ] as const) {
    cpSync(made, join(workspace.path, folder), { recursive: true });
    renameSync(join(workspace.path, folder, "report.json"), join(workspace.path, folder, report));
  }
  const files = (folder: string): string =>
    `${folder}/*.json,${folder}/langsmith_test_results/*.json`;
  const run = await runCli(
    [
      ...["gate", "--experiment", files("now"), "--gate", "pass drop <= 0.5"],
      ...["--baseline", files("copy")],
    ],
    { workspace },
  );
  expect([run.code, run.stderr.includes("is a copy of now/")]).toEqual([2, true]);
});

describe("write-baseline", () => {
  const DROP = ["--gate", "correctness drop <= 0.02"];

  test("a first baseline next to a drop gate needs accept-baseline", async () => {
    const workspace = createTree({ "head.json": marks(`${zeros(3)}${ones(47)}`) });
    const refused = await gateIn(workspace, ...DROP, "--write-baseline", "b.json");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/accept it with --accept-baseline$/m);
    const accepted = await gateIn(
      workspace,
      ...DROP,
      "--write-baseline",
      "b.json",
      "--accept-baseline",
    );
    expect([accepted.code, accepted.stderr.includes("accepted as the baseline")]).toEqual([
      0,
      true,
    ]);
  });

  test("a failed or inconclusive gate is refused, and an acceptance passes and names what it accepts", async () => {
    const workspace = createTree({ "head.json": marks(ones(50)) });
    await gateIn(workspace, ...DROP, "--write-baseline", "b.json", "--accept-baseline");
    const judge = (...more: string[]) =>
      gateIn(workspace, ...DROP, "--baseline", "b.json", "--write-baseline", "b2.json", ...more);
    workspace.write("head.json", marks(`${zeros(20)}${ones(30)}`));
    const failed = await judge();
    expect([failed.code, /no baseline was written: a gate failed/u.test(failed.stderr)]).toEqual([
      4,
      true,
    ]);
    const accepted = await judge("--accept-baseline");
    expect([accepted.code, accepted.stderr.includes("a gate failed")]).toEqual([0, true]);
    workspace.write("head.json", marks(`${zeros(2)}${ones(48)}`));
    const open = await judge();
    expect([open.code, /a gate is inconclusive/u.test(open.stderr)]).toEqual([1, true]);
  });

  test("a damaged baseline is refused and left unchanged, so that its anchor is not lost", async () => {
    const workspace = createTree({ "head.json": marks(ones(50)) });
    await gateIn(workspace, ...DROP, "--write-baseline", "b.json", "--accept-baseline");
    const damaged = Buffer.from(workspace.read("b.json"));
    damaged[damaged.length - 4] = 0xff;
    writeFileSync(join(workspace.path, "b.json"), damaged);
    const run = await gateIn(workspace, "--write-baseline", "b.json");
    expect([run.code, run.stderr.includes("b.json")]).toEqual([2, true]);
    expect(readFileSync(join(workspace.path, "b.json")).equals(damaged)).toBe(true);
  });

  test("many small falls count as a big one: the anchor survives later writes", async () => {
    const workspace = createTree({ "head.json": marks(ones(100)) });
    await gateIn(workspace, ...DROP, "--write-baseline", "b.json", "--accept-baseline");
    let last: Judged | null = null;
    for (let merge = 1; merge <= 3 && last?.code !== 4; merge++) {
      workspace.write("head.json", marks(`${zeros(2 * merge)}${ones(100 - 2 * merge)}`));
      last = await gateIn(workspace, ...DROP, "--baseline", "b.json", "--write-baseline", "b.json");
    }
    expect(last!.code).toBe(4);
    expect(last!.gates[0]!.anchor!.delta).toBeLessThan(-0.03);
    expect(last!.gates[0]!.reason).toMatch(/anchor/u);
    const text = workspace.read("b.json");
    expect((JSON.parse(text) as { history: unknown[] }).history.length).toBeGreaterThan(1);
  });
});

test("a mean far below its floor fails, however skewed its values", async () => {
  const skewed = values(
    Array.from({ length: 30 }, (_, i) => 1 - 0.05 * Math.log((i + 0.5) / 30)),
    "quality",
  );
  for (const floor of [1.2, 1.5, 2, 5]) {
    const run = await gate({ "head.json": skewed }, "--gate", `quality >= ${floor}`);
    expect([floor, run.code, run.gates[0]!.verdict]).toEqual([floor, 4, "fail"]);
  }
});

test.each([
  // 5 of 5 changed pairs fell: mid-p is half of (1 / 2) ** 5.
  ["few pairs change", `00000${ones(95)}`, ones(100), 0.015625],
  // 60 of 95 changed pairs fell: z = 25 / sqrt(95).
  [
    "nearly every pair changes",
    `${zeros(60)}${ones(40)}`,
    `${ones(60)}${zeros(35)}${ones(5)}`,
    0.0051596,
  ],
])("the p-value of single marks is McNemar's if %s", async (_, head, base, p) => {
  const run = await gate(
    { "head.json": marks(head), "base.json": marks(base) },
    ...["--gate", "correctness drop <= 0.02", "--baseline", "base.json"],
  );
  expect(run.gates[0]!.p).toBeCloseTo(p, 6);
});
