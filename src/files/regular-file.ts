import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, refusal, WorkspaceError } from "./workspace-error.ts";

// Not node:fs/promises: loading it and starting its threads takes a tenth of a short run, and a run does nothing else
// while it reads its few files. Long ones are streamed.

/** The resolved path of a file, its size and its time (Unix milliseconds). */
export interface FileFacts {
  readonly real: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Reads a regular file no longer than `maxBytes`. */
export function readText(real: string, path: string, maxBytes: number): string {
  const bytes = readBeginning(real, path, maxBytes + 1);
  if (bytes.length <= maxBytes) return decodeText(bytes, path);
  throw new WorkspaceError(
    `${path} is longer than the ${maxBytes} bytes that are read; check that it is the right file, or shorten it`,
  );
}

/** Reads at most `bytes` from the start of a regular file, even while it grows. */
export function readBeginning(real: string, path: string, bytes: number): Buffer {
  try {
    // Checked before opening, since opening a device can have effects, and again on the handle, since the path can
    // change.
    assertRegular(path, lstatSync(real));
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    return withFile(openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW), (file) => {
      assertRegular(path, fstatSync(file));
      const chunks: Buffer[] = [];
      for (let left = bytes, read = -1; left > 0 && read !== 0; left -= read) {
        const buffer = Buffer.alloc(Math.min(65_536, left));
        read = readSync(file, buffer, 0, buffer.length, null);
        chunks.push(buffer.subarray(0, read));
      }
      return Buffer.concat(chunks);
    });
  } catch (error) {
    throw refusal(path, error, "name a regular file that can be read");
  }
}

/** Size and time of a regular file. */
export function inspectFile(real: string, path: string): FileFacts {
  try {
    const { size, mtimeMs } = assertRegular(path, statSync(real));
    return { real, bytes: size, modifiedMs: mtimeMs };
  } catch (error) {
    throw refusal(path, error, "name a regular file that can be read");
  }
}

/**
 * Writes a whole file at a path that `locateFile` resolved, and creates its directories. A link
 * found there now was made in between and is refused.
 */
export function writeLocated(real: string, text: string): void {
  mkdirSync(dirname(real), { recursive: true });
  if (realpathSync.native(dirname(real)) !== dirname(real)) throw becameLink(dirname(real));
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) throw becameLink(real);
  if (found !== undefined) {
    assertRegular(real, found);
    accessSync(real, constants.W_OK);
  }
  if (!replaceWhole(real, text, found?.mode)) overwrite(real, text);
}

const becameLink = (real: string): WorkspaceError =>
  new WorkspaceError(
    `${real} became a symbolic link during the run, and nothing is written through it; name another file`,
  );

function withFile<T>(file: number, work: (file: number) => T): T {
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function overwrite(real: string, text: string): void {
  const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  withFile(openSync(real, O_WRONLY | O_NOFOLLOW | O_NONBLOCK), (file) => {
    assertRegular(real, fstatSync(file));
    ftruncateSync(file, 0);
    writeFileSync(file, text);
  });
}

/** Errors of a directory that accepts no new file, although an existing one may be writable. */
const REFUSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Writes next to the file and renames the result, so that a full disk keeps the old content.
 * Returns false if the directory accepts no new file, and nothing was done.
 */
function replaceWhole(real: string, text: string, mode: number | undefined): boolean {
  const temporary = `${real}.${randomBytes(6).toString("hex")}.tmp`;
  let file: number;
  try {
    file = openSync(temporary, "wx", 0o644);
  } catch (error) {
    // A disk without room for another file is full: keep the old content.
    if (mode !== undefined && REFUSED.has(codeOf(error))) return false;
    throw error;
  }
  try {
    withFile(file, () => {
      if (mode !== undefined) fchmodSync(file, mode);
      writeFileSync(file, text);
    });
    renameSync(temporary, real);
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Rejects a directory, device, pipe or socket. */
export function assertRegular(path: string, found: Stats): Stats {
  if (found.isFile()) return found;
  throw new WorkspaceError(
    `${path} is ${found.isDirectory() ? "a directory" : "not a regular file (a device, pipe or socket)"}; name a regular file`,
  );
}

/** Decodes UTF-8 without its byte order mark; rejects UTF-16 and invalid UTF-8 with a message that names the file. */
export function decodeText(bytes: Uint8Array, path: string): string {
  const [a, b] = bytes;
  if (
    (a === 0xff && b === 0xfe) ||
    (a === 0xfe && b === 0xff) ||
    (bytes.length > 1 && (a === 0) !== (b === 0))
  ) {
    throw new WorkspaceError(`${path} is UTF-16; save it as UTF-8`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new WorkspaceError(`${path} is not valid UTF-8; save it as UTF-8`);
  }
}
