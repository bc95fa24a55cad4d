import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { zipOf } from "../../../scripts/fuzz-inputs.mjs";
import { readExperiments } from "../../../src/experiment/experiment.ts";
import { CONTAINER } from "../../scenarios/stage.ts";
import { runAction } from "../../support/action-run.ts";
import { cpuMs, expectWithin } from "../../support/busy.ts";
import { runCli } from "../../support/cli-run.ts";
import type { Finished } from "../../support/child.ts";
import { createTree, type Tree } from "../../support/tree.ts";

const ROW = {
  inputs: { q: 1 },
  actual_outputs: { a: 1 },
  evaluation_scores: [{ key: "m", score: 1 }],
};
const ROWS = JSON.stringify([ROW, { ...ROW, inputs: { q: 2 } }]);
const LIMIT_MS = 5_000;

/** A workspace next to a folder that nobody may touch, with every kind of thing that is not a plain file. */
function createPlace(): { workspace: Tree; outside: Tree } {
  const outside = createTree({ "secret.yml": CONTAINER, "secret.json": ROWS });
  const workspace = createTree({
    "agent-deploy.yml": CONTAINER,
    "rows.json": ROWS,
    "gates.yml": "gates: m >= 0\n",
  });
  execFileSync("mkfifo", [join(workspace.path, "pipe")]);
  symlinkSync(join(outside.path, "secret.yml"), join(workspace.path, "link.yml"));
  symlinkSync(outside.path, join(workspace.path, "folder-link"));
  symlinkSync("circle", join(workspace.path, "circle"));
  symlinkSync("/dev/zero", join(workspace.path, "zero"));
  mkdirSync(join(workspace.path, "folder"));
  return { workspace, outside };
}

