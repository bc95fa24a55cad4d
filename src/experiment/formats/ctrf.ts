import { own, ownAt, ownString } from "../input/lenient-json.ts";
import type { ReadRow } from "../input/row.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { createRecipe } from "./recipe.ts";
import { isNamedAfter, shortPaths, type FiledTest } from "./test-file.ts";
import { testInputs } from "./test-report.ts";
import { countLost, lossOf, skippedWarnings } from "./totals.ts";

function namesOf(test: unknown): { readonly name: string; readonly suite: string } {
  const suite = own(test, "suite");
  const around = Array.isArray(suite) ? suite.join(" > ") : suite;
  return {
    name: ownString(test, "name") ?? "",
    suite: typeof around === "string" ? around : "",
  };
}

/** What distinguishes a test's file from others; folders count if another file of its name has the same test. */
function placeOf(test: unknown): FiledTest {
  const { name, suite } = namesOf(test);
  const path = ownString(test, "filePath") ?? "";
  const isNamed = [name, ...suite.split(" > ")].some((one) => isNamedAfter(one, path));
  return { key: JSON.stringify([name, suite]), path, isNamed };
}

/** A test that neither passed nor failed counts as crashed, whatever the runner calls it. */
function outcomeOf(test: unknown): Pick<ReadRow, "evaluation_scores" | "error"> {
  const status = own(test, "status");
  const message = ownString(test, "message") ?? ownString(test, "trace");
  if (status === "passed") return { evaluation_scores: [{ key: "pass", score: true }] };
  if (status !== "failed") return { error: message ?? `the test ended as ${String(status)}` };
  return { evaluation_scores: [{ key: "pass", score: false, comment: message }] };
}

const wasSkipped = (test: unknown): boolean =>
  ["skipped", "pending"].includes(own(test, "status") as string);

/** The Common Test Report Format, which reporters of many runners write. */
export const ctrfFormat = createRecipe({
  name: "ctrf",
  title: "CTRF test report (JSON)",
  detect: (head) =>
    head.container === "json" &&
    head.keys.has("results.tests") &&
    (head.keys.has("results.tool") || head.keys.has("results.summary")),
  mapping: `
exact: true
rows: results.tests
inputs.test: name
duration_ms: duration
run_metadata: [retries, flaky, tags]
ignore: [start, stop, status, suite, message, trace, line, rawStatus, type, filePath, retryAttempts, attachments, id, browser, device, screenshot, parameters, steps, insights, stdout, stderr]
started_at: results.summary.start
`,
  hook: ({ document }) => {
    const tests = listAt(document, "results", "tests");
    // For all tests before any row: a later test may share the name of an earlier one's file.
    const files = shortPaths(tests.map(placeOf));
    return {
      finish: (row, { value }) => {
        if (wasSkipped(value)) return null;
        const { name, suite } = namesOf(value);
        return {
          ...row,
          inputs: testInputs({
            title: name,
            ancestors: [suite],
            testFile: files[row.place.index],
          }),
          // Not in the mapping, so that a number in it that is no score is reported as unread.
          run_metadata: present([
            ...Object.entries(row.run_metadata ?? {}),
            ["extra", own(value, "extra")],
          ]),
          start_time: numberAt(value, "start"),
          end_time: numberAt(value, "stop"),
          run_name: name,
          ...outcomeOf(value),
        };
      },
      header: (run) => {
        const summary = ownAt(document, "results", "summary");
        const notRun = [own(summary, "skipped"), own(summary, "pending")];
        const lost = countLost({ all: own(summary, "tests"), notRun }, { all: tests.length, run });
        const loss = lossOf(lost, tests.length, "tests");
        const skipped = skippedWarnings(tests.length - run);
        return { ...loss, warnings: [...loss.warnings, ...skipped] };
      },
    };
  },
});
