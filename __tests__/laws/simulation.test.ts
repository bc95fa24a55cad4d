import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { REQUEST_FAULTS } from "../support/request-faults.ts";
import type { EmulatorOptions } from "../../src/emulator/options.ts";
import { TASKS, runCell, SERVICES } from "../survive/fault-cell.ts";
import { runUploadCell, UPLOAD, UPLOADS } from "../survive/upload-cell.ts";

/** A small seeded generator (mulberry32): the same seed, the same schedule. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ROUTES = [
  "*",
  "GET *",
  "GET /v2/deployments",
  "GET /v2/deployments/{id}",
  "GET /v2/deployments/{id}/revisions/{id}",
  "POST /v2/deployments",
  "PATCH /v2/deployments/{id}",
  "POST /v2/deployments/{id}/revisions/{id}/redeploy",
  "DELETE /v2/deployments/{id}",
];
const UPLOAD_ROUTES = [
  "*",
  UPLOAD,
  UPLOAD,
  "GET /api/v1/sessions",
  "GET /api/v1/sessions",
  "GET /api/v1/sessions/{id}",
];
const STATUSES = [408, 425, 429, 500, 502, 503, 504];

interface Schedule {
  readonly task: string;
  readonly service: string;
  readonly options: EmulatorOptions;
  readonly faults: readonly FaultRule[];
}

function scheduleOf(seed: number): Schedule {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const task = pick([...Object.keys(TASKS), ...Object.keys(UPLOADS)]);
  const service = TASKS[task]?.notStrict ? "usual" : pick(Object.keys(SERVICES));
  const faults = Array.from({ length: 1 + Math.floor(random() * 5) }, (): FaultRule => {
    const kind = pick(REQUEST_FAULTS);
    const route = pick(task in UPLOADS ? UPLOAD_ROUTES : ROUTES);
    const status = pick(STATUSES);
    const isRead = route.startsWith("GET") || route === "*";
    const writes = task in UPLOADS ? 4 : 2;
    // 425 and 429 say that nothing was begun; a service that begins anyway is not one of this world.
    const after = status !== 425 && status !== 429 && random() < 0.3;
    return {
      route,
      kind,
      nth: 1 + Math.floor(random() * (isRead ? 14 : writes)),
      times: 1 + Math.floor(random() * 3),
      ...(kind === "status"
        ? {
            status,
            ...(random() < 0.3
              ? { headers: { "retry-after": String(Math.floor(random() * 8)) } }
              : {}),
            ...(after ? { when: "after" as const } : {}),
          }
        : {}),
      ...(kind === "delay" ? { ms: pick([500, 10_000, 90_000]) } : {}),
      ...(kind === "refuse" || kind === "refuse-after" ? { ms: pick([200, 2_000, 12_000]) } : {}),
    };
  });
  const lag = (most: number): number => (random() < 0.4 ? Math.floor(random() * most) : 0);
  const lags = { latest: lag(5_000), revision: lag(5_000), active: lag(5_000), stale: lag(3_000) };
  return { task, service, options: { lags }, faults };
}

/** Whether the schedule may lose an answer of a write that this service has no read for; 408 counts, since it does not say. */
function isUndecidable({ task, service }: Schedule): boolean {
  return service === "strict" && (task.startsWith("create") || task in UPLOADS);
}

/** Six failed tries in a row over a minute are an outage. */
const OUTAGE = /\((?:[6-9]|\d\d) tries\)/;
/** An address that redirects elsewhere three times in a row is a wrong one (src/service/retry.ts). */
const ELSEWHERE = /: 30\d \((?:[3-9]|\d\d) tries\): redirects/;

interface SeedEnd {
  readonly wrong: readonly string[];
  readonly outcome: string;
}

async function runSeed(seed: number): Promise<SeedEnd> {
  const schedule = scheduleOf(seed);
  return schedule.task in UPLOADS ? runUploadSeed(schedule, seed) : runDeploySeed(schedule, seed);
}

async function runDeploySeed(schedule: Schedule, seed: number): Promise<SeedEnd> {
  const end = await runCell(
    TASKS[schedule.task]!,
    { ...SERVICES[schedule.service]!, ...schedule.options },
    schedule.faults,
    isUndecidable(schedule),
    randomOf(seed ^ 0x5eed),
  );
  const { report } = end;
  // A wrong address is red, as long as this run changed nothing; so is a rollback that meets it.
  const elsewhere =
    ELSEWHERE.test(report.message) &&
    report.outcome === "failed" &&
    (!report.changed || report.rollback?.outcome === "failed");
  // An outage is red, as long as nothing was written.
  const outage =
    end.report.reason === "service" &&
    OUTAGE.test(end.report.message) &&
    !end.report.changed &&
    !end.flow.calls().some((call) => /^(POST|PATCH|DELETE)/.test(call));
  return {
    wrong: outage || elsewhere ? end.harm : end.wrong,
    outcome: `${schedule.task} (${schedule.service}): ${end.report.outcome}${end.report.reason === "" ? "" : ` ${end.report.reason}`}`,
  };
}

async function runUploadSeed(schedule: Schedule, seed: number): Promise<SeedEnd> {
  const { service, before } = UPLOADS[schedule.task]!;
  const end = await runUploadCell(
    { ...SERVICES[schedule.service]!, ...service, ...schedule.options },
    [...before, ...schedule.faults],
    isUndecidable(schedule),
    randomOf(seed ^ 0x5eed),
  );
  const { outcome, message } = end.report;
  // An outage may end red: unknown, or failed when nothing was ever stored; so may five sendings that were all lost.
  const outage =
    end.stored <= 1 &&
    (OUTAGE.test(message) || ELSEWHERE.test(message) || /sent 5 times/.test(message)) &&
    (outcome === "unknown" || (outcome === "failed" && end.stored === 0));
  return {
    wrong: outage ? [] : end.wrong,
    outcome: `${schedule.task} (${schedule.service}): ${outcome}`,
  };
}

test("random fault schedules: no duplicate, no extra revision, and green exactly when live is what was wanted", async () => {
  const given = process.env["SIMULATION_SEED"];
  const count = given === undefined ? Number(process.env["SIMULATION_RUNS"] ?? "400") : 1;
  const first =
    given === undefined ? Number(process.env["SIMULATION_FIRST_SEED"] ?? "1") : Number(given);
  const outcomes = new Map<string, number>();
  const wrong: string[] = [];
  let runs = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const end = await runSeed(seed);
    runs += 1;
    outcomes.set(end.outcome, (outcomes.get(end.outcome) ?? 0) + 1);
    for (const what of end.wrong)
      wrong.push(
        `seed ${seed} (replay: SIMULATION_SEED=${seed} npm run test:laws -- __tests__/laws/simulation.test.ts): ${what}\n  ${JSON.stringify(scheduleOf(seed))}`,
      );
  }
  console.log(
    `${runs} schedules, seeds ${first} to ${first + runs - 1}:\n${[...outcomes]
      .sort()
      .map(([outcome, n]) => `  ${n} × ${outcome}`)
      .join("\n")}`,
  );
  expect(wrong).toEqual([]);
  expect(runs).toBeGreaterThan(0);
}, 3_600_000);
