import { findDataset, sessionsOf, showSession, toDataset } from "./experiment.ts";
import {
  examplesWithRuns,
  feedbackOf,
  pageOfRuns,
  runsOf,
  toExampleReply,
  toRunReply,
  type KeptRun,
} from "./experiment-rows.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { iso } from "./readback.ts";
import { invalid, isReply, ok, refused, type Reply } from "./reply.ts";
import type { StoredDataset, StoredSession } from "./store.ts";
import { isUuid } from "./validation.ts";
import type { Call, World } from "./world.ts";

const PAGE = 100;

const flaw = (where: string, name: string, msg: string, type: string): Reply =>
  invalid([{ loc: [where, name], msg, type }], false);

/** A whole number from a query or a body, or the 422 for it. */
function numberOf(
  value: Json | undefined,
  where: string,
  name: string,
  usual: number,
  most: number | null,
): number | Reply {
  if (value === undefined || value === null) return usual;
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number))
    return flaw(where, name, "Input should be a valid integer", "int_parsing");
  if (number < 0)
    return flaw(where, name, "Input should be greater than or equal to 0", "greater_than_equal");
  if (most !== null && number > most)
    return flaw(where, name, `Input should be less than or equal to ${most}`, "less_than_equal");
  return number;
}

function pageOfQuery(call: Call): readonly [from: number, to: number] | Reply {
  const offset = numberOf(call.query.get("offset"), "query", "offset", 0, null);
  if (isReply(offset)) return offset;
  const limit = numberOf(call.query.get("limit"), "query", "limit", PAGE, PAGE);
  return isReply(limit) ? limit : [offset, offset + limit];
}

const mine = (call: Call, one: StoredSession): boolean =>
  (one.tenant_id ?? call.caller.tenant_id) === call.caller.tenant_id;

const experimentsOf = (world: World, call: Call): readonly StoredSession[] =>
  world.store.all("sessions").filter((one) => one.dataset_id !== null && mine(call, one));

/** The ids that a body lists, or the 422 where it is no list of uuids. */
function idsOf(body: JsonObject, name: string): readonly string[] | Reply {
  const ids = body[name];
  if (!Array.isArray(ids)) return flaw("body", name, "Field required", "missing");
  const wrong = (ids as readonly Json[]).find((id) => !isUuid(id));
  if (wrong !== undefined)
    return flaw("body", name, "Input should be a valid UUID", "uuid_parsing");
  return (ids as readonly string[]).map((id) => id.toLowerCase());
}

const bodyOf = (call: Call): JsonObject => (isObject(call.body) ? call.body : {});

function sessionsIn(
  world: World,
  call: Call,
  dataset: StoredDataset,
  ids: readonly string[],
): readonly StoredSession[] {
  return ids.flatMap((id) => {
    const found = world.store.get("sessions", id);
    return found !== undefined && mine(call, found) && found.dataset_id === dataset.id
      ? [found]
      : [];
  });
}

function withRuns(
  world: World,
  dataset: StoredDataset,
  sessions: readonly StoredSession[],
): Json[] {
  return examplesWithRuns(world, dataset, sessions).map(({ row, runs }) => ({
    ...toExampleReply(dataset, row),
    runs: runs.map(toRunReply),
  }));
}

/** A page of a single experiment: each of its rows is an example of its own. */
function pageOfOne(
  world: World,
  dataset: StoredDataset,
  session: StoredSession,
  page: readonly [from: number, to: number],
): { readonly items: readonly Json[]; readonly total: number } {
  const { runs, total } = pageOfRuns(world, session, page);
  const items = runs.map((run) => ({
    ...toExampleReply(dataset, run.row),
    runs: [toRunReply(run)],
  }));
  return { items, total };
}

/** POST /api/v1/datasets/{dataset_id}/runs: examples with the runs of some experiments, a page at a time. */
export function postDatasetRuns(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  if (isReply(dataset)) return dataset;
  const body = bodyOf(call);
  const ids = idsOf(body, "session_ids");
  if (isReply(ids)) return ids;
  const offset = numberOf(body["offset"], "body", "offset", 0, null);
  if (isReply(offset)) return offset;
  const most = world.settings.profile === "hosted" ? PAGE : null;
  const limit = numberOf(body["limit"], "body", "limit", PAGE, most);
  if (isReply(limit)) return limit;
  const sessions = sessionsIn(world, call, dataset, ids);
  const to = offset + Math.min(limit, PAGE);
  return sessions.length === 1
    ? ok(pageOfOne(world, dataset, sessions[0]!, [offset, to]).items)
    : ok(withRuns(world, dataset, sessions).slice(offset, to));
}

