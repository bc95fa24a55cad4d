import * as zlib from "node:zlib";
import { fromBufferPromise, type Entry, type ZipFile } from "yauzl";
import { MAX_TEXT_BYTES, own, parseLenientBytes } from "../lenient-json.ts";
import { ProblemError, refusal } from "../problem.ts";
import type { ReadRow } from "../row.ts";
import { readWhole, type InputFile } from "../input-file.ts";
import type { Reading } from "./format.ts";
import { toInspectHeader, toInspectRow } from "./inspect-sample.ts";

const MAX_ZIP_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024;
/** Logs shrink to a tenth or twentieth; what shrinks to a five-hundredth was made to burst. */
const MAX_RATIO = 500;
const ZSTD = 93;

type ZstdDecompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;
const zstdDecompress = (zlib as { zstdDecompressSync?: ZstdDecompress }).zstdDecompressSync;

/** An .eval log: one JSON file per sample, read one at a time. */
export function openInspectZip(file: InputFile): Reading {
  let log: unknown;
  let count = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    const { zip, entries } = await openZip(file);
    try {
      const header = entries.get("header.json") ?? entries.get("_journal/start.json");
      if (header === undefined) throw refusal({ file: file.name }, "the zip has neither header.json nor _journal/start.json; it is no Inspect .eval log");
      log = await readEntry(file, zip, header);
      count = 0;
      const samples = [...entries.values()].filter(({ fileName }) => /^samples\/[^/]+\.json$/.test(fileName)).sort((a, b) => naturally.compare(a.fileName, b.fileName));
      for (const entry of samples) {
        yield [toInspectRow(file.name, await readEntry(file, zip, entry), { line: 1, index: count })];
        count += 1;
      }
    } catch (error) {
      throw error instanceof ProblemError ? error : refusal({ file: file.name }, "the zip is damaged; fetch the log again");
    } finally {
      zip.close();
    }
  }
  const header = (): ReturnType<typeof toInspectHeader> => {
    // A log that still has no header.json was not finished, whatever its first lines say.
    const started = own(log, "status") === undefined && own(log, "results") === undefined;
    return toInspectHeader(started ? { ...(log as object), status: "started" } : log, count);
  };
  return { batches, header };
}

const naturally = new Intl.Collator("en", { numeric: true });

async function openZip(file: InputFile): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const bytes = await readWhole(file, MAX_ZIP_BYTES);
  let zip: ZipFile | undefined;
  try {
    zip = await fromBufferPromise(bytes, { lazyEntries: true });
    if (zip.entryCount > MAX_ENTRIES) throw refusal({ file: file.name }, `the zip has ${zip.entryCount} entries; at most ${MAX_ENTRIES} are read`);
    const entries = new Map<string, Entry>();
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      const bursts = entry.uncompressedSize > 1024 * 1024 && entry.uncompressedSize > MAX_RATIO * entry.compressedSize;
      if (bursts || total > MAX_TOTAL_BYTES) throw refusal({ file: file.name }, `the zip unpacks to far more than it holds (${entry.fileName.slice(0, 80)}); it is not read`);
      entries.set(entry.fileName, entry);
    }
    return { zip, entries };
  } catch (error) {
    zip?.close();
    throw error instanceof ProblemError ? error : refusal({ file: file.name }, "the zip is damaged; fetch the log again");
  }
}

async function readEntry(file: InputFile, zip: ZipFile, entry: Entry): Promise<unknown> {
  const name = entry.fileName.slice(0, 120);
  if (entry.uncompressedSize > MAX_TEXT_BYTES) throw refusal({ file: file.name }, `${name} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is no sample`);
  if (entry.isEncrypted()) throw refusal({ file: file.name }, `${name} is encrypted`);
  const parsed = parseLenientBytes(await readBytes(file, zip, entry, name));
  if (parsed.problem !== undefined) throw refusal({ file: file.name }, `${name} ${parsed.problem}`);
  return parsed.value;
}

async function readBytes(file: InputFile, zip: ZipFile, entry: Entry, name: string): Promise<Buffer> {
  if (entry.compressionMethod !== ZSTD) {
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw refusal({ file: file.name }, `${name} is packed by method ${entry.compressionMethod}, which is not read; convert the log with \`inspect log convert --to json\``);
    return collect(await zip.openReadStreamPromise(entry));
  }
  if (zstdDecompress === undefined) throw refusal({ file: file.name }, `${name} is packed with zstd, which Node ${process.versions.node} cannot read; use Node 22.15 or later (the action has it), or \`inspect log convert --to json\``);
  const packed = await collect(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
  return zstdDecompress(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
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
