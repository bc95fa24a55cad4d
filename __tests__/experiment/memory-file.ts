import { createHash, randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InputFile } from "../../src/experiment/input/input-file.ts";

/** A result file of a test, in memory; one that is read by position is written when it is asked for. */
export function memoryFile(name: string, content: string | Uint8Array, mtimeMs = 0): InputFile {
  const whole = Buffer.from(content as string);
  const bytes = whole.subarray(0, 3).equals(Buffer.from("\uFEFF")) ? whole.subarray(3) : whole;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  let file: number | undefined;
  return {
    name,
    sizeBytes: bytes.length,
    mtimeMs,
    head: async (count) => bytes.subarray(0, count),
    chunks,
    seekable: async () => {
      if (file !== undefined) return file;
      const path = join(tmpdir(), `agent-deploy-tests-${randomUUID()}`);
      writeFileSync(path, bytes);
      file = openSync(path, "r");
      unlinkSync(path);
      return file;
    },
    close: async () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
    note: () => undefined,
    digest: () => createHash("sha256").update(bytes).digest("base64"),
    isChanged: () => false,
  };
}
