import { describe, expect, test } from "@jest/globals";
import { renderComment, renderSummary } from "../../src/report/markdown.ts";
import { renderGantt } from "../../src/report/phases.ts";
import { CONTAINER, createStage, type Stage } from "../scenarios/stage.ts";
import { diagramsOf, named } from "./diagrams.ts";
import { HOSTILE } from "./hostile-corpus.ts";
import { deployment, gate, report } from "./sample-reports.ts";

const LABEL = String.raw`[\p{L}\p{N} ._/+-]+`;
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const NUMBERS = String.raw`\[${NUMBER}(?:, ${NUMBER})*\]`;
/** Every line that a diagram of ours may have. */
const LINE = new RegExp(
  [
    "gantt|xychart-beta|---|config:| {4}dateFormat x| {4}axisFormat %M:%S",
    String.raw`  xyChart: \{ width: \d+, height: \d+ \}`,
    String.raw`  themeVariables: \{ xyChart: \{ plotColorPalette: "#[0-9a-f]{6}(?:, #[0-9a-f]{6})*" \} \}`,
    `    title "?${LABEL}"?`,
    `    title ${LABEL}, [0-9hms ]+`,
    `    section ${LABEL}`,
    `    ${LABEL} :(?:done|crit|active), \\d+, \\d+`,
    `    x-axis \\["${LABEL}"(?:, "${LABEL}")*\\]`,
    `    y-axis "${LABEL}" ${NUMBER} --> ${NUMBER}`,
    `    (?:line|bar) ${NUMBERS}`,
  ]
    .map((line) => `^(?:${line})$`)
    .join("|"),
  "u",
);

describe("diagrams of a report", () => {
  test("include a gantt chart, a histogram and a trend, each also as text", () => {
    const body = renderSummary(named("tone"));
    expect(
      diagramsOf(body).map((source) => /^(?:gantt|.*\bbar|.*\bline)/ms.exec(source)?.[0]),
    ).toHaveLength(3);
    expect(body).toContain("tone, 13 examples\n−0.5 … −0.25");
    expect(body).toMatch(/`tone` `[▁-█]{4}`: 0\.9 to 0\.91 in 3 accepted runs, \*\*0\.\d+\*\* now/);
    expect(body).toContain("the limit is 0.88");
    expect(body).toContain("build 4 m 40 s ✗");
  });

  test("are collapsed in a comment and open in a summary", () => {
    const isOpen = /<details open><summary>(?:Where the time|How far|Trend)/;
    expect(renderComment(named("tone"), { header: "" })).not.toMatch(isOpen);
    expect(renderSummary(named("tone")).match(new RegExp(isOpen, "g"))).toHaveLength(3);
  });

  test("contain hostile names only within labels", () => {
    for (const text of HOSTILE)
      for (const source of diagramsOf(renderSummary(named(text))))
        for (const line of source.split("\n"))
          if (!LINE.test(line)) throw new Error(`${JSON.stringify(text)} made ${line}`);
  });

  test("are omitted for numbers without a place on an axis", () => {
    const odd = named("tone");
    const gates = odd.gates.map((one) => ({ ...one, head: 1e300 }));
    expect(diagramsOf(renderSummary({ ...odd, gates }))).toHaveLength(2);
    expect(renderGantt([deployment({ timeline: [] })])).toBe("");
  });
});

test("a limit in percent is drawn in points: 10% of a baseline of 0.5 is 0.05", () => {
  const ends = { base: 0.5, head: 0.42, delta: -0.08, ci: [-0.12, -0.04] as [number, number] };
  const drawn = (limit: string): string => {
    const rule = `correctness drop <= ${limit}`;
    const own = gate({ ...ends, rule, verdict: "fail", limit: 0.05, direction: "higher" });
    const history = [0.5, 0.52].map((mean, at) => ({
      commit: `${at}`.repeat(40),
      created_at: "2026-01-01T00:00:00Z",
      means: { correctness: mean },
    }));
    const baseline = {
      file: "b.jsonl",
      state: "used",
      message: "",
      commit: null,
      rows: 2,
    } as const;
    return renderSummary(
      report({
        gates: [own],
        gate_verdict: "fail",
        baseline: { ...baseline, created_at: null, history },
      }),
    );
  };
  const [relative, absolute] = [drawn("10%"), drawn("0.05")];
  expect(relative).toContain("the limit is 0.45");
  expect(relative.replaceAll("−10%", "−0.05")).toBe(absolute);
});

describe("the diagrams of a run", () => {
  const ROWS = 20;
  const rows = (bad: number): string =>
    Array.from({ length: ROWS }, (_, at) =>
      JSON.stringify({
        inputs: { q: `question ${at}` },
        evaluation_scores: [{ key: "correct", score: at < bad ? 0 : 1 }],
      }),
    ).join("\n");

  async function accept(stage: Stage, bad: number, first: boolean): Promise<void> {
    stage.workspace.write("now.jsonl", rows(bad));
    const run = await stage.run({
      command: "gate",
      experiment: "now.jsonl",
      gate: "correct >= 0.1",
      "write-baseline": "base.json",
      "accept-baseline": "true",
      ...(first ? {} : { baseline: "base.json" }),
    });
    expect(run.code).toBe(0);
  }

  test("show its rows and the accepted runs", async () => {
    const stage = await createStage(CONTAINER);
    for (const [at, bad] of [2, 1, 2].entries()) await accept(stage, bad, at === 0);
    stage.workspace.write("now.jsonl", rows(14));
    const run = await stage.run({
      command: "gate",
      experiment: "now.jsonl",
      baseline: "base.json",
      gate: "correct drop <= 0.05",
    });
    expect(run.code).toBe(1);
    const [histogram, trend] = diagramsOf(run.summary);
    expect(histogram).toContain('x-axis ["-1", "same"]');
    expect(histogram).toContain("bar [12, 8]");
    expect(run.summary).toMatch(/ −1 █{16} 12\nsame █{11} {5} 8/);
    expect(trend).toContain("line [0.9, 0.95, 0.9, 0.3]");
    expect(trend).toContain("line [0.85, 0.85, 0.85, 0.85]");
    expect(run.summary).toContain(
      "0.9 to 0.95 in 3 accepted runs, **0.3** now; the limit is 0.85.",
    );
  });
});
