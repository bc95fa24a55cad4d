import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree, type Tree } from "../support/tree.ts";

interface Gate {
  readonly metric: string;
  readonly verdict: string;
  readonly delta: number | null;
  readonly ci: readonly [number, number] | null;
  readonly direction: string;
  readonly anchor: { readonly delta: number } | null;
  readonly reason: string;
}

async function gate(workspace: Tree, ...args: string[]) {
  const run = await runCli(["gate", "--json", ...args], { workspace });
  const report = run.stdout === "" ? { gates: [] } : JSON.parse(run.stdout);
  return { code: run.code, said: run.stderr, gates: report.gates as Gate[] };
}

/** promptfoo's results of some providers: of each, so many of forty tests right. */
function promptfoo(right: Readonly<Record<string, number>>): string {
  const results = Object.entries(right).flatMap(([provider, count]) =>
    Array.from({ length: 40 }, (_, i) => ({
      provider: { id: provider },
      prompt: { raw: "{{q}}", label: "p" },
      promptIdx: 0,
      testIdx: i,
      vars: { q: `question ${i}` },
      response: { output: "a" },
      success: i < count,
      score: i < count ? 1 : 0,
      namedScores: { correctness: i < count ? 1 : 0 },
      gradingResult: { pass: i < count, score: i < count ? 1 : 0, componentResults: [] },
    })),
  );
  return JSON.stringify({ evalId: "e", results: { version: 3, results }, config: {} });
}

function rows(scores: readonly (number | null)[], key = "correctness", tags: object = {}): string {
  return JSON.stringify(
    scores.map((score, i) => ({
      inputs: { question: i },
      ...(score === null ? { error: "it broke" } : { evaluation_scores: [{ key, score }] }),
      run_metadata: tags,
    })),
  );
}

describe("a baseline that is pooled while the run is not", () => {
  const both = promptfoo({ "openai:a": 40, "openai:b": 40 });
  const write = ["--write-baseline", "kept.json", "--accept-baseline"];
  const files = (pool: boolean) => ({
    "base.json": both,
    "pooled.yml": "gates: [correctness drop <= 0.02]\npool: true\n",
    "apart.yml": "gates: [correctness drop <= 0.02]\n",
    "first.yml": pool
      ? "gates: [correctness >= 0.5]\npool: true\n"
      : "gates: [correctness >= 0.5]\n",
  });

  test.each([
    [true, "apart.yml", "pool: true joined them"],
    [false, "pooled.yml", "pool: true joins this run's"],
  ])(
    "lets nothing pass, and the reason says why: pooled %s, judged by %s",
    async (pool, gates, why) => {
      const workspace = createTree(files(pool));
      expect((await gate(workspace, "base.json", "--gate", "first.yml", ...write)).code).toBe(0);
      const again = promptfoo({ "openai:a": 39, "openai:b": 40 });
      workspace.write("head.json", again);
      const judged = await gate(workspace, "head.json", "--gate", gates, "--baseline", "kept.json");
      expect(judged.gates.map(({ verdict }) => verdict)).not.toContain("pass");
      expect(judged.gates[0]!.reason).toContain(why);
      expect(judged.gates[0]!.reason).not.toContain("another provider");
    },
  );
});

describe("providers of one file that is uploaded as one experiment", () => {
  const DROP = ["--gate", "correctness drop <= 0.02", "--baseline", "base.json"];
  const files = {
    "base.json": promptfoo({ "openai:a": 40, "openai:b": 25 }),
    "head.json": promptfoo({ "openai:a": 25, "openai:b": 40 }),
    "pooled.yml": "gates: [correctness drop <= 0.02]\npool: true\n",
  };

  test("are judged separately, so that one that got better does not hide another", async () => {
    const { code, gates } = await gate(createTree(files), "head.json", ...DROP, "--split", "none");
    expect(code).toBe(4);
    expect(gates[0]).toMatchObject({ verdict: "fail", delta: -0.375 });
    expect(gates[0]!.reason).toMatch(/^openai:a · p: correctness fell from 1 to 0\.63/);
    expect(gates[1]!.reason).toMatch(/^openai:b · p: correctness rose/);
  });

  test("are pooled if the gate file says so", async () => {
    const pooled = ["--gate", "pooled.yml", "--baseline", "base.json", "--split", "none"];
    const { code, gates } = await gate(createTree(files), "head.json", ...pooled);
    expect(code).toBe(0);
    expect(gates[0]).toMatchObject({ verdict: "pass", delta: 0 });
  });

  test("are judged without a name if there is only one", async () => {
    const workspace = createTree({ "head.json": promptfoo({ "openai:a": 40 }) });
    const floor = ["--gate", "correctness >= 0.9", "--split", "none"];
    const { code, gates } = await gate(workspace, "head.json", ...floor);
    expect(code).toBe(0);
    expect(gates[0]!.reason).toMatch(/^correctness is 1/);
  });
});

