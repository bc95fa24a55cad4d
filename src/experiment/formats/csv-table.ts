import { refusal } from "../diagnostic.ts";
import type { InputFile } from "../input-file.ts";
import { CsvError, createCsvReader, type CsvRecord } from "./csv-records.ts";
import { utf8Chunks } from "./objects.ts";

/** One CSV record: cells in the header's order. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
  /** From 0, without the header. */
  readonly index: number;
}

const MAX_RECORD_CHARS = 16 * 1024 * 1024;
const MAX_COLUMNS = 4096;

/** Refuses a header that no reader can use: too wide, or (unless repeats are the format's way) with a name twice. */
export function checkColumns(
  file: string,
  columns: readonly string[],
  repeats: "refused" | "expected" = "refused",
): void {
  if (columns.length > MAX_COLUMNS)
    throw refusal(
      { file },
      `the CSV has ${columns.length} columns; at most ${MAX_COLUMNS} are read`,
    );
  if (repeats === "expected") return;
  const twice = columns.find((column, index) => column !== "" && columns.indexOf(column) !== index);
  if (twice !== undefined)
    throw refusal({ file }, `the column "${twice.slice(0, 80)}" stands twice; rename one`);
}

/** Records behind the header, streamed; cells are text as written, short records are filled with empty cells. */
export async function* streamCsv(
  file: InputFile,
  columns: number,
): AsyncGenerator<readonly CsvRow[]> {
  const reader = createCsvReader({ maxRecordChars: MAX_RECORD_CHARS });
  let index = -1;
  let header: readonly string[] = [];
  const toRows = (records: readonly CsvRecord[]): CsvRow[] => {
    const rows: CsvRow[] = [];
    for (const { cells, line } of records) {
      index += 1;
      if (index === 0) {
        header = cells;
        continue;
      }
      refuseAppended(file, { cells, line }, header);
      if (cells.length > columns)
        throw refusal(
          { file: file.name, line },
          `row ${index} has ${cells.length} cells, the header ${columns}; a comma or a quote is not escaped`,
        );
      while (cells.length < columns) cells.push("");
      rows.push({ cells, line, index: index - 1 });
    }
    return rows;
  };
  let end = "";
  try {
    for await (const text of decodedPieces(file)) {
      end = text.at(-1) ?? end;
      yield toRows(reader.push(text));
    }
    const last = reader.end();
    if (!/[\r\n]/.test(end)) refuseCut(file, last.at(-1), columns);
    yield toRows(last);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal(
      { file: file.name, line: error.line },
      `the file is not valid CSV in line ${error.line}: ${error.message}; quote cells that hold commas, quotes or line breaks`,
    );
  }
}

/** The header stands again where a run was appended to an older one: the rows of both would be judged as one. */
function refuseAppended(
  file: InputFile,
  { cells, line }: CsvRecord,
  header: readonly string[],
): void {
  if (header.length > 1 && header.every((column, n) => column === cells[n]))
    throw refusal(
      { file: file.name, line },
      "the header stands here again: results were appended to others; write each run to a file of its own, or remove this line",
    );
}

/** A short record is an ordinary one; the last of a file that ends in the middle of its line is what a kill left. */
function refuseCut(file: InputFile, last: CsvRecord | undefined, columns: number): void {
  if (last !== undefined && last.cells.length < columns)
    throw refusal(
      { file: file.name, line: last.line },
      `the last line ends after ${last.cells.length} of ${columns} cells, without a line break: the run that wrote it may have been killed; let it write the file again, or end the line`,
    );
}

/** Bytes that are decoded at a time: what a batch of rows is made of. */
const PIECE_BYTES = 16 * 1024;

async function* decodedPieces(file: InputFile): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw refusal({ file: file.name }, "the file is not valid UTF-8; write it as UTF-8");
    }
  };
  for await (const chunk of utf8Chunks(file, { reuse: true }))
    for (let at = 0; at < chunk.length; at += PIECE_BYTES)
      yield decode(chunk.subarray(at, at + PIECE_BYTES));
  yield decode();
}
