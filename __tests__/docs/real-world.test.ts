import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const page = read("contributing/real-world.md");
/** The list of tests: number, file, part of a test's name. */
const listed = [...page.matchAll(/^(\d+)\. `(__tests__\/[\w/-]+\.test\.ts)`: (.+)$/gm)].map(
  ([, number, file, name]) => [Number(number), file!, name!] as const,
);

test.each(listed)("test %i of contributing/real-world.md is in %s: %s", (_number, file, name) => {
  const names = [...read(file).matchAll(/\btest(?:\.\w+)?\(\s*"([^"]+)"/g)].map(([, one]) => one!);
  expect(names.filter((one) => one.includes(name))).toHaveLength(1);
});

test("every program has found something that a test covers, or the page says how many runs found nothing", () => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:---|Program)/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  const found = rows.map((row) => row.split(" | ")[2]!);
  for (const words of found) expect(words).toMatch(/\(\d+\)|^nothing, in [\d,]+/);
  const cited = found.flatMap((words) =>
    [...words.matchAll(/\((\d+)\)/g)].map(([, one]) => Number(one)),
  );
  expect(cited).toEqual(listed.map(([number]) => number));
});
