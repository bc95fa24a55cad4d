/** What a tool calls these things, and what they become here; absent: it writes nothing of that kind. */
interface Vocabulary {
  readonly failure: string;
  readonly error?: string;
  readonly skip?: string;
  readonly limit?: string;
  readonly id: string;
  readonly conversation?: string;
  /** The producer's own documentation. */
  readonly source: string;
}

/** What docs/evals/formats.md shows of a format. It is separate from the reader so that no run carries it. */
interface Page<Examples> {
  /** Small files that hold all the format can; the table of formats and fields is made by reading them. */
  readonly examples: Examples;
  /** What a reader of the docs must know, one sentence each. */
  readonly notes: readonly string[];
  readonly words?: Vocabulary;
}

/** A row of the interface document with every field it can have. */
const fullRow = (feedbackConfig: object): object => ({
  row_id: "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
  inputs: { q: "g" },
  expected_outputs: { a: "h" },
  actual_outputs: { a: "i" },
  evaluation_scores: [
    {
      key: "j",
      score: 1,
      value: "k",
      comment: "l",
      feedback_source: { type: "api" },
      feedback_config: feedbackConfig,
      created_at: "2026-01-01T00:00:00Z",
      modified_at: "2026-01-01T00:00:00Z",
      correction: "m",
    },
  ],
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T00:00:01Z",
  run_name: "n",
  error: "o",
  run_metadata: { p: 1 },
});

