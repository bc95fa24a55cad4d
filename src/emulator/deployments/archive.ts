import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** Where a regular file is in an archive, and its size unpacked. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: number;
}
/** What an archive holds, and why it cannot be built where it cannot. */
interface Contents {
  readonly files: readonly (ArchiveFile & { readonly content: Buffer })[];
  readonly problem: string | null;
}

/** Blocks of a tar file (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
/** Unpacked bytes that are read; a bomb ends here. */
const MOST_UNPACKED = 1024 * 1024 * 1024;
/** Names of more files are not kept. */
const MOST_FILES = 20_000;
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

/** The path of a pax header: records of `LENGTH key=value\n`. */
const paxPath = (text: string): string | null => /^\d+ path=(.*)$/m.exec(text)?.[1] ?? null;

function readTar(tar: Buffer): Contents {
  const files: Contents["files"][number][] = [];
  let long: string | null = null;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const block = tar.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return { files, problem: null };
    if (!hasChecksum(block)) return { files, problem: "the archive is not a tar file" };
    const bytes = Number.parseInt(textAt(block, 124, 12).trim(), 8) || 0;
    const content = tar.subarray(at + BLOCK, at + BLOCK + bytes);
    if (content.length < bytes) break;
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
    const type = String.fromCharCode(block[156]!);
    if (type === "L") long = textAt(content, 0, bytes);
    else if (type === "x") long = paxPath(content.toString()) ?? long;
    else {
      const [prefix, short] = [textAt(block, 345, 155), textAt(block, 0, 100)];
      const path = (long ?? (prefix === "" ? short : `${prefix}/${short}`)).replace(/^(\.\/)+/, "");
      long = null;
      if ((type === "0" || type === "\0") && files.length < MOST_FILES)
        files.push({ path, bytes, content });
    }
  }
  return { files, problem: CUT_OFF };
}

/** Reads a tar.gz; a problem names why no build can use it. */
export async function readArchive(archive: Uint8Array): Promise<Contents> {
  try {
    return readTar(await promisify(gunzip)(archive, { maxOutputLength: MOST_UNPACKED }));
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "ERR_BUFFER_TOO_LARGE")
      return { files: [], problem: "the archive unpacks to more than 1 GiB" };
    return { files: [], problem: code === "Z_BUF_ERROR" ? CUT_OFF : "the archive is not gzip" };
  }
}
