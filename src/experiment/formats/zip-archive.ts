import { randomBytes } from "node:crypto";
import { readSync } from "node:fs";
import * as zlib from "node:zlib";
import { decompress } from "fzstd";
import { type Entry, fromFdPromise, type ZipFile } from "yauzl";
import { MAX_TEXT_BYTES } from "../input/lenient-json.ts";
import { DiagnosticError, refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";

const MAX_ENTRIES = 200_000;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/** Logs compress to a tenth or twentieth; anything compressed to a five-hundredth is a zip bomb. */
const MAX_RATIO = 500;
const STORED = 0,
  DEFLATED = 8,
  ZSTD = 93;

/** With `info`, the engine's `bytesWritten` says how much input the first frame used. */
type ZstdDecompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly info: true },
) => { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
/** Node before 22.15 has no zstd. */
const zstdDecompress = (zlib as { zstdDecompressSync?: ZstdDecompress }).zstdDecompressSync;

/**
 * Opens a file as a zip whose entries are read one at a time: only their list is kept. Rejects a
 * damaged one, a zip bomb, and an entry that contradicts the zip's own data.
 */
export async function openArchive(file: InputFile) {
  try {
    const source = await file.seekable();
    const entries = await readEntries(file, await fromFdPromise(source, { autoClose: false }));
    return { entries, read: (entry: Entry) => readEntry(file, source, entry) };
  } catch (error) {
    throw toRefusal(file, error);
  }
}

/** Converts an error of the zip reader to a refusal of the file. */
export function toRefusal(file: InputFile, error: unknown): DiagnosticError {
  return error instanceof DiagnosticError
    ? error
    : refusal({ file: file.name }, "the zip is damaged; fetch the log again");
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
    // An entry that does not match its checksum is rejected when read.
    file.note(`${entry.fileName}:${entry.crc32}:${entry.uncompressedSize}\n`);
    all.push(entry);
  }
  refuseOverlaps(file, all);
  return entries;
}

/** First bytes of an entry's header, and the length of its fixed part. */
const LOCAL_HEADER = 0x04034b50,
  LOCAL_HEADER_BYTES = 30;

/** Rejects entries that share bytes, since they unpack to far more than the file's size suggests. */
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

function readEntry(file: InputFile, source: number, entry: Entry): Buffer {
  const name = entry.fileName.slice(0, 120);
  if (entry.uncompressedSize > MAX_TEXT_BYTES || entry.compressedSize > MAX_TEXT_BYTES)
    throw refusal(
      { file: file.name },
      `${name} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is not a sample`,
    );
  if (entry.isEncrypted()) throw refusal({ file: file.name }, `${name} is encrypted`);
  if (![STORED, DEFLATED, ZSTD].includes(entry.compressionMethod))
    throw refusal(
      { file: file.name },
      `${name} is packed by method ${entry.compressionMethod}, which is not read; convert the log with \`inspect log convert --to json\``,
    );
  const bytes = unpack(readPacked(source, entry), entry);
  if (bytes.length !== entry.uncompressedSize || zlib.crc32(bytes) !== entry.crc32)
    throw refusal({ file: file.name }, `the zip is damaged (${name}); fetch the log again`);
  return bytes;
}

/** An entry's packed bytes, which follow a header with a name and an extra field. */
function readPacked(source: number, entry: Entry): Buffer {
  const at = entry.relativeOffsetOfLocalHeader;
  const header = readAt(source, at, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) throw new RangeError("no entry begins here");
  const more = header.readUInt16LE(26) + header.readUInt16LE(28);
  return readAt(source, at + LOCAL_HEADER_BYTES + more, entry.compressedSize);
}

function readAt(source: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(source, bytes, 0, length, from) < length)
    throw new RangeError("the zip ends within an entry");
  return bytes;
}

function unpack(packed: Buffer, entry: Entry): Buffer {
  if (entry.compressionMethod === STORED) return packed;
  if (entry.compressionMethod === ZSTD)
    return zstdDecompress === undefined
      ? unpackByScript(packed, entry.uncompressedSize)
      : unpackZstd(zstdDecompress, packed, entry.uncompressedSize);
  return zlib.inflateRawSync(packed, {
    maxOutputLength: Math.max(1, entry.uncompressedSize),
    // One chunk of output: several would have to be copied together.
    chunkSize: Math.max(64, entry.uncompressedSize),
  });
}

/** Unpacks frame by frame: a streaming writer may make several, and Node unpacks only the first. */
function unpackZstd(unpackFirst: ZstdDecompress, packed: Buffer, size: number): Buffer {
  const frames: Buffer[] = [];
  let left = size;
  for (let at = 0; at < packed.length; ) {
    const { buffer, engine } = unpackFirst(packed.subarray(at), {
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

/** Marks where a frame's content ends, which fzstd does not say: a last block, stored as it is. */
const END = randomBytes(16),
  END_BLOCK = Buffer.concat([Buffer.from([8 * END.length + 1, 0, 0]), END]);
const SKIPPED_FRAME = 0x184d2a5;

/** Each frame into a place of its own: without one, fzstd takes the memory that the frame asks for. */
function unpackByScript(packed: Buffer, size: number): Buffer {
  const bytes = Buffer.alloc(size + END.length);
  let length = 0;
  for (let at = 0; at < packed.length; ) {
    const frame = packed.subarray(at);
    if (frame.readUInt32LE(0) >>> 4 === SKIPPED_FRAME) {
      at += 8 + frame.readUInt32LE(4);
      continue;
    }
    const { last, end, checksum } = blocksOf(frame);
    frame[last]! -= 1;
    const place = bytes.subarray(length);
    // fzstd compares the place with a number, which would make text of all of it.
    place.toString = () => "";
    decompress(Buffer.concat([frame.subarray(0, end), END_BLOCK]), place);
    length += place.indexOf(END);
    at += end + checksum;
  }
  return bytes.subarray(0, length);
}

/** Where a frame's last block begins and ends, and the length of the checksum after it (RFC 8878). */
function blocksOf(frame: Buffer): { last: number; end: number; checksum: number } {
  const flags = frame.readUInt8(4);
  const isSingle = (flags >> 5) & 1;
  const sizeBytes = flags >> 6 === 0 ? isSingle : 1 << (flags >> 6);
  let end = 6 - isSingle + [0, 1, 2, 4][flags & 3]! + sizeBytes;
  for (;;) {
    const last = end;
    const block = frame.readUIntLE(last, 3);
    const isRepeatedByte = ((block >> 1) & 3) === 1;
    end += 3 + (isRepeatedByte ? 1 : block >> 3);
    if ((block & 1) === 1) return { last, end, checksum: flags & 4 };
  }
}
