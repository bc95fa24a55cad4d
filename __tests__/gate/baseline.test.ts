import { describe, expect, test } from "@jest/globals";
import { fingerprintDataset, toBaseline } from "../../src/gate/baseline-writing.ts";
import { isBaseline, type Baseline } from "../../src/gate/baseline.ts";
import { parseBaseline } from "../../src/gate/baseline-reading.ts";
import { refuseBaseline } from "../../src/gate/baseline-refusal.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { pickRows } from "../../src/gate/table.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
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
    rowOf("c", { error: true, scores: { y: 0.5 } }),
  ],
  { judge: "gpt-5", file: "run.json" },
);

function write(
  table: GateTable,
  { previous = null, accepted = true }: { previous?: Baseline | null; accepted?: boolean } = {},
): string {
  return toBaseline({
    groups: [{ label: "", group: "", table, wholeExperiments: [] }],
    gates: null,
    ...META,
    previous,
    accepted,
  });
}

function read(text: string): Baseline {
  const parsed = parseBaseline(text, "baseline.json");
  if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
  return parsed.baseline;
}

describe("a baseline file", () => {
  test("is the same in any layout, and refused if a score was edited in either one", () => {
    const anchored = write(TABLE, { previous: read(write(TABLE)), accepted: false });
    for (const text of [write(TABLE), anchored]) {
      const flat = JSON.stringify(JSON.parse(text));
      const windows = text.replaceAll("\n", "\r\n");
      for (const other of [flat, windows, JSON.stringify(JSON.parse(text), null, 2)])
        expect(write(read(other).groups[0]!.table)).toBe(write(read(text).groups[0]!.table));
      expect(read(flat).groups[0]!.anchor?.size).toBe(read(text).groups[0]!.anchor?.size);
      expect(() => read(text.replace('["a",0.1,0,0]', '["a",0.1,1,0]'))).toThrow("digest");
      expect(() => read(flat.replace('["a",0.1,0,0]', '["a",0.1,1,0]'))).toThrow("digest");
      expect(() => read(text.replace('["a",0.1,0,0]', '["a",0.1,0 , 0]'))).not.toThrow();
      expect(() => read(text.replace('["a",0.1,0,0],', '["a",0.1,0,0]'))).toThrow("valid JSON");
    }
  });

  test("describes its run, has one row per line, and ends with its completion mark", () => {
    const text = write(TABLE);
    const lines = text.split("\n");
    expect(lines.slice(0, 2)).toEqual(["{", `"schema": "agent-deploy-baseline/2",`]);
    expect(lines[2]).toMatch(/^"digest": "sha256:[0-9a-f]{64}",$/u);
    expect(lines.slice(3, 24)).toEqual([
      `"commit": "${META.commit}",`,
      `"created_at": "2026-08-01T10:00:00Z",`,
      `"dataset": "${fingerprintDataset(TABLE)}",`,
      `"examples": 3,`,
      `"rows": 4,`,
      `"errors": 1,`,
      `"repeats": 2,`,
      `"judge": "gpt-5",`,
      `"groups": [""],`,
      `"metrics": ["x","y"],`,
      `"must_pass": [{}],`,
      `"history": [{"commit":"${META.commit}","created_at":"2026-08-01T10:00:00Z","means":{"x":0.5,"y":0.5}}],`,
      `"anchor": null,`,
      `"scores": [`,
      `["a",0.1,0,0],`,
      `["a",null,1,null],`,
      `["b",1.25,0.5,1],`,
      `["c","error",null,0.5]`,
      "],",
      `"sketches": {`,
      expect.stringMatching(/^"a": "[0-9a-f]{34}",$/u),
    ]);
    expect(text.endsWith(`"complete": true\n}\n`)).toBe(true);
    expect(isBaseline(text)).toBe(true);
    expect(isBaseline('{"results": []}')).toBe(false);
  });

  test("holds no text of inputs or outputs", () => {
    expect(write(TABLE)).not.toMatch(/question|answer/u);
  });

  test("reads back as the table that was written", () => {
    const { table, anchor } = read(write(TABLE)).groups[0]!;
    expect(table).toMatchObject({
      file: "baseline.json",
      state: "complete",
      ...META,
      judge: "gpt-5",
      example: ["a", "a", "b", "c"],
    });
    expect(anchor).toBeNull();
    expect([...table.scores.get("x")!]).toEqual([0, 1, 0.5, NaN]);
    expect([...table.scores.get("y")!]).toEqual([0, NaN, 1, 0.5]);
    expect([...table.error]).toEqual([0, 0, 0, 1]);
    expect([...table.latency]).toEqual([0.1, NaN, 1.25, NaN]);
  });

  test("does not depend on the order of rows", () => {
    expect(write(pickRows(TABLE, [3, 2, 1, 0]))).toBe(write(TABLE));
  });

  test("shows no change to its own run", () => {
    const head = bits("110110111011");
    const judged = judgeGates({
      head,
      base: read(write(head)).groups[0]!.table,
      gates: gatesOf("correctness drop <= 0.02"),
    });
    expect(judged.gates[0]).toMatchObject({ verdict: "pass", delta: 0 });
    expect(judged.baseline).toMatchObject({
      state: "used",
      commit: META.commit,
      message: "12 of 12 examples shared",
    });
  });

  test("is recognised with its anchor despite a byte order mark", async () => {
    const rows = (good: number) =>
      Array.from(
        { length: 12 },
        (_, i) =>
          `{"inputs":{"q":${i}},"evaluation_scores":[{"key":"a","score":${Number(i < good)}}]}\n`,
      ).join("");
    const workspace = createTree({ "first.jsonl": rows(12), "second.jsonl": rows(11) });
    const gate = async (...args: readonly string[]) => runCli(["gate", ...args], { workspace });
    await gate("first.jsonl", "--write-baseline", "b.json");
    workspace.write("b.json", `\uFEFF${workspace.read("b.json")}`);
    const drop = await gate("second.jsonl", "--gate", "a drop <= 0.2", "--baseline", "b.json");
    expect([drop.code, drop.stdout]).toEqual([0, expect.stringContaining("1 → 0.92")]);
    await gate("second.jsonl", "--write-baseline", "b.json");
    expect(JSON.parse(workspace.read("b.json")).anchor).not.toBeNull();
  });

  test("may be reformatted", () => {
    const text = JSON.stringify(JSON.parse(write(TABLE)), null, 4);
    expect(read(text).groups[0]!.table.size).toBe(4);
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, 300), /not valid JSON/u],
    [
      "of another version",
      (text: string) => text.replace("baseline/2", "baseline/9"),
      /this version reads agent-deploy-baseline\/2/u,
    ],
    [
      "missing a row",
      (text: string) => text.replace(`["b",1.25,0.5,1],\n`, ""),
      /holds 3 rows where its header says 4/u,
    ],
    [
      "edited in a score",
      (text: string) => text.replace(`["b",1.25,0.5,1]`, `["b",1.25,0.5,0]`),
      /digest/u,
    ],
    ["merged by hand", (text: string) => text.replace(`["b",`, `["z",`), /digest/u],
    ["with another history", (text: string) => text.replace(`"x":0.5`, `"x":0.4`), /digest/u],
    [
      "marked as incomplete",
      (text: string) => text.replace(`"complete": true`, `"complete": false`),
      /no completion mark/u,
    ],
    [
      "without its completion mark",
      (text: string) => text.replace(/,\s*"complete": true/u, ""),
      /no completion mark/u,
    ],
    ["a list", () => "[]", /not a JSON object/u],
  ])("is refused if it is %s", (_, change, message) => {
    const parsed = parseBaseline(change(write(TABLE)), "baseline.json");
    expect(parsed.state === "problem" && parsed.problem.message).toMatch(message);
  });
});

