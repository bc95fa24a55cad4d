import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { createSpillFile, type SpillFile } from "../files/spill-file.ts";
import { padding, tarEnd, tarHeader } from "./tar.ts";
import type { FoundFile } from "./tree.ts";

/** Files up to this size are read whole, larger ones in pieces of it. */
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
  const [whole, counted] = [createHash("sha256"), createHash("sha256")];
  const kept: FoundFile[] = [];
  const withSecret: string[] = [];
  const problems: string[] = [];
  let tarBytes = 0;
  for (const [at, file] of files.entries()) {
    // Check for a cancel between files.
    if (at % TURN === 0) await setImmediate();
    signal.throwIfAborted();
    const looked = await lookInto(file, secrets);
    if (looked.state === "problem") problems.push(looked.why);
    else if (looked.state === "secret") withSecret.push(file.path);
    else {
      const sinks = counts(file.path) ? [whole, counted] : [whole];
      kept.push(file);
      try {
        for await (const bytes of entryOf(file, looked.content)) {
          for (const sink of sinks) sink.update(bytes);
          tarBytes += bytes.length;
        }
      } catch (error) {
        problems.push((error as Error).message);
      }
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

/** A file's entry in the tar; `content` if it was already read. */
async function* entryOf(
  file: FoundFile,
  content: Buffer | null = null,
): AsyncGenerator<Uint8Array> {
  yield tarHeader(file);
  if (content === null) yield* piecesOf(file);
  else yield content;
  yield padding(file.bytes);
}

type Look =
  /** The content of a small file; null for a large one, which is read again. */
  | { readonly state: "clean"; readonly content: Buffer | null }
  | { readonly state: "secret" }
  | { readonly state: "problem"; readonly why: string };

/** Checks whether a file may be packed. */
async function lookInto(file: FoundFile, secrets: readonly Buffer[]): Promise<Look> {
  // The name is uploaded too.
  const name = Buffer.from(file.path);
  if (secrets.some((secret) => name.includes(secret))) return { state: "secret" };
  try {
    if (file.bytes > PIECE)
      return (await holdsAny(file, secrets))
        ? { state: "secret" }
        : { state: "clean", content: null };
    let content: Buffer = Buffer.alloc(0);
    for await (const piece of piecesOf(file)) content = piece;
    if (
      content.length <= MAX_POINTER_BYTES &&
      content.subarray(0, LFS_POINTER.length).equals(LFS_POINTER)
    )
      return {
        state: "problem",
        why: `${file.path} is a pointer of git-lfs, not the file itself; check out with lfs: true (git lfs pull), or leave it out in .dockerignore`,
      };
    return secrets.some((secret) => content.includes(secret))
      ? { state: "secret" }
      : { state: "clean", content };
  } catch (error) {
    return { state: "problem", why: (error as Error).message };
  }
}

async function holdsAny(file: FoundFile, secrets: readonly Buffer[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  const overlap = Math.max(...secrets.map(({ length }) => length)) - 1;
  let tail: Buffer = Buffer.alloc(0);
  for await (const piece of piecesOf(file)) {
    const window = Buffer.concat([tail, piece]);
    if (secrets.some((secret) => window.includes(secret))) return true;
    tail = Buffer.from(window.subarray(Math.max(0, window.length - overlap)));
  }
  return false;
}

/** Does not open a link, and does not block on a pipe, that replaced the file in the meantime. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file, exactly as many bytes as it had when found; a small one in one piece. */
async function* piecesOf({ file, path, bytes }: FoundFile): AsyncGenerator<Buffer> {
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

async function* tarOf(files: readonly FoundFile[]): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* entryOf(file);
  yield tarEnd();
}

/** Compresses files in bounded memory. */
export async function compressFiles(
  files: readonly FoundFile[],
  folder: string | undefined,
  signal: AbortSignal,
): Promise<GzipArchive> {
  const spill = createSpillFile(folder);
  const hash = createHash("sha256");
  const gzip = createGzip();
  let bytes = 0;
  const written = (async () => {
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      if (!spill.write(chunk)) throw new Error("the archive cannot be put into a temporary file");
      bytes += chunk.length;
    }
  })();
  try {
    for await (const piece of tarOf(files)) {
      signal.throwIfAborted();
      hash.update(piece);
      if (!gzip.write(piece))
        await Promise.race([new Promise((resolve) => gzip.once("drain", resolve)), written]);
    }
    gzip.end();
    await written;
  } catch (error) {
    gzip.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  return { bytes, hash: hash.digest("hex"), read: () => readSpill(spill, bytes) };
}

async function* readSpill(spill: SpillFile, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += PIECE) {
    const piece = new Uint8Array(Math.min(PIECE, bytes - at));
    spill.read(at, piece);
    yield piece;
  }
}
