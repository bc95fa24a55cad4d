import { describe, expect, test } from "@jest/globals";
import { judgeGroups } from "../../src/gate/judge.ts";
import type { GateTable, TableFacts } from "../../src/gate/row.ts";
import { bits, exampleAt, gatesOf, judge, rowOf, tableOf } from "./tables.ts";

const warningsOf = (
  gates: string,
  head: GateTable,
  base: GateTable | null = null,
): readonly string[] => judge(gates, head, base).warnings;

const alike = (
  scores: Readonly<Record<string, number>>,
  about: Partial<TableFacts> = {},
): GateTable =>
  tableOf(
    Array.from({ length: 12 }, (_, i) => rowOf(exampleAt(i), { scores })),
    about,
  );

describe("clusters", () => {
  /** One example for each letter; `-` is one without the field. */
  const lettered = (letters: string): GateTable =>
    tableOf(
      [...letters].map((doc, i) =>
        rowOf(exampleAt(i), { scores: { s: 1 }, tags: doc === "-" ? {} : { "inputs.doc": doc } }),
      ),
    );
  const clustered = (letters: string) =>
    warningsOf("gates: s >= 0.5\ncluster_by: inputs.doc", lettered(letters));
  const holds =
    "of the examples: what is said of chance holds from ten clusters on, none of them over 30%";
  const alone = (many: string): string =>
    `${many} no inputs.doc: each counts as a cluster of its own`;

  test.each([
    ["abcdefghij", []],
    ["abcdefghi", [`9 clusters by inputs.doc, the largest with 11% ${holds}`]],
    ["aaaaaaabcdefghijklmnopq", [`17 clusters by inputs.doc, the largest with 30% ${holds}`]],
    ["aaaaaabcdefghijklmno", []],
    ["aaaa", [`1 cluster by inputs.doc, the largest with 100% ${holds}`]],
    ["abcdefghi-", [alone("1 example of results.json has")]],
    ["abcdefgh--", [alone("2 examples of results.json have")]],
  ])("cause a warning if they are few, uneven or missing: %s", (letters, expected) => {
    expect(clustered(letters)).toEqual(expected);
  });
});

describe("a better side that the file's own verdicts contradict", () => {
  const shown = (side: "lower" | "higher") => alike({ s: 1 }, { shown: new Map([["s", side]]) });
  const said = (side: string) => [
    `the verdicts in results.json show that ${side} of s is better, but the gate says the opposite`,
  ];

  test.each<[string, "lower" | "higher", readonly string[]]>([
    ["s >= 0.5", "higher", []],
    ["s >= 0.5", "lower", said("less")],
    ["s <= 1", "lower", []],
    ["s <= 1", "higher", said("more")],
    ["gates: s drop <= 0.5\ndirection: { s: lower }", "higher", said("more")],
    ["rows >= 1", "lower", []],
  ])("causes a warning: %j, shown: %s is better", (gates, side, expected) => {
    expect(warningsOf(gates, shown(side), alike({ s: 1 }))).toEqual(expected);
  });
});

describe("a floor on the side that is worse", () => {
  const high = (floor: string, metric: string) => [
    `\`${floor}\` passes worse runs if lower ${metric} is better. Write \`${metric} <= …\`, or say in the gate file which is better: \`direction: {"${metric}": lower}\`, or \`higher\``,
  ];
  const low = (floor: string, metric: string) => [
    `\`${floor}\` passes worse runs if higher ${metric} is better. Write \`${metric} >= …\`, or say in the gate file which is better: \`direction: {"${metric}": higher}\`, or \`lower\``,
  ];
  const known = { graded: "higher" } as const;
  const table = alike({ s: 1, toxicity: 0.5, pass: 1, cost: 2, graded: 0.5 }, { known });

  test.each<[string, readonly string[]]>([
    ["latency_p95 >= 0.5s", high("latency_p95 >= 0.5s", "latency_p95")],
    ["cost > 0.001, cost rise <= 10%", high("cost > 0.001", "cost")],
    ["error_rate >= 1%", high("error_rate >= 1%", "error_rate")],
    ["toxicity >= 0.1, toxicity >= 0.2", high("toxicity >= 0.1", "toxicity")],
    ["pass <= 0.9", low("pass <= 0.9", "pass")],
    ["graded <= 0.9", low("graded <= 0.9", "graded")],
    ["gates: [latency >= 1s]\ndirection: { latency: higher }", []],
    ["gates: [latency >= 1s]\ndirection: { latency: lower }", []],
    ["latency >= 0.1s, latency <= 5s", []],
    ["latency_p50 >= 0.1s, latency_p95 <= 5s", []],
    ["latency <= 5s, toxicity <= 0.6, pass >= 0.9, graded >= 0.4", []],
    ["s <= 2, rows <= 100", []],
  ])("%j", (gates, expected) => {
    expect(warningsOf(gates, table, alike({ s: 1, cost: 2 }))).toEqual(expected);
  });
});

