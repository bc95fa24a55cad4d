import type { Report } from "./report.ts";

/**
 * Whether a run ended before there was anything to report but problems: a wrong input, a spec that
 * cannot be read. Such a report is its frame, and the sections need not be loaded.
 */
export function isBrief(report: Report): boolean {
  const { deployments, experiments, gates, rows_worse: worse, row_counts: counts } = report;
  return (
    [deployments, experiments, gates, worse, Object.keys(counts.changed)].every(
      ({ length }) => length === 0,
    ) &&
    counts.new === 0 &&
    counts.missing === 0 &&
    report.sensitivity === undefined
  );
}
