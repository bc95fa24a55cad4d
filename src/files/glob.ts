import { braceExpand, Minimatch, type MinimatchOptions } from "minimatch";

/** Most choices that the braces of one pattern may multiply to. */
const MAX_BRACE_CHOICES = 200;

/** No path that git or a file system knows is longer, so a longer pattern fits none. */
const MAX_PATTERN_CHARS = 4096;

/**
 * Braces are expanded before (`toChoices`), `!` is read by the lists, and `+(a|b)` is a name like any
 * other. A `\` escapes on every platform, and `..` leads nowhere (level 0 resolves none).
 */
const OPTIONS: MinimatchOptions = {
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  optimizationLevel: 0,
  platform: "linux",
};

/** Whether a pattern is more than one plain path. */
export function hasMagic(pattern: string): boolean {
  return /[*?{[\\]/u.test(pattern);
}

/** `{a,b}` written out, also nested and several; a word that says what is wrong with the braces. */
export function toChoices(pattern: string): readonly string[] | "too many" | "unpaired" {
  if (!hasPairedBraces(pattern)) return "unpaired";
  const choices = braceExpand(pattern, { braceExpandMax: MAX_BRACE_CHOICES + 1 });
  return choices.length > MAX_BRACE_CHOICES ? "too many" : choices;
}

/** Whether each brace has its partner; those that are escaped or in `[ ]` need none. */
function hasPairedBraces(pattern: string): boolean {
  let open = 0;
  for (const [token] of pattern.matchAll(/\\.|\[[!^]?\]?(?:\\.|[^\]\\/])*\]|[{}]/gsu)) {
    if (token === "{") open += 1;
    if (token === "}") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** A pattern without braces, ready to be compared with many paths below one folder. */
export interface PathMatcher {
  readonly matches: (path: string) => boolean;
  /** Whether something below this folder may match. */
  readonly mayMatchBelow: (folder: string) => boolean;
}

/** `hidden`: `*` and `**` match names that start with a dot too. */
export function createPathMatcher(
  pattern: string,
  { hidden }: { readonly hidden: boolean },
): PathMatcher {
  const compiled = new Minimatch(pattern, { ...OPTIONS, dot: hidden });
  return {
    matches: (path) => compiled.match(path),
    mayMatchBelow: (folder) => compiled.match(folder, true),
  };
}

/** Null for a pattern that cannot be read. */
function toMatchers(written: string): readonly PathMatcher[] | null {
  const pattern = written.replace(/^!/u, "").replace(/^(?:\.?\/)+/u, "");
  const choices = written.length > MAX_PATTERN_CHARS ? "too many" : toChoices(pattern);
  if (typeof choices === "string") return null;
  return choices.flatMap((choice) => {
    const itself = choice.replace(/\/+$/u, "");
    const isFolder = choice.endsWith("/") || !hasMagic(choice);
    return [itself, ...(isFolder ? [`${itself}/**`] : [])].map((one) =>
      createPathMatcher(one, { hidden: true }),
    );
  });
}

/**
 * Which paths from the root of a repository a list of patterns means: `!` takes back, the last that fits decides, and a
 * plain directory means all below it. A list that begins with `!` takes from everything. A pattern that cannot be read
 * means everything, since "nothing changed" would be the wrong guess.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const read = patterns.map((written) => ({
    excludes: written.startsWith("!"),
    matchers: toMatchers(written),
  }));
  return (path) => {
    let meant = read[0]?.excludes === true;
    for (const { excludes, matchers } of read) {
      if (matchers === null) meant ||= !excludes;
      else if (matchers.some(({ matches }) => matches(path))) meant = !excludes;
    }
    return meant;
  };
}
