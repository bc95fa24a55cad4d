import { expect, test } from "@jest/globals";
import { wrapLines } from "../../src/report/wrap.ts";

test("sentences wrap between words, aligned with their first word", () => {
  expect(wrapLines("  one two three four\nshort", 12)).toBe("  one two\n  three four\nshort");
});

test("colours take no space", () => {
  expect(wrapLines("\u001b[1mone two\u001b[22m three", 13)).toBe(
    "\u001b[1mone two\u001b[22m three",
  );
});

test.each([
  ["east Asian letters take two cells each", "日本 語の 文章", 9, "日本 語の\n文章"],
  ["an emoji takes two cells", "one ✅ two", 9, "one ✅\ntwo"],
  ["a combining mark takes none", "e\u0301e\u0301 ab", 5, "e\u0301e\u0301 ab"],
  ["quotation marks, arrows and bars take one", "“a” → ▇▇ b", 10, "“a” → ▇▇ b"],
])("%s", (_, line, columns, wrapped) => {
  expect(wrapLines(line, columns)).toBe(wrapped);
});

test.each([
  "    agent-deploy wait --deployment-id 0b6f --revision-id 77aa",
  "  log | a line of a build log that is longer than the terminal",
])("%s is not wrapped", (line) => {
  expect(wrapLines(line, 20)).toBe(line);
});

test("a word that is longer than the line is not broken", () => {
  expect(wrapLines("see https://agent.example.com/very/long here", 10)).toBe(
    "see\nhttps://agent.example.com/very/long\nhere",
  );
});

test("a row wraps between its columns with more indent, and a long column between its words", () => {
  const row = "  support-agent  failed    the build failed after all of it";
  expect(wrapLines(row, 30)).toBe(
    "  support-agent  failed\n      the build failed after\n      all of it",
  );
});

test("a row that only its padding makes too wide loses the padding", () => {
  expect(wrapLines("    + name                 support-agent", 30)).toBe(
    "    + name  support-agent",
  );
});

test("a value that is longer than the line stays whole, on its own line", () => {
  const image = "registry.example.com/acme/search@sha256:3f1b0c7b";
  expect(wrapLines(`    + source_revision_config.image_uri  ${image}  (new revision)`, 40)).toBe(
    `    + source_revision_config.image_uri\n        ${image}\n        (new revision)`,
  );
});

test("a sign stays with the name after it, however long", () => {
  expect(wrapLines("    + source_revision_config.graph_config_path  graphs/support.json", 40)).toBe(
    "    + source_revision_config.graph_config_path\n        graphs/support.json",
  );
  expect(wrapLines("\u001b[32m+\u001b[39m source_revision_config.graph_config_path", 10)).toBe(
    "\u001b[32m+\u001b[39m source_revision_config.graph_config_path",
  );
});