describe("providers of a baseline", () => {
  const drop = ["--gate", "correctness drop <= 0.02", "--baseline", "base.json"];

  test("are still compared if only one is left in the file", async () => {
    const workspace = createTree({
      "head.json": promptfoo({ "openai:a": 20 }),
      "base.json": promptfoo({ "openai:a": 40, "openai:b": 40 }),
    });
    const { code, gates } = await gate(workspace, "head.json", ...drop);
    expect(code).toBe(4);
    expect(gates[0]).toMatchObject({ verdict: "fail", delta: -0.5 });
  });

  test("keep everything from passing, and the run from becoming the baseline, if one was not run", async () => {
    const workspace = createTree({
      "head.json": promptfoo({ "openai:b": 40 }),
      "base.json": promptfoo({ "openai:a": 40, "openai:b": 40 }),
    });
    const { gates } = await gate(workspace, "head.json", ...drop);
    expect(gates[0]).toMatchObject({ verdict: "inconclusive", delta: 0 });
    expect(gates[0]!.reason).toMatch(/openai:a.*nothing passes/u);
    const written = await gate(workspace, "head.json", ...drop, "--write-baseline", "next.json");
    expect(written.code).not.toBe(0);
    expect(workspace.has("next.json")).toBe(false);
  });

  test("are all named in a written baseline, so that one that is left later is found", async () => {
    const workspace = createTree({
      "head.json": promptfoo({ "openai:a": 20 }),
      "both.json": promptfoo({ "openai:a": 40, "openai:b": 40 }),
    });
    const write = ["--write-baseline", "base.json", "--accept-baseline"];
    expect(
      (await gate(workspace, "both.json", "--gate", "correctness >= 0.1", ...write)).code,
    ).toBe(0);
    const { code, gates } = await gate(workspace, "head.json", ...drop);
    expect([code, gates[0]!.verdict]).toEqual([4, "fail"]);
  });

  test("are compared with another model that replaces the only one", async () => {
    const workspace = createTree({
      "head.json": promptfoo({ "openai:new": 20 }),
      "base.json": promptfoo({ "openai:old": 40 }),
    });
    expect((await gate(workspace, "head.json", ...drop)).code).toBe(4);
  });
});

test("a baseline that is overwritten without a comparison keeps its anchor", async () => {
  const right = (count: number) => Array.from({ length: 100 }, (_, i) => (i < count ? 1 : 0));
  const workspace = createTree({
    "a.json": rows(right(100)),
    "b.json": rows(right(92)),
    "c.json": rows(right(91)),
  });
  const floor = ["--gate", "correctness >= 0.5", "--write-baseline", "baseline.json"];
  expect((await gate(workspace, "a.json", ...floor, "--accept-baseline")).code).toBe(0);
  expect((await gate(workspace, "b.json", ...floor)).code).toBe(0);
  const { code, gates } = await gate(
    workspace,
    "c.json",
    "--gate",
    "correctness drop <= 0.02",
    "--baseline",
    "baseline.json",
  );
  expect(gates[0]!.anchor).toMatchObject({ delta: -0.09 });
  expect([code, gates[0]!.verdict]).toEqual([4, "fail"]);
});

describe("the better side", () => {
  test("of a number in a JUnit property follows from its name, as everywhere", async () => {
    const junit = (value: number) =>
      `<testsuite name="s" tests="30">${Array.from({ length: 30 }, (_, i) => `<testcase classname="c" name="t${i}"><properties><property name="score.toxicity" value="${value + i / 1000}"/></properties></testcase>`).join("")}</testsuite>`;
    const workspace = createTree({ "head.xml": junit(0.6), "base.xml": junit(0.1) });
    const { code, gates } = await gate(
      workspace,
      "head.xml",
      "--gate",
      "toxicity rise <= 0.02",
      "--baseline",
      "base.xml",
    );
    expect(gates[0]).toMatchObject({ direction: "lower", verdict: "fail" });
    expect(code).toBe(4);
  });

  test("of pass^k over a metric where less is better must be stated", async () => {
    const marks = rows(
      Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 1 : 0)),
      "hallucination",
    );
    const workspace = createTree({ "head.json": marks, "base.json": marks.replace("1}", "0}") });
    const run = await gate(
      workspace,
      "head.json",
      "--gate",
      "pass^1(hallucination) drop <= 0.02",
      "--baseline",
      "base.json",
    );
    expect(run.code).toBe(2);
    expect(run.said).toContain('direction: {"pass^1(hallucination)": higher}');
  });
});

