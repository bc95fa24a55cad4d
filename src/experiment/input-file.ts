import { open, readdir, realpath, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic } from "../spec/desired.ts";
import { matchesSegment } from "../spec/glob.ts";
import { diagnosticAt, refusal } from "./diagnostic.ts";

/** A result file that may be read any number of times; it is refused when it changes in between. */
export interface InputFile {
  /** Relative to the workspace, with `/`, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** From the beginning, 256 KiB at a time; with `reuse` a chunk's bytes hold only until the next is asked for. */
  readonly chunks: (how?: { readonly reuse: boolean }) => AsyncIterable<Uint8Array>;
  /** The first bytes, at most `bytes` of them. */
  readonly head: (bytes: number) => Promise<Buffer>;
  /** For reading at any position; whoever opens it closes it. Absent where the file is in memory. */
  readonly open?: () => Promise<FileHandle>;
}

/** Where files may lie: the workspace and the runner's temp, symlinks resolved. */
export interface Workspace {
  readonly root: string;
  readonly alsoAllowed?: readonly string[];
  readonly allowOutside?: boolean;
}

const MAX_MATCHES = 1000;
const MAX_VISITED = 200_000;
const MAX_SEGMENT_STARS = 8;
/** A segment with a `[…]` is matched by a regular expression, which goes back over every star. */
const MAX_STARS_WITH_SETS = 3;
const CHUNK_BYTES = 256 * 1024;

