import { expect, test } from "@jest/globals";
import { OUTPUTS } from "../src/cli/outputs.ts";
import type { ExperimentReport } from "../src/report/report.ts";
import { toOutputs } from "../src/report/outputs.ts";
import { deployment, report } from "./report/sample-reports.ts";

const experiment: ExperimentReport = {
  file: "results.json",
  format: "rows",
  name: "nightly",
  outcome: "uploaded",
  message: "",
  rows: 1,
  errors: 0,
  experiment_id: "e",
  experiment_url: "https://x.example/e",
  compare_url: "",
  dataset_id: "d",
  dataset_name: "suite",
  test_run_number: 1,
  scores: {},
  warnings: [],
};

test("a run with one deployment and one experiment sets exactly the outputs that action.yml names", () => {
  const outputs = toOutputs(report({ deployments: [deployment()], experiments: [experiment] }), {
    reportPath: "/r.json",
    commentUrl: "",
  });
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(OUTPUTS).sort());
});
