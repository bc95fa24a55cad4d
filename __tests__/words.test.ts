// The vocabulary of the project is the field's, and its English a native speaker's: words that were invented here, or that a
// native speaker would not write there, do not come back.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "./support/tree.ts";

type Word = readonly [RegExp, string];

/** A word that was invented here, and what to write; it may be nowhere, not even as a name in code. */
const INVENTED: readonly Word[] = [
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
/** What a native speaker would not write in a message, a page or a comment, and what to write. */
const UNNATURAL: readonly Word[] = [
  [/\bst(?:ands|ood)\b/i, "is, was"],
  [/\blies\b/i, "is"],
  [/\btold\b/i, "reported, given"],
  [/\btells?\b/i, "report, log, print, show, distinguish"],
  [/\bbeside\b/i, "next to, with"],
  [/\bbehind\b/i, "after, in the background"],
  [/\bof which\b/i, "a sentence of its own"],
  [/\bwithout a word\b/i, "silently"],
  [/\balone\b/i, "only"],
  [/\bgo(?:es|ing)? on\b|\bwent on\b/i, "continue"],
  [/\bthe time was up\b/i, "timed out"],
  [/\b(?:is|was) not there\b/i, "does not exist"],
  [/\ball the same\b/i, "anyway"],
  [/\bbelongs? into\b/i, "belongs in"],
  [/\b(?:that|it) is none\b|\b(?:is|are) none of\b/i, "is not one, no"],
  [/\b(?:which|and that) is said\b|\band said\b(?! that\b)/i, "and says so, reports, warns"],
  [/\ba roll back\b/i, "a rollback"],
];
/** Where these words are because they are looked for, and what is generated or of others. */
const EXEMPT =
  /^(?:__tests__\/words\.test\.ts|__tests__\/docs\/(?:readability|messages)\.test\.ts|docs\/gallery\/|contributing\/interface\.md)|(?:^|\/)(?:fixtures|golden|corpus|producers\/files)\//;

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:"'`\w\\])\/\/[^\n]*/g;
const TEXTS = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** A text that a callback follows: the title of a test, a describe or a row of them, under whatever name. */
const TITLES =
  /\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`),\s*(?:async\s*)?(?:\w+|\((?:[^()]|\([^()]*\))*\))(?::\s*[\w<>]+)?\s*=>/g;
const SHELL_COMMENTS = /(?:^|(?<=\s))#[^\n]*|(?<=description: )[^\n]*/gm;

/** What people read of a file: of code its comments, of src/ its messages and of tests their titles too; without names in backticks. */
function proseOf(path: string, text: string): string[] {
  const isCode = /\.(?:ts|mts|mjs)$/.test(path);
  if (!isCode && /\.(?:ya?ml|sh)$/.test(path)) return text.match(SHELL_COMMENTS) ?? [];
  if (!isCode) return [text.replace(/`[^`\n]*`/g, "")];
  const comments = (text.match(COMMENTS) ?? []).map((one) => one.replace(/`[^`\n]*`/g, ""));
  const messages = path.startsWith("src/")
    ? (text.match(TEXTS) ?? []).filter((one) => one.includes(" "))
    : [];
  const titles = path.startsWith("__tests__/")
    ? Array.from(text.matchAll(TITLES), ([, title]) => title!.replace(/\$\{[^}]*\}/g, ""))
    : [];
  return [...comments, ...messages, ...titles];
}

/** `path: word → what to write: the line` for every place that has one of the words. */
function findWords(path: string, text: string): string[] {
  const find = (words: readonly Word[], lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      words.flatMap(([word, plain]) => {
        const found = word.exec(line);
        return found === null ? [] : [`${path}: ${found[0]} → ${plain}: ${line.trim()}`];
      }),
    );
  return [
    ...find(INVENTED, text.split("\n")),
    ...find(
      UNNATURAL,
      proseOf(path, text).flatMap((one) => one.split("\n")),
    ),
  ];
}

describe("words", () => {
  test("sources, tests, docs and workflows have none of the words to avoid", () => {
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

  test("the check names the word and what to write", () => {
    expect(findWords("a.md", "Fine.\nIts twin is dying.")).toEqual([
      "a.md: twin → duplicate: Its twin is dying.",
      "a.md: dying → deleting: Its twin is dying.",
    ]);
    const code = 'const beside = 1; // It stands there.\nlog("nobody tells you");\n';
    expect(findWords("src/a.ts", code)).toEqual([
      "src/a.ts: stands → is, was: // It stands there.",
      'src/a.ts: tells → report, log, print, show, distinguish: "nobody tells you"',
    ]);
    expect(findWords("__tests__/a.ts", code)).toHaveLength(1);
    const tests =
      'test.each([["beside"]])(\n  "is told apart from %s, which is said",\n  async ([a], b) => {});\n' +
      "describe(`a roll back of ${told}`, () => {});";
    expect(findWords("scripts/a.ts", tests)).toEqual([]);
    expect(findWords("__tests__/a.ts", tests)).toEqual([
      '__tests__/a.ts: told → reported, given: "is told apart from %s, which is said"',
      '__tests__/a.ts: which is said → and says so, reports, warns: "is told apart from %s, which is said"',
      "__tests__/a.ts: a roll back → a rollback: `a roll back of `",
    ]);
  });

  test("the glossary has ten rows, and each word once", () => {
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
