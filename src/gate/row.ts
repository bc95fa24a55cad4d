import type { ExampleNames } from "./example-names.ts";

/** One scored row, as a reader passes it to the gate: an example, one repeat of it, its scores. */
export interface GateRow {
  /**
   * Identity of the example: a hash of its inputs' canonical JSON, even if row ids are given.
   * Repeats share it. A text, or the 16 bytes of a UUID.
   */
  readonly example: string | Uint8Array;
  /** Numeric scores by metric; unscored metrics are absent. */
  readonly scores: Readonly<Record<string, number>>;
  /** True if the run itself crashed; scores of such a row count anyway. */
  readonly error: boolean;
  /** Seconds; null if the file has no times or duration. */
  readonly latency: number | null;
  /**
   * Values that `cluster_by` and `must_pass` select by, flattened: `inputs.x`, `run_metadata.x`.
   * Scalars only, as text.
   */
  readonly tags: Readonly<Record<string, string>>;
  /**
   * Short plain text of input, expected and output, for the list of rows that got worse; already
   * cut, not yet escaped.
   */
  readonly preview: RowPreview;
}

/** The texts of a row that a report may show. */
export interface RowPreview {
  readonly input: string;
  readonly expected: string;
  readonly output: string;
  /** URL of the run's trace; absent if the file has none. */
  readonly trace?: string;
  /** A command that runs the example again; absent if the file's tool has none. */
  readonly rerun?: string;
  /** The judge's comments by metric; absent if there are none. */
  readonly comments?: Readonly<Record<string, string>>;
}

/** Whether the run that wrote a file ended normally with every row. */
export type RunState = "complete" | "cancelled" | "incomplete";

/** Rows that give a metric only in words. */
export interface WordedMetric {
  readonly rows: number;
  /** Whether a mapping can count the words: not if the document's own `value` contains them. */
  readonly mappable: boolean;
}

/** What is known about the file that a table was read from. */
export interface TableFacts {
  readonly file: string;
  readonly state: RunState;
  readonly commit: string | null;
  /** ISO 8601; null if the file does not say. */
  readonly created_at: string | null;
  /** Model or name of the judge, if the file says. */
  readonly judge: string | null;
  /** Inputs that seem to be new in every run. */
  readonly madeUp?: readonly string[];
  /** Rows with words but no number for a metric, by metric. */
  readonly words?: Readonly<Record<string, WordedMetric>>;
  /** Metrics that the rows name without any number. */
  readonly unscored?: ReadonlySet<string>;
  /** The better side of metrics, as shown by the file's own verdicts. */
  readonly shown?: ReadonlyMap<string, "lower" | "higher">;
  /** Metrics whose better side the file's format knows. */
  readonly known?: Readonly<Record<string, "lower" | "higher" | "unclear">>;
}

/**
 * Scored rows of one result file, head or baseline: one array per column, so that large files fit
 * into memory. Rows are sorted by example, and those of one example by their scores, so that the
 * order of a file's rows does not matter.
 */
export interface GateTable extends TableFacts {
  /** Number of rows. */
  readonly size: number;
  /** Number of examples, and the most rows of any. */
  readonly examples: number;
  readonly repeats: number;
  /** The first row of each example, and the number of rows after that of the last. */
  readonly start: Int32Array;
  /** By row. */
  readonly example: ExampleNames;
  readonly error: Uint8Array;
  /** Seconds; NaN if missing. */
  readonly latency: Float64Array;
  /** Names of all scores, sorted. */
  readonly metrics: readonly string[];
  /** One value per row, NaN if not scored. */
  readonly scores: ReadonlyMap<string, Float64Array>;
  /** Names of the fields seen, sorted; for messages. */
  readonly tagNames: readonly string[];
  readonly tag: (row: number, name: string) => string | undefined;
  readonly preview: (row: number) => RowPreview;
  /** Sketches of input texts by example, if a baseline file has them instead of texts. */
  readonly sketches?: ReadonlyMap<string, string>;
}
