import { Readable, Writable } from "node:stream";
import type { Finished } from "./child.ts";

/** What an entry point of src/ is given instead of a process of its own. */
interface Played {
  /** The script of dist/ that it stands for, and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an entry point of src/ in the test's own process, with the call, folder, environment and streams of a process; one
 * at a time. For the rows of a table whose wiring a spawned run shows: it costs a tenth of a process.
 */
export function play(entry: () => Promise<void>, given: Played): Promise<Finished> {
  const mine = last.then(() => playNow(entry, given));
  last = mine.catch(() => undefined);
  return mine;
}

async function playNow(entry: () => Promise<void>, { argv, cwd, env }: Played): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr"): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text: string | Uint8Array, _, done) => {
        printed[name] += text.toString();
        done();
      },
    });
  const restore = replace({
    argv: [process.execPath, ...argv],
    env: { ...env },
    stdin: Readable.from([]),
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  const folder = process.cwd();
  process.chdir(cwd);
  try {
    await entry();
    return { code: Number(process.exitCode ?? 0), signal: null, ...printed };
  } finally {
    process.exitCode = undefined;
    process.chdir(folder);
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    restore();
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
