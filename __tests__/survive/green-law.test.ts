import { expect, test } from "@jest/globals";
import { FAULT_KINDS, type FaultRule } from "../../src/emulator/fault.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import type { RevisionOutcome } from "../../src/emulator/revision.ts";
import { isGreen, type DeploymentReport } from "../../src/report/report.ts";
import type { Desired } from "../../src/spec/desired.ts";
import { BRISK, createFlow, desiredOf, liveOf, repohost, type Flow } from "./flow.ts";
import type { Gateway } from "./gateway.ts";

const RUNS = Number(process.env["GREEN_RUNS"] ?? "1000");
const ID = "0b6f0000-0000-4000-8000-000000000001";
const THEIRS = { source_revision_config: { graph_config_path: "theirs.json" } };

/** A small seeded generator (mulberry32): the same seed, the same world. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What can be wanted of a deployment that is there, or not yet. */
type Wanted = NonNullable<Parameters<typeof repohost>[0]>;

const EDITS: readonly Wanted[] = [
  {},
  { graph: "other.json" },
  { secret: "two" },
  { push: true },
  { graph: "other.json", secret: "two" },
  { graph: "other.json", push: true },
];
const ENDS: readonly RevisionOutcome[] = [
  "deployed",
  "build-failed",
  "deploy-failed",
  "skipped",
  "interrupted",
  "interrupted-resumes",
  "new-status",
];
const ROUTES = [
  "*",
  "GET /v2/deployments",
  "GET /v2/deployments/{id}",
  "GET /v2/deployments/{id}/revisions/{id}",
  "POST /v2/deployments",
  "PATCH /v2/deployments/{id}",
  "DELETE /v2/deployments/{id}",
];

/** One world: a service, what is wrong with it and with the way to it, who else is at work, and what is wanted. */
interface Green {
  readonly task: "create" | "update" | "destroy";
  readonly service: EmulatorOptions;
  readonly wanted: Wanted;
  readonly onFailure: "none" | "rollback";
  readonly listLagMs: number;
  readonly gateway: Gateway | null;
  /** The request, counted from 1, ahead of which another run sends its own update. */
  readonly raceAt: number | null;
  readonly verify: readonly number[];
}

function greenOf(seed: number): Green {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const often = (share: number): boolean => random() < share;
  const faults = Array.from({ length: often(0.6) ? upTo(3) : 0 }, (): FaultRule => {
    const kind = pick(FAULT_KINDS);
    const status = pick([408, 500, 502, 503, 504]);
    const when = often(0.4) ? { when: "after" as const } : {};
    return {
      route: pick(ROUTES),
      kind,
      nth: upTo(8),
      times: upTo(3),
      ...(kind === "status" ? { status, ...when } : {}),
      // What was read long ago tells what was: no fault but a failed try is longer than a revision takes.
      ...(kind === "delay" ? { ms: pick([500, 90_000]) } : {}),
      ...(kind === "refuse" || kind === "refuse-after" ? { ms: pick([200, 3_000]) } : {}),
    };
  });
  const task = pick(["create", "update", "update", "update", "destroy"] as const);
  const lag = (most: number): number => (often(0.3) ? Math.floor(random() * most) : 0);
  const seeded =
    task === "create" ? {} : { deployments: [{ ...desiredOf(repohost()).body, id: ID }] };
  return {
    task,
    wanted: pick(EDITS),
    onFailure: pick(["none", "none", "rollback"] as const),
    listLagMs: lag(8_000),
    raceAt: often(0.4) ? upTo(16) : null,
    verify: Array.from({ length: 12 }, () => (often(0.25) ? 1 : 0)),
    gateway: often(0.3)
      ? {
          method: pick(["GET", "PATCH", "POST", "DELETE", "*"]),
          page: pick([404, 405, 501, 502, 200]),
          nth: upTo(6),
          times: pick([1, 2, 1_000]),
          after: often(0.4),
        }
      : null,
    service: {
      faults,
      lags: { latest: lag(4_000), revision: lag(4_000), active: lag(4_000), delete: lag(5_000) },
      names: pick(["unique", "duplicates"] as const),
      secretValues: pick(["plain", "plain", "stars"] as const),
      revisions: [{ outcome: pick(ENDS), revision: upTo(3) }],
      seed: {
        integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
        ...seeded,
      },
    },
  };
}

