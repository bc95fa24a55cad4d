/**
 * The one matcher of file patterns: `*` `**` `?` `[…]` `{a,b}`, `!` for what is left out, `\`
 * before a character that means itself. Patterns and file names may both come from a stranger, so
 * no pair of them takes more time than their lengths multiplied: there is no regular expression
 * here that could go back over a name.
 */

/** Most choices that the braces of one pattern may multiply to. */
const MAX_BRACE_CHOICES = 200;

/** No path that git or a file system knows is longer, so a longer pattern fits none. */
const MAX_PATTERN_CHARS = 4096;

/** Whether a pattern is more than one plain path. */
export function hasMagic(pattern: string): boolean {
  return /[*?{[\\]/u.test(pattern);
}

interface Braces {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

/** The first pair of braces with a comma that holds no other such pair; null where there is none. */
function firstBraces(pattern: string): Braces | "unpaired" | null {
  const open: { at: number; commas: number[] }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") at += 1;
    else if (char === "[") at = endOfSet(pattern, at) ?? at;
    else if (char === "{") open.push({ at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const pair = open.pop();
      if (pair === undefined) return "unpaired";
      if (pair.commas.length > 0) return { open: pair.at, close: at, commas: pair.commas };
    }
  }
  return open.length > 0 ? "unpaired" : null;
}

/**
 * `{a,b}` written out, also nested and several; a word saying what is wrong when there are too
 * many, or a brace has no partner.
 */
export function spreadBraces(pattern: string): readonly string[] | "too many" | "unpaired" {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (open.length + done.length > MAX_BRACE_CHOICES) return "too many";
    const next = open.pop()!;
    const braces = firstBraces(next);
    if (braces === "unpaired") return "unpaired";
    if (braces === null) {
      done.push(next);
      continue;
    }
    const ends = [braces.open, ...braces.commas, braces.close];
    for (let at = ends.length - 2; at >= 0; at -= 1) {
      const choice = next.slice(ends[at]! + 1, ends[at + 1]);
      open.push(next.slice(0, braces.open) + choice + next.slice(braces.close + 1));
    }
  }
  return done;
}

/** Index of the `]` that ends the set opened at `at`; null where none does, and the `[` means itself. */
function endOfSet(segment: string, at: number): number | null {
  let end = at + 1;
  if (segment[end] === "!" || segment[end] === "^") end += 1;
  // A `]` that comes first is one of the characters.
  if (segment[end] === "]") end += 1;
  for (; end < segment.length && segment[end] !== "/"; end += 1) {
    if (segment[end] === "\\") end += 1;
    else if (segment[end] === "]") return end;
  }
  return null;
}

/** What one place of a name may be: one character, any one, any number of any, or one of a set. */
type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | {
      readonly kind: "set";
      readonly not: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    };

const codeOf = (char: string): number => char.codePointAt(0)!;

function toSet(body: string): Token {
  const not = body.startsWith("!") || body.startsWith("^");
  const chars: { readonly char: string; readonly escaped: boolean }[] = [];
  const all = [...body.slice(not ? 1 : 0)];
  for (let at = 0; at < all.length; at += 1) {
    const escaped = all[at] === "\\" && at + 1 < all.length;
    if (escaped) at += 1;
    chars.push({ char: all[at]!, escaped });
  }
  const ranges: [number, number][] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const from = codeOf(chars[at]!.char);
    const dash = chars[at + 1];
    const to = chars[at + 2];
    if (dash?.char === "-" && !dash.escaped && to !== undefined) {
      ranges.push([from, codeOf(to.char)]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return { kind: "set", not, ranges };
}

function toTokens(segment: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < segment.length; at += 1) {
    const char = String.fromCodePoint(segment.codePointAt(at)!);
    const end = char === "[" ? endOfSet(segment, at) : null;
    if (end !== null) {
      tokens.push(toSet(segment.slice(at + 1, end)));
      at = end;
    } else if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "\\" && at + 1 < segment.length) {
      at += 1;
      const plain = String.fromCodePoint(segment.codePointAt(at)!);
      tokens.push({ kind: "char", char: plain });
      at += plain.length - 1;
    } else {
      tokens.push({ kind: "char", char });
      at += char.length - 1;
    }
  }
  return tokens;
}

function matchesToken(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind !== "set") return true;
  const code = codeOf(char);
  return token.ranges.some(([from, to]) => from <= code && code <= to) !== token.not;
}

/** Greedy with one step back, so that no pattern is slow. */
function matchesTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let star = -1;
  let resume = 0;
  let at = 0;
  let index = 0;
  while (index < name.length) {
    const token = tokens[at];
    if (token?.kind === "star") {
      star = at;
      at += 1;
      resume = index;
    } else if (token !== undefined && matchesToken(token, name[index]!)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (tokens[at]?.kind === "star") at += 1;
  return at === tokens.length;
}

/** A segment of a pattern, ready to be held against many names. */
export function segmentMatcher(segment: string): (name: string) => boolean {
  const tokens = toTokens(segment);
  return (name) => matchesTokens(tokens, [...name]);
}

/** A segment without the `\` before characters that mean themselves. */
export function toPlainSegment(segment: string): string {
  return segment.replace(/\\(.)/gsu, "$1");
}

type SegmentMatcher = ((name: string) => boolean) | "**";

/**
 * A path against a pattern without braces: the same walk as for one segment, with `**` for any
 * number of directories.
 */
function matchesPath(pattern: readonly SegmentMatcher[], path: readonly string[]): boolean {
  let reach = new Set([0]);
  const skip = (at: number): number =>
    pattern[at] === "**" && at < pattern.length - 1 ? skip(at + 1) : at;
  for (const name of path) {
    const next = new Set<number>();
    for (const start of reach) {
      for (let at = start; at < pattern.length; at += 1) {
        const segment = pattern[at]!;
        if (segment === "**") {
          next.add(at);
          if (at === pattern.length - 1) next.add(pattern.length);
          continue;
        }
        if (segment(name)) next.add(at + 1);
        break;
      }
    }
    reach = next;
  }
  return [...reach].some((at) => skip(at) === pattern.length);
}

/** A path pattern of segments (no braces, `**` for any number of folders), ready to be held against the names of many paths. */
export function segmentsMatcher(
  segments: readonly string[],
): (names: readonly string[]) => boolean {
  const pattern = segments.map((one) => (one === "**" ? one : segmentMatcher(one)));
  return (names) => matchesPath(pattern, names);
}

interface PathPattern {
  readonly excludes: boolean;
  readonly choices: readonly (readonly SegmentMatcher[])[];
}

/** Of several `**` in a row one says it all; each more would cost another walk of the path. */
export function toSegments(pattern: string): string[] {
  return pattern
    .replace(/\/+$/u, "")
    .split("/")
    .filter((segment, at, all) => segment !== "**" || all[at - 1] !== "**");
}

/** Null for a pattern that cannot be read. */
function toPathPattern(written: string): PathPattern | null {
  const excludes = written.startsWith("!");
  const pattern = written.replace(/^!/u, "").replace(/^(?:\.?\/)+/u, "");
  const spread = written.length > MAX_PATTERN_CHARS ? "too many" : spreadBraces(pattern);
  if (typeof spread === "string") return null;
  const choices = spread.flatMap((choice) => {
    const segments = toSegments(choice).map((segment) =>
      segment === "**" ? segment : segmentMatcher(segment),
    );
    const below = choice.endsWith("/") || !hasMagic(choice);
    return below ? [segments, [...segments, "**" as const]] : [segments];
  });
  return { excludes, choices };
}

/**
 * Which paths from the root of a repository a list of patterns means: `!` takes back, the last that fits decides, and a
 * plain directory means all below it. A list that begins with `!` takes from everything. A pattern that cannot be read
 * means everything, since "nothing changed" would be the wrong guess.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const read = patterns.map(toPathPattern);
  return (path) => {
    const names = path.split("/");
    let meant = patterns[0]?.startsWith("!") === true;
    for (const [at, pattern] of read.entries()) {
      if (pattern === null) meant ||= !patterns[at]!.startsWith("!");
      else if (pattern.choices.some((choice) => matchesPath(choice, names)))
        meant = !pattern.excludes;
    }
    return meant;
  };
}
