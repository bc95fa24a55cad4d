import type { Head } from "./format.ts";
import { multipliersOf } from "./multipliers.ts";
import { isThere } from "./pick.ts";
import type { JsonRow } from "./row-lists.ts";
import {
  type Column,
  columnsOf,
  hasRole,
  holdsMarks,
  isRunId,
  numbersOf,
  UNIT,
} from "./mapping-draft-columns.ts";
import {
  createMapping,
  listOf,
  listPathOf,
  pathOf,
  scoreOf,
  toYaml,
} from "./mapping-draft-lines.ts";
import { type DraftRows, rowsOfHead } from "./mapping-draft-rows.ts";
import { type Ends, endsOf, isMessage, wordsFor } from "./mapping-draft-ends.ts";
import { commaNotes, mostNotes, notesOf, totalOf } from "./mapping-draft-notes.ts";
import {
  isMetricName,
  isNumeric,
  prefixOf,
  type Roles,
  rolesOf,
  usageIn,
} from "./mapping-draft-roles.ts";

/**
 * A mapping that reads a file as far as names and values at its beginning show, as one line of
 * YAML, with the numbers not read and what to check; empty if a mapping reaches no rows.
 */
export function draftMapping(head: Head): string {
  const found = rowsOfHead(head);
  return found === null ? "" : draftOf(found);
}

function draftOf(found: DraftRows): string {
  const { list, failures, more, others } = found;
  const failed = failures.flatMap(({ items }) => items.slice(0, 20));
  const rows: readonly JsonRow[] = [...list.rows, ...more.flatMap((one) => one.rows), ...failed];
  // A crashed case may lack columns that others have, even if no case has crashed yet.
  const columns = columnsOf(rows, list.around, failures.length > 0 && failed.length === 0);
  const roles = rolesOf(columns, rows.length, rows.length - failed.length);
  const { inputs, identity, notes: ofNames } = namingOf(columns, roles, rows.length);
  const naming = [...inputs, ...identity];
  const named = scoreNames(naming, roles);
  const metrics = named === undefined ? roles.metrics : [];
  const paths = [list, ...more, ...failures].map(({ path }) => path);
  const { mapping, add, leaveOut } = createMapping({
    ...(list.path === "" ? {} : { rows: oneOf(paths) }),
    ...found.reach,
  });
  const { expected: expected_outputs, outputs: actual_outputs } = roles;
  for (const [root, those] of Object.entries({ inputs, expected_outputs, actual_outputs }))
    for (const column of those) add(root, nameOf(column), column);
  if (identity.length > 0) mapping["identity"] = oneOf(identity.map(pathOf));
  if (naming.length === 0) mapping["inputs.input"] = "THE_COLUMN_WITH_THE_INPUT";
  const ends = endsOf({ ...roles, metrics }, failures.length > 0);
  if (ends.error !== undefined) mapping["error"] = ends.error;
  if (ends.skipped !== undefined) leaveOut(ends.skipped.path, wordsFor(ends.skipped, "skipped"));
  const total = totalOf(columns, list.rows.length, naming);
  if (total !== null) leaveOut(total.path, total.word);
  addNumbers({ mapping, add }, { ...roles, metrics, comment: ends.comment });
  const notes = [
    ...others.map(
      ({ path, rows: left }) =>
        `the file has another list of rows, ${path} (${left.length}), that this mapping leaves out`,
    ),
    ...(named === undefined
      ? ofNames
      : [
          `${named.path} names the score of each row: write a column per score (pandas: pivot_table), or the scores of all would be one`,
        ]),
    ...(total === null
      ? []
      : [
          `the last row looks like a sum of the others (${total.path} is ${total.word}): this mapping leaves it out`,
        ]),
    ...commaNotes(columns),
    ...mostNotes(columns),
    ...notesOf(roles, rows.length, ends.comment),
  ];
  const all = columns.filter((column) => isNumeric(column) && !column.outer);
  const numeric = [
    ...(all.length > 0 ? all : metrics).map(({ path }) => path),
    ...roles.lists.map(listPathOf),
  ];
  const numbers =
    numeric.length === 0
      ? "it has no column of numbers"
      : `numeric columns not read: ${numeric.slice(0, 20).join(", ")}`;
  return [numbers, ...notes, `a mapping to start from: ${toYaml(mapping)}`].join("; ");
}

/** A list of one as its item, which a mapping can have instead. */
const oneOf = (sources: readonly unknown[]): unknown =>
  sources.length === 1 ? sources[0] : sources;

/** A prefixed name without its prefix, unless that says more than the field does. */
function nameOf(column: Column): string {
  const before = prefixOf(column);
  return before === null || before.role === "EXPECTED" ? column.name : before.rest;
}

