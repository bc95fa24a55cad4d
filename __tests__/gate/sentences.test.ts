import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { repositoryRoot } from "../support/tree.ts";
import { judgeCase, type SentenceCase, SENTENCES } from "./sentences.ts";
import { bits, gatesOf, rowOf, exampleAt, tableOf } from "./tables.ts";

const PAGE = join(repositoryRoot, "contributing/verdicts.md");

/** What a team meets in its first weeks, in that order. */
const COMMON: readonly string[] = [
  "met",
  "missed",
  "missed, by what chance could explain",
  "no-baseline",
  "unseen",
  "suspicious",
  "proven",
  "errors: fail",
];

/** contributing/verdicts.md: every sentence of a gate, and what to do. `UPDATE_GOLDEN=1` writes it. */
function renderPage(): string {
  const common = COMMON.map((kind) => SENTENCES.find((one) => one.kind === kind)!);
  const table = (cases: readonly SentenceCase[]): string[] => [
    "| Gate | Verdict | It says | What to do |",
    "|---|---|---|---|",
    ...cases.map((one) => {
      const { rule, verdict, reason } = judgeCase(one).gate;
      return `| \`${rule}\` | **${verdict}** | ${reason} | ${one.advice} |`;
    }),
    "",
  ];
  return [
    "# Every sentence of a gate",
    "",
    "What a gate says, and what to do about it. A test makes this page from real verdicts.",
    "",
    "## The eight that you will meet",
    "",
    ...table(common),
    "## The words",
    "",
    "- `p`: how often an agent that did not change would look this bad by chance; 0.01 is once in a hundred runs.",
    "- `95% CI`: where the true value is, as far as these examples show.",
    "- proven: chance is an unlikely explanation. Not proven: it takes more examples to decide.",
    "- shared examples: those that this run and the baseline both have. The anchor is the run that a person accepted last.",
    "",
    "## All others",
    "",
    ...table(SENTENCES.filter((one) => !common.includes(one))),
  ].join("\n");
}

describe("verdict sentences", () => {
  test("the page lists every one of them, as they are said", () => {
    const page = renderPage();
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, "utf8")).toBe(page);
  });

  test("every kind of end in the code has a case", () => {
    const code = ["drop", "floor"].map((of) =>
      readFileSync(join(repositoryRoot, "src", "gate", `${of}-sentence.ts`), "utf8"),
    );
    const kinds = [...code.join("").matchAll(/readonly kind: "(?<kind>[a-z-]+)"/gu)].map(
      ({ groups }) => groups!["kind"]!,
    );
    expect(kinds.length).toBeGreaterThan(15);
    const shown = new Set(SENTENCES.map(({ kind }) => kind.split(",")[0]));
    expect([...new Set(kinds)].filter((kind) => !shown.has(kind))).toEqual([]);
  });

  test.each(SENTENCES.map((one) => [one.kind, one] as const))(
    "%s: at most 240 characters, plain words, and something to do unless it passes",
    (_, one) => {
      const { reason, verdict } = judgeCase(one).gate;
      expect(verdict).toBe(one.verdict);
      expect(reason.length).toBeLessThanOrEqual(240);
      expect(reason).not.toMatch(/…|undefined|NaN|null hypothesis|significan/u);
      if (verdict === "pass") expect(one.advice).toBe("Nothing.");
      else {
        expect(one.advice).not.toBe("Nothing.");
        // A report repeats it by itself.
        expect(reason).toMatch(
          /[^.]\. (?:Fix|Look|Add|Run|Write|Use|Score|Check|Upload) [^.…]+\.$/u,
        );
      }
    },
  );

  test("the longest names and labels keep a sentence within 240 characters", () => {
    const metric = `quality_${"of_a_very_long_name_".repeat(8)}`;
    const table = (score: number) =>
      tableOf(
        Array.from({ length: 40 }, (_, i) =>
          rowOf(exampleAt(i), { scores: { [metric]: i < 20 ? score : 1 } }),
        ),
      );
    const gates = gatesOf(`${metric} drop <= 0.02\n${metric} >= 0.85`);
    for (const gate of judgeGates({ head: table(0), base: table(1), gates }).gates)
      expect(gate.reason.length).toBeLessThanOrEqual(240);
    const many = gatesOf("correctness drop <= 0.0212345678");
    const gate = judgeGates({
      head: bits("0".repeat(50)),
      base: bits("1".repeat(50)),
      gates: many,
    });
    expect(gate.gates[0]!.reason.length).toBeLessThanOrEqual(240);
  });
});