/** A cursor is the offset of the next page, not meant to be read. */
const toCursor = (offset: number): string => Buffer.from(`at:${offset}`).toString("base64url");
function fromCursor(value: Json | undefined): number | Reply {
  if (value === undefined || value === null || value === "") return 0;
  const text = typeof value === "string" ? Buffer.from(value, "base64url").toString() : "";
  return /^at:\d+$/.test(text)
    ? Number(text.slice(3))
    : refused(400, "the cursor is not one that this list gave");
}

function cursorPage(
  items: readonly Json[],
  cursor: Json | undefined,
  size: Json | undefined,
): Reply {
  const from = fromCursor(cursor);
  if (isReply(from)) return from;
  const limit = numberOf(size, "query", "page_size", 20, PAGE);
  if (isReply(limit)) return limit;
  const to = from + Math.max(1, limit);
  return ok({
    items: items.slice(from, to),
    next_cursor: to < items.length ? toCursor(to) : null,
  });
}

/** POST /api/v2/datasets/{dataset_id}/experiment-runs: the same in pages with a cursor. */
export function postExperimentRuns(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  if (isReply(dataset)) return dataset;
  const body = bodyOf(call);
  const ids = idsOf(body, "experiment_ids");
  if (isReply(ids)) return ids;
  if (ids.length === 0)
    return flaw("body", "experiment_ids", "List should have at least 1 item", "too_short");
  const only = Array.isArray(body["example_ids"]) ? (body["example_ids"] as readonly Json[]) : null;
  const all = withRuns(world, dataset, sessionsIn(world, call, dataset, ids)).filter(
    (one) => only === null || only.includes((one as JsonObject)["id"]!),
  );
  return cursorPage(all, body["cursor"], body["page_size"]);
}

/** GET /api/v2/sessions and /api/v2/datasets: newest first, in pages with a cursor. */
export function listSessionsByCursor(world: World, call: Call): Reply {
  const name = call.query.get("name");
  const dataset = call.query.get("reference_dataset") ?? call.query.get("dataset_id");
  const found = world.store
    .all("sessions")
    .filter(
      (one) =>
        mine(call, one) &&
        (name === null || one.name === name) &&
        (dataset === null || one.dataset_id === dataset),
    )
    .toReversed()
    .map((one) => showSession(world, call, one));
  return cursorPage(found, call.query.get("cursor"), call.query.get("page_size"));
}

/** GET /api/v2/datasets. */
export function listDatasetsByCursor(world: World, call: Call): Reply {
  const name = call.query.get("name");
  const found = world.store
    .all("datasets")
    .filter(
      (one) => one.tenant_id === call.caller.tenant_id && (name === null || one.name === name),
    )
    .map((one) => toDataset(world, one));
  return cursorPage(found, call.query.get("cursor"), call.query.get("page_size"));
}

/** Every example of a dataset with what its first upload said. */
function examplesOf(world: World, dataset: StoredDataset): readonly JsonObject[] {
  return examplesWithRuns(world, dataset, sessionsOf(world, dataset.id)).map(({ row }) =>
    toExampleReply(dataset, row),
  );
}

const datasetsOf = (world: World, call: Call): readonly StoredDataset[] =>
  world.store.all("datasets").filter((one) => one.tenant_id === call.caller.tenant_id);

/** GET /api/v1/examples?dataset=…&id=…. */
export function listExamples(world: World, call: Call): Reply {
  const page = pageOfQuery(call);
  if (isReply(page)) return page;
  const dataset = call.query.get("dataset");
  const ids = call.query.getAll("id");
  if (dataset === null && ids.length === 0)
    return refused(400, "Must specify either dataset or id");
  const found = datasetsOf(world, call)
    .filter((one) => dataset === null || one.id === dataset.toLowerCase())
    .flatMap((one) => examplesOf(world, one))
    .filter((one) => ids.length === 0 || ids.includes(String(one["id"])));
  return ok(found.slice(...page));
}

/** GET /api/v1/examples/{example_id}. */
export function getExample(world: World, call: Call): Reply {
  const id = call.params["example_id"]!.toLowerCase();
  if (!isUuid(id))
    return flaw("path", "example_id", "Input should be a valid UUID", "uuid_parsing");
  for (const dataset of datasetsOf(world, call)) {
    if (!dataset.examples.includes(id)) continue;
    const found = examplesOf(world, dataset).find((one) => one["id"] === id);
    if (found !== undefined) return ok(found);
  }
  return refused(404, `Example ${id} not found`);
}

