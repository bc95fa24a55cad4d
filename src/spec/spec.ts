import { errorAt, type Desired, type Diagnostic } from "./desired.ts";
import type { Environment, SpecMode } from "./interpolation.ts";
import {
  chosenTarget,
  judgeChoice,
  placeWord,
  repeatedTargets,
  resolveTarget,
  splitTargets,
  type TargetChoice,
  type ResolvedDocument,
  type TargetedDocument,
} from "./targets.ts";
import {
  validateDocument,
  validateResolved,
  type CheckOptions,
  type ValidatedDocument,
} from "./validation.ts";
import { parseYaml } from "./yaml.ts";
import { entryOf, isNullNode } from "./yaml-node.ts";

/** A spec file with the path that problems refer to. */
export interface SpecFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that parsing a spec depends on. */
export interface ParseSpecOptions {
  readonly files: readonly SpecFile[];
  readonly env: Environment;
  readonly mode: SpecMode;
  /**
   * False on an untrusted pull request: every `${…}` is an error, and no secret is read from the
   * environment. Default true.
   */
  readonly interpolate?: boolean;
  /** A `deployment-id` was given, so the document need not be complete enough for a create. Default false. */
  readonly adopted?: boolean;
  /** Names of the documents that the run works on; empty: all of them. */
  readonly only?: readonly string[];
  /** Which target to resolve documents for. Default: none. */
  readonly targets?: TargetChoice;
}

/** The valid documents, and every problem. */
export interface ParsedSpec {
  /** Documents without an error, in the order of the files. */
  readonly documents: readonly Desired[];
  /** In the order of the files, then by line and column. Nothing may be sent if any of these is an error. */
  readonly problems: readonly Diagnostic[];
  /** Values to mask before anything is printed, also filled if there are errors. */
  readonly sensitiveValues: readonly string[];
}

/** The most deployments in one file. */
const MAX_DOCUMENTS = 1000;
/** The most problems reported for one file: nobody reads more, and a hostile file could cause a hundred thousand. */
const MAX_PROBLEMS = 1000;

/**
 * Parses, interpolates and validates every document of every file. It reports all problems at once
 * and never throws.
 */
export function parseSpec(options: ParseSpecOptions): ParsedSpec {
  const { files, env, mode, interpolate = true, adopted = false, targets: choice = {} } = options;
  const checking = { env, trusted: interpolate, mode, adopted };
  const read = files.map((file) => readFile(file));
  const written = read.flatMap(({ documents }) => documents);
  const chosen = chosenTarget(written, choice);
  // What was not read may have the target.
  const isCut = read.some((file) => file.isCut);
  const shared = [
    ...(isCut ? [] : judgeChoice(written, choice)),
    ...repeatedTargets(written, checking),
  ];
  const validated = read.flatMap(({ documents, broken }) =>
    documents.flatMap((document) => {
      const names = choice.all === true ? [...document.overlays.keys()] : [chosen];
      // A document that YAML refused in part was checked, to report everything at once, but is not what the author
      // meant.
      return (names.length === 0 ? [undefined] : names).map((name) => {
        const result = validateTarget(document, name, checking, options.only ?? []);
        return broken ? { ...result, desired: undefined } : result;
      });
    }),
  );
  const duplicates = repeatedNames(validated);
  const documents = validated.flatMap(({ desired }, index) =>
    desired === undefined || duplicates.has(index) ? [] : [desired],
  );
  const problems = inFileOrder(files, [
    ...read.flatMap((file) => file.problems),
    ...written.flatMap((document) => document.problems),
    ...shared,
    ...validated.flatMap((result) => result.problems),
    ...duplicates.values(),
  ]);
  const empty = validated.length === 0 && problems.length === 0;
  return {
    documents,
    problems: empty ? [nothingWritten(files)] : problems,
    sensitiveValues: [...new Set(validated.flatMap((result) => result.sensitiveValues))],
  };
}

function nothingWritten(files: readonly SpecFile[]): Diagnostic {
  const at = { file: files[0]?.path ?? "agent-deploy.yml", line: 1, column: 1 };
  return errorAt(at, "", "the spec is empty; write a first one with agent-deploy init");
}

/** One parsed file; `broken`: YAML refused a part of it; `isCut`: all from there on. */
interface ReadFile {
  readonly documents: readonly TargetedDocument[];
  readonly problems: readonly Diagnostic[];
  readonly broken: boolean;
  readonly isCut: boolean;
}

function readFile({ path, text }: SpecFile): ReadFile {
  const file = parseYaml(text, path);
  const written = file.documents.filter((node) => !isNullNode(node));
  const tooMany = `a file holds at most ${MAX_DOCUMENTS} documents; split it`;
  const overflow = written.slice(MAX_DOCUMENTS, MAX_DOCUMENTS + 1);
  return {
    documents: written.slice(0, MAX_DOCUMENTS).map(splitTargets),
    problems: [...overflow.map(({ at }) => errorAt(at, "", tooMany)), ...file.problems],
    broken: file.problems.length > 0,
    isCut: file.isCut === true,
  };
}

