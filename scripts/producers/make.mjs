// Makes the files of __tests__/experiment/producers anew; see README.md beside it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(here, "../../__tests__/experiment/producers/files");
const [cacheArgument, ...wanted] = process.argv.slice(2);
const cache = resolve(cacheArgument ?? join(tmpdir(), "agent-deploy-producers"));
const node22 = process.env["NODE22"] ?? process.execPath;
const all = ["a", "b", "worse"];
const jsonReport = ["--reporter=json", "--outputFile=OUT"];

/** What runs a tool: packages at their versions, the suite's arguments, the file that comes out. */
const TOOLS = [
  ...["0.120.8", "0.121.2", "0.123.1"].map((version) => ({
    tool: `promptfoo-${version}`,
    npm: [`promptfoo@${version}`, "hono@4"],
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
  })),
  {
    tool: "vitest-3.2.4",
    npm: ["vitest@3.2.4"],
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
    npm: ["vitest-evals@0.16.1", "vitest@4"],
    file: "report.json",
    run: ["BIN/vitest", "run", "judged.test.js", ...jsonReport],
  },
  {
    tool: "evalite-0.19",
    npm: ["evalite@0.19.0", "vitest@3.2.4", "better-sqlite3"],
    build: ["better-sqlite3"],
    file: "export.json",
    run: ["BIN/evalite", "run", "--outputPath=OUT"],
  },
  {
    tool: "braintrust",
    npm: ["braintrust"],
    file: "eval.json",
    run: [process.execPath, "braintrust.cjs", "OUT"],
  },
  {
    tool: "pytest",
    pip: ["pytest"],
    file: "report.xml",
    run: ["PY/python", "-m", "pytest", "-q", "test_capitals.py", "--junitxml=OUT"],
  },
  {
    tool: "inspect",
    pip: ["inspect-ai"],
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
    tool: "azure-ai-evaluation",
    pip: ["azure-ai-evaluation"],
    file: "result.json",
    run: ["PY/python", "azure_run.py", "OUT"],
    variants: ["a"],
  },
  {
    tool: "deepeval",
    pip: ["deepeval"],
    file: "test_run.json",
    run: ["PY/python", "deepeval_run.py"],
    made: "deepeval-out/*",
  },
];

function prepare({ tool, npm, pip, build = [] }) {
  const folder = join(cache, tool);
  if (!existsSync(join(folder, "ready"))) {
    mkdirSync(folder, { recursive: true });
    const quiet = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
    if (npm?.length > 0) {
      execFileSync("npm", ["init", "-y"], quiet);
      execFileSync(
        "npm",
        [
          "install",
          "--no-audit",
          "--no-fund",
          "--ignore-scripts",
          "--legacy-peer-deps",
          "--omit=optional",
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
  const work = join(folder, `run-${variant}`);
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
  };
  try {
    execFileSync(program, args, { cwd: work, env, stdio: "ignore", timeout: 300_000 });
  } catch {
    // A red suite exits red; what counts is the file.
  }
  const made = tool.made === undefined ? result : newest(join(work, dirname(tool.made)));
  if (!existsSync(made)) throw new Error(`${tool.tool} wrote no ${tool.file}`);
  cpSync(made, target);
}

function newest(folder) {
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return files.sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs)[0] ?? "";
}

for (const tool of TOOLS.filter(({ tool }) => wanted.length === 0 || wanted.includes(tool))) {
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
// Inspect reads its own logs, packed as they are.
const python = join(cache, "inspect/venv/bin/python");
execFileSync(existsSync(python) ? python : "python3", [join(here, "read.py"), out], {
  stdio: "inherit",
});
