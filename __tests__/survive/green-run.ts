import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runApply } from "../../src/commands/apply.ts";
import { destroyTarget } from "../../src/commands/destroy.ts";
import { runPlan } from "../../src/commands/plan.ts";
import { redeployTarget } from "../../src/commands/redeploy.ts";
import { rollBackTarget } from "../../src/commands/rollback.ts";
import { awaitTargets } from "../../src/commands/wait.ts";
import type { Shell } from "../../src/deploy/context.ts";
import { createWorkspace } from "../../src/files/workspace.ts";
import { parseInputs } from "../../src/cli/input-values.ts";
import { mergeReports, latestLegs } from "../../src/report/merge.ts";
import { isRed, judge } from "../../src/report/judgement.ts";
import type { DeploymentReport, Report } from "../../src/report/report.ts";
import { toFailedEnd } from "../../src/entry/command.ts";
import type { Session } from "../../src/ci/session.ts";
import type { Wire } from "../../src/service/exchange.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { BRISK, createFlow, desiredOf, liveOf, repohost, type Flow } from "./flow.ts";
import { randomOf, type Deed, type Results, type World } from "./green-world.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "green-"));
const RESULTS = join(FOLDER, "results.json");

const rows = (score: number): string =>
  JSON.stringify(
    Array.from({ length: 12 }, (_, at) => ({
      inputs: { q: at },
      actual_outputs: { a: at },
      evaluation_scores: [{ key: "correctness", score }],
    })),
  );
const TEXTS: Readonly<Record<string, string>> = { good: rows(1), bad: rows(0), broken: "[{" };

function leave(results: Results): void {
  if (results === "absent") rmSync(RESULTS, { force: true });
  else if (results !== "same") writeFileSync(RESULTS, TEXTS[results]!);
}

/** A world in play. */
interface Play {
  readonly world: World;
  readonly flow: Flow;
  /** Exit codes of `verify` in this turn. */
  verified: number[];
  /** What the result file holds now. */
  results: Results;
  requests: number;
  answers: number;
  /** What was done already. */
  readonly done: Set<number>;
  /** What somebody else did after the run had looked last may be seen by nobody. */
  readonly secretsOf: Map<string, string>;
  /** Revisions that were the latest at some time of this turn. */
  readonly latest: Set<string>;
  readonly lists: { readonly atMs: number; readonly body: readonly any[] }[];
  readonly meddled: Deed[];
}

const PATCHES: Readonly<Partial<Record<Deed, unknown>>> = {
  graph: { source_revision_config: { graph_config_path: "theirs.json" } },
  secret: { secrets: [{ name: "TOKEN", value: "theirs" }] },
  push: { source_config: { build_on_push: true } },
};

/** Somebody else's request, past the run's own wire. */
function ask(flow: Flow, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { "x-api-key": "theirs", "content-type": "application/json" };
  const more = body === undefined ? {} : { body: JSON.stringify(body) };
  return flow.emulator.answer(
    new Request(`http://127.0.0.1:1${path}`, { method, headers, ...more }),
    "127.0.0.1",
  );
}

/** Somebody else's deed; nothing where there is nothing to do it to. */
async function meddle(play: Play, deed: Deed): Promise<void> {
  const { flow } = play;
  const [there] = flow.deployments();
  if (there === undefined) return;
  play.meddled.push(deed);
  const path = `/v2/deployments/${there.id}`;
  const patch = PATCHES[deed];
  const revision = deed === "again" ? there.revisions.at(-1) : there.revisions[0];
  if (patch !== undefined) await ask(flow, "PATCH", path, patch);
  else if (deed === "delete") await ask(flow, "DELETE", path);
  else if (revision !== undefined)
    await ask(flow, "POST", `${path}/revisions/${revision.id}/redeploy`);
}

/** Does what is due: the n-th of its kind. */
async function meddleAt(play: Play, when: string, nth: number): Promise<boolean> {
  let did = false;
  for (const [index, one] of play.world.meddling.entries()) {
    if (one.when !== when || one.nth > nth || play.done.has(index)) continue;
    play.done.add(index);
    await meddle(play, one.deed);
    did = true;
  }
  return did;
}

