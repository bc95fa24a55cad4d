import { constants, createReadStream } from "node:fs";
import { lstat, mkdir, open, opendir, realpath, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { hasMagic, matchesGlob, matchesSegment, spreadBraces } from "../spec/glob.ts";

/** A file or pattern that the workspace refuses; the message is one sentence for the user. */
class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  /** Nothing is there, and nothing else is wrong with it. */
  readonly absent: boolean;
  constructor(message: string, absent = false) {
    super(message);
    this.absent = absent;
  }
}

/** The files a run may touch: those of the workspace and of the runner's temporary directory. */
export interface Workspace {
  /** Regular files that the patterns match, sorted, each once, as paths relative to the root (absolute where given so). Patterns know `*` `**` `?` `{a,b}` and a leading `!`. */
  readonly expand: (patterns: readonly string[]) => Promise<string[]>;
  /** The text of a file in UTF-8, its byte order mark removed; refuses more than `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  /** The bytes of a file as a stream, and its size; refuses more than `maxBytes`. */
  readonly openStream: (
    path: string,
    maxBytes: number,
  ) => Promise<{ readonly stream: Readable; readonly bytes: number; readonly modifiedMs: number }>;
  /** Writes a file whole, making the directories above it. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** The absolute path with symlinks resolved, of a file that need not exist yet; refuses what lies outside. */
  readonly locate: (path: string) => Promise<string>;
  /** The same of a file to be written; refuses what is there and is no regular file, on which a write could wait for ever. */
  readonly locateFile: (path: string) => Promise<string>;
}

/** Where files may lie. */
export interface WorkspaceOptions {
  /** Absolute. */
  readonly root: string;
  /** RUNNER_TEMP, absolute; absent where there is none. */
  readonly temp?: string;
  /** CLI `--allow-outside`: every path is allowed. */
  readonly allowOutside?: boolean;
}

const MAX_PATTERNS = 500;
const MAX_PATTERN_CHARS = 1000;
const MAX_ENTRIES = 200_000;
const MAX_MATCHES = 20_000;
const MAX_DEPTH = 40;
const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set(["node_modules", ".git"]);

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be opened by this user",
  EPERM: "may not be opened by this user",
  ELOOP: "is a symbolic link that leads in a circle",
  ENOTDIR: "lies below what is no directory",
  EISDIR: "is a directory",
  ENAMETOOLONG: "has a name that is too long",
  EROFS: "lies on a read-only file system",
  ENOSPC: "does not fit on the disk",
  ENXIO: "is no regular file (a device, pipe or socket)",
};

/** The one sentence for a failed file operation. */
function refusal(path: string, error: unknown, advice: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  return new WorkspaceError(
    `${path} ${REASONS[codeOf(error)] ?? `cannot be used (${codeOf(error) || "unknown error"})`}; ${advice}`,
    codeOf(error) === "ENOENT",
  );
}

/** Access to the files under a root and a temporary directory, and to no others. */
export function createWorkspace({ root, temp, allowOutside = false }: WorkspaceOptions): Workspace {
  const roots = Promise.all(
    [root, ...(temp === undefined || temp === "" ? [] : [temp])].map((path) =>
      realpath(path).catch(() => resolve(path)),
    ),
  );

  const confine = async (path: string, real: string): Promise<string> => {
    if (allowOutside || (await roots).some((base) => isWithin(base, real))) return real;
    throw new WorkspaceError(
      `${path} lies outside the workspace and the runner's temporary directory; move it inside${temp === undefined ? " (command line: or pass --allow-outside)" : ""}`,
    );
  };
  const locate = async (path: string): Promise<string> => {
    if (path === "" || path.includes("\0"))
      throw new WorkspaceError(
        "a file path is empty or holds a null character; write the path of a file",
      );
    if (!allowOutside && path.split(/[\\/]/u).includes(".."))
      throw new WorkspaceError(
        `${path} holds "..", which is refused; write the path from the workspace downwards`,
      );
    return confine(path, await realTarget(resolve(root, path), path));
  };
  const openFile = async (path: string, maxBytes: number): ReturnType<typeof openRegular> =>
    openRegular(await locate(path), path, maxBytes);
  return {
    locate,
    locateFile: async (path) => {
      const real = await locate(path);
      const found = await lstat(real).catch(() => undefined);
      if (found !== undefined) assertRegular(path, found);
      return real;
    },
    expand: (patterns) => expandPatterns(patterns, { root, locate }),
    readText: async (path, maxBytes) => {
      const { file } = await openFile(path, maxBytes);
      try {
        return decodeText(await readBounded(file, path, maxBytes), path);
      } catch (error) {
        throw refusal(path, error, "name a regular file that can be read");
      } finally {
        await file.close();
      }
    },
    openStream: async (path, maxBytes) => {
      const { file, bytes, modifiedMs } = await openFile(path, maxBytes);
      return {
        stream: createReadStream("", {
          fd: file,
          autoClose: true,
          ...(bytes === 0 ? {} : { end: bytes - 1 }),
        }),
        bytes,
        modifiedMs,
      };
    },
    writeText: async (path, text) => {
      const real = await locate(path);
      try {
        await mkdir(dirname(real), { recursive: true });
        // A directory above may have been a symlink made meanwhile: look again where the file now lies.
        await confine(path, join(await realpath(dirname(real)), basename(real)));
        await writeRegular(real, path, text);
      } catch (error) {
        throw refusal(path, error, "name a file that can be written");
      }
    },
  };
}

