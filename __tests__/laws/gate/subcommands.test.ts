import { describe, expect, test } from "@jest/globals";
import { runCli } from "../../support/cli-run.ts";
import { createTree } from "../../support/tree.ts";

describe("gate plan and gate calibrate", () => {
  test("gate plan with a baseline prints each gate's mde as gate does, also for quantiles and clusters", async () => {
    const rows = (slow: number, broken: number) =>
      Array.from({ length: 60 }, (_, i) =>
        JSON.stringify({
          inputs: { question: `question ${i}`, doc: String(i % 12) },
          evaluation_scores: [
            { key: "correctness", score: i % broken === 0 ? 0 : 1 },
            { key: "quality", score: 3 + ((i * i * broken) % 7) / 3 },
          ],
          start_time: "2026-11-01T00:00:00Z",
          end_time: new Date(Date.UTC(2026, 10, 1) + 500 + ((i * slow) % 60) * 10).toISOString(),
        }),
      ).join("\n");
    const lines = ["correctness drop <= 0.02", "correctness drop <= 10%", "quality drop <= 0.1"];
    const gates = `gates:\n${[...lines, "latency_p90 rise <= 50ms"].map((line) => `  - ${line}\n`).join("")}`;
    const workspace = createTree({
      "head.jsonl": rows(7, 9),
      "base.jsonl": rows(11, 8),
      "gates.yml": gates,
      "clusters.yml": `${gates}cluster_by: inputs.doc\n`,
    });
    for (const file of ["gates.yml", "clusters.yml"]) {
      const args = ["head.jsonl", "--baseline", "base.jsonl", "--gate", file, "--json"];
      const judged = await runCli(["gate", ...args], { workspace });
      const planned = await runCli(["gate", "plan", ...args], { workspace });
      type Gate = { readonly rule: string; readonly mde: number | null };
      const told = ({ rule, mde }: Gate): Gate => ({ rule, mde });
      const { gates: reports } = JSON.parse(judged.stdout) as { gates: Gate[] };
      const [plan] = JSON.parse(planned.stdout) as { compared: Gate[] }[];
      const drops = reports.filter(({ rule }) => rule !== "errors").map(told);
      expect(drops.map(({ mde }) => typeof mde)).toEqual(drops.map(() => "number"));
      expect(plan!.compared.map(told)).toEqual(drops);
    }
  });
});
