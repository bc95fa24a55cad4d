import { isObject, withMembers, type Json, type JsonObject } from "../../model/json.ts";
import { tally } from "./statistics.ts";
import type { StoredDataset, StoredSession } from "../state/store.ts";
import { parseTime } from "../http/parameter.ts";
import { uuidOf, type World } from "../world.ts";

/**
 * Characters of rows stored whole, per experiment and in total; beyond them inputs, outputs and
 * metadata are dropped.
 */
const MAX_CHARS = 32 * 1024 * 1024;
const MAX_CHARS_IN_ALL = 128 * 1024 * 1024;

/** What a row may be without: dropped where memory is short, or left out of an upload. */
const HEAVY = {
  inputs: {} as JsonObject,
  expected_outputs: null as Json,
  actual_outputs: null as Json,
  run_metadata: null as Json,
};
const EMPTY = {
  evaluation_scores: [] as readonly JsonObject[],
  start_time: "",
  end_time: "",
  run_name: null as string | null,
  error: null as string | null,
};
/** One row of an experiment; it is stored as compact JSON text, so that many fit in memory. */
type KeptRow = Readonly<typeof HEAVY & typeof EMPTY> & { readonly row_id: string };

/** The stored form of a row, without its id; whole only below that many characters of its experiment. */
export const toKept = (row: JsonObject, before: number): string =>
  JSON.stringify({
    ...withMembers<string, Json, Json>(
      HEAVY,
      (none, name) => (before < MAX_CHARS ? row[name] : null) ?? none,
    ),
    ...withMembers<string, Json, Json>(EMPTY, (none, name) => row[name] ?? none),
  });

/** Adds an id to a stored row. */
export const withRowId = (text: string, id: string): string =>
  `{"row_id":${JSON.stringify(id)},${text.slice(1)}`;

const sizeOf = (rows: readonly string[]): number =>
  rows.reduce((sum, text) => sum + text.length, 0);

/** Drops inputs, outputs and metadata of the oldest experiments until the rest fits in memory. */
export function trimRows({ store }: Pick<World, "store">): void {
  const order = store.all("sessions").map((one) => rowsKey(one.dataset_id ?? "", one.id));
  const ages = new Map(order.map((key, i) => [key, i]));
  // Remains of deleted experiments have no age, and come first.
  const ageOf = (key: string): number => ages.get(key) ?? -1;
  const all = store.entriesOf("rows").sort(([a], [b]) => ageOf(a) - ageOf(b));
  let left = all.reduce((sum, [, rows]) => sum + sizeOf(rows), 0);
  for (const [key, rows] of all) {
    if (left <= MAX_CHARS_IN_ALL) return;
    const thin = rows.map((text) => {
      const row = JSON.parse(text) as JsonObject;
      return withRowId(toKept(row, Infinity), String(row["row_id"]));
    });
    store.put("rows", key, thin);
    left -= sizeOf(rows) - sizeOf(thin);
  }
}

/** The id at the beginning of a stored row. */
const idIn = (text: string): string => text.slice(11, text.indexOf('"', 11));

/** The key of an experiment's stored rows. */
export const rowsKey = (dataset: string, session: string): string => `${dataset} ${session}`;

const rowTextsOf = ({ store }: World, { id, dataset_id }: StoredSession): readonly string[] =>
  store.get("rows", rowsKey(dataset_id ?? "", id)) ?? [];

