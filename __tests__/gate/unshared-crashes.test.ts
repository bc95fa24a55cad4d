// A crash may take away what its example is known by, or come with an example that is new.
import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createTree } from "../support/tree.ts";
import { judgeIn } from "./judged.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

const gate = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  judgeIn(createTree(files), ...args);

const DROP = ["--gate", "match drop <= 0.02", "--baseline"];

function rows(count: number, crashed: (i: number) => boolean = () => false): string {
  const all = Array.from({ length: count }, (_, i) => ({
    inputs: { question: `question ${i}` },
    ...(crashed(i) ? { error: "it broke" } : { evaluation_scores: [{ key: "match", score: 1 }] }),
  }));
  return all.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** An OpenAI evals log of so many samples; the first few crashed before their prompt was made. */
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

  test("one new example that crashes is inconclusive", async () => {
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
    "%i of 40 that crash before their prompt is made fail the run",
    async (n) => {
      const files = { "base.jsonl": openaiEvals(40, 0), "head.jsonl": openaiEvals(40, n) };
      const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
      expect(code).toBe(4);
      expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "fail", n: 40 });
    },
  );

  /** Twenty examples, three runs each; the first so many crash under names of their own. */
  const thrice = (crashed: number) =>
    tableOf(
      Array.from({ length: 60 }, (_, i) =>
        i < crashed
          ? rowOf(exampleAt(1000 + i), { error: true })
          : rowOf(exampleAt(i % 20), { scores: { m: 1 } }),
      ),
    );

  // Three runs of one example may crash for one cause: 9 rows are 3 of 20, and 20 rows 6 of 20.
  test.each([
    [9, "inconclusive"],
    [20, "fail"],
  ] as const)("%i of 60 repeats that crash under names of their own: %s", (crashed, verdict) => {
    const gates = gatesOf("gates:\n  - m drop <= 0.02\n");
    const judged = judgeGates({ head: thrice(crashed), base: thrice(0), gates });
    expect(judged.gates.at(-1)).toMatchObject({ metric: "errors", verdict });
  });

  test("new examples that crash in all of their runs fail", () => {
    const named = (count: number, crashed: number) =>
      tableOf(
        Array.from({ length: 3 * count }, (_, i) =>
          i % count < crashed
            ? rowOf(exampleAt(1000 + (i % count)), { error: true })
            : rowOf(exampleAt((i % count) - crashed), { scores: { m: 1 } }),
        ),
      );
    const gates = gatesOf("gates:\n  - m drop <= 0.02\n");
    const judged = judgeGates({ head: named(160, 60), base: named(100, 0), gates });
    expect(judged.gates.at(-1)).toMatchObject({ metric: "errors", verdict: "fail" });
  });
});

test("crashes of a run that shares no example with the baseline are compared with all of it", () => {
  const run = (from: number, crashed: number) =>
    tableOf(
      Array.from({ length: 40 }, (_, i) =>
        i < crashed
          ? rowOf(exampleAt(from + i), { error: true })
          : rowOf(exampleAt(from + i), { scores: { m: 1 } }),
      ),
    );
  const errorsOf = (crashed: number, before: number) =>
    judgeGates({
      head: run(1_000, crashed),
      base: run(0, before),
      gates: gatesOf("gates:\n  - m drop <= 0.02\n"),
    }).gates.at(-1);
  expect(errorsOf(6, 0)).toMatchObject({ metric: "errors", verdict: "fail", n: 40, base: 0 });
  expect(errorsOf(6, 5)).toMatchObject({ verdict: "inconclusive", base: 5 / 40 });
});

