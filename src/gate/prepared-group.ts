import type { Comparable } from "./comparable.ts";
import type { Crashes } from "./crash.ts";
import type { PreparedDrop } from "./drop.ts";
import type { PreparedErrors } from "./error-gate.ts";
import type { GateGroup } from "./gate-group.ts";
import type { GateRule } from "./gate-rule.ts";
import type { Judging } from "./side.ts";

/** A group between measuring and verdicts. */
export interface PreparedGroup {
  readonly group: GateGroup;
  readonly judging: Judging;
  readonly crashes: Crashes;
  readonly comparable: Comparable;
  readonly items: readonly (PreparedItem | null)[];
  readonly errors: PreparedErrors | null;
}

/** A gate that was measured: what it needs of the family is asked for, its verdict is open. */
export type PreparedItem =
  | { readonly kind: "drop"; readonly item: PreparedDrop }
  | { readonly kind: "floor"; readonly item: GateRule };