describe("the anchor", () => {
  test("is kept through writes that nobody accepted, and replaced by an acceptance", () => {
    const first = read(write(bits("1111")));
    const second = read(write(bits("1110"), { previous: first, accepted: false }));
    const third = read(write(bits("1100"), { previous: second, accepted: false }));
    expect([...third.groups[0]!.anchor!.scores.get("correctness")!]).toEqual([1, 1, 1, 1]);
    expect(third.history.map(({ means }) => means["correctness"])).toEqual([1, 0.75, 0.5]);
    const fourth = read(write(bits("1000"), { previous: third, accepted: true }));
    expect(fourth.groups[0]!.anchor).toBeNull();
  });

  test("keeps thirty means", () => {
    let last: Baseline | null = null;
    for (let run = 0; run < 35; run++)
      last = read(write(bits("1010"), { previous: last, accepted: false }));
    expect(last!.history).toHaveLength(30);
  });
});

describe("a new baseline", () => {
  const clean = bits("1".repeat(50));
  const broken = bits(`x${"1".repeat(49)}`);
  const refused = (
    table: GateTable,
    gates: string | null,
    base: GateTable | null = null,
    anchor: GateTable | null = null,
  ) => {
    const set = gates === null ? null : gatesOf(gates);
    const judgement = set === null ? null : judgeGates({ head: table, base, anchor, gates: set });
    return refuseBaseline({ tables: [table], gates: set, judgement }).reasons.join("; ");
  };

  test("may be made of a clean run, with or without gates", () => {
    expect(refused(clean, null)).toBe("");
    expect(refused(clean, "correctness >= 0.5")).toBe("");
    expect(refused(clean, "correctness drop <= 0.02", clean)).toBe("");
  });

  test("counts many small omissions as a big one, by the accepted run's examples through every write", () => {
    const drop = "correctness drop <= 0.02";
    const [accepted, before, now] = [100, 96, 93].map((n) => bits("1".repeat(n)));
    expect(refused(now!, drop, before!)).toBe("");
    expect(refused(now!, drop, before!, accepted!)).toBe(
      "fewer examples of the anchor were run than min_overlap asks for",
    );
    expect(refused(before!, drop, before!, accepted!)).toBe("");
  });

  test("is refused for a failed or inconclusive gate, a cancelled or incomplete run, no scores, or no earlier run", () => {
    expect(refused(bits("0".repeat(50)), "correctness >= 0.5")).toMatch(/a gate failed/u);
    expect(
      refused(bits("1".repeat(40) + "0".repeat(10)), "gates: correctness >= 0.85\nfloors: proven"),
    ).toMatch(/a gate is inconclusive/u);
    expect(refused({ ...clean, state: "cancelled" }, null)).toMatch(/cancelled run/u);
    expect(refused({ ...clean, state: "incomplete" }, null)).toMatch(/incomplete/u);
    expect(refused(tableOf([rowOf("a")]), null)).toMatch(/no row/u);
    expect(refused(clean, "correctness drop <= 0.02")).toMatch(/first baseline/u);
    expect(refused(clean, "correctness drop <= 0.02", bits("1".repeat(80)))).toMatch(
      /min_overlap/u,
    );
  });

  test("needs one score in any of the files, and without any nobody can accept the run", () => {
    const bare = tableOf([rowOf("a"), rowOf("b")]);
    const of = (...tables: GateTable[]) => refuseBaseline({ tables, gates: null, judgement: null });
    expect(of(bare)).toEqual({ reasons: ["no row of results.json has a score"], final: true });
    expect(of(bare, bare).final).toBe(true);
    expect(of(bare, bits("1"))).toEqual({ reasons: [], final: false });
    expect(of(bits("0-"))).toEqual({ reasons: [], final: false });
  });

  test("is refused for more errored rows than an error_rate gate allows", () => {
    expect(refused(broken, null)).toMatch(/1 row of 50 errored/u);
    expect(refused(broken, "correctness >= 0.5")).toMatch(/errored/u);
    expect(refused(broken, "error_rate <= 2%")).toBe("");
    expect(refused(broken, "error_rate <= 1%")).toMatch(/more than `error_rate <= 1%` allows/u);
  });
});

