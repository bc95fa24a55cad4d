import type { GateRow } from "../gate/row.ts";
import { createNameHash } from "./row-id.ts";

/** Names rows that crashed before anything was known of them: each is an example of its own. */
export interface NamelessCrashes {
  /**
   * The sixteen bytes of its name, which hold until the next; null for a row that is known by its inputs. Asked for
   * rows that crashed and have no score.
   */
  readonly nameOf: (inputs: unknown) => Uint8Array | null;
}

/** The row under the name that it is judged by. */
export function named(row: GateRow, inputs: unknown, { nameOf }: NamelessCrashes): GateRow {
  const isBare = row.error && Object.keys(row.scores).length === 0;
  const example = isBare ? nameOf(inputs) : null;
  return example === null ? row : { ...row, example };
}

/**
 * Inputs without content are the same on every row, so that hundreds of crashes would count as one
 * example's repeats.
 */
export function createNamelessCrashes(): NamelessCrashes {
  const names = createNameHash();
  const octets = new Uint8Array(16);
  let count = 0;
  return {
    nameOf: (inputs) => {
      if (holdsContent(inputs)) return null;
      count += 1;
      // The name is not JSON, so no inputs have it.
      names.write(`crash ${count} without inputs`);
      return names.digest(0, octets);
    },
  };
}

function holdsContent(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value === "object" && value !== null) return Object.values(value).some(holdsContent);
  return value !== null && value !== undefined;
}
