import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { createContentCheck } from "../files/content-check.ts";
import { hasMagic } from "../files/glob.ts";
import { createWorkspace, type Workspace } from "../files/workspace.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { diagnosticAt, refusal } from "./diagnostic.ts";

/** A result file that may be read any number of times; it is refused when it changes in between. */
export interface InputFile {
  /** Relative to the workspace, with `/`, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** From the beginning, 256 KiB at a time; with `reuse` a chunk's bytes hold only until the next is asked for. */
  readonly chunks: (how?: { readonly reuse: boolean }) => AsyncIterable<Uint8Array>;
  /** The first bytes, at most `bytes` of them. */
  readonly head: (bytes: number) => Promise<Buffer>;
  /**
   * For reading at any position; whoever opens it closes it, and asks `assertUnchanged` when all is
   * read. Absent where the file is in memory.
   */
  readonly open?: () => Promise<FileHandle>;
  /** Bytes at a place of the file; null where the file changed since it was last read whole. */
  readonly bytesAt?: (from: number, length: number) => Buffer | null;
  /** Rejects when the bytes are not those of the first whole pass. */
  readonly assertUnchanged?: () => Promise<void>;
  /** sha256 of the first whole pass; null before it. Absent where the file is in memory. */
  readonly digest?: () => string | null;
}

/** Where files may lie: the workspace and the runner's temp, symlinks resolved. */
export interface InputPlaces {
  readonly root: string;
  readonly alsoAllowed?: readonly string[];
  readonly allowOutside?: boolean;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens the files that a list of patterns means (src/files/glob.ts says which there are), or with
 * `exact` the files of those very paths; what cannot be used is a problem.
 */
export async function findInputFiles(
  patterns: readonly string[],
  { root, alsoAllowed = [], allowOutside = false }: InputPlaces,
  exact = false,
): Promise<{ files: InputFile[]; problems: Diagnostic[] }> {
  const [temp] = alsoAllowed;
  const workspace = createWorkspace({
    root,
    allowOutside,
    ...(temp === undefined ? {} : { temp }),
  });
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

const CHANGED = "changed while it was read; let the step that writes it end first";

function openWithoutLinks(real: string, name: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  return open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((error: { code?: string }) => {
    throw refusal({ file: name }, `cannot be read (${error.code ?? "error"})`);
  });
}

/** A few rows of a report are read again, each by a file opened for it. */
function readBytesAt(
  real: string,
  wanted: {
    readonly from: number;
    readonly length: number;
    readonly sizeBytes: number;
    readonly mtimeMs: number;
  },
): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const now = fstatSync(file);
    if (now.size !== wanted.sizeBytes || now.mtimeMs !== wanted.mtimeMs) return null;
    const bytes = Buffer.allocUnsafe(wanted.length);
    return readSync(file, bytes, 0, wanted.length, wanted.from) === wanted.length ? bytes : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The next chunk is read while the one before is worked on; with `reuse` a chunk holds until the next but one is asked for. */
async function* readAhead(handle: FileHandle, reuse: boolean): AsyncGenerator<Uint8Array> {
  const pair = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const;
  const readNext = (turn: number): ReturnType<typeof handle.read<Buffer>> => {
    const into =
      reuse || turn < 2 ? pair[(turn % 2) as 0 | 1] : Buffer.allocUnsafeSlow(CHUNK_BYTES);
    return handle.read(into, 0, CHUNK_BYTES, null);
  };
  let ahead = readNext(0);
  try {
    for (let turn = 1; ; turn += 1) {
      const { bytesRead, buffer } = await ahead;
      if (bytesRead === 0) return;
      ahead = readNext(turn);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await ahead.catch(() => undefined);
  }
}

function fileAt(
  real: string,
  name: string,
  at: { readonly sizeBytes: number; readonly mtimeMs: number },
): InputFile {
  let digest: string | null = null;
  /**
   * Of the first whole pass; what is judged, counted and uploaded later must be the same bytes,
   * whatever its time stamp says.
   */
  let content: string | null = null;
  const checkContentIs = (seen: string): void => {
    content ??= seen;
    if (seen !== content) throw refusal({ file: name }, CHANGED);
  };
  /** When a whole pass has last seen that content; written again with the same bytes, it is the same. */
  let seenAtMs = at.mtimeMs;
  async function openSameSize(): Promise<{ handle: FileHandle; mtimeMs: number }> {
    const handle = await openWithoutLinks(real, name);
    const now = await handle.stat();
    const known = digest !== null || now.mtimeMs === at.mtimeMs;
    if (now.isFile() && now.size === at.sizeBytes && known) return { handle, mtimeMs: now.mtimeMs };
    await handle.close();
    throw refusal({ file: name }, CHANGED);
  }
  /** For reads that are no whole pass: one has to have seen the content as it is now. */
  async function openUnchanged(): Promise<FileHandle> {
    const { handle, mtimeMs } = await openSameSize();
    if (mtimeMs === seenAtMs) return handle;
    await handle.close();
    throw refusal({ file: name }, CHANGED);
  }
  async function checkContent(): Promise<void> {
    const { handle, mtimeMs } = await openSameSize();
    await handle.close();
    if (mtimeMs !== seenAtMs) await assertUnchanged();
  }
  async function* chunks(how?: { readonly reuse: boolean }): AsyncGenerator<Uint8Array> {
    const { handle, mtimeMs } = await openSameSize();
    const hash = digest === null ? createHash("sha256") : null;
    const check = createContentCheck();
    try {
      for await (const chunk of readAhead(handle, how?.reuse === true)) {
        hash?.update(chunk);
        check.add(chunk);
        yield chunk;
      }
      checkContentIs(check.end());
      digest ??= hash?.digest("base64") ?? null;
      seenAtMs = mtimeMs;
    } finally {
      await handle.close();
    }
  }
  async function assertUnchanged(): Promise<void> {
    for await (const _ of chunks({ reuse: true }));
  }
  const openAnywhere = async (): Promise<FileHandle> => {
    // What is read in between then lies between two passes of the same content.
    if (digest === null) await assertUnchanged();
    else await checkContent();
    return openUnchanged();
  };
  const head = async (bytes: number): Promise<Buffer> => {
    await checkContent();
    return collect(chunks(), bytes);
  };
  const bytesAt = (from: number, length: number): Buffer | null =>
    readBytesAt(real, { from, length, sizeBytes: at.sizeBytes, mtimeMs: seenAtMs });
  return {
    name,
    ...at,
    chunks,
    head,
    bytesAt,
    open: openAnywhere,
    assertUnchanged,
    digest: () => digest,
  };
}

/** What reads like a file and is none: an example of a format. */
export function memoryFile(name: string, content: string | Uint8Array, mtimeMs = 0): InputFile {
  const bytes = Buffer.from(content as string);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  return {
    name,
    sizeBytes: bytes.length,
    mtimeMs,
    chunks,
    head: async (count) => bytes.subarray(0, count),
    bytesAt: (from, length) => bytes.subarray(from, from + length),
  };
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

/** All bytes of a file whose format cannot be streamed; larger ones are refused. */
export async function readWhole(file: InputFile, maxBytes: number): Promise<Buffer> {
  if (file.sizeBytes > maxBytes)
    throw refusal(
      { file: file.name },
      `the file is larger than ${maxBytes / 1024 / 1024} MiB, which this format cannot be read at; split it, or write JSONL`,
    );
  return collect(file.chunks(), maxBytes + 1);
}
