import { Readable } from "node:stream";
import { DiagnosticError, refusal } from "../diagnostic.ts";
import type { InputFile } from "../input-file.ts";
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
const BATCH = 256;

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
  const { parse: createCsvParser } = await import("csv-parse");
  const parser = createCsvParser({
    relax_column_count: true,
    relax_quotes: false,
    skip_empty_lines: true,
    info: true,
    max_record_size: MAX_RECORD_CHARS,
  });
  const source = Readable.from(checkedChunks(file), { objectMode: false });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let batch: CsvRow[] = [];
  let index = -1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      index += 1;
      if (index === 0) continue;
      if (record.length > columns)
        throw refusal(
          { file: file.name, line: info.lines },
          `row ${index} has ${record.length} cells, the header ${columns}; a comma or a quote is not escaped`,
        );
      while (record.length < columns) record.push("");
      batch.push({ cells: record, line: info.lines, index: index - 1 });
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const { code, lines } = error as { code?: string; lines?: number };
    throw refusal(
      { file: file.name, line: lines ?? 1 },
      `the file is not valid CSV (${code ?? "cannot be read"}) near line ${lines ?? 1}; quote cells that hold commas, quotes or line breaks`,
    );
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (batch.length > 0) yield batch;
}

async function* checkedChunks(file: InputFile): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const check = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw refusal({ file: file.name }, "the file is not valid UTF-8; write it as UTF-8");
    }
  };
  for await (const chunk of utf8Chunks(file)) {
    check(chunk);
    yield chunk;
  }
  check();
}
