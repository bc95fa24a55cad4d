import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { renderSummary } from "../../src/report/markdown.ts";
import type { GateMessage, GateReport } from "../../src/report/report.ts";
import { SAMPLES } from "../report/sample-reports.ts";
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
  test("are all listed on the page, as they are printed", () => {
    const page = renderPage();
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, "utf8")).toBe(page);
  });

  test("have a case for every kind of outcome in the code", () => {
    const code = readFileSync(join(repositoryRoot, "src", "gate", "sentence.ts"), "utf8");
    const kinds = [...code.matchAll(/case "(?<kind>[a-z-]+)":/gu)].map(
      ({ groups }) => groups!["kind"]!,
    );
    // Of drops and of floors, as the compiler requires of each switch.
    expect(kinds.length).toBeGreaterThan(15);
    const shown = new Set(SENTENCES.map(({ kind }) => kind.split(",")[0]));
    expect([...new Set(kinds)].filter((kind) => !shown.has(kind))).toEqual([]);
  });

  test.each(SENTENCES.map((one) => [one.kind, one] as const))(
    "%s: has at most 240 characters, plain words, and advice unless it passes",
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

  test("stay within 240 characters with the longest names and labels", () => {
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

/** `message` is missing in report files of older versions. */
function summaryOf(gate: GateReport, message?: GateMessage): string {
  return renderSummary({
    ...SAMPLES["experiments-and-gates"]!,
    gates: [gate],
    gate_messages: message === undefined ? [] : [message],
    gate_verdict: gate.verdict,
    rows_worse: [],
  });
}

const nextOf = (gate: GateReport, message?: GateMessage): string | undefined =>
  /^\*\*Next:\*\* (.*)$/m.exec(summaryOf(gate, message))?.[1];

/** Sentences that more data answers; of all others the report says what else is in the way. */
const BY_CHANCE = ["suspicious", "not-ruled-out", "near", "near, a share of crashes"];
const DROPPED = ["proven", "proven, against the anchor", "proven-with-crashes"];

function expectedNext(kind: string, { verdict, reason }: GateReport): string | undefined {
  if (verdict === "pass") return undefined;
  if (BY_CHANCE.includes(kind))
    return "Inconclusive means that these examples do not decide it: run each several times, or add examples.";
  if (DROPPED.includes(kind))
    return "Fix the agent. Is the fall the price of something you want? Then allow it in the gate, or accept a new baseline with `write-baseline` and `accept-baseline: true`";
  if (kind.startsWith("missed"))
    return "Running it again does not help a missed limit: fix the agent, or change the limit.";
  const own = reason.slice(reason.lastIndexOf(". ") + 2);
  return kind.startsWith("no-baseline") ? `There is no baseline to compare with. ${own}` : own;
}

test.each(SENTENCES.map((one) => [one.kind, one] as const))(
  "%s: the report's next step fits the sentence",
  (kind, one) => {
    const { gate, message } = judgeCase(one);
    expect(nextOf(gate, message)).toBe(expectedNext(kind, gate));
  },
);

test("a run of the command line names flags, and one of the Action its inputs", () => {
  const { gate } = judgeCase(SENTENCES.find(({ kind }) => kind === "proven")!);
  const ended = { ...SAMPLES["experiments-and-gates"]!, gates: [gate], rows_worse: [] };
  const words = (["cli", "action"] as const).map((entry_point) =>
    renderSummary({ ...ended, gate_verdict: gate.verdict, entry_point }),
  );
  expect(words[0]).toContain("a new baseline with `--write-baseline` and `--accept-baseline`");
  expect(words[1]).toContain("a new baseline with `write-baseline` and `accept-baseline: true`");
});

test("a fall from a baseline that the service keeps is accepted by an upload, not by a file", () => {
  const { gate } = judgeCase(SENTENCES.find(({ kind }) => kind === "proven")!);
  const sample = SAMPLES["experiments-and-gates"]!;
  const baseline = { ...sample.baseline!, file: "experiment:main-9" };
  const said = renderSummary({ ...sample, gates: [gate], gate_verdict: gate.verdict, baseline });
  expect(said).toContain("or upload this run on the base branch with `accept-baseline: true`");
  expect(said).not.toContain("write-baseline");
});

test("a sentence without advice is not repeated as if it were advice", () => {
  const { gate, message } = judgeCase(SENTENCES.find(({ kind }) => kind === "thin")!);
  expect(nextOf(gate, { ...message, advice: "" })).toMatch(/^Inconclusive means/);
  expect(nextOf(gate)).toMatch(/^Inconclusive means/);
});

test("a sentence that was cut keeps all of its advice", () => {
  const { gate, message } = judgeCase(SENTENCES.find(({ kind }) => kind === "thin")!);
  const cut = { ...gate, reason: `${gate.reason.slice(0, -20)}…` };
  expect(message.advice).not.toBe("");
  expect(nextOf(cut, message)).toBe(message.advice);
});

const headlineOf = (gate: GateReport): string => summaryOf(gate).split("\n")[0]!;

test("the headline says since when a metric fell if no single run lost too much", () => {
  const gate = judgeCase(SENTENCES.find(({ kind }) => kind === "proven, against the anchor")!).gate;
  expect(headlineOf(gate)).toContain("correctness fell since the anchor");
  expect(headlineOf({ ...gate, delta: -0.08 })).toContain("correctness fell ·");
});

test("crashes of other rows than before, but not more of them, are not reported as more", () => {
  const gate = judgeCase(SENTENCES.find(({ kind }) => kind === "errors: fail by a fall")!).gate;
  expect(headlineOf(gate)).toContain("More rows crashed");
  expect(headlineOf({ ...gate, delta: 0 })).toContain("Other rows crashed");
});

test.each(SENTENCES.map((one) => [one.kind, one] as const))(
  "%s: its message knows whether the reason shows a p-value, and whether more data could decide",
  (_, one) => {
    const { gate, message } = judgeCase(one);
    expect(message.with_p).toBe(/\bp [=<>]/u.test(gate.reason));
    expect(message.by_chance).toBe(BY_CHANCE.includes(one.kind));
  },
);
