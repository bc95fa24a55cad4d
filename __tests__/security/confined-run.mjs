// What runs inside the confinement of least-privilege.test.ts: first tries whether it bites, then
// starts the emulator and runs the Action and the command line as a runner would. Prints what it
// saw as JSON on its last line. Argument: a JSON file that says where things lie.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

const { dist, workspace, temp, elsewhere, defaults } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);

function tryWrite(folder) {
  try {
    writeFileSync(join(folder, "agent-deploy-probe"), "");
    return "written";
  } catch (error) {
    return error.code;
  }
}
function tryConnect(host) {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 80, timeout: 3_000 });
    const end = (word) => {
      socket.destroy();
      resolve(word);
    };
    socket
      .once("connect", () => end("connected"))
      .once("timeout", () => end("timeout"))
      .once("error", (error) => end(error.code));
  });
}

const BASE = { PATH: process.env.PATH, HOME: "/nonexistent", RUNNER_TEMP: temp };
function start(args, env) {
  const child = spawn(process.execPath, args, {
    cwd: workspace,
    env: { ...BASE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const done = new Promise((resolve) => {
    child.once("close", (code) => {
      resolve({ code, said });
    });
  });
  return {
    child,
    done,
    firstLine: () =>
      new Promise((resolve) => {
        child.stdout.on("data", () => {
          if (said.includes("\n")) resolve(said.split("\n")[0]);
        });
      }),
  };
}

let steps = 0;
async function action(inputs) {
  steps += 1;
  const commands = join(temp, `_runner_file_commands_${steps}`);
  mkdirSync(commands);
  const file = (name, text = "") => {
    writeFileSync(join(commands, name), text);
    return join(commands, name);
  };
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/agents",
    GITHUB_EVENT_NAME: "push",
    GITHUB_REF: "refs/heads/main",
    GITHUB_SHA: "1".repeat(40),
    GITHUB_RUN_ID: "1",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_ACTION: `step-${steps}`,
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary"),
    GITHUB_STATE: file("state"),
    GITHUB_EVENT_PATH: file("event.json", "{}"),
    ...Object.fromEntries(
      Object.entries({ ...defaults, ...inputs }).map(([name, value]) => [
        `INPUT_${name.toUpperCase()}`,
        value,
      ]),
    ),
  };
  const { code, said } = await start([join(dist, "index.js")], env).done;
  const post = await start([join(dist, "post.js")], env).done;
  return {
    code,
    said,
    post: post.code,
    output: readFileSync(env.GITHUB_OUTPUT, "utf8"),
    summary: readFileSync(env.GITHUB_STEP_SUMMARY, "utf8"),
  };
}

const probes = {
  uid: process.getuid(),
  writes: Object.fromEntries(
    [workspace, dist, ...elsewhere].map((folder) => [folder, tryWrite(folder)]),
  ),
  own: tryWrite(temp),
  connects: {
    "192.0.2.1": await tryConnect("192.0.2.1"),
    "2001:db8::1": await tryConnect("2001:db8::1"),
  },
};
const emulator = start([join(dist, "cli.js"), "emulator", "--port", "0"], {});
const url = await emulator.firstLine();
const inputs = {
  "api-key": "test-key",
  "control-plane-url": url,
  "tracing-url": url,
  "poll-interval": "100ms",
};
const cli = (args) =>
  start([join(dist, "cli.js"), ...args], {
    AGENT_DEPLOY_API_KEY: "test-key",
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    AGENT_DEPLOY_TRACING_URL: url,
  }).done;
const results = { experiment: "rows.json", gate: "m >= 0.01" };
const runs = {
  "Action plan": await action({ ...inputs, command: "plan" }),
  "Action apply": await action({
    ...inputs,
    ...results,
    command: "apply",
    verify: 'test -n "$AGENT_DEPLOY_DEPLOYMENT_ID"',
  }),
  "Action plan again": await action({ ...inputs, command: "plan" }),
  "command line plan": await cli(["plan", "--json"]),
  "command line apply": await cli([
    "apply",
    "--experiment",
    "rows.json",
    "--gate",
    "m >= 0.01",
    "--report-file",
    join(temp, "report.json"),
  ]),
  "command line gate": await cli([
    "gate",
    "rows.json",
    "--gate",
    "m >= 0.01",
    "--write-baseline",
    join(temp, "baseline.json"),
  ]),
  "command line report": await cli(["report", join(temp, "report.json")]),
};
emulator.child.kill("SIGTERM");
await emulator.done;
process.stdout.write(`\n${JSON.stringify({ probes, runs })}\n`);
