import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "../gate/tables.ts";

const START = Date.UTC(2026, 10, 1);

/** A file of rows that took so many seconds each. */
function took(seconds: readonly number[]): string {
  return JSON.stringify(
    seconds.map((s, i) => ({
      inputs: { question: `question ${i}` },
      start_time: new Date(START).toISOString(),
      end_time: new Date(START + s * 1000).toISOString(),
      evaluation_scores: [{ key: "correctness", score: 1 }],
    })),
  );
}

const times = (n: number, at: (i: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => at(i));

async function gate(rule: string, head: readonly number[], base: readonly number[]) {
  const workspace = createTree({ "head.json": took(head), "base.json": took(base) });
  const args = ["gate", "head.json", "--baseline", "base.json", "--gate", rule, "--json"];
  const { code, stdout } = await runCli(args, { workspace });
  return { code, ...JSON.parse(stdout).gates[0] };
}

describe("a quantile drop", () => {
  test("fails if every run takes twice as long, however few and equal they are", async () => {
    for (const n of [10, 50]) {
      const slower = await gate(
        "latency_p95 rise <= 200ms",
        times(n, () => 2),
        times(n, () => 1),
      );
      expect(slower).toMatchObject({ code: 4, verdict: "fail", head: 2, base: 1, delta: 1 });
      expect(slower.p).toBeLessThan(0.01);
    }
  });

  test("fails if some runs hang until the same timeout cuts them off", async () => {
    const usual = (i: number): number => 1 + (i % 7) / 10;
    const hung = await gate(
      "latency_p95 rise <= 200ms",
      times(100, (i) => (i % 7 === 3 ? 30 : usual(i))),
      times(100, usual),
    );
    expect(hung).toMatchObject({ code: 4, verdict: "fail", head: 30 });
  });

  test("passes if runs are faster, and if nothing changed", async () => {
    const usual = times(40, (i) => 1 + (i % 9) / 3);
    const faster = await gate(
      "latency_p95 rise <= 200ms",
      usual.map((s) => s / 2),
      usual,
    );
    expect(faster).toMatchObject({ code: 0, verdict: "pass" });
    const same = await gate("latency_p95 rise <= 200ms", usual.slice().reverse(), usual);
    expect(same).toMatchObject({ code: 0, verdict: "pass", delta: 0 });
  });

  test("does not fail because of one slow run", async () => {
    const usual = times(40, (i) => 1 + (i % 9) / 3);
    const one = usual.map((s, i) => (i === 5 ? 60 : s));
    expect((await gate("latency_p95 rise <= 200ms", one, usual)).verdict).not.toBe("fail");
  });

  test("is the same to the byte, whatever the examples are called", async () => {
    const file = (by: number, name: (i: number) => string): string =>
      JSON.parse(took(times(40, (i) => by + ((i * 7) % 19) / 10 + ((i * i) % 5) / 7)))
        .map((row: Record<string, unknown>, i: number) =>
          JSON.stringify({ ...row, inputs: { question: name(i) } }),
        )
        .join("\n");
    const gatesBy = async (name: (i: number) => string) => {
      const tree = { "head.jsonl": file(1.1, name), "base.jsonl": file(1, name) };
      const workspace = createTree(tree);
      const rule = "latency_p95 rise <= 200ms";
      const args = ["gate", "head.jsonl", "--baseline", "base.jsonl", "--gate", rule, "--json"];
      return JSON.stringify(JSON.parse((await runCli(args, { workspace })).stdout).gates);
    };
    expect(await gatesBy((i) => `question ${i}`)).toBe(await gatesBy((i) => `other ${i * i}`));
  });
});

/** How the runs of an agent lie: examples, runs of each on either side, and clusters that are slow together. */
interface Layout {
  readonly n: number;
  readonly repeats: readonly [number, number];
  readonly clusters?: number;
}

/** Runs of some agent: a time per example that all of its runs share, and noise of each. */
function agent(seed: number, { n, repeats, clusters = 0 }: Layout, slower: number) {
  const random = createSeededRandom(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const own = times(n, () => Math.exp(0.5 * normal()));
  const run = (count: number, by: number) => {
    const shared = times(clusters, () => 0.2 * normal());
    return tableOf(
      own.flatMap((level, e) => {
        const c = e % Math.max(1, clusters);
        return times(count, () => level * Math.exp((shared[c] ?? 0) + 0.3 * normal()) + by).map(
          (latency) =>
            rowOf(exampleAt(e), { latency, scores: { s: 1 }, tags: { "inputs.c": String(c) } }),
        );
      }),
    );
  };
  return { base: run(repeats[1], 0), head: run(repeats[0], slower) };
}

/** `isMeasured`: with the rise that the suite could miss, which takes most of the time and changes no verdict. */
function judged(rule: string, seed: number, layout: Layout, slower: number, isMeasured = false) {
  const { head, base } = agent(seed, layout, slower);
  const gates = gatesOf(
    layout.clusters === undefined ? rule : `gates: [${rule}]\ncluster_by: inputs.c\n`,
  );
  return judgeGates({ head, base, gates, isMeasured }).gates[0]!;
}

describe("over many runs", () => {
  test.each([
    [20, 1],
    [30, 3],
  ])("an unchanged agent of %i examples and %i runs each rarely fails", (n, repeats) => {
    let failed = 0;
    const runs = 200;
    const layout = { n, repeats: [repeats, repeats] } as const;
    for (let seed = 0; seed < runs; seed++)
      if (judged("latency_p95 rise <= 0s", seed, layout, 0).verdict === "fail") failed++;
    // Three standard errors above 5 %.
    expect(failed / runs).toBeLessThan(0.097);
  });

  test.each<[string, Layout]>([
    ["latency_p95 rise <= 0s", { n: 50, repeats: [1, 1] }],
    ["latency_p50 rise <= 0s", { n: 80, repeats: [1, 1] }],
    ["latency_p95 rise <= 0s", { n: 30, repeats: [3, 3] }],
    ["latency_p95 rise <= 200ms", { n: 60, repeats: [1, 10] }],
    ["latency_p50 rise <= 50ms", { n: 90, repeats: [1, 1], clusters: 15 }],
    ["latency_p95 rise <= 0s", { n: 90, repeats: [1, 1], clusters: 15 }],
  ])("the rise that %s states is found in 8 of 10 runs (%j)", (rule, layout) => {
    // What a run states differs by a tenth from run to run: eight say it to 4 %, which moves the share by 0.01.
    const stated = times(8, (seed) => judged(rule, seed, layout, 0, true).mde!);
    const rise = stated.reduce((sum, mde) => sum + mde, 0) / stated.length;
    let found = 0;
    const runs = 200;
    for (let seed = 1000; seed < 1000 + runs; seed++)
      if (judged(rule, seed, layout, rise).verdict === "fail") found++;
    expect(found / runs).toBeGreaterThan(0.72);
    expect(found / runs).toBeLessThan(0.88);
  });
});
