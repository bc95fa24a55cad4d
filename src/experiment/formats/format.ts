import type { FileHeader, ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Mapping } from "./mapping.ts";

/** The beginning of a file, looked at once, for every detector. */
export interface Head {
  readonly name: string;
  readonly container: "json" | "jsonl" | "csv" | "xml" | "zip";
  /** The first 256 KiB as text; of a longer JSON file its long strings are cut short. Empty for a zip. */
  readonly text: string;
  /** Whether that is all of the file. */
  readonly isWhole: boolean;
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

/** Bytes of a file, and where they begin in it; absent where they stand for another text. */
export interface PlacedText {
  readonly bytes: Buffer;
  readonly at?: number;
}

/** Rows as they are written in the file; their bytes hold only until the next batch is asked for. */
export interface RowTexts {
  readonly texts: readonly PlacedText[];
  /** Parses the n-th of them, from 0. */
  readonly read: (n: number) => ReadRow;
}

/** One or more files opened as one source of rows; rows may be iterated any number of times. */
export interface RowSource {
  /** File order, some at a time. Throws a ProblemError where the file cannot be read. */
  readonly batches: () => AsyncIterable<readonly ReadRow[]>;
  /** The same rows unparsed, where they are the document's own: what is right as it stands is sent as it stands. */
  readonly texts?: () => AsyncIterable<RowTexts>;
  /** The row that stands at a place of the file; null where it does not any more. */
  readonly readAt?: (from: number, bytes: number) => ReadRow | null;
  /** Complete once `batches` has been iterated to its end once. */
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
  readonly open: (
    files: readonly InputFile[],
    heads: readonly Head[],
    options: ReadOptions,
  ) => RowSource;
  /** The document's own format: a value of the wrong type is an error, not something to convert. */
  readonly strict?: true;
  /** All detected files of one input make one source. */
  readonly joins?: true;
  /** Names of formats whose files belong to this one's source where both stand in one input. */
  readonly absorbs?: readonly string[];
}
