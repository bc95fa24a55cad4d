import type { JsonObject } from "../../model/json.ts";
import { toDataset } from "./dataset-reads.ts";
import { iso } from "../deployments/readback.ts";
import { keepRows, sessionsOf, trimRows } from "./experiment-rows.ts";
import { row, type Endpoints } from "../http/endpoint.ts";
import { bodyOf, parseTime } from "../http/request-value.ts";
import { type Reply, ok, refuse, refuseAll, refuseValue } from "../http/reply.ts";
import { statisticsOf } from "./statistics.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import { checkUpload, uploadBody } from "./upload-check.ts";
import { toSession } from "./session-reads.ts";
import type { Call, World } from "../world.ts";

/** The upload itself, in the words that the check found right. */
interface Upload extends JsonObject {
  readonly experiment_name: string;
  readonly experiment_description?: string | null;
  readonly dataset_name?: string | null;
  readonly dataset_description?: string | null;
  readonly results: readonly JsonObject[];
}

/** The dataset an upload names, found or new; rules 1 to 3. */
function datasetFor(world: World, call: Call, upload: Upload): StoredDataset {
  const tenant_id = call.caller.tenant_id;
  const { dataset_id: given = null, dataset_name: name = null } = upload;
  const id = typeof given === "string" ? given.toLowerCase() : null;
  const mine = world.store.all("datasets").filter((one) => one.tenant_id === tenant_id);
  const found = mine.find((one) => one.id === id) ?? mine.find((one) => one.name === name);
  const broken = (field: string, msg: string): never =>
    refuseValue("body", field, `Value error, ${msg}`, "value_error");
  if (found === undefined) {
    const made = id ?? world.newId(`dataset ${tenant_id} ${name}`);
    return {
      id: made,
      tenant_id,
      name: name ?? `external-dataset-${made}`,
      description: upload.dataset_description ?? null,
      created_ms: world.now(),
      modified_ms: world.now(),
      externally_managed: true,
      examples: [],
    };
  }
  if (!found.externally_managed)
    return broken(
      id === null ? "dataset_name" : "dataset_id",
      "experiments can only be uploaded to externally managed datasets",
    );
  return (id !== null && found.id !== id) || (name !== null && found.name !== name)
    ? broken("dataset_name", "dataset_id and dataset_name belong to different datasets")
    : found;
}

/** What the request log shows instead of the body. */
function noteOf(call: Call): JsonObject {
  const body = bodyOf(call);
  const { experiment_name, dataset_name, dataset_id, experiment_metadata, results } = body;
  const named = { experiment_name, dataset_name, dataset_id, experiment_metadata };
  return {
    ...Object.fromEntries(Object.entries(named).map(([key, value]) => [key, value ?? null])),
    rows: Array.isArray(results) ? results.length : 0,
    bytes: call.bytes,
  };
}

function postExperiment(world: World, call: Call): Reply {
  const { settings, store } = world;
  call.note(noteOf(call));
  const errors = checkUpload(call.body, settings);
  if (errors.length > 0) refuseAll(errors);
  const upload = call.body as Upload;
  const { experiment_name: name, results: rows } = upload;
  const dataset = datasetFor(world, call, upload);
  const tenant_id = call.caller.tenant_id;
  const namesakes = store.all("sessions").filter((one) => one.name === name);
  const taken = namesakes.some((one) => (one.tenant_id ?? tenant_id) === tenant_id);
  if (taken && settings.experimentNames === "unique") return refuse(409, "Session already exists.");
  const now = world.now();
  const before = store.all("sessions").length;
  const ids = rows.map(({ row_id: id }, i) =>
    typeof id === "string" ? id.toLowerCase() : world.newId(`row ${before} ${i}`),
  );
  const session: StoredSession = {
    id: world.newId(`session ${tenant_id} ${name} ${namesakes.length}`),
    tenant_id,
    name,
    description: upload.experiment_description ?? null,
    dataset_id: dataset.id,
    test_run_number: sessionsOf(world, dataset.id).length + 1,
    created_ms: now,
    start_time: iso(parseTime(upload["experiment_start_time"])),
    end_time: iso(parseTime(upload["experiment_end_time"])),
    metadata: upload["experiment_metadata"] ?? null,
    statistics: statisticsOf(rows, upload["summary_experiment_scores"]),
  };
  const grown: StoredDataset = {
    ...dataset,
    modified_ms: now,
    examples: [...new Set([...dataset.examples, ...ids])],
  };
  store.put("datasets", grown.id, grown);
  store.put("sessions", session.id, session);
  store.put("rows", session.id, keepRows(rows, ids));
  trimRows(world);
  return ok({
    dataset: toDataset(world, grown),
    experiment: toSession(world, session, tenant_id, false),
  });
}

/** The upload of experiments, below /api/v1. */
export const UPLOAD: Endpoints = {
  "POST /datasets/upload-experiment": row("Uploaded", postExperiment, {
    body: uploadBody,
    ownCheck: true,
  }),
};
