import type { JsonObject } from "../../model/json.ts";
import { parseTime } from "../http/parameter.ts";

/** Statistics of a session; token and cost fields stay null, since an upload has none. */
export const NO_STATISTICS: JsonObject = {
  run_count: null,
  latency_p50: null,
  latency_p99: null,
  first_token_p50: null,
  first_token_p99: null,
  total_tokens: null,
  prompt_tokens: null,
  completion_tokens: null,
  total_cost: null,
  prompt_cost: null,
  completion_cost: null,
  last_run_start_time: null,
  last_run_start_time_live: null,
  feedback_stats: null,
  session_feedback_stats: null,
  run_facets: null,
  error_rate: null,
  streaming_rate: null,
};

/** The most distinct texts counted per key. */
const MAX_VALUES = 1000;

/** Numeric score of a feedback; booleans count as 1 and 0. */
export function scoreOf(feedback: JsonObject): number | null {
  const value = feedback["score"];
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : null;
}

/** Counts for the feedback of one key. */
interface Count {
  n: number;
  scored: number;
  sum: number;
  squares: number;
  readonly values: Map<string, number>;
}

function addTo(counts: Map<string, Count>, feedback: JsonObject): void {
  const key = String(feedback["key"]);
  const one = counts.get(key) ?? { n: 0, scored: 0, sum: 0, squares: 0, values: new Map() };
  counts.set(key, one);
  one.n += 1;
  const score = scoreOf(feedback);
  if (score !== null) {
    one.scored += 1;
    one.sum += score;
    one.squares += score * score;
  }
  const { values } = one;
  const { value } = feedback;
  if (typeof value === "string" && (values.has(value) || values.size < MAX_VALUES))
    values.set(value, (values.get(value) ?? 0) + 1);
}

function summaryOf({ n, scored, sum, squares, values }: Count): JsonObject {
  const avg = scored === 0 ? null : sum / scored;
  const stdev = avg === null ? null : Math.sqrt(Math.max(0, squares / scored - avg * avg));
  return { n, avg, stdev, values: Object.fromEntries(values) };
}

const show = (counts: ReadonlyMap<string, Count>): JsonObject | null =>
  counts.size === 0
    ? null
    : Object.fromEntries([...counts].map(([key, one]) => [key, summaryOf(one)]));

/** Feedback counted by key; null if there is none. */
export function tally(feedback: readonly JsonObject[]): JsonObject | null {
  const counts = new Map<string, Count>();
  for (const one of feedback) addTo(counts, one);
  return show(counts);
}

/** A quantile of a sorted list, interpolated. */
function quantile(sorted: Float64Array, q: number): number | null {
  if (sorted.length === 0) return null;
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Statistics of rows that arrive one by one. */
export type Statistics = ReturnType<typeof createStatistics>;

/** Statistics that have no rows yet. */
export function createStatistics() {
  const [starts, ends]: [number[], number[]] = [[], []];
  const counts = new Map<string, Count>();
  let failed = 0;
  return {
    /** Start and end times of the rows so far, in milliseconds since the epoch. */
    starts: starts as readonly number[],
    ends: ends as readonly number[],
    add: ({ start_time, end_time, error, evaluation_scores }: JsonObject): void => {
      starts.push(parseTime(start_time));
      ends.push(parseTime(end_time));
      if (typeof error === "string" && error !== "") failed += 1;
      for (const one of (evaluation_scores ?? []) as readonly JsonObject[]) addTo(counts, one);
    },
    /** As a session shows them once computed. */
    toJson: (summary: readonly JsonObject[] = []): JsonObject => {
      const count = starts.length;
      const latencies = Float64Array.from(ends, (end, i) => (end - starts[i]!) / 1000).sort();
      const last = starts.reduce((latest, start) => Math.max(latest, start), -Infinity);
      const lastStart = count === 0 ? null : new Date(last).toISOString();
      return {
        run_count: count,
        latency_p50: quantile(latencies, 0.5),
        latency_p99: quantile(latencies, 0.99),
        last_run_start_time: lastStart,
        last_run_start_time_live: lastStart,
        feedback_stats: show(counts),
        session_feedback_stats: tally(summary),
        run_facets: [],
        error_rate: count === 0 ? null : failed / count,
        streaming_rate: count === 0 ? null : 0,
      };
    },
  };
}
