import { own, ownAt, ownString } from "../lenient-json.ts";
import type { ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { numberAt, present } from "./pick.ts";
import { isNamedAfter, shortPaths } from "./test-file.ts";
import { skippedWarnings } from "./skipped.ts";
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

/** The test's file, where nothing else is called after it; read one test at a time, so that its name alone serves. */
function fileOf(test: unknown, names: readonly string[]): string | undefined {
  const path = ownString(test, "filePath") ?? "";
  const isNamed = names.some((name) => isNamedAfter(name, path));
  return shortPaths([{ key: "", path, isNamed }])[0];
}

function toRow(file: InputFile, { value: test, line, index }: PlacedValue): ReadRow {
  const status = own(test, "status");
  const name = ownString(test, "name") ?? "";
  const suite = own(test, "suite");
  const around = Array.isArray(suite) ? suite.join(" > ") : suite;
  const inFile = fileOf(test, typeof around === "string" ? [name, ...around.split(" > ")] : [name]);
  const message = ownString(test, "message") ?? ownString(test, "trace");
  const ran = status === "passed" || status === "failed";
  const duration = numberAt(test, "duration");
  const extra = own(test, "extra");
  return {
    place: { file: file.name, line, index },
    inputs: {
      test: name,
      ...(typeof around === "string" && around !== "" ? { suite: around } : {}),
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
  let skipped = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    skipped = 0;
    for await (const batch of values.batches()) {
      const run = batch.filter(({ value }) => !isSkipped(value));
      skipped += batch.length - run.length;
      yield run.map((value) => toRow(file, value));
    }
  }
  return {
    batches,
    header: () => ({
      given: {},
      started_at: ownAt(values.rest(), "results", "summary", "start"),
      warnings: skippedWarnings(skipped, "test"),
    }),
  };
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
  examples: [
    {
      name: "ctrf.json",
      text: JSON.stringify({
        results: {
          tool: { name: "jest" },
          summary: { tests: 2, start: 1767225600000 },
          tests: [
            {
              name: "t",
              suite: "s",
              status: "failed",
              duration: 5,
              start: 1767225600000,
              stop: 1767225600005,
              message: "m",
              flaky: false,
            },
            { name: "u", status: "other", duration: 1, message: "e" },
          ],
        },
      }),
    },
  ],
  notes: [],
};
