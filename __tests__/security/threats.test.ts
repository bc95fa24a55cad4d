import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";

const page = readFileSync(join(repositoryRoot, "SECURITY.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, number, rest]) => ({
  number: Number(number),
  cells: rest!.split(" | "),
}));

test("every promise says whose doing it is about, what holds, and the test that shows it", () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  expect(
    rows
      .filter(({ cells }) => cells.length !== 3 || cells.some((cell) => cell.trim() === ""))
      .map(({ number }) => number),
  ).toEqual([]);
});

test("the named tests exist", () => {
  const missing = rows.flatMap(({ number, cells }) => {
    const [, file, name] = /^`([^`]+)`: (.+)$/.exec(cells[2]!.trim()) ?? [];
    if (file === undefined || name === undefined) return [`threat ${number} names no test`];
    const path = join(repositoryRoot, "__tests__", file);
    if (!existsSync(path)) return [`threat ${number}: there is no ${file}`];
    const source = readFileSync(path, "utf8").replace(/^\s*\/\/.*$/gm, "");
    const titles = source.replace(/\(\n\s+/g, "(").replace(/,\n\s*/g, ", ");
    const titled = [`("${name.replaceAll('"', '\\"')}", `, `(\`${name}\`, `].some((title) =>
      titles.includes(title),
    );
    // A test that is switched off, or stands in a comment, shows nothing.
    const off =
      /\b(?:x(?:test|it|describe)|(?:test|it|describe)\.(?:skip|todo|only|failing))\b/.exec(source);
    if (off !== null) return [`threat ${number}: ${file} has ${off[0]}`];
    return titled ? [] : [`threat ${number}: ${file} has no test "${name}"`];
  });
  expect(missing).toEqual([]);
});

test("every kind of source that somebody else controls has a threat", () => {
  const controlled = rows.map(({ cells }) => cells[0]!).join("\n");
  for (const source of [
    "spec of a fork",
    "result files",
    "service replies",
    "log tails",
    "PR titles",
    "comment neighbours",
    "environment",
    "workspace paths",
    "report files",
    "event payload",
  ])
    expect(controlled).toContain(source);
});
