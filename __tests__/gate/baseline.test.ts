import { describe, expect, test } from "@jest/globals";
import {
  fingerprintDataset,
  isBaseline,
  parseBaseline,
  refuseBaseline,
  toBaseline,
} from "../../src/gate/baseline.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import { bits, exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

const META = {
  commit: "0123456789abcdef0123456789abcdef01234567",
  created_at: "2026-08-01T10:00:00Z",
};
const TABLE = tableOf(
  [
    rowOf("b", { scores: { x: 0.5, y: 1 }, latency: 1.25 }),
    rowOf("a", { scores: { x: 1 } }),
    rowOf("a", { scores: { x: 0, y: 0 }, latency: 0.1 }),
    rowOf("c", { error: true }),
  ],
  { judge: "gpt-5", file: "run.json" },
);

describe("a baseline file", () => {
  test("carries what it was made of, a row a line, and ends with its completion mark", () => {
    const text = toBaseline(TABLE, META);
    expect(text.split("\n")).toEqual([
      "{",
      `"schema": "agent-deploy-baseline/1",`,
      `"commit": "${META.commit}",`,
      `"created_at": "2026-08-01T10:00:00Z",`,
      `"dataset": "${fingerprintDataset(TABLE)}",`,
      `"examples": 3,`,
      `"rows": 4,`,
      `"errors": 1,`,
      `"repeats": 2,`,
      `"judge": "gpt-5",`,
      `"metrics": ["x","y"],`,
      `"scores": [`,
      `["a",0.1,0,0],`,
      `["a",null,1,null],`,
      `["b",1.25,0.5,1],`,
      `["c","error"]`,
      "],",
      `"complete": true`,
      "}",
      "",
    ]);
    expect(isBaseline(text)).toBe(true);
    expect(isBaseline('{"results": []}')).toBe(false);
  });

  test("holds no text of inputs or outputs", () => {
    expect(toBaseline(TABLE, META)).not.toMatch(/question|answer/u);
  });

  test("reads back as the table it was", () => {
    const parsed = parseBaseline(toBaseline(TABLE, META), "baseline.json");
    if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
    expect(parsed.table).toMatchObject({
      file: "baseline.json",
      state: "complete",
      commit: META.commit,
      created_at: META.created_at,
      judge: "gpt-5",
    });
    expect(
      parsed.table.rows.map(({ example, scores, error, latency }) => ({
        example,
        scores,
        error,
        latency,
      })),
    ).toEqual([
      { example: "a", scores: { x: 0, y: 0 }, error: false, latency: 0.1 },
      { example: "a", scores: { x: 1 }, error: false, latency: null },
      { example: "b", scores: { x: 0.5, y: 1 }, error: false, latency: 1.25 },
      { example: "c", scores: {}, error: true, latency: null },
    ]);
    expect(toBaseline(parsed.table, META)).toBe(toBaseline(TABLE, META));
  });

  test("the order of rows does not change it", () => {
    expect(toBaseline({ ...TABLE, rows: [...TABLE.rows].reverse() }, META)).toBe(
      toBaseline(TABLE, META),
    );
  });

  test("a run is unchanged against its own baseline", () => {
    const head = bits("110110111011");
    const parsed = parseBaseline(toBaseline(head, META), "baseline.json");
    if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
    const judged = judgeGates({
      head,
      base: parsed.table,
      gates: gatesOf("correctness drop <= 0.02"),
    });
    expect(judged.gates[0]).toMatchObject({ verdict: "pass", delta: 0 });
    expect(judged.baseline).toMatchObject({
      state: "used",
      commit: META.commit,
      message: "12 of 12 examples shared, commit 0123456, made 2026-08-01T10:00:00Z",
    });
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, 300), /no valid JSON/u],
    [
      "of another version",
      (text: string) => text.replace("baseline/1", "baseline/9"),
      /this version reads agent-deploy-baseline\/1/u,
    ],
    [
      "short of a row",
      (text: string) => text.replace(`["b",1.25,0.5,1],\n`, ""),
      /holds 3 rows where its header says 4/u,
    ],
    ["merged by hand", (text: string) => text.replace(`["b",`, `["z",`), /fingerprint/u],
    [
      "holding nonsense",
      (text: string) => text.replace(`["b",1.25,0.5,1]`, `["b",1.25,"0.5",1]`),
      /entry 3/u,
    ],
    ["a list", () => "[]", /no JSON object/u],
  ])("one that is %s is refused", (_, change, message) => {
    const parsed = parseBaseline(change(toBaseline(TABLE, META)), "baseline.json");
    expect(parsed.state === "problem" && parsed.problem.message).toMatch(message);
  });

  test("one without its completion mark is incomplete, and so compared with nothing", () => {
    const text = toBaseline(bits("110110111011"), META).replace(
      `"complete": true`,
      `"complete": false`,
    );
    const parsed = parseBaseline(text, "baseline.json");
    if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
    expect(parsed.table.state).toBe("incomplete");
    expect(
      judgeGates({
        head: bits("110110111011"),
        base: parsed.table,
        gates: gatesOf("correctness drop <= 0.02"),
      }).verdict,
    ).toBe("inconclusive");
  });
});

