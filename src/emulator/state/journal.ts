import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import * as z from "zod/v4";
import { parseJson } from "../../model/json.ts";
import type { Kept } from "../service.ts";
import { lockFile } from "./state-lock.ts";
import type { Entry, Journal } from "./store.ts";

const HEADER = '{"agent-deploy-emulator-state":2}';
/** The header of an earlier version, which stored revisions and examples in other tables. */
const EARLIER = '{"agent-deploy-emulator-state":1}';
const READ_BYTES = 256 * 1024;
/** A file smaller than this is not worth compacting. */
const LEAST_COMPACTED_BYTES = 1024 * 1024;
/** Links are not followed: the file contains secret values, and a link may point anywhere. */
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR } = constants;

function writeAll(fd: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  return bytes.length;
}

/** The lines of a file with their ends, one chunk in memory at a time; only the last may lack its end. */
function* linesOf(fd: number): Generator<Buffer, void> {
  const chunk = Buffer.alloc(READ_BYTES);
  let rest: Buffer[] = [];
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0 && at < read; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at + 1)]);
      rest = [];
      from = at + 1;
    }
    if (from < read) rest.push(Buffer.from(chunk.subarray(from, read)));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

const LINE = z.array(z.tuple([z.string(), z.string(), z.unknown()]));
const parseLine = (text: string): readonly Entry[] | undefined =>
  LINE.safeParse(parseJson(text)).data as readonly Entry[] | undefined;

/**
 * Refuses everything but a regular file with one name: a link, a folder, a device, a file with a
 * hard link. False if there is no file.
 */
function refuseLinks(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isSymbolicLink())
    throw new Error(`${path}: the state file is a symbolic link; give the path of the file itself`);
  if (!found.isFile()) throw new Error(`${path}: the state file is not a regular file`);
  if (found.nlink > 1)
    throw new Error(
      `${path}: the state file has a second name (a hard link); copy it and use the copy`,
    );
  return true;
}

/** Refuses a file that begins with anything but the header; one that was cut off within it is empty. */
function checkHeader(path: string, first: Buffer): void {
  const header = Buffer.from(`${HEADER}\n`);
  if (header.subarray(0, first.length).equals(first)) return;
  throw new Error(
    first.equals(Buffer.from(`${EARLIER}\n`))
      ? `${path}:1: a state file of an earlier version of the emulator; delete it, or give another path`
      : `${path}:1: not a state file of the emulator; give another path`,
  );
}

/** Every acknowledged entry, with the last value of each key; a line cut off by a crash was never acknowledged. */
function readEntries(path: string): readonly Entry[] {
  const kept = new Map<string, Entry>();
  if (!refuseLinks(path)) return [];
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW);
  let number = 0;
  try {
    for (const line of linesOf(fd)) {
      number += 1;
      if (number === 1) checkHeader(path, line);
      if (number === 1 || line.at(-1) !== 10) continue;
      const entries = parseLine(line.toString());
      if (entries === undefined)
        throw new Error(
          `${path}:${number}: not JSON, or not a line of a state file; it was changed by something else: repair that line or remove the file`,
        );
      for (const entry of entries) {
        const [table, key, value] = entry;
        if (value === null) kept.delete(`${table} ${key}`);
        else kept.set(`${table} ${key}`, entry);
      }
    }
  } finally {
    closeSync(fd);
  }
  return [...kept.values()];
}

/**
 * Writes a whole state to a new file, syncs it to disk, and renames it over the old one. If it
 * throws, the old file is as it was.
 */
function replaceFile(path: string, entries: Iterable<Entry>) {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  const fd = openSync(fresh, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  let bytes = 0;
  try {
    bytes += writeAll(fd, `${HEADER}\n`);
    for (const entry of entries) bytes += writeAll(fd, `${JSON.stringify([entry])}\n`);
    fsyncSync(fd);
    renameSync(fresh, path);
  } catch (error) {
    closeSync(fd);
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(resolve(path)));
  return { fd, bytes };
}

/** Syncs a folder's names to disk. Not every system can, and the file has its new name either way. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Only a power cut could bring the old file back.
  }
}

/**
 * Opens a state file and returns its entries, with a journal that appends to it. The file is
 * created if missing, readable only by its owner, since it contains secret values.
 */
export function openJournal(path: string): Kept {
  refuseLinks(path);
  const unlock = lockFile(path);
  try {
    return openLocked(path, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function openLocked(path: string, unlock: () => void): Kept {
  const entries = readEntries(path);
  let { fd, bytes } = replaceFile(path, entries);
  /** The size after the last compaction; the next one is due at twice that. */
  let compacted = bytes;
  const compact = (all: readonly Entry[]): void => {
    try {
      const old = fd;
      ({ fd, bytes } = replaceFile(path, all));
      closeSync(old);
    } catch {
      // A full disk, most often. The file is whole, only longer than it could be.
    }
    compacted = bytes;
  };
  const journal: Journal = {
    append: (more, all) => {
      // A write that failed may have left a part of its line.
      ftruncateSync(fd, bytes);
      const written = writeAll(fd, `${JSON.stringify(more)}\n`);
      fdatasyncSync(fd);
      bytes += written;
      if (bytes > Math.max(LEAST_COMPACTED_BYTES, 2 * compacted)) compact(all());
    },
    clear: () => {
      // A new file would need room, which a full disk does not have.
      bytes = HEADER.length + 1;
      compacted = bytes;
      ftruncateSync(fd, bytes);
      fdatasyncSync(fd);
    },
    close: () => {
      if (fd < 0) return;
      closeSync(fd);
      fd = -1;
      unlock();
    },
  };
  return { entries, journal };
}
