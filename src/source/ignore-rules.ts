import { createPathMatcher } from "../files/glob.ts";

/** One line of an ignore file. */
interface Rule {
  readonly excludes: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (names: readonly string[]) => boolean;
}

/** What a .gitignore says of what is in its folder or below. */
export interface GitRules {
  /** The last rule that fits decides; undefined where none does. `names`: the path from the file's folder. */
  readonly excludes: (names: readonly string[], isFolder: boolean) => boolean | undefined;
}

/** What a .dockerignore says of the folder that it is in. */
export interface DockerRules {
  readonly excludes: (names: readonly string[]) => boolean;
  /** Whether something below an excluded folder may be taken back. */
  readonly takesBack: boolean;
}

/** Longer lines name nothing that a file system holds. */
const MOST_PATTERN_CHARS = 4096;
/** More rules than any file has that a person wrote; each costs a look at each path. */
const MOST_RULES = 5_000;

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .map((line) => line.replace(/\r$/u, ""))
    .filter((line) => line.length <= MOST_PATTERN_CHARS)
    .slice(0, MOST_RULES);

/** A .gitignore (gitignore(5)). */
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
  const pattern = written.replace(/\/+$/u, "");
  if (pattern === "") return null;
  const foldersOnly = written.endsWith("/");
  const isAnchored = pattern.includes("/");
  const matches = isAnchored
    ? namesMatcher(pattern.replace(/^\/+/u, ""))
    : byLastName(namesMatcher(pattern === "**" ? "*" : pattern));
  return { excludes: !negated, foldersOnly, matches };
}

function namesMatcher(pattern: string): (names: readonly string[]) => boolean {
  const { matches } = createPathMatcher(pattern, { hidden: true });
  return (names) => matches(names.join("/"));
}

const byLastName =
  (matches: (names: readonly string[]) => boolean) =>
  (names: readonly string[]): boolean =>
    matches(names.slice(-1));

/** Spaces at the end count only where a backslash comes before them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/** A .dockerignore (Docker's build context page): from the root of the context, a folder means all below it. */
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

/** The segments of a path, as Go's filepath.Clean leaves them. */
function clean(pattern: string): string[] {
  const segments: string[] = [];
  for (const segment of pattern.split("/")) {
    if (segment === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (segment !== "" && segment !== "." && !(segment === "**" && segments.at(-1) === "**"))
      segments.push(segment);
  }
  return segments;
}

/** Whether the path or a folder that it is in fits. */
const withParents =
  (matches: (names: readonly string[]) => boolean) =>
  (names: readonly string[]): boolean =>
    names.some((_, at) => matches(names.slice(0, at + 1)));
