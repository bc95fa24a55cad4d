import { type Dirent, statSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { createPathMatcher, hasMagic, pathMatcher, toChoices, type PathMatcher } from "./glob.ts";
import { assertRegular } from "./regular-file.ts";
import { codeOf, refusal, WorkspaceError } from "./workspace-error.ts";

/** The result of searching for a list of patterns. */
export interface FoundFiles {
  /** Sorted regular files, each once, relative to the root (or absolute if given so). */
  readonly paths: readonly string[];
  /** Patterns without a match, and plain paths that do not exist; a file excluded again counts as a match. */
  readonly unmatched: readonly string[];
}

const MAX_PATTERNS = 500;
const MAX_PATTERN_CHARS = 1000;
const MAX_ENTRIES = 200_000;
const MAX_MATCHES = 20_000;
const MAX_DEPTH = 40;
const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set(["node_modules", ".git"]);

interface Expansion {
  readonly root: string;
  readonly locate: (path: string) => Promise<string>;
}

/** What a walk may still read: one budget for all patterns of a list. */
interface WalkBudget {
  entries: number;
}

/** Finds the files that a list of patterns matches. */
export async function findFiles(
  patterns: readonly string[],
  expansion: Expansion,
): Promise<FoundFiles> {
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

/** On Windows `\` separates directories; elsewhere it escapes a character. */
function normalize(pattern: string): string {
  const slashed = sep === "\\" ? pattern.replaceAll("\\", "/") : pattern;
  return slashed.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");
}

/** A name with brackets or braces can be both a file and a pattern: `results[1].json`. */
async function filesOf(
  pattern: string,
  expansion: Expansion,
  budget: WalkBudget,
): Promise<readonly string[]> {
  if (!hasMagic(pattern)) return plainFile(pattern, expansion);
  const itself = /[*?]/u.test(pattern) ? [] : await plainFile(pattern, expansion).catch(() => []);
  if (itself.length > 0 && typeof toChoices(pattern) === "string") return itself;
  const found: string[] = [...itself];
  for (const choice of choicesOf(pattern))
    found.push(...(await walkPattern(choice, expansion, budget)));
  return found;
}

/** The path if it exists, else nothing. */
async function plainFile(path: string, { locate }: Expansion): Promise<readonly string[]> {
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
async function walkPattern(
  pattern: string,
  expansion: Expansion,
  budget: WalkBudget,
): Promise<readonly string[]> {
  const segments = pattern.replace(/\/+$/u, "").split("/");
  const first = segments.findIndex(hasMagic);
  const base = first < 0 ? pattern : segments.slice(0, first).join("/");
  const start = base === "" && pattern.startsWith("/") ? "/" : base;
  const real = await expansion.locate(start === "" ? "." : start).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.absent) return undefined;
    throw error;
  });
  if (real === undefined) return [];
  if (first < 0) return isFile(real) ? [pattern] : [];
  const rest = segments.slice(first);
  const walk: Walk = {
    ...expansion,
    pattern,
    budget,
    matcher: createPathMatcher(rest.join("/"), { hidden: false }),
    named: new Set(rest),
    found: [],
  };
  await walkDirectory(walk, { directory: start, below: "", depth: 0 });
  return walk.found;
}

interface Walk extends Expansion {
  readonly pattern: string;
  readonly budget: WalkBudget;
  /** For paths below the folder where the walk starts. */
  readonly matcher: PathMatcher;
  /** Directories named in the pattern, which are never skipped. */
  readonly named: ReadonlySet<string>;
  readonly found: string[];
}

interface WalkPlace {
  readonly directory: string;
  /** The path relative to the start of the walk. */
  readonly below: string;
  readonly depth: number;
}

async function walkDirectory(walk: Walk, at: WalkPlace): Promise<void> {
  if (at.depth > MAX_DEPTH) return;
  for (const entry of await entriesOf(walk, at.directory)) {
    const path = joinPath(at.directory, entry.name);
    const below = joinPath(at.below, entry.name);
    if (walk.matcher.matches(below) && (entry.isFile() || (await isLinkToFile(walk, entry, path))))
      walk.found.push(path);
    if (walk.found.length > MAX_MATCHES)
      throw new WorkspaceError(
        `the file pattern ${walk.pattern} matches more than ${MAX_MATCHES} files; write a narrower one`,
      );
    const isSkipped = SKIPPED_DIRECTORIES.has(entry.name) && !walk.named.has(entry.name);
    if (entry.isDirectory() && !isSkipped && walk.matcher.mayMatchBelow(below))
      await walkDirectory(walk, { directory: path, below, depth: at.depth + 1 });
  }
}

function joinPath(directory: string, name: string): string {
  if (directory === "") return name;
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function isLinkToFile({ locate }: Walk, entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  const target = await locate(path).catch(() => undefined);
  return target !== undefined && isFile(target);
}

/** Reads a directory within the budget, asynchronously, so that signals are handled meanwhile. */
async function entriesOf(walk: Walk, directory: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    const path = resolve(walk.root, directory === "" ? "." : directory);
    for await (const entry of await opendir(path, { bufferSize: 1000 })) {
      entries.push(entry);
      walk.budget.entries -= 1;
      if (walk.budget.entries < 0)
        throw new WorkspaceError(
          `the file pattern ${walk.pattern} would read more than ${MAX_ENTRIES} directory entries; write a narrower one`,
        );
    }
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(codeOf(error)))
      throw refusal(directory, error, "write a narrower pattern");
  }
  return entries;
}
