import { constants, isUtf8 } from "node:buffer";
import { refusal } from "./diagnostic.ts";
import type { InputFile } from "./input-file.ts";
import { faultOf } from "./json-fault.ts";
import { parseLenientJson } from "./lenient-json.ts";

/** A JSON document is parsed whole, and V8 holds no longer text. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

/** All of a JSON file as one value. */
export async function readDocument(file: InputFile): Promise<unknown> {
  const { text, value, problem } = parse(await readText(file));
  if (problem === undefined) return value;
  const at = problem.startsWith("nests") ? null : faultOf(text);
  if (at === null) throw refusal({ file: file.name }, `the file ${problem}`);
  const { line, column, isEnd } = at;
  throw refusal(
    { file: file.name, line, column },
    isEnd
      ? "the file is not valid JSON: it ends in the middle; the run that wrote it may have been killed, let it write the file again"
      : `the file is not valid JSON from line ${line}, column ${column} on; let the run that wrote it write it again`,
  );
}

/** The text is kept only where it has to be looked at once more. */
function parse(text: string): {
  readonly text: string;
  readonly value?: unknown;
  readonly problem?: string | undefined;
} {
  const { value, problem } = parseLenientJson(text);
  return problem === undefined ? { text: "", value } : { text, problem };
}

/**
 * Memory that goes back at once when it is resized to nothing; a Buffer would wait for the
 * collector, next to text and values.
 */
const ResizableBuffer = ArrayBuffer as unknown as new (
  bytes: number,
  how: { readonly maxByteLength: number },
) => ArrayBuffer & { readonly resize: (bytes: number) => void };

async function readText(file: InputFile): Promise<string> {
  if (file.sizeBytes > MOST_BYTES) throw tooLong(file.name, file.sizeBytes);
  const memory = new ResizableBuffer(file.sizeBytes, { maxByteLength: MOST_BYTES });
  let length = 0;
  for await (const chunk of file.chunks()) {
    const end = length + chunk.length;
    if (end > MOST_BYTES) throw tooLong(file.name, end);
    if (end > memory.byteLength) memory.resize(Math.min(MOST_BYTES, 2 * end));
    new Uint8Array(memory).set(chunk, length);
    length = end;
  }
  const bytes = Buffer.from(memory, 0, length);
  if (!isUtf8(bytes))
    throw refusal({ file: file.name }, "the file is not valid UTF-8; write it as UTF-8");
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString("utf8", marked ? 3 : 0);
  memory.resize(0);
  return text;
}

function tooLong(name: string, bytes: number): Error {
  const lines = name.replace(/(?:\.json)?$/i, ".jsonl");
  return refusal(
    { file: name },
    `the file has ${Math.round(bytes / 1e6)} MB, and JSON is read whole, up to ${Math.floor(MOST_BYTES / 1e6)} MB; write JSONL, which is read line by line: jq -c '.[]' ${name} > ${lines} (for an object, name its list: '.results[]')`,
  );
}
