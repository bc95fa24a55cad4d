import { parseGates } from "../../src/gate/language.ts";
import type { GateSet } from "../../src/gate/gate-set.ts";
import { judgeGates } from "../../src/gate/judge.ts";
import type { GateRow, GateTable, TableFacts } from "../../src/gate/row.ts";
import { createTableBuilder } from "../../src/gate/table.ts";

/** A row of the test tables; what is not given is ordinary. */
export function rowOf(example: string, row: Partial<Omit<GateRow, "example">> = {}): GateRow {
  return {
    example,
    scores: row.scores ?? {},
    error: row.error ?? false,
    latency: row.latency ?? null,
    tags: row.tags ?? {},
    preview: row.preview ?? {
      input: `question ${example}`,
      expected: "yes",
      output: `answer ${example}`,
    },
  };
}

/** A complete table. */
export function tableOf(rows: readonly GateRow[], about: Partial<TableFacts> = {}): GateTable {
  const builder = createTableBuilder();
  for (const row of rows) {
    builder.add(row);
    for (const [metric, score] of Object.entries(row.scores)) builder.score(metric, score);
  }
  return builder.finish({
    file: "results.json",
    state: "complete",
    commit: null,
    created_at: null,
    judge: null,
    ...about,
  });
}

/** Name of the i-th example; sorts like i. */
export function exampleAt(i: number): string {
  return `e${String(i).padStart(6, "0")}`;
}

/**
 * One row an example, scored `correctness` from a string of digits; `x` is an errored row, `-` one
 * without the score.
 */
function scoresOf(mark: string): Record<string, number> {
  if (mark === "x") return {};
  return mark === "-" ? { other: 1 } : { correctness: Number(mark) };
}

export function bits(text: string, about: Partial<TableFacts> = {}): GateTable {
  return tableOf(
    [...text].map((mark, i) =>
      rowOf(exampleAt(i), {
        error: mark === "x",
        scores: scoresOf(mark),
      }),
    ),
    about,
  );
}

/** One row an example, scored `score`. */
export function scores(values: readonly number[], about: Partial<TableFacts> = {}): GateTable {
  return tableOf(
    values.map((score, i) => rowOf(exampleAt(i), { scores: { score } })),
    about,
  );
}

/** Gates of a text that must be right. */
export function gatesOf(text: string): GateSet {
  const parsed = parseGates({ text, file: "gates.yml" });
  if (parsed.state !== "parsed")
    throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.gates;
}

/** What the gates of a text say of a run, with or without a baseline. */
export const judge = (
  gates: string,
  head: GateTable,
  base: GateTable | null = null,
): ReturnType<typeof judgeGates> => judgeGates({ head, base, gates: gatesOf(gates) });

/** Five examples a cluster, each with the score of its cluster. */
export const clusteredScores = (
  clusters: number,
  scoreOf: (cluster: number) => number,
): GateTable =>
  tableOf(
    Array.from({ length: clusters }, (_, c) => scoreOf(c)).flatMap((score, c) =>
      Array.from({ length: 5 }, (__, k) =>
        rowOf(exampleAt(5 * c + k), { scores: { score }, tags: { "inputs.c": `c${c}` } }),
      ),
    ),
  );

/** Standard normal, by Box and Muller. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
