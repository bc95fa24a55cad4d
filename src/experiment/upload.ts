import { Buffer } from "node:buffer";
import type { Clock, Random } from "../clock.ts";
import type { ExperimentReport } from "../report/report.ts";
import type { Problem } from "../spec/desired.ts";
import type { WriteResult } from "../service/control-plane.ts";
import type { Dataset, Session, Tracing } from "../service/tracing.ts";
import { DROPPABLE, renderBytes, renderSizePlan, streamBody, type BodyProgress } from "./body.ts";
import type { Experiment } from "./experiment.ts";
import { prepareUploads, UPLOAD_ID_KEY, type PreparedUpload, type UploadContext, type UploadOverrides } from "./naming.ts";
import { ProblemError, problemAt } from "./problem.ts";
import { readBack } from "./read-back.ts";
import { formatUuid } from "./row-id.ts";

/** The part of the tracing API that uploads need. */
export type UploadPort = Pick<Tracing, "uploadExperiment" | "getSession" | "findSessionsByName">;

/** How experiments are uploaded. */
export interface UploadRequest {
  readonly experiments: readonly Experiment[];
  readonly overrides: UploadOverrides;
  readonly context: UploadContext;
  /** Row fields that are not sent (`run_metadata`). */
  readonly drop: readonly string[];
  /** Null: a dry run that prints each body and sends nothing. */
  readonly tracing: UploadPort | null;
  /** Where a dry run prints; awaited, so that a slow reader holds the body back. */
  readonly print: (chunk: Uint8Array) => Promise<void> | void;
  /** Base of the service's pages, for links. */
  readonly ui: string;
  /** The experiment that the comparison link sets beside ours. */
  readonly baselineExperimentId?: string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const PROGRESS_MS = 5000;
/** A lost answer may belong to an upload that the service is still taking in. */
const LOOKUP_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000];

/** Names and checks every upload, then sends each once, one after the other. With problems nothing is sent; never throws. */
export async function uploadExperiments(request: UploadRequest): Promise<{ reports: ExperimentReport[]; problems: Problem[] }> {
  const { uploads, problems } = checkUploads(request);
  if (problems.length > 0) return { reports: [], problems };
  const reports: ExperimentReport[] = [];
  for (const upload of uploads) reports.push(request.tracing === null ? await printBody(upload, request) : await uploadOne(upload, request.tracing, request));
  return { reports, problems: [] };
}

/** Everything that can be checked before the first byte: names, datasets, metadata, `drop`. For commands that check before they deploy. */
export function checkUploads(request: Pick<UploadRequest, "experiments" | "overrides" | "context" | "drop" | "random">): { uploads: PreparedUpload[]; problems: Problem[] } {
  const prepared = prepareUploads(request.experiments, { ...request, createId: () => createUuid(request.random) });
  const unknown = request.drop.filter((field) => !DROPPABLE.includes(field));
  const problems = unknown.map((field) => problemAt({ file: "inputs", path: "drop" }, `drop: "${field}" cannot be left out; it takes ${DROPPABLE.join(", ")}`));
  return { uploads: prepared.uploads, problems: [...problems, ...prepared.problems] };
}

/** A random UUID (version 4) from the random source that was handed in. */
function createUuid(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** An experiment that is gated only, as the report shows it. */
export function toGatedReport(experiment: Experiment): ExperimentReport {
  return toReport({ experiment, uploadId: "", header: null }, { outcome: "gated-only", message: "" });
}

async function printBody(upload: PreparedUpload, request: UploadRequest): Promise<ExperimentReport> {
  try {
    for await (const chunk of streamBody(upload.experiment, upload.header, request)) await request.print(chunk);
    await request.print(Buffer.from("\n"));
  } catch (error) {
    return toReport(upload, { outcome: "failed", message: messageOf(error) });
  }
  return toReport(upload, { outcome: "dry-run", message: "the body was printed, nothing was sent" });
}

async function uploadOne(upload: PreparedUpload, tracing: UploadPort, request: UploadRequest): Promise<ExperimentReport> {
  // A file that breaks while it is sent must be told apart from a connection that does.
  let broken: unknown;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* streamBody(upload.experiment, upload.header, { drop: request.drop, onProgress: createProgress(upload, request) });
    } catch (error) {
      broken = error;
      throw error;
    }
  }
  let result: WriteResult<{ readonly dataset: Dataset; readonly experiment: Session }>;
  try {
    result = await tracing.uploadExperiment(body);
  } catch (error) {
    result = { state: "unknown", error: error as Error };
  }
  if (broken instanceof ProblemError) return toReport(upload, { outcome: "failed", message: `${messageOf(broken)}; the upload was broken off` });
  if (result.state === "taken") return finish(upload, tracing, request, { session: result.reply.experiment, dataset: result.reply.dataset });
  if (result.state === "refused" && result.status !== 409) return toReport(upload, { outcome: "failed", message: await refusalMessage(upload, result, request.drop) });
  return resolve(upload, tracing, request, result);
}

async function refusalMessage({ experiment }: PreparedUpload, { status, error }: { readonly status: number; readonly error: Error }, drop: readonly string[]): Promise<string> {
  if (status === 413) return `${error.message} The request is too large: ${await renderSizePlan(experiment, drop)}.`;
  if (status === 422) return `${error.message} The rows were checked before; the service asks for more than its document says, so read its words above.`;
  return error.message;
}