describe("what may not become a baseline", () => {
  const clean = bits("1".repeat(50));
  const broken = bits(`x${"1".repeat(49)}`);

  test("a clean run may, gated or not, inconclusive or not", () => {
    expect(refuseBaseline({ table: clean, gates: null, verdict: "none" })).toBeNull();
    expect(
      refuseBaseline({
        table: clean,
        gates: gatesOf("correctness >= 0.5"),
        verdict: "inconclusive",
      }),
    ).toBeNull();
  });

  test("a failed gate, a cancelled run, an incomplete run, a run without scores", () => {
    expect(
      refuseBaseline({ table: clean, gates: gatesOf("correctness >= 0.5"), verdict: "fail" }),
    ).toMatch(/a gate failed/u);
    expect(
      refuseBaseline({ table: { ...clean, state: "cancelled" }, gates: null, verdict: "none" }),
    ).toMatch(/cancelled run/u);
    expect(
      refuseBaseline({ table: { ...clean, state: "incomplete" }, gates: null, verdict: "none" }),
    ).toMatch(/incomplete/u);
    expect(refuseBaseline({ table: tableOf([rowOf("a")]), gates: null, verdict: "none" })).toMatch(
      /no row/u,
    );
  });

  test("error rows, beyond what an error_rate gate allows", () => {
    expect(refuseBaseline({ table: broken, gates: null, verdict: "none" })).toMatch(
      /1 row of 50 errored/u,
    );
    expect(
      refuseBaseline({ table: broken, gates: gatesOf("correctness >= 0.5"), verdict: "pass" }),
    ).toMatch(/errored/u);
    expect(
      refuseBaseline({ table: broken, gates: gatesOf("error_rate <= 2%"), verdict: "pass" }),
    ).toBeNull();
    expect(
      refuseBaseline({
        table: broken,
        gates: gatesOf("error_rate <= 1%"),
        verdict: "inconclusive",
      }),
    ).toMatch(/more than `error_rate <= 1%` allows/u);
  });
});

test("the dataset's fingerprint is of its examples, not of order, repeats or scores", () => {
  const one = tableOf([rowOf("a"), rowOf("b")]);
  expect(
    fingerprintDataset(tableOf([rowOf("b"), rowOf("a", { scores: { x: 1 } }), rowOf("a")])),
  ).toBe(fingerprintDataset(one));
  expect(fingerprintDataset(tableOf([rowOf("a")]))).not.toBe(fingerprintDataset(one));
});

test("twenty thousand rows with five metrics are judged against a baseline", () => {
  const make = (salt: number) =>
    tableOf(
      Array.from({ length: 20_000 }, (_, i) => {
        const part = (k: number): number =>
          ((i * 7919 + salt * 104729 + k * 1299709) % 1000) / 1000;
        return rowOf(exampleAt(i), {
          scores: { a: part(1), b: part(2), c: part(3) < 0.85 ? 1 : 0, d: part(4), e: part(5) },
          latency: part(6),
        });
      }),
    );
  const judged = judgeGates({
    head: make(1),
    base: make(2),
    gates: gatesOf(
      "a drop <= 0.02\nb drop <= 0.02\nc drop <= 0.02\nd drop <= 0.02\ne drop <= 0.02\nlatency_p95 <= 4s",
    ),
  });
  expect(judged.gates.map(({ n }) => n)).toEqual([20_000, 20_000, 20_000, 20_000, 20_000, 20_000]);
  expect(judged.worse).toHaveLength(500);
});
