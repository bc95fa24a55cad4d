import * as z from "zod/v4";
import { ID, list } from "../control/schema.ts";
import { LAX } from "../rules/validation.ts";
import {
  examplesIn,
  examplesOf,
  examplesWithRuns,
  feedbackOf,
  sessionsOf,
  toExampleReply,
  toRunReply,
  type KeptRun,
} from "./experiment-rows.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { language } from "./filter-expression.ts";
import { iso } from "../deployments/readback.ts";
import { listRow, oneRow, row, type Endpoint, type Endpoints } from "../http/endpoint.ts";
import {
  equals,
  findOne,
  hasMetadata,
  holds,
  isOneOf,
  isSo,
  type Filters,
  CURSORS,
  OFFSETS,
  PAGE,
  pageBy,
  type Paging,
  isAsked,
  refuseUnsupported,
} from "../http/listing.ts";
import { type Reply, ok, refuse, toPlain } from "../http/reply.ts";
import { parseTime } from "../http/parameter.ts";
import { RUN_EXPRESSION, runsFor, toSelection } from "./run-reads.ts";
import type { StoredDataset } from "../state/store.ts";
import { mineIn, type Call, type World } from "../world.ts";

/** Uploads make datasets of one type, whose examples are in the service's default split. */
const DATA_TYPE = "kv";
const SPLIT = "base";

/** The dataset as a GET shows it, with counts. */
export const toDataset = (world: World) => (one: StoredDataset) => {
  const sessions = sessionsOf(world, one.id);
  const starts = sessions.map((session) => session.start_time).sort();
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
    example_count: examplesIn(world, one.id).length,
    session_count: sessions.length,
    modified_at: iso(one.modified_ms),
    last_session_start_time: starts.at(-1) ?? null,
  };
};

const DATASET_FILTERS: Filters<StoredDataset> = {
  by: {
    id: isOneOf((one) => one.id),
    name: equals((one) => one.name),
    name_contains: holds((one) => one.name),
    data_type: isOneOf(() => DATA_TYPE),
    metadata: hasMetadata(() => null),
  },
  without: {
    tag_value_id: [],
    sort_by: [],
    sort_by_desc: ["true"],
    sort_order: [],
    exclude_corrections_datasets: ["false"],
  },
};
const datasetsOf = (world: World, call: Call): readonly StoredDataset[] =>
  mineIn(world, call, "datasets");
const datasetList = (reply: string, paging: Paging): Endpoint =>
  listRow({
    reply,
    paging,
    find: datasetsOf,
    filters: DATASET_FILTERS,
    view: toDataset,
  });

/** The caller's dataset by the id in the path, or 404. */
export const findDataset = (world: World, call: Call): StoredDataset =>
  findOne(datasetsOf(world, call), call.params["dataset_id"], "Dataset not found");

/** The filter expressions in a body, by experiment. */
function filtersIn(call: Call): ReadonlyMap<string, readonly ((run: KeptRun) => boolean)[]> {
  const param = call.sent("filters");
  const filters = param.value ?? {};
  if (!isObject(filters)) return param.refuse("dict_type", "Input should be a valid dictionary");
  return new Map(
    Object.entries(filters).map(([id, texts]) => [
      id.toLowerCase(),
      [texts ?? []].flat().map((text: Json) => RUN_EXPRESSION(param, text)),
    ]),
  );
}

/**
 * Examples of a dataset, one page at a time, with the runs of the experiments in the body;
 * examples without a matching run are left out.
 */
