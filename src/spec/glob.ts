/** Most choices that the braces of one pattern may multiply to. */
const MAX_BRACE_CHOICES = 200;

/** No path that git or a file system knows is longer, so a longer pattern fits none. */
const MAX_PATTERN_CHARS = 4096;

/** Whether a pattern is more than one plain path. */
export function hasMagic(pattern: string): boolean {
  return /[*?{]/u.test(pattern);
}

/** `{a,b}` written out, also nested and several; a word saying what is wrong when there are too many, or a brace has no partner. */
export function spreadBraces(pattern: string): readonly string[] | "too many" | "unpaired" {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (open.length + done.length > MAX_BRACE_CHOICES) return "too many";
    const next = open.pop()!;
    // The innermost pair first: it holds no other.
    const inner = /\{([^{}]*)\}/u.exec(next);
    if (inner !== null) {
      for (const choice of inner[1]!.split(",").reverse())
        open.push(next.slice(0, inner.index) + choice + next.slice(inner.index + inner[0].length));
    } else if (/[{}]/u.test(next)) return "unpaired";
    else done.push(next);
  }
  return done;
}

/** One name against one segment of a pattern (`*`, `?`); greedy with one step back, so that no pattern is slow. */
export function matchesSegment(segment: string, name: string): boolean {
  let star = -1;
  let resume = 0;
  let at = 0;
  let index = 0;
  while (index < name.length) {
    if (at < segment.length && segment[at] === "*") {
      star = at;
      at += 1;
      resume = index;
    } else if (at < segment.length && (segment[at] === "?" || segment[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (segment[at] === "*") at += 1;
  return at === segment.length;
}

/** A path against a pattern without braces: the same walk as for one segment, with `**` for any number of directories. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  let reach = new Set([0]);
  const skip = (at: number): number =>
    pattern[at] === "**" && at < pattern.length - 1 ? skip(at + 1) : at;
  for (const name of path) {
    const next = new Set<number>();
    for (const start of reach) {
      for (let at = start; at < pattern.length; at += 1) {
        if (pattern[at] === "**") {
          next.add(at);
          if (at === pattern.length - 1) next.add(pattern.length);
          continue;
        }
        if (matchesSegment(pattern[at]!, name)) next.add(at + 1);
        break;
      }
    }
    reach = next;
  }
  return [...reach].some((at) => skip(at) === pattern.length);
}

/** Whether a path from the root of a repository is meant by the patterns: `!` takes back, the last that fits decides, a plain directory means all below it. */
export function matchesGlob(patterns: readonly string[], path: string): boolean {
  const names = path.split("/");
  let meant = false;
  for (const written of patterns) {
    if (written.length > MAX_PATTERN_CHARS) continue;
    const pattern = written.replace(/^!/u, "").replace(/^(?:\.?\/)+/u, "");
    const choices = spreadBraces(pattern);
    const fits = (typeof choices === "string" ? [pattern] : choices).some((choice) => {
      // Of several `**` in a row one says it all; each more would cost another walk of the path.
      const segments = choice
        .replace(/\/+$/u, "")
        .split("/")
        .filter((segment, at, all) => segment !== "**" || all[at - 1] !== "**");
      return (
        matchesPath(segments, names) ||
        ((choice.endsWith("/") || !hasMagic(choice)) && matchesPath([...segments, "**"], names))
      );
    });
    if (fits) meant = !written.startsWith("!");
  }
  return meant;
}
