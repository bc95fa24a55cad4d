import { relative } from "node:path";
import { hasMagic, pathMatcher } from "../files/glob.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Options } from "../cli/options.ts";

/** A path from an input, and where it resolves to. */
interface Place {
  readonly input: string;
  readonly path: string;
  readonly real: string;
}

/**
 * Resolves the files that a run will write before anything runs, so that a link made later is
 * refused. Two of them at one path, or one over a file that the run reads, are problems: the later
 * would silently replace the earlier. A path is undefined if it was not asked for, or refused.
 */
export async function locateWrittenFiles(workspace: Workspace, files: Options) {
  const problems = new Set<string>();
  const written = new Map<string, string>();
  // The report of a refusal must not do what was refused.
  const refused = new Set<string>();
  const refuse = (message: string, ...inputs: readonly string[]): void => {
    problems.add(message);
    for (const input of inputs) refused.add(input);
  };
  for (const [input, path] of [
    ["report-file", files.reportFile],
    ["markdown-file", files.markdownFile],
    ["write-baseline", files.writeBaseline],
  ] as const) {
    if (path === undefined || path === "") continue;
    try {
      const real = await workspace.locateFile(path);
      const [other] = [...written].find(([, place]) => place === real) ?? [];
      if (other !== undefined)
        refuse(
          `${other} and ${input} both name ${path}; give each a file of its own`,
          other,
          input,
        );
      written.set(input, real);
      const reader = await readerOf(workspace, files, { input, path, real });
      if (reader !== undefined)
        refuse(
          `${input} would replace ${path}, which ${reader} reads; give it another path`,
          input,
        );
    } catch (error) {
      refuse((error as Error).message, input);
    }
  }
  const realOf = (input: string): string | undefined =>
    refused.has(input) ? undefined : written.get(input);
  return {
    reportFile: realOf("report-file"),
    markdownFile: realOf("markdown-file"),
    /** With any of the paths, or with two of them together. */
    problems: [...problems],
  };
}

/** The input that reads a file that would be written; undefined if none does. */
async function readerOf(
  workspace: Workspace,
  files: Options,
  { input, path, real }: Place,
): Promise<string | undefined> {
  const root = await workspace.locate(".");
  for (const [reader, paths] of readsOf(files)) {
    // An accepted run replaces the old baseline.
    if (input === "write-baseline" && reader === "baseline") continue;
    for (const one of paths.filter((each) => !hasMagic(each) && !each.startsWith("!")))
      if ((await workspace.locate(one).catch(() => "")) === real) return reader;
    // A file that only a pattern matches counts only if it exists: a run does not read what it has yet to write.
    if (!paths.some(hasMagic) || ![relative(root, real), real].some(pathMatcher(paths))) continue;
    const isThere = await workspace.inspect(path).catch(() => null);
    if (isThere !== null) return reader;
  }
  return undefined;
}

/** What a run may read: paths or patterns, by input. */
function readsOf(files: Options): readonly (readonly [string, readonly string[]])[] {
  const one = (path: string | undefined): readonly string[] =>
    path === undefined || path.includes("\n") ? [] : [path];
  return [
    ["spec", files.spec],
    ["experiment", files.experiment],
    // A pattern for reports may match those of earlier runs; the command reports that itself.
    ["reports", files.reports.filter((path) => !hasMagic(path))],
    ["mapping", one(files.mapping)],
    ["gate", one(files.gate)],
    ["baseline", one(files.baseline)],
    ["api-key-file", one(files.apiKeyFile)],
    ["env-file", files.envFile],
  ];
}