/** Examples by the name of their file. */
const TABLE: Readonly<Record<string, Page<Readonly<Record<string, unknown>>>>> = {
  promptfoo: {
    examples: {
      "promptfoo.json": {
        evalId: "eval-1",
        results: {
          version: 3,
          timestamp: "2026-01-01T00:00:00Z",
          prompts: [
            { provider: "p", metrics: { testPassCount: 1, testFailCount: 0, testErrorCount: 1 } },
          ],
          stats: { successes: 1, failures: 0, errors: 1 },
          results: [
            {
              vars: { q: "a" },
              response: { output: "b" },
              namedScores: { c: 1 },
              score: 1,
              success: true,
              gradingResult: {
                componentResults: [
                  { score: 1, reason: "r", assertion: { type: "equals", metric: "c" } },
                ],
              },
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
              failureReason: 0,
              testCase: { metadata: { m: 1 } },
            },
            {
              vars: { q: "b" },
              error: "e",
              success: false,
              score: 0,
              failureReason: 2,
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
            },
          ],
        },
        config: { description: "d" },
      },
    },
    notes: ["One experiment per provider and prompt; `split: none` makes one of all."],
    words: {
      failure:
        "`failureReason` 1 (a failed assert, its reason in `error`): scores as they are, `pass` 0",
      error: "`failureReason` 2, or nothing graded: error, no scores",
      id: "`vars`; `id` and `testIdx` are new in every run",
      conversation: "in `vars`",
      source: "https://www.promptfoo.dev/docs/configuration/outputs/",
    },
  },
  inspect: {
    examples: {
      "log.json": {
        version: 2,
        status: "success",
        eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z", revision: { commit: "c" } },
        results: { total_samples: 2, scores: [{ name: "s", metrics: { accuracy: { value: 1 } } }] },
        stats: { started_at: "2026-01-01T00:00:00Z" },
        samples: [
          {
            id: 1,
            epoch: 1,
            input: "a",
            target: "b",
            output: { choices: [{ message: { content: "c" } }] },
            scores: { s: { value: "C", answer: "c", explanation: "e" } },
            started_at: "2026-01-01T00:00:00Z",
            completed_at: "2026-01-01T00:00:01Z",
            metadata: { k: 1 },
          },
          { id: 2, epoch: 1, input: "x", target: "y", error: { message: "boom" } },
        ],
      },
    },
    notes: [
      "Grades C, P, I, N count 1, 0.5, 0, 0; a score that is a mapping becomes one feedback per key; NaN is unscored.",
      "`epoch` − 1 is the repeat index. A cancelled, failed or unfinished log is uploaded with a warning and refused as a baseline.",
      "A sample that ran into a limit is scored and counts; the limit is in run_metadata. Entries packed with zstd are read on every Node.",
      "An example is task and sample id; where the ids only count the samples (1 to n), it is the input without message ids, whatever the order of its choices.",
    ],
    words: {
      failure: "grade I, or any value: the score",
      error: "`error`: error",
      limit: "`limit`: scored, counts",
      id: "task and sample `id`, unless the ids are just 1 to n",
      conversation: "`input` messages, without their ids",
      source: "https://inspect.aisi.org.uk/setting-limits.html",
    },
  },
  deepeval: {
    examples: {
      "test_run.json": {
        testCases: [
          {
            name: "n",
            input: "a",
            actualOutput: "b",
            expectedOutput: "c",
            context: ["d"],
            retrievalContext: ["e"],
            success: true,
            runDuration: 1,
            order: 0,
            metricsData: [
              {
                name: "m",
                threshold: 0.5,
                success: true,
                score: 1,
                reason: "r",
                evaluationModel: "j",
              },
            ],
            trace: { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:01Z" },
          },
        ],
        metricsScores: [{ metric: "m", scores: [1], passes: 1, fails: 0, errors: 0 }],
        runDuration: 1,
      },
    },
    notes: [
      "A conversation's agent turns are output. The example is its scenario, where it has one, else what the user said.",
      "Threshold and success of a metric become `<name>.pass`.",
    ],
    words: {
      failure:
        "`success` false: `pass` 0, `<metric>.pass` 0; with `threshold` it shows which side of a metric is better",
      error: "`error` of a metric: that metric is unscored",
      skip: "`skipOnMissingParams`: no metric in the file",
      id: "input and context",
      conversation: "`turns`: the agent's are output; `scenario` is the identity",
      source: "https://deepeval.com/docs/evaluation-multiturn-test-cases",
    },
  },
  langsmith: {
    examples: {
      "vitest.json": {
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            startTime: 1767225600000,
            assertionResults: [
              {
                title: "t, test_id=0123456789abc",
                status: "failed",
                duration: 5,
                failureMessages: ["TypeError: x"],
              },
            ],
          },
        ],
      },
      "0123456789abc.json": {
        inputs: { q: "a" },
        referenceOutputs: { a: "b" },
        outputs: { a: "c" },
        feedback: [{ key: "k", score: true, comment: "d" }],
      },
    },
    notes: [
      "Side files without the report are named after their folder, since their own names are new in every run.",
      "The report and its side files, named in one `experiment`, are one experiment; `, run N` in a title is the repeat index.",
    ],
    words: {
      failure: "a failed assert: `pass` 0",
      error: "another exception, or no `outputs`: error, no pass mark",
      skip: "counted in a warning",
      id: "`inputs`; `, run N` is the repeat",
      conversation: "message ids are left out",
      source: "https://docs.langchain.com/langsmith/vitest-jest",
    },
  },
  "vitest-evals": {
    examples: {
      "evals.json": {
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            assertionResults: [
              {
                title: "t",
                status: "passed",
                duration: 5,
                meta: {
                  eval: { scores: [{ name: "m", score: 1, metadata: { rationale: "r" } }] },
                  harness: { run: { output: "b", usage: { totalTokens: 3 } } },
                },
              },
            ],
          },
        ],
      },
    },
    notes: [
      "The judges' scores of `meta.eval.scores`, and `pass` as vitest has it; usage of the harness goes to run_metadata.",
    ],
    words: {
      failure: "a judge's score; `pass` 0",
      error: "`harness.run.errors` without a score",
      skip: "counted in a warning",
      id: "title, describes, the file's name and the harness' input",
      conversation: "`session`: the first user message is input",
      source: "https://github.com/getsentry/vitest-evals",
    },
  },
  vitest: {
    examples: {
      "vitest.json": {
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            name: "a.test.ts",
            status: "failed",
            startTime: 1767225600000,
            assertionResults: [
              { title: "t", ancestorTitles: ["s"], status: "passed", duration: 5 },
            ],
          },
        ],
      },
    },
    notes: [
      "Good enough for a gate, thin in the comparison view: a test's inputs are its name, the describes around it and its file.",
      "Only the name of the file's path counts, so that the example is the same on every machine; folders come before it where a test of the same name and describes is in another file of that name.",
    ],
    words: {
      failure: "`failed`: `pass` 0, whatever was thrown",
      error: "a file that did not load, a failed hook and the tests it kept from running",
      skip: "`skipped`, `pending`, `todo`: counted in a warning",
      limit: "a timeout is `failed`",
      id: "title, describes and the file's name",
      source: "https://vitest.dev/guide/reporters.html#json-reporter",
    },
  },
  "openai-evals": {
    examples: {
      "evals.jsonl": [
        { spec: { eval_name: "e", run_id: "r", created_at: "2026-01-01 00:00:00.000000" } },
        {
          run_id: "r",
          event_id: 0,
          sample_id: "s",
          type: "sampling",
          data: { prompt: "p", sampled: ["o"], model: "m" },
          created_at: "2026-01-01 00:00:00.000000+00:00",
        },
        {
          run_id: "r",
          event_id: 1,
          sample_id: "s",
          type: "match",
          data: { correct: true, expected: "o" },
          created_at: "2026-01-01 00:00:01.000000+00:00",
        },
        {
          run_id: "r",
          event_id: 2,
          sample_id: "t",
          type: "error",
          data: { message: "x" },
          created_at: "2026-01-01 00:00:01.000000+00:00",
        },
        { final_report: { accuracy: 1 }, run_id: "r" },
      ],
    },
    notes: [
      "A file without its final_report belongs to a run that was killed: uploaded with a warning, refused as a baseline.",
      "A sample that failed before it was asked has only its id as input.",
    ],
    words: {
      failure: "`match.correct` false: 0",
      error: "`error` event",
      id: "the prompt",
      conversation: "in the prompt",
      source: "https://github.com/openai/evals/blob/main/docs/run-evals.md",
    },
  },
  "openai-run": {
    examples: {
      "items.json": {
        object: "list",
        data: [
          {
            object: "eval.run.output_item",
            created_at: 1767225600,
            datasource_item: { query: "a", ground_truth: "b" },
            results: [{ name: "m", score: 1, passed: true, reason: "r" }],
            sample: { output: [{ role: "assistant", content: "c" }], usage: { total_tokens: 3 } },
            status: "pass",
          },
          { datasource_item: { query: "x" }, results: [], sample: { error: { message: "e" } } },
        ],
      },
    },
    notes: [
      "A grader's `score` and `passed` become `<metric>` and `<metric>.pass` (`<name>` where there is no metric, without the id that the service adds to it).",
      "What the agent said (`sample.*`, `response`) is output; its ids, name and version go to run_metadata.",
    ],
    words: {
      failure:
        "`passed` false: `<name>.pass` 0; with `threshold` it shows which side of a metric is better",
      error: "`sample.error`, `status: error`",
      id: "`datasource_item` without answers, references and what names the run",
      conversation: "`sample.input` without the agent's turns, where there is no item",
      source:
        "https://developers.openai.com/api/reference/resources/evals/subresources/runs/subresources/output_items",
    },
  },
  azure: {
    examples: {
      "azure.json": {
        rows: [
          {
            "inputs.query": "a",
            "inputs.response": "b",
            "inputs.ground_truth": "c",
            "outputs.relevance.relevance": 4,
            "outputs.relevance.relevance_result": "pass",
            "outputs.relevance.relevance_reason": "r",
            "outputs.relevance.note": "n",
          },
        ],
        metrics: { "relevance.relevance": 4 },
        studio_url: null,
      },
    },
    notes: [
      "A metric is called `<evaluator>.<metric>`, as in the file's own `metrics`; its `_result` becomes `.pass`, its `_reason` the comment.",
      "`inputs.response` is output and `inputs.ground_truth` what was expected, so that the example is the same in every run.",
    ],
    words: {
      failure:
        "`_result` fail: `.pass` 0; with `_threshold` it shows which side of a metric is better",
      error: "NaN: the evaluator failed, unscored",
      id: "`inputs.*` without response and ground truth",
      conversation: "the agent's turns are output",
      source: "https://learn.microsoft.com/azure/ai-foundry/how-to/develop/evaluate-sdk",
    },
  },
  evalite: {
    examples: {
      "evalite.json": {
        run: { id: 1, runType: "full", createdAt: "2026-01-01T00:00:00Z" },
        evals: [
          {
            name: "e",
            filepath: "e.eval.ts",
            results: [
              {
                duration: 5,
                input: "a",
                output: "b",
                expected: "c",
                status: "success",
                createdAt: "2026-01-01T00:00:00Z",
                scores: [{ name: "m", score: 1, description: "d" }],
              },
              { duration: 5, input: "x", output: null, status: "fail", scores: [] },
            ],
          },
        ],
      },
    },
    notes: [
      "The example is the eval's name, its variant and the input; trials of one input are repeats.",
      "evalite itself stores a score of null as 0.",
    ],
    words: {
      failure: "a score",
      error: "`status: fail` without scores",
      id: "eval, variant and input; trials are repeats",
      conversation: "in the input",
      source: "https://v1.evalite.dev/api/cli",
    },
  },
  langfuse: {
    examples: {
      "langfuse.json": {
        name: "e",
        item_results: [
          {
            item: { id: "i", input: "a", expected_output: "b" },
            output: "c",
            evaluations: [{ name: "m", value: 1, comment: "d", data_type: "NUMERIC" }],
            trace_id: "t",
          },
          { item: { input: "x" }, output: null, error: "e", evaluations: [] },
        ],
        run_evaluations: [{ name: "mean", value: 1 }],
      },
    },
    notes: [
      "An evaluation whose value is a word is categorical: it has a value and no score.",
      "The SDK (5.0.4) leaves items whose task failed out of its result: a gate's `min_overlap` shows that they are missing.",
    ],
    words: {
      failure: "a score",
      error: "`error`",
      id: "the item's input",
      conversation: "message ids are left out",
      source: "https://langfuse.com/docs/evaluation/experiments/experiments-via-sdk",
    },
  },
  "lm-eval": {
    examples: {
      "samples_task.jsonl": [
        {
          doc_id: 0,
          doc: { question: "a" },
          target: "b",
          resps: [["c"]],
          filtered_resps: ["c"],
          filter: "none",
          metrics: ["acc"],
          acc: 1,
        },
      ],
    },
    notes: [
      "A metric whose value is a list (perplexity, BLEU) has no score of its own in a row, and is named.",
      "The metrics that the row lists; with a filter other than none, the filter's name follows a comma, as in the tool's own table.",
      "The example is the document, not its number: `--limit` and shuffled documents line up. `results_*.json` holds only averages and is refused.",
    ],
    words: {
      failure: "a score",
      limit: "`--limit` is part of the dataset: rows line up",
      id: "`doc`, and the filter",
      source: "https://github.com/EleutherAI/lm-evaluation-harness/blob/main/docs/interface.md",
    },
  },
  adk: {
    examples: {
      "set.evalset_result.json": {
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
      },
    },
    notes: [
      "The example is the eval set and the `eval_id` that somebody gave; several runs of one case are repeats.",
    ],
    words: {
      failure: "status 2 (FAILED): `pass` 0",
      error: "not evaluated, and no score",
      skip: "status 3 (NOT_EVALUATED) of a metric: unscored",
      id: "eval set and `eval_id`",
      conversation: "user contents are input, responses output",
      source: "https://google.github.io/adk-docs/evaluate/",
    },
  },
  "tau-bench": {
    examples: {
      "tau.json": [
        {
          task_id: 0,
          reward: 1,
          info: { task: { instruction: "a", actions: [{ name: "b" }] }, user_cost: 0.1 },
          traj: [{ role: "assistant", content: "c" }],
          trial: 0,
        },
        { task_id: 1, reward: 0, info: { error: "e" }, traj: [], trial: 0 },
      ],
    },
    notes: [
      "The example is the task's id; a trial is a repeat.",
      "tau2-bench: the parts of the reward are `reward.<PART>`.",
    ],
    words: {
      failure: "`reward` 0",
      error: "`info.error`; tau2: no reward, `infrastructure_error`",
      limit: "`max_steps`: scored, counts",
      id: "`task_id`; `trial` is the repeat",
      conversation: "the trajectory is output",
      source: "https://github.com/sierra-research/tau-bench",
    },
  },
  ctrf: {
    examples: {
      "ctrf.json": {
        results: {
          tool: { name: "jest" },
          summary: { tests: 2, start: 1767225600000 },
          tests: [
            {
              name: "t",
              suite: "s",
              status: "failed",
              duration: 5,
              start: 1767225600000,
              stop: 1767225600005,
              message: "m",
              flaky: false,
            },
            { name: "u", status: "other", duration: 1, message: "e" },
          ],
        },
      },
    },
    notes: [],
    words: {
      failure: "`failed`: `pass` 0",
      error: "`other`",
      skip: "`skipped`, `pending`: counted in a warning",
      id: "name, suite, and the file's name where neither is called after it",
      source: "https://github.com/ctrf-io/ctrf",
    },
  },
  phoenix: {
    examples: {
      "phoenix.json": [
        {
          example_id: "x",
          repetition_number: 1,
          input: { q: "a" },
          reference_output: { a: "b" },
          output: "c",
          error: "e",
          latency_ms: 5,
          start_time: "2026-01-01T00:00:00Z",
          end_time: "2026-01-01T00:00:01Z",
          annotations: [{ name: "n", label: "good", score: 1, explanation: "w" }],
        },
      ],
    },
    notes: [
      "`repetition_number` − 1 is the repeat index; an annotation's label becomes `value`, its explanation `comment`.",
      "An `example_id` that is a UUID becomes the row id of that example's first row.",
    ],
    words: {
      failure: "a score",
      error: "`error`; of an annotation: unscored",
      id: "`input`; an `example_id` that is a UUID is the first row's id",
      conversation: "message ids are left out",
      source: "https://arize.com/docs/phoenix/datasets-and-experiments/how-to-experiments",
    },
  },
  braintrust: {
    examples: {
      "eval.json": {
        summary: { projectName: "p", experimentName: "e", scores: {} },
        results: [
          {
            input: "a",
            output: "b",
            expected: "c",
            scores: { exact: 1, factual: null },
            error: null,
            metadata: { k: 1 },
            metrics: { start: 1767225600, end: 1767225601 },
            span_attributes: { name: "eval" },
          },
          { input: "x", output: null, scores: {}, error: "boom" },
        ],
      },
    },
    notes: [
      "Spans below an evaluation's root are steps, not rows.",
      "`bt eval --jsonl` without rows prints a summary line an experiment: that is refused, since it has only averages.",
    ],
    words: {
      failure: "a score",
      error: "`error`",
      skip: "a score of null: unscored",
      id: "`input`; trials are repeats",
      conversation: "message ids are left out",
      source: "https://braintrust.dev/docs/guides/evals/write",
    },
  },
  body: {
    examples: {
      "experiment.json": {
        experiment_name: "a",
        experiment_description: "b",
        experiment_start_time: "2026-01-01T00:00:00Z",
        experiment_end_time: "2026-01-01T00:01:00Z",
        dataset_id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        dataset_name: "c",
        dataset_description: "d",
        experiment_metadata: { commit: "e" },
        summary_experiment_scores: [{ key: "f", score: 1 }],
        results: [
          fullRow({
            type: "categorical",
            min: 0,
            max: 1,
            categories: [{ value: 1, label: "yes" }],
          }),
        ],
      },
    },
    notes: [
      "Every field of the interface document; a value of the wrong type is an error with file and row.",
    ],
  },
  rows: {
    examples: { "rows.jsonl": [fullRow({ type: "continuous", min: 0, max: 1 })] },
    notes: ["What rows lack (row_id, times) is made as described under row ids and times."],
  },
  junit: {
    examples: {
      "junit.xml": `<testsuites><testsuite name="s" timestamp="2026-01-01T00:00:00Z"><testcase classname="c" name="t" time="0.5"><properties><property name="inputs.q" value="a"/><property name="expected" value="b"/><property name="output" value="c"/><property name="score.m" value="1"/><property name="other" value="d"/></properties></testcase><testcase name="u"><error message="e"/></testcase></testsuite></testsuites>`,
    },
    notes: [
      "NUnit, xUnit.net and TRX reports are read too: a test of theirs is a test case, inconclusive ones are skipped.",
      "Held whole in memory, some ten times its size: at most 32 MiB, or 60,000 tests.",
      "Good enough for a gate, thin in the comparison view: a test's inputs are its name and class unless it records properties.",
      "A test that failed and whose teardown broke, which pytest writes twice, is one row: an error.",
      "Properties `inputs.<name>`, `expected`, `output`, `score.<key>` become fields; others go to run_metadata.",
    ],
    words: {
      failure:
        "`<failure>`, a `status` of failed: `pass` 0; of attempts that pytest ran again (`--reruns`) the last one counts",
      error: "`<error>`, a `status` of error; a test that pytest was stopped in",
      skip: "`<skipped>`, a `status` of notrun or disabled, without a failure or an error: counted in a warning",
      id: "name and class, with suites and file where these do not suffice; or `inputs.*` properties",
      source: "https://github.com/testmoapp/junitxml",
    },
  },
  ragas: {
    examples: {
      "ragas.csv": `,user_input,retrieved_contexts,response,reference,faithfulness,note\n0,q,"['it\\'s ""x""']",a,r,0.5,word\n`,
    },
    notes: [
      "Every column that is not a sample column and holds numbers is a metric, unless its name is that of an id, a time, a cost or a count; an empty cell is unscored. A table of the older names (question, answer) is ragas' only with a metric that ragas ships.",
      "Lists in CSV cells are read as Python writes them.",
    ],
    words: {
      failure: "a score",
      error: "an empty cell or NaN: unscored",
      id: "`user_input` (or `question`)",
      conversation: "the agent's turns are output",
      source: "https://docs.ragas.io/en/stable/concepts/components/eval_sample/",
    },
  },
  mlflow: {
    examples: {
      "eval_results_table.json": {
        columns: [
          "inputs",
          "ground_truth",
          "outputs",
          "token_count",
          "toxicity/v1/score",
          "answer_similarity/v1/score",
          "answer_similarity/v1/justification",
        ],
        data: [["a", "b", "c", 3, 0.1, 5, "r"]],
      },
    },
    notes: [
      "`<metric>/v1/score` and `<metric>/value` are scores, `/justification` and `/rationale` their comments.",
    ],
    words: {
      failure: "a score; `no`: 0",
      error: "a trace of state `ERROR`; an empty cell: unscored",
      id: "the input columns",
      conversation: "message ids are left out",
      source: "https://mlflow.org/docs/latest/ml/evaluation/",
    },
  },
  csv: {
    examples: {
      "results.csv":
        "inputs.q,outputs.a,reference.a,error,feedback.correct,feedback.correct.comment,execution_time,example_id,id,run_name,start_time,run_metadata.m\nx,y,z,e,1,c,0.5,,r1,n,2026-01-01T00:00:00Z,v\n",
    },
    notes: [
      "Columns: `inputs.<name>`, `outputs.<name>`, `reference.<name>`, `feedback.<key>` (and `.comment`, `.value`), `error`, `execution_time` in seconds, `example_id`, `id`; also `row_id`, `start_time`, `end_time`, `run_name`, `run_metadata.<name>`, `repeat`.",
      "Cells are text. An `example_id` that is a UUID becomes the row id of that example's first row; `id` (the run's) goes to run_metadata.",
    ],
  },
  mapping: {
    examples: {},
    notes: [
      "`field: column`, one a line; a column is a CSV header, a key or a path in a JSON row (`a.b`, `choices[0].text`); `{literal: x}` is a constant. A path that no row has is an error; `path?` may be missing.",
      "`rows:` says where a JSON document holds its rows: `results`, `evals[].cases[]` (columns of the outer list are `evals[].name`), `by_id.*` for the values of an object, whose names are `$key`, `[cases, failures]` for several lists. `orient: split|columns|index` reads a table written by pandas.",
      "`where: { status: done }` keeps rows (also a list of values, or `{ not: x }`); `identity: [suite, case_id]` distinguishes examples by those columns instead of by their inputs.",
      "`{ column: verdict, words: { pass: 1, fail: 0 } }` turns words into numbers. `evaluation_scores: { list: scores, key: name, score: value, comment: reason }` takes a list of scores whose names are in the data, or an object of them. The formats above show more of the language: docs/experiments.md explains its keys.",
      "Scores: `evaluation_scores.<key>: column`, and `.value`, `.comment`, `.correction`, `.created_at`, `.modified_at`, `.feedback_source.type`, `.feedback_config.type|min|max|categories` after the key; the same under `summary_experiment_scores`. `evaluation_scores: column` takes a lone score, an object of scores or the service's own list; `[a, b]` takes several columns under their own names, as for `inputs` and the outputs.",
      "Fields of the experiment come from the document around the rows, else from the first row that has them. `duration_s` gives seconds where there is no end_time, `repeat` counts repeats from 0.",
    ],
  },
};

/** A list in a file of lines is a line for each; a text is the file as it is. */
function textOf(name: string, content: unknown): string {
  if (typeof content === "string") return content;
  if (!name.endsWith(".jsonl")) return JSON.stringify(content);
  return (content as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** By format name. */
export const PAGES: Readonly<Record<string, Page<readonly { name: string; text: string }[]>>> =
  Object.fromEntries(
    Object.entries(TABLE).map(([format, page]) => [
      format,
      {
        ...page,
        examples: Object.entries(page.examples).map(([name, content]) => ({
          name,
          text: textOf(name, content),
        })),
      },
    ]),
  );
