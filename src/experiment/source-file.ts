import type { Format, Head } from "./formats/format.ts";
import type { InputFile } from "./input-file.ts";

/** Files that are read as one: a report, and what stands beside it. */
export interface FileSource {
  readonly format: Format;
  readonly files: InputFile[];
  readonly heads: Head[];
}

const DATE = String.raw`\d{4}-?\d\d-?\d\d`;
/** To the second, perhaps with a fraction and a zone, or to the minute. */
const CLOCK = String.raw`(?:[T_ -]?\d\d[-_: ]?\d\d[-_: ]?\d\d(?:[.,]\d{1,9})?(?:[-+]\d\d[-:]?\d\d|Z(?![a-z]))?|[T_ -]\d\d[-_: ]?\d\d(?!\d))`;
const DAY = String.raw`(?<!\d)20\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)`;
const SINCE_1970 = String.raw`\d{13}|\d{10}(?:\.\d{1,9}(?!\d))?`;
const UUID = "(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])";
/** What a run writes into a name. The number behind a stamp at the end counts files of one second. */
const STAMP = new RegExp(
  String.raw`[-_. ]?(?:${UUID}|${DATE}${CLOCK}|${DAY}|${SINCE_1970})(?:[-_. ]\d{1,3}$)?[-_. ]?`,
  "gi",
);

/** A name without the stamps of a run; empty where it is one. */
export function withoutStamps(name: string): string {
  return name.replace(STAMP, "");
}

const ENDING = /\.(?:jsonl?|ndjson|csv|eval|xml|junit\.xml)$/i;

/** The file that stands for its source: a runner's report before its side files. */
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
