import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";

const page = readFileSync(join(repositoryRoot, "SECURITY.md"), "utf8");
const [, promises = ""] = /^## What we promise\n([\s\S]*?)^## /m.exec(page) ?? [];
const rows = [...promises.matchAll(/^\| (.+) \| (.*) \|$/gm)].map(([, promise, shown]) => ({
  promise: promise!,
  shown: shown!,
}));
const kinds = [...promises.matchAll(/^\| \*\*(.+)\*\* \| \|$/gm)].map(([, kind]) => kind!);
const held = rows.filter(({ promise }) => promise !== "Promise");

test("every promise names its test", () => {
  expect(held.length).toBeGreaterThan(50);
  expect(held.filter(({ shown }) => !/^`[\w/-]+`: \S/.test(shown))).toEqual([]);
});

/** Names of tests in a file, as they are written there. */
function titlesOf(source: string): readonly string[] {
  const titles = source.matchAll(/\(\s*(["`])((?:\\.|(?!\1)[^\\\n])*)\1\s*,/g);
  return [...titles].map(([, , title]) => title!.replaceAll('\\"', '"'));
}

test("the named tests exist, and none of the files skips tests", () => {
  const missing = held.flatMap(({ promise, shown }) => {
    const [, file, written] = /^`([^`]+)`: (.+)$/.exec(shown)!;
    const path = join(repositoryRoot, "__tests__", `${file}.test.ts`);
    if (!existsSync(path)) return [`${promise} there is no ${file}`];
    const source = readFileSync(path, "utf8").replace(/^\s*\/\/.*$/gm, "");
    const off =
      /\b(?:x(?:test|it|describe)|(?:test|it|describe)\.(?:skip|todo|only|failing))\b/.exec(source);
    if (off !== null) return [`${promise} ${file} has ${off[0]}`];
    const beginning = written!.replace(/ …$/, "");
    const found = new Set(
      titlesOf(source).filter((title) =>
        written!.endsWith(" …") ? title.startsWith(beginning) : title === beginning,
      ),
    );
    return found.size === 1 ? [] : [`${promise} ${file} has ${found.size} tests "${written}"`];
  });
  expect(missing).toEqual([]);
});

test("every kind of source that others control has promises", () => {
  const words = kinds.join("\n");
  for (const source of [
    "spec",
    "Result files and reports",
    "Files in the workspace",
    "environment",
    "service and logs",
    "Events, comments and pull requests",
    "Packages",
  ])
    expect(words).toContain(source);
});
