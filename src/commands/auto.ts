import type { Command } from "../cli/command-table.ts";

/** What `auto` means on an event. */
export function resolveAuto(command: Command, event: string): Command {
  if (command !== "auto") return command;
  return event === "pull_request" || event === "merge_group" ? "plan" : "apply";
}
