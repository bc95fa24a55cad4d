import { CLOSE_BRACE, COMMA, OPEN_BRACE } from "../model/json-bytes.ts";
import { type DiagnosticError, refusal } from "./diagnostic.ts";
import type { RowTexts } from "./formats/format.ts";
import type { IndexPass } from "./index-pass.ts";
import { REWRITTEN, VERBATIM, WITHOUT_ID } from "./row-identities.ts";
import type { ReadRow, Row } from "./row.ts";

/** Some rows as JSON in UTF-8, commas between them; the bytes hold only until the next are asked for. */
export interface JoinedRows {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** A row's beginning with an id of ours, which is written over the zeros. */
const ID_FIELD = Buffer.from('{"row_id":"00000000-0000-0000-0000-000000000000",');

const ID_AT = ID_FIELD.indexOf("0");

/**
 * Rows of the document's own format: their own text where it is right, behind an id of ours where
 * it lacks one; else written anew.
 */
export async function* ownTexts(
  batches: AsyncIterable<RowTexts>,
  indexPass: IndexPass,
  file: string,
): AsyncGenerator<JoinedRows> {
  let count = 0;
  let room = Buffer.alloc(0);
  let used = 0;
  const makeRoom = (bytes: number): void => {
    if (used + bytes <= room.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(used + bytes, Math.ceil(1.5 * room.length)));
    room.copy(wider, 0, 0, used);
    room = wider;
  };
  const put = (bytes: Buffer, from: number, to: number): void => {
    used += bytes.copy(room, used, from, to);
  };
  for await (const { texts, read } of batches) {
    used = 0;
    let left = texts.reduce((sum, { bytes }) => sum + bytes.length + 1 + ID_FIELD.length, 0);
    makeRoom(left);
    for (let n = 0; n < texts.length; n += 1) {
      const { bytes } = texts[n]!;
      const start = bytes[0] === OPEN_BRACE ? 0 : bytes.indexOf(OPEN_BRACE);
      const end = bytes.at(-1) === CLOSE_BRACE ? bytes.length : bytes.lastIndexOf(CLOSE_BRACE) + 1;
      const row = count++;
      const writing = start < 0 ? REWRITTEN : indexPass.writing(row);
      left -= bytes.length + 1 + ID_FIELD.length;
      if (n > 0) room[used++] = COMMA;
      if (writing === VERBATIM) put(bytes, start, end);
      else if (writing === WITHOUT_ID) {
        put(ID_FIELD, 0, ID_FIELD.length);
        indexPass.writeId(row, room, used - ID_FIELD.length + ID_AT);
        put(bytes, start + 1, end);
      } else {
        const written = Buffer.from(JSON.stringify(toRow(indexPass, read(n), row, file).body));
        makeRoom(written.length + left);
        put(written, 0, written.length);
      }
    }
    yield { bytes: room.subarray(0, used), rows: texts.length };
  }
  if (count !== indexPass.rows) throw changed(file);
}

/**
 * Rows written anew, each into bytes as soon as it is there: rows or texts that are kept until their batch is sent
 * outlive the space for new objects, and of a million they left 30 MB to collect.
 */
export async function* joinTexts(
  each: (take: (row: Row) => unknown) => AsyncIterable<readonly unknown[]>,
  change: (body: Row["body"]) => Row["body"],
): AsyncGenerator<JoinedRows> {
  let room = Buffer.alloc(0);
  let used = 0;
  const put = ({ body }: Row): void => {
    const text = JSON.stringify(change(body));
    const end = used + 1 + Buffer.byteLength(text);
    if (end > room.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(end, 2 * room.length));
      room.copy(wider, 0, 0, used);
      room = wider;
    }
    if (used > 0) room[used++] = COMMA;
    used += room.write(text, used);
  };
  for await (const rows of each(put)) {
    yield { bytes: room.subarray(0, used), rows: rows.length };
    used = 0;
  }
}

/** The refusal of a file that is not what the first pass read. */
export function changed(file: string): DiagnosticError {
  return refusal({ file }, "changed while it was read; let the step that writes it end first");
}

/** The n-th row as it is sent; refuses what the first pass did not see. */
export function toRow(indexPass: IndexPass, read: ReadRow, n: number, file: string): Row {
  if (n >= indexPass.rows) throw changed(file);
  return indexPass.toRow(read, n);
}
