import { relative } from "node:path";
import { hasMagic, pathMatcher } from "../files/glob.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Options } from "../cli/options.ts";

/** Resolved paths of the files that a run writes; undefined: not asked for, or refused. */
export interface WrittenFiles {
  readonly reportFile: string | undefined;
  readonly markdownFile: string | undefined;
  /** Problems with any of the paths, or with two of them together. */
  readonly problems: readonly string[];
}

type FileInputs = Pick<
  Options,
  | "reportFile"
  | "markdownFile"
  | "writeBaseline"
  | "spec"
  | "experiment"
  | "reports"
  | "mapping"
  | "gate"
  | "baseline"
  | "apiKeyFile"
  | "envFile"
>;

/** A path from an input, and where it resolves to. */
interface Place {
  readonly input: string;
  readonly path: string;
  readonly real: string;
}

/**
 * Resolves the files that a run will write before anything runs, so that a link made later is
 * refused. Two of them at one path, or one over a file that the run reads, are problems: the later
 * would silently replace the earlier.
 */
export async function locateWrittenFiles(
  workspace: Workspace,
  files: FileInputs,
): Promise<WrittenFiles> {
  const problems: string[] = [];
  const written: Place[] = [];
  const unwritten = new Set<string>();
  const refuse = (message: string, ...inputs: readonly string[]): void => {
    problems.push(message);
    for (const input of inputs) unwritten.add(input);
  };
  for (const [input, path] of [
    ["report-file", files.reportFile],
    ["markdown-file", files.markdownFile],
    ["write-baseline", files.writeBaseline],
  ] as const) {
    if (path === undefined || path === "") continue;
    try {
      written.push({ input, path, real: await workspace.locateFile(path) });
    } catch (error) {
      refuse((error as Error).message);
    }
  }
  for (const [at, { input, path, real }] of written.entries())
    for (const other of written.slice(0, at))
      if (other.real === real)
        refuse(
          `${other.input} and ${input} both name ${path}; give each a file of its own`,
          other.input,
          input,
        );
  try {
    const root = written.length === 0 ? "" : await workspace.locate(".");
    for (const place of written)
      for (const [input, paths] of readsOf(files)) {
        // An accepted run replaces the old baseline.
        if (place.input === "write-baseline" && input === "baseline") continue;
        if (await isRead(workspace, place, { paths, root }))
          refuse(
            `${place.input} would replace ${place.path}, which ${input} reads; give it another path`,
            place.input,
          );
      }
  } catch (error) {
    // The workspace is no folder: nothing can be read or written in it.
    refuse((error as Error).message, "report-file", "markdown-file");
  }
  // The report of a refusal must not do what was refused.
  const realOf = (name: string): string | undefined =>
    unwritten.has(name) ? undefined : written.find(({ input }) => input === name)?.real;
  return { reportFile: realOf("report-file"), markdownFile: realOf("markdown-file"), problems };
}

/** What a run may read: paths or patterns, by input. */
function readsOf(files: FileInputs): readonly (readonly [string, readonly string[]])[] {
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

/** A file that only a pattern matches counts only if it exists: a run does not read what it has yet to write. */
async function isRead(
  workspace: Workspace,
  { real, path }: Place,
  { paths, root }: { readonly paths: readonly string[]; readonly root: string },
): Promise<boolean> {
  for (const one of paths.filter((each) => !hasMagic(each) && !each.startsWith("!")))
    if ((await workspace.locate(one).catch(() => "")) === real) return true;
  if (!paths.some((each) => hasMagic(each))) return false;
  const isThere = await workspace.inspect(path).then(
    () => true,
    () => false,
  );
  return isThere && [relative(root, real), real].some(pathMatcher(paths));
}
