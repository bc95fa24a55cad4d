import { isObject, own, ownString, parseLenientBytes } from "../lenient-json.ts";
import { refusal } from "../diagnostic.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import { readWhole, type InputFile } from "../input-file.ts";
import type { Format, Head, Reading } from "./format.ts";

const MAX_RUNNER_BYTES = 128 * 1024 * 1024;
const MAX_SIDE_BYTES = 64 * 1024 * 1024;

/** One test of the runner's JSON report. */
interface Test {
  readonly title: string;
  /** What joins it to its side file. */
  readonly id: string | undefined;
  readonly repeat: number | undefined;
  readonly passed: boolean;
  readonly failure: string | undefined;
  readonly durationMs: number | undefined;
  readonly startedMs: number | undefined;
  readonly file: string;
}

async function readJson(file: InputFile, maxBytes: number): Promise<unknown> {
  const bytes = await readWhole(file, maxBytes);
  const parsed = parseLenientBytes(bytes.subarray(bytes[0] === 0xef ? 3 : 0));
  if (parsed.problem !== undefined)
    throw refusal(
      { file: file.name },
      `the file ${parsed.problem}; the run that wrote it may have been killed`,
    );
  return parsed.value;
}

function testsOf(file: InputFile, report: unknown): Test[] {
  const suites = own(report, "testResults");
  return (Array.isArray(suites) ? suites : []).flatMap((suite) => {
    const tests = own(suite, "assertionResults");
    const started = own(suite, "startTime") ?? own(report, "startTime");
    return (Array.isArray(tests) ? tests : []).flatMap((test): Test[] => {
      const status = own(test, "status");
      if (status !== "passed" && status !== "failed") return []; // skipped, pending, todo
      const title = ownString(test, "title") ?? ownString(test, "fullName") ?? "";
      const [, plain = title, run, id] =
        /^(.*?)(?:, run (\d+))?(?:, test_id=([0-9a-z-]+))?$/is.exec(title) ?? [];
      const failures = own(test, "failureMessages");
      const duration = own(test, "duration");
      return [
        {
          title: plain,
          id,
          repeat: run === undefined ? undefined : Number(run),
          passed: status === "passed",
          file: file.name,
          failure:
            Array.isArray(failures) && typeof failures[0] === "string"
              ? failures[0].split("\n", 1)[0]
              : undefined,
          durationMs: typeof duration === "number" ? duration : undefined,
          startedMs: typeof started === "number" ? started : undefined,
        },
      ];
    });
  });
}

