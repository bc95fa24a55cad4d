import { isObject, parseJson } from "../model/json.ts";

const MARKER = "<!-- agent-deploy: ";
const END = " -->";

/** Renders the header as one line, without anything that could end the HTML comment. */
export function renderHeader(header: CommentHeader): string {
  const { v, key, run, attempt, sha, open } = header;
  const inert = (word: string): string => word.replace(/[^A-Za-z0-9]/g, "");
  return `${MARKER}${JSON.stringify({ v, key: inert(key), run: inert(run), attempt, sha: inert(sha), open })}${END}`;
}

/** Null unless the FIRST line is one: a marker pasted or quoted further down does not count. */
export function parseHeader(body = "") {
  const line = body.slice(0, 1000).split(/\r?\n/, 1)[0]!.trimEnd();
  if (!line.startsWith(MARKER) || !line.endsWith(END)) return null;
  const read = parseJson(line.slice(MARKER.length, -END.length));
  if (!isObject(read)) return null;
  const { v, key, run, attempt, sha, open } = read;
  if (v !== 1 || typeof key !== "string" || key === "") return null;
  return {
    v,
    key,
    /** Digits of the run id. */
    run: typeof run === "string" && /^\d{1,30}$/.test(run) ? run : "0",
    attempt: Number.isSafeInteger(attempt) && (attempt as number) >= 0 ? (attempt as number) : 0,
    /** Head commit. */
    sha: typeof sha === "string" ? sha : "",
    /** True while the run is in progress. */
    open: open === true,
  };
}

/** The hidden first line of our comments. */
export type CommentHeader = NonNullable<ReturnType<typeof parseHeader>>;

/** Whether the header is from a newer run than `run`: compares run id, then attempt, as numbers. Equal is not newer. */
export function isNewer(
  header: Pick<CommentHeader, "run" | "attempt">,
  than: Pick<CommentHeader, "run" | "attempt">,
): boolean {
  const [a, b] = [header, than].map(({ run }) => BigInt(/^\d+$/.test(run) ? run : "0"));
  return a! > b! || (a === b && header.attempt > than.attempt);
}
