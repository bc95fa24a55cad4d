import { expect, test } from "@jest/globals";
import { createSeededRandom } from "../../src/gate/chance.ts";
import type { RowDelta } from "../../src/report/report.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const TRACE = "https://traces.example.com/r/7";

function rows(broken: readonly number[], more: (i: number) => object = () => ({})): string {
  return JSON.stringify(
    Array.from({ length: 30 }, (_, i) => ({
      inputs: { question: `question ${i}` },
      actual_outputs: { answer: broken.includes(i) ? `wrong ${i}` : `right ${i}` },
      evaluation_scores: [
        {
          key: "tone",
          score: broken.includes(i) ? 0.1 + i / 100 : 0.9,
          ...(broken.includes(i) ? { comment: `curt in ${i}\nno greeting` } : {}),
        },
      ],
      ...more(i),
    })),
  );
}

async function judge(head: string, ...args: string[]) {
  const workspace = createTree({ "head.json": head, "base.json": rows([]) });
  const run = await runCli(
    [
      "gate",
      "head.json",
      "--json",
      "--gate",
      "tone drop <= 0.02",
      "--baseline",
      "base.json",
    ].concat(args),
    { workspace },
  );
  return {
    report: JSON.parse(run.stdout) as { rows_worse: RowDelta[]; rows_better: RowDelta[] },
    workspace,
  };
}

test("the worst rows have both answers, what the judge wrote, and the trace", async () => {
  const head = rows([3, 4, 5, 6, 7, 8, 9, 10], (i) =>
    i === 3 ? { run_metadata: { trace_url: TRACE } } : {},
  );
  const { report, workspace } = await judge(head, "--markdown-file", "report.md");
  expect(report.rows_worse[0]).toMatchObject({
    metric: "tone",
    input: "question 3",
    head_output: "wrong 3",
    base_output: "right 3",
    comment: "curt in 3\nno greeting",
    trace: TRACE,
  });
  expect(report.rows_worse[1]).toMatchObject({ input: "question 4", comment: expect.anything() });
  expect(report.rows_worse[1]).not.toHaveProperty("trace");
  const page = workspace.read("report.md");
  expect(page).toMatch(/question 3[\s\S]*question 4[\s\S]*question 5/u);
  expect(page).toMatch(/Judge on tone: “curt in 3/u);
  expect(page).toContain(TRACE);
});

test("a trace that is not a web address is not shown, and a long comment is cut", async () => {
  const head = rows([3, 4, 5, 6, 7, 8], () => ({
    run_metadata: { trace_url: "javascript:alert(1)", trace: 'https://x"><b>' },
  })).replaceAll("curt in 3", "x".repeat(5000));
  const { report } = await judge(head);
  expect(report.rows_worse[0]).not.toHaveProperty("trace");
  expect(report.rows_worse[0]!.comment!.length).toBeLessThanOrEqual(300);
});

test("a comment on another score of the row is not shown", async () => {
  const other = (i: number) => ({
    evaluation_scores: [
      { key: "warmth", score: 0, comment: "cold" },
      { key: "tone", score: i < 8 ? 0.1 : 0.9 },
    ],
  });
  const { report } = await judge(rows([], other));
  expect(report.rows_worse).toHaveLength(8);
  for (const row of report.rows_worse) expect(row).not.toHaveProperty("comment");
});

test("the comment shown for repeats is that of the run that scored worst", async () => {
  const head = JSON.stringify(
    Array.from({ length: 30 }, (_, i) => [
      {
        inputs: { question: `question ${i}` },
        evaluation_scores: [{ key: "tone", score: 0.9, comment: "kind" }],
      },
      {
        inputs: { question: `question ${i}` },
        evaluation_scores: [{ key: "tone", score: i < 8 ? 0.2 : 0.9, comment: "curt" }],
      },
    ]).flat(),
  );
  const { report } = await judge(head);
  expect(report.rows_worse.map(({ comment }) => comment)).toEqual(Array(8).fill("curt"));
});

