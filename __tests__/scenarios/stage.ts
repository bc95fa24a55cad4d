import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { ServerOptions } from "../../src/emulator/server.ts";
import type { Entry } from "../../src/emulator/state/store.ts";
import {
  runAction,
  startAction,
  type ActionOptions,
  type ActionRun,
} from "../support/action-run.ts";
import { runCli } from "../support/cli-run.ts";
import type { Finished } from "../support/child.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import {
  findOutputFaults,
  findRoleFaults,
  readRoles,
  type ServiceState,
} from "../support/revision-roles.ts";
import { findPhaseFaults } from "../support/phase-faults.ts";
import { findRepeats, findTwoForms } from "../support/repeats.ts";
import { seededBy } from "../support/seeded.ts";
import { startProxy, type Passed, type Passing } from "../support/service-proxy.ts";
import { createTree, type Tree } from "../support/tree.ts";

/** A prebuilt image, as a self-hosted service runs it. */
export const CONTAINER = `name: search-agent
source: external_container
source_config:
  custom_url: https://search.example.com
  resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 }
source_revision_config:
  image_uri: registry.example.com/acme/search@sha256:${"a".repeat(64)}
secrets:
  - { name: API_TOKEN, value: first-value }
  - { name: DB_URL, value: "postgres://db/search" }
`;

/** Built from a repository, as the hosted service does; its repository is that of the run (acme/agents on the runner's server). */
export const REPOSITORY = `name: support-agent
source: repohost
source_config:
  repo_url: http://127.0.0.1:1/acme/agents
  deployment_type: prod
  build_on_push: false
  install_command: npm ci
source_revision_config:
  repo_ref: main
  graph_config_path: graphs/support.json
secrets:
  - { name: API_TOKEN, value: first-value }
`;

export const REPO_URL = "http://127.0.0.1:1/acme/agents";
/** The commit that the runner says it runs on (GITHUB_SHA). */
export const THIS_COMMIT = "1".repeat(40);
const HEAD = { repo_url: REPO_URL, ref: "main" };

/** The text with one part replaced; the part must be there once. */
export function edit(text: string, from: string, to: string): string {
  expect(text.split(from)).toHaveLength(2);
  return text.replace(from, () => to);
}

/**
 * A clock of the service that each request moves by so much, and nothing else: what a run gets to see does not depend on
 * how busy the machine is. It starts at the machine's own time, with which a run compares what it reads.
 */
export function movedByRequests(stepMs: number): NonNullable<ServerOptions["clock"]> {
  return { manual: true, startMs: Date.now(), stepMs };
}

type Inputs = Readonly<Record<string, string | undefined>>;

/** A service and a workspace with a spec: what a scenario plays on. */
export interface Stage {
  readonly emulator: TestEmulator;
  readonly workspace: Tree;
  /** Writes agent-deploy.yml. */
  readonly spec: (text: string) => void;
  /** Runs the Action, `command: apply` by default. */
  readonly run: (inputs?: Inputs, options?: ActionOptions) => Promise<ActionRun>;
  readonly start: (inputs?: Inputs, options?: ActionOptions) => ReturnType<typeof startAction>;
  readonly cli: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<Finished>;
  /** POST, PATCH and DELETE since the last call of `forget`, as `METHOD path`. */
  readonly writes: () => string[];
  /** Bodies of the PATCHes since the last `forget`; secret values are starred by the log. */
  readonly patches: () => unknown[];
  readonly forget: () => void;
  /** A GET of the service itself, past the tool. */
  readonly get: (path: string) => Promise<any>;
  readonly send: (method: string, path: string, body?: unknown) => Promise<any>;
  /** The one deployment there is. */
  readonly live: (name?: string) => Promise<any>;
  readonly revisions: (name?: string) => Promise<any[]>;
}

const stateOf = ({ emulator }: TestEmulator): ServiceState =>
  emulator.state() as unknown as ServiceState;

function readReport({ report = "" }: ActionRun["outputs"]): any {
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : { deployments: [] };
}

const READING = ["list", "status", "history", "logs", "open", "lookup", "export", "whoami"];

/**
 * Remembers the service's state before a run; what comes back holds each text of that run, and its
 * outputs, against what came of it, no text says a thing twice, and its phases
 * are those that the service showed it.
 */
function watchRoles(emulator: TestEmulator) {
  const before = stateOf(emulator);
  const sent = emulator.emulator.requests().length;
  return (
    texts: Readonly<Record<string, string>>,
    asked: readonly string[],
    outputs: ActionRun["outputs"] = {},
    isDirect = false,
  ): void => {
    const deployments = JSON.parse(outputs["deployments"] || "[]");
    const repeats = Object.entries(texts).flatMap(([name, text]) => [
      ...findRepeats(text).map((sentence) => `${name} says twice: ${sentence}`),
      ...findTwoForms(text).map((forms) => `${name} shows one number as ${forms}`),
    ]);
    expect(repeats).toEqual([]);
    const requests = emulator.emulator.requests().slice(sent);
    // A run that asked another service reports that service's revisions.
    if (requests.length === 0) return;
    const after = stateOf(emulator);
    const roles = readRoles(before, after, requests);
    const faults = Object.entries(texts).flatMap(([name, text]) =>
      findRoleFaults(text, roles, asked).map((fault) => `${name}: ${fault}`),
    );
    const phases = isDirect
      ? findPhaseFaults(readReport(outputs).deployments, { before, after }, requests)
      : [];
    expect([...faults, ...findOutputFaults(deployments, roles), ...phases]).toEqual([]);
  };
}

/** What a stage begins with, where that is not an empty service and an empty folder. */
interface Beginning {
  readonly held?: readonly Entry[];
  readonly workspace?: Tree;
}

