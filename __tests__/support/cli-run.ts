import { join } from "node:path";
import { keptCode, nodeUnderTest, path, startChild, type Child, type Finished } from "./child.ts";
import { isKept, runKept } from "./kept-process.ts";
import { refuseLeaks, shownLog } from "./leak-guard.ts";
import { isPlayed, play } from "./played.ts";
import { createTree, repositoryRoot, type Tree } from "./tree.ts";

export interface CliOptions {
  /** Current directory of the run; a new empty folder when absent. */
  readonly workspace?: Tree;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** See ChildOptions. */
  readonly mayLeak?: string;
}

/**
 * Starts `agent-deploy` with nothing but PATH, HOME and what is given in its environment; for runs
 * that a test interrupts or leaves running.
 */
export function startCli(args: readonly string[], options: CliOptions = {}): Child {
  const given = givenTo(args, options);
  return startChild(nodeUnderTest, [...keptCode, ...given.argv], {
    ...given,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.mayLeak === undefined ? {} : { mayLeak: options.mayLeak }),
  });
}

/** The script with its arguments, its folder and its environment. */
function givenTo(args: readonly string[], { workspace = createTree(), env }: CliOptions) {
  return {
    argv: [join(repositoryRoot, "dist", "cli.js"), ...args],
    cwd: workspace.path,
    env: { PATH: path, HOME: workspace.path, ...env },
  };
}

/** Runs `agent-deploy` to its end, see `runKept`; RUNS=played plays that of src/, see `play`. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  const given = givenTo(args, options);
  const isPlain = options.stdin === undefined;
  const isToPlay = isPlain && isPlayed();
  if (!isToPlay && !(isPlain && isKept(given))) return startCli(args, options).done;
  const finished = isToPlay
    ? await play(async () => (await import("../../src/entry/cli.ts")).run, given)
    : await runKept(given);
  if (options.mayLeak === undefined)
    refuseLeaks(given.env, { stdout: shownLog(finished), stderr: finished.stderr });
  return finished;
}
