import { Readable, Writable } from "node:stream";
import type { Finished } from "./child.ts";

/** What an entry point of src/ is given instead of a process of its own. */
interface Played {
  /** The script of dist/ whose place it takes, and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const folder = process.cwd();
let isPlaying = false;

/**
 * Whether the next run is played by src/ instead of spawned: only where RUNS=played asks for it, as the sampler of
 * mutants does, which changes src/ and builds nothing. One is played at a time: a run that starts meanwhile is spawned.
 */
export function isPlayed(): boolean {
  if (isPlaying || process.env["RUNS"] !== "played") return false;
  isPlaying = true;
  return true;
}

/**
 * Runs an entry point of src/ in the test's own process, with the call, folder, environment and streams of a process: a
 * tenth of what a process costs.
 */
export async function play(
  load: () => Promise<() => Promise<void>>,
  { argv, cwd, env }: Played,
): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr"): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text: string | Uint8Array, _, done) => {
        printed[name] += text.toString();
        done();
      },
    });
  const entry = await load();
  const restore = replace({
    argv: [process.execPath, ...argv],
    env: { ...env },
    stdin: Readable.from([]),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  process.chdir(cwd);
  try {
    await entry();
    return { code: Number(process.exitCode ?? 0), signal: null, ...printed };
  } finally {
    process.exitCode = undefined;
    process.chdir(folder);
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    restore();
    isPlaying = false;
  }
}

/** Puts others in the place of members of `process`; the result puts those back. */
function replace(members: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(members).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const,
  );
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) Object.defineProperty(process, name, descriptor);
  };
}
