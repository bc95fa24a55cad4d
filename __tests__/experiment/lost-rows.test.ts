import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";
import { problemsOf, readTexts } from "./read-text.ts";

/** A file with one row less than it counts itself, by format; `whole` holds all of them. */
const FOLDER = join(repositoryRoot, "__tests__/experiment/producers/files");
const COUNTING: readonly (readonly [format: string, file: string, list: string])[] = [
  ["vitest", "vitest-3.2.4/a/report.json", "testResults.0.assertionResults"],
  ["vitest", "jest-30/a/report.json", "testResults.0.assertionResults"],
  ["vitest", "mocha-11-json/a/report.json", "tests"],
  ["vitest-evals", "vitest-evals-0.16/a/report.json", "testResults.0.assertionResults"],
  ["langsmith", "langsmith-vitest-0.12/a/report.json", "testResults.0.assertionResults"],
  ["ctrf", "jest-ctrf-0.0.11/a/ctrf.json", "results.tests"],
  ["deepeval", "deepeval-4.3/a/test_run.json", "testCases"],
  ["deepeval", "deepeval-4.3-chat/a/test_run.json", "conversationalTestCases"],
  ["tau-bench", "tau2-bench/a/results.json", "simulations"],
];
const LOST = /^the file holds (\d+) of the (\d+) .* that it counts itself/;

type Counted = { readonly state: string; readonly told: string[] };

async function countedIn(text: string, name = "results"): Promise<Counted[]> {
  const { experiments, problems } = await readTexts({ [name]: text });
  expect(problems).toEqual([]);
  return experiments.map(({ state, warnings }) => ({
    state,
    told: warnings.filter((line) => LOST.test(line)),
  }));
}

/** The text of a file after a change to one of its lists. */
function changed(file: string, path: string, change: (list: unknown[]) => void): string {
  const document: unknown = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  const list = path
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  change(list as unknown[]);
  return JSON.stringify(document);
}

