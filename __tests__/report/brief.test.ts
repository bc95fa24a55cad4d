import { describe, expect, test } from "@jest/globals";
import { linesFor, summaryFor } from "../../src/ci/report-pages.ts";
import { isBrief } from "../../src/report/brief.ts";
import { renderSummary } from "../../src/report/markdown.ts";
import type { Report } from "../../src/report/report.ts";
import * as lines from "../../src/report/terminal.ts";
import { SAMPLES } from "./sample-reports.ts";

const EMPTY: Partial<Report> = {
  deployments: [],
  experiments: [],
  gates: [],
  rows_worse: [],
  row_counts: { changed: {}, new: 0, missing: 0 },
};

/** The report with nothing in it but problems, warnings, alerts and links. */
function withoutSections(report: Report): Report {
  const { sensitivity: _, ...rest } = report;
  return { ...rest, ...EMPTY };
}

describe.each(Object.entries(SAMPLES))("the %s report", (_, whole) => {
  const problems = [{ message: "a\u001b[1m wrong input" }, { message: "bad", file: "a.yml" }];
  const brief = {
    ...withoutSections(whole),
    problems,
    warnings: ["w"],
    alerts: ["a"],
    links: [{ label: "run", url: "https://example.com/1" }],
  };

  test.each([true, false])(
    "reads the same without its sections loaded, colours %s",
    async (color) => {
      expect(isBrief(brief)).toBe(true);
      const loaded = await linesFor(brief);
      expect(loaded).not.toBe(lines);
      const options = { color, told: new Set(["bad"]) };
      expect(loaded.renderOutcome(brief, options)).toBe(lines.renderOutcome(brief, options));
      expect(loaded.renderPlan(brief, options)).toBe(lines.renderPlan(brief, options));
      expect(loaded.warningsOfPlan(brief)).toEqual(lines.warningsOfPlan(brief));
      expect((await summaryFor(brief))(brief)).toBe(renderSummary(brief));
    },
  );

  test("is rendered with its sections as soon as it has one of them", async () => {
    for (const key of ["sensitivity", ...Object.keys(EMPTY)] as (keyof Report)[]) {
      const one = { ...brief, [key]: whole[key] } as Report;
      if (
        lines.renderOutcome(one, { color: false }) === lines.renderOutcome(brief, { color: false })
      )
        continue;
      expect([key, isBrief(one)]).toEqual([key, false]);
    }
  });
});
