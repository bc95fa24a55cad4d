import { isObject, ownAt } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import { parseLenientBytes } from "../input/lenient-json.ts";
import { streamLines, type TextLine } from "../input/text-lines.ts";
import type { openTable } from "./csv-table.ts";
import type { Head } from "./format.ts";
import type { Mapping } from "./mapping.ts";
import {
  type NestedRow,
  nestedRows,
  parseRowsPath,
  type RowStep,
  tableRows,
} from "./nested-rows.ts";
import { inOrder } from "../input/ordered-object.ts";

/** A record of a file and its line; 0 in a document, whose parser does not count lines. */
export interface PlacedRow extends NestedRow {
  readonly line: number;
}

const BATCH = 256;

/** The records of a file by a mapping's `rows` and `orient`. */
export async function* recordsOf(
  head: Head,
  mapping: Mapping,
  table?: ReturnType<typeof openTable>,
): AsyncGenerator<readonly PlacedRow[]> {
  if (table !== undefined) return yield* csvRecords(head, table);
  if (head.container === "jsonl") {
    const rowsUnder = rowFinder(head.name, mapping, true);
    const parse = lineParser(head.name);
    for await (const lines of streamLines(head.name, head.file.chunks())) {
      const values = lines.map(parse);
      const batch: PlacedRow[] = [];
      for (const [n, { line }] of lines.entries())
        for (const { value, outer, key } of rowsUnder(values[n]))
          batch.push({ value, outer, key, line });
      yield batch;
    }
    return;
  }
  const document = documentOf(head);
  const listed = Array.isArray(document);
  const rowsUnder = rowFinder(head.name, mapping, listed);
  let batch: PlacedRow[] = [];
  for (const root of listed ? (document as readonly unknown[]) : [document])
    for (const { value, outer, key } of rowsUnder(root)) {
      batch.push({ value, outer, key, line: 0 });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
  for (const path of mapping.moreRows)
    yield rowsAt(head.name, document, path).map((row) => ({ ...row, line: 1 }));
}

/** The whole of a file that is one JSON document. */
export function documentOf({ name, container, document }: Head): unknown {
  if (container === "json") return document;
  throw refusal(
    { file: name },
    `the file is ${container === "zip" ? "a zip" : container.toUpperCase()}, and this format is one JSON document`,
  );
}

function lineParser(file: string): (line: TextLine) => unknown {
  let index = 0;
  return ({ bytes, line }) => {
    const { value, problem } = parseLenientBytes(bytes);
    if (problem !== undefined)
      throw refusal(
        { file, line, path: `[${index}]` },
        `row ${index + 1} ${problem}; let the run that wrote it write it again, or remove the row`,
      );
    index += 1;
    return value;
  };
}

async function* csvRecords(
  { columns }: Head,
  table: ReturnType<typeof openTable>,
): AsyncGenerator<readonly PlacedRow[]> {
  const toRecord = (cells: readonly string[]): object =>
    inOrder(columns.map((column, n) => [column, cells[n]]));
  for await (const batch of table.batches())
    yield batch.map(({ cells, line }) => ({ value: toRecord(cells), outer: [], line }));
}

const NO_PARENTS: NestedRow["outer"] = [];

/** Finds the rows of a document, or of one item of a list of documents. */
function rowFinder(
  file: string,
  { rows, orient, exact }: Mapping,
  listed: boolean,
): (root: unknown) => Iterable<NestedRow> {
  const [path] = rows as [string];
  if (orient !== undefined && !(exact && listed))
    return (root) => {
      const found = tableRows(ownAt(root, ...(path === "" ? [] : path.split("."))), orient);
      if (found !== null) return found;
      throw refusal(
        { file },
        `the file has no table of the orientation ${orient}${path === "" ? "" : ` at ${path}`}`,
      );
    };
  const taken = rows.map((one) => parseRowsPath(one));
  const isOfList = ([first]: readonly RowStep[]): boolean =>
    listed && first?.each === "items" && first.keys.length === 0;
  return (root) => {
    const steps = taken.find((one) => isOfList(one) || hasRows(root, one)) ?? taken[0]!;
    if (!isOfList(steps)) return nestedRows(root, steps);
    const [first, ...rest] = steps;
    if (rest.length === 0) return [{ value: root, outer: NO_PARENTS }];
    return nestedRows(root, rest, [{ prefix: first!.prefix, value: root }]);
  };
}

/** Rows of one list of a document; rejects a path that finds no list, a mistake that would lose rows. */
export function rowsAt(file: string, document: unknown, path: string): NestedRow[] {
  const steps = parseRowsPath(path);
  const [first] = steps;
  const at = first && ownAt(document, ...first.keys);
  if (Array.isArray(at) || (isObject(at) && first?.each === "values"))
    return [...nestedRows(document, steps)];
  throw refusal({ file }, `the file has no rows at "${path}"`);
}

const hasRows = (root: unknown, steps: readonly RowStep[]): boolean =>
  nestedRows(root, steps).next().done === false;

/** Whether a list for rows exists, even an empty one. */
export const hasList = (document: unknown, { rows, orient }: Mapping): boolean =>
  orient !== undefined ||
  Array.isArray(document) ||
  rows.some((path) => Array.isArray(ownAt(document, ...(parseRowsPath(path)[0]?.keys ?? []))));
