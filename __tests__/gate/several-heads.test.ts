import { describe, expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, type Tree } from "../support/tree.ts";

/** A promptfoo file with the tests that fail, by provider. */
const promptfoo = (failing: Readonly<Record<string, readonly number[]>>): string =>
  JSON.stringify({
    evalId: "eval-1",
    results: {
      version: 3,
      timestamp: "2026-01-01T00:00:00.000Z",
      prompts: Object.keys(failing).map((provider) => ({ raw: "{{q}}", label: "p", provider })),
      results: Object.entries(failing).flatMap(([id, failed], promptIdx) =>
        Array.from({ length: 20 }, (_, i) => ({
          vars: { q: `question ${i}` },
          provider: { id },
          promptIdx,
          success: !failed.includes(i),
          score: failed.includes(i) ? 0 : 1,
          latencyMs: 10,
          response: { output: "x" },
          gradingResult: {
            pass: !failed.includes(i),
            score: failed.includes(i) ? 0 : 1,
            reason: "",
          },
        })),
      ),
      stats: {},
    },
    config: {},
  });

const BASE = promptfoo({ small: [4], large: [] });

async function judge(
  head: string,
  ...args: string[]
): Promise<{ report: Report; page: string; code: number | null; text: string; workspace: Tree }> {
  const workspace = createTree({ "head.json": head, "base.json": BASE });
  const all = ["gate", "head.json", "--baseline", "base.json", "--gate", "pass drop <= 0.02"];
  const run = await runCli([...all, "--json", "--markdown-file", "page.md", ...args], {
    workspace,
  });
  const report = JSON.parse(run.stdout) as Report;
  return { report, page: workspace.read("page.md"), code: run.code, text: run.stderr, workspace };
}

describe("providers of one file, each judged by itself", () => {
  const head = promptfoo({ small: [], large: [0, 1, 2, 3, 4, 5, 6, 7] });

  test("are named by every gate, every changed row and every count", async () => {
    const { report, page, text } = await judge(head);
    expect(report.gates.map(({ group, rule, verdict }) => [group, rule, verdict])).toEqual([
      ["small", "pass drop <= 0.02", "pass"],
      ["large", "pass drop <= 0.02", "fail"],
      ["small", "errors", "pass"],
      ["large", "errors", "pass"],
    ]);
    expect(report.row_counts.changed).toMatchObject({
      "small: pass": { worse: 0, better: 1 },
      "large: pass": { worse: 8, better: 0 },
    });
    expect(new Set(report.rows_worse.map(({ group }) => group))).toEqual(new Set(["large"]));
    expect(page.split("\n")[0]).toBe("### ❌ 1 of 2 gates failed: large: pass fell");
    expect(page).toContain("8 of 40 examples got worse, 1 got better.");
    expect(page).toMatch(/\| ❌&nbsp;↑ `large: pass` \| 1 → \*\*0\.6\*\*<br>8 worse \|/);
    expect(page).toMatch(/^large: pass\s.*❌$/m);
    expect(page).toMatch(/^- ❌ `large: pass` fell from 1 to 0\.6/m);
    expect(text).toMatch(/pass drop .* 0\.95 → 1 .*none worse, 1 better\n/);
    expect(text).toMatch(/pass drop .* 1 → 0\.6 .*8 worse\n/);
  });

  test("count an example that got worse with one and better with the other as two examples", async () => {
    const { report, page } = await judge(head);
    const four = ({ input }: { input: string }): boolean => input.includes("question 4");
    expect([...report.rows_worse, ...report.rows_better].filter(four)).toMatchObject([
      { group: "large", head: 0, base: 1 },
      { group: "small", head: 1, base: 0 },
    ]);
    expect(page).toContain("| large: pass 1 → 0 |");
    expect(page).toContain("| small: pass 0 → 1 |");
  });

  test("are named if the baseline does not have them, and the baseline counts as used", async () => {
    const more = promptfoo({ small: [4], large: [], new: [0, 1] });
    const { report, page, text } = await judge(more, "--on-no-baseline", "fail");
    expect(report.gates.find(({ no_baseline: without }) => without)).toMatchObject({
      group: "new",
      verdict: "inconclusive",
      reason:
        "no-baseline: nothing to compare pass with: the baseline has no results of new. Write a baseline that has them, with --write-baseline and --accept-baseline.",
    });
    expect(report.baseline).toMatchObject({
      file: "base.json",
      state: "used",
      message: "20 of 20 examples shared; the baseline has no results of new",
    });
    expect(report.judgement).toMatchObject({
      exit_code: 4,
      why: "a drop has no baseline, and on-no-baseline is fail",
    });
    expect(page.split("\n")[0]).toBe(
      "### ❌ on-no-baseline is fail · No baseline: new: pass was not compared",
    );
    expect(`${page}${text}`).not.toMatch(/there is no baseline/i);
    expect(text).toContain("The baseline has no results of new.");
  });

  test.each([
    ["that got worse", "rows_worse", ["--baseline", "base.json", "--gate", "tone drop <= 0.3"]],
    ["beyond a limit", "rows_missed", ["--gate", "tone >= 0.95"]],
  ] as const)("share one list of rows %s, with the worst of all first", async (_, list, args) => {
    /** The tone of every answer is 1, except these. */
    const toned = (tones: Readonly<Record<string, number>>): string => {
      const file = JSON.parse(promptfoo({ small: [], large: [] }));
      for (const row of file.results.results)
        row.namedScores = { tone: tones[`${row.provider.id}: ${row.vars.q}`] ?? 1 };
      return JSON.stringify(file);
    };
    const workspace = createTree({
      "base.json": toned({}),
      "head.json": toned({
        "small: question 1": 0.5,
        "large: question 2": 0,
        "small: question 3": 0.25,
        "large: question 4": 0.75,
      }),
    });
    const { stdout } = await runCli(["gate", "head.json", ...args, "--json"], { workspace });
    const rows = (JSON.parse(stdout) as Report)[list]!;
    expect(rows.map(({ group, head: tone }) => [group, tone])).toEqual([
      ["large", 0],
      ["small", 0.25],
      ["small", 0.5],
      ["large", 0.75],
    ]);
  });
});

