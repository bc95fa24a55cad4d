// The tools whose result files are kept, how each is installed, and how it runs the suite.

/** Runs of the suite: the same agent twice, the second time asked backwards, and an agent that got worse. */
export const RUNS = ["a", "b", "worse"];
const node22 = process.env["NODE22"] ?? process.execPath;
const jsonReport = ["--reporter=json", "--outputFile=OUT"];

/**
 * What runs a tool: packages at their versions, the suite's arguments, the file that comes out, and what it
 * writes `beside` that. `alone` are packages that are installed without what they ask for.
 * @type {Record<string, any>[]}
 */
export const TOOLS = [
  ...["0.120.8", "0.121.2", "0.123.1"].map((version) => ({
    tool: `promptfoo-${version}`,
    npm: [`promptfoo@${version}`, "hono@4.13.19"],
    heavy: true,
    optional: true,
    build: ["better-sqlite3"],
    file: "results.jsonl",
    run: [
      version.startsWith("0.123") ? node22 : process.execPath,
      "BIN/../promptfoo/dist/src/main.js",
      "eval",
      "-c",
      "promptfooconfig.yaml",
      "--no-cache",
      "-o",
      "OUT",
    ],
  })),
  {
    tool: "vitest-3.2.4",
    npm: ["vitest@3.2.4"],
    // Its bundler is an optional package for each platform.
    optional: true,
    file: "report.json",
    // A name is looked for in whole paths.
    run: ["BIN/vitest", "run", "runner.test.js", "--exclude=**/langsmith-*", ...jsonReport],
  },
  {
    tool: "jest-30",
    npm: ["jest@30.5.2"],
    // So is its resolver of modules; left out, it is downloaded at the first run.
    optional: true,
    file: "report.json",
    run: [
      "BIN/jest",
      "runner.test.cjs",
      "--config={}",
      "--rootDir=.",
      "--testMatch=**/runner.test.cjs",
      "--json",
      "--outputFile=OUT",
    ],
  },
  {
    tool: "mocha-11-xunit",
    npm: ["mocha@11.7.1"],
    file: "report.xml",
    run: ["BIN/mocha", "--reporter", "xunit", "--reporter-option", "output=OUT", "runner.test.cjs"],
  },
  {
    tool: "mocha-11-json",
    npm: ["mocha@11.7.1"],
    file: "report.json",
    run: ["BIN/mocha", "--reporter", "json", "--reporter-option", "output=OUT", "runner.test.cjs"],
  },
  {
    tool: "node-test",
    npm: [],
    file: "report.xml",
    run: [
      process.execPath,
      "--test",
      "--test-reporter=junit",
      "--test-reporter-destination=OUT",
      "runner.test.cjs",
    ],
  },
  {
    tool: "vitest-evals-0.16",
    npm: ["vitest-evals@0.16.1", "vitest@4.1.12"],
    // Its bundler is an optional package for each platform.
    optional: true,
    file: "report.json",
    run: ["BIN/vitest", "run", "judged.test.js", ...jsonReport],
  },
  {
    tool: "evalite-0.19",
    npm: ["evalite@0.19.0", "vitest@3.2.4", "better-sqlite3@12.6.2"],
    optional: true,
    build: ["better-sqlite3"],
    file: "export.json",
    run: ["BIN/evalite", "run", "--outputPath=OUT"],
  },
  {
    tool: "braintrust-3.35",
    npm: ["braintrust@3.35.0", "zod@3.25.76"],
    file: "eval.json",
    run: [process.execPath, "braintrust.cjs", "OUT"],
  },
  {
    tool: "autoevals-0.3",
    npm: ["braintrust@3.35.0", "zod@3.25.76", "autoevals@0.3.0"],
    // The command line of Braintrust is an optional package for each platform.
    optional: true,
    file: "eval.json",
    run: [process.execPath, "autoevals.cjs", "OUT"],
  },
  {
    tool: "braintrust-bt-0.12",
    npm: ["braintrust@3.35.0", "zod@3.25.76", "autoevals@0.3.0"],
    optional: true,
    file: "summary.jsonl",
    run: ["BIN/bt", "eval", "--no-send-logs", "--no-input", "--jsonl", "bt.eval.cjs"],
    stdout: true,
    // Averages only: `upload` refuses it.
    refused: true,
  },
  ...[
    ["langsmith-vitest-0.12", ["BIN/vitest", "run", "langsmith-runner.test.js", ...jsonReport]],
    [
      "langsmith-jest-0.12",
      [
        process.execPath,
        "--experimental-vm-modules",
        "BIN/../jest/bin/jest.js",
        "--config={}",
        "--rootDir=.",
        "--testMatch=**/langsmith-runner.test.cjs",
        "--json",
        "--outputFile=OUT",
      ],
    ],
  ].map(([tool, run]) => ({
    tool,
    npm: ["langsmith@0.12.0", "vitest@3.2.4", "jest@30.5.2"],
    optional: true,
    file: "report.json",
    run,
    beside: "langsmith_test_results",
  })),
  {
    tool: "jest-ctrf-0.0.11",
    npm: ["jest@30.5.2", "jest-ctrf-json-reporter@0.0.11"],
    // As for jest.
    optional: true,
    file: "ctrf.json",
    run: ["BIN/jest", "--config=ctrf.config.cjs"],
  },
  {
    tool: "pytest-9.2",
    pip: ["pytest==9.2.0"],
    file: "report.xml",
    run: ["PY/python", "-m", "pytest", "-q", "test_capitals.py", "--junitxml=OUT"],
  },
  {
    tool: "inspect-0.3.285",
    pip: ["inspect-ai==0.3.285"],
    file: "log.eval",
    run: [
      "PY/inspect",
      "eval",
      "inspect_task.py",
      "--model",
      "mockllm/model",
      "--log-dir",
      "inspect-logs",
      "--display",
      "none",
    ],
    made: "inspect-logs/*.eval",
  },
  {
    tool: "inspect-0.3.285-chat",
    pip: ["inspect-ai==0.3.285"],
    file: "log.eval",
    run: [
      "PY/inspect",
      "eval",
      "inspect_chat.py",
      "--model",
      "mockllm/model",
      "--log-dir",
      "inspect-logs",
      "--display",
      "none",
    ],
    made: "inspect-logs/*.eval",
  },
  {
    tool: "oaieval-3.0.1",
    // It asks for a hundred packages, most for evals of its registry.
    alone: ["evals==3.0.1.post1"],
    pip: [
      "openai==1.109.1",
      "blobfile==3.3.0",
      "pyyaml==6.0.3",
      "lz4==4.4.5",
      "numpy==2.4.6",
      "pandas==3.1.1",
      "zstandard==0.25.0",
      "tiktoken==0.14.0",
      "fire==0.7.1",
      "sacrebleu==2.6.0",
      "backoff==2.2.1",
      "tqdm==4.70.1",
    ],
    file: "events.jsonl",
    run: ["PY/python", "oaieval_run.py", "OUT"],
  },
  {
    tool: "phoenix-20.26",
    pip: ["arize-phoenix==20.26.1", "arize-phoenix-client==3.5.0"],
    file: "experiment.json",
    run: ["PY/python", "phoenix_run.py", "OUT"],
  },
  {
    tool: "foundry-1.18",
    pip: ["azure-ai-evaluation==1.18.10"],
    file: "items.json",
    run: ["PY/python", "foundry_run.py", "OUT"],
  },
  ...[
    ["openai-evals-api", "openai", "items.json"],
    ["tau-bench", "tau", "results.json"],
    ["tau2-bench", "tau2", "results.json"],
  ].map(([tool, shape, file]) => ({
    tool,
    // Made by a script of ours in the shape that is published.
    npm: [],
    file,
    run: ["python3", "shapes.py", shape, "OUT"],
  })),
  {
    tool: "azure-ai-evaluation-1.18",
    pip: ["azure-ai-evaluation==1.18.10"],
    file: "result.json",
    run: ["PY/python", "azure_run.py", "OUT"],
  },
  {
    tool: "deepeval-4.3",
    pip: ["deepeval==4.3.1"],
    file: "test_run.json",
    run: ["PY/python", "deepeval_run.py"],
    made: "deepeval-out/*",
  },
  {
    tool: "deepeval-4.3-chat",
    pip: ["deepeval==4.3.1"],
    file: "test_run.json",
    run: ["PY/python", "deepeval_chat_run.py"],
    made: "deepeval-out/*",
  },
  ...[
    ["ragas-0.4-csv", "result.csv", "ragas_run.py"],
    ["ragas-0.4-jsonl", "result.jsonl", "ragas_run.py"],
    ["ragas-0.4-chat-csv", "result.csv", "ragas_chat_run.py"],
    ["ragas-0.4-chat-jsonl", "result.jsonl", "ragas_chat_run.py"],
  ].map(([tool, file, suite]) => ({
    tool,
    pip: ["ragas==0.4.3", "langchain-community==0.3.31"],
    file,
    run: ["PY/python", suite, "OUT"],
  })),
  {
    tool: "langsmith-0.14",
    pip: ["langsmith==0.14.17", "pandas==3.1.1"],
    file: "result.csv",
    run: ["PY/python", "langsmith_run.py", "OUT"],
  },
  ...[
    ["mlflow-3.17-evaluate", "eval_results_table.json"],
    ["mlflow-3.17-genai", "result.csv"],
  ].map(([tool, file]) => ({
    tool,
    pip: ["mlflow==3.17.2"],
    file,
    run: ["PY/python", "mlflow_run.py", "OUT"],
  })),
  {
    tool: "lm-eval-0.4.13",
    pip: ["lm-eval==0.4.13"],
    file: "samples_capitals.jsonl",
    run: ["PY/python", "lm_eval_run.py", "OUT"],
  },
  {
    tool: "langfuse-5.0",
    pip: ["langfuse==5.0.4"],
    file: "result.json",
    run: ["PY/python", "langfuse_run.py", "OUT"],
  },
  {
    tool: "google-adk-2.13",
    pip: ["google-adk[eval]==2.13.0"],
    file: "capitals.evalset_result.json",
    run: ["PY/python", "adk_run.py", "OUT"],
  },
];
