import { type Dirent, statSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { createPathMatcher, hasMagic, pathMatcher, toChoices } from "./glob.ts";
import { assertRegular } from "./regular-file.ts";
import { codeOf, refusal, WorkspaceError } from "./workspace-error.ts";

/** The result of searching for a list of patterns. */
export interface FoundFiles {
  /** Sorted regular files, each once, relative to the root (or absolute if given so). */
  readonly paths: readonly string[];
  /** Patterns without a match, and plain paths that do not exist; a file excluded again counts as a match. */
  readonly unmatched: readonly string[];
}

const MAX_PATTERN_CHARS = 1000;
const MAX_ENTRIES = 200_000;
const MAX_MATCHES = 20_000;
const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Where a list of patterns is searched for. */
interface Search {
  readonly root: string;
  readonly locate: (path: string) => Promise<string>;
  /** How many directory entries may still be read, for all patterns of the list. */
  entriesLeft: number;
}

/** Finds the files that a list of patterns matches. */
export async function findFiles(
  patterns: readonly string[],
  places: Pick<Search, "root" | "locate">,
): Promise<FoundFiles> {
  const trimmed = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  if (trimmed[0]?.startsWith("!") === true)
    throw new WorkspaceError(
      `the first file pattern is ${trimmed[0]}, which leaves files out; write before it what to take`,
    );
  const matches = new Set<string>();
  const unmatched: string[] = [];
  const search: Search = { ...places, entriesLeft: MAX_ENTRIES };
  for (const pattern of trimmed) {
    if (pattern.length > MAX_PATTERN_CHARS)
      throw new WorkspaceError(
        `a file pattern is longer than ${MAX_PATTERN_CHARS} characters; write a shorter one`,
      );
    if (pattern.startsWith("!")) takeBack(matches, normalize(pattern.slice(1)));
    else {
      const found = await filesOf(normalize(pattern), search);
      for (const path of found) matches.add(path);
      if (found.length === 0) unmatched.push(pattern);
    }
    if (matches.size > MAX_MATCHES)
      throw new WorkspaceError(
        `the file patterns match more than ${MAX_MATCHES} files; write narrower ones`,
      );
  }
  // The default order is by code units, the same on every machine.
  return { paths: [...matches].sort(), unmatched };
}

function takeBack(matches: Set<string>, pattern: string): void {
  choicesOf(pattern);
  const isMeant = pathMatcher([pattern]);
  for (const path of matches) if (isMeant(path.replace(/^\//u, ""))) matches.delete(path);
}

/** On Windows `\` separates directories; elsewhere it escapes a character. */
function normalize(pattern: string): string {
  const slashed = sep === "\\" ? pattern.replaceAll("\\", "/") : pattern;
  return slashed.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");
}

/** A name with brackets or braces can be both a file and a pattern: `results[1].json`. */
async function filesOf(pattern: string, search: Search): Promise<readonly string[]> {
  if (!hasMagic(pattern)) return plainFile(pattern, search);
  const itself = /[*?]/u.test(pattern) ? [] : await plainFile(pattern, search).catch(() => []);
  if (itself.length > 0 && typeof toChoices(pattern) === "string") return itself;
  const found: string[] = [...itself];
  for (const choice of choicesOf(pattern)) found.push(...(await walkPattern(choice, search)));
  return found;
}

/** The path if it exists, else nothing. */
async function plainFile(path: string, { locate }: Search): Promise<readonly string[]> {
  const real = await locate(path);
  try {
    assertRegular(path, statSync(real));
    return [path];
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw refusal(path, error, "name a file that exists, or a pattern with * in it");
  }
}

function choicesOf(pattern: string): readonly string[] {
  const choices = toChoices(pattern);
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

/** Walks from the folder before the first wildcard, and reads only directories that may contain a match. */
async function walkPattern(pattern: string, search: Search): Promise<readonly string[]> {
  const segments = pattern.replace(/\/+$/u, "").split("/");
  const first = segments.findIndex(hasMagic);
  const base = first < 0 ? pattern : segments.slice(0, first).join("/");
  const start = base === "" && pattern.startsWith("/") ? "/" : base;
  const real = await search.locate(start === "" ? "." : start).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.absent) return undefined;
    throw error;
  });
  if (real === undefined) return [];
  if (first < 0) return isFile(real) ? [pattern] : [];
  const matcher = createPathMatcher(segments.join("/"), { hidden: false });
  /** Directories named in the pattern from its first wildcard on, which are never skipped. */
  const named = new Set(segments.slice(first));
  const found: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    for (const entry of await entriesOf(pattern, directory, search)) {
      const path = /(?:^|\/)$/u.test(directory)
        ? directory + entry.name
        : `${directory}/${entry.name}`;
      if (matcher.match(path) && (entry.isFile() || (await isLinkToFile(entry, path, search))))
        found.push(path);
      const isSkipped = SKIPPED_DIRECTORIES.has(entry.name) && !named.has(entry.name);
      if (entry.isDirectory() && !isSkipped && matcher.match(path, true)) await walk(path);
    }
  };
  await walk(start);
  return found;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

async function isLinkToFile(entry: Dirent, path: string, search: Search): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  const target = await search.locate(path).catch(() => undefined);
  return target !== undefined && isFile(target);
}

/** Reads a directory within the budget, asynchronously, so that signals are handled meanwhile. */
async function entriesOf(
  pattern: string,
  directory: string,
  search: Search,
): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    const path = resolve(search.root, directory);
    for await (const entry of await opendir(path, { bufferSize: 1000 })) {
      entries.push(entry);
      search.entriesLeft -= 1;
      if (search.entriesLeft < 0)
        throw new WorkspaceError(
          `the file pattern ${pattern} would read more than ${MAX_ENTRIES} directory entries; write a narrower one`,
        );
    }
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error)))
      throw refusal(directory, error, "write a narrower pattern");
  }
  return entries;
}
