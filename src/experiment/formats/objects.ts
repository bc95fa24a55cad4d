import { parseLenientBytes } from "../input/lenient-json.ts";
import { refusal } from "../input/diagnostic.ts";
import { streamLines } from "../input/text-lines.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Head } from "./format.ts";

/** The whole of a file that is one JSON document. */
export function documentOf({ name, container, document }: Head): unknown {
  if (container === "json") return document;
  throw refusal(
    { file: name },
    `the file is ${container === "zip" ? "a zip" : container.toUpperCase()}, and this format is one JSON document`,
  );
}

/** Batches of values from the lines of JSONL. */
export async function* lineValues(
  file: InputFile,
): AsyncGenerator<readonly { readonly value: unknown; readonly line: number }[]> {
  let index = 0;
  for await (const lines of streamLines(file.name, file.chunks()))
    yield lines.map(({ bytes, line }) => {
      const parsed = parseLenientBytes(bytes);
      if (parsed.problem !== undefined)
        throw refusal(
          { file: file.name, line, path: `[${index}]` },
          `row ${index + 1} ${parsed.problem}; let the run that wrote it write it again, or remove the row`,
        );
      index += 1;
      return { value: parsed.value, line };
    });
}
