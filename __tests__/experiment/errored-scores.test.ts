import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";
import { readOne } from "./read-text.ts";

/** Forty rows: the first ten crashed and have the score 0 anyway. */
const ROWS = Array.from({ length: 40 }, (_, n) => ({
  inputs: { q: `question ${n}` },
  ...(n < 10 ? { error: "boom" } : {}),
  evaluation_scores: [{ key: "c", score: n < 10 ? 0 : 1 }],
}));
const TIMES = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };
const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const CELLS = ROWS.map(({ inputs: { q }, error = "", evaluation_scores: [c] }) =>
  [q, error, `${c!.score}\n`].join(","),
);
const FILES = {
  "rows.jsonl": lines(ROWS),
  // Rows that are complete are only looked at as bytes.
  "complete.jsonl": lines(ROWS.map((row) => ({ ...row, ...TIMES }))),
  "rows.csv": `inputs.q,error,feedback.c\n${CELLS.join("")}`,
};

describe("a score on an errored row is in every mean that is shown, gated or stored", () => {
  test.each(Object.keys(FILES))("%s", async (name) => {
    const workspace = createTree(FILES);
    const { env } = await startTestEmulator();
    const gates = ["--gate", "c >= 0.5", "--accept-baseline", "--write-baseline", "base.json"];
    const pages = ["--markdown-file", "page.md", "--report-file", "report.json"];
    const run = await runCli(["upload", name, ...gates, ...pages], { workspace, env });
    expect(run.stdout + run.stderr).toContain("c 0.75 (n 40)");
    // What was read back is what was counted here.
    expect(run.stdout + run.stderr).not.toMatch(/the service('s mean| counts)/);
    const report = JSON.parse(workspace.read("report.json"));
    expect(report.experiments[0]).toMatchObject({
      errors: 10,
      scores: { c: { mean: 0.75, n: 40 } },
    });
    expect(report.gates[0]).toMatchObject({ metric: "c", head: 0.75, n: 40 });
    expect(workspace.read("page.md")).toContain("`c` 0.75");
    expect(JSON.parse(workspace.read("base.json")).history[0].means).toEqual({ c: 0.75 });
    const explained = await runCli(["upload", name, "--explain"], { workspace });
    expect(explained.stdout + explained.stderr).toContain("c 0.75 (40 rows)");
  });
});

describe("an error column that somebody added to a ragas table", () => {
  const readOf = async (rows: string) => {
    const text = `user_input,response,faithfulness,error\n${rows}`;
    const { errorCount, scores } = (await readOne(text, { name: "r.csv" })).experiment;
    return [errorCount, Object.keys(scores)];
  };

  test("says in words which rows crashed", async () => {
    const rows = "a,b,0.5,\nc,d,0.5,nan\ne,,,TimeoutError: x\n";
    expect(await readOf(rows)).toEqual([1, ["faithfulness"]]);
  });

  test("is a metric if it holds numbers", async () => {
    expect(await readOf("a,b,0.5,0.5\nc,d,0.5,0.25\n")).toEqual([0, ["faithfulness", "error"]]);
  });

  test("is read next to columns that count attempts, which are not metrics", async () => {
    const text = "user_input,response,faithfulness,attempt,trial\na,b,0.5,0,0\na,c,0.5,1,1\n";
    const { scores } = (await readOne(text, { name: "r.csv" })).experiment;
    expect(Object.keys(scores)).toEqual(["faithfulness"]);
  });
});
