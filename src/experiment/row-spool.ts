import { createSpillFile } from "../files/spill-file.ts";
import { refusal } from "./input/diagnostic.ts";
import type { RowBody } from "./input/row.ts";
import { parseInOrder, shapeOf } from "./input/ordered-object.ts";

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

/** The spool of an experiment to be sent; throws if its rows were read for no upload. */
export function spoolOf({ spool }: { readonly spool: RowSpool | null }): RowSpool {
  if (spool === null) throw new Error("the rows were read for no upload");
  return spool;
}

/** From how many characters on rows become a batch. */
const BATCH_CHARS = 32 * 1024;

/**
 * Creates a spool for the rows of `file`: complete batches go to an unlinked file in `folder`. If
 * that is full, further rows are only measured, so that the refusal can say how much room is
 * needed.
 */
export function createRowSpool(file: string, folder: string) {
  const spill = createSpillFile(folder);
  const batches: { readonly bytes: number; readonly rows: number }[] = [];
  let texts: string[] = [];
  let [chars, spilled] = [0, 0];
  let isLost = false;
  const last = (): Buffer => Buffer.from(texts.join(","));
  /** All rows, in batches of whole ones. */
  function* joined(): Generator<JoinedRows> {
    let from = 0;
    for (const { bytes: length, rows } of batches) {
      const bytes = Buffer.allocUnsafe(length);
      spill.read(from, bytes);
      from += length;
      yield { bytes, rows };
    }
    if (texts.length > 0) yield { bytes: last(), rows: texts.length };
  }
  /** The same as values. */
  function* bodies(): Generator<readonly RowBody[]> {
    for (const { bytes } of joined()) {
      const text = `[${bytes.toString("utf8")}]`;
      const rows: unknown = JSON.parse(text);
      yield (shapeOf(rows, Infinity) === "indexed" ? parseInOrder(text) : rows) as RowBody[];
    }
  }
  return {
    add: (body: RowBody): void => {
      const text = JSON.stringify(body);
      texts.push(text);
      chars += text.length;
      if (chars < BATCH_CHARS) return;
      const bytes = last();
      batches.push({ bytes: bytes.length, rows: texts.length });
      isLost ||= !spill.write(bytes);
      spilled += bytes.length;
      [texts, chars] = [[], 0];
    },
    /** Throws a refusal if the disk did not take all rows; call it after the last row. */
    close: (): void => {
      if (isLost) throw refusal({ file }, noRoom(spilled + last().length, folder, spill.fault()));
    },
    joined,
    bodies,
  };
}

/** The rows of one experiment as they are sent: written once while the file is read, and read from here afterwards. */
export type RowSpool = ReturnType<typeof createRowSpool>;

/** Errors of a full disk, a quota and a file size limit. */
const FULL: readonly string[] = ["ENOSPC", "EDQUOT", "EFBIG"];

function noRoom(bytes: number, folder: string, code: string): string {
  const why = FULL.includes(code) ? "does not have that much room" : `takes no files (${code})`;
  return `the rows take ${renderBytes(bytes)} of a temporary folder, and ${folder} ${why}; free some, or set RUNNER_TEMP (command line: TMPDIR) to a folder on another disk`;
}
