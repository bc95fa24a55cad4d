import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

test("equal answers are not shown as a difference if only the score changed", async () => {
  const row = (n: number, score: number, answer: string): object => ({
    inputs: { q: n },
    actual_outputs: { answer },
    evaluation_scores: [{ key: "correctness", score }],
  });
  const long = "the same words again and again ".repeat(6);
  const workspace = createTree({
    "base.json": JSON.stringify([row(0, 1, "ans"), row(1, 1, "yes"), row(2, 1, `${long}good`)]),
    "head.json": JSON.stringify([row(0, 0, "ans"), row(1, 0, "no"), row(2, 0, `${long}bad`)]),
  });
  const drop = ["--gate", "correctness drop <= 0.02", "--baseline", "base.json"];
  const markdown = ["--markdown-file", "comment.md"];
  const run = await runCli(["gate", "head.json", ...drop, ...markdown], { workspace });
  const text = run.stdout + run.stderr;
  expect(text).toMatch(/correctness 1 → 0\n +both answered alike, only the score differs: ans\n/);
  expect(text).toMatch(/- yes\n +! no\n/);
  expect(text).toMatch(/- .*again good\n +! .*again bad\n/);
  expect(text).not.toMatch(/- (.*)\n +! \1\n/);
  expect(workspace.read("comment.md")).toMatch(
    /\nBoth answered alike, only the score differs:\n+```diff\n {2}ans\n```/,
  );
});

test("a crashed row is shown as such, and not as a change of only the score", async () => {
  const row = (score: number, more: object): object => ({
    inputs: { q: 1 },
    actual_outputs: { answer: "ans" },
    evaluation_scores: [{ key: "correctness", score }],
    ...more,
  });
  const workspace = createTree({
    "base.json": JSON.stringify([row(1, {})]),
    "head.json": JSON.stringify([row(0, { error: "TimeoutError" })]),
  });
  const drop = ["--gate", "correctness drop <= 0.02", "--baseline", "base.json"];
  const report = ["--markdown-file", "comment.md", "--json"];
  const run = await runCli(["gate", "head.json", ...drop], { workspace });
  expect(run.stdout).toMatch(
    /correctness 1 → 0\n +both answered alike: ans\n +! this row crashed\n/,
  );
  const { stdout } = await runCli(["gate", "head.json", ...drop, ...report], { workspace });
  expect(JSON.parse(stdout).rows_worse).toMatchObject([{ crashed: true }]);
  expect(workspace.read("comment.md")).toMatch(/correctness 1 → 0[\s\S]*- This row crashed\./);
});
