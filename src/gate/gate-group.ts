import type { BaselineGroup } from "./baseline.ts";
import type { GateTable } from "./row.ts";

/** One head to be judged: results of one provider and prompt, with the runs it is compared with. */
export interface GateGroup {
  /** Provider and prompt where a file holds several; else empty. */
  readonly label: string;
  readonly head: GateTable;
  readonly base: GateTable | null;
  /** The run that was last accepted by hand, where the baseline is a later one. */
  readonly anchor?: GateTable | null;
  /** Examples of each must_pass group that the baseline file remembers. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Providers and prompts that the baseline has and the run lacks. */
  readonly gone?: readonly Pick<BaselineGroup, "label" | "table">[];
  /** Why there is no base, where that was looked for. */
  readonly absent?: string;
}
