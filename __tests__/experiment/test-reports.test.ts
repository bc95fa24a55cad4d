import { describe, expect, test } from "@jest/globals";
import { readOne, readTexts, rowsOf } from "./read-text.ts";

interface Seen {
  readonly inputs: Record<string, unknown>;
  readonly example: string;
  readonly k: number;
  readonly error: string | undefined;
}

async function read(text: string, name = "report"): Promise<Seen[]> {
  const { experiments, problems } = await readTexts({ [name]: text });
  expect(problems).toEqual([]);
  const rows = rowsOf(experiments[0]!);
  return rows.map(({ example, k, body }) => ({
    inputs: body.inputs,
    example,
    k,
    error: body.error,
  }));
}
const count = (rows: readonly Seen[]): [rows: number, examples: number] => [
  rows.length,
  new Set(rows.map(({ example }) => example)).size,
];
const inputsOf = (rows: readonly Seen[]): unknown[] => rows.map(({ inputs }) => inputs);

/** What node:test writes of `describe('france')` and `describe('spain')` with tests of the same names. */
const NODE = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testsuite name="france" time="0.002250" disabled="0" errors="0" tests="2" failures="0" skipped="0" hostname="host">
		<testcase name="answers" time="0.000819" classname="test"/>
		<testcase name="cites" time="0.000148" classname="test"/>
	</testsuite>
	<testsuite name="spain" time="0.001017" disabled="0" errors="0" tests="2" failures="1" skipped="0" hostname="host">
		<testcase name="answers" time="0.000527" classname="test" failure="e"><failure type="testCodeFailure" message="e">e</failure></testcase>
		<testcase name="cites" time="0.000196" classname="test"/>
	</testsuite>
