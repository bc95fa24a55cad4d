import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

interface Owner {
  readonly pid: number;
  readonly started: string;
}

/**
 * When a process started, so that another process with a reused PID is not taken for it; empty if
 * the system does not say.
 */
const startOf = (pid: number): string => statOf(pid)[19] ?? "";

/** The fields after the name in /proc/PID/stat: the first is the state, the twentieth the start time. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function isAlive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "EPERM") return false;
  }
  // A killed process keeps its PID until its parent has waited for it.
  if (/^[ZX]$/.test(statOf(pid)[0] ?? "")) return false;
  const now = startOf(pid);
  return now === "" || started === "" || now === started;
}

function readOwner(path: string): Owner | null {
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as Owner;
    return typeof read.pid === "number" ? read : null;
  } catch {
    return null;
  }
}

/** Another process may have removed it already. */
const remove = (path: string): void => rmSync(path, { force: true });

/** Creates a file with its content in one step; false if it already exists. */
function claim(path: string, text: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, text, { mode: 0o600 });
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as { readonly code?: string }).code === "EEXIST") return false;
    throw error;
  } finally {
    remove(own);
  }
}

/** Takes over the lock of a process that was killed; only one process at a time can do that. */
function takeOver(lock: string, mine: string): boolean {
  const guard = `${lock}.takeover`;
  const other = readOwner(guard);
  if (other !== null && !isAlive(other)) remove(guard);
  if (!claim(guard, mine)) return false;
  try {
    const owner = readOwner(lock);
    if (owner !== null && isAlive(owner)) return false;
    remove(lock);
    return claim(lock, mine);
  } finally {
    remove(guard);
  }
}

/** Locks a file against every other process until the returned function is called or this process ends. */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  const started = startOf(process.pid);
  const mine = JSON.stringify({ pid: process.pid, started });
  if (!claim(lock, mine)) {
    const owner = readOwner(lock);
    // The lock is against other processes: within one, the caller is responsible. In a container
    // that was killed and started again, another process had the same PID.
    if (owner?.pid === process.pid && owner.started === started) return () => undefined;
    const taken = (owner === null || !isAlive(owner)) && takeOver(lock, mine);
    if (!taken) {
      const who = readOwner(lock)?.pid;
      throw new Error(
        `${path}: the state file is in use by ${who === undefined ? "another process" : `process ${who}`}; stop it, or give another file`,
      );
    }
  }
  return () => remove(lock);
}
