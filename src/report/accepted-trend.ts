import { code } from "./escape.ts";
import { decimalsOfMetric, isDrop, isLowerBetter, meanWords } from "./gate-numbers.ts";
import { renderChart } from "./mermaid.ts";
import { amounts, amountsWith } from "./numbers.ts";
import type { BaselinePoint, GateReport, Report } from "./report.ts";
import { sparkline } from "./score-trend.ts";
import { joinBlocks, renderPictures } from "./table.ts";
import { plural } from "../model/count-words.ts";

/** A single accepted run is the baseline itself, which the table shows. */
const FEWEST_RUNS = 2;

/**
 * Renders every gated score over the accepted runs that the baseline records, with its limits, as a
 * picture and in words; empty if the baseline records too few.
 */
export function renderAcceptedTrend({ baseline, gates }: Report, open: boolean): string {
  const history = baseline?.history ?? [];
  const metrics = [...new Set(gates.map(({ metric }) => metric))];
  const trends = metrics.flatMap((metric) => {
    const own = gates.filter((gate) => gate.metric === metric);
    const head = own.find((gate) => gate.head !== null)?.head ?? null;
    const points = history.filter(({ means }) => Object.hasOwn(means, metric));
    return head === null || points.length < FEWEST_RUNS ? [] : [{ metric, own, head, points }];
  });
  const runs = Math.max(...trends.map(({ points }) => points.length));
  const title = `Trend over the last ${plural(runs, "accepted run")}`;
  return renderPictures(title, trends.map(renderTrend), open);
}

/** One gated score: its accepted runs, oldest first, then this run. */
interface AcceptedTrend {
  readonly metric: string;
  readonly own: readonly GateReport[];
  readonly head: number;
  readonly points: readonly BaselinePoint[];
}

/** The picture, then `correctness ▆▇▇▁: 0.88 to 0.9 in 9 accepted runs, 0.79 now; the limit is 0.87.` */
function renderTrend({ metric, own, head, points }: AcceptedTrend): string {
  const accepted = points.map(({ means }) => means[metric]!);
  const values = [...accepted, head];
  const limits = limitsOf(own);
  const picture = renderChart({
    title: metric,
    ticks: [...points.map(toTick), "now"],
    axis: "mean",
    lines: [values, ...limits.map((limit) => values.map(() => limit))],
  });
  const decimals = decimalsOfMetric(own, own[0]!);
  const ends = [Math.min(...accepted), Math.max(...accepted)];
  const span = [...new Set(amountsWith(decimals, metric, ...ends))].join(" to ");
  // Rounded so that none looks equal to the value of this run, which is compared with them.
  const bounds = amounts(metric, ...limits, head).slice(0, -1);
  const noun = bounds.length === 1 ? "limit is" : "limits are";
  const limit = bounds.length === 0 ? "" : `; the ${noun} ${bounds.join(" and ")}`;
  return joinBlocks([
    picture,
    `${code(metric, 60)} \`${sparkline(values)}\`: ${span} in ${plural(points.length, "accepted run")}, **${meanWords(own, metric, head)}** now${limit}.`,
  ]);
}

/** More names would overlap: the runs are numbered instead. */
const MAX_NAMES = 12;

const toTick = ({ commit }: BaselinePoint, at: number, { length }: { length: number }): string =>
  commit === null || length > MAX_NAMES ? String(at + 1) : commit.slice(0, 4);

/** The worst values that the gates allow: the threshold itself, or the baseline minus the allowed drop. */
function limitsOf(gates: readonly GateReport[]): readonly number[] {
  const limits = gates.flatMap((gate) => {
    const { limit = null, base } = gate;
    if (limit === null || !isDrop(gate)) return limit ?? [];
    return base === null ? [] : base + (isLowerBetter(gate) ? limit : -limit);
  });
  return [...new Set(limits.map((limit) => Number(limit.toPrecision(6))))].slice(0, 2);
}