describe("a direction that the metric's floor contradicts", () => {
  const said = (side: string, floor: string) => [
    `direction says that ${side} of s is better, its floor \`${floor}\` the opposite: the drop goes by direction`,
  ];

  test.each<[string, string, readonly string[]]>([
    ["[s >= 0.5, s drop <= 0.1]", "lower", said("less", "s >= 0.5")],
    ["[s <= 1.5, s drop <= 0.1]", "higher", said("more", "s <= 1.5")],
    ["[s >= 0.5, s > 0.4, s drop <= 0.1]", "lower", said("less", "s >= 0.5")],
    ["[s >= 0.5, s <= 1.5, s drop <= 0.1]", "lower", []],
    ["[s >= 0.5, s drop <= 0.1]", "higher", []],
    ["[s <= 1.5, s drop <= 0.1]", "lower", []],
    ["[s >= 0.5]", "lower", []],
    ["[s drop <= 0.1]", "lower", []],
    ["[s drop <= 0.1, t >= 0.5]", "lower", []],
  ])("causes a warning: %s, direction: %s", (gates, side, expected) => {
    const table = alike({ s: 1.2, t: 1 });
    expect(warningsOf(`gates: ${gates}\ndirection: { s: ${side} }`, table, table)).toEqual(
      expected,
    );
  });
});

describe("scores that are gone", () => {
  const GONE =
    "in the baseline, but not in results.json, so the drop on every score does not judge";
  const all = Object.fromEntries(
    ["s", "m1", "m2", "m3", "m4", "m5", "m6", "m7"].map((m) => [m, 1]),
  );
  const base = (many: number): GateTable =>
    alike(Object.fromEntries(Object.entries(all).slice(0, many + 1)));

  test.each([
    [1, [`m1: ${GONE} it`]],
    [2, [`m1, m2: ${GONE} them`]],
    [5, [`m1, m2, m3, m4, m5: ${GONE} them`]],
    [6, [`m1, m2, m3, m4, m5 and 1 more: ${GONE} them`]],
    [7, [`m1, m2, m3, m4, m5 and 2 more: ${GONE} them`]],
  ])("cause one warning, %i of them", (many, expected) => {
    expect(warningsOf("* drop <= 50%", alike({ s: 1 }), base(many))).toEqual(expected);
    expect(warningsOf("s drop <= 50%", alike({ s: 1 }), base(many))).toEqual([]);
    expect(warningsOf("* >= 0.5", alike({ s: 1 }), base(many))).toEqual([]);
  });

  test("are listed with forty letters each, and without usage", () => {
    const long = (letters: number) => alike({ s: 1, cost: 1, [`m${"x".repeat(letters - 1)}`]: 1 });
    expect(warningsOf("* drop <= 50%", alike({ s: 1 }), long(40))).toEqual([
      `m${"x".repeat(39)}: ${GONE} it`,
    ]);
    expect(warningsOf("* drop <= 50%", alike({ s: 1 }), long(41))).toEqual([
      `m${"x".repeat(38)}…: ${GONE} it`,
    ]);
  });
});

describe("the evaluator", () => {
  const doubt = "does not say by what. A change may be the evaluator's, not the agent's";
  test.each<[string | null, string | null, readonly string[]]>([
    [null, null, []],
    ["gpt-5", "gpt-5", []],
    ["gpt-5", null, [`this run was scored by gpt-5; the baseline ${doubt}`]],
    [null, "gpt-5", [`the baseline was scored by gpt-5; this run ${doubt}`]],
  ])("causes a warning if only one side names it: %j now, %j before", (now, before, expected) => {
    const [head, base] = [now, before].map((judge) => alike({ s: 1 }, { judge }));
    expect(warningsOf("s drop <= 0.5", head!, base!)).toEqual(expected);
  });
});

test("crashes that the gate file ignores are reported", () => {
  const gates = "gates: correctness >= 0.5\nerrors: ignore";
  expect(warningsOf(gates, bits(`x${"1".repeat(11)}`))).toEqual([
    "1 of 12 rows crashed; ignored, as the gate file says",
  ]);
  expect(warningsOf(gates, bits("1".repeat(12)))).toEqual([]);
  expect(warningsOf("correctness >= 0.5", bits(`x${"1".repeat(11)}`))).toEqual([]);
});

test("a direction that no gate uses is reported, but not for each of several heads", () => {
  const gates = gatesOf("gates: s >= 0.5\ndirection: { tone: lower }");
  const heads = ["gpt", "claude"].map((label) => ({ label, head: alike({ s: 1 }), base: null }));
  expect(judgeGroups(heads, gates).warnings).toEqual([]);
  expect(judgeGroups(heads.slice(0, 1), gates).warnings).toEqual([]);
  expect(judgeGroups([{ ...heads[0]!, label: "" }], gates).warnings).toEqual([
    "direction names tone, which no gate uses",
  ]);
});
