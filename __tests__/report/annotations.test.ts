import { describe, expect, test } from "@jest/globals";
import { toAnnotations } from "../../src/report/annotations.ts";
import { SAMPLES } from "./sample-reports.ts";

const red = (name: string): ReturnType<typeof toAnnotations> =>
  toAnnotations({
    ...SAMPLES[name]!,
    judgement: { red: true, exit_code: 1, reasons: [] } as never,
  });

describe("annotations", () => {
  test("a failed build: what in the title, why and the next step in the message", () => {
    const [only, ...more] = red("failed-build");
    expect(more).toEqual([]);
    expect(only!.title).toBe("support-agent: build failed");
    expect(only!.message).toContain("Next: ");
    expect(only!.message).not.toContain("support-agent: the build failed");
  });

  test("a sentence that the next step follows ends with a stop", () => {
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

  test("one for each failed gate, none for what it blocked", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    const failed = sample.gates.filter(({ verdict }) => verdict === "fail");
    const shown = red("experiments-and-gates").filter(({ title }) => title.startsWith("gate"));
    expect(shown.map(({ title }) => title)).toEqual(
      failed.map(({ rule }) => `gate failed: ${rule}`),
    );
  });

  test.each(["updated", "unchanged", "plan", "created"])("none for %s", (name) => {
    expect(toAnnotations(SAMPLES[name]!)).toEqual([]);
  });
});
