import { describe, expect, test } from "@jest/globals";
import writeGood from "write-good";
import { readPage, userPages } from "./documents.ts";

/** Tables, most of them generated: nobody reads them as prose. */
const GENERATED_OR_TABLES = new Set([
  "docs/gallery/README.md",
  "docs/emulator/scenarios.md",
  "docs/evals/baselines.md",
  "docs/evals/formats.md",
  "docs/reference/spec.md",
]);

const USER_PAGES = [
  "README.md",
  "SECURITY.md",
  ...userPages.filter((page) => !GENERATED_OR_TABLES.has(page)),
];
/** 60 is plain English; a page full of product names may be a little under it. */
const EASY_ENOUGH = 55;

/** What a reader reads: no code, tables, headings or addresses of links. */
function proseOf(page: string): string {
  return readPage(page)
    .replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, "")
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, "")
    .replace(/^[|#].*$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`[^`]*`/g, "it");
}

/** Of its sentences. "It was rejected" is what an error means; a page of it tires. */
const MAX_PASSIVE = 0.25;

/** Sentences as a reader meets them. */
function sentencesOf(page: string): readonly (readonly string[])[] {
  return proseOf(page)
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
  test.each(USER_PAGES)("%s has a Flesch reading-ease score over 55", (page) => {
    expect(readingEase(page)).toBeGreaterThan(EASY_ENOUGH);
  });

  test.each(USER_PAGES)("%s uses the active voice, without clichés", (page) => {
    const found = writeGood(proseOf(page), {
      weasel: false,
      adverb: false,
      tooWordy: false,
      illusion: false,
      so: false,
    });
    const passive = found.filter(({ reason }) => reason.includes("passive voice"));
    const others = found.filter((one) => !passive.includes(one));
    expect(others.map(({ reason }) => reason)).toEqual([]);
    expect(passive.length / sentencesOf(page).length).toBeLessThanOrEqual(MAX_PASSIVE);
  });

  test.each(USER_PAGES)("%s has none of the words to avoid", (page) => {
    const odd =
      /interface document|\btwins?\b|parted by|\bmend\b|statisticians|private authority|Read it so|carry on the work|crying wolf|known at apply|\bdoors?\b|\bdying\b|\bsightings?\b|\brehearse|\bscrub|\bhollow\b|\bunpaid\b|with luck|\bis no [A-Za-z]+ (?:name|label|duration|identifier)\b|\bnot to be used\b|\berrand|\bsendings\b|in the mean\b/gi;
    expect(readPage(page).match(odd)).toBeNull();
  });
});

test("the README fits in 7 KB, and the user pages in 120 KB", () => {
  const size = (page: string): number => Buffer.byteLength(readPage(page));
  expect(size("README.md")).toBeLessThanOrEqual(7 * 1024);
  const shown = userPages.filter((page) => !page.startsWith("docs/gallery/"));
  expect(shown.length).toBeGreaterThan(25);
  expect(shown.reduce((sum, page) => sum + size(page), 0)).toBeLessThanOrEqual(120 * 1024);
});

test("the README fits in 200 lines", () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThan(200);
});
