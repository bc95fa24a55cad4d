import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { usageOf } from "../input/usage.ts";
import type { Format, Head } from "./format.ts";
import { documentOf } from "./records.ts";
import { listAt, numberAt, secondsAt } from "./pick.ts";
import { hasKeys } from "./recipe.ts";
import { rerunByTitle } from "./rerun.ts";
import { openTests, type ReportedTest, type TestReport } from "./tests.ts";
import { createKnown, unreadOf } from "./unread.ts";

const textsAt = (value: unknown, key: string): string[] =>
  listAt(value, key).filter((text): text is string => typeof text === "string");
const COLOURS = /\u001b\[[0-9;]*m/g;

function firstLine(text: string): string {
  const lines = text.replace(COLOURS, "").split("\n");
  return (lines.find((line) => line.trim() !== "") ?? "").trim();
}

/** Tests of a vitest, jest or mocha report. */
export const readReport = (report: unknown): TestReport =>
  isMocha(report) ? mochaTests(report) : suiteTests(report);

const isMocha = (report: unknown): boolean =>
  own(report, "testResults") === undefined && Array.isArray(own(report, "tests"));

function suiteTests(report: unknown): TestReport {
  const tests: ReportedTest[] = [];
  const pending: ReportedTest[] = [];
  const suites = listAt(report, "testResults");
  // Only Jest counts files that it could not run.
  const runner = own(report, "numRuntimeErrorTestSuites") === undefined ? "vitest" : "jest";
  for (const suite of suites) {
    const at: Place = {
      runner,
      file: ownString(suite, "name"),
      startedMs: numberAt(suite, "startTime") ?? numberAt(report, "startTime"),
    };
    const found = listAt(suite, "assertionResults");
    for (const test of found) {
      const status = own(test, "status");
      const read = toTest(test, at);
      if (status === "passed" || status === "failed") tests.push(read);
      else pending.push(read);
    }
    const failed = own(suite, "status") === "failed";
    if (failed && !found.some((test) => own(test, "status") === "failed"))
      tests.push(lostFile(suite, at));
  }
  const lost = lostTests(report, tests, pending);
  // A file that failed as a whole is a row here, but no test of the runner.
  const held = suites.flatMap((suite) => listAt(suite, "assertionResults")).length;
  const counted = {
    what: "tests",
    all: own(report, "numTotalTests"),
    notRun: [own(report, "numPendingTests"), own(report, "numTodoTests")],
    held: { all: held, run: held - pending.length },
  };
  return {
    tests: [...tests, ...lost],
    skipped: pending.length - lost.length,
    started_at: own(report, "startTime"),
    counted: [counted],
    warnings:
      lost.length === 0 ? [] : [`${lost.length} tests never ran: the describe around them failed`],
  };
}

interface Place {
  readonly runner: "vitest" | "jest";
  readonly file: string | undefined;
  readonly startedMs: number | undefined;
}

function toTest(test: unknown, { runner, file, startedMs }: Place): ReportedTest {
  const title = ownString(test, "title") ?? ownString(test, "fullName") ?? "";
  const [, plain = title, run, id] =
    /^(.*?)(?:, run (\d+))?(?:, test_id=([0-9a-z-]+))?$/is.exec(title) ?? [];
  const suites = textsAt(test, "ancestorTitles").filter((name) => name !== "");
  const failure = textsAt(test, "failureMessages")[0];
  const meta = own(test, "meta");
  return {
    ...{ name: plain, id, meta, file },
    suites,
    passed: own(test, "status") === "passed",
    reason: failure === undefined ? undefined : firstLine(failure),
    row: {
      // LangSmith gives a test another title in each run.
      rerun: plain === title ? rerunByTitle(runner, [...suites, title].join(" "), file) : undefined,
      run_name: plain,
      repeat: run === undefined ? undefined : Number(run),
      start_time: numberAt(test, "startTime") ?? startedMs,
      duration_s: secondsAt(test, "duration"),
      unread: unreadOf({ meta }),
    },
  };
}

/**
 * A file that failed without a failed test: it could not be loaded, or one of its hooks failed,
 * and its tests are not in the report.
 */
function lostFile(suite: unknown, { file, startedMs }: Place): ReportedTest {
  const name = (file ?? "").split(/[\\/]/).at(-1) ?? "";
  const crash = firstLine(ownString(suite, "message") ?? "") || "the test file failed";
  return {
    ...{ name, file, crash },
    suites: [],
    passed: false,
    row: { run_name: name, start_time: startedMs },
  };
}

/**
 * vitest reports tests as skipped if their `beforeAll` failed. It counts failed describes: those
 * that failed tests do not explain are describes in which nothing ran.
 */
function lostTests(
  report: unknown,
  tests: readonly ReportedTest[],
  pending: readonly ReportedTest[],
): ReportedTest[] {
  const failed = numberAt(report, "numFailedTestSuites");
  if (failed === undefined || pending.length === 0) return [];
  const groups = (list: readonly ReportedTest[]): Set<string> =>
    new Set(
      list.flatMap(({ suites }) =>
        suites.map((_, depth) => JSON.stringify(suites.slice(0, depth + 1))),
      ),
    );
  const failedFiles = listAt(report, "testResults").filter(
    (suite) => own(suite, "status") === "failed",
  ).length;
  const explained = failedFiles + groups(tests.filter(({ passed }) => !passed)).size;
  const ran = groups(tests);
  const silent = [...groups(pending)].filter((group) => !ran.has(group));
  if (failed <= explained || silent.length === 0 || silent.length > failed - explained) return [];
  return pending
    .filter(({ suites }) => silent.includes(JSON.stringify(suites)))
    .map((test) => ({ ...test, crash: "its describe failed before it ran" }));
}

/** mocha: `tests` has all, `pending` those not run; a failed hook is only in `failures`. */
function mochaTests(report: unknown): TestReport {
  const titleOf = (test: unknown): string | undefined => ownString(test, "fullTitle");
  const pending = new Set(listAt(report, "pending").map(titleOf));
  const startedMs = Date.parse(String(ownAt(report, "stats", "start") ?? ""));
  const all = listAt(report, "tests");
  const known = new Set(all.map(titleOf));
  const hooks = listAt(report, "failures").filter((test) => !known.has(titleOf(test)));
  const toReported = (test: unknown, isLost: boolean): ReportedTest => {
    const failure = ownString(own(test, "err"), "message") ?? ownString(own(test, "err"), "stack");
    const reason = failure === undefined ? undefined : firstLine(failure);
    const name = ownString(test, "title") ?? "";
    const full = titleOf(test) ?? name;
    const around = full.endsWith(name) ? full.slice(0, full.length - name.length).trim() : "";
    return {
      ...{ name, reason },
      suites: around === "" ? [] : [around],
      file: ownString(test, "file"),
      passed: failure === undefined,
      crash: isLost ? (reason ?? "the test never ran") : undefined,
      row: {
        rerun: isLost ? undefined : rerunByTitle("mocha", full),
        run_name: name,
        start_time: Number.isNaN(startedMs) ? undefined : startedMs,
        duration_s: secondsAt(test, "duration"),
      },
    };
  };
  const run = all.filter((test) => !pending.has(titleOf(test)));
  const counted = {
    what: "tests",
    all: ownAt(report, "stats", "tests"),
    notRun: [ownAt(report, "stats", "pending")],
    held: { all: all.length, run: run.length },
  };
  return {
    tests: [
      ...run.map((test) => toReported(test, false)),
      ...hooks.map((test) => toReported(test, true)),
    ],
    skipped: all.length - run.length,
    started_at: ownAt(report, "stats", "start"),
    counted: [counted],
  };
}

/** Whether a file is a runner's report, whatever else wrote into it. */
export function isReport(head: Head): boolean {
  if (head.container !== "json" || head.rootIsArray) return false;
  return (
    hasKeys(head, ["testResults", "numTotalTests"]) ||
    hasKeys(head, ["stats", "tests", "stats.passes"])
  );
}

/** JSON reports of vitest, jest and mocha. */
export const testReportFormat: Format = {
  name: "vitest",
  title: "vitest / jest / mocha test report (JSON)",
  detect: isReport,
  open: (head) => openTests(head, async () => readReport(documentOf(head))),
};

/** What vitest-evals stores with a test, as far as it is read or is no score. */
const isKnownOfEvals = createKnown([
  ...["output", "input", "toolCalls", "avgScore", "thresholdFailed", "threshold"].map(
    (name) => `meta.eval.${name}`,
  ),
  ...["name", "score", "metadata.rationale", "metadata.output"].map(
    (name) => `meta.eval.scores.${name}`,
  ),
  "meta.harness.name",
  ...["input", "output", "usage", "session", "errors", "artifacts", "timings"].map(
    (name) => `meta.harness.run.${name}`,
  ),
]);

/** The test with what vitest-evals stores of its harness run: input, output, cost and scores. */
function withEval(test: ReportedTest): ReportedTest {
  const { meta } = test;
  const run = ownAt(meta, "harness", "run");
  // Up to 0.15 `messages`; since 0.16 `events`, including tool calls.
  const turns = [...listAt(run, "session", "messages"), ...listAt(run, "session", "events")];
  const user = turns.find((turn) => own(turn, "role") === "user");
  const output = own(run, "output") ?? ownAt(meta, "eval", "output");
  const usage = own(run, "usage");
  const scores = listAt(meta, "eval", "scores").map((score, n) => ({
    key: ownString(score, "name") ?? `score#${n + 1}`,
    score: own(score, "score"),
    comment: ownAt(score, "metadata", "rationale"),
  }));
  const crashed = !test.passed && scores.length === 0 && listAt(run, "errors").length > 0;
  return {
    ...test,
    input: own(run, "input") ?? own(user, "content"),
    scores,
    crash: crashed ? (test.reason ?? "the harness failed") : test.crash,
    row: {
      ...test.row,
      ...(output == null ? {} : { actual_outputs: { output } }),
      usage: usageOf(usage),
      ...(isObject(usage) ? { run_metadata: { usage } } : {}),
      unread: unreadOf({ meta }, isKnownOfEvals),
    },
  };
}

/** vitest-evals: its judges' results are in `meta` of vitest's own report. */
export const vitestEvalsFormat: Format = {
  name: "vitest-evals",
  title: "vitest-evals (vitest JSON report)",
  detect: (head) => isReport(head) && /"meta"\s*:\s*\{\s*"(?:eval|harness)"\s*:/.test(head.text),
  open: (head) =>
    openTests(head, async () => {
      const report = readReport(documentOf(head));
      return { ...report, tests: report.tests.map(withEval) };
    }),
};
