import { own, ownString, parseLenientJson } from "../lenient-json.ts";
import { refusal } from "../diagnostic.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { documentOf } from "./objects.ts";
import { anyOf, listAt, numberAt, present } from "./pick.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const METRIC: KnownFields = {
  ...known(
    "metric_name",
    "metricName",
    "threshold",
    "criterion",
    "score",
    "eval_status",
    "evalStatus",
  ),
  ...known("judge_model_options", "judgeModelOptions", "metric_info", "metricInfo"),
  details: known("token_usage_details", "tokenUsageDetails", "duration_details", "durationDetails"),
};
const KNOWN: KnownFields = {
  ...known("final_eval_status", "finalEvalStatus", "session_details", "sessionDetails"),
  ...known("eval_metric_result_per_invocation", "evalMetricResultPerInvocation"),
  overall_eval_metric_results: METRIC,
  overallEvalMetricResults: METRIC,
  eval_metric_results: METRIC,
  evalMetricResults: METRIC,
};

/** EvalStatus, in numbers or by name. */
const PASSED: readonly unknown[] = [1, "PASSED"],
  FAILED: readonly unknown[] = [2, "FAILED"];

/** Both spellings of a key: ADK wrote snake_case first, and camelCase since. */
function either(value: unknown, snake: string): unknown {
  const camel = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return anyOf(value, snake, camel);
}

const textOf = (content: unknown): string =>
  listAt(content, "parts")
    .map((part) => ownString(part, "text") ?? "")
    .join("");

function markOf(status: unknown): boolean | undefined {
  if (PASSED.includes(status)) return true;
  return FAILED.includes(status) ? false : undefined;
}

function scoresOf(result: unknown): unknown[] {
  const overall = either(result, "overall_eval_metric_results");
  // The oldest files pair each metric with its result.
  const pairs = either(result, "eval_metric_results");
  const metrics: unknown[] = Array.isArray(overall)
    ? overall
    : (Array.isArray(pairs) ? pairs : []).map((pair: unknown) =>
        Array.isArray(pair) ? { ...(pair[0] as object), ...(pair[1] as object) } : pair,
      );
  return metrics.flatMap((metric): unknown[] => {
    const key = either(metric, "metric_name");
    if (typeof key !== "string") return [];
    const mark = markOf(either(metric, "eval_status"));
    const threshold = own(metric, "threshold");
    return [
      { key, score: own(metric, "score") },
      ...(mark === undefined
        ? []
        : [
            {
              key: `${key}.pass`,
              score: mark,
              ...(typeof threshold === "number" ? { comment: `threshold ${threshold}` } : {}),
            },
          ]),
    ];
  });
}

function toRow(
  set: unknown,
  result: unknown,
  place: { readonly file: string; readonly line: number; readonly index: number },
): ReadRow {
  const evalId = either(result, "eval_id");
  const setId = either(result, "eval_set_id") ?? either(set, "eval_set_id");
  const turns = listAt({ turns: either(result, "eval_metric_result_per_invocation") }, "turns");
  const side = (name: string, field: string): string[] =>
    turns.map((turn) => textOf(either(either(turn, name), field))).filter((text) => text !== "");
  const asked = side("expected_invocation", "user_content");
  const expected = side("expected_invocation", "final_response");
  const pass = markOf(either(result, "final_eval_status"));
  const error = either(result, "error_message") ?? own(result, "error");
  const scores = scoresOf(result);
  // A case whose inference failed has the status FAILED, and nothing was measured.
  const nothing =
    pass === undefined
      ? scores.every((score) => typeof own(score, "score") !== "number")
      : scores.length === 0 && !pass;
  return {
    place,
    inputs: {
      eval_id: evalId ?? null,
      ...(asked.length === 0
        ? { user: side("actual_invocation", "user_content") }
        : { user: asked }),
    },
    identity: { eval_set: setId ?? null, eval_id: evalId ?? null },
    expected_outputs: expected.length === 0 ? undefined : { responses: expected },
    actual_outputs: present([["responses", side("actual_invocation", "final_response")]]),
    evaluation_scores:
      pass === undefined || nothing ? scores : [...scores, { key: "pass", score: pass }],
    ...(typeof error === "string" || nothing
      ? { error: typeof error === "string" ? error : "the case was not evaluated" }
      : {}),
    run_name: typeof evalId === "string" ? evalId : undefined,
    ...unreadOf(result, KNOWN),
    run_metadata: present([
      ["eval_set_id", setId],
      ["session_id", either(result, "session_id")],
    ]),
  };
}

/** ADK wrote its result as a text that holds JSON for a while. */
function resultOf(file: InputFile, head: Head): unknown {
  const document = documentOf(file, head);
  if (typeof document !== "string") return document;
  const inner = parseLenientJson(document);
  if (inner.problem !== undefined) throw refusal({ file: file.name }, `the file ${inner.problem}`);
  return inner.value;
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const file = files[0]!;
  let header: FileHeader = { given: {} };
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const set = resultOf(file, heads[0]!);
    const cases = either(set, "eval_case_results");
    header = {
      given: {},
      suite: ownString({ id: either(set, "eval_set_id") }, "id"),
      started_at: numberAt({ at: either(set, "creation_timestamp") }, "at"),
    };
    yield (Array.isArray(cases) ? cases : []).map((result: unknown, index) =>
      toRow(set, result, { file: file.name, line: 1, index }),
    );
  }
  return { batches, header: () => header };
}

/** Result files of Google ADK's eval sets (`.evalset_result.json`). */
export const adkFormat: Format = {
  name: "adk",
  title: "Google ADK eval set results (JSON)",
  detect: (head) =>
    head.container === "json" &&
    (head.keys.has("eval_case_results") ||
      head.keys.has("evalCaseResults") ||
      /^\s*"\{\\"eval_?set_?result_?id\\"/i.test(head.text)),
  open,
};
