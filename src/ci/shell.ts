import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { limitTime } from "../clock.ts";
import type { Shell } from "../deploy/context.ts";
import type { Environment } from "../spec/interpolation.ts";

const IS_WINDOWS = process.platform === "win32";
const TAIL_LINES = 40;
const MAX_LINE_CHARS = 4_000;
/** The rest of a longer line is dropped. */
const MAX_REDACTED_CHARS = 256 * 1024;
/** How long a script may take to end after its time limit or a cancel. */
const GRACE_MS = 2_000;

/** Variables that carry keys and tokens to the tool or the runner; scripts never get them. */
const KEYS = new Set([
  "AGENT_DEPLOY_API_KEY",
  "AGENT_DEPLOY_BEARER_TOKEN",
  "LANGSMITH_API_KEY",
  "LANGCHAIN_API_KEY",
  "LANGGRAPH_HOST_API_KEY",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "ACTIONS_RESULTS_TOKEN",
  "CI_JOB_TOKEN",
]);

/** The step's environment without inputs, keys, tokens, and variables that contain one of `secrets`. */
export function toScriptEnvironment(
  env: Environment,
  secrets: readonly string[],
): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name.startsWith("INPUT_") || KEYS.has(name)) continue;
    if (secrets.some((secret) => secret !== "" && value.includes(secret))) continue;
    out[name] = value;
  }
  return out;
}

/** Runs scripts with `bash -c` in their own process group, so that stopping one reaches its children. */
export function createShell({
  env,
  cwd,
  redact = (text) => text,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly redact?: (text: string) => string;
}): Shell {
  return {
    run: (script, options) => {
      const child = spawn("bash", ["-c", script], {
        cwd,
        env: { ...env, ...options.env },
        // Windows has no process groups and opens a window for a detached process.
        detached: !IS_WINDOWS,
        windowsHide: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      return follow(child, options, redact);
    },
  };
}

function killAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (IS_WINDOWS)
      spawn("taskkill", ["/pid", String(pid), "/t", "/f"]).on("error", () => undefined);
    else process.kill(-pid!, signal);
  } catch {
    /* it has ended */
  }
}

/** Keeps a child's last lines until it ends; a time limit or an abort stops it. */
function follow(
  child: ChildProcessByStdio<null, Readable, Readable>,
  { timeoutMs, signal, onLine }: Parameters<Shell["run"]>[1],
  redact: (text: string) => string,
): ReturnType<Shell["run"]> {
  return new Promise((resolve, reject) => {
    const tail: string[] = [];
    const limit = limitTime(timeoutMs, [signal]);
    const endGroup = (): void => {
      killAll(child, "SIGTERM");
      setTimeout(() => killAll(child, "SIGKILL"), GRACE_MS).unref();
    };
    limit.signal.addEventListener("abort", endGroup);
    if (signal.aborted) endGroup();
    const done = (): void => {
      limit.clear();
      limit.signal.removeEventListener("abort", endGroup);
    };
    const keep = (whole: string): void => {
      // Redact before cutting: half a secret would no longer be recognised.
      const line = redact(whole).slice(0, MAX_LINE_CHARS);
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine(line);
    };
    for (const stream of [child.stdout, child.stderr]) readLines(stream, keep);
    child.on("error", (error) => {
      done();
      reject(new Error(whyNotStarted(error)));
    });
    const end = (code: number | null, killedBy: NodeJS.Signals | null): void => {
      done();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ exitCode: limit.signal.aborted ? null : toExitCode(code, killedBy), tail });
    };
    child.on("close", end);
    child.on("exit", (code, killedBy) => {
      // Processes left by the script keep its output open: stop them, and do not wait for one that escapes.
      endGroup();
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        end(code, killedBy);
      }, 2 * GRACE_MS).unref();
    });
  });
}

/** As shells count: 128 plus the number of the signal that killed it. */
function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function whyNotStarted(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT"
    ? "verify needs bash, which is not on the PATH; install it (on Windows with Git), or check the deployment in a step of its own"
    : `verify: bash could not be started: ${error.message}`;
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  /** Whether the current line was already reported, so that its rest is dropped. */
  let cut = false;
  const end = (line: string): void => {
    if (!cut) onLine(line.slice(0, MAX_REDACTED_CHARS));
    cut = false;
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) end(line);
    if (!cut && rest.length > MAX_REDACTED_CHARS) {
      onLine(rest.slice(0, MAX_REDACTED_CHARS));
      cut = true;
    }
    if (cut) rest = "";
  });
  stream.on("end", () => {
    if (rest !== "") end(rest);
  });
}
