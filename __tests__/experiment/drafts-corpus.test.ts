import { describe, expect, test } from "@jest/globals";
import { readHead } from "../../src/experiment/formats/head.ts";
import { DiagnosticError } from "../../src/experiment/input/diagnostic.ts";
import { memoryFile } from "./memory-file.ts";
import { draftMapping } from "../../src/experiment/formats/mapping-draft.ts";
import { CELLS } from "./drafts/cells.ts";
import { KEYS } from "./drafts/keys.ts";
import { LISTS } from "./drafts/lists.ts";
import { MORE } from "./drafts/more.ts";
import { ODD } from "./drafts/odd.ts";
import type { Shape } from "./drafts/shape.ts";
import { readTexts, rowsOf } from "./read-text.ts";

const SHAPES: readonly Shape[] = [...LISTS, ...CELLS, ...KEYS, ...MORE, ...ODD];
const START = "a mapping to start from: ";

/** What came of a draft that was saved unchanged. */
interface Outcome {
  readonly is: string;
  readonly end: "as meant" | "refused" | "otherwise";
  /** All that a person sees of it. */
  readonly said: string;
  readonly why: string;
}

/** A mapping that is refused by itself has its problems too. */
const readOrRefuse = async (files: Record<string, string>, mapping: string) =>
  readTexts(files, { mapping }).catch((error: unknown) => {
    if (!(error instanceof DiagnosticError)) throw error;
    return { experiments: [], problems: error.problems };
  });

async function outcomeOf({ is, name, text, means, says }: Shape): Promise<Outcome> {
  const draft = draftMapping(await readHead(memoryFile(name, text)));
  const mapping = draft.split(START)[1];
  if (mapping === undefined) {
    const { problems } = await readTexts({ [name]: text });
    const said = problems.map(({ message }) => message).join("\n");
    return { is, end: "refused", said, why: said };
  }
  const { experiments, problems } = await readOrRefuse({ [name]: text }, mapping);
  const [experiment] = experiments;
  const wrong = problems.map(({ message }) => message).join("; ");
  const unscored = experiment?.whyUnscored ?? "";
  const said = [draft, wrong, unscored, ...(experiment?.warnings ?? [])].join("\n");
  if (experiment === undefined || wrong + unscored !== "")
    return { is, end: "refused", said, why: wrong + unscored };
  if (means === undefined)
    return { is, end: says?.test(said) ? "refused" : "otherwise", said, why: mapping };
  const rows = await rowsOf(experiment);
  const found = {
    rows: experiment.rowCount,
    examples: new Set(rows.map(({ example }) => example)).size,
    errors: experiment.errorCount,
    metrics: Object.fromEntries(
      Object.entries(experiment.scores).map(([key, { mean }]) => [
        Object.keys(means.metrics).find(
          (one) => key === one || key.endsWith(`.${one}`) || key.endsWith(`_${one}`),
        ) ?? key,
        Number(mean.toFixed(5)),
      ]),
    ),
  };
  const wanted = {
    ...means,
    errors: means.errors ?? 0,
    metrics: Object.fromEntries(
      Object.entries(means.metrics).map(([key, mean]) => [key, Number(mean.toFixed(5))]),
    ),
  };
  const sorted = ({ metrics, ...rest }: typeof found): string =>
    JSON.stringify([rest.rows, rest.examples, rest.errors, Object.entries(metrics).sort()]);
  const isMeant = sorted(found) === sorted(wanted);
  return { is, end: isMeant ? "as meant" : "otherwise", said, why: `${mapping} ${sorted(found)}` };
}

describe("drafts of mappings, saved unchanged", () => {
  test("read a hundred shapes and more as their authors mean them, or name what to decide", async () => {
    const outcomes: (Outcome & { readonly shape: Shape })[] = [];
    for (const shape of SHAPES) outcomes.push({ ...(await outcomeOf(shape)), shape });
    const meant = outcomes.filter(({ shape }) => shape.means !== undefined);
    const other = meant.filter(({ end }) => end !== "as meant").map(({ is, why }) => [is, why]);
    expect(SHAPES.length).toBeGreaterThanOrEqual(100);
    expect(other).toEqual([]);
    const open = outcomes.filter(({ shape }) => shape.means === undefined);
    expect(open.filter(({ end }) => end !== "refused").map(({ is, said }) => [is, said])).toEqual(
      [],
    );
    expect(open.filter(({ shape }) => shape.says === undefined)).toEqual([]);
    for (const { said, shape } of outcomes) if (shape.says) expect(said).toMatch(shape.says);
  });
});

