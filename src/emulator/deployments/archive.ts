import { createGunzip } from "node:zlib";

/** Path and unpacked size of a regular file in an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}

/** Bytes per block of a tar file (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
/** The most unpacked bytes to read, which stops a bomb. */
const MAX_UNPACKED = 1024 * 1024 * 1024;
/** Names of further files are not stored. */
const MAX_FILES = 20_000;
/** The longest extra header for a long name; no system allows a path above 4 KiB. */
const MAX_NAME_BYTES = 64 * 1024;
const CUT_OFF = "the archive is cut off: its end is missing";

const textAt = (bytes: Buffer, from: number, length: number): string =>
  bytes
    .subarray(from, from + length)
    .toString("utf8")
    .replace(/\0.*$/s, "");

/** The checksum counts its own eight bytes as spaces. */
function hasChecksum(block: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < BLOCK; i += 1) sum += i >= 148 && i < 156 ? 32 : block[i]!;
  return sum === Number.parseInt(textAt(block, 148, 8).trim(), 8);
}

/** The path in a pax header: records of `LENGTH key=value\n`. */
const paxPath = (text: string): string | null => /^\d+ path=(.*)$/m.exec(text)?.[1] ?? null;

/** Reads a tar file block by block; returns why it is invalid, or null at its end. */
function* readTar(
  files: ArchiveFile[],
  wanted: string | null,
  found: (content: Buffer) => void,
): Generator<undefined, string | null, Buffer> {
  let long: string | null = null;
  for (;;) {
    const block = yield;
    if (block.every((byte) => byte === 0)) return null;
    if (!hasChecksum(block)) return "the archive is not a tar file";
    const bytes = Number.parseInt(textAt(block, 124, 12).trim(), 8) || 0;
    const type = String.fromCharCode(block[156]!);
    const [prefix, short] = [textAt(block, 345, 155), textAt(block, 0, 100)];
    const path = (long ?? (prefix === "" ? short : `${prefix}/${short}`)).replace(/^(\.\/)+/, "");
    const isFile = type === "0" || type === "\0";
    const keeps = isFile ? path === wanted : type === "L" || type === "x";
    const most = isFile ? bytes : MAX_NAME_BYTES;
    const kept: Buffer[] = [];
    for (let at = 0; at < bytes; at += BLOCK) {
      const piece = yield;
      if (keeps && at < most) kept.push(Buffer.from(piece.subarray(0, bytes - at)));
    }
    const content = Buffer.concat(kept);
    if (type === "L") long = textAt(content, 0, content.length);
    else if (type === "x") long = paxPath(content.toString()) ?? long;
    else {
      long = null;
      if (keeps) found(content);
      if (isFile && files.length < MAX_FILES) files.push({ path, bytes });
    }
  }
}

/**
 * Reads a streamed tar.gz to its end, one chunk in memory at a time: its files and the content of
 * the wanted one, as far as they can be read. A problem says why no build can use it.
 */
export async function readArchive(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  wanted: string | null = null,
) {
  const files: ArchiveFile[] = [];
  let content = null as Buffer | null;
  let problem = CUT_OFF as string | null;
  let unpacked = 0;
  let rest = Buffer.alloc(0);
  const tar = readTar(files, wanted, (found) => {
    content = found;
  });
  let isOpen = tar.next().done !== true;
  const gunzip = createGunzip({ chunkSize: 128 * BLOCK });
  gunzip.on("data", (piece: Buffer) => {
    unpacked += piece.length;
    if (unpacked > MAX_UNPACKED) {
      problem = "the archive unpacks to more than 1 GiB";
      gunzip.destroy();
      return;
    }
    const blocks = Buffer.concat([rest, piece]);
    let at = 0;
    for (; isOpen && at + BLOCK <= blocks.length; at += BLOCK) {
      const { done, value } = tar.next(blocks.subarray(at, at + BLOCK));
      if (done === true) [isOpen, problem] = [false, value];
    }
    rest = isOpen ? blocks.subarray(at) : rest;
  });
  gunzip.on("error", ({ code }: { readonly code?: string }) => {
    problem = code === "Z_BUF_ERROR" ? CUT_OFF : "the archive is not gzip";
  });
  const closed = new Promise<void>((resolve) => {
    gunzip.on("close", resolve);
  });
  // The callback of a write is not called if its chunk causes an error.
  for await (const piece of pieces)
    await Promise.race([closed, new Promise((resolve) => gunzip.write(piece, resolve))]);
  gunzip.end();
  await closed;
  return { files, content, problem };
}
