import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { keptCode, nodeUnderTest, path, startChild, type Child, type Finished } from "./child.ts";
import { isKept, runKept } from "./kept-process.ts";
import { refuseLeaks, shownLog } from "./leak-guard.ts";
import { isPlayed, play } from "./played.ts";
import { createTree, repositoryRoot, type Tree } from "./tree.ts";

/**
 * One run of the Action as a process, as the runner would have it: what it printed and what it left
 * in the runner's files.
 */
export interface ActionRun extends Finished {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What it left for later steps in GITHUB_ENV and GITHUB_PATH. */
  readonly variables: string;
  readonly workspace: Tree;
}

export interface ActionOptions {
  readonly workspace?: Tree;
  readonly event?: { readonly name: string; readonly payload?: unknown };
  /** Laid over the runner's variables; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `gate` runs what gate/action.yml names; `post` runs dist/post.js with the state of an earlier run. */
  readonly entry?: "index" | "gate" | "post";
  readonly state?: Readonly<Record<string, string>>;
  /** See ChildOptions. */
  readonly mayLeak?: string;
}

const RUNNER: Readonly<Record<string, string>> = {
  CI: "true",
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "acme/agents",
  GITHUB_REPOSITORY_OWNER: "acme",
  GITHUB_ACTOR: "octocat",
  GITHUB_REF: "refs/heads/main",
  GITHUB_REF_NAME: "main",
  GITHUB_REF_TYPE: "branch",
  GITHUB_SHA: "1111111111111111111111111111111111111111",
  GITHUB_RUN_ID: "1001",
  GITHUB_RUN_NUMBER: "7",
  GITHUB_RUN_ATTEMPT: "1",
  GITHUB_WORKFLOW: "deploy",
  GITHUB_JOB: "deploy",
  GITHUB_ACTION: "agent-deploy",
  // Nothing listens there: a test that talks to GitHub says where it is.
  GITHUB_SERVER_URL: "http://127.0.0.1:1",
  GITHUB_API_URL: "http://127.0.0.1:1",
  GITHUB_GRAPHQL_URL: "http://127.0.0.1:1/graphql",
  RUNNER_OS: "Linux",
  RUNNER_ARCH: "X64",
  RUNNER_NAME: "test",
};

/** What an action.yml fills in for inputs that are absent; expressions of a plain job: no matrix, no token. */
export function actionDefaults(file = "action.yml"): Readonly<Record<string, string>> {
  const known = defaults.get(file) ?? readActionDefaults(file);
  defaults.set(file, known);
  return known;
}

const defaults = new Map<string, Readonly<Record<string, string>>>();

function readActionDefaults(file: string): Record<string, string> {
  const { inputs } = load(readFileSync(join(repositoryRoot, file), "utf8")) as {
    inputs: Record<string, { default?: string }>;
  };
  return Object.fromEntries(
    Object.entries(inputs).map(([name, row]) => {
      const value = row.default ?? "";
      if (value === "${{ toJSON(matrix) }}") return [name, "null"];
      return [name, value.startsWith("${{") ? "" : value];
    }),
  );
}

/** What a runner gives to a step, and how it reads what the step leaves. */
interface Step {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly read: (finished: Finished) => ActionRun;
}

function createStep(
  inputs: Readonly<Record<string, string | undefined>>,
  options: ActionOptions,
): Step {
  const workspace = options.workspace ?? createTree();
  const runner = createTree({
    "event.json": JSON.stringify(options.event?.payload ?? {}),
    output: "",
    summary: "",
    state: "",
    env: "",
    path: "",
  });
  const env: Record<string, string | undefined> = {
    PATH: path,
    HOME: runner.path,
    ...RUNNER,
    GITHUB_WORKSPACE: workspace.path,
    RUNNER_TEMP: join(runner.path, "temp"),
    GITHUB_EVENT_NAME: options.event?.name ?? "push",
    GITHUB_EVENT_PATH: join(runner.path, "event.json"),
    GITHUB_OUTPUT: join(runner.path, "output"),
    GITHUB_STEP_SUMMARY: join(runner.path, "summary"),
    GITHUB_STATE: join(runner.path, "state"),
    GITHUB_ENV: join(runner.path, "env"),
    GITHUB_PATH: join(runner.path, "path"),
  };
  runner.write("temp/.keep", "");
  const file = options.entry === "gate" ? "gate/action.yml" : "action.yml";
  for (const [name, value] of Object.entries({ ...actionDefaults(file), ...inputs }))
    env[`INPUT_${name.toUpperCase()}`] = value;
  for (const [name, value] of Object.entries(options.state ?? {})) env[`STATE_${name}`] = value;
  const given = Object.fromEntries(
    Object.entries({ ...env, ...options.env }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const read = (finished: Finished): ActionRun => {
    const run = {
      ...finished,
      workspace,
      summary: runner.read("summary"),
      variables: runner.read("env") + runner.read("path"),
      outputs: parseCommandFile(runner.read("output")),
      state: parseCommandFile(runner.read("state")),
    };
    const { report = "" } = run.outputs;
    if (options.mayLeak === undefined) {
      refuseLeaks(given, {
        outputs: runner.read("output"),
        summary: run.summary,
        state: runner.read("state"),
        "the report": existsSync(report) ? readFileSync(report, "utf8") : "",
      });
    }
    return run;
  };
  const argv = [join(repositoryRoot, "dist", `${options.entry ?? "index"}.js`)];
  return { argv, cwd: workspace.path, env: given, read };
}

/** Starts the Action; for runs that a test interrupts. */
export function startAction(
  inputs: Readonly<Record<string, string | undefined>>,
  options: ActionOptions = {},
): Omit<Child, "done"> & { readonly done: Promise<ActionRun> } {
  const { read, argv, ...given } = createStep(inputs, options);
  const child = startChild(nodeUnderTest, [...keptCode, ...argv], {
    ...given,
    ...(options.mayLeak === undefined ? {} : { mayLeak: options.mayLeak }),
  });
  return { ...child, done: child.done.then(read) };
}

/** Runs the Action to its end, see `runKept`; RUNS=played plays that of src/, see `play`. */
export async function runAction(
  inputs: Readonly<Record<string, string | undefined>>,
  options: ActionOptions = {},
): Promise<ActionRun> {
  const step = createStep(inputs, options);
  const isToPlay = options.entry !== "post" && isPlayed();
  if (!isToPlay && !isKept(step)) return startAction(inputs, options).done;
  const finished = isToPlay
    ? await play(async () => {
        const { run } = await import("../../src/entry/action.ts");
        return () => run(options.entry === "gate" ? "gate" : "action");
      }, step)
    : await runKept(step);
  if (options.mayLeak === undefined)
    refuseLeaks(step.env, { stdout: shownLog(finished), stderr: finished.stderr });
  return step.read(finished);
}

/**
 * Names and values of a GITHUB_OUTPUT or GITHUB_STATE file, in both forms that the runner reads:
 * `name=value` and heredocs. Throws where the runner would.
 */
export function parseCommandFile(text: string): Record<string, string> {
  const out: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const delimiter = line.slice(heredoc + 2);
      const end = lines.indexOf(delimiter, at + 1);
      if (end < 0)
        throw new Error(`no line ${delimiter} ends the value of ${line.slice(0, heredoc)}`);
      out[line.slice(0, heredoc)] = lines.slice(at + 1, end).join("\n");
      at = end;
    } else if (equals > 0) out[line.slice(0, equals)] = line.slice(equals + 1);
    else throw new Error(`the runner cannot read the line ${JSON.stringify(line)}`);
  }
  return out;
}
