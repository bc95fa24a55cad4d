import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { createWorkspace } from "../../src/files/workspace.ts";

const base = mkdtempSync(join(tmpdir(), "workspace-"));
const root = join(base, "root");
const temp = join(base, "temp");
const put = (path: string, content: string | Uint8Array = "x"): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
};
for (const path of [
  "a.yml",
  "b.yml",
  "c.json",
  "specs/d.yml",
  "specs/deep/e.yml",
  "specs/.hidden.yml",
  ".github/f.yml",
  "node_modules/p/g.yml",
  "node_modules/p/node_modules/q/i.yml",
  ".git/h.yml",
])
  put(path, path);
mkdirSync(temp);
writeFileSync(join(temp, "t.yml"), "temp");
writeFileSync(join(base, "outside.yml"), "secret");
symlinkSync("a.yml", join(root, "inside-link.yml"));
symlinkSync(join(base, "outside.yml"), join(root, "outside-link.yml"));
symlinkSync(base, join(root, "up"));
symlinkSync("nowhere", join(root, "dangling.txt"));
execFileSync("mkfifo", [join(root, "pipe.txt")]);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const workspace = createWorkspace({ root, temp });
const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "not refused",
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("patterns", () => {
  test.each<[string[], string[]]>([
    [["a.yml"], ["a.yml"]],
    [
      ["./b.yml", "a.yml", "a.yml"],
      ["a.yml", "b.yml"],
    ],
    [["*.yml"], ["a.yml", "b.yml", "inside-link.yml"]],
    [
      ["*.{yml,json}", "!b.*"],
      ["a.yml", "c.json", "inside-link.yml"],
    ],
    [
      ["**/*.yml", "!inside-link.yml"],
      ["a.yml", "b.yml", "specs/d.yml", "specs/deep/e.yml"],
    ],
    [["specs/**"], ["specs/d.yml", "specs/deep/e.yml"]],
    [["specs/**/?.yml"], ["specs/d.yml", "specs/deep/e.yml"]],
    [[".github/*.yml"], [".github/f.yml"]],
    // A folder that is skipped is read where it is named, at the start or after the first wildcard.
    [["node_modules/**/*.yml"], ["node_modules/p/g.yml"]],
    [["node_modules/*/node_modules/**/*.yml"], ["node_modules/p/node_modules/q/i.yml"]],
    [["*/d.yml", "{specs,none}/d.yml"], ["specs/d.yml"]],
    [["nothing/*.yml", "*.txt", ""], []],
  ])("find files: %j", async (patterns, expected) => {
    expect(await workspace.expand(patterns)).toEqual(expected);
  });

  test("without magic that name no file are refused by name", async () => {
    expect(await refusalOf(workspace.expand(["none.yml"]))).toBe(
      "WorkspaceError: none.yml does not exist; name a file that exists, or a pattern with * in it",
    );
    expect(await refusalOf(workspace.expand(["specs"]))).toMatch(
      /^WorkspaceError: specs is a directory; name a regular file/u,
    );
  });

  test("reach neither upwards nor through links", async () => {
    expect(await refusalOf(workspace.expand(["../*.yml"]))).toMatch(/is outside the workspace/u);
    expect(await workspace.expand(["*/../../*.yml"])).toEqual([]);
    expect(await refusalOf(workspace.expand(["up/*.yml"]))).toMatch(/is outside the workspace/u);
    expect(await refusalOf(workspace.expand(["/etc/*"]))).toMatch(/is outside the workspace/u);
    expect(await workspace.expand([join(temp, "*.yml")])).toEqual([join(temp, "t.yml")]);
  });

  test("are refused if they have too many choices, a single brace, or are too long", async () => {
    expect(await refusalOf(workspace.expand(["{a,b}".repeat(20)]))).toMatch(/too many choices/u);
    expect(await refusalOf(workspace.expand(["{a*"]))).toMatch(/brace without its partner/u);
    expect(await refusalOf(workspace.expand(["*".repeat(2000)]))).toMatch(
      /longer than 1000 characters/u,
    );
  });
});

