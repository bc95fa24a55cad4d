import { describe, expect, test } from "@jest/globals";
import type { GateTable } from "../../src/gate/row.ts";
import { bits, exampleAt, judge, rowOf, tableOf } from "./tables.ts";

const ones = (n: number): string => "1".repeat(n);

const scored = (scores: Readonly<Record<string, number>>, n = 40): GateTable =>
  tableOf(Array.from({ length: n }, (_, i) => rowOf(exampleAt(i), { scores })));

describe("a drop in percent", () => {
  test("is a share of the baseline's mean over the shared examples", () => {
    const base = bits(ones(60) + "0".repeat(40));
    const head = bits(`00000${ones(55)}${"0".repeat(40)}`);
    const [gate] = judge("correctness drop <= 10%", head, base).gates;
    expect(gate).toMatchObject({ verdict: "pass", limit: 0.06, delta: -0.05 });
    expect(gate!.reason).toMatch(/within the 10% allowed/u);
    expect(judge("correctness drop <= 5%", head, base).gates[0]).toMatchObject({
      verdict: "fail",
      limit: 0.03,
    });
  });

  test("allows nothing if the baseline is 0", () => {
    const rise = judge("cost rise <= 50%", scored({ cost: 1 }), scored({ cost: 0 })).gates[0];
    expect(rise).toMatchObject({ verdict: "fail", limit: 0, direction: "lower" });
  });

  test("may be over 100 % for what can rise to any multiple, but not for what cannot fall further", () => {
    const [head, base] = [scored({ cost: 3 }), scored({ cost: 1 })];
    expect(judge("cost rise <= 250%", head, base).gates[0]!.verdict).toBe("pass");
    expect(judge("correctness drop <= 100%", bits(ones(20)), bits(ones(20))).problems).toHaveLength(
      1,
    );
  });

  test("is a share of a latency too, and in a floor it is a plain share", () => {
    const timed = (seconds: number): GateTable =>
      tableOf(
        Array.from({ length: 30 }, (_, i) =>
          rowOf(exampleAt(i), { latency: seconds, scores: { s: 1 } }),
        ),
      );
    const [mean, tail] = judge(
      "latency rise <= 10%, latency_p95 rise <= 10%",
      timed(2),
      timed(1),
    ).gates;
    expect([mean!.limit, tail!.limit]).toEqual([0.1, 0.1]);
    expect([mean!.verdict, tail!.verdict]).toEqual(["fail", "fail"]);
    expect(judge("s >= 85%", timed(1)).gates[0]).toMatchObject({ limit: 0.85 });
  });
});

describe("a rule on every metric", () => {
  const base = scored({ a: 1, b: 1, gone: 1, cost: 1, total_tokens: 5 });
  const head = scored({ a: 1, b: 0.5, made: 1, cost: 9, total_tokens: 50 });

  test("judges the drop of each score that both sides have, except usage, each with its own entry", () => {
    const { gates } = judge("* drop <= 5%", head, base);
    expect(gates.map(({ metric, rule, verdict }) => [metric, rule, verdict])).toEqual([
      ["a", "a drop <= 5%", "pass"],
      ["b", "b drop <= 5%", "fail"],
      ["errors", "errors", "pass"],
    ]);
  });

  test("judges the floor of each score of the head", () => {
    const { gates } = judge("* >= 0.9", head);
    expect(gates.map(({ metric, verdict }) => [metric, verdict])).toEqual([
      ["a", "pass"],
      ["b", "fail"],
      ["made", "pass"],
    ]);
  });

  test("does not turn a metric around", () => {
    const lower = scored({ hallucination: 0.2 });
    const { gates } = judge("* drop <= 0\n* >= 0.1", scored({ hallucination: 0.1 }), lower);
    expect(gates[0]).toMatchObject({ direction: "lower", verdict: "pass" });
  });

  test("is an error with the metrics seen if both sides share no score", () => {
    const { problems } = judge("* drop <= 5%", scored({ x: 1 }), scored({ y: 1 }));
    expect(problems.map(({ message }) => message)).toEqual([
      "`* drop <= 5%` finds no score that both results.json and the baseline have; metrics seen: x; name one, or write a new baseline",
    ]);
  });
});