const zoned = (time: string): string =>
  /[zZ]$|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}${time.includes("T") ? "Z" : ""}`;

/** A run: one row of an experiment. Its id is made from the experiment and the row's position, so it is not stored. */
export interface KeptRun {
  readonly id: string;
  readonly session: StoredSession;
  readonly row: KeptRow;
}

const runAt = (session: StoredSession, text: string, i: number): KeptRun => ({
  id: uuidOf(`run ${session.id} ${i}`),
  session,
  row: JSON.parse(text) as KeptRow,
});

/** The runs of one experiment in row order. */
export const runsOf = (world: World, session: StoredSession): readonly KeptRun[] =>
  rowTextsOf(world, session).map((text, i) => runAt(session, text, i));

/** Every experiment of a dataset, oldest first. */
export const sessionsOf = (world: World, dataset: string): readonly StoredSession[] =>
  world.store.all("sessions").filter((one) => one.dataset_id === dataset);

/** Metadata of a run; empty if the upload had none. */
export const metadataOf = ({ row }: KeptRun): JsonObject =>
  isObject(row.run_metadata) ? row.run_metadata : {};

/** Seconds a run took. */
export const latencyOf = ({ row }: KeptRun): number =>
  (parseTime(row.end_time) - parseTime(row.start_time)) / 1000;

/** Metadata keys that assign a run to a thread. */
const THREAD_KEYS = ["thread_id", "session_id", "conversation_id"];

/** The thread named in a run's metadata; null if there is none. */
export function threadOf(run: KeptRun): string | null {
  const metadata = metadataOf(run);
  const id = THREAD_KEYS.map((key) => metadata[key] ?? null).find((one) => one !== null) ?? null;
  return id === null ? null : String(id as string);
}

const noTokens = (): Json => null;
/** What the tracing API shows of a run, by name. */
export const RUN_FIELDS: Readonly<Record<string, (run: KeptRun) => Json>> = {
  id: ({ id }) => id,
  name: ({ row }) => row.run_name ?? "run",
  run_type: () => "chain",
  status: ({ row }) => (row.error === null ? "success" : "error"),
  start_time: ({ row }) => zoned(row.start_time),
  end_time: ({ row }) => zoned(row.end_time),
  error: ({ row }) => row.error,
  inputs: ({ row }) => row.inputs,
  outputs: ({ row }) => row.actual_outputs,
  extra: ({ row }) => (row.run_metadata === null ? {} : { metadata: row.run_metadata }),
  feedback_stats: ({ row }) => tally(row.evaluation_scores) ?? {},
  session_id: ({ session }) => session.id,
  project_id: ({ session }) => session.id,
  trace_id: ({ id }) => id,
  thread_id: threadOf,
  dotted_order: ({ id, row }) => `${zoned(row.start_time).replaceAll(/[-:.]/g, "")}${id}`,
  is_root: () => true,
  parent_run_id: () => null,
  parent_run_ids: () => [],
  child_run_ids: () => [],
  reference_example_id: ({ row }) => row.row_id,
  reference_dataset_id: ({ session }) => session.dataset_id,
  tags: () => [],
  app_path: ({ id, session }) => `/o/${session.tenant_id ?? ""}/projects/p/${session.id}/r/${id}`,
  total_tokens: noTokens,
  prompt_tokens: noTokens,
  completion_tokens: noTokens,
  total_cost: noTokens,
};

/** A run as the tracing API shows it. */
export const toRunReply = (run: KeptRun): JsonObject =>
  withMembers(RUN_FIELDS, (read) => read(run));

/** Every feedback of a run as the tracing API shows it. */
export function feedbackOf({ id, session, row }: KeptRun): readonly JsonObject[] {
  const uploaded = new Date(session.created_ms).toISOString();
  return row.evaluation_scores.map((one, i) => ({
    id: uuidOf(`feedback ${id} ${i}`),
    run_id: id,
    trace_id: id,
    session_id: session.id,
    start_time: zoned(row.start_time),
    key: one["key"] ?? "",
    score: one["score"] ?? null,
    value: one["value"] ?? null,
    comment: one["comment"] ?? null,
    correction: one["correction"] ?? null,
    feedback_source: one["feedback_source"] ?? { type: "api", metadata: {} },
    created_at: one["created_at"] ?? uploaded,
    modified_at: one["modified_at"] ?? uploaded,
    extra: null,
  }));
}

/** An example as the tracing API shows it, with the contents of an uploaded row. */
export function toExampleReply(dataset: StoredDataset, row: KeptRow): JsonObject {
  const at = new Date(dataset.created_ms).toISOString();
  return {
    id: row.row_id,
    dataset_id: dataset.id,
    name: `#${row.row_id.slice(0, 8)}`,
    inputs: row.inputs,
    outputs: isObject(row.expected_outputs) ? row.expected_outputs : null,
    metadata: null,
    created_at: at,
    modified_at: at,
    source_run_id: null,
    attachment_urls: null,
  };
}

/** The rows that created a dataset's examples, by id: the first one of each. */
function firstRows({ store }: World, dataset: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const text of store.of("rows", dataset).flat())
    if (!found.has(idIn(text))) found.set(idIn(text), text);
  return found;
}

/** The ids of a dataset's examples in order of arrival. */
export const examplesIn = (world: World, dataset: string): readonly string[] => [
  ...firstRows(world, dataset).keys(),
];

/** Called before an experiment is deleted: the dataset keeps the examples that it added. */
export function leaveExamples(world: World, session: StoredSession): void {
  const dataset = session.dataset_id ?? "";
  const first = firstRows(world, dataset);
  const kept = rowTextsOf(world, session).filter((text) => first.get(idIn(text)) === text);
  if (kept.length > 0) world.store.put("rows", rowsKey(dataset, session.id), kept);
  else world.store.remove("rows", rowsKey(dataset, session.id));
}

/** Every example of a dataset, as first uploaded. */
export const examplesOf = (world: World, dataset: StoredDataset): readonly JsonObject[] =>
  [...firstRows(world, dataset.id).values()].map((text) =>
    toExampleReply(dataset, JSON.parse(text) as KeptRow),
  );

/** The examples of some experiments in order of arrival, each with its runs, which are read on demand. */
export function examplesWithRuns(world: World, sessions: readonly StoredSession[]) {
  const found = new Map<string, (() => KeptRun)[]>();
  for (const session of sessions)
    for (const [i, text] of rowTextsOf(world, session).entries()) {
      const known = found.get(idIn(text)) ?? [];
      found.set(idIn(text), known);
      known.push(() => runAt(session, text, i));
    }
  return [...found].map(([id, readers]) => ({ id, runs: () => readers.map((read) => read()) }));
}
