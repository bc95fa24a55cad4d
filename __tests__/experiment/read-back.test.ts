import { describe, expect, test } from "@jest/globals";
import type { TracingSession } from "../../src/service/tracing.ts";
import { readBack } from "../../src/experiment/read-back.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { readOne } from "./read-text.ts";

const session = (run_count: number | null): TracingSession =>
  ({
    id: "e1",
    name: "n",
    tenant_id: "t",
    dataset_id: "d",
    test_run_number: 1,
    run_count,
    metadata: {},
    body: { feedback_stats: {} },
  }) as unknown as TracingSession;

async function waitFor(
  getSession: () => Promise<TracingSession | null>,
  more: { readonly rowCount?: number; readonly readMs?: number } = {},
): Promise<{ waitedMs: number; warnings: readonly string[] }> {
  const { experiment: read } = await readOne('[{"inputs":{"q":1}}]');
  const experiment = { ...read, rowCount: more.rowCount ?? 1 };
  const clock = createManualClock({ auto: true });
  const begun = clock.monotonic();
  const { warnings } = await readBack(experiment, "e1", {
    tracing: {
      getSession: async () => {
        if (more.readMs !== undefined) await clock.sleep(more.readMs);
        return getSession();
      },
    },
    clock,
  });
  return { waitedMs: clock.monotonic() - begun, warnings };
}

describe("reading an experiment back", () => {
  test("takes only seconds if the service does not show it", async () => {
    const { waitedMs, warnings } = await waitFor(() => Promise.resolve(null));
    expect(waitedMs).toBeLessThanOrEqual(4_000);
    expect(warnings).toEqual(["the experiment is uploaded, but the service does not find it yet"]);
  });

  test("waits a quarter of a minute for statistics that never come", async () => {
    const { waitedMs, warnings } = await waitFor(() => Promise.resolve(session(null)));
    expect(waitedMs).toBeGreaterThan(10_000);
    expect(waitedMs).toBeLessThanOrEqual(16_000);
    expect(warnings).toEqual([expect.stringContaining("no statistics of the experiment yet")]);
  });

  // Between reads: 100, 250, 500, 1,000, 2,000, 3,000 and then 5,000 ms.
  test.each<[string, { statistics?: boolean; readMs?: number; rowCount?: number }, number]>([
    ["an experiment that is not served", { statistics: false }, 3850],
    ["one whose next read is due with the limit of 4 s", { statistics: false, readMs: 30 }, 4030],
    ["one whose next read is due after it", { statistics: false, readMs: 31 }, 2005],
    ["statistics that never come", { statistics: true }, 11_850],
    ["those of 3,699 rows, whose limit is 16,849.5 ms", { rowCount: 3699 }, 11_850],
    ["those of 3,700 rows, whose limit is 16,850 ms", { rowCount: 3700 }, 16_850],
    ["those of a million rows", { rowCount: 1_000_000 }, 56_850],
  ])("waits by the clock for %s", async (_, { statistics = true, ...more }, ms) => {
    const answer = statistics ? session(null) : null;
    expect((await waitFor(() => Promise.resolve(answer), more)).waitedMs).toBe(ms);
  });

  test("retries a service that cannot be read for as long as one without statistics", async () => {
    expect(await waitFor(() => Promise.reject(new Error("GET /sessions: 503.")))).toEqual({
      waitedMs: 11_850,
      warnings: ["the experiment is uploaded, but could not be read back: GET /sessions: 503."],
    });
  });

  test("forgets a read that failed once the next one succeeds", async () => {
    let reads = 0;
    const { warnings } = await waitFor(() => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error("503")) : Promise.resolve(session(2));
    });
    expect(warnings).toEqual(["the service counts 2 rows, the file has 1"]);
  });

  test("ends as soon as the statistics are there, and warns if they differ", async () => {
    let reads = 0;
    expect(
      await waitFor(() => {
        reads += 1;
        return Promise.resolve(session(reads < 3 ? null : 1));
      }),
    ).toMatchObject({ waitedMs: 350, warnings: [] });
    expect((await waitFor(() => Promise.resolve(session(7)))).warnings).toEqual([
      "the service counts 7 rows, the file has 1",
    ]);
  });
});

describe("the statistics of the service", () => {
  const differing = async (mean: number, n: number, stats: unknown): Promise<readonly string[]> => {
    const { experiment: read } = await readOne('[{"inputs":{"q":1}}]');
    const stored = { ...session(1), body: { feedback_stats: stats } } as unknown as TracingSession;
    const { warnings } = await readBack({ ...read, sent: { m: { mean, n } } }, "e1", {
      tracing: { getSession: () => Promise.resolve(stored) },
      clock: createManualClock({ auto: true }),
    });
    return warnings;
  };

  test.each([
    ["a mean that is rounded at its fourth digit", 0, { n: 3, avg: 0.0001 }, []],
    [
      "a mean that differs at its fourth digit",
      0,
      { n: 3, avg: 0.00011 },
      ["the service's mean of m is 0.00011, ours 0"],
    ],
    ["a large mean that is rounded by its size", -20, { n: 3, avg: -20.0019 }, []],
    [
      "a large mean that differs by more",
      -20,
      { n: 3, avg: -20.0021 },
      ["the service's mean of m is -20.0021, ours -20"],
    ],
    [
      "another count, whatever the mean",
      0,
      { n: 2, avg: 5 },
      ["the service counts 2 scores of m, 3 were sent"],
    ],
    ["a count and a mean that it does not give", 0, { n: null, avg: null }, []],
    ["no entry", 0, undefined, ["the service has no statistics of m, but 3 scores were sent"]],
  ])("are compared with ours: %s", async (_, mean, stat, warnings) => {
    expect(await differing(mean, 3, stat === undefined ? {} : { m: stat })).toEqual(warnings);
  });

  test("are not awaited by a run that is cancelled", async () => {
    const { experiment } = await readOne('[{"inputs":{"q":1}}]');
    const { session: seen, warnings } = await readBack(experiment, "e1", {
      tracing: { getSession: () => Promise.resolve(session(null)) },
      clock: createManualClock({ auto: true }),
      signal: AbortSignal.abort(),
    });
    expect([seen?.id, warnings]).toEqual([
      "e1",
      ["the run was cancelled before the statistics were read back"],
    ]);
  });
});
