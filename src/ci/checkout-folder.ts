import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep, basename, relative } from "node:path";

const MAGIC = /[*?[\]{}!]/;

/** The folders from one up to another, or up to the root of the file system. */
function* upwards(from: string, to?: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder;
    if (folder === to || folder === dirname(folder)) return;
  }
}

const holdsGit = (folder: string): boolean => existsSync(join(folder, ".git"));

/** Whether the folder is inside a git repository. */
export function holdsCheckout(folder: string): boolean {
  return [...upwards(folder)].some(holdsGit);
}

/** The top of the checkout that contains the folder; the folder itself if there is none. */
export function findCheckoutTop(folder: string): string {
  return [...upwards(folder)].find(holdsGit) ?? folder;
}

/**
 * Where to run git: the workspace if it is in a checkout; else the checkout below it that contains
 * one of the files (`actions/checkout` with `path:`); else the workspace.
 */
export function findCheckoutFolder(root: string, files: readonly string[]): string {
  if (holdsCheckout(root)) return root;
  for (const file of files) {
    const magic = file.search(MAGIC);
    const folder = dirname(resolve(root, magic === -1 ? file : `${file.slice(0, magic)}x`));
    if (!folder.startsWith(root + sep)) continue;
    const found = [...upwards(folder, root)].find(holdsGit);
    if (found !== undefined) return found;
  }
  return root;
}

/**
 * How to call this program from a folder, for lines to paste: `agent-deploy` if it is installed,
 * else node and the script.
 */
export function calledAs(cwd: string): string {
  const script = process.argv[1] ?? "";
  return basename(script) === "cli.js" ? `node ${relative(cwd, script)}` : "agent-deploy";
}

/** Whether a folder is the checkout that contains this program. */
export function isOwnCheckout(cwd: string): boolean {
  const script = process.argv[1] ?? "";
  return basename(script) === "cli.js" && dirname(dirname(realpathSync(script))) === cwd;
}
