import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { RULES } from "../../src/model/rules.ts";
import { parseSpec } from "../../src/spec/spec.ts";

// One spec file a rule. What is expected was counted by hand and is in the comments at its end: `#
// expect LINE:COLUMN LEVEL PATH: BEGINNING OF MESSAGE`.
const folder = new URL("rules/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yml"));

function readCase(name: string): {
  text: string;
  env: Record<string, string>;
  mode: "apply" | "plan" | "validate";
  expected: string[];
} {
  const text = readFileSync(new URL(name, folder), "utf8");
  const notes = (word: string): string[] =>
    text
      .split("\n")
      .flatMap((line) => (line.startsWith(`# ${word} `) ? [line.slice(word.length + 3)] : []));
  return {
    text,
    expected: notes("expect"),
    mode: (["apply", "plan"] as const).find((mode) => notes("mode").includes(mode)) ?? "validate",
    env: Object.fromEntries(
      notes("env").map((pair) => [
        pair.slice(0, pair.indexOf("=")),
        pair.slice(pair.indexOf("=") + 1).replace("\\n", "\n"),
      ]),
    ),
  };
}

describe("each rule reports the line and column of every problem", () => {
  test.each(files)("%s", (name) => {
    const { text, env, mode, expected } = readCase(name);
    const got = parseSpec({ files: [{ path: name, text }], env, mode }).problems.map(
      ({ line, column, level, path, message }) => `${line}:${column} ${level} ${path}: ${message}`,
    );
    expect(
      got.map((line, index) =>
        expected[index] !== undefined && line.startsWith(expected[index]) ? expected[index] : line,
      ),
    ).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });
});

test("every rule of the field table has its own spec file", () => {
  const kebab = (name: string): string =>
    name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  expect(
    RULES.map((rule) => `${kebab(rule.name)}.yml`).filter((name) => !files.includes(name)),
  ).toEqual([]);
});

test("CRLF line ends and a byte order mark change no position", () => {
  for (const name of files) {
    const { text, env, mode } = readCase(name);
    const places = (changed: string): string[] =>
      parseSpec({ files: [{ path: name, text: changed }], env, mode }).problems.map(
        ({ line, column, path }) => `${line}:${column} ${path}`,
      );
    expect(places(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(places(text));
  }
});
