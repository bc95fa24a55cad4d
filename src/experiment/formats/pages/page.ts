/**
 * What docs/evals/formats.md shows of a format, next to its vocabulary. It is separate from the
 * reader so that no run carries it.
 */
export interface FormatPage {
  /** Small files that hold all the format can; the table of formats and fields is made by reading them. */
  readonly examples: readonly { readonly name: string; readonly text: string }[];
  /** What a reader of the docs must know, one sentence each. */
  readonly notes: readonly string[];
}
