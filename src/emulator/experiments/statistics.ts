import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { createRowKeeper } from "./experiment-rows.ts";
import { createTally } from "./tally.ts";
import { parseTime } from "./upload-check.ts";

/** Value at a quantile of a sorted list, between neighbours where it falls between. */
function quantile(sorted: Float64Array, q: number): number | null {
  if (sorted.length === 0) return null;
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** What is kept of the rows of an upload. */
export interface Accumulator {
  readonly add: (row: JsonObject) => void;
  /** Start and end of every row, in milliseconds, in the order of the rows. */
  readonly windows: () => readonly (readonly [number, number])[];
  readonly rowIds: () => readonly string[];
  /** The rows in the form they are kept in. */
  readonly kept: () => readonly string[];
  /** The statistics of an experiment, as a session shows them once they are persisted. */
  readonly result: (summary: Json | undefined) => JsonObject;
}

/** Takes the rows of an upload one by one and keeps only what the statistics, the window rule and the dataset need. */
export function createAccumulator(newId: (index: number) => string): Accumulator {
  const windows: [number, number][] = [];
  const ids: string[] = [];
  const tally = createTally();
  const keeper = createRowKeeper();
  let errors = 0;
  let lastStart = "";
  return {
    add: (row) => {
      windows.push([parseTime(row["start_time"]), parseTime(row["end_time"])]);
      ids.push(typeof row["row_id"] === "string" ? row["row_id"].toLowerCase() : newId(ids.length));
      keeper.add(row, ids.at(-1)!);
      tally.add(row["evaluation_scores"]);
      if (typeof row["error"] === "string" && row["error"] !== "") errors += 1;
      const start = new Date(windows.at(-1)![0]);
      if (!Number.isNaN(start.getTime()) && start.toISOString() > lastStart)
        lastStart = start.toISOString();
    },
    windows: () => windows,
    rowIds: () => ids,
    kept: keeper.rows,
    result: (summary) => {
      const latencies = Float64Array.from(windows, ([start, end]) => (end - start) / 1000).sort();
      const session = createTally();
      if (Array.isArray(summary) || isObject(summary)) session.add(summary);
      return {
        run_count: windows.length,
        latency_p50: quantile(latencies, 0.5),
        latency_p99: quantile(latencies, 0.99),
        last_run_start_time: lastStart === "" ? null : lastStart,
        last_run_start_time_live: lastStart === "" ? null : lastStart,
        feedback_stats: tally.result(),
        session_feedback_stats: session.result(),
        run_facets: [],
        error_rate: windows.length === 0 ? null : errors / windows.length,
        streaming_rate: windows.length === 0 ? null : 0,
      };
    },
  };
}
