import {
  factsOf,
  isSameId,
  newestFirst,
  type StoredExperiment,
  toStored,
} from "../evaluation/stored-experiment.ts";
import type { Marker } from "../experiment/marker.ts";
import { toStoredTable } from "../experiment/stored-rows.ts";
import { createSpillFile } from "../files/spill-file.ts";
import { columnOf } from "../gate/metric.ts";
import type { GateTable } from "../gate/row.ts";
import { UsageError } from "../ci/session.ts";
import { didYouMean } from "../spec/suggestion.ts";
import type { Tracing } from "../service/tracing.ts";
import { UUID } from "../model/live.ts";
import { isObject, own } from "../model/json.ts";
import type { ScoredRun } from "../report/score-trend.ts";
import { listedItems, suggestName } from "./listed-items.ts";

/** More rows are not read for a mere listing. */
const MAX_ROWS = 20_000;
const MAX_FLIPPING = 5;
const MIDDLE = 0.5;

/** Reads the last experiments of a dataset; throws a UsageError for an unknown dataset or metric. */
export async function readScoreHistory(
  tracing: Tracing,
  wanted: {
    readonly dataset: string;
    readonly metric: string | undefined;
    readonly last: number;
  },
) {
  const dataset = await findDataset(tracing, wanted.dataset);
  const lookup = await tracing.listExperiments(dataset.id, Infinity);
  const stored = listedItems(lookup, "experiments")
    .flatMap((one) => toStored(one) ?? [])
    .filter(({ dataset_id }) => isSameId(dataset_id, dataset.id))
    .sort(newestFirst)
    .slice(0, wanted.last)
    .reverse();
  const metrics = [...new Set(stored.flatMap((one) => Object.keys(scoresOf(one))))].sort();
  const metric = chooseMetric(metrics, wanted.metric, stored.length);
  const runs = stored.map((one, at) => summarize(one, stored[at - 1]));
  const known = metric === null ? "no run has a score yet" : tooMany(runs);
  const flips =
    known === "" ? await readFlips(tracing, stored, metric!) : { counts: [], flipping: [] };
  return {
    dataset,
    /** All metrics that any of the runs has. */
    metrics,
    /** The metric whose flips are reported; null if no run has a score. */
    metric,
    /** Oldest first. */
    runs: runs.map((run, at) => ({ ...run, flips: flips.counts[at] ?? null })),
    /** Examples that went back and forth. */
    flipping: flips.flipping,
    /** Why flips are not shown; empty if they are. */
    why: known,
  };
}

/** The scores of one dataset over time. */
export type ScoreHistory = Awaited<ReturnType<typeof readScoreHistory>>;

function tooMany(runs: readonly Pick<ScoredRun, "rows">[]): string {
  const rows = runs.reduce((sum, run) => sum + (run.rows ?? 0), 0);
  return rows > MAX_ROWS
    ? `${rows} rows are too many to compare (at most ${MAX_ROWS}); show fewer runs with --last`
    : "";
}

async function findDataset(tracing: Tracing, given: string) {
  if (UUID.test(given)) return { id: given.toLowerCase(), name: given };
  const datasets = listedItems(await tracing.listDatasets(), "datasets", "give the dataset's id");
  const found = datasets.filter(({ name }) => name === given);
  if (found.length > 1)
    throw new UsageError(
      `there are ${found.length} datasets named ${given}: ${found.map(({ id }) => id).join(", ")}; give the id`,
    );
  const [one] = found;
  if (one !== undefined) return { id: one.id, name: one.name };
  throw new UsageError(`there is no dataset ${given}${suggestName(given, datasets)}`);
}

function chooseMetric(
  metrics: readonly string[],
  wanted: string | undefined,
  runs: number,
): string | null {
  if (wanted === undefined) return metrics[0] ?? null;
  if (metrics.includes(wanted) || runs === 0) return metrics.length === 0 ? null : wanted;
  throw new UsageError(
    `metric: no run has ${wanted}${didYouMean(wanted, metrics)}; metrics seen: ${metrics.join(", ") || "none"}`,
  );
}

function scoresOf({ session: { body } }: StoredExperiment): Record<string, number> {
  const stats = body["feedback_stats"];
  if (!isObject(stats)) return {};
  return Object.fromEntries(
    Object.entries(stats).flatMap(([key, one]): [string, number][] => {
      const avg = own(one, "avg");
      return typeof avg === "number" ? [[key, avg]] : [];
    }),
  );
}

function summarize(one: StoredExperiment, before: StoredExperiment | undefined) {
  const { id, name, marker, session } = one;
  const { commit, created_at } = factsOf(one);
  const earlier = before?.marker ?? null;
  return {
    id,
    name,
    number: session.test_run_number,
    started_at: created_at,
    commit,
    branch: marker?.branch ?? null,
    rows: marker?.rows ?? session.run_count,
    complete: marker?.complete ?? null,
    gate_verdict: marker?.gate_verdict ?? null,
    accepted: marker?.accepted ?? false,
    evaluator: marker?.evaluator ?? null,
    model: marker?.model ?? null,
    scores: scoresOf(one),
    changed: marker === null || earlier === null ? [] : changesOf(earlier, marker),
  };
}

function changesOf(before: Marker, now: Marker): readonly string[] {
  const changes = (["evaluator", "model"] as const).flatMap((key) =>
    before[key] === now[key] ? [] : [`${key} ${before[key] ?? "none"} → ${now[key] ?? "none"}`],
  );
  if (before.dataset === now.dataset) return changes;
  const isAsLong = before.rows === now.rows;
  const dataset = isAsLong
    ? "dataset: other examples"
    : `dataset ${before.rows} → ${now.rows} rows`;
  return [...changes, dataset];
}

/**
 * Examples whose mark crossed the middle from one run to the next. Scores are from the oldest run to
 * the newest; null if not scored.
 */
async function readFlips(tracing: Tracing, sessions: readonly StoredExperiment[], metric: string) {
  const seen = new Map<string, { input: string; flips: number; scores: (number | null)[] }>();
  const counts: ({ up: number; down: number } | null)[] = [];
  for (const [at, session] of sessions.entries()) {
    const table = await readTable(tracing, session);
    const { mean } = columnOf(table, { kind: "score", key: metric });
    let [up, down] = [0, 0];
    for (const [e, score] of mean.entries()) {
      if (Number.isNaN(score)) continue;
      const example = table.example.at(table.start[e]!)!;
      const known = seen.get(example) ?? {
        input: table.preview(table.start[e]!).input,
        flips: 0,
        scores: sessions.map(() => null),
      };
      const before = known.scores[at - 1] ?? null;
      known.scores[at] = score;
      seen.set(example, known);
      if (before === null || before >= MIDDLE === score >= MIDDLE) continue;
      known.flips += 1;
      if (score > before) up += 1;
      else down += 1;
    }
    counts.push(at === 0 ? null : { up, down });
  }
  const flipping = [...seen.values()]
    .filter(({ flips }) => flips > 0)
    .sort((a, b) => b.flips - a.flips || a.input.localeCompare(b.input, "en"))
    .slice(0, MAX_FLIPPING);
  return { counts, flipping };
}

function readTable(tracing: Tracing, source: StoredExperiment): Promise<GateTable> {
  return toStoredTable(tracing.readExamples(source), {
    sessionId: source.id,
    headExamples: [],
    tags: new Set(),
    facts: factsOf(source),
    spill: createSpillFile(),
  });
}
