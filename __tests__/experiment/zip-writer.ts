import * as zlib from "node:zlib";
import { openArchive } from "../../src/experiment/formats/zip-archive.ts";
import { memoryFile } from "./memory-file.ts";

/**
 * An entry to write; `method` 0 is stored, 8 deflate, 93 zstd. `packed` is given where the runtime
 * has no packer, or where it shall lie.
 */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  readonly method?: 0 | 8 | 93;
  readonly packed?: Buffer;
  readonly crc?: number;
}

type ZstdCompress = (bytes: Uint8Array) => Buffer;
const MAX_BLOCK = 128 * 1024;

/** A frame of zstd whose blocks are stored as they are. */
function storedFrame(bytes: Uint8Array): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  const parts = [head];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_BLOCK) {
    const block = Buffer.from(bytes.subarray(at, at + MAX_BLOCK));
    const isLast = Number(at + MAX_BLOCK >= bytes.length);
    const begin = Buffer.alloc(3);
    begin.writeUIntLE(8 * block.length + isLast, 0, 3);
    parts.push(begin, block);
  }
  return Buffer.concat(parts);
}

/** Node 20 has no zstd: its frames compress nothing. */
export const zstdCompress: ZstdCompress =
  (zlib as { zstdCompressSync?: ZstdCompress }).zstdCompressSync ?? storedFrame;

function pack({ content, method = 8, packed }: ZipEntry): Buffer {
  if (packed !== undefined) return packed;
  if (method === 0) return content;
  return method === 8 ? zlib.deflateRawSync(content) : zstdCompress(content);
}

const number = (bytes: 2 | 4 | 8, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
  else buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};
const FULL = 0xffffffff;

/**
 * A zip by hand, so that every kind can be had. `zip64`: sizes and offsets stand in the extra
 * fields and in the 64-bit end record, as writers do that do not know the size beforehand.
 * `descriptors`: sizes and checksum follow the data, as when streamed.
 */
export function writeZip(
  entries: readonly ZipEntry[],
  how: { readonly zip64?: boolean; readonly descriptors?: boolean } = {},
): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const packed = pack(entry);
    const [crc, method] = [entry.crc ?? zlib.crc32(entry.content), entry.method ?? 8];
    const start = Buffer.concat([
      number(2, how.zip64 ? 45 : 20),
      number(2, how.descriptors ? 8 : 0),
      number(2, method),
      number(4, 0),
    ]);
    const sizes = how.zip64 ? [FULL, FULL] : [packed.length, entry.content.length];
    const extra64 = how.zip64
      ? Buffer.concat([
          number(2, 1),
          number(2, 16),
          number(8, entry.content.length),
          number(8, packed.length),
        ])
      : Buffer.alloc(0);
    const told = how.descriptors
      ? Buffer.concat([
          number(4, 0),
          number(4, how.zip64 ? FULL : 0),
          number(4, how.zip64 ? FULL : 0),
        ])
      : Buffer.concat([number(4, crc), number(4, sizes[0]!), number(4, sizes[1]!)]);
    const after = how.descriptors
      ? Buffer.concat([
          Buffer.from("PK\u0007\u0008"),
          number(4, crc),
          number(how.zip64 ? 8 : 4, packed.length),
          number(how.zip64 ? 8 : 4, entry.content.length),
        ])
      : Buffer.alloc(0);
    const local = Buffer.concat([
      Buffer.from("PK\u0003\u0004"),
      start,
      told,
      number(2, name.length),
      number(2, extra64.length),
      name,
      extra64,
      packed,
      after,
    ]);
    const centralExtra = how.zip64
      ? Buffer.concat([
          number(2, 1),
          number(2, 24),
          number(8, entry.content.length),
          number(8, packed.length),
          number(8, offset),
        ])
      : Buffer.alloc(0);
    central.push(
      Buffer.concat([
        Buffer.from("PK\u0001\u0002"),
        number(2, 45),
        start,
        number(4, crc),
        number(4, sizes[0]!),
        number(4, sizes[1]!),
        number(2, name.length),
        number(2, centralExtra.length),
        number(2, 0),
        number(2, 0),
        number(2, 0),
        number(4, 0),
        number(4, how.zip64 ? FULL : offset),
        name,
        centralExtra,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end64 = Buffer.concat([
    Buffer.from("PK\u0006\u0006"),
    number(8, 44),
    number(2, 45),
    number(2, 45),
    number(4, 0),
    number(4, 0),
    number(8, entries.length),
    number(8, entries.length),
    number(8, directory.length),
    number(8, offset),
    Buffer.from("PK\u0006\u0007"),
    number(4, 0),
    number(8, offset + directory.length),
    number(4, 1),
  ]);
  const end = Buffer.concat([
    Buffer.from("PK\u0005\u0006"),
    number(4, 0),
    number(2, how.zip64 ? 0xffff : entries.length),
    number(2, how.zip64 ? 0xffff : entries.length),
    number(4, how.zip64 ? FULL : directory.length),
    number(4, how.zip64 ? FULL : offset),
    number(2, 0),
  ]);
  return Buffer.concat([...parts, directory, ...(how.zip64 ? [end64] : []), end]);
}

/** The entries of a zip, unpacked. */
export async function readZip(bytes: Buffer): Promise<ZipEntry[]> {
  const file = memoryFile("log.eval", bytes);
  const { entries, read } = await openArchive(file);
  const found: ZipEntry[] = [];
  for (const entry of entries.values()) found.push({ name: entry.fileName, content: read(entry) });
  await file.close();
  return found;
}
