import { describe, expect, test } from "@jest/globals";
import { readTexts } from "./read-text.ts";
import { bodiesOf, readOnly } from "./sent-rows.ts";

const json = JSON.stringify;

describe("promptfoo's scores", () => {
  type Component = object;
  const assert = (metric: string | undefined, score: number, more: object = {}): Component => ({
    ...{ pass: true, score },
    assertion: { type: "contains", ...(metric === undefined ? {} : { metric }) },
    ...more,
  });
  const scoresOf = async (row: object): Promise<unknown> => {
    const whole = {
      ...{ promptIdx: 0, vars: { q: 1 }, provider: { id: "p" }, success: true, score: 0.5 },
      ...{ response: { output: "o" }, ...row },
    };
    const experiment = await readOnly(
      json({ version: 3, results: { version: 3, results: [whole] } }),
    );
    const [body] = bodiesOf(experiment) as { evaluation_scores: object[] }[];
    return body!.evaluation_scores.map(Object.values);
  };
  const OWN = [
    ["score", 0.5],
    ["pass", 1],
  ];
  const graded = (namedScores: object, ...componentResults: readonly Component[]): object => ({
    ...{ namedScores, gradingResult: { componentResults } },
  });

  test.each<[string, object, unknown]>([
    [
      "a sum becomes the mean of its asserts",
      graded({ m: 1.5 }, assert("m", 1), assert("m", 0.5)),
      [["m", 0.75]],
    ],
    [
      "a sum becomes the mean of its asserts by their weights",
      graded(
        { m: 1 },
        assert("m", 0.25, { assertion: { metric: "m", weight: 3 } }),
        assert("m", 0.75),
      ),
      [["m", 0.375]],
    ],
    ["a score without asserts stays", graded({ m: 2 }), [["m", 2]]],
    [
      "a score whose asserts have no weight stays",
      graded({ m: 2 }, assert("m", 1, { assertion: { metric: "m", weight: 0 } })),
      [["m", 2]],
    ],
    [
      "a score that the weights mark as a mean stays",
      {
        namedScores: { m: 2 },
        gradingResult: { namedScoreWeights: { m: 1 }, componentResults: [assert("m", 1)] },
      },
      [["m", 2]],
    ],
    ["a score with an empty name is left out", graded({ "": 1 }), []],
    [
      "a template is the metric that it renders to",
      graded({ "cats tone": 9 }, assert("{{topic}} tone", 0.5)),
      [["cats tone", 0.5]],
    ],
    [
      "a template may have words on both sides of a variable",
      graded({ "say cats now": 9 }, assert("say {{topic}} now", 0.5)),
      [["say cats now", 0.5]],
    ],
    [
      "a template with other words at its end is another metric",
      graded({ "cats tone": 9 }, assert("{{topic}} tune", 0.5)),
      [
        ["cats tone", 9],
        ["{{topic}} tune", 0.5],
      ],
    ],
    [
      "a template with other words at its beginning is another metric",
      graded({ "cats tone": 9 }, assert("tone{{topic}}", 0.5)),
      [
        ["cats tone", 9],
        ["tone{{topic}}", 0.5],
      ],
    ],
    [
      "a template with the same words twice does not match them once",
      graded({ ab: 9 }, assert("ab{{topic}}ab", 0.5)),
      [
        ["ab", 9],
        ["ab{{topic}}ab", 0.5],
      ],
    ],
    [
      "a template with words that the metric lacks is another metric",
      graded({ "a cats": 9 }, assert("{{x}} dogs {{y}}", 0.5)),
      [
        ["a cats", 9],
        ["{{x}} dogs {{y}}", 0.5],
      ],
    ],
    [
      "a template of only a variable matches any metric",
      graded({ cats: 9 }, assert("{{topic}}", 0.5)),
      [["cats", 0.5]],
    ],
    [
      "an assert with an empty metric is named by its type",
      graded({ cats: 9 }, assert("", 0.5)),
      [
        ["cats", 9],
        ["contains", 0.5],
      ],
    ],
    [
      "reasons of one metric are joined into one comment",
      graded(
        { m: 9 },
        assert("m", 1, { reason: "r" }),
        assert("m", 1, { reason: "s" }),
        assert("m", 1),
      ),
      [["m", 1, "r\ns"]],
    ],
    [
      "a reason that appears twice is given once",
      graded({ m: 9 }, assert("m", 1, { reason: "r" }), assert("m", 1, { reason: "r" })),
      [["m", 1, "r"]],
    ],
    [
      "asserts without a metric are named by their type, and numbered",
      graded(
        {},
        assert(undefined, 1, { reason: "c" }),
        assert(undefined, 0),
        assert("own", 0.5),
        assert(undefined, 0.5),
      ),
      [
        ["contains", 1, "c"],
        ["contains#2", 0],
        ["own", 0.5],
        ["contains#3", 0.5],
      ],
    ],
    [
      "asserts without a type are only numbered",
      graded({}, { score: 1 }, { score: 0 }),
      [
        ["assert", 1],
        ["assert#2", 0],
      ],
    ],
  ])("%s", async (_, row, scores) => {
    expect(await scoresOf(row)).toEqual([...(scores as unknown[]), ...OWN]);
  });

  test("a grade of latency or cost is a verdict if the row has the measurement", async () => {
    const of = (type: string, more: object): object => ({
      ...{ gradingResult: { componentResults: [{ score: 1, assertion: { type } }] }, ...more },
    });
    expect(await scoresOf(of("latency", { latencyMs: 5 }))).toEqual([["latency.pass", 1], ...OWN]);
    expect(await scoresOf(of("latency", {}))).toEqual([["latency", 1], ...OWN]);
    expect(await scoresOf(of("cost", { cost: 0.5 }))).toEqual([["cost.pass", 1], ...OWN]);
  });

  test("an error is the comment of a failure that was not graded", async () => {
    const failed = { success: false, score: 0, error: "no match" };
    expect(await scoresOf({ ...failed, gradingResult: null })).toEqual([
      ["score", 0, "no match"],
      ["pass", 0, "no match"],
    ]);
    expect(await scoresOf({ ...failed, gradingResult: { componentResults: [] } })).toEqual([
      ["score", 0],
      ["pass", 0],
    ]);
  });

  test("a metric may have the names of the row's own scores", async () => {
    expect(await scoresOf(graded({ pass: 0.25, score: 0.75 }))).toEqual([
      ["pass", 0.25],
      ["score", 0.75],
    ]);
  });
});

