import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import type { GateRow, GateTable } from "../../src/gate/row.ts";
import { bits, exampleAt, gatesOf, rowOf, tableOf } from "../gate/tables.ts";

const GATES = gatesOf(
  "gates: |\n  quality >= 0.6\n  quality drop <= 0.02\n  pass drop <= 0.02\n  latency_p50 <= 2s\n  latency_p50 drop <= 100ms\n  error_rate <= 0.1\n  error_rate drop <= 0\n  pass^2(pass) >= 0.2\n",
);

/** Rows of up to 25 examples with up to three repeats; some errored, some unscored. */
const rows = fc
  .array(
    fc.record({
      example: fc.nat(24),
      quality: fc.double({ min: 0, max: 1, noNaN: true }),
      pass: fc.boolean(),
      scored: fc.nat(9),
      latency: fc.double({ min: 0, max: 5, noNaN: true }),
      error: fc.nat(9),
    }),
    { minLength: 1, maxLength: 70 },
  )
  .map((items) =>
    items.map(
      (item): GateRow =>
        rowOf(exampleAt(item.example), {
          error: item.error === 0,
          latency: item.error === 0 ? null : item.latency,
          scores:
            item.error === 0
              ? {}
              : {
                  pass: item.pass ? 1 : 0,
                  ...(item.scored === 0 ? {} : { quality: item.quality }),
                },
          tags: { "inputs.doc": `d${item.example % 6}` },
        }),
    ),
  );

const judge = (head: readonly GateRow[], base: readonly GateRow[]) =>
  judgeGates({ head: tableOf(head), base: tableOf(base), gates: GATES });