/** One clear sentence, exit 2, in time, no stack trace. */
function expectRefusal(run: Finished & { readonly ms: number }, words: RegExp): void {
  const said = run.stdout + run.stderr;
  expect({ code: run.code, said }).toEqual({ code: 2, said: expect.stringMatching(words) });
  expect(said).not.toMatch(/\n\s+at .*[:(]|node:internal|TypeError|ENOENT: /);
  expectWithin(run.ms, LIMIT_MS);
}
async function timed(run: Promise<Finished>): Promise<Finished & { ms: number }> {
  const begin = performance.now();
  return { ...(await run), ms: performance.now() - begin };
}

const HOSTILE: readonly (readonly [
  name: string,
  path: (place: { workspace: Tree; outside: Tree }) => string,
])[] = [
  ["an absolute path outside", ({ outside }) => join(outside.path, "secret.yml")],
  ["..", ({ outside }) => `../${outside.path.split("/").at(-1)}/secret.yml`],
  ["a link to a file outside", () => "link.yml"],
  ["a file below a link to a folder outside", () => "folder-link/secret.yml"],
  ["a link in a circle", () => "circle"],
  ["a device", () => "/dev/zero"],
  ["a link to a device", () => "zero"],
  ["a pipe", () => "pipe"],
  ["a folder", () => "folder"],
];
const REFUSED =
  /is outside|is refused|in a circle|not a regular file|is a (?:directory|folder)|ELOOP|no file matches/;

const READS: readonly (readonly [input: string, args: (path: string) => readonly string[]])[] = [
  ["spec", (path) => ["validate", path]],
  ["experiment", (path) => ["gate", path, "--gate", "m >= 0.01"]],
  ["mapping", (path) => ["gate", "rows.json", "--gate", "m >= 0.01", "--mapping", path]],
  ["gate", (path) => ["gate", "rows.json", "--gate", path]],
  ["baseline", (path) => ["gate", "rows.json", "--gate", "m drop <= 1", "--baseline", path]],
  ["reports", (path) => ["report", path]],
];

describe.each(READS)("%s as a file", (_, args) => {
  test("is read only inside the workspace, and only if it is a plain file", async () => {
    const place = createPlace();
    const runs = await Promise.all(
      HOSTILE.map(
        async ([name, path]) =>
          [name, await timed(runCli(args(path(place)), { workspace: place.workspace }))] as const,
      ),
    );
    for (const [, run] of runs) expectRefusal({ ...run, ms: 0 }, REFUSED);
    // All nine ran at once: none of them waited for a pipe or read a device to its end.
    expectWithin(Math.max(...runs.map(([, { ms }]) => ms)), LIMIT_MS * 3);
  });
});

const WRITES: readonly (readonly [input: string, args: (path: string) => readonly string[]])[] = [
  [
    "write-baseline",
    (path) => ["gate", "rows.json", "--gate", "m >= 0.01", "--write-baseline", path],
  ],
  ["report-file", (path) => ["validate", "--report-file", path]],
];
describe.each(WRITES)("%s", (_, args) => {
  test("writes nothing outside the workspace, nor over a pipe or a device", async () => {
    const place = createPlace();
    const { workspace, outside } = place;
    const targets = [
      ...HOSTILE,
      ["a new file outside", () => join(outside.path, "new.json")],
      ["a new file below a link", () => "folder-link/new.json"],
    ] as const;
    const runs = await Promise.all(
      targets.map(([, path]) => timed(runCli(args(path(place)), { workspace }))),
    );
    for (const run of runs) expectRefusal({ ...run, ms: 0 }, REFUSED);
    expect(readdirSync(outside.path).sort()).toEqual(["secret.json", "secret.yml"]);
    expect([outside.read("secret.yml"), outside.read("secret.json")]).toEqual([CONTAINER, ROWS]);
  });
});

test("a report file that is refused makes the Action red, with its outputs set", async () => {
  const { workspace } = createPlace();
  for (const path of ["pipe", "../x.json", "/dev/full"]) {
    const run = await runAction({ command: "validate", "report-file": path }, { workspace });
    expect([run.code, run.outputs["outcome"]]).toEqual([1, "failed"]);
    expect(run.stdout).toMatch(REFUSED);
  }
});

test("an api-key-file is a plain file of bounded size, which may be outside, as mounted secrets are", async () => {
  const { workspace, outside } = createPlace();
  outside.write("key", "lsv2_sk_of_a_file\n");
  outside.write("large", "k".repeat(70_000));
  for (const [path, words] of [
    ["/dev/zero", /not a regular file/],
    ["pipe", /not a regular file/],
    ["none", /does not exist/],
    [join(outside.path, "large"), /longer than the 65536 bytes/],
  ] as const) {
    expectRefusal(await timed(runCli(["plan", "--api-key-file", path], { workspace })), words);
  }
  const run = await runCli(
    [
      "plan",
      "--api-key-file",
      join(outside.path, "key"),
      "--control-plane-url",
      "http://example.com",
    ],
    { workspace },
  );
  expect(run.stderr + run.stdout).toMatch(/plain http to example.com is refused/);
  expect(run.stderr + run.stdout).not.toContain("lsv2_sk_of_a_file");
});

describe("what a file holds", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
    .split("")
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[at]}`).join(",")}]`)
    .join("\n")}\n`;
  test.each<[string, string | Buffer, RegExp]>([
    ["an alias bomb", bomb, /counting what its aliases repeat/],
    ["an alias of itself", "a: &a [*a]\n", /contains itself/],
    [
      "ten thousand nested lists",
      `a: ${"[".repeat(10_000)}`,
      /agent-deploy\.yml:1:\d+: not valid YAML/,
    ],
    ["__proto__", `${CONTAINER}__proto__: { polluted: 1 }\n`, /__proto__ is refused/],
    [
      "constructor",
      `${CONTAINER}constructor: { prototype: 1 }\n`,
      /constructor: is not a known key/,
    ],
    [
      "1e400",
      CONTAINER.replace("max_scale: 3", "max_scale: 1e400"),
      /max_scale: takes a whole number/,
    ],
    ["-0", CONTAINER.replace("max_scale: 3", "max_scale: -0"), /max_scale/],
    [
      "a number beyond what is exact",
      CONTAINER.replace("max_scale: 3", "max_scale: 9007199254740993"),
      /the number is too large/,
    ],
    ["UTF-16", Buffer.from(`\uFEFF${CONTAINER}`, "utf16le"), /UTF-16; save it as UTF-8/],
    [
      "invalid UTF-8",
      Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0xff, 0xfe, 0x0a]),
      /not valid UTF-8/,
    ],
    ["a JavaScript function", "name: !!js/function 'function () {}'\n", /agent-deploy\.yml:1:/],
    ["a file of 2 MiB", `# ${"x".repeat(4 * 1024 * 1024)}\n`, /larger than 1 MiB|longer than the/],
  ])("a spec with %s is refused in one sentence", async (_, content, words) => {
    const workspace = createTree();
    writeFileSync(join(workspace.path, "agent-deploy.yml"), content);
    expectRefusal(await timed(runCli(["validate"], { workspace })), words);
  });

  test("a spec with a byte order mark is read", async () => {
    const run = await runCli(["validate"], {
      workspace: createTree({ "agent-deploy.yml": `\uFEFF${CONTAINER}` }),
    });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("1 document is valid")]);
  });

  const zip = (content: string, claimedSize?: number): Buffer =>
    zipOf(
      { "header.json": "{}", "samples/a_epoch_1.json": content },
      claimedSize === undefined ? {} : { claimedSize },
    );
  const RESULTS: readonly (readonly [
    name: string,
    file: string,
    content: () => string | Buffer,
    words: RegExp,
  ])[] = [
    [
      "JSON that nests 100,000 levels",
      "r.json",
      () => `[{"inputs":${"[".repeat(100_000)}`,
      /nests deeper than|not valid JSON/,
    ],
    [
      "a zip bomb",
      "r.eval",
      () => zip("0".repeat(60_000_000)),
      /unpacks to far more than it holds/,
    ],
    [
      "a zip with a wrong size",
      "r.eval",
      () => zip("0".repeat(60_000_000), 7),
      /damaged|cannot be read|not valid/,
    ],
    ["a cut zip", "r.eval", () => zip("{}").subarray(0, 60), /damaged/],
    [
      "a CSV of a million columns",
      "r.csv",
      () => `${Array.from({ length: 1_000_000 }, (_, n) => `c${n}`).join(",")}\n1\n`,
      /columns|not a CSV header|not known/,
    ],
    [
      "one line of 70 MiB",
      "r.jsonl",
      () => `${JSON.stringify(ROW)}\n{"inputs":"${"x".repeat(70 * 1024 * 1024)}`,
      /longer than 64 MiB/,
    ],
    [
      "entities that expand",
      "r.xml",
      () =>
        `<!DOCTYPE a [<!ENTITY a "aaaa">${"bcdefg"
          .split("")
          .map((name, at) => `<!ENTITY ${name} "${`&${"abcdefg"[at]};`.repeat(10)}">`)
          .join("")}]><testsuites>&g;</testsuites>`,
      /document type/,
    ],
    [
      "an external entity",
      "r.xml",
      () =>
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuites><testsuite><testcase name="&x;"/></testsuite></testsuites>',
      /document type/,
    ],
    [
      "XML that nests 100,000 levels",
      "r.xml",
      () =>
        `<testsuites>${"<testsuite>".repeat(100_000)}${"</testsuite>".repeat(100_000)}</testsuites>`,
      /nests deeper than 64|not well-formed/,
    ],
    ["UTF-16", "r.json", () => Buffer.from(`\uFEFF${ROWS}`, "utf16le"), /UTF-16/],
    [
      "invalid UTF-8",
      "r.json",
      () =>
        Buffer.concat([
          Buffer.from('[{"inputs":{"q":"'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('"}}]'),
        ]),
      /not valid UTF-8/,
    ],
  ];
  test.each(RESULTS)(
    "%s is refused in one sentence within 5 s",
    async (_, name, content, words) => {
      const workspace = createTree();
      writeFileSync(join(workspace.path, name), content());
      const begin = cpuMs();
      const { experiments, problems } = await readExperiments({
        paths: [name],
        workspace: { root: workspace.path },
      });
      expect(cpuMs() - begin).toBeLessThan(LIMIT_MS);
      expect(experiments).toEqual([]);
      expect(problems[0]!.message).toMatch(words);
      expect(problems[0]!.message).not.toMatch(/\n/);
      expect(problems[0]!.message.length).toBeLessThan(500);
    },
  );

  test("numbers that no double can hold, and keys of Object's prototype, are only values", async () => {
    const rows = `[{"inputs":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"n":-0},"evaluation_scores":[{"key":"__proto__","score":1},{"key":"constructor","score":1e400},{"key":"m","score":12345678901234567890}]}]`;
    const { experiments } = await readExperiments({
      paths: ["r.json"],
      workspace: { root: createTree({ "r.json": rows }).path },
    });
    for (const one of experiments)
      for (const { bytes } of one.spool!.joined()) JSON.parse(`[${bytes.toString()}]`);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test("a pattern full of stars over a long name does not hang", async () => {
  const workspace = createTree({ [`${"a".repeat(200)}.json`]: ROWS });
  const begin = cpuMs();
  for (const pattern of ["*a*a*a*a*a*a*a*b", "*[a]*[a]*[b]", "**/**/**/*a*a*a*a*a*b"])
    await readExperiments({ paths: [pattern], workspace: { root: workspace.path } });
  expect(cpuMs() - begin).toBeLessThan(LIMIT_MS);
  expect(existsSync(join(workspace.path, "b"))).toBe(false);
});

test("a workspace below a file is reported in one sentence", async () => {
  const tree = createTree({ file: "" });
  const run = await runAction(
    { command: "validate" },
    { workspace: tree, env: { GITHUB_WORKSPACE: `${tree.path}/file/below` } },
  );
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("is below something that is not a directory");
  expect(run.stdout + run.stderr).not.toMatch(/^\s+at /m);
});
