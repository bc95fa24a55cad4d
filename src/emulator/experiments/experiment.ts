import { nestsDeeper, isObject, type Json, type JsonObject } from "../../model/json.ts";
import { iso } from "../deployments/readback.ts";
import {
  isAsked,
  metadataTest,
  pageOf,
  refuseUnsupported,
  textsOf,
  type Unsupported,
} from "../http/request-value.ts";
import { type Reply, type ValidationError, ok, refuse, refuseAll } from "../http/reply.ts";
import { createRowScanner } from "./row-scanner.ts";
import { trimRows } from "./experiment-rows.ts";
import { createAccumulator, type Accumulator } from "./statistics.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import { checkHead, checkRow, parseTime, type UploadMode } from "./upload-check.ts";
import type { Call, World } from "../world.ts";

const MOST_BYTES = 400 * 1024 * 1024;
const MOST_ERRORS = 100;

/** Statistics that a session shows; token and cost fields stay null, since an upload does not carry them. */
export const NO_STATISTICS: JsonObject = {
  run_count: null,
  latency_p50: null,
  latency_p99: null,
  first_token_p50: null,
  first_token_p99: null,
  total_tokens: null,
  prompt_tokens: null,
  completion_tokens: null,
  total_cost: null,
  prompt_cost: null,
  completion_cost: null,
  last_run_start_time: null,
  last_run_start_time_live: null,
  feedback_stats: null,
  session_feedback_stats: null,
  run_facets: null,
  error_rate: null,
  streaming_rate: null,
};

interface Upload {
  readonly head: JsonObject;
  readonly rows: Accumulator;
  readonly bytes: number;
}

/** Reads an upload as it arrives: one row in memory at a time, up to 400 MB. */
async function readUpload(world: World, call: Call): Promise<Upload> {
  const before = world.store.all("sessions").length;
  const rows = createAccumulator((i) => world.newId(`row ${before} ${i}`));
  const errors: ValidationError[] = [];
  const { strict, profile } = world.settings;
  const usual: UploadMode = profile === "hosted" ? "hosted" : "usual";
  const mode: UploadMode = strict ? "strict" : usual;
  const scanner = createRowScanner("results", (row, index) => {
    if (nestsDeeper(row)) throw new SyntaxError(`row ${index} nests too deeply`);
    const wrong = errors.length < MOST_ERRORS ? checkRow(row, index, mode) : [];
    errors.push(...wrong);
    if (isObject(row)) rows.add(row);
  });
  let bytes = 0;
  try {
    for await (const chunk of call.stream ??
      new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return refuse(413, "Request Entity Too Large");
      scanner.write(chunk);
    }
    const head = scanner.end();
    if (nestsDeeper(head)) throw new SyntaxError("the body nests too deeply");
    const wrong = [...checkHead(head, mode), ...errors];
    if (wrong.length > 0) return refuseAll(wrong.slice(0, MOST_ERRORS));
    return { head: head as JsonObject, rows, bytes };
  } catch (error) {
    if (
      (error as Error).name !== "SyntaxError" &&
      (error as { code?: string }).code !== "ERR_ENCODING_INVALID_ENCODED_DATA"
    )
      throw error;
    return refuseAll([{ loc: ["body", bytes], type: "json_invalid", msg: "JSON decode error" }]);
  }
}

/** Rule 4: every row is within the window of the experiment. */
function checkWindow({ head, rows }: Upload): ValidationError[] {
  const start = parseTime(head["experiment_start_time"]);
  const end = parseTime(head["experiment_end_time"]);
  const errors: ValidationError[] = [];
  rows.windows().forEach((window, i) => {
    for (const [k, name] of (["start_time", "end_time"] as const).entries()) {
      if (!(window[k]! >= start && window[k]! <= end) && errors.length < MOST_ERRORS) {
        errors.push({
          loc: ["body", "results", i, name],
          type: "value_error",
          msg: `Value error, ${name} must be between experiment_start_time and experiment_end_time`,
        });
      }
    }
  });
  return errors;
}

/** The dataset an upload names, found or new; rules 1 to 3. */
function datasetFor(world: World, call: Call, head: JsonObject): StoredDataset {
  const tenant_id = call.caller.tenant_id;
  const id = typeof head["dataset_id"] === "string" ? head["dataset_id"].toLowerCase() : null;
  const name = typeof head["dataset_name"] === "string" ? head["dataset_name"] : null;
  const mine = world.store.all("datasets").filter((one) => one.tenant_id === tenant_id);
  const found =
    (id === null ? undefined : mine.find((one) => one.id === id)) ??
    (name === null ? undefined : mine.find((one) => one.name === name));
  const broken = (field: string, msg: string): never =>
    refuseAll([{ loc: ["body", field], type: "value_error", msg: `Value error, ${msg}` }]);
  if (found !== undefined) {
    if (!found.externally_managed)
      return broken(
        id === null ? "dataset_name" : "dataset_id",
        "experiments can only be uploaded to externally managed datasets",
      );
    if ((id !== null && found.id !== id) || (name !== null && found.name !== name))
      return broken("dataset_name", "dataset_id and dataset_name belong to different datasets");
    return found;
  }
  const made = id ?? world.newId(`dataset ${tenant_id} ${name}`);
  const now = world.now();
  return {
    id: made,
    tenant_id,
    name: name ?? `external-dataset-${made}`,
    description:
      typeof head["dataset_description"] === "string" ? head["dataset_description"] : null,
    created_ms: now,
    modified_ms: now,
    externally_managed: true,
    examples: [],
  };
}