test("pass^k over an assertion of promptfoo is better when it is higher, whatever the assertion is called", async () => {
  const graded = (right: number) =>
    promptfoo({ "openai:a": right }).replaceAll("correctness", "toxicity");
  const workspace = createTree({ "head.json": graded(20), "base.json": graded(40) });
  const drop = ["--gate", "pass^1(toxicity) drop <= 0.02", "--baseline", "base.json"];
  const { code, gates } = await gate(workspace, "head.json", ...drop);
  expect([code, gates[0]!.verdict, gates[0]!.direction]).toEqual([4, "fail", "higher"]);
});

describe("must_pass", () => {
  const gates = "gates: [correctness >= 0.5]\nmust_pass: [{ run_metadata.critical: [yes] }]\n";
  const example = (i: number, crashed: boolean) => ({
    inputs: { question: i },
    ...(crashed
      ? { error: "timed out" }
      : {
          evaluation_scores: [{ key: "correctness", score: 1 }],
          run_metadata: { critical: i < 5 ? "yes" : "no" },
        }),
  });

  test("counts a repeat that crashed before it was marked", async () => {
    const repeats = Array.from({ length: 40 }, (_, i) =>
      [0, 1, 2].map((k) => example(i, i === 3 && k > 0)),
    ).flat();
    const workspace = createTree({ "head.json": JSON.stringify(repeats), "gates.yml": gates });
    const run = await gate(workspace, "head.json", "--gate", "gates.yml");
    expect(run.gates.find(({ metric }) => metric === "must_pass")).toMatchObject({
      verdict: "fail",
    });
    expect(run.code).toBe(4);
  });

  test("does not take Python's False for a mark", async () => {
    const csv = ["question,correctness,run_metadata.critical"];
    for (let i = 0; i < 30; i++) csv.push(`q${i},${i < 25 ? 1 : 0},${i < 5 ? "True" : "False"}`);
    const workspace = createTree({
      "head.csv": `${csv.join("\n")}\n`,
      "gates.yml": "gates: [correctness >= 0.5]\nmust_pass: [run_metadata.critical]\n",
      "map.yml":
        "inputs.question: question\nevaluation_scores.correctness: correctness\nrun_metadata.critical: run_metadata.critical\n",
    });
    const run = await gate(workspace, "head.csv", "--gate", "gates.yml", "--mapping", "map.yml");
    expect([run.said, run.gates.find(({ metric }) => metric === "must_pass")?.verdict]).toEqual([
      expect.anything(),
      "pass",
    ]);
  });
});

test("a floor that is not missed only because of crashes says so", async () => {
  const scores = [...Array(77).fill(1), ...Array(4).fill(null), ...Array(19).fill(0)];
  const workspace = createTree({
    "head.json": rows(scores),
    "gates.yml": "gates: correctness >= 0.85\nfloors: proven\n",
  });
  const { gates } = await gate(workspace, "head.json", "--gate", "gates.yml");
  expect(gates[0]!.verdict).toBe("inconclusive");
  expect(gates[0]!.reason).toMatch(
    /4 of 100 rows crashed; with each at the worst score it would fail/u,
  );
});

test("an inconclusive floor has an interval that reaches the floor", async () => {
  const scores = Array.from({ length: 100 }, (_, i) => (i < 80 ? 1 : 0));
  const workspace = createTree({
    "head.json": rows(scores),
    "gates.yml": "gates: [correctness >= 0.85]\nfloors: proven\n",
  });
  const { gates } = await gate(workspace, "head.json", "--gate", "gates.yml");
  expect(gates[0]!.verdict).toBe("inconclusive");
  expect(gates[0]!.ci![1]).toBeGreaterThanOrEqual(0.85);
});

test("a value that is too large for a sum is refused, not passed", async () => {
  const workspace = createTree({
    "head.json": rows(Array.from({ length: 30 }, () => -1.5e308)),
    "base.json": rows(Array.from({ length: 30 }, () => 1.5e308)),
  });
  const run = await gate(
    workspace,
    "head.json",
    "--gate",
    "correctness drop <= 2",
    "--baseline",
    "base.json",
  );
  expect(run.code).toBe(2);
  expect(run.said).toMatch(/too large to be judged/u);
});

