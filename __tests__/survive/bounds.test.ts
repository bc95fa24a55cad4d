import { describe, expect, test } from "@jest/globals";
import { prepareAll } from "../../src/commands/plan.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import { lookUntil, pausesOf } from "../../src/deploy/look.ts";
import { withServing } from "../../src/deploy/serving.ts";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { createBudget } from "../../src/service/budget.ts";
import type { Exchange } from "../../src/service/exchange.ts";
import { createHttp, type Http } from "../../src/service/http.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { BRISK, createFlow, desiredOf, liveOf, repohost, type FlowOptions } from "./flow.ts";

const TIMEOUT_MS = 3_000;
const always = (rule: Omit<FaultRule, "times">): FaultRule => ({ ...rule, times: 0 });

test("a look follows each pause of a schedule in order", async () => {
  const clock = createManualClock({ auto: true });
  const looksMs: number[] = [];
  await lookUntil<null>(
    { clock, signal: new AbortController().signal },
    {
      known: null,
      look: async () => {
        looksMs.push(clock.monotonic());
        return null;
      },
      isEnd: () => false,
      schedule: pausesOf([500, 1_500, 4_000]),
      deadlineMs: 60_000,
    },
  );
  expect(looksMs).toEqual([500, 2_000, 6_000]);
});

describe("the timeout applies to several documents as to one, with", () => {
  const worlds: Readonly<Record<string, FaultRule>> = {
    "a list that fails": always({ route: "GET /v2/deployments", kind: "status", status: 500 }),
    "a list that says nothing": always({ route: "GET /v2/deployments", kind: "delay", ms: 90_000 }),
    "too many requests": always({
      route: "*",
      kind: "status",
      status: 429,
      headers: { "retry-after": "30" },
    }),
    "creates that fail": always({ route: "POST /v2/deployments", kind: "status", status: 503 }),
    "creates that say nothing": always({
      route: "POST /v2/deployments",
      kind: "delay",
      ms: 90_000,
    }),
    "revisions that cannot be read": always({
      route: "GET /v2/deployments/{id}/revisions/{id}",
      kind: "status",
      status: 502,
    }),
  };

  test.each(Object.entries(worlds))("%s", async (_, fault) => {
    const flow = createFlow({
      emulator: { ...BRISK, faults: [fault], phases: { BUILDING: 900_000 } },
      policy: { timeoutMs: TIMEOUT_MS },
    });
    const all = ["one", "two", "three"].map((name) => desiredOf(repohost({ name })));
    const startedAt = flow.clock.monotonic();
    const { directory, preparations } = await prepareAll(flow.context, all, 3);
    const ends = await Promise.all(
      preparations.map(async (one) =>
        one.prepared === null ? one.report : applyDeployment(flow.context, directory, one.prepared),
      ),
    );
    expect(
      ends.map(({ outcome }) => outcome).filter((end) => !/failed|timed-out/.test(end)),
    ).toEqual([]);
    // Reading, writing and waiting have the limit each.
    expect(flow.clock.monotonic() - startedAt).toBeLessThanOrEqual(3 * TIMEOUT_MS);
  });
});

