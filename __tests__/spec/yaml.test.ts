import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { CORE_SCHEMA, dump, loadAll, mergeTag } from "js-yaml";
import { MAX_SPEC_CHARS, parseYaml } from "../../src/spec/yaml.ts";
import type { YamlNode } from "../../src/spec/yaml-node.ts";

const plain = (node: YamlNode): unknown => {
  switch (node.kind) {
    case "broken":
      return "broken";
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
  }
};
const values = (text: string): unknown[] => parseYaml(text, "a.yml").documents.map(plain);
const problems = (text: string): string[] =>
  parseYaml(text, "a.yml").problems.map(
    (problem) => `${problem.line}:${problem.column} ${problem.path} ${problem.message}`,
  );

/** `path key@line:column value@line:column` of everything below the root. */
function places(text: string): string[] {
  const walk = (node: YamlNode, path: string, key: string): string[] => {
    const own = path === "" ? [] : [`${path} ${key}@${node.at.line}:${node.at.column}`];
    if (node.kind === "map")
      return [
        ...own,
        ...node.entries.flatMap((entry) =>
          walk(entry.value, `${path}/${entry.key}`, `${entry.keyAt.line}:${entry.keyAt.column}`),
        ),
      ];
    return node.kind === "list"
      ? [...own, ...node.items.flatMap((item, index) => walk(item, `${path}/${index}`, "-"))]
      : own;
  };
  return parseYaml(text, "a.yml").documents.flatMap((node) => walk(node, "", ""));
}

describe("positions", () => {
  test("of plain, quoted, block, tagged and empty values are correct", () => {
    expect(
      places(
        [
          "a: x",
          "'b':   \"y\"",
          "c:",
          "  - |  # note",
          "    text",
          "  - !!str 5",
          "  - &n",
          "    z: 1",
          "d:",
          "e: {f: [1, 'q'], \"g\": }",
        ].join("\n"),
      ),
    ).toEqual([
      "/a 1:1@1:4",
      "/b 2:1@2:8",
      "/c 3:1@4:3",
      "/c/0 -@4:5",
      "/c/1 -@6:5",
      "/c/2 -@7:5",
      "/c/2/z 8:5@8:8",
      "/d 9:1@9:1",
      "/e 10:1@10:4",
      "/e/f 10:5@10:8",
      "/e/f/0 -@10:9",
      "/e/f/1 -@10:12",
      "/e/g 10:18@10:18",
    ]);
  });

  test("of an alias are its own, and within it the anchor's", () => {
    expect(places("a: &m {x: 1}\nb: *m\nc:\n  <<: *m\n  y: 2\n")).toEqual([
      "/a 1:1@1:4",
      "/a/x 1:8@1:11",
      "/b 2:1@2:4",
      "/b/x 1:8@1:11",
      "/c 3:1@4:3",
      "/c/y 5:3@5:6",
      "/c/x 1:8@1:11",
    ]);
  });

  test("ignore the byte order mark, and count UTF-16 units", () => {
    expect(places("\uFEFFa: 1\n😀: 2")).toEqual(["/a 1:1@1:4", "/😀 2:1@2:5"]);
  });
});

test("own keys override merged ones, and an earlier merged mapping overrides a later one", () => {
  expect(
    values("x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], a: 0}\nw: {a: 9, <<: *x}\n"),
  ).toEqual([{ x: { a: 1, b: 1 }, y: { b: 2, c: 2 }, z: { a: 0, b: 1, c: 2 }, w: { a: 9, b: 1 } }]);
});

test("text that looks like another type has the YAML 1.2 type", () => {
  expect(values("[yes, 'true', true, 0x10, 1e3, ~, 2026-01-01, -0, '1', 010]")).toEqual([
    ["yes", "true", true, 16, 1000, null, "2026-01-01", 0, "1", 10],
  ]);
});

test("all problems of a file are reported at once, and the rest of the document is kept", () => {
  expect(
    problems(
      "a: *nothing\nb: 99999999999999999999\nb: 2\nc: !!binary AA==\n__proto__: {x: 1}\n? [k]\n: v\nd: ok\n",
    ),
  ).toEqual([
    "1:4  the alias has no anchor; put a value that begins with * in quotes, or write the anchor before what it repeats",
    "2:4  the number is too large, or none that JSON can carry; write a smaller one, or put it in quotes where text is meant",
    "3:1 b the key is written twice, first in line 2; keep one of the two",
    "4:4  the tag !!binary does not fit this value; remove it",
    "5:1  the key __proto__ is refused; remove it",
    "6:3  a key is a list or mapping; write plain text keys",
  ]);
});

describe("invalid YAML is one problem at its place", () => {
  test.each([
    ["a: [1\nb: 2", 2, 1, /not valid YAML: .*; check/u],
    ["a:\n\tb: 1", 2, 1, /tab characters.*; indent with spaces/u],
    ["a: {b: ${X}}", 1, 9, /in quotes inside/u],
    ["a: b: c", 1, 5, /not valid YAML/u],
    ["\u0000a\u0000", 1, 1, /UTF-16; save it as UTF-8/u],
    ["\uFFFEa", 1, 1, /UTF-16/u],
    [`a: ${"[".repeat(500)}`, 1, 103, /nest less deeply/u],
    [`a: ${"x".repeat(MAX_SPEC_CHARS)}`, 1, 1, /larger than 1 MiB/u],
    ["a: &a [*a]", 1, 8, /contains itself/u],
  ])("%#", (text, line, column, message) => {
    const found = parseYaml(text, "a.yml").problems;
    expect(found.map((problem) => [problem.line, problem.column])).toEqual([[line, column]]);
    expect(found[0]!.message).toMatch(message);
  });
});

test("aliases that would expand a billion times are refused without expanding them", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  expect(problems(lines.join("\n"))).toEqual([
    expect.stringMatching(/^1:1 {2}the document holds too many values/u),
  ]);
});

test("a chain of aliases cannot nest deeper than a file may", () => {
  const lines = ["a0: &a0 [x]"];
  for (let level = 1; level < 200; level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
  expect(problems(lines.join("\n"))[0]).toMatch(/nests too deeply/u);
});

const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
);
const key = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((text) => text !== "__proto__" && text !== "<<");
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));

test("the values equal those of the library's own loader", () => {
  fc.assert(
    fc.property(tree, fc.boolean(), (value, flow) => {
      const text = dump(value, flow ? { flowLevel: 0 } : {});
      const expected = JSON.parse(
        JSON.stringify(loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag) })),
      ) as unknown;
      expect(JSON.parse(JSON.stringify(values(text)))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test("no text makes the parser throw", () => {
  const word = fc.constantFrom(
    "a",
    ":",
    " ",
    "\n",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "&a",
    "*a",
    "<<: ",
    "|",
    ">",
    "'",
    '"',
    "!!str ",
    "!<x> ",
    "#",
    "---\n",
    "...\n",
    "\t",
    "? ",
    "%TAG ! x\n",
    "1",
    "~",
    "\r",
    "\uFEFF",
    "${X}",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
      ),
      (text) => {
        const file = parseYaml(text, "a.yml");
        for (const problem of file.problems)
          expect(Math.min(problem.line, problem.column)).toBeGreaterThan(0);
      },
    ),
    { numRuns: 1000 },
  );
});
