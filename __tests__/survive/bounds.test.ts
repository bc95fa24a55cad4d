import { describe, expect, test } from "@jest/globals";
import { prepareAll } from "../../src/commands/plan.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import { withServing } from "../../src/deploy/serving.ts";
import type { FaultRule } from "../../src/emulator/fault.ts";
import { createBudget } from "../../src/service/budget.ts";
import type { Exchange } from "../../src/service/exchange.ts";
import { createHttp, type Http } from "../../src/service/http.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { BRISK, createFlow, desiredOf, repohost } from "./flow.ts";

const TIMEOUT_MS = 3_000;
const always = (rule: Omit<FaultRule, "times">): FaultRule => ({ ...rule, times: 0 });

describe("timeout bounds several documents as it bounds one", () => {
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
        one.state === "failed"
          ? one.report
          : applyDeployment(flow.context, directory, one.prepared),
      ),
    );
    expect(
      ends.map(({ outcome }) => outcome).filter((end) => !/failed|timed-out/.test(end)),
    ).toEqual([]);
    // Reading, writing and waiting have the limit each, and a lost write gets a few looks.
    expect(flow.clock.monotonic() - startedAt).toBeLessThanOrEqual(3 * TIMEOUT_MS + 3_100);
  });
});

describe("a wait whose time is up", () => {
  const worlds: Readonly<Record<string, Omit<FaultRule, "route" | "times">>> = {
    "fails at every read": { kind: "status", status: 500 },
    "says nothing": { kind: "delay", ms: 90_000 },
    "asks to come back later": { kind: "status", status: 429, headers: { "retry-after": "100" } },
  };

  test.each(Object.entries(worlds))(
    "ends with its report in the time, give or take a last look, at a service that %s",
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
      expect(flow.clock.monotonic() - writtenAt).toBeLessThanOrEqual(timeoutMs + 4_100);
    },
  );
});

describe("the first contact of a run", () => {
  const PAGE: Exchange = {
    kind: "answer",
    status: 200,
    text: "<html><title>Sign in</title></html>",
    contentType: "text/html",
    retryAfter: undefined,
  };
  const READABLE: Exchange = { ...PAGE, text: "{}", contentType: "application/json" };
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
      headers: {},
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
    ["a certificate of nobody's", noAnswer("DEPTH_ZERO_SELF_SIGNED_CERT")],
    ["a web page", PAGE],
  ])("is given up after 10 s at the latest: %s", async (_, answer) => {
    expect(await readAll(answer)).toBeLessThanOrEqual(10_000);
  });

  test.each([
    ["a name that does not resolve for a while", noAnswer("ENOTFOUND")],
    ["a gateway's page", PAGE],
  ])("is over once the service has answered: %s is waited through", async (_, answer) => {
    expect(await readAll(READABLE, answer)).toBeGreaterThanOrEqual(60_000);
  });

  test("a connection that is refused may heal", async () => {
    expect(await readAll(noAnswer("ECONNREFUSED"))).toBeGreaterThanOrEqual(60_000);
  });
});