describe("a wait that times out", () => {
  const worlds: Readonly<Record<string, Omit<FaultRule, "route" | "times">>> = {
    "fails at every read": { kind: "status", status: 500 },
    "says nothing": { kind: "delay", ms: 90_000 },
    "asks to come back later": { kind: "status", status: 429, headers: { "retry-after": "100" } },
  };

  test.each(Object.entries(worlds))(
    "ends with its report in time, at a service that %s",
    async (_, fault) => {
      const timeoutMs = 8_000;
      let writtenAt = Infinity;
      const flow = createFlow({
        emulator: {
          ...BRISK,
          faults: [
            always({ route: "GET /v2/deployments/{id}", ...fault }),
            always({ route: "GET /v2/deployments/{id}/revisions/{id}", ...fault }),
          ],
        },
        policy: { timeoutMs },
        onSend: (method, _path, { clock }) => {
          if (method === "POST") writtenAt = clock.monotonic();
        },
      });
      const report = await flow.apply(desiredOf(repohost({ name: "one" })));
      expect(report.outcome).toBe("timed-out");
      await withServing(flow.context, report);
      expect(flow.clock.monotonic() - writtenAt).toBeLessThanOrEqual(timeoutMs);
    },
  );

  /** A service without a queue: the time runs from the write on. */
  const PHASES = { CREATING: 0, QUEUED: 0, AWAITING_BUILD: 0, BUILDING: 900_000, DEPLOYING: 10 };
  const REVISION = "GET /v2/deployments/{id}/revisions/{id}";
  const DEPLOYMENT = "GET /v2/deployments/{id}";
  const ID = "0b6f0000-0000-4000-8000-000000000001";
  /** What is live has another graph than the document. */
  const SEED = {
    integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
    deployments: [{ ...desiredOf(repohost()).body, id: ID }],
  };

  /** Applies one document and gives back its report, with the time from the first write to the end. */
  async function applyOne(
    emulator: NonNullable<FlowOptions["emulator"]>,
    { timeoutMs = 8_000, ...options }: Partial<FlowOptions> & { timeoutMs?: number } = {},
  ) {
    let writtenAt = Infinity;
    const flow = createFlow({
      ...options,
      emulator: { ...emulator, phases: { ...PHASES, ...emulator.phases } },
      policy: { timeoutMs, ...options.policy },
      onSend: (method, _path, { clock }) => {
        if (method !== "GET") writtenAt = Math.min(writtenAt, clock.monotonic());
      },
    });
    const report = await flow.apply(desiredOf(repohost({ graph: "other.json" })));
    const told = await withServing(flow.context, report);
    return { told, tookMs: flow.clock.monotonic() - writtenAt, flow };
  }

  test("reads until the end from a slow service, and does not report slowness as a failure", async () => {
    const faults = [always({ route: REVISION, kind: "delay", ms: 1_500 })];
    const { told, tookMs } = await applyOne({ faults });
    expect(told.outcome).toBe("timed-out");
    expect(told.message).not.toContain("could not be read");
    // The time runs from the first answer on.
    expect(tookMs).toBeLessThanOrEqual(8_000 + 1_500);
    expect(tookMs).toBeGreaterThan(8_000);
  });

  test.each([1_000, 3_000, 8_000, 60_000])(
    "of %d ms still sees what ends shortly before",
    async (timeoutMs) => {
      const phases = { BUILDING: timeoutMs - 300, DEPLOYING: 10 };
      const { told } = await applyOne({ phases }, { timeoutMs });
      expect(told.outcome).toBe("deployed");
    },
  );

  test("succeeds at a slow service that builds in time", async () => {
    const faults = [always({ route: "GET *", kind: "delay", ms: 3_000 })];
    const phases = { BUILDING: 20_000, DEPLOYING: 5_000 };
    const { told } = await applyOne({ faults, phases }, { timeoutMs: 60_000 });
    expect([told.outcome, told.warnings]).toEqual(["deployed", []]);
  });

  test.each([1_000, 8_000])(
    "of %d ms reports what is serving without another read",
    async (timeoutMs) => {
      const first = await applyOne({}, { timeoutMs });
      expect([first.told.outcome, first.told.serving]).toEqual(["timed-out", null]);
      expect(first.tookMs).toBeLessThanOrEqual(timeoutMs);
      const second = await applyOne({ seed: SEED }, { timeoutMs });
      expect(second.told.outcome).toBe("timed-out");
      const active = liveOf(second.flow).active;
      expect(second.told.serving).toEqual({ revision_id: active, version: "main" });
      expect(second.tookMs).toBeLessThanOrEqual(timeoutMs);
    },
  );

  test("does not claim what is active if that was not read", async () => {
    const faults = [always({ route: DEPLOYMENT, kind: "delay", ms: 90_000 })];
    const { told, tookMs } = await applyOne({ faults, phases: { BUILDING: 6_500 } });
    expect(told.outcome).toBe("timed-out");
    expect(told.message).toMatch(/is DEPLOYED, but whether it is active could not be read in time/);
    expect(told.serving).toBeUndefined();
    expect(tookMs).toBeLessThanOrEqual(8_000);
  });

  test("reports a failed build in time, even if its log does not arrive", async () => {
    const route = `${REVISION}/logs`;
    const faults = ["POST", "GET"].map((method) =>
      always({ route: route.replace("GET", method), kind: "delay", ms: 90_000 }),
    );
    const { told, tookMs } = await applyOne({
      faults,
      phases: { BUILDING: 5_000 },
      revisions: [{ outcome: "build-failed" }],
    });
    expect([told.outcome, told.reason, told.log_tail]).toEqual(["failed", "BUILD_FAILED", []]);
    expect(tookMs).toBeLessThanOrEqual(8_000);
  });

  test("includes the log of a build that failed while the runner was suspended", async () => {
    const clock = createManualClock({ auto: true });
    let slept = 0;
    const sleep: ManualClock["sleep"] = (ms, signal) => {
      slept += 1;
      return clock.sleep(slept === 3 ? 600_000 : ms, signal);
    };
    const { told } = await applyOne(
      { phases: { BUILDING: 60_000 }, revisions: [{ outcome: "build-failed" }] },
      { clock: { ...clock, sleep }, timeoutMs: 120_000 },
    );
    expect([told.outcome, told.reason]).toEqual(["failed", "BUILD_FAILED"]);
    expect(told.log_tail).not.toEqual([]);
  });

  test("during a rollback has its own limit, and reports what is serving", async () => {
    const { told, tookMs, flow } = await applyOne(
      {
        seed: SEED,
        phases: { BUILDING: 5_000 },
        revisions: [
          { revision: 2, outcome: "build-failed" },
          { revision: 3, outcome: "stuck" },
        ],
      },
      { policy: { onFailure: "rollback" } },
    );
    expect([told.outcome, told.rollback?.outcome]).toEqual(["failed", "timed-out"]);
    expect(told.serving).toEqual({ revision_id: liveOf(flow).active, version: "main" });
    expect(tookMs).toBeLessThanOrEqual(2 * 8_000);
  });

  test("finds an accepted create without a response in time, and reports its id", async () => {
    const fault = {
      route: "POST /v2/deployments",
      kind: "delay",
      ms: 90_000,
      when: "after",
    } as const;
    const { told, tookMs } = await applyOne({ faults: [fault] }, { timeoutMs: 3_000 });
    expect(told.id).not.toBeNull();
    // Writing and waiting have the limit each.
    expect(tookMs).toBeLessThanOrEqual(2 * 3_000);
  });
});

