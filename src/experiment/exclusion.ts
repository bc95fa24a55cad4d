import type { Diagnostic } from "../spec/desired.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import type { RowBody } from "./input/row.ts";
import { changeLeaves, withEntries } from "./input/scored.ts";

/** One entry of `drop`: what to leave out of every row, or which texts to cut. */
export interface DropRule {
  /** As the user wrote it. */
  readonly entry: string;
  /** A field and, after a dot, the path below it. */
  readonly path: string;
  /** How many characters of a text to keep; null: leave out the whole value. */
  readonly maxChars: number | null;
}

/**
 * Applies `drop` to rows as they are sent. Ids are made earlier from complete inputs, and gates
 * judge complete rows.
 */
export interface Trim {
  readonly apply: (body: RowBody) => RowBody;
  /** What was done so far, one sentence per rule that cut something or found nothing. */
  readonly said: () => readonly string[];
}

/**
 * Row fields: which may be left out, since the service does not need them; whose texts may be cut
 * (of scores, the comments); and which contain named values.
 */
const FIELDS = new Map<string, readonly ("drop" | "cut" | "names")[]>([
  ["inputs", ["cut", "names"]],
  ["expected_outputs", ["drop", "cut", "names"]],
  ["actual_outputs", ["drop", "cut", "names"]],
  ["evaluation_scores", ["drop", "cut"]],
  ["run_name", ["drop"]],
  ["run_metadata", ["drop", "cut", "names"]],
  ["error", ["cut"]],
]);

const fieldsFor = (use: "drop" | "cut"): string =>
  [...FIELDS].flatMap(([field, uses]) => (uses.includes(use) ? [field] : [])).join(", ");

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
    const at = entry.indexOf(":");
    const length = at < 0 ? null : entry.slice(at + 1).trim();
    const rule = {
      entry,
      path: (at < 0 ? entry : entry.slice(0, at)).trim(),
      maxChars: length === null ? null : Number(length),
    };
    const wrong = problemOf(rule, length);
    if (wrong === null) rules.push(rule);
    else problems.push(diagnosticAt({ file: "inputs", path: "drop" }, `drop: ${wrong}`));
  }
  return { rules, problems };
}

function problemOf({ entry, path, maxChars }: DropRule, length: string | null): string | null {
  const [field = "", ...below] = path.split(".");
  const meant = /^([^<>:]+)>\s*(\d+)$/.exec(entry);
  if (meant !== null)
    return `"${entry}" is not a field; write ${meant[1]!.trim()}:${meant[2]} to cut its texts after ${meant[2]} characters`;
  const uses = FIELDS.get(field) ?? [];
  const isBelowText = below.length > 0 && !uses.includes("names");
  if (below.some((name) => name === "")) return `"${entry}": a name is missing next to a dot`;
  if (maxChars === null) {
    const cut = uses.includes("cut") ? `; ${path}:2000 cuts its texts after 2000 characters` : "";
    if (!uses.includes("drop"))
      return `"${path}" cannot be left out; it takes ${fieldsFor("drop")}, and paths below them${cut}`;
    return isBelowText ? `"${path}": ${field} can only be left out whole` : null;
  }
  if (!uses.includes("cut"))
    return `"${field}" has no texts to cut; those of ${fieldsFor("cut")} can be`;
  if (length === null || !/^\d{1,9}$/.test(length) || maxChars < 1)
    return `"${entry}": after the colon, write a whole number of characters from 1`;
  if (below.length > 0 && field === "evaluation_scores")
    return `"${path}": evaluation_scores:N cuts the comments, and nothing else of a score`;
  return isBelowText ? `"${path}": ${field} is a text, with nothing below it` : null;
}

interface Count {
  texts: number;
  rows: number;
  chars: number;
}

