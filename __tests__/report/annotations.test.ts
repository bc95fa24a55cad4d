import { describe, expect, test } from "@jest/globals";
import { toAnnotations } from "../../src/report/annotations.ts";
import { judge } from "../../src/report/judgement.ts";
import { toVerdict } from "../../src/report/verdict.ts";
import { deployment, gate, report, SAMPLES } from "./sample-reports.ts";

const red = (name: string): ReturnType<typeof toAnnotations> =>
  toAnnotations({
    ...SAMPLES[name]!,
    judgement: { red: true, exit_code: 1, reasons: [] } as never,
  });

describe("annotations", () => {
  test("give a failed build a title that says what failed, and a message with the cause and the next step", () => {
    const [only, ...more] = red("failed-build");
    expect(more).toEqual([]);
    expect(only!.title).toBe("support-agent: build failed");
    expect(only!.message).toContain("Next: ");
    expect(only!.message).not.toContain("support-agent: the build failed");
  });

  test("end the sentence before the next step with a full stop", () => {
    const [only] = toAnnotations({
      ...SAMPLES["failed-build"]!,
      deployments: SAMPLES["failed-build"]!.deployments.map((one) => ({
        ...one,
        log_tail: [],
        message: "cancelled: revision r-1 still building",
        next: ["agent-deploy wait"],
      })),
    });
    expect(only!.message).toBe("cancelled: revision r-1 still building. Next: agent-deploy wait");
  });

  test("include each failed gate, but not what it blocked", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const failed = sample.gates.filter(({ verdict }) => verdict === "fail");
    const shown = red("experiments-and-gates").filter(({ title }) => title.startsWith("gate"));
    expect(shown.map(({ title }) => title)).toEqual(
      failed.map(({ rule }) => `gate failed: ${rule}`),
    );
  });

  test.each(["updated", "unchanged", "plan", "created"])("do not exist for %s", (name) => {
    expect(toAnnotations(SAMPLES[name]!)).toEqual([]);
  });
});

describe("a superseded run", () => {
  const policy = {
    onInconclusive: "warn",
    onNoBaseline: "warn",
    acceptBaseline: false,
    failOnChanges: false,
  } as const;
  test.each([
    ["fail", "none", 1, ["error"], false, /^⏭️ .* was superseded: .*$/u],
    ["warn", "none", 0, ["warning"], true, /^⏭️ .* was superseded: .* · accepted by/u],
    ["warn", "fail", 4, ["warning", "error"], true, /^❌ The gate failed: .* · .* · accepted by/u],
    ["fail", "fail", 1, ["error", "error"], false, /^⏭️ .* was superseded: .* · The gate failed/u],
  ] as const)(
    "with on-superseded: %s and gates that end %s exits with %d, with an annotation for each cause",
    (onSuperseded, verdict, exit, levels, isAccepted, first) => {
      const gates = verdict === "fail" ? [gate({ verdict })] : [];
      const ended = { ...SAMPLES["superseded"]!, gates, gate_verdict: verdict };
      const judged = { ...ended, judgement: judge(ended, { ...policy, onSuperseded }) };
      expect(judged.judgement.exit_code).toBe(exit);
      expect(toAnnotations(judged).map(({ level }) => level)).toEqual(levels);
      const { icon, headline } = toVerdict(judged, "end");
      expect(headline.includes("accepted by on-superseded")).toBe(isAccepted);
      expect(`${icon} ${headline}`).toMatch(first);
    },
  );

  test("a deployment that a gate stopped without failing reports what fails the run", () => {
    const blocked = deployment({ name: "it", outcome: "blocked", reason: "gate" });
    const ended = report({
      outcome: "blocked",
      deployments: [blocked],
      gates: [gate({ verdict: "inconclusive", no_baseline: true })],
      gate_verdict: "inconclusive",
    });
    const onSuperseded = "fail";
    const judgement = judge(ended, { ...policy, onSuperseded, onNoBaseline: "fail" });
    expect(toAnnotations({ ...ended, judgement })).toEqual([
      {
        level: "error",
        title: "it: its gate did not pass",
        message: "a drop has no baseline, and on-no-baseline is fail",
      },
    ]);
  });
});
