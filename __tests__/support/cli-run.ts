import { join } from "node:path";
import { keptCode, nodeUnderTest, startChild, type Child, type Finished } from "./child.ts";
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
  const workspace = options.workspace ?? createTree();
  const env = { PATH: process.env["PATH"] ?? "", HOME: workspace.path, ...options.env };
  return startChild(nodeUnderTest, [...keptCode, join(repositoryRoot, "dist", "cli.js"), ...args], {
    cwd: workspace.path,
    env,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.mayLeak === undefined ? {} : { mayLeak: options.mayLeak }),
  });
}

/** Runs `agent-deploy` to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  return startCli(args, options).done;
}
