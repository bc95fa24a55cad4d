import { isObject } from "../../model/json.ts";
import { withoutAgentTurns } from "../input/identity.ts";
import type { ReadRow } from "../input/row.ts";
import { createDirections } from "./directions.ts";
import type { Head } from "./format.ts";
import { listAt, present } from "./pick.ts";
import { createRecipe } from "./recipe.ts";
import { unreadOf } from "./unread.ts";
import { inOrder } from "../input/ordered-object.ts";

const EXPECTED = /^(?:ground_truth|expected_.*|reference.*|target|label)$/i;
const ANSWERED = /^(?:response|answer|output|generated_.*)$/i;
/** Suffixes of the columns that an evaluator adds to its number; not scores themselves. */
const COMPANION =
  /_(?:reason|result|threshold|properties|status|passed|score|prompt_tokens|completion_tokens|total_tokens|finish_reason|model|sample_input|sample_output|sample|input|output|details|label)$/;

type Directions = ReturnType<typeof createDirections>;
type Cells = Readonly<Record<string, unknown>>;

function scoresOf(evaluator: string, cells: Cells, directions: Directions): unknown[] {
  return Object.keys(cells).flatMap((name): unknown[] => {
    const value = cells[name];
    const base = COMPANION.exec(name) === null ? undefined : name.replace(COMPANION, "");
    if (base !== undefined && hasSibling(cells, name, base)) return [];
    // The older spelling of the same number.
    if (name.startsWith("gpt_") && Object.hasOwn(cells, name.slice(4))) return [];
    // Null is NaN as promptflow writes it: the evaluator failed.
    if (!isMark(value) && value !== null) return [];
    const result = cells[`${name}_result`] ?? cells[`${base}_result`];
    const key = `${evaluator}.${name}`;
    const threshold = cells[`${name}_threshold`] ?? cells[`${base}_threshold`];
    const isVerdict = result === "pass" || result === "fail";
    if (isVerdict) directions.add({ key, score: value, threshold, passed: result === "pass" });
    return [
      { key, score: value, comment: cells[`${name}_reason`] },
      ...(isVerdict ? [{ key: `${key}.pass`, score: result === "pass" }] : []),
    ];
  });
}

/**
 * Safety evaluators have a word under their name, and its number in `_score`; F1, BLEU and METEOR
 * have nothing but `_score` next to their verdict and threshold.
 */
function hasSibling(cells: Cells, name: string, base: string): boolean {
  if (!isMark(cells[name])) return true;
  const isScore = name === `${base}_score`;
  if (!Object.hasOwn(cells, base)) return !isScore && Object.hasOwn(cells, `${base}_score`);
  return isMark(cells[base]) || !isScore;
}

const isMark = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";

/** Sorts columns into families: inputs, expected and actual outputs, and one family per evaluator. */
function toRow(row: ReadRow, directions: Directions): ReadRow {
  const [inputs, expected, actual]: [string, unknown][][] = [[], [], []];
  for (const [name, cell] of cellsOf(row.inputs))
    if (name === "conversation") {
      inputs!.push([name, withoutAgentTurns(messagesOf(cell))]);
      actual!.push([name, messagesOf(cell)]);
    } else if (EXPECTED.test(name)) expected!.push([name, cell]);
    else if (ANSWERED.test(name)) actual!.push([name, cell]);
    else inputs!.push([name, cell]);
  const evaluators = new Map<string, [string, unknown][]>();
  for (const [name, cell] of cellsOf(row.actual_outputs)) {
    const [evaluator = "", ...metric] = name.split(".");
    if (metric.length === 0) actual!.push([name, cell]);
    else if (!evaluators.get(evaluator)?.push([metric.join("."), cell]))
      evaluators.set(evaluator, [[metric.join("."), cell]]);
  }
  const words = [...evaluators].flatMap(([evaluator, cells]) =>
    cells
      .filter(([name, cell]) => typeof cell === "string" && !COMPANION.test(name))
      .map(([name, cell]): [string, unknown] => [`${evaluator}.${name}`, cell]),
  );
  return {
    place: row.place,
    inputs: inOrder(inputs!),
    expected_outputs: present(expected!),
    actual_outputs: present(actual!),
    evaluation_scores: [...evaluators].flatMap(([name, cells]) =>
      scoresOf(name, inOrder(cells), directions),
    ),
    run_metadata: present([...cellsOf(row.run_metadata), ...words]),
    // A number that no evaluator names may be a user's own score.
    unread: unreadOf(Object.fromEntries(actual!.filter(([, cell]) => isMark(cell)))),
  };
}

const cellsOf = (cells: unknown): [string, unknown][] =>
  Object.entries(isObject(cells) ? cells : {});

const messagesOf = (cell: unknown): readonly unknown[] =>
  Array.isArray(cell) ? cell : listAt(cell, "messages");

/**
 * Whether rows have columns that start with that name and a dot. An object of the name is not
 * Azure's: it has the name itself too.
 */
const hasColumns = ({ keys }: Head, name: string): boolean =>
  !keys.has(name) && [...keys].some((key) => key.startsWith(`${name}.`));

/** `evaluate(output_path=…)` of azure-ai-evaluation, and promptflow's line results. */
export const azureFormat = createRecipe({
  name: "azure",
  title: "Azure AI Evaluation, promptflow (JSON, JSONL)",
  detect: (head) =>
    (head.container === "json" &&
      head.keys.has("rows") &&
      (hasColumns(head, "rows[].inputs") || hasColumns(head, "rows[].outputs"))) ||
    (head.container === "jsonl" &&
      hasColumns(head, "inputs") &&
      hasColumns(head, "outputs") &&
      // LangSmith's table has columns with these names too, but separate scores.
      !hasColumns(head, "feedback")),
  mapping: `
exact: true
rows: rows | []
inputs: { columns: inputs.* }
actual_outputs: { columns: outputs.* }
summary_experiment_scores: { list: metrics }
experiment_metadata.studio_url: studio_url
`,
  hook: () => {
    const directions = createDirections();
    return {
      finish: (row, { value }) => {
        const others = cellsOf(value).filter(([column]) => !/^(?:inputs|outputs)\../s.test(column));
        return toRow({ ...row, run_metadata: inOrder(others) }, directions);
      },
      header: () => ({ directions: directions.found() }),
    };
  },
});
