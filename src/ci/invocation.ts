import { realpathSync } from "node:fs";
import { basename, dirname, relative } from "node:path";

/**
 * How this program was called from a folder, for lines that can be pasted: `agent-deploy` where it
 * is installed, else node and the script.
 */
export function calledAs(cwd: string): string {
  const script = process.argv[1] ?? "";
  return basename(script) === "cli.js" ? `node ${relative(cwd, script)}` : "agent-deploy";
}

/** Whether a folder is the checkout that this program runs from. */
export function isOwnCheckout(cwd: string): boolean {
  const script = process.argv[1] ?? "";
  return basename(script) === "cli.js" && dirname(dirname(realpathSync(script))) === cwd;
}
