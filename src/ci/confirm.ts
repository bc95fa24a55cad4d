import { createInterface } from "node:readline/promises";
import { UsageError, type Session } from "./session.ts";

/** Whether somebody sits in front of the run: CI and anything that is not a terminal is never asked. */
function isAnswered({ entryPoint, env }: Session): boolean {
  const isCi = !["", "false"].includes(env["CI"] ?? "");
  return (
    entryPoint === "cli" && !isCi && process.stdin.isTTY === true && process.stderr.isTTY === true
  );
}

/** Asks on a terminal before something is written; anything but yes ends the run. `--yes` answers beforehand. */
export async function confirmOnTerminal(session: Session, question: string): Promise<void> {
  if (session.options.yes || !isAnswered(session)) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once("close", () => {
    closed.abort();
  });
  const signal = AbortSignal.any([session.signal, closed.signal]);
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => "");
    session.signal.throwIfAborted();
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("nothing was done");
  } finally {
    terminal.close();
  }
}
