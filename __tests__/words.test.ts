// The vocabulary of the project is the field's: what once stood for a thing of ours alone does not come back.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "./support/tree.ts";

/** A word of ours alone, and what to write. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bdoors?\b/i, "entry point"],
  [/\btwins?\b/i, "duplicate"],
  [/\bdying\b/i, "deleting"],
  [/\brehears(?:e|ed|al|ing)\b/i, "dry run"],
  [/\bsightings?\b/i, "status transition"],
  [/\bscrub(?:s|bed|ber|bing)?\b/i, "redact"],
  [/\bunpaid\b/i, "without credentials"],
  [/\bhollow\b/i, "empty"],
  [/\bpatience\b/i, "timeout"],
  [/\bsurveys?\b/i, "index pass"],
  [/\bcomplain(?:s|ed|ing|ts?)?\b/i, "report, diagnostic"],
  [/\bunproven\b/i, "lookup unavailable"],
  [/\bundecided\b/i, "outcome unknown"],
  [/\bparted\b/i, "separated"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\berrands?\b/i, "task"],
  [/\bluck\b/i, "chance"],
  [/\bstatisticians\b/i, "say what they need to know"],
  [/\bis no (?:JSON|YAML|CSV|XML|UTF-8|DNS|C identifier|valid)\b/, "is not"],
];
/** Where these words stand because they are looked for, and what is generated or of others. */
const EXEMPT =
  /^(?:__tests__\/words\.test\.ts|__tests__\/docs\/(?:readability|messages)\.test\.ts|docs\/gallery\/)|(?:^|\/)(?:fixtures|golden|corpus|producers\/files)\//;

/** `path:line: word → what to write` for every line that has one of the words. */
function findWords(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    WORDS.flatMap(([word, plain]) => {
      const found = word.exec(line);
      return found === null ? [] : [`${path}:${index + 1}: ${found[0]} → ${plain}`];
    }),
  );
}

describe("words", () => {
  test("sources, tests, docs and workflows have none of the words that are ours alone", () => {
    const listed = execFileSync("git", ["ls-files"], { cwd: repositoryRoot, encoding: "utf8" });
    const paths = listed
      .split("\n")
      .filter((path) => /\.(?:ts|mts|mjs|md|ya?ml|sh)$/.test(path) && !/^dist\//.test(path))
      .filter((path) => !EXEMPT.test(path) && existsSync(join(repositoryRoot, path)));
    expect(paths.length).toBeGreaterThan(500);
    expect(
      paths.flatMap((path) => findWords(path, readFileSync(join(repositoryRoot, path), "utf8"))),
    ).toEqual([]);
  });

  test("the check names the word, its line and what to write", () => {
    expect(findWords("a.md", "Fine.\nIts twin is dying.")).toEqual([
      "a.md:2: twin → duplicate",
      "a.md:2: dying → deleting",
    ]);
  });

  test("the glossary has ten rows, each word once", () => {
    const page = readFileSync(join(repositoryRoot, "ARCHITECTURE.md"), "utf8");
    const section = page.slice(page.indexOf("## Glossary")).split(/\n## /)[0]!;
    const words = [...section.matchAll(/^\| (?!Word \|)([^|]+) \|/gm)]
      .flatMap(([, cell]) => cell!.split(","))
      .map((word) => word.trim())
      .filter((word) => !/^-+$/.test(word));
    expect(section.match(/^\| (?!Word \||---)/gm)).toHaveLength(10);
    expect(new Set(words).size).toBe(words.length);
  });
});