describe("reading", () => {
  test("returns text without its byte order mark", async () => {
    put("bom.txt", "\uFEFFä");
    expect(await workspace.readText("bom.txt", 10)).toBe("ä");
    expect(await workspace.readText(join(temp, "t.yml"), 10)).toBe("temp");
    expect(await workspace.readText("inside-link.yml", 10)).toBe("a.yml");
  });

  test("fails with one sentence for each refusal", async () => {
    put("utf16.txt", Buffer.from("\uFEFFab", "utf16le"));
    put("utf16-bare.txt", Buffer.from("ab", "utf16le"));
    put("latin1.txt", Buffer.from([0x61, 0xe4, 0x62]));
    put("long.txt", "x".repeat(11));
    const cases: [string, RegExp][] = [
      ["utf16.txt", /^WorkspaceError: utf16\.txt is UTF-16; save it as UTF-8$/u],
      ["utf16-bare.txt", /is UTF-16/u],
      ["latin1.txt", /is not valid UTF-8; save it as UTF-8$/u],
      ["long.txt", /is longer than the 10 bytes that are read/u],
      ["none.txt", /does not exist; /u],
      ["specs", /is a directory; /u],
      ["pipe.txt", /device, pipe or socket/u],
      ["/dev/zero", /is outside/u],
      ["outside-link.yml", /is outside/u],
      ["up/outside.yml", /is outside/u],
      ["../outside.yml", /is outside/u],
      ["dangling.txt", /link to nothing/u],
      ["a.yml/b", /is below something that is not a directory; /u],
      ["", /is empty/u],
      ["a\0b", /null character/u],
    ];
    for (const [path, message] of cases) {
      const said = await refusalOf(workspace.readText(path, 10));
      expect(said).toMatch(message);
      expect(said).toMatch(/^WorkspaceError: [^\n]+$/u);
    }
  });

  test("refuses a device even if paths outside are allowed", async () => {
    const anywhere = createWorkspace({ root, allowOutside: true });
    expect(await refusalOf(anywhere.readText("/dev/zero", 10))).toMatch(/device, pipe or socket/u);
    expect(await anywhere.readText("../outside.yml", 10)).toBe("secret");
  });

  test("reads only the beginning of a file", async () => {
    expect((await workspace.readBeginning("a.yml", 3)).toString()).toBe("a.y");
    expect((await workspace.readBeginning("a.yml", 10)).toString()).toBe("a.yml");
    expect(await refusalOf(workspace.readBeginning("pipe.txt", 3))).toMatch(/pipe or socket/u);
  });
});

describe("writing", () => {
  test("creates directories and replaces the whole file", async () => {
    await workspace.writeText("out/new/report.json", "a long first text");
    await workspace.writeText("out/new/report.json", "short");
    expect(readFileSync(join(root, "out/new/report.json"), "utf8")).toBe("short");
  });

  test("creates a new file whatever a killed run left next to it", async () => {
    const leftover = `out/left.json.${process.pid}.tmp`;
    put(leftover, "half");
    await workspace.writeText("out/left.json", "whole");
    expect(readFileSync(join(root, "out/left.json"), "utf8")).toBe("whole");
    expect(readFileSync(join(root, leftover), "utf8")).toBe("half");
    expect(readdirSync(join(root, "out")).filter((name) => name.startsWith("left"))).toHaveLength(
      2,
    );
  });

  test("never goes outside, nor over a pipe or a directory", async () => {
    for (const path of ["../x", "up/x", "outside-link.yml", "/etc/x", "dangling.txt"])
      expect(await refusalOf(workspace.writeText(path, "x"))).toMatch(/^WorkspaceError: /u);
    expect(await refusalOf(workspace.writeText("pipe.txt", "x"))).toMatch(
      /^WorkspaceError: [^\n]+$/u,
    );
    expect(await refusalOf(workspace.writeText("specs", "x"))).toMatch(/is a directory/u);
    expect(readFileSync(join(base, "outside.yml"), "utf8")).toBe("secret");
  });
});
