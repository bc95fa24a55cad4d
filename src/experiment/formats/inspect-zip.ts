import * as zlib from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { MAX_TEXT_BYTES, own, parseLenientBytes } from "../lenient-json.ts";
import { DiagnosticError, refusal } from "../diagnostic.ts";
import type { ReadRow } from "../row.ts";
import { readWhole, type InputFile } from "../input-file.ts";
import type { RowSource } from "./format.ts";
import { namingOf, toInspectHeader, toInspectRow } from "./inspect-sample.ts";

/** Of a zip in memory; one on disk is never read whole. */
const MAX_ZIP_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/** Logs shrink to a tenth or twentieth; what shrinks to a five-hundredth was made to burst. */
const MAX_RATIO = 500;
const ZSTD = 93;

/** With `info`, the engine's `bytesWritten` tells how much of the input the first frame took. */
type ZstdDecompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly info: true },
) => { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
const zstdDecompress = (zlib as { zstdDecompressSync?: ZstdDecompress }).zstdDecompressSync;

/** An .eval log: one JSON file per sample, read one at a time. */
export function openInspectZip(file: InputFile): RowSource {
  let log: unknown;
  let count = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const { entries, zip, close } = await openZip(file);
    try {
      const header = entries.get("header.json") ?? entries.get("_journal/start.json");
      if (header === undefined)
        throw refusal(
          { file: file.name },
          "the zip has neither header.json nor _journal/start.json; it is no Inspect .eval log",
        );
      log = await readEntry(file, zip, header);
      count = 0;
      const samples = [...entries.values()]
        .filter(({ fileName }) => /^samples\/[^/]+\.json$/.test(fileName))
        .sort((a, b) => naturally.compare(a.fileName, b.fileName));
      const naming = namingOf(
        log,
        samples.map(({ fileName }) => sampleIdOf(fileName)),
      );
      for (const entry of samples) {
        const sample = await readEntry(file, zip, entry);
        yield [toInspectRow(file.name, sample, { line: 1, index: count }, naming)];
        count += 1;
      }
      await file.assertUnchanged?.();
    } catch (error) {
      throw error instanceof DiagnosticError
        ? error
        : refusal({ file: file.name }, "the zip is damaged; fetch the log again");
    } finally {
      await close();
    }
  }
  const header = (): ReturnType<typeof toInspectHeader> => {
    // A log that still has no header.json was not finished, whatever its first lines say.
    const started = own(log, "status") === undefined && own(log, "results") === undefined;
    return toInspectHeader(started ? { ...(log as object), status: "started" } : log, count);
  };
  return { batches, header };
}

/** `samples/<id>_epoch_<n>.json` */
const sampleIdOf = (fileName: string): string =>
  fileName.replace(/^samples\//, "").replace(/(?:_epoch_\d+)?\.json$/, "");

const naturally = new Intl.Collator("en", { numeric: true });

interface OpenZip {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly close: () => Promise<void>;
}

/** Only the list of entries is held; each entry is read from the file when its turn comes. */
async function openZip(file: InputFile): Promise<OpenZip> {
  // Loaded here: with it, files of other formats would cost some MB more.
  const { fromBufferPromise, fromFdPromise } = await import("yauzl");
  const handle = await file.open?.();
  let zip: ZipFile | undefined;
  // The reader would close the descriptor behind the handle's back.
  const close = async (): Promise<void> => {
    if (handle === undefined) zip?.close();
    else await handle.close();
  };
  try {
    zip =
      handle === undefined
        ? await fromBufferPromise(await readWhole(file, MAX_ZIP_BYTES), { lazyEntries: true })
        : await fromFdPromise(handle.fd, { lazyEntries: true, autoClose: false });
    return { zip, entries: await readEntries(file, zip), close };
  } catch (error) {
    await close();
    throw error instanceof DiagnosticError
      ? error
      : refusal({ file: file.name }, "the zip is damaged; fetch the log again");
  }
}

async function readEntries(file: InputFile, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw refusal(
      { file: file.name },
      `the zip has ${zip.entryCount} entries; at most ${MAX_ENTRIES} are read`,
    );
  const entries = new Map<string, Entry>();
  const all: Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize;
    const bursts =
      entry.uncompressedSize > 1024 * 1024 &&
      entry.uncompressedSize > MAX_RATIO * entry.compressedSize;
    if (bursts || total > MAX_TOTAL_BYTES)
      throw refusal(
        { file: file.name },
        `the zip unpacks to far more than it holds (${entry.fileName.slice(0, 80)}); it is not read`,
      );
    entries.set(entry.fileName, entry);
    all.push(entry);
  }
  refuseOverlaps(file, all);
  return entries;
}

