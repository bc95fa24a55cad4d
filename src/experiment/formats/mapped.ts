import { nearestWord } from "../../spec/suggestion.ts";
import { refusal } from "../input/diagnostic.ts";
import { isScore } from "../input/scored.ts";
import { isObject } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { openTable, refuseRepeats } from "./csv-table.ts";
import type { Format, Head, RowSource, ReadOptions } from "./format.ts";
import { createColumnNames } from "../input/column-names.ts";
import { createMapper } from "./mapper.ts";
import { createRepeatNotes, warnOfFailures, warnOfLists } from "./mapped-notes.ts";
import type { ColumnNames, Mapping, Source } from "./mapping.ts";
import { hasList, type PlacedRow, recordsOf } from "./records.ts";
import { createKnown, isNested, unreadOf } from "./unread.ts";

/** A record of a tool's file: anything but an object is refused. */
interface ToolRecord extends PlacedRow {
  readonly value: Readonly<Record<string, unknown>>;
}

/** Code for what a mapping cannot express about a tool's files; one per file. */
export interface Hook {
  /** The file's records, if they are in no list, lines or table. */
  readonly records?: () => AsyncIterable<readonly PlacedRow[]>;
  /** Changes the record before the mapping reads it. */
  readonly before?: (record: ToolRecord["value"]) => object;
  /** Changes the row that the mapping made. */
  readonly finish?: (row: ReadRow, record: ToolRecord) => ReadRow;
  /** Called after the rows with their number. */
  readonly header?: (rows: number) => Partial<FileHeader>;
}

/** Opens a file by a mapping: a user's, whose columns must all exist, or a tool's, with its hook. */
export function openByMapping(head: Head, mapping: Mapping, hook?: Hook): RowSource {
  const { records, before, finish, header } = hook ?? {};
  // What a user's mapping leaves out is reported, even with `exact`.
  const isTools = hook !== undefined;
  const mapper = createMapper(mapping);
  const columns = new Set(mappedColumns(mapping).flatMap(({ names }) => [...names]));
  const table =
    head.container === "csv" && records === undefined
      ? openTable(head, (column) => isTools || columns.has(column))
      : undefined;
  if (table !== undefined) refuseRepeats(head);
  if (!isTools) refuseUnreadable(head, mapping);
  // A tool's hook reports that for its own table.
  const isReported = !isTools || head.container !== "csv";
  const unreadIn = isReported ? createUnreadReader(head, mapping) : () => [];
  const repeats = createRepeatNotes(columns, isTools);
  let rows = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    let index = 0;
    let sample: PlacedRow | undefined;
    for await (const batch of records?.() ?? recordsOf(head, mapping, table)) {
      sample ??= batch[0];
      yield batch.flatMap((record) => {
        const { value, line } = record;
        const place = { file: head.name, line, index };
        index += 1;
        if (isTools && !isObject(value))
          throw refusal({ file: head.name, line }, `row ${index} is not an object`);
        const seen = before === undefined ? value : before(value as ToolRecord["value"]);
        const read = mapper.toRow(place, seen === value ? record : { ...record, value: seen });
        if (read === null) return [];
        const unread = unreadIn(value);
        const row =
          unread.length === 0 ? read : { ...read, unread: [...(read.unread ?? []), ...unread] };
        const finished = finish === undefined ? row : finish(row, record as ToolRecord);
        rows += 1;
        return { ...finished, record: isObject(value) ? value : undefined };
      });
    }
    if (index === 0 && records === undefined) refuseNoRows(head, mapping, isTools);
    else refuseUnread(head, mapping, mapper, sample?.value);
  }
  return {
    batches,
    repeats,
    header: () => {
      const own = mapper.header(head.document);
      const more = header?.(rows);
      const short = table?.warnings() ?? [];
      const left = isTools
        ? []
        : [...warnOfFailures(head.document, mapping), ...warnOfLists(head.document, mapping)];
      const warnings = [...(more?.warnings ?? []), ...short, ...left, ...repeats.warnings()];
      return { ...own, ...more, warnings };
    },
  };
}

