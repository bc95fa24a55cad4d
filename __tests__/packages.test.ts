// The bundle has files of its own in the place of some of its packages': only as long as those are what they were.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { REPLACED, replacementOf } from "../scripts/packages.mjs";
import { repositoryRoot } from "./support/tree.ts";

const installed = (file: string): Buffer =>
  readFileSync(join(repositoryRoot, "node_modules", file));

test.each(REPLACED)("%s is the file that was looked at", (file) => {
  expect(replacementOf(file, installed(file))).not.toBe("");
});

test.each(REPLACED)("a build stops when %s has changed by one byte, or is gone", (file) => {
  expect(() => replacementOf(file, Buffer.concat([installed(file), Buffer.from("\n")]))).toThrow(
    `${file} has changed`,
  );
  expect(() => replacementOf(file, null)).toThrow(`${file} is gone`);
});