/** POST /api/v1/datasets/upload-experiment. */
export async function postExperiment(world: World, call: Call): Promise<Reply> {
  const upload = await readUpload(world, call);
  const { head, rows, bytes } = upload;
  const name = String(head["experiment_name"]);
  call.note({
    experiment_name: name,
    dataset_name: head["dataset_name"] ?? null,
    dataset_id: head["dataset_id"] ?? null,
    experiment_metadata: head["experiment_metadata"] ?? null,
    rows: rows.rowIds().length,
    bytes,
  });
  const outside = checkWindow(upload);
  if (outside.length > 0) refuseAll(outside);
  const dataset = datasetFor(world, call, head);
  const tenant_id = call.caller.tenant_id;
  const taken = world.store
    .all("sessions")
    .some((one) => one.name === name && (one.tenant_id ?? tenant_id) === tenant_id);
  if (taken && world.settings.experimentNames === "unique")
    return refuse(409, "Session already exists.");
  const now = world.now();
  const namesakes = world.store.all("sessions").filter((one) => one.name === name);
  const session: StoredSession = {
    id: world.newId(`session ${tenant_id} ${name} ${namesakes.length}`),
    tenant_id,
    name,
    description:
      typeof head["experiment_description"] === "string" ? head["experiment_description"] : null,
    dataset_id: dataset.id,
    test_run_number: sessionsOf(world, dataset.id).length + 1,
    created_ms: now,
    start_time: iso(parseTime(head["experiment_start_time"])),
    end_time: iso(parseTime(head["experiment_end_time"])),
    metadata: head["experiment_metadata"] ?? null,
    statistics: rows.result(head["summary_experiment_scores"]),
  };
  const grown: StoredDataset = {
    ...dataset,
    modified_ms: now,
    examples: [...new Set([...dataset.examples, ...rows.rowIds()])],
  };
  world.store.put("datasets", grown.id, grown);
  world.store.put("sessions", session.id, session);
  world.store.put("rows", session.id, rows.kept());
  trimRows(world);
  return ok({
    dataset: toDataset(world, grown),
    experiment: toSession(world, session, tenant_id, false),
  });
}

/** Every experiment of a dataset, oldest first. */
export const sessionsOf = (world: World, datasetId: string): readonly StoredSession[] =>
  world.store.all("sessions").filter((one) => one.dataset_id === datasetId);

const DATA_TYPE = "kv";

/** What a GET answers for it, counts included. */
export function toDataset(world: World, one: StoredDataset): JsonObject {
  const sessions = sessionsOf(world, one.id);
  return {
    name: one.name,
    description: one.description,
    created_at: iso(one.created_ms),
    data_type: DATA_TYPE,
    inputs_schema_definition: null,
    outputs_schema_definition: null,
    externally_managed: one.externally_managed,
    id: one.id,
    tenant_id: one.tenant_id,
    example_count: one.examples.length,
    session_count: sessions.length,
    modified_at: iso(one.modified_ms),
    last_session_start_time:
      sessions
        .map((session) => session.start_time)
        .sort()
        .at(-1) ?? null,
  };
}

/** A session as a GET shows it; statistics are null until they are persisted, or where they were not asked for. */
export function toSession(
  world: World,
  one: StoredSession,
  tenant: string,
  statistics: boolean,
): JsonObject {
  const persisted = statistics && world.now() >= one.created_ms + world.settings.lags.statistics;
  return {
    start_time: one.start_time,
    end_time: one.end_time,
    extra: one.metadata === null ? null : { metadata: one.metadata },
    name: one.name,
    description: one.description,
    default_dataset_id: null,
    reference_dataset_id: one.dataset_id,
    trace_tier: "longlived",
    id: one.id,
    ...NO_STATISTICS,
    ...(persisted ? one.statistics : {}),
    tenant_id: one.tenant_id ?? tenant,
    test_run_number: one.test_run_number,
  };
}

/** Ways to choose datasets that the emulator cannot honour. */
const UNSUPPORTED: Unsupported = {
  tag_value_id: [],
  sort_by: [],
  sort_by_desc: ["true"],
  sort_order: [],
  exclude_corrections_datasets: ["false"],
};

/** Datasets of the caller that the query asks for, or the 422 for what it cannot be asked. */
export function findDatasets(world: World, call: Call): readonly StoredDataset[] {
  refuseUnsupported(call, "query", UNSUPPORTED);
  const hasMetadata = metadataTest(call);
  const name = call.query.get("name");
  const part = call.query.get("name_contains")?.toLowerCase() ?? "";
  const ids = textsOf(call, "id");
  // Uploads make datasets of one type, and without metadata.
  const chosen = isAsked(textsOf(call, "data_type"), DATA_TYPE) && hasMetadata(null);
  return world.store
    .all("datasets")
    .filter((one) => chosen && one.tenant_id === call.caller.tenant_id)
    .filter(
      (one) =>
        (name === null || one.name === name) &&
        one.name.toLowerCase().includes(part) &&
        isAsked(ids, one.id),
    );
}

/** GET /api/v1/datasets: a bare array. */
export function listDatasets(world: World, call: Call): Reply {
  const page = pageOf(call);
  const found = findDatasets(world, call);
  return ok(found.slice(...page).map((one): Json => toDataset(world, one)));
}

/** A dataset of the caller by its id in the path, or 422 / 404. */
export function findDataset(world: World, call: Call): StoredDataset {
  const id = call.params["dataset_id"]!;
  const found = world.store.get("datasets", id);
  return found !== undefined && found.tenant_id === call.caller.tenant_id
    ? found
    : refuse(404, "Dataset not found");
}

/** GET /api/v1/datasets/{dataset_id}. */
export function getDataset(world: World, call: Call): Reply {
  const found = findDataset(world, call);
  return ok(toDataset(world, found));
}
