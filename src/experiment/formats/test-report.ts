import { own, ownAt, ownString } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { Counted, ReadRow } from "../input/row.ts";
import { usageOf } from "../input/usage.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { documentOf } from "./objects.ts";
import { listAt, numberAt } from "./pick.ts";
import { hasKeys } from "./recipe.ts";
import { outcomeOf, type PlacedTest, testInputs } from "./tests.ts";
import { createKnown, unreadOf } from "./unread.ts";

/** One test of a runner's JSON report. */
export interface ReportedTest extends PlacedTest {
  /** Joins it to LangSmith's side file. */
  readonly id?: string | undefined;
  readonly repeat?: number | undefined;
  readonly passed: boolean;
  readonly failure: string | undefined;
  /** It never ran: its file or describe failed before. */
  readonly lost?: boolean;
  readonly durationMs?: number | undefined;
  readonly startedMs: number | undefined;
  /** What vitest-evals stores with a test. */
  readonly meta?: unknown;
}

/** All tests of a report, and how many were skipped. */
export interface ReportedTests {
  readonly tests: readonly ReportedTest[];
  readonly skipped: number;
  readonly started: unknown;
  readonly counted: Counted;
  readonly warnings: readonly string[];
}

const textsAt = (value: unknown, key: string): string[] =>
  listAt(value, key).filter((text): text is string => typeof text === "string");
