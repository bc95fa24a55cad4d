import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runEmulator } from "../emulator/run.ts";
import { saveEmulator } from "../ci/background-emulator.ts";
import { setOutputs } from "../ci/runner.ts";
import type { Environment } from "../spec/interpolation.ts";
import type { Session } from "../ci/session.ts";

/** `emulator`: serves until a signal; the URL is the first line of stdout. Returns the exit code. */
export function runEmulatorCommand({ options, signal }: Session): Promise<number> {
  const { port, host, state, scenario, strict } = options;
  const given = {
    // A flag that is absent leaves it to the scenario.
    ...(strict ? { strict } : {}),
    ...(state === undefined ? {} : { state }),
    ...(scenario === undefined ? {} : { scenario }),
  };
  return runEmulator(
    { port, host, ...given },
    {
      out: (line) => {
        process.stdout.write(`${line}\n`);
      },
      err: (line) => {
        process.stderr.write(`${line}\n`);
      },
      signal,
    },
  );
}

const START_MS = 20_000;

/** Flags of the emulator in a job: a step has no inputs for them, so they come from its `env:`. */
const FLAGS: readonly (readonly [variable: string, flag: string])[] = [
  ["AGENT_DEPLOY_EMULATOR_PORT", "--port"],
  ["AGENT_DEPLOY_EMULATOR_SCENARIO", "--scenario"],
  ["AGENT_DEPLOY_EMULATOR_STATE", "--state"],
];

/**
 * `command: emulator` in the Action: starts it in the background; its URL is the output `url`, and
 * the post step stops it. Returns the exit code.
 */
export async function startBackgroundEmulator(env: Environment): Promise<number> {
  const folder = mkdtempSync(join(env["RUNNER_TEMP"] ?? tmpdir(), "agent-deploy-emulator-"));
  const [out, err] = [join(folder, "url"), join(folder, "log")];
  const given = FLAGS.flatMap(([variable, flag]) => {
    const value = env[variable] ?? "";
    return value === "" ? [] : [flag, value];
  });
  const port = given.includes("--port") ? [] : ["--port", "0"];
  const cli = join(dirname(process.argv[1] ?? ""), "cli.js");
  const child = spawn(process.execPath, [cli, "emulator", ...port, ...given], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", openSync(out, "w"), openSync(err, "w")],
    env: { PATH: env["PATH"], HOME: env["HOME"] },
  });
  const isEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (let waited = 0; waited < START_MS && !isEnded(); waited += 50) {
    const [url, ...rest] = readFileSync(out, "utf8").split("\n");
    if (rest.length > 0 && child.pid !== undefined) {
      child.unref();
      saveEmulator({ pid: child.pid, log: err });
      setOutputs({ url: url ?? "", outcome: "started", changed: "false" });
      process.stdout.write(`Started a local emulator at ${url ?? ""}\n`);
      return 0;
    }
    await sleep(50);
  }
  child.kill("SIGKILL");
  const why = readFileSync(err, "utf8").trim();
  process.stdout.write(`::error::the emulator did not start: ${why.replaceAll("\n", "%0A")}\n`);
  return 1;
}
