import { cutEnd } from "./escape.ts";
import { renderColumns } from "./columns.ts";
import { renderChart } from "./mermaid.ts";
import { number } from "./numbers.ts";
import { utcMinutes } from "./wording.ts";

/** One experiment of a dataset, as far as the history shows it in words. */
export interface ScoredRun {
  readonly name: string;
  readonly number: number | null;
  readonly started_at: string | null;
  readonly commit: string | null;
  readonly rows: number | null;
  readonly gate_verdict: string | null;
  /** Whether a person accepted the run as the baseline. */
  readonly accepted: boolean;
  /** Means by metric; empty before the service has computed them. */
  readonly scores: Readonly<Record<string, number>>;
  /** What differs from the run before: `evaluator a → b`. */
  readonly changed: readonly string[];
  /** Examples that crossed the middle since the run before; null if they were not compared. */
  readonly flips: { readonly up: number; readonly down: number } | null;
}

const WIDTH = 80;
const MAX_METRICS = 2;
const BARS = "▁▂▃▄▅▆▇█";

/** At most 80 columns, newest first; `*` marks a run measured differently from the one before. */
export function renderRuns(
  runs: readonly ScoredRun[],
  metrics: readonly string[],
): readonly string[] {
  const shown = metrics.slice(0, MAX_METRICS);
  const head = ["", "RUN", "STARTED (UTC)", "COMMIT", "ROWS"];
  const titles = shown.map((metric) => cutEnd(metric.toUpperCase(), 12));
  const cells = runs.map((run) => [
    run.changed.length > 0 ? "*" : "",
    run.number === null ? "–" : String(run.number),
    utcMinutes(run.started_at ?? "") || "–",
    run.commit === null ? "–" : run.commit.slice(0, 7),
    run.rows === null ? "–" : String(run.rows),
    ...shown.map((metric) => number(run.scores[metric])),
    gateCell(run),
    run.flips === null ? "–" : `+${run.flips.up} -${run.flips.down}`,
    run.name,
  ]);
  const lines = renderColumns([...head, ...titles, "GATE", "FLIPS", "NAME"], cells.toReversed());
  return lines.map((line) => cutEnd(line, WIDTH));
}

/** What later runs are held to: a run that a person accepted counts, whatever its gates said. */
function gateCell({ gate_verdict: verdict, accepted }: ScoredRun): string {
  if (accepted && verdict !== "pass") return "accepted";
  return verdict === null || verdict === "none" ? "–" : verdict;
}

/** A metric from the oldest run to the newest as bars, with its first and last value. */
export function renderTrend(metric: string, values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return "";
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const ends = `${number(known[0])} → ${number(known.at(-1))}`;
  return `${cutEnd(metric, 24)}  ${sparkline(values)}  ${ends}  (low ${number(low)}, high ${number(high)})`;
}

/** Values as bars of eight heights; a blank for a missing one. */
export function sparkline(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return values
    .map((value) => {
      if (value === undefined) return " ";
      const share = high === low ? 0.5 : (value - low) / (high - low);
      return BARS[Math.round(share * (BARS.length - 1))]!;
    })
    .join("");
}

/** What changed between runs, one line per run. */
export function renderChanges(runs: readonly ScoredRun[]): readonly string[] {
  return runs
    .filter(({ changed }) => changed.length > 0)
    .map((run) => cutEnd(`* run ${run.number ?? run.name}: ${run.changed.join(", ")}`, WIDTH));
}

/** The same trend as a Mermaid chart, for a job summary. */
export function renderTrendChart(metric: string, values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return "";
  const ticks = known.map((_, at) => String(at + 1));
  return `${renderChart({ title: metric, ticks, axis: "score", lines: [known] })}\n`;
}
