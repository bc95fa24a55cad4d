import { createHash } from "node:crypto";
import type { BetterSide } from "../gate/direction.ts";
import type { WordedMetric } from "../gate/row.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { checkHeader, type GivenHeader } from "./checks.ts";
import { diagnosticAt, DiagnosticError, refusal } from "./diagnostic.ts";
import type { Format, Head, RowSource } from "./formats/format.ts";
import { readHead } from "./formats/head.ts";
import { readMapping } from "./formats/mapping-file.ts";
import type { Mapping } from "./formats/mapping.ts";
import { formatOf } from "./formats/registry.ts";
import { createGateRows, type GateRows, type GatheredRows, type RowsWanted } from "./gate-rows.ts";
import { createIndexer, type Indexer, type IndexPass } from "./index-pass.ts";
import { findInputFiles, type InputFile, type InputPlaces } from "./input-file.ts";
import { draftMapping, renderDraft } from "./mapping-draft.ts";
import { changed, type JoinedRows, joinTexts, ownTexts, toRow } from "./row-texts.ts";
import type { FileHeader, Row } from "./row.ts";
import type { Mean } from "./score-means.ts";
import { mainFile, type FileSource, suiteOf } from "./source-file.ts";
import { formatInstant, type Instant, parseInstant } from "./timestamp.ts";

/** One experiment as files hold it, checked: rows can be passed over any number of times and are the same each time. */
export interface Experiment {
  readonly file: string;
  readonly format: string;
  /**
   * Null where a row has a score, or the file as a whole; else why an upload of it would be for
   * nothing, and what to write.
   */
  readonly explainUnscored: () => Promise<string | null>;
  /** What tells experiments of one file apart (promptfoo: provider and prompt); empty where there is one. */
  readonly label: string;
  /** The same, also where there is one. */
  readonly group: string;
  /** Stable name of what is tested, for default names. */
  readonly suite: string;
  /** Fields of the request that the file itself has. */
  readonly given: GivenHeader;
  readonly window: { readonly start: Instant; readonly end: Instant };
  readonly rowCount: number;
  readonly errorCount: number;
  readonly state: "complete" | "cancelled" | "incomplete";
  readonly commit: string | null;
  /** ISO 8601; null where the file does not say. */
  readonly created_at: string | null;
  readonly judge: string | null;
  /** The better side of metrics, where the file's own verdicts show it. */
  readonly directions: ReadonlyMap<string, BetterSide>;
  /** What the runner says of itself (model, task). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** sha256 over the set of examples. */
  readonly fingerprint: string;
  /** sha256 of the files' bytes, and of the label; null where they are in memory. */
  readonly digest: string | null;
  readonly scores: Readonly<Record<string, Mean>>;
  /** Means as the service will count them: every score that is sent. */
  readonly sent: Readonly<Record<string, Mean>>;
  /** Rows that say a metric in words and give it no number, by metric; rows that failed are not counted. */
  readonly words: Readonly<Record<string, WordedMetric>>;
  /** Metrics that the rows name and give no number at all. */
  readonly unscored: readonly string[];
  readonly warnings: readonly string[];
  /** The rows as gates judge them, one for each provider and prompt; null where nobody said that gates want them. */
  readonly gathered: readonly GatheredRows[] | null;
  /** Rows some at a time, in file order; throws a ProblemError when the file changed since it was checked. */
  readonly batches: () => AsyncIterable<readonly Row[]>;
  readonly rows: () => AsyncIterable<Row>;
  /** The same rows as they are sent, after a last change to each. */
  readonly texts: (change?: (body: Row["body"]) => Row["body"]) => AsyncIterable<JoinedRows>;
}

