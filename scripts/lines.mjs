// Lines are for reading: few are long, and none is very long but a single literal.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const LONG = 120;
const MOST_LONG_SHARE = 0.01;
const VERY_LONG = 160;
/** What stands around a literal that is data: the key or the call it belongs to. */
const MOST_AROUND_DATA = 100;
/** Bytes and texts of others, kept as they came. */
const OTHERS = /(?:^|\/)(?:fixtures|golden|corpus|producers\/files)\//;

/** A sentence, markup, a pattern: from its opening mark to its closing one, or to the end of a line that it goes beyond. */
const LITERAL =
  /`(?:\\.|[^`\\])*`?|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*/g;

/** Whether a line is long because of literals alone; `inText` where a template began on a line before. */
export function isData(line, inText = false) {
  if (inText) return true;
  return line.replace(LITERAL, "").length <= MOST_AROUND_DATA;
}

/** `path:line: …` for every line that is too long, and one more where there are too many long ones. */
export function longLines(files) {
  const found = [];
  let [total, long] = [0, 0];
  for (const { path, text } of files) {
    let inText = false;
    for (const [index, line] of text.split("\n").entries()) {
      total += 1;
      if (line.length > LONG) long += 1;
      if (line.length > VERY_LONG && !isData(line, inText))
        found.push(
          `${path}:${index + 1}: ${line.length} columns; ${VERY_LONG} are the most for code`,
        );
      const isComment = /^\s*(?:\/\/|\/?\*)/.test(line) && !inText;
      const marks = isComment
        ? 0
        : (line.replace(/\\.|"[^"`]*"|\/\/ .*$/g, "").match(/`/g) ?? []).length;
      if (marks % 2 === 1) inText = !inText;
    }
  }
  const share = long / Math.max(1, total);
  if (share >= MOST_LONG_SHARE)
    found.push(
      `${long} of ${total} lines (${(100 * share).toFixed(2)} %) have more than ${LONG} columns; less than 1 % may`,
    );
  return { found, long, total };
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const listed = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "src", "__tests__"],
    { cwd: root, encoding: "utf8" },
  );
  const files = listed
    .split("\n")
    .filter((path) => /\.(ts|mts|mjs)$/.test(path) && !OTHERS.test(path))
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const { found, long, total } = longLines(files);
  for (const line of found) console.error(line);
  console.log(`lines: ${long} of ${total} have more than ${LONG} columns, ${found.length} to fix`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main();
