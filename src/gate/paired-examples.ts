/** The examples that two runs scored for a metric, in pairs. */
export interface Pairing {
  /** Positions in the head's and the reference's examples. */
  readonly head: Int32Array;
  readonly base: Int32Array;
  /** Rows of a pair on one side. */
  readonly rowsOf: (side: "head" | "base", pair: number) => Int32Array;
  /** Rows left out, and examples that the reference scored and the head did not. */
  readonly dropped: number;
  readonly lost: number;
  /** Whether every example has one value on either side. */
  readonly single: boolean;
}
