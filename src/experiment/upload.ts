import { Buffer } from "node:buffer";
import type { Clock, Random } from "../clock.ts";
import type { ExperimentReport } from "../report/report.ts";
import { ownString } from "../model/json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { Tracing } from "../service/tracing.ts";
import { streamBody, type BodyProgress } from "./body.ts";
import { renderBytes } from "./row-spool.ts";
import type { Experiment } from "./experiment.ts";
import {
  prepareUploads,
  type PreparedUpload,
  type UploadContext,
  type UploadOverrides,
} from "./naming.ts";
import { readBack } from "./read-back.ts";
import { formatUuid } from "./row-id.ts";
import { findDuplicates, sendUpload, type SendEnd, type SendPort } from "./sending.ts";
import { renderSizePlan } from "./size-plan.ts";
import { createTrim, parseDrop, type DropRule, type Trim } from "./exclusion.ts";

/** The part of the tracing API that uploads need. */
export type UploadPort = SendPort & Pick<Tracing, "getSession">;

/** How to upload experiments. */
export interface UploadRequest {
  readonly experiments: readonly Experiment[];
  readonly overrides: UploadOverrides;
  readonly context: UploadContext;
  /** What to leave out of the rows: `run_metadata`, or texts to cut, as `actual_outputs:2000`. */
  readonly drop: readonly string[];
  /** Null: a dry run, which prints each body and sends nothing. */
  readonly tracing: UploadPort | null;
  /** Where a dry run prints; awaited, so that a slow reader delays the body. */
  readonly print: (chunk: Uint8Array) => Promise<void> | void;
  /** Base URL of the service's UI, for links. */
  readonly ui: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly progress: (line: string) => void;
  /** Called with whole rows of a file as they are sent or printed. */
  readonly onRows?: (file: string, rows: Buffer) => void;
  readonly signal?: AbortSignal | undefined;
}

const PROGRESS_MS = 5000;

/** Names and checks every upload, then sends them one by one. Sends nothing if there are problems; never throws. */
export async function uploadExperiments(
  request: UploadRequest,
): Promise<{ reports: ExperimentReport[]; problems: Diagnostic[] }> {
  const { rules, problems: wrong } = parseDrop(request.drop);
  const createId = (): string => createUuid(request.random);
  const { uploads, problems } = prepareUploads(request.experiments, { ...request, createId });
  if (wrong.length + problems.length > 0) return { reports: [], problems: [...wrong, ...problems] };
  const reports: ExperimentReport[] = [];
  for (const upload of uploads)
    reports.push(
      request.tracing === null
        ? await printBody(upload, rules, request)
        : await uploadOne(upload, rules, { ...request, tracing: request.tracing }),
    );
  return { reports, problems: [] };
}

type LiveRequest = UploadRequest & { readonly tracing: UploadPort };

