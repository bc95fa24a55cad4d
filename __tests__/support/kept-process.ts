import type { Finished } from "./child.ts";

declare global {
  /** See kept-pool.mjs: the environment of a file of tests hands over that of its worker. */
  var runInKeptProcess: (given: Given) => Promise<Finished>;
}

/** A run of a script of dist/: the script with its arguments, its folder and its environment. */
export interface Given {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What Node itself reads, once, when a process starts. */
const OF_NODE = /^(NODE_|SSL_|UV_|TZ$|LANG$|LC_)/;

/** Whether a run may follow others in their process. RUNS=spawned gives each a process of its own, as a runner does. */
export const isKept = ({ env }: Given): boolean =>
  process.env["RUNS"] !== "spawned" && !Object.keys(env).some((name) => OF_NODE.test(name));

/** Runs a script of dist/ to its end in a process that ran others before, or will: a ninth of what a process costs. */
export async function runKept(given: Given): Promise<Finished> {
  return { ...(await globalThis.runInKeptProcess(given)) };
}
