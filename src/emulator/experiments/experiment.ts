import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { toDataset } from "./dataset-reads.ts";
import { iso } from "../deployments/readback.ts";
import { rowsKey, sessionsOf, toKept, trimRows, withRowId } from "./experiment-rows.ts";
import { row, type Endpoints } from "../http/endpoint.ts";
import { maskBody } from "../http/request-log.ts";
import { readJson } from "../http/body.ts";
import { parseTime } from "../http/parameter.ts";
import {
  MAX_ERRORS,
  type Reply,
  type ValidationError,
  ok,
  refuse,
  refuseAny,
  refuseValue,
} from "../http/reply.ts";
import { createStatistics } from "./statistics.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import { checkHead, checkRow, checkWindow, uploadBody, type Upload } from "./upload-check.ts";
import { toSession } from "./session-reads.ts";
import { isMine, mineIn, type Call, type World } from "../world.ts";

/** The dataset that an upload names, found or created; rules 1 to 3. */
function datasetFor(world: World, call: Call, upload: Upload): StoredDataset {
  const tenant_id = call.tenant_id;
  const { dataset_name: name = null } = upload;
  const id = upload.dataset_id?.toLowerCase() ?? null;
  const mine = mineIn(world, call, "datasets");
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

/** Limit for an upload, which is never held whole; the vendor documents no limit (contributing/service.md 7). */
const MAX_BYTES = 400 * 1024 * 1024;

/** What the request log shows instead of the body. */
function noteOf(body: Json | undefined, rows: number, bytes: number): JsonObject {
  const given: JsonObject = isObject(body) ? body : {};
  const names = ["experiment_name", "dataset_name", "dataset_id", "experiment_metadata"];
  const named = names.map((name) => [name, given[name] ?? null]);
  return { ...(maskBody(Object.fromEntries(named)) as JsonObject), rows, bytes };
}

/** Reads an upload row by row, into stored form and the ids that it gives them; refuses it with every mistake. */
async function readUpload({ settings }: World, call: Call) {
  const [wrong, ids, kept]: [ValidationError[], (string | null)[], string[]] = [[], [], []];
  const statistics = createStatistics();
  let [count, chars] = [0, 0];
  const take = (given: Json, i: number): void => {
    count = i + 1;
    if (wrong.length < MAX_ERRORS) wrong.push(...checkRow(given, i, settings).slice(0, MAX_ERRORS));
    if (wrong.length > 0) return;
    const row = given as JsonObject;
    const { row_id: id } = row;
    ids.push(typeof id === "string" ? id.toLowerCase() : null);
    kept.push(toKept(row, chars));
    chars += kept.at(-1)!.length;
    statistics.add(row);
  };
  const { body, bytes } = await readJson(call.stream, MAX_BYTES, { name: "results", take });
  call.note(noteOf(body, count, bytes));
  refuseAny([...checkHead(body, settings), ...wrong]);
  const upload = body as unknown as Upload;
  refuseAny(checkWindow(upload, statistics));
  return { upload, ids, kept, statistics };
}

async function postExperiment(world: World, call: Call): Promise<Reply> {
  const { upload, ids: given, kept, statistics } = await readUpload(world, call);
  const { settings, store } = world;
  const { experiment_name: name } = upload;
  const dataset = datasetFor(world, call, upload);
  const tenant_id = call.tenant_id;
  const namesakes = store.all("sessions").filter((one) => one.name === name);
  const taken = namesakes.some((one) => isMine(call, one));
  if (taken && settings.experimentNames === "unique") return refuse(409, "Session already exists.");
  const now = world.now();
  const before = store.all("sessions").length;
  const rows = kept.map((text, i) =>
    withRowId(text, given[i] ?? world.newId(`row ${before} ${i}`)),
  );
  const session: StoredSession = {
    id: world.newId(`session ${tenant_id} ${name} ${namesakes.length}`),
    tenant_id,
    name,
    description: upload.experiment_description ?? null,
    dataset_id: dataset.id,
    test_run_number: sessionsOf(world, dataset.id).length + 1,
    created_ms: now,
    start_time: iso(parseTime(upload.experiment_start_time)),
    end_time: iso(parseTime(upload.experiment_end_time)),
    metadata: upload.experiment_metadata ?? null,
    statistics: statistics.toJson(
      (upload.summary_experiment_scores ?? []) as readonly JsonObject[],
    ),
  };
  const grown: StoredDataset = { ...dataset, modified_ms: now };
  store.put("datasets", grown.id, grown);
  store.put("sessions", session.id, session);
  store.put("rows", rowsKey(dataset.id, session.id), rows);
  trimRows(world);
  return ok({
    dataset: toDataset(world)(grown),
    experiment: toSession(world, session, tenant_id, false),
  });
}

/** The upload of experiments, below /api/v1. */
export const UPLOAD: Endpoints = {
  "POST /datasets/upload-experiment": row("Uploaded", postExperiment, {
    body: uploadBody,
    ownCheck: true,
    streams: true,
  }),
};