test("the dataset's fingerprint depends on its examples, not on order, repeats or scores", () => {
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
  expect(judged.gates.map(({ n }) => n)).toEqual(Array.from({ length: 7 }, () => 20_000));
  expect(judged.rows_worse).toHaveLength(500);
});

describe("a baseline that is refused", () => {
  const METRICS = ["m1", "m2", "m3", "m4", "m5"];
  const table = tableOf([
    rowOf("a", { scores: Object.fromEntries(METRICS.map((metric) => [metric, 0])) }),
  ]);

  test.each([
    [1, "m1 >= 1"],
    [3, "m1 >= 1, m2 >= 1, m3 >= 1"],
    [4, "m1 >= 1, m2 >= 1, m3 >= 1 and 1 more"],
    [5, "m1 >= 1, m2 >= 1, m3 >= 1 and 2 more"],
  ])("names up to three of %i failed gates", (many, named) => {
    const gates = gatesOf(
      METRICS.slice(0, many)
        .map((metric) => `${metric} >= 1`)
        .join("\n"),
    );
    const judgement = judgeGates({ head: table, base: null, gates });
    expect(refuseBaseline({ tables: [table], gates, judgement }).reasons).toEqual([
      `a gate failed (${named})`,
    ]);
  });

  test("names the baseline that the run was not compared with", () => {
    const gates = gatesOf("m1 drop <= 0.5\nm2 drop <= 0.5");
    const judgement = judgeGates({ head: table, base: null, gates });
    const of = (replaced?: string) =>
      refuseBaseline({
        tables: [table],
        gates,
        judgement,
        ...(replaced === undefined ? {} : { replaced }),
      }).reasons;
    expect(of()).toEqual([
      "it is the first baseline with a drop gate, so no run was compared with it",
    ]);
    expect(of("b.json")).toEqual(["it was not compared with b.json, which it replaces"]);
  });

  test("names the first ceiling on the error rate that is exceeded", () => {
    const crashed = bits(`xx${"1".repeat(8)}`);
    const of = (gates: string) =>
      refuseBaseline({ tables: [crashed], gates: gatesOf(gates), judgement: null }).reasons;
    const fix =
      "2 rows of 10 errored; fix them, or allow some with a gate such as `error_rate <= 0.02`";
    expect(of("error_rate <= 0.2")).toEqual([]);
    expect(of("error_rate <= 0.3\nerror_rate <= 0.1\nerror_rate <= 0.05")).toEqual([
      "2 rows of 10 errored (0.2), more than `error_rate <= 0.1` allows",
    ]);
    expect(of("error_rate >= 0.1")).toEqual([fix]);
    expect(of("error_rate drop <= 0.3")).toEqual([fix]);
    expect(of("correctness <= 1")).toEqual([fix]);
  });
});

