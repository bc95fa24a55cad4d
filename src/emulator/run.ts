import { once } from "node:events";
import { openJournal } from "./state/journal.ts";
import { parseScenario, readTextFile, ScenarioError } from "./control/scenario.ts";
import type { Emulator } from "./emulator.ts";
import type { EmulatorOptions } from "./options.ts";
import { startEmulator } from "./server.ts";

/** The flags of `agent-deploy emulator`. */
export interface RunOptions {
  /** 0: any free port. */
  readonly port?: number;
  /** Default loopback; anything else is reachable by others. */
  readonly host?: string;
  /** File that keeps the state across restarts. */
  readonly state?: string;
  /** YAML file of options. */
  readonly scenario?: string;
  readonly strict?: boolean;
}

/** Where a run prints, and what ends it. */
export interface RunPort {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Phases on the command line take seconds, so that a person can watch them. */
const TIME_SCALE = 25;

/**
 * Serves until the signal aborts; prints the URL first. Returns the exit code: 0, or 2 if the
 * scenario, the state file or the address cannot be used (the reason is on `err`).
 */
export async function runEmulator(options: RunOptions, io: RunPort): Promise<number> {
  try {
    const scenario = options.scenario === undefined ? {} : readScenario(options.scenario);
    const kept = options.state === undefined ? undefined : openJournal(options.state);
    const server = await startEmulator(
      {
        timeScale: TIME_SCALE,
        limits: "on",
        ...scenario,
        port: options.port ?? 0,
        ...(options.host === undefined ? {} : { host: options.host }),
        ...(options.strict === undefined ? {} : { strict: options.strict }),
      },
      kept,
    );
    io.out(server.url);
    const keys = server.emulator.settings().apiKeys;
    io.err(
      `${keys === null ? "any X-Api-Key is taken; " : ""}requests are logged at /_emulator/requests; the URL is a page to look inside`,
    );
    io.err(
      `in another terminal: export AGENT_DEPLOY_API_KEY=${keys === null ? "any" : "…"} AGENT_DEPLOY_CONTROL_PLANE_URL=${server.url}`,
    );
    io.err("it does not read your repository: report each commit with POST /_emulator/push");
    if (keys === null && !isLoopback(options.host ?? "127.0.0.1"))
      io.err(
        `warning: ${options.host} can be reached by others, and any key is taken: list apiKeys in a scenario, or leave out --host`,
      );
    if (server.emulator.ignoresSeed())
      io.err(
        `the seed has changed since ${options.state} was made and is not used: the file keeps what it holds. To start from the new seed, delete the file or POST /_emulator/reset`,
      );
    if (!io.signal.aborted) await once(io.signal, "abort");
    for (const line of unmetFaults(server.emulator)) io.err(line);
    await server.close();
    return 0;
  } catch (error) {
    io.err(
      error instanceof ScenarioError ? error.message : `emulator: ${toReason(error, options)}`,
    );
    return 2;
  }
}

const isLoopback = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

/** One line for every fault that never occurred: most often its route or count is not what was meant. */
function unmetFaults(emulator: Emulator): readonly string[] {
  return emulator
    .faults()
    .filter(({ met }) => met === 0)
    .map(({ route, kind, nth, calls }) => {
      const from = nth === undefined ? "" : ` from call ${nth} on`;
      return `fault never met: ${route} ${kind}${from}; the route was called ${calls} times`;
    });
}

function readScenario(path: string): EmulatorOptions {
  const toError = (why: string) => new Error(`the scenario file ${path} ${why}; check --scenario`);
  return parseScenario(readTextFile(path, toError), path);
}

function toReason(
  error: unknown,
  { host = "127.0.0.1", port = 0, state = "" }: RunOptions,
): string {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (code === "ENOENT") return `the folder of the state file ${state} does not exist: make it`;
  if (code === "ENOSPC")
    return `the disk of the state file ${state} is full: free some space, or give another file`;
  if (["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"].includes(code ?? ""))
    return `${host} is not an address of this machine: give one with --host, such as 127.0.0.1`;
  if (code === "EADDRINUSE")
    return `port ${port} of ${host} is taken: give another with --port, or 0 for any free one`;
  if (code === "EACCES" && port > 0 && port < 1024)
    return `port ${port} is not for every user: give one from 1024 on with --port, or 0 for any free one`;
  return message;
}
