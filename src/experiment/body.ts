import type { Experiment } from "./experiment.ts";
import type { HeaderBody } from "./input/row.ts";
import type { JoinedRows } from "./row-spool.ts";
import type { Trim } from "./exclusion.ts";

const CHUNK_BYTES = 64 * 1024;
/**
 * Buffers that the chunks take turns in. The HTTP client holds two chunks at most, one in the
 * socket and one before it, since a chunk fills a socket's buffer and the next is asked for when
 * that is empty; without turns each body would leave 60 MB to collect.
 */
const TURNS = 8;

/** How far a body has been handed out. */
export interface BodyProgress {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * The request's exact bytes in chunks of 64 KiB, made while they are asked for: memory is bounded
 * whatever the number of rows. A chunk's bytes hold until seven more were asked for.
 */
export async function* streamBody(
  experiment: Pick<Experiment, "spool">,
  header: HeaderBody,
  how: {
    readonly trim?: Trim | undefined;
    readonly onProgress?: (at: BodyProgress) => void;
    /** Gets whole rows as they are sent. */
    readonly onRows?: (rows: Buffer) => void;
  } = {},
): AsyncGenerator<Uint8Array> {
  const writer = createChunks();
  const at = { rows: 0, bytes: 0 };
  yield* writer.add(Buffer.from(`${JSON.stringify(header).slice(0, -1)},"results":[`));
  for (const { bytes, rows } of rowsOf(experiment, how.trim)) {
    if (at.rows > 0) yield* writer.add(COMMA);
    how.onRows?.(bytes);
    yield* writer.add(bytes);
    at.bytes += bytes.length + 1;
    at.rows += rows;
    how.onProgress?.({ ...at });
  }
  yield* writer.add(Buffer.from("]}"));
  const last = writer.rest();
  if (last.length > 0) yield last;
}

const COMMA = Buffer.from(",");

/** The rows as the spool has them, or as `drop` leaves them. */
function* rowsOf(
  { spool }: Pick<Experiment, "spool">,
  trim: Trim | undefined,
): Generator<JoinedRows> {
  if (trim === undefined) yield* spool.joined();
  else
    for (let row = 0; row < spool.rows(); row += 1)
      yield { bytes: Buffer.from(JSON.stringify(trim.apply(spool.bodyAt(row)))), rows: 1 };
}

/** Collects pieces into chunks of one size; pieces are copied, so that their memory may be used again. */
function createChunks(): {
  add: (piece: Uint8Array) => Generator<Uint8Array>;
  rest: () => Uint8Array;
} {
  const turns: Buffer[] = [];
  let turn = 0;
  const nextChunk = (): Buffer => {
    turn = (turn + 1) % TURNS;
    turns[turn] ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
    return turns[turn]!;
  };
  let chunk = nextChunk();
  let length = 0;
  function* add(piece: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + CHUNK_BYTES - length);
      chunk.set(part, length);
      length += part.length;
      at += part.length;
      if (length < CHUNK_BYTES) continue;
      yield chunk;
      chunk = nextChunk();
      length = 0;
    }
  }
  return { add, rest: () => chunk.subarray(0, length) };
}