test("a file that holds no rows is refused with a message that fits it", async () => {
  const said = async (name: string, text: string | Uint8Array): Promise<string> =>
    (await readTexts({ [name]: text })).problems.map(({ message }) => message).join("\n");
  expect(await said("r.json", '{"case-1": "PASS", "case-2": "FAIL"}')).toContain(
    "it has a verdict by name and no rows: write a list",
  );
  expect(await said("r.json", '{"header": ["question", "score"], "rows": [["q", 1]]}')).toContain(
    "its rows are lists without names",
  );
  expect(await said("r.csv", "\ufeffsep=;\r\nquestion;score\r\na;1\r\n")).toBe(
    "the first line names the separator for Excel, and is no header; remove it",
  );
  expect(await said("r.csv", Buffer.from("question,score\ncaf\u00e9,1\n", "latin1"))).toBe(
    "the file is not valid UTF-8; write it as UTF-8",
  );
});

describe("a run with a mapping", () => {
  const row = (i: number): object => ({ question: `q${i}`, pass: i < 3 });
  const rows = (n: number): object[] => Array.from({ length: n }, (_, i) => row(i));
  const mapping = "rows: rag\ninputs.question: question\nevaluation_scores.pass: pass";
  const warningsOf = async (value: unknown, how = mapping): Promise<string> =>
    (
      await readTexts({ "r.json": JSON.stringify(value) }, { mapping: how })
    ).experiments[0]!.warnings.join("\n");

  test("names the lists of rows that the mapping leaves out", async () => {
    const said = await warningsOf({ rag: rows(10), parser: rows(8), models: [{ name: "a" }] });
    expect(said).toContain("other lists of rows that the mapping does not read: parser (8)");
    const summary = ["good", "bad"].map((score, n) => ({ name: `m${n}`, score }));
    const reading = `${mapping}\nsummary_experiment_scores: { list: summary, key: name, score: score }`;
    expect(await warningsOf({ rag: rows(3), summary }, reading)).not.toContain("other lists");
    expect(said).toContain("rows: [rag, parser] reads parser too");
    expect(await warningsOf({ rag: rows(10), models: [{ name: "a" }] })).not.toContain("lists");
    const both = mapping.replace("rows: rag", "rows: [rag, parser]");
    expect(await warningsOf({ rag: rows(10), parser: rows(8) }, both)).not.toContain("lists");
  });

  test("does not name a list that its pattern reads, but one whose name begins with that of another", async () => {
    const arms = { a: rows(4), b: rows(5) };
    const all = 'rows: "*[]"\ninputs.question: question\nevaluation_scores.pass: pass';
    expect(await warningsOf(arms, all)).not.toContain("other lists");
    expect(await warningsOf({ rag: rows(4), rag_hard: rows(5) })).toContain("rag_hard (5)");
  });

  test("says how many examples the rows are, and what multiplies them", async () => {
    const arms = ["bm25", "dense"].flatMap((retriever) =>
      rows(5).map((one) => ({ ...one, retriever })),
    );
    expect(await warningsOf({ rag: arms })).toContain(
      "10 rows are 5 examples with up to 2 repeats each: retriever has 2 values that multiply the rows; add it to inputs or identity if they are not repeats",
    );
    const runs = [1, 2].flatMap((run) => rows(5).map((one) => ({ ...one, run })));
    const said = await warningsOf({ rag: runs });
    expect(said).toMatch(/^(?:.*: )?10 rows are 5 examples with up to 2 repeats each$/m);
    expect(said).not.toContain("multiply");
    expect(await warningsOf({ rag: rows(5) })).not.toContain("repeats");
  });
});
