import { readFile } from "node:fs/promises";

/**
 * The payload of GITHUB_EVENT_PATH, parsed; null where there is none, or none that can be read: the
 * variables tell the rest. Not trusted to have a shape.
 */
export async function readEvent(path: string | undefined): Promise<unknown> {
  if (path === undefined || path === "") return null;
  try {
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch {
    return null;
  }
}