/** A random UUID (version 4) from the given random source. */
function createUuid(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** The report of an experiment that is only gated. */
export function toGatedReport(experiment: Experiment): ExperimentReport {
  return toReport({ experiment, header: null }, { outcome: "gated-only", message: "" });
}

/** A body as it is sent or printed, and what `drop` did to it so far. */
function startBody(
  { experiment, header }: PreparedUpload,
  rules: readonly DropRule[],
  { onRows }: UploadRequest,
  onProgress?: (at: BodyProgress) => void,
) {
  const trim = rules.length === 0 ? undefined : createTrim(rules);
  const chunks = streamBody(experiment, header, {
    trim,
    onProgress: (at) => onProgress?.(at),
    onRows: (rows) => onRows?.(experiment.file, rows),
  });
  return { chunks, said: () => trim?.said() ?? [] };
}

async function printBody(
  upload: PreparedUpload,
  rules: readonly DropRule[],
  request: UploadRequest,
): Promise<ExperimentReport> {
  const { chunks, said } = startBody(upload, rules, request);
  try {
    for await (const chunk of chunks) await request.print(chunk);
    await request.print(Buffer.from("\n"));
  } catch (error) {
    return toReport(upload, { outcome: "failed", message: (error as Error).message });
  }
  return toReport(upload, {
    outcome: "dry-run",
    message: "the body was printed, nothing was sent",
    warnings: said(),
  });
}

async function uploadOne(
  upload: PreparedUpload,
  rules: readonly DropRule[],
  request: LiveRequest,
): Promise<ExperimentReport> {
  let said: Trim["said"] = () => [];
  const toBody = (): AsyncGenerator<Uint8Array> => {
    const body = startBody(upload, rules, request, createProgress(upload, request));
    said = body.said;
    return body.chunks;
  };
  const end = await sendUpload(upload, { ...request, toBody });
  switch (end.state) {
    case "stored":
      return finish(upload, request, {
        ...end,
        warnings: [...end.warnings, ...said()],
      });
    case "refused":
      return toReport(upload, {
        outcome: "failed",
        message: refusalMessage(upload, end, rules),
      });
    case "unknown":
      return toReport(upload, { outcome: "unknown", message: end.message });
  }
}

function refusalMessage(
  { experiment }: PreparedUpload,
  { status, error }: { readonly status: number; readonly error: Error },
  rules: readonly DropRule[],
): string {
  if (status === 413)
    return `${error.message} The request is too large: ${renderSizePlan(experiment, rules)}.`;
  if (status === 422)
    return `${error.message} The rows were checked before; the service asks for more than its document says, so read its words above.`;
  return error.message;
}

async function finish(
  upload: PreparedUpload,
  request: LiveRequest,
  stored: Extract<SendEnd, { state: "stored" }>,
): Promise<ExperimentReport> {
  const { session, warnings } = await readBack(upload.experiment, stored.session.id, request);
  // Reading back takes seconds, during which a late copy can appear.
  const duplicates = stored.sends === 1 ? null : await findDuplicates(upload, stored, request);
  const shown = session ?? stored.session;
  const datasetId = stored.dataset?.id ?? shown.dataset_id ?? stored.session.dataset_id;
  const tenantId =
    ownString(stored.dataset?.body, "tenant_id") || (shown.tenant_id ?? stored.session.tenant_id);
  const link = (ids: readonly string[]): string =>
    toExperimentPage(request.ui, { tenantId, datasetId }, ids);
  const judged = request.context.judgedAs?.(upload.experiment)?.comparedWith ?? null;
  // The page shows experiments of one dataset.
  const baseline = judged?.dataset_id === datasetId ? judged?.id : undefined;
  return toReport(upload, {
    outcome: duplicates?.state ?? "uploaded",
    message:
      duplicates?.message ??
      (warnings.length === 0 ? "uploaded and verified (row count and averages match)" : "uploaded"),
    experiment_id: shown.id,
    experiment_url: link([shown.id]),
    compare_url: baseline === undefined || baseline === shown.id ? "" : link([shown.id, baseline]),
    dataset_id: datasetId,
    dataset_name: stored.dataset?.name || upload.header.dataset_name || "",
    test_run_number: shown.test_run_number ?? stored.session.test_run_number,
    warnings: [...stored.warnings, ...warnings],
  });
}

function toReport(
  {
    experiment,
    header,
  }: {
    readonly experiment: Experiment;
    readonly header: PreparedUpload["header"] | null;
  },
  end: Pick<ExperimentReport, "outcome" | "message"> & Partial<ExperimentReport>,
): ExperimentReport {
  return {
    file: experiment.file,
    format: experiment.format,
    name:
      header?.experiment_name ??
      [experiment.suite, experiment.label].filter((part) => part !== "").join(" · "),
    rows: experiment.rowCount,
    errors: experiment.errorCount,
    experiment_id: null,
    experiment_url: "",
    compare_url: "",
    dataset_id: header?.dataset_id ?? null,
    dataset_name: header?.dataset_name ?? "",
    test_run_number: null,
    scores: experiment.scores,
    ...end,
    ...(experiment.notes.length === 0 ? {} : { notes: experiment.notes }),
    warnings: [
      ...experiment.warnings,
      ...(end.outcome === "gated-only" ? [] : experiment.timeWarnings),
      ...experiment.changes(),
      ...(end.warnings ?? []),
    ],
  };
}

/** A line every few seconds: how much, how fast, how long to go. */
function createProgress(
  { experiment, header }: PreparedUpload,
  { clock, progress }: UploadRequest,
): (at: BodyProgress) => void {
  const start = clock.monotonic();
  let last = start;
  return ({ rows, bytes }) => {
    const now = clock.monotonic();
    if (now - last < PROGRESS_MS) return;
    last = now;
    const seconds = (now - start) / 1000;
    const left = Math.round((seconds * (experiment.rowCount - rows)) / rows);
    progress(
      `${header.experiment_name}: ${rows} of ${experiment.rowCount} rows, ${renderBytes(bytes)}, ${renderBytes(bytes / seconds)}/s, ${left} s to go`,
    );
  };
}

/** The URL where the service compares experiments of one dataset; empty if it is unknown. */
export function toExperimentPage(
  ui: string,
  { tenantId, datasetId }: { readonly tenantId: string | null; readonly datasetId: string | null },
  ids: readonly string[],
): string {
  if (datasetId === null || tenantId === null || ui === "") return "";
  const selected = ids.map(encodeURIComponent).join("%2C");
  return `${ui.replace(/\/+$/, "")}/o/${encodeURIComponent(tenantId)}/datasets/${encodeURIComponent(datasetId)}/compare?selectedSessions=${selected}`;
}
