import { describe, expect, test } from "@jest/globals";
import { createTree, type Tree } from "../support/tree.ts";
import { judgeIn } from "./judged.ts";

const toRow = (q: string): string =>
  `${JSON.stringify({ inputs: { q }, evaluation_scores: [{ key: "m", score: 1 }] })}\n`;
const list = (many: number, text: (n: number) => string): string[] =>
  Array.from({ length: many }, (_, n) => text(n));

interface Told {
  /** How many examples are reported as edited. */
  readonly count: number;
  /** Those that are shown, as they were and as they are. */
  readonly pairs: readonly (readonly [before: string, now: string])[];
}

async function toldIn(workspace: Tree, baseline: string): Promise<Told> {
  const drop = ["--gate", "m drop <= 0.1", "--baseline", baseline];
  const told = (await judgeIn(workspace, "head.jsonl", ...drop)).warnings.join("\n");
  return {
    count: Number(/(\d+) examples? nearly match/u.exec(told)?.[1] ?? 0),
    pairs: [...told.matchAll(/"([^"]*)" → "([^"]*)"/gu)].map(([, a, b]) => [a!, b!] as const),
  };
}

function treeOf(before: readonly string[], now: readonly string[]): Tree {
  return createTree({
    "base.jsonl": before.map(toRow).join(""),
    "head.jsonl": now.map(toRow).join(""),
  });
}

async function writeBaseline(workspace: Tree): Promise<void> {
  const args = ["--gate", "m >= 0.5", "--accept-baseline", "--write-baseline", "b.json"];
  expect((await judgeIn(workspace, "base.jsonl", ...args)).code).toBe(0);
}

const question = (n: number): string => `question number ${n}`;
const please = (n: number): string => (n < 3 ? `question number ${n}, please` : question(n));
const place = (word: string) => (n: number) =>
  `What is the capital ${n < 3 ? word : "town"} of country number ${n}?`;

describe("rows whose text changed are reported as pairs that nearly match", () => {
  test.each([
    ["words at the end", question, please],
    ["a word in the middle", place("town"), place("city")],
    [
      "words at the beginning",
      question,
      (n: number) => (n < 3 ? `Now: ${question(n)}` : question(n)),
    ],
    ["every row", question, (n: number) => `${question(n)}, please`],
  ])("next to their own earlier text: %s", async (_, before, now) => {
    const workspace = treeOf(list(100, before), list(100, now));
    const edited = list(100, before).filter((text, n) => text !== now(n));
    const told = await toldIn(workspace, "base.jsonl");
    expect(told.count).toBe(edited.length);
    expect(told.pairs).toHaveLength(Math.min(5, edited.length));
    const numberOf = (text: string): string => /\d+/u.exec(text)![0];
    for (const [a, b] of told.pairs) expect(numberOf(b)).toBe(numberOf(a));
    await writeBaseline(workspace);
    const sketched = await toldIn(workspace, "b.json");
    expect(sketched.count).toBeGreaterThanOrEqual(edited.length === 3 ? 3 : 60);
  });

  test("in full, if there are thousands", async () => {
    const many = (end: string): string[] =>
      list(4000, (n) => `What does form ${n} ask of people who live in district ${n % 90}${end}`);
    const told = await toldIn(treeOf(many("?"), many(" today?")), "base.jsonl");
    expect(told.count).toBe(4000);
    for (const [a, b] of told.pairs) expect(b.slice(0, 18)).toBe(a.slice(0, 18));
  });

  test("but not another question of the same kind", async () => {
    for (const other of ["question number 500", "question number 1000000", "something else"]) {
      const workspace = treeOf(list(100, question), [...list(99, (n) => question(n + 1)), other]);
      await writeBaseline(workspace);
      expect((await toldIn(workspace, "base.jsonl")).count).toBe(0);
      expect((await toldIn(workspace, "b.json")).count).toBe(0);
    }
  });

  test("but not a text that is as near to two others", async () => {
    const others = list(20, (n) => `${"abcdefghijklmnopqrst"[n]!.repeat(9)} ${n}`);
    const told = await toldIn(
      treeOf(
        [...others, "plan A of the suite", "plan B of the suite"],
        [...others, "plan C of the suite"],
      ),
      "base.jsonl",
    );
    expect(told.count).toBe(0);
  });
});

describe("inputs that each run makes up are named if no example is shared", () => {
  const rowsOf = (inputs: (n: number) => object): string =>
    list(20, (n) =>
      JSON.stringify({ inputs: inputs(n), evaluation_scores: [{ key: "m", score: 1 }] }),
    ).join("\n");

  async function saidOf(before: (n: number) => object, now: (n: number) => object) {
    const workspace = createTree({ "base.jsonl": rowsOf(before), "head.jsonl": rowsOf(now) });
    await writeBaseline(workspace);
    const said = (baseline: string) =>
      judgeIn(workspace, "head.jsonl", "--gate", "m drop <= 0.1", "--baseline", baseline);
    const [byFile, byBaseline] = [await said("base.jsonl"), await said("b.json")];
    expect(byFile.report.gates[0]!.verdict).toBe("inconclusive");
    return [byFile.warnings.join("\n"), byBaseline.warnings.join("\n")];
  }

  test.each<[string, (run: string) => (n: number) => object, string]>([
    [
      "a time",
      (run) => (n) => ({ q: question(n), timestamp: `2026-11-${run}T10:00:0${n % 10}Z` }),
      "inputs.timestamp seems to be new in every run",
    ],
    [
      "a date under any name",
      (run) => (n) => ({ q: question(n), today: `2026-11-${run}` }),
      "inputs.today seems to be new in every run",
    ],
    [
      "the id of the run and a duration, within an object",
      (run) => (n) => ({ q: question(n), ctx: { runId: `r${run}`, latency_ms: n + Number(run) } }),
      "inputs.ctx.runId, inputs.ctx.latency_ms seem to be new in every run",
    ],
  ])("%s", async (_, inputs, said) => {
    for (const words of await saidOf(inputs("11"), inputs("12"))) {
      expect(words).toContain(said);
      expect(words).not.toContain("the text was probably edited");
    }
  });

  test("but not a text that only differs, or a time that some rows lack", async () => {
    const other = (run: string) => (n: number) => ({
      q: `${run} ${question(n)}`,
      at: n < 3 ? `2026-11-${run}T10:00:00Z` : "",
    });
    for (const words of await saidOf(other("11"), other("12")))
      expect(words).toContain("share no examples: the datasets differ");
  });
});
