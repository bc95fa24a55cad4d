import { body, ID, list, TEXT } from "../control/schema.ts";
import { LAX } from "../rules/validation.ts";
import {
  examplesIn,
  examplesOf,
  examplesWithRuns,
  feedbackOf,
  rowTextsOf,
  runAt,
  sessionsOf,
  toExampleReply,
  toRunReply,
  type KeptRun,
} from "./experiment-rows.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { language } from "./filter-expression.ts";
import { iso } from "../deployments/readback.ts";
import { listRow, row, type Endpoints } from "../http/endpoint.ts";
import { equals, hasMetadata, holds, isOneOf, isSo, testOf, type Filters } from "../http/filter.ts";
import { CURSORS, OFFSETS, pageBy } from "../http/paging.ts";
import { type Reply, ok, refuse, toText } from "../http/reply.ts";
import {
  inBody,
  inQuery,
  isAsked,
  parseTime,
  refuseParam,
  refuseUnsupported,
  textOf,
  textsOf,
  givenBy,
} from "../http/request-value.ts";
import { isMine, RUN_EXPRESSION, runsFor, toSelection } from "./run-reads.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import type { Call, World } from "../world.ts";

/** Uploads make datasets of one type; their examples are of the split that the service calls unsplit ones. */
const DATA_TYPE = "kv";
const SPLIT = "base";

/** What a GET answers for it, counts included. */
export function toDataset(world: World, one: StoredDataset): JsonObject {
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
}

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
  world.store.all("datasets").filter((one) => one.tenant_id === call.caller.tenant_id);
const findDatasets = (world: World, call: Call): readonly StoredDataset[] =>
  datasetsOf(world, call).filter(testOf(DATASET_FILTERS, call));
const viewOf = (world: World) => (one: StoredDataset) => toDataset(world, one);

/** A dataset of the caller by its id in the path, or the 404. */
export function findDataset(world: World, call: Call): StoredDataset {
  const found = world.store.get("datasets", call.params["dataset_id"]!);
  return found !== undefined && found.tenant_id === call.caller.tenant_id
    ? found
    : refuse(404, "Dataset not found");
}

type RunTest = (run: KeptRun) => boolean;

/** The experiments of a dataset that a body names, and the expressions about each of them that it gives. */
function experimentsIn(
  world: World,
  call: Call,
  name: string,
): { readonly dataset: StoredDataset; readonly sessions: readonly StoredSession[]; test: RunTest } {
  const dataset = findDataset(world, call);
  refuseUnsupported(call, "body", { comparative_experiment_id: [], sort_params: [], sort: [] });
  const param = inBody(call, "filters");
  const filters = givenBy(param) ?? {};
  if (!isObject(filters))
    return refuseParam(param, "dict_type", "Input should be a valid dictionary");
  const tests = new Map(
    Object.entries(filters).map(([id, texts]) => [
      id.toLowerCase(),
      [texts ?? []].flat().map((text: Json) => RUN_EXPRESSION(param, text)),
    ]),
  );
  const sessions = textsOf(inBody(call, name)).flatMap((id) => {
    const found = world.store.get("sessions", id);
    return found !== undefined && isMine(call, found) && found.dataset_id === dataset.id
      ? [found]
      : [];
  });
  return {
    dataset,
    sessions,
    test: (run) => (tests.get(run.session.id) ?? []).every((test) => test(run)),
  };
}

/** Examples with the runs that fit; one without any is left out. */
function withRuns(
  world: World,
  { dataset, sessions, test }: ReturnType<typeof experimentsIn>,
  show: (run: KeptRun) => JsonObject,
): readonly JsonObject[] {
  return examplesWithRuns(world, dataset, sessions).flatMap(({ row: kept, runs }) => {
    const fitting = runs.filter(test);
    const example = { ...toExampleReply(dataset, kept), runs: fitting.map(show) };
    return fitting.length === 0 ? [] : [example];
  });
}

/** Examples with the runs of some experiments, a page at a time. */
function postDatasetRuns(world: World, call: Call): Reply {
  const found = experimentsIn(world, call, "session_ids");
  const { dataset, sessions } = found;
  const [only, second] = sessions;
  const { most, usual } = OFFSETS.bounds;
  const bounds = { usual, most: world.settings.profile === "hosted" ? most! : null };
  const page = pageBy(call, { ...OFFSETS, where: "body", bounds });
  if (only === undefined || second !== undefined || givenBy(inBody(call, "filters")) !== null)
    return page(withRuns(world, found, toRunReply), (one) => one);
  // Each row of a single experiment is an example of its own: only those of the page are parsed.
  return page(rowTextsOf(world, only), (text, i) => {
    const run = runAt(only, text, i);
    return { ...toExampleReply(dataset, run.row), runs: [toRunReply(run)] };
  });
}

/** The same in pages with a cursor, with the selected fields of the runs. */
function postExperimentRuns(world: World, call: Call): Reply {
  const found = experimentsIn(world, call, "experiment_ids");
  const ids = inBody(call, "experiment_ids");
  if (textsOf(ids).length === 0)
    return refuseParam(ids, "too_short", "List should have at least 1 item");
  const only = textsOf(inBody(call, "example_ids"));
  const selects = inBody(call, "selects");
  const selection = toSelection(selects);
  // Without a selection whole runs are shown, in the words of the first version.
  const show = givenBy(selects) === null ? toRunReply : selection;
  const page = pageBy(call, { ...CURSORS, where: "body" });
  const all = withRuns(world, found, show).filter((one) => isAsked(only, String(one["id"])));
  return page(all, (one) => one);
}

