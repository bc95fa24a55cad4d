import type { FileHeader, ReadRow } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Mapping } from "./mapping.ts";

/** A file and its beginning, examined once for all detectors. */
export interface Head {
  readonly file: InputFile;
  readonly name: string;
  readonly container: "json" | "jsonl" | "csv" | "xml" | "zip";
  /** The first 256 KiB as text, for JSONL at least one whole line. Empty for a zip. */
  readonly text: string;
  /** Whether `text` is the whole file; true for a JSON object or list, whose `document` is. */
  readonly isWhole: boolean;
  /** JSON: the whole file, parsed. */
  readonly document?: unknown;
  /**
   * JSON: keys of the root object, or of the root array's first element, down to two levels
   * (`results.version`). JSONL: keys of the first lines.
   */
  readonly keys: ReadonlySet<string>;
  readonly rootIsArray: boolean;
  /** CSV: the header record. */
  readonly columns: readonly string[];
  /** CSV: what separates its cells: a comma, a semicolon, a tab or a bar. */
  readonly separator: string;
}

/** How to read a file, from the user's inputs. */
export interface ReadOptions {
  readonly mapping?: Mapping | undefined;
  /** promptfoo: one experiment per provider and prompt (default), or all in one. */
  readonly split: "auto" | "none";
}

/** Notices that several rows count as repeats of one example. */
export interface RepeatNotes {
  /** Takes a row and the 16 bytes of its example. */
  readonly add: (read: ReadRow, example: Buffer) => void;
  readonly warnings: () => string[];
}

/** One or more files opened as one source of rows, which is iterated once. */
export interface RowSource {
  /** Batches in file order. Throws a DiagnosticError if the file cannot be read. */
  readonly batches: () => AsyncIterable<readonly ReadRow[]>;
  /** Its times are known with the first row, everything else after `batches` has ended. */
  readonly header: () => FileHeader;
  /** Learns the example of each row, for a warning of the header. */
  readonly repeats?: RepeatNotes;
}

/**
 * A result file format: how to recognise it and turn it into rows. One file in this folder each,
 * one line in the registry.
 */
export interface Format {
  /** The value of `format:`. */
  readonly name: string;
  readonly title: string;
  readonly detect: (head: Head) => boolean;
  /** `others`: the further files of its source, if the format joins several. */
  readonly open: (head: Head, options: ReadOptions, others: readonly Head[]) => RowSource;
  /** The document's own format: a value of the wrong type is an error rather than converted. */
  readonly strict?: true;
  /** Its mapping file, without what code adds. */
  readonly mapping?: string;
  /** Why its files may have no scores, and what to do; absent: a mapping may find some. */
  readonly unscored?: string;
  /** Names of formats, its own among them, whose files form one source if one of them is of this format. */
  readonly joins?: readonly string[];
}
