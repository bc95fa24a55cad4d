import { describe, expect, test } from "@jest/globals";
import { collectMessages, messagesOf, sentenceLengths } from "../../scripts/messages.mjs";
import { readPage } from "./documents.ts";

/** Most words of a sentence on average, and of any one sentence. */
const MEAN_WORDS = 20;
const MAX_WORDS = 30;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the program's messages", () => {
  const files = collectMessages();

  test("have at most 20 words a sentence on average, in each file too", () => {
    const lengths = sentenceLengths(files.flatMap(({ messages }) => messages));
    expect(lengths.length).toBeGreaterThan(1000);
    expect(mean(lengths)).toBeLessThan(MEAN_WORDS);
    for (const { file, messages } of files)
      expect([file, mean(sentenceLengths(messages)) <= MEAN_WORDS]).toEqual([file, true]);
  });

  test("have no overlong sentences", () => {
    const long = files.flatMap(({ file, messages }) =>
      messages
        .filter((message) => Math.max(...sentenceLengths([message])) > MAX_WORDS)
        .map((message) => `${file}: ${message}`),
    );
    expect(long).toEqual([]);
  });

  test("have none of the words to avoid", () => {
    const odd =
      /\btwins?\b|parted by|\bmend\b|statistician|private authority|\bRead it so\b|known at apply\b(?!\))|errand|no longer than it takes|row count and means are ours|Correct what the service names/i;
    const found = files.flatMap(({ file, messages }) =>
      messages.filter((message) => odd.test(message)).map((message) => `${file}: ${message}`),
    );
    expect(found).toEqual([]);
  });

  test("are all listed on one page", () => {
    const page = readPage("contributing/messages.md");
    for (const { file, messages } of files) {
      expect(page).toContain(`\`${file}\``);
      const section = page.slice(page.indexOf(`\`${file}\``)).split(/\n`src\//)[0]!;
      expect(section.match(/^- /gm)).toHaveLength(messages.length);
    }
  });
});

describe("collecting messages", () => {
  test("finds strings, templates and sums, with the names of what fills them in", () => {
    expect(
      messagesOf(
        'notify("the file was not found here"); notify(`${name}: the file ${path.full} is ${a ? "gone" : "empty"} now and here`); notify("one two " + "three four five");',
      ),
    ).toEqual([
      "the file was not found here",
      "{name}: the file {full} is {gone|empty} now and here",
      "one two three four five",
    ]);
  });

  test("ignores imports, types, paths, patterns and what other pages show", () => {
    expect(
      messagesOf(
        'import a from "a b c d e f"; type T = "one two three four five"; const x = { doc: "one two three four five" }; const y = "/v2/deployments/a/b"; text.describe("one two three four");',
      ),
    ).toEqual([]);
  });
});
