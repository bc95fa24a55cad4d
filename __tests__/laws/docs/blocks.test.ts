import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { blocksOf } from "../../docs/documents.ts";
import { nodeUnderTest, path, startChild } from "../../support/child.ts";
import { runCli } from "../../support/cli-run.ts";
import { createTree, repositoryRoot } from "../../support/tree.ts";

/** A run of sixty examples with every score and field that the page on gates names. */
function results(run: string, changes: Readonly<Record<string, number>> = {}): string {
  const second = (at: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, at)).toISOString();
  return Array.from({ length: 60 }, (_, at) => {
    const scores = { correctness: 1, hallucination: 0, verbosity: 0.2, ...changes };
    return JSON.stringify({
      inputs: { question: `question ${at}`, document: `page ${at % 20}` },
      actual_outputs: { answer: `${run} answer ${at}` },
      evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score })),
      start_time: second(2 * at),
      end_time: second(2 * at + 1),
      run_metadata: { tier: at < 6 ? "critical" : "usual" },
    });
  }).join("\n");
}

describe("the gates of docs/evals/gates.md judge a run", () => {
  const [lines, file] = blocksOf("docs/evals/gates.md").filter(
    ({ info, text }) => /correctness >=/.test(text) && info[0] !== "sh",
  );

  test.each([
    ["as lines", "gates.txt", lines!.text],
    ["as a gate file", "gates.yml", file!.text],
  ])("%s: an unchanged agent passes, one that got worse fails", async (_, name, text) => {
    const workspace = createTree({
      [name]: text,
      "baseline.jsonl": results("first"),
      "same.jsonl": results("second"),
      "worse.jsonl": results("third", { correctness: 0.5 }),
    });
    const codeOf = async (head: string): Promise<number | null> =>
      (await runCli(["gate", head, "--gate", name, "--baseline", "baseline.jsonl"], { workspace }))
        .code;
    expect([await codeOf("same.jsonl"), await codeOf("worse.jsonl")]).toEqual([0, 4]);
  });
});

test("the program of docs/emulator/use.md runs with the package", async () => {
  const { text } = blocksOf("docs/emulator/use.md").find(({ info }) => info[0] === "js")!;
  const workspace = createTree({ "program.mjs": text });
  mkdirSync(join(workspace.path, "node_modules"));
  symlinkSync(repositoryRoot, join(workspace.path, "node_modules/agent-deploy"));
  const env = { PATH: path, HOME: workspace.path };
  const run = startChild(nodeUnderTest, ["program.mjs"], { cwd: workspace.path, env });
  expect(await run.done).toMatchObject({ code: 0, stdout: "[]\n" });
});
