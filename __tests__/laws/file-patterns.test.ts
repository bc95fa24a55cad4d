import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createStage, expectEnd, REPOSITORY } from "../scenarios/stage.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const rows = (score: number, count = 4): string =>
  Array.from(
    { length: count },
    (_, n) =>
      `${JSON.stringify({ inputs: { q: n }, actual_outputs: { a: n }, evaluation_scores: [{ key: "m", score }] })}\n`,
  ).join("");
const namesOf = (json: string): string[] =>
  JSON.parse(json).experiments.map((one: { file: string }) => one.file);
const gateOf = async (
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ code: number | null; report: any; stderr: string }> => {
  const run = await runCli(["gate", "--json", "--gate", "m >= 0.1", ...args], {
    workspace: createTree(files),
  });
  return { code: run.code, stderr: run.stderr, report: JSON.parse(run.stdout || "null") };
};

describe("a pattern means the same for every input", () => {
  test.each([
    ["res[0-9].jsonl", ["res1.jsonl", "res2.jsonl"]],
    ["res[!0-8].jsonl", ["resx.jsonl"]],
    ["res{1,2}.jsonl", ["res1.jsonl", "res2.jsonl"]],
    ["**/r?s1.jsonl", ["deep/res1.jsonl", "res1.jsonl"]],
    ["*.jsonl,!resx*", ["res1.jsonl", "res2.jsonl"]],
    ["**/*.jsonl\n!deep/**\n!res[2x].jsonl", ["res1.jsonl"]],
  ])("%j in experiment, for gate, upload and apply", async (pattern, expected) => {
    const files = {
      "res1.jsonl": rows(1),
      "res2.jsonl": rows(1),
      "resx.jsonl": rows(1),
      "deep/res1.jsonl": rows(1),
    };
    const gated = await runCli(["gate", "--json", "--gate", "m >= 0.2", "--experiment", pattern], {
      workspace: createTree(files),
    });
    expect([gated.code, namesOf(gated.stdout)]).toEqual([0, expected]);
    const stage = await createStage(REPOSITORY);
    for (const [name, text] of Object.entries(files)) stage.workspace.write(name, text);
    const run = await stage.run({ experiment: pattern, gate: "m >= 0.2" });
    expectEnd(run, { outcome: "deployed", "gate-verdict": "pass" });
    const sent = JSON.parse(run.outputs["experiments"]!).map((one: { file: string }) => one.file);
    expect(sent).toEqual(expected);
  });

  test("apply deploys nothing if a gate over such a pattern fails", async () => {
    const stage = await createStage(REPOSITORY);
    stage.workspace.write("res1.jsonl", rows(0, 40));
    const run = await stage.run({ experiment: "res[0-9].jsonl", gate: "m >= 0.9" });
    expectEnd(run, { outcome: "blocked", "gate-verdict": "fail" }, 1);
    expect(stage.writes()).toEqual([]);
  });

  test("a baseline is found by a pattern", async () => {
    const { code, report } = await gateOf(
      { "now.jsonl": rows(1, 20), "base1.jsonl": rows(0.9, 20), "basex.jsonl": rows(0, 20) },
      ["now.jsonl", "--baseline", "base[0-9].jsonl,!basex*"],
    );
    expect([code, report.baseline?.file]).toEqual([0, "base1.jsonl"]);
  });

  test("reports are found by a pattern", async () => {
    const workspace = createTree();
    for (const name of ["leg1", "leg2", "legx"]) {
      workspace.write(`${name}.yml`, `${REPOSITORY}${name}: unknown\n`);
      await runCli(["validate", `${name}.yml`, "--report-file", `legs/${name}.json`], {
        workspace,
      });
    }
    const merged = await runCli(["report", "--reports", "legs/leg[0-9].json,!**/leg2*", "--json"], {
      workspace,
    });
    const files = JSON.parse(merged.stdout).problems.map(({ file }: { file: string }) => file);
    expect(files).toEqual(["leg1.yml"]);
  });

  test("specs are found by a pattern", async () => {
    const stage = await createStage(REPOSITORY);
    stage.workspace.write("specs/a1.yml", REPOSITORY);
    stage.workspace.write("specs/a2.yml", "nonsense");
    const valid = await stage.cli(["validate", "specs/*.yml", "--spec", "specs/*.yml,!specs/a2*"]);
    expect(valid.code).toBe(2);
    const one = await stage.cli(["validate", "--spec", "specs/a[0-9].yml,!specs/a2*"]);
    expect([one.code, one.stderr]).toEqual([0, expect.stringContaining("1 document is valid")]);
  });
});

