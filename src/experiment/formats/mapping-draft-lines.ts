import { type JsonRow, scoreKeyOf, scoreNameOf } from "./row-lists.ts";
import { meantBy } from "./verdict-words.ts";
import { type Column, isWholeField, scoresIn, wordsOf } from "./mapping-draft-columns.ts";

/** The lines of a mapping, each field once: a second column with the same name is named by its path. */
export function createLines(): {
  readonly lines: string[];
  readonly add: (root: string, name: string, column: Column, value?: string) => string;
} {
  const lines: string[] = [];
  const taken = new Set<string>();
  const add = (root: string, name: string, column: Column, value?: string): string => {
    const spelled = root === "evaluation_scores" ? [name] : [plainName(name)];
    const names = [...spelled, ...[column.path, `${column.path}_${taken.size}`].map(plainName)];
    const whole = isWholeField(column) && root !== "evaluation_scores" ? [root] : [];
    const fields = [...whole, ...names.map((one) => `${root}.${one}`)];
    const field = fields.find((one) => !taken.has(one))!;
    taken.add(field);
    lines.push(`${quoted(field)}: ${value ?? pathOf(column)}`);
    return field;
  };
  return { lines, add };
}

/** A column as a mapping names it. */
export const pathOf = ({ path, optional }: Column): string => quoted(optional ? `${path}?` : path);

/** A column as the source of a score, with the numbers for its words. */
export function scoreOf(column: Column): string {
  const meant = [...wordsOf(column)].flatMap((word): [string, number][] => {
    const count = meantBy(word);
    return typeof count === "number" && !/^(?:true|false)$/i.test(word) ? [[word, count]] : [];
  });
  const others = [...wordsOf(column)].filter(
    (word) => meantBy(word) === "crash" || meantBy(word) === "skipped",
  );
  if (meant.length === 0 && others.length === 0) return pathOf(column);
  const words = meant.map(([word, count]) => `${quoted(word)}: ${count}`).join(", ");
  return `{ column: ${quoted(column.path)}, words: { ${words} }${column.optional ? ", optional: true" : ""} }`;
}

/** The first item of a column of scores. */
function itemOf(column: Column): { readonly held: unknown; readonly item: JsonRow } {
  const held = scoresIn(column);
  return { held, item: Object.values(held as object)[0] as JsonRow };
}

/** Where the numbers of a column of scores are. */
export function listPathOf(column: Column): string {
  const { held, item } = itemOf(column);
  return `${column.path}${Array.isArray(held) ? "[]" : ".*"}.${scoreKeyOf(item)}`;
}

/** A column of scores, in a list or by name, as a mapping writes it. */
export function listOf(column: Column): string {
  const { held, item } = itemOf(column);
  const comment = ["reason", "comment", "explanation", "rationale", "feedback", "message"].find(
    (name) => typeof item[name] === "string",
  );
  const parts = [
    `list: ${quoted(column.path)}`,
    ...(Array.isArray(held) ? [`key: ${scoreNameOf(item)!}`] : []),
    `score: ${scoreKeyOf(item)}`,
    ...(comment === undefined ? [] : [`comment: ${comment}`]),
    ...(column.optional ? ["optional: true"] : []),
  ];
  return `{ ${parts.join(", ")} }`;
}

const plainName = (name: string): string =>
  name.trim().replace(/[\s.:#'"{}[\],&*?|<>=!%@`]+/g, "_");
/** Words that YAML does not read as text. */
const NO_TEXT = /^(?:yes|no|true|false|null|on|off|y|n|~)$/i;
/** A text as written in YAML. */
export const quoted = (text: string): string =>
  /^[A-Za-z_$][\w$.-]*$/.test(text) && !NO_TEXT.test(text) ? text : JSON.stringify(text);
