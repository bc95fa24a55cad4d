// A crash may take away what its example is known by, or come with an example that is new.
import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/random.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, type Tree } from "../support/tree.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

interface Gate {
  readonly metric: string;
  readonly verdict: string;
  readonly n: number;
  readonly method: string;
  readonly reason: string;
}

async function gate(files: Readonly<Record<string, string>>, ...args: string[]) {
  const workspace: Tree = createTree(files);
  const run = await runCli(["gate", "--json", ...args], { workspace });
  const report = run.stdout === "" ? { gates: [] } : JSON.parse(run.stdout);
  return { code: run.code, gates: report.gates as Gate[] };
}

const DROP = ["--gate", "match drop <= 0.02", "--baseline"];

function rows(count: number, crashed: (i: number) => boolean = () => false): string {
  const all = Array.from({ length: count }, (_, i) => ({
    inputs: { question: `question ${i}` },
    ...(crashed(i) ? { error: "it broke" } : { evaluation_scores: [{ key: "match", score: 1 }] }),
  }));
  return all.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** An OpenAI evals log of so many samples, of which the first few crashed before their prompt was made. */
function openaiEvals(count: number, crashed: number): string {
  const event = (i: number, type: string, data: object) => ({
    run_id: "r",
    event_id: 2 * i,
    sample_id: `e.dev.${i}`,
    type,
    data,
    created_by: "",
    created_at: "2026-01-01 00:00:00+00:00",
  });
  const spec = { completion_fns: ["x"], eval_name: "e.dev.v0", base_eval: "e", split: "dev" };
  const lines: object[] = [{ spec: { ...spec, run_config: {}, run_id: "r", created_at: "" } }];
  for (let i = 0; i < count; i++) {
    if (i < crashed) {
      lines.push(event(i, "error", { type: "APIError", message: "it broke" }));
      continue;
    }
    const prompt = [{ role: "user", content: `question ${i}` }];
    lines.push(event(i, "sampling", { prompt, sampled: ["yes"] }));
    lines.push(event(i, "match", { correct: true, expected: "yes", picked: "yes" }));
  }
  lines.push({ final_report: { accuracy: 1 } });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** promptfoo's results of some providers, twenty of forty tests crashed where asked. */
function promptfoo(providers: readonly string[], crashed: number): string {
  const results = providers.flatMap((id) =>
    Array.from({ length: 40 }, (_, i) => ({
      provider: { id },
      prompt: { raw: "{{q}}", label: "p" },
      promptIdx: 0,
      testIdx: i,
      vars: { q: `question ${i}` },
      ...(i < crashed
        ? { success: false, score: 0, failureReason: 2, error: "it broke", namedScores: {} }
        : { success: true, score: 1, response: { output: "a" }, namedScores: { match: 1 } }),
    })),
  );
  return JSON.stringify({ evalId: "e", results: { version: 3, results }, config: {} });
}

describe("crashes of examples that the baseline lacks", () => {
  test("forty new examples that all crash fail the run", async () => {
    const files = { "base.jsonl": rows(60), "head.jsonl": rows(100, (i) => i >= 60) };
    const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
    expect(code).toBe(4);
    expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "fail", n: 40 });
    expect(gates.at(-1)!.reason).toContain("40 of 100 rows crashed, 0 of 60 in the baseline");
  });

  test("one new example that crashes is left open", async () => {
    const files = { "base.jsonl": rows(60), "head.jsonl": rows(61, (i) => i === 60) };
    const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
    expect(code).toBe(0);
    expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "inconclusive", n: 1 });
  });

  test("new examples that crash as often as those of the baseline pass", async () => {
    const tenth = (i: number) => i % 10 === 0;
    const files = { "base.jsonl": rows(60, tenth), "head.jsonl": rows(100, tenth) };
    const { gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
    expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "pass" });
  });

  test.each([[4], [10], [30]])(
    "%i of 40 that crash before their prompt is made fail",
    async (n) => {
      const files = { "base.jsonl": openaiEvals(40, 0), "head.jsonl": openaiEvals(40, n) };
      const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
      expect(code).toBe(4);
      expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "fail", n: 40 });
    },
  );

  test("repeats that crash under a name of their own are told, and prove nothing", () => {
    const base = tableOf(
      Array.from({ length: 60 }, (_, i) => rowOf(exampleAt(i % 20), { scores: { m: 1 } })),
    );
    const head = tableOf(
      Array.from({ length: 60 }, (_, i) =>
        i % 3 === 0
          ? rowOf(exampleAt(1000 + i), { error: true })
          : rowOf(exampleAt(i % 20), { scores: { m: 1 } }),
      ),
    );
    const { gates } = judgeGates({ head, base, gates: gatesOf("gates:\n  - m drop <= 0.02\n") });
    expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "inconclusive" });
  });

  test("an agent that crashes as often as before fails seldom, also where crashes lose their names", () => {
    const gates = gatesOf("gates:\n  - m drop <= 0\n");
    const random = createSeededRandom(20261124);
    const run = (side: string) =>
      tableOf(
        Array.from({ length: 60 }, (_, i) =>
          random() < 0.1
            ? rowOf(`${side}${i}`, { error: true })
            : rowOf(exampleAt(i), { scores: { m: random() < 0.8 ? 1 : 0 } }),
        ),
      );
    let failed = 0;
    for (let k = 0; k < 200; k++)
      if (judgeGates({ head: run("z"), base: run("y"), gates }).verdict === "fail") failed++;
    expect(failed).toBeLessThanOrEqual(16);
  });
});

describe("a baseline whose providers all have other names", () => {
  const files = {
    "base.json": promptfoo(["openai:old", "openai:small"], 0),
    "new.json": promptfoo(["openai:new", "openai:tiny"], 0),
    "broken.json": promptfoo(["openai:new", "openai:tiny"], 20),
  };

  test("is no missing baseline: on-inconclusive decides", async () => {
    const args = ["new.json", ...DROP, "base.json"];
    const { code, gates } = await gate(files, ...args, "--on-inconclusive", "fail");
    expect(code).toBe(4);
    expect(gates[0]).toMatchObject({ metric: "match", verdict: "inconclusive" });
    expect(gates[0]!.reason).toContain("the baseline's results of openai:old");
    expect(gates[0]!.reason).not.toContain("no-baseline");
  });

  test("still fails the run for its crashes", async () => {
    const { code, gates } = await gate(files, "broken.json", ...DROP, "base.json");
    expect(code).toBe(4);
    const errors = gates.filter(({ metric }) => metric === "errors");
    expect(errors.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
  });

  test("is compared where there is one on either side", async () => {
    const pair = { "base.json": promptfoo(["a"], 0), "head.json": promptfoo(["b"], 0) };
    const { code, gates } = await gate(pair, "head.json", ...DROP, "base.json");
    expect(code).toBe(0);
    expect(gates[0]).toMatchObject({ verdict: "pass", n: 40 });
  });
});
