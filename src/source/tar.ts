/** Bytes per block of a tar file (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
/** A name that fits into a plain header; any other is in a pax record. */
const PLAIN = /^[\x20-\x7e]{1,100}$/;

/** One regular file of an archive. */
export interface TarFile {
  /** From the root of the archive, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

const octal = (value: number, width: number): string =>
  `${value.toString(8).padStart(width, "0")}\0`;

function header(name: string, bytes: number, mode: number, type: "0" | "x"): Buffer {
  const block = Buffer.alloc(BLOCK);
  const put = (text: string, at: number): void => {
    block.write(text, at, "latin1");
  };
  put(name, 0);
  put(octal(mode, 7), 100);
  // Fixed owner, group and time: the same files give the same archive.
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(bytes, 11), 124);
  put(octal(0, 11), 136);
  put("        ", 148);
  put(type, 156);
  put("ustar\x0000", 257);
  put(octal(0, 7), 329);
  put(octal(0, 7), 337);
  let sum = 0;
  for (const byte of block) sum += byte;
  put(`${octal(sum, 6)} `, 148);
  return block;
}

/** A record `LENGTH path=VALUE\n`; the length includes its own digits. */
function paxRecord(path: string): Buffer {
  const rest = Buffer.byteLength(` path=${path}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} path=${path}\n`);
}

/** The header blocks before a file's content. */
export function tarHeader({ path, bytes, executable }: TarFile): Buffer {
  const mode = executable ? 0o755 : 0o644;
  if (PLAIN.test(path)) return header(path, bytes, mode, "0");
  const record = paxRecord(path);
  return Buffer.concat([
    header("PaxHeader", record.length, 0o644, "x"),
    record,
    padding(record.length),
    header("pax", bytes, mode, "0"),
  ]);
}

/** Zero bytes that fill a file's last block. */
export function padding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

/** Two empty blocks end the archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK);
