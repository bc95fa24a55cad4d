import { describe, expect, test } from "@jest/globals";
import { keysAmong, looksLikeKey } from "../../src/secrets/key-like.ts";

describe("a word of the command line is a pasted key", () => {
  const PREFIXED = "sk-1a2b3c4d5e6f7";
  const RANDOM = "Zx81kQ0pLm3Nv7Rt5Yw2Bd4Fg";

  test.each([
    ["with a known prefix", [PREFIXED], [PREFIXED]],
    ["after the = of a flag", [`--api-key=${PREFIXED}`], [PREFIXED]],
    ["after a flag", ["--api-key", PREFIXED], [PREFIXED]],
    ["that only looks random", ["apply", RANDOM], [RANDOM]],
  ])("%s", (_, argv, keys) => {
    expect(keysAmong(argv)).toEqual(keys);
  });

  test.each([
    ["under twelve characters", ["sk-1a2b3c4d"]],
    ["in a path", [`keys/${PREFIXED}`]],
    ["in the name of a file", [`${PREFIXED}.json`]],
    ["mostly of words", ["sk-agent-production-2"]],
    ["that only looks random, as the value of a flag", ["--name", RANDOM, `--branch=${RANDOM}`]],
  ])("but not %s", (_, argv) => {
    expect(keysAmong(argv)).toEqual([]);
  });
});

test.each([
  ["random letters and digits", "Zx81kQ0pLm3Nv7Rt5Yw2Bd4Fg", true],
  ["less than half words", "agent-search-8f3a9c2e7b1d4f", true],
  ["more than half words", "production-search-agent-8f3a9c2e7b1d", false],
  ["few characters repeated", "abcde123abcde123abcde123", false],
  ["exactly half words", "agentsearchx-8f3a9c2e7b1", true],
  ["random, of 24 characters", "Zx81kQ0pLm3Nv7Rt5Yw2Bd4F", true],
  ["random, of 23 characters", "Zx81kQ0pLm3Nv7Rt5Yw2Bd4", false],
  ["random, with three digits", "ZxkQpLmNvRtYwBdFgHjKs812", true],
  ["random, with two digits", "ZxkQpLmNvRtYwBdFgHjKsa12", false],
  ["random, of 4096 characters", "Zx81kQ0pLm3Nv7Rt".repeat(256), true],
  ["random, of 4097 characters", `${"Zx81kQ0pLm3Nv7Rt".repeat(256)}5`, false],
  ["a UUID", "3c9c6a9e-6f0a-4c1b-8f3e-0d9c8b7a6f5e", false],
])("%s is or is not a key", (_, value, isKey) => {
  expect(looksLikeKey(value)).toBe(isKey);
});
