import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Kept } from "./emulator.ts";
import type { Entry, Journal } from "./store.ts";

const HEADER = '{"agent-deploy-emulator-state":1}';

/** Everything that was acknowledged: a line a request; a last line that was cut off by a crash never was, and is left out. */
function parseJournal(text: string, path: string): readonly Entry[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const cut = lines.pop() ?? "";
  if (lines[0] !== HEADER) {
    if (lines.length === 0 && HEADER.startsWith(cut)) return [];
    throw new Error(`${path}:1: not a state file of the emulator; give another path`);
  }
  return lines.slice(1).flatMap((line, i) => {
    const read = readLine(line);
    if (read === null)
      throw new Error(
        `${path}:${i + 2}: not JSON, or no line of a state; the file was changed by something else: repair that line or remove the file`,
      );
    return read;
  });
}

function readLine(line: string): readonly Entry[] | null {
  try {
    const read: unknown = JSON.parse(line);
    const isEntry = (one: unknown): boolean =>
      Array.isArray(one) &&
      one.length === 3 &&
      typeof one[0] === "string" &&
      typeof one[1] === "string";
    return Array.isArray(read) && read.every(isEntry) ? (read as readonly Entry[]) : null;
  } catch {
    return null;
  }
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Writes a whole state beside the file, makes it safe, and puts it in the file's place. */
function replaceFile(path: string, entries: readonly Entry[]): void {
  const fresh = `${path}.new`;
  const fd = openSync(fresh, "w", 0o600);
  writeAll(fd, `${HEADER}\n${entries.length === 0 ? "" : `${JSON.stringify(entries)}\n`}`);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(fresh, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Last value of each key, in the order they were first put. */
function compact(entries: readonly Entry[]): Entry[] {
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry[0]} ${entry[1]}`;
    if (entry[2] === null) last.delete(key);
    else last.set(key, entry);
  }
  return [...last.values()];
}

/** Opens a state file, made if absent and readable by its owner alone (it holds secret values): what it holds, and a journal that adds to it. */
export function openJournal(path: string): Kept {
  const entries = compact(parseJournal(existsSync(path) ? readFileSync(path, "utf8") : "", path));
  replaceFile(path, entries);
  let fd = openSync(path, "a", 0o600);
  const journal: Journal = {
    append: (more) => {
      writeAll(fd, `${JSON.stringify(more)}\n`);
      fdatasyncSync(fd);
    },
    rewrite: (whole) => {
      closeSync(fd);
      replaceFile(path, whole);
      fd = openSync(path, "a", 0o600);
    },
    close: () => {
      if (fd >= 0) closeSync(fd);
      fd = -1;
    },
  };
  return { entries, journal };
}
