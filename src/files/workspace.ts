import { lstatSync, realpathSync, type Stats } from "node:fs";
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

/** The files a run may touch: those of the workspace and of the runner's temporary directory. */
export interface Workspace {
  /**
   * The files that one list of patterns means (glob.ts says which patterns there are): each pattern
   * adds, `!` takes back what came before it. Rejects where a path must not be read.
   */
  readonly find: (patterns: readonly string[]) => Promise<FoundFiles>;
  /** The same, where a plain path must exist. */
  readonly expand: (patterns: readonly string[]) => Promise<readonly string[]>;
  /** The real path of a file, its size and time; refuses what is not a regular file. */
  readonly inspect: (path: string) => Promise<FileFacts>;
  /** The text of a file in UTF-8, its byte order mark removed; refuses more than `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  /** The first bytes of a file, at most so many of them. */
  readonly readBeginning: (path: string, bytes: number) => Promise<Buffer>;
  /** Writes a file whole, making the directories above it; through no link that was made after `locateFile`. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** The absolute path with symlinks resolved, of a file that need not exist yet; refuses what is outside. */
  readonly locate: (path: string) => Promise<string>;
  /**
   * The same of a file to be written; refuses what is there and is no regular file, on which a
   * write could wait for ever. The path keeps that meaning for `writeText`, whatever is made there
   * in between.
   */
  readonly locateFile: (path: string) => Promise<string>;
}

/** Where files may lie. */
export interface WorkspaceOptions {
  /** Absolute. */
  readonly root: string;
  /** RUNNER_TEMP, absolute; absent where there is none. */
  readonly temp?: string | undefined;
  /** CLI `--allow-outside`: every path is allowed. */
  readonly allowOutside?: boolean;
}

/** Access to the files under a root and a temporary directory, and to no others. */
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
  /** Where paths to be written led when they were first named. */
  const located = new Map<string, string>();
  return {
    locate,
    locateFile: async (path) => {
      const real = await locate(path);
      const found = lookAt(real);
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

/** Realpath of the deepest part that exists, with the rest appended: also of files that are yet to be written. */
function realTarget(absolute: string, path: string): string {
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      if (codeOf(error) === "ENOENT" && lookAt(at)?.isSymbolicLink() === true)
        throw new WorkspaceError(`${path} is a symbolic link to nothing; name a file that exists`);
      if (codeOf(error) !== "ENOENT" || dirname(at) === at)
        throw codeOf(error) === "ENOTDIR"
          ? new WorkspaceError(
              `${path} is below a file, which is not a folder; name a file inside the workspace`,
            )
          : refusal(path, error, "name a file inside the workspace");
      missing.unshift(basename(at));
    }
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
