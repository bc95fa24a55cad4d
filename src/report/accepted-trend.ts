import { code } from "./escape.ts";
import { decimalsOfMetric, isDrop, isLowerBetter, meanWords } from "./gate-numbers.ts";
import { renderChart } from "./mermaid.ts";
import { amounts, amountsWith } from "./numbers.ts";
import type { BaselinePoint, GateReport, Report } from "./report.ts";
import { sparkline } from "./score-trend.ts";
import { joinBlocks, renderDetails } from "./table.ts";
import { plural } from "../model/count-words.ts";

/** A single accepted run is the baseline itself, which the table shows. */
const FEWEST_RUNS = 2;
const MAX_METRICS = 6;

/** One gated score over the accepted runs that the baseline records, followed by this run. */
interface AcceptedTrend {
  readonly metric: string;
  /** Commits of the accepted runs, then `now`. */
  readonly ticks: readonly string[];
  readonly values: readonly number[];
  /** The last value, as its gate shows it. */
  readonly now: string;
  /** The worst values that the gates of this score allow. */
  readonly limits: readonly number[];
  /** The fewest decimals of its means, as in its gates. */
  readonly decimals: number;
}

/**
 * Renders every gated score over the accepted runs with its limits, as a picture and in words;
 * empty if the baseline records too few.
 */
export function renderAcceptedTrend(report: Report, open: boolean): string {
  const trends = toTrends(report);
  if (trends.length === 0) return "";
  const shown = trends.slice(0, MAX_METRICS);
  const more = trends.length - shown.length;
  const runs = Math.max(...trends.map(({ values }) => values.length - 1));
  return renderDetails(
    `Trend over the last ${plural(runs, "accepted run")}`,
    joinBlocks([
      ...shown.map((trend) => joinBlocks([renderTrendPicture(trend), trendSentence(trend)])),
      more > 0 ? `… and ${plural(more, "more score")}` : "",
    ]),
    open,
  );
}

function toTrends({ baseline, gates }: Report): readonly AcceptedTrend[] {
  const history = baseline?.history ?? [];
  const metrics = [...new Set(gates.map(({ metric }) => metric))];
  return metrics.flatMap((metric) => {
    const own = gates.filter((gate) => gate.metric === metric);
    const head = own.find((gate) => gate.head !== null)?.head ?? null;
    const points = history.filter(({ means }) => Object.hasOwn(means, metric));
    if (head === null || points.length < FEWEST_RUNS) return [];
    return [
      {
        metric,
        ticks: [...points.map((point, at) => toTick(point, at, points.length)), "now"],
        values: [...points.map(({ means }) => means[metric]!), head],
        now: meanWords(own, metric, head),
        limits: limitsOf(own),
        decimals: decimalsOfMetric(own, own[0]!),
      },
    ];
  });
}

/** More names would overlap: the runs are numbered instead. */
const MAX_NAMES = 12;

function toTick({ commit }: BaselinePoint, at: number, count: number): string {
  return commit === null || count > MAX_NAMES ? String(at + 1) : commit.slice(0, 4);
}

function limitsOf(gates: readonly GateReport[]): readonly number[] {
  const limits = gates.map(worstAllowed).filter((limit) => limit !== null);
  return [...new Set(limits.map((limit) => Number(limit.toPrecision(6))))].slice(0, 2);
}

/** The worst value that a gate allows: the threshold itself, or the baseline minus the allowed drop. */
function worstAllowed(gate: GateReport): number | null {
  const { limit = null, base } = gate;
  if (limit === null || !isDrop(gate)) return limit;
  return base === null ? null : base + (isLowerBetter(gate) ? limit : -limit);
}

function renderTrendPicture({ metric, ticks, values, limits }: AcceptedTrend): string {
  return renderChart({
    title: metric,
    ticks,
    axis: "mean",
    lines: [values, ...limits.map((limit) => values.map(() => limit))],
  });
}

/** `correctness ▆▇▇▁: 0.88 to 0.9 in 9 accepted runs, 0.79 now; the limit is 0.87.` */
function trendSentence({ metric, values, now, limits, decimals }: AcceptedTrend): string {
  const accepted = values.slice(0, -1);
  const [low, high] = [Math.min(...accepted), Math.max(...accepted)].map(
    (value) => amountsWith(decimals, metric, value)[0]!,
  );
  // Rounded so that none looks equal to the value of this run, which is compared with them.
  const bounds = amounts(metric, ...limits, values.at(-1)!).slice(0, -1);
  const limit =
    bounds.length === 0
      ? ""
      : `; the ${bounds.length === 1 ? "limit is" : "limits are"} ${bounds.join(" and ")}`;
  return `${code(metric, 60)} \`${sparkline(values)}\`: ${low === high ? low : `${low} to ${high}`} in ${plural(accepted.length, "accepted run")}, **${now}** now${limit}.`;
}
