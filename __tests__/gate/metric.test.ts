import { describe, expect, test } from "@jest/globals";
import {
  columnOf,
  countErrors,
  countScored,
  crashShares,
  isUsage,
  type Metric,
  normalName,
  parseMetric,
  passAll,
  scoredExamples,
  scoreOf,
  valuesOf,
} from "../../src/gate/metric.ts";
import { createTableBuilder, joinTables, pickRows } from "../../src/gate/table.ts";
import { bits, exampleAt, rowOf, tableOf } from "./tables.ts";

describe("a gated name", () => {
  test.each<[string, Metric, string | null]>([
    ["error_rate", { kind: "error_rate" }, null],
    ["rows", { kind: "rows" }, null],
    ["latency", { kind: "latency", quantile: null }, null],
    ["latency_p1", { kind: "latency", quantile: 0.01 }, null],
    ["latency_p99", { kind: "latency", quantile: 0.99 }, null],
    ["latency_p0", { kind: "score", key: "latency_p0" }, "latency_p0"],
    ["latency_p100", { kind: "score", key: "latency_p100" }, "latency_p100"],
    ["pass^1(a b)", { kind: "pass", k: 1, key: "a b" }, "a b"],
    ["pass^99( x )", { kind: "pass", k: 99, key: "x" }, "x"],
    ["pass^0(x)", { kind: "score", key: "pass^0(x)" }, "pass^0(x)"],
    ["pass^100(x)", { kind: "score", key: "pass^100(x)" }, "pass^100(x)"],
  ])("%s is parsed", (name, metric, score) => {
    expect(parseMetric(name)).toEqual(metric);
    expect(scoreOf(name)).toBe(score);
  });

  test.each([
    ["Noise Sensitivity", "noise_sensitivity"],
    ["noiseSensitivity", "noise_sensitivity"],
    ["noise-sensitivity", "noise_sensitivity"],
    ["noise[sensitivity]", "noise_sensitivity"],
  ])("%s is spelled %s", (name, spelled) => {
    expect(normalName(name)).toBe(spelled);
  });

  test.each([
    ["latency", true],
    ["latency_p50", true],
    ["Total Tokens", true],
    ["cost", true],
    ["error_rate", false],
    ["rows", false],
    ["pass^2(cost)", false],
    ["correctness", false],
  ])("%s measures what a run uses: %s", (name, used) => {
    expect(isUsage(name)).toBe(used);
  });
});

const TABLE = tableOf([
  rowOf("a", { scores: { m: 1, cost: 1 }, latency: 2 }),
  rowOf("a", { scores: { m: 0, cost: 1 }, latency: 1 }),
  rowOf("a", { scores: { cost: 1 }, latency: 9, error: true }),
  rowOf("b", { scores: { m: 1, cost: 0 }, error: true }),
  rowOf("c", { error: true }),
  rowOf("d", { latency: 4 }),
]);

describe("the column of", () => {
  const read = (name: string) => {
    const column = columnOf(TABLE, parseMetric(name));
    const { mean, scored, binary, extent } = column;
    return {
      mean: [...mean],
      scored: [...scored],
      binary,
      extent,
      present: [...scoredExamples(column)],
      values: [...valuesOf(TABLE, column, scoredExamples(column))],
    };
  };

  test("a score of marks has its means by example, including crashed rows", () => {
    expect(read("m")).toEqual({
      mean: [0.5, 1, NaN, NaN],
      scored: [2, 1, 0, 0],
      binary: true,
      extent: [0, 1],
      present: [0, 1],
      values: [0, 1, 1],
    });
  });

  test("a cost of 0 or 1 is not a mark", () => {
    expect(read("cost")).toMatchObject({ mean: [1, 0, NaN, NaN], binary: false });
  });

  test("a time leaves out crashed rows", () => {
    expect(read("latency_p50")).toEqual({
      mean: [1.5, NaN, NaN, 4],
      scored: [2, 0, 0, 1],
      binary: false,
      extent: [1, 4],
      present: [0, 3],
      values: [1, 2, 4],
    });
  });

  test("crashes has every row", () => {
    expect(read("error_rate")).toMatchObject({
      mean: [expect.closeTo(1 / 3, 12), 1, 1, 0],
      scored: [3, 1, 1, 1],
      binary: true,
    });
  });

  test("rows has no value", () => {
    expect(read("rows")).toMatchObject({ scored: [0, 0, 0, 0], present: [], values: [] });
  });

  test("pass^k has no value if fewer than k runs were scored", () => {
    expect(read("pass^1(m)")).toMatchObject({ mean: [0.5, 1, NaN, NaN], scored: [2, 1, 0, 0] });
    expect(read("pass^2(m)")).toMatchObject({ mean: [0, NaN, NaN, NaN], scored: [2, 0, 0, 0] });
    expect(read("pass^3(m)")).toMatchObject({ scored: [0, 0, 0, 0] });
  });

  test("single rows has their values as means, except for pass^k", () => {
    const table = tableOf([rowOf("a", { scores: { m: 0.5 } }), rowOf("b", { scores: { m: 2 } })]);
    expect([...columnOf(table, parseMetric("m")).mean]).toEqual([0.5, 2]);
    expect([...columnOf(table, parseMetric("pass^1(m)")).mean]).toEqual([0, 1]);
    expect([...columnOf(table, parseMetric("pass^2(m)")).scored]).toEqual([0, 0]);
  });

  test("single rows counts those with a value", () => {
    const table = tableOf([rowOf("a", { scores: { m: 0.5 } }), rowOf("b", { scores: { n: 1 } })]);
    expect([...columnOf(table, parseMetric("m")).scored]).toEqual([1, 0]);
  });

  test("latency is a score with this name, if there is one", () => {
    const table = tableOf([
      rowOf("a", { scores: { m: 0.5, latency: 7 }, latency: 2 }),
      rowOf("b", { latency: 3 }),
    ]);
    expect([...columnOf(table, parseMetric("latency")).mean]).toEqual([7, NaN]);
    expect([...columnOf(table, parseMetric("latency_p50")).mean]).toEqual([2, 3]);
    expect([...columnOf(bits("1"), parseMetric("latency")).mean]).toEqual([NaN]);
    expect([...columnOf(pickRows(table, [1]), parseMetric("latency")).mean]).toEqual([NaN]);
  });

  test.each([255, 256, 300])("%i runs of one example are counted", (runs) => {
    const table = tableOf(Array.from({ length: runs }, () => rowOf("a", { scores: { m: 1 } })));
    expect([...columnOf(table, parseMetric("m")).scored]).toEqual([runs]);
  });
});