describe("LangSmith's runs with a runner's report", () => {
  const side = (n: number, more: object = {}): string =>
    json({ inputs: { q: n }, outputs: { a: n }, feedback: [{ key: "s", score: 0.5 }], ...more });
  const verdict = (key: string, score: unknown): object => ({ feedback: [{ key, score }] });
  const ran = (title: string, id?: string, failure?: string): object => ({
    ...{ title: id === undefined ? title : `${title}, test_id=${id}`, ancestorTitles: ["S"] },
    ...{ status: failure === undefined ? "passed" : "failed", duration: 10 },
    failureMessages: failure === undefined ? [] : [failure],
  });
  const report = (...assertionResults: readonly object[]): string =>
    json({
      ...{ numTotalTests: assertionResults.length, startTime: 1_767_225_600_000 },
      testResults: [{ name: "/x/a.eval.ts", assertionResults }],
    });
  const NO_SIDE =
    "name langsmith_test_results/*.json too, and use the stock JSON reporter (LangSmith's own deletes them)";

  test("have the verdict of the test, and crashed if it threw something other than an assertion", async () => {
    const experiment = await readOnly({
      "r.json": report(
        ran("one", "id1"),
        ran("two", "id2", "AssertionError: no"),
        ran("three", "id3", "TypeError: x"),
        ran("four", "id4"),
        ran("plain"),
        ran("five", "id5", "AssertionError: no output"),
        ran("six", "id6", "Error: expect(received).toBe(expected)"),
      ),
      "d/id1.json": side(1),
      "d/id2.json": side(2, verdict("pass", false)),
      "d/id3.json": side(3, verdict("pass", false)),
      "d/id5.json": side(5, { outputs: null }),
      "d/id6.json": side(6),
      "d/zz.json": side(9, { experimentUrl: "https://x" }),
    });
    const rows = bodiesOf(experiment) as {
      inputs: object;
      evaluation_scores?: object[];
      error?: string;
    }[];
    expect(
      rows.map(({ inputs, evaluation_scores = [], error }) => [
        inputs,
        error ?? evaluation_scores.map((one) => Object.values(one).slice(0, 2)),
      ]),
    ).toEqual([
      [
        { q: 1 },
        [
          ["s", 0.5],
          ["pass", 1],
        ],
      ],
      [{ q: 2 }, [["pass", 0]]],
      [{ q: 3 }, "TypeError: x"],
      [{ test: "four", suite: "S", file: "a.eval.ts" }, [["pass", 1]]],
      [{ q: 5 }, "AssertionError: no output"],
      [
        { q: 6 },
        [
          ["s", 0.5],
          ["pass", 0],
        ],
      ],
      [{ q: 9 }, [["s", 0.5]]],
    ]);
    expect(rows[2]).not.toHaveProperty("evaluation_scores", expect.anything());
    expect(experiment.warnings).toEqual([
      `1 test has no side file: its inputs are its name; ${NO_SIDE}`,
      "1 side file belongs to no test of the report",
      "the tests ran with tracking on: this experiment is in the service already, and the upload makes a second",
      "2 rows crashed: “TypeError: x” (1), “AssertionError: no output” (1)",
    ]);
    expect(experiment).toMatchObject({
      suite: "r",
      created_at: "2026-01-01T00:00:00.000Z",
    });
  });

  test("are the tests of the report if no side file is given", async () => {
    const { warnings, rowCount } = await readOnly({
      "r.json": report(ran("one", "id1"), ran("b")),
    });
    expect([rowCount, warnings]).toEqual([
      2,
      [`2 tests have no side file: their inputs are their names; ${NO_SIDE}`],
    ]);
  });

  test("give no warning if each test has its side file", async () => {
    const files = { "r.json": report(ran("one", "id1")), "d/id1.json": side(1) };
    expect((await readOnly(files)).warnings).toEqual([]);
    expect((await readOnly({ "d/id1.json": side(1) })).warnings).toEqual([]);
  });
});

