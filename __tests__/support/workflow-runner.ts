import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import {
  convertWorkflowTemplate,
  NoOperationTraceWriter,
  parseWorkflow,
  type WorkflowTemplate,
} from "@actions/workflow-parser";
import { load } from "js-yaml";
import {
  parseCommandFile,
  runAction,
  startAction,
  type ActionOptions,
  type ActionRun,
} from "./action-run.ts";
import { startChild, type Child } from "./child.ts";
import { createTree, type Tree } from "./tree.ts";

/**
 * A small runner for real workflow files: GitHub's own parser judges the file, GitHub's own
 * expressions are evaluated, and `uses: ./` (or `<owner>/agent-deploy@…`, and the gate's own) runs dist/ as a process.
 * Other actions are noted and skipped; jobs run one after the other in one workspace, so what
 * artefacts would carry from job to job is simply there.
 */
export interface WorkflowRequest {
  readonly file: string;
  readonly event: { readonly name: string; readonly payload?: Readonly<Record<string, unknown>> };
  readonly workspace: Tree;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  /** Laid over the `github` context; `ref` also decides the branch filters. */
  readonly github?: Readonly<Record<string, unknown>>;
  /**
   * Inputs added to every step that runs the Action, where the workflow does not give them: the
   * address of an emulator.
   */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The inputs of a call, for a workflow that others call by `workflow_call`. */
  readonly called?: Readonly<Record<string, string>>;
  /** Called with each process of the Action, for runs that a test kills. */
  readonly onStart?: (child: Pick<Child, "process">) => void;
}

export interface StepResult {
  readonly name: string;
  readonly conclusion: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
  /** Only of steps that ran the Action. */
  readonly run?: ActionRun;
  readonly log: string;
}
export interface JobResult {
  readonly id: string;
  readonly result: "success" | "failure" | "skipped";
  readonly steps: readonly StepResult[];
  readonly outputs: Readonly<Record<string, string>>;
}
export interface WorkflowResult {
  readonly triggered: boolean;
  readonly jobs: readonly JobResult[];
}

type Plain = Record<string, unknown>;
interface Scope {
  readonly contexts: Plain;
  readonly failed: boolean;
}
interface Workflow {
  readonly env?: Plain;
  readonly on: unknown;
  readonly jobs: Record<string, Plain>;
}

/** Problems that GitHub's own parser finds in a workflow, each with its place; none for a good one. */
export async function workflowProblems(file: string): Promise<string[]> {
  return (await parseFile(file)).problems;
}

async function parseFile(
  file: string,
): Promise<{ problems: string[]; template: WorkflowTemplate }> {
  const { context, value } = parseWorkflow(
    { name: basename(file), content: readFileSync(file, "utf8") },
    new NoOperationTraceWriter(),
  );
  const problems = context.errors.getErrors().map((error) => error.message);
  if (value === undefined)
    return {
      problems: [...problems, `${basename(file)} is empty`],
      template: { events: {}, jobs: [] } as unknown as WorkflowTemplate,
    };
  const template = await convertWorkflowTemplate(context, value);
  return {
    problems: [...problems, ...(template.errors ?? []).map((error) => error.Message)],
    template,
  };
}

/** Runs a workflow as an event would; throws where GitHub would not take the file. */
export async function runWorkflow(request: WorkflowRequest): Promise<WorkflowResult> {
  const { problems, template } = await parseFile(request.file);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const payload = request.event.payload ?? {};
  const github: Plain = {
    event_name: request.event.name,
    event: payload,
    ref: "refs/heads/main",
    repository: "acme/agents",
    sha: "1".repeat(40),
    run_id: "1001",
    token: "",
    server_url: "http://127.0.0.1:1",
    ...request.github,
  };
  const trigger = request.called === undefined ? request.event.name : "workflow_call";
  if (!isTriggered(template.events, trigger, github)) return { triggered: false, jobs: [] };
  const workflow = load(readFileSync(request.file, "utf8")) as Workflow;
  const jobs: JobResult[] = [];
  for (const { id } of template.jobs) {
    const body = workflow.jobs[id.value]!;
    const needs = Object.fromEntries(
      [body["needs"] ?? []]
        .flat()
        .map((name) => [name as string, jobs.find((job) => job.id === name)]),
    );
    const scope: Scope = {
      contexts: {
        github,
        secrets: { GITHUB_TOKEN: "", ...request.secrets },
        vars: request.vars ?? {},
        needs: pick(needs),
        env: {},
        matrix: null,
        runner: { os: "Linux" },
        inputs: payload["inputs"] ?? toCallInputs(workflow, request.called),
        job: { status: "success" },
      },
      failed: Object.values(needs).some((job) => job?.result !== "success"),
    };
    if (!holds(body["if"], scope)) {
      jobs.push({ id: id.value, result: "skipped", steps: [], outputs: {} });
      continue;
    }
    const legs = matrixLegs(fill((body["strategy"] as Plain | undefined)?.["matrix"], scope));
    for (const [index, matrix] of legs.entries()) {
      const strategy = {
        "fail-fast": true,
        "job-index": index,
        "job-total": legs.length,
        "max-parallel": legs.length,
      };
      jobs.push(
        await runJob(
          id.value,
          body,
          workflow.env ?? {},
          { ...scope, failed: false, contexts: { ...scope.contexts, matrix, strategy } },
          request,
        ),
      );
    }
  }
  return { triggered: true, jobs };
}

