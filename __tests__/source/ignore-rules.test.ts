import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { parseDockerignore, parseGitignore } from "../../src/source/ignore-rules.ts";
import { createTree } from "../support/tree.ts";

const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.{1,2}$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const piece = fc.oneof(
  name,
  fc.constantFrom("*", "**", "?", "*a", "a*", "[ab]", "[!a]", "\\a", "*b*"),
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "/", "//"),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("/", "/", "/", "//"),
    fc.constantFrom("", "", "/", "//"),
  )
  .map(([not, from, pieces, slash, end]) => `${not}${from}${pieces.join(slash)}${end}`);

/** Whether git leaves a file out, as it walks down: a folder that is left out is not gone into. */
function isIgnored(rules: ReturnType<typeof parseGitignore>, names: readonly string[]): boolean {
  return names.some((_, at) => {
    const isFolder = at < names.length - 1;
    return rules.excludes(names.slice(0, at + 1), isFolder) === true;
  });
}

test("a .gitignore leaves out what git leaves out", () => {
  const tree = createTree();
  const git = (args: readonly string[], input = ""): string =>
    execFileSync("git", args, {
      cwd: tree.path,
      input,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: tree.path, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git(["init", "-q"]);
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 5 }),
      fc.array(path, { minLength: 1, maxLength: 12 }),
      (patterns, paths) => {
        tree.write(".gitignore", `${patterns.join("\n")}\n`);
        const rules = parseGitignore(patterns.join("\n"));
        const asked = [...new Set(paths.map((names) => names.join("/")))].filter(
          (one) => !one.split("/").includes(".git"),
        );
        let out = "";
        try {
          out = git(["check-ignore", "--no-index", "--stdin", "-z"], asked.join("\0"));
        } catch (error) {
          if ((error as { status?: unknown }).status !== 1) throw error;
        }
        const ignored = out.split("\0").filter(Boolean).sort();
        expect(asked.filter((one) => isIgnored(rules, one.split("/"))).sort()).toEqual(ignored);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ["docs", "docs/a.txt", true],
  ["docs", "sub/docs/a.txt", false],
  ["**/docs", "sub/docs/a.txt", true],
  ["*.md", "README.md", true],
  ["*.md", "sub/README.md", false],
  ["/a", "a", true],
  ["./a/../b", "b", true],
  ["*\n!src", "src/x/y.py", false],
  ["*\n!src", "other.py", true],
  ["**\n!src/keep.py", "src/keep.py", false],
  ["src\n!src/keep.py", "src/keep.py", false],
  ["src\n!src/keep.py", "src/other.py", true],
  ["# a comment", "# a comment", false],
  ["a?c", "abc", true],
])("a .dockerignore of %j leaves out %s: %s", (text, file, expected) => {
  expect(parseDockerignore(text).excludes(file.split("/"))).toBe(expected);
});

test("no pattern takes long, whatever the name", () => {
  const startedAt = process.cpuUsage().user;
  const text = `${"*a".repeat(40)}b\n${"**/a/".repeat(40)}b\n`;
  const names = Array.from({ length: 60 }, () => "a".repeat(60));
  for (let at = 0; at < 200; at += 1) {
    parseGitignore(text).excludes(names, false);
    parseDockerignore(text).excludes(names);
  }
  expect(process.cpuUsage().user - startedAt).toBeLessThan(20_000_000);
});
