import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readTree } from "../../src/source/tree.ts";
import { createTree, type Tree } from "../support/tree.ts";
import { agent, outcome, read, SECRET } from "./checkout.ts";

type Hostile = readonly [what: string, make: (tree: Tree) => void, reason?: RegExp];

/** Writes some files. */
const writes =
  (...files: readonly (readonly [name: string, text: string])[]) =>
  (tree: Tree): void => {
    for (const [name, text] of files) tree.write(name, text);
  };

/** Each holds something named `bad` that must not be packed, or is refused for the reason. */
const TREES: readonly Hostile[] = [
  ["a link to a file outside", ({ path }) => symlinkSync("/etc/passwd", join(path, "bad"))],
  ["a link to a folder outside", ({ path }) => symlinkSync("/etc", join(path, "bad"))],
  ["a link to a file within", ({ path }) => symlinkSync("a.py", join(path, "bad"))],
  ["a link to itself", ({ path }) => symlinkSync("bad", join(path, "bad"))],
  ["a link to the folder above", ({ path }) => symlinkSync("..", join(path, "bad"))],
  ["a dangling link", ({ path }) => symlinkSync("nowhere", join(path, "bad"))],
  ["a link to /dev/zero", ({ path }) => symlinkSync("/dev/zero", join(path, "bad"))],
  ["a FIFO", ({ path }) => execFileSync("mkfifo", [join(path, "bad")])],
  ["a .env", (tree) => tree.write(".env", `bad=${SECRET}`)],
  ["a .env.production", (tree) => tree.write("sub/.env.production", "bad=1")],
  ["a .envrc", (tree) => tree.write(".envrc", "bad")],
  ["a folder .env", (tree) => tree.write(".env.d/bad", "1")],
  ["a file with a secret", (tree) => tree.write("bad", `key = "${SECRET}"`)],
  ["a secret at the end of a file", (tree) => tree.write("bad", `${"x".repeat(100_000)}${SECRET}`)],
  [
    "a secret across two pieces of a large file",
    (tree) => tree.write("bad", `${"x".repeat(1024 * 1024 - 5)}${SECRET}${"y".repeat(10)}`),
  ],
  [
    "a secret in bytes that are not text",
    ({ path }) =>
      writeFileSync(join(path, "bad"), Buffer.concat([Buffer.from([0, 255]), Buffer.from(SECRET)])),
  ],
  ["git's own folder", (tree) => tree.write(".git/config", "bad")],
  ["a worktree's .git file", (tree) => tree.write("sub/.git", "gitdir: bad")],
  ["node_modules", (tree) => tree.write("sub/node_modules/bad", "1")],
  [".venv", (tree) => tree.write(".venv/bad", "1")],
  ["__pycache__", (tree) => tree.write("x/__pycache__/bad", "1")],
  ["what .gitignore names", writes([".gitignore", "bad\n"], ["bad", "1"])],
  ["what a nested .gitignore names", writes(["s/.gitignore", "bad\n"], ["s/bad", "1"])],
  ["what .dockerignore names", writes([".dockerignore", "**/bad\n"], ["s/bad", "1"])],
  [
    "what a .gitignore with Windows line breaks names",
    writes([".gitignore", "\uFEFFbad\r\n"], ["bad", "1"]),
  ],
  [
    "a link in place of a .gitignore",
    ({ path }) => symlinkSync("/dev/zero", join(path, ".gitignore")),
  ],
  [
    "a name with a line break",
    (tree) => tree.write("x\nbad", "1"),
    /line break, another control character/,
  ],
  [
    "a name with a terminal escape code",
    (tree) => tree.write("\u001b[31mbad", "1"),
    /control character/,
  ],
  [
    "a name that is not UTF-8",
    ({ path }) =>
      writeFileSync(Buffer.concat([Buffer.from(`${path}/bad`), Buffer.from([0xff, 0xfe])]), "1"),
    /no UTF-8/,
  ],
  [
    "two names that differ in case",
    writes(["Bad.py", "1"], ["bad.py", "2"]),
    /differ only in case/,
  ],
  [
    "two names that differ in accents",
    writes(["b\u00e4d", "1"], ["ba\u0308d", "2"]),
    /differ only in case or accents/,
  ],
  [
    "a pointer of git-lfs",
    (tree) =>
      tree.write("bad", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"),
    /pointer of git-lfs/,
  ],
  [
    "a submodule that is not checked out",
    (tree) => {
      tree.write(".gitmodules", '[submodule "x"]\n\tpath = lib/bad\n\turl = ../x\n');
      mkdirSync(join(tree.path, "lib/bad"), { recursive: true });
    },
    /is a submodule that is not checked out/,
  ],
  [
    "a configuration that is a link",
    ({ path }) => {
      rmSync(join(path, "langgraph.json"));
      symlinkSync("/etc/passwd", join(path, "langgraph.json"));
    },
    /not a regular file/,
  ],
  [
    "a configuration that is a folder",
    ({ path }) => {
      rmSync(join(path, "langgraph.json"));
      mkdirSync(join(path, "langgraph.json"));
    },
    /not a regular file/,
  ],
  [
    "a configuration of nulls",
    (tree) => tree.write("langgraph.json", "\0".repeat(2_000_000)),
    /is not a JSON object/,
  ],
  [
    "a dependency through a link outside",
    (tree) => {
      symlinkSync("/etc", join(tree.path, "lib"));
      tree.write("langgraph.json", '{"dependencies":["./lib"]}');
    },
    /outside of the repository/,
  ],
  [
    "a dependency that does not exist",
    (tree) => tree.write("langgraph.json", '{"dependencies":["./bad"]}'),
    /is not a folder of the checkout/,
  ],
  [
    "a dependency above the repository",
    (tree) => tree.write("langgraph.json", '{"dependencies":["../../.."]}'),
    /outside of the repository/,
  ],
];

describe("hostile trees", () => {
  const rows = TREES.map(([what, make, reason]) => ({ what, make, reason }));
  test.each(rows)("$what is never packed or is refused", async ({ make, reason }) => {
    const tree = agent();
    make(tree);
    const end = await outcome(await read(tree));
    if (reason === undefined) {
      expect(end.packed).toContain("langgraph.json");
      expect(end.packed!.filter((one) => /bad|\.env/i.test(one))).toEqual([]);
    } else expect(end.refused).toMatch(reason);
  });

  test("a hard link is packed like any other file", async () => {
    const tree = agent();
    linkSync(join(tree.path, "a.py"), join(tree.path, "b.py"));
    expect((await outcome(await read(tree))).packed).toEqual(["a.py", "b.py", "langgraph.json"]);
  });

  test("a socket is not packed", async () => {
    const tree = agent();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(tree.path, "s.sock"), resolve));
    const end = await outcome(await read(tree));
    server.close();
    expect(end.packed).toEqual(["a.py", "langgraph.json"]);
  });

  test("a file that cannot be read is refused with its name", async () => {
    const tree = agent({ "locked.py": "1" });
    chmodSync(join(tree.path, "locked.py"), 0);
    const end = await outcome(await read(tree));
    // Root reads everything.
    if (process.getuid?.() === 0) expect(end.packed).toContain("locked.py");
    else expect(end.refused).toContain("locked.py cannot be read (EACCES)");
  });

  test("a file that shrinks or grows between plan and upload is refused", async () => {
    const tree = agent();
    const end = await read(tree);
    if (end.state !== "read") throw new Error("refused");
    truncateSync(join(tree.path, "a.py"), 0);
    await expect(end.source.open()).rejects.toThrow(/changed while it was read/);
    writeFileSync(join(tree.path, "a.py"), "2");
    await expect(end.source.open()).rejects.toThrow(/changed after they were planned/);
  });

  test("a file that has become a link or a FIFO is not followed, and does not hang", async () => {
    const tree = agent();
    const end = await read(tree);
    if (end.state !== "read") throw new Error("refused");
    rmSync(join(tree.path, "a.py"));
    execFileSync("mkfifo", [join(tree.path, "a.py")]);
    await expect(end.source.open()).rejects.toThrow(/a\.py/);
    rmSync(join(tree.path, "a.py"));
    symlinkSync("/etc/passwd", join(tree.path, "a.py"));
    await expect(end.source.open()).rejects.toThrow(/a\.py cannot be read/);
  });

  test("reading stops with the reason when the run is cancelled", async () => {
    const tree = agent();
    const controller = new AbortController();
    controller.abort(new Error("stopped"));
    await expect(
      readTree({
        root: tree.path,
        folders: [tree.path],
        top: tree.path,
        ours: new Set(),
        tracked: [],
        signal: controller.signal,
      }),
    ).rejects.toThrow("stopped");
  });

  test("our own output files and the spec are not packed", async () => {
    const tree = agent({ "agent-deploy.yml": "x", "out/report.json": "{}" });
    const ours = ["agent-deploy.yml", "out/report.json"].map((one) => join(tree.path, one));
    expect((await outcome(await read(tree, { ours }))).packed).toEqual(["a.py", "langgraph.json"]);
  });

  test("a folder above the repository is not read for its .gitignore", async () => {
    const tree = createTree({ ".gitignore": "*\n", "repo/langgraph.json": "{}", "repo/a.py": "1" });
    const checkout = join(tree.path, "repo");
    expect(dirname(checkout)).toBe(tree.path);
    const end = await outcome(await read(tree, { checkout, cwd: checkout }));
    expect(end.packed).toEqual(["a.py", "langgraph.json"]);
  });
});
