// Runs the product of dist/ against its own emulator, one run for every state that a report can have, and keeps what it
// wrote: the Markdown of the comment and the job summary. The gallery and the README's pictures are made of these.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { SCENES } from "./gallery-scenes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const REPOSITORY = "https://git.example.com/acme/agents";
const COMMIT = "c0ffee1".padEnd(40, "0");

const RUNNER = {
  CI: "true",
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "acme/agents",
  GITHUB_ACTOR: "octo",
  GITHUB_REF: "refs/heads/main",
  GITHUB_REF_NAME: "main",
  GITHUB_SHA: COMMIT,
  GITHUB_RUN_ID: "1001",
  GITHUB_RUN_ATTEMPT: "1",
  GITHUB_WORKFLOW: "deploy",
  GITHUB_JOB: "deploy",
  GITHUB_ACTION: "agent-deploy",
  GITHUB_SERVER_URL: "https://git.example.com",
  GITHUB_API_URL: "http://127.0.0.1:1",
  GITHUB_GRAPHQL_URL: "http://127.0.0.1:1/graphql",
  GITHUB_EVENT_NAME: "push",
};

function actionDefaults() {
  const { inputs } = /** @type {{ inputs: Record<string, { default?: string }> }} */ (
    load(readFileSync(join(root, "action.yml"), "utf8"))
  );
  return Object.fromEntries(
    Object.entries(inputs).map(([name, { default: value = "" }]) => {
      if (value === "${{ toJSON(matrix) }}") return [name, "null"];
      return [name, value.startsWith("${{") ? "" : value];
    }),
  );
}

/** Starts the emulator of dist/ and resolves with its URL. */
async function startEmulator(folder, scenario, nodeArgs) {
  writeFileSync(join(folder, "scenario.yml"), JSON.stringify(scenario));
  const args = ["emulator", "--port", "0", "--scenario", "scenario.yml"];
  const child = spawn(process.execPath, [...nodeArgs, join(root, "dist/cli.js"), ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let seen = "";
    child.once("exit", (status) => {
      reject(new Error(`the emulator ended with ${status}`));
    });
    child.stdout.on("data", (chunk) => {
      seen += chunk;
      if (seen.includes("\n")) resolve(seen.slice(0, seen.indexOf("\n")).trim());
    });
  });
  return { url, stop: () => child.kill("SIGTERM") };
}

/** What a scene can do: change the spec, run the Action, talk to the service. */
function createStage(folder, url, nodeArgs) {
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const send = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { "x-api-key": "gallery", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  const start = (inputs = {}, env = {}) => {
    for (const name of ["summary", "output", "state", "env", "path"]) write(`.runner/${name}`, "");
    write(".runner/event.json", JSON.stringify(env.event ?? {}));
    const { event: _, ...more } = env;
    const given = {
      ...actionDefaults(),
      command: "apply",
      "api-key": "gallery",
      "control-plane-url": url,
      "tracing-url": url,
      "poll-interval": "50ms",
      "markdown-file": "comment.md",
      comment: "never",
      ...inputs,
    };
    const child = spawn(process.execPath, [...nodeArgs, join(root, "dist/index.js")], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ...RUNNER,
        GITHUB_WORKSPACE: folder,
        RUNNER_TEMP: join(folder, ".runner"),
        GITHUB_EVENT_PATH: join(folder, ".runner/event.json"),
        GITHUB_OUTPUT: join(folder, ".runner/output"),
        GITHUB_STEP_SUMMARY: join(folder, ".runner/summary"),
        GITHUB_STATE: join(folder, ".runner/state"),
        ...Object.fromEntries(
          Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
        ),
        ...more,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    let wake = () => {};
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        log += chunk;
        wake();
      });
    const done = new Promise((resolve) => {
      child.once("close", (code) => {
        const read = (name) => {
          try {
            return readFileSync(join(folder, name), "utf8");
          } catch {
            return "";
          }
        };
        resolve({ code, log, comment: read("comment.md"), summary: read(".runner/summary") });
      });
    });
    const until = async (pattern) => {
      while (!pattern.test(log))
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
    };
    return { done, until, kill: (signal) => child.kill(signal) };
  };
  return { folder, url, write, send, start, run: (inputs, env) => start(inputs, env).done };
}

/** Plays one scene and resolves with what its last run left; `nodeArgs` come before each script. */
export async function playScene(name, nodeArgs = []) {
  const { scenario = {}, play } = SCENES[name];
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-scene-"));
  const emulator = await startEmulator(folder, { limits: "off", ...scenario }, nodeArgs);
  try {
    const stage = createStage(folder, emulator.url, nodeArgs);
    await stage.send("POST", "/_emulator/push", {
      repo_url: REPOSITORY,
      ref: "main",
      commit: COMMIT,
    });
    return await play(stage);
  } finally {
    emulator.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The text with what differs from run to run made equal: ids in the order in which they appear, times, ports. */
export function normalize(text) {
  const ids = [];
  const number = (id) => {
    const short = id.slice(0, 8);
    if (!ids.includes(short)) ids.push(short);
    return ids.indexOf(short) + 1;
  };
  // In the order in which they appear, short or whole.
  for (const [id] of text.matchAll(/\b[0-9a-f]{8}(?=-[0-9a-f]{4}-)|(?<=`)[0-9a-f]{8}(?=`)/g))
    number(id);
  return text
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
      const digit = number(id).toString(16).padStart(2, "0");
      return `${digit.repeat(4)}-0000-4000-8000-000000000000`;
    })
    .replace(
      /`[0-9a-f]{8}`/g,
      (quoted) => `\`${number(quoted.slice(1, -1)).toString(16).padStart(2, "0").repeat(4)}\``,
    )
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1")
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-03-04 09:40 UTC")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-03-04T09:40:00Z");
}

/**
 * A page without what differs from run to run: how long anything took, which phases a look met on the way, and the plan's
 * fingerprint, which holds the address of the service.
 */
export const toSteady = (markdown) =>
  markdown
    .replace(/( · (?:queued|build|deploy|the rest) [\d hms]+s(?: ✗)?)+(?= · |<)/g, "")
    .replace(/plan `[0-9a-f]{12}`/g, "plan")
    .replace(/ · took [\d hms]+s/g, "")
    .replace(/^(?:queued|build|deploy|the rest) .*\n/gm, "")
    .replace(/^.* :(?:done|active), \d+, \d+\n/gm, "")
    .replace(/^(.*?) [\d hms]+s FAILED :crit, \d+, \d+$/gm, "$1 FAILED")
    .replace(/(title \d+ deployments, ).*/g, "$1")
    .replace(/\b\d+(?: m)?(?:&nbsp;| )(?:ms|s|m)\b/g, "some time");

/** What a scene leaves on its page of the gallery. */
export async function writePage(name, nodeArgs) {
  const { comment, summary } = await playScene(name, nodeArgs);
  return normalize(SCENES[name].summary === true ? summary : comment);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SCENES);
  for (const name of names) {
    const { comment, log, summary } = await playScene(name);
    console.log(`===== ${name}\n${comment === "" ? summary || log : comment}`);
    if (process.env.LOG) console.log(`----- log\n${log}`);
  }
}