interface TargetResult extends ValidatedDocument {
  readonly target: string | undefined;
}

function validateTarget(
  document: TargetedDocument,
  name: string | undefined,
  checking: CheckOptions,
  only: readonly string[],
): TargetResult {
  const resolved = resolveTarget(document, name, checking);
  const result = validateResolved(resolved, checking);
  // Without its target a document may lack what every target provides: report only the missing choice.
  if (document.overlays.size > 0 && resolved.place === undefined)
    return { ...result, problems: [], desired: undefined, target: undefined };
  const target = resolved.place?.name;
  if (only.length > 0 && result.name !== undefined && !only.includes(result.name))
    return { ...judgeOther(resolved, checking, result), target };
  const problems = nameTarget(document, resolved, result, checking);
  const leaves = findLeft(document, resolved);
  const desired =
    result.desired === undefined || leaves.size === 0
      ? result.desired
      : { ...result.desired, leaves };
  return { ...result, desired, problems, target };
}

/** Variables that the target sets to null, one by one or all at once. */
function findLeft({ base }: TargetedDocument, { removed }: ResolvedDocument): ReadonlySet<string> {
  const written = entryOf(base, "variables")?.value;
  const names = written?.kind === "map" ? written.entries.map(({ key }) => key) : [];
  return new Set(
    names.filter((name) => removed.has("variables") || removed.has(`variables.${name}`)),
  );
}

/**
 * A document that the run does not work on must be well-formed, but its environment values concern
 * the run that does work on it, such as another job of a matrix.
 */
function judgeOther(
  resolved: ResolvedDocument,
  checking: CheckOptions,
  asked: ValidatedDocument,
): ValidatedDocument {
  const isError = ({ level }: Diagnostic): boolean => level === "error";
  const result = asked.problems.some(isError)
    ? validateResolved(resolved, { ...checking, mode: "validate" })
    : asked;
  return { ...result, problems: result.problems.filter(isError) };
}

/** An error that occurs for this target only, in lines that all targets share, names the target. */
function nameTarget(
  { base }: TargetedDocument,
  { place, written }: ResolvedDocument,
  { problems }: ValidatedDocument,
  checking: CheckOptions,
): readonly Diagnostic[] {
  const isOwn = (one: Diagnostic): boolean =>
    one.level === "warning" || written.has(placeWord(one));
  if (place === undefined || problems.every(isOwn)) return problems;
  const shared = new Set(validateDocument(base, checking).problems.map(({ message }) => message));
  return problems.map((one) =>
    isOwn(one) || one.line === place.at.line || shared.has(one.message)
      ? one
      : { ...one, message: `${one.message} (in target ${place.name}, line ${place.at.line})` },
  );
}

/** Removes repeated problems of several targets, sorts by file and position, and limits the number per file. */
function inFileOrder(
  files: readonly SpecFile[],
  problems: readonly Diagnostic[],
): readonly Diagnostic[] {
  const unique = new Map(
    problems.map((one) => [
      `${one.file}:${one.line}:${one.column} ${one.path} ${one.message}`,
      one,
    ]),
  );
  const byFile = new Map(files.map(({ path }) => [path, [] as Diagnostic[]]));
  for (const problem of unique.values()) byFile.get(problem.file)?.push(problem);
  return [...byFile.values()].flatMap((own) =>
    firstOf(own.sort((a, b) => a.line - b.line || a.column - b.column)),
  );
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
      message: `and ${rest.length} more problems in this file; fix those above first`,
    },
  ];
}

/** Problems of documents whose name an earlier document already has, by document index. */
function repeatedNames(documents: readonly TargetResult[]): Map<number, Diagnostic> {
  const first = new Map<string, ValidatedDocument["nameAt"]>();
  const duplicates = new Map<number, Diagnostic>();
  for (const [index, { name, nameAt, target }] of documents.entries()) {
    if (name === undefined || name === "") continue;
    const own = JSON.stringify([target ?? "", name]);
    const any = JSON.stringify(["*", name]);
    const everywhere = JSON.stringify(["", name]);
    const before =
      target === undefined ? first.get(any) : (first.get(everywhere) ?? first.get(own));
    if (before === undefined) {
      first.set(own, nameAt);
      if (!first.has(any)) first.set(any, nameAt);
    } else {
      const message = `repeats the name of the document at ${before.file}:${before.line}:${before.column}; give each deployment its own name`;
      duplicates.set(index, errorAt(nameAt, "name", message));
    }
  }
  return duplicates;
}
