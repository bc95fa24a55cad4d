import { createHash, type Hash } from "node:crypto";

/** Begins the digest of a baseline file with its header; the rows of each list follow. */
export function startDigest(header: string): Hash {
  return createHash("sha256").update(header);
}

/** Adds rows as they stand in the file, a thousand at a time. */
export function addLines(hash: Hash, lines: readonly string[]): void {
  for (let at = 0; at < lines.length; at += 1000)
    hash.update(`${lines.slice(at, at + 1000).join("\n")}\n`);
}

/** The digest as the header says it. */
export function endDigest(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`;
}
