import { NO_TEXT, NO_UTF8, readDocument } from "../input/json-document.ts";
import { MAX_TEXT_BYTES, parseLenientJson } from "../input/lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { InputFile } from "../input/input-file.ts";
import { firstRecords } from "./csv-records.ts";
import type { Head } from "./format.ts";

/** How much of a file is used to recognise its format. */
const HEAD_BYTES = 256 * 1024;

/** First bytes of files that are not text, with advice. */
const MAGIC: readonly (readonly [magic: string, message: string])[] = [
  ["\x1f\x8b", "the file is packed with gzip; unpack it first (gunzip)"],
  ["\x28\xb5\x2f\xfd", "the file is packed with zstd; unpack it first (zstd -d)"],
  ["BZh", "the file is packed with bzip2; unpack it first (bunzip2)"],
  [
    "PAR1",
    "the file is Parquet; write it as JSONL or CSV first (pandas: to_json(orient='records', lines=True))",
  ],
  ["ARROW1", "the file is Arrow; write it as JSONL or CSV first"],
  ["SQLite format 3", "the file is a SQLite database; let the tool export its results as JSON"],
  ["\xff\xfe", "the file is UTF-16; write it as UTF-8"],
  ["\xfe\xff", "the file is UTF-16; write it as UTF-8"],
];

