import type { Dirent } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import {
  parseDockerignore,
  parseGitignore,
  type DockerRules,
  type GitRules,
} from "./ignore-rules.ts";

/** A regular file to be packed, as it was when found. */
export interface FoundFile {
  /** From the root of the archive, with `/`. */
  readonly path: string;
  /** Its path on this machine. */
  readonly file: string;
  readonly bytes: number;
  readonly executable: boolean;
}

/** The result of walking the checkout. */
export interface Tree {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Paths that are never packed because of their name. */
  readonly never: readonly string[];
  /** Paths that are packed although a .gitignore matches them, since git tracks them. */
  readonly tracked: readonly string[];
  /** Whether a .gitignore left anything out. */
  readonly ignores: boolean;
  /** Links and other special files, which are not packed either. */
  readonly special: readonly string[];
  /** Why the tree is refused; empty if it is accepted. */
  readonly problems: readonly string[];
}

/** Where to walk. */
export interface TreeRequest {
  /** Root of the archive, with links resolved. */
  readonly root: string;
  /** Folders to pack, at or below the root. */
  readonly folders: readonly string[];
  /** Top of the repository: the folder of the first .gitignore that applies. */
  readonly top: string;
  /** Our own files: the spec, reports. */
  readonly ours: ReadonlySet<string>;
  /** Files that git tracks, as paths on this machine: a .gitignore leaves out only untracked files. */
  readonly tracked: readonly string[];
  readonly signal: AbortSignal;
}

/** Never packed, at any depth: history, environments, installed packages. */
const NEVER = new Set([".git", "node_modules", ".venv", "__pycache__"]);
/** These say what to leave out, and are left out themselves: a new line in one changes nothing that runs. */
const IGNORE_FILES = new Set([".gitignore", ".dockerignore"]);
/** Ignore files are written by people. */
const MAX_IGNORE_BYTES = 1024 * 1024;
/** No agent has more files: a larger tree contains a dataset or a cache. */
const MAX_FILES = 200_000;
/** Linux opens no longer path (PATH_MAX). */
const MAX_PATH_BYTES = 4096;
/** How many problems are listed. */
const MAX_PROBLEMS = 20;

interface Scope {
  readonly base: string;
  readonly rules: GitRules;
}

/** A folder to walk; one that is ignored is entered for its tracked files only. */
interface OpenFolder {
  readonly folder: string;
  readonly scopes: readonly Scope[];
  readonly isIgnored: boolean;
}

interface Walk extends Omit<TreeRequest, "tracked"> {
  readonly files: FoundFile[];
  readonly never: string[];
  /** The tracked files, and every folder that holds one. */
  readonly tracked: ReadonlySet<string>;
  readonly takenBack: string[];
  ignores: boolean;
  readonly special: string[];
  readonly problems: string[];
  readonly docker: DockerRules | null;
  readonly modules: ReadonlySet<string>;
}

async function readRules(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name);
  const about = await lstat(path).catch(() => null);
  if (about === null || !about.isFile() || about.size > MAX_IGNORE_BYTES) return null;
  return readFile(path, "utf8").catch(() => null);
}

/** A path with `/` on every system. */
export const toPosix = (path: string): string => path.split(sep).join("/");

/** Finds the files to pack in some folders, and reports those left out. Throws only on an abort. */
export async function readTree(request: TreeRequest): Promise<Tree> {
  const docker = await readRules(request.root, ".dockerignore");
  const walk: Walk = {
    ...request,
    files: [],
    never: [],
    tracked: withFolders(request.tracked),
    takenBack: [],
    ignores: false,
    special: [],
    problems: [],
    docker: docker === null ? null : parseDockerignore(docker),
    modules: await readModules(request.top),
  };
  for (const folder of request.folders) {
    // A folder that was asked for is packed, whatever ignore files above it say.
    await walkFolder(walk, folder, await scopesAbove(request.top, folder));
  }
  const files = [...walk.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    files,
    never: walk.never.sort(),
    tracked: walk.takenBack.sort(),
    ignores: walk.ignores,
    special: walk.special.sort(),
    problems: [...walk.problems.slice(0, MAX_PROBLEMS), ...caseClashes(files)],
  };
}

function withFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const path of paths) for (let at = path; !all.has(at); at = dirname(at)) all.add(at);
  return all;
}

/** The .gitignore files above a folder, starting from the top. */
async function scopesAbove(top: string, folder: string): Promise<readonly Scope[]> {
  const names = relative(top, folder).split(sep).filter(Boolean);
  const scopes: Scope[] = [];
  for (let depth = 0; depth < names.length; depth += 1) {
    const base = join(top, ...names.slice(0, depth));
    const text = await readRules(base, ".gitignore");
    if (text !== null) scopes.push({ base, rules: parseGitignore(text) });
  }
  return scopes;
}

function matchesRules(scopes: readonly Scope[], path: string, isFolder: boolean): boolean {
  for (const { base, rules } of scopes.toReversed()) {
    const names = relative(base, path).split(sep);
    const excluded = rules.excludes(names, isFolder);
    if (excluded !== undefined) return excluded;
  }
  return false;
}

