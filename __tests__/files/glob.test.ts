import { describe, expect, test } from "@jest/globals";
import { createPathMatcher, pathMatcher, toChoices } from "../../src/files/glob.ts";

describe("the paths that a list of patterns matches", () => {
  test.each<[string[], string, boolean]>([
    [["agents/support/**"], "agents/support/a/b.py", true],
    [["agents/support/**"], "agents/support", false],
    [["agents/support/**"], "agents/supporter/a.py", false],
    [["agents/support"], "agents/support/a.py", true],
    [["agents/"], "agents/a.py", true],
    [["*"], "a.py", true],
    [["*"], "a/b.py", false],
    [["**"], "a/b/.c", true],
    [["**/*.py"], "a.py", true],
    [["**/*.py"], "a/b/c.py", true],
    [["**/*.py"], "a.pyc", false],
    [["a/**/z"], "a/z", true],
    [["a/**/z"], "a/b/c/z", true],
    [["a/**/z"], "a/b/c", false],
    [["a/**/**/z"], "a/z", true],
    [["a?c.{json,yml}"], "abc.yml", true],
    [["a?c.{json,yml}"], "ac.yml", false],
    [["{a,b{c,d}}/x"], "bd/x", true],
    [["a+(b).txt"], "a+(b).txt", true],
    [["./a/*"], "a/b", true],
    [["**", "!docs/**"], "docs/a.md", false],
    [["**", "!docs/**", "docs/keep.md"], "docs/keep.md", true],
    [["!docs/**"], "src/a", true],
    [["!docs/**"], "docs/a", false],
    [["{a,b"], "src/a", true],
    [["src/[ab].py"], "src/b.py", true],
    [["src/[!ab].py"], "src/b.py", false],
    [["src/[a-c]?.{py,js}"], "src/bx.js", true],
    [["a\\[1\\].txt"], "a[1].txt", true],
    [["a[]-].txt"], "a].txt", true],
    [["a[.txt"], "a[.txt", true],
    [["?.txt"], "😀.txt", true],
    [[], "a", false],
  ])("%j and %s: %s", (patterns, path, expected) => {
    expect(pathMatcher(patterns)(path)).toBe(expected);
  });
});

test("a pattern with many stars takes no time", () => {
  const started = process.cpuUsage();
  const stars = createPathMatcher(`${"*[a]".repeat(500)}b`, { hidden: true });
  expect(stars.match("a".repeat(5000))).toBe(false);
  expect(pathMatcher([`${"**/*a*/".repeat(60)}b`])(`${"aaaa/".repeat(200)}c`)).toBe(false);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});

test("braces are bounded, and a single brace is not a pattern", () => {
  expect(toChoices("a{b,c}d")).toEqual(["abd", "acd"]);
  expect(toChoices("{a,b}".repeat(20))).toBe("too many");
  expect(toChoices("a{b")).toBe("unpaired");
});
