import { plural } from "../model/count-words.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import type { RowBody } from "./input/row.ts";
import { changeItems, changeLeaves, withEntries } from "./input/scored.ts";

/** One entry of `drop`: what to leave out of every row, or which texts to cut. */
export interface DropRule {
  /** As the user wrote it. */
  readonly entry: string;
  /** A field and, after a dot, the path below it. */
  readonly path: string;
  /** How many characters of a text to keep; null: leave out the whole value. */
  readonly maxChars: number | null;
}

/** What the service does not need; of `evaluation_scores`, only the comments can be cut. */
const LEFT_OUT =
  /^(?:(?:expected_outputs|actual_outputs|run_metadata)(?:\.[^.]+)*|evaluation_scores|run_name)$/;
const CUT =
  /^(?:(?:inputs|expected_outputs|actual_outputs|run_metadata)(?:\.[^.]+)*|evaluation_scores|error)$/;
const LENGTH = /^[1-9]\d{0,8}$/;

/** Row fields whose texts can be cut. */
export const CUT_FIELDS: readonly (keyof RowBody)[] = [
  ...(["expected_outputs", "actual_outputs", "evaluation_scores"] as const),
  ...(["run_metadata", "error", "inputs"] as const),
];

/**
 * Parses the input `drop`: `run_metadata`, `run_metadata.trace`, `actual_outputs:2000`,
 * `inputs.context:4096`. Reports all problems at once.
 */
export function parseDrop(entries: readonly string[]): {
  readonly rules: readonly DropRule[];
  readonly problems: readonly Diagnostic[];
} {
  const rules: DropRule[] = [];
  const problems: Diagnostic[] = [];
  for (const entry of entries) {
    const [path, length] = entry.split(/:(.*)/s).map((part) => part.trim()) as [string, string?];
    if (length === undefined && LEFT_OUT.test(path)) rules.push({ entry, path, maxChars: null });
    else if (length !== undefined && CUT.test(path) && LENGTH.test(length))
      rules.push({ entry, path, maxChars: Number(length) });
    else problems.push(diagnosticAt({ file: "", path: "drop" }, problemOf(entry)));
  }
  return { rules, problems };
}

const problemOf = (entry: string): string =>
  `"${entry}" can be neither left out nor cut: write a field to leave out (expected_outputs, actual_outputs, evaluation_scores, run_name, run_metadata), ` +
  "or one whose texts are cut, with a length (actual_outputs:2000; inputs, error and the comments of evaluation_scores can be cut too). " +
  "A path below a field works as well: run_metadata.trace, inputs.context:4096";

interface Count {
  texts: number;
  rows: number;
  chars: number;
}

/**
 * Applies `drop` to the rows of one request as they are sent; created for each sending, so that
 * counts start at 0. Ids are made earlier from complete inputs, and gates judge complete rows.
 */
export function createTrim(rules: readonly DropRule[]) {
  const steps = rules.map((rule) => {
    const count = { texts: 0, rows: 0, chars: 0 };
    return { rule, count, change: changeBy(rule, count) };
  });
  const apply = (body: RowBody): RowBody =>
    steps.reduce((row, { rule, count, change }) => {
      const before = count.texts;
      const changed = changeBelow(row, rule.path, change) as RowBody;
      if (count.texts > before) count.rows += 1;
      return changed;
    }, body);
  /** What was done so far, one sentence per rule that cut something or found nothing. */
  const said = (): string[] => steps.flatMap(({ rule, count }) => sentenceOf(rule, count));
  return { apply, said };
}

/** What `drop` does to one request. */
export type Trim = ReturnType<typeof createTrim>;

function sentenceOf({ entry, path, maxChars }: DropRule, { texts, rows, chars }: Count): string[] {
  if (maxChars === null)
    return texts === 0 && path.includes(".")
      ? [`drop ${entry} left nothing out: no row has it`]
      : [];
  if (texts === 0) return [`drop ${entry} cut nothing: no text is longer`];
  const ids = path.split(".")[0] === "inputs" ? "; row ids are made from the whole inputs" : "";
  return [
    `drop ${entry} cut ${plural(texts, "text")} in ${plural(rows, "row")}, ${chars} characters in all; each ends with a mark${ids}`,
  ];
}

type Change = (value: unknown) => unknown;

/** What a rule does to the value at its path; undefined leaves it out. */
function changeBy({ path, maxChars }: DropRule, count: Count): Change {
  const take = (chars: number): void => {
    count.texts += 1;
    count.chars += chars;
  };
  if (maxChars === null) return () => void take(0);
  return (value) => changeTexts(path, value, (text) => cutText(text, maxChars, take));
}

/** Changes the texts at a path that a rule may cut: of scores, those of the comments. */
export function changeTexts(
  path: string,
  value: unknown,
  change: (text: string) => string,
): unknown {
  const ofLeaves: Change = (at) =>
    changeLeaves(at, (leaf) => (typeof leaf === "string" ? change(leaf) : leaf));
  return path === "evaluation_scores" ? changeBelow(value, "comment", ofLeaves) : ofLeaves(value);
}

const MARK = /… \[cut by agent-deploy: (\d+) of (\d+) characters\]$/;

/** How many code points follow in a text, up to a number of them, and where they end. */
function charsFrom(text: string, from: number, most = Number.POSITIVE_INFINITY) {
  let [chars, end] = [0, from];
  for (; chars < most && end < text.length; chars += 1)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return { chars, end };
}

/**
 * Cuts a text and adds a mark, unless it is short, was cut before as much or would grow; a mark
 * counts what earlier cuts took too. Characters are code points.
 */
function cutText(text: string, maxChars: number, take: (chars: number) => void): string {
  if (text.length <= maxChars) return text;
  const [mark = "", taken, all] = MARK.exec(text.slice(-100)) ?? [];
  const unmarked = text.slice(0, text.length - mark.length);
  // A mark that does not add up is ordinary text.
  const wasCut = mark !== "" && charsFrom(unmarked, 0).chars === Number(all) - Number(taken);
  const [own, before] = wasCut ? [unmarked, Number(taken)] : [text, 0];
  const { end } = charsFrom(own, 0, maxChars);
  const gone = charsFrom(own, end).chars;
  const cut = before + gone;
  const short = `${own.slice(0, end)}… [cut by agent-deploy: ${cut} of ${maxChars + cut} characters]`;
  if (gone === 0 || short.length >= text.length) return text;
  take(gone);
  return short;
}

/**
 * Changes the value at a path; undefined removes it. Returns the same object if nothing changes. A
 * name may contain dots.
 */
function changeBelow(value: unknown, path: string, change: Change): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return changeItems(value, (item) => changeBelow(item, path, change));
  const dot = path.indexOf(".");
  const whole = Object.hasOwn(value, path);
  const name = whole || dot === -1 ? path : path.slice(0, dot);
  if (!Object.hasOwn(value, name)) return value;
  const before = (value as Record<string, unknown>)[name];
  const after = whole ? change(before) : changeBelow(before, path.slice(dot + 1), change);
  return after === before ? value : withEntries(value, new Map([[name, after]]));
}
