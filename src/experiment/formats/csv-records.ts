import { finished } from "node:stream/promises";
import { type CsvError, parse } from "csv-parse";
import { parse as parseAll } from "csv-parse/sync";
import { refusal } from "../input/diagnostic.ts";
import type { Head } from "./format.ts";

/** One CSV record and its first line, counted from 1. */
export interface CsvRecord {
  readonly cells: string[];
  readonly line: number;
}

/** Messages for the parser's error codes. */
const WORDS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: "a quote is inside of a cell that is not in quotes",
  CSV_INVALID_CLOSING_QUOTE: "a quote inside of a cell is not doubled",
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
};

/** What the parser threw, as a refusal of the file; `next` is the line after the last record. */
function toRefusal(file: string, error: unknown, next: number, maxRecordChars: number): unknown {
  const { code, lines = next } = error as CsvError & { readonly lines?: number };
  const isLong = code === "CSV_MAX_RECORD_SIZE";
  const words = isLong ? `a record is longer than ${maxRecordChars} characters` : WORDS[code];
  if (words === undefined) return error;
  const line = isLong || code === "CSV_QUOTE_NOT_CLOSED" ? next : lines;
  return refusal(
    { file, line },
    `the file is not valid CSV in line ${line}: ${words}; quote cells that hold separators, quotes or line breaks`,
  );
}

/** Lines end in LF or CRLF, or in CR if the first one does; a chunk that ends in CR may have its LF in the next. */
function breaksOf(text: string): string[] {
  return /^[^\r\n]*\r[^\n]/.test(text) ? ["\r"] : ["\r\n", "\n"];
}

const countBreaks = (cells: readonly string[], end: string): number => {
  let count = 0;
  for (const cell of cells)
    for (let at = cell.indexOf(end); at >= 0; at = cell.indexOf(end, at + 1)) count += 1;
  return count;
};

/** Parses UTF-8 CSV from chunks: yields the records that each chunk completes, and skips lines without values. */
export async function* readCsv(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { separator, maxRecordChars }: { readonly separator: string; readonly maxRecordChars: number },
): AsyncGenerator<readonly CsvRecord[]> {
  let records: CsvRecord[] = [];
  let parser: ReturnType<typeof parse> | undefined;
  /** The line after the last record. */
  let next = 1;
  const open = (first: Buffer): ReturnType<typeof parse> => {
    const ends = breaksOf(first.toString("latin1"));
    const made = parse({
      delimiter: separator,
      record_delimiter: ends,
      relax_column_count: true,
      skip_empty_lines: true,
      // Spreadsheets end a table with lines of commas.
      skip_records_with_empty_values: true,
      max_record_size: maxRecordChars,
      on_record: (cells: string[], { lines }) => {
        records.push({ cells, line: lines - countBreaks(cells, ends.at(-1)!) });
        next = lines + 1;
        return null;
      },
    });
    made.on("error", () => undefined);
    made.resume();
    return made;
  };
  try {
    for await (const piece of pieces) {
      // The parser keeps unparsed bytes, but the chunk's memory is reused.
      const bytes = Buffer.from(piece);
      parser ??= open(bytes);
      await new Promise<void>((resolve, reject) => {
        parser!.write(bytes, (error) => (error == null ? resolve() : reject(error)));
      });
      yield records;
      records = [];
    }
    if (parser === undefined) return;
    parser.end();
    await finished(parser);
  } catch (error) {
    throw toRefusal(file, error, next, maxRecordChars);
  }
  yield records;
}

/** The first records of a text that may be cut off after them; a quote within a cell is text. */
export function firstRecords(
  { text, separator }: Pick<Head, "text" | "separator">,
  count: number,
): string[][] {
  const found: string[][] = [];
  try {
    parseAll(text, {
      delimiter: separator,
      record_delimiter: breaksOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: count,
      on_record: (cells: string[]) => {
        found.push(cells);
        return null;
      },
    });
  } catch (error) {
    // Cut off within quotes: the records before it are complete.
    if (found.length === 0) throw error;
  }
  return found.slice(0, count);
}
