import { own, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import type { ReadRow } from "../input/row.ts";
import { anyOf, listAt, present } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** EvalStatus, as a number or name. */
const MARKS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ["PASSED", true],
  [2, false],
  ["FAILED", false],
]);

/** Reads a key in either spelling: ADK used snake_case first, and camelCase since. */
function either(value: unknown, snake: string): unknown {
  const camel = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return anyOf(value, snake, camel);
}

/** The oldest files pair each metric with its result; the set's id may be outside the case. */
function toCase(record: JsonRecord, set: unknown): JsonRecord {
  const overall = either(record, "overall_eval_metric_results");
  const pairs = either(record, "eval_metric_results");
  const paired = listAt(pairs).map((pair) =>
    Array.isArray(pair) ? { ...(pair[0] as object), ...(pair[1] as object) } : pair,
  );
  return {
    ...record,
    eval_set_id: either(record, "eval_set_id") ?? either(set, "eval_set_id"),
    overall_eval_metric_results: Array.isArray(overall) ? overall : paired,
  };
}

function turnsOf(record: unknown): Pick<ReadRow, "inputs" | "expected_outputs" | "actual_outputs"> {
  const turns = listAt(either(record, "eval_metric_result_per_invocation"));
  const side = (invocation: string, content: string): string[] =>
    turns
      .map((turn) =>
        listAt(either(either(turn, invocation), content), "parts")
          .map((part) => ownString(part, "text") ?? "")
          .join(""),
      )
      .filter((text) => text !== "");
  const asked = side("expected_invocation", "user_content");
  const expected = side("expected_invocation", "final_response");
  const user = asked.length === 0 ? side("actual_invocation", "user_content") : asked;
  return {
    inputs: { eval_id: either(record, "eval_id") ?? null, user },
    expected_outputs: expected.length === 0 ? undefined : { responses: expected },
    actual_outputs: present([["responses", side("actual_invocation", "final_response")]]),
  };
}

/** Result files of Google ADK's eval sets (`.evalset_result.json`). */
export const adkFormat = createRecipe({
  name: "adk",
  title: "Google ADK eval set results (JSON)",
  detect: (head) =>
    head.container === "json" &&
    (hasKeys(head, ["eval_case_results | evalCaseResults"]) ||
      /^\s*"\{\\"eval_?set_?result_?id\\"/i.test(head.text)),
  mapping: `
exact: true
rows: eval_case_results | evalCaseResults
identity: { eval_set: eval_set_id, eval_id: eval_id }
evaluation_scores:
  list: overall_eval_metric_results
  key: metric_name
  score: score
  pass: eval_status
  threshold: threshold
  words: { "1": 1, "PASSED": 1, "2": 0, "FAILED": 0 }
error: error_message | error
run_name: eval_id
run_metadata: { eval_set_id: eval_set_id, session_id: session_id }
ignore: [final_eval_status, session_details, eval_metric_result_per_invocation]
suite: eval_set_id
started_at: creation_timestamp
`,
  // For a while ADK wrote its result as a text that contains JSON.
  document: ({ name, document }) => {
    if (typeof document !== "string") return document;
    const inner = parseLenientJson(document);
    if (inner.problem !== undefined) throw refusal({ file: name }, `the file ${inner.problem}`);
    return inner.value;
  },
  hook: ({ document }) => ({
    before: (record) => toCase(record, document),
    finish: (row, { value }) => {
      const pass = MARKS.get(either(value, "final_eval_status"));
      const scores = (row.evaluation_scores ?? []) as readonly unknown[];
      // A case whose inference failed has the status FAILED, and nothing was measured.
      const nothing =
        pass === undefined
          ? scores.every((score) => typeof own(score, "score") !== "number")
          : scores.length === 0 && !pass;
      const isSaid = typeof row.error === "string";
      return {
        ...row,
        ...turnsOf(value),
        evaluation_scores:
          pass === undefined || nothing ? scores : [...scores, { key: "pass", score: pass }],
        error: isSaid || !nothing ? row.error : "the case was not evaluated",
      };
    },
  }),
});
