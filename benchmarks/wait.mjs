// 10,000 simulated builds through the real wait loop on a clock that jumps: how late is DEPLOYED known, and for how many requests?
// Three kinds: containers that only roll out, builds of a few minutes, first builds of about 14 minutes; log-normal phases, at most 30 min.
import { waitForRevision } from "../build/deploy/wait.js";
import { createSeededRandom } from "../build/gate/calibration.js";
import { median, print } from "./figure.mjs";

const random = createSeededRandom(42);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const around = (seconds, spread) => seconds * 1000 * Math.exp(spread * normal());

function toBuild() {
  const kind = random();
  if (kind < 0.35)
    return [
      ["QUEUED", around(5, 0.8)],
      ["DEPLOYING", around(40, 0.6)],
    ];
  if (kind < 0.85)
    return [
      ["QUEUED", around(8, 0.8)],
      ["AWAITING_BUILD", around(5, 0.5)],
      ["BUILDING", around(200, 0.6)],
      ["AWAITING_DEPLOY", around(4, 0.5)],
      ["DEPLOYING", around(50, 0.5)],
    ];
  return [
    ["QUEUED", around(15, 0.8)],
    ["AWAITING_BUILD", around(10, 0.5)],
    ["BUILDING", around(640, 0.3)],
    ["AWAITING_DEPLOY", around(5, 0.5)],
    ["DEPLOYING", around(110, 0.4)],
  ];
}

const totalOf = (phases) => phases.reduce((sum, [, ms]) => sum + ms, 0);
const LIMIT_MS = 30 * 60_000;
const builds = Array.from({ length: 10_000 }, toBuild).map((phases) =>
  phases.map(([status, ms]) => [status, ms * Math.min(1, LIMIT_MS / totalOf(phases))]),
);
const LONG = [
  ["QUEUED", 20_000],
  ["BUILDING", 1_400_000],
  ["AWAITING_DEPLOY", 10_000],
  ["DEPLOYING", 370_000],
];

function statusAt(phases, ms) {
  let end = 0;
  for (const [status, length] of phases) if (ms < (end += length)) return status;
  return "DEPLOYED";
}

async function ours(phases) {
  let now = 0;
  let requests = 0;
  const time = new Date(0).toISOString();
  const controlPlane = {
    getRevision: async () => {
      requests++;
      return {
        id: "r",
        status: statusAt(phases, now),
        created_at: time,
        updated_at: time,
        status_message: "",
        source_revision_config: {},
      };
    },
    getDeployment: async () => {
      requests++;
      return {
        id: "d",
        name: "d",
        latest_revision_id: "r",
        active_revision_id: statusAt(phases, now) === "DEPLOYED" ? "r" : null,
        url: "",
        body: {},
      };
    },
  };
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
  const request = {
    name: "d",
    deploymentId: "d",
    revisionId: "r",
    notRevisionIds: [],
    previousActiveId: null,
    timeoutMs: LIMIT_MS * 2,
    pollIntervalMs: null,
    stale: null,
  };
  await waitForRevision(request, {
    controlPlane,
    clock,
    signal: new AbortController().signal,
    progress: () => {},
    onRevision: () => {},
    onStatus: () => {},
  });
  return { lagMs: now - totalOf(phases), requests, totalMs: totalOf(phases) };
}

function peer(delayMs) {
  return async (phases) => {
    let now = 0;
    let requests = 1;
    for (; statusAt(phases, now) !== "DEPLOYED"; requests++) now += delayMs(requests);
    return { lagMs: now - totalOf(phases), requests, totalMs: totalOf(phases) };
  };
}

const schedules = {
  ours,
  ...Object.fromEntries([1, 3, 5, 15, 60].map((s) => [`every ${s} s`, peer(() => s * 1000)])),
  "× 1.5 to 30 s": peer((n) => Math.min(30_000, 2000 * 1.5 ** (n - 1))),
};
const points = {};
for (const [name, schedule] of Object.entries(schedules)) {
  const runs = [];
  for (const phases of builds) runs.push(await schedule(phases));
  const mine = name === "ours";
  points[name] = {
    lag: median(runs.map((run) => run.lagMs)) / 1000,
    requests: median(runs.map((run) => run.requests)),
  };
  print(`${name}: median lag`, points[name].lag, "s", mine ? "≤ 3" : undefined);
  print(
    `${name}: median lag as a share of the build`,
    100 * median(runs.map((run) => run.lagMs / run.totalMs)),
    "%",
    mine ? "≤ 2" : undefined,
  );
  print(`${name}: median requests`, points[name].requests, "");
  print(
    `${name}: requests of a 30 min build`,
    (await schedule(LONG)).requests,
    "",
    mine ? "≤ 150" : undefined,
  );
}
const better = Object.keys(points).filter(
  (name) =>
    name !== "ours" &&
    points[name].lag < points.ours.lag &&
    points[name].requests < points.ours.requests,
);
print("schedules better than ours in both", better.length, "", "0");
