import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import type { GateTable, TableFacts } from "../../src/gate/row.ts";
import { bits, exampleAt, gatesOf, judge, rowOf, scores, tableOf } from "./tables.ts";

const problemsOf = (
  gates: string,
  head: GateTable,
  base: GateTable | null = null,
  anchor: GateTable | null = null,
): readonly string[] =>
  judgeGates({ head, base, anchor, gates: gatesOf(gates) }).problems.map(({ message }) => message);

const BASE: Partial<TableFacts> = { file: "base.json" };

describe("scores that are words", () => {
  const worded = (rows: number, mappable: boolean, about: Partial<TableFacts> = {}): GateTable =>
    bits("111", { words: { correctness: { rows, mappable } }, ...about });
  const MAPPING =
    "give each word a number in a mapping: " +
    "evaluation_scores.correctness: { column: correctness, words: { pass: 1, fail: 0 } }, " +
    "or mark rows that crashed: error: { column: correctness, when: [error] }";
  const NO_MAPPING =
    "(a value without a score); write a score for each of these values, or an error on a row that was not judged";
  const one = "1 score of correctness in results.json is a word, not a number";
  const two = "2 scores of correctness in results.json are words, not numbers";

  test.each([
    [1, true, `${one}; ${MAPPING}`],
    [2, true, `${two}; ${MAPPING}`],
    [1, false, `${one} ${NO_MAPPING}`],
    [2, false, `${two} ${NO_MAPPING}`],
  ])("are a problem: %i of them, which a mapping can count: %s", (rows, mappable, said) => {
    expect(problemsOf("correctness >= 0.5", worded(rows, mappable))).toEqual([said]);
    // Two rules on one score have one problem.
    const rules = "correctness >= 0.5\ncorrectness >= 0.6";
    expect(problemsOf(rules, worded(rows, mappable))).toEqual([said]);
    expect(problemsOf("rows >= 1", worded(rows, mappable))).toEqual([]);
  });

  test("are a problem in the baseline or its anchor too", () => {
    const there = [`${two.replace("results.json", "base.json")}; ${MAPPING}`];
    const base = worded(2, true, BASE);
    expect(problemsOf("correctness drop <= 0.1", bits("111"), base)).toEqual(there);
    expect(problemsOf("correctness drop <= 0.1", bits("111"), bits("111"), base)).toEqual(there);
  });

  test("are accepted if this run has no number among them, and the gate fails", () => {
    const bare = scores([1, 1], { words: { correctness: { rows: 2, mappable: true } } });
    expect(problemsOf("correctness drop <= 0.1", bare, bits("11"))).toEqual([]);
    expect(judge("correctness drop <= 0.1", bare, bits("11")).gates[0]).toMatchObject({
      metric: "correctness",
      verdict: "fail",
      n: 0,
    });
  });
});

describe("a score with the name of a value that is computed from the rows", () => {
  const named = (metric: string, about: Partial<TableFacts> = {}): GateTable =>
    tableOf([rowOf("a", { scores: { [metric]: 0.5, good: 1 }, latency: 2 })], about);

  test.each([
    ["error_rate", "error_rate <= 2%"],
    ["error_rate", "* <= 0.9"],
    ["rows", "rows >= 1"],
    ["latency_p95", "latency_p95 <= 3s"],
  ])("is a problem for a gate on that name: %s by %s", (name, gate) => {
    expect(problemsOf(gate, named(name))).toContain(
      `results.json has a score named ${name}, but a gate on ${name} judges what is computed from the rows; rename the score`,
    );
  });

  test("is a problem in the baseline as well", () => {
    expect(
      problemsOf("error_rate drop <= 2%", named("other"), named("error_rate", BASE)),
    ).toContain(
      "base.json has a score named error_rate, but a gate on error_rate judges what is computed from the rows; rename the score",
    );
  });

  test.each([
    ["latency", "latency <= 3s"],
    ["error_rate", "good >= 0.5"],
    ["quality", "error_rate <= 2%"],
  ])(
    "is not a problem if the gate is on another name, or if the score is what counts: %s by %s",
    (name, gate) => {
      expect(problemsOf(gate, named(name))).toEqual([]);
    },
  );
});

