import type { FormatPage } from "./page.ts";

/** Google ADK eval set results (JSON): a file that holds all of it, and what readers must know. */
export const adkPage: FormatPage = {
  examples: [
    {
      name: "set.evalset_result.json",
      text: JSON.stringify({
        eval_set_result_id: "r",
        eval_set_id: "s",
        creation_timestamp: 1767225600,
        eval_case_results: [
          {
            eval_set_id: "s",
            eval_id: "case",
            final_eval_status: 1,
            overall_eval_metric_results: [
              { metric_name: "m", score: 1, threshold: 0.5, eval_status: 1 },
            ],
            eval_metric_result_per_invocation: [
              {
                actual_invocation: { final_response: { parts: [{ text: "b" }] } },
                expected_invocation: {
                  user_content: { parts: [{ text: "a" }] },
                  final_response: { parts: [{ text: "c" }] },
                },
              },
            ],
            session_id: "x",
          },
          { eval_id: "other", final_eval_status: 3 },
        ],
      }),
    },
  ],
  notes: [
    "The example is the eval set and the `eval_id` that somebody gave; several runs of one case are repeats.",
  ],
};
