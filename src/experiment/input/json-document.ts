import { constants, isUtf8 } from "node:buffer";
import { refusal } from "./diagnostic.ts";
import { type InputFile, readWhole, release } from "./input-file.ts";
import { faultOf } from "./json-fault.ts";
import { parseLenientJson } from "./lenient-json.ts";

/** The problem of bytes that no text holds. */
export const NO_TEXT =
  "the file is binary or UTF-16; result files are text in UTF-8, or an Inspect .eval log";
/** The problem of bytes that are not UTF-8. */
export const NO_UTF8 = "the file is not valid UTF-8; write it as UTF-8";

/** A JSON document is parsed whole, and V8 allows no longer text. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** The whole of a JSON file as one value. */
export async function readDocument(file: InputFile): Promise<unknown> {
  const text = await readText(file);
  const { value, problem } = parseLenientJson(text);
  if (problem === undefined) return value;
  const at = faultOf(text);
  if (at === null) throw refusal({ file: file.name }, `the file ${problem}`);
  const { line, column, isEnd } = at;
  throw refusal(
    { file: file.name, line, column },
    isEnd
      ? "the file is not valid JSON: it ends in the middle; the run that wrote it may have been killed, let it write the file again"
      : `the file is not valid JSON from line ${line}, column ${column} on; let the run that wrote it write it again`,
  );
}

async function readText(file: InputFile): Promise<string> {
  const bytes = await readWhole(file, MAX_BYTES, (length) => tooLong(file.name, length));
  if (!isUtf8(bytes)) throw refusal({ file: file.name }, NO_UTF8);
  const text = bytes.toString("utf8");
  release(bytes);
  return text;
}

function tooLong(name: string, bytes: number): string {
  const lines = name.replace(/(?:\.json)?$/i, ".jsonl");
  return `the file has ${Math.round(bytes / 1e6)} MB, and JSON is read whole, up to ${Math.floor(MAX_BYTES / 1e6)} MB; write JSONL, which is read line by line: jq -c '.[]' ${name} > ${lines} (for an object, name its list: '.results[]')`;
}
