import { createHash } from "node:crypto";
import { constants, lstatSync, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { hasMagic } from "../../files/glob.ts";
import { createWorkspace, type Workspace, type WorkspaceOptions } from "../../files/workspace.ts";
import type { Diagnostic } from "../../spec/desired.ts";
import { diagnosticAt, refusal } from "./diagnostic.ts";

/**
 * A result file, which is read once: what was read is judged and sent, whatever happens to the
 * file in the meantime.
 */
export interface InputFile {
  /** Relative to the workspace, with `/`, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** At most `bytes` from the start, after any byte order mark; `chunks` yields them again. */
  readonly head: (bytes: number) => Promise<Buffer>;
  /** The whole content, once; a chunk is valid only until the next one is requested. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** The open file, for a reader that chooses positions; what it reads is in no digest. */
  readonly seekable: () => Promise<number>;
  readonly close: () => Promise<void>;
  /** Adds what was read by position, or a substitute, to the digest. */
  readonly note: (read: string) => void;
  /** sha256 of everything read, in base64. */
  readonly digest: () => string;
  /** Whether the file has changed since it was opened. */
  readonly isChanged: () => boolean;
}

/** How much is read or sent at a time, so that a slow reader holds back a row of any size. */
const CHUNK_BYTES = 64 * 1024;

/** Bytes in parts that are not large. */
export function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Some programs write a byte order mark before UTF-8. */
const MARK = Buffer.from("\uFEFF");

const withoutMark = (beginning: Buffer): Buffer =>
  beginning.subarray(0, MARK.length).equals(MARK) ? beginning.subarray(MARK.length) : beginning;

/**
 * Opens the files matched by a list of patterns (syntax in src/files/glob.ts) or, with `exact`,
 * the files at these paths; unusable ones are problems.
 */
export async function findInputFiles(
  patterns: readonly string[],
  places: WorkspaceOptions,
  exact = false,
): Promise<{ files: InputFile[]; problems: Diagnostic[] }> {
  const { root } = places;
  const workspace = createWorkspace(places);
  const problems: Diagnostic[] = [];
  const paths = exact ? patterns : await findPaths(patterns, workspace, problems);
  const files = new Map<string, InputFile>();
  for (const name of paths) {
    try {
      const { real, bytes, modifiedMs } = await workspace.inspect(name);
      const absolute = path.resolve(root, name);
      const shown = path.relative(path.resolve(root), absolute).split(path.sep).join("/") || name;
      files.set(shown, fileAt(real, shown, { sizeBytes: bytes, mtimeMs: modifiedMs }));
    } catch (error) {
      problems.push(diagnosticAt({ file: name }, (error as Error).message));
    }
  }
  return { files: [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

async function findPaths(
  patterns: readonly string[],
  workspace: Workspace,
  problems: Diagnostic[],
): Promise<readonly string[]> {
  try {
    const { paths, unmatched } = await workspace.find(patterns);
    for (const pattern of unmatched)
      problems.push(
        diagnosticAt(
          { file: pattern },
          hasMagic(pattern)
            ? "no file matches; paths are relative to the workspace"
            : "there is no such file; check the path and that the step before wrote it",
        ),
      );
    if (paths.length === 0 && unmatched.length === 0)
      problems.push(diagnosticAt({ file: patterns.join(", ") }, "no file is left to read"));
    return paths;
  } catch (error) {
    problems.push(diagnosticAt({ file: patterns[0] ?? "" }, (error as Error).message));
    return [];
  }
}

function openWithoutLinks(real: string, name: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  return open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((error: { code?: string }) => {
    throw refusal({ file: name }, `cannot be read (${error.code ?? "error"})`);
  });
}

/** Reads until the buffer is full or the file ends. */
async function readFully(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  let length = 0;
  for (let read = -1; read !== 0 && length < into.length; length += read)
    read = (await file.read(into, length, into.length - length, position + length)).bytesRead;
  return into.subarray(0, length);
}

/** Whether a path still has the same file with the same content. */
const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

function fileAt(
  real: string,
  name: string,
  at: { readonly sizeBytes: number; readonly mtimeMs: number },
): InputFile {
  const hash = createHash("sha256");
  let digest: string | undefined;
  let first: Stats | undefined;
  let handle: FileHandle | undefined;
  let head: Buffer = Buffer.alloc(0);
  const close = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };
  const opened = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    handle = await openWithoutLinks(real, name);
    first = await handle.stat();
    if (first.isFile()) return handle;
    await close();
    throw refusal({ file: name }, "cannot be read: it is not a regular file any more");
  };
  const holdHead = async (bytes: number): Promise<FileHandle> => {
    const file = await opened();
    const more = Buffer.allocUnsafe(Math.max(0, bytes - head.length));
    const read = await readFully(file, more, head.length);
    hash.update(read);
    head = Buffer.concat([head, read]);
    return file;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const file = await holdHead(MARK.length);
    const start = head.length;
    const held = withoutMark(head);
    head = Buffer.alloc(0);
    try {
      yield* chunksOf(held);
      const rest = file.createReadStream({ start, highWaterMark: CHUNK_BYTES, autoClose: false });
      for await (const chunk of rest as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
      }
    } finally {
      await close();
    }
  }
  return {
    name,
    ...at,
    head: async (bytes) => {
      await holdHead(bytes);
      if (withoutMark(head) !== head) await holdHead(bytes + MARK.length);
      return withoutMark(head).subarray(0, bytes);
    },
    chunks,
    seekable: async () => (await opened()).fd,
    close,
    note: (read) => {
      hash.update(read);
    },
    digest: () => (digest ??= hash.digest("base64")),
    isChanged: () => {
      try {
        return first !== undefined && !isSame(first, lstatSync(real));
      } catch {
        return true;
      }
    },
  };
}

/**
 * Memory that is freed at once when resized to nothing; a Buffer would wait for the garbage
 * collector, while text and values take memory too.
 */
type ResizableMemory = ArrayBuffer & { readonly resize: (bytes: number) => void };
const ResizableBuffer = ArrayBuffer as unknown as new (
  bytes: number,
  how: { readonly maxByteLength: number },
) => ResizableMemory;

/** All bytes of a file whose format cannot be streamed; rejects larger ones. */
export async function readWhole(
  file: InputFile,
  maxBytes: number,
  tooLong: (bytes: number) => string = () =>
    `the file is larger than ${maxBytes / 1024 / 1024} MiB, which this format cannot be read at; split it, or write JSONL`,
): Promise<Buffer> {
  const fits = (bytes: number): number => {
    if (bytes > maxBytes) throw refusal({ file: file.name }, tooLong(bytes));
    return bytes;
  };
  const memory = new ResizableBuffer(fits(file.sizeBytes), { maxByteLength: maxBytes });
  let length = 0;
  for await (const chunk of file.chunks()) {
    const end = fits(length + chunk.length);
    if (end > memory.byteLength) memory.resize(Math.min(maxBytes, 2 * end));
    new Uint8Array(memory).set(chunk, length);
    length = end;
  }
  return Buffer.from(memory, 0, length);
}

/** Frees the bytes of a file that was read whole. */
export const release = ({ buffer }: Buffer): void => (buffer as ResizableMemory).resize(0);