function answerRuns(
  world: World,
  call: Call,
  {
    ids,
    paging,
    show,
    only = [],
  }: {
    readonly ids: string;
    readonly paging: Paging;
    readonly show: (run: KeptRun) => JsonObject;
    readonly only?: readonly string[];
  },
): Reply {
  const dataset = findDataset(world, call);
  refuseUnsupported(call.sent, { comparative_experiment_id: [], sort_params: [], sort: [] });
  const filters = filtersIn(call);
  const page = pageBy(call.sent, paging);
  const mine = mineIn(world, call, "sessions").filter((one) => one.dataset_id === dataset.id);
  const sessions = call
    .sent(ids)
    .texts()
    .flatMap((id) => mine.filter((one) => one.id === id));
  const fitting = ({ runs }: { readonly runs: () => readonly KeptRun[] }) =>
    runs().filter((run) => (filters.get(run.session.id) ?? []).every((test) => test(run)));
  // Without a filter only the rows of the page are parsed.
  const all = examplesWithRuns(world, sessions).filter(
    (one) => isAsked(only, one.id) && (filters.size === 0 || fitting(one).length > 0),
  );
  return page(all, (one) => {
    const runs = fitting(one);
    return { ...toExampleReply(dataset, one.runs()[0]!.row), runs: runs.map(show) };
  });
}

/** In pages with an offset, limited on the hosted service. */
function postDatasetRuns(world: World, call: Call): Reply {
  const most = world.settings.profile === "hosted" ? PAGE : null;
  const paging = { ...OFFSETS, bounds: { usual: PAGE, most } };
  return answerRuns(world, call, { ids: "session_ids", paging, show: toRunReply });
}

/** The same in pages with a cursor, with the selected fields of the runs. */
function postExperimentRuns(world: World, call: Call): Reply {
  const ids = call.sent("experiment_ids");
  if (ids.texts().length === 0) return ids.refuse("too_short", "List should have at least 1 item");
  const selects = call.sent("selects");
  const selection = toSelection(selects);
  return answerRuns(world, call, {
    ids: ids.name,
    paging: CURSORS,
    only: call.sent("example_ids").texts(),
    // Without a selection whole runs are shown, in the first version's words.
    show: selects.value === null ? toRunReply : selection,
  });
}

/** Each dataset has only its latest version; earlier ones are refused. */
function refuseVersion(call: Call, ...datasets: readonly StoredDataset[]): void {
  const asked = call.query("as_of");
  const text = asked.text() ?? "latest";
  const latest = Math.max(...datasets.map((one) => one.modified_ms));
  if (text !== "latest" && !(parseTime(text) >= latest))
    asked.refuse(
      "not_supported",
      "The emulator keeps only the latest version of a dataset. Leave as_of out.",
    );
}
const versionOf = ({ modified_ms }: StoredDataset): JsonObject => ({
  tags: ["latest"],
  as_of: iso(modified_ms),
});

/** The dataset in the path in its latest version, the only one there is. */
function findLatest(world: World, call: Call): StoredDataset {
  const dataset = findDataset(world, call);
  const isLatest = (call.query("tag").text() ?? "latest") === "latest";
  if (!isLatest) return refuse(404, "Dataset version not found");
  refuseVersion(call, dataset);
  return dataset;
}

const EXAMPLE_FILTERS: Filters<JsonObject> = {
  by: {
    dataset: isOneOf((one) => String(one["dataset_id"])),
    id: isOneOf((one) => String(one["id"])),
    metadata: hasMetadata(() => null),
    splits: isOneOf(() => SPLIT),
    filter: language(
      ["id", "name", "created_at", "metadata", "metadata_key", "metadata_value"],
      (one) => ({ ...one, metadata: {} }),
    ),
  },
  without: { full_text_contains: [], order: ["recent"], random_seed: [] },
};

function findExamples(world: World, call: Call): readonly JsonObject[] {
  const datasets = call.query("dataset").texts();
  if (datasets.length === 0 && call.query("id").value === null)
    return refuse(400, "Must specify either dataset or id");
  const asked = datasetsOf(world, call).filter((one) => isAsked(datasets, one.id));
  refuseVersion(call, ...asked);
  return asked.flatMap((one) => examplesOf(world, one));
}

function sourceOf({ feedback_source: source }: JsonObject): string {
  const type = isObject(source) ? source["type"] : null;
  return typeof type === "string" ? type : "api";
}
const FEEDBACK_FILTERS: Filters<JsonObject> = {
  by: {
    run: isOneOf((one) => String(one["run_id"])),
    session: isOneOf((one) => String(one["session_id"])),
    source: isOneOf(sourceOf),
    has_comment: isSo((one) => one["comment"] !== null),
    has_score: isSo((one) => one["score"] !== null),
  },
  without: {
    user: [],
    level: ["run"],
    comparative_experiment_id: [],
    min_created_at: [],
    max_created_at: [],
  },
};