/** What a green end may not hide: each line is a lie. */
function findLies(
  { task, wanted, service }: Green,
  flow: Flow,
  report: DeploymentReport,
  verified: readonly number[],
): string[] {
  if (!isGreen(report.outcome)) return [];
  const live = flow.deployments().filter(({ name }) => name === "agent");
  if (task === "destroy")
    return live.length === 0 ? [] : [`${report.outcome}, and ${live.length} are there`];
  const lies: string[] = [];
  if (live.length !== 1) return [`${live.length} deployments of the name`];
  const [deployment] = live;
  const { active } = liveOf(flow);
  const config = deployment!.revisions.find(({ id }) => id === active)?.config;
  if (config?.["graph_config_path"] !== (wanted.graph ?? "graph.json"))
    lies.push(`active ${active} has ${config?.["graph_config_path"]}`);
  const secrets = deployment!.secrets.map(({ name, value }) => `${name}=${value}`).join();
  // A value that reads back as stars is compared by its name alone, and the report warns of it.
  const warned = report.warnings.some((line) => line.includes("secrets.TOKEN"));
  const hidden = service.secretValues === "stars" && (report.outcome !== "deployed" || warned);
  if (secrets !== `TOKEN=${wanted.secret ?? "one"}` && !hidden) lies.push(`secrets ${secrets}`);
  if (deployment!.source_config["build_on_push"] !== (wanted.push ?? false))
    lies.push("build_on_push is not as wanted");
  if (verified.length === 0) lies.push("verify did not run");
  else if (verified.at(-1) !== 0) lies.push("verify failed");
  if (report.outcome === "deployed" && report.revision_id !== active)
    lies.push(`says ${report.revision_id}, active is ${active}`);
  return lies;
}

/** Runs twice, as somebody does who presses "re-run": no run may be green over what is not so. */
async function play(seed: number, outcomes: Map<string, number>): Promise<string[]> {
  const green = greenOf(seed);
  const random = randomOf(seed ^ 0x5eed);
  const exits = [...green.verify];
  let verified: number[] = [];
  let requests = 0;
  let raced = false;
  const flow: Flow = createFlow({
    emulator: { ...BRISK, ...green.service },
    policy: { onFailure: green.onFailure },
    random,
    listLagMs: () => green.listLagMs,
    ...(green.gateway === null ? {} : { gateway: green.gateway }),
    onSend: (_method, _path, own) => {
      requests += 1;
      const [there] = own.deployments();
      if (raced || green.raceAt === null || requests < green.raceAt || there === undefined) return;
      raced = true;
      void own.emulator.answer(
        new Request(`http://127.0.0.1:1/v2/deployments/${there.id}`, {
          method: "PATCH",
          headers: { "x-api-key": "theirs", "content-type": "application/json" },
          body: JSON.stringify(THEIRS),
        }),
        "127.0.0.1",
      );
    },
    shell: {
      run: async () => {
        const exitCode = exits.shift() ?? 0;
        verified.push(exitCode);
        return { exitCode, tail: [] };
      },
    },
  });
  const desired: Desired = desiredOf(
    repohost({ ...green.wanted, deploy: "{ verify: npm run smoke }" }),
  );
  const lies: string[] = [];
  for (const turn of ["first", "second"]) {
    verified = [];
    const report = await runOnce(green, flow, desired);
    const key = `${green.task} ${turn}: ${report.outcome}${report.reason && ` ${report.reason}`}`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    for (const lie of findLies(green, flow, report, verified))
      lies.push(`seed ${seed}, ${turn} run, ${report.outcome}: ${lie} (${report.message})`);
    if (/threw/.test(report.reason)) lies.push(`seed ${seed}: ${report.message}`);
  }
  return lies;
}

async function runOnce(green: Green, flow: Flow, desired: Desired): Promise<DeploymentReport> {
  const failed = (error: unknown): DeploymentReport =>
    ({
      outcome: "failed",
      reason: "read",
      message: (error as Error).message,
      warnings: [],
    }) as unknown as DeploymentReport;
  if (green.task === "destroy") return flow.destroy(ID).catch(failed);
  return flow.apply(desired).catch(failed);
}

test("green is never a lie: the active revision holds what the spec says, and verify passed", async () => {
  const given = process.env["GREEN_SEED"];
  const [first, count] = given === undefined ? [1, RUNS] : [Number(given), 1];
  const outcomes = new Map<string, number>();
  const lies: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const found = await play(seed, outcomes);
    if (found.length > 0) lies.push(...found, JSON.stringify(greenOf(seed)));
  }
  console.log(
    [...outcomes]
      .sort()
      .map(([end, n]) => `${n} × ${end}`)
      .join("\n"),
  );
  expect(lies).toEqual([]);
  const greens = [...outcomes.keys()].filter((end) => /: (deployed|updated|unchanged)/.test(end));
  expect(greens.length).toBeGreaterThanOrEqual(given === undefined ? 6 : 0);
}, 600_000);