test("the most changed of many rows in several metrics are listed, with ties by metric", async () => {
  const metrics = ["clarity", "tone", "warmth"];
  const random = createSeededRandom(5);
  const draw = () =>
    Array.from({ length: 700 }, () => metrics.map(() => Math.floor(11 * random()) / 10));
  const [head, base] = [draw(), draw()];
  const fileOf = (scores: readonly number[][]) =>
    JSON.stringify(
      scores.map((row, i) => ({
        inputs: { question: `question ${i}` },
        evaluation_scores: metrics.map((key, m) => ({ key, score: row[m] })),
      })),
    );
  const workspace = createTree({ "head.json": fileOf(head), "base.json": fileOf(base) });
  const gates = metrics.flatMap((metric) => ["--gate", `${metric} drop <= 0.5`]);
  const run = await runCli(["gate", "head.json", "--json", "--baseline", "base.json", ...gates], {
    workspace,
  });
  const report = JSON.parse(run.stdout) as { rows_worse: RowDelta[]; rows_better: RowDelta[] };

  const changes = metrics.flatMap((metric, m) =>
    head.map((row, i) => `${metric} ${(row[m]! - base[i]![m]!).toFixed(1)}`),
  );
  const changeOf = (text: string) => Number(text.split(" ")[1]);
  const expected = (side: number) =>
    changes
      .filter((text) => side * changeOf(text) > 0)
      .sort((a, b) => side * (changeOf(b) - changeOf(a)))
      .slice(0, 500);
  const shown = (rows: readonly RowDelta[]) =>
    rows.map((row) => `${row.metric} ${(row.head - row.base).toFixed(1)}`);
  expect(expected(-1)).toHaveLength(500);
  expect(shown(report.rows_worse)).toEqual(expected(-1));
  expect(shown(report.rows_better)).toEqual(expected(1));
  const examples = report.rows_worse.filter(({ metric }) => metric === "tone");
  expect(new Set(examples.map(({ example }) => example)).size).toBe(examples.length);
});

test("a missed floor without a baseline shows the rows beyond it, farthest first, and a met one shows none", async () => {
  const workspace = createTree({ "head.json": rows([3, 4, 5, 6, 7]) });
  const gate = (...rules: readonly string[]) =>
    runCli(
      [
        "gate",
        "head.json",
        "--markdown-file",
        "report.md",
        ...rules.flatMap((rule) => ["--gate", rule]),
      ],
      { workspace },
    );
  const missed = await gate("tone >= 0.85");
  expect(missed.code).toBe(4);
  expect(missed.stdout).toMatch(
    /The three worst examples \(of 5 beyond the limit\):\n +“question 3” tone 0\.13\n +! answer: wrong 3\n +judge on tone: curt in 3/,
  );
  const page = workspace.read("report.md");
  expect(page).toContain("**The 3 worst of 5 examples beyond the limit**");
  expect(page).toContain("2 more examples beyond the limit");
  const met = await gate("tone >= 0.7");
  expect([met.code, met.stdout]).toEqual([0, expect.not.stringContaining("worst example")]);
});

test("the rows that got worse are shown instead if there is a baseline", async () => {
  const { report } = await judge(rows([3, 4, 5]), "--gate", "tone >= 0.99");
  expect(report.rows_worse).toHaveLength(3);
  expect(report).not.toHaveProperty("rows_missed");
});

test("all of many rows beyond limits are counted, and several limits on a metric list its score once", async () => {
  const many = Array.from({ length: 700 }, (_, i) => ({
    inputs: { question: `question ${i}` },
    evaluation_scores: [{ key: "tone", score: i < 100 ? 0.9 : 0.1 }],
  }));
  const workspace = createTree({ "head.json": JSON.stringify(many) });
  const limits = ["--gate", "tone >= 0.5", "--gate", "tone >= 0.8"];
  const run = await runCli(["gate", "head.json", "--report-file", "r.json", ...limits], {
    workspace,
  });
  expect(run.stdout).toContain("The three worst examples (of 600 beyond the limit):");
  const { rows_missed: missed } = JSON.parse(workspace.read("r.json")) as {
    rows_missed: readonly { readonly example: string }[];
  };
  expect(missed).toHaveLength(500);
  expect(new Set(missed.map(({ example }) => example)).size).toBe(500);
  const merged = await runCli(["report", "--reports", "r.json", "--markdown-file", "all.md"], {
    workspace,
  });
  expect([merged.code, workspace.read("all.md")]).toEqual([
    4,
    expect.stringContaining("597 more examples beyond the limit"),
  ]);
});

test("a test that failed comes with the command that runs it again", async () => {
  const workspace = createTree({
    "report.xml": `<testsuites><testsuite name="pytest"><testcase classname="tests.test_a" name="test_one[a|b]"><failure message="1 == 2"/></testcase><testcase classname="tests.test_a" name="test_two"/></testsuite></testsuites>`,
  });
  const args = ["gate", "report.xml", "--gate", "pass >= 0.9", "--markdown-file", "report.md"];
  const { stdout } = await runCli(args, { workspace });
  expect(stdout).toContain("reproduce: pytest 'tests/test_a.py::test_one[a|b]'\n");
  expect(workspace.read("report.md")).toContain(
    "- Reproduce: <code>pytest &#39;tests/test&#95;a.py&#58;&#58;test&#95;one&#91;a&#124;b&#93;&#39;</code>\n",
  );
});