const isFailed = (row: unknown): boolean =>
  /"(?:status":"failed|success":false|reward":0|err":\{"message)/.test(JSON.stringify(row));

describe("a file that holds fewer rows than it counts", () => {
  test.each(COUNTING)("%s: %s", async (_, file, list) => {
    const drop = (rows: unknown[]): void =>
      void rows.splice(Math.max(0, rows.findIndex(isFailed)), 1);
    expect(await countedIn(changed(file, list, () => undefined))).toEqual([
      { state: "complete", told: [] },
    ]);
    const [{ state, told }] = (await countedIn(changed(file, list, drop))) as [Counted];
    expect(state).toBe("incomplete");
    const [, held, all] = LOST.exec(told.join())!;
    expect(Number(all) - Number(held)).toBe(1);
  });

  const promptfoo = (rows: number, stats: object): string =>
    JSON.stringify({
      evalId: "e",
      results: {
        version: 3,
        stats,
        prompts: [],
        results: Array.from({ length: rows }, (_, n) => ({
          vars: { q: n },
          success: true,
          score: 1,
          gradingResult: { pass: true, score: 1 },
          provider: { id: "p" },
          promptIdx: n % 2,
          prompt: { label: "l" },
        })),
      },
    });

  test("promptfoo: successes, failures and errors are added up, for every provider and prompt", async () => {
    expect(await countedIn(promptfoo(4, { successes: 4, failures: 1, errors: 1 }))).toEqual(
      Array.from({ length: 2 }, () => ({
        state: "incomplete",
        told: [
          "the file holds 4 of the 6 results that it counts itself: the others are in no score, and it makes no baseline unless you accept it",
        ],
      })),
    );
    for (const stats of [{ successes: 4, failures: 0 }, { successes: 1 }, {}, { successes: "9" }])
      expect((await countedIn(promptfoo(4, stats))).map(({ state }) => state)).toEqual([
        "complete",
        "complete",
      ]);
  });

  test("promptfoo: the Node API's summary is checked as well", async () => {
    const { results } = JSON.parse(promptfoo(3, { successes: 3, failures: 2, errors: 0 })) as {
      results: object;
    };
    expect((await countedIn(JSON.stringify(results)))[0]?.state).toBe("incomplete");
  });

  test.each([
    ["a suite", '<testsuite name="s" tests="3" failures="1"><testcase name="a"/></testsuite>', 2],
    [
      "the root",
      '<testsuites tests="3"><testsuite name="s"><testcase name="a"/></testsuite></testsuites>',
      2,
    ],
    [
      "a suite and the suite inside it",
      '<testsuites tests="4"><testsuite name="o" tests="4"><testsuite name="i" tests="3"><testcase name="a"/></testsuite><testcase name="b"/></testsuite></testsuites>',
      2,
    ],
    [
      "a suite with skipped tests that are listed",
      '<testsuite name="s" tests="4" skipped="1"><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>',
      2,
    ],
  ])("JUnit: a report is incomplete if more tests are counted by %s", async (_, xml, lost) => {
    const [{ state, told }] = (await countedIn(xml, "report.xml")) as [Counted];
    expect(state).toBe("incomplete");
    const [, held, all] = LOST.exec(told.join())!;
    expect(Number(all) - Number(held)).toBe(lost);
  });

  test.each([
    [
      "skipped tests that are counted and not listed",
      '<testsuite name="s" tests="3" skipped="2"><testcase name="a"/></testsuite>',
    ],
    [
      "skipped tests that are listed and not counted",
      '<testsuite name="s" tests="1" skipped="1"><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>',
    ],
    [
      "attempts in a test",
      '<testsuite name="s" tests="2"><testcase name="a"><flakyFailure message="m"/></testcase></testsuite>',
    ],
    [
      "subtests, which pytest counts one by one",
      '<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" tests="4"><testcase classname="c" name="a"/></testsuite></testsuites>',
    ],
    ["a suite that failed without a test", '<testsuite name="s" tests="1" errors="1"/>'],
    [
      "a count that is not a number",
      '<testsuite name="s" tests="many"><testcase name="a"/></testsuite>',
    ],
  ])("JUnit: a report is complete despite %s", async (_, xml) => {
    expect(await countedIn(xml, "report.xml")).toEqual([{ state: "complete", told: [] }]);
  });

  test("CTRF: a report is complete if it counts skipped tests and leaves them out", async () => {
    const report = (summary: object): string =>
      JSON.stringify({
        results: {
          tool: { name: "t" },
          summary,
          tests: [{ name: "a", status: "passed", duration: 1 }],
        },
      });
    expect((await countedIn(report({ tests: 3, pending: 1, skipped: 1 })))[0]?.state).toBe(
      "complete",
    );
    expect((await countedIn(report({ tests: 3, pending: 1, skipped: 0 })))[0]?.state).toBe(
      "incomplete",
    );
  });

  test("OpenAI Evals: the file is reported to be one page of several", async () => {
    const { experiments } = await readTexts({
      results: changed("openai-evals-api/a/items.json", "data", () => undefined).replace(
        '"has_more":false',
        '"has_more":true',
      ),
    });
    expect(experiments[0]?.state).toBe("incomplete");
    expect(experiments[0]?.warnings.join()).toContain("one page of several");
  });
});

test("JUnit: suites of Catch2 and doctest count assertions, and are complete with fewer tests", async () => {
  const counted = (suite: string, around = "<testsuites>"): string =>
    `${around}<testsuite name="s" errors="0" failures="0" tests="98" ${suite}><testcase classname="s.global" name="a" status="run"/><testcase classname="s.global" name="b" status="run"/></testsuite></testsuites>`;
  const states = async (text: string): Promise<unknown[]> =>
    (await countedIn(text)).map(({ state, told }) => [state, told.length]);
  for (const suite of ['hostname="tbd"', 'doctest_version="2.4.12"'])
    for (const around of ["<testsuites>", '<testsuites tests="98">'])
      expect(await states(counted(suite, around))).toEqual([["complete", 0]]);
  expect(await states(counted('hostname="ci"'))).toEqual([["incomplete", 1]]);
  expect(await states(counted('hostname="tbd"', '<testsuites tests="99">'))).toEqual([
    ["incomplete", 1],
  ]);
});

describe("a file that was cut off by a kill", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .map((name) => join(FOLDER, name))
    .filter((path) => /\/a\/[^/]+\.(?:json|jsonl|xml|eval)$/.test(path) && statSync(path).isFile());

  test.each(files.map((path) => [path.slice(FOLDER.length + 1), path]))(
    "%s: is an error if it ends in the middle of a row",
    async (name, path) => {
      const bytes = readFileSync(path);
      const half = Math.floor(bytes.length * 0.6);
      // Inside a row, and not just after one.
      const end = bytes.subarray(0, half).lastIndexOf('"');
      expect(await problemsOf(bytes.subarray(0, end), { name })).toHaveLength(1);
    },
  );

  test("CSV: is an error if it ends in the middle of a line, but not after a short line", async () => {
    const cut = "inputs.q,feedback.m,feedback.n\na,1,1\nb,0";
    expect(await problemsOf(cut, { name: "r.csv" })).toEqual([
      expect.stringContaining("the last line ends after 2 of 3 cells, without a line break"),
    ]);
    for (const whole of [`${cut}\n`, `${cut}\r\n`, `${cut},`, `${cut},1`])
      expect(await problemsOf(whole, { name: "r.csv" })).toEqual([]);
  });
});
