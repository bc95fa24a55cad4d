import { expect, test } from "@jest/globals";
import { renderSummary } from "../../src/report/markdown.ts";
import type { GateMessage, GateReport } from "../../src/report/report.ts";
import { judgeCase, SENTENCES } from "../gate/sentences.ts";
import { SAMPLES } from "./sample-reports.ts";

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
  "%s: the report says next what fits the sentence",
  (kind, one) => {
    const { gate, message } = judgeCase(one);
    expect(nextOf(gate, message)).toBe(expectedNext(kind, gate));
  },
);

test("a run of the command line names flags, one of the Action its inputs", () => {
  const { gate } = judgeCase(SENTENCES.find(({ kind }) => kind === "proven")!);
  const ended = { ...SAMPLES["experiments-and-gates"]!, gates: [gate], rows_worse: [] };
  const words = (["cli", "action"] as const).map((entry_point) =>
    renderSummary({ ...ended, gate_verdict: gate.verdict, entry_point }),
  );
  expect(words[0]).toContain("a new baseline with `--write-baseline` and `--accept-baseline`");
  expect(words[1]).toContain("a new baseline with `write-baseline` and `accept-baseline: true`");
});

test("a sentence without advice is not repeated as if it were advice", () => {
  const { gate, message } = judgeCase(SENTENCES.find(({ kind }) => kind === "thin")!);
  expect(nextOf(gate, { ...message, advice: "" })).toMatch(/^Inconclusive means/);
  expect(nextOf(gate)).toMatch(/^Inconclusive means/);
});

test("a sentence that was cut loses none of its advice", () => {
  const { gate, message } = judgeCase(SENTENCES.find(({ kind }) => kind === "thin")!);
  const cut = { ...gate, reason: `${gate.reason.slice(0, -20)}…` };
  expect(message.advice).not.toBe("");
  expect(nextOf(cut, message)).toBe(message.advice);
});

const headlineOf = (gate: GateReport): string => summaryOf(gate).split("\n")[0]!;

test("the headline says since when a metric fell where no single run lost too much", () => {
  const gate = judgeCase(SENTENCES.find(({ kind }) => kind === "proven, against the anchor")!).gate;
  expect(headlineOf(gate)).toContain("correctness fell since the accepted run");
  expect(headlineOf({ ...gate, delta: -0.08 })).toContain("correctness fell ·");
});

test("crashes of other rows than before, no more of them, are not said to be more", () => {
  const gate = judgeCase(SENTENCES.find(({ kind }) => kind === "errors: fail by a fall")!).gate;
  expect(headlineOf(gate)).toContain("More rows crashed");
  expect(headlineOf({ ...gate, delta: 0 })).toContain("Other rows crashed");
});
