import type { FileHeader, ReadRow } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Mapping } from "./mapping.ts";

/** A file with its beginning, looked at once, for every detector. */
export interface Head {
  readonly file: InputFile;
  readonly name: string;
  readonly container: "json" | "jsonl" | "csv" | "xml" | "zip";
  /** The first 256 KiB as text, of JSONL one whole line at least. Empty for a zip. */
  readonly text: string;
  /** Whether that is all of the file. */
  readonly isWhole: boolean;
  /** JSON: all of it, parsed. */
  readonly document?: unknown;
  /**
   * JSON: keys of the root object, or of the root array's first element, down to two levels
   * (`results.version`). JSONL: keys of the first lines.
   */
  readonly keys: ReadonlySet<string>;
  readonly rootIsArray: boolean;
  /** CSV: the header record. */
  readonly columns: readonly string[];
}

/** How a file is to be read, from the user's inputs. */
export interface ReadOptions {
  readonly mapping?: Mapping | undefined;
  /** promptfoo: one experiment per provider and prompt (default), or all in one. */
  readonly split: "auto" | "none";
}

/** One or more files opened as one source of rows, which is iterated once. */
export interface RowSource {
  /** File order, some at a time. Throws a DiagnosticError where the file cannot be read. */
  readonly batches: () => AsyncIterable<readonly ReadRow[]>;
  /** Its times are known with the first row, all else once `batches` has ended. */
  readonly header: () => FileHeader;
}

/**
 * A result file format: how it is recognised and how it becomes rows. One file in this folder each,
 * one line in the registry.
 */
export interface Format {
  /** As `format:` takes it. */
  readonly name: string;
  readonly title: string;
  readonly detect: (head: Head) => boolean;
  /** `others` are the further files of its source, where the format joins several. */
  readonly open: (head: Head, options: ReadOptions, others: readonly Head[]) => RowSource;
  /** The document's own format: a value of the wrong type is an error, not something to convert. */
  readonly strict?: true;
  /** The mapping file that it is, but for what code adds. */
  readonly mapping?: string;
  /** Why its files may be without a score, and what to do; absent: a mapping may find one. */
  readonly unscored?: string;
  /** All detected files of one input make one source. */
  readonly joins?: true;
  /** Names of formats whose files belong to this one's source where one input names both. */
  readonly absorbs?: readonly string[];
}