/** Keeps what the list shows now, and which secrets each revision was made with. */
function remember({ flow, world, lists, secretsOf, latest }: Play): void {
  // A world in which no list lags needs no copies.
  if (world.listBehindMs > 0)
    lists.push({ atMs: flow.clock.monotonic(), body: structuredClone(shownBy(flow)) });
  for (const { revisions, secrets } of flow.deployments()) {
    latest.add(revisions.at(-1)?.id ?? "");
    for (const { id } of revisions)
      if (!secretsOf.has(id))
        secretsOf.set(id, secrets.map(({ name, value }) => `${name}=${value}`).join());
  }
}

/** The deployments as the service would answer them now. */
function shownBy(flow: Flow): readonly any[] {
  return flow.emulator.state()["deployments"] as any[];
}

/** What is between the run and the service: other people, and a list that lags. */
function between(wire: Wire, playOf: () => Play): Wire {
  return {
    ...wire,
    send: async (request, ...rest) => {
      const play = playOf();
      const { flow, world } = play;
      const { pathname, searchParams } = new URL(request.url);
      // What happens while results are uploaded is after the run's last look at what is live.
      if (pathname.startsWith("/v2/")) {
        play.requests += 1;
        await meddleAt(play, "request", play.requests);
      }
      remember(play);
      const exchange = await wire.send(request, ...rest);
      remember(play);
      if (exchange.kind !== "answer" || exchange.status >= 300) return exchange;
      const isWrite = request.method !== "GET" && pathname.startsWith("/v2/deployments/");
      if (isWrite && request.method !== "DELETE") {
        play.answers += 1;
        if (!(await meddleAt(play, "answer", play.answers))) return exchange;
        remember(play);
        // The answer is made after both.
        const shown = shownBy(flow).find(({ id }) => pathname.includes(id));
        return shown === undefined ? exchange : { ...exchange, text: JSON.stringify(shown) };
      }
      const isList = request.method === "GET" && pathname === "/v2/deployments";
      if (!isList || world.listBehindMs === 0) return exchange;
      const untilMs = flow.clock.monotonic() - world.listBehindMs;
      const seen = play.lists.findLast(({ atMs }) => atMs <= untilMs) ?? play.lists[0]!;
      const offset = Number(searchParams.get("offset") ?? "0");
      return { ...exchange, text: JSON.stringify({ resources: seen.body.slice(offset), offset }) };
    },
  };
}

function createPlay(world: World, seed: number): Play {
  const shell: Shell = {
    run: async () => {
      const next = exits.shift() ?? { exitCode: 0, ms: 0, results: "same" as const };
      await meddleAt(play, "verify", Infinity);
      if (next.ms > 0) await play.flow.clock.sleep(next.ms);
      if (world.gate !== null) {
        leave(next.results);
        if (next.results !== "same") play.results = next.results;
      }
      play.verified.push(next.exitCode);
      return { exitCode: next.exitCode, tail: [] };
    },
  };
  const exits = [...world.verify];
  const play: Play = {
    world,
    flow: createFlow({
      emulator: { ...BRISK, ...world.service, faults: [] },
      policy: { onFailure: world.onFailure },
      random: randomOf(seed ^ 0x5eed),
      listLagMs: () => world.listLagMs,
      between: (wire) => between(wire, () => play),
      ...(world.gateway === null ? {} : { gateway: world.gateway }),
      shell,
    }),
    verified: [],
    results: "absent",
    requests: 0,
    answers: 0,
    done: new Set(),
    secretsOf: new Map(),
    latest: new Set(),
    lists: [],
    meddled: [],
  };
  return play;
}

function inputsOf(world: World): Readonly<Record<string, string>> {
  return {
    "on-failure": world.onFailure,
    confirm: "agent",
    name: "agent",
    ...(world.gate === null ? {} : { experiment: "results.json", gate: "correctness >= 0.9" }),
  };
}

