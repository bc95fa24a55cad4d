import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  existsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "@jest/globals";

/** Root of this repository, without a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(
  /[\\/]$/,
  "",
);

/** A folder of its own with files in it; removed after the tests of the file that made it. */
export interface Tree {
  readonly path: string;
  readonly write: (name: string, text: string) => string;
  readonly read: (name: string) => string;
  readonly has: (name: string) => boolean;
}

const made: string[] = [];
afterAll(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/**
 * Makes a folder outside the repository, with its real path (a symlink in between would look like
 * an escape from the workspace).
 */
export function createTree(files: Readonly<Record<string, string>> = {}): Tree {
  // Not `test-`, which six random characters could make the key of tests, `test-key`.
  const path = realpathSync(mkdtempSync(join(tmpdir(), "agent-deploy-tests-")));
  made.push(path);
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    path,
    write,
    read: (name) => readFileSync(join(path, name), "utf8"),
    has: (name) => existsSync(join(path, name)),
  };
}
