import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";

const page = readFileSync(join(repositoryRoot, "contributing/performance.md"), "utf8");
const BLOCK = /<!-- bench (\w+) -->\n([\s\S]*?)<!-- \/bench -->/g;
const blocks = [...page.matchAll(BLOCK)].map(([, name, body]) => ({ name: name!, body: body! }));

test("every benchmark that runs by default has its block, with date, machine and figures", () => {
  const bench = readFileSync(join(repositoryRoot, "benchmarks/bench.mjs"), "utf8");
  const all = [...bench.match(/const ALL = \[([^\]]+)\]/)![1]!.matchAll(/"(\w+)"/g)].map(
    ([, n]) => n,
  );
  expect(blocks.map(({ name }) => name).sort()).toEqual([...all].sort());
  const scripts = readdirSync(join(repositoryRoot, "benchmarks"));
  for (const { name, body } of blocks) {
    expect(scripts).toContain(`${name}.mjs`);
    const [machine, , open, ...lines] = body.trimEnd().split("\n");
    expect([name, machine]).toEqual([
      name,
      expect.stringMatching(/^\d{4}-\d\d-\d\d, \d+ × .+, Node \d+\.\d+\.\d+; /),
    ]);
    expect([open, lines.pop()]).toEqual(["```text", "```"]);
    expect(lines.length).toBeGreaterThan(0);
  }
});

test("measured figures are only in the blocks that a run wrote", () => {
  const prose = page.replaceAll(BLOCK, "");
  expect(prose.match(/\d[\d.,]*\s*(?:ms|s|MB|KiB|KB|MB\/s|×|%)(?![\w])/g)).toBeNull();
});
