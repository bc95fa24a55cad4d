import { NO_STATISTICS } from "./experiment.ts";
import { latencyOf, metadataOf, runsOf, toRunReply, type KeptRun } from "./experiment-rows.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { type Reply, ok, refuse, refuseUuid, refuseValue } from "../http/reply.ts";
import {
  bodyOf,
  cursorPage,
  fromCursor,
  isAsked,
  numberOf,
  PAGE,
  refuseUnsupported,
  textsIn,
  textsOf,
  toCursor,
  type Unsupported,
} from "../http/request-value.ts";
import { toRunTest, type FilterNames } from "./run-filter.ts";
import { createAccumulator } from "./statistics.ts";
import type { StoredSession } from "../state/store.ts";
import { parseTime } from "./upload-check.ts";
import { isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

const DAY = 86_400_000;

/** Whether the caller may see a session. */
export const isMine = (call: Call, one: StoredSession): boolean =>
  (one.tenant_id ?? call.caller.tenant_id) === call.caller.tenant_id;

/** The runs that a query may be about: those of the named experiments, else all. */
export function runsFor(
  world: World,
  call: Call,
  sessions: readonly string[],
  dataset: string | null = null,
): readonly KeptRun[] {
  return world.store
    .all("sessions")
    .filter((one) => one.dataset_id !== null && isMine(call, one))
    .filter((one) => isAsked(sessions, one.id) && (dataset === null || one.dataset_id === dataset))
    .flatMap((one) => runsOf(world, one));
}

const V1_NAMES: FilterNames = {
  ids: "id",
  trace: "trace",
  examples: "reference_example",
  error: "error",
  from: "start_time",
};
const V1_UNSUPPORTED: Unsupported = {
  query: [],
  search_filter: [],
  end_time: [],
  execution_order: ["1"],
  group_by: [],
};

/** Runs that a body of the first version of the API asks for, or the 422 where it asks for what does not exist. */
export function findRuns(world: World, call: Call): readonly KeptRun[] {
  refuseUnsupported(call, "body", V1_UNSUPPORTED);
  const body = bodyOf(call);
  const sessions = textsIn(body, "session");
  const test = toRunTest(body, V1_NAMES);
  return runsFor(world, call, sessions).filter(test);
}

/** Runs by their start, where an order is asked for. */
export function inOrder(runs: readonly KeptRun[], order: Json | undefined): readonly KeptRun[] {
  const sign = order === "asc" ? 1 : -1;
  const at = ({ row }: KeptRun): number => parseTime(row.start_time);
  return order === "asc" || order === "desc"
    ? runs.toSorted((a, b) => sign * (at(a) - at(b)))
    : runs;
}

/** POST /api/v1/runs/query: a filter that it does not know how to honour is refused. */
export function postRunsQuery(world: World, call: Call): Reply {
  const body = bodyOf(call);
  const from = fromCursor(body["cursor"]);
  const limit = numberOf(body["limit"], "body", "limit", { usual: PAGE, most: PAGE });
  const found = findRuns(world, call);
  const to = from + Math.max(1, limit);
  return ok({
    runs: inOrder(found, body["order"]).slice(from, to).map(toRunReply),
    cursors: { next: to < found.length ? toCursor(to) : null },
    search_cursors: null,
    parsed_query: null,
  });
}

/** One set of statistics over some runs; tokens and costs are null. */
export function statisticsOf(runs: readonly KeptRun[]): JsonObject {
  const rows = createAccumulator(() => "");
  for (const { row } of runs) rows.add(row as unknown as JsonObject);
  const all: JsonObject = { ...NO_STATISTICS, ...rows.result(undefined) };
  const ofSessions = ["session_feedback_stats", "last_run_start_time_live"];
  return Object.fromEntries(Object.entries(all).filter(([name]) => !ofSessions.includes(name)));
}

/** POST /api/v1/runs/stats: over every run that fits. */
export function postRunStats(world: World, call: Call): Reply {
  const found = findRuns(world, call);
  return ok(statisticsOf(found));
}

/** GET /api/v1/runs/{run_id}. */
export function getRun(world: World, call: Call): Reply {
  const found = findRun(world, call, []);
  return ok(toRunReply(found));
}

/** The run of the path, of those experiments or of any; or the 422 or 404. */
export function findRun(world: World, call: Call, sessions: readonly string[]): KeptRun {
  const id = call.params["run_id"]!;
  return (
    runsFor(world, call, sessions).find((run) => run.id === id) ?? refuse(404, "Run not found")
  );
}

/** What the second version can select of a run; an upload does not carry all of it. */
const SELECTABLE = [
  "id",
  "name",
  "run_type",
  "status",
  "start_time",
  "end_time",
  "latency_seconds",
  "first_token_time",
  "error",
  "error_preview",
  "extra",
  "metadata",
  "events",
  "inputs",
  "inputs_preview",
  "outputs",
  "outputs_preview",
  "manifest",
  "parent_run_ids",
  "project_id",
  "trace_id",
  "thread_id",
  "dotted_order",
  "is_root",
  "reference_example_id",
  "reference_dataset_id",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
  "total_cost",
  "prompt_cost",
  "completion_cost",
  "prompt_token_details",
  "completion_token_details",
  "prompt_cost_details",
  "completion_cost_details",
  "price_model_id",
  "tags",
  "app_path",
  "attachments",
  "thread_evaluation_time",
  "is_in_dataset",
  "last_queued_at",
  "share_url",
  "feedback_stats",
  "ls_user_id",
];

/** The beginning of a value as text. */
export const preview = (value: Json): Json =>
  value === null ? null : (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 250);

/** Statistics of feedback as the second version shows them, there next to every key of the first. */
export function toFeedbackStatsV2(stats: Json | undefined, more: JsonObject): Json {
  if (!isObject(stats)) return null;
  const common = { errors: 0, contains_thread_feedback: false, ...more };
  return Object.fromEntries(
    Object.entries(stats).map(([key, one]) => [key, { ...(one as JsonObject), ...common }]),
  );
}

/** A run as the second version shows it, as far as an upload says something of it. */
function toRunV2(run: KeptRun): JsonObject {
  const v1 = toRunReply(run);
  const { row } = run;
  return {
    ...v1,
    run_type: "CHAIN",
    status: row.error === null ? "SUCCESS" : "ERROR",
    latency_seconds: latencyOf(run),
    error_preview: preview(row.error),
    metadata: metadataOf(run),
    events: [],
    inputs_preview: preview(row.inputs),
    outputs_preview: preview(row.actual_outputs),
    is_in_dataset: true,
    feedback_stats: toFeedbackStatsV2(v1["feedback_stats"], {}),
  };
}

/** Shows the selected fields of a run (without a selection: only its id), or the 422 for a field that no run has. */
export function toSelection(
  selects: readonly string[],
  where: "query" | "body",
): (run: KeptRun) => JsonObject {
  const wrong = selects.find((name) => !SELECTABLE.includes(name));
  if (wrong !== undefined) {
    const names = SELECTABLE.map((name) => `'${name.toUpperCase()}'`).join(", ");
    return refuseValue(where, "selects", `Input should be ${names}`, "enum");
  }
  const names = selects.length === 0 ? ["id"] : selects;
  return (run) => {
    const whole = toRunV2(run);
    return Object.fromEntries(names.map((name) => [name, whole[name] ?? null]));
  };
}

const V2_NAMES: FilterNames = {
  ids: "ids",
  trace: "trace_id",
  examples: "reference_examples",
  error: "has_error",
  from: "min_start_time",
  to: "max_start_time",
};
const V2_UNSUPPORTED: Unsupported = {
  ai_search: [],
  sem_filter: [],
  min_feedback_modified_at: [],
  max_feedback_modified_at: [],
};

/** POST /api/v2/runs/query: runs of the last day, unless the body gives another earliest start or a dataset. */
export function postRunsQueryV2(world: World, call: Call): Reply {
  refuseUnsupported(call, "body", V2_UNSUPPORTED);
  const body = bodyOf(call);
  const projects = textsIn(body, "project_ids");
  const given = body["reference_dataset_id"];
  const dataset = typeof given === "string" ? given.toLowerCase() : null;
  if (projects.length > 0 === (dataset !== null))
    return refuseValue(
      "body",
      "project_ids",
      "Give either project_ids or reference_dataset_id",
      "value_error",
    );
  const selects = textsIn(body, "selects");
  const show = toSelection(selects, "body");
  const usual = dataset === null ? new Date(world.now() - DAY).toISOString() : null;
  const test = toRunTest({ ...body, min_start_time: body["min_start_time"] ?? usual }, V2_NAMES);
  const found = runsFor(world, call, projects, dataset).filter(test);
  return cursorPage(found.map(show), body["cursor"], body["page_size"], { usual: 100, most: 1000 });
}

/** GET /api/v2/runs/{run_id}: a run of one project. */
export function getRunV2(world: World, call: Call): Reply {
  const project = call.query.get("project_id");
  if (project === null) return refuseValue("query", "project_id", "Field required", "missing");
  if (!isUuid(project)) return refuseUuid("query", "project_id");
  const show = toSelection(textsOf(call, "selects"), "query");
  const found = findRun(world, call, [project.toLowerCase()]);
  return ok(show(found));
}
