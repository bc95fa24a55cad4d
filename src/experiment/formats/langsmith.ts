import { plural } from "../../model/count-words.ts";
import { isObject, own, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { withoutStamps } from "../input/identity.ts";
import { documentOf } from "./records.ts";
import { hasKeys } from "./recipe.ts";
import { listAt } from "./pick.ts";
import { isReport, readReport } from "./test-report.ts";
import { outcomeOf, type ReportedTest, type TestRow, toTestRows } from "./tests.ts";
import { createKnown, unreadOf } from "./unread.ts";

/** Fields of a record that are read, or are not scores. */
const isKnown = createKnown([
  ...["inputs", "referenceOutputs", "outputs", "experimentUrl", "metadata"],
  // All contents of a feedback are checked and reported when sent.
  "feedback",
]);

/** How an exception of a test runner begins that a failed assert has thrown. */
const FAILED_ASSERT = /^(?:\w*Assertion\w*|JestAssertionError|Error: expect\()/;

/** A failed assert is a score; any other exception is an error of the run. */
function isError(test: ReportedTest, side: unknown): boolean {
  if (test.crash !== undefined) return true;
  if (test.passed || test.reason === undefined) return false;
  if (side !== undefined && (own(side, "outputs") ?? null) === null) return true;
  return !FAILED_ASSERT.test(test.reason);
}

function toRow(
  reported: TestRow | undefined,
  side: unknown,
  place: { readonly file: string; readonly index: number },
): ReadRow {
  const { test, row } = reported ?? {};
  const failed = test !== undefined && isError(test, side);
  // LangSmith writes `pass: false` for every exception: a crashed run was not judged.
  const scores = listAt(side, "feedback").filter(
    (score) => !failed || own(score, "key") !== "pass",
  );
  const isMarked = scores.some((score) => own(score, "key") === "pass");
  return {
    ...row,
    place: { ...place, line: 1 },
    inputs: own(side, "inputs") ?? row?.inputs ?? { test: place.file },
    expected_outputs: own(side, "referenceOutputs"),
    actual_outputs: own(side, "outputs"),
    evaluation_scores: scores,
    ...(test !== undefined && !failed && !isMarked ? outcomeOf(test, scores) : {}),
    error: failed ? (row?.error ?? test.reason) : undefined,
    unread: [...unreadOf(side, isKnown), ...(row?.unread ?? [])],
  };
}

const idOfSide = ({ name }: Head): string =>
  name
    .split("/")
    .at(-1)!
    .replace(/\.json$/i, "");
/** The folder of all side files: their own names change with every run, and nothing in them names the suite. */
function folderOf(files: readonly Head[]): string | undefined {
  const folders = new Set(files.map(({ name }) => name.split("/").at(-2) ?? ""));
  const folder = folders.size === 1 ? withoutStamps([...folders][0]!) : "";
  return /^\.*$/.test(folder) ? undefined : folder;
}
const isRunner = (head: Head): boolean => head.keys.has("testResults");

function open(first: Head, _: unknown, others: readonly Head[]): RowSource {
  const given = [first, ...others];
  const runners = given.filter(isRunner);
  const sides = new Map(given.filter((one) => !isRunner(one)).map((one) => [idOfSide(one), one]));
  let header: FileHeader = {};
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const reports = runners.map((one) => ({ ...readReport(documentOf(one)), file: one.name }));
    const started_at = reports.find((report) => report.started_at != null)?.started_at;
    header = { started_at };
    const used = new Set<string>();
    let [index, without, uploaded] = [0, 0, false];
    const read = (one: Head | undefined, row?: TestRow, file?: string): ReadRow => {
      const side = one === undefined ? undefined : documentOf(one);
      if (one !== undefined && !isObject(side))
        throw refusal({ file: one.name }, "the side file is not an object");
      uploaded ||= ownString(side, "experimentUrl") !== undefined;
      return toRow(row, side, { file: one?.name ?? file ?? "", index: index++ });
    };
    for (const { tests, file } of reports)
      for (const row of toTestRows(tests)) {
        const { id, crash } = row.test;
        const side = id === undefined ? undefined : sides.get(id);
        // Skips a plain test among evals; a lost one is reported anyway.
        if (side === undefined && sides.size > 0 && id === undefined && crash === undefined)
          continue;
        if (side === undefined) without += 1;
        else used.add(id!);
        yield [read(side, row, file)];
      }
    for (const [id, one] of sides) if (!used.has(id)) yield [read(one)];
    const orphans = runners.length === 0 ? 0 : sides.size - used.size;
    header = {
      ...(runners.length === 0 ? { suite: folderOf(given) ?? "langsmith" } : {}),
      started_at,
      counted: reports.flatMap(({ counted = [] }) => counted),
      skipped: reports.reduce((sum, { skipped = 0 }) => sum + skipped, 0),
      warnings: [
        ...reports.flatMap(({ warnings = [] }) => warnings),
        ...warningsOf(without, orphans, uploaded),
      ],
    };
  }
  return { batches, header: () => header };
}

function warningsOf(without: number, orphans: number, uploaded: boolean): string[] {
  const tests = plural(
    without,
    "test has no side file: its inputs are its name",
    "tests have no side file: their inputs are their names",
  );
  const sides = plural(orphans, "side file belongs", "side files belong");
  return [
    ...(without > 0
      ? [
          `${tests}; name langsmith_test_results/*.json too, and use the stock JSON reporter (LangSmith's own deletes them)`,
        ]
      : []),
    ...(orphans > 0 ? [`${sides} to no test of the report`] : []),
    ...(uploaded
      ? [
          "the tests ran with tracking on: this experiment is in the service already, and the upload makes a second",
        ]
      : []),
  ];
}

/** LangSmith's vitest and jest tests: the runner's JSON report joined with the side files. */
export const langsmithFormat: Format = {
  name: "langsmith",
  title: "LangSmith vitest / jest (runner JSON and side files)",
  detect: (head) =>
    head.container === "json" &&
    !head.rootIsArray &&
    // A report without LangSmith's ids could be any runner's.
    ((isReport(head) && /, test_id=[0-9a-z-]+"/i.test(head.text)) ||
      (hasKeys(head, ["inputs", "feedback"]) && !head.keys.has("results"))),
  open,
  joins: ["langsmith", "vitest", "vitest-evals"],
};
