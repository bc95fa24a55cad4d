import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "./support/tree.ts";

function list(...args: readonly string[]): { readonly files: string[]; readonly said: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/test.mjs", "--listTests", "--json", ...args],
    { cwd: repositoryRoot, encoding: "utf8" },
  );
  return { files: (JSON.parse(stdout) as string[]).sort(), said: stderr };
}

describe("npm test", () => {
  test("runs each test file in one of two commands, and says what it leaves to the other", () => {
    const quick = list();
    const long = list("--long");
    const all = list("--all");
    expect([...quick.files, ...long.files].sort()).toEqual(all.files);
    expect(quick.said).toContain(
      `not run: ${long.files.length} long test files of ${all.files.length}; npm run test:long`,
    );
    expect([long.said, all.said].join("")).not.toContain("not run");
  });

  test("runs what is named, also where it is long", () => {
    const { files, said } = list("__tests__/survive/fault-matrix");
    expect(files.map((file) => relative(repositoryRoot, file))).toEqual([
      "__tests__/survive/fault-matrix.test.ts",
    ]);
    expect(said).not.toContain("not run");
  });
});
