import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { refuseLeaks, shownLog } from "./leak-guard.ts";

/**
 * The node binary that runs what is under test; NODE_UNDER_TEST chooses another version than the
 * one that runs the tests.
 */
export const nodeUnderTest = process.env["NODE_UNDER_TEST"] ?? process.execPath;

/** The PATH of the tests, for what they run. */
export const path = process.env["PATH"] ?? "";

/**
 * What comes before a script of dist/ to start it with kept code, see code-cache.cjs; nothing under RUNS=spawned, where
 * each run starts as a runner starts it.
 */
export const keptCode: readonly string[] =
  process.env["RUNS"] === "spawned" ? [] : ["-r", join(import.meta.dirname, "code-cache.cjs")];

export interface Finished {
  /** Exit code; null where a signal ended the process. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcess;
  /**
   * Resolves with the match when stdout or stderr matches; rejects with everything printed when the
   * process ends first.
   */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly done: Promise<Finished>;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /**
   * Why this one may print what its environment keeps secret; without it `done` rejects with the
   * names of the variables that leaked.
   */
  readonly mayLeak?: string;
}

/** Starts a program with exactly the given environment. */
export function startChild(command: string, args: readonly string[], options: ChildOptions): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      for (const watch of watchers) watch();
    });
  }
  child.stdin.on("error", () => {
    /* the program may end without reading */
  });
  child.stdin.end(options.stdin ?? "");
  const done = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, ...printed });
    });
  }).then((finished) => {
    if (options.mayLeak === undefined)
      refuseLeaks(options.env, { stdout: shownLog(finished), stderr: finished.stderr });
    return finished;
  });
  const until: Child["until"] = (pattern) =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        const match = pattern.exec(printed.stdout + printed.stderr);
        if (match === null) return;
        watchers.delete(watch);
        resolve(match);
      };
      watchers.add(watch);
      watch();
      void done.then(() => {
        reject(
          new Error(`ended before ${pattern} was printed:\n${printed.stdout}${printed.stderr}`),
        );
      }, reject);
    });
  return { process: child, until, done };
}
