import { isObject, parseJson } from "../model/json.ts";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { saveState } from "@actions/core";
import type { Environment } from "../spec/interpolation.ts";

const STATE = "agent_deploy_emulator";

/** Records the process for the post step to stop; `log` is the file that receives its stderr. */
export function saveEmulator(emulator: { readonly pid: number; readonly log: string }): void {
  saveState(STATE, JSON.stringify(emulator));
}

/** Stops the emulator of this step; returns its faults that never occurred, or null if none was started. */
export async function stopEmulator(env: Environment): Promise<readonly string[] | null> {
  const read = parseJson(env[`STATE_${STATE}`] ?? "");
  if (!isObject(read)) return null; // No emulator was started.
  const { pid, log } = read;
  if (typeof pid !== "number" || pid <= 1 || typeof log !== "string") return null;
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false; // It has ended.
    }
  };
  send("SIGTERM");
  for (let waited = 0; waited < 5000 && send(0); waited += 50) await sleep(50);
  const text = await readFile(log, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line.startsWith("fault never met"));
}