describe("a JUnit report", () => {
  const suite = (inner: string, attributes = ""): string =>
    `<testsuites><testsuite name="s"${attributes}>${inner}</testsuite></testsuites>`;
  const rowsIn = async (text: string): Promise<Record<string, unknown>[]> =>
    bodiesOf(await readOnly({ "r.xml": text })) as Record<string, unknown>[];

  test("names a test by class and name, and its properties become the fields that they name", async () => {
    const properties = [
      ["score.tone", "0.5"],
      ["input", "q"],
      ["inputs.lang", "en"],
      ["expected", "e"],
      ["output", "o"],
      ["outputs.raw", "r"],
      ["owner", "me"],
      ["", "nobody"],
    ].map(([name, value]) => `<property name="${name!}" value="${value!}"/>`);
    expect(
      await rowsIn(
        suite(
          '<testcase classname="C" name="a" time="1,001.5">' +
            `<properties>${properties.join("")}</properties></testcase><testcase name="b"/>`,
        ),
      ),
    ).toEqual([
      {
        inputs: { input: "q", lang: "en" },
        expected_outputs: { output: "e" },
        actual_outputs: { output: "o", raw: "r" },
        evaluation_scores: [
          { key: "tone", score: 0.5 },
          { key: "pass", score: 1 },
        ],
        ...{ run_name: "C.a", run_metadata: { owner: "me" }, duration_s: 1001.5 },
      },
      {
        inputs: { test: "b", suite: "s" },
        ...{ evaluation_scores: [{ key: "pass", score: 1 }], run_name: "b" },
      },
    ]);
  });

  test.each([
    ["a suite that failed without a test", suite("<error message='x'/>"), ["x"]],
    [
      "a suite that counts failures and holds no test",
      suite("", ' failures="1"'),
      ["the suite failed and holds no test"],
    ],
    [
      "a suite that counts failures and holds a test",
      suite("<testcase name='a'/>", ' failures="1"'),
      [undefined],
    ],
    [
      "a test that failed and then broke",
      suite("<testcase name='a'><failure message='f'/><error message='e'/></testcase>"),
      ["e; before that the test failed: f"],
    ],
    [
      "a test that was interrupted",
      suite("<testcase name='a'/><testcase time='1'/>"),
      [undefined, "the run was stopped in this test"],
    ],
    ["an error without a message", suite("<testcase name='a'><error/></testcase>"), ["no message"]],
  ])("has the errors of %s", async (_, text, errors) => {
    const { experiments } = await readTexts({ "r.xml": text });
    expect(bodiesOf(experiments[0]!).map((body) => (body as { error?: string }).error)).toEqual(
      errors,
    );
  });

  test("is named after its root, unless that name is empty or pytest's own", async () => {
    const named = async (name: string): Promise<string> =>
      (
        await readOnly({
          "r.xml": `<testsuites${name}><testsuite><testcase name="a"/></testsuite></testsuites>`,
        })
      ).suite;
    expect(await named(' name="nightly"')).toBe("nightly");
    expect(await named(' name=""')).toBe("r");
    expect(await named(' name="pytest tests"')).toBe("r");
    expect(await named("")).toBe("r");
  });

  test("starts with its earliest suite, whatever their order and time zone", async () => {
    const at = (time: string): string =>
      `<testsuite timestamp="${time}"><testcase name="${time}"/></testsuite>`;
    const suites = ["2026-01-01T10:00:00Z", "2026-01-01T10:30:00+01:00", "noon"].map(at);
    const text = `<testsuites>${suites.join("")}</testsuites>`;
    expect((await readOnly({ "r.xml": text })).created_at).toBe("2026-01-01T10:30:00+01:00");
  });
});