/** Of each dataset there is one version, the latest; an earlier one is refused. */
function refuseVersion(call: Call, datasets: readonly StoredDataset[]): void {
  const asked = textOf(inQuery(call, "as_of")) ?? "latest";
  const latest = Math.max(...datasets.map((one) => one.modified_ms));
  if (asked !== "latest" && !(parseTime(asked) >= latest))
    refuseParam(
      inQuery(call, "as_of"),
      "not_supported",
      "The emulator keeps only the latest version of a dataset. Leave as_of out.",
    );
}
const versionOf = ({ modified_ms }: StoredDataset): JsonObject => ({
  tags: ["latest"],
  as_of: iso(modified_ms),
});

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
  const datasets = textsOf(inQuery(call, "dataset"));
  if (datasets.length === 0 && givenBy(inQuery(call, "id")) === null)
    return refuse(400, "Must specify either dataset or id");
  const asked = datasetsOf(world, call).filter((one) => isAsked(datasets, one.id));
  const fits = testOf(EXAMPLE_FILTERS, call);
  refuseVersion(call, asked);
  return asked.flatMap((one) => examplesOf(world, one)).filter(fits);
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
  const fits = testOf(FEEDBACK_FILTERS, call);
  const runs = textsOf(inQuery(call, "run"));
  const keys = call.query.getAll("key");
  return runsFor(world, call, textsOf(inQuery(call, "session")))
    .filter((run) => isAsked(runs, run.id))
    .flatMap(feedbackOf)
    .filter((one) => fits(one) && (keys.length === 0 || keys.includes(String(one["key"]))));
}

const messagesIn = (value: Json | undefined): readonly Json[] | null => {
  const messages = isObject(value) ? value["messages"] : null;
  return Array.isArray(messages) ? messages : null;
};

/** A line of messages for each example, which must have them. */
function getFineTuning(world: World, call: Call): Reply {
  const lines = examplesOf(world, findDataset(world, call)).map((one) => {
    const asked = messagesIn(one["inputs"]);
    if (asked === null)
      return refuse(400, `Example ${String(one["id"])} has no list of messages in its inputs.`);
    return JSON.stringify({ messages: [...asked, ...(messagesIn(one["outputs"]) ?? [])] });
  });
  return toText(lines.join("\n"));
}

const DATASET = "/datasets/{dataset_id}";
const same = (one: JsonObject): JsonObject => one;

/** Datasets with their examples and feedback, below /api/v1. */
export const DATASETS: Endpoints = {
  "GET /datasets": listRow(
    "Dataset[]",
    OFFSETS,
    findDatasets,
    viewOf,
    Object.keys(DATASET_FILTERS.by),
  ),
  [`GET ${DATASET}`]: row("Dataset", (world, call) =>
    ok(toDataset(world, findDataset(world, call))),
  ),
  // An externally managed dataset has one version.
  [`GET ${DATASET}/versions`]: row("Any", (world, call) =>
    ok([versionOf(findDataset(world, call))]),
  ),
  [`GET ${DATASET}/version`]: row("Any", (world, call) => {
    const dataset = findDataset(world, call);
    if ((textOf(inQuery(call, "tag")) ?? "latest") !== "latest")
      return refuse(404, "Dataset version not found");
    refuseVersion(call, [dataset]);
    return ok(versionOf(dataset));
  }),
  [`GET ${DATASET}/versions/diff`]: row("Any", (world, call) => {
    findDataset(world, call);
    return ok({ examples_modified: [], examples_added: [], examples_removed: [] });
  }),
  [`GET ${DATASET}/splits`]: row("Any", (world, call) => {
    refuseVersion(call, [findDataset(world, call)]);
    return ok([SPLIT]);
  }),
  [`GET ${DATASET}/openai_ft`]: row(null, getFineTuning),
  [`POST ${DATASET}/runs`]: row("Example[]", postDatasetRuns, {
    body: () => body({ "session_ids!": list(ID), limit: LAX, offset: LAX }),
  }),
  "GET /examples": listRow("Example[]", OFFSETS, findExamples, () => same, [
    ...Object.keys(EXAMPLE_FILTERS.by),
    "as_of",
  ]),
  "GET /examples/{example_id}": row("Example", (world, call) => {
    const id = call.params["example_id"]!;
    const dataset = datasetsOf(world, call).find((one) => examplesIn(world, one.id).includes(id));
    if (dataset === undefined) return refuse(404, `Example ${id} not found`);
    refuseVersion(call, [dataset]);
    const found = examplesOf(world, dataset).find((one) => one["id"] === id);
    return found === undefined ? refuse(404, `Example ${id} not found`) : ok(found);
  }),
  "GET /feedback": listRow("Feedback[]", OFFSETS, findFeedback, () => same, [
    ...Object.keys(FEEDBACK_FILTERS.by),
    "key",
  ]),
  "GET /feedback/{feedback_id}": row("Any", (world, call) => {
    const id = call.params["feedback_id"]!;
    const all = runsFor(world, call, []).flatMap(feedbackOf);
    return ok(all.find((one) => one["id"] === id) ?? refuse(404, "Feedback not found"));
  }),
  // Who the workspace is.
  "GET /settings": row("Any", (_, call) =>
    ok({
      id: call.caller.tenant_id,
      display_name: "Emulator",
      created_at: "2026-01-01T00:00:00.000Z",
      tenant_handle: null,
    }),
  ),
};

/** The same below /v2. */
export const DATASETS_V2: Endpoints = {
  "GET /datasets": listRow(
    "CursorPage",
    CURSORS,
    findDatasets,
    viewOf,
    Object.keys(DATASET_FILTERS.by),
  ),
  [`POST ${DATASET}/experiment-runs`]: row("CursorPage", postExperimentRuns, {
    body: () => body({ "experiment_ids!": list(ID), cursor: TEXT }),
  }),
};
