import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readParts, type Part } from "./support/source-graph.ts";
import { repositoryRoot } from "./support/tree.ts";

const MAX_CALLS = 10;
const parts = readParts("src");
const top = new Map<string, Part[]>();
for (const part of parts.filter(({ isTop }) => isTop))
  top.set(part.name, [...(top.get(part.name) ?? []), part]);
const page = readFileSync(join(repositoryRoot, "ARCHITECTURE.md"), "utf8");
const line = page.split("\n").find((one) => one.startsWith("`run` ("))!;
const chain = [...line.matchAll(/`(\w+)` \(([\w/-]+\.ts)\)/g)].map(([, name, path]) => ({
  name: name!,
  path: `src/${path}`,
}));

/** What a function calls by itself; a value that it names, such as a table of commands, counts as written in it. */
function reachOf(part: Part, seen = new Set<Part>()): Set<string> {
  seen.add(part);
  const names = new Set(part.isFunction ? part.calls : part.mentions);
  for (const mention of part.mentions)
    for (const other of top.get(mention) ?? []) {
      const isWritten = !other.isFunction || part.defaults.has(mention);
      if (!seen.has(other) && isWritten) for (const name of reachOf(other, seen)) names.add(name);
    }
  return names;
}

function partsOf({ name, path }: (typeof chain)[number]): Part[] {
  return parts.filter((part) => part.name === name && part.path === path);
}

test("an apply takes at most ten calls from the entry to the socket, and ARCHITECTURE.md lists them", () => {
  expect(chain.length).toBeGreaterThan(5);
  expect(chain.length).toBeLessThanOrEqual(MAX_CALLS);
  expect(new Set(chain.map(({ name }) => name)).size).toBe(chain.length);
  expect(chain[0]).toEqual({ name: "run", path: "src/entry/action.ts" });
  expect(chain.at(-1)).toEqual({ name: "send", path: "src/service/exchange.ts" });
  const broken = chain.flatMap((one, at) => {
    const found = partsOf(one);
    const next = chain[at + 1];
    if (found.length === 0) return [`${one.path} has no ${one.name}`];
    return next === undefined || found.some((part) => reachOf(part).has(next.name))
      ? []
      : [`${one.name} (${one.path}) does not call ${next.name}`];
  });
  expect(broken).toEqual([]);
});
