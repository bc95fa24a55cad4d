import { expect, test } from "@jest/globals";
import { createReader } from "../../src/deploy/revision-reader.ts";
import type { LiveRevision } from "../../src/model/live.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { type ControlPlane, ServiceError } from "../../src/service/control-plane.ts";
import { createManualClock } from "../support/manual-clock.ts";

const [OURS, OTHER, BEFORE] = [
  "aaaaaaaa-0000-4000-8000-000000000001",
  "bbbbbbbb-0000-4000-8000-000000000002",
  "cccccccc-0000-4000-8000-000000000003",
];
const ours = toRevision({ id: OURS, status: "DEPLOYED", created_at: "2026-01-01T00:00:00Z" });

/** A reader with the lines that it logs, over a service that answers, or fails, some time after each request. */
function readerOf(answers: (call: number) => LiveRevision | null | Error) {
  const clock = createManualClock({ auto: true });
  const lines: string[] = [];
  let [calls, takesMs] = [0, 0];
  const controlPlane: ControlPlane = {
    within: () => controlPlane,
    getRevision: async () => {
      calls += 1;
      await clock.sleep(takesMs);
      const answer = answers(calls);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as ControlPlane;
  let untilMs = clock.monotonic() + 60_000;
  const reader = createReader(
    "d",
    { controlPlane, clock, signal: new AbortController().signal },
    (line) => lines.push(line),
    () => untilMs,
  );
  /** Reads with so much time left, and the service takes all of it unless less is given. */
  const readWithin = async (ms: number, took = ms) => {
    takesMs = took;
    untilMs = clock.monotonic() + ms;
    return reader.readRevision(OURS);
  };
  return { reader, lines, readWithin };
}

/** A reader over a service that answers as given; `calls` counts the reads of a revision. */
function readerOver(service: Partial<ControlPlane>) {
  const clock = createManualClock();
  const lines: string[] = [];
  const controlPlane = { within: () => controlPlane, ...service } as ControlPlane;
  const reader = createReader(
    "d",
    { controlPlane, clock, signal: new AbortController().signal },
    (line) => lines.push(line),
    () => Infinity,
  );
  return { reader, clock, lines };
}

const deploymentOf = (active: string | null, latest: string | null = OURS) =>
  toDeployment({ id: "d", name: "app", active_revision_id: active, latest_revision_id: latest });

/**
 * Reads a deployment whose other revision is active; `other` is what a GET of that one answers, an
 * Error where it fails.
 */
async function newerActive({
  latest,
  other,
}: {
  readonly latest: string;
  readonly other: object | null | Error;
}): Promise<string | null> {
  const { reader } = readerOver({
    getDeployment: async () => deploymentOf(OTHER, latest),
    getRevision: async () => {
      if (other instanceof Error) throw other;
      return other === null ? null : toRevision({ id: OTHER, status: "DEPLOYED", ...other });
    },
  });
  await reader.readDeployment();
  return reader.newerActive(ours, BEFORE);
}

test.each([
  ["is newer if it was created later", OURS, "2026-01-01T00:00:05Z", OTHER],
  ["is not newer if it was created earlier", OTHER, "2025-12-31T23:59:59Z", null],
  ["is newer if it has the same age and is the latest", OTHER, "2026-01-01T00:00:00Z", OTHER],
  ["is not newer if it has the same age and is not the latest", OURS, "2026-01-01T00:00:00Z", null],
  ["is newer if it has no age and is the latest", OTHER, "", OTHER],
  ["is not newer if it has no age and is not the latest", OURS, "", null],
])("another active revision %s", async (_, latest, created_at, expected) => {
  expect(await newerActive({ latest, other: { created_at } })).toBe(expected);
});

test.each([
  ["none", null],
  ["the run's own", OURS],
  ["the previous one", BEFORE],
])("if %s is active, no other revision is read", async (_, active) => {
  let calls = 0;
  const { reader } = readerOver({
    getDeployment: async () => deploymentOf(active),
    getRevision: async () => {
      calls += 1;
      return toRevision({ id: OTHER, status: "DEPLOYED", created_at: "2026-01-01T00:00:05Z" });
    },
  });
  expect(await reader.newerActive(ours, BEFORE)).toBeNull();
  await reader.readDeployment();
  expect([await reader.newerActive(ours, BEFORE), calls]).toEqual([null, 0]);
});

test("an older active revision is read once, and a newer one each time", async () => {
  for (const [created_at, reads] of [
    ["2025-12-31T00:00:00Z", 1],
    ["2026-01-02T00:00:00Z", 2],
    ["", 2],
  ] as const) {
    let calls = 0;
    const { reader } = readerOver({
      getDeployment: async () => deploymentOf(OTHER),
      getRevision: async () => {
        calls += 1;
        return toRevision({ id: OTHER, status: "DEPLOYED", created_at });
      },
    });
    await reader.readDeployment();
    for (const _ of [1, 2]) await reader.newerActive(ours, BEFORE);
    expect([created_at, calls]).toEqual([created_at, reads]);
  }
});

test("an active revision that cannot be found is newer if it is the deployment's latest, and one that cannot be read is not", async () => {
  expect(await newerActive({ latest: OTHER, other: null })).toBe(OTHER);
  expect(await newerActive({ latest: OURS, other: null })).toBeNull();
  expect(await newerActive({ latest: OTHER, other: new Error("503") })).toBeNull();
});

/** When the deployment was read last, and when it is due again, in milliseconds since the wait began. */
test.each([
  ["at least 5 s", 1_000, 6_000],
  ["70% of the time waited", 10_000, 33_334],
  ["at most 2 minutes", 100_000, 220_000],
])("the deployment is read again after %s", async (_, readAt, dueAt) => {
  for (const startedAt of [0, 20_000]) {
    const { reader, clock } = readerOver({ getDeployment: async () => deploymentOf(OURS) });
    await clock.advance(startedAt + readAt);
    await reader.readDeployment();
    await clock.advance(dueAt - readAt - 1);
    expect(reader.isDue(startedAt, Infinity)).toBe(false);
    await clock.advance(1);
    expect(reader.isDue(startedAt, Infinity)).toBe(true);
  }
});

test("the deployment is read once more near the end, and again only if that found nothing", async () => {
  for (const isFound of [true, false]) {
    const answer = isFound ? deploymentOf(OURS) : null;
    const { reader, clock } = readerOver({ getDeployment: async () => answer });
    await clock.advance(9_000);
    await reader.readDeployment();
    await clock.advance(999);
    expect(reader.isDue(0, 10_000)).toBe(false);
    await clock.advance(1);
    expect(reader.isDue(0, 10_000)).toBe(true);
    await reader.readDeployment();
    await clock.advance(1);
    expect(reader.isDue(0, 10_000)).toBe(!isFound);
  }
});

test.each([
  ["that shows it does not prove", { state: "found", items: [deploymentOf(null)] }, true],
  [
    "that shows only others proves",
    { state: "found", items: [{ ...deploymentOf(null), id: "e" }] },
    false,
  ],
  ["that is empty proves", { state: "found", items: [] }, false],
  ["that is incomplete does not prove", { state: "found", items: [], partial: true }, true],
  ["that does not exist does not prove", { state: "absent-lookup", status: 404 }, true],
  ["that cannot be read does not prove", new Error("503"), true],
] as const)("a list %s that a deployment is absent", async (_, lookup, may) => {
  const asked: object[] = [];
  const { reader } = readerOver({
    getDeployment: async () => deploymentOf(OURS),
    listDeployments: async (query) => {
      asked.push(query);
      if (lookup instanceof Error) throw lookup;
      return lookup;
    },
  });
  expect(await reader.mayBeListed(Infinity)).toBe(may);
  await reader.readDeployment();
  expect(await reader.mayBeListed(Infinity)).toBe(may);
  expect(asked).toEqual([{}, { nameContains: "app" }]);
});

test("only the service's own 422 says that an id is invalid", async () => {
  const answers: (LiveRevision | null | Error)[] = [
    new ServiceError("not a uuid", { status: 422, ownWords: true }),
    new ServiceError("a gateway", { status: 422 }),
    null,
    ours,
  ];
  const { reader } = readerOver({
    getRevision: async () => {
      const answer = answers.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const seen = [];
  for (let read = 0; read < 4; read++)
    seen.push([await reader.readRevision(OURS), reader.answered()]);
  expect(seen).toEqual([
    [{ state: "no-id" }, true],
    [null, false],
    [{ state: "missing" }, true],
    [{ state: "found", revision: ours }, true],
  ]);
});

test("a read that is cut short by its own limit is not a failure of a service that answered before", async () => {
  const { reader, lines, readWithin } = readerOf((call) =>
    call === 1 ? ours : new Error("timed out"),
  );
  expect(await readWithin(60_000)).toEqual({ state: "found", revision: ours });
  expect([reader.answered(), reader.failure()]).toEqual([true, null]);
  expect(await readWithin(1_000)).toBeNull();
  expect([reader.answered(), reader.failure(), lines]).toEqual([false, null, []]);
});

test.each([
  ["with time left", 1_000, 500],
  ["with a limit that is long enough for a request", 2_000, 2_000],
])("the same error is a failure %s", async (_, within, took) => {
  const { reader, lines, readWithin } = readerOf((call) =>
    call === 1 ? ours : new Error("timed out"),
  );
  await readWithin(60_000);
  expect(await readWithin(within, took)).toBeNull();
  expect([reader.failure(), lines]).toEqual([
    "timed out",
    ["the status cannot be read: still waiting (timed out)"],
  ]);
});

test("a service that never answered has failed, however short the read was", async () => {
  const { reader, lines, readWithin } = readerOf(() => new Error("connection refused"));
  expect(await readWithin(1_000)).toBeNull();
  expect([reader.answered(), reader.failure()]).toEqual([false, "connection refused"]);
  expect(lines).toEqual(["the status cannot be read: still waiting (connection refused)"]);
});

test("a request that was not sent because of the limit does not hide the earlier failure", async () => {
  const { reader, readWithin } = readerOf((call) =>
    call === 1
      ? new ServiceError("429: slow down", { status: 429 })
      : new ServiceError("nothing was sent: the time limit passed", { sent: false }),
  );
  await readWithin(60_000, 100);
  await readWithin(10_000);
  expect(reader.failure()).toBe("429: slow down");
});

test("the same failure is printed once", async () => {
  const { lines, readWithin } = readerOf((call) =>
    call === 12 ? ours : new Error(call < 20 ? "Forbidden" : "Bad gateway"),
  );
  for (let call = 1; call <= 9; call++) await readWithin(60_000);
  expect(lines).toHaveLength(1);
  for (let call = 10; call <= 22; call++) await readWithin(60_000);
  expect(lines).toEqual([
    "the status cannot be read: still waiting (Forbidden)",
    "the status cannot be read, as before (10 times)",
    "the status cannot be read: still waiting (Bad gateway)",
  ]);
});

test("failures are logged at the first and every tenth, and again after a success", async () => {
  const { lines, readWithin, reader } = readerOf((call) =>
    call === 22 ? null : new Error(`failure ${call}`),
  );
  for (let call = 1; call <= 21; call++) await readWithin(60_000);
  expect(lines.map((line) => /failure \d+/.exec(line)?.[0])).toEqual([
    "failure 1",
    "failure 10",
    "failure 20",
  ]);
  expect(reader.failure()).toBe("failure 21");
  expect(await readWithin(60_000)).toEqual({ state: "missing" });
  expect([reader.answered(), reader.failure()]).toEqual([true, null]);
  await readWithin(60_000);
  expect(lines.at(-1)).toContain("failure 23");
});

test("a missing deployment is logged at the first read and every tenth, until it is found", async () => {
  const found: (string | null)[] = [null, OTHER, ...Array.from({ length: 20 }, () => null)];
  const { reader, lines } = readerOver({
    getDeployment: async () => {
      const active = found.shift() ?? null;
      return active === null ? null : deploymentOf(active);
    },
  });
  expect([reader.isMissing(), reader.failure()]).toEqual([false, null]);
  const counts: number[] = [];
  for (let read = 0; read < 22; read++) {
    await reader.readDeployment();
    counts.push(lines.length);
    expect([reader.isMissing(), reader.failure() !== null]).toEqual([read !== 1, read !== 1]);
  }
  expect([counts[0], counts[1], counts[2], counts[10], counts[11], counts[20], counts[21]]).toEqual(
    [1, 1, 2, 2, 3, 3, 4],
  );
  expect([reader.isMissing(), reader.failure()]).toEqual([
    true,
    "deployment d is not found (404): was it deleted?",
  ]);
});

test("the previously active revision is the last one other than ours and the one at the start", async () => {
  const actives = [BEFORE, OTHER, OURS];
  const { reader } = readerOver({
    getDeployment: async () => deploymentOf(actives.shift() ?? OURS),
  });
  expect(reader.activeBefore(OURS, BEFORE)).toBeNull();
  for (let read = 0; read < 3; read++) await reader.readDeployment();
  expect(reader.failure()).toBeNull();
  expect(reader.activeBefore(OURS, BEFORE)).toBe(OTHER);
  expect(reader.activeBefore(OURS, null)).toBe(OTHER);
  expect(reader.activeBefore(OURS, OTHER)).toBe(BEFORE);
});