describe("a name that the results lack", () => {
  const many = (count: number): GateTable =>
    tableOf([
      rowOf("e", {
        scores: Object.fromEntries(Array.from({ length: count }, (_, i) => [exampleAt(i), 1])),
      }),
    ]);
  const ALWAYS =
    "always there: error_rate, latency, latency_p50, latency_p90, latency_p95, latency_p99, rows";
  const seen = (count: number): string =>
    Array.from({ length: count }, (_, i) => exampleAt(i)).join(", ");

  test.each([
    [50, seen(50)],
    [51, `${seen(50)} and 1 more`],
    [53, `${seen(50)} and 3 more`],
  ])("is reported with up to fifty of the metrics seen: %i", (count, named) => {
    expect(problemsOf("quality >= 0.5", many(count))).toEqual([
      `quality is not in results.json; metrics seen: ${named}; ${ALWAYS}`,
    ]);
  });

  test("is reported with up to eighty letters of each metric seen", () => {
    const table = (letters: number) =>
      tableOf([rowOf("e", { scores: { [`m${"x".repeat(letters - 1)}`]: 1 } })]);
    expect(problemsOf("quality >= 0.5", table(80))[0]).toContain(`seen: m${"x".repeat(79)}; `);
    expect(problemsOf("quality >= 0.5", table(81))[0]).toContain(`seen: m${"x".repeat(78)}…; `);
  });

  test("is accepted if nothing was scored, or if the metric was only named", () => {
    expect(problemsOf("quality >= 0.5", tableOf([rowOf("e")]))).toEqual([]);
    expect(problemsOf("quality >= 0.5", bits("1", { unscored: new Set(["quality"]) }))).toEqual([]);
  });

  test("is accepted if the baseline has it", () => {
    expect(problemsOf("quality drop <= 0.5", bits("1"), scores([1]))).toEqual([
      `quality is not in results.json; metrics seen: correctness, score; ${ALWAYS}`,
    ]);
    expect(problemsOf("score drop <= 0.5", bits("1"), scores([1]))).toEqual([]);
  });

  test("is reported with up to twenty of the fields seen", () => {
    const tagged = (count: number) =>
      tableOf([
        rowOf("e", {
          scores: { s: 1 },
          tags: Object.fromEntries(Array.from({ length: count }, (_, i) => [exampleAt(i), "x"])),
        }),
      ]);
    const gates = "gates: s >= 0.5\ncluster_by: inputs.doc";
    const none = "no row of results.json has inputs.doc;";
    expect(problemsOf(gates, tagged(0))).toEqual([`${none} the rows have no such fields`]);
    for (const count of [20, 21])
      expect(problemsOf(gates, tagged(count))).toEqual([`${none} fields seen: ${seen(20)}`]);
    expect(problemsOf(gates, tableOf([]))).toEqual([]);
  });

  test("is reported for a rule on every score if there is no score", () => {
    const usage = tableOf([rowOf("e", { scores: { cost: 1 } })]);
    expect(problemsOf("* >= 0.5", usage)).toEqual([
      "`* >= 0.5` finds no score in results.json; metrics seen: cost; name one",
    ]);
  });
});