/** What identifies examples: the inputs, else an id, and the columns that multiply the rows. */
function namingOf(columns: readonly Column[], roles: Roles, rows: number) {
  const inner = roles.inputs.filter(({ outer }) => !outer);
  const loose = columns.filter(
    (column) =>
      hasRole(column, "LOOSE_INPUT") && isText(column) && !roles.ofFailures.includes(column),
  );
  const inputs = [...inner, ...roles.inputs.filter(({ outer }) => outer)];
  const innerIds = roles.ids.filter(({ outer }) => !outer);
  const given = inputs.length > 0 ? inputs : loose.slice(0, 1);
  const named = [innerIds.find(isFilled) ?? innerIds[0] ?? roles.ids[0]].filter(
    (one) => one !== undefined,
  );
  const asked = given.length + innerIds.length > 0 ? given : unnamedInput(columns, roles, rows);
  const described = columns.filter(
    (one) => /^description$/i.test(one.name) && isText(one) && new Set(one.cells).size === rows,
  );
  const byId = asked.length === 0 ? [...named, ...described].slice(0, 1) : [];
  // A row that crashed before its input was written still has its id.
  // What a test says of its end may look like an input, and changes with it.
  const lacking = asked.length > 0 && asked.every(({ values }) => values.length < rows);
  const doubtful = asked.length > 0 && asked.every(isMessage) && roles.metrics.length > 0;
  const filled =
    lacking || doubtful
      ? innerIds.find((one) => isFilled(one) && new Set(one.values.map(String)).size === rows)
      : undefined;
  const base = filled === undefined ? [...asked, ...byId] : [filled];
  const candidates = columns.filter((column) =>
    column.outer ? !isScore(column) : isFree(column, roles),
  );
  const arms = multipliersOf(
    base.map(({ cells }) => cells),
    candidates,
    (column) => (hasRole(column, "VARIANT") ? 2 : Number(column.outer)),
  );
  const notes = arms.map(
    (column) =>
      `each example is there once for every ${column.path} (${new Set(column.values.map(String)).size} values): they count as different examples; leave ${column.path} out if they are repeats`,
  );
  if (filled !== undefined) return { inputs: asked, identity: [filled, ...arms], notes };
  return byId.length > 0
    ? { inputs: [], identity: [...byId, ...arms], notes }
    : { inputs: [...asked, ...arms], identity: [], notes };
}

/** Whether a parent's column is a score, which distinguishes no arms. */
const isScore = (column: Column): boolean => holdsMarks(column) && isMetricName(column.name);

/** The column that names the only score of each row, in a table with one row per score. */
function scoreNames(naming: readonly Column[], { metrics, lists }: Roles): Column | undefined {
  const namesScores = ({ name, path, values }: Column): boolean =>
    path === "$key"
      ? values.every((key) => isMetricName(String(key)))
      : /^(?:metric|measure|criterion|criteria|scorer|evaluator|dimension)(?:_?name)?$/i.test(name);
  return metrics.length === 1 && lists.length === 0 ? naming.find(namesScores) : undefined;
}

/** If no name indicates the input: the text that differs most between rows, else a conversation. */
function unnamedInput(columns: readonly Column[], roles: Roles, rows: number): Column[] {
  const sized = columns
    .filter((column) => isText(column) && isFree(column, roles) && !hasRole(column, "VARIANT"))
    .map((column) => ({ column, size: new Set(column.values).size }));
  const [best] = sized.sort((a, b) => b.size - a.size);
  return best !== undefined && best.size >= Math.min(2, rows) && best.size >= rows / 10
    ? [best.column]
    : roles.outputs.filter(({ name }) => /^conversation$/i.test(name));
}

const isFilled = ({ cells }: Column): boolean => cells.every(isThere);

const isText = ({ values, outer }: Column): boolean =>
  !outer && values.length > 0 && values.every((value) => typeof value === "string");

/** A column without another purpose so far. */
function isFree(column: Column, { inputs: _, ids: __, ...used }: Roles): boolean {
  return (
    !Object.values(used).flat().includes(column) &&
    !hasRole(column, "REPEAT") &&
    !hasRole(column, "REASON") &&
    !isRunId(column) &&
    !/^result$|(?:^|[_.])(?:completion|seed|run|uuid|ts)(?:_?id)?$/i.test(column.name)
  );
}

function addNumbers(
  { mapping, add }: Pick<ReturnType<typeof createMapping>, "mapping" | "add">,
  { seconds, usage, metrics, lists, verdict, comment }: Roles & Pick<Ends, "comment">,
): void {
  if (seconds !== undefined) {
    const unit = /^m/i.test(UNIT.exec(seconds.name.trim())?.[1] ?? "") ? "ms" : "s";
    mapping[`duration_${unit}`] = pathOf(seconds);
  }
  for (const column of usage) mapping[`usage.${usageIn(column)!}`] ??= pathOf(column);
  const names = metrics.map(({ name }) => name.replace(/^feedback\./, ""));
  const mark = metrics.find((column) => numbersOf(column).length > 0) ?? metrics[0];
  let commented: string | undefined;
  for (const [at, column] of metrics.entries()) {
    const name = names[at]!;
    // `baseline.score` next to `candidate.score`: neither is the score.
    const isShared = names.indexOf(name) !== names.lastIndexOf(name);
    const called = isShared ? column.path.replaceAll(".", "_") : name;
    const field = add("evaluation_scores", called, column, scoreOf(column));
    if (column === mark) commented = field;
  }
  if (verdict !== undefined) mapping["pass"] = pathOf(verdict);
  if (comment !== undefined && commented !== undefined)
    mapping[`${commented}.comment`] = pathOf(comment);
  if (lists.length > 0) mapping["evaluation_scores"] = oneOf(lists.map(listOf));
}
