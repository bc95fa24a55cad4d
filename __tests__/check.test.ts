// What `npm run check` finds before it compiles anything, over a small repository with the project's own settings.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..");
const SOUND = {
  "src/a.ts": "/** What is counted; see docs/page.md. */\nexport type Count = number;\n",
  "src/b.ts":
    '/** Not exported, so nobody can take it for the other. */\ntype Count = string;\n\nexport const none: Count = "";\n',
  "docs/page.md": "A page.\n",
};
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "check-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(files: Readonly<Record<string, string>>): { status: number | null; said: string } {
  for (const own of ["package.json", "biome.json", ".gitignore", "scripts/references.mjs"])
    cpSync(join(ROOT, own), join(folder, own));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  for (const [path, text] of Object.entries({ ...SOUND, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  spawnSync("git", ["init", "-q"], { cwd: folder });
  const { status, stdout, stderr } = spawnSync("npm", ["run", "check"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return { status, said: `${stdout}${stderr}` };
}

test("a clean repository passes format, lint, references and type names", () => {
  expect(check({}).said).toContain("references: all there");
});

test.each([
  [
    "an unformatted line",
    { "src/c.ts": "export const  a = 1\n" },
    /c\.ts[\s\S]*content differs from formatting output/,
  ],
  [
    "a lint error",
    { "src/c.ts": "export const a = (b: number) => (b > 1 ? 1 : b > 0 ? 2 : 3);\n" },
    /noNestedTernary/,
  ],
  [
    "a reference to a missing file",
    { "src/c.ts": "// As docs/gone.md has it.\nexport const a = 1;\n" },
    /src\/c\.ts:1: cites docs\/gone\.md, which does not exist/,
  ],
  [
    "a type name that two files export",
    { "src/c.ts": "export interface Count {\n  readonly n: number;\n}\n" },
    /Count: exported by src\/a\.ts, src\/c\.ts/,
  ],
])("npm run check fails on %s", (_, files, says) => {
  const { status, said } = check(files);
  expect(said).toMatch(says);
  expect(said).not.toContain("references: all there");
  expect(status).not.toBe(0);
});
