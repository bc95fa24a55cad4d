import { expect, test } from "@jest/globals";
import { diagnose } from "../../src/deploy/diagnosis.ts";
import { createBareRun } from "./bare-run.ts";
import { createFlow, desiredOf, repohost } from "./flow.ts";

const failed = [{ outcome: "build-failed", log: ["npm ERR! missing script: build"] }] as const;
const plain = desiredOf(repohost());

test("a failed build is explained by its log, with matching advice", async () => {
  const report = await createFlow({ emulator: { revisions: failed } }).apply(plain);
  expect([report.outcome, report.next]).toEqual([
    "failed",
    [
      expect.stringMatching(/^A command names a script that package\.json does not have/),
      "Read the build log, fix the cause, and run again",
    ],
  ]);
  expect(report.log_tail.join("\n")).toContain("missing script: build");
});

test("a missing log is reported with a hint to the deployment's own page", async () => {
  const report = await createFlow({ emulator: { revisions: failed, logs: [] } }).apply(plain);
  expect([report.outcome, report.log_tail, report.next]).toEqual([
    "failed",
    [],
    [
      `The service serves no build log here: open deployment ${report.id} in its own page, fix the cause, and run again`,
    ],
  ]);
});

test("a log without lines is reported as empty, not missing", async () => {
  const revisions = [{ outcome: "create-failed" }] as const;
  const report = await createFlow({ emulator: { revisions } }).apply(plain);
  expect(report.next).toEqual([
    `The deploy log is empty: open deployment ${report.id} in its own page, fix the cause, and run again`,
  ]);
});

/** What to do after a failed revision whose log has these lines; null: there is none. */
async function advise(
  lines: readonly string[] | null,
  {
    status = "BUILD_FAILED" as string | null,
    id = "d" as string | null,
    revisionId = "r1" as string | null,
    untilMs = 60_000,
  } = {},
) {
  const asked: unknown[] = [];
  const { run, tracker, limits } = createBareRun({
    tracker: { id, revision_id: revisionId, revision_status: status, dialect: "hosted" },
    service: {
      logTail: async (...about) => {
        asked.push(about);
        return lines === null ? null : { lines, isTail: false, newestMs: null };
      },
    },
  });
  return { next: await diagnose(run, untilMs), asked, limits, tail: tracker.log_tail };
}

test.each([
  ["not ready after 90 seconds", "The container came up too late or not at all"],
  ["Readiness probe failed", "The container came up too late or not at all"],
  ["POSTGRES_URI_CUSTOM cannot be removed", "POSTGRES_URI_CUSTOM has to stay"],
  ["ErrImagePull", "The image could not be pulled"],
  ["OOMKilled", "The container ran out of memory"],
  ["npm ERR! Missing script: build", "A command names a script"],
  ["ModuleNotFoundError: No module named x", "A dependency is missing"],
  ["npm ERR! code E404", "A dependency is missing"],
])("a log that says %j is explained", async (line, advice) => {
  const { next } = await advise(["step 1", line]);
  expect(next).toEqual([
    expect.stringContaining(advice),
    "Read the build log, fix the cause, and run again",
  ]);
});

test("a log is read once, for the phase that failed, within the limit of the wait", async () => {
  for (const [status, phase] of [
    ["BUILD_FAILED", "build"],
    ["DEPLOY_FAILED", "deploy"],
    ["CREATE_FAILED", "deploy"],
    ["SCAN_FAILED", "deploy"],
    [null, "deploy"],
  ] as const) {
    const { next, asked, limits } = await advise(["all well"], { status });
    expect([next, asked, limits]).toEqual([
      [`Read the ${phase} log, fix the cause, and run again`],
      [["d", "r1", phase, 500, "hosted"]],
      [60_000],
    ]);
  }
});

test("the last thirty lines of the log are kept", async () => {
  const { tail } = await advise(Array.from({ length: 40 }, (_, at) => `line ${at}`));
  expect([tail.length, tail.at(-1)]).toEqual([30, "line 39"]);
});

test("no log is read without a deployment and a revision", async () => {
  for (const about of [{ id: null }, { revisionId: null }]) {
    const { next, asked } = await advise(["x"], about);
    expect([next, asked]).toEqual([[], []]);
  }
});

test.each([
  [26, "The service serves no build log here"],
  [25, "The time limit passed before the build log could be read"],
])("with %d ms left, a missing log means: %s", async (untilMs, why) => {
  expect((await advise(null, { untilMs })).next).toEqual([
    `${why}: open deployment d in its own page, fix the cause, and run again`,
  ]);
});
