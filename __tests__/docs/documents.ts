import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/tree.ts";

/** A fenced block of a page: its info words and its text, with the line it begins at. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly info: readonly string[];
  readonly text: string;
}

/** The Markdown pages below a folder, by path; the reports of the gallery are output. */
function pagesBelow(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/^gallery\/(?!README)/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** The pages for users in docs/, by path. */
export const userPages: readonly string[] = pagesBelow("docs");

/** Every page that people read, by path. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...userPages,
  ...pagesBelow("contributing").filter((page) => !page.includes("/decisions/")),
];

/** Text of a page. */
export function readPage(page: string): string {
  return readFileSync(join(repositoryRoot, page), "utf8");
}

/** All fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const lines = readPage(page).split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const open = /^(`{3,})(.*)$/.exec(lines[at]!);
    if (open === null) continue;
    const end = lines.indexOf(open[1]!, at + 1);
    blocks.push({
      page,
      line: at + 1,
      info: open[2]!.trim().split(/\s+/).filter(Boolean),
      text: `${lines.slice(at + 1, end).join("\n")}\n`,
    });
    at = end;
  }
  return blocks;
}

/** Text of a page without its fenced blocks. */
export function proseOf(page: string): string {
  return readPage(page).replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, "");
}

/** A whole workflow of one job, from the list of its steps. */
export function toJob(steps: string): string {
  const indented = steps.replace(/^(?=.)/gm, "    ");
  return `on: push\npermissions: { contents: read }\njobs:\n  deploy:\n    runs-on: ubuntu-latest\n${indented}`;
}
