// 10,000 simulated builds through the real wait loop on a clock that jumps: how late is DEPLOYED
// known, and for how many requests? Log-normal phases of three kinds (containers that only roll
// out, builds of a few minutes, first builds of about 14 minutes), and four other families that the
// schedule was not made on. No schedule has both a short lag and few requests, so each peer is
// compared twice: with ours as it is, and with ours stretched or squeezed until it asks as often.
import { startRun } from "#built/deploy/document-run.js";
import { adaptiveDelayMs } from "#built/deploy/look.js";
import { byId } from "#built/deploy/own-revision.js";
import { createTracker } from "#built/deploy/tracker.js";
import { waitForRevision } from "#built/deploy/wait.js";
import { createSeededRandom } from "#built/gate/chance.js";
import { median, print } from "./figure.mjs";

const random = createSeededRandom(42);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const around = (seconds, spread) => seconds * 1000 * Math.exp(spread * normal());

function toUsual() {
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

const exponential = (seconds) => -seconds * 1000 * Math.log(1 - random());
const gamma = (seconds, shape) =>
  Array.from({ length: shape }, () => exponential(seconds / shape)).reduce((sum, ms) => sum + ms);
const uniform = (from, to) => 1000 * (from + (to - from) * random());

const FAMILIES = {
  usual: toUsual,
  containers: () => [
    ["QUEUED", around(5, 0.8)],
    ["DEPLOYING", around(40, 0.6)],
  ],
  gamma: () => [
    ["QUEUED", gamma(10, 2)],
    ["BUILDING", gamma(240, 3)],
    ["DEPLOYING", gamma(60, 3)],
  ],
  "cached or not": () => [
    ["QUEUED", gamma(4, 2)],
    ["BUILDING", gamma(random() < 0.5 ? 20 : 400, 4)],
    ["DEPLOYING", gamma(30, 4)],
  ],
  uniform: () => [
    ["QUEUED", uniform(1, 20)],
    ["BUILDING", uniform(30, 600)],
    ["DEPLOYING", uniform(10, 90)],
  ],
};

const totalOf = (phases) => phases.reduce((sum, [, ms]) => sum + ms, 0);
const LIMIT_MS = 30 * 60_000;
const toBuilds = (family, count) =>
  Array.from({ length: count }, FAMILIES[family]).map((phases) =>
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
  for (const [status, length] of phases) {
    end += length;
    if (ms < end) return status;
  }
  return "DEPLOYED";
}

async function ours(phases) {
  let now = 0;
  let requests = 0;
  const time = new Date(0).toISOString();
  /** @type {any} */
  const controlPlane = {
    within: () => controlPlane,
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
  const signal = new AbortController().signal;
  /** What a wait uses of a run. @type {any} */
  const context = {
    controlPlane,
    clock,
    policy: {},
    pollDelayMs: adaptiveDelayMs,
    signal,
    progress: () => {},
  };
  const run = startRun(context, { ...createTracker("d"), id: "d" }, LIMIT_MS * 2);
  await waitForRevision(run, byId("r", null));
  return { lagMs: now - totalOf(phases), requests, totalMs: totalOf(phases) };
}

/** A schedule by itself: status reads until one shows DEPLOYED. */
function looksOf(delayMs, phases) {
  let [now, requests, since] = [0, 1, 0];
  let status = statusAt(phases, now);
  while (status !== "DEPLOYED") {
    now += delayMs({ looks: requests, status, inStatusMs: now - since, elapsedMs: now });
    requests++;
    const next = statusAt(phases, now);
    if (next !== status) [status, since] = [next, now];
  }
  return { lagMs: now - totalOf(phases), requests, totalMs: totalOf(phases) };
}
const peer = (delayMs) => async (phases) => looksOf(({ looks }) => delayMs(looks), phases);

const schedules = {
  ours,
  ...Object.fromEntries([1, 3, 5, 10, 15, 60].map((s) => [`every ${s} s`, peer(() => s * 1000)])),
  "× 1.5 to 30 s": peer((n) => Math.min(30_000, 2000 * 1.5 ** (n - 1))),
  "15 s, × 1.5 to 120 s": peer((n) => Math.min(120_000, 15_000 * 1.5 ** (n - 1))),
};
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];

async function measure(schedule, builds) {
  const runs = [];
  for (const phases of builds) runs.push(await schedule(phases));
  return toPoint(runs);
}

function toPoint(runs) {
  return {
    lag: median(runs.map((run) => run.lagMs)) / 1000,
    late:
      quantile(
        runs.map((run) => run.lagMs),
        0.95,
      ) / 1000,
    share: 100 * median(runs.map((run) => run.lagMs / run.totalMs)),
    requests: median(runs.map((run) => run.requests)),
  };
}

const stretched = (factor, builds) =>
  toPoint(
    builds.map((phases) =>
      looksOf(
        ({ status, inStatusMs, elapsedMs }) =>
          factor * adaptiveDelayMs(status, inStatusMs / factor, elapsedMs / factor),
        phases,
      ),
    ),
  );

/** Our schedule at no more status reads than a peer has: the least stretched that keeps to it. */
function atRequests(most, builds) {
  let [enough, tooFew] = [32, 1 / 32];
  for (let turn = 0; turn < 14; turn++) {
    const middle = Math.sqrt(enough * tooFew);
    if (stretched(middle, builds).requests <= most) enough = middle;
    else tooFew = middle;
  }
  return stretched(enough, builds);
}

async function measureFamily(family, count) {
  const builds = toBuilds(family, count);
  const points = {};
  for (const [name, schedule] of Object.entries(schedules))
    points[name] = await measure(schedule, builds);
  return { points, builds };
}

function printUsual(points) {
  for (const [name, point] of Object.entries(points)) {
    const mine = name === "ours";
    print(`${name}: median lag`, point.lag, "s", mine ? "≤ 3" : undefined);
    print(`${name}: p95 of the lag`, point.late, "s", mine ? "≤ 3" : undefined);
    print(
      `${name}: median lag as a share of the build`,
      point.share,
      "%",
      mine ? "≤ 2" : undefined,
    );
    print(`${name}: median requests`, point.requests, "");
  }
}

/** Schedules that are at least as good in all three, and better in one. */
const betterThanOurs = (points) =>
  Object.keys(points).filter((name) => name !== "ours" && isBetter(points[name], points.ours));
const isBetter = (a, b) =>
  a.lag <= b.lag && a.late <= b.late && a.requests <= b.requests && a.lag + a.late < b.lag + b.late;
/** Schedules that ours beats in all three at once. */
const beaten = (points) =>
  Object.keys(points).filter((name) => {
    const { lag, late, requests } = points[name];
    const { ours: mine } = points;
    return name !== "ours" && mine.lag < lag && mine.late < late && mine.requests <= requests;
  });

/** Both lags at each peer's own number of requests as shares of its. */
function atEqualRequests({ points, builds }) {
  const peers = Object.entries(points).filter(([name]) => name !== "ours");
  return peers.map(([name, theirs]) => {
    const mine = atRequests(theirs.requests, builds);
    return { name, ...theirs, lag: mine.lag / theirs.lag, late: mine.late / theirs.late };
  });
}

const usual = await measureFamily("usual", 10_000);
printUsual(usual.points);
for (const [name, schedule] of Object.entries(schedules))
  print(
    `${name}: requests of a 30 min build`,
    (await schedule(LONG)).requests,
    "",
    name === "ours" ? "≤ 280" : undefined,
  );
for (const family of Object.keys(FAMILIES)) {
  const measured = family === "usual" ? usual : await measureFamily(family, 2_000);
  const { points } = measured;
  const { lag, late, requests } = points.ours;
  print(`${family}: ours: median lag`, lag, "s");
  print(`${family}: ours: p95 of the lag`, late, "s");
  print(`${family}: ours: median requests`, requests, "");
  print(`${family}: schedules better than ours`, betterThanOurs(points).length, "", "0");
  print(
    `${family}: ours beats in all three: ${beaten(points).join(", ") || "none"}`,
    beaten(points).length,
    "",
  );
  const equal = atEqualRequests({ points, builds: measured.builds.slice(0, 2_000) });
  for (const one of family === "usual" ? equal : []) {
    const label = `usual: ours at the ${one.requests} requests of ${one.name}`;
    print(`${label}: median lag over its`, one.lag, "×", "< 1");
    print(`${label}: p95 of the lag over its`, one.late, "×", "< 1");
  }
  const worse = equal.filter((one) => one.lag >= 1 || one.late >= 1).map((one) => one.name);
  print(
    `${family}: not beaten at equal requests: ${worse.join(", ") || "none"}`,
    worse.length,
    "",
    "0",
  );
}