/** What to read and how, from the inputs. */
export interface ReadFilesRequest {
  /** Files and globs, relative to the workspace. */
  readonly paths: readonly string[];
  /** The paths are names of files, found before, and no patterns. */
  readonly exact?: boolean;
  /** `auto` or a name of the registry. */
  readonly format?: string;
  /** Path of a mapping file; with it, `format` is `mapping` unless it says otherwise. */
  readonly mapping?: string | undefined;
  readonly split?: "auto" | "none";
  /** What gates want of the rows; without it nothing but what an upload needs is kept. */
  readonly wanted?: RowsWanted | undefined;
  /** Told for every source before it is read: which format its file was taken for. */
  readonly onFormat?: ((file: string, format: Pick<Format, "name" | "title">) => void) | undefined;
  readonly workspace: InputPlaces;
}

const MAX_GROUPS = 500;

/**
 * Reads and checks every result file once; what cannot be read or breaks a rule of the upload is a
 * problem, all of them at once. Never throws.
 */
export async function readExperiments(
  request: ReadFilesRequest,
): Promise<{ experiments: Experiment[]; problems: Diagnostic[] }> {
  const { files, problems } = await findInputFiles(request.paths, request.workspace, request.exact);
  const mapping = await readMappingInput(request).catch((error: unknown) => {
    problems.push(...problemsOf(error, request.mapping ?? "mapping"));
    return undefined;
  });
  if (request.mapping !== undefined && mapping === undefined) return { experiments: [], problems };
  const read = await readFiles(files, { ...request, mapping });
  return { experiments: read.experiments, problems: [...problems, ...read.problems] };
}

/** The same for files that are opened already. */
export async function readFiles(
  files: readonly InputFile[],
  how: {
    readonly format?: string;
    readonly mapping?: Mapping | undefined;
    readonly split?: "auto" | "none";
    readonly wanted?: RowsWanted | undefined;
    /** Told for every source before it is read. */
    readonly onFormat?: ((file: string, format: Format) => void) | undefined;
  },
): Promise<{ experiments: Experiment[]; problems: Diagnostic[] }> {
  const problems: Diagnostic[] = [];
  const experiments: Experiment[] = [];
  const sources: FileSource[] = [];
  const wanted =
    how.mapping !== undefined && (how.format ?? "auto") === "auto"
      ? "mapping"
      : (how.format ?? "auto");
  const known: { readonly file: InputFile; readonly head: Head; readonly format: Format }[] = [];
  for (const file of files) {
    try {
      const head = await readHead(file);
      known.push({ file, head, format: await formatOf(head, wanted) });
    } catch (error) {
      problems.push(...problemsOf(error, file.name));
    }
  }
  for (const { file, head, format: own } of known) {
    const format = known.find(({ format }) => format.absorbs?.includes(own.name))?.format ?? own;
    const joined = format.joins ? sources.find((source) => source.format === format) : undefined;
    if (joined === undefined) sources.push({ format, files: [file], heads: [head] });
    else {
      joined.files.push(file);
      joined.heads.push(head);
    }
  }
  for (const source of sources) {
    how.onFormat?.(mainFile(source).name, source.format);
    try {
      const indexed = await indexSource(source, {
        mapping: how.mapping,
        split: how.split ?? "auto",
        wanted: how.wanted,
      });
      experiments.push(...indexed.experiments);
      problems.push(...indexed.problems);
    } catch (error) {
      problems.push(...problemsOf(error, mainFile(source).name));
    }
  }
  return { experiments, problems };
}

async function readMappingInput({
  mapping,
  workspace,
}: ReadFilesRequest): Promise<Mapping | undefined> {
  if (mapping === undefined || mapping === "") return undefined;
  const { files, problems } = await findInputFiles([mapping], workspace, true);
  if (problems.length > 0 || files[0] === undefined) throw new DiagnosticError(problems);
  return readMapping(files[0]);
}

/**
 * Everything that reading can throw, as problems: a ProblemError's own, else one that names the
 * file and no internals.
 */
