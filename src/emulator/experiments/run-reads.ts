import * as z from "zod/v4";
import { ID, list } from "../control/schema.ts";
import { LAX } from "../rules/validation.ts";
import {
  latencyOf,
  metadataOf,
  RUN_FIELDS,
  runsOf,
  threadOf,
  toRunReply,
  type KeptRun,
} from "./experiment-rows.ts";
import { language } from "./filter-expression.ts";
import { oneRow, row, type Endpoints } from "../http/endpoint.ts";
import {
  findOne,
  isFrom,
  isOneOf,
  isSo,
  isUpTo,
  testOf,
  type Filters,
  CURSORS,
  OFFSETS,
  PAGE,
  pageBy,
  type Paging,
  isAsked,
} from "../http/listing.ts";
import { isObject, withMembers, type Json, type JsonObject } from "../../model/json.ts";
import { ok } from "../http/reply.ts";
import { parseTime, type Param } from "../http/parameter.ts";
import { createStatistics, NO_STATISTICS, scoreOf, tally } from "./statistics.ts";
import { mineIn, type Call, type World } from "../world.ts";

const DAY = 86_400_000;

/** The runs that a query may concern: those of the named experiments, else all. */
export function runsFor(
  world: World,
  call: Call,
  sessions: readonly string[],
  dataset: string | null = null,
): readonly KeptRun[] {
  return mineIn(world, call, "sessions")
    .filter((one) => one.dataset_id !== null)
    .filter((one) => isAsked(sessions, one.id) && (dataset === null || one.dataset_id === dataset))
    .flatMap((one) => runsOf(world, one));
}

/** Names in expressions; the emulator knows no others. */
const NAMES = [
  "id",
  "trace_id",
  "parent_run_id",
  "session_id",
  "thread_id",
  "reference_example_id",
  "name",
  "run_type",
  "status",
  "is_root",
  "error",
  "start_time",
  "end_time",
  "latency",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
  "total_cost",
  "tags",
  "metadata",
  "metadata_key",
  "metadata_value",
  "feedback_key",
  "feedback_score",
  "feedback_value",
];

/** The filter language over a run's uploaded data. */
export const RUN_EXPRESSION = language(
  NAMES,
  (run: KeptRun): JsonObject => ({
    ...toRunReply(run),
    latency: latencyOf(run),
    metadata: metadataOf(run),
    feedback: run.row.evaluation_scores.map((one) => ({ ...one, score: scoreOf(one) })),
  }),
);

const startOf = ({ row: { start_time } }: KeptRun): number => parseTime(start_time);
const byId = isOneOf(({ id }: KeptRun) => id);
const byExample = isOneOf(({ row: { row_id } }: KeptRun) => row_id);
const byError = isSo(({ row: { error } }: KeptRun) => error !== null);
const EVERYWHERE: Filters<KeptRun>["by"] = {
  parent_run: isOneOf(() => null),
  run_type: isOneOf(() => "chain"),
  is_root: isSo(() => true),
  filter: RUN_EXPRESSION,
  trace_filter: RUN_EXPRESSION,
  tree_filter: RUN_EXPRESSION,
};
const GROUPED: Filters<KeptRun> = {
  by: {
    ...EVERYWHERE,
    id: byId,
    trace: byId,
    reference_example: byExample,
    error: byError,
    start_time: isFrom(startOf),
  },
  without: { query: [], search_filter: [], end_time: [], execution_order: ["1"] },
};
/** The same where runs are not grouped. */
const V1: Filters<KeptRun> = { ...GROUPED, without: { ...GROUPED.without, group_by: [] } };
const V2: Filters<KeptRun> = {
  by: {
    ...EVERYWHERE,
    ids: byId,
    trace_id: byId,
    reference_examples: byExample,
    has_error: byError,
    min_start_time: isFrom(startOf),
    max_start_time: isUpTo(startOf),
  },
  without: {
    ai_search: [],
    sem_filter: [],
    min_feedback_modified_at: [],
    max_feedback_modified_at: [],
  },
};