function findFeedback(world: World, call: Call): readonly JsonObject[] {
  const keys = call.query("key").all();
  return runsFor(world, call, call.query("session").texts())
    .flatMap(feedbackOf)
    .filter((one) => keys.length === 0 || keys.includes(String(one["key"])));
}

const messagesIn = (value: Json | undefined): readonly Json[] | null => {
  const messages = isObject(value) ? value["messages"] : null;
  return Array.isArray(messages) ? messages : null;
};

/** One line of messages per example, which must have them. */
function getFineTuning(world: World, call: Call): Reply {
  const lines = examplesOf(world, findDataset(world, call)).map((one) => {
    const asked = messagesIn(one["inputs"]);
    if (asked === null)
      return refuse(400, `Example ${String(one["id"])} has no list of messages in its inputs.`);
    return JSON.stringify({ messages: [...asked, ...(messagesIn(one["outputs"]) ?? [])] });
  });
  return toPlain(lines.join("\n"));
}

const DATASET = "/datasets/{dataset_id}";
const same = (one: JsonObject): JsonObject => one;

/** Datasets with their examples and feedback, below /api/v1. */
export const DATASETS: Endpoints = {
  "GET /datasets": datasetList("Dataset[]", OFFSETS),
  [`GET ${DATASET}`]: oneRow("Dataset", findDataset, toDataset),
  // An externally managed dataset has one version.
  [`GET ${DATASET}/versions`]: oneRow("Any", findDataset, () => (one) => [versionOf(one)]),
  [`GET ${DATASET}/version`]: oneRow("Any", findLatest, () => versionOf),
  [`GET ${DATASET}/versions/diff`]: oneRow("Any", findDataset, () => () => ({
    examples_modified: [],
    examples_added: [],
    examples_removed: [],
  })),
  [`GET ${DATASET}/splits`]: oneRow("Any", findLatest, () => () => [SPLIT]),
  [`GET ${DATASET}/openai_ft`]: row(null, getFineTuning),
  [`POST ${DATASET}/runs`]: row("Example[]", postDatasetRuns, {
    body: () =>
      z.looseObject({ session_ids: list(ID), limit: LAX.nullish(), offset: LAX.nullish() }),
  }),
  "GET /examples": listRow({
    reply: "Example[]",
    paging: OFFSETS,
    find: findExamples,
    filters: EXAMPLE_FILTERS,
    view: () => same,
    query: ["as_of"],
  }),
  "GET /examples/{example_id}": row("Example", (world, call) => {
    const id = call.params["example_id"]!;
    const dataset = datasetsOf(world, call).find((one) => examplesIn(world, one.id).includes(id));
    if (dataset === undefined) return refuse(404, `Example ${id} not found`);
    refuseVersion(call, dataset);
    return ok(findOne(examplesOf(world, dataset), id, `Example ${id} not found`));
  }),
  "GET /feedback": listRow({
    reply: "Feedback[]",
    paging: OFFSETS,
    find: findFeedback,
    filters: FEEDBACK_FILTERS,
    view: () => same,
    query: ["key"],
  }),
  "GET /feedback/{feedback_id}": row("Any", (world, call) => {
    const all = runsFor(world, call, []).flatMap(feedbackOf);
    return ok(findOne(all, call.params["feedback_id"], "Feedback not found"));
  }),
  // The workspace.
  "GET /settings": row("Any", (_, call) =>
    ok({
      id: call.tenant_id,
      display_name: "Emulator",
      created_at: "2026-01-01T00:00:00.000Z",
      tenant_handle: null,
    }),
  ),
};

/** The same below /v2. */
export const DATASETS_V2: Endpoints = {
  "GET /datasets": datasetList("CursorPage", CURSORS),
  [`POST ${DATASET}/experiment-runs`]: row("CursorPage", postExperimentRuns, {
    body: () => z.looseObject({ experiment_ids: list(ID), cursor: z.string().nullish() }),
  }),
};