test("the rows of a single head name no group", async () => {
  const { report, page } = await judge(promptfoo({ large: [0, 1, 2] }), "--split", "none");
  expect(report.gates.every((gate) => !("group" in gate))).toBe(true);
  expect(page).not.toContain("large:");
});

test("a run that would replace a baseline without a comparison gets advice on how to compare", async () => {
  const workspace = createTree({ "head.json": BASE, "base.json": "{}" });
  const args = ["gate", "head.json", "--split", "none", "--gate", "pass drop <= 0.02"];
  const write = [...args, "--write-baseline", "base.json"];
  const refused = await runCli(write, { workspace });
  expect(refused.code).toBe(1);
  const advice = "To compare with base.json before it is replaced, add --baseline base.json.";
  expect(refused.stdout).toContain(advice);
  expect(refused.stderr).toContain("it was not compared with base.json, which it replaces");
  const lost = await runCli([...write, "--baseline", "old.json"], { workspace });
  expect(lost.stdout).toContain("nothing to compare pass with: old.json was not found.");
  expect(lost.stdout).toContain(advice);
  const accepted = await runCli([...write, "--accept-baseline"], { workspace });
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).toContain(
    "This run takes its place. To compare the two, restore it and add --baseline base.json.",
  );
});

test("a run that becomes the first baseline gets no advice to make one", async () => {
  const workspace = createTree({ "head.json": BASE });
  const args = ["gate", "head.json", "--split", "none", "--gate", "pass drop <= 0.02"];
  const more = ["--write-baseline", "base.json", "--accept-baseline"];
  const { stdout, code } = await runCli([...args, ...more], { workspace });
  expect(code).toBe(0);
  expect(stdout).toContain("no-baseline: nothing to compare pass with");
  expect(stdout).toContain("This run becomes the first one, since it is accepted.");
  expect(stdout).not.toContain("The first one is made with");
});

