import type { Session } from "./session.ts";

/** Commands that upload, and so can store an acceptance with what they upload. */
const UPLOADING = ["upload", "apply"];

/** Whether a person accepts this run as it is: it becomes the baseline, and its gates make nothing red. */
export function isAccepting({ options, command }: Pick<Session, "options" | "command">): boolean {
  if (!options.acceptBaseline) return false;
  if (options.writeBaseline !== undefined) return true;
  const stored = (options.baseline ?? "").trim().startsWith("experiment:");
  return stored && UPLOADING.includes(command) && !options.dryRun;
}
