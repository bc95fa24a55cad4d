import { nearestWord } from "../../spec/suggestion.ts";
import type { InputFile } from "../input/input-file.ts";
import { refusal } from "../input/diagnostic.ts";
import { toScored } from "../input/scored.ts";
import { own } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { checkColumns, createShortLines, sayShortLines, streamCsv } from "./csv-table.ts";
import type { Format, Head, RowSource, ReadOptions } from "./format.ts";
import { createMapper, jsonCells } from "./mapper.ts";
import { createRepeatNotes, warnOfLists } from "./mapped-notes.ts";
import type { ColumnSource, ListSource, Mapping } from "./mapping.ts";
import { furtherRows, warnOfFailures } from "./failed-rows.ts";
import {
  nestedRows,
  parseRowsPath,
  tableRows,
  type NestedRow,
  type RowStep,
} from "./nested-rows.ts";
import { streamValues } from "./objects.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/**
 * Opens a CSV file by a mapping whose columns must all be there; of `watched` ones that it does not
 * name, numbers are reported.
 */
export function openCsvByMapping(
  file: InputFile,
  columns: readonly string[],
  mapping: Mapping,
  watched: readonly string[] = columns,
): RowSource {
  checkColumns(file.name, columns);
  const positions = new Map(columns.map((column, index) => [column, index]));
  const missing = mappedColumns(mapping).filter(
    ({ names, optional }) => !names.some((name) => positions.has(name)) && optional !== true,
  );
  if (missing.length > 0) {
    const near = nearestWord(missing[0]!.names[0], columns);
    const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
    throw refusal(
      { file: file.name },
      `the mapping names columns that the file does not have: ${missing.map(({ names }) => names[0]).join(", ")}${meant}; it has ${columns.slice(0, 50).join(", ")}`,
    );
  }
  const mapper = createMapper(mapping);
  const mapped = new Set(mappedColumns(mapping).flatMap(({ names }) => [...names]));
  const others = watched.filter((column) => column !== "" && !mapped.has(column));
  const short = createShortLines(columns, (column) => mapped.has(column));
  let repeats = createRepeatNotes(mapped);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    repeats = createRepeatNotes(mapped);
    const untold = new Set(others);
    for await (const batch of streamCsv(file, columns.length, short)) {
      yield batch.flatMap(({ cells, line, index }) => {
        const cellOf = (column: string): string | undefined => cells[positions.get(column) ?? -1];
        const row = mapper.toRow(
          { file: file.name, index, line },
          { at: cellOf, columns: () => columns },
        );
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
export function knownFieldsOf(mapping: Mapping): KnownFields {
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
  for (const { names } of mappedColumns(mapping)) for (const name of names) add(name, true);
  for (const { source } of mapping.fields)
    if ("list" in source && source.score[0] !== "")
      for (const name of source.list.names) add(name, itemFieldsOf(source));
  for (const name of mapping.ignore) add(name, true);
  return found;
}

/** The parts of a list's items that are read, with all below them. */
function itemFieldsOf({ list: _, prefix: __, words: ___, ...parts }: ListSource): KnownFields {
  const names = Object.values(parts).flatMap((part) => [...(part ?? [])]);
  const fields = known(...names.map((name) => name.split(".", 1)[0]!));
  return { ...fields, "*": fields };
}

/** Every column that a mapping looks for. */
function mappedColumns({ fields, where, identity }: Mapping): ColumnSource[] {
  return [
    ...fields.flatMap(({ source }) => {
      if ("names" in source) return [source];
      return "list" in source ? [source.list] : [];
    }),
    ...where.map(({ source }) => source),
    ...identity,
  ];
}

/** A row of a JSON document, and the line of JSONL that it is in. */
export interface PlacedRow extends NestedRow {
  readonly line: number;
}

/** Rows that are handed out at a time. */
const BATCH = 256;

/** Rows of a JSON file by a mapping's `rows` and `orient`. */
export async function* jsonRows(
  file: InputFile,
  head: Head,
  mapping: Mapping,
): AsyncGenerator<readonly PlacedRow[]> {
  const { document } = head;
  if (head.container === "jsonl") {
    for await (const batch of streamValues(file, head, []).batches())
      yield batch.flatMap(({ value, line }) =>
        [...rowsUnder(file, value, mapping, true)].map((row) => ({ ...row, line })),
      );
    return;
  }
  const listed = Array.isArray(document);
  let batch: PlacedRow[] = [];
  for (const root of listed ? (document as readonly unknown[]) : [document])
    for (const row of rowsUnder(file, root, mapping, listed)) {
      batch.push({ ...row, line: 0 });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
  for (const path of mapping.moreRows)
    yield furtherRows(file, document, path).map((row) => ({ ...row, line: 1 }));
}

/** The rows of a document, or of one item of a list of them. */
function rowsUnder(
  file: InputFile,
  root: unknown,
  { rows, orient, exact }: Mapping,
  listed: boolean,
): Iterable<NestedRow> {
  const [path] = rows as [string];
  if (orient !== undefined && !(exact && listed)) {
    const keys = path === "" ? [] : path.split(".");
    const found = tableRows(
      keys.reduce<unknown>((at, key) => own(at, key), root),
      orient,
    );
    if (found !== null) return found;
    throw refusal(
      { file: file.name },
      `the file has no table of the orientation ${orient}${path === "" ? "" : ` at ${path}`}`,
    );
  }
  const taken = rows.map((one) => parseRowsPath(one));
  const isOfList = ([first]: readonly RowStep[]): boolean =>
    listed && first?.each === "items" && first.keys.length === 0;
  const steps = taken.find((one) => isOfList(one) || hasRows(root, one)) ?? taken[0]!;
  const [first, ...rest] = steps;
  if (isOfList(steps))
    return nestedRows(
      root,
      rest,
      rest.length === 0 ? [] : [{ prefix: first!.prefix, value: root }],
    );
  return nestedRows(root, steps);
}

const hasRows = (root: unknown, steps: readonly RowStep[]): boolean =>
  nestedRows(root, steps).next().done === false;

function openJsonByMapping(file: InputFile, head: Head, mapping: Mapping): RowSource {
  const [rows] = mapping.rows;
  if (rows === "" && mapping.orient === undefined && isDocument(head))
    throw refusal(
      { file: file.name },
      "the document is an object, not a list of rows; say where its rows are with rows: results, rows: evals[].cases[] or rows: by_id.*",
    );
  const mapper = createMapper(mapping);
  const fields = knownFieldsOf(mapping);
  const mapped = new Set(mappedColumns(mapping).flatMap(({ names }) => [...names]));
  let repeats = createRepeatNotes(mapped);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    repeats = createRepeatNotes(mapped);
    let index = 0;
    let sample: unknown;
    for await (const batch of jsonRows(file, head, mapping)) {
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
    const missing = index === 0 || mapping.exact ? [] : mapper.missing();
    if (missing.length > 0)
      throw refusal(
        { file: file.name },
        `${missing.map(({ field, column }) => `${field}: no row has ${column}`).join("; ")}. Rows have ${isObject(sample) ? Object.keys(sample).slice(0, 40).join(", ") : "no keys"}. End a path that rows may lack with a question mark (${missing[0]!.column}?)`,
      );
    if (index === 0 && rows !== "")
      throw refusal({ file: file.name }, `the file has no rows at "${mapping.rows.join(" | ")}"`);
  }
  const header = (): FileHeader => {
    const told = mapper.header(head.document);
    return {
      ...told,
      warnings: [
        ...(told.warnings ?? []),
        ...warnOfFailures(head.document, mapping),
        ...warnOfLists(head.document, mapping),
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