test("rows with a score and crashed rows are counted", () => {
  expect(countScored(TABLE)).toBe(4);
  expect(countErrors(TABLE)).toBe(3);
  expect([...crashShares(TABLE)]).toEqual([expect.closeTo(1 / 3, 12), 1, 1, 0]);
});

test.each([
  [[1, 1, 0], 1, 2 / 3],
  [[1, 1, 0], 2, 1 / 3],
  [[1, 1, 0], 3, 0],
  [[1, 1, 1, 0], 2, 1 / 2],
  [[2, 0.999], 1, 1 / 2],
  [[1, NaN, 1], 2, 1],
  [[0, 0], 1, 0],
])("with runs %j, %i drawn at once all pass with a chance of %d", (values, k, chance) => {
  expect(passAll(Float64Array.from(values), k)).toBeCloseTo(chance, 12);
});

describe("tables", () => {
  const marked = (name: string, doc: string) =>
    rowOf(name, { scores: { m: 1 }, tags: { "inputs.doc": doc } });

  test("are joined by example, and each row keeps the texts and fields of its own file", () => {
    const joined = joinTables([
      tableOf([marked("c", "1"), marked("a", "2")], { file: "one.json" }),
      tableOf([marked("b", "3"), rowOf("a", { scores: { n: 5 }, error: true })], {
        file: "two.json",
        state: "cancelled",
      }),
      tableOf([marked("d", "4")], { file: "three.json", state: "incomplete" }),
    ]);
    expect(joined).toMatchObject({
      file: "one.json, two.json, three.json",
      state: "cancelled",
      size: 5,
      examples: 4,
      repeats: 2,
      metrics: ["m", "n"],
    });
    expect([...joined.start]).toEqual([0, 2, 3, 4, 5]);
    const names = Array.from({ length: 5 }, (_, row) => joined.example.at(row));
    expect(names).toEqual(["a", "a", "b", "c", "d"]);
    expect(names.map((_, row) => joined.tag(row, "inputs.doc"))).toEqual([
      "2",
      undefined,
      "3",
      "1",
      "4",
    ]);
    expect(names.map((_, row) => joined.preview(row).input)).toEqual(
      names.map((name) => `question ${name}`),
    );
    expect([...joined.error]).toEqual([0, 1, 0, 0, 0]);
    expect([...joined.scores.get("n")!]).toEqual([NaN, 5, NaN, NaN, NaN]);
  });

  test("order the runs of an example by score, then crash and time, with those without a score last", () => {
    const run = (m: number | null, latency: number | null, error = false) =>
      rowOf("a", { scores: m === null ? {} : { m }, latency, error });
    const table = tableOf([
      run(null, 1),
      run(1, 3),
      run(1, null),
      run(0, 9),
      run(1, 2),
      run(1, 1, true),
    ]);
    expect([...table.scores.get("m")!]).toEqual([0, 1, 1, 1, 1, NaN]);
    expect([...table.latency]).toEqual([9, 2, 3, NaN, 1, 1]);
    expect([...table.error]).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test("keep five hundred names of fields", () => {
    const tags = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [exampleAt(i), "x"]));
    const { tagNames } = tableOf([rowOf("a", { tags })]);
    expect(tagNames).toHaveLength(500);
    expect(tagNames[499]).toBe(exampleAt(499));
  });

  test("keep only the fields that were asked for, and the names of all", () => {
    const builder = createTableBuilder({ tags: new Set(["b"]) });
    builder.add(rowOf("e", { tags: { b: "1", a: "2" } }));
    builder.score("m", 1);
    builder.add(rowOf("f"));
    builder.score("n", 1);
    expect(builder.cells()).toBe(4);
    const table = builder.finish({
      file: "a.json",
      state: "complete",
      commit: null,
      created_at: null,
      judge: null,
    });
    expect(table.tagNames).toEqual(["a", "b"]);
    expect([table.tag(0, "b"), table.tag(0, "a"), table.tag(1, "b")]).toEqual([
      "1",
      undefined,
      undefined,
    ]);
  });

  test("store an infinite score as missing", () => {
    const table = tableOf([
      rowOf("a", { scores: { m: Infinity } }),
      rowOf("b", { scores: { m: 2 } }),
    ]);
    expect([...table.scores.get("m")!]).toEqual([NaN, 2]);
  });

  test("can be picked by row", () => {
    const picked = pickRows(bits("1010x"), [4, 0, 2]);
    expect(picked).toMatchObject({ size: 3, examples: 3, repeats: 1 });
    expect([...picked.scores.get("correctness")!]).toEqual([1, 1, NaN]);
    expect([...picked.error]).toEqual([0, 0, 1]);
    expect(pickRows(bits("1"), [])).toMatchObject({ size: 0, examples: 0, repeats: 0 });
  });
});