/** Applies the rules to the rows of one request; created for each sending, so that counts start at 0. */
export function createTrim(rules: readonly DropRule[]): Trim {
  const counts = rules.map((): Count => ({ texts: 0, rows: 0, chars: 0 }));
  const apply = (body: RowBody): RowBody =>
    rules.reduce((row, rule, n) => {
      const count = counts[n]!;
      const texts = count.texts;
      const changed = changeBelow(
        row,
        rule.path,
        rule.maxChars === null
          ? () => {
              count.texts += 1;
              return undefined;
            }
          : toCut(rule, count),
      ) as RowBody;
      if (count.texts > texts) count.rows += 1;
      return changed;
    }, body);
  return { apply, said: () => rules.flatMap((rule, n) => sentenceOf(rule, counts[n]!)) };
}

function sentenceOf({ entry, path, maxChars }: DropRule, { texts, rows, chars }: Count): string[] {
  if (maxChars === null)
    return texts === 0 && path.includes(".")
      ? [`drop ${entry} left nothing out: no row has it`]
      : [];
  if (texts === 0) return [`drop ${entry} cut nothing: no text is longer`];
  const ids = path.split(".")[0] === "inputs" ? "; row ids are made from the whole inputs" : "";
  return [
    `drop ${entry} cut ${texts === 1 ? "1 text" : `${texts} texts`} in ${rows === 1 ? "1 row" : `${rows} rows`}, ${chars} characters in all; each ends with a mark${ids}`,
  ];
}

type Change = (value: unknown) => unknown;

function toCut({ path, maxChars }: DropRule, count: Count): Change {
  const cut = (text: string): string => {
    const short = cutText(text, maxChars!);
    if (short.gone === 0) return text;
    count.texts += 1;
    count.chars += short.gone;
    return short.text;
  };
  const cutTexts: Change = (value) =>
    changeLeaves(value, (leaf) => (typeof leaf === "string" ? cut(leaf) : leaf));
  return path === "evaluation_scores"
    ? (value) => changeItems(value, (score) => changeBelow(score, "comment", cutTexts))
    : cutTexts;
}

const MARK = /… \[cut by agent-deploy: (\d+) of (\d+) characters\]$/;

const countChars = (text: string, from = 0): number => {
  let chars = 0;
  for (let at = from; at < text.length; chars += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return chars;
};

/**
 * Cuts a text and adds a mark; `gone` is the number of further characters left out, 0 if the text
 * is unchanged: it is short, or would grow. Characters are code points.
 */
function cutText(text: string, maxChars: number): { readonly text: string; readonly gone: number } {
  if (text.length <= maxChars) return { text, gone: 0 };
  const marked = MARK.exec(text.slice(-100));
  const before = marked === null ? 0 : Number(marked[1]);
  const own = marked === null ? text : text.slice(0, -marked[0].length);
  // Text that only looks like our mark is ordinary text.
  if (marked !== null && countChars(own) !== Number(marked[2]) - before)
    return cutAt(text, text, maxChars, 0);
  return cutAt(text, own, maxChars, before);
}

function cutAt(
  text: string,
  own: string,
  maxChars: number,
  before: number,
): { readonly text: string; readonly gone: number } {
  let end = 0;
  for (let kept = 0; kept < maxChars && end < own.length; kept += 1)
    end += own.codePointAt(end)! > 0xffff ? 2 : 1;
  const gone = countChars(own, end);
  const short = `${own.slice(0, end)}… [cut by agent-deploy: ${before + gone} of ${maxChars + before + gone} characters]`;
  return gone === 0 || short.length >= text.length ? { text, gone: 0 } : { text: short, gone };
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
  const name = whole || dot < 0 ? path : path.slice(0, dot);
  if (!Object.hasOwn(value, name)) return value;
  const before = (value as Record<string, unknown>)[name];
  const after = whole ? change(before) : changeBelow(before, path.slice(dot + 1), change);
  return after === before ? value : withEntries(value, new Map([[name, after]]));
}

function changeItems(value: unknown, change: Change): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(change);
  return items.some((item, n) => item !== value[n]) ? items : value;
}
