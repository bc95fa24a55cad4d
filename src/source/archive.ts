import { createHash, type Hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { createSpillFile, type SpillFile } from "../files/spill-file.ts";
import { padding, tarEnd, tarHeader } from "./tar.ts";
import type { FoundFile } from "./tree.ts";

/** Files are read in pieces of this size. */
const PIECE = 1024 * 1024;
/** How many files are read per turn of the event loop. */
const TURN = 100;
/** The first line of a file that git-lfs did not fetch. */
const LFS_POINTER = Buffer.from("version https://git-lfs.github.com/spec/v1\n");
const MAX_POINTER_BYTES = 1024;

/** A packed tree of files whose hash depends only on their content. */
export interface Packing {
  /** SHA-256 of the uncompressed tar, 64 hex digits. */
  readonly hash: string;
  /** The same over the files that `counts` accepts; equal to `hash` if it accepts all. */
  readonly counted: string;
  readonly tarBytes: number;
  /** The files that are packed. */
  readonly files: readonly FoundFile[];
  /** Paths of files left out because they contain a secret. */
  readonly withSecret: readonly string[];
  readonly problems: readonly string[];
}

/** Which secrets to search for, and which files count as a change. */
export interface PackingRequest {
  readonly files: readonly FoundFile[];
  readonly secrets: readonly Buffer[];
  /** Whether changing the file at this path in the archive changes the source. */
  readonly counts: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/** Reads every file once: leaves out those with a secret, and hashes the rest as the tar to be built. */
export async function hashFiles(request: PackingRequest): Promise<Packing> {
  const { files, secrets, counts, signal } = request;
  let [whole, counted] = [createHash("sha256"), createHash("sha256")];
  const kept: FoundFile[] = [];
  const withSecret: string[] = [];
  const problems: string[] = [];
  let tarBytes = 0;
  for (const [at, file] of files.entries()) {
    // Check for a cancel between files.
    if (at % TURN === 0) await setImmediate();
    signal.throwIfAborted();
    // A file that turns out to contain a secret must leave no trace in the hashes.
    const trial = [whole.copy(), counted.copy()] as const;
    const sinks = counts(file.path) ? trial : trial.slice(0, 1);
    try {
      const bytes = hashEntry(file, secrets, sinks);
      if (bytes === null) withSecret.push(file.path);
      else {
        [whole, counted] = trial;
        kept.push(file);
        tarBytes += bytes;
      }
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  for (const sink of [whole, counted]) sink.update(tarEnd());
  return {
    hash: whole.digest("hex"),
    counted: counted.digest("hex"),
    tarBytes: tarBytes + tarEnd().length,
    files: kept,
    withSecret,
    problems,
  };
}

/** Hashes a file's entry in the tar; returns its bytes, or null if the file or its name contains a secret. */
function hashEntry(
  file: FoundFile,
  secrets: readonly Buffer[],
  sinks: readonly Hash[],
): number | null {
  // The name is uploaded too.
  if (createSearch(secrets)(Buffer.from(file.path))) return null;
  const holdsSecret = createSearch(secrets);
  let bytes = 0;
  const put = (piece: Buffer): void => {
    for (const sink of sinks) sink.update(piece);
    bytes += piece.length;
  };
  put(tarHeader(file));
  for (const piece of piecesOf(file)) {
    if (file.bytes <= MAX_POINTER_BYTES && piece.indexOf(LFS_POINTER) === 0)
      throw new Error(
        `${file.path} is a pointer of git-lfs, not the file itself; check out with lfs: true (git lfs pull), or leave it out in .dockerignore`,
      );
    if (holdsSecret(piece)) return null;
    put(piece);
  }
  put(padding(file.bytes));
  return bytes;
}

/** Whether the pieces of a text contain a secret so far, also one that crosses from piece to piece. */
function createSearch(secrets: readonly Buffer[]): (piece: Buffer) => boolean {
  const overlap = Math.max(1, ...secrets.map(({ length }) => length)) - 1;
  let tail: Buffer = Buffer.alloc(0);
  return (piece) => {
    const window = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
    tail = Buffer.from(window.subarray(Math.max(0, window.length - overlap)));
    return secrets.some((secret) => window.includes(secret));
  };
}

/** Does not open a link, and does not block on a pipe, that replaced the file in the meantime. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file, exactly as many bytes as it had when found. */
function* piecesOf({ file, path, bytes }: FoundFile): Generator<Buffer> {
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch (error) {
    throw new Error(`${path} cannot be read (${String((error as { code?: unknown }).code)})`);
  }
  try {
    let left = bytes;
    while (left > 0) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, left));
      const read = readSync(descriptor, piece, 0, piece.length, null);
      if (read === 0) break;
      left -= read;
      yield piece.subarray(0, read);
    }
    const about = fstatSync(descriptor);
    if (left > 0 || about.size !== bytes || !about.isFile())
      throw new Error(`${path} changed while it was read`);
  } finally {
    closeSync(descriptor);
  }
}

/** A compressed archive in an unlinked temporary file. */
export interface GzipArchive {
  readonly bytes: number;
  /** SHA-256 of the uncompressed tar. */
  readonly hash: string;
  /** Reads the archive from the start; may be called again. */
  readonly read: () => AsyncGenerator<Uint8Array>;
}

/** Compresses files in bounded memory. */
export async function compressFiles(
  files: readonly FoundFile[],
  folder: string | undefined,
  signal: AbortSignal,
): Promise<GzipArchive> {
  const spill = createSpillFile(folder);
  const hash = createHash("sha256");
  let bytes = 0;
  const put = (piece: Buffer): Buffer => {
    signal.throwIfAborted();
    hash.update(piece);
    return piece;
  };
  await pipeline(
    function* () {
      for (const file of files) {
        yield put(tarHeader(file));
        for (const piece of piecesOf(file)) yield put(piece);
        yield put(padding(file.bytes));
      }
      yield put(tarEnd());
    },
    createGzip(),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (!spill.write(chunk)) throw new Error("the archive cannot be put into a temporary file");
        bytes += chunk.length;
      }
    },
  );
  return { bytes, hash: hash.digest("hex"), read: () => readSpill(spill, bytes) };
}

async function* readSpill(spill: SpillFile, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += PIECE) {
    const piece = new Uint8Array(Math.min(PIECE, bytes - at));
    spill.read(at, piece);
    yield piece;
  }
}
