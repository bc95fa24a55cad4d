import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";
import { ownAt } from "../input/lenient-json.ts";
import type { FileHeader, ReadRow } from "../input/row.ts";
import { checkColumns, createShortLines, sayShortLines, streamCsv } from "./csv-table.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { jsonRows, knownFieldsOf, type PlacedRow } from "./mapped.ts";
import { createMapper, jsonCells } from "./mapper.ts";
import { parseMapping } from "./mapping-file.ts";
import type { Mapping } from "./mapping.ts";
import { parseRowsPath } from "./nested-rows.ts";
import { unreadOf } from "./unread.ts";

/** What a mapping cannot say of a format, for one file of it. */
export interface Hook {
  /** The record as the mapping shall see it. */
  readonly before?: (record: Readonly<Record<string, unknown>>) => object;
  /** The row as it shall be, made of what the mapping read and of the record; null where it is no row. */
  readonly finish?: (row: ReadRow, record: PlacedRow) => ReadRow | null;
  /** Called when the rows have ended, with how many there were. */
  readonly header?: (rows: number) => Partial<FileHeader>;
}

/** A format as a mapping, and as little code as its tool makes necessary. */
interface Recipe extends Omit<Format, "open" | "mapping"> {
  /** A mapping file. */
  readonly mapping: string;
  readonly hook?: (head: Head) => Hook;
  /** Where the JSON is not simply what the file holds. */
  readonly document?: (head: Head) => unknown;
}

/** Whether a file has keys: each of `a | b` one of its names, with one of the prefixes before all of them. */
export function hasKeys(head: Head, keys: readonly string[], prefixes = [""]): boolean {
  return prefixes.some((prefix) =>
    keys.every((key) => key.split(" | ").some((name) => head.keys.has(prefix + name))),
  );
}

/** A format whose rows a mapping reads, with what its hook adds. */
export function createRecipe({ hook, document, ...recipe }: Recipe): Format {
  return {
    ...recipe,
    open: (files, heads) => {
      const [file, given] = [files[0]!, heads[0]!];
      const head = document === undefined ? given : { ...given, document: document(given) };
      return openRecipe(file, head, recipe, hook?.(head) ?? {});
    },
  };
}

function openRecipe(
  file: InputFile,
  head: Head,
  { name, mapping: text }: Pick<Recipe, "name" | "mapping">,
  { before, finish, header }: Hook,
): RowSource {
  const mapping = parseMapping(text, `the recipe of ${name}`);
  const mapper = createMapper(mapping);
  const fields = knownFieldsOf(mapping);
  const short = createShortLines(head.columns);
  let rows = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    rows = 0;
    let index = 0;
    const records =
      head.container === "csv" ? csvRecords(file, head, short) : jsonRows(file, head, mapping);
    for await (const batch of records)
      yield batch.flatMap((record) => {
        const place = { file: file.name, line: record.line, index };
        index += 1;
        if (!isObject(record.value))
          throw refusal({ file: file.name, line: record.line }, `row ${index} is not an object`);
        const seen = before?.(record.value) ?? record.value;
        const read = mapper.toRow(place, jsonCells(seen, record));
        if (read === null) return [];
        const known = { ...read, ...unreadOf(record.value, fields) };
        const row = finish === undefined ? known : finish(known, record);
        rows += row === null ? 0 : 1;
        return row ?? [];
      });
    if (index === 0 && head.container === "json" && !hasList(head.document, mapping))
      throw refusal({ file: file.name }, `the file has no rows at "${mapping.rows.join(" | ")}"`);
  }
  return {
    batches,
    header: () => {
      const told = mapper.header(head.document);
      const more = header?.(rows) ?? {};
      return { ...told, ...more, warnings: [...(more.warnings ?? []), ...sayShortLines(short)] };
    },
  };
}

/** Whether there is a list for rows, be it empty. */
const hasList = (document: unknown, { rows, orient }: Mapping): boolean =>
  orient !== undefined ||
  Array.isArray(document) ||
  rows.some((path) => Array.isArray(ownAt(document, ...(parseRowsPath(path)[0]?.keys ?? []))));

/** Records of CSV as objects; an empty cell is left out. */
async function* csvRecords(
  file: InputFile,
  head: Head,
  short: ReturnType<typeof createShortLines>,
): AsyncGenerator<readonly PlacedRow[]> {
  const { columns } = head;
  checkColumns(file.name, columns);
  for await (const batch of streamCsv(file, columns.length, short))
    yield batch.map(({ cells, line }) => ({
      line,
      outer: [],
      value: Object.fromEntries(
        columns.map((column, n) => [column, cells[n] === "" ? undefined : cells[n]]),
      ),
    }));
}
