import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { Format, Head } from "./format.ts";
import { documentOf, rowsAt } from "./records.ts";
import { numberAt, present, secondsAt } from "./pick.ts";
import { hasKeys } from "./recipe.ts";
import { openTests, type ReportedTest, type TestReport } from "./tests.ts";
import { createKnown, unreadOf } from "./unread.ts";

/** Fields of a test that are read, or are no scores. */
const isKnown = createKnown([
  ...["name", "status", "rawStatus", "duration", "start", "stop", "suite", "filePath", "line"],
  ...["message", "trace", "retries", "retryAttempts", "flaky", "tags", "type", "id", "browser"],
  ...["device", "screenshot", "parameters", "steps", "insights", "stdout", "stderr"],
  "attachments",
]);

function toTest(test: unknown): ReportedTest {
  const [status, suite] = [own(test, "status"), own(test, "suite")];
  const around = Array.isArray(suite) ? suite.join(" > ") : suite;
  const message = ownString(test, "message") ?? ownString(test, "trace");
  // A test that neither passed nor failed counts as crashed, whatever the runner calls it.
  const hasMark = status === "passed" || status === "failed";
  return {
    name: ownString(test, "name") ?? "",
    suites: typeof around === "string" ? [around] : [],
    file: ownString(test, "filePath"),
    isSkipped: status === "skipped" || status === "pending",
    passed: status === "passed",
    reason: status === "failed" ? message : undefined,
    crash: hasMark ? undefined : (message ?? `the test ended as ${String(status)}`),
    row: {
      run_name: ownString(test, "name"),
      start_time: numberAt(test, "start"),
      end_time: numberAt(test, "stop"),
      duration_s: secondsAt(test, "duration"),
      run_metadata: present(
        ["retries", "flaky", "tags", "extra"].map((name) => [name, own(test, name)]),
      ),
      unread: unreadOf(test, isKnown),
    },
  };
}

function readCtrf(head: Head): TestReport {
  const [file, report] = [head.name, documentOf(head)];
  const summary = ownAt(report, "results", "summary");
  const tests = rowsAt(file, report, "results.tests").map(({ value }, n) => {
    if (isObject(value)) return toTest(value);
    throw refusal({ file }, `row ${n + 1} is not an object`);
  });
  const run = tests.filter(({ isSkipped }) => isSkipped !== true).length;
  const counted = {
    what: "tests",
    all: own(summary, "tests"),
    notRun: [own(summary, "skipped"), own(summary, "pending")],
    held: { all: tests.length, run },
  };
  const started_at = own(summary, "start");
  return { tests, started_at, counted: [counted], skipped: tests.length - run };
}

/** The Common Test Report Format, which reporters of many runners write. */
export const ctrfFormat: Format = {
  name: "ctrf",
  title: "CTRF test report (JSON)",
  detect: (head) =>
    head.container === "json" && hasKeys(head, ["results.tests", "results.tool | results.summary"]),
  open: (head) =>
    openTests(
      head,
      async () => readCtrf(head),
      ({ name }, suite) => [name, ...suite.split(" > ")],
    ),
};
