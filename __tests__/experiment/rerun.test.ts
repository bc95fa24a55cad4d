import { expect, test } from "@jest/globals";
import { readTexts } from "./read-text.ts";

/** The commands that run the tests of a report again, in the order of its tests. */
async function commandsOf(name: string, text: string): Promise<readonly (string | undefined)[]> {
  const { experiments } = await readTexts({ [name]: text });
  const { table } = experiments[0]!.gathered![0]!;
  return Array.from({ length: table.size }, (_, row) => table.preview(row).rerun);
}

const junit = (suite: string, classname: string, name: string): string =>
  `<testsuites><testsuite name="${suite}"><testcase classname="${classname}" name="${name}"/></testsuite></testsuites>`;

test.each([
  ["tests.test_a", "test_one", "pytest tests/test_a.py::test_one"],
  ["test_a", "test_one[q1-answer 1.]", "pytest 'test_a.py::test_one[q1-answer 1.]'"],
  ["tests.test_a.TestB.TestC", "test_d", "pytest tests/test_a.py::TestB::TestC::test_d"],
  ["tests.test_a", "test_it[it's]", `pytest 'tests/test_a.py::test_it[it'\\''s]'`],
  ["tests.test_a", "test[$(rm -rf .)]", "pytest 'tests/test_a.py::test[$(rm -rf .)]'"],
  ["", "tests.test_a", undefined],
  ["-rf", "test_one", undefined],
  ["tests.test_a", "test[&#x202e;]", undefined],
])(
  "the command that runs a pytest test again names its node id: class %s, name %s",
  async (classname, name, command) => {
    expect(await commandsOf("report.xml", junit("pytest", classname, name))).toEqual([command]);
  },
);

test("the command that runs a test again has up to 300 characters", async () => {
  const named = (chars: number): string => junit("pytest", "tests.test_a", "x".repeat(chars));
  const longest = `pytest tests/test_a.py::${"x".repeat(276)}`;
  expect(await commandsOf("report.xml", named(276))).toEqual([longest]);
  expect(await commandsOf("report.xml", named(277))).toEqual([undefined]);
});

test("another runner's JUnit report gives no command that runs a test again", async () => {
  expect(await commandsOf("report.xml", junit("surefire", "com.acme.ATest", "one"))).toEqual([
    undefined,
  ]);
});

const report = (name: string, titles: readonly string[], more: object = {}): string =>
  JSON.stringify({
    numTotalTests: 1,
    ...more,
    testResults: [
      {
        name,
        status: "passed",
        assertionResults: [
          { ancestorTitles: titles.slice(0, -1), title: titles.at(-1), status: "passed" },
        ],
      },
    ],
  });
const OF_JEST = { numRuntimeErrorTestSuites: 0 };

test.each([
  [
    report("/home/runner/x/evals/a.eval.ts", ["capitals", "EU (27)", "answers q1"]),
    String.raw`npx vitest run a.eval.ts -t '^capitals EU \(27\) answers q1$'`,
  ],
  [report("C:\\x\\a.test.ts", ["one"], OF_JEST), "npx jest a.test.ts -t '^one$'"],
  [report("/x/a b.test.ts", ["one"], OF_JEST), "npx jest 'a b.test.ts' -t '^one$'"],
  [report("/x/--config=evil.test.ts", ["one"], OF_JEST), undefined],
  // LangSmith's titles differ in each run.
  [report("/x/a.eval.ts", ["one, run 0, test_id=4f0c"]), undefined],
  [
    JSON.stringify({
      stats: { passes: 1, tests: 1 },
      tests: [{ title: "one", fullTitle: "all one", file: "/x/a.spec.js", err: {} }],
    }),
    "npx mocha -g '^all one$'",
  ],
])(
  "the command that runs a test of vitest, Jest or mocha again names its full title (%#)",
  async (text, command) => {
    expect(await commandsOf("report.json", text)).toEqual([command]);
  },
);