test.each([
  [1, 20_000],
  [2, 700],
  [12, 1000],
])("%i examples with %i runs each are judged", async (examples, runs) => {
  const text = (share: number) =>
    Array.from({ length: examples * runs }, (_, i) => {
      const score = (i * 7919) % 1000 < 1000 * share ? 1 : 0;
      return `{"inputs":{"q":${i % examples}},"evaluation_scores":[{"key":"correctness","score":${score}}]}\n`;
    }).join("");
  const workspace = createTree({ "head.jsonl": text(0.5), "base.jsonl": text(0.9) });
  const { gates } = await gate(
    workspace,
    "head.jsonl",
    "--gate",
    "correctness drop <= 0.02",
    "--baseline",
    "base.jsonl",
  );
  expect(gates[0]!.delta).toBeCloseTo(-0.4, 1);
  expect(gates[0]!.verdict).toBe(examples < 10 ? "inconclusive" : "fail");
});

describe("proof: rule-out of graded scores", () => {
  /** Judge scores of the examples, each moved by its own small step that cancels out over all. */
  const moved = (examples: number, step: number): string =>
    rows(Array.from({ length: examples }, (_, i) => 0.8 + (i % 2 === 0 ? step : -step)));
  const judge = (examples: number) =>
    gate(
      createTree({
        "head.json": moved(examples, 0.01),
        "base.json": moved(examples, 0),
        "gates.yml": "gates: correctness drop <= 0.02\nproof: rule-out\n",
      }),
      ...["head.json", "--gate", "gates.yml", "--baseline", "base.json"],
    );

  test("is inconclusive about one collapsed row in twenty if too few rows were run to meet one", async () => {
    const { gates } = await judge(20);
    expect(gates[0]).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringMatching(/up to 0\.1\d is not ruled out \(0\.02 allowed\)/u),
    });
  });

  test("rules the fall out if enough rows were run", async () => {
    const { gates } = await judge(200);
    expect(gates[0]).toMatchObject({ verdict: "pass" });
    expect(gates[0]!.reason).toContain("a fall beyond 0.02 is ruled out (95% sure)");
  });

  test("never names the limit itself as the fall that is not ruled out", async () => {
    const { gates } = await judge(149);
    expect(gates[0]!.verdict).toBe("inconclusive");
    const [, fall, allowed] = /up to (\S+) is not ruled out \((\S+) allowed\)/u.exec(
      gates[0]!.reason,
    )!;
    expect(Number(fall)).toBeGreaterThan(Number(allowed));
  });
});

describe("latency of few examples", () => {
  const text = (examples: number): string =>
    Array.from({ length: examples }, (_, i) =>
      JSON.stringify({
        inputs: { q: i },
        start_time: "2026-01-01T00:00:00.000Z",
        end_time: `2026-01-01T00:00:01.${String(100 + (i % 40)).padStart(3, "0")}Z`,
        evaluation_scores: [{ key: "correctness", score: 1 }],
      }),
    ).join("\n");
  const judge = (examples: number, gates: string) =>
    gate(
      createTree({
        "head.jsonl": text(examples),
        "base.jsonl": `${text(examples)}\n`,
        "gates.yml": `gates:\n  - ${gates}\nproof: rule-out\n`,
      }),
      ...["head.jsonl", "--gate", "gates.yml", "--baseline", "base.jsonl"],
    );

  test.each([
    ["latency_p95 rise <= 200ms", 58, 59],
    ["latency_p99 rise <= 200ms", 298, 299],
  ])(
    "%s is ruled out only from the number of examples on that bounds the quantile",
    async (rule, few, enough) => {
      const open = await judge(few, rule);
      expect(open.gates[0]).toMatchObject({ verdict: "inconclusive", ci: null });
      expect(open.gates[0]!.reason).toContain(
        `too few examples to rule out a rise; that takes at least ${enough}.`,
      );
      const { gates } = await judge(enough, rule);
      expect(gates[0]!.verdict).toBe("pass");
      expect(gates[0]!.reason).toContain("a rise beyond 0.2 s is ruled out (95% sure)");
    },
  );

  test("has no interval whose end is only the slowest row, and says so", async () => {
    const few = await judge(40, "latency_p95 <= 4s");
    expect(few.gates[0]).toMatchObject({ verdict: "pass", ci: null });
    expect(few.gates[0]!.reason).toMatch(/the true value may be 1\.13 s or more/u);
    const enough = await judge(72, "latency_p95 <= 4s");
    expect(enough.gates[0]!.ci).toEqual([expect.any(Number), expect.any(Number)]);
    expect(enough.gates[0]!.reason).toContain("meets the limit of 4 s (95% CI");
  });
});

