import type { ExampleNames } from "./example-names.ts";

/** One scored row, as a reader hands it to the gate: an example, one repeat of it, its scores. */
export interface GateRow {
  /**
   * Identity of the example: a hash of its inputs' canonical JSON, also where row ids are given.
   * Repeats share it. A text, or the 16 bytes of a UUID.
   */
  readonly example: string | Uint8Array;
  /** Numeric scores by metric; a metric that was not scored is absent. */
  readonly scores: Readonly<Record<string, number>>;
  /** True when the run itself failed; scores that such a row has count anyway. */
  readonly error: boolean;
  /** Seconds; null where the file has no times or duration. */
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

/** What a reader of the report sees of a row. */
export interface RowPreview {
  readonly input: string;
  readonly expected: string;
  readonly output: string;
  /** Address of the run's trace; absent where the file links none. */
  readonly trace?: string;
  /** What the judge wrote, by metric; absent where it wrote nothing. */
  readonly comments?: Readonly<Record<string, string>>;
}

/** Whether the run that made a file ended by itself with every row in it. */
export type RunState = "complete" | "cancelled" | "incomplete";

/** Rows that give a metric words only. */
export interface WordedMetric {
  readonly rows: number;
  /** Whether a mapping can count the words: not where the document's own `value` holds them. */
  readonly mappable: boolean;
}

/** What is known of the file that a table was read from. */
export interface TableFacts {
  readonly file: string;
  readonly state: RunState;
  readonly commit: string | null;
  /** ISO 8601; null where the file does not say. */
  readonly created_at: string | null;
  /** Model or name of the judge that scored, where the file says. */
  readonly judge: string | null;
  /** Rows that say a metric in words and give it no number, by metric. */
  readonly words?: Readonly<Record<string, WordedMetric>>;
  /** Metrics that the rows name and give no number at all. */
  readonly unscored?: ReadonlySet<string>;
  /** The better side of metrics that the file's own verdicts show. */
  readonly shown?: ReadonlyMap<string, "lower" | "higher">;
  /** Metrics whose better side the file's format knows. */
  readonly known?: Readonly<Record<string, "lower" | "higher" | "unclear">>;
}

/**
 * Scored rows of one result file, head or baseline: one array a column, so that large files fit into memory. Rows whose
 * examples are ids are in their order.
 */
export interface GateTable extends TableFacts {
  /** Number of rows. */
  readonly size: number;
  readonly example: ExampleNames;
  readonly error: Uint8Array;
  /** Seconds; NaN where there are none. */
  readonly latency: Float64Array;
  /** Names of all scores, sorted. */
  readonly metrics: readonly string[];
  /** A value per row, NaN where the row was not scored. */
  readonly scores: ReadonlyMap<string, Float64Array>;
  /** Names of the fields seen, sorted; for messages. */
  readonly tagNames: readonly string[];
  readonly tag: (row: number, name: string) => string | undefined;
  readonly preview: (row: number) => RowPreview;
  /** Sketches of input texts by example, where a baseline file holds them instead of texts. */
  readonly sketches?: ReadonlyMap<string, string>;
}