describe("crashes that lost their inputs", () => {
  const crashed = (inputs: object, n: number, from = 0): object[] =>
    Array.from({ length: n }, (_, i) => ({ inputs, error: `it broke ${from + i}` }));
  const ran = (n: number): object[] =>
    Array.from({ length: n }, (_, i) => ({
      inputs: { question: `question ${i}` },
      evaluation_scores: [{ key: "match", score: 1 }],
    }));
  const lines = (all: readonly object[]): string =>
    all.map((row) => `${JSON.stringify(row)}\n`).join("");
  const FLOORS = ["--gate", "match >= 0.85\nerror_rate <= 0.02"];

  test.each([[{}], [{ question: "" }], [{ question: null, messages: [] }]])(
    "each count in floors and in the error rate: %j",
    async (inputs) => {
      const files = { "head.jsonl": lines([...ran(51), ...crashed(inputs, 49)]) };
      const { code, gates } = await gate(files, "head.jsonl", ...FLOORS);
      expect(code).toBe(4);
      expect(gates).toMatchObject([
        { metric: "match", verdict: "inconclusive" },
        { metric: "error_rate", verdict: "fail", n: 100 },
      ]);
      expect(gates[0]!.reason).toContain("49 of 100 rows crashed");
    },
  );

  test("each count in a CSV whose crashed lines hold only the error", async () => {
    const files = {
      "head.csv": `inputs.q,feedback.match,error\n${Array.from({ length: 51 }, (_, i) => `q${i},1,\n`).join("")}${",,it broke\n".repeat(49)}`,
    };
    const { code, gates } = await gate(files, "head.csv", ...FLOORS);
    expect(code).toBe(4);
    expect(gates[1]).toMatchObject({ metric: "error_rate", verdict: "fail", n: 100 });
  });

  test.each([[10], [50], [90]])(
    "fail the run against a baseline if they are %i of 100",
    async (n) => {
      const files = {
        "base.jsonl": lines(ran(100)),
        "head.jsonl": lines([...ran(100 - n), ...crashed({}, n)]),
      };
      const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
      expect(code).toBe(4);
      expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "fail" });
    },
  );

  test("are not worse if the baseline has as many", async () => {
    const files = {
      "base.jsonl": lines([...ran(90), ...crashed({}, 10)]),
      "head.jsonl": lines([...ran(90), ...crashed({}, 10, 50)]),
    };
    const { code, gates } = await gate(files, "head.jsonl", ...DROP, "base.jsonl");
    expect(code).toBe(0);
    expect(gates.at(-1)).toMatchObject({ metric: "errors", verdict: "pass" });
  });

  test("are counted in the sentence if most rows have no score", async () => {
    const files = { "head.jsonl": lines([...ran(40), ...crashed({}, 60)]) };
    const { gates } = await gate(files, "head.jsonl", "--gate", "match >= 0.85");
    expect(gates[0]).toMatchObject({ verdict: "inconclusive" });
    expect(gates[0]!.reason).toMatch(/60 of 100 rows crashed; .* Fix the crashes\.$/);
  });
});

describe("the worst score of a crash", () => {
  const head = Array.from({ length: 100 }, (_, i) => ({
    inputs: { question: `question ${i}` },
    ...(i < 20
      ? { error: "it broke" }
      : { evaluation_scores: [{ key: "refusal", score: i < 40 ? 1 : 0 }] }),
  }));
  const files = { "head.jsonl": head.map((row) => `${JSON.stringify(row)}\n`).join("") };

  test.each([
    ["refusal <= 0.29"],
    ["refusal >= 0.05\nrefusal <= 0.29"],
    ["refusal <= 0.29\nrefusal >= 0.05"],
  ])("is the one that the floor's own operator rejects: %j", async (gates) => {
    const judged = await gate(files, "head.jsonl", "--gate", gates);
    const ceiling = judged.gates.find(({ rule }) => rule === "refusal <= 0.29")!;
    expect(ceiling.verdict).toBe("inconclusive");
    expect(ceiling.reason).toContain("20 of 100 rows crashed");
  });
});

describe("a cost within 0…1", () => {
  const rows = (costs: readonly (number | null)[]): string =>
    costs
      .map((cost, i) => ({
        inputs: { question: `question ${i}` },
        ...(cost === null
          ? { error: "it broke" }
          : { evaluation_scores: [{ key: "m", score: 1 }], run_metadata: { usage: { cost } } }),
      }))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");

  test("has no end at 1 dollar: a crash costs as much as the most expensive row", async () => {
    const costs = Array.from({ length: 30 }, (_, i) => (i < 28 ? 0.01 : null));
    const judged = await gate(
      { "head.jsonl": rows(costs) },
      "head.jsonl",
      "--gate",
      "cost <= 0.02",
    );
    expect(judged.gates[0]).toMatchObject({ metric: "cost", verdict: "pass" });
  });

  test("is not a mark, even if every row costs 0 or 1", async () => {
    const costs = Array.from({ length: 30 }, (_, i) => i % 2);
    const judged = await gate({ "head.jsonl": rows(costs) }, "head.jsonl", "--gate", "cost <= 0.6");
    expect(judged.gates[0]).toMatchObject({ method: "Student, df 29", verdict: "pass" });
  });
});

describe("a baseline whose providers all have other names", () => {
  const files = {
    "base.json": promptfoo(["openai:old", "openai:small"], 0),
    "new.json": promptfoo(["openai:new", "openai:tiny"], 0),
    "broken.json": promptfoo(["openai:new", "openai:tiny"], 20),
  };

  test("is not a missing baseline: on-inconclusive decides", async () => {
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

  test("is compared if there is one provider on either side", async () => {
    const pair = { "base.json": promptfoo(["a"], 0), "head.json": promptfoo(["b"], 0) };
    const { code, gates } = await gate(pair, "head.json", ...DROP, "base.json");
    expect(code).toBe(0);
    expect(gates[0]).toMatchObject({ verdict: "pass", n: 40 });
  });
});
