import { constants, createReadStream, type Dirent } from "node:fs";
import { lstat, mkdir, open, opendir, realpath, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import {
  hasMagic,
  pathMatcher,
  segmentMatcher,
  spreadBraces,
  toPlainSegment,
  toSegments,
} from "./glob.ts";

/** A file or pattern that the workspace refuses; the message is one sentence for the user. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  /** Nothing is there, and nothing else is wrong with it. */
  readonly absent: boolean;
  constructor(message: string, absent = false) {
    super(message);
    this.absent = absent;
  }
}

/** What a list of patterns finds. */
export interface FoundFiles {
  /** Regular files, sorted, each once, relative to the root (absolute where given so). */
  readonly paths: readonly string[];
  /** Patterns that no file matches, and plain paths where nothing is; one that another takes back counts as matched. */
  readonly unmatched: readonly string[];
}

/** The files a run may touch: those of the workspace and of the runner's temporary directory. */
export interface Workspace {
  /**
   * The files that one list of patterns means (glob.ts says which patterns there are): each pattern adds, `!` takes back
   * what came before it. Rejects where a path must not be read.
   */
  readonly find: (patterns: readonly string[]) => Promise<FoundFiles>;
  /** The same, where a plain path must exist. */
  readonly expand: (patterns: readonly string[]) => Promise<readonly string[]>;
  /** Where a file really lies, its size and time; refuses what is no regular file. */
  readonly inspect: (
    path: string,
  ) => Promise<{ readonly real: string; readonly bytes: number; readonly modifiedMs: number }>;
  /** The text of a file in UTF-8, its byte order mark removed; refuses more than `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  /** The bytes of a file as a stream, and its size; refuses more than `maxBytes`. */
  readonly openStream: (
    path: string,
    maxBytes: number,
  ) => Promise<{ readonly stream: Readable; readonly bytes: number; readonly modifiedMs: number }>;
  /** Writes a file whole, making the directories above it; through no link that was made after `locateFile`. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** The absolute path with symlinks resolved, of a file that need not exist yet; refuses what lies outside. */
  readonly locate: (path: string) => Promise<string>;
  /**
   * The same of a file to be written; refuses what is there and is no regular file, on which a write could wait for ever.
   * The path keeps that meaning for `writeText`, whatever is made there in between.
   */
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
  ENOTDIR: "lies below what is not a directory",
  EISDIR: "is a directory",
  ENAMETOOLONG: "has a name that is too long",
  EROFS: "lies on a read-only file system",
  ENOSPC: "does not fit on the disk",
  ENXIO: "is not a regular file (a device, pipe or socket)",
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
    return confine(path, await realTarget(resolve(root, path), path));
  };
  /** Where paths to be written led when they were first named. */
  const located = new Map<string, string>();
  const openFile = async (path: string, maxBytes: number): ReturnType<typeof openRegular> =>
    openRegular(await locate(path), path, maxBytes);
  return {
    locate,
    locateFile: async (path) => {
      const real = await locate(path);
      const found = await lstat(real).catch(() => undefined);
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
    readText: async (path, maxBytes) => readText(await openFile(path, maxBytes), path, maxBytes),
    openStream: async (path, maxBytes) => toSizedStream(await openFile(path, maxBytes)),
    writeText: async (path, text) => {
      const real = located.get(path) ?? (await locate(path));
      try {
        await writeLocated(real, text);
      } catch (error) {
        throw refusal(path, error, "name a file that can be written");
      }
    },
  };
}

type Opened = Awaited<ReturnType<typeof openRegular>>;

async function readText({ file }: Opened, path: string, maxBytes: number): Promise<string> {
  try {
    return decodeText(await readBounded(file, path, maxBytes), path);
  } catch (error) {
    throw refusal(path, error, "name a regular file that can be read");
  } finally {
    await file.close();
  }
}

function toSizedStream({
  file,
  bytes,
  modifiedMs,
}: Opened): Awaited<ReturnType<Workspace["openStream"]>> {
  const end = bytes === 0 ? {} : { end: bytes - 1 };
  return {
    stream: createReadStream("", { fd: file, autoClose: true, ...end }),
    bytes,
    modifiedMs,
  };
}

async function inspectFile(real: string, path: string): ReturnType<Workspace["inspect"]> {
  try {
    const { size, mtimeMs } = assertRegular(path, await stat(real));
    return { real, bytes: size, modifiedMs: mtimeMs };
  } catch (error) {
    throw refusal(path, error, "name a regular file that can be read");
  }
}

/**
 * Writes a file whole at a path that was resolved before (`locateFile`), making the directories above it. A link that stands
 * there by now, as the file or as a directory above it, was made in between, and is refused.
 */