describe("a malformed baseline file is refused", () => {
  const first = '["a",0.1,0,0],';
  const put =
    (row: string, place = first) =>
    () =>
      read(write(TABLE).replace(place, row));

  test.each([
    '{"a":1},',
    "[7,0.1,0,0],",
    '["a","slow",0,0],',
    '["a",true,0,0],',
    '["a",0.1,0],',
    '["a",0.1,0,0,0,0],',
    '["a",0.1,0,0,1],',
    '["a",0.1,0,0,"x"],',
    '["a",0.1,"0",0],',
    '["a",0.1,0,"0"],',
  ])("with the place of the row %s", (row) => {
    expect(put(row)).toThrow("entry 1 of the baseline's scores is not a row");
    expect(put(row, '["b",1.25,0.5,1],')).toThrow("entry 3 of the baseline's scores is not a row");
  });

  test.each(['["a",0.1,0,0,0],', '["a",null,0,0],', '["a","error",0,0],', '["a",0.1,null,0],'])(
    "only for its digest if a valid row such as %s is put in",
    (row) => {
      expect(put(row)).toThrow("the baseline does not fit its digest");
    },
  );

  test("with the place of a row of its anchor", () => {
    const anchored = write(TABLE, { previous: read(write(TABLE)), accepted: false });
    const at = anchored.lastIndexOf(first);
    const broken = `${anchored.slice(0, at)}["a",0.1,0],${anchored.slice(at + first.length)}`;
    expect(() => read(broken)).toThrow("entry 1 of the baseline's scores is not a row");
  });

  test("with what its header lacks", () => {
    expect(() => read(write(TABLE).replace('"metrics": ["x","y"],\n', ""))).toThrow(
      "the baseline names no metrics",
    );
  });
});

test("the better sides that a run's verdicts show are stored for its own scores, in order", () => {
  const shown = new Map<string, "lower" | "higher">([
    ["y", "lower"],
    ["gone", "higher"],
    ["x", "higher"],
  ]);
  const text = write({ ...TABLE, shown });
  expect(text).toContain('"directions": [{"x":"higher","y":"lower"}],\n');
  expect([...read(text).groups[0]!.table.shown!]).toEqual([
    ["x", "higher"],
    ["y", "lower"],
  ]);
  expect(write({ ...TABLE, shown: new Map([["gone", "higher"]]) })).not.toContain("directions");
});