/** The session of an `apply`: what the Action's entry point would hand in. */
export function sessionOf(
  flow: Flow,
  inputs: Readonly<Record<string, string>>,
  attempt: number,
): Session {
  const { options } = parseInputs(
    {
      "api-key": "key-of-the-flow",
      "control-plane-url": "http://127.0.0.1:1",
      "tracing-url": "http://127.0.0.1:1",
      ...inputs,
    },
    "cli",
  );
  const { clock, context } = flow;
  return {
    entryPoint: "cli",
    command: "apply",
    options,
    env: { CI: "true" },
    host: {
      progress: context.progress,
      annotate: () => undefined,
      notify: (_level, message) => {
        context.progress(message);
      },
      publish: async () => undefined,
    },
    workspace: createWorkspace({ root: FOLDER }),
    files: { checkout: "/", root: FOLDER, allowOutside: false },
    clock,
    random: () => 0.5,
    run: {
      ...context.run,
      workflow: "deploy",
      job: "deploy",
      runId: "7",
      runAttempt: attempt,
      headSha: "0123456789",
      repository: { owner: "acme", name: "agents" },
      event: "push",
    },
    trust: { state: "trusted" },
    repository: {
      ...context.repository,
      readAt: async () => null,
      mergeBase: async () => null,
      nearest: async () => ({ state: "unreadable" }),
      authors: async () => new Map(),
      trackedFiles: async () => [],
    },
    shell: context.shell,
    credentialHelper: async () => null,
    signal: context.signal,
    startedAtMs: clock.now(),
    mask: () => undefined,
    keep: () => undefined,
    redact: (text) => text,
    redactAll: (value) => value,
    readPiped: async () => "",
    print: () => undefined,
    printed: async () => undefined,
    color: false,
    version: "0",
  };
}

/** How one turn ended: whether the run was green, and what it said. */
interface Turn {
  readonly green: boolean;
  readonly one: DeploymentReport;
  readonly report: Report;
}

const COMMANDS = {
  redeploy: redeployTarget,
  wait: awaitTargets,
  destroy: destroyTarget,
} as const;

async function carryOut(play: Play, session: Session, desired: Desired): Promise<Report> {
  const { controlPlane, tracing } = play.flow;
  const connection = { controlPlane, tracing, ui: "", close: async () => undefined };
  const { task } = play.world;
  if (task === "rollback") return rollBackTarget(session, null, controlPlane);
  if (task === "create" || task === "update") return runApply(session, [desired], connection);
  return COMMANDS[task](session, [desired], controlPlane);
}

async function takeTurn(play: Play, attempt: number, desired: Desired): Promise<Turn> {
  const { world } = play;
  play.verified = [];
  play.latest.clear();
  play.flow.lines.length = 0;
  play.results = world.gate?.start ?? "absent";
  if (world.gate !== null) leave(play.results);
  remember(play);
  const session = sessionOf(play.flow, inputsOf(world), attempt);
  const report = await carryOut(play, session, desired).catch((error: unknown) =>
    toFailedEnd(session, error),
  );
  return { green: !isRed(report), one: report.deployments[0] ?? NONE, report };
}

const NONE = {
  outcome: "failed",
  reason: "none",
  message: "",
  warnings: [],
} as unknown as DeploymentReport;

/** What a green end may not hide: each line is a lie. */
function findLies(play: Play, { green, one, report }: Turn): string[] {
  if (!green) return [];
  const { world, flow } = play;
  const live = flow.deployments().filter(({ name }) => name === "agent");
  if (world.task === "destroy") return live.length === 0 ? [] : [`${live.length} are there`];
  // The one look that ends nothing: it says what it could not see.
  if (one.warnings.some((line) => line.includes("after verify could not be read"))) return [];
  if (live.length !== 1) return [`${live.length} deployments of the name`];
  const { active } = liveOf(flow);
  const revisions = live[0]!.revisions;
  const config = revisions.find(({ id }) => id === active)?.config;
  const lies: string[] = [];
  if (one.revision_id !== active) lies.push(`says ${one.revision_id}, active is ${active}`);
  if (world.task === "wait" && !play.latest.has(active ?? ""))
    lies.push(`${active} was not the latest`);
  if (world.task === "redeploy" || world.task === "rollback") {
    const to = flow.lines.join("\n").match(/ to ([0-9a-f-]{36})/)?.[1];
    const asked = revisions.filter(({ id }) =>
      to === undefined ? play.latest.has(id) : id === to,
    );
    const paths = asked.map((revision) => revision.config["graph_config_path"]);
    if (!paths.includes(config?.["graph_config_path"]))
      lies.push(`active ${active} has ${config?.["graph_config_path"]}, asked for ${paths}`);
  }
  if (world.task === "create" || world.task === "update")
    lies.push(
      ...findApplyLies(play, one, config?.["graph_config_path"], active),
      ...findGateLies(play, report),
    );
  return lies;
}