/**
 * A stage that holds what each run says of revisions against the service's own state. The service
 * begins with `held`, what another one held, where that is given.
 */
export async function createStage(
  spec: string,
  options: ServerOptions = {},
  { held, workspace = createTree() }: Beginning = {},
): Promise<Stage> {
  const emulator = await startTestEmulator(options, held);
  if (held === undefined) emulator.emulator.push({ ...HEAD, commit: THIS_COMMIT });
  workspace.write("agent-deploy.yml", spec);
  let seen = 0;
  const log = (): ReturnType<TestEmulator["emulator"]["requests"]> =>
    emulator.emulator
      .requests()
      .slice(seen)
      .filter(({ method }) => method !== "GET");
  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await fetch(emulator.url + path, {
      method,
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  const get = (path: string): Promise<any> => send("GET", path);
  /** The inputs of a run, and what holds its end against the service. */
  const prepare = (inputs: Inputs) => {
    const hold = watchRoles(emulator);
    const comment = inputs["markdown-file"] ?? "told/comment.md";
    // Emptied, or a run that writes none would be held to what an earlier one said.
    if (inputs["markdown-file"] === undefined) workspace.write(comment, "");
    const held = (run: ActionRun): ActionRun => {
      const { summary, stdout, stderr, outputs } = run;
      const told = workspace.has(comment) ? workspace.read(comment) : "";
      hold(
        { summary, comment: told, stdout, stderr },
        Object.values(inputs).filter((one) => one !== undefined),
        outputs,
        // What a gateway answers in the service's place, and the times of another clock, are not the service's.
        options.clock === undefined && inputs["control-plane-url"] === undefined,
      );
      return run;
    };
    return {
      given: { ...emulator.inputs, command: "apply", "markdown-file": comment, ...inputs },
      held,
    };
  };
  const live = async (name?: string): Promise<any> => {
    const { resources } = await get("/v2/deployments?limit=100");
    const found = resources.filter(
      (one: { name: string }) => name === undefined || one.name === name,
    );
    expect(found).toHaveLength(1);
    return found[0];
  };
  return {
    emulator,
    workspace,
    get,
    send,
    live,
    spec: (text) => {
      workspace.write("agent-deploy.yml", text);
    },
    run: async (inputs = {}, more = {}) => {
      const { given, held } = prepare(inputs);
      return held(await runAction(given, { workspace, ...more }));
    },
    start: (inputs = {}, more = {}) => {
      const { given, held } = prepare(inputs);
      const child = startAction(given, { workspace, ...more });
      return { ...child, done: child.done.then(held) };
    },
    cli: async (args, env = {}) => {
      const hold = watchRoles(emulator);
      const run = await runCli(args, { workspace, env: { ...emulator.env, ...env } });
      // What a command reads for people, or prints as JSON, has words of its own.
      const prints = args.includes("--json") || READING.includes(args[0] ?? "");
      hold(prints ? { stderr: run.stderr } : { stdout: run.stdout, stderr: run.stderr }, args);
      return run;
    },
    writes: () => log().map(({ method, path }) => `${method} ${path}`),
    patches: () =>
      log()
        .filter(({ method }) => method === "PATCH")
        .map(({ body }) => body),
    forget: () => {
      seen = emulator.emulator.requests().length;
    },
    revisions: async (name) =>
      (await get(`/v2/deployments/${(await live(name)).id}/revisions?limit=100`)).resources,
  };
}

/** What a stage with something live begins with: the head of main or of each branch, and the folder. */
interface DeployedBeginning {
  readonly commit?: string;
  readonly heads?: Readonly<Record<string, string>>;
  readonly workspace?: Tree;
}

/**
 * A stage on which the spec is live, or the last of several that were applied one after the other; its request log starts
 * after that.
 */
export async function createDeployed(
  specs: string | readonly string[],
  options: ServerOptions = {},
  { commit = THIS_COMMIT, heads = { main: commit }, ...more }: DeployedBeginning = {},
): Promise<Stage> {
  const all = [specs].flat();
  const pushed = Object.entries(heads).map(([ref, head]) => ({
    repo_url: REPO_URL,
    ref,
    commit: head,
  }));
  const held = await seededBy(all, options, pushed);
  return createStage(all.at(-1)!, options, { held, ...more });
}

/** Waits until what the service builds is active, as somebody else's update does. */
export async function awaitSettled(stage: Stage): Promise<void> {
  for (;;) {
    const { active_revision_id: active, latest_revision_id: latest } = await stage.live();
    if (latest !== null && active === latest) return;
    await setTimeout(20);
  }
}

/** Runs the Action through a gateway. */
export async function behind(
  stage: Stage,
  handle: (passing: Passing) => Promise<Passed>,
): Promise<(inputs?: Inputs, more?: ActionOptions) => Promise<ActionRun>> {
  const url = await startProxy(stage.emulator.url, handle);
  const through = { "control-plane-url": url, "tracing-url": url };
  return (inputs = {}, more = {}) => stage.run({ ...through, ...inputs }, more);
}

/** Holds the outputs of a run; on a difference the log of the run is shown too. */
export function expectEnd(
  run: ActionRun,
  outputs: Readonly<Record<string, string>>,
  code = 0,
): void {
  const seen = Object.fromEntries(Object.keys(outputs).map((name) => [name, run.outputs[name]]));
  try {
    expect({ code: run.code, ...seen }).toEqual({ code, ...outputs });
  } catch (error) {
    (error as Error).message += `\n--- log of the run\n${run.stdout}${run.stderr}`;
    throw error;
  }
}

/** The one entry of the output `deployments`. */
export function deploymentOf(run: ActionRun): any {
  const all = JSON.parse(run.outputs["deployments"] ?? "[]");
  expect(all).toHaveLength(1);
  return all[0];
}