function problemsOf(error: unknown, file: string): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.problems;
  const code = (error as { code?: unknown } | null)?.code;
  return [
    diagnosticAt(
      { file },
      `the file cannot be read (${typeof code === "string" ? code : "it is damaged, or not what its first lines say"})`,
    ),
  ];
}

/** The first pass over one source: one index pass per group of rows. */
async function indexSource(
  source: FileSource,
  options: {
    readonly mapping: Mapping | undefined;
    readonly split: "auto" | "none";
    readonly wanted: RowsWanted | undefined;
  },
): Promise<{ experiments: Experiment[]; problems: Diagnostic[] }> {
  const reading = source.format.open(source.files, source.heads, options);
  const file = mainFile(source);
  const strict = source.format.strict === true;
  const groups = await indexGroups(reading, file, { strict, wanted: options.wanted });
  const header = reading.header();
  const checked = checkHeader(file.name, header.given, strict);
  const fileTime = parseInstant(header.started_at) ??
    parseInstant(new Date(Math.floor(file.mtimeMs)).toISOString()) ?? {
      us: 0,
      text: formatInstant(0),
    };
  const given = {
    start: parseInstant(checked.header.experiment_start_time),
    end: parseInstant(checked.header.experiment_end_time),
    fileTime,
  };
  const problems = [...checked.problems];
  const experiments: Experiment[] = [];
  for (const [key, { label, indexer, gateRows }] of groups) {
    const indexPass = indexer.finish(given);
    problems.push(
      ...indexPass.problems.map((problem) =>
        problem.file === "" ? { ...problem, file: file.name } : problem,
      ),
    );
    problems.push(...(await rowsOutside(reading, key, indexPass)));
    experiments.push(
      toExperiment({
        source,
        reading,
        header,
        given: withSummary(checked.header, header.summaries?.get(key), strict),
        key,
        label: groups.size > 1 ? label : "",
        group: label,
        indexPass,
        gathered: gateRows?.finish(reading) ?? null,
        warnings: [...(header.warnings ?? []), ...checked.warnings, ...indexPass.warnings],
      }),
    );
  }
  return { experiments, problems };
}

type Groups = Map<
  string,
  { readonly label: string; readonly indexer: Indexer; readonly gateRows: GateRows | null }
>;

async function indexGroups(
  reading: RowSource,
  file: InputFile,
  { strict, wanted }: { readonly strict: boolean; readonly wanted: RowsWanted | undefined },
): Promise<Groups> {
  const groups: Groups = new Map();
  const open = (key: string, label: string): { readonly indexer: Indexer } => {
    if (groups.size === MAX_GROUPS)
      throw refusal(
        { file: file.name },
        `the file holds more than ${MAX_GROUPS} experiments; split: none makes one of them`,
      );
    const gateRows = wanted === undefined ? null : createGateRows(wanted);
    const group = { label, indexer: createIndexer(strict, gateRows), gateRows };
    groups.set(key, group);
    return group;
  };
  if (reading.texts !== undefined) {
    const { indexer } = open("", "");
    for await (const batch of reading.texts())
      for (let n = 0; n < batch.texts.length; n += 1) indexer.addText(batch, n);
    return groups;
  }
  for await (const batch of reading.batches()) {
    for (const read of batch) {
      const key = read.group?.key ?? "";
      (groups.get(key) ?? open(key, read.group?.label ?? "")).indexer.add(read);
    }
  }
  if (groups.size === 0) open("", "");
  return groups;
}

/** Summary scores of one group, where the file has them by group. */
function withSummary(
  given: GivenHeader,
  summary: readonly unknown[] | undefined,
  strict: boolean,
): GivenHeader {
  return summary === undefined
    ? given
    : { ...given, ...checkHeader("", { summary_experiment_scores: summary }, strict).header };
}