describe("scores that are partly words", () => {
  const table = (score: (row: number) => string): string =>
    `input,correctness\n${Array.from({ length: 40 }, (_, i) => `q${i},${score(i)}\n`).join("")}`;
  const mapping = (scored: string): string =>
    `inputs.question: input\nevaluation_scores.correctness: ${scored}\n`;
  const judge = (scored: string) =>
    gate(
      createTree({
        "head.csv": table((i) => (i % 4 === 0 ? "fail" : "0.9")),
        "mapping.yml": mapping(scored),
      }),
      ...["head.csv", "--mapping", "mapping.yml", "--gate", "correctness >= 0.8"],
    );

  test("do not pass on the numbers only: the gate names the words, and the mapping that counts them", async () => {
    const { code, said } = await judge("correctness");
    expect(code).toBe(2);
    expect(said).toMatch(/10 scores of correctness in head\.csv are words/u);
    expect(said).toContain(
      "evaluation_scores.correctness: { column: correctness, words: { pass: 1, fail: 0 } }",
    );
  });

  /** The document's own rows: of four one has a value and no number. */
  const own = (row: object, times: object = {}): string =>
    Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({
        inputs: { q: i },
        ...times,
        ...(i % 4 === 0 ? row : { evaluation_scores: [{ key: "correctness", score: 1 }] }),
      }),
    ).join("\n");
  const valued = (value: string, more: object = {}) => ({
    evaluation_scores: [{ key: "correctness", value }, ...("key" in more ? [more] : [])],
    ...("key" in more ? {} : more),
  });
  const times = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" };

  test.each([
    ["parsed", {}],
    ["looked at as bytes", times],
  ])("do not pass if the words are the value of rows without a score: rows %s", async (_, at) => {
    const workspace = createTree({ "head.jsonl": own(valued("wrong"), at) });
    const { code, said } = await gate(workspace, "head.jsonl", "--gate", "correctness >= 0.8");
    expect(code).toBe(2);
    expect(said).toMatch(
      /10 scores of correctness in head\.jsonl are words, not numbers \(a value without a score\); write a score/u,
    );
  });

  test.each([
    ["a value that says there is none", valued("N/A")],
    ["a row that failed", valued("wrong", { error: "boom" })],
    ["another score of the metric in the row", valued("right", { key: "correctness", score: 1 })],
    ["words of another metric", { evaluation_scores: [{ key: "tone", value: "good" }] }],
  ])("are not %s", async (_, row) => {
    for (const at of [{}, times]) {
      const workspace = createTree({ "head.jsonl": own(row, at) });
      const { code } = await gate(workspace, "head.jsonl", "--gate", "correctness >= 0.5");
      expect(code).not.toBe(2);
    }
  });

  test("are judged once the mapping gives each word its number", async () => {
    const { gates } = await judge("{ column: correctness, words: { fail: 0 } }");
    expect(gates[0]).toMatchObject({ verdict: "fail", metric: "correctness" });
  });

  test("fail a gate if none of them is a number", async () => {
    const workspace = createTree({
      "head.csv": table(() => "good"),
      "mapping.yml": mapping("correctness"),
    });
    const { code } = await gate(
      workspace,
      ...["head.csv", "--mapping", "mapping.yml", "--gate", "correctness >= 0.8"],
    );
    expect(code).toBe(4);
  });
});

describe("several result files", () => {
  const ones = Array.from({ length: 40 }, () => 1);
  const bare = Array.from({ length: 20 }, (_, i) => ({
    inputs: { question: `other ${i}` },
    run_metadata: { score: 0.1 },
  }));

  test("are refused if one has no score and another has scores", async () => {
    const workspace = createTree({ "a.json": rows(ones), "b.json": JSON.stringify(bare) });
    const { code, said } = await gate(
      workspace,
      "a.json",
      "b.json",
      "--gate",
      "correctness >= 0.5",
    );
    expect(code).toBe(2);
    expect(said).toContain("b.json:1:1: evaluation_scores: no row has a score");
  });

  test("with the same examples are reported to count as repeats", async () => {
    const workspace = createTree({ "a.json": rows(ones), "b.json": rows(ones.map(() => 0)) });
    const { said } = await gate(workspace, "a.json", "b.json", "--gate", "correctness >= 0.4");
    expect(said).toContain("a.json, b.json hold the same examples: judged as repeats of one run");
  });
});
