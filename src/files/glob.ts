import { braceExpand, Minimatch, type MinimatchOptions } from "minimatch";

/** The most alternatives that the braces of one pattern may expand to. */
const MAX_BRACE_CHOICES = 200;

/** No path that git or a file system knows is longer, so a longer pattern matches none. */
const MAX_PATTERN_CHARS = 4096;

/**
 * Braces are expanded before (`toChoices`), lists handle `!`, and `+(a|b)` is an ordinary name.
 * `\` escapes on every platform, and `..` is not resolved (level 0).
 */
const OPTIONS: MinimatchOptions = {
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  optimizationLevel: 0,
  platform: "linux",
};

/** Whether a pattern is more than a plain path. */
export function hasMagic(pattern: string): boolean {
  return /[*?{[\\]/u.test(pattern);
}

/** Expands `{a,b}`, also nested and repeated; returns a word if the braces are wrong. */
export function toChoices(pattern: string): readonly string[] | "too many" | "unpaired" {
  if (!hasPairedBraces(pattern)) return "unpaired";
  const choices = braceExpand(pattern, { braceExpandMax: MAX_BRACE_CHOICES + 1 });
  return choices.length > MAX_BRACE_CHOICES ? "too many" : choices;
}

/** Whether all braces are paired, ignoring escaped ones and those within `[ ]`. */
function hasPairedBraces(pattern: string): boolean {
  let open = 0;
  for (const [token] of pattern.matchAll(/\\.|\[[!^]?\]?(?:\\.|[^\]\\/])*\]|[{}]/gsu)) {
    if (token === "{") open += 1;
    if (token === "}") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/**
 * A pattern without braces, compiled for comparison with many paths. `hidden`: `*` and `**` also
 * match names that begin with a dot. `match(folder, true)`: anything below the folder may match.
 */
export const createPathMatcher = (
  pattern: string,
  { hidden }: { readonly hidden: boolean },
): Minimatch => new Minimatch(pattern, { ...OPTIONS, dot: hidden });

/** Null for an invalid pattern. */
function toMatchers(written: string): readonly Minimatch[] | null {
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
 * Compiles a list of patterns over paths from the root of a repository: `!` excludes, the last
 * match decides, and a plain directory includes everything below it. A list that begins with `!`
 * excludes from everything. An invalid pattern matches everything, since "nothing changed" would
 * be the wrong guess.
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
      else if (matchers.some((one) => one.match(path))) meant = !excludes;
    }
    return meant;
  };
}
