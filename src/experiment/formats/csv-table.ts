import { refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";
import { NO_TEXT, NO_UTF8 } from "../input/json-document.ts";
import { BATCH_BYTES } from "../input/text-lines.ts";
import { type CsvRecord, readCsv } from "./csv-records.ts";
import type { Head } from "./format.ts";

const MAX_RECORD_CHARS = 16 * 1024 * 1024;
const MAX_COLUMNS = 4096;

/** Opens a table; `isRead` says which columns' missing cells count. */
export function openTable(head: Head, isRead: (column: string) => boolean) {
  const { file, columns, separator } = head;
  if (columns.length > MAX_COLUMNS)
    throw refusal(
      { file: file.name },
      `the CSV has ${columns.length} columns; at most ${MAX_COLUMNS} are read`,
    );
  // A column without a name, as an extra comma creates, is never missed.
  const last = columns.findLastIndex((column) => column !== "" && isRead(column));
  const short = { count: 0, first: [] as number[] };
  const how = { separator, maxRecordChars: MAX_RECORD_CHARS };
  const text = checkedPieces(file);
  /** The records after the header. Cells are text as written; short records are filled with empty cells, and noted. */
  async function* batches(): AsyncGenerator<readonly CsvRecord[]> {
    let header: CsvRecord | undefined;
    let index = 0;
    const toRow = (record: CsvRecord): CsvRecord => {
      const { cells, line } = record;
      index += 1;
      refuseAppended(file, record, header!.cells);
      if (cells.length > columns.length)
        throw refusal(
          { file: file.name, line },
          `row ${index} has ${cells.length} cells, the header ${columns.length}; a separator or a quote is not escaped`,
        );
      if (cells.length <= last && ++short.count <= MAX_LINES) short.first.push(line);
      while (cells.length < columns.length) cells.push("");
      return record;
    };
    let end: CsvRecord | undefined;
    for await (const records of readCsv(file.name, text.pieces(), how)) {
      end = records.at(-1) ?? end;
      if (text.isCut()) refuseCut(file, end, columns.length);
      const rows = header === undefined ? records.slice(1) : records;
      header ??= records[0];
      yield rows.map(toRow);
    }
  }
  return { batches, warnings: (): string[] => warnOfShort(short) };
}

/** Rejects a header with duplicate names; formats that write them, as promptfoo does, do not call it. */
export function refuseRepeats({ name, columns }: Head): void {
  const twice = columns.find((column, index) => column !== "" && columns.indexOf(column) !== index);
  if (twice !== undefined)
    throw refusal({ file: name }, `the column "${twice.slice(0, 80)}" is there twice; rename one`);
}

const MAX_LINES = 5;

/**
 * Warns of lines that end before the last column that is read. It is no error: Excel and many
 * scripts leave out empty cells at the end of a line, but so does a killed program in the middle
 * of one.
 */
function warnOfShort({ count, first }: { count: number; first: readonly number[] }): string[] {
  if (count === 0) return [];
  const more = count > MAX_LINES ? ` and ${count - MAX_LINES} more` : "";
  const [which, have] = count === 1 ? ["line", "has"] : ["lines", "have"];
  return [
    `${count} ${which} of the table ${have} fewer cells than its header (${which} ${first.join(", ")}${more}): what is missing counts as empty; end each with its empty cells if that is meant`,
  ];
}

/** A repeated header means that a run was appended to an older one: the rows of both would be judged as one. */
function refuseAppended(
  file: InputFile,
  { cells, line }: CsvRecord,
  header: readonly string[],
): void {
  if (header.length > 1 && header.every((column, n) => column === cells[n]))
    throw refusal(
      { file: file.name, line },
      "the header is here again: results were appended to others; write each run to a file of its own, or remove this line",
    );
}

/**
 * Rejects a short last record of a file that ends within a line, which a killed program leaves;
 * other short records are ordinary.
 */
function refuseCut(file: InputFile, last: CsvRecord | undefined, columns: number): void {
  if (last !== undefined && last.cells.length < columns)
    throw refusal(
      { file: file.name, line: last.line },
      `the last line ends after ${last.cells.length} of ${columns} cells, without a line break: the run that wrote it may have been killed; let it write the file again, or end the line`,
    );
}

/** A file's bytes, checked to be UTF-8, and whether they ended within a line. */
function checkedPieces(file: InputFile) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const check = (bytes?: Uint8Array): void => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw refusal({ file: file.name }, NO_UTF8);
    }
  };
  let [end, isOver] = [0, false];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.chunks()) {
      check(chunk);
      if (chunk.includes(0)) throw refusal({ file: file.name }, NO_TEXT);
      end = chunk.at(-1) ?? end;
      for (let at = 0; at < chunk.length; at += BATCH_BYTES)
        yield chunk.subarray(at, at + BATCH_BYTES);
    }
    check();
    isOver = true;
  }
  return { pieces, isCut: () => isOver && end !== LF && end !== CR };
}

const [LF, CR] = [10, 13];
