import { resolve } from "node:path";
import type { FaultRule } from "../../src/emulator/fault.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import { readExperiments } from "../../src/experiment/experiment.ts";
import { uploadExperiments } from "../../src/experiment/upload.ts";
import type { ExperimentReport } from "../../src/report/report.ts";
import { createBudget } from "../../src/service/budget.ts";
import { createHttp } from "../../src/service/http.ts";
import { createTracing } from "../../src/service/tracing.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createWiredEmulator } from "./emulator-wire.ts";

const BASE = "http://127.0.0.1:1";
export const UPLOAD = "POST /api/v1/datasets/upload-experiment";
const FIXTURES = resolve("__tests__/experiment/fixtures");

/** What is broken before a cell's own fault: the lookup by name is asked only after a lost answer. */
export const UPLOADS: Readonly<Record<string, readonly FaultRule[]>> = { upload: [], "upload whose answer was lost": [{ route: UPLOAD, kind: "reset-after" }] };

/** How an upload under faults ended, and everything that is wrong with it. */
export interface UploadEnd { readonly report: ExperimentReport; readonly stored: number; readonly wrong: readonly string[]; readonly calls: readonly string[] }

/** Uploads one file under faults on the manual clock; without `undecidable`, an upload that was lost is red only where the service does not have it. */
export async function runUploadCell(service: EmulatorOptions, faults: readonly FaultRule[], undecidable: boolean): Promise<UploadEnd> {
  const { experiments } = await readExperiments({ paths: ["openai-evals.jsonl"], workspace: { root: FIXTURES } });
  const clock = createManualClock({ auto: true });
  const { emulator, wire } = createWiredEmulator({ ...service, lags: { statistics: 8_000 }, faults }, clock);
  const http = createHttp({
    clock, random: () => 0.5, budget: createBudget({ clock }), headers: { "X-Api-Key": "key-of-the-flow" }, userAgent: "test", env: {}, wire, writeGraceMs: 20,
    addresses: [{ base: BASE, input: "tracing-url" }], region: null,
  });
  let seed = 0;
  const { reports } = await uploadExperiments({
    experiments, tracing: createTracing({ http, base: BASE }), overrides: {}, drop: [], print: () => undefined, ui: "", clock, random: () => (seed = (seed + 0.37) % 1), progress: () => undefined,
    context: { repository: "acme/agents", commit: "0123456789", runId: "7", runAttempt: "1", job: "evals", matrix: "", runUrl: "", deploymentId: "", revisionId: "", tool: "agent-deploy" },
  });
  const report = reports[0]!;
  const stored = emulator.world.store.all("sessions").filter(({ name }) => name === report.name);
  const calls = emulator.requests().map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")}`);
  return { report, stored: stored.length, wrong: judgeUpload(report, stored.map(({ id }) => id), undecidable), calls };
}

/** One experiment of this upload and green, or red with what is unknown and how to find out. */
function judgeUpload(report: ExperimentReport, stored: readonly string[], undecidable: boolean): string[] {
  const wrong: string[] = [];
  if (stored.length > 1) wrong.push(`${stored.length} experiments of the upload`);
  if (report.outcome === "uploaded") {
    if (stored.length !== 1 || stored[0] !== report.experiment_id) wrong.push(`says ${report.experiment_id}, the service has ${stored.join(", ") || "none"}`);
  } else if (report.outcome !== "unknown" || !/Look for ".+" in the service/.test(report.message)) wrong.push(`ended ${report.outcome}: ${report.message}`);
  else if (!undecidable && stored.length > 0) wrong.push(`ended unknown, the service has it and could be asked: ${report.message}`);
  return wrong;
}
