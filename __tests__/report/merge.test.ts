import { describe, expect, test } from "@jest/globals";
import { nextOfGates } from "../../src/report/gate-words.ts";
import { mergeReports, sumRowCounts } from "../../src/report/merge.ts";
import { parseReport } from "../../src/report/report-file.ts";
import type { Report } from "../../src/report/report.ts";
import { SAMPLES, deployment, report } from "./sample-reports.ts";

const leg = (
  name: string,
  over: Partial<Report> = {},
  outcome: Report["outcome"] = "deployed",
): Report => report({ outcome, deployments: [deployment({ name, outcome })], ...over });
const names = (merged: Report): string[] =>
  merged.deployments.map((one) => `${one.name} ${one.outcome}`);

const PLAN = report({
  command: "plan",
  outcome: "planned",
  fingerprint: "fp",
  deployments: [
    deployment({ name: "a", outcome: "planned" }),
    deployment({ name: "b", outcome: "unchanged", action: "none", changed: false }),
    deployment({ name: "c", outcome: "planned", action: "create" }),
  ],
});

describe("merging the reports of a job matrix", () => {
  test("keeps the order of the plan, and the worst outcome", () => {
    const merged = mergeReports([leg("c", {}, "timed-out"), PLAN, leg("a")]);
    expect(names(merged)).toEqual(["a deployed", "b unchanged", "c timed-out"]);
    expect(merged).toMatchObject({
      outcome: "timed-out",
      changed: true,
      fingerprint: "fp",
      command: "report",
    });
  });

  test("fails a planned document without a report, but not one without work", () => {
    const merged = mergeReports([PLAN, leg("a")]);
    expect(names(merged)).toEqual(["a deployed", "b unchanged", "c failed"]);
    expect(merged.deployments[2]).toMatchObject({ reason: "no-report" });
    expect(merged.outcome).toBe("failed");
  });

  test("keeps the order of the legs if there is no plan", () =>
    expect(names(mergeReports([leg("b"), leg("a")]))).toEqual(["b deployed", "a deployed"]));

  test("takes the later of two attempts of a leg, with its experiments and gates", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const first = leg(
      "a",
      { started_at: "2026-03-04T10:00:00Z", gate_verdict: "fail", gates: sample.gates },
      "failed",
    );
    const second = leg("a", { started_at: "2026-03-04T11:00:00Z" });
    expect(mergeReports([second, first])).toMatchObject({
      outcome: "deployed",
      gate_verdict: "none",
      gates: [],
    });
    expect(names(mergeReports([first, second]))).toEqual(["a deployed"]);
  });

  test("ignores an attempt that two later ones replace together, and its gates", () => {
    const gates = SAMPLES["experiments-and-gates"]!.gates.slice(0, 1);
    const at = (attempt: number): Pick<Report, "leg"> => ({
      leg: { run: "7", attempt, matrix: "", place: "us", event: "push" },
    });
    const both = report({
      ...at(1),
      gates,
      deployments: [deployment({ name: "a" }), deployment({ name: "b" })],
    });
    const merged = mergeReports([both, leg("a", at(2)), leg("b", at(3), "unchanged")]);
    expect(names(merged)).toEqual(["a deployed", "b unchanged"]);
    expect(merged.gates).toEqual([]);
  });

  test("takes time linear in the number of reports", () => {
    let reads = 0;
    const legs = Array.from({ length: 400 }, (_, at) =>
      Object.defineProperty(leg(`agent-${at}`), "started_at", {
        get: () => {
          reads += 1;
          return "";
        },
      }),
    );
    expect(mergeReports(legs).deployments).toHaveLength(400);
    expect(reads).toBeLessThan(20 * legs.length);
  });

  test("ignores a report file left over from a run before the plan's, and fails its document", () => {
    const of = (run: string) => ({
      leg: { run, attempt: 1, matrix: "", place: "us", event: "push" },
    });
    const plan = { ...PLAN, ...of("100") };
    const merged = mergeReports([plan, leg("a", of("100")), leg("c", of("99"))]);
    expect(names(merged)).toEqual(["a deployed", "b unchanged", "c failed"]);
    expect(merged.warnings.join()).toMatch(/report of c is of run 99, before the plan's run/u);
    const later = mergeReports([plan, leg("a", of("100")), leg("c", of("101"))]);
    expect(names(later)).toEqual(["a deployed", "b unchanged", "c deployed"]);
  });

  test("takes the worst gate verdict, and joins experiments and gates", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const merged = mergeReports([
      { ...sample, gate_verdict: "pass" },
      {
        ...sample,
        gate_verdict: "inconclusive",
        experiments: sample.experiments.map((one) => ({ ...one, file: `2-${one.file}` })),
      },
      leg("a"),
    ]);
    expect(merged.gate_verdict).toBe("inconclusive");
    expect(merged.experiments).toHaveLength(4);
  });

  test("labels gates, rows and counts by leg if several judge the same metrics", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const of = (region: string): Report => ({
      ...sample,
      deployments: [],
      leg: {
        run: "1",
        attempt: 1,
        place: "",
        event: "",
        matrix: JSON.stringify({ region, tier: 1 }),
      },
    });
    const merged = mergeReports([of("us"), of("eu"), leg("a")]);
    const regions = ["us, 1", "eu, 1"];
    expect([...new Set(merged.gates.map(({ group }) => group))]).toEqual(regions);
    expect([...new Set(merged.rows_worse.map(({ group }) => group))]).toEqual(regions);
    expect(Object.keys(merged.row_counts.changed)).toEqual(
      regions.flatMap((region) => [`${region}: correctness`, `${region}: tone`]),
    );
    for (const { group, reason, no_baseline: without } of merged.gates) {
      if (without !== true) expect(reason.startsWith(`${group}: `)).toBe(true);
      expect(reason.length).toBeLessThanOrEqual(240);
    }
    const [only] = mergeReports([of("us"), leg("a")]).gates;
    expect(only).toEqual(sample.gates[0]);
  });

  test("distinguishes legs of one deployment by their matrix", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const of = (region: string, baseline = sample.baseline): Report => ({
      ...leg("agent"),
      gates: sample.gates,
      rows_worse: sample.rows_worse,
      row_counts: sample.row_counts,
      baseline,
      leg: { run: "1", attempt: 1, place: "", event: "", matrix: JSON.stringify({ region }) },
    });
    const merged = mergeReports([of("us"), of("eu")]);
    expect([...new Set(merged.gates.map(({ group }) => group))]).toEqual(["us", "eu"]);
    expect(Object.keys(merged.row_counts.changed)).toEqual(
      ["us", "eu"].flatMap((region) => [`${region}: correctness`, `${region}: tone`]),
    );
  });

  test("takes the baseline of the legs whose gates are listed, and counts repeated warnings", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const of = (file: string): Partial<Report> => ({
      gates: sample.gates,
      baseline: { ...sample.baseline!, file },
      warnings: [`of ${file}`, "of both"],
    });
    const dryRun = { ...PLAN, ...of("plan.json") };
    const merged = mergeReports([dryRun, leg("a", of("a.json")), leg("c", of("c.json"))]);
    expect(merged.baseline?.file).toBe("a.json");
    expect(merged.warnings).toEqual([
      ...["of plan.json", "of both (3 times)", "of a.json", "of c.json"],
    ]);
  });

  test("keeps the reason of a document that the plan blocked, whose job never ran", () => {
    const blocked = deployment({ name: "a", outcome: "blocked", action: "update", reason: "gate" });
    const plan = report({ command: "plan", outcome: "blocked", deployments: [blocked] });
    expect(mergeReports([plan, leg("b")]).deployments[0]).toMatchObject({
      outcome: "blocked",
      reason: "gate",
    });
  });

  test("reports that a leg without a baseline has nothing to compare with, next to a leg with one", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const lacking = sample.gates.slice(0, 1).map((gate) => ({
      ...gate,
      verdict: "inconclusive" as const,
      no_baseline: true as const,
      reason:
        "no-baseline: nothing to compare correctness with. Run once with write-baseline and accept-baseline: true.",
    }));
    const of = (name: string, over: Partial<Report>): Report =>
      leg(name, { baseline: sample.baseline, gates: sample.gates, ...over });
    const merged = mergeReports([of("us", {}), of("eu", { baseline: null, gates: lacking })]);
    const lines = nextOfGates(merged);
    expect(lines.join("\n")).toContain("There is nothing to compare eu with.");
    expect(lines.join("\n")).not.toContain("The baseline has no results of");
  });

  test("fails if a report failed without a failed deployment", () => {
    expect(
      mergeReports([
        leg("a"),
        report({
          command: "upload",
          outcome: "failed",
          problems: [{ message: "the upload was refused" }],
        }),
      ]),
    ).toMatchObject({ outcome: "failed", problems: [{ message: "the upload was refused" }] });
  });

  test("of only plans gives a plan", () => {
    expect(names(mergeReports([PLAN], { plansOnly: true }))).toEqual([
      "a planned",
      "b unchanged",
      "c planned",
    ]);
    expect(mergeReports([PLAN], { plansOnly: true })).toMatchObject({
      outcome: "planned",
      changed: true,
    });
  });

  test("of no reports gives an unchanged report", () =>
    expect(mergeReports([]).outcome).toBe("unchanged"));
});

test("row counts are summed by metric, and older reports without them can still be merged", () => {
  const sample = SAMPLES["experiments-and-gates"]!;
  expect(sumRowCounts([sample.row_counts, sample.row_counts])).toEqual({
    new: 4,
    missing: 4,
    changed: { correctness: { worse: 20, better: 18 }, tone: { worse: 60, better: 14 } },
  });
  expect(sumRowCounts([])).toEqual({ new: 0, missing: 0, changed: {} });
  const { rows_new: _new, rows_missing: _missing, row_counts: _counts, ...older } = sample;
  const read = parseReport(JSON.stringify(older), "older.json");
  expect(read).toMatchObject({
    report: { rows_new: [], rows_missing: [], row_counts: { new: 0, missing: 0, changed: {} } },
  });
});
