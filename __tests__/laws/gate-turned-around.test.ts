import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree, type Tree } from "../support/tree.ts";

/** DeepEval turned Bias around between 4.1 and 4.2: more of it was worse, and is better. */
type Better = "lower" | "higher";

const goodness = (n: number, worst: number): number => (n < worst ? 0.2 : 0.9);

/** Scores of twenty examples, some of them bad, as a version with that better side writes them. */
function scoresOf(better: Better, worst: number): { score: number; passed: boolean }[] {
  return Array.from({ length: 20 }, (_, n) => {
    const good = goodness(n, worst);
    return { score: better === "higher" ? good : 1 - good, passed: good >= 0.5 };
  });
}

const deepeval = (better: Better, worst = 4): string =>
  JSON.stringify({
    testCases: scoresOf(better, worst).map(({ score, passed }, n) => ({
      name: `t${n}`,
      input: `q${n}`,
      success: passed,
      metricsData: [{ name: "Bias", score, threshold: 0.5, success: passed }],
    })),
  });

const azure = (better: Better, worst = 4): string =>
  JSON.stringify({
    rows: scoresOf(better, worst).map(({ score, passed }, n) => ({
      "inputs.query": `q${n}`,
      "outputs.tone.tone": score,
      "outputs.tone.tone_threshold": 0.5,
      "outputs.tone.tone_result": passed ? "pass" : "fail",
    })),
    metrics: {},
  });

const openai = (better: Better, worst = 4): string =>
  JSON.stringify({
    object: "list",
    data: scoresOf(better, worst).map(({ score, passed }, n) => ({
      datasource_item: { query: `q${n}` },
      results: [{ name: "tone", score, threshold: 0.5, passed }],
      sample: { output: [] },
    })),
  });

async function gate(workspace: Tree, ...args: string[]) {
  const run = await runCli(["gate", ...args], { workspace });
  return { code: run.code, said: run.stderr + run.stdout };
}

const TURNED = /verdicts in .* show that (?:more|less) of .* is better, those in the baseline/;

describe("a metric whose better side another version of the tool reversed", () => {
  test.each([
    ["DeepEval", deepeval, "Bias"],
    ["Azure", azure, "tone.tone"],
    ["OpenAI's Evals API", openai, "tone"],
  ])("%s: is compared with neither a result file nor a baseline file", async (_, write, metric) => {
    const workspace = createTree({ "old.json": write("lower"), "new.json": write("higher") });
    const rule = `${metric} drop <= 0.02`;
    for (const [head, base] of [
      ["new", "old"],
      ["old", "new"],
    ]) {
      const made = await gate(
        workspace,
        `${base}.json`,
        "--write-baseline",
        `${base}-baseline.json`,
        "--accept-baseline",
      );
      expect(made.code).toBe(0);
      for (const file of [`${base}.json`, `${base}-baseline.json`]) {
        const { code, said } = await gate(
          workspace,
          `${head}.json`,
          "--gate",
          rule,
          "--baseline",
          file,
        );
        expect([code, said]).toEqual([2, expect.stringMatching(TURNED)]);
        expect(said).toContain("or accept a new baseline");
      }
    }
  });

  test("is still refused if a person gave a direction", async () => {
    const workspace = createTree({
      "old.json": deepeval("lower"),
      "new.json": deepeval("higher"),
      "gates.yml": "gates:\n  - Bias drop <= 0.02\ndirection: { Bias: higher }\n",
    });
    const given = await gate(
      workspace,
      "new.json",
      "--gate",
      "gates.yml",
      "--baseline",
      "old.json",
    );
    expect([given.code, given.said]).toEqual([2, expect.stringMatching(TURNED)]);
  });

  test("is found in an older baseline file, which stores no side, by its pass marks", async () => {
    const workspace = createTree({ "old.json": deepeval("lower"), "new.json": deepeval("higher") });
    await gate(workspace, "old.json", "--write-baseline", "base.json", "--accept-baseline");
    expect(workspace.read("base.json")).toContain('"directions": [{"Bias":"lower"}]');
    const table = workspace.read("old.json").replaceAll('"threshold":0.5,', "");
    workspace.write("silent.json", table);
    await gate(workspace, "silent.json", "--write-baseline", "base.json", "--accept-baseline");
    expect(workspace.read("base.json")).not.toContain("directions");
    const { code, said } = await gate(
      workspace,
      "new.json",
      "--gate",
      "Bias drop <= 0.02",
      "--baseline",
      "base.json",
    );
    expect([code, said]).toEqual([2, expect.stringMatching(TURNED)]);
  });

  test("keeps its side in the accepted run of a baseline through later writes", async () => {
    const workspace = createTree({ "old.json": deepeval("lower"), "new.json": deepeval("higher") });
    const write = ["--write-baseline", "base.json"];
    await gate(workspace, "old.json", ...write, "--accept-baseline");
    // No gate looks at the metric, so nothing keeps the new run from becoming the baseline.
    const other = ["--gate", "pass >= 0.1", "--baseline", "base.json"];
    expect((await gate(workspace, "new.json", ...other, ...write)).code).toBe(0);
    const text = workspace.read("base.json");
    expect(text).toContain('"directions": [{"Bias":"higher"}]');
    expect(text).toContain('"directions":[{"Bias":"lower"}]}');
    const drop = ["--gate", "Bias drop <= 0.02", "--baseline", "base.json"];
    expect(await gate(workspace, "new.json", ...drop)).toEqual({
      code: 2,
      said: expect.stringMatching(TURNED),
    });
    await gate(workspace, "new.json", ...write, "--accept-baseline");
    expect((await gate(workspace, "new.json", ...drop)).said).not.toMatch(TURNED);
  });

  test("is left to a person if two files of one run disagree", async () => {
    const workspace = createTree({
      "a.json": deepeval("lower"),
      "b.json": deepeval("higher"),
      "base.json": deepeval("higher", 5),
    });
    const drop = ["--gate", "Bias drop <= 0.02", "--baseline", "base.json"];
    const { code, said } = await gate(workspace, "a.json", "b.json", ...drop);
    expect([code, said]).toEqual([2, expect.stringContaining("which side of Bias is better")]);
  });

  test("does not affect a comparison of one version, or other metrics", async () => {
    const workspace = createTree({
      "old.json": deepeval("lower"),
      "new.json": deepeval("higher"),
      "worse.json": deepeval("higher", 18),
    });
    const drop = (metric: string): string[] => ["--gate", `${metric} drop <= 0.02`];
    expect(
      (await gate(workspace, "worse.json", ...drop("Bias"), "--baseline", "new.json")).code,
    ).toBe(4);
    expect(
      (await gate(workspace, "new.json", ...drop("pass"), "--baseline", "old.json")).code,
    ).toBe(0);
  });

  test("is refused by the digest if a baseline was reversed by hand", async () => {
    const workspace = createTree({ "old.json": deepeval("lower"), "new.json": deepeval("higher") });
    await gate(workspace, "old.json", "--write-baseline", "base.json", "--accept-baseline");
    workspace.write("base.json", workspace.read("base.json").replace('"lower"', '"higher"'));
    const drop = ["--gate", "Bias drop <= 0.02", "--baseline", "base.json"];
    const { code, said } = await gate(workspace, "new.json", ...drop);
    expect([code, said]).toEqual([2, expect.stringContaining("does not fit its digest")]);
  });
});
