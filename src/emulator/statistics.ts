import { isObject, type Json, type JsonObject } from "./json.ts";
import { parseTime, scoreOf } from "./upload-check.ts";

interface Tally {
  n: number;
  scored: number;
  sum: number;
  squares: number;
  readonly values: Map<string, number>;
}

/** Counts feedback by key, in memory bounded by the number of keys and of distinct values. */
function createTally(): {
  readonly add: (feedback: Json | undefined) => void;
  readonly result: () => JsonObject | null;
} {
  const keys = new Map<string, Tally>();
  return {
    add: (feedback) => {
      for (const one of Array.isArray(feedback) ? (feedback as readonly JsonObject[]) : []) {
        const name = String(one["key"]);
        const tally = keys.get(name) ?? { n: 0, scored: 0, sum: 0, squares: 0, values: new Map() };
        keys.set(name, tally);
        const score = scoreOf(one);
        tally.n += 1;
        if (score !== null) {
          tally.scored += 1;
          tally.sum += score;
          tally.squares += score * score;
        }
        if (typeof one["value"] === "string" && tally.values.size < 1000)
          tally.values.set(one["value"], (tally.values.get(one["value"]) ?? 0) + 1);
      }
    },
    result: () =>
      keys.size === 0
        ? null
        : Object.fromEntries(
            [...keys].map(([name, { n, scored, sum, squares, values }]) => {
              const avg = scored === 0 ? null : sum / scored;
              const variance = avg === null ? null : Math.max(0, squares / scored - avg * avg);
              return [
                name,
                {
                  n,
                  avg,
                  stdev: variance === null ? null : Math.sqrt(variance),
                  values: Object.fromEntries(values),
                },
              ];
            }),
          ),
  };
}

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
  /** The statistics of an experiment, as a session shows them once they are persisted. */
  readonly result: (summary: Json | undefined) => JsonObject;
}

/** Takes the rows of an upload one by one and keeps only what the statistics, the window rule and the dataset need. */
export function createAccumulator(newId: (index: number) => string): Accumulator {
  const windows: [number, number][] = [];
  const ids: string[] = [];
  const tally = createTally();
  let errors = 0;
  let lastStart = "";
  return {
    add: (row) => {
      windows.push([parseTime(row["start_time"]), parseTime(row["end_time"])]);
      ids.push(typeof row["row_id"] === "string" ? row["row_id"].toLowerCase() : newId(ids.length));
      tally.add(row["evaluation_scores"]);
      if (typeof row["error"] === "string" && row["error"] !== "") errors += 1;
      const start = new Date(windows.at(-1)![0]);
      if (!Number.isNaN(start.getTime()) && start.toISOString() > lastStart)
        lastStart = start.toISOString();
    },
    windows: () => windows,
    rowIds: () => ids,
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
