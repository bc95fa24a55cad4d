import { describe, expect, test } from "@jest/globals";
import { prepareAll } from "../../src/commands/plan.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import { runPool } from "../../src/commands/waves.ts";
import { parseRateLimit } from "../../src/service/budget.ts";
import { createFlow, desiredOf, liveOf, repohost } from "./flow.ts";

describe("one budget for all deployments of a run", () => {
  test("lets 50 at once deploy through 20 requests / s without causing a 429", async () => {
    const times: number[] = [];
    const flow = createFlow({
      budget: { count: 20, intervalMs: 1_000 },
      onSend: (_, __, self) => {
        times.push(self.clock.monotonic());
      },
    });
    const documents = Array.from({ length: 50 }, (_, i) =>
      desiredOf(repohost({ name: `agent-${i}` })),
    );
    const { directory, preparations } = await prepareAll(flow.context, documents, 50);
    const reports = await runPool(preparations, 50, async (one) =>
      one.prepared === null ? one.report : applyDeployment(flow.context, directory, one.prepared),
    );
    expect(
      reports.filter(({ outcome }) => outcome !== "deployed").map(({ message }) => message),
    ).toEqual([]);
    expect(documents.map(({ name }) => liveOf(flow, name).revisions)).toEqual(
      documents.map(() => 1),
    );
    // What a service that allows 20 in any second would have refused.
    const refused = times.filter((at, i) => i >= 20 && at - times[i - 20]! < 1_000);
    const seconds = flow.clock.monotonic() / 1000;
    console.log(
      `50 deployments: ${times.length} requests in ${seconds.toFixed(0)} s of the service's time, ${(times.length / seconds).toFixed(1)} requests / s, ${refused.length} over the limit`,
    );
    expect(refused).toEqual([]);
  });
  test("makes all callers wait after a 429, and all deploy", async () => {
    const flow = createFlow({
      emulator: {
        faults: [
          {
            route: "GET *",
            kind: "status",
            status: 429,
            headers: { "retry-after": "7" },
            nth: 40,
            times: 3,
          },
        ],
      },
    });
    const documents = Array.from({ length: 10 }, (_, i) =>
      desiredOf(repohost({ name: `agent-${i}` })),
    );
    const { directory, preparations } = await prepareAll(flow.context, documents, 10);
    const reports = await runPool(preparations, 10, async (one) =>
      one.prepared === null ? one.report : applyDeployment(flow.context, directory, one.prepared),
    );
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(["deployed"]));
  });
});

test("a rate limit is parsed as in contributing/interface.md", () => {
  expect([
    parseRateLimit("20/1"),
    parseRateLimit(" 1000 / 10 "),
    parseRateLimit("0/1"),
    parseRateLimit("20"),
    parseRateLimit("x/1"),
    parseRateLimit("5/0"),
  ]).toEqual([
    { count: 20, intervalMs: 1_000 },
    { count: 1000, intervalMs: 10_000 },
    null,
    null,
    null,
    null,
  ]);
});
