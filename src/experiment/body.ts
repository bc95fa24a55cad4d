import type { Experiment } from "./experiment.ts";
import { ROW_FIELDS, type HeaderBody, type RowBody } from "./row.ts";

const CHUNK_BYTES = 64 * 1024;

/** Row fields that `drop` may leave out: those the service does not need. */
export const DROPPABLE: readonly string[] = ["expected_outputs", "actual_outputs", "evaluation_scores", "run_name", "run_metadata"];

/** How far a body has been handed out. */
export interface BodyProgress { readonly rows: number; readonly bytes: number }

/** The request's exact bytes in chunks of 64 KiB, made while they are asked for: memory is bounded whatever the number of rows. */
export async function* streamBody(experiment: Experiment, header: HeaderBody, how: { readonly drop: readonly string[]; readonly onProgress?: (at: BodyProgress) => void }): AsyncGenerator<Uint8Array> {
  const writer = createChunks();
  const at = { rows: 0, bytes: 0 };
  yield* writer.add(Buffer.from(`${JSON.stringify(header).slice(0, -1)},"results":[`));
  for await (const batch of experiment.texts(how.drop)) {
    for (const row of batch) {
      if (at.rows > 0) yield* writer.add(COMMA);
      at.bytes += row.length + 1;
      at.rows += 1;
      if (writer.fits(row)) writer.put(row);
      else yield* writer.add(row);
    }
    how.onProgress?.({ ...at });
  }
  yield* writer.add(Buffer.from("]}"));
  const last = writer.rest();
  if (last.length > 0) yield last;
}

const COMMA = Buffer.from(",");

/** Collects pieces into chunks of one size; pieces are copied, so that their memory may be used again. */
function createChunks(): { fits: (piece: Uint8Array) => boolean; put: (piece: Uint8Array) => void; add: (piece: Uint8Array) => Generator<Uint8Array>; rest: () => Uint8Array } {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let length = 0;
  const put = (piece: Uint8Array): void => {
    chunk.set(piece, length);
    length += piece.length;
  };
  function* add(piece: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + CHUNK_BYTES - length);
      put(part);
      at += part.length;
      if (length < CHUNK_BYTES) continue;
      yield chunk;
      chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      length = 0;
    }
  }
  return { fits: (piece) => piece.length < CHUNK_BYTES - length, put, add, rest: () => chunk.subarray(0, length) };
}

/** How many bytes each row field takes in the body, the heaviest first; reads all rows again, so only where the service refused the size. */
export async function weighFields(experiment: Experiment): Promise<{ field: keyof RowBody; bytes: number }[]> {
  const weights = new Map<keyof RowBody, number>();
  for await (const batch of experiment.batches()) {
    for (const { body } of batch) {
      for (const field of ROW_FIELDS) {
        const value = body[field];
        if (value !== undefined) weights.set(field, (weights.get(field) ?? 0) + Buffer.byteLength(JSON.stringify(value)) + field.length + 4);
      }
    }
  }
  return [...weights].map(([field, bytes]) => ({ field, bytes })).sort((a, b) => b.bytes - a.bytes);
}

/** What to do about a body that is too large, in one sentence: which fields weigh most, and which can go. */
export async function renderSizePlan(experiment: Experiment, dropped: readonly string[]): Promise<string> {
  const weights = (await weighFields(experiment)).filter(({ field }) => !dropped.includes(field));
  const total = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  const heaviest = weights.slice(0, 4).map(({ field, bytes }) => `${field} ${renderBytes(bytes)} (${Math.round((100 * bytes) / Math.max(1, total))} %)`).join(", ");
  const candidate = weights.find(({ field }) => field === "run_metadata");
  const advice = candidate === undefined
    ? "split the file, or shorten its longest outputs"
    : `drop: run_metadata leaves ${renderBytes(total - candidate.bytes)}`;
  return `the rows weigh ${renderBytes(total)}: ${heaviest}; ${advice}; clients of the service keep to 20 to 25 MB`;
}

/** Bytes as people read them. */
export function renderBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