</testsuites>`;
const PYTEST = (cases: string): string =>
  `<testsuites name="pytest tests"><testsuite name="pytest" timestamp="2026-11-23T06:15:42.029440+00:00" hostname="host">${cases}</testsuite></testsuites>`;

describe("tests of a JUnit report", () => {
  test("in suites of different names are different tests if the class does not distinguish them", async () => {
    const rows = await read(NODE);
    expect(count(rows)).toEqual([4, 4]);
    expect(inputsOf(rows)).toEqual([
      { test: "answers", classname: "test", suite: "france" },
      { test: "cites", classname: "test", suite: "france" },
      { test: "answers", classname: "test", suite: "spain" },
      { test: "cites", classname: "test", suite: "spain" },
    ]);
    const nested = await read(
      `<testsuites><testsuite name="A"><testsuite name="france"><testcase name="answers"/></testsuite><testsuite name="spain"><testcase name="answers"><failure>x</failure></testcase></testsuite></testsuite></testsuites>`,
    );
    expect(inputsOf(nested)).toEqual([
      { test: "answers", suite: "A > france" },
      { test: "answers", suite: "A > spain" },
    ]);
  });

  test("keep the id that they have by themselves, whatever suites and files are added", async () => {
    const [alone] = await read(NODE.replace(/\t<testsuite name="spain"[\s\S]*?<\/testsuite>/, ""));
    const [beside] = await read(NODE);
    expect(beside!.example).toBe(alone!.example);
  });

  test("of one class and name in different suites are different tests too; other classes do not name a suite", async () => {
    const requests = (...names: string[]): string =>
      `<testsuites name="newman">${names.map((name) => `<testsuite name="${name}"><testcase name="Status is 200" classname="Agent"/><testcase name="only ${name}" classname="Agent"/></testsuite>`).join("")}</testsuites>`;
    const rows = await read(requests("ask", "answer"));
    expect(count(rows)).toEqual([4, 4]);
    expect(rows[0]!.inputs).toEqual({ test: "Status is 200", classname: "Agent", suite: "ask" });
    expect(rows[1]!.inputs).toEqual({ test: "only ask", classname: "Agent" });
  });

  test("are repeats if class, suite and name are the same, in one suite or in a suite for each run", async () => {
    const cases = `<testcase classname="test_a" name="test_x"/><testcase classname="test_a" name="test_x"/>`;
    expect((await read(PYTEST(cases))).map(({ k }) => k)).toEqual([0, 1]);
    const runs = (names: string[], classname: string): string =>
      `<testsuites>${names.map((name) => `<testsuite name="${name}"><testcase name="t" ${classname}/></testsuite>`).join("")}</testsuites>`;
    for (const classname of ["", 'classname="test"', 'classname="c"'])
      for (const names of [
        ["s", "s"],
        ["s run 1", "s run 2"],
        ["s (attempt 1)", "s (attempt 2)"],
        ["run-1", "run-2"],
        ["s-20261123-055134", "s-20261123-055209"],
        ["/home/a/phpunit.xml", "/srv/b/phpunit.xml"],
      ])
        expect([names, count(await read(runs(names, classname)))]).toEqual([names, [2, 1]]);
  });

  test("name their file if the report has it and the class is not named after it", async () => {
    const bun = (root: string): string =>
      `<testsuites><testsuite name="x"><testcase name="answers" classname="agent" file="${root}/france.test.ts"/><testcase name="answers" classname="agent" file="${root}/spain.test.ts"/></testsuite></testsuites>`;
    const rows = await read(bun("/ci/work/a/a"));
    expect(count(rows)).toEqual([2, 2]);
    expect(rows[0]!.inputs).toEqual({
      test: "answers",
      classname: "agent",
      file: "france.test.ts",
    });
    expect(await read(bun("tests"))).toEqual(rows);
    const after = await read(
      `<testsuites><testsuite name="s"><testcase name="a" classname="tests.test_a.TestX" file="tests/test_a.py"/><testcase name="b" classname="App\\FooTest" file="/srv/tests/FooTest.php"/><testcase name="c" classname="france.test.ts" file="/srv/france.test.ts"/></testsuite></testsuites>`,
    );
    expect(after.map(({ inputs }) => Object.keys(inputs))).toEqual(
      Array.from({ length: 3 }, () => ["test", "classname"]),
    );
    const alike = await read(
      `<testsuites><testsuite name="x"><testcase name="answers" classname="agent" file="/r/a/agent.test.ts"/><testcase name="answers" classname="agent" file="/r/b/agent.test.ts"/></testsuite></testsuites>`,
    );
    expect(alike.map(({ inputs }) => inputs["file"])).toEqual([
      "a/agent.test.ts",
      "b/agent.test.ts",
    ]);
  });

  test("of pytest keep what only the first of their two entries says", async () => {
    const { rows } = await readOne(
      PYTEST(
        `<testcase classname="t" name="x"><properties><property name="score.m" value="0.5"/></properties><failure message="assert 0"/></testcase><testcase classname="t" name="x"><error message="failed on teardown with E"/></testcase>`,
      ),
    );
    expect(rows.map(({ evaluation_scores: scores, error }) => [scores, error])).toEqual([
      [
        [{ key: "m", score: 0.5 }],
        expect.stringMatching(/^failed on teardown with E; before that/),
      ],
    ]);
  });

  test("of pytest are one row each: a failure whose teardown also broke is an error with both messages", async () => {
    const rows = await read(
      PYTEST(
        `<testcase classname="test_a" name="test_x" time="0.001"><failure message="assert 0">td = None</failure></testcase><testcase classname="test_a" name="test_x" time="0.002"><properties><property name="score.m" value="0.5"/></properties><error message="failed on teardown with &quot;RuntimeError: td&quot;">E RuntimeError: td</error></testcase><testcase classname="test_a" name="test_y" time="0.001" />`,
      ),
    );
    expect(count(rows)).toEqual([2, 2]);
    expect(rows[0]!.error).toBe(
      'failed on teardown with "RuntimeError: td"; before that the test failed: assert 0',
    );
    expect(rows[1]!.error).toBeUndefined();
  });

  test("that pytest ran again after a failure count by their last attempt", async () => {
    const attempt = (n: number, outcome = ""): string =>
      `<testcase classname="c" name="t"><properties>${`<property name="score.m" value="0"/>`.repeat(n - 1)}<property name="score.m" value="${n - 1}"/></properties>${outcome}</testcase>`;
    const reruns = (count: number, cases: string): string =>
      PYTEST(cases).replace('name="pytest" ', `name="pytest" tests="${count}" `);
    const other = `<testcase classname="c" name="u"/>`;
    const failed = await readOne(
      reruns(
        2,
        `${attempt(1)}${other}${attempt(1)}<testcase classname="c" name="t"><failure message="assert 0"/></testcase>`,
      ),
    );
    expect([failed.experiment.rowCount, failed.experiment.scores["pass"]?.mean]).toEqual([2, 0.5]);
    expect(failed.experiment.warnings.join()).toContain(
      "failed attempts that pytest ran again (the last one counts): 2",
    );
    const passed = await readOne(reruns(1, attempt(1) + attempt(2)));
    expect(passed.rows[0]!.evaluation_scores).toMatchObject([
      { key: "m", score: 1 },
      { key: "pass", score: 1 },
    ]);
    const skipped = await readOne(reruns(2, `${attempt(1)}${attempt(1, "<skipped/>")}${other}`));
    expect(skipped.experiment.rowCount).toBe(1);
  });

  test("that a failed suite never ran are represented by an error in its place", async () => {
    const rows = await read(
      `<testsuites><testsuite name="a" tests="1" errors="0"><testcase classname="c" name="t"/></testsuite><testsuite name="b" tests="0" errors="1"><error message="beforeAll threw"/></testsuite><testsuite name="c" tests="0" failures="1"/><testsuite name="d" tests="0" errors="0"/></testsuites>`,
    );
    expect(rows.map(({ inputs, error }) => [inputs["test"], error])).toEqual([
      ["t", undefined],
      ["b", "beforeAll threw"],
      ["c", "the suite failed and holds no test"],
    ]);
  });

  test("that failed in one run and broke in another are two runs", async () => {
    const rows = await read(
      PYTEST(
        `<testcase classname="c" name="t"><failure message="assert 0"/></testcase><testcase classname="c" name="t"><error message="failed on setup with &quot;E&quot;"/></testcase><testcase classname="c" name="t"><error message="failed on teardown with &quot;E&quot;"/></testcase>`,
      ),
    );
    expect(rows.map(({ k }) => k)).toEqual([0, 1, 2]);
  });
});

/** What vitest and jest write of `describe('agent') it('answers')` in each of some files. */
const report = (...files: string[]): string =>
  JSON.stringify({
    numTotalTests: files.length,
    startTime: 1_795_414_473_070,
    testResults: files.map((name) => ({
      name,
      status: "passed",
      message: "",
      assertionResults: [
        {
          ancestorTitles: ["agent"],
          fullName: "agent answers",
          status: "passed",
          title: "answers",
        },
      ],
    })),
  });

const STOPPED = /^the run was stopped in the middle of a test/;

describe("a JUnit report", () => {
  test("of a pytest run that was stopped in a test has an error for that test, and is incomplete", async () => {
    for (const name of ["pytest", "a name that somebody chose"]) {
      const { experiment, rows } = await readOne(
        `<testsuites name="pytest tests"><testsuite name="${name}" errors="0" failures="0" skipped="0" tests="1"><testcase classname="test_a" name="test_ok" time="0.001" /><testcase time="0.000" /></testsuite></testsuites>`,
      );
      expect([experiment.rowCount, experiment.errorCount, experiment.state]).toEqual([
        2,
        1,
        "incomplete",
      ]);
      expect(experiment.scores["pass"]?.n).toBe(1);
      expect(rows[1]!.error).toBe("the run was stopped in this test");
      expect(experiment.warnings.filter((line) => STOPPED.test(line))).toHaveLength(1);
    }
    const whole = await readOne(
      '<testsuite name="pytest" tests="1"><testcase name="test_ok" time="0.001"/></testsuite>',
    );
    expect(whole.experiment.state).toBe("complete");
  });

  test("does not skip a test that failed or broke, except one that Catch2 lets fail", async () => {
    const { experiment } = await readOne(
      `<testsuite name="s">