/** What a call gives, over the defaults of what it may give. */
function toCallInputs({ on }: Workflow, called: WorkflowRequest["called"]): Plain {
  const { inputs = {} } =
    (on as { workflow_call?: { inputs?: Record<string, Plain> } }).workflow_call ?? {};
  const defaults = Object.entries(inputs).map(([name, row]) => [name, row["default"] ?? ""]);
  return { ...Object.fromEntries(defaults), ...called };
}

function pick(needs: Record<string, JobResult | undefined>): Plain {
  return Object.fromEntries(
    Object.entries(needs).map(([name, job]) => [
      name,
      { result: job?.result ?? "skipped", outputs: job?.outputs ?? {} },
    ]),
  );
}

function isTriggered(events: WorkflowTemplate["events"], name: string, github: Plain): boolean {
  const filter = events[name] as
    | { branches?: string[]; tags?: string[]; types?: string[] }
    | undefined;
  if (filter === undefined) return false;
  const payload = github["event"] as {
    action?: string;
    pull_request?: { base?: { ref?: string } };
  };
  const types =
    filter.types ??
    (name.startsWith("pull_request") ? ["opened", "synchronize", "reopened"] : undefined);
  if (types !== undefined && payload.action !== undefined && !types.includes(payload.action))
    return false;
  const branch =
    payload.pull_request?.base?.ref ?? String(github["ref"]).replace("refs/heads/", "");
  return (
    filter.branches === undefined ||
    filter.branches.some((glob) =>
      new RegExp(`^${glob.replaceAll("**", ".*").replace(/(?<!\.)\*/g, "[^/]*")}$`).test(branch),
    )
  );
}

function matrixLegs(matrix: unknown): (Plain | null)[] {
  if (matrix === undefined || matrix === null) return [null];
  const { include = [], exclude: _, ...axes } = matrix as Plain & { include?: Plain[] };
  const crossed = Object.entries(axes).reduce<Plain[]>(
    (legs, [name, values]) =>
      legs.flatMap((leg) => (values as unknown[]).map((value) => ({ ...leg, [name]: value }))),
    [{}],
  );
  return Object.keys(axes).length === 0 ? include : [...crossed, ...include];
}

async function runJob(
  id: string,
  body: Plain,
  workflowEnv: Plain,
  scope: Scope,
  request: WorkflowRequest,
): Promise<JobResult> {
  const steps: StepResult[] = [];
  const known: Plain = {};
  let env = { ...request.env, ...texts(fill(workflowEnv, scope)) };
  env = { ...env, ...texts(fill(body["env"], inEnv(scope, env))) };
  for (const step of body["steps"] as Plain[]) {
    const at: Scope = {
      failed: steps.some((done) => done.conclusion === "failure"),
      contexts: { ...scope.contexts, steps: known, env },
    };
    const done = await runStep(step, at, env, request);
    steps.push(done.result);
    env = { ...env, ...done.exported };
    if (typeof step["id"] === "string")
      known[step["id"]] = {
        outputs: done.result.outputs,
        outcome: done.result.conclusion,
        conclusion: done.result.conclusion,
      };
    if (step["continue-on-error"] === true && done.result.conclusion === "failure")
      steps[steps.length - 1] = { ...done.result, conclusion: "success" };
  }
  const result = steps.some((step) => step.conclusion === "failure") ? "failure" : "success";
  return {
    id,
    result,
    steps,
    outputs: texts(
      fill(body["outputs"], { ...scope, contexts: { ...scope.contexts, steps: known, env } }),
    ),
  };
}

