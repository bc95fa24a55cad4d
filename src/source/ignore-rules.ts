import { createPathMatcher } from "../files/glob.ts";

interface Rule {
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (names: readonly string[]) => boolean;
}

/** The rules of a .gitignore for everything in or below its folder. */
export interface GitRules {
  /** The last matching rule decides; undefined if none matches. `names`: the path from the folder of the .gitignore. */
  readonly excludes: (names: readonly string[], isFolder: boolean) => boolean | undefined;
}

/** The rules of a .dockerignore for its folder. */
export interface DockerRules {
  readonly excludes: (names: readonly string[]) => boolean;
  /** Whether a rule may include something below an excluded folder again. */
  readonly takesBack: boolean;
}

/** A longer line matches no path of a file system. */
const MAX_PATTERN_CHARS = 4096;
/** More rules than anyone writes; each is tested against every path. */
const MAX_RULES = 5_000;

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .map((line) => line.replace(/\r$/u, ""))
    .filter((line) => line.length <= MAX_PATTERN_CHARS)
    .slice(0, MAX_RULES);

/** Parses a .gitignore (gitignore(5)). */
export function parseGitignore(text: string): GitRules {
  const rules = linesOf(text).flatMap((line) => toGitRule(line) ?? []);
  return {
    excludes: (names, isFolder) =>
      rules.findLast(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(names))
        ?.excludes,
  };
}

function toGitRule(line: string): Rule | null {
  if (line.startsWith("#")) return null;
  const trimmed = withoutTrailingSpaces(line);
  const negated = trimmed.startsWith("!");
  const written = negated ? trimmed.slice(1) : trimmed;
  const pattern = written.replace(/\/$/u, "");
  // No path has an empty name, so git matches nothing with two slashes in a row.
  if (pattern === "" || written.includes("//")) return null;
  const foldersOnly = written.endsWith("/");
  const isAnchored = pattern.includes("/");
  const matches = isAnchored
    ? namesMatcher(pattern.replace(/^\//u, ""))
    : byLastName(namesMatcher(pattern === "**" ? "*" : pattern));
  return { excludes: !negated, foldersOnly, matches };
}

function namesMatcher(pattern: string): (names: readonly string[]) => boolean {
  const matcher = createPathMatcher(pattern, { hidden: true });
  return (names) => matcher.match(names.join("/"));
}

const byLastName =
  (matches: (names: readonly string[]) => boolean) =>
  (names: readonly string[]): boolean =>
    matches(names.slice(-1));

/** Trailing spaces count only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/**
 * Parses a .dockerignore (Docker's build context page): paths start at the root of the context,
 * and a folder includes everything below it.
 */
export function parseDockerignore(text: string): DockerRules {
  const rules = linesOf(text).flatMap((line): Rule[] => {
    if (line.startsWith("#")) return [];
    const trimmed = line.trim();
    const negated = trimmed.startsWith("!");
    const segments = clean((negated ? trimmed.slice(1) : trimmed).trim());
    if (segments.length === 0) return [];
    const matches = namesMatcher(segments.join("/"));
    return [{ excludes: !negated, foldersOnly: false, matches: withParents(matches) }];
  });
  return {
    excludes: (names) => rules.findLast(({ matches }) => matches(names))?.excludes === true,
    takesBack: rules.some(({ excludes }) => !excludes),
  };
}

/** Cleans a path into segments, like Go's filepath.Clean. */
function clean(pattern: string): string[] {
  const segments: string[] = [];
  for (const segment of pattern.split("/")) {
    if (segment === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (segment !== "" && segment !== "." && !(segment === "**" && segments.at(-1) === "**"))
      segments.push(segment);
  }
  return segments;
}

/** Whether the path or one of its parent folders matches. */
const withParents =
  (matches: (names: readonly string[]) => boolean) =>
  (names: readonly string[]): boolean =>
    names.some((_, at) => matches(names.slice(0, at + 1)));
