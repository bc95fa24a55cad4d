import { createInterface } from "node:readline/promises";
import { isCi } from "./ci-system.ts";
import { UsageError, type Session } from "./session.ts";

/** Whether a person can answer: never in CI, and only on a terminal. */
function isAnswered({ entryPoint, env }: Session): boolean {
  return (
    entryPoint === "cli" &&
    !isCi(env) &&
    process.stdin.isTTY === true &&
    process.stderr.isTTY === true
  );
}

/** Asks on a terminal before anything is written; any answer but yes ends the run. `--yes` answers in advance. */
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
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("cancelled; no changes made");
  } finally {
    terminal.close();
  }
}
