import { expect, test } from "@jest/globals";
import { createFlow, desiredOf, repohost } from "./flow.ts";

const failed = [{ outcome: "build-failed", log: ["npm ERR! missing script: build"] }] as const;
const plain = desiredOf(repohost());

test("a failed build is explained by its log: the advice for what it says, and the log itself", async () => {
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

test("where the service serves no log, the way to the deployment's own page is named", async () => {
  const report = await createFlow({ emulator: { revisions: failed, logs: [] } }).apply(plain);
  expect([report.outcome, report.log_tail, report.next]).toEqual([
    "failed",
    [],
    [
      `The service serves no build log here: open deployment ${report.id} in its own page, fix the cause, and run again`,
    ],
  ]);
});

test("a log without a line is called empty, not missing", async () => {
  const revisions = [{ outcome: "create-failed" }] as const;
  const report = await createFlow({ emulator: { revisions } }).apply(plain);
  expect(report.next).toEqual([
    `The deploy log is empty: open deployment ${report.id} in its own page, fix the cause, and run again`,
  ]);
});
