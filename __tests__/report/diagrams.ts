import type { GateReport, Report } from "../../src/report/report.ts";
import { deployment, gate, report, seen } from "./sample-reports.ts";

/** The diagrams of a body. */
export function diagramsOf(body: string): readonly string[] {
  return [...body.matchAll(/^```mermaid\n([\s\S]*?)\n```$/gm)].map(([, source]) => source!);
}

/** A report whose pictures are all named by this text. */
export function named(text: string): Report {
  const one = deployment({
    name: text,
    timeline: seen(["QUEUED", 0], [text, 5], ["BUILDING", 20], ["BUILD_FAILED", 300]),
  });
  const drop = gate({ metric: text, rule: `${text} drop <= 0.02`, verdict: "fail", base: 0.9 });
  return report({
    deployments: [one, { ...one, name: `${text} 2` }],
    gates: [drop as GateReport],
    gate_verdict: "fail",
    row_counts: {
      new: 0,
      missing: 0,
      examples: { worse: 3, better: 1 },
      changed: {
        [text]: {
          worse: 3,
          better: 1,
          differences: [
            { low: -0.5, high: -0.25, count: 3 },
            { low: 0, high: 0, count: 9 },
            { low: 1e-9, high: 1e-9, count: 1 },
          ],
        },
      },
    },
    baseline: {
      file: "b.json",
      commit: null,
      created_at: null,
      rows: 13,
      state: "used",
      message: "",
      history: [0.9, 0.91, 0.9].map((mean) => ({
        commit: text,
        created_at: text,
        means: { [text]: mean },
      })),
    },
  });
}