async function writeRegular(real: string, path: string, text: string): Promise<void> {
  const file = await open(
    real,
    constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    0o644,
  );
  try {
    assertRegular(path, await file.stat());
    await file.truncate(0);
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Opens a file that is regular before and after, and not longer than the bound. */
async function openRegular(
  real: string,
  path: string,
  maxBytes: number,
): Promise<{ file: FileHandle; bytes: number; modifiedMs: number }> {
  try {
    // Checked before opening, for the opening of a device can have effects; and again on the handle, for the path can change meanwhile.
    assertRegular(path, await lstat(real));
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size, mtimeMs } = assertRegular(path, await file.stat());
      if (size > maxBytes)
        throw new WorkspaceError(
          `${path} is ${size} bytes long, more than the ${maxBytes} that are read; split it or write less`,
        );
      return { file, bytes: size, modifiedMs: mtimeMs };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw refusal(path, error, "name a regular file that can be read");
  }
}

function isWithin(base: string, path: string): boolean {
  const from = relative(base, path);
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}

/** Realpath of the deepest part that exists, with the rest appended: also of files that are yet to be written. */
async function realTarget(absolute: string, path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing);
    } catch (error) {
      const dangling =
        codeOf(error) === "ENOENT" &&
        (await lstat(at).then(
          (found) => found.isSymbolicLink(),
          () => false,
        ));
      if (dangling)
        throw new WorkspaceError(`${path} is a symbolic link to nothing; name a file that exists`);
      if (codeOf(error) !== "ENOENT" || dirname(at) === at)
        throw refusal(path, error, "name a file inside the workspace");
      missing.unshift(basename(at));
    }
  }
}

interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}
function assertRegular<S extends FileStat>(path: string, found: S): S {
  if (found.isFile()) return found;
  throw new WorkspaceError(
    `${path} is ${found.isDirectory() ? "a directory" : "no regular file (a device, pipe or socket)"}; name a regular file`,
  );
}

