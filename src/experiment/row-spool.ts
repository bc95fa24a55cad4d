import { createSpillFile } from "../files/spill-file.ts";
import { createNumbers } from "./row-id.ts";
import { refusal } from "./input/diagnostic.ts";
import type { RowBody } from "./input/row.ts";

/** Bytes as people read them. */
export function renderBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Some rows as JSON in UTF-8, commas between them; the bytes hold only until the next are asked for. */
export interface JoinedRows {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** The rows of one experiment as they are sent: written once while the file is read, and read from here ever after. */
export interface RowSpool {
  readonly add: (body: RowBody) => void;
  readonly rows: () => number;
  /** Throws a refusal where the disk did not take all rows; to be asked when the last was added. */
  readonly close: () => void;
  readonly bodyAt: (row: number) => RowBody;
  /** All rows, some whole ones at a time. */
  readonly joined: () => Generator<JoinedRows>;
}

const FIRST_BYTES = 8 * 1024;
const MOST_BYTES = 256 * 1024;
/** As many bytes as a chunk of the body has. */
const JOINED_BYTES = 64 * 1024;
const COMMA = 44;

/**
 * A spool for the rows of `file`: what one buffer does not hold goes to a file without a name in
 * `folder`. Where that is full, the rows are only measured from there on, so that the refusal knows
 * how much room it takes.
 */
export function createRowSpool(file: string, folder: string): RowSpool {
  const spill = createSpillFile(folder);
  /** Where each row ends. */
  const ends = createNumbers(Float64Array);
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let [spilled, used, rows] = [0, 0, 0];
  let isLost = false;
  const put = (bytes: Uint8Array): void => {
    isLost ||= !spill.write(bytes);
    spilled += bytes.length;
  };
  const flush = (): void => {
    if (used > 0) put(buffer.subarray(0, used));
    used = 0;
  };
  const makeRoom = (bytes: number): void => {
    if (used + bytes <= buffer.length) return;
    if (used + bytes > MOST_BYTES) flush();
    if (used + bytes <= buffer.length) return;
    const wider = Buffer.allocUnsafeSlow(
      Math.min(MOST_BYTES, Math.max(used + bytes, 2 * buffer.length)),
    );
    buffer.copy(wider, 0, 0, used);
    buffer = wider;
  };
  const read = (from: number, into: Buffer): void => {
    const behind = Math.max(0, Math.min(into.length, spilled - from));
    if (behind > 0) spill.read(from, into.subarray(0, behind));
    if (behind < into.length)
      buffer.copy(into, behind, from + behind - spilled, from + into.length - spilled);
  };
  const beginOf = (row: number): number => (row === 0 ? 0 : ends.get(row - 1) + 1);
  function* joined(): Generator<JoinedRows> {
    let room = Buffer.alloc(0);
    for (let first = 0, next = 0; first < rows; first = next) {
      const from = beginOf(first);
      for (next = first + 1; next < rows && ends.get(next) - from <= JOINED_BYTES; ) next += 1;
      const length = ends.get(next - 1) - from;
      if (room.length < length) room = Buffer.allocUnsafeSlow(Math.max(JOINED_BYTES, length));
      const bytes = room.subarray(0, length);
      read(from, bytes);
      yield { bytes, rows: next - first };
    }
  }
  return {
    add: (body) => {
      const text = JSON.stringify(body);
      // A UTF-16 unit is at most three bytes of UTF-8.
      const most = 3 * text.length + 1;
      if (most > MOST_BYTES) {
        makeRoom(1);
        if (rows > 0) buffer[used++] = COMMA;
        flush();
        put(Buffer.from(text));
      } else {
        makeRoom(most);
        if (rows > 0) buffer[used++] = COMMA;
        used += buffer.write(text, used);
      }
      ends.set(rows, spilled + used);
      rows += 1;
    },
    rows: () => rows,
    close: () => {
      if (isLost) throw refusal({ file }, noRoom(spilled + used, folder, spill.fault()));
    },
    bodyAt: (row) => {
      const bytes = Buffer.allocUnsafe(ends.get(row) - beginOf(row));
      read(beginOf(row), bytes);
      return JSON.parse(bytes.toString("utf8")) as RowBody;
    },
    joined,
  };
}

/** What a full disk, a quota and a limit on the size of files answer. */
const FULL: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];

function noRoom(bytes: number, folder: string, code: string): string {
  const why = FULL.includes(code) ? "does not have that much room" : `takes no files (${code})`;
  return `the rows take ${renderBytes(bytes)} of a temporary folder, and ${folder} ${why}; free some, or set RUNNER_TEMP (command line: TMPDIR) to a folder on another disk`;
}
