/** What a tool calls these things, and what they become here. */
export interface Vocabulary {
  readonly failure: string;
  readonly error: string;
  readonly skip: string;
  readonly limit: string;
  readonly id: string;
  readonly conversation: string;
  /** The producer's own documentation. */
  readonly source: string;
}

const NONE = "–";

/** By format name; what a format does not know is a dash. */
export const VOCABULARY: Readonly<Record<string, Vocabulary>> = {
  promptfoo: {
    failure:
      "`failureReason` 1 (a failed assert, its reason in `error`): scores as they are, `pass` 0",
    error: "`failureReason` 2, or nothing graded: error, no scores",
    skip: NONE,
    limit: NONE,
    id: "`vars`; `id` and `testIdx` are new in every run",
    conversation: "in `vars`",
    source: "https://www.promptfoo.dev/docs/configuration/outputs/",
  },
  inspect: {
    failure: "grade I, or any value: the score",
    error: "`error`: error",
    skip: NONE,
    limit: "`limit`: scored, counts",
    id: "task and sample `id`, unless the ids are just 1 to n",
    conversation: "`input` messages, without their ids",
    source: "https://inspect.aisi.org.uk/setting-limits.html",
  },
  deepeval: {
    failure:
      "`success` false: `pass` 0, `<metric>.pass` 0; with `threshold` it shows which side of a metric is better",
    error: "`error` of a metric: that metric is unscored",
    skip: "`skipOnMissingParams`: no metric in the file",
    limit: NONE,
    id: "input and context",
    conversation: "`turns`: the agent's are output; `scenario` is the identity",
    source: "https://deepeval.com/docs/evaluation-multiturn-test-cases",
  },
  langsmith: {
    failure: "a failed assert: `pass` 0",
    error: "another exception, or no `outputs`: error, no pass mark",
    skip: "counted aloud",
    limit: NONE,
    id: "`inputs`; `, run N` is the repeat",
    conversation: "message ids are left out",
    source: "https://docs.langchain.com/langsmith/vitest-jest",
  },
  vitest: {
    failure: "`failed`: `pass` 0, whatever was thrown",
    error: "a file that did not load, a failed hook and the tests it kept from running",
    skip: "`skipped`, `pending`, `todo`: counted aloud",
    limit: "a timeout is `failed`",
    id: "title, describes and the file's name",
    conversation: NONE,
    source: "https://vitest.dev/guide/reporters.html#json-reporter",
  },
  "vitest-evals": {
    failure: "a judge's score; `pass` 0",
    error: "`harness.run.errors` without a score",
    skip: "counted aloud",
    limit: NONE,
    id: "title, describes, the file's name and the harness' input",
    conversation: "`session`: the first user message is input",
    source: "https://github.com/getsentry/vitest-evals",
  },
  "openai-evals": {
    failure: "`match.correct` false: 0",
    error: "`error` event",
    skip: NONE,
    limit: NONE,
    id: "the prompt",
    conversation: "in the prompt",
    source: "https://github.com/openai/evals/blob/main/docs/run-evals.md",
  },
  "openai-run": {
    failure:
      "`passed` false: `<name>.pass` 0; with `threshold` it shows which side of a metric is better",
    error: "`sample.error`, `status: error`",
    skip: NONE,
    limit: NONE,
    id: "`datasource_item` without answers, references and what names the run",
    conversation: "`sample.input` without the agent's turns, where there is no item",
    source:
      "https://developers.openai.com/api/reference/resources/evals/subresources/runs/subresources/output_items",
  },
  azure: {
    failure:
      "`_result` fail: `.pass` 0; with `_threshold` it shows which side of a metric is better",
    error: "NaN: the evaluator failed, unscored",
    skip: NONE,
    limit: NONE,
    id: "`inputs.*` without response and ground truth",
    conversation: "the agent's turns are output",
    source: "https://learn.microsoft.com/azure/ai-foundry/how-to/develop/evaluate-sdk",
  },
  evalite: {
    failure: "a score",
    error: "`status: fail` without scores",
    skip: NONE,
    limit: NONE,
    id: "eval, variant and input; trials are repeats",
    conversation: "in the input",
    source: "https://v1.evalite.dev/api/cli",
  },
  langfuse: {
    failure: "a score",
    error: "`error`",
    skip: NONE,
    limit: NONE,
    id: "the item's input",
    conversation: "message ids are left out",
    source: "https://langfuse.com/docs/evaluation/experiments/experiments-via-sdk",
  },
  "lm-eval": {
    failure: "a score",
    error: NONE,
    skip: NONE,
    limit: "`--limit` is part of the dataset: rows line up",
    id: "`doc`, and the filter",
    conversation: NONE,
    source: "https://github.com/EleutherAI/lm-evaluation-harness/blob/main/docs/interface.md",
  },
  adk: {
    failure: "status 2 (FAILED): `pass` 0",
    error: "not evaluated, and no score",
    skip: "status 3 (NOT_EVALUATED) of a metric: unscored",
    limit: NONE,
    id: "eval set and `eval_id`",
    conversation: "user contents are input, responses output",
    source: "https://google.github.io/adk-docs/evaluate/",
  },
  "tau-bench": {
    failure: "`reward` 0",
    error: "`info.error`; tau2: no reward, `infrastructure_error`",
    skip: NONE,
    limit: "`max_steps`: scored, counts",
    id: "`task_id`; `trial` is the repeat",
    conversation: "the trajectory is output",
    source: "https://github.com/sierra-research/tau-bench",
  },
  ctrf: {
    failure: "`failed`: `pass` 0",
    error: "`other`",
    skip: "`skipped`, `pending`: counted aloud",
    limit: NONE,
    id: "name, suite, and the file's name where neither is called after it",
    conversation: NONE,
    source: "https://github.com/ctrf-io/ctrf",
  },
  phoenix: {
    failure: "a score",
    error: "`error`; of an annotation: unscored",
    skip: NONE,
    limit: NONE,
    id: "`input`; an `example_id` that is a UUID is the first row's id",
    conversation: "message ids are left out",
    source: "https://arize.com/docs/phoenix/datasets-and-experiments/how-to-experiments",
  },
  braintrust: {
    failure: "a score",
    error: "`error`",
    skip: "a score of null: unscored",
    limit: NONE,
    id: "`input`; trials are repeats",
    conversation: "message ids are left out",
    source: "https://braintrust.dev/docs/guides/evals/write",
  },
  junit: {
    failure:
      "`<failure>`, a `status` of failed: `pass` 0; of attempts that pytest ran again (`--reruns`) the last one counts",
    error: "`<error>`, a `status` of error; a test that pytest was stopped in",
    skip: "`<skipped>`, a `status` of notrun or disabled, without a failure or an error: counted aloud",
    limit: NONE,
    id: "name and class, with suites and file where these do not suffice; or `inputs.*` properties",
    conversation: NONE,
    source: "https://github.com/testmoapp/junitxml",
  },
  ragas: {
    failure: "a score",
    error: "an empty cell or NaN: unscored",
    skip: NONE,
    limit: NONE,
    id: "`user_input` (or `question`)",
    conversation: "the agent's turns are output",
    source: "https://docs.ragas.io/en/stable/concepts/components/eval_sample/",
  },
  mlflow: {
    failure: "a score; `no`: 0",
    error: "a trace of state `ERROR`; an empty cell: unscored",
    skip: NONE,
    limit: NONE,
    id: "the input columns",
    conversation: "message ids are left out",
    source: "https://mlflow.org/docs/latest/ml/evaluation/",
  },
};