/** Reads to the end, however the file grows meanwhile, and never more than the bound. */
async function readBounded(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let total = 0; ; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(Math.min(65_536, maxBytes - total + 1)),
    );
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxBytes)
      throw new WorkspaceError(
        `${path} is longer than the ${maxBytes} bytes that are read; split it or write less`,
      );
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** UTF-8 without its byte order mark; UTF-16 and invalid UTF-8 are refused with a sentence that names the file. */
function decodeText(bytes: Uint8Array, path: string): string {
  const [a, b] = bytes;
  if (
    (a === 0xff && b === 0xfe) ||
    (a === 0xfe && b === 0xff) ||
    (bytes.length > 1 && (a === 0) !== (b === 0))
  ) {
    throw new WorkspaceError(`${path} is UTF-16; save it as UTF-8`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WorkspaceError(`${path} is not valid UTF-8; save it as UTF-8`);
  }
}

interface Expansion {
  readonly root: string;
  readonly locate: (path: string) => Promise<string>;
}

async function expandPatterns(
  patterns: readonly string[],
  expansion: Expansion,
): Promise<string[]> {
  const trimmed = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  if (trimmed.length > MAX_PATTERNS)
    throw new WorkspaceError(
      `there are more than ${MAX_PATTERNS} file patterns; write fewer, with * in them`,
    );
  const matches = new Set<string>();
  const budget = { entries: MAX_ENTRIES };
  for (const pattern of trimmed) {
    if (pattern.length > MAX_PATTERN_CHARS)
      throw new WorkspaceError(
        `a file pattern is longer than ${MAX_PATTERN_CHARS} characters; write a shorter one`,
      );
    if (pattern.startsWith("!")) {
      const refused = normalize(pattern.slice(1));
      choicesOf(refused);
      for (const path of matches)
        if (matchesGlob([refused], path.replace(/^\//u, ""))) matches.delete(path);
    } else if (!hasMagic(pattern)) matches.add(await plainFile(normalize(pattern), expansion));
    else
      for (const choice of choicesOf(normalize(pattern)))
        for (const path of await walkPattern(choice, expansion, budget)) matches.add(path);
    if (matches.size > MAX_MATCHES)
      throw new WorkspaceError(
        `the file patterns match more than ${MAX_MATCHES} files; write narrower ones`,
      );
  }
  return [...matches].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

const normalize = (pattern: string): string =>
  pattern.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");

async function plainFile(path: string, { locate }: Expansion): Promise<string> {
  const real = await locate(path);
  try {
    assertRegular(path, await stat(real));
    return path;
  } catch (error) {
    throw refusal(path, error, "name a file that exists, or a pattern with * in it");
  }
}

function choicesOf(pattern: string): readonly string[] {
  const choices = spreadBraces(pattern);
  if (choices === "too many")
    throw new WorkspaceError(
      `the file pattern ${pattern} has too many choices in { }; write * instead of some`,
    );
  if (choices === "unpaired")
    throw new WorkspaceError(
      `the file pattern ${pattern} has a brace without its partner; write {a,b}`,
    );
  return choices;
}

/** Walks segment by segment, so that only directories which can still match are read. */
async function walkPattern(
  pattern: string,
  { root, locate }: Expansion,
  budget: { entries: number },
): Promise<string[]> {
  const segments = pattern
    .split("/")
    .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
  const first = segments.findIndex(hasMagic);
  const base = first < 0 ? pattern : segments.slice(0, first).join("/");
  const start = base === "" && pattern.startsWith("/") ? "/" : base;
  const real =
    start === ""
      ? await locate(".")
      : await locate(start).catch((error: unknown) => {
          if (error instanceof WorkspaceError && / does not exist;/u.test(error.message))
            return undefined;
          throw error;
        });
  if (real === undefined) return [];
  if (first < 0)
    return (await stat(real).then(
      (found) => found.isFile(),
      () => false,
    ))
      ? [pattern]
      : [];
  const matches = new Set<string>();
  await walk({ directory: start, segments: segments.slice(first), depth: 0 });
  return [...matches];

  async function walk(at: {
    readonly directory: string;
    readonly segments: readonly string[];
    readonly depth: number;
  }): Promise<void> {
    const [segment, ...rest] = at.segments;
    if (segment === undefined || at.depth > MAX_DEPTH) return;
    if (segment === "**" && rest.length > 0) await walk({ ...at, segments: rest });
    for (const entry of await entriesOf(at.directory)) {
      if (
        !(segment === "**" || matchesSegment(segment, entry.name)) ||
        (entry.name.startsWith(".") && !segment.startsWith("."))
      )
        continue;
      const path =
        at.directory === ""
          ? entry.name
          : at.directory === "/"
            ? `/${entry.name}`
            : `${at.directory}/${entry.name}`;
      const isLink = entry.isSymbolicLink();
      const isFile = entry.isFile() || (isLink && (await linksToFileInside(path)));
      if (isFile && rest.length === 0) matches.add(path);
      if (matches.size > MAX_MATCHES)
        throw new WorkspaceError(
          `the file pattern ${pattern} matches more than ${MAX_MATCHES} files; write a narrower one`,
        );
      const named = segment === entry.name;
      if (!entry.isDirectory() || (SKIPPED_DIRECTORIES.has(entry.name) && !named)) continue;
      await walk({
        directory: path,
        segments: segment === "**" ? at.segments : rest,
        depth: at.depth + 1,
      });
    }
  }

  async function linksToFileInside(path: string): Promise<boolean> {
    const target = await locate(path).catch(() => undefined);
    return (
      target !== undefined &&
      (await stat(target).then(
        (found) => found.isFile(),
        () => false,
      ))
    );
  }

  async function entriesOf(directory: string): Promise<
    {
      readonly name: string;
      isFile(): boolean;
      isDirectory(): boolean;
      isSymbolicLink(): boolean;
    }[]
  > {
    const entries = [];
    try {
      for await (const entry of await opendir(resolve(root, directory === "" ? "." : directory))) {
        budget.entries -= 1;
        if (budget.entries < 0)
          throw new WorkspaceError(
            `the file pattern ${pattern} would read more than ${MAX_ENTRIES} directory entries; write a narrower one`,
          );
        entries.push(entry);
      }
    } catch (error) {
      if (error instanceof WorkspaceError) throw error;
      if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error)))
        throw refusal(directory, error, "write a narrower pattern");
    }
    return entries;
  }
}
