import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runAction, startAction, type ActionRun } from "../../support/action-run.ts";
import { runCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { shownLog } from "../../support/leak-guard.ts";
import { createTree, type Tree } from "../../support/tree.ts";
import { leaks } from "../secret-forms.ts";
import { FAULTS, isOfGithub } from "./faults.ts";
import { asGithub, startGateway, type Gateway } from "./gateway.ts";
import {
  askedBy,
  ENV,
  SECRETS,
  SHOWN_BY_SERVICE,
  tell,
  toBody,
  toSpec,
  type SecretName,
} from "./holdings.ts";
import { SCENARIOS, type Place, type Scenario } from "./scenarios.ts";

/** A scenario under a fault. */
export interface Cell {
  readonly scenario: string;
  readonly fault: string;
}

/** What a run left, by sink. */
export type Sinks = Readonly<Record<string, string>>;

/** How a cell ended. */
export interface Ended {
  readonly end: string;
  readonly sinks: Sinks;
  readonly leaks: readonly string[];
}

const NO_FAULT = "no fault";
/** Whether the fault can be met at all. */
function meets(scenario: string, fault: string): boolean {
  const { entry, offline, event } = SCENARIOS[scenario]!;
  if (fault === NO_FAULT) return true;
  if (!isOfGithub(fault)) return offline !== true;
  return entry === "action" && (event?.name === "pull_request" || scenario.includes("environment"));
}

/** Every scenario under every fault that it can meet. */
export function allCells(): readonly Cell[] {
  return Object.keys(SCENARIOS).flatMap((scenario) =>
    Object.keys(FAULTS)
      .filter((fault) => meets(scenario, fault))
      .map((fault) => ({ scenario, fault })),
  );
}

/** Every scenario without a fault, and under one more: that which fewest have had so far. */
export function rotatedCells(turn = 0): readonly Cell[] {
  const had = new Map<string, number>();
  const cells = allCells();
  return Object.keys(SCENARIOS).flatMap((scenario, at) => {
    const own = cells.filter((cell) => cell.scenario === scenario);
    const faulty = own.filter(({ fault }) => fault !== NO_FAULT);
    const from = (at + turn) % Math.max(1, faulty.length);
    const [one] = [...faulty.slice(from), ...faulty.slice(0, from)].sort(
      (a, b) => (had.get(a.fault) ?? 0) - (had.get(b.fault) ?? 0),
    );
    if (one !== undefined) had.set(one.fault, (had.get(one.fault) ?? 0) + 1);
    return [...own.filter(({ fault }) => fault === NO_FAULT), ...(one === undefined ? [] : [one])];
  });
}

let keys: { readonly key: string; readonly cert: string } | undefined;
function certificate(): { readonly key: string; readonly cert: string } {
  if (keys === undefined) {
    const tree = createTree();
    const how =
      "req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 -subj /CN=127.0.0.1";
    execFileSync("openssl", how.split(" "), { cwd: tree.path, stdio: "ignore" });
    keys = { key: tree.read("k.pem"), cert: tree.read("c.pem") };
  }
  return keys;
}

/** The service with what is live before the run, a checkout, and the way to run the program there. */
async function createPlace(scenario: Scenario): Promise<Place> {
  const emulator = await startTestEmulator({
    timeScale: 0.01,
    ...(scenario.revisions === undefined ? {} : { revisions: scenario.revisions }),
    seed: { integrations: [{ name: "acme" }] },
  } as never);
  emulator.emulator.push({
    repo_url: "http://127.0.0.1:1/acme/agents",
    ref: "main",
    commit: "1".repeat(40),
  });
  const workspace = createTree({
    "agent-deploy.yml": scenario.spec ?? toSpec(),
    ...scenario.files,
  });
  const ids: Record<string, string> = {};
  const call = async (path: string, body?: object): Promise<{ id: string; name: string }> => {
    const reply = await fetch(emulator.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": "prepares", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { id: string; name: string };
  };
  for (const body of scenario.live ?? [toBody()]) {
    const { id, name } = await call("/v2/deployments", body);
    ids[name] = id;
  }
  emulator.emulator.advance(3_600_000);
  const env = { ...ENV, ...emulator.env, AGENT_DEPLOY_POLL_INTERVAL: "20ms" };
  const before: Place["before"] = (args) =>
    runCli(args, { workspace, env, mayLeak: "comes before what is judged" });
  return { emulator, workspace, ids, before };
}

const readIf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const filesOf = (tree: Tree): readonly string[] =>
  readdirSync(tree.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const SINK_FILES: Readonly<Record<string, string>> = { "r.json": "report", "r.md": "markdown" };

/** What is new in the checkout; what `verify` copies is its own. */
function newFiles(workspace: Tree, before: ReadonlySet<string>): Sinks {
  const sinks: Record<string, string> = {};
  for (const path of filesOf(workspace).filter(
    (one) => !before.has(one) && !one.includes("/out/"),
  )) {
    const sink = SINK_FILES[basename(path)] ?? "a file in the checkout";
    sinks[sink] = (sinks[sink] ?? "") + readIf(path);
  }
  return sinks;
}

interface Wires {
  readonly service: Gateway;
  readonly github: Gateway;
  readonly inputs: Readonly<Record<string, string>>;
}

async function runOfAction(
  scenario: Scenario,
  { workspace }: Place,
  wires: Wires,
): Promise<[string, Sinks]> {
  const inputs = {
    "api-key": SECRETS["the api key"],
    "github-token": SECRETS["the token of GitHub"],
    command: scenario.command,
    ...wires.inputs,
  };
  const options = {
    workspace,
    env: { ...ENV, GITHUB_API_URL: wires.github.url, RUNNER_DEBUG: "1", ...scenario.env },
    ...(scenario.event === undefined ? {} : { event: scenario.event }),
    mayLeak: "judged here",
  };
  let run: ActionRun;
  let post = "";
  if (scenario.stopAt === undefined) run = await runAction(inputs, options);
  else {
    const started = startAction(inputs, options);
    await started.until(scenario.stopAt).catch(() => undefined);
    started.process.kill("SIGTERM");
    run = await started.done;
    // As after a kill: what was saved last says that the sinks are open.
    const state = Object.fromEntries(
      Object.entries(run.state).map(([name, text]) => [
        name,
        text.replace('"open":false', '"open":true'),
      ]),
    );
    const after = await runAction(inputs, { ...options, entry: "post", state });
    post = after.stdout + after.stderr;
  }
  return [
    `${run.code} ${run.outputs["outcome"] ?? ""}`,
    {
      log: shownLog(run),
      stderr: run.stderr,
      outputs: Object.values(run.outputs).join("\n"),
      state: JSON.stringify(run.state),
      summary: run.summary,
      "variables for later steps": run.variables,
      "the post step": post,
      "GitHub's comment, deployment and issue": wires.github.sent.join("\n"),
    },
  ];
}

async function runOfCli(
  scenario: Scenario,
  { emulator, workspace }: Place,
  wires: Wires,
): Promise<[string, Sinks]> {
  const {
    spec: _,
    "control-plane-url": controlPlane,
    "tracing-url": tracing,
    ...flags
  } = wires.inputs;
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}=${value}`]);
  const env = {
    ...ENV,
    ...emulator.env,
    AGENT_DEPLOY_CONTROL_PLANE_URL: controlPlane!,
    AGENT_DEPLOY_TRACING_URL: tracing!,
    AGENT_DEPLOY_API_KEY: SECRETS["the api key"],
    ...scenario.env,
  };
  const run = await runCli([scenario.command, ...(scenario.words ?? []), ...args], {
    workspace,
    env,
    mayLeak: "judged here",
    ...(scenario.stdin === undefined ? {} : { stdin: scenario.stdin }),
  });
  const report = readIf(join(workspace.path, "r.json"));
  const outcome = report === "" ? "" : ` ${(JSON.parse(report) as { outcome: string }).outcome}`;
  return [`${run.code}${outcome}`, { stdout: run.stdout, stderr: run.stderr }];
}

/** What the run of a cell was given, or shown by now, and so must hide. */
function known(
  { entry, inputs = {}, reads, spec, stdin, files = {} }: Scenario,
  showed: Gateway["showed"],
): readonly SecretName[] {
  const asked =
    reads === true ? [] : askedBy([spec ?? toSpec(), stdin ?? "", ...Object.values(files)].join());
  const names: readonly SecretName[] = [
    ...(inputs["api-key"] === "" ? [] : ["the api key" as const]),
    ...(inputs["bearer-token"] === undefined ? [] : ["the bearer token" as const]),
    ...(entry === "action" ? ["the token of GitHub" as const] : []),
    ...asked,
    ...SHOWN_BY_SERVICE.filter((name) => showed(JSON.stringify(SECRETS[name]).slice(1, -1))),
  ];
  return [...new Set(names)];
}

/** Flags that only commands which wait have. */
const WAITS = ["auto", "plan", "apply", "wait", "redeploy", "destroy", "rollback"];

/** Runs one cell in a place of its own. */
export async function runCell({ scenario: name, fault: faultName }: Cell): Promise<Ended> {
  const scenario = SCENARIOS[name]!;
  const fault = FAULTS[faultName]!;
  const place = await createPlace(scenario);
  const more = (await scenario.prepare?.(place)) ?? {};
  const there = new Set(filesOf(place.workspace));
  const service = await startGateway(place.emulator.url, {
    handle: fault.service ?? ((passing) => passing.forward()),
    tell: (showed) => tell(known(scenario, showed)),
    tls: fault.tls === undefined ? undefined : certificate(),
  });
  const github = await startGateway(null, {
    handle: fault.github ?? asGithub,
    tell: () => tell(known(scenario, service.showed)),
  });
  const waits = WAITS.includes(scenario.command) && scenario.command !== "plan";
  const inputs = {
    "control-plane-url": service.url,
    "tracing-url": service.url,
    ...(waits ? { "poll-interval": "20ms", timeout: fault.timeout ?? "30s" } : {}),
    ...scenario.inputs,
    ...more,
  };
  const wires = { service, github, inputs };
  try {
    const run = scenario.entry === "action" ? runOfAction : runOfCli;
    const [end, printed] = await run(scenario, place, wires);
    const hidden = Object.fromEntries(
      known(scenario, service.showed).map((one) => [one, SECRETS[one]]),
    );
    const sinks = { ...printed, ...newFiles(place.workspace, there) };
    return { end, sinks, leaks: leaks(sinks, hidden) };
  } finally {
    await Promise.all([service.close(), github.close(), place.emulator.close()]);
  }
}
