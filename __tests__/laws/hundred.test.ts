import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { CONTAINER, REPOSITORY, createStage, edit, expectEnd } from "../scenarios/stage.ts";

const COUNT = 100;
/** The spec's order is not alphabetical. */
const NAMES = Array.from(
  { length: COUNT },
  (_, n) => `agent-${String((n * 37) % COUNT).padStart(3, "0")}`,
);
const FAILING = "agent-042";
/**
 * What src/service/budget.ts lets through of the default 1000 requests in 10 s: a burst of 100,
 * then this many a second.
 */
const ALLOWED = { burst: 100, perSecond: (0.9 * 1000 - 99) / 10 };
/** CREATING, QUEUED, AWAITING_DEPLOY, DEPLOYING of the emulator, and one look after the end. */
const TIMELINE_MS = 100 + 500;

/** The most memory that a process had so far; zero where the system does not say. */
function peakMegabytes(pid: number | undefined): number {
  try {
    return Math.round(
      Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) /
        1024,
    );
  } catch {
    return 0;
  }
}

test("a hundred deployments in one run keep to the service's limits, to few requests, to a readable log and to the spec's order", async () => {
  const stage = await createStage(
    NAMES.map((name) => edit(CONTAINER, "search-agent", name)).join("---\n"),
    { limits: "on", revisions: [{ deployment: FAILING, outcome: "deploy-failed" }] },
  );
  const startedAt = performance.now();
  const started = stage.start({ concurrency: "100", "poll-interval": "500ms" });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakMegabytes(started.process.pid));
  }, 50);
  const run = await started.done.finally(() => {
    clearInterval(watch);
  });
  const tookMs = performance.now() - startedAt;
  const requests = stage.emulator.emulator.requests();
  const allowedMs =
    (Math.max(0, requests.length - ALLOWED.burst) / ALLOWED.perSecond) * 1000 + TIMELINE_MS;
  console.info(
    `${COUNT} deployments: ${requests.length} requests, ${(tookMs / 1000).toFixed(1)} s, ${(tookMs / allowedMs).toFixed(2)} × of the ${(allowedMs / 1000).toFixed(1)} s that budget and timelines allow; ${peak} MB at most`,
  );

  expectEnd(run, { outcome: "failed" }, 1);
  const report = JSON.parse(run.outputs["deployments"]!) as { name: string; outcome: string }[];
  expect(report.map(({ name }) => name)).toEqual(NAMES);
  expect(report.filter(({ outcome }) => outcome !== "deployed").map(({ name }) => name)).toEqual([
    FAILING,
  ]);
  expect(
    [...run.summary.matchAll(/agent-\d{3}/g)]
      .map(([name]) => name)
      .filter((name, at, all) => name !== FAILING && all.indexOf(name) === at),
  ).toEqual(NAMES.filter((name) => name !== FAILING));

  expect(requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(stage.writes()).toEqual(Array.from({ length: COUNT }, () => "POST /v2/deployments"));
  // Two looks at the revision or so, one at the deployment, and the name once more right before its create.
  expect(requests.length).toBeLessThanOrEqual(9 * COUNT);

  const lines = run.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
  for (const name of NAMES) {
    const own = lines.filter((line) =>
      new RegExp(
        `^${name}\\b.*\\b(CREATING|QUEUED|AWAITING_DEPLOY|DEPLOYING|DEPLOYED|DEPLOY_FAILED)\\b`,
      ).test(line),
    );
    expect(own.length).toBeGreaterThanOrEqual(1);
    expect(own.filter((line, at) => own.indexOf(line) !== at)).toEqual([]);
  }
});

test("what many creates choose from is read once for all of them", async () => {
  const names = NAMES.slice(0, 12);
  const stage = await createStage(
    [
      ...names.map((name) => edit(CONTAINER, "search-agent", name)),
      ...names.map((name) => edit(REPOSITORY, "support-agent", `${name}-built`)),
    ].join("---\n"),
  );
  expectEnd(await stage.run({ command: "plan" }), { outcome: "planned" });
  const paths = stage.emulator.emulator.requests().map(({ path }) => path);
  const reads = (pattern: RegExp): number => paths.filter((path) => pattern.test(path)).length;
  expect({ integrations: reads(/\/integrations\//), listeners: reads(/\/listeners$/) }).toEqual({
    integrations: 1,
    listeners: 2,
  });
});