/** Length of the fixed part of an entry's header. */
const LOCAL_HEADER_BYTES = 30;

/** Entries that share their bytes unpack to far more than the file's size would tell. */
function refuseOverlaps(file: InputFile, entries: readonly Entry[]): void {
  const ordered = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  for (const [at, entry] of ordered.entries()) {
    const end =
      entry.relativeOffsetOfLocalHeader +
      LOCAL_HEADER_BYTES +
      entry.fileNameLength +
      entry.compressedSize;
    const next = ordered[at + 1];
    if (next !== undefined && end > next.relativeOffsetOfLocalHeader)
      throw refusal(
        { file: file.name },
        `the zip is damaged: ${entry.fileName.slice(0, 80)} overlaps another entry; fetch the log again`,
      );
  }
}

async function readEntry(file: InputFile, zip: ZipFile, entry: Entry): Promise<unknown> {
  const name = entry.fileName.slice(0, 120);
  if (entry.uncompressedSize > MAX_TEXT_BYTES)
    throw refusal(
      { file: file.name },
      `${name} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is no sample`,
    );
  if (entry.isEncrypted()) throw refusal({ file: file.name }, `${name} is encrypted`);
  const parsed = parseLenientBytes(await readBytes(file, zip, entry, name));
  if (parsed.problem !== undefined) throw refusal({ file: file.name }, `${name} ${parsed.problem}`);
  return parsed.value;
}

/** An entry's own bytes; what is not what the zip says of it is damaged, though it may still parse. */
async function readBytes(
  file: InputFile,
  zip: ZipFile,
  entry: Entry,
  name: string,
): Promise<Buffer> {
  const bytes = await unpack(file, zip, entry, name);
  if (bytes.length !== entry.uncompressedSize || zlib.crc32(bytes) !== entry.crc32)
    throw refusal({ file: file.name }, `the zip is damaged (${name}); fetch the log again`);
  return bytes;
}

async function unpack(file: InputFile, zip: ZipFile, entry: Entry, name: string): Promise<Buffer> {
  if (entry.compressionMethod !== ZSTD) {
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw refusal(
        { file: file.name },
        `${name} is packed by method ${entry.compressionMethod}, which is not read; convert the log with \`inspect log convert --to json\``,
      );
    return collect(await zip.openReadStreamPromise(entry));
  }
  const packed = await collect(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
  if (zstdDecompress !== undefined)
    return unpackZstd(zstdDecompress, packed, entry.uncompressedSize);
  // Node before 22.15 has no zstd of its own.
  const { decompress } = await import("fzstd");
  const bytes = decompress(packed, new Uint8Array(entry.uncompressedSize));
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

/** One frame after the other: a writer that streams may make several, and Node unpacks only the first by itself. */
function unpackZstd(decompress: ZstdDecompress, packed: Buffer, size: number): Buffer {
  const frames: Buffer[] = [];
  let left = size;
  for (let at = 0; at < packed.length; ) {
    const { buffer, engine } = decompress(packed.subarray(at), {
      maxOutputLength: Math.max(1, left),
      info: true,
    });
    if (engine.bytesWritten <= 0) throw new RangeError("a frame that takes nothing");
    frames.push(buffer);
    left -= buffer.length;
    at += engine.bytesWritten;
  }
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > MAX_TEXT_BYTES) throw new RangeError("the entry is longer than it says");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
