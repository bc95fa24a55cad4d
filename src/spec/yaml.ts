import { type Event, parseEvents, YAMLException } from "js-yaml";
import { errorAt, type Position } from "./desired.ts";
import { composeFile, MAX_DEPTH, NO_TAG } from "./yaml-composition.ts";
import type { YamlFile } from "./yaml-node.ts";

/** The largest spec file, in characters. */
export const MAX_SPEC_CHARS = 1024 * 1024;

/** The most values, keys and ends in one file. */
const MAX_EVENTS = 250_000;

/** Converts offsets to positions. LF, CRLF and CR end a line; a byte order mark has no column. */
function createPlaces(source: string, file: string): (offset: number) => Position {
  const starts = [0];
  for (const match of source.matchAll(/\r\n|\r|\n/gu)) starts.push(match.index + match[0].length);
  const bom = source.startsWith("\uFEFF") ? 1 : 0;
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    const start = low === 0 ? Math.min(bom, offset) : starts[low]!;
    return { file, line: low + 1, column: offset - start + 1 };
  };
}

/** Parses a spec file into documents in which every key and value has its position. Never throws. */
export function parseYaml(text: string, file: string): YamlFile {
  const refuse = (at: Position, message: string): YamlFile => ({
    documents: [],
    problems: [errorAt(at, "", message)],
  });
  const top: Position = { file, line: 1, column: 1 };
  if (text.length > MAX_SPEC_CHARS)
    return refuse(top, "the file is larger than 1 MiB; split the spec into several files");
  if (/^\uFFFE|^.?\u0000/su.test(text))
    return refuse(top, "the file looks like UTF-16; save it as UTF-8");
  const placeOf = createPlaces(text, file);
  let events: readonly Event[];
  try {
    events = parseEvents(text, { filename: file, maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException))
      return refuse(top, "the file is not YAML that can be read; check its syntax");
    const refusedAt = error.mark?.position ?? 0;
    const at = placeOf(refusedAt);
    const line = text.split(/\r\n|\r|\n/u)[at.line - 1] ?? "";
    const open = findUnclosed(text.slice(0, refusedAt));
    const { reason, advice } = explain(error.reason, line, open, placeOf);
    const { problems } = refuse(at, `not valid YAML: ${reason}; ${advice}`);
    // The documents before this one are checked too, to report everything at once.
    const separator = [...text.slice(0, refusedAt).matchAll(/^---(?=\s|$)/gmu)].at(-1);
    const before = separator === undefined ? null : parseYaml(text.slice(0, separator.index), file);
    return {
      documents: before?.documents ?? [],
      problems: [...(before?.problems ?? []), ...problems],
      isCut: true,
    };
  }
  if (events.length > MAX_EVENTS) return refuse(top, "the file holds too many values; split it");
  return composeFile({ source: text, events, placeOf, problems: [], index: 0, anchors: new Map() });
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** The first bracket that begins a value and is never closed; skips quotes and comments. */
function findUnclosed(
  text: string,
): { readonly sign: string; readonly offset: number } | undefined {
  const open: { readonly sign: string; readonly offset: number }[] = [];
  const tokens = /"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|(?:^|(?<=\s))#[^\r\n]*|[{}[\]]/gu;
  for (const { 0: sign, index } of text.matchAll(tokens)) {
    const begins = /(?:^|[:\-,[{]\s*)$/u.test(text.slice(Math.max(0, index - 40), index));
    if (CLOSING[sign] !== undefined && (begins || open.length > 0))
      open.push({ sign, offset: index });
    else if (open.length > 0 && CLOSING[open.at(-1)!.sign] === sign) open.pop();
  }
  return open[0];
}

function explain(
  said: string,
  line: string,
  open: ReturnType<typeof findUnclosed>,
  placeOf: (offset: number) => Position,
): { readonly reason: string; readonly advice: string } {
  // The parser's message repeats the tag.
  if (/\btag\b/u.test(said)) return { reason: "a tag that is not known", advice: NO_TAG };
  if (/\$\{/u.test(line)) return { reason: said, advice: "put ${…} in quotes inside { } and [ ]" };
  if (/tab/u.test(said)) return { reason: said, advice: "indent with spaces" };
  if (/maxDepth/u.test(said)) return { reason: said, advice: "nest less deeply" };
  if (open === undefined)
    return { reason: said, advice: "check indentation, colons and quotes here" };
  const { line: opened, column } = placeOf(open.offset);
  return {
    reason: `the ${open.sign} opened at ${opened}:${column} is not closed`,
    advice: `check where its ${CLOSING[open.sign]} belongs`,
  };
}
