import { readFileSync } from "node:fs";

/**
 * The payload of GITHUB_EVENT_PATH, parsed; null where there is none, or none that can be read: the
 * variables tell the rest. Not trusted to have a shape.
 */
export function readEvent(path: string | undefined): unknown {
  if (path === undefined || path === "") return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    return null;
  }
}
