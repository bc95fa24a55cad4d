import type { Experiment } from "./experiment.ts";
import { chunksOf } from "./input/input-file.ts";
import type { HeaderBody } from "./input/row.ts";
import { type JoinedRows, spoolOf } from "./row-spool.ts";
import type { Trim } from "./exclusion.ts";

/** How many rows of a body have been read, and their bytes, commas included. */
export interface BodyProgress {
  readonly rows: number;
  readonly bytes: number;
}

/** Generates the request's exact bytes on demand, in bounded memory for any number of rows. */
export async function* streamBody(
  experiment: Pick<Experiment, "spool">,
  header: HeaderBody,
  how: {
    readonly trim?: Trim | undefined;
    readonly onProgress?: (at: BodyProgress) => void;
    readonly onRows?: (rows: Buffer) => void;
  } = {},
): AsyncGenerator<Uint8Array> {
  const at = { rows: 0, bytes: 0 };
  yield* chunksOf(Buffer.from(`${JSON.stringify(header).slice(0, -1)},"results":[`));
  for (const { bytes, rows } of rowsOf(experiment, how.trim)) {
    how.onRows?.(bytes);
    // In one piece, since each takes a write of its own.
    yield* chunksOf(at.rows === 0 ? bytes : Buffer.concat([COMMA, bytes]));
    at.bytes += bytes.length + 1;
    at.rows += rows;
    how.onProgress?.({ ...at });
  }
  yield Buffer.from("]}");
}

const COMMA = Buffer.from(",");

function* rowsOf(
  experiment: Pick<Experiment, "spool">,
  trim: Trim | undefined,
): Generator<JoinedRows> {
  const spool = spoolOf(experiment);
  if (trim === undefined) return yield* spool.joined();
  for (const bodies of spool.bodies()) {
    const texts = bodies.map((body) => JSON.stringify(trim.apply(body)));
    yield { bytes: Buffer.from(texts.join(",")), rows: bodies.length };
  }
}