/** Walks a folder without recursion, so that its depth cannot overflow the stack. */
async function walkFolder(walk: Walk, from: string, above: readonly Scope[]): Promise<void> {
  const open: OpenFolder[] = [{ folder: from, scopes: above, isIgnored: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    walk.signal.throwIfAborted();
    const { folder } = next;
    const text = await readRules(folder, ".gitignore");
    const scopes =
      text === null ? next.scopes : [...next.scopes, { base: folder, rules: parseGitignore(text) }];
    const entries = await readEntries(walk, folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      // git never looks into a folder that is left out, so no rule below takes anything back.
      const isIgnored = next.isIgnored || matchesRules(scopes, path, isFolder);
      if (await takeEntry(walk, entry, path, isIgnored))
        open.push({ folder: path, scopes, isIgnored });
    }
    if (walk.files.length > MAX_FILES) {
      walk.problems.push(
        `there are more than ${MAX_FILES} files; leave out what is not part of the agent in .gitignore or .dockerignore`,
      );
      return;
    }
  }
}

async function readEntries(walk: Walk, folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    walk.problems.push(`${shown(walk, folder)} cannot be read (${codeOf(error)})`);
    return [];
  }
}

const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | null)?.code ?? (error as Error).message);

/** A path for messages: control characters replaced, a long one shortened in the middle. */
function shown({ root }: Pick<TreeRequest, "root">, path: string): string {
  const text = toPosix(relative(root, path)).replaceAll(/[\p{Cc}\p{Cf}]/gu, "?");
  return text.length > 200 ? `${text.slice(0, 90)}…${text.slice(-90)}` : text;
}

/** Takes a file, or notes why not; returns true for a folder to enter. */
async function takeEntry(
  walk: Walk,
  entry: Dirent,
  path: string,
  isIgnored: boolean,
): Promise<boolean> {
  const isFolder = entry.isDirectory();
  if (NEVER.has(entry.name) || entry.name.startsWith(".env") || walk.ours.has(path)) {
    walk.never.push(shown(walk, path));
    return false;
  }
  const names = relative(walk.root, path).split(sep);
  if (isIgnored && !walk.tracked.has(path)) {
    walk.ignores = true;
    return false;
  }
  const isLeftOut = walk.docker?.excludes(names) === true;
  if (isFolder) {
    if (isLeftOut && walk.docker?.takesBack !== true) return false;
    if (isLeftOut || (await isSubmoduleInOrder(walk, path))) return !isTooLong(walk, path);
    return false;
  }
  if (isLeftOut || IGNORE_FILES.has(entry.name)) return false;
  if (!entry.isFile()) {
    walk.special.push(shown(walk, path));
    return false;
  }
  if (isIgnored) walk.takenBack.push(shown(walk, path));
  await takeFile(walk, path, names);
  return false;
}

function isTooLong(walk: Walk, path: string): boolean {
  if (Buffer.byteLength(path) < MAX_PATH_BYTES) return false;
  walk.problems.push(`${shown(walk, path)}: the path is longer than ${MAX_PATH_BYTES} bytes`);
  return true;
}

async function takeFile(walk: Walk, path: string, names: readonly string[]): Promise<void> {
  const archived = names.join("/");
  if (/[\p{Cc}\uFFFD]/u.test(archived)) {
    walk.problems.push(
      `${shown(walk, path)}: the name holds a line break, another control character or bytes that are no UTF-8; rename it`,
    );
    return;
  }
  if (isTooLong(walk, path)) return;
  try {
    const about = await lstat(path);
    walk.files.push({
      path: archived,
      file: path,
      bytes: about.size,
      executable: (about.mode & 0o100) !== 0,
    });
  } catch (error) {
    walk.problems.push(`${shown(walk, path)} cannot be read (${codeOf(error)})`);
  }
}

/** False for a submodule that is not checked out: an empty folder named in .gitmodules. */
async function isSubmoduleInOrder(walk: Walk, folder: string): Promise<boolean> {
  if (!walk.modules.has(toPosix(relative(walk.top, folder)))) return true;
  const entries = await readdir(folder).catch(() => [""]);
  if (entries.some((name) => name !== ".git")) return true;
  walk.problems.push(
    `${shown(walk, folder)} is a submodule that is not checked out; check out with submodules: true (git submodule update --init), or leave it out in .dockerignore`,
  );
  return false;
}

/** Folders named in .gitmodules, from the top. */
async function readModules(top: string): Promise<ReadonlySet<string>> {
  const text = (await readRules(top, ".gitmodules")) ?? "";
  return new Set([...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gmu)].map((match) => match[1]!));
}

/** A file system that ignores case would lose one of the two. */
function caseClashes(files: readonly FoundFile[]): string[] {
  const seen = new Map<string, string>();
  const clashes: string[] = [];
  for (const { path } of files) {
    const key = path.normalize("NFC").toLowerCase();
    const other = seen.get(key);
    if (other === undefined) seen.set(key, path);
    else clashes.push(`${other} and ${path} differ only in case or accents; rename one of them`);
  }
  return clashes.slice(0, MAX_PROBLEMS);
}
