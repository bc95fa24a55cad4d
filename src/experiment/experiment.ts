import { hash } from "node:crypto";
import type { EntryPoint } from "../model/entry-point.ts";
import type { BetterSide } from "../gate/direction.ts";
import type { RunState } from "../gate/row.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { checkHeader, type GivenHeader } from "./checks.ts";
import { diagnosticAt, DiagnosticError, refusal } from "./input/diagnostic.ts";
import type { Format, Head, RowSource } from "./formats/format.ts";
import { readHead } from "./formats/head.ts";
import { draftMapping } from "./formats/mapping-draft.ts";
import { parseMapping } from "./formats/mapping-file.ts";
import type { Mapping } from "./formats/mapping.ts";
import { FORMATS, formatOf } from "./formats/registry.ts";
import { completenessOf } from "./formats/totals.ts";
import { withoutStamps } from "./input/identity.ts";
import { findInputFiles, type InputFile } from "./input/input-file.ts";
import {
  type CollectHow,
  createRowCollector,
  type GivenTimes,
  type RowFacts,
} from "./row-collector.ts";
import { listed } from "./row-notes.ts";
import { createWorkspace, type WorkspaceOptions } from "../files/workspace.ts";
import { WorkspaceError } from "../files/workspace-error.ts";
import type { FileHeader } from "./input/row.ts";
import { instantAt, parseInstant } from "./input/timestamp.ts";
import { inOrder } from "./input/ordered-object.ts";

/** One experiment as read from a file, checked. Its rows are in its spool, and the file is not read again. */
export interface Experiment extends Omit<RowFacts, "problems">, ReturnType<typeof toSourceFacts> {
  /** Null if a row, or the file as a whole, has a score; else why uploading it would be useless, and what to write. */
  readonly whyUnscored: string | null;
  /** What distinguishes the experiments of one file (promptfoo: provider and prompt); empty if there is only one. */
  readonly label: string;
  /** The same, even if there is only one; else the agent that the file names. */
  readonly group: string;
  /** Request fields that the file itself contains. */
  readonly given: GivenHeader;
  readonly state: RunState;
  /** sha256 of the files' digests and the label. */
  readonly digest: string;
}

interface ReadHow extends CollectHow {
  /** `auto` or a name from the registry. */
  readonly format?: string;
  readonly mapping?: Mapping | undefined;
  readonly split?: "auto" | "none";
  /** Decides how advice names inputs. */
  readonly entryPoint?: EntryPoint;
  /** Called before each source is read, with the format its file was taken for. */
  readonly onFormat?: ((file: string, format: Pick<Format, "name" | "title">) => void) | undefined;
}

/** What to read and how, from the inputs. */
export interface ReadFilesRequest extends Omit<ReadHow, "mapping" | "temp"> {
  /** Files and globs, relative to the workspace. */
  readonly paths: readonly string[];
  /** The paths are names of files found earlier rather than patterns. */
  readonly exact?: boolean;
  /** Path of a mapping file; implies the format `mapping`. */
  readonly mapping?: string | undefined;
  readonly workspace: WorkspaceOptions;
}

const MAX_GROUPS = 500;

/** Files that are read as one: a report and its side files. */
interface FileSource {
  readonly format: Format;
  readonly heads: Head[];
}

const ENDING = /\.(?:jsonl?|ndjson|[ct]sv|eval|xml|trx)$/i;

/** The file that represents its source: a runner's report before its side files. */
const mainOf = ({ heads }: FileSource): Head =>
  heads.find(({ keys }) => keys.has("testResults")) ?? heads[0]!;

/** The file's name without ending and time stamps, so that a suite has the same name in every run. */
function suiteOf(source: FileSource): string {
  const name = mainOf(source).name.split("/").at(-1)!;
  const plain = withoutStamps(name.replace(/\.junit\.xml$/i, "").replace(ENDING, ""));
  return plain.replace(/^\.+/, "") === "" ? "results" : plain.replace(/^\.+/, "");
}

/**
 * Reads and checks every result file once. Unreadable files and violations of upload rules are
 * problems, all reported at once. Never throws.
 */
export async function readExperiments(request: ReadFilesRequest): Promise<Read> {
  const { files, problems } = await findInputFiles(request.paths, request.workspace, request.exact);
  const mapping = await readMappingInput(request).catch((error: unknown) => {
    problems.push(...problemsOf(error, request.mapping ?? "mapping"));
    return undefined;
  });
  if (request.mapping !== undefined && mapping === undefined) return { experiments: [], problems };
  const read = await readFiles(files, { ...request, mapping, temp: request.workspace.temp });
  return { ...read, problems: [...problems, ...read.problems] };
}