describe("files of different agents", () => {
  const files = (small: readonly number[], large: readonly number[]) => ({
    "small.json": promptfoo({ small }),
    "large.json": promptfoo({ large }),
  });

  async function judgeFiles(
    results: Readonly<Record<string, string>>,
    gate: string,
    ...args: string[]
  ): Promise<{ ends: readonly unknown[]; text: string; workspace: Tree }> {
    const workspace = createTree(results);
    const names = Object.keys(results).filter((name) => !name.startsWith("base"));
    const run = await runCli(["gate", ...names, "--gate", gate, "--json", ...args], { workspace });
    const { gates } = JSON.parse(run.stdout) as Report;
    const ends = gates.map(({ group, rule, verdict, n }) => [group, rule, verdict, n]);
    return { ends, text: run.stderr, workspace };
  }

  test("are judged each by itself where they hold the same examples: none hides another", async () => {
    const { ends, text } = await judgeFiles(files([], [0, 1, 2, 3, 4, 5, 6, 7]), "pass >= 0.75");
    expect(ends).toEqual([
      ["large", "pass >= 0.75", "fail", 20],
      ["small", "pass >= 0.75", "pass", 20],
    ]);
    expect(text).not.toContain("repeats of one run");
  });

  test("find their own results in a baseline of the same files", async () => {
    const before = files([0, 1, 2, 3, 4, 5, 6, 7], []);
    const write = ["--write-baseline", "base.json", "--accept-baseline"];
    const { workspace } = await judgeFiles(before, "pass drop <= 0.02", ...write);
    const after = {
      ...files([], [0, 1, 2, 3, 4, 5, 6, 7]),
      "base.json": workspace.read("base.json"),
    };
    const { ends } = await judgeFiles(after, "pass drop <= 0.02", "--baseline", "base.json");
    expect(ends.slice(0, 2)).toEqual([
      ["large", "pass drop <= 0.02", "fail", 20],
      ["small", "pass drop <= 0.02", "pass", 20],
    ]);
  });

  test.each([
    ["pool: true joins them", files([], [0]), "gates: [pass >= 0.75]\npool: true", 20],
    [
      "their examples differ, as in two suites",
      {
        ...files([], []),
        "large.json": promptfoo({ large: [0] }).replaceAll("question", "other question"),
      },
      "gates: [pass >= 0.75]",
      40,
    ],
  ])("are judged as one where %s", async (_, results, gates, n) => {
    const { ends } = await judgeFiles({ ...results, "base.yml": gates }, "base.yml");
    expect(ends).toEqual([[undefined, "pass >= 0.75", "pass", n]]);
  });

  const ALL = Array.from({ length: 20 }, (_, i) => i);
  const suite = (name: string, model: string, failing: readonly number[]): string =>
    promptfoo({ [model]: failing }).replaceAll("question", `question of ${name}`);

  test.each([
    [
      "with other examples",
      { "c.json": suite("history", "c", []), "d.json": suite("law", "d", ALL) },
    ],
    [
      "that share examples with each other only",
      { "c.json": suite("law", "c", []), "d.json": suite("law", "d", ALL) },
    ],
  ])("are heads of their own next to files that are: agents %s", async (_, more) => {
    const { ends } = await judgeFiles({ ...files([], []), ...more }, "pass >= 0.4");
    expect(ends).toEqual([
      ["c", "pass >= 0.4", "pass", 20],
      ["d", "pass >= 0.4", "fail", 20],
      ["large", "pass >= 0.4", "pass", 20],
      ["small", "pass >= 0.4", "pass", 20],
    ]);
  });

  test("are joined with the results of the same agent in a file of several", async () => {
    const results = { "both.json": promptfoo({ x: [], y: [] }), "y.json": promptfoo({ y: ALL }) };
    const { ends, text } = await judgeFiles(results, "pass >= 0.75");
    expect(ends).toEqual([
      ["x", "pass >= 0.75", "pass", 20],
      ["y", "pass >= 0.75", "fail", 20],
    ]);
    expect(text).toContain("both.json, y.json hold the same examples: judged as repeats");
  });

  /** Rows of `promptfoo`, with a score of their own. */
  const toned = (text: string, score: number): string => {
    const file = JSON.parse(text);
    for (const row of file.results.results) row.namedScores = { tone: score };
    return JSON.stringify(file);
  };

  test.each([["tone >= 0.5"], ["tone drop <= 0.02"]])(
    "are inconclusive where they lack a score that another agent has: %s",
    async (rule) => {
      const results = {
        ...files([], []),
        "tone.json": toned(suite("manners", "small", []), 1),
        "base.yml": `gates: [pass >= 0.5, ${rule}]`,
      };
      const { ends, text } = await judgeFiles(results, "base.yml");
      expect(ends.slice(0, 2)).toEqual([
        ["large", "pass >= 0.5", "pass", 20],
        ["large", rule, "inconclusive", 0],
      ]);
      expect(ends).toContainEqual(["small", "pass >= 0.5", "pass", 40]);
      expect(text).toContain("large: tone is not in large.json.");
    },
  );

  test("make a gate unknown only if none of them has its score", async () => {
    const results = createTree(files([], []));
    const args = ["gate", "small.json", "large.json", "--gate", "tone >= 0.5"];
    const { code, stderr } = await runCli(args, { workspace: results });
    expect([code, stderr]).toEqual([2, expect.stringContaining("tone is not in small.json")]);
  });

  const inspect = (model: string, value: string): string =>
    JSON.stringify({
      version: 2,
      status: "success",
      eval: { task: "qa", model, created: "2026-01-01T00:00:00Z" },
      samples: Array.from({ length: 3 }, (_, i) => ({
        id: `s${i}`,
        epoch: 1,
        input: `question ${i}`,
        target: "x",
        output: {},
        scores: { match: { value } },
      })),
    });

  test("are the models of Inspect logs", async () => {
    const logs = { "a.json": inspect("small", "C"), "b.json": inspect("large", "I") };
    const { ends } = await judgeFiles(logs, "match >= 0.4");
    expect(ends).toEqual([
      ["small", "match >= 0.4", "pass", 3],
      ["large", "match >= 0.4", "fail", 3],
    ]);
  });

  test("are one run that is repeated where the model is the same", async () => {
    const logs = { "a.json": inspect("small", "C"), "b.json": inspect("small", "I") };
    const { ends, text } = await judgeFiles(logs, "match >= 0.4");
    expect(ends).toEqual([[undefined, "match >= 0.4", "pass", 3]]);
    expect(text).toContain("a.json, b.json hold the same examples: judged as repeats of one run");
  });

  test("may be one model that replaces another", async () => {
    const logs = { "a.json": inspect("large", "I"), "base.json": inspect("small", "C") };
    const { ends } = await judgeFiles(logs, "match drop <= 0.1", "--baseline", "base.json");
    expect(ends).toEqual([
      [undefined, "match drop <= 0.1", "inconclusive", 3],
      [undefined, "errors", "pass", 3],
    ]);
  });
});
