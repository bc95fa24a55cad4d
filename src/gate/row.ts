/** One scored row, as the gate sees it: an example, one repeat of it, its scores. */
export interface GateRow {
  /** Identity of the example: a hash of its inputs' canonical JSON, also where row ids are given. Repeats share it. */
  readonly example: string;
  /** Numeric scores by metric; a metric that was not scored is absent. */
  readonly scores: Readonly<Record<string, number>>;
  /** True when the run itself failed; such a row has no scores that count. */
  readonly error: boolean;
  /** Seconds; null where the file has no times or duration. */
  readonly latency: number | null;
  /** Values that `cluster_by` and `must_pass` select by, flattened: `inputs.x`, `run_metadata.x`. Scalars only, as text. */
  readonly tags: Readonly<Record<string, string>>;
  /** Short plain text of input, expected and output, for the list of rows that got worse; already cut, not yet escaped. */
  readonly preview: { readonly input: string; readonly expected: string; readonly output: string };
}

/** Scored rows of one result file, head or baseline, with what decides whether two of them may be compared. */
export interface GateTable {
  readonly file: string;
  readonly rows: readonly GateRow[];
  /** Whether the run that made the file ended by itself with every row in it. */
  readonly state: "complete" | "cancelled" | "incomplete";
  readonly commit: string | null;
  /** ISO 8601; null where the file does not say. */
  readonly created_at: string | null;
  /** Model or name of the judge that scored, where the file says. */
  readonly judge: string | null;
}
