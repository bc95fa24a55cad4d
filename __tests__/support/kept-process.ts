import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import { keptCode, nodeUnderTest, path, type Finished } from "./child.ts";

const SCRIPT = join(import.meta.dirname, "kept-process.cjs");

/** A run of a script of dist/: the script with its arguments, its folder and its environment. */
export interface Given {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What Node itself reads, once, when a process starts. */
const OF_NODE = /^(NODE_|SSL_|UV_|TZ$|LANG$|LC_)/;

/**
 * Whether a run may follow others in their process. RUNS=spawned gives each a process of its own, as a runner does; so
 * does NODE_UNDER_TEST.
 */
export const isKept = ({ env }: Given): boolean =>
  process.env["RUNS"] !== "spawned" &&
  process.env["NODE_UNDER_TEST"] === undefined &&
  !Object.keys(env).some((name) => OF_NODE.test(name));

/** Runs of one process: each leaves it 1.5 MB larger. */
const MAX_RUNS = 100;

/** Processes of this file of tests: those that wait for a run, and all that are there, with the number of their runs. */
const idle: ChildProcess[] = [];
const open = new Map<ChildProcess, number>();

afterAll(async () => {
  // No `close` comes where the parent has ended the channel.
  const exits = [...open.keys()].map((child) => once(child, "exit"));
  for (const child of open.keys()) {
    if (idle.includes(child)) child.disconnect();
    else child.kill("SIGKILL");
  }
  await Promise.all(exits);
});

function start(): ChildProcess {
  const child = spawn(nodeUnderTest, [...keptCode, SCRIPT], {
    env: { PATH: path },
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  child.stdin!.end();
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding("utf8");
  open.set(child, 0);
  child.once("exit", () => open.delete(child));
  return child;
}

/** Runs a script of dist/ to its end in a process that ran others before, or will: a ninth of what a process costs. */
export function runKept(given: Given): Promise<Finished> {
  const child = idle.pop() ?? start();
  const runs = open.get(child)! + 1;
  open.set(child, runs);
  const mark = `\0${randomUUID()}`;
  const printed = { stdout: "", stderr: "" };
  let ended: { readonly code: number } | undefined;
  return new Promise((resolve) => {
    const finish = (finished: Finished): void => {
      for (const emitter of [child.stdout!, child.stderr!]) emitter.removeAllListeners("data");
      for (const name of ["message", "close"]) child.removeAllListeners(name);
      resolve(finished);
    };
    // The text and the message come by ways of their own.
    const finishWithMarks = (): void => {
      const { stdout, stderr } = printed;
      if (ended === undefined || !stdout.endsWith(mark) || !stderr.endsWith(mark)) return;
      if (runs < MAX_RUNS) idle.push(child);
      else child.disconnect();
      const unmarked = {
        stdout: stdout.slice(0, -mark.length),
        stderr: stderr.slice(0, -mark.length),
      };
      finish({ ...ended, signal: null, ...unmarked });
    };
    for (const name of ["stdout", "stderr"] as const)
      child[name]!.on("data", (text: string) => {
        printed[name] += text;
        finishWithMarks();
      });
    child.on("message", (message) => {
      ended = message as { code: number };
      finishWithMarks();
    });
    // `process.exit`, and an error that nobody caught.
    child.once("close", (code, signal) => {
      finish({ code, signal, ...printed });
    });
    child.send({ ...given, mark });
  });
}
