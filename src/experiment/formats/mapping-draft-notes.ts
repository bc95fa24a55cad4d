import { isNumeral, isShareText } from "../input/scored.ts";
import { listSome, plural } from "../../model/count-words.ts";
import { type Column, hasRole, hasUnit, numbersOf, unknownWords } from "./mapping-draft-columns.ts";
import { isFailure } from "./mapping-draft-ends.ts";
import { toYaml } from "./mapping-draft-lines.ts";
import { isRare, type Roles } from "./mapping-draft-roles.ts";

/** Durations in seconds are rarely this large, and those in milliseconds rarely smaller. */
const LONG_SECONDS = 100;

/** Whether durations may be milliseconds: long, or whole numbers, as tools in JavaScript write them. */
function mayBeMilliseconds(seconds: Column): boolean {
  const numbers = numbersOf(seconds);
  const most = Math.max(...numbers);
  return (
    !hasUnit(seconds) && (most >= LONG_SECONDS || (most > 1 && numbers.every(Number.isInteger)))
  );
}

/** What a person should know about the scores and durations of a draft, one sentence each. */
export function notesOf(
  { metrics, lists, left, verdict, seconds }: Roles,
  rows: number,
  comment: Column | undefined,
): string[] {
  const notes: string[] = [];
  if (metrics.length + lists.length === 0 && verdict === undefined)
    notes.push(
      "no column was taken for a metric; name one under evaluation_scores (words: { good: 1, bad: 0 } makes numbers of words)",
    );
  if (left.length > 0)
    notes.push(
      `not taken as metrics: ${left
        .slice(0, 10)
        .map(({ path }) => path)
        .join(", ")}`,
    );
  const rare = metrics.filter(isRare);
  if (rare.length > 1)
    notes.push(
      `${plural(rare.length, "metric")} that less than half of the rows have (${listSome(rare, ({ path }) => path, 3)}): leave out those that name single tests`,
    );
  for (const column of [...metrics, ...left]) {
    const unknown = unknownWords(column);
    if (unknown.length > 0)
      notes.push(
        `${column.path} has words without a known meaning (${unknown.join(", ")}): write the number that each counts, from 0 to 1`,
      );
  }
  const all = metrics.filter(
    (column) => column.values.length > 0 && column.values.every(isFailure),
  );
  if (rows > 2 && lists.length === 0 && all.length > 0 && all.length === metrics.length)
    notes.push(
      `all rows have ${all.map(({ path }) => path).join(", ")} 0 or false: if the file lists only what failed, give one with every row`,
    );
  for (const column of metrics) {
    const mixed = mixedScale(column);
    if (mixed !== null)
      notes.push(
        `${column.path} mixes shares and plain numbers: ${mixed.share} is read as a share and ${mixed.number} as it is; write all in one way`,
      );
    const numbers = numbersOf(column);
    const missing = numbers.filter((number) => number === -1).length;
    if (missing > 0 && numbers.every((number) => number === -1 || number >= 0))
      notes.push(
        `${column.path} is -1 in ${plural(missing, "row")}: if that means not scored, leave them out with where: ${toYaml({ [column.path]: { not: -1 } })}`,
      );
  }
  if (comment !== undefined && hasRole(comment, "ERROR"))
    notes.push(
      `${comment.path} is read as the reason of rows that failed: if these rows crashed, write error: ${toYaml(comment.path)}`,
    );
  if (seconds !== undefined && mayBeMilliseconds(seconds))
    notes.push(
      `${seconds.path} does not name its unit and is read as seconds: write duration_ms if it holds milliseconds`,
    );
  return notes;
}

/** A share and a plain number above 1 of one column, whose mean says nothing; null if it has not both. */
function mixedScale({ values }: Column): { share: string; number: string } | null {
  const texts = values.map((value) => String(value).trim());
  const share = texts.find(isShareText);
  const number = texts.find((text) => Number(text) > 1);
  return share === undefined || number === undefined ? null : { share, number };
}

const MOST = /^(?:max(?:imum)?[ _]?(?:score|points?|marks?)|out[ _]?of|possible(?:[ _]points)?)$/i;

/** What a score may be at most, where that is not the same in all rows. */
export function mostNotes(columns: readonly Column[]): string[] {
  return columns.flatMap(({ path, name, values }) =>
    MOST.test(name.trim()) && new Set(values.map(Number)).size > 1
      ? [
          `${path} differs between rows: write each score as a share of it, or their mean says nothing`,
        ]
      : [],
  );
}

/** Numbers of a column with a decimal comma, as `0,9`; `1,234` may be a thousand. */
export function commaNotes(columns: readonly Column[]): string[] {
  return columns.flatMap(({ path, values }) => {
    const texts = values.map((value) => String(value).trim());
    const isNumber = (text: string): boolean => isNumeral(text.replace(",", "."));
    const decimal = texts.find((text) => /,\d/.test(text) && !/,\d{3}$/.test(text));
    return decimal === undefined || !texts.every(isNumber)
      ? []
      : [`${path} has decimal commas (${decimal}), so it is read as text: write them with a point`];
  });
}

const TOTAL =
  /^(?:(?:grand|sub)[ _-]?total|totals?|overall|averages?|avg\.?|mean|sum|summary|all)$/i;

/**
 * The column and word that mark the last row as a sum of the others, as in spreadsheets; null if
 * none does. Such a row has no other text, unless the word is in a column that names the rows.
 */
export function totalOf(
  columns: readonly Column[],
  rows: number,
  naming: readonly Column[],
): { readonly path: string; readonly word: string } | null {
  const isTotal = (cell: unknown): boolean => typeof cell === "string" && TOTAL.test(cell.trim());
  const isText = (cell: unknown): boolean => typeof cell === "string" && /\p{L}/u.test(cell);
  const texts = columns.filter(
    ({ cells, outer, path }) => (!outer || path === "$key") && isText(cells[rows - 1]),
  );
  const found = texts.find(
    (column) =>
      rows > 2 &&
      isTotal(column.cells[rows - 1]) &&
      column.cells.filter(isTotal).length === 1 &&
      (texts.length === 1 || naming.includes(column)),
  );
  return found === undefined ? null : { path: found.path, word: String(found.cells[rows - 1]) };
}
