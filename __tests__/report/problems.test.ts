import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const problemsOf = (stdout: string): unknown =>
  (JSON.parse(stdout) as { problems: unknown }).problems;

test("--json has each problem of a spec as an object with its place", async () => {
  const workspace = createTree({ "bad.yml": "name: a\nsource: repohost\nreplicas: 2\n" });
  const run = await runCli(["validate", "bad.yml", "--json"], { workspace });
  expect(run.code).toBe(2);
  expect(problemsOf(run.stdout)).toEqual([
    {
      file: "bad.yml",
      line: 3,
      column: 1,
      path: "replicas",
      message: expect.stringMatching(/^is not a known key/) as unknown,
    },
  ]);
});

test("a problem of a gate or a result file has a place, and one of the call has none", async () => {
  const workspace = createTree({
    "rows.jsonl":
      '{"inputs":{"q":1},"actual_outputs":{"a":1},"evaluation_scores":[{"key":"m","score":1}]}\n',
    "gates.yml": "gates:\n  - m => 1\n",
  });
  const gate = await runCli(["gate", "rows.jsonl", "--gate", "gates.yml", "--json"], { workspace });
  expect([gate.code, problemsOf(gate.stdout)]).toEqual([
    2,
    [expect.objectContaining({ file: "gates.yml", line: 2 })],
  ]);
  const absent = await runCli(["validate", "none.yml", "--json"], { workspace });
  expect([absent.code, problemsOf(absent.stdout)]).toEqual([
    2,
    [{ message: expect.stringContaining("none.yml does not exist") as unknown }],
  ]);
});

test("problems of the legs' reports are merged without duplicates, and those of an older report are read too", async () => {
  const workspace = createTree({ "bad.yml": "name: a\nsource: repohost\nreplicas: 2\n" });
  for (const leg of ["1", "2"])
    await runCli(["validate", "bad.yml", "--report-file", `reports/${leg}.json`], { workspace });
  const old = JSON.parse(workspace.read("reports/1.json")) as Record<string, unknown>;
  workspace.write("reports/3.json", JSON.stringify({ ...old, problems: ["an older line"] }));
  const run = await runCli(["report", "reports/*.json", "--json"], { workspace });
  expect(problemsOf(run.stdout)).toEqual([
    expect.objectContaining({ file: "bad.yml", line: 3 }),
    { message: "an older line" },
  ]);
});