export async function writeLocated(real: string, text: string): Promise<void> {
  await mkdir(dirname(real), { recursive: true });
  if ((await realpath(dirname(real))) !== dirname(real))
    throw new WorkspaceError(
      `${dirname(real)} became a symbolic link during the run, and nothing is written through it; name another file`,
    );
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(real, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644).catch(
    (error: unknown) => {
      if (codeOf(error) !== "ELOOP") throw error;
      throw new WorkspaceError(
        `${real} became a symbolic link during the run, and nothing is written through it; name another file`,
      );
    },
  );
  try {
    assertRegular(real, await file.stat());
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
    `${path} is ${found.isDirectory() ? "a directory" : "not a regular file (a device, pipe or socket)"}; name a regular file`,
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
/** Bytes as UTF-8; refuses what is none. */
export function decodeText(bytes: Uint8Array, path: string): string {
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

/** What a walk may still read; one budget for all patterns of a list. */
interface WalkBudget {
  entries: number;
}

async function findFiles(patterns: readonly string[], expansion: Expansion): Promise<FoundFiles> {
  const trimmed = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  if (trimmed.length > MAX_PATTERNS)
    throw new WorkspaceError(
      `there are more than ${MAX_PATTERNS} file patterns; write fewer, with * in them`,
    );
  if (trimmed[0]?.startsWith("!") === true)
    throw new WorkspaceError(
      `the first file pattern is ${trimmed[0]}, which leaves files out; write before it what to take`,
    );
  const matches = new Set<string>();
  const unmatched: string[] = [];
  const budget: WalkBudget = { entries: MAX_ENTRIES };
  for (const pattern of trimmed) {
    if (pattern.length > MAX_PATTERN_CHARS)
      throw new WorkspaceError(
        `a file pattern is longer than ${MAX_PATTERN_CHARS} characters; write a shorter one`,
      );
    if (pattern.startsWith("!")) takeBack(matches, normalize(pattern.slice(1)));
    else {
      const found = await filesOf(normalize(pattern), expansion, budget);
      for (const path of found) matches.add(path);
      if (found.length === 0) unmatched.push(pattern);
    }
    if (matches.size > MAX_MATCHES)
      throw new WorkspaceError(
        `the file patterns match more than ${MAX_MATCHES} files; write narrower ones`,
      );
  }
  return { paths: [...matches].sort(byCodeUnit), unmatched };
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function takeBack(matches: Set<string>, pattern: string): void {
  choicesOf(pattern);
  const isMeant = pathMatcher([pattern]);
  for (const path of matches) if (isMeant(path.replace(/^\//u, ""))) matches.delete(path);
}

/** On Windows a `\` parts directories; elsewhere it stands before a character that means itself. */
function normalize(pattern: string): string {
  const slashed = sep === "\\" ? pattern.replaceAll("\\", "/") : pattern;
  return slashed.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");
}

/** A name with brackets or braces in it is that file as well as a pattern: `results[1].json`. */
async function filesOf(
  pattern: string,
  expansion: Expansion,
  budget: WalkBudget,
): Promise<readonly string[]> {
  if (!hasMagic(pattern)) return plainFile(pattern, expansion);
  const itself = /[*?]/u.test(pattern) ? [] : await plainFile(pattern, expansion).catch(() => []);
  if (itself.length > 0 && typeof spreadBraces(pattern) === "string") return itself;
  const found: string[] = [...itself];
  for (const choice of choicesOf(pattern))
    found.push(...(await walkPattern(choice, expansion, budget)));
  return found;
}

/** The path, or nothing where nothing is. */
async function plainFile(path: string, { locate }: Expansion): Promise<readonly string[]> {
  const real = await locate(path);
  try {
    assertRegular(path, await stat(real));
    return [path];
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
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
  expansion: Expansion,
  budget: WalkBudget,
): Promise<readonly string[]> {
  const segments = toSegments(pattern);
  const first = segments.findIndex(hasMagic);
  const base = first < 0 ? pattern : segments.slice(0, first).join("/");
  const start = base === "" && pattern.startsWith("/") ? "/" : base;
  const real = await expansion.locate(start === "" ? "." : start).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.absent) return undefined;
    throw error;
  });
  if (real === undefined) return [];
  if (first < 0) return (await isFile(real)) ? [pattern] : [];
  const walk: Walk = { ...expansion, pattern, budget, matches: new Set() };
  await walkDirectory(walk, { directory: start, segments: segments.slice(first), depth: 0 });
  return [...walk.matches];
}

interface Walk extends Expansion {
  readonly pattern: string;
  readonly budget: WalkBudget;
  readonly matches: Set<string>;
}

interface WalkPlace {
  readonly directory: string;
  readonly segments: readonly string[];
  readonly depth: number;
}

async function walkDirectory(walk: Walk, at: WalkPlace): Promise<void> {
  const [segment, ...rest] = at.segments;
  if (segment === undefined || at.depth > MAX_DEPTH) return;
  const anyDepth = segment === "**";
  if (anyDepth && rest.length > 0) await walkDirectory(walk, { ...at, segments: rest });
  const matches = anyDepth ? () => true : segmentMatcher(segment);
  for (const entry of await entriesOf(walk, at.directory)) {
    const hidden = entry.name.startsWith(".") && !/^\\?\./u.test(segment);
    if (hidden || !matches(entry.name)) continue;
    const path = joinPath(at.directory, entry.name);
    if (rest.length === 0 && (entry.isFile() || (await isLinkToFile(walk, entry, path))))
      walk.matches.add(path);
    if (walk.matches.size > MAX_MATCHES)
      throw new WorkspaceError(
        `the file pattern ${walk.pattern} matches more than ${MAX_MATCHES} files; write a narrower one`,
      );
    const named = toPlainSegment(segment) === entry.name;
    if (!entry.isDirectory() || (SKIPPED_DIRECTORIES.has(entry.name) && !named)) continue;
    await walkDirectory(walk, {
      directory: path,
      segments: anyDepth ? at.segments : rest,
      depth: at.depth + 1,
    });
  }
}

function joinPath(directory: string, name: string): string {
  if (directory === "") return name;
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

async function isLinkToFile({ locate }: Walk, entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  const target = await locate(path).catch(() => undefined);
  return target !== undefined && (await isFile(target));
}

async function entriesOf(walk: Walk, directory: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    const path = resolve(walk.root, directory === "" ? "." : directory);
    for await (const entry of await opendir(path)) {
      walk.budget.entries -= 1;
      if (walk.budget.entries < 0)
        throw new WorkspaceError(
          `the file pattern ${walk.pattern} would read more than ${MAX_ENTRIES} directory entries; write a narrower one`,
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
