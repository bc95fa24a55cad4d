import { NO_UTF8, readDocument } from "../input/json-document.ts";
import { MAX_TEXT_BYTES, parseLenientJson } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";
import { firstRecords } from "./csv-records.ts";
import type { Head } from "./format.ts";

/** How much of a file a format is known by. */
const HEAD_BYTES = 256 * 1024;

/** First bytes of files that are no text, and what to do with them. */
const MAGIC: readonly (readonly [magic: Buffer, message: string])[] = [
  [Buffer.from([0x1f, 0x8b]), "the file is packed with gzip; unpack it first (gunzip)"],
  [
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
    "the file is packed with zstd; unpack it first (zstd -d)",
  ],
  [Buffer.from("BZh"), "the file is packed with bzip2; unpack it first (bunzip2)"],
  [
    Buffer.from("PAR1"),
    "the file is Parquet; write it as JSONL or CSV first (pandas: to_json(orient='records', lines=True))",
  ],
  [Buffer.from("ARROW1"), "the file is Arrow; write it as JSONL or CSV first"],
  [
    Buffer.from("SQLite format 3"),
    "the file is a SQLite database; let the tool export its results as JSON",
  ],
];

/** Looks at a file's beginning; refuses what no reader can use: empty files, UTF-16, binary. */
export async function readHead(file: InputFile): Promise<Head> {
  const bytes = await file.head(HEAD_BYTES);
  const base = {
    file,
    name: file.name,
    isWhole: file.sizeBytes <= bytes.length,
    keys: new Set<string>(),
    rootIsArray: false,
    columns: [] as string[],
  };
  if (bytes.length === 0)
    throw refusal(
      { file: file.name },
      "the file is empty; the run that should have written it wrote nothing",
    );
  const packed = MAGIC.find(([magic]) => bytes.subarray(0, magic.length).equals(magic));
  if (packed !== undefined) throw refusal({ file: file.name }, packed[1]);
  if (bytes.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004")))
    return { ...base, container: "zip", text: "" };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw refusal({ file: file.name }, "the file is UTF-16; write it as UTF-8");
  if (bytes.includes(0))
    throw refusal(
      { file: file.name },
      "the file is binary or UTF-16; result files are text in UTF-8, or an Inspect .eval log",
    );
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const start = text.trimStart();
  if (start === "")
    throw refusal(
      { file: file.name },
      "the file is blank; the run that should have written it wrote nothing",
    );
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start))
    throw refusal(
      { file: file.name },
      "the file is a web page, which has neither testsuites nor other results; let the tool write JSON (promptfoo: -o results.json), and check that a download did not fetch a login page",
    );
  if (!start.startsWith('"{\\"') && /^(?:null|true|false|-?\d[\d.]*|"[^"\n]*")\s*$/.test(start))
    throw refusal(
      { file: file.name },
      `the file holds only ${start.trim().slice(0, 40)}; the run that should have written results wrote none`,
    );
  if (start.startsWith("<")) return { ...base, container: "xml", text };
  // JSON in a JSON text, as Google ADK wrote its results for a while.
  if (/^"\{\\"/.test(start))
    return { ...base, container: "json", text, document: await readDocument(file) };
  if (PYTHON.test(start))
    throw refusal(
      { file: file.name },
      "the file is a value as Python prints it, not JSON; write it with json.dump, or a line a row with json.dumps",
    );
  if (/^(?:\{|\[\s*(?:[[{"\]\d-]|true\b|false\b|null\b|NaN\b|$))/.test(start))
    return jsonHead(base, text);
  refuseText(file, start);
  refuseOtherEncoding(file, bytes, base.isWhole);
  const columns = headerRecord(file, text);
  refuseOtherSeparator(file, text, columns);
  return { ...base, container: "csv", text, columns };
}

/** Text that is no table: its commas would make columns of garbage. */
function refuseText(file: InputFile, start: string): void {
  const [line = ""] = start.split("\n", 1);
  if (
    /^\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG)\b[\s:\]]/.test(
      line,
    )
  )
    throw refusal(
      { file: file.name },
      "the file looks like a log, not like results; give the file that the run writes its results to",
    );
}

/** A table of another encoding: a mapping would be drafted for what cannot be read. */
function refuseOtherEncoding(file: InputFile, bytes: Uint8Array, isWhole: boolean): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    throw refusal({ file: file.name }, NO_UTF8);
  }
}

/** A list or a dict as Python prints it. */
const PYTHON = /^\s*(?:[[(]\s*)?\{\s*'/;

/** What spreadsheets of some countries, and databases, write between columns. */
const OTHER_SEPARATORS = { ";": ";", "\t": "tabs", "|": "|" } as const;

function refuseOtherSeparator(file: InputFile, text: string, columns: readonly string[]): void {
  const [header = "", first = ""] = text.split(/\r?\n/, 2);
  if (columns.length > 1) return;
  for (const [separator, shown] of Object.entries(OTHER_SEPARATORS)) {
    const parts = (line: string): number => line.replace(/"[^"]*"/g, "").split(separator).length;
    // The first row of three columns or more need not have as many in its first line: a cell may hold line breaks.
    if (parts(header) > 2 || (parts(header) > 1 && parts(header) === parts(first)))
      throw refusal(
        { file: file.name, line: 1 },
        `columns are separated by ${shown} here, and only commas are read; write it with commas, and decimals with points (pandas: to_csv(sep=","))`,
      );
  }
}

async function jsonHead(base: Omit<Head, "container" | "text">, beginning: string): Promise<Head> {
  const { file } = base;
  const named = /\.(jsonl|ndjson)$/i.test(file.name);
  // A first row can be longer than what is looked at.
  const { text, isWhole } = base.isWhole
    ? { text: beginning, isWhole: true }
    : await firstLine(file, named ? MAX_TEXT_BYTES : MOST_UNNAMED_BYTES);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const complete = isWhole ? lines : lines.slice(0, -1);
  const first = complete[0] === undefined ? undefined : parseLenientJson(complete[0]);
  const isRow = isObject(first?.value) || first?.problem?.startsWith("nests") === true;
  if (isRow && (lines.length > 1 || named)) {
    const keys = new Set<string>();
    for (const line of complete.slice(0, 20)) addOutline(keys, parseLenientJson(line).value);
    return { ...base, container: "jsonl", text, isWhole, keys };
  }
  const document = await readDocument(file);
  return {
    ...base,
    container: "json",
    text: beginning,
    isWhole: true,
    document,
    rootIsArray: Array.isArray(document),
    keys: addOutline(new Set(), Array.isArray(document) ? document.find(isObject) : document),
  };
}

/** How far the end of a first line is looked for where the file's name does not say that it is JSONL. */
const MOST_UNNAMED_BYTES = 4 * 1024 * 1024;

/** So much of the beginning that a line ends in it. */
async function firstLine(
  file: InputFile,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  for (let bytes = HEAD_BYTES; ; bytes *= 4) {
    const head = await file.head(bytes);
    const isWhole = head.length < bytes;
    if (isWhole || /\S\s*\n/.test(head.toString("latin1")) || bytes >= most)
      return { text: head.toString("utf8").replace(/^\uFEFF/, ""), isWhole };
  }
}

function headerRecord(file: InputFile, text: string): string[] {
  try {
    return firstRecords(text, 1)[0] ?? [];
  } catch {
    throw refusal(
      { file: file.name },
      "the first line is not a CSV header, and the file is not JSON, XML or a zip",
    );
  }
}

/** Items of a list that are looked at for their keys. */
const MOST_ITEMS = 200;

/** Adds the keys of an object, and those of the objects directly in it as `outer.inner` and `outer[].inner`. */
function addOutline(keys: Set<string>, value: unknown): Set<string> {
  if (!isObject(value)) return keys;
  for (const outer of Object.keys(value)) {
    keys.add(outer);
    const inner = value[outer];
    if (Array.isArray(inner))
      for (const item of inner.slice(0, MOST_ITEMS))
        for (const key of isObject(item) ? Object.keys(item) : []) keys.add(`${outer}[].${key}`);
    else if (isObject(inner)) for (const key of Object.keys(inner)) keys.add(`${outer}.${key}`);
  }
  return keys;
}