/** After a lost answer or a name conflict: ours is only what carries this upload's id; anything else is unknown, and red. */
async function resolve(upload: PreparedUpload, tracing: UploadPort, request: UploadRequest, result: { readonly state: "refused" | "unknown"; readonly error: Error }): Promise<ExperimentReport> {
  const name = upload.header.experiment_name;
  request.progress(`${name}: ${result.state === "refused" ? "the name exists" : "the answer was lost"}; looking whether the experiment is ours`);
  const unknown = (why: string, next: string): ExperimentReport => toReport(upload, { outcome: "unknown", message: `${result.error.message} ${why} ${next}` });
  for (const delay of [0, ...LOOKUP_DELAYS_MS]) {
    try {
      if (delay > 0) await request.clock.sleep(delay, request.signal);
    } catch {
      return unknown("The run was cancelled while it looked.", findOut(name));
    }
    let found;
    try {
      found = await tracing.findSessionsByName(name);
    } catch (error) {
      return unknown(`Whether the experiment was stored is unknown, the lookup failed as well: ${messageOf(error)}`, findOut(name));
    }
    if (found.state === "absent-lookup") return unknown("Whether the experiment was stored is unknown: the service cannot be asked by name.", findOut(name));
    const ours = found.items.find((session) => session.metadata[UPLOAD_ID_KEY] === upload.uploadId);
    if (ours !== undefined) return finish(upload, tracing, request, { session: ours, dataset: null });
    if (found.items.length > 0 && result.state === "refused") return unknown(`The experiment of that name does not carry this upload's id (${upload.uploadId}): it is another's, and nothing of this upload is known to be stored.`, "Leave experiment-name out, or choose one that is new.");
  }
  return unknown("The service shows no experiment of this upload so far; it was not sent again, since that could make two.", findOut(name));
}

const findOut = (name: string): string => `Look for "${name}" in the service; where it is not there, run the step again.`;

async function finish(upload: PreparedUpload, tracing: UploadPort, request: UploadRequest, stored: { readonly session: Session; readonly dataset: Dataset | null }): Promise<ExperimentReport> {
  const { session, warnings } = await readBack(upload.experiment, stored.session.id, { tracing, clock: request.clock, signal: request.signal });
  const shown = session ?? stored.session;
  const datasetId = stored.dataset?.id ?? shown.dataset_id ?? stored.session.dataset_id;
  const tenantId = textOf(stored.dataset?.body["tenant_id"]) ?? shown.tenant_id ?? stored.session.tenant_id;
  const link = (ids: readonly string[]): string => (datasetId === null || tenantId === null || request.ui === "" ? "" : `${request.ui.replace(/\/+$/, "")}/o/${encodeURIComponent(tenantId)}/datasets/${encodeURIComponent(datasetId)}/compare?selectedSessions=${ids.map(encodeURIComponent).join("%2C")}`);
  const baseline = request.baselineExperimentId ?? null;
  return toReport(upload, {
    outcome: "uploaded",
    message: warnings.length === 0 ? "uploaded, and the service's row count and means are ours" : "uploaded",
    experiment_id: shown.id,
    experiment_url: link([shown.id]),
    compare_url: baseline === null || baseline === shown.id ? "" : link([shown.id, baseline]),
    dataset_id: datasetId,
    dataset_name: stored.dataset?.name || upload.header.dataset_name || "",
    test_run_number: shown.test_run_number ?? stored.session.test_run_number,
    warnings,
  });
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function toReport({ experiment, header }: { readonly experiment: Experiment; readonly uploadId: string; readonly header: PreparedUpload["header"] | null }, end: Pick<ExperimentReport, "outcome" | "message"> & Partial<ExperimentReport>): ExperimentReport {
  return {
    file: experiment.file, format: experiment.format, name: header?.experiment_name ?? [experiment.suite, experiment.label].filter((part) => part !== "").join(" · "),
    rows: experiment.rowCount, errors: experiment.errorCount,
    experiment_id: null, experiment_url: "", compare_url: "", dataset_id: header?.dataset_id ?? null, dataset_name: header?.dataset_name ?? "", test_run_number: null,
    scores: experiment.scores,
    ...end,
    warnings: [...experiment.warnings, ...(end.warnings ?? [])],
  };
}

function messageOf(error: unknown): string {
  return (error as { message?: string }).message ?? "unknown error";
}

/** A line every few seconds: how much, how fast, how long to go. */
function createProgress({ experiment, header }: PreparedUpload, { clock, progress }: UploadRequest): (at: BodyProgress) => void {
  const start = clock.monotonic();
  let last = start;
  return ({ rows, bytes }) => {
    const now = clock.monotonic();
    if (now - last < PROGRESS_MS) return;
    last = now;
    const seconds = (now - start) / 1000;
    const left = Math.round((seconds * (experiment.rowCount - rows)) / Math.max(1, rows));
    progress(`${header.experiment_name}: ${rows} of ${experiment.rowCount} rows, ${renderBytes(bytes)}, ${renderBytes(bytes / seconds)}/s, ${left} s to go`);
  };
}
