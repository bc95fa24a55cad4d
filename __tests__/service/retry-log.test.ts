import { expect, test } from "@jest/globals";
import { createRetryLog } from "../../src/run/retry-log.ts";
import { createManualClock } from "../support/manual-clock.ts";

test("a failing service is told once in full, then counted, and in full again after it was well", async () => {
  const clock = createManualClock();
  const said: string[] = [];
  const retry = createRetryLog(clock, (line) => {
    said.push(line);
  });
  const fail = (): void =>
    retry("GET /v2/deployments: 503: down. Trying again in 1.0 s.", "the service answers 503");
  fail();
  for (let at = 0; at < 12; at += 1) {
    await clock.advance(1_000);
    fail();
  }
  retry(
    "GET /v2/deployments: no answer. Trying again in 1.0 s.",
    "the service does not answer (ECONNRESET)",
  );
  await clock.advance(121_000);
  fail();
  expect(said).toEqual([
    "GET /v2/deployments: 503: down. Trying again in 1.0 s.",
    "the service answers 503: retrying (6, 5 s)",
    "the service answers 503: retrying (11, 10 s)",
    "GET /v2/deployments: no answer. Trying again in 1.0 s.",
    "GET /v2/deployments: 503: down. Trying again in 1.0 s.",
  ]);
});
