// The processes in which runs of dist/ follow one another, of one worker of Jest: they outlive the files of tests, so
// that a file pays for no start of its own. What a run leaves is taken back by kept-process.cjs.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const ARGS = ["-r", fileOf("code-cache.cjs"), fileOf("kept-process.cjs")];

/** Runs of one process: each leaves it 1.5 MB larger. */
const MAX_RUNS = 100;

/** Processes that wait for a run, and all that are there, with the number of their runs. */
const idle = [];
const open = new Map();

/** An idle process keeps neither the worker alive nor a file of tests from its end; it ends when the worker does. */
function hold(child, isBusy) {
  for (const held of [child, child.channel, child.stdout, child.stderr])
    if (isBusy) held?.ref();
    else held?.unref();
}

function start() {
  const child = spawn(process.env.NODE_UNDER_TEST ?? process.execPath, ARGS, {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  child.stdin?.end();
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8");
  open.set(child, 0);
  child.once("exit", () => {
    open.delete(child);
    if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
  });
  return child;
}

function leave(child) {
  hold(child, false);
  if (open.get(child) < MAX_RUNS) idle.push(child);
  else child.disconnect();
}

/** Runs a script of dist/ to its end in a process that ran others before, or will: a ninth of what a process costs. */
export function runKept(given) {
  const child = idle.pop() ?? start();
  open.set(child, open.get(child) + 1);
  hold(child, true);
  const mark = `\0${randomUUID()}`;
  const printed = { stdout: "", stderr: "" };
  let ended;
  return new Promise((resolve) => {
    const finish = (finished) => {
      for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners("data");
      for (const name of ["message", "close"]) child.removeAllListeners(name);
      resolve(finished);
    };
    // The text and the message come by ways of their own.
    const finishWithMarks = () => {
      const { stdout, stderr } = printed;
      if (ended === undefined || !stdout.endsWith(mark) || !stderr.endsWith(mark)) return;
      leave(child);
      const unmarked = {
        stdout: stdout.slice(0, -mark.length),
        stderr: stderr.slice(0, -mark.length),
      };
      finish({ ...ended, signal: null, ...unmarked });
    };
    for (const name of ["stdout", "stderr"])
      child[name].on("data", (text) => {
        printed[name] += text;
        finishWithMarks();
      });
    child.on("message", (message) => {
      ended = message;
      finishWithMarks();
    });
    // `process.exit`, and an error that nobody caught.
    child.once("close", (code, signal) => {
      finish({ code, signal, ...printed });
    });
    child.send({ ...given, mark });
  });
}

/** Ends the processes whose runs a file of tests has left. */
export function endBusy() {
  for (const child of open.keys()) if (!idle.includes(child)) child.kill("SIGKILL");
}