async function runStep(
  step: Plain,
  scope: Scope,
  jobEnv: Record<string, string>,
  request: WorkflowRequest,
): Promise<{ result: StepResult; exported: Record<string, string> }> {
  const name = String(step["name"] ?? step["uses"] ?? step["run"]);
  const skipped: StepResult = { name, conclusion: "skipped", outputs: {}, log: "" };
  if (!holds(step["if"], scope)) return { result: skipped, exported: {} };
  const env = { ...jobEnv, ...texts(fill(step["env"], scope)) };
  const at = inEnv(scope, env);
  const github = scope.contexts["github"] as Plain;
  const runner = {
    GITHUB_REF: String(github["ref"]),
    GITHUB_SHA: String(github["sha"]),
    GITHUB_REPOSITORY: String(github["repository"]),
    GITHUB_RUN_ID: String(github["run_id"]),
    GITHUB_EVENT_NAME: request.event.name,
  };
  if (typeof step["uses"] === "string") {
    const isGate = /^\.\/gate$|(^|\/)agent-deploy\/gate(@|$)/.test(step["uses"]);
    if (!isGate && !/^\.\/$|(^|\/)agent-deploy(@|$)/.test(step["uses"]))
      return {
        result: { ...skipped, conclusion: "success", log: `not run: ${step["uses"]}` },
        exported: {},
      };
    const given = texts(fill(step["with"], at));
    const inputs = isGate
      ? given
      : { ...request.inputs, ...given, matrix: JSON.stringify(scope.contexts["matrix"]) };
    const options = {
      entry: isGate ? "gate" : "index",
      workspace: request.workspace,
      event: request.event,
      env: { ...runner, ...env },
    } as const;
    const run = await runStarted(inputs, options, request.onStart);
    return {
      result: {
        name,
        conclusion: run.code === 0 ? "success" : "failure",
        outputs: run.outputs,
        run,
        log: run.stdout + run.stderr,
      },
      exported: {},
    };
  }
  const files = createTree({ output: "", env: "", summary: "" });
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: files.path,
    GITHUB_OUTPUT: join(files.path, "output"),
    GITHUB_ENV: join(files.path, "env"),
    GITHUB_STEP_SUMMARY: join(files.path, "summary"),
    GITHUB_WORKSPACE: request.workspace.path,
  };
  const done = await startChild(
    "bash",
    ["-e", "-o", "pipefail", "-c", String(fill(step["run"], at))],
    { cwd: request.workspace.path, env: { ...own, ...runner, ...env } },
  ).done;
  return {
    result: {
      name,
      conclusion: done.code === 0 ? "success" : "failure",
      outputs: parseCommandFile(files.read("output")),
      log: done.stdout + done.stderr,
    },
    exported: parseCommandFile(files.read("env")),
  };
}

/** Runs the Action; a test that reacts to its start gets its process. */
function runStarted(
  inputs: Readonly<Record<string, string>>,
  options: ActionOptions,
  onStart: WorkflowRequest["onStart"],
): Promise<ActionRun> {
  if (onStart === undefined) return runAction(inputs, options);
  const child = startAction(inputs, options);
  onStart(child);
  return child.done;
}

function inEnv(scope: Scope, env: Plain): Scope {
  return { ...scope, contexts: { ...scope.contexts, env } };
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((value ?? {}) as Plain).map(([name, one]) => [
      name,
      typeof one === "object" && one !== null ? JSON.stringify(one) : String(one ?? ""),
    ]),
  );
}

/** As GitHub: a condition that asks for no status holds only while nothing failed. */
function holds(condition: unknown, scope: Scope): boolean {
  const text =
    condition === undefined
      ? ""
      : String(condition)
          .replace(/^\$\{\{([\s\S]*)\}\}$/, "$1")
          .trim();
  const asksStatus = /\b(success|failure|always|cancelled)\s*\(/.test(text);
  if (!asksStatus && scope.failed) return false;
  return text === "" || truthy(evaluate(text, scope));
}

const truthy = (value: unknown): boolean =>
  !(value === null || value === false || value === 0 || value === "");

/** Every `${{ }}` in a value evaluated; a string that is one expression takes its type. */
function fill(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, scope));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, scope)]));
  if (typeof value !== "string") return value;
  const whole = /^\$\{\{((?:(?!\}\})[\s\S])*)\}\}$/.exec(value.trim());
  if (whole !== null) return evaluate(whole[1]!, scope);
  return value.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => {
    const found = evaluate(expression, scope);
    return found === null ? "" : String(found);
  });
}

function evaluate(expression: string, { contexts, failed }: Scope): unknown {
  const status: [string, boolean][] = [
    ["success", !failed],
    ["failure", failed],
    ["always", true],
    ["cancelled", false],
  ];
  const functions = status.map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const parsed = new Parser(
    new Lexer(expression).lex().tokens,
    Object.keys(contexts),
    functions,
  ).parse();
  const context = JSON.parse(JSON.stringify(contexts), data.reviver) as unknown as InstanceType<
    typeof data.Dictionary
  >;
  const found = new Evaluator(
    parsed,
    context,
    new Map(functions.map((one) => [one.name, one])),
  ).evaluate();
  return JSON.parse(JSON.stringify(found, data.replacer)) as unknown;
}
