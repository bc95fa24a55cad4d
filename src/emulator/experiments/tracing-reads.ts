import { findDataset, findDatasets, toDataset } from "./experiment.ts";
import {
  examplesOf,
  examplesWithRuns,
  feedbackOf,
  pageOfRuns,
  toExampleReply,
  toRunReply,
  type KeptRun,
} from "./experiment-rows.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { toExpression } from "./filter-expression.ts";
import { iso } from "../deployments/readback.ts";
import { type Reply, ok, refuse, refuseUuid, refuseValue } from "../http/reply.ts";
import {
  bodyOf,
  cursorPage,
  isAsked,
  metadataTest,
  PAGE,
  pageIn,
  pageOf,
  queryBoolean,
  refuseUnsupported,
  textsIn,
  textsOf,
  type Unsupported,
} from "../http/request-value.ts";
import { isMine, runsFor, toSelection } from "./run-reads.ts";
import { toRunExpression, type RunTest } from "./run-filter.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import { parseTime } from "./upload-check.ts";
import { isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** The ids that a body lists, or the 422 where it is no list of uuids. */
function idsOf(body: JsonObject, name: string): readonly string[] {
  const ids = body[name];
  if (!Array.isArray(ids)) return refuseValue("body", name, "Field required", "missing");
  const wrong = (ids as readonly Json[]).find((id) => !isUuid(id));
  if (wrong !== undefined) return refuseUuid("body", name);
  return (ids as readonly string[]).map((id) => id.toLowerCase());
}

function sessionsIn(
  world: World,
  call: Call,
  dataset: StoredDataset,
  ids: readonly string[],
): readonly StoredSession[] {
  return ids.flatMap((id) => {
    const found = world.store.get("sessions", id);
    return found !== undefined && isMine(call, found) && found.dataset_id === dataset.id
      ? [found]
      : [];
  });
}

function withRuns(
  world: World,
  dataset: StoredDataset,
  sessions: readonly StoredSession[],
  show: (run: KeptRun) => JsonObject,
  test: RunTest | null,
): JsonObject[] {
  return examplesWithRuns(world, dataset, sessions).flatMap(({ row, runs }) => {
    const fitting = test === null ? runs : runs.filter(test);
    const example = { ...toExampleReply(dataset, row), runs: fitting.map(show) };
    return fitting.length === 0 ? [] : [example];
  });
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

/** Ways to choose the rows of experiments that the emulator cannot honour. */
const UNSUPPORTED_OF_ROWS: Unsupported = {
  comparative_experiment_id: [],
  sort_params: [],
  sort: [],
};

/** The test that a body's `filters`, expressions by experiment, make of runs; null where there are none. */
function filtersIn(body: JsonObject): RunTest | null {
  const filters = body["filters"] ?? {};
  if (!isObject(filters))
    return refuseValue("body", "filters", "Input should be a valid dictionary", "dict_type");
  const tests = new Map<string, readonly RunTest[]>();
  for (const [id, texts] of Object.entries(filters)) {
    const all = [texts ?? []].flat().map((text: Json) => toRunExpression(text, "filters"));
    tests.set(id.toLowerCase(), all);
  }
  return tests.size === 0
    ? null
    : (run) => (tests.get(run.session.id) ?? []).every((test) => test(run));
}

/** POST /api/v1/datasets/{dataset_id}/runs: examples with the runs of some experiments, a page at a time. */
export function postDatasetRuns(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  refuseUnsupported(call, "body", UNSUPPORTED_OF_ROWS);
  const body = bodyOf(call);
  const ids = idsOf(body, "session_ids");
  const most = world.settings.profile === "hosted" ? PAGE : null;
  const page = pageIn("body", (name) => body[name], { usual: PAGE, most });
  const test = filtersIn(body);
  const sessions = sessionsIn(world, call, dataset, ids);
  return sessions.length === 1 && test === null
    ? ok(pageOfOne(world, dataset, sessions[0]!, page).items)
    : ok(withRuns(world, dataset, sessions, toRunReply, test).slice(...page));
}

/** POST /api/v2/datasets/{dataset_id}/experiment-runs: the same in pages with a cursor. */
export function postExperimentRuns(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  refuseUnsupported(call, "body", UNSUPPORTED_OF_ROWS);
  const body = bodyOf(call);
  const ids = idsOf(body, "experiment_ids");
  if (ids.length === 0)
    return refuseValue("body", "experiment_ids", "List should have at least 1 item", "too_short");
  const only = textsIn(body, "example_ids");
  const selects = textsIn(body, "selects");
  const selection = toSelection(selects, "body");
  const test = filtersIn(body);
  // Without a selection whole runs are shown, in the words of the first version.
  const show = body["selects"] == null ? toRunReply : selection;
  const all = withRuns(world, dataset, sessionsIn(world, call, dataset, ids), show, test);
  const asked = all.filter((one) => isAsked(only, String(one["id"])));
  return cursorPage(asked, body["cursor"], body["page_size"]);
}

/** GET /api/v2/datasets: in pages with a cursor. */
export function listDatasetsByCursor(world: World, call: Call): Reply {
  const found = findDatasets(world, call);
  return cursorPage(
    found.map((one) => toDataset(world, one)),
    call.query.get("cursor"),
    call.query.get("page_size"),
  );
}

const datasetsOf = (world: World, call: Call): readonly StoredDataset[] =>
  world.store.all("datasets").filter((one) => one.tenant_id === call.caller.tenant_id);

/** The only split; what the service calls examples that nobody split. */
const SPLIT = "base";

/** Ways to choose examples that the emulator cannot honour. */
const UNSUPPORTED_OF_EXAMPLES: Unsupported = {
  full_text_contains: [],
  order: ["recent"],
  random_seed: [],
};

/** Of each dataset there is one version, the latest; an earlier one is refused. */
function refuseVersion(call: Call, datasets: readonly StoredDataset[]): void {
  const asked = call.query.get("as_of") ?? "latest";
  const latest = Math.max(...datasets.map((one) => one.modified_ms));
  if (asked !== "latest" && !(parseTime(asked) >= latest))
    refuseValue(
      "query",
      "as_of",
      "The emulator keeps only the latest version of a dataset. Leave as_of out.",
      "not_supported",
    );
}

/** GET /api/v1/examples?dataset=…&id=…. */
export function listExamples(world: World, call: Call): Reply {
  const page = pageOf(call);
  const datasets = textsOf(call, "dataset");
  const ids = textsOf(call, "id");
  if (datasets.length === 0 && ids.length === 0)
    return refuse(400, "Must specify either dataset or id");
  const hasMetadata = metadataTest(call);
  const asked = datasetsOf(world, call).filter((one) => isAsked(datasets, one.id));
  refuseUnsupported(call, "query", UNSUPPORTED_OF_EXAMPLES);
  refuseVersion(call, asked);
  const fits = toExpression<JsonObject>(
    call.query.get("filter"),
    ["query", "filter"],
    ["id", "name", "created_at", "metadata", "metadata_key", "metadata_value"],
    (one) => ({ ...one, metadata: {} }),
  );
  // Uploads make examples of the split "base", and without metadata.
  const chosen = isAsked(textsOf(call, "splits"), SPLIT) && hasMetadata(null);
  const found = (chosen ? asked : [])
    .flatMap((one) => examplesOf(world, one))
    .filter((one) => isAsked(ids, String(one["id"])) && fits(one));
  return ok(found.slice(...page));
}

/** GET /api/v1/examples/{example_id}. */
export function getExample(world: World, call: Call): Reply {
  const id = call.params["example_id"]!;
  for (const dataset of datasetsOf(world, call)) {
    if (!dataset.examples.includes(id)) continue;
    refuseVersion(call, [dataset]);
    const found = examplesOf(world, dataset).find((one) => one["id"] === id);
    if (found !== undefined) return ok(found);
  }
  return refuse(404, `Example ${id} not found`);
}

/** Ways to choose feedback that the emulator cannot honour. */
const UNSUPPORTED_OF_FEEDBACK: Unsupported = {
  user: [],
  level: ["run"],
  comparative_experiment_id: [],
  min_created_at: [],
  max_created_at: [],
};

function sourceOf({ feedback_source: source }: JsonObject): string {
  const type = isObject(source) ? source["type"] : null;
  return typeof type === "string" ? type : "api";
}

/** GET /api/v1/feedback?run=…&session=…&key=…. */
export function listFeedback(world: World, call: Call): Reply {
  const page = pageOf(call);
  refuseUnsupported(call, "query", UNSUPPORTED_OF_FEEDBACK);
  const runs = textsOf(call, "run");
  const keys = call.query.getAll("key");
  const sources = textsOf(call, "source");
  const commented = queryBoolean(call, "has_comment");
  const scored = queryBoolean(call, "has_score");
  const found = runsFor(world, call, textsOf(call, "session"))
    .filter((run) => isAsked(runs, run.id))
    .flatMap(feedbackOf)
    .filter((one) => keys.length === 0 || keys.includes(String(one["key"])))
    .filter(
      (one) =>
        isAsked(sources, sourceOf(one)) &&
        (commented === null || (one["comment"] !== null) === commented) &&
        (scored === null || (one["score"] !== null) === scored),
    );
  return ok(found.slice(...page));
}

/** GET /api/v1/feedback/{feedback_id}. */
export function getFeedback(world: World, call: Call): Reply {
  const id = call.params["feedback_id"]!;
  const found = runsFor(world, call, [])
    .flatMap(feedbackOf)
    .find((one) => one["id"] === id);
  return found === undefined ? refuse(404, "Feedback not found") : ok(found);
}

/** GET /api/v1/datasets/{dataset_id}/versions: an externally managed dataset has one. */
export function listVersions(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  return ok([{ tags: ["latest"], as_of: iso(dataset.modified_ms) }]);
}

/** GET /api/v1/datasets/{dataset_id}/version. */
export function getVersion(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  if ((call.query.get("tag") ?? "latest") !== "latest")
    return refuse(404, "Dataset version not found");
  refuseVersion(call, [dataset]);
  return ok({ tags: ["latest"], as_of: iso(dataset.modified_ms) });
}

/** GET /api/v1/datasets/{dataset_id}/versions/diff. */
export function diffVersions(world: World, call: Call): Reply {
  findDataset(world, call);
  return ok({ examples_modified: [], examples_added: [], examples_removed: [] });
}

/** GET /api/v1/datasets/{dataset_id}/splits. */
export function listSplits(world: World, call: Call): Reply {
  refuseVersion(call, [findDataset(world, call)]);
  return ok([SPLIT]);
}

const messagesIn = (value: Json | undefined): readonly Json[] | null => {
  const messages = isObject(value) ? value["messages"] : null;
  return Array.isArray(messages) ? messages : null;
};

/** GET /api/v1/datasets/{dataset_id}/openai_ft: a line of messages for each example, which must have them. */
export function getFineTuning(world: World, call: Call): Reply {
  const dataset = findDataset(world, call);
  const lines: string[] = [];
  for (const one of examplesOf(world, dataset)) {
    const asked = messagesIn(one["inputs"]);
    if (asked === null)
      return refuse(400, `Example ${String(one["id"])} has no list of messages in its inputs.`);
    const messages = [...asked, ...(messagesIn(one["outputs"]) ?? [])];
    lines.push(JSON.stringify({ messages }));
  }
  return {
    status: 200,
    text: lines.join("\n"),
    headers: { "content-type": "text/plain; charset=utf-8" },
  };
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