describe("which side passes, by the pass marks next to the scores", () => {
  /** Scores, each with its mark. */
  const marked = (
    pairs: readonly (readonly [number, 0 | 1])[],
    about: Partial<TableFacts> = {},
  ): GateTable =>
    tableOf(
      pairs.map(([tone, mark], i) => rowOf(exampleAt(i), { scores: { tone, "tone.pass": mark } })),
      about,
    );
  const HIGH = [
    [0.8, 1],
    [0.9, 1],
    [0.2, 0],
    [0.3, 0],
  ] as const;
  const LOW = HIGH.map(([tone, mark]) => [tone, mark === 1 ? 0 : 1] as const);
  const turned = (here: string, there: string): string =>
    `the verdicts in results.json show that ${here} of tone is better, ` +
    `those in the baseline base.json that ${there} is: ` +
    "another version of the tool scored it the other way round. " +
    "Score both with one version, or accept a new baseline";
  const DROP = "tone drop <= 0.5";

  test("is compared with the baseline and its anchor", () => {
    expect(problemsOf(DROP, marked(HIGH), marked(LOW, BASE))).toEqual([turned("more", "less")]);
    expect(problemsOf(DROP, marked(LOW), marked(HIGH, BASE))).toEqual([turned("less", "more")]);
    expect(problemsOf(DROP, marked(HIGH), marked(HIGH), marked(LOW, BASE))).toEqual([
      turned("more", "less"),
    ]);
    expect(problemsOf(DROP, marked(LOW), marked(LOW, BASE))).toEqual([]);
    expect(problemsOf("tone >= 0.5", marked(HIGH), marked(LOW, BASE))).toEqual([]);
  });

  test("is taken from what the file is known to show", () => {
    const known = (side: "lower" | "higher") => ({ ...BASE, shown: new Map([["tone", side]]) });
    expect(problemsOf(DROP, marked(HIGH), marked(HIGH, known("lower")))).toEqual([
      turned("more", "less"),
    ]);
    expect(problemsOf(DROP, marked(HIGH), marked(LOW, known("higher")))).toEqual([]);
  });

  test.each<[string, readonly (readonly [number, 0 | 1])[]]>([
    ["all rows pass", LOW.filter(([, mark]) => mark === 1)],
    ["all rows fail", LOW.filter(([, mark]) => mark === 0)],
    ["a failed row is as good as the worst that passed", [...LOW, [0.3, 0]]],
    ["a passed row is as bad as the best that failed", [...LOW, [0.8, 1]]],
  ])("is not known if %s", (_, pairs) => {
    expect(problemsOf(DROP, marked(HIGH), marked(pairs, BASE))).toEqual([]);
    expect(problemsOf(DROP, marked(pairs), marked(HIGH, BASE))).toEqual([]);
    const mirrored = pairs.map(([tone, mark]) => [Number((1.1 - tone).toFixed(1)), mark] as const);
    expect(problemsOf(DROP, marked(LOW), marked(mirrored, BASE))).toEqual([]);
  });
});

describe("another scale", () => {
  const said = (now: string, before: string): readonly string[] => [
    `score is on another scale: ${now} in results.json, ${before} in the baseline base.json; ` +
      "score both alike, or write a new baseline",
  ];

  test.each<[number[], number[], readonly string[]]>([
    [[0, 1], [1, 5], said("0 to 1", "1 to 5")],
    [[1, 5], [0, 1], said("1 to 5", "0 to 1")],
    [[0, 1], [1, 2.1], said("0 to 1", "1 to 2.1")],
    [[0, 1], [0, 2], []],
    [[0, 1], [-2, 0.5], []],
    [[0, 1], [-2.1, 0.5], said("0 to 1", "-2.1 to 0.5")],
    [[0, 1.1], [1, 5], []],
    [[-0.1, 1], [1, 5], []],
    [[2, 5], [1, 5], []],
  ])("is a problem for a drop: %j after %j", (now, before, problems) => {
    expect(problemsOf("score drop <= 0.5", scores(now), scores(before, BASE))).toEqual(problems);
    expect(problemsOf("score >= 0.5", scores(now), scores(before, BASE))).toEqual([]);
  });

  test("is not checked for counts and costs", () => {
    const of = (errors: number) => tableOf([rowOf("a", { scores: { errors } })]);
    expect(problemsOf("errors rise <= 1", of(0), of(7))).toEqual([]);
  });
});

test("a value beyond 1e100 is too large on either side of 0, in any of the runs", () => {
  const said = (value: string) => [
    `score has a value of ${value}, too large to be judged; look at the scorer`,
  ];
  expect(problemsOf("score >= 0", scores([0, 1e100]))).toEqual([]);
  expect(problemsOf("score >= 0", scores([0, -1e100]))).toEqual([]);
  expect(problemsOf("score >= 0", scores([0, 1.1e100]))).toEqual(said("1.1e+100"));
  expect(problemsOf("score >= 0", scores([0, -1.1e100]))).toEqual(said("-1.1e+100"));
  expect(problemsOf("score drop <= 1", scores([0, 5]), scores([3, 2e100]))).toEqual(said("2e+100"));
  expect(problemsOf("score drop <= 1", scores([0, 5]), scores([3, 4]), scores([2e100]))).toEqual(
    said("2e+100"),
  );
});

test("a drop on a metric whose better side is unclear needs a direction", () => {
  const table = tableOf([rowOf("a", { scores: { retry_rate: 0.5 } })]);
  expect(problemsOf("retry_rate drop <= 0.1", table, table)).toEqual([
    "which side of retry_rate is better is not clear from its name; " +
      'add `direction: {"retry_rate": higher}` (or lower) to the gate file',
  ]);
  expect(problemsOf("retry_rate <= 0.6", table, table)).toEqual([]);
});