<testcase name="skipped, then the teardown broke"><skipped type="pytest.skip" message="no data"/><error message="failed on teardown with x"/></testcase>
<testcase name="failed, then skipped"><failure message="x"/><skipped/></testcase>
<testcase name="may fail"><skipped message="TEST_CASE tagged with !mayfail"/><failure message="a == b" type="CHECK"/></testcase>
<testcase name="skipped"><skipped/></testcase><testcase name="passed"/></testsuite>`,
    );
    expect([experiment.rowCount, experiment.errorCount]).toEqual([3, 1]);
    expect(experiment.scores["pass"]).toMatchObject({ n: 2, mean: 0.5 });
    expect(experiment.warnings.join()).toContain("2 skipped tests are not rows");
  });
});

describe("tests of a runner's JSON report", () => {
  test("of the same name in two files are two tests", async () => {
    const rows = await read(report("/tmp/r/france.test.ts", "/tmp/r/spain.test.ts"));
    expect(inputsOf(rows)).toEqual([
      { test: "answers", suite: "agent", file: "france.test.ts" },
      { test: "answers", suite: "agent", file: "spain.test.ts" },
    ]);
    expect(count(rows)).toEqual([2, 2]);
  });

  test("have the same id on every machine and in every folder, by themselves and with others", async () => {
    const [alone] = await read(report("/ci/work/agent/agent/evals/france.test.ts"));
    for (const root of ["/app/evals/", "C:\\a\\agent\\", "", "./evals/"]) {
      const rows = await read(report(`${root}spain.test.ts`, `${root}france.test.ts`));
      expect(rows[1]!.example).toBe(alone!.example);
    }
  });

  test("in files of the same name are distinguished by folders, and only those are", async () => {
    const files = ["a/evals/index.test.ts", "b/evals/index.test.ts", "b/evals/other.test.ts"];
    const of = async (root: string): Promise<unknown[]> =>
      (await read(report(...files.map((file) => root + file)))).map(({ inputs }) => inputs["file"]);
    expect(await of("/ci/work/r/r/")).toEqual([files[0], files[1], "other.test.ts"]);
    expect(await of("")).toEqual(await of("D:\\r\\"));
  });

  test("are repeats if the same file ran several times", async () => {
    const rows = await read(report("/r/a.test.ts", "/r/a.test.ts"));
    expect(rows.map(({ k }) => k)).toEqual([0, 1]);
  });

  test("of mocha name their file too", async () => {
    const tests = ["/r/france.spec.js", "/r/spain.spec.js"].map((file) => ({
      title: "answers",
      fullTitle: "agent answers",
      file,
      err: {},
    }));
    const rows = await read(
      JSON.stringify({ stats: { passes: 2 }, tests, pending: [], failures: [], passes: [] }),
    );
    expect(count(rows)).toEqual([2, 2]);
  });

  test("of mocha whose hook failed without a message are errors, and no row passes for it", async () => {
    const title = '"before all" hook';
    const report = {
      stats: { passes: 1 },
      tests: [{ title: "answers", fullTitle: "agent answers", err: {} }],
      pending: [],
      failures: [{ title, fullTitle: `agent ${title}`, err: {} }],
      passes: [],
    };
    const { rows } = await readOne(JSON.stringify(report));
    expect(rows.map(({ error, evaluation_scores: scores }) => [error, scores])).toEqual([
      [undefined, [{ key: "pass", score: 1 }]],
      ["the test never ran", undefined],
    ]);
  });

  test("of LangSmith without a side file name their describe and file", async () => {
    const text = report("/r/france.test.ts", "/r/spain.test.ts").replaceAll(
      '"title":"answers"',
      '"title":"answers, test_id=0123456789abc"',
    );
    expect(count(await read(text))).toEqual([2, 2]);
  });
});

test("tests of a CTRF report name their file unless a suite is named after it", async () => {
  const tests = [
    ["agent", "/r/france.test.ts"],
    ["agent", "/r/spain.test.ts"],
    ["spain.test.ts > agent", "/r/spain.test.ts"],
  ].map(([suite, filePath]) => ({
    name: "answers",
    status: "passed",
    duration: 1,
    suite,
    filePath,
  }));
  const rows = await read(
    JSON.stringify({ results: { tool: { name: "jest" }, summary: { tests: 3 }, tests } }),
  );
  expect(inputsOf(rows)).toEqual([
    { test: "answers", suite: "agent", file: "france.test.ts" },
    { test: "answers", suite: "agent", file: "spain.test.ts" },
    { test: "answers", suite: "spain.test.ts > agent" },
  ]);
});

test("tests of a CTRF report pass, fail or crash, with their message", async () => {
  const tests = [
    { name: "a", status: "passed", start: 1_767_225_600_000, duration: 1_500 },
    { name: "b", status: "failed", message: "no" },
    { name: "c", status: "other", trace: "at line 3" },
    { name: "d", status: "other" },
  ].map((one) => ({ duration: 1, ...one }));
  const report = { results: { tool: { name: "jest" }, summary: { tests: 4 }, tests } };
  const { rows } = await readOne(JSON.stringify(report));
  expect(rows[0]).toMatchObject({
    start_time: "2026-01-01T00:00:00.000Z",
    end_time: "2026-01-01T00:00:01.500Z",
  });
  expect(rows.map(({ evaluation_scores, error }) => [evaluation_scores, error])).toEqual([
    [[{ key: "pass", score: 1 }], undefined],
    [[{ key: "pass", score: 0, comment: "no" }], undefined],
    [undefined, "at line 3"],
    [undefined, "the test ended as other"],
  ]);
});

test("tests of a CTRF report in files of the same name are distinguished by folders", async () => {
  const tests = ["/r/a/index.test.ts", "/r/b/index.test.ts", "/r/b/other.test.ts"].map(
    (filePath) => ({ name: "answers", status: "passed", duration: 1, suite: "agent", filePath }),
  );
  const report = { results: { tool: { name: "jest" }, summary: { tests: 3 }, tests } };
  const rows = await read(JSON.stringify(report));
  expect(count(rows)).toEqual([3, 3]);
  expect(rows.map(({ inputs }) => inputs["file"])).toEqual([
    "a/index.test.ts",
    "b/index.test.ts",
    "other.test.ts",
  ]);
});
