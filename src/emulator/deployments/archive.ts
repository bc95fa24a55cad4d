import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** Where a regular file is in an archive, and its size unpacked. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}
/** What an archive holds, and why it cannot be built where it cannot. */
export interface Contents {
  readonly files: readonly ArchiveFile[];
  readonly problem: string | null;
}

/** Blocks of a tar file (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
/** Unpacked bytes that are read; a bomb ends here. */
const MOST_UNPACKED = 1024 * 1024 * 1024;
/** Names of more files are not kept. */
const MOST_FILES = 20_000;
/** A long name comes as a file of its own; nobody's is longer. */
const MOST_NAME_BYTES = 64 * 1024;

const textAt = (block: Buffer, from: number, length: number): string =>
  block
    .subarray(from, from + length)
    .toString("utf8")
    .replace(/\0.*$/s, "");

/** The checksum counts its own eight bytes as spaces. */
function hasChecksum(block: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < BLOCK; i += 1) sum += i >= 148 && i < 156 ? 32 : block[i]!;
  return sum === Number.parseInt(textAt(block, 148, 8).trim(), 8);
}

/** The path of a pax header: records of `LENGTH key=value\n`. */
const paxPath = (text: string): string | null => /^\d+ path=(.*)$/m.exec(text)?.[1] ?? null;

interface Reader {
  /** Takes the next whole blocks; what is left over is given back. */
  readonly take: (bytes: Buffer) => Buffer;
  readonly result: () => Contents;
}

/** Reads a tar file block by block. `wanted` names one file whose content is handed to `found`. */
function createReader(wanted: string | null, found: (piece: Buffer) => void): Reader {
  const files: ArchiveFile[] = [];
  let problem: string | null = null;
  let zeros = 0;
  let left = 0;
  let use: "name" | "pax" | "content" | null = null;
  let name = "";
  let long: string | null = null;
  const begin = (block: Buffer): void => {
    if (block.every((byte) => byte === 0)) {
      zeros += 1;
      return;
    }
    if (!hasChecksum(block)) {
      problem = "the archive is not a tar file";
      return;
    }
    left = Number.parseInt(textAt(block, 124, 12).trim(), 8) || 0;
    const type = String.fromCharCode(block[156]!);
    const prefix = textAt(block, 345, 155);
    const short = textAt(block, 0, 100);
    use = null;
    if (type === "L" || type === "x") {
      const kind = type === "L" ? "name" : "pax";
      use = left > MOST_NAME_BYTES ? null : kind;
      name = "";
      return;
    }
    const path = (long ?? (prefix === "" ? short : `${prefix}/${short}`)).replace(/^(\.\/)+/, "");
    long = null;
    if (type !== "0" && type !== "\0") return;
    if (files.length < MOST_FILES) files.push({ path, bytes: left });
    if (path === wanted) use = "content";
  };
  const content = (block: Buffer): void => {
    const piece = block.subarray(0, Math.min(left, BLOCK));
    if (use === "content") found(piece);
    else if (use !== null) name += piece.toString("utf8");
    left -= piece.length;
    if (left === 0 && use === "name") long = name.replace(/\0.*$/s, "");
    if (left === 0 && use === "pax") long = paxPath(name) ?? long;
  };
  return {
    take: (bytes) => {
      let at = 0;
      for (; at + BLOCK <= bytes.length && problem === null && zeros < 2; at += BLOCK) {
        const block = bytes.subarray(at, at + BLOCK);
        if (left > 0) content(block);
        else begin(block);
      }
      return problem === null && zeros < 2 ? bytes.subarray(at) : Buffer.alloc(0);
    },
    result: () => ({
      files,
      problem: problem ?? (zeros < 2 ? "the archive is cut off: its end is missing" : null),
    }),
  };
}

async function read(
  archive: readonly Uint8Array[],
  wanted: string | null,
  found: (piece: Buffer) => void,
): Promise<Contents> {
  const reader = createReader(wanted, found);
  let rest: Buffer = Buffer.alloc(0);
  let unpacked = 0;
  try {
    for await (const chunk of Readable.from(archive).pipe(
      createGunzip(),
    ) as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      if (unpacked > MOST_UNPACKED)
        return { ...reader.result(), problem: "the archive unpacks to more than 1 GiB" };
      rest = Buffer.from(reader.take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk])));
    }
  } catch (error) {
    const { code } = error as { readonly code?: string };
    const cut = code === "Z_BUF_ERROR";
    const problem = cut ? "the archive is cut off: its end is missing" : "the archive is not gzip";
    return { ...reader.result(), problem };
  }
  return reader.result();
}

/** Lists a tar.gz, read as a stream; a problem names why no build can use it. */
export const listArchive = (archive: readonly Uint8Array[]): Promise<Contents> =>
  read(archive, null, () => undefined);

/** The content of one file of a tar.gz; null where it is not in it. */
export async function readArchived(archive: Uint8Array, path: string): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  const { files } = await read([archive], path, (piece) => pieces.push(Buffer.from(piece)));
  return files.some((file) => file.path === path) ? Buffer.concat(pieces) : null;
}
