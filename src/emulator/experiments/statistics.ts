import type { Json, JsonObject } from "../../model/json.ts";
import { parseTime } from "../http/request-value.ts";

/** Statistics that a session shows; token and cost fields stay null, since an upload does not carry them. */
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

/** Most distinct texts of one key that are counted. */
const MOST_VALUES = 1000;

/** Numeric score of a feedback; booleans count as 1 and 0. */
export function scoreOf(feedback: JsonObject): number | null {
  const value = feedback["score"];
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : null;
}

/** The feedback of a row, or of a whole experiment. */
export const feedbackIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** Feedback counted by key; null where there is none. */
export function tally(feedback: readonly JsonObject[]): JsonObject | null {
  const keys = new Map<string, JsonObject[]>();
  for (const one of feedback) {
    const key = String(one["key"]);
    const known = keys.get(key);
    if (known === undefined) keys.set(key, [one]);
    else known.push(one);
  }
  return keys.size === 0
    ? null
    : Object.fromEntries([...keys].map(([key, all]) => [key, summaryOf(all)]));
}

function summaryOf(all: readonly JsonObject[]): JsonObject {
  const scores = all.map(scoreOf).filter((score) => score !== null);
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const avg = meanOf(scores);
  const values = new Map<string, number>();
  for (const { value } of all)
    if (typeof value === "string" && (values.has(value) || values.size < MOST_VALUES))
      values.set(value, (values.get(value) ?? 0) + 1);
  return {
    n: all.length,
    avg: scores.length === 0 ? null : avg,
    stdev:
      scores.length === 0
        ? null
        : Math.sqrt(Math.max(0, meanOf(scores.map((score) => score * score)) - avg * avg)),
    values: Object.fromEntries(values),
  };
}

/** Value at a quantile of a sorted list, between neighbours where it falls between. */
function quantile(sorted: Float64Array, q: number): number | null {
  if (sorted.length === 0) return null;
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** The statistics of some rows, as a session shows them once they are persisted. */
export function statisticsOf(rows: readonly JsonObject[], summary?: Json): JsonObject {
  const starts = rows.map((row) => parseTime(row["start_time"]));
  const latencies = Float64Array.from(
    rows,
    (row, i) => (parseTime(row["end_time"]) - starts[i]!) / 1000,
  ).sort();
  const last = starts.reduce((latest, start) => Math.max(latest, start), -Infinity);
  const lastStart = rows.length === 0 ? null : new Date(last).toISOString();
  const failed = rows.filter(({ error }) => typeof error === "string" && error !== "");
  return {
    run_count: rows.length,
    latency_p50: quantile(latencies, 0.5),
    latency_p99: quantile(latencies, 0.99),
    last_run_start_time: lastStart,
    last_run_start_time_live: lastStart,
    feedback_stats: tally(rows.flatMap((row) => feedbackIn(row["evaluation_scores"]))),
    session_feedback_stats: tally(feedbackIn(summary)),
    run_facets: [],
    error_rate: rows.length === 0 ? null : failed.length / rows.length,
    streaming_rate: rows.length === 0 ? null : 0,
  };
}
