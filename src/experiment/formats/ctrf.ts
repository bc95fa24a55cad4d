import { own, ownAt, ownString } from "../input/lenient-json.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { createRecipe } from "./recipe.ts";
import { outcomeOf, testInputs, type PlacedTest } from "./tests.ts";

function placeOf(test: unknown): PlacedTest {
  const suite = own(test, "suite");
  const around = Array.isArray(suite) ? suite.join(" > ") : suite;
  return {
    name: ownString(test, "name") ?? "",
    suites: typeof around === "string" ? [around] : [],
    file: ownString(test, "filePath"),
  };
}

/** A test that neither passed nor failed counts as crashed, whatever the runner calls it. */
function endOf(test: unknown): ReturnType<typeof outcomeOf> {
  const status = own(test, "status");
  const message = ownString(test, "message") ?? ownString(test, "trace");
  if (status === "passed") return outcomeOf({ passed: true });
  const crash =
    status === "failed" ? undefined : (message ?? `the test ended as ${String(status)}`);
  return outcomeOf({ passed: false, reason: message, crash });
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
    const inputs = testInputs(tests.map(placeOf), ({ name }, suite) => [
      name,
      ...suite.split(" > "),
    ]);
    return {
      finish: (row, { value }) => {
        if (wasSkipped(value)) return null;
        return {
          ...row,
          inputs: inputs[row.place.index],
          // Not in the mapping, so that a number in it that is no score is reported as unread.
          run_metadata: present([
            ...Object.entries(row.run_metadata ?? {}),
            ["extra", own(value, "extra")],
          ]),
          start_time: numberAt(value, "start"),
          end_time: numberAt(value, "stop"),
          run_name: ownString(value, "name"),
          ...endOf(value),
        };
      },
      header: (run) => {
        const summary = ownAt(document, "results", "summary");
        const counted = {
          what: "tests",
          all: own(summary, "tests"),
          notRun: [own(summary, "skipped"), own(summary, "pending")],
          held: { all: tests.length, run },
        };
        return { counted: [counted], skipped: tests.length - run };
      },
    };
  },
});
