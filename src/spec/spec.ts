import type { Desired, Diagnostic } from "./desired.ts";
import type { Environment, SpecMode } from "./interpolation.ts";
import { validateDocument, type ValidatedDocument } from "./validation.ts";
import { parseYaml } from "./yaml.ts";

/** A spec file that was read, with the path that problems name. */
export interface SpecFile {
  readonly path: string;
  readonly text: string;
}

/** Everything a spec depends on; nothing is read from elsewhere. */
export interface ParseSpecOptions {
  readonly files: readonly SpecFile[];
  readonly env: Environment;
  readonly mode: SpecMode;
  /** False on an untrusted pull request: every `${…}` is an error, and no secret is taken from the environment. Default true. */
  readonly interpolate?: boolean;
  /** A `deployment-id` was given: the document need not be complete enough for a create. Default false. */
  readonly adopted?: boolean;
}

/** What the files say: the documents that are fine, and all that is not. */
export interface ParsedSpec {
  /** Documents without an error, in the order of the files. */
  readonly documents: readonly Desired[];
  /** In the order of the files, then by line and column. Nothing may be sent when one of them is an error. */
  readonly problems: readonly Diagnostic[];
  /** What must be masked before anything is printed; filled also when there are errors. */
  readonly sensitiveValues: readonly string[];
}

/** Most deployments of one file. */
const MAX_DOCUMENTS = 1000;
/** Most problems that are told of one file: nobody reads more, and a hostile file could make a hundred thousand. */
const MAX_PROBLEMS = 1000;

/** Parses, interpolates and validates every document of every file; all that is wrong comes back at once, and it never throws. */
export function parseSpec({
  files,
  env,
  mode,
  interpolate = true,
  adopted = false,
}: ParseSpecOptions): ParsedSpec {
  const validated: ValidatedDocument[] = [];
  let problems: Diagnostic[] = [];
  for (const { path, text } of files) {
    const file = parseYaml(text, path);
    const written = file.documents.filter((node) => node.kind !== "scalar" || node.value !== null);
    const results = written
      .slice(0, MAX_DOCUMENTS)
      .map((node) => validateDocument(node, { env, mode, interpolate, adopted }));
    const overflow: Diagnostic[] =
      written.length <= MAX_DOCUMENTS
        ? []
        : [
            {
              ...written[MAX_DOCUMENTS]!.at,
              level: "error",
              path: "",
              message: `a file holds at most ${MAX_DOCUMENTS} documents; split it`,
            },
          ];
    problems = problems.concat(
      firstOf(
        byPlace([...overflow, ...file.problems, ...results.flatMap((result) => result.problems)]),
      ),
    );
    // A document that YAML refused in part was judged, to say all at once, but is not what was meant.
    validated.push(
      ...(file.problems.length === 0
        ? results
        : results.map((result) => ({ ...result, desired: undefined }))),
    );
  }
  if (validated.length === 0 && problems.length === 0) {
    problems.push({
      file: files[0]?.path ?? "agent-deploy.yml",
      line: 1,
      column: 1,
      level: "error",
      path: "",
      message: "the spec holds no document; write one with name: and source: of a deployment",
    });
  }
  const duplicates = repeatedNames(validated);
  const documents = validated.flatMap(({ desired }, index) =>
    desired === undefined || duplicates.has(index) ? [] : [desired],
  );
  return {
    documents,
    problems:
      duplicates.size === 0 ? problems : inFileOrder(files, [...problems, ...duplicates.values()]),
    sensitiveValues: [...new Set(validated.flatMap((result) => result.sensitiveValues))],
  };
}

function firstOf(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const rest = problems.slice(MAX_PROBLEMS);
  if (rest.length === 0) return problems;
  const level = rest.some((problem) => problem.level === "error") ? "error" : "warning";
  return [
    ...problems.slice(0, MAX_PROBLEMS),
    {
      ...rest[0]!,
      level,
      path: "",
      message: `and ${rest.length} more problems in this file; mend those above first`,
    },
  ];
}

function byPlace(problems: readonly Diagnostic[]): Diagnostic[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

function inFileOrder(files: readonly SpecFile[], problems: readonly Diagnostic[]): Diagnostic[] {
  const order = new Map(files.map((file, index) => [file.path, index]));
  return byPlace(problems).sort((a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0));
}

/** Problems of documents whose name an earlier document has, by their position in the run. */
function repeatedNames(documents: readonly ValidatedDocument[]): Map<number, Diagnostic> {
  const first = new Map<string, ValidatedDocument["nameAt"]>();
  const duplicates = new Map<number, Diagnostic>();
  for (const [index, { name, nameAt }] of documents.entries()) {
    if (name === undefined || name === "") continue;
    const before = first.get(name);
    if (before === undefined) first.set(name, nameAt);
    else {
      const message = `repeats the name of the document at ${before.file}:${before.line}:${before.column}; give each deployment its own name`;
      duplicates.set(index, { ...nameAt, level: "error", path: "name", message });
    }
  }
  return duplicates;
}

/** A problem as one line, `file:line:column: path: what is wrong; what to write instead`; a warning says so at its end. */
export function renderProblem({ file, line, column, level, path, message }: Diagnostic): string {
  return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}${level === "warning" ? " (warning)" : ""}`;
}