async function rowsOutside(
  reading: RowSource,
  key: string,
  indexPass: IndexPass,
): Promise<Diagnostic[]> {
  if (indexPass.outside === null) return [];
  const found: Diagnostic[] = [];
  let n = 0;
  for await (const batch of reading.batches()) {
    for (const read of batch)
      if ((read.group?.key ?? "") === key && found.length < 10_000)
        found.push(...indexPass.outside(read, n++));
  }
  return found;
}

/** A file without a single score: what numbers it holds, and a mapping to start from. */
async function explainUnscored(
  source: FileSource,
  { rows, errors, scored, worded }: IndexPass,
  given: GivenHeader,
): Promise<string | null> {
  if (rows === 0 || scored > 0 || given.summary_experiment_scores !== undefined) return null;
  const read = `read as ${source.format.name}`;
  if (errors === rows)
    return `no row has a score (${read}): ${rows === 1 ? "the only row" : `all ${rows} rows`} errored`;
  const draft = draftMapping(source.heads[source.files.indexOf(mainFile(source))]!);
  const rest = renderDraft(draft) || "name the scores by a mapping";
  return worded === 0
    ? `no row has a score (${read}); ${rest}`
    : `no row has a number as its score, only words (${read}); "words: { good: 1, bad: 0 }" in a mapping makes numbers of them; ${rest}`;
}

function digestOf({ files }: FileSource, label: string): string | null {
  const digests = files.map((file) => file.digest?.() ?? null);
  if (digests.includes(null)) return null;
  return createHash("sha256")
    .update([...digests, label].join("\n"))
    .digest("hex");
}

interface Parts {
  readonly source: FileSource;
  readonly reading: RowSource;
  readonly header: FileHeader;
  readonly given: GivenHeader;
  readonly key: string;
  readonly label: string;
  readonly group: string;
  readonly indexPass: IndexPass;
  readonly gathered: readonly GatheredRows[] | null;
  readonly warnings: readonly string[];
}

function toExperiment({
  source,
  reading,
  header,
  given,
  key,
  label,
  group,
  indexPass,
  gathered,
  warnings,
}: Parts): Experiment {
  const file = mainFile(source);
  async function* each<T>(take: (row: Row) => T): AsyncGenerator<readonly T[]> {
    let n = 0;
    for await (const batch of reading.batches()) {
      const taken: T[] = [];
      for (const read of batch)
        if ((read.group?.key ?? "") === key)
          taken.push(take(toRow(indexPass, read, n++, file.name)));
      if (taken.length > 0) yield taken;
    }
    if (n !== indexPass.rows) throw changed(file.name);
  }
  const batches = (): AsyncIterable<readonly Row[]> => each((row) => row);
  async function* rows(): AsyncGenerator<Row> {
    for await (const batch of batches()) yield* batch;
  }
  const texts = (change?: (body: Row["body"]) => Row["body"]): AsyncIterable<JoinedRows> =>
    reading.texts === undefined || change !== undefined
      ? joinTexts(each, change ?? ((body) => body))
      : ownTexts(reading.texts(), indexPass, file.name);
  const created = parseInstant(header.started_at);
  return {
    file: file.name,
    format: source.format.name,
    explainUnscored: () => explainUnscored(source, indexPass, given),
    label,
    group,
    given,
    batches,
    rows,
    texts,
    suite: header.suite ?? suiteOf(source),
    window: indexPass.window,
    rowCount: indexPass.rows,
    errorCount: indexPass.errors,
    state: header.state ?? "complete",
    commit: header.commit ?? null,
    created_at: created?.text ?? null,
    judge: header.judge ?? null,
    directions: header.directions ?? new Map(),
    metadata: Object.fromEntries(
      Object.entries(header.metadata ?? {}).filter(([, value]) => value !== undefined),
    ),
    fingerprint: indexPass.fingerprint,
    digest: digestOf(source, label),
    scores: indexPass.scores,
    sent: indexPass.sent,
    words: indexPass.words,
    unscored: indexPass.unscored,
    gathered,
    warnings,
  };
}
