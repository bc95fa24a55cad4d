import { describe, expect, test } from "@jest/globals";
import { createSeededRandom } from "../../src/gate/chance.ts";
import type { GateReport } from "../../src/report/report.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/**
 * Faults that were measured on gates of other designs, each through the command line: seeded runs of an agent that did
 * not change, and falls that the best tests prove.
 */

interface Outcome {
  readonly code: number | null;
  readonly gates: readonly GateReport[];
  readonly stderr: string;
}

type Scores = Readonly<Record<string, number>>;

/** A result file: for each example the scores of each of its runs; `document` groups examples. */
function fileOf(examples: readonly (readonly Scores[])[], documentOf?: (i: number) => number) {
  return JSON.stringify(
    examples.flatMap((runs, i) =>
      runs.map((scores) => ({
        inputs: {
          question: `question ${i}`,
          ...(documentOf === undefined ? {} : { document: `d${documentOf(i)}` }),
        },
        evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score })),
      })),
    ),
  );
}

async function gate(head: string, base: string | null, gates: string): Promise<Outcome> {
  const workspace = createTree({
    "head.json": head,
    "gates.yml": gates,
    ...(base === null ? {} : { "base.json": base }),
  });
  const args = ["gate", "head.json", "--json", "--gate", "gates.yml"];
  const { code, stdout, stderr } = await runCli(
    base === null ? args : [...args, "--baseline", "base.json"],
    { workspace },
  );
  const report = stdout.startsWith("{") ? (JSON.parse(stdout) as { gates: GateReport[] }) : null;
  return { code, gates: report?.gates ?? [], stderr };
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const dropsOf = (count: number, limit = 0): string =>
  `gates:\n${times(count, (m) => `  - m${m} drop <= ${limit}\n`).join("")}`;

/** How many of some runs end in a verdict. */
async function countRuns(runs: number, verdict: string, play: (run: number) => Promise<Outcome>) {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const { gates } = await play(run);
    const worst = ["fail", "inconclusive", "pass"].find((one) =>
      gates.some((found) => found.verdict === one),
    );
    if (worst === verdict) count++;
  }
  return count;
}

describe("an agent that did not change", () => {
  test("rarely fails if it ran ten times and the baseline once", async () => {
    const failed = await countRuns(10, "fail", (run) => {
      const random = createSeededRandom(100 + run);
      const runsOf = (repeats: number) =>
        fileOf(times(20, () => times(repeats, () => ({ m0: Number(random() < 0.95) }))));
      return gate(runsOf(10), runsOf(1), dropsOf(1));
    });
    expect(failed).toBeLessThanOrEqual(1);
  });

  test("is rarely inconclusive with five gates", async () => {
    const open = await countRuns(8, "inconclusive", (run) => {
      const random = createSeededRandom(200 + run);
      const rates = times(50, () => times(5, () => 1 - random() ** 6));
      const once = () =>
        fileOf(
          rates.map((own) => [
            Object.fromEntries(own.map((rate, m) => [`m${m}`, Number(random() < rate)])),
          ]),
        );
      return gate(once(), once(), dropsOf(5, 0.01));
    });
    expect(open).toBeLessThanOrEqual(3);
  });

  test("rarely fails twenty proven floors below its true values", async () => {
    const failed = await countRuns(10, "fail", (run) => {
      const random = createSeededRandom(300 + run);
      const head = fileOf(
        times(100, () => [
          Object.fromEntries(times(20, (m) => [`m${m}`, Number(random() < 0.95)])),
        ]),
      );
      const floors = times(20, (m) => `  - m${m} >= 0.9\n`).join("");
      return gate(head, null, `gates:\n${floors}floors: proven\n`);
    });
    expect(failed).toBeLessThanOrEqual(1);
  });

  test("rarely fails if its examples come in unequal clusters", async () => {
    const failed = await countRuns(10, "fail", (run) => {
      const random = createSeededRandom(400 + run);
      const sizes = times(12, (c) => (c < 2 ? 29 : 4));
      const documents = sizes.flatMap((size, c) => times(size, () => c));
      const middles = documents.map(() => 0.5 + 0.2 * random());
      const once = () => {
        const shifts = sizes.map(() => 0.1 * normal(random));
        return fileOf(
          documents.map((c, i) => [{ m0: middles[i]! + shifts[c]! + 0.05 * normal(random) }]),
          (i) => documents[i]!,
        );
      };
      return gate(once(), once(), `${dropsOf(1)}cluster_by: inputs.document\n`);
    });
    expect(failed).toBeLessThanOrEqual(1);
  });
});

