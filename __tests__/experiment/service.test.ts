import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { startEmulator, type RunningEmulator } from "../../src/emulator/server.ts";
import { readExperiments } from "../../src/experiment/experiment.ts";
import { uploadExperiments, type UploadRequest } from "../../src/experiment/upload.ts";
import { createTracing } from "../../src/service/tracing.ts";
import type { ExperimentReport } from "../../src/report/report.ts";
import { httpFor } from "../service/fake-service.ts";

const FIXTURES = path.resolve("__tests__/experiment/fixtures");
let running: RunningEmulator | null = null;
afterEach(async () => { await running?.close(); running = null; });

async function upload(paths: string[], options: Parameters<typeof createEmulator>[0] = {}, more: Partial<UploadRequest> = {}): Promise<{ reports: ExperimentReport[]; emulator: Emulator }> {
  running = await startEmulator({ ...options, lags: { statistics: 0 } });
  const { http, clock } = httpFor(running.url);
  const { experiments, problems } = await readExperiments({ paths, workspace: { root: FIXTURES } });
  expect(problems).toEqual([]);
  let seed = 0;
  const done = await uploadExperiments({
    experiments, tracing: createTracing({ http, base: running.url }), overrides: {}, drop: [], print: () => undefined, ui: running.url, clock, random: () => (seed = (seed + 0.37) % 1), progress: () => undefined,
    context: { repository: "acme/agents", commit: "0123456789", runId: "7", runAttempt: "1", job: "evals", matrix: "", runUrl: "", deploymentId: "", revisionId: "", tool: "agent-deploy" }, ...more,
  });
  await http.close();
  expect(done.problems).toEqual([]);
  return { reports: done.reports, emulator: running.emulator };
}

describe("over HTTP, to the emulator and back", () => {
  test("every sample is taken, and row count and means read back as sent", async () => {
    const { reports } = await upload(["*.json", "*.jsonl", "*.csv", "*.eval", "*.xml", "langsmith-vitest/**/*.json"]);
    expect(reports.map(({ file, outcome, message, rows, errors }) => [file, outcome, message.includes("are ours"), rows, errors])).toEqual([
      ["deepeval-test_run.json", "uploaded", true, 1, 0], ["inspect-2x2-epochs.eval", "uploaded", true, 4, 0], ["inspect-popularity.json", "uploaded", true, 3, 0],
      ["langsmith-vitest/vitest.json", "uploaded", true, 4, 0], ["openai-evals.jsonl", "uploaded", true, 4, 1],
      ["promptfoo-v3.json", "uploaded", true, 6, 0], ["promptfoo-v3.json", "uploaded", true, 6, 0], ["promptfoo-v3.jsonl", "uploaded", true, 6, 0], ["promptfoo-v3.jsonl", "uploaded", true, 6, 0],
      ["promptfoo.csv", "uploaded", true, 6, 0], ["promptfoo.csv", "uploaded", true, 6, 0], ["pytest.junit.xml", "uploaded", true, 5, 1],
    ]);
    for (const { experiment_url, test_run_number } of reports) expect([experiment_url, test_run_number]).toEqual([expect.stringMatching(/\/o\/[^/]+\/datasets\/[^/]+\/compare\?selectedSessions=[0-9a-f-]{36}$/), expect.any(Number)]);
  });

  test.each(["reset-before", "reset-after", "truncate", "malformed"] as const)("after a %s in the upload there is one experiment, or the report says what is unknown", async (kind) => {
    const { reports, emulator } = await upload(["openai-evals.jsonl"], { faults: [{ route: "POST /api/v1/datasets/upload-experiment", kind }] });
    const posts = emulator.requests().filter(({ method }) => method === "POST").length;
    expect(posts).toBe(1);
    if (reports[0]!.outcome !== "uploaded") expect([reports[0]!.outcome, reports[0]!.message]).toEqual(["unknown", expect.stringMatching(/was not sent again/)]);
  });
});
