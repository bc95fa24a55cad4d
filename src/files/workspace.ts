import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { findFiles, type FoundFiles } from "./file-search.ts";
import { hasMagic } from "./glob.ts";
import {
  assertRegular,
  inspectFile,
  readBeginning,
  readText,
  writeLocated,
  type FileFacts,
} from "./regular-file.ts";
import { codeOf, refusal, WorkspaceError } from "./workspace-error.ts";

/** The files that a run may access: those of the workspace and of the runner's temporary directory. */
export interface Workspace {
  /**
   * Finds the files matched by one list of patterns (syntax in glob.ts): each pattern adds files,
   * `!` removes earlier ones. Rejects if a path must not be read.
   */
  readonly find: (patterns: readonly string[]) => Promise<FoundFiles>;
  /** The same, but a plain path must exist. */
  readonly expand: (patterns: readonly string[]) => Promise<readonly string[]>;
  /** Resolved path, size and time of a file; rejects anything but a regular file. */
  readonly inspect: (path: string) => Promise<FileFacts>;
  /** Reads a UTF-8 file without its byte order mark; rejects more than `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  /** Reads at most `bytes` from the start of a file. */
  readonly readBeginning: (path: string, bytes: number) => Promise<Buffer>;
  /** Writes a whole file and creates its directories; never through a link made after `locateFile`. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** The absolute, resolved path of a file that may not exist yet; rejects paths outside. */
  readonly locate: (path: string) => Promise<string>;
  /**
   * The same for a file to write; rejects an existing path that is no regular file, since a write
   * to it could block for ever. `writeText` uses this result, whatever is created there in
   * between.
   */
  readonly locateFile: (path: string) => Promise<string>;
}

/** Where files may be. */
export interface WorkspaceOptions {
  /** Absolute. */
  readonly root: string;
  /** RUNNER_TEMP, absolute; absent if unset. */
  readonly temp?: string | undefined;
  /** CLI `--allow-outside`: allow every path. */
  readonly allowOutside?: boolean;
}

/** Gives access to files under a root and a temporary directory, and to no others. */
export function createWorkspace({ root, temp, allowOutside = false }: WorkspaceOptions): Workspace {
  const roots = [root, ...(temp === undefined || temp === "" ? [] : [temp])].map(realOrItself);

  const confine = (path: string, real: string): string => {
    if (allowOutside || roots.some((base) => isWithin(base, real))) return real;
    throw new WorkspaceError(
      `${path} is outside the workspace and the runner's temporary directory; move it inside${temp === undefined ? " (command line: or pass --allow-outside)" : ""}`,
    );
  };
  const locate = async (path: string): Promise<string> => {
    if (path === "" || path.includes("\0"))
      throw new WorkspaceError(
        "a file path is empty or holds a null character; write the path of a file",
      );
    return confine(path, realTarget(resolve(root, path), path));
  };
  /** Where paths to write resolved to when first named. */
  const located = new Map<string, string>();
  return {
    locate,
    locateFile: async (path) => {
      const real = await locate(path);
      const found = lstatSync(real, { throwIfNoEntry: false });
      if (found !== undefined) assertRegular(path, found);
      located.set(path, real);
      return real;
    },
    find: (patterns) => findFiles(patterns, { root, locate }),
    expand: async (patterns) => {
      const { paths, unmatched } = await findFiles(patterns, { root, locate });
      const absent = unmatched.find((pattern) => !hasMagic(pattern));
      if (absent !== undefined)
        throw new WorkspaceError(
          `${absent} does not exist; name a file that exists, or a pattern with * in it`,
          true,
        );
      return paths;
    },
    inspect: async (path) => inspectFile(await locate(path), path),
    readText: async (path, maxBytes) => readText(await locate(path), path, maxBytes),
    readBeginning: async (path, bytes) => readBeginning(await locate(path), path, bytes),
    writeText: async (path, text) => {
      const real = located.get(path) ?? (await locate(path));
      try {
        writeLocated(real, text);
      } catch (error) {
        throw refusal(path, error, "name a file that can be written");
      }
    },
  };
}

function realOrItself(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function isWithin(base: string, path: string): boolean {
  const from = relative(base, path);
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}

/** The resolved deepest existing part with the rest appended, also for files not yet written. */
function realTarget(absolute: string, path: string): string {
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      if (codeOf(error) === "ENOENT" && isLink(at))
        throw new WorkspaceError(`${path} is a symbolic link to nothing; name a file that exists`);
      if (codeOf(error) !== "ENOENT" || dirname(at) === at)
        throw refusal(path, error, "name a file inside the workspace");
      missing.unshift(basename(at));
    }
  }
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