/** Opens the files of paths and globs (`*`, `**`, `?`, `[…]`, `{a,b}`), sorted by name, each once; what cannot be used is a problem. */
export async function findInputFiles(
  patterns: readonly string[],
  workspace: Workspace,
): Promise<{ files: InputFile[]; problems: Diagnostic[] }> {
  const problems: Diagnostic[] = [];
  const found = new Map<string, InputFile>();
  const roots = await Promise.all(
    [workspace.root, ...(workspace.alsoAllowed ?? [])].map((root) =>
      realpath(root).catch(() => path.resolve(root)),
    ),
  );
  for (const pattern of patterns) {
    const names = await expand(pattern, workspace.root);
    if (names === null) {
      problems.push(
        diagnosticAt(
          { file: pattern },
          "the pattern matches too much or has too many wildcards; name the files more closely",
        ),
      );
      continue;
    }
    if (names.length === 0)
      problems.push(
        diagnosticAt({ file: pattern }, `no file matches; paths are relative to the workspace`),
      );
    for (const name of names) {
      const opened = await openFile(
        name,
        workspace.root,
        workspace.allowOutside === true ? null : roots,
      );
      if (typeof opened === "string") problems.push(diagnosticAt({ file: name }, opened));
      else found.set(opened.name, opened);
    }
  }
  return { files: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

async function openFile(
  name: string,
  root: string,
  roots: readonly string[] | null,
): Promise<InputFile | string> {
  const absolute = path.resolve(root, name);
  let real: string;
  let info;
  try {
    real = await realpath(absolute);
    info = await stat(real);
  } catch (error) {
    const code = (error as { code?: string }).code ?? "";
    return code === "ENOENT"
      ? "there is no such file; check the path and that the step before wrote it"
      : `cannot be read (${code})`;
  }
  if (
    roots !== null &&
    !roots.some((allowed) => real === allowed || real.startsWith(allowed + path.sep))
  ) {
    return "lies outside the workspace; copy it in (command line: --allow-outside)";
  }
  if (info.isDirectory()) return "is a folder; name files or use a glob";
  if (!info.isFile()) return "is no regular file (a device, pipe or socket)";
  const shown = path.relative(path.resolve(root), absolute).split(path.sep).join("/") || name;
  return fileAt(real, shown, { sizeBytes: info.size, mtimeMs: info.mtimeMs });
}

function fileAt(
  real: string,
  name: string,
  at: { readonly sizeBytes: number; readonly mtimeMs: number },
): InputFile {
  async function openUnchanged(): Promise<FileHandle> {
    const handle = await open(real, "r").catch((error: { code?: string }) => {
      throw refusal({ file: name }, `cannot be read (${error.code ?? "error"})`);
    });
    const now = await handle.stat();
    if (now.size === at.sizeBytes && now.mtimeMs === at.mtimeMs) return handle;
    await handle.close();
    throw refusal(
      { file: name },
      "changed while it was read; let the step that writes it end first",
    );
  }
  async function* chunks(how?: { readonly reuse: boolean }): AsyncGenerator<Uint8Array> {
    const handle = await openUnchanged();
    // The next chunk is read while the one before is worked on.
    const pair = [
      Buffer.allocUnsafeSlow(CHUNK_BYTES),
      Buffer.allocUnsafeSlow(CHUNK_BYTES),
    ] as const;
    const readNext = (turn: number): ReturnType<typeof handle.read<Buffer>> =>
      handle.read(
        how?.reuse === true || turn < 2
          ? pair[(turn % 2) as 0 | 1]
          : Buffer.allocUnsafeSlow(CHUNK_BYTES),
        0,
        CHUNK_BYTES,
        null,
      );
    let ahead = readNext(0);
    try {
      for (let turn = 1; ; turn += 1) {
        const { bytesRead, buffer } = await ahead;
        if (bytesRead === 0) return;
        ahead = readNext(turn);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await ahead.catch(() => undefined);
      await handle.close();
    }
  }
  return { name, ...at, chunks, head: (bytes) => collect(chunks(), bytes), open: openUnchanged };
}

/** What reads like a file and is none: an example of a format. */
export function memoryFile(name: string, content: string | Uint8Array, mtimeMs = 0): InputFile {
  const bytes = Buffer.from(content as string);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  return {
    name,
    sizeBytes: bytes.length,
    mtimeMs,
    chunks,
    head: async (count) => bytes.subarray(0, count),
  };
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

/** All bytes of a file whose format cannot be streamed; larger ones are refused. */
export async function readWhole(file: InputFile, maxBytes: number): Promise<Buffer> {
  if (file.sizeBytes > maxBytes)
    throw refusal(
      { file: file.name },
      `the file is larger than ${maxBytes / 1024 / 1024} MiB, which this format cannot be read at; split it, or write JSONL`,
    );
  return collect(file.chunks(), maxBytes + 1);
}

async function expand(pattern: string, root: string): Promise<string[] | null> {
  if (!/[*?{[]/.test(pattern)) return [pattern];
  const exact = await stat(path.resolve(root, pattern)).catch(() => null);
  if (exact !== null) return [pattern];
  const alternatives = expandBraces(pattern);
  if (alternatives === null) return null;
  const matches = new Set<string>();
  const budget = { left: MAX_VISITED };
  for (const alternative of alternatives) {
    const segments = alternative
      .replaceAll("\\", "/")
      .split("/")
      .filter((segment) => segment !== "" && segment !== ".");
    if (
      segments.some(
        (segment) =>
          segment !== "**" &&
          segment.split("*").length - 1 >
            (segment.includes("[") ? MAX_STARS_WITH_SETS : MAX_SEGMENT_STARS),
      ) ||
      segments.filter((segment) => segment === "**").length > 4
    )
      return null;
    await walk({ base: path.isAbsolute(alternative) ? "/" : "", root, segments, matches, budget });
    if (budget.left < 0 || matches.size > MAX_MATCHES) return null;
  }
  return [...matches].sort();
}

interface Walk {
  readonly base: string;
  readonly root: string;
  readonly segments: readonly string[];
  readonly matches: Set<string>;
  readonly budget: { left: number };
}

async function walk(at: Walk): Promise<void> {
  const [segment, ...rest] = at.segments;
  if (segment === undefined || at.budget.left < 0 || at.matches.size > MAX_MATCHES) return;
  const join = (name: string): string =>
    at.base === "" ? name : at.base.endsWith("/") ? at.base + name : `${at.base}/${name}`;
  if (segment !== "**" && !/[*?[]/.test(segment)) {
    const next = join(segment);
    if (rest.length > 0) return walk({ ...at, base: next, segments: rest });
    const found = await stat(path.resolve(at.root, next)).catch(() => null);
    if (found !== null && !found.isDirectory()) at.matches.add(next);
    return;
  }
  if (segment === "**") await walk({ ...at, segments: rest.length > 0 ? rest : ["*"] });
  const matcher = segment === "**" ? null : segmentMatcher(segment);
  const entries = await readdir(path.resolve(at.root, at.base === "" ? "." : at.base), {
    withFileTypes: true,
  }).catch(() => []);
  for (const entry of entries) {
    at.budget.left -= 1;
    const hidden = entry.name.startsWith(".") && !segment.startsWith(".");
    if (hidden || (matcher === null && entry.name === "node_modules")) continue;
    const next = join(entry.name);
    if (matcher === null) {
      if (entry.isDirectory()) await walk({ ...at, base: next });
      continue;
    }
    if (!matcher(entry.name)) continue;
    if (rest.length > 0) {
      if (!entry.isFile()) await walk({ ...at, base: next, segments: rest });
    } else if (!entry.isDirectory()) at.matches.add(next);
  }
}

/** Wildcards of one path segment; without a `[…]` in it no pattern is slow. */
function segmentMatcher(glob: string): (name: string) => boolean {
  if (!glob.includes("[")) return (name) => matchesSegment(glob, name);
  const source = glob
    .replace(/[.+^$()|\\{}]/g, "\\$&")
    .replace(/\*+/g, ".*?")
    .replace(/\?/g, ".")
    .replace(/\[!/g, "[^");
  try {
    const pattern = new RegExp(`^${source}$`, "su");
    return (name) => pattern.test(name);
  } catch {
    return (name) => name === glob;
  }
}

function expandBraces(pattern: string): string[] | null {
  let open = [pattern];
  for (let round = 0; round < 8; round += 1) {
    const next = open.flatMap((text) => {
      const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
      return match === null
        ? [text]
        : match[1]!
            .split(",")
            .map(
              (part) =>
                text.slice(0, match.index) + part + text.slice(match.index + match[0].length),
            );
    });
    if (next.length > 256) return null;
    if (next.length === open.length) return next;
    open = next;
  }
  return null;
}
