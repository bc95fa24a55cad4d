import { describe, expect, test } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderComment, renderSummary } from "../../src/report/markdown.ts";
import { renderOutcome, renderPlan, warningsOfPlan } from "../../src/report/terminal.ts";
import { SAMPLES } from "./sample-reports.ts";

/**
 * `UPDATE_GOLDEN=1 npm test -- __tests__/report/golden.test.ts` writes them; read the difference
 * before it is committed.
 */
function golden(file: string, body: string): void {
  const path = join(import.meta.dirname, "golden", file);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, body);
  expect(body).toBe(readFileSync(path, "utf8"));
}

/** A summary has a page of its own, so that its pictures stand open, and there is one more. */
function withoutPictures(body: string): string {
  return body.replace(
    /<details(?: open)?><summary>(?:Where the time went|How far each|Trend over)[\s\S]*?<\/details>\n\n/g,
    "",
  );
}

describe("golden reports", () => {
  for (const [name, report] of Object.entries(SAMPLES)) {
    test(`the ${name} report equals its golden file`, () => {
      golden(`${name}.md`, renderSummary(report));
      golden(
        `${name}.txt`,
        `${report.command === "plan" ? `${renderPlan(report, { color: false })}\n` : ""}${renderOutcome(report, { color: false, reported: new Set(report.command === "plan" ? warningsOfPlan(report) : []) })}`,
      );
    });

    test(`the ${name} report is the same in the comment, except for its header and diagrams`, () => {
      expect(withoutPictures(renderComment(report, { header: "<!-- header -->" }))).toBe(
        `<!-- header -->\n${withoutPictures(renderSummary(report))}`,
      );
    });
  }
});

describe("the gate report", () => {
  const sample = SAMPLES["experiments-and-gates"]!;

  test("with all gates passed says so after the verdict of the run, and has no next step", () => {
    const body = renderSummary({
      ...sample,
      gates: sample.gates.filter((gate) => gate.verdict === "pass"),
      gate_verdict: "pass",
    });
    expect(body.split("\n")[0]).toBe("### ✅ Uploaded 2 experiments · All 3 gates passed");
    expect(body).not.toContain("**Next:**");
  });

  test("with an inconclusive gate has no green tick, and says what can settle it", () => {
    const body = renderSummary({
      ...sample,
      gates: sample.gates.filter((gate) => gate.verdict !== "fail"),
      gate_verdict: "inconclusive",
    });
    expect(body.split("\n")[0]).toBe(
      "### ❓ 1 of 4 gates inconclusive: correctness · Uploaded 2 experiments",
    );
    expect(body).toContain(
      "Inconclusive means that these examples do not decide it: run each several times, or add examples",
    );
  });

  test("without a baseline has no column, changed rows or bars for it, and prints its state", () => {
    const bare = sample.gates.map((gate) => ({
      ...gate,
      base: null,
      delta: null,
      ci: null,
      p: null,
      mde: null,
    }));
    const body = renderSummary({
      ...sample,
      gates: bare,
      rows_worse: [],
      rows_new: [],
      rows_missing: [],
      row_counts: { new: 0, missing: 0, changed: {} },
      baseline: {
        file: "",
        commit: null,
        created_at: null,
        rows: 0,
        state: "no-baseline",
        message: "make one",
      },
    });
    const ofBaseline = /Baseline → now|\d+ worse|worse ◀/g;
    expect(renderSummary(sample).match(ofBaseline)).toEqual([
      "Baseline → now",
      "30 worse",
      "10 worse",
      "worse ◀",
    ]);
    expect(body).not.toMatch(ofBaseline);
    expect(body).toContain("| Score | Now | 95% CI | Limit |");
    expect(body).toContain("Baseline: no-baseline (make one)");
  });
});

describe("a blocked plan", () => {
  test("names each blocker once, with its field", () => {
    const blocked = SAMPLES["blocked"]!;
    const [one] = blocked.deployments;
    const blockers = [
      { code: "clear", message: "cannot clear a", path: "a" },
      { code: "clear", message: "cannot clear b", path: "b" },
    ];
    const body = renderSummary({
      ...blocked,
      deployments: [
        { ...one!, message: "cannot clear a · cannot clear b", plan: { ...one!.plan!, blockers } },
      ],
    });
    expect(body.match(/cannot clear a/g)).toHaveLength(1);
    expect(body).toContain("- ⛔ `b`: cannot clear b");
  });
});