/** Runs requested in the first version of the API; 422 for an unsupported filter. */
function findRuns(
  world: World,
  call: Call,
  sessions = "session",
  filters = V1,
): readonly KeptRun[] {
  const test = testOf(filters, call.sent);
  return runsFor(world, call, call.sent(sessions).texts()).filter(test);
}

/** Runs sorted by start, if requested. */
function inOrder(runs: readonly KeptRun[], order: Json | undefined): readonly KeptRun[] {
  const sign = order === "asc" ? 1 : -1;
  return order === "asc" || order === "desc"
    ? runs.toSorted((a, b) => sign * (startOf(a) - startOf(b)))
    : runs;
}

/** Statistics over some runs; tokens and costs are null. */
function toStatistics(runs: readonly KeptRun[]): JsonObject {
  const statistics = createStatistics();
  for (const { row: kept } of runs) statistics.add(kept as unknown as JsonObject);
  const {
    session_feedback_stats: _summary,
    last_run_start_time_live: _live,
    ...all
  } = { ...NO_STATISTICS, ...statistics.toJson() };
  return all;
}

/** The run in the path; or 404. The second version of the API names its project. */
export function findRun(world: World, call: Call, projects: readonly string[] = []): KeptRun {
  return findOne(runsFor(world, call, projects), call.params["run_id"], "Run not found");
}

/** Summary of a thread; its runs are sorted by start. */
function toThread(id: string, runs: readonly KeptRun[]): JsonObject {
  const { run_count: count, ...all } = toStatistics(runs);
  const [first, last] = [toRunReply(runs[0]!), toRunReply(runs.at(-1)!)];
  return {
    ...all,
    count: count!,
    group_key: id,
    thread_id: id,
    filter: `eq(thread_id, ${JSON.stringify(id)})`,
    min_start_time: first["start_time"]!,
    max_start_time: last["start_time"]!,
    first_inputs: preview(first["inputs"]!),
    last_outputs: preview(last["outputs"]!),
    last_error: runs.findLast((run) => run.row.error !== null)?.row.error ?? null,
  };
}

/** The threads named in the metadata of some runs, newest first. */
function threadsOf(runs: readonly KeptRun[]): readonly [id: string, runs: KeptRun[]][] {
  const threads = new Map<string, KeptRun[]>();
  for (const run of inOrder(runs, "asc")) {
    const id = threadOf(run);
    if (id !== null) threads.set(id, [...(threads.get(id) ?? []), run]);
  }
  return [...threads].toReversed();
}

/** The beginning of a value as text. */
const preview = (value: Json): Json =>
  value === null ? null : (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 250);

/** Statistics of feedback as in the second version, in addition to every key of the first. */
export function toFeedbackStatsV2(stats: Json | undefined, more: JsonObject): Json {
  if (!isObject(stats)) return null;
  const common = { errors: 0, contains_thread_feedback: false, ...more };
  return withMembers(stats, (one) => ({ ...(one as JsonObject), ...common }));
}

const nothing = (): Json => null;
const {
  session_id: _session,
  parent_run_id: _parent,
  child_run_ids: _children,
  ...BOTH
} = RUN_FIELDS;
/** The selectable fields of a run in the second version; an upload does not contain all of them. */
const RUN_FIELDS_V2: typeof RUN_FIELDS = {
  ...BOTH,
  run_type: () => "CHAIN",
  status: ({ row: { error } }) => (error === null ? "SUCCESS" : "ERROR"),
  latency_seconds: latencyOf,
  error_preview: ({ row: { error } }) => preview(error),
  metadata: metadataOf,
  events: () => [],
  inputs_preview: ({ row: { inputs } }) => preview(inputs),
  outputs_preview: ({ row: { actual_outputs } }) => preview(actual_outputs),
  is_in_dataset: () => true,
  feedback_stats: ({ row }) => toFeedbackStatsV2(tally(row.evaluation_scores) ?? {}, {}),
  first_token_time: nothing,
  manifest: nothing,
  prompt_cost: nothing,
  completion_cost: nothing,
  prompt_token_details: nothing,
  completion_token_details: nothing,
  prompt_cost_details: nothing,
  completion_cost_details: nothing,
  price_model_id: nothing,
  attachments: nothing,
  thread_evaluation_time: nothing,
  last_queued_at: nothing,
  share_url: nothing,
  ls_user_id: nothing,
};

