import { createSpillFile } from "../files/spill-file.ts";
import { createNumbers } from "./row-id.ts";
import { refusal } from "./input/diagnostic.ts";
import type { RowBody } from "./input/row.ts";

/** A number of bytes for people. */
export function renderBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Some rows as JSON in UTF-8, separated by commas. */
export interface JoinedRows {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** The rows of one experiment as they are sent: written once while the file is read, and read from here afterwards. */
export interface RowSpool {
  readonly add: (body: RowBody) => void;
  readonly rows: () => number;
  /** Throws a refusal if the disk did not take all rows; call it after the last row. */
  readonly close: () => void;
  readonly bodyAt: (row: number) => RowBody;
  /** All rows, in batches of whole ones. */
  readonly joined: () => Generator<JoinedRows>;
}

/** The spool of an experiment to be sent; throws if its rows were read for no upload. */
export function spoolOf({ spool }: { readonly spool: RowSpool | null }): RowSpool {
  if (spool === null) throw new Error("the rows were read for no upload");
  return spool;
}

/** Memory for rows, and how many bytes are read at a time. */
const BUFFER_BYTES = 128 * 1024,
  JOINED_BYTES = 64 * 1024;
const COMMA = 44;

/**
 * Creates a spool for the rows of `file`: rows beyond one buffer go to an unlinked file in
 * `folder`. If that is full, further rows are only measured, so that the refusal can say how much
 * room is needed.
 */
export function createRowSpool(file: string, folder: string): RowSpool {
  const spill = createSpillFile(folder);
  /** Where each row ends, including a comma before all but the first. */
  const ends = createNumbers(Float64Array);
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let [spilled, used, rows] = [0, 0, 0];
  let isLost = false;
  const put = (bytes: Uint8Array): void => {
    isLost ||= !spill.write(bytes);
    spilled += bytes.length;
  };
  const flush = (): void => {
    put(buffer.subarray(0, used));
    used = 0;
  };
  const read = (from: number, to: number): Buffer => {
    const into = Buffer.allocUnsafe(to - from);
    const inFile = Math.max(0, Math.min(to, spilled) - from);
    if (inFile > 0) spill.read(from, into.subarray(0, inFile));
    if (to > spilled) buffer.copy(into, inFile, from + inFile - spilled, to - spilled);
    return into;
  };
  const beginOf = (row: number): number => (row === 0 ? 0 : ends.get(row - 1) + 1);
  function* joined(): Generator<JoinedRows> {
    for (let first = 0, next = 0; first < rows; first = next) {
      const from = beginOf(first);
      for (next = first + 1; next < rows && ends.get(next) - from <= JOINED_BYTES; ) next += 1;
      yield { bytes: read(from, ends.get(next - 1)), rows: next - first };
    }
  }
  return {
    add: (body) => {
      const text = JSON.stringify(body);
      // A UTF-16 unit takes at most three bytes of UTF-8.
      const most = 3 * text.length + 1;
      if (used + most > BUFFER_BYTES) flush();
      if (rows > 0) buffer[used++] = COMMA;
      if (most <= BUFFER_BYTES) used += buffer.write(text, used);
      else {
        flush();
        put(Buffer.from(text));
      }
      ends.set(rows, spilled + used);
      rows += 1;
    },
    rows: () => rows,
    close: () => {
      if (isLost) throw refusal({ file }, noRoom(spilled + used, folder, spill.fault()));
    },
    bodyAt: (row) => JSON.parse(read(beginOf(row), ends.get(row)).toString("utf8")) as RowBody,
    joined,
  };
}

/** Errors of a full disk, a quota and a file size limit. */
const FULL: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];

function noRoom(bytes: number, folder: string, code: string): string {
  const why = FULL.includes(code) ? "does not have that much room" : `takes no files (${code})`;
  return `the rows take ${renderBytes(bytes)} of a temporary folder, and ${folder} ${why}; free some, or set RUNNER_TEMP (command line: TMPDIR) to a folder on another disk`;
}