/** The runs that a query may be about: those of the named experiments, else all. */
function runsFor(world: World, call: Call, sessions: readonly string[]): readonly KeptRun[] {
  return experimentsOf(world, call)
    .filter((one) => sessions.length === 0 || sessions.includes(one.id))
    .flatMap((one) => runsOf(world, one));
}

/** GET /api/v1/feedback?run=…&session=…&key=…. */
export function listFeedback(world: World, call: Call): Reply {
  const page = pageOfQuery(call);
  if (isReply(page)) return page;
  const runs = call.query.getAll("run");
  const keys = call.query.getAll("key");
  const found = runsFor(world, call, call.query.getAll("session"))
    .filter((run) => runs.length === 0 || runs.includes(run.id))
    .flatMap(feedbackOf)
    .filter((one) => keys.length === 0 || keys.includes(String(one["key"])));
  return ok(found.slice(...page));
}

/** GET /api/v1/feedback/{feedback_id}. */
export function getFeedback(world: World, call: Call): Reply {
  const id = call.params["feedback_id"]!.toLowerCase();
  if (!isUuid(id))
    return flaw("path", "feedback_id", "Input should be a valid UUID", "uuid_parsing");
  const found = runsFor(world, call, [])
    .flatMap(feedbackOf)
    .find((one) => one["id"] === id);
  return found === undefined ? refused(404, "Feedback not found") : ok(found);
}

/** GET /api/v1/runs/{run_id}. */
export function getRun(world: World, call: Call): Reply {
  const id = call.params["run_id"]!.toLowerCase();
  if (!isUuid(id)) return flaw("path", "run_id", "Input should be a valid UUID", "uuid_parsing");
  const found = runsFor(world, call, []).find((run) => run.id === id);
  return found === undefined ? refused(404, "Run not found") : ok(toRunReply(found));
}

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).map(String) : [];

/** POST /api/v1/runs/query: by experiment, id, example and error; other filters are refused. */
export function postRunsQuery(world: World, call: Call): Reply {
  const body = bodyOf(call);
  const from = fromCursor(body["cursor"]);
  if (isReply(from)) return from;
  const limit = numberOf(body["limit"], "body", "limit", PAGE, PAGE);
  if (isReply(limit)) return limit;
  const ids = textsOf(body["id"]);
  const examples = textsOf(body["reference_example"]);
  const error = body["error"];
  const found = runsFor(world, call, textsOf(body["session"])).filter(
    ({ id, row }) =>
      (ids.length === 0 || ids.includes(id)) &&
      (examples.length === 0 || examples.includes(row.row_id)) &&
      (typeof error !== "boolean" || (row.error !== null) === error),
  );
  const to = from + Math.max(1, limit);
  return ok({
    runs: found.slice(from, to).map(toRunReply),
    cursors: { next: to < found.length ? toCursor(to) : null },
    search_cursors: null,
    parsed_query: null,
  });
}

/** GET /api/v1/datasets/{dataset_id}/versions: an externally managed dataset has one. */
export function listVersions(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  return isReply(dataset) ? dataset : ok([{ tags: ["latest"], as_of: iso(dataset.modified_ms) }]);
}

/** GET /api/v1/datasets/{dataset_id}/version. */
export function getVersion(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  return isReply(dataset) ? dataset : ok({ tags: ["latest"], as_of: iso(dataset.modified_ms) });
}

/** GET /api/v1/datasets/{dataset_id}/versions/diff. */
export function diffVersions(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  return isReply(dataset)
    ? dataset
    : ok({ examples_modified: [], examples_added: [], examples_removed: [] });
}

/** GET /api/v1/datasets/{dataset_id}/splits. */
export function listSplits(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  return isReply(dataset) ? dataset : ok(["base"]);
}

/** GET /api/v1/settings: who the workspace is. */
export function getSettings(_: World, call: Call): Reply {
  return ok({
    id: call.caller.tenant_id,
    display_name: "Emulator",
    created_at: "2026-01-01T00:00:00.000Z",
    tenant_handle: null,
  });
}

/** Lists that are always empty here: queues, tokens and configurations of feedback. */
export function listNothing(): Reply {
  return ok([]);
}
