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
): Promise<{ waitedMs: number; warnings: readonly string[] }> {
  const { experiment } = await readOne('[{"inputs":{"q":1}}]');
  const clock = createManualClock({ auto: true });
  const begun = clock.monotonic();
  const { warnings } = await readBack(experiment, "e1", { tracing: { getSession }, clock });
  return { waitedMs: clock.monotonic() - begun, warnings };
}

describe("reading an experiment back", () => {
  test("takes seconds where the service does not serve it", async () => {
    const { waitedMs, warnings } = await waitFor(() => Promise.resolve(null));
    expect(waitedMs).toBeLessThanOrEqual(4_000);
    expect(warnings).toEqual(["the experiment is uploaded, but the service does not find it yet"]);
  });

  test("gives statistics that never come a quarter of a minute", async () => {
    const { waitedMs, warnings } = await waitFor(() => Promise.resolve(session(null)));
    expect(waitedMs).toBeGreaterThan(10_000);
    expect(waitedMs).toBeLessThanOrEqual(16_000);
    expect(warnings).toEqual([expect.stringContaining("no statistics of the experiment yet")]);
  });

  test("ends as soon as they are there, and says where they differ", async () => {
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
