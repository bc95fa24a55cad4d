import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "./workspace-error.ts";

/** Bytes set aside in a file that nobody else can open, and read back by position. */
export type SpillFile = ReturnType<typeof createSpillFile>;

/**
 * Creates the file at the first write and unlinks it at once, so its content disappears with the
 * process. `write` returns false if the folder accepts nothing; then nothing was written.
 */
export function createSpillFile(folder: string = tmpdir()) {
  let file: number | undefined;
  let size = 0;
  let fault = "";
  const open = (): number => {
    const path = join(folder, `agent-deploy-${randomUUID()}`);
    const opened = openSync(path, "wx+", 0o600);
    try {
      unlinkSync(path);
    } catch (error) {
      closeSync(opened);
      throw error;
    }
    return opened;
  };
  return {
    write: (bytes: Uint8Array): boolean => {
      try {
        file ??= open();
        for (let at = 0; at < bytes.length; )
          at += writeSync(file, bytes, at, bytes.length - at, size + at);
        size += bytes.length;
        return true;
      } catch (error) {
        fault = codeOf(error);
        return false;
      }
    },
    read: (from: number, into: Uint8Array): void => {
      for (let at = 0; at < into.length; ) {
        const read = readSync(file!, into, at, into.length - at, from + at);
        if (read === 0) throw new Error("a temporary file is shorter than what was written to it");
        at += read;
      }
    },
    /** The error code of a failed write (`ENOSPC`); empty if none failed. */
    fault: (): string => fault,
  };
}