/** An assert that failed is a score; anything else that was thrown is an error of the run. */
function isError(test: Test, side: unknown): boolean {
  if (test.passed || test.failure === undefined) return false;
  return (
    (own(side, "outputs") ?? null) === null ||
    !/^(?:\w*Assertion\w*|JestAssertionError|Error: expect\()/.test(test.failure)
  );
}

function toRow(
  test: Test | undefined,
  side: unknown,
  place: { readonly file: string; readonly index: number },
): ReadRow {
  const feedback = own(side, "feedback");
  const scores: unknown[] = Array.isArray(feedback) ? [...(feedback as unknown[])] : [];
  const failed = test !== undefined && isError(test, side);
  if (test !== undefined && !failed && !scores.some((score) => own(score, "key") === "pass"))
    scores.push({
      key: "pass",
      score: test.passed,
      ...(test.failure === undefined ? {} : { comment: test.failure }),
    });
  return {
    place: { ...place, line: 1 },
    inputs: own(side, "inputs") ?? { test: test?.title ?? place.file },
    expected_outputs: own(side, "referenceOutputs"),
    actual_outputs: own(side, "outputs"),
    evaluation_scores: scores,
    ...(failed ? { error: test.failure } : {}),
    ...(test === undefined ? {} : { run_name: test.title }),
    ...(test?.startedMs === undefined ? {} : { start_time: test.startedMs }),
    duration_s: test?.durationMs === undefined ? undefined : test.durationMs / 1000,
    repeat: test?.repeat,
  };
}

const idOfSide = (file: InputFile): string =>
  file.name
    .split("/")
    .at(-1)!
    .replace(/\.json$/i, "");
const isRunner = (head: Head): boolean => head.keys.has("testResults");

function open(files: readonly InputFile[], heads: readonly Head[]): Reading {
  const runners = files.filter((_, n) => isRunner(heads[n]!));
  const sides = new Map(
    files.filter((_, n) => !isRunner(heads[n]!)).map((file) => [idOfSide(file), file]),
  );
  let header: FileHeader = { given: {} };
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const tests: Test[] = [];
    let started: unknown;
    for (const file of runners) {
      const report = await readJson(file, MAX_RUNNER_BYTES);
      started ??= own(report, "startTime");
      tests.push(...testsOf(file, report));
    }
    const used = new Set<string>();
    const state = { index: 0, without: 0, uploaded: false };
    const read = async (file: InputFile | undefined, test: Test | undefined): Promise<ReadRow> => {
      const side = file === undefined ? undefined : await readJson(file, MAX_SIDE_BYTES);
      if (file !== undefined && !isObject(side))
        throw refusal({ file: file.name }, "the side file is no object");
      if (ownString(side, "experimentUrl") !== undefined) state.uploaded = true;
      return toRow(test, side, { file: file?.name ?? test?.file ?? "", index: state.index++ });
    };
    for (const test of tests) {
      const side = test.id === undefined ? undefined : sides.get(test.id);
      if (side === undefined && sides.size > 0 && test.id === undefined) continue; // a plain test beside evals
      if (side === undefined) state.without += 1;
      else used.add(test.id!);
      yield [await read(side, test)];
    }
    for (const [id, file] of sides) if (!used.has(id)) yield [await read(file, undefined)];
    header = {
      given: {},
      started_at: started,
      warnings: warningsOf({
        ...state,
        orphans: runners.length === 0 ? 0 : sides.size - used.size,
      }),
    };
  }
  return { batches, header: () => header };
}

function warningsOf({
  without,
  uploaded,
  orphans,
}: {
  readonly without: number;
  readonly uploaded: boolean;
  readonly orphans: number;
}): string[] {
  return [
    ...(without > 0
      ? [
          `${without} tests have no side file: their inputs are their names; name langsmith_test_results/*.json too, and use the stock JSON reporter (LangSmith's own deletes them)`,
        ]
      : []),
    ...(orphans > 0 ? [`${orphans} side files belong to no test of the report`] : []),
    ...(uploaded
      ? [
          "the tests ran with tracking on: this experiment is in the service already, and the upload makes a second",
        ]
      : []),
  ];
}

/** LangSmith's vitest and jest tests: the runner's JSON report and the side files, joined. */
export const langsmithFormat: Format = {
  name: "langsmith",
  title: "LangSmith vitest / jest (runner JSON and side files)",
  detect: (head) =>
    head.container === "json" &&
    !head.rootIsArray &&
    ((head.keys.has("testResults") && head.keys.has("numTotalTests")) ||
      (head.keys.has("inputs") && head.keys.has("feedback") && !head.keys.has("results"))),
  open,
  joins: true,
  examples: [
    {
      name: "vitest.json",
      text: JSON.stringify({
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            startTime: 1767225600000,
            assertionResults: [
              {
                title: "t, test_id=0123456789abc",
                status: "failed",
                duration: 5,
                failureMessages: ["TypeError: x"],
              },
            ],
          },
        ],
      }),
    },
    {
      name: "0123456789abc.json",
      text: JSON.stringify({
        inputs: { q: "a" },
        referenceOutputs: { a: "b" },
        outputs: { a: "c" },
        feedback: [{ key: "k", score: true, comment: "d" }],
      }),
    },
  ],
  notes: [
    "The report and its side files, named in one `experiment`, are one experiment; `, run N` in a title is the repeat index.",
    "A failed assert is `pass` 0; another exception is an error.",
  ],
};