const COLOURS = /\u001b\[[0-9;]*m/g;

/** The first meaningful line of a failure. */
function firstLine(text: string): string {
  const lines = text.replace(COLOURS, "").split("\n");
  return (lines.find((line) => line.trim() !== "") ?? "").trim();
}

/** A test as a row: what it is called, and whether it passed. */
export interface TestRow {
  readonly test: ReportedTest;
  readonly row: Omit<ReadRow, "place">;
}

/** Tests of a vitest, jest or mocha report, with their rows. */
export function readReport(report: unknown): Omit<ReportedTests, "tests"> & {
  readonly rows: readonly TestRow[];
} {
  const { tests, ...facts } = isMocha(report) ? mochaTests(report) : suiteTests(report);
  const inputs = testInputs(tests, () => []);
  return { ...facts, rows: tests.map((test, n) => ({ test, row: toRow(test, inputs[n]!) })) };
}

function toRow(test: ReportedTest, inputs: ReadRow["inputs"]): TestRow["row"] {
  return {
    inputs,
    ...outcomeOfTest(test),
    run_name: test.name,
    start_time: test.startedMs,
    duration_s: test.durationMs === undefined ? undefined : test.durationMs / 1000,
    repeat: test.repeat,
    unread: unreadOf({ meta: test.meta }),
  };
}

/** A test that never ran has no mark, and is an error. */
export const outcomeOfTest = (
  { passed, failure, lost }: ReportedTest,
  scores?: readonly unknown[],
): ReturnType<typeof outcomeOf> =>
  outcomeOf(
    { passed, reason: failure, crash: lost ? (failure ?? "the test never ran") : undefined },
    scores,
  );

const isMocha = (report: unknown): boolean =>
  own(report, "testResults") === undefined && Array.isArray(own(report, "tests"));

function suiteTests(report: unknown): ReportedTests {
  const tests: ReportedTest[] = [];
  const pending: ReportedTest[] = [];
  for (const suite of listAt(report, "testResults")) {
    const at = {
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
  return {
    tests: [...tests, ...lostTests(report, tests, pending)],
    ...countOf(report, tests, pending),
    started: own(report, "startTime"),
  };
}

function countOf(
  report: unknown,
  tests: readonly ReportedTest[],
  pending: readonly ReportedTest[],
): Pick<ReportedTests, "skipped" | "warnings" | "counted"> {
  const lost = lostTests(report, tests, pending).length;
  // A file that failed as a whole is a row here, but no test of the runner.
  const held = listAt(report, "testResults").flatMap((suite) => listAt(suite, "assertionResults"));
  return {
    skipped: pending.length - lost,
    counted: {
      what: "tests",
      all: own(report, "numTotalTests"),
      notRun: [own(report, "numPendingTests"), own(report, "numTodoTests")],
      held: { all: held.length, run: held.length - pending.length },
    },
    warnings: lost === 0 ? [] : [`${lost} tests never ran: the describe around them failed`],
  };
}

/** What the tests of one file share. */
type Place = Pick<ReportedTest, "file" | "startedMs">;

function toTest(test: unknown, at: Place): ReportedTest {
  const title = ownString(test, "title") ?? ownString(test, "fullName") ?? "";
  const [, plain = title, run, id] =
    /^(.*?)(?:, run (\d+))?(?:, test_id=([0-9a-z-]+))?$/is.exec(title) ?? [];
  const failure = textsAt(test, "failureMessages")[0];
  return {
    name: plain,
    suites: textsAt(test, "ancestorTitles").filter((name) => name !== ""),
    id,
    repeat: run === undefined ? undefined : Number(run),
    passed: own(test, "status") === "passed",
    failure: failure === undefined ? undefined : firstLine(failure),
    durationMs: numberAt(test, "duration"),
    ...at,
    startedMs: numberAt(test, "startTime") ?? at.startedMs,
    meta: own(test, "meta"),
  };
}

/**
 * A file that failed without a failed test: it could not be loaded, or one of its hooks failed,
 * and its tests are not in the report.
 */
function lostFile(suite: unknown, at: Place): ReportedTest {
  const name = (at.file ?? "").split(/[\\/]/).at(-1) ?? "";
  const failure = firstLine(ownString(suite, "message") ?? "") || "the test file failed";
  return { name, suites: [], passed: false, failure, lost: true, ...at };
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
    .map((test) => ({ ...test, lost: true, failure: "its describe failed before it ran" }));
}

/** mocha: `tests` has all, `pending` those not run; a failed hook is only in `failures`. */
function mochaTests(report: unknown): ReportedTests {
  const pending = new Set(listAt(report, "pending").map((test) => ownString(test, "fullTitle")));
  const startedMs = Date.parse(String(ownAt(report, "stats", "start") ?? ""));
  const all = listAt(report, "tests");
  const known = new Set(all.map((test) => ownString(test, "fullTitle")));
  const hooks = listAt(report, "failures").filter(
    (test) => !known.has(ownString(test, "fullTitle")),
  );
  const toReported = (test: unknown, lost: boolean): ReportedTest => {
    const failure = ownString(own(test, "err"), "message") ?? ownString(own(test, "err"), "stack");
    const title = ownString(test, "title") ?? "";
    const full = ownString(test, "fullTitle") ?? title;
    const around = full.endsWith(title) ? full.slice(0, full.length - title.length).trim() : "";
    return {
      name: title,
      suites: around === "" ? [] : [around],
      passed: failure === undefined,
      failure: failure === undefined ? undefined : firstLine(failure),
      lost,
      durationMs: numberAt(test, "duration"),
      startedMs: Number.isNaN(startedMs) ? undefined : startedMs,
      file: ownString(test, "file"),
    };
  };
  const run = all.filter((test) => !pending.has(ownString(test, "fullTitle")));
  return {
    tests: [
      ...run.map((test) => toReported(test, false)),
      ...hooks.map((test) => toReported(test, true)),
    ],
    skipped: all.length - run.length,
    started: ownAt(report, "stats", "start"),
    counted: {
      what: "tests",
      all: ownAt(report, "stats", "tests"),
      notRun: [ownAt(report, "stats", "pending")],
      held: { all: all.length, run: run.length },
    },
    warnings: [],
  };
}

/** Reads a report, with what a function adds to a test's row. */
function openReport(head: Head, more: (row: TestRow) => Partial<ReadRow>): RowSource {
  const report = readReport(documentOf(head));
  const { skipped, counted, warnings, started } = report;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    yield report.rows.map((one, index) => ({
      place: { file: head.name, index, line: 1 },
      ...one.row,
      ...more(one),
    }));
  }
  const header = { given: {}, started_at: started, skipped, counted: [counted], warnings };
  return { batches, header: () => header };
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
  open: (head) => openReport(head, () => ({})),
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

/** The harness run stored by vitest-evals: input, output and cost. */
function harnessOf(meta: unknown): {
  readonly input: unknown;
  readonly output: unknown;
  readonly usage: unknown;
} {
  const run = ownAt(meta, "harness", "run");
  // Up to 0.15 `messages`; since 0.16 `events`, including tool calls.
  const turns = [...listAt(run, "session", "messages"), ...listAt(run, "session", "events")];
  const user = turns.find((turn) => own(turn, "role") === "user");
  return {
    input: own(run, "input") ?? own(user, "content"),
    output: own(run, "output") ?? ownAt(meta, "eval", "output"),
    usage: own(run, "usage"),
  };
}

function evalOf({ test, row }: TestRow): Partial<ReadRow> {
  const { input, output, usage } = harnessOf(test.meta);
  const scores = listAt(test.meta, "eval", "scores").map((score, n) => ({
    key: ownString(score, "name") ?? `score#${n + 1}`,
    score: own(score, "score"),
    comment: ownAt(score, "metadata", "rationale"),
  }));
  const errors = listAt(test.meta, "harness", "run", "errors");
  const crashed = !test.passed && scores.length === 0 && errors.length > 0;
  return {
    inputs: { ...(isObject(row.inputs) ? row.inputs : {}), ...(input == null ? {} : { input }) },
    ...(output == null ? {} : { actual_outputs: { output } }),
    ...(crashed
      ? { evaluation_scores: [], error: test.failure ?? "the harness failed" }
      : outcomeOfTest(test, scores)),
    usage: usageOf(usage),
    ...(isObject(usage) ? { run_metadata: { usage } } : {}),
    unread: unreadOf({ meta: test.meta }, isKnownOfEvals),
  };
}

/** vitest-evals: its judges' results are in `meta` of vitest's own report. */
export const vitestEvalsFormat: Format = {
  name: "vitest-evals",
  title: "vitest-evals (vitest JSON report)",
  detect: (head) => isReport(head) && /"meta"\s*:\s*\{\s*"(?:eval|harness)"\s*:/.test(head.text),
  open: (head) => openReport(head, evalOf),
};
