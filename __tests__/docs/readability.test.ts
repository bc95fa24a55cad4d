import { describe, expect, test } from "@jest/globals";
import { readPage } from "./documents.ts";

const USER_PAGES = [
  "README.md",
  "SECURITY.md",
  ...["concepts", "faq", "troubleshooting", "experiments", "gates", "reference", "targets"].map(
    (name) => `docs/${name}.md`,
  ),
  ...["secrets", "migrate"].map((name) => `docs/${name}.md`),
];
/** 60 is plain English; a page full of product names may be a little under it. */
const EASY_ENOUGH = 55;

/** Sentences as a reader meets them: no code, tables, headings or addresses of links. */
function sentencesOf(page: string): readonly (readonly string[])[] {
  const prose = readPage(page)
    .replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, "")
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, "")
    .replace(/^[|#].*$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`/g, "it");
  return prose
    .split(/[.!?]\s|\n\s*\n|\n- /)
    .map((sentence) => sentence.match(/[A-Za-z']+/g) ?? [])
    .filter((words) => words.length > 1);
}

/** Vowel groups, without a silent ending. */
function syllables(word: string): number {
  const core = word.toLowerCase().replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, "");
  return Math.max(1, core.match(/[aeiouy]+/g)?.length ?? 0);
}

/** Flesch reading ease (1948). */
function readingEase(page: string): number {
  const sentences = sentencesOf(page);
  const words = sentences.flat();
  const spoken = words.reduce((sum, word) => sum + syllables(word), 0);
  return 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (spoken / words.length);
}

describe("pages for users are plain English", () => {
  test.each(USER_PAGES)("%s reads with a Flesch score over 55", (page) => {
    expect(readingEase(page)).toBeGreaterThan(EASY_ENOUGH);
  });

  test.each(USER_PAGES)("%s has none of the words that nobody says", (page) => {
    const odd =
      /interface document|\btwins?\b|parted by|\bmend\b|statisticians|private authority|Read it so|carry on the work|crying wolf|known at apply/gi;
    expect(readPage(page).match(odd)).toBeNull();
  });
});

test("the README fits in 200 lines", () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThan(200);
});