/** Texts without results, with advice. */
const NO_RESULTS: readonly (readonly [RegExp, message: string])[] = [
  [/^$/, "the file is blank; the run that should have written it wrote nothing"],
  [
    /^<(?:!doctype\s+html|html|head|body)\b/i,
    "the file is a web page, which has neither testsuites nor other results; let the tool write JSON (promptfoo: -o results.json), and check that a download did not fetch a login page",
  ],
  [
    /^\{\s*"schema"\s*:\s*"agent-deploy-baseline\//,
    "the file is a baseline, which holds scores and no rows; give it as baseline, and leave it out of the result files (a pattern that begins with ! does)",
  ],
  [/^sep=.\r?\n/, "the first line names the separator for Excel, and is no header; remove it"],
  [
    /^\s*(?:[[(]\s*)?\{\s*'/,
    "the file is a value as Python prints it, not JSON; write it with json.dump, or a line a row with json.dumps",
  ],
];

/** JSON within a JSON text, as Google ADK wrote its results for a while. */
const JSON_IN_TEXT = /^"\{\\"/;
const LONE_VALUE = /^(?:null|true|false|-?\d[\d.]*|"[^"\n]*")\s*$/;
/** An object, or a list that begins as no table header does. */
const JSON_TEXT = /^(?:\{|\[\s*(?:[[{"\]\d-]|true\b|false\b|null\b|NaN\b|$))/;
/** Matches the first line of a log, whose commas would make columns of garbage. */
const LOG =
  /^\d{4}-\d\d-\d\d[T ]\d\d:|^\[?\d\d:\d\d:\d\d|\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG)\b[\s:\]]/;

/** What to write where a row does not name its values. */
export const LISTS_FOR_ROWS =
  'its rows are lists without names: write objects, as {"question": …, "score": …}, or CSV';

/** Examines a file's beginning; rejects files that no reader can use: empty, UTF-16, binary. */
export async function readHead(file: InputFile): Promise<Head> {
  const bytes = await file.head(HEAD_BYTES);
  const base = {
    file,
    name: file.name,
    isWhole: bytes.length < HEAD_BYTES || bytes.length === file.sizeBytes,
    keys: new Set<string>(),
    rootIsArray: false,
    columns: [] as string[],
    separator: ",",
  };
  const refuse = (message: string): Error => refusal({ file: file.name }, message);
  if (bytes.length === 0)
    throw refuse("the file is empty; the run that should have written it wrote nothing");
  const start = bytes.subarray(0, 16).toString("latin1");
  const packed = MAGIC.find(([magic]) => start.startsWith(magic));
  if (packed !== undefined) throw refuse(packed[1]);
  if (start.startsWith("PK\u0003\u0004")) return { ...base, container: "zip", text: "" };
  if (bytes.includes(0)) throw refuse(NO_TEXT);
  const text = bytes.toString("utf8");
  const begin = text.trimStart();
  const none = NO_RESULTS.find(([is]) => is.test(begin));
  if (none !== undefined) throw refuse(none[1]);
  if (JSON_IN_TEXT.test(begin))
    return { ...base, container: "json", text, document: await readDocument(file) };
  if (LONE_VALUE.test(begin))
    throw refuse(
      `the file holds only ${begin.trim().slice(0, 40)}; the run that should have written results wrote none`,
    );
  if (begin.startsWith("<")) return { ...base, container: "xml", text };
  if (JSON_TEXT.test(begin)) return jsonHead(base, text);
  if (LOG.test(begin.split("\n", 1)[0]!))
    throw refuse(
      "the file looks like a log, not like results; give the file that the run writes its results to",
    );
  refuseOtherEncoding(file, bytes, base.isWhole);
  const separator = separatorOf(text);
  const columns = headerRecord(file, text, separator);
  return { ...base, container: "csv", text, columns, separator };
}

/** Rejects a table in another encoding, for which a mapping would be drafted although it cannot be read. */
function refuseOtherEncoding(file: InputFile, bytes: Uint8Array, isWhole: boolean): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    throw refusal({ file: file.name }, NO_UTF8);
  }
}

/** Separators used by spreadsheets in some countries, and by databases, where a header has no comma. */
const OTHER_SEPARATORS = [";", "\t", "|"];

function separatorOf(text: string): string {
  const [header = "", first = ""] = text.split(/\r?\n/, 2);
  const parts = (line: string, separator: string): number =>
    line.replace(/"[^"]*"/g, "").split(separator).length;
  // With three or more columns, the first row's first line may have fewer: a cell may contain line breaks.
  const isSeparator = (one: string): boolean =>
    parts(header, one) > 2 || (parts(header, one) > 1 && parts(header, one) === parts(first, one));
  return (parts(header, ",") > 1 ? undefined : OTHER_SEPARATORS.find(isSeparator)) ?? ",";
}

async function jsonHead(base: Omit<Head, "container" | "text">, beginning: string): Promise<Head> {
  const { file } = base;
  const named = /\.(jsonl|ndjson)$/i.test(file.name);
  // A first row can be longer than what is examined.
  const { text, isWhole } = base.isWhole
    ? { text: beginning, isWhole: true }
    : await firstLine(file, named ? MAX_TEXT_BYTES : MAX_UNNAMED_BYTES);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const complete = isWhole ? lines : lines.slice(0, -1);
  const first = complete[0] === undefined ? undefined : parseLenientJson(complete[0]);
  const isRow = isObject(first?.value) || first?.isDeep === true;
  if (isRow && (lines.length > 1 || named)) {
    const keys = new Set<string>();
    for (const line of complete.slice(0, 20)) addOutline(keys, parseLenientJson(line).value);
    return { ...base, container: "jsonl", text, isWhole, keys };
  }
  const isListed = ([one, two]: readonly string[]): boolean =>
    two !== undefined && [one!, two].every((line) => Array.isArray(parseLenientJson(line).value));
  if (isListed(complete)) throw refusal({ file: file.name }, LISTS_FOR_ROWS);
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

/** How far to look for the end of the first line if the file's name does not say that it is JSONL. */
const MAX_UNNAMED_BYTES = 4 * 1024 * 1024;

/** Enough of the beginning to contain a whole line, unless that takes more than `most` bytes. */
async function firstLine(file: InputFile, most: number) {
  for (let bytes = HEAD_BYTES; ; bytes *= 4) {
    const head = await file.head(bytes);
    const isWhole = head.length < bytes;
    if (isWhole || /\S\s*\n/.test(head.toString("latin1")) || bytes >= most)
      return { text: head.toString("utf8"), isWhole };
  }
}

function headerRecord(file: InputFile, text: string, separator: string): string[] {
  try {
    // Names may be padded, as in `question, answer`; a mapping could not name them so.
    return (firstRecords({ text, separator }, 1)[0] ?? []).map((column) => column.trim());
  } catch {
    throw refusal(
      { file: file.name },
      "the first line is not a CSV header, and the file is not JSON, XML or a zip",
    );
  }
}

/** How many items of a list are examined for their keys. */
const MAX_ITEMS = 200;

/** Adds the keys of an object, and those of objects directly in it, as `outer.inner` and `outer[].inner`. */
function addOutline(keys: Set<string>, value: unknown): Set<string> {
  if (!isObject(value)) return keys;
  for (const outer of Object.keys(value)) {
    keys.add(outer);
    const inner = value[outer];
    if (Array.isArray(inner))
      for (const item of inner.slice(0, MAX_ITEMS))
        for (const key of isObject(item) ? Object.keys(item) : []) keys.add(`${outer}[].${key}`);
    else if (isObject(inner)) for (const key of Object.keys(inner)) keys.add(`${outer}.${key}`);
  }
  return keys;
}
