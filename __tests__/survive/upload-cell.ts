import { resolve } from "node:path";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { StoredSession } from "../../src/emulator/state/store.ts";
import { readExperiments } from "../../src/experiment/experiment.ts";
import { uploadExperiments } from "../../src/experiment/upload.ts";
import { plainUpload } from "../experiment/plain-upload.ts";
import type { ExperimentReport } from "../../src/report/report.ts";
import { createBudget } from "../../src/service/budget.ts";
import { createHttp } from "../../src/service/http.ts";
import { createTracing } from "../../src/service/tracing.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createWiredEmulator } from "./emulator-wire.ts";

const BASE = "http://127.0.0.1:1";
export const UPLOAD = "POST /api/v1/datasets/upload-experiment";
const FIXTURES = resolve("__tests__/experiment/fixtures");

/** What an upload meets besides a cell's own fault: which service it is, and what is broken already. */
export interface UploadTask {
  readonly service: EmulatorOptions;
  readonly before: readonly FaultRule[];
  readonly onlyWithLookup?: true;
}

/** The lookup by name is asked only after a lost answer, and the look for duplicates only after a second sending. */
export const UPLOADS: Readonly<Record<string, UploadTask>> = {
  upload: { service: {}, before: [] },
  "upload whose answer was lost": { service: {}, before: [{ route: UPLOAD, kind: "reset-after" }] },
  "upload that was lost": {
    onlyWithLookup: true,
    service: {},
    before: [{ route: UPLOAD, kind: "reset-before" }],
  },
  "upload that was lost, where names may repeat": {
    onlyWithLookup: true,
    service: { experimentNames: "duplicates" },
    before: [{ route: UPLOAD, kind: "reset-before" }],
  },
};

/** How an upload under faults ended, and everything that is wrong with it. */
export interface UploadEnd {
  readonly report: ExperimentReport;
  readonly stored: number;
  readonly wrong: readonly string[];
  readonly calls: readonly string[];
}

/** Uploads one file under faults on the manual clock; `undecidable` allows red with what is unknown. */
export async function runUploadCell(
  service: EmulatorOptions,
  faults: readonly FaultRule[],
  undecidable: boolean,
  random: () => number = () => 0.5,
): Promise<UploadEnd> {
  const { experiments } = await readExperiments({
    paths: ["openai-evals.jsonl"],
    workspace: { root: FIXTURES },
  });
  const clock = createManualClock({ auto: true });
  const { emulator, wire } = createWiredEmulator(
    { ...service, lags: { statistics: 8_000, ...service.lags }, faults },
    clock,
  );
  const http = createHttp({
    clock,
    random,
    budget: createBudget({ clock }),
    credentials: () => Promise.resolve({ "X-Api-Key": "key-of-the-flow" }),
    redact: (text) => text,
    userAgent: "test",
    env: {},
    wire,
    writeGraceMs: 20,
    addresses: [{ base: BASE, input: "tracing-url" }],
    region: null,
  });
  const { reports } = await uploadExperiments(
    plainUpload({ experiments, tracing: createTracing({ http, base: BASE }), clock }),
  );
  const report = reports[0]!;
  const stored = emulator.world.store.all("sessions").filter(({ name }) => name === report.name);
  const calls = emulator
    .requests()
    .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{id}")}`);
  const wrong = judgeUpload(report, stored, undecidable);
  if (calls.filter((call) => call === UPLOAD).length > MAX_POSTS) wrong.push("sent without end");
  return { report, stored: stored.length, wrong, calls };
}

/** Five sendings, each repeated at most six times where the service says that it did not begin. */
const MAX_POSTS = 5 * 6;

/**
 * One experiment of this upload, whole, and green; or, where nobody can decide, red with what is
 * unknown and how to find out.
 */
function judgeUpload(
  report: ExperimentReport,
  stored: readonly StoredSession[],
  undecidable: boolean,
): string[] {
  const wrong: string[] = [];
  if (stored.length > 1) wrong.push(`${stored.length} experiments of the upload`);
  if (report.outcome === "uploaded") {
    const [one] = stored;
    if (stored.length !== 1 || one!.id !== report.experiment_id)
      wrong.push(
        `says ${report.experiment_id}, the service has ${stored.map(({ id }) => id).join(", ") || "none"}`,
      );
    else if (Number(one!.statistics["run_count"]) !== report.rows)
      wrong.push(`has ${String(one!.statistics["run_count"])} rows, the file ${report.rows}`);
  } else if (!undecidable) wrong.push(`ended ${report.outcome}: ${report.message}`);
  else if (report.outcome !== "unknown" || !/Look for ".+" in the service/.test(report.message))
    wrong.push(`ended ${report.outcome} without a way to find out: ${report.message}`);
  return wrong;
}
