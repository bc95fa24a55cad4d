import { cut, inFence, toVisible } from "./escape.ts";
import { renderChart } from "./mermaid.ts";
import { number, signed } from "./numbers.ts";
import type { DifferenceBin, Report } from "./report.ts";
import { joinBlocks, renderPictures } from "./table.ts";

const BAR_CELLS = 16;
const MAX_NAME = 32;

/** How far the shared examples of every gated score moved, as a picture and a text plot; empty if none moved. */
export function renderDifferences({ row_counts: { changed } }: Report, open: boolean): string {
  const blocks = Object.entries(changed).flatMap(([metric, { differences = [] }]) =>
    differences.length < 2 ? [] : [renderMetric(metric, differences)],
  );
  return renderPictures("How far each example moved", blocks, open);
}

function renderMetric(metric: string, bins: readonly DifferenceBin[]): string {
  const chart = renderChart({
    title: `${metric}: change from the baseline`,
    ticks: bins.map((bin) => rangeOf(bin).replaceAll("−", "-").replaceAll("…", "to")),
    axis: "examples",
    bars: bins.map(({ count }) => count),
  });
  return joinBlocks([chart, inFence("text", histogramLines(metric, bins))]);
}

/** `−0.5 ████ 30`: one line per bin, narrow enough for a phone. */
function histogramLines(metric: string, bins: readonly DifferenceBin[]): readonly string[] {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...bins.map(({ count }) => count));
  const ranges = bins.map(rangeOf);
  const width = Math.max(...ranges.map((range) => range.length));
  return [
    `${cut(toVisible(metric), MAX_NAME)}, ${total} examples`,
    ...bins.map(({ count }, at) => {
      const bar = "█".repeat(Math.max(1, Math.round((BAR_CELLS * count) / most)));
      return `${ranges[at]!.padStart(width)} ${bar.padEnd(BAR_CELLS)} ${count}`;
    }),
  ];
}

function rangeOf({ low, high }: DifferenceBin): string {
  if (low === 0 && high === 0) return "same";
  return number(low) === number(high) ? signed(low) : `${signed(low)} … ${signed(high)}`;
}
