// Makes the files of __tests__/experiment/producers anew; see README.md beside it.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../compile.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const committed = resolve(here, "../../__tests__/experiment/producers/files");
const [cacheArgument, ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
const npmOnly = words.includes("--npm");
/** Only looks whether the product reads what is made now as it reads the committed files. */
const checking = words.includes("--check");
const cache = resolve(cacheArgument ?? join(tmpdir(), "agent-deploy-producers"));
const out = checking ? join(cache, "files") : committed;
const node22 = process.env["NODE22"] ?? process.execPath;
const all = ["a", "b", "worse"];
const jsonReport = ["--reporter=json", "--outputFile=OUT"];

/** What runs a tool: packages at their versions, the suite's arguments, the file that comes out. */
const TOOLS = [
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
    variants: version === "0.123.1" ? all : ["a"],
    once: "the older versions differ in how they write scores alone",
  })),
  {
    tool: "vitest-3.2.4",
    npm: ["vitest@3.2.4"],
    // Its bundler is an optional package for each platform.
    optional: true,
    file: "report.json",
    run: ["BIN/vitest", "run", "runner.test.js", ...jsonReport],
  },
  {
    tool: "jest-30",
    npm: ["jest@30.5.2"],
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
    tool: "jest-ctrf-0.0.11",
    npm: ["jest@30.5.2", "jest-ctrf-json-reporter@0.0.11"],
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
  ...[
    ["ragas-0.4-csv", "result.csv"],
    ["ragas-0.4-jsonl", "result.jsonl"],
  ].map(([tool, file]) => ({
    tool,
    pip: ["ragas==0.4.3", "langchain-community==0.3.31"],
    file,
    run: ["PY/python", "ragas_run.py", "OUT"],
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

/** Tools of the same packages share an installation. */
const homeOf = ({ npm, pip }) =>
  [...(npm ?? []), ...(pip ?? [])].join(" ").replaceAll(/[^\w.=@-]+/g, "_") || "node";

function prepare({ npm, pip, build = [], optional = false }) {
  const folder = join(cache, homeOf({ npm, pip }));
  if (!existsSync(join(folder, "ready"))) {
    mkdirSync(folder, { recursive: true });
    const quiet = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
    if (npm?.length > 0) {
      writeFileSync(join(folder, "package.json"), '{ "name": "producer", "private": true }\n');
      execFileSync(
        "npm",
        [
          "install",
          "--no-audit",
          "--no-fund",
          "--ignore-scripts",
          "--legacy-peer-deps",
          ...(optional ? [] : ["--omit=optional"]),
          ...npm,
        ],
        quiet,
      );
      for (const name of build) execFileSync("npm", ["rebuild", name], quiet);
    }
    if (pip !== undefined) {
      execFileSync("python3", ["-m", "venv", "venv"], quiet);
      execFileSync("venv/bin/pip", ["install", "-q", ...pip], quiet);
    }
    mkdirSync(join(folder, "ready"));
  }
  return folder;
}

function make(tool, variant) {
  const folder = prepare(tool);
  const work = join(folder, `${tool.tool}-${variant}`);
  rmSync(work, { recursive: true, force: true });
  cpSync(join(here, "suites"), work, { recursive: true });
  const target = join(out, tool.tool, variant, tool.file);
  mkdirSync(dirname(target), { recursive: true });
  const result = join(work, tool.file);
  const [program, ...args] = tool.run.map((word) =>
    word
      .replace("OUT", result)
      .replace("BIN", join(folder, "node_modules/.bin"))
      .replace("PY", join(folder, "venv/bin")),
  );
  const env = {
    ...process.env,
    VARIANT: variant,
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_CONFIG_DIR: join(work, "home"),
    CI: "1",
    NODE_PATH: join(folder, "node_modules"),
    CTRF_FILE: tool.file,
  };
  try {
    execFileSync(program, args, { cwd: work, env, stdio: "ignore", timeout: 300_000 });
  } catch {
    // A red suite exits red; what counts is the file.
  }
  const made = tool.made === undefined ? result : newest(join(work, dirname(tool.made)));
  if (!existsSync(made)) throw new Error(`${tool.tool} wrote no ${tool.file}`);
  if (/\.eval$/.test(made)) cpSync(made, target);
  else writeFileSync(target, withoutPlaces(readFileSync(made, "utf8"), work, folder));
}

/** The text without the names of this machine and its folders. */
function withoutPlaces(text, work, folder) {
  const places = [
    [realpathSync(work), "/suite"],
    [work, "/suite"],
    [realpathSync(folder), "/tool"],
    [folder, "/tool"],
    [`hostname="${hostname()}"`, `hostname="host"`],
  ];
  return places.reduce((left, [place, name]) => left.replaceAll(place, name), text);
}

function newest(folder) {
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return files.sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs)[0] ?? "";
}

const chosen = TOOLS.filter(
  ({ tool, pip, heavy }) =>
    (names.length === 0 || names.includes(tool)) && !(npmOnly && (pip !== undefined || heavy)),
);
const made = chosen.filter((tool) => {
  try {
    prepare(tool);
    return true;
  } catch (error) {
    console.error(
      `skipped: ${tool.tool} cannot be installed here (${error.message.split("\n")[0]})`,
    );
    if (!checking) process.exitCode = 1;
    return false;
  }
});
for (const tool of made) {
  for (const variant of tool.variants ?? all) {
    try {
      make(tool, variant);
      console.log(`${tool.tool} ${variant}`);
    } catch (error) {
      console.error(`${tool.tool} ${variant}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
if (checking) await compare(made);
else readOnItsOwn();

/** What the product reads of a file: rows, errors, and the mean of each score. */
async function factsOf(root, path) {
  const { readExperiments } = await import("../../build/experiment/experiment.js");
  const { experiments, problems } = await readExperiments({ paths: [path], workspace: { root } });
  const told = experiments.map(({ format, rowCount, errorCount, scores }) => ({
    format,
    rowCount,
    errorCount,
    scores: Object.entries(scores).sort(),
  }));
  return JSON.stringify([told, problems.map(({ message }) => message)]);
}

async function compare(tools) {
  compile();
  for (const { tool, file, variants } of tools)
    for (const variant of variants ?? all) {
      const path = `${tool}/${variant}/${file}`;
      const [now, before] = [await factsOf(out, path), await factsOf(committed, path)];
      if (now === before) continue;
      console.error(`${path}: made now ${now}, committed ${before}`);
      process.exitCode = 1;
    }
}

function readOnItsOwn() {
  // Inspect reads its own logs, packed as they are.
  const inspect = TOOLS.find(({ tool }) => tool.startsWith("inspect"));
  const python = join(cache, homeOf(inspect), "venv/bin/python");
  execFileSync(existsSync(python) ? python : "python3", [join(here, "read.py"), out], {
    stdio: "inherit",
  });
}
