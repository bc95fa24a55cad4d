import { nearestWord } from "../../spec/suggestion.ts";
import type { InputFile } from "../input-file.ts";
import { refusal } from "../diagnostic.ts";
import { toScored } from "../feedback.ts";
import { own } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import { checkColumns, createShortLines, sayShortLines, streamCsv } from "./csv-table.ts";
import type { Format, Head, RowSource, ReadOptions } from "./format.ts";
import { createMapper, jsonCells } from "./mapper.ts";
import { createRepeatNotes, warnOfLists } from "./mapped-notes.ts";
import type { ColumnSource, ListSource, Mapping } from "./mapping.ts";
import { furtherRows, warnOfFailures } from "./failed-rows.ts";
import { nestedRows, parseRowsPath, tableRows, type NestedRow } from "./nested-rows.ts";
import { streamValues } from "./objects.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** Opens a CSV file by a mapping whose columns must all be there; of `watched` ones that it does not name, numbers are told. */
export function openCsvByMapping(
  file: InputFile,
  columns: readonly string[],
  mapping: Mapping,
  watched: readonly string[] = columns,
): RowSource {
  checkColumns(file.name, columns);
  const positions = new Map(columns.map((column, index) => [column, index]));
  const missing = mappedColumns(mapping).filter(
    ({ column, optional }) => !positions.has(column) && optional !== true,
  );
  if (missing.length > 0) {
    const near = nearestWord(missing[0]!.column, columns);
    const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
    throw refusal(
      { file: file.name },
      `the mapping names columns that the file does not have: ${missing.map(({ column }) => column).join(", ")}${meant}; it has ${columns.slice(0, 50).join(", ")}`,
    );
  }
  const mapper = createMapper(mapping);
  const mapped = new Set(mappedColumns(mapping).map(({ column }) => column));
  const others = watched.filter((column) => column !== "" && !mapped.has(column));
  const short = createShortLines(columns, (column) => mapped.has(column));
  let repeats = createRepeatNotes(mapped);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    repeats = createRepeatNotes(mapped);
    const untold = new Set(others);
    for await (const batch of streamCsv(file, columns.length, short)) {
      yield batch.flatMap(({ cells, line, index }) => {
        const cellOf = (column: string): string | undefined => cells[positions.get(column) ?? -1];
        const row = mapper.toRow({ file: file.name, index, line }, cellOf);
        if (row === null) return [];
        repeats.add(row, () => Object.fromEntries(columns.map((column, n) => [column, cells[n]])));
        const unread = [...untold].filter((column) => isNumber(cellOf(column)));
        for (const column of unread) untold.delete(column);
        return unread.length === 0 ? row : { ...row, unread };
      });
    }
  }
  const header = (): FileHeader => {
    const told = mapper.header(undefined);
    return {
      ...told,
      warnings: [...(told.warnings ?? []), ...sayShortLines(short), ...repeats.warnings()],
    };
  };
  return { batches, header };
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && cell !== "" && "score" in toScored(cell);
}

type Mutable = { [key: string]: true | KnownFields };

/** What a mapping reads of a JSON row: by the whole name, and by the path that it may be. */
function knownFieldsOf(mapping: Mapping): KnownFields {
  const found: Mutable = {};
  const add = (column: string, below: true | KnownFields): void => {
    found[column] = below;
    const keys = column.split(".").map((part) => part.replace(/(?:\[\d*\])+$/, ""));
    let at = found;
    for (const key of keys.slice(0, -1)) {
      if (at[key] === true) return;
      const next: Mutable = { ...at[key] };
      at[key] = next;
      at = next;
    }
    at[keys.at(-1)!] = below;
  };
  for (const { column } of mappedColumns(mapping)) add(column, true);
  for (const { source } of mapping.fields)
    if ("list" in source && source.score !== "") add(source.list.column, itemFieldsOf(source));
  return found;
}

/** The parts of a list's items that are read, with all below them. */
function itemFieldsOf({ key, score, comment }: ListSource): KnownFields {
  const parts = [key, score, comment].flatMap((part) => (part ? [part.split(".", 1)[0]!] : []));
  const fields = known(...parts);
  return { ...fields, "*": fields };
}

/** Every column that a mapping looks for. */
function mappedColumns({ fields, where, identity }: Mapping): ColumnSource[] {
  return [
    ...fields.flatMap(({ source }) => {
      if ("column" in source) return [source];
      return "list" in source ? [source.list] : [];
    }),
    ...where.map(({ source }) => source),
    ...identity,
  ];
}

/** A row of a JSON document, where it stands. */
interface PlacedRow extends NestedRow {
  readonly line: number;
}