describe("laws of the verdict", () => {
  test("the order of rows does not matter, to the byte", () => {
    fc.assert(
      fc.property(rows, rows, fc.infiniteStream(fc.nat()), (head, base, salt) => {
        const shuffle = (items: readonly GateRow[]): GateRow[] =>
          items
            .map((item) => ({ item, at: salt.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const once = judge(head, base);
        const again = judge(shuffle(head), shuffle(base));
        expect(JSON.stringify(again.gates)).toBe(JSON.stringify(once.gates));
        expect(
          again.rows_worse.map(({ metric, input, head: now }) => [metric, input, now]),
        ).toEqual(once.rows_worse.map(({ metric, input, head: now }) => [metric, input, now]));
      }),
      { numRuns: 60 },
    );
  });

  test("the same tables give the same bytes", () => {
    fc.assert(
      fc.property(rows, rows, (head, base) => {
        expect(JSON.stringify(judge(head, base))).toBe(
          JSON.stringify(judge(structuredClone(head), structuredClone(base))),
        );
      }),
      { numRuns: 30 },
    );
  });

  test("swapping head and baseline flips delta and interval, and the two runs cannot both fail", () => {
    fc.assert(
      fc.property(rows, rows, (head, base) => {
        const there = judgeGates({
          head: tableOf(head),
          base: tableOf(base),
          gates: { ...GATES, min_overlap: 0 },
          isMeasured: false,
        });
        const back = judgeGates({
          head: tableOf(base),
          base: tableOf(head),
          gates: { ...GATES, min_overlap: 0 },
          isMeasured: false,
        });
        there.gates.forEach((gate, at) => {
          // Crashes of examples that one side lacks count as new ones, whichever side they are on.
          if (gate.metric === "errors" && there.row_counts.new + there.row_counts.missing > 0)
            return;
          const other = back.gates[at];
          if (other === undefined || gate.delta === null || other.delta === null) return;
          expect(other.delta).toBeCloseTo(-gate.delta, 9);
          if (gate.ci !== null && other.ci !== null)
            expect(other.ci[0]).toBeCloseTo(-gate.ci[1], 9);
          expect(gate.verdict === "fail" && other.verdict === "fail").toBe(false);
        });
      }),
      { numRuns: 60 },
    );
  });

  test("repeats of equal rows do not narrow the interval of a mean", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(60), { minLength: 12, maxLength: 40 }),
        fc.integer({ min: 2, max: 4 }),
        fc.nat(1000),
        (ids, times, seed) => {
          const random = createSeededRandom(seed);
          const make = (): GateRow[] =>
            ids.map((id) =>
              rowOf(exampleAt(id), {
                scores: { quality: random(), pass: random() < 0.7 ? 1 : 0 },
                latency: random(),
              }),
            );
          const [head, base] = [make(), make()];
          const repeat = (items: readonly GateRow[]): GateRow[] =>
            items.flatMap((item) => Array.from({ length: times }, () => item));
          const judged = (now: readonly GateRow[], before: readonly GateRow[]) =>
            judgeGates({
              head: tableOf(now),
              base: tableOf(before),
              gates: GATES,
              isMeasured: false,
            }).gates;
          const once = judged(head, base);
          judged(repeat(head), repeat(base)).forEach((gate, at) => {
            if (gate.metric.startsWith("pass^")) return;
            expect(gate.n).toBe(once[at]!.n);
            const width = (ci: readonly [number, number] | null): number =>
              ci === null ? 0 : ci[1] - ci[0];
            if (gate.metric === "quality" && gate.base === null)
              expect(width(gate.ci)).toBeCloseTo(width(once[at]!.ci), 6);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test("every number is finite or null, every verdict is one of three, and every reason is a sentence", () => {
    fc.assert(
      fc.property(rows, rows, fc.boolean(), (head, base, clustered) => {
        const gates = clustered ? { ...GATES, cluster_by: "inputs.doc" } : GATES;
        for (const gate of judgeGates({ head: tableOf(head), base: tableOf(base), gates }).gates) {
          for (const value of [
            gate.head,
            gate.base,
            gate.delta,
            gate.p,
            gate.mde,
            ...(gate.ci ?? []),
          ])
            expect(value === null || Number.isFinite(value)).toBe(true);
          expect(["pass", "fail", "inconclusive"]).toContain(gate.verdict);
          expect(gate.reason).not.toMatch(/NaN|undefined|Infinity|null/u);
          expect(gate.reason.length).toBeGreaterThan(20);
          if (gate.p !== null) expect(gate.p >= 0 && gate.p <= 1).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a worse head never does better on a drop gate", () => {
    const order = ["fail", "inconclusive", "pass"];
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 10, maxLength: 40 }),
        fc.nat(),
        (passes, at) => {
          const text = passes.map((pass) => (pass ? "1" : "0")).join("");
          const base: GateTable = bits("1".repeat(text.length));
          const worse = `${text.slice(0, at % text.length)}0${text.slice((at % text.length) + 1)}`;
          const verdict = (head: string): number =>
            order.indexOf(
              judgeGates({
                head: bits(head),
                base,
                gates: gatesOf("correctness drop <= 0.02"),
                isMeasured: false,
              }).verdict,
            );
          expect(verdict(worse)).toBeLessThanOrEqual(verdict(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("an agent that did not change", () => {
  /** Two runs of one agent whose examples have their own pass rates. */
  const pair = (
    random: () => number,
    n: number,
    repeats: number,
  ): readonly [GateTable, GateTable] => {
    const rates = Array.from({ length: n }, () => Math.min(1, 0.7 + 0.5 * random()));
    const run = (): GateTable =>
      tableOf(
        rates.flatMap((rate, i) =>
          Array.from({ length: repeats }, () =>
            rowOf(exampleAt(i), {
              scores: { a: random() < rate ? 1 : 0, b: random() < rate ? 1 : 0 },
            }),
          ),
        ),
      );
    return [run(), run()];
  };

  test.each([
    [20, 1],
    [50, 3],
  ])("rarely fails: %d examples, %d repeats, two gates", (n, repeats) => {
    const random = createSeededRandom(11 * n + repeats);
    const gates = gatesOf("a drop <= 0.02\nb drop <= 0.02");
    let failed = 0;
    for (let run = 0; run < 400; run++) {
      const [base, head] = pair(random, n, repeats);
      if (judgeGates({ head, base, gates, isMeasured: false }).verdict === "fail") failed++;
    }
    expect(failed / 400).toBeLessThan(0.08);
  });

  test("is distinguished from one that falls by twenty points in fifty examples with three repeats", () => {
    const random = createSeededRandom(3);
    let failed = 0;
    for (let run = 0; run < 50; run++) {
      const [base, head] = pair(random, 50, 3);
      const a = head.scores.get("a")!.map((score) => (random() < 0.22 ? 0 : score));
      const worse = { ...head, scores: new Map([...head.scores, ["a", a] as const]) };
      if (
        judgeGates({ head: worse, base, gates: gatesOf("a drop <= 0.02"), isMeasured: false })
          .verdict === "fail"
      )
        failed++;
    }
    expect(failed).toBeGreaterThan(45);
  });
});
