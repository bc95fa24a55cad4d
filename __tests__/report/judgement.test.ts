import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { judge } from "../../src/report/judgement.ts";
import { createTree } from "../support/tree.ts";
import { experiment, report } from "./sample-reports.ts";

test("a failed upload is why a run that nothing else made red is red", () => {
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

test("what made a run red is told in the report's judgement", async () => {
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