/** Rows of a JSON file by a mapping's `rows` and `orient`; the document around them is known when they have ended. */
function jsonRows(
  file: InputFile,
  head: Head,
  { rows, moreRows = [], orient }: Mapping,
): { readonly batches: () => AsyncIterable<PlacedRow[]>; readonly rest: () => unknown } {
  const steps = parseRowsPath(rows);
  const [first] = steps;
  const listed = head.rootIsArray || head.container === "jsonl";
  const streamed = orient === undefined && !listed && first?.each === "items";
  const rootItems = listed && first?.keys.length === 0 && first.each === "items";
  // What cannot be read item by item is read whole: an object of rows, a table of columns.
  const values = streamValues(file, head, streamed ? first!.keys : [], !listed && !streamed);
  const expand = (value: unknown): NestedRow[] => {
    if (orient !== undefined) {
      const keys = rows === "" ? [] : rows.split(".");
      const table = keys.reduce<unknown>((at, key) => own(at, key), value);
      const found = tableRows(table, orient);
      if (found !== null) return found;
      throw refusal(
        { file: file.name },
        `the file has no table of the orientation ${orient}${rows === "" ? "" : ` at ${rows}`}`,
      );
    }
    if (!streamed && !rootItems) return [...nestedRows(value, steps)];
    const rest = steps.slice(1);
    return [
      ...nestedRows(value, rest, rest.length === 0 ? [] : [{ prefix: first!.prefix, value }]),
    ];
  };
  async function* batches(): AsyncGenerator<PlacedRow[]> {
    for await (const batch of values.batches())
      yield batch.flatMap(({ value, line }) => expand(value).map((row) => ({ ...row, line })));
    for (const path of moreRows)
      yield furtherRows(file, values.rest(), path).map((row) => ({ ...row, line: 1 }));
  }
  return { batches, rest: () => values.rest() };
}

function openJsonByMapping(file: InputFile, head: Head, mapping: Mapping): RowSource {
  if (mapping.rows === "" && mapping.orient === undefined && isDocument(head))
    throw refusal(
      { file: file.name },
      "the document is an object, not a list of rows; say where its rows are with rows: results, rows: evals[].cases[] or rows: by_id.*",
    );
  const source = jsonRows(file, head, mapping);
  const mapper = createMapper(mapping);
  const fields = knownFieldsOf(mapping);
  const mapped = new Set(mappedColumns(mapping).map(({ column }) => column));
  let repeats = createRepeatNotes(mapped);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    repeats = createRepeatNotes(mapped);
    let index = 0;
    let sample: unknown;
    for await (const batch of source.batches()) {
      sample ??= batch[0]?.value;
      yield batch.flatMap((row) => {
        const place = { file: file.name, index, line: row.line };
        index += 1;
        const read = mapper.toRow(place, jsonCells(row.value, row));
        if (read === null) return [];
        repeats.add(read, () => (isObject(row.value) ? row.value : {}));
        return { ...read, ...unreadOf(row.value, fields) };
      });
    }
    const missing = index === 0 ? [] : mapper.missing();
    if (missing.length > 0)
      throw refusal(
        { file: file.name },
        `${missing.map(({ field, column }) => `${field}: no row has ${column}`).join("; ")}. Rows have ${isObject(sample) ? Object.keys(sample).slice(0, 40).join(", ") : "no keys"}. End a path that rows may lack with a question mark (${missing[0]!.column}?)`,
      );
    if (index === 0 && mapping.rows !== "")
      throw refusal({ file: file.name }, `the file has no rows at "${mapping.rows}"`);
  }
  const header = (): FileHeader => {
    const told = mapper.header(source.rest());
    return {
      ...told,
      warnings: [
        ...(told.warnings ?? []),
        ...warnOfFailures(source.rest(), mapping),
        ...warnOfLists(source.rest(), mapping),
        ...repeats.warnings(),
      ],
    };
  };
  return { batches, header };
}

const isDocument = (head: Head): boolean => head.container === "json" && !head.rootIsArray;

function open(
  files: readonly InputFile[],
  heads: readonly Head[],
  { mapping }: ReadOptions,
): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  if (mapping === undefined)
    throw refusal(
      { file: file.name },
      "format mapping needs the input mapping, a YAML file of `field: column` lines",
    );
  if (head.container === "csv") return openCsvByMapping(file, head.columns, mapping);
  if (head.container === "json" || head.container === "jsonl")
    return openJsonByMapping(file, head, mapping);
  throw refusal(
    { file: file.name },
    `a mapping reads CSV, JSON and JSONL, and this is ${head.container}`,
  );
}

/** Any CSV, JSON or JSONL file, by a mapping file. */
export const mappingFormat: Format = {
  name: "mapping",
  title: "Any CSV, JSON or JSONL, by a `mapping` file",
  detect: () => false,
  open,
};