/** Shows the selected fields of a run (by default only its id); 422 for an unknown field. */
export function toSelection(selects: Param): (run: KeptRun) => JsonObject {
  const asked = selects.texts();
  if (asked.some((name) => !Object.hasOwn(RUN_FIELDS_V2, name))) {
    const words = Object.keys(RUN_FIELDS_V2).map((name) => `'${name.toUpperCase()}'`);
    return selects.refuse("enum", `Input should be ${words.join(", ")}`);
  }
  const names = asked.length === 0 ? ["id"] : asked;
  return (run) => Object.fromEntries(names.map((name) => [name, RUN_FIELDS_V2[name]!(run)]));
}

const RUNS_QUERY: Paging = {
  ...CURSORS,
  names: ["cursor", "limit"],
  bounds: { usual: PAGE, most: PAGE },
  reply: ({ items, next }) => ({
    runs: items,
    cursors: { next },
    search_cursors: null,
    parsed_query: null,
  }),
};
const GROUPS: Paging = {
  ...OFFSETS,
  reply: ({ items, total }) => ({ groups: items, total }),
};

/** Runs, below /api/v1. Unsupported filters are refused. */
export const RUNS: Endpoints = {
  "POST /runs/query": row("Any", (world, call) => {
    const page = pageBy(call.sent, RUNS_QUERY);
    return page(inOrder(findRuns(world, call), call.sent("order").value), toRunReply);
  }),
  "POST /runs/stats": row("Any", (world, call) => ok(toStatistics(findRuns(world, call)))),
  "POST /runs/group": row("Any", (world, call) => {
    const by = call.sent("group_by");
    if (by.value !== "conversation")
      return by.refuse("not_supported", "The emulator groups only by 'conversation'");
    const page = pageBy(call.sent, GROUPS);
    const threads = threadsOf(findRuns(world, call, "session_id", GROUPED));
    return page(threads, ([id, runs]) => toThread(id, runs));
  }),
  "GET /runs/{run_id}": oneRow("Any", findRun, () => toRunReply),
};

/** Runs requested in the second version: those of the last day, unless `min_start_time` or a dataset is given. */
function findRunsV2(world: World, call: Call): readonly KeptRun[] {
  const projects = call.sent("project_ids");
  const [dataset = null] = call.sent("reference_dataset_id").texts();
  if (projects.texts().length > 0 === (dataset !== null))
    return projects.refuse("value_error", "Give either project_ids or reference_dataset_id");
  const isBounded = dataset !== null || call.sent("min_start_time").value !== null;
  const since = isBounded ? -Infinity : world.now() - DAY;
  const test = testOf(V2, call.sent);
  return runsFor(world, call, projects.texts(), dataset).filter(
    (run) => startOf(run) >= since && test(run),
  );
}

/** The same below /v2. */
export const RUNS_V2: Endpoints = {
  "POST /runs/query": row(
    "CursorPage",
    (world, call) => {
      const show = toSelection(call.sent("selects"));
      const page = pageBy(call.sent, { ...CURSORS, bounds: { usual: 100, most: 1000 } });
      return page(findRunsV2(world, call), show);
    },
    {
      body: () =>
        z.looseObject({
          project_ids: list(ID).nullish(),
          reference_dataset_id: ID.nullish(),
          selects: list(z.string()).nullish(),
          page_size: LAX.nullish(),
          cursor: z.string().nullish(),
        }),
    },
  ),
  "GET /runs/{run_id}": oneRow(
    "Any",
    (world, call) => findRun(world, call, [call.query("project_id").id()]),
    (_, call) => toSelection(call.query("selects")),
    { query: ["project_id", "selects", "start_time"] },
  ),
};