/** Rejects mistakes in a mapping that show before the rows. */
function refuseUnreadable(head: Head, mapping: Mapping): void {
  const { name, container, columns } = head;
  if (container === "xml" || container === "zip")
    throw refusal({ file: name }, `a mapping reads CSV, JSON and JSONL, and this is ${container}`);
  const isObjectRead = mapping.rows[0] === "" && mapping.orient === undefined;
  if (container === "json" && !head.rootIsArray && isObjectRead)
    throw refusal(
      { file: name },
      "the document is an object, not a list of rows; say where its rows are with rows: results, rows: evals[].cases[] or rows: by_id.*",
    );
  const missing = mappedColumns(mapping).flatMap(({ names, optional }) =>
    optional || names.some((one) => columns.includes(one)) ? [] : [names[0]],
  );
  if (container !== "csv" || missing.length === 0) return;
  const near = nearestWord(missing[0]!, columns);
  const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
  throw refusal(
    { file: name },
    `the mapping names columns that the file does not have: ${missing.join(", ")}${meant}; it has ${columns.slice(0, 50).join(", ")}`,
  );
}

function refuseNoRows(head: Head, mapping: Mapping, isTools: boolean): void {
  const { rows } = mapping;
  const isMeant = isTools
    ? head.container !== "json" || hasList(head.document, mapping)
    : head.container === "csv" || rows[0] === "";
  const paths = rows.filter((path) => /\w/.test(path)).join(" | ");
  if (!isMeant) throw refusal({ file: head.name }, `the file has no rows at "${paths}"`);
}

/** Rejects mistakes in a mapping that show in the rows: columns that they lack, and columns that would replace others. */
function refuseUnread(
  { name: file, container }: Head,
  mapping: Mapping,
  mapper: ReturnType<typeof createMapper>,
  sample: unknown,
): void {
  const clash = mapper.clash();
  if (clash !== undefined)
    throw refusal(
      { file },
      `by a pattern of the mapping, ${clash}, and a row has room for one; name one of them in a line of its own`,
    );
  const missing = mapping.exact || container === "csv" ? [] : mapper.missing();
  if (missing.length > 0)
    throw refusal(
      { file },
      `${missing.map(({ field, column }) => `${field}: no row has ${column}`).join("; ")}. Rows have ${isObject(sample) ? Object.keys(sample).slice(0, 40).join(", ") : "no keys"}. End a path that rows may lack with a question mark (${missing[0]!.column}?)`,
    );
}

/** Finds the numbers of a record that a mapping neither reads nor ignores: they may be scores. */
function createUnreadReader(
  { container }: Head,
  mapping: Mapping,
): (record: unknown) => readonly string[] {
  const isTable = container === "csv";
  // A column without a name, as an extra comma makes, has no numbers of interest.
  const ignored = ["", ...mapping.ignore];
  const columns = new Set([...ignored, ...mappedColumns(mapping).flatMap(({ names }) => names)]);
  const isNamed = isTable
    ? (column: string) => columns.has(column)
    : createKnown([
        ...ignored,
        ...mapping.fields.flatMap(({ source }) => pathsOf(source)),
        ...[...mapping.where, ...mapping.identity].flatMap(({ column }) => column.names),
      ]);
  const patterns = mapping.fields.flatMap(({ source }) => source.patterns ?? []);
  const nameOf = createColumnNames(patterns);
  const isKnown =
    patterns.length === 0
      ? isNamed
      : (keys: string) => isNamed(keys) || (!isNested(keys) && nameOf(keys) !== null);
  const counts = isTable ? isScore : undefined;
  return (record) => unreadOf(record, isKnown, counts);
}

/** What a source reads: a column with everything below it, or the named parts of a list's items. */
function pathsOf({ column, items }: Source): (string | string[])[] {
  const { names = [] } = column ?? {};
  if (items === undefined || items.score[0] === "") return [...names];
  const parts = Object.values(items).flatMap((paths) =>
    paths.map((path) => path.split(/\.|\[\d*\]/, 1)[0]!),
  );
  return names.flatMap((name) =>
    parts.flatMap((part) => [
      [name, part],
      [name, "*", part],
    ]),
  );
}

/** Every column that a mapping names, other than by a pattern. */
const mappedColumns = ({ fields, where, identity }: Mapping): ColumnNames[] =>
  [...fields.map(({ source }) => source), ...where, ...identity].flatMap(
    ({ column }) => column ?? [],
  );

function open(head: Head, { mapping }: ReadOptions): RowSource {
  if (mapping === undefined)
    throw refusal(
      { file: head.name },
      "format mapping needs the input mapping, a YAML file of `field: column` lines",
    );
  return openByMapping(head, mapping);
}

/** Any CSV, JSON or JSONL file, by a mapping file. */
export const mappingFormat: Format = {
  name: "mapping",
  title: "Any CSV, JSON or JSONL, by a `mapping` file",
  detect: () => false,
  open,
};
