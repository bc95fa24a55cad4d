// Kills the emulator at random while it takes writes, and looks for what it acknowledged: npm run
// durability [-- --writes 100000] [--kills 200] [--seed 1]. Prints file size, memory and start
// times as one line of JSON.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LANES = 8;
/** A lane holds this many deployments before it only changes and deletes. */
const DEPLOYMENTS_A_LANE = 50;
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** A random number generator (mulberry32), so that a run can be repeated. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The most memory a process has had, in MB; null where the system does not say. */
function peakMemoryOf(pid) {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? null : Math.round(Number(found[1]) / 1024);
  } catch {
    return null;
  }
}

function start(folder) {
  const began = performance.now();
  const scenario = join(folder, "scenario.json");
  writeFileSync(scenario, JSON.stringify({ limits: "off", timeScale: 0 }));
  const args = ["--port", "0", "--state", join(folder, "state.jsonl"), "--scenario", scenario];
  const child = spawn(process.execPath, [CLI, "emulator", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the emulator ended with ${code}: ${said}`)));
    child.stdout.once("data", (text) => {
      const url = String(text).split("\n")[0];
      resolve({ child, url, startMs: performance.now() - began });
    });
  });
}

async function send(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": "k", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const bodyOf = (name, ref) => ({
  name,
  source: "repohost",
  source_config: { repo_url: "https://git.example.com/acme/agents" },
  source_revision_config: { repo_ref: ref, graph_config_path: "graph.json" },
  secrets: [{ name: "TOKEN", value: `value of ${ref}` }],
});

/** The next write of a lane: what is sent, and what is known once it was acknowledged. */
function nextWrite(lane, random) {
  const live = [...lane.known.values()].filter(({ deleted }) => !deleted);
  lane.count += 1;
  const ref = `ref-${lane.number}-${lane.count}`;
  const one = live[Math.floor(random() * live.length)];
  if (one === undefined || (live.length < DEPLOYMENTS_A_LANE && random() < 0.2))
    return { kind: "create", name: `d-${lane.number}-${lane.count}`, ref };
  if (live.length > 1 && random() < 0.02) return { kind: "delete", one };
  return { kind: "patch", one, ref };
}

async function carryOut(url, lane, write) {
  const { kind, one, ref } = write;
  if (kind === "create") {
    const { status, body } = await send(url, "POST", "/v2/deployments", bodyOf(write.name, ref));
    if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
    lane.known.set(body.id, { id: body.id, ref, revisions: 1, deleted: false });
    return;
  }
  const path = `/v2/deployments/${one.id}`;
  if (kind === "delete") {
    const { status, body } = await send(url, "DELETE", path);
    if (status >= 300) throw new Error(`delete answered ${status}: ${JSON.stringify(body)}`);
    one.deleted = true;
    return;
  }
  const { status, body } = await send(url, "PATCH", path, {
    source_revision_config: { repo_ref: ref },
    secrets: [{ name: "TOKEN", value: `value of ${ref}` }],
  });
  if (status !== 200) throw new Error(`patch answered ${status}: ${JSON.stringify(body)}`);
  Object.assign(one, { ref, revisions: one.revisions + 1 });
}

/**
 * Writes one after the other until the emulator is gone or there are enough; the write under way
 * may or may not have happened.
 */
async function runLane(url, lane, random, trial) {
  while (trial.isWanted() && !trial.killed) {
    const write = nextWrite(lane, random);
    lane.underWay = write;
    try {
      await carryOut(url, lane, write);
    } catch (error) {
      if (trial.killed) return;
      throw error;
    }
    lane.underWay = null;
    if (write.one !== undefined) lane.touched.add(write.one.id);
    trial.writes += 1;
    trial.acknowledged();
  }
}

/** What of a deployment is not as it was acknowledged; an unanswered write may have happened, whole. */
function lossOf(known, underWay, { status, body }) {
  const mine = underWay?.one?.id === known.id ? underWay : null;
  const gone = status === 404 || body?.status === "AWAITING_DELETE";
  if (gone) return known.deleted || mine?.kind === "delete" ? null : `${known.id} is gone`;
  if (known.deleted) return `${known.id} is back`;
  const ref = body.source_revision_config?.repo_ref;
  const secret = body.secrets?.[0]?.value;
  if (secret !== `value of ${ref}`) return `${known.id} is half written: ${ref}, ${secret}`;
  if (ref === known.ref) return null;
  if (mine?.kind === "patch" && ref === mine.ref) {
    known.ref = ref;
    known.revisions += 1;
    return null;
  }
  return `${known.id} has ${ref}, acknowledged was ${known.ref}`;
}

async function findLosses(url, lane, ids) {
  const losses = [];
  for (const id of ids) {
    const known = lane.known.get(id);
    const reply = await send(url, "GET", `/v2/deployments/${id}`);
    const loss = lossOf(known, lane.underWay, reply);
    if (loss !== null) losses.push(loss);
    else if (lane.underWay?.kind === "delete" && lane.underWay.one.id === id)
      known.deleted = reply.status === 404 || reply.body.status === "AWAITING_DELETE";
  }
  return losses;
}

/** The emulator is killed at a random moment: after that many acknowledged writes, and a little later. */
function armKill(trial, child, random, writesUntil) {
  let left = writesUntil;
  trial.acknowledged = () => {
    left -= 1;
    if (left !== 0) return;
    setTimeout(() => {
      trial.killed = true;
      child.kill("SIGKILL");
    }, random() * 5);
  };
}

function createLane(number) {
  const underWay = /** @type {{ kind: string, one: any } | null} */ (null);
  return { number, count: 0, known: new Map(), touched: new Set(), underWay };
}

/**
 * Runs the trial; `losses` is empty where nothing acknowledged was lost.
 * @param {{ writes: number, kills: number, seed: number, progress?: (line: string) => void }} options
 */
export async function runTrial({ writes, kills, seed, progress = () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), "durability-"));
  const file = join(folder, "state.jsonl");
  const random = createRandom(seed);
  const lanes = Array.from({ length: LANES }, (_, number) => createLane(number));
  const trial = {
    // A fast machine has enough writes before it was killed often enough.
    isWanted: () => trial.writes < writes || found.kills < kills,
    writes: 0,
    killed: false,
    acknowledged: () => {},
  };
  /** @type {{ losses: any[], kills: number, startMs: number[], peakMb: number, peakBytes: number }} */
  const found = { losses: [], kills: 0, startMs: [], peakMb: 0, peakBytes: 0 };
  const gap = Math.max(1, Math.floor(writes / (kills + 1)));
  let running = await start(folder);
  try {
    for (;;) {
      const { child, url, startMs } = running;
      found.startMs.push(Math.round(startMs));
      for (const lane of lanes) {
        const ids = new Set(lane.touched);
        if (lane.underWay?.one !== undefined) ids.add(lane.underWay.one.id);
        found.losses.push(...(await findLosses(url, lane, ids)));
        Object.assign(lane, { touched: new Set(), underWay: null });
      }
      trial.killed = false;
      trial.acknowledged = () => {};
      if (found.kills < kills) armKill(trial, child, random, 1 + Math.floor(random() * gap * 1.6));
      const gone = new Promise((resolve) => child.once("exit", resolve));
      await Promise.all(lanes.map((lane) => runLane(url, lane, random, trial)));
      found.peakMb = Math.max(found.peakMb, peakMemoryOf(child.pid) ?? 0);
      found.peakBytes = Math.max(found.peakBytes, statSync(file).size);
      if (!trial.killed) break;
      await gone;
      found.kills += 1;
      progress(`${found.kills} kills, ${trial.writes} writes`);
      running = await start(folder);
    }
    for (const lane of lanes)
      found.losses.push(...(await findLosses(running.url, lane, lane.known.keys())));
    const gone = new Promise((resolve) => running.child.once("exit", resolve));
    running.child.kill("SIGKILL");
    await gone;
    const again = await start(folder);
    running = again;
    const bytes = statSync(file).size;
    const left = readdirSync(folder).filter(
      (name) => !/^(state\.jsonl(\.lock)?|scenario\.json)$/.test(name),
    );
    return {
      writes: trial.writes,
      deployments: lanes.reduce((sum, { known }) => sum + known.size, 0),
      losses: found.losses,
      left,
      kills: found.kills + 1,
      bytes,
      peakBytes: found.peakBytes,
      peakMb: found.peakMb,
      lastStartMs: Math.round(again.startMs),
      medianStartMs: found.startMs.sort((a, b) => a - b)[Math.floor(found.startMs.length / 2)],
    };
  } finally {
    running.child.removeAllListeners("exit");
    running.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberOf(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seed = numberOf("--seed", 1);
  const given = { writes: numberOf("--writes", 100_000), kills: numberOf("--kills", 200), seed };
  const began = performance.now();
  const progress = (line) => process.stderr.write(`${line}\n`);
  const result = await runTrial({ ...given, progress });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(JSON.stringify({ seed, node: process.version, seconds, ...result }));
  process.exitCode = result.losses.length === 0 && result.left.length === 0 ? 0 : 1;
}
