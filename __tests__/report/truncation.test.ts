import { describe, expect, test } from "@jest/globals";
import { utf8Bytes } from "../../src/report/escape.ts";
import { renderComment, renderSummary } from "../../src/report/markdown.ts";
import type { DeploymentReport, Report } from "../../src/report/report.ts";
import { readStructure } from "./markdown-structure.ts";
import { SAMPLES, change, deployment, report } from "./sample-reports.ts";

const LIMIT_CHARS = 65_536;
const LIMIT_BYTES = 262_144;
const HEADER = "<!-- agent-deploy: {} -->";

/** A report of `count` deployments with `text` wherever there is room for much. */
function large(
  count: number,
  text: string,
  over: (at: number) => Partial<DeploymentReport> = () => ({}),
): Report {
  const changes = Array.from({ length: 40 }, (_, at) =>
    change(`secrets.S${at}`, `${text} ${at} a`, `${text} ${at} b`),
  );
  return report({
    outcome: "failed",
    deployments: Array.from({ length: count }, (_, at) =>
      deployment({
        name: `agent-${at}`,
        outcome: at === 3 || count === 1 ? "failed" : "deployed",
        reason: at === 3 || count === 1 ? "BUILD_FAILED" : "",
        message: text,
        next: [`agent-deploy wait --deployment-id ${at}`],
        changes,
        warnings: [text],
        notes: [text],
        log_tail: Array.from({ length: 200 }, () => text),
        ...over(at),
      }),
    ),
    rows_worse: Array.from({ length: 500 }, (_, at) => ({
      example: String(at),
      metric: "m",
      input: text,
      expected: text,
      head_output: text,
      head: 0,
      base: 1,
    })),
    gates: SAMPLES["experiments-and-gates"]!.gates,
    warnings: Array.from({ length: 300 }, () => text),
  });
}

const TEXTS: Readonly<Record<string, string>> = {
  words: "word ".repeat(100),
  ticks: "`".repeat(400),
  pipes: "|".repeat(400),
  emoji: "🦊".repeat(300),
  wide: "日本語".repeat(200),
  tags: "</details>".repeat(50),
};

describe("reports too large for a comment", () => {
  // What a text takes shows with 50 deployments; with 3000, how many there are.
  for (const [name, text] of Object.entries(TEXTS)) {
    for (const count of name === "wide" ? [1, 50, 3000] : [1, 50]) {
      test(`${count} deployments with ${name} fit, with valid structure and the full verdict first`, () => {
        const big = large(count, text);
        const body = renderComment(big, { header: HEADER });
        expect(body.length).toBeLessThanOrEqual(LIMIT_CHARS);
        expect(utf8Bytes(body)).toBeLessThanOrEqual(LIMIT_BYTES);
        expect(readStructure(body, 1).faults).toEqual([]);
        const [, verdict] = body.split("\n");
        const light = {
          ...big,
          deployments: big.deployments.map((one) => ({
            ...one,
            changes: [],
            warnings: [],
            notes: [],
            log_tail: [],
          })),
          warnings: [],
          rows_worse: [],
        };
        expect(verdict).toBe(renderComment(light, { header: HEADER }).split("\n")[1]);
        expect(body).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      });
    }
  }

  test("the summary of 3000 deployments is at most 1 MiB", () =>
    expect(utf8Bytes(renderSummary(large(3000, TEXTS["wide"]!)))).toBeLessThanOrEqual(1_048_576));

  test("an address longer than browsers support does not fill the comment", () => {
    const url = `https://agent.example.com/${"a".repeat(100_000)}`;
    const body = renderComment(report({ deployments: [deployment({ url })] }), { header: HEADER });
    expect(body.length).toBeLessThan(5_000);
    expect(body).toContain("`https://agent.example.com/a");
  });

  test("details are dropped first, then unchanged rows, then long values, then other rows with a count", () => {
    const mixed = large(60, "long ".repeat(20), (at) =>
      at % 2 === 0
        ? {
            outcome: "unchanged",
            action: "none",
            changes: [],
            log_tail: [],
            warnings: [],
            notes: [],
          }
        : {},
    );
    const at = (maxChars: number): string =>
      renderComment(mixed, { header: HEADER, maxChars, maxBytes: 1e9 });
    const whole = at(1e9);
    const states = [whole.length, 60_000, 20_000, 6_000, 3_000].map((chars) => {
      const body = at(chars);
      expect(body.length).toBeLessThanOrEqual(chars);
      return {
        details: body.includes("<b>agent-1</b>"),
        unchanged: body.includes("`agent-2`"),
        count: /… and \d+ more rows?/.test(body),
        red: body.includes("agent-3"),
      };
    });
    expect(states[0]).toEqual({ details: true, unchanged: true, count: true, red: true });
    expect(states[1]!.details).toBe(false);
    expect(states.at(-1)).toEqual({ details: false, unchanged: false, count: true, red: true });
    expect(whole).not.toContain("_Shortened to fit");
    expect(at(20_000)).toContain("_Shortened to fit");
  });

  test("a failed deployment stays in the table however few rows are left", () => {
    const body = renderComment(large(3000, "x"), { header: HEADER });
    expect(body).toContain("`agent-3`");
    expect(body).toMatch(/… and [\d]+ more rows/);
  });
});
