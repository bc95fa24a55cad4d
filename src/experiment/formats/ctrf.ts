import { own, ownAt, ownString } from "../input/lenient-json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { isNamedAfter, shortPaths, type FiledTest } from "./test-file.ts";
import { countLost, lossOf, skippedWarnings } from "./totals.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("name", "status", "duration", "start", "stop", "suite", "message", "trace", "line"),
  ...known(
    "rawStatus",
    "tags",
    "type",
    "filePath",
    "retries",
    "retryAttempts",
    "flaky",
    "attachments",
  ),
  ...known(
    "id",
    "browser",
    "device",
    "screenshot",
    "parameters",
    "steps",
    "insights",
    "stdout",
    "stderr",
  ),
};

function namesOf(test: unknown): { readonly name: string; readonly suite: string } {
  const suite = own(test, "suite");
  const around = Array.isArray(suite) ? suite.join(" > ") : suite;
  return {
    name: ownString(test, "name") ?? "",
    suite: typeof around === "string" ? around : "",
  };
}

/** What distinguishes a test's file from others: folders count where another of its name has the same test. */
function placeOf(test: unknown): FiledTest {
  const { name, suite } = namesOf(test);
  const path = ownString(test, "filePath") ?? "";
  const isNamed = [name, ...suite.split(" > ")].some((one) => isNamedAfter(one, path));
  return { key: JSON.stringify([name, suite]), path, isNamed };
}

function toRow(
  file: InputFile,
  { value: test, line, index }: PlacedValue,
  inFile: string | undefined,
): ReadRow {
  const status = own(test, "status");
  const { name, suite } = namesOf(test);
  const message = ownString(test, "message") ?? ownString(test, "trace");
  const ran = status === "passed" || status === "failed";
  const duration = numberAt(test, "duration");
  const extra = own(test, "extra");
  return {
    place: { file: file.name, line, index },
    inputs: {
      test: name,
      ...(suite === "" ? {} : { suite }),
      ...(inFile === undefined ? {} : { file: inFile }),
    },
    ...(ran
      ? {
          evaluation_scores: [
            {
              key: "pass",
              score: status === "passed",
              ...(message === undefined || status === "passed" ? {} : { comment: message }),
            },
          ],
        }
      : { error: message ?? `the test ended as ${String(status)}` }),
    start_time: numberAt(test, "start"),
    end_time: numberAt(test, "stop"),
    duration_s: duration === undefined ? undefined : duration / 1000,
    run_name: name,
    run_metadata: present([
      ["retries", own(test, "retries")],
      ["flaky", own(test, "flaky")],
      ["tags", own(test, "tags")],
      ["extra", extra],
    ]),
    ...unreadOf(test, KNOWN),
  };
}

const isSkipped = (test: unknown): boolean =>
  own(test, "status") === "skipped" || own(test, "status") === "pending";

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const values = streamValues(file, head, ["results", "tests"]);
  let [skipped, ran] = [0, 0];
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    // Of all tests, before a row is made: a later test may share the name of an earlier one's file.
    const places = shortPaths(listAt(head.document, "results", "tests").map(placeOf));
    for await (const batch of values.batches()) {
      const run = batch.filter(({ value }) => !isSkipped(value));
      skipped += batch.length - run.length;
      ran += run.length;
      yield run.map((one) => toRow(file, one, places[one.index]));
    }
  }
  const header = (): FileHeader => {
    const summary = ownAt(values.rest(), "results", "summary");
    const totals = {
      all: own(summary, "tests"),
      notRun: [own(summary, "skipped"), own(summary, "pending")],
    };
    const held = skipped + ran;
    const loss = lossOf(countLost(totals, { all: held, run: ran }), held, "tests");
    return {
      given: {},
      started_at: own(summary, "start"),
      ...loss,
      warnings: [...loss.warnings, ...skippedWarnings(skipped, "test")],
    };
  };
  return { batches, header };
}

/** The Common Test Report Format, which reporters of many runners write. */
export const ctrfFormat: Format = {
  name: "ctrf",
  title: "CTRF test report (JSON)",
  detect: (head) =>
    head.container === "json" &&
    head.keys.has("results.tests") &&
    (head.keys.has("results.tool") || head.keys.has("results.summary")),
  open,
};
