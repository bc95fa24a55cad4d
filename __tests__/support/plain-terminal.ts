import { systemClock } from "../../src/clock.ts";
import type { TerminalHostSetup } from "../../src/ci/terminal.ts";

/** A command line whose output goes to files: no colours, no wrapping, nothing drawn. */
export const PLAIN_TERMINAL: Omit<TerminalHostSetup, "stdout" | "stderr" | "redactor"> = {
  isTTY: false,
  clock: systemClock,
  columns: () => Infinity,
  reportColumns: Infinity,
  color: false,
  reportColor: false,
  output: "text",
  ci: "terminal",
  streamLogs: false,
  quiet: false,
};
