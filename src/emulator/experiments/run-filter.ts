import type { Json, JsonObject } from "../../model/json.ts";
import { latencyOf, metadataOf, toRunReply, type KeptRun } from "./experiment-rows.ts";
import { toExpression } from "./filter-expression.ts";
import { refuseValue } from "../http/reply.ts";
import { bodyBoolean, isAsked, textsIn } from "../http/request-value.ts";
import { parseTime, scoreOf } from "./upload-check.ts";

/** Whether a run is one of those asked for. */
export type RunTest = (run: KeptRun) => boolean;

/** Names of the filters in a body; the two versions of the API call them differently. */
export interface FilterNames {
  readonly ids: string;
  readonly trace: string;
  readonly examples: string;
  readonly error: string;
  /** Earliest start. */
  readonly from: string;
  /** Latest start, where there is such a filter. */
  readonly to?: string;
}

/** What an expression can ask about; of every other name the emulator knows nothing. */
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

const see = (run: KeptRun): JsonObject => ({
  ...toRunReply(run),
  latency: latencyOf(run),
  metadata: metadataOf(run),
  feedback: run.row.evaluation_scores.map((one) => ({ ...one, score: scoreOf(one) })),
});

/** The test of an expression about runs, or the 422 that says what it may be. */
export const toRunExpression = (text: Json | undefined, field: string): RunTest =>
  toExpression(text, ["body", field], NAMES, see);

function oneOf(body: JsonObject, name: string, read: (run: KeptRun) => string | null): RunTest {
  const asked = textsIn(body, name);
  return (run) => isAsked(asked, read(run));
}

function isTrue(body: JsonObject, name: string, read: RunTest): RunTest {
  const asked = bodyBoolean(body, name);
  return (run) => asked === null || read(run) === asked;
}

function startTest(
  body: JsonObject,
  name: string,
  fits: (start: number, bound: number) => boolean,
): RunTest {
  if ((body[name] ?? null) === null) return () => true;
  const bound = parseTime(body[name]);
  return Number.isNaN(bound)
    ? refuseValue("body", name, "Input should be a valid datetime", "datetime_parsing")
    : ({ row }) => fits(parseTime(row.start_time), bound);
}

/** The test that a body's filters make together, or the 422 for the first that is wrong or not supported. */
export function toRunTest(body: JsonObject, names: FilterNames): RunTest {
  const tests = [
    oneOf(body, names.ids, ({ id }) => id),
    oneOf(body, names.trace, ({ id }) => id),
    oneOf(body, "parent_run", () => null),
    oneOf(body, names.examples, ({ row }) => row.row_id),
    oneOf(body, "run_type", () => "chain"),
    isTrue(body, names.error, ({ row }) => row.error !== null),
    isTrue(body, "is_root", () => true),
    startTest(body, names.from, (start, bound) => start >= bound),
    ...(names.to === undefined
      ? []
      : [startTest(body, names.to, (start, bound) => start <= bound)]),
    ...["filter", "trace_filter", "tree_filter"].map((name) => toRunExpression(body[name], name)),
  ];
  return (run) => tests.every((test) => test(run));
}
