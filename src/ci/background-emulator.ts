import { isObject, parseJson } from "../model/json.ts";
import { readFileSync } from "node:fs";
import { saveState } from "@actions/core";

const STATE = "agent_deploy_emulator";

/** An emulator that a step started in the background of the job. */
interface BackgroundEmulator {
  readonly pid: number;
  /** File that receives its stderr. */
  readonly log: string;
}

/** Records the process for the post step to stop. */
export function saveEmulator(emulator: BackgroundEmulator): void {
  saveState(STATE, JSON.stringify(emulator));
}

function readSaved(saved: string | undefined): BackgroundEmulator | null {
  const read = parseJson(saved ?? "");
  if (!isObject(read)) return null; // No emulator was started.
  const { pid, log } = read;
  return typeof pid === "number" && pid > 1 && typeof log === "string" ? { pid, log } : null;
}

/**
 * Stops the emulator of this step and returns its report, such as faults that never occurred; null
 * if none was started.
 */
export async function stopEmulator(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[] | null> {
  const saved = readSaved(env[`STATE_${STATE}`]);
  if (saved === null) return null;
  const alive = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(saved.pid, signal);
    } catch {
      return false;
    }
  };
  alive("SIGTERM");
  for (let waited = 0; waited < 5000 && alive(0); waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  try {
    return readFileSync(saved.log, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("fault never met"));
  } catch {
    return [];
  }
}
