import type { Format, Head } from "./formats/format.ts";
import { withoutStamps } from "./input/identity.ts";
import type { InputFile } from "./input/input-file.ts";

/** Files that are read as one: a report, and what is next to it. */
export interface FileSource {
  readonly format: Format;
  readonly files: InputFile[];
  readonly heads: Head[];
}

const ENDING = /\.(?:jsonl?|ndjson|csv|eval|xml|junit\.xml)$/i;

/** The file that represents its source: a runner's report before its side files. */
export function mainFile({ files, heads }: FileSource): InputFile {
  return files[
    Math.max(
      0,
      heads.findIndex((head) => head.keys.has("testResults")),
    )
  ]!;
}

/** The file's name without ending and time stamps, so that the same suite has the same name in every run. */
export function suiteOf(source: FileSource): string {
  const name = mainFile(source).name.split("/").at(-1)!;
  const plain = withoutStamps(name.replace(/\.junit\.xml$/i, "").replace(ENDING, ""));
  return plain.replace(/^\.+/, "") === "" ? "results" : plain.replace(/^\.+/, "");
}