describe("the first contact of a run", () => {
  const PAGE: Exchange = {
    kind: "answer",
    status: 200,
    text: "<html><title>Sign in</title></html>",
    headers: { "content-type": "text/html" },
  };
  const READABLE: Exchange = {
    ...PAGE,
    text: "{}",
    headers: { "content-type": "application/json" },
  };
  const noAnswer = (code: string, sent = false): Exchange => {
    return { kind: "no-answer", sent, bodyFailed: false, code, cause: undefined };
  };

  /** Answers in order, the last one for ever; gives back how long the reads took. */
  async function readAll(...answers: readonly Exchange[]): Promise<number> {
    const clock = createManualClock({ auto: true });
    const left = [...answers];
    const http: Http = createHttp({
      clock,
      random: () => 0.5,
      budget: createBudget({ clock }),
      credentials: () => Promise.resolve({}),
      redact: (text) => text,
      userAgent: "test",
      addresses: [{ base: "http://127.0.0.1:1", input: "control-plane-url" }],
      region: null,
      onRetry: () => undefined,
      env: {},
      wire: {
        send: async () => (left.length > 1 ? left.shift()! : left[0]!),
        close: async () => undefined,
      },
    });
    const read = (): Promise<unknown> =>
      http.read({ url: "http://127.0.0.1:1/v2/deployments", absent: [] }, (value) => value);
    if (answers[0] === READABLE) await read();
    const startedAt = clock.monotonic();
    await expect(read()).rejects.toThrow();
    return clock.monotonic() - startedAt;
  }

  test.each([
    ["a name that does not resolve", noAnswer("ENOTFOUND")],
    ["a certificate", noAnswer("CERT_HAS_EXPIRED")],
    ["an unknown certificate authority", noAnswer("DEPTH_ZERO_SELF_SIGNED_CERT")],
    ["a web page", PAGE],
  ])("is given up after at most 10 s: %s", async (_, answer) => {
    expect(await readAll(answer)).toBeLessThanOrEqual(10_000);
  });

  test.each([
    ["a name that temporarily does not resolve", noAnswer("ENOTFOUND")],
    ["a gateway's page", PAGE],
  ])("is over once the service has answered, and then %s is retried", async (_, answer) => {
    expect(await readAll(READABLE, answer)).toBeGreaterThanOrEqual(60_000);
  });

  test("retries a refused connection for a minute", async () => {
    expect(await readAll(noAnswer("ECONNREFUSED"))).toBeGreaterThanOrEqual(60_000);
  });
});