describe("p-values", () => {
  test("of unequal clusters prove nothing if two of them hold most rows", async () => {
    // Two documents hold 58 of 98 rows. Eleven degrees of freedom and the plain error would say 0.018: failed.
    const documents = times(12, (c) => times(c < 2 ? 29 : 4, () => c)).flat();
    const shift = (c: number) => [-0.1, -0.06][c] ?? (c % 2 === 0 ? 0.06 : -0.06);
    const scoreOf = (i: number) => 0.5 + shift(documents[i]!) + (((i * 7) % 5) - 2) * 0.01;
    const runOf = (score: (i: number) => number) =>
      fileOf(
        documents.map((_, i) => [{ m0: score(i) }]),
        (i) => documents[i]!,
      );
    const rules = `${dropsOf(1, 0.02)}cluster_by: inputs.document\n`;
    const { code, gates } = await gate(
      runOf(scoreOf),
      runOf(() => 0.5),
      rules,
    );
    expect(gates[0]).toMatchObject({
      verdict: "inconclusive",
      method: "label exchange, 12 clusters",
    });
    expect(code).toBe(0);
  });

  test("of marks with repeats are those of every exchange, however many examples vary", async () => {
    // Head, then the three marks of the baseline. The saddle point would say 0.049: failed.
    const kinds: [number, number, number[]][] = [
      [6, 0, [1, 1, 1]],
      [7, 1, [1, 1, 0]],
      [6, 0, [0, 1, 1]],
      [4, 1, [0, 0, 1]],
    ];
    const examples = kinds.flatMap(([count, now, before]) => times(count, () => ({ now, before })));
    const { gates } = await gate(
      fileOf(examples.map(({ now }) => [{ m0: now }])),
      fileOf(examples.map(({ before }) => before.map((m0) => ({ m0 })))),
      dropsOf(1, 0),
    );
    expect(gates[0]).toMatchObject({
      verdict: "inconclusive",
      method: "label exchange",
    });
    // By fractions 0.0516: the exchanges under the sum that was seen, and half of those that equal it.
    expect(gates[0]!.p).toBeCloseTo(0.0516, 2);
  });

  test("of many graded repeats of few examples are found without listing every exchange", async () => {
    const random = createSeededRandom(17);
    const runOf = (repeats: number, middle: number) =>
      fileOf(times(12, () => times(repeats, () => ({ m0: middle + 0.1 * random() }))));
    const { code, gates } = await gate(runOf(40, 0.5), runOf(10, 0.56), dropsOf(1, 0.01));
    expect([code, gates[0]!.verdict]).toEqual([4, "fail"]);
    expect(gates[0]!.method).toBe("label exchange");
  });
});

describe("a fall that the best tests prove", () => {
  test("in twenty correlated metrics is proven over shared exchanges", async () => {
    // Nine examples broke in all of them; each metric has one change of its own.
    const base = fileOf(
      times(100, (i) => [Object.fromEntries(times(20, (m) => [`m${m}`, i === 40 + m ? 0 : 1]))]),
    );
    const head = fileOf(
      times(100, (i) => [Object.fromEntries(times(20, (m) => [`m${m}`, i < 9 ? 0 : 1])) as Scores]),
    );
    const { code, gates } = await gate(head, base, dropsOf(20));
    expect([code, gates.filter(({ verdict }) => verdict === "fail").length > 0]).toEqual([4, true]);
  });

  test("of one run against ten of the baseline is proven", async () => {
    const random = createSeededRandom(7);
    const rates = times(50, () => 1 - random() ** 8);
    const base = fileOf(rates.map((rate) => times(10, () => ({ m0: Number(random() < rate) }))));
    const head = fileOf(rates.map((rate, i) => [{ m0: i % 7 === 0 ? 0 : Number(rate > 0.5) }]));
    const { code, gates } = await gate(head, base, dropsOf(1, 0.02));
    expect([code, gates[0]!.verdict]).toEqual([4, "fail"]);
    expect(gates[0]!.method).toMatch(/^label exchange/u);
  });
});

describe("statements about a suite", () => {
  test("the stated smallest fall is found in about 8 of 10 runs", async () => {
    // Thirty stable examples: one run in a hundred differs; what breaks, breaks for good.
    const random = createSeededRandom(31);
    const seldom = (mark: boolean) => Number(random() < 0.99 ? mark : !mark);
    const play = (fall: number) => {
      const agents = times(30, () => {
        const good = random() < 0.85;
        return { good, broken: random() < fall / 0.85 };
      });
      return gate(
        // Two runs that agree in every mark are not a file compared with itself.
        `${fileOf(agents.map(({ good, broken }) => [{ m0: seldom(good && !broken) }]))} `,
        fileOf(agents.map(({ good }) => [{ m0: seldom(good) }])),
        dropsOf(1),
      );
    };
    const stated: number[] = [];
    for (let run = 0; run < 6; run++) stated.push((await play(0)).gates[0]!.mde ?? NaN);
    const known = stated.filter((fall) => !Number.isNaN(fall));
    const fall = known.reduce((sum, one) => sum + one, 0) / known.length;
    const found = await countRuns(16, "fail", () => play(fall));
    expect(found).toBeGreaterThanOrEqual(10);
  });

  test("four changes for the worse count half of their tie", async () => {
    const falls = [0.5, 0.4, 0.3, 0.6];
    const { gates } = await gate(
      fileOf(times(20, (i) => [{ m0: Number((0.8 - (falls[i] ?? 0)).toFixed(1)) }])),
      fileOf(times(20, () => [{ m0: 0.8 }])),
      dropsOf(1, 0.02),
    );
    expect(gates[0]).toMatchObject({ verdict: "fail", p: 0.03125 });
    expect(gates[0]!.ci![1]).toBeGreaterThanOrEqual(0);
  });

  test("a fall beyond 0.01 is not ruled out by 126 equal pairs: their exact bound is 0.0235", async () => {
    const same = fileOf(times(126, () => [{ m0: 1 }]));
    const head = same.replace("question 0", "question 0");
    const { gates } = await gate(
      `${head} `,
      same,
      "gates:\n  - m0 drop <= 0.01\nproof: rule-out\n",
    );
    expect(gates[0]).toMatchObject({ verdict: "inconclusive" });
    const stated = Number(/up to (0\.\d+) is not ruled out/u.exec(gates[0]!.reason)?.[1]);
    expect(stated).toBeGreaterThanOrEqual(0.0235);
  });

  test.each(["error_handling", "token_f1"])(
    "the better side of %s must be stated",
    async (metric) => {
      const once = (score: number) => fileOf(times(40, () => [{ [metric]: score }]));
      const run = await gate(once(0.4), once(0.8), `gates: ${metric} drop <= 0.1\n`);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`direction: {"${metric}": higher}`);
    },
  );
});