describe("a list of patterns that cannot match anything is refused", () => {
  test.each([
    ["!bad*", /leaves files out; write before it what to take/],
    ["*.jsonl,!**", /no file is left to read/],
    ["{a.jsonl", /brace without its partner/],
    ["none[0-9].jsonl", /no file matches/],
  ])("%s", async (pattern, words) => {
    const { code, stderr } = await gateOf({ "bad.jsonl": rows(1) }, [`--experiment=${pattern}`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  test("a name with brackets also matches that file, and hides no other", async () => {
    const { report } = await gateOf({ "r[1].jsonl": rows(1), "r1.jsonl": rows(1) }, ["r[1].jsonl"]);
    expect(report.experiments.map((one: { file: string }) => one.file)).toEqual([
      "r1.jsonl",
      "r[1].jsonl",
    ]);
  });
});

describe("a link made during the run", () => {
  test.each([
    ["report-file", { "report-file": "out/report.json" }, "out/report.json"],
    ["markdown-file", { "markdown-file": "out/comment.md" }, "out/comment.md"],
    [
      "write-baseline",
      { "write-baseline": "out/base.json", experiment: "rows.jsonl" },
      "out/base.json",
    ],
  ])("is not followed: %s", async (_, inputs, path) => {
    const stage = await createStage(REPOSITORY);
    stage.workspace.write("rows.jsonl", rows(1));
    stage.workspace.write("precious.txt", "keep me");
    const run = await stage.run({
      ...inputs,
      verify: `mkdir -p out && ln -s ../precious.txt ${path}`,
    });
    expect(run.stdout).toContain("became a symbolic link during the run");
    expect(stage.workspace.read("precious.txt")).toBe("keep me");
  });

  test("is not followed if it replaced a directory", async () => {
    const stage = await createStage(REPOSITORY);
    mkdirSync(join(stage.workspace.path, "private"));
    const run = await stage.run({ "report-file": "out/r.json", verify: "ln -s private out" });
    expect(run.stdout).toContain("became a symbolic link during the run");
    expect(stage.workspace.has("private/r.json")).toBe(false);
  });

  test("is followed if it existed before the run", async () => {
    const stage = await createStage(REPOSITORY);
    mkdirSync(join(stage.workspace.path, "real"));
    symlinkSync("real", join(stage.workspace.path, "out"));
    expectEnd(await stage.run({ "report-file": "out/r.json" }), { outcome: "deployed" });
    expect(stage.workspace.has("real/r.json")).toBe(true);
  });
});

describe("what is judged is what is uploaded", () => {
  test.each(["auto", "before"])(
    "a file that verify replaces, of the same size and time, is judged again (gate-when: %s)",
    async (when) => {
      const stage = await createStage(REPOSITORY);
      const swap =
        'touch -r rows.jsonl t; sed -i \'s/"score":1/"score":0/\' rows.jsonl; touch -r t rows.jsonl';
      stage.workspace.write("rows.jsonl", rows(1, 40));
      const run = await stage.run({
        experiment: "rows.jsonl",
        gate: "m >= 0.9",
        "gate-when": when,
        verify: swap,
      });
      expect([when, run.code, run.outputs["gate-verdict"]]).toEqual([when, 1, "fail"]);
    },
  );

  test.each([
    ["touches", "touch rows.jsonl", ["m"]],
    ["writes again as it was", "cp rows.jsonl t && cp t rows.jsonl", ["m"]],
    ["adds a row to", "tail -1 rows.jsonl | sed 's/40/41/' >> rows.jsonl", ["m", "m"]],
  ])(
    "a file that verify %s is judged again only if its content changed",
    async (_, verify, metrics) => {
      const stage = await createStage(REPOSITORY);
      stage.workspace.write("rows.jsonl", rows(1, 40));
      const run = await stage.run({ experiment: "rows.jsonl", gate: "m >= 0.9", verify });
      const { gates } = JSON.parse(readFileSync(run.outputs["report"]!, "utf8")) as {
        gates: { metric: string }[];
      };
      expect([run.code, gates.map(({ metric }) => metric)]).toEqual([0, metrics]);
    },
  );
});
