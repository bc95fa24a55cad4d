import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import type { GateTable } from "../../src/gate/row.ts";
import type { GateReport } from "../../src/report/report.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree, type Tree } from "../support/tree.ts";
import { bits, exampleAt, gatesOf, rowOf, tableOf } from "../gate/tables.ts";

const ORDER = ["fail", "inconclusive", "pass"];

/** Shares of chains that are red by some merge: every passing run is the next baseline, the anchor stays. */
function redChains({
  chains,
  merges,
  step,
}: {
  readonly chains: number;
  readonly merges: number;
  readonly step: number;
}): number {
  const random = createSeededRandom(merges + chains);
  const gates = gatesOf("score drop <= 0.02");
  let red = 0;
  for (let chain = 0; chain < chains; chain++) {
    const rates = Array.from({ length: 100 }, () => 1 - 0.5 * random() ** 4);
    const runAt = (merge: number): GateTable =>
      tableOf(
        rates.flatMap((rate, i) =>
          Array.from({ length: 3 }, () =>
            rowOf(exampleAt(i), {
              scores: { score: Number(random() < rate * (1 - (merge * step) / 0.9)) },
            }),
          ),
        ),
      );
    const anchor = runAt(0);
    let base: GateTable | null = null;
    for (let merge = 1; merge <= merges; merge++) {
      const head = runAt(merge);
      const { verdict }: { verdict: string } = judgeGates({
        head,
        base: base ?? anchor,
        anchor: base === null ? null : anchor,
        gates,
        isMeasured: false,
      });
      if (verdict === "fail") {
        red++;
        break;
      }
      if (verdict === "pass") base = head;
    }
  }
  return red / chains;
}

describe("a series of merges against one accepted run", () => {
  test("three merges of -4 points, and twenty of -1 point, are red", () => {
    expect(redChains({ chains: 30, merges: 3, step: 0.04 })).toBeGreaterThanOrEqual(0.9);
    expect(redChains({ chains: 20, merges: 20, step: 0.01 })).toBeGreaterThanOrEqual(0.9);
  });
});

test("an unchanged agent that is compared with a baseline and an anchor is inconclusive in at most one of five runs", () => {
  const random = createSeededRandom(5);
  const gates = gatesOf("score drop <= 0.02");
  const runs = 150;
  const verdicts = Array.from({ length: runs }, () => {
    const rates = Array.from({ length: 100 }, () => 1 - 0.5 * random() ** 4);
    const run = (): GateTable =>
      tableOf(
        rates.flatMap((rate, i) =>
          Array.from({ length: 3 }, () =>
            rowOf(exampleAt(i), { scores: { score: Number(random() < rate) } }),
          ),
        ),
      );
    return judgeGates({ head: run(), base: run(), anchor: run(), gates, isMeasured: false })
      .verdict;
  });
  const open = verdicts.filter((verdict) => verdict === "inconclusive").length;
  // Two standard errors of so many runs.
  expect(open / runs).toBeLessThanOrEqual(0.2 + 0.066);
});

const marks = (wrong: number): string =>
  JSON.stringify(
    Array.from({ length: 100 }, (_, i) => ({
      inputs: { question: `question ${i}` },
      evaluation_scores: [{ key: "correct", score: i < wrong ? 0 : 1 }],
    })),
  );

async function gate(workspace: Tree, ...args: string[]) {
  const run = await runCli(["gate", "head.json", "--json", ...args], { workspace });
  return { code: run.code, gates: (JSON.parse(run.stdout) as { gates: GateReport[] }).gates };
}

describe("a rolling baseline file", () => {
  const drop = (limit: string): string[] => ["--gate", `correct drop <= ${limit}`];

  test("twelve merges of -4 points are red by the third, whatever the limit of a single one", async () => {
    for (const limit of ["0.02", "0.05"]) {
      const workspace = createTree({ "head.json": marks(10) });
      await gate(workspace, ...drop(limit), "--write-baseline", "b.json", "--accept-baseline");
      let merge = 0;
      let code: number | null = 0;
      while (code !== 4 && merge < 12) {
        merge++;
        workspace.write("head.json", marks(10 + 4 * merge));
        const files = ["--baseline", "b.json", "--write-baseline", "b.json"];
        ({ code } = await gate(workspace, ...drop(limit), ...files));
      }
      expect([limit, merge <= 3]).toEqual([limit, true]);
    }
  });

  test("the tenth run against one anchor finds what the first finds", async () => {
    const workspace = createTree({ "head.json": marks(10) });
    const files = ["--baseline", "b.json", "--write-baseline", "b.json"];
    await gate(workspace, ...drop("0.05"), "--write-baseline", "b.json", "--accept-baseline");
    const fallen = async (): Promise<readonly GateReport[]> => {
      workspace.write("fallen.json", marks(20));
      workspace.write("head.json", marks(10));
      const run = await runCli(
        ["gate", "fallen.json", "--json", ...drop("0.05"), "--baseline", "b.json"],
        { workspace },
      );
      return (JSON.parse(run.stdout) as { gates: GateReport[] }).gates;
    };
    const first = await fallen();
    for (let run = 0; run < 9; run++) {
      workspace.write("head.json", marks(run % 2 === 0 ? 11 : 10));
      await gate(workspace, ...drop("0.05"), ...files);
    }
    const tenth = await fallen();
    for (const [found] of [first, tenth])
      expect(found).toMatchObject({ verdict: "fail", alpha: 0.05 });
  });
});

describe("crashing more", () => {
  const gates = gatesOf("correctness drop <= 0.03");

  test("never makes a run greener, whichever rows crash and however far the scores fell", () => {
    const random = createSeededRandom(31);
    for (let run = 0; run < 60; run++) {
      const broken = 0.02 + 0.1 * random();
      const base = Array.from({ length: 100 }, () => Number(random() < 0.8));
      const head = base.map((mark) => (random() < broken ? 1 - mark : mark));
      const wrongFirst = run % 2 === 0;
      const order = head
        .map((mark, i) => ({ i, key: (wrongFirst ? mark : 0) + random() }))
        .sort((a, b) => a.key - b.key);
      const ranks = [0, 1, 3, 6, 12, 25].map((crashes) => {
        const gone = new Set(order.slice(0, crashes).map(({ i }) => i));
        const text = head.map((mark, i) => (gone.has(i) ? "x" : String(mark))).join("");
        const judged = judgeGates({
          head: bits(text),
          base: bits(base.join("")),
          gates,
          isMeasured: false,
        });
        return ORDER.indexOf(judged.verdict);
      });
      // What failed with fewer crashes fails with more.
      const failed = ranks.indexOf(0);
      if (failed >= 0)
        expect([run, ...ranks.slice(failed)]).toEqual([run, ...ranks.slice(failed).map(() => 0)]);
    }
  });

  test("makes a fall that is half crashes red, and both gates report their part", () => {
    const worse = judgeGates({
      head: bits(`00xxxx${"1".repeat(94)}`),
      base: bits("1".repeat(100)),
      gates: gatesOf("correctness drop <= 0.01"),
    }).gates;
    expect(worse[0]).toMatchObject({ verdict: "fail", n: 100 });
    expect(worse[0]!.reason).toMatch(/4 of 100 rows crashed/u);
    const same = judgeGates({
      head: bits(`${"1".repeat(94)}1xxxxx`),
      base: bits("1".repeat(100)),
      gates,
    }).gates;
    expect(same.map(({ verdict }) => verdict)).toEqual(["inconclusive", "fail"]);
  });
});
