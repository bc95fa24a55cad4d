import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { judge } from "../../src/report/judgement.ts";
import { createTree } from "../support/tree.ts";
import { experiment, report } from "./sample-reports.ts";

test("a failed upload is the cause of a failed run if nothing else failed", () => {
  const message = "413: too large";
  const failed = report({
    outcome: "failed",
    deployments: [],
    experiments: [experiment({ outcome: "failed", message })],
  });
  expect(judge(failed)).toMatchObject({
    red: true,
    why: `an experiment was not uploaded: ${message}`,
  });
});

test("the report's judgement names the cause of a failed run", async () => {
  const workspace = createTree({ "words.json": '{"cases":[{"q":"a"}]}' });
  const { code, stdout } = await runCli(["gate", "words.json", "--gate", "m >= 0.5", "--json"], {
    workspace,
  });
  const { judgement } = JSON.parse(stdout) as { judgement: { why: string } };
  expect([code, judgement]).toEqual([
    2,
    {
      red: true,
      exit_code: 2,
      cause: "problem",
      why: expect.stringContaining("words.json:1:1: the format is not known"),
    },
  ]);
});