function findApplyLies(
  play: Play,
  one: DeploymentReport,
  graph: unknown,
  active: string | null,
): string[] {
  const { world, flow } = play;
  const lies: string[] = [];
  const warned = (word: string): boolean => one.warnings.some((line) => line.includes(word));
  if (graph !== (world.wanted.graph ?? "graph.json")) lies.push(`active ${active} has ${graph}`);
  const secrets = play.secretsOf.get(active ?? "");
  // A value that reads back as stars is compared only by its name, and the report warns of it.
  const hidden =
    world.service.secretValues === "stars" &&
    (one.outcome !== "deployed" || warned("secrets.TOKEN"));
  if (secrets !== `TOKEN=${world.wanted.secret ?? "one"}` && !hidden)
    lies.push(`secrets ${secrets}`);
  const push = flow.deployments()[0]!.source_config["build_on_push"];
  if (push !== (world.wanted.push ?? false) && !warned("build_on_push"))
    lies.push("build_on_push is not as wanted");
  if (play.verified.length === 0) lies.push("verify did not run");
  else if (play.verified.at(-1) !== 0) lies.push("verify failed");
  return lies;
}

/** Green needs a good file at the end, no bad one at the start, a verdict, and the results at the service. */
function findGateLies({ world, results, flow }: Play, report: Report): string[] {
  if (world.gate === null) return [];
  const lies: string[] = [];
  if (world.gate.start === "bad" || results !== "good")
    lies.push(`the results were ${world.gate.start} at the start and ${results} at the end`);
  if (report.gates.length === 0 || report.gate_verdict !== "pass")
    lies.push(`gates: ${report.gate_verdict}`);
  const stored = flow.emulator.world.store
    .all("sessions")
    .filter(({ dataset_id }) => dataset_id !== null);
  if (report.experiments.length !== 1 || stored.length === 0)
    lies.push("the results were not uploaded");
  return lies;
}

/** What the required job says of the reports that arrived: green only where the newest attempt of every leg with work is. */
function findMergedLies(
  plan: Report | null,
  turns: readonly Turn[],
  random: () => number,
): string[] {
  const lies: string[] = [];
  const plans = plan === null ? [] : [plan];
  for (const [index] of [...turns, null].entries()) {
    const arrived = turns.slice(0, index);
    const files = [...plans, ...arrived.map(({ report }) => report)];
    if (files.length === 0) continue;
    files.sort(() => random() - 0.5);
    const merged = mergeReports(files);
    const { red } = judge(merged, undefined, { legs: latestLegs(files) });
    const newest = arrived.at(-1);
    const hasWork = plan?.deployments.some(({ action }) => action !== "none") === true;
    if (!red && newest === undefined && hasWork)
      lies.push(`merged: green without a leg, ${merged.outcome}`);
    if (!red && newest !== undefined && !newest.green)
      lies.push(`merged: green, the newest leg ${newest.one.outcome}`);
  }
  return lies;
}

/** Runs twice, as somebody does who presses "re-run": no run may be green over what is not so. */
export async function playWorld(
  seed: number,
  world: World,
  outcomes: Map<string, number>,
): Promise<string[]> {
  const play = createPlay(world, seed);
  const { flow } = play;
  const desired = desiredOf(repohost({ ...world.wanted, deploy: "{ verify: npm run smoke }" }));
  if (world.before !== null) {
    await meddle(play, world.before.deed);
    remember(play);
    await flow.clock.sleep(world.before.msAgo);
  }
  remember(play);
  flow.emulator.addFaults(world.service.faults ?? []);
  const isApply = world.task === "create" || world.task === "update";
  const plan = isApply ? await planOf(play, desired) : null;
  const turns: Turn[] = [];
  const lies: string[] = [];
  for (const attempt of [1, 2]) {
    const turn = await takeTurn(play, attempt, desired);
    turns.push(turn);
    const { one } = turn;
    const end = `${turn.green ? "green" : "red"} ${one.outcome}${one.reason && ` ${one.reason}`}`;
    const key = `${world.task} ${attempt}: ${end}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    for (const lie of findLies(play, turn))
      lies.push(`seed ${seed}, turn ${attempt}, ${end}: ${lie} (${one.message})`);
  }
  if (isApply)
    for (const lie of findMergedLies(plan, turns, randomOf(seed)))
      lies.push(`seed ${seed}: ${lie}`);
  return lies;
}

async function planOf(play: Play, desired: Desired): Promise<Report | null> {
  const { controlPlane, tracing } = play.flow;
  const session: Session = { ...sessionOf(play.flow, inputsOf(play.world), 1), command: "plan" };
  const connection = { controlPlane, tracing, ui: "", close: async () => undefined };
  return runPlan(session, [desired], connection).catch(() => null);
}