interface Read {
  readonly experiments: Experiment[];
  readonly problems: readonly Diagnostic[];
}

/** The same for files already found; each is read once. */
export async function readFiles(files: readonly InputFile[], how: ReadHow): Promise<Read> {
  const read: Read[] = [];
  /** By position: files that may belong to another file's report. */
  const waiting = new Map<number, FileSource>();
  for (const [n, file] of files.entries()) {
    const opened = await openSource(file, how);
    if ("problems" in opened) read[n] = opened;
    else if (mayJoin(opened.format)) waiting.set(n, opened);
    else read[n] = await readSource(opened, how);
  }
  for (const [n, source] of joinSources(waiting)) read[n] = await readSource(source, how);
  return {
    experiments: read.flatMap(({ experiments }) => experiments),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function openSource(
  file: InputFile,
  { format, mapping, entryPoint }: ReadHow,
): Promise<FileSource | Read> {
  const wanted = mapping === undefined ? (format ?? "auto") : "mapping";
  try {
    const head = await readHead(file);
    return { format: await formatOf(head, wanted, entryPoint), heads: [head] };
  } catch (error) {
    await file.close();
    return { experiments: [], problems: problemsOf(error, file.name) };
  }
}

const mayJoin = ({ name }: Format): boolean => FORMATS.some(({ joins }) => joins?.includes(name));

/** Gives the files of one source to the first of them. */
function joinSources(waiting: ReadonlyMap<number, FileSource>): Map<number, FileSource> {
  const formats = Array.from(waiting.values(), ({ format }) => format);
  const firsts = new Map<Format, FileSource>();
  const sources = new Map<number, FileSource>();
  for (const [n, { format: own, heads }] of waiting) {
    const format = formats.find(({ joins }) => joins?.includes(own.name)) ?? own;
    const source = firsts.get(format) ?? { format, heads: [] };
    if (source.heads.length === 0) sources.set(n, source);
    source.heads.push(...heads);
    if (format.joins) firsts.set(format, source);
  }
  return sources;
}

async function readSource(source: FileSource, how: ReadHow): Promise<Read> {
  const { name } = mainOf(source);
  how.onFormat?.(name, source.format);
  try {
    return await collectSource(source, how);
  } catch (error) {
    return { experiments: [], problems: problemsOf(error, name) };
  } finally {
    for (const { file } of source.heads) await file.close();
  }
}

/** Ten thousand columns have less: a larger file is something else. */
const MAX_MAPPING_BYTES = 1024 * 1024;

async function readMappingInput({
  mapping,
  format = "auto",
  workspace,
}: ReadFilesRequest): Promise<Mapping | undefined> {
  if (mapping === undefined) return undefined;
  // `csv` says how the file is written, which a mapping leaves open.
  if (!["auto", "mapping", "csv"].includes(format))
    throw refusal(
      { file: mapping },
      `format ${format} reads a file by its own rules, not by a mapping; leave out format or mapping`,
    );
  const text = await createWorkspace(workspace).readText(mapping, MAX_MAPPING_BYTES);
  return parseMapping(text, mapping);
}

/**
 * Converts anything that reading can throw to problems: those of a DiagnosticError, else one that
 * names the file and no internals.
 */
function problemsOf(error: unknown, file: string): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.problems;
  if (error instanceof WorkspaceError) return [diagnosticAt({ file }, error.message)];
  const code = (error as { code?: unknown } | null)?.code;
  return [
    diagnosticAt(
      { file },
      `the file cannot be read (${typeof code === "string" ? code : "it is damaged, or not what its first lines say"})`,
    ),
  ];
}

type RowCollector = ReturnType<typeof createRowCollector>;
type Groups = Map<string, { readonly label: string; readonly collector: RowCollector }>;

/** Reads one source: its rows by group, one experiment per group. */
async function collectSource(source: FileSource, how: ReadHow): Promise<Read> {
  const { mapping, split = "auto" } = how;
  const [first, ...others] = source.heads as [Head, ...Head[]];
  const reading = source.format.open(first, { mapping, split }, others);
  const { file } = mainOf(source);
  const strict = source.format.strict === true;
  const groups = await collectGroups(reading, file, { ...how, strict });
  const header = reading.header();
  const checked = checkHeader(file.name, header.given ?? {}, strict);
  const { state, warnings } = completenessOf(header);
  const problems = [...checked.problems];
  const experiments: Experiment[] = [];
  for (const [key, { label, collector }] of groups) {
    const { problems: found, ...facts } = collector.finish(header);
    for (const problem of found)
      problems.push(problem.file === "" ? { ...problem, file: file.name } : problem);
    const given = withSummary(checked.header, header.summaries?.get(key), strict);
    experiments.push({
      ...facts,
      ...toSourceFacts(source, header),
      whyUnscored: explainUnscored(source, facts, given),
      label: groups.size > 1 ? label : "",
      group: label || (header.agent ?? ""),
      given,
      digest: digestOf(source, groups.size > 1 ? label : ""),
      state,
      warnings: [...warnings, ...checked.warnings, ...facts.warnings],
    });
  }
  return { experiments, problems };
}

async function collectGroups(
  reading: RowSource,
  file: InputFile,
  how: ReadHow & { readonly strict: boolean },
): Promise<Groups> {
  const groups: Groups = new Map();
  let times: GivenTimes | undefined;
  const open = (key: string, label: string): { readonly collector: RowCollector } => {
    if (groups.size === MAX_GROUPS)
      throw refusal(
        { file: file.name },
        `the file holds more than ${MAX_GROUPS} experiments; split: none makes one of them`,
      );
    times ??= timesOf(reading.header(), file);
    const group = { label, collector: createRowCollector(file.name, times, how) };
    groups.set(key, group);
    return group;
  };
  for await (const batch of reading.batches())
    for (const read of batch) {
      const key = read.group?.key ?? "";
      const { collector } = groups.get(key) ?? open(key, read.group?.label ?? "");
      const example = collector.add(read);
      reading.repeats?.add(read, example);
    }
  if (groups.size === 0) open("", "");
  return groups;
}

/** The window fixed by the file, and the start of rows without a time. */
function timesOf({ given = {}, started_at }: FileHeader, { mtimeMs }: InputFile): GivenTimes {
  return {
    start: parseInstant(given.experiment_start_time),
    end: parseInstant(given.experiment_end_time),
    fileTime: parseInstant(started_at) ?? instantAt(Math.floor(mtimeMs) * 1000),
  };
}

/** Summary scores of one group, if the file has them by group. */
function withSummary(
  given: GivenHeader,
  summary: readonly unknown[] | undefined,
  strict: boolean,
): GivenHeader {
  return summary === undefined
    ? given
    : { ...given, ...checkHeader("", { summary_experiment_scores: summary }, strict).header };
}

const digestOf = ({ heads }: FileSource, label: string): string =>
  hash("sha256", [...heads.map(({ file }) => file.digest()), label].join("\n"));

const describeChanged = ({ name }: Head): string =>
  `${name} changed while it was read or later: what was read of it is what is judged and sent; let the step that writes it end first`;

/** What all experiments of one source share; null where the file does not say. */
const toSourceFacts = (source: FileSource, header: FileHeader) =>
  ({
    file: mainOf(source).name,
    format: source.format.name,
    /** Stable name of the tested suite, for default names. */
    suite: header.suite ?? suiteOf(source),
    commit: header.commit ?? null,
    /** ISO 8601. */
    created_at: parseInstant(header.started_at)?.text ?? null,
    judge: header.judge ?? null,
    directions: header.directions ?? new Map<string, BetterSide>(),
    metadata: inOrder<unknown>(
      Object.entries(header.metadata ?? {}).filter(([, value]) => value !== undefined),
    ),
    fileDigests: source.heads.map(({ file }) => file.digest()),
    skipped: header.skipped ?? 0,
    notes: header.notes ?? [],
    /** Reports files that have changed since they were read. */
    changes: () => source.heads.filter(({ file }) => file.isChanged()).map(describeChanged),
  }) as const;

/**
 * Why a file without any score is useless: which numbers it contains, and a mapping to start from.
 * Null if it has a score, or no rows.
 */
function explainUnscored(
  source: FileSource,
  { rowCount: rows, errorCount: errors, scored, worded, unscored }: Omit<RowFacts, "problems">,
  given: GivenHeader,
): string | null {
  if (rows === 0 || scored > 0 || given.summary_experiment_scores !== undefined) return null;
  const read = `read as ${source.format.name}`;
  if (errors === rows)
    return `no row has a score (${read}): ${rows === 1 ? "the only row" : `all ${rows} rows`} errored`;
  if (worded === 0 && unscored.length > 0)
    return `no row has a score (${read}): all values of ${listed(unscored)} are missing, NaN or infinite; check what scores the rows`;
  if (source.format.unscored !== undefined && worded === 0)
    return `no row has a score (${read}); ${source.format.unscored}`;
  const rest = draftMapping(mainOf(source)) || "name the scores by a mapping";
  return worded === 0
    ? `no row has a score (${read}); ${rest}`
    : `no row has a number as its score, only words (${read}); "words: { good: 1, bad: 0 }" in a mapping makes numbers of them; ${rest}`;
}
