import { expect, test } from "@jest/globals";
import { createRetryLog } from "../../src/ci/retry-log.ts";
import { createManualClock } from "../support/manual-clock.ts";

test("a failing service is logged once in full, then counted, and again in full after it recovered", async () => {
  const clock = createManualClock();
  const said: string[] = [];
  const retry = createRetryLog(clock, (line) => {
    said.push(line);
  });
  const fail = (tries: number): void =>
    retry(
      "GET /v2/deployments: 503: down. Trying again in 1.0 s.",
      "the service answers 503",
      tries,
    );
  fail(1);
  // Three requests side by side: each has a count of its own, and the log has theirs.
  for (let at = 1; at <= 12; at += 1) {
    await clock.advance(1_000);
    for (let request = 0; request < 3; request += 1) fail(at - request);
  }
  retry(
    "GET /v2/deployments: no answer. Trying again in 1.0 s.",
    "the service does not answer (ECONNRESET)",
    1,
  );
  await clock.advance(121_000);
  fail(1);
  expect(said).toEqual([
    "GET /v2/deployments: 503: down. Trying again in 1.0 s.",
    "the service answers 503: retrying (5, 5 s)",
    "the service answers 503: retrying (10, 10 s)",
    "GET /v2/deployments: no answer. Trying again in 1.0 s.",
    "GET /v2/deployments: 503: down. Trying again in 1.0 s.",
  ]);
});
